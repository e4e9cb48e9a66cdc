//! What has to be known about a model to ask it: whether it thinks before it speaks, and which parameters its server
//! does not take.
//!
//! Servers do not tell this in advance; they refuse a request and name the parameter. What was learnt from a refusal
//! holds for every later call of that model in this process, once a request without the parameter has been answered.

/// How a model is asked, as far as that was learnt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Manners {
    /// How far down the ladder of forms one has to go.
    pub(crate) step: usize,
    /// The limit of an answer goes by its other name.
    pub(crate) other_limit: bool,
    /// No limit is sent at all.
    pub(crate) no_limit: bool,
    /// A limit that the server named, smaller than ours.
    pub(crate) limit_most: Option<u64>,
    pub(crate) no_temperature: bool,
    pub(crate) no_effort: bool,
    pub(crate) no_stream: bool,
    pub(crate) no_tools: bool,
}

/// The features that a request uses besides the brief, so that a refusal can be traced to one of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestFeatures {
    pub(crate) temperature: bool,
    pub(crate) effort: bool,
    pub(crate) stream: bool,
    pub(crate) tools: bool,
    pub(crate) limit: u64,
    /// Whether a lower rung is left to ask for the form.
    pub(crate) lower_rung: bool,
}

impl Manners {
    /// What to change after a refusal, if it names something that was sent. `message` is in lower case.
    pub(crate) fn mend(self, message: &str, sent: RequestFeatures) -> Option<Self> {
        let names = |words: &[&str]| words.iter().any(|word| message.contains(word));
        if sent.effort
            && names(&["effort", "thinking_level", "thinkinglevel", "thinking level", "thinkingconfig"])
        {
            return Some(Self { no_effort: true, ..self });
        }
        if sent.temperature && names(&["temperature"]) {
            return Some(Self { no_temperature: true, ..self });
        }
        if sent.tools
            && names(&[
                "tools",
                "tool_choice",
                "tool use",
                "tool call",
                "function call",
                "functiondeclaration",
            ])
        {
            return Some(Self { no_tools: true, ..self });
        }
        if sent.stream && names(&["stream"]) {
            return Some(Self { no_stream: true, ..self });
        }
        if names(&["max_tokens", "max_completion_tokens", "maxoutputtokens", "max_output_tokens"]) {
            return self.mend_limit(message, sent.limit);
        }
        // A parameter that was not sent cannot be left out, and asking for less of the form would not help.
        if names(&["temperature", "'seed'", "`seed`", "\"seed\"", "top_p"]) {
            return None;
        }
        let form = &[
            "response_format",
            "json_schema",
            "schema",
            "unsupported",
            "output_config",
            "mime",
            "extra inputs",
        ];
        (sent.lower_rung && names(form)).then_some(Self { step: self.step + 1, ..self })
    }

    fn mend_limit(self, message: &str, ours: u64) -> Option<Self> {
        let smaller = largest_below(message, ours);
        if self.limit_most.is_none() && smaller.is_some() {
            return Some(Self { limit_most: smaller, ..self });
        }
        match (self.other_limit, self.no_limit) {
            (false, false) => Some(Self { other_limit: true, ..self }),
            (true, false) => Some(Self { no_limit: true, ..self }),
            (_, true) => None,
        }
    }

    /// What two calls have learnt, together.
    pub(crate) fn and(self, other: Self) -> Self {
        Self {
            step: self.step.max(other.step),
            other_limit: self.other_limit || other.other_limit,
            no_limit: self.no_limit || other.no_limit,
            limit_most: match (self.limit_most, other.limit_most) {
                (Some(one), Some(two)) => Some(one.min(two)),
                (one, two) => one.or(two),
            },
            no_temperature: self.no_temperature || other.no_temperature,
            no_effort: self.no_effort || other.no_effort,
            no_stream: self.no_stream || other.no_stream,
            no_tools: self.no_tools || other.no_tools,
        }
    }
}

/// The largest number in a message that could be the limit meant: below ours, and enough for an answer.
fn largest_below(message: &str, ours: u64) -> Option<u64> {
    let numbers =
        message.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse::<u64>().ok());
    numbers.filter(|number| (256..ours).contains(number)).max()
}

/// The name of a model without the vendor that gateways put in front: `openai/o3` is `o3`.
fn bare(model: &str) -> String {
    model.rsplit('/').next().unwrap_or(model).to_ascii_lowercase()
}

/// Whether OpenAI's chat completions take only `max_completion_tokens` for this model.
pub(crate) fn wants_completion_tokens(model: &str) -> bool {
    let model = bare(model);
    let family = |name: &str| {
        model.strip_prefix(name).is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    ["o1", "o3", "o4", "gpt-5"].into_iter().any(family)
}

/// Whether a model thinks before it speaks, and so needs more output and more time. Last looked at in 2026-11.
pub(crate) fn reasons(model: &str) -> bool {
    let model = bare(model);
    let chats = model.contains("-chat");
    let known = ["deepseek-r1", "deepseek-reasoner", "qwq", "magistral", "gpt-oss", "grok-4"];
    let thinking_gemini =
        (model.starts_with("gemini-2.5") || model.starts_with("gemini-3")) && !model.contains("lite");
    (wants_completion_tokens(&model) && !chats)
        || known.iter().any(|name| model.starts_with(name))
        || thinking_gemini
        || model.contains("thinking")
        || model.contains("reasoning")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SENT: RequestFeatures = RequestFeatures {
        temperature: true,
        effort: true,
        stream: true,
        tools: true,
        limit: 2048,
        lower_rung: true,
    };

    #[test]
    fn families() {
        for model in
            ["o1", "o3-mini", "o4-mini-2025-04-16", "gpt-5", "gpt-5-mini", "gpt-5.2", "openai/o3", "GPT-5"]
        {
            assert!(wants_completion_tokens(model) && reasons(model), "{model}");
        }
        for model in ["gpt-4.1", "gpt-4o", "o10-large", "olmo", "llama3", "gpt-50"] {
            assert!(!wants_completion_tokens(model) && !reasons(model), "{model}");
        }
        assert!(wants_completion_tokens("gpt-5-chat-latest") && !reasons("gpt-5-chat-latest"));
        for model in ["deepseek-r1:8b", "gemini-2.5-pro", "qwen3-4b-thinking", "deepseek/deepseek-reasoner"] {
            assert!(reasons(model) && !wants_completion_tokens(model), "{model}");
        }
        assert!(!reasons("gemini-3.1-flash-lite"));
    }

    #[test]
    fn each_parameter_is_left_out_when_it_is_named() {
        let start = Manners::default();
        let mend = |message: &str| start.mend(&message.to_ascii_lowercase(), SENT);
        for (message, mended) in [
            (
                "Unsupported value: 'temperature' does not support 0.2",
                Manners { no_temperature: true, ..start },
            ),
            (
                "Unrecognized request argument supplied: reasoning_effort",
                Manners { no_effort: true, ..start },
            ),
            ("output_config.effort: Extra inputs are not permitted", Manners { no_effort: true, ..start }),
            (
                "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
                Manners { other_limit: true, ..start },
            ),
            (
                "max_tokens is too large: 2048. This model supports at most 1024 completion tokens",
                Manners { limit_most: Some(1024), ..start },
            ),
            ("registry.ollama.ai/library/x does not support tools", Manners { no_tools: true, ..start }),
            (
                "Function calling with a response mime type: 'application/json' is unsupported",
                Manners { no_tools: true, ..start },
            ),
            ("stream_options is not allowed", Manners { no_stream: true, ..start }),
            ("'response_format' of type 'json_schema' is not supported", Manners { step: 1, ..start }),
        ] {
            assert_eq!(mend(message), Some(mended), "{message}");
        }
        assert_eq!(mend("the prompt is too long"), None);
        assert_eq!(
            start.mend("unsupported parameter: temperature", RequestFeatures { temperature: false, ..SENT }),
            None
        );
        let twice = start
            .mend("max_tokens is not known", SENT)
            .and_then(|next| next.mend("max_completion_tokens?", SENT));
        assert_eq!(twice, Some(Manners { other_limit: true, no_limit: true, ..start }));
        assert_eq!(twice.and_then(|last| last.mend("max_tokens", SENT)), None, "there is an end to it");
    }
}
