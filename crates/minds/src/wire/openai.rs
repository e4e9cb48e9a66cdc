//! OpenAI's chat completions, which Ollama, vLLM, llama.cpp, LM Studio and most gateways speak too.

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use super::{Ask, Joined, Rung, Said, Wire, something, write};
use crate::keys::Secret;
use crate::prices::Tokens;

/// The wire. OpenAI itself has renamed a field that most others still know by its old name.
#[derive(Debug)]
pub(crate) struct OpenAi {
    /// Whether this is OpenAI's own server.
    pub(crate) official: bool,
}

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<Message<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<Format<'a>>,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'static str,
    content: Joined<'a>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Format<'a> {
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

    fn rungs(&self) -> &'static [Rung] {
        &[Rung::Schema, Rung::Object, Rung::Plain]
    }

    fn body(&self, ask: &Ask<'_>) -> Vec<u8> {
        let brief = ask.brief;
        let mut messages = Vec::with_capacity(2);
        if !brief.stable.text().is_empty() {
            messages.push(Message { role: "system", content: Joined(brief.stable.text(), "") });
        }
        messages.push(Message { role: "user", content: Joined(brief.shared.text(), &brief.own) });
        let named = || Named { name: brief.form.name, strict: true, schema: ask.schema };
        let response_format = match ask.rung {
            Rung::Schema => Some(Format::JsonSchema { json_schema: named() }),
            Rung::Object => Some(Format::JsonObject),
            Rung::Plain => None,
        };
        let body = Body {
            model: ask.model,
            messages,
            max_completion_tokens: self.official.then_some(ask.output_most),
            max_tokens: (!self.official).then_some(ask.output_most),
            temperature: ask.temperature,
            response_format,
        };
        write(ask, &body)
    }

    fn read(&self, body: &[u8]) -> Result<Said, String> {
        let answer: Answer =
            serde_json::from_slice(body).map_err(|error| format!("not a completion: {error}"))?;
        let Some(choice) = answer.choices.into_iter().next() else {
            return Err(format!("the answer holds no choice: {}", super::message(body)));
        };
        let text = match choice.message.refusal.filter(|refusal| !refusal.is_empty()) {
            Some(refusal) => Err(format!("the model refused: {refusal}")),
            None => {
                let text = choice.message.content.map_or(String::new(), Content::into_text);
                something(text, choice.finish_reason.as_deref())
            }
        };
        let tokens = answer.usage.and_then(|usage| {
            let cached = usage.prompt_tokens_details.and_then(|details| details.cached_tokens);
            Some(Tokens { input: usage.prompt_tokens?, cached, written: 0, output: usage.completion_tokens? })
        });
        Ok(Said { text, model: answer.model, tokens })
    }
}

#[derive(Deserialize)]
struct Answer {
    model: Option<String>,
    #[serde(default)]
    choices: Vec<Choice>,
    #[serde(default, deserialize_with = "super::lenient")]
    usage: Option<Used>,
}

#[derive(Deserialize)]
struct Choice {
    message: Spoken,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Spoken {
    content: Option<Content>,
    refusal: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

#[derive(Deserialize)]
struct Part {
    text: Option<String>,
}

impl Content {
    fn into_text(self) -> String {
        match self {
            Self::Text(text) => text,
            Self::Parts(parts) => parts.into_iter().filter_map(|part| part.text).collect(),
        }
    }
}

#[derive(Deserialize)]
struct Used {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
    prompt_tokens_details: Option<Details>,
}

#[derive(Deserialize)]
struct Details {
    cached_tokens: Option<u64>,
}
