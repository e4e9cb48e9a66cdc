//! `synod replay`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::kernel::text::counted;
use synod_engine::replay;

use super::Context;
use crate::fail::{Result, code};
use crate::out;

/// Judge every recorded command again, without any model, and compare the outcome with the journal.
///
/// Acts whose words were deleted cannot be judged again; they are taken as recorded and counted apart.
#[derive(Debug, Args)]
pub(crate) struct Replay {}

impl Replay {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        match replay(&context.house.reader()?)? {
            Ok(replayed) => {
                if context.json {
                    out::json(
                        &json!({ "same": true, "acts": replayed.acts, "redacted": replayed.redacted, "head": replayed.head }),
                    );
                } else {
                    let judged = replayed.acts - replayed.redacted;
                    let rest = match replayed.redacted {
                        0 => String::new(),
                        acts => format!(", {} taken as recorded", counted(acts, "redacted act")),
                    };
                    out::line(&format!(
                        "{judged} acts judged again{rest}, the same head {}",
                        replayed.head.hash
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
