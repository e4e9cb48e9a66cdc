//! Matters as they are listed and shown: the same JSON as `synod_core::view` writes.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use synod_core::House;
use synod_core::house::Summary;
use synod_core::kernel::{At, MatterId};
use synod_core::view::MatterLine;
use utoipa::ToSchema;

use super::ring::RingView;
use super::words::{AdvisedAction, StatusWord};

/// One page of matters.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = Page)]
pub(crate) struct MatterPage {
    /// The matters.
    pub(crate) matters: Vec<MatterRow>,
    /// Pass this as `after` for the next page; null on the last one.
    #[schema(value_type = Option<String>)]
    pub(crate) next: Option<MatterId>,
}

/// A matter in a list.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct MatterRow {
    /// Its id.
    #[schema(value_type = String)]
    pub(crate) matter: MatterId,
    /// Its running number in the house.
    pub(crate) number: u64,
    pub(crate) status: StatusWord,
    /// The name of its charter.
    pub(crate) charter: String,
    /// How many seats it has.
    pub(crate) seats: usize,
    /// Rounds begun.
    pub(crate) rounds: u32,
    /// When it was opened, in Unix milliseconds.
    #[schema(value_type = u64)]
    pub(crate) opened: At,
    /// The question.
    pub(crate) topic: String,
    /// Its text was removed from the record.
    pub(crate) redacted: bool,
    /// Only placeholder seats: the result means nothing. Of an issue: placeholders wrote in it.
    #[serde(default)]
    pub(crate) rehearsal: bool,
    /// The number of the issue that an issue went into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) into: Option<u64>,
    /// What to know before trusting the result, as `GET /v1/matters/{matter}` says it; empty for a result without blemish.
    /// Null if not looked at: a page of more than 200 rows has none.
    #[serde(default)]
    pub(crate) caveats: Option<Vec<String>>,
}

/// The matters of so long a list are looked at for what degrades their results; each has to be read for it.
pub(crate) const CAVEATS_MOST: usize = 200;

impl MatterRow {
    /// A row whose caveats nobody has looked at yet.
    pub(crate) fn of(house: &House, known: &Summary, at: At) -> Self {
        let row = MatterLine::listed(house, known, at);
        let MatterLine { matter, number, charter, seats, rounds, opened, topic, redacted, rehearsal, .. } =
            row;
        let (status, caveats, into) = (StatusWord::listed(house, known, at), None, row.into);
        Self {
            matter,
            number,
            status,
            charter,
            seats,
            rounds,
            opened,
            topic,
            redacted,
            rehearsal,
            into,
            caveats,
        }
    }
}

/// A matter: what programs usually read of it, and under further names everything else that is known.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct Matter {
    /// Its id.
    #[schema(value_type = String)]
    pub(crate) matter: MatterId,
    /// Its running number in the house.
    pub(crate) number: u64,
    pub(crate) question: QuestionView,
    pub(crate) status: StatusWord,
    /// The result in one line, with what degrades it.
    pub(crate) headline: String,
    /// What to know before trusting the result; empty for a result without blemish.
    pub(crate) caveats: Vec<String>,
    /// What to do with the result.
    pub(crate) advice: Advised,
    /// The charter in force.
    pub(crate) charter: PinnedCharter,
    /// When it was opened, in Unix milliseconds.
    #[schema(value_type = u64)]
    pub(crate) opened: At,
    /// When something last happened to it, in Unix milliseconds.
    #[schema(value_type = u64)]
    pub(crate) last: At,
    /// Its text was removed from the record.
    pub(crate) redacted: bool,
    /// The ring, if it is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ring: Option<RingView>,
    /// Everything else: votes, seats, rounds, dissent, sources, cost.
    #[serde(flatten)]
    #[schema(value_type = Object)]
    pub(crate) more: Map<String, Value>,
}

/// What to do with a result, and why.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = Advice)]
pub(crate) struct Advised {
    pub(crate) action: AdvisedAction,
    /// The reasons, or why no more than that is advised.
    pub(crate) why: String,
}

/// What is asked.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = Question)]
pub(crate) struct QuestionView {
    pub(crate) topic: String,
    /// What to choose from; left out for a question that is carried or not.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) options: Vec<String>,
}

/// The rules of a matter, as they were when it opened.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct PinnedCharter {
    pub(crate) name: String,
    /// SHA-256 of its source.
    pub(crate) digest: String,
}
