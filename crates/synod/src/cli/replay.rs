//! `synod replay`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_engine::replay;

use super::Context;
use crate::fail::{Result, code};
use crate::out;

/// Judge every recorded command again, without any model, and compare the outcome with the journal.
#[derive(Debug, Args)]
pub(crate) struct Replay {}

impl Replay {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        match replay(&context.house.reader()?)? {
            Ok(replayed) => {
                if context.json {
                    out::json(&json!({ "same": true, "acts": replayed.acts, "head": replayed.head }));
                } else {
                    out::line(&format!(
                        "{} acts judged again, the same head {}",
                        replayed.acts, replayed.head.hash
                    ));
                }
                Ok(ExitCode::SUCCESS)
            }
            Err(divergence) => {
                if context.json {
                    out::json(
                        &json!({ "same": false, "act": divergence.seq, "recorded": divergence.recorded, "now": divergence.now }),
                    );
                } else {
                    out::line(&divergence.to_string());
                }
                Ok(ExitCode::from(code::FAILED))
            }
        }
    }
}
