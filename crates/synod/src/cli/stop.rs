//! `synod stop`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::Command;

use super::{Context, served};
use crate::client::ServiceArgs;
use crate::fail::Result;
use crate::house::{give, keep_receipt, keep_receipts_of_issues};
use crate::matter_arg::{MatterArg, number, pick_open};
use crate::out;

/// End a matter now as undecided, also one in another terminal; close an issue.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod stop 3")]
pub(crate) struct StopArgs {
    /// The matter: number, id or `last`; the newest open one if left out.
    matter: Option<MatterArg>,
    #[command(flatten)]
    service: ServiceArgs,
}

impl StopArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        if let Some(client) = self.service.named()? {
            return served::order(context, &client, self.matter, "stop", &json!({})).await;
        }
        let matter = pick_open(&mut context.house.read()?.0, self.matter)?;
        let begun = synod_engine::now();
        let engine = context.house.engine("synod stop", Default::default()).await?;
        let given = give(&engine, Command::Stop { matter }).await?;
        let reader = context.house.reader()?;
        let (path, _) = engine
            .read_with([matter], |house| keep_receipt(context.house.dir(), house, &reader, matter))??;
        // The issues that the house had opened about it end with it.
        keep_receipts_of_issues(&context.house, &engine, begun);
        // An issue is closed by it, and anything else undecided: what was recorded is what is said.
        let (number, issue) =
            engine.read(|house| (number(house, matter), house.docket().row(matter).is_some()));
        let (status, what) = if issue { ("closed", "closed") } else { ("undecided", "stopped (undecided)") };
        if context.json {
            out::json(
                &json!({ "matter": matter, "number": number, "status": status, "receipt_file": path, "acknowledgement": given.acknowledgement() }),
            );
        } else {
            out::line(&format!("matter {number} is {what}; receipt {}", path.display()));
        }
        Ok(ExitCode::SUCCESS)
    }
}
