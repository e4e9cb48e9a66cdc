//! A crash at any byte: the write-ahead log cut at every offset still opens, and what opens is whole appends
//! from the first on.

use std::fs;
use std::path::Path;

use synod_core::kernel::Seq;
use synod_journal::{Journal as _, JournalReader as _, Record, SqliteReader};

use crate::sample::{house, quick_dir, records, verify, writer};

/// What a crash leaves: the files, what was acknowledged, and after how many acts each append ended.
struct Crashed {
    db: Vec<u8>,
    log: Vec<u8>,
    acknowledged: Vec<Record>,
    ends: Vec<usize>,
}

/// Three appends, of one, three and two acts, in a log of their own.
fn crashed() -> Crashed {
    let dir = house(1);
    let mut journal = writer(dir.path());
    let mut ends = vec![1];
    for count in [1, 3, 2] {
        let head = journal.append(journal.head(), &records(journal.head(), count)).unwrap();
        ends.push(head.seq.0 as usize);
    }
    assert_eq!(verify(dir.path()).unwrap(), journal.head());
    let acknowledged = journal.reader().unwrap().read(Seq(1), 100).unwrap();
    let read = |name| fs::read(dir.path().join(name)).unwrap();
    Crashed { db: read("journal.db"), log: read("journal.db-wal"), acknowledged, ends }
}

/// Opens what is left with another log, and gives how many acts are there, all as they were acknowledged.
fn reopened(dir: &Path, crashed: &Crashed, log: &[u8], writing: bool) -> usize {
    let _ = fs::remove_file(dir.join("journal.db-shm"));
    fs::write(dir.join("journal.db"), &crashed.db).unwrap();
    fs::write(dir.join("journal.db-wal"), log).unwrap();
    let journal = writing.then(|| writer(dir));
    let found = SqliteReader::open(dir).unwrap().read(Seq(1), 100).unwrap();
    assert!(found == crashed.acknowledged[..found.len()], "something else came back than was acknowledged");
    assert!(crashed.ends.contains(&found.len()), "it ends inside an append, after act {}", found.len());
    assert!(journal.is_none_or(|journal| journal.head() == found[found.len() - 1].head()));
    found.len()
}

#[test]
fn the_log_cut_at_every_byte() {
    let crashed = crashed();
    let dir = quick_dir();
    let mut last = 0;
    for cut in 0..=crashed.log.len() {
        // Writers, who also merge the log, are slower: around the borders of its frames, and every so often.
        let inside = cut.saturating_sub(32) % 4120;
        let writing = !(26..4119).contains(&inside) || cut.is_multiple_of(50);
        let found = reopened(dir.path(), &crashed, &crashed.log[..cut], writing);
        assert!(found >= last, "cut at byte {cut}: a longer log gave less");
        last = found;
    }
    assert_eq!(last, 7, "the whole log loses nothing");
}

#[test]
fn the_log_with_a_byte_gone_wrong() {
    let crashed = crashed();
    let dir = quick_dir();
    for at in (0..crashed.log.len()).step_by(97) {
        let mut torn = crashed.log.clone();
        torn[at] ^= 0x55;
        reopened(dir.path(), &crashed, &torn, true);
    }
}

/// Founding was interrupted within the first page: nothing was acknowledged, and the house is founded anew.
#[test]
fn the_first_page_cut_at_every_byte() {
    let first = crashed().db[..511].to_vec();
    for length in 0..first.len() {
        let dir = quick_dir();
        fs::write(dir.path().join("journal.db"), &first[..length]).unwrap();
        assert!(SqliteReader::open(dir.path()).is_err(), "{length} bytes are not a house");
        let mut journal = writer(dir.path());
        journal.append(journal.head(), &records(journal.head(), 1)).unwrap();
    }
}
