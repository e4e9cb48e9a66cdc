//! `synod ring turn`

use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use serde_json::{Value, json};
use synod_core::command::Part;
use synod_core::kernel::{MatterId, Who};

use super::Context;
use crate::agent::{AgentArgs, Door, Next, Sheet};
use crate::cli::limits::duration;
use crate::fail::{Result, code};
use crate::out;

/// Fetch your next turn: to join, propose, speak, rule on changes, or vote.
///
/// Prints the turn as text for a person or a model, and acknowledges it: only then does it count as delivered. Exits 0
/// with a turn; exits 2 if none came in time, if the ring is over, or if you no longer take part.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod ring turn --as ann --wait 60s")]
pub(crate) struct Turn {
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

impl Turn {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let (door, who) = self.agent.enter(&context.house).await?;
        let wait = Duration::from_millis(self.wait.unwrap_or(0));
        let named = self.agent.matter(&door).await?;
        let next = door.next(&who, named, wait).await?;
        let (why, matter, words) = match next {
            Next::Turn(sheet) => return self.show(context, &door, &sheet).await,
            Next::Over(matter, phase, reason) => {
                let reason = reason.map(|reason| format!(", {reason}")).unwrap_or_default();
                ("over", Some(matter), format!("matter {matter} is over: {phase}{reason}"))
            }
            Next::Gone(matter, why) => {
                ("gone", Some(matter), format!("{who} no longer takes part in matter {matter}: {why}"))
            }
            Next::Uninvited => ("uninvited", None, format!("{who} is not invited to an open ring")),
            Next::Nothing => ("none", named, format!("no turn for {who}{}", self.waited())),
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
    async fn show(&self, context: &Context, door: &Door, sheet: &Sheet) -> Result<ExitCode> {
        if context.json {
            out::json(&json!({ "turn": sheet, "next": answers(context, sheet) }));
        } else {
            let mut text = sheet.prompt.clone();
            text.push_str(&format!("\nThis turn expires at {}. Answer with one of:\n", sheet.until));
            answers(context, sheet).iter().for_each(|line| text.push_str(&format!("  {line}\n")));
            out::text(&out::clean(&text));
        }
        // An invitation is answered by joining; a turn is acknowledged once.
        if self.no_ack || sheet.acknowledged || sheet.task == "join" {
            return Ok(ExitCode::SUCCESS);
        }
        let ask = sheet.ask;
        match door.partake(&sheet.who, sheet.matter, Part::Acknowledge { ask }).await {
            Ok(_) => Ok(ExitCode::SUCCESS),
            Err(fail) if fail.name() == "ask/not-open" => {
                out::error(&format!("synod: turn {ask} expired just now"));
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
pub(in crate::cli) fn answers(context: &Context, sheet: &Sheet) -> Vec<String> {
    let who = match sheet.who.as_str() {
        plain if !plain.contains(' ') => plain.to_string(),
        spaced => format!("'{spaced}'"),
    };
    let tail = format!(" --as {who} --matter {}{}", sheet.matter, context.house.flag());
    let lines: &[&str] = match sheet.task.as_str() {
        "join" => &["synod ring join"],
        "propose" => &["synod ring propose --title \"TITLE\" \"TEXT\"", "synod ring skip"],
        "speak" => &[
            "synod ring say \"TEXT\"",
            "synod ring propose --title \"TITLE\" \"TEXT\"",
            "synod ring amend LETTER \"THE WHOLE NEW TEXT\"",
            "synod ring react LETTER-OR-ID agree",
            "synod ring skip",
        ],
        "weigh" => &["synod ring rule CHANGE-ID --accept", "synod ring rule CHANGE-ID --decline"],
        "vote" => &["synod ring vote LETTER approve --rationale \"WHY\""],
        _ => &[],
    };
    lines.iter().map(|line| format!("{line}{tail}")).collect()
}
