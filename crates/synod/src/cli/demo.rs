//! `synod demo`: a complete council whose seats answer from a script in this binary. Everything else is real: the engine,
//! the rules, the counting, the record.

use std::collections::BTreeMap;
use std::io::IsTerminal as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use serde_json::json;
use synod_core::Command;
use synod_core::command::Open;
use synod_core::kernel::{Digest, Id, MatterId, Seat, SeatKind, Seq, SettingValue, Who};
use synod_core::matter::{Question, Status};
use synod_core::meter::Limits;
use synod_core::procedure::council::{self, Fork};
use synod_core::view::{Comparison, Report};
use synod_engine::{Engine, Minds, Order};
use synod_journal::file;
use synod_minds::{Mind, Script, Scripted};

use super::Context;
use super::sources::Reach;
use crate::fail::{Fail, Result, code};
use crate::house::{HouseArg, Sourced, charter, keep_receipt, quoted};
use crate::opening::open_or_fail;
use crate::out;
use crate::run::{Interrupts, ShowOptions, through};

/// Watch a complete scripted council, in ten seconds and without a model.
///
/// Blind drafts, a split vote, a debate, a decision, and a fork under other rules.
///
/// No model is called. The arguments come from a script in this binary; the rules, the votes, the counting and the record
/// are real, and every command works on them afterwards. Takes about ten seconds at a terminal.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  synod demo\n  synod demo --fast --keep demo-house")]
pub(crate) struct DemoArgs {
    /// Do not wait between answers. Also without a terminal.
    #[arg(long)]
    fast: bool,
    /// Keep the record in this new folder, instead of a temporary one.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

const SCRIPT: &str = include_str!("demo/council.txt");
const QUESTION: &str = "Demo: should we move sessions from Redis to Postgres before Thursday's launch?";
const SEATS: [(&str, &str); 4] = [
    ("Ana", "on-call engineer: what fails at night, and how it is undone"),
    ("Ben", "backend engineer: capacity, measured"),
    ("Chloe", "product: what customers lose"),
    ("Dev", "security: what an attacker gains"),
];
const FIRST: &str = "blind-vote";
const THEN: &str = "collaborative";

impl DemoArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let dir = self.folder()?;
        let house = HouseArg::at(dir.clone());
        let waits = !self.fast && !context.json && std::io::stderr().is_terminal();
        let stage = DemoSeats::new(&dir, waits)?;
        let say = |line: &str| {
            if !context.json {
                out::error(line);
            }
        };
        say("A scripted demo: no model is called. The arguments were written beforehand;");
        say("the rules, the votes, the counting and the record are real.\n");
        say(&format!("question: {QUESTION}"));
        let rules = charter(&dir, FIRST)?;
        say(&format!("charter:  {FIRST}. {}\n", rules.charter.summary));
        let first = stage.debate(&house, &rules, context.json).await?;
        let other = charter(&dir, THEN)?;
        say(&format!("\nThe same drafts under other rules: a fork after round 1, charter {THEN}."));
        say(&format!("{}\n", other.charter.summary));
        let second = stage.fork(&house, &other, first, context.json).await?;
        finish(context, &house, first, second)
    }

    /// Where the record goes.
    fn folder(&self) -> Result<PathBuf> {
        let cannot = |dir: &Path, error: std::io::Error| {
            Fail::new(code::IO, "file/unwritable", format!("{} cannot be made: {error}", dir.display()))
        };
        let dir = match &self.keep {
            Some(dir) if dir.symlink_metadata().is_ok() => {
                let message = format!("{} is there already: name a new folder with --keep DIR", quoted(dir));
                return Err(Fail::new(code::USAGE, "demo/not-new", message));
            }
            Some(dir) => dir.clone(),
            None => {
                let mut random = [0; 4];
                let unknown = |_| Fail::new(code::IO, "demo/random", "this system gives no random numbers");
                getrandom::fill(&mut random).map_err(unknown)?;
                let name = format!("synod-demo-{:08x}", u32::from_le_bytes(random));
                std::env::temp_dir().join(name)
            }
        };
        file::make_folder(&dir).map_err(|error| cannot(&dir, error))?;
        Ok(dir)
    }
}

/// The seats and what answers for them.
struct DemoSeats {
    seats: Vec<Seat>,
    minds: Minds,
}

impl DemoSeats {
    /// The script also goes to the house, so that the matter can be forked again.
    fn new(dir: &Path, waits: bool) -> Result<Self> {
        let is_delay = |line: &&str| line.starts_with("@delay");
        let text: String =
            SCRIPT.lines().filter(|line| waits || !is_delay(line)).flat_map(|line| [line, "\n"]).collect();
        let file = std::path::absolute(dir).unwrap_or_else(|_| dir.into()).join("demo.txt");
        file::replace(&file, SCRIPT.as_bytes()).map_err(|error| {
            Fail::new(code::IO, "file/unwritable", format!("{} cannot be written: {error}", file.display()))
        })?;
        let flawed = |flaws: Vec<synod_minds::SettingsFlaw>| {
            let lines: Vec<String> = flaws.iter().map(ToString::to_string).collect();
            Fail::new(code::DATA, "backend/bad-script", lines.join("\n"))
        };
        let script = Script::parse("demo.txt", &text).map_err(flawed)?;
        let backend = format!("script:{}", file.display());
        let seat = |(name, persona): (&str, &str)| {
            Ok(Seat {
                who: Who::parse(name).map_err(Fail::usage)?,
                name: name.into(),
                kind: SeatKind::Scripted,
                backend: backend.clone(),
                model: None,
                persona: Some(persona.into()),
                profile: None,
            })
        };
        let seats = SEATS.into_iter().map(seat).collect::<Result<Vec<Seat>>>()?;
        let mind: Arc<dyn Mind> = Arc::new(Scripted::new(backend.clone(), script));
        let mut minds = Minds::new();
        minds.insert(backend, mind);
        Ok(Self { seats, minds })
    }

    async fn debate(&self, house: &HouseArg, rules: &Sourced, json: bool) -> Result<MatterId> {
        let question = Question::parse(QUESTION, &[])
            .map_err(|wrong| Fail::new(code::DATA, "matter/malformed", wrong.to_string()))?;
        // Everybody is asked from the start: a panel of three would hide the split.
        let settings = rules.charter.settings().into_keys();
        let moved: BTreeMap<String, SettingValue> =
            settings.filter(|name| name.ends_with(".panel")).map(|name| (name, 0.into())).collect();
        let seats = self.seats.iter().map(|seat| seat.who.clone()).collect();
        let open = Open { moved, ..Open::new(question, rules.digest, seats) };
        self.play(house, Some(rules), Command::Open(Box::new(open)), None, json).await
    }

    async fn fork(&self, house: &HouseArg, rules: &Sourced, from: MatterId, json: bool) -> Result<MatterId> {
        let digest: Digest = rules.digest;
        let fork = Fork {
            from,
            round: 1,
            charter: Some(digest),
            seats: None,
            limits: Limits::default(),
            moved: BTreeMap::from([("watch.early".to_string(), 0.into())]),
            focus: None,
            stepwise: false,
        };
        let command = Command::Council(council::Command::Fork(Box::new(fork)));
        self.play(house, Some(rules), command, Some(from), json).await
    }

    /// Opens a matter and follows it to its end.
    async fn play(
        &self,
        house: &HouseArg,
        rules: Option<&Sourced>,
        command: Command,
        beside: Option<MatterId>,
        json: bool,
    ) -> Result<MatterId> {
        let interrupts = Interrupts::listen().await;
        let engine = house.engine_reading("synod demo", self.minds.clone(), Reach::default()).await?;
        let seats = if beside.is_none() { self.seats.as_slice() } else { &[] };
        let opened = open_or_fail(&engine, rules, seats, Order::operator(command)).await?;
        let matter = MatterId(Id { act: opened.seq, nth: 0 });
        if json {
            return silently(house, engine, matter, opened.seq).await.map(|()| matter);
        }
        let show = ShowOptions { json: false, quiet: false, beside };
        through(house, engine, matter, opened.seq, None, show, interrupts).await.map(|_| matter)
    }
}

/// Waits for the end of a matter without showing anything.
async fn silently(house: &HouseArg, engine: Engine, matter: MatterId, from: Seq) -> Result<()> {
    let mut feed = engine.feed(from).await?;
    let runs = |house: &synod_core::House| {
        house.summary(matter).is_some_and(|known| known.status == Status::Running)
    };
    while engine.read(runs) {
        if feed.next().await?.is_none() {
            return Err(engine.trouble().into());
        }
    }
    engine.read_with([matter], |folded| keep_receipt(house.dir(), folded, &house.reader()?, matter))??;
    engine.end();
    Ok(())
}

/// Says where the record is and what to type next.
fn finish(context: &Context, house: &HouseArg, first: MatterId, second: MatterId) -> Result<ExitCode> {
    let flag = house.flag();
    let next: Vec<(String, &str)> = vec![
        (format!("synod show 1{flag}"), "the first decision again"),
        (format!("synod round 1 2{flag}"), "what was said in the debate"),
        (format!("synod export 1 --format html --out demo.html{flag}"), "everything, to read or to share"),
        (format!("synod verify{flag}"), "check the hash chain and the receipts"),
        (format!("synod replay{flag}"), "judge every command again, without a model"),
        ("synod init".into(), "set up a council of your own models"),
    ];
    if context.json {
        let (mut folded, _) = house.look()?;
        folded.bring(first)?;
        folded.bring(second)?;
        let report = |matter| folded.case(matter).map(Report::of);
        let (one, other) = (report(first), report(second));
        let comparison = one.as_ref().zip(other.as_ref()).map(|(one, other)| Comparison::of(one, other));
        let commands: Vec<&String> = next.iter().map(|(command, _)| command).collect();
        out::json(&json!({
            "demo": "scripted: no model was called",
            "house": house.dir(),
            "answer": one.as_ref().map(Report::answer),
            "fork": other.as_ref().map(Report::answer),
            "comparison": comparison,
            "next": commands,
        }));
        return Ok(ExitCode::SUCCESS);
    }
    let width = next.iter().map(|(command, _)| command.len()).max().unwrap_or(0);
    out::line(&format!("\nThis was a scripted demo. Its record is in {}. Next:", quoted(house.dir())));
    next.iter().for_each(|(command, what)| out::line(&format!("  {command:width$}  {what}")));
    Ok(ExitCode::SUCCESS)
}
