//! A matter as an Architecture Decision Record: the form that lies beside the code in many repositories.

use synod_core::kernel::text::one_line;
use synod_core::view::Report;

use super::markdown::line;
use super::{ballots, spent, words};

/// The record.
pub(crate) fn matter(report: &Report) -> String {
    let mut out = format!("# {}. {}\n\n", report.number, line(&report.question.topic));
    let date = report.last.to_string();
    let date = date.get(..10).unwrap_or_default();
    out.push_str(&format!("Date: {}\n\n## Status\n\n{}\n", line(date), line(&status(report))));
    section(&mut out, "Context", context(report));
    let mut decision = vec![line(&report.headline)];
    decision.extend(report.why().iter().map(|row| {
        let reason = row.reason.map_or("(no reason given)".into(), one_line);
        format!("- **{}**: {}", line(&words::name(report, row.who)), line(&reason))
    }));
    decision.extend(super::kinds::numbers(report).iter().map(|row| format!("- {}", line(row))));
    section(&mut out, "Decision", decision);
    section(&mut out, "Consequences and conditions", consequences(report));
    section(&mut out, "Dissent", dissent(report));
    let missing: Vec<String> = report.missing.iter().map(|row| words::missing(report, row)).collect();
    let missing = if missing.is_empty() { "nobody".into() } else { missing.join("; ") };
    let record = [
        format!("Matter {} ({}) of a Synod house", report.number, report.matter),
        format!("Charter: {} ({})", report.charter.name, report.charter.digest),
        format!("Missing: {missing}"),
        format!("Cost: {}", spent(report)),
    ];
    section(&mut out, "Record", record.iter().map(|text| format!("- {}", line(text))).collect());
    out
}

/// A heading and its lines, unless there are none.
fn section(out: &mut String, title: &str, lines: Vec<String>) {
    if !lines.is_empty() {
        out.push_str(&format!("\n## {title}\n\n{}\n", lines.join("\n")));
    }
}

/// The word that records of this kind use. What degrades a result stands beside it.
fn status(report: &Report) -> String {
    let word = match report.status {
        "passed" => "Accepted",
        "resolved" => "Accepted",
        "closed" if report.issue.as_ref().is_some_and(|issue| issue.into.is_some()) => {
            "Went into another issue"
        }
        "closed" => "Closed without a resolution",
        "rejected" => "Rejected",
        "estimated" => "Estimated",
        "undecided" => "Undecided",
        "contested" => "Contested",
        _ => "Proposed",
    };
    let mark = report.issue.as_ref().and_then(|issue| issue.mark());
    let word = mark.map_or(word.to_string(), |mark| format!("{word}, marked as {mark}"));
    match report.caveats.as_slice() {
        [] => format!("{word}. Advice: {}, {}", report.advice.action.word(), report.advice.why),
        some => format!("{word}, degraded: {}. Advice: {}", some.join("; "), report.advice.action.word()),
    }
}

fn context(report: &Report) -> Vec<String> {
    let seats: Vec<String> = report.asked().map(|row| words::name(report, &row.seat.who)).collect();
    let charter = line(&report.charter.name);
    let mut lines = vec![match report.is_issue() {
        true => format!("An issue under the charter {charter}; nobody votes on issues."),
        false => {
            let counted = synod_core::kernel::text::counted(seats.len() as u64, "seat");
            format!("{counted} decided under the charter {charter}: {}.", line(&seats.join(", ")))
        }
    }];
    if let Some(issue) = report.issue.as_ref().filter(|issue| !issue.body.is_empty()) {
        lines.push(format!("- It says: {}", line(&one_line(&issue.body))));
    }
    lines.extend(words::issue(report).iter().map(|row| format!("- {}", line(row))));
    let cited = report.citations.iter().filter(|_| report.is_issue());
    lines.extend(cited.map(|row| format!("- Cited: {}", line(&words::cited(report, row)))));
    let options = report.question.options.iter().enumerate().filter(|_| report.answers.is_empty());
    lines.extend(options.map(|(at, text)| {
        format!("- Option {}: {}", synod_core::kernel::Choice::letter(at as u8), line(text))
    }));
    lines.extend(super::kinds::answers(report).iter().map(|row| format!("- {}", line(row))));
    lines.extend(report.material.iter().map(|piece| format!("- Material: {}", line(&piece.name))));
    lines
}

fn consequences(report: &Report) -> Vec<String> {
    let conditions =
        words::conditions(report).into_iter().map(|text| format!("- Condition: {}", line(&text)));
    let checks = words::checks(report, false).into_iter().map(|text| format!("- To check: {}", line(&text)));
    let next = report.syntheses.iter().flat_map(|(who, synthesis)| {
        let who = words::name(report, who);
        synthesis.next_steps.iter().map(move |step| {
            format!("- Suggested by {} in the summary, not decided: {}", line(&who), line(step))
        })
    });
    let required =
        words::requirements(report).into_iter().map(|text| format!("- Requirement: {}", line(&text)));
    conditions.chain(required).chain(checks).chain(next).collect()
}

fn dissent(report: &Report) -> Vec<String> {
    let hidden = report.deciding().is_some_and(|ballot| ballot.hidden);
    if report.dissent.is_empty() {
        let unseen =
            report.deciding().filter(|_| hidden).map(|ballot| format!("{}.", ballots::unseen(ballot)));
        let none = unseen.map_or("None.".into(), |why| why.replacen("not", "Not", 1));
        return if report.decision.is_some() { vec![none] } else { Vec::new() };
    }
    let mut lines = Vec::new();
    for row in &report.dissent {
        let who = format!("{} ({})", words::name(report, &row.who), ballots::against(report, row));
        let reason = row.reason.as_deref().map_or("(no reason given)".into(), one_line);
        lines.push(format!("- **{}**: {}", line(&who), line(&reason)));
        lines.extend(row.change_if.as_deref().map(|change| format!("  - would change if: {}", line(change))));
        lines.extend(row.conditions.iter().map(|text| format!("  - condition: {}", line(text))));
        lines.extend(row.changes.iter().map(|text| format!("  - requested change: {}", line(text))));
    }
    lines
}
