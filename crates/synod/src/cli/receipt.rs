//! `synod receipt`

use std::process::ExitCode;

use clap::Args;

use super::Context;
use crate::fail::{Fail, Result, code};
use crate::house::{receipt_body, sign};
use crate::matter_arg::{MatterArg, pick};
use crate::out;

/// Print the signed receipt of a matter.
///
/// The same matter gives the same bytes every time. `synod verify FILE` checks a receipt.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod receipt 3 > decision-3.json")]
pub(crate) struct Receipt {
    /// The matter: number, id or `last`; the newest if left out.
    matter: Option<MatterArg>,
}

impl Receipt {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let (mut house, _) = context.house.read()?;
        let matter = pick(&mut house, self.matter)?;
        let body = receipt_body(&house, &context.house.reader()?, matter)?;
        let receipt = sign(context.house.dir(), &body)?;
        let line = receipt
            .to_line()
            .map_err(|error| Fail::new(code::DATA, "receipt/unsignable", error.to_string()))?;
        out::exact(line);
        Ok(ExitCode::SUCCESS)
    }
}
