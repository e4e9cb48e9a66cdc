//! `synod completions`

use std::process::ExitCode;

use clap::Args;
use clap_complete::Shell;

use super::{Cli, Context};
use crate::fail::Result;
use crate::out;

/// Print shell completions.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  synod completions bash > ~/.local/share/bash-completion/completions/synod"
)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    shell: Shell,
}

impl CompletionsArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut Cli::definition(), "synod", &mut script);
        let script = String::from_utf8_lossy(&script);
        if context.json {
            out::json(&serde_json::json!({ "shell": self.shell.to_string(), "script": script }));
        } else {
            out::text(&script);
        }
        Ok(ExitCode::SUCCESS)
    }
}
