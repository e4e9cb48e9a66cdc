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
    let (number, scale) = match written.strip_suffix('%') {
        Some(number) => (number.trim(), 100),
        None => (written, 1),
    };
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    if part.len() > 6 || !part.bytes().all(|b| b.is_ascii_digit()) || whole.is_empty() {
        return None;
    }
    let den = 10u32.pow(part.len() as u32);
    let whole: u32 = whole.parse().ok()?;
    let part: u32 = if part.is_empty() { 0 } else { part.parse().ok()? };
    Ratio::new(whole.checked_mul(den)?.checked_add(part)?, den * scale)
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
        let ratio: Ratio = written.parse()?;
        let thousandths = u64::from(ratio.num) * 1000 / u64::from(ratio.den);
        Self::new(thousandths as u16).ok_or_else(|| RatioError { written: written.into() })
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
