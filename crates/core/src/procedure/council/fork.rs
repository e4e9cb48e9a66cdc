//! Branching off: a matter that shares the first rounds of another and goes its own way.

use std::sync::Arc;

use super::Fork;
use crate::charter::{self, Procedure};
use crate::house::{Case, Flow};
use crate::kernel::{MatterId, Seat, Who};
use crate::matter::{self, Forked, Opening, Pinned, QuestionKind};
use crate::{Event, Refusal, context, meter};

impl Flow {
    pub(super) fn fork(&mut self, fork: &Fork) -> Result<(), Refusal> {
        let origin = self.council(fork.from)?;
        super::clerk::not_redacted(&origin)?;
        let over = origin.rounds_over();
        if fork.round == 0 || fork.round > over {
            return Err(
                matter::Refusal::NoSuchRound { matter: fork.from, round: fork.round, had: over }.into()
            );
        }
        let same = fork.charter.is_none_or(|digest| digest == origin.opening.charter.digest);
        let opening = self.forked(fork, &origin, same)?;
        let matter = MatterId(self.put(Event::Matter(matter::Event::Opened(Arc::new(opening)))));
        self.turn_to(matter);
        self.put(Event::Meter(meter::Event::Limited { matter, limits: fork.limits }));
        if let Some(focus) = &fork.focus {
            if same && self.case().last_round() <= fork.round {
                return Err(context::Refusal::NoRoundLeft { round: fork.round }.into());
            }
            self.focus(focus)?;
        }
        self.branch(same);
        Ok(())
    }

    /// What is fixed when a matter branches off from another.
    fn forked(&self, fork: &Fork, origin: &Case, same: bool) -> Result<Opening, Refusal> {
        let digest = fork.charter.unwrap_or(origin.opening.charter.digest);
        let adopted = self.house.charter(&digest).ok_or(charter::Refusal::Unknown { digest })?;
        // Another charter may not know the kind of motion; a branch under it goes by its ballot.
        let motion = origin.opening.motion.clone().filter(|kind| adopted.rules.motion(kind).is_some());
        let moved = if fork.moved.is_empty() && same {
            origin.opening.moved.clone()
        } else {
            adopted.rules.resolve(&fork.moved, motion.as_deref())?
        };
        let charter = adopted.rules.with(&moved, motion.as_deref());
        let Procedure::Council(rules) = &charter.procedure else {
            return Err(super::Refusal::NotADebate { matter: fork.from }.into());
        };
        // The clerks of the origin serve here too, and nobody serves beside their seat.
        let clerks = origin.opening.judges.iter().chain(&origin.opening.scribe);
        let clerks: Vec<Who> = clerks.map(|clerk| clerk.who.clone()).collect();
        let seats = match &fork.seats {
            Some(seats) => self.seated(seats, &clerks)?,
            None => origin.opening.seats.clone(),
        };
        // Under a charter that finds no answers itself those found before are what to choose from.
        let found = rules.kind().is_none() && origin.answers().len() > 1;
        let question = if found { origin.opening.question.clone() } else { origin.asked() };
        super::fits(&charter, rules, &question)?;
        if rules.kind().is_none() && origin.kind() == QuestionKind::Open && !found {
            let (name, takes) = (charter.name.clone(), QuestionKind::YesNo);
            return Err(
                charter::Refusal::OtherKind { charter: name, takes, asked: QuestionKind::Open }.into()
            );
        }
        super::plain_enough(&charter, rules, &question)?;
        super::motion::is_plain(&charter, &question)?;
        let hides = rules.lens.anonymize || origin.names.mask().is_some();
        super::maskable(&charter, hides, &question, &seats)?;
        let perspectives =
            if same { origin.dossier.perspectives.clone() } else { rules.perspectives.clone() };
        Ok(Opening {
            charter: Pinned { name: adopted.rules.name.clone(), digest },
            forked: Some(Forked { from: fork.from, round: fork.round }),
            judges: origin.opening.judges.clone(),
            motion,
            moved,
            perspectives,
            proposer: origin.opening.proposer.clone(),
            question,
            replaced: replaced(&seats, origin),
            scribe: origin.opening.scribe.clone(),
            seats,
            sources: origin.opening.sources,
            stepwise: fork.stepwise,
            synthesis: origin.opening.synthesis.clone(),
        })
    }

    /// Goes on from the shared round: under the same charter with what may follow it, under another from
    /// that one's beginning, with what was said before it.
    fn branch(&mut self, same: bool) {
        let case = self.case();
        let more = case.speaking().is_some_and(|speak| case.rounds_in_stage() < speak.rounds.is);
        match (same, more) {
            (true, true) => self.hold_council_round(),
            (true, false) => self.next_stage(),
            (false, _) => self.enter_stage(0),
        }
    }
}

/// Those of these seats whose name somebody else had in a matter that is branched off from.
fn replaced(seats: &[Seat], origin: &Case) -> Vec<Who> {
    let same = |seat: &Seat, other: &Seat| seat.backend == other.backend && seat.model == other.model;
    let other = |seat: &&Seat| {
        let before = origin.opening.seats.iter().find(|known| known.who == seat.who);
        before.is_some_and(|known| !same(seat, known)) || origin.opening.replaced.contains(&seat.who)
    };
    seats.iter().filter(other).map(|seat| seat.who.clone()).collect()
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
