//! `synod ring turn`

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};

use super::Context;
use crate::agent::{Agent, AgentArgs, WaitResult};
use crate::cli::limits::duration;
use crate::fail::{Result, code};
use crate::out;
use crate::wire::{ActionRequest, TaskWord, Turn, WrittenId};

/// Fetch your next turn: to join, propose, speak, rule on changes, or vote.
///
/// Prints the turn as text for a person or a model, and acknowledges it: only then does it count as delivered. Exits 0
/// with a turn; exits 2 if none came in time, if the ring is over, or if you no longer take part.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod ring turn --as ann --wait 60s")]
pub(crate) struct RingTurnArgs {
    #[command(flatten)]
    agent: AgentArgs,
    /// How long to wait for a turn, such as 60s or 5m; do not wait if left out.
    #[arg(long, value_name = "TIME", value_parser = duration)]
    wait: Option<u64>,
    /// Acknowledge the turn once it is printed (the default).
    #[arg(long)]
    ack: bool,
    /// Do not acknowledge the turn: unless you act, it expires as never delivered.
    #[arg(long, conflicts_with = "ack")]
    no_ack: bool,
}

impl RingTurnArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let agent = self.agent.agent(&context.house)?;
        let wait = Duration::from_millis(self.wait.unwrap_or(0));
        let next = agent.next(wait).await?;
        match next {
            WaitResult::Turn(turn) => self.show(context, &agent, &turn).await,
            WaitResult::Nothing { why, matter, words } => {
                if context.json {
                    out::json(&json!({ "turn": Value::Null, "why": why.word(), "matter": matter }));
                }
                out::error(&out::clean(&words));
                Ok(ExitCode::from(code::UNDECIDED))
            }
        }
    }

    /// Prints a turn, then acknowledges it: what was not printed was not delivered.
    async fn show(&self, context: &Context, agent: &Agent, sheet: &Turn) -> Result<ExitCode> {
        if context.json {
            out::json(&json!({ "turn": sheet, "next": answers(context, sheet) }));
        } else {
            let mut text = sheet.prompt.clone();
            text.push_str(&format!("\nThis turn expires at {}. Answer with one of:\n", sheet.until));
            answers(context, sheet).iter().for_each(|line| text.push_str(&format!("  {line}\n")));
            out::text(&out::clean(&text));
        }
        // An invitation is answered by joining; a turn is acknowledged once.
        if self.no_ack || sheet.acknowledged || sheet.task == TaskWord::Join {
            return Ok(ExitCode::SUCCESS);
        }
        let ask = sheet.ask;
        match agent.act_in(sheet.matter, ActionRequest::Acknowledge { ask: WrittenId(ask.0) }).await {
            Ok(_) => Ok(ExitCode::SUCCESS),
            Err(fail) if fail.name() == "ask/not-open" => {
                out::error(&format!("synod: turn {ask} expired just now"));
                Ok(ExitCode::from(code::UNDECIDED))
            }
            Err(fail) => Err(fail),
        }
    }
}

/// The commands that answer a turn.
pub(in crate::cli) fn answers(context: &Context, sheet: &Turn) -> Vec<String> {
    let who = match sheet.who.as_str() {
        plain if !plain.contains(' ') => plain.to_string(),
        spaced => format!("'{spaced}'"),
    };
    let tail = format!(" --as {who} --matter {}{}", sheet.matter, context.house.flag());
    let lines: &[&str] = match sheet.task {
        TaskWord::Join => &["synod ring join"],
        TaskWord::Propose => &["synod ring propose --title \"TITLE\" \"TEXT\"", "synod ring skip"],
        TaskWord::Speak => &[
            "synod ring say \"TEXT\"",
            "synod ring propose --title \"TITLE\" \"TEXT\"",
            "synod ring amend LETTER \"THE WHOLE NEW TEXT\"",
            "synod ring react LETTER-OR-ID agree",
            "synod ring skip",
        ],
        TaskWord::Weigh => &["synod ring rule CHANGE-ID --accept", "synod ring rule CHANGE-ID --decline"],
        TaskWord::Vote => &["synod ring vote LETTER approve --rationale \"WHY\""],
    };
    lines.iter().map(|line| format!("{line}{tail}")).collect()
}
