//! Rings between engines: time passes for them, or they are interrupted.

use std::collections::BTreeMap;
use std::path::Path;

use synod_core::charter;
use synod_core::command::Open;
use synod_core::kernel::{Actor, AskId, At, Digest, MatterId, Seat, SeatKind, Seq, Who};
use synod_core::matter::{Pause, Question, Status};
use synod_core::procedure::ring::{self, Action};
use synod_core::{Command, House, Outcome, Task};
use synod_engine::{Engine, EngineOptions, Order, now, replay};
use synod_journal::{Head, Journal as _, LockHolder, Sqlite, SqliteReader, chain};

fn who(name: &str) -> Who {
    Who::parse(name).unwrap()
}

fn engine(dir: &Path, rings_run_on: bool) -> Engine {
    let journal = Sqlite::open(dir, &LockHolder::this_process("test")).unwrap();
    let options = EngineOptions { rings_run_on, ..EngineOptions::default() };
    Engine::open(Box::new(journal), BTreeMap::new(), options).unwrap()
}

async fn partake(engine: &Engine, matter: MatterId, name: &str, part: Action) -> Outcome {
    let command = Command::Ring(ring::Command::Participate { matter, action: part });
    let order = Order { by: Actor::Seat(who(name)), key: None, command, vouched: None };
    engine.submit(order).await.unwrap().act.outcome.clone()
}

/// The journal of a ring of ann and bob, both joined and asked to propose at that time, for a minute.
fn ring(dir: &Path, at: At) -> (MatterId, AskId) {
    let source = charter::shipped("ring-quick").unwrap().source;
    let seat = |name: &str| {
        let (kind, backend) = (SeatKind::Outside, "outside".into());
        Command::Enrol {
            seat: Seat {
                kind,
                backend,
                model: None,
                name: name.into(),
                persona: None,
                profile: None,
                who: who(name),
            },
        }
    };
    let question = Question::parse("Cache the index?", &[]).unwrap();
    let open = Open::new(question, Digest::of(source.as_bytes()), vec![who("ann"), who("bob")]);
    let matter = MatterId("5".parse().unwrap());
    let join = || Command::Ring(ring::Command::Participate { matter, action: Action::Join });
    let given = [
        (Actor::Operator, Command::Found { edition: synod_core::edition::CURRENT, key: "00".into() }),
        (Actor::Operator, Command::Adopt { source: source.into() }),
        (Actor::Operator, seat("ann")),
        (Actor::Operator, seat("bob")),
        (Actor::Operator, Command::Open(Box::new(open))),
        (Actor::Seat(who("ann")), join()),
        (Actor::Seat(who("bob")), join()),
    ];
    let mut journal = Sqlite::open(dir, &LockHolder::this_process("test")).unwrap();
    let (mut house, mut head) = (House::default(), Head::default());
    for (by, command) in given {
        let (act, _) = house.judge(at, by, None, command);
        assert!(matches!(act.outcome, Outcome::Done(_)), "{act:?}");
        let record = chain::seal(head, &act).unwrap();
        head = journal.append(head, &[record]).unwrap();
        house.evolve(&act);
    }
    let (ask, open) = house.open_asks().find(|(_, ask)| ask.is_of(&who("ann"))).unwrap();
    assert_eq!(open.task(), Some(Task::Propose));
    (matter, ask)
}

#[tokio::test]
async fn a_ring_runs_on_where_engines_come_and_go() {
    let dir = tempfile::tempdir().unwrap();
    let (matter, ask) = ring(dir.path(), now());
    let first = engine(dir.path(), true);
    first.read(|house| {
        assert_eq!(house.case(matter).unwrap().status(), Status::Running);
        assert_eq!(house.seq(), Seq(7), "an engine that has nothing to lapse leaves no mark");
    });
    let skipped = partake(&first, matter, "ann", Action::Skip { ask, why: None }).await;
    assert!(matches!(skipped, Outcome::Done(_)), "{skipped:?}");
    first.end();

    // An engine that means to stay interrupts it, as it does a debate.
    let second = engine(dir.path(), false);
    second.read(|house| {
        assert_eq!(house.case(matter).unwrap().status(), Status::Paused(Pause::Interrupted));
    });
    second.end();
    assert!(replay(&SqliteReader::open(dir.path()).unwrap()).unwrap().is_ok());
}

#[tokio::test]
async fn what_is_overdue_lapses_before_the_first_order() {
    let dir = tempfile::tempdir().unwrap();
    let (matter, ask) = ring(dir.path(), At(now().0 - 120_000));
    // The mark says that this was a moment ago, as it was. Without it nobody can tell.
    std::fs::remove_file(dir.path().join("mark")).unwrap();
    let engine = engine(dir.path(), true);
    let put = Action::Propose { ask, keep: false, text: "Yes, we should.".into(), title: "Yes".into() };
    match partake(&engine, matter, "ann", put).await {
        Outcome::Refused { code, .. } => assert_eq!(code, "ask/not-open"),
        Outcome::Done(events) => panic!("a late proposal was taken: {events:?}"),
    }
    engine.read(|house| {
        let lapses = &house.case(matter).unwrap().lapses;
        assert!(lapses.iter().any(|lapse| lapse.ask == ask && lapse.cause.code == "ask/undelivered"));
    });
}

/// The clock was an hour ahead once. Time goes on from there, and limits hold.
#[tokio::test]
async fn time_goes_on_where_the_clock_was_set_back() {
    let dir = tempfile::tempdir().unwrap();
    let ahead = now().plus(3_600_000);
    let (matter, ask) = ring(dir.path(), ahead);
    let engine = engine(dir.path(), true);
    tokio::time::sleep(std::time::Duration::from_millis(300)).await;
    let skipped = partake(&engine, matter, "ann", Action::Skip { ask, why: None }).await;
    assert!(matches!(skipped, Outcome::Done(_)), "{skipped:?}");
    let passed = engine.read(|house| house.now().since(ahead));
    assert!((200..60_000).contains(&passed), "{passed} ms after the last act of before");
    engine.end();
}
