//! A matter that rests: what it waits for, and what to type.

use synod_core::view::{Report, RequestRow};

use super::words;
use crate::house::HouseArg;
use crate::out::clean;
use crate::run::resume_line;

/// What a resting matter waits for.
#[derive(Debug)]
pub(crate) struct Waits<'a> {
    /// Requests nobody has answered or waived.
    pub(crate) requests: Vec<&'a RequestRow>,
    /// The command that lets it go on.
    pub(crate) next: String,
    /// All of it in words, with the commands.
    pub(crate) text: String,
}

/// What a matter waits for; `None` if it runs or is over.
pub(crate) fn waits<'a>(house: &HouseArg, report: &'a Report) -> Option<Waits<'a>> {
    let (matter, flag) = (report.matter, house.flag());
    let requests: Vec<&RequestRow> = report.requests.iter().filter(|row| row.became == "open").collect();
    let mut lines: Vec<String> = Vec::new();
    for row in &requests {
        lines.push(words::request(report, row));
        lines.push(format!("    because {}", words::short(&row.request.reason)));
    }
    if !requests.is_empty() {
        lines.push(format!(
            "answer with: synod matter answer {matter} ID TEXT{flag}, or: synod matter waive {matter} ID{flag}"
        ));
    }
    let next = match report.status {
        "waiting" => {
            let next = format!("synod matter continue {matter}{flag}");
            let round = report.rounds.last().map_or(0, |round| round.round);
            lines.push(format!(
                "round {round} is over; hold the next with: {next} [--focus TEXT] [--context FILE]"
            ));
            next
        }
        "needs_context" => {
            let next = resume_line(house, matter);
            let when = if requests.is_empty() { "all is answered or waived;" } else { "then" };
            lines.push(format!("{when} go on with: {next}"));
            next
        }
        "paused" | "interrupted" => {
            let next = resume_line(house, matter);
            lines.push(format!("{}; every answer so far is kept. Go on with: {next}", report.status));
            next
        }
        _ => return None,
    };
    Some(Waits { requests, next, text: clean(&(lines.join("\n") + "\n")) })
}
