//! Numbers, dates and times of day in a clause. What could be read in two ways is not read.

use super::token::{ClaimToken, TokenKind};
use super::value::{ClaimDate, Quantity};
use super::{lists, units};
use crate::kernel::Number;

/// A value and the tokens it takes.
#[derive(Debug)]
pub(super) struct Measured<T> {
    pub(super) value: T,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// How a number is bounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Bound {
    Exactly,
    AtLeast,
    AtMost,
    About,
}

/// Words before a number and what they make of it, the longest first.
#[rustfmt::skip]
const BOUNDS: [(&[&str], Bound); 38] = [
    (&["no", "more", "than"], Bound::AtMost),
    (&["not", "more", "than"], Bound::AtMost),
    (&["no", "less", "than"], Bound::AtLeast),
    (&["no", "fewer", "than"], Bound::AtLeast),
    (&["not", "less", "than"], Bound::AtLeast),
    (&["nicht", "mehr", "als"], Bound::AtMost),
    (&["nicht", "weniger", "als"], Bound::AtLeast),
    (&["a", "maximum", "of"], Bound::AtMost),
    (&["a", "minimum", "of"], Bound::AtLeast),
    (&["at", "least"], Bound::AtLeast),
    (&["at", "most"], Bound::AtMost),
    (&["up", "to"], Bound::AtMost),
    (&["more", "than"], Bound::AtLeast),
    (&["less", "than"], Bound::AtMost),
    (&["fewer", "than"], Bound::AtMost),
    (&["mehr", "als"], Bound::AtLeast),
    (&["weniger", "als"], Bound::AtMost),
    (&["bis", "zu"], Bound::AtMost),
    (&["mindestens"], Bound::AtLeast),
    (&["wenigstens"], Bound::AtLeast),
    (&["höchstens"], Bound::AtMost),
    (&["maximal"], Bound::AtMost),
    (&["over"], Bound::AtLeast),
    (&["above"], Bound::AtLeast),
    (&["über"], Bound::AtLeast),
    (&["under"], Bound::AtMost),
    (&["below"], Bound::AtMost),
    (&["unter"], Bound::AtMost),
    (&["about"], Bound::About),
    (&["around"], Bound::About),
    (&["roughly"], Bound::About),
    (&["approximately"], Bound::About),
    (&["some"], Bound::About),
    (&["etwa"], Bound::About),
    (&["ungefähr"], Bound::About),
    (&["rund"], Bound::About),
    (&["ca"], Bound::About),
    (&["circa"], Bound::About),
];

/// Before a bare number these say that it is a label and not an amount.
#[rustfmt::skip]
const LABELS: [&str; 14] = [
    "chapter", "class", "kapitel", "level", "part", "phase", "section", "stage", "step", "stufe", "teil",
    "tier", "tls", "volume",
];

/// Words that make four digits a year.
#[rustfmt::skip]
const BEFORE_YEAR: [&str; 22] = [
    "ab", "after", "anno", "before", "bis", "by", "from", "im", "in", "jahr", "jahre", "nach", "seit",
    "since", "till", "until", "von", "vor", "year", "spring", "winter", "summer",
];

/// The amounts of a clause, with their bounds and units. Years, dates, times of day and labels are none.
pub(super) fn quantities(tokens: &[&ClaimToken]) -> Vec<Measured<Quantity>> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        match quantity(tokens, at) {
            Some(measured) => {
                at = measured.to;
                found.push(measured);
            }
            None => at += 1,
        }
    }
    let several = found.len() > 1;
    let label = |measured: &Measured<Quantity>| {
        let before =
            measured.from.checked_sub(1).map(|at| tokens[at]).filter(|_| measured.value.kind.is_empty());
        before.is_some_and(|before| before.is(&LABELS) || (several && before.is(&["version", "release"])))
    };
    found.retain(|measured| !label(measured));
    found
}

/// The amount that begins at a token.
fn quantity(tokens: &[&ClaimToken], at: usize) -> Option<Measured<Quantity>> {
    let (bound, start) = bound(tokens, at);
    let (number, grain, after) = number(tokens, start)?;
    if bound == Bound::Exactly && is_year(tokens, start) || is_hour(tokens, after) {
        return None;
    }
    let (high, grain, after) = match range_end(tokens, after) {
        Some((high, fine, after)) => (high, fine, after),
        None => (number, grain, after),
    };
    let unit_word = tokens.get(after).map(|token| token.word.as_str());
    let unit = unit_word.and_then(units::named);
    let to = after + usize::from(unit.is_some());
    let (per, to) = rate(tokens, to, unit.is_some());
    let (least, most) = (unit.map_or(1, |unit| unit.least), unit.map_or(1, |unit| unit.most));
    let (low, high) = (
        number.scaled(least, 1)?.scaled(per.unwrap_or(1), 1)?,
        high.scaled(most, 1)?.scaled(per.unwrap_or(1), 1)?,
    );
    let (low, high) = match bound {
        Bound::Exactly => (Some(low), Some(high)),
        Bound::AtLeast => (Some(low), None),
        Bound::AtMost => (None, Some(high)),
        Bound::About => (Some(low.scaled(9, 10)?), Some(high.scaled(11, 10)?)),
    };
    let said = tokens[at..to].iter().map(|token| token.word.as_str()).collect::<Vec<_>>().join(" ");
    let kind = match (unit, per) {
        (Some(unit), None) => unit.kind.to_string(),
        (Some(unit), Some(_)) => format!("{} a week", unit.kind),
        (None, Some(_)) => "times a week".to_string(),
        (None, None) => String::new(),
    };
    let imperial = unit_word.is_some_and(|word| unit.is_some() && units::is_imperial(word));
    let grain = grain.scaled(most, 1)?;
    Some(Measured { value: Quantity { high, low, said, imperial, grain, kind }, from: at, to })
}

/// `2 Uhr`, `4 pm`, `9 am` unless `am` begins what follows.
fn is_hour(tokens: &[&ClaimToken], after: usize) -> bool {
    let morning = tokens.get(after).is_some_and(|next| next.is(&["am"]))
        && tokens.get(after + 1).is_none_or(|more| !more.capital);
    morning || tokens.get(after).is_some_and(|next| next.is(&["uhr", "o'clock", "pm"]))
}

/// What bounds a number that follows, and where the number begins.
fn bound(tokens: &[&ClaimToken], at: usize) -> (Bound, usize) {
    let fits = |words: &[&str]| {
        tokens.len() > at + words.len()
            && words.iter().zip(&tokens[at..]).all(|(word, token)| token.is(&[word]))
    };
    BOUNDS
        .iter()
        .find(|(words, _)| fits(words))
        .map_or((Bound::Exactly, at), |(words, bound)| (*bound, at + words.len()))
}

/// A number, half of its last digit, and what follows it.
fn number(tokens: &[&ClaimToken], at: usize) -> Option<(Number, Number, usize)> {
    let token = tokens.get(at)?;
    let half = Number::whole(1).scaled(1, 2)?;
    if token.kind == TokenKind::Number {
        let value = Number::read(&token.word, "").ok()?;
        let places = token.word.rsplit_once(['.', ',']).map_or(0, |(_, part)| part.len() as u32);
        return Some((value, half.scaled(1, 10_i64.checked_pow(places)?)?, at + 1));
    }
    if token.is(&["half", "halbe", "halben"]) {
        let article = tokens.get(at + 1).is_some_and(|next| next.is(&["a", "an"]));
        let next = at + 1 + usize::from(article);
        units::named(&tokens.get(next)?.word)?;
        return Some((half, Number::default(), next));
    }
    if token.is(&["one", "eine", "einer", "einen", "einem", "ein", "a", "an"]) {
        // `one hour`; without a unit it is an article or a pronoun.
        let next = tokens.get(at + 1)?;
        if next.is(&["halbe", "halben", "half"]) || units::named(&next.word).is_none() || next.word.len() < 2
        {
            return None;
        }
        return Some((Number::whole(1), half, at + 1));
    }
    lists::number(&token.word).map(|value| (Number::whole(value), half, at + 1))
}

/// The upper end of `10 to 20 days`.
fn range_end(tokens: &[&ClaimToken], at: usize) -> Option<(Number, Number, usize)> {
    tokens.get(at).filter(|token| token.is(&["to", "bis"]))?;
    number(tokens, at + 1)
}

/// How often a week, if the amount is one of so many in a span of time: `100 requests per minute`.
fn rate(tokens: &[&ClaimToken], to: usize, has_unit: bool) -> (Option<i64>, usize) {
    let skip = usize::from(!has_unit);
    let per = [to, to + skip]
        .into_iter()
        .find(|at| tokens.get(*at).is_some_and(|token| token.is(&["per", "pro", "je"])));
    let Some(per) = per else { return (None, to) };
    match tokens.get(per + 1).and_then(|token| units::per_week(&token.word)) {
        // The counted noun between stays a word of the topic.
        Some(often) if per == to => (Some(often), per + 2),
        Some(often) => (Some(often), to),
        None => (None, to),
    }
}

fn is_year(tokens: &[&ClaimToken], at: usize) -> bool {
    year(tokens[at]).is_some()
        && at > 0
        && tokens[at - 1].is(&BEFORE_YEAR)
        && tokens.get(at + 1).is_none_or(|next| units::named(&next.word).is_none())
}

/// The year that four digits may be.
pub(super) fn year(token: &ClaimToken) -> Option<i32> {
    let digits = token.kind == TokenKind::Number && token.word.len() == 4;
    token.word.parse().ok().filter(|year| digits && (1000..3000).contains(year))
}

/// The years that a clause speaks of: `in 1820`, `since 1820`, `until 1700`.
pub(super) fn years(tokens: &[&ClaimToken]) -> Option<Measured<(Option<i32>, Option<i32>)>> {
    tokens.iter().enumerate().find_map(|(at, token)| {
        let year = year(token).filter(|_| is_year(tokens, at))?;
        let named = tokens[at - 1].is(&["jahr", "jahre", "year"]);
        let mut from = at - 1;
        while named
            && from > 0
            && tokens[from - 1].is(&["im", "in", "the", "dem", "seit", "bis", "since", "until"])
        {
            from -= 1;
        }
        let word = tokens[from];
        let span = match word.word.as_str() {
            "since" | "seit" | "from" | "ab" => (Some(year), None),
            "until" | "till" | "bis" => (None, Some(year)),
            "before" | "vor" => (None, Some(year - 1)),
            "after" | "nach" => (Some(year + 1), None),
            _ => (Some(year), Some(year)),
        };
        Some(Measured { value: span, from, to: at + 1 })
    })
}

/// A date: `3 May 1820`, `May 5 1820`, `3. Mai 1820`, `1820-05-03`, `03.05.1820`; a year if `alone` allows it.
pub(super) fn date(tokens: &[&ClaimToken], alone: bool) -> Option<Measured<ClaimDate>> {
    let written = tokens.iter().enumerate().find_map(|(at, token)| {
        (token.kind == TokenKind::Number || token.technical)
            .then(|| numeric_date(&token.word))
            .flatten()
            .map(|value| Measured { value, from: at, to: at + 1 })
    });
    let named = || {
        tokens.iter().enumerate().find_map(|(at, token)| {
            let month = lists::month(&token.word).filter(|_| token.capital)?;
            let day = |at: Option<usize>| at.and_then(|at| day_of(tokens.get(at)?));
            let (before, after) = (day(at.checked_sub(1)), day(Some(at + 1)));
            let next = at + 1 + usize::from(before.is_none() && after.is_some());
            let year = tokens.get(next).and_then(|token| year(token));
            let from = at - usize::from(before.is_some());
            let value = ClaimDate { day: before.or(after), month: Some(month), year };
            (value.day.is_some() || year.is_some()).then_some(Measured {
                value,
                from,
                to: next + usize::from(year.is_some()),
            })
        })
    };
    let only_year = || {
        let at = tokens.iter().position(|token| year(token).is_some())?;
        let value = ClaimDate { year: year(tokens[at]), ..ClaimDate::default() };
        Some(Measured { value, from: at, to: at + 1 })
    };
    written.or_else(named).or_else(|| alone.then(only_year).flatten())
}

fn day_of(token: &ClaimToken) -> Option<u32> {
    let digits = token.word.trim_end_matches(|c: char| c.is_alphabetic());
    let ordinal = ["", "st", "nd", "rd", "th"].contains(&&token.word[digits.len()..]);
    digits.parse().ok().filter(|day| ordinal && (1..=31).contains(day))
}

fn numeric_date(word: &str) -> Option<ClaimDate> {
    let parts =
        |sign: char| word.split(sign).map(|part| part.parse::<u32>().ok()).collect::<Option<Vec<_>>>();
    let (year, month, day) = match (parts('-').as_deref(), parts('.').as_deref()) {
        (Some([year, month, day]), _) if *year >= 1000 => (*year, *month, *day),
        (_, Some([day, month, year])) if *year >= 1000 => (*year, *month, *day),
        _ => return None, // no date that has one reading
    };
    let good = (1..=12).contains(&month) && (1..=31).contains(&day) && year < 3000;
    good.then_some(ClaimDate { day: Some(day), month: Some(month), year: Some(year as i32) })
}

/// A time of day: `02:00`, `4:30`, `2 Uhr`, `4 pm`.
pub(super) fn clock(tokens: &[&ClaimToken]) -> Option<Measured<u32>> {
    tokens.iter().enumerate().filter(|(_, token)| token.kind == TokenKind::Number).find_map(|(at, token)| {
        let next = tokens.get(at + 1);
        let named = is_hour(tokens, at + 1);
        let (hour, minute) = match token.word.split_once(':') {
            Some((hour, minute)) => (hour.parse::<u32>().ok()?, minute.parse::<u32>().ok()?),
            None if named => (token.word.parse().ok()?, 0),
            None => return None,
        };
        let hour = if next.is_some_and(|next| next.is(&["pm"])) && hour < 12 { hour + 12 } else { hour };
        let to = at + 1 + usize::from(named);
        (hour < 24 && minute < 60).then_some(Measured { value: hour * 60 + minute, from: at, to })
    })
}
