//! It becomes known what was true: every vote of the matter that can be is marked.

use std::sync::Arc;

use super::{Case, Flow, House, Item, Reader, wrong_status};
use crate::ballot::Vote;
use crate::kernel::{Choice, MatterId, SeatKind, Who};
use crate::matter::{Operation, Status};
use crate::track::{self, JudgedVote, Learned, Truth, Verdict};
use crate::{Event, Refusal, edition, procedure};

impl Flow {
    pub(super) fn record_outcome(&mut self, matter: MatterId, verdict: Verdict) -> Result<(), Refusal> {
        let case = self.find(matter)?;
        let Status::Settled(decision) = case.status() else {
            return Err(wrong_status(matter, case.status(), Operation::RecordOutcome));
        };
        let truth = procedure::truth(&case, decision, verdict);
        let truth = truth.ok_or(track::Refusal::NoSuchAnswer { matter, decision })?;
        let says_sides = self.house.edition() >= edition::LEARNS;
        let mut marks = marks(&case, truth);
        let mut options = case.opening.question.options.len() as u8;
        if !says_sides {
            marks.iter_mut().for_each(|mark| mark.side = None);
            options = 0;
        }
        let learned = Learned { marks, matter, options, root: self.house.root(&case), truth };
        match self.house.track.learned(matter) {
            Some(known) if **known == learned => (),
            Some(_) | None => drop(self.put(Event::Track(track::Event::Learned(Arc::new(learned))))),
        }
        Ok(())
    }
}

impl House {
    /// The matter that others branched off from until this one came of it.
    fn root(&self, case: &Case) -> MatterId {
        self.origins(case.id).last().unwrap_or(case.id)
    }
}

/// How each vote of the last ballot turned out.
fn marks(case: &Case, truth: Truth) -> Vec<JudgedVote> {
    // Who was right tells how they voted: nobody is marked by a vote that is not shown, now or for good.
    let Some(ballot) =
        case.ballots.last().filter(|ballot| case.may_see(Reader::Operator, Item::Votes(ballot)))
    else {
        return Vec::new();
    };
    let options = case.opening.question.options.len() as u8;
    let sides: Vec<(&Who, Choice)> = match truth {
        Truth::Proposal { id, .. } => {
            ballot.last_grades(id).map(|vote| (&vote.who, vote.grade.side())).collect()
        }
        Truth::Number(_) => Vec::new(),
        Truth::Is(_) | Truth::IsNot(_) => {
            // Where votes may change, the last one counts.
            let last = |who: &Who| ballot.votes.iter().rev().find(|vote| vote.who == *who);
            let each = ballot.seats.iter().filter_map(last);
            each.map(|vote| (&vote.who, one_side(vote, options))).collect()
        }
    };
    let decided = case.decided_side(truth);
    let mark = |(who, side): (&Who, Choice)| {
        let seat = case.seat(who)?;
        if seat.kind == SeatKind::Rehearsal {
            return None; // nobody reasoned
        }
        Some(JudgedVote {
            minority: decided.is_some_and(|decided| decided != side),
            backend: seat.model.is_none().then(|| seat.backend.clone()),
            model: seat.model.clone(),
            right: truth.marks(side)?,
            side: Some(side),
            who: who.clone(),
        })
    };
    sides.into_iter().filter_map(mark).collect()
}

/// The one side a vote takes. Who puts several options on top leaves open which of them is right.
fn one_side(vote: &Vote, options: u8) -> Choice {
    let Some(marks) = &vote.marks else { return vote.choice };
    let top: Vec<u8> = (0..options).filter(|option| marks.is_top(*option)).collect();
    match top.as_slice() {
        [] => vote.choice,
        [one] => Choice::Option(*one),
        [_, _, ..] => Choice::Neutral,
    }
}

impl Case {
    /// The side the decision took in what was true or not; none while there is no decision.
    pub(crate) fn decided_side(&self, truth: Truth) -> Option<Choice> {
        let Status::Settled(decision) = self.status() else { return None };
        let answer = decision.answer()?;
        Some(match truth {
            Truth::Proposal { id, .. } if self.committed(decision) == Some(id) => Choice::Yes,
            Truth::Proposal { .. } => Choice::No,
            Truth::Is(_) | Truth::IsNot(_) | Truth::Number(_) => answer,
        })
    }
}
