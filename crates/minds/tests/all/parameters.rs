//! Parameters that a model does not take, models that think, and errors that gateways wrap.

use crate::fake::{Act, Fake};
use crate::{Gate, KEY, ask, cast, codes, completion, error, openai, quick};
use serde_json::{Value, json};
use synod_minds::{Cassette, Env, Mind, Settings};

fn refused(message: &str) -> Act {
    Act::Answer(400, "", error(message))
}

fn fine() -> Act {
    Act::Answer(200, "", completion("yes"))
}

fn mind(fake: &Fake, spec: &str, settings: Settings) -> std::sync::Arc<dyn Mind> {
    let env = Env::of([("OPENAI_API_KEY", KEY), ("OPENAI_BASE_URL", fake.url.as_str())]);
    cast(settings, env, Cassette::Off, spec)
}

fn fields(fake: &Fake, key: &str) -> Vec<Value> {
    fake.seen().iter().map(|seen| seen.json()[key].clone()).collect()
}

#[tokio::test]
async fn a_limit_by_the_wrong_name_is_swapped_once_and_for_all() {
    let message = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    let fake = Fake::start([refused(message), fine(), fine()]).await;
    let mind = mind(&fake, "openai:new-model", quick("max_output_tokens = 99"));
    let reply = ask(&*mind, &Gate::open()).await.unwrap();
    assert_eq!(codes(&reply.retries), ["backend/http-400"]);
    ask(&*mind, &Gate::open()).await.unwrap();
    assert_eq!(fields(&fake, "max_tokens"), [json!(99), json!(null), json!(null)]);
    assert_eq!(fields(&fake, "max_completion_tokens"), [json!(null), json!(99), json!(99)]);
}

#[tokio::test]
async fn known_families_are_asked_rightly_at_once() {
    let fake = Fake::start((0..3).map(|_| fine())).await;
    for (spec, limit) in
        [("openai:o3-mini", 16_384), ("openai:gpt-5", 16_384), ("openai:gpt-5-chat-latest", 2048)]
    {
        let mind = mind(&fake, spec, quick(""));
        assert_eq!(mind.face().output_most, limit, "{spec}");
        assert_eq!(mind.patience_ms().is_some(), limit > 2048, "{spec}");
        ask(&*mind, &Gate::open()).await.unwrap();
    }
    assert_eq!(fields(&fake, "max_completion_tokens"), [json!(16_384), json!(16_384), json!(2048)]);
    assert!(fields(&fake, "max_tokens").iter().all(Value::is_null));
}

#[tokio::test]
async fn temperature_and_effort_are_dropped_when_they_are_refused() {
    let acts = [
        refused("Unsupported value: 'temperature' does not support 0.2 with this model."),
        refused("Unrecognized request argument supplied: reasoning_effort"),
        fine(),
        fine(),
    ];
    let fake = Fake::start(acts).await;
    let mind = mind(&fake, "openai:some-model,effort=high", quick("temperature = 0.2"));
    assert_eq!(mind.face().model.as_deref(), Some("some-model"), "options are not part of the name");
    ask(&*mind, &Gate::open()).await.unwrap();
    ask(&*mind, &Gate::open()).await.unwrap();
    let [none, high] = [json!(null), json!("high")];
    assert_eq!(fields(&fake, "temperature"), [json!(0.2), none.clone(), none.clone(), none.clone()]);
    assert_eq!(fields(&fake, "reasoning_effort"), [high.clone(), high, none.clone(), none]);
    let formats: Vec<Value> = fields(&fake, "response_format");
    assert!(
        formats.iter().all(|format| format["type"] == "json_schema"),
        "the form is still asked for: {formats:?}"
    );
}

#[tokio::test]
async fn the_effort_of_a_provider_holds_where_a_seat_has_none() {
    let fake = Fake::start([fine(), fine()]).await;
    for spec in ["openai:o3", "openai:o3,effort=low"] {
        ask(&*mind(&fake, spec, quick("reasoning_effort = \"medium\"")), &Gate::open()).await.unwrap();
    }
    assert_eq!(fields(&fake, "reasoning_effort"), [json!("medium"), json!("low")]);
}

#[tokio::test]
async fn an_answer_that_ran_out_is_asked_for_once_more_with_more_room() {
    let empty = || {
        let body = json!({ "choices": [{ "message": { "content": "" }, "finish_reason": "length" }],
            "usage": { "prompt_tokens": 10, "completion_tokens": 99 } });
        Act::Answer(200, "", body.to_string())
    };
    let fake = Fake::start([empty(), fine()]).await;
    let gate = Gate::open();
    let reply =
        ask(&*openai(&fake.url, quick("max_output_tokens = 99"), Cassette::Off), &gate).await.unwrap();
    assert_eq!(codes(&reply.retries), ["backend/cut-off"]);
    assert_eq!(fields(&fake, "max_tokens"), [json!(99), json!(396)]);
    assert_eq!((reply.usage.tokens_in, reply.usage.tokens_out), (Some(110), Some(119)), "both are paid for");
    assert_eq!(gate.asked.lock().unwrap()[1].tokens_out_most, 396, "and reserved");

    let fake = Fake::start([empty(), empty(), fine()]).await;
    let failure = ask(&*openai(&fake.url, quick(""), Cassette::Off), &Gate::open()).await.unwrap_err();
    assert_eq!((failure.cause.code.as_str(), fake.seen().len()), ("backend/bad-answer", 2));
    assert!(failure.cause.detail.contains("raise `max_output_tokens`"), "{}", failure.cause.detail);
}

#[tokio::test]
async fn errors_inside_an_answer_of_200_are_named_and_retried_where_that_helps() {
    let inside = |error: Value| Act::Answer(200, "", json!({ "error": error }).to_string());
    let in_choice = |error: Value| {
        let body = json!({ "choices": [{ "error": error, "finish_reason": "error", "message": { "content": "hal" } }] });
        Act::Answer(200, "", body.to_string())
    };
    let fake = Fake::start([
        inside(json!({ "code": 429, "message": "Provider returned error",
            "metadata": { "provider_name": "Acme", "raw": "{\"error\":{\"message\":\"slow down\"}}" } })),
        in_choice(json!({ "code": 502, "message": "upstream died" })),
        fine(),
    ])
    .await;
    let reply = ask(&*openai(&fake.url, quick(""), Cassette::Off), &Gate::open()).await.unwrap();
    assert_eq!(reply.text, "yes", "half an answer beside an error does not count");
    assert_eq!(codes(&reply.retries), ["backend/http-429", "backend/http-502"]);
    let host = fake.url.strip_prefix("http://").unwrap();
    assert_eq!(
        &*reply.retries[0].cause.detail,
        format!("{host} answered 200 with error 429 inside: Provider returned error (Acme: slow down)")
    );
    let fake = Fake::start([inside(json!({ "code": 402, "message": "Insufficient credits" })), fine()]).await;
    let failure = ask(&*openai(&fake.url, quick(""), Cassette::Off), &Gate::open()).await.unwrap_err();
    assert_eq!((failure.cause.code.as_str(), failure.cause.lasting), ("backend/http-402", true));
}
