//! The Merkle tree of RFC 6962: hashes of leaves and nodes, the frontier that a writer keeps, and proofs.

use std::ops::Range;

use synod_core::kernel::Digest;

/// The hash of a leaf whose data is the hash of a record.
pub fn leaf(record: &Digest) -> Digest {
    let mut bytes = [0; 33];
    bytes[1..].copy_from_slice(&record.0);
    Digest::of(&bytes)
}

pub(super) fn node(left: &Digest, right: &Digest) -> Digest {
    let mut bytes = [1; 65];
    bytes[1..33].copy_from_slice(&left.0);
    bytes[33..].copy_from_slice(&right.0);
    Digest::of(&bytes)
}

/// The root of the tree without leaves.
pub fn empty_root() -> Digest {
    Digest::of(b"")
}

/// The right edge of a tree: the roots of its largest complete subtrees, from left to right. Enough to go on with it and to
/// know its root, however many leaves there are.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Frontier {
    size: u64,
    roots: Vec<Digest>,
}

impl Frontier {
    /// A frontier that was written down. None unless there is one root for each bit of the size.
    pub fn of(size: u64, roots: Vec<Digest>) -> Option<Self> {
        (roots.len() == size.count_ones() as usize).then_some(Self { size, roots })
    }

    /// How many leaves the tree has.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The roots of the complete subtrees, the largest first.
    pub fn roots(&self) -> &[Digest] {
        &self.roots
    }

    /// Adds a record.
    pub fn push(&mut self, record: &Digest) {
        self.add(record, |_, _| ());
    }

    /// Adds records, and gives the complete subtrees that end with any of them: what proofs for these records are made of, and
    /// hashed in any case.
    pub fn grow(&mut self, records: &[Digest]) -> NewSubtrees {
        let mut new = NewSubtrees { from: self.size, roots: Vec::new() };
        for record in records {
            self.add(record, |height, root| new.take(height, root));
        }
        new
    }

    fn add(&mut self, record: &Digest, mut note: impl FnMut(usize, Digest)) {
        let mut joined = leaf(record);
        note(0, joined);
        // Every complete subtree of the same height as what is added joins with it.
        for height in 1..=self.size.trailing_ones() {
            if let Some(left) = self.roots.pop() {
                joined = node(&left, &joined);
                note(height as usize, joined);
            }
        }
        self.roots.push(joined);
        self.size += 1;
    }

    /// The root of the tree.
    pub fn root(&self) -> Digest {
        let joined = self.roots.iter().rev().copied().reduce(|right, left| node(&left, &right));
        joined.unwrap_or_else(empty_root)
    }

    /// The root of a complete subtree it is made of.
    pub fn subtree(&self, leaves: &Range<u64>) -> Option<Digest> {
        self.subtrees()
            .find(|((start, end), _)| leaves.start == *start && leaves.end == *end)
            .map(|(_, root)| root)
    }

    /// The complete subtrees it is made of: their leaves, and their roots.
    pub(super) fn subtrees(&self) -> impl Iterator<Item = ((u64, u64), Digest)> {
        let mut start = 0;
        self.roots.iter().map(move |root| {
            let end = start + (1 << (63 - (self.size - start).leading_zeros()));
            let of = (start, end);
            start = end;
            (of, *root)
        })
    }
}

/// The complete subtrees that end among records which were added together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewSubtrees {
    /// How many leaves there were before.
    from: u64,
    /// For each height their roots, side by side.
    roots: Vec<Vec<Digest>>,
}

impl NewSubtrees {
    fn take(&mut self, height: usize, root: Digest) {
        if self.roots.len() <= height {
            self.roots.resize_with(height + 1, Vec::new);
        }
        if let Some(roots) = self.roots.get_mut(height) {
            roots.push(root);
        }
    }

    /// For each height the number of the first one, and the roots.
    pub(super) fn levels(self) -> impl Iterator<Item = (u64, Vec<Digest>)> {
        let from = self.from;
        self.roots.into_iter().enumerate().map(move |(height, roots)| (from >> height, roots))
    }
}

/// Where proofs find the hashes they are made of.
pub trait Leaves {
    /// The hash of the record at this index.
    fn record(&self, index: u64) -> Option<Digest>;

    /// The root over these leaves, where it is known without looking at them.
    fn known(&self, _leaves: &Range<u64>) -> Option<Digest> {
        None
    }
}

impl Leaves for [Digest] {
    fn record(&self, index: u64) -> Option<Digest> {
        self.get(usize::try_from(index).ok()?).copied()
    }
}

/// The root over some leaves; those of a whole tree give the root of the tree.
pub fn root_of(leaves: &(impl Leaves + ?Sized), of: Range<u64>) -> Option<Digest> {
    if let Some(known) = leaves.known(&of) {
        return Some(known);
    }
    match of.end.checked_sub(of.start)? {
        0 => Some(empty_root()),
        1 => leaves.record(of.start).map(|record| leaf(&record)),
        size => {
            let middle = of.start + split(size);
            Some(node(&root_of(leaves, of.start..middle)?, &root_of(leaves, middle..of.end)?))
        }
    }
}

/// The largest power of two below a size of at least 2.
pub(super) fn split(size: u64) -> u64 {
    1 << (63 - (size - 1).leading_zeros())
}

/// The hashes that lead from a leaf to the root of the tree of this size, from below.
pub fn inclusion(leaves_of: &(impl Leaves + ?Sized), index: u64, size: u64) -> Option<Vec<Digest>> {
    if index >= size {
        return None;
    }
    let mut path: Vec<Digest> =
        beside(index, size).map(|leaves| root_of(leaves_of, leaves)).collect::<Option<_>>()?;
    path.reverse();
    Some(path)
}

/// The subtrees beside the way from the root down to a leaf. Their roots are what proves it.
pub(super) fn beside(index: u64, size: u64) -> impl Iterator<Item = Range<u64>> {
    let mut of = 0..size;
    std::iter::from_fn(move || {
        let width = of.end.checked_sub(of.start).filter(|width| *width > 1)?;
        let middle = of.start + split(width);
        let (left, right) = (of.start..middle, middle..of.end);
        let (within, beside) = if index < middle { (left, right) } else { (right, left) };
        of = within;
        Some(beside)
    })
}

/// The hashes that show that the tree of size `new` begins with the tree of size `old`.
pub fn consistency(leaves: &(impl Leaves + ?Sized), old: u64, new: u64) -> Option<Vec<Digest>> {
    if old > new {
        return None;
    }
    if old == 0 || old == new {
        return Some(Vec::new());
    }
    let (mut of, mut path) = (0..new, Vec::new());
    // Down to the subtree that ends where the old tree ended.
    while of.end > old {
        let middle = of.start + split(of.end - of.start);
        if old <= middle {
            path.push(root_of(leaves, middle..of.end)?);
            of = of.start..middle;
        } else {
            path.push(root_of(leaves, of.start..middle)?);
            of = middle..of.end;
        }
    }
    // The old tree itself is known to whoever checks.
    if of.start > 0 {
        path.push(root_of(leaves, of)?);
    }
    path.reverse();
    Some(path)
}

/// Whether the record at `index` is in the tree of this size and root.
pub fn verify_inclusion(record: &Digest, index: u64, size: u64, path: &[Digest], root: &Digest) -> bool {
    if index >= size {
        return false;
    }
    let (mut at, mut last, mut reached) = (index, size - 1, leaf(record));
    for beside in path {
        if last == 0 {
            return false;
        }
        if at & 1 == 1 || at == last {
            reached = node(beside, &reached);
            // Levels without a neighbour to the right were left out of the path.
            while at & 1 == 0 && at != 0 {
                at >>= 1;
                last >>= 1;
            }
        } else {
            reached = node(&reached, beside);
        }
        at >>= 1;
        last >>= 1;
    }
    last == 0 && reached == *root
}

/// Whether the tree of size and root `new` begins with the tree of size and root `old`.
pub fn verify_consistency(old: (u64, Digest), new: (u64, Digest), path: &[Digest]) -> bool {
    if old.0 > new.0 {
        return false;
    }
    if old.0 == new.0 {
        return path.is_empty() && old.1 == new.1;
    }
    if old.0 == 0 {
        return path.is_empty() && old.1 == empty_root();
    }
    let (mut at, mut last) = (old.0 - 1, new.0 - 1);
    let shift = at.trailing_ones();
    (at, last) = (at >> shift, last >> shift);
    let mut path = path.iter();
    // A complete old tree is a subtree of the new one, and is not repeated in the proof.
    let first = if at == 0 { Some(&old.1) } else { path.next() };
    let Some(first) = first else { return false };
    let (mut of_old, mut of_new) = (*first, *first);
    for beside in path {
        if last == 0 {
            return false;
        }
        if at & 1 == 1 || at == last {
            of_old = node(beside, &of_old);
            of_new = node(beside, &of_new);
            while at & 1 == 0 && at != 0 {
                at >>= 1;
                last >>= 1;
            }
        } else {
            of_new = node(&of_new, beside);
        }
        at >>= 1;
        last >>= 1;
    }
    last == 0 && of_old == old.1 && of_new == new.1
}
