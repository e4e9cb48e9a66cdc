//! Open questions: what was proposed is listed, compared by the seats, and put to the vote.

use super::state::parts;
use crate::Event;
use crate::ask::Chore;
use crate::charter::StageKind;
use crate::context::{self, AnswerOption};
use crate::house::{Case, Flow};
use crate::kernel::{ContributionKind, Decision, UndecidedReason, Who};
use crate::matter::OPTIONS_MOST;

impl Flow {
    /// Lists what was proposed in the stage that is left, and whether the matter goes on.
    pub(super) fn list_proposals(&mut self) -> bool {
        let case = self.case();
        let (matter, stage) = (case.id, case.stage_index());
        let mut proposed: Vec<(usize, Who, String)> = Vec::new();
        for said in case
            .said
            .iter()
            .filter(|said| said.kind == ContributionKind::Answer && usize::from(said.stage) == stage)
        {
            if let (Some(place), Some(answer)) = (case.place(&said.who), &said.response.position) {
                proposed.push((place, said.who.clone(), answer.clone()));
            }
        }
        proposed.sort_by_key(|(place, ..)| *place);
        let proposed: Vec<(Who, String)> = proposed.into_iter().map(|(_, who, text)| (who, text)).collect();
        let needed = case.charter.ballot.quorum.ceiling_of(case.in_play() as u32) as usize;
        if proposed.is_empty() || proposed.len() < needed {
            self.settle(Decision::Undecided(UndecidedReason::Unreadable));
            return false;
        }
        let (answers, left_out) = context::list(matter, &proposed, OPTIONS_MOST);
        self.put(Event::Context(context::Event::Listed { answers, left_out, matter }));
        !self.settle_unanimous(true)
    }

    /// Asks every seat which of the answers mean the same. One answer cannot be compared with anything.
    pub(super) fn open_merge(&mut self) {
        if self.case().opening.question.options.len() < 2 {
            return self.next_stage();
        }
        for who in self.case().present_seats() {
            self.engage(&who, Chore::Merge);
        }
        super::advance(self);
    }

    /// Merges what most of those say who answered.
    pub(super) fn close_merge(&mut self) {
        let case = self.case();
        let (matter, (_, state)) = (case.id, parts(case));
        let said: Vec<Vec<Vec<u8>>> = state.comparisons.iter().map(|said| said.groups.clone()).collect();
        let seats: Vec<Who> = case.opening.seats.iter().map(|seat| seat.who.clone()).collect();
        let answers = context::merge(matter, &state.answers, &said, &seats);
        // Those who proposed the same in other words must all say that it is the same.
        let same = |groups: &Vec<Vec<u8>>| context::are_all_same(groups, state.answers.len());
        let all_say_so = said.len() == case.in_play() && said.iter().all(same);
        if answers.len() < state.answers.len() {
            let left_out = state.left_out.clone();
            self.put(Event::Context(context::Event::Listed { answers, left_out, matter }));
        }
        if !self.settle_unanimous(all_say_so) {
            self.next_stage();
        }
    }

    /// Where every seat proposed the same answer it is their stated choice, and a vote would only repeat it.
    fn settle_unanimous(&mut self, all_say_so: bool) -> bool {
        let case = self.case();
        let unanimous = all_say_so
            && match parts(case).1.answers.as_slice() {
                [only] => only.proposers.len() == case.in_play(),
                _ => false,
            };
        if unanimous {
            self.settle(Decision::Passed { option: Some(0) });
        }
        unanimous
    }
}

impl Case {
    /// The answers that seats proposed to an open question, in the order of the ballot.
    pub fn answers(&self) -> &[AnswerOption] {
        self.council().map_or(&[], |(_, state)| &state.answers)
    }

    /// Answers that no ballot had room for.
    pub fn answers_left_out(&self) -> &[AnswerOption] {
        self.council().map_or(&[], |(_, state)| &state.left_out)
    }

    /// The stage in which answers are proposed.
    pub(super) fn proposing_stage(&self) -> Option<usize> {
        let stages = &self.council()?.0.stages;
        stages.iter().position(|stage| matches!(stage.kind, StageKind::Propose(_)))
    }
}
