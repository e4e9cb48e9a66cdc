//! A matter as one page that needs nothing else: no script, no request, works from a file, in print and in the dark.

use std::fmt::Write as _;

use synod_core::kernel::text;
use synod_core::view::Report;

use super::page::{self, Bar, Fold, Grid, PageBlock, Tone};

const STYLE: &str = include_str!("page.css");

/// The whole matter.
pub(crate) fn matter(report: &Report) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\
         <title>{}</title><style>{STYLE}</style></head><body>\n<main>\n",
        escape(&page::title(report))
    );
    let blocks = page::blocks(report, false);
    for block in &blocks {
        write(&mut out, tone_of(report), block);
        out.push('\n');
    }
    out.push_str("</main></body></html>\n");
    out
}

/// The colour of the result: green and red only where nothing degrades it.
fn tone_of(report: &Report) -> &'static str {
    match report.status {
        _ if !report.caveats.is_empty() || report.redacted => "degraded",
        "passed" => "passed",
        "rejected" => "rejected",
        _ => "open",
    }
}

fn write(out: &mut String, status: &str, block: &PageBlock) {
    let _ = match block {
        PageBlock::Headline(text) => write!(out, "<p class=\"headline {status}\">{}</p>", escape(text)),
        PageBlock::Heading(level, text) => write!(out, "<h{level}>{}</h{level}>", escape(text)),
        PageBlock::Label(text) => write!(out, "<h2>{text}</h2>"),
        PageBlock::Para(text) => write!(out, "<p>{}</p>", escape(text)),
        PageBlock::Note(text) => write!(out, "<p class=\"note\">{}</p>", escape(text)),
        PageBlock::Quote(text) => write!(out, "<blockquote>{}</blockquote>", escape(text.trim())),
        PageBlock::Said(who, text, change_if) => {
            let change =
                |change: &String| format!("<small>Would change if: {}</small>", escape(change.trim()));
            let change = change_if.as_ref().map(change).unwrap_or_default();
            let (who, text) = (escape(who), escape(text.trim()));
            write!(out, "<blockquote><cite>{who}</cite>{text}{change}</blockquote>")
        }
        PageBlock::Points(points) => write!(out, "<blockquote>{}</blockquote>", list(points)),
        PageBlock::List(lines) => write!(out, "{}", list(lines)),
        PageBlock::Facts(facts) => {
            let fact = |(label, text): &(&str, String)| format!("<dt>{label}</dt><dd>{}</dd>", escape(text));
            write!(out, "<dl>{}</dl>", facts.iter().map(fact).collect::<String>())
        }
        PageBlock::Table(head, rows) => {
            let head: String = head.iter().map(|cell| format!("<th>{}</th>", escape(cell))).collect();
            let row = |cells: &Vec<String>| {
                let cells = cells.iter().map(|cell| format!("<td>{}</td>", escape(cell)));
                format!("<tr>{}</tr>", cells.collect::<String>())
            };
            let rows: String = rows.iter().map(row).collect();
            write!(out, "<div class=\"scroll\"><table><tr>{head}</tr>{rows}</table></div>")
        }
        PageBlock::Bars(bars) => {
            write!(out, "<div class=\"bars\">{}</div>", bars.iter().map(bar).collect::<String>())
        }
        PageBlock::Grid(shown) => write!(out, "<div class=\"scroll\">{}</div>", grid(shown)),
        PageBlock::Fold(Fold { id, title, blocks }) => {
            let _ = writeln!(out, "<details id=\"{id}\"><summary>{}</summary>", escape(title));
            for block in blocks {
                write(out, status, block);
                out.push('\n');
            }
            write!(out, "</details>")
        }
    };
}

/// How much of all seats voted so.
fn bar(bar: &Bar) -> String {
    let share = (bar.votes * 100).checked_div(bar.of).unwrap_or(0).min(100);
    let who = if bar.who.is_empty() { String::new() } else { format!(": {}", escape(&bar.who)) };
    format!(
        "<div class=\"bar {}\"><b>{}</b><span class=\"track\"><span class=\"fill\" style=\"width:{share}%\"></span></span>\
         <small>{} of {}{who}</small></div>",
        tone(bar.tone),
        escape(&bar.label),
        bar.votes,
        bar.of
    )
}

fn grid(Grid { head, rows }: &Grid) -> String {
    let link = |column: &String| match column.strip_prefix("round ") {
        Some(round) if round.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("<th><a href=\"#round-{round}\">{}</a></th>", escape(column))
        }
        _ => format!("<th>{}</th>", escape(column)),
    };
    let head: String = head.iter().map(link).collect();
    let row = |(seat, cells): &(String, Vec<(Tone, String)>)| {
        let cell = |(of, text): &(Tone, String)| {
            format!("<td><span class=\"chip {}\">{}</span></td>", tone(*of), escape(text))
        };
        format!("<tr><th>{}</th>{}</tr>", escape(seat), cells.iter().map(cell).collect::<String>())
    };
    format!("<table><tr><th>seat</th>{head}</tr>{}</table>", rows.iter().map(row).collect::<String>())
}

/// The class of a colour. There are as many for options as people can tell apart.
fn tone(tone: Tone) -> String {
    match tone {
        Tone::Yes => "t-yes".into(),
        Tone::No => "t-no".into(),
        Tone::Neutral => "t-neutral".into(),
        Tone::None => "t-none".into(),
        Tone::Option(index) => format!("t-o{}", index % 6),
    }
}

fn list(lines: &[String]) -> String {
    let lines: String = lines.iter().map(|line| format!("<li>{}</li>", escape(line))).collect();
    format!("<ul>{lines}</ul>")
}

/// Text that stays text in a page.
pub(super) fn escape(shown: &str) -> String {
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
