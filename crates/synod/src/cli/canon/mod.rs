//! `synod canon`: what the house holds to be true. Reading a file against it is in `check`, claims in `claims`.

mod ask;
mod check;
mod claims;
mod diff;
mod export;

use std::io::Read as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use synod_core::canon::{CanonRef, EntryName};

use super::limits::duration;
use super::work::WorkArgs;
use super::{Context, on_runtime};
use crate::fail::{Fail, Result, code};
use crate::out;
use crate::wire::{
    CanonEntryView, CanonPage, ChoiceWord, ConflictPage, DecideBody, EndBody, FoundConflictView, PromoteBody,
    StatusBody, SupportBody,
};
use crate::work::WorkDone;

pub(super) use check::Chooser;

/// Manage what the house holds to be true, and check texts against it.
///
/// Entries are cited by name and version, such as `canon:eyes@2`. Texts are checked by rules, without a model.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
              synod canon promote eyes --text \"Mara's eyes are green.\"\n  \
              synod canon check chapter3.md\n  \
              synod canon decide eyes@1 override --text \"Mara's eyes are blue.\"\n  \
              synod canon history eyes")]
pub(crate) struct CanonArgs {
    #[command(subcommand)]
    command: CanonSubcommand,
}

#[derive(Debug, Subcommand)]
enum CanonSubcommand {
    List(CanonListArgs),
    Show(CanonShowArgs),
    History(CanonHistoryArgs),
    Promote(CanonPromoteArgs),
    End(CanonEndArgs),
    Check(check::CanonCheckArgs),
    Export(export::CanonExportArgs),
    Conflicts(CanonConflictsArgs),
    Decide(CanonDecideArgs),
    Status(CanonStatusArgs),
    Support(CanonSupportArgs),
    Claims(claims::CanonClaimsArgs),
}

impl CanonArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        match self.command {
            CanonSubcommand::List(args) => on_runtime(args.run(context)),
            CanonSubcommand::Show(args) => on_runtime(args.run(context)),
            CanonSubcommand::History(args) => on_runtime(args.run(context)),
            CanonSubcommand::Promote(args) => on_runtime(args.run(context)),
            CanonSubcommand::End(args) => on_runtime(args.run(context)),
            CanonSubcommand::Check(args) => on_runtime(args.run(context)),
            CanonSubcommand::Export(args) => args.run(context),
            CanonSubcommand::Conflicts(args) => on_runtime(args.run(context)),
            CanonSubcommand::Decide(args) => on_runtime(args.run(context)),
            CanonSubcommand::Status(args) => on_runtime(args.run(context)),
            CanonSubcommand::Support(args) => on_runtime(args.run(context)),
            CanonSubcommand::Claims(args) => on_runtime(args.run(context)),
        }
    }
}

/// List the entries that hold, by name.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  synod canon list\n  synod canon list --all --json")]
pub(crate) struct CanonListArgs {
    /// Also list entries that ended or expired.
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    work: WorkArgs,
}

impl CanonListArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        let all = self.all;
        let route = format!("/v1/canon?all={all}");
        let page: CanonPage =
            self.work.look(context, &route, |house, at| Ok(CanonPage::of(house, at, all))).await?;
        if context.json {
            out::json(&page.entries);
            return Ok(ExitCode::SUCCESS);
        }
        if page.entries.is_empty() {
            out::line("nothing is canon; `synod canon promote NAME --text \"…\"` adds an entry");
        }
        for entry in &page.entries {
            out::line(&out::clean(&line(entry)));
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn line(entry: &CanonEntryView) -> String {
    let status = if entry.status == "current" { String::new() } else { format!(" ({})", entry.status) };
    // What ended, or was followed by another version, did not hold until then.
    let holds = matches!(entry.status.as_str(), "current" | "expired");
    let until = entry.until.filter(|_| holds).map(|until| format!(" until {until}")).unwrap_or_default();
    let text = synod_core::kernel::text::one_line(&entry.text);
    format!("{}{status}{until} · {}", entry.cite, synod_core::kernel::text::excerpt(&text, 120))
}

/// All versions of an entry.
async fn versions(context: &Context, work: &WorkArgs, name: &EntryName) -> Result<Vec<CanonEntryView>> {
    let route = format!("/v1/canon/{}", crate::percent::encode(name.as_str()));
    let look = |house: &crate::house::Looked, at| {
        let entries = CanonEntryView::history(house, name, at);
        match entries.is_empty() {
            true => Err(unknown(name)),
            false => Ok(CanonPage { entries }),
        }
    };
    let page: CanonPage = work.look(context, &route, look).await?;
    Ok(page.entries)
}

fn unknown(name: &EntryName) -> Fail {
    let message = format!("there is no canon entry `{name}`; `synod canon list --all` shows all of them");
    Fail::new(code::NO_INPUT, "canon/unknown-entry", message)
}

fn cited(written: &str) -> std::result::Result<CanonRef, String> {
    written.parse().map_err(|wrong: synod_core::canon::Refusal| wrong.to_string())
}

/// Show an entry: its text, what it claims, since when and by whom.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  synod canon show eyes\n  synod canon show eyes@1")]
pub(crate) struct CanonShowArgs {
    /// The entry, with a version if you like.
    #[arg(value_name = "NAME[@VERSION]", value_parser = cited)]
    entry: CanonRef,
    #[command(flatten)]
    work: WorkArgs,
}

impl CanonShowArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        let all = versions(context, &self.work, &self.entry.name).await?;
        let wanted = self.entry.version;
        let found = all.iter().rev().find(|entry| wanted == 0 || entry.version == wanted);
        let Some(entry) = found else {
            let message = format!("{} has no version {wanted}", self.entry.name);
            return Err(Fail::new(code::NO_INPUT, "canon/unknown-entry", message));
        };
        match context.json {
            true => out::json(entry),
            false => out::text(&out::clean(&whole(entry))),
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn whole(entry: &CanonEntryView) -> String {
    let mut lines = format!("{} · {} · {} by {}\n", entry.cite, entry.status, entry.at, entry.by);
    if let Some(number) = entry.issue {
        lines.push_str(&format!("from issue #{number}\n"));
    }
    if !entry.votes.is_empty() {
        lines.push_str(&format!("votes: {}\n", entry.votes.join(", ")));
    }
    if let Some(until) = entry.until {
        lines.push_str(&format!("holds until {until}\n"));
    }
    if let Some(why) = &entry.why_ended {
        lines.push_str(&format!("ended: {why}\n"));
    }
    lines.push_str(&format!("\n{}\n", entry.text.trim_end()));
    match entry.claims.is_empty() {
        true => lines.push_str("\nno claims were read from it: it cannot contradict anything\n"),
        false => {
            lines.push_str("\nclaims:\n");
            entry.claims.iter().for_each(|claim| lines.push_str(&format!("  {claim}\n")));
        }
    }
    lines
}

/// List all versions of an entry, the oldest first.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod canon history eyes")]
pub(crate) struct CanonHistoryArgs {
    /// The entry.
    #[arg(value_name = "NAME", value_parser = |written: &str| EntryName::parse(written).map_err(|wrong| wrong.to_string()))]
    name: EntryName,
    #[command(flatten)]
    work: WorkArgs,
}

impl CanonHistoryArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        let all = versions(context, &self.work, &self.name).await?;
        if context.json {
            out::json(&all);
            return Ok(ExitCode::SUCCESS);
        }
        for entry in &all {
            let at = entry.at;
            let why = entry.why_ended.as_ref().map(|why| format!(" · ended: {why}")).unwrap_or_default();
            out::line(&out::clean(&format!(
                "{at} by {} · {} · {}{why}",
                entry.by,
                entry.status,
                line(entry)
            )));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// A text that is given in the command line or read from a file.
#[derive(Debug, Clone, Args)]
pub(super) struct EntryTextArg {
    /// The text.
    #[arg(long, value_name = "TEXT", conflicts_with = "file")]
    text: Option<String>,
    /// Read the text from this file; `-` reads standard input.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
}

impl EntryTextArg {
    fn read(&self) -> Result<Option<String>> {
        match &self.file {
            Some(path) => read_text(path).map(Some),
            None => Ok(self.text.clone()),
        }
    }
}

/// The most that is read of a file.
const FILE_MOST: u64 = 4 << 20;

/// The text of a file, or of standard input for `-`.
pub(super) fn read_text(path: &std::path::Path) -> Result<String> {
    let unread = |error: std::io::Error| {
        Fail::new(code::NO_INPUT, "canon/unread", format!("{} cannot be read: {error}", path.display()))
    };
    let mut bytes = Vec::new();
    let most = FILE_MOST + 1;
    match path.as_os_str() == "-" {
        true => std::io::stdin().lock().take(most).read_to_end(&mut bytes).map_err(unread)?,
        false => std::fs::File::open(path)
            .and_then(|file| file.take(most).read_to_end(&mut bytes))
            .map_err(unread)?,
    };
    let wrong = |why: &str| {
        let message = format!("{} {why}: check text files of up to 4 MiB", path.display());
        Fail::new(code::DATA, "canon/not-text", message)
    };
    if bytes.len() as u64 > FILE_MOST {
        return Err(wrong("is too large"));
    }
    String::from_utf8(bytes).map_err(|_| wrong("is not UTF-8 text"))
}

fn told(context: &Context, done: &WorkDone, words: &str) -> ExitCode {
    match context.json {
        true => out::json(done),
        false => out::line(&out::clean(words)),
    }
    ExitCode::SUCCESS
}

/// Make canon of a text or of an issue: a new entry, or with --over the next version of one.
///
/// The user and the lead promote at any time. Agents promote only if the charter allows it: an agreed issue, in its own
/// words, with enough votes and without conflicts.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
              synod canon promote eyes --text \"Mara's eyes are green.\"\n  \
              synod canon promote port --issue 3\n  \
              synod canon promote eyes --over 1 --file eyes.md\n  \
              synod canon promote release-freeze --text \"The main branch is locked.\" --for 48h")]
pub(crate) struct CanonPromoteArgs {
    /// The name of the entry, such as `session-timeout`.
    name: String,
    #[command(flatten)]
    text: EntryTextArg,
    /// The issue it comes from: number, id or `last`. Its body is taken if no text is given.
    #[arg(long, value_name = "ISSUE")]
    issue: Option<String>,
    /// The version that this one replaces, as you have read it.
    #[arg(long, value_name = "VERSION")]
    over: Option<u32>,
    /// For how long it holds, such as 12h; for good if left out.
    #[arg(long = "for", value_name = "TIME", value_parser = duration)]
    time: Option<u64>,
    #[command(flatten)]
    work: WorkArgs,
}

impl CanonPromoteArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        let body = PromoteBody {
            name: self.name,
            text: self.text.read()?,
            issue: self.issue,
            over: self.over,
            for_s: self.time.map(|ms| ms.div_ceil(1000)),
        };
        let done = self.work.give(context, &body).await?;
        let entry = done.entry.clone().unwrap_or_default();
        Ok(told(context, &done, &format!("{entry} is canon")))
    }
}

/// End an entry without another in its place.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod canon end eyes@2 --why \"the chapter was cut\"")]
pub(crate) struct CanonEndArgs {
    /// The entry, best with the version you have read.
    #[arg(value_name = "NAME[@VERSION]")]
    entry: String,
    /// Why, in a line.
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
    #[command(flatten)]
    work: WorkArgs,
}

impl CanonEndArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        let done = self.work.give(context, &EndBody { entry: self.entry, why: self.why }).await?;
        let entry = done.entry.clone().unwrap_or_default();
        Ok(told(context, &done, &format!("{entry} ended")))
    }
}

/// List what contradicts canon and waits for a decision: text in issues, and entries that contradict each other.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  synod canon conflicts --json\n  synod canon conflicts --all\n\n\
              Exit codes: 0 nothing waits, 1 something does.")]
pub(crate) struct CanonConflictsArgs {
    /// Also list conflicts in issues that were decided, with what was chosen.
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    work: WorkArgs,
}

impl CanonConflictsArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        let all = self.all;
        let look = |house: &crate::house::Looked, at| Ok(ConflictPage::of(house, at, all, |_| true));
        let route = if all { "/v1/canon/conflicts?all=true" } else { "/v1/canon/conflicts" };
        let page: ConflictPage = self.work.look(context, route, look).await?;
        let waits = !page.entries.is_empty() || page.recorded.iter().any(|found| found.open);
        if context.json {
            out::json(&page);
        } else {
            if page.recorded.is_empty() && page.entries.is_empty() {
                out::line("nothing contradicts canon");
            }
            let chooser = self.work.chooser(context)?;
            page.recorded.iter().for_each(|found| recorded(&chooser, found));
            for both in &page.entries {
                let line = format!(
                    "{} has \"{}\", {} has \"{}\"",
                    both.one, both.one_says, both.other, both.other_says
                );
                out::line(&out::clean(&line));
            }
        }
        Ok(ExitCode::from(if waits { code::FAILED } else { code::PASSED }))
    }
}

/// What was written in an issue, each sentence with what was chosen about it or the choices of whoever reads it.
fn recorded(chooser: &Chooser, found: &FoundConflictView) {
    let issue = found.issue.map(|number| format!("#{number}")).unwrap_or_default();
    for conflict in &found.conflicts {
        let line = format!(
            "{} issue {issue} by {}, line {}: {} has \"{}\", the text has \"{}\"",
            found.id, found.who, conflict.line, conflict.entry, conflict.canon, conflict.text
        );
        out::line(&out::clean(&line));
        match &conflict.choice {
            Some(choice) => out::line(&format!("  decided: {choice}")),
            None => {
                let id = found.id.to_string();
                let lines = chooser.choices(conflict, Some((&id, found.who.as_str())));
                if lines.is_empty() {
                    out::line("  the user or a lead decides it");
                }
                lines.iter().for_each(|choice| out::line(&out::clean(&format!("  {choice}"))));
            }
        }
    }
}

/// Decide what to do about a text that contradicts canon.
///
/// `override` makes the text canon, as the next version of the entry. `keep` leaves canon as it is. `discuss` opens an
/// issue. Only the user and a lead override.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
              synod canon decide eyes@1 override --text \"Mara's eyes are blue.\"\n  \
              synod canon decide eyes@1 keep --conflict 12.1\n  \
              synod canon decide eyes@1 discuss --text \"Mara's eyes are blue.\"")]
pub(crate) struct CanonDecideArgs {
    /// The entry at the version you have read.
    #[arg(value_name = "NAME@VERSION")]
    entry: String,
    /// `override`, `keep` or `discuss`.
    #[arg(value_parser = choice)]
    choice: ChoiceWord,
    #[command(flatten)]
    text: EntryTextArg,
    /// The recorded conflict that this decides; `synod canon conflicts` lists them.
    #[arg(long, value_name = "ID")]
    conflict: Option<String>,
    #[command(flatten)]
    work: WorkArgs,
}

fn choice(given: &str) -> std::result::Result<ChoiceWord, String> {
    match given {
        "override" => Ok(ChoiceWord::Override),
        "keep" => Ok(ChoiceWord::Keep),
        "discuss" => Ok(ChoiceWord::Discuss),
        _ => Err("write one of override, keep, discuss".into()),
    }
}

impl CanonDecideArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        let wrong = |_| Fail::usage("--conflict: write the id of a conflict, such as 12.1");
        let conflict = self.conflict.as_deref().map(|id| id.parse().map_err(wrong)).transpose()?;
        let body = DecideBody { entry: self.entry, choice: self.choice, text: self.text.read()?, conflict };
        let done = self.work.give(context, &body).await?;
        Ok(told(context, &done, &decided(self.choice, &done)))
    }
}

/// What was decided, in words.
fn decided(choice: ChoiceWord, done: &WorkDone) -> String {
    let entry = done.entry.clone().unwrap_or_default();
    match (choice, done.issue) {
        (ChoiceWord::Override, _) => format!("{entry} is canon"),
        (ChoiceWord::Keep, _) => format!("{entry} stays as it is"),
        (ChoiceWord::Discuss, Some(number)) => format!("issue #{number} is open to discuss {entry}"),
        (ChoiceWord::Discuss, None) => format!("{entry} is to be discussed"),
    }
}

/// Say how far an issue is to be relied on: draft, tentative or agreed.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod canon status 3 agreed")]
pub(crate) struct CanonStatusArgs {
    /// The issue: number, id or `last`.
    issue: String,
    /// `draft`, `tentative` or `agreed`. Only `synod canon promote` makes canon.
    status: String,
    #[command(flatten)]
    work: WorkArgs,
}

impl CanonStatusArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        let body = StatusBody { issue: self.issue, status: self.status };
        let done = self.work.give(context, &body).await?;
        Ok(told(context, &done, &format!("the issue is {}", body.status)))
    }
}

/// Say that you find an issue sound, or with --withdraw that you no longer do.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod canon support 3 --as ann")]
pub(crate) struct CanonSupportArgs {
    /// The issue: number, id or `last`.
    issue: String,
    /// Take your support back.
    #[arg(long)]
    withdraw: bool,
    #[command(flatten)]
    work: WorkArgs,
}

impl CanonSupportArgs {
    async fn run(self, context: &Context) -> Result<ExitCode> {
        let body = SupportBody { issue: self.issue, holds: !self.withdraw };
        let done = self.work.give(context, &body).await?;
        let moved = done.status.as_deref().map(|status| format!("; the issue is {status}"));
        let words = if body.holds { "your support is recorded" } else { "your support is taken back" };
        Ok(told(context, &done, &format!("{words}{}", moved.unwrap_or_default())))
    }
}
