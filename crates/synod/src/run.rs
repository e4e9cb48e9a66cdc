//! Running a matter: progress while it runs, a resumable pause on Ctrl-C, the decision at the end.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use serde_json::json;
use synod_core::ask::{self, Chore};
use synod_core::kernel::{AskId, Cause, Decision, Id, MatterId, Seq, UndecidedReason, Who};
use synod_core::matter::{Pause, Status};
use synod_core::procedure::council;
use synod_core::view::{Comparison, Report};
use synod_core::{Act, Command, Event, House, Outcome, Task};
use synod_engine::{Engine, Order, Signal};
use synod_journal::{Receipt, Stall};
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::broadcast::error::RecvError;

use crate::fail::{self, Fail, Result, code};
use crate::house::{HouseArg, keep_receipt, order, quoted};
use crate::matter_arg::number;
use crate::onlookers::Onlookers;
use crate::plan::Plan;
use crate::progress::Progress;
use crate::{live, out, render};

/// The options for showing a result.
#[derive(Debug, Clone)]
pub(crate) struct ShowOptions {
    pub(crate) json: bool,
    pub(crate) quiet: bool,
    /// The matter to compare it with when it is over.
    pub(crate) beside: Option<MatterId>,
}

/// How long one process waits for what another does to a matter.
pub(crate) const PATIENCE: Duration = Duration::from_secs(10);

/// Ctrl-C, heard from the moment of listening on. A matter is opened only after that: whoever stops it in
/// its first instant gets a resting matter too, and no dead process.
#[derive(Debug)]
pub(crate) struct Interrupts(tokio::sync::mpsc::UnboundedReceiver<()>);

impl Interrupts {
    /// Begins to listen.
    pub(crate) async fn listen() -> Self {
        let (heard, hears) = tokio::sync::mpsc::unbounded_channel();
        // Whoever asks the process to end, by key, by service manager or by closing the terminal, gets the same.
        for kind in [SignalKind::interrupt(), SignalKind::terminate(), SignalKind::hangup()] {
            if let Ok(mut signal) = signal(kind) {
                let heard = heard.clone();
                tokio::spawn(async move { while signal.recv().await.is_some() && heard.send(()).is_ok() {} });
            }
        }
        Self(hears)
    }
}

/// Follows a matter from act `from` on until it is over or interrupted.
pub(crate) async fn through(
    house: &HouseArg,
    engine: Engine,
    matter: MatterId,
    from: Seq,
    plan: Option<Plan>,
    show: ShowOptions,
    mut interrupts: Interrupts,
) -> Result<ExitCode> {
    let mut shown = RunDisplay::new(&engine, &show);
    let followed = follow(&engine, matter, from, &mut shown, &mut interrupts).await;
    // Whatever failed, the matter is still there.
    let number = engine.read(|folded| number(folded, matter));
    let go_on = || format!("what was recorded is kept; then resume with: {}", resume_line(house, number));
    let status = followed.map_err(|fail| fail.and(&go_on()))?;
    match status {
        Status::Settled(decision) => {
            if decision == Decision::Undecided(UndecidedReason::Stopped) {
                out::error("stopped from another terminal");
            }
            // The decision stands without a summary; where one was wished for it is said why there is none.
            let summed = summed_up(&engine, matter, &mut interrupts, &show, &mut shown).await;
            drop(shown);
            match summed {
                Ok(Some((by, cause))) => out::error(&unsummed(house, number, &by, &cause)),
                Ok(None) => (),
                Err(fail) => out::error(&format!("no summary: {}", out::clean(fail.message()))),
            }
            let concluded = engine.read_with(std::iter::once(matter).chain(show.beside), |folded| {
                conclude(house, folded, matter, &show)
            })??;
            // The writer leaves last, so that it folds its log into the one file.
            engine.end();
            Ok(finish(house, &concluded, decision, plan, &show))
        }
        Status::Paused(Pause::NeedsContext | Pause::BetweenRounds) => {
            drop(shown);
            let report = engine.read(|house| house.case(matter).map(|case| Onlookers::of(case).report()));
            engine.end();
            Ok(report.map_or(ExitCode::from(code::UNDECIDED), |report| waits(house, &report, &show)))
        }
        Status::Paused(Pause::Unusable) => {
            drop(shown);
            let report = engine.read(|house| house.case(matter).map(Report::of));
            engine.end();
            Ok(report.map_or(ExitCode::from(code::UNAVAILABLE), |report| halted(house, &report, &show)))
        }
        Status::Paused(Pause::Operator | Pause::Interrupted | Pause::Listed) | Status::Running => {
            drop(shown);
            engine.end();
            Ok(paused(house, matter, number, &show))
        }
    }
}

/// The display while a matter runs.
struct RunDisplay {
    progress: Progress,
    signals: tokio::sync::broadcast::Receiver<Signal>,
    /// Draws the seats at work anew, since they count seconds.
    beat: tokio::time::Interval,
}

impl RunDisplay {
    fn new(engine: &Engine, show: &ShowOptions) -> Self {
        let mut beat = tokio::time::interval(live::BEAT);
        beat.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        Self { progress: Progress::new(show.quiet || show.json), signals: engine.signals(), beat }
    }

    /// Shows how the seats are getting on, until the end of days.
    async fn watch(&mut self, engine: &Engine, matter: MatterId) {
        loop {
            tokio::select! {
                signal = self.signals.recv() => match signal {
                    Ok(signal) => engine.read(|house| {
                        if let Some(case) = house.case(matter).filter(|_| signal.matter == matter) {
                            self.progress.live(case, &signal);
                        }
                    }),
                    // They came faster than they were looked at; the next ones say what holds.
                    Err(RecvError::Lagged(_)) => (),
                    Err(RecvError::Closed) => return std::future::pending().await,
                },
                _ = self.beat.tick(), if self.progress.is_live() => engine.read(|house| {
                    if let Some(case) = house.case(matter) {
                        self.progress.beat(case);
                    }
                }),
            }
        }
    }
}

/// Tells what happens until the matter does not run any more; Ctrl-C lays it to rest.
async fn follow(
    engine: &Engine,
    matter: MatterId,
    from: Seq,
    shown: &mut RunDisplay,
    interrupts: &mut Interrupts,
) -> Result<Status> {
    let mut feed = engine.feed(from).await?;
    let mut stall = engine.stall();
    loop {
        // Both at one moment: a head that is ahead of the status would tell the end and then wait for more.
        let (status, head) =
            engine.read(|house| (house.summary(matter).map(|known| known.status), house.seq()));
        let Some(status) = status else {
            return Err(Fail::new(code::NO_INPUT, "matter/unknown", "the matter is gone"));
        };
        // Everything up to the status just read is told before acting on it.
        tell(engine, &mut feed, matter, head, &mut shown.progress).await?;
        match status {
            Status::Settled(_) | Status::Paused(_) => return Ok(status),
            Status::Running => (),
        }
        tokio::select! {
            act = feed.next() => match act? {
                Some(act) => engine.read(|house| {
                    if let Some(case) = house.case(matter) {
                        shown.progress.show(case, &act);
                    }
                }),
                None => return Err(engine.trouble().into()),
            },
            () = shown.watch(engine, matter) => (),
            Ok(()) = stall.changed() => tell_stall(stall.borrow_and_update().as_ref()),
            Some(()) = interrupts.0.recv() => {
                let order = Order::operator(Command::Pause { matter, why: Pause::Operator });
                match &engine.submit(order).await?.act.outcome {
                    // It may have ended in the same moment; the loop sees that.
                    Outcome::Done(_) | Outcome::Refused { .. } => (),
                }
            }
        }
    }
}

/// Says that nothing can be written, or that it can be again.
pub(crate) fn tell_stall(stall: Option<&Stall>) {
    out::error(&match stall {
        Some(stall) => format!(
            "paused: {}\nno seat is charged for this time, and answers are kept; it goes on by itself when the journal can be written",
            out::clean(&stall.said)
        ),
        None => "the journal can be written again; going on".into(),
    });
}

/// Tells acts up to a number, so that nothing is left untold at the end.
async fn tell(
    engine: &Engine,
    feed: &mut synod_engine::Feed,
    matter: MatterId,
    head: Seq,
    progress: &mut Progress,
) -> Result<()> {
    while feed.position() <= head {
        let Some(act) = feed.next().await? else { return Err(engine.trouble().into()) };
        engine.read(|house| {
            if let Some(case) = house.case(matter) {
                progress.show(case, &act);
            }
        });
    }
    Ok(())
}

/// Waits for the summary that the matter asks for when it is decided; who failed to write it and why, if so. Whoever
/// interrupts this gets the decision at once.
async fn summed_up(
    engine: &Engine,
    matter: MatterId,
    interrupts: &mut Interrupts,
    show: &ShowOptions,
    shown: &mut RunDisplay,
) -> Result<Option<(Who, Cause)>> {
    let summing = Task::Clerk(Chore::Synthesise);
    let asked = |house: &House| {
        let case = house.case(matter)?;
        case.asks().values().find(|ask| ask.task() == Some(summing)).and_then(|ask| ask.who().cloned())
    };
    let mut feed = engine.feed(engine.read(House::seq)).await?;
    if let Some(by) = engine.read(asked).filter(|_| !(show.quiet || show.json)) {
        out::error(&format!("{by} writes a summary (wording only; --no-synthesis skips it)"));
    }
    while engine.read(asked).is_some() {
        tokio::select! {
            act = feed.next() => if act?.is_none() { return Err(engine.trouble().into()) },
            () = shown.watch(engine, matter) => (),
            Some(()) = interrupts.0.recv() => return Ok(None),
        }
    }
    Ok(engine.read_with([matter], |house| {
        let case = house.case(matter).filter(|case| case.dossier.syntheses.is_empty())?;
        let lapse = case.lapses.iter().rev().find(|lapse| lapse.task == summing)?;
        Some((lapse.who.clone(), lapse.cause.clone()))
    })?)
}

/// Has a seat sum the matter up and waits until it has; the cause if it will not.
pub(crate) async fn sum_up(engine: &Engine, matter: MatterId, by: &Who) -> Result<Option<Cause>> {
    let command = Command::Council(council::Command::Synthesise { by: by.clone(), matter });
    let asked = order(engine, Order::operator(command)).await?;
    served(engine, matter, &asked).await
}

/// Waits until the clerk has answered whom an act asked; the cause if it will not.
pub(crate) async fn served(engine: &Engine, matter: MatterId, asked: &Act) -> Result<Option<Cause>> {
    // What other clerks were asked before and nobody performs any more is not waited for.
    let opened =
        asked.events().iter().position(|event| matches!(event, Event::Ask(ask::Event::Opened { .. })));
    let Some(nth) = opened else { return Ok(None) };
    let ask = AskId(Id { act: asked.seq, nth: nth as u16 });
    let mut feed = engine.feed(asked.seq).await?;
    while engine.read(|house| house.ask(ask).is_some()) {
        if feed.next().await?.is_none() {
            return Err(engine.trouble().into());
        }
    }
    Ok(engine.read_with([matter], |house| {
        let mut lapses = house.case(matter)?.lapses.iter();
        lapses.find(|lapse| lapse.ask == ask).map(|lapse| lapse.cause.clone())
    })?)
}

/// A matter that waits for the operator: what for, and what to type.
fn waits(house: &HouseArg, report: &Report, show: &ShowOptions) -> ExitCode {
    if let Some(waits) = render::waits(house, report) {
        match show.json {
            true => out::json(&json!({
                "matter": report.matter, "number": report.number, "status": report.status, "requests": waits.requests,
                "next": waits.next, "answer": report.answer(), "report": report,
            })),
            false => out::text(&waits.text),
        }
    }
    ExitCode::from(code::UNDECIDED)
}

/// The command that continues a paused matter.
pub(crate) fn next_line(house: &HouseArg, report: &Report) -> String {
    match report.status {
        "waiting" => format!("synod continue {}{}", report.number, house.flag()),
        "listed" => format!("synod motion run {}{}", report.number, house.flag()),
        _ => resume_line(house, report.number),
    }
}

/// A matter that halted because a seat cannot be asked as things are: which, why, and what to type.
fn halted(house: &HouseArg, report: &Report, show: &ShowOptions) -> ExitCode {
    let resume = resume_line(house, report.number);
    let why = render::halted(report).unwrap_or_default();
    if show.json {
        out::json(&json!({
            "matter": report.matter, "number": report.number, "status": report.status, "halted": report.halted,
            "resume": resume, "go_on": format!("{resume} --go-on"),
        }));
    }
    out::error(&format!("paused after the first call of each model: {why}"));
    out::error(&format!(
        "every answer so far is saved. Fix the key or the model, then: {resume}\nor go on without that seat: {resume} --go-on"
    ));
    ExitCode::from(code::UNAVAILABLE)
}

fn paused(house: &HouseArg, matter: MatterId, number: u64, show: &ShowOptions) -> ExitCode {
    let resume = resume_line(house, number);
    if show.json {
        out::json(&json!({ "matter": matter, "number": number, "status": "paused", "resume": resume }));
    }
    out::error(&format!("paused; every answer so far is saved. Resume with: {resume}"));
    ExitCode::from(code::INTERRUPTED)
}

/// The command that resumes a matter.
fn resume_line(house: &HouseArg, number: u64) -> String {
    format!("synod resume {number}{}", house.flag())
}

/// A summary that did not come about, and how to ask for it again.
fn unsummed(house: &HouseArg, number: u64, by: &Who, cause: &Cause) -> String {
    let again = format!("synod synthesize {number} --by {by}{}", house.flag());
    let detail = out::clean(&cause.detail);
    format!(
        "{by} could not write a summary: {detail} ({}); the decision stands. Try again with: {again}",
        cause.code
    )
}

/// A matter that is over, as it is told.
struct Concluded {
    report: Report,
    comparison: Option<Comparison>,
    path: PathBuf,
    receipt: Receipt,
}

/// Reads a matter that is over and keeps its receipt.
fn conclude(house: &HouseArg, folded: &House, matter: MatterId, show: &ShowOptions) -> Result<Concluded> {
    let Some(report) = folded.case(matter).map(Report::of) else {
        return Err(Fail::new(code::NO_INPUT, "matter/unknown", "the matter is gone"));
    };
    let beside = show.beside.and_then(|other| folded.case(other).map(Report::of));
    let comparison = beside.map(|other| Comparison::of(&other, &report));
    let kept = keep_receipt(house.dir(), folded, &house.reader()?, matter);
    let (path, receipt) = kept.inspect_err(|_| {
        // It is decided all the same, and `synod receipt` signs it again at any time.
        if !show.json {
            out::text(&render::text::summary(&report));
        }
    })?;
    Ok(Concluded { report, comparison, path, receipt })
}

/// Tells a matter that is over.
fn finish(
    house: &HouseArg,
    concluded: &Concluded,
    decision: Decision,
    plan: Option<Plan>,
    show: &ShowOptions,
) -> ExitCode {
    let Concluded { report, comparison, path, receipt } = concluded;
    if show.json {
        let answer = report.answer();
        let mut told = json!({ "answer": answer, "report": report, "receipt": receipt, "receipt_file": path, "plan": plan });
        if let Some(comparison) = comparison {
            told["comparison"] = json!(comparison);
        }
        out::json(&told);
    } else {
        let check = format!("synod verify {}{}", quoted(path), house.flag());
        out::text(&render::text::decision(report, &path.display().to_string(), &check));
        if let Some(comparison) = comparison {
            out::text(&render::compare::table(comparison, out::width()));
        }
    }
    // An answer that the gate turned away was an answer, and an empty purse is no fault of the world.
    let own = ["gate/", "budget/"];
    let explained = |code: &str| own.iter().any(|prefix| code.starts_with(prefix));
    let explained = report.missing.iter().any(|missing| explained(&missing.cause.code));
    let silent =
        decision == Decision::Undecided(UndecidedReason::NoAnswers) && report.rounds.is_empty() && !explained;
    if silent {
        // Nobody was reached at all: that is a fault of the world, no outcome of a deliberation.
        let causes: Vec<String> = report
            .missing
            .iter()
            .map(|missing| format!("  {}: {}", missing.who, out::clean(&missing.cause.detail)))
            .collect();
        out::error(&format!("synod: no seat could answer:\n{}", causes.join("\n")));
        return ExitCode::from(code::UNAVAILABLE);
    }
    ExitCode::from(fail::of_decision(decision))
}
