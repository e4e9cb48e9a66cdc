//! Signs that an agreement may not be thought.
//!
//! Each is raised only on what is known: a missing confidence, a missing text or a voice whose side cannot
//! be told raises nothing. With fewer than three known voices there is no group.

use super::sides::{Sides, alike};
use super::voices::{HeardVoice, RoundVoices, VoiceSentence, filled, pieces};
use super::{Indicator, Rules, exit};
use crate::kernel::prose::index::Sieve;
use crate::kernel::prose::phrase::refers;
use crate::kernel::prose::token::{ProseTokens, Token, folded, tokens};
use crate::kernel::prose::{Nameable, Prose, denies, is_gone, says_none};
use crate::kernel::{Choice, Reading, Who};

const GROUP: usize = 3;

/// Beginnings of words by which a text shows that it looked at another way. Folded.
const ALTERNATIVES: [&str; 62] = [
    "alternativ",
    "instead",
    "otherwise",
    "tradeoff",
    "downside",
    "drawback",
    "disadvantage",
    "counterarg",
    "counterpoint",
    "counterex",
    "objection",
    "opponent",
    "opposing",
    "caveat",
    "critics",
    "sceptic",
    "skeptic",
    "although",
    "however",
    "whereas",
    "despite",
    "admittedly",
    "nonetheless",
    "stattdessen",
    "andererseits",
    "einerseits",
    "einwand",
    "einwänd",
    "gegenargument",
    "gegenteil",
    "nachteil",
    "abwäg",
    "anderenfalls",
    "andernfalls",
    "zwar",
    "allerdings",
    "obwohl",
    "obgleich",
    "hingegen",
    "wenngleich",
    "kritiker",
    "skeptiker",
    "inconvénient",
    "désavantage",
    "plutôt",
    "cependant",
    "toutefois",
    "desventaja",
    "aunque",
    "desvantage",
    "svantagg",
    "nadeel",
    "nadelen",
    "альтернатив",
    "недостат",
    "возраж",
    "вместо",
    "однако",
    "хотя",
    "بديل",
    "대안",
    "단점",
];

/// The same of two words.
const ALTERNATIVE_PAIRS: [(&str, &str); 45] = [
    ("rather", "than"),
    ("other", "hand"),
    ("other", "side"),
    ("other", "option"),
    ("other", "options"),
    ("another", "option"),
    ("another", "way"),
    ("trade", "off"),
    ("trade", "offs"),
    ("even", "though"),
    ("compared", "with"),
    ("compared", "to"),
    ("could", "argue"),
    ("might", "argue"),
    ("may", "object"),
    ("considered", "doing"),
    ("considered", "the"),
    ("considered", "using"),
    ("considered", "waiting"),
    ("risk", "is"),
    ("risks", "are"),
    ("risk", "remains"),
    ("price", "for"),
    ("price", "of"),
    ("speaks", "against"),
    ("argues", "against"),
    ("argument", "against"),
    ("andere", "seite"),
    ("anderen", "seite"),
    ("andere", "option"),
    ("andere", "möglichkeit"),
    ("dagegen", "spricht"),
    ("dagegen", "sprechen"),
    ("spricht", "dagegen"),
    ("sprechen", "dagegen"),
    ("risiko", "ist"),
    ("risiko", "sind"),
    ("risiko", "besteht"),
    ("risiko", "bleibt"),
    ("vergleich", "zu"),
    ("vergleich", "zum"),
    ("vergleich", "zur"),
    ("vergleich", "mit"),
    ("könnte", "auch"),
    ("preis", "dafür"),
];

/// The same where texts are read closely.
const CLOSE_PAIRS: [(&str, &str); 19] = [
    ("also", "consider"),
    ("auch", "erwogen"),
    ("cheaper", "alternative"),
    ("cheaper", "would"),
    ("could", "also"),
    ("doing", "nothing"),
    ("man", "könnte"),
    ("nichts", "tun"),
    ("nichtstun", "wäre"),
    ("other", "approach"),
    ("other", "approaches"),
    ("runner", "up"),
    ("second", "best"),
    ("was", "considered"),
    ("were", "considered"),
    ("wurde", "erwogen"),
    ("wurden", "erwogen"),
    ("would", "also"),
    ("würde", "auch"),
];

/// Words that deny what follows them without being denials, where texts are read closely.
const HARDLY: [&str; 5] = ["hardly", "scarcely", "barely", "kaum", "schwerlich"];

/// What makes `however` no objection: `however you look at it`.
const HOWEVER: [&str; 9] = ["you", "we", "one", "i", "much", "many", "hard", "long", "often"];

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
const RUN_ALTERNATIVES: [&str; 19] = [
    "替代",
    "另一",
    "缺点",
    "缺點",
    "反对",
    "反對",
    "反面",
    "风险",
    "然而",
    "虽然",
    "尽管",
    "代わり",
    "代替",
    "欠点",
    "選択肢",
    "反論",
    "しかし",
    "ただし",
    "一方",
];

/// What stands before such a word in a run and denies it, and what stands after it.
const RUN_DENIED: ([&str; 9], [&str; 5]) = (
    ["没有", "沒有", "没", "无", "無", "不", "没有任何", "毫无", "并无"],
    ["はない", "がない", "はあり", "がありま", "もない"],
);

/// So many words after a denial it is still denied.
const DENIED: usize = 3;

/// The signs in the last of some rounds, whose sides are given.
pub(super) fn signs(rules: &Rules, rounds: &[RoundVoices<'_>], sides: &Sides) -> Vec<Indicator> {
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

/// Whether every free voice is known to be on one and the same side. Who is on no side agrees with nobody.
fn on_one_side(last: &RoundVoices<'_>, sides: &Sides) -> bool {
    let [group] = sides.groups.as_slice() else { return false };
    !group.is_neutral() && sides.known() == last.free.len()
}

fn sure_and_alike(rules: &Rules, last: &RoundVoices<'_>, sides: &Sides) -> bool {
    let sure = last.least_confidence().is_some_and(|least| exit::meets(rules.confidence, least));
    let [group] = sides.groups.as_slice() else { return false };
    let Some(surest) = group.surest else { return false };
    sure && on_one_side(last, sides) && group.members.iter().all(|at| alike(&last.free, *at, surest))
}

fn no_alternative(last: &RoundVoices<'_>, sides: &Sides) -> bool {
    let weighs = |said: &HeardVoice<'_>| {
        said.voice.objection
            || pieces(said.voice.response).any(|piece| looks_elsewhere(piece, said.reading) != Some(false))
    };
    let speaks = |said: &HeardVoice<'_>| pieces(said.voice.response).next().is_some();
    on_one_side(last, sides) && last.free.iter().all(speaks) && !last.free.iter().any(weighs)
}

/// Whether a text that was to name objections names any.
pub fn objects(text: &str) -> bool {
    !says_none(text, Nameable::Objection)
}

/// Whether a text names another way. `None` in a script whose words for it are not known here.
fn looks_elsewhere(text: &str, reading: Reading) -> Option<bool> {
    let folded = folded(text);
    let mut tokens = tokens(&folded);
    // So many more words are denied: "no downside" weighs nothing.
    let mut denied = 0_usize;
    while let Some(token) = tokens.next() {
        let named = match token {
            Token::Word(word) if denies(word) || reading == Reading::Close && HARDLY.contains(&word) => {
                denied = DENIED + 1;
                false
            }
            Token::Word(word) | Token::Part(word) => {
                denied == 0
                    && match reading {
                        Reading::Early => is_alternative(word, &tokens),
                        Reading::Close => is_weighed(word, &tokens),
                    }
            }
            Token::Run(run) => RUN_ALTERNATIVES.iter().any(|known| in_run(run, known)),
            Token::Break | Token::Stop => {
                denied = 0;
                false
            }
        };
        denied = denied.saturating_sub(1);
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

/// Whether a run names another way without denying that there is one.
fn in_run(run: &str, known: &str) -> bool {
    let (before, after) = &RUN_DENIED;
    run.match_indices(known).any(|(at, _)| {
        let rest = &run[at + known.len()..];
        !before.iter().any(|denial| run[..at].ends_with(denial))
            && !after.iter().any(|denial| rest.starts_with(denial))
    })
}

/// Whether a word shows another way, and nothing behind it says that there is none: `Alternatives: none`, `An alternative
/// does not exist`.
fn is_weighed(word: &str, after: &ProseTokens<'_>) -> bool {
    let next = after.clone().next();
    let pairs = |(first, then): &(&str, &str)| *first == word && next == Some(Token::Word(then));
    if CLOSE_PAIRS.iter().any(pairs) {
        return true;
    }
    let idle = word == "however" && matches!(next, Some(Token::Word(then)) if HOWEVER.contains(&then));
    !idle && is_alternative(word, after) && !is_denied_behind(after)
}

/// The words up to the end of a clause.
fn clause(rest: ProseTokens<'_>) -> impl Iterator<Item = &str> {
    rest.take_while(|token| !matches!(token, Token::Break | Token::Stop)).filter_map(|token| match token {
        Token::Word(word) | Token::Part(word) => Some(word),
        Token::Run(_) | Token::Break | Token::Stop => None,
    })
}

/// Whether what follows a word denies that there is such a thing: the rest of its clause, or the next clause alone.
fn is_denied_behind(after: &ProseTokens<'_>) -> bool {
    let mut rest = after.clone();
    match rest.next() {
        Some(Token::Break | Token::Stop) => is_gone(clause(rest)),
        Some(_) => is_gone(clause(after.clone())),
        None => false,
    }
}

/// Whether a word shows another way, by itself or with the one after it.
fn is_alternative(word: &str, after: &ProseTokens<'_>) -> bool {
    if !SIEVE.lets_through(word) {
        return false;
    }
    let next = after.clone().next();
    let pairs = |(first, then): &(&str, &str)| *first == word && next == Some(Token::Word(then));
    // "alternativlos", "недостатков нет"
    let without = ["los", "lose", "loser", "loses", "losen", "less"].iter().any(|end| word.ends_with(end))
        || matches!(next, Some(Token::Word("нет" | "não")));
    !without && ALTERNATIVES.iter().any(|known| word.starts_with(known))
        || ALTERNATIVE_PAIRS.iter().any(pairs)
}

/// Who left a minority for the majority, both sides named, without anything that was not there before.
fn dropped<'a>(last: &RoundVoices<'a>, then: &RoundVoices<'a>, sides: &Sides) -> Vec<Who> {
    let earlier = Sides::of(&then.free);
    let side = |sides: &Sides| sides.majority().map(|group| group.stance);
    let Some(majority) = side(sides).filter(|now| side(&earlier) == Some(*now)) else { return Vec::new() };
    let dissented = |who: &Who| match then.free_voice(who).and_then(|said| said.stance) {
        None | Some(Choice::Neutral) => false,
        Some(stance) => stance != majority,
    };
    let changed = last.free.iter().filter(|now| now.stance == Some(majority) && dissented(now.voice.who));
    let room = then.room();
    let adds = |now: &&HeardVoice<'_>| {
        let told =
            |own: &Prose| then.all().flat_map(|old| old.first_sentences(room)).any(|old| old.tells(own));
        now.statements().any(|own| !told(own))
    };
    changed.filter(|now| !adds(now)).map(|now| now.voice.who.clone()).collect()
}

/// Whether a voice points at others and says nothing that those on its side do not say, in this round or the one
/// before. An ordered voice is no free opinion, but its arguments are there.
fn by_reference<'a>(voice: &HeardVoice<'a>, now: &RoundVoices<'a>, then: Option<&RoundVoices<'a>>) -> bool {
    let response = voice.voice.response;
    let mut given = filled(&response.position).into_iter().chain(filled(&response.reasoning));
    if voice.stance.is_none() || !given.any(refers) {
        return false;
    }
    let told: Vec<&VoiceSentence<'a>> =
        [Some(now), then].into_iter().flatten().flat_map(|round| beside(voice, round)).collect();
    voice.statements().all(|own| told.iter().any(|one| one.tells(own)))
}

/// What others on the side of a voice say in a round.
fn beside<'b, 'a>(
    voice: &HeardVoice<'a>,
    round: &'b RoundVoices<'a>,
) -> impl Iterator<Item = &'b VoiceSentence<'a>> {
    let room = round.room();
    let others =
        round.all().filter(|other| other.stance == voice.stance && other.voice.who != voice.voice.who);
    others.flat_map(move |other| other.first_sentences(room))
}
