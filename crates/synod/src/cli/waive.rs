//! `synod waive`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::Command;
use synod_core::kernel::Id;
use synod_core::procedure::council;

use super::{Context, requests, served};
use crate::client::ServiceArgs;
use crate::fail::{Fail, Result};
use crate::house::{ahead, give};
use crate::matter_arg::{MatterArg, pick_open};

/// Let the council go on without something a participant asked for.
///
/// Works on a matter that runs in another terminal too.
#[derive(Debug, Args)]
#[command(
    override_usage = "synod waive [OPTIONS] [MATTER] <REQUEST>\n       synod waive [OPTIONS] [MATTER] --all",
    after_help = "Examples:\n  synod waive 57.2\n  synod waive 3 --all"
)]
pub(crate) struct WaiveArgs {
    /// The matter (the newest open one if left out), and the id of the request unless --all is given.
    #[arg(num_args = 0..=2, value_names = ["MATTER", "REQUEST"])]
    words: Vec<String>,
    /// Waive every open request, required or not.
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    service: ServiceArgs,
}

impl WaiveArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let (wanted, request) = self.parts()?;
        let (mut house, _) = context.house.read()?;
        let matter = pick_open(&mut house, wanted)?;
        let waived = match request {
            Some(request) => vec![request],
            None => requests::open(&house, matter)?,
        };
        if let Some(client) = self.service.named()? {
            for request in &waived {
                let verb = format!("requests/{request}/waive");
                served::order(context, &client, Some(matter.into()), &verb, &json!({})).await?;
            }
            return Ok(ExitCode::SUCCESS);
        }
        for request in &waived {
            ahead(&house, &Command::Council(council::Command::Waive { matter, request: *request }))?;
        }
        let engine = context.house.engine("synod waive", Default::default()).await?;
        // The last one speaks for those before it: its tree holds them too.
        let mut said = None;
        for request in &waived {
            let command = Command::Council(council::Command::Waive { matter, request: *request });
            said = give(&engine, command).await?.acknowledgement();
        }
        requests::show_rest(context, engine, matter, &waived, "waived", said)
    }

    /// The matter if one is named, and the request unless all are meant.
    fn parts(&self) -> Result<(Option<MatterArg>, Option<Id>)> {
        let matter = |written: &str| written.parse().map(Some).map_err(Fail::usage);
        match (self.words.as_slice(), self.all) {
            ([], true) => Ok((None, None)),
            ([of], true) => Ok((matter(of)?, None)),
            // A matter alone is not enough.
            ([of], false) if of.parse::<Id>().is_err() && of.parse::<MatterArg>().is_ok() => Err(which()),
            ([written], false) => Ok((None, Some(requests::request(written)?))),
            ([of, written], false) => Ok((matter(of)?, Some(requests::request(written)?))),
            ([], false) => Err(which()),
            (_, _) => Err(Fail::usage("give the id of one request, or --all")),
        }
    }
}

fn which() -> Fail {
    Fail::usage("which request? Give its id, or --all for every open one")
}
