//! Words taken out of the record through the one writer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use synod_core::kernel::REDACTED;
use synod_core::kernel::{Actor, AskId, Seq};
use synod_core::meter::Limits;
use synod_core::{Act, Command, House, Outcome};
use synod_engine::{Engine, Fault, Order, fold, replay};
use synod_journal::{
    Error, Head, Journal, JournalReader, LockHolder, Memory, Record, Sqlite, SqliteReader, Term, survey,
};

use crate::minds::{Way, council, give, open, settle, start};

/// A journal that fails between the act that declares a redaction and the redaction.
struct Interrupted {
    inner: Memory,
    crash: Arc<AtomicBool>,
}

impl Journal for Interrupted {
    fn term(&self) -> Term {
        self.inner.term()
    }

    fn head(&self) -> Head {
        self.inner.head()
    }

    fn append(&mut self, after: Head, records: &[Record]) -> Result<Head, Error> {
        self.inner.append(after, records)
    }

    fn redact(&mut self, bodies: &[(Seq, String)]) -> Result<(), Error> {
        match self.crash.load(Ordering::SeqCst) {
            true => Err(Error::Dead { path: "interrupted".into() }),
            false => self.inner.redact(bodies),
        }
    }

    fn reader(&self) -> Result<Box<dyn JournalReader>, Error> {
        self.inner.reader()
    }
}

fn code(act: Option<Arc<Act>>) -> String {
    match &act.expect("an act was kept").outcome {
        Outcome::Done(_) => "done".into(),
        Outcome::Refused { code, .. } => code.clone(),
    }
}

fn topic(engine: &Engine, matter: synod_core::kernel::MatterId) -> String {
    engine.read(|house| house.case(matter).unwrap().opening.question.topic.to_string())
}

#[tokio::test]
async fn a_matter_loses_its_words_and_the_record_holds() {
    let dir = tempfile::tempdir().unwrap();
    let (seats, minds, _) = council(&[Way::AtOnce, Way::After(1), Way::Fails]);
    let journal = Sqlite::open(dir.path(), &LockHolder::this_process("test")).unwrap();
    let engine = start(Box::new(journal), minds, &seats).await;
    let (kept, _) = settle(&engine, open(&seats, Limits::default(), 1000)).await;
    let (matter, before) = settle(&engine, open(&seats, Limits::default(), 1000)).await;
    let done = engine.redact(matter).await.unwrap();
    assert!(done.acts > 6, "{done:?}");
    assert_eq!(code(done.act), "done");
    assert_eq!((topic(&engine, matter).as_str(), topic(&engine, kept).as_str()), (REDACTED, "Shall we?"));
    assert_eq!(engine.read(|house| house.case(matter).unwrap().status()), before);
    let reader = SqliteReader::open(dir.path()).unwrap();
    let (house, _) = fold(&reader).unwrap();
    assert!(engine.read(|shown| *shown == house), "the journal gives the house that is shown");
    let replayed = replay(&reader).unwrap().unwrap();
    assert_eq!(replayed.redacted, done.acts as u64);
    let (other, _) = settle(&engine, open(&seats, Limits::default(), 1000)).await;
    assert_eq!(topic(&engine, other), "Shall we?", "the engine goes on");
    let again = engine.redact(matter).await.unwrap();
    assert!(again.act.is_none() && again.acts == 0, "{again:?}");
}

#[tokio::test]
async fn what_is_not_over_or_not_there_is_refused() {
    let (seats, minds, _) = council(&[Way::Never]);
    let engine = start(Box::new(Memory::new()), minds, &seats).await;
    let act = engine.submit(open(&seats, Limits::default(), 600_000)).await.unwrap().act;
    let matter = synod_core::kernel::MatterId(synod_core::kernel::Id { act: act.seq, nth: 0 });
    assert_eq!(code(engine.redact(matter).await.unwrap().act), "matter/wrong-status");
    assert_eq!(code(engine.redact("m999".parse().unwrap()).await.unwrap().act), "matter/unknown");
    give(&engine, Command::Stop { matter }).await;
    assert_eq!(code(engine.redact(matter).await.unwrap().act), "done");
}

#[tokio::test]
async fn a_crash_after_the_act_leaves_what_can_be_finished() {
    let crash = Arc::new(AtomicBool::new(false));
    let journal = Interrupted { inner: Memory::new(), crash: crash.clone() };
    let reader = journal.reader().unwrap();
    let (seats, minds, _) = council(&[Way::AtOnce; 2]);
    let engine = start(Box::new(journal), minds, &seats).await;
    let (matter, _) = settle(&engine, open(&seats, Limits::default(), 1000)).await;
    let (other, _) = settle(&engine, open(&seats, Limits::default(), 1000)).await;
    crash.store(true, Ordering::SeqCst);
    assert!(matches!(engine.redact(matter).await, Err(Fault::Journal(Error::Dead { .. }))));
    assert_eq!(topic(&engine, matter), REDACTED, "the house has forgotten");
    assert_eq!(replay(&*reader).unwrap().unwrap().redacted, 0, "the journal has not");
    assert_eq!(survey(&*reader, None).unwrap().unfinished.into_iter().collect::<Vec<_>>(), [matter]);
    crash.store(false, Ordering::SeqCst);
    let done = engine.redact(other).await.unwrap();
    assert_eq!(code(done.act), "done");
    let found = survey(&*reader, None).unwrap();
    assert_eq!((found.redacted, found.unfinished.len()), (done.acts as u64, 0), "both are finished");
    assert!(engine.read(|house| *house == fold(&*reader).unwrap().0));
}

#[tokio::test]
async fn an_answer_that_comes_later_still_can_be_redacted_too() {
    let (seats, minds, _) = council(&[Way::AtOnce]);
    let engine = start(Box::new(Memory::new()), minds, &seats).await;
    let (matter, _) = settle(&engine, open(&seats, Limits::default(), 1000)).await;
    let ask: AskId = engine.read(|house| house.case(matter).unwrap().said[0].ask);
    engine.redact(matter).await.unwrap();
    let command = Command::Answer { ask, salt: None, text: "too late".into(), call: Box::default() };
    let order = Order { by: Actor::Seat(seats[0].who.clone()), key: None, command, vouched: None };
    assert!(matches!(engine.submit(order).await.unwrap().act.outcome, Outcome::Refused { .. }));
    let done = engine.redact(matter).await.unwrap();
    assert_eq!((done.acts, code(done.act)), (1, "done".into()));
}

#[tokio::test]
async fn under_load_nothing_comes_between() {
    let (seats, minds, _) = council(&[Way::AtOnce; 3]);
    let journal = Memory::new();
    let reader = journal.reader().unwrap();
    let engine = Arc::new(start(Box::new(journal), minds, &seats).await);
    let (matter, _) = settle(&engine, open(&seats, Limits::default(), 1000)).await;
    let mut flying = tokio::task::JoinSet::new();
    for nth in 0..400 {
        let (engine, order) = (engine.clone(), open(&seats, Limits::default(), 60_000));
        flying.spawn(async move {
            match nth {
                200 => drop(engine.redact(matter).await.unwrap()),
                _ => drop(engine.submit(order).await.unwrap()),
            }
        });
    }
    while let Some(done) = flying.join_next().await {
        done.unwrap();
    }
    let asked = |house: &House| house.cases().filter(|case| case.status().word() == "running").count();
    while engine.read(asked) > 0 {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    let whole = fold(&*reader).unwrap().0;
    let all: Vec<_> = whole.cases().map(|case| case.id).collect();
    assert!(engine.read(|house| all.iter().any(|matter| house.is_away(*matter))), "more than stay in memory");
    assert!(engine.read_with(all, |house| *house == whole).unwrap());
    assert!(replay(&*reader).unwrap().unwrap().redacted > 0);
}
