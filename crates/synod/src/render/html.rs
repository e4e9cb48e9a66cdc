//! A matter as one page that needs nothing else: no script, no request, works from a file and in the dark.

use std::fmt::Write as _;

use synod_core::kernel::{Choice, Contribution, text};
use synod_core::view::{BallotReport, Report};

use super::{ballot_word, name, spent};

const STYLE: &str = "
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { margin-top: 2.5rem; } h3 { margin-bottom: .25rem; }
.headline { border-left: .4rem solid; padding: .5rem 1rem; font-weight: 600; }
.passed { border-color: #2a7; } .failed { border-color: #b33; } .undecided, .contested, .running { border-color: #c80; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #8884; }
blockquote { margin: .25rem 0 .75rem; padding-left: 1rem; border-left: 2px solid #8888; white-space: pre-wrap; overflow-wrap: anywhere; }
.note { opacity: .75; font-size: .9rem; } code { overflow-wrap: anywhere; }
";

/// The whole matter.
pub(crate) fn matter(report: &Report) -> String {
    let mut out = String::new();
    let title = escape(&text::excerpt(&text::one_line(&report.question.topic), 200));
    let _ = write!(
        out,
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <title>Matter {}: {title}</title><style>{STYLE}</style></head><body>\n<main>\n",
        report.matter
    );
    let _ = writeln!(out, "<p class=\"note\">Matter {}</p><h1>{title}</h1>", report.matter);
    let _ = writeln!(out, "<p class=\"headline {}\">{}</p>", report.status, escape(&report.headline));
    if !report.question.options.is_empty() {
        out.push_str("<ul>");
        for (i, option) in report.question.options.iter().enumerate() {
            let _ = write!(out, "<li>{}: {}</li>", Choice::letter(i as u8), escape(option));
        }
        out.push_str("</ul>\n");
    }
    seats(&mut out, report);
    report.ballots.iter().for_each(|ballot| held(&mut out, report, ballot));
    dissent(&mut out, report);
    gaps(&mut out, report);
    for round in &report.rounds {
        let _ = writeln!(out, "<h2>Round {} ({})</h2>", round.round, escape(&round.stage));
        round.said.iter().for_each(|said| statement(&mut out, report, said));
    }
    let _ = writeln!(
        out,
        "<h2>Record</h2><p>Charter {} <code>{}</code>. Opened {}, last act {}. {}.</p>\n</main></body></html>",
        escape(&report.charter.name),
        report.charter.digest,
        report.opened,
        report.last,
        escape(&spent(report))
    );
    out
}

fn seats(out: &mut String, report: &Report) {
    out.push_str("<h2>Seats</h2><table><tr><th>seat</th><th>kind</th><th>mind</th><th>vote</th></tr>");
    for row in &report.seats {
        let vote = row.vote.map_or("none".into(), |vote| ballot_word(report, vote));
        let _ = write!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{vote}</td></tr>",
            escape(&row.seat.name),
            row.seat.kind,
            escape(&row.seat.mind)
        );
    }
    out.push_str("</table>\n");
}

fn held(out: &mut String, report: &Report, ballot: &BallotReport) {
    let result = ballot.decision.map_or("open", |decision| decision.word());
    let _ = writeln!(
        out,
        "<h2>Vote: {}</h2><p>{} of {}, quorum {}: <strong>{result}</strong></p>",
        escape(&ballot.stage),
        escape(&ballot.rule.pass.to_string()),
        ballot.rule.basis,
        ballot.rule.quorum
    );
    out.push_str("<table><tr><th>basis</th><th>support</th><th>passes</th></tr>");
    for line in &ballot.bases {
        let passes: Vec<String> = line.passes.iter().map(ToString::to_string).collect();
        let _ = write!(
            out,
            "<tr><td>{}</td><td>{}/{}</td><td>{}</td></tr>",
            line.basis,
            line.part,
            line.whole,
            escape(&passes.join(", "))
        );
    }
    out.push_str("</table>\n");
    for vote in &ballot.votes {
        let _ = writeln!(
            out,
            "<h3>{} votes {}</h3>",
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
    out.push_str("<h2>Dissent</h2>\n");
    for row in &report.dissent {
        let _ = writeln!(
            out,
            "<h3>{} ({})</h3>",
            escape(&name(report, &row.who)),
            ballot_word(report, row.choice)
        );
        quote(out, row.reason.as_deref().unwrap_or("(no reason given)"));
        if let Some(change) = &row.change_if {
            let _ = writeln!(out, "<p>Would change if:</p>");
            quote(out, change);
        }
    }
}

fn gaps(out: &mut String, report: &Report) {
    let lines = super::gaps(report);
    if !lines.is_empty() {
        out.push_str("<h2>What was not as it should be</h2><ul>");
        for line in lines {
            let _ = write!(out, "<li>{}</li>", escape(&line));
        }
        out.push_str("</ul>\n");
    }
}

fn statement(out: &mut String, report: &Report, said: &Contribution) {
    let stance =
        said.response.stance.map_or("no stance".into(), |stance| stance.word(report.question.options.len()));
    let sure = said.response.confidence.map_or("unknown".into(), |sure| sure.to_string());
    let _ = writeln!(out, "<h3>{} ({stance}, confidence {sure})</h3>", escape(&name(report, &said.who)));
    for part in [&said.response.position, &said.response.reasoning].into_iter().flatten() {
        quote(out, part);
    }
    if !said.response.key_points.is_empty() {
        out.push_str("<ul>");
        for point in &said.response.key_points {
            let _ = write!(out, "<li>{}</li>", escape(point));
        }
        out.push_str("</ul>\n");
    }
    for (key, body) in &said.response.sections {
        let _ = writeln!(out, "<p class=\"note\">{}</p>", escape(&key.replace('_', " ")));
        quote(out, body);
    }
    for violation in &said.violations {
        let _ =
            writeln!(out, "<p class=\"note\">Marked {}: {}</p>", violation.code, escape(&violation.detail));
    }
}

fn quote(out: &mut String, text: &str) {
    let _ = writeln!(out, "<blockquote>{}</blockquote>", escape(text.trim()));
}

/// Text that stays text in a page.
fn escape(shown: &str) -> String {
    let mut out = String::with_capacity(shown.len() + 8);
    for c in shown.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || text::turns(c) => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
