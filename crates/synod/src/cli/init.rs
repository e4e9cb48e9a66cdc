//! `synod init`

use std::io::{BufRead as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Args;
use serde::Serialize;
use serde_json::json;
use synod_journal::file;
use synod_minds::{Env, Spec};

use super::Context;
use crate::casting::{Casting, PerformArgs};
use crate::fail::{Fail, Result, code};
use crate::house::{keep_out_of_git, quoted};
use crate::probe::probe;
use crate::setup::{AGENTS, AgentProgram, Candidate, CouncilSeat, models, panel, seats_file};
use crate::trust::can_ask;
use crate::user::config_dir;
use crate::{locate, out};

/// Find models and agent programs, try each with one small call, and write seats.
///
/// Looks for API keys in the environment (OpenAI, Anthropic, Gemini, OpenRouter), for Ollama, LM Studio and llama.cpp on
/// this machine, and for the programs claude, codex, gemini and goose. A program is run only if you agree. The seats go
/// to .synod/seats.toml, with a .gitignore that keeps keys and the journal out of git. Keys are never written.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
              synod init\n  \
              synod init --agents claude,codex   agree to run these programs, without a question\n  \
              synod init --user                  for every house of yours, in ~/.config/synod")]
pub(crate) struct InitArgs {
    /// Agent programs to use as seats, without being asked: claude, codex, gemini, goose, or none.
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    agents: Option<Vec<String>>,
    /// Call nobody: write seats for everything that is found.
    #[arg(long)]
    no_try: bool,
    /// Replace a seats.toml that is there.
    #[arg(long)]
    force: bool,
    /// Write your own seats.toml, for every house that has none, instead of one for this house.
    #[arg(long)]
    user: bool,
}

/// What became of one thing that was found.
#[derive(Debug, Serialize)]
struct Tried {
    what: String,
    how: String,
    backend: String,
    /// Whether it answered; `None` if it was not tried.
    answers: Option<bool>,
    took_ms: Option<u64>,
    problem: Option<String>,
    #[serde(skip)]
    spec: Spec,
}

impl InitArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let dir = self.folder(context)?;
        let path = dir.join("seats.toml");
        let is_there = path.symlink_metadata().is_ok();
        // Nothing is made where nothing was found.
        let keep_out = || if self.user { Ok(false) } else { keep_out_of_git(&dir) };
        if is_there && !self.force {
            return Ok(there_already(context, &path, keep_out()?));
        }
        let agents = self.agents()?;
        let mut found = models(&Env::process()).await;
        found.extend(agents.iter().map(|(agent, path)| candidate(*agent, path)));
        let tried = self.try_all(&dir, found, context.json).await?;
        let working: Vec<Spec> =
            tried.iter().filter(|one| one.answers != Some(false)).map(|one| one.spec.clone()).collect();
        let places = panel(&working);
        if places.is_empty() {
            return Err(nothing(&tried));
        }
        let ignored = keep_out()?;
        file::make_folder(&dir).and_then(|()| file::replace(&path, seats_file(&places).as_bytes())).map_err(
            |error| {
                let message = format!("{} cannot be written: {error}", path.display());
                Fail::new(code::IO, "file/unwritable", message)
            },
        )?;
        crate::trust::house_is_made(&dir);
        show(context, &path, ignored, &tried, &places);
        Ok(ExitCode::SUCCESS)
    }

    /// Where the seats go. A new house is made here, whatever lies above: as `git init` does.
    fn folder(&self, context: &Context) -> Result<PathBuf> {
        if self.user {
            let message = "neither HOME nor XDG_CONFIG_HOME is set, so there is no place for your own seats";
            return config_dir().ok_or_else(|| Fail::new(code::UNAVAILABLE, "seats/no-home", message));
        }
        if context.house.is_above() {
            let above = quoted(context.house.dir());
            out::error(&format!(
                "note: a new house is made here; {above} is used only from folders without one"
            ));
            return Ok(locate::USUAL.into());
        }
        context.house.check()?;
        Ok(context.house.dir().into())
    }

    /// The programs that the user agrees to run.
    fn agents(&self) -> Result<Vec<(AgentProgram, PathBuf)>> {
        if let Some(names) = &self.agents {
            let names = names.iter().map(|name| name.trim()).filter(|name| !["", "none"].contains(name));
            return names.map(wanted).collect();
        }
        let there = AGENTS.into_iter().filter_map(|agent| Some((agent, agent.found()?)));
        let there: Vec<(AgentProgram, PathBuf)> = there.collect();
        if !can_ask() {
            if !there.is_empty() {
                let names: Vec<&str> = there.iter().map(|(agent, _)| agent.name).collect();
                let names = names.join(",");
                out::error(&format!(
                    "note: found {names}, but no program is run without your consent: synod init --agents {names}"
                ));
            }
            return Ok(Vec::new());
        }
        let mut agreed = Vec::new();
        for (agent, path) in there {
            if asked(agent, &path)? {
                agreed.push((agent, path));
            }
        }
        Ok(agreed)
    }

    /// Tries everything that was found, one after another.
    async fn try_all(&self, dir: &Path, found: Vec<Candidate>, json: bool) -> Result<Vec<Tried>> {
        let house = if self.user { Path::new(locate::USUAL) } else { dir };
        let casting = Casting::new(house, Env::process(), &PerformArgs::default())?;
        // Whoever runs this wants just these: the same consent as for a seat that is typed.
        casting.check(found.iter().map(|one| (&one.spec, true)))?;
        let mut tried = Vec::new();
        for Candidate { what, how, spec } in found {
            if !json {
                let doing = if self.no_try { "found" } else { "trying" };
                out::error(&out::clean(&format!("{doing}  {spec} ({how})")));
            }
            let result = match (self.no_try, casting.minds().mind(&spec)) {
                (true, _) => None,
                (false, Ok(mind)) => Some(probe(&*mind).await),
                (false, Err(error)) => Some(Err(error.message)),
            };
            if !json {
                match &result {
                    Some(Ok(took)) => out::error(&format!("        answered in {}", seconds(*took))),
                    Some(Err(problem)) => out::error(&out::clean(&format!("        no: {problem}"))),
                    None => (),
                }
            }
            tried.push(Tried {
                what,
                how,
                backend: spec.to_string(),
                answers: result.as_ref().map(|result| result.is_ok()),
                took_ms: result
                    .as_ref()
                    .and_then(|result| result.as_ref().ok())
                    .map(|took| took.as_millis() as u64),
                problem: result.and_then(|result| result.err()),
                spec,
            });
        }
        Ok(tried)
    }
}

fn seconds(took: Duration) -> String {
    format!("{}.{} s", took.as_secs(), took.subsec_millis() / 100)
}

fn candidate(agent: AgentProgram, path: &Path) -> Candidate {
    Candidate { what: agent.name.into(), how: format!("the program {}", path.display()), spec: agent.spec() }
}

/// An agent that the user named.
fn wanted(name: &str) -> Result<(AgentProgram, PathBuf)> {
    let Some(agent) = AgentProgram::named(name) else {
        let known = AGENTS.map(|agent| agent.name).join(", ");
        let message = format!(
            "`{name}` is not an agent program that synod knows: {known}, or none. Any other program is a seat: --seat 'exec:COMMAND'"
        );
        return Err(Fail::usage(message));
    };
    let message = format!("the program {name} is not on the PATH");
    let found = agent.found().ok_or_else(|| Fail::new(code::NO_INPUT, "agents/not-found", message))?;
    Ok((agent, found))
}

/// Asks once; anything but yes is no.
fn asked(agent: AgentProgram, path: &Path) -> Result<bool> {
    let failed = |error: std::io::Error| Fail::new(code::IO, "stdin", error.to_string());
    let text = format!(
        "Use {} ({}) as a seat? Each prompt would run: {}  [y/N] ",
        agent.name,
        out::clean(&path.display().to_string()),
        agent.command
    );
    let mut screen = std::io::stderr().lock();
    screen.write_all(text.as_bytes()).and_then(|()| screen.flush()).map_err(failed)?;
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer).map_err(failed)?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

fn there_already(context: &Context, path: &Path, ignored: bool) -> ExitCode {
    let file = quoted(path);
    match context.json {
        true => out::json(&json!({ "seats_file": path, "written": false, "gitignore_written": ignored })),
        false => out::line(&format!(
            "{file} is there already and was left as it is. `synod seats` shows it; `synod init --force` replaces it"
        )),
    }
    ExitCode::SUCCESS
}

/// Nobody answered.
fn nothing(tried: &[Tried]) -> Fail {
    let lines: Vec<String> = tried
        .iter()
        .map(|one| format!("  {}: {}", one.backend, one.problem.as_deref().unwrap_or_default()))
        .collect();
    let what = match lines.is_empty() {
        true => "no API key, no local model and no agent program was found".to_string(),
        false => format!("nothing that was found answered:\n{}", lines.join("\n")),
    };
    let message = format!(
        "{what}. No seats were written. Do one of these, then run `synod init` again:
  set OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY or OPENROUTER_API_KEY
  start Ollama, LM Studio or llama.cpp on this machine
  install an agent program: claude, codex, gemini or goose
Without any of them: synod demo, or synod debate \"…\" --rehearse"
    );
    Fail::new(code::NO_MODEL, "seats/none", message)
}

fn show(context: &Context, path: &Path, ignored: bool, tried: &[Tried], places: &[CouncilSeat]) {
    if context.json {
        return out::json(&json!({
            "seats_file": path, "written": true, "gitignore_written": ignored, "found": tried, "seats": places,
        }));
    }
    let mut lines = vec![format!("wrote {}:", quoted(path))];
    lines.extend(places.iter().map(|place| format!("  {} = {}", place.name, place.backend)));
    lines.push("Next:".into());
    lines.push("  synod debate \"Should we cache the search index?\"   ask them".into());
    lines.push("  synod seats                                        see seats and councils".into());
    out::line(&out::clean(&lines.join("\n")));
}
