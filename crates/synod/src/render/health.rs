//! The report on the workshop as text and as one page that needs nothing besides itself.

use std::fmt::Write as _;

use synod_core::kernel::At;
use synod_core::kernel::text::counted;

use super::html::escape;
use crate::wire::{AgentActivity, CanonConcerns, IssueConcern, ReportView, TopicActivity};

/// The report as text.
pub(crate) fn text(report: &ReportView) -> String {
    let mut out = String::new();
    let counts = &report.issues;
    let _ = writeln!(
        out,
        "Issues: {} open, {} frozen, {} resolved, {} closed{}",
        counts.open,
        counts.frozen,
        counts.resolved,
        counts.closed,
        own(counts.own)
    );
    let issues = |out: &mut String, heading: &str, issues: &[IssueConcern]| {
        if !issues.is_empty() {
            let _ = writeln!(out, "\n{heading}");
            for issue in issues {
                let _ = writeln!(out, "  #{} {} · {}", issue.number, issue.title, issue.why);
            }
        }
    };
    issues(&mut out, "Frozen", &report.frozen);
    issues(&mut out, "Stuck", &report.stuck);
    standings(&mut out, report);
    let canon = canon_lines(&report.canon);
    if !canon.is_empty() {
        let _ = writeln!(out, "\nCanon\n  {}", canon.join("\n  "));
    }
    out.push_str("\nNext\n");
    if report.recommendations.is_empty() {
        out.push_str("  nothing needs you\n");
    }
    for one in &report.recommendations {
        let _ = writeln!(out, "  {}\n    {}", one.why, one.command);
    }
    out
}

/// What the house itself opened and nobody has seen to, apart from the issues of others.
fn own(count: u32) -> String {
    match count {
        0 => String::new(),
        count => format!("; {count} more that the house itself opened"),
    }
}

/// How agents and topics are doing, as text.
fn standings(out: &mut String, report: &ReportView) {
    if !report.agents.is_empty() {
        out.push_str("\nAgents\n");
        for agent in &report.agents {
            let _ = writeln!(
                out,
                "  {}{}: {}, tier {}, trust {}, {}{} · {}, {} with evidence ({}%), {} refused ({}%), froze {}, opened {}, applied {}, irrelevant {}",
                agent.who,
                if agent.rehearsal { " (rehearsal)" } else { "" },
                credits(agent.credits),
                agent.tier,
                agent.trust,
                agent.level,
                freedom(agent),
                counted(agent.comments.into(), "comment"),
                agent.with_evidence,
                agent.evidence_percent,
                agent.refused,
                agent.refused_percent,
                agent.froze,
                agent.opened,
                agent.applied,
                agent.irrelevant
            );
        }
    }
    topics(out, report);
}

/// How topics are doing, as text.
fn topics(out: &mut String, report: &ReportView) {
    if !report.topics.is_empty() {
        out.push_str("\nTopics\n");
        for topic in &report.topics {
            let circled = if topic.circled { " · circled" } else { "" };
            let frozen = topic.frozen.as_ref().map(|why| format!(" · frozen: {why}")).unwrap_or_default();
            let _ = writeln!(
                out,
                "  {}: {}, {} accesses, {} applied{circled}{frozen}",
                topic.tag,
                counted(topic.issues.into(), "issue"),
                topic.accesses,
                topic.applied
            );
        }
    }
}

/// `, limited`, where somebody did.
fn freedom(agent: &AgentActivity) -> String {
    agent.freedom.as_ref().map(|word| format!(", {word}")).unwrap_or_default()
}

fn credits(amount: i64) -> String {
    if amount == 1 { "1 credit".into() } else { format!("{amount} credits") }
}

/// How canon is doing, a line each. Nothing where nothing is canon and nothing wants to be.
fn canon_lines(canon: &CanonConcerns) -> Vec<String> {
    let mut lines = Vec::new();
    if canon.entries > 0 {
        let hold = if canon.entries == 1 {
            "1 entry holds".into()
        } else {
            format!("{} entries hold", canon.entries)
        };
        lines.push(hold);
    }
    lines.extend(canon.expired.iter().map(|name| format!("canon:{name} has expired")));
    lines.extend(canon.conflicts.iter().map(|conflict| {
        format!("#{}: {} contradicts {}, not decided", conflict.number, conflict.who, conflict.entry)
    }));
    lines.extend(canon.agreed.iter().map(|number| format!("#{number} is agreed and not canon yet")));
    if canon.proposals > 0 {
        lines.push(format!("{} of claims not decided", counted(canon.proposals.into(), "proposal")));
    }
    lines
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:46rem;padding:1rem;color:#1a1a1a;background:#fff}\
h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}svg{width:100%;max-width:27rem;height:auto;display:block}\
.wide{overflow-x:auto}table{border-collapse:collapse;font-size:.9rem}th,td{text-align:left;padding:.2rem .6rem .2rem 0}\
code{background:#f2f2f2;padding:.1rem .3rem;overflow-wrap:anywhere}li{margin:.4rem 0;overflow-wrap:anywhere}\
@media(prefers-color-scheme:dark){body{color:#eee;background:#161616}code{background:#2a2a2a}svg text{fill:#eee}}\
@media print{body{max-width:none;color:#000;background:#fff}svg text{fill:#000}}";

/// What a report is about.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ReportedHouse<'a> {
    /// When it was made.
    pub(crate) at: At,
    /// The folder that the house lies in: what people call the project.
    pub(crate) house: Option<&'a str>,
    /// The period it counts from; all time if there is none.
    pub(crate) period: Option<&'a str>,
}

/// The report as a page.
pub(crate) fn html(report: &ReportView, of: &ReportedHouse<'_>) -> String {
    let house = of.house.map(|name| format!(": {}", escape(name))).unwrap_or_default();
    let since =
        of.period.map_or("all time".to_string(), |name| format!("since the period {} began", escape(name)));
    let mut body = format!("<h1>Workshop health{house}</h1><p>{} · {since}</p>", escape(&of.at.to_string()));
    let counts = &report.issues;
    let bars = [
        ("open", counts.open, "#2f6fb0"),
        ("frozen", counts.frozen, "#b03a2f"),
        ("resolved", counts.resolved, "#2f8f4e"),
        ("closed", counts.closed, "#777777"),
        ("of these, stuck", report.stuck.len() as u32, "#b0802f"),
    ];
    body.push_str("<h2>Issues</h2>");
    body.push_str(&chart(&bars.map(|(label, count, colour)| (label.to_string(), count.into(), colour))));
    if counts.own > 0 {
        let _ =
            write!(body, "<p>And {} that the house itself opened.</p>", counted(counts.own.into(), "issue"));
    }
    list(&mut body, "Frozen", report.frozen.iter().map(issue_line));
    list(&mut body, "Stuck", report.stuck.iter().map(issue_line));
    charts(&mut body, report);
    list(&mut body, "Canon", canon_lines(&report.canon).iter().map(|line| escape(line)));
    let next = report.recommendations.iter();
    list(
        &mut body,
        "Next",
        next.map(|one| format!("{}<br><code>{}</code>", escape(&one.why), escape(&one.command))),
    );
    if report.recommendations.is_empty() {
        body.push_str("<h2>Next</h2><p>Nothing needs you.</p>");
    }
    format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>Workshop health</title><style>{STYLE}</style></head><body>{body}</body></html>\n"
    )
}

/// How agents and topics are doing, as bars.
fn charts(body: &mut String, report: &ReportView) {
    if !report.agents.is_empty() {
        body.push_str(
            "<h2>Agents</h2><div class=\"wide\"><table><tr><th>agent</th><th>comments</th><th>with evidence</th>\
             <th>refused</th><th>froze</th><th>credits</th><th>tier</th><th>trust</th><th>level</th></tr>",
        );
        report.agents.iter().for_each(|agent| body.push_str(&agent_row(agent)));
        body.push_str("</table></div><h2>Credits</h2>");
        let row = |agent: &AgentActivity| {
            let colour = if agent.credits < 0 { "#b03a2f" } else { "#2f8f4e" };
            (agent.who.to_string(), agent.credits, colour)
        };
        body.push_str(&chart(&report.agents.iter().map(row).collect::<Vec<_>>()));
    }
    if !report.topics.is_empty() {
        body.push_str("<h2>Topics: accesses (red: circled)</h2>");
        let row = |topic: &TopicActivity| {
            let circled = if topic.circled { " (circled)" } else { "" };
            let frozen = if topic.frozen.is_some() { " (frozen)" } else { "" };
            let label = format!("{}{circled}{frozen}", topic.tag);
            (label, topic.accesses.into(), if topic.circled { "#b03a2f" } else { "#2f6fb0" })
        };
        body.push_str(&chart(&report.topics.iter().map(row).collect::<Vec<_>>()));
    }
}

/// One agent in the table. A share without its counts says nothing.
fn agent_row(agent: &AgentActivity) -> String {
    let who = escape(agent.who.as_str());
    let rehearsal = if agent.rehearsal { " (rehearsal)" } else { "" };
    let share = |part: u32, whole: u32, percent: u32| match whole {
        0 => "0".to_string(),
        whole => format!("{part} of {whole} ({percent} %)"),
    };
    let tried = agent.comments.saturating_add(agent.refused);
    format!(
        "<tr><td>{who}{rehearsal}{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
        escape(&freedom(agent)),
        agent.comments,
        share(agent.with_evidence, agent.comments, agent.evidence_percent),
        share(agent.refused, tried, agent.refused_percent),
        agent.froze,
        agent.credits,
        escape(&agent.tier),
        escape(&agent.trust),
        escape(&agent.level)
    )
}

fn issue_line(issue: &IssueConcern) -> String {
    format!("#{} {} · {}", issue.number, escape(&issue.title), escape(&issue.why))
}

fn list(body: &mut String, heading: &str, items: impl Iterator<Item = String>) {
    let items: String = items.map(|item| format!("<li>{item}</li>")).collect();
    if !items.is_empty() {
        let _ = write!(body, "<h2>{heading}</h2><ul>{items}</ul>");
    }
}

/// Bars with their labels above them, so that a narrow screen holds them. Where something is below zero, zero is in the middle.
fn chart(rows: &[(String, i64, &str)]) -> String {
    const WIDTH: u64 = 360;
    let most = rows.iter().map(|(_, count, _)| count.unsigned_abs()).max().unwrap_or(0).max(1);
    let signed = rows.iter().any(|(_, count, _)| *count < 0);
    let room = if signed { WIDTH / 2 } else { WIDTH };
    let zero = WIDTH - room;
    let height = rows.len() * 40;
    let mut svg =
        format!("<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" xmlns=\"http://www.w3.org/2000/svg\">");
    for (place, (label, count, colour)) in rows.iter().enumerate() {
        let (text_y, bar_y) = (place * 40 + 14, place * 40 + 19);
        // Room times the count may pass the largest number; a bar needs no more than the nearest of its 360 steps.
        let width = (u128::from(count.unsigned_abs()) * u128::from(room) / u128::from(most)) as u64;
        let x = if *count < 0 { zero - width } else { zero };
        let _ = write!(
            svg,
            "<text x=\"0\" y=\"{text_y}\" font-size=\"13\">{}: {count}</text>\
             <rect x=\"{x}\" y=\"{bar_y}\" width=\"{width}\" height=\"14\" fill=\"{colour}\"/>",
            escape(label)
        );
    }
    svg.push_str("</svg>");
    svg
}
