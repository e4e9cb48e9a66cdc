//! A house of an older edition of the rules: it is upgraded when it is opened for writing, and a replay takes what that
//! edition judged as recorded.

use std::collections::BTreeMap;
use std::fs;

use synod_core::kernel::{Actor, Digest};
use synod_core::{Command, edition};
use synod_engine::{Engine, EngineOptions, replay};
use synod_journal::{
    Head, Journal as _, JournalReader as _, LockHolder, Record, Sqlite, SqliteReader, chain,
};

/// A journal that edition 1 wrote, every kind of act in it.
const FIRST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../journal/tests/corpus/v1.jsonl");

fn records() -> Vec<Record> {
    let mut head = Head::default();
    let text = fs::read_to_string(FIRST).unwrap();
    let record = |line: &str| {
        let (body, hash) = (line.into(), Digest::of(line.as_bytes()));
        let record = Record { seq: head.seq.next(), body, hash, redacted: false };
        head = record.head();
        record
    };
    text.lines().map(record).collect()
}

#[tokio::test]
async fn an_older_house_is_upgraded_and_what_it_judged_is_taken_as_recorded() {
    let dir = tempfile::tempdir().unwrap();
    let holder = LockHolder::this_process("a test");
    let mut journal = Sqlite::open(dir.path(), &holder).unwrap();
    let records = records();
    journal.append(journal.head(), &records).unwrap();
    drop(journal);

    let journal = Sqlite::open(dir.path(), &holder).unwrap();
    let engine = Engine::open(Box::new(journal), BTreeMap::new(), EngineOptions::default()).unwrap();
    assert_eq!(engine.read(|house| house.edition()), edition::CURRENT);
    engine.end();

    let reader = SqliteReader::open(dir.path()).unwrap();
    let first = reader.read(records.last().unwrap().head().seq.next(), 1).unwrap().remove(0);
    let act = chain::open(records.last().unwrap().head(), &first).unwrap();
    assert_eq!((act.by, act.command), (Actor::Engine, Command::Upgrade { edition: edition::CURRENT }));
    let replayed = replay(&reader).unwrap().unwrap();
    // Before the house is founded there is a refusal, which is judged again.
    let old = records.len() as u64 - 1;
    assert_eq!(replayed.editions, [(1, old)]);
    assert_eq!(replayed.judged(), replayed.acts - old);
    assert_eq!(replayed.edition, edition::CURRENT);
}
