//! `synod issue`: issues and their threads. One file for each command; what they share is here.

mod challenge;
mod change;
mod close;
mod comment;
mod consolidate;
mod escalate;
mod force;
mod freedom;
mod freeze_tag;
mod list;
mod mark;
mod notices;
mod open;
mod reopen;
mod resolve;
mod rules;
mod show;
mod unfreeze;

use std::io::Read as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use synod_core::kernel::{At, Who};

use super::work::{WorkArgs, look};
use super::{Context, on_runtime};
use crate::client::ServiceArgs;
use crate::fail::{Fail, Result, code};
use crate::house::Looked;
use crate::issues::IssueAccess;
use crate::matter_arg::MatterArg;
use crate::out;
use crate::wire::{Done, IssueRef, IssueStep, WorkshopAction};
use crate::work::{WorkDone, WorkRequest};

/// Open, discuss and manage issues.
///
/// Comments are checked by code before any model reads them. A refused comment says what to change.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
              synod issue open \"The reactor fails too early\" --tag timeline\n  \
              synod issue comment 3 --as critic --file comment.md --evidence 'scene.txt:10-14 \"fails\"'\n  \
              synod issue list --status frozen")]
pub(crate) struct IssueArgs {
    #[command(subcommand)]
    command: IssueCommand,
}

#[derive(Debug, Subcommand)]
enum IssueCommand {
    Open(open::IssueOpenArgs),
    List(list::IssueListArgs),
    Show(show::IssueShowArgs),
    Comment(comment::IssueCommentArgs),
    Resolve(resolve::IssueResolveArgs),
    Close(close::IssueCloseArgs),
    Reopen(reopen::IssueReopenArgs),
    Consolidate(consolidate::IssueConsolidateArgs),
    Change(change::IssueChangeArgs),
    Unfreeze(unfreeze::IssueUnfreezeArgs),
    Challenge(challenge::IssueChallengeArgs),
    Escalate(escalate::IssueEscalateArgs),
    Force(force::IssueForceArgs),
    Mark(mark::IssueMarkArgs),
    FreezeTag(freeze_tag::IssueFreezeTagArgs),
    Freedom(freedom::IssueFreedomArgs),
    Notices(notices::IssueNoticesArgs),
    Rules(rules::IssueRulesArgs),
}

impl IssueArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        match self.command {
            IssueCommand::Open(args) => on_runtime(args.run(context)),
            IssueCommand::List(args) => on_runtime(args.run(context)),
            IssueCommand::Show(args) => on_runtime(args.run(context)),
            IssueCommand::Freedom(args) => on_runtime(args.run(context)),
            IssueCommand::Notices(args) => on_runtime(args.run(context)),
            IssueCommand::Comment(args) => on_runtime(args.run(context)),
            IssueCommand::Resolve(args) => on_runtime(args.run(context)),
            IssueCommand::Close(args) => on_runtime(args.run(context)),
            IssueCommand::Reopen(args) => on_runtime(args.run(context)),
            IssueCommand::Consolidate(args) => on_runtime(args.run(context)),
            IssueCommand::Change(args) => on_runtime(args.run(context)),
            IssueCommand::Unfreeze(args) => on_runtime(args.run(context)),
            IssueCommand::Challenge(args) => on_runtime(args.run(context)),
            IssueCommand::Escalate(args) => on_runtime(args.run(context)),
            IssueCommand::Force(args) => on_runtime(args.run(context)),
            IssueCommand::Mark(args) => on_runtime(args.run(context)),
            IssueCommand::FreezeTag(args) => on_runtime(args.run(context)),
            IssueCommand::Rules(args) => on_runtime(args.run(context)),
        }
    }
}

/// Who acts, and where.
#[derive(Debug, Clone, Args)]
pub(super) struct AuthorArg {
    /// Act for this participant instead of for yourself. Not needed with a token, which is one participant's.
    #[arg(long = "as", value_name = "NAME", env = "SYNOD_AS", hide_env_values = true, value_parser = Who::parse)]
    author: Option<Who>,
    #[command(flatten)]
    service: ServiceArgs,
}

impl AuthorArg {
    /// Does something in the workshop; a refusal is an error here. The first one in a house brings the shipped charter into
    /// force, and participants that are not known are enrolled.
    pub(super) async fn act(&self, context: &Context, action: &WorkshopAction) -> Result<Done> {
        IssueAccess::to(&context.house, &self.service, self.author.clone())?.act(action).await
    }

    /// Gives a request to the service that is named or that holds the house, else to the house here.
    pub(super) async fn give<R: WorkRequest>(&self, context: &Context, request: &R) -> Result<WorkDone> {
        WorkArgs::of(self.author.as_ref(), &self.service).give(context, request).await
    }

    /// Looks at something after a change: at the service that is named, else at the house here.
    pub(super) async fn look<T: DeserializeOwned>(
        &self,
        context: &Context,
        route: &str,
        here: impl FnOnce(&Looked, At) -> Result<T>,
    ) -> Result<T> {
        look(context, &self.service, route, here).await
    }

    /// Words of the house that name commands, as this reader may type them: a participant acts for themself, so that an
    /// agent that types what it reads does not act as the user.
    fn addressed(&self, words: &str) -> String {
        let Some(who) = &self.author else { return words.into() };
        let acts = ["synod issue ", "synod canon ", "synod lease "];
        let (mut out, mut rest) = (String::new(), words);
        while let Some(at) = acts.iter().filter_map(|group| Some(rest.find(group)? + group.len())).min() {
            let (before, command) = rest.split_at(at);
            let verb = command.find(|c: char| !c.is_ascii_lowercase() && c != '-').unwrap_or(command.len());
            out.push_str(&format!("{before}{} --as '{who}'", &command[..verb]));
            rest = &command[verb..];
        }
        out + rest
    }

    /// Commands of a list that this reader may give. Only the person who runs the house appoints.
    fn offered(&self, commands: &[String]) -> Vec<String> {
        let appoints = |command: &&String| command.starts_with("synod agents appoint");
        let all = commands.iter().filter(|command| self.author.is_none() || !appoints(command));
        all.map(|command| self.addressed(command)).collect()
    }

    /// The way in for somebody who only looks.
    fn reading(&self, context: &Context) -> Result<IssueAccess> {
        IssueAccess::reading(&context.house, &self.service, self.author.clone())
    }
}

/// Text that is given in the command line, read from a file or written in an editor.
#[derive(Debug, Clone, Args)]
pub(super) struct TextArg {
    /// The text.
    #[arg(long, short = 'm', value_name = "TEXT", conflicts_with_all = ["file", "edit"])]
    body: Option<String>,
    /// Read the text from this file; `-` reads standard input.
    #[arg(long, value_name = "FILE", conflicts_with = "edit")]
    file: Option<PathBuf>,
    /// Write the text in your editor ($VISUAL or $EDITOR).
    #[arg(long)]
    edit: bool,
}

/// The most that is read of a file: more is refused by the rules in any case.
const FILE_MOST: u64 = 4 << 20;

impl TextArg {
    /// The text, which may be left out.
    fn read(&self) -> Result<String> {
        if self.edit {
            return crate::person::edited("", "Write the text above this line, save and close.");
        }
        let Some(path) = &self.file else { return Ok(self.body.clone().unwrap_or_default()) };
        let mut text = String::new();
        let read = match path.as_os_str() == "-" {
            true => std::io::stdin().lock().take(FILE_MOST).read_to_string(&mut text),
            false => {
                std::fs::File::open(path).and_then(|file| file.take(FILE_MOST).read_to_string(&mut text))
            }
        };
        let failed = |error: std::io::Error| {
            Fail::new(code::NO_INPUT, "issue/unread", format!("{} cannot be read: {error}", path.display()))
        };
        read.map_err(failed)?;
        Ok(text)
    }

    /// The file that a better text belongs into: the one that was given, else one of the usual name.
    fn file_for_next_time(&self) -> String {
        let given = self.file.as_deref().filter(|path| path.as_os_str() != "-");
        let name = given.unwrap_or(std::path::Path::new("comment.md")).display().to_string();
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./".contains(c);
        if name.chars().all(plain) { name } else { format!("'{}'", name.replace('\'', "'\\''")) }
    }

    /// The text, which has to be there: where a person sits at the terminal and gave none, their editor opens.
    fn read_or_ask(&self, about: &str) -> Result<String> {
        let given = self.edit || self.body.is_some() || self.file.is_some();
        if given {
            return self.read();
        }
        if out::person_there() {
            return crate::person::edited("", about);
        }
        Err(Fail::usage("say what to write: --body TEXT, --file FILE (`-` for standard input) or --edit"))
    }
}

/// Shows what was done.
pub(super) fn told(context: &Context, done: &Done, words: &str, fields: Value) -> ExitCode {
    if context.json {
        let mut shown = json!(done);
        if let (Some(shown), Value::Object(fields)) = (shown.as_object_mut(), fields) {
            shown.extend(fields);
        }
        out::json(&shown);
    } else {
        out::line(&out::clean(words));
        done.canon.iter().for_each(|note| out::line(&out::clean(note)));
    }
    ExitCode::SUCCESS
}

/// What happened to one issue, in words: `#3 closed`.
pub(super) fn about(done: &Done, what: &str) -> String {
    done.number.map_or_else(|| what.to_string(), |number| format!("#{number} {what}"))
}

/// Does something to one issue and shows it.
pub(super) async fn step(
    context: &Context,
    author: &AuthorArg,
    issue: MatterArg,
    step: IssueStep,
    what: &str,
) -> Result<ExitCode> {
    let done = author.act(context, &WorkshopAction::On(IssueRef(issue), step)).await?;
    Ok(told(context, &done, &about(&done, what), json!({})))
}

/// One of several words, or what is wrong with another.
pub(super) fn word<T: Copy>(words: &[(&str, T)], given: &str) -> std::result::Result<T, String> {
    let known = words.iter().find(|(word, _)| *word == given).map(|(_, value)| *value);
    known.ok_or_else(|| {
        let list: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
        format!("write one of {}", list.join(", "))
    })
}
