//! `synod backup`

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::kernel::text::counted;
use synod_engine::now;
use synod_journal::{backup, file};

use super::Context;
use crate::fail::{Fail, Result, code};
use crate::out;

/// Copy the house into a new folder, also while a service writes to it.
///
/// The copy is the journal as it stood at one moment, checked from the first act on, with receipts and settings. The
/// private key is left out unless --with-key is given: whoever has it can sign as the house. Tokens are never copied.
/// `synod restore DIR` puts it back.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod backup ../synod-backup\n  synod backup /mnt/safe/synod --with-key"
)]
pub(crate) struct BackupArgs {
    /// The folder to write; it must not exist yet, or be empty.
    dir: PathBuf,
    /// Copy the private key too. Keep such a backup as safe as the key.
    #[arg(long)]
    with_key: bool,
}

/// What people write in a house, besides charters and councils.
pub(super) const SETTINGS: [&str; 5] =
    ["seats.toml", "providers.toml", "prices.toml", "triggers.toml", "retention.toml"];
/// What the house has signed of its record, and what witnesses said to it.
pub(super) const SIGNED: &str = "checkpoints";
/// Folders that are copied whole: receipts, and what people write.
pub(super) const FOLDERS: [&str; 3] = ["receipts", "charters", "councils"];

impl BackupArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        context.house.check()?;
        let (from, to) = (context.house.dir(), self.dir.as_path());
        // Asked first: nothing is made where there is no house.
        drop(context.house.reader()?);
        make_empty(to)?;
        // Before the journal: neither a checkpoint nor a receipt may speak of acts that the copy lacks.
        let mut files = copy_named(from, to, &[SIGNED])?;
        for folder in FOLDERS {
            files += copy_folder(&from.join(folder), &to.join(folder))?;
        }
        let head = backup::copy_journal(from, to)?;
        files += copy_named(from, to, &SETTINGS)?;
        if self.with_key {
            files += copy_named(from, to, &["key"])?;
        }
        let about =
            json!({ "synod": env!("CARGO_PKG_VERSION"), "made": now(), "head": head, "key": self.with_key });
        write(&to.join("backup.json"), format!("{about}\n").as_bytes())?;
        if context.json {
            out::json(&json!({ "dir": to, "head": head, "files": files, "key": self.with_key }));
        } else {
            let key = if self.with_key { "with the key" } else { "without the key" };
            out::line(&format!(
                "{}: {} and {} copied {key}, chained to {}",
                to.display(),
                counted(head.seq.0, "act"),
                counted(files, "file"),
                head.hash.short()
            ));
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn cannot(what: &str, path: &Path, error: &std::io::Error) -> Fail {
    Fail::new(code::IO, "file/unwritable", format!("cannot {what} {}: {error}", path.display()))
}

/// Makes the folder of a backup. One that holds something is not written to.
fn make_empty(dir: &Path) -> Result<()> {
    synod_journal::make_dir(dir)?;
    let mut entries = fs::read_dir(dir).map_err(|error| cannot("read", dir, &error))?;
    match entries.next() {
        None => Ok(()),
        Some(_) => {
            Err(Fail::usage(format!("{} is not empty: name a new folder for the backup", dir.display())))
        }
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    file::replace_durably(path, bytes).map_err(|error| cannot("write", path, &error))
}

/// The largest file that is copied.
const FILE_MOST: u64 = 1 << 28;

/// Copies files that are there, durably; how many there were.
pub(super) fn copy_named(from: &Path, to: &Path, names: &[&str]) -> Result<u64> {
    let mut copied = 0;
    for name in names {
        match file::read_own(&from.join(name), FILE_MOST) {
            Ok(bytes) => {
                write(&to.join(name), &bytes)?;
                copied += 1;
            }
            Err(error) if error.kind() == ErrorKind::NotFound => (),
            Err(error) => return Err(cannot("read", &from.join(name), &error)),
        }
    }
    Ok(copied)
}

/// Copies the files in a folder, if it is there. Folders within are left alone: a house has none.
pub(super) fn copy_folder(from: &Path, to: &Path) -> Result<u64> {
    let entries = match fs::read_dir(from) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(cannot("read", from, &error)),
    };
    file::make_folder(to).map_err(|error| cannot("make", to, &error))?;
    let mut copied = 0;
    for entry in entries.flatten().filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file())) {
        if let Some(name) = entry.file_name().to_str() {
            copied += copy_named(from, to, &[name])?;
        }
    }
    Ok(copied)
}
