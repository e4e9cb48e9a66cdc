//! Exact fractions. Thresholds are compared by cross-multiplication: 48 of 72 meets 2/3.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// An exact fraction between 0 and 1.
#[derive(Debug, Clone, Copy)]
pub struct Ratio {
    num: u32,
    den: u32,
}

/// Why a written fraction is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{written}` is not a fraction from 0 to 1: write 2/3, 60% or 0.6")]
pub struct RatioError {
    /// What stood there.
    pub written: String,
}

impl Ratio {
    /// The whole.
    pub const ONE: Self = Self { num: 1, den: 1 };
    /// Nothing of it.
    pub const ZERO: Self = Self { num: 0, den: 1 };
    /// One in ten.
    pub const TENTH: Self = Self { num: 1, den: 10 };

    /// `num` of `den`, if that lies between 0 and 1.
    pub const fn new(num: u32, den: u32) -> Option<Self> {
        if den == 0 || num > den { None } else { Some(Self { num, den }) }
    }

    /// Whether `part` of `whole` is at least this much. Nothing is any part of zero.
    pub fn is_met_by(self, part: u32, whole: u32) -> bool {
        whole > 0 && self.compare(part, whole) != Ordering::Less
    }

    /// Whether `part` of `whole` is more than this.
    pub fn is_exceeded_by(self, part: u32, whole: u32) -> bool {
        whole > 0 && self.compare(part, whole) == Ordering::Greater
    }

    /// The fewest of `whole` that are at least this much: 67 % of 4 is 3.
    pub fn ceiling_of(self, whole: u32) -> u32 {
        let parts = u64::from(whole) * u64::from(self.num);
        parts.div_ceil(u64::from(self.den)) as u32 // at most `whole`, because the fraction is at most 1
    }

    /// How `part / whole` compares with this fraction.
    fn compare(self, part: u32, whole: u32) -> Ordering {
        (u64::from(part) * u64::from(self.den)).cmp(&(u64::from(self.num) * u64::from(whole)))
    }
}

impl PartialEq for Ratio {
    fn eq(&self, other: &Self) -> bool {
        self.compare(other.num, other.den) == Ordering::Equal
    }
}
impl Eq for Ratio {}

impl PartialOrd for Ratio {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Ratio {
    fn cmp(&self, other: &Self) -> Ordering {
        other.compare(self.num, self.den)
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.num, self.den)
    }
}

impl FromStr for Ratio {
    type Err = RatioError;
    fn from_str(written: &str) -> Result<Self, RatioError> {
        parse(written.trim()).ok_or_else(|| RatioError { written: written.into() })
    }
}

fn parse(written: &str) -> Option<Ratio> {
    if let Some((num, den)) = written.split_once('/') {
        return Ratio::new(num.trim().parse().ok()?, den.trim().parse().ok()?);
    }
    let decimal = Decimal::parse(written)?;
    // As many decimals as were written, so that 0.6 stays 6/10 in the record.
    let places = decimal.decimals.clamp(0, i64::from(DECIMALS)) as u32;
    let (digits, rest) = decimal.places(places);
    // Round up: a value just below the written threshold must not meet it.
    Ratio::new(digits.checked_add(u32::from(rest))?, 10u32.pow(places))
}

/// Decimals of a fraction that are kept: as many as its denominator has room for.
const DECIMALS: u32 = 9;

/// A finite number as JSON, TOML or a person writes it: `0.6`, `.6`, `6e-1`, `60%`. Digits and where the point is, so that no
/// float comes between.
struct Decimal {
    digits: Vec<u8>,
    /// How many of the digits stand before the point; fewer than none where zeros follow it.
    point: i64,
    /// How many decimals were written.
    decimals: i64,
}

impl Decimal {
    /// Reads a number that is not below zero.
    fn parse(written: &str) -> Option<Self> {
        let (number, percent) = match written.strip_suffix('%') {
            Some(number) => (number.trim_end(), 2),
            None => (written, 0),
        };
        let (number, exponent) = match number.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, exponent.parse::<i32>().ok()?),
            None => (number, 0),
        };
        let (sign, number) = match number.strip_prefix(['+', '-']) {
            Some(rest) => (number.starts_with('-'), rest),
            None => (false, number),
        };
        let (whole, part) = number.split_once('.').unwrap_or((number, ""));
        let digits: Vec<u8> = whole.bytes().chain(part.bytes()).collect();
        if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
            return None;
        }
        let zero = digits.iter().all(|digit| *digit == b'0');
        if sign && !zero {
            return None;
        }
        let leading = digits.iter().take_while(|digit| **digit == b'0').count();
        let exponent = i64::from(exponent) - percent;
        let point = whole.len() as i64 + exponent - leading as i64;
        let decimals = part.len() as i64 - exponent;
        Some(Self { digits: digits[leading..].to_vec(), point: if zero { 0 } else { point }, decimals })
    }

    /// It in units of a tenth to the power of `places`, and whether it is a little more than that. `u32::MAX` if it is
    /// far too large.
    fn places(&self, places: u32) -> (u32, bool) {
        let kept = self.point + i64::from(places);
        if self.digits.is_empty() {
            return (0, false);
        }
        // The first digit is not a zero, so this many of them are more than any fraction has.
        if kept > i64::from(DECIMALS) + 1 {
            return (u32::MAX, true);
        }
        let kept = kept.max(0) as usize;
        let digit = |nth: usize| u64::from(self.digits.get(nth).map_or(0, |digit| digit - b'0'));
        let value = (0..kept).fold(0u64, |value, nth| value * 10 + digit(nth));
        let rest = self.digits.iter().skip(kept).any(|digit| *digit != b'0');
        (u32::try_from(value).unwrap_or(u32::MAX), rest)
    }
}

impl Serialize for Ratio {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Ratio {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}

/// A fraction to reach or to exceed: `>= 2/3`, `> 1/2`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Threshold {
    /// The fraction.
    pub ratio: Ratio,
    /// Reaching it is not enough.
    pub strict: bool,
}

impl PartialOrd for Threshold {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Threshold {
    /// The one that is harder to pass is the greater: `>= 1/2`, `> 1/2`, `>= 2/3`.
    fn cmp(&self, other: &Self) -> Ordering {
        self.ratio.cmp(&other.ratio).then(self.strict.cmp(&other.strict))
    }
}

impl Threshold {
    /// So much of the whole, or more. For constants: a fraction that is none does not compile.
    pub const fn at_least(num: u32, den: u32) -> Self {
        match Ratio::new(num, den) {
            Some(ratio) => Self { ratio, strict: false },
            None => panic!("a fraction lies from 0 to 1"),
        }
    }

    /// Whether `part` of `whole` passes.
    pub fn is_met_by(self, part: u32, whole: u32) -> bool {
        if self.strict { self.ratio.is_exceeded_by(part, whole) } else { self.ratio.is_met_by(part, whole) }
    }
}

impl Threshold {
    /// `more than 1/2`, `at least 67 %`.
    pub fn words(&self) -> String {
        let least = if self.strict { "more than" } else { "at least" };
        match (self.ratio.num, self.ratio.den) {
            (num, 100) => format!("{least} {num} %"),
            _ => format!("{least} {}", self.ratio),
        }
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", if self.strict { ">" } else { ">=" }, self.ratio)
    }
}

impl FromStr for Threshold {
    type Err = RatioError;
    /// A fraction without a sign is to be reached.
    fn from_str(written: &str) -> Result<Self, RatioError> {
        let written = written.trim();
        let (strict, ratio) = match (written.strip_prefix(">="), written.strip_prefix('>')) {
            (Some(rest), _) => (false, rest),
            (None, Some(rest)) => (true, rest),
            (None, None) => (false, written.strip_prefix('≥').unwrap_or(written)),
        };
        let ratio = ratio.parse().map_err(|_| RatioError { written: written.into() })?;
        Ok(Self { ratio, strict })
    }
}

impl Serialize for Threshold {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Threshold {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}

/// Thousandths, for confidence: 850 is 0.85.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Permille(u16);

impl Permille {
    /// A value of at most 1000.
    pub const fn new(thousandths: u16) -> Option<Self> {
        if thousandths > 1000 { None } else { Some(Self(thousandths)) }
    }

    /// The thousandths.
    pub fn get(self) -> u16 {
        self.0
    }
}

impl FromStr for Permille {
    type Err = RatioError;
    /// Written like a [`Ratio`]. What is finer than a thousandth falls away: 0.5999 does not become 0.6.
    fn from_str(written: &str) -> Result<Self, RatioError> {
        let wrong = || RatioError { written: written.into() };
        let thousandths = match written.contains('/') {
            true => {
                let ratio: Ratio = written.parse()?;
                (u64::from(ratio.num) * 1000 / u64::from(ratio.den)) as u32
            }
            false => {
                let decimal = Decimal::parse(written.trim()).ok_or_else(wrong)?;
                let (thousandths, rest) = decimal.places(3);
                // Anything above 1 is wrong, by however little.
                if thousandths == 1000 && rest {
                    return Err(wrong());
                }
                thousandths
            }
        };
        u16::try_from(thousandths).ok().and_then(Self::new).ok_or_else(wrong)
    }
}

impl fmt::Display for Permille {
    /// `0.85`: as many decimals as it has, at least two.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 % 10 {
            0 => write!(f, "{}.{:02}", self.0 / 1000, self.0 % 1000 / 10),
            _ => write!(f, "{}.{:03}", self.0 / 1000, self.0 % 1000),
        }
    }
}
