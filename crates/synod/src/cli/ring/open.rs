//! `synod ring open`

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use serde_json::json;
use synod_core::charter::shipped;
use synod_core::command;
use synod_core::context::Material;
use synod_core::house::Case;
use synod_core::kernel::SettingValue;
use synod_core::kernel::{Actor, Id, Key, MatterId, Seat, SeatKind, Who, text};
use synod_core::matter::{Question, Status};
use synod_core::{Act, Command, House};
use synod_engine::{Acknowledgement, Engine, Order};

use super::{Context, text as given};
use crate::agent::{HouseAccess, LocalHouse, RemoteHouse};
use crate::cli::debate::key_taken;
use crate::cli::limits::SettingArgs;
use crate::client::ServiceArgs;
use crate::fail::{Fail, Result, code};
use crate::house::{AcknowledgedAct, Looked, Sourced, charter, charter_names, flaw_line};
use crate::matter_arg::number;
use crate::progress::Progress;
use crate::{opening, out, render, wire};

/// Open a ring: invite outside agents to discuss a question, make proposals and vote.
///
/// Agents join with `synod ring join`, fetch their turns with `synod ring turn` and answer with `synod ring say`,
/// `propose`, `vote` and so on; see docs/agents.md. The ring runs as they come; no process has to stay running.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  synod ring open \"Cache the index?\" --invite ann --invite bob=gpt-5 --charter quick\n\n\
                  Exit codes: 0 once the ring is open; with --wait 0 committed, 1 rejected, 2 undecided."
)]
pub(crate) struct RingOpenArgs {
    /// The question to decide; `-` reads it from standard input.
    topic: String,
    /// A participant, with its model if known (repeatable). Turn order is invitation order, regardless of who joins
    /// first.
    #[arg(long = "invite", value_name = "NAME[=MODEL]", required = true)]
    invite: Vec<String>,
    /// The charter: default, quick, strict, critical, another ring charter by name, or a file.
    #[arg(long, help_heading = "Rules", value_name = "NAME|FILE", default_value = "ring-default")]
    charter: String,
    /// A text for the participants to read (repeatable): a file, a folder, a pattern such as 'src/**/*.rs', or - for
    /// standard input. 200,000 characters in all; secrets are refused or masked.
    #[arg(long, value_name = "FILE|DIR|PATTERN|-")]
    context: Vec<String>,
    #[command(flatten)]
    settings: SettingArgs,
    /// Idempotency key: a second run with the same key does not open a second ring.
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    /// Wait until the ring is over and show its result. Ctrl-C stops only the waiting.
    #[arg(long)]
    wait: bool,
    /// Show no progress, only the result.
    #[arg(long, short)]
    quiet: bool,
    #[command(flatten)]
    service: ServiceArgs,
}

/// How often a ring behind a service is looked at.
const LOOK: Duration = Duration::from_millis(500);

impl RingOpenArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let topic = given(&self.topic, "topic")?;
        let door = HouseAccess::to(&context.house, &self.service)?;
        let (matter, said) = match &door {
            HouseAccess::Local(here) => self.open_here(context, here, &topic).await?,
            HouseAccess::Remote(away) => (self.open_away(away, &topic).await?, None),
        };
        if !self.wait {
            return self.show_open(context, &door, matter, said).await;
        }
        if !self.quiet {
            out::error(&format!(
                "matter {matter} is open; participants join with: synod ring join --as NAME"
            ));
        }
        match &door {
            HouseAccess::Local(here) => self.follow_here(context, here, matter).await?,
            HouseAccess::Remote(_) => self.follow_away(context, &door, matter).await?,
        }
        self.result(context, &door, matter).await
    }

    async fn open_here(
        &self,
        context: &Context,
        here: &LocalHouse,
        topic: &str,
    ) -> Result<(MatterId, Option<Acknowledgement>)> {
        let question = Question::parse(topic, &[])
            .map_err(|wrong| Fail::new(code::USAGE, "matter/malformed", wrong.to_string()))?;
        let sourced = self.rules(context)?;
        self.enough(&sourced)?;
        self.material()?;
        let engine = here.hold().await?;
        let opened = self.open(&engine, question, &sourced).await;
        here.leave(engine);
        opened.map(|act| (MatterId(Id { act: act.seq, nth: 0 }), act.acknowledgement()))
    }

    /// Refuses too few participants. The house would too, but only after charter and participants were recorded.
    fn enough(&self, sourced: &Sourced) -> Result<()> {
        let (invited, least) = (self.invite.len() as u32, sourced.ring().map_or(0, |ring| ring.least));
        if invited >= least {
            return Ok(());
        }
        let refusal = synod_core::procedure::ring::Refusal::TooFewInvited { invited, least };
        Err(Fail::new(code::USAGE, refusal.code(), refusal.to_string()))
    }

    async fn open_away(&self, away: &RemoteHouse, topic: &str) -> Result<MatterId> {
        let short = format!("ring-{}", self.charter);
        let charter = if shipped(&short).is_some() { &short } else { &self.charter };
        if !charter.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-') {
            let message = "a service takes charters by name only: put the file into charters/ of its house, or name another charter";
            return Err(Fail::usage(message));
        }
        let invited = self.invite.iter().map(|written| invited(written)).collect::<Result<Vec<_>>>()?;
        let names: Vec<&str> = invited.iter().map(|(name, _)| name.as_str()).collect();
        let models: BTreeMap<&str, &str> =
            invited.iter().filter_map(|(name, model)| Some((name.as_str(), model.as_deref()?))).collect();
        let opening = json!({
            "question": topic, "charter": charter, "seats": names, "models": models, "set": self.moved()?,
            "context": self.material()?.into_iter().map(|piece| (piece.name, piece.text)).collect::<BTreeMap<_, _>>(),
        });
        away.open(&opening, self.key.as_deref()).await
    }

    /// Files to put before the participants. A service knows them by their names, so each has one of its own.
    fn material(&self) -> Result<Vec<Material>> {
        let given = crate::context::given(&self.context, Some(&self.topic))?.material;
        let twice = given
            .iter()
            .enumerate()
            .find(|(nth, piece)| given[..*nth].iter().any(|other| other.name == piece.name));
        match twice {
            Some((_, piece)) => {
                Err(Fail::usage(format!("two --context files are called {}: rename one", piece.name)))
            }
            None => Ok(given),
        }
    }

    fn moved(&self) -> Result<BTreeMap<String, SettingValue>> {
        let mut moved = BTreeMap::new();
        self.settings.add_to(&mut moved)?;
        Ok(moved)
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
        if sourced.ring().is_none() {
            let rings: Vec<&String> = known.iter().filter(|name| name.starts_with("ring-")).collect();
            let message = format!(
                "the charter {} is for debates: use `synod debate`, or one of the ring charters: {}",
                sourced.charter.name,
                rings.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ")
            );
            return Err(Fail::new(code::USAGE, "charter/no-ring", message));
        }
        let own = shipped(&sourced.charter.name).is_none_or(|known| known.source != sourced.source);
        let tell = |line: String| out::error(&out::clean(&line));
        // Warnings about built-in charters were considered when those were written.
        sourced.warnings.iter().filter(|_| own).for_each(|warning| tell(flaw_line(&sourced.origin, warning)));
        sourced.replaces.iter().for_each(|note| tell(format!("note: {note}")));
        Ok(sourced)
    }

    /// Takes charter and participants into the house and opens the ring.
    async fn open(&self, engine: &Engine, question: Question, sourced: &Sourced) -> Result<AcknowledgedAct> {
        let seats = engine.read(|house| seats(house, &self.invite))?;
        let invited = seats.iter().map(|seat| seat.who.clone()).collect();
        let open = command::Open {
            moved: self.moved()?,
            context: self.material()?,
            ..command::Open::new(question, sourced.digest, invited)
        };
        let command = Command::Open(Box::new(open));
        let key = self.key.as_ref().map(|key| Key(Arc::from(key.as_str())));
        if key.is_none() {
            engine.read(|house| opening::ahead(house, Some(sourced), &seats, &command))?;
        }
        let order = Order { by: Actor::Operator, key, command: command.clone(), vouched: None };
        let opened = opening::open_or_fail(engine, Some(sourced), &seats, order).await?;
        if opened.command != command {
            let id = MatterId(Id { act: opened.seq, nth: 0 });
            return Err(key_taken(engine.read(|house| number(house, id))));
        }
        Ok(opened)
    }

    async fn show_open(
        &self,
        context: &Context,
        door: &HouseAccess,
        matter: MatterId,
        said: Option<Acknowledgement>,
    ) -> Result<ExitCode> {
        let shown = door.shown(None, Some(matter.into())).await?;
        let flag = context.house.flag();
        let join = |name: &str| format!("synod ring join --as {name} --matter {matter}{flag}");
        if context.json {
            let invited: Vec<&str> = shown.ring.members.iter().map(|member| member.who.as_str()).collect();
            out::json(&json!({
                "matter": matter, "number": shown.number, "charter": shown.charter, "phase": shown.ring.phase, "topic": shown.topic,
                "invited": invited, "until": shown.ring.until, "ring": shown.session, "acknowledgement": said,
            }));
            return Ok(ExitCode::SUCCESS);
        }
        out::line(&format!(
            "matter {} ({matter}) is open under {}: {}",
            shown.number, shown.charter, shown.ring.phase
        ));
        for member in &shown.ring.members {
            out::line(&out::clean(&format!("  {}", join(&quoted(&member.who)))));
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Shows progress until the ring is over.
    async fn follow_here(&self, context: &Context, here: &LocalHouse, matter: MatterId) -> Result<()> {
        let mut progress = Progress::new(self.quiet || context.json);
        let over = here.wait(None, |house: &mut Looked, acts: &[Act]| {
            house.bring(matter)?;
            let Some(case) = house.case(matter) else { return Ok(None) };
            acts.iter().filter(|act| concerns(act, case)).for_each(|act| progress.show(case, act));
            Ok(matches!(case.status(), Status::Settled(_)).then_some(()))
        });
        over.await.map(drop)
    }

    /// Shows the status of the ring whenever it has changed, until it is over.
    async fn follow_away(&self, context: &Context, door: &HouseAccess, matter: MatterId) -> Result<()> {
        let mut before = String::new();
        loop {
            let ring = door.shown(None, Some(matter.into())).await?.ring;
            if ring.is_over() {
                return Ok(());
            }
            let now = render::ring::standing(&ring);
            if now != before && !(self.quiet || context.json) {
                out::error(&out::clean(&now));
            }
            before = now;
            tokio::time::sleep(LOOK).await;
        }
    }

    /// How a ring ended.
    async fn result(&self, context: &Context, door: &HouseAccess, matter: MatterId) -> Result<ExitCode> {
        let shown = door.shown(None, Some(matter.into())).await?;
        match context.json {
            true => out::json(&json!({
                "matter": matter, "number": shown.number, "phase": shown.ring.phase, "ring": shown.session,
            })),
            false => out::text(&render::ring::status(&shown, out::width())),
        }
        Ok(ExitCode::from(match shown.status {
            wire::StatusWord::Passed | wire::StatusWord::Resolved => code::PASSED,
            wire::StatusWord::Rejected => code::REJECTED,
            wire::StatusWord::Running
            | wire::StatusWord::Open
            | wire::StatusWord::Frozen
            | wire::StatusWord::Waiting
            | wire::StatusWord::Listed
            | wire::StatusWord::NeedsContext
            | wire::StatusWord::Paused
            | wire::StatusWord::Interrupted
            | wire::StatusWord::Undecided
            | wire::StatusWord::Contested
            | wire::StatusWord::Estimated
            | wire::StatusWord::Closed => code::UNDECIDED,
        }))
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
    use synod_core::kernel::About;
    act.events().iter().any(|event| match event.about() {
        About::House => false,
        About::Matter(matter) => matter == case.id,
        // Asks of a matter that are over are not looked up any more; they were born by acts of it.
        About::Ask(ask) => ask.0.act >= case.id.0.act,
    })
}

/// Somebody invited: a name and, where it is known, a model.
fn invited(written: &str) -> Result<(String, Option<String>)> {
    match written.split_once('=') {
        Some((name, model)) if !model.trim().is_empty() => {
            Ok((text::one_line(name), Some(text::one_line(model))))
        }
        Some(_) => {
            let message =
                format!("`--invite {written}` has no model after the `=`: write NAME or NAME=MODEL");
            Err(Fail::usage(message))
        }
        None => Ok((text::one_line(written), None)),
    }
}

/// The seats of those invited. What is known of an outside participant stays known.
fn seats(house: &House, invite: &[String]) -> Result<Vec<Seat>> {
    let mut seats: Vec<Seat> = Vec::new();
    for written in invite {
        let (name, model) = invited(written)?;
        let who = Who::parse(&name).map_err(Fail::usage)?;
        if seats.iter().any(|seat| seat.who == who) {
            let refusal = synod_core::roster::Refusal::SeatTwice { who };
            return Err(Fail::new(code::USAGE, refusal.code(), refusal.to_string()));
        }
        let known = house.roster().get(&who).filter(|seat| seat.kind == SeatKind::Outside);
        let model = model.or_else(|| known.and_then(|seat| seat.model.clone()));
        let (kind, backend) = (SeatKind::Outside, "outside".into());
        seats.push(Seat { kind, backend, model, name, persona: None, profile: None, who });
    }
    Ok(seats)
}
