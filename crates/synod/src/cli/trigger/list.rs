//! `synod trigger list`

use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};
use synod_core::House;
use synod_core::kernel::{At, text};
use synod_core::regulation::Regulation;
use synod_core::trigger::TriggerKind;
use synod_engine::now;

use super::Context;
use crate::fail::Result;
use crate::out;
use crate::triggers::{is_in_force, latest, numbers, regulation, span};

/// List the triggers: when each fires, when it last fired, and which are cooling down.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod trigger list")]
pub(crate) struct TriggerListArgs {}

impl TriggerListArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let (house, _) = context.house.read()?;
        let (origin, source) = numbers(context.house.dir())?;
        let read = regulation(&origin, &source)?;
        let at = now();
        if context.json {
            out::json(&listed(&house, &read, &origin, at));
            return Ok(ExitCode::SUCCESS);
        }
        for kind in TriggerKind::ALL {
            let last = house.triggers().last(kind).map_or("never".into(), |last| last.to_string());
            let resting = latest(house.triggers().resting(kind, at));
            let resting = resting.map(|until| format!(", cooling down until {until}")).unwrap_or_default();
            out::line(&format!("{:<10}  {:<52} last fired {last}{resting}", kind.word(), fires(&read, kind)));
        }
        let active: Vec<&str> = house.monitor().active(at).map(|who| who.as_str()).collect();
        let pending: Vec<&str> = house.monitor().pending().collect();
        out::line(&format!(
            "active: {}",
            if active.is_empty() { "nobody".into() } else { active.join(", ") }
        ));
        let shown = if pending.is_empty() { "nothing".into() } else { pending.join("; ") };
        out::line(&out::clean(&format!("pending: {shown}")));
        if !is_in_force(&house, &read) {
            out::line(&format!("note: {origin} takes effect with the next trigger or watch"));
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn cooldown_ms(read: &Regulation, kind: TriggerKind) -> u64 {
    let rules = &read.trigger;
    match kind {
        TriggerKind::User => rules.user.cooldown_ms,
        TriggerKind::Agent => rules.agent.cooldown_ms,
        TriggerKind::Monitor => rules.monitor.cooldown_ms,
        TriggerKind::Checkpoint => rules.checkpoint.cooldown_ms,
        TriggerKind::Phase => rules.phase.cooldown_ms,
        TriggerKind::Threshold => rules.threshold.cooldown_ms,
        TriggerKind::Scheduled => rules.scheduled.interval_ms,
    }
}

/// When a trigger fires, in a few words.
fn fires(read: &Regulation, kind: TriggerKind) -> String {
    let rules = &read.trigger;
    let when = match kind {
        TriggerKind::User => "whenever a person asks".into(),
        TriggerKind::Agent => format!(
            "{} listed, from {}",
            text::counted(rules.agent.reasons.len() as u64, "reason"),
            rules.agent.least
        ),
        TriggerKind::Monitor if rules.monitor.on => "what the monitor finds".into(),
        TriggerKind::Monitor => "switched off".into(),
        TriggerKind::Checkpoint => format!("{} always, others if flagged", rules.checkpoint.always.len()),
        TriggerKind::Phase => format!("leaving {}", rules.phase.from.join(", ")),
        TriggerKind::Threshold => format!("from {}", rules.threshold.least),
        TriggerKind::Scheduled if rules.scheduled.on => "pending decisions, by the clock".into(),
        TriggerKind::Scheduled => "pending decisions, when asked".into(),
    };
    format!("{when}; cooldown {}", span(cooldown_ms(read, kind)))
}

fn listed(house: &House, read: &Regulation, origin: &str, at: At) -> Value {
    let row = |kind: TriggerKind| {
        let resting: Vec<Value> = house
            .triggers()
            .resting(kind, at)
            .map(|(of, until)| json!({ "of": (!of.is_empty()).then_some(of), "until": until.to_string() }))
            .collect();
        json!({ "trigger": kind, "cooldown_ms": cooldown_ms(read, kind), "resting": resting,
                "last_fired": house.triggers().last(kind).map(|last| last.to_string()) })
    };
    let active: Vec<&str> = house.monitor().active(at).map(|who| who.as_str()).collect();
    let pending: Vec<&str> = house.monitor().pending().collect();
    json!({ "triggers": TriggerKind::ALL.map(row), "active": active, "pending": pending, "rules": origin,
            "in_force": is_in_force(house, read) })
}
