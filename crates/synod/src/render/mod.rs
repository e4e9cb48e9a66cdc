//! Showing a matter: to a person at the terminal, as Markdown, as a page. One file per form.

pub(crate) mod compare;
pub(crate) mod html;
pub(crate) mod markdown;
pub(crate) mod steer;
pub(crate) mod text;

use synod_core::kernel::text::counted;
use synod_core::kernel::{Choice, Nano, SeatKind, Who};
use synod_core::view::Report;

/// The name of a seat, labelled where it does not reason.
fn name(report: &Report, who: &Who) -> String {
    match report.seats.iter().find(|row| row.seat.who == *who) {
        Some(row) if row.seat.kind == SeatKind::Rehearsal => format!("{} (rehearsal)", row.seat.name),
        Some(row) => row.seat.name.clone(),
        None => who.to_string(),
    }
}

/// The word for a choice on a ballot.
fn ballot_word(report: &Report, choice: Choice) -> String {
    choice.ballot_word(report.question.options.len())
}

/// Whether asking such a seat may leave this machine.
fn reaches_out(kind: SeatKind) -> bool {
    match kind {
        SeatKind::Model | SeatKind::CommandLine => true,
        SeatKind::Person | SeatKind::Scripted | SeatKind::Rehearsal => false,
    }
}

/// What calls took, in words.
fn spent(report: &Report) -> String {
    let spent = &report.spent;
    if spent.calls == 0 && report.lost.calls == 0 {
        let waiting = report.decision.is_none() && report.seats.iter().any(|row| reaches_out(row.seat.kind));
        return if waiting { "nothing reported yet".into() } else { "nothing left this machine".into() };
    }
    let calls = counted(u64::from(spent.calls), "call");
    let mut line = format!("{calls}, {} tokens read, {} written", spent.tokens_in, spent.tokens_out);
    if spent.uncounted > 0 {
        line.push_str(&format!(" (not reported for {})", counted(spent.uncounted.into(), "call")));
    }
    match spent.unpriced {
        0 if spent.cost == Nano(0) => line.push_str(", free"),
        0 => line.push_str(&format!(", {}", spent.cost)),
        calls => {
            let calls = counted(u64::from(calls), "call");
            line.push_str(&format!(", {} and an unknown price for {calls}", spent.cost));
        }
    }
    if report.lost.calls > 0 {
        let calls = counted(u64::from(report.lost.calls), "interrupted call");
        let cost =
            if report.lost.cost == Nano(0) { String::new() } else { format!(", up to {}", report.lost.cost) };
        line.push_str(&format!("; {calls} may have cost more{cost}"));
    }
    line
}

/// What was not as it should be, a line each: missing, retried, mended.
fn gaps(report: &Report) -> Vec<String> {
    let missing = report.missing.iter().map(|row| {
        format!("{} gave no answer in {}: {} ({})", row.who, row.what, row.cause.detail, row.cause.code)
    });
    let retried = report.retried.iter().map(|row| {
        let codes: Vec<&str> = row.tries.iter().map(|attempt| attempt.cause.code.as_str()).collect();
        format!("{} in {} was tried again after {}", row.who, row.what, codes.join(", "))
    });
    let repaired = report.repaired.iter().map(|row| {
        let codes: Vec<&str> = row.repairs.iter().map(|repair| repair.code.as_str()).collect();
        format!("{}'s answer in {} had to be mended: {}", row.who, row.what, codes.join(", "))
    });
    missing.chain(retried).chain(repaired).collect()
}
