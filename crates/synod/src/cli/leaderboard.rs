//! `synod leaderboard`

use std::process::ExitCode;

use clap::Args;

use super::Context;
use super::work::look;
use crate::client::ServiceArgs;
use crate::fail::Result;
use crate::house::Looked;
use crate::percent::segment;
use crate::wire::{LeaderboardView, ModelRecordPage};
use crate::{credits, out};

/// Show who earned how many credits, ever or in a period.
///
/// Every balance follows from the record: `synod ledger` shows each posting with its reason.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  synod leaderboard\n  synod leaderboard --period \"Chapter 1\"\n  \
              synod leaderboard --model --json")]
pub(crate) struct LeaderboardArgs {
    /// Only this period: a session, a chapter, an act or any other.
    #[arg(long, value_name = "NAME", conflicts_with = "model")]
    period: Option<String>,
    /// A line for each agent with each model that ever answered for it.
    #[arg(long)]
    model: bool,
    #[command(flatten)]
    service: ServiceArgs,
}

impl LeaderboardArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        if self.model {
            return self.by_model(context).await;
        }
        let period = self.period.as_deref();
        let query = period.map(|name| format!("?period={}", segment(name))).unwrap_or_default();
        let route = format!("/v1/leaderboard{query}");
        let here = |house: &Looked, _| credits::leaderboard(house, period);
        let board: LeaderboardView = look(context, &self.service, &route, here).await?;
        match context.json {
            true => out::json(&board),
            false => show(&board),
        }
        Ok(ExitCode::SUCCESS)
    }

    async fn by_model(&self, context: &Context) -> Result<ExitCode> {
        let here = |house: &Looked, _| Ok(credits::by_model(house));
        let page: ModelRecordPage = look(context, &self.service, "/v1/leaderboard/models", here).await?;
        if context.json {
            out::json(&page.records);
            return Ok(ExitCode::SUCCESS);
        }
        for row in page.records {
            let now = if row.active { "" } else { " · not now" };
            out::line(&out::clean(&format!(
                "{}{} with {}: {} · tier {} · trust {} · {}{now}",
                row.who,
                rehearsal(row.rehearsal),
                row.model,
                row.credits,
                row.tier,
                row.trust,
                row.level
            )));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// What stands behind the name of a placeholder.
fn rehearsal(is: bool) -> &'static str {
    if is { " (rehearsal)" } else { "" }
}

fn show(board: &LeaderboardView) {
    if board.entries.is_empty() {
        return out::line("nobody worked on an issue yet");
    }
    for entry in &board.entries {
        let best = entry.highlight.as_ref().map(|best| format!(" · {best}")).unwrap_or_default();
        let streak = if entry.streak > 1 { format!(" · streak {}", entry.streak) } else { String::new() };
        out::line(&out::clean(&format!(
            "{}. {}{} {} · tier {} · {}{streak}{best}",
            entry.rank,
            entry.who,
            rehearsal(entry.rehearsal),
            entry.credits,
            entry.tier,
            entry.level
        )));
    }
    out::line(&format!("team {} · all {}", board.team_credits, board.total));
    if let Some(who) = &board.most_valuable {
        out::line(&out::clean(&format!("most valuable: {who}")));
    }
    if let Some(who) = &board.most_improved {
        out::line(&out::clean(&format!("most improved: {who}")));
    }
}
