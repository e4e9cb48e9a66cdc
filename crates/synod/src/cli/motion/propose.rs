//! `synod motion propose`

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use serde_json::json;
use synod_core::Command;
use synod_core::command::{MotionProposal, Open};
use synod_core::kernel::{Actor, Id, Key, MatterId, Seat, Who};
use synod_core::matter::Question;
use synod_core::view::MotionView;
use synod_engine::Order;

use super::super::Context;
use super::super::debate::{from_stdin, key_taken};
use super::super::limits::{LimitArgs, SettingArgs, affordable};
use crate::casting::PerformArgs;
use crate::fail::{Fail, Result, code};
use crate::house::charter;
use crate::matter_arg::number;
use crate::opening::open_or_fail;
use crate::out;
use crate::plan::plan;
use crate::seats::{RosterArgs, SeatArgs, set_parliament};
use crate::window;

/// Propose a motion. It is listed until `synod motion run` calls it up.
///
/// Seats speak by rank, then by name, in every round. Who put the motion cannot second it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
              synod motion propose \"We publish all minutes.\" --as Bael --roster archons --rehearse\n  \
              synod motion propose \"We adjourn.\" --type procedural --as ann --seconded-by bob --seat ann=rehearsal --seat bob=rehearsal\n  \
              synod motion propose - --roster members.toml --answered-by openai:gpt-4.1-mini < motion.md\n\n\
              The types: policy (three fifths of the votes cast), constitutional (two thirds), procedural (more than half),\n\
              legacy (two thirds, counted as the recorded sessions were).")]
pub(super) struct ProposeArgs {
    /// The motion as it would be carried out; `-` reads it from standard input.
    motion: String,
    /// The seat that proposes it; the chair if left out.
    #[arg(long = "as", value_name = "SEAT")]
    who: Option<String>,
    /// The seat that seconds it; if left out, seats are asked when it is called up.
    #[arg(long, value_name = "SEAT")]
    seconded_by: Option<String>,
    /// The type of motion, which sets threshold and layers.
    #[arg(long = "type", value_enum, default_value_t = MotionType::Policy, help_heading = "Rules")]
    kind: MotionType,
    /// A charter with [parliament], by name or file, in place of a type.
    #[arg(long, help_heading = "Rules", value_name = "NAME|FILE", conflicts_with = "kind")]
    charter: Option<String>,
    #[command(flatten)]
    roster: RosterArgs,
    #[command(flatten)]
    seats: SeatArgs,
    #[command(flatten)]
    settings: SettingArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Idempotency key: a second run with the same key does not put a second motion.
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    #[command(flatten)]
    perform: PerformArgs,
}

/// A type of motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum MotionType {
    /// Three fifths; balanced scepticism.
    Policy,
    /// Two thirds; every layer.
    Constitutional,
    /// More than half; nobody is ordered to say anything.
    Procedural,
    /// Two thirds; ordered speech counts like free speech.
    Legacy,
}

impl MotionType {
    fn charter(self) -> &'static str {
        match self {
            Self::Policy => "parliament-policy",
            Self::Constitutional => "parliament-constitutional",
            Self::Procedural => "parliament-procedural",
            Self::Legacy => "parliament-legacy",
        }
    }
}

impl ProposeArgs {
    pub(super) async fn run(self, context: &Context) -> Result<ExitCode> {
        context.house.check()?;
        let topic = if self.motion == "-" { from_stdin()? } else { self.motion.clone() };
        let question = Question::parse(&topic, &[])
            .map_err(|wrong| Fail::new(code::USAGE, "matter/malformed", wrong.to_string()))?;
        let limits = self.limits.limits()?;
        let dir = context.house.dir();
        let sourced = charter(dir, self.charter.as_deref().unwrap_or(self.kind.charter()))?;
        if sourced.charter.parliament().is_none() {
            let message = format!(
                "the charter {} has no motions: use --type, or a charter with [parliament]",
                sourced.charter.name
            );
            return Err(Fail::new(code::USAGE, "council/no-motions", message));
        }
        let mut moved = BTreeMap::new();
        self.settings.add_to(&mut moved)?;
        sourced.moved(&moved, None)?;
        let mut table =
            set_parliament(dir, &self.seats, &self.roster, &self.perform, &sourced.charter).await?;
        let note = window::fit(&mut moved, &sourced.charter, &table);
        table.noted(note);
        let rules = sourced.moved(&moved, None)?;
        let plan = plan(&rules, &question, &table, false, 0);
        affordable(&plan, &limits)?;
        let named = |name: &Option<String>| name.as_deref().map(Who::parse).transpose().map_err(Fail::usage);
        let proposal =
            MotionProposal { by: named(&self.who)?, listed: true, seconder: named(&self.seconded_by)? };
        let everyone: Vec<Seat> = table.everyone().cloned().collect();
        let engine = context.house.engine("synod motion", table.minds).await?;
        let open = Open {
            limits,
            moved,
            judges: table.judges.iter().map(|judge| judge.who.clone()).collect(),
            scribe: table.scribe.map(|scribe| scribe.who),
            proposal: Some(proposal),
            reaches: plan.reaches.clone(),
            ..Open::new(question, sourced.digest, table.seats.iter().map(|seat| seat.who.clone()).collect())
        };
        let key = self.key.as_ref().map(|key| Key(Arc::from(key.as_str())));
        let command = Command::Open(Box::new(open));
        let opening = Order { by: Actor::Operator, key, command: command.clone(), vouched: None };
        let opened = open_or_fail(&engine, Some(&sourced), &everyone, opening).await?;
        let matter = MatterId(Id { act: opened.seq, nth: 0 });
        let number = engine.read(|house| number(house, matter));
        if opened.command != command {
            return Err(key_taken(number));
        }
        let motion = engine.read(|house| house.case(matter).and_then(MotionView::of));
        let status = motion.as_ref().map_or("proposed", |motion| motion.status);
        engine.end();
        if context.json {
            out::json(&json!({
                "matter": matter, "number": number, "status": status, "motion": motion, "plan": plan,
                "acknowledgement": opened.acknowledgement(),
            }));
            return Ok(ExitCode::SUCCESS);
        }
        if let Some(note) = &table.note {
            out::error(&out::clean(&format!("note: {note}")));
        }
        out::line(&format!("motion {number} ({matter}) is {status}, {} seats", everyone.len()));
        out::line(&format!("plan:    {}", plan.line()));
        let house = context.house.flag();
        if status == "proposed" {
            out::line(&format!("second it:   synod motion second {number} --as SEAT{house}"));
        }
        out::line(&format!("call it up:  synod motion run {number}{house}"));
        Ok(ExitCode::SUCCESS)
    }
}
