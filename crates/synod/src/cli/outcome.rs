//! `synod outcome`

use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};
use synod_core::Command;
use synod_core::kernel::{MatterId, text};
use synod_core::track::TrackRecord;
use synod_core::view::{OutcomeReport, Report};

use super::{Context, matter_then};
use crate::client::ServiceArgs;
use crate::fail::{Fail, Result, code};
use crate::house::give;
use crate::matter_arg::{MatterArg, pick, pick_at};
use crate::wire::{AcknowledgementView, Done};
use crate::{out, outcome};

/// Record how a decision turned out, or list the track records so far.
///
/// Each vote of the matter is marked right or wrong. The marks give every seat, with the model it ran on, a track
/// record; charters can weight votes by it (`weights = "reliability"`, see docs/voting.md). A second outcome corrects
/// the first; the journal keeps both. Without arguments the track records are listed.
#[derive(Debug, Args)]
#[command(
    override_usage = "synod outcome [OPTIONS] [[MATTER] <OUTCOME>]",
    after_help = "Examples:\n  synod outcome 3 wrong\n  synod outcome right     of the newest matter\n  synod outcome           lists the track records"
)]
pub(crate) struct OutcomeArgs {
    /// The matter (the newest if left out), then what was true: `right` or `wrong` for the decision, `yes`, `no`, or
    /// the letter of an option or proposal; for an estimate the number that came true.
    #[arg(num_args = 0..=2, value_names = ["MATTER", "OUTCOME"])]
    words: Vec<String>,
    #[command(flatten)]
    service: ServiceArgs,
}

impl OutcomeArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        if self.words.is_empty() {
            return self.list(context).await;
        }
        let (wanted, was) = matter_then(&self.words, "OUTCOME")?;
        let (matter, number, shown, said): (
            MatterId,
            u64,
            Option<OutcomeReport>,
            Option<AcknowledgementView>,
        ) = match self.service.client(&context.house)? {
            Some(client) => {
                let matter = pick_at(&client, wanted).await?;
                let done: Done =
                    client.post(&format!("/v1/matters/{matter}/outcome"), &json!({ "was": was })).await?;
                let mut report: Value = client.get(&format!("/v1/matters/{matter}")).await?;
                let shown = serde_json::from_value(report["outcome"].take());
                let number = report["number"].as_u64().unwrap_or_default();
                (matter, number, shown.map_err(|error| unread(&error))?, done.acknowledgement)
            }
            None => record_here(context, wanted, was).await?,
        };
        if context.json {
            out::json(
                &json!({ "matter": matter, "number": number, "outcome": shown, "acknowledgement": said }),
            );
        } else {
            let lines: Vec<String> = shown.iter().flat_map(outcome::lines).collect();
            out::line(&out::clean(&format!("matter {number}: {}", lines.join("\n  "))));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Records an outcome in the house on this machine; gives it as reports show it.
async fn record_here(
    context: &Context,
    wanted: Option<MatterArg>,
    was: &str,
) -> Result<(MatterId, u64, Option<OutcomeReport>, Option<AcknowledgementView>)> {
    let (mut house, _) = context.house.read()?;
    let matter = pick(&mut house, wanted)?;
    let Some(case) = house.case(matter) else { return Ok((matter, 0, None, None)) };
    if case.issue().is_some() {
        let message = format!(
            "matter {} is an issue: nobody voted, so there is no vote to mark; say what came of it with \
             `synod issue mark {} applied` or `irrelevant`",
            case.number, case.number
        );
        return Err(Fail::new(code::USAGE, "track/no-such-answer", message));
    }
    let told = outcome::read(case, was).ok_or_else(|| {
        let (was, known) = (text::excerpt(was, 40), outcome::known(case));
        let message = format!("`{was}` is not an outcome of matter {}; write one of: {known}", case.number);
        Fail::new(code::USAGE, "track/no-such-answer", message)
    })?;
    let engine = context.house.engine("synod outcome", Default::default()).await?;
    let given = give(&engine, Command::RecordOutcome { matter, verdict: told }).await?;
    let said = given.acknowledgement().map(Into::into);
    let outcome =
        engine.read_with([matter], |house| house.case(matter).and_then(|case| Report::of(case).outcome))?;
    engine.end();
    Ok((matter, case.number, outcome, said))
}

impl OutcomeArgs {
    /// Lists all track records: of the service that is named, else of the house on this machine.
    async fn list(&self, context: &Context) -> Result<ExitCode> {
        let (records, known): (Vec<TrackRecord>, bool) =
            match self.service.client(&context.house)?.filter(|_| self.service.is_named()) {
                Some(client) => {
                    let mut answer: Value = client.get("/v1/records").await?;
                    let records =
                        serde_json::from_value(answer["records"].take()).map_err(|error| unread(&error))?;
                    (records, answer["known"] != 0)
                }
                None => {
                    let (house, _) = context.house.read()?;
                    (house.track().records(), house.track().known() > 0)
                }
            };
        tell(context, &records, known);
        Ok(ExitCode::SUCCESS)
    }
}

fn unread(error: &serde_json::Error) -> Fail {
    Fail::new(code::DATA, "service/unread", format!("the answer of the service cannot be read: {error}"))
}

/// The model a seat ran on, else whatever answered for it.
fn ran_on(row: &TrackRecord) -> &str {
    row.model.as_deref().or(row.backend.as_deref()).unwrap_or("-")
}

/// Lists track records. `known`: some outcome is recorded, whether or not it marked a vote.
fn tell(context: &Context, records: &[TrackRecord], known: bool) {
    if context.json {
        return out::json(&records);
    }
    if records.is_empty() && !known {
        out::line("no outcome is recorded yet; record one with: synod outcome MATTER right|wrong|ANSWER");
    } else if records.is_empty() {
        out::line("outcomes are recorded, but no vote could be marked right or wrong");
    }
    let width = |of: &dyn Fn(&TrackRecord) -> usize, least: usize| {
        records.iter().map(of).max().unwrap_or(0).max(least)
    };
    let seat = width(&|row| row.who.as_str().chars().count(), 4);
    let model = width(&|row| ran_on(row).chars().count(), 5);
    if !records.is_empty() {
        out::line(&format!("{:seat$}  {:model$}  right  wrong  right alone  wrong alone", "seat", "model"));
    }
    for row in records {
        let TrackRecord { who, model: _, backend: _, right, wrong, right_alone, wrong_alone } = row;
        let on = ran_on(row);
        let line = format!(
            "{:seat$}  {on:model$}  {right:>5}  {wrong:>5}  {right_alone:>11}  {wrong_alone:>11}",
            who.as_str()
        );
        out::line(&out::clean(&line));
    }
}
