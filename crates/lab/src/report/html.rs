//! The page: tables and plots in one file, no scripts, nothing loaded from elsewhere.

use std::fmt::Write as _;

use super::{percent, rule_rows};
use crate::rules::{ComparisonPlan, CurvePoint, SetReport};

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}\
table{border-collapse:collapse;margin:1rem 0}td,th{padding:.2rem .8rem;text-align:right;border-bottom:1px solid #ddd}\
td:first-child,th:first-child{text-align:left}svg{display:block;margin:1rem 0;max-width:100%}svg text{font:12px system-ui,sans-serif;fill:#333}\
@media(prefers-color-scheme:dark){body{color:#ddd;background:#181818}td,th{border-color:#444}svg text{fill:#ccc}}";

/// Text that cannot be read as markup.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The beginning of a page.
pub(super) fn head(title: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <title>{0}</title><style>{STYLE}</style>\n<h1>{0}</h1>\n",
        escaped(title)
    )
}

/// The whole comparison as one page.
pub fn page(title: &str, sets: &[SetReport], trial: ComparisonPlan) -> String {
    let mut html = head(title);
    let _ = writeln!(
        html,
        "<p>Recorded answers, judged again under each rule. Intervals hold with 95 % confidence. Rules that learn decide each of {} parts by what the \
         others teach; seed {}.</p>",
        trial.parts, trial.seed
    );
    for set in sets {
        let _ = writeln!(html, "<h2>{}</h2>", escaped(&set.dataset));
        let voters = set.effective_voters.map(|it| format!(", {it:.1} effective voters")).unwrap_or_default();
        let _ = writeln!(html, "<p>{} items, {} agents{voters}</p>", set.items, set.agents.len());
        html.push_str(&rows(&rule_rows(set)));
        html.push_str(&whiskers(set));
        if !set.curve.is_empty() {
            html.push_str(&curve(&set.curve));
        }
        for flip in &set.flips {
            let _ = writeln!(
                html,
                "<p>Round {} to {}: {} of {} answers went from right to wrong, {} from wrong to right.</p>",
                flip.from, flip.to, flip.lost, flip.answers, flip.gained
            );
        }
    }
    html.push_str("</html>\n");
    html
}

/// A table of a page.
pub(super) fn rows(rows: &[Vec<String>]) -> String {
    let mut html = String::from("<table>");
    for (at, row) in rows.iter().enumerate() {
        let tag = if at == 0 { "th" } else { "td" };
        let cells: Vec<String> = row.iter().map(|cell| format!("<{tag}>{}</{tag}>", escaped(cell))).collect();
        let _ = writeln!(html, "<tr>{}</tr>", cells.concat());
    }
    html.push_str("</table>\n");
    html
}

/// How often each rule was right, with its interval.
fn whiskers(set: &SetReport) -> String {
    let low = set.rules.iter().map(|rule| rule.right.low).fold(1.0, f64::min);
    let high = set.rules.iter().map(|rule| rule.right.high).fold(0.0, f64::max);
    let (from, to) = (200.0, 620.0);
    let place = |share: f64| from + (share - low) / (high - low).max(1e-9) * (to - from);
    let tall = set.rules.len() * 22 + 30;
    let mut svg = format!(
        "<svg viewBox=\"0 0 720 {tall}\" width=\"720\" height=\"{tall}\" role=\"img\" aria-label=\"How often each rule was right\">"
    );
    for (at, rule) in set.rules.iter().enumerate() {
        let y = at * 22 + 14;
        let _ = write!(
            svg,
            "<text x=\"190\" y=\"{}\" text-anchor=\"end\">{}</text><line x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y}\" y2=\"{y}\" stroke=\"#4a7\" stroke-width=\"3\"/>\
             <circle cx=\"{:.1}\" cy=\"{y}\" r=\"4\" fill=\"#174\"/><text x=\"640\" y=\"{}\">{} %</text>",
            y + 4,
            escaped(&rule.name),
            place(rule.right.low),
            place(rule.right.high),
            place(rule.right.mean),
            y + 4,
            percent(rule.right.mean)
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{from}\" y=\"{0}\">{1} %</text><text x=\"{to}\" y=\"{0}\" text-anchor=\"end\">{2} %</text></svg>",
        tall - 6,
        percent(low),
        percent(high)
    );
    svg
}

/// How the rules do by what is known.
fn curve(points: &[CurvePoint]) -> String {
    type Line = (&'static str, &'static str, fn(&CurvePoint) -> f64);
    const LINES: [Line; 3] = [
        ("reliability", "#174", |point| point.reliability),
        ("best agent", "#a52", |point| point.best),
        ("plurality", "#57a", |point| point.plurality),
    ];
    let all = || LINES.iter().flat_map(|(_, _, of)| points.iter().map(of));
    let (low, high) = (all().fold(1.0, f64::min), all().fold(0.0, f64::max));
    let x = |at: usize| 60.0 + at as f64 * 200.0;
    let y = |share: f64| 130.0 - (share - low) / (high - low).max(1e-9) * 110.0;
    let mut svg = String::from(
        "<svg viewBox=\"0 0 720 170\" width=\"720\" height=\"170\" role=\"img\" aria-label=\"Learning curve\">",
    );
    for (nth, (name, colour, of)) in LINES.iter().enumerate() {
        let path: Vec<String> = points
            .iter()
            .enumerate()
            .map(|(at, point)| format!("{:.1},{:.1}", x(at), y(of(point))))
            .collect();
        let _ = write!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/><text x=\"560\" y=\"{}\" style=\"fill:{colour}\">{name}</text>",
            path.join(" "),
            30 + nth * 18
        );
    }
    for (at, point) in points.iter().enumerate() {
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"160\" text-anchor=\"middle\">{} outcomes</text>",
            x(at),
            point.outcomes
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"4\" y=\"24\">{} %</text><text x=\"4\" y=\"134\">{} %</text></svg>",
        percent(high),
        percent(low)
    );
    svg
}
