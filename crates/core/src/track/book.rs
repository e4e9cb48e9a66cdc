//! The counts that records and weights need, kept up to date as outcomes are learned: per voter how often it was
//! right, per pair of voters how often they were right and wrong together, in all and in each part of a trial.
//!
//! Learning an outcome changes these counts and never goes through what was learned before. Whole numbers only: taking
//! a mark back leaves exactly what was there before it.

use std::collections::BTreeMap;
use std::sync::Arc;

use imbl::OrdMap;
use serde::{Deserialize, Serialize};

use super::{JudgedVote, TrackRecord, Voter};
use crate::kernel::{Choice, MatterId, Who, shared_pairs};

/// Parts that outcomes are dealt into; a trial decides each by the counts of the others.
pub(super) const PARTS: usize = 5;
/// How often they are dealt.
pub(super) const DEALS: usize = 2;
/// A chance of one, in the counts.
pub(super) const CERTAIN: u64 = 1_000_000;

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct TrackBook {
    /// Records by number, in the order in which the voters were first marked.
    records: Vec<TrackRecord>,
    /// The numbers of everyone's records: one for each model it ran on.
    numbers: BTreeMap<Who, Vec<u32>>,
    all: JointCounts,
    /// The same of each part of each deal.
    parts: Vec<JointCounts>,
    /// What was answered to each question.
    #[serde(with = "shared_pairs")]
    answers: OrdMap<MatterId, Arc<[MarkedAnswer]>>,
}

/// One voter's answer to a question whose truth is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MarkedAnswer {
    /// The number of its record.
    pub(super) number: u32,
    /// [`RIGHT`], or a code that wrong answers share where they are the same.
    pub(super) side: u8,
}

/// The code of the right answer.
pub(super) const RIGHT: u8 = 0;

/// What is counted of single voters and of pairs, by the numbers of their records.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
struct JointCounts {
    singles: Vec<Single>,
    /// For each number the pairs with higher numbers, by that number.
    pairs: Vec<Vec<(u32, Pair)>>,
}

/// How one voter did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Single {
    /// Questions it was marked on.
    pub(super) marks: u32,
    /// Of these, right.
    pub(super) right: u32,
    /// How many guessing would have got right, in parts of [`CERTAIN`].
    pub(super) chance: u64,
}

/// How two voters did on questions that both were marked on. The first is the one with the lower number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Pair {
    /// Questions that both were marked on.
    pub(super) both: u32,
    /// Of these, both right or both wrong.
    pub(super) same: u32,
    /// Of these, the first was right.
    pub(super) first: u32,
    /// Of these, the second was right.
    pub(super) second: u32,
}

impl Single {
    fn less(self, other: Self) -> Self {
        Self {
            marks: self.marks - other.marks,
            right: self.right - other.right,
            chance: self.chance - other.chance,
        }
    }
}

impl Pair {
    fn less(self, other: Self) -> Self {
        Self {
            both: self.both - other.both,
            same: self.same - other.same,
            first: self.first - other.first,
            second: self.second - other.second,
        }
    }

    /// How often both were right.
    pub(super) fn both_right(self) -> u32 {
        // Both right and both wrong together are `same`; their difference is `first + second - both`.
        (self.same + self.first + self.second - self.both) / 2
    }
}

impl JointCounts {
    fn single(&self, number: u32) -> Single {
        self.singles.get(number as usize).copied().unwrap_or_default()
    }

    fn pair(&self, low: u32, high: u32) -> Pair {
        let row = self.pairs.get(low as usize).map_or(&[][..], Vec::as_slice);
        row.binary_search_by_key(&high, |(number, _)| *number).map_or(Pair::default(), |at| row[at].1)
    }

    /// Counts the answers to one question, or takes them back. They are in the order of numbers.
    fn turn(&mut self, answers: &[MarkedAnswer], chance: u64, change: CountChange) {
        let wide = answers.last().map_or(0, |answer| answer.number as usize + 1);
        if self.singles.len() < wide {
            self.singles.resize(wide, Single::default());
            self.pairs.resize(wide, Vec::new());
        }
        for (at, answer) in answers.iter().enumerate() {
            let (number, right) = (answer.number as usize, answer.side == RIGHT);
            let single = &mut self.singles[number];
            change.count(&mut single.marks, true);
            change.count(&mut single.right, right);
            single.chance = match change {
                CountChange::Add => single.chance + chance,
                CountChange::TakeBack => single.chance - chance,
            };
            let row = &mut self.pairs[number];
            for other in &answers[at + 1..] {
                let pair = match row.binary_search_by_key(&other.number, |(known, _)| *known) {
                    Ok(at) => &mut row[at].1,
                    Err(at) => {
                        row.insert(at, (other.number, Pair::default()));
                        &mut row[at].1
                    }
                };
                let also = other.side == RIGHT;
                change.count(&mut pair.both, true);
                change.count(&mut pair.same, right == also);
                change.count(&mut pair.first, right);
                change.count(&mut pair.second, also);
            }
        }
    }
}

/// Whether something is counted or taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CountChange {
    Add,
    TakeBack,
}

impl CountChange {
    fn count(self, count: &mut u32, holds: bool) {
        match self {
            Self::Add => *count += u32::from(holds),
            Self::TakeBack => *count -= u32::from(holds),
        }
    }
}

/// The part a question is dealt into. It hangs on the question alone, so that what is learned later moves nothing.
pub(super) fn part_of(question: MatterId, deal: usize) -> usize {
    let seed = (question.0.act.0 << 20) ^ u64::from(question.0.nth) ^ ((deal as u64 + 1) << 60);
    // The finisher of SplitMix64: neighbours come to lie anywhere.
    let mut mixed = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    ((mixed ^ (mixed >> 31)) % PARTS as u64) as usize
}

/// The code of an answer. What is not known of an older record counts as one wrong answer that all gave: so no count
/// of votes looks better than it was.
fn side(mark: &JudgedVote) -> u8 {
    match (mark.right, mark.side) {
        (true, _) => RIGHT,
        (false, Some(Choice::Option(option))) => option.saturating_add(2),
        (false, Some(Choice::Yes | Choice::No | Choice::Neutral) | None) => 1,
    }
}

impl TrackBook {
    /// The number of a voter, if it was ever marked.
    pub(super) fn number(&self, voter: &Voter<'_>) -> Option<u32> {
        let own = self.numbers.get(voter.who)?.iter();
        own.copied().find(|number| self.records[*number as usize].voter() == *voter)
    }

    /// The record of a number.
    pub(super) fn record(&self, number: u32) -> &TrackRecord {
        &self.records[number as usize]
    }

    /// How two did together; all nought if they never met.
    pub(super) fn pair(&self, one: u32, other: u32) -> Pair {
        self.all.pair(one.min(other), one.max(other))
    }

    /// How one did, without a part of a deal if one is named.
    pub(super) fn single_without(&self, number: u32, held_out: Option<(usize, usize)>) -> Single {
        let all = self.all.single(number);
        self.part(held_out).map_or(all, |part| all.less(part.single(number)))
    }

    /// How two did together, without a part of a deal if one is named.
    pub(super) fn pair_without(&self, one: u32, other: u32, held_out: Option<(usize, usize)>) -> Pair {
        let (low, high) = (one.min(other), one.max(other));
        let all = self.all.pair(low, high);
        self.part(held_out).map_or(all, |part| all.less(part.pair(low, high)))
    }

    fn part(&self, held_out: Option<(usize, usize)>) -> Option<&JointCounts> {
        held_out.and_then(|(deal, part)| self.parts.get(deal * PARTS + part))
    }

    /// What was answered to each question, the youngest question first.
    pub(super) fn answers(&self) -> impl Iterator<Item = (MatterId, &[MarkedAnswer])> {
        self.answers.iter().rev().map(|(question, answers)| (*question, &**answers))
    }

    /// All records that hold a mark, in the order of voters.
    pub(super) fn records(&self) -> Vec<TrackRecord> {
        let mut records: Vec<TrackRecord> =
            self.records.iter().filter(|record| record.marks() > 0).cloned().collect();
        records.sort_by(|a, b| a.voter().cmp(&b.voter()));
        records
    }

    /// Counts the marks that hold for one question with so many options.
    pub(super) fn add(&mut self, question: MatterId, options: u8, marks: &[&JudgedVote]) {
        let answers = self.turn(question, options, marks, CountChange::Add);
        if !answers.is_empty() {
            self.answers.insert(question, answers.into());
        }
    }

    /// Takes back what was counted for one question.
    pub(super) fn take_back(&mut self, question: MatterId, options: u8, marks: &[&JudgedVote]) {
        self.turn(question, options, marks, CountChange::TakeBack);
        self.answers.remove(&question);
    }

    fn turn(
        &mut self,
        question: MatterId,
        options: u8,
        marks: &[&JudgedVote],
        change: CountChange,
    ) -> Vec<MarkedAnswer> {
        let mut answers = Vec::with_capacity(marks.len());
        for mark in marks {
            let number = self.number(&mark.voter()).unwrap_or_else(|| self.enter(mark));
            let record = &mut self.records[number as usize];
            let (all, alone) = match mark.right {
                true => (&mut record.right, &mut record.right_alone),
                false => (&mut record.wrong, &mut record.wrong_alone),
            };
            change.count(all, true);
            change.count(alone, mark.minority);
            answers.push(MarkedAnswer { number, side: side(mark) });
        }
        answers.sort_unstable_by_key(|answer| answer.number);
        let chance = CERTAIN / u64::from(options.max(2));
        self.parts.resize(DEALS * PARTS, JointCounts::default());
        self.all.turn(&answers, chance, change);
        for deal in 0..DEALS {
            self.parts[deal * PARTS + part_of(question, deal)].turn(&answers, chance, change);
        }
        answers
    }

    fn enter(&mut self, mark: &JudgedVote) -> u32 {
        let number = self.records.len() as u32;
        self.records.push(TrackRecord::empty(mark));
        self.numbers.entry(mark.who.clone()).or_default().push(number);
        number
    }
}
