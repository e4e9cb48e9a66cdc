//! The answer of a council in four layers: the decision, the seats, evidence and conflicts, and what it took.
//! What to do with it is said beside the decision; see `advice`.

use serde::Serialize;

use super::answers::{self, ProposedAnswer};
use super::compare::{self, Support};
use super::estimate::Estimates;
use super::{
    Advice, BallotReport, Check, Cited, Condition, Dissent, JudgeReading, Marked, Missing, Reason,
    RefusedRow, RepairedAnswer, Report, RequestRow, Requirement, Reservation, Retried, Round, SeatReport,
    SeatStand, Voters,
};
use crate::ballot::Basis;
use crate::context::Synthesis;
use crate::kernel::{At, Choice, Decision, MatterId, Permille, Seat, Who};
use crate::matter::{Forked, Pinned, Question, QuestionKind};
use crate::meter::{Limits, Total};
use crate::watch::{Cluster, Conflict, Indicator, Level, Nuance, Point, Share};

/// The vote or round in which an agreement was counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum AgreementBasis {
    /// In the deciding vote.
    Vote,
    /// In what was said in this round, as no vote was counted.
    Round(u32),
}

/// A matter whole: its answer, and beside it the report that it is taken from.
#[derive(Debug, Clone, Serialize)]
pub struct FullAnswer<'a> {
    /// The answer in four layers.
    pub answer: Answer<'a>,
    /// Everything else.
    #[serde(flatten)]
    pub report: &'a Report,
}

/// The form of answers; `docs/reference/answer.schema.json` describes it. Changes when a field changes its meaning.
pub const ANSWER_SCHEMA: &str = "synod-answer/1";

/// The whole answer.
#[derive(Debug, Clone, Serialize)]
pub struct Answer<'a> {
    /// The form, `synod-answer/1`.
    pub schema: &'static str,
    /// What was decided.
    pub decision: DecisionLayer<'a>,
    /// Who said what.
    pub seats: SeatsLayer<'a>,
    /// What it rests on and what speaks against it.
    pub evidence: EvidenceLayer<'a>,
    /// How it came about.
    pub metadata: MetadataLayer<'a>,
}

/// Layer one.
#[derive(Debug, Clone, Serialize)]
pub struct DecisionLayer<'a> {
    /// What was asked.
    pub question: &'a Question,
    /// Where it stands.
    pub status: &'a str,
    /// How it ended.
    pub decision: Option<Decision>,
    /// In one line, with what degrades it.
    pub headline: &'a str,
    /// What degrades it.
    pub caveats: &'a [String],
    /// What to do now.
    pub advice: &'a Advice,
    /// How far seats agree, as counted; none if not known.
    pub agreement: Option<Share>,
    /// Where that was counted.
    pub agreement_by: Option<AgreementBasis>,
    /// The same in a word.
    pub level: Level,
    /// What leads, with how much of what it needs, and how few ballots would have changed it.
    pub support: Option<Support>,
    /// The deciding vote: rule, tally, support on every basis, margin, every vote.
    pub vote: Option<&'a BallotReport>,
    /// The votes for it with their reasons, verbatim.
    pub why: Vec<Reason<'a>>,
    /// What the winning side made its votes depend on, verbatim.
    pub conditions: Vec<Condition<'a>>,
    /// What the question requires, and which seats say that it is met.
    pub requirements: &'a [Requirement],
    /// What to check before acting on it.
    pub checks: Vec<Check<'a>>,
    /// Those it went against, verbatim, with what would change their vote.
    pub dissent: &'a [Dissent],
    /// What those say who did not vote against it and were not wholly for it either.
    pub reservations: &'a [Reservation],
    /// The mean confidence of the votes for it, rounded down; none if nobody gave one.
    pub confidence: Option<Permille>,
    /// What clerks made of it. No decision.
    pub syntheses: &'a [(Who, Synthesis)],
    /// The kind of question; left out for yes or no and for given options.
    #[serde(skip_serializing_if = "QuestionKind::is_plain")]
    pub kind: QuestionKind,
    /// What seats proposed to an open question.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    pub answers: &'a [ProposedAnswer],
    /// The numbers, where the question asks for one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<&'a Estimates>,
}

/// Layer two.
#[derive(Debug, Clone, Serialize)]
pub struct SeatsLayer<'a> {
    /// Who took part.
    pub seats: &'a [SeatReport],
    /// What each of those asked stands for: position, points, how it moved, what it rests on.
    pub stands: Vec<SeatStand<'a>>,
    /// Who was kept in reserve and not asked.
    pub reserve: &'a [Who],
    /// Who served without a vote.
    #[serde(rename = "helpers", serialize_with = "super::seated::all")]
    pub clerks: &'a [Seat],
    /// How many independent voters those who were asked come to, where they share models.
    pub voters: Option<Voters>,
    /// Asks without an answer.
    pub missing: &'a [Missing],
    /// What clerks were asked for and did not give.
    pub unserved: &'a [Missing],
    /// Rules of the charter that a seat broke, in statements and votes.
    pub marked: &'a [Marked],
    /// Answers that had to be repaired to read them.
    pub repaired: &'a [RepairedAnswer],
}

/// Layer three.
#[derive(Debug, Clone, Serialize)]
pub struct EvidenceLayer<'a> {
    /// What more than one side said.
    pub common_ground: &'a [Point],
    /// What stands against what.
    pub conflicts: &'a [Conflict],
    /// Who stands together.
    pub clusters: &'a [Cluster],
    /// Differences within one side.
    pub nuances: &'a [Nuance],
    /// Signs that agreement may not be thought.
    pub groupthink: &'a [Indicator],
    /// How judges read the rounds that were judged.
    pub judged: Vec<RoundReading<'a>>,
    /// Sources named, each once.
    pub citations: &'a [Cited],
    /// What was asked of the operator.
    pub requests: &'a [RequestRow],
    /// Requests that do not stand.
    pub refused_requests: &'a [RefusedRow],
}

/// The readings of one round: counted, and by judges.
#[derive(Debug, Clone, Serialize)]
pub struct RoundReading<'a> {
    /// The round.
    pub round: u32,
    /// How far seats agreed in it, as counted.
    pub counted: Option<Share>,
    /// What judges made of it.
    pub judged: &'a [JudgeReading],
    /// Judges whose reading failed.
    pub pending: &'a [Missing],
    /// The least and the most of all readings, counted and judged.
    pub spread: Option<(Permille, Permille)>,
}

impl<'a> RoundReading<'a> {
    /// The readings of a round that a judge was asked about.
    fn of(round: &'a Round) -> Option<Self> {
        let asked = !round.judged.is_empty() || !round.pending.is_empty();
        asked.then(|| Self {
            round: round.round,
            counted: round.analysis.as_ref().and_then(|found| found.agreement),
            judged: &round.judged,
            pending: &round.pending,
            spread: round.spread,
        })
    }
}

/// Layer four.
#[derive(Debug, Clone, Serialize)]
pub struct MetadataLayer<'a> {
    /// The matter.
    pub matter: MatterId,
    /// Its running number in the house.
    pub number: u64,
    /// The charter in force.
    pub charter: &'a Pinned,
    /// Where it branched off.
    pub forked: Option<Forked>,
    /// Rounds begun.
    pub rounds: usize,
    /// Why stages of speech ended.
    pub exits: &'a [(String, crate::watch::Exit)],
    /// When it was opened.
    pub opened: At,
    /// When the last thing happened to it.
    pub last: At,
    /// What calls took.
    pub spent: &'a Total,
    /// What calls with an unknown end may have taken besides.
    pub lost: &'a Total,
    /// The most it might use up.
    pub limits: &'a Limits,
    /// Calls that were tried more than once.
    pub retried: &'a [Retried],
}

impl Report {
    /// The answer with the report.
    pub fn whole(&self) -> FullAnswer<'_> {
        FullAnswer { answer: self.answer(), report: self }
    }

    /// The answer in four layers.
    pub fn answer(&self) -> Answer<'_> {
        let analysis = self.rounds.iter().rev().find_map(|round| round.analysis.as_ref());
        Answer {
            schema: ANSWER_SCHEMA,
            decision: DecisionLayer {
                question: &self.question,
                status: self.status,
                decision: self.decision,
                headline: &self.headline,
                caveats: &self.caveats,
                advice: &self.advice,
                agreement: self.agreement,
                agreement_by: self.agreement_by,
                level: self.level,
                support: compare::support(self),
                vote: self.deciding(),
                why: self.why(),
                conditions: self.conditions(),
                requirements: &self.requirements,
                checks: self.checks(),
                dissent: &self.dissent,
                reservations: &self.reservations,
                confidence: self.confidence,
                syntheses: &self.syntheses,
                kind: self.kind,
                answers: &self.answers,
                estimate: self.estimate.as_ref(),
            },
            seats: SeatsLayer {
                seats: &self.seats,
                stands: self.stands_for(),
                reserve: &self.reserve,
                clerks: &self.clerks,
                voters: self.voters,
                missing: &self.missing,
                unserved: &self.unserved,
                marked: &self.marked,
                repaired: &self.repaired,
            },
            evidence: EvidenceLayer {
                common_ground: analysis.map_or(&[], |found| &found.common_ground),
                conflicts: analysis.map_or(&[], |found| &found.conflicts),
                clusters: analysis.map_or(&[], |found| &found.clusters),
                nuances: analysis.map_or(&[], |found| &found.nuances),
                judged: self.rounds.iter().filter_map(RoundReading::of).collect(),
                groupthink: analysis.map_or(&[], |found| &found.groupthink),
                citations: &self.citations,
                requests: &self.requests,
                refused_requests: &self.refused_requests,
            },
            metadata: MetadataLayer {
                matter: self.matter,
                number: self.number,
                charter: &self.charter,
                forked: self.forked,
                rounds: self.begun(),
                exits: &self.exits,
                opened: self.opened,
                last: self.last,
                spent: &self.spent,
                lost: &self.lost,
                limits: &self.limits,
                retried: &self.retried,
            },
        }
    }
}

/// How far the seats agree, and where that was counted: by the deciding vote of all who were asked, whether they answered or not; before
/// any vote by what was counted in the last round. One seat agrees with nobody, and a vote that nobody's
/// ballot was read in leaves it unknown, whatever was said before.
pub(super) fn agreement(report: &Report) -> Option<(Share, AgreementBasis)> {
    let counted = || {
        let round = report.rounds.last()?;
        Some((round.analysis.as_ref()?.agreement?, AgreementBasis::Round(round.round)))
    };
    let Some(ballot) = report.deciding() else { return answers::agreement(report).or_else(counted) };
    let Some(tally) = &ballot.tally else { return counted() };
    // However it was decided, the most who voted alike: those for what leads, or those who turned it down.
    let part = ballot.for_leading().max(tally.votes_for(Choice::No));
    // Those who abstain agree on nothing that was asked.
    let known = tally.seats > 1 && tally.whole(Basis::Cast) > 0;
    known.then_some((Share { part, whole: tally.seats }, AgreementBasis::Vote))
}
