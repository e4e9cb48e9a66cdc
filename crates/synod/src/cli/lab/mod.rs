//! `synod lab`: which rule, which panel, how many rounds. The work is done by the crate `lab`; here arguments are read and
//! results shown.
//!
//! To add a command: a file here, its variant, an example in its help.

mod diagnose;
mod fit;
mod import;
mod replay;
mod rules;
mod simulate;
mod tally;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;
use serde_json::json;
use synod_core::ballot::Rules;
use synod_core::kernel::Decision;
use synod_lab::import::ballots as read_ballots;
use synod_lab::report::LabReport;
use synod_lab::sheet::{BallotBook, Dataset};

use super::Context;
use crate::fail::{Fail, Result, code};
use crate::house::read_up_to;
use crate::out;

/// The largest file of ballots that is read.
const BALLOTS_MOST: u64 = 1 << 30;
/// Flaws that are listed; of more, the number is said.
const FLAWS_SHOWN: usize = 20;

/// Choose rules by evidence: count again, compare rules, find what flips a vote.
///
/// Ballots come from CSV or JSONL with the columns dataset, item, gold, agent, round, answer and confidence. Nothing is written to
/// the house.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
              synod lab rules ballots.csv                      which rule is right how often\n  \
              synod lab rules ballots.csv --format html --out rules.html\n  \
              synod lab tally ballots.csv --rule schulze       any ballots under any rule\n  \
              synod lab diagnose 43/27/2 --rule \">= 2/3\"       what would flip this vote\n  \
              synod lab simulate study.toml                    declared seats through the real house\n  \
              synod lab replay last --charter blind-vote        a recorded debate under another charter\n  \
              synod lab fit sessions.json                      what recorded seats are like\n  \
              synod lab calibrate study.toml                   which rules meet a target\n  \
              synod lab retally 3 --rule \">= 2/3 of seats\"     a finished vote under another rule")]
pub(crate) struct LabArgs {
    #[command(subcommand)]
    command: LabSubcommand,
}

#[derive(Debug, Subcommand)]
enum LabSubcommand {
    Rules(rules::LabRulesArgs),
    Tally(tally::LabTallyArgs),
    Diagnose(diagnose::LabDiagnoseArgs),
    Retally(diagnose::LabRetallyArgs),
    Simulate(simulate::LabSimulateArgs),
    Ablate(simulate::LabAblateArgs),
    Calibrate(simulate::LabCalibrateArgs),
    Import(import::LabImportArgs),
    Fit(fit::LabFitArgs),
    Replay(replay::LabReplayArgs),
}

impl LabArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        match self.command {
            LabSubcommand::Rules(args) => args.run(context),
            LabSubcommand::Tally(args) => args.run(context),
            LabSubcommand::Diagnose(args) => args.run(context),
            LabSubcommand::Retally(args) => args.run(context),
            LabSubcommand::Simulate(args) => args.run(context),
            LabSubcommand::Ablate(args) => args.run(context),
            LabSubcommand::Calibrate(args) => args.run(context),
            LabSubcommand::Import(args) => args.run(context),
            LabSubcommand::Fit(args) => args.run(context),
            LabSubcommand::Replay(args) => args.run(context),
        }
    }
}

/// A form of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum LabForm {
    /// Columns for the terminal.
    Table,
    /// One line per row, for spreadsheets.
    Csv,
    /// Everything, for programs.
    Json,
    /// One page with plots that loads nothing.
    Html,
}

/// Where a report goes, and in which form.
#[derive(Debug, Args)]
struct ReportOutput {
    /// The form of the report.
    #[arg(long, value_enum, default_value_t = LabForm::Table)]
    format: LabForm,
    /// Write the report to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

impl ReportOutput {
    /// Shows a report. `all` is everything it was made from, for JSON.
    fn show(&self, context: &Context, report: &LabReport, all: &impl Serialize) -> Result<()> {
        let form = if context.json { LabForm::Json } else { self.format };
        let text = match form {
            LabForm::Table => report.text(),
            LabForm::Csv => report.csv(),
            LabForm::Html => report.page(),
            LabForm::Json => {
                let text = serde_json::to_string_pretty(
                    &json!({ "kind": report.kind, "report": report, "data": all }),
                );
                let text = text.map_err(|wrong| Fail::new(code::DATA, "lab/unwritten", wrong.to_string()))?;
                out::plain_json(text) + "\n"
            }
        };
        match &self.out {
            Some(path) => write(path, &text)?,
            None if form == LabForm::Json => out::text(&text),
            None => out::text(&out::clean(&text)),
        }
        Ok(())
    }
}

/// Writes something for `lab` commands to read again.
fn write_json(path: &Path, value: &impl Serialize) -> Result<()> {
    let text = serde_json::to_string_pretty(value);
    let text = text.map_err(|wrong| Fail::new(code::DATA, "lab/unwritten", wrong.to_string()))?;
    write(path, &(text + "\n"))
}

fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).map_err(|error| {
        Fail::new(code::IO, "file/unwritten", format!("{} cannot be written: {error}", path.display()))
    })
}

/// Reads ballots; every flaw is listed with its line.
fn ballots(path: &Path) -> Result<BallotBook> {
    let text = read_up_to(BALLOTS_MOST, path, "ballots")?;
    read_ballots(&text).map_err(|flaws| {
        let shown: Vec<String> = flaws.iter().take(FLAWS_SHOWN).map(ToString::to_string).collect();
        let more = flaws.len().saturating_sub(FLAWS_SHOWN);
        let more = if more > 0 { format!("\nand {more} more") } else { String::new() };
        let message = format!("{} cannot be read as ballots:\n{}{more}", path.display(), shown.join("\n"));
        Fail::new(code::DATA, "lab/flawed", message)
    })
}

/// The sets that are wanted, all of them where none is named.
fn chosen(book: BallotBook, wanted: &[String]) -> Result<Vec<Dataset>> {
    let known: Vec<String> = book.sets.iter().map(|set| set.name.clone()).collect();
    if let Some(unknown) = wanted.iter().find(|name| !known.contains(name)) {
        return Err(Fail::usage(format!(
            "there is no set `{unknown}` here; there are: {}",
            known.join(", ")
        )));
    }
    Ok(book.sets.into_iter().filter(|set| wanted.is_empty() || wanted.contains(&set.name)).collect())
}

/// A decision in a few words, with the reason where there is none.
fn decided(decision: Decision) -> String {
    match decision {
        Decision::Undecided(reason) => format!("undecided ({})", reason.words()),
        decision => decision.word().into(),
    }
}

/// A rule in a line.
fn rule_words(rule: &Rules) -> String {
    let weights = match rule.weights.is_equal() {
        true => String::new(),
        false => format!(", weights {}", rule.weights.word()),
    };
    format!("{}, {} of {}, quorum {}{weights}", rule.method.word(), rule.pass, rule.basis, rule.quorum)
}
