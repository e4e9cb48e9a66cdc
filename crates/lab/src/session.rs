//! Recorded sessions: who spoke in which order, freely or by order, on which side, and how everybody voted.
//!
//! Whatever a session comes from, it has one form. A speech under an order is marked with the reason and the side, so that it
//! is never read as an opinion. What could not be read is unknown. Nothing here is judged.
//!
//! To add a source: a reader here that gives [`RecordedSession`]s, and its arm in `synod lab import`.

mod lines;
mod receipts;
mod summary;
mod taken;
mod transcript;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use lines::from_lines;
pub use receipts::from_receipt;
pub use summary::{summary, support};
pub use taken::from_case;
pub(crate) use taken::side;
pub use transcript::{from_transcript, is_transcript};

use crate::import::ImportFlaw;

/// The form of the file. Changes when a field changes its meaning.
pub const SESSION_FORM: &str = "synod-session/1";
/// The most speeches of a session, votes counted separately: a matter of the core takes no more.
pub const SPEECHES_MOST: usize = 200_000;
/// The most sessions of a file.
pub const SESSIONS_MOST: usize = 20_000;
/// How much of a speech is kept, in characters: what the core keeps of one.
const TEXT_MOST: usize = 20_000;

/// Sessions in a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionBook {
    /// [`SESSION_FORM`].
    pub format: String,
    /// Each motion or matter that was spoken or voted on.
    pub sessions: Vec<RecordedSession>,
}

/// One motion or matter.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedSession {
    /// Where it comes from: `transcript`, `lines`, `receipt` or `house`.
    pub origin: String,
    /// What the source calls it.
    pub name: String,
    /// What was decided on.
    pub motion: String,
    /// The kind of motion, where one is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// What it says in full, where that is known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// Whether passing it was right, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truth: Option<bool>,
    /// Who proposed and who seconded it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proposer: Option<String>,
    /// See `proposer`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconder: Option<String>,
    /// The SHA-256 of the charter it was held under, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub charter: Option<String>,
    /// Whether those of one round spoke without hearing each other.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub at_once: bool,
    /// Everybody, in the order in which they spoke or voted first.
    pub speakers: Vec<SessionSpeaker>,
    /// What was said, in order.
    pub speeches: Vec<RecordedSpeech>,
    /// How everybody voted in the end.
    pub votes: Vec<RecordedVote>,
    /// The entries of speech after which a digest was given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub digests: Vec<u32>,
    /// The count that the source itself states: for, against, abstained, and whether it passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stated: Option<StatedResult>,
    /// What a reader should know about how it was read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// Somebody who takes part.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SessionSpeaker {
    /// Their name.
    pub name: String,
    /// Their rank: 1 speaks first. None where it is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rank: Option<u32>,
    /// What the rank is called, where the source says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Whether the rank was worked out from the order of speaking.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rank_deduced: bool,
    /// The model behind them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}

/// A side, in speech or in a vote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum SpokenSide {
    /// For the motion.
    For,
    /// Against it.
    Against,
    /// On neither side; in a vote, an abstention.
    Neutral,
}

impl SpokenSide {
    /// The word for it in speech.
    pub fn word(self) -> &'static str {
        match self {
            Self::For => "FOR",
            Self::Against => "AGAINST",
            Self::Neutral => "NEUTRAL",
        }
    }

    /// Reads the words that sessions use for a side, in speech and in votes.
    pub fn parse(word: &str) -> Option<Self> {
        match word.trim().to_ascii_uppercase().as_str() {
            "FOR" | "YES" | "AYE" | "PRO" => Some(Self::For),
            "AGAINST" | "NO" | "NAY" | "CON" => Some(Self::Against),
            "NEUTRAL" | "ABSTAIN" | "ABSTAINED" => Some(Self::Neutral),
            _ => None,
        }
    }
}

/// How a side was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SideSource {
    /// A token of its own says it.
    Token,
    /// It was made out from the words.
    Inferred,
    /// The source gives it as a value.
    Given,
    /// There is none that could be read.
    #[default]
    None,
}

/// Why somebody spoke by order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ForcedBy {
    /// Nearly all were of one side.
    ConsensusBreak,
    /// Speeches for the smaller side before the vote.
    RedTeam,
    /// A role of the charter takes a side.
    Role,
    /// Another reason of the source.
    Other,
}

impl ForcedBy {
    /// It in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::ConsensusBreak => "consensus break",
            Self::RedTeam => "red team",
            Self::Role => "assigned role",
            Self::Other => "order",
        }
    }
}

/// The order under which something was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SpokenOrder {
    /// Why.
    pub why: ForcedBy,
    /// The side to take.
    pub side: SpokenSide,
}

/// Something that was said.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedSpeech {
    /// Its place among all speeches, from 1.
    pub order: u32,
    /// The round, from 1. Speeches of a red team are one round after the last.
    pub round: u32,
    /// Who.
    pub speaker: String,
    /// The order it was given under; none of a free speech.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forced: Option<SpokenOrder>,
    /// The side taken; none where it could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<SpokenSide>,
    /// How the side was found.
    pub source: SideSource,
    /// What was said.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
}

/// A vote.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedVote {
    /// Who.
    pub speaker: String,
    /// The side; none where it could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub side: Option<SpokenSide>,
}

/// What a source says came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatedResult {
    /// The count.
    pub count: SideCount,
    /// Whether it passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub passed: Option<bool>,
}

/// A count of sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SideCount {
    /// For it.
    pub yes: u32,
    /// Against it.
    pub no: u32,
    /// On neither side.
    pub neutral: u32,
    /// Of those that could not be read.
    #[serde(default)]
    pub unknown: u32,
}

impl SideCount {
    /// Counts one more.
    pub fn add(&mut self, side: Option<SpokenSide>) {
        *match side {
            Some(SpokenSide::For) => &mut self.yes,
            Some(SpokenSide::Against) => &mut self.no,
            Some(SpokenSide::Neutral) => &mut self.neutral,
            None => &mut self.unknown,
        } += 1;
    }

    /// All of them.
    pub fn all(&self) -> u32 {
        self.yes + self.no + self.neutral + self.unknown
    }

    /// For/against/neutral, as the original program counts: what could not be read is neutral there.
    pub fn words(&self) -> String {
        format!("{}/{}/{}", self.yes, self.no, self.neutral + self.unknown)
    }
}

impl RecordedSession {
    /// Counts speeches: all, or only those that were free.
    pub fn spoken(&self, upto: u32, free: bool) -> SideCount {
        let mut count = SideCount::default();
        let said = self.speeches.iter().take_while(|said| said.order <= upto);
        said.filter(|said| !free || said.forced.is_none()).for_each(|said| count.add(said.side));
        count
    }

    /// Counts votes.
    pub fn voted(&self) -> SideCount {
        let mut count = SideCount::default();
        self.votes.iter().for_each(|vote| count.add(vote.side));
        count
    }

    /// The speeches before which an order for a consensus break begins.
    pub fn breaks(&self) -> Vec<u32> {
        let of = |said: &RecordedSpeech| said.forced.is_some_and(|it| it.why == ForcedBy::ConsensusBreak);
        let mut found = Vec::new();
        let mut before = false;
        for said in &self.speeches {
            let now = of(said);
            if now && !before {
                found.push(said.order);
            }
            before = now;
        }
        found
    }

    /// The last speech in which somebody was heard before a place, free or not.
    pub fn before_red_team(&self) -> u32 {
        let red = |said: &&RecordedSpeech| said.forced.is_some_and(|it| it.why == ForcedBy::RedTeam);
        let first = self.speeches.iter().find(red).map(|said| said.order.saturating_sub(1));
        first.unwrap_or_else(|| self.speeches.last().map_or(0, |said| said.order))
    }

    /// Notes who takes part, in the order in which they come.
    fn notes_speaker(&mut self, name: &str) {
        if !self.speakers.iter().any(|known| known.name == name) {
            self.speakers.push(SessionSpeaker { name: name.into(), ..SessionSpeaker::default() });
        }
    }

    /// Works the ranks out from the order of the first round: within a rank speakers come by name, so a name that
    /// comes before the one just called begins the next rank. Two ranks are taken for one where the second happens to begin with a later name.
    fn deduce_ranks(&mut self) {
        if self.speakers.iter().any(|speaker| speaker.rank.is_some()) {
            return;
        }
        let first: Vec<String> =
            self.speeches.iter().filter(|said| said.round == 1).map(|said| said.speaker.clone()).collect();
        let mut ranks: BTreeMap<String, u32> = BTreeMap::new();
        let (mut rank, mut before): (u32, Option<&String>) = (1, None);
        for name in &first {
            if before.is_some_and(|before| before > name) {
                rank += 1;
            }
            before = Some(name);
            ranks.insert(name.clone(), rank);
        }
        for speaker in &mut self.speakers {
            speaker.rank = ranks.get(&speaker.name).copied();
            speaker.rank_deduced = speaker.rank.is_some();
        }
    }

    /// Checks that it hangs together.
    fn checked(&self) -> Result<(), String> {
        if self.speeches.len() > SPEECHES_MOST {
            return Err(format!("session `{}` has more than {SPEECHES_MOST} speeches", self.name));
        }
        for (at, said) in self.speeches.iter().enumerate() {
            if said.order as usize != at + 1 {
                return Err(format!(
                    "session `{}`: speech {} stands at place {}; number them from 1 without gaps",
                    self.name,
                    said.order,
                    at + 1
                ));
            }
        }
        let mut voted = std::collections::BTreeSet::new();
        match self.votes.iter().find(|vote| !voted.insert(vote.speaker.as_str())) {
            Some(twice) => Err(format!("session `{}`: `{}` votes twice", self.name, twice.speaker)),
            None => Ok(()),
        }
    }
}

/// Reads sessions in our own form.
pub fn from_book(text: &str) -> Result<SessionBook, ImportFlaw> {
    let flaw = |line: usize, wrong: String| ImportFlaw { line: line.max(1), wrong };
    let book: SessionBook = serde_json::from_str(text)
        .map_err(|error| flaw(error.line(), format!("not a file of sessions: {error}")))?;
    if book.format != SESSION_FORM {
        return Err(flaw(1, format!("the format is `{}`; this build reads `{SESSION_FORM}`", book.format)));
    }
    if book.sessions.len() > SESSIONS_MOST {
        return Err(flaw(1, format!("{} sessions are more than {SESSIONS_MOST}", book.sessions.len())));
    }
    book.sessions.iter().try_for_each(RecordedSession::checked).map_err(|wrong| flaw(1, wrong))?;
    Ok(book)
}

/// The beginning of what was said, as much as is kept.
fn kept(text: &str) -> String {
    text.trim().chars().take(TEXT_MOST).collect()
}
