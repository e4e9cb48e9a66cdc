//! The high-water mark: what a log that lost its tail cannot hide.

use std::fs;
use std::path::Path;

use synod_core::Act;
use synod_core::kernel::Seq;
use synod_journal::{
    Error, Journal as _, JournalReader as _, LockHolder, MarkComparison, Sqlite, SqliteReader, chain, mark,
};

use crate::child::start;
use crate::sample::{act, house, records, writer};

fn standing(dir: &Path) -> MarkComparison {
    mark::compare(dir, &SqliteReader::open(dir).unwrap()).unwrap()
}

fn open(dir: &Path) -> Result<Sqlite, Error> {
    Sqlite::open(dir, &LockHolder::this_process("synod test"))
}

#[test]
fn a_flipped_bit_in_the_log_is_found_and_nothing_is_written() {
    let dir = house(5);
    start("append", dir.path(), &[]).kill();
    assert_eq!(standing(dir.path()), MarkComparison::Whole { seq: Seq(12) });
    let log = dir.path().join("journal.db-wal");
    let mut bytes = fs::read(&log).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&log, &bytes).unwrap();
    let _ = fs::remove_file(dir.path().join("journal.db-shm"));
    let reader = SqliteReader::open(dir.path()).unwrap();
    let left = reader.head().unwrap();
    assert!(left.seq < Seq(12), "SQLite takes the log to end there: {left:?}");
    chain::walk(&reader, Default::default(), |_, _| Ok::<(), Error>(())).unwrap();
    assert!(
        matches!(standing(dir.path()), MarkComparison::Lost { mark, found } if mark.seq == Seq(12) && found == left)
    );
    drop(reader);
    let refused = open(dir.path()).unwrap_err();
    let said = refused.to_string();
    assert!(said.contains("synod restore DIR --yes") && said.contains("synod repair"), "{said}");
    assert!(matches!(refused, Error::Lost { .. }), "{said}");
    assert_eq!(fs::read(&log).unwrap(), bytes, "whoever looks for the lost acts finds the log as it was");
}

#[test]
fn an_older_copy_put_back_is_found_and_another_history_too() {
    let dir = house(5);
    let old = fs::read(dir.path().join("journal.db")).unwrap();
    let mut journal = writer(dir.path());
    journal.append(journal.head(), &records(journal.head(), 3)).unwrap();
    drop(journal);
    fs::write(dir.path().join("journal.db"), &old).unwrap();
    assert!(
        matches!(open(dir.path()), Err(Error::Lost { mark, found, .. }) if (mark.seq, found.seq) == (Seq(8), Seq(5)))
    );
    // Without the mark nobody can tell. Somebody writes as many acts that say something else.
    let marked = fs::read(dir.path().join("mark")).unwrap();
    fs::remove_file(dir.path().join("mark")).unwrap();
    assert_eq!(standing(dir.path()), MarkComparison::Unknown);
    let mut journal = writer(dir.path());
    for seq in 6..=8 {
        let other = Act { key: None, ..act(seq) };
        let record = chain::seal(journal.head(), &other).unwrap();
        journal.append(journal.head(), &[record]).unwrap();
    }
    drop(journal);
    assert_eq!(standing(dir.path()), MarkComparison::Whole { seq: Seq(8) });
    fs::write(dir.path().join("mark"), &marked).unwrap();
    let said = open(dir.path()).unwrap_err().to_string();
    assert!(said.contains("has another act 8"), "{said}");
}

#[test]
fn one_torn_slot_leaves_the_other() {
    let dir = house(5);
    let path = dir.path().join("mark");
    let bytes = fs::read(&path).unwrap();
    let newest = mark::read(dir.path()).unwrap().unwrap();
    assert_eq!(newest.head.seq, Seq(5));
    let mut found = Vec::new();
    for slot in [0, 512] {
        let mut torn = bytes.clone();
        torn[slot + 20..slot + 60].fill(b'x');
        fs::write(&path, &torn).unwrap();
        found.push(mark::read(dir.path()).unwrap());
    }
    assert!(found.iter().flatten().any(|mark| *mark == newest), "the newer one is left in one case");
    fs::write(&path, &bytes).unwrap();
    drop(writer(dir.path()));
    assert_eq!(standing(dir.path()), MarkComparison::Whole { seq: Seq(5) });
}

#[test]
fn a_note_of_a_stall_takes_no_space_and_goes_again() {
    let dir = house(5);
    let journal = writer(dir.path());
    let stall = synod_journal::Stall { since: synod_core::kernel::At(7), said: "the disk is full".into() };
    let size = fs::metadata(dir.path().join("mark")).unwrap().len();
    journal.note_stall(Some(&stall));
    assert_eq!(mark::stalled(dir.path()), Some(stall));
    assert_eq!(fs::metadata(dir.path().join("mark")).unwrap().len(), size);
    journal.note_stall(None);
    assert_eq!(mark::stalled(dir.path()), None);
}
