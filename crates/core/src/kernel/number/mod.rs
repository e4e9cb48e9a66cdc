//! Exact decimal numbers, as estimates are made of. Read from what somebody wrote, or not at all: a number that could
//! mean two things is unknown.

mod said;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::text;

/// A decimal number, exact. Numbers people write have at most six decimals here, and the middle between two of them at
/// most eight, so nothing is ever rounded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Number(i128);

/// Decimals that are kept.
const PLACES: usize = 8;
/// Decimals that may be written: two fewer, so that a quarter of a difference is exact.
const WRITTEN_PLACES: usize = 6;
/// Digits before the point that may be written.
const WRITTEN_DIGITS: usize = 15;
/// Digits before the point that a number may come to: as many as are read back.
const SCALED_DIGITS: u32 = 20;
/// What one is.
const ONE: i128 = 100_000_000;

/// Why a text is not a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotANumber {
    /// There is no number in it, or more than one.
    #[error("not one number that can be read")]
    Unreadable,
    /// It can be read as two numbers: `1.200` is 1.2 or 1200, and so is `1,200`.
    #[error("ambiguous: a point or comma before three digits can be a decimal sign or separate thousands")]
    Ambiguous,
    /// It is where the number begins or ends: `less than 5`.
    #[error("a bound and not a number")]
    Bound,
    /// It says what the number is not.
    #[error("it says what the number is not")]
    Denied,
    /// It is a list.
    #[error("a list and not one number")]
    List,
    /// A word multiplies it: `1.5 million`.
    #[error("a word or letter multiplies it, and the number has to be written out")]
    Multiplied,
    /// It has a unit, and another one than was asked for.
    #[error("another unit than was asked for")]
    OtherUnit,
    /// It is a range without one number in it.
    #[error("a range without one best number")]
    Range,
}

impl Number {
    /// A whole number.
    pub fn whole(value: i64) -> Self {
        Self(i128::from(value) * ONE)
    }

    /// How far two numbers lie apart.
    pub fn distance(self, other: Self) -> Self {
        Self((self.0 - other.0).abs())
    }

    /// Without its sign.
    pub fn magnitude(self) -> Self {
        Self(self.0.abs())
    }

    /// So many times the number, divided by a whole number; what is beyond the decimals that are kept is cut off. `None` if it gets
    /// too large to be written down.
    pub fn scaled(self, times: i64, over: i64) -> Option<Self> {
        let value = self.0.checked_mul(i128::from(times))?.checked_div(i128::from(over))?;
        (value.abs() < ONE * 10i128.pow(SCALED_DIGITS)).then_some(Self(value))
    }

    /// The sum of two.
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// What is left of it without the other.
    pub fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    /// From this number so many quarters of the way to another. Exact for numbers that somebody wrote.
    fn quarters_towards(self, other: Self, quarters: u32) -> Self {
        Self(self.0 + (other.0 - self.0) * i128::from(quarters) / 4)
    }

    /// Reads a number that somebody wrote, with or without the unit asked for: `12`, `12.5 days`, `1,200.50`, `12,5`,
    /// `1 000 000`, `$ 40`, `~3`, `1e3`, `twelve`. A point or comma before exactly three digits is ambiguous, since each
    /// half of the world writes thousands as the other writes decimals.
    pub fn read(written: &str, unit: &str) -> Result<Self, NotANumber> {
        let written = text::one_line(written);
        let bare = without_hedge(&written);
        if Range::split(bare, unit).is_some() {
            return Err(NotANumber::Range);
        }
        match said::shape(bare) {
            Some(why) => return Err(why),
            None if !bare.contains(|c: char| c.is_ascii_digit()) => return said::word(bare, unit),
            None => (),
        }
        let (joined, power) = said::exponent(&said::joined(bare));
        let (number, units) = without_unit(&joined).ok_or(NotANumber::Unreadable)?;
        match units.iter().find(|given| !same_unit(given, unit)) {
            Some(given) if said::multiplies(given) => Err(NotANumber::Multiplied),
            Some(_) => Err(NotANumber::OtherUnit),
            None => digits(number)?.times_ten(power).ok_or(NotANumber::Unreadable),
        }
    }

    /// Ten times itself so many times, within what may be written.
    fn times_ten(self, times: u32) -> Option<Self> {
        let most = ONE * 10i128.pow(WRITTEN_DIGITS as u32);
        let value = self.0.checked_mul(10i128.checked_pow(times)?)?;
        (value.abs() < most).then_some(Self(value))
    }
}

/// A lower and an upper bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The lower.
    pub low: Number,
    /// The upper.
    pub high: Number,
}

impl Range {
    /// Reads a range that somebody wrote: `10-20`, `10 to 20 days`, `between 10 and 20`. None if it is no range, or its
    /// bounds are the wrong way round.
    pub fn read(written: &str, unit: &str) -> Option<Self> {
        let written = text::one_line(written);
        let (low, high) = Self::split(without_hedge(&written), unit)?;
        (low <= high).then_some(Self { low, high })
    }

    fn split(bare: &str, unit: &str) -> Option<(Number, Number)> {
        let lower = bare.to_lowercase();
        let inner = ["between ", "zwischen "].iter().find_map(|lead| lower.strip_prefix(lead));
        let bare = inner.unwrap_or(&lower);
        let part = |one: &str| {
            let (number, units) = without_unit(one.trim())?;
            let fits = units.iter().all(|given| same_unit(given, &unit.to_lowercase()));
            digits(number).ok().filter(|_| fits)
        };
        let seps: &[&str] =
            if inner.is_some() { &[" and ", " und "] } else { &[" to ", " bis ", "–", "—", "-", ".."] };
        seps.iter().find_map(|sep| {
            // A sign before the first number is not what stands between two.
            let from = bare.char_indices().nth(1).map(|(at, _)| at)?;
            let at = from + bare[from..].find(sep)?;
            Some((part(&bare[..at])?, part(&bare[at + sep.len()..])?))
        })
    }
}

/// Words before a number that do not change it.
const HEDGES: [&str; 9] =
    ["~", "≈", "about ", "around ", "approximately ", "roughly ", "ca. ", "circa ", "etwa "];

fn without_hedge(written: &str) -> &str {
    let trimmed = written.trim().trim_end_matches('.');
    let lower = trimmed.to_lowercase();
    let hedge =
        HEDGES.iter().find(|hedge| lower.starts_with(**hedge) && trimmed.is_char_boundary(hedge.len()));
    hedge.map_or(trimmed, |hedge| trimmed[hedge.len()..].trim_start())
}

/// The digits of a text and the words before and after them; none if there are no digits, or two groups of them.
fn without_unit(written: &str) -> Option<(&str, Vec<&str>)> {
    let is_part = |c: char| {
        c.is_ascii_digit() || matches!(c, '.' | ',' | '\'' | '_' | '\u{a0}' | '\u{202f}' | '\u{2009}')
    };
    let first = written.find(|c: char| c.is_ascii_digit())?;
    let signed = written[..first].chars().next_back().filter(|c| matches!(c, '-' | '−' | '+' | '.'));
    let start = first - signed.map_or(0, char::len_utf8);
    let length = written[first..].find(|c: char| !is_part(c)).unwrap_or(written.len() - first);
    let end = first + written[first..first + length].trim_end_matches(|c: char| !c.is_ascii_digit()).len();
    let (before, after) = (written[..start].trim(), written[end..].trim());
    let more = |text: &str| text.chars().any(|c| c.is_ascii_digit());
    let units = [before, after].into_iter().filter(|unit| !unit.is_empty()).collect();
    (!more(before) && !more(after)).then_some((&written[start..end], units))
}

/// Endings by which one unit is written in more than one way.
const ENDINGS: [&str; 5] = ["s", "es", "e", "n", "en"];

/// Whether two words are the same unit, in the singular or the plural.
fn same_unit(given: &str, asked: &str) -> bool {
    let plain = |unit: &str| {
        let folded = text::fold(unit.trim().trim_matches(|c: char| matches!(c, '.' | '(' | ')' | '"')));
        match folded.as_str() {
            "percent" | "per cent" | "prozent" => "%".to_string(),
            "$" | "us$" | "usd" | "dollar" | "dollars" | "us dollar" | "us dollars" | "us-dollar" => {
                "usd".to_string()
            }
            "€" | "eur" | "euro" | "euros" => "eur".to_string(),
            "£" | "gbp" => "gbp".to_string(),
            _ => folded,
        }
    };
    let (given, asked) = (plain(given), plain(asked));
    let grows_to = |short: &str, long: &str| {
        long.strip_prefix(short).is_some_and(|rest| !short.is_empty() && ENDINGS.contains(&rest))
    };
    given == asked || grows_to(&given, &asked) || grows_to(&asked, &given)
}

/// A number from its digits, points and commas.
fn digits(written: &str) -> Result<Number, NotANumber> {
    let (negative, bare) = match written.strip_prefix(['-', '−']) {
        Some(rest) => (true, rest),
        None => (false, written.strip_prefix('+').unwrap_or(written)),
    };
    let spaced: String =
        bare.chars().map(|c| if matches!(c, '.' | ',') || c.is_ascii_digit() { c } else { '\'' }).collect();
    let (whole, part) = halves(&spaced)?;
    if whole.len() > WRITTEN_DIGITS || part.len() > WRITTEN_PLACES || (whole.is_empty() && part.is_empty()) {
        return Err(NotANumber::Unreadable);
    }
    let value: i128 = format!("{whole}{part:0<PLACES$}").parse().map_err(|_| NotANumber::Unreadable)?;
    Ok(Number(if negative { -value } else { value }))
}

/// The digits before and after the decimal sign.
fn halves(written: &str) -> Result<(String, String), NotANumber> {
    let (points, commas) = (written.matches('.').count(), written.matches(',').count());
    let decimal = match (points, commas) {
        (0, 0) => None,
        // What comes last is the decimal sign, and stands once.
        (1, 1..) | (1.., 1) if points.min(commas) == 1 && (points == 1 || commas == 1) => {
            let last = if written.rfind('.') > written.rfind(',') { '.' } else { ',' };
            let once = if last == '.' { points == 1 } else { commas == 1 };
            if !once {
                return Err(NotANumber::Unreadable);
            }
            Some(last)
        }
        (1, 0) | (0, 1) => {
            let sign = if points == 1 { '.' } else { ',' };
            let (whole, part) = written.split_once(sign).unwrap_or((written, ""));
            let looks_grouped = part.len() == 3 && (1..=3).contains(&whole.len()) && !whole.starts_with('0');
            if looks_grouped {
                return Err(NotANumber::Ambiguous);
            }
            Some(sign)
        }
        (2.., 0) | (0, 2..) => None,
        _ => return Err(NotANumber::Unreadable),
    };
    let (whole, part) = match decimal {
        Some(sign) => written
            .split_once(sign)
            .map(|_| written.rsplit_once(sign).unwrap_or((written, "")))
            .unwrap_or((written, "")),
        None => (written, ""),
    };
    let all_digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    Some((ungrouped(whole).ok_or(NotANumber::Unreadable)?, part.to_string()))
        .filter(|(_, part)| all_digits(part) && (decimal.is_none() || !part.is_empty()))
        .ok_or(NotANumber::Unreadable)
}

/// The digits of a whole number; groups of thousands must be three digits each and separated alike.
fn ungrouped(whole: &str) -> Option<String> {
    let Some(sign) = whole.chars().find(|c| !c.is_ascii_digit()) else { return Some(whole.to_string()) };
    let groups: Vec<&str> = whole.split(sign).collect();
    let digits = groups.iter().all(|group| !group.is_empty() && group.bytes().all(|b| b.is_ascii_digit()));
    let good = digits && groups[0].len() <= 3 && groups[1..].iter().all(|group| group.len() == 3);
    good.then(|| groups.concat())
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.0.unsigned_abs() / ONE as u128, self.0.unsigned_abs() % ONE as u128);
        let sign = if self.0 < 0 { "-" } else { "" };
        let part = format!("{part:0PLACES$}");
        match part.trim_end_matches('0') {
            "" => write!(f, "{sign}{whole}"),
            part => write!(f, "{sign}{whole}.{part}"),
        }
    }
}

/// As it is displayed: what was written down is read back, whatever it is.
impl FromStr for Number {
    type Err = NotANumber;
    fn from_str(written: &str) -> Result<Self, NotANumber> {
        let (negative, bare) = match written.strip_prefix('-') {
            Some(rest) => (true, rest),
            None => (false, written),
        };
        let (whole, part) = bare.split_once('.').unwrap_or((bare, ""));
        let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
        if whole.is_empty() || whole.len() > 20 || part.len() > PLACES || !digits(whole) || !digits(part) {
            return Err(NotANumber::Unreadable);
        }
        let value: i128 = format!("{whole}{part:0<PLACES$}").parse().map_err(|_| NotANumber::Unreadable)?;
        Ok(Self(if negative { -value } else { value }))
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(serde::de::Error::custom)
    }
}

/// What somebody estimates: one number, and the range in which they expect it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Estimate {
    /// The number.
    pub best: Number,
    /// They would be surprised by more; unknown if they did not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<Number>,
    /// They would be surprised by less.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<Number>,
}

impl Estimate {
    /// In words: `12 days (9 to 15)`.
    pub fn words(&self, unit: &str) -> String {
        let best = format!("{} {unit}", self.best);
        match (self.low, self.high) {
            (Some(low), Some(high)) => format!("{} ({low} to {high})", best.trim_end()),
            (Some(low), None) => format!("{} (at least {low})", best.trim_end()),
            (None, Some(high)) => format!("{} (at most {high})", best.trim_end()),
            (None, None) => best.trim_end().to_string(),
        }
    }
}

/// The middle of several numbers, and the middle half of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spread {
    /// A quarter of the numbers lies below.
    pub lower: Number,
    /// Half of them do.
    pub median: Number,
    /// A quarter lies above.
    pub upper: Number,
}

impl Spread {
    /// The spread of some numbers; none of none. Between two numbers it goes by how far the quarter lies towards the next
    /// one, so that four numbers have quartiles too (the way of spreadsheets' QUARTILE.INC).
    pub fn of(numbers: &[Number]) -> Option<Self> {
        let mut sorted = numbers.to_vec();
        sorted.sort_unstable();
        let last = sorted.len().checked_sub(1)?;
        let quartile = |nth: usize| {
            let (place, quarters) = (last * nth / 4, (last * nth % 4) as u32);
            let next = sorted[(place + 1).min(last)];
            sorted[place].quarters_towards(next, quarters)
        };
        Some(Self { lower: quartile(1), median: quartile(2), upper: quartile(3) })
    }

    /// The width of the middle half: the interquartile range.
    pub fn width(&self) -> Number {
        self.upper.distance(self.lower)
    }

    /// Whether a number lies in the middle half.
    pub fn holds(&self, number: Number) -> bool {
        self.lower <= number && number <= self.upper
    }

    /// In words: `median 12 days (middle half 9 to 15)`.
    pub fn words(&self, unit: &str) -> String {
        let median = format!("median {} {unit}", self.median);
        format!("{} (middle half {} to {})", median.trim_end(), self.lower, self.upper)
    }
}
