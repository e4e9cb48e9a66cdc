//! Gemini's generateContent. The key goes into a header, never into the URL, where logs would keep it.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Ask, Rung, Said, Wire, something, write};
use crate::keys::Secret;
use crate::prices::Tokens;

/// The wire.
#[derive(Debug)]
pub(crate) struct Gemini;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    system_instruction: Option<Parts<'a>>,
    contents: [Parts<'a>; 1],
    generation_config: Config<'a>,
}

#[derive(Serialize)]
struct Parts<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    parts: Vec<Piece<'a>>,
}

#[derive(Serialize)]
struct Piece<'a> {
    text: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Config<'a> {
    max_output_tokens: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_mime_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_json_schema: Option<&'a RawValue>,
}

/// Layers as parts; an empty one is left out.
fn pieces<'a>(layers: &[&'a str]) -> Vec<Piece<'a>> {
    layers.iter().filter(|text| !text.is_empty()).map(|text| Piece { text }).collect()
}

impl Wire for Gemini {
    fn url(&self, base: &str, model: &str) -> String {
        let versioned = base.ends_with("/v1beta") || base.ends_with("/v1");
        let version = if versioned { "" } else { "/v1beta" };
        format!("{base}{version}/models/{model}:generateContent")
    }

    fn auth(&self, key: &Secret) -> (&'static str, String) {
        ("x-goog-api-key", key.reveal().into())
    }

    fn rungs(&self) -> &'static [Rung] {
        &[Rung::Schema, Rung::Object, Rung::Plain]
    }

    fn body(&self, ask: &Ask<'_>) -> Vec<u8> {
        let brief = ask.brief;
        let system = pieces(&[brief.stable.text()]);
        let (response_mime_type, response_json_schema) = match ask.rung {
            Rung::Schema => (Some("application/json"), Some(ask.schema)),
            Rung::Object => (Some("application/json"), None),
            Rung::Plain => (None, None),
        };
        let body = Body {
            system_instruction: (!system.is_empty()).then_some(Parts { role: None, parts: system }),
            contents: [Parts { role: Some("user"), parts: pieces(&[brief.shared.text(), &brief.own]) }],
            generation_config: Config {
                max_output_tokens: ask.output_most,
                temperature: ask.temperature,
                response_mime_type,
                response_json_schema,
            },
        };
        write(ask, &body)
    }

    fn read(&self, body: &[u8]) -> Result<Said, String> {
        let answer: Answer =
            serde_json::from_slice(body).map_err(|error| format!("not a response: {error}"))?;
        if let Some(reason) = answer.prompt_feedback.and_then(|feedback| feedback.block_reason) {
            return Err(format!("the brief was blocked: {reason}"));
        }
        let Some(candidate) = answer.candidates.into_iter().next() else {
            return Err("the answer holds no candidate".into());
        };
        let parts = candidate.content.map(|content| content.parts).unwrap_or_default();
        let text = parts.into_iter().filter(|part| !part.thought).filter_map(|part| part.text).collect();
        let text = something(text, candidate.finish_reason.as_deref());
        let tokens = answer.usage_metadata.and_then(|usage| {
            // Thoughts are paid for like any other output.
            let output = usage
                .candidates_token_count
                .unwrap_or(0)
                .saturating_add(usage.thoughts_token_count.unwrap_or(0));
            Some(Tokens {
                input: usage.prompt_token_count?,
                cached: usage.cached_content_token_count,
                written: 0,
                output,
            })
        });
        Ok(Said { text, model: answer.model_version, tokens })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    #[serde(default)]
    candidates: Vec<Candidate>,
    prompt_feedback: Option<Feedback>,
    #[serde(default, deserialize_with = "super::lenient")]
    usage_metadata: Option<Used>,
    model_version: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Feedback {
    block_reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Candidate {
    content: Option<Content>,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Content {
    #[serde(default)]
    parts: Vec<Part>,
}

#[derive(Deserialize)]
struct Part {
    text: Option<String>,
    #[serde(default)]
    thought: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Used {
    prompt_token_count: Option<u64>,
    cached_content_token_count: Option<u64>,
    candidates_token_count: Option<u64>,
    thoughts_token_count: Option<u64>,
}
