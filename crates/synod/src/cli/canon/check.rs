//! `synod canon check`: texts against canon, for people, Git hooks and continuous integration.

use std::io::BufRead as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;
use synod_core::canon::conflicts;

use super::diff::{ChangedFile, changed};
use super::{decided, read_text};
use crate::cli::Context;
use crate::cli::work::WorkArgs;
use crate::fail::{Result, code};
use crate::out;
use crate::wire::{CheckBody, CheckedText, ChoiceWord, ConflictView, DecideBody};

/// Find sentences that contradict canon, without a model. Nothing is recorded.
///
/// Each conflict is shown with its place, the entry and its version, and the three commands to choose from. At a terminal
/// you are asked which one to take.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
              synod canon check chapter3.md chapter4.md\n  \
              git diff --cached | synod canon check --diff\n  \
              synod canon check --json < notes.md\n\n\
              Exit codes: 0 nothing contradicts canon, 1 something does, 65 a file is not text, 66 it cannot be read.\n\n\
              As a Git hook, in .git/hooks/pre-commit:\n  \
              git diff --cached --no-color | synod canon check --diff --no-ask")]
pub(crate) struct CanonCheckArgs {
    /// The files; standard input if left out, or for `-`.
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The input is a unified diff, as `git diff` prints it: check only what it adds.
    #[arg(long)]
    diff: bool,
    /// Never ask what to do, also at a terminal.
    #[arg(long)]
    no_ask: bool,
    #[command(flatten)]
    work: WorkArgs,
}

/// A conflict with its file and what to type.
#[derive(Debug, Serialize)]
struct PlacedConflict {
    file: String,
    #[serde(flatten)]
    conflict: ConflictView,
    /// The three commands to choose from: override, keep, discuss.
    choices: Vec<String>,
}

impl CanonCheckArgs {
    pub(super) async fn run(self, context: &Context) -> Result<ExitCode> {
        let from_stdin = vec![PathBuf::from("-")];
        let files = if self.files.is_empty() { &from_stdin } else { &self.files };
        let found = self.find(context, files).await?;
        let exit = ExitCode::from(if found.is_empty() { code::PASSED } else { code::FAILED });
        if context.json {
            out::json(&found);
            return Ok(exit);
        }
        let asks = !self.no_ask && out::person_there() && out::error_is_seen() && !reads_stdin(files);
        for one in &found {
            out::line(&out::clean(&place(one)));
            match asks {
                true => self.ask(context, &one.conflict).await?,
                false => one.choices.iter().for_each(|choice| out::line(&out::clean(&format!("  {choice}")))),
            }
        }
        Ok(exit)
    }

    /// Every conflict of the files, or of what a diff adds to them.
    async fn find(&self, context: &Context, files: &[PathBuf]) -> Result<Vec<PlacedConflict>> {
        let mut found = Vec::new();
        for path in files {
            let text = read_text(path)?;
            let parts = match self.diff {
                true => changed(&text)
                    .into_iter()
                    .map(|file| (file.path.clone(), file.text.clone(), Some(file)))
                    .collect(),
                false => vec![(shown(path), text, None::<ChangedFile>)],
            };
            for (file, text, change) in parts {
                for conflict in self.check(context, &text).await? {
                    if change.as_ref().is_none_or(|file| file.touches(conflict.line, &conflict.said)) {
                        let choices = choices(context, &conflict, None);
                        found.push(PlacedConflict {
                            file: file.clone(),
                            conflict,
                            choices: choices.to_vec(),
                        });
                    }
                }
            }
        }
        Ok(found)
    }

    async fn check(&self, context: &Context, text: &str) -> Result<Vec<ConflictView>> {
        if let Some(client) = self.work.service().named()? {
            let checked: CheckedText =
                client.post("/v1/canon/check", &CheckBody { text: text.into() }).await?;
            return Ok(checked.conflicts);
        }
        let (house, _) = context.house.read()?;
        let found = conflicts(house.canon(), text, crate::cli::work::moment(&house));
        Ok(found.iter().map(ConflictView::from).collect())
    }

    /// Asks the person at the terminal, and does what they choose.
    async fn ask(&self, context: &Context, conflict: &ConflictView) -> Result<()> {
        loop {
            out::error(
                "  [o]verride canon with this sentence, [k]eep canon, [d]iscuss in an issue, [s]kip? ",
            );
            let mut typed = String::new();
            if std::io::stdin().lock().read_line(&mut typed).is_ok_and(|read| read == 0) {
                return Ok(());
            }
            let choice = match typed.trim().to_lowercase().as_str() {
                "o" | "override" => ChoiceWord::Override,
                "k" | "keep" => ChoiceWord::Keep,
                "d" | "discuss" => ChoiceWord::Discuss,
                "s" | "skip" | "" => return Ok(()),
                _ => continue,
            };
            let text = (choice != ChoiceWord::Keep).then(|| conflict.said.clone());
            let body = DecideBody { entry: conflict.entry.clone(), choice, text, conflict: None };
            let done = self.work.give(context, &body).await?;
            out::line(&out::clean(&format!("  {}", decided(choice, &done))));
            return Ok(());
        }
    }
}

fn reads_stdin(files: &[PathBuf]) -> bool {
    files.iter().any(|path| path.as_os_str() == "-")
}

fn shown(path: &Path) -> String {
    if path.as_os_str() == "-" { "stdin".into() } else { path.display().to_string() }
}

fn place(found: &PlacedConflict) -> String {
    let PlacedConflict { file, conflict, .. } = found;
    let ConflictView { line, entry, canon, text, .. } = conflict;
    format!("{file}:{line}: {entry} has \"{canon}\", the text has \"{text}\"")
}

/// The three commands to choose from.
pub(crate) fn choices(context: &Context, conflict: &ConflictView, recorded: Option<&str>) -> [String; 3] {
    let entry = conflict.entry.strip_prefix("canon:").unwrap_or(&conflict.entry);
    let of = recorded.map(|id| format!(" --conflict {id}")).unwrap_or_default();
    let (said, house) = (quoted(&conflict.said), context.house.flag());
    [
        format!("synod canon decide {entry} override --text {said}{of}{house}"),
        format!("synod canon decide {entry} keep{of}{house}"),
        format!("synod canon decide {entry} discuss --text {said}{of}{house}"),
    ]
}

/// A text as one word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
