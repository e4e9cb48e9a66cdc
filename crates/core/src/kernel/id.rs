//! Ids. An id is the number of the act that gave birth to the thing, so it is deterministic, sortable,
//! and tells an auditor where in the journal to look.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::text;

/// The number of an act in the journal. The first act is 1; 0 is the empty journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Seq(pub u64);

impl Seq {
    /// The number of the act after this one.
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for Seq {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Act and place within it: `57` is what act 57 gave birth to first, `57.2` its third.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id {
    /// The act whose events hold the birth.
    pub act: Seq,
    /// Which event of that act, counted from 0.
    pub nth: u16,
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.nth {
            0 => write!(f, "{}", self.act),
            nth => write!(f, "{}.{nth}", self.act),
        }
    }
}

impl FromStr for Id {
    type Err = String;
    fn from_str(written: &str) -> Result<Self, String> {
        let wrong = || format!("`{written}` is not an id: write a number such as 57 or 57.2");
        let (act, nth) = match written.split_once('.') {
            Some((act, nth)) => (act, nth.parse().map_err(|_| wrong())?),
            None => (written, 0),
        };
        Ok(Self { act: Seq(act.parse().map_err(|_| wrong())?), nth })
    }
}

impl Serialize for Id {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Id {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}

/// A matter: one question before the house. Written `m57` or `m57.2`: people also call matters by their running
/// numbers, and a plain 57 could be either.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MatterId(pub Id);

impl fmt::Display for MatterId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "m{}", self.0)
    }
}

impl FromStr for MatterId {
    type Err = String;
    fn from_str(written: &str) -> Result<Self, String> {
        let wrong = || format!("`{written}` is not the id of a matter: write it like m57 or m57.2");
        let id = written.strip_prefix('m').ok_or_else(wrong)?;
        id.parse().map(Self).map_err(|_| wrong())
    }
}

impl Serialize for MatterId {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for MatterId {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}

macro_rules! born {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Id);
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { self.0.fmt(f) }
        }
        impl FromStr for $name {
            type Err = String;
            fn from_str(written: &str) -> Result<Self, String> { written.parse().map(Self) }
        }
    )+};
}

born! {
    /// An ask: one thing the world is asked to do.
    AskId,
    /// A ballot: one vote on a matter.
    BallotId,
    /// A proposal that lies on the table of a matter.
    ProposalId,
    /// A change somebody wants to a proposal.
    AmendmentId,
}

/// The canonical id of a participant: trimmed, NFKC, case-folded, so that two spellings are one voter.
#[derive(Debug, Clone, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Who(Arc<str>);

// Seats are looked up by their names all the time, and the names of a council often differ only at their ends.
impl PartialEq for Who {
    fn eq(&self, other: &Self) -> bool {
        let (own, theirs) = (self.0.as_bytes(), other.0.as_bytes());
        own.len() == theirs.len()
            && own.last() == theirs.last()
            && (Arc::ptr_eq(&self.0, &other.0) || own == theirs)
    }
}

impl Hash for Who {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl Who {
    /// The longest name a participant may have, in characters.
    pub const LONGEST: usize = 64;
    /// What issues, canon and leases call the person who runs the house.
    pub const USER: &str = "user";

    /// Makes the canonical id of a written name; says what is wrong with one that cannot be an id.
    pub fn parse(name: &str) -> Result<Self, String> {
        if let Some(hidden) = name.trim().chars().find(|c| text::is_invisible(*c)) {
            return Err(format!(
                "the name `{}` holds the invisible character U+{:04X}: write it without",
                text::excerpt(&text::one_line(&name.replace(text::is_invisible, "")), 40),
                u32::from(hidden)
            ));
        }
        let id = text::fold(name.trim());
        if id.is_empty() {
            return Err("a participant needs a name".into());
        }
        if id.chars().count() > Self::LONGEST {
            return Err(format!(
                "the name `{}` is longer than {} characters",
                text::excerpt(name, 20),
                Self::LONGEST
            ));
        }
        if let Some(bad) = id.chars().find(|c| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ' '))) {
            return Err(format!(
                "the name `{}` holds {bad:?}: use letters, digits, blanks, `-`, `_` and `.`",
                text::excerpt(name, 40)
            ));
        }
        Ok(Self(id.into()))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it stands for the person who runs the house. Nobody takes part under it, so no command acts as it.
    pub fn is_user(&self) -> bool {
        self.as_str() == Self::USER
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Who gave a command. It is inside the hash of the act, so a swapped author is found.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Actor {
    /// The person who runs the house, at its terminal.
    Operator,
    /// The engine itself: the clock, and what became of an ask.
    Engine,
    /// A participant who speaks for themself.
    Seat(Who),
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Operator => f.write_str("operator"),
            Self::Engine => f.write_str("engine"),
            Self::Seat(who) => write!(f, "seat:{who}"),
        }
    }
}

impl Serialize for Actor {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Actor {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let written = String::deserialize(from)?;
        match written.as_str() {
            "operator" => Ok(Self::Operator),
            "engine" => Ok(Self::Engine),
            other => match other.strip_prefix("seat:") {
                Some(who) => Ok(Self::Seat(Who(who.into()))),
                None => Err(de::Error::custom(format!("unknown actor `{other}`"))),
            },
        }
    }
}

/// An idempotency key: the same command given twice under one key acts once, for as long as the house knows the key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Key(pub Arc<str>);
