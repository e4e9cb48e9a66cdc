//! Roles: which seat plays which part, by how many seats there are.

use serde::{Deserialize, Serialize};

use crate::kernel::Choice;

/// A role seats may have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Role {
    /// The side it is ordered to take. Speech under an order is never counted as free opinion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expects: Option<Choice>,
    /// Its name.
    pub name: String,
}

/// The roles of a charter and how they are dealt.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Roles {
    /// Seats beyond the longest line are given these in turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub beyond: Vec<String>,
    /// Line n, counted from 1, names the roles of n seats in seat order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub by_seats: Vec<Vec<String>>,
    /// The roles.
    pub roles: Vec<Role>,
    /// Whether they are dealt for yes-or-no questions alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub yes_no_only: bool,
}

impl Roles {
    /// The role of the seat at a place counted from 0, of so many seats.
    pub fn of(&self, place: usize, seats: usize) -> Option<&Role> {
        let line = self.by_seats.get(seats.min(self.by_seats.len()).wrapping_sub(1));
        let within = line.and_then(|line| line.get(place));
        let after = || {
            let begun = line.map_or(0, Vec::len);
            let turn = place.checked_sub(begun)?.checked_rem(self.beyond.len())?;
            self.beyond.get(turn)
        };
        self.named(within.or_else(after)?)
    }

    /// The role of that name.
    pub fn named(&self, name: &str) -> Option<&Role> {
        self.roles.iter().find(|role| role.name == name)
    }
}
