//! A tree that has grown by a batch, with every hash that a proof for a record of the batch needs, made once.
//!
//! Proofs made from the leaves alone hash the whole batch for each act: with 512 acts in a batch, each acknowledgement cost
//! fifteen times what the act itself did.

use std::collections::BTreeMap;
use std::ops::Range;

use synod_core::kernel::Digest;

use super::tree::{Frontier, Leaves, leaf, node, split};

/// See the module.
#[derive(Debug)]
pub struct Growth {
    before: Frontier,
    records: Vec<Digest>,
    /// For each height the complete subtrees within the batch: the number of the first one, and their roots.
    levels: Vec<(u64, Vec<Digest>)>,
    /// The few others that proofs meet: those that begin before the batch, and those that end with the tree.
    edges: BTreeMap<(u64, u64), Digest>,
    root: Digest,
}

impl Growth {
    /// A tree that has grown by these records.
    pub fn new(before: Frontier, records: Vec<Digest>) -> Self {
        let mut first = before.size();
        let mut roots: Vec<Digest> = records.iter().map(leaf).collect();
        let mut levels = Vec::new();
        while !roots.is_empty() {
            // A subtree that is the right half of its parent has its left half before the batch.
            let pairs = roots[(first & 1) as usize..].chunks_exact(2);
            let above: Vec<Digest> = pairs.map(|pair| node(&pair[0], &pair[1])).collect();
            levels.push((first, roots));
            first = first.div_ceil(2);
            roots = above;
        }
        let mut grown = Self { before, records, levels, edges: BTreeMap::new(), root: super::empty_root() };
        if let Some(root) = grown.join(0..grown.size()) {
            grown.root = root;
        }
        grown
    }

    /// How many leaves the tree has now.
    pub fn size(&self) -> u64 {
        self.before.size() + self.records.len() as u64
    }

    /// The root of the tree now.
    pub fn root(&self) -> Digest {
        self.root
    }

    /// The root over leaves of the tree, and of all below that are not known yet.
    fn join(&mut self, of: Range<u64>) -> Option<Digest> {
        if let Some(known) = self.known(&of) {
            return Some(known);
        }
        let size = of.end.checked_sub(of.start).filter(|size| *size > 1)?;
        let middle = of.start + split(size);
        let (left, right) = (self.join(of.start..middle)?, self.join(middle..of.end)?);
        let joined = node(&left, &right);
        self.edges.insert((of.start, of.end), joined);
        Some(joined)
    }
}

impl Leaves for Growth {
    fn record(&self, index: u64) -> Option<Digest> {
        self.records.get(usize::try_from(index.checked_sub(self.before.size())?).ok()?).copied()
    }

    fn known(&self, leaves: &Range<u64>) -> Option<Digest> {
        let size = leaves.end.checked_sub(leaves.start)?;
        let level = self.levels.get(size.checked_ilog2()? as usize);
        let complete = level.filter(|_| size.is_power_of_two() && leaves.start.is_multiple_of(size));
        let within = complete.and_then(|(first, roots)| {
            roots.get(usize::try_from((leaves.start / size).checked_sub(*first)?).ok()?).copied()
        });
        within
            .or_else(|| self.before.subtree(leaves))
            .or_else(|| self.edges.get(&(leaves.start, leaves.end)).copied())
    }
}
