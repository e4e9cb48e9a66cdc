//! A matter as Markdown that pastes into a pull request: the answer in about 15 lines, the rest folded. What participants
//! wrote is quoted, line by line, so that it cannot become headings, tables, links or tags of ours.

use std::fmt::Write as _;

use synod_core::kernel::text;
use synod_core::view::Report;

use super::html::escape;
use super::page::{self, Fold, Grid, PageBlock};

/// The whole matter.
pub(crate) fn matter(report: &Report) -> String {
    joined(&page::blocks(report, true))
}

/// Blocks one under the other. Short ones that belong together stand close.
fn joined(blocks: &[PageBlock]) -> String {
    let mut out = String::new();
    for (nth, block) in blocks.iter().enumerate() {
        // A quotation would swallow the line under it.
        let close = matches!(
            (nth.checked_sub(1).and_then(|before| blocks.get(before)), block),
            (Some(PageBlock::Heading(1, _)), PageBlock::Headline(_))
                | (Some(PageBlock::Label(_)), PageBlock::Said(..) | PageBlock::Points(_))
                | (Some(PageBlock::Said(..)), PageBlock::Said(..) | PageBlock::Points(_))
                | (Some(PageBlock::Note(_)), PageBlock::Quote(_) | PageBlock::Points(_))
        );
        if nth > 0 && !close {
            out.push('\n');
        }
        out.push_str(&written(block));
    }
    out
}

/// A block, ending its last line.
pub(super) fn written(block: &PageBlock) -> String {
    match block {
        PageBlock::Headline(text) => format!("**{}**\n", line(text)),
        // A page of its own has the biggest heading; in a pull request it would shout.
        PageBlock::Heading(level, text) => {
            format!("{} {}\n", "#".repeat(usize::from(*level) + 2), line(text))
        }
        PageBlock::Label(text) => format!("**{text}**\n"),
        PageBlock::Para(text) => format!("{}\n", line(text)),
        PageBlock::Note(text) => format!("*{}*\n", line(text)),
        PageBlock::Quote(text) => {
            let lines = text.lines().map(line).filter(|line| !line.is_empty());
            lines.fold(String::new(), |out, line| out + "> " + &line + "\n")
        }
        PageBlock::Said(who, text, change_if) => {
            let change =
                change_if.as_deref().map(|change| format!(">   - would change if: {}\n", line(change)));
            format!("> - **{}**: {}\n{}", line(who), line(text), change.unwrap_or_default())
        }
        PageBlock::Points(points) => {
            points.iter().fold(String::new(), |out, point| out + "> - " + &line(point) + "\n")
        }
        PageBlock::List(lines) => {
            lines.iter().fold(String::new(), |out, text| out + "- " + &line(text) + "\n")
        }
        PageBlock::Table(head, rows) => {
            let head: Vec<String> = head.iter().map(ToString::to_string).collect();
            table(&head, rows.iter().map(|row| row.iter().map(|cell| line(cell)).collect()))
        }
        // On one line: every line of the answer counts in a pull request.
        PageBlock::Facts(facts) => {
            let fact = |(label, text): &(&str, String)| format!("**{label}**: {}", line(text));
            facts.iter().map(fact).collect::<Vec<_>>().join(" · ") + "\n"
        }
        PageBlock::Bars(bars) => bars.iter().fold(String::new(), |out, bar| {
            out + &format!("- {} of {} {}: {}\n", bar.votes, bar.of, line(&bar.label), line(&bar.who))
        }),
        PageBlock::Grid(Grid { head, rows }) => {
            let head: Vec<String> =
                std::iter::once("seat".into()).chain(head.iter().map(|it| line(it))).collect();
            let rows = rows.iter().map(|(seat, cells)| {
                std::iter::once(line(seat)).chain(cells.iter().map(|(_, cell)| line(cell))).collect()
            });
            table(&head, rows)
        }
        // The empty line lets what follows be read as Markdown and not as HTML.
        PageBlock::Fold(Fold { title, blocks, .. }) => {
            format!(
                "<details><summary>{}</summary>\n\n{}\n</details>\n",
                escape(&text::one_line(title)),
                joined(blocks)
            )
        }
    }
}

fn table(head: &[String], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut out = format!("| {} |\n|{}\n", head.join(" | "), "---|".repeat(head.len()));
    for cells in rows {
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    }
    out
}

/// Text that stays text on one line of Markdown, wherever the line stands.
pub(super) fn line(shown: &str) -> String {
    let shown = text::one_line(shown);
    let mut out = String::with_capacity(shown.len() + 8);
    let bulleted = shown.trim_start_matches(|c: char| c.is_ascii_digit());
    for (at, c) in shown.char_indices() {
        let (before, after) = (&shown[..at], &shown[at + c.len_utf8()..]);
        let steers = match c {
            // Within a word it is an ordinary character.
            '_' => !(before.ends_with(char::is_alphanumeric) && after.starts_with(char::is_alphanumeric)),
            '\\' | '`' | '*' | '[' | ']' | '<' | '>' | '#' | '|' | '!' | '~' | '@' | '$' | '&' => true,
            // Alone on a line these underline a heading, rule a line or begin a list.
            '-' | '=' | '+' => before.is_empty(),
            '.' | ')' if after.len() + 1 == bulleted.len() && !before.is_empty() => true,
            // What looks like an address becomes a link without being asked to.
            ':' => after.starts_with("//"),
            '.' => {
                before.get(before.len().saturating_sub(3)..).is_some_and(|it| it.eq_ignore_ascii_case("www"))
            }
            _ => false,
        };
        if steers {
            out.push('\\');
        }
        out.push(if text::turns(c) { ' ' } else { c });
    }
    out
}
