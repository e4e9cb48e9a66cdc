//! `synod ballot`

use std::process::ExitCode;

use clap::{Args, Subcommand};
use synod_core::kernel::Who;
use synod_core::view::{VoteProof, prove};

use super::Context;
use crate::fail::{Fail, Result, code};
use crate::matter_arg::{MatterArg, pick};
use crate::out;

/// Prove how a sealed vote was cast.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod ballot prove 3 --seat ann --choice YES --salt 0123456789abcdef")]
pub(crate) struct BallotArgs {
    #[command(subcommand)]
    command: BallotCommand,
}

#[derive(Debug, Subcommand)]
enum BallotCommand {
    Prove(BallotProveArgs),
}

/// Check that a vote and salt match the recorded seal.
///
/// Exits 0 if they match, 1 if not. The seal is the SHA-256 of a line of JSON, which is printed so that anyone can
/// check it with other tools. For seats run by Synod the salt is in the journal; participants who chose their own
/// salt keep it.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  synod ballot prove 3 --seat ann --choice \"B > A\" --salt 0123456789abcdef"
)]
struct BallotProveArgs {
    /// The matter: number, id or `last`; the newest if left out.
    matter: Option<MatterArg>,
    /// The seat that voted.
    #[arg(long, value_name = "NAME")]
    seat: String,
    /// The vote as it was cast: YES, "B > A = C", "A, C", "A=7, B=0", NONE, ABSTAIN, "to NAME", or in a ring "A APPROVE".
    #[arg(long, value_name = "VOTE")]
    choice: String,
    /// The salt it was sealed with.
    #[arg(long)]
    salt: String,
}

impl BallotArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let BallotCommand::Prove(command) = self.command;
        command.run(context)
    }
}

impl BallotProveArgs {
    fn run(self, context: &Context) -> Result<ExitCode> {
        let (mut house, _) = context.house.read()?;
        let matter = pick(&mut house, self.matter)?;
        let Some(case) = house.case(matter) else { return Ok(ExitCode::SUCCESS) };
        let who = Who::parse(&self.seat).ok().filter(|who| case.seat(who).is_some());
        let who = who.ok_or_else(|| super::thoughts::no_seat(case, &self.seat))?;
        let proof = prove(case, &who, &self.choice, &self.salt).ok_or_else(|| {
            let message = format!(
                "`{}` is not a vote on matter {}: write it in the form of the ballot, such as YES, \"B > A\" or \"to bob\"; in a ring write proposal and vote, such as \"A APPROVE\"",
                self.choice, case.number
            );
            Fail::new(code::USAGE, "ballot/unreadable", message)
        })?;
        if context.json {
            out::json(&proof);
        } else {
            out::text(&out::clean(&lines(case.number, &proof)));
        }
        Ok(ExitCode::from(if proof.proven { code::PASSED } else { code::FAILED }))
    }
}

fn lines(number: u64, proof: &VoteProof) -> String {
    let VoteProof { who, choice, .. } = proof;
    if proof.ballots.is_empty() {
        return format!("matter {number} has no sealed vote of {who}\n");
    }
    let mut lines = String::new();
    for row in &proof.ballots {
        let verdict = match row.seal == row.recorded {
            true if row.replaced => {
                "not counted: the vote was cast so, and a later one of the same seat took its place"
            }
            true => "proven: this seal was recorded with the vote",
            false => "not proven: the recorded seal differs",
        };
        let (ballot, stage, text) = (row.ballot, &row.stage, &row.text);
        lines.push_str(&format!("{stage} ({ballot}): {who} voted {choice}: {verdict}\n"));
        lines.push_str(&format!(
            "  sealed text  {text}\n  its SHA-256  {}\n  recorded     {}\n",
            row.seal, row.recorded
        ));
    }
    lines
}
