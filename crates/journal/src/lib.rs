//! Where acts are kept: the only truth of a house.
//!
//! A journal is a list of records that only grows. Each record is one act as canonical JSON; its hash
//! covers the hash before it, so an edit, a swap or a removal shows. A record's body changes in one way
//! only: an act declares it redacted, see [`survey`]. This crate keeps and checks bytes. It never judges an
//! act, and nothing but the one writer ever changes a journal.
//!
//! To add a journal (another database): a file beside `memory.rs`, both traits, and a call of
//! [`suite::run`] in the tests.

pub mod backup;
pub mod canon;
pub mod chain;
pub mod checkpoints;
mod error;
pub mod file;
mod foreign;
mod hex;
mod key;
mod lock;
pub mod mark;
mod memory;
mod receipt;
mod redaction;
mod snapshot;
mod sqlite;
pub mod suite;
pub mod tlog;
pub mod vouch;

use std::fmt;
use std::path::Path;

use serde::{Deserialize, Serialize};
use synod_core::kernel::{Digest, Seq};

pub use chain::Broken;
pub use error::Error;
pub use foreign::{envelope, odr_signature};
pub use key::HouseKey;
pub use lock::{LockHolder, holder};
pub use mark::{DurabilityMark, MarkComparison, Moment, Stall};
pub use memory::{Memory, Shelf};
pub use receipt::{Receipt, ReceiptError};
pub use redaction::{Survey, redacted, survey};
pub use snapshot::{Snapshot, SnapshotFile};
pub use sqlite::{Sqlite, SqliteReader, inspect, make_dir, scrub_is_due};

/// One kept act: its number, its canonical bytes, their hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// The act's number.
    pub seq: Seq,
    /// The act as canonical JSON, see [`chain`].
    pub body: String,
    /// The SHA-256 of the body's bytes, as they were recorded.
    pub hash: Digest,
    /// The body was replaced since: what it was recorded with is gone. A later act has to declare it, else the
    /// chain does not hold.
    pub redacted: bool,
}

impl Record {
    /// The head of a journal that ends with this record.
    pub fn head(&self) -> Head {
        Head { seq: self.seq, hash: self.hash }
    }
}

/// The last record's number and hash. By default that of an empty journal: number 0, a digest of zeros.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Head {
    /// The last act's number.
    pub seq: Seq,
    /// The last record's hash.
    pub hash: Digest,
}

/// The number by which a writer holds a journal. Whoever opens it for writing gets the next one, and only the last
/// one given may write: that holds where a lock does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Term(pub u64);

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The single writer of a journal.
pub trait Journal: Send {
    /// The term this writer has: the first is 1, and it never changes while the writer lives. It was durable
    /// before this writer looked at where the journal ends.
    fn term(&self) -> Term;

    /// Where the journal ends now.
    fn head(&self) -> Head;

    /// Keeps the records, all or none; durable when it returns. `after` must be the present head, else
    /// [`Error::Moved`]; the term must be the last one given, else [`Error::Fenced`], judged in the same
    /// transaction. One call is one transaction and one sync of the disk, so the caller groups.
    fn append(&mut self, after: Head, records: &[Record]) -> Result<Head, Error>;

    /// Puts other bodies in the place of those recorded, all or none, and marks their records as redacted;
    /// hashes stay. When it returns, the old bodies are in no file of the journal. With no bodies it only sees
    /// to that, for a time it could not. The act that declares them is in the journal already. Fenced like an
    /// append.
    fn redact(&mut self, bodies: &[(Seq, String)]) -> Result<(), Error>;

    /// A reader of this journal. It may outlive the writer and work in another thread.
    fn reader(&self) -> Result<Box<dyn JournalReader>, Error>;

    /// The directory it lies in, if it lies in one.
    fn dir(&self) -> Option<&Path> {
        None
    }

    /// Who wrote to it last, if that writer was killed: one that ends is not named.
    fn left_by(&self) -> Option<&LockHolder> {
        None
    }

    /// How far it was known to be durable when this writer opened it, and when that was; none if nobody knows.
    fn mark(&self) -> Option<DurabilityMark> {
        None
    }

    /// Makes a writer whose append failed usable again, where that is possible: looks at the disk afresh. Returns where
    /// the journal really ends, which may be after what failed. Fenced like an append.
    fn recover(&mut self) -> Result<Head, Error> {
        Ok(self.head())
    }

    /// Leaves a note beside the journal of why nothing can be written to it, or takes it away.
    fn note_stall(&self, _stall: Option<&Stall>) {}
}

/// One who reads a journal beside its writer, and sees whole appends only.
pub trait JournalReader: Send {
    /// Where the journal ends now.
    fn head(&self) -> Result<Head, Error>;

    /// Up to `most` records from number `from` on, that one included, in order.
    fn read(&self, from: Seq, most: usize) -> Result<Vec<Record>, Error>;

    /// The same without the bodies.
    fn heads(&self, from: Seq, most: usize) -> Result<Vec<Head>, Error> {
        Ok(self.read(from, most)?.iter().map(Record::head).collect())
    }
}

/// Where the journal will end once `records` follow `present`, if they may. Every journal judges by this.
fn follow(present: Head, after: Head, records: &[Record]) -> Result<Head, Error> {
    if after != present {
        return Err(Error::Moved { expected: after, found: present });
    }
    records.iter().try_fold(present, |head, record| {
        if record.seq == head.seq.next() {
            Ok(record.head())
        } else {
            Err(Error::Order { expected: head.seq.next(), found: record.seq })
        }
    })
}

/// Whether all these acts are there to be redacted.
fn known(present: Head, bodies: &[(Seq, String)]) -> Result<(), Error> {
    match bodies.iter().find(|(seq, _)| *seq == Seq(0) || *seq > present.seq) {
        Some((seq, _)) => Err(Error::NoAct { seq: *seq }),
        None => Ok(()),
    }
}
