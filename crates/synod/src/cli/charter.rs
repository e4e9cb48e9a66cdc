//! `synod charter`

mod new;

use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde_json::{Value, json};
use synod_core::charter::{self, Flaw};
use synod_core::kernel::Digest;
use synod_core::kernel::text::counted;

use super::Context;
use crate::fail::{Result, code};
use crate::house::{charter_names, charter_source, flaw_line, parents};
use crate::{house, out};

/// List, show, check and create charters: the rules, one TOML file each.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  synod charter list\n  synod charter new ours --from blind-vote")]
pub(crate) struct CharterArgs {
    #[command(subcommand)]
    command: CharterCommand,
}

#[derive(Debug, Subcommand)]
enum CharterCommand {
    /// List charters by name. A file charters/NAME.toml in the house replaces the built-in one of that name.
    #[command(after_help = "Example:\n  synod charter list")]
    List,
    /// Show a charter: its source, or with --json the resulting rules, digest and settings.
    #[command(after_help = "Example:\n  synod charter show blind-vote")]
    Show {
        /// Name or file.
        charter: String,
    },
    /// Check a charter and list every error with its line and what to write instead.
    #[command(after_help = "Example:\n  synod charter check ours.toml")]
    Check {
        /// Name or file.
        charter: String,
    },
    New(new::CharterNewArgs),
    /// Print the JSON Schema of charter files, for editors.
    #[command(after_help = "Example:\n  synod charter schema > charter.schema.json")]
    Schema,
}

impl CharterArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        match self.command {
            CharterCommand::List => list(context),
            CharterCommand::Show { charter } => show(context, &charter),
            CharterCommand::Check { charter } => check(context, &charter),
            CharterCommand::New(command) => command.run(context),
            CharterCommand::Schema => {
                out::json(&charter::schema());
                Ok(ExitCode::SUCCESS)
            }
        }
    }
}

fn list(context: &Context) -> Result<ExitCode> {
    let dir = context.house.dir();
    let mut rows: Vec<Value> = Vec::new();
    for name in charter_names(dir) {
        let (origin, source) = charter_source(dir, &name)?;
        let read = charter::Charter::read(&source, &parents(dir, &name));
        let summary = read.as_ref().map(|whole| whole.charter.summary.clone()).unwrap_or_default();
        let flaws = read.as_ref().err().map_or(0, Vec::len);
        let replaces = house::replaces(dir, &name);
        if !context.json {
            let note = if flaws > 0 {
                format!("{}; see `synod charter check {name}`", counted(flaws as u64, "error"))
            } else {
                summary.clone()
            };
            let from = match &replaces {
                Some(note) => format!(" [{note}]"),
                None if origin.ends_with("(built-in)") => String::new(),
                None => format!(" [{origin}]"),
            };
            out::line(&out::clean(&format!("{name:<16} {note}{from}")));
        }
        rows.push(json!({ "name": name, "summary": summary, "origin": origin, "digest": Digest::of(source.as_bytes()), "flaws": flaws, "replaces_shipped": replaces.is_some() }));
    }
    if context.json {
        out::json(&rows);
    }
    Ok(ExitCode::SUCCESS)
}

fn show(context: &Context, wanted: &str) -> Result<ExitCode> {
    let sourced = house::charter(context.house.dir(), wanted)?;
    if context.json {
        out::json(&json!({
            "origin": sourced.origin,
            "replaces_shipped": sourced.replaces.is_some(),
            "digest": sourced.digest,
            "settings": sourced.charter.settings(),
            "charter": sourced.charter,
        }));
        return Ok(ExitCode::SUCCESS);
    }
    out::text(&out::clean(&sourced.source));
    out::line(&format!("\n# digest {}", sourced.digest));
    if let Some(note) = &sourced.replaces {
        out::line(&out::clean(&format!("# {note}")));
    }
    out::line(&format!("# stages {}", stages(&sourced.charter).join(" → ")));
    for (name, setting) in sourced.charter.settings() {
        let range = match setting.is_fixed() {
            true => "fixed".into(),
            false => format!("{} to {}", setting.from, setting.to),
        };
        out::line(&format!("# setting {name} = {} ({range})", setting.is));
    }
    Ok(ExitCode::SUCCESS)
}

/// What happens, in order.
fn stages(charter: &charter::Charter) -> Vec<String> {
    let row = |(name, rounds): (String, Option<u64>)| match rounds {
        Some(most) => format!("{name} (up to {most} rounds)"),
        None => name,
    };
    charter.outline().into_iter().map(row).collect()
}

fn check(context: &Context, wanted: &str) -> Result<ExitCode> {
    let (origin, source) = charter_source(context.house.dir(), wanted)?;
    let (good, flaws) = match charter::Charter::read(&source, &parents(context.house.dir(), wanted)) {
        Ok(whole) => match house::misnamed(wanted, &whole.charter) {
            Some(flaw) => (false, whole.warnings.into_iter().chain([flaw]).collect()),
            None => (true, whole.warnings),
        },
        Err(flaws) => (false, flaws),
    };
    if context.json {
        let row = |flaw: &Flaw| json!({ "line": flaw.line, "key": flaw.key, "wrong": flaw.wrong, "fix": flaw.fix, "error": flaw.is_error, "file": flaw.file });
        out::json(
            &json!({ "file": origin, "good": good, "flaws": flaws.iter().map(row).collect::<Vec<_>>() }),
        );
    } else {
        flaws.iter().for_each(|flaw| out::line(&out::clean(&flaw_line(&origin, flaw))));
        let errors = flaws.iter().filter(|flaw| flaw.is_error).count();
        out::line(&match (good, flaws.len()) {
            (true, 0) => format!("{origin}: good"),
            (true, warnings) => format!("{origin}: good, {}", counted(warnings as u64, "warning")),
            (false, _) => format!("{origin}: {}", counted(errors as u64, "error")),
        });
    }
    Ok(ExitCode::from(if good { code::PASSED } else { code::DATA }))
}
