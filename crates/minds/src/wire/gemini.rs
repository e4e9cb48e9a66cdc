//! Gemini's generateContent. The key goes into a header, never into the URL, where logs would keep it.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use serde_json::{Value, json};

use super::stream::{Assembler, GeminiStream};
use super::{
    ModelAnswer, ModelRequest, Rung, Unread, Wire, inner_error, parameters, ran_out, something, write,
};
use crate::keys::Secret;
use crate::prices::TokenCounts;
use crate::tools::{Tool, ToolCall};

/// The wire.
#[derive(Debug)]
pub(crate) struct Gemini;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GeminiRequest<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    system_instruction: Option<GeminiTurn<'a>>,
    contents: Vec<GeminiTurn<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<[FunctionDeclarations<'a>; 1]>,
    generation_config: GenerationConfig<'a>,
}

#[derive(Serialize)]
struct GeminiTurn<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    parts: Vec<GeminiPiece<'a>>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum GeminiPiece<'a> {
    Text {
        text: &'a str,
    },
    /// A use of a tool as it came, or what it gave.
    Raw(Value),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FunctionDeclarations<'a> {
    function_declarations: Vec<FunctionDeclaration<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct FunctionDeclaration<'a> {
    name: &'a str,
    description: &'a str,
    parameters_json_schema: &'a RawValue,
}

impl<'a> From<&'a Tool> for FunctionDeclaration<'a> {
    fn from(tool: &'a Tool) -> Self {
        Self { name: tool.name, description: tool.about, parameters_json_schema: parameters(tool) }
    }
}

/// The messages of tools that were used. What the model wished for goes back as it came: it may carry a signature of
/// the thoughts that led to it.
fn used<'a>(ask: &ModelRequest<'a>) -> impl Iterator<Item = GeminiTurn<'a>> {
    ask.used.iter().flat_map(|exchange| {
        let wished =
            |(call, _): &'a (ToolCall, String)| GeminiPiece::Raw(call.raw.clone().unwrap_or_default());
        let given = |(call, given): &'a (ToolCall, String)| {
            let mut response = json!({ "name": call.name, "response": { "result": given } });
            if !call.id.is_empty() {
                response["id"] = json!(call.id);
            }
            GeminiPiece::Raw(json!({ "functionResponse": response }))
        };
        [
            GeminiTurn { role: Some("model"), parts: exchange.uses.iter().map(wished).collect() },
            GeminiTurn { role: Some("user"), parts: exchange.uses.iter().map(given).collect() },
        ]
    })
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GenerationConfig<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    max_output_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_mime_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_json_schema: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thinking_config: Option<Thinking<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Thinking<'a> {
    thinking_level: &'a str,
}

/// Layers as parts; an empty one is left out.
fn pieces<'a>(layers: &[&'a str]) -> Vec<GeminiPiece<'a>> {
    layers.iter().filter(|text| !text.is_empty()).map(|text| GeminiPiece::Text { text }).collect()
}

/// The version to add to a base URL that names none.
fn version(base: &str) -> &'static str {
    if base.ends_with("/v1beta") || base.ends_with("/v1") { "" } else { "/v1beta" }
}

impl Wire for Gemini {
    fn url(&self, base: &str, model: &str) -> String {
        format!("{base}{}/models/{model}:generateContent", version(base))
    }

    fn stream_url(&self, base: &str, model: &str) -> String {
        format!("{base}{}/models/{model}:streamGenerateContent?alt=sse", version(base))
    }

    fn assembler(&self) -> Box<dyn Assembler> {
        Box::new(GeminiStream::default())
    }

    fn auth(&self, key: &Secret) -> (&'static str, String) {
        ("x-goog-api-key", key.reveal().into())
    }

    fn rungs(&self) -> &'static [Rung] {
        &[Rung::Schema, Rung::Object, Rung::Plain]
    }

    fn body(&self, ask: &ModelRequest<'_>) -> Vec<u8> {
        let brief = ask.brief;
        let system = pieces(&[brief.stable.text()]);
        let (response_mime_type, response_json_schema) = match ask.rung {
            Rung::Schema => (Some("application/json"), Some(ask.schema)),
            Rung::Object => (Some("application/json"), None),
            Rung::Plain => (None, None),
        };
        let question = GeminiTurn { role: Some("user"), parts: pieces(&[brief.shared.text(), &brief.own]) };
        let body = GeminiRequest {
            system_instruction: (!system.is_empty()).then_some(GeminiTurn { role: None, parts: system }),
            contents: std::iter::once(question).chain(used(ask)).collect(),
            tools: (!ask.tools.is_empty()).then(|| {
                [FunctionDeclarations {
                    function_declarations: ask.tools.iter().map(FunctionDeclaration::from).collect(),
                }]
            }),
            generation_config: GenerationConfig {
                max_output_tokens: (!ask.no_limit).then_some(ask.output_most),
                temperature: ask.temperature,
                response_mime_type,
                response_json_schema,
                thinking_config: ask.effort.map(|thinking_level| Thinking { thinking_level }),
            },
        };
        write(ask, &body)
    }

    fn read(&self, body: &[u8]) -> Result<ModelAnswer, Unread> {
        let answer: GeminiResponse =
            serde_json::from_slice(body).map_err(|error| format!("not a response: {error}"))?;
        if let Some(error) = answer.error.filter(|error| !error.is_null()) {
            return Err(inner_error(&error));
        }
        if let Some(reason) = answer.prompt_feedback.and_then(|feedback| feedback.block_reason) {
            return Err(format!("the brief was blocked: {reason}").into());
        }
        let Some(candidate) = answer.candidates.into_iter().next() else {
            return Err("the answer holds no candidate".into());
        };
        let parts = candidate.content.map(|content| content.parts).unwrap_or_default();
        let (mut said, mut calls) = (String::new(), Vec::new());
        for raw in parts {
            let part: GeminiPart = serde_json::from_value(raw.clone()).unwrap_or_default();
            if let Some(FunctionCall { id, name, args }) = part.function_call {
                let arguments = args.map_or_else(|| "{}".into(), |args| args.to_string());
                calls.push(ToolCall { id: id.unwrap_or_default(), name, arguments, raw: Some(raw) });
            } else if !part.thought {
                said.push_str(&part.text.unwrap_or_default());
            }
        }
        let reason = candidate.finish_reason.as_deref();
        let cut = said.trim().is_empty() && calls.is_empty() && ran_out(reason);
        let text = something(said, reason);
        let tokens = answer.usage_metadata.and_then(|usage| {
            // Thoughts are paid for like any other output.
            let output = usage
                .candidates_token_count
                .unwrap_or(0)
                .saturating_add(usage.thoughts_token_count.unwrap_or(0));
            Some(TokenCounts {
                input: usage.prompt_token_count?,
                cached: usage.cached_content_token_count,
                written: 0,
                output,
            })
        });
        Ok(ModelAnswer { text, cut, calls, model: answer.model_version, tokens })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GeminiResponse {
    #[serde(default)]
    candidates: Vec<GeminiCandidate>,
    prompt_feedback: Option<Feedback>,
    error: Option<Value>,
    #[serde(default, deserialize_with = "super::lenient")]
    usage_metadata: Option<GeminiUsage>,
    model_version: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Feedback {
    block_reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GeminiCandidate {
    content: Option<GeminiContent>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct GeminiContent {
    #[serde(default)]
    parts: Vec<Value>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase")]
struct GeminiPart {
    text: Option<String>,
    #[serde(default)]
    thought: bool,
    function_call: Option<FunctionCall>,
}

#[derive(Deserialize)]
struct FunctionCall {
    id: Option<String>,
    name: String,
    args: Option<Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct GeminiUsage {
    prompt_token_count: Option<u64>,
    cached_content_token_count: Option<u64>,
    candidates_token_count: Option<u64>,
    thoughts_token_count: Option<u64>,
}
