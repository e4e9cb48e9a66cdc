//! Branching off: a matter that shares the first rounds of another and goes its own way.

use std::sync::Arc;

use super::flow::Flow;
use super::{Case, House};
use crate::charter::StageKind;
use crate::command::Fork;
use crate::kernel::{At, Id, MatterId, Who};
use crate::matter::{self, Forked, Opening, Pinned};
use crate::{Event, Refusal, meter};

impl House {
    pub(super) fn fork(&self, at: At, fork: &Fork) -> Result<Vec<Event>, Refusal> {
        let origin = self.debate(fork.from)?;
        super::clerk::not_redacted(origin)?;
        let over = origin.rounds_over();
        if fork.round == 0 || fork.round > over {
            return Err(Refusal::NoSuchRound { matter: fork.from, round: fork.round, had: over });
        }
        let digest = fork.charter.unwrap_or(origin.opening.charter.digest);
        let adopted = self.charters.get(&digest).ok_or(Refusal::UnknownCharter { digest })?;
        let same = digest == origin.opening.charter.digest;
        let moved =
            if fork.moved.is_empty() && same { origin.opening.moved.clone() } else { fork.moved.clone() };
        // Another charter may not know the kind of motion; a branch under it goes by its ballot.
        let knows = |kind: &String| adopted.rules.motions.iter().any(|motion| motion.name == *kind);
        let motion = origin.opening.motion.clone().filter(knows);
        let charter = adopted.rules.moved(&moved)?.for_motion(motion.as_deref())?;
        // The clerks of the origin serve here too, and nobody serves beside their seat.
        let clerks = origin.opening.judges.iter().chain(&origin.opening.scribe);
        let clerks: Vec<Who> = clerks.map(|clerk| clerk.who.clone()).collect();
        let seats = match &fork.seats {
            Some(seats) => self.seated(seats, &clerks)?,
            None => origin.opening.seats.clone(),
        };
        let question = origin.opening.question.clone();
        super::open::plain_enough(&charter, &question)?;
        super::open::maskable(&charter, &question, &seats)?;
        let opening = Arc::new(Opening {
            charter: Pinned { name: adopted.rules.name.clone(), digest },
            forked: Some(Forked { from: fork.from, round: fork.round }),
            judges: origin.opening.judges.clone(),
            motion,
            moved,
            perspectives: if same {
                origin.dossier.perspectives.clone()
            } else {
                charter.perspectives.clone()
            },
            question,
            scribe: origin.opening.scribe.clone(),
            seats,
            stepwise: fork.stepwise,
        });
        let matter = MatterId(Id { act: self.seq.next(), nth: 0 });
        let opened = Event::Matter(matter::Event::Opened(opening.clone()));
        let case = Case::open(matter, at, opening, charter, Some(origin));
        let mut flow = Flow::new(self, 1, at, case);
        flow.put(Event::Meter(meter::Event::Limited { matter, limits: fork.limits }));
        if let Some(focus) = &fork.focus {
            if same && flow.case.last_round() <= fork.round {
                return Err(Refusal::NoRoundLeft { round: fork.round });
            }
            flow.focus(focus)?;
        }
        flow.branch(same);
        Ok(std::iter::once(opened).chain(flow.done()).collect())
    }
}

impl Flow {
    /// Goes on from the shared round: under the same charter with what may follow it, under another from
    /// that one's beginning, with what was said before it.
    fn branch(&mut self, same: bool) {
        let more = match &self.case.stage().kind {
            StageKind::Speak(speak) => self.case.rounds_in_stage() < speak.rounds.is,
            StageKind::Vote { .. } | StageKind::Ring(_) => false,
        };
        match (same, more) {
            (true, true) => self.hold_round(),
            (true, false) => self.next_stage(),
            (false, _) => self.enter_stage(0),
        }
    }
}

impl Case {
    /// Whether the present round is over. A stage that was only entered has not begun its first.
    pub fn round_is_over(&self) -> bool {
        self.speaking().is_none() || self.round_closed() || self.rounds_in_stage() == 0
    }

    /// Rounds that are over, counted through the whole matter. One in which nobody answered failed, and is
    /// none: nothing can be weighed in it or go on from it.
    pub fn rounds_over(&self) -> u32 {
        let over = if self.round_is_over() { self.round() } else { self.round().saturating_sub(1) };
        over.min(self.said.iter().map(|said| said.round).max().unwrap_or(0))
    }
}
