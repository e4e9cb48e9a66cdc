//! Motions: a council with more stages. Seconded, debated by rank, called, voted on.
//!
//! `state` records, `second` holds what comes before the debate, `entry` what happens before and after each speech (digest,
//! consensus break), `team` the red team, `notes` what seats are told of all this. Whether a layer is on, its charter says.

mod entry;
mod notes;
mod second;
mod state;
mod team;
mod turn;

pub(crate) use second::by_rank;
pub(super) use second::{is_plain, may_propose};
pub use state::{BreakFound, MotionState, SpeechOrder, Summed, TeamFound};
pub use turn::MotionTurn;

use crate::charter::{Counting, Parliament, StageKind};
use crate::dissent::StanceCount;
use crate::house::Case;
use crate::kernel::{Choice, Decision, UndecidedReason, Who};
use crate::matter::Status;

/// How far a motion has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MotionStatus {
    /// It waits for a second.
    Proposed,
    /// It will be debated.
    Seconded,
    /// It is debated.
    Debating,
    /// The debate is over; a red team speaks before the vote.
    Called,
    /// It is voted on.
    Voting,
    /// It is carried.
    Passed,
    /// It is not.
    Failed,
    /// Nobody wanted it debated.
    NoSecond,
    /// Whoever put it took it back.
    Withdrawn,
    /// It was set aside.
    Tabled,
    /// It ended without a decision.
    Undecided,
    /// Votes that could not be read might have changed the answer.
    Contested,
}

impl MotionStatus {
    /// One word for people and scripts.
    pub fn word(self) -> &'static str {
        match self {
            Self::Proposed => "proposed",
            Self::Seconded => "seconded",
            Self::Debating => "debating",
            Self::Called => "called",
            Self::Voting => "voting",
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::NoSecond => "no-second",
            Self::Withdrawn => "withdrawn",
            Self::Tabled => "tabled",
            Self::Undecided => "undecided",
            Self::Contested => "contested",
        }
    }
}

/// The rules and the state of a motion; `None` for other matters.
pub(super) fn motion_parts(case: &Case) -> Option<(&Parliament, &MotionState)> {
    let (rules, state) = case.council()?;
    Some((rules.parliament.as_ref()?, state.motion.as_ref()?))
}

impl MotionState {
    /// The entries that count under a charter.
    pub fn counted(&self, counts: Counting) -> &StanceCount {
        match counts {
            Counting::Free => &self.free,
            Counting::All => &self.all,
        }
    }
}

impl Case {
    /// What is known of it as a motion; `None` if it is none.
    pub fn motion(&self) -> Option<&MotionState> {
        motion_parts(self).map(|(_, state)| state)
    }

    /// How far it has come as a motion; `None` if it is none.
    pub fn motion_status(&self) -> Option<MotionStatus> {
        let (_, state) = motion_parts(self)?;
        if let Status::Settled(decision) = self.status() {
            return Some(ended(decision));
        }
        let begun = self.entered().then(|| self.stage()).flatten();
        Some(match begun.map(|stage| &stage.kind) {
            Some(StageKind::Vote { .. }) => MotionStatus::Voting,
            Some(StageKind::RedTeam(_)) => MotionStatus::Called,
            Some(StageKind::Speak(_)) => MotionStatus::Debating,
            Some(
                StageKind::Second { .. } | StageKind::Propose(_) | StageKind::Merge | StageKind::Estimate(_),
            )
            | None => match state.seconder {
                Some(_) => MotionStatus::Seconded,
                None => MotionStatus::Proposed,
            },
        })
    }

    /// The side that a seat is ordered to argue in the turn it has now.
    pub(super) fn ordered_now(&self, who: &Who) -> Option<Choice> {
        self.motion()?.open_order(who)?.order.side.forced()
    }
}

fn ended(decision: Decision) -> MotionStatus {
    match decision {
        Decision::Passed { .. } => MotionStatus::Passed,
        Decision::Rejected => MotionStatus::Failed,
        Decision::Contested => MotionStatus::Contested,
        Decision::Undecided(UndecidedReason::NoSecond) => MotionStatus::NoSecond,
        Decision::Undecided(UndecidedReason::Withdrawn) => MotionStatus::Withdrawn,
        Decision::Undecided(UndecidedReason::Tabled) => MotionStatus::Tabled,
        Decision::Undecided(_) | Decision::Estimated(_) => MotionStatus::Undecided,
        Decision::Resolved | Decision::Closed => MotionStatus::Undecided,
    }
}
