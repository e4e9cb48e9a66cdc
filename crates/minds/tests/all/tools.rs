//! Tools, as each provider has them used.

use std::sync::Mutex;

use crate::fake::{Act, Fake};
use crate::{Gate, KEY, cast, codes, completion, error, quick};
use serde_json::{Value, json};
use synod_minds::{CallFailure, Cassette, Env, Reply, Tool, ToolCall, Toolbox, Using};

const TOOLS: [Tool; 1] = [Tool {
    name: "read_file",
    about: "Reads a file.",
    parameters: r#"{"type":"object","properties":{"path":{"type":"string"}},"required":["path"]}"#,
}];

/// One tool, which says what it was asked for.
#[derive(Default)]
pub(crate) struct Box {
    used: Mutex<Vec<(String, String)>>,
}

impl Toolbox for Box {
    fn tools(&self) -> &[Tool] {
        &TOOLS
    }

    fn most(&self) -> u32 {
        2
    }

    fn use_tool<'a>(&'a self, call: &'a ToolCall) -> Using<'a> {
        self.used.lock().unwrap().push((call.name.clone(), call.arguments.clone()));
        std::boxed::Box::pin(async { "fn main() {}".to_string() })
    }
}

fn gate() -> Gate {
    Gate { toolbox: Some(Box::default()), ..Gate::open() }
}

fn used(gate: &Gate) -> Vec<(String, String)> {
    gate.toolbox.as_ref().unwrap().used.lock().unwrap().clone()
}

async fn ask(fake: &Fake, spec: &str, gate: &Gate) -> Result<Reply, CallFailure> {
    let url = fake.url.as_str();
    let variables = [("OPENAI_BASE_URL", url), ("ANTHROPIC_BASE_URL", url), ("GEMINI_BASE_URL", url)];
    let keys = [("OPENAI_API_KEY", KEY), ("ANTHROPIC_API_KEY", KEY), ("GEMINI_API_KEY", KEY)];
    let env = Env::of(variables.into_iter().chain(keys));
    crate::ask(&*cast(quick(""), env, Cassette::Off, spec), gate).await
}

fn wish(arguments: &str) -> Act {
    let body = json!({
        "choices": [{ "finish_reason": "tool_calls", "message": { "content": null, "tool_calls": [
            { "id": "call_1", "type": "function", "function": { "name": "read_file", "arguments": arguments } } ] } }],
        "usage": { "prompt_tokens": 50, "completion_tokens": 5 },
    });
    Act::Answer(200, "", body.to_string())
}

#[tokio::test]
async fn openai_uses_a_tool_and_answers() {
    let fake = Fake::start([wish("{\"path\":\"a.rs\"}"), Act::Answer(200, "", completion("yes"))]).await;
    let gate = gate();
    let reply = ask(&fake, "openai:m", &gate).await.unwrap();
    assert_eq!(reply.text, "yes");
    assert_eq!((reply.usage.calls, reply.usage.tokens_in), (2, Some(150)), "both calls are counted");
    assert_eq!(gate.calls(), 2, "and both asked for leave");
    assert_eq!(used(&gate), [("read_file".to_string(), "{\"path\":\"a.rs\"}".to_string())]);
    let seen = fake.seen();
    assert_eq!(seen[0].json()["tools"][0]["function"]["name"], "read_file");
    let messages = seen[1].json()["messages"].clone();
    assert_eq!(messages[2]["tool_calls"][0]["id"], "call_1");
    assert_eq!(messages[3], json!({ "role": "tool", "tool_call_id": "call_1", "content": "fn main() {}" }));
}

#[tokio::test]
async fn a_streamed_wish_for_a_tool_is_put_together() {
    let piece = |call: Value| json!({ "choices": [{ "index": 0, "delta": { "tool_calls": [call] }, "finish_reason": null }] });
    let chunks = [
        piece(
            json!({ "index": 0, "id": "c", "type": "function", "function": { "name": "read_file", "arguments": "" } }),
        ),
        piece(json!({ "index": 0, "function": { "arguments": "{\"path\":" } })),
        piece(json!({ "index": 0, "function": { "arguments": "\"a.rs\"}" } })),
        json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": "tool_calls" }],
            "usage": { "prompt_tokens": 1, "completion_tokens": 1 } }),
    ];
    let stream = chunks.iter().map(|chunk| format!("data: {chunk}\n\n")).collect();
    let fake = Fake::start([Act::Stream(stream), Act::Answer(200, "", completion("yes"))]).await;
    let gate = gate();
    ask(&fake, "openai:m", &gate).await.unwrap();
    assert_eq!(used(&gate), [("read_file".to_string(), "{\"path\":\"a.rs\"}".to_string())]);
}

#[tokio::test]
async fn anthropic_uses_a_tool_and_answers() {
    let wish = json!({ "stop_reason": "tool_use", "usage": { "input_tokens": 1, "output_tokens": 1 }, "content": [
        { "type": "text", "text": "Let me look." },
        { "type": "tool_use", "id": "tu_1", "name": "read_file", "input": { "path": "a.rs" } } ] });
    let answer = json!({ "stop_reason": "end_turn", "usage": { "input_tokens": 1, "output_tokens": 1 },
        "content": [{ "type": "text", "text": "yes" }] });
    let fake = Fake::start([wish, answer].map(|body| Act::Answer(200, "", body.to_string()))).await;
    let gate = gate();
    assert_eq!(ask(&fake, "anthropic:m", &gate).await.unwrap().text, "yes");
    let seen = fake.seen();
    assert_eq!(seen[0].json()["tools"][0]["input_schema"]["required"], json!(["path"]));
    let messages = seen[1].json()["messages"].clone();
    assert_eq!(
        messages[1]["content"],
        json!([{ "type": "tool_use", "id": "tu_1", "name": "read_file", "input": { "path": "a.rs" } }])
    );
    assert_eq!(
        messages[2],
        json!({ "role": "user", "content": [{ "type": "tool_result", "tool_use_id": "tu_1", "content": "fn main() {}" }] })
    );
}

#[tokio::test]
async fn gemini_uses_a_tool_and_answers() {
    let part = json!({ "functionCall": { "name": "read_file", "args": { "path": "a.rs" } }, "thoughtSignature": "abc" });
    let body = |part: Value| {
        json!({ "candidates": [{ "finishReason": "STOP", "content": { "parts": [part] } }],
            "usageMetadata": { "promptTokenCount": 1, "candidatesTokenCount": 1 } })
    };
    let answers = [body(part.clone()), body(json!({ "text": "yes" }))];
    let fake = Fake::start(answers.map(|body| Act::Answer(200, "", body.to_string()))).await;
    let gate = gate();
    assert_eq!(ask(&fake, "gemini:m", &gate).await.unwrap().text, "yes");
    let seen = fake.seen();
    assert_eq!(seen[0].json()["tools"][0]["functionDeclarations"][0]["name"], "read_file");
    let contents = seen[1].json()["contents"].clone();
    assert_eq!(contents[1], json!({ "role": "model", "parts": [part] }), "with its signature");
    let response =
        json!({ "functionResponse": { "name": "read_file", "response": { "result": "fn main() {}" } } });
    assert_eq!(contents[2], json!({ "role": "user", "parts": [response] }));
}

#[tokio::test]
async fn a_model_without_tools_is_asked_without() {
    let refused = Act::Answer(400, "", error("library/llama does not support tools"));
    let fake = Fake::start([refused, Act::Answer(200, "", completion("yes"))]).await;
    let reply = ask(&fake, "openai:m", &gate()).await.unwrap();
    assert_eq!(codes(&reply.retries), ["backend/http-400"]);
    assert!(fake.seen()[1].json().get("tools").is_none());
}

#[tokio::test]
async fn a_seat_can_be_without_tools() {
    let fake = Fake::start([Act::Answer(200, "", completion("yes"))]).await;
    ask(&fake, "openai:m,tools=off", &gate()).await.unwrap();
    assert!(fake.seen()[0].json().get("tools").is_none());
}

#[tokio::test]
async fn tools_come_to_an_end() {
    let fake = Fake::start((0..9).map(|_| wish("{}"))).await;
    let gate = gate();
    let failure = ask(&fake, "openai:m", &gate).await.unwrap_err();
    assert_eq!(failure.cause.code, "backend/tools-endless");
    assert_eq!((used(&gate).len(), fake.seen().len()), (2, 5));
    let last = fake.seen()[3].json();
    let told = last["messages"].as_array().unwrap().last().unwrap()["content"].clone();
    assert!(told.as_str().unwrap().starts_with("No more tool calls"), "{told}");
}
