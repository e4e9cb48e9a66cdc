//! Acts and houses to try things on.

use std::io::Write as _;
use std::path::Path;

use synod_core::kernel::{
    Actor, AskId, At, Call, Choice, Contribution, ContributionKind, Digest, How, Key, Nano, Permille,
};
use synod_core::kernel::{Response, Seq, Usage, Who};
use synod_core::{Act, Command, Event, Outcome, gate, meter};
use synod_journal::{Error, Head, Journal, JournalReader, LockHolder, Record, Sqlite, SqliteReader, chain};
use tempfile::TempDir;

/// The act with this number: a seat's answer and what came of it, about a kilobyte.
pub(crate) fn act(seq: u64) -> Act {
    let who = Who::parse(if seq.is_multiple_of(2) { "bob" } else { "ann" }).expect("a good name");
    let at = At(1_763_200_000_000 + seq);
    let ask = AskId("57.2".parse().expect("an id"));
    let reasoning =
        format!("Answer {seq}: \"rest\" would double the calls,\nsee api.md:10-14. ça 😀 ").repeat(2);
    let said = serde_json::json!({ "stance": "YES", "reasoning": reasoning, "confidence": "70%" });
    let call = Box::new(call());
    let response = Response {
        stance: Some(Choice::Yes),
        reasoning: Some(reasoning.trim().into()),
        confidence: Permille::new(700),
        ..Response::default()
    };
    let contribution = Contribution {
        ask,
        at,
        who: who.clone(),
        round: 2,
        stage: 1,
        response,
        ordered: None,
        how: How::Json,
        kind: ContributionKind::Statement,
        repairs: Vec::new(),
        repeats: false,
        to: None,
        violations: Vec::new(),
    };
    Act {
        seq: Seq(seq),
        at,
        by: Actor::Seat(who),
        key: Some(Key(format!("k-{seq}").into())),
        command: Command::Answer { ask, salt: None, text: said.to_string(), call: call.clone() },
        outcome: Outcome::Done(vec![
            Event::Meter(meter::Event::Spent { ask, call }),
            Event::Gate(gate::Event::Admitted(contribution.into())),
        ]),
        salt: None,
        vouched: None,
    }
}

/// What getting an answer took.
fn call() -> Call {
    let usage = Usage {
        calls: 1,
        tokens_in: Some(1840),
        tokens_cached: Some(1024),
        tokens_out: Some(212),
        cost: Some(Nano(1_234_000)),
    };
    let model = Some("gpt-4.1-mini-2025-04-14".to_string());
    Call { brief: Some(Digest::of(b"a brief")), model, usage, took_ms: 2345, ..Call::default() }
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
    Sqlite::open(dir, &LockHolder::this_process("synod test")).expect("the house opens for writing")
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
