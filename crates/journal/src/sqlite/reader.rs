//! Readers of the journal in SQLite. They open the file read-only, hold nothing between two calls, and
//! so stand in nobody's way.
//!
//! A disk that cannot be written is a case of its own: readers of a write-ahead log share a small file of
//! memory that cannot be made there. If no log is left over, the database file is complete and is read
//! as one that does not change. That promise is not ours to make (the disk may be writable elsewhere), so it
//! is made anew for every call and never longer.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, ErrorCode, OpenFlags, Row, params};
use synod_core::kernel::{Digest, Seq};

use super::schema::{self, FileState, OpenFailure};
use super::{FILE, fault};
use crate::{Error, Head, JournalReader, Record, file};

/// A reader of a journal in SQLite, beside any writer.
#[derive(Debug)]
pub struct SqliteReader {
    path: PathBuf,
    /// None where the disk is read-only.
    live: Option<Connection>,
}

impl SqliteReader {
    /// Opens the journal of the house in `dir` for reading only.
    pub fn open(dir: &Path) -> Result<Self, Error> {
        let path = dir.join(FILE);
        let live = match connect(&path)? {
            ReaderConnection::Live(connection) => Some(connection),
            ReaderConnection::Still(_) => None,
        };
        Ok(Self { path, live })
    }

    pub(super) fn with<T>(&self, ask: impl FnOnce(&Connection) -> Result<T, Error>) -> Result<T, Error> {
        match &self.live {
            Some(connection) => ask(connection),
            None => match connect(&self.path)? {
                ReaderConnection::Live(connection) | ReaderConnection::Still(connection) => ask(&connection),
            },
        }
    }
}

impl JournalReader for SqliteReader {
    fn head(&self) -> Result<Head, Error> {
        self.with(|connection| head(connection, &self.path))
    }

    fn read(&self, from: Seq, most: usize) -> Result<Vec<Record>, Error> {
        self.with(|connection| read(connection, &self.path, from, most))
    }

    fn heads(&self, from: Seq, most: usize) -> Result<Vec<Head>, Error> {
        self.with(|connection| heads(connection, &self.path, from, most))
    }
}

/// The connection of a reader, by how the file could be opened.
enum ReaderConnection {
    /// As the log it is, following its writer.
    Live(Connection),
    /// As a file that does not change.
    Still(Connection),
}

fn connect(path: &Path) -> Result<ReaderConnection, Error> {
    let dir = path.parent().unwrap_or(path);
    let mut there = false;
    for name in super::files(path) {
        there = file::refuse_strange(&name).map_err(|error| Error::io("look for", &name, &error))?;
    }
    if !there || is_stub(path)? {
        return Err(Error::NoHouse { dir: dir.into() });
    }
    match look(path, false) {
        Ok(connection) => Ok(ReaderConnection::Live(connection)),
        Err(OpenFailure::Sqlite(error)) if needs_memory(&error) => match leftover(path)? {
            true => Err(Error::Unmerged { path: path.into() }),
            false => look(path, true).map(ReaderConnection::Still).map_err(|failure| failure.told(path)),
        },
        Err(failure) => Err(failure.told(path)),
    }
}

/// Opens the file and looks at it, since SQLite opens nothing before the first question.
fn look(path: &Path, immutable: bool) -> Result<Connection, OpenFailure> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = match immutable {
        false => Connection::open_with_flags(path, flags)?,
        true => Connection::open_with_flags(still_uri(path), flags | OpenFlags::SQLITE_OPEN_URI)?,
    };
    match schema::look(&connection, path)? {
        FileState::Journal | FileState::Unredacted | FileState::Termless => {
            schema::refuse_early(&connection, path)?;
            Ok(connection)
        }
        FileState::Blank => {
            Err(OpenFailure::Refused(Error::NoHouse { dir: path.parent().unwrap_or(path).into() }))
        }
    }
}

/// Did it fail because the log's shared memory could not be made?
fn needs_memory(error: &rusqlite::Error) -> bool {
    matches!(error.sqlite_error_code(), Some(ErrorCode::CannotOpen | ErrorCode::ReadOnly))
}

/// Whether this is the torn first page of a journal whose founding was interrupted. No act can be in it: SQLite's smallest page
/// has 512 bytes, and without a log there is nowhere else.
pub(super) fn is_stub(path: &Path) -> Result<bool, Error> {
    let length = path.metadata().map_err(|error| Error::io("look for", path, &error))?.len();
    Ok((1..512).contains(&length) && !leftover(path)?)
}

/// Is there a log beside the database that may hold acts?
fn leftover(path: &Path) -> Result<bool, Error> {
    let log = path.with_file_name(format!("{FILE}-wal"));
    match log.metadata() {
        Ok(log) => Ok(log.len() > 0),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Error::io("look for", &log, &error)),
    }
}

/// The path as a URI that promises the file does not change. Every byte that could mean something in a URI
/// is written as its code.
fn still_uri(path: &Path) -> String {
    let mut uri = String::from("file:");
    for byte in path.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'.' | b'-' | b'_' => uri.push(char::from(*byte)),
            byte if byte.is_ascii_alphanumeric() => uri.push(char::from(*byte)),
            byte => uri.push_str(&format!("%{byte:02X}")),
        }
    }
    uri + "?immutable=1"
}

/// A number as SQLite counts rows. Acts never get near the end of it.
pub(super) fn row_number(seq: Seq) -> i64 {
    i64::try_from(seq.0).unwrap_or(i64::MAX)
}

pub(super) fn head(connection: &Connection, path: &Path) -> Result<Head, Error> {
    let last = "SELECT seq, hash FROM acts ORDER BY seq DESC LIMIT 1";
    let fault = |error| fault::of("read", path, &error);
    let mut last = connection.prepare_cached(last).map_err(fault)?;
    let mut rows = last.query([]).map_err(fault)?;
    match rows.next().map_err(fault)? {
        Some(row) => numbered(row, path).map(|(seq, hash)| Head { seq, hash }),
        None => Ok(Head::default()),
    }
}

/// The hash that an act was recorded with.
pub(super) fn hash(connection: &Connection, path: &Path, seq: Seq) -> Result<Option<Digest>, Error> {
    let fault = |error| fault::of("read", path, &error);
    let mut one = connection.prepare("SELECT seq, hash FROM acts WHERE seq = ?1").map_err(fault)?;
    let mut rows = one.query([row_number(seq)]).map_err(fault)?;
    let row = rows.next().map_err(fault)?;
    Ok(row.map(|row| numbered(row, path)).transpose()?.map(|(_, hash)| hash))
}

fn read(connection: &Connection, path: &Path, from: Seq, most: usize) -> Result<Vec<Record>, Error> {
    let fault = |error| fault::of("read", path, &error);
    // One look at the file for both questions.
    let transaction = connection.unchecked_transaction().map_err(fault)?;
    let mark = schema::mark(&transaction).map_err(fault)?;
    let page = format!("SELECT seq, hash, body, {mark} FROM acts WHERE seq >= ?1 ORDER BY seq LIMIT ?2");
    let mut page = transaction.prepare_cached(&page).map_err(fault)?;
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let mut rows = page.query(params![row_number(from), most]).map_err(fault)?;
    let mut records = Vec::new();
    while let Some(row) = rows.next().map_err(fault)? {
        let (seq, hash) = numbered(row, path)?;
        let body = row.get(2).map_err(|error| damaged(path, seq, error))?;
        let mark: i64 = row.get(3).map_err(|error| damaged(path, seq, error))?;
        records.push(Record { seq, body, hash, redacted: mark != 0 });
    }
    Ok(records)
}

fn heads(connection: &Connection, path: &Path, from: Seq, most: usize) -> Result<Vec<Head>, Error> {
    let fault = |error| fault::of("read", path, &error);
    let page = "SELECT seq, hash FROM acts WHERE seq >= ?1 ORDER BY seq LIMIT ?2";
    let mut page = connection.prepare_cached(page).map_err(fault)?;
    let most = i64::try_from(most).unwrap_or(i64::MAX);
    let mut rows = page.query(params![row_number(from), most]).map_err(fault)?;
    let mut heads = Vec::new();
    while let Some(row) = rows.next().map_err(fault)? {
        heads.push(numbered(row, path).map(|(seq, hash)| Head { seq, hash })?);
    }
    Ok(heads)
}

/// The number and hash that every row begins with.
fn numbered(row: &Row<'_>, path: &Path) -> Result<(Seq, Digest), Error> {
    let number: i64 = row.get(0).map_err(|error| fault::of("read", path, &error))?;
    let seq = Seq(u64::try_from(number).unwrap_or_default());
    if seq == Seq(0) {
        return Err(damaged(path, seq, format!("no act has the number {number}")));
    }
    Ok((seq, Digest(row.get(1).map_err(|error| damaged(path, seq, error))?)))
}

fn damaged(path: &Path, seq: Seq, why: impl Display) -> Error {
    Error::Damaged { path: path.into(), seq, why: why.to_string() }
}
