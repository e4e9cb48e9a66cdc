//! What a citation is worth: what was proved, times why it was looked up, times what came of it.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use crate::kernel::CitationTrigger;

/// What became known of a citation when it was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CitationProof {
    /// It does not hold.
    False,
    /// What is named exists, and nothing more was proved: a path alone, words of the issue itself, a file that its author has
    /// just written. It is verified and earns nothing.
    Exists,
    /// It holds.
    Verified,
    /// It holds, and was quoted with care.
    Precise,
    /// The engine searched for it and found nothing: the proof that something is not settled yet.
    Searched,
}

impl CitationProof {
    /// Whether the citation is true.
    pub fn is_verified(self) -> bool {
        self != Self::False
    }
}

/// What came of a citation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CitationOutcome {
    /// Something was decided by it.
    InformedDecision,
    /// A file was changed because of it.
    LedToFileChange,
    /// An issue was resolved with it.
    ResolvedIssue,
    /// It stopped a mistake before it was made.
    PreventedError,
    /// It showed that something is not settled yet.
    IdentifiedCanonGap,
    /// It settled something that was open.
    EstablishedNewCanon,
    /// It stopped the user from contradicting what holds.
    PreventedUserConflict,
    /// Nothing yet.
    NoActionYet,
    /// Nothing.
    NoAction,
}

impl CitationOutcome {
    /// All of them, with the words they are written as.
    pub const WORDS: [(&'static str, Self); 9] = [
        ("informed-decision", Self::InformedDecision),
        ("led-to-file-change", Self::LedToFileChange),
        ("resolved-issue", Self::ResolvedIssue),
        ("prevented-error", Self::PreventedError),
        ("identified-canon-gap", Self::IdentifiedCanonGap),
        ("established-new-canon", Self::EstablishedNewCanon),
        ("prevented-user-conflict", Self::PreventedUserConflict),
        ("no-action-yet", Self::NoActionYet),
        ("no-action", Self::NoAction),
    ];

    /// The word it is written as.
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, one)| *one == self).map_or("", |(word, _)| *word)
    }
}

/// A factor of a price, in hundredths: `1.5` is 150 of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Factor {
    hundredths: u32,
}

/// Why a written factor is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{written}` is not a factor from 0 to 100: write 1, 1.5 or 0.25")]
pub struct MalformedFactor {
    /// What stood there.
    pub written: String,
}

impl Factor {
    /// The largest, in hundredths.
    const MOST: u32 = 10_000;

    /// So many hundredths. For constants: a factor above 100 does not compile.
    pub const fn hundredths(hundredths: u32) -> Self {
        assert!(hundredths <= Self::MOST, "a factor is at most 100");
        Self { hundredths }
    }
}

impl fmt::Display for Factor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (whole, part) = (self.hundredths / 100, self.hundredths % 100);
        match (part, part % 10) {
            (0, _) => write!(f, "{whole}"),
            (_, 0) => write!(f, "{whole}.{}", part / 10),
            _ => write!(f, "{whole}.{part:02}"),
        }
    }
}

impl FromStr for Factor {
    type Err = MalformedFactor;
    fn from_str(written: &str) -> Result<Self, MalformedFactor> {
        parse(written.trim()).ok_or_else(|| MalformedFactor { written: written.into() })
    }
}

/// Digits, and at most two of them after a point.
fn parse(written: &str) -> Option<Factor> {
    let (whole, part) = written.split_once('.').unwrap_or((written, "0"));
    let digits = |text: &str, most: usize| {
        (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    if !digits(whole, 3) || !digits(part, 2) {
        return None;
    }
    let hundredths = whole.parse::<u32>().ok()? * 100 + format!("{part:0<2}").parse::<u32>().ok()?;
    (hundredths <= Factor::MOST).then_some(Factor { hundredths })
}

impl Serialize for Factor {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        out.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Factor {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}

/// The prices of citations, as a charter sets them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CitationPrices {
    /// What a false citation costs, whatever its context. Below zero.
    pub false_citation: i64,
    /// What a precise one counts.
    pub precise: Factor,
    /// What a verified one counts.
    pub verified: Factor,

    /// Looked up because somebody asked.
    pub answer_to_question: Factor,
    /// To find what nobody has settled.
    pub canon_gap_search: Factor,
    /// To challenge what all agree on.
    pub challenge_consensus: Factor,
    /// To end a disagreement.
    pub resolve_conflict: Factor,
    /// To back a proposal.
    pub support_proposal: Factor,
    /// For no reason.
    pub unprompted: Factor,
    /// To check that things fit together.
    pub verify_continuity: Factor,

    /// It settled something that was open.
    pub established_new_canon: Factor,
    /// It showed that something is open.
    pub identified_canon_gap: Factor,
    /// Something was decided by it.
    pub informed_decision: Factor,
    /// A file was changed because of it.
    pub led_to_file_change: Factor,
    /// Nothing came of it.
    pub no_action: Factor,
    /// Nothing has come of it yet.
    pub no_action_yet: Factor,
    /// It stopped a mistake.
    pub prevented_error: Factor,
    /// It stopped the user from contradicting what holds.
    pub prevented_user_conflict: Factor,
    /// An issue was resolved with it.
    pub resolved_issue: Factor,
}

impl Default for CitationPrices {
    fn default() -> Self {
        let factor = Factor::hundredths;
        Self {
            // A false citation must cost more than a true one usually earns, or guessing would pay.
            false_citation: -2,
            precise: factor(150),
            verified: factor(100),
            answer_to_question: factor(100),
            canon_gap_search: factor(100),
            challenge_consensus: factor(150),
            resolve_conflict: factor(150),
            support_proposal: factor(100),
            unprompted: factor(0),
            verify_continuity: factor(100),
            established_new_canon: factor(200),
            identified_canon_gap: factor(150),
            informed_decision: factor(100),
            led_to_file_change: factor(150),
            no_action: factor(0),
            no_action_yet: factor(50),
            prevented_error: factor(200),
            prevented_user_conflict: factor(250),
            resolved_issue: factor(150),
        }
    }
}

impl CitationPrices {
    /// What a citation is worth. Halves are rounded up.
    pub fn price(&self, proof: CitationProof, trigger: CitationTrigger, outcome: CitationOutcome) -> i64 {
        let searched = trigger == CitationTrigger::CanonGapSearch;
        let base = match proof {
            CitationProof::False => return self.false_citation,
            CitationProof::Exists => return 0,
            // That nothing was found is proved by the engine's own search and by nothing else, and a search proves nothing
            // else.
            CitationProof::Searched if searched => self.verified,
            CitationProof::Verified | CitationProof::Precise if searched => return 0,
            CitationProof::Searched => return 0,
            CitationProof::Verified => self.verified,
            CitationProof::Precise => self.precise,
        };
        let factors = [base, self.trigger(trigger), self.outcome(outcome)];
        let millionths: u64 = factors.iter().map(|factor| u64::from(factor.hundredths)).product();
        ((millionths + HALF) / WHOLE) as i64 // at most a million
    }

    fn trigger(&self, trigger: CitationTrigger) -> Factor {
        match trigger {
            CitationTrigger::AnswerToQuestion => self.answer_to_question,
            CitationTrigger::SupportProposal => self.support_proposal,
            CitationTrigger::ResolveConflict => self.resolve_conflict,
            CitationTrigger::VerifyContinuity => self.verify_continuity,
            CitationTrigger::ChallengeConsensus => self.challenge_consensus,
            CitationTrigger::CanonGapSearch => self.canon_gap_search,
            CitationTrigger::Unprompted => self.unprompted,
        }
    }

    fn outcome(&self, outcome: CitationOutcome) -> Factor {
        match outcome {
            CitationOutcome::InformedDecision => self.informed_decision,
            CitationOutcome::LedToFileChange => self.led_to_file_change,
            CitationOutcome::ResolvedIssue => self.resolved_issue,
            CitationOutcome::PreventedError => self.prevented_error,
            CitationOutcome::IdentifiedCanonGap => self.identified_canon_gap,
            CitationOutcome::EstablishedNewCanon => self.established_new_canon,
            CitationOutcome::PreventedUserConflict => self.prevented_user_conflict,
            CitationOutcome::NoActionYet => self.no_action_yet,
            CitationOutcome::NoAction => self.no_action,
        }
    }
}

/// Three factors in hundredths make a price in millionths.
const WHOLE: u64 = 1_000_000;
const HALF: u64 = WHOLE / 2;
