//! Claims: what a text states, as subject, attribute and value.
//!
//! They are read without a model, from English and German, by the shapes of sentences and small lists of words
//! (`lists.rs`). Sooner no claim than a wrong one: questions, conditions, plans, reported speech, quotations and code
//! state nothing, and a sentence that fits no shape is left unread.
//!
//! To teach it a word: `lists.rs`. To teach it a shape of sentence: `shape.rs`. Either makes the same text come to other
//! claims, so it needs a new edition of the rules once a house has been judged by them.

mod clause;
mod described;
mod frame;
mod lists;
mod named;
mod number;
mod passage;
mod shape;
mod skip;
mod stem;
mod token;
mod units;
mod value;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

use crate::kernel::{Number, text, words};

pub use value::{ClaimDate, ClaimValue, Quantity};

/// The longest sentence that is read, in words: what is longer is a list or noise.
const WORDS_MOST: usize = 80;
/// The longest excerpt of a sentence that is kept with its claim, in characters.
pub const SAID_MOST: usize = 200;

/// Where a word may be broken, and marks without a width. A space without a width ends a word and stays.
const UNSEEN: [char; 3] = ['\u{ad}', '\u{2060}', '\u{feff}'];

/// Something a text states. Words are in their basic form, and German words that the lists know are in English, so that
/// `Maras Augen sind grün` and `Mara has green eyes` are one claim.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// Of what: `eye`, `port`. Empty if the claim is about the subject as a whole.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub attribute: String,
    /// It says that this is not so.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub denied: bool,
    /// It says so of all, or at all times.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub every: bool,
    /// Other values may hold besides: `also`, a friend among several.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub among_others: bool,
    /// The sentence it was read from, or the words of whoever proposed it.
    pub said: String,
    /// Where or for whom it holds, if it says so: `staging`, `winter`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scope: Vec<String>,
    /// Whom or what it is about: `mara`.
    pub subject: String,
    /// When it holds.
    #[serde(default, skip_serializing_if = "ClaimTime::is_present")]
    pub time: ClaimTime,
    /// What is said of it.
    pub value: ClaimValue,
}

words!(struct Claim { attribute, said, scope, subject, value | among_others, denied, every, time });

/// When a claim holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimTime {
    /// In the present, or without regard to time.
    #[default]
    Present,
    /// In the past tense, and nothing says that it is over: how stories are told.
    Told,
    /// It is said to be over.
    Over,
    /// It is yet to come.
    Ahead,
    /// From one year to another; an open end is left out.
    Years {
        /// The first.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<i32>,
        /// The last.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to: Option<i32>,
    },
}

impl ClaimTime {
    fn is_present(&self) -> bool {
        *self == Self::Present
    }

    /// Whether both can hold at one time. `lasting`: what is claimed rarely changes, as the colour of eyes.
    fn meets(self, other: Self, lasting: bool) -> bool {
        match (self, other) {
            (Self::Present, Self::Present)
            | (Self::Told, Self::Told)
            | (Self::Over, Self::Over)
            | (Self::Ahead, Self::Ahead) => true,
            (Self::Present, Self::Told) | (Self::Told, Self::Present) => lasting,
            (Self::Years { from, to }, Self::Years { from: since, to: until }) => {
                from.zip(until).is_none_or(|(from, until)| from <= until)
                    && since.zip(to).is_none_or(|(since, to)| since <= to)
            }
            // What began and did not end holds now.
            (Self::Present, Self::Years { to, .. }) | (Self::Years { to, .. }, Self::Present) => to.is_none(),
            (Self::Told | Self::Over | Self::Ahead, _) | (_, Self::Told | Self::Over | Self::Ahead) => false,
        }
    }
}

/// A claim and the line of the text it stands on, counted from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundClaim {
    /// The claim.
    pub claim: Claim,
    /// Where its sentence begins.
    pub line: u32,
}

/// The claims of a text, in order. The same text always has the same claims.
pub fn claims(text: &str) -> Vec<FoundClaim> {
    claims_where(text, |_| true)
}

/// The same, of those sentences only that hold a word for which `wanted` holds. Words are given in their basic form.
pub(super) fn claims_where(text: &str, wanted: impl Fn(&str) -> bool) -> Vec<FoundClaim> {
    let mut found = Vec::new();
    // Letters with marks of their own are compared as the letters that people see.
    let composed: Cow<'_, str> = match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => text.into(),
        IsNormalized::No | IsNormalized::Maybe => text.nfc().collect::<String>().into(),
    };
    // Marks that nobody sees cut a word in two.
    let composed: Cow<'_, str> = match composed.contains(UNSEEN) {
        true => composed.replace(UNSEEN, "").into(),
        false => composed,
    };
    for sentence in passage::sentences(&composed) {
        let Some(read) = token::read(&sentence) else { continue };
        if !read.tokens.iter().any(|token| token.basic.split(' ').any(&wanted)) {
            continue;
        }
        let said = text::excerpt(&text::one_line(&sentence.written), SAID_MOST).into_owned();
        for claim in shape::claims(&read, &said) {
            found.push(FoundClaim { claim, line: sentence.line });
        }
    }
    found
}

impl Claim {
    /// The words by which claims about the same thing are found: those of subject and attribute, sorted. For claims
    /// that only say whether something is so their order matters: `Tom loves Mara` is not `Mara loves Tom`.
    pub fn topic(&self) -> String {
        let mut words: Vec<&str> = self
            .subject
            .split(' ')
            .chain(self.attribute.split(' '))
            .filter(|word| !word.is_empty())
            .collect();
        if self.value.is_bare() {
            return format!("= {}", words.join(" "));
        }
        words.sort_unstable();
        words.dedup();
        words.join(" ")
    }

    /// The word of the subject that is rarest in texts: the longest. Words of the attribute may stand for others: `material`
    /// for `made of`.
    pub(super) fn rarest_word(&self) -> &str {
        let words = self.subject.split(' ');
        words.max_by_key(|word| (word.len(), *word)).unwrap_or_default()
    }

    /// Whether both cannot be true.
    pub fn contradicts(&self, other: &Self) -> bool {
        let lasting = self.value.is_lasting() && other.value.is_lasting();
        self.topic() == other.topic()
            && self.time.meets(other.time, lasting)
            && self.reaches(other)
            && self.differs(other)
    }

    /// Whether what one says covers what the other speaks of. A claim for one place is no exception to a claim for
    /// another, and an exception to a plain claim contradicts it only if that claims to hold always.
    fn reaches(&self, other: &Self) -> bool {
        self.scope == other.scope
            || (self.scope.is_empty() && self.every)
            || (other.scope.is_empty() && other.every)
    }

    fn differs(&self, other: &Self) -> bool {
        match (self.denied, other.denied) {
            (false, false) => !self.among_others && !other.among_others && self.value.excludes(&other.value),
            (true, false) => self.denies(other),
            (false, true) => other.denies(self),
            (true, true) => false,
        }
    }

    /// Whether this denial denies what the other says. `Not all dragons` denies only `all dragons`.
    fn denies(&self, other: &Self) -> bool {
        (!self.every || other.every) && self.value.covers(&other.value)
    }

    /// The claim in words, for messages: `mara eye: green`.
    pub fn in_words(&self) -> String {
        let of = [self.subject.as_str(), self.attribute.as_str()].join(" ");
        let not = if self.denied { "not " } else { "" };
        match self.value.is_bare() {
            true => format!("{not}{}", of.trim()),
            false => format!("{}: {not}{}", of.trim(), self.value),
        }
    }

    /// A claim that a program or a person puts into fields, with the same basic forms as those read from text.
    /// `None` if nothing is left of a field.
    pub fn given(
        subject: &str,
        attribute: &str,
        value: ClaimValue,
        denied: bool,
        said: &str,
    ) -> Option<Self> {
        let basic = |words: &str| {
            let words = text::words(words).map(text::fold).map(|word| stem::basic(&word, false));
            words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
        };
        let subject = basic(subject);
        (!subject.is_empty()).then(|| Self {
            attribute: basic(attribute),
            denied,
            every: false,
            among_others: false,
            said: text::excerpt(said, SAID_MOST).into_owned(),
            scope: Vec::new(),
            subject,
            time: ClaimTime::Present,
            value,
        })
    }
}

/// The basic forms of a folded word: as an English word, as a German one, and without the `s` of a German owner. The first is the one
/// that claims use.
pub(super) fn basic_forms(word: &str) -> Vec<String> {
    let mut forms: Vec<String> = Vec::new();
    let owner = word.strip_suffix('s').filter(|stem| stem.len() > 2);
    let basics = [stem::basic(word, false), stem::basic(word, true)];
    let parts = basics.iter().flat_map(|basic| basic.split(' ')).chain(owner);
    for part in parts.filter(|part| !part.is_empty()) {
        if !forms.iter().any(|form| form == part) {
            forms.push(part.to_string());
        }
    }
    forms
}

/// A whole number, for lists and tests.
fn whole(value: i64) -> Number {
    Number::whole(value)
}
