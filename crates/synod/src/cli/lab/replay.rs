//! `synod lab replay`

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use synod_core::kernel::SettingValue;
use synod_lab::replay::{ReplayReport, ReplayRules, replay, replayed};
use synod_lab::session::{RecordedSession, from_case};

use super::ReportOutput;
use super::import::sessions;
use crate::cli::Context;
use crate::cli::limits::SettingArgs;
use crate::fail::{Fail, Result, code};
use crate::house::charter;
use crate::matter_arg::{MatterArg, pick};
use crate::out;

/// Judge a recorded debate again under another charter, up to the point where the record has no answer any more.
///
/// Takes a finished matter of the house (number, id, `last`, or `all`), or recorded sessions: what `synod lab import` reads and writes. Recorded answers are
/// given to the real house as long as it asks for them: the same seat, in the same place, freely or for the same side. It says what was judged again
/// and what could not be.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  synod lab replay last --charter blind-vote\n  \
              synod lab replay transcript.md --charter parliament-legacy\n  \
              synod lab replay sessions.json --charter parliament-policy --recorded parliament-legacy")]
pub(super) struct LabReplayArgs {
    /// A matter of the house, `all` of them, or files of sessions.
    #[arg(required = true, value_name = "MATTER|FILE")]
    what: Vec<PathBuf>,
    /// The charter to judge by.
    #[arg(long, value_name = "CHARTER")]
    charter: String,
    /// The charter it was held under, to compare what seats read; known for matters of the house.
    #[arg(long, value_name = "CHARTER")]
    recorded: Option<String>,
    /// The kind of motion, where the charter has kinds.
    #[arg(long, value_name = "KIND")]
    motion: Option<String>,
    #[command(flatten)]
    settings: SettingArgs,
    #[command(flatten)]
    output: ReportOutput,
}

/// A session, and the text of the charter it was held under.
type SessionAndRules = (RecordedSession, Option<String>);

impl LabReplayArgs {
    pub(super) fn run(self, context: &Context) -> Result<ExitCode> {
        let dir = context.house.dir();
        let by = charter(dir, &self.charter)?;
        let recorded = self.recorded.as_deref().map(|name| charter(dir, name)).transpose()?;
        let mut settings: BTreeMap<String, SettingValue> = BTreeMap::new();
        self.settings.add_to(&mut settings)?;
        let settings: Vec<(String, SettingValue)> = settings.into_iter().collect();
        let found = self.found(context)?;
        let mut reports: Vec<ReplayReport> = Vec::new();
        for (session, held) in &found {
            let held = recorded.as_ref().map(|it| it.source.as_str()).or(held.as_deref());
            let held = held.map(|source| ReplayRules { source, motion: None, settings: &[] });
            let motion = self.motion.as_deref();
            let rules = ReplayRules { source: &by.source, motion, settings: &settings };
            reports.push(replay(session, &rules, held.as_ref()).map_err(|why| {
                let message =
                    format!("session `{}` cannot be judged under `{}`: {why}", session.name, self.charter);
                Fail::new(code::DATA, "lab/not-replayed", message)
            })?);
        }
        let sessions: Vec<RecordedSession> = found.into_iter().map(|(session, _)| session).collect();
        self.output.show(context, &replayed(&reports, &sessions), &reports)?;
        Ok(ExitCode::SUCCESS)
    }

    /// What is to be judged: files if there are any of these names, else matters of the house.
    fn found(&self, context: &Context) -> Result<Vec<SessionAndRules>> {
        if self.what.iter().all(|path| path.exists()) {
            return Ok(sessions(&self.what)?.into_iter().map(|session| (session, None)).collect());
        }
        let mut found = Vec::new();
        let (mut house, _) = context.house.read()?;
        for written in &self.what {
            let written = written.to_string_lossy();
            let all = written == "all";
            let wanted: Vec<MatterArg> = if all {
                house.summaries().map(|matter| MatterArg::Id(matter.id)).collect()
            } else {
                let wanted = written
                    .parse()
                    .map_err(|wrong| Fail::usage(format!("there is no file `{written}`, and {wrong}")))?;
                vec![wanted]
            };
            for wanted in wanted {
                let matter = pick(&mut house, Some(wanted))?;
                let Some(case) = house.case(matter) else { continue };
                match from_case(case) {
                    Ok(session) => {
                        let opened = &case.opening.charter;
                        // Its text is not kept; the charter of that name is the one if its digest is.
                        let held = charter(context.house.dir(), &opened.name).ok();
                        let held = held.filter(|held| held.digest == opened.digest);
                        found.push((session, held.map(|held| held.source)));
                    }
                    Err(why) if all => {
                        out::error(&format!("synod: matter {} is left out: {why}", case.number))
                    }
                    Err(why) => {
                        let message = format!("matter {} cannot be judged again: {why}", case.number);
                        return Err(Fail::new(code::USAGE, "lab/not-replayed", message));
                    }
                }
            }
        }
        Ok(found)
    }
}
