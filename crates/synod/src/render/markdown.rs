//! A matter as Markdown that pastes into a pull request. What participants wrote is quoted, line by line,
//! so that it cannot become headings, tables or links of ours.

use std::fmt::Write as _;

use synod_core::kernel::text;
use synod_core::view::Report;

use super::page::{self, Block};

/// The whole matter.
pub(crate) fn matter(report: &Report) -> String {
    let blocks = page::blocks(report);
    blocks.iter().map(written).collect::<Vec<_>>().join("\n")
}

/// A block, ending its last line.
fn written(block: &Block) -> String {
    match block {
        Block::Headline(text) => format!("**{}**\n", line(text)),
        Block::Heading(level, text) => format!("{} {}\n", "#".repeat(usize::from(*level)), line(text)),
        Block::Para(text) => format!("{}\n", line(text)),
        Block::Note(text) => format!("*{}*\n", line(text)),
        Block::Quote(text) => {
            let lines = text.lines().map(line).filter(|line| !line.is_empty());
            lines.fold(String::new(), |out, line| out + "> " + &line + "\n")
        }
        Block::Points(points) => {
            points.iter().fold(String::new(), |out, point| out + "> - " + &line(point) + "\n")
        }
        Block::List(lines) => lines.iter().fold(String::new(), |out, text| out + "- " + &line(text) + "\n"),
        Block::Table(head, rows) => {
            let mut out = format!("| {} |\n|{}\n", head.join(" | "), "---|".repeat(head.len()));
            for row in rows {
                let cells: Vec<String> = row.iter().map(|cell| line(cell)).collect();
                let _ = writeln!(out, "| {} |", cells.join(" | "));
            }
            out
        }
    }
}

/// Text that stays text on one line of Markdown, wherever the line stands.
fn line(shown: &str) -> String {
    let shown = text::one_line(shown);
    let mut out = String::with_capacity(shown.len() + 8);
    let bulleted = shown.trim_start_matches(|c: char| c.is_ascii_digit());
    for (at, c) in shown.char_indices() {
        let (before, after) = (&shown[..at], &shown[at + c.len_utf8()..]);
        let steers = match c {
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '!' | '~' | '@' | '$' | '&' => true,
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
