//! `synod seats`

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;
use serde_json::json;
use synod_minds::{Env, FoundProvider, Settings, Spec, find};

use super::Context;
use crate::casting::{Casting, PerformArgs, settings};
use crate::fail::Result;
use crate::out;
use crate::probe::probe;
use crate::seats::{Configured, SeatWishes, Wish, name_all};
use crate::setup::on_path;
use crate::trust::{StoredConsent, Want, is_kept};

/// List the seats and councils that debates here can use, and whether each can answer.
///
/// Shows those of the house first, then your own (~/.config/synod), then models that are found. Nobody is called
/// without --try.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  synod seats\n  synod seats --try --json")]
pub(crate) struct SeatListArgs {
    /// Try each backend with one small call.
    #[arg(long = "try")]
    try_each: bool,
    #[command(flatten)]
    perform: PerformArgs,
}

/// A seat as it is listed.
#[derive(Debug, Serialize)]
struct SeatRow {
    name: String,
    backend: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    persona: Option<String>,
    /// `seat`, `judge` or `scribe`.
    part: &'static str,
    /// Whether it can answer, as far as that is known.
    usable: Option<bool>,
    state: String,
}

/// A council as it is listed; the one without a name is that of debates which name none.
#[derive(Debug, Serialize)]
struct ListedCouncil {
    council: Option<String>,
    from: String,
    /// Whether a debate without --council and --seat uses it.
    default: bool,
    seats: Vec<SeatRow>,
}

impl SeatListArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        context.house.check()?;
        let configured = Configured::load(context.house.dir())?;
        let found = find(&Env::process()).await;
        let look = Look::new(context.house.dir(), &found, &self)?;
        let usual = configured.usual().map(|config| config.file.clone());
        let mut listed = Vec::new();
        for config in configured.files.iter().filter(|config| !config.wishes.seats.is_empty()) {
            let default = usual.as_ref() == Some(&config.file);
            let from = config.file.display().to_string();
            listed.push(ListedCouncil {
                council: None,
                from,
                default,
                seats: look.rows(&config.wishes).await,
            });
        }
        for council in &configured.councils {
            let (name, from) = (Some(council.name.clone()), council.file.display().to_string());
            listed.push(ListedCouncil {
                council: name,
                from,
                default: false,
                seats: look.rows(&council.wishes).await,
            });
        }
        let aliases: Vec<(String, String)> =
            configured.aliases().all().map(|alias| (alias.name.clone(), alias.spec.to_string())).collect();
        match context.json {
            true => {
                let found = found.iter().map(|one| json!({ "provider": one.provider, "how": one.how, "backend": one.spec.as_ref().map(Spec::to_string), "models": one.models }));
                let found: Vec<_> = found.collect();
                let aliases: serde_json::Map<_, _> =
                    aliases.into_iter().map(|(name, spec)| (name, spec.into())).collect();
                out::json(&json!({ "councils": listed, "aliases": aliases, "found": found }));
            }
            false => out::text(&out::clean(&text(&listed, &aliases, &found))),
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn text(listed: &[ListedCouncil], aliases: &[(String, String)], found: &[FoundProvider]) -> String {
    let mut lines = Vec::new();
    for council in listed {
        let name = match (&council.council, council.default) {
            (Some(name), _) => format!("council {name} (--council {name})"),
            (None, true) => "council of every debate that names none".into(),
            (None, false) => "seats that are not used here, because others go before them".to_string(),
        };
        lines.push(format!("{name}, from {}", council.from));
        let width = council.seats.iter().map(|row| row.name.chars().count()).max().unwrap_or(0);
        for row in &council.seats {
            let sign = match row.usable {
                Some(true) => "ok ",
                Some(false) => "NO ",
                None => "?  ",
            };
            let part = if row.part == "seat" { String::new() } else { format!(" ({})", row.part) };
            let pad = width - row.name.chars().count();
            lines.push(format!("  {sign} {}{:pad$}  {}{part}: {}", row.name, "", row.backend, row.state));
        }
    }
    if !aliases.is_empty() {
        lines.push("aliases".into());
        lines.extend(aliases.iter().map(|(name, spec)| format!("  {name} = {spec}")));
    }
    let usable = found.iter().filter_map(|one| Some((one, one.spec.as_ref()?)));
    let usable: Vec<String> = usable.map(|(one, spec)| format!("  {spec} ({})", one.how)).collect();
    if !usable.is_empty() {
        lines.push("found on this machine".into());
        lines.extend(usable);
    }
    if lines.is_empty() {
        lines.push("no seats are configured and no model was found. Run `synod init`".into());
    }
    lines.join("\n") + "\n"
}

/// What is known about backends.
struct Look<'a> {
    casting: Casting,
    settings: Settings,
    kept: Option<StoredConsent>,
    found: &'a [FoundProvider],
    try_each: bool,
}

impl<'a> Look<'a> {
    fn new(house: &Path, found: &'a [FoundProvider], args: &SeatListArgs) -> Result<Self> {
        Ok(Self {
            casting: Casting::new(house, Env::process(), &args.perform)?,
            settings: settings(house)?,
            kept: StoredConsent::of(house).ok(),
            found,
            try_each: args.try_each,
        })
    }

    async fn rows(&self, wishes: &SeatWishes) -> Vec<SeatRow> {
        let mut wishes = wishes.clone();
        name_all(&mut wishes);
        let SeatWishes { seats, judges, scribe } = wishes;
        let parts = seats.into_iter().map(|wish| ("seat", wish));
        let parts = parts.chain(judges.into_iter().map(|wish| ("judge", wish)));
        let mut rows = Vec::new();
        for (part, wish) in parts.chain(scribe.into_iter().map(|wish| ("scribe", wish))) {
            let (usable, state) = self.state(&wish).await;
            let (backend, persona) = (wish.spec.to_string(), wish.persona);
            rows.push(SeatRow { name: wish.name, backend, persona, part, usable, state });
        }
        rows
    }

    /// Whether a seat can answer, as far as can be known.
    async fn state(&self, wish: &Wish) -> (Option<bool>, String) {
        let spec = &wish.spec;
        if *spec == Spec::Person {
            return (None, "a person, asked at the terminal".into());
        }
        if *spec == Spec::Rehearsal {
            return (Some(true), "a placeholder that votes at random".into());
        }
        // Nothing of a house is read, run or contacted before its user agrees.
        if !self.is_agreed(wish) {
            return (None, "needs your consent: run `synod trust`".into());
        }
        let mind = match self.casting.minds().mind(spec) {
            Ok(mind) => mind,
            Err(error) => return (Some(false), error.message),
        };
        if self.try_each {
            return match probe(&*mind).await {
                Ok(took) => {
                    (Some(true), format!("answered in {}.{} s", took.as_secs(), took.subsec_millis() / 100))
                }
                Err(problem) => (Some(false), problem),
            };
        }
        self.offline(spec)
    }

    /// Whether the user agreed to what a seat needs, or it needs nothing.
    fn is_agreed(&self, wish: &Wish) -> bool {
        let Some(want) = Want::of(&wish.spec, &self.settings) else { return true };
        wish.typed || self.casting.trusts_all() || self.kept.as_ref().is_some_and(|kept| is_kept(kept, &want))
    }

    fn offline(&self, spec: &Spec) -> (Option<bool>, String) {
        match spec {
            Spec::Named { provider: synod_minds::ProviderName::Ollama, model } => {
                let ollama = self.found.iter().find(|found| found.provider == "ollama");
                match ollama {
                    Some(found) if found.models.iter().any(|known| is_same(known, model)) => {
                        (Some(true), found.how.clone())
                    }
                    Some(_) => {
                        (Some(false), format!("Ollama has no model {model}: run `ollama pull {model}`"))
                    }
                    None => (Some(false), "Ollama does not answer: start it".into()),
                }
            }
            Spec::Named { provider, .. } => (Some(true), format!("{provider} has a key; not called")),
            Spec::Endpoint { url, .. } => (None, format!("{url} was not contacted; --try does")),
            Spec::Exec(program) => {
                let word =
                    program.command.split_whitespace().find(|word| !word.contains('=')).unwrap_or_default();
                match on_path(word) {
                    Some(path) => (Some(true), format!("the program {}", path.display())),
                    None => (None, "not a program on the PATH; --try finds out".into()),
                }
            }
            Spec::Script(file) => (Some(true), format!("the script {}", file.display())),
            Spec::Person | Spec::Rehearsal => (None, String::new()),
        }
    }
}

/// Ollama calls the latest version by the name alone, too.
fn is_same(known: &str, model: &str) -> bool {
    known == model || known.strip_suffix(":latest") == Some(model)
}
