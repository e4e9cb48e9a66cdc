//! What was said so far, as the shared layer tells it: whole while it fits, a balanced digest beyond.
//!
//! It grows by appending: what one speaker was told is the beginning of what the next is told, so that a
//! provider's cache keeps it, and so that each statement is worded and hashed once. Only when the tail outgrows its
//! part of the budget is the digest made anew. What it tells depends on the items alone, never on when it was asked.

use std::fmt::Write as _;
use std::sync::Arc;

use super::digest::{self, Manner, Material, Written};
use super::worded::{Hide, Worded};
use super::{Layer, Running};
use crate::kernel::text;

/// One thing that was said, found or given.
#[derive(Debug)]
pub struct Item(What);

#[derive(Debug)]
enum What {
    Statement {
        worded: Arc<Worded>,
        /// Whether it is of the round under way, where others may still speak after the reader.
        fresh: bool,
    },
    Other {
        /// As it is told.
        text: String,
        /// The fewest characters of it that count against the budget.
        least: usize,
        /// The characters that do not.
        given: usize,
    },
}

impl Item {
    /// A contribution; `fresh` if it is of the round under way.
    pub fn statement(worded: Arc<Worded>, fresh: bool) -> Self {
        Self(What::Statement { worded, fresh })
    }

    /// The result of a vote, in one line.
    pub fn result(line: &str) -> Self {
        Self(What::Other { text: format!("\n## Vote\n\n{line}\n"), least: line.len(), given: 0 })
    }

    /// Something the operator put before the council. It is never dropped, so it is never counted.
    pub fn material(name: &str, said: &str, hide: Hide<'_>) -> Self {
        let mut out = format!("\n## Material from the operator: {}\n\n", text::one_line(&hide(name)));
        text::quote_into(&mut out, &hide(said));
        let given = name.len() + said.len() + said.lines().count() * 2 + 32;
        Self(What::Other { text: out, least: 0, given })
    }

    /// What became of a participant's question to the operator; `None` if there was no answer.
    pub fn reply(label: &str, query: &str, answer: Option<&str>, hide: Hide<'_>) -> Self {
        let mut out = format!("\n## {label} asked the operator\n\n");
        text::quote_into(&mut out, &hide(query));
        match answer {
            Some(answer) => {
                out.push_str("The operator answers:\n");
                text::quote_into(&mut out, &hide(answer));
            }
            None => out.push_str("The operator gives no answer; go on without it.\n"),
        }
        let answer = answer.unwrap_or_default();
        let lines = query.lines().count() + answer.lines().count();
        let given = label.len() + query.len() + answer.len() + lines * 2 + 64;
        Self(What::Other { text: out, least: 0, given })
    }

    /// Lines of a file that a participant asked to see.
    pub fn source(label: &str, path: &str, lines: &str, said: &str, hide: Hide<'_>) -> Self {
        let mut out = format!("\n## File {}, {lines}, read for {label}\n\n", text::one_line(&hide(path)));
        text::quote_into(&mut out, &hide(said));
        let given = label.len() + path.len() + said.len() + said.lines().count() * 2 + 64;
        Self(What::Other { text: out, least: 0, given })
    }

    /// A file that a participant asked to see and that was not read.
    pub fn unread(label: &str, file: &str, why: &str, hide: Hide<'_>) -> Self {
        let file = text::one_line(&hide(text::excerpt(file, 120).as_ref()));
        let out = format!("\n## {label} asked to see a file\n\n| {file}\nIt was not read: {why}.\n");
        let given = out.len();
        Self(What::Other { text: out, least: 0, given })
    }

    fn least(&self) -> usize {
        match &self.0 {
            What::Statement { worded, .. } => worded.least(),
            What::Other { least, .. } => *least,
        }
    }

    fn given(&self) -> usize {
        match &self.0 {
            What::Statement { .. } => 0,
            What::Other { given, .. } => *given,
        }
    }

    fn is_fresh(&self) -> bool {
        matches!(self.0, What::Statement { fresh: true, .. })
    }

    /// As it is told, without the heading of its round.
    fn told(&self, options: usize, hide: Hide<'_>) -> &str {
        match &self.0 {
            What::Statement { worded, .. } => worded.whole(options, hide),
            What::Other { text, .. } => text,
        }
    }

    /// The round whose heading must stand before it, and the one whose heading stands after it.
    fn round(&self) -> Option<u32> {
        match &self.0 {
            What::Statement { worded, .. } => Some(worded.said().round),
            What::Other { .. } => None,
        }
    }
}

/// What was said, for readers who see the same.
#[derive(Debug)]
pub struct History {
    options: usize,
    /// About so many characters at most, what the operator gave aside.
    budget: usize,
    written: Option<Written>,
    items: Vec<Item>,
    /// Where this round begins.
    now: Option<usize>,
    least: usize,
    given: usize,
    /// Characters of this round told in full.
    now_full: usize,
    /// From where on this round is told in full when all of it does not fit, and the characters since.
    tail: (usize, usize),
    /// What belongs to earlier rounds, once something was said in this one.
    earlier: Option<Running>,
    running: Option<(Shape, Running)>,
}

/// How the history is told at present, and how many of its items stand in the text already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Everything; the round whose heading stands last.
    Whole,
    /// Earlier rounds as they fit, this one in full.
    Full,
    /// Earlier rounds as they fit, this one as a digest up to an item and in full from there.
    Tail { from: usize },
}

/// The heading of everything. An empty council is told the same words, so that the first statement appends.
const WHOLE: &str = "\n# What was said\n\nOldest first. If nothing stands here, nobody has spoken.\n";
/// The heading of a digest.
const BRIEFLY: &str = "\n# What was said, in brief\n";

impl History {
    /// An empty history. `written`: a digest by a mind, where there is one, names hidden.
    pub fn new(options: usize, budget: usize, written: Option<Written>) -> Self {
        Self {
            options,
            budget,
            written,
            items: Vec::new(),
            now: None,
            least: 0,
            given: 0,
            now_full: 0,
            tail: (0, 0),
            earlier: None,
            running: None,
        }
    }

    /// Takes the next item.
    pub fn push(&mut self, item: Item, hide: Hide<'_>) {
        self.least += item.least();
        self.given += item.given();
        if item.is_fresh() && self.now.is_none() {
            self.now = Some(self.items.len());
            self.tail = (self.items.len(), 0);
        }
        if self.now.is_some() {
            let length = item.told(self.options, hide).len();
            self.now_full += length;
            self.grow_tail(length);
        }
        self.items.push(item);
    }

    /// Moves on where this round is told in full from: as many of the last as fit, starting anew whenever they do not.
    fn grow_tail(&mut self, length: usize) {
        let (most, at) = (self.budget / 2 / 2, self.items.len());
        let (from, taken) = self.tail;
        self.tail = match (taken + length > most, length > most) {
            (false, _) => (from, taken + length),
            (true, true) => (at + 1, 0),
            (true, false) => (at, length),
        };
    }

    /// What is told now. What belongs to earlier rounds stands first and is the same for everybody who is told it in
    /// this round; what was said in this round follows.
    pub fn layer(&mut self, hide: Hide<'_>) -> Layer {
        if let Some(layer) = self.whole(hide) {
            return layer;
        }
        let Some(now) = self.now else {
            let material = material(&self.items, self.options, hide);
            return Layer::new(self.digest(BRIEFLY, &material, self.budget, hide));
        };
        let half = self.budget / 2;
        if self.earlier.is_none() {
            let mut earlier = self.earlier(now, half, hide);
            earlier.hash(); // hashed once for all who speak in this round
            self.earlier = Some(earlier);
        }
        let shape = if self.now_full <= half { Shape::Full } else { Shape::Tail { from: self.tail.0 } };
        let mut running = match self.running.take() {
            Some((told, running)) if told == shape => running,
            Some(_) | None => self.begin(shape, now, half, hide),
        };
        for item in &self.items[running.told..] {
            if shape == (Shape::Tail { from: running.told }) {
                running.push("\n## Since then, in full\n");
            }
            running.push_item(item.told(self.options, hide));
        }
        let layer = running.layer();
        self.running = Some((shape, running));
        layer
    }

    /// Everything, round by round, if it fits.
    fn whole(&mut self, hide: Hide<'_>) -> Option<Layer> {
        // What cannot fit is not worded first: in a large council that would be most of the work.
        if self.least > self.budget {
            return None;
        }
        let mut running = match self.running.take() {
            Some((Shape::Whole, running)) => running,
            other @ (Some(_) | None) => {
                // It outgrew the budget before, and what was said since made it no shorter.
                if other.is_some() {
                    self.running = other;
                    return None;
                }
                Running::new(WHOLE.into(), 0)
            }
        };
        for at in running.told..self.items.len() {
            let before = at.checked_sub(1).and_then(|before| self.items[before].round());
            match self.items[at].round() {
                Some(round) if before != Some(round) => running.push(&format!("\n## Round {round}\n")),
                Some(_) | None => (),
            }
            running.push_item(self.items[at].told(self.options, hide));
        }
        if running.text.len() > self.budget + self.given {
            return None;
        }
        let layer = running.layer();
        self.running = Some((Shape::Whole, running));
        Some(layer)
    }

    /// Earlier rounds: whole if they fit, else as a digest.
    fn earlier(&self, now: usize, half: usize, hide: Hide<'_>) -> Running {
        let earlier = &self.items[..now];
        if earlier.iter().map(Item::least).sum::<usize>() <= half {
            let mut before = None;
            let mut out = String::from(WHOLE);
            for item in earlier {
                if let Some(round) = item.round().filter(|round| before != Some(*round)) {
                    let _ = write!(out, "\n## Round {round}\n");
                }
                before = item.round();
                out.push_str(item.told(self.options, hide));
            }
            if out.len() <= half + earlier.iter().map(Item::given).sum::<usize>() {
                return Running::new(out, now);
            }
        }
        let material = material(earlier, self.options, hide);
        Running::new(self.digest(BRIEFLY, &material, half, hide), now)
    }

    /// What stands before the items of this round that are told in full.
    fn begin(&self, shape: Shape, now: usize, half: usize, hide: Hide<'_>) -> Running {
        let mut running = self.earlier.clone().unwrap_or_else(|| Running::new(String::new(), now));
        match shape {
            Shape::Whole | Shape::Full => running.push("\n# This round so far\n"),
            Shape::Tail { from } => {
                let material = material(&self.items[now..from], self.options, hide);
                let heading = "\n# This round so far, in brief\n";
                running.push(&self.digest(heading, &material, half - half / 2, hide));
                running.told = from;
            }
        }
        running
    }

    fn digest(
        &self,
        heading: &str,
        material: &(Vec<&Worded>, String, usize),
        budget: usize,
        hide: Hide<'_>,
    ) -> String {
        let (said, rest, given) = material;
        let material = Material { said: said.clone(), rest, given: *given };
        let manner = Manner { options: self.options, hide, written: self.written.as_ref() };
        digest::digest(heading, &material, budget, manner)
    }
}

/// Statements apart from the rest, which is worded, with the characters of it that do not count.
fn material<'a>(items: &'a [Item], options: usize, hide: Hide<'_>) -> (Vec<&'a Worded>, String, usize) {
    let (mut said, mut rest, mut given) = (Vec::new(), String::new(), 0);
    for item in items {
        match &item.0 {
            What::Statement { worded, .. } => said.push(&**worded),
            What::Other { .. } => {
                rest.push_str(item.told(options, hide));
                given += item.given();
            }
        }
    }
    (said, rest, given)
}
