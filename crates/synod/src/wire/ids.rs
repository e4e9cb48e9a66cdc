//! How requests name things.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use synod_core::kernel::{Id, MatterId, Seq};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use crate::matter_arg::MatterArg;

/// How an id is written.
macro_rules! id_pattern {
    () => {
        r"[0-9]{1,15}(\.[0-9]{1,4})?"
    };
}

/// How the id of a matter is written. The type itself knows; the document says it here.
macro_rules! matter_pattern {
    () => {
        r"m[0-9]{1,15}(\.[0-9]{1,4})?"
    };
}

/// An id as a path, a query or a body names it. Only its usual spelling is accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WrittenId(pub(crate) Id);

impl FromStr for WrittenId {
    type Err = String;

    fn from_str(written: &str) -> Result<Self, String> {
        let wrong = || format!("`{}` is not an id: write a number such as 57 or 57.2", clip(written));
        let digits = |part: &str, most: usize| {
            (1..=most).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit())
        };
        let (act, nth) = written.split_once('.').map_or((written, None), |(act, nth)| (act, Some(nth)));
        if !digits(act, 15) || nth.is_some_and(|nth| !digits(nth, 4)) {
            return Err(wrong());
        }
        let nth = nth.map_or(Ok(0), str::parse).map_err(|_| wrong())?;
        Ok(Self(Id { act: Seq(act.parse().map_err(|_| wrong())?), nth }))
    }
}

impl fmt::Display for WrittenId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

fn clip(written: &str) -> String {
    written.chars().take(40).collect()
}

/// The id of a matter as a path, a query or a body names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WrittenMatter(pub(crate) MatterId);

impl FromStr for WrittenMatter {
    type Err = String;

    fn from_str(written: &str) -> Result<Self, String> {
        let id = written.strip_prefix('m').and_then(|id| id.parse().ok());
        id.map(|WrittenId(id)| Self(MatterId(id))).ok_or_else(|| {
            let written = clip(written);
            format!("`{written}` is not the id of a matter: write it like m57; `GET /v1/matters` lists them")
        })
    }
}

impl fmt::Display for WrittenMatter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// A matter: by its id, or the last one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MatterRef {
    /// This one.
    Id(MatterId),
    /// The newest one that is open, else the newest.
    Last,
    /// The same, of rings only.
    LastRing,
}

impl FromStr for MatterRef {
    type Err = String;

    fn from_str(written: &str) -> Result<Self, String> {
        match written {
            "last" => Ok(Self::Last),
            "last-ring" => Ok(Self::LastRing),
            id => id.parse().map(|WrittenMatter(id)| Self::Id(id)),
        }
    }
}

impl fmt::Display for MatterRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(matter) => matter.fmt(f),
            Self::Last => f.write_str("last"),
            Self::LastRing => f.write_str("last-ring"),
        }
    }
}

/// Something on the table of a ring: a proposal by its letter, anything by its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ItemRef {
    /// `A` for the first proposal.
    Letter(char),
    /// Its id.
    Id(Id),
}

impl FromStr for ItemRef {
    type Err = String;

    fn from_str(written: &str) -> Result<Self, String> {
        let mut letters = written.trim().chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) if letter.is_ascii_alphabetic() => {
                Ok(Self::Letter(letter.to_ascii_uppercase()))
            }
            _ => written.trim().parse().map(|WrittenId(id)| Self::Id(id)).map_err(|_| {
                format!(
                    "`{}` names nothing on the table: write a proposal's letter, or an id such as 57 or 57.2",
                    clip(written)
                )
            }),
        }
    }
}

impl fmt::Display for ItemRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Letter(letter) => letter.fmt(f),
            Self::Id(id) => id.fmt(f),
        }
    }
}

/// An issue: by its number, its id, or the newest one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct IssueRef(pub(crate) MatterArg);

impl FromStr for IssueRef {
    type Err = String;

    fn from_str(written: &str) -> Result<Self, String> {
        written.parse().map(Self).map_err(|_: String| {
            let written = clip(written);
            format!("`{written}` is not an issue: write its number (3), its id (m57) or `last`")
        })
    }
}

impl fmt::Display for IssueRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Text in JSON, with the pattern that the document names.
macro_rules! text_in_json {
    ($name:ident, $pattern:expr, $about:literal) => {
        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
                out.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                String::deserialize(from)?.parse().map_err(de::Error::custom)
            }
        }

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                let text = ObjectBuilder::new().schema_type(Type::String);
                text.pattern(Some($pattern)).description(Some($about)).build().into()
            }
        }

        impl ToSchema for $name {}
    };
}

text_in_json!(WrittenId, concat!("^", id_pattern!(), "$"), "An id.");
text_in_json!(WrittenMatter, concat!("^", matter_pattern!(), "$"), "The id of a matter.");
text_in_json!(
    MatterRef,
    concat!("^(last|last-ring|", matter_pattern!(), ")$"),
    "A matter: its id, or `last`."
);
text_in_json!(
    IssueRef,
    concat!("^(last|#?[0-9]{1,15}|", matter_pattern!(), ")$"),
    "An issue: its number, its id, or `last`."
);
text_in_json!(
    ItemRef,
    concat!("^([A-Za-z]|", id_pattern!(), ")$"),
    "A proposal by its letter, or anything on the table by its id."
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for written in ["m57", "m57.2", "last", "last-ring"] {
            assert_eq!(written.parse::<MatterRef>().map(|name| name.to_string()), Ok(written.into()));
        }
        assert_eq!("a".parse(), Ok(ItemRef::Letter('A')));
        assert_eq!("57.2".parse::<ItemRef>().map(|name| name.to_string()), Ok("57.2".into()));
        for wrong in ["", "AB", "57.", "-1", "57.12345", "1234567890123456"] {
            assert!(wrong.parse::<ItemRef>().is_err(), "{wrong}");
            assert!(wrong.parse::<WrittenId>().is_err(), "{wrong}");
        }
    }
}
