//! Entries of canon: their names, their versions, and how they are cited.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use imbl::Vector;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::{Claim, Refusal};
use crate::kernel::{Actor, At, MatterId, Who, Words as _, text, words};

/// The name of an entry: small letters, digits and hyphens, such as `eyes` or `session-timeout`. It never changes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct EntryName(Arc<str>);

impl EntryName {
    /// The longest name, in characters.
    pub const LONGEST: usize = 64;

    /// Reads a name: letters of any case, blanks and underscores are turned into its one spelling.
    pub fn parse(written: &str) -> Result<Self, Refusal> {
        let name = text::fold(written.trim()).replace([' ', '_'], "-");
        let plain = |c: char| (c.is_alphanumeric() && !c.is_uppercase()) || c == '-';
        let sound = !name.is_empty() && name.chars().count() <= Self::LONGEST && name.chars().all(plain);
        let edges = name.starts_with('-') || name.ends_with('-');
        match sound && !edges {
            true => Ok(Self(name.into())),
            false => {
                Err(Refusal::BadName { written: text::excerpt(&text::one_line(written), 40).into_owned() })
            }
        }
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for EntryName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Serialize for EntryName {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.serialize_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for EntryName {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Self::parse(&String::deserialize(from)?).map_err(de::Error::custom)
    }
}

/// An entry at one of its versions, written `canon:eyes@2`. Version 0 stands for the latest, written `canon:eyes`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CanonRef {
    /// The entry.
    pub name: EntryName,
    /// Its version, counted from 1; 0 for the latest.
    pub version: u32,
}

impl FromStr for CanonRef {
    type Err = Refusal;

    fn from_str(written: &str) -> Result<Self, Refusal> {
        let bare = written.trim();
        let bare = bare.strip_prefix("canon:").unwrap_or(bare);
        let wrong = || Refusal::BadName { written: text::excerpt(&text::one_line(written), 40).into_owned() };
        let (name, version) = match bare.split_once('@') {
            Some((name, version)) => {
                (name, version.parse().ok().filter(|version| *version > 0).ok_or_else(wrong)?)
            }
            None => (bare, 0),
        };
        Ok(Self { name: EntryName::parse(name)?, version })
    }
}

impl fmt::Display for CanonRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.version {
            0 => write!(f, "canon:{}", self.name),
            version => write!(f, "canon:{}@{version}", self.name),
        }
    }
}

impl Serialize for CanonRef {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for CanonRef {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}

/// One version of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CanonVersion {
    /// When it was promoted.
    pub at: At,
    /// By whom.
    pub by: Actor,
    /// What it claims.
    pub claims: Vec<Claim>,
    /// When, by whom and why it ended, if somebody ended it.
    pub ended: Option<(At, Actor, Option<String>)>,
    /// The issue it came from.
    pub matter: Option<MatterId>,
    /// The text.
    pub text: String,
    /// It holds until then, and not at that moment.
    pub until: Option<At>,
    /// Counted from 1.
    pub version: u32,
    /// The agents that voted for it, where these decided.
    pub votes: Vec<Who>,
}

words!(struct CanonVersion { claims, ended, text | at, by, matter, until, version, votes });

impl CanonVersion {
    /// Whether it holds at a time, as far as it knows itself: [`CanonEntry`] knows whether another took its place.
    pub(super) fn status(&self, at: At) -> EntryStatus {
        match (&self.ended, self.until) {
            (Some((ended, ..)), _) if *ended <= at => EntryStatus::Ended { at: *ended },
            (_, Some(until)) if until <= at => EntryStatus::Expired { at: until },
            (Some(_) | None, _) => EntryStatus::Current,
        }
    }
}

/// Whether a version of an entry holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryStatus {
    /// It holds.
    Current,
    /// Somebody ended it.
    Ended {
        /// When.
        at: At,
    },
    /// Its time is over.
    Expired {
        /// Since when.
        at: At,
    },
    /// A later version took its place.
    Superseded {
        /// The latest version.
        latest: u32,
    },
}

impl EntryStatus {
    /// One word for lists.
    pub fn word(self) -> &'static str {
        match self {
            Self::Current => "current",
            Self::Ended { .. } => "ended",
            Self::Expired { .. } => "expired",
            Self::Superseded { .. } => "superseded",
        }
    }
}

/// What a citation leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CitedEntry<'a> {
    /// No entry has this name, or it has no such version.
    Unknown,
    /// A version, and whether it holds.
    Known(&'a CanonVersion, EntryStatus),
}

/// An entry with all its versions, the oldest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CanonEntry {
    versions: Vector<Arc<CanonVersion>>,
}

impl CanonEntry {
    /// All versions, the oldest first.
    pub fn history(&self) -> impl Iterator<Item = &Arc<CanonVersion>> {
        self.versions.iter()
    }

    /// The last version, whether it holds or not.
    pub fn latest(&self) -> Option<&Arc<CanonVersion>> {
        self.versions.last()
    }

    /// The version that holds at a time. An old version does not hold again when the one after it ends.
    pub fn current(&self, at: At) -> Option<&Arc<CanonVersion>> {
        self.latest().filter(|version| version.status(at) == EntryStatus::Current)
    }

    /// Whether a version holds at a time; `None` if there is no such version.
    pub fn status(&self, version: u32, at: At) -> Option<EntryStatus> {
        let latest = self.latest()?.version;
        let found = self.find(version)?;
        Some(if found.version < latest { EntryStatus::Superseded { latest } } else { found.status(at) })
    }

    pub(super) fn cite(&self, version: u32, at: At) -> CitedEntry<'_> {
        let found = self.find(version).and_then(|found| Some((found, self.status(found.version, at)?)));
        found.map_or(CitedEntry::Unknown, |(found, status)| CitedEntry::Known(found, status))
    }

    fn find(&self, version: u32) -> Option<&Arc<CanonVersion>> {
        match version.checked_sub(1) {
            Some(at) => self.versions.get(at as usize),
            None => self.latest(),
        }
    }

    pub(super) fn add(&mut self, version: Arc<CanonVersion>) {
        self.versions.push_back(version);
    }

    pub(super) fn end(&mut self, version: u32, at: At, by: Actor, why: Option<String>) {
        let place = version.checked_sub(1).and_then(|place| self.versions.get_mut(place as usize));
        if let Some(known) = place {
            Arc::make_mut(known).ended = Some((at, by, why));
        }
    }

    /// Forgets the words of versions that came from an issue.
    pub(super) fn forget(&mut self, matter: MatterId) {
        for version in self.versions.iter_mut().filter(|version| version.matter == Some(matter)) {
            let version = Arc::make_mut(version);
            version.redact();
            // A claim without words claims nothing.
            version.claims.clear();
        }
    }

    pub(super) fn add_claims(&mut self, version: u32, claims: &[Claim]) {
        let place = version.checked_sub(1).and_then(|place| self.versions.get_mut(place as usize));
        if let Some(known) = place {
            let own = &mut Arc::make_mut(known).claims;
            for claim in claims {
                if !own.contains(claim) {
                    own.push(claim.clone());
                }
            }
        }
    }
}
