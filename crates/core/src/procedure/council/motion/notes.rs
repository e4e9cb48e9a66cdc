//! What a seat is told besides the question and what was said: its lines, the debate in numbers, an order, where it stood.

use std::fmt::Write as _;

use super::motion_parts;
use crate::brief::{self, OrderedSide, SpeechNotes, SumNotes, VoteNotes};
use crate::charter::{Parliament, Reminder};
use crate::dissent::{DissentReason, has_spoken_enough};
use crate::house::Case;
use crate::kernel::{Choice, Who, text};

impl Case {
    /// The notes for a seat that speaks on a motion or votes on it; empty for other matters.
    pub(in crate::procedure::council) fn motion_notes(&self, who: &Who, voting: bool) -> String {
        let Some((rules, _)) = motion_parts(self) else { return String::new() };
        let mut out = String::new();
        lines(&mut out, self, rules, who);
        out.push_str(&brief::sum_notes(self.sum_notes(rules)));
        match voting {
            false => out.push_str(&brief::speech_notes(self.speech_notes(rules, who))),
            true => out.push_str(&brief::vote_notes(self.vote_notes(rules, who))),
        }
        out
    }

    /// The debate as it was summed up last.
    fn sum_notes<'a>(&self, rules: &Parliament) -> Option<SumNotes<'a>> {
        let state = self.motion()?;
        let sum = state.sums.last()?;
        let mitigations = rules.digest.mitigations.is == 1;
        let row = |risk: &crate::dissent::StructuralRisk| {
            (risk.word(), risk.words(), mitigations.then(|| risk.mitigation()))
        };
        let (count, forced) = match rules.counts {
            crate::charter::Counting::Free => (sum.free, sum.all.entries() - sum.free.entries()),
            crate::charter::Counting::All => (sum.all, 0),
        };
        Some(SumNotes {
            cascade: count.is_cascade(),
            count: count.words(),
            entries: sum.all.entries(),
            forced,
            risks: sum.risks.iter().map(row).collect(),
        })
    }

    pub(super) fn speech_notes(&self, rules: &Parliament, who: &Who) -> SpeechNotes {
        let state = self.motion();
        let spoken = state.map_or(0, |state| state.spoken.len() as u32);
        let prompted = rules.exploitation.on.is == 1
            && has_spoken_enough(rules.exploitation.after, spoken, self.opening.seats.len() as u32);
        let order = state.and_then(|state| state.open_order(who));
        SpeechNotes {
            // Who has to make a case anyway is not asked to weigh both.
            balanced: (prompted && order.is_none()).then_some(rules.exploitation.balanced.is == 1),
            order: order.map(|order| OrderedSide {
                reason: order.order.reason.words(),
                side: order.order.side.forced().unwrap_or(Choice::Neutral),
                team: order.order.reason == DissentReason::RedTeam,
            }),
        }
    }

    pub(super) fn vote_notes(&self, rules: &Parliament, who: &Who) -> VoteNotes {
        let was_ordered = self.motion().is_some_and(|state| {
            state.orders.iter().any(|order| order.order.who == *who && order.entry.is_some())
        });
        let stood = match rules.reminder {
            Reminder::Nothing => None,
            Reminder::Neutral | Reminder::Explain => self.stood_on_motion(rules, who),
        };
        VoteNotes { explain: rules.reminder == Reminder::Explain, stood, was_ordered }
    }

    /// Where a seat stood last in the debate, by the entries that count.
    fn stood_on_motion(&self, rules: &Parliament, who: &Who) -> Option<Choice> {
        match rules.counts {
            crate::charter::Counting::Free => self.stood(who, u32::MAX),
            crate::charter::Counting::All => {
                let last = self.said.iter().rev().find(|said| said.who == *who)?;
                last.response.stance
            }
        }
    }
}

fn lines(out: &mut String, case: &Case, rules: &Parliament, who: &Who) {
    let Some(profile) = case.seat(who).and_then(|seat| seat.profile.as_ref()) else { return };
    let told = [
        (rules.lines.red.is, "You do not accept", &profile.red_lines),
        (rules.lines.green.is, "You are here to support", &profile.green_lines),
    ];
    for (on, lead, lines) in told {
        if on == 1 && !lines.is_empty() {
            let lines: Vec<String> = lines.iter().map(|line| text::one_line(line)).collect();
            let _ = writeln!(out, "{lead}: {}.", lines.join("; "));
        }
    }
}
