//! A paused matter: what it waits for, and what to type.

use synod_core::view::{Report, RequestRow};

use super::words;
use crate::house::HouseArg;
use crate::out::clean;
use crate::run::next_line;

/// What a paused matter waits for.
#[derive(Debug)]
pub(crate) struct Waits<'a> {
    /// Requests that nobody has answered or waived.
    pub(crate) requests: Vec<&'a RequestRow>,
    /// The command that continues it.
    pub(crate) next: String,
    /// All of it in words, with the commands.
    pub(crate) text: String,
}

/// Why a matter halted, if it did: the seat and the cause.
pub(crate) fn halted(report: &Report) -> Option<String> {
    let halt = report.halted.as_ref()?;
    let seat = report.seats.iter().find(|row| row.seat.who == halt.who);
    let mind = seat.map(|row| format!(" ({})", row.seat.backend)).unwrap_or_default();
    Some(clean(&format!("{}{mind} cannot be asked: {} ({})", halt.who, halt.cause.detail, halt.cause.code)))
}

/// How to answer what is open. Where there is one request, there is only one id to type.
pub(crate) fn answer_with(number: u64, open: &[&RequestRow], flag: &str) -> String {
    let id = match open {
        [only] => only.id.to_string(),
        _ => "ID".into(),
    };
    format!("answer with: synod answer {number} {id} TEXT{flag}, or: synod waive {number} {id}{flag}")
}

/// What a matter waits for; `None` if it runs or is over.
pub(crate) fn waits<'a>(house: &HouseArg, report: &'a Report) -> Option<Waits<'a>> {
    let (number, flag) = (report.number, house.flag());
    let requests: Vec<&RequestRow> = report.requests.iter().filter(|row| row.is_for_operator()).collect();
    let mut lines: Vec<String> = Vec::new();
    for row in &requests {
        lines.push(words::request(report, row));
        lines.push(format!("    because {}", words::short(&row.request.reason)));
    }
    if !requests.is_empty() {
        lines.push(answer_with(number, &requests, &flag));
    }
    let next = next_line(house, report);
    match report.status {
        "waiting" => {
            let round = report.rounds.last().map_or(0, |round| round.round);
            lines.push(format!(
                "round {round} is over; run the next with: {next} [--focus TEXT] [--context FILE]"
            ));
        }
        "listed" => lines.push(format!("the motion is listed; call it up with: {next}")),
        "needs_context" => {
            let when = if requests.is_empty() { "every request is answered or waived;" } else { "then" };
            lines.push(format!("{when} resume with: {next}"));
        }
        "paused" if report.halted.is_some() => {
            lines.extend(halted(report).map(|why| format!("paused: {why}")));
            lines.push(format!(
                "Fix the key or the model, then: {next}, or go on without that seat: {next} --go-on"
            ));
        }
        "paused" | "interrupted" if !report.is_issue() => {
            lines.push(format!("{}; every answer so far is saved. Resume with: {next}", report.status));
        }
        _ => return None,
    }
    Some(Waits { requests, next, text: clean(&(lines.join("\n") + "\n")) })
}
