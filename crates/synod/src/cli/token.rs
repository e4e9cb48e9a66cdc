//! `synod token`

use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use synod_core::kernel::{At, Who};
use synod_core::roster;
use synod_engine::now;

use super::Context;
use super::limits::duration;
use crate::fail::{Fail, Result, code};
use crate::out;
use crate::tokens::{self, Holds, StoredToken, TokenFile};

/// Create, list and revoke tokens for the service of this house.
///
/// A participant's token can only speak, vote and act for that participant in this house. The service requires a token
/// with every request; your own commands in the house find the owner's by themselves.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  synod token create ann --expires 30d\n  synod token revoke ann")]
pub(crate) struct TokenArgs {
    #[command(subcommand)]
    command: TokenCommand,
}

#[derive(Debug, Subcommand)]
enum TokenCommand {
    /// Create a token and show it once; the house keeps only its hash.
    #[command(
        after_help = "Examples:\n  synod token create ann --expires 30d\n  synod token create me --operator"
    )]
    Create {
        /// The participant it acts for; with --operator, a label for yourself.
        name: String,
        /// Create an operator's token: it can open, steer and see all matters.
        #[arg(long)]
        operator: bool,
        /// Lifetime, such as 30d, 12h or 90m; unlimited if left out.
        #[arg(long, value_name = "TIME", value_parser = lifetime)]
        expires: Option<u64>,
    },
    /// List the tokens of this house, without their secrets.
    #[command(after_help = "Example:\n  synod token list")]
    List,
    /// Revoke one token by id, or all tokens of a name. A running service rejects them at once.
    #[command(after_help = "Example:\n  synod token revoke ann")]
    Revoke {
        /// An id from `synod token list`, or a name.
        token: String,
    },
}

impl TokenArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        context.house.check()?;
        match self.command {
            TokenCommand::Create { name, operator, expires } => create(context, &name, operator, expires),
            TokenCommand::List => list(context),
            TokenCommand::Revoke { token } => revoke(context, &token),
        }
    }
}

fn create(context: &Context, name: &str, operator: bool, expires: Option<u64>) -> Result<ExitCode> {
    // Labels follow the rules for names: they appear in lists and logs.
    let who = Who::parse(name).map_err(Fail::usage)?;
    let reserved = roster::reserved(who.as_str()).or(roster::stands_for_other(who.as_str()));
    if let Some(reserved) = reserved.filter(|_| !operator) {
        let refused = roster::Refusal::ReservedName { name: who.to_string(), reserved };
        return Err(Fail::new(code::USAGE, refused.code(), refused.to_string())
            .and(&format!("for a token of your own: synod token create {who} --operator")));
    }
    let holds = if operator { Holds::Operator(who.to_string()) } else { Holds::Participant(who) };
    let now = now();
    let until = expires.map(|duration| At(now.0.saturating_add(duration)));
    let (token, kept) = tokens::make(context.house.dir(), holds, until, now)?;
    if context.json {
        let mut shown = row(&kept);
        shown["token"] = json!(token);
        out::json(&shown);
        return Ok(ExitCode::SUCCESS);
    }
    out::line(&token);
    let whose = match &kept.holds {
        Holds::Operator(label) => format!("the operator ({label})"),
        Holds::Participant(who) => format!("participant {who}"),
    };
    let until = kept.expires.map(|at| format!(", until {at}")).unwrap_or_default();
    out::error(&format!(
        "token {} for {whose}{until}. Save it now: it is not shown again. Programs read it from SYNOD_TOKEN",
        kept.id()
    ));
    Ok(ExitCode::SUCCESS)
}

fn list(context: &Context) -> Result<ExitCode> {
    let kept = TokenFile::load(context.house.dir())?.tokens;
    let own = tokens::own(context.house.dir())?;
    // What came with a copied house lets nobody in here.
    let stands = |token: &StoredToken| match token.stands(now()) {
        "good" if !own.contains(&token.hash) => "strange",
        stands => stands,
    };
    if context.json {
        let with = |token: &StoredToken| {
            let mut row = row(token);
            row["status"] = json!(stands(token));
            row
        };
        out::json(&kept.iter().map(with).collect::<Vec<Value>>());
        return Ok(ExitCode::SUCCESS);
    }
    if kept.is_empty() {
        out::line("no tokens; `synod token create NAME` creates one");
    }
    for token in &kept {
        let until = token.expires.map_or("no expiry".into(), |at| format!("until {at}"));
        let role = role(token);
        out::line(&format!(
            "{}  {role:<11}  {:<8} {:<20} created {}, {until}",
            token.id(),
            stands(token),
            token.name(),
            token.made
        ));
    }
    if kept.iter().any(|token| stands(token) == "strange") {
        out::error(
            "strange: it came with the house and you neither made nor accepted it here, so `synod serve` accepts it only with --trust",
        );
    }
    Ok(ExitCode::SUCCESS)
}

fn revoke(context: &Context, wanted: &str) -> Result<ExitCode> {
    let revoked = tokens::revoke(context.house.dir(), wanted, now())?;
    if context.json {
        out::json(&revoked.iter().map(row).collect::<Vec<Value>>());
    } else {
        revoked.iter().for_each(|kept| out::line(&format!("{} ({}) is revoked", kept.id(), kept.name())));
    }
    Ok(ExitCode::SUCCESS)
}

fn role(kept: &StoredToken) -> &'static str {
    match &kept.holds {
        Holds::Operator(_) => "operator",
        Holds::Participant(_) => "participant",
    }
}

fn row(kept: &StoredToken) -> Value {
    json!({
        "id": kept.id(), "name": kept.name(), "role": role(kept), "status": kept.stands(now()),
        "made": kept.made, "expires": kept.expires, "revoked": kept.revoked,
    })
}

/// A duration in milliseconds; days are allowed here.
fn lifetime(written: &str) -> std::result::Result<u64, String> {
    let wrong =
        || format!("`{written}` is not a duration: write a number with a unit, such as 30d, 12h or 90m");
    match written.trim().strip_suffix('d') {
        Some(days) => {
            let days: u64 = days.trim().parse().map_err(|_| wrong())?;
            days.checked_mul(24 * 3_600_000).filter(|_| (1..=3650).contains(&days)).ok_or_else(wrong)
        }
        None => duration(written).map_err(|_| wrong()),
    }
}
