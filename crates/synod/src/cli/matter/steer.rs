//! `synod matter pause` and `synod matter stop`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::Command;
use synod_core::kernel::MatterId;
use synod_core::matter::{self, Status};

use super::Context;
use crate::fail::Result;
use crate::house::{give, keep_receipt, pick_open};
use crate::out;
use crate::run::resume_line;

/// Let a matter rest. A matter that runs in another terminal is paused there with Ctrl-C.
#[derive(Debug, Args)]
pub(crate) struct Pause {
    /// The matter; the last open one if left out.
    matter: Option<MatterId>,
}

/// End a matter as it stands. It counts as undecided.
#[derive(Debug, Args)]
pub(crate) struct Stop {
    /// The matter; the last open one if left out.
    matter: Option<MatterId>,
}

impl Pause {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let engine = context.house.engine("synod matter pause", Default::default()).await?;
        let matter = engine.read(|house| pick_open(house, self.matter))?;
        // Opening the house has laid an interrupted matter to rest already.
        let resting = engine
            .read(|house| house.case(matter).is_some_and(|case| matches!(case.status(), Status::Paused(_))));
        if !resting {
            give(&engine, Command::Pause { matter, why: matter::Pause::Operator }).await?;
        }
        let resume = resume_line(&context.house, matter);
        if context.json {
            out::json(&json!({ "matter": matter, "status": "paused", "resume": resume }));
        } else {
            out::line(&format!("matter {matter} rests; go on with: {resume}"));
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl Stop {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let engine = context.house.engine("synod matter stop", Default::default()).await?;
        let matter = engine.read(|house| pick_open(house, self.matter))?;
        give(&engine, Command::Stop { matter }).await?;
        let reader = context.house.reader()?;
        let (path, _) = engine.read(|house| keep_receipt(context.house.dir(), house, &reader, matter))?;
        if context.json {
            out::json(&json!({ "matter": matter, "status": "undecided", "receipt_file": path }));
        } else {
            out::line(&format!("matter {matter} is over, undecided; receipt {}", path.display()));
        }
        Ok(ExitCode::SUCCESS)
    }
}
