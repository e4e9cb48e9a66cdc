//! `synod matter delete`

use std::io::{BufRead as _, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::kernel::text::{counted, excerpt, one_line};
use synod_core::kernel::{Actor, MatterId};
use synod_core::matter::Status;
use synod_core::view::Row;
use synod_core::{Command, House, Outcome};
use synod_engine::fold;
use synod_journal::{Reader, survey};

use super::Context;
use crate::fail::{Fail, Result, code};
use crate::house::{origins, pick, receipt_body, receipt_path, runs};
use crate::out;

/// Take the words of a matter that is over out of the record, for good.
///
/// Question, options, answers, reasons, personas and details of faults are replaced by `[redacted]` in every
/// act of the matter, and its receipt, which quotes them, is removed. Names, votes, tally and decision stay, the
/// chain stays unbroken, and an act says what was done; `synod verify` finds words taken away in any other way.
///
/// Only the journal and the house's own receipts are changed. Receipts you gave away, exports, backups and
/// cassettes (`--record`) are files of their own: delete those yourself. Participants, with the personas they
/// were enrolled with, and charters belong to the house and stay.
///
/// A matter that branches off from it (`synod matter fork`) loses the rounds they share and keeps its own copy of
/// the question: delete it too if that shall go. `synod replay` takes what it did before as recorded.
#[derive(Debug, Args)]
pub(crate) struct Delete {
    /// The matter.
    matter: MatterId,
    /// Do not ask. Needed where nobody is at the terminal.
    #[arg(long)]
    yes: bool,
}

/// What there is to delete.
struct Found {
    row: Row,
    /// Matters that branch off from it, and from those.
    branches: Vec<MatterId>,
    /// Of those, the ones whose receipts quote it.
    quoting: Vec<MatterId>,
}

impl Delete {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let matter = self.matter;
        let Found { row, branches, quoting } = self.look(context)?;
        let engine = context.house.engine("synod matter delete", Default::default()).await?;
        // The receipt first: if this ends here, nothing is lost that cannot be printed again, and nothing is
        // called deleted while a file still quotes it.
        let receipt = remove_receipt(context.house.dir(), matter)?;
        let mut quotes = Vec::new();
        for branch in quoting {
            quotes.extend(remove_receipt(context.house.dir(), branch)?);
        }
        let done = engine.redact(matter).await.map_err(|fault| unfinished(fault, matter, context))?;
        if let Some(Outcome::Refused { code, message }) = done.act.as_ref().map(|act| &act.outcome) {
            return Err(Fail::new(code::USAGE, code, message.clone()));
        }
        engine.end();
        if context.json {
            let by = done.act.map(|act| act.seq);
            let told = json!({
                "matter": matter, "status": row.status, "redacted": true, "acts": done.acts, "by": by,
                "receipt_file": receipt, "branches": branches, "branch_receipt_files": quotes,
            });
            out::json(&told);
            return Ok(ExitCode::SUCCESS);
        }
        if done.acts == 0 {
            out::line(&format!("matter {matter} was deleted before; no words of it are left"));
            return Ok(ExitCode::SUCCESS);
        }
        out::line(&format!(
            "matter {matter} is deleted: its words are gone from {}; the decision ({}) and the chain stay",
            counted(done.acts as u64, "act"),
            row.status
        ));
        for path in receipt.iter().chain(&quotes) {
            out::line(&format!("removed: {}", path.display()));
        }
        if let Some(told) = of_branches(&branches) {
            out::line(&told);
        }
        out::line("not touched: receipts given away, exports, backups, cassettes");
        Ok(ExitCode::SUCCESS)
    }

    /// Looks at what there is to delete, shows it, and asks whether it shall be.
    fn look(&self, context: &Context) -> Result<Found> {
        let reader = context.house.reader()?;
        let (house, _) = fold(&reader)?;
        let matter = pick(&house, Some(self.matter))?;
        let Some(case) = house.case(matter) else { return Err(Fail::usage("the matter is gone")) };
        let row = Row::of(case).stands(runs(case, context.house.held()));
        if !matches!(case.status(), Status::Settled(_)) {
            let flag = context.house.flag();
            let message =
                format!("matter {matter} is {}; end it first: synod matter stop {matter}{flag}", row.status);
            return Err(Fail::new(code::USAGE, "matter/wrong-status", message));
        }
        let found = survey(&reader, Some(matter))?;
        let branches = branches(&house, matter);
        if found.acts.is_empty() {
            // Declared before: who runs this again wants it finished, not asked.
            return Ok(Found { row, branches, quoting: Vec::new() });
        }
        let words = found.acts.len() as u64;
        let quoting = quoting(&house, &reader, &branches, Command::Redact { matter, acts: found.acts });
        let receipt = receipt_path(context.house.dir(), matter);
        let mut shown = format!(
            "matter {matter} ({}): {}\nto be deleted: its words in {}",
            row.status,
            excerpt(&one_line(&row.topic), 200),
            counted(words, "act")
        );
        let quotes = quoting.iter().map(|branch| receipt_path(context.house.dir(), *branch));
        for path in std::iter::once(receipt).chain(quotes).filter(|path| path.exists()) {
            shown.push_str(&format!(", and {}", path.display()));
        }
        if let Some(told) = of_branches(&branches) {
            shown.push_str(&format!("\n{told}"));
        }
        let found = Found { row, branches, quoting };
        if self.yes {
            return Ok(found);
        }
        if !out::person_there() {
            let message =
                format!("{shown}\nthere is no way back and nobody here to ask: give --yes to do it");
            return Err(Fail::usage(out::clean(&message)));
        }
        out::error(&out::clean(&shown));
        match asked("There is no way back. Delete? [y/N]") {
            true => Ok(found),
            false => {
                Err(Fail::new(code::INTERRUPTED, "matter/kept", format!("matter {matter} was not deleted")))
            }
        }
    }
}

/// Matters that branch off from one, and from those.
fn branches(house: &House, matter: MatterId) -> Vec<MatterId> {
    let off = house.cases().filter(|case| origins(house, case.id).any(|origin| origin == matter));
    off.map(|case| case.id).collect()
}

/// What becomes of branches.
fn of_branches(branches: &[MatterId]) -> Option<String> {
    let ids: Vec<String> = branches.iter().map(ToString::to_string).collect();
    match &ids[..] {
        [] => None,
        [one] => Some(format!(
            "matter {one} branches off from it: it loses the rounds they share and keeps its own copy of the question, and `synod replay` takes its acts up to now as recorded"
        )),
        several => Some(format!(
            "matters {} branch off from it: they lose the rounds they share with it and keep their own copies of the question, and `synod replay` takes their acts up to now as recorded",
            several.join(", ")
        )),
    }
}

/// Branches whose receipts are others once the command was given: those that ended without a vote of their own,
/// and so quote the one they share.
fn quoting(house: &House, reader: &dyn Reader, branches: &[MatterId], redact: Command) -> Vec<MatterId> {
    let mut after = house.clone();
    after.evolve(&house.act(house.now(), Actor::Operator, None, redact));
    let body = |house: &House, branch: MatterId| {
        receipt_body(house, reader, branch).ok().and_then(|body| serde_json::to_value(body).ok())
    };
    branches.iter().copied().filter(|branch| body(house, *branch) != body(&after, *branch)).collect()
}

/// Whether the person at the terminal says yes.
fn asked(question: &str) -> bool {
    out::error(question);
    let mut line = String::new();
    let read = std::io::stdin().lock().read_line(&mut line);
    read.is_ok() && ["y", "yes"].contains(&line.trim().to_lowercase().as_str())
}

/// What was declared stays declared, and the same command goes on from there.
fn unfinished(fault: synod_engine::Fault, matter: MatterId, context: &Context) -> Fail {
    let again = format!("then finish with: synod matter delete {matter}{}", context.house.flag());
    Fail::from(fault).and(&again)
}

/// Drafts of a receipt, which processes that died have left.
fn receipt_drafts(path: &Path) -> Vec<PathBuf> {
    let stem = path.file_stem().map(|stem| format!("{}.", stem.to_string_lossy())).unwrap_or_default();
    let is_draft = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.strip_prefix(&stem)
            .and_then(|rest| rest.strip_suffix(".new"))
            .is_some_and(|pid| !pid.contains('.'))
    };
    let entries = path.parent().map(std::fs::read_dir).into_iter().flatten().flatten().flatten();
    entries.map(|entry| entry.path()).filter(is_draft).collect()
}

/// Removes the receipt the house keeps, which quotes the question and the dissent. Gives its path if it was
/// there.
fn remove_receipt(dir: &Path, matter: MatterId) -> Result<Option<PathBuf>> {
    let path = receipt_path(dir, matter);
    let mut removed = None;
    // A process that died while it wrote the receipt may have left a draft.
    for path in receipt_drafts(&path).into_iter().chain([path]) {
        match std::fs::remove_file(&path) {
            Ok(()) => removed = Some(path),
            Err(error) if error.kind() == ErrorKind::NotFound => (),
            Err(error) => {
                let message = format!("{} cannot be removed: {error}; nothing was deleted", path.display());
                return Err(Fail::new(code::IO, "file/unremovable", message));
            }
        }
    }
    Ok(removed)
}
