//! `synod lab tally`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::ballot::Weights;
use synod_lab::report;
use synod_lab::rules::{ComparisonPlan, KnownOutcomes};
use synod_lab::tally::{self, ItemTally};

use super::{LabForm, ballots, chosen, decided, rule_words};
use crate::cli::Context;
use crate::fail::{Fail, Result};
use crate::out;

/// Count ballots from a file under any rule.
///
/// A rule is a method (plurality, borda, schulze, instant-runoff), a threshold, or both with other settings: `method=borda, pass=> 1/2,
/// basis=votes, quorum=1/2, tie=fails, weights=confidence`. Rankings are written `B > A = C` in the column `answer`. An empty answer
/// is a vote that could not be read.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  synod lab tally ballots.csv --rule schulze\n  \
              synod lab tally ballots.csv --rule \">= 2/3 of seats\" --json\n  \
              synod lab tally ballots.csv --rule reliability     weights by track record from the other items")]
pub(super) struct LabTallyArgs {
    /// The ballots: CSV or JSONL.
    ballots: PathBuf,
    /// The rule; more than half of the votes cast if left out.
    #[arg(long, value_name = "RULE", default_value = "> 1/2")]
    rule: String,
    /// Only this set (repeatable).
    #[arg(long = "set", value_name = "NAME")]
    sets: Vec<String>,
    /// Answers of this round; the last of each set if left out.
    #[arg(long, value_name = "N")]
    round: Option<u32>,
    /// The form of the report.
    #[arg(long, value_enum, default_value_t = LabForm::Table)]
    format: LabForm,
}

impl LabTallyArgs {
    pub(super) fn run(self, context: &Context) -> Result<ExitCode> {
        let rule = tally::rule(&self.rule, &tally::majority()).map_err(Fail::usage)?;
        let sets = chosen(ballots(&self.ballots)?, &self.sets)?;
        let (mut rows, mut all) = (Vec::new(), Vec::new());
        for set in &sets {
            let Some(round) = self.round.or_else(|| set.rounds().last().copied()) else { continue };
            let by_record = rule.weights == Weights::Reliability;
            let known = by_record.then(|| KnownOutcomes::of(set, ComparisonPlan::default())).flatten();
            if by_record && known.is_none() {
                let message = format!(
                    "set `{}` has no known truth to learn weights from; fill the column `gold`",
                    set.name
                );
                return Err(Fail::usage(message));
            }
            for item in &set.items {
                let weights = known.as_ref().and_then(|known| known.weights_for(&item.name));
                let tallied = tally::item(item, round, &rule, weights);
                rows.push(row(&set.name, &tallied));
                all.push(json!({ "dataset": set.name, "round": round, "tally": tallied }));
            }
        }
        let form = if context.json { LabForm::Json } else { self.format };
        match form {
            LabForm::Json => out::json(&json!({ "rule": rule, "items": all })),
            LabForm::Csv => {
                let head = "dataset,item,decision,answer,truth,votes,margin";
                let lines = rows
                    .iter()
                    .map(|row| row.iter().map(|cell| report::field(cell)).collect::<Vec<_>>().join(","));
                out::text(&format!(
                    "{}\n",
                    std::iter::once(head.to_string()).chain(lines).collect::<Vec<_>>().join("\n")
                ));
            }
            LabForm::Table => {
                let head = ["set", "item", "decision", "answer", "truth", "votes", "margin"]
                    .map(str::to_string)
                    .to_vec();
                rows.insert(0, head);
                out::text(&out::clean(&format!("rule: {}\n{}", rule_words(&rule), report::table(&rows))));
            }
            LabForm::Html => {
                return Err(Fail::usage("`lab tally` has no page; write --format table, csv or json"));
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn row(set: &str, tallied: &ItemTally) -> Vec<String> {
    let ItemTally { item, options, decision, answer, gold, tally, margin, margin_bound, .. } = tallied;
    let mut votes: Vec<String> = options
        .iter()
        .zip(&tally.options)
        .filter(|(_, votes)| **votes > 0)
        .map(|(option, votes)| format!("{option} {votes}"))
        .collect();
    if options.is_empty() {
        votes.push(format!("yes {}", tally.yes));
    }
    let others = [("no", tally.no), ("abstained", tally.neutral), ("unreadable", tally.unparsed)];
    votes.extend(
        others.into_iter().filter(|(_, votes)| *votes > 0).map(|(word, votes)| format!("{word} {votes}")),
    );
    let bound = if *margin_bound { " or fewer" } else { "" };
    vec![
        set.into(),
        item.clone(),
        decided(*decision),
        answer.clone().unwrap_or_else(|| "-".into()),
        gold.clone().unwrap_or_else(|| "-".into()),
        votes.join(", "),
        margin.map_or_else(|| "none".into(), |margin| format!("{margin}{bound}")),
    ]
}
