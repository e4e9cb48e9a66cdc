//! What a council is given to read: files, folders, patterns and standard input, as far as it is text and no secret.
//!
//! `gather` finds the files, `ignored` knows what a repository leaves out, `mask` takes keys out of texts (`assigned` knows
//! values of secret names), `pack` makes pieces that fit. Nothing is cut without a word: what is too much is refused with the sizes.

mod assigned;
mod gather;
mod ignored;
mod mask;
mod pack;

use std::io::Read as _;
use std::path::Path;

use serde::Serialize;
use synod_core::context::Material;
use synod_core::kernel::text::{counted, length};
use synod_engine::{holds_key, is_secret_path};

use crate::fail::{Fail, Result, code};
use crate::house::quoted;
use gather::{GatheredFiles, SkippedFiles};

/// The most characters that a council is given, all in all.
const ALL_MOST: usize = 200_000;
/// The most bytes that are read of one text: more than the characters above can have.
const BYTES_MOST: u64 = 4 * ALL_MOST as u64 + 4;
/// Characters a token stands for, roughly. Rounded down, so that estimates err high.
pub(crate) const CHARS_PER_TOKEN: u64 = 3;
/// What stands for standard input.
const STDIN: &str = "-";

/// The material that a council is given, and its size.
#[derive(Debug, Default)]
pub(crate) struct CouncilContext {
    pub(crate) material: Vec<Material>,
    pub(crate) size: Size,
}

/// How much a council is given.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Size {
    pub(crate) texts: u64,
    pub(crate) chars: u64,
    /// Of one prompt: everything is put before every seat.
    pub(crate) tokens: u64,
    /// Places where a key or a password was masked.
    pub(crate) masked: u64,
    /// Files of folders and patterns that were left out: secrets.
    pub(crate) secret: u64,
    /// The same: not text.
    pub(crate) binary: u64,
}

/// A text without the keys in it, if it holds any that are known by their form.
pub(crate) fn masked_keys(text: &str) -> Option<String> {
    mask::masked_keys(text)
}

/// One text with its name.
#[derive(Debug)]
struct NamedText {
    name: String,
    text: String,
}

/// Reads everything that `--context` names. `topic` is the question as it was typed.
pub(crate) fn given(named: &[String], topic: Option<&str>) -> Result<CouncilContext> {
    let from_stdin = named.iter().filter(|name| *name == STDIN).count();
    if from_stdin > 0 && topic == Some(STDIN) {
        let message = "standard input cannot be both the question and --context: write the question as an argument, such as `git diff | synod debate \"Merge this?\" --context -`";
        return Err(Fail::new(code::USAGE, "context/stdin-twice", message));
    }
    if from_stdin > 1 {
        return Err(Fail::new(
            code::USAGE,
            "context/stdin-twice",
            "give `--context -` once: standard input is read once",
        ));
    }
    let (mut texts, mut size) = (Vec::new(), Size::default());
    for name in named {
        match name.as_str() {
            STDIN => texts.push(stdin()?),
            name => {
                let GatheredFiles { files, skipped: SkippedFiles { secret, binary } } = gather::gather(name)?;
                size.secret += secret;
                size.binary += binary;
                texts.extend(files);
            }
        }
    }
    distinct(&mut texts);
    for text in &mut texts {
        let (masked, places) = mask::mask(&text.text);
        text.text = masked;
        size.masked += places;
    }
    let chars: usize = texts.iter().map(|text| length(&text.text)).sum();
    if chars > ALL_MOST {
        return Err(too_much(&texts, chars));
    }
    size.texts = texts.len() as u64;
    size.chars = chars as u64;
    size.tokens = size.chars.div_ceil(CHARS_PER_TOKEN);
    Ok(CouncilContext { material: pack::pack(texts), size })
}

/// The characters of all material: every seat reads all of it.
pub(crate) fn length_of<'a>(material: impl IntoIterator<Item = &'a Material>) -> u64 {
    material.into_iter().map(|piece| (piece.name.len() + length(&piece.text)) as u64).sum()
}

/// A file that was named twice is given once.
fn distinct(texts: &mut Vec<NamedText>) {
    let mut seen = std::collections::BTreeSet::new();
    texts.retain(|text| seen.insert(text.name.clone()));
}

fn too_much(texts: &[NamedText], chars: usize) -> Fail {
    let mut sizes: Vec<(usize, &str)> =
        texts.iter().map(|text| (length(&text.text), text.name.as_str())).collect();
    sizes.sort_by(|one, other| other.cmp(one));
    let largest: Vec<String> =
        sizes.iter().take(3).map(|(chars, name)| format!("{name} ({chars})")).collect();
    let message = format!(
        "the context has {chars} characters in {}, at most {ALL_MOST} are allowed. The largest: {}. Name fewer files, or let seats ask for them with --sources DIR",
        counted(texts.len() as u64, "text"),
        largest.join(", ")
    );
    Fail::new(code::USAGE, "context/malformed", message)
}

/// What is on standard input.
fn stdin() -> Result<NamedText> {
    if crate::out::person_there() {
        crate::out::error("reading the context from this terminal: end it with Ctrl-D");
    }
    let mut bytes = Vec::new();
    std::io::stdin().lock().take(BYTES_MOST + 1).read_to_end(&mut bytes).map_err(|error| {
        Fail::new(code::IO, "stdin", format!("the context cannot be read from standard input: {error}"))
    })?;
    if bytes.len() as u64 > BYTES_MOST {
        let message =
            format!("the context on standard input has more than {ALL_MOST} characters: shorten it");
        return Err(Fail::new(code::USAGE, "context/malformed", message));
    }
    let text = String::from_utf8(bytes).map_err(|_| {
        let message = "the context on standard input is not UTF-8 text: save it as UTF-8";
        Fail::new(code::DATA, "context/not-utf8", message)
    })?;
    if length(&text) == 0 {
        let message = "the context on standard input is empty: leave `--context -` out, or check the command before the pipe";
        return Err(Fail::new(code::USAGE, "context/malformed", message));
    }
    Ok(NamedText { name: "standard input".into(), text })
}

/// Refuses a file that the user named and that looks like a secret.
fn refuse_secret(path: &Path) -> Fail {
    let message = format!(
        "the context file {} looks like a secret (a key, a password or an environment file), and models must not read it: copy what the council needs into another file",
        quoted(path)
    );
    Fail::new(code::USAGE, "context/secret", message)
}

/// Whether any part of a path is called like a secret.
fn names_secret(path: &Path) -> bool {
    is_secret_path(path.components().filter_map(|part| part.as_os_str().to_str()))
}

/// Whether a text is one that must not be given.
fn is_key(text: &str) -> bool {
    holds_key(text)
}

impl Size {
    /// One line for people; nothing where nothing is given.
    pub(crate) fn line(&self) -> Option<String> {
        let Self { texts, chars, tokens, masked, secret, binary } = *self;
        let mut line = match texts {
            0 => return None,
            texts => format!(
                "{}, {chars} characters, about {tokens} tokens in every prompt",
                counted(texts, "text")
            ),
        };
        if masked > 0 {
            line.push_str(&format!("; {} masked (keys or passwords)", counted(masked, "place")));
        }
        if secret > 0 {
            line.push_str(&format!("; {} left out as secret", counted(secret, "file")));
        }
        if binary > 0 {
            line.push_str(&format!("; {} left out (not text, or empty)", counted(binary, "file")));
        }
        Some(line)
    }
}
