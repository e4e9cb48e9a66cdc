//! `synod workshop`: seats that Synod performs comment on an issue under its rules.

use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use synod_core::issue::{self, IssueStatus, ThawCause};
use synod_core::kernel::{AskId, Id, MatterId, Seat, SeatKind, Who};
use synod_core::procedure::workshop::{
    Command as WorkshopCommand, CommentAllowance, CommentOutcome, UNREADABLE, held_by,
};
use synod_core::roster::WorkRole;
use synod_core::{Act, Command, Event, House, Outcome, ask, floor, gate};
use synod_engine::{Engine, Feed, Order};

use super::sources::Reach;
use super::{Context, on_runtime};
use crate::casting::PerformArgs;
use crate::fail::{Fail, Result, code};
use crate::house::{charter, give_all, keep_receipts_of_issues};
use crate::issues::{meant, preflight};
use crate::matter_arg::MatterArg;
use crate::out;
use crate::seats::{SeatArgs, set};
use crate::wire::TurnedAway;

/// Let configured seats work on an issue, together with people and outside agents.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod workshop run --issue 3")]
pub(crate) struct WorkshopArgs {
    #[command(subcommand)]
    command: WorkshopSubcommand,
}

#[derive(Debug, Subcommand)]
enum WorkshopSubcommand {
    Run(Box<WorkshopRunArgs>),
}

impl WorkshopArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        match self.command {
            WorkshopSubcommand::Run(args) => on_runtime(args.run(context)),
        }
    }
}

/// Have seats comment on an issue, one after the other, until it is settled or frozen or nobody has anything to add.
///
/// Each seat reads what it may see, its budget and what was wrong with its last comment. A refused comment costs no
/// further call. An answer that cannot be read is kept and shown as unreadable, and its seat is asked again in the next
/// round. A frozen issue goes to the moderator's seat, if there is one. Roles come from `synod agents appoint`.
/// It also runs while `synod serve` owns the house, so that seats and outside agents work on one issue together.
///
/// With --rehearse, placeholders write in the issue and use up its budgets: try it on an issue that you can spare. Their
/// comments are marked wherever the issue is shown, and so is its receipt; a resolution after them is degraded.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  synod workshop run --issue 3\n  \
              synod workshop run --issue 3 --seat critic=openai:gpt-4.1-mini --seat writer=ollama:qwen3\n  \
              synod workshop run --issue 3 --read-files\n  \
              synod workshop run --issue 3 --rehearse\n\n\
              Exit codes: 0 resolved, 1 frozen, 2 still open, 69 no seat could be reached, 70 no model.")]
pub(crate) struct WorkshopRunArgs {
    /// The issue: number, id or `last`.
    #[arg(long, value_name = "ISSUE")]
    issue: MatterArg,
    /// Ask every seat at most this often.
    #[arg(long, value_name = "COUNT", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=20))]
    rounds: u32,
    /// Let seats whose models can use tools list, read and search the files of the project, which are those that comments
    /// cite. Secrets, links and .git are never read. What is read goes to the providers of these seats.
    #[arg(long, help_heading = "Material")]
    read_files: bool,
    #[command(flatten)]
    seats: SeatArgs,
    #[command(flatten)]
    perform: PerformArgs,
    /// Show no progress, only the result.
    #[arg(long, short)]
    quiet: bool,
}

impl WorkshopRunArgs {
    async fn run(self: Box<Self>, context: &Context) -> Result<ExitCode> {
        let dir = context.house.dir();
        let matter = {
            let (house, _) = context.house.look()?;
            let matter = meant(&house, self.issue)?;
            preflight(&house)?;
            matter
        };
        let sourced = charter(dir, "workshop")?;
        let table = set(dir, &self.seats, &self.perform, &sourced.charter).await?;
        if let Some(note) = &table.note {
            out::error(&out::clean(&format!("note: {note}")));
        }
        let begun = synod_engine::now();
        let sources = context.house.evidence_root().filter(|_| self.read_files);
        let reach = Reach { sources, issues_read: true, tools: true, ..Reach::default() };
        let engine = context.house.engine_reading("synod workshop", table.minds, reach).await?;
        let ran = async {
            enrol(&engine, &table.seats).await?;
            let mut session =
                WorkshopSession::begin(&engine, matter, &table.seats, self.quiet || context.json).await?;
            session.work(self.rounds).await?;
            Ok::<_, Fail>(session.told(context.json))
        };
        let interrupted = async {
            let _ = tokio::signal::ctrl_c().await;
            Err(Fail::new(code::INTERRUPTED, "workshop/interrupted", "stopped; every comment so far is kept"))
        };
        let ran = tokio::select! { ran = ran => ran, stopped = interrupted => stopped };
        keep_receipts_of_issues(&context.house, &engine, begun);
        engine.end();
        ran
    }
}

async fn enrol(engine: &Engine, seats: &[Seat]) -> Result<()> {
    let new = engine.read(|house| {
        let changed = seats.iter().filter(|seat| house.roster().get(&seat.who) != Some(*seat));
        changed.map(|seat| Command::Enrol { seat: seat.clone() }).collect()
    });
    give_all(engine, new).await
}

/// What became of one ask.
enum SeatAnswer {
    Posted(Id),
    Refused(TurnedAway),
    Skipped(String),
    /// It answered, and nobody can tell what. The answer is in the record.
    Unreadable(String),
    Failed(String),
    /// The moderator did something to the issue: what.
    Moderated(&'static str),
}

/// One run.
struct WorkshopSession<'a> {
    engine: &'a Engine,
    feed: Feed,
    matter: MatterId,
    seats: &'a [Seat],
    quiet: bool,
    steps: Vec<Value>,
    answered: u32,
    failed: u32,
}

impl<'a> WorkshopSession<'a> {
    async fn begin(engine: &'a Engine, matter: MatterId, seats: &'a [Seat], quiet: bool) -> Result<Self> {
        let feed = engine.feed(engine.read(House::seq).next()).await?;
        Ok(Self { engine, feed, matter, seats, quiet, steps: Vec::new(), answered: 0, failed: 0 })
    }

    async fn work(&mut self, rounds: u32) -> Result<()> {
        self.tell_who_has_nothing_left();
        for _ in 0..rounds {
            let mut anything = false;
            for seat in self.seats {
                if self.status() != IssueStatus::Open {
                    break;
                }
                if self.may_comment(&seat.who) {
                    anything |= self.ask(&seat.who).await?;
                }
            }
            if self.status() == IssueStatus::Frozen {
                self.moderate().await?;
            }
            if !anything || self.status() != IssueStatus::Open {
                return Ok(());
            }
        }
        Ok(())
    }

    /// A frozen issue goes to the moderator's seat, once.
    async fn moderate(&mut self) -> Result<()> {
        let moderator = self.seats.iter().find(|seat| self.role(&seat.who) == Some(WorkRole::Moderator));
        match moderator {
            Some(seat) => self.ask(&seat.who).await.map(drop),
            None => Ok(()),
        }
    }

    fn role(&self, who: &Who) -> Option<WorkRole> {
        self.engine.read(|house| house.roster().appointment(who).role)
    }

    fn status(&self) -> IssueStatus {
        self.engine.read(|house| {
            let row = house.docket().row(self.matter);
            row.map_or(IssueStatus::Closed, |row| row.stands(synod_engine::now()))
        })
    }

    /// Whether a seat has something left to write. Moderators are asked when something froze.
    fn may_comment(&self, who: &Who) -> bool {
        self.engine.read(|house| {
            let allowance = house
                .case(self.matter)
                .and_then(|case| CommentAllowance::of(house, case, who, synod_engine::now()));
            let moderates = house.roster().appointment(who).role == Some(WorkRole::Moderator);
            !moderates && allowance.is_some_and(|left| left.may_comment())
        })
    }

    /// Says of whom nothing can come before anybody is asked: a run that asks nobody has to say why.
    fn tell_who_has_nothing_left(&mut self) {
        if self.status() != IssueStatus::Open {
            return;
        }
        for seat in self.seats {
            let moderates = self.role(&seat.who) == Some(WorkRole::Moderator);
            if !moderates && !self.may_comment(&seat.who) {
                let why = "has no comment left on this issue, so it is not asked";
                self.note(&seat.who, "not-asked", json!({ "why": why }), why);
            }
        }
    }

    /// Whether placeholders sit at the table: what they write is nobody's opinion.
    fn rehearses(&self) -> bool {
        self.seats.iter().any(|seat| seat.kind == SeatKind::Rehearsal)
    }

    /// Asks one seat, and waits for what becomes of it; whether it had something to say.
    async fn ask(&mut self, who: &Who) -> Result<bool> {
        self.tell(&format!("{who} is asked"));
        // One that a killed run has asked is performed again by this one, and its answer is waited for.
        if let Some(ask) = self.asked(who) {
            let answer = self.wait(ask).await?;
            return Ok(self.heard(who, answer));
        }
        let invite = WorkshopCommand::Invite { issue: self.matter, who: who.clone() };
        let act = self.engine.submit(Order::operator(Command::Workshop(invite))).await?.act;
        if let Outcome::Refused { code, message } = &act.outcome {
            self.note(who, "refused", json!({ "code": code, "message": message }), message);
            return Ok(false);
        }
        let called =
            act.events().iter().position(|event| matches!(event, Event::Floor(floor::Event::Called { .. })));
        let ask = AskId(Id { act: act.seq, nth: called.unwrap_or_default() as u16 });
        let answer = self.wait(ask).await?;
        Ok(self.heard(who, answer))
    }

    /// The ask of a seat that is open already.
    fn asked(&self, who: &Who) -> Option<AskId> {
        self.engine.read(|house| {
            let case = house.case(self.matter)?;
            case.asks().iter().find(|(_, open)| open.is_of(who)).map(|(ask, _)| *ask)
        })
    }

    async fn wait(&mut self, ask: AskId) -> Result<SeatAnswer> {
        loop {
            let Some(act) = self.feed.next().await? else { return Err(self.engine.trouble().into()) };
            let Some(answer) = answer_in(&act, ask) else { continue };
            // A comment that cites files is not decided before they were read.
            return match held_by(&act) {
                Some(check) => Ok(commented(&*self.engine.closing(check, &act).await?)),
                None => Ok(answer),
            };
        }
    }

    fn heard(&mut self, who: &Who, answer: SeatAnswer) -> bool {
        self.answered += 1;
        match answer {
            SeatAnswer::Posted(id) => {
                self.note(who, "posted", json!({ "comment": id }), &format!("comment {id}"));
                true
            }
            SeatAnswer::Refused(turned) => {
                self.note(who, "turned-away", json!(turned), &turned.message());
                true
            }
            SeatAnswer::Moderated(did) => {
                self.note(who, "moderated", json!({ "did": did }), did);
                true
            }
            SeatAnswer::Skipped(why) => {
                self.note(who, "skipped", json!({ "why": why }), &why);
                false
            }
            // Asked again in the next round, where its brief says so.
            SeatAnswer::Unreadable(why) => {
                self.note(who, "unreadable", json!({ "why": why }), &format!("unreadable: {why}"));
                true
            }
            SeatAnswer::Failed(why) => {
                self.answered -= 1;
                self.failed += 1;
                self.note(who, "failed", json!({ "why": why }), &format!("could not be reached: {why}"));
                false
            }
        }
    }

    fn note(&mut self, who: &Who, what: &str, fields: Value, words: &str) {
        self.steps.push(json!({ "who": who, "what": what, "about": fields }));
        self.tell(&format!("{who}: {words}"));
    }

    fn tell(&self, line: &str) {
        if !self.quiet {
            out::error(&out::clean(line));
        }
    }

    /// The end of it.
    fn told(&self, as_json: bool) -> ExitCode {
        let status = self.status();
        let number = self.engine.read(|house| house.docket().row(self.matter).map_or(0, |row| row.number));
        if self.answered == 0 && self.failed > 0 {
            return Fail::new(code::UNAVAILABLE, "workshop/no-answer", "no seat could be reached")
                .show(as_json);
        }
        let next = match status {
            IssueStatus::Open | IssueStatus::Resolved | IssueStatus::Closed => {
                format!("synod issue show {number}")
            }
            IssueStatus::Frozen => format!("synod issue unfreeze {number} --guidance \"…\""),
        };
        match as_json {
            true => {
                let rehearsal = self.rehearses();
                out::json(&json!({
                    "issue": number, "status": status, "rehearsal": rehearsal, "steps": self.steps, "next": next,
                }))
            }
            false => {
                let rehearsal = if self.rehearses() { " [rehearsal: nobody reasoned]" } else { "" };
                let nobody = if self.steps.is_empty() { "; there was nobody to ask" } else { "" };
                out::line(&format!("issue #{number} is {}{rehearsal}{nobody}; next: {next}", status.word()));
            }
        }
        ExitCode::from(match status {
            IssueStatus::Resolved => code::PASSED,
            IssueStatus::Frozen => code::REJECTED,
            IssueStatus::Open | IssueStatus::Closed => code::UNDECIDED,
        })
    }
}

/// What became of what a seat wrote.
fn commented(act: &Act) -> SeatAnswer {
    if let Some(did) = deed(act) {
        return SeatAnswer::Moderated(did);
    }
    match CommentOutcome::of(act) {
        Some(CommentOutcome::Posted { id }) => SeatAnswer::Posted(id),
        Some(CommentOutcome::Refused { .. }) => {
            let nothing = "did nothing to the issue";
            TurnedAway::of(act).map_or(SeatAnswer::Moderated(nothing), SeatAnswer::Refused)
        }
        Some(CommentOutcome::Unchecked { reason, .. }) => SeatAnswer::Skipped(reason.to_string()),
        // An act without a comment: of what a moderator does, only an order leaves none.
        None => SeatAnswer::Moderated("has somebody object"),
    }
}

/// What a moderator's seat did to the issue by what it wrote.
fn deed(act: &Act) -> Option<&'static str> {
    act.events().iter().find_map(|event| match event {
        Event::Issue(issue::Event::Thawed { cause: ThawCause::Unfrozen, .. }) => {
            Some("let it go on, with guidance")
        }
        Event::Issue(issue::Event::Escalated { .. }) => Some("asked the user"),
        Event::Gate(gate::Event::Posted { said, .. }) => said.forces_resolution().then_some("decided it"),
        _ => None, // what anybody's comment leads to
    })
}

/// What an act says became of an ask, if it says anything of it.
fn answer_in(act: &Act, of: AskId) -> Option<SeatAnswer> {
    act.events().iter().find_map(|event| match event {
        Event::Floor(floor::Event::Released { ask }) if *ask == of => Some(commented(act)),
        Event::Floor(floor::Event::Skipped { ask, why }) if *ask == of => {
            Some(SeatAnswer::Skipped(why.clone().unwrap_or_default()))
        }
        Event::Ask(ask::Event::Lapsed { ask, cause, .. }) if *ask == of && cause.code == UNREADABLE => {
            Some(SeatAnswer::Unreadable(cause.detail.to_string()))
        }
        Event::Ask(ask::Event::Lapsed { ask, cause, .. }) if *ask == of => {
            Some(SeatAnswer::Failed(format!("{} ({})", cause.detail, cause.code)))
        }
        _ => None, // of something else
    })
}
