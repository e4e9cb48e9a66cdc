//! Setting up seats: what is on this machine, and which council it makes.

use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;

use serde::Serialize;
use synod_minds::{Env, FoundProvider, Program, Spec, find, find_local};

use crate::seats::{VIEWS, name_of};

/// An agent that is a program, and how it takes a prompt on standard input and prints its answer without asking anybody.
#[derive(Debug, Clone, Copy)]
pub(crate) struct AgentProgram {
    pub(crate) name: &'static str,
    pub(crate) command: &'static str,
    /// Where it keeps its settings and its key, if not where it usually does. Those that are set are passed on.
    variables: &'static [&'static str],
}

/// The agents that are looked for. Each is run so that it changes nothing: without tools, or only reading.
pub(crate) const AGENTS: [AgentProgram; 4] = [
    AgentProgram {
        name: "claude",
        command: "claude -p",
        variables: &["ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDE_CONFIG_DIR"],
    },
    AgentProgram {
        name: "codex",
        command: "codex exec --sandbox read-only --skip-git-repo-check -",
        variables: &["OPENAI_API_KEY", "CODEX_API_KEY", "CODEX_HOME"],
    },
    AgentProgram {
        name: "gemini",
        command: "gemini -p 'Answer the question on standard input.'",
        variables: &["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_CLOUD_PROJECT"],
    },
    AgentProgram {
        name: "goose",
        command: "GOOSE_MODE=chat goose run --no-session -q -i -",
        variables: &[
            "GOOSE_PROVIDER",
            "GOOSE_MODEL",
            "OPENAI_API_KEY",
            "ANTHROPIC_API_KEY",
            "GOOGLE_API_KEY",
        ],
    },
];

impl AgentProgram {
    pub(crate) fn named(name: &str) -> Option<Self> {
        AGENTS.into_iter().find(|agent| agent.name == name)
    }

    pub(crate) fn spec(self) -> Spec {
        let set = self.variables.iter().filter(|name| Env::process().get(name).is_some());
        let variables = set.map(|name| (*name).to_string()).collect();
        Spec::Exec(Program { command: self.command.into(), variables })
    }

    /// Where it is on the PATH.
    pub(crate) fn found(self) -> Option<PathBuf> {
        on_path(self.name)
    }
}

/// A program on the PATH.
pub(crate) fn on_path(name: &str) -> Option<PathBuf> {
    let is_program = |file: &PathBuf| {
        file.metadata().is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    };
    if name.contains('/') {
        return Some(PathBuf::from(name)).filter(is_program);
    }
    // A relative folder would lead into whatever folder the command runs in.
    let path = std::env::var_os("PATH")?;
    let mut folders = std::env::split_paths(&path).filter(|folder| folder.is_absolute());
    folders.find_map(|folder| Some(folder.join(name)).filter(is_program))
}

/// Something that could answer.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) what: String,
    pub(crate) how: String,
    pub(crate) spec: Spec,
}

/// As many models of one server as a panel needs.
const PANEL: usize = 3;
/// The most seats of a council that nobody chose.
const SEATS_MOST: usize = 5;

/// Models that could answer: one of each provider first, then others that servers on this machine have.
pub(crate) async fn models(env: &Env) -> Vec<Candidate> {
    let (found, local) = tokio::join!(find(env), find_local(env));
    let all: Vec<FoundProvider> = found.into_iter().chain(local).collect();
    let candidate = |found: &FoundProvider, spec: Spec| Candidate {
        what: found.provider.clone(),
        how: found.how.clone(),
        spec,
    };
    let firsts = all.iter().filter_map(|found| Some(candidate(found, found.spec.clone()?)));
    let mut candidates: Vec<Candidate> = firsts.collect();
    for found in &all {
        for model in &found.models {
            let spec = match &found.spec {
                Some(Spec::Named { provider, .. }) => {
                    Spec::Named { provider: *provider, model: model.clone() }
                }
                Some(Spec::Endpoint { url, .. }) => Spec::Endpoint { url: url.clone(), model: model.clone() },
                _ => continue,
            };
            if candidates.len() < PANEL && candidates.iter().all(|known| known.spec != spec) {
                candidates.push(candidate(found, spec));
            }
        }
    }
    candidates
}

/// A seat of a council that is written to a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct CouncilSeat {
    pub(crate) name: String,
    pub(crate) backend: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) persona: Option<String>,
}

/// The council of these backends: different models where there are enough, else the same ones with points of view.
pub(crate) fn panel(specs: &[Spec]) -> Vec<CouncilSeat> {
    let mut distinct: Vec<&Spec> = Vec::new();
    specs.iter().for_each(|spec| {
        if !distinct.contains(&spec) {
            distinct.push(spec);
        }
    });
    if distinct.is_empty() {
        return Vec::new();
    }
    if distinct.len() < PANEL {
        let seat = |(i, (name, view)): (usize, &(&str, &str))| CouncilSeat {
            name: (*name).into(),
            backend: distinct[i % distinct.len()].to_string(),
            persona: Some((*view).into()),
        };
        return VIEWS.iter().enumerate().map(seat).collect();
    }
    let mut places: Vec<CouncilSeat> = Vec::new();
    for spec in distinct.into_iter().take(SEATS_MOST) {
        let base = name_of(spec);
        let taken = |name: &str| places.iter().any(|place| place.name.eq_ignore_ascii_case(name));
        let mut name = base.clone();
        for nth in 2..=SEATS_MOST {
            if !taken(&name) {
                break;
            }
            name = format!("{base}-{nth}");
        }
        places.push(CouncilSeat { name, backend: spec.to_string(), persona: None });
    }
    places
}

/// The file of seats.
pub(crate) fn seats_file(places: &[CouncilSeat]) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut out = String::from(
        "# Seats of debates that name none. Written by `synod init`; edit it freely.\n\
         # Keys stay in the environment: never write one here.\n",
    );
    for CouncilSeat { name, backend, persona } in places {
        let _ = write!(out, "\n[[seat]]\nname = {}\nbackend = {}\n", quoted(name), quoted(backend));
        if let Some(persona) = persona {
            let _ = writeln!(out, "persona = {}", quoted(persona));
        }
    }
    let first = places.first().map(|place| place.backend.as_str()).unwrap_or("openai:MODEL");
    let _ = write!(
        out,
        "\n# Short names for backends, for --seat and for councils:\n# [alias]\n# fast = {}\n\n\
         # Councils by name, for --council arch: names of seats above, aliases or backends.\n\
         # [council.arch]\n# seats = [{}]\n",
        quoted(first),
        places.iter().take(2).map(|place| quoted(&place.name)).collect::<Vec<_>>().join(", ")
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn specs(written: &[&str]) -> Vec<Spec> {
        written.iter().map(|written| Spec::parse(written).unwrap()).collect()
    }

    #[test]
    fn different_models_go_before_points_of_view() {
        let one = panel(&specs(&["openai:gpt-4.1-mini"]));
        assert_eq!(
            one.iter().map(|place| place.name.as_str()).collect::<Vec<_>>(),
            ["pragmatist", "skeptic", "steward"]
        );
        let two = panel(&specs(&["openai:a", "ollama:b"]));
        assert_eq!(
            two.iter().map(|place| place.backend.as_str()).collect::<Vec<_>>(),
            ["openai:a", "ollama:b", "openai:a"]
        );
        assert!(two.iter().all(|place| place.persona.is_some()));
        let four = panel(&specs(&["openai:a", "ollama:a", "gemini:c", "openai:a", "exec:claude -p"]));
        let shown: Vec<String> =
            four.iter().map(|place| format!("{}={}", place.name, place.backend)).collect();
        assert_eq!(shown, ["a=openai:a", "a-2=ollama:a", "c=gemini:c", "claude=exec:claude -p"]);
        assert!(four.iter().all(|place| place.persona.is_none()));
        assert!(panel(&[]).is_empty());
    }
}
