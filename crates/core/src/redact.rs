//! Redaction: an act of a matter without the words of the matter.
//!
//! What people and minds wrote goes: question, options, answers, personas, whatever quotes them, and the
//! details of faults, since a provider may echo what it was sent. Structure, ids, names, choices, counts,
//! codes and digests stay, so that a house folds from redacted acts as it did from whole ones and the decision
//! stands. Participants and charters belong to the house and are never touched.
//!
//! Every field is named here, none is skipped by `..`: a new one does not build until somebody has said
//! whether it holds words.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::event::About;
use crate::kernel::{
    AskId, Attempt, Call, Cause, Contribution, Id, MatterId, Repair, Response, Seat, Violation,
};
use crate::matter::{Opening, Question};
use crate::{Act, Command, Event, Outcome, ask, ballot, command, floor, gate, matter, meter};

/// What stands where words stood.
pub const REDACTED: &str = "[redacted]";

/// Follows a journal and gives the acts of one matter without its words. One act can be about several matters
/// (a tick lapses asks of them all), and an answer names only its ask: so which words are the matter's
/// shows only to one who has seen the acts before.
#[derive(Debug, Clone)]
pub struct Redaction {
    matter: MatterId,
    /// Whatever events of the matter gave birth to. Its asks are among them.
    born: BTreeSet<Id>,
}

impl Redaction {
    /// The redaction of a matter, before the first act of its journal.
    pub fn of(matter: MatterId) -> Self {
        Self { matter, born: BTreeSet::new() }
    }

    /// The next act without the matter's words; `None` if it has no part in the matter. Acts are given in
    /// order, from the one that opened the matter at the latest. An act without words comes back as it is.
    pub fn next(&mut self, act: &Act) -> Option<Act> {
        let mine: Vec<usize> = (0..act.events().len()).filter(|nth| self.takes(act, *nth)).collect();
        let commanded = self.commands(act);
        if mine.is_empty() && !commanded {
            return None;
        }
        let mut act = act.clone();
        if commanded {
            self::command(&mut act.command);
        }
        match &mut act.outcome {
            Outcome::Done(events) => mine.into_iter().for_each(|nth| event(&mut events[nth])),
            // The code says it; a sentence might quote the command.
            Outcome::Refused { code: _, message } => blank(message),
        }
        Some(act)
    }

    /// Whether an event is the matter's. Remembers what it gave birth to.
    fn takes(&mut self, act: &Act, nth: usize) -> bool {
        let id = Id { act: act.seq, nth: nth as u16 };
        let mine = match act.events()[nth].about() {
            About::House => id == self.matter.0,
            About::Matter(matter) => matter == self.matter,
            About::Ask(AskId(ask)) => self.born.contains(&ask),
        };
        if mine {
            self.born.insert(id);
        }
        mine
    }

    /// Whether the command holds words of the matter, also one that was refused, such as a late answer.
    fn commands(&self, act: &Act) -> bool {
        match &act.command {
            Command::Open(_) => act.seq == self.matter.0.act,
            Command::Answer { ask, .. } | Command::Fail { ask, .. } => self.born.contains(&ask.0),
            Command::Found { .. } | Command::Adopt { .. } | Command::Enrol { .. } => false,
            Command::Begin { .. } | Command::Pause { .. } | Command::Resume { .. } => false,
            Command::Stop { .. } | Command::Tick | Command::Redact { .. } => false,
        }
    }
}

fn blank(text: &mut String) {
    REDACTED.clone_into(text);
}

fn blank_all<'a>(texts: impl IntoIterator<Item = &'a mut String>) {
    texts.into_iter().for_each(blank);
}

fn command(command: &mut Command) {
    match command {
        Command::Open(open) => {
            let command::Open { question: asked, charter: _, seats: _, limits: _, moved: _ } = &mut **open;
            question(asked);
        }
        Command::Answer { ask: _, call: took, text } => {
            call(took);
            blank(text);
        }
        Command::Fail { ask: _, call: took, cause: why } => {
            call(took);
            cause(why);
        }
        Command::Found { key: _ } | Command::Adopt { source: _ } | Command::Enrol { seat: _ } => (),
        Command::Begin { ask: _, worst: _ } | Command::Pause { matter: _, why: _ } => (),
        Command::Resume { matter: _ } | Command::Stop { matter: _ } | Command::Tick => (),
        Command::Redact { matter: _, acts: _ } => (),
    }
}

fn event(event: &mut Event) {
    match event {
        Event::House(_) | Event::Charter(_) | Event::Roster(_) => (),
        Event::Matter(event) => match event {
            matter::Event::Opened(opened) => opening(Arc::make_mut(opened)),
            matter::Event::StageEntered { matter: _, stage: _ }
            | matter::Event::Paused { matter: _, why: _ }
            | matter::Event::Resumed { matter: _ }
            | matter::Event::Settled { decision: _, matter: _ }
            | matter::Event::Redacted { matter: _ } => (),
        },
        Event::Floor(event) => match event {
            floor::Event::Absent { cause: why, matter: _, who: _ } => cause(why),
            floor::Event::RoundOpened { matter: _, round: _ }
            | floor::Event::Called { matter: _, round: _, until: _, who: _ }
            | floor::Event::RoundClosed { answered: _, lapsed: _, matter: _, round: _ } => (),
        },
        Event::Gate(event) => match event {
            gate::Event::Admitted(said) => contribution(Arc::make_mut(said)),
            gate::Event::Rejected { ask: _, breaches } => breaches.iter_mut().for_each(breach),
        },
        Event::Ballot(event) => match event {
            ballot::Event::Cast { ask: _, vote: cast } => vote(cast),
            ballot::Event::Unparsed { again: _, ask: _, said } => blank(said),
            ballot::Event::Opened { matter: _, options: _, rule: _, seats: _ }
            | ballot::Event::Asked { attempt: _, ballot: _, matter: _, until: _, who: _ }
            | ballot::Event::Closed { ballot: _, decision: _, matter: _, settles: _, tally: _ } => (),
        },
        Event::Meter(event) => match event {
            meter::Event::Spent { ask: _, call: took } => call(took),
            meter::Event::Limited { limits: _, matter: _ } | meter::Event::Reserved { ask: _, worst: _ } => {}
        },
        Event::Ask(event) => match event {
            ask::Event::Lapsed { ask: _, cause: why } => cause(why),
            ask::Event::Begun { ask: _, until: _ } | ask::Event::Renewed { ask: _, until: _ } => (),
        },
    }
}

fn question(question: &mut Question) {
    let Question { topic, options } = question;
    *topic = REDACTED.into();
    blank_all(options);
}

pub(crate) fn opening(opening: &mut Opening) {
    let Opening { charter: _, moved: _, question: asked, seats } = opening;
    question(asked);
    for seat in seats {
        let Seat { kind: _, mind: _, model: _, name: _, persona, who: _ } = seat;
        blank_all(persona);
    }
}

pub(crate) fn contribution(said: &mut Contribution) {
    let Contribution {
        ask: _,
        at: _,
        how: _,
        repairs: mended,
        response,
        round: _,
        stage: _,
        violations,
        who: _,
    } = said;
    let Response { confidence: _, key_points, position, reasoning, sections, stance: _ } = response;
    blank_all(key_points);
    blank_all(position);
    blank_all(reasoning);
    // The keys are the charter's.
    blank_all(sections.iter_mut().map(|(_, text)| text));
    repairs(mended);
    for Violation { code: _, detail } in violations {
        blank(detail);
    }
}

pub(crate) fn vote(vote: &mut ballot::Vote) {
    let ballot::Vote {
        change_if,
        changed_from: _,
        choice: _,
        confidence: _,
        how: _,
        reason,
        repairs: mended,
        who: _,
    } = vote;
    blank_all(change_if);
    blank_all(reason);
    repairs(mended);
}

fn repairs(repairs: &mut [Repair]) {
    for Repair { code: _, detail } in repairs {
        blank(detail);
    }
}

fn breach(breach: &mut gate::Breach) {
    match breach {
        // The field is named by the charter.
        gate::Breach::FieldMissing { field: _ } => (),
        gate::Breach::Empty
        | gate::Breach::TooLong { given: _, most: _ }
        | gate::Breach::StanceMissing
        | gate::Breach::ConfidenceMissing
        | gate::Breach::ConfidenceOutside { given: _, least: _, most: _ } => (),
    }
}

pub(crate) fn call(call: &mut Call) {
    let Call { brief: _, model: _, retries, took_ms: _, usage: _ } = call;
    for Attempt { cause: why, waited_ms: _ } in retries {
        cause(why);
    }
}

pub(crate) fn cause(cause: &mut Cause) {
    let Cause { code: _, detail, lasting: _ } = cause;
    blank(detail);
}
