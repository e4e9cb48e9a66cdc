//! Synod at the terminal.
//!
//! The only binary and the only place that knows the terminal. One file per subcommand in `cli/`; no rule
//! of deliberation lives here.

mod agent;
mod bridge;
mod cli;
mod client;
mod door;
mod fail;
mod house;
mod http;
mod observation;
mod opening;
mod out;
mod outcome;
mod percent;
mod person;
mod plan;
mod progress;
mod render;
mod run;
mod seats;
mod tag;
mod tokens;
mod triggers;
mod wire;

use clap::Parser;

fn main() -> std::process::ExitCode {
    let cli = match cli::Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return fail::usage(&error),
    };
    let json = cli.wants_json();
    match cli.run() {
        Ok(code) => code,
        Err(fail) => fail.show(json),
    }
}
