//! Two matters side by side at the terminal: two columns where they fit, one under the other where not.

use std::fmt::Write as _;

use synod_core::kernel::text::{counted, one_line};
use synod_core::view::{ComparedMatter, Comparison, Stood};

use crate::out::clean;

/// Room for the names of rows.
const LABEL: usize = 12;
/// A column narrower than this cannot be read; then one side stands under the other.
const NARROWEST: usize = 24;

/// The comparison, in at most `width` columns.
pub(crate) fn table(comparison: &Comparison, width: usize) -> String {
    let Comparison { one, other, .. } = comparison;
    let mut out = String::from("\n");
    let shared = match comparison.shared {
        0 => "no shared rounds".to_string(),
        rounds => format!("{} shared", counted(rounds as u64, "round")),
    };
    for line in wrapped(&format!("Matter {} and matter {}: {shared}", one.number, other.number), width) {
        let _ = writeln!(out, "{line}");
    }
    if comparison.same_question {
        for line in wrapped(&format!("Question: {}", one_line(&one.question.topic)), width) {
            let _ = writeln!(out, "{line}");
        }
    }
    out.push('\n');
    let grid = ColumnLayout::of(width);
    for (label, one, other) in rows(comparison) {
        grid.row(&mut out, &label, &one, &other);
    }
    let differs =
        if comparison.differs.is_empty() { "nothing".into() } else { comparison.differs.join(", ") };
    out.push('\n');
    for line in wrapped(&format!("Differences: {differs}"), width) {
        let _ = writeln!(out, "{line}");
    }
    clean(&out)
}

/// The rows: a name, and what stands there for each side.
fn rows(comparison: &Comparison) -> Vec<(String, String, String)> {
    let Comparison { one, other, .. } = comparison;
    let mut rows: Vec<(String, String, String)> = Vec::new();
    let mut row =
        |label: &str, of: &dyn Fn(&ComparedMatter) -> String| rows.push((label.into(), of(one), of(other)));
    row("matter", &|side| matter(side));
    if !comparison.same_question {
        row("question", &|side| one_line(&side.question.topic));
    }
    row("charter", &|side| charter(side));
    row("rounds", &|side| side.rounds.to_string());
    row("ended", &|side| exits(side));
    row("result", &|side| side.headline.clone());
    row("support", &|side| support(side));
    row("agreement", &|side| agreement(side));
    row("confidence", &|side| side.confidence.map_or("-".into(), |mean| mean.to_string()));
    row("advice", &|side| format!("{}: {}", side.advice.action.word(), side.advice.why));
    for seat in &comparison.seats {
        let stood = |it: &Option<Stood>, side: &ComparedMatter| {
            it.as_ref().map_or("no seat here".into(), |it| stood(it, side.question.options.len()))
        };
        rows.push((seat.name.clone(), stood(&seat.one, one), stood(&seat.other, other)));
    }
    let mut row =
        |label: &str, of: &dyn Fn(&ComparedMatter) -> String| rows.push((label.into(), of(one), of(other)));
    row("dissent", &|side| side.dissent.to_string());
    row("missing", &|side| missing(side));
    row("cost", &|side| cost(side));
    rows
}

fn matter(side: &ComparedMatter) -> String {
    match side.forked {
        Some(forked) => format!(
            "{} ({}), forked from {} after round {}",
            side.number, side.matter, forked.from, forked.round
        ),
        None => format!("{} ({})", side.number, side.matter),
    }
}

fn charter(side: &ComparedMatter) -> String {
    let moved: Vec<String> = side.moved.iter().map(|(setting, to)| format!("{setting}={to}")).collect();
    let moved = if moved.is_empty() { String::new() } else { format!(", {}", moved.join(", ")) };
    format!("{} ({}){moved}", side.charter.name, side.charter.digest.short())
}

fn exits(side: &ComparedMatter) -> String {
    let exits: Vec<String> = side.exits.iter().map(|(stage, why)| super::words::exit(stage, *why)).collect();
    if exits.is_empty() { "-".into() } else { exits.join("; ") }
}

fn support(side: &ComparedMatter) -> String {
    let Some(support) = &side.support else { return "no vote counted".into() };
    let margin = match support.margin {
        Some(margin) => format!(", {} would change it", counted(margin.into(), "ballot")),
        None => String::new(),
    };
    format!("{}, needs {}{margin}", support.words, support.needs.words())
}

fn agreement(side: &ComparedMatter) -> String {
    let share =
        side.agreement.map(|share| format!(" ({} of {})", share.part, share.whole)).unwrap_or_default();
    format!("{}{share}", side.level.word())
}

fn stood(stood: &Stood, options: usize) -> String {
    let said = match stood.stance {
        None if stood.estimate.is_some() => {
            stood.estimate.map(|given| format!("estimated {}", given.words(""))).unwrap_or_default()
        }
        Some((stance, round)) => {
            let sure = stood.confidence.map(|sure| format!(" {sure}")).unwrap_or_default();
            let ordered = super::words::by_order(stood.assigned, Some(stance), options);
            format!("said {}{sure} in round {round}{ordered}", stance.word(options))
        }
        None if stood.statements > 0 => counted(stood.statements as u64, "contribution"),
        None => "said nothing".into(),
    };
    let unknown = if stood.sealed { "secret vote" } else { "no vote" };
    let voted = match stood.vote {
        Some(vote) => format!("voted {}", vote.ballot_word(options)),
        None if !stood.grades.is_empty() => format!("voted {}", super::ballots::grades(&stood.grades)),
        None => unknown.into(),
    };
    let dissents = if stood.dissents { ", in dissent" } else { "" };
    format!("{said}; {voted}{dissents} [{}]", stood.backend)
}

/// `2 (bob, cid)`.
fn missing(side: &ComparedMatter) -> String {
    let names: Vec<&str> = side.silent.iter().map(|who| who.as_str()).collect();
    if names.is_empty() { "0".into() } else { format!("{} ({})", side.missing, names.join(", ")) }
}

fn cost(side: &ComparedMatter) -> String {
    let spent = &side.spent;
    let own = if side.forked.is_some() { " of its own" } else { "" };
    if spent.calls == 0 {
        return format!("no call{own} left this machine");
    }
    super::took(spent, own)
}

/// The layout of two sides beside each other.
struct ColumnLayout {
    /// The width of a column; none where one side stands under the other.
    column: Option<usize>,
    width: usize,
}

impl ColumnLayout {
    fn of(width: usize) -> Self {
        // A label, two columns and the bars between them.
        let column = width.saturating_sub(LABEL + 5) / 2;
        Self { column: (column >= NARROWEST).then_some(column.min(70)), width }
    }

    fn row(&self, out: &mut String, label: &str, one: &str, other: &str) {
        match self.column {
            Some(column) => {
                let cells = [wrapped(label, LABEL), wrapped(one, column), wrapped(other, column)];
                let height = cells.iter().map(Vec::len).max().unwrap_or(0);
                for line in 0..height {
                    let cell = |nth: usize| cells[nth].get(line).map_or("", String::as_str);
                    let (label, one) = (padded(cell(0), LABEL), padded(cell(1), column));
                    let _ = writeln!(out, "{}", format!("{label} | {one} | {}", cell(2)).trim_end());
                }
            }
            None => {
                let _ = writeln!(out, "{label}");
                for (mark, text) in [("  < ", one), ("  > ", other)] {
                    for (nth, line) in wrapped(text, self.width.saturating_sub(4).max(8)).iter().enumerate() {
                        let _ = writeln!(out, "{}{line}", if nth == 0 { mark } else { "    " });
                    }
                }
            }
        }
    }
}

/// Text in lines of at most so many columns, broken at blanks where there are any.
pub(super) fn wrapped(text: &str, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut line = String::new();
    for word in one_line(text).split(' ') {
        if !line.is_empty() && columns(&line) + 1 + columns(word) > most {
            lines.push(std::mem::take(&mut line));
        }
        if !line.is_empty() {
            line.push(' ');
        }
        for c in word.chars() {
            // A word longer than the line, such as an address, is cut where it must be.
            if columns(&line) + wide(c) > most {
                lines.push(std::mem::take(&mut line));
            }
            line.push(c);
        }
    }
    lines.push(line);
    lines
}

fn padded(text: &str, to: usize) -> String {
    format!("{text}{}", " ".repeat(to.saturating_sub(columns(text))))
}

fn columns(text: &str) -> usize {
    text.chars().map(wide).sum()
}

/// The columns a character takes: two in the scripts that terminals show so, none for marks put over others.
fn wide(c: char) -> usize {
    match c {
        '\u{300}'..='\u{36f}' | '\u{200b}'..='\u{200d}' | '\u{fe00}'..='\u{fe0f}' => 0,
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{a4cf}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff00}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1faff}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}
