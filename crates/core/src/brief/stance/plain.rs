//! The lines of an answer without their markup, each with whether it is the author's own. A stance in bold is a stance; a
//! stance behind a `>` is somebody else's.

use unicode_normalization::UnicodeNormalization;

use crate::kernel::markup::{LineOwner, owned_lines};
use crate::kernel::text;

/// A line without markup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlainLine {
    /// Its text, trimmed.
    pub text: String,
    /// It stands in a block of code: only a token counts there, not prose.
    pub code: bool,
    /// It was set as a heading.
    pub heading: bool,
    /// Its box is ticked.
    pub ticked: bool,
}

/// The author's own lines that say something. Quoted lines, samples, boxes that are not ticked and what is struck out are not among
/// them.
pub(super) fn lines(answer: &str) -> Vec<PlainLine> {
    let mut found: Vec<PlainLine> = Vec::new();
    let (mut in_code, mut sample) = (false, false);
    for owned in owned_lines(answer) {
        match owned.owner {
            LineOwner::Quoted => continue,
            LineOwner::Code if !in_code => {
                in_code = true;
                sample = found.last().is_some_and(|line| announces_sample(&line.text));
            }
            LineOwner::Code => (),
            LineOwner::Author => (in_code, sample) = (false, false),
        }
        let is_fence = in_code && owned.line.trim_start().starts_with(['`', '~']);
        if sample || is_fence || owned.trails_quote && owned.line.trim_start().starts_with(['—', '–']) {
            continue;
        }
        if let Some(line) = plain(owned.line, in_code) {
            found.push(line);
        }
    }
    found
}

/// Whether a line leads up to a sample rather than to an answer.
fn announces_sample(line: &str) -> bool {
    let folded = text::fold(line);
    let own =
        text::words(&folded).any(|word| matches!(word, "my" | "here" | "here's" | "meine" | "requested"));
    let sample = text::words(&folded).any(super::lexicon::is_saying);
    folded.ends_with(':') && sample && !own
}

fn plain(line: &str, code: bool) -> Option<PlainLine> {
    let line = readable(line);
    let bare = line.trim();
    if bare.contains("~~") {
        return None;
    }
    let heading = bare.starts_with('#');
    let bare = without_mark(bare.trim_start_matches(['#', ' ']));
    let (bare, ticked) = match bare.get(..3) {
        Some("[ ]") => return None,
        Some("[x]" | "[X]") => (&bare[3..], true),
        Some(_) | None => (bare, false),
    };
    let text = without_marks(&row(&without_tags(bare)));
    let says = text.chars().any(char::is_alphanumeric);
    says.then_some(PlainLine { text, code, heading, ticked })
}

/// With invisible characters gone, full-width letters narrow, one kind of apostrophe, and signs that only decorate left out.
fn readable(line: &str) -> String {
    if line.is_ascii() {
        return line.to_string();
    }
    let shown = line.chars().filter(|c| *c == '\t' || !text::is_invisible(*c));
    let narrow = shown.collect::<String>();
    let mut out = String::with_capacity(narrow.len());
    for c in narrow.nfkc() {
        match c {
            '’' | '‘' | 'ʼ' => out.push('\''),
            '“' | '”' | '„' | '«' | '»' => out.push('"'),
            '→' => out.push(':'),
            '•' | '‣' | '▪' => out.push('-'),
            '☐' => out.push_str("[ ]"),
            '☑' => out.push_str("[x]"),
            // These strike out what stands beside them.
            '❌' | '✗' | '✘' | '🚫' | '👎' | '☒' => out.push(c),
            '\u{2190}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}' => out.push(' '),
            _ => out.push(c),
        }
    }
    out
}

/// Without the mark of a list.
fn without_mark(line: &str) -> &str {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &line[digits..];
    let marks: &[char] = if (1..=3).contains(&digits) { &['.', ')'] } else { &['-', '*', '+'] };
    match rest.strip_prefix(marks) {
        Some(rest) if digits <= 3 && (rest.starts_with([' ', '\t']) || rest.is_empty()) => rest.trim_start(),
        Some(_) | None => line,
    }
}

/// How long a tag may be.
const TAG_MOST: usize = 16;

/// Without tags: `<stance>FOR</stance>` is a label and its value.
fn without_tags(line: &str) -> String {
    if !line.contains('<') {
        return line.to_string();
    }
    let (mut out, mut rest) = (String::with_capacity(line.len()), line);
    while let Some(start) = rest.find('<') {
        out.push_str(&rest[..start]);
        let inside = &rest[start + 1..];
        // A tag is short and holds no blank; `<AYE or NAY>` is a place to fill in.
        let near = inside.bytes().take(TAG_MOST + 1).position(|byte| byte == b'>');
        let tag = near.map(|end| &inside[..end]).filter(|tag| !tag.contains(' '));
        let Some(tag) = tag else {
            out.push('<');
            rest = inside;
            continue;
        };
        if super::lexicon::label(&text::fold(tag)).is_some() {
            out.push_str(tag);
            out.push(':');
        }
        out.push(' ');
        rest = &inside[tag.len() + 1..];
    }
    out.push_str(rest);
    out
}

/// A row of a table with two cells as a label and its value.
fn row(line: &str) -> String {
    let Some(cells) = line.trim().strip_prefix('|').and_then(|rest| rest.strip_suffix('|')) else {
        return line.to_string();
    };
    match cells.split('|').map(str::trim).collect::<Vec<_>>()[..] {
        [label, value] => format!("{label}: {value}"),
        _ => line.to_string(),
    }
}

/// Without marks of emphasis and code, and without quotes or brackets around the whole.
fn without_marks(line: &str) -> String {
    let chars: Vec<char> = line.chars().collect();
    let word = |at: Option<&char>| at.is_some_and(|c| c.is_alphanumeric());
    let kept = |at: usize| match chars[at] {
        '*' | '`' => false,
        '_' => word(at.checked_sub(1).and_then(|before| chars.get(before))) && word(chars.get(at + 1)),
        _ => true,
    };
    let text: String = (0..chars.len()).filter(|at| kept(*at)).map(|at| chars[at]).collect();
    let mut bare = text.trim();
    for (open, close) in [('"', '"'), ('[', ']'), ('(', ')')] {
        let inner = bare.strip_prefix(open).and_then(|rest| rest.strip_suffix(close));
        if let Some(inner) = inner.filter(|inner| !inner.contains([open, close])) {
            bare = inner.trim();
        }
    }
    bare.to_string()
}
