//! When the world fails: a disk that refuses, an engine that ends in the middle.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use synod_core::kernel::{Decision, Key, Seat, SeatKind, Seq, Who};
use synod_core::matter::{Pause, Status};
use synod_core::meter::Limits;
use synod_core::{Command, House};
use synod_engine::{EngineOptions, Fault, Order, fold};
use synod_journal::{
    Error, Head, Journal, JournalReader, LockHolder, Memory, Record, Sqlite, SqliteReader, Term,
};

use crate::minds::{Way, council, end_of, give, open, start, start_with};

/// A journal on a disk that can be told to refuse.
struct Moody {
    inner: Memory,
    refuse: Arc<AtomicBool>,
}

impl Journal for Moody {
    fn term(&self) -> Term {
        self.inner.term()
    }

    fn head(&self) -> Head {
        self.inner.head()
    }

    fn append(&mut self, after: Head, records: &[Record]) -> Result<Head, Error> {
        if self.refuse.load(Ordering::SeqCst) {
            let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
            return Err(Error::Io {
                doing: "write",
                path: "moody".into(),
                cause: full.to_string(),
                remedy: "make room",
            });
        }
        self.inner.append(after, records)
    }

    fn redact(&mut self, bodies: &[(Seq, String)]) -> Result<(), Error> {
        self.inner.redact(bodies)
    }

    fn reader(&self) -> Result<Box<dyn JournalReader>, Error> {
        self.inner.reader()
    }
}

fn enrol(name: &str) -> Command {
    let who = Who::parse(name).unwrap();
    Command::Enrol {
        seat: Seat {
            who,
            name: name.into(),
            kind: SeatKind::Person,
            backend: "person".into(),
            model: None,
            persona: None,
            profile: None,
        },
    }
}

#[tokio::test]
async fn a_failed_append_is_told_and_leaves_nothing_behind() {
    let refuse = Arc::new(AtomicBool::new(false));
    let journal = Moody { inner: Memory::new(), refuse: refuse.clone() };
    let engine = start(Box::new(journal), council(&[]).1, &[]).await;
    let before = engine.read(House::seq);
    refuse.store(true, Ordering::SeqCst);
    let keyed = |name| Order { key: Some(Key(Arc::from(name))), ..Order::operator(enrol(name)) };
    assert!(matches!(engine.submit(keyed("ann")).await, Err(Fault::Append(_))));
    assert_eq!(engine.read(House::seq), before, "what is not durable is not seen");
    refuse.store(false, Ordering::SeqCst);
    let again = engine.submit(keyed("ann")).await.unwrap();
    assert!(!again.repeated, "a key whose act was lost is free");
    assert_eq!(
        again.act.seq,
        before.next().next(),
        "after the act that says for how long nothing could be written"
    );
    give(&engine, enrol("bob")).await;
}

#[tokio::test]
async fn under_load_a_failed_append_takes_the_batches_judged_on_top_of_it_along() {
    let refuse = Arc::new(AtomicBool::new(false));
    let journal = Moody { inner: Memory::new(), refuse: refuse.clone() };
    let engine = Arc::new(start(Box::new(journal), council(&[]).1, &[]).await);
    let mut flying = tokio::task::JoinSet::new();
    for i in 0..6000 {
        let (engine, refuse) = (engine.clone(), refuse.clone());
        flying.spawn(async move {
            refuse.store(i % 1000 > 900, Ordering::SeqCst);
            let done = engine.submit(Order::operator(enrol(&format!("p{i}")))).await;
            done.ok().map(|done| (i, done.act))
        });
    }
    let mut kept = Vec::new();
    while let Some(done) = flying.join_next().await {
        kept.extend(done.unwrap());
    }
    refuse.store(false, Ordering::SeqCst);
    give(&engine, enrol("last")).await;
    engine.read(|house| {
        for (i, act) in &kept {
            let who = Who::parse(&format!("p{i}")).unwrap();
            assert!(
                house.roster().get(&who).is_some(),
                "{} was acknowledged as act {} and is gone",
                who,
                act.seq
            );
        }
        let enrolled = house.roster().seats().count();
        assert_eq!(enrolled, kept.len() + 1, "what was not acknowledged did not happen");
    });
}

#[tokio::test]
async fn an_answer_that_cannot_be_kept_is_kept_in_mind_until_it_can_be() {
    let refuse = Arc::new(AtomicBool::new(false));
    let journal = Moody { inner: Memory::new(), refuse: refuse.clone() };
    let (seats, minds, calls) = council(&[Way::After(30), Way::After(40)]);
    let engine = start(Box::new(journal), minds, &seats).await;
    let mut feed = engine.feed(engine.read(House::seq).next()).await.unwrap();
    let mut stall = engine.stall();
    let act = engine.submit(open(&seats, Limits::default(), 400)).await.unwrap().act;
    let matter = synod_core::kernel::MatterId(synod_core::kernel::Id { act: act.seq, nth: 0 });
    refuse.store(true, Ordering::SeqCst);
    stall.wait_for(Option::is_some).await.unwrap();
    assert!(stall.borrow().as_ref().unwrap().said.contains("make room"));
    assert!(matches!(engine.submit(Order::operator(enrol("ann"))).await, Err(Fault::Append(_))));
    // Longer than any turn: nobody is charged for it.
    tokio::time::sleep(std::time::Duration::from_millis(900)).await;
    assert_eq!(engine.read(|house| house.case(matter).unwrap().status()), Status::Running);
    refuse.store(false, Ordering::SeqCst);
    end_of(&mut feed, matter).await;
    engine.read(|house| {
        let case = house.case(matter).unwrap();
        assert_eq!(case.status(), Status::Settled(Decision::Passed { option: None }));
        assert!(case.lapses.is_empty(), "{:?}", case.lapses);
    });
    assert_eq!(calls.load(Ordering::SeqCst), 4, "nobody is asked twice");
    assert!(stall.borrow().is_none());
}

#[tokio::test]
async fn an_answer_that_can_never_be_kept_ends_the_engine_instead_of_hanging() {
    let refuse = Arc::new(AtomicBool::new(false));
    let journal = Moody { inner: Memory::new(), refuse: refuse.clone() };
    let (seats, minds, _) = council(&[Way::After(30)]);
    let options = EngineOptions {
        write_patience: Some(std::time::Duration::from_millis(300)),
        ..EngineOptions::default()
    };
    let engine = start_with(Box::new(journal), minds, &seats, options).await;
    let mut feed = engine.feed(engine.read(House::seq).next()).await.unwrap();
    engine.submit(open(&seats, Limits::default(), 600_000)).await.unwrap();
    refuse.store(true, Ordering::SeqCst);
    let ended = tokio::time::timeout(std::time::Duration::from_secs(10), async {
        while let Some(act) = feed.next().await.unwrap() {
            assert!(act.seq.0 > 0);
        }
    });
    ended.await.expect("the feed ends");
    assert!(engine.trouble().to_string().contains("make room"), "{}", engine.trouble());
    assert!(engine.submit(Order::operator(enrol("ann"))).await.is_err());
}

#[tokio::test]
async fn an_engine_whose_house_was_opened_by_another_ends() {
    let dir = tempfile::tempdir().unwrap();
    let journal = || Box::new(Sqlite::open(dir.path(), &LockHolder::this_process("test")).unwrap());
    let engine = start(journal(), council(&[]).1, &[]).await;
    give(&engine, enrol("ann")).await;
    let before = engine.read(House::seq);
    let mut feed = engine.feed(before.next()).await.unwrap();
    std::fs::remove_file(dir.path().join("lock")).unwrap();
    let other = start(journal(), council(&[]).1, &[]).await;
    give(&other, enrol("bob")).await;
    // Somebody waits for this one, and still it is the end: the next would fare no better.
    let refused = engine.submit(Order::operator(enrol("cy"))).await;
    assert!(matches!(&refused, Err(Fault::Fenced(said)) if said.contains("by term 1")), "{refused:?}");
    let last = tokio::time::timeout(std::time::Duration::from_secs(10), feed.next()).await;
    assert!(last.expect("the feed ends").unwrap().is_none(), "nothing happened here any more");
    assert!(matches!(engine.trouble(), Fault::Fenced(_)), "{}", engine.trouble());
    give(&other, enrol("cy")).await;
    let (house, _) = fold(&SqliteReader::open(dir.path()).unwrap()).unwrap();
    assert_eq!(house.roster().seats().count(), 3);
}

#[tokio::test]
async fn an_engine_that_ends_leaves_a_matter_that_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let journal = || Box::new(Sqlite::open(dir.path(), &LockHolder::this_process("test")).unwrap());
    let (seats, minds, calls) = council(&[Way::After(1), Way::After(300_000)]);
    let engine = start(journal(), minds, &seats).await;
    let act = engine.submit(open(&seats, Limits::default(), 600_000)).await.unwrap().act;
    let matter = synod_core::kernel::MatterId(synod_core::kernel::Id { act: act.seq, nth: 0 });
    while engine.read(|house| house.case(matter).unwrap().said.is_empty()) {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    engine.end();
    let (house, _) = fold(&SqliteReader::open(dir.path()).unwrap()).unwrap();
    assert_eq!(house.case(matter).unwrap().status(), Status::Running, "nobody said goodbye");

    let asked = calls.load(Ordering::SeqCst);
    let (seats, minds, calls) = council(&[Way::After(1), Way::After(1)]);
    let engine = start(journal(), minds, &seats).await;
    let status = engine.read(|house| house.case(matter).unwrap().status());
    assert_eq!(status, Status::Paused(Pause::Interrupted), "the next engine notes it before anything else");
    let mut feed = engine.feed(engine.read(House::seq).next()).await.unwrap();
    give(&engine, Command::Resume { matter }).await;
    end_of(&mut feed, matter).await;
    let status = engine.read(|house| house.case(matter).unwrap().status());
    assert_eq!(status, Status::Settled(Decision::Passed { option: None }));
    assert_eq!(asked, 2, "both were asked before");
    assert_eq!(
        calls.load(Ordering::SeqCst),
        3,
        "one draft again and two votes: what was answered is not asked again"
    );
}
