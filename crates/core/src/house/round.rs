//! Stages and rounds: who is called, when a round closes, what follows it.

use super::flow::Flow;
use crate::ballot::Tally;
use crate::charter::{Speak, StageKind};
use crate::floor::{self, Next};
use crate::kernel::{Decision, Why};
use crate::{Event, Task, matter};

impl Flow {
    pub(super) fn enter_stage(&mut self, stage: usize) {
        let matter = self.case.id;
        self.put(Event::Matter(matter::Event::StageEntered { matter, stage: stage as u16 }));
        match &self.case.stage().kind {
            StageKind::Speak(_) => self.open_round(),
            StageKind::Vote { early } => self.open_ballot(*early),
        }
    }

    /// Whether enough seats are left for any vote to count. Where not, talk would only cost.
    fn can_decide(&self) -> bool {
        let seats = self.case.opening.seats.len() as u32;
        self.case.present().len() as u32 >= self.case.charter.ballot.quorum.ceiling_of(seats)
    }

    fn open_round(&mut self) {
        let (matter, round) = (self.case.id, self.case.round() + 1);
        self.put(Event::Floor(floor::Event::RoundOpened { matter, round }));
        self.advance();
    }

    /// Goes on as far as it can without an answer: calls the next, or closes what is over.
    pub(super) fn advance(&mut self) {
        let Some(speak) = self.case.speaking() else {
            if self.case.asks().is_empty() {
                self.close_ballot();
            }
            return;
        };
        let present = self.case.present();
        match floor::next(speak.floor, &present, self.case.called(), self.case.asks().len()) {
            Next::Wait => (),
            Next::Over => self.close_round(),
            Next::Call(seats) => {
                let (matter, round) = (self.case.id, self.case.round());
                for who in seats {
                    let until = self.queued_until(who);
                    self.put(Event::Floor(floor::Event::Called { matter, who: who.clone(), round, until }));
                }
            }
        }
    }

    fn close_round(&mut self) {
        let (matter, round) = (self.case.id, self.case.round());
        let answered = self.case.said.iter().filter(|said| said.round == round).count() as u32;
        let of_round = |task| matches!(task, Task::Speak { round: of } if of == round);
        let lapsed = self.case.lapses.iter().filter(|lapse| of_round(lapse.task)).count() as u32;
        self.put(Event::Floor(floor::Event::RoundClosed { matter, round, answered, lapsed }));
        if answered == 0 {
            // A round with no answer failed. Going on would count silence as deliberation.
            return self.settle(Decision::Undecided(Why::NoAnswers));
        }
        let goes_on = self.case.speaking().is_some_and(|speak| {
            self.case.rounds_in_stage() < speak.rounds.is && !self.is_clear(speak) && !self.is_still(speak)
        });
        if goes_on && self.can_decide() { self.open_round() } else { self.next_stage() }
    }

    pub(super) fn next_stage(&mut self) {
        let next = self.case.stage_index() + 1;
        if !self.can_decide() {
            self.settle(Decision::Undecided(Why::Quorum));
        } else if next < self.case.charter.stages.len() {
            self.enter_stage(next);
        } else {
            // Charters end with a vote that settles; this is for one that was read by other rules.
            self.settle(Decision::Undecided(Why::Below));
        }
    }

    /// Whether the stances taken leave nothing to debate.
    fn is_clear(&self, speak: &Speak) -> bool {
        let Some(clear) = speak.until_clear else { return false };
        let opening = &self.case.opening;
        let mut tally = Tally::new(opening.question.options.len() as u8, opening.seats.len() as u32);
        let standing = self.case.standing(self.case.round() + 1);
        tally.present = standing.len() as u32;
        for choice in standing.values() {
            tally.add(*choice, 1);
        }
        tally.is_clear(&self.case.charter.ballot, clear)
    }

    /// Whether the round just closed moved nobody away from where they stood before it.
    fn is_still(&self, speak: &Speak) -> bool {
        if !speak.until_still {
            return false;
        }
        let round = self.case.round();
        let before = self.case.standing(round);
        let now = self.case.said.iter().filter(|said| said.round == round);
        now.into_iter()
            .all(|said| said.response.stance.is_none_or(|stance| before.get(&said.who) == Some(&stance)))
    }
}
