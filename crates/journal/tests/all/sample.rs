//! Acts and houses to try things on.

use std::io::Write as _;
use std::path::Path;

use serde_json::json;
use synod_core::Act;
use synod_core::kernel::Seq;
use synod_journal::{Error, Head, Holder, Journal, Reader, Record, Sqlite, SqliteReader, chain};
use tempfile::TempDir;

/// The act with this number: about a kilobyte, nested as real ones are.
pub(crate) fn act(seq: u64) -> Act {
    let text =
        format!("Act {seq} says: \"rest\" would double the calls,\nsee api.md:10-14. ça 😀 ").repeat(4);
    serde_json::from_value(json!({
        "seq": seq,
        "at": 1_763_200_000_000_u64 + seq,
        "by": if seq.is_multiple_of(2) { "seat:bob" } else { "seat:ann" },
        "key": format!("k-{seq}"),
        "command": {"answer": {
            "ask": "57", "text": text, "confidence": 700,
            "call": {"model": "m", "usage": {"output": 212, "input": 1840}},
        }},
        "outcome": {"done": [
            {"contributed": {"matter": "3", "who": "ann", "text": text, "round": 2}},
            {"floor": {"passed_to": "bob", "until": 1_763_200_120_000_u64}},
        ]},
    }))
    .expect("the sample is an act")
}

/// The records of acts that follow `head`.
pub(crate) fn records(head: Head, count: u64) -> Vec<Record> {
    let mut prev = head;
    (0..count)
        .map(|_| {
            let record = chain::seal(prev, &act(prev.seq.next().0)).expect("the sample can be sealed");
            prev = record.head();
            record
        })
        .collect()
}

pub(crate) fn writer(dir: &Path) -> Sqlite {
    Sqlite::open(dir, &Holder::this_process("synod test")).expect("the house opens for writing")
}

/// A closed house with this many acts.
pub(crate) fn house(acts: u64) -> TempDir {
    let dir = quick_dir();
    let mut journal = writer(dir.path());
    journal.append(Head::default(), &records(Head::default(), acts)).expect("the acts are kept");
    dir
}

/// The acts of the house in `dir`, or the first thing that is wrong with it.
pub(crate) fn verify(dir: &Path) -> Result<Head, Error> {
    let reader = SqliteReader::open(dir)?;
    let head = chain::walk(&reader, Head::default(), |_, _| Ok::<(), Error>(()))?;
    assert_eq!(reader.head()?, head);
    Ok(head)
}

pub(crate) fn seqs(records: &[Record]) -> Vec<Seq> {
    records.iter().map(|record| record.seq).collect()
}

/// A directory in memory where there is one: most tests sync often, and none tests the disk.
pub(crate) fn quick_dir() -> TempDir {
    let memory = Path::new("/dev/shm");
    if memory.is_dir() { TempDir::new_in(memory) } else { TempDir::new() }.expect("a temporary directory")
}

/// A line for the person who runs the tests, past the harness that would swallow it.
pub(crate) fn say(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}
