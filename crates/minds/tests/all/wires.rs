//! What each provider is sent, to the letter, and how its answers are read.

use crate::fake::{Act, Fake};
use crate::{Gate, KEY, ask, brief, cast, completion, openai, quick};
use serde_json::{Value, json};
use synod_core::kernel::{Nano, Usage};
use synod_minds::{CallFailure, Cassette, Env, MindFactory, Price, Reply, Settings, Spec};

fn schema() -> Value {
    serde_json::from_str(&brief().form.schema()).unwrap()
}

async fn exchange(
    spec: &str,
    variables: [&str; 2],
    settings: Settings,
    answer: Value,
) -> (Fake, Result<Reply, CallFailure>) {
    let fake = Fake::start((0..2).map(|_| Act::Answer(200, "", answer.to_string()))).await;
    let env = Env::of([(variables[0], fake.url.as_str()), (variables[1], KEY)]);
    let outcome = ask(&*cast(settings, env, Cassette::Off, spec), &Gate::open()).await;
    (fake, outcome)
}

#[tokio::test]
async fn openai_is_asked() {
    let fake = Fake::start([Act::Answer(200, "", completion("yes"))]).await;
    let mind = openai(
        &format!("{}/v1/", fake.url),
        quick("temperature = 0.70\nmax_output_tokens = 99"),
        Cassette::Off,
    );
    ask(&*mind, &Gate::open()).await.unwrap();
    let seen = &fake.seen()[0];
    assert_eq!(seen.line, "POST /v1/chat/completions HTTP/1.1");
    assert!(seen.has("content-type: application/json") && seen.has(&format!("authorization: Bearer {KEY}")));
    let expected = json!({
        "model": "gpt-test",
        "messages": [
            { "role": "system", "content": "You sit in a \"synod\".\n" },
            { "role": "user", "content": "So far:\n| nothing\nYou are ann.\n" },
        ],
        "max_tokens": 99,
        "temperature": 0.7,
        "response_format": { "type": "json_schema",
            "json_schema": { "name": "vote", "strict": true, "schema": schema() } },
        "stream": true,
        "stream_options": { "include_usage": true },
    });
    assert_eq!(seen.json(), expected);
    assert!(seen.body.contains("\"temperature\":0.70,"), "a decimal is sent as it is written");
}

#[tokio::test]
async fn openai_answers() {
    let said = |message: Value, finish: &str| json!({ "choices": [{ "message": message, "finish_reason": finish }] });
    let cases = [
        (
            said(
                json!({ "content": [{ "type": "text", "text": "ye" }, { "type": "text", "text": "s" }] }),
                "stop",
            ),
            Ok("yes"),
        ),
        (said(json!({ "content": "cut of" }), "length"), Ok("cut of")),
        (
            said(json!({ "content": null, "refusal": "I will not" }), "stop"),
            Err("but the model refused: I will not"),
        ),
        (said(json!({ "content": "" }), "length"), Err("raise `max_output_tokens`")),
        (json!({ "error": { "message": "upstream is down" } }), Err("upstream is down")),
        (json!([1, 2]), Err("not a completion")),
    ];
    for (answer, expected) in cases {
        let (_fake, outcome) =
            exchange("openai:m", ["OPENAI_BASE_URL", "OPENAI_API_KEY"], quick(""), answer.clone()).await;
        match (outcome, expected) {
            (Ok(reply), Ok(text)) => assert_eq!(reply.text, text),
            (Err(failure), Err(part)) => {
                assert_eq!(failure.cause.code, "backend/bad-answer");
                assert!(failure.cause.detail.contains(part), "{}", failure.cause.detail);
            }
            (outcome, _) => panic!("{answer}: {outcome:?}"),
        }
    }
}

#[tokio::test]
async fn anthropic() {
    let answer = json!({
        "model": "claude-test-1", "stop_reason": "end_turn",
        "content": [{ "type": "thinking", "thinking": "hm" }, { "type": "text", "text": "yes" }],
        "usage": { "input_tokens": 10, "cache_read_input_tokens": 500, "cache_creation_input_tokens": 100, "output_tokens": 7 },
    });
    let prices = "[anthropic]\nclaude-test = { in = 3, cached = \"0.30\", write = 3.75, out = 15 }";
    let settings = Settings::read("", prices).unwrap();
    let (fake, outcome) =
        exchange("anthropic:claude-test", ["ANTHROPIC_BASE_URL", "ANTHROPIC_API_KEY"], settings, answer)
            .await;
    let seen = &fake.seen()[0];
    assert_eq!(seen.line, "POST /v1/messages HTTP/1.1");
    assert!(seen.has(&format!("x-api-key: {KEY}")) && seen.has("anthropic-version: 2023-06-01"));
    let ephemeral = json!({ "type": "ephemeral" });
    let expected = json!({
        "model": "claude-test",
        "max_tokens": 2048,
        "system": [{ "type": "text", "text": "You sit in a \"synod\".\n", "cache_control": ephemeral }],
        "messages": [{ "role": "user", "content": [
            { "type": "text", "text": "So far:\n| nothing\n", "cache_control": ephemeral },
            { "type": "text", "text": "You are ann.\n" },
        ] }],
        "output_config": { "format": { "type": "json_schema", "schema": schema() } },
        "stream": true,
    });
    assert_eq!(seen.json(), expected);
    let reply = outcome.unwrap();
    assert_eq!((reply.text.as_str(), reply.model.as_deref()), ("yes", Some("claude-test-1")));
    // 10 × 3 + 500 × 0.3 + 100 × 3.75 + 7 × 15, in millionths of a dollar.
    let cost = Some(Nano(660_000));
    let usage = Usage { calls: 1, tokens_in: Some(610), tokens_cached: Some(500), tokens_out: Some(7), cost };
    assert_eq!(reply.usage, usage);
}

#[tokio::test]
async fn anthropic_overloaded_and_unstructured() {
    let answer = json!({ "content": [{ "type": "text", "text": "yes" }], "usage": { "input_tokens": 1, "output_tokens": 1 } });
    let acts = [
        Act::Answer(529, "", json!({ "type": "error", "error": { "type": "overloaded_error", "message": "Overloaded" } }).to_string()),
        Act::Answer(400, "", json!({ "type": "error", "error": { "message": "output_config: Extra inputs are not permitted" } }).to_string()),
        Act::Answer(200, "", answer.to_string()),
    ];
    let fake = Fake::start(acts).await;
    let env = Env::of([("ANTHROPIC_BASE_URL", fake.url.as_str()), ("ANTHROPIC_API_KEY", KEY)]);
    let reply = ask(&*cast(quick(""), env, Cassette::Off, "anthropic:m"), &Gate::open()).await.unwrap();
    assert_eq!(crate::codes(&reply.retries), ["backend/http-529", "backend/http-400"]);
    assert!(fake.seen()[2].json().get("output_config").is_none());
}

#[tokio::test]
async fn gemini() {
    let answer = json!({
        "candidates": [{ "finishReason": "STOP", "content": { "role": "model", "parts": [
            { "text": "hm", "thought": true }, { "text": "yes" } ] } }],
        "usageMetadata": { "promptTokenCount": 50, "cachedContentTokenCount": 8, "candidatesTokenCount": 5, "thoughtsTokenCount": 9 },
        "modelVersion": "gemini-test-001",
    });
    let variables = ["GEMINI_BASE_URL", "GOOGLE_API_KEY"];
    let (fake, outcome) = exchange("gemini:gemini-test", variables, Settings::default(), answer).await;
    let seen = &fake.seen()[0];
    assert_eq!(seen.line, "POST /v1beta/models/gemini-test:streamGenerateContent?alt=sse HTTP/1.1");
    assert!(seen.has(&format!("x-goog-api-key: {KEY}")));
    let expected = json!({
        "systemInstruction": { "parts": [{ "text": "You sit in a \"synod\".\n" }] },
        "contents": [{ "role": "user", "parts": [{ "text": "So far:\n| nothing\n" }, { "text": "You are ann.\n" }] }],
        "generationConfig": { "maxOutputTokens": 2048, "responseMimeType": "application/json",
            "responseJsonSchema": schema() },
    });
    assert_eq!(seen.json(), expected);
    let reply = outcome.unwrap();
    assert_eq!((reply.text.as_str(), reply.model.as_deref()), ("yes", Some("gemini-test-001")));
    assert_eq!(
        (reply.usage.tokens_in, reply.usage.tokens_cached, reply.usage.tokens_out),
        (Some(50), Some(8), Some(14))
    );
    let spent = json!({ "candidates": [{ "finishReason": "MAX_TOKENS" }],
        "usageMetadata": { "promptTokenCount": 50, "thoughtsTokenCount": 2048 } });
    let (_fake, outcome) = exchange("gemini:gemini-test", variables, Settings::default(), spent).await;
    let failure = outcome.unwrap_err();
    assert_eq!(
        failure.usage.tokens_out,
        Some(2 * 2048),
        "thoughts without an answer are paid for, both times"
    );
    assert_eq!(crate::codes(&failure.retries), ["backend/cut-off"]);
    let blocked = json!({ "promptFeedback": { "blockReason": "SAFETY" } });
    let (_fake, outcome) = exchange("gemini:gemini-test", variables, Settings::default(), blocked).await;
    assert!(outcome.unwrap_err().cause.detail.ends_with("the brief was blocked: SAFETY"));
}

#[tokio::test]
async fn endpoints_need_no_key_and_no_model_is_renamed() {
    let fake = Fake::start((0..2).map(|_| Act::Answer(200, "", completion("yes")))).await;
    for env in [Env::of([]), Env::of([("SYNOD_API_KEY", KEY)])] {
        let mind = cast(quick(""), env, Cassette::Off, &format!("{}/api/v1#org/qwen3-max", fake.url));
        assert_eq!(mind.face().provider.as_deref(), fake.url.strip_prefix("http://"));
        ask(&*mind, &Gate::open()).await.unwrap();
    }
    let seen = fake.seen();
    assert!(!seen[0].headers.iter().any(|line| line.starts_with("authorization")));
    assert!(seen[1].has(&format!("authorization: Bearer {KEY}")));
    assert_eq!(
        (seen[0].line.as_str(), &seen[0].json()["model"]),
        ("POST /api/v1/chat/completions HTTP/1.1", &json!("org/qwen3-max"))
    );
}

#[test]
fn prices_and_estimates_are_known_or_not() {
    let env = || Env::of([("OPENAI_API_KEY", KEY), ("ANTHROPIC_API_KEY", KEY)]);
    let price = |env, spec: &str| cast(Settings::default(), env, Cassette::Off, spec).face().price;
    let listed =
        Price { input: Nano(150_000), cached: Nano(75_000), write: Nano(150_000), output: Nano(600_000) };
    assert_eq!(price(env(), "openai:gpt-4o-mini"), Some(listed));
    assert_eq!(
        price(env(), "openai:gpt-4o-mini-2024-07-18"),
        Some(listed),
        "a snapshot costs what its model costs"
    );
    assert_eq!(price(env(), "openai:gpt-4o-mini-search"), None);
    assert!(price(env(), "anthropic:claude-haiku-4-5-20251001").is_some());
    assert_eq!(price(env(), "ollama:llama3"), Some(Price::FREE));
    assert_eq!(price(env(), "http://localhost:8080/v1#x"), Some(Price::FREE));
    assert_eq!(price(env(), "https://gateway.example/v1#gpt-4o-mini"), None, "a gateway may charge anything");
    let gateway = Env::of([("OPENAI_API_KEY", KEY), ("OPENAI_BASE_URL", "https://gateway.example/v1")]);
    assert_eq!(price(gateway, "openai:gpt-4o-mini"), None);
    assert_eq!(listed.cost(1000, 500, 0, 1), Nano(75_000 + 37_500 + 600));
    assert_eq!(listed.most(1, 0), Nano(150));
    assert_eq!(Price { input: Nano(1), ..Price::FREE }.most(1, 0), Nano(1), "rounded up");
}

#[test]
fn what_is_missing_is_told_before_the_first_call() {
    let minds = MindFactory::new(Settings::default(), Env::of([]), Cassette::Off).unwrap();
    for (spec, code, part) in [
        ("openai:gpt-4o", "backend/no-key", "set OPENAI_API_KEY"),
        ("anthropic:x", "backend/no-key", "set ANTHROPIC_API_KEY"),
        ("gemini:x", "backend/no-key", "set GEMINI_API_KEY"),
        ("person", "backend/elsewhere", "terminal"),
        ("script:no-such-file", "backend/bad-script", "no-such-file"),
    ] {
        let error = minds.mind(&Spec::parse(spec).unwrap()).unwrap_err();
        assert_eq!(error.code, code);
        assert!(error.message.contains(part), "{error}");
    }
}
