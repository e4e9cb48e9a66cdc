//! `synod ring key`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;

use super::Context;
use crate::agent::AgentArgs;
use crate::fail::{Fail, Result};
use crate::{out, vouching};

/// Register the key that you sign with: the record then proves what you did.
///
/// From then on, what you do in this house is refused unless it is signed with that key: give --sign FILE with every
/// command, or set SYNOD_SIGN. A later key is registered with --next FILE and signed for with the present one. The operator
/// takes away a key that is lost, with --remove and without --sign.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
                        synod ring key --as ann --sign ann.key --new\n  \
                        synod ring key --as ann --sign ann.key --next ann-2.key --new\n  \
                        synod ring key --as ann --remove")]
pub(crate) struct RingKeyArgs {
    #[command(flatten)]
    agent: AgentArgs,
    /// Make the key first, in a new file.
    #[arg(long, conflicts_with = "remove")]
    new: bool,
    /// Sign with the key in this file from now on, instead of the present one.
    #[arg(long, value_name = "FILE", conflicts_with = "remove")]
    next: Option<std::path::PathBuf>,
    /// Take the key away.
    #[arg(long)]
    remove: bool,
}

impl RingKeyArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let signs = self.agent.signs_with();
        if self.remove && signs.is_none() {
            let (access, who) = self.agent.operator(&context.house)?;
            let done = access.remove_key(&who).await?;
            return Ok(tell(context, done.act, None, &format!("{who} signs no more")));
        }
        let signs =
            signs.ok_or_else(|| Fail::usage("which key? Give its file with --sign FILE; --new makes one"))?;
        let file = self.next.as_deref().unwrap_or(signs);
        if self.new {
            vouching::make(file)?;
        }
        let public = (!self.remove).then(|| vouching::load(file).map(|key| key.public_hex())).transpose()?;
        let done = self.agent.agent(&context.house)?.register(public.clone()).await?;
        let words = match &public {
            Some(public) => format!("registered the key {public}; sign with --sign {}", file.display()),
            None => "the key is taken away; what you do is not signed any more".into(),
        };
        Ok(tell(context, done.act, public.as_deref(), &words))
    }
}

fn tell(context: &Context, act: impl serde::Serialize, key: Option<&str>, words: &str) -> ExitCode {
    match context.json {
        true => out::json(&json!({ "act": act, "key": key })),
        false => out::line(&out::clean(words)),
    }
    ExitCode::SUCCESS
}
