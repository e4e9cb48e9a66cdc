//! `synod period`

use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde_json::json;
use synod_core::House;
use synod_core::charter::ReportTiming;
use synod_core::kernel::text::fold;

use super::issue::{AuthorArg, told};
use super::work::look;
use super::{Context, on_runtime};
use crate::client::ServiceArgs;
use crate::fail::{Fail, Result, code};
use crate::house::Looked;
use crate::percent::segment;
use crate::wire::{PeriodBody, PeriodPage, ReportView, WorkshopAction};
use crate::{out, render};

/// Open and close named stretches of work, such as a session or a chapter.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod period open \"Chapter 1\"\n  synod period close \"Chapter 1\"")]
pub(crate) struct PeriodArgs {
    #[command(subcommand)]
    command: PeriodCommand,
}

#[derive(Debug, Subcommand)]
enum PeriodCommand {
    Open(PeriodOpenArgs),
    Close(PeriodCloseArgs),
    Show(PeriodShowArgs),
    List(PeriodListArgs),
}

/// Begin a period.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod period open \"Chapter 1\"")]
pub(crate) struct PeriodOpenArgs {
    /// What it is called.
    name: String,
    #[command(flatten)]
    author: AuthorArg,
}

/// End a period and show what happened in it.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod period close \"Chapter 1\"")]
pub(crate) struct PeriodCloseArgs {
    /// What it is called.
    name: String,
    #[command(flatten)]
    author: AuthorArg,
}

/// Show what a period taught: what went right and wrong, circled topics, agents, credits.
///
/// A period that is still open is shown as it stands.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod period show \"Chapter 1\"")]
pub(crate) struct PeriodShowArgs {
    /// What it is called.
    name: String,
    #[command(flatten)]
    service: ServiceArgs,
}

/// List periods, oldest first.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod period list --json")]
pub(crate) struct PeriodListArgs {
    #[command(flatten)]
    service: ServiceArgs,
}

impl PeriodArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        match self.command {
            PeriodCommand::Open(args) => on_runtime(args.run(context)),
            PeriodCommand::Close(args) => on_runtime(args.run(context)),
            PeriodCommand::Show(args) => on_runtime(args.run(context)),
            PeriodCommand::List(args) => on_runtime(args.run(context)),
        }
    }
}

impl PeriodOpenArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        let name = self.name.clone();
        let act = self.author.act(context, &WorkshopAction::OpenPeriod(PeriodBody { name })).await?;
        let report = self.author.report(context, ReportTiming::at_start, None).await?;
        let fields = json!({ "period": self.name, "report": report });
        let exit = told(context, &act, &format!("{} began", self.name), fields);
        show_report(context, "The workshop, and its agents since the house began", report.as_ref());
        Ok(exit)
    }
}

impl PeriodCloseArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        let name = self.name.clone();
        let act = self.author.act(context, &WorkshopAction::ClosePeriod(PeriodBody { name })).await?;
        let here = |house: &Looked, _| Ok(PeriodPage::of(house));
        let PeriodPage { periods } = self.author.look(context, "/v1/periods", here).await?;
        // The act closed the period that ended last under this name, however it was spelled.
        let ended = periods.into_iter().rev().find(|period| period.closed == Some(act.at));
        let report = self.author.report(context, ReportTiming::at_end, Some(&self.name)).await?;
        let fields = json!({ "period": self.name, "taught": ended, "report": report });
        let name = ended.as_ref().map_or(self.name.as_str(), |period| &period.name);
        let exit = told(context, &act, &format!("{name} ended"), fields);
        if let Some(ended) = ended.as_ref().filter(|_| !context.json) {
            out::text(&out::clean(&format!("\n{}", render::reflection::text(ended))));
        }
        show_report(context, &format!("The workshop, and its agents since {name} began"), report.as_ref());
        Ok(exit)
    }
}

impl AuthorArg {
    /// The report on the workshop, if the charter of this house wants one at this moment; of agents, since a period began.
    async fn report(
        &self,
        context: &Context,
        wanted: fn(ReportTiming) -> bool,
        period: Option<&str>,
    ) -> Result<Option<ReportView>> {
        let timing = |house: &House| {
            let adopted = house.docket().charter().and_then(|digest| house.charter(&digest))?;
            adopted.rules.workshop().map(|rules| rules.reports)
        };
        // A house elsewhere says nothing of its charter: its report is asked for.
        let Ok((house, _)) = context.house.read() else { return Ok(None) };
        if !timing(&house).is_some_and(wanted) {
            return Ok(None);
        }
        let here = |house: &Looked, at| crate::credits::report(house, at, period);
        let query = period.map(|name| format!("?period={}", segment(name))).unwrap_or_default();
        self.look(context, &format!("/v1/workshop/report{query}"), here).await.map(Some)
    }
}

/// `of`: what it counts, since a report on a period stands below what that period taught.
fn show_report(context: &Context, of: &str, report: Option<&ReportView>) {
    if let Some(report) = report.filter(|_| !context.json) {
        out::text(&out::clean(&format!("\n{of}\n\n{}", render::health::text(report))));
    }
}

impl PeriodShowArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        let here = |house: &Looked, _| Ok(PeriodPage::of(house));
        let PeriodPage { periods } = look(context, &self.service, "/v1/periods", here).await?;
        let wanted = fold(&self.name);
        let found = periods.into_iter().rev().find(|period| fold(&period.name) == wanted);
        let period = found.ok_or_else(|| {
            let message =
                format!("there is no period `{}`; `synod period list` shows all of them", self.name);
            Fail::new(code::NO_INPUT, "period/unknown", message)
        })?;
        match context.json {
            true => out::json(&period),
            false => out::text(&out::clean(&render::reflection::text(&period))),
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl PeriodListArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        let here = |house: &Looked, _| Ok(PeriodPage::of(house));
        let PeriodPage { periods } = look(context, &self.service, "/v1/periods", here).await?;
        if context.json {
            out::json(&periods);
            return Ok(ExitCode::SUCCESS);
        }
        for period in periods {
            let closed = period.closed.map_or("open".into(), |at| format!("until {at}"));
            out::line(&out::clean(&format!("{} · {} · {closed}", period.name, period.opened)));
        }
        Ok(ExitCode::SUCCESS)
    }
}
