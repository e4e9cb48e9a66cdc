//! Sources that a participant names, and what it asks for.

use serde::{Deserialize, Serialize};

use super::words;

/// A source somebody named. Nobody has checked it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Citation {
    /// The words that are said to stand there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quote: Option<String>,
    /// What it is called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
}

impl Citation {
    /// A source written as one text: an address if it looks like one, else a title.
    pub fn from_text(text: &str) -> Option<Self> {
        let text = text.trim();
        match text {
            "" => None,
            _ if is_address(text) => Some(Self { url: Some(text.into()), ..Self::default() }),
            _ => Some(Self { title: Some(text.into()), ..Self::default() }),
        }
    }

    /// What two citations of the same source have in common: the address without what does not tell pages
    /// apart (case of scheme and host, `www.`, the usual port, fragment, last slash), else the folded title.
    pub fn source(&self) -> String {
        match (&self.url, &self.title) {
            (Some(url), _) => plain_address(url),
            (None, Some(title)) => super::text::fold(title),
            (None, None) => super::text::fold(self.quote.as_deref().unwrap_or_default()),
        }
    }
}

fn is_address(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    !text.contains(char::is_whitespace) && (lower.starts_with("http://") || lower.starts_with("https://"))
}

fn plain_address(url: &str) -> String {
    let url = url.trim();
    let url = url.split_once('#').map_or(url, |(before, _)| before);
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_lowercase() };
    let (host, path) = rest.find(['/', '?']).map_or((rest, ""), |at| rest.split_at(at));
    let (scheme, host) = (scheme.to_lowercase(), host.to_lowercase());
    let host = host.strip_prefix("www.").unwrap_or(&host);
    let usual = if scheme == "http" { ":80" } else { ":443" };
    let host = host.strip_suffix(usual).unwrap_or(host);
    // The two schemes of the web serve one page in all but name.
    let scheme = if scheme == "http" { "https" } else { scheme.as_str() };
    format!("{scheme}://{host}{}", path.trim_end_matches('/'))
}

/// Something a participant needs to know and asks for, as it was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContextRequest {
    /// The file it wants to see, where files may be read: `src/api.rs` or `src/api.rs:10-40`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// `required` or `optional`, if it was said well.
    pub priority: String,
    /// What is asked for.
    pub query: String,
    /// Why it matters.
    pub reason: String,
}

words!(struct Citation { quote, title, url | });
/// A file below the root that the operator allowed, and which of its lines.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passage {
    /// The first and the last line, counted from 1; all of them where none are given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<(u32, u32)>,
    /// Names of folders and the file, joined by `/`.
    pub path: String,
}

impl Passage {
    /// The longest path, in characters. Longer ones are not names anybody gives a file.
    pub const PATH_MOST: usize = 300;

    /// Reads `path`, `path:line` or `path:from-to`. `None` if that cannot name a file below a root: the path is empty,
    /// absolute or too long, leads upwards, or holds what no sensible name does.
    pub fn parse(said: &str) -> Option<Self> {
        let said = said.trim().trim_matches('`');
        let (path, lines) = match said.rsplit_once(':') {
            Some((path, written)) => (path, Some(range(written)?)),
            None => (said, None),
        };
        clean_path(path).ok().map(|path| Self { lines, path })
    }
}

/// Why a path cannot name a file below a root. Nothing is looked up on a disk for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PathFlaw {
    /// Nothing is named.
    Empty,
    /// It begins at the root of the disk, or on a drive.
    Absolute,
    /// It leads upwards.
    Upwards,
    /// It holds an empty name, or one that begins or ends with a blank.
    Name,
    /// It holds a backslash, a colon or a control character.
    Character,
    /// It is longer than anybody names a file.
    TooLong,
    /// It is percent-coded: `%2e%2e%2f` is no way to write a path.
    PercentCoded,
}

impl PathFlaw {
    /// What is wrong, in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Empty => "no file is named",
            Self::Absolute => "the path is absolute: write it relative to the project folder",
            Self::Upwards => "the path leads upwards with `..`: write it relative to the project folder",
            Self::Name => "the path holds an empty name, or a name that begins or ends with a blank",
            Self::Character => "the path holds a backslash, a colon or a control character",
            Self::TooLong => "the path is longer than 300 characters",
            Self::PercentCoded => "the path is percent-coded: write the characters themselves",
        }
    }
}

/// A path below a root in its plain form, without `.`; its names stay as they are.
pub fn clean_path(path: &str) -> Result<String, PathFlaw> {
    if path.is_empty() {
        return Err(PathFlaw::Empty);
    }
    if super::text::length(path) > Passage::PATH_MOST {
        return Err(PathFlaw::TooLong);
    }
    let drive = path.len() > 1 && path.as_bytes()[0].is_ascii_alphabetic() && path.as_bytes()[1] == b':';
    if drive || path.starts_with(['/', '\\']) {
        return Err(PathFlaw::Absolute);
    }
    let names: Vec<&str> = path.split('/').filter(|name| *name != ".").collect();
    if names.contains(&"..") {
        return Err(PathFlaw::Upwards);
    }
    if path.contains(|c: char| c.is_control() || c == '\\' || c == ':') {
        return Err(PathFlaw::Character);
    }
    match names.iter().all(|name| !name.is_empty() && name.trim() == *name) {
        true if names.is_empty() => Err(PathFlaw::Empty),
        true => Ok(names.join("/")),
        false => Err(PathFlaw::Name),
    }
}

/// `10` or `10-40`.
fn range(written: &str) -> Option<(u32, u32)> {
    let (from, to) = written.split_once('-').unwrap_or((written, written));
    let (from, to) = (from.trim().parse().ok()?, to.trim().parse().ok()?);
    (0 < from && from <= to).then_some((from, to))
}

impl std::fmt::Display for Passage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.lines {
            Some((from, to)) if from == to => write!(f, "{}:{from}", self.path),
            Some((from, to)) => write!(f, "{}:{from}-{to}", self.path),
            None => f.write_str(&self.path),
        }
    }
}

words!(struct Passage { path | lines });
words!(struct ContextRequest { file, priority, query, reason | });
