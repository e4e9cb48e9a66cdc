//! What a ballot refuses.

use super::{SALT_LEAST, SALT_MOST};
use crate::kernel::{Who, refusals};

refusals! {
    /// What a ballot refuses.
    pub enum Refusal {
        /// Votes on this ballot are sealed, and this one has no usable salt. Without a salt anybody could find the vote
        /// by trying them all, so give one drawn at random.
        #[error(
            "votes on this ballot are sealed: give a random salt of {SALT_LEAST} to {SALT_MOST} letters, digits, `-` or `_`"
        )]
        Unsalted = "ballot/unsalted", Invalid,

        /// The participant has already voted on this proposal, and this charter does not let votes change.
        #[error("{who} has already voted on this proposal")]
        AlreadyCast {
            /// Who.
            who: Who,
        } = "ballot/already-cast", Conflict,

        /// The vote lists more conditions or changes than are allowed. Name the most important ones.
        #[error("{given} conditions or changes are too many: name at most {most}")]
        TooManyListed {
            /// How many were listed.
            given: usize,
            /// The most.
            most: usize,
        } = "ballot/too-many-listed", Invalid,
    }
}
