//! All tests of minds, in one binary. HTTP is real, on loopback, against a server that plays a script.

#![allow(clippy::result_large_err, reason = "a failure is no larger than a reply")]

mod cassettes;
mod fake;
mod finding;
mod ladder;
mod limits;
mod parameters;
mod programs;
mod rehearsals;
mod retries;
mod scripts;
mod secrets;
mod settings;
mod specs;
mod streams;
mod tools;
mod wires;

use std::sync::Arc;
use std::sync::Mutex;

use synod_core::brief::{Brief, Field, Form, Layer, ValueKind};
use synod_core::kernel::{Cause, Who};
use synod_minds::{
    AskContext, CallEstimate, CallFailure, Cassette, Env, Granting, Mind, MindFactory, MindTask, Pace, Pass,
    Permit, Reply, Settings, Sign, Spec, Toolbox,
};

/// Long enough to be taken for a key, odd enough to be found anywhere.
const KEY: &str = "sk-test-3f9c2b7a41d0e865";

fn brief() -> Brief {
    let field =
        |key: &str, kind| Field { key: key.into(), kind, ask: format!("your {key}"), optional: false };
    Brief {
        stable: Layer::new("You sit in a \"synod\".\n".into()),
        shared: Layer::new("So far:\n| nothing\n".into()),
        own: "You are ann.\n".into(),
        form: Arc::new(Form {
            name: "vote",
            fields: vec![
                field("vote", ValueKind::Choice(vec!["YES".into(), "NO".into(), "NEUTRAL".into()])),
                field("reason", ValueKind::Text),
                field("risks", ValueKind::List),
                field("confidence", ValueKind::Confidence),
            ],
        }),
    }
}

fn question(task: MindTask, round: u32, attempt: u32) -> AskContext {
    AskContext {
        seat: seat("ann"),
        task,
        round,
        attempt,
        topic: "rest or graphql".into(),
        options: 0,
        option_texts: Vec::new(),
        side: None,
        limit_ms: None,
    }
}

fn seat(name: &str) -> Who {
    Who::parse(name).expect("a good name")
}

/// Lets `allowed` calls through and keeps what was asked for.
#[derive(Default)]
struct Gate {
    allowed: usize,
    asked: Mutex<Vec<CallEstimate>>,
    signs: Mutex<Vec<Sign>>,
    toolbox: Option<tools::Box>,
}

impl Gate {
    fn open() -> Self {
        Self::of(usize::MAX)
    }

    fn of(allowed: usize) -> Self {
        Self { allowed, ..Self::default() }
    }

    fn calls(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

impl Pass for Gate {
    fn begin<'a>(&'a self, estimate: CallEstimate) -> Granting<'a> {
        Box::pin(async move {
            let mut asked = self.asked.lock().unwrap();
            if asked.len() >= self.allowed {
                return Err(Cause::lasting("backend/refused-by-budget", "the budget of 1 call is spent"));
            }
            asked.push(estimate);
            Ok(Permit::default())
        })
    }

    fn note(&self, sign: Sign) {
        self.signs.lock().unwrap().push(sign);
    }

    fn toolbox(&self) -> Option<&dyn Toolbox> {
        self.toolbox.as_ref().map(|toolbox| toolbox as &dyn Toolbox)
    }
}

/// Settings whose retries are quick; `extra` is added to the table of `openai`.
fn quick(extra: &str) -> Settings {
    let mut settings =
        Settings::read(&format!("[openai]\ntime_out_ms = 2000\n{extra}"), "").expect("good settings");
    settings.pace = Pace { base_ms: 2, cap_ms: 5, retry_after_cap_ms: 150 };
    settings
}

fn openai(url: &str, settings: Settings, cassette: Cassette) -> Arc<dyn Mind> {
    let env = Env::of([("OPENAI_API_KEY", KEY), ("OPENAI_BASE_URL", url)]);
    cast(settings, env, cassette, "openai:gpt-test")
}

fn cast(settings: Settings, env: Env, cassette: Cassette, spec: &str) -> Arc<dyn Mind> {
    let minds = MindFactory::new(settings, env, cassette).expect("a cast");
    minds.mind(&Spec::parse(spec).expect("a spec")).expect("a mind")
}

async fn ask(mind: &dyn Mind, gate: &Gate) -> Result<Reply, CallFailure> {
    mind.ask(&question(MindTask::Vote, 1, 1), &brief(), gate).await
}

/// What a chat completion looks like.
fn completion(text: &str) -> String {
    serde_json::json!({
        "id": "x", "object": "chat.completion", "model": "gpt-test-2026",
        "choices": [{ "index": 0, "finish_reason": "stop",
            "message": { "role": "assistant", "content": text, "refusal": null } }],
        "usage": { "prompt_tokens": 100, "completion_tokens": 20, "prompt_tokens_details": { "cached_tokens": 64 } },
    })
    .to_string()
}

fn error(message: &str) -> String {
    serde_json::json!({ "error": { "message": message, "type": "x" } }).to_string()
}

fn codes(retries: &[synod_core::kernel::Attempt]) -> Vec<&str> {
    retries.iter().map(|attempt| attempt.cause.code.as_str()).collect()
}
