//! Leaving no trace of replaced words. That takes longer than the replacement itself, so a file says that it is due
//! until it is done: whoever opens the journal next to write finishes it, and `verify` and `doctor` say so until then.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::fault;
use crate::error::Remedy;
use crate::{Error, key};

const FILE: &str = "scrub-due";

fn mark(dir: &Path) -> PathBuf {
    dir.join(FILE)
}

/// Whether words that were taken out may still lie in places of the file that SQLite no longer looks at.
pub fn scrub_is_due(dir: &Path) -> bool {
    mark(dir).symlink_metadata().is_ok()
}

/// Notes that it is due, durably, before any word is replaced.
pub(super) fn announce(dir: &Path) -> Result<(), Error> {
    let path = mark(dir);
    let made = match fs::OpenOptions::new().write(true).create_new(true).open(&path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        other => other.and_then(|file| file.sync_all()),
    };
    made.and_then(|()| key::sync_dir(dir)).map_err(|error| Error::io("make", &path, &error))
}

/// Writes the file anew and cuts the log to nothing: pages that were split long ago hold copies of rows in places that
/// SQLite no longer looks at, and so does the log.
pub(super) fn scrub(connection: &Connection, dir: &Path, path: &Path) -> Result<(), Error> {
    const DOING: &str = "clear removed words from";
    let fault = |error| fault::of(DOING, path, &error);
    connection.execute_batch("VACUUM").map_err(fault)?;
    let cut = "PRAGMA wal_checkpoint(TRUNCATE)";
    match connection.query_row(cut, [], |row| row.get::<_, i64>(0)).map_err(fault)? {
        0 => done(dir),
        _ => Err(Error::failed(DOING, path, "a reader still looks at the file as it was", Remedy::Wait)),
    }
}

fn done(dir: &Path) -> Result<(), Error> {
    match fs::remove_file(mark(dir)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::io("remove", &mark(dir), &error)),
        Ok(()) | Err(_) => Ok(()),
    }
}
