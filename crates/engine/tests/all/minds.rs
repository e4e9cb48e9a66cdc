//! Minds for tests, and a house around them.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use synod_core::brief::Brief;
use synod_core::command::Open;
use synod_core::kernel::{Actor, Cause, Digest, Id, MatterId, Nano, Seat, SeatKind, Seq, Usage, Who};
use synod_core::matter::{Question, Status};
use synod_core::meter::Limits;
use synod_core::{Command, Event, charter, matter};
use synod_engine::{Engine, EngineOptions, Minds, Order};
use synod_journal::Journal;
use synod_minds::{Answering, CallEstimate, CallFailure, Face, Mind, MindKind, MindTask, Pass, Reply};

/// How a mind behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// Answers without being waited for.
    AtOnce,
    /// Answers after some milliseconds.
    After(u64),
    /// Never answers.
    Never,
    /// Cannot be reached.
    Fails,
}

/// A mind that votes YES in its own way, and counts how often it was really called.
#[derive(Debug)]
pub(crate) struct Steady {
    face: Face,
    way: Way,
    pub(crate) calls: Arc<AtomicU32>,
}

impl Steady {
    fn answer(&self, question: &synod_minds::AskContext) -> Reply {
        let text = match question.task {
            MindTask::Speak => r#"{"stance":"YES","position":"p","confidence":0.9}"#,
            MindTask::Vote => r#"{"vote":"YES","reason":"r"}"#,
            MindTask::Judge
            | MindTask::Digest
            | MindTask::Perspectives
            | MindTask::Synthesise
            | MindTask::Second
            | MindTask::Compare => {
                r#"{"agreement":0.5,"summary":"s","perspectives":["a: b"],"points_yes":["p"],"points_no":["q"]}"#
            }
        };
        let usage = Usage {
            calls: 1,
            cost: Some(Nano(10)),
            tokens_in: Some(5),
            tokens_out: Some(5),
            tokens_cached: None,
        };
        Reply { text: text.into(), model: Some("steady".into()), usage, retries: Vec::new() }
    }
}

impl Mind for Steady {
    fn ask<'a>(
        &'a self,
        question: &'a synod_minds::AskContext,
        _brief: &'a Brief,
        pass: &'a dyn Pass,
    ) -> Answering<'a> {
        Box::pin(async move {
            let failed = |cause| CallFailure { cause, usage: Usage::default(), retries: Vec::new() };
            let estimate = CallEstimate { tokens_in: 5, tokens_out_most: 5, cost_most: Some(Nano(100)) };
            let _permit = pass.begin(estimate).await.map_err(failed)?;
            self.calls.fetch_add(1, Ordering::SeqCst);
            match self.way {
                Way::AtOnce => (),
                Way::After(ms) => tokio::time::sleep(Duration::from_millis(ms)).await,
                Way::Never => std::future::pending().await,
                Way::Fails => return Err(failed(Cause::passing("backend/unreachable", "nobody there"))),
            }
            Ok(self.answer(question))
        })
    }

    fn at_once(
        &self,
        question: &synod_minds::AskContext,
        _brief: &Brief,
    ) -> Option<Result<Reply, CallFailure>> {
        (self.way == Way::AtOnce).then(|| Ok(self.answer(question)))
    }

    fn face(&self) -> &Face {
        &self.face
    }
}

/// A council of minds that behave in these ways, and the count of calls.
pub(crate) fn council(ways: &[Way]) -> (Vec<Seat>, Minds, Arc<AtomicU32>) {
    let calls = Arc::new(AtomicU32::new(0));
    let (mut seats, mut minds) = (Vec::new(), BTreeMap::new());
    for (i, way) in ways.iter().enumerate() {
        let (name, mind) = (format!("seat-{i}"), format!("mind-{i}"));
        let face = Face {
            kind: MindKind::Scripted,
            spec: mind.clone(),
            model: None,
            provider: None,
            reaches: None,
            price: None,
            metered: true,
            output_most: 5,
            window: None,
        };
        let steady: Arc<dyn Mind> = Arc::new(Steady { face, way: *way, calls: calls.clone() });
        let who = Who::parse(&name).unwrap();
        seats.push(Seat {
            who,
            name,
            kind: SeatKind::Scripted,
            backend: mind.clone(),
            model: None,
            persona: None,
            profile: None,
        });
        minds.insert(mind, steady);
    }
    (seats, minds, calls)
}

pub(crate) async fn give(engine: &Engine, command: Command) -> Arc<synod_core::Act> {
    engine.submit(Order::operator(command)).await.unwrap().act
}

/// Starts an engine; founds and furnishes the house if it is new.
pub(crate) async fn start(journal: Box<dyn Journal>, minds: Minds, seats: &[Seat]) -> Engine {
    start_with(journal, minds, seats, EngineOptions::default()).await
}

/// The same with other options.
pub(crate) async fn start_with(
    journal: Box<dyn Journal>,
    minds: Minds,
    seats: &[Seat],
    options: EngineOptions,
) -> Engine {
    let engine = Engine::open(journal, minds, options).unwrap();
    if engine.read(|house| house.founded().is_none()) {
        give(&engine, Command::Found { edition: synod_core::edition::CURRENT, key: "00".into() }).await;
    }
    give(&engine, Command::Adopt { source: source() }).await;
    for seat in seats {
        give(&engine, Command::Enrol { seat: seat.clone() }).await;
    }
    engine
}

/// The default charter, with a first vote that asks every seat: more calls than drafts alone.
pub(crate) fn source() -> String {
    charter::shipped("blind-vote").unwrap().source.replace("stances = true", "stances = false")
}

pub(crate) fn open(seats: &[Seat], limits: Limits, limit_ms: u64) -> Order {
    let seated = seats.iter().map(|seat| seat.who.clone()).collect();
    let question = Question::parse("Shall we?", &[]).unwrap();
    let open = Open {
        limits,
        // Everyone is asked: what is tested is how asks are performed, not how few suffice.
        moved: BTreeMap::from([
            ("turn.limit_ms".to_string(), limit_ms.into()),
            ("drafts.panel".to_string(), 0.into()),
        ]),
        ..Open::new(question, Digest::of(source().as_bytes()), seated)
    };
    Order { by: Actor::Operator, key: None, command: Command::Open(Box::new(open)), vouched: None }
}

/// Opens a matter and waits for its end.
pub(crate) async fn settle(engine: &Engine, order: Order) -> (MatterId, Status) {
    let mut feed = engine.feed(engine.read(synod_core::House::seq).next()).await.unwrap();
    let id = MatterId(Id { act: engine.submit(order).await.unwrap().act.seq, nth: 0 });
    end_of(&mut feed, id).await;
    (id, engine.read(|house| house.case(id).unwrap().status()))
}

/// Waits until a matter is settled.
pub(crate) async fn end_of(feed: &mut synod_engine::Feed, id: MatterId) -> Seq {
    let over = |event: &Event| matches!(event, Event::Matter(matter::Event::Settled { matter, .. }) if *matter == id);
    loop {
        let act = tokio::time::timeout(Duration::from_secs(20), feed.next())
            .await
            .expect("the matter ends in time");
        let act = act.unwrap().expect("the engine runs");
        if act.events().iter().any(over) {
            return act.seq;
        }
    }
}
