//! The contract of a journal as checks. Every journal passes the same ones; what is promised in the traits
//! is tried here, and what is not tried here is not promised.
//!
//! To add a promise: a function here, called from `run`.

use synod_core::kernel::{Digest, Seq};

use crate::{Error, Head, Journal, Record, Term};

/// Opens one journal for writing, again and again, past whatever keeps two writers apart.
pub type Opener = Box<dyn Fn() -> Box<dyn Journal>>;

/// Checks the whole contract on journals from `found`, each of them new. Panics at the first promise that is not
/// kept.
pub fn run(found: impl Fn() -> Opener) {
    let make = || found()();
    begins_empty(&*make());
    keeps_what_it_is_given(&mut *make());
    reads_in_pages(&mut *make());
    expects_its_head(&mut *make());
    keeps_all_or_nothing(&mut *make());
    shows_readers_whole_appends(&mut *make());
    lets_readers_outlive_it(make());
    replaces_bodies(&mut *make());
    keeps_ten_thousand(&mut *make());
    counts_its_writers(&found());
    fences_whoever_came_before(&found());
    hands_over_under_load(&found());
}

/// Records that follow `head`, with some text of every kind that could trip a store.
fn records(head: Head, count: u64) -> Vec<Record> {
    let mut prev = head;
    (0..count)
        .map(|_| {
            let seq = prev.seq.next();
            let body = format!(r#"{{"prev":"{}","seq":{seq},"text":"\"ça\" 😀 \\n 'x'; --"}}"#, prev.hash);
            let record = Record { seq, hash: Digest::of(body.as_bytes()), body, redacted: false };
            prev = record.head();
            record
        })
        .collect()
}

fn begins_empty(journal: &dyn Journal) {
    assert_eq!(journal.head(), Head::default(), "an empty journal has the default head");
    let reader = journal.reader().expect("an empty journal has readers");
    assert_eq!(reader.head().unwrap(), Head::default());
    assert_eq!(reader.read(Seq(1), 10).unwrap(), []);
}

fn keeps_what_it_is_given(journal: &mut dyn Journal) {
    let given = records(Head::default(), 3);
    let head = journal.append(Head::default(), &given).unwrap();
    assert_eq!(head, given[2].head(), "append gives the new head");
    assert_eq!(journal.head(), head);
    let reader = journal.reader().unwrap();
    assert_eq!(reader.head().unwrap(), head);
    assert_eq!(reader.read(Seq(1), 10).unwrap(), given);
    assert_eq!(journal.append(head, &[]).unwrap(), head, "no records change nothing");
    assert_eq!(reader.read(Seq(1), 10).unwrap(), given);
}

fn reads_in_pages(journal: &mut dyn Journal) {
    let given = records(Head::default(), 5);
    journal.append(Head::default(), &given).unwrap();
    let reader = journal.reader().unwrap();
    assert_eq!(reader.read(Seq(2), 2).unwrap(), given[1..3], "the first number is included");
    assert_eq!(reader.read(Seq(4), 100).unwrap(), given[3..]);
    assert_eq!(reader.read(Seq(0), usize::MAX).unwrap(), given, "number 0 is before the first");
    assert_eq!(reader.read(Seq(6), 10).unwrap(), []);
    assert_eq!(reader.read(Seq(u64::MAX), usize::MAX).unwrap(), []);
    assert_eq!(reader.read(Seq(1), 0).unwrap(), []);
}

fn expects_its_head(journal: &mut dyn Journal) {
    let first = records(Head::default(), 2);
    let head = journal.append(Head::default(), &first).unwrap();
    let refused =
        |journal: &mut dyn Journal, after: Head, records: &[Record]| match journal.append(after, records) {
            Err(Error::Moved { expected, found }) => assert_eq!((expected, found), (after, head)),
            other => panic!("an append after another head gave {other:?}"),
        };
    refused(journal, Head::default(), &records(Head::default(), 1));
    refused(journal, Head { hash: Digest::of(b"another"), ..head }, &records(head, 1));
    refused(journal, first[0].head(), &[]);
    assert_eq!(journal.head(), head);
    let next = records(head, 1);
    assert_eq!(journal.append(head, &next).unwrap(), next[0].head(), "a refusal leaves the writer usable");
}

fn keeps_all_or_nothing(journal: &mut dyn Journal) {
    let first = records(Head::default(), 1);
    let head = journal.append(Head::default(), &first).unwrap();
    let reader = journal.reader().unwrap();
    let good = records(head, 3);
    let gap = [good[0].clone(), good[2].clone()];
    let twice = [good[0].clone(), good[0].clone()];
    let back = [good[0].clone(), first[0].clone()];
    for bad in [&gap[..], &twice[..], &back[..]] {
        let refused = journal.append(head, bad);
        assert!(matches!(refused, Err(Error::Order { expected: Seq(3), .. })), "{refused:?}");
        assert_eq!(journal.head(), head);
        assert_eq!(reader.head().unwrap(), head);
        assert_eq!(reader.read(Seq(1), 10).unwrap(), first, "of a bad batch nothing is kept");
    }
    journal.append(head, &good).expect("a refusal leaves the writer usable");
}

fn shows_readers_whole_appends(journal: &mut dyn Journal) {
    let before = journal.reader().unwrap();
    std::thread::scope(|scope| {
        let watcher = scope.spawn(move || {
            let mut seen = Seq(0);
            while seen < Seq(500) {
                let head = before.head().unwrap();
                assert!(head.seq >= seen, "a reader never goes back");
                assert_eq!(head.seq.0 % 5, 0, "a reader saw part of an append");
                assert_eq!(before.read(Seq(1), 1000).unwrap().len() % 5, 0, "a reader saw part of an append");
                seen = head.seq;
            }
        });
        for _ in 0..100 {
            let head = journal.head();
            journal.append(head, &records(head, 5)).unwrap();
        }
        watcher.join().expect("a reader opened before sees what is appended later");
    });
}

fn lets_readers_outlive_it(mut journal: Box<dyn Journal>) {
    let given = records(Head::default(), 4);
    journal.append(Head::default(), &given).unwrap();
    let reader = journal.reader().unwrap();
    drop(journal);
    assert_eq!(reader.read(Seq(1), 10).unwrap(), given);
}

fn replaces_bodies(journal: &mut dyn Journal) {
    let given = records(Head::default(), 4);
    let head = journal.append(Head::default(), &given).unwrap();
    let reader = journal.reader().unwrap();
    for bad in [Seq(0), Seq(5)] {
        let refused = journal.redact(&[(Seq(2), "gone".into()), (bad, "gone".into())]);
        assert!(matches!(refused, Err(Error::NoAct { seq }) if seq == bad), "{refused:?}");
        assert_eq!(reader.read(Seq(1), 10).unwrap(), given, "of a bad redaction nothing is done");
    }
    journal.redact(&[(Seq(2), "ça".into()), (Seq(4), String::new())]).unwrap();
    journal.redact(&[]).expect("nothing more to do is no error");
    let mut expected = given.clone();
    for (seq, body) in [(2, "ça"), (4, "")] {
        expected[seq - 1].body = body.into();
        expected[seq - 1].redacted = true;
    }
    assert_eq!(reader.read(Seq(1), 10).unwrap(), expected, "hashes stay, bodies go, marks are set");
    assert_eq!((journal.head(), reader.head().unwrap()), (head, head));
    journal.append(head, &records(head, 1)).expect("the writer goes on");
    journal.redact(&[(Seq(2), "again".into())]).expect("a body can be replaced once more");
    assert_eq!(reader.read(Seq(2), 1).unwrap()[0].body, "again");
}

fn keeps_ten_thousand(journal: &mut dyn Journal) {
    let given = records(Head::default(), 10_000);
    for batch in given.chunks(500) {
        journal.append(journal.head(), batch).unwrap();
    }
    let reader = journal.reader().unwrap();
    assert_eq!(reader.head().unwrap(), given[9_999].head());
    for (page, expected) in given.chunks(1000).enumerate() {
        assert!(reader.read(Seq(page as u64 * 1000 + 1), 1000).unwrap() == expected, "page {page} differs");
    }
}

fn counts_its_writers(open: &Opener) {
    for term in 1..=3 {
        let mut journal = open();
        assert_eq!(journal.term(), Term(term), "each writer gets the next term");
        let head = journal.head();
        journal.append(head, &records(head, 1)).expect("the last term writes");
        assert_eq!(journal.term(), Term(term), "a term stays");
    }
}

fn fences_whoever_came_before(open: &Opener) {
    let mut first = open();
    let given = records(Head::default(), 2);
    let head = first.append(Head::default(), &given).unwrap();
    let mut second = open();
    assert_eq!((first.term(), second.term(), second.head()), (Term(1), Term(2), head));
    let fenced = |refused: Result<(), Error>, last: Term| match refused {
        Err(Error::Fenced { term, by }) => assert_eq!((term, by.term), (Term(1), Some(last))),
        other => panic!("a stale writer was told {other:?}"),
    };
    let next = records(head, 3);
    fenced(first.append(head, &next[..2]).map(drop), Term(2));
    fenced(first.redact(&[(Seq(1), "gone".into())]), Term(2));
    let reader = second.reader().unwrap();
    assert_eq!(reader.read(Seq(1), 10).unwrap(), given, "nothing of a stale writer is kept");

    // What the stale one could not write, the other can, once.
    let head = second.append(head, &next).expect("the last term writes");
    let all = [given, next].concat();
    fenced(first.append(all[1].head(), &all[2..3]).map(drop), Term(2));
    drop(second);
    fenced(first.append(all[1].head(), &all[2..3]).map(drop), Term(2));
    let third = open();
    assert_eq!((third.term(), third.head()), (Term(3), head), "that the other ended changes nothing");
    fenced(first.append(all[1].head(), &all[2..3]).map(drop), Term(3));
    assert_eq!(reader.read(Seq(1), 10).unwrap(), all);
}

fn hands_over_under_load(open: &Opener) {
    let mut first = open();
    let reader = first.reader().unwrap();
    std::thread::scope(|scope| {
        let writing = scope.spawn(move || {
            let mut acknowledged = Head::default();
            loop {
                match first.append(acknowledged, &records(acknowledged, 3)) {
                    Ok(head) => acknowledged = head,
                    Err(Error::Fenced { .. }) => return acknowledged,
                    Err(other) => panic!("a writer under load was told {other:?}"),
                }
            }
        });
        while reader.head().unwrap().seq < Seq(30) {
            std::thread::yield_now();
        }
        let mut second = open();
        let taken = second.head();
        let acknowledged = writing.join().expect("the first writer is fenced");
        assert_eq!(taken, acknowledged, "the next term begins where the last acknowledged act ended");
        second.append(taken, &records(taken, 3)).expect("the last term writes");
        assert_eq!(reader.read(Seq(1), usize::MAX).unwrap().len() as u64, taken.seq.0 + 3);
    });
}
