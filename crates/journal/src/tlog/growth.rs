//! A tree that has grown by a batch, with every hash that a proof for a record of the batch needs, made once.
//!
//! Proofs made from the leaves alone hash the whole batch for each act: with 512 acts in a batch, each acknowledgement cost
//! fifteen times what the act itself did.

use std::collections::BTreeMap;
use std::ops::Range;

use synod_core::kernel::Digest;

use super::base64;
use super::tree::{Frontier, Leaves, NewSubtrees, beside, node, split};

/// A hash as a line of a proof: a newline and its base 64.
const LINE: usize = 45;

/// See the module.
#[derive(Debug)]
pub struct Growth {
    before: Frontier,
    records: Vec<Digest>,
    /// For each height the complete subtrees that end within the batch.
    levels: Vec<TreeLevel>,
    /// The few others that proofs meet: those that end with the tree.
    edges: BTreeMap<(u64, u64), Digest>,
    /// Lines of what is not in the levels.
    edge_lines: BTreeMap<(u64, u64), String>,
    root: Digest,
}

/// Complete subtrees of one height, side by side.
#[derive(Debug)]
struct TreeLevel {
    /// The number of the first one.
    first: u64,
    roots: Vec<Digest>,
    /// Their lines, one after the other. Most of what proofs cost is writing hashes, and proofs of one batch share them.
    lines: String,
}

impl TreeLevel {
    fn new(first: u64, roots: Vec<Digest>) -> Self {
        let mut lines = String::with_capacity(roots.len() * LINE);
        roots.iter().for_each(|root| append_line(&mut lines, root));
        Self { first, roots, lines }
    }
}

fn append_line(lines: &mut String, hash: &Digest) {
    lines.push('\n');
    base64::append(lines, &hash.0);
}

impl Growth {
    /// A tree that has grown by these records.
    pub fn new(before: Frontier, records: Vec<Digest>) -> Self {
        let new = before.clone().grow(&records);
        Self::of(before, records, new)
    }

    /// The same where the subtrees are known that its frontier gave when it grew.
    pub fn of(before: Frontier, records: Vec<Digest>, new: NewSubtrees) -> Self {
        let levels = new.levels().map(|(first, roots)| TreeLevel::new(first, roots)).collect();
        let (edges, edge_lines, root) = (BTreeMap::new(), BTreeMap::new(), super::empty_root());
        let mut grown = Self { before, records, levels, edges, edge_lines, root };
        if let Some(root) = grown.join(0..grown.size()) {
            grown.root = root;
        }
        let edges = grown.edges.iter().map(|(of, root)| (*of, *root)).chain(grown.before.subtrees());
        grown.edge_lines = edges
            .map(|(of, root)| {
                let mut line = String::with_capacity(LINE);
                append_line(&mut line, &root);
                (of, line)
            })
            .collect();
        grown
    }

    /// The hashes from a record of the batch up to the root, as a proof has them: each on a line of its own, after a newline.
    pub fn path_lines(&self, index: u64) -> Option<String> {
        self.record(index)?;
        // As deep as a tree can be.
        let (mut path, mut steps) = ([const { 0..0 }; 64], 0);
        for (place, leaves) in path.iter_mut().zip(beside(index, self.size())) {
            *place = leaves;
            steps += 1;
        }
        let mut lines = String::with_capacity(steps * LINE);
        for leaves in path.iter().take(steps).rev() {
            lines.push_str(self.line(leaves)?);
        }
        Some(lines)
    }

    fn line(&self, leaves: &Range<u64>) -> Option<&str> {
        if let Some((level, nth)) = self.complete(leaves) {
            return level.lines.get(nth * LINE..(nth + 1) * LINE);
        }
        self.edge_lines.get(&(leaves.start, leaves.end)).map(String::as_str)
    }

    /// Where a complete subtree stands in the levels, if it is within the batch.
    fn complete(&self, leaves: &Range<u64>) -> Option<(&TreeLevel, usize)> {
        let size = leaves.end.checked_sub(leaves.start).filter(|size| size.is_power_of_two())?;
        let level = self.levels.get(size.ilog2() as usize).filter(|_| leaves.start.is_multiple_of(size))?;
        let nth = usize::try_from((leaves.start / size).checked_sub(level.first)?).ok()?;
        (nth < level.roots.len()).then_some((level, nth))
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
        let within = self.complete(leaves).and_then(|(level, nth)| level.roots.get(nth).copied());
        within
            .or_else(|| self.before.subtree(leaves))
            .or_else(|| self.edges.get(&(leaves.start, leaves.end)).copied())
    }
}
