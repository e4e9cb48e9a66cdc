//! `synod ring react`

use std::process::ExitCode;

use clap::Args;
use synod_core::kernel::Reaction;
use synod_core::kernel::{AskId, text};

use super::{Context, item, named, tell};
use crate::agent::AgentArgs;
use crate::fail::Result;
use crate::wire::{self, ActionRequest};

/// React to a statement or proposal while you have the floor.
///
/// `agree` on a proposal counts as support.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod ring react --as cy A agree")]
pub(crate) struct RingReactArgs {
    /// The letter of a proposal, or the id of a statement, proposal or change.
    #[arg(value_name = "ID")]
    to: String,
    /// The reaction: agree, disagree, need_clarification, interesting, concerning or partially_agree.
    #[arg(value_parser = reaction)]
    reaction: Reaction,
    /// The reason.
    #[arg(long, value_name = "TEXT")]
    why: Option<String>,
    /// Keep the floor to say more.
    #[arg(long)]
    keep: bool,
    /// The turn this belongs to; your open turn if left out.
    #[arg(long, value_name = "ASK")]
    turn: Option<AskId>,
    #[command(flatten)]
    agent: AgentArgs,
}

fn reaction(written: &str) -> std::result::Result<Reaction, String> {
    let folded = text::fold(written.trim()).replace('-', "_");
    let known = Reaction::ALL.map(Reaction::word);
    Reaction::ALL.into_iter().find(|reaction| reaction.word() == folded).ok_or_else(|| {
        let near = text::nearest(&folded, known);
        let near = near.map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
        format!("this is not a reaction.{near} Write one of {}", known.join(", "))
    })
}

impl RingReactArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let (reaction, to) = (self.reaction, item(&self.to)?);
        let reacting =
            wire::ReactionBody { ask: named(self.turn), to, reaction, text: self.why, keep: self.keep };
        let done = self.agent.agent(&context.house)?.act(ActionRequest::React(reacting)).await?;
        Ok(tell(context, &done, &format!("reacted to {to}: {}", reaction.word())))
    }
}
