//! What minds read of others, for fuzzing: answers and streams of providers, cassettes, settings, prices, specs, scripts.
//! Each function takes any bytes, and panics where a promise is broken. Not part of a release.

use crate::cassette::{Cassette, Tape};
use crate::wire::anthropic::Anthropic;
use crate::wire::gemini::Gemini;
use crate::wire::openai::OpenAi;
use crate::wire::{Wire, stream};
use crate::{Script, Settings, Spec};

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn wires() -> [Box<dyn Wire>; 4] {
    [
        Box::new(OpenAi { official: true }),
        Box::new(OpenAi { official: false }),
        Box::new(Anthropic),
        Box::new(Gemini),
    ]
}

/// The body of an answer is read, or it is said what is wrong with it.
pub fn wire(bytes: &[u8]) {
    for wire in wires() {
        if let Err(unread) = wire.read(bytes) {
            assert!(!unread.what.is_empty(), "unread without a word");
        }
    }
}

/// A stream comes to the same however it is cut into pieces, and what it comes to is read like an answer.
pub fn stream(bytes: &[u8]) {
    for wire in wires() {
        let at_once = assembled(&*wire, [bytes].into_iter());
        let by_bytes = assembled(&*wire, bytes.chunks(1));
        assert_eq!(at_once, by_bytes, "a stream depends on its pieces");
        if let Some(whole) = at_once.1 {
            let _ = wire.read(whole.to_string().as_bytes());
        }
    }
}

fn assembled<'a>(
    wire: &dyn Wire,
    pieces: impl Iterator<Item = &'a [u8]>,
) -> (String, Option<serde_json::Value>) {
    let (mut events, mut assembler) = (stream::Events::default(), wire.assembler());
    for piece in pieces {
        events.feed(piece, |data| assembler.event(data));
    }
    events.end(|data| assembler.event(data));
    let written = assembler.text().to_string();
    (written, assembler.whole())
}

/// A cassette opens, or says in which line it does not.
pub fn cassette(bytes: &[u8]) {
    let path = std::env::temp_dir().join(format!("synod-fuzz-{}.cassette", std::process::id()));
    if std::fs::write(&path, bytes).is_ok() {
        if let Err(why) = Tape::open(&Cassette::Replay(path.clone())) {
            assert!(why.starts_with("cassette "), "{why}");
        }
        let _ = std::fs::remove_file(path);
    }
}

/// `providers.toml` and `prices.toml`.
pub fn settings(bytes: &[u8]) {
    let written = text(bytes);
    for (minds, prices) in [(&*written, ""), ("", &*written)] {
        if let Err(flaws) = Settings::read(minds, prices) {
            assert!(!flaws.is_empty(), "refused with a reason");
        }
    }
}

/// A spec that is taken is written as one that is taken for the same.
pub fn spec(bytes: &[u8]) {
    let written = text(bytes);
    match Spec::parse(&written) {
        Ok(spec) => assert_eq!(Spec::parse(&spec.to_string()), Ok(spec), "{written:?}"),
        Err(why) => assert!(!why.is_empty(), "refused with a reason"),
    }
}

/// The answers of a script.
pub fn script(bytes: &[u8]) {
    if let Err(flaws) = Script::parse("a.txt", &text(bytes)) {
        assert!(!flaws.is_empty(), "refused with a reason");
    }
}

#[cfg(test)]
mod tests {
    use super::mutate::{Grammar, fuzz};

    const ANSWER: &[&str] = &[
        "choices",
        "message",
        "content",
        "refusal",
        "tool_calls",
        "function",
        "arguments",
        "finish_reason",
        "stop",
        "length",
        "content_filter",
        "usage",
        "prompt_tokens",
        "completion_tokens",
        "error",
        "code",
        "metadata",
        "raw",
        "provider_name",
        "type",
        "text",
        "tool_use",
        "stop_reason",
        "end_turn",
        "input",
        "output_tokens",
        "candidates",
        "parts",
        "finishReason",
        "STOP",
        "promptFeedback",
        "blockReason",
        "usageMetadata",
        "thought",
        "functionCall",
        "args",
        "model",
        "index",
        "id",
        "name",
    ];
    const STREAM: &[&str] = &[
        "data: ",
        "\n\n",
        "\n",
        "event: x\n",
        ": keep-alive\n",
        "[DONE]",
        "delta",
        "content_block_start",
        "content_block",
        "content_block_delta",
        "partial_json",
        "message_start",
        "message_delta",
        "message_stop",
        "error",
        "choices",
        "content",
        "tool_calls",
        "index",
        "finish_reason",
        "candidates",
        "parts",
        "finishReason",
        "usage",
        "type",
        "text",
    ];

    #[test]
    fn answers_of_providers() {
        fuzz("wire", Grammar::Json, ANSWER, super::wire);
    }

    #[test]
    fn streams_of_providers() {
        fuzz("stream", Grammar::Text, STREAM, super::stream);
    }

    #[test]
    fn cassettes() {
        let known = &[
            "request",
            "method",
            "POST",
            "url",
            "digest",
            "body",
            "response",
            "status",
            "retry_after",
            "time_out",
        ];
        fuzz("cassette", Grammar::Json, known, super::cassette);
    }

    #[test]
    fn settings_of_providers() {
        let known = &[
            "providers",
            "openai",
            "base_url",
            "key_env",
            "key_file",
            "requests_per_minute",
            "at_once",
            "time_out_ms",
            "tries",
            "max_output_tokens",
            "temperature",
            "structured",
            "reasoning_effort",
            "stream",
            "tools",
            "retry",
            "input",
            "output",
            "cached",
        ];
        fuzz("settings", Grammar::Toml, known, super::settings);
    }

    #[test]
    fn specs_of_seats() {
        let known = &[
            "openai:",
            "anthropic:",
            "gemini:",
            "openrouter:",
            "ollama:",
            "http://",
            "https://",
            "#",
            "exec:",
            "script:",
            "person",
            "rehearsal",
            ",effort=",
            ",tools=",
            "high",
            "off",
            "127.0.0.1:1/v1",
            "@",
        ];
        fuzz("spec", Grammar::Text, known, super::spec);
    }

    #[test]
    fn scripts() {
        let known = &[
            "@seat ", "@speak ", "@vote", "@judge", "@any", "@topic ", "@delay ", "@fail ", "---\n", "\n",
            "ann", "1", ": ",
        ];
        fuzz("script", Grammar::Text, known, super::script);
    }
}

#[cfg(test)]
#[path = "../../../fuzz/mutate.rs"]
mod mutate;
