//! A wrong key or model is found by one call and halts the matter before the others are paid.

use std::time::Duration;

use serde_json::{Value, json};
use synod_core::Command;
use synod_core::kernel::{Id, MatterId, Seat, SeatKind, Who};
use synod_core::matter::{Pause, Status};
use synod_core::meter::Limits;
use synod_core::view::Report;
use synod_engine::{AskProgress, Engine, EngineOptions, Minds};
use synod_journal::Memory;
use synod_minds::{Cassette, Env, Settings, Spec};

use crate::minds::{give, open, start_with};
use crate::server::{Server, YES, completion};

/// Seats whose models are these, and what answers for them.
pub(crate) fn seats(server: &Server, models: &[&str]) -> (Vec<Seat>, Minds) {
    let settings = Settings::read("[retries]\nfirst_wait_ms = 5\nlongest_wait_ms = 20\n", "").unwrap();
    let minds = synod_minds::MindFactory::new(settings, Env::of([]), Cassette::Off).unwrap();
    let (mut seats, mut table) = (Vec::new(), Minds::new());
    for (nth, model) in models.iter().enumerate() {
        let spec = format!("{}/v1#{model}", server.url);
        let (name, kind) = (format!("seat-{nth}"), SeatKind::Model);
        let model = Some((*model).to_string());
        seats.push(Seat {
            who: Who::parse(&name).unwrap(),
            name,
            kind,
            backend: spec.clone(),
            model,
            persona: None,
            profile: None,
        });
        table.insert(spec.clone(), minds.mind(&Spec::parse(&spec).unwrap()).unwrap());
    }
    (seats, table)
}

/// Opens a matter and waits until it does not run any more.
pub(crate) async fn run(engine: &Engine, seats: &[Seat]) -> MatterId {
    let act = engine.submit(open(seats, Limits::default(), 60_000)).await.unwrap().act;
    let id = MatterId(Id { act: act.seq, nth: 0 });
    rests(engine, id).await;
    id
}

pub(crate) async fn rests(engine: &Engine, id: MatterId) {
    for _ in 0..2000 {
        if engine.read(|house| house.case(id).is_none_or(|case| case.status() != Status::Running)) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("the matter runs on");
}

fn plays(model: &str, nth: usize, _: &Value) -> (u16, Value) {
    match model {
        "unknown" => (404, json!({ "error": { "message": "The model `unknown` does not exist" } })),
        // Wrong at first, and mended while the matter rests.
        "mended" if nth == 0 => (401, json!({ "error": { "message": "Incorrect API key provided" } })),
        "flaky" if nth == 0 => (503, json!({ "error": { "message": "busy" } })),
        "slow" => {
            std::thread::sleep(Duration::from_millis(300));
            (200, completion(YES))
        }
        _ => (200, completion(YES)),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_model_halts_the_matter_before_others_of_it_are_paid() {
    let server = Server::start(plays);
    let (seats, minds) = seats(&server, &["slow", "unknown", "slow", "unknown", "slow"]);
    let engine = start_with(Box::new(Memory::new()), minds, &seats, EngineOptions::default()).await;
    let id = run(&engine, &seats).await;
    // One call for each model; what was asked meanwhile is answered and counts.
    assert_eq!(server.counts(), [("slow".to_string(), 1), ("unknown".to_string(), 1)].into());
    engine.read(|house| {
        let case = house.case(id).unwrap();
        assert_eq!(case.status(), Status::Paused(Pause::Unusable));
        assert_eq!((case.said.len(), case.lapses.len()), (1, 0), "nobody is lost, and the answer stands");
        assert_eq!(case.asks().len(), 4, "the others are still asked");
        let report = Report::of(case);
        let halted = report.halted.clone().unwrap();
        assert_eq!((halted.who.as_str(), halted.cause.code.as_str()), ("seat-1", "backend/http-404"));
        assert!(halted.cause.detail.contains("does not exist"), "{}", halted.cause.detail);
        assert_eq!(report.spent.calls, 2);
        assert_eq!(report.lost.calls, 0, "what the refused call took is known");
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_was_mended_goes_on_and_nothing_is_paid_twice() {
    let server = Server::start(plays);
    let (seats, minds) = seats(&server, &["good", "mended", "good"]);
    let engine = start_with(Box::new(Memory::new()), minds, &seats, EngineOptions::default()).await;
    let id = run(&engine, &seats).await;
    assert_eq!(server.counts(), [("good".to_string(), 1), ("mended".to_string(), 1)].into());
    give(&engine, Command::Resume { matter: id }).await;
    rests(&engine, id).await;
    let report = engine.read(|house| Report::of(house.case(id).unwrap()));
    assert_eq!((report.status, report.halted.clone(), report.missing.len()), ("passed", None, 0));
    let drafts = report.rounds[0].said.len();
    let (good, mended) = (server.seen("good").len(), server.seen("mended").len());
    assert_eq!(drafts, 3);
    assert_eq!(good % 2, 0, "two seats of it, each asked as often as the other: {good}");
    assert_eq!(mended, good / 2 + 1, "only the refused call was made twice");
}

#[tokio::test(flavor = "multi_thread")]
async fn going_on_without_the_seat_is_as_before() {
    let server = Server::start(plays);
    let (seats, minds) = seats(&server, &["good", "unknown", "good"]);
    let options = EngineOptions { go_on: true, ..EngineOptions::default() };
    let engine = start_with(Box::new(Memory::new()), minds, &seats, options).await;
    let id = run(&engine, &seats).await;
    let report = engine.read(|house| Report::of(house.case(id).unwrap()));
    assert_eq!(report.status, "passed");
    assert_eq!(report.missing[0].cause.code, "backend/http-404");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_passing_fault_of_a_first_call_holds_nobody_up_for_long() {
    let server = Server::start(plays);
    let (seats, minds) = seats(&server, &["flaky", "flaky", "good"]);
    let engine = start_with(Box::new(Memory::new()), minds, &seats, EngineOptions::default()).await;
    let mut signals = engine.signals();
    let id = run(&engine, &seats).await;
    assert_eq!(engine.read(|house| Report::of(house.case(id).unwrap()).status), "passed");
    let mut heard = Vec::new();
    while let Ok(signal) = signals.try_recv() {
        heard.push(signal);
    }
    let of = |who: &str| {
        heard
            .iter()
            .filter(|signal| signal.who.as_str() == who)
            .map(|signal| &signal.live)
            .collect::<Vec<_>>()
    };
    assert!(
        matches!(
            of("seat-0")[..3],
            [AskProgress::Started, AskProgress::Retrying { .. }, AskProgress::Answered]
        ),
        "{heard:?}"
    );
    assert!(matches!(of("seat-2")[..2], [AskProgress::Started, AskProgress::Answered]), "{heard:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_was_good_once_is_not_tried_again() {
    let server = Server::start(plays);
    let (seats, minds) = seats(&server, &["good", "good"]);
    let engine = start_with(Box::new(Memory::new()), minds, &seats, EngineOptions::default()).await;
    for _ in 0..2 {
        let id = run(&engine, &seats).await;
        assert_eq!(engine.read(|house| Report::of(house.case(id).unwrap()).status), "passed");
    }
    // One first call, then both seats at once.
    assert!(server.seen("good").len() >= 8);
}
