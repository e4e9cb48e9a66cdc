//! What each seat stands for in its own words: where it came out, how it moved and what it rests on. Nothing is put into a
//! seat's mouth: each field is a field of a statement or a vote of that seat.

use serde::Serialize;

use super::{BallotReport, Report, SourceRow};
use crate::kernel::{Choice, Citation, Contribution, Permille, Who};

/// One seat.
#[derive(Debug, Clone, Serialize)]
pub struct SeatStand<'a> {
    /// Who.
    pub who: &'a Who,
    /// Its claim in its last statement that nobody ordered, verbatim; in its last one if all were.
    pub position: Option<&'a str>,
    /// The points it named there.
    pub key_points: &'a [String],
    /// The side it came out on: by its vote, else by its last free statement, else by its last one.
    pub side: Option<Choice>,
    /// The side it was assigned in the statement that is shown, if it was: that is not its own opinion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assigned: Option<Choice>,
    /// How sure it was there.
    pub confidence: Option<Permille>,
    /// Where it stood, round by round and vote by vote.
    pub path: Vec<SeatPosition<'a>>,
    /// Sources it named, each once. Nobody checked them.
    pub sources: Vec<&'a Citation>,
    /// Files that were read for it.
    pub files: Vec<&'a SourceRow>,
}

/// The position of a seat at one time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SeatPosition<'a> {
    /// When: `round 1`, or the charter's name for the vote.
    pub when: String,
    /// The side it took; none if it took none that could be read.
    pub side: Option<Choice>,
    /// How sure.
    pub confidence: Option<Permille>,
    /// The side it stood on before, where it is another now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changed_from: Option<Choice>,
    /// The argument that changed it, in its own words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub argument: Option<&'a str>,
    /// The side it was assigned, if it was: what it says is not its own opinion.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assigned: Option<Choice>,
    /// It is a vote.
    pub vote: bool,
}

/// The section in which seats say what changed their mind.
const MOVED: &str = "what_moved_me";

impl Report {
    /// What each seat stands for, in seat order.
    pub fn stands_for(&self) -> Vec<SeatStand<'_>> {
        self.asked().map(|row| self.stand(&row.seat.who)).collect()
    }

    fn stand<'a>(&'a self, who: &'a Who) -> SeatStand<'a> {
        let path = self.path(who);
        let said: Vec<&Contribution> = self.said_by(who).collect();
        // What it was ordered to say is not its position.
        let shown = said.iter().rev().find(|said| said.ordered.is_none()).or(said.last());
        let last = shown.map(|said| &said.response);
        let free = || path.iter().rev().find(|step| step.assigned.is_none());
        let came_out = path.iter().rev().find(|step| step.vote).or_else(free).or(path.last());
        let mut sources: Vec<&Citation> = Vec::new();
        for citation in said.iter().flat_map(|said| &said.response.citations) {
            if sources.iter().all(|known| known.source() != citation.source()) {
                sources.push(citation);
            }
        }
        let own = self.requests.iter().filter(|row| row.who == *who);
        SeatStand {
            who,
            position: last.and_then(|said| said.gist()),
            key_points: last.map_or(&[], |said| &said.key_points),
            side: came_out.and_then(|step| step.side),
            assigned: shown.and_then(|said| said.ordered),
            confidence: came_out.and_then(|step| step.confidence),
            path,
            sources,
            files: own.filter_map(|row| row.source.as_ref()).collect(),
        }
    }

    fn said_by<'a>(&'a self, who: &'a Who) -> impl Iterator<Item = &'a Contribution> {
        let said = self.rounds.iter().flat_map(|round| &round.said);
        said.filter(move |said| said.who == *who && self.is_by_its_seat(said))
    }

    /// Where a seat stood, in order: a vote comes after the rounds that were held before it.
    fn path<'a>(&'a self, who: &'a Who) -> Vec<SeatPosition<'a>> {
        let mut steps: Vec<(u32, SeatPosition<'a>)> = self.said_by(who).map(spoken).collect();
        let votes = self.ballots.iter().filter_map(|ballot| Some((ballot.after_round, voted(ballot, who)?)));
        for (round, step) in votes {
            let place = steps.iter().position(|(at, _)| *at > round).unwrap_or(steps.len());
            steps.insert(place, (round, step));
        }
        let mut before: Option<Choice> = None;
        let mut path: Vec<SeatPosition<'a>> = steps.into_iter().map(|(_, step)| step).collect();
        for step in path.iter_mut().filter(|step| step.assigned.is_none()) {
            let moved = before.filter(|from| step.side.is_some_and(|side| side != *from));
            // A vote that still has the former side on top beside another did not give it up.
            step.changed_from = moved.filter(|_| !step.vote || step.changed_from.is_some());
            step.argument = step.argument.filter(|_| step.changed_from.is_some());
            before = step.side.or(before);
        }
        path
    }
}

fn spoken(said: &Contribution) -> (u32, SeatPosition<'_>) {
    let moved = said.response.sections.iter().find(|(key, _)| key == MOVED);
    let step = SeatPosition {
        when: super::said_in_round(said.round),
        side: said.response.stance,
        confidence: said.response.confidence,
        changed_from: None,
        argument: moved.map(|(_, text)| text.as_str()),
        assigned: said.ordered,
        vote: false,
    };
    (said.round, step)
}

fn voted<'a>(ballot: &'a BallotReport, who: &Who) -> Option<SeatPosition<'a>> {
    let vote = ballot.votes.iter().find(|vote| vote.who == *who)?;
    Some(SeatPosition {
        when: ballot.stage.clone(),
        side: Some(vote.choice),
        confidence: vote.confidence,
        changed_from: vote.changed_from,
        argument: vote.argument.as_deref(),
        assigned: None,
        vote: true,
    })
}
