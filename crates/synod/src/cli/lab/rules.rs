//! `synod lab rules`

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_lab::report;
use synod_lab::rules::{ComparisonPlan, SetReport, compare};

use super::{LabForm, ballots, chosen};
use crate::cli::Context;
use crate::fail::{Fail, Result, code};
use crate::out;

/// Compare rules on recorded answers with known truth.
///
/// For each rule: how often it was right and how far it is ahead of plurality, with 95 % intervals over items, and how many answers it asks for and, with --price, what they cost.
/// Rules that learn decide each fifth of the items by what the other four teach. Also printed: learning curves, how many independent
/// voters the agents amount to, and what changed between rounds.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  synod lab rules ballots.csv\n  \
              synod lab rules ballots.csv --set sciq --format html --out rules.html\n\n\
              ballots.csv begins with the line dataset,item,gold,agent,round,answer,confidence")]
pub(super) struct LabRulesArgs {
    /// Ballots with known truth: CSV or JSONL.
    ballots: PathBuf,
    /// Only this set (repeatable).
    #[arg(long = "set", value_name = "NAME")]
    sets: Vec<String>,
    /// What one answer of an agent costs, in any unit (repeatable; all agents or none). The report then has the cost of each rule.
    #[arg(long = "price", value_name = "AGENT=AMOUNT", value_parser = price)]
    prices: Vec<(String, f64)>,
    /// The form of the report.
    #[arg(long, value_enum, default_value_t = LabForm::Table)]
    format: LabForm,
    /// Write the report to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Items are dealt by this number; the same number gives the same report.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Draws for each point of the learning curves; 0 leaves them out.
    #[arg(long, value_name = "N", default_value_t = 20)]
    draws: usize,
}

impl LabRulesArgs {
    pub(super) fn run(self, context: &Context) -> Result<ExitCode> {
        let mut sets = chosen(ballots(&self.ballots)?, &self.sets)?;
        for set in &mut sets {
            set.prices = priced(&set.agents, &self.prices)?;
        }
        let trial = ComparisonPlan { seed: self.seed, draws: self.draws, ..ComparisonPlan::default() };
        let mut reports: Vec<SetReport> = Vec::new();
        for set in &sets {
            match compare(set, trial) {
                Some(report) => reports.push(report),
                None => {
                    out::error(&format!("synod: no truth is known in set `{}`; it is left out", set.name))
                }
            }
        }
        if reports.is_empty() {
            let message = "no item has a known truth; fill the column `gold`";
            return Err(Fail::new(code::DATA, "lab/no-truth", message));
        }
        let form = if context.json { LabForm::Json } else { self.format };
        let text = match form {
            LabForm::Table => report::text(&reports, trial),
            LabForm::Csv => report::csv(&reports, trial),
            LabForm::Html => report::page("Which voting rule is right how often", &reports, trial),
            LabForm::Json => {
                let all = json!({ "kind": "re-judged", "trial": trial, "sets": reports });
                let text = serde_json::to_string_pretty(&all);
                let text = text.map_err(|wrong| Fail::new(code::DATA, "lab/unwritten", wrong.to_string()))?;
                out::plain_json(text) + "\n"
            }
        };
        put(self.out.as_deref(), &text, form)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// `gpt=0.002`
fn price(written: &str) -> std::result::Result<(String, f64), String> {
    let (agent, amount) = written.rsplit_once('=').ok_or("write AGENT=AMOUNT")?;
    match amount.trim().parse::<f64>() {
        Ok(cost) if cost.is_finite() && cost >= 0.0 => Ok((agent.trim().to_string(), cost)),
        Ok(_) | Err(_) => Err(format!("`{amount}` is no amount; write a number such as 0.002")),
    }
}

/// The price of each agent of a set. One without a price would look free.
fn priced(agents: &[String], prices: &[(String, f64)]) -> Result<Vec<f64>> {
    if prices.is_empty() {
        return Ok(Vec::new());
    }
    let known = |agent: &String| prices.iter().rev().find(|(named, _)| named == agent).map(|(_, cost)| *cost);
    let missing: Vec<&str> =
        agents.iter().filter(|agent| known(agent).is_none()).map(String::as_str).collect();
    if missing.is_empty() {
        return Ok(agents.iter().filter_map(known).collect());
    }
    let message = format!("no price for {}; give --price AGENT=AMOUNT for every agent", missing.join(", "));
    Err(Fail::new(code::USAGE, "lab/no-price", message))
}

/// Prints a report, or writes it to a file and says so.
fn put(to: Option<&Path>, text: &str, form: LabForm) -> Result<()> {
    match to {
        Some(path) => {
            std::fs::write(path, text).map_err(|error| {
                let message = format!("{} cannot be written: {error}", path.display());
                Fail::new(code::IO, "file/unwritten", message)
            })?;
            out::line(&out::clean(&format!("written to {}", path.display())));
        }
        None if form == LabForm::Json => out::text(text),
        None => out::text(&out::clean(text)),
    }
    Ok(())
}
