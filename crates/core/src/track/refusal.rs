//! What track records refuse.

use crate::kernel::{Decision, MatterId, refusals};

refusals! {
    /// What track records refuse.
    pub enum Refusal {
        /// This cannot have been true of the matter: it is not one of its answers, or the matter decided nothing that
        /// could be right or wrong. Say `right` or `wrong`, or name one of its answers or proposals.
        #[error(
            "that cannot be the outcome of matter {matter}, which ended {}: say `right` or `wrong` of a decision, or name one of its answers or proposals",
            decision.word()
        )]
        NoSuchAnswer {
            /// The matter.
            matter: MatterId,
            /// How it ended.
            decision: Decision,
        } = "track/no-such-answer", Invalid,
    }
}
