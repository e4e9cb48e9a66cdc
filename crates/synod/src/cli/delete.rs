//! `synod delete`

use std::io::{BufRead as _, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::canon::CanonRef;
use synod_core::kernel::text::{counted, excerpt, one_line};
use synod_core::kernel::{Actor, MatterId};
use synod_core::matter::Status;
use synod_core::view::MatterLine;
use synod_core::{Command, House, Outcome};
use synod_engine::now;
use synod_journal::{JournalReader, chain, survey};

use super::Context;
use crate::fail::{Fail, Result, code};
use crate::house::{receipt_body, receipt_path, runs};
use crate::matter_arg::{MatterArg, number, pick};
use crate::{out, retention};

/// Delete the words of a matter that is over from the record, permanently.
///
/// Question, options, answers, reasons, personas and fault details are replaced by `[redacted]` in every act of the
/// matter. Its receipt quotes them and is removed. Names, votes, tally and decision stay, the hash chain stays intact,
/// and an act records the deletion. The tags of an issue stay too: take one off while the issue is open
/// (`synod issue change 3 --untag TAG`) if it must not be seen. `synod verify` finds words that were removed in any other
/// way.
///
/// Only the journal and the receipts kept in the house are changed. Receipts you gave away, exports, backups and
/// cassettes (`--record`) are separate files: delete those yourself. Participants (with the personas they enrolled
/// with) and charters belong to the house and stay.
///
/// Canon that was promoted from an issue loses its text and claims with the issue. Entries that hold end with it, and
/// the record says why: to keep one, override it with a text of its own first. Names and versions of entries, tags and
/// credits stay.
///
/// A fork of the matter (`synod fork`) loses the rounds they share and keeps its own copy of the question: delete the
/// fork too if that must go. `synod replay` then takes the earlier acts of the fork as recorded.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  synod delete 3\n  synod delete 3 --yes    does not ask")]
pub(crate) struct DeleteArgs {
    /// The matter: number, id or `last`; the newest if left out (not with --yes).
    #[arg(required_if_eq("yes", "true"))]
    matter: Option<MatterArg>,
    /// Do not ask for confirmation. Needed where nobody is at the terminal.
    #[arg(long)]
    yes: bool,
}

/// Everything that would be deleted.
struct Deletion {
    row: MatterLine,
    /// Its forks, and their forks.
    branches: Vec<MatterId>,
    /// Their running numbers.
    branch_numbers: Vec<u64>,
    /// Of those, the ones whose receipts quote it.
    quoting: Vec<MatterId>,
    /// What canon has from it.
    canon: CanonFrom,
}

/// What canon has from a matter.
#[derive(Default)]
struct CanonFrom {
    /// Versions that hold, and end.
    ends: Vec<CanonRef>,
    /// Other versions, which lose their words.
    loses: Vec<CanonRef>,
}

impl CanonFrom {
    fn of(house: &House, matter: MatterId) -> Self {
        let ends: Vec<CanonRef> = house.canon().resting_on(matter, house.now().max(now())).collect();
        let entries = house.canon().entries();
        let all = entries.flat_map(|(name, entry)| entry.history().map(move |version| (name, version)));
        let from = all.filter(|(_, version)| version.matter == Some(matter));
        let named = from.map(|(name, version)| CanonRef { name: name.clone(), version: version.version });
        let loses = named.filter(|entry| !ends.contains(entry)).collect();
        Self { ends, loses }
    }

    /// What happens to it, in lines.
    fn lines(&self) -> Vec<String> {
        let named =
            |entries: &[CanonRef]| entries.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
        let mut lines = Vec::new();
        if !self.ends.is_empty() {
            lines.push(format!("ends as canon, for its words come from it: {}", named(&self.ends)));
        }
        if !self.loses.is_empty() {
            lines.push(format!("loses its words, and does not hold any more: {}", named(&self.loses)));
        }
        lines
    }
}

impl DeleteArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let Deletion { row, branches, branch_numbers, quoting, canon } = self.look(context)?;
        let (matter, number) = (row.matter, row.number);
        let engine = context.house.engine("synod delete", Default::default()).await?;
        // The receipt first: if this ends here, nothing is lost that cannot be printed again, and nothing is
        // called deleted while a file still quotes it.
        let receipt = remove_receipt(context.house.dir(), matter)?;
        let mut quotes = Vec::new();
        for branch in quoting {
            quotes.extend(remove_receipt(context.house.dir(), branch)?);
        }
        let done = engine.redact(matter).await.map_err(|fault| unfinished(fault, number, context))?;
        if let Some(Outcome::Refused { code, message }) = done.act.as_ref().map(|act| &act.outcome) {
            return Err(Fail::new(code::USAGE, code, message.clone()));
        }
        engine.end();
        if context.json {
            let by = done.act.map(|act| act.seq);
            let shown = json!({
                "matter": matter, "number": number, "status": row.status, "redacted": true, "acts": done.acts, "by": by,
                "receipt_file": receipt, "branches": branches, "branch_receipt_files": quotes,
                "copies_in_the_house": copies(context.house.dir()),
                "canon_ended": canon.ends, "canon_emptied": canon.loses,
            });
            out::json(&shown);
            return Ok(ExitCode::SUCCESS);
        }
        if done.acts == 0 {
            out::line(&format!("matter {number} was deleted before; none of its words are left"));
            return Ok(ExitCode::SUCCESS);
        }
        out::line(&format!(
            "matter {number} is deleted: its words are gone from {}; the decision ({}) and the hash chain stay",
            counted(done.acts as u64, "act"),
            row.status
        ));
        for path in receipt.iter().chain(&quotes) {
            out::line(&format!("removed: {}", path.display()));
        }
        for line in of_forks(&branch_numbers).into_iter().chain(canon.lines()) {
            out::line(&line);
        }
        out::line("not changed: receipts given away, exports, backups, cassettes");
        for folder in copies(context.house.dir()) {
            out::line(&format!(
                "still holds the words: {} (what `synod restore` or `synod repair` replaced; remove it yourself)",
                folder.display()
            ));
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Shows what there is to delete, and asks for confirmation.
    fn look(&self, context: &Context) -> Result<Deletion> {
        let reader = context.house.reader()?;
        let (mut house, _) = context.house.read()?;
        let matter = pick(&mut house, self.matter)?;
        let branches = forks(&house, matter);
        for branch in &branches {
            house.bring(*branch)?;
        }
        let Some(case) = house.case(matter) else { return Err(Fail::usage("the matter is gone")) };
        let row = MatterLine::of(case).stands(runs(case, context.house.held()));
        let number = row.number;
        if !matches!(case.status(), Status::Settled(_)) {
            let flag = context.house.flag();
            let message =
                format!("matter {number} is {}; stop it first: synod stop {number}{flag}", row.status);
            return Err(Fail::new(code::USAGE, "matter/wrong-status", message));
        }
        let found = survey(&reader, Some(matter))?;
        if let Some(settled) = case.settled_by.filter(|_| !found.acts.is_empty())
            && let Some(record) = reader.read(settled, 1)?.first()
        {
            let act = chain::open_alone(record).map_err(synod_journal::Error::from)?;
            retention::check(context.house.dir(), number, act.at, now())?;
        }
        let branch_numbers: Vec<u64> = branches.iter().map(|branch| self::number(&house, *branch)).collect();
        if found.acts.is_empty() {
            // Declared before: this run only finishes it, so there is nothing to confirm.
            let (quoting, canon) = (Vec::new(), CanonFrom::default());
            return Ok(Deletion { row, branches, branch_numbers, quoting, canon });
        }
        let words = found.acts.len() as u64;
        let quoting = quoting(&house, &reader, &branches, Command::Redact { matter, acts: found.acts });
        let receipt = receipt_path(context.house.dir(), matter);
        let mut shown = format!(
            "matter {number} ({}): {}\nto be deleted: its words in {}",
            row.status,
            excerpt(&one_line(&row.topic), 200),
            counted(words, "act")
        );
        let quotes = quoting.iter().map(|branch| receipt_path(context.house.dir(), *branch));
        for path in std::iter::once(receipt).chain(quotes).filter(|path| path.exists()) {
            shown.push_str(&format!(", and {}", path.display()));
        }
        let canon = CanonFrom::of(&house, matter);
        for line in of_forks(&branch_numbers).into_iter().chain(canon.lines()) {
            shown.push_str(&format!("\n{line}"));
        }
        let found = Deletion { row, branches, branch_numbers, quoting, canon };
        if self.yes {
            return Ok(found);
        }
        if !out::person_there() {
            let message = format!("{shown}\nThis cannot be undone; pass --yes to confirm");
            return Err(Fail::usage(out::clean(&message)));
        }
        out::error(&out::clean(&shown));
        match asked("This cannot be undone. Delete? [y/N]") {
            true => Ok(found),
            false => {
                Err(Fail::new(code::INTERRUPTED, "matter/kept", format!("matter {number} was not deleted")))
            }
        }
    }
}

/// The forks of a matter, and their forks.
fn forks(house: &House, matter: MatterId) -> Vec<MatterId> {
    let off =
        house.summaries_after(matter).filter(|known| house.origins(known.id).any(|origin| origin == matter));
    off.map(|known| known.id).collect()
}

/// What happens to the forks.
fn of_forks(numbers: &[u64]) -> Option<String> {
    let numbers: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    match &numbers[..] {
        [] => None,
        [one] => Some(format!(
            "matter {one} is a fork of it: it loses the rounds they share and keeps its own copy of the question; `synod replay` takes its acts so far as recorded"
        )),
        several => Some(format!(
            "matters {} are forks of it: they lose the rounds they share and keep their own copies of the question; `synod replay` takes their acts so far as recorded",
            several.join(", ")
        )),
    }
}

/// Forks whose receipts change once the command is given: those that ended without a vote of their own, and so quote
/// the vote they share.
fn quoting(
    house: &House,
    reader: &dyn JournalReader,
    branches: &[MatterId],
    redact: Command,
) -> Vec<MatterId> {
    let (_, after) = house.judge(house.now(), Actor::Operator, None, redact);
    let body = |house: &House, branch: MatterId| {
        receipt_body(house, reader, branch).ok().and_then(|body| crate::json::value(&body).ok())
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
fn unfinished(fault: synod_engine::Fault, number: u64, context: &Context) -> Fail {
    let again = format!("then finish with: synod delete {number}{}", context.house.flag());
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

/// Journals that `synod restore` and `synod repair` moved aside: what is deleted here is still in them.
pub(super) fn copies(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).into_iter().flatten().flatten();
    let is_copy = |name: &str| name.starts_with("replaced-") || name.starts_with("damaged-");
    let named = entries.filter(|entry| entry.file_name().to_str().is_some_and(is_copy));
    let mut folders: Vec<PathBuf> = named.map(|entry| entry.path()).collect();
    folders.sort();
    folders
}
