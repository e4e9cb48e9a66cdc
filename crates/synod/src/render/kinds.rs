//! Open questions and estimates in lines: what was proposed and by whom, which numbers were given and why.

use synod_core::kernel::text::one_line;
use synod_core::view::{Estimates, ProposedAnswer, Report, SeatEstimate};

use super::words;

/// What seats proposed, each with who proposed it.
pub(super) fn answers(report: &Report) -> Vec<String> {
    let line = |row: &ProposedAnswer| {
        let letter = row.letter.map_or("no place on the ballot".to_string(), |letter| letter.to_string());
        let by = match row.proposers.as_slice() {
            [] => String::new(),
            some => format!(" (proposed by {})", words::names(report, some)),
        };
        let also: Vec<String> = row.also.iter().map(|other| one_line(other)).collect();
        let also =
            if also.is_empty() { String::new() } else { format!(", also worded: {}", also.join("; ")) };
        format!("{letter}: {}{by}{also}", one_line(&row.text))
    };
    report.answers.iter().map(line).collect()
}

/// The result of an estimate with its spread, then each seat's number.
pub(super) fn numbers(report: &Report) -> Vec<String> {
    let Some(found) = &report.estimate else { return Vec::new() };
    let width = found.width.map(|width| format!("spread (middle half): {width} {}", found.unit));
    let seats = found.seats.iter().filter(|row| row.first.is_some() || report.decision.is_some());
    width.into_iter().chain(seats.map(|row| seat(report, found, row))).collect()
}

fn seat(report: &Report, found: &Estimates, row: &SeatEstimate) -> String {
    let who = words::name(report, &row.who);
    let Some(last) = row.last else { return format!("{who}: no number that could be read") };
    let moved = match row.first.filter(|_| row.moved) {
        Some(first) => format!(", was {}", first.best),
        None => String::new(),
    };
    let outside = if row.outside { ", outside the middle half" } else { "" };
    let sure = row.confidence.map(|sure| format!(", confidence {sure}")).unwrap_or_default();
    format!("{who}: {}{moved}{sure}{outside}", last.words(&found.unit))
}

/// The reasons of those whose number lies outside the middle half, verbatim.
pub(super) fn outside(report: &Report) -> Vec<(String, String)> {
    let rows = report.estimate.iter().flat_map(|found| &found.seats).filter(|row| row.outside);
    rows.map(|row| {
        (words::name(report, &row.who), row.reason.clone().unwrap_or_else(|| "(no reason given)".into()))
    })
    .collect()
}
