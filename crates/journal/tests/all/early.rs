//! Journals of builds from before the format was fixed are named as such, and left as they are.

use rusqlite::Connection;
use synod_core::kernel::Digest;
use synod_journal::{Error, LockHolder, Sqlite, SqliteReader};

/// The first act as those builds wrote it.
const FOUND: &str = r#"{"at":1,"by":"operator","command":{"found":{"key":"00"}},"outcome":{"done":[{"house":{"key":"00"}}]},"prev":"0000000000000000000000000000000000000000000000000000000000000000","seq":1,"v":1}"#;

#[test]
fn an_early_journal_is_refused_by_name() {
    let dir = tempfile::tempdir().unwrap();
    drop(Sqlite::open(dir.path(), &LockHolder::this_process("a test")).unwrap());
    let path = dir.path().join("journal.db");
    let hash = Digest::of(FOUND.as_bytes()).0;
    let database = Connection::open(&path).unwrap();
    database.execute("INSERT INTO acts (seq, hash, body) VALUES (1, ?1, ?2)", (hash, FOUND)).unwrap();
    drop(database);
    let reading = SqliteReader::open(dir.path()).map(drop).unwrap_err();
    let writing = Sqlite::open(dir.path(), &LockHolder::this_process("a test")).map(drop).unwrap_err();
    for error in [reading, writing] {
        assert!(matches!(&error, Error::EarlyHouse { path: named } if *named == path), "{error:?}");
        let said = error.to_string();
        assert!(said.contains("journal.db") && said.contains("start a new house"), "{said}");
    }
}
