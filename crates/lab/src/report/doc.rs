//! A report of any study: facts, tables and plots, shown as columns, CSV or one page.
//!
//! Its kind says where its figures come from. A report has one kind, so that figures of two kinds never share a column.

use std::fmt::Write as _;

use serde::Serialize;

use super::html::{self, escaped};
use super::plot::Plot;
use super::{field, table};

/// Where figures come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum FigureKind {
    /// As they were recorded.
    Recorded,
    /// Recorded answers, judged again by other rules.
    #[serde(rename = "re-judged")]
    Rejudged,
    /// Declared seats; no model was asked.
    Simulated,
    /// Worked out from recorded sessions.
    Estimated,
}

impl FigureKind {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Recorded => "recorded",
            Self::Rejudged => "re-judged",
            Self::Simulated => "simulated",
            Self::Estimated => "estimated",
        }
    }
}

/// See the module.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LabReport {
    /// What it is about.
    pub title: String,
    /// Where its figures come from.
    pub kind: FigureKind,
    /// What everything in it hangs on: seeds, digests of charters, sizes.
    pub facts: Vec<(String, String)>,
    /// Its tables.
    pub tables: Vec<ReportTable>,
    /// Its plots, on the page only.
    #[serde(skip)]
    pub plots: Vec<Plot>,
    /// What a reader should know, one sentence or two each.
    pub notes: Vec<String>,
}

/// A table of a report; the first row names the columns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReportTable {
    /// What it shows.
    pub title: String,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
}

impl ReportTable {
    /// A table with these columns.
    pub fn new(title: &str, columns: &[&str]) -> Self {
        Self { title: title.into(), rows: vec![columns.iter().map(ToString::to_string).collect()] }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        self.rows.push(cells.into_iter().collect());
    }
}

impl LabReport {
    /// An empty report.
    pub fn new(title: impl Into<String>, kind: FigureKind) -> Self {
        let (facts, tables, plots, notes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { title: title.into(), kind, facts, tables, plots, notes }
    }

    /// Adds a fact.
    pub fn fact(&mut self, name: &str, value: impl ToString) {
        self.facts.push((name.into(), value.to_string()));
    }

    /// Adds a note.
    pub fn note(&mut self, text: impl Into<String>) {
        self.notes.push(text.into());
    }

    /// The report in columns.
    pub fn text(&self) -> String {
        let mut text = format!("{} ({})\n", self.title, self.kind.word());
        for (name, value) in &self.facts {
            let _ = writeln!(text, "{name}: {value}");
        }
        for shown in self.tables.iter().filter(|shown| shown.rows.len() > 1) {
            let _ = write!(text, "\n{}\n{}", shown.title, table(&shown.rows));
        }
        if !self.notes.is_empty() {
            text.push('\n');
        }
        for note in &self.notes {
            let _ = writeln!(text, "{note}");
        }
        text
    }

    /// Its tables for spreadsheets, one after the other. Every line repeats the kind and the facts, so that no figure is ever without them.
    pub fn csv(&self) -> String {
        let mut text = String::new();
        for (nth, shown) in self.tables.iter().filter(|shown| shown.rows.len() > 1).enumerate() {
            if nth > 0 {
                text.push('\n');
            }
            for (at, row) in shown.rows.iter().enumerate() {
                let facts = self.facts.iter().map(|(name, value)| if at == 0 { name } else { value });
                let lead = if at == 0 { ["table", "kind"] } else { [shown.title.as_str(), self.kind.word()] };
                let cells =
                    lead.into_iter().chain(facts.map(String::as_str)).chain(row.iter().map(String::as_str));
                let _ = writeln!(text, "{}", cells.map(field).collect::<Vec<_>>().join(","));
            }
        }
        text
    }

    /// One page with its plots that loads nothing.
    pub fn page(&self) -> String {
        let mut page = html::head(&self.title);
        let _ = writeln!(page, "<p>All figures are {}.</p>", self.kind.word());
        page.push_str("<table>");
        for (name, value) in &self.facts {
            let _ = writeln!(page, "<tr><td>{}</td><td>{}</td></tr>", escaped(name), escaped(value));
        }
        page.push_str("</table>\n");
        for plot in &self.plots {
            page.push_str(&plot.svg());
        }
        for shown in self.tables.iter().filter(|shown| shown.rows.len() > 1) {
            let _ = writeln!(page, "<h2>{}</h2>", escaped(&shown.title));
            page.push_str(&html::rows(&shown.rows));
        }
        for note in &self.notes {
            let _ = writeln!(page, "<p>{}</p>", escaped(note));
        }
        page.push_str("</html>\n");
        page
    }
}
