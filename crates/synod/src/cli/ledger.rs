//! `synod ledger`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::house::Reader;
use synod_core::kernel::{At, Id, Who};
use synod_core::ledger::TERMS;
use synod_core::{Event, ledger};
use synod_journal::{Head, chain};

use super::Context;
use crate::client::ServiceArgs;
use crate::fail::Result;
use crate::house::Looked;
use crate::percent::segment;
use crate::wire::{AttemptPage, AttemptView, LedgerEntry, LedgerPage, PostingView, TeamPostingView};
use crate::{credits, out};

/// Show the credits of agents: every posting with its reason, its issue and its proof.
///
/// Postings are read from the record; a balance is their sum.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod ledger critic\n  synod ledger --attempts\n  synod ledger --reasons"
)]
pub(crate) struct LedgerArgs {
    /// Only this agent.
    #[arg(value_name = "AGENT", value_parser = Who::parse)]
    agent: Option<Who>,
    /// Show refused attempts to move credit instead.
    #[arg(long, conflicts_with = "reasons")]
    attempts: bool,
    /// List the reasons there are, who verifies each, and what it is worth.
    #[arg(long)]
    reasons: bool,
    #[command(flatten)]
    service: ServiceArgs,
}

impl LedgerArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        if self.reasons {
            reasons(context);
        } else if self.attempts {
            show_attempts(context, &self.attempted(context).await?);
        } else {
            show(context, &self.posted(context).await?);
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Where to ask a service for the entries after an act.
    fn route(&self, of: &str, after: u64) -> String {
        let agent = self.agent.as_ref().map(|who| format!("&agent={}", segment(who.as_str())));
        format!("/v1/{of}?after={after}{}", agent.unwrap_or_default())
    }

    async fn posted(&self, context: &Context) -> Result<LedgerPage> {
        let Some(client) = self.service.named()? else {
            let house = self.known(context)?;
            let who = self.agent.as_ref();
            let entries = recorded(context, |id, at, event| LedgerEntry::of(&house, who, (id, at, event)))?;
            return Ok(LedgerPage::of(entries, credits::standings(&house, who), None));
        };
        let mut whole: LedgerPage = client.get(&self.route("ledger", 0)).await?;
        while let Some(after) = whole.next {
            let page: LedgerPage = client.get(&self.route("ledger", after)).await?;
            whole.postings.extend(page.postings);
            whole.team.extend(page.team);
            whole.next = page.next;
        }
        Ok(whole)
    }

    async fn attempted(&self, context: &Context) -> Result<Vec<AttemptView>> {
        let Some(client) = self.service.named()? else {
            self.known(context)?;
            let who = self.agent.as_ref();
            return recorded(context, |id, at, event| credits::attempt(who, (id, at, event)));
        };
        let mut whole: AttemptPage = client.get(&self.route("ledger/attempts", 0)).await?;
        while let Some(after) = whole.next {
            let page: AttemptPage = client.get(&self.route("ledger/attempts", after)).await?;
            whole.attempts.extend(page.attempts);
            whole.next = page.next;
        }
        Ok(whole.attempts)
    }

    /// The house here, if it knows the agent.
    fn known(&self, context: &Context) -> Result<Looked> {
        let (house, _) = context.house.look()?;
        self.agent.as_ref().map_or(Ok(()), |who| credits::check_known(&house, Reader::Operator, who))?;
        Ok(house)
    }
}

/// Picks entries of the ledger from the whole journal, which is checked on the way.
fn recorded<T>(
    context: &Context,
    mut pick: impl FnMut(Id, At, &ledger::Event) -> Option<T>,
) -> Result<Vec<T>> {
    let mut found = Vec::new();
    chain::walk(&context.house.reader()?, Head::default(), |act, _| {
        for (nth, event) in act.events().iter().enumerate() {
            if let Event::Ledger(event) = event {
                found.extend(pick(Id { act: act.seq, nth: nth as u16 }, act.at, event));
            }
        }
        Ok::<(), synod_engine::Fault>(())
    })?;
    Ok(found)
}

fn show(context: &Context, page: &LedgerPage) {
    if context.json {
        return out::json(&json!({ "postings": page.postings, "team": page.team, "agents": page.agents }));
    }
    for posting in &page.postings {
        out::line(&out::clean(&line(posting)));
    }
    for posting in &page.team {
        out::line(&out::clean(&team_line(posting)));
    }
    for agent in &page.agents {
        let rehearsal = if agent.rehearsal { " (rehearsal)" } else { "" };
        out::line(&out::clean(&format!("{}{rehearsal}: {} credits", agent.who, agent.credits)));
    }
    if !page.team.is_empty() {
        let sum: i64 = page.team.iter().map(|posting| posting.amount).sum();
        out::line(&format!("the team: {sum} credits"));
    }
}

fn line(posting: &PostingView) -> String {
    let issue = posting.issue.map(|number| format!(" · #{number}")).unwrap_or_default();
    let cited = posting.proof.as_ref().zip(posting.outcome.as_ref());
    let proof = cited.map(|(proof, outcome)| {
        let over = if posting.over_limit { ", over the limit" } else { "" };
        format!(" · {proof} {outcome}{over}")
    });
    format!(
        "{} · {} · {} {:+} · {}{issue}{} · by {}",
        posting.id,
        posting.at,
        posting.who,
        posting.amount,
        posting.reason,
        proof.unwrap_or_default(),
        posting.by
    )
}

fn team_line(posting: &TeamPostingView) -> String {
    let TeamPostingView { id, at, amount, reason, cause, issue } = posting;
    let issue = issue.map(|number| format!(" · #{number}")).unwrap_or_default();
    let cause = cause.as_ref().map(|who| format!(" · because of {who}")).unwrap_or_default();
    format!("{id} · {at} · the team {amount:+} · {reason}{issue}{cause}")
}

fn show_attempts(context: &Context, attempts: &[AttemptView]) {
    if context.json {
        return out::json(&attempts);
    }
    for attempt in attempts {
        let AttemptView { id, at, by, reason, to, flaw } = attempt;
        out::line(&out::clean(&format!("{id} · {at} · {by} tried `{reason}` for `{to}`: {flaw}")));
    }
}

fn reasons(context: &Context) {
    if context.json {
        let row = |terms: &ledger::AwardTerms| {
            json!({ "reason": terms.word, "verifier": terms.verifier.word(), "least": terms.range.least,
                    "most": terms.range.most, "once": terms.once })
        };
        return out::json(&TERMS.iter().map(row).collect::<Vec<_>>());
    }
    for terms in &TERMS {
        let worth = match (terms.reason.is_of_citations(), terms.range.least == terms.range.most) {
            (true, _) => "priced from a checked citation".to_string(),
            (false, true) => format!("{:+}", terms.range.least),
            (false, false) => format!("{:+} to {:+}", terms.range.least, terms.range.most),
        };
        out::line(&format!("{} · {} · {worth}", terms.word, terms.verifier.word()));
    }
}
