//! How the form of an answer is asked for, and with how little one has to be content.

use crate::fake::{Act, Fake};
use crate::{Gate, ask, codes, completion, error, openai, quick};
use synod_minds::Cassette;

fn formats(fake: &Fake) -> Vec<String> {
    let format =
        |body: serde_json::Value| body["response_format"]["type"].as_str().unwrap_or("none").to_string();
    fake.seen().iter().map(|seen| format(seen.json())).collect()
}

#[tokio::test]
async fn falls_and_remembers() {
    let refused = |what: &str| Act::Answer(400, "", error(what));
    let fine = || Act::Answer(200, "", completion("yes"));
    let acts = [
        refused("'response_format' of type 'json_schema' is not supported"),
        refused("Unsupported mode"),
        fine(),
        fine(),
    ];
    let fake = Fake::start(acts).await;
    let mind = openai(&fake.url, quick("tries = 1"), Cassette::Off);
    let reply = ask(&*mind, &Gate::open()).await.unwrap();
    assert_eq!(codes(&reply.retries), ["backend/http-400", "backend/http-400"]);
    assert!(reply.retries.iter().all(|attempt| attempt.waited_ms == 0 && !attempt.cause.lasting));
    assert_eq!(reply.usage.calls, 3);
    ask(&*mind, &Gate::open()).await.unwrap();
    assert_eq!(formats(&fake), ["json_schema", "json_object", "none", "none"]);
}

#[tokio::test]
async fn a_refusal_about_something_else_teaches_nothing() {
    let refused = || Act::Answer(400, "", error("Unsupported parameter: temperature"));
    let acts = [refused(), Act::Answer(200, "", completion("yes"))];
    let fake = Fake::start(acts).await;
    let mind = openai(&fake.url, quick(""), Cassette::Off);
    let failure = ask(&*mind, &Gate::open()).await.unwrap_err();
    assert!(failure.cause.lasting && failure.retries.is_empty(), "what was not sent cannot be left out");
    ask(&*mind, &Gate::open()).await.unwrap();
    assert_eq!(formats(&fake), ["json_schema", "json_schema"]);
}

#[tokio::test]
async fn settings_decide() {
    for (structured, sent) in [("schema", "json_schema"), ("object", "json_object"), ("off", "none")] {
        let fake = Fake::start([Act::Answer(400, "", error("response_format"))]).await;
        let settings = quick(&format!("structured = \"{structured}\""));
        let failure = ask(&*openai(&fake.url, settings, Cassette::Off), &Gate::open()).await.unwrap_err();
        assert_eq!(
            (failure.cause.code.as_str(), formats(&fake)),
            ("backend/http-400", vec![sent.to_string()])
        );
    }
}
