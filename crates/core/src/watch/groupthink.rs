//! Signs that an agreement may not be thought.
//!
//! Each is raised only on what is known: a missing confidence, a missing text or a voice whose side cannot
//! be told raises nothing. With fewer than three known voices there is no group.

use super::sides::{Sides, alike};
use super::voices::{Heard, Said, filled, pieces};
use super::{Indicator, Rules, exit};
use crate::kernel::prose::Prose;
use crate::kernel::prose::index::Sieve;
use crate::kernel::prose::phrase::refers;
use crate::kernel::prose::token::{Token, Tokens, folded, tokens};
use crate::kernel::{Choice, Who};

const GROUP: usize = 3;

/// Beginnings of words by which a text shows that it looked at another way. Folded.
const ALTERNATIVES: [&str; 37] = [
    "alternativ",
    "instead",
    "otherwise",
    "tradeoff",
    "downside",
    "drawback",
    "disadvantage",
    "counter",
    "objection",
    "opponent",
    "opposing",
    "caveat",
    "option",
    "stattdessen",
    "andererseits",
    "einwand",
    "einwänd",
    "gegenargument",
    "gegenteil",
    "nachteil",
    "abwäg",
    "anderenfalls",
    "andernfalls",
    "inconvénient",
    "désavantage",
    "plutôt",
    "desventaja",
    "desvantage",
    "svantagg",
    "nadeel",
    "nadelen",
    "альтернатив",
    "недостат",
    "возраж",
    "вместо",
    "بديل",
    "대안",
];

/// The same of two words.
const ALTERNATIVE_PAIRS: [(&str, &str); 7] = [
    ("rather", "than"),
    ("other", "hand"),
    ("other", "side"),
    ("trade", "off"),
    ("trade", "offs"),
    ("andere", "seite"),
    ("anderen", "seite"),
];

static SIEVE: Sieve = {
    let mut sieve = Sieve::of(&ALTERNATIVES);
    let mut at = 0;
    while at < ALTERNATIVE_PAIRS.len() {
        sieve = sieve.with(ALTERNATIVE_PAIRS[at].0);
        at += 1;
    }
    sieve
};

/// The same in scripts without blanks.
const RUN_ALTERNATIVES: [&str; 12] =
    ["替代", "另一", "缺点", "缺點", "反对", "反對", "反面", "代わり", "代替", "欠点", "選択肢", "反論"];

/// The signs in the last of some rounds, whose sides are given.
pub(super) fn signs(rules: &Rules, rounds: &[Heard<'_>], sides: &Sides) -> Vec<Indicator> {
    let Some((last, before)) = rounds.split_last() else { return Vec::new() };
    if sides.known() < GROUP {
        return Vec::new();
    }
    let then = before.last();
    let mut found = Vec::new();
    if sure_and_alike(rules, last, sides) {
        found.push(Indicator::ConfidentAndAlike);
    }
    if no_alternative(last, sides) {
        found.push(Indicator::NoAlternative);
    }
    let dropped = then.map(|then| dropped(last, then, sides)).unwrap_or_default();
    found.extend(dropped.into_iter().map(|who| Indicator::DissentDropped { who }));
    let referring = last.free.iter().filter(|voice| by_reference(voice, last, then));
    found.extend(referring.map(|voice| Indicator::ByReference { who: voice.voice.who.clone() }));
    found
}

/// Whether every free voice is known to be on one and the same side.
fn on_one_side(last: &Heard<'_>, sides: &Sides) -> bool {
    sides.groups.len() == 1 && sides.known() == last.free.len()
}

fn sure_and_alike(rules: &Rules, last: &Heard<'_>, sides: &Sides) -> bool {
    let sure = last.least_confidence().is_some_and(|least| exit::meets(rules.confidence, least));
    let [group] = sides.groups.as_slice() else { return false };
    let Some(surest) = group.surest else { return false };
    sure && on_one_side(last, sides) && group.members.iter().all(|at| alike(&last.free, *at, surest))
}

fn no_alternative(last: &Heard<'_>, sides: &Sides) -> bool {
    let weighs = |said: &Said<'_>| {
        said.voice.objection || pieces(said.voice.response).any(|piece| looks_elsewhere(piece) != Some(false))
    };
    let speaks = |said: &Said<'_>| pieces(said.voice.response).next().is_some();
    on_one_side(last, sides) && last.free.iter().all(speaks) && !last.free.iter().any(weighs)
}

/// Whether a text names another way. `None` in a script whose words for it are not known here.
fn looks_elsewhere(text: &str) -> Option<bool> {
    let folded = folded(text);
    let mut tokens = tokens(&folded);
    while let Some(token) = tokens.next() {
        let named = match token {
            Token::Word(word) | Token::Part(word) => is_alternative(word, &tokens),
            Token::Run(run) => RUN_ALTERNATIVES.iter().any(|known| run.contains(known)),
            Token::Break | Token::Stop => false,
        };
        if named {
            return Some(true);
        }
    }
    let is_read = |c: char| {
        matches!(c, '\0'..='\u{36f}' | '\u{400}'..='\u{52f}' | '\u{600}'..='\u{6ff}'
        | '\u{1e00}'..='\u{1eff}' | '\u{2000}'..='\u{2bff}' | '\u{3000}'..='\u{9fff}' | '\u{ac00}'..='\u{d7ff}')
    };
    let is_known = folded.is_ascii() || !folded.chars().any(|c| c.is_alphabetic() && !is_read(c));
    is_known.then_some(false)
}

/// Whether a word shows another way, by itself or with the one after it.
fn is_alternative(word: &str, after: &Tokens<'_>) -> bool {
    if !SIEVE.lets_through(word) {
        return false;
    }
    let pairs =
        |(first, then): &(&str, &str)| *first == word && after.clone().next() == Some(Token::Word(then));
    ALTERNATIVES.iter().any(|known| word.starts_with(known)) || ALTERNATIVE_PAIRS.iter().any(pairs)
}

/// Who left a minority for the majority, both sides named, without anything that was not there before.
fn dropped<'a>(last: &Heard<'a>, then: &Heard<'a>, sides: &Sides) -> Vec<Who> {
    let earlier = Sides::of(&then.free);
    let side = |sides: &Sides| sides.majority().map(|group| group.stance);
    let Some(majority) = side(sides).filter(|now| side(&earlier) == Some(*now)) else { return Vec::new() };
    let dissented = |who: &Who| match then.free_voice(who).and_then(|said| said.stance) {
        None | Some(Choice::Neutral) => false,
        Some(stance) => stance != majority,
    };
    let changed = last.free.iter().filter(|now| now.stance == Some(majority) && dissented(now.voice.who));
    let adds = |now: &&Said<'_>| {
        let told = |own: &Prose| then.all().flat_map(Said::sentences).any(|old| old.tells(own));
        now.statements().any(|own| !told(own))
    };
    changed.filter(|now| !adds(now)).map(|now| now.voice.who.clone()).collect()
}

/// Whether a voice points at others and says nothing that they do not say, in this round or the one before.
/// An ordered voice is no free opinion, but its arguments are there.
fn by_reference<'a>(voice: &Said<'a>, now: &Heard<'a>, then: Option<&Heard<'a>>) -> bool {
    let response = voice.voice.response;
    let mut given = filled(&response.position).into_iter().chain(filled(&response.reasoning));
    if !given.any(refers) {
        return false;
    }
    let told = now.all().chain(then.into_iter().flat_map(Heard::all));
    let others: Vec<&Said<'_>> = told.filter(|other| other.voice.who != voice.voice.who).collect();
    let stated = |own: &Prose| others.iter().flat_map(|other| other.sentences()).any(|one| one.tells(own));
    voice.statements().all(stated)
}
