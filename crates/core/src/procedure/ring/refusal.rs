//! What rings refuse beyond what their organs do.

use crate::kernel::{MatterId, Who, refusals};
use crate::table::Phase;

refusals! {
    /// What rings refuse.
    pub enum Refusal {
        /// The command is for rings, and this matter is not one. The seats of a debate answer when they are asked.
        #[error("matter {matter} is not a ring: its seats answer when they are asked")]
        NotARing {
            /// The matter.
            matter: MatterId,
        } = "ring/none", Conflict,

        /// A ring is for agents that come by themselves, and this seat is called by the engine. Enrol it as an outside
        /// agent, or hold a debate.
        #[error(
            "the charter {charter} is a ring, and `{who}` is not an outside agent: enrol it as one, or hold a debate"
        )]
        NeedsOutside {
            /// The charter's name.
            charter: String,
            /// Who.
            who: Who,
        } = "ring/needs-outside", Invalid,

        /// Rings do not use this. Leave it out, or hold a debate.
        #[error("the charter {charter} is a ring and does not use {}: leave it out, or hold a debate", what.words())]
        Unread {
            /// The charter's name.
            charter: String,
            /// What was given.
            what: Unused,
        } = "ring/unread", Invalid,

        /// A ring needs more participants than were invited. Invite more.
        #[error("{invited} invited, and a ring needs at least {least}: invite more")]
        TooFewInvited {
            /// How many.
            invited: u32,
            /// The fewest.
            least: u32,
        } = "ring/too-few-invited", Invalid,

        /// Too few have joined to start. Wait for more, or let the ring end.
        #[error("{joined} joined matter {matter}, and it needs at least {least}: wait for more to join")]
        TooFewJoined {
            /// The matter.
            matter: MatterId,
            /// How many.
            joined: u32,
            /// The fewest.
            least: u32,
        } = "ring/too-few-joined", Conflict,

        /// The phase of the ring does not allow this. `synod ring status` shows the phase.
        #[error("matter {matter} is in {}: {}", phase.word(), step.needs())]
        WrongPhase {
            /// The matter.
            matter: MatterId,
            /// Its phase.
            phase: Phase,
            /// What was tried.
            step: RingStep,
        } = "ring/wrong-phase", Conflict,

        /// The participant was invited and has not joined, or has left. Join first: `synod ring join`.
        #[error("{who} has not joined matter {matter}: join it first")]
        NotJoined {
            /// Who.
            who: Who,
            /// The matter.
            matter: MatterId,
        } = "ring/not-joined", Conflict,

        /// The participant has already joined. Wait for your turn: `synod ring turn` does.
        #[error("{who} has already joined matter {matter}")]
        AlreadyJoined {
            /// Who.
            who: Who,
            /// The matter.
            matter: MatterId,
        } = "ring/already-joined", Conflict,

        /// The operator removed this participant for good. The operator can open another matter and invite it there.
        #[error("{who} cannot return to matter {matter} ({why}): ask the operator to open another")]
        Removed {
            /// Who.
            who: Who,
            /// The matter.
            matter: MatterId,
            /// Why.
            why: String,
        } = "ring/removed", Conflict,

        /// Participants of a ring do not answer asks. They use `synod ring say`, `propose`, `vote` and the like.
        #[error("matter {matter} is a ring: take part with say, propose, vote and so on")]
        ByPart {
            /// The matter.
            matter: MatterId,
        } = "ring/by-part", Conflict,
    }
}

/// What can be given when a matter is opened and is of no use to a ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unused {
    /// Options of the question: participants make proposals.
    Options,
    /// Requirements of the question: participants write them into proposals.
    Must,
    /// Judges of rounds.
    Judges,
    /// A scribe.
    Scribe,
    /// A focus question.
    Focus,
    /// Perspectives for the seats.
    Perspectives,
    /// Files that seats ask to see.
    Sources,
    /// Rounds that wait for the operator.
    Stepwise,
}

impl Unused {
    fn words(self) -> &'static str {
        match self {
            Self::Options => "options",
            Self::Must => "requirements",
            Self::Judges => "judges",
            Self::Scribe => "a scribe",
            Self::Focus => "a focus question",
            Self::Perspectives => "perspectives",
            Self::Sources => "sources",
            Self::Stepwise => "rounds held one by one",
        }
    }
}

/// A step that somebody tries in a ring, where its phase decides whether they may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RingStep {
    /// To start it before everyone has joined.
    Start,
    /// To join it.
    Join,
    /// To make a proposal.
    Propose,
    /// To contribute anything else.
    Speak,
    /// To accept or reject an amendment.
    Rule,
    /// To vote.
    Vote,
    /// To vote when the time for it is up, though nobody has recorded its end yet.
    VoteLate,
}

impl RingStep {
    /// What it needs.
    fn needs(self) -> &'static str {
        match self {
            Self::Start => "a ring can be started only in GATHERING",
            Self::Join => "nobody can join once the vote is open",
            Self::Propose => "make proposals in your turn, in PROPOSING or DISCUSSING",
            Self::Speak => "this needs the floor, which participants get in DISCUSSING",
            Self::Rule => "accept or reject amendments in DISCUSSING or CONVERGING",
            Self::Vote => "votes are cast in VOTING",
            Self::VoteLate => "the time to vote is up",
        }
    }
}
