//! Wires: how a provider wants to be asked and how it answers.
//!
//! A wire only translates. It never sends, retries, counts, or changes the name of a model. Layers of the
//! brief go out in their order (stable, shared, own), so that prefix caches hit, and are not copied on
//! the way into the request body.
//!
//! To add one: a file here, an arm in `cast::source`, its request and answer in the tests.

use std::fmt::Debug;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Serialize, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;
use synod_core::brief::{Brief, Form};
use synod_core::kernel::text;

use crate::keys::Secret;
use crate::prices::TokenCounts;
use crate::tools::{Exchange, Tool, ToolCall};

pub(crate) mod anthropic;
pub(crate) mod gemini;
pub(crate) mod openai;
pub(crate) mod stream;

/// A provider's way of speaking.
pub(crate) trait Wire: Send + Sync + Debug {
    /// Where a model is asked.
    fn url(&self, base: &str, model: &str) -> String;

    /// The header that carries the key.
    fn auth(&self, key: &Secret) -> (&'static str, String);

    /// Headers that are always sent.
    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    /// Where it is asked for an answer that is streamed.
    fn stream_url(&self, base: &str, model: &str) -> String {
        self.url(base, model)
    }

    /// What puts a streamed answer together.
    fn assembler(&self) -> Box<dyn stream::Assembler>;

    /// The ways it offers to ask for a form, from the strictest to none.
    fn rungs(&self) -> &'static [Rung];

    /// The body of a request.
    fn body(&self, ask: &ModelRequest<'_>) -> Vec<u8>;

    /// Reads an answer of status 200; says what is wrong with one that cannot be read.
    fn read(&self, body: &[u8]) -> Result<ModelAnswer, Unread>;
}

/// Why an answer of status 200 is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Unread {
    /// What is wrong with it.
    pub(crate) what: String,
    /// The status that it should have had: gateways put the errors of others into an answer of their own.
    pub(crate) status: Option<u16>,
}

impl From<String> for Unread {
    fn from(what: String) -> Self {
        Self { what, status: None }
    }
}

impl From<&str> for Unread {
    fn from(what: &str) -> Self {
        Self { what: what.into(), status: None }
    }
}

/// An error that stands inside an answer.
pub(crate) fn inner_error(error: &Value) -> Unread {
    let code = error.get("code").or_else(|| error.get("status"));
    let number = |code: &Value| code.as_u64().or_else(|| code.as_str()?.parse().ok());
    let status = code.and_then(number).filter(|code| (400..600).contains(code)).map(|code| code as u16);
    let said = [error.get("message"), Some(error)].into_iter().flatten().find_map(Value::as_str);
    // Gateways hide what the provider itself said one level deeper.
    let raw = error.pointer("/metadata/raw").and_then(Value::as_str);
    let named = error.pointer("/metadata/provider_name").and_then(Value::as_str);
    let mut what = said.unwrap_or("an error without a word").to_string();
    if let Some(raw) = raw.filter(|raw| !raw.is_empty()) {
        let whose = named.map_or_else(|| "provider".into(), text::one_line);
        what = format!("{what} ({whose}: {})", message(raw.as_bytes()));
    }
    Unread { what: text::one_line(&what), status }
}

/// A request to a model.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ModelRequest<'a> {
    pub(crate) brief: &'a Brief,
    pub(crate) model: &'a str,
    pub(crate) rung: Rung,
    pub(crate) schema: &'a RawValue,
    pub(crate) output_most: u64,
    pub(crate) temperature: Option<&'a RawValue>,
    /// How much to think.
    pub(crate) effort: Option<&'a str>,
    pub(crate) stream: bool,
    /// Whether the limit of an answer goes by its other name, or is not sent.
    pub(crate) other_limit: bool,
    pub(crate) no_limit: bool,
    pub(crate) tools: &'a [Tool],
    /// Tools that were used already for this answer.
    pub(crate) used: &'a [Exchange],
}

/// The schema of a tool's arguments.
pub(crate) fn parameters(tool: &Tool) -> &'static RawValue {
    serde_json::from_str(tool.parameters).unwrap_or(RawValue::NULL)
}

/// How the form of an answer is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rung {
    /// By its schema.
    Schema,
    /// As some JSON object.
    Object,
    /// By the words of the brief alone.
    Plain,
}

/// A model's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ModelAnswer {
    /// The text, or why there is none: such an answer is paid for all the same.
    pub(crate) text: Result<String, String>,
    /// The output ran out before anything was said.
    pub(crate) cut: bool,
    /// Tools that it wants to use first.
    pub(crate) calls: Vec<ToolCall>,
    pub(crate) model: Option<String>,
    pub(crate) tokens: Option<TokenCounts>,
}

/// Two layers as one JSON string, written without joining them first.
pub(crate) struct Joined<'a>(pub(crate) &'a str, pub(crate) &'a str);

impl Serialize for Joined<'_> {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(&format_args!("{}{}", self.0, self.1))
    }
}

/// Writes a body once, into a buffer that seldom has to grow.
pub(crate) fn write(ask: &ModelRequest<'_>, body: &impl Serialize) -> Vec<u8> {
    let mut out = Vec::with_capacity(ask.brief.len() + ask.brief.len() / 16 + ask.schema.get().len() + 512);
    serde_json::to_writer(&mut out, body).expect("text and numbers can be written to memory");
    out
}

/// The text, unless the answer ended before it began.
pub(crate) fn something(text: String, reason: Option<&str>) -> Result<String, String> {
    if !text.trim().is_empty() {
        return Ok(text);
    }
    Err(match reason.map(str::to_ascii_lowercase).as_deref() {
        Some(_) if ran_out(reason) => {
            "the answer is empty: the model used up its output before it said anything; raise `max_output_tokens` \
             in providers.toml"
                .into()
        }
        Some(reason) => format!("the answer is empty, it ended with `{}`", text::excerpt(reason, 40)),
        None => "the answer is empty".into(),
    })
}

/// Whether an answer ended because its output was used up.
pub(crate) fn ran_out(reason: Option<&str>) -> bool {
    reason.is_some_and(|reason| matches!(reason.to_ascii_lowercase().as_str(), "length" | "max_tokens"))
}

/// The message inside the body of an error, in any of the shapes that are in use; else the body itself.
pub(crate) fn message(body: &[u8]) -> String {
    let found = serde_json::from_slice::<Value>(body).ok().and_then(|value| {
        let value = value.get(0).unwrap_or(&value);
        if value.pointer("/error/metadata/raw").is_some() {
            return value.get("error").map(|error| inner_error(error).what);
        }
        let error = value.get("error").unwrap_or(value);
        let places = [error.get("message"), Some(error), value.get("message"), value.get("detail")];
        places.into_iter().flatten().find_map(Value::as_str).map(str::to_string)
    });
    text::one_line(
        &found.unwrap_or_else(|| String::from_utf8_lossy(&body[..body.len().min(4096)]).into_owned()),
    )
}

/// Schemas that were written before. Seats of one debate ask for the same few forms again and again.
#[derive(Debug, Default)]
pub(crate) struct Schemas(Mutex<Vec<(Form, Arc<RawValue>)>>);

/// More forms than this are not in use together.
const KEPT: usize = 8;

impl Schemas {
    /// The schema of a form, as JSON text.
    pub(crate) fn of(&self, form: &Form) -> Arc<RawValue> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, schema)) = kept.iter().find(|(known, _)| known == form) {
            return schema.clone();
        }
        let schema: Arc<RawValue> = RawValue::from_string(form.schema()).expect("a schema is JSON").into();
        if kept.len() == KEPT {
            kept.remove(0);
        }
        kept.push((form.clone(), schema.clone()));
        schema
    }
}

/// What can be read of a part that is good to know and not needed: an odd figure must not cost an answer.
pub(crate) fn lenient<'de, T, D>(from: D) -> Result<Option<T>, D::Error>
where
    T: serde::de::DeserializeOwned,
    D: serde::Deserializer<'de>,
{
    let value = <serde_json::Value as serde::Deserialize>::deserialize(from)?;
    Ok(serde_json::from_value(value).ok())
}
