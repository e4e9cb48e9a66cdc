//! The journal in SQLite: one file, `journal.db`, that any SQLite tool can open.
//!
//! The log is written ahead and synced at every commit, so what was acknowledged survives a crash at any
//! byte. One writer at a time, by the lock in `lock.rs`, and by terms in `term.rs` where that fails; readers come
//! and go beside it. No act is ever deleted here, and none updated but by `redact`.
//!
//! To change the schema: raise `schema::VERSION` and migrate in `schema::prepare`, in one transaction.

pub(crate) mod fault;
mod files;
mod inspect;
mod reader;
mod schema;
mod scrub;
mod term;

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::config::DbConfig;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior, params};
use synod_core::kernel::Seq;

use crate::lock::{Lock, holder};
use crate::mark::{self, Marker};
use crate::{
    DurabilityMark, Error, Head, Journal, JournalReader, LockHolder, MarkComparison, Record, Stall, Term,
    file, follow, key, known,
};

pub use inspect::inspect;
pub use reader::SqliteReader;
pub use scrub::scrub_is_due;

const FILE: &str = "journal.db";

/// The writer of a journal in SQLite. Holds the lock of the house while it lives.
#[derive(Debug)]
pub struct Sqlite {
    // The connection closes before the lock is given back: fields drop in this order.
    connection: Connection,
    marker: Marker,
    /// The mark as it was found.
    found: Option<DurabilityMark>,
    head: Head,
    term: Term,
    dead: bool,
    files: files::WrittenFiles,
    path: PathBuf,
    dir: PathBuf,
    lock: Lock,
}

impl Sqlite {
    /// Opens the journal of the house in `dir` for writing, and founds it where there is none. `who` is
    /// what another process is told that would write meanwhile.
    pub fn open(dir: &Path, who: &LockHolder) -> Result<Self, Error> {
        make_dir(dir)?;
        let mut lock = Lock::take(dir, who)?;
        let path = dir.join(FILE);
        make_ready(&path)?;
        let mut connection = connect(&path)?;
        let found = mark::read(dir)?;
        if let Some(mark) = found {
            refuse_lost(&connection, &path, mark)?;
        }
        // The term first: whoever wrote until now is fenced before we look at where the journal ends.
        let term = match schema::prepare(&mut connection, &path)? {
            Some(first) => first,
            None => term::take(&mut connection, &path)?,
        };
        let head = reader::head(&connection, &path)?;
        lock.note(&who.clone().in_term(term))?;
        if scrub_is_due(dir) {
            // Somebody was interrupted. Where it fails again it stays due: writing goes on.
            let _ = scrub::scrub(&connection, dir, &path);
        }
        let mut marker = Marker::open(dir, found)?;
        if found.is_none_or(|mark| mark.head != head) {
            marker.set_found(head);
        }
        let (files, dir) = (files::WrittenFiles::default(), dir.into());
        Ok(Self { connection, marker, found, head, term, dead: false, files, path, dir, lock })
    }

    /// What an append that failed means, and whether this writer may go on.
    fn failed(&mut self, error: &rusqlite::Error) -> Error {
        let after = self.head;
        let found = reader::head(&self.connection, &self.path);
        if fault::is_conflict(error)
            && let Ok(found) = found
        {
            // Somebody wrote past the lock. Their acts stand; ours were judged on a house that is no more.
            self.head = found;
            return Error::Moved { expected: after, found };
        }
        // A full or read-only disk refuses before anything is committed, so a writer whose journal still ends
        // where it did goes on once there is room. After any other failure (above all of the sync) nobody
        // knows what the disk holds, and only a fresh look at it can tell.
        let refused = matches!(
            error.sqlite_error_code(),
            Some(ErrorCode::DiskFull | ErrorCode::ReadOnly | ErrorCode::DatabaseBusy)
        );
        self.dead = !(refused && found.is_ok_and(|found| found == self.head));
        fault::of("write", &self.path, error)
    }

    /// What became of a write: whether it was, or whether somebody has opened the journal since.
    fn kept(&mut self, written: rusqlite::Result<AppendResult>) -> Result<(), Error> {
        match written {
            Ok(AppendResult::All) => Ok(()),
            Ok(AppendResult::Fenced(last)) => {
                let there = holder(&self.dir).filter(|by| by.term == Some(last));
                let by = there.unwrap_or_else(|| LockHolder::unknown().in_term(last));
                Err(Error::Fenced { term: self.term, by })
            }
            Err(error) => Err(self.failed(&error)),
        }
    }
}

/// The result of an append's transaction.
enum AppendResult {
    /// It is durable.
    All,
    /// Nothing was written: this is the last term given, and it is another's.
    Fenced(Term),
}

impl Journal for Sqlite {
    fn term(&self) -> Term {
        self.term
    }

    fn head(&self) -> Head {
        self.head
    }

    fn append(&mut self, after: Head, records: &[Record]) -> Result<Head, Error> {
        if self.dead {
            return Err(Error::Dead { path: self.path.clone() });
        }
        let head = follow(self.head, after, records)?;
        let written = insert(&mut self.connection, self.term, records);
        self.kept(written)?;
        if !self.files.are_there(&self.path) {
            self.dead = true;
            let found = SqliteReader::open(&self.dir).and_then(|reader| reader.head()).unwrap_or_default();
            return Err(Error::Lost { path: self.path.clone(), mark: head, found });
        }
        self.head = head;
        if !records.is_empty() {
            self.marker.set(head);
        }
        Ok(head)
    }

    fn redact(&mut self, bodies: &[(Seq, String)]) -> Result<(), Error> {
        if self.dead {
            return Err(Error::Dead { path: self.path.clone() });
        }
        known(self.head, bodies)?;
        scrub::announce(&self.dir)?;
        let written = replace(&mut self.connection, self.term, bodies);
        self.kept(written)?;
        self.files.forget();
        scrub::scrub(&self.connection, &self.dir, &self.path)
    }

    fn reader(&self) -> Result<Box<dyn JournalReader>, Error> {
        Ok(Box::new(SqliteReader::open(&self.dir)?))
    }

    fn dir(&self) -> Option<&Path> {
        Some(&self.dir)
    }

    fn left_by(&self) -> Option<&LockHolder> {
        self.lock.left_by()
    }

    fn mark(&self) -> Option<DurabilityMark> {
        self.found
    }

    fn recover(&mut self) -> Result<Head, Error> {
        if self.dead {
            // What a failed sync left in the cache may not be on the disk. Folding the log into the database writes all of
            // it again and syncs that; what cannot be read again any more was never there.
            let connection = connect(&self.path)?;
            schema::make_durable(&connection, &self.path)?;
            let head = reader::head(&connection, &self.path)?;
            let last = term::last(&connection).map_err(|error| fault::of("read", &self.path, &error))?;
            if last != self.term {
                return Err(Error::Fenced { term: self.term, by: LockHolder::unknown().in_term(last) });
            }
            if head.seq < self.head.seq {
                return Err(Error::Lost { path: self.path.clone(), mark: self.head, found: head });
            }
            (self.connection, self.dead) = (connection, false);
            self.files.forget();
            self.head = head;
        }
        Ok(self.head)
    }

    fn note_stall(&self, stall: Option<&Stall>) {
        self.marker.note(stall);
    }
}

fn connect(path: &Path) -> Result<Connection, Error> {
    let flags =
        OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    Connection::open_with_flags(path, flags).map_err(|error| fault::of("open", path, &error))
}

/// Refuses a journal that lost acts, before anything is written to it: the log may still hold them, and whoever looks for
/// them needs it as it is.
fn refuse_lost(connection: &Connection, path: &Path, mark: DurabilityMark) -> Result<(), Error> {
    let keep_log = |on| {
        let set = connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, on);
        set.map(drop).map_err(|error| fault::of("open", path, &error))
    };
    keep_log(true)?;
    let (found, hash) = match schema::look(connection, path).map_err(|failure| failure.told(path))? {
        // Nothing was ever written, or everything is gone.
        schema::FileState::Blank => (Head::default(), None),
        schema::FileState::Journal | schema::FileState::Termless | schema::FileState::Unredacted => {
            (reader::head(connection, path)?, reader::hash(connection, path, mark.head.seq)?)
        }
    };
    match mark::standing(mark, found, |_| Ok(hash))? {
        MarkComparison::Lost { mark, found } => Err(Error::Lost { path: path.into(), mark, found }),
        MarkComparison::Whole { .. } | MarkComparison::Unknown => keep_log(false),
    }
}

/// One transaction, one statement, one sync. An error on the way rolls all of it back.
fn insert(connection: &mut Connection, term: Term, records: &[Record]) -> rusqlite::Result<AppendResult> {
    if records.is_empty() {
        return Ok(AppendResult::All);
    }
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let last = term::last(&transaction)?;
    if last != term {
        return Ok(AppendResult::Fenced(last));
    }
    let mut insert = transaction.prepare_cached("INSERT INTO acts (seq, hash, body) VALUES (?1, ?2, ?3)")?;
    for record in records {
        let rows = insert.execute(params![reader::row_number(record.seq), record.hash.0, record.body])?;
        // A trigger that somebody planted in the file can swallow a row without an error.
        if rows != 1 {
            return Err(rusqlite::Error::StatementChangedRows(rows));
        }
    }
    drop(insert);
    transaction.commit().map(|()| AppendResult::All)
}

/// Puts other bodies in place, in one transaction.
fn replace(
    connection: &mut Connection,
    term: Term,
    bodies: &[(Seq, String)],
) -> rusqlite::Result<AppendResult> {
    connection.pragma_update_and_check(None, "secure_delete", true, |_| Ok(()))?;
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let last = term::last(&transaction)?;
    if last != term {
        return Ok(AppendResult::Fenced(last));
    }
    for (seq, body) in bodies {
        let update = "UPDATE acts SET body = ?2, redacted = 1 WHERE seq = ?1";
        let rows = transaction.execute(update, params![reader::row_number(*seq), body])?;
        if rows != 1 {
            return Err(rusqlite::Error::StatementChangedRows(rows));
        }
    }
    transaction.commit().map(|()| AppendResult::All)
}

/// The files that SQLite opens by name, the database last.
fn files(path: &Path) -> impl Iterator<Item = PathBuf> {
    ["-journal", "-wal", "-shm", ""].into_iter().map(|end| path.with_file_name(format!("{FILE}{end}")))
}

/// Sees to it that SQLite finds files of ours and nobody else's, which only their owner can read. It gives the files
/// beside the database the mode that the database has.
fn make_ready(path: &Path) -> Result<(), Error> {
    for name in files(path) {
        let failed = |error| Error::io("open", &name, &error);
        if !file::refuse_and_tighten(&name).map_err(failed)? && name == path {
            file::create(&name, 0o600).map_err(failed)?;
        }
    }
    if reader::is_stub(path)? {
        // Founded anew, by whoever holds the lock.
        let emptied = fs::OpenOptions::new().write(true).open(path).and_then(|file| file.set_len(0));
        emptied.map_err(|error| Error::io("write", path, &error))?;
    }
    Ok(())
}

/// Makes the directory of a house where there is none, and makes its name as durable as what it will hold. Votes
/// that are secret lie in it, so that a new one is its owner's alone; one that is there is left as it is.
pub fn make_dir(dir: &Path) -> Result<(), Error> {
    if dir.is_dir() {
        return Ok(());
    }
    let parent = dir.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = fs::DirBuilder::new();
    // Recursive only so that somebody who made it meanwhile is no error.
    builder.recursive(true);
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    fs::create_dir_all(parent)
        .and_then(|()| builder.create(dir))
        .and_then(|()| key::sync_dir(parent))
        .map_err(|error| Error::io("make the directory", dir, &error))
}
