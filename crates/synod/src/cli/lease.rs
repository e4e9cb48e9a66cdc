//! `synod lease`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use synod_core::lease::LeasePath;

use super::limits::duration;
use super::work::{WorkArgs, told};
use super::{Context, on_runtime};
use crate::fail::{Fail, Result, code};
use crate::out;
use crate::wire::{AskBody, LeasePage, LeaseView, RenewBody, ReturnBody, TakeBody};

/// Reserve files and folders for a while, so that two agents do not edit the same file.
///
/// A lease covers a file, or a folder with everything in it. It ends by itself. `synod hook` refuses edits of Claude Code
/// under somebody else's lease.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
              synod lease take src/api.rs docs --for 20m --as ann --why \"new error codes\"\n  \
              synod lease list\n  \
              synod lease ask src/api.rs --as bob --why \"the build is red\"\n  \
              synod lease release --as ann")]
pub(crate) struct LeaseArgs {
    #[command(subcommand)]
    command: LeaseSubcommand,
}

#[derive(Debug, Subcommand)]
enum LeaseSubcommand {
    Take(LeaseTakeArgs),
    Renew(LeaseRenewArgs),
    Release(LeaseReleaseArgs),
    List(LeaseListArgs),
    Ask(LeaseAskArgs),
}

/// Take files and folders, all or none. Taking what you hold renews it.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod lease take src/api.rs docs --for 20m --as ann\n\n\
              Exit codes: 0 taken, 64 somebody else holds one of them or the path cannot be leased.")]
pub(crate) struct LeaseTakeArgs {
    /// Files and folders of the project.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// For how long, such as 90s, 10m or 2h; as long as the charter says if left out (10 minutes).
    #[arg(long = "for", value_name = "TIME", value_parser = duration)]
    time: Option<u64>,
    /// What for, in a line.
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
    #[command(flatten)]
    work: WorkArgs,
}

/// Extend your leases: their time starts again now.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod lease renew --for 30m --as ann")]
pub(crate) struct LeaseRenewArgs {
    /// Which; all that you hold if left out.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// For how long, such as 90s, 10m or 2h.
    #[arg(long = "for", value_name = "TIME", value_parser = duration)]
    time: Option<u64>,
    #[command(flatten)]
    work: WorkArgs,
}

/// Give files and folders back. The user, a lead and a moderator may also release what others hold, by naming it.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod lease release src/api.rs --as ann")]
pub(crate) struct LeaseReleaseArgs {
    /// Which; all that you hold if left out.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    work: WorkArgs,
}

/// List what is held, by whom and until when.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  synod lease list\n  synod lease list src --json")]
pub(crate) struct LeaseListArgs {
    /// Only leases that touch this file or folder.
    #[arg(value_name = "PATH")]
    path: Option<PathBuf>,
    #[command(flatten)]
    work: WorkArgs,
}

/// Ask for what somebody else holds. The holder is notified, by `synod hook` in Claude Code.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod lease ask src/api.rs --as bob --why \"the build is red\" --issue")]
pub(crate) struct LeaseAskArgs {
    /// The file or folder that you need.
    #[arg(value_name = "PATH")]
    path: PathBuf,
    /// Why, in a line.
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
    /// Open an issue for it, assigned to the holder.
    #[arg(long)]
    issue: bool,
    #[command(flatten)]
    work: WorkArgs,
}

impl LeaseArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        match self.command {
            LeaseSubcommand::Take(args) => on_runtime(args.run(context)),
            LeaseSubcommand::Renew(args) => on_runtime(args.run(context)),
            LeaseSubcommand::Release(args) => on_runtime(args.run(context)),
            LeaseSubcommand::List(args) => on_runtime(args.run(context)),
            LeaseSubcommand::Ask(args) => on_runtime(args.run(context)),
        }
    }
}

impl LeaseTakeArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        let paths = self.work.paths(context, &self.paths)?;
        let body = TakeBody { paths, for_ms: self.time, why: self.why };
        let done = self.work.give(context, &body).await?;
        let until = done.until.map(|until| until.to_string()).unwrap_or_default();
        let words = format!("taken until {until}: {}", done.paths.join(", "));
        Ok(told(context, &done, &words))
    }
}

impl LeaseRenewArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        let paths = self.work.paths(context, &self.paths)?;
        let done = self.work.give(context, &RenewBody { paths, for_ms: self.time }).await?;
        let until = done.until.map(|until| until.to_string()).unwrap_or_default();
        Ok(told(context, &done, &format!("renewed until {until}: {}", done.paths.join(", "))))
    }
}

impl LeaseReleaseArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        let paths = self.work.paths(context, &self.paths)?;
        let done = self.work.give(context, &ReturnBody { paths }).await?;
        Ok(told(context, &done, &format!("released: {}", done.paths.join(", "))))
    }
}

impl LeaseListArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        let named: Vec<PathBuf> = self.path.iter().cloned().collect();
        let path = self.work.paths(context, &named)?.into_iter().next();
        let path = path.map(|path| LeasePath::parse(&path)).transpose();
        let path = path.map_err(|wrong| Fail::new(code::USAGE, wrong.code(), wrong.to_string()))?;
        let look = |house: &crate::house::Looked, at| Ok(LeasePage::of(house, at));
        let mut page: LeasePage = self.work.look(context, "/v1/leases", look).await?;
        if let Some(path) = &path {
            page.leases.retain(|lease| lease.touches(path));
        }
        if context.json {
            out::json(&page.leases);
            return Ok(ExitCode::SUCCESS);
        }
        if page.leases.is_empty() {
            out::line("nothing is leased; `synod lease take PATH` takes a file or folder");
        }
        for lease in &page.leases {
            out::text(&out::clean(&line(lease)));
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn line(lease: &LeaseView) -> String {
    let why = lease.why.as_deref().map(|why| format!(" · {why}")).unwrap_or_default();
    let mut lines = format!("{} · {} until {}{why}\n", lease.path, lease.who, lease.until);
    for asked in &lease.asked {
        let why = asked.why.as_deref().map(|why| format!(": {why}")).unwrap_or_default();
        let issue = asked.issue.map(|number| format!(" (issue #{number})")).unwrap_or_default();
        lines.push_str(&format!("  {} asks for it{why}{issue}\n", asked.by));
    }
    lines
}

impl LeaseAskArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        let paths = self.work.paths(context, std::slice::from_ref(&self.path))?;
        let path = paths.into_iter().next().unwrap_or_default();
        let body = AskBody { path: path.clone(), why: self.why, issue: self.issue };
        let done = self.work.give(context, &body).await?;
        let holder = done.holder.clone().unwrap_or_default();
        let held = done.paths.first().cloned().unwrap_or_default();
        let mut words = format!("{holder} is notified that you need {held}");
        if let Some(number) = done.issue {
            words.push_str(&format!("; issue #{number} is open"));
        }
        // Rings are opened by the person who runs the house.
        if let Some(who) = self.work.who()? {
            words.push_str(&format!(
                "\nto have it decided together, the user types: synod ring open \"Who works on {held}?\" --invite '{holder}' --invite '{who}'"
            ));
        }
        Ok(told(context, &done, &words))
    }
}
