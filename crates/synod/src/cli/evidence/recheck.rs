//! `synod evidence recheck`

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use serde::Serialize;
use synod_core::evidence::{FileFinding, SearchDepth};
use synod_core::house::Case;
use synod_core::kernel::text::counted;
use synod_core::kernel::{FileReference, Id, MatterId, Reference};
use synod_engine::Root;

use super::super::Context;
use crate::fail::{Fail, Result, code};
use crate::issues::meant;
use crate::matter_arg::MatterArg;
use crate::out;

/// Find citations whose file changed since they were checked. A stale citation was true once: nobody is charged for it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  synod evidence recheck\n  synod evidence recheck --issue 3 --json\n\n\
              Exit codes: 0 all as cited, 1 some are stale or missing, 66 there is no such issue, 74 a file could not be read.")]
pub(crate) struct EvidenceRecheckArgs {
    /// Only this issue: number, id or `last`.
    #[arg(long, value_name = "ISSUE")]
    issue: Option<MatterArg>,
    /// The folder that paths are relative to. Without it, the folder that the house lies in.
    #[arg(long, value_name = "DIR")]
    root: Option<PathBuf>,
    /// Also list citations that are as they were.
    #[arg(long)]
    all: bool,
}

/// How a citation stands today.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum CitationToday {
    /// The file has not changed.
    Current,
    /// The file changed, and what was cited still stands there.
    Moved,
    /// The file changed, and what was cited does not stand there any more.
    Stale,
    /// There is no such file any more.
    Missing,
    /// It could not be read now.
    Unread,
}

impl CitationToday {
    fn of(before: &FileFinding, now: &FileFinding) -> Self {
        match (now.problem, now.digest == before.digest) {
            (Some(why), _) if why.is_fault() => Self::Unread,
            (_, true) => Self::Current,
            (None, false) => Self::Moved,
            (Some(_), false) if now.digest.is_none() => Self::Missing,
            (Some(_), false) => Self::Stale,
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Moved => "changed, still holds",
            Self::Stale => "stale",
            Self::Missing => "missing",
            Self::Unread => "not read",
        }
    }
}

/// One citation, today.
#[derive(Debug, Serialize)]
struct RecheckedCitation {
    issue: u64,
    comment: Id,
    who: String,
    cited: String,
    today: CitationToday,
}

impl EvidenceRecheckArgs {
    pub(super) fn run(self, context: &Context) -> Result<ExitCode> {
        let root = self.root(context)?;
        let (house, _) = context.house.look()?;
        let issues: Vec<MatterId> = match self.issue {
            Some(wanted) => vec![meant(&house, wanted)?],
            None => house.docket().rows().map(|(matter, _)| matter).collect(),
        };
        let mut rows = Vec::new();
        for matter in issues {
            let number = house.docket().row(matter).map_or(0, |row| row.number);
            let case = house.load(matter)?;
            recheck(&root, &case, number, &mut rows);
        }
        let worst = rows.iter().map(|row: &RecheckedCitation| match row.today {
            CitationToday::Current | CitationToday::Moved => code::PASSED,
            CitationToday::Stale | CitationToday::Missing => code::FAILED,
            CitationToday::Unread => code::IO,
        });
        let exit = worst.max().unwrap_or(code::PASSED);
        let total = rows.len();
        rows.retain(|row| self.all || row.today != CitationToday::Current);
        if context.json {
            out::json(&rows);
            return Ok(ExitCode::from(exit));
        }
        for row in &rows {
            let (issue, who, cited, today) = (row.issue, &row.who, &row.cited, row.today.word());
            out::line(&out::clean(&format!("#{issue} · {who} · {cited}: {today}")));
        }
        if rows.is_empty() {
            out::line(&format!("{}: nothing changed since", counted(total as u64, "citation")));
        }
        Ok(ExitCode::from(exit))
    }

    /// The folder whose files are read.
    fn root(&self, context: &Context) -> Result<Arc<Root>> {
        let root = match &self.root {
            Some(folder) => Root::open(folder, context.house.dir()).ok().map(Arc::new),
            None => context.house.evidence_root(),
        };
        let message = "the folder cannot be opened: name another with --root DIR";
        root.ok_or_else(|| Fail::new(code::NO_INPUT, "evidence/root", message))
    }
}

/// Holds every citation of an issue that was found true against its file as it is now.
fn recheck(root: &Arc<Root>, case: &Case, issue: u64, rows: &mut Vec<RecheckedCitation>) {
    let Some((_, state)) = case.workshop() else { return };
    for (said, heard) in case.comments() {
        let files = heard.comment.evidence.iter().filter_map(|one| match one {
            Reference::File(file) => Some(file),
            Reference::Canon(_) | Reference::Gap(_) | Reference::Issue(_) => None,
        });
        let found =
            files.zip(state.findings_of(heard.comment)).filter(|(_, before)| before.problem.is_none());
        for (file, before) in found {
            let now = root.check_in_time(file, SearchDepth::Verdict);
            rows.push(RecheckedCitation {
                issue,
                comment: said.id,
                who: heard.who.to_string(),
                cited: FileReference::to_string(file),
                today: CitationToday::of(before, &now),
            });
        }
    }
}
