//! `synod turn`

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};

use super::Context;
use crate::agent::{Agent, AgentArgs, Next};
use crate::cli::limits::span;
use crate::fail::{Result, code};
use crate::out;
use crate::wire::{Action, TaskWord, Turn as Sheet, Written};

/// Fetch what you are asked to do next in a ring: to join, propose, speak, weigh changes, or vote.
///
/// Prints the turn in words, for a person or a model, and acknowledges it: a turn counts as delivered only then.
/// Exits 0 with a turn, 2 when none came in time, when the ring is over, or when you take part no longer.
#[derive(Debug, Args)]
#[command(after_help = "Example: synod turn --as ann --wait 60s")]
pub(crate) struct Turn {
    #[command(flatten)]
    agent: AgentArgs,
    /// Wait so long for a turn, such as 60s or 5m; only look if left out.
    #[arg(long, value_name = "TIME", value_parser = span)]
    wait: Option<u64>,
    /// Acknowledge the turn once it is printed. This is what happens anyway.
    #[arg(long)]
    ack: bool,
    /// Do not acknowledge the turn: it lapses as never delivered unless something is done in it.
    #[arg(long, conflicts_with = "ack")]
    no_ack: bool,
}

impl Turn {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let agent = self.agent.agent(&context.house)?;
        let wait = Duration::from_millis(self.wait.unwrap_or(0));
        let next = agent.next(wait).await?;
        match next {
            Next::Turn(turn) => self.show(context, &agent, &turn).await,
            Next::Nothing { why, matter, words } => {
                let matter = matter.or(self.agent.matter());
                if context.json {
                    out::json(&json!({ "turn": Value::Null, "why": why.word(), "matter": matter }));
                }
                out::error(&out::clean(&words));
                Ok(ExitCode::from(code::UNDECIDED))
            }
        }
    }

    /// Prints a turn, then acknowledges it: what was not printed was not delivered.
    async fn show(&self, context: &Context, agent: &Agent, sheet: &Sheet) -> Result<ExitCode> {
        if context.json {
            out::json(&json!({ "turn": sheet, "next": answers(context, sheet) }));
        } else {
            let mut text = sheet.prompt.clone();
            text.push_str(&format!("\nThis turn lapses at {}. At the command line:\n", sheet.until));
            answers(context, sheet).iter().for_each(|line| text.push_str(&format!("  {line}\n")));
            out::text(&out::clean(&text));
        }
        // An invitation is answered by joining, and what was acknowledged needs it no more.
        if self.no_ack || sheet.acknowledged || sheet.task == TaskWord::Join {
            return Ok(ExitCode::SUCCESS);
        }
        let ask = sheet.ask;
        match agent.act_in(sheet.matter, Action::Acknowledge { ask: Written(ask.0) }).await {
            Ok(_) => Ok(ExitCode::SUCCESS),
            Err(fail) if fail.name() == "ask/not-open" => {
                out::error(&format!("synod: turn {ask} lapsed just now"));
                Ok(ExitCode::from(code::UNDECIDED))
            }
            Err(fail) => Err(fail),
        }
    }
}

/// The commands that answer a turn.
pub(super) fn answers(context: &Context, sheet: &Sheet) -> Vec<String> {
    let who = match sheet.who.as_str() {
        plain if !plain.contains(' ') => plain.to_string(),
        spaced => format!("'{spaced}'"),
    };
    let tail = format!(" --as {who} --matter {}{}", sheet.matter, context.house.flag());
    let lines: &[&str] = match sheet.task {
        TaskWord::Join => &["synod join"],
        TaskWord::Propose => &["synod propose --title \"TITLE\" \"TEXT\"", "synod skip"],
        TaskWord::Speak => &[
            "synod say \"TEXT\"",
            "synod propose --title \"TITLE\" \"TEXT\"",
            "synod amend LETTER \"THE WHOLE NEW TEXT\"",
            "synod react LETTER-OR-ID agree",
            "synod skip",
        ],
        TaskWord::Weigh => &["synod rule CHANGE-ID --accept", "synod rule CHANGE-ID --decline"],
        TaskWord::Vote => &["synod vote LETTER approve --rationale \"WHY\""],
    };
    lines.iter().map(|line| format!("{line}{tail}")).collect()
}
