//! `synod judge`

use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::house::Case;
use synod_core::kernel::{Seat, Who};
use synod_core::procedure::council;
use synod_core::view::RoundReport;
use synod_core::{Command, House};

use super::Context;
use crate::casting::PerformArgs;
use crate::fail::{Fail, Result, code};
use crate::house::{ahead, give};
use crate::matter_arg::{MatterArg, pick};
use crate::run::served;
use crate::seats::{self, again};
use crate::{out, render};

/// Have a judge assess a round, again or for the first time.
///
/// The assessment is a signal; votes decide.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod judge 3 --round 2 --judge jo=openai:gpt-4.1-mini")]
pub(crate) struct JudgeArgs {
    /// The matter: number, id or `last`; the newest if left out.
    matter: Option<MatterArg>,
    /// The round to assess.
    #[arg(long, value_name = "K")]
    round: u32,
    /// The judge and what answers for it; the name alone if the matter or the house knows it already.
    #[arg(long, value_name = "NAME[=BACKEND]")]
    judge: String,
    #[command(flatten)]
    perform: PerformArgs,
}

impl JudgeArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let (mut house, _) = context.house.read()?;
        let matter = pick(&mut house, self.matter)?;
        let Some(case) = house.case(matter) else { return Ok(ExitCode::SUCCESS) };
        let round = self.round;
        if !case.council().is_some_and(|(_, state)| state.analyses.contains_key(&round)) {
            let refusal = synod_core::matter::Refusal::NoSuchRound { matter, round, had: case.rounds_over() };
            return Err(Fail::new(code::USAGE, refusal.code(), refusal.to_string()));
        }
        let (judge, minds) = self.who(context, &house, case)?;
        let command = Command::Council(council::Command::Judge { by: judge.who.clone(), matter, round });
        let enrolled =
            house.roster().get(&judge.who) == Some(&judge) || case.participant(&judge.who).is_some();
        if enrolled {
            ahead(&house, &command)?;
        }
        let engine = context.house.engine("synod judge", minds).await?;
        if !enrolled {
            give(&engine, Command::Enrol { seat: judge.clone() }).await?;
        }
        let asked = give(&engine, command).await?;
        if let Some(cause) = served(&engine, matter, &asked).await? {
            let message = format!(
                "{} could not assess round {round} of matter {}: {}",
                judge.name, case.number, cause.detail
            );
            return Err(Fail::new(code::UNAVAILABLE, &cause.code, message));
        }
        let view = engine
            .read_with([matter], |house| house.case(matter).and_then(|case| RoundReport::of(case, round)))?;
        engine.end();
        let Some(view) = view else { return Ok(ExitCode::SUCCESS) };
        let Some(judged) = view.round.judged.iter().find(|judged| judged.who == judge.who) else {
            let message = format!("{} gave no assessment of round {round}", judge.name);
            return Err(Fail::new(code::UNAVAILABLE, "clerk/unreadable", message));
        };
        if context.json {
            let counted = view.round.analysis.as_ref().and_then(|found| found.agreement);
            out::json(&json!({
                "matter": matter, "number": case.number, "round": round, "judged": judged, "counted": counted,
                "spread": view.round.spread, "all": view.round.judged,
            }));
        } else {
            out::text(&render::steer::judgement(judged, &view));
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The judge, with what answers for it.
    fn who(&self, context: &Context, house: &House, case: &Case) -> Result<(Seat, synod_engine::Minds)> {
        let dir = context.house.dir();
        let Some((name, _)) = self.judge.split_once('=') else {
            let who = Who::parse(&self.judge).map_err(Fail::usage)?;
            let known = case.participant(&who).or_else(|| house.roster().get(&who)).cloned();
            let seat = known.ok_or_else(|| {
                let message = format!(
                    "no participant of this house is called `{}`: write --judge NAME=BACKEND, such as --judge {}=openai:gpt-4.1-mini",
                    self.judge, self.judge
                );
                Fail::new(code::USAGE, "roster/unknown-seat", message)
            })?;
            let minds = again(dir, std::slice::from_ref(&seat), &self.perform)?;
            return Ok((seat, minds));
        };
        let (judge, minds) = seats::judge(dir, &self.judge, &self.perform)?;
        // The participants of a matter stay as they were when it opened.
        if let Some(known) = case.participant(&judge.who).filter(|known| known.backend != judge.backend) {
            let name = name.trim();
            let message = format!(
                "`{name}` already serves in matter {} as {}: write --judge {name}, or use another name for {}",
                case.number, known.backend, judge.backend
            );
            return Err(Fail::new(code::USAGE, "roster/seat-taken", message));
        }
        Ok((judge, minds))
    }
}
