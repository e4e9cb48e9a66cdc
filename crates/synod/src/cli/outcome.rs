//! `synod outcome`

use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};
use synod_core::Command;
use synod_core::kernel::{MatterId, text};
use synod_core::track::Record;
use synod_core::view::{Outcome as Known, Report};

use super::Context;
use crate::client::ServiceArgs;
use crate::fail::{Fail, Result, code};
use crate::house::{give, pick};
use crate::wire::Done;
use crate::{out, outcome};

/// Say what turned out to be true of a matter, or list who was right so far.
///
/// Each vote of the matter is marked as right or wrong. From the marks every seat, with the model it ran on, gets a track record;
/// charters may weigh votes by it (`weights = "reliability"`, see docs/voting.md). Saying it again corrects it; the record
/// keeps both. Without a matter the records are listed.
#[derive(Debug, Args)]
pub(crate) struct Outcome {
    /// The matter.
    #[arg(requires = "was")]
    matter: Option<MatterId>,
    /// What was true: `right` or `wrong` of the decision, `yes`, `no`, or an option or a proposal by its letter.
    was: Option<String>,
    #[command(flatten)]
    service: ServiceArgs,
}

impl Outcome {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let (Some(matter), Some(was)) = (self.matter, &self.was) else { return self.list(context).await };
        let shown: Option<Known> = match self.service.client(&context.house)? {
            Some(client) => {
                let _: Done =
                    client.post(&format!("/v1/matters/{matter}/outcome"), &json!({ "was": was })).await?;
                let mut shown: Value = client.get(&format!("/v1/matters/{matter}")).await?;
                let shown = shown["outcome"].take();
                serde_json::from_value(shown).map_err(|error| unread(&error))?
            }
            None => here(context, matter, was).await?,
        };
        if context.json {
            out::json(&json!({ "matter": matter, "outcome": shown }));
        } else {
            let lines: Vec<String> = shown.iter().flat_map(outcome::lines).collect();
            out::line(&out::clean(&format!("matter {matter}: {}", lines.join("\n  "))));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Tells the house here; gives the outcome as reports show it.
async fn here(context: &Context, matter: MatterId, was: &str) -> Result<Option<Known>> {
    let (house, _) = context.house.read()?;
    let matter = pick(&house, Some(matter))?;
    let Some(case) = house.case(matter) else { return Ok(None) };
    let told = outcome::read(case, was).ok_or_else(|| {
        let (was, known) = (text::excerpt(was, 40), outcome::known(case));
        let message = format!("`{was}` is no outcome of matter {matter}; say one of: {known}");
        Fail::new(code::USAGE, "track/no-such-answer", message)
    })?;
    let engine = context.house.engine("synod outcome", Default::default()).await?;
    give(&engine, Command::Learn { matter, told }).await?;
    let outcome = engine.read(|house| house.case(matter).and_then(|case| Report::of(case).outcome));
    engine.end();
    Ok(outcome)
}

impl Outcome {
    /// The records of everybody: of the service that is named, else of the house here.
    async fn list(&self, context: &Context) -> Result<ExitCode> {
        let (records, known): (Vec<Record>, bool) =
            match self.service.client(&context.house)?.filter(|_| self.service.is_named()) {
                Some(client) => {
                    let mut told: Value = client.get("/v1/records").await?;
                    let records =
                        serde_json::from_value(told["records"].take()).map_err(|error| unread(&error))?;
                    (records, told["known"] != 0)
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
    Fail::new(code::DATA, "service/unread", format!("what the service tells cannot be read: {error}"))
}

/// The model a seat ran on, else whatever answered for it.
fn ran_on(row: &Record) -> &str {
    row.model.as_deref().or(row.mind.as_deref()).unwrap_or("-")
}

/// Lists records. `known`: outcomes are, whether or not anybody is marked.
fn tell(context: &Context, records: &[Record], known: bool) {
    if context.json {
        return out::json(&records);
    }
    if records.is_empty() && !known {
        out::line("nothing is known yet; say what was true with: synod outcome MATTER right|wrong|ANSWER");
    } else if records.is_empty() {
        out::line("outcomes are known, and no vote could be marked by them");
    }
    let width =
        |of: &dyn Fn(&Record) -> usize, least: usize| records.iter().map(of).max().unwrap_or(0).max(least);
    let seat = width(&|row| row.who.as_str().chars().count(), 4);
    let model = width(&|row| ran_on(row).chars().count(), 5);
    if !records.is_empty() {
        out::line(&format!("{:seat$}  {:model$}  right  wrong  right alone  wrong alone", "seat", "model"));
    }
    for row in records {
        let Record { who, model: _, mind: _, right, wrong, right_alone, wrong_alone } = row;
        let on = ran_on(row);
        let line = format!(
            "{:seat$}  {on:model$}  {right:>5}  {wrong:>5}  {right_alone:>11}  {wrong_alone:>11}",
            who.as_str()
        );
        out::line(&out::clean(&line));
    }
}
