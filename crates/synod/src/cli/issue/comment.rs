//! `synod issue comment`

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::evidence::FileReference;
use synod_core::kernel::{CitationTrigger, CommentDeed, CommentKind, Impact, Reference};

use super::{AuthorArg, Context, TextArg, about, told, word};
use crate::fail::{Fail, Result};
use crate::issues::posted;
use crate::matter_arg::MatterArg;
use crate::wire::{CommentBody, IssueRef, IssueStanceWord, IssueStep, WorkshopAction};

const STANCES: [(&str, IssueStanceWord); 3] = [
    ("approve", IssueStanceWord::Approve),
    ("object", IssueStanceWord::Object),
    ("neutral", IssueStanceWord::Neutral),
];

/// Refuses a reference that cannot be one, before anything is sent. A word that names no file here is a slip of whoever typed it: it
/// must not count as a false citation.
fn reference(given: &str) -> std::result::Result<String, String> {
    match Reference::parse(given).map_err(|wrong| wrong.to_string())? {
        Reference::File(file) if is_a_slip(&file) => Err(format!(
            "`{}` is no reference, and no file here is called so: write `path:10-14 \"quote\"`, `#34` or `canon:name@2`",
            file.path
        )),
        Reference::File(_) | Reference::Issue(_) | Reference::Canon(_) | Reference::Gap(_) => {
            Ok(given.into())
        }
    }
}

/// A bare word: no folder, no ending, no lines and no quote, and nothing in this folder is called so.
fn is_a_slip(file: &FileReference) -> bool {
    let bare = file.lines.is_none() && file.quote.is_none() && !file.path.contains(['.', '/', '\\']);
    bare && !Path::new(&file.path).exists()
}

/// Comment on an issue.
///
/// Evidence is read from the text too: `path:10-14 "quote"`, `#34` and `canon:eyes@2`. A comment that breaks a rule is refused with
/// everything there is to change; some rules freeze the issue.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
              synod issue comment 3 --as critic --file comment.md --stance object\n  \
              synod issue comment 3 --kind question --body \"When does the reactor fail?\"\n\n\
              Exit codes: 0 posted, 1 refused, 64 the issue is frozen or over, or the command is wrong, 74 the cited files could not be read\n\
              (nothing is posted or charged).")]
pub(crate) struct IssueCommentArgs {
    /// The issue: number, id or `last`.
    issue: MatterArg,
    #[command(flatten)]
    text: TextArg,
    #[command(flatten)]
    details: CommentDetails,
    /// What was done: patch-created, file-modified, resolved or escalated.
    #[arg(long, value_name = "ACTION", value_parser = |given: &str| word(&CommentDeed::WORDS, given))]
    action: Option<CommentDeed>,
    /// What it is meant as: comment, question or acknowledgement.
    #[arg(long, value_name = "KIND", default_value = "comment", value_parser = |given: &str| word(&CommentKind::WORDS, given))]
    kind: CommentKind,
}

/// What comments and resolutions have in common.
#[derive(Debug, Clone, Args)]
pub(super) struct CommentDetails {
    /// Where you stand: approve, object or neutral.
    #[arg(long, value_name = "STANCE", value_parser = |given: &str| word(&STANCES, given))]
    stance: Option<IssueStanceWord>,
    /// How much it would change: cosmetic, minor, structural or canon-changing.
    #[arg(long, value_name = "IMPACT", value_parser = |given: &str| word(&Impact::WORDS, given))]
    impact: Option<Impact>,
    /// What it rests on: `path:10-14 "quote"`, `#34`, `canon:eyes@2`, or `canon:?subject` if canon has
    /// nothing on a subject (repeatable).
    #[arg(long, value_name = "REFERENCE", value_parser = reference)]
    evidence: Vec<String>,
    /// Why the evidence was looked up, such as answer-to-question.
    #[arg(long, value_name = "TRIGGER", value_parser = |given: &str| word(&CitationTrigger::WORDS, given))]
    trigger: Option<CitationTrigger>,
    #[command(flatten)]
    author: AuthorArg,
}

impl IssueCommentArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let body = self
            .text
            .read_or_ask("Write your comment. Cite files as path:10-14 \"quote\" and issues as #34.")?;
        self.details.write(context, self.issue, (&self.text, body), self.kind, self.action).await
    }
}

impl CommentDetails {
    /// Writes the comment, and shows what became of it.
    pub(super) async fn write(
        &self,
        context: &Context,
        issue: MatterArg,
        (text, body): (&TextArg, String),
        kind: CommentKind,
        action: Option<CommentDeed>,
    ) -> Result<ExitCode> {
        let comment = CommentBody {
            body,
            kind: Some(kind),
            stance: self.stance,
            impact: self.impact,
            evidence: self.evidence.clone(),
            trigger: self.trigger,
            action,
            details: None,
        };
        let step = WorkshopAction::On(IssueRef(issue), IssueStep::Comment(comment));
        let done = self
            .author
            .act(context, &step)
            .await
            .map_err(|fail| self.again(issue, text, kind, action, fail))?;
        let id = posted(&done);
        let what = id.map_or_else(|| "noted".to_string(), |id| format!("comment {id} posted"));
        // A comment that cites files is decided by another act, which names no issue.
        let words = match (done.number, issue) {
            (None, MatterArg::Number(number)) => format!("#{number} {what}"),
            (_, _) => about(&done, &what),
        };
        Ok(told(context, &done, &words, json!({ "posted": id })))
    }

    /// A refused comment, with the command that sends a better one: everything but its text is as it was given.
    fn again(
        &self,
        issue: MatterArg,
        text: &TextArg,
        kind: CommentKind,
        action: Option<CommentDeed>,
        fail: Fail,
    ) -> Fail {
        let Some(turned) = fail.turned_away() else { return fail };
        // Behind the verb, as everything that an agent is shown: the settings of Claude Code allow commands by how they begin.
        let name = self.author.author.as_ref().map(|who| format!(" --as '{who}'")).unwrap_or_default();
        if turned.frozen_until.is_some() {
            return fail.and(&format!("next: synod issue show{name} {issue}"));
        }
        let verb = if action == Some(CommentDeed::Resolved) { "resolve" } else { "comment" };
        let mut again =
            format!("then: synod issue {verb}{name} {issue} --file {}", text.file_for_next_time());
        let mut add = |option: &str, word: &str| again.push_str(&format!(" --{option} {word}"));
        if kind != CommentKind::Comment {
            add("kind", kind.word());
        }
        if let Some(deed) = action.filter(|deed| *deed != CommentDeed::Resolved) {
            add("action", deed.word());
        }
        if let Some(stance) = self.stance {
            add("stance", stance.word());
        }
        if let Some(impact) = self.impact {
            add("impact", impact.word());
        }
        self.evidence.iter().for_each(|one| add("evidence", &format!("'{}'", one.replace('\'', "'\\''"))));
        if let Some(trigger) = self.trigger {
            add("trigger", trigger.word());
        }
        fail.and(&again)
    }
}
