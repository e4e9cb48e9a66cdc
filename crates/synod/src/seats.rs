//! Who sits at the table: from `--seat`, from a council that is configured, from what is found. Placeholders sit there
//! only where somebody asked for them.
//!
//! `choose` says which council it is, `file` reads files of seats, `roster` those of parliaments, `written` reads what a flag says and names seats.

mod choose;
mod file;
mod roster;
mod written;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;
use synod_core::charter::Charter;
use synod_core::house::Case;
use synod_core::kernel::{Seat, SeatKind, SeatProfile, Who};
use synod_core::lens::garbles;
use synod_core::matter::Question;
use synod_minds::{Env, Face, Mind, MindFactory, MindKind, Spec};

use crate::casting::{Casting, PerformArgs, unmade};
use crate::context::masked_keys;
use crate::fail::{Fail, Result, code};
use crate::{out, person};

pub(crate) use choose::{Configured, VIEWS};
pub(crate) use roster::RosterArgs;
pub(crate) use written::{name_all, name_of};

/// The seats of a debate.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct SeatArgs {
    /// A seat (repeatable): openai:MODEL, anthropic:MODEL, gemini:MODEL, openrouter:MODEL, ollama:MODEL, URL#MODEL
    /// (OpenAI-compatible), exec:COMMAND (exec[NAME]:COMMAND to pass it variables), script:FILE, person, rehearsal or an alias. Write NAME= before it to name the
    /// seat. It is added to the council that is configured; --only leaves that out.
    #[arg(long = "seat", help_heading = "Seats", value_name = "[NAME=]BACKEND")]
    pub(crate) seat: Vec<String>,
    /// A file of seats: [[seat]] with `backend`, `name`, `persona`, `reasoning_effort`, `tools` and `env`; [[judge]] and [[scribe]] likewise.
    #[arg(long, help_heading = "Seats", value_name = "FILE")]
    pub(crate) seats: Option<PathBuf>,
    /// A council by its name: [council.NAME] in seats.toml, or councils/NAME.toml, of the house or of your own
    /// configuration. `synod seats` lists them.
    #[arg(long, help_heading = "Seats", value_name = "NAME", conflicts_with = "seats")]
    pub(crate) council: Option<String>,
    /// Use only the seats given with --seat, and not the council of seats.toml.
    #[arg(long, help_heading = "Seats", requires = "seat", conflicts_with_all = ["seats", "council"])]
    pub(crate) only: bool,
    /// Use three placeholder seats that vote at random. No model is called, and the result is marked as a rehearsal.
    #[arg(long, help_heading = "Seats", conflicts_with_all = ["seat", "seats", "council"])]
    pub(crate) rehearse: bool,
    /// A judge that assesses each round and does not vote (repeatable).
    #[arg(long = "judge", help_heading = "Seats", value_name = "[NAME=]BACKEND")]
    pub(crate) judge: Vec<String>,
    /// A scribe that summarizes long debates and chooses perspectives, and does not vote.
    #[arg(long, help_heading = "Seats", value_name = "[NAME=]BACKEND")]
    pub(crate) scribe: Option<String>,
}

/// The seats, with what answers for each.
#[derive(Debug, Default)]
pub(crate) struct SeatTable {
    pub(crate) seats: Vec<Seat>,
    pub(crate) judges: Vec<Seat>,
    pub(crate) scribe: Option<Seat>,
    pub(crate) minds: synod_engine::Minds,
    /// How the seats came about, when the user did not name them.
    pub(crate) note: Option<String>,
}

impl SeatTable {
    /// Everybody: seats and clerks.
    pub(crate) fn everyone(&self) -> impl Iterator<Item = &Seat> {
        self.seats.iter().chain(&self.judges).chain(&self.scribe)
    }

    /// Adds to what there is to say about it.
    pub(crate) fn noted(&mut self, note: Option<String>) {
        self.note = match (self.note.take(), note) {
            (Some(one), Some(other)) => Some(format!("{one}. {other}")),
            (one, other) => one.or(other),
        };
    }

    /// The face of a seat's mind.
    pub(crate) fn face(&self, seat: &Seat) -> Option<&Face> {
        self.minds.get(&seat.backend).map(|mind| mind.face())
    }
}

/// A seat as somebody wished it.
#[derive(Debug, Clone)]
pub(crate) struct Wish {
    /// Empty while it has none.
    pub(crate) name: String,
    pub(crate) spec: Spec,
    pub(crate) persona: Option<String>,
    /// Rank and lines, where it comes from a roster.
    pub(crate) profile: Option<Arc<SeatProfile>>,
    /// Whether the user wrote it for this very run, and not a file of the house or its record.
    pub(crate) typed: bool,
}

/// The seats that are wished for, and those who serve them.
#[derive(Debug, Clone, Default)]
pub(crate) struct SeatWishes {
    pub(crate) seats: Vec<Wish>,
    pub(crate) judges: Vec<Wish>,
    pub(crate) scribe: Option<Wish>,
}

impl SeatWishes {
    /// Everybody: seats, judges and the scribe.
    pub(crate) fn everyone(&self) -> impl Iterator<Item = &Wish> {
        self.seats.iter().chain(&self.judges).chain(&self.scribe)
    }
}

/// Sets the table. Where the charter gives seats their parts or fields, seats that nobody described get no
/// point of view of ours: it might be at odds with the part.
pub(crate) async fn set(
    house: &Path,
    args: &SeatArgs,
    perform: &PerformArgs,
    charter: &Charter,
) -> Result<SeatTable> {
    set_parliament(house, args, &RosterArgs::default(), perform, charter).await
}

/// The same for a parliament, whose members may stand on a roster.
pub(crate) async fn set_parliament(
    house: &Path,
    args: &SeatArgs,
    roster: &RosterArgs,
    perform: &PerformArgs,
    charter: &Charter,
) -> Result<SeatTable> {
    let env = Env::process();
    let configured = Configured::load(house)?;
    let (mut wishes, note) = match roster::wishes(&configured, roster, args)? {
        Some(wishes) => (wishes, None),
        None => choose::wishes(house, &configured, args, &env, has_parts(charter)).await?,
    };
    for judge in &args.judge {
        wishes.judges.push(configured.aliases().wish("judge", judge)?);
    }
    if let Some(scribe) = &args.scribe {
        wishes.scribe = Some(configured.aliases().wish("scribe", scribe)?);
    }
    name_all(&mut wishes);
    Ok(SeatTable { note, ..seat_all(&Casting::new(house, env, perform)?, wishes)? })
}

/// Seats everybody who is wished for.
pub(crate) fn seat_all(casting: &Casting, wishes: SeatWishes) -> Result<SeatTable> {
    casting.check(wishes.everyone().map(|wish| (&wish.spec, wish.typed)))?;
    let minds = casting.minds();
    let mut table = SeatTable::default();
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

impl SeatTable {
    /// The seat somebody wished for, with what answers for it.
    fn admit(&mut self, minds: &MindFactory, wish: Wish) -> Result<Seat> {
        let who = Who::parse(&wish.name).map_err(Fail::usage)?;
        if self.everyone().any(|seat| seat.who == who) {
            // The house would refuse it too, but only after the other seats were written into its journal.
            let refusal = synod_core::roster::Refusal::SeatTwice { who };
            return Err(Fail::new(code::USAGE, refusal.code(), refusal.to_string()));
        }
        if let Some(masked) = masked_keys(&wish.spec.to_string()) {
            let message = format!(
                "seat `{}`: `{masked}` holds what looks like a key, and what answers for a seat is recorded: put the key into a variable and name that, as exec[MY_KEY]:COMMAND",
                wish.name
            );
            return Err(Fail::new(code::DATA, "backend/key-in-seat", message));
        }
        let mind = mind(minds, &wish.spec, &wish.name)?;
        let face = mind.face();
        let seat = Seat {
            who,
            name: wish.name.trim().into(),
            kind: kind(face.kind),
            backend: wish.spec.to_string(),
            model: face.model.clone(),
            persona: wish.persona,
            profile: wish.profile,
        };
        self.minds.insert(seat.backend.clone(), mind);
        Ok(seat)
    }
}

/// One judge as a flag names it, with what answers for it.
pub(crate) fn judge(
    house: &Path,
    written: &str,
    perform: &PerformArgs,
) -> Result<(Seat, synod_engine::Minds)> {
    let mut wishes = SeatWishes {
        judges: vec![Configured::load(house)?.aliases().wish("judge", written)?],
        ..SeatWishes::default()
    };
    name_all(&mut wishes);
    let Some(wish) = wishes.judges.pop() else { return Err(Fail::usage("a judge is missing")) };
    let casting = Casting::new(house, Env::process(), perform)?;
    casting.check([(&wish.spec, wish.typed)].into_iter())?;
    let mut table = SeatTable::default();
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
    let parsed = seats.iter().map(|seat| Spec::parse(&seat.backend).map_err(Fail::usage));
    let specs = parsed.collect::<Result<Vec<Spec>>>()?;
    casting.check(specs.iter().map(|spec| (spec, false)))?;
    let mut table = synod_engine::Minds::new();
    for (seat, spec) in seats.iter().zip(&specs) {
        table.insert(seat.backend.clone(), mind(casting.minds(), spec, &seat.name)?);
    }
    Ok(table)
}

fn mind(minds: &MindFactory, spec: &Spec, name: &str) -> Result<Arc<dyn Mind>> {
    match spec {
        Spec::Person if out::person_there() => Ok(Arc::new(person::Person::default())),
        Spec::Person => {
            let message = format!(
                "seat `{name}` is a person, but standard input is not a terminal; run this in a terminal"
            );
            Err(Fail::new(code::USAGE, "backend/no-terminal", message))
        }
        Spec::Rehearsal | Spec::Named { .. } | Spec::Endpoint { .. } | Spec::Exec(_) | Spec::Script(_) => {
            minds.mind(spec).map_err(|error| unmade(&error, Some(name)))
        }
    }
}

fn kind(kind: MindKind) -> SeatKind {
    match kind {
        MindKind::Model => SeatKind::Model,
        MindKind::Person => SeatKind::Person,
        MindKind::Scripted => SeatKind::Scripted,
        MindKind::CommandLine => SeatKind::CommandLine,
        MindKind::Rehearsal => SeatKind::Rehearsal,
    }
}

/// The backends that the house's own files of seats name.
pub(crate) fn own_backends(house: &Path) -> Result<Vec<Spec>> {
    file::backends(house)
}
