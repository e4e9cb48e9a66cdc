//! `synod receipt`

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use serde_json::json;
use synod_core::kernel::MatterId;

use super::Context;
use crate::fail::{Fail, Result, code};
use crate::house::{Looked, keep_receipt, receipt_body, receipt_path, sign};
use crate::matter_arg::{MatterArg, pick};
use crate::upkeep::{house_key, missing_receipts};
use crate::{out, statement};

/// Print the signed receipt of a matter.
///
/// The same matter gives the same bytes every time, as long as the house has the same key. `synod verify FILE` checks a receipt. Other
/// formats say the same, signed by the same key. With --missing, writes the receipts of settled matters that are not in the house or
/// are of an earlier end, and lists them.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod receipt 3 > decision-3.json\n  synod receipt 3 --format dsse > decision-3.intoto.json\n  synod receipt --missing"
)]
pub(crate) struct ReceiptArgs {
    /// The matter: number, id or `last`; the newest if left out.
    matter: Option<MatterArg>,
    /// The format: Synod's own, an in-toto statement in a DSSE envelope, or an Open Decision Receipt.
    #[arg(long, value_enum, default_value = "synod")]
    format: ReceiptFormat,
    /// Write the receipts that are missing in the house.
    #[arg(long, conflicts_with_all = ["matter", "format"])]
    missing: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReceiptFormat {
    /// Synod's own, which `synod verify` checks.
    Synod,
    /// An in-toto statement in a DSSE envelope.
    Dsse,
    /// An Open Decision Receipt 0.2.
    Odr,
}

impl ReceiptArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let (mut house, _) = context.house.read()?;
        if self.missing {
            return make_up(context, &mut house);
        }
        let matter = pick(&mut house, self.matter)?;
        let body = receipt_body(&house, &context.house.reader()?, matter)?;
        let dir = context.house.dir();
        let key = || house_key(dir, body.key.as_deref().unwrap_or_default());
        let line = match self.format {
            ReceiptFormat::Synod => sign(dir, &body)?.to_line(),
            ReceiptFormat::Dsse => statement::dsse(&key()?, &body),
            ReceiptFormat::Odr => statement::odr(&key()?, &body),
        };
        out::exact(line.map_err(|error| Fail::new(code::DATA, "receipt/unsignable", error.to_string()))?);
        Ok(ExitCode::SUCCESS)
    }
}

/// Moves away what is in the place of a receipt and is not it: somebody may want to look at it.
fn set_aside(dir: &std::path::Path, matter: MatterId) -> Result<()> {
    let path = receipt_path(dir, matter);
    let moved = std::fs::rename(&path, path.with_extension("json.set-aside"));
    match moved {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            let message = format!("{} cannot be moved away: {error}", path.display());
            Err(Fail::new(code::IO, "file/unwritable", message))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Writes the receipts that a crash or a full disk left out.
fn make_up(context: &Context, house: &mut Looked) -> Result<ExitCode> {
    let (dir, reader) = (context.house.dir(), context.house.reader()?);
    let mut written = Vec::new();
    for matter in missing_receipts(dir, house) {
        house.bring(matter)?;
        set_aside(dir, matter)?;
        written.push(keep_receipt(dir, house, &reader, matter)?.0);
    }
    match context.json {
        true => out::json(&json!({ "written": written })),
        false if written.is_empty() => out::line("no receipt is missing"),
        false => written.iter().for_each(|path| out::line(&path.display().to_string())),
    }
    Ok(ExitCode::SUCCESS)
}
