//! `synod trigger rules`

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use super::Context;
use crate::fail::Result;
use crate::house::read_text;
use crate::out;
use crate::triggers::{numbers, regulation};

/// Show the settings of triggers and monitor: the file of the house, else the built-in one.
///
/// To change a setting, write it into `triggers.toml` in the house; settings you leave out keep their defaults.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  synod trigger rules\n  synod trigger rules --check triggers.toml")]
pub(crate) struct TriggerRulesArgs {
    /// Check a settings file; every error is listed with its line.
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
}

impl TriggerRulesArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let (origin, source) = match &self.check {
            Some(file) => (file.display().to_string(), read_text(file, "triggers")?),
            None => numbers(context.house.dir())?,
        };
        let read = regulation(&origin, &source)?;
        if context.json {
            let charters = read.charters.iter().map(|(priority, name)| (priority.word(), name));
            let charters: std::collections::BTreeMap<_, _> = charters.collect();
            out::json(
                &json!({ "from": origin, "charters": charters, "trigger": read.trigger, "monitor": read.monitor }),
            );
        } else if self.check.is_some() {
            out::line(&format!("{origin} has no errors"));
        } else {
            out::text(&out::clean(&source));
        }
        Ok(ExitCode::SUCCESS)
    }
}
