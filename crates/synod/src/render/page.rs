//! A matter as a page, apart from how it is written down: the answer first, then everything behind it in folded parts.
//! Nothing here is escaped; `markdown` and `html` make every text in a block harmless, whoever wrote it, and quote what
//! participants wrote.
//!
//! To show something new: a line in the part it belongs to, and both forms have it.

mod evidence;
mod first;
mod ring;
mod rounds;
mod seats;
mod votes;

use synod_core::kernel::Choice;
use synod_core::kernel::text::{excerpt, one_line};
use synod_core::view::Report;

use super::{gaps, spent, words};
use crate::outcome;

/// A part of a page.
pub(super) enum PageBlock {
    /// The result in one line.
    Headline(String),
    /// A heading, the page's own being 1.
    Heading(u8, String),
    /// The title of a part of the answer: as loud as a heading on a page, short in Markdown.
    Label(&'static str),
    /// Words of ours.
    Para(String),
    /// The same, less loud.
    Note(String),
    /// What somebody wrote, line by line.
    Quote(String),
    /// Who wrote it, how they voted, what they wrote, and what would change their vote.
    Said(String, String, Option<String>),
    /// Points somebody made.
    Points(Vec<String>),
    /// Lines of ours.
    List(Vec<String>),
    /// A head and rows.
    Table(&'static [&'static str], Vec<Vec<String>>),
    /// Items and what is to be known of them.
    Facts(Vec<(&'static str, String)>),
    /// How many voted for what.
    Bars(Vec<Bar>),
    /// Where seats stood, by round and vote.
    Grid(Grid),
    /// A part that is folded away under its title.
    Fold(Fold),
}

/// The votes for one thing.
pub(super) struct Bar {
    /// What they are for.
    pub(super) label: String,
    /// How many.
    pub(super) votes: u32,
    /// Of so many seats.
    pub(super) of: u32,
    /// Whose they are.
    pub(super) who: String,
    /// Which colour they have.
    pub(super) tone: Tone,
}

/// Where seats stood.
pub(super) struct Grid {
    /// Rounds and votes, in order.
    pub(super) head: Vec<String>,
    /// Each seat with where it stood then.
    pub(super) rows: Vec<(String, Vec<(Tone, String)>)>,
}

/// The colour of a side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tone {
    /// For it.
    Yes,
    /// Against it.
    No,
    /// On no side.
    Neutral,
    /// One of several options.
    Option(u8),
    /// Unknown or missing.
    None,
}

impl Tone {
    pub(super) fn of(choice: Option<Choice>) -> Self {
        match choice {
            Some(Choice::Yes) => Self::Yes,
            Some(Choice::No) => Self::No,
            Some(Choice::Neutral) => Self::Neutral,
            Some(Choice::Option(index)) => Self::Option(index),
            None => Self::None,
        }
    }
}

/// A folded part.
pub(super) struct Fold {
    /// Where links lead to: letters, digits and hyphens of ours.
    pub(super) id: String,
    /// Its title.
    pub(super) title: String,
    /// What is in it.
    pub(super) blocks: Vec<PageBlock>,
}

/// A page under construction. Empty parts leave nothing behind.
#[derive(Default)]
pub(super) struct Page(Vec<PageBlock>);

/// The title of the page.
pub(super) fn title(report: &Report) -> String {
    format!("Matter {}: {}", report.number, excerpt(&one_line(&report.question.topic), TITLE))
}

/// How much of the question stands in the title; all of it follows where that cuts it.
const TITLE: usize = 200;

pub(super) use ring::counted;

/// The whole matter. `short`: reasons on the first screen are cut, as they stand in full further down.
pub(super) fn blocks(report: &Report, short: bool) -> Vec<PageBlock> {
    let mut page = Page::default();
    page.heading(1, title(report));
    page.first(report, short);
    match &report.ring {
        Some(session) => ring::ring(&mut page, report, session),
        None => page.council(report, short),
    }
    page.0
}

impl Page {
    /// What is behind the decision of a council, folded.
    fn council(&mut self, report: &Report, short: bool) {
        if let Some(motion) = &report.parliament {
            let rows = super::motion::rows(report, motion);
            let line = |(label, text): (&str, String)| match label {
                "" => text,
                label => format!("{label}: {text}"),
            };
            let lines = rows.into_iter().map(line).chain(super::motion::ordered(report, motion));
            self.fold("motion", "The motion: debate, ordered speech, divergences", |page| {
                page.0.push(PageBlock::List(lines.collect()));
            });
        }
        self.fold("votes", "Votes and how they were counted", |page| page.votes(report));
        self.fold("seats", "Seats: their positions and what moved them", |page| page.seats(report, short));
        self.fold("check", "What to check", |page| page.checks(report));
        self.fold("evidence", "Evidence and conflicts", |page| page.evidence(report));
        for round in &report.rounds {
            let (id, title) =
                (format!("round-{}", round.round), format!("Round {} ({})", round.round, round.stage));
            self.fold(&id, &title, |page| page.round(report, round));
        }
        self.fold("record", "Record", |page| page.record(report));
    }

    /// A part under a title, unless there is nothing in it.
    fn fold(&mut self, id: &str, title: &str, fill: impl FnOnce(&mut Page)) {
        let mut inner = Page::default();
        fill(&mut inner);
        if !inner.0.is_empty() {
            self.0.push(PageBlock::Fold(Fold { id: id.into(), title: title.into(), blocks: inner.0 }));
        }
    }

    fn heading(&mut self, level: u8, text: impl Into<String>) {
        self.0.push(PageBlock::Heading(level, text.into()));
    }

    fn para(&mut self, text: impl Into<String>) {
        self.0.push(PageBlock::Para(text.into()));
    }

    fn note(&mut self, text: impl Into<String>) {
        self.0.push(PageBlock::Note(text.into()));
    }

    fn quote(&mut self, text: &str) {
        self.0.push(PageBlock::Quote(text.into()));
    }

    /// Lines under a heading, if there are any.
    fn list(&mut self, level: u8, heading: &str, lines: impl IntoIterator<Item = String>) {
        let lines: Vec<String> = lines.into_iter().collect();
        if !lines.is_empty() {
            self.heading(level, heading);
            self.0.push(PageBlock::List(lines));
        }
    }

    /// What somebody wrote under a label, if it is there.
    fn labelled(&mut self, label: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.note(label);
            self.quote(text);
        }
    }

    /// Points somebody made under a label, if there are any.
    fn points(&mut self, label: &str, points: impl IntoIterator<Item = String>) {
        let points: Vec<String> = points.into_iter().collect();
        if !points.is_empty() {
            self.note(label);
            self.0.push(PageBlock::Points(points));
        }
    }

    /// What became known afterwards.
    fn outcome(&mut self, report: &Report) {
        let lines = report.outcome.iter().flat_map(outcome::lines);
        self.list(2, "Outcome", lines);
    }

    /// How it came about.
    fn record(&mut self, report: &Report) {
        let charter = format!("{} {}", report.charter.name, report.charter.digest);
        let moved: Vec<String> =
            report.moved.iter().map(|(setting, to)| format!("{setting} = {to}")).collect();
        let rows = [
            ("matter", Some(format!("{} ({})", report.number, report.matter))),
            ("status", Some(report.status.to_string())),
            ("charter", Some(charter)),
            ("motion", report.motion.clone()),
            ("changed settings", Some(moved.join(", "))),
            ("forked", words::forked(report)),
            ("discussion ended", Some(words::exits(report).join("; "))),
            ("opened", Some(report.opened.to_string())),
            ("last act", Some(report.last.to_string())),
            ("cost", Some(spent(report))),
        ];
        let known = rows.into_iter().filter_map(|(what, is)| Some(vec![what.to_string(), is?]));
        self.0.push(PageBlock::Table(&["item", "value"], known.filter(|row| !row[1].is_empty()).collect()));
        self.list(3, "Rule violations", words::marks(report));
        self.list(3, "Problems", gaps(report));
    }
}
