//! Which council it is. What the user names goes first, then the house, then the user's own configuration, then what is
//! found on this machine. Nobody rehearses who did not ask for it.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use synod_core::kernel::text::{counted, nearest};
use synod_core::kernel::{Who, text};
use synod_minds::{Env, FoundProvider, Spec};

use super::file::{NamedCouncil, SeatsFile, council_files};
use super::written::Aliases;
use super::{SeatArgs, SeatWishes, Wish};
use crate::fail::{Fail, Result, code};
use crate::house::quoted;
use crate::user::config_dir;

/// Points of view for seats nobody described, so that one model three times is not one voice three times.
pub(crate) const VIEWS: [(&str, &str); 3] = [
    ("pragmatist", "what works soonest with the people and tools at hand, and what it costs to run"),
    ("skeptic", "what could go wrong, which assumption is weakest, and what the evidence really shows"),
    ("steward", "how it looks in three years: maintenance, reversibility, those who come after"),
];

/// The seats and councils that are configured: those of the house first.
#[derive(Debug)]
pub(crate) struct Configured {
    pub(crate) files: Vec<SeatsFile>,
    pub(crate) councils: Vec<NamedCouncil>,
    aliases: Aliases,
}

impl Configured {
    /// Reads the files of the house and those of the user.
    pub(crate) fn load(house: &Path) -> Result<Self> {
        let mut it = Self { files: Vec::new(), councils: Vec::new(), aliases: Aliases::default() };
        if let Some(dir) = config_dir() {
            it.read(&dir, is_private)?;
        }
        it.read(house, |_| false)?;
        Ok(it)
    }

    /// Puts what a folder says before what is known.
    fn read(&mut self, folder: &Path, typed: fn(&Path) -> bool) -> Result<()> {
        let file = SeatsFile::own(&folder.join("seats.toml"), typed, &self.aliases)?;
        let mut councils = Vec::new();
        if let Some(config) = file {
            let own = config.aliases.iter().cloned();
            self.aliases = Aliases(own.chain(std::mem::take(&mut self.aliases.0)).collect());
            councils.extend(config.councils.iter().cloned());
            self.files.insert(0, config);
        }
        councils.extend(council_files(folder, typed, &self.aliases)?);
        councils.append(&mut self.councils);
        self.councils = councils;
        Ok(())
    }

    pub(crate) fn aliases(&self) -> &Aliases {
        &self.aliases
    }

    /// The council of a debate that names none: the seats of the first file that has some.
    pub(crate) fn usual(&self) -> Option<&SeatsFile> {
        self.files.iter().find(|config| !config.wishes.seats.is_empty())
    }

    fn council(&self, name: &str) -> Result<&NamedCouncil> {
        if let Some(council) = self.councils.iter().find(|council| council.name == name) {
            return Ok(council);
        }
        let names: Vec<&str> = self.councils.iter().map(|council| council.name.as_str()).collect();
        let known = match names.is_empty() {
            true => "none is configured: write [council.NAME] with seats = [\"openai:MODEL\"] in seats.toml"
                .into(),
            false => format!("known: {}", names.join(", ")),
        };
        let near = nearest(name, names.iter().copied());
        let near = near.map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
        let message = format!("there is no council `{}`.{near} {known}", text::excerpt(name, 40));
        Err(Fail::new(code::USAGE, "seats/unknown-council", message))
    }
}

/// Whether a file is the user's own word: theirs, and nobody else may read or write it. A folder that was cloned into
/// their home could bring one along, but git makes no such files.
fn is_private(path: &Path) -> bool {
    let own = rustix::process::geteuid().as_raw();
    std::fs::symlink_metadata(path)
        .is_ok_and(|found| found.is_file() && found.uid() == own && found.mode() & 0o077 == 0)
}

/// Who is wished for, and what to say about it.
pub(super) async fn wishes(
    house: &Path,
    configured: &Configured,
    args: &SeatArgs,
    env: &Env,
    described: bool,
) -> Result<(SeatWishes, Option<String>)> {
    if args.rehearse {
        let seats = (0..VIEWS.len()).map(|i| view(i, Spec::Rehearsal, described)).collect();
        let note = "a rehearsal: three placeholder seats vote at random, and no model is called";
        return Ok((SeatWishes { seats, ..SeatWishes::default() }, Some(note.into())));
    }
    let typed = args.seat.iter().map(|written| configured.aliases.wish("seat", written));
    let typed = typed.collect::<Result<Vec<Wish>>>()?;
    match council(house, configured, args)? {
        Some((wishes, from)) => Ok(joined(wishes, &from, typed)),
        None if typed.is_empty() => found(env, described).await,
        None => Ok((SeatWishes { seats: typed, ..SeatWishes::default() }, None)),
    }
}

/// The council that is named or configured, and where it is from.
fn council(house: &Path, configured: &Configured, args: &SeatArgs) -> Result<Option<(SeatWishes, String)>> {
    if let Some(file) = &args.seats {
        let config = SeatsFile::named(file, !is_inside(house, file), &configured.aliases)?;
        if config.wishes.seats.is_empty() {
            let message = format!(
                "{} has no [[seat]]: write at least one with `backend`, or choose one of its councils with --council",
                quoted(file)
            );
            return Err(Fail::new(code::DATA, "seats/flawed", message));
        }
        return Ok(Some((config.wishes, file.display().to_string())));
    }
    if let Some(name) = &args.council {
        let council = configured.council(name)?;
        let from = format!("{}, council {name}", council.file.display());
        return Ok(Some((council.wishes.clone(), from)));
    }
    let usual = configured.usual().filter(|_| !args.only);
    Ok(usual.map(|config| (config.wishes.clone(), config.file.display().to_string())))
}

/// A council with the seats that were typed beside it. One of the same name takes the place of the other.
fn joined(mut wishes: SeatWishes, from: &str, typed: Vec<Wish>) -> (SeatWishes, Option<String>) {
    if typed.is_empty() {
        return (wishes, Some(format!("seats from {from}")));
    }
    let (mut added, mut replaced) = (0, 0);
    for wish in typed {
        let who = Who::parse(&wish.name).ok();
        let same = |known: &&mut Wish| who.is_some() && Who::parse(&known.name).ok() == who;
        match wishes.seats.iter_mut().find(same) {
            Some(known) => {
                *known = wish;
                replaced += 1;
            }
            None => {
                wishes.seats.push(wish);
                added += 1;
            }
        }
    }
    let instead = if replaced > 0 { format!(", {replaced} replaced") } else { String::new() };
    let note =
        format!("{} added to those of {from}{instead}; --only leaves those out", counted(added, "seat"));
    (wishes, Some(note))
}

/// A seat that nobody described, with a point of view.
fn view(i: usize, spec: Spec, described: bool) -> Wish {
    match described {
        true => Wish { name: format!("seat-{}", i + 1), spec, persona: None, profile: None, typed: false },
        false => Wish {
            name: VIEWS[i].0.into(),
            spec,
            persona: Some(VIEWS[i].1.into()),
            profile: None,
            typed: false,
        },
    }
}

/// Whether a file lies in the house, and so came with it; a link counts where it is and where it leads.
fn is_inside(house: &Path, file: &Path) -> bool {
    let Ok(house) = house.canonicalize() else { return false };
    let folder = std::path::absolute(file).ok().and_then(|file| file.parent()?.canonicalize().ok());
    [folder, file.canonicalize().ok()].into_iter().flatten().any(|path| path.starts_with(&house))
}

/// Nobody was named and nothing is configured: the models that can be found.
async fn found(env: &Env, described: bool) -> Result<(SeatWishes, Option<String>)> {
    let found = synod_minds::find(env).await;
    let usable: Vec<(&FoundProvider, &Spec)> =
        found.iter().filter_map(|found| Some((found, found.spec.as_ref()?))).collect();
    if usable.is_empty() {
        return Err(no_model());
    }
    let seats = (0..VIEWS.len()).map(|i| view(i, usable[i % usable.len()].1.clone(), described)).collect();
    let names: Vec<String> = usable.iter().map(|(found, spec)| format!("{spec} ({})", found.how)).collect();
    let note = format!("no --seat given; using {}", names.join(", "));
    Ok((SeatWishes { seats, ..SeatWishes::default() }, Some(note)))
}

/// There is nobody to ask. What to type is said, and nothing is pretended.
fn no_model() -> Fail {
    let message = "no model is configured or found, so nobody can answer. Type one of these:
  synod init                       find API keys, local models and agent programs, and set up seats
  synod demo                       watch a complete scripted council first
  synod debate \"…\" --rehearse      three placeholder seats vote at random, and the result is marked
or pass --seat openai:MODEL, set OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY, or start Ollama";
    Fail::new(code::NO_MODEL, "seats/none", message)
}
