//! Anthropic's Messages. The two shared layers are marked for its prefix cache, the own one is not.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Ask, Rung, Said, Wire, something, write};
use crate::keys::Secret;
use crate::prices::Tokens;

/// The wire.
#[derive(Debug)]
pub(crate) struct Anthropic;

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    max_tokens: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<Block<'a>>,
    messages: [Message<'a>; 1],
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<Output<'a>>,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: Vec<Block<'a>>,
}

#[derive(Serialize)]
struct Block<'a> {
    r#type: &'static str,
    text: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    cache_control: Option<Cache>,
}

#[derive(Serialize)]
struct Cache {
    r#type: &'static str,
}

#[derive(Serialize)]
struct Output<'a> {
    format: Format<'a>,
}

#[derive(Serialize)]
struct Format<'a> {
    r#type: &'static str,
    schema: &'a RawValue,
}

/// The layer as a block; an empty one is left out, as the server refuses it.
fn block(text: &str, cached: bool) -> Option<Block<'_>> {
    let cache_control = cached.then_some(Cache { r#type: "ephemeral" });
    (!text.is_empty()).then_some(Block { r#type: "text", text, cache_control })
}

impl Wire for Anthropic {
    fn url(&self, base: &str, _model: &str) -> String {
        if base.ends_with("/v1") { format!("{base}/messages") } else { format!("{base}/v1/messages") }
    }

    fn auth(&self, key: &Secret) -> (&'static str, String) {
        ("x-api-key", key.reveal().into())
    }

    fn headers(&self) -> &'static [(&'static str, &'static str)] {
        &[("anthropic-version", "2023-06-01")]
    }

    fn rungs(&self) -> &'static [Rung] {
        &[Rung::Schema, Rung::Plain]
    }

    fn body(&self, ask: &Ask<'_>) -> Vec<u8> {
        let brief = ask.brief;
        let content =
            [block(brief.shared.text(), true), block(&brief.own, false)].into_iter().flatten().collect();
        let output_config = match ask.rung {
            Rung::Schema => Some(Output { format: Format { r#type: "json_schema", schema: ask.schema } }),
            Rung::Object | Rung::Plain => None,
        };
        let body = Body {
            model: ask.model,
            max_tokens: ask.output_most,
            system: block(brief.stable.text(), true).into_iter().collect(),
            messages: [Message { role: "user", content }],
            temperature: ask.temperature,
            output_config,
        };
        write(ask, &body)
    }

    fn read(&self, body: &[u8]) -> Result<Said, String> {
        let answer: Answer =
            serde_json::from_slice(body).map_err(|error| format!("not a message: {error}"))?;
        let parts = answer.content.into_iter().filter(|part| part.r#type == "text");
        let text = match answer.stop_reason.as_deref() {
            Some("refusal") => Err("the model refused".into()),
            reason => something(parts.filter_map(|part| part.text).collect(), reason),
        };
        // Unlike the others, this provider counts cached tokens apart from `input_tokens`.
        let tokens = answer.usage.and_then(|usage| {
            let written = usage.cache_creation_input_tokens.unwrap_or(0);
            let read = usage.cache_read_input_tokens.unwrap_or(0);
            let input = usage.input_tokens?.saturating_add(read).saturating_add(written);
            Some(Tokens {
                input,
                cached: usage.cache_read_input_tokens,
                written,
                output: usage.output_tokens?,
            })
        });
        Ok(Said { text, model: answer.model, tokens })
    }
}

#[derive(Deserialize)]
struct Answer {
    model: Option<String>,
    #[serde(default)]
    content: Vec<Part>,
    stop_reason: Option<String>,
    #[serde(default, deserialize_with = "super::lenient")]
    usage: Option<Used>,
}

#[derive(Deserialize)]
struct Part {
    r#type: String,
    text: Option<String>,
}

#[derive(Deserialize)]
struct Used {
    input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
    output_tokens: Option<u64>,
}
