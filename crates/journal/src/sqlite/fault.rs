//! SQLite's errors in our words: what failed, on which file, what to do.

use std::path::Path;

use rusqlite::{Error as Sql, ErrorCode, ffi};

use crate::Error;
use crate::error::Remedy;

/// The error to show for one of SQLite's.
pub(crate) fn of(doing: &'static str, path: &Path, error: &Sql) -> Error {
    let not_a_journal = |why: &str| Error::NotAJournal { path: path.into(), why: why.into() };
    let remedy = match error.sqlite_error_code() {
        Some(ErrorCode::NotADatabase) => return not_a_journal("it is not a database"),
        Some(ErrorCode::DiskFull) => Remedy::Space,
        Some(ErrorCode::ReadOnly) => Remedy::Write,
        Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => Remedy::Access,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => Remedy::Wait,
        Some(ErrorCode::DatabaseCorrupt) => Remedy::Restore,
        _ => Remedy::Disk,
    };
    Error::failed(doing, path, error, remedy)
}

/// Is there a row with this number already?
pub(super) fn is_conflict(error: &Sql) -> bool {
    matches!(
        error.sqlite_error().map(|error| error.extended_code),
        Some(ffi::SQLITE_CONSTRAINT_PRIMARYKEY | ffi::SQLITE_CONSTRAINT_ROWID)
    )
}
