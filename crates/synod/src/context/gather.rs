//! Finding the files that `--context` means: one file, all text files of a folder, or all that fit a pattern.
//!
//! A file that is named must be readable text and no secret, or it is refused. Of folders and patterns only what fits is
//! taken: hidden files, links, and what a repository ignores are passed over; secrets and other files are counted.

use std::fs::File;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};

use synod_core::kernel::text::length;

use super::ignored::{Ignored, fits};
use super::{BYTES_MOST, NamedText, is_key, names_secret, refuse_secret};
use crate::fail::{Fail, Result, code};
use crate::house::{quoted, read_up_to};

/// The files that were found, and those that were skipped.
#[derive(Debug, Default)]
pub(super) struct GatheredFiles {
    pub(super) files: Vec<NamedText>,
    pub(super) skipped: SkippedFiles,
}

/// Files that were not taken, and why.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct SkippedFiles {
    pub(super) secret: u64,
    pub(super) binary: u64,
}

/// The most files that are looked at: more would be a mistake.
const LOOKED_MOST: usize = 20_000;
/// Folders that build tools fill.
const BUILT: [&str; 4] = ["node_modules", "target", "__pycache__", "vendor"];

/// Finds what a name means.
pub(super) fn gather(named: &str) -> Result<GatheredFiles> {
    let path = Path::new(named);
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => folder(path),
        Ok(_) => Ok(GatheredFiles { files: vec![one(path)?], ..GatheredFiles::default() }),
        Err(_) if named.contains(['*', '?']) => pattern(named),
        Err(error) => {
            let message = format!("the context file {} cannot be read: {error}", path.display());
            Err(Fail::new(code::NO_INPUT, "file/unreadable", message))
        }
    }
}

/// A file that was named.
fn one(path: &Path) -> Result<NamedText> {
    // A link is judged by where it leads, too.
    let real = path.canonicalize().unwrap_or_else(|_| path.into());
    if path.file_name().is_some_and(|name| names_secret(Path::new(name))) || names_secret(&real) {
        return Err(refuse_secret(path));
    }
    let text = read_up_to(BYTES_MOST, path, "context")?;
    if text.contains('\0') {
        let message = format!("the context file {} is not text", quoted(path));
        return Err(Fail::new(code::DATA, "file/not-text", message));
    }
    if is_key(&text) {
        return Err(refuse_secret(path));
    }
    if length(&text) == 0 {
        let message = format!("the context file {}: the file is empty", path.display());
        return Err(Fail::new(code::USAGE, "context/malformed", message));
    }
    Ok(NamedText { name: shown(path), text })
}

fn folder(path: &Path) -> Result<GatheredFiles> {
    if names_secret(&path.canonicalize().unwrap_or_else(|_| path.into())) {
        return Err(refuse_secret(path));
    }
    let mut gathered = GatheredFiles::default();
    walk(path, &mut |file| gathered.take(file))?;
    if gathered.files.is_empty() {
        let message = format!("the context folder {} has no text file that may be read", quoted(path));
        return Err(Fail::new(code::NO_INPUT, "context/nothing", message));
    }
    Ok(gathered)
}

/// The files that fit a pattern: `*` and `?` stand for anything inside one name, `**` for any folders.
fn pattern(named: &str) -> Result<GatheredFiles> {
    let wild = |part: &&str| part.contains(['*', '?']);
    let parts: Vec<&str> = named.split('/').collect();
    let fixed = parts.iter().take_while(|part| !wild(part)).count();
    let base = match parts[..fixed].join("/") {
        base if base.is_empty() && named.starts_with('/') => "/".into(),
        base if base.is_empty() => ".".to_string(),
        base => base,
    };
    let wanted: Vec<&str> = parts[fixed..].iter().copied().filter(|part| !part.is_empty()).collect();
    let base = PathBuf::from(base);
    let mut gathered = GatheredFiles::default();
    walk(&base, &mut |file| {
        let below: Vec<String> = file
            .strip_prefix(&base)
            .unwrap_or(file)
            .components()
            .map(|part| part.as_os_str().to_string_lossy().into_owned())
            .collect();
        if fits(&wanted, &below.iter().map(String::as_str).collect::<Vec<_>>()) {
            gathered.take(file);
        }
    })?;
    if gathered.files.is_empty() {
        let left = match (gathered.skipped.secret, gathered.skipped.binary) {
            (0, 0) => "no file fits it",
            _ => "what fits it is secret or not text",
        };
        let message = format!(
            "the context pattern {named}: {left}. Quote a pattern, so that the shell leaves it alone"
        );
        return Err(Fail::new(code::NO_INPUT, "context/nothing", message));
    }
    Ok(gathered)
}

impl GatheredFiles {
    /// Takes a file that was found, if it may be taken.
    fn take(&mut self, path: &Path) {
        if names_secret(path) {
            self.skipped.secret += 1;
            return;
        }
        match text(path) {
            Some(text) if is_key(&text) => self.skipped.secret += 1,
            Some(text) => self.files.push(NamedText { name: shown(path), text }),
            None => self.skipped.binary += 1,
        }
    }
}

/// The text of a file; `None` if it is not text, empty or too long to be of use.
fn text(path: &Path) -> Option<String> {
    let mut bytes = Vec::new();
    File::open(path).ok()?.take(BYTES_MOST + 1).read_to_end(&mut bytes).ok()?;
    if bytes.len() as u64 > BYTES_MOST {
        return None;
    }
    String::from_utf8(bytes).ok().filter(|text| !text.contains('\0') && length(text) > 0)
}

/// Goes through a folder in the order of names.
fn walk(folder: &Path, found: &mut dyn FnMut(&Path)) -> Result<()> {
    let mut looked = 0;
    let mut ignored = Ignored::above(folder);
    walk_in(folder, &mut ignored, &mut looked, found)
}

fn walk_in(
    folder: &Path,
    ignored: &mut Ignored,
    looked: &mut usize,
    found: &mut dyn FnMut(&Path),
) -> Result<()> {
    let entries = std::fs::read_dir(folder).map_err(|error| {
        let message = format!("the context folder {} cannot be read: {error}", folder.display());
        Fail::new(code::NO_INPUT, "file/unreadable", message)
    })?;
    let mut entries: Vec<_> = entries.flatten().collect();
    entries.sort_by_key(std::fs::DirEntry::file_name);
    let before = ignored.enter(folder);
    for entry in entries {
        *looked += 1;
        if *looked > LOOKED_MOST {
            let message = format!(
                "the context folder {} has more than {LOOKED_MOST} files: name a smaller one",
                folder.display()
            );
            return Err(Fail::new(code::USAGE, "context/malformed", message));
        }
        let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
        let Ok(kind) = entry.file_type() else { continue };
        if ignored.holds(&path, kind.is_dir()) {
            continue;
        }
        let hidden = name.starts_with('.');
        match (kind.is_dir(), kind.is_file()) {
            (true, _) if hidden || BUILT.contains(&name.as_str()) => (),
            // A folder that cannot be read is passed over.
            (true, _) => match walk_in(&path, ignored, looked, found) {
                Err(fail) if fail.code() == code::NO_INPUT => (),
                other => other?,
            },
            // A hidden file is passed over too, but for one that is counted as a secret.
            (_, true) if hidden && !names_secret(Path::new(&name)) => (),
            (_, true) => found(&path),
            (false, false) => (),
        }
    }
    ignored.leave(before);
    Ok(())
}

/// A path as the council reads it: below the working directory where it lies there.
fn shown(path: &Path) -> String {
    let parts = path.components().filter(|part| !matches!(part, Component::CurDir));
    let path: PathBuf = parts.collect();
    let here = std::env::current_dir().ok();
    let below = here.as_ref().and_then(|here| path.strip_prefix(here).ok()).unwrap_or(&path);
    let shown = below.display().to_string();
    // The end of a long path says more than its beginning.
    let over = shown.chars().count().saturating_sub(150);
    if over > 0 { format!("…{}", shown.chars().skip(over).collect::<String>()) } else { shown }
}
