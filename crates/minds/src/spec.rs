//! What a user writes to say who answers: `openai:gpt-4.1-mini`, `exec:claude -p`, `rehearsal`.
//!
//! A spec is recorded in the journal, so it never holds a secret: keys come from the environment or a
//! file. Names of models are taken as they are written.
//!
//! To add a form: a variant of [`Spec`], a line in `FORMS`, an arm in `parse` and one in `Display`.

use std::fmt;
use std::path::PathBuf;

use synod_core::kernel::text;

use crate::http::check_base;
use crate::settings::{EFFORTS, is_effort};

/// A provider that has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ProviderName {
    /// OpenAI, or whatever `OPENAI_BASE_URL` points at.
    OpenAi,
    /// Anthropic.
    Anthropic,
    /// Google's Gemini API.
    Gemini,
    /// OpenRouter, which leads to the models of many providers.
    OpenRouter,
    /// An Ollama, on this machine unless `OLLAMA_HOST` says otherwise.
    Ollama,
}

impl ProviderName {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::OpenAi, Self::Anthropic, Self::Gemini, Self::OpenRouter, Self::Ollama];

    /// As it is written in specs and settings.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::OpenAi => "openai",
            Self::Anthropic => "anthropic",
            Self::Gemini => "gemini",
            Self::OpenRouter => "openrouter",
            Self::Ollama => "ollama",
        }
    }

    /// The name that is written so, if it is one.
    pub fn parse(written: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|name| name.as_str() == written)
    }
}

impl fmt::Display for ProviderName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Who answers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Spec {
    /// A stand-in that does not reason.
    Rehearsal,
    /// A model of a named provider.
    Named {
        /// The provider.
        provider: ProviderName,
        /// The model, as it is sent.
        model: String,
    },
    /// A model behind any endpoint that speaks OpenAI's chat completions.
    Endpoint {
        /// The base URL, such as `http://127.0.0.1:8080/v1`.
        url: String,
        /// The model, as it is sent.
        model: String,
    },
    /// A program.
    Exec(Program),
    /// Answers from a file.
    Script(PathBuf),
    /// A person.
    Person,
}

/// A program that answers, run by `sh -c`: `exec:COMMAND`, or `exec[NAME,NAME]:COMMAND` if it needs variables of the
/// environment. It gets no others but the few that every program needs.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Program {
    /// What the shell runs.
    pub command: String,
    /// The variables that it gets, by name.
    pub variables: Vec<String>,
}

impl Program {
    /// A program that needs no variables.
    pub fn new(command: impl Into<String>) -> Self {
        Self { command: command.into(), variables: Vec::new() }
    }

    /// The same with these variables besides.
    pub fn with(mut self, variables: impl IntoIterator<Item = String>) -> Result<Self, String> {
        for name in variables {
            let first = name.chars().next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_');
            if !first || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
                return Err(format!(
                    "`{}` is not the name of a variable: write exec[ANTHROPIC_API_KEY]:COMMAND, several with commas between",
                    text::excerpt(&name, 40)
                ));
            }
            if !self.variables.contains(&name) {
                self.variables.push(name);
            }
        }
        Ok(self)
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.variables.as_slice() {
            [] => write!(f, "exec:{}", self.command),
            names => write!(f, "exec[{}]:{}", names.join(","), self.command),
        }
    }
}

/// The words a spec may begin with, and the form that belongs to each.
const FORMS: [(&str, &str); 10] = [
    ("rehearsal", "rehearsal"),
    ("openai", "openai:MODEL"),
    ("anthropic", "anthropic:MODEL"),
    ("gemini", "gemini:MODEL"),
    ("openrouter", "openrouter:MODEL"),
    ("ollama", "ollama:MODEL"),
    ("http", "https://HOST/v1#MODEL"),
    ("exec", "exec:COMMAND"),
    ("script", "script:FILE"),
    ("person", "person"),
];

impl Spec {
    /// Reads a spec, or says what to write instead.
    pub fn parse(written: &str) -> Result<Self, String> {
        let written = written.trim();
        match written {
            "" => return Err(format!("nothing is written; {}", known())),
            "rehearsal" => return Ok(Self::Rehearsal),
            "person" => return Ok(Self::Person),
            _ => {}
        }
        if written.starts_with("http://") || written.starts_with("https://") {
            return endpoint(written);
        }
        let Some((head, rest)) = written.split_once(':') else { return Err(unknown(written, written)) };
        let rest = rest.trim();
        if let Some(names) = head.strip_prefix("exec[").and_then(|names| names.strip_suffix(']')) {
            let names = names.split(',').map(|name| name.trim().to_string()).filter(|name| !name.is_empty());
            return Ok(Self::Exec(Program::new(filled(rest, head, "COMMAND")?).with(names)?));
        }
        match (head, ProviderName::parse(head)) {
            (_, Some(provider)) => {
                let model = filled(rest, head, "MODEL")?;
                if model.contains(char::is_whitespace) {
                    return Err(format!("`{model}` holds a blank: write one model, as `{head}:MODEL`"));
                }
                split_options(&model)?;
                Ok(Self::Named { provider, model })
            }
            ("exec", None) => Ok(Self::Exec(Program::new(filled(rest, head, "COMMAND")?))),
            ("script", None) => Ok(Self::Script(filled(rest, head, "FILE")?.into())),
            ("rehearsal" | "person", None) => Err(format!("`{head}` takes nothing after it: write `{head}`")),
            _ => Err(unknown(head, written)),
        }
    }
}

/// The options that a seat sets for its model besides what holds for the provider: `openai:o3,effort=high,tools=off`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct SeatOptions {
    pub(crate) effort: Option<String>,
    pub(crate) tools: Option<bool>,
}

/// Takes the options off the name of a model, or says what to write instead.
pub(crate) fn split_options(model: &str) -> Result<(&str, SeatOptions), String> {
    let mut parts = model.split(',');
    let name = parts.next().unwrap_or_default();
    let mut options = SeatOptions::default();
    for part in parts {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        match (key.trim(), value.trim()) {
            ("effort", value) if is_effort(value) => options.effort = Some(value.into()),
            ("tools", "on") => options.tools = Some(true),
            ("tools", "off") => options.tools = Some(false),
            _ => {
                return Err(format!(
                    "`{}` is not an option of a model: write `{name},effort=LEVEL` with LEVEL one of {}, or `{name},tools=off`",
                    text::excerpt(part, 40),
                    EFFORTS.join(", ")
                ));
            }
        }
    }
    match name {
        "" => Err(format!("`{}` names no model before its options", text::excerpt(model, 40))),
        name => Ok((name, options)),
    }
}

/// Reads `URL#MODEL`.
fn endpoint(written: &str) -> Result<Spec, String> {
    let (url, model) = written.split_once('#').unwrap_or((written, ""));
    // The URL is checked first: its message must not show a password that stands in it.
    check_base(url)?;
    let model = model.trim();
    if model.is_empty() {
        return Err(format!("`{url}` names no model: write `{url}#MODEL`"));
    }
    split_options(model)?;
    Ok(Spec::Endpoint { url: url.trim_end_matches('/').into(), model: model.into() })
}

fn filled(rest: &str, head: &str, what: &str) -> Result<String, String> {
    if rest.is_empty() {
        return Err(format!("`{head}:` lacks its {}: write `{head}:{what}`", what.to_lowercase()));
    }
    Ok(rest.into())
}

fn known() -> String {
    let forms: Vec<String> = FORMS.iter().map(|(_, form)| format!("`{form}`")).collect();
    format!("write one of {}", forms.join(", "))
}

/// How names of models begin, and whose they are.
const MODELS: [(&str, ProviderName); 16] = [
    ("gpt-", ProviderName::OpenAi),
    ("chatgpt-", ProviderName::OpenAi),
    ("o1", ProviderName::OpenAi),
    ("o3", ProviderName::OpenAi),
    ("o4", ProviderName::OpenAi),
    ("claude-", ProviderName::Anthropic),
    ("gemini-", ProviderName::Gemini),
    ("gemma", ProviderName::Ollama),
    ("llama", ProviderName::Ollama),
    ("qwen", ProviderName::Ollama),
    ("mistral", ProviderName::Ollama),
    ("mixtral", ProviderName::Ollama),
    ("phi", ProviderName::Ollama),
    ("deepseek", ProviderName::Ollama),
    ("granite", ProviderName::Ollama),
    ("smollm", ProviderName::Ollama),
];

fn unknown(head: &str, written: &str) -> String {
    let shown = text::excerpt(head, 40);
    let lower = written.to_lowercase();
    let model = MODELS.iter().find(|(begins, _)| lower.starts_with(begins));
    if let Some((_, provider)) = model.filter(|_| !written.contains(char::is_whitespace)) {
        let written = text::excerpt(written, 80);
        return format!("unknown seat type `{shown}`; did you mean `{provider}:{written}`?");
    }
    let meant = text::nearest(head, FORMS.iter().map(|(word, _)| *word));
    let meant = meant.and_then(|word| FORMS.iter().find(|(known, _)| *known == word));
    match meant {
        Some((_, form)) => {
            format!("unknown seat type `{shown}`; did you mean `{form}`? Otherwise {}", known())
        }
        None => format!("unknown seat type `{shown}`: {}", known()),
    }
}

impl Spec {
    /// The same seat with an effort, or without tools; as it was where nothing of that makes sense.
    pub fn with(self, effort: Option<&str>, tools: Option<bool>) -> Result<Self, String> {
        let add = |model: String| {
            let effort = effort.map(|level| format!(",effort={level}")).unwrap_or_default();
            let tools =
                tools.map(|on| format!(",tools={}", if on { "on" } else { "off" })).unwrap_or_default();
            let model = format!("{model}{effort}{tools}");
            split_options(&model).map(|_| model.clone())
        };
        match self {
            Self::Named { provider, model } => Ok(Self::Named { provider, model: add(model)? }),
            Self::Endpoint { url, model } => Ok(Self::Endpoint { url, model: add(model)? }),
            other if effort.is_none() && tools.is_none() => Ok(other),
            other => Err(format!("`{other}` takes neither an effort nor tools: only models do")),
        }
    }
}

impl Spec {
    /// The same seat with variables of the environment; only programs take any.
    pub fn passing(self, variables: Vec<String>) -> Result<Self, String> {
        match self {
            Self::Exec(program) => program.with(variables).map(Self::Exec),
            other if variables.is_empty() => Ok(other),
            other => Err(format!("`{other}` takes no variables: only programs (exec:COMMAND) do")),
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rehearsal => f.write_str("rehearsal"),
            Self::Named { provider, model } => write!(f, "{provider}:{model}"),
            Self::Endpoint { url, model } => write!(f, "{url}#{model}"),
            Self::Exec(program) => program.fmt(f),
            Self::Script(file) => write!(f, "script:{}", file.display()),
            Self::Person => f.write_str("person"),
        }
    }
}
