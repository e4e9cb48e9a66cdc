//! What was done to an answer so that it could be read, in plain words, and what that means for a reader.
//!
//! To add a code: a row of [`KNOWN`]. A code that has none counts as a changed value and is shown by its own detail.

use super::{RepairedAnswer, Report};
use crate::brief::{GUESSED, INFERRED, TOKEN};
use crate::kernel::Repair;

/// What a repair did to the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepairEffect {
    /// Mere form: the value was there, in other clothes.
    Format,
    /// A value is not what was written: taken from prose, shortened, corrected, or given only when asked again.
    Changed,
    /// Nothing was made of it: a value is unknown. Other caveats say so where it matters.
    Unread,
    /// The answer ends in the middle.
    Incomplete,
}

/// Every code, what it did, and what people read.
const KNOWN: [(&str, RepairEffect, &str); 37] = [
    ("answer-unusable", RepairEffect::Unread, "the proposed answer was empty or a word of the ballot"),
    ("asked-again", RepairEffect::Changed, "the vote could be read only on the second try"),
    ("bare-line-break", RepairEffect::Format, "line breaks inside a JSON string"),
    ("bare-quote", RepairEffect::Format, "unescaped quotes in the JSON"),
    (GUESSED, RepairEffect::Changed, "the choice was found in prose"),
    (INFERRED, RepairEffect::Unread, "no choice is written; what its prose suggests is not counted"),
    (TOKEN, RepairEffect::Format, "the choice was written among other text"),
    ("choice-unknown", RepairEffect::Unread, "the choice could not be read"),
    ("comment", RepairEffect::Format, "comments in the JSON"),
    ("confidence-clamped", RepairEffect::Changed, "a confidence outside 0 to 1 was corrected"),
    ("confidence-percent", RepairEffect::Changed, "a confidence in per cent was converted"),
    ("confidence-unreadable", RepairEffect::Changed, "an unreadable confidence was dropped"),
    ("contradiction", RepairEffect::Unread, "it contradicts itself, so the value is unknown"),
    ("cut", RepairEffect::Changed, "text over the limit was shortened"),
    ("fenced", RepairEffect::Format, "JSON inside other text"),
    ("groups-unknown", RepairEffect::Unread, "the groups could not be read"),
    ("marks-unknown", RepairEffect::Unread, "the ballot could not be read"),
    ("missing-comma", RepairEffect::Format, "a missing comma"),
    ("nested-choice", RepairEffect::Format, "the choice stood inside a list or an object"),
    ("number-ambiguous", RepairEffect::Unread, "the number can be read in two ways, so it is unknown"),
    ("number-in-prose", RepairEffect::Changed, "the number was found in prose"),
    ("number-range", RepairEffect::Unread, "a range instead of one number, so the number is unknown"),
    ("number-unit", RepairEffect::Unread, "the number has another unit, so it is unknown"),
    ("number-unreadable", RepairEffect::Unread, "the number could not be read"),
    ("odd-escape", RepairEffect::Format, "an odd escape in the JSON"),
    ("odd-literal", RepairEffect::Format, "an odd literal such as None or True"),
    ("odd-quotes", RepairEffect::Format, "odd quotes"),
    ("prose", RepairEffect::Changed, "not in the requested form, so its text was kept"),
    ("range-unknown", RepairEffect::Changed, "a range without its own best number was dropped"),
    ("sections", RepairEffect::Changed, "read from sections with headings"),
    ("text", RepairEffect::Unread, "plain text instead of JSON"),
    ("thinking", RepairEffect::Format, "thinking aloud was left out"),
    ("trailing-comma", RepairEffect::Format, "a trailing comma"),
    ("translated-choice", RepairEffect::Format, "the choice was given in another language"),
    ("unclosed", RepairEffect::Incomplete, UNCLOSED),
    ("unquoted-key", RepairEffect::Format, "keys without quotes"),
    ("unquoted-text", RepairEffect::Format, "text without quotes"),
];

/// What is known is that the JSON is not closed. Nearly always the model had to stop there.
const UNCLOSED: &str =
    "it ends in the middle, most likely at the output limit; raise max_output_tokens in providers.toml";

impl Repair {
    /// What it did to the answer.
    pub fn effect(&self) -> RepairEffect {
        row(&self.code).map_or(RepairEffect::Changed, |(_, effect, _)| *effect)
    }

    /// What was done, in plain words.
    pub fn plainly(&self) -> &str {
        row(&self.code).map_or(&*self.detail, |(_, _, words)| words)
    }
}

impl RepairedAnswer {
    /// Its repairs with this effect. That an answer is plain text says nothing more where its choice was found there.
    pub fn with(&self, effect: RepairEffect) -> Vec<&Repair> {
        let is_found = |repair: &Repair| repair.effect() == RepairEffect::Changed || repair.code == TOKEN;
        let found = self.repairs.iter().any(is_found);
        let says_more = |repair: &&Repair| !(found && repair.code == "text");
        self.repairs.iter().filter(|repair| repair.effect() == effect).filter(says_more).collect()
    }
}

fn row(code: &str) -> Option<&'static (&'static str, RepairEffect, &'static str)> {
    KNOWN.iter().find(|(known, ..)| *known == code)
}

/// Statements, and ballots of the deciding vote, that a repair with this effect made readable.
pub(super) fn answers_with(report: &Report, effect: RepairEffect) -> usize {
    let said = report.rounds.iter().flat_map(|round| &round.said).map(|said| said.repairs.as_slice());
    let votes = report.deciding().into_iter().flat_map(|ballot| &ballot.votes).map(|vote| &vote.repairs);
    // Votes read from prose have a caveat of their own.
    let votes = votes.filter(|repairs| repairs.iter().all(|repair| repair.code != GUESSED));
    let has = |repairs: &&[Repair]| repairs.iter().any(|repair| repair.effect() == effect);
    said.chain(votes.map(Vec::as_slice)).filter(has).count()
}
