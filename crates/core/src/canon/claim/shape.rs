//! The shapes of sentences that claims are read from. Each shape takes a clause and gives its claims, or nothing if the clause
//! is of another shape. The first that fits is taken, so the most particular stand first.
//!
//! To add one: a function from a [`ClauseFrame`] to claims, and its place in [`clause_claims`].

use super::clause::{self, BE, Clause, PREPOSITIONS};
use super::described::{colour_words, described, is_listed, is_weekday, owned_colours};
use super::frame::{ClauseFrame, DENIALS, HAPPENINGS, LIGHT, UNCLEAR, around, content, topic};
use super::number;
use super::token::{ClaimToken, SentenceTokens, TokenKind};
use super::value::{ClaimValue, Quantity};
use super::{Claim, ClaimTime, lists, named, skip, stem, whole};

/// Words that make a bound a rule.
const ALLOWS: [&str; 6] = ["allowed", "permitted", "possible", "erlaubt", "zulässig", "required"];

/// Verbs that say no more than that a port is a port of something.
const SERVES: [&str; 8] = ["run", "serve", "serves", "served", "bind", "binds", "bound", "expose"];

/// The claims of a sentence.
pub(super) fn claims(sentence: &SentenceTokens, said: &str) -> Vec<Claim> {
    if skip::states_nothing(sentence) {
        return Vec::new();
    }
    if let Some(claims) = setting(&sentence.tokens, said) {
        return claims;
    }
    let (tokens, turned) = without_denial_of_all(&sentence.tokens);
    let mut found: Vec<Claim> = Vec::new();
    for clause in clause::clauses(tokens) {
        let frame = ClauseFrame::of(&clause, turned, said);
        found.extend(frame.map(|frame| clause_claims(&frame)).unwrap_or_default());
    }
    // Where something was left out, or follows, a bare statement is not whole.
    let whole = tokens.iter().all(|token| token.kind != TokenKind::Quote)
        && tokens.last().is_none_or(|last| last.kind != TokenKind::Colon);
    found.retain(|claim| whole || claim.value != ClaimValue::Holds);
    if !turned {
        found.extend(owned_colours(tokens, said));
    }
    let mut unique: Vec<Claim> = Vec::new();
    for claim in found {
        if !unique.contains(&claim) {
            unique.push(claim);
        }
    }
    unique
}

/// `It is not true that …`: the rest, and that it is denied.
fn without_denial_of_all(tokens: &[ClaimToken]) -> (&[ClaimToken], bool) {
    const FRONTS: [&[&str]; 4] = [
        &["it", "is", "not", "true", "that"],
        &["it", "is", "false", "that"],
        &["it", "is", "untrue", "that"],
        &["it", "is", "not", "the", "case", "that"],
    ];
    let fits = |front: &&&[&str]| {
        tokens.len() > front.len() && front.iter().zip(tokens).all(|(word, token)| token.is(&[word]))
    };
    FRONTS.iter().find(fits).map_or((tokens, false), |front| (&tokens[front.len()..], true))
}

/// Reads the claims of a clause that has a certain shape; `None` for any other clause.
type ShapeReader = fn(&ClauseFrame<'_>) -> Option<Vec<Claim>>;

fn clause_claims(frame: &ClauseFrame<'_>) -> Vec<Claim> {
    let shapes: [ShapeReader; 9] = [
        named::called,
        named::placed,
        named::used_for,
        happened,
        measured,
        owned,
        described,
        named::named,
        holds,
    ];
    shapes.into_iter().find_map(|shape| shape(frame)).unwrap_or_default()
}

/// `timeout = 30 s`, `Port: 8080`.
fn setting(tokens: &[ClaimToken], said: &str) -> Option<Vec<Claim>> {
    let at = tokens.iter().position(|token| matches!(token.kind, TokenKind::Equals | TokenKind::Colon))?;
    let (key, value): (Vec<&ClaimToken>, Vec<&ClaimToken>) =
        (tokens[..at].iter().collect(), tokens[at + 1..].iter().collect());
    let short = (1..=4).contains(&key.len()) && (1..=4).contains(&value.len());
    if !short
        || key
            .iter()
            .any(|token| token.kind != TokenKind::Word || clause::is_finite(token) || token.is(&UNCLEAR))
    {
        return None;
    }
    let (subject, attribute) = topic(&key)?;
    let clause = Clause { lead: Vec::new(), tokens: value.clone() };
    let frame = ClauseFrame::of(&clause, false, said)?;
    // `Version: 3` and `Author: Tom` are about whatever stands around them; a key of two words names what it is about.
    let particular = !attribute.is_empty();
    let value = match (&frame.quantities[..], &value[..]) {
        ([only], _) if only.from == 0 && only.to == value.len() => ClaimValue::Quantity(only.value.clone()),
        ([], [only]) => {
            word_value(only).filter(|value| particular || !matches!(value, ClaimValue::Name(_)))?
        }
        _ => return None, // more than one value
    };
    let bare = matches!(&value, ClaimValue::Quantity(quantity) if quantity.kind.is_empty());
    let vague = bare && !particular && subject != "port" && tokens[at].kind == TokenKind::Colon;
    (!vague).then(|| vec![frame.claim(subject, attribute, value)])
}

/// A value of one word.
fn word_value(token: &ClaimToken) -> Option<ClaimValue> {
    if token.kind != TokenKind::Word {
        return None;
    }
    if let Some(hues) = stem::colour(&token.word) {
        return Some(ClaimValue::Colour { hues, said: token.word.clone() });
    }
    match stem::state(&token.word) {
        Some((pair, first)) => Some(ClaimValue::State { pair, first }),
        None => Some(ClaimValue::Name(token.word.clone())),
    }
}

/// Something that happened, with its date or its time of day.
fn happened(frame: &ClauseFrame<'_>) -> Option<Vec<Claim>> {
    let tokens = &frame.clause.tokens;
    let happens = tokens.iter().any(|token| HAPPENINGS.contains(&token.basic.as_str()));
    let (value, from, to) = match (number::date(tokens, happens), number::clock(tokens)) {
        (Some(date), _) if happens => (ClaimValue::Date(date.value), date.from, date.to),
        (_, Some(clock)) => (ClaimValue::Clock(clock.value), clock.from, clock.to),
        _ => return None, // no date, or only one that says when something else held
    };
    let rest: Vec<&ClaimToken> = tokens[..from].iter().chain(&tokens[to..]).copied().collect();
    let rest: Vec<&ClaimToken> =
        rest.into_iter().filter(|token| !token.is(&DENIALS) && !token.is(&["jahr", "um"])).collect();
    let (subject, attribute) = around(&rest)?;
    let mut claim = frame.claim(subject, attribute, value);
    if claim.time == ClaimTime::Told {
        claim.time = ClaimTime::Present;
    }
    Some(vec![claim])
}

/// A clause with one amount: what else it says is what the amount is of.
fn measured(frame: &ClauseFrame<'_>) -> Option<Vec<Claim>> {
    let [only] = &frame.quantities[..] else { return member_on_day(frame) };
    if !frame.exists && clause::verb_of(&frame.clause.tokens).is_none_or(|verb| verb == 0) {
        return None; // a heading, an item of a list, a command
    }
    let tokens = &frame.clause.tokens;
    let counts = only.value.kind.is_empty()
        && tokens.get(only.to).is_some_and(|next| next.kind == TokenKind::Word && !next.is(&PREPOSITIONS));
    let mut rest = frame.open_tokens();
    let mut value = only.value.clone();
    let has = rest.iter().any(|token| token.basic == "have");
    rest.retain(|token| token.basic != "have");
    if counts && (has || frame.exists) {
        value.kind = "count".into();
    }
    if rest.iter().any(|token| token.basic == "port") {
        rest.retain(|token| !SERVES.contains(&token.basic.as_str()));
    }
    let rule = frame.must || rest.iter().any(|token| token.is(&ALLOWS));
    rest.retain(|token| !token.is(&ALLOWS));
    let bare = (!frame.denied).then(|| happens(frame, &rest)).flatten();
    let (subject, mut attribute) = around(&rest)?;
    if value.kind == "length" && attribute == "size" {
        attribute = "height".into();
    }
    // A rule about the least or the most is a claim about that bound.
    if rule && value.low.is_some() != value.high.is_some() {
        attribute = format!("{attribute} {}", if value.low.is_some() { "minimum" } else { "limit" })
            .trim()
            .to_string();
        (value.low, value.high) = (value.low.or(value.high), value.high.or(value.low));
    }
    // `The aim is 200` is about another aim in every paragraph.
    let vague = attribute.is_empty() && value.kind.is_empty() && !subject.contains(' ') && subject != "port";
    let claim = frame.claim(subject, attribute, ClaimValue::Quantity(value));
    (!vague).then(|| std::iter::once(claim).chain(bare).collect())
}

/// What expires after 90 days expires: `never expires` is denied by that too.
fn happens(frame: &ClauseFrame<'_>, rest: &[&ClaimToken]) -> Option<Claim> {
    let verb = clause::verb_of(rest)?;
    let words = content(rest);
    let plain = !rest[verb].is(&BE) && !frame.must && (2..=4).contains(&words.len());
    let (subject, attribute) = words.split_at_checked(1)?;
    plain.then(|| frame.claim(subject.join(" "), attribute.join(" "), ClaimValue::Holds))
}

/// `The market is held on Mondays`.
fn member_on_day(frame: &ClauseFrame<'_>) -> Option<Vec<Claim>> {
    let tokens = frame.open_tokens();
    let is_day = |token: &&&ClaimToken| is_weekday(token);
    // `closed on Sundays` says what it is on some days, and not which day it is.
    let is_state = |token: &&ClaimToken| is_listed(token) && !token.is(&PREPOSITIONS);
    if tokens.iter().any(|token| is_weekday(token)) && tokens.iter().any(is_state) {
        return described(frame);
    }
    let days: Vec<String> = tokens
        .iter()
        .filter(is_day)
        .filter_map(|token| lists::member(&token.word))
        .map(|(_, day)| day.into())
        .collect();
    if days.is_empty() || !tokens.iter().any(|token| clause::is_finite(token)) {
        return None;
    }
    let rest: Vec<&ClaimToken> = tokens.iter().filter(|token| !is_day(token)).copied().collect();
    let (subject, attribute) = around(&rest)?;
    Some(vec![frame.claim(subject, attribute, ClaimValue::Member { list: "weekday".into(), members: days })])
}

/// `Mara has green eyes and two brothers`.
fn owned(frame: &ClauseFrame<'_>) -> Option<Vec<Claim>> {
    let split = Clause { lead: Vec::new(), tokens: frame.clause.tokens.clone() }.split()?;
    if !split.verb.is(&["has", "have", "had", "hat", "haben", "hatte", "hatten"]) || split.subject.is_empty()
    {
        return None;
    }
    let owners: Vec<&[&ClaimToken]> = split.subject.split(|token| token.is(&["and", "und"])).collect();
    let mut found = Vec::new();
    for owner in owners {
        let who = content(owner).join(" ");
        for thing in
            split.predicate.split(|token| token.is(&["and", "und"]) || token.kind == TokenKind::Comma)
        {
            found.extend(owned_thing(frame, &who, thing));
        }
    }
    (!found.is_empty()).then_some(found)
}

fn owned_thing(frame: &ClauseFrame<'_>, who: &str, thing: &[&ClaimToken]) -> Vec<Claim> {
    let denied = thing.iter().any(|token| token.is(&DENIALS));
    let one =
        thing.first().is_some_and(|first| first.is(&["a", "an", "ein", "eine", "einen", "einem", "einer"]));
    let tokens: Vec<&ClaimToken> =
        thing.iter().filter(|token| !token.is(&DENIALS) && !token.is(&LIGHT)).copied().collect();
    let Some((noun, adjectives)) = tokens.split_last() else { return Vec::new() };
    if tokens.iter().any(|token| token.kind != TokenKind::Word || token.is(&PREPOSITIONS)) || who.is_empty() {
        return Vec::new();
    }
    let hues = adjectives.iter().filter_map(|token| stem::colour(&token.word)).flatten().collect::<Vec<_>>();
    let states = adjectives.iter().filter_map(|token| stem::stems(&token.word).find_map(lists::opposite));
    let mut found: Vec<Claim> = Vec::new();
    let mut put = |value: ClaimValue| {
        let mut claim = frame.claim(who.to_string(), noun.basic.clone(), value);
        claim.denied = denied;
        found.push(claim);
    };
    // One of several may have another colour: `has a black horse`.
    if !one && !hues.is_empty() {
        put(ClaimValue::Colour { hues: hues.clone(), said: colour_words(adjectives) });
    }
    if !one {
        states.for_each(|(pair, first)| put(ClaimValue::State { pair: pair.into(), first }));
    }
    if found.is_empty() && hues.is_empty() {
        let words = content(&tokens).join(" ");
        let mut claim = frame.claim(who.to_string(), words, ClaimValue::Quantity(some_or_none(denied)));
        claim.denied = false;
        found.push(claim);
    }
    found
}

/// At least one, or none.
fn some_or_none(none: bool) -> Quantity {
    let (low, high) = if none { (0, Some(0)) } else { (1, None) };
    let said = if none { "none" } else { "at least 1" };
    Quantity {
        low: Some(whole(low)),
        high: high.map(whole),
        said: said.into(),
        imperial: false,
        grain: whole(0),
        kind: "count".into(),
    }
}

/// Any other clause says that something is so, or not.
fn holds(frame: &ClauseFrame<'_>) -> Option<Vec<Claim>> {
    let open = frame.open_tokens();
    let carries = |token: &&&ClaimToken| {
        !clause::is_article(token)
            && !token.is(&BE)
            && !token.is(&["do", "does", "did", "of", "von", "we", "wir"])
    };
    let words: Vec<String> = open
        .iter()
        .filter(carries)
        .map(|token| token.basic.clone())
        .filter(|word| !word.is_empty())
        .collect();
    let hangs = open.last().is_some_and(|last| last.is(&PREPOSITIONS));
    if !(2..=9).contains(&words.len()) || hangs || frame.has(&["only", "nur"]) {
        return None;
    }
    let (subject, attribute) = words.split_at(1);
    let claim = frame.claim(subject.join(" "), attribute.join(" "), ClaimValue::Holds);
    Some(std::iter::once(claim.clone()).chain(turned(frame, &claim)).collect())
}

/// What is dishonest is not honest: the same claim the other way round.
fn turned(frame: &ClauseFrame<'_>, claim: &Claim) -> Option<Claim> {
    let split = frame.split().filter(|split| split.verb.is(&BE))?;
    let carries = |token: &&&ClaimToken| !token.is(&LIGHT);
    let mut predicate = split.predicate.iter().filter(carries);
    let (Some(word), None) = (predicate.next(), predicate.next()) else { return None };
    let base = stem::denied_word(&word.word).filter(|_| !word.capital && word.kind == TokenKind::Word)?;
    let before = claim.attribute.strip_suffix(word.basic.as_str())?;
    Some(Claim { attribute: format!("{before}{base}"), denied: !claim.denied, ..claim.clone() })
}
