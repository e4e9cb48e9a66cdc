//! `synod debate`: a council on a question.

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use synod_core::Command;
use synod_core::charter::source;
use synod_core::command::{Open, Perspectives};
use synod_core::kernel::SettingValue;
use synod_core::kernel::{Actor, Id, Key, MatterId, Perspective, Seat, Who};
use synod_core::matter::{self, Question, SummaryBy};
use synod_engine::Order;

use super::Context;
use super::kind::KindArgs;
use super::limits::{LimitArgs, SettingArgs, affordable};
use super::sources::{SourcesArg, add_listing};
use crate::casting::PerformArgs;
use crate::context::{CouncilContext, given, length_of};
use crate::fail::{Fail, Result, code};
use crate::house::{HouseArg, Sourced, charter, flaw_line, read_text};
use crate::matter_arg::number;
use crate::opening::open_or_fail;
use crate::out;
use crate::plan::{Plan, plan, sums_up};
use crate::run::{Interrupts, ShowOptions, through};
use crate::seats::{SeatArgs, SeatTable, hidden, set};
use crate::window;

/// Ask a council a question and get a decision.
///
/// Without --option the seats vote yes or no; with options, one of them must reach the threshold. With --open they propose
/// the answers themselves, with --estimate they give numbers. Under the default
/// charter each seat drafts an answer alone, then they vote, and they debate only where they disagree.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
              synod debate \"Should we cache the search index?\"\n  \
              synod debate --open \"Which queue should we use?\"\n  \
              synod debate --estimate days \"How long will the migration take?\"\n  \
              synod debate \"Redis or Postgres?\" --option Redis --option Postgres --option neither\n  \
              synod debate \"Move the queue?\" --seat openai:gpt-4.1-mini --seat bob=ollama:qwen3\n  \
              synod debate \"Split the service?\" --council arch\n  \
              synod debate \"Move the queue?\" --must \"no downtime\" --context docs/queue.md\n  \
              git diff | synod debate \"Merge this?\" --context -\n\n\
              Without --seat, Synod uses the seats in .synod/seats.toml, else those in\n\
              ~/.config/synod/seats.toml, else the API keys and the local Ollama it finds. If there are none, it\n\
              says so and exits with code 70; --rehearse runs it with placeholder seats that vote at random.")]
pub(crate) struct DebateArgs {
    /// The question; `-` reads it from standard input.
    topic: String,
    #[command(flatten)]
    kind: KindArgs,
    /// The charter (the rules), by name or file; `synod charter list` lists them [default: blind-vote; open with --open,
    /// estimate with --estimate].
    #[arg(long, help_heading = "Rules", value_name = "NAME|FILE")]
    charter: Option<String>,
    /// An option to choose from (2 to 26 times).
    #[arg(long = "option", value_name = "TEXT")]
    options: Vec<String>,
    /// A requirement that any answer must meet, such as "no downtime" (repeatable). Every statement says whether it does,
    /// and the result names those that are not met.
    #[arg(long = "must", value_name = "TEXT")]
    must: Vec<String>,
    #[command(flatten)]
    seats: SeatArgs,
    /// A perspective for one seat, such as "security: what can be abused" (repeatable; seats get them in turn).
    #[arg(
        long = "perspective",
        help_heading = "Seats",
        value_name = "NAME: VIEW",
        conflicts_with = "perspectives"
    )]
    perspective: Vec<String>,
    /// A file of perspectives, or `generate` to have a model choose them.
    #[arg(long, help_heading = "Seats", value_name = "generate|FILE")]
    perspectives: Option<String>,
    /// A text for the council to read (repeatable): a file, a folder, a pattern such as 'src/**/*.rs', or - for standard
    /// input. 200,000 characters in all; secrets are refused or masked.
    #[arg(long, help_heading = "Material", value_name = "FILE|DIR|PATTERN|-")]
    context: Vec<String>,
    #[command(flatten)]
    sources: SourcesArg,
    /// The kind of motion, which sets the threshold: constitutional (two thirds), policy (three fifths), procedural
    /// (more than half), open (as policy), or another kind from the charter.
    #[arg(long, help_heading = "Rules", value_name = "KIND")]
    motion: Option<String>,
    /// A question that the first round must answer first.
    #[arg(long, help_heading = "Material", value_name = "TEXT")]
    focus: Option<String>,
    /// End the debate early on consensus, convergence or confidence, even if the charter would not.
    #[arg(long, help_heading = "Rules")]
    exit_on_consensus: bool,
    /// Run one round at a time; `synod continue` runs the next.
    #[arg(long)]
    step: bool,
    /// Ask every seat from the start, even if the charter begins with a panel.
    #[arg(long, help_heading = "Seats")]
    everyone: bool,
    /// The seat that writes the summary at the end. The summary is wording: it decides nothing.
    ///
    /// Without it, the scribe or the first model on the winning side writes one.
    #[arg(long, value_name = "SEAT", conflicts_with = "no_synthesis")]
    synthesize: Option<String>,
    /// Write no summary at the end: one call less.
    #[arg(long)]
    no_synthesis: bool,
    #[command(flatten)]
    settings: SettingArgs,
    #[command(flatten)]
    limits: LimitArgs,
    /// Idempotency key: a second run with the same key does not open a second matter.
    #[arg(long, value_name = "KEY")]
    key: Option<String>,
    #[command(flatten)]
    perform: PerformArgs,
    /// Show the plan (calls, tokens, cost) and stop.
    #[arg(long)]
    plan: bool,
    /// Show no progress, only the decision.
    #[arg(long, short)]
    quiet: bool,
}

impl DebateArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        context.house.check()?;
        // Both may want standard input, which is said before it is waited for.
        let CouncilContext { material: mut given, size } = given(&self.context, Some(&self.topic))?;
        let question = self.question()?;
        let limits = self.limits.limits()?;
        let dir = context.house.dir();
        let sourced = charter(dir, &self.kind.charter(self.charter.as_deref()))?;
        self.calls_seats(&sourced)?;
        let question = self.kind.of_kind(question, sourced.charter.kind())?;
        let mut moved = self.moved(&sourced)?;
        let root = self.sources.root(&context.house)?;
        add_listing(root.as_ref(), &mut given);
        let perspectives = self.perspectives()?;
        // What cannot be set is said before anybody is looked for.
        sourced.moved(&moved, self.motion.as_deref())?;
        let mut table = set(dir, &self.seats, &self.perform, &sourced.charter).await?;
        let note = window::fit(&mut moved, &sourced.charter, &table);
        table.noted(note);
        let moved_charter = sourced.moved(&moved, self.motion.as_deref())?;
        let short = hidden(&moved_charter, &question, table.everyone())?;
        let synthesis = self.synthesis(&table)?;
        let sums_up = sums_up(synthesis.as_ref(), &table);
        let plan =
            Plan { context: size, ..plan(&moved_charter, &question, &table, sums_up, length_of(&given)) };
        affordable(&plan, &limits)?;
        self.announce(&context.house, &sourced, &table, short.as_deref(), &plan, context.json);
        if self.plan {
            if context.json {
                out::json(&plan)
            } else {
                out::line(&plan.line());
                plan.reaches().iter().for_each(|line| out::line(&out::clean(line)));
                plan.warnings().filter(|_| !self.quiet).for_each(|line| out::line(&line));
            }
            return Ok(ExitCode::SUCCESS);
        }

        let key = self.key.as_ref().map(|key| Key(Arc::from(key.as_str())));
        let interrupts = Interrupts::listen().await;
        let everyone: Vec<Seat> = table.everyone().cloned().collect();
        let engine =
            context.house.engine_reading("synod debate", table.minds, self.sources.reach(root)?).await?;
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
            reaches: plan.reaches.clone(),
            sources: self.sources.sources.is_some(),
            stepwise: self.step,
            synthesis,
            ..Open::new(question, sourced.digest, seats)
        };
        let command = Command::Open(Box::new(open));
        let opening = Order { by: Actor::Operator, key, command: command.clone(), vouched: None };
        let opened = open_or_fail(&engine, Some(&sourced), &everyone, opening).await?;
        let id = MatterId(Id { act: opened.seq, nth: 0 });
        if opened.command != command {
            return Err(key_taken(engine.read(|house| number(house, id))));
        }
        let show = ShowOptions { json: context.json, quiet: self.quiet, beside: None };
        through(&context.house, engine, id, opened.seq, Some(plan), show, interrupts).await
    }

    fn question(&self) -> Result<Question> {
        let topic = if self.topic == "-" { from_stdin()? } else { self.topic.clone() };
        Question::parse(&topic, &self.options)
            .and_then(|question| question.requiring(&self.must))
            .map_err(|wrong| Fail::new(code::USAGE, "matter/malformed", wrong.to_string()))
    }

    /// Refuses the charter of a ring, before anything is set up: agents of a ring come by themselves, seats are called.
    fn calls_seats(&self, sourced: &Sourced) -> Result<()> {
        if sourced.ring().is_none() {
            return Ok(());
        }
        let message = format!(
            "the charter {} is for rings of outside agents: use `synod ring open \"…\" --invite A --invite B --charter {}`",
            sourced.charter.name, sourced.charter.name
        );
        Err(Fail::new(code::USAGE, "ring/needs-outside", message))
    }

    /// Who sums up: whoever was named, nobody, or whoever the house finds.
    fn synthesis(&self, table: &SeatTable) -> Result<Option<SummaryBy>> {
        let Some(name) = &self.synthesize else {
            return Ok((!self.no_synthesis).then_some(SummaryBy::Auto));
        };
        let who = Who::parse(name).map_err(Fail::usage)?;
        if table.everyone().any(|seat| seat.who == who) {
            return Ok(Some(SummaryBy::Seat(who)));
        }
        let names: Vec<&str> = table.everyone().map(|seat| seat.name.as_str()).collect();
        let message = format!("unknown seat `{name}` in --synthesize; the seats are {}", names.join(", "));
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

    fn moved(&self, sourced: &Sourced) -> Result<BTreeMap<String, SettingValue>> {
        let mut moved = BTreeMap::new();
        if self.exit_on_consensus {
            moved.insert("watch.early".to_string(), 1.into());
        }
        if self.everyone {
            let settings = sourced.charter.settings().into_keys();
            moved.extend(settings.filter(|name| name.ends_with(".panel")).map(|name| (name, 0.into())));
        }
        self.settings.add_to(&mut moved)?;
        Ok(moved)
    }

    /// What to know about seats that may not be asked.
    fn reserve(&self, sourced: &Sourced, table: &SeatTable) -> Option<String> {
        let stages = &sourced.charter.council()?.stages;
        let first = stages.iter().find_map(|stage| stage.kind.speech()?.panel.as_ref())?;
        let on = !self.everyone && first.on.is == 1;
        let (least, most) = (*first.steps.first()? as usize, *first.steps.last()? as usize);
        let seats = table.seats.len();
        (on && seats > least).then(|| {
            format!(
                "note: a panel of {least} is asked first and grows up to {} while it disagrees; --everyone asks all {seats}",
                most.min(seats)
            )
        })
    }

    /// Says what is about to happen and what it may cost.
    fn announce(
        &self,
        house: &HouseArg,
        sourced: &Sourced,
        table: &SeatTable,
        short: Option<&str>,
        plan: &Plan,
        json: bool,
    ) {
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
            if house.is_above() {
                tell(format!("house:   {}", house.dir().display()));
            }
            let seats: Vec<String> =
                table.seats.iter().map(|seat| format!("{} = {}", seat.name, seat.backend)).collect();
            tell(format!("charter: {} ({})", sourced.charter.name, sourced.charter.title));
            tell(format!("seats:   {}", seats.join(", ")));
            if let Some(line) = plan.context.line() {
                tell(format!("context: {line}"));
            }
            // A plan that was asked for is the result, and goes where results go.
            if !self.plan {
                tell(format!("plan:    {}", plan.line()));
                if let Some(line) = plan.reaches() {
                    tell(format!("reaches: {line}"));
                }
                plan.warnings().for_each(tell);
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
            root.flaw(1, "perspectives", "there is no valid perspective here", instead);
        }
        found
    });
    if flaws.is_empty() {
        return Ok(found);
    }
    let origin = path.display().to_string();
    let lines: Vec<String> = flaws.iter().map(|flaw| format!("  {}", flaw_line(&origin, flaw))).collect();
    let message = format!("the perspectives file has errors:\n{}", lines.join("\n"));
    Err(Fail::new(code::DATA, "perspectives/flawed", message))
}

/// An idempotency key that opened another matter.
pub(super) fn key_taken(number: u64) -> Fail {
    let message = format!(
        "this key already opened matter {number} with another question or other settings; use another key"
    );
    Fail::new(code::USAGE, "matter/key-taken", message)
}

pub(super) fn from_stdin() -> Result<String> {
    // A little more than the longest topic in its longest encoding: enough to tell that it is too long.
    let most = 4 * matter::TOPIC_MOST as u64 + 4;
    let mut bytes = Vec::new();
    let mut stdin = std::io::stdin().lock().take(most);
    stdin.read_to_end(&mut bytes).map_err(|error| {
        Fail::new(code::IO, "stdin", format!("the topic cannot be read from standard input: {error}"))
    })?;
    if bytes.len() as u64 == most {
        // How long it really is nobody knows: the rest was not read.
        let most = matter::TOPIC_MOST;
        let message = format!(
            "the topic on standard input has more than {most} characters: shorten it and refer to files"
        );
        return Err(Fail::new(code::USAGE, "matter/malformed", message));
    }
    let wrong = |_| {
        Fail::new(
            code::DATA,
            "matter/not-utf8",
            "the topic on standard input is not UTF-8 text: save it as UTF-8",
        )
    };
    String::from_utf8(bytes).map_err(wrong)
}
