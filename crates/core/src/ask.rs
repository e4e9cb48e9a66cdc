//! Asks: what somebody, or the world, is asked to do. They live in the state, so after a crash they are simply still
//! there. An answer names its ask; late, double and unknown answers are one refusal.
//!
//! A seat is asked to speak, to vote, to serve; its answer is `Command::Answer`. The world is asked to read a file; its answer
//! is `Command::Deliver`, given by the engine. Deadlines, lapses, rests and renewals are the same for both.
//! To ask the world for something new: a variant of [`WorldTask`] and of `command::Delivered`, the event its answer comes to,
//! its arm in the procedures that ask for it, and a performer in the engine.

use serde::{Deserialize, Serialize};

use crate::kernel::Seq;
use crate::kernel::{
    About, AskChange, AskId, At, BallotId, Cause, FileReference, Id, MatterId, Passage, Who, refusals, words,
};

/// One open ask.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Ask {
    /// The matter it belongs to.
    pub matter: MatterId,
    /// Who is asked for what.
    pub of: Of,
    /// When it lapses.
    pub until: At,
    /// Whether somebody has begun to perform it.
    pub begun: bool,
    /// By which act.
    #[serde(skip)]
    pub begun_by: Option<Seq>,
    /// How long it may take, where that is longer than a turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patience_ms: Option<u64>,
}

/// Who is asked for what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Of {
    /// A participant.
    Seat {
        /// For what.
        task: Task,
        /// Who.
        who: Who,
    },
    /// Nobody who takes part: whatever performs such tasks.
    World(WorldTask),
}

impl Ask {
    /// The participant who is asked.
    pub fn who(&self) -> Option<&Who> {
        match &self.of {
            Of::Seat { who, .. } => Some(who),
            Of::World(_) => None,
        }
    }

    /// What a participant is asked for.
    pub fn task(&self) -> Option<Task> {
        match &self.of {
            Of::Seat { task, .. } => Some(*task),
            Of::World(_) => None,
        }
    }

    /// Whether this participant is asked.
    pub fn is_of(&self, who: &Who) -> bool {
        self.who() == Some(who)
    }
}

/// What the world is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WorldTask {
    /// To read a file of the sources that the operator allowed.
    Read {
        /// Which, and which lines.
        file: Passage,
        /// The request of the participant who wants to see it.
        request: Id,
    },
    /// To hold the files that a comment cites against what stands in them.
    Check {
        /// The comment, by the event that holds it back.
        comment: Id,
        /// What it cites, in its order.
        files: Vec<FileReference>,
    },
}

/// What a participant is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Task {
    /// A contribution to a round.
    Speak {
        /// The round.
        round: u32,
    },
    /// A vote.
    Vote {
        /// The ballot.
        ballot: BallotId,
        /// 1 for the first time.
        attempt: u32,
    },
    /// To take part.
    Join,
    /// A proposal, before the talk begins.
    Propose,
    /// Whether to take changes that are wanted to one's proposals.
    Weigh,
    /// Whether a motion shall be debated at all.
    Second,
    /// Work that serves the council and decides nothing.
    Clerk(Chore),
}

/// What a clerk is asked to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Chore {
    /// To find perspectives for the seats.
    Perspectives,
    /// To weigh a round.
    Judge {
        /// The round.
        round: u32,
    },
    /// To digest what was said up to a round.
    Digest {
        /// The round.
        round: u32,
    },
    /// To sum the matter up.
    Synthesise,
    /// To say which of the proposed answers mean the same.
    Merge,
}

/// What happens to an ask besides being opened and answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// Somebody is asked for something besides speech in a round and votes. The ask's id is the id of this event.
    Opened {
        /// The matter.
        matter: MatterId,
        /// For what.
        task: Task,
        /// When the ask lapses.
        until: At,
        /// Who.
        who: Who,
    },
    /// The world is asked for something. The ask's id is the id of this event.
    Sent {
        /// The matter.
        matter: MatterId,
        /// For what.
        task: WorldTask,
        /// When the ask lapses.
        until: At,
    },
    /// What was asked for was done.
    Met {
        /// The ask.
        ask: AskId,
    },
    /// Somebody began to perform it: its time runs from now on. Waiting in a queue costs no seat its turn.
    Begun {
        /// The ask.
        ask: AskId,
        /// How long it may take, where that is longer than a turn.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        patience_ms: Option<u64>,
        /// When it lapses.
        until: At,
    },
    /// It will not be answered.
    Lapsed {
        /// The ask.
        ask: AskId,
        /// Why.
        cause: Cause,
        /// Whether it counts against whoever was asked: they owed an answer.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        strike: bool,
    },
    /// After a rest it is asked anew, with its full time.
    Renewed {
        /// The ask.
        ask: AskId,
        /// When it lapses.
        until: At,
    },
}

refusals! {
    /// What is refused of answers.
    pub enum Refusal {
        /// The ask is answered, has lapsed, or was never open. Fetch what is asked of you now.
        #[error("ask {ask} is not open: it was answered, has lapsed or never existed")]
        NotOpen {
            /// As given.
            ask: AskId,
        } = "ask/not-open", Conflict,

        /// The ask wants another kind of answer: seats answer what seats are asked, and the engine delivers what the world is
        /// asked for.
        #[error("ask {ask} wants another kind of answer")]
        OtherKind {
            /// The ask.
            ask: AskId,
        } = "ask/other-kind", Invalid,
    }
}

words!(enum WorldTask { Read { file | request }, Check { files | comment } });
words!(enum Event {
    Opened { | matter, task, until, who },
    Sent { task | matter, until },
    Met { | ask },
    Begun { | ask, patience_ms, until },
    Lapsed { cause | ask, strike },
    Renewed { | ask, until },
});

impl Event {
    /// What it is about.
    pub fn about(&self) -> About {
        match self {
            Self::Opened { matter, .. } | Self::Sent { matter, .. } => About::Matter(*matter),
            Self::Met { ask }
            | Self::Begun { ask, .. }
            | Self::Lapsed { ask, .. }
            | Self::Renewed { ask, .. } => About::Ask(*ask),
        }
    }

    /// What it does to an ask.
    pub fn ask(&self) -> AskChange {
        match self {
            Self::Opened { .. } | Self::Sent { .. } => AskChange::Opens,
            Self::Met { ask } => AskChange::Answers(*ask),
            Self::Lapsed { ask, .. } => AskChange::Lapses(*ask),
            Self::Renewed { ask, .. } => AskChange::Renews(*ask),
            Self::Begun { .. } => AskChange::None,
        }
    }
}
