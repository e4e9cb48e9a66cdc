//! What a matter refuses: questions that cannot be asked, and what its status does not allow.

use super::{MalformedQuestion, Pause, Status};
use crate::kernel::{MatterId, refusals};

refusals! {
    /// What a matter refuses.
    pub enum Refusal {
        /// The question is empty or too long, or one of its options is not usable. The message says which.
        #[error("{0}")]
        Malformed(MalformedQuestion) = "matter/malformed", Invalid,

        /// There is no such matter in this house. `synod list` shows all matters.
        #[error("there is no matter {matter} in this house")]
        Unknown {
            /// As given.
            matter: MatterId,
        } = "matter/unknown", Unknown,

        /// The status of the matter does not allow this. The message says what does.
        #[error("matter {matter} {}", told(*status, *operation))]
        WrongStatus {
            /// The matter.
            matter: MatterId,
            /// Its status.
            status: Status,
            /// What was tried.
            operation: Operation,
        } = "matter/wrong-status", Conflict,

        /// The matter has not completed this round. `synod show` lists its rounds.
        #[error("matter {matter} has not completed round {round}: {} so far", completed(*had))]
        NoSuchRound {
            /// The matter.
            matter: MatterId,
            /// As given.
            round: u32,
            /// How many it has completed.
            had: u32,
        } = "matter/no-such-round", Unknown,

        /// The words of the matter were deleted from the record, so nothing can be based on them. Open a new matter.
        #[error("the words of matter {matter} were deleted: open a new matter")]
        Redacted {
            /// The matter.
            matter: MatterId,
        } = "matter/redacted", Conflict,

        /// An issue does not run: everybody comments when they like. Close it with `synod issue close`.
        #[error("matter {matter} is an issue, in which nothing runs: close it with `synod issue close`")]
        NothingRuns {
            /// The matter.
            matter: MatterId,
        } = "matter/nothing-runs", Conflict,

        /// The acts named hold no words of this matter that are still there. It was deleted before, or other acts were
        /// named; `synod delete` names the right ones.
        #[error("the acts named hold no words of matter {matter} that could be deleted")]
        NothingToRedact {
            /// The matter.
            matter: MatterId,
        } = "matter/nothing-to-redact", Conflict,
    }
}

/// What somebody tries to do with a matter, where its status decides whether they may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Operation {
    /// To pause it.
    Pause,
    /// To resume it.
    Resume,
    /// To hold its next round.
    Continue,
    /// To stop it.
    Stop,
    /// To delete its words.
    Redact,
    /// To answer or waive what a participant asked for.
    Supply,
    /// To have it summed up.
    Synthesize,
    /// To have one of its rounds judged.
    Judge,
    /// To second it.
    Second,
    /// To withdraw it.
    Withdraw,
    /// To table it.
    Table,
    /// To record what turned out to be true.
    RecordOutcome,
    /// To take part in it.
    Participate,
    /// To take part in it when its time is up, though nobody has recorded its end yet.
    ParticipateLate,
}

/// The status of a matter, and what stands in the way of an operation or what to do instead.
fn told(status: Status, operation: Operation) -> String {
    let is = match status {
        Status::Running => "is running".into(),
        Status::Paused(Pause::Operator | Pause::Unusable) => "is paused".into(),
        Status::Paused(Pause::Interrupted) => "was interrupted".into(),
        Status::Paused(Pause::NeedsContext) => "needs context".into(),
        Status::Paused(Pause::BetweenRounds) => "is waiting between rounds".into(),
        Status::Paused(Pause::Listed) => "is listed and was not called up".into(),
        Status::Settled(decision) => format!("is over ({})", decision.word()),
    };
    format!("{is}: {}", hint(status, operation))
}

fn hint(status: Status, operation: Operation) -> &'static str {
    match operation {
        Operation::Pause => "only a running matter can be paused",
        Operation::Resume => match status {
            Status::Paused(Pause::BetweenRounds) => "`continue` starts its next round",
            Status::Running
            | Status::Paused(Pause::Operator | Pause::Interrupted | Pause::NeedsContext | Pause::Unusable)
            | Status::Paused(Pause::Listed)
            | Status::Settled(_) => "only a paused matter can be resumed",
        },
        Operation::Continue => match status {
            Status::Running => "wait for its round to end",
            Status::Paused(Pause::NeedsContext) => "answer or waive the required requests, then `resume` it",
            Status::Paused(Pause::Operator | Pause::Interrupted | Pause::BetweenRounds | Pause::Unusable)
            | Status::Paused(Pause::Listed) => {
                "`resume` it; `continue` is for a matter that waits between rounds"
            }
            Status::Settled(_) => "`fork` starts a new matter from one of its rounds",
        },
        Operation::Stop => "it cannot be stopped again",
        Operation::Redact => "`stop` it before you delete it",
        Operation::Supply => "nobody would read the answer",
        Operation::Synthesize => "it can be summed up between rounds and when it is over",
        Operation::Judge => "`resume` it first",
        Operation::Second => "it cannot be seconded any more",
        Operation::Withdraw => "it cannot be withdrawn any more",
        Operation::Table => "it cannot be tabled any more",
        Operation::RecordOutcome => "its outcome can be recorded when it is over",
        Operation::Participate => match status {
            Status::Paused(_) => "nobody can take part until it is resumed",
            Status::Running | Status::Settled(_) => "nobody can take part any more",
        },
        Operation::ParticipateLate => "its time is up, so nobody can take part any more",
    }
}

fn completed(had: u32) -> String {
    match had {
        0 => "it has completed none".into(),
        had => format!("it has completed {had}"),
    }
}
