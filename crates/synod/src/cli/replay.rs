//! `synod replay`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::edition;
use synod_core::kernel::text::counted;
use synod_engine::{Difference, Replayed, replay};

use super::Context;
use crate::fail::{Result, code};
use crate::out;

/// Re-execute every recorded command without a model, and compare with the journal.
///
/// Deleted acts cannot be re-executed, nor can earlier acts of forks of a deleted matter. They are taken as recorded
/// and counted separately.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod replay")]
pub(crate) struct ReplayArgs {}

impl ReplayArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        match replay(&context.house.reader()?)? {
            Ok(replayed) => {
                if context.json {
                    out::json(&json!({
                        "same": true, "acts": replayed.acts, "judged": replayed.judged(),
                        "redacted": replayed.redacted, "branch_of_redacted": replayed.branched,
                        "edition": replayed.edition, "editions_known": [edition::KNOWN.start(), edition::KNOWN.end()],
                        "taken_as_recorded": replayed.editions, "head": replayed.head,
                    }));
                } else {
                    out::line(&format!(
                        "{} re-executed{}, same final hash {}",
                        counted(replayed.judged(), "act"),
                        taken(&replayed),
                        replayed.head.hash
                    ));
                    out::line(&format!(
                        "judged by edition {} of the rules; this build knows {}",
                        replayed.edition,
                        edition::words(*edition::KNOWN.start(), *edition::KNOWN.end())
                    ));
                }
                Ok(ExitCode::SUCCESS)
            }
            Err(divergence) => {
                if context.json {
                    let row = |it: &Difference| json!({ "place": it.place, "recorded": it.recorded, "now": it.now });
                    out::json(&json!({
                        "same": false, "act": divergence.seq, "edition": divergence.edition,
                        "differences": divergence.differences.iter().map(row).collect::<Vec<_>>(),
                    }));
                } else {
                    out::line(&divergence.to_string());
                }
                Ok(ExitCode::from(code::FAILED))
            }
        }
    }
}

/// What was not judged again, and why.
fn taken(replayed: &Replayed) -> String {
    let redacted = (replayed.redacted > 0).then(|| counted(replayed.redacted, "deleted act"));
    let branched = (replayed.branched > 0)
        .then(|| format!("{} of forks of a deleted matter", counted(replayed.branched, "act")));
    let editions =
        replayed.editions.iter().map(|(of, acts)| format!("{} of edition {of}", counted(*acts, "act")));
    let what: Vec<String> = redacted.into_iter().chain(branched).chain(editions).collect();
    if what.is_empty() { String::new() } else { format!(", {} taken as recorded", what.join(" and ")) }
}
