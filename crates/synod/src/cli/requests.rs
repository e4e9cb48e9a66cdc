//! What `synod answer` and `synod waive` share: the requests that participants made of the operator.

use std::fmt::Write as _;
use std::process::ExitCode;

use serde_json::json;
use synod_core::House;
use synod_core::kernel::{Id, MatterId};
use synod_core::view::{Report, RequestRow};
use synod_engine::{Acknowledgement, Engine};

use super::Context;
use crate::fail::{Fail, Result, code};
use crate::run::next_line;
use crate::{out, render};

/// A request as it is written.
pub(super) fn request(written: &str) -> Result<Id> {
    written.parse().map_err(|_| {
        Fail::usage(format!(
            "`{written}` is not a request: write its id, such as 57.2; `synod show` lists requests"
        ))
    })
}

/// The open requests of a matter. None is an error here: there is nothing to do.
pub(super) fn open(house: &House, matter: MatterId) -> Result<Vec<Id>> {
    let case = house.case(matter);
    let rows = case.into_iter().flat_map(|case| &case.dossier.requests);
    let open: Vec<Id> = rows.filter(|(_, row)| row.is_for_operator()).map(|(id, _)| *id).collect();
    if open.is_empty() {
        let number = case.map_or(0, |case| case.number);
        let message = format!("matter {number} has no open request; `synod show {number}` lists all of them");
        return Err(Fail::new(code::USAGE, "context/none-open", message));
    }
    Ok(open)
}

/// Shows what is still open and what to type next.
pub(super) fn show_rest(
    context: &Context,
    engine: Engine,
    matter: MatterId,
    done: &[Id],
    became: &str,
    said: Option<Acknowledgement>,
) -> Result<ExitCode> {
    let report = engine.read_with([matter], |house| house.case(matter).map(Report::of))?;
    engine.end();
    let Some(report) = report else { return Ok(ExitCode::SUCCESS) };
    let open: Vec<&RequestRow> = report.requests.iter().filter(|row| row.is_for_operator()).collect();
    let number = report.number;
    // A running matter needs no command to go on.
    let next = (report.status != "running").then(|| next_line(&context.house, &report));
    if context.json {
        out::json(&json!({
            "matter": matter, "number": number, "requests": done, "became": became, "status": report.status,
            "pending": open, "next": next, "acknowledgement": said,
        }));
        return Ok(ExitCode::SUCCESS);
    }
    let ids: Vec<String> = done.iter().map(ToString::to_string).collect();
    out::line(&format!("{} {became}", ids.join(", ")));
    let mut pending = String::new();
    open.iter().for_each(|row| render::steer::request(&mut pending, row, true));
    if !pending.is_empty() {
        let _ = writeln!(pending, "{}", render::answer_with(number, &open, &context.house.flag()));
        out::text(&out::clean(&format!("still open:\n{pending}")));
    }
    let Some(next) = next else {
        out::line(&format!("matter {number} is running and reads it in the next round"));
        return Ok(ExitCode::SUCCESS);
    };
    let required = open.iter().any(|row| row.required);
    let when = if required { "once no required request is open, go on" } else { "go on" };
    out::line(&format!("{when} with: {next}"));
    Ok(ExitCode::SUCCESS)
}
