//! Sealing and opening, without a store.

use synod_core::kernel::{Actor, At, Digest, Seq};
use synod_journal::chain::{FORMAT, open, seal};
use synod_journal::{Broken, Error, Head, Journal as _, Memory, Record, canon, chain};

use crate::sample::{act, records};

#[test]
fn what_was_sealed_opens() {
    let mut head = Head::default();
    for seq in 1..=3 {
        let record = seal(head, &act(seq)).unwrap();
        assert_eq!(open(head, &record), Ok(act(seq)));
        head = record.head();
    }
}

#[test]
fn an_outsider_needs_a_hash_and_a_parser() {
    let [first, second] = &records(Head::default(), 2)[..] else { panic!() };
    assert_eq!(Digest::of(second.body.as_bytes()), second.hash);
    let fields: serde_json::Value = serde_json::from_str(&second.body).unwrap();
    assert_eq!(fields["prev"], first.hash.to_string());
    assert_eq!((&fields["seq"], &fields["v"], &fields["by"]), (&2.into(), &1.into(), &"seat:bob".into()));
    assert_eq!(second.body, serde_json_canonicalizer::to_string(&fields).unwrap());
}

#[test]
fn author_and_time_are_in_the_hash() {
    let honest = seal(Head::default(), &act(1)).unwrap();
    let author = seal(Head::default(), &synod_core::Act { by: Actor::Operator, ..act(1) }).unwrap();
    let time = seal(Head::default(), &synod_core::Act { at: At(1), ..act(1) }).unwrap();
    assert!(honest.hash != author.hash && honest.hash != time.hash && author.hash != time.hash);
}

#[test]
fn what_cannot_be_recorded_is_refused() {
    // No act can hold a float today; should one ever, it is refused in these words.
    let float = Error::Unsealable { seq: Seq(1), why: canon::to_string(&[0.7]).unwrap_err() };
    assert!(float.to_string().starts_with("act 1 cannot be recorded: 0.7 is a float"), "{float}");
    let late = synod_core::Act { at: At(1 << 53), ..act(1) };
    assert!(matches!(
        seal(Head::default(), &late),
        Err(Error::Unsealable { why: canon::CanonError::Large(9_007_199_254_740_992), .. })
    ));
    assert!(matches!(seal(Head::default(), &act(2)), Err(Error::Order { expected: Seq(1), found: Seq(2) })));
}

/// A record with any body and the hash that fits it.
fn record(body: &str) -> Record {
    Record { seq: Seq(1), body: body.into(), hash: Digest::of(body.as_bytes()), redacted: false }
}

#[test]
fn what_fits_its_hash_must_still_be_an_act() {
    let honest = seal(Head::default(), &act(1)).unwrap().body;
    let swapped = |from: &str, to: &str| {
        assert!(honest.contains(from));
        open(Head::default(), &record(&honest.replacen(from, to, 1))).unwrap_err()
    };
    assert_eq!(
        swapped(r#""v":1}"#, r#""v":2}"#),
        Broken::Newer { seq: Seq(1), found: 2, known: FORMAT },
        "a newer format asks for an upgrade"
    );
    for (from, to, why) in [
        (r#""v":1}"#, r#""v":0}"#, "there is no format 0"),
        (r#""v":1}"#, r#""x":1}"#, "missing field `v`"),
        (r#""at":"#, r#""at": "#, "not canonical JSON at byte 6: a blank outside text"),
        (r#"{"at""#, r#"{"zz":0,"at""#, "the keys of a map are out of order, or one stands twice"),
        (r#""by":"seat:ann""#, r#""by":"nobody""#, "unknown actor `nobody`"),
    ] {
        match swapped(from, to) {
            Broken::NotAnAct { why: found, .. } => assert!(found.contains(why), "{found}"),
            other => panic!("{to} gave {other:?}"),
        }
    }
    for junk in ["", "act", "[]", "{}", &"[".repeat(100_000)] {
        assert!(matches!(open(Head::default(), &record(junk)), Err(Broken::NotAnAct { .. })));
    }
}

#[test]
fn a_walk_takes_pages_and_stops_when_told() {
    let mut journal = Memory::new();
    journal.append(Head::default(), &records(Head::default(), 2500)).unwrap();
    let reader = journal.reader().unwrap();
    let mut last = Seq(0);
    let head = chain::walk(&*reader, Head::default(), |act, record| {
        assert_eq!((act.seq, record.seq), (last.next(), last.next()));
        last = act.seq;
        Ok::<(), Error>(())
    });
    assert_eq!(head.unwrap(), journal.head());
    let stopped = chain::walk(&*reader, Head::default(), |act, _| match act.seq {
        Seq(1200) => Err(Error::NoHouse { dir: "enough".into() }),
        _ => Ok(()),
    });
    assert!(matches!(stopped, Err(Error::NoHouse { .. })));
}
