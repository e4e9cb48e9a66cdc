//! Answers that come piece by piece.

use crate::fake::{Act, Fake};
use crate::{Gate, KEY, ask, cast, codes, openai, quick};
use serde_json::{Value, json};
use synod_minds::{Cassette, Env, Sign};

/// Events as OpenAI and Gemini send them.
fn events(chunks: &[Value]) -> String {
    chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect()
}

fn delta(text: &str) -> Value {
    json!({ "model": "gpt-test-2026", "choices": [{ "index": 0, "delta": { "content": text }, "finish_reason": null }] })
}

fn stop() -> Value {
    json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }], "usage": null })
}

fn usage() -> Value {
    json!({ "choices": [], "usage": { "prompt_tokens": 100, "completion_tokens": 20 } })
}

#[tokio::test]
async fn openai_streams_and_its_first_line_is_told() {
    let body = events(&[delta("{\"reason\": \"It "), delta("works\\nwell\"}"), stop(), usage()])
        + "data: [DONE]\n\n";
    let fake = Fake::start([Act::Stream(body)]).await;
    let gate = Gate::open();
    let reply = ask(&*openai(&fake.url, quick(""), Cassette::Off), &gate).await.unwrap();
    assert_eq!(reply.text, "{\"reason\": \"It works\\nwell\"}");
    assert_eq!(reply.model.as_deref(), Some("gpt-test-2026"));
    assert_eq!((reply.usage.calls, reply.usage.tokens_in, reply.usage.tokens_out), (1, Some(100), Some(20)));
    let signs = gate.signs.lock().unwrap().clone();
    assert_eq!(signs[..2], [Sign::Sent, Sign::Accepted]);
    let Sign::Writing { line, .. } = &signs[2] else { panic!("{signs:?}") };
    assert_eq!(line.as_deref(), Some("It"));
}

#[tokio::test]
async fn a_stream_that_is_cut_is_tried_again_and_never_half_an_answer() {
    let cut = events(&[delta("{\"vote\": \"YES\", \"reason\": \"be")]);
    let whole = events(&[delta("no"), stop(), usage()]);
    let fake = Fake::start([Act::Stream(cut.clone()), Act::Stream(whole)]).await;
    let gate = Gate::open();
    let reply = ask(&*openai(&fake.url, quick(""), Cassette::Off), &gate).await.unwrap();
    assert_eq!((reply.text.as_str(), codes(&reply.retries)), ("no", vec!["backend/stream-cut"]));
    assert!(gate.signs.lock().unwrap().iter().any(|sign| matches!(sign, Sign::Retrying { .. })));
    let fake = Fake::start((0..2).map(|_| Act::Stream(cut.clone()))).await;
    let failure =
        ask(&*openai(&fake.url, quick("tries = 2"), Cassette::Off), &Gate::open()).await.unwrap_err();
    assert_eq!((failure.cause.code.as_str(), failure.cause.lasting), ("backend/stream-cut", false));
    assert_eq!(failure.usage.tokens_in, None, "what it cost is not known");
}

#[tokio::test]
async fn a_server_that_does_not_stream_is_asked_without() {
    let refused = crate::error("stream_options is not supported");
    let fake = Fake::start([
        Act::Answer(400, "", refused),
        Act::Answer(200, "", crate::completion("yes")),
        Act::Answer(200, "", crate::completion("yes")),
    ])
    .await;
    let mind = openai(&fake.url, quick(""), Cassette::Off);
    ask(&*mind, &Gate::open()).await.unwrap();
    ask(&*mind, &Gate::open()).await.unwrap();
    let streams: Vec<bool> = fake.seen().iter().map(|seen| seen.json().get("stream").is_some()).collect();
    assert_eq!(streams, [true, false, false]);
}

#[tokio::test]
async fn a_stream_that_does_not_say_what_it_cost_is_the_last_one() {
    let fake = Fake::start([
        Act::Stream(events(&[delta("a"), stop()])),
        Act::Answer(200, "", crate::completion("b")),
    ])
    .await;
    let mind = openai(&fake.url, quick(""), Cassette::Off);
    assert_eq!(ask(&*mind, &Gate::open()).await.unwrap().usage.tokens_out, None);
    assert_eq!(ask(&*mind, &Gate::open()).await.unwrap().usage.tokens_out, Some(20));
    assert!(fake.seen()[1].json().get("stream").is_none());
}

#[tokio::test]
async fn anthropic_streams() {
    let event = |data: Value| format!("event: {}\r\ndata: {data}\r\n\r\n", data["type"].as_str().unwrap());
    let parts = [
        json!({ "type": "message_start", "message": { "model": "claude-1", "content": [],
            "usage": { "input_tokens": 10, "cache_read_input_tokens": 5, "output_tokens": 1 } } }),
        json!({ "type": "content_block_start", "index": 0, "content_block": { "type": "text", "text": "" } }),
        json!({ "type": "ping" }),
        json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": "ye" } }),
        json!({ "type": "content_block_delta", "index": 0, "delta": { "type": "text_delta", "text": "s" } }),
        json!({ "type": "content_block_stop", "index": 0 }),
        json!({ "type": "message_delta", "delta": { "stop_reason": "end_turn" }, "usage": { "output_tokens": 7 } }),
        json!({ "type": "message_stop" }),
    ];
    let whole: String = parts.iter().cloned().map(event).collect();
    let cut: String = parts[..5].iter().cloned().map(event).collect();
    let overloaded =
        event(json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } }));
    let fake = Fake::start([Act::Stream(overloaded), Act::Stream(cut), Act::Stream(whole)]).await;
    let env = Env::of([("ANTHROPIC_BASE_URL", fake.url.as_str()), ("ANTHROPIC_API_KEY", KEY)]);
    let reply = ask(&*cast(quick(""), env, Cassette::Off, "anthropic:m"), &Gate::open()).await.unwrap();
    assert_eq!(codes(&reply.retries), ["backend/http-529", "backend/stream-cut"]);
    assert_eq!((reply.text.as_str(), reply.model.as_deref()), ("yes", Some("claude-1")));
    assert_eq!((reply.usage.tokens_in, reply.usage.tokens_out), (Some(15), Some(7)));
}

#[tokio::test]
async fn gemini_streams() {
    let chunk = |text: &str, last: bool| {
        let mut candidate = json!({ "content": { "parts": [{ "text": text }] } });
        if last {
            candidate["finishReason"] = json!("STOP");
        }
        json!({ "candidates": [candidate], "modelVersion": "g-1",
            "usageMetadata": { "promptTokenCount": 5, "candidatesTokenCount": 2 } })
    };
    let whole = events(&[chunk("ye", false), chunk("s", true)]);
    let fake = Fake::start([Act::Stream(events(&[chunk("ye", false)])), Act::Stream(whole)]).await;
    let env = Env::of([("GEMINI_BASE_URL", fake.url.as_str()), ("GEMINI_API_KEY", KEY)]);
    let reply = ask(&*cast(quick(""), env, Cassette::Off, "gemini:m"), &Gate::open()).await.unwrap();
    assert_eq!((reply.text.as_str(), codes(&reply.retries)), ("yes", vec!["backend/stream-cut"]));
    assert_eq!((reply.usage.tokens_in, reply.usage.tokens_out), (Some(5), Some(2)));
}

#[tokio::test]
async fn a_recording_asks_for_answers_in_one_piece() {
    let folder = tempfile::tempdir().unwrap();
    let fake = Fake::start([Act::Answer(200, "", crate::completion("yes"))]).await;
    let tape = Cassette::Record(folder.path().join("tape"));
    ask(&*openai(&fake.url, quick(""), tape), &Gate::open()).await.unwrap();
    assert!(fake.seen()[0].json().get("stream").is_none(), "old cassettes hold requests of this shape");
}
