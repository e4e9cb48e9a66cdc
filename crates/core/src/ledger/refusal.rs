//! What the ledger refuses.

use crate::kernel::{Who, refusals};

refusals! {
    /// What the ledger refuses.
    pub enum Refusal {
        /// Nobody gives credit to themself, under whatever spelling. The attempt is recorded.
        #[error("nobody gives credit to themself")]
        SelfAward = "ledger/self-award", Forbidden,

        /// Nobody rates themself, under whatever spelling. The attempt is recorded.
        #[error("nobody rates themself")]
        SelfRating = "ledger/self-rating", Forbidden,

        /// The user and the house itself earn no credits. The attempt is recorded.
        #[error("the user and the house earn no credits")]
        UserReceiver = "ledger/user-receives-nothing", Invalid,

        /// The receiver does not belong to the house. The attempt is recorded.
        #[error("`{to}` is not a participant of this house")]
        UnknownReceiver {
            /// As written.
            to: String,
        } = "ledger/unknown-receiver", Unknown,

        /// No credit is given for this reason. `synod ledger reasons` lists those there are. The attempt is recorded.
        #[error("unknown reason `{reason}`{}", near(.reason))]
        UnknownReason {
            /// As written.
            reason: String,
        } = "ledger/unknown-reason", Invalid,

        /// Somebody else verifies this reason. The attempt is recorded.
        #[error("`{reason}` is verified by the {verifier}")]
        NotVerifier {
            /// Which.
            reason: &'static str,
            /// By whom.
            verifier: &'static str,
        } = "ledger/not-verifier", Forbidden,

        /// The amount lies outside what this reason allows. The attempt is recorded.
        #[error("`{reason}` is worth {least} to {most}")]
        AmountOutOfRange {
            /// The least.
            least: i64,
            /// The most.
            most: i64,
            /// Which.
            reason: &'static str,
        } = "ledger/amount-out-of-range", Invalid,

        /// This reason is priced from a checked citation and never given by hand. The attempt is recorded.
        #[error("`{reason}` follows from a checked citation and is not given by hand")]
        NeedsCitation {
            /// Which.
            reason: &'static str,
        } = "ledger/needs-citation", Invalid,

        /// The slices of a task do not fit the ones before. The attempt is recorded.
        #[error("this slice does not fit: a task is cut once, into 1 to {most} slices")]
        MalformedSlice {
            /// The most slices.
            most: u32,
        } = "ledger/malformed-slice", Invalid,

        /// The receiver raised or commended the giver in the same period, or somebody who did: the way back is a favour returned. The user
        /// can give the credit instead. The attempt is recorded.
        #[error("{to} raised your credits in this period, or those of somebody who did; ask the user to give this")]
        FavourReturned {
            /// Who would get it.
            to: Who,
        } = "ledger/favour-returned", Forbidden,

        /// Only the user or a moderator sets goals and takes them back.
        #[error("only the user or a moderator sets goals")]
        GoalNotAllowed = "ledger/goal-not-allowed", Forbidden,

        /// The goal lacks a sentence or a target, or cannot be decided: a goal without penalties needs an end.
        #[error(
            "a goal is a sentence of 1 to {most} characters with a target of at least 1; \
             zero-penalties also needs a period or a deadline"
        )]
        MalformedGoal {
            /// The longest sentence, in characters.
            most: usize,
        } = "ledger/malformed-goal", Invalid,

        /// As many goals are open as may be. Take one back first.
        #[error("{most} goals are open: take one back first")]
        TooManyGoals {
            /// The most.
            most: usize,
        } = "ledger/too-many-goals", Conflict,

        /// No goal of this id is open. `synod goals` shows those that are.
        #[error("no goal `{goal}` is open")]
        UnknownGoal {
            /// As given.
            goal: String,
        } = "ledger/unknown-goal", Unknown,
    }
}

/// The reason that was probably meant.
fn near(written: &str) -> String {
    let known = super::CreditReason::all().map(super::CreditReason::word);
    match crate::kernel::text::nearest(written, known) {
        Some(meant) => format!("; did you mean `{meant}`?"),
        None => "; `synod ledger --reasons` lists those there are".into(),
    }
}
