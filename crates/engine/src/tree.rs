//! The Merkle tree over what is durable: checkpoints, and what whoever gave an order can hold against the house later.
//!
//! The keeper adds each batch when it is on disk. Nothing is signed for acts nobody waits for: an acknowledgement is made when
//! it is asked for, and the tree head after a batch is signed once for all of it. Without a key, or after a witness has refused
//! this house, nothing is signed and everything else goes on.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use synod_core::kernel::{Digest, Seq};
use synod_core::{Act, Event, House, matter};
use synod_journal::tlog::{Algorithm, Checkpoint, Frontier, Growth, NewSubtrees, Note, Proof, VerifierKey};
use synod_journal::{Head, HouseKey, JournalReader, Record, checkpoints};

use crate::now;

/// A checkpoint follows at the latest so long after the last, while acts come.
const EVERY: Duration = Duration::from_secs(180);
/// An act that was given before is proven again if it is among so many of the last ones.
const RECENT: u64 = 10_000;

/// What the house says for good about an act that is durable. Whoever keeps it finds out when the act is changed later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Acknowledgement {
    /// The number of the act.
    pub act: Seq,
    /// The hash of its record.
    pub hash: Digest,
    /// How many acts the record had then.
    pub size: u64,
    /// A tlog-proof: the way from the act to a tree head that the house has signed. None where the house signs nothing now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<String>,
}

/// An acknowledgement that is signed when somebody looks at it.
#[derive(Debug, Clone)]
pub struct Promise(Made);

#[derive(Debug, Clone)]
enum Made {
    Here(Seq, Digest, Arc<Grown>),
    Elsewhere(Box<Acknowledgement>),
}

impl Promise {
    /// What another process was told.
    pub(crate) fn told(acknowledged: Acknowledgement) -> Self {
        Self(Made::Elsewhere(Box::new(acknowledged)))
    }

    /// What to hand on.
    pub fn acknowledgement(&self) -> Acknowledgement {
        match &self.0 {
            Made::Here(act, hash, grown) => Acknowledgement {
                act: *act,
                hash: *hash,
                size: grown.size(),
                proof: grown.proof(*act, *hash),
            },
            Made::Elsewhere(told) => (**told).clone(),
        }
    }
}

/// The tree after a batch: how it was before, and what came.
#[derive(Debug)]
struct Grown {
    before: Frontier,
    records: Vec<Digest>,
    /// What was hashed when they were added.
    new: NewSubtrees,
    house: Arc<Signer>,
    /// The hashes that proofs are made of, and the signed tree head: made once, when somebody asks.
    proven: OnceLock<(Growth, Option<String>)>,
}

impl Grown {
    fn new(before: Frontier, records: Vec<Digest>, new: NewSubtrees, house: Arc<Signer>) -> Self {
        Self { before, records, new, house, proven: OnceLock::new() }
    }

    fn size(&self) -> u64 {
        self.before.size() + self.records.len() as u64
    }

    fn hash(&self, act: Seq) -> Option<Digest> {
        let nth = act.0.checked_sub(1)?.checked_sub(self.before.size())?;
        self.records.get(usize::try_from(nth).ok()?).copied()
    }

    fn proof(&self, act: Seq, hash: Digest) -> Option<String> {
        let index = act.0.checked_sub(1)?;
        let (growth, note) = self.proven.get_or_init(|| {
            let growth = Growth::of(self.before.clone(), self.records.clone(), self.new.clone());
            let note = self.house.sign(growth.size(), growth.root());
            (growth, note.map(|note| note.to_string()))
        });
        Some(Proof::text(Some(&hash.0), index, &growth.path_lines(index)?, note.as_ref()?))
    }
}

/// Who signs for the house, and under which name.
#[derive(Debug)]
struct Signer {
    dir: PathBuf,
    origin: String,
    key: Option<HouseKey>,
    public: String,
}

impl Signer {
    /// The key of the house as its record names it. One that is missing or another's signs nothing.
    fn of(dir: &Path, origin: String, public: &str) -> Self {
        let key = HouseKey::in_force(dir, public).ok().flatten();
        Self { dir: dir.into(), origin, key, public: public.into() }
    }

    fn sign(&self, size: u64, root: Digest) -> Option<Note> {
        if checkpoints::refusal(&self.dir).is_some() {
            return None;
        }
        let head = Checkpoint { origin: self.origin.clone(), size, root };
        head.sign(self.key.as_ref()?).ok()
    }
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Tree {
    dir: PathBuf,
    state: Option<TreeState>,
    /// The house signed another record than there is: acts were cut off or changed, and nothing is signed over that.
    cut: bool,
}

#[derive(Debug)]
struct TreeState {
    tree: Frontier,
    signer: Arc<Signer>,
    /// The size of the last checkpoint, and when it was made.
    last: u64,
    made: Instant,
}

impl Tree {
    /// The tree of a journal in a directory; others have none.
    pub(crate) fn of(dir: Option<&Path>) -> Option<Self> {
        Some(Self { dir: dir?.into(), state: None, cut: false })
    }

    /// Takes in records that are durable, and gives what acknowledgements of them need. `house` stands after them.
    pub(crate) fn grow(
        &mut self,
        reader: impl FnOnce() -> Option<Box<dyn JournalReader>>,
        after: Head,
        records: &[Record],
        house: &House,
    ) -> Option<BatchProof> {
        let public = &house.upkeep().key()?.key;
        if self.state.as_ref().is_none_or(|state| state.tree.size() != after.seq.0) {
            self.state = self.start(&*reader()?, after, records.first()?.hash, house);
        }
        let state = self.state.as_mut()?;
        if state.signer.public != *public {
            let Signer { dir, origin, .. } = &*state.signer;
            state.signer = Arc::new(Signer::of(dir, origin.clone(), public));
        }
        let before = state.tree.clone();
        let records: Vec<Digest> = records.iter().map(|record| record.hash).collect();
        let new = state.tree.grow(&records);
        (!self.cut).then(|| BatchProof(Arc::new(Grown::new(before, records, new, state.signer.clone()))))
    }

    /// The tree up to where this process takes over: from the last checkpoint, if this house signed it, and the hashes since.
    fn start(
        &mut self,
        reader: &dyn JournalReader,
        after: Head,
        next: Digest,
        house: &House,
    ) -> Option<TreeState> {
        let public = &house.upkeep().key()?.key;
        let first = match after.seq.0 {
            0 => next,
            _ => reader.heads(Seq(1), 1).ok()?.first()?.hash,
        };
        let origin = Checkpoint::origin_of(&first);
        let last = last_of(&self.dir, &origin, house);
        self.cut = match &last {
            Some(kept) => kept.checkpoint.size > after.seq.0 || !is_as_signed(reader, kept)?,
            None => false,
        };
        let last = last.filter(|_| !self.cut);
        let size = last.as_ref().map_or(0, |kept| kept.checkpoint.size);
        let mut tree = last.map(|kept| kept.frontier).unwrap_or_default();
        checkpoints::follow(reader, &mut tree, after.seq.0).ok()?;
        let signer = Arc::new(Signer::of(&self.dir, origin, public));
        Some(TreeState { tree, signer, last: size, made: Instant::now() })
    }

    /// Signs and keeps a checkpoint, if it is time: a matter was settled, or the last one is some minutes old.
    pub(crate) fn sign_at_times(&mut self, acts: &[Arc<Act>]) {
        let settled = |act: &Arc<Act>| {
            act.events().iter().any(|event| matches!(event, Event::Matter(matter::Event::Settled { .. })))
        };
        let is_due = self.state.as_ref().is_some_and(|state| state.made.elapsed() >= EVERY);
        if is_due || acts.iter().any(settled) {
            self.sign();
        }
    }

    /// The same for everything that has no checkpoint yet.
    pub(crate) fn sign(&mut self) {
        let Some(state) = self.state.as_mut().filter(|state| state.tree.size() > state.last) else { return };
        state.made = Instant::now();
        if self.cut {
            return;
        }
        // One that cannot be written is made when the next is due. What it speaks of is in the journal.
        let Some(note) = state.signer.sign(state.tree.size(), state.tree.root()) else { return };
        if checkpoints::keep(&self.dir, now(), &note, &state.tree).is_ok() {
            state.last = state.tree.size();
        }
    }

    /// What can be said now about an act that was recorded before: proven where it is one of the last.
    pub(crate) fn recall(
        &mut self,
        reader: &dyn JournalReader,
        head: Head,
        house: &House,
        record: &Record,
    ) -> Option<Promise> {
        let (act, hash) = (record.seq, record.hash);
        if self.state.is_none() {
            self.state = self.start(reader, head, head.hash, house);
        }
        let state = self.state.as_ref().filter(|_| !self.cut)?;
        let size = state.tree.size();
        let alone = Acknowledgement { act, hash, size, proof: None };
        let from = last_of(&self.dir, &state.signer.origin, house).map(|kept| kept.frontier);
        let from = from.unwrap_or_default();
        if act.0 <= from.size() || size.saturating_sub(from.size()) > RECENT {
            return Some(Promise::told(alone));
        }
        let mut records = Vec::new();
        checkpoints::hashes(reader, from.size(), size, |hash| records.push(hash)).ok()?;
        let new = from.clone().grow(&records);
        let grown = Grown::new(from, records, new, state.signer.clone());
        Some(Promise(Made::Here(act, hash, Arc::new(grown))))
    }
}

/// Whether the journal still has what a checkpoint says. Each record names the hash of the one before, so any change before the
/// checkpoint shows in its last record; and that one is in the last complete subtree, whose root the checkpoint covers.
fn is_as_signed(reader: &dyn JournalReader, kept: &checkpoints::StoredCheckpoint) -> Option<bool> {
    let size = kept.checkpoint.size;
    let width = 1_u64.checked_shl(size.trailing_zeros()).filter(|_| size > 0)?;
    let mut tree = Frontier::default();
    checkpoints::hashes(reader, size - width, size, |hash| tree.push(&hash)).ok()?;
    Some(kept.frontier.roots().last() == Some(&tree.root()))
}

/// The last checkpoint in the house, if a key of the house signed it, be it one that was replaced since.
fn last_of(dir: &Path, origin: &str, house: &House) -> Option<checkpoints::StoredCheckpoint> {
    let last = checkpoints::last(dir).ok().flatten()?;
    let keys = house.upkeep().keys.iter();
    let mut keys = keys.filter_map(|known| VerifierKey::of_hex(origin, Algorithm::Ed25519, &known.key).ok());
    (last.checkpoint.origin == origin && keys.any(|key| last.note.check(&key).is_ok())).then_some(last)
}

/// The part that all acknowledgements of one batch share.
#[derive(Debug, Clone)]
pub(crate) struct BatchProof(Arc<Grown>);

impl BatchProof {
    /// The promise for one act of it.
    pub(crate) fn promise(&self, act: Seq) -> Option<Promise> {
        let hash = self.0.hash(act)?;
        Some(Promise(Made::Here(act, hash, self.0.clone())))
    }
}
