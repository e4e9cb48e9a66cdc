//! `synod matter answer` and `synod matter waive`

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::house::Became;
use synod_core::kernel::{Id, MatterId};
use synod_core::view::{Report, RequestRow};
use synod_core::{Command, House};
use synod_engine::Engine;

use super::{Context, served};
use crate::client::ServiceArgs;
use crate::fail::{Fail, Result, code};
use crate::house::{ahead, give, pick, read_text};
use crate::run::next_line;
use crate::{out, render};

/// Answer something a participant asked for. The council reads it in the next round, also where the matter runs in
/// another terminal.
#[derive(Debug, Args)]
pub(crate) struct Answer {
    /// The matter.
    matter: MatterId,
    /// The request, such as 57.2.
    request: Id,
    /// The answer; or give a file with --file.
    text: Option<String>,
    /// A text file that holds the answer.
    #[arg(long, value_name = "FILE", conflicts_with = "text")]
    file: Option<PathBuf>,
    #[command(flatten)]
    service: ServiceArgs,
}

/// Let the council go on without something a participant asked for, also where the matter runs in another terminal.
#[derive(Debug, Args)]
pub(crate) struct Waive {
    /// The matter.
    matter: MatterId,
    /// The request, such as 57.2; or give --all.
    request: Option<Id>,
    /// Waive every request that is open, required or not.
    #[arg(long, conflicts_with = "request")]
    all: bool,
    #[command(flatten)]
    service: ServiceArgs,
}

impl Answer {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let text = match (&self.text, &self.file) {
            (Some(text), _) => text.clone(),
            (None, Some(file)) => read_text(file, "answer")?,
            (None, None) => {
                let message = "the answer is missing: give it as TEXT, or name a file with --file FILE";
                return Err(Fail::usage(message));
            }
        };
        if let Some(client) = self.service.named()? {
            let verb = format!("requests/{}/answer", self.request);
            return served::order(context, &client, Some(self.matter), &verb, &json!({ "text": text })).await;
        }
        let (house, _) = context.house.read()?;
        let matter = pick(&house, Some(self.matter))?;
        let command = Command::Supply { matter, request: self.request, text };
        ahead(&house, &command)?;
        let engine = context.house.engine("synod matter answer", Default::default()).await?;
        give(&engine, command).await?;
        told(context, engine, matter, &[self.request], "answered")
    }
}

impl Waive {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let (house, _) = context.house.read()?;
        let matter = pick(&house, Some(self.matter))?;
        let requests = match (self.request, self.all) {
            (Some(request), _) => vec![request],
            (None, true) => open(&house, matter)?,
            (None, false) => {
                let message = "which request? give its id, or --all for every one that is open";
                return Err(Fail::usage(message));
            }
        };
        if let Some(client) = self.service.named()? {
            for request in &requests {
                let verb = format!("requests/{request}/waive");
                served::order(context, &client, Some(matter), &verb, &json!({})).await?;
            }
            return Ok(ExitCode::SUCCESS);
        }
        for request in &requests {
            ahead(&house, &Command::Waive { matter, request: *request })?;
        }
        let engine = context.house.engine("synod matter waive", Default::default()).await?;
        for request in &requests {
            give(&engine, Command::Waive { matter, request: *request }).await?;
        }
        told(context, engine, matter, &requests, "waived")
    }
}

/// The requests of a matter that are open; none is an error here, since there is nothing to do.
fn open(house: &House, matter: MatterId) -> Result<Vec<Id>> {
    let requests = house.case(matter).map(|case| &case.dossier.requests);
    let rows = requests.into_iter().flatten();
    let open: Vec<Id> = rows.filter(|(_, row)| row.became == Became::Open).map(|(id, _)| *id).collect();
    if open.is_empty() {
        let message =
            format!("no request of matter {matter} is open; `synod matter show` lists those there were");
        return Err(Fail::new(code::USAGE, "context/none-open", message));
    }
    Ok(open)
}

/// Says what is still open and what to type next.
fn told(context: &Context, engine: Engine, matter: MatterId, done: &[Id], became: &str) -> Result<ExitCode> {
    let report = engine.read(|house| house.case(matter).map(Report::of));
    engine.end();
    let Some(report) = report else { return Ok(ExitCode::SUCCESS) };
    let open: Vec<&RequestRow> = report.requests.iter().filter(|row| row.became == "open").collect();
    // One that runs needs nothing to be typed.
    let next = (report.status != "running").then(|| next_line(&context.house, &report));
    if context.json {
        out::json(&json!({
            "matter": matter, "requests": done, "became": became, "status": report.status,
            "pending": open, "next": next,
        }));
        return Ok(ExitCode::SUCCESS);
    }
    let ids: Vec<String> = done.iter().map(ToString::to_string).collect();
    out::line(&format!("{} {became}", ids.join(", ")));
    let mut pending = String::new();
    open.iter().for_each(|row| render::steer::request(&mut pending, row, true));
    if !pending.is_empty() {
        let _ = write!(pending, "answer with: synod matter answer {matter} ID TEXT{}", context.house.flag());
        let _ = writeln!(pending, ", or: synod matter waive {matter} ID{}", context.house.flag());
        out::text(&out::clean(&format!("still open:\n{pending}")));
    }
    let Some(next) = next else {
        out::line(&format!("matter {matter} is running, and reads it in the next round"));
        return Ok(ExitCode::SUCCESS);
    };
    let required = open.iter().any(|row| row.required);
    let when = if required { "when nothing required is open, go on" } else { "go on" };
    out::line(&format!("{when} with: {next}"));
    Ok(ExitCode::SUCCESS)
}
