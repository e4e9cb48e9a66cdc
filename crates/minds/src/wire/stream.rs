//! Streamed answers: what comes piece by piece is put together to what the same provider answers in one piece, and
//! read like that. So there is one reading of each provider's answers, and a stream that was cut is no answer at all.
//!
//! To add a provider: an assembler here, which says when the answer is whole.

use serde_json::{Map, Value, json};

/// Puts the events of one stream together.
pub(crate) trait Assembler: Send {
    /// Takes the data of one event.
    fn event(&mut self, data: &str);

    /// What the model has written so far.
    fn text(&self) -> &str;

    /// The answer as the provider gives it in one piece; `None` if the stream ended before the answer did.
    fn whole(self: Box<Self>) -> Option<Value>;
}

/// Splits what comes over the wire into the data of events.
#[derive(Debug, Default)]
pub(crate) struct Events {
    rest: Vec<u8>,
    data: String,
}

impl Events {
    /// Takes some bytes, and gives the data of each event that is complete.
    pub(crate) fn feed(&mut self, bytes: &[u8], mut event: impl FnMut(&str)) {
        self.rest.extend_from_slice(bytes);
        let mut begin = 0;
        while let Some(length) = self.rest[begin..].iter().position(|byte| *byte == b'\n') {
            let line = String::from_utf8_lossy(&self.rest[begin..begin + length]);
            let line = line.trim_end_matches('\r');
            begin += length + 1;
            if let Some(data) = line.strip_prefix("data:") {
                if !self.data.is_empty() {
                    self.data.push('\n');
                }
                self.data.push_str(data.strip_prefix(' ').unwrap_or(data));
            } else if line.is_empty() && !self.data.is_empty() {
                event(&self.data);
                self.data.clear();
            }
        }
        self.rest.drain(..begin);
    }

    /// The stream is over: some servers leave the last blank line out.
    pub(crate) fn end(mut self, mut event: impl FnMut(&str)) {
        self.feed(b"\n\n", &mut event);
    }
}

fn text_of(value: Option<&Value>) -> &str {
    value.and_then(Value::as_str).unwrap_or_default()
}

/// OpenAI's chunks.
#[derive(Debug, Default)]
pub(crate) struct OpenAiStream {
    text: String,
    refusal: String,
    calls: Vec<Value>,
    model: Option<Value>,
    reason: Option<Value>,
    usage: Option<Value>,
    error: Option<Value>,
    done: bool,
}

impl OpenAiStream {
    /// Pieces of a call come by its number: name and id first, then the arguments bit by bit.
    fn call(&mut self, piece: &Value) {
        let nth = piece["index"].as_u64().unwrap_or(self.calls.len() as u64).min(63) as usize;
        while self.calls.len() <= nth {
            self.calls.push(json!({ "id": "", "function": { "name": "", "arguments": "" } }));
        }
        for pointer in ["/id", "/function/name", "/function/arguments"] {
            let more = text_of(piece.pointer(pointer));
            if let Some(Value::String(known)) = self.calls[nth].pointer_mut(pointer) {
                known.push_str(more);
            }
        }
    }
}

impl Assembler for OpenAiStream {
    fn event(&mut self, data: &str) {
        if data.trim() == "[DONE]" {
            self.done = true;
            return;
        }
        let Ok(mut chunk) = serde_json::from_str::<Value>(data) else { return };
        let mut take = |key: &str, into: &mut Option<Value>| {
            if let Some(value) = chunk.get_mut(key).filter(|value| !value.is_null()) {
                *into = Some(value.take());
            }
        };
        take("error", &mut self.error);
        take("model", &mut self.model);
        take("usage", &mut self.usage);
        let Some(choice) = chunk.pointer("/choices/0") else { return };
        self.text.push_str(text_of(choice.pointer("/delta/content")));
        self.refusal.push_str(text_of(choice.pointer("/delta/refusal")));
        for piece in choice.pointer("/delta/tool_calls").and_then(Value::as_array).into_iter().flatten() {
            self.call(piece);
        }
        if let Some(error) = choice.get("error").filter(|error| !error.is_null()) {
            self.error = Some(error.clone());
        }
        if let Some(reason) = choice.get("finish_reason").filter(|reason| !reason.is_null()) {
            self.reason = Some(reason.clone());
        }
    }

    fn text(&self) -> &str {
        &self.text
    }

    fn whole(self: Box<Self>) -> Option<Value> {
        if let Some(error) = self.error {
            return Some(json!({ "error": error }));
        }
        if self.reason.is_none() && !self.done {
            return None;
        }
        let refusal = if self.refusal.is_empty() { Value::Null } else { Value::String(self.refusal) };
        let mut message = json!({ "role": "assistant", "content": self.text, "refusal": refusal });
        if !self.calls.is_empty() {
            message["tool_calls"] = Value::Array(self.calls);
        }
        Some(json!({
            "model": self.model, "usage": self.usage,
            "choices": [{ "index": 0, "message": message, "finish_reason": self.reason }],
        }))
    }
}

/// Anthropic's events.
#[derive(Debug, Default)]
pub(crate) struct AnthropicStream {
    text: String,
    /// Blocks by their number. The input of a tool comes as pieces of JSON text.
    blocks: Vec<(Value, String)>,
    message: Map<String, Value>,
    usage: Map<String, Value>,
    error: Option<Value>,
    stopped: bool,
}

impl AnthropicStream {
    fn count(&mut self, usage: Option<&Value>) {
        for (key, value) in usage.and_then(Value::as_object).into_iter().flatten() {
            if !value.is_null() {
                self.usage.insert(key.clone(), value.clone());
            }
        }
    }

    fn delta(&mut self, event: &Value) {
        let nth = event["index"].as_u64().unwrap_or(0) as usize;
        let Some((block, input)) = self.blocks.get_mut(nth) else { return };
        let more = text_of(event.pointer("/delta/text"));
        if let Some(Value::String(text)) = block.get_mut("text") {
            text.push_str(more);
        }
        self.text.push_str(more);
        input.push_str(text_of(event.pointer("/delta/partial_json")));
    }
}

impl Assembler for AnthropicStream {
    fn event(&mut self, data: &str) {
        let Ok(event) = serde_json::from_str::<Value>(data) else { return };
        match text_of(event.get("type")) {
            "message_start" => {
                self.message = event["message"].as_object().cloned().unwrap_or_default();
                self.count(event.pointer("/message/usage"));
            }
            "content_block_start" if self.blocks.len() < 256 => {
                self.blocks.push((event["content_block"].clone(), String::new()));
            }
            "content_block_delta" => self.delta(&event),
            "message_delta" => {
                if let Some(reason) = event.pointer("/delta/stop_reason") {
                    self.message.insert("stop_reason".into(), reason.clone());
                }
                self.count(event.get("usage"));
            }
            "message_stop" => self.stopped = true,
            "error" => self.error = event.get("error").cloned(),
            _ => (),
        }
    }

    fn text(&self) -> &str {
        &self.text
    }

    fn whole(mut self: Box<Self>) -> Option<Value> {
        if let Some(mut error) = self.error {
            // It says by a word what would have been a status.
            let status = match text_of(error.get("type")) {
                "overloaded_error" => 529,
                "rate_limit_error" => 429,
                "api_error" | "timeout_error" => 500,
                _ => 400,
            };
            // A proxy may send a bare word in the place of the object.
            match error.as_object_mut() {
                Some(fields) => drop(fields.insert("code".into(), json!(status))),
                None => error = json!({ "message": error, "code": status }),
            }
            return Some(json!({ "error": error }));
        }
        if !self.stopped {
            return None;
        }
        let blocks = self.blocks.into_iter().map(|(mut block, input)| {
            // A block that is not an object stays what it is: whoever reads the answer says so.
            if let Some(fields) = block.as_object_mut().filter(|_| !input.is_empty()) {
                fields.insert("input".into(), serde_json::from_str(&input).unwrap_or_else(|_| json!({})));
            }
            block
        });
        self.message.insert("content".into(), blocks.collect());
        self.message.insert("usage".into(), Value::Object(self.usage));
        Some(Value::Object(self.message))
    }
}

/// Gemini's chunks, each of the shape of a whole answer.
#[derive(Debug, Default)]
pub(crate) struct GeminiStream {
    text: String,
    parts: Vec<Value>,
    /// Everything else, the last of each.
    last: Map<String, Value>,
    reason: Option<Value>,
}

impl Assembler for GeminiStream {
    fn event(&mut self, data: &str) {
        let Ok(Value::Object(mut chunk)) = serde_json::from_str::<Value>(data) else { return };
        let candidates = chunk.remove("candidates").unwrap_or_default();
        self.last.extend(chunk);
        let Some(candidate) = candidates.get(0) else { return };
        for part in candidate.pointer("/content/parts").and_then(Value::as_array).into_iter().flatten() {
            if part.get("thought") != Some(&Value::Bool(true)) {
                self.text.push_str(text_of(part.get("text")));
            }
            self.parts.push(part.clone());
        }
        if let Some(reason) = candidate.get("finishReason") {
            self.reason = Some(reason.clone());
        }
    }

    fn text(&self) -> &str {
        &self.text
    }

    fn whole(mut self: Box<Self>) -> Option<Value> {
        let refused = self.last.contains_key("error") || self.last.contains_key("promptFeedback");
        let reason = match self.reason {
            Some(reason) => reason,
            None if refused => return Some(Value::Object(self.last)),
            None => return None,
        };
        let candidate = json!({ "content": { "parts": self.parts }, "finishReason": reason });
        self.last.insert("candidates".into(), json!([candidate]));
        Some(Value::Object(self.last))
    }
}
