//! `synod issue notices`

use std::process::ExitCode;

use clap::Args;
use synod_core::house::Reader;
use synod_core::issue::NoticeTo;

use super::{AuthorArg, Context};
use crate::fail::Result;
use crate::issues::{IssueAccess, notices};
use crate::out;
use crate::wire::NoticePage;

/// Show what needs you or a moderator: frozen issues, escalations, topics that are circled. Newest first.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  synod issue notices\n\nExit codes: 0 shown, whether or not there are any."
)]
pub(crate) struct IssueNoticesArgs {
    /// Also those whose issue needs nobody any more.
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    author: AuthorArg,
}

impl IssueNoticesArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let mut shown = match self.author.reading(context)? {
            IssueAccess::Remote(client) => {
                let page: NoticePage = client.get(&format!("/v1/notices?all={}", self.all)).await?;
                page.notices
            }
            IssueAccess::Local(house, who) => {
                let (house, _) = house.look()?;
                let reader = who.as_ref().map_or(Reader::Operator, Reader::Participant);
                notices(&house, reader, synod_engine::now(), self.all)
            }
        };
        shown.iter_mut().for_each(|notice| notice.next = self.author.offered(&notice.next));
        if context.json {
            out::json(&NoticePage { notices: shown });
            return Ok(ExitCode::SUCCESS);
        }
        if shown.is_empty() {
            out::line("nothing needs you");
        }
        for notice in &shown {
            let to = match notice.to {
                NoticeTo::User => "you",
                NoticeTo::Moderator => "moderator",
            };
            out::line(&out::clean(&format!("{} · to {to}: {} · {}", notice.at, notice.words, notice.title)));
            for command in &notice.next {
                out::line(&out::clean(&format!("  {command}")));
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
