//! How many independent voters the seats come to. Seats that share a model are likely to err together, so
//! they weigh as fewer than they are.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;

use super::SeatReport;

/// The effective number of independent voters: n² / Σ nᵢ², where groups of nᵢ seats share a model. It takes
/// one model for one voter, whatever persona or role it plays, and different models for independent ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Voters {
    /// The square of the number of seats.
    pub part: u64,
    /// The sum of the squares of the groups.
    pub whole: u64,
}

impl Voters {
    /// The number for some seats, if it is below theirs. A seat without a model is a group of its own.
    pub(super) fn of<'a>(seats: impl Iterator<Item = &'a SeatReport>) -> Option<Self> {
        Self::of_models(seats.map(|row| row.seat.model.as_deref()))
    }

    /// The same, by the models alone.
    pub(crate) fn of_models<'a>(models: impl Iterator<Item = Option<&'a str>>) -> Option<Self> {
        let mut groups: BTreeMap<&str, u64> = BTreeMap::new();
        let (mut seated, mut alone) = (0, 0);
        for model in models {
            seated += 1;
            match model {
                Some(model) => *groups.entry(model).or_insert(0) += 1,
                None => alone += 1,
            }
        }
        let whole = alone + groups.values().map(|seats| seats * seats).sum::<u64>();
        (whole > seated).then_some(Self { part: seated * seated, whole })
    }

    /// The seats it is the number of.
    pub fn seats(self) -> u64 {
        self.part.isqrt()
    }
}

impl fmt::Display for Voters {
    /// `1.8 of 3 independent voters`, to the nearest tenth.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = (20 * self.part + self.whole) / (2 * self.whole);
        write!(f, "{}.{} of {} independent voters", tenths / 10, tenths % 10, self.seats())
    }
}
