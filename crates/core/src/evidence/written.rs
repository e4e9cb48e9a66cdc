//! How people write references: `src/api.rs:10-14 "quote"`, `#34`, `canon:eyes@2`, as an option or in the middle of a text.
//!
//! A false citation costs credit, so a text is read with care: a file counts as cited only with lines or a quote, or in a line that
//! begins with `Evidence:`. A name without a folder has to look like a file: `Node.js "is great"` is prose, and so is `TCP/IP:80`, whose
//! name has no ending. Lines that quote somebody else (`>`), code blocks, addresses of the web, colours and numbers of pull requests
//! cite nothing.

use super::{CanonReference, FileReference, LineRange, Reference};
use crate::kernel::markup::{LineOwner, OwnedLine};
use crate::kernel::{PathFlaw, markup, text};

/// Why something written is not a reference.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MalformedReference {
    /// Nothing was written.
    #[error("nothing is cited: write `path:10-14 \"quote\"`, `#34` or `canon:name@2`")]
    Empty,
    /// It begins with `#` and is not an issue.
    #[error("`{written}` is not an issue: write `#34`")]
    Issue {
        /// As written.
        written: String,
    },
    /// It begins with `canon:` and names no entry.
    #[error(
        "`{written}` is not a canon entry: write `canon:name` or `canon:name@2`, or `canon:?subject` if canon has none"
    )]
    Canon {
        /// As written.
        written: String,
    },
    /// A word alone. It may be a file, and more often it is a slip that would be charged as a false citation.
    #[error(
        "`{written}` does not say what is cited: write `#34`, `canon:name`, or a file with lines or words of it, such as `{written}:3`"
    )]
    Word {
        /// As written.
        written: String,
    },
    /// No file can be named like this.
    #[error("`{written}`: {}", flaw.words())]
    Path {
        /// As written.
        written: String,
        /// What is wrong.
        flaw: PathFlaw,
    },
    /// Lines begin at 1, and the first is not behind the last.
    #[error("`{written}` are not lines: write `:10` or `:10-14`, counted from 1")]
    Lines {
        /// As written.
        written: String,
    },
    /// A quotation mark is not closed, or something stands behind it.
    #[error("the quote is not closed: write `path:10 \"words\"`, with `\\\"` for a quotation mark inside")]
    Quote,
}

impl Reference {
    /// Reads one reference that stands alone, such as the value of an option.
    pub fn parse(written: &str) -> Result<Self, MalformedReference> {
        let written = written.trim();
        if written.is_empty() {
            return Err(MalformedReference::Empty);
        }
        if let Some(digits) = written.strip_prefix('#') {
            let wrong = || MalformedReference::Issue { written: written.into() };
            return number(digits).map(|number| Self::Issue(number.unsigned_abs())).ok_or_else(wrong);
        }
        if let Some(named) = after_canon(written) {
            let wrong = || MalformedReference::Canon { written: written.into() };
            return match named.strip_prefix('?') {
                Some(subject) => gap(subject).map(Self::Gap).ok_or_else(wrong),
                None => canon(named).map(Self::Canon).ok_or_else(wrong),
            };
        }
        let file = FileReference::parse(written)?;
        match file.lines.is_none() && file.quote.is_none() && !file.path.contains(['/', '.']) {
            true => Err(MalformedReference::Word { written: file.path }),
            false => Ok(Self::File(file)),
        }
    }
}

impl FileReference {
    /// Reads `path`, `path:10`, `path:10-14`, each with a quote behind it or without.
    pub fn parse(written: &str) -> Result<Self, MalformedReference> {
        let written = written.trim();
        let opens = |(at, c): (usize, char)| {
            let before = written[..at].chars().next_back();
            (closing(c).is_some() && before.is_some_and(char::is_whitespace)).then_some(at)
        };
        let (place, quote) = match written.char_indices().find_map(opens) {
            None => (written, None),
            Some(at) => {
                let (quote, rest) = quotation(&written[at..]).ok_or(MalformedReference::Quote)?;
                if !rest.trim().is_empty() {
                    return Err(MalformedReference::Quote);
                }
                (written[..at].trim_end(), Some(quote))
            }
        };
        let place = place.replace('`', "");
        let (path, lines) = split_lines(&place);
        // Digits behind a colon were meant as lines, whatever is wrong with them.
        let meant = place.rsplit_once(':').map(|(_, lines)| lines).filter(|lines| {
            !lines.is_empty() && lines.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
        });
        let wrong = |lines: &str| MalformedReference::Lines { written: lines.into() };
        match (lines, meant) {
            (None, Some(meant)) => return Err(wrong(meant)),
            (Some(lines), _) if lines.within(u32::MAX).is_none() => return Err(wrong(&lines.to_string())),
            (Some(_) | None, _) => (),
        }
        let reference = Self { lines, path: path.into(), quote };
        match reference.clean_path() {
            Ok(_) => Ok(reference),
            Err(flaw) => Err(MalformedReference::Path { written: path.into(), flaw }),
        }
    }
}

/// The references in a text, in order, each once.
pub fn references_in(text: &str) -> Vec<Reference> {
    let mut found = TextReferences { found: Vec::new(), forms: Vec::new() };
    let mut paragraph = String::new();
    for OwnedLine { line, owner, .. } in markup::owned_lines(text) {
        let start = line.trim_start();
        // A quote may run over several lines, but not over the end of a paragraph.
        if owner != LineOwner::Author || start.is_empty() {
            found.read(&std::mem::take(&mut paragraph), false);
        } else if lists_evidence(start) {
            found.read(&std::mem::take(&mut paragraph), false);
            found.read(start, true);
        } else {
            paragraph.push_str(line);
            paragraph.push('\n');
        }
    }
    found.read(&paragraph, false);
    found.found
}

/// Whether a line begins with `Evidence:` or `Sources:`, however it is set off.
fn lists_evidence(line: &str) -> bool {
    let word: String = line.chars().filter(|c| !matches!(c, '*' | '_' | '#' | '-' | ' ')).take(12).collect();
    let word = word.to_lowercase();
    ["evidence:", "sources:", "belege:", "quellen:"].iter().any(|known| word.starts_with(known))
}

struct TextReferences {
    found: Vec<Reference>,
    forms: Vec<String>,
}

impl TextReferences {
    /// Reads a paragraph. `listed` says that everything in it is meant as evidence.
    fn read(&mut self, text: &str, listed: bool) {
        let mut at = 0;
        let mut before = ' ';
        while let Some(c) = text[at..].chars().next() {
            // A reference begins where a word does.
            let begins = before.is_whitespace() || "([{\"'`*_,;“„«—–".contains(before);
            let issue_like = c != '#' || listed || !names_another(&text[..at]);
            match (begins && issue_like).then(|| reference_at(&text[at..], listed)).flatten() {
                Some((reference, length)) => {
                    self.add(reference);
                    at += length;
                    before = text[..at].chars().next_back().unwrap_or(' ');
                }
                None => {
                    at += c.len_utf8();
                    before = c;
                }
            }
        }
    }

    fn add(&mut self, reference: Reference) {
        let form = reference.normal_form();
        if !self.forms.contains(&form) {
            self.forms.push(form);
            self.found.push(reference);
        }
    }
}

/// The most digits of an issue's number in running text. Six are a colour, and no house has as many issues.
const ISSUE_DIGITS_MOST: usize = 5;

/// The reference with which a text begins, and its length in bytes.
fn reference_at(text: &str, listed: bool) -> Option<(Reference, usize)> {
    if let Some(rest) = text.strip_prefix('#') {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        // `#34a` is a colour, `#34-2` something else again.
        let ends = rest[digits..].chars().next().is_none_or(|c| !c.is_alphanumeric() && c != '-' && c != '_');
        return number(&rest[..digits])
            .filter(|issue| ends && *issue > 0 && digits <= ISSUE_DIGITS_MOST)
            .map(|issue| (Reference::Issue(issue.unsigned_abs()), digits + 1));
    }
    if let Some(rest) = after_canon(text) {
        let named = &rest[..bare_length(rest)];
        let named = named.trim_end_matches(['.', ':', '!', '?']);
        let length = text.len() - rest.len() + named.len();
        let reference = match named.strip_prefix('?') {
            Some(subject) => gap(subject).map(Reference::Gap),
            None => canon(named).map(Reference::Canon),
        };
        return reference.map(|reference| (reference, length));
    }
    file_at(text, listed).map(|(file, length)| (Reference::File(file), length))
}

/// The file reference with which a text begins.
fn file_at(text: &str, listed: bool) -> Option<(FileReference, usize)> {
    let ticked = text.strip_prefix('`').and_then(|rest| rest.find(['`', '\n']).map(|end| &rest[..end]));
    let (token, mut length) = match ticked {
        Some(inside) if text[1 + inside.len()..].starts_with('`') => (inside, inside.len() + 2),
        Some(_) | None => {
            let token = &text[..bare_length(text)];
            (token, token.len())
        }
    };
    let token = token.trim_end_matches(['.', ':', '!', '?']);
    let stopped = ticked.is_none() && token.len() < length && !text[token.len()..length].starts_with(':');
    let (path, mut lines) = split_lines(token);
    if path.is_empty() || path.contains("://") || path.contains(char::is_control) {
        return None;
    }
    if lines.is_none()
        && !stopped
        && let Some((range, taken)) = lines_behind(&text[length..])
    {
        (lines, length) = (Some(range), length + taken);
    }
    // A full stop ends the sentence that names the file: what is quoted in the next one is another matter.
    let quoted = if stopped { None } else { quote_behind(&text[length..]) };
    let in_folder = path.contains(['/', '\\']);
    let file =
        has_ending(path) && !is_host(path) && (in_folder || listed || ticked.is_some() || is_known(path));
    let cited = match (&quoted, lines) {
        (Some(_) | None, _) if in_folder && is_host(path) => false,
        (Some(_), Some(_)) => file || in_folder,
        // A word or two in quotation marks is a manner of speaking rather than a quote.
        (Some((quote, _)), None) if !listed && text::length(quote) < QUOTE_LEAST => false,
        (Some(_), None) => file || ticked.is_some() && in_folder,
        // `km/h:30` and `TCP/IP:80` have a number behind a colon as well.
        (None, Some(_)) => file || in_folder && (listed || names_place(path)),
        (None, None) => listed && (file || path.contains('/')),
    };
    let (quote, taken) = quoted.map_or((None, 0), |(quote, taken)| (Some(quote), taken));
    cited.then(|| (FileReference { lines, path: path.into(), quote }, length + taken))
}

/// How far a word goes that may be a path.
fn bare_length(text: &str) -> usize {
    let ends = |c: char| c.is_whitespace() || closing(c).is_some() || "`'<>()[]{},;|*”".contains(c);
    text.find(ends).unwrap_or(text.len())
}

/// Whether the last name of a path has an ending such as `.rs`.
fn has_ending(path: &str) -> bool {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    name.rsplit_once('.').is_some_and(|(stem, ending)| {
        let sound =
            (1..=10).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_alphanumeric());
        sound && ending.bytes().any(|byte| byte.is_ascii_alphabetic()) && !stem.is_empty()
    })
}

/// The fewest characters of a quote in running text that names no lines.
const QUOTE_LEAST: usize = 8;

/// Endings that a bare name in running text needs to be taken for a file.
const FILE_ENDINGS: &str = " adoc asm bash bat c cc cfg cjs clj cmake cnf conf cpp cs css csv cxx dart diff dockerfile ex exs erl \
    feature fish fountain fs go gradle graphql h hcl hpp hs htm html hxx ini ipynb java jl js json json5 jsonc jsonl jsx kt kts less \
    lock log lua m md mdx mjs mk ml nim nix patch php pl plist po proto ps1 py pyi r rb rs rst s sass scala scss sh sql srt svelte \
    svg swift tex text tf toml ts tsv tsx txt vb vtt vue xml yaml yml zig zsh ";

/// Names of software that end like a file.
const SOFTWARE: &str = " alpine angular backbone bun chart d3 deno discord ember express ext hono knockout mithril moment next node \
    nuxt p5 preact react require socket solid svelte three vue ";

/// Whether a name without a folder is surely meant as a file.
fn is_known(name: &str) -> bool {
    let Some((stem, ending)) = name.rsplit_once('.') else { return false };
    let (stem, ending) = (stem.to_lowercase(), ending.to_lowercase());
    let among = |list: &str, word: &str| list.contains(&format!(" {word} "));
    among(FILE_ENDINGS, &ending) && !(ending == "js" && among(SOFTWARE, &stem))
}

/// Whether the word before a number says that it is not the number of an issue.
fn names_another(before: &str) -> bool {
    const OTHERS: [&str; 17] = [
        "pr", "prs", "mr", "mrs", "request", "requests", "pull", "merge", "color", "colour", "farbe", "css",
        "channel", "kanal", "commit", "build", "rank",
    ];
    let word = before
        .trim_end_matches(|c: char| c.is_whitespace() || c == ':')
        .rsplit(|c: char| !c.is_alphanumeric())
        .next();
    word.is_some_and(|word| OTHERS.contains(&word.to_lowercase().as_str()))
}

/// Whether a path without an ending is surely one: it begins at a root, or ends in a name that only files have.
fn names_place(path: &str) -> bool {
    const NAMES: [&str; 12] = [
        "makefile",
        "dockerfile",
        "license",
        "licence",
        "readme",
        "changelog",
        "notice",
        "authors",
        "gemfile",
        "rakefile",
        "justfile",
        "codeowners",
    ];
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
    path.starts_with(['/', '\\', '.', '~']) || name.starts_with('.') || NAMES.contains(&name.as_str())
}

/// Whether this is rather the name of a host, whose port looks like a line, or a page on one.
fn is_host(path: &str) -> bool {
    const ENDINGS: [&str; 23] = [
        ".com",
        ".org",
        ".net",
        ".io",
        ".dev",
        ".local",
        ".lan",
        ".internal",
        ".localhost",
        ".de",
        ".eu",
        ".uk",
        ".ch",
        ".at",
        ".fr",
        ".edu",
        ".gov",
        ".app",
        ".ai",
        ".info",
        ".page",
        ".cloud",
        ".wiki",
    ];
    let host = path.split('/').next().unwrap_or(path).to_ascii_lowercase();
    let named = ENDINGS.iter().any(|ending| host.len() > ending.len() && host.ends_with(ending));
    let in_folder = path.contains('/');
    named || in_folder && (host.starts_with("www.") || host.contains(['@', ':']) || host == "localhost")
}

/// A path and the lines behind it: `:10`, `:10-14`, `:L10-L14`, `#L10-L14`, or `:10:5` with a column.
fn split_lines(token: &str) -> (&str, Option<LineRange>) {
    if let Some((path, lines)) = token.rsplit_once("#L")
        && let Some(lines) = range(lines)
    {
        return (path, Some(lines));
    }
    let Some((path, last)) = token.rsplit_once(':') else { return (token, None) };
    let Some(lines) = range(last) else { return (token, None) };
    match path.rsplit_once(':').and_then(|(path, line)| Some((path, range(line)?))) {
        Some((path, line)) if lines.end.is_none() && line.end.is_none() => (path, Some(line)),
        Some(_) | None => (path, Some(lines)),
    }
}

/// `10`, `10-14`, `L10-L14`.
fn range(written: &str) -> Option<LineRange> {
    let line = |written: &str| line_number(written.strip_prefix('L').unwrap_or(written));
    match written.split_once(['-', '–']) {
        Some((start, end)) => Some(LineRange { end: Some(line(end)?), start: line(start)? }),
        None => Some(LineRange { end: None, start: line(written)? }),
    }
}

/// Digits, few enough to be a number that somebody meant.
fn number(digits: &str) -> Option<i64> {
    let sound = (1..=9).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    sound.then(|| digits.parse().ok()).flatten()
}

/// The number of a line. No file has as many lines as the longest ones say, so they are kept as what cannot be true: a false number must
/// not escape because it is absurd.
fn line_number(digits: &str) -> Option<i64> {
    let sound = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    sound.then(|| digits.parse().unwrap_or(i64::MAX))
}

/// Lines named behind a path, as in `scene.txt (lines 45-67)`, and how many bytes that takes.
fn lines_behind(text: &str) -> Option<(LineRange, usize)> {
    if let Some(rest) = text.strip_prefix(':') {
        let digits = rest.find(|c: char| !c.is_ascii_digit() && c != '-' && c != 'L').unwrap_or(rest.len());
        return range(&rest[..digits]).map(|lines| (lines, 1 + digits));
    }
    let rest = text.trim_start_matches([' ', ',']);
    let (rest, bracket) = rest.strip_prefix('(').map_or((rest, false), |rest| (rest, true));
    let word = ["lines ", "line ", "Zeilen ", "Zeile "].iter().find(|word| rest.starts_with(**word))?;
    let rest = &rest[word.len()..];
    let length = rest.find(|c: char| !c.is_ascii_digit() && c != '-' && c != '–').unwrap_or(rest.len());
    let lines = range(&rest[..length])?;
    let closed = usize::from(bracket && rest[length..].starts_with(')'));
    Some((lines, text.len() - rest.len() + length + closed))
}

/// Words between a file and what is quoted from it.
const SAYING: [&str; 25] = [
    "says",
    "said",
    "reads",
    "states",
    "contains",
    "has",
    "shows",
    "defines",
    "declares",
    "documents",
    "there",
    "that",
    "literally",
    "clearly",
    "it",
    "which",
    "steht",
    "sagt",
    "lautet",
    "heißt",
    "heisst",
    "enthält",
    "es",
    "dort",
    "wörtlich",
];

/// The most words between them.
const SAYING_MOST: usize = 3;

/// A quote behind a path, after blanks, a colon or a few words such as `says`, and how many bytes that takes.
fn quote_behind(text: &str) -> Option<(String, usize)> {
    let between = |c: char| c.is_whitespace() || matches!(c, ':' | ',');
    let mut rest = text.trim_start_matches([' ', '\n', '\t', ':']);
    for _ in 0..SAYING_MOST {
        let word = &rest[..rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len())];
        if !SAYING.contains(&text::fold(word).as_str()) {
            break;
        }
        rest = rest[word.len()..].trim_start_matches(between);
    }
    let (quote, behind) = quotation(rest)?;
    (!quote.trim().is_empty()).then(|| (quote, text.len() - behind.len()))
}

/// The quotation with which a text begins, and what follows it.
fn quotation(text: &str) -> Option<(String, &str)> {
    let mut chars = text.chars();
    let closes = closing(chars.next()?)?;
    let mut quote = String::new();
    let straight = closes == "\"";
    while let Some(c) = chars.next() {
        match c {
            '\\' if straight && chars.as_str().starts_with(['"', '\\']) => quote.extend(chars.next()),
            c if closes.contains(c) => return Some((quote, chars.as_str())),
            c => quote.push(c),
        }
    }
    None
}

/// The marks that may close a quotation that begins with this one.
fn closing(opening: char) -> Option<&'static str> {
    match opening {
        '"' => Some("\""),
        '“' => Some("”"),
        '„' => Some("“”"),
        '«' => Some("»"),
        '»' => Some("«"),
        _ => None,
    }
}

/// What stands behind `canon:`, in whatever case.
fn after_canon(text: &str) -> Option<&str> {
    const CANON: &str = "canon:";
    let head = text.get(..CANON.len())?;
    head.eq_ignore_ascii_case(CANON).then(|| &text[CANON.len()..])
}

/// `eyes` or `eyes@2`.
fn canon(named: &str) -> Option<CanonReference> {
    let (entry, version) = match named.split_once('@') {
        Some((entry, version)) => (entry, Some(u32::try_from(number(version)?).ok().filter(|v| *v > 0)?)),
        None => (named, None),
    };
    let sound = !entry.is_empty() && !entry.contains(|c: char| c.is_whitespace() || c.is_control());
    sound.then(|| CanonReference { entry: entry.into(), version })
}

/// The longest subject of a search, in characters.
const SUBJECT_MOST: usize = 80;

/// `session-timeout`: the words of a subject with hyphens between them.
fn gap(subject: &str) -> Option<String> {
    let subject = text::words(subject).collect::<Vec<_>>().join("-");
    (1..=SUBJECT_MOST).contains(&text::length(&subject)).then_some(subject)
}
