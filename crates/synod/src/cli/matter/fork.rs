//! `synod matter fork`

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use synod_core::house::Case;
use synod_core::kernel::{Digest, Id, MatterId};
use synod_core::{Command, House, charter::Charter, command};
use synod_engine::Order;

use super::Context;
use crate::cli::limits::{KnobArgs, LimitArgs, affordable};
use crate::fail::{Fail, Result, code};
use crate::house::{Sourced, ahead, charter, flaw_line, pick};
use crate::opening::open_or_fail;
use crate::out;
use crate::plan::{Plan, plan};
use crate::run::{Interrupts, Show, through};
use crate::seats::{CassetteArgs, SeatArgs, Table, again, hidden, set};

/// Branch off from a round of a matter, change something, and see where it leads.
///
/// The fork shares every round up to the one named, and goes its own way from there; the matter it comes
/// from stays as it is. Judges and scribe are the same. When it is over, the two are compared.
#[derive(Debug, Args)]
pub(crate) struct Fork {
    /// The matter to branch off from; the last one if left out.
    matter: Option<MatterId>,
    /// The last round both share.
    #[arg(long, value_name = "K")]
    at_round: u32,
    /// Another charter, by name or as a file; the same if left out. The fork enters it at its beginning.
    #[arg(long, value_name = "NAME|FILE")]
    charter: Option<String>,
    /// A seat of the fork and what answers for it, as for `synod debate`. Those given take the place of all
    /// seats; the same seats if left out. May be given several times.
    #[arg(long = "seat", value_name = "NAME=MIND")]
    seat: Vec<String>,
    /// A file of seats, [[seat]] with name, mind and persona, in place of all seats.
    #[arg(long, value_name = "FILE", conflicts_with = "seat")]
    seats: Option<PathBuf>,
    /// A question the next round shall answer first.
    #[arg(long, value_name = "TEXT")]
    focus: Option<String>,
    /// Hold one round at a time; `synod matter continue` holds the next.
    #[arg(long)]
    step: bool,
    #[command(flatten)]
    knobs: KnobArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    cassettes: CassetteArgs,
    /// No progress, only the decision and the comparison.
    #[arg(long, short)]
    quiet: bool,
}

impl Fork {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let (house, _) = context.house.read()?;
        let from = pick(&house, self.matter)?;
        let Some(origin) = house.case(from) else { return Ok(ExitCode::SUCCESS) };
        let mut fork = self.plain(from)?;
        // A round that never was is said before anything is set up for it.
        ahead(&house, &Command::Fork(Box::new(fork.clone())))?;
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
        let plan = Plan { calls_least: 1, ..plan(&rules, &origin.opening.question, &table, false) };
        affordable(&plan, &fork.limits)?;
        self.announce(&fork, sourced.as_ref(), &rules, &table, &plan, context.json);
        let others = !self.seat.is_empty() || self.seats.is_some();
        fork.seats = others.then(|| table.seats.iter().map(|seat| seat.who.clone()).collect());

        let interrupts = Interrupts::listen().await;
        let engine = context.house.engine("synod matter fork", table.minds).await?;
        let seats = if others { table.seats.as_slice() } else { &[] };
        let opening = Order::operator(Command::Fork(Box::new(fork)));
        let opened = open_or_fail(&engine, sourced.as_ref(), seats, opening).await?;
        let id = MatterId(Id { act: opened.seq, nth: 0 });
        let show = Show { json: context.json, quiet: self.quiet, synthesist: None, beside: Some(from) };
        through(&context.house, engine, id, opened.seq, Some(plan), show, interrupts).await
    }

    /// The fork without another charter or other seats.
    fn plain(&self, from: MatterId) -> Result<command::Fork> {
        Ok(command::Fork {
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

    /// The rules it is held under, knobs moved. Under the same charter knobs that were moved stay so.
    fn rules(
        &self,
        house: &House,
        origin: &Case,
        sourced: Option<&Sourced>,
        fork: &mut command::Fork,
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
        self.knobs.add_to(&mut fork.moved)?;
        rules
            .moved(&fork.moved)
            .map_err(|refusal| Fail::new(code::USAGE, refusal.code(), refusal.to_string()))
    }

    /// Who sits there, with what answers for everybody.
    async fn table(&self, context: &Context, origin: &Case, rules: &Charter) -> Result<Table> {
        let dir = context.house.dir();
        let opening = &origin.opening;
        let clerks: Vec<_> = opening.judges.iter().chain(&opening.scribe).cloned().collect();
        let mut table = if self.seat.is_empty() && self.seats.is_none() {
            let minds = again(dir, &opening.seats, &self.cassettes)?;
            Table { seats: opening.seats.clone(), minds, ..Table::default() }
        } else {
            let args = SeatArgs { seat: self.seat.clone(), seats: self.seats.clone(), ..SeatArgs::default() };
            set(dir, &args, &self.cassettes, rules).await?
        };
        if !table.judges.is_empty() || table.scribe.is_some() {
            let note = "judges and scribe of the file are left out: a fork keeps those of its origin";
            table.note = Some(note.into());
        }
        table.minds.extend(again(dir, &clerks, &self.cassettes)?);
        (table.judges, table.scribe) = (opening.judges.clone(), opening.scribe.clone());
        Ok(table)
    }

    /// Says what is about to happen and what it may cost.
    fn announce(
        &self,
        fork: &command::Fork,
        sourced: Option<&Sourced>,
        rules: &Charter,
        table: &Table,
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
                table.seats.iter().map(|seat| format!("{} = {}", seat.name, seat.mind)).collect();
            tell(format!("fork:    of matter {} after round {}", fork.from, fork.round));
            tell(format!("charter: {} ({})", rules.name, rules.title));
            tell(format!("seats:   {}", seats.join(", ")));
            tell(format!("plan:    {}", plan.line()));
        }
    }
}
