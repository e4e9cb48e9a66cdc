//! `synod health`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use synod_core::roster::HealthMode;

use super::Context;
use super::work::look;
use crate::client::ServiceArgs;
use crate::fail::{Result, code};
use crate::house::Looked;
use crate::percent::segment;
use crate::render::health::ReportedHouse;
use crate::wire::{PreflightView, ReportView};
use crate::{credits, out, render};

/// Check whether agents may run by themselves here, or report how they are doing.
///
/// Lists everything that is missing, with the command that fixes it.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(after_help = "Examples:\n  synod health --mode team\n  synod health report --html health.html\n\n\
              Exit codes: 0 ready, 1 something is missing.")]
pub(crate) struct HealthArgs {
    /// How agents work: `editor` beside a person, or `team`, which needs exactly one assistant.
    #[arg(long, value_name = "MODE", default_value = "editor", value_parser = |given: &str| super::issue::word(&HealthMode::WORDS, given))]
    mode: HealthMode,
    #[command(flatten)]
    service: ServiceArgs,
    #[command(subcommand)]
    command: Option<HealthCommand>,
}

#[derive(Debug, Subcommand)]
enum HealthCommand {
    Report(HealthReportArgs),
}

/// Report what is frozen, what is stuck, who is reliable, and what to do next.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod health report\n  synod health report --period \"Chapter 1\" --html health.html"
)]
pub(crate) struct HealthReportArgs {
    /// Count what agents did since this period began.
    #[arg(long, value_name = "NAME")]
    period: Option<String>,
    /// Write the report as one page with plots to this file.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    service: ServiceArgs,
}

impl HealthReportArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        let period = self.period.as_deref();
        let query = period.map(|name| format!("?period={}", segment(name))).unwrap_or_default();
        let route = format!("/v1/workshop/report{query}");
        let here = |house: &Looked, at| credits::report(house, at, period);
        let report: ReportView = look(context, &self.service, &route, here).await?;
        if let Some(path) = &self.html {
            let here = !self.service.is_named();
            let named = std::path::absolute(context.house.dir()).ok().filter(|_| here);
            let house =
                named.as_deref().and_then(|dir| dir.parent()?.file_name()).map(|name| name.to_string_lossy());
            let of = ReportedHouse { at: synod_engine::now(), house: house.as_deref(), period };
            out::new_file(path, &render::health::html(&report, &of))?;
        }
        match (context.json, &self.html) {
            (true, _) => out::json(&report),
            (false, Some(path)) => out::line(&out::clean(&format!("written to {}", path.display()))),
            (false, None) => out::text(&out::clean(&render::health::text(&report))),
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl HealthArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        if let Some(HealthCommand::Report(report)) = self.command {
            return report.run(context).await;
        }
        let route = format!("/v1/workshop/health?mode={}", self.mode.word());
        let here = |house: &Looked, _| Ok(PreflightView::from(&house.health(self.mode)));
        let health: PreflightView = look(context, &self.service, &route, here).await?;
        if context.json {
            out::json(&health);
        } else if health.ok {
            out::line(&format!("ready for {} mode", self.mode.word()));
        }
        for flaw in health.flaws.iter().filter(|_| !context.json) {
            out::line(&out::clean(&format!("{}: {}\n  fix: {}", flaw.code, flaw.message, flaw.fix)));
        }
        Ok(if health.ok { ExitCode::SUCCESS } else { ExitCode::from(code::REJECTED) })
    }
}
