//! `synod debate`: a council on a question.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use synod_core::Command;
use synod_core::charter::StageKind;
use synod_core::charter::source;
use synod_core::command::{Open, Perspectives};
use synod_core::kernel::{Actor, Id, Key, MatterId, Perspective, Seat, Who};
use synod_core::matter::{self, Question};
use synod_engine::Order;

use super::Context;
use super::limits::{KnobArgs, LimitArgs, affordable};
use crate::fail::{Fail, Result, code};
use crate::house::{Sourced, charter, flaw_line, given, read_text};
use crate::opening::open_or_fail;
use crate::out;
use crate::plan::{Plan, plan};
use crate::run::{Interrupts, Show, through};
use crate::seats::{CassetteArgs, SeatArgs, Table, hidden, set};

/// Put a question to a council and get a decision.
///
/// Without --option the question is carried or not; with options one of them must reach the threshold.
/// The default charter lets each seat draft alone, votes, and debates only what divides the seats.
#[derive(Debug, Args)]
pub(crate) struct Debate {
    /// The question; `-` reads it from stdin.
    topic: String,
    /// The charter, by name or as a file.
    #[arg(long, value_name = "NAME|FILE", default_value = "blind-vote")]
    charter: String,
    /// An option to choose from. Give it two to 26 times.
    #[arg(long = "option", value_name = "TEXT")]
    options: Vec<String>,
    #[command(flatten)]
    seats: SeatArgs,
    /// A field one seat speaks for, such as "security: what can be abused"; given in turn to the seats.
    #[arg(long = "perspective", value_name = "NAME: VIEW", conflicts_with = "perspectives")]
    perspective: Vec<String>,
    /// A file of perspectives, or `generate` to have a mind name them.
    #[arg(long, value_name = "generate|FILE")]
    perspectives: Option<String>,
    /// A text file to put before the council. May be given several times.
    #[arg(long, value_name = "FILE")]
    context: Vec<std::path::PathBuf>,
    /// The kind of motion it is, which says what carries it: constitutional (two thirds), policy (three fifths), procedural (more
    /// than half), open (as policy), or another that the charter knows.
    #[arg(long, value_name = "KIND")]
    motion: Option<String>,
    /// A question the first round shall answer first.
    #[arg(long, value_name = "TEXT")]
    focus: Option<String>,
    /// End the talk early on consensus, convergence or confidence, also where the charter would not.
    #[arg(long)]
    exit_on_consensus: bool,
    /// Hold one round at a time; `synod matter continue` holds the next.
    #[arg(long)]
    step: bool,
    /// Ask every seat at once, also where the charter asks a panel first.
    #[arg(long)]
    everyone: bool,
    /// Have this seat sum the matter up when it is over. The summary decides nothing.
    #[arg(long, value_name = "SEAT")]
    synthesize: Option<String>,
    #[command(flatten)]
    knobs: KnobArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// The same key given twice opens one matter, not two.
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    #[command(flatten)]
    cassettes: CassetteArgs,
    /// Show the plan and stop.
    #[arg(long)]
    plan: bool,
    /// No progress, only the decision.
    #[arg(long, short)]
    quiet: bool,
}

impl Debate {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        context.house.check()?;
        let question = self.question()?;
        let limits = self.limits.limits()?;
        let dir = context.house.dir();
        let sourced = charter(dir, &self.charter)?;
        self.calls_seats(&sourced)?;
        let moved = self.moved(&sourced)?;
        let given = given(&self.context)?;
        let perspectives = self.perspectives()?;
        let moved_charter = std::sync::Arc::new(sourced.charter.clone())
            .moved(&moved)
            .and_then(|charter| charter.for_motion(self.motion.as_deref()))
            .map_err(|refusal| Fail::new(code::USAGE, refusal.code(), refusal.to_string()))?;
        let table = set(dir, &self.seats, &self.cassettes, &sourced.charter).await?;
        let short = hidden(&moved_charter, &question, table.everyone())?;
        let synthesist = self.synthesist(&table)?;
        let plan = plan(&moved_charter, &question, &table, synthesist.is_some());
        affordable(&plan, &limits)?;
        self.announce(&sourced, &table, short.as_deref(), &plan, context.json);
        if self.plan {
            if context.json {
                out::json(&plan)
            } else {
                out::line(&plan.line())
            }
            return Ok(ExitCode::SUCCESS);
        }

        let key = self.key.as_ref().map(|key| Key(Arc::from(key.as_str())));
        let interrupts = Interrupts::listen().await;
        let everyone: Vec<Seat> = table.everyone().cloned().collect();
        let engine = context.house.engine("synod debate", table.minds).await?;
        let seats = table.seats.iter().map(|seat| seat.who.clone()).collect();
        let open = Open {
            limits,
            moved,
            judges: table.judges.iter().map(|judge| judge.who.clone()).collect(),
            scribe: table.scribe.map(|scribe| scribe.who),
            context: given,
            focus: self.focus.clone(),
            motion: self.motion.clone(),
            perspectives,
            stepwise: self.step,
            ..Open::new(question, sourced.digest, seats)
        };
        let command = Command::Open(Box::new(open));
        let opening = Order { by: Actor::Operator, key, command: command.clone() };
        let opened = open_or_fail(&engine, Some(&sourced), &everyone, opening).await?;
        if opened.command != command {
            let message = format!(
                "this key opened matter {} already, with another question or other settings; use another key",
                opened.seq
            );
            return Err(Fail::new(code::USAGE, "matter/key-taken", message));
        }
        let id = MatterId(Id { act: opened.seq, nth: 0 });
        let show = Show { json: context.json, quiet: self.quiet, synthesist, beside: None };
        through(&context.house, engine, id, opened.seq, Some(plan), show, interrupts).await
    }

    fn question(&self) -> Result<Question> {
        let topic = if self.topic == "-" { from_stdin()? } else { self.topic.clone() };
        Question::parse(&topic, &self.options)
            .map_err(|wrong| Fail::new(code::USAGE, "matter/malformed", wrong.to_string()))
    }

    /// A ring waits for agents that come by themselves; here seats are called. Said before anything is set up for them.
    fn calls_seats(&self, sourced: &Sourced) -> Result<()> {
        if sourced.charter.ring.is_none() {
            return Ok(());
        }
        let message = format!(
            "the charter {} is a ring, for agents that come by themselves: open it with `synod convene \"…\" --invite A --invite B --charter {}`",
            sourced.charter.name, self.charter
        );
        Err(Fail::new(code::USAGE, "ring/needs-outside", message))
    }

    /// The seat that sums up, if one is wished for.
    fn synthesist(&self, table: &Table) -> Result<Option<Who>> {
        let Some(name) = &self.synthesize else { return Ok(None) };
        let who = Who::parse(name).map_err(Fail::usage)?;
        if table.everyone().any(|seat| seat.who == who) {
            return Ok(Some(who));
        }
        let names: Vec<&str> = table.everyone().map(|seat| seat.name.as_str()).collect();
        let message = format!("--synthesize names no seat: `{name}`; the seats are {}", names.join(", "));
        Err(Fail::new(code::USAGE, "roster/unknown-seat", message))
    }

    fn perspectives(&self) -> Result<Perspectives> {
        match &self.perspectives {
            Some(word) if word == "generate" => Ok(Perspectives::Generated),
            Some(file) => Ok(Perspectives::Given(perspectives(Path::new(file))?)),
            None if self.perspective.is_empty() => Ok(Perspectives::Usual),
            None => Ok(Perspectives::Given(
                self.perspective.iter().map(|written| Perspective::from_text(written)).collect(),
            )),
        }
    }

    fn moved(&self, sourced: &Sourced) -> Result<BTreeMap<String, u64>> {
        let mut moved = BTreeMap::new();
        if self.exit_on_consensus {
            moved.insert("watch.early".to_string(), 1);
        }
        if self.everyone {
            let knobs = sourced.charter.knobs();
            moved.extend(knobs.into_keys().filter(|knob| knob.ends_with(".panel")).map(|knob| (knob, 0)));
        }
        self.knobs.add_to(&mut moved)?;
        Ok(moved)
    }

    /// What to know about seats that may not be asked.
    fn reserve(&self, sourced: &Sourced, table: &Table) -> Option<String> {
        let knobs = sourced.charter.knobs();
        let on = !self.everyone && knobs.iter().any(|(name, knob)| name.ends_with(".panel") && knob.is == 1);
        let first = sourced.charter.stages.iter().find_map(|stage| match &stage.kind {
            StageKind::Speak(speak) => speak.panel.as_ref(),
            StageKind::Vote { .. } | StageKind::Ring(_) => None,
        })?;
        let (least, most) = (*first.steps.first()? as usize, *first.steps.last()? as usize);
        let seats = table.seats.len();
        (on && seats > least).then(|| {
            format!(
                "note: a panel of {least} is asked first and grows to {} while it does not agree; --everyone asks all {seats}",
                most.min(seats)
            )
        })
    }

    /// Says what is about to happen and what it may cost.
    fn announce(&self, sourced: &Sourced, table: &Table, short: Option<&str>, plan: &Plan, json: bool) {
        let tell = |line: String| out::error(&out::clean(&line));
        for warning in &sourced.warnings {
            tell(flaw_line(&sourced.origin, warning));
        }
        if let Some(note) = &sourced.replaces {
            tell(format!("note: {note}"));
        }
        if let Some(reserve) = self.reserve(sourced, table) {
            tell(reserve);
        }
        if let Some(note) = &table.note {
            tell(format!("note: {note}"));
        }
        if let Some(short) = short {
            tell(format!("warning: {short}"));
        }
        if !(self.quiet || json) {
            let seats: Vec<String> =
                table.seats.iter().map(|seat| format!("{} = {}", seat.name, seat.mind)).collect();
            tell(format!("charter: {} ({})", sourced.charter.name, sourced.charter.title));
            tell(format!("seats:   {}", seats.join(", ")));
            // A plan that was asked for is the result, and goes where results go.
            if !self.plan {
                tell(format!("plan:    {}", plan.line()));
            }
        }
    }
}

/// Perspectives from a file: a list of texts, or [[perspective]] with name and view.
fn perspectives(path: &Path) -> Result<Vec<Perspective>> {
    let text = read_text(path, "perspectives")?;
    let (found, flaws, _) = source::read(&text, |root| {
        let listed = root.texts("perspectives").map(|texts| texts.value).unwrap_or_default();
        let mut found: Vec<Perspective> =
            listed.iter().map(|written| Perspective::from_text(written)).collect();
        for table in root.tables("perspective") {
            let (name, view) = (table.text("name"), table.text("view"));
            table.finish();
            match (name, view) {
                (Some(name), Some(view)) => found.push(Perspective { name: name.value, view: view.value }),
                (None, _) => table.flaw(table.line(), "name", "this is missing", "write name = \"security\""),
                (_, None) => table.flaw(table.line(), "view", "this is missing", "write view = \"…\""),
            }
        }
        if found.is_empty() {
            let instead = "write perspectives = [\"security: what can be abused\"], or [[perspective]] with name and view";
            root.flaw(1, "perspectives", "no perspective can be read here", instead);
        }
        found
    });
    if flaws.is_empty() {
        return Ok(found);
    }
    let origin = path.display().to_string();
    let lines: Vec<String> = flaws.iter().map(|flaw| format!("  {}", flaw_line(&origin, flaw))).collect();
    let message = format!("the perspectives have flaws:\n{}", lines.join("\n"));
    Err(Fail::new(code::DATA, "perspectives/flawed", message))
}

fn from_stdin() -> Result<String> {
    // A little more than the longest topic in its longest encoding: enough to tell that it is too long.
    let most = 4 * matter::TOPIC_MOST as u64 + 4;
    let mut bytes = Vec::new();
    let mut stdin = std::io::stdin().lock().take(most);
    stdin.read_to_end(&mut bytes).map_err(|error| {
        Fail::new(code::IO, "stdin", format!("the topic cannot be read from stdin: {error}"))
    })?;
    if bytes.len() as u64 == most {
        // How long it really is nobody knows: the rest was not read.
        let most = matter::TOPIC_MOST;
        let message =
            format!("the topic on stdin has more than {most} characters: shorten it and refer to files");
        return Err(Fail::new(code::USAGE, "matter/malformed", message));
    }
    let wrong = |_| {
        Fail::new(code::DATA, "matter/not-utf8", "the topic on stdin is not UTF-8 text: save it as UTF-8")
    };
    String::from_utf8(bytes).map_err(wrong)
}
