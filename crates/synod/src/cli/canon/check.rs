//! `synod canon check`: texts against canon, for people, Git hooks and continuous integration.

use std::io::BufRead as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;
use synod_core::House;
use synod_core::canon::{Canon, conflicts};
use synod_core::kernel::Who;
use synod_core::roster::WorkRole;
use synod_engine::now;

use super::diff::{ChangedFile, changed};
use super::{decided, export, read_text};
use crate::cli::Context;
use crate::cli::work::WorkArgs;
use crate::fail::{Fail, Result, code};
use crate::out;
use crate::wire::{CheckBody, CheckedText, ChoiceWord, ConflictView, DecideBody};

/// Find sentences that contradict canon, without a model. Nothing is recorded.
///
/// Each conflict is shown with its place, the entry and its version, and the commands to choose from. At a terminal
/// you are asked which one to take.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
              synod canon check chapter3.md chapter4.md\n  \
              git diff --cached --text | synod canon check --diff\n  \
              synod canon check --json < notes.md\n\n\
              Exit codes: 0 nothing contradicts canon, 1 something does, 65 a file is not text or a part of\n\
              a diff was not checked, 66 it cannot be read or there is no house (--canon FILE checks against\n\
              an export instead).\n\n\
              As a Git hook, in .git/hooks/pre-commit (make it executable):\n  \
              git diff --cached --text --no-color --no-ext-diff | synod canon check --diff --no-ask")]
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
    /// Check against this file instead of the house: an export of canon (`synod canon export`).
    #[arg(long, value_name = "FILE")]
    canon: Option<PathBuf>,
    #[command(flatten)]
    work: WorkArgs,
}

/// A conflict with its file and what to type.
#[derive(Debug, Serialize)]
struct PlacedConflict {
    file: String,
    #[serde(flatten)]
    conflict: ConflictView,
    /// The commands to choose from: keep and discuss, and override for those who may.
    choices: Vec<String>,
}

impl CanonCheckArgs {
    pub(super) async fn run(self, context: &Context) -> Result<ExitCode> {
        let from_stdin = vec![PathBuf::from("-")];
        let files = if self.files.is_empty() { &from_stdin } else { &self.files };
        // Known before anything is read: an empty diff is no check where there is neither canon nor a house.
        let (canon, chooser) = match &self.canon {
            Some(path) => (Some(export::read(path)?), Chooser::elsewhere(context, self.work.who()?.as_ref())),
            None => (None, self.work.chooser(context)?),
        };
        let mut unread = Vec::new();
        let found = self.find(context, files, canon.as_ref(), &chooser, &mut unread).await?;
        let exit = ExitCode::from(if found.is_empty() { code::PASSED } else { code::FAILED });
        if context.json {
            out::json(&found);
            return unchecked(&unread).map(|()| exit);
        }
        let asks = !self.no_ask
            && canon.is_none()
            && chooser.decides()
            && out::person_there()
            && out::error_is_seen()
            && !reads_stdin(files);
        for one in &found {
            out::line(&out::clean(&place(one)));
            match asks {
                true => self.ask(context, &one.conflict).await?,
                false => one.choices.iter().for_each(|choice| out::line(&out::clean(&format!("  {choice}")))),
            }
        }
        unchecked(&unread).map(|()| exit)
    }

    /// Every conflict of the files, or of what a diff adds to them.
    async fn find(
        &self,
        context: &Context,
        files: &[PathBuf],
        canon: Option<&Canon>,
        chooser: &Chooser,
        unread: &mut Vec<String>,
    ) -> Result<Vec<PlacedConflict>> {
        let mut found = Vec::new();
        for path in files {
            let text = read_text(path)?;
            let parts = match self.diff {
                true => {
                    let read = changed(&text);
                    unread.extend(read.unread);
                    let part = |file: ChangedFile| (file.path.clone(), file.text.clone(), Some(file));
                    read.files.into_iter().map(part).collect()
                }
                false => vec![(shown(path), text, None::<ChangedFile>)],
            };
            for (file, text, change) in parts {
                for mut conflict in self.check(context, canon, &text).await? {
                    if change.as_ref().is_none_or(|file| file.touches(conflict.line, &conflict.said)) {
                        conflict.line =
                            change.as_ref().map_or(conflict.line, |file| file.place(conflict.line));
                        let choices = chooser.choices(&conflict, None);
                        found.push(PlacedConflict { file: file.clone(), conflict, choices });
                    }
                }
            }
        }
        Ok(found)
    }

    async fn check(&self, context: &Context, canon: Option<&Canon>, text: &str) -> Result<Vec<ConflictView>> {
        if let Some(canon) = canon {
            let found = conflicts(canon, text, now());
            return Ok(found.iter().map(ConflictView::from).collect());
        }
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

/// The most parts of a diff that are named as not checked.
const UNREAD_MOST: usize = 20;

/// A diff that was read in part has not been checked.
fn unchecked(unread: &[String]) -> Result<()> {
    if unread.is_empty() {
        return Ok(());
    }
    let mut lines: Vec<&str> = unread.iter().take(UNREAD_MOST).map(String::as_str).collect();
    let more = unread.len().saturating_sub(UNREAD_MOST);
    let rest = format!("and {more} more");
    lines.extend((more > 0).then_some(rest.as_str()));
    let message = format!(
        "not all of the diff was checked:\n  {}\ngive it as `git diff --text --no-color --no-ext-diff` prints it; name the files (`-- '*.md'`) \
         if it holds some that are not text",
        lines.join("\n  ")
    );
    Err(Fail::new(code::DATA, "canon/unread-diff", message))
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

/// Who reads of a conflict. A command that is shown acts for its reader and is one that they may give: an agent that
/// types what it reads must not act as the user.
#[derive(Debug, Clone)]
pub(crate) struct Chooser {
    /// The participant; the user if nobody is named.
    who: Option<Who>,
    /// Whether they override canon and decide what is recorded: the user and a lead.
    decides: bool,
    /// What leads to the house: its folder, or the service that was named.
    place: String,
}

impl Chooser {
    /// Somebody who reads in a house that lies here.
    pub(crate) fn here(context: &Context, house: &House, who: Option<&Who>) -> Self {
        let leads = |who: &Who| house.roster().appointment(who).role == Some(WorkRole::Lead);
        Self { decides: who.is_none_or(leads), who: who.cloned(), place: context.house.flag() }
    }

    /// Somebody who reads where no house is: the commands are for the house of the project.
    pub(crate) fn elsewhere(context: &Context, who: Option<&Who>) -> Self {
        Self { decides: who.is_none(), who: who.cloned(), place: context.house.flag() }
    }

    /// Somebody who reads through a service that is named, which knows by their token what they may do.
    pub(crate) fn there(url: &str, who: Option<&Who>) -> Self {
        Self { decides: who.is_none(), who: who.cloned(), place: format!(" --service {}", quoted(url)) }
    }

    /// Whether they override canon and decide what is recorded.
    pub(crate) fn decides(&self) -> bool {
        self.decides
    }

    /// What they may type about a conflict. `recorded`: the id under which it waits for a decision, and who wrote it.
    pub(crate) fn choices(&self, conflict: &ConflictView, recorded: Option<(&str, &str)>) -> Vec<String> {
        let entry = conflict.entry.strip_prefix("canon:").unwrap_or(&conflict.entry);
        let who = self.who.as_ref().map(|who| format!(" --as '{who}'")).unwrap_or_default();
        let of = recorded.map(|(id, _)| format!(" --conflict {id}")).unwrap_or_default();
        let (said, place) = (quoted(&conflict.said), &self.place);
        let overrides = format!("synod canon decide{who} {entry} override --text {said}{of}{place}");
        let keep = format!("synod canon decide{who} {entry} keep{of}{place}");
        let discuss = format!("synod canon decide{who} {entry} discuss --text {said}{of}{place}");
        let wrote = |by: &str| self.who.as_ref().is_some_and(|who| who.as_str() == by);
        match (self.decides, recorded) {
            (true, _) => vec![overrides, keep, discuss],
            (false, None) => vec![keep, discuss],
            // Whoever wrote it may ask to discuss it, and nobody else decides in place of the user.
            (false, Some((_, by))) if wrote(by) => vec![discuss],
            (false, Some(_)) => Vec::new(),
        }
    }
}

/// A text as one word of a shell.
fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}
