//! Breakers: what stops a comment in the thread of an issue, before any model reads it.
//!
//! Each is a pure function of the comment, of what is known of the thread and of the limits; none of them changes
//! anything. All are asked, so that an author learns of every breach at once. Who is exempt from what is said in one place,
//! [`Exemption`].
//!
//! To add one: a function in a file here, its line in [`examine_comment`], a variant of [`Breach`] and of
//! `kernel::Breaker`, a script that meets it.

mod advice;
mod budget;
mod calm;
mod evidence;
mod exchange;
mod language;
mod substance;

pub use evidence::EvidenceLack;
pub use exchange::alternates;
pub use language::keyword_words;

use super::{Breach, GateVerdict};
use crate::kernel::{AuthorClass, CommentKind, Id, Impact, Who};

/// The numbers a comment is held to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommentLimits {
    /// The fewest characters of a comment.
    pub chars_least: u32,
    /// The most characters of anything.
    pub chars_most: u32,
    /// Comments of one author on one issue.
    pub comments_each: u32,
    /// Comments of one issue.
    pub comments_total: u32,
    /// From this impact on evidence is needed.
    pub evidence_from: Impact,
    /// Whether files are cited with lines or words, not by their path alone: for an author under remediation.
    pub places_needed: bool,
    /// The fewest sources of what is more than wording: for an author under remediation, else 0.
    pub sources_least: u32,
    /// Exchanges between two authors that freeze.
    pub exchanges_most: u32,
    /// Different escalating words in one comment.
    pub keywords_most: u32,
    /// Which comment can resolve an issue at the earliest.
    pub resolution_from: u32,
    /// The fewest characters of a question or acknowledgement.
    pub short_chars_least: u32,
    /// Questions, and acknowledgements, of one author on one issue.
    pub short_each: u32,
    /// The fewest different words of a question or acknowledgement.
    pub short_words_least: u32,
    /// The fewest different words of a comment.
    pub words_least: u32,
}

/// What an author is exempt from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Exemption {
    /// Nothing.
    Nothing,
    /// Whatever freezes: budgets, exchanges, escalation.
    Freezing,
    /// Everything.
    All,
}

impl Exemption {
    fn of(class: AuthorClass) -> Self {
        match class {
            AuthorClass::User | AuthorClass::System => Self::All,
            AuthorClass::Moderator => Self::Freezing,
            AuthorClass::Agent => Self::Nothing,
        }
    }
}

/// A comment that somebody wants to make.
#[derive(Debug, Clone)]
pub struct OfferedComment<'a> {
    /// Its words.
    pub body: &'a str,
    /// In which capacity its author writes.
    pub class: AuthorClass,
    /// Words that escalate, in this house.
    pub keywords: &'a [String],
    /// What it is meant as.
    pub kind: CommentKind,
    /// How much it would change. One that says nothing counts as minor.
    pub impact: Option<Impact>,
    /// Whether it would resolve the issue.
    pub resolves: bool,
    /// Whether it uses up its author's budget: what is written under an order does not.
    pub uses_budget: bool,
    /// What it cites: files, issues, entries of the canon.
    pub cites: CitedReferences,
    /// Who writes.
    pub who: &'a Who,
}

/// How many references of each sort a comment has.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CitedReferences {
    /// Files.
    pub files: u32,
    /// How many of them are named by their path alone.
    pub bare_files: u32,
    /// Issues that exist.
    pub issues: u32,
    /// Entries of the canon that exist.
    pub canon: u32,
    /// Issues that do not exist, by number.
    pub unknown_issues: Vec<u64>,
    /// Entries of the canon that do not exist, by name.
    pub unknown_canon: Vec<String>,
}

/// What the gate has to know of the thread.
#[derive(Debug, Clone, Default)]
pub struct ThreadFacts<'a> {
    /// How many of this kind the author has that count.
    pub own: u32,
    /// How many comments the thread has that count.
    pub counted: u32,
    /// How many comments and questions it has in all.
    pub said: u32,
    /// How many of them others wrote.
    pub others: u32,
    /// What its comments say that the author has seen, with who wrote it.
    pub earlier: Vec<(Id, &'a Who, &'a str)>,
    /// Who wrote last, latest first, without those who do not count for exchanges.
    pub latest: Vec<&'a Who>,
}

/// Every breach of a comment, in the order of `Breaker::ALL`; an empty list lets it pass.
pub fn examine_comment(
    limits: &CommentLimits,
    offered: &OfferedComment<'_>,
    thread: &ThreadFacts<'_>,
) -> Vec<Breach> {
    let exempt = Exemption::of(offered.class);
    let mut breaches = Vec::new();
    // Nothing that large is stored, whoever writes it.
    breaches.extend(substance::too_long(limits, offered));
    if exempt == Exemption::All {
        return breaches;
    }
    if exempt == Exemption::Nothing {
        breaches.extend(budget::exceeded(limits, offered, thread));
        breaches.extend(budget::full(limits, offered, thread));
        breaches.extend(language::escalates(limits, offered));
        breaches.extend(exchange::ping_pong(limits, offered, thread));
    }
    breaches.extend(substance::too_short(limits, offered));
    breaches.extend(substance::too_few_words(limits, offered));
    breaches.extend(evidence::missing(limits, offered));
    breaches.extend(budget::premature(limits, offered, thread));
    // A copy that breaks another rule is stopped by that one, and freezes where that freezes.
    if breaches.is_empty() {
        breaches.extend(substance::repeated(limits, offered, thread));
    }
    breaches
}

/// The fate of a comment. One whose author has frozen too many issues already is rejected where it would freeze one more.
pub fn comment_verdict(breaches: &[Breach], may_freeze: bool) -> GateVerdict {
    match super::verdict(breaches) {
        GateVerdict::Freeze if !may_freeze => GateVerdict::Reject,
        verdict => verdict,
    }
}

/// How many escalating words an author may use: none while they are dampened.
pub fn keywords_allowed(limits: &CommentLimits, dampened: bool) -> u32 {
    if dampened { 0 } else { limits.keywords_most }
}
