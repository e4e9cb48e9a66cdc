//! Where a setting of a charter stands: a whole number, or a share such as `>= 2/3`.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{Ratio, Threshold};

/// A value that a setting has or is moved to. In JSON a number, or a text such as `">= 2/3"`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingValue {
    /// A whole number.
    Number(u64),
    /// A share to reach or to exceed. Written without a sign, it is to be reached.
    Share(Threshold),
}

/// Why a text is not a value of a setting.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{written}` is not a value of a setting: write a whole number such as 3, or a share such as 2/3 or \">= 2/3\""
)]
pub struct SettingValueError {
    /// The text.
    pub written: String,
}

impl SettingValue {
    /// The number, if it is one.
    pub fn number(self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(number),
            Self::Share(_) => None,
        }
    }

    /// It as a share: 0 and 1 are shares too.
    pub fn share(self) -> Option<Threshold> {
        match self {
            Self::Share(share) => Some(share),
            Self::Number(number) => {
                let ratio = Ratio::new(u32::try_from(number).ok()?, 1)?;
                Some(Threshold { ratio, strict: false })
            }
        }
    }
}

impl From<u64> for SettingValue {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl From<Threshold> for SettingValue {
    fn from(share: Threshold) -> Self {
        Self::Share(share)
    }
}

impl From<Ratio> for SettingValue {
    fn from(ratio: Ratio) -> Self {
        Self::Share(Threshold { ratio, strict: false })
    }
}

impl fmt::Display for SettingValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Share(share) => share.fmt(f),
        }
    }
}

impl FromStr for SettingValue {
    type Err = SettingValueError;
    /// As people type it: `3`, `90_000`, `2/3`, `67%`, `0.6`, `> 1/2`, `>= 2/3`.
    fn from_str(written: &str) -> Result<Self, SettingValueError> {
        let trimmed = written.trim();
        let number = trimmed.bytes().all(|byte| byte.is_ascii_digit() || byte == b'_');
        let value = match number {
            true => trimmed.replace('_', "").parse().ok().map(Self::Number),
            false => trimmed.parse().ok().map(Self::Share),
        };
        value.ok_or_else(|| SettingValueError { written: trimmed.into() })
    }
}

impl Serialize for SettingValue {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => number.serialize(out),
            Self::Share(share) => share.serialize(out),
        }
    }
}

impl<'de> Deserialize<'de> for SettingValue {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(Visitor)
    }
}

struct Visitor;

impl de::Visitor<'_> for Visitor {
    type Value = SettingValue;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number, or a share such as \">= 2/3\"")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<SettingValue, E> {
        Ok(SettingValue::Number(number))
    }

    fn visit_str<E: de::Error>(self, written: &str) -> Result<SettingValue, E> {
        // A text is a share in any case: numbers come as numbers, so that a record has one spelling of each value.
        written.parse().map(SettingValue::Share).map_err(E::custom)
    }
}
