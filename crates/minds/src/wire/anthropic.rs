//! Anthropic's Messages. The two shared layers are marked for its prefix cache, the own one is not.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use serde_json::Value;

use super::stream::{AnthropicStream, Assembler};
use super::{
    ModelAnswer, ModelRequest, Rung, Unread, Wire, inner_error, parameters, ran_out, something, write,
};
use crate::keys::Secret;
use crate::prices::TokenCounts;
use crate::tools::{Tool, ToolCall};

/// The wire.
#[derive(Debug)]
pub(crate) struct Anthropic;

#[derive(Serialize)]
struct AnthropicRequest<'a> {
    model: &'a str,
    max_tokens: u64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<AnthropicText<'a>>,
    messages: Vec<AnthropicMessage<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<AnthropicTool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<Output<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream: Option<bool>,
}

#[derive(Serialize)]
struct AnthropicTool<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'a RawValue,
}

impl<'a> From<&'a Tool> for AnthropicTool<'a> {
    fn from(tool: &'a Tool) -> Self {
        Self { name: tool.name, description: tool.about, input_schema: parameters(tool) }
    }
}

/// A block of a message: text, a use of a tool, or what it gave.
#[derive(Serialize)]
#[serde(untagged)]
enum AnthropicPiece<'a> {
    Text(AnthropicText<'a>),
    Use { r#type: &'static str, id: &'a str, name: &'a str, input: Value },
    Result { r#type: &'static str, tool_use_id: &'a str, content: &'a str },
}

/// The messages of tools that were used.
fn used<'a>(ask: &ModelRequest<'a>) -> impl Iterator<Item = AnthropicMessage<'a>> {
    ask.used.iter().flat_map(|exchange| {
        let wished = |(call, _): &'a (ToolCall, String)| AnthropicPiece::Use {
            r#type: "tool_use",
            id: &call.id,
            name: &call.name,
            input: serde_json::from_str(&call.arguments)
                .unwrap_or_else(|_| Value::Object(Default::default())),
        };
        let given = |(call, given): &'a (ToolCall, String)| AnthropicPiece::Result {
            r#type: "tool_result",
            tool_use_id: &call.id,
            content: given,
        };
        [
            AnthropicMessage { role: "assistant", content: exchange.uses.iter().map(wished).collect() },
            AnthropicMessage { role: "user", content: exchange.uses.iter().map(given).collect() },
        ]
    })
}

#[derive(Serialize)]
struct AnthropicMessage<'a> {
    role: &'static str,
    content: Vec<AnthropicPiece<'a>>,
}

#[derive(Serialize)]
struct AnthropicText<'a> {
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
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<OutputFormat<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    effort: Option<&'a str>,
}

#[derive(Serialize)]
struct OutputFormat<'a> {
    r#type: &'static str,
    schema: &'a RawValue,
}

/// The layer as a block; an empty one is left out, as the server refuses it.
fn block(text: &str, cached: bool) -> Option<AnthropicText<'_>> {
    let cache_control = cached.then_some(Cache { r#type: "ephemeral" });
    (!text.is_empty()).then_some(AnthropicText { r#type: "text", text, cache_control })
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

    fn assembler(&self) -> Box<dyn Assembler> {
        Box::new(AnthropicStream::default())
    }

    fn rungs(&self) -> &'static [Rung] {
        &[Rung::Schema, Rung::Plain]
    }

    fn body(&self, ask: &ModelRequest<'_>) -> Vec<u8> {
        let brief = ask.brief;
        let layers = [block(brief.shared.text(), true), block(&brief.own, false)];
        let content = layers.into_iter().flatten().map(AnthropicPiece::Text).collect();
        let format = match ask.rung {
            Rung::Schema => Some(OutputFormat { r#type: "json_schema", schema: ask.schema }),
            Rung::Object | Rung::Plain => None,
        };
        let is_set = format.is_some() || ask.effort.is_some();
        let messages = std::iter::once(AnthropicMessage { role: "user", content }).chain(used(ask)).collect();
        let body = AnthropicRequest {
            model: ask.model,
            max_tokens: ask.output_most,
            system: block(brief.stable.text(), true).into_iter().collect(),
            messages,
            tools: ask.tools.iter().map(AnthropicTool::from).collect(),
            temperature: ask.temperature,
            output_config: is_set.then_some(Output { format, effort: ask.effort }),
            stream: ask.stream.then_some(true),
        };
        write(ask, &body)
    }

    fn read(&self, body: &[u8]) -> Result<ModelAnswer, Unread> {
        let answer: AnthropicResponse =
            serde_json::from_slice(body).map_err(|error| format!("not a message: {error}"))?;
        if let Some(error) = answer.error.filter(|error| !error.is_null()) {
            return Err(inner_error(&error));
        }
        let (mut said, mut calls) = (String::new(), Vec::new());
        for part in answer.content {
            match part.r#type.as_str() {
                "text" => said.push_str(&part.text.unwrap_or_default()),
                "tool_use" => calls.extend(part.into_call()),
                _ => (),
            }
        }
        let reason = answer.stop_reason.as_deref();
        let cut = said.trim().is_empty() && calls.is_empty() && ran_out(reason);
        let text = match reason {
            Some("refusal") => Err("the model refused".into()),
            reason => something(said, reason),
        };
        // Unlike the others, this provider counts cached tokens apart from `input_tokens`.
        let tokens = answer.usage.and_then(|usage| {
            let written = usage.cache_creation_input_tokens.unwrap_or(0);
            let read = usage.cache_read_input_tokens.unwrap_or(0);
            let input = usage.input_tokens?.saturating_add(read).saturating_add(written);
            Some(TokenCounts {
                input,
                cached: usage.cache_read_input_tokens,
                written,
                output: usage.output_tokens?,
            })
        });
        Ok(ModelAnswer { text, cut, calls, model: answer.model, tokens })
    }
}

#[derive(Deserialize)]
struct AnthropicResponse {
    model: Option<String>,
    #[serde(default)]
    content: Vec<AnthropicPart>,
    stop_reason: Option<String>,
    error: Option<Value>,
    #[serde(default, deserialize_with = "super::lenient")]
    usage: Option<AnthropicUsage>,
}

#[derive(Deserialize)]
struct AnthropicPart {
    r#type: String,
    text: Option<String>,
    id: Option<String>,
    name: Option<String>,
    input: Option<Value>,
}

impl AnthropicPart {
    fn into_call(self) -> Option<ToolCall> {
        let arguments = self.input.map_or_else(|| "{}".into(), |input| input.to_string());
        Some(ToolCall { id: self.id?, name: self.name?, arguments, raw: None })
    }
}

#[derive(Deserialize)]
struct AnthropicUsage {
    input_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
    output_tokens: Option<u64>,
}
