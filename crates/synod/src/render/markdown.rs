//! A matter as Markdown that pastes into a pull request. What participants wrote is quoted, line by line,
//! so that it cannot become headings, tables or links of ours.

use std::fmt::Write as _;

use synod_core::kernel::{Contribution, text};
use synod_core::view::{BallotReport, Report};

use super::{ballot_word, name, spent};

/// The whole matter.
pub(crate) fn matter(report: &Report) -> String {
    let mut out = String::new();
    let _ =
        writeln!(out, "# Matter {}: {}\n", report.matter, escape(&text::one_line(&report.question.topic)));
    let _ = writeln!(out, "**{}**\n", escape(&report.headline));
    for (i, option) in report.question.options.iter().enumerate() {
        let _ = writeln!(out, "- Option {}: {}", synod_core::kernel::Choice::letter(i as u8), escape(option));
    }
    let _ = writeln!(out, "\n| | |\n|---|---|");
    let _ = writeln!(out, "| status | {} |", report.status);
    let _ = writeln!(out, "| charter | {} `{}` |", escape(&report.charter.name), report.charter.digest);
    let _ = writeln!(out, "| opened | {} |\n| last act | {} |", report.opened, report.last);
    let _ = writeln!(out, "| cost | {} |", spent(report));
    seats(&mut out, report);
    report.ballots.iter().for_each(|ballot| held(&mut out, report, ballot));
    dissent(&mut out, report);
    gaps(&mut out, report);
    for round in &report.rounds {
        let _ = writeln!(out, "\n## Round {} ({})", round.round, escape(&round.stage));
        round.said.iter().for_each(|said| statement(&mut out, report, said));
    }
    out
}

fn seats(out: &mut String, report: &Report) {
    let _ = writeln!(out, "\n## Seats\n\n| seat | kind | mind | answered by | vote |\n|---|---|---|---|---|");
    for row in &report.seats {
        let vote = row.vote.map_or("none".into(), |vote| ballot_word(report, vote));
        let answered =
            if row.answered_by.is_empty() { "not reported".into() } else { row.answered_by.join(", ") };
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {vote} |",
            escape(&row.seat.name),
            row.seat.kind,
            escape(&row.seat.mind),
            escape(&answered)
        );
    }
}

fn held(out: &mut String, report: &Report, ballot: &BallotReport) {
    let _ = writeln!(out, "\n## Vote: {}\n", escape(&ballot.stage));
    let _ =
        writeln!(out, "Rule: {} of {}, quorum {}.", ballot.rule.pass, ballot.rule.basis, ballot.rule.quorum);
    if let Some(decision) = &ballot.decision {
        let margin = ballot.margin.map_or("none".into(), |margin| margin.to_string());
        let _ = writeln!(out, "Result: {}. Ballots that would have changed it: {margin}.\n", decision.word());
    }
    let _ = writeln!(out, "| basis | support | passes |\n|---|---|---|");
    for line in &ballot.bases {
        let passes: Vec<String> = line.passes.iter().map(|threshold| threshold.to_string()).collect();
        let _ = writeln!(
            out,
            "| {} | {}/{} | {} |",
            line.basis,
            line.part,
            line.whole,
            escape(&passes.join(", "))
        );
    }
    for vote in &ballot.votes {
        let _ = writeln!(
            out,
            "\n**{}** votes {}",
            escape(&name(report, &vote.who)),
            ballot_word(report, vote.choice)
        );
        quote(out, vote.reason.as_deref().unwrap_or("(no reason given)"));
    }
}

fn dissent(out: &mut String, report: &Report) {
    if report.dissent.is_empty() {
        return;
    }
    out.push_str("\n## Dissent\n");
    for row in &report.dissent {
        let _ =
            writeln!(out, "\n**{}** ({})", escape(&name(report, &row.who)), ballot_word(report, row.choice));
        quote(out, row.reason.as_deref().unwrap_or("(no reason given)"));
        if let Some(change) = &row.change_if {
            quote(out, &format!("Would change if: {change}"));
        }
    }
}

fn gaps(out: &mut String, report: &Report) {
    let lines = super::gaps(report);
    if !lines.is_empty() {
        out.push_str("\n## What was not as it should be\n\n");
        for line in lines {
            let _ = writeln!(out, "- {}", escape(&line));
        }
    }
}

fn statement(out: &mut String, report: &Report, said: &Contribution) {
    let stance =
        said.response.stance.map_or("no stance".into(), |stance| stance.word(report.question.options.len()));
    let sure = said.response.confidence.map_or("unknown".into(), |sure| sure.to_string());
    let _ = writeln!(out, "\n### {} ({stance}, confidence {sure})\n", escape(&name(report, &said.who)));
    for part in [&said.response.position, &said.response.reasoning].into_iter().flatten() {
        quote(out, part);
        out.push('\n');
    }
    for point in &said.response.key_points {
        let _ = writeln!(out, "> - {}", escape(&text::one_line(point)));
    }
    for (key, body) in &said.response.sections {
        let _ = writeln!(out, "\n*{}*\n", escape(&key.replace('_', " ")));
        quote(out, body);
    }
    for violation in &said.violations {
        let _ = writeln!(out, "\nMarked `{}`: {}", violation.code, escape(&violation.detail));
    }
}

fn quote(out: &mut String, text: &str) {
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let _ = writeln!(out, "> {}", escape(line));
    }
}

/// Text that stays text in Markdown.
fn escape(shown: &str) -> String {
    let mut out = String::with_capacity(shown.len() + 8);
    for c in shown.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '!' | '~' | '@') {
            out.push('\\');
        }
        out.push(if c.is_control() || text::turns(c) { ' ' } else { c });
    }
    out
}
