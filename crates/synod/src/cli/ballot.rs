//! `synod ballot`

use std::process::ExitCode;

use clap::{Args, Subcommand};
use synod_core::kernel::{MatterId, Who};
use synod_core::view::{Proof, prove};

use super::Context;
use crate::fail::{Fail, Result, code};
use crate::house::pick;
use crate::out;

/// Prove how a sealed vote was cast.
#[derive(Debug, Args)]
pub(crate) struct Ballot {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Prove(Prove),
}

/// Hold a vote and its salt against the seal in the record. Exit 0 if they make that seal, 1 if not.
///
/// The seal is the SHA-256 of a line of JSON that is printed, so that anyone can check it with the tools they have.
/// Who votes through an engine finds the salt in the journal; who gives their own keeps it.
#[derive(Debug, Args)]
struct Prove {
    /// The matter; the last one if left out.
    matter: Option<MatterId>,
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

impl Ballot {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let Command::Prove(command) = self.command;
        command.run(context)
    }
}

impl Prove {
    fn run(self, context: &Context) -> Result<ExitCode> {
        let (house, _) = context.house.read()?;
        let matter = pick(&house, self.matter)?;
        let Some(case) = house.case(matter) else { return Ok(ExitCode::SUCCESS) };
        let who = Who::parse(&self.seat).ok().filter(|who| case.seat(who).is_some());
        let who = who.ok_or_else(|| super::matter::no_seat(case, &self.seat))?;
        let proof = prove(case, &who, &self.choice, &self.salt).ok_or_else(|| {
            let message = format!(
                "`{}` is no vote on matter {matter}: write it as the ballot asks for it, such as YES, \"B > A\" or \"to bob\", in a ring the proposal and the grade, such as \"A APPROVE\"",
                self.choice
            );
            Fail::new(code::USAGE, "ballot/unreadable", message)
        })?;
        if context.json {
            out::json(&proof);
        } else {
            out::text(&out::clean(&told(&proof)));
        }
        Ok(ExitCode::from(if proof.proven { code::PASSED } else { code::FAILED }))
    }
}

fn told(proof: &Proof) -> String {
    let Proof { matter, who, choice, .. } = proof;
    if proof.ballots.is_empty() {
        return format!("matter {matter} has no sealed vote of {who}\n");
    }
    let mut lines = String::new();
    for row in &proof.ballots {
        let verdict = match row.seal == row.recorded {
            true => "proven: the record has had this seal since the vote",
            false => "not proven: the record has another seal",
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
