//! Bytes are frozen: a line that was ever written opens for ever, and to the same act.
//! Each line of the corpus is a body; each follows the one before. Lines are added, never changed.

use synod_core::kernel::{Digest, Seq};
use synod_journal::{Head, Record, chain};

#[test]
fn every_frozen_line_opens() {
    let mut head = Head::default();
    for line in include_str!("../corpus/v1.jsonl").lines() {
        let record = Record { seq: head.seq.next(), body: line.into(), hash: Digest::of(line.as_bytes()) };
        let act = chain::open(head, &record).unwrap_or_else(|broken| panic!("{broken}\n{line}"));
        assert_eq!(chain::seal(head, &act).unwrap(), record, "format 1 is still what is written");
        head = record.head();
    }
    assert_eq!(head.seq, Seq(3));
    assert_eq!(head.hash.to_string(), FROZEN, "a line was changed");
}

/// The hash of the last line, and so of all.
const FROZEN: &str = "211c77e7f08167ce7f786eb6680b1c3c58faa05c4a80387f1a212a74f10a44c7";
