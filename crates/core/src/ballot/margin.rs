//! The margin: the fewest ballots that, cast otherwise, would have changed the result.

use super::{Rules, Tally};
use crate::kernel::Choice;

impl Tally {
    /// The fewest ballots that flip what the rule makes of the readable votes; `None` if none can.
    pub fn margin(&self, rule: &Rules) -> Option<u32> {
        let choices = self.choices();
        let pairs = choices.iter().flat_map(|from| choices.iter().map(move |to| (*from, *to)));
        let one_source = pairs.filter(|(from, to)| from != to).filter_map(|(from, to)| self.flip(rule, from, to));
        let many_sources = choices.iter().filter_map(|to| self.flip_from_all(rule, *to));
        one_source.chain(many_sources).min()
    }

    /// The fewest ballots to move from one choice to another.
    fn flip(&self, rule: &Rules, from: Choice, to: Choice) -> Option<u32> {
        let now = self.decide_read(rule);
        (1..=self.votes_for(from)).find(|votes| {
            let mut other = self.clone();
            other.shift(from, to, *votes);
            other.decide_read(rule) != now
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
            if other.decide_read(rule) != now {
                return Some(moved);
            }
        }
    }
}
