//! What triggers refuse. A trigger that is judged and does not fire is not refused; see `Declined`.

use super::MalformedRequest;
use crate::kernel::refusals;

refusals! {
    /// What triggers refuse.
    pub enum Refusal {
        /// The house has no rules for triggers and observations yet. `synod trigger` and `synod watch` give it those of its
        /// `triggers.toml`, or the shipped ones.
        #[error(
            "this house has no rules for triggers yet: `synod trigger` and `synod watch` set them from triggers.toml"
        )]
        NotConfigured = "trigger/not-configured", Conflict,

        /// A trigger is empty or too long, or has no topic. The message says which.
        #[error("{0}")]
        Malformed(MalformedRequest) = "trigger/malformed", Invalid,
    }
}
