//! What was done to an answer so that it could be read, in plain words, and what that means for a reader.
//!
//! To add a code: a row of [`KNOWN`]. A code that has none counts as a changed value and is shown by its own detail.

use super::{RepairedAnswer, Report};
use crate::brief::GUESSED;
use crate::kernel::Repair;

/// What a repair did to the answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
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
const KNOWN: [(&str, Effect, &str); 35] = [
    ("answer-unusable", Effect::Unread, "the proposed answer was empty or a word of the ballot"),
    ("asked-again", Effect::Changed, "the vote could be read only on the second try"),
    ("bare-line-break", Effect::Format, "line breaks inside a JSON string"),
    ("bare-quote", Effect::Format, "unescaped quotes in the JSON"),
    (GUESSED, Effect::Changed, "the choice was found in prose"),
    ("choice-unknown", Effect::Unread, "the choice could not be read"),
    ("comment", Effect::Format, "comments in the JSON"),
    ("confidence-clamped", Effect::Changed, "a confidence outside 0 to 1 was corrected"),
    ("confidence-percent", Effect::Changed, "a confidence in per cent was converted"),
    ("confidence-unreadable", Effect::Changed, "an unreadable confidence was dropped"),
    ("contradiction", Effect::Unread, "it contradicts itself, so the value is unknown"),
    ("cut", Effect::Changed, "text over the limit was shortened"),
    ("fenced", Effect::Format, "JSON inside other text"),
    ("groups-unknown", Effect::Unread, "the groups could not be read"),
    ("marks-unknown", Effect::Unread, "the ballot could not be read"),
    ("missing-comma", Effect::Format, "a missing comma"),
    ("nested-choice", Effect::Format, "the choice stood inside a list or an object"),
    ("number-ambiguous", Effect::Unread, "the number can be read in two ways, so it is unknown"),
    ("number-in-prose", Effect::Changed, "the number was found in prose"),
    ("number-range", Effect::Unread, "a range instead of one number, so the number is unknown"),
    ("number-unit", Effect::Unread, "the number has another unit, so it is unknown"),
    ("number-unreadable", Effect::Unread, "the number could not be read"),
    ("odd-escape", Effect::Format, "an odd escape in the JSON"),
    ("odd-literal", Effect::Format, "an odd literal such as None or True"),
    ("odd-quotes", Effect::Format, "odd quotes"),
    ("prose", Effect::Changed, "not in the requested form, so its text was kept"),
    ("range-unknown", Effect::Changed, "a range without its own best number was dropped"),
    ("sections", Effect::Changed, "read from sections with headings"),
    ("text", Effect::Unread, "plain text instead of JSON"),
    ("thinking", Effect::Format, "thinking aloud was left out"),
    ("trailing-comma", Effect::Format, "a trailing comma"),
    ("translated-choice", Effect::Format, "the choice was given in another language"),
    ("unclosed", Effect::Incomplete, UNCLOSED),
    ("unquoted-key", Effect::Format, "keys without quotes"),
    ("unquoted-text", Effect::Format, "text without quotes"),
];

/// What is known is that the JSON is not closed. Nearly always the model had to stop there.
const UNCLOSED: &str =
    "it ends in the middle, most likely at the output limit; raise max_output_tokens in providers.toml";

impl Repair {
    /// What it did to the answer.
    pub fn effect(&self) -> Effect {
        row(&self.code).map_or(Effect::Changed, |(_, effect, _)| *effect)
    }

    /// What was done, in plain words.
    pub fn plainly(&self) -> &str {
        row(&self.code).map_or(&*self.detail, |(_, _, words)| words)
    }
}

impl RepairedAnswer {
    /// Its repairs with this effect. That an answer is plain text says nothing more where its choice was found there.
    pub fn with(&self, effect: Effect) -> Vec<&Repair> {
        let found = self.repairs.iter().any(|repair| repair.effect() == Effect::Changed);
        let says_more = |repair: &&Repair| !(found && repair.code == "text");
        self.repairs.iter().filter(|repair| repair.effect() == effect).filter(says_more).collect()
    }
}

fn row(code: &str) -> Option<&'static (&'static str, Effect, &'static str)> {
    KNOWN.iter().find(|(known, ..)| *known == code)
}

/// Statements, and ballots of the deciding vote, that a repair with this effect made readable.
pub(super) fn answers_with(report: &Report, effect: Effect) -> usize {
    let said = report.rounds.iter().flat_map(|round| &round.said).map(|said| said.repairs.as_slice());
    let votes = report.deciding().into_iter().flat_map(|ballot| &ballot.votes).map(|vote| &vote.repairs);
    // Votes read from prose have a caveat of their own.
    let votes = votes.filter(|repairs| repairs.iter().all(|repair| repair.code != GUESSED));
    let has = |repairs: &&[Repair]| repairs.iter().any(|repair| repair.effect() == effect);
    said.chain(votes.map(Vec::as_slice)).filter(has).count()
}
