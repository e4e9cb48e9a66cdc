//! What a user may configure: `minds.toml` and `prices.toml` in the house.
//!
//! Everything is optional. A file is read to the end, and every flaw in it is told with its line. Keys
//! are never written here, only where to find them.
//!
//! To add a setting: a field of [`Provider`], a name in `KEYS`, an arm in `read_provider`, and the line
//! that obeys it.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use toml::Spanned;
use toml::de::{DeTable, DeValue};

pub use page::Flaw;
pub(crate) use page::Page;

use crate::http::check_base;
use crate::prices::Prices;
use crate::spec::Name;

mod page;

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

/// How retries are spaced: exponential backoff with full jitter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pace {
    /// The most that is waited after the first failed try. Doubles with each further one.
    pub base_ms: u64,
    /// Backoff never waits longer than this.
    pub cap_ms: u64,
    /// A server's `Retry-After` is honoured up to this.
    pub retry_after_cap_ms: u64,
}

impl Default for Pace {
    fn default() -> Self {
        Self { base_ms: 500, cap_ms: 30_000, retry_after_cap_ms: 120_000 }
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
    /// The longest answer.
    pub max_output_tokens: u64,
    /// A decimal, sent as it is written; not sent when it is not set.
    pub temperature: Option<String>,
    /// How the form of an answer is asked for.
    pub structured: Structured,
}

impl Default for Provider {
    fn default() -> Self {
        Self {
            base_url: None,
            key_env: None,
            key_file: None,
            requests_per_minute: None,
            tokens_per_minute: None,
            at_once: 8,
            time_out_ms: 110_000, // a little less than the two minutes after which asks lapse
            tries: 4,
            max_output_tokens: 2048,
            temperature: None,
            structured: Structured::Auto,
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

impl fmt::Display for Structured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Auto => "auto",
            Self::Schema => "schema",
            Self::Object => "object",
            Self::Off => "off",
        })
    }
}

impl Settings {
    /// Reads `minds.toml` and `prices.toml` from a house; what is not there is left as it ships.
    pub fn load(house: &Path) -> Result<Self, Vec<Flaw>> {
        let mut flaws = Vec::new();
        let mut open = |name: &str| match std::fs::read_to_string(house.join(name)) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(error) => {
                flaws.push(Flaw { file: name.into(), line: 0, what: error.to_string() });
                String::new()
            }
        };
        let (minds, prices) = (open("minds.toml"), open("prices.toml"));
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
    pub fn read(minds: &str, prices: &str) -> Result<Self, Vec<Flaw>> {
        let mut settings = Self::default();
        let mut page = Page::open("minds.toml", minds);
        for (name, value) in page.take_root() {
            let Some(keys) = known_keys(name.get_ref()) else {
                if let (true, Err(what)) = (name.get_ref().contains("://"), check_base(name.get_ref())) {
                    page.flaw(name.span().start, what);
                    continue;
                }
                let named = Name::ALL.map(Name::as_str);
                let mut known = named.to_vec();
                known.extend(["exec", "an endpoint's URL in quotes"]);
                page.unknown(name.span().start, name.get_ref(), &known);
                continue;
            };
            if let Some(table) = page.table(&name, &value) {
                let provider = read_provider(&mut page, table, keys);
                let name = name.get_ref().trim_end_matches('/').to_string();
                settings.providers.insert(name, provider);
            }
        }
        let mut flaws = page.close();
        flaws.extend(settings.prices.add("prices.toml", prices));
        if flaws.is_empty() { Ok(settings) } else { Err(flaws) }
    }

    /// What holds for a provider.
    pub fn provider(&self, name: &str) -> Provider {
        self.providers.get(name).cloned().unwrap_or_default()
    }
}

const KEYS: [&str; 11] = [
    "base_url",
    "key_env",
    "key_file",
    "requests_per_minute",
    "tokens_per_minute",
    "at_once",
    "time_out_ms",
    "tries",
    "max_output_tokens",
    "temperature",
    "structured",
];

/// The settings that a table of this name may have; `None` if there is no such table.
fn known_keys(name: &str) -> Option<&'static [&'static str]> {
    if Name::parse(name).is_some() {
        return Some(&KEYS);
    }
    match name {
        "exec" => Some(&["at_once", "time_out_ms"]), // the rest would be written but never read
        _ => check_base(name).is_ok().then_some(&KEYS[1..]),
    }
}

fn read_provider(page: &mut Page<'_>, table: &DeTable<'_>, known: &[&str]) -> Provider {
    let mut provider = Provider::default();
    for (key, value) in table {
        if !known.contains(&key.get_ref().as_ref()) {
            page.unknown(key.span().start, key.get_ref(), known);
            continue;
        }
        match key.get_ref().as_ref() {
            "base_url" => provider.base_url = base_url(page, key, value),
            "key_env" => provider.key_env = page.text(key, value),
            "key_file" => provider.key_file = page.text(key, value).map(PathBuf::from),
            "requests_per_minute" => {
                provider.requests_per_minute = page.number(key, value, 1..=1_000_000).map(|n| n as u32);
            }
            "tokens_per_minute" => {
                provider.tokens_per_minute = page.number(key, value, 1..=1_000_000_000_000)
            }
            "at_once" => provider.at_once = page.number(key, value, 1..=10_000).map_or(8, |n| n as usize),
            "time_out_ms" => provider.time_out_ms = page.number(key, value, 1..=86_400_000).unwrap_or(1),
            "tries" => provider.tries = page.number(key, value, 1..=100).map_or(1, |n| n as u32),
            "max_output_tokens" => {
                provider.max_output_tokens = page.number(key, value, 1..=1_000_000).unwrap_or(1);
            }
            "temperature" => provider.temperature = page.decimal(key, value, temperature),
            "structured" => provider.structured = structured(page, key, value).unwrap_or(Structured::Auto),
            other => page.unknown(key.span().start, other, known),
        }
    }
    provider
}

type Key<'a> = Spanned<std::borrow::Cow<'a, str>>;

fn base_url(page: &mut Page<'_>, key: &Key<'_>, value: &Spanned<DeValue<'_>>) -> Option<String> {
    let url = page.text(key, value)?;
    match check_base(&url) {
        Ok(()) => Some(url.trim_end_matches('/').into()),
        Err(what) => {
            page.flaw(value.span().start, format!("`base_url`: {what}"));
            None
        }
    }
}

fn temperature(written: &str) -> Result<String, String> {
    let (whole, part) = written.split_once('.').unwrap_or((written, "0"));
    let digits = |s: &str| !s.is_empty() && s.len() <= 6 && s.bytes().all(|b| b.is_ascii_digit());
    let small = matches!(whole, "0" | "1") || (whole == "2" && part.bytes().all(|b| b == b'0'));
    if small && digits(part) {
        Ok(written.into())
    } else {
        Err("should be a decimal from 0 to 2, such as 0.7".into())
    }
}

fn structured(page: &mut Page<'_>, key: &Key<'_>, value: &Spanned<DeValue<'_>>) -> Option<Structured> {
    let written = page.text(key, value)?;
    let all = [Structured::Auto, Structured::Schema, Structured::Object, Structured::Off];
    let found = all.into_iter().find(|one| one.to_string() == written);
    if found.is_none() {
        page.unknown(value.span().start, &written, &["auto", "schema", "object", "off"]);
    }
    found
}
