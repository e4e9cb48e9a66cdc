//! Copies of a house: made while it is written, put back, and what is done where acts are lost.
//!
//! A copy is one database without a log beside it, as it stood at one moment. Nothing here judges an act; who puts a copy
//! in place records that by an act of its own.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};
use synod_core::kernel::Seq;

use crate::lock::Lock;
use crate::sqlite::fault;
use crate::{Error, Head, LockHolder, SqliteReader, chain, checkpoints, file, key, mark};

const JOURNAL: &str = "journal.db";
const MARK: &str = "mark";
/// The files of a journal, the mark of how far it was durable, and what the house has signed of it.
const FILES: [&str; 6] =
    ["journal.db", "journal.db-wal", "journal.db-shm", "journal.db-journal", MARK, "checkpoints"];

/// Copies the journal of the house in `dir` into the directory `to`, which must have none. Works beside a writer: the copy is
/// the journal as it stood at one moment. It is checked from the first act on, and returns where it ends.
pub fn copy_journal(dir: &Path, to: &Path) -> Result<Head, Error> {
    let (from, copy) = (dir.join(JOURNAL), to.join(JOURNAL));
    // Looks at whose file it is, and says so better than the copying would.
    drop(SqliteReader::open(dir)?);
    let failed = |error: io::Error| Error::io("write", &copy, &error);
    // SQLite would follow a link, and overwrite an empty file.
    file::create_new(&copy).map_err(failed)?;
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let copied = Connection::open_with_flags(&from, flags).and_then(|connection| {
        connection.busy_timeout(std::time::Duration::from_secs(30))?;
        connection.execute("VACUUM INTO ?1", [copy.as_os_str().to_string_lossy()])
    });
    copied.map_err(|error| fault::of("copy", &copy, &error))?;
    File::open(&copy).and_then(|file| file.sync_all()).and_then(|()| key::sync_dir(to)).map_err(failed)?;
    check(to)
}

/// Checks the journal of a house or of a copy from the first act on. Returns where it ends.
pub fn check(dir: &Path) -> Result<Head, Error> {
    let reader = SqliteReader::open(dir)?;
    chain::walk(&reader, Head::default(), |_, _| Ok::<(), Error>(()))
}

/// The files of a journal that were moved out of the way, and who may write meanwhile: nobody, until this is dropped.
#[derive(Debug)]
pub struct SetAside {
    /// Where they are.
    pub folder: PathBuf,
    _lock: Lock,
}

/// Moves the journal of a house out of the way, with its log, into a folder of that name in the house. Its mark is copied there and
/// stays: until another journal is in place, it says that there was one and how far it went.
pub fn set_aside(dir: &Path, name: &str, who: &LockHolder) -> Result<SetAside, Error> {
    let lock = Lock::take(dir, who)?;
    let folder = dir.join(name);
    let failed = |error: io::Error| Error::io("move the journal to", &folder, &error);
    file::make_folder(&folder).map_err(failed)?;
    for name in FILES {
        let (from, to) = (dir.join(name), folder.join(name));
        let moved = if name == MARK { fs::copy(from, to).map(drop) } else { fs::rename(from, to) };
        match moved {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            Ok(()) | Err(_) => (),
        }
    }
    key::sync_dir(&folder).and_then(|()| key::sync_dir(dir)).map_err(failed)?;
    Ok(SetAside { folder, _lock: lock })
}

/// Moves a journal that was made ready in a folder of the house to the place of the one that was set aside. Its mark follows: a crash
/// in between leaves the mark of the one before, which tells what that one had.
pub fn put_in_place(ready: &Path, dir: &Path, _aside: &SetAside) -> Result<(), Error> {
    for name in [JOURNAL, MARK] {
        match fs::rename(ready.join(name), dir.join(name)) {
            Err(error) if name == MARK && error.kind() == io::ErrorKind::NotFound => (),
            moved => moved
                .and_then(|()| key::sync_dir(dir))
                .map_err(|error| Error::io("put in place", &dir.join(name), &error))?,
        }
    }
    Ok(())
}

/// Keeps a copy of a damaged journal as it lies there, in a folder of that name in the house, and forgets how far it was known
/// to be durable, so that it can be written again.
/// What the house has signed of acts that are given up is kept in that folder only.
pub fn accept_loss(dir: &Path, name: &str, end: Seq, who: &LockHolder) -> Result<PathBuf, Error> {
    let _lock = Lock::take(dir, who)?;
    let folder = dir.join(name);
    let failed = |error: io::Error| Error::io("copy the journal to", &folder, &error);
    file::make_folder(&folder).map_err(failed)?;
    for name in FILES {
        match fs::copy(dir.join(name), folder.join(name)) {
            Ok(_) => File::open(folder.join(name)).and_then(|file| file.sync_all()).map_err(failed)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => (),
            Err(error) => return Err(failed(error)),
        }
    }
    key::sync_dir(&folder).map_err(failed)?;
    checkpoints::forget_after(dir, end.0)?;
    mark::forget(dir)?;
    Ok(folder)
}
