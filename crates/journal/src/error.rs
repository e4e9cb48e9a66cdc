//! What can go wrong with a journal, told to the person who has to do something about it.
//! Every message names the file or the act, and what to do next, in one or two lines.
//! To add one: a variant with what it means and the remedy, and the place that raises it.

use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use synod_core::kernel::Seq;

use crate::{Broken, Head, LockHolder, Term, canon};

/// Why a journal could not be opened, read or written.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The journal does not end where the writer believed: somebody else wrote. Nothing was kept. Fold the
    /// journal again from what you know, then judge the command anew.
    #[error(
        "the journal moved: it ends with act {} ({}), not with act {} ({}); nothing was written, read it again",
        .found.seq, .found.hash.short(), .expected.seq, .expected.hash.short()
    )]
    Moved {
        /// Where the caller believed it ends.
        expected: Head,
        /// Where it ends.
        found: Head,
    },
    /// Acts were given out of their order. Nothing was kept. This is an error of the program, not of the
    /// house; please report it.
    #[error(
        "act {expected} is due, act {found} was given; nothing was written (this is a bug, please report it)"
    )]
    Order {
        /// The number that is due.
        expected: Seq,
        /// The number that was given.
        found: Seq,
    },
    /// An act was to be redacted that is not in the journal. Nothing was changed. This is an error of the
    /// program, not of the house; please report it.
    #[error("there is no act {seq} to redact; nothing was written (this is a bug, please report it)")]
    NoAct {
        /// The number that was given.
        seq: Seq,
    },
    /// Another process writes to this house. Wait until it ends or end it; reading goes on meanwhile.
    #[error("the house in {} is being written by {by}\nend that process first; readers are not affected", .dir.display())]
    Held {
        /// Who writes.
        by: LockHolder,
        /// The directory of the house.
        dir: PathBuf,
    },
    /// Another writer has opened this journal since this one did, past the lock: its file was removed, or restored
    /// from a copy, or is on a disk where locks do not hold. Nothing was kept, and this writer never writes again.
    /// Send what was refused to the one that came after.
    #[error(
        "this process may write no more: it has the house by term {term}, and {by} has opened it since\nnothing of this was written: send it there, and see why the file `lock` did not keep them apart (removed, copied back, on a network disk?)"
    )]
    Fenced {
        /// The term of this writer.
        term: Term,
        /// Who came after, with their term. Whoever is gone already left no more than that.
        by: LockHolder,
    },
    /// There is no journal in this directory. Found a house there, or name the right directory.
    #[error("there is no house in {}; found one, or name the directory that holds journal.db", .dir.display())]
    NoHouse {
        /// The directory that was looked into.
        dir: PathBuf,
    },
    /// The journal's file was made by a later version of synod. It is left untouched. Upgrade.
    #[error("{} has schema {found}, this synod knows up to {known}; upgrade synod to open it", .path.display())]
    NewerHouse {
        /// The journal's file.
        path: PathBuf,
        /// The schema it has.
        found: i64,
        /// The latest schema this version knows.
        known: i64,
    },
    /// The journal was written by a build from before the format of records was fixed. It is left untouched. Keep that
    /// build for it, or start a new house.
    #[error(
        "{} was written by a development build of synod 0.1, and journals of those are not read\nkeep that build to read it, or start a new house: --house DIR",
        .path.display()
    )]
    EarlyHouse {
        /// The journal's file.
        path: PathBuf,
    },
    /// The file is no journal: no database at all, or one that belongs to another program. It is left
    /// untouched. Move it away, or name another directory.
    #[error("{} is not a Synod journal ({why}); move it away or name another directory", .path.display())]
    NotAJournal {
        /// The file.
        path: PathBuf,
        /// How that shows.
        why: String,
    },
    /// A row of the database holds something that never was a record. Restore the file from a copy.
    #[error("{}: act {seq} cannot be read ({why}); restore the file from a copy", .path.display())]
    Damaged {
        /// The journal's file.
        path: PathBuf,
        /// The number of the row.
        seq: Seq,
        /// What is wrong with it.
        why: String,
    },
    /// Acts that were known to be durable are gone: the log beside the journal was damaged, or an older copy was put in
    /// place. Nothing was written. Restore a copy, or accept the loss with `synod repair`, which records it.
    #[error("{}", lost(.path, .mark, .found))]
    Lost {
        /// The journal's file.
        path: PathBuf,
        /// Where it ended when that was last known.
        mark: Head,
        /// Where it ends.
        found: Head,
    },
    /// The disk or directory is read-only, and a writer that ended abruptly left acts in the side file
    /// `journal.db-wal`. They can be read only where synod may write.
    #[error(
        "{} has acts in its -wal file that cannot be read on a read-only disk\ncopy the directory to a writable place and read it there",
        .path.display()
    )]
    Unmerged {
        /// The journal's file.
        path: PathBuf,
    },
    /// The disk, the file system or the database failed. Whatever was being written was not kept.
    #[error("cannot {doing} {}: {cause}\n{remedy}", .path.display())]
    Io {
        /// What was being done, as in "cannot …".
        doing: &'static str,
        /// The file it was done to.
        path: PathBuf,
        /// What the system said.
        cause: String,
        /// What to do about it.
        remedy: &'static str,
    },
    /// An earlier write failed in a way that leaves unclear what is on the disk, so this writer stopped.
    /// Open the journal again: what was acknowledged is there.
    #[error("an earlier write to {} failed and this writer stopped; open the house again", .path.display())]
    Dead {
        /// The journal's file.
        path: PathBuf,
    },
    /// The chain does not hold; the message says at which act and how.
    #[error(transparent)]
    Broken(#[from] Broken),
    /// The act holds a value that the record cannot keep.
    #[error("act {seq} cannot be recorded: {why}")]
    Unsealable {
        /// The act's number.
        seq: Seq,
        /// The value, and what to use in its place.
        why: canon::CanonError,
    },
    /// The house's signing key may be read by others, so what it signs proves nothing. Close it with the
    /// command in the message; if others may have read it, move it away and a new one is made.
    #[error("the key {} may be read by others (mode {mode:03o}); run: chmod 600 {}", .path.display(), .path.display())]
    OpenKey {
        /// The key's file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// The file of the house's signing key does not hold a key. Restore it from a copy, or make a new one with
    /// `synod key recover`; old receipts stay valid under the old public key.
    #[error("{} does not hold a key (64 hex digits); restore it from a backup, or make a new one: synod key recover", .path.display())]
    NotAKey {
        /// The key's file.
        path: PathBuf,
    },
}

impl Error {
    /// The file system failed while something was being done to a file.
    pub(crate) fn io(doing: &'static str, path: &Path, cause: &io::Error) -> Self {
        Self::failed(doing, path, cause, Remedy::of(cause.kind()))
    }

    /// What the system said, in a few words and without the paths of this machine.
    pub fn cause(&self) -> String {
        match self {
            Self::Io { cause, .. } => cause.clone(),
            other => other.to_string().lines().next().unwrap_or_default().into(),
        }
    }

    pub(crate) fn failed(doing: &'static str, path: &Path, cause: impl Display, remedy: Remedy) -> Self {
        Self::Io { doing, path: path.into(), cause: cause.to_string(), remedy: remedy.words() }
    }
}

/// What a person can do about a failing disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Remedy {
    Space,
    Write,
    Access,
    Wait,
    Restore,
    Strange,
    Disk,
}

impl Remedy {
    fn of(kind: io::ErrorKind) -> Self {
        match kind {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Space,
            io::ErrorKind::ReadOnlyFilesystem => Self::Write,
            io::ErrorKind::PermissionDenied | io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => {
                Self::Access
            }
            // What stands there under the name of a file of ours, see `file.rs`.
            io::ErrorKind::InvalidInput => Self::Strange,
            _ => Self::Disk,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Space => "the disk is full: free some space, then try again",
            Self::Write => "the disk or directory is read-only: make it writable, or only read",
            Self::Access => "check that the path is right and that you may use it",
            Self::Wait => "another program has the file locked: close it, then try again",
            Self::Restore => "the file is damaged: restore it from a copy",
            Self::Strange => "nothing was changed: see who put it there, then try again",
            Self::Disk => "check the disk, then open the house again",
        }
    }
}

/// What is lost, and the ways back.
fn lost(path: &Path, mark: &Head, found: &Head) -> String {
    let path = path.display();
    let what = match mark.seq.0.checked_sub(found.seq.0) {
        Some(gone) if gone > 0 => format!(
            "{path} ends with act {}, but act {} was on the disk: {gone} acts are gone",
            found.seq, mark.seq
        ),
        Some(_) | None => format!(
            "{path} has another act {} than the one that was on the disk (hash {}…): another copy was put in its place",
            mark.seq,
            mark.hash.short()
        ),
    };
    let or = match found.seq.0 {
        0 => "or start over: move the folder away",
        _ => "or accept the loss, which is recorded: synod repair",
    };
    format!("{what}\nnothing was written. Put a backup back: synod restore DIR --yes; {or}")
}
