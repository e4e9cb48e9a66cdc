//! Values of claims, when two of them exclude each other and when one covers the other.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::lists;
use crate::kernel::{Number, words};

/// What is said of something. Words are in their basic form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClaimValue {
    /// The clock, in minutes since midnight.
    Clock(u32),
    /// Colours. A word may stand for several: hazel is brown and green.
    Colour {
        /// The plain colours.
        hues: Vec<String>,
        /// The words that were used.
        said: String,
    },
    /// A date, or a part of one.
    Date(ClaimDate),
    /// Nothing but that it is so: `Mara is a healer`.
    Holds,
    /// One of a closed list whose members exclude each other: days of the week, materials, directions.
    Member {
        /// Which list.
        list: String,
        /// Which of its members.
        members: Vec<String>,
    },
    /// A name or another word of choice.
    Name(String),
    /// A number or a range of numbers, perhaps of some unit.
    Quantity(Quantity),
    /// A place.
    Place {
        /// Its name or word.
        name: String,
        /// It is a name, as opposed to `the vault`.
        proper: bool,
    },
    /// One of two opposites: open and closed.
    State {
        /// The pair.
        pair: String,
        /// Which: the first of the pair or its opposite.
        first: bool,
    },
}

words!(enum ClaimValue {
    Clock(minutes),
    Colour { hues, said | },
    Date(date),
    Holds,
    Member { members | list },
    Name[name],
    Quantity[quantity],
    Place { name | proper },
    State { pair | first },
});

/// A date; what is not said is left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ClaimDate {
    /// The day of the month.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub day: Option<u32>,
    /// The month, 1 to 12.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub month: Option<u32>,
    /// The year.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub year: Option<i32>,
}

/// A range of numbers in the smallest unit of its kind; an exact number is a range of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quantity {
    /// No more than this; none if there is no upper bound.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub high: Option<Number>,
    /// No less than this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub low: Option<Number>,
    /// As it was written.
    pub said: String,
    /// The system of its unit: feet and metres are rounded when one is turned into the other.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub imperial: bool,
    /// Half of the last digit that was written, in the smallest unit.
    pub grain: Number,
    /// What is measured: `length`, `time`; empty for bare numbers.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub kind: String,
}

words!(struct Quantity { said | grain, high, imperial, kind, low });

impl Quantity {
    /// Whether no number lies in both.
    fn is_apart_from(&self, other: &Self) -> bool {
        // Between metres and feet people round.
        let rounds = self.imperial != other.imperial;
        let below = |high: Option<Number>, low: Option<Number>| match (high, low) {
            (Some(high), Some(low)) if rounds => low.minus(high) > self.grain.plus(other.grain),
            (Some(high), Some(low)) => high < low,
            (None, _) | (_, None) => false,
        };
        self.kind == other.kind && (below(self.high, other.low) || below(other.high, self.low))
    }

    /// Whether every number of the other lies in this one.
    fn holds(&self, other: &Self) -> bool {
        let low = self.low.is_none_or(|low| other.low.is_some_and(|inner| low <= inner));
        let high = self.high.is_none_or(|high| other.high.is_some_and(|inner| inner <= high));
        self.kind == other.kind && low && high
    }
}

impl ClaimDate {
    fn pairs(self, other: Self) -> [(Option<i64>, Option<i64>); 3] {
        let day = |date: Self| date.day.map(i64::from);
        let month = |date: Self| date.month.map(i64::from);
        let year = |date: Self| date.year.map(i64::from);
        [(year(self), year(other)), (month(self), month(other)), (day(self), day(other))]
    }

    /// Whether a part that both state differs.
    fn excludes(self, other: Self) -> bool {
        self.pairs(other).into_iter().any(|(one, two)| one.zip(two).is_some_and(|(one, two)| one != two))
    }

    /// Whether the other states all that this one does, and the same.
    fn covers(self, other: Self) -> bool {
        self.pairs(other).into_iter().all(|(one, two)| one.is_none() || one == two)
    }
}

impl ClaimValue {
    /// Whether the claim only says that something is so.
    pub(super) fn is_bare(&self) -> bool {
        matches!(self, Self::Holds)
    }

    /// Whether such a value rarely changes, so that the past tense of a story speaks of the present too.
    pub(super) fn is_lasting(&self) -> bool {
        match self {
            Self::Colour { .. } | Self::Date(_) => true,
            Self::Member { list, .. } => list != "weekday",
            Self::Clock(_)
            | Self::Holds
            | Self::Name(_)
            | Self::Quantity(_)
            | Self::Place { .. }
            | Self::State { .. } => false,
        }
    }

    /// Whether both cannot hold of one thing. Values of two kinds say nothing of each other.
    pub(super) fn excludes(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Clock(one), Self::Clock(two)) => one != two,
            (Self::Colour { hues: one, .. }, Self::Colour { hues: two, .. }) => is_disjoint(one, two),
            (Self::Date(one), Self::Date(two)) => one.excludes(*two),
            (Self::Member { list, members }, Self::Member { list: other, members: others }) => {
                list == other && is_disjoint(members, others)
            }
            (Self::Name(one), Self::Name(two)) => {
                let (one, two) = (lists::full_name(one), lists::full_name(two));
                !is_part(one, two) && !is_part(two, one)
            }
            (Self::Quantity(one), Self::Quantity(two)) => one.is_apart_from(two),
            (Self::Place { name, proper }, Self::Place { name: other, proper: named }) => {
                let level = |name: &str| lists::is_country(name);
                let (name, other) = (lists::full_name(name), lists::full_name(other));
                proper == named
                    && !is_part(name, other)
                    && !is_part(other, name)
                    && level(name) == level(other)
            }
            (Self::State { pair, first }, Self::State { pair: other, first: side }) => {
                pair == other && first != side
            }
            _ => false, // two kinds, or both only say that something is so
        }
    }

    /// Whether what denies this denies the other too.
    pub(super) fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Colour { hues: one, .. }, Self::Colour { hues: two, .. }) => {
                two.iter().all(|hue| one.contains(hue))
            }
            (Self::Date(one), Self::Date(two)) => one.covers(*two),
            (Self::Member { list, members }, Self::Member { list: other, members: others }) => {
                list == other && others.iter().all(|member| members.contains(member))
            }
            (Self::Quantity(one), Self::Quantity(two)) => one.holds(two),
            (one, two) => one == two,
        }
    }
}

fn is_disjoint(one: &[String], two: &[String]) -> bool {
    !one.is_empty() && !two.is_empty() && one.iter().all(|word| !two.contains(word))
}

/// Whether every word of one is a word of the other: `postgresql 16` is a `postgresql`.
fn is_part(one: &str, two: &str) -> bool {
    one.split(' ').all(|word| two.split(' ').any(|other| other == word))
}

impl fmt::Display for ClaimValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Clock(minutes) => write!(f, "{:02}:{:02}", minutes / 60, minutes % 60),
            Self::Colour { said, .. } => f.write_str(said),
            Self::Date(ClaimDate { day, month, year }) => {
                let year = year.map(|year| format!("{year:04}"));
                let rest = [month, day].into_iter().map(|part| part.map(|part| format!("{part:02}")));
                f.write_str(&std::iter::once(year).chain(rest).flatten().collect::<Vec<_>>().join("-"))
            }
            Self::Holds => f.write_str("so"),
            Self::Member { members, .. } => f.write_str(&members.join(" and ")),
            Self::Name(name) | Self::Place { name, .. } => f.write_str(name),
            Self::Quantity(quantity) => f.write_str(&quantity.said),
            Self::State { pair, first } => match (first, lists::opposite_of(pair)) {
                (true, _) => f.write_str(pair),
                (false, Some(opposite)) => f.write_str(opposite),
                (false, None) => write!(f, "un{pair}"),
            },
        }
    }
}
