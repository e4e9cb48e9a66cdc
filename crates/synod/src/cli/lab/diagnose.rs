//! `synod lab diagnose` and `synod lab retally`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::ballot::{Poll, Rules, Weights};
use synod_core::house::{Ballot, Case, Item, Reader};
use synod_core::procedure::council::recounted;
use synod_lab::report;
use synod_lab::tally::{self, Diagnosis};

use super::{decided, rule_words};
use crate::cli::Context;
use crate::fail::{Fail, Result, code};
use crate::matter_arg::{MatterArg, pick};
use crate::out;

/// Show what a vote would pass: every threshold on every basis, what would flip it, with and without unreadable votes.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod lab diagnose last\n  synod lab diagnose 43/27/2 --rule \">= 2/3\"\n  \
              synod lab diagnose 31/37/4 --seats 72 --rule \"> 1/2 of seats\""
)]
pub(super) struct LabDiagnoseArgs {
    /// A matter (number, id or `last`), or a count: for/against/abstained, and /unreadable if there are any.
    #[arg(value_name = "MATTER|COUNT")]
    what: String,
    /// The rule; that of the matter, or more than half of the votes cast.
    #[arg(long, value_name = "RULE")]
    rule: Option<String>,
    /// All seats, for a count; those that voted if left out.
    #[arg(long, value_name = "N")]
    seats: Option<u32>,
}

/// Count a finished vote of the house under another rule.
///
/// The record is not changed. Weights by track record are those that were recorded when the vote opened.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod lab retally 3 --rule \">= 2/3 of seats\"\n  synod lab retally last --rule \"basis=votes, quorum=3/4\""
)]
pub(super) struct LabRetallyArgs {
    /// The matter: number, id or `last`; the newest if left out.
    matter: Option<MatterArg>,
    /// What differs from its rule: a threshold, a method, or settings (see `synod lab tally --help`).
    #[arg(long, value_name = "RULE")]
    rule: String,
}

/// The vote that settled a matter, or its last.
fn deciding(case: &Case) -> Result<&Ballot> {
    let ballot = case.ballots.iter().rev().find(|ballot| ballot.result.is_some());
    let ballot = ballot.ok_or_else(|| {
        let message = format!("matter {} has no finished vote", case.number);
        Fail::new(code::NO_INPUT, "lab/no-vote", message)
    })?;
    if case.council().is_none() {
        let message =
            format!("matter {} is not a council; only votes of councils can be counted again", case.number);
        return Err(Fail::usage(message));
    }
    // Counts under many rules can tell who voted how.
    if !case.may_see(Reader::Operator, Item::Votes(ballot)) {
        return Err(Fail::new(
            code::USAGE,
            "lab/secret",
            format!("the votes on matter {} are secret", case.number),
        ));
    }
    Ok(ballot)
}

/// A rule that makes sense for votes that were cast already.
fn changed(written: &str, rule: &Rules, ballot: &Ballot) -> Result<Rules> {
    let changed = tally::rule(written, rule).map_err(Fail::usage)?;
    if changed.method != rule.method && !changed.method.is_plurality() {
        let message = format!(
            "these ballots were marked for `{}`; counting them by `{}` would need marks that nobody made",
            rule.method.word(),
            changed.method.word()
        );
        return Err(Fail::usage(message));
    }
    if changed.weights == Weights::Reliability && ballot.trust.is_none() {
        let message = "no weights were recorded when this vote opened; weights=reliability needs a charter that asks for them";
        return Err(Fail::usage(message));
    }
    Ok(changed)
}

impl LabDiagnoseArgs {
    pub(super) fn run(self, context: &Context) -> Result<ExitCode> {
        if self.what.contains('/') {
            let poll = tally::by_hand(&self.what, self.seats).map_err(Fail::usage)?;
            let rule = tally::rule(self.rule.as_deref().unwrap_or_default(), &tally::majority())
                .map_err(Fail::usage)?;
            return Ok(shown(context, &self.what, &poll, &rule));
        }
        if self.seats.is_some() {
            return Err(Fail::usage("--seats goes with a count such as 43/27/2; a matter knows its seats"));
        }
        let wanted: MatterArg = self.what.parse().map_err(Fail::usage)?;
        let (mut house, _) = context.house.read()?;
        let matter = pick(&mut house, Some(wanted))?;
        let Some(case) = house.case(matter) else { return Ok(ExitCode::SUCCESS) };
        let ballot = deciding(case)?;
        let rule = match &self.rule {
            Some(written) => changed(written, &ballot.rule, ballot)?,
            None => ballot.rule.clone(),
        };
        let poll = recounted(case, ballot, rule.clone());
        Ok(shown(context, &format!("matter {}", case.number), &poll, &rule))
    }
}

impl LabRetallyArgs {
    pub(super) fn run(self, context: &Context) -> Result<ExitCode> {
        let (mut house, _) = context.house.read()?;
        let matter = pick(&mut house, self.matter)?;
        let Some(case) = house.case(matter) else { return Ok(ExitCode::SUCCESS) };
        let ballot = deciding(case)?;
        let rule = changed(&self.rule, &ballot.rule, ballot)?;
        let was = ballot.result.as_ref().map(|(_, decision)| *decision);
        let now = recounted(case, ballot, rule.clone()).decision(&rule);
        let number = case.number;
        if context.json {
            let all = json!({ "kind": "re-judged", "matter": matter, "number": number, "recorded": { "rule": ballot.rule, "decision": was },
                "retallied": { "rule": rule, "decision": now }, "differs": was != Some(now) });
            out::json(&all);
            return Ok(ExitCode::SUCCESS);
        }
        let was = was.map_or_else(|| "nothing".into(), decided);
        out::line(&format!("matter {number}, recorded: {was} ({})", rule_words(&ballot.rule)));
        out::line(&format!("matter {number}, counted again: {} ({})", decided(now), rule_words(&rule)));
        Ok(ExitCode::SUCCESS)
    }
}

fn shown(context: &Context, what: &str, poll: &Poll, rule: &Rules) -> ExitCode {
    let found = tally::diagnose(poll, rule);
    if context.json {
        out::json(
            &json!({ "kind": "re-judged", "what": what, "rule": rule, "tally": poll.tally(), "diagnosis": found }),
        );
    } else {
        out::text(&out::clean(&lines(what, poll, rule, &found)));
    }
    ExitCode::SUCCESS
}

fn lines(what: &str, poll: &Poll, rule: &Rules, found: &Diagnosis) -> String {
    let words = decided;
    let mut text = format!("{what}: {} ({})\n", words(found.decision), rule_words(rule));
    let bound = if found.margin_bound { " or fewer" } else { "" };
    match found.margin {
        Some(1) => text.push_str("1 vote cast differently would change that\n"),
        Some(votes) => text.push_str(&format!("{votes}{bound} votes cast differently would change that\n")),
        None => text.push_str("no votes cast differently are known to change that\n"),
    }
    if let Some(ends) = &found.unparsed {
        text.push_str(&format!(
            "{} unreadable: without them {}; all for it {}, all against {}, all abstaining {}\n",
            poll.unparsed.len(),
            words(found.without_unparsed),
            words(ends.all_for),
            words(ends.all_against),
            words(ends.all_abstain)
        ));
    }
    let mut rows = vec![["basis".to_string(), "share".into(), "%".into()].to_vec()];
    rows[0].extend(found.thresholds.iter().map(ToString::to_string));
    for line in &found.bases {
        let share = f64::from(line.part) / f64::from(line.whole.max(1));
        let mut row =
            vec![line.basis.to_string(), format!("{} of {}", line.part, line.whole), report::percent(share)];
        let points = found.flips.iter().filter(|point| point.basis == line.basis);
        row.extend(points.map(|point| match (point.met, point.needed) {
            (true, Some(needed)) => format!("yes, {} over", point.has.saturating_sub(needed)),
            (false, Some(needed)) => format!("no, {} short", needed.saturating_sub(point.has)),
            (_, None) => "no".into(),
        }));
        rows.push(row);
    }
    text.push_str(&report::table(&rows));
    text
}
