//! Who sits at the table: from `--seat`, from a file, from what is configured or found, else rehearsal.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use synod_core::charter::{Charter, source};
use synod_core::house::Case;
use synod_core::kernel::text::counted;
use synod_core::kernel::{Seat, SeatKind, Who};
use synod_core::lens::garbles;
use synod_core::matter::Question;
use synod_minds::{Env, Face, Found, Kind, Mind, Minds, Spec};

use crate::casting::{Casting, PerformArgs, unmade};
use crate::fail::{Fail, Result, code};
use crate::house::{flaw_line, has_own, read_text};
use crate::{out, person};

/// The seats of a debate.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct SeatArgs {
    /// A seat and what answers for it (repeatable): openai:MODEL, anthropic:MODEL, gemini:MODEL, ollama:MODEL, URL#MODEL
    /// (OpenAI-compatible), exec:COMMAND, script:FILE, person or rehearsal.
    #[arg(long = "seat", help_heading = "Seats", value_name = "NAME=BACKEND")]
    pub(crate) seat: Vec<String>,
    /// A file of seats: [[seat]] with `name`, `mind`, `persona`, `reasoning_effort` and `tools`; [[judge]] and [[scribe]] likewise.
    #[arg(long, help_heading = "Seats", value_name = "FILE", conflicts_with = "seat")]
    pub(crate) seats: Option<PathBuf>,
    /// A judge that assesses each round and does not vote (repeatable).
    #[arg(long = "judge", help_heading = "Seats", value_name = "NAME=BACKEND")]
    pub(crate) judge: Vec<String>,
    /// A scribe that summarizes long debates and chooses perspectives, and does not vote.
    #[arg(long, help_heading = "Seats", value_name = "NAME=BACKEND")]
    pub(crate) scribe: Option<String>,
}

/// The seats, with what answers for each.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) seats: Vec<Seat>,
    pub(crate) judges: Vec<Seat>,
    pub(crate) scribe: Option<Seat>,
    pub(crate) minds: synod_engine::Minds,
    /// How the seats came about, when the user did not name them.
    pub(crate) note: Option<String>,
}

impl Table {
    /// Everybody: seats and clerks.
    pub(crate) fn everyone(&self) -> impl Iterator<Item = &Seat> {
        self.seats.iter().chain(&self.judges).chain(&self.scribe)
    }

    /// The face of a seat's mind.
    pub(crate) fn face(&self, seat: &Seat) -> Option<&Face> {
        self.minds.get(&seat.mind).map(|mind| mind.face())
    }
}

/// A seat as somebody wished it.
#[derive(Debug, Clone)]
pub(crate) struct Wish {
    pub(crate) name: String,
    pub(crate) spec: Spec,
    pub(crate) persona: Option<String>,
    /// Whether the user wrote it for this very run, and not a file of the house or its record.
    pub(crate) typed: bool,
}

/// Points of view for seats nobody described, so that one model three times is not one voice three times.
const VIEWS: [(&str, &str); 3] = [
    ("pragmatist", "what works soonest with the people and tools at hand, and what it costs to run"),
    ("skeptic", "what could go wrong, which assumption is weakest, and what the evidence really shows"),
    ("steward", "how it looks in three years: maintenance, reversibility, those who come after"),
];

/// Who is wished for: seats, and those who serve them.
#[derive(Debug, Default)]
pub(crate) struct Wishes {
    pub(crate) seats: Vec<Wish>,
    pub(crate) judges: Vec<Wish>,
    pub(crate) scribe: Option<Wish>,
}

/// Sets the table. Where the charter gives seats their parts or fields, seats that nobody described get no
/// point of view of ours: it might be at odds with the part.
pub(crate) async fn set(
    house: &Path,
    args: &SeatArgs,
    perform: &PerformArgs,
    charter: &Charter,
) -> Result<Table> {
    let env = Env::process();
    let (mut wishes, note) = match (&args.seats, args.seat.is_empty()) {
        (Some(file), _) => (from_file(file, !is_inside(house, file))?, None),
        (None, false) => {
            let seats = args.seat.iter().map(|written| from_flag("seat", written)).collect::<Result<_>>()?;
            (Wishes { seats, ..Wishes::default() }, None)
        }
        (None, true) => unnamed(house, &env, has_parts(charter)).await?,
    };
    for judge in &args.judge {
        wishes.judges.push(from_flag("judge", judge)?);
    }
    if let Some(scribe) = &args.scribe {
        wishes.scribe = Some(from_flag("scribe", scribe)?);
    }
    Ok(Table { note, ..seat_all(&Casting::new(house, env, perform)?, wishes)? })
}

/// Seats everybody who is wished for.
pub(crate) fn seat_all(casting: &Casting, wishes: Wishes) -> Result<Table> {
    let everyone = wishes.seats.iter().chain(&wishes.judges).chain(&wishes.scribe);
    casting.check(everyone.map(|wish| (&wish.spec, wish.typed)))?;
    let minds = casting.minds();
    let mut table = Table::default();
    for wish in wishes.seats {
        let seat = table.admit(minds, wish)?;
        table.seats.push(seat);
    }
    for wish in wishes.judges {
        let judge = table.admit(minds, wish)?;
        table.judges.push(judge);
    }
    if let Some(wish) = wishes.scribe {
        table.scribe = Some(table.admit(minds, wish)?);
    }
    Ok(table)
}

impl Table {
    /// The seat somebody wished for, with what answers for it.
    fn admit(&mut self, minds: &Minds, wish: Wish) -> Result<Seat> {
        let who = Who::parse(&wish.name).map_err(Fail::usage)?;
        if self.everyone().any(|seat| seat.who == who) {
            // The house would refuse it too, but only after the other seats were written into its journal.
            let refusal = synod_core::roster::Refusal::SeatTwice { who };
            return Err(Fail::new(code::USAGE, refusal.code(), refusal.to_string()));
        }
        let mind = mind(minds, &wish.spec, &wish.name)?;
        let face = mind.face();
        let seat = Seat {
            who,
            name: wish.name.trim().into(),
            kind: kind(face.kind),
            mind: wish.spec.to_string(),
            model: face.model.clone(),
            persona: wish.persona,
        };
        self.minds.insert(seat.mind.clone(), mind);
        Ok(seat)
    }
}

/// One judge as a flag names it, with what answers for it.
pub(crate) fn judge(
    house: &Path,
    written: &str,
    perform: &PerformArgs,
) -> Result<(Seat, synod_engine::Minds)> {
    let wish = from_flag("judge", written)?;
    let casting = Casting::new(house, Env::process(), perform)?;
    casting.check([(&wish.spec, wish.typed)].into_iter())?;
    let mut table = Table::default();
    let judge = table.admit(casting.minds(), wish)?;
    Ok((judge, table.minds))
}

/// Whether a charter gives seats roles or fields to speak for.
fn has_parts(charter: &Charter) -> bool {
    charter.council().is_some_and(|council| council.roles.is_some()) || !charter.perspectives().is_empty()
}

/// Checks names where a charter hides them, since they are hidden wherever they stand as a word. Refuses
/// those that are sure to garble what others read; gives what to know of those that may.
pub(crate) fn hidden<'a>(
    charter: &Charter,
    question: &Question,
    everyone: impl Iterator<Item = &'a Seat>,
) -> Result<Option<String>> {
    if !charter.hides_names() {
        return Ok(None);
    }
    let (mut garbling, mut short): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for name in everyone.map(|seat| seat.name.as_str()) {
        let letters = name.chars().filter(|c| c.is_alphanumeric()).count();
        if garbles(name, question.texts()) {
            garbling.push(name);
        } else if letters < 3 {
            short.push(name);
        }
    }
    let better = "names of at least three letters that do not appear in the question";
    if !garbling.is_empty() {
        let message = format!(
            "the charter {} hides names, even inside other seats' text, and these are common words or appear in the question: {}. Choose {better}, or a charter that shows names",
            charter.name,
            garbling.join(", ")
        );
        return Err(Fail::new(code::USAGE, "roster/unmaskable", message));
    }
    Ok((!short.is_empty()).then(|| {
        format!(
            "the charter {} hides names, even inside other seats' text, and short names may be ordinary words there: {}; prefer {better}",
            charter.name,
            short.join(", ")
        )
    }))
}

/// Everybody a matter knows: seats, judges, scribe.
pub(crate) fn serving(case: &Case) -> Vec<Seat> {
    let opening = &case.opening;
    opening.seats.iter().chain(&opening.judges).chain(&opening.scribe).cloned().collect()
}

/// Sets up the minds of seats that are already known, for a matter that goes on.
pub(crate) fn again(house: &Path, seats: &[Seat], perform: &PerformArgs) -> Result<synod_engine::Minds> {
    again_with(&Casting::new(house, Env::process(), perform)?, seats)
}

/// The same by a casting that others share. The record of a house may be a stranger's, so it is never the user's own word.
pub(crate) fn again_with(casting: &Casting, seats: &[Seat]) -> Result<synod_engine::Minds> {
    let parsed = seats.iter().map(|seat| Spec::parse(&seat.mind).map_err(Fail::usage));
    let specs = parsed.collect::<Result<Vec<Spec>>>()?;
    casting.check(specs.iter().map(|spec| (spec, false)))?;
    let mut table = synod_engine::Minds::new();
    for (seat, spec) in seats.iter().zip(&specs) {
        table.insert(seat.mind.clone(), mind(casting.minds(), spec, &seat.name)?);
    }
    Ok(table)
}

fn mind(minds: &Minds, spec: &Spec, name: &str) -> Result<Arc<dyn Mind>> {
    match spec {
        Spec::Person if out::person_there() => Ok(Arc::new(person::Person::default())),
        Spec::Person => {
            let message = format!(
                "seat `{name}` is a person, but standard input is not a terminal; run this in a terminal"
            );
            Err(Fail::new(code::USAGE, "mind/no-terminal", message))
        }
        Spec::Rehearsal | Spec::Named { .. } | Spec::Endpoint { .. } | Spec::Exec(_) | Spec::Script(_) => {
            minds.mind(spec).map_err(|error| unmade(&error, Some(name)))
        }
    }
}

fn kind(kind: Kind) -> SeatKind {
    match kind {
        Kind::Model => SeatKind::Model,
        Kind::Person => SeatKind::Person,
        Kind::Scripted => SeatKind::Scripted,
        Kind::CommandLine => SeatKind::CommandLine,
        Kind::Rehearsal => SeatKind::Rehearsal,
    }
}

/// Somebody as a flag names them; `what` is the flag's word for them.
fn from_flag(what: &str, written: &str) -> Result<Wish> {
    let wanted = format!("write --{what} NAME=BACKEND, such as --{what} ann=openai:gpt-4.1-mini");
    let Some((name, spec)) = written.split_once('=') else {
        return Err(Fail::usage(format!("`{written}` does not say what answers for the {what}: {wanted}")));
    };
    if name.trim().is_empty() || spec.trim().is_empty() {
        return Err(Fail::usage(format!(
            "`{written}` needs a name and what answers for the {what}: {wanted}"
        )));
    }
    let spec = Spec::parse(spec.trim()).map_err(|wrong| Fail::usage(format!("{what} `{name}`: {wrong}")))?;
    Ok(Wish { name: name.into(), spec, persona: None, typed: true })
}

/// Whether a file lies in the house, and so came with it; a link counts where it is and where it leads.
fn is_inside(house: &Path, file: &Path) -> bool {
    let Ok(house) = house.canonicalize() else { return false };
    let folder = std::path::absolute(file).ok().and_then(|file| file.parent()?.canonicalize().ok());
    [folder, file.canonicalize().ok()].into_iter().flatten().any(|path| path.starts_with(&house))
}

/// The seats of a file; `typed` if the user named it, and it is not one of the house.
fn from_file(path: &Path, typed: bool) -> Result<Wishes> {
    let text = read_text(path, "seats")?;
    let (wishes, mut flaws, _) = source::read(&text, |root| {
        let named =
            |key| root.tables(key).iter().filter_map(|table| wish(table, typed)).collect::<Vec<Wish>>();
        let (seats, judges, mut scribes) = (named("seat"), named("judge"), named("scribe"));
        if scribes.len() > 1 {
            root.flaw(1, "scribe", "there is more than one", "keep one [[scribe]]");
        }
        let wishes = Wishes { seats, judges, scribe: scribes.pop() };
        if wishes.seats.is_empty() {
            root.flaw(
                1,
                "seat",
                "there is no valid seat here",
                "write at least one [[seat]] with `name` and `mind`",
            );
        }
        wishes
    });
    if flaws.is_empty() {
        return Ok(wishes);
    }
    if flaws.len() > 1 {
        flaws.retain(|flaw| flaw.key != "seat");
    }
    let origin = path.display().to_string();
    let lines: Vec<String> = flaws.iter().map(|flaw| format!("  {}", flaw_line(&origin, flaw))).collect();
    Err(Fail::new(
        code::DATA,
        "seats/flawed",
        format!("the seats have {}:\n{}", counted(flaws.len() as u64, "error"), lines.join("\n")),
    ))
}

/// A seat as a file describes it.
fn wish(table: &source::Table<'_, '_>, typed: bool) -> Option<Wish> {
    let (name, spec, persona) = (table.text("name"), table.text("mind"), table.text("persona"));
    let (effort, tools) = (table.text("reasoning_effort"), table.bool("tools"));
    table.finish();
    let with = |spec: Spec| {
        spec.with(
            effort.as_ref().map(|effort| effort.value.as_str()),
            tools.as_ref().map(|tools| tools.value),
        )
    };
    let spec = spec.map(|spec| (Spec::parse(&spec.value).and_then(with), spec.line));
    match (name, spec) {
        (Some(name), Some((Ok(spec), _))) => {
            let persona = persona.map(|persona| persona.value);
            return Some(Wish { name: name.value, spec, persona, typed });
        }
        (_, Some((Err(wrong), line))) => table.flaw(line, "mind", wrong, ""),
        (None, _) => table.flaw(table.line(), "name", "a seat needs a name", "write name = \"ann\""),
        (_, None) => table.flaw(
            table.line(),
            "mind",
            "a seat needs something that answers for it",
            "write `mind = \"openai:MODEL\"`",
        ),
    }
    None
}

/// The backends that the house's own file of seats names.
pub(crate) fn own_backends(house: &Path) -> Result<Vec<Spec>> {
    let own = house.join("seats.toml");
    if !own.is_file() {
        return Ok(Vec::new());
    }
    let Wishes { seats, judges, scribe } = from_file(&own, false)?;
    Ok(seats.into_iter().chain(judges).chain(scribe).map(|wish| wish.spec).collect())
}

/// Nobody was named: the house's own file, else what can be found, else rehearsal.
async fn unnamed(house: &Path, env: &Env, described: bool) -> Result<(Wishes, Option<String>)> {
    let own = house.join("seats.toml");
    if has_own(&own, "seats")? {
        return Ok((from_file(&own, false)?, Some(format!("seats from {}", own.display()))));
    }
    let found = synod_minds::find(env).await;
    let usable: Vec<(&Found, &Spec)> =
        found.iter().filter_map(|found| Some((found, found.spec.as_ref()?))).collect();
    let view = |i: usize, spec: Spec| match described {
        true => Wish { name: format!("seat-{}", i + 1), spec, persona: None, typed: false },
        false => Wish { name: VIEWS[i].0.into(), spec, persona: Some(VIEWS[i].1.into()), typed: false },
    };
    let seated = |seats: Vec<Wish>| Wishes { seats, ..Wishes::default() };
    if usable.is_empty() {
        let note = "no model is configured or found, so three placeholder seats vote at random (a rehearsal). \
                    Set OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY, start Ollama, or pass --seat NAME=BACKEND.";
        return Ok((seated((0..VIEWS.len()).map(|i| view(i, Spec::Rehearsal)).collect()), Some(note.into())));
    }
    let wishes = (0..VIEWS.len()).map(|i| view(i, usable[i % usable.len()].1.clone())).collect();
    let names: Vec<String> = usable.iter().map(|(found, spec)| format!("{spec} ({})", found.how)).collect();
    Ok((seated(wishes), Some(format!("no --seat given; using {}", names.join(", ")))))
}
