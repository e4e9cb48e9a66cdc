//! A matter as one page that needs nothing else: no script, no request, works from a file and in the dark.

use std::fmt::Write as _;

use synod_core::kernel::text;
use synod_core::view::Report;

use super::page::{self, Block};

const STYLE: &str = "
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 48rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { margin-top: 2.5rem; } h3 { margin-bottom: .25rem; }
.headline { border-left: .4rem solid #c80; padding: .5rem 1rem; font-weight: 600; }
.passed { border-color: #2a7; } .rejected { border-color: #b33; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #8884; }
blockquote { margin: .25rem 0 .75rem; padding-left: 1rem; border-left: 2px solid #8888; white-space: pre-wrap; overflow-wrap: anywhere; }
blockquote ul { margin: 0; white-space: normal; }
.note { opacity: .75; font-size: .9rem; } code { overflow-wrap: anywhere; }
";

/// The whole matter.
pub(crate) fn matter(report: &Report) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <title>{}</title><style>{STYLE}</style></head><body>\n<main>\n",
        escape(&page::title(report))
    );
    for block in page::blocks(report) {
        write(&mut out, report.status, &block);
        out.push('\n');
    }
    out.push_str("</main></body></html>\n");
    out
}

fn write(out: &mut String, status: &str, block: &Block) {
    let _ = match block {
        Block::Headline(text) => write!(out, "<p class=\"headline {status}\">{}</p>", escape(text)),
        Block::Heading(level, text) => write!(out, "<h{level}>{}</h{level}>", escape(text)),
        Block::Para(text) => write!(out, "<p>{}</p>", escape(text)),
        Block::Note(text) => write!(out, "<p class=\"note\">{}</p>", escape(text)),
        Block::Quote(text) => write!(out, "<blockquote>{}</blockquote>", escape(text.trim())),
        Block::Points(points) => write!(out, "<blockquote>{}</blockquote>", list(points)),
        Block::List(lines) => write!(out, "{}", list(lines)),
        Block::Table(head, rows) => {
            let row = |tag: &str, cells: &mut dyn Iterator<Item = &str>| {
                let cells = cells.map(|cell| format!("<{tag}>{}</{tag}>", escape(cell)));
                format!("<tr>{}</tr>", cells.collect::<String>())
            };
            let head = row("th", &mut head.iter().copied());
            let rows: String =
                rows.iter().map(|cells| row("td", &mut cells.iter().map(String::as_str))).collect();
            write!(out, "<table>{head}{rows}</table>")
        }
    };
}

fn list(lines: &[String]) -> String {
    let lines: String = lines.iter().map(|line| format!("<li>{}</li>", escape(line))).collect();
    format!("<ul>{lines}</ul>")
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
