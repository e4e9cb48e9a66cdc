//! `synod convene`

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use serde_json::json;
use synod_core::command::Open;
use synod_core::house::Case;
use synod_core::kernel::{Actor, Id, Key, MatterId, Seat, SeatKind, Who, text};
use synod_core::matter::{Question, Status};
use synod_core::{Act, Command, House};
use synod_engine::{Engine, Order};

use super::{Context, text as given};
use crate::agent::{Door, Here};
use crate::cli::limits::KnobArgs;
use crate::fail::{self, Fail, Result, code};
use crate::house::{Sourced, ahead, charter, charter_names, flaw_line, give, order};
use crate::progress::Progress;
use crate::{out, render};

/// Open a ring: invite agents that come by themselves to discuss a question, propose, and vote.
///
/// Those invited join with `synod join`, fetch their turns with `synod turn` and answer with `synod say`, `propose`,
/// `vote` and the like; see docs/agents.md. The ring goes on as they come, whether or not this command still runs.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: synod convene \"Cache the index?\" --invite ann --invite bob=gpt-5 --charter quick\n\
                        Exits 0 once the ring is open; with --wait 0 committed, 1 rejected, 2 undecided."
)]
pub(crate) struct Convene {
    /// What is to be decided; `-` reads it from standard input.
    topic: String,
    /// A participant, in the order the floor goes round, and the model it runs on if that is known. May be given
    /// several times.
    #[arg(long = "invite", value_name = "NAME[=MODEL]", required = true)]
    invite: Vec<String>,
    /// The charter: default, quick, strict, critical, another ring by name, or a file.
    #[arg(long, value_name = "NAME|FILE", default_value = "ring-default")]
    charter: String,
    #[command(flatten)]
    knobs: KnobArgs,
    /// A name for this opening: given again, it does not open a second ring.
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// Follow the ring to its end. Ctrl-C ends only the following.
    #[arg(long)]
    wait: bool,
    /// No progress, only the result.
    #[arg(long, short)]
    quiet: bool,
}

impl Convene {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let topic = given(&self.topic, "topic")?;
        let question = Question::parse(&topic, &[])
            .map_err(|wrong| Fail::new(code::USAGE, "matter/malformed", wrong.to_string()))?;
        let sourced = self.rules(context)?;
        let mut moved = BTreeMap::new();
        self.knobs.add_to(&mut moved)?;
        let Door::Here(here) = Door::to(&context.house);
        let engine = here.hold().await?;
        let opened = self.open(&engine, question, &sourced, moved).await;
        let opened = opened.map(|act| MatterId(Id { act: act.seq, nth: 0 }));
        here.leave(engine);
        let matter = opened?;
        if self.wait {
            self.announce(matter);
            return self.follow(context, &here, matter).await;
        }
        self.tell(context, &here, matter).await
    }

    /// The charter, by its name with or without the `ring-` before it.
    fn rules(&self, context: &Context) -> Result<Sourced> {
        let dir = context.house.dir();
        let known = charter_names(dir);
        let short = format!("ring-{}", self.charter);
        let wanted = match known.contains(&self.charter) || !known.contains(&short) {
            true => &self.charter,
            false => &short,
        };
        let sourced = charter(dir, wanted)?;
        if sourced.charter.ring.is_none() {
            let rings: Vec<&String> = known.iter().filter(|name| name.starts_with("ring-")).collect();
            let message = format!(
                "the charter {} is for debates, whose seats are called: `synod debate` holds one. Rings that are shipped: {}",
                sourced.charter.name,
                rings.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ")
            );
            return Err(Fail::new(code::USAGE, "charter/no-ring", message));
        }
        let tell = |line: String| out::error(&out::clean(&line));
        sourced.warnings.iter().for_each(|warning| tell(flaw_line(&sourced.origin, warning)));
        sourced.replaces.iter().for_each(|note| tell(format!("note: {note}")));
        Ok(sourced)
    }

    /// Takes charter and participants into the house and opens the ring.
    async fn open(
        &self,
        engine: &Engine,
        question: Question,
        sourced: &Sourced,
        moved: BTreeMap<String, u64>,
    ) -> Result<Arc<Act>> {
        let seats = engine.read(|house| seats(house, &self.invite))?;
        if engine.read(|house| house.charter(&sourced.digest).is_none()) {
            give(engine, Command::Adopt { source: sourced.source.clone() }).await?;
        }
        for seat in &seats {
            if engine.read(|house| house.roster().get(&seat.who) != Some(seat)) {
                give(engine, Command::Enrol { seat: seat.clone() }).await?;
            }
        }
        let invited = seats.into_iter().map(|seat| seat.who).collect();
        let open = Open { moved, ..Open::new(question, sourced.digest, invited) };
        let command = Command::Open(Box::new(open));
        let key = self.key.as_ref().map(|key| Key(Arc::from(key.as_str())));
        if key.is_none() {
            engine.read(|house| ahead(house, &command))?;
        }
        let opened = order(engine, Order { by: Actor::Operator, key, command: command.clone() }).await?;
        if opened.command != command {
            let message = format!(
                "this key opened matter {} already, with another question or other settings; use another key",
                opened.seq
            );
            return Err(Fail::new(code::USAGE, "matter/key-taken", message));
        }
        Ok(opened)
    }

    fn announce(&self, matter: MatterId) {
        if !self.quiet {
            out::error(&format!("matter {matter} is open; those invited join with: synod join --as NAME"));
        }
    }

    async fn tell(&self, context: &Context, here: &Here, matter: MatterId) -> Result<ExitCode> {
        let shown = here.shown(matter).await?;
        let flag = context.house.flag();
        let join = |name: &str| format!("synod join --as {name} --matter {matter}{flag}");
        if context.json {
            let invited: Vec<&str> = shown.ring.members.iter().map(|member| member.who.as_str()).collect();
            out::json(&json!({
                "matter": matter, "charter": shown.charter, "phase": shown.ring.phase, "topic": shown.topic,
                "invited": invited, "until": shown.ring.until, "ring": shown.session,
            }));
            return Ok(ExitCode::SUCCESS);
        }
        out::line(&format!("matter {matter} is open under {}: {}", shown.charter, shown.ring.phase));
        for member in &shown.ring.members {
            out::line(&out::clean(&format!("  {}", join(&quoted(&member.who)))));
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Tells what happens until the ring is over.
    async fn follow(&self, context: &Context, here: &Here, matter: MatterId) -> Result<ExitCode> {
        let progress = Progress { quiet: self.quiet || context.json };
        let over = here.wait(None, |house: &House, acts: &[Act]| {
            let Some(case) = house.case(matter) else { return Ok(None) };
            acts.iter().filter(|act| concerns(act, case)).for_each(|act| progress.tell(case, act));
            Ok(match case.status() {
                Status::Settled(decision) => Some(decision),
                Status::Running | Status::Paused(_) => None,
            })
        });
        let Some(decision) = over.await? else { return Ok(ExitCode::from(code::UNDECIDED)) };
        let shown = here.shown(matter).await?;
        match context.json {
            true => out::json(&json!({ "matter": matter, "phase": shown.ring.phase, "ring": shown.session })),
            false => out::text(&render::ring::status(&shown, out::width())),
        }
        Ok(ExitCode::from(fail::of_decision(decision)))
    }
}

/// A name as a shell takes it.
fn quoted(who: &Who) -> String {
    match who.as_str().contains(' ') {
        true => format!("'{who}'"),
        false => who.to_string(),
    }
}

/// Whether an act is about a matter.
fn concerns(act: &Act, case: &Case) -> bool {
    use synod_core::event::About;
    act.events().iter().any(|event| match event.about() {
        About::House => false,
        About::Matter(matter) => matter == case.id,
        // Asks of a matter that are over are not looked up any more; they were born by acts of it.
        About::Ask(ask) => ask.0.act >= case.id.0.act,
    })
}

/// Those invited. What is known of an outside participant stays known.
fn seats(house: &House, invite: &[String]) -> Result<Vec<Seat>> {
    let mut seats: Vec<Seat> = Vec::new();
    for written in invite {
        let (name, model) = match written.split_once('=') {
            Some((name, model)) if !model.trim().is_empty() => (name, Some(text::one_line(model))),
            Some(_) => {
                let message =
                    format!("`--invite {written}` names no model after the `=`: write NAME or NAME=MODEL");
                return Err(Fail::usage(message));
            }
            None => (written.as_str(), None),
        };
        let who = Who::parse(name).map_err(Fail::usage)?;
        if seats.iter().any(|seat| seat.who == who) {
            let refusal = synod_core::Refusal::SeatTwice { who };
            return Err(Fail::new(code::USAGE, refusal.code(), refusal.to_string()));
        }
        let known = house.roster().get(&who).filter(|seat| seat.kind == SeatKind::Outside);
        let model = model.or_else(|| known.and_then(|seat| seat.model.clone()));
        let (kind, mind) = (SeatKind::Outside, "outside".into());
        seats.push(Seat { kind, mind, model, name: name.trim().into(), persona: None, who });
    }
    Ok(seats)
}
