//! Claims whose value is a name: what something is called, where it is, what is used for it, who has a role.

use super::clause::{self, BE, PREPOSITIONS};
use super::frame::{ClauseFrame, content, scope_of, topic};
use super::token::{ClaimToken, TokenKind};
use super::value::ClaimValue;
use super::{Claim, ClaimTime, lists};

/// Words that say where something is or belongs, and what that is called.
#[rustfmt::skip]
const PLACES: [(&str, &str, Sort); 24] = [
    ("aufbewahrt", "keep", Sort::Any),
    ("birth", "birth", Sort::Proper),
    ("buried", "buried", Sort::Any),
    ("begraben", "buried", Sort::Any),
    ("geschrieben", "language", Sort::Proper),
    ("implemented", "language", Sort::Proper),
    ("keep", "keep", Sort::Any),
    ("lebt", "home", Sort::Proper),
    ("lie", "place", Sort::Direction),
    ("liegt", "place", Sort::Direction),
    ("live", "home", Sort::Proper),
    ("lived", "home", Sort::Proper),
    ("located", "place", Sort::Direction),
    ("reside", "home", Sort::Proper),
    ("run", "region", Sort::Technical),
    ("hosted", "region", Sort::Technical),
    ("deployed", "region", Sort::Technical),
    ("steht", "place", Sort::Direction),
    ("store", "store", Sort::Any),
    ("wohnen", "home", Sort::Proper),
    ("wohnt", "home", Sort::Proper),
    ("wohnte", "home", Sort::Proper),
    ("written", "language", Sort::Proper),
    ("lebte", "home", Sort::Proper),
];

/// Which words may be the place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Any,
    Proper,
    /// One of the four directions, or a name.
    Direction,
    Technical,
}

/// `The ship is called the Petrel`, `Das Schiff heißt Petrel`.
pub(super) fn called(frame: &ClauseFrame<'_>) -> Option<Vec<Claim>> {
    let split = frame.split()?;
    let (subject, rest) = match split.verb.is(&["heisst", "hiess"]) {
        true => (&split.subject, &split.predicate[..]),
        false => {
            let at = split.predicate.iter().position(|token| token.is(&["called", "named", "genannt"]))?;
            split.verb.is(&BE).then_some((&split.subject, &split.predicate[at + 1..]))?
        }
    };
    let words = content(subject).join(" ");
    let name = name_of(rest)?;
    (!words.is_empty()).then(|| vec![frame.claim(words, "name".into(), ClaimValue::Name(name))])
}

/// A name: what it consists of, articles left out. `None` if there is anything else.
fn name_of(tokens: &[&ClaimToken]) -> Option<String> {
    let named: Vec<&&ClaimToken> =
        tokens.iter().filter(|token| !clause::is_article(token) && !token.is(&["of", "von"])).collect();
    let plain = named.iter().all(|token| token.kind == TokenKind::Word || token.kind == TokenKind::Number);
    let good = plain && (1..=4).contains(&named.len()) && named.iter().all(|token| !token.is(&PREPOSITIONS));
    let words = named.iter().map(|token| token.word.as_str());
    good.then(|| words.collect::<Vec<_>>().join(" "))
}

/// `Mara lives in Velm`, `Sitzungen werden in Redis gespeichert`.
pub(super) fn placed(frame: &ClauseFrame<'_>) -> Option<Vec<Claim>> {
    let split = frame.split()?;
    let all: Vec<&ClaimToken> = std::iter::once(split.verb).chain(split.predicate.iter().copied()).collect();
    let known = |token: &&ClaimToken| {
        PLACES
            .iter()
            .find(|(word, ..)| token.basic == *word || token.word == *word)
            .map(|(_, attribute, sort)| (*attribute, *sort))
    };
    let (attribute, sort) = all.iter().find_map(known)?;
    let at = all.iter().position(|token| token.is(&["in", "im", "at", "auf", "on", "under", "unter"]))?;
    let rest: Vec<&ClaimToken> =
        all[at + 1..].iter().filter(|token| known(token).is_none()).copied().collect();
    let rest: &[&ClaimToken] =
        if rest.first().is_some_and(|first| clause::is_article(first)) { &rest[1..] } else { &rest };
    let end = rest.iter().position(|token| token.is(&PREPOSITIONS)).unwrap_or(rest.len());
    let (place, after) = rest.split_at(end);
    let subject = content(&split.subject).join(" ");
    let value = place_value(place, sort, &all[at..]).filter(|_| !subject.is_empty())?;
    let mut claim = frame.claim(subject, attribute.into(), value);
    claim.scope.extend(scope_of(after));
    claim.scope.sort_unstable();
    if attribute == "birth" && claim.time == ClaimTime::Told {
        claim.time = ClaimTime::Present;
    }
    Some(vec![claim])
}

/// A place of the sort that is wanted. Dates and amounts are none.
fn place_value(place: &[&ClaimToken], sort: Sort, from_preposition: &[&ClaimToken]) -> Option<ClaimValue> {
    let first = place.first()?;
    let proper = first.technical || (first.capital && is_name(place, from_preposition));
    let direction = lists::direction(&first.word);
    let fits = match sort {
        Sort::Any => true,
        Sort::Proper => proper,
        Sort::Direction => proper || direction.is_some(),
        Sort::Technical => first.technical,
    };
    let other = |token: &&ClaimToken| token.kind != TokenKind::Word || lists::month(&token.word).is_some();
    if !fits || place.len() > 3 || place.iter().any(other) {
        return None;
    }
    let words: Vec<&str> = place.iter().map(|token| token.word.as_str()).collect();
    Some(match direction {
        Some(direction) => ClaimValue::Member { list: "direction".into(), members: vec![direction.into()] },
        None => ClaimValue::Place { name: words.join(" "), proper },
    })
}

/// A capital letter makes a name in English; in German only where no article stands before it.
fn is_name(place: &[&ClaimToken], from_preposition: &[&ClaimToken]) -> bool {
    let article = from_preposition.get(1).is_some_and(|next| clause::is_article(next));
    let fused = from_preposition.first().is_some_and(|first| first.is(&["im", "am"]));
    place.iter().all(|token| token.capital) && !article && !fused
}

/// `We use PostgreSQL for sessions`, `PostgreSQL is used for sessions`.
pub(super) fn used_for(frame: &ClauseFrame<'_>) -> Option<Vec<Claim>> {
    let split = frame.split()?;
    let all = frame.open_tokens();
    let at = all.iter().position(|token| token.is(&["for", "für"]))?;
    let verb = all.iter().position(|token| token.basic == "use")?;
    let what = content(&all[at + 1..]).join(" ");
    let by_us = split.subject.iter().all(|token| token.is(&["we", "wir"]));
    let name = match (split.verb.is(&BE), by_us) {
        (true, false) if verb < at => name_of(&split.subject)?,
        (false, true) if verb < at => name_of(&without_joints(&all[verb + 1..at]))?,
        _ => return None, // somebody else uses it
    };
    let several = all[..at].iter().any(|token| token.is(&["and", "und"]));
    let mut claim = frame.claim(what.clone(), "use".into(), ClaimValue::Name(name));
    // `used` is both the past and the passive.
    claim.time = match (claim.time, split.verb.is(&BE), split.verb.is(&["used"])) {
        (ClaimTime::Told, true, _) if !split.verb.is(&["was", "were", "war", "waren"]) => ClaimTime::Present,
        (time, ..) => time,
    };
    claim.among_others |= several;
    (!what.is_empty()).then(|| vec![claim])
}

fn without_joints<'a>(tokens: &[&'a ClaimToken]) -> Vec<&'a ClaimToken> {
    tokens.iter().filter(|token| !token.is(&["and", "und", "both"])).copied().collect()
}

/// `The capital of Arn is Velm`, `Velm is the capital of Arn`, `Tom is Mara's father`.
pub(super) fn named(frame: &ClauseFrame<'_>) -> Option<Vec<Claim>> {
    let split = frame.split()?;
    if !split.verb.is(&["is", "was", "ist", "war"]) || split.predicate.is_empty() || split.subject.is_empty()
    {
        return None;
    }
    match is_bare_name(&split.subject) {
        true => role(frame, &split.subject, &split.predicate),
        false => name_of_role(frame, &split.subject, &split.predicate),
    }
}

/// One or two capital words without an article or an owner.
fn is_bare_name(tokens: &[&ClaimToken]) -> bool {
    tokens.len() <= 2
        && tokens.iter().all(|token| token.capital && !token.genitive && !clause::is_article(token))
}

/// `Velm is the capital of Arn`: the role is what is claimed about, its holder the value.
fn role(frame: &ClauseFrame<'_>, holder: &[&ClaimToken], predicate: &[&ClaimToken]) -> Option<Vec<Claim>> {
    let definite = predicate[0].is(&["the", "der", "die", "das"]) || predicate[0].genitive;
    let (subject, attribute) = topic(predicate)?;
    let head = if attribute.is_empty() { &subject } else { &attribute };
    let superlative = head.ends_with("est") || lists::is_no_role(head);
    if !definite
        || superlative
        || lists::is_several(head)
        || predicate.iter().any(|token| token.kind != TokenKind::Word)
    {
        return None;
    }
    let name = name_of(holder)?;
    Some(vec![frame.claim(subject, attribute, ClaimValue::Name(name))])
}

fn name_of_role(
    frame: &ClauseFrame<'_>,
    subject: &[&ClaimToken],
    predicate: &[&ClaimToken],
) -> Option<Vec<Claim>> {
    let (about, attribute) = topic(subject)?;
    let head = if attribute.is_empty() { &about } else { &attribute };
    let article = clause::is_article(predicate[0]);
    let rest = if article { &predicate[1..] } else { predicate };
    let end = rest
        .iter()
        .position(|token| token.is(&PREPOSITIONS) && !token.is(&["of", "von"]))
        .unwrap_or(rest.len());
    let first = rest.first()?;
    let proper = first.capital || first.technical;
    let chosen = !article && end == 1 && lists::is_single(head) && is_choice(&first.word);
    if lists::is_several(head) || !(proper || chosen) || (article && !first.capital) {
        return None;
    }
    let name = name_of(&rest[..end])?;
    let mut claim = frame.claim(about, attribute, ClaimValue::Name(name));
    claim.scope.extend(scope_of(&rest[end..]));
    claim.scope.sort_unstable();
    Some(vec![claim])
}

/// Whether a small word may be a name of something, and not what it is like.
fn is_choice(word: &str) -> bool {
    let like =
        ["able", "ible", "ed", "ing", "ful", "ous", "ive", "less", "bar", "lich", "ig", "isch", "iert", "ly"];
    !like.iter().any(|end| word.ends_with(end))
}
