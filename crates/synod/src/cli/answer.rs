//! `synod answer`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::Command;
use synod_core::kernel::Id;
use synod_core::procedure::council;

use super::{Context, requests, served};
use crate::client::ServiceArgs;
use crate::fail::{Fail, Result};
use crate::house::{ahead, give, read_text};
use crate::matter_arg::{MatterArg, pick_open};

/// Answer a participant's request for information.
///
/// The council reads the answer in the next round, even if the matter runs in another terminal.
#[derive(Debug, Args)]
#[command(
    override_usage = "synod answer [OPTIONS] [MATTER] <REQUEST> <TEXT>\n       synod answer [OPTIONS] [MATTER] <REQUEST> --file <FILE>",
    after_help = "Examples:\n  synod answer 57.2 \"The index has 40 GB.\"\n  synod answer 3 57.2 --file size.md"
)]
pub(crate) struct AnswerArgs {
    /// The matter (the newest open one if left out), the id of the request, and the answer.
    #[arg(required = true, num_args = 1..=3, value_names = ["MATTER", "REQUEST", "TEXT"])]
    words: Vec<String>,
    /// A text file with the answer.
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    #[command(flatten)]
    service: ServiceArgs,
}

impl AnswerArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let (wanted, request, text) = self.parts()?;
        if let Some(client) = self.service.named()? {
            let verb = format!("requests/{request}/answer");
            return served::order(context, &client, wanted, &verb, &json!({ "text": text })).await;
        }
        let (mut house, _) = context.house.read()?;
        let matter = pick_open(&mut house, wanted)?;
        let command = Command::Council(council::Command::Supply { matter, request, text });
        ahead(&house, &command)?;
        let engine = context.house.engine("synod answer", Default::default()).await?;
        let said = give(&engine, command).await?.acknowledgement();
        requests::show_rest(context, engine, matter, &[request], "answered", said)
    }

    /// The matter if one is named, the request, and the answer.
    fn parts(&self) -> Result<(Option<MatterArg>, Id, String)> {
        let (head, text) = match (self.words.as_slice(), &self.file) {
            ([_, _, _], Some(_)) => {
                return Err(Fail::usage("give the answer as TEXT or with --file, not both"));
            }
            (head, Some(file)) => (head, read_text(file, "answer")?),
            ([head @ .., text], None) if !head.is_empty() => (head, text.clone()),
            (_, None) => return Err(missing()),
        };
        match head {
            // MATTER REQUEST, and then nothing.
            [of] if of.parse::<Id>().is_err() && of.parse::<MatterArg>().is_ok() => Err(missing()),
            [written] => Ok((None, requests::request(written)?, text)),
            [matter, written] => {
                Ok((Some(matter.parse().map_err(Fail::usage)?), requests::request(written)?, text))
            }
            _ => Err(Fail::usage("too many words: write [MATTER] REQUEST TEXT, and TEXT in quotes")),
        }
    }
}

fn missing() -> Fail {
    Fail::usage("the answer is missing: give it as TEXT, or name a file with --file FILE")
}
