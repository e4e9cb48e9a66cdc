//! `synod issue show`

use std::fmt::Write as _;
use std::process::ExitCode;

use clap::Args;
use synod_core::kernel::text;

use super::{AuthorArg, Context, list};
use crate::fail::Result;
use crate::matter_arg::MatterArg;
use crate::out;
use crate::wire::{CommentView, IssueThread};

/// Show an issue with its thread: all of it, or with --as what a participant may see.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod issue show 3\n  synod issue show 3 --as critic")]
pub(crate) struct IssueShowArgs {
    /// The issue: number, id or `last`.
    issue: MatterArg,
    #[command(flatten)]
    author: AuthorArg,
}

impl IssueShowArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let mut thread = self.author.reading(context)?.thread(self.issue).await?;
        thread.task = thread.task.map(|task| self.author.addressed(&task));
        match context.json {
            true => out::json(&thread),
            false => out::text(&out::clean(&shown(&thread))),
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn shown(issue: &IssueThread) -> String {
    let mut out = list::shown(&issue.line);
    let impact = issue.impact.map(|impact| format!(" · {}", impact.word())).unwrap_or_default();
    let _ = writeln!(out, "\nopened by {} · {}{impact}", issue.line.by, issue.line.epistemic.word());
    related(&mut out, issue);
    let parts = [Some(issue.body.as_str()), issue.task.as_deref()];
    for part in parts.into_iter().flatten().filter(|part| !part.is_empty()) {
        // Behind a margin, as comments are: a body must not look like a thread.
        out.push('\n');
        text::quote_into(&mut out, part);
    }
    for report in &issue.reports {
        let comments = if report.recent.is_empty() { "" } else { "; its last comments:" };
        let _ = writeln!(out, "\nfrozen by {}{comments}", report.breaker);
        for (who, said) in &report.recent {
            let _ = writeln!(out, "  {who}: {said}");
        }
    }
    issue.thread.iter().for_each(|comment| shown_comment(&mut out, comment));
    contradictions(&mut out, issue);
    for order in &issue.orders {
        let task = if order.blind { "answers without seeing others" } else { "has to object" };
        let _ = writeln!(out, "\n{} {task} until {} ({})", order.who, order.until, order.reason);
    }
    for missing in &issue.unanswered {
        let _ = writeln!(
            out,
            "\n{} was invited and nothing of it stands: {} ({})",
            missing.who, missing.why, missing.code
        );
    }
    hidden(&mut out, issue);
    if let Some(yours) = issue.yours.as_ref().filter(|_| !issue.line.status.is_over()) {
        let left = match yours.comments {
            None => "you may comment".to_string(),
            Some(left) => format!("{} left for you", text::counted(left.into(), "comment")),
        };
        let (chars, words) = (yours.chars_least, yours.words_least);
        let from = yours.evidence_from.word();
        let _ = writeln!(
            out,
            "\n{left}: at least {chars} characters, {words} different words, evidence from {from} on"
        );
        if !yours.heeds.is_empty() {
            let _ = writeln!(out, "you are on remediation, so also:");
        }
        for heed in &yours.heeds {
            let _ = writeln!(out, "  {heed}");
        }
    }
    out
}

/// How many comments are not shown, and until when.
fn hidden(out: &mut String, issue: &IssueThread) {
    if issue.hidden == 0 {
        return;
    }
    let hidden = text::counted(issue.hidden.into(), "comment");
    let due: Vec<&str> =
        issue.orders.iter().filter(|order| order.blind).map(|order| order.who.as_str()).collect();
    let _ = match due.as_slice() {
        // Time alone writes nothing into the record, and what may be seen follows from the record.
        [] => writeln!(
            out,
            "\n{hidden} not shown before the next act in the house: the time of the reviewers is up"
        ),
        [who] => writeln!(out, "\n{hidden} not shown until {who} has answered"),
        all => writeln!(out, "\n{hidden} not shown until {} have answered", all.join(" and ")),
    };
}

/// Where it belongs, who wants it looked at, and what its result is worth.
fn related(out: &mut String, issue: &IssueThread) {
    if let Some(into) = issue.line.into {
        let _ = writeln!(out, "went into #{into}: synod issue show {into}");
    }
    if issue.line.applied {
        let _ = writeln!(out, "marked as applied in the work");
    }
    if issue.line.irrelevant {
        let _ = writeln!(out, "marked as irrelevant");
    }
    if !issue.related.is_empty() {
        let related: Vec<String> = issue.related.iter().map(|number| format!("#{number}")).collect();
        let _ = writeln!(out, "related: {}", related.join(", "));
    }
    if let Some(comment) = issue.thread.iter().find(|comment| comment.resolves) {
        let forced = if issue.forced { ", forced: whatever the thread had come to" } else { "" };
        let _ = writeln!(out, "resolved by {} with {}{forced}", comment.who, comment.id);
    }
    if issue.line.rehearsed > 0 {
        let all = text::counted(issue.line.comments.into(), "comment");
        let _ =
            writeln!(out, "rehearsal: {} of {all} by placeholders, nobody's opinion", issue.line.rehearsed);
    }
    for asked in &issue.escalations {
        let _ = writeln!(out, "escalated to the user by {} at {}:", asked.by, asked.at);
        text::quote_into(out, &asked.summary);
    }
}

/// What in it contradicts canon, and what was decided about that.
fn contradictions(out: &mut String, issue: &IssueThread) {
    for found in &issue.contradictions {
        let place =
            found.comment.map_or_else(|| "the issue itself".to_string(), |id| format!("comment {id}"));
        for conflict in &found.conflicts {
            let decided =
                conflict.choice.as_deref().map_or("not decided".to_string(), |it| format!("decided: {it}"));
            let _ = writeln!(
                out,
                "\n{place} by {} contradicts {} ({decided}): canon has \"{}\", the text has \"{}\"",
                found.who, conflict.entry, conflict.canon, conflict.text
            );
        }
    }
}

fn shown_comment(out: &mut String, comment: &CommentView) {
    let stance = comment.stance.as_ref().map(|stance| format!(" · {stance}")).unwrap_or_default();
    let impact = comment.impact.map(|impact| format!(" · {}", impact.word())).unwrap_or_default();
    let ordered = if comment.ordered { " · devil's advocate" } else { "" };
    let blind = if comment.blind { " · read blind" } else { "" };
    let helpful = if comment.helpful { " · helpful" } else { "" };
    let rehearsed = if comment.rehearsed { " · rehearsal" } else { "" };
    let resolves = match (comment.resolves, comment.resolved_before, comment.forced) {
        (true, _, true) => " · resolves, forced",
        (true, _, false) => " · resolves",
        (false, true, true) => " · resolved it by force, reopened since",
        (false, true, false) => " · resolved it, reopened since",
        (false, false, _) => "",
    };
    let (who, kind) = (&comment.who, comment.kind.word());
    let marks = [stance.as_str(), impact.as_str(), ordered, blind, helpful, rehearsed, resolves].concat();
    let _ = writeln!(out, "\n── {} {who} ({kind}){marks}", comment.id);
    text::quote_into(out, &comment.body);
    if let Some(reasoning) = &comment.reasoning {
        let _ = writeln!(out, "   because:");
        text::quote_into(out, reasoning);
    }
    for (at, reference) in comment.evidence.iter().enumerate() {
        let found = comment.found.get(at).and_then(Option::as_deref);
        let found = found.map(|found| format!(" ({found})")).unwrap_or_default();
        let _ = writeln!(out, "   evidence: {reference}{found}");
    }
}
