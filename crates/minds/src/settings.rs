//! What a user may configure: `providers.toml` and `prices.toml` in the house.
//!
//! Everything is optional. A file is read to the end, and every flaw in it is told with its line. Keys
//! are never written here, only where to find them.
//!
//! To add a setting: a field of [`Provider`], its line in `read_provider`, and the line that obeys it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use synod_core::charter::source::{Lined, SourceTable};
use synod_core::kernel::text;

pub use flaw::SettingsFlaw;
pub(crate) use flaw::read_file;

use crate::file;
use crate::http::check_base;
use crate::prices::Prices;
use crate::spec::ProviderName;

mod flaw;

/// All settings.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Settings {
    /// By the name of a provider, `exec`, or the base URL of an endpoint.
    pub providers: BTreeMap<String, Provider>,
    /// The user's own prices, which win.
    pub prices: Prices,
    /// How retries are spaced.
    pub pace: Pace,
}

/// How retries are spaced: exponential backoff with jitter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// What is waited after the first failed try, up to a fifth less. Doubles with each further one.
    pub base_ms: u64,
    /// Backoff never waits longer than this.
    pub cap_ms: u64,
    /// A server's `Retry-After` is honoured up to this.
    pub retry_after_cap_ms: u64,
}

impl Default for Pace {
    fn default() -> Self {
        // With six tries 62 to 78 seconds in all: most outages of providers are over by then, and a turn is not.
        Self { base_ms: 2_500, cap_ms: 40_000, retry_after_cap_ms: 120_000 }
    }
}

/// What holds for one provider, all its seats together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Provider {
    /// Where it is, instead of the usual place.
    pub base_url: Option<String>,
    /// The variable that holds its key.
    pub key_env: Option<String>,
    /// The file that holds its key.
    pub key_file: Option<PathBuf>,
    /// Requests that may start in a minute.
    pub requests_per_minute: Option<u32>,
    /// Tokens that may be asked for in a minute, the longest possible answer included.
    pub tokens_per_minute: Option<u64>,
    /// Requests that may be under way together.
    pub at_once: usize,
    /// How long one try may take.
    pub time_out_ms: u64,
    /// Tries in all, the first one included.
    pub tries: u32,
    /// The longest answer; where it is not written, 2,048 tokens, or 16,384 for models that think first.
    pub max_output_tokens: Option<u64>,
    /// How many tokens its models can read and write together. Where it is not written nothing follows from it.
    pub window: Option<u64>,
    /// A decimal, sent as it is written; not sent when it is not set.
    pub temperature: Option<String>,
    /// How the form of an answer is asked for.
    pub structured: Structured,
    /// How much models that think should think; sent as it is written.
    pub reasoning_effort: Option<String>,
    /// Whether answers are streamed where the provider can.
    pub stream: bool,
    /// Whether models may use tools where the provider offers them.
    pub tools: bool,
}

impl Provider {
    /// What holds for a provider, `exec` or an endpoint where nothing else is written.
    pub fn usual(name: &str) -> Self {
        // What runs on this machine shares its cores: more at once would only wait inside it, on the seats' own time.
        let at_once = if matches!(name, "exec" | "ollama") { LOCAL_AT_ONCE } else { AT_ONCE };
        Self { at_once, ..Self::default() }
    }
}

/// Calls of one provider that are under way at once: all seats of most councils. Providers that allow fewer say so, and are
/// asked again after the time they name.
const AT_ONCE: usize = 64;
/// The same for programs and for Ollama.
const LOCAL_AT_ONCE: usize = 8;

impl Default for Provider {
    fn default() -> Self {
        Self {
            base_url: None,
            key_env: None,
            key_file: None,
            requests_per_minute: None,
            tokens_per_minute: None,
            at_once: AT_ONCE,
            // The charter's turn limit ends a call long before; this is for a server that holds the line.
            time_out_ms: 600_000,
            tries: 6,
            max_output_tokens: None,
            window: None,
            temperature: None,
            structured: Structured::Auto,
            reasoning_effort: None,
            stream: true,
            tools: true,
        }
    }
}

/// How the form of an answer is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Structured {
    /// By schema, and by less where the provider refuses.
    Auto,
    /// By schema or not at all.
    Schema,
    /// As some JSON object.
    Object,
    /// By the words of the brief alone.
    Off,
}

impl Structured {
    /// As they are written in settings.
    const WORDS: [(&str, Self); 4] =
        [("auto", Self::Auto), ("schema", Self::Schema), ("object", Self::Object), ("off", Self::Off)];
}

impl Settings {
    /// Reads `providers.toml` and `prices.toml` from a house; what is not there is left as it ships.
    pub fn load(house: &Path) -> Result<Self, Vec<SettingsFlaw>> {
        let mut flaws = Vec::new();
        let mut open = |name: &str| match file::open(&house.join(name))
            .and_then(|open| file::read(open, file::SETTINGS_MOST))
        {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => {
                let file = house.join(name).display().to_string();
                flaws.push(SettingsFlaw { file, line: 0, what: error.to_string() });
                String::new()
            }
        };
        let (minds, prices) = (open("providers.toml"), open("prices.toml"));
        if house.join("minds.toml").symlink_metadata().is_ok() {
            let file = house.join("minds.toml").display().to_string();
            flaws.push(SettingsFlaw {
                file,
                line: 0,
                what: "this file is called providers.toml: rename it".into(),
            });
        }
        match Self::read(&minds, &prices) {
            Ok(mut settings) if flaws.is_empty() => {
                let files = settings.providers.values_mut().filter_map(|provider| provider.key_file.as_mut());
                files.for_each(|file| *file = house.join(&file)); // an absolute path stays as it is
                Ok(settings)
            }
            Ok(_) => Err(flaws),
            Err(more) => Err(flaws.into_iter().chain(more).collect()),
        }
    }

    /// Reads the text of both files; gives all flaws of both.
    pub fn read(minds: &str, prices: &str) -> Result<Self, Vec<SettingsFlaw>> {
        let mut settings = Self::default();
        let mut flaws = read_file("providers.toml", minds, |root| {
            for (name, table) in root.named_tables("[openai] and its settings below") {
                if name.value == RETRIES {
                    read_pace(&table, &mut settings.pace);
                    continue;
                }
                if let Some(provider) = read_named(root, &name, &table) {
                    settings.providers.insert(name.value.trim_end_matches('/').into(), provider);
                }
            }
        });
        flaws.extend(settings.prices.add("prices.toml", prices));
        if flaws.is_empty() { Ok(settings) } else { Err(flaws) }
    }

    /// What holds for a provider.
    pub fn provider(&self, name: &str) -> Provider {
        self.providers.get(name).cloned().unwrap_or_else(|| Provider::usual(name))
    }
}

/// What a table of this name sets; `None` if there can be no such table.
fn read_named(
    root: &SourceTable<'_, '_>,
    name: &Lined<String>,
    table: &SourceTable<'_, '_>,
) -> Option<Provider> {
    let mut provider = Provider::usual(&name.value);
    match (ProviderName::parse(&name.value), name.value.as_str()) {
        (Some(_), _) => {
            provider.base_url = base_url(table);
            read_provider(table, &mut provider);
        }
        (None, "exec") => read_program(table, &mut provider), // the rest would be written but never read
        (None, url) if url.contains("://") => {
            if let Err(wrong) = check_base(url) {
                root.flaw(name.line, url, wrong, "");
                return None;
            }
            read_provider(table, &mut provider);
        }
        (None, other) => {
            let known = ProviderName::ALL.map(ProviderName::as_str).into_iter().chain(["exec", RETRIES]);
            let instead = match text::nearest(other, known.clone()) {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => {
                    format!("write {} or an endpoint's URL in quotes", known.collect::<Vec<_>>().join(", "))
                }
            };
            root.flaw(name.line, other, "no provider has this name", instead);
            return None;
        }
    }
    table.finish();
    Some(provider)
}

/// The table of the pace of retries.
const RETRIES: &str = "retries";

fn read_pace(table: &SourceTable<'_, '_>, into: &mut Pace) {
    let ms = |key, usual| number(table, key, 3_600_000).unwrap_or(usual);
    into.base_ms = ms("first_wait_ms", into.base_ms);
    into.cap_ms = ms("longest_wait_ms", into.cap_ms);
    into.retry_after_cap_ms = ms("retry_after_most_ms", into.retry_after_cap_ms);
    table.finish();
}

/// How much to think: one of the words that a provider knows.
fn effort(table: &SourceTable<'_, '_>) -> Option<String> {
    let Lined { value, line } = table.text("reasoning_effort")?;
    if is_effort(&value) {
        return Some(value);
    }
    let found = format!("`{}` is not an effort", text::excerpt(&value, 40));
    table.flaw(line, "reasoning_effort", found, format!("write one of {}", EFFORTS.join(", ")));
    None
}

/// The efforts that providers know.
pub(crate) const EFFORTS: [&str; 6] = ["none", "minimal", "low", "medium", "high", "xhigh"];

/// Whether this is one of them.
pub(crate) fn is_effort(word: &str) -> bool {
    EFFORTS.contains(&word)
}

fn read_program(table: &SourceTable<'_, '_>, into: &mut Provider) {
    let number = |key, most| number(table, key, most);
    into.at_once = number("at_once", 10_000).map_or(into.at_once, |n| n as usize);
    into.time_out_ms = number("time_out_ms", 86_400_000).unwrap_or(into.time_out_ms);
}

fn read_provider(table: &SourceTable<'_, '_>, into: &mut Provider) {
    let text = |key| table.text(key).map(|text| text.value);
    let number = |key, most| number(table, key, most);
    read_program(table, into);
    into.key_env = text("key_env");
    into.key_file = text("key_file").map(PathBuf::from);
    into.requests_per_minute = number("requests_per_minute", 1_000_000).map(|n| n as u32);
    into.tokens_per_minute = number("tokens_per_minute", 1_000_000_000_000);
    into.tries = number("tries", 100).map_or(into.tries, |n| n as u32);
    into.max_output_tokens = number("max_output_tokens", 1_000_000);
    into.window = number("window", 1_000_000_000);
    into.reasoning_effort = effort(table);
    into.stream = table.bool("stream").map_or(into.stream, |set| set.value);
    into.tools = table.bool("tools").map_or(into.tools, |set| set.value);
    into.temperature = temperature(table);
    into.structured = table.word("structured", &Structured::WORDS).map_or(into.structured, |word| word.value);
}

/// A whole number from 1 to `most`.
fn number(table: &SourceTable<'_, '_>, key: &'static str, most: u64) -> Option<u64> {
    let Lined { value, line } = table.whole(key)?;
    if (1..=most).contains(&value) {
        return Some(value);
    }
    table.flaw(
        line,
        key,
        format!("{value} is out of range"),
        format!("write a whole number from 1 to {most}"),
    );
    None
}

fn base_url(table: &SourceTable<'_, '_>) -> Option<String> {
    let url = table.text("base_url")?;
    match check_base(&url.value) {
        Ok(()) => Some(url.value.trim_end_matches('/').into()),
        Err(wrong) => {
            table.flaw(url.line, "base_url", wrong, "");
            None
        }
    }
}

/// A decimal from 0 to 2, in quotes or not, kept as it is written: no float ever holds it.
fn temperature(table: &SourceTable<'_, '_>) -> Option<String> {
    let wanted = "a decimal from 0 to 2, such as 0.7";
    let Lined { value, line } = table.parsed::<String>("temperature", wanted)?;
    let written = value.trim();
    let (whole, part) = written.split_once('.').unwrap_or((written, "0"));
    let digits = |s: &str| !s.is_empty() && s.len() <= 6 && s.bytes().all(|b| b.is_ascii_digit());
    let small = matches!(whole, "0" | "1") || (whole == "2" && part.bytes().all(|b| b == b'0'));
    if small && digits(part) {
        return Some(written.into());
    }
    let found = format!("`{}` is no temperature", text::excerpt(written, 40));
    table.flaw(line, "temperature", found, format!("write {wanted}"));
    None
}
