//! `synod continue`

use std::process::ExitCode;

use clap::Args;
use synod_core::Command;
use synod_core::house::Case;
use synod_core::matter::Status;
use synod_core::procedure::council;

use super::Context;
use super::sources::SourcesArg;
use crate::casting::PerformArgs;
use crate::context::given;
use crate::fail::{Fail, Result, code};
use crate::house::{ahead, give};
use crate::matter_arg::{MatterArg, number, pick_open};
use crate::out;
use crate::run::{Interrupts, ShowOptions, through};
use crate::seats::{again, serving};

/// Run the next round of a matter that waits for it.
///
/// A matter opened with `synod debate --step` waits after each round. You can then add a focus question or more
/// material. To continue a matter that was paused, use `synod resume`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod continue --focus \"What does a rollback cost?\"\n  synod continue 3 --context incident.md\n  synod continue 3 --to-end"
)]
pub(crate) struct ContinueArgs {
    /// The matter: number, id or `last`; the newest open one if left out.
    matter: Option<MatterArg>,
    /// A question that the next round must answer first.
    #[arg(long, value_name = "TEXT")]
    focus: Option<String>,
    /// A text for the council to read (repeatable): a file, a folder, a pattern such as 'src/**/*.rs', or - for standard
    /// input. 200,000 characters in all; secrets are refused or masked.
    #[arg(long, value_name = "FILE|DIR|PATTERN|-")]
    context: Vec<String>,
    #[command(flatten)]
    sources: SourcesArg,
    /// Stop waiting between rounds: run the matter to its end.
    #[arg(long)]
    to_end: bool,
    #[command(flatten)]
    perform: PerformArgs,
    /// Show no progress, only the result.
    #[arg(long, short)]
    quiet: bool,
}

impl ContinueArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let (mut house, _) = context.house.read()?;
        let matter = pick_open(&mut house, self.matter)?;
        let given = given(&self.context, None)?;
        if let Some(line) = given.size.line() {
            out::error(&format!("context: {line}"));
        }
        let root = self.sources.root_for(&context.house, &house, matter)?;
        let command = Command::Council(council::Command::Continue {
            context: given.material,
            focus: self.focus,
            matter,
            to_end: self.to_end,
        });
        // A matter that the journal calls running either runs elsewhere or was left behind; the engine finds out.
        let running = house.case(matter).is_some_and(|case| case.status() == Status::Running);
        if !running {
            ahead(&house, &command)?;
        }
        let rounds = house.case(matter).map(Case::round);
        let seats = house.case(matter).map(serving).unwrap_or_default();
        let minds = again(context.house.dir(), &seats, &self.perform)?;
        let interrupts = Interrupts::listen().await;
        let engine = context.house.engine_reading("synod continue", minds, self.sources.reach(root)?).await?;
        if engine.read(|house| house.case(matter).map(Case::round)) != rounds {
            // Two who ask for the next round at once mean the same round.
            let message = format!(
                "another process has just run the next round of matter {}; `synod round` shows it",
                number(&house, matter)
            );
            return Err(Fail::new(code::HELD, "matter/moved-on", message));
        }
        let held = give(&engine, command).await?;
        let show = ShowOptions { json: context.json, quiet: self.quiet, beside: None };
        through(&context.house, engine, matter, held.seq, None, show, interrupts).await
    }
}
