//! One suite, every store; and what only SQLite promises.

use std::cell::RefCell;
use std::fs;

use rusqlite::Connection;
use synod_core::kernel::Seq;
use synod_journal::{
    Error, Head, Journal, JournalReader, LockHolder, Memory, Shelf, Sqlite, SqliteReader, Term, holder, suite,
};
use tempfile::TempDir;

use crate::sample::{house, quick_dir, records, seqs, verify, writer};

#[test]
fn memory_keeps_the_contract() {
    suite::run(|| {
        let shelf = Shelf::default();
        Box::new(move || Box::new(Memory::on(&shelf)))
    });
}

#[test]
fn sqlite_keeps_the_contract() {
    let dirs = RefCell::new(Vec::<TempDir>::new());
    suite::run(|| {
        let dir = quick_dir();
        let house = dir.path().join("deep/house");
        dirs.borrow_mut().push(dir);
        Box::new(move || {
            // As somebody does who takes the file for what is in the way.
            let _ = fs::remove_file(house.join("lock"));
            Box::new(writer(&house))
        })
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
fn a_writer_whose_lock_was_removed_is_fenced_and_told_by_whom() {
    let dir = house(2);
    let mut first = writer(dir.path());
    fs::remove_file(dir.path().join("lock")).unwrap();
    let second = Sqlite::open(dir.path(), &LockHolder::this_process("synod other")).unwrap();
    assert_eq!(holder(dir.path()).and_then(|by| by.term), Some(second.term()), "the note says the term");
    let refused = first.append(first.head(), &records(first.head(), 1)).unwrap_err();
    let message = refused.to_string();
    let Error::Fenced { term, by } = refused else { panic!("{message}") };
    assert_eq!((term, by.term, by.command.as_str()), (Term(2), Some(Term(3)), "synod other"));
    for part in ["it has the house by term 2", "`synod other` (pid ", ", term 3) since ", "the file `lock`"] {
        assert!(message.contains(part), "{message}");
    }
    drop(second);
    let message = first.append(first.head(), &records(first.head(), 1)).unwrap_err().to_string();
    assert!(message.contains("another process (it left no note of itself, term 3) has"), "{message}");
    assert_eq!(verify(dir.path()).unwrap(), first.head());
}

#[test]
fn a_house_from_before_there_were_terms() {
    let dir = quick_dir();
    let file = Connection::open(dir.path().join("journal.db")).unwrap();
    file.execute_batch(
        "PRAGMA journal_mode = WAL;
         CREATE TABLE acts (seq INTEGER PRIMARY KEY, hash BLOB NOT NULL, body TEXT NOT NULL,
            redacted INTEGER NOT NULL DEFAULT 0) STRICT;
         PRAGMA application_id = 0x53796e64; PRAGMA user_version = 2",
    )
    .unwrap();
    let old = records(Head::default(), 3);
    for record in &old {
        let row = (record.seq.0 as i64, record.hash.0, &record.body);
        file.execute("INSERT INTO acts VALUES (?1, ?2, ?3, 0)", row).unwrap();
    }
    drop(file);
    let reader = SqliteReader::open(dir.path()).unwrap();
    assert_eq!(reader.read(Seq(1), 10).unwrap(), old, "it is read as it is");
    let mut journal = writer(dir.path());
    assert_eq!(journal.term(), Term(1));
    let head = journal.append(journal.head(), &records(journal.head(), 2)).unwrap();
    assert_eq!(reader.read(Seq(1), 10).unwrap().len(), 5, "a reader from before the migration goes on");
    drop(journal);
    assert_eq!((writer(dir.path()).term(), verify(dir.path()).unwrap()), (Term(2), head));
}

#[test]
fn a_lost_term_is_not_begun_anew() {
    let dir = house(1);
    let file = Connection::open(dir.path().join("journal.db")).unwrap();
    file.execute_batch("DELETE FROM term").unwrap();
    drop(file);
    let refused = Sqlite::open(dir.path(), &LockHolder::this_process("synod test")).unwrap_err().to_string();
    assert!(refused.starts_with("cannot take the next term of "), "{refused}");
    assert!(refused.ends_with("restore it from a copy"), "{refused}");
    assert_eq!(verify(dir.path()).unwrap().seq, Seq(1), "it can be read");
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
    let who = LockHolder::this_process("synod test");
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
    assert!(writing.contains("has schema 7, this synod knows up to 3; upgrade synod"), "{writing}");
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
    assert_eq!((ask("application_id"), ask("user_version")), (0x5379_6e64, 3));
    let mode: String = file.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
    assert_eq!(mode, "wal");
}
