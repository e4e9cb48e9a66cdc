//! The workshop as a whole on the wire: periods, whether agents may run, how they are doing, and checks of citations.

use serde::{Deserialize, Serialize};
use synod_core::House;
use synod_core::evidence::{FileFinding, Unverified};
use synod_core::issue::Freedom;
use synod_core::kernel::{At, FileReference, Id, Passage, Who};
use synod_core::period::Period;
use synod_core::procedure::workshop::{
    AgentReflection, ReflectedCredit, ReflectionReport, ReportAdvice, ReportedAgent, ReportedCanon,
    ReportedConflict, ReportedIssue, ReportedTopic, WorkshopReport,
};
use synod_core::roster::{Preflight, PreflightFlaw};
use utoipa::ToSchema;

use super::opening::SeatWanted;

/// A named stretch of work.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = Period)]
pub(crate) struct PeriodView {
    #[schema(value_type = String)]
    pub(crate) id: Id,
    pub(crate) name: String,
    /// When it began, in Unix milliseconds.
    #[schema(value_type = u64)]
    pub(crate) opened: At,
    /// When it ended, in Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u64>)]
    pub(crate) closed: Option<At>,
    /// What it taught, so far if it is open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reflection: Option<ReflectionView>,
}

/// What a period taught.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = PeriodReflection)]
pub(crate) struct ReflectionView {
    /// Issues opened.
    pub(crate) opened: u32,
    /// Issues resolved.
    pub(crate) resolved: u32,
    /// Issues closed without a resolution.
    pub(crate) closed: u32,
    /// Marks that something was applied in the work.
    pub(crate) applied: u32,
    pub(crate) comments: u32,
    /// Comments that were refused.
    pub(crate) refused: u32,
    /// Freezes.
    pub(crate) frozen: u32,
    /// Topics that were worked on again and again with little result.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) circled: Vec<String>,
    /// What went right, in sentences.
    pub(crate) right: Vec<String>,
    /// What went wrong, in sentences.
    pub(crate) wrong: Vec<String>,
    /// What each agent did.
    pub(crate) agents: Vec<PeriodAgent>,
    /// What credits were given for.
    pub(crate) credits: Vec<PeriodCredit>,
}

/// What one agent did in a period.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct PeriodAgent {
    #[schema(value_type = String)]
    pub(crate) who: Who,
    pub(crate) comments: u32,
    pub(crate) refused: u32,
    pub(crate) froze: u32,
    /// Issues that it resolved.
    pub(crate) resolved: u32,
    /// Issues that it opened and that were applied.
    pub(crate) applied: u32,
    /// Citations that hold.
    pub(crate) verified: u32,
    /// Citations that do not hold.
    pub(crate) false_citations: u32,
    pub(crate) credits: i64,
}

/// What one reason for credit came to in a period.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct PeriodCredit {
    pub(crate) reason: String,
    /// How often.
    pub(crate) times: u32,
    /// Credits to agents who resolved an issue, or whose issue was applied.
    pub(crate) with_results: i64,
    /// Credits to all others.
    pub(crate) without_results: i64,
}

impl PeriodView {
    fn of(house: &House, period: &Period) -> Self {
        let (id, name) = (period.id, period.name.clone());
        let reflection = ReflectionView::of(house, period);
        Self { id, name, opened: period.opened, closed: period.closed, reflection }
    }
}

impl ReflectionView {
    /// What a period taught, so far if it is open.
    fn of(house: &House, period: &Period) -> Option<Self> {
        let taught = ReflectionReport::of(house, period)?;
        let counts = taught.counts;
        let credit = |row: ReflectedCredit| PeriodCredit {
            reason: row.reason.into(),
            times: row.times,
            with_results: row.with_results,
            without_results: row.without_results,
        };
        Some(Self {
            opened: counts.opened,
            resolved: counts.resolved,
            closed: counts.closed,
            applied: counts.applied,
            comments: counts.comments,
            refused: counts.refused,
            frozen: counts.frozen,
            circled: taught.circled.into_iter().map(|topic| topic.tag).collect(),
            right: taught.right,
            wrong: taught.wrong,
            agents: taught.agents.into_iter().map(Into::into).collect(),
            credits: taught.credits.into_iter().map(credit).collect(),
        })
    }
}

impl From<AgentReflection> for PeriodAgent {
    fn from(agent: AgentReflection) -> Self {
        Self {
            who: agent.who,
            comments: agent.comments,
            refused: agent.refused,
            froze: agent.froze,
            resolved: agent.resolved,
            applied: agent.applied,
            verified: agent.verified,
            false_citations: agent.false_citations,
            credits: agent.credits,
        }
    }
}

/// Periods, oldest first.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = Periods)]
pub(crate) struct PeriodPage {
    pub(crate) periods: Vec<PeriodView>,
}

impl PeriodPage {
    pub(crate) fn of(house: &House) -> Self {
        Self { periods: house.periods().all().map(|period| PeriodView::of(house, period)).collect() }
    }
}

/// Whether agents may run by themselves.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = WorkshopHealth)]
pub(crate) struct PreflightView {
    /// `editor` or `team`.
    pub(crate) mode: String,
    /// Whether they may.
    pub(crate) ok: bool,
    /// The code of the first reason why not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
    pub(crate) assistants: u32,
    pub(crate) moderators: u32,
    pub(crate) devils_advocates: u32,
    /// Whether comments are checked.
    pub(crate) breakers: bool,
    /// Everything that is missing.
    pub(crate) flaws: Vec<FlawView>,
}

/// Something that is missing.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = WorkshopFlaw)]
pub(crate) struct FlawView {
    /// A stable code, such as `NO_MODERATOR`.
    pub(crate) code: String,
    pub(crate) message: String,
    /// The command that fixes it.
    pub(crate) fix: String,
}

impl From<&Preflight> for PreflightView {
    fn from(health: &Preflight) -> Self {
        let flaw = |flaw: &PreflightFlaw| FlawView {
            code: flaw.code().to_string(),
            message: flaw.message().to_string(),
            fix: flaw.fix().to_string(),
        };
        let flaws: Vec<FlawView> = health.flaws.iter().map(flaw).collect();
        Self {
            mode: health.mode.word().into(),
            ok: health.is_ok(),
            error: flaws.first().map(|flaw| flaw.code.clone()),
            assistants: health.assistants,
            moderators: health.moderators,
            devils_advocates: health.advocates,
            breakers: health.breakers,
            flaws,
        }
    }
}

/// How the workshop is doing.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = WorkshopReport)]
pub(crate) struct ReportView {
    /// Issues by status, without those that the house itself opened.
    pub(crate) issues: StatusCounts,
    /// Frozen issues.
    pub(crate) frozen: Vec<IssueConcern>,
    /// Open issues that do not get anywhere.
    pub(crate) stuck: Vec<IssueConcern>,
    /// Everybody who commented or opened something.
    pub(crate) agents: Vec<AgentActivity>,
    /// Topics with issues; those that are circled come first.
    pub(crate) topics: Vec<TopicActivity>,
    /// What the house holds to be true, and what contradicts it.
    pub(crate) canon: CanonConcerns,
    /// What to do, most pressing first.
    pub(crate) recommendations: Vec<RecommendedStep>,
}

/// How canon is doing.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct CanonConcerns {
    /// Entries that hold.
    pub(crate) entries: u32,
    /// Entries whose time is up.
    pub(crate) expired: Vec<String>,
    /// Conflicts that nobody has decided.
    pub(crate) conflicts: Vec<ConflictConcern>,
    /// Proposed claims that nobody has decided.
    pub(crate) proposals: u32,
    /// Issues that are agreed and not canon yet, by number.
    pub(crate) agreed: Vec<u64>,
}

/// A text that contradicts canon.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct ConflictConcern {
    /// The issue.
    pub(crate) number: u64,
    /// The entry, such as `canon:eyes@2`.
    pub(crate) entry: String,
    #[schema(value_type = String)]
    pub(crate) who: Who,
    /// What decides it: `synod canon decide … --conflict ID`.
    pub(crate) id: String,
}

impl From<ReportedCanon> for CanonConcerns {
    fn from(canon: ReportedCanon) -> Self {
        let conflict = |ReportedConflict { number, entry, who, id }: ReportedConflict| ConflictConcern {
            number,
            entry,
            who,
            id,
        };
        Self {
            entries: canon.entries,
            expired: canon.expired,
            conflicts: canon.conflicts.into_iter().map(conflict).collect(),
            proposals: canon.proposals,
            agreed: canon.agreed,
        }
    }
}

/// Issues by status.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[schema(as = IssueStatusCounts)]
pub(crate) struct StatusCounts {
    pub(crate) open: u32,
    pub(crate) frozen: u32,
    pub(crate) resolved: u32,
    pub(crate) closed: u32,
    /// Not over, and opened by the house itself; those above do not hold them.
    #[serde(default)]
    pub(crate) own: u32,
}

/// An issue that needs somebody.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct IssueConcern {
    pub(crate) number: u64,
    pub(crate) title: String,
    /// Why it is here.
    pub(crate) why: String,
}

/// What one agent did.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct AgentActivity {
    #[schema(value_type = String)]
    pub(crate) who: Who,
    /// Comments that were posted.
    pub(crate) comments: u32,
    /// Those of them with evidence.
    #[serde(default)]
    pub(crate) with_evidence: u32,
    /// The same in percent.
    pub(crate) evidence_percent: u32,
    /// Comments that were refused.
    pub(crate) refused: u32,
    /// The same of all they tried, in percent.
    pub(crate) refused_percent: u32,
    /// Issues that they froze.
    pub(crate) froze: u32,
    /// Issues that they opened.
    pub(crate) opened: u32,
    /// How many of those were applied in the work.
    pub(crate) applied: u32,
    /// How many of those were irrelevant.
    pub(crate) irrelevant: u32,
    pub(crate) credits: i64,
    /// How reliable its citations are: `none`, `bronze`, `silver` or `gold`.
    pub(crate) tier: String,
    /// How far it may go by itself: `low`, `normal` or `high`.
    pub(crate) trust: String,
    /// How closely it is watched: `normal`, `watch`, `remediation` or `flagged`.
    pub(crate) level: String,
    /// How free it is to take part: `limited` or `read-only`. Left out where nobody limited it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) freedom: Option<String>,
    /// A placeholder of a rehearsal: nothing of this says anything about anybody.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) rehearsal: bool,
}

/// What happened under one tag.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct TopicActivity {
    pub(crate) tag: String,
    pub(crate) issues: u32,
    /// How often somebody worked on one of them.
    pub(crate) accesses: u32,
    /// How often one of them was applied.
    pub(crate) applied: u32,
    /// Whether it is worked on again and again with little result.
    pub(crate) circled: bool,
    /// Why agents may open nothing under it for now, where it is frozen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) frozen: Option<String>,
}

/// Something to do.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct RecommendedStep {
    pub(crate) why: String,
    /// What to type.
    pub(crate) command: String,
}

impl From<WorkshopReport> for ReportView {
    fn from(report: WorkshopReport) -> Self {
        let counts = report.issues;
        let issue = |ReportedIssue { number, title, why }: ReportedIssue| IssueConcern { number, title, why };
        let topic = |ReportedTopic { tag, issues, accesses, applied, circled, frozen }: ReportedTopic| {
            TopicActivity { tag, issues, accesses, applied, circled, frozen }
        };
        let advice = |ReportAdvice { why, command }: ReportAdvice| RecommendedStep { why, command };
        Self {
            issues: StatusCounts {
                open: counts.open,
                frozen: counts.frozen,
                resolved: counts.resolved,
                closed: counts.closed,
                own: counts.own,
            },
            frozen: report.frozen.into_iter().map(issue).collect(),
            stuck: report.stuck.into_iter().map(issue).collect(),
            agents: report.agents.into_iter().map(Into::into).collect(),
            topics: report.topics.into_iter().map(topic).collect(),
            canon: report.canon.into(),
            recommendations: report.recommendations.into_iter().map(advice).collect(),
        }
    }
}

impl From<ReportedAgent> for AgentActivity {
    fn from(agent: ReportedAgent) -> Self {
        Self {
            who: agent.who,
            comments: agent.comments,
            with_evidence: agent.with_evidence,
            evidence_percent: agent.evidence_percent,
            refused: agent.refused,
            refused_percent: agent.refused_percent,
            froze: agent.froze,
            opened: agent.opened,
            applied: agent.applied,
            irrelevant: agent.irrelevant,
            credits: agent.credits,
            tier: agent.tier.into(),
            trust: agent.trust.into(),
            level: agent.level.into(),
            freedom: (agent.freedom != Freedom::Full).then(|| agent.freedom.word().into()),
            rehearsal: agent.rehearsal,
        }
    }
}

/// Invite a seat that the service performs to comment on an issue.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Invitation)]
pub(crate) struct InvitationBody {
    /// The seat: its name if the house knows it, else also what answers for it.
    pub(crate) seat: SeatWanted,
}

/// Check one citation of a file.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CitationCheck)]
pub(crate) struct CitationBody {
    /// The file below the project folder, with lines if you like: `plan.md`, `plan.md:10` or `plan.md:10-14`.
    pub(crate) file: String,
    /// The words that are said to stand there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) quote: Option<String>,
}

/// What a check of a citation found. The text of the file is not shown.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = CheckedCitation)]
pub(crate) struct CitationView {
    /// What was checked.
    pub(crate) file: String,
    /// `unverified`, `exists`, `verified` or `precise`.
    pub(crate) grade: String,
    pub(crate) verified: bool,
    /// Whether such a citation can earn credit.
    pub(crate) earns: bool,
    /// How much of the quote agrees, as a fraction; participants see it only where all of it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) similarity: Option<String>,
    /// Where the words stand, if not in the lines that were cited: cite this instead.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) elsewhere: Option<String>,
    /// Why it is not verified, as a stable code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) message: Option<String>,
}

impl CitationView {
    pub(crate) fn of(cited: &FileReference, found: &FileFinding) -> Self {
        let path = cited.clean_path().unwrap_or_default();
        let elsewhere = found
            .elsewhere
            .as_ref()
            .map(|quote| Passage { lines: Some((quote.first_line, quote.last_line)), path }.to_string());
        Self {
            file: FileReference { quote: None, ..cited.clone() }.to_string(),
            grade: found.grade().word().into(),
            verified: found.grade().is_verified(),
            earns: found.grade().earns(),
            // Of words that are not there nothing is said but that: the text of a file is not guessed by asking.
            similarity: found
                .quote
                .as_ref()
                .filter(|_| found.grade().is_verified())
                .map(|quote| quote.similarity().to_string()),
            elsewhere,
            code: found.problem.map(|problem| Unverified::code(problem).to_string()),
            message: found.problem.map(|problem| problem.words(found.line_count)),
        }
    }
}
