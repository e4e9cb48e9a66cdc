//! What the monitor refuses of observations.

use super::MalformedObservation;
use crate::kernel::refusals;

refusals! {
    /// What the monitor refuses.
    pub enum Refusal {
        /// An observation is empty or too long. The message gives the limit; nothing of it was kept.
        #[error("{0}")]
        Malformed(MalformedObservation) = "monitor/malformed", Invalid,

        /// Too many decisions are pending. Report some of them as decided, or have a council take them with
        /// `synod trigger scheduled`.
        #[error(
            "{most} decisions are already pending: report some as decided, or call a council with `synod trigger scheduled`"
        )]
        TooManyPending {
            /// The most.
            most: usize,
        } = "monitor/too-many-pending", Conflict,
    }
}
