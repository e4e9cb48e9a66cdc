//! Reports: a table for the terminal, CSV, and one HTML page that holds all it needs.

mod doc;
mod html;
mod plot;

use std::fmt::Write as _;

pub use doc::{FigureKind, LabReport, ReportTable};
pub use html::page;
pub use plot::Plot;

use crate::rules::{ComparisonPlan, Contestant, SetReport};
use crate::stats::Interval;

/// A share as a percentage with one decimal.
pub fn percent(share: f64) -> String {
    format!("{:.1}", share * 100.0)
}

/// A difference of shares in points.
pub fn points(difference: f64) -> String {
    format!("{:+.1}", difference * 100.0)
}

/// A figure and its interval, each written the same way.
pub fn interval(estimate: &Interval, of: fn(f64) -> String) -> String {
    format!("{} [{} to {}]", of(estimate.mean), of(estimate.low), of(estimate.high))
}

/// Columns of text, each as wide as it has to be; the first to the left, the others to the right.
pub fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (at, cell) in row.iter().enumerate() {
            let wide = widths[at];
            let _ = if at == 0 { write!(line, "{cell:wide$}") } else { write!(line, "  {cell:>wide$}") };
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn row(cells: &[&str]) -> Vec<String> {
    cells.iter().map(ToString::to_string).collect()
}

/// The rows of the comparison of one set: rule, right, ahead of plurality, undecided, calls, and cost where prices are known.
pub fn rule_rows(set: &SetReport) -> Vec<Vec<String>> {
    let mut rows = vec![row(&["rule", "right %", "ahead of plurality", "no answer %", "calls"])];
    if set.rules.iter().any(|rule| rule.cost.is_some()) {
        rows[0].push("cost".into());
    }
    rows.extend(set.rules.iter().map(|rule| {
        let mut cells = vec![
            rule.name.clone(),
            interval(&rule.right, percent),
            // It is what the others are compared with.
            if rule.rule == Contestant::Plurality { "-".into() } else { interval(&rule.ahead, points) },
            percent(rule.undecided),
            format!("{:.2}", rule.calls),
        ];
        cells.extend(rule.cost.map(|cost| format!("{cost:.4}")));
        cells
    }));
    rows
}

/// The learning curve in columns; nothing where there is none.
fn curve(set: &SetReport) -> String {
    if set.curve.is_empty() {
        return String::new();
    }
    let mut rows = vec![row(&[
        "outcomes known",
        "reliability %",
        "best agent %",
        "plurality %",
        "ahead of the better",
        "standard error",
    ])];
    rows.extend(set.curve.iter().map(|point| {
        vec![
            point.outcomes.to_string(),
            percent(point.reliability),
            percent(point.best),
            percent(point.plurality),
            points(point.ahead),
            percent(point.error),
        ]
    }));
    table(&rows)
}

/// The comparison in words and columns.
pub fn text(sets: &[SetReport], trial: ComparisonPlan) -> String {
    let mut text = String::new();
    for set in sets {
        let voters =
            set.effective_voters.map(|voters| format!(", {voters:.1} effective voters")).unwrap_or_default();
        let _ = writeln!(text, "{}: {} items, {} agents{voters}", set.dataset, set.items, set.agents.len());
        text.push_str(&table(&rule_rows(set)));
        let learned: Vec<String> =
            set.learned.iter().map(|(what, parts)| format!("{what} in {parts}")).collect();
        let _ = writeln!(text, "reliability went by: {} of {} parts", learned.join(", "), trial.parts);
        for flip in &set.flips {
            let _ = writeln!(
                text,
                "round {} to {}: of {} answers {} went from right to wrong, {} from wrong to right, {} from wrong to another wrong one",
                flip.from, flip.to, flip.answers, flip.lost, flip.gained, flip.wandered
            );
        }
        text.push_str(&curve(set));
        text.push('\n');
    }
    let _ = writeln!(
        text,
        "Intervals hold with 95 % confidence. Rules that learn decide each of {} parts by the others; seed {}.",
        trial.parts, trial.seed
    );
    text
}

/// One line per rule, for spreadsheets.
pub fn csv(sets: &[SetReport], trial: ComparisonPlan) -> String {
    let mut text = String::from(
        "dataset,rule,items,right,right_low,right_high,ahead,ahead_low,ahead_high,undecided,calls,cost,seed\n",
    );
    for set in sets {
        for rule in &set.rules {
            let numbers = [
                rule.right.mean,
                rule.right.low,
                rule.right.high,
                rule.ahead.mean,
                rule.ahead.low,
                rule.ahead.high,
            ];
            let numbers: Vec<String> =
                numbers.iter().chain([&rule.undecided, &rule.calls]).map(|it| format!("{it:.6}")).collect();
            let _ = writeln!(
                text,
                "{},{},{},{},{},{}",
                field(&set.dataset),
                field(&rule.name),
                set.items,
                numbers.join(","),
                rule.cost.map(|cost| format!("{cost:.6}")).unwrap_or_default(),
                trial.seed
            );
        }
    }
    text
}

/// A field of CSV, in quotes where it needs them. What a spreadsheet would take for a formula is one no longer.
pub fn field(text: &str) -> String {
    let text = match text.chars().next() {
        Some('=' | '+' | '-' | '@') => format!("'{text}"),
        Some(_) | None => text.to_string(),
    };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text }
}
