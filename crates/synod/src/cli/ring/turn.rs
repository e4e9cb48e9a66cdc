//! `synod turn`

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};
use synod_core::command::Part;
use synod_core::kernel::{MatterId, Who};

use super::Context;
use crate::agent::{AgentArgs, HouseAccess, Next, Sheet};
use crate::cli::limits::span;
use crate::fail::{Result, code};
use crate::out;

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
        let (door, who) = self.agent.enter(&context.house).await?;
        let wait = Duration::from_millis(self.wait.unwrap_or(0));
        let next = door.next(&who, self.agent.matter(), wait).await?;
        let (why, matter, words) = match next {
            Next::Turn(sheet) => return self.show(context, &door, &sheet).await,
            Next::Over(matter, phase, reason) => {
                let reason = reason.map(|reason| format!(", {reason}")).unwrap_or_default();
                ("over", Some(matter), format!("matter {matter} is over: {phase}{reason}"))
            }
            Next::Gone(matter, why) => {
                ("gone", Some(matter), format!("{who} takes part in matter {matter} no longer: {why}"))
            }
            Next::Uninvited => ("uninvited", None, format!("{who} is invited to no ring that is open")),
            Next::Nothing => ("none", self.agent.matter(), format!("no turn for {who}{}", self.waited())),
        };
        Ok(nothing(context, &who, why, matter, &words))
    }

    fn waited(&self) -> String {
        match self.wait {
            Some(ms) => format!(" within {} s", ms / 1000),
            None => " now; --wait 60s waits for one".into(),
        }
    }

    /// Prints a turn, then acknowledges it: what was not printed was not delivered.
    async fn show(&self, context: &Context, door: &HouseAccess, sheet: &Sheet) -> Result<ExitCode> {
        if context.json {
            out::json(&json!({ "turn": sheet, "next": answers(context, sheet) }));
        } else {
            let mut text = sheet.prompt.clone();
            text.push_str(&format!("\nThis turn lapses at {}. At the command line:\n", sheet.until));
            answers(context, sheet).iter().for_each(|line| text.push_str(&format!("  {line}\n")));
            out::text(&out::clean(&text));
        }
        // An invitation is answered by joining, and what was acknowledged needs it no more.
        if self.no_ack || sheet.acknowledged || sheet.task == "join" {
            return Ok(ExitCode::SUCCESS);
        }
        let ask = sheet.ask;
        match door.partake(&sheet.who, sheet.matter, Part::Acknowledge { ask }).await {
            Ok(_) => Ok(ExitCode::SUCCESS),
            Err(fail) if fail.name() == "ask/not-open" => {
                out::error(&format!("synod: turn {ask} lapsed just now"));
                Ok(ExitCode::from(code::UNDECIDED))
            }
            Err(fail) => Err(fail),
        }
    }
}

fn nothing(context: &Context, who: &Who, why: &str, matter: Option<MatterId>, words: &str) -> ExitCode {
    if context.json {
        out::json(&json!({ "turn": Value::Null, "who": who, "why": why, "matter": matter }));
    }
    out::error(&out::clean(words));
    ExitCode::from(code::UNDECIDED)
}

/// The commands that answer a turn.
pub(super) fn answers(context: &Context, sheet: &Sheet) -> Vec<String> {
    let who = match sheet.who.as_str() {
        plain if !plain.contains(' ') => plain.to_string(),
        spaced => format!("'{spaced}'"),
    };
    let tail = format!(" --as {who} --matter {}{}", sheet.matter, context.house.flag());
    let lines: &[&str] = match sheet.task.as_str() {
        "join" => &["synod join"],
        "propose" => &["synod propose --title \"TITLE\" \"TEXT\"", "synod skip"],
        "speak" => &[
            "synod say \"TEXT\"",
            "synod propose --title \"TITLE\" \"TEXT\"",
            "synod amend LETTER \"THE WHOLE NEW TEXT\"",
            "synod react LETTER-OR-ID agree",
            "synod skip",
        ],
        "weigh" => &["synod rule CHANGE-ID --accept", "synod rule CHANGE-ID --decline"],
        "vote" => &["synod vote LETTER approve --rationale \"WHY\""],
        _ => &[],
    };
    lines.iter().map(|line| format!("{line}{tail}")).collect()
}
