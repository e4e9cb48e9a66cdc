//! `synod receipt`

use std::process::ExitCode;

use clap::{Args, ValueEnum};

use super::Context;
use crate::fail::{Fail, Result, code};
use crate::house::{house_key, receipt_body, sign};
use crate::matter_arg::{MatterArg, pick};
use crate::{out, statement};

/// Print the signed receipt of a matter.
///
/// The same matter gives the same bytes every time. `synod verify FILE` checks a receipt. Other formats say the same, signed by the same
/// key.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod receipt 3 > decision-3.json\n  synod receipt 3 --format dsse > decision-3.intoto.json"
)]
pub(crate) struct Receipt {
    /// The matter: number, id or `last`; the newest if left out.
    matter: Option<MatterArg>,
    /// The format: Synod's own, an in-toto statement in a DSSE envelope, or an Open Decision Receipt.
    #[arg(long, value_enum, default_value = "synod")]
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Synod's own, which `synod verify` checks.
    Synod,
    /// An in-toto statement in a DSSE envelope.
    Dsse,
    /// An Open Decision Receipt 0.2.
    Odr,
}

impl Receipt {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let (mut house, _) = context.house.read()?;
        let matter = pick(&mut house, self.matter)?;
        let body = receipt_body(&house, &context.house.reader()?, matter)?;
        let dir = context.house.dir();
        let key = || house_key(dir, body.house.as_deref().unwrap_or_default());
        let line = match self.format {
            Format::Synod => sign(dir, &body)?.to_line(),
            Format::Dsse => statement::dsse(&key()?, &body),
            Format::Odr => statement::odr(&key()?, &body),
        };
        out::exact(line.map_err(|error| Fail::new(code::DATA, "receipt/unsignable", error.to_string()))?);
        Ok(ExitCode::SUCCESS)
    }
}
