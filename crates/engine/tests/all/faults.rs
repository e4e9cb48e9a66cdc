//! A fault of the world never decides: what a locked database or a clock that was set does to matters that run.

use std::path::Path;
use std::time::{Duration, Instant};

use rusqlite::Connection;
use synod_core::event::{HouseEvent, TimeAdjusted};
use synod_core::kernel::{Actor, At, Decision, Key, MatterId, Seat, SeatKind, Seq, Who};
use synod_core::matter::{Pause, Status};
use synod_core::meter::Limits;
use synod_core::{Act, Command, Event, House};
use synod_engine::{Engine, EngineOptions, Order, fold, now};
use synod_journal::{Head, Journal as _, LockHolder, Sqlite, SqliteReader, chain, mark};

use crate::minds::{Way, council, end_of, give, open, start, start_with};

const DAY_MS: u64 = 24 * 60 * 60 * 1000;

fn journal(dir: &Path) -> Sqlite {
    Sqlite::open(dir, &LockHolder::this_process("test")).unwrap()
}

/// Another program that has the database locked, until it is dropped.
fn lock(dir: &Path) -> Connection {
    let other = Connection::open(dir.join("journal.db")).unwrap();
    other.busy_timeout(Duration::from_secs(5)).unwrap();
    other.execute_batch("BEGIN EXCLUSIVE").unwrap();
    other
}

fn acts(dir: &Path) -> Vec<Act> {
    let mut acts = Vec::new();
    let reader = SqliteReader::open(dir).unwrap();
    chain::walk(&reader, Head::default(), |act, _| {
        acts.push(act);
        Ok::<(), synod_journal::Error>(())
    })
    .unwrap();
    acts
}

fn adjusted(acts: &[Act]) -> Vec<TimeAdjusted> {
    let of = |event: &Event| match event {
        Event::House(HouseEvent::TimeAdjusted(adjusted)) => Some(adjusted.clone()),
        _ => None,
    };
    acts.iter().flat_map(Act::events).filter_map(of).collect()
}

/// A matter runs while the database is locked for longer than any turn may take.
async fn through_a_lock(limits: Limits) {
    let dir = tempfile::tempdir().unwrap();
    let (seats, minds, calls) = council(&[Way::After(150), Way::After(200), Way::After(250)]);
    let engine = start(Box::new(journal(dir.path())), minds, &seats).await;
    let mut feed = engine.feed(engine.read(House::seq).next()).await.unwrap();
    let mut stall = engine.stall();
    let act = engine.submit(open(&seats, limits, 3_000)).await.unwrap().act;
    let matter = MatterId(synod_core::kernel::Id { act: act.seq, nth: 0 });
    let held = lock(dir.path());
    let freed = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_secs(7));
        drop(held);
    });
    tokio::time::timeout(Duration::from_secs(10), stall.wait_for(Option::is_some)).await.unwrap().unwrap();
    let said = stall.borrow().clone().unwrap().said;
    assert!(said.contains("another program has the file locked"), "{said}");
    assert_eq!(
        mark::stalled(dir.path()).unwrap().said,
        said.lines().next().unwrap(),
        "other processes can tell"
    );
    end_of(&mut feed, matter).await;
    freed.join().unwrap();
    assert!(stall.borrow().is_none(), "it says when it is over");
    assert!(mark::stalled(dir.path()).is_none());
    engine.read(|house| {
        let case = house.case(matter).unwrap();
        assert_eq!(case.status(), Status::Settled(Decision::Passed { option: None }));
        assert!(case.lapses.is_empty(), "{:?}", case.lapses);
        assert_eq!(house.upkeep().stalls, 1);
    });
    assert_eq!(calls.load(std::sync::atomic::Ordering::SeqCst), 6, "what was answered is not asked again");
    engine.end();
    let adjusted = adjusted(&acts(dir.path()));
    assert_eq!(adjusted.len(), 1, "{adjusted:?}");
    assert!(adjusted[0].stalled_ms > 5_000 && adjusted[0].jumped_ms == 0, "{adjusted:?}");
    assert!(adjusted[0].cause.as_ref().unwrap().contains("locked"), "{adjusted:?}");
}

#[tokio::test]
async fn a_locked_database_decides_nothing() {
    through_a_lock(Limits::default()).await;
}

#[tokio::test]
async fn a_locked_database_decides_nothing_where_calls_wait_for_a_budget() {
    through_a_lock(Limits { calls: Some(100), ..Limits::default() }).await;
}

#[tokio::test]
async fn an_engine_that_gives_up_leaves_a_matter_to_resume_and_says_why() {
    let dir = tempfile::tempdir().unwrap();
    let (seats, minds, _) = council(&[Way::After(100), Way::After(100)]);
    let options = EngineOptions { write_patience: Some(Duration::ZERO), ..EngineOptions::default() };
    let engine = start_with(Box::new(journal(dir.path())), minds, &seats, options).await;
    let mut feed = engine.feed(engine.read(House::seq).next()).await.unwrap();
    let act = engine.submit(open(&seats, Limits::default(), 600_000)).await.unwrap().act;
    let matter = MatterId(synod_core::kernel::Id { act: act.seq, nth: 0 });
    let held = lock(dir.path());
    let ended = async { while feed.next().await.unwrap().is_some() {} };
    tokio::time::timeout(Duration::from_secs(25), ended).await.expect("it does not wait for ever");
    assert!(engine.trouble().to_string().contains("locked"), "{}", engine.trouble());
    engine.end();
    drop(held);
    assert!(mark::stalled(dir.path()).is_some(), "whoever looks can tell why it stands still");

    let (seats, minds, _) = council(&[Way::After(1), Way::After(1)]);
    let engine = start(Box::new(journal(dir.path())), minds, &seats).await;
    let status = |engine: &Engine| engine.read(|house| house.case(matter).unwrap().status());
    assert_eq!(status(&engine), Status::Paused(Pause::Interrupted));
    assert!(mark::stalled(dir.path()).is_none());
    let mut feed = engine.feed(engine.read(House::seq).next()).await.unwrap();
    give(&engine, Command::Resume { matter }).await;
    end_of(&mut feed, matter).await;
    assert_eq!(status(&engine), Status::Settled(Decision::Passed { option: None }));
    engine.end();
    let causes: Vec<String> = adjusted(&acts(dir.path())).into_iter().filter_map(|note| note.cause).collect();
    assert!(causes.iter().any(|cause| cause.contains("locked")), "the record says why: {causes:?}");
}

fn enrol(name: &str) -> Command {
    let seat = Seat {
        who: Who::parse(name).unwrap(),
        name: name.into(),
        kind: SeatKind::Person,
        backend: "person".into(),
        model: None,
        persona: None,
        profile: None,
    };
    Command::Enrol { seat }
}

/// An act that a process recorded whose clock said something else.
fn recorded_at(dir: &Path, at: At, name: &str) -> Seq {
    let mut journal = journal(dir);
    let (house, head) = fold(&SqliteReader::open(dir).unwrap()).unwrap();
    let (act, _) = house.judge(at, Actor::Operator, None, enrol(name));
    let record = chain::seal(head, &act).unwrap();
    journal.append(head, &[record]).unwrap().seq
}

/// How long it takes until a seat that never answers is given up.
async fn time_out(engine: &Engine, seats: &[Seat]) -> Duration {
    let begun = Instant::now();
    let mut feed = engine.feed(engine.read(House::seq).next()).await.unwrap();
    let act = engine.submit(open(seats, Limits::default(), 1_500)).await.unwrap().act;
    end_of(&mut feed, MatterId(synod_core::kernel::Id { act: act.seq, nth: 0 })).await;
    begun.elapsed()
}

#[tokio::test]
async fn after_one_act_two_days_ahead_time_outs_fire_and_no_key_acts_twice() {
    let dir = tempfile::tempdir().unwrap();
    let (seats, minds, _) = council(&[Way::Never]);
    let engine = start(Box::new(journal(dir.path())), minds, &seats).await;
    let keyed = || Order { key: Some(Key("once".into())), ..Order::operator(enrol("ann")) };
    let first = engine.submit(keyed()).await.unwrap();
    engine.end();
    recorded_at(dir.path(), now().plus(2 * DAY_MS), "ahead");
    for opening in 0..2 {
        let (seats, minds, _) = council(&[Way::Never]);
        let engine = start(Box::new(journal(dir.path())), minds, &seats).await;
        let again = engine.submit(keyed()).await.unwrap();
        assert!(again.repeated && again.act.seq == first.act.seq, "a clock must not make it act again");
        let took = time_out(&engine, &seats).await;
        assert!(took >= Duration::from_millis(1_400), "opening {opening}: {took:?}");
        engine.read(|house| {
            assert_eq!(house.upkeep().jumps, 1, "it is noted once");
            let off = house.upkeep().ahead_ms - i64::try_from(2 * DAY_MS).unwrap();
            assert!(off.abs() < 60_000, "the record says how far ahead it is: {off}");
        });
        engine.end();
    }
    let jumped = adjusted(&acts(dir.path()))[0].jumped_ms;
    assert!(jumped < -172_000_000, "it went back by two days: {jumped}");
}

#[tokio::test]
async fn a_clock_that_is_set_ahead_between_two_openings_lets_nothing_lapse() {
    let dir = tempfile::tempdir().unwrap();
    let (seats, minds, _) = council(&[Way::Never]);
    let engine = start(Box::new(journal(dir.path())), minds, &seats).await;
    engine.end();
    let aside = tempfile::tempdir().unwrap();
    // The same house as if all this had happened two days ago by its own time, and a moment ago by the machine's.
    let mut other = journal(aside.path());
    let mut house = House::default();
    let mut head = Head::default();
    for act in acts(dir.path()) {
        let at = At(act.at.0 - 2 * DAY_MS);
        let (act, after) = house.judge(at, act.by, act.key, act.command);
        let record = chain::seal(head, &act).unwrap();
        head = other.append(head, &[record]).unwrap();
        house = after;
    }
    drop(other);
    let (seats, minds, _) = council(&[Way::Never]);
    let engine = start(Box::new(journal(aside.path())), minds, &seats).await;
    engine.read(|house| {
        assert!(
            now().since(house.now()) > DAY_MS,
            "the time of the house goes on as it was: {}",
            house.now()
        );
        assert_eq!(house.upkeep().jumps, 1);
        assert!(house.upkeep().last_jump.unwrap().2 > 172_000_000, "{:?}", house.upkeep());
    });
    assert!(time_out(&engine, &seats).await >= Duration::from_millis(1_400));
}
