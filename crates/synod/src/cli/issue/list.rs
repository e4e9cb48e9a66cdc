//! `synod issue list`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::house::Reader;
use synod_core::issue::{IssueStatus, Tag};
use synod_core::kernel::{Who, text};

use super::{AuthorArg, Context, word};
use crate::fail::Result;
use crate::issues::{IssueAccess, IssueFilter, rows};
use crate::out;
use crate::percent::segment;
use crate::wire::{IssueLine, IssuePage};

/// List issues, oldest first. Those that are over or archived are left out unless --all is given.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  synod issue list --status frozen\n  \
              synod issue list --tag timeline --all --limit 20 --after 40")]
pub(crate) struct IssueListArgs {
    /// Only issues with this status: open, frozen, resolved or closed (repeatable).
    #[arg(long, value_name = "STATUS", value_parser = |given: &str| word(&IssueStatus::WORDS, given))]
    status: Vec<IssueStatus>,
    /// Only issues with this tag.
    #[arg(long, value_name = "TAG", value_parser = Tag::parse)]
    tag: Option<Tag>,
    /// Only issues that this participant sees to.
    #[arg(long, value_name = "NAME", value_parser = Who::parse)]
    assignee: Option<Who>,
    /// Only issues that this participant opened.
    #[arg(long, value_name = "NAME", value_parser = Who::parse)]
    by: Option<Who>,
    /// Only issues whose title contains this text, ignoring case.
    #[arg(long, value_name = "TEXT")]
    contains: Option<String>,
    /// Show those that are over or archived too.
    #[arg(long)]
    all: bool,
    /// Only issues after this number: where the page before ended.
    #[arg(long, value_name = "NUMBER")]
    after: Option<u64>,
    /// Show at most this many.
    #[arg(long, value_name = "COUNT", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=500))]
    limit: u32,
    #[command(flatten)]
    author: AuthorArg,
}

impl IssueListArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let (issues, next) = match self.author.reading(context)? {
            IssueAccess::Local(house, who) => {
                let (house, _) = house.look()?;
                let (filter, page) = (self.filter(), self.limit as usize);
                let reader = who.as_ref().map_or(Reader::Operator, Reader::Participant);
                let after = |number: u64| self.after.is_none_or(|after| number > after);
                let found = rows(&house, reader, &filter).filter(|row| after(row.number));
                let mut issues: Vec<IssueLine> = found.take(page + 1).map(IssueLine::from).collect();
                let more = issues.len() > page;
                issues.truncate(page);
                let next = issues.last().filter(|_| more).map(|line| line.number);
                (issues, next)
            }
            IssueAccess::Remote(client) => {
                let IssuePage { issues, next } = client.get(&self.query()).await?;
                let fits = |line: &IssueLine| self.status.len() < 2 || self.status.contains(&line.status);
                (issues.into_iter().filter(fits).collect(), next)
            }
        };
        if context.json {
            out::json(&json!({ "issues": issues, "next": next }));
            return Ok(ExitCode::SUCCESS);
        }
        if issues.is_empty() {
            out::line("no such issues; `synod issue open \"…\"` opens one, --all shows those that are over");
        }
        for line in &issues {
            out::line(&out::clean(&shown(line)));
        }
        if let Some(next) = next {
            out::line(&format!("more: synod issue list --after {next}"));
        }
        Ok(ExitCode::SUCCESS)
    }

    fn filter(&self) -> IssueFilter {
        IssueFilter {
            status: self.status.clone(),
            tag: self.tag.clone(),
            assignee: self.assignee.clone(),
            by: self.by.clone(),
            contains: self.contains.clone(),
            all: self.all,
        }
    }

    /// The same as a request. A service takes one status; of several, all are asked for and the others left out here.
    fn query(&self) -> String {
        let mut query = format!("/v1/issues?limit={}", self.limit);
        let mut add = |key: &str, value: Option<&str>| {
            if let Some(value) = value {
                query.push_str(&format!("&{key}={}", segment(value)));
            }
        };
        match self.status.as_slice() {
            [one] => add("status", Some(one.word())),
            [] if !self.all => (),
            _ => add("all", Some("true")),
        }
        add("tag", self.tag.as_ref().map(Tag::as_str));
        add("assignee", self.assignee.as_ref().map(Who::as_str));
        add("by", self.by.as_ref().map(Who::as_str));
        add("contains", self.contains.as_deref());
        add("after", self.after.map(|after| after.to_string()).as_deref());
        query
    }
}

/// One issue in a line.
pub(super) fn shown(line: &IssueLine) -> String {
    let frozen = line.frozen_by.as_ref().zip(line.frozen_until);
    let frozen = frozen.map(|(by, until)| format!(" ({by}, until {until})")).unwrap_or_default();
    let tags: String = line.tags.iter().map(|tag| format!(" #{tag}")).collect();
    let to = line.assignee.as_ref().map(|who| format!(" @{who}")).unwrap_or_default();
    let archived = if line.archived { " archived" } else { "" };
    let rehearsed = if line.rehearsed > 0 { " [rehearsal]" } else { "" };
    let mark = match (line.applied, line.irrelevant) {
        (true, _) => " [applied]",
        (false, true) => " [irrelevant]",
        (false, false) => "",
    };
    let into = line.into.map(|into| format!(" (went into #{into})")).unwrap_or_default();
    format!(
        "#{:<4} {:<8} {:<8} {}{tags}{to} · {}{frozen}{into}{archived}{mark}{rehearsed}",
        line.number,
        line.status.word(),
        line.priority.word(),
        line.title,
        text::counted(line.comments.into(), "comment")
    )
}
