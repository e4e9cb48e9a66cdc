//! What was recorded is replayed without a server, without a key and without waiting.

use std::time::{Duration, Instant};

use crate::fake::{Act, Fake};
use crate::{Gate, ask, cast, codes, completion, error, openai, quick};
use synod_minds::{Cassette, Env, MindFactory, Settings, Spec};

#[tokio::test]
async fn record_then_replay() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tape.jsonl");
    let acts = [
        Act::Answer(429, "retry-after: 100\r\n", error("slow down")),
        Act::Break,
        Act::Answer(200, "", completion("first")),
        Act::Answer(200, "", completion("second")),
    ];
    let fake = Fake::start(acts).await;
    let url = fake.url.clone();
    let mind = openai(&url, quick(""), Cassette::Record(file.clone()));
    let first = ask(&*mind, &Gate::open()).await.unwrap();
    let second = ask(&*mind, &Gate::open()).await.unwrap();
    fake.stop().await;

    let start = Instant::now();
    // Settings as they ship, whose waits would take minutes.
    let env = Env::of([("OPENAI_BASE_URL", url.as_str())]);
    let mind = cast(Settings::default(), env, Cassette::Replay(file), "openai:gpt-test");
    let gate = Gate::open();
    for recorded in [first, second] {
        let replayed = ask(&*mind, &gate).await.unwrap();
        assert_eq!((&replayed.text, &replayed.usage), (&recorded.text, &recorded.usage));
        assert_eq!(codes(&replayed.retries), codes(&recorded.retries));
        assert!(replayed.retries.iter().all(|attempt| attempt.waited_ms == 0));
    }
    assert_eq!(gate.calls(), 4, "a replay asks for leave as the recording did");
    assert!(start.elapsed() < Duration::from_secs(5));

    let failure = ask(&*mind, &gate).await.unwrap_err();
    assert_eq!(failure.cause.code, "backend/cassette-missing");
    assert!(failure.cause.lasting);
    assert!(
        failure.cause.detail.contains(&format!("POST {url}/chat/completions")),
        "{}",
        failure.cause.detail
    );
}

#[test]
fn a_replay_needs_no_key() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tape.jsonl");
    std::fs::write(&file, "").unwrap();
    let minds = MindFactory::new(Settings::default(), Env::of([]), Cassette::Replay(file)).unwrap();
    assert!(minds.mind(&Spec::parse("openai:gpt-4o").unwrap()).is_ok());
}

#[test]
fn a_bad_cassette_is_told_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tape.jsonl");
    std::fs::write(&file, "\n{\"request\": 1}\n").unwrap();
    let error = MindFactory::new(Settings::default(), Env::of([]), Cassette::Replay(file)).unwrap_err();
    assert_eq!(error.code, "backend/bad-cassette");
    assert!(error.message.contains("tape.jsonl:2: "), "{error}");
    let gone = Cassette::Replay(folder.path().join("gone"));
    assert!(MindFactory::new(Settings::default(), Env::of([]), gone).is_err());
}
