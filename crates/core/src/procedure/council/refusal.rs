//! What debates refuse beyond what their organs do.

use crate::kernel::{MatterId, refusals};

refusals! {
    /// What debates refuse.
    pub enum Refusal {
        /// The command is for debates, and this matter is not one. Only debates can be forked, summed up and judged.
        #[error("matter {matter} is not a debate: only debates can be forked, summed up or judged")]
        NotADebate {
            /// The matter.
            matter: MatterId,
        } = "council/not-a-debate", Conflict,
    }
}
