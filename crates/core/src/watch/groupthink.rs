//! Signs that an agreement may not be thought.
//!
//! Each is raised only on what is known: a missing confidence, a missing text or a voice whose side cannot
//! be told raises nothing. With fewer than three known voices there is no group.

use std::cell::OnceCell;

use super::phrase::{Content, refers, sentences};
use super::prose::Prose;
use super::sides::{Sides, alike};
use super::token::{Token, folded, tokens};
use super::voices::{Heard, Said, filled, pieces};
use super::{Indicator, Rules, exit};
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

/// The same in scripts without blanks.
const RUN_ALTERNATIVES: [&str; 12] =
    ["替代", "另一", "缺点", "缺點", "反对", "反對", "反面", "代わり", "代替", "欠点", "選択肢", "反論"];

/// The signs in the last of some rounds, whose sides are given.
pub(super) fn signs(rules: &Rules, rounds: &[Heard<'_>], sides: &Sides) -> Vec<Indicator> {
    let Some((last, before)) = rounds.split_last() else { return Vec::new() };
    if sides.known() < GROUP {
        return Vec::new();
    }
    let (now, then) = (Told::of(last), before.last().map(Told::of));
    let mut found = Vec::new();
    if sure_and_alike(rules, last, sides) {
        found.push(Indicator::ConfidentAndAlike);
    }
    if no_alternative(last, sides) {
        found.push(Indicator::NoAlternative);
    }
    let dropped = then.as_ref().map(|then| dropped(last, then, sides)).unwrap_or_default();
    found.extend(dropped.into_iter().map(|who| Indicator::DissentDropped { who }));
    let referring = last.free.iter().filter(|voice| by_reference(voice, &now, then.as_ref()));
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
    let tokens = tokens(&folded);
    let named = tokens.iter().enumerate().any(|(at, token)| match token {
        Token::Word(word) | Token::Part(word) => {
            let next = tokens.get(at + 1);
            let pairs = |(first, then): &(&str, &str)| first == word && next == Some(&Token::Word(then));
            ALTERNATIVES.iter().any(|known| word.starts_with(known)) || ALTERNATIVE_PAIRS.iter().any(pairs)
        }
        Token::Run(run) => RUN_ALTERNATIVES.iter().any(|known| run.contains(known)),
        Token::Break | Token::Stop => false,
    });
    let is_read = |c: char| {
        matches!(c, '\0'..='\u{36f}' | '\u{400}'..='\u{52f}' | '\u{600}'..='\u{6ff}'
        | '\u{1e00}'..='\u{1eff}' | '\u{2000}'..='\u{2bff}' | '\u{3000}'..='\u{9fff}' | '\u{ac00}'..='\u{d7ff}')
    };
    if !named && folded.chars().any(|c| c.is_alphabetic() && !is_read(c)) { None } else { Some(named) }
}

/// Who left a minority for the majority, both sides named, without anything that was not there before.
fn dropped(last: &Heard<'_>, then: &Told<'_, '_>, sides: &Sides) -> Vec<Who> {
    let earlier = Sides::of(&then.round.free);
    let side = |sides: &Sides| sides.majority().and_then(|group| group.stance);
    let Some(majority) = side(sides).filter(|now| side(&earlier) == Some(*now)) else { return Vec::new() };
    let dissented = |who: &Who| match then.round.free_voice(who).and_then(|said| said.stance) {
        None | Some(Choice::Neutral) => false,
        Some(stance) => stance != majority,
    };
    let changed = last.free.iter().filter(|now| now.stance == Some(majority) && dissented(now.voice.who));
    let adds = |now: &&Said<'_>| {
        statements(now).iter().any(|own| !then.all().iter().any(|(_, old)| own.repeats(old)))
    };
    changed.filter(|now| !adds(now)).map(|now| now.voice.who.clone()).collect()
}

/// Whether a voice points at others and says nothing that they do not say, in this round or the one before.
fn by_reference(voice: &Said<'_>, now: &Told<'_, '_>, then: Option<&Told<'_, '_>>) -> bool {
    let response = voice.voice.response;
    let mut given = filled(&response.position).into_iter().chain(filled(&response.reasoning));
    if !given.any(refers) {
        return false;
    }
    let others = || {
        let told = now.all().iter().chain(then.map(Told::all).unwrap_or_default());
        told.filter(|(who, _)| *who != voice.voice.who).map(|(_, prose)| prose)
    };
    statements(voice).iter().all(|own| others().any(|other| own.repeats(other)))
}

/// All that was stated in a round and by whom, put together once it is needed.
struct Told<'h, 'a> {
    round: &'h Heard<'a>,
    all: OnceCell<Vec<(&'a Who, Prose)>>,
}

impl<'h, 'a> Told<'h, 'a> {
    fn of(round: &'h Heard<'a>) -> Self {
        Self { round, all: OnceCell::new() }
    }

    /// An ordered voice is no free opinion, but its arguments are there.
    fn all(&self) -> &[(&'a Who, Prose)] {
        self.all.get_or_init(|| {
            let each = |said: &Said<'a>| {
                let who = said.voice.who;
                statements(said).into_iter().map(move |prose| (who, prose))
            };
            self.round.all().flat_map(each).collect()
        })
    }
}

/// The sentences of a voice that say something, references to others left out.
fn statements(said: &Said<'_>) -> Vec<Prose> {
    let all = pieces(said.voice.response).flat_map(sentences);
    all.filter(|sentence| Content::of(sentence).is_statement()).map(Prose::of).collect()
}
