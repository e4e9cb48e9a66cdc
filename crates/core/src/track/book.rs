//! The counts that records and weights need, kept up to date as outcomes are learned: per voter how often it was
//! right, per pair of voters how often they were right and wrong together.
//!
//! Weighing a ballot reads these counts and never goes through what was learned, so it costs the same after ten
//! outcomes and after ten thousand. Whole numbers only: taking a mark back leaves exactly what was there before it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{JudgedVote, TrackRecord, Voter};
use crate::kernel::Who;

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct TrackBook {
    /// Records by number, in the order in which the voters were first marked.
    records: Vec<TrackRecord>,
    /// The numbers of everyone's records: one for each model it ran on.
    numbers: BTreeMap<Who, Vec<u32>>,
    /// For each number the pairs with higher numbers, by that number.
    pairs: Vec<Vec<(u32, Pair)>>,
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
        let (low, high) = (one.min(other), one.max(other));
        let row = &self.pairs[low as usize];
        row.binary_search_by_key(&high, |(number, _)| *number).map_or(Pair::default(), |at| row[at].1)
    }

    /// All records that hold a mark, in the order of voters.
    pub(super) fn records(&self) -> Vec<TrackRecord> {
        let mut records: Vec<TrackRecord> =
            self.records.iter().filter(|record| record.marks() > 0).cloned().collect();
        records.sort_by(|a, b| a.voter().cmp(&b.voter()));
        records
    }

    /// Counts the marks that hold for one question.
    pub(super) fn add(&mut self, marks: &[&JudgedVote]) {
        let numbered = self.numbered(marks);
        self.turn(&numbered, |count, by| *count += by);
    }

    /// Takes back what was counted for one question.
    pub(super) fn take_back(&mut self, marks: &[&JudgedVote]) {
        let numbered = self.numbered(marks);
        self.turn(&numbered, |count, by| *count -= by);
    }

    /// The marks with the numbers of their voters, rising. Who is new gets a number.
    fn numbered<'m>(&mut self, marks: &[&'m JudgedVote]) -> Vec<(u32, &'m JudgedVote)> {
        let mut numbered: Vec<(u32, &JudgedVote)> = Vec::with_capacity(marks.len());
        for mark in marks {
            let number = self.number(&mark.voter()).unwrap_or_else(|| self.enter(mark));
            numbered.push((number, mark));
        }
        numbered.sort_unstable_by_key(|(number, _)| *number);
        numbered
    }

    fn enter(&mut self, mark: &JudgedVote) -> u32 {
        let number = self.records.len() as u32;
        self.records.push(TrackRecord::empty(mark));
        self.pairs.push(Vec::new());
        self.numbers.entry(mark.who.clone()).or_default().push(number);
        number
    }

    fn turn(&mut self, marks: &[(u32, &JudgedVote)], change: impl Fn(&mut u32, u32)) {
        for (at, (number, mark)) in marks.iter().enumerate() {
            let record = &mut self.records[*number as usize];
            let (all, alone) = match mark.right {
                true => (&mut record.right, &mut record.right_alone),
                false => (&mut record.wrong, &mut record.wrong_alone),
            };
            change(all, 1);
            change(alone, u32::from(mark.minority));
            let row = &mut self.pairs[*number as usize];
            for (other, also) in &marks[at + 1..] {
                let pair = match row.binary_search_by_key(other, |(known, _)| *known) {
                    Ok(at) => &mut row[at].1,
                    Err(at) => {
                        row.insert(at, (*other, Pair::default()));
                        &mut row[at].1
                    }
                };
                change(&mut pair.both, 1);
                change(&mut pair.same, u32::from(mark.right == also.right));
                change(&mut pair.first, u32::from(mark.right));
                change(&mut pair.second, u32::from(also.right));
            }
        }
    }
}
