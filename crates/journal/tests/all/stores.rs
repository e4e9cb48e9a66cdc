//! One suite, every store; and what only SQLite promises.

use std::cell::RefCell;
use std::fs;

use rusqlite::Connection;
use synod_core::kernel::Seq;
use synod_journal::{Error, Head, Holder, Journal, Memory, Reader, Sqlite, SqliteReader, suite};
use tempfile::TempDir;

use crate::sample::{house, quick_dir, records, seqs, verify, writer};

#[test]
fn memory_keeps_the_contract() {
    suite::run(|| Box::new(Memory::new()));
}

#[test]
fn sqlite_keeps_the_contract() {
    let dirs = RefCell::new(Vec::<TempDir>::new());
    suite::run(|| {
        let dir = quick_dir();
        let journal = writer(&dir.path().join("deep/house"));
        dirs.borrow_mut().push(dir);
        Box::new(journal)
    });
}

#[test]
fn sqlite_remembers() {
    let dir = house(3);
    let mut journal = writer(dir.path());
    assert_eq!(journal.head().seq, Seq(3));
    journal.append(journal.head(), &records(journal.head(), 2)).unwrap();
    drop(journal);
    assert_eq!(verify(dir.path()).unwrap().seq, Seq(5));
}

#[test]
fn a_reader_works_beside_the_writer_and_before_it_wrote() {
    let dir = house(1);
    let early = SqliteReader::open(dir.path()).unwrap();
    let mut journal = writer(dir.path());
    let head = journal.append(journal.head(), &records(journal.head(), 2)).unwrap();
    assert_eq!(early.head().unwrap(), head);
    assert_eq!(seqs(&early.read(Seq(2), 10).unwrap()), [Seq(2), Seq(3)]);
    drop(journal);
    assert_eq!(early.head().unwrap(), head);
}

#[test]
fn a_row_written_past_the_lock_is_noticed() {
    let dir = quick_dir();
    let mut journal = writer(dir.path());
    let head = journal.append(Head::default(), &records(Head::default(), 1)).unwrap();
    let mine = records(head, 3);
    let other = Connection::open(dir.path().join("journal.db")).unwrap();
    let theirs = &mine[0];
    other
        .execute(
            "INSERT INTO acts VALUES (?1, ?2, ?3, 0)",
            (theirs.seq.0 as i64, theirs.hash.0, &theirs.body),
        )
        .unwrap();
    match journal.append(head, &mine) {
        Err(Error::Moved { expected, found }) => assert_eq!((expected, found), (head, theirs.head())),
        other => panic!("{other:?}"),
    }
    assert_eq!(journal.head(), theirs.head());
    assert_eq!(verify(dir.path()).unwrap(), theirs.head(), "nothing of the refused append is kept");
    journal.append(theirs.head(), &mine[1..]).expect("the writer goes on from what it found");
}

#[test]
fn a_writer_that_cannot_know_what_it_wrote_stops() {
    for planted in [
        "CREATE TRIGGER swallow BEFORE INSERT ON acts BEGIN SELECT RAISE(IGNORE); END",
        "ALTER TABLE acts RENAME TO gone",
    ] {
        let dir = quick_dir();
        let mut journal = writer(dir.path());
        Connection::open(dir.path().join("journal.db")).unwrap().execute_batch(planted).unwrap();
        let mut append = || journal.append(Head::default(), &records(Head::default(), 1));
        assert!(matches!(append(), Err(Error::Io { .. })));
        assert!(matches!(append(), Err(Error::Dead { .. })));
    }
}

fn refusal(dir: &TempDir) -> (String, String) {
    let who = Holder::this_process("synod test");
    let writing = Sqlite::open(dir.path(), &who).expect_err("it must not open for writing").to_string();
    let reading = SqliteReader::open(dir.path()).expect_err("it must not open for reading").to_string();
    (writing, reading)
}

#[test]
fn what_is_no_journal_is_named_and_left_alone() {
    for (bytes, why) in [
        (
            b"dear diary, this is just some text that is longer than a header".repeat(20),
            "it is not a database",
        ),
        (other_program(), "it is a database of another program"),
    ] {
        let dir = quick_dir();
        let path = dir.path().join("journal.db");
        fs::write(&path, &bytes).unwrap();
        let (writing, reading) = refusal(&dir);
        for message in [writing, reading] {
            assert!(
                message.contains(&format!("{} is not a Synod journal ({why})", path.display())),
                "{message}"
            );
        }
        assert_eq!(fs::read(&path).unwrap(), bytes, "the file is left untouched");
    }
}

fn other_program() -> Vec<u8> {
    let dir = quick_dir();
    let path = dir.path().join("other.db");
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE bookmarks (url)").unwrap();
    fs::read(path).unwrap()
}

#[test]
fn a_newer_house_asks_for_an_upgrade() {
    let dir = house(1);
    let file = Connection::open(dir.path().join("journal.db")).unwrap();
    file.pragma_update(None, "user_version", 7).unwrap();
    drop(file);
    let (writing, reading) = refusal(&dir);
    assert!(writing.contains("has schema 7, this synod knows up to 2; upgrade synod"), "{writing}");
    assert_eq!(writing, reading);
}

#[test]
fn no_house_is_said_to_be_none() {
    let dir = quick_dir();
    let message = SqliteReader::open(dir.path()).unwrap_err().to_string();
    assert!(message.contains(&format!("there is no house in {}", dir.path().display())), "{message}");
    // A process that died while founding leaves an empty file: still no house, and it can be founded.
    fs::write(dir.path().join("journal.db"), "").unwrap();
    assert!(matches!(SqliteReader::open(dir.path()), Err(Error::NoHouse { .. })));
    assert_eq!(writer(dir.path()).head(), Head::default());
    assert_eq!(verify(dir.path()).unwrap(), Head::default());
}

#[test]
fn the_file_says_what_it_is_and_syncs() {
    let dir = house(1);
    let file = Connection::open(dir.path().join("journal.db")).unwrap();
    let ask = |pragma| file.pragma_query_value(None, pragma, |row| row.get::<_, i64>(0)).unwrap();
    assert_eq!((ask("application_id"), ask("user_version")), (0x5379_6e64, 2));
    let mode: String = file.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
    assert_eq!(mode, "wal");
}
