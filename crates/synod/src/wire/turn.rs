//! What a participant is asked for.

use serde::{Deserialize, Serialize};
use synod_core::SeenRecord;
use synod_core::kernel::{AskId, At, Digest, MatterId, Seq, Who};
use synod_core::view::TurnSheet;
use utoipa::ToSchema;

use super::words::{PhaseWord, TaskWord};

/// What you are asked for now.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct Turns {
    /// Your name here.
    #[schema(value_type = String)]
    pub(crate) participant: Who,
    /// The newest record of the house, for what you sign: it says which history your words belong to.
    pub(crate) record: RecordRef,
    /// Your open turns, oldest first.
    pub(crate) turns: Vec<Turn>,
    /// Why there is none, if the request asked for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) none: Option<NoTurn>,
}

/// One record of the journal. Its hash covers everything before it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct RecordRef {
    /// The number of the act.
    #[schema(value_type = u64)]
    pub(crate) act: Seq,
    /// The hash of its record: SHA-256 in hex.
    #[schema(value_type = String)]
    pub(crate) hash: Digest,
}

impl From<SeenRecord> for RecordRef {
    fn from(SeenRecord { act, hash }: SeenRecord) -> Self {
        Self { act, hash }
    }
}

/// One thing you are asked for.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct Turn {
    /// The id of the turn.
    #[schema(value_type = String)]
    pub(crate) ask: AskId,
    /// The matter.
    #[schema(value_type = String)]
    pub(crate) matter: MatterId,
    /// The participant who is asked.
    #[schema(value_type = String)]
    pub(crate) who: Who,
    /// What to do.
    pub(crate) task: TaskWord,
    /// The phase of the ring.
    pub(crate) phase: PhaseWord,
    /// What is to be decided.
    pub(crate) topic: String,
    /// The round, 0 before the first.
    pub(crate) round: u32,
    /// Rounds at most.
    pub(crate) rounds: u32,
    /// When it lapses, in Unix milliseconds.
    #[schema(value_type = u64)]
    pub(crate) until: At,
    /// Whether you have acknowledged it: only then does it count as delivered.
    pub(crate) acknowledged: bool,
    /// The turn in words, for a model. Text of other participants is quoted behind a margin, as data.
    pub(crate) prompt: String,
}

impl Turn {
    /// None where the sheet is of something that is not asked of participants.
    pub(crate) fn of(sheet: TurnSheet) -> Option<Self> {
        let TurnSheet { ask, matter, who, task, phase, topic, round, rounds, until, acknowledged, prompt } =
            sheet;
        let (task, phase) = (TaskWord::parse(task)?, PhaseWord::parse(phase)?);
        Some(Self { ask, matter, who, task, phase, topic, round, rounds, until, acknowledged, prompt })
    }
}

/// Why a participant has no turn.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct NoTurn {
    pub(crate) why: WhyNoTurn,
    /// The ring this is about, if it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub(crate) matter: Option<MatterId>,
    /// How that ring ended, if it is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) phase: Option<PhaseWord>,
    /// Why it ended like that, or why you take part no longer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reason: Option<String>,
}

/// Why there is no turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum WhyNoTurn {
    /// Nothing is asked of you now; it may be later.
    None,
    /// The ring is over.
    Over,
    /// You take part no longer.
    Gone,
    /// You are not invited to any open ring.
    Uninvited,
}

impl WhyNoTurn {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Over => "over",
            Self::Gone => "gone",
            Self::Uninvited => "uninvited",
        }
    }
}
