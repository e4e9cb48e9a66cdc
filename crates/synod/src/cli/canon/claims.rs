//! `synod canon claims`: what an entry claims, and what others propose that it claims.

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::canon::EntryName;

use super::{told, versions};
use crate::cli::Context;
use crate::cli::work::WorkArgs;
use crate::fail::{Fail, Result};
use crate::out;
use crate::wire::{ClaimBody, ClaimsBody, ClaimsDecisionBody, ProposedPage};

/// Show what an entry claims and what was proposed for it; propose claims, and accept or refuse them.
///
/// Claims are read from the text by rules. You or a model can propose claims that the rules miss. Proposed claims count once the
/// user or a lead accepts them.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
              synod canon claims eyes\n  \
              synod canon claims eyes --claim 'Mara; sister; Greta'\n  \
              synod canon claims eyes --ask openai:gpt-4.1\n  \
              synod canon claims eyes --accept 12")]
pub(crate) struct CanonClaimsArgs {
    /// The entry.
    #[arg(value_name = "NAME", value_parser = |written: &str| EntryName::parse(written).map_err(|wrong| wrong.to_string()))]
    name: EntryName,
    /// Propose a claim: subject, attribute and value, with `;` between them (repeatable). `not VALUE` denies it.
    #[arg(long = "claim", value_name = "SUBJECT; ATTRIBUTE; VALUE")]
    claims: Vec<String>,
    /// Ask a model to propose claims: a seat, such as openai:gpt-4.1 or ollama:llama3. Nothing counts until somebody accepts it.
    #[arg(long, value_name = "SEAT", conflicts_with_all = ["claims", "accept", "refuse"])]
    ask: Option<String>,
    /// Accept the proposal of this id.
    #[arg(long, value_name = "ID", conflicts_with_all = ["claims", "refuse"])]
    accept: Option<String>,
    /// Refuse the proposal of this id.
    #[arg(long, value_name = "ID", conflicts_with = "claims")]
    refuse: Option<String>,
    /// Why, in a line.
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
    #[command(flatten)]
    work: WorkArgs,
}

impl CanonClaimsArgs {
    pub(super) async fn run(self, context: &Context) -> Result<ExitCode> {
        if let Some((id, accepted)) =
            self.accept.as_ref().map(|id| (id, true)).or(self.refuse.as_ref().map(|id| (id, false)))
        {
            let wrong = |_| {
                Fail::usage(format!(
                    "`{id}` is not the id of a proposal: write it like 12, as `synod canon claims NAME` lists it"
                ))
            };
            let proposal = id.parse().map_err(wrong)?;
            let body = ClaimsDecisionBody { proposal, accepted, why: self.why.clone() };
            let done = self.work.give(context, &body).await?;
            let words = if accepted { "accepted: the claims count now" } else { "refused" };
            return Ok(told(context, &done, words));
        }
        if let Some(seat) = &self.ask {
            let latest = versions(context, &self.work, &self.name).await?.pop();
            let text = latest.map(|entry| entry.text).unwrap_or_default();
            let (claims, model) = super::ask::asked(context, seat, &text).await?;
            if claims.is_empty() {
                out::line(&out::clean(&format!("{model} found no claims besides those that the rules read")));
                return Ok(ExitCode::SUCCESS);
            }
            return self.propose(context, claims, Some(model)).await;
        }
        if !self.claims.is_empty() {
            let claims = self.claims.iter().map(|written| claim(written)).collect::<Result<_>>()?;
            return self.propose(context, claims, None).await;
        }
        self.list(context).await
    }

    async fn propose(
        &self,
        context: &Context,
        claims: Vec<ClaimBody>,
        model: Option<String>,
    ) -> Result<ExitCode> {
        let mut words: Vec<String> = claims.iter().map(in_words).collect();
        let body = ClaimsBody { entry: self.name.to_string(), claims, model };
        let done = self.work.give(context, &body).await?;
        // As the list writes it: the first event of an act has the number of the act.
        let id = done.proposal.clone().unwrap_or_default();
        let id = id.strip_suffix(".0").unwrap_or(&id);
        words.insert(0, format!("proposed as {id}:"));
        words.push(format!(
            "to accept: synod canon claims {} --accept {id}{}",
            self.name,
            context.house.flag()
        ));
        Ok(told(context, &done, &words.join("\n  ")))
    }

    async fn list(&self, context: &Context) -> Result<ExitCode> {
        let latest = versions(context, &self.work, &self.name).await?.pop();
        let claims = latest.map(|entry| entry.claims).unwrap_or_default();
        let name = self.name.clone();
        let look = |house: &crate::house::Looked, _| Ok(ProposedPage::of(house, &name));
        let route = format!("/v1/canon/{}/claims", crate::percent::encode(self.name.as_str()));
        let page: ProposedPage = self.work.look(context, &route, look).await?;
        if context.json {
            out::json(&json!({ "claims": claims, "proposed": page.proposed }));
            return Ok(ExitCode::SUCCESS);
        }
        if claims.is_empty() {
            out::line("no claims were read from this entry; propose some with --claim or --ask");
        }
        for claim in &claims {
            out::line(&out::clean(claim));
        }
        for proposed in &page.proposed {
            let claims = proposed.claims.join("; ");
            let line = format!("{} {} by {}: {claims}", proposed.id, proposed.status, proposed.source);
            out::line(&out::clean(&line));
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn in_words(claim: &ClaimBody) -> String {
    let not = if claim.denied { "not " } else { "" };
    format!("{} {}: {not}{}", claim.subject, claim.attribute, claim.value)
}

/// Reads `Mara; sister; Greta`.
pub(super) fn claim(written: &str) -> Result<ClaimBody> {
    let wrong = || {
        Fail::usage(format!(
            "`{written}` is not a claim: write SUBJECT; ATTRIBUTE; VALUE, such as 'Mara; eyes; green'"
        ))
    };
    let parts: Vec<&str> = written.split(';').map(str::trim).collect();
    let [subject, attribute, value] = parts[..] else { return Err(wrong()) };
    let (denied, value) = value.strip_prefix("not ").map_or((false, value), |value| (true, value.trim()));
    if subject.is_empty() || value.is_empty() {
        return Err(wrong());
    }
    let text = |part: &str| part.to_string();
    Ok(ClaimBody {
        subject: text(subject),
        attribute: text(attribute),
        value: text(value),
        denied,
        said: String::new(),
    })
}
