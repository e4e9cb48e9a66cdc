//! What something is like: its colours, what it is made of, which of two opposites it is.

use super::clause::{self, BE, PREPOSITIONS};
use super::frame::{ClauseFrame, UNCLEAR, content, scope_of, topic};
use super::token::{ClaimToken, TokenKind};
use super::value::ClaimValue;
use super::{Claim, ClaimTime, lists, stem};

/// Words before a description that change nothing about it.
const LIGHT_FIRST: [&str; 8] = ["be", "been", "now", "still", "noch", "very", "sehr", "currently"];

/// `Mara's eyes are green`, `the gate is closed`, `the sword is made of bronze`.
pub(super) fn described(frame: &ClauseFrame<'_>) -> Option<Vec<Claim>> {
    let split = frame.split()?;
    let verb =
        split.verb.is(&BE) || split.verb.is(&["werden", "wird", "wurde", "wurden", "will", "must", "muss"]);
    let light = |token: &&&ClaimToken| token.is(&LIGHT_FIRST);
    let predicate: Vec<&ClaimToken> = split.predicate.iter().skip_while(light).copied().collect();
    // What is not very hot may be hot.
    let very =
        |token: &&ClaimToken| token.is(&["very", "sehr", "too", "besonders", "particularly", "especially"]);
    let weakened = frame.denied && split.predicate.iter().any(very);
    if !verb || predicate.is_empty() || weakened {
        return None;
    }
    let (value, rest) = description(&predicate)
        .map(|(value, length)| (value, predicate[length..].to_vec()))
        .or_else(|| described_last(&predicate))?;
    let rest = &rest[..];
    // What follows may say where it holds; anything else makes it another statement.
    let placed = rest.first().is_none_or(|first| {
        first.is(&PREPOSITIONS) || first.is(&["last", "next", "this", "letzten"]) || is_weekday(first)
    });
    let (subject, attribute) = topic(&split.subject)?;
    let person = attribute.is_empty() && split.subject.len() == 1 && split.subject[0].capital;
    if !placed || (person && matches!(value, ClaimValue::Colour { .. }) && body_part(&predicate).is_none()) {
        return None;
    }
    let part = match &value {
        ClaimValue::Member { list, .. } => Some(list.clone()),
        ClaimValue::Colour { .. } => body_part(&predicate).map(str::to_string),
        _ => None, // the others describe what was named
    };
    let (subject, attribute) = match part {
        Some(part) => (format!("{subject} {attribute}").trim().to_string(), part),
        None => (subject, attribute),
    };
    let mut claim = frame.claim(subject, attribute, value);
    let mut added = scope_of(rest);
    // `by default` is part of what is spoken of: the default.
    if added.contains(&"default".to_string()) {
        added.retain(|word| word != "default");
        claim.attribute = format!("{} default", claim.attribute).trim().to_string();
    }
    claim.scope.extend(added);
    claim.scope.sort_unstable();
    Some(vec![claim])
}

/// German says where and when before the word that describes: `im Winter geschlossen`, `sonntags geschlossen`. The description, and
/// what stands before it.
fn described_last<'a>(predicate: &[&'a ClaimToken]) -> Option<(ClaimValue, Vec<&'a ClaimToken>)> {
    let (last, rest) = predicate.split_last()?;
    let first = rest.first().filter(|_| rest.len() <= 4)?;
    let leads = (first.is(&PREPOSITIONS) && rest.len() > 1) || is_weekday(first);
    let (value, _) = state(&[last]).filter(|_| leads && is_listed(last))?;
    Some((value, rest.to_vec()))
}

/// Whether a word is one of two opposites that the lists know, and not only by its ending.
pub(super) fn is_listed(token: &ClaimToken) -> bool {
    stem::stems(&token.word).find_map(lists::opposite).is_some()
}

pub(super) fn is_weekday(token: &ClaimToken) -> bool {
    lists::member(&token.word).is_some_and(|(list, _)| list == "weekday")
}

/// The part of the body in `brown-eyed` and `blauäugig`.
fn body_part(predicate: &[&ClaimToken]) -> Option<&'static str> {
    predicate.iter().find_map(|token| tied_colour(token)).map(|(_, part)| part)
}

/// What a predicate says by its first words, and how many it takes.
fn description(predicate: &[&ClaimToken]) -> Option<(ClaimValue, usize)> {
    let article = usize::from(predicate[0].is(&["a", "an", "ein", "eine"]));
    if let Some((token, (hues, _))) =
        predicate.get(article).and_then(|token| Some((token, tied_colour(token)?)))
    {
        return Some((ClaimValue::Colour { hues, said: token.word.clone() }, predicate.len()));
    }
    colours(predicate).or_else(|| material(predicate)).or_else(|| state(predicate))
}

/// The words among these that name colours, as they are shown to people.
pub(super) fn colour_words(tokens: &[&ClaimToken]) -> String {
    let named = tokens.iter().filter(|token| stem::colour(&token.word).is_some());
    named.map(|token| token.word.as_str()).collect::<Vec<_>>().join(" and ")
}

/// `dark green`, `red and black`.
fn colours(predicate: &[&ClaimToken]) -> Option<(ClaimValue, usize)> {
    let mut hues = Vec::new();
    let mut at = 0;
    while let Some(token) = predicate.get(at) {
        match stem::colour(&token.word) {
            Some(found) => hues.extend(found),
            None if token.is(&["dark", "light", "pale", "deep", "bright", "very", "sehr", "ganz"]) => (),
            None if !hues.is_empty() && token.is(&["and", "und"]) => (),
            None => break,
        }
        at += 1;
    }
    (!hues.is_empty()).then(|| (ClaimValue::Colour { hues, said: colour_words(&predicate[..at]) }, at))
}

/// `made of bronze`, `aus Stahl`, `wooden`.
fn material(predicate: &[&ClaimToken]) -> Option<(ClaimValue, usize)> {
    let start = match predicate {
        [first, second, ..]
            if first.is(&["made", "built", "carved", "forged"]) && second.is(&["of", "from"]) =>
        {
            2
        }
        [first, ..] if first.is(&["aus"]) => 1,
        [first, ..] if first.is(&["wooden"]) => 0,
        _ => return None, // nothing says that this is what it is made of
    };
    let named = predicate[start..]
        .iter()
        .take_while(|token| token.is(&["and", "und"]) || lists::member(&token.word).is_some());
    let members: Vec<String> =
        named.filter_map(|token| lists::member(&token.word)).map(|(_, member)| member.into()).collect();
    let to = start + members.len() + members.len().saturating_sub(1);
    let end = if predicate.get(to).is_some_and(|token| token.is(&["gemacht"])) { to + 1 } else { to };
    (!members.is_empty()).then_some((ClaimValue::Member { list: "material".into(), members }, end))
}

/// `closed`, `turned off`, `am Leben`.
fn state(predicate: &[&ClaimToken]) -> Option<(ClaimValue, usize)> {
    let (word, length) = match predicate {
        [first, second, ..] if first.is(&["turned", "switched"]) && second.is(&["on", "off"]) => {
            (second.word.as_str(), 2)
        }
        [first, second, ..] if first.is(&["am"]) && second.is(&["leben"]) => ("alive", 2),
        [first, ..]
            if first.kind == TokenKind::Word && !(first.is(&["on", "zu", "an"]) && predicate.len() > 1) =>
        {
            (first.word.as_str(), 1)
        }
        _ => return None, // a number or nothing
    };
    // A name may end like a participle: Aldred.
    let listed = stem::stems(word).find_map(lists::opposite).is_some();
    let (pair, first) = stem::state(word).filter(|_| listed || !predicate[0].capital)?;
    Some((ClaimValue::State { pair, first }, length))
}

/// `Mara's green eyes` and `the green-eyed Mara`, wherever they stand: that they are green is taken for granted.
pub(super) fn owned_colours(tokens: &[ClaimToken], said: &str) -> Vec<Claim> {
    let claim = |subject: String, attribute: &str, value: ClaimValue| Claim {
        attribute: attribute.to_string(),
        denied: false,
        every: false,
        among_others: false,
        said: said.to_string(),
        scope: Vec::new(),
        subject,
        time: ClaimTime::Present,
        value,
    };
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        if let Some((subject, noun, value)) = token.genitive.then(|| owned_colour(tokens, at)).flatten() {
            found.push(claim(subject, noun, value));
        }
        let named =
            tokens.get(at + 1).filter(|next| next.capital && next.kind == TokenKind::Word && !next.genitive);
        if let (Some((hues, part)), Some(named)) = (tied_colour(token), named) {
            found.push(claim(
                named.basic.clone(),
                part,
                ClaimValue::Colour { hues, said: token.word.clone() },
            ));
        }
    }
    found
}

/// What belongs to the owner at a place, and the colour it has.
fn owned_colour(tokens: &[ClaimToken], at: usize) -> Option<(String, &str, ClaimValue)> {
    let colours: Vec<&ClaimToken> =
        tokens[at + 1..].iter().take_while(|token| stem::colour(&token.word).is_some()).collect();
    let hues: Vec<String> = colours.iter().filter_map(|token| stem::colour(&token.word)).flatten().collect();
    let noun = tokens.get(at + 1 + colours.len())?;
    let is_noun = noun.kind == TokenKind::Word
        && !noun.genitive
        && !clause::is_finite(noun)
        && !noun.is(&["and", "und"]);
    // Of `the captain's wife's eyes` the whole chain of owners counts.
    let chain: Vec<&ClaimToken> = tokens[..=at].iter().rev().take_while(|token| is_owner(token)).collect();
    let subject = content(&chain.into_iter().rev().collect::<Vec<_>>()).join(" ");
    let clear = !subject.is_empty() && !tokens[at].is(&UNCLEAR);
    (clear && is_noun && !hues.is_empty())
        .then(|| (subject, noun.basic.as_str(), ClaimValue::Colour { hues, said: colour_words(&colours) }))
}

/// The colour and the part of the body in `green-eyed`.
fn tied_colour(token: &ClaimToken) -> Option<(Vec<String>, &'static str)> {
    let tied = [("-eyed", "eye"), ("-haired", "hair"), ("äugig", "eye"), ("haarig", "hair")];
    stem::stems(&token.word).find_map(|word| {
        tied.iter().find_map(|(end, part)| Some((stem::colour(word.strip_suffix(end)?)?, *part)))
    })
}

fn is_owner(token: &ClaimToken) -> bool {
    token.kind == TokenKind::Word
        && (token.genitive || (token.capital && !clause::is_finite(token) && !token.is(&PREPOSITIONS)))
}
