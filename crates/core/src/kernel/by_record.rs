//! How far a record of who was right is believed.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Who;

/// The numbers by which votes are weighed by record. A charter sets them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByRecord {
    /// Matters with a known outcome that make a record. Unless half of the seats have one, nobody is weighed.
    pub least: u32,
    /// So many matters of average luck are added to each record: a short one says little.
    pub shrink: u32,
    /// Only so many seats count, those with the best records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top: Option<u32>,
}

/// What votes count for by the records of their seats, and why. It is copied into the ballot it was made for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordWeights {
    /// What held up best in the trial.
    pub by: WeighedBy,
    /// Each seat.
    pub seats: BTreeMap<Who, SeatWeight>,
    /// How the ways of counting did on what is known; none where there was nothing to try them on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trial: Option<WeightTrial>,
}

/// The way votes are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WeighedBy {
    /// By how often each is right, less for seats that err together.
    Errors,
    /// The best seat decides: it beat those weights by more than chance.
    Best,
    /// One vote each: that beat those weights by more than chance.
    Equal,
    /// Nobody is better than guessing, so the seat that is least bad decides.
    LeastBad,
}

/// What one seat's vote counts for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatWeight {
    /// Outcomes it was marked on.
    pub marks: u32,
    /// How often it is taken to be right, drawn towards the average of all, in permille.
    pub mean: u32,
    /// In thousandths of a vote.
    pub weight: u32,
}

/// How often each way of counting was right about outcomes that its numbers were not made from, in permille.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WeightTrial {
    /// The best seat alone.
    pub best: u32,
    /// One vote each.
    pub equal: u32,
    /// Weights by errors.
    pub errors: u32,
    /// So many outcomes.
    pub outcomes: u32,
}
