//! Canon as a plain file that a project commits, so that texts are checked where no house is: in continuous integration, in
//! a fresh checkout. The file holds what holds now, and nothing of who said so or when.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde::{Deserialize, Serialize};
use synod_core::canon::{Canon, CanonRef, CanonRole, Claim, EntryName, Event, claims};
use synod_core::kernel::{Actor, At, Id, Seq};
use synod_journal::file;

use super::read_text;
use crate::cli::Context;
use crate::cli::work::moment;
use crate::fail::{Fail, Result, code};
use crate::{json, out};

/// The form of the file. Changes when a field changes its meaning.
const FORMAT: &str = "synod-canon/1";

/// Write the entries that hold to a file, for `synod canon check --canon` where there is no house.
///
/// Commit the file with the project, and write it again when canon changes: an earlier export is replaced.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  synod canon export canon.json\n  \
              git show origin/main:canon.json > /tmp/canon.json\n  \
              git diff --text --no-color --no-ext-diff origin/main...HEAD |\n    \
              synod canon check --diff --no-ask --canon /tmp/canon.json")]
pub(crate) struct CanonExportArgs {
    /// The file; standard output if left out.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
}

/// The file.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CanonFile {
    format: String,
    entries: Vec<ExportedEntry>,
}

/// An entry in it, at the version that holds.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExportedEntry {
    name: EntryName,
    version: u32,
    text: String,
    /// It holds until then, in Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    until: Option<At>,
    /// Claims that were accepted for it and that no rule reads from its text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    accepted: Vec<Claim>,
}

impl CanonExportArgs {
    pub(super) fn run(self, context: &Context) -> Result<ExitCode> {
        let (house, _) = context.house.read()?;
        let exported = exported(house.canon(), moment(&house));
        let count = exported.entries.len();
        let text = json::pretty(&exported).map_err(|error| Fail::usage(error.to_string()))? + "\n";
        let Some(path) = &self.file else {
            out::text(&text);
            return Ok(ExitCode::SUCCESS);
        };
        replace(path, &text)?;
        let entries = synod_core::kernel::text::counted(count as u64, "entry").replace("entrys", "entries");
        match context.json {
            true => out::json(&serde_json::json!({ "file": path, "entries": count })),
            false => out::line(&out::clean(&format!(
                "{entries} written to {}; check texts against it with: synod canon check --canon {} FILE",
                path.display(),
                path.display()
            ))),
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn exported(canon: &Canon, at: At) -> CanonFile {
    let entries = canon.current(at).map(|(name, version)| {
        let read: Vec<Claim> = claims(&version.text).into_iter().map(|found| found.claim).collect();
        let accepted = version.claims.iter().filter(|claim| !read.contains(claim)).cloned().collect();
        let (version, text, until) = (version.version, version.text.clone(), version.until);
        ExportedEntry { name: name.clone(), version, text, until, accepted }
    });
    CanonFile { format: FORMAT.into(), entries: entries.collect() }
}

/// Writes the file. Only an earlier export is replaced: the name may be that of a chapter.
fn replace(path: &Path, text: &str) -> Result<()> {
    if path.symlink_metadata().is_err() {
        return out::new_file(path, text);
    }
    let is_export = read_text(path).is_ok_and(|known| serde_json::from_str::<CanonFile>(&known).is_ok());
    if !is_export {
        let message = format!(
            "{} exists and is not an export of canon, so it is not replaced: choose another name",
            path.display()
        );
        return Err(Fail::new(code::IO, "file/exists", message));
    }
    file::replace_durably(path, text.as_bytes()).map_err(|error| {
        Fail::new(code::IO, "file/unwritable", format!("{} cannot be written: {error}", path.display()))
    })
}

/// Canon as a file has it.
pub(super) fn read(path: &Path) -> Result<Canon> {
    let text = read_text(path)?;
    let wrong = |why: String| {
        let message = format!(
            "{} is not an export of canon ({why}): write one with `synod canon export`",
            path.display()
        );
        Fail::new(code::DATA, "canon/not-an-export", message)
    };
    let kept: CanonFile = serde_json::from_str(&text).map_err(|error| wrong(error.to_string()))?;
    if kept.format != FORMAT {
        return Err(wrong(format!("its format is `{}`, this build reads `{FORMAT}`", kept.format)));
    }
    let mut canon = Canon::default();
    for entry in kept.entries {
        let mut own: Vec<Claim> = claims(&entry.text).into_iter().map(|found| found.claim).collect();
        own.extend(entry.accepted);
        let promoted = Event::Promoted {
            by: Actor::Operator,
            role: CanonRole::User,
            claims: own,
            entry: CanonRef { name: entry.name, version: entry.version },
            matter: None,
            supersedes: None,
            text: entry.text,
            until: entry.until,
            votes: Vec::new(),
        };
        canon.apply(Id { act: Seq(0), nth: 0 }, At(0), &promoted);
    }
    Ok(canon)
}
