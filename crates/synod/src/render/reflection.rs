//! What a period taught, as text.

use std::fmt::Write as _;

use synod_core::kernel::text::counted;

use crate::wire::PeriodView;

/// The whole of it.
pub(crate) fn text(period: &PeriodView) -> String {
    let when = period.closed.map_or("open".to_string(), |at| format!("ended {at}"));
    let mut out = format!("{}: began {}, {when}\n", period.name, period.opened);
    let Some(report) = &period.reflection else { return out };
    let _ = writeln!(
        out,
        "{} opened, {} resolved, {} closed, {} applied · {}, {} refused",
        counted(report.opened.into(), "issue"),
        report.resolved,
        report.closed,
        report.applied,
        counted(report.comments.into(), "comment"),
        report.refused
    );
    listed(&mut out, "What went right", &report.right);
    listed(&mut out, "What went wrong", &report.wrong);
    let agents: Vec<String> = report
        .agents
        .iter()
        .map(|agent| {
            format!(
                "{}: {:+} credits · {}, {} refused · {} held, {} did not · resolved {}, applied {}",
                agent.who,
                agent.credits,
                counted(agent.comments.into(), "comment"),
                agent.refused,
                counted(agent.verified.into(), "citation"),
                agent.false_citations,
                agent.resolved,
                agent.applied
            )
        })
        .collect();
    listed(&mut out, "Agents", &agents);
    let credits: Vec<String> = report
        .credits
        .iter()
        .map(|row| {
            let (with, without) = (row.with_results, row.without_results);
            format!("{} (×{}): {with:+} to agents with results, {without:+} to others", row.reason, row.times)
        })
        .collect();
    listed(&mut out, "Credits", &credits);
    out
}

fn listed(out: &mut String, heading: &str, lines: &[String]) {
    if !lines.is_empty() {
        let _ = writeln!(out, "\n{heading}\n  {}", lines.join("\n  "));
    }
}
