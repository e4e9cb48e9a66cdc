//! Credits on the wire: postings, standings, leaderboards and goals, and what is sent to change them.

use serde::{Deserialize, Serialize};
use synod_core::House;
use synod_core::house::Reader;
use synod_core::issue::Freedom;
use synod_core::kernel::{At, Id, Who};
use synod_core::ledger::{
    AgentProfile, CitationProof, Event, Goal, GoalMetric, Leaderboard, LeaderboardEntry, Posting,
    SecurityAttempt, TaskSlice, TeamPosting,
};
use synod_core::procedure::workshop::AgentStanding;
use synod_core::roster::WorkRole;
use utoipa::ToSchema;

use super::ids::{IssueRef, WrittenId};
use super::numbers::whole;
use crate::credits::may_know;

/// One change of a balance.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = CreditPosting)]
pub(crate) struct PostingView {
    /// Its id in the journal.
    #[schema(value_type = String)]
    pub(crate) id: Id,
    /// When, in Unix milliseconds.
    #[schema(value_type = u64)]
    pub(crate) at: At,
    /// Whose balance.
    #[schema(value_type = String)]
    pub(crate) who: Who,
    pub(crate) amount: i64,
    /// Why, such as `evidence-verified`.
    pub(crate) reason: String,
    /// Who verified it: a participant, `user` or `system`.
    pub(crate) by: String,
    /// The model that answered for the receiver.
    pub(crate) model: String,
    /// The number of the issue it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) issue: Option<u64>,
    /// For a citation: `false`, `exists`, `verified`, `precise` or `searched`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) proof: Option<String>,
    /// For a citation: what came of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) outcome: Option<String>,
    /// For a citation: its author had as many paid citations in the issue as can earn.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) over_limit: bool,
}

impl PostingView {
    pub(crate) fn of(house: &House, id: Id, at: At, posting: &Posting) -> Self {
        let row = posting.matter.and_then(|matter| house.docket().row(matter));
        let by = posting.by.as_ref().map_or_else(|| posting.class.word().to_string(), ToString::to_string);
        let citation = posting.citation.as_ref();
        Self {
            id,
            at,
            who: posting.who.clone(),
            amount: posting.amount,
            reason: posting.reason.word().into(),
            by,
            model: posting.model.clone(),
            issue: row.map(|row| row.number),
            proof: citation.map(|citation| proof_word(citation.proof).into()),
            outcome: citation.map(|citation| citation.outcome.word().into()),
            over_limit: citation.is_some_and(|citation| citation.over_limit),
        }
    }
}

fn proof_word(proof: CitationProof) -> &'static str {
    match proof {
        CitationProof::False => "false",
        CitationProof::Exists => "exists",
        CitationProof::Verified => "verified",
        CitationProof::Precise => "precise",
        CitationProof::Searched => "searched",
    }
}

/// How an agent stands with the model that answers for it now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = AgentStanding)]
pub(crate) struct StandingView {
    #[schema(value_type = String)]
    pub(crate) who: Who,
    pub(crate) credits: i64,
    /// The model that answers for it.
    pub(crate) model: String,
    /// How reliable it is.
    pub(crate) tier: String,
    /// How far it may go by itself.
    pub(crate) trust: String,
    /// How closely it is watched: `normal`, `watch`, `remediation` or `flagged`.
    pub(crate) level: String,
    /// Verified citations in a row up to now.
    pub(crate) streak: u32,
    /// Into how many slices to cut a task for it.
    pub(crate) slices: u32,
    /// What it has to heed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) heeds: Vec<String>,
    /// A placeholder of a rehearsal: nothing of this says anything about anybody.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) rehearsal: bool,
}

impl From<AgentStanding> for StandingView {
    fn from(standing: AgentStanding) -> Self {
        let dosage = standing.dosage;
        Self {
            who: dosage.who,
            credits: standing.credits,
            model: standing.model,
            tier: dosage.tier.word().into(),
            trust: dosage.trust.word().into(),
            level: dosage.level.word().into(),
            streak: standing.streak,
            slices: dosage.slices,
            heeds: standing.heeds,
            rehearsal: standing.rehearsal,
        }
    }
}

/// Credit of the team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = TeamCreditPosting)]
pub(crate) struct TeamPostingView {
    /// Its id in the journal.
    #[schema(value_type = String)]
    pub(crate) id: Id,
    /// When, in Unix milliseconds.
    #[schema(value_type = u64)]
    pub(crate) at: At,
    pub(crate) amount: i64,
    /// Why, such as `collective-goal-achieved`.
    pub(crate) reason: String,
    /// Whose doing it was, if it was somebody's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub(crate) cause: Option<Who>,
    /// The number of the issue it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) issue: Option<u64>,
}

impl TeamPostingView {
    fn of(house: &House, id: Id, at: At, posting: &TeamPosting) -> Self {
        let row = posting.matter.and_then(|matter| house.docket().row(matter));
        let (amount, cause) = (posting.amount, posting.cause.clone());
        Self { id, at, amount, reason: posting.reason.word().into(), cause, issue: row.map(|row| row.number) }
    }
}

/// A change of a balance of the ledger: an agent's or the team's.
pub(crate) enum LedgerEntry {
    /// An agent's.
    Agent(PostingView),
    /// The team's.
    Team(TeamPostingView),
}

impl LedgerEntry {
    /// What an event changed of the balance of somebody, or of anybody's. What the team gets is nobody's own.
    pub(crate) fn of(house: &House, who: Option<&Who>, (id, at, event): (Id, At, &Event)) -> Option<Self> {
        match event {
            Event::Posted(posting) if who.is_none_or(|who| *who == posting.who) => {
                Some(Self::Agent(PostingView::of(house, id, at, posting)))
            }
            Event::TeamPosted(posting) if who.is_none() => {
                Some(Self::Team(TeamPostingView::of(house, id, at, posting)))
            }
            _ => None, // nothing else changes a balance
        }
    }
}

/// Postings in the order of the record, and how agents stand now.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = CreditPage)]
pub(crate) struct LedgerPage {
    pub(crate) postings: Vec<PostingView>,
    /// What the team got; left out where nothing is, and where one agent was asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) team: Vec<TeamPostingView>,
    pub(crate) agents: Vec<StandingView>,
    /// Ask for the next page with `after` set to this; left out on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) next: Option<u64>,
}

impl LedgerPage {
    pub(crate) fn of(entries: Vec<LedgerEntry>, agents: Vec<StandingView>, next: Option<u64>) -> Self {
        let mut page = Self { postings: Vec::new(), team: Vec::new(), agents, next };
        for entry in entries {
            match entry {
                LedgerEntry::Agent(posting) => page.postings.push(posting),
                LedgerEntry::Team(posting) => page.team.push(posting),
            }
        }
        page
    }
}

/// A refused attempt to move credit.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = CreditAttempt)]
pub(crate) struct AttemptView {
    /// Its id in the journal.
    #[schema(value_type = String)]
    pub(crate) id: Id,
    /// When, in Unix milliseconds.
    #[schema(value_type = u64)]
    pub(crate) at: At,
    /// Who tried: a participant, `user` or `system`.
    pub(crate) by: String,
    /// For which reason, as written.
    pub(crate) reason: String,
    /// To whom, as written.
    pub(crate) to: String,
    /// Why it was refused, such as `self-award`.
    pub(crate) flaw: String,
}

impl AttemptView {
    pub(crate) fn of(id: Id, at: At, attempt: &SecurityAttempt) -> Self {
        let flaw = serde_json::to_value(attempt.flaw).ok();
        Self {
            id,
            at,
            by: attempt.by.as_ref().map_or_else(|| attempt.class.word().to_string(), ToString::to_string),
            reason: attempt.reason.clone(),
            to: attempt.to.clone(),
            flaw: flaw.and_then(|word| word.as_str().map(str::to_string)).unwrap_or_default(),
        }
    }
}

/// Refused attempts in the order of the record.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = CreditAttempts)]
pub(crate) struct AttemptPage {
    pub(crate) attempts: Vec<AttemptView>,
    /// Ask for the next page with `after` set to this; left out on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) next: Option<u64>,
}

/// A line of a leaderboard.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = Leader)]
pub(crate) struct LeaderView {
    /// Its place, from 1. Equal credits share one.
    pub(crate) rank: u32,
    #[schema(value_type = String)]
    pub(crate) who: Who,
    pub(crate) credits: i64,
    /// How reliable it is.
    pub(crate) tier: String,
    /// How closely it is watched.
    pub(crate) level: String,
    /// Verified citations in a row up to now.
    pub(crate) streak: u32,
    /// What it did best, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) highlight: Option<String>,
    /// A placeholder of a rehearsal: nothing of this says anything about anybody.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) rehearsal: bool,
}

impl LeaderView {
    fn of(house: &House, entry: &LeaderboardEntry) -> Self {
        Self {
            rehearsal: house.roster().is_placeholder(&entry.who),
            rank: entry.rank,
            who: entry.who.clone(),
            credits: entry.credits,
            tier: entry.tier.word().into(),
            level: entry.level.word().into(),
            streak: entry.streak,
            highlight: entry.highlight.map(|best| best.words()),
        }
    }
}

/// Who earned how much.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = Leaderboard)]
pub(crate) struct LeaderboardView {
    /// The agents, best first.
    pub(crate) entries: Vec<LeaderView>,
    /// What the team got.
    pub(crate) team_credits: i64,
    /// What all agents and the team got.
    pub(crate) total: i64,
    /// Who earned most, if anybody earned anything.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub(crate) most_valuable: Option<Who>,
    /// Whose citations became more reliable by most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub(crate) most_improved: Option<Who>,
}

impl LeaderboardView {
    pub(crate) fn of(house: &House, board: Leaderboard) -> Self {
        Self {
            entries: board.entries.iter().map(|entry| LeaderView::of(house, entry)).collect(),
            team_credits: board.team_credits,
            total: board.total,
            most_valuable: board.most_valuable,
            most_improved: board.most_improved,
        }
    }
}

/// An agent with one model that answered for it.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = ModelRecord)]
pub(crate) struct ModelRecordView {
    #[schema(value_type = String)]
    pub(crate) who: Who,
    pub(crate) model: String,
    /// Whether this model answers for the agent now.
    pub(crate) active: bool,
    pub(crate) credits: i64,
    pub(crate) tier: String,
    pub(crate) trust: String,
    pub(crate) level: String,
    /// A placeholder of a rehearsal: nothing of this says anything about anybody.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) rehearsal: bool,
}

impl ModelRecordView {
    pub(crate) fn of(house: &House, profile: AgentProfile) -> Self {
        Self {
            rehearsal: house.roster().is_placeholder(&profile.who),
            who: profile.who,
            model: profile.model,
            active: profile.active,
            credits: profile.lifetime,
            tier: profile.tier.word().into(),
            trust: profile.trust.word().into(),
            level: profile.level.word().into(),
        }
    }
}

/// Records by agent and model, most credits first.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = ModelRecords)]
pub(crate) struct ModelRecordPage {
    pub(crate) records: Vec<ModelRecordView>,
}

/// A participant with its role.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = Agent)]
pub(crate) struct AgentView {
    #[schema(value_type = String)]
    pub(crate) who: Who,
    /// `moderator`, `assistant`, `critic`, `continuity`, `writer` or `lead`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) role: Option<String>,
    /// It can be asked to object.
    pub(crate) devils_advocate: bool,
    /// It takes part for now.
    pub(crate) enabled: bool,
    /// How free it is to take part: `limited` or `read-only`. Left out where nobody limited it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) freedom: Option<String>,
    /// A placeholder of a rehearsal.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) rehearsal: bool,
    /// How it stands, if it did anything worth counting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) standing: Option<StandingView>,
}

/// The participants of a house.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = Agents)]
pub(crate) struct AgentPage {
    pub(crate) agents: Vec<AgentView>,
}

impl AgentPage {
    /// Those whom the reader may know.
    pub(crate) fn of(house: &House, reader: Reader<'_>) -> Self {
        let agent = |who: &Who| {
            let held = house.roster().appointment(who);
            let counted = house.ledger().active_model(who).is_some();
            let freedom = house.docket().freedom(who);
            AgentView {
                who: who.clone(),
                role: held.role.map(|role: WorkRole| role.word().into()),
                devils_advocate: held.can_be_devils_advocate,
                enabled: held.enabled,
                freedom: (freedom != Freedom::Full).then(|| freedom.word().into()),
                rehearsal: house.roster().is_placeholder(who),
                standing: counted.then(|| AgentStanding::of(house, who).into()),
            }
        };
        let seats = house.roster().seats().map(|seat| &seat.who);
        let shown = seats.filter(|who| may_know(house, reader, who));
        Self { agents: shown.map(agent).collect() }
    }
}

/// A goal, and how far it is.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = Goal)]
pub(crate) struct GoalView {
    #[schema(value_type = String)]
    pub(crate) id: Id,
    pub(crate) sentence: String,
    /// For whom; for the team if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub(crate) agent: Option<Who>,
    /// What is counted, such as `verified-citations`.
    pub(crate) metric: String,
    pub(crate) current: i64,
    pub(crate) target: u32,
    /// `open`, `reached` or `not-reached`.
    pub(crate) status: String,
    /// When it was set, in Unix milliseconds.
    #[schema(value_type = u64)]
    pub(crate) set: At,
    /// Until when, in Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u64>)]
    pub(crate) until: Option<At>,
}

impl GoalView {
    fn of(house: &House, goal: &Goal) -> Self {
        let (terms, progress) = (&goal.terms, house.ledger().progress(goal, &|of| house.issues_done(of)));
        let status = match (goal.ended, goal.reached) {
            (None, _) => "open",
            (Some(_), true) => "reached",
            (Some(_), false) => "not-reached",
        };
        Self {
            id: goal.id,
            sentence: terms.sentence.clone(),
            agent: terms.agent.clone(),
            metric: terms.metric.word().into(),
            current: progress.current,
            target: progress.target,
            status: status.into(),
            set: goal.set,
            until: terms.until,
        }
    }
}

/// Goals of the team and of agents.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = Goals)]
pub(crate) struct GoalPage {
    pub(crate) goals: Vec<GoalView>,
    /// How many were reached, missed or taken back.
    #[serde(default)]
    pub(crate) ended: u64,
}

impl GoalPage {
    /// Goals that are open; with `all`, also those that were reached, missed or taken back.
    pub(crate) fn of(house: &House, all: bool) -> Self {
        let ended = house.ledger().goals().filter(|goal| goal.ended.is_some()).count() as u64;
        let wanted = house.ledger().goals().filter(|goal| all || goal.ended.is_none());
        Self { goals: wanted.map(|goal| GoalView::of(house, goal)).collect(), ended }
    }
}

/// Give somebody credit, or take it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CreditAward)]
pub(crate) struct AwardBody {
    /// To whom.
    pub(crate) to: String,
    /// Why, such as `moderator-commendation`.
    pub(crate) reason: String,
    /// The issue it is about: its number, its id, or `last`.
    #[schema(value_type = String, pattern = r"^(last|#?[0-9]{1,15}|m[0-9]{1,15}(\.[0-9]{1,4})?)$")]
    pub(crate) issue: IssueRef,
    /// How much; may be left out where the reason has one amount.
    #[schema(value_type = Option<i64>, minimum = -1000000, maximum = 1000000)]
    #[serde(default, deserialize_with = "amount", skip_serializing_if = "Option::is_none")]
    pub(crate) amount: Option<i64>,
    /// Only this slice of a task that was cut, such as `1/3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, pattern = "^[1-9][0-9]{0,2}/[1-9][0-9]{0,2}$")]
    pub(crate) slice: Option<WrittenSlice>,
}

/// The largest amount that is read; what an award may be worth is the house's business.
const AMOUNT_MOST: i64 = 1_000_000;

/// An amount, also written as `3.0`, which JSON does not tell from `3`.
fn amount<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<i64>, D::Error> {
    let Some(number) = Option::<serde_json::Number>::deserialize(from)? else { return Ok(None) };
    let text = number.to_string();
    let whole = text.strip_suffix(".0").unwrap_or(&text).parse::<i64>().ok();
    let known = whole.filter(|amount| (-AMOUNT_MOST..=AMOUNT_MOST).contains(amount));
    known.map(Some).ok_or_else(|| serde::de::Error::custom("an amount is a whole number, such as 3 or -1"))
}

/// A slice of a task as it is written: `1/3` is the first of three.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub(crate) struct WrittenSlice(pub(crate) TaskSlice);

impl std::str::FromStr for WrittenSlice {
    type Err = String;

    fn from_str(written: &str) -> Result<Self, String> {
        let wrong = || format!("`{written}` is not a slice: write 1/3 for the first of three");
        let (nth, of) = written.split_once('/').ok_or_else(wrong)?;
        let number = |text: &str| text.trim().parse::<u32>().ok();
        match (number(nth), number(of)) {
            // Whether it is one of so many is judged by the house, which records what does not fit.
            (Some(nth @ 1..), Some(of @ 1..)) => Ok(Self(TaskSlice { nth: nth - 1, of })),
            (_, _) => Err(wrong()),
        }
    }
}

impl TryFrom<String> for WrittenSlice {
    type Error = String;

    fn try_from(written: String) -> Result<Self, String> {
        written.parse()
    }
}

impl From<WrittenSlice> for String {
    fn from(WrittenSlice(slice): WrittenSlice) -> Self {
        format!("{}/{}", slice.nth + 1, slice.of)
    }
}

/// Say whether somebody helped in an issue. It moves no credit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AgentRatingGiven)]
pub(crate) struct RatingBody {
    /// Whom.
    pub(crate) who: String,
    /// Whether they helped.
    pub(crate) helpful: bool,
    /// In which issue: its number, its id, or `last`.
    #[schema(value_type = String, pattern = r"^(last|#?[0-9]{1,15}|m[0-9]{1,15}(\.[0-9]{1,4})?)$")]
    pub(crate) issue: IssueRef,
}

/// Set a goal for an agent or the team.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewGoal)]
pub(crate) struct GoalBody {
    /// The goal as a sentence.
    pub(crate) sentence: String,
    /// What is counted: `total-credits`, `verified-citations`, `issues-resolved`, `issues-applied-in-work`, `zero-penalties` or
    /// `devils-advocate-consultations`.
    #[schema(value_type = String, pattern = "^(total-credits|verified-citations|issues-resolved|issues-applied-in-work|zero-penalties|devils-advocate-consultations)$")]
    pub(crate) metric: GoalMetric,
    /// How many; 1 if left out.
    #[schema(value_type = Option<u64>, maximum = 4294967295_u64)]
    #[serde(default, deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    pub(crate) target: Option<u32>,
    /// For this agent; for the team if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) agent: Option<String>,
    /// For this open period; from now on if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) period: Option<String>,
    /// Until when, in Unix milliseconds.
    #[serde(default, deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub(crate) until: Option<u64>,
}

/// Take a goal back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = GoalDropping)]
pub(crate) struct GoalDropBody {
    /// Its id.
    #[schema(value_type = String, pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")]
    pub(crate) goal: WrittenId,
}

/// Say which model answers for an agent from outside.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = AgentModel)]
pub(crate) struct ModelBody {
    /// The agent.
    pub(crate) who: String,
    /// The model.
    pub(crate) model: String,
}
