//! The shape of the file: whose it is, which version, which table.

use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};

use super::fault;
use crate::error::Remedy;
use crate::{Error, Term};

/// The schema that is written.
pub(super) const VERSION: i64 = 3;

/// The schema before writers had terms. Readers take it as it is, writers migrate it: a writer that knows no terms
/// must not open the file afterwards, and so neither may its reader.
const TERMLESS: i64 = 2;

/// The schema before records could be redacted, likewise.
const UNREDACTED: i64 = 1;

/// "Synd", in the place where SQLite files say whose they are.
const APPLICATION: i64 = 0x5379_6e64;

/// Checkpoints and recovery hold the file for moments; nobody should hear of them.
const PATIENCE: Duration = Duration::from_secs(5);

const CREATE: &str = "CREATE TABLE acts (seq INTEGER PRIMARY KEY, hash BLOB NOT NULL, body TEXT NOT NULL, \
     redacted INTEGER NOT NULL DEFAULT 0) STRICT";

const ADD_MARK: &str = "ALTER TABLE acts ADD COLUMN redacted INTEGER NOT NULL DEFAULT 0";

/// One row: the last term given.
const ADD_TERM: &str = "CREATE TABLE term (one INTEGER PRIMARY KEY CHECK (one = 1), number INTEGER NOT NULL) STRICT; \
     INSERT INTO term VALUES (1, 0)";

/// Whoever makes the file has the first term, in the same transaction.
const FIRST_TERM: &str = "UPDATE term SET number = 1";

/// The state of a file, as far as we can use it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileState {
    /// A database without anything in it: new, or left by a process that died while founding.
    Blank,
    /// A journal of the first version, without the mark of redacted records and without terms.
    Unredacted,
    /// A journal of the second version, without terms.
    Termless,
    /// A journal of the present version.
    Journal,
}

/// The cause of a failed open: the database, or our judgement of it.
#[derive(Debug)]
pub(super) enum OpenFailure {
    Sqlite(rusqlite::Error),
    Refused(Error),
}

impl From<rusqlite::Error> for OpenFailure {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl OpenFailure {
    pub(super) fn told(self, path: &Path) -> Error {
        match self {
            Self::Sqlite(error) => fault::of("open", path, &error),
            Self::Refused(error) => error,
        }
    }
}

/// Readies the file for writing: durable commits, and the table as it is now. Returns the term of the writer where the
/// file was made for it.
pub(super) fn prepare(connection: &mut Connection, path: &Path) -> Result<Option<Term>, Error> {
    let found = look(connection, path).map_err(|failure| failure.told(path))?;
    if found != FileState::Blank {
        refuse_early(connection, path).map_err(|failure| failure.told(path))?;
    }
    ready(connection, path, found).map_err(|failure| failure.told(path))?;
    Ok((found == FileState::Blank).then_some(Term(1)))
}

fn ready(connection: &mut Connection, path: &Path, found: FileState) -> Result<(), OpenFailure> {
    if found == FileState::Blank {
        // Changing the mode writes the first page. There is nothing to roll back to yet, and a journal file for it would
        // take three syncs more.
        connection.pragma_update_and_check(None, "journal_mode", "MEMORY", |_| Ok(()))?;
    }
    let mode: String = connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    if mode != "wal" {
        let cause = format!("the file system allows only journal mode `{mode}`");
        return Err(OpenFailure::Refused(Error::failed("write safely to", path, cause, Remedy::Disk)));
    }
    connection.pragma_update(None, "synchronous", "FULL")?;
    // On macOS a plain sync leaves the data in the drive's cache. Elsewhere this changes nothing.
    connection.pragma_update(None, "fullfsync", true)?;
    connection.pragma_update(None, "checkpoint_fullfsync", true)?;
    let changes: &[&str] = match found {
        FileState::Blank => &[CREATE, ADD_TERM, FIRST_TERM],
        FileState::Unredacted => &[ADD_MARK, ADD_TERM],
        FileState::Termless => &[ADD_TERM],
        FileState::Journal => return Ok(()),
    };
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    changes.iter().try_for_each(|change| transaction.execute_batch(change))?;
    transaction.pragma_update(None, "application_id", APPLICATION)?;
    transaction.pragma_update(None, "user_version", VERSION)?;
    transaction.commit()?;
    Ok(())
}

/// Sets up a connection to a journal that is there like the one before it, and makes sure that all it shows is on the disk.
pub(super) fn make_durable(connection: &Connection, path: &Path) -> Result<(), Error> {
    let durable = || -> rusqlite::Result<i64> {
        connection.busy_timeout(PATIENCE)?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.pragma_update(None, "fullfsync", true)?;
        connection.pragma_update(None, "checkpoint_fullfsync", true)?;
        connection.query_row("PRAGMA wal_checkpoint(FULL)", [], |row| row.get(0))
    };
    match durable().map_err(|error| fault::of("write", path, &error))? {
        0 => Ok(()),
        _ => Err(Error::failed("write", path, "it is in use", Remedy::Wait)),
    }
}

/// Whose file is this? Changes nothing.
pub(super) fn look(connection: &Connection, path: &Path) -> Result<FileState, OpenFailure> {
    connection.busy_timeout(PATIENCE)?;
    let number = |name| connection.pragma_query_value(None, name, |row| row.get::<_, i64>(0));
    let (application, version) = (number("application_id")?, number("user_version")?);
    let tables: i64 = connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    match (application, version) {
        (0, 0) if tables == 0 => Ok(FileState::Blank),
        (APPLICATION, UNREDACTED) => Ok(FileState::Unredacted),
        (APPLICATION, TERMLESS) => Ok(FileState::Termless),
        (APPLICATION, VERSION) => Ok(FileState::Journal),
        (APPLICATION, found) if found > VERSION => {
            Err(OpenFailure::Refused(Error::NewerHouse { path: path.into(), found, known: VERSION }))
        }
        _ => {
            let why = "it is a database of another program".into();
            Err(OpenFailure::Refused(Error::NotAJournal { path: path.into(), why }))
        }
    }
}

/// Refuses a journal from before the format was fixed: its first act founds a house without an edition.
pub(super) fn refuse_early(connection: &Connection, path: &Path) -> Result<(), OpenFailure> {
    let mut first = connection.prepare("SELECT body FROM acts WHERE seq = 1")?;
    let mut rows = first.query([])?;
    // Anything else that is wrong with it is found by whoever reads it.
    let body: Option<String> = rows.next()?.and_then(|row| row.get(0).ok());
    let act: Option<serde_json::Value> = body.and_then(|body| serde_json::from_str(&body).ok());
    let found = act.as_ref().and_then(|act| act.get("command")?.get("found"));
    match found.is_some_and(|found| found.get("edition").is_none()) {
        true => Err(OpenFailure::Refused(Error::EarlyHouse { path: path.into() })),
        false => Ok(()),
    }
}

/// What stands for the mark of redacted records in a query: a writer may have migrated the file since it was
/// opened.
pub(super) fn mark(connection: &Connection) -> rusqlite::Result<&'static str> {
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    Ok(if version == UNREDACTED { "0" } else { "redacted" })
}
