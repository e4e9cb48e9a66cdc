//! Matters run to their end, whatever their seats do.

use std::sync::atomic::Ordering;

use synod_core::kernel::{Decision, Nano, Seq, UndecidedReason};
use synod_core::matter::Status;
use synod_core::meter::Limits;
use synod_engine::{EngineOptions, replay};
use synod_journal::{LockHolder, Memory, Sqlite, SqliteReader};

use crate::minds::{Way, council, open, settle, start, start_with};

const PASSED: Status = Status::Settled(Decision::Passed { option: None });

#[tokio::test]
async fn seats_that_answer_at_once_need_no_performer() {
    let (seats, minds, calls) = council(&[Way::AtOnce; 3]);
    let engine = start(Box::new(Memory::new()), minds, &seats).await;
    assert_eq!(settle(&engine, open(&seats, Limits::default(), 1000)).await.1, PASSED);
    assert_eq!(calls.load(Ordering::SeqCst), 0, "nothing was awaited");
}

#[tokio::test]
async fn a_silent_and_a_broken_seat_leave_the_others_intact() {
    let (seats, minds, _) =
        council(&[Way::After(1), Way::Never, Way::Fails, Way::After(20), Way::AtOnce, Way::After(5)]);
    let engine = start(Box::new(Memory::new()), minds, &seats).await;
    let (id, status) = settle(&engine, open(&seats, Limits::default(), 150)).await;
    assert_eq!(status, PASSED);
    engine.read(|house| {
        let case = house.case(id).unwrap();
        let causes: Vec<_> =
            case.lapses.iter().map(|lapse| (lapse.who.as_str(), lapse.cause.code.as_str())).collect();
        assert!(causes.contains(&("seat-1", "ask/late")), "{causes:?}");
        assert!(causes.contains(&("seat-2", "backend/unreachable")), "{causes:?}");
        assert!(causes.iter().all(|(who, _)| ["seat-1", "seat-2"].contains(who)), "{causes:?}");
    });
}

#[tokio::test]
async fn the_budget_is_asked_before_each_call_and_never_overdrawn() {
    let (seats, minds, calls) = council(&[Way::After(1); 6]);
    let engine = start(Box::new(Memory::new()), minds, &seats).await;
    let limits = Limits { calls: Some(8), ..Limits::default() };
    let (id, status) = settle(&engine, open(&seats, limits, 1000)).await;
    assert_eq!(
        status,
        Status::Settled(Decision::Undecided(UndecidedReason::Quorum)),
        "six drafts and two votes were paid for"
    );
    assert_eq!(calls.load(Ordering::SeqCst), 8);
    let spent = engine.read(|house| house.case(id).unwrap().meter.spent());
    assert_eq!((spent.calls, spent.cost), (8, Nano(80)));
}

#[tokio::test]
async fn many_matters_run_side_by_side_on_disk_and_replay_to_the_same_head() {
    let dir = tempfile::tempdir().unwrap();
    let (seats, minds, _) = council(&[Way::After(1), Way::AtOnce, Way::After(3)]);
    let journal = Sqlite::open(dir.path(), &LockHolder::this_process("test")).unwrap();
    let engine = std::sync::Arc::new(start(Box::new(journal), minds, &seats).await);
    let mut running = tokio::task::JoinSet::new();
    for _ in 0..40 {
        let (engine, seats) = (engine.clone(), seats.clone());
        running.spawn(async move { settle(&engine, open(&seats, Limits::default(), 5000)).await.1 });
    }
    while let Some(status) = running.join_next().await {
        assert_eq!(status.unwrap(), PASSED);
    }
    drop(std::sync::Arc::into_inner(engine).unwrap());
    let replayed = replay(&SqliteReader::open(dir.path()).unwrap()).unwrap().unwrap();
    assert!(replayed.head.seq > Seq(40 * 7), "{replayed:?}");
}

/// However many a round asks, only so many calls are under way in one process.
#[tokio::test]
async fn only_so_many_calls_at_once_in_one_process() {
    let (seats, minds, calls) = council(&[Way::After(100); 6]);
    let options = EngineOptions { at_once: 2, ..EngineOptions::default() };
    let engine = start_with(Box::new(Memory::new()), minds, &seats, options).await;
    let begun = std::time::Instant::now();
    assert_eq!(settle(&engine, open(&seats, Limits::default(), 60_000)).await.1, PASSED);
    assert_eq!(calls.load(Ordering::SeqCst), 12);
    assert!(
        begun.elapsed() >= std::time::Duration::from_millis(600),
        "twelve calls of 100 ms, two at a time"
    );
}
