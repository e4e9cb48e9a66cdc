//! Paths of leases.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::Refusal;
use crate::kernel::{clean_path, text};

/// A file or folder below the root of the house, without `.`, `..` and a slash at its end. Two paths are the same if they
/// differ only in case or in how accented letters are coded.
#[derive(Debug, Clone)]
pub struct LeasePath(Arc<str>);

impl LeasePath {
    /// Reads a path, or says what is wrong with it.
    pub fn parse(written: &str) -> Result<Self, Refusal> {
        let bare = written.strip_suffix('/').unwrap_or(written);
        let flawed = |why: &'static str| {
            let written = text::excerpt(&text::one_line(written), 80).into_owned();
            Refusal::BadPath { written, why }
        };
        match clean_path(bare) {
            Ok(path) => Ok(Self(path.into())),
            Err(flaw) => Err(flawed(flaw.words())),
        }
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The form in which paths are compared.
    pub(super) fn key(&self) -> String {
        self.0.split('/').map(text::fold).collect::<Vec<_>>().join("/")
    }

    /// Whether another is this one, or lies in it.
    pub fn covers(&self, other: &Self) -> bool {
        let (key, other) = (self.key(), other.key());
        other == key || other.strip_prefix(&key).is_some_and(|rest| rest.starts_with('/'))
    }
}

/// A path in its compared form and every folder above it.
pub(super) fn folders(key: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(key), |path| path.rsplit_once('/').map(|(folder, _)| folder))
}

impl PartialEq for LeasePath {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for LeasePath {}

impl PartialOrd for LeasePath {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for LeasePath {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key().cmp(&other.key())
    }
}

impl fmt::Display for LeasePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for LeasePath {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for LeasePath {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(from)?).map_err(de::Error::custom)
    }
}
