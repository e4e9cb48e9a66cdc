//! The watch: what a round looks like from outside, and whether another one would still move anything.
//!
//! It reads who stands where, what is common and what is contested, whether anything still moves, and
//! whether the agreement looks like thought. It is a signal: a ballot decides. It never acts, never asks a
//! mind, and never turns what is not known into a number: too little to tell is `None`.
//!
//! Voices are read in the order of their ids, so the order in which seats answered changes nothing.
//!
//! To add a finding: a field of [`Analysis`], the file that fills it, its line in [`analyse`]. To add a
//! sign of groupthink: a variant of [`Indicator`] and its line in `groupthink.rs`. To teach it a language:
//! `kernel/prose/words.rs`.

mod conform;
mod exit;
mod groupthink;
mod opinion;
mod points;
mod share;
mod sides;
mod statistics;
mod still;
mod voices;

use serde::{Deserialize, Serialize};

use crate::kernel::{
    About, AskChange, AskId, Choice, MatterId, Permille, Reading, Repair, Response, Threshold, Who, words,
};

pub use crate::kernel::prose::{likeness, opposed, same};
pub use conform::conformity;
pub use exit::{Exit, exit};
pub use groupthink::objects;
pub use opinion::{Opinion, spread};
pub use share::{Level, Share};
pub use statistics::{Statistics, statistics};

use sides::Sides;
use voices::RoundVoices;

/// What a charter watches for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// All are at least so sure.
    pub confidence: Threshold,
    /// The share of the voices that is consensus.
    pub consensus: Threshold,
    /// Signs of groupthink are looked for.
    pub groupthink: bool,
    /// Over how many intervals between rounds nothing may move. Nought: it is not watched.
    pub still_rounds: u32,
}

/// One seat's word in a round.
#[derive(Debug, Clone, Copy)]
pub struct Voice<'a> {
    /// Who spoke.
    pub who: &'a Who,
    /// What was said.
    pub response: &'a Response,
    /// The side was ordered by a role: never free opinion.
    pub ordered: bool,
    /// A section that weighs the other side is filled.
    pub objection: bool,
}

/// What a round looks like, without anybody's opinion.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Analysis {
    /// The largest side among the free voices that stated one. NEUTRAL is no side, but counts in the
    /// whole. Not known if fewer than two stated one, or not more than half of the seats that were free.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agreement: Option<Share>,
    /// Who stated the same side, the largest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub clusters: Vec<Cluster>,
    /// What more than one wrote, the most telling first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub common_ground: Vec<Point>,
    /// The mean of the stated confidences of free voices, to the nearest thousandth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Permille>,
    /// What stands against what, the largest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<Conflict>,
    /// No stated side and no confidence moved over the intervals watched. `None`: too little to tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub converged: Option<bool>,
    /// Signs that the agreement may not be thought.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groupthink: Vec<Indicator>,
    /// The least confidence, only if every free voice stated one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub least_confidence: Option<Permille>,
    /// Differences within one side.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub nuances: Vec<Nuance>,
    /// Who spoke under an ordered side and is not counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ordered: Vec<Who>,
    /// Free voices that stated no side.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unknown: Vec<Who>,
}

/// Voices that stand together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cluster {
    /// Who wrote the gist. Not given where all of them wrote these words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Who>,
    /// What the surest of them said, at most 200 characters; of a point, the words that all of them wrote.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gist: Option<String>,
    /// The side that all of them stated. Those who wrote the same point need not stand on one side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stance: Option<Choice>,
    /// Who, in the order of their ids.
    pub who: Vec<Who>,
}

/// Something more than one wrote. Nobody stands under words that are not their own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    /// How many sides those who wrote these words are on: common ground of two sides is worth most.
    pub sides: u32,
    /// What others wrote in nearly the same words, each on the side of one of those who wrote the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub similar: Vec<Similar>,
    /// The words.
    pub text: String,
    /// Who wrote them.
    pub who: Vec<Who>,
}

impl Point {
    /// Everyone who wrote this or something similar, each once.
    pub fn seats(&self) -> Vec<&Who> {
        let mut seats: Vec<&Who> =
            self.who.iter().chain(self.similar.iter().flat_map(|one| &one.who)).collect();
        seats.sort_unstable();
        seats.dedup();
        seats
    }
}

/// A sentence like another one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Similar {
    /// The words.
    pub text: String,
    /// Who wrote them.
    pub who: Vec<Who>,
}

/// Two that stand against each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Conflict {
    /// What they differ over.
    pub about: ConflictSubject,
    /// The larger.
    pub one: Cluster,
    /// The other.
    pub other: Cluster,
}

/// The subject of a conflict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ConflictSubject {
    /// The question itself.
    Side,
    /// One point, said by one and denied by the other.
    Point,
}

/// A difference within one side.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Nuance {
    /// What differs.
    pub apart: Apart,
    /// The side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stance: Option<Choice>,
    /// Whose word differs from the first named, who is the surest of the side.
    pub who: Vec<Who>,
}

/// What differs within one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Apart {
    /// The same side in other words: they may agree for different reasons.
    Reasons,
    /// The same side, and two fifths or more apart in how sure they are.
    Confidence,
}

/// A sign that an agreement may not be thought. A sign, not a verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Indicator {
    /// All are sure, on one side and say it in nearly the same words.
    ConfidentAndAlike,
    /// All are on one side and nobody weighed another.
    NoAlternative,
    /// Left a minority for the majority without a word that was not there before.
    DissentDropped {
        /// Who.
        who: Who,
    },
    /// Rests on what others said and adds nothing.
    ByReference {
        /// Who.
        who: Who,
    },
}

/// What the watch puts on record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A round was read.
    Analysed {
        /// What was found.
        analysis: Box<Analysis>,
        /// In which matter.
        matter: MatterId,
        /// Which round.
        round: u32,
    },
    /// A judge mind gave its reading.
    Judged {
        /// The ask it answers.
        ask: AskId,
        /// Its reading.
        opinion: Box<Opinion>,
        /// What had to be repaired to read it.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        repairs: Vec<Repair>,
        /// Of which round.
        round: u32,
    },
    /// A stage was left.
    Left {
        /// In which matter.
        matter: MatterId,
        /// Which stage of the charter.
        stage: u16,
        /// Why.
        why: Exit,
    },
}

/// Reads the last of `rounds`, which are given oldest first. `options`: how many the question has; `seats`:
/// how many were called in the last round, ordered ones included. A seat that spoke twice in a round is
/// read by its last word.
pub fn analyse(
    rules: &Rules,
    reading: Reading,
    options: usize,
    seats: usize,
    rounds: &[Vec<Voice<'_>>],
) -> Analysis {
    let heard: Vec<RoundVoices<'_>> =
        rounds.iter().map(|round| RoundVoices::of(options, round, reading)).collect();
    let Some(last) = heard.last() else { return Analysis::default() };
    let sides = Sides::of(&last.free);
    let gathered = points::gather(&last.free, &sides);
    let confidences = || last.free.iter().filter_map(|said| said.confidence());
    Analysis {
        agreement: sides.agreement(seats.saturating_sub(last.ordered.len())),
        clusters: sides.clusters(&last.free),
        common_ground: points::common(&gathered, &last.free, &sides),
        confidence: share::mean(confidences()),
        conflicts: points::conflicts(&gathered, &last.free, &sides),
        converged: still::converged(rules.still_rounds, &heard),
        groupthink: if rules.groupthink { groupthink::signs(rules, &heard, &sides) } else { Vec::new() },
        least_confidence: last.least_confidence(),
        nuances: points::nuances(&last.free, &sides),
        ordered: last.ordered.iter().map(|said| said.voice.who.clone()).collect(),
        unknown: sides.unknown(&last.free),
    }
}

words!(struct Cluster { gist | by, stance, who });
words!(struct Similar { text | who });
words!(struct Point { similar, text | sides, who });
words!(struct Conflict { one, other | about });
words!(struct Analysis {
    clusters, common_ground, conflicts
        | agreement, confidence, converged, groupthink, least_confidence, nuances, ordered, unknown
});
words!(enum Event {
    Analysed { analysis | matter, round },
    Judged { opinion, repairs | ask, round },
    Left { | matter, stage, why },
});

impl Event {
    /// What it is about.
    pub fn about(&self) -> About {
        match self {
            Self::Analysed { matter, .. } | Self::Left { matter, .. } => About::Matter(*matter),
            Self::Judged { ask, .. } => About::Ask(*ask),
        }
    }

    /// What it does to an ask.
    pub fn ask(&self) -> AskChange {
        match self {
            Self::Judged { ask, .. } => AskChange::Answers(*ask),
            Self::Analysed { .. } | Self::Left { .. } => AskChange::None,
        }
    }
}
