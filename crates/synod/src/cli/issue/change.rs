//! `synod issue change`

use std::process::ExitCode;

use clap::Args;
use synod_core::kernel::Priority;

use super::{AuthorArg, Context, step, word};
use crate::fail::{Fail, Result};
use crate::matter_arg::MatterArg;
use crate::wire::{ChangeBody, IssueRef, IssueStep};

/// Change the assignee, a tag, the priority or the relations of an issue.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  synod issue change 3 --assign writer\n  synod issue change 3 --tag timeline"
)]
pub(crate) struct IssueChangeArgs {
    /// The issue: number, id or `last`.
    issue: MatterArg,
    #[command(flatten)]
    change: ChangeArg,
    #[command(flatten)]
    author: AuthorArg,
}

/// What is changed: one of these.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
struct ChangeArg {
    /// Who should see to it.
    #[arg(long, value_name = "NAME")]
    assign: Option<String>,
    /// Nobody sees to it any more.
    #[arg(long)]
    unassign: bool,
    /// A tag it gets.
    #[arg(long, value_name = "TAG")]
    tag: Option<String>,
    /// A tag it loses.
    #[arg(long, value_name = "TAG")]
    untag: Option<String>,
    /// How urgent it is: critical, high, normal or low.
    #[arg(long, value_name = "PRIORITY", value_parser = |given: &str| word(&Priority::WORDS, given))]
    priority: Option<Priority>,
    /// An issue that belongs to it.
    #[arg(long, value_name = "ISSUE")]
    relate: Option<MatterArg>,
    /// An issue that does not belong to it any more.
    #[arg(long, value_name = "ISSUE")]
    unrelate: Option<MatterArg>,
}

impl ChangeArg {
    fn body(self) -> Result<ChangeBody> {
        let Self { assign, unassign, tag, untag, priority, relate, unrelate } = self;
        let first = assign.map(|who| ChangeBody::Assign(Some(who)));
        let first = first.or_else(|| unassign.then_some(ChangeBody::Assign(None)));
        let tags = tag.map(ChangeBody::Tag).or_else(|| untag.map(ChangeBody::Untag));
        let related = relate.map(|to| ChangeBody::Relate(IssueRef(to)));
        let related = related.or_else(|| unrelate.map(|to| ChangeBody::Unrelate(IssueRef(to))));
        let given = first.or(tags).or_else(|| priority.map(|is| ChangeBody::Priority(is.into()))).or(related);
        given.ok_or_else(|| Fail::usage("say what to change, such as --assign NAME or --tag TAG"))
    }
}

impl IssueChangeArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let change = IssueStep::Change(self.change.body()?);
        step(context, &self.author, self.issue, change, "changed").await
    }
}
