//! Counting, and what a rule makes of a count.

use serde::{Deserialize, Serialize};

use super::{Basis, Rules, Tie};
use crate::kernel::{Choice, Decision, Threshold, UndecidedReason};

/// A count of votes.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Tally {
    /// Votes for a plain question.
    pub yes: u32,
    /// Votes against it, or for none of the options.
    pub no: u32,
    /// Abstentions.
    pub neutral: u32,
    /// Votes for each option, in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<u32>,
    /// Votes that could not be read. Never counted as abstentions.
    pub unparsed: u32,
    /// Seats that did not vote.
    pub missing: u32,
    /// Seats that took part in the matter, by speech or vote.
    pub present: u32,
    /// All seats.
    pub seats: u32,
}

impl Tally {
    /// An empty count for a question with so many options.
    pub fn new(options: u8, seats: u32) -> Self {
        Self { options: vec![0; usize::from(options)], seats, ..Self::default() }
    }

    /// The votes for one choice; `None` for a choice this question does not have.
    fn slot(&mut self, choice: Choice) -> Option<&mut u32> {
        match choice {
            Choice::Yes => self.options.is_empty().then_some(&mut self.yes),
            Choice::No => Some(&mut self.no),
            Choice::Neutral => Some(&mut self.neutral),
            Choice::Option(index) => self.options.get_mut(usize::from(index)),
        }
    }

    /// Adds votes for a choice. False if the question has no such choice.
    pub fn add(&mut self, choice: Choice, votes: u32) -> bool {
        self.slot(choice).map(|slot| *slot += votes).is_some()
    }

    /// The votes for a choice.
    pub fn votes_for(&self, choice: Choice) -> u32 {
        match choice {
            Choice::Yes => self.yes,
            Choice::No => self.no,
            Choice::Neutral => self.neutral,
            Choice::Option(index) => self.options.get(usize::from(index)).copied().unwrap_or(0),
        }
    }

    /// Moves votes from one choice to another.
    pub(super) fn shift(&mut self, from: Choice, to: Choice, votes: u32) {
        if let Some(slot) = self.slot(from) {
            *slot -= votes;
        }
        self.add(to, votes);
    }

    /// Every choice this question has.
    pub fn choices(&self) -> Vec<Choice> {
        let mut choices: Vec<Choice> = (0..self.options.len()).map(|i| Choice::Option(i as u8)).collect();
        if choices.is_empty() {
            choices.push(Choice::Yes);
        }
        choices.extend([Choice::No, Choice::Neutral]);
        choices
    }

    /// How many a basis counts.
    pub fn whole(&self, basis: Basis) -> u32 {
        let cast = self.yes + self.no + self.options.iter().sum::<u32>();
        match basis {
            Basis::Cast => cast,
            Basis::Votes => cast + self.neutral,
            Basis::Present => self.present,
            Basis::Seats => self.seats,
        }
    }

    /// The most supported option and its votes; the earlier of equals, and whether there are equals.
    fn leader(&self) -> Option<(u8, u32, bool)> {
        let most = *self.options.iter().max()?;
        let index = self.options.iter().position(|votes| *votes == most)?;
        let shared = self.options.iter().filter(|votes| **votes == most).count() > 1;
        Some((index as u8, most, shared))
    }

    /// What stands to be carried: YES, or the leading option.
    pub fn leading(&self) -> Choice {
        self.leader().map_or(Choice::Yes, |(index, _, _)| Choice::Option(index))
    }

    /// What the rule makes of the count, unreadable votes included.
    pub fn decision(&self, rule: &Rules) -> Decision {
        let read = self.decide_read(rule);
        let open = self.unparsed > 0 && self.readings().any(|other| other.decide_read(rule) != read);
        if open { Decision::Contested } else { read }
    }

    /// The counts that unreadable votes could have made: every split of them between any two choices, some
    /// left as abstentions. With the abstentions that is every split of a plain question.
    fn readings(&self) -> impl Iterator<Item = Self> {
        let choices = self.choices();
        let pairs: Vec<(Choice, Choice)> =
            choices.iter().flat_map(|one| choices.iter().map(move |other| (*one, *other))).collect();
        pairs.into_iter().flat_map(move |(one, other)| {
            let all = self.unparsed;
            (0..=all).flat_map(move |first| {
                (0..=all - first).map(move |second| {
                    let mut reading = Self { unparsed: 0, ..self.clone() };
                    reading.add(one, first);
                    reading.add(other, second);
                    reading.add(Choice::Neutral, all - first - second);
                    reading
                })
            })
        })
    }

    /// Whether too few seats voted.
    pub(super) fn lacks_quorum(&self, rule: &Rules) -> bool {
        self.whole(Basis::Votes) < rule.quorum.ceiling_of(self.seats) || self.seats == 0
    }

    /// What the rule makes of the votes that could be read.
    pub(super) fn decide_read(&self, rule: &Rules) -> Decision {
        if self.lacks_quorum(rule) {
            Decision::Undecided(UndecidedReason::Quorum)
        } else {
            self.decide_counted(rule)
        }
    }

    /// What the rule makes of votes that are enough, one side each.
    pub(super) fn decide_counted(&self, rule: &Rules) -> Decision {
        let passes = |votes| rule.pass.is_met_by(votes, self.whole(rule.basis));
        match self.leader() {
            None if passes(self.yes) => Decision::Passed { option: None },
            None if self.yes == self.no && self.yes > 0 && rule.tie == Tie::Undecided => {
                Decision::Undecided(UndecidedReason::Tie)
            }
            None => Decision::Rejected,
            Some(_) if passes(self.no) || self.whole(Basis::Cast) == 0 => Decision::Rejected,
            Some((_, _, true)) if rule.tie == Tie::Fails => Decision::Rejected,
            Some((_, _, true)) if rule.tie == Tie::Undecided => Decision::Undecided(UndecidedReason::Tie),
            Some((index, votes, _)) if passes(votes) => Decision::Passed { option: Some(index) },
            Some(_) => Decision::Undecided(UndecidedReason::Below),
        }
    }

    /// Whether one side is strong enough that this vote may settle the matter before its last stage.
    pub fn is_clear(&self, rule: &Rules, early: Threshold) -> bool {
        let strong = |votes| early.is_met_by(votes, self.whole(rule.basis));
        match self.decision(rule) {
            Decision::Passed { .. } => strong(self.votes_for(self.leading())),
            Decision::Rejected => strong(self.no),
            Decision::Estimated(_) | Decision::Undecided(_) | Decision::Contested => false,
            Decision::Resolved | Decision::Closed => false,
        }
    }
}
