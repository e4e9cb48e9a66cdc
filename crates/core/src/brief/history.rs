//! What was said so far, as the shared layer tells it: the last round in full while it fits, older rounds as a balanced
//! digest, and a heading that says which is which.
//!
//! Within a round it grows by appending: what one speaker was told is the beginning of what the next is told, so that a
//! provider's cache keeps it, and so that each statement is worded and hashed once. Only when the tail outgrows its
//! part of the budget is the digest made anew. What it tells depends on the items alone, never on when it was asked.

use std::fmt::Write as _;
use std::ops::Range;
use std::sync::Arc;

use super::digest::{self, DigestMaterial, DigestStyle, WrittenDigest};
use super::worded::{Hide, Worded};
use super::words::QUOTED;
use super::{GrowingLayer, Layer};
use crate::kernel::text;

/// One thing that was said, found or given.
#[derive(Debug)]
pub struct HistoryItem(ItemContent);

#[derive(Debug)]
enum ItemContent {
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

impl HistoryItem {
    /// A contribution; `fresh` if it is of the round under way.
    pub fn statement(worded: Arc<Worded>, fresh: bool) -> Self {
        Self(ItemContent::Statement { worded, fresh })
    }

    /// The result of a vote, in one line.
    pub fn result(line: &str) -> Self {
        Self(ItemContent::Other { text: format!("\n## Vote\n\n{line}\n"), least: line.len(), given: 0 })
    }

    /// Something the operator put before the council. It is never dropped, so it is never counted.
    pub fn material(name: &str, said: &str, hide: Hide<'_>) -> Self {
        let mut out = format!("\n## Material from the operator: {}\n\n", text::one_line(&hide(name)));
        text::quote_into(&mut out, &hide(said));
        let given = name.len() + said.len() + said.lines().count() * 2 + 32;
        Self(ItemContent::Other { text: out, least: 0, given })
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
        Self(ItemContent::Other { text: out, least: 0, given })
    }

    /// Lines of a file that a participant asked to see.
    pub fn source(label: &str, path: &str, lines: &str, said: &str, hide: Hide<'_>) -> Self {
        let mut out = format!("\n## File {}, {lines}, read for {label}\n\n", text::one_line(&hide(path)));
        text::quote_into(&mut out, &hide(said));
        let given = label.len() + path.len() + said.len() + said.lines().count() * 2 + 64;
        Self(ItemContent::Other { text: out, least: 0, given })
    }

    /// A file that a participant asked to see and that was not read.
    pub fn unread(label: &str, file: &str, why: &str, hide: Hide<'_>) -> Self {
        let file = text::one_line(&hide(text::excerpt(file, 120).as_ref()));
        let out = format!("\n## {label} asked to see a file\n\n| {file}\nIt was not read: {why}.\n");
        let given = out.len();
        Self(ItemContent::Other { text: out, least: 0, given })
    }

    fn least(&self) -> usize {
        match &self.0 {
            ItemContent::Statement { worded, .. } => worded.least(),
            ItemContent::Other { least, .. } => *least,
        }
    }

    fn given(&self) -> usize {
        match &self.0 {
            ItemContent::Statement { .. } => 0,
            ItemContent::Other { given, .. } => *given,
        }
    }

    fn is_fresh(&self) -> bool {
        matches!(self.0, ItemContent::Statement { fresh: true, .. })
    }

    /// As it is told, without the heading of its round.
    fn told(&self, options: usize, hide: Hide<'_>) -> &str {
        match &self.0 {
            ItemContent::Statement { worded, .. } => worded.whole(options, hide),
            ItemContent::Other { text, .. } => text,
        }
    }

    /// The round whose heading must stand before it, and the one whose heading stands after it.
    fn round(&self) -> Option<u32> {
        match &self.0 {
            ItemContent::Statement { worded, .. } => Some(worded.said().round),
            ItemContent::Other { .. } => None,
        }
    }
}

/// How much is repeated in full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Keep {
    /// Everything, while it fits: for those who judge or sum up.
    All,
    /// The last round, while it fits. Seats have answered what is older.
    LastRound,
}

/// What was said, for readers who see the same.
#[derive(Debug)]
pub struct History {
    options: usize,
    /// About so many characters at most, what the operator gave aside.
    budget: usize,
    keep: Keep,
    written: Option<WrittenDigest>,
    items: Vec<HistoryItem>,
    /// Where this round begins.
    now: Option<usize>,
    /// Characters of this round told in full.
    now_full: usize,
    /// From where on this round is told in full when all of it does not fit, and the characters since.
    tail: (usize, usize),
    /// What belongs to earlier rounds, once something was said in this one, and which items of it are digested.
    earlier: Option<(GrowingLayer, Range<usize>)>,
    running: Option<(RoundShape, GrowingLayer)>,
    /// The items that are told as a digest.
    digested: Vec<Range<usize>>,
}

/// The way in which a round is worded, and how many of its items are in the text already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RoundShape {
    /// In full.
    Full,
    /// As a digest up to an item and in full from there.
    Tail { from: usize },
}

/// What stands before the last round where older ones are digested.
const OLDER: &str = "\n## Earlier rounds, in brief\n";
/// Older rounds are digested to this part of their length, and of the whole budget.
const OLDER_PART: (usize, usize) = (3, 4);
/// A digest of older rounds may always take this much, in characters.
const OLDER_LEAST: usize = 600;

impl History {
    /// An empty history. `written`: a digest by a mind, where there is one, names hidden.
    pub fn new(options: usize, budget: usize, keep: Keep, written: Option<WrittenDigest>) -> Self {
        Self {
            options,
            budget,
            keep,
            written,
            items: Vec::new(),
            now: None,
            now_full: 0,
            tail: (0, 0),
            earlier: None,
            running: None,
            digested: Vec::new(),
        }
    }

    /// Takes the next item.
    pub fn push(&mut self, item: HistoryItem, hide: Hide<'_>) {
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
        let (most, at) = (self.brief_budget() / 4, self.items.len());
        let (from, taken) = self.tail;
        self.tail = match (taken + length > most, length > most) {
            (false, _) => (from, taken + length),
            (true, true) => (at + 1, 0),
            (true, false) => (at, length),
        };
    }

    /// How long a digest of everything may be. What does not fit in full is read faster when it is much shorter.
    fn brief_budget(&self) -> usize {
        self.budget * 2 / 5
    }

    /// Statements that were told as a digest last time.
    pub fn digested(&self) -> impl Iterator<Item = &Worded> {
        let items = self.digested.iter().flat_map(|range| &self.items[range.clone()]);
        items.filter_map(|item| match &item.0 {
            ItemContent::Statement { worded, .. } => Some(&**worded),
            ItemContent::Other { .. } => None,
        })
    }

    /// What is told now. What belongs to earlier rounds stands first and is the same for everybody who is told it in
    /// this round; what was said in this round follows.
    pub fn layer(&mut self, hide: Hide<'_>) -> Layer {
        let Some(now) = self.now else {
            let (text, digested) = self.told_before(self.items.len(), false, hide);
            self.digested = vec![digested];
            return Layer::new(text);
        };
        if self.earlier.is_none() {
            let (text, digested) = self.told_before(now, true, hide);
            let mut earlier = GrowingLayer::new(text, now);
            earlier.hash(); // hashed once for all who speak in this round
            self.earlier = Some((earlier, digested));
        }
        let whole = self.now_full <= self.budget / 2;
        let shape = if whole { RoundShape::Full } else { RoundShape::Tail { from: self.tail.0 } };
        let mut running = match self.running.take() {
            Some((told, running)) if told == shape => running,
            Some(_) | None => self.begin(shape, now, hide),
        };
        for item in &self.items[running.told..] {
            if shape == (RoundShape::Tail { from: running.told }) {
                running.push("\n## Since then, in full\n");
            }
            running.push_item(item.told(self.options, hide));
        }
        let earlier = self.earlier.as_ref().map(|(_, digested)| digested.clone());
        let this_round = match shape {
            RoundShape::Full => None,
            RoundShape::Tail { from } => Some(now..from),
        };
        self.digested = earlier.into_iter().chain(this_round).collect();
        let layer = running.layer();
        self.running = Some((shape, running));
        layer
    }

    /// What was said before an item, and which items of it are digested. `shared`: whether this round needs half of the room.
    fn told_before(&self, end: usize, shared: bool, hide: Hide<'_>) -> (String, Range<usize>) {
        let items = &self.items[..end];
        if items.is_empty() {
            return (String::new(), 0..0);
        }
        let room = if shared { self.budget / 2 } else { self.budget };
        let from = self.in_full_from(end);
        // What cannot fit is not worded first: in a large council that would be most of the work.
        let least: usize = items[from..].iter().map(HistoryItem::least).sum();
        if least <= room {
            let last = self.in_full(from..end, hide);
            let (older, taken) = self.older(from, room.saturating_sub(counted(&last, &items[from..])), hide);
            if taken + counted(&last, &items[from..]) <= room {
                let digested = if older.is_empty() || self.is_whole(from, hide) { 0..0 } else { 0..from };
                let mut out = heading(if digested.is_empty() { COMPLETE } else { LAST_COMPLETE });
                out.push_str(&older);
                out.push_str(&last);
                return (out, digested);
            }
        }
        let material = material(items, self.options, hide);
        let budget = self.brief_budget() / if shared { 2 } else { 1 };
        (self.digest(&heading(DIGESTED), &material, budget, hide), 0..end)
    }

    /// Where the last round begins that stands before an item. Who judges or sums up is told all of them.
    fn in_full_from(&self, end: usize) -> usize {
        let items = &self.items[..end];
        match (self.keep, items.iter().rev().find_map(HistoryItem::round)) {
            (Keep::All, _) | (Keep::LastRound, None) => 0,
            (Keep::LastRound, Some(last)) => {
                items.iter().position(|item| item.round() == Some(last)).unwrap_or(0)
            }
        }
    }

    /// Rounds before an item, as a digest, with the characters that count of it.
    fn older(&self, end: usize, room: usize, hide: Hide<'_>) -> (String, usize) {
        let items = &self.items[..end];
        if self.is_whole(end, hide) {
            let text = self.in_full(0..end, hide);
            let taken = counted(&text, items);
            return (text, taken);
        }
        let material = material(items, self.options, hide);
        let length: usize = items.iter().map(HistoryItem::least).sum();
        let budget = (length / OLDER_PART.0).max(OLDER_LEAST).min(self.budget / OLDER_PART.1).min(room);
        let text = self.digest(OLDER, &material, budget, hide);
        let taken = text.len().saturating_sub(material.2);
        (text, taken)
    }

    /// Whether what stands before an item is so short that a digest would not be shorter.
    fn is_whole(&self, end: usize, hide: Hide<'_>) -> bool {
        let items = &self.items[..end];
        let least: usize = items.iter().map(HistoryItem::least).sum();
        least <= OLDER_LEAST && counted(&self.in_full(0..end, hide), items) <= OLDER_LEAST
    }

    /// Items in full, round by round.
    fn in_full(&self, range: Range<usize>, hide: Hide<'_>) -> String {
        let mut out = String::new();
        let mut before = None;
        for item in &self.items[range] {
            if let Some(round) = item.round().filter(|round| before != Some(*round)) {
                let _ = write!(out, "\n## Round {round}\n");
            }
            before = item.round();
            out.push_str(item.told(self.options, hide));
        }
        out
    }

    /// What stands before the items of this round that are told in full.
    fn begin(&self, shape: RoundShape, now: usize, hide: Hide<'_>) -> GrowingLayer {
        let nothing = || GrowingLayer::new(String::new(), now);
        let mut running = self.earlier.as_ref().map_or_else(nothing, |(earlier, _)| earlier.clone());
        if running.text.is_empty() {
            running.push(&heading(if shape == RoundShape::Full { COMPLETE } else { DIGESTED }));
        }
        match shape {
            RoundShape::Full => running.push("\n# This round so far\n"),
            RoundShape::Tail { from } => {
                let material = material(&self.items[now..from], self.options, hide);
                let heading = "\n# This round so far, in brief\n";
                running.push(&self.digest(heading, &material, self.brief_budget() / 4, hide));
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
        let material = DigestMaterial { said: said.clone(), rest, given: *given };
        let manner = DigestStyle { options: self.options, hide, written: self.written.as_ref() };
        digest::digest(heading, &material, budget, manner)
    }
}

const COMPLETE: &str = "Complete, oldest first.";
const LAST_COMPLETE: &str = "The last round is complete. Earlier rounds are a digest.";
const DIGESTED: &str = "A digest, with as many points for each side; not everything is repeated.";

/// The heading of everything: whether it is whole, and that quotations give no orders.
fn heading(how: &str) -> String {
    format!("\n# What was said\n\n{how} {QUOTED}")
}

/// The characters of a text that count against the budget.
fn counted(text: &str, items: &[HistoryItem]) -> usize {
    text.len().saturating_sub(items.iter().map(HistoryItem::given).sum::<usize>())
}

/// Statements apart from the rest, which is worded, with the characters of it that do not count.
fn material<'a>(
    items: &'a [HistoryItem],
    options: usize,
    hide: Hide<'_>,
) -> (Vec<&'a Worded>, String, usize) {
    let (mut said, mut rest, mut given) = (Vec::new(), String::new(), 0);
    for item in items {
        match &item.0 {
            ItemContent::Statement { worded, .. } => said.push(&**worded),
            ItemContent::Other { .. } => {
                rest.push_str(item.told(options, hide));
                given += item.given();
            }
        }
    }
    (said, rest, given)
}
