//! OpenAI's chat completions, which Ollama, vLLM, llama.cpp, LM Studio and most gateways speak too.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use serde_json::Value;

use super::stream::{Assembler, OpenAiStream};
use super::{
    Joined, ModelAnswer, ModelRequest, Rung, Unread, Wire, inner_error, parameters, ran_out, something, write,
};
use crate::keys::Secret;
use crate::manners::wants_completion_tokens;
use crate::prices::TokenCounts;
use crate::tools::{Tool, ToolCall};

/// The wire. OpenAI itself has renamed a field that most others still know by its old name.
#[derive(Debug)]
pub(crate) struct OpenAi {
    /// Whether this is OpenAI's own server.
    pub(crate) official: bool,
}

#[derive(Serialize)]
struct OpenAiRequest<'a> {
    model: &'a str,
    messages: Vec<OpenAiMessage<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<OpenAiTool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reasoning_effort: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
struct OpenAiMessage<'a> {
    role: &'static str,
    content: Joined<'a>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tool_calls: Vec<Wished<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_call_id: Option<&'a str>,
}

impl<'a> OpenAiMessage<'a> {
    fn said(role: &'static str, content: Joined<'a>) -> Self {
        Self { role, content, tool_calls: Vec::new(), tool_call_id: None }
    }
}

#[derive(Serialize)]
struct OpenAiTool<'a> {
    r#type: &'static str,
    function: OpenAiFunction<'a>,
}

#[derive(Serialize)]
struct OpenAiFunction<'a> {
    name: &'a str,
    description: &'a str,
    parameters: &'a RawValue,
}

impl<'a> From<&'a Tool> for OpenAiTool<'a> {
    fn from(tool: &'a Tool) -> Self {
        let function =
            OpenAiFunction { name: tool.name, description: tool.about, parameters: parameters(tool) };
        Self { r#type: "function", function }
    }
}

/// A use of a tool as the model wished for it, sent back.
#[derive(Serialize)]
struct Wished<'a> {
    id: &'a str,
    r#type: &'static str,
    function: WishedFunction<'a>,
}

#[derive(Serialize)]
struct WishedFunction<'a> {
    name: &'a str,
    arguments: &'a str,
}

/// The messages of tools that were used.
fn used<'a>(ask: &ModelRequest<'a>) -> impl Iterator<Item = OpenAiMessage<'a>> {
    ask.used.iter().flat_map(|exchange| {
        let wished = |(call, _): &'a (ToolCall, String)| Wished {
            id: &call.id,
            r#type: "function",
            function: WishedFunction { name: &call.name, arguments: &call.arguments },
        };
        let tool_calls = exchange.uses.iter().map(wished).collect();
        let wish = OpenAiMessage { tool_calls, ..OpenAiMessage::said("assistant", Joined("", "")) };
        let given = exchange.uses.iter().map(|(call, given)| OpenAiMessage {
            tool_call_id: Some(&call.id),
            ..OpenAiMessage::said("tool", Joined(given, ""))
        });
        std::iter::once(wish).chain(given)
    })
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ResponseFormat<'a> {
    JsonSchema { json_schema: Named<'a> },
    JsonObject,
}

#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
    strict: bool,
    schema: &'a RawValue,
}

impl Wire for OpenAi {
    fn url(&self, base: &str, _model: &str) -> String {
        if base.ends_with("/chat/completions") { base.into() } else { format!("{base}/chat/completions") }
    }

    fn auth(&self, key: &Secret) -> (&'static str, String) {
        ("authorization", format!("Bearer {}", key.reveal()))
    }

    fn assembler(&self) -> Box<dyn Assembler> {
        Box::new(OpenAiStream::default())
    }

    fn rungs(&self) -> &'static [Rung] {
        &[Rung::Schema, Rung::Object, Rung::Plain]
    }

    fn body(&self, ask: &ModelRequest<'_>) -> Vec<u8> {
        let brief = ask.brief;
        let mut messages = Vec::with_capacity(2);
        if !brief.stable.text().is_empty() {
            messages.push(OpenAiMessage::said("system", Joined(brief.stable.text(), "")));
        }
        messages.push(OpenAiMessage::said("user", Joined(brief.shared.text(), &brief.own)));
        messages.extend(used(ask));
        let named = || Named { name: brief.form.name, strict: true, schema: ask.schema };
        let response_format = match ask.rung {
            Rung::Schema => Some(ResponseFormat::JsonSchema { json_schema: named() }),
            Rung::Object => Some(ResponseFormat::JsonObject),
            Rung::Plain => None,
        };
        let renamed = (self.official || wants_completion_tokens(ask.model)) != ask.other_limit;
        let limit = (!ask.no_limit).then_some(ask.output_most);
        let body = OpenAiRequest {
            model: ask.model,
            messages,
            tools: ask.tools.iter().map(OpenAiTool::from).collect(),
            max_completion_tokens: limit.filter(|_| renamed),
            max_tokens: limit.filter(|_| !renamed),
            temperature: ask.temperature,
            reasoning_effort: ask.effort,
            response_format,
            stream: ask.stream.then_some(true),
            // Without this a stream does not say what it cost.
            stream_options: ask.stream.then_some(StreamOptions { include_usage: true }),
        };
        write(ask, &body)
    }

    fn read(&self, body: &[u8]) -> Result<ModelAnswer, Unread> {
        let answer: OpenAiResponse =
            serde_json::from_slice(body).map_err(|error| format!("not a completion: {error}"))?;
        // Gateways answer 200 and put the error of whoever they asked into the body, or into the choice.
        if let Some(error) = answer.error.filter(|error| !error.is_null()) {
            return Err(inner_error(&error));
        }
        let Some(choice) = answer.choices.into_iter().next() else {
            return Err(format!("the answer holds no choice: {}", super::message(body)).into());
        };
        if let Some(error) = choice.error.filter(|error| !error.is_null()) {
            return Err(inner_error(&error));
        }
        let spoken = choice.message.unwrap_or_default();
        let calls: Vec<ToolCall> =
            spoken.tool_calls.unwrap_or_default().into_iter().map(ToolCall::from).collect();
        let content = spoken.content.map_or(String::new(), OpenAiContent::into_text);
        let reason = choice.finish_reason.as_deref();
        let cut = content.trim().is_empty() && calls.is_empty() && ran_out(reason);
        let text = match spoken.refusal.filter(|refusal| !refusal.is_empty()) {
            Some(refusal) => Err(format!("the model refused: {refusal}")),
            None => something(content, reason),
        };
        let tokens = answer.usage.and_then(|usage| {
            let cached = usage.prompt_tokens_details.and_then(|details| details.cached_tokens);
            Some(TokenCounts {
                input: usage.prompt_tokens?,
                cached,
                written: 0,
                output: usage.completion_tokens?,
            })
        });
        Ok(ModelAnswer { text, cut, calls, model: answer.model, tokens })
    }
}

#[derive(Deserialize)]
struct OpenAiResponse {
    model: Option<String>,
    #[serde(default)]
    choices: Vec<OpenAiChoice>,
    error: Option<Value>,
    #[serde(default, deserialize_with = "super::lenient")]
    usage: Option<OpenAiUsage>,
}

#[derive(Deserialize)]
struct OpenAiChoice {
    message: Option<OpenAiReply>,
    finish_reason: Option<String>,
    error: Option<Value>,
}

#[derive(Deserialize, Default)]
struct OpenAiReply {
    content: Option<OpenAiContent>,
    refusal: Option<String>,
    tool_calls: Option<Vec<WishedCall>>,
}

#[derive(Deserialize)]
struct WishedCall {
    #[serde(default)]
    id: String,
    function: CalledFunction,
}

#[derive(Deserialize)]
struct CalledFunction {
    name: String,
    #[serde(default)]
    arguments: String,
}

impl From<WishedCall> for ToolCall {
    fn from(wished: WishedCall) -> Self {
        let CalledFunction { name, arguments } = wished.function;
        Self { id: wished.id, name, arguments, raw: None }
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OpenAiContent {
    Text(String),
    Parts(Vec<OpenAiPart>),
}

#[derive(Deserialize)]
struct OpenAiPart {
    text: Option<String>,
}

impl OpenAiContent {
    fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Parts(parts) => parts.into_iter().filter_map(|part| part.text).collect(),
        }
    }
}

#[derive(Deserialize)]
struct OpenAiUsage {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
    prompt_tokens_details: Option<Details>,
}

#[derive(Deserialize)]
struct Details {
    cached_tokens: Option<u64>,
}
