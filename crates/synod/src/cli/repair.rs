//! `synod repair`

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::Command;
use synod_core::event::HouseRepair;
use synod_core::kernel::{At, Seq};
use synod_engine::{Engine, EngineOptions, now};
use synod_journal::{LockHolder, MarkComparison, Receipt, Sqlite, backup, chain, file, mark};

use super::{Context, on_runtime};
use crate::fail::{Fail, Result, code};
use crate::house::give;
use crate::out;
use crate::upkeep::RECEIPT_MOST;

/// Accept that acts are lost, so that the house can be written again.
///
/// A house whose journal ends before the last act that was known to be durable is not written to: a damaged disk or an
/// older copy may be the cause. Restore a backup if there is one (`synod restore`). Else this keeps a copy of the damaged
/// files in a folder in the house, checks what is left, and records the loss as an act.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod repair          says what is lost\n  synod repair --yes    accepts it"
)]
pub(crate) struct RepairArgs {
    /// Accept the loss.
    #[arg(long)]
    yes: bool,
}

impl RepairArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        context.house.check()?;
        let dir = context.house.dir();
        let reader = context.house.reader()?;
        // Only a chain that holds is whole, or taken over.
        chain::walk(&reader, Default::default(), |_, _| Ok::<(), Fail>(()))?;
        let (marked, found) = match mark::compare(dir, &reader)? {
            MarkComparison::Lost { mark, found } => (mark, found),
            MarkComparison::Whole { seq } => {
                return whole(context, &format!("nothing is lost: act {seq} is there"));
            }
            MarkComparison::Unknown => {
                return whole(context, "nothing is known to be lost: this house has no mark yet");
            }
        };
        drop(reader);
        let lost = HouseRepair { hash: marked.hash, kept: found.seq, lost: marked.seq, restored: false };
        let what = format!(
            "act {} was on the disk (hash {}…), and the journal ends with act {}",
            marked.seq,
            marked.hash.short(),
            found.seq
        );
        if !self.yes {
            let message = format!(
                "{what}\nrestore a backup: synod restore DIR --yes{flag}\nor give up what is lost: synod repair --yes{flag}",
                flag = context.house.flag()
            );
            return Err(Fail::new(code::DATA, "house/lost", message));
        }
        let folder = backup::accept_loss(
            dir,
            &format!("damaged-{}", stamp(now())),
            found.seq,
            &LockHolder::this_process("synod repair"),
        )?;
        let _ = std::fs::remove_file(dir.join("snapshot")); // it may hold what is lost
        keep_receipts_of_lost(dir, &folder, found.seq)?;
        on_runtime(note(dir, lost))?;
        if context.json {
            out::json(&json!({ "lost": lost, "damaged": folder }));
        } else {
            out::line(&format!("{what}; the record says so now, and the house can be written"));
            out::line(&format!("the files as they were are in {}", folder.display()));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Moves the receipts of decisions that are lost into the folder with the damaged files. A later matter may get the same id, and
/// its receipt must not take the place of one that somebody holds.
pub(super) fn keep_receipts_of_lost(dir: &Path, folder: &Path, end: Seq) -> Result<()> {
    let cannot = |path: &Path, error: std::io::Error| {
        let message = format!("{} cannot be moved: {error}", path.display());
        Fail::new(code::IO, "file/unwritable", message)
    };
    let kept = folder.join("receipts");
    for entry in std::fs::read_dir(dir.join("receipts")).into_iter().flatten().flatten() {
        let path = entry.path();
        let read = file::read_own(&path, RECEIPT_MOST).ok().and_then(|bytes| Receipt::parse(&bytes).ok());
        let settled = read.and_then(|receipt| receipt.body["journal"]["seq"].as_u64());
        if settled.is_some_and(|settled| settled > end.0) {
            file::make_folder(&kept).map_err(|error| cannot(&kept, error))?;
            std::fs::rename(&path, kept.join(entry.file_name())).map_err(|error| cannot(&path, error))?;
        }
    }
    Ok(())
}

fn whole(context: &Context, what: &str) -> Result<ExitCode> {
    match context.json {
        true => out::json(&json!({ "lost": null })),
        false => out::line(what),
    }
    Ok(ExitCode::SUCCESS)
}

/// Records what is lost, before anything else is written.
pub(super) async fn note(dir: &Path, lost: HouseRepair) -> Result<()> {
    let journal = Sqlite::open(dir, &LockHolder::this_process("synod repair"))?;
    let options = EngineOptions { rings_run_on: true, ..EngineOptions::default() };
    let engine = Engine::open(Box::new(journal), Default::default(), options)?;
    if engine.read(|house| house.founded().is_none()) {
        // Everything is gone: there is no house to record it in.
        engine.end();
        return Ok(());
    }
    let given = give(&engine, Command::NoteRepair(lost)).await;
    engine.end();
    given.map(drop)
}

/// A moment as part of a file name: `20261117-204500-123`.
pub(super) fn stamp(at: At) -> String {
    let digits: String = at.to_string().chars().filter(char::is_ascii_digit).collect();
    digits
        .chars()
        .take(17)
        .enumerate()
        .flat_map(|(i, digit)| ["", "-"][usize::from(i == 8 || i == 14)].chars().chain([digit]))
        .collect()
}
