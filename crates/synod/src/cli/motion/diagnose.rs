//! `synod motion diagnose`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::ballot::THRESHOLDS;
use synod_core::view::{BallotReport, MotionView};

use super::super::Context;
use super::motion;
use crate::fail::Result;
use crate::matter_arg::MatterArg;
use crate::{out, render};

/// Show what a motion would have come to: under other thresholds and bases, and how ordered speech shaped the count.
///
/// Nothing is judged again here: the votes are those that were cast. To judge a debate under other layers, use `synod lab`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  synod motion diagnose\n  synod motion diagnose 3 --json")]
pub(super) struct DiagnoseArgs {
    /// The motion: number, id or `last`; the newest matter if left out.
    matter: Option<MatterArg>,
}

impl DiagnoseArgs {
    pub(super) fn run(self, context: &Context) -> Result<ExitCode> {
        let (mut house, _) = context.house.look()?;
        let (report, motion) = motion(&mut house, self.matter)?;
        let ballot = report.ballots.last().filter(|ballot| ballot.tally.is_some());
        if context.json {
            out::json(&json!({
                "matter": report.matter, "number": report.number, "status": motion.status,
                "tally": ballot.and_then(|ballot| ballot.tally.as_ref()),
                "rule": ballot.map(|ballot| &ballot.rule), "passes": ballot.map(|ballot| &ballot.bases),
                "needed": ballot.and_then(|ballot| ballot.needed), "margin": ballot.and_then(|ballot| ballot.margin),
                "free": motion.free, "all": motion.all, "forced": motion.forced.len(),
                "divergences": motion.divergences, "layers": motion.layers,
            }));
            return Ok(ExitCode::SUCCESS);
        }
        out::line(&out::clean(&report.headline));
        match ballot {
            Some(ballot) => passes(ballot),
            None => out::line("There was no vote, so there is nothing to count under other rules."),
        }
        shift(&motion);
        for (label, line) in render::motion::rows(&report, &motion) {
            out::line(&out::clean(&format!("{label:<9}{line}")));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The votes under every threshold and basis.
fn passes(ballot: &BallotReport) {
    let Some(tally) = &ballot.tally else { return };
    out::line(&format!(
        "Votes    {} AYE, {} NAY, {} ABSTAIN, {} unread, {} missing; the rule is {} of {}",
        tally.yes,
        tally.no,
        tally.neutral,
        tally.unparsed,
        tally.missing,
        ballot.rule.pass,
        ballot.rule.basis
    ));
    let head: Vec<String> =
        THRESHOLDS.iter().map(|threshold| format!("{:<8}", threshold.to_string())).collect();
    out::line(&format!("{:<18}{}", "Would it pass", head.concat()));
    for basis in &ballot.bases {
        let cells: Vec<String> = THRESHOLDS
            .iter()
            .map(|threshold| format!("{:<8}", if basis.meets(*threshold) { "yes" } else { "no" }))
            .collect();
        out::line(&format!(
            "{:<18}{}",
            format!("{} {}/{}", basis.basis, basis.part, basis.whole),
            cells.concat()
        ));
    }
    if let Some(needed) = ballot.needed {
        out::line(&format!("Needed   {needed} AYE on this basis; it had {}", tally.yes));
    }
    if let Some(margin) = ballot.margin {
        out::line(&format!("Margin   {margin} changed ballots would have changed the result"));
    }
}

/// How far the share for the motion moves when ordered speech is counted as opinion.
fn shift(motion: &MotionView) {
    let share = |yes: u32, no: u32| {
        (yes + no > 0).then(|| (1000 * u64::from(yes) + u64::from(yes + no) / 2) / u64::from(yes + no))
    };
    let shown = |share: Option<u64>| {
        share.map_or("nobody took a side".into(), |it| format!("{}.{} % FOR", it / 10, it % 10))
    };
    if motion.all != motion.free {
        let (free, all) = (share(motion.free.yes, motion.free.no), share(motion.all.yes, motion.all.no));
        out::line(&format!(
            "Ordered  {} freely, {} if ordered speech counted as opinion",
            shown(free),
            shown(all)
        ));
    }
}
