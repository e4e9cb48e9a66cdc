//! `synod fork`

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use synod_core::house::Case;
use synod_core::kernel::{Digest, Id, MatterId};
use synod_core::procedure::council;
use synod_core::{Command, House, charter::Charter};
use synod_engine::Order;

use super::Context;
use super::sources::SourcesArg;
use crate::casting::PerformArgs;
use crate::cli::limits::{LimitArgs, SettingArgs, affordable};
use crate::context::length_of;
use crate::fail::{Fail, Result, code};
use crate::house::{Sourced, ahead, charter, flaw_line};
use crate::matter_arg::{MatterArg, pick};
use crate::opening::open_or_fail;
use crate::out;
use crate::plan::{Plan, plan};
use crate::run::{Interrupts, ShowOptions, through};
use crate::seats::{SeatArgs, SeatTable, again, hidden, set};

/// Branch off after a round of a matter, change something, and compare the results.
///
/// The fork shares every round up to the one you name. The original matter does not change. Judges and scribe stay
/// the same. When the fork is over, both matters are shown side by side.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod fork 3 --at-round 1 --charter adversarial\n  synod fork --at-round 2 --focus \"Does it fit?\""
)]
pub(crate) struct ForkArgs {
    /// The matter to branch off from: number, id or `last`; the newest if left out.
    matter: Option<MatterArg>,
    /// The last round that both matters share.
    #[arg(long, value_name = "K")]
    at_round: u32,
    /// Another charter, by name or file; the same if left out. The fork starts at the beginning of that charter.
    #[arg(long, value_name = "NAME|FILE", help_heading = "Rules")]
    charter: Option<String>,
    /// A seat and what answers for it, as for `synod debate` (repeatable). The seats you give replace all seats; the
    /// same seats if left out.
    #[arg(long = "seat", value_name = "NAME=BACKEND", help_heading = "Seats")]
    seat: Vec<String>,
    /// A file of seats ([[seat]] with `name`, `backend` and `persona`) that replace all seats.
    #[arg(long, value_name = "FILE", conflicts_with = "seat", help_heading = "Seats")]
    seats: Option<PathBuf>,
    /// A question that the next round must answer first.
    #[arg(long, value_name = "TEXT")]
    focus: Option<String>,
    #[command(flatten)]
    sources: SourcesArg,
    /// Run one round at a time; `synod continue` runs the next.
    #[arg(long)]
    step: bool,
    #[command(flatten)]
    settings: SettingArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    perform: PerformArgs,
    /// Show no progress, only the decision and the comparison.
    #[arg(long, short)]
    quiet: bool,
}

impl ForkArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let (mut house, _) = context.house.read()?;
        let from = pick(&mut house, self.matter)?;
        let Some(origin) = house.case(from) else { return Ok(ExitCode::SUCCESS) };
        let mut fork = self.plain(from)?;
        // A round that never was is said before anything is set up for it.
        ahead(&house, &Command::Council(council::Command::Fork(Box::new(fork.clone()))))?;
        let root = self.sources.root_for(&context.house, &house, from)?;
        let dir = context.house.dir();
        let sourced = self.charter.as_deref().map(|wanted| charter(dir, wanted)).transpose()?;
        let rules = self.rules(&house, origin, sourced.as_ref(), &mut fork)?;
        let table = self.table(context, origin, &rules).await?;
        // Those of its origin are hidden as well: what they said is read on.
        let everyone =
            origin.opening.seats.iter().filter(|seat| table.everyone().all(|it| it.who != seat.who));
        if let Some(short) = hidden(&rules, &origin.opening.question, everyone.chain(table.everyone()))? {
            out::error(&out::clean(&format!("warning: {short}")));
        }
        let read = length_of(origin.dossier.material.values());
        let plan = Plan { calls_least: 1, ..plan(&rules, &origin.opening.question, &table, false, read) };
        affordable(&plan, &fork.limits)?;
        let shares = format!("matter {} after round {}", origin.number, fork.round);
        self.announce(&shares, sourced.as_ref(), &rules, &table, &plan, context.json);
        let others = !self.seat.is_empty() || self.seats.is_some();
        fork.seats = others.then(|| table.seats.iter().map(|seat| seat.who.clone()).collect());

        let interrupts = Interrupts::listen().await;
        let engine =
            context.house.engine_reading("synod fork", table.minds, self.sources.reach(root)?).await?;
        let seats = if others { table.seats.as_slice() } else { &[] };
        let opening = Order::operator(Command::Council(council::Command::Fork(Box::new(fork))));
        let opened = open_or_fail(&engine, sourced.as_ref(), seats, opening).await?;
        let id = MatterId(Id { act: opened.seq, nth: 0 });
        let show = ShowOptions { json: context.json, quiet: self.quiet, beside: Some(from) };
        through(&context.house, engine, id, opened.seq, Some(plan), show, interrupts).await
    }

    /// The fork without another charter or other seats.
    fn plain(&self, from: MatterId) -> Result<council::Fork> {
        Ok(council::Fork {
            from,
            round: self.at_round,
            charter: None,
            seats: None,
            limits: self.limits.limits()?,
            moved: BTreeMap::new(),
            focus: self.focus.clone(),
            stepwise: self.step,
        })
    }

    /// The rules it runs under, with changed settings. Under the same charter, settings that were changed stay so.
    fn rules(
        &self,
        house: &House,
        origin: &Case,
        sourced: Option<&Sourced>,
        fork: &mut council::Fork,
    ) -> Result<Arc<Charter>> {
        let before: Digest = origin.opening.charter.digest;
        let digest = sourced.map_or(before, |sourced| sourced.digest);
        let rules = match sourced {
            Some(sourced) => Arc::new(sourced.charter.clone()),
            None => {
                house.charter(&before).map_or_else(|| origin.charter.clone(), |known| known.rules.clone())
            }
        };
        fork.charter = sourced.map(|sourced| sourced.digest);
        if digest == before {
            fork.moved.clone_from(&origin.opening.moved);
        }
        self.settings.add_to(&mut fork.moved)?;
        let motion = origin.opening.motion.as_deref().filter(|kind| rules.motion(kind).is_some());
        let moved = rules
            .resolve(&fork.moved, motion)
            .map_err(|refusal| Fail::new(code::USAGE, refusal.code(), refusal.to_string()))?;
        Ok(rules.with(&moved, motion))
    }

    /// Who sits there, with what answers for everybody.
    async fn table(&self, context: &Context, origin: &Case, rules: &Charter) -> Result<SeatTable> {
        let dir = context.house.dir();
        let opening = &origin.opening;
        let clerks: Vec<_> = opening.judges.iter().chain(&opening.scribe).cloned().collect();
        let mut table = if self.seat.is_empty() && self.seats.is_none() {
            let minds = again(dir, &opening.seats, &self.perform)?;
            SeatTable { seats: opening.seats.clone(), minds, ..SeatTable::default() }
        } else {
            let args = SeatArgs {
                seat: self.seat.clone(),
                seats: self.seats.clone(),
                only: true,
                ..SeatArgs::default()
            };
            set(dir, &args, &self.perform, rules).await?
        };
        if !table.judges.is_empty() || table.scribe.is_some() {
            let note =
                "the judges and scribe in the file are ignored: a fork keeps those of the original matter";
            table.note = Some(note.into());
        }
        table.minds.extend(again(dir, &clerks, &self.perform)?);
        (table.judges, table.scribe) = (opening.judges.clone(), opening.scribe.clone());
        if origin.names.are_hidden() && !rules.hides_names() {
            let note = format!(
                "the charter {} shows names, but what was said in {} was anonymous: names stay hidden from the seats",
                rules.name, origin.id
            );
            table.noted(Some(note));
        }
        Ok(table)
    }

    /// Says what is about to happen and what it may cost.
    fn announce(
        &self,
        origin: &str,
        sourced: Option<&Sourced>,
        rules: &Charter,
        table: &SeatTable,
        plan: &Plan,
        json: bool,
    ) {
        let tell = |line: String| out::error(&out::clean(&line));
        if let Some(sourced) = sourced {
            sourced.warnings.iter().for_each(|warning| tell(flaw_line(&sourced.origin, warning)));
        }
        let notes = sourced.and_then(|sourced| sourced.replaces.as_ref()).into_iter().chain(&table.note);
        notes.for_each(|note| tell(format!("note: {note}")));
        if !(self.quiet || json) {
            let seats: Vec<String> =
                table.seats.iter().map(|seat| format!("{} = {}", seat.name, seat.backend)).collect();
            tell(format!("fork:    of {origin}"));
            tell(format!("charter: {} ({})", rules.name, rules.title));
            tell(format!("seats:   {}", seats.join(", ")));
            tell(format!("plan:    {}", plan.line()));
            if let Some(line) = plan.reaches() {
                tell(format!("reaches: {line}"));
            }
            plan.warnings().for_each(tell);
        }
    }
}
