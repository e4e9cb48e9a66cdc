//! `synod charter new`

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::charter;
use synod_core::kernel::Digest;
use synod_journal::file;

use crate::cli::Context;
use crate::fail::{Fail, Result, code};
use crate::house::{charter_source, flaw_line, flawed, own_charter, parents, quoted};
use crate::out;

/// Create your own charter as a copy of another one, comments included.
///
/// The copy is written to charters/NAME.toml in the house and can be used by its name from then on. If NAME is a
/// built-in charter, the file replaces that charter in this house.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod charter new ours --from blind-vote")]
pub(crate) struct CharterNewArgs {
    /// The name: lower-case letters, digits and `-`.
    name: String,
    /// The charter to copy, by name or file.
    #[arg(long, value_name = "NAME|FILE")]
    from: String,
    /// Overwrite an existing file.
    #[arg(long)]
    force: bool,
}

/// The longest name of a charter, in characters.
const NAME_MOST: usize = 64;

impl CharterNewArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        context.house.check()?;
        let dir = context.house.dir();
        self.named_well()?;
        let (origin, source) = charter_source(dir, &self.from)?;
        let renamed = renamed(&source, &self.name);
        // What the copy says is checked before there is a file of it.
        let (warnings, ring) = match charter::Charter::read(&renamed, &parents(dir, &self.from)) {
            Ok(whole) if whole.charter.name == self.name => (whole.warnings, whole.charter.ring().is_some()),
            Ok(_) => {
                let message = format!("{origin} has no line name = \"…\": add one first");
                return Err(Fail::new(code::DATA, "charter/misnamed", message));
            }
            Err(flaws) => return Err(flawed(&origin, &flaws)),
        };
        let path = own_charter(dir, &self.name);
        self.write(dir, &path, &renamed)?;
        let shipped = charter::shipped(&self.name).is_some();
        if context.json {
            out::json(&json!({
                "charter": self.name, "file": path, "from": origin, "replaces_shipped": shipped,
                "digest": Digest::of(renamed.as_bytes()),
            }));
            return Ok(ExitCode::SUCCESS);
        }
        let (shown, flag) = (path.display().to_string(), context.house.flag());
        warnings.iter().for_each(|warning| out::error(&out::clean(&flaw_line(&shown, warning))));
        out::line(&out::clean(&format!("{shown} written, a copy of {origin}")));
        if shipped {
            out::line(&format!("it replaces the built-in charter {} in this house", self.name));
        }
        out::line(&format!("change it:  $EDITOR {}", quoted(&path)));
        out::line(&format!("check it:   synod charter check {}{flag}", self.name));
        let holds = if ring { "ring open \"…\" --invite A --invite B" } else { "debate \"…\"" };
        out::line(&format!("use it:     synod {holds} --charter {}{flag}", self.name));
        Ok(ExitCode::SUCCESS)
    }

    fn named_well(&self) -> Result<()> {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let name = &self.name;
        if !name.is_empty() && name.len() <= NAME_MOST && name.chars().all(plain) {
            return Ok(());
        }
        let message = format!(
            "`{name}` is not a valid charter name: use up to {NAME_MOST} lower-case letters, digits and `-`"
        );
        Err(Fail::new(code::USAGE, "charter/misnamed", message))
    }

    /// Writes the file whole or not at all.
    fn write(&self, house: &Path, path: &Path, text: &str) -> Result<()> {
        let shown = path.display();
        let cannot = |error: std::io::Error| {
            Fail::new(code::IO, "file/unwritable", format!("{shown} cannot be written: {error}"))
        };
        if path.exists() && !self.force {
            let message = format!("{shown} exists already: use another name, or --force to overwrite it");
            return Err(Fail::new(code::USAGE, "file/exists", message));
        }
        synod_journal::make_dir(house)?;
        if let Some(dir) = path.parent() {
            std::fs::create_dir_all(dir).map_err(cannot)?;
        }
        let draft = path.with_extension("new");
        // Others may read a charter: it is there to be shared.
        let written = file::create(&draft, 0o666).and_then(|mut file| file.write_all(text.as_bytes()));
        written.and_then(|()| std::fs::rename(&draft, path)).map_err(cannot)
    }
}

/// The source with another name, and everything else as it was.
fn renamed(source: &str, name: &str) -> String {
    let mut out = String::with_capacity(source.len() + name.len());
    let mut done = false;
    for line in source.split_inclusive('\n') {
        // Keys of the charter itself stand before its first table.
        done |= line.trim_start().starts_with('[');
        match value_of_name(line).filter(|_| !done) {
            Some(value) => {
                done = true;
                out.push_str(&line[..value.start]);
                out.push_str(&format!("\"{name}\""));
                out.push_str(&line[value.end..]);
            }
            None => out.push_str(line),
        }
    }
    out
}

/// Where the value stands in a line that sets `name` to a text.
fn value_of_name(line: &str) -> Option<std::ops::Range<usize>> {
    let key = line.trim_start_matches('\u{feff}').trim_start();
    let rest = ["name", "\"name\"", "'name'"].iter().find_map(|word| key.strip_prefix(word))?;
    let value = rest.trim_start().strip_prefix('=')?.trim_start();
    let quote = value.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let length = value[1..].find(quote)? + 2;
    let start = line.len() - value.len();
    Some(start..start + length)
}
