//! Showing a matter: at the terminal, as Markdown, as HTML. One file per format. Sentences that all formats share are
//! in `words`; `page` is the structure that Markdown and HTML share. Nothing here decides anything.

pub(crate) mod adr;
mod ballots;
pub(crate) mod compare;
pub(crate) mod health;
pub(crate) mod html;
mod kinds;
pub(crate) mod markdown;
pub(crate) mod motion;
mod page;
mod records;
pub(crate) mod reflection;
pub(crate) mod ring;
pub(crate) mod steer;
pub(crate) mod text;
mod waits;
mod words;

use synod_core::kernel::text::counted;
use synod_core::kernel::{Nano, SeatKind};
use synod_core::view::{RepairEffect, Report};

pub(crate) use waits::{answer_with, halted, waits};

/// Whether asking such a seat may send data off this machine.
fn reaches_out(kind: SeatKind) -> bool {
    match kind {
        SeatKind::Model | SeatKind::CommandLine => true,
        SeatKind::Person | SeatKind::Scripted | SeatKind::Rehearsal | SeatKind::Outside => false,
    }
}

/// What the calls used, in words.
fn spent(report: &Report) -> String {
    let spent = &report.spent;
    if spent.calls == 0 && report.lost.calls == 0 {
        // Where an agent runs and what it calls is its own business.
        if report.seats.iter().any(|row| row.seat.kind == SeatKind::Outside) {
            return "no calls by Synod; what the agents used is not known here".into();
        }
        let waiting = report.decision.is_none() && report.seats.iter().any(|row| reaches_out(row.seat.kind));
        return if waiting { "nothing reported yet".into() } else { "nothing left this machine".into() };
    }
    let calls = counted(u64::from(spent.calls), "call");
    let mut line = match spent.uncounted {
        unknown if unknown > 0 && unknown == spent.calls => format!("{calls}, tokens not reported"),
        0 => format!("{calls}, {} tokens read, {} written", spent.tokens_in, spent.tokens_out),
        some => format!(
            "{calls}, {} tokens read, {} written (not reported for {})",
            spent.tokens_in,
            spent.tokens_out,
            counted(some.into(), "call")
        ),
    };
    match spent.unpriced {
        unknown if unknown > 0 && unknown == spent.calls => line.push_str(", price not known"),
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
    // The receipt is made when the matter is decided, so it counts less.
    if !report.syntheses.is_empty() {
        line.push_str("; the summary included");
    }
    line
}

/// The problems, a line each: missing answers, retries, repairs.
fn gaps(report: &Report) -> Vec<String> {
    let missing = report.missing.iter().chain(&report.unserved).map(|row| {
        let who = words::name(report, &row.who);
        format!("{who} gave no answer in {}: {} ({})", row.what, row.cause.detail, row.cause.code)
    });
    let retried = report.retried.iter().map(|row| {
        let codes: Vec<&str> = row.tries.iter().map(|attempt| attempt.cause.code.as_str()).collect();
        let who = words::name(report, &row.who);
        format!("{who} in {} was retried after {}", row.what, codes.join(", "))
    });
    let of = |effect, what: &str| {
        let lines = words::repairs(report, effect);
        lines.into_iter().map(|line| format!("{what}: {line}")).collect::<Vec<_>>()
    };
    let repaired = [
        of(RepairEffect::Incomplete, "incomplete answer"),
        of(RepairEffect::Changed, "repaired answer"),
        of(RepairEffect::Unread, "answer that could not be read"),
        of(RepairEffect::Format, "odd format"),
    ];
    missing.chain(retried).chain(repaired.concat()).collect()
}
