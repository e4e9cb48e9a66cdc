//! What is tried again, how often, and what is told of it.

use std::time::{Duration, Instant};

use crate::fake::{Act, Fake};
use crate::{Gate, ask, brief, codes, completion, error, openai, question, quick};
use synod_core::kernel::{Nano, Usage};
use synod_minds::{AskContext, Cassette, MindTask, Pace};

fn fine() -> Act {
    Act::Answer(200, "", completion("yes"))
}

fn status(status: u16, message: &str) -> Act {
    Act::Answer(status, "", error(message))
}

#[tokio::test]
async fn two_failures_then_an_answer() {
    let fake = Fake::start([status(500, "oops"), status(503, "busy"), fine()]).await;
    let gate = Gate::open();
    let reply = ask(&*openai(&fake.url, quick(""), Cassette::Off), &gate).await.unwrap();
    assert_eq!(reply.text, "yes");
    assert_eq!(reply.model.as_deref(), Some("gpt-test-2026"));
    assert_eq!(codes(&reply.retries), ["backend/http-500", "backend/http-503"]);
    let host = fake.url.strip_prefix("http://").unwrap();
    assert_eq!(&*reply.retries[0].cause.detail, format!("{host} answered 500: oops"));
    assert!(!reply.retries[0].cause.lasting);
    let usage = Usage {
        calls: 3,
        tokens_in: Some(100),
        tokens_cached: Some(64),
        tokens_out: Some(20),
        cost: Some(Nano(0)),
    };
    assert_eq!(reply.usage, usage, "what runs on this machine is free, and known to be");
    assert_eq!(gate.calls(), 3, "each try asks for leave");
}

#[tokio::test]
async fn tries_run_out() {
    let fake = Fake::start((0..9).map(|_| status(502, "no"))).await;
    let failure =
        ask(&*openai(&fake.url, quick("tries = 3"), Cassette::Off), &Gate::open()).await.unwrap_err();
    assert_eq!(
        (failure.cause.code.as_str(), failure.retries.len(), fake.seen().len()),
        ("backend/http-502", 2, 3)
    );
    assert!(!failure.cause.lasting);
    assert_eq!((failure.usage.calls, failure.usage.tokens_in), (3, None));
}

#[tokio::test]
async fn what_nobody_would_hear_the_end_of_is_not_tried_again() {
    let fake = Fake::start((0..9).map(|_| status(503, "busy"))).await;
    let mut settings = quick("tries = 9");
    settings.pace = Pace { base_ms: 60_000, cap_ms: 60_000, retry_after_cap_ms: 60_000 };
    let mind = openai(&fake.url, settings, Cassette::Off);
    let (gate, began) = (Gate::open(), Instant::now());
    let limited = AskContext { limit_ms: Some(15_000), ..question(MindTask::Vote, 1, 1) };
    let failure = mind.ask(&limited, &brief(), &gate).await.unwrap_err();
    assert_eq!((failure.cause.code.as_str(), fake.seen().len()), ("backend/http-503", 1));
    assert!(began.elapsed() < Duration::from_secs(15), "the reason came while somebody waited for it");
}

#[tokio::test]
async fn some_refusals_last() {
    for code in [400, 401, 403, 404, 302] {
        let fake = Fake::start([status(code, "no such thing")]).await;
        let failure = ask(&*openai(&fake.url, quick(""), Cassette::Off), &Gate::open()).await.unwrap_err();
        assert_eq!(failure.cause.code, format!("backend/http-{code}"));
        assert!(failure.cause.lasting && failure.retries.is_empty(), "{code}");
        assert_eq!(fake.seen().len(), 1);
    }
}

#[tokio::test]
async fn some_refusals_pass() {
    for code in [408, 409, 425, 429, 529] {
        let fake = Fake::start([status(code, "later"), fine()]).await;
        let reply = ask(&*openai(&fake.url, quick(""), Cassette::Off), &Gate::open()).await.unwrap();
        assert_eq!(codes(&reply.retries), [format!("backend/http-{code}")]);
    }
}

#[tokio::test]
async fn retry_after_pauses_the_provider() {
    let fake =
        Fake::start([Act::Answer(429, "retry-after: 1\r\n", error("slow down")), fine(), fine()]).await;
    let mind = openai(&fake.url, quick(""), Cassette::Off);
    let start = Instant::now();
    let (gate, late) = (Gate::open(), Gate::open());
    let other = async {
        tokio::time::sleep(Duration::from_millis(60)).await;
        ask(&*mind, &late).await.unwrap();
        start.elapsed()
    };
    let (first, other) = tokio::join!(ask(&*mind, &gate), other);
    // The second is cut to the cap of these settings, 150 ms.
    let waited = first.unwrap().retries[0].waited_ms;
    assert!((150..900).contains(&waited), "{waited}");
    assert!(other >= Duration::from_millis(150), "another seat waits too: {other:?}");
}

#[tokio::test]
async fn silence_is_a_time_out() {
    let fake = Fake::start([Act::Hang, Act::Hang]).await;
    let mut settings = quick("tries = 2");
    settings.providers.get_mut("openai").unwrap().time_out_ms = 80;
    let failure = ask(&*openai(&fake.url, settings, Cassette::Off), &Gate::open()).await.unwrap_err();
    assert_eq!(failure.cause.code, "backend/time-out");
    assert_eq!(codes(&failure.retries), ["backend/time-out"]);
    assert!(failure.cause.detail.ends_with("did not answer within 80 ms"), "{}", failure.cause.detail);
}

#[tokio::test]
async fn a_broken_answer_is_unreachable() {
    let fake = Fake::start([Act::Break, fine()]).await;
    let reply = ask(&*openai(&fake.url, quick(""), Cassette::Off), &Gate::open()).await.unwrap();
    assert_eq!(codes(&reply.retries), ["backend/unreachable"]);
}

#[tokio::test]
async fn nobody_there() {
    let fake = Fake::start([]).await;
    let url = fake.url.clone();
    fake.stop().await;
    let failure = ask(&*openai(&url, quick("tries = 2"), Cassette::Off), &Gate::open()).await.unwrap_err();
    assert_eq!((failure.cause.code.as_str(), failure.retries.len()), ("backend/unreachable", 1));
    assert!(!failure.cause.detail.contains("http://"), "{}", failure.cause.detail);
}

#[tokio::test]
async fn too_large() {
    let large = " ".repeat(9 << 20);
    for act in [Act::Answer(200, "", large), Act::Flood] {
        let fake = Fake::start([act]).await;
        let failure = ask(&*openai(&fake.url, quick(""), Cassette::Off), &Gate::open()).await.unwrap_err();
        assert_eq!((failure.cause.code.as_str(), failure.retries.len()), ("backend/too-large", 0));
    }
}

#[tokio::test]
async fn the_budget_stops_a_retry() {
    let fake = Fake::start([status(500, "oops"), fine()]).await;
    let failure = ask(&*openai(&fake.url, quick(""), Cassette::Off), &Gate::of(1)).await.unwrap_err();
    assert_eq!(failure.cause.code, "backend/refused-by-budget");
    assert_eq!(failure.cause.detail, "the budget of 1 call is spent", "the cause of the pass is not changed");
    assert_eq!((codes(&failure.retries), fake.seen().len()), (vec!["backend/http-500"], 1));
}

#[tokio::test]
async fn a_call_that_was_given_up_frees_its_place() {
    let fake = Fake::start([Act::Hang, fine()]).await;
    let mind = openai(&fake.url, quick("at_once = 1"), Cassette::Off);
    let gate = Gate::open();
    let given_up = tokio::time::timeout(Duration::from_millis(80), ask(&*mind, &gate)).await;
    assert!(given_up.is_err());
    assert_eq!(ask(&*mind, &gate).await.unwrap().text, "yes");
}
