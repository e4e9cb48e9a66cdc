//! The margin: the fewest ballots that, cast otherwise, would have changed the result.

use super::{Rules, Tally};
use crate::kernel::Choice;

/// Plain questions with at most so many ballots are searched through; beyond, and with options, the moves
/// below find the fewest that matter in practice.
const SEARCHED: u32 = 500;

impl Tally {
    /// The fewest ballots that flip what the rule makes of the readable votes; `None` if none can.
    pub fn margin(&self, rule: &Rules) -> Option<u32> {
        if self.options.is_empty() && self.yes + self.no + self.neutral <= SEARCHED {
            return self.search(rule);
        }
        let choices = self.choices();
        let pairs = || {
            choices
                .iter()
                .flat_map(|from| choices.iter().map(move |to| (*from, *to)))
                .filter(|(from, to)| from != to)
        };
        let one_source = pairs().filter_map(|(from, to)| self.flip(rule, from, to));
        let many_sources = choices.iter().filter_map(|to| self.flip_from_all(rule, *to));
        let best = one_source.chain(many_sources).min();
        // Two single moves can make or break a tie that no move of one kind does.
        let two = || {
            let now = self.decide_read(rule);
            let moved = |tally: &Self, (from, to): (Choice, Choice)| {
                (tally.votes_for(from) > 0).then(|| tally.shifted(from, to))
            };
            let once = pairs().filter_map(|pair| moved(self, pair));
            once.flat_map(|tally| pairs().filter_map(move |pair| moved(&tally, pair)).collect::<Vec<_>>())
                .any(|tally| !tally.decide_read(rule).comes_to(now))
        };
        if best.is_none_or(|best| best > 2) && two() { Some(2) } else { best }
    }

    fn shifted(&self, from: Choice, to: Choice) -> Self {
        let mut other = self.clone();
        other.shift(from, to, 1);
        other
    }

    /// Every other way the same ballots could have been cast on a plain question.
    fn search(&self, rule: &Rules) -> Option<u32> {
        let now = self.decide_read(rule);
        let all = self.yes + self.no + self.neutral;
        let mut other = self.clone();
        let mut best = None;
        for yes in 0..=all {
            for no in 0..=all - yes {
                let neutral = all - yes - no;
                let more = |new: u32, old: u32| new.saturating_sub(old);
                let moved = more(yes, self.yes) + more(no, self.no) + more(neutral, self.neutral);
                if best.is_some_and(|best| best <= moved) {
                    continue;
                }
                (other.yes, other.no, other.neutral) = (yes, no, neutral);
                if !other.decide_read(rule).comes_to(now) {
                    best = Some(moved);
                }
            }
        }
        best
    }

    /// The fewest ballots to move from one choice to another.
    fn flip(&self, rule: &Rules, from: Choice, to: Choice) -> Option<u32> {
        let now = self.decide_read(rule);
        (1..=self.votes_for(from)).find(|votes| {
            let mut other = self.clone();
            other.shift(from, to, *votes);
            !other.decide_read(rule).comes_to(now)
        })
    }

    /// The fewest ballots to move to one choice, each from what is then its strongest rival. Abstentions
    /// come last: they would widen the basis.
    fn flip_from_all(&self, rule: &Rules, to: Choice) -> Option<u32> {
        let now = self.decide_read(rule);
        let mut other = self.clone();
        let mut moved = 0;
        loop {
            let rivals = other.choices().into_iter().filter(|from| *from != to && other.votes_for(*from) > 0);
            let from = rivals.max_by_key(|from| (*from != Choice::Neutral, other.votes_for(*from)))?;
            other.shift(from, to, 1);
            moved += 1;
            if !other.decide_read(rule).comes_to(now) {
                return Some(moved);
            }
        }
    }
}
