//! What an operator sends: what it takes to open a matter, to continue and fork one, to have it judged and summed up.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use synod_core::kernel::{Rank, SeatProfile};
use synod_core::matter::QuestionKind;
use utoipa::ToSchema;

use super::numbers::{SettingInput, WholeNumber, whole};

/// What it takes to open a matter.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename = "Opening")]
#[schema(as = Opening)]
pub(crate) struct OpeningBody {
    /// The question.
    #[schema(min_length = 1, max_length = 16000, pattern = r"\S")]
    pub(crate) question: String,
    /// What to choose from; none for a question that is carried or not.
    #[serde(default)]
    #[schema(max_items = 26)]
    pub(crate) options: Vec<String>,
    /// What to count, where the question asks for a number: `days`. Needs a charter for estimates.
    #[schema(min_length = 1, max_length = 40)]
    pub(crate) unit: Option<String>,
    /// The kind of question, where its wording suggests another: `yes-no`, `choice`, `open` or `estimate`.
    #[schema(value_type = Option<String>, pattern = "^(yes-no|choice|open|estimate)$")]
    pub(crate) kind: Option<QuestionKind>,
    /// Requirements that any answer in a debate must meet. Every statement says whether it does.
    #[serde(default)]
    #[schema(max_items = 10)]
    pub(crate) must: Vec<String>,
    /// The charter, by name, or by the digest of one that the house has used before.
    #[schema(pattern = "^[A-Za-z0-9-]{1,64}$")]
    pub(crate) charter: String,
    /// The charter itself, in TOML, for one that lies nowhere as a file. Its name must be the one given.
    pub(crate) charter_source: Option<String>,
    /// Who takes part, in speaking order. In a ring, names: each takes part with a token of their own. In a debate, names
    /// with what answers for each.
    #[schema(min_items = 1, max_items = 200)]
    pub(crate) seats: Vec<SeatWanted>,
    /// The model each of them runs on, by name, where that is known: voters that share one are not independent.
    #[serde(default)]
    pub(crate) models: BTreeMap<String, String>,
    /// Settings of the charter to change, by name.
    #[serde(default)]
    pub(crate) set: BTreeMap<String, SettingInput>,
    /// Texts to put before the council, by name.
    #[serde(default)]
    pub(crate) context: BTreeMap<String, String>,
    /// Judges of a debate: each weighs every round and does not vote.
    #[serde(default)]
    #[schema(max_items = 20)]
    pub(crate) judges: Vec<SeatWanted>,
    /// The scribe of a debate, who digests what is long and finds perspectives, and does not vote.
    pub(crate) scribe: Option<SeatWanted>,
    /// The most a debate may use up.
    #[serde(default)]
    pub(crate) limits: LimitsWanted,
    /// A question the first round of a debate answers first.
    pub(crate) focus: Option<String>,
    /// The kind of motion a debate is held on, of those its charter knows.
    pub(crate) motion: Option<String>,
    /// How a motion is put, under a charter of a parliament.
    pub(crate) proposal: Option<Proposing>,
    /// Fields the seats of a debate speak for, in turn, such as `security: what can be abused`.
    #[serde(default)]
    pub(crate) perspectives: Vec<String>,
    /// Have these fields named by a model instead.
    #[serde(default)]
    pub(crate) generate_perspectives: bool,
    /// Wait after each round of a debate for `continue`.
    #[serde(default)]
    pub(crate) stepwise: bool,
    /// The seat that writes a summary once a vote has decided a debate. Without it, the scribe or the first model on the
    /// winning side does. The summary is wording: it decides nothing.
    pub(crate) synthesize: Option<String>,
    /// Have no summary written at the end of a debate: one call less.
    #[serde(default)]
    pub(crate) no_synthesis: bool,
}

/// How a motion is put.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = MotionProposal)]
pub(crate) struct Proposing {
    /// The seat that proposes it; the chair if left out.
    pub(crate) by: Option<String>,
    /// The seat that seconds it; if left out, seats are asked.
    pub(crate) seconder: Option<String>,
    /// Whether it waits until `resume` calls it up.
    #[serde(default)]
    pub(crate) listed: bool,
}

/// Who seconds a motion.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Seconding {
    /// The seat.
    pub(crate) by: String,
}

/// Who takes a motion back.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Withdrawing {
    /// The seat that proposed it; the operator if left out.
    pub(crate) by: Option<String>,
}

/// A seat: the name alone for a participant that comes by itself or that the house knows, else also what answers for it.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(
    untagged,
    expecting = "a seat must be a name, or an object with `name` and `answered_by` (`rank` from 1 to 1000, at most 10 `red_lines` and 10 `green_lines`)"
)]
#[schema(as = SeatWanted)]
pub(crate) enum SeatWanted {
    /// The name alone.
    Named(String),
    /// With what answers for it.
    Performed(Performed),
}

/// A seat this service performs.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Performed {
    /// Its name.
    pub(crate) name: String,
    /// What answers for it: `rehearsal`, `openai:MODEL`, `anthropic:MODEL`, `gemini:MODEL`, `ollama:MODEL`, `URL#MODEL`,
    /// and with a credential also `exec:COMMAND` and `script:FILE`, which are found from where the service was started.
    pub(crate) answered_by: String,
    /// The point of view it speaks from.
    pub(crate) persona: Option<String>,
    /// Its rank in a parliament, counted from 1: lower ones speak first.
    #[serde(default, deserialize_with = "rank")]
    #[schema(minimum = 1, maximum = 1000)]
    pub(crate) rank: Option<u16>,
    /// What it does not accept; it reads this in a parliament.
    #[serde(default, deserialize_with = "lines")]
    #[schema(max_items = 10)]
    pub(crate) red_lines: Vec<String>,
    /// What it is there to support; it reads this in a parliament.
    #[serde(default, deserialize_with = "lines")]
    #[schema(max_items = 10)]
    pub(crate) green_lines: Vec<String>,
}

/// The last rank, and the most lines of a kind, that a seat may have.
const RANK_MOST: u16 = 1000;
const LINES_MOST: usize = 10;

fn rank<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u16>, D::Error> {
    let rank: Option<u16> = whole(from)?;
    match rank {
        Some(place) if !(1..=RANK_MOST).contains(&place) => {
            Err(D::Error::custom(format_args!("rank {place} is not one from 1 to {RANK_MOST}")))
        }
        rank => Ok(rank),
    }
}

fn lines<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    let lines = Vec::<String>::deserialize(from)?;
    match lines.len() > LINES_MOST {
        true => {
            Err(D::Error::custom(format_args!("{} lines; at most {LINES_MOST} are allowed", lines.len())))
        }
        false => Ok(lines),
    }
}

impl Performed {
    /// Its rank and lines, if it has any.
    pub(crate) fn profile(&self) -> Option<Arc<SeatProfile>> {
        let Self { rank, red_lines, green_lines, .. } = self;
        let profile = SeatProfile {
            green_lines: green_lines.clone(),
            rank: rank.map(|place| Rank { place, name: format!("rank {place}") }),
            red_lines: red_lines.clone(),
            title: None,
        };
        (profile != SeatProfile::default()).then(|| Arc::new(profile))
    }
}

impl SeatWanted {
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::Named(name) => name,
            Self::Performed(seat) => &seat.name,
        }
    }

    pub(crate) fn is_performed(&self) -> bool {
        matches!(self, Self::Performed(_))
    }
}

/// The most a debate may use up. Calls are reserved before they are made.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = DebateLimits)]
pub(crate) struct LimitsWanted {
    /// What it may cost in US dollars, such as `0.50`.
    #[schema(pattern = "^[0-9]{1,6}([.][0-9]{1,6})?$")]
    pub(crate) usd: Option<String>,
    /// Calls, retries included.
    #[schema(value_type = Option<u32>, minimum = 1)]
    pub(crate) calls: Option<WholeNumber>,
    /// Tokens, read and written.
    #[schema(value_type = Option<u64>, minimum = 1)]
    pub(crate) tokens: Option<WholeNumber>,
    /// Seconds.
    #[schema(value_type = Option<u32>, minimum = 1, maximum = 2678400)]
    pub(crate) seconds: Option<WholeNumber>,
}

/// How the next round goes.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Continuing {
    /// A question the next round answers first.
    pub(crate) focus: Option<String>,
    /// Texts to put before the council, by name.
    #[serde(default)]
    pub(crate) context: BTreeMap<String, String>,
    /// Do not wait between rounds any more.
    #[serde(default)]
    pub(crate) to_end: bool,
}

/// A branch of a debate.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Branching {
    /// The last round both share.
    #[schema(value_type = u64, maximum = 4294967295_u64)]
    pub(crate) round: WholeNumber,
    /// Another charter, by name; the same if left out.
    #[schema(pattern = "^[A-Za-z0-9-]{1,64}$")]
    pub(crate) charter: Option<String>,
    /// Other seats, in place of all of them; the same if left out.
    #[schema(min_items = 1, max_items = 200)]
    pub(crate) seats: Option<Vec<SeatWanted>>,
    /// Settings of the charter to move, by name.
    #[serde(default)]
    pub(crate) set: BTreeMap<String, SettingInput>,
    /// A question the next round answers first.
    pub(crate) focus: Option<String>,
    /// Wait after each round for `continue`.
    #[serde(default)]
    pub(crate) stepwise: bool,
    /// The most it may use up.
    #[serde(default)]
    pub(crate) limits: LimitsWanted,
}

/// Who sums a matter up.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Summing {
    /// A seat, judge or scribe of the matter, by name.
    pub(crate) by: String,
}

/// Who weighs which round.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Judging {
    /// The round.
    #[schema(value_type = u64, maximum = 4294967295_u64)]
    pub(crate) round: WholeNumber,
    /// The judge: the name alone for one that the matter or the house knows.
    pub(crate) by: SeatWanted,
}

/// An answer to a participant's request for information.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Answered {
    /// The answer.
    pub(crate) text: String,
}
