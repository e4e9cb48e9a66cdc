//! `synod restore`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::event::HouseRepair;
use synod_core::kernel::Seq;
use synod_engine::now;
use synod_journal::tlog::Checkpoint;
use synod_journal::{Head, JournalReader as _, LockHolder, SqliteReader, backup, checkpoints, file, mark};

use super::backup::{FOLDERS, SETTINGS, SIGNED, copy_folder, copy_named};
use super::repair::{keep_receipts_of_lost, note, stamp};
use super::{Context, on_runtime};
use crate::fail::{Fail, Result, code};
use crate::house::{keep_out_of_git, read_up_to};
use crate::out;

/// Put a backup in the place of this house's journal.
///
/// The backup is checked from the first act on. The present journal is not deleted: it is moved into a folder in the
/// house. If it had acts that the backup lacks, an act in the restored record says so. Stop a service first.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod restore ../synod-backup --yes\n  synod restore ../synod-backup --house copy"
)]
pub(crate) struct RestoreArgs {
    /// The folder that `synod backup` wrote.
    dir: PathBuf,
    /// Replace the journal that is there.
    #[arg(long)]
    yes: bool,
}

impl RestoreArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        context.house.check()?;
        let (from, to) = (self.dir.as_path(), context.house.dir());
        let head = backup::check(from)?;
        is_as_it_was_made(from, head)?;
        is_of_this_house(from, to)?;
        synod_journal::make_dir(to)?;
        let there = to.join("journal.db").symlink_metadata().is_ok();
        if there && !self.yes {
            return Err(Fail::usage(format!(
                "there is a journal in {}; it is moved aside and replaced by {} acts. Pass --yes to confirm",
                to.display(),
                head.seq
            )));
        }
        let lost = lost(to, from, head)?;
        let at = stamp(now());
        let ready = make_ready(from, to, &at, lost)?;
        let who = LockHolder::this_process("synod restore");
        let aside = backup::set_aside(to, &format!("replaced-{at}"), &who)?;
        let folder = aside.folder.clone();
        keep_receipts_of_lost(to, &folder, head.seq)?;
        keep_out_of_git(to)?;
        copy_named(&ready, to, &[SIGNED])?;
        copy_named(from, to, &SETTINGS)?;
        for folder in FOLDERS {
            copy_folder(&from.join(folder), &to.join(folder))?;
        }
        if to.join("key").symlink_metadata().is_err() {
            copy_named(from, to, &["key"])?;
        }
        // A snapshot of acts that are gone is of no use; the next command makes another.
        let _ = std::fs::remove_file(to.join("snapshot"));
        // Last: until the journal is there, every command says that a restore was not finished.
        backup::put_in_place(&ready, to, &aside)?;
        drop(aside);
        let _ = std::fs::remove_dir_all(&ready); // nothing looks there, and the next restore clears it away
        if context.json {
            out::json(&json!({ "head": head, "lost": lost, "replaced": there.then_some(&folder) }));
        } else {
            out::line(&format!("restored {} acts from {}", head.seq, from.display()));
            if let Some(lost) = lost {
                out::line(&format!(
                    "the record says that acts after {} up to {} were given up",
                    lost.kept, lost.lost
                ));
            }
            if there {
                out::line(&format!("the journal that was there is in {}", folder.display()));
            }
        }
        if !there {
            let _ = std::fs::remove_dir(&folder);
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Makes the journal ready in a folder of the house, with the act that says what is given up. So no crash can leave a house that has lost
/// acts and does not say so: the journal comes to its place whole.
fn make_ready(from: &Path, to: &Path, at: &str, lost: Option<HouseRepair>) -> Result<PathBuf> {
    let cannot = |path: &Path, error: std::io::Error| {
        Fail::new(code::IO, "file/unwritable", format!("{} cannot be written: {error}", path.display()))
    };
    for entry in std::fs::read_dir(to).into_iter().flatten().flatten() {
        let is_left = entry.file_name().to_str().is_some_and(|name| name.starts_with(READY));
        if is_left && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            std::fs::remove_dir_all(entry.path()).map_err(|error| cannot(&entry.path(), error))?;
        }
    }
    let ready = to.join(format!("{READY}{at}"));
    file::make_folder(&ready).map_err(|error| cannot(&ready, error))?;
    backup::copy_journal(from, &ready)?;
    copy_named(from, &ready, &[SIGNED])?;
    if let Some(lost) = lost {
        // The act is signed like any other.
        copy_named(to, &ready, &["key"])?;
        on_runtime(note(&ready, lost))?;
        let _ = std::fs::remove_file(ready.join("key")); // there is none if the house has none
    }
    Ok(ready)
}

/// How the folder begins that a journal is made ready in.
const READY: &str = "incoming-";

/// Refuses a backup that was changed after it was made: the house would sign what somebody else put there.
fn is_as_it_was_made(from: &Path, head: Head) -> Result<()> {
    let changed = |why: String| {
        let message = format!(
            "{}: {why}. Nothing was restored: the backup was changed after it was made, or is damaged; use another one",
            from.display()
        );
        Err(Fail::new(code::DATA, "backup/changed", message))
    };
    let noted = read_up_to(1 << 20, &from.join("backup.json"), "backup")?;
    let noted: serde_json::Value = serde_json::from_str(&noted).unwrap_or_default();
    if noted["head"] != json!(head) {
        return changed(format!(
            "its journal ends with act {} ({}), and backup.json says otherwise",
            head.seq,
            head.hash.short()
        ));
    }
    let signed = checkpoints::all(from)?;
    if let Some(known) = signed.iter().find(|known| known.checkpoint.size > head.seq.0) {
        return changed(format!(
            "the house had signed {} acts, and the journal has {}",
            known.checkpoint.size, head.seq
        ));
    }
    match checkpoints::contradicted(&SqliteReader::open(from)?, &signed)? {
        Some(size) => changed(format!("its journal is not what the house signed at act {size}")),
        None => Ok(()),
    }
}

/// Refuses the backup of another house, and one that contradicts what this house has signed.
fn is_of_this_house(from: &Path, to: &Path) -> Result<()> {
    let reader = SqliteReader::open(from)?;
    let first = |reader: &SqliteReader| reader.heads(Seq(1), 1).ok().and_then(|heads| heads.first().copied());
    let own = SqliteReader::open(to).ok().and_then(|reader| first(&reader));
    let (signed, theirs) = (checkpoints::all(to)?, first(&reader));
    let of_another = |head: Head| {
        let origin = Checkpoint::origin_of(&head.hash);
        signed.iter().any(|known| known.checkpoint.origin != origin)
    };
    if own.is_some() && own != theirs || theirs.is_some_and(of_another) {
        let message = format!(
            "{} is the backup of another house than {}: restore it to a folder of its own with --house DIR",
            from.display(),
            to.display()
        );
        return Err(Fail::new(code::DATA, "backup/other-house", message));
    }
    match checkpoints::contradicted(&reader, &signed)? {
        Some(size) => {
            let message = format!(
                "{} is not what this house signed at act {size}: nothing was restored",
                from.display()
            );
            Err(Fail::new(code::DATA, "backup/changed", message))
        }
        None => Ok(()),
    }
}

/// What the house had and the backup has not, as far as that is known.
fn lost(dir: &Path, from: &Path, backup: Head) -> Result<Option<HouseRepair>> {
    let marked = mark::read(dir)?.map(|mark| mark.head);
    let found = SqliteReader::open(dir).ok().and_then(|reader| reader.head().ok());
    let Some(known) = marked.into_iter().chain(found).max_by_key(|head| head.seq) else { return Ok(None) };
    let same = known.seq <= backup.seq && {
        let reader = SqliteReader::open(from)?;
        let there = reader.read(known.seq, 1)?;
        known.seq == Seq(0) || there.first().is_some_and(|record| record.head() == known)
    };
    let lost = HouseRepair { hash: known.hash, kept: backup.seq, lost: known.seq, restored: true };
    Ok((!same).then_some(lost))
}
