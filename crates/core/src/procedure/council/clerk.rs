//! Clerks: who weighs a round, digests, finds perspectives or sums up. What they say is kept beside what the
//! council said and decides nothing; where a clerk fails, the council goes on without.

use super::state::parts;
use crate::ask::Chore;
use crate::brief::{FieldValue, Form, ReadAnswer, SAME, side_key, text_of_object, without_thinking};
use crate::context::{self, Synthesis};
use crate::house::{Case, Flow, wrong_status};
use crate::kernel::{AskId, Cause, Choice, MatterId, Perspective, Repair, Seat, SeatKind, Who, text};
use crate::matter::{self, Operation, Pause, Status, SummaryBy};
use crate::watch::{self, Opinion};
use crate::{Event, Refusal, Task, ask, roster};

/// The longest point of a clerk that is kept, in characters. Longer ones are cut and say so.
const POINT_MOST: usize = 1000;
/// The longest summary in prose that is kept, in characters.
const SUMMARY_MOST: usize = 16_000;
/// The most points of one kind that are kept.
const POINTS_MOST: usize = 40;

impl Flow {
    /// Has a settled or waiting matter summed up.
    pub(super) fn synthesise(&mut self, matter: MatterId, by: &Who) -> Result<(), Refusal> {
        let case = self.council(matter)?;
        match case.status() {
            Status::Settled(_) | Status::Paused(Pause::BetweenRounds | Pause::NeedsContext) => (),
            Status::Running
            | Status::Paused(Pause::Operator | Pause::Interrupted | Pause::Unusable | Pause::Listed) => {
                return Err(wrong_status(matter, case.status(), Operation::Synthesize));
            }
        }
        not_redacted(&case)?;
        if case.participant(by).is_none() {
            return Err(roster::Refusal::NotSeated { who: by.clone(), matter }.into());
        }
        self.put_to(&case, by, Chore::Synthesise);
        Ok(())
    }

    /// Has a matter summed up that a vote just decided, where that was wished for. One call; what it fails of stands in the
    /// record and changes nothing.
    pub(super) fn sum_up(&mut self) {
        if let Some(by) = self.case().summarist() {
            self.engage(&by, Chore::Synthesise);
        }
    }

    /// Has a round weighed, again or for the first time.
    pub(super) fn judge_round(&mut self, matter: MatterId, by: &Who, round: u32) -> Result<(), Refusal> {
        let case = self.council(matter)?;
        if !case.is_live() {
            return Err(wrong_status(matter, case.status(), Operation::Judge));
        }
        not_redacted(&case)?;
        let had = case.rounds_over();
        if !parts(&case).1.analyses.contains_key(&round) {
            return Err(matter::Refusal::NoSuchRound { matter, round, had }.into());
        }
        if case.participant(by).is_none() && self.house.roster().get(by).is_none() {
            return Err(roster::Refusal::UnknownSeat { who: by.clone() }.into());
        }
        self.put_to(&case, by, Chore::Judge { round });
        Ok(())
    }

    /// Asks a clerk; what the same clerk was asked before and never answered is given up.
    fn put_to(&mut self, case: &Case, by: &Who, chore: Chore) {
        let task = Task::Clerk(chore);
        for (ask, _) in case.asks().iter().filter(|(_, open)| open.is_of(by) && open.task() == Some(task)) {
            self.give_up(*ask, Cause::passing("clerk/asked-again", "the same was asked again"));
        }
        self.engage(by, chore);
    }

    /// A clerk's answer; `case` is the matter before it.
    pub(super) fn served(&mut self, case: &Case, id: AskId, chore: Chore, said: &str) {
        match serve(case, id, chore, said) {
            Some(event) => drop(self.put(event)),
            None => {
                let detail = "the answer could not be read as what was asked for";
                self.lapse(id, Cause::passing("clerk/unreadable", detail));
            }
        }
        super::advance(self);
    }
}

/// What was taken out of the record nobody can weigh, sum up or go on from.
pub(super) fn not_redacted(case: &Case) -> Result<(), Refusal> {
    match case.redacted_by {
        Some(_) => Err(matter::Refusal::Redacted { matter: case.id }.into()),
        None => Ok(()),
    }
}

impl Flow {
    /// Asks a clerk.
    pub(super) fn engage(&mut self, who: &Who, chore: Chore) {
        let (matter, until) = (self.case().id, self.queued_until(who));
        let task = Task::Clerk(chore);
        self.put(Event::Ask(ask::Event::Opened { matter, task, until, who: who.clone() }));
    }

    /// Asks the judges to weigh the round just closed, and the scribe to digest what has grown too long.
    /// Whether anybody was asked.
    pub(super) fn engage_clerks(&mut self) -> bool {
        let round = self.case().round();
        let opening = self.case().opening.clone();
        let absent = |case: &Case, who: &Who| case.absent.contains_key(who);
        for judge in
            opening.judges.iter().filter(|judge| !absent(self.case(), &judge.who)).collect::<Vec<_>>()
        {
            self.engage(&judge.who, Chore::Judge { round });
        }
        if let Some(scribe) = opening.scribe.as_ref().filter(|scribe| !absent(self.case(), &scribe.who))
            && self.case().outgrown()
            && self.case().sides().len() > 1
        {
            self.engage(&scribe.who, Chore::Digest { round });
        }
        !self.case().asks().is_empty()
    }
}

impl Case {
    /// Who sums up: always the same for the same record.
    fn summarist(&self) -> Option<Who> {
        let present = |seat: &&Seat| !self.absent.contains_key(&seat.who);
        if let SummaryBy::Seat(who) = self.opening.synthesis.as_ref()? {
            return self.participant(who).filter(present).map(|seat| seat.who.clone());
        }
        let reasons = |seat: &&Seat| matches!(seat.kind, SeatKind::Model | SeatKind::CommandLine);
        if let Some(scribe) = self.opening.scribe.as_ref().filter(present).filter(reasons) {
            return Some(scribe.who.clone());
        }
        let report = crate::view::Report::of(self);
        // Of a secret vote it does not show who is on which side, and neither does who sums up.
        let winners: Vec<&Who> = report.why().into_iter().map(|row| row.who).collect();
        let voted = |seat: &&Seat| self.ballots.last().is_some_and(|ballot| ballot.has_voted(&seat.who));
        let able: Vec<&Seat> =
            self.opening.seats.iter().filter(present).filter(reasons).filter(voted).collect();
        let winner = able.iter().find(|seat| winners.contains(&&seat.who));
        winner.or(able.first()).map(|seat| seat.who.clone())
    }

    /// The sides that were argued for last, freely or by order, those on no side apart.
    pub(super) fn sides(&self) -> Vec<Choice> {
        let mut latest: std::collections::BTreeMap<&Who, Choice> = Default::default();
        for said in &self.said {
            latest.extend(said.response.stance.map(|stance| (&said.who, stance)));
        }
        let mut sides: Vec<Choice> = latest.into_values().filter(|side| *side != Choice::Neutral).collect();
        sides.sort();
        sides.dedup();
        sides
    }

    /// The form of a clerk's answer.
    pub(crate) fn chore_form(&self, chore: Chore) -> Form {
        match chore {
            Chore::Perspectives => Form::perspectives(),
            Chore::Judge { .. } => Form::judgement(),
            Chore::Digest { .. } => Form::digest(&self.sides(), self.opening.question.options.len()),
            Chore::Synthesise => Form::synthesis(),
            Chore::Merge => Form::comparison(self.opening.question.options.len()),
        }
    }
}

/// What a clerk's answer comes to; `None` if it cannot be read.
fn serve(case: &Case, id: AskId, chore: Chore, said: &str) -> Option<Event> {
    let mut fields = ClerkFields(case.chore_form(chore).read(said, &[]));
    match chore {
        Chore::Perspectives => {
            let wanted = case.opening.seats.len();
            let written = fields.list("perspectives");
            let sound = |it: &Perspective| context::fits("", &it.view, context::VIEW_MOST).is_ok();
            let found = written.iter().map(|text| Perspective::from_text(text)).filter(sound);
            let perspectives: Vec<Perspective> = found.take(wanted).collect();
            let some = !perspectives.is_empty();
            let event = context::Event::Perspectives { ask: id, perspectives, repairs: fields.0.repairs };
            some.then_some(Event::Context(event))
        }
        Chore::Judge { round } => {
            let opinion = Opinion {
                agreement: fields.share("agreement"),
                clusters: fields.list("clusters"),
                common_ground: fields.list("common_ground"),
                disagreements: fields.list("disagreements"),
                groupthink: fields.list("groupthink"),
                nuances: fields.list("nuances"),
                summary: fields.text("summary"),
            };
            // A judge that said nothing has not judged.
            let said = opinion != Opinion::default();
            let repairs = fields.0.repairs;
            let judged = watch::Event::Judged { ask: id, opinion: Box::new(opinion), repairs, round };
            said.then_some(Event::Watch(judged))
        }
        Chore::Digest { round } => {
            let options = case.opening.question.options.len();
            let sides: Vec<(Choice, Vec<String>)> =
                case.sides().into_iter().map(|side| (side, fields.list(&side_key(side, options)))).collect();
            // As many for one side as for another; a side that was left out makes it no digest at all.
            let each = sides.iter().map(|(_, points)| points.len()).min().filter(|each| *each > 0)?;
            let even = sides.into_iter().map(|(side, mut points)| {
                points.truncate(each);
                (side, points)
            });
            let sides = even.collect();
            Some(Event::Context(context::Event::Digested {
                ask: id,
                repairs: fields.0.repairs,
                round,
                sides,
            }))
        }
        Chore::Merge => {
            let groups = match fields.0.fields.remove(SAME) {
                Some(FieldValue::Groups(groups)) => groups,
                Some(_) | None => return None,
            };
            Some(Event::Context(context::Event::Compared { ask: id, groups, repairs: fields.0.repairs }))
        }
        Chore::Synthesise => {
            let synthesis = Synthesis {
                agreed: fields.list("agreed"),
                disputed: fields.list("disputed"),
                next_steps: fields.list("next_steps"),
                open_questions: fields.list("open_questions"),
                recommendation: fields.text("recommendation"),
                summary: fields.text("summary"),
            };
            let mut repairs = fields.0.repairs;
            let synthesis = kept(synthesis, said, &mut repairs)?;
            let event = context::Event::Synthesised { ask: id, repairs, synthesis: Box::new(synthesis) };
            Some(Event::Context(event))
        }
    }
}

/// A synthesis with what was written in place of a summary: prose was paid for and is kept as it is. Of JSON with other
/// keys the text is kept, since people read this. `None` if nothing was written.
fn kept(synthesis: Synthesis, said: &str, repairs: &mut Vec<Repair>) -> Option<Synthesis> {
    if synthesis.summary.is_some() || synthesis.recommendation.is_some() {
        return Some(synthesis);
    }
    let (prose, _) = without_thinking(said.trim());
    if prose.is_empty() {
        return None;
    }
    let inside = text_of_object(prose);
    let detail = match inside {
        Some(_) => "JSON with other keys than those asked for; its text was kept",
        None => "not in the form asked for, kept as written",
    };
    repairs.push(Repair::new("prose", detail));
    let summary = Some(text::excerpt(inside.as_deref().unwrap_or(prose), SUMMARY_MOST).into_owned());
    Some(Synthesis { summary, ..Synthesis::default() })
}

/// The fields of a clerk's answer.
struct ClerkFields(ReadAnswer);

impl ClerkFields {
    fn list(&mut self, key: &str) -> Vec<String> {
        let points = self.0.fields.remove(key).map(FieldValue::list).unwrap_or_default();
        points.iter().take(POINTS_MOST).map(|point| text::excerpt(point, POINT_MOST).into_owned()).collect()
    }

    fn text(&mut self, key: &str) -> Option<String> {
        self.0.fields.remove(key)?.text()
    }

    fn share(&mut self, key: &str) -> Option<crate::kernel::Permille> {
        // A number outside of 0 to 1 is no reading that could be put right: how far it is off, nobody knows.
        let clamped = self.0.repairs.iter().any(|repair| repair.code == "confidence-clamped");
        self.0.fields.remove(key)?.confidence().filter(|_| !clamped)
    }
}
