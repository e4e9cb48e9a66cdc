//! A decision that a person at the terminal reads in ten seconds.

use std::fmt::Write as _;

use synod_core::kernel::{Choice, Who, text};
use synod_core::view::{BallotReport, Report};

use super::{ballot_word, name, spent};
use crate::out::clean;

/// The decision, where its record is, and the command that checks it.
pub(crate) fn decision(report: &Report, receipt: &str, check: &str) -> String {
    let mut out = summary(report);
    let _ = writeln!(out, "\nRecord   matter {}, receipt {receipt}", report.matter);
    let _ = writeln!(out, "         check it: {check}");
    out
}

/// Everything but the record.
pub(crate) fn summary(report: &Report) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "\n{}\n", report.headline);
    let _ = writeln!(out, "Question {}", text::excerpt(&text::one_line(&report.question.topic), 300));
    if let Some(ballot) = report.deciding() {
        votes(&mut out, report, ballot);
        support(&mut out, ballot);
    }
    dissent(&mut out, report);
    missing(&mut out, report);
    let _ = writeln!(out, "Cost     {}", spent(report));
    let seats: Vec<String> =
        report.seats.iter().map(|row| format!("{} = {}", row.seat.name, row.seat.mind)).collect();
    let _ = writeln!(out, "Seats    {}", seats.join(", "));
    let _ = writeln!(out, "Charter  {} ({})", report.charter.name, report.charter.digest.short());
    clean(&out)
}

fn votes(out: &mut String, report: &Report, ballot: &BallotReport) {
    let Some(tally) = &ballot.tally else { return };
    let mut title = "Votes   ";
    for choice in tally.choices() {
        // Votes come in as they come; people read them in seat order.
        let chose = |who: &Who| ballot.votes.iter().any(|vote| vote.who == *who && vote.choice == choice);
        let voters = report.seats.iter().map(|row| &row.seat.who).filter(|who| chose(who));
        let voters: Vec<String> = voters.map(|who| name(report, who)).collect();
        if voters.is_empty() && choice == Choice::Neutral {
            continue;
        }
        let option = match choice {
            Choice::Option(index) => format!(" {}", report.option(index)),
            Choice::Yes | Choice::No | Choice::Neutral => String::new(),
        };
        let line = format!(
            "{title} {} {}{option}  {}",
            voters.len(),
            ballot_word(report, choice),
            voters.join(", ")
        );
        let _ = writeln!(out, "{}", line.trim_end());
        title = "        ";
    }
    if !ballot.unparsed.is_empty() {
        let voters: Vec<String> = ballot.unparsed.iter().map(|who| name(report, who)).collect();
        let _ = writeln!(out, "{title} {} unreadable  {}", voters.len(), voters.join(", "));
    }
}

fn support(out: &mut String, ballot: &BallotReport) {
    let shares: Vec<String> =
        ballot.bases.iter().map(|line| format!("{}/{} {}", line.part, line.whole, line.basis)).collect();
    let rule = ballot.bases.iter().find(|line| line.basis == ballot.rule.basis);
    let passes = rule
        .map(|line| line.passes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
        .unwrap_or_default();
    let passes = if passes.is_empty() { "no threshold".into() } else { passes };
    let _ = writeln!(out, "Support  {}; of {} it passes {passes}", shares.join(", "), ballot.rule.basis);
    match ballot.margin {
        Some(1) => drop(writeln!(out, "Margin   1 ballot would have changed it")),
        Some(margin) => drop(writeln!(out, "Margin   {margin} ballots would have changed it")),
        None => drop(writeln!(out, "Margin   no other votes of those who voted would have changed it")),
    }
}

fn dissent(out: &mut String, report: &Report) {
    let mut title = "Dissent ";
    for row in &report.dissent {
        let reason = row.reason.as_deref().map_or("(no reason given)".into(), text::one_line);
        let _ =
            writeln!(out, "{title} {} {}: {reason}", name(report, &row.who), ballot_word(report, row.choice));
        if let Some(change) = &row.change_if {
            let _ = writeln!(out, "         would change if: {}", text::one_line(change));
        }
        title = "        ";
    }
    if report.dissent.is_empty() && report.decision.is_some() && report.deciding().is_some() {
        let _ = writeln!(out, "Dissent  none");
    }
}

fn missing(out: &mut String, report: &Report) {
    let mut title = "Missing ";
    for row in &report.missing {
        let _ = writeln!(
            out,
            "{title} {} in {}: {} ({})",
            name(report, &row.who),
            row.what,
            row.cause.detail,
            row.cause.code
        );
        title = "        ";
    }
    let mut title = "Retried ";
    for row in &report.retried {
        let codes: Vec<&str> = row.tries.iter().map(|attempt| attempt.cause.code.as_str()).collect();
        let _ = writeln!(
            out,
            "{title} {} in {}: {} failed first ({})",
            name(report, &row.who),
            row.what,
            tries(codes.len()),
            codes.join(", ")
        );
        title = "        ";
    }
    let mut title = "Mended  ";
    for row in &report.repaired {
        let codes: Vec<&str> = row.repairs.iter().map(|repair| repair.code.as_str()).collect();
        let _ = writeln!(out, "{title} {} in {}: {}", name(report, &row.who), row.what, codes.join(", "));
        title = "        ";
    }
}

fn tries(count: usize) -> String {
    if count == 1 { "1 try".into() } else { format!("{count} tries") }
}
