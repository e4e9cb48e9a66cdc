//! How far a record of who was right is believed.

use serde::{Deserialize, Serialize};

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
