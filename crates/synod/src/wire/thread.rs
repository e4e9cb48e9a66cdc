//! What is shown of issues: lines of a list, a thread, notices, and a comment that was turned away.

use serde::{Deserialize, Serialize};
use synod_core::gate::{Breach, GateVerdict};
use synod_core::issue::{Epistemic, IssueNotice, IssueStatus, NoticeKind, NoticeTo};
use synod_core::kernel::{At, CommentKind, Id, Impact, MatterId, Priority, Who, text};
use synod_core::procedure::workshop::{
    CommentAllowance, CommentOutcome, CommentRow, EscalationRow, FrozenReport, IssueRow, IssueSheet,
    OrderRow, UnansweredRow, escalation_at, missing_readers, readers_in_words, ways_out,
};
use synod_core::{Act, Event, House, ledger};
use utoipa::ToSchema;

use super::canon::FoundConflictView;

/// An issue in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = IssueRow)]
pub(crate) struct IssueLine {
    /// Its number.
    pub(crate) number: u64,
    /// Its id.
    #[schema(value_type = String)]
    pub(crate) id: MatterId,
    /// What it is called.
    pub(crate) title: String,
    /// `open`, `frozen`, `resolved` or `closed`.
    #[schema(value_type = String)]
    pub(crate) status: IssueStatus,
    /// What is left of its priority: issues that touch no file of the project fade.
    #[schema(value_type = String)]
    pub(crate) priority: Priority,
    /// It touched no file of the project for so long that lists leave it out.
    pub(crate) archived: bool,
    /// How far it is to be relied on: `draft`, `tentative`, `agreed` or `canon`.
    #[schema(value_type = String)]
    pub(crate) epistemic: Epistemic,
    pub(crate) tags: Vec<String>,
    /// Who sees to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub(crate) assignee: Option<Who>,
    /// Who opened it.
    #[schema(value_type = String)]
    pub(crate) by: Who,
    pub(crate) comments: u32,
    /// Of those, comments of placeholders in a rehearsal: nobody's opinion. Left out where there are none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) rehearsed: u32,
    /// What froze it, while it is frozen.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) frozen_by: Option<String>,
    /// Until when it rests, in Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u64>)]
    pub(crate) frozen_until: Option<At>,
    /// The number of the issue it went into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) into: Option<u64>,
    /// Whether it was applied in the work.
    #[serde(default)]
    pub(crate) applied: bool,
    /// Whether it was marked as irrelevant.
    #[serde(default)]
    pub(crate) irrelevant: bool,
    /// When it was opened, in Unix milliseconds.
    #[schema(value_type = u64)]
    pub(crate) opened: At,
    /// When something last happened to it, in Unix milliseconds.
    #[schema(value_type = u64)]
    pub(crate) last: At,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

impl From<IssueRow<'_>> for IssueLine {
    fn from(row: IssueRow<'_>) -> Self {
        Self {
            number: row.number,
            id: row.id,
            title: row.title,
            status: row.status,
            priority: row.priority,
            archived: row.archived,
            epistemic: row.epistemic,
            tags: row.tags.into_iter().map(str::to_string).collect(),
            assignee: row.assignee.cloned(),
            by: row.by.clone(),
            comments: row.comments,
            rehearsed: row.rehearsed,
            frozen_by: row.frozen_by.map(str::to_string),
            frozen_until: row.frozen_until,
            into: row.into,
            applied: row.applied,
            irrelevant: row.irrelevant,
            opened: row.opened,
            last: row.last,
        }
    }
}

/// One page of a list of issues.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct IssuePage {
    pub(crate) issues: Vec<IssueLine>,
    /// Where the next page begins; left out on the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) next: Option<u64>,
}

/// A comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Comment)]
pub(crate) struct CommentView {
    #[schema(value_type = String)]
    pub(crate) id: Id,
    /// When it was made, in Unix milliseconds.
    #[schema(value_type = u64)]
    pub(crate) at: At,
    #[schema(value_type = String)]
    pub(crate) who: Who,
    /// In which capacity: `user`, `moderator`, `agent` or `system`.
    pub(crate) class: String,
    /// `comment`, `question` or `acknowledgement`.
    #[schema(value_type = String)]
    pub(crate) kind: CommentKind,
    pub(crate) body: String,
    /// Why, where that is said apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) reasoning: Option<String>,
    /// `approve`, `object` or `neutral`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) stance: Option<String>,
    /// How much it would change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub(crate) impact: Option<Impact>,
    /// What it rests on.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) evidence: Vec<String>,
    /// What was found of each of them when it was posted, in their order: `not verified`, `exists`, `verified` or `precise`; null of what nobody
    /// can look up. Left out where nothing was cited.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) found: Vec<Option<String>>,
    /// How many of them were found to be true.
    pub(crate) verified: u32,
    /// What was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) action: Option<String>,
    /// It was written under an order to object, so it is not its author's free opinion.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) ordered: bool,
    /// Its author had not seen what others wrote.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) blind: bool,
    /// The user found it helpful.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) helpful: bool,
    /// A placeholder of a rehearsal wrote it: nobody's opinion.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) rehearsed: bool,
    /// It resolved the issue.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) resolves: bool,
    /// It resolved the issue, which was reopened since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) resolved_before: bool,
    /// It did so whatever the thread had come to; `reasoning` is the reason given for that.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) forced: bool,
}

/// A seat that was invited to comment, and why nothing of it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = UnansweredInvitation)]
pub(crate) struct UnansweredView {
    #[schema(value_type = String)]
    pub(crate) who: Who,
    /// A stable code, such as `comment/unreadable`.
    pub(crate) code: String,
    pub(crate) why: String,
}

impl From<&UnansweredRow<'_>> for UnansweredView {
    fn from(row: &UnansweredRow<'_>) -> Self {
        Self { who: row.who.clone(), code: row.cause.code.clone(), why: row.cause.detail.to_string() }
    }
}

/// Somebody asked the user to look at an issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = IssueEscalation)]
pub(crate) struct EscalationView {
    /// When, in Unix milliseconds.
    #[schema(value_type = u64)]
    pub(crate) at: At,
    #[schema(value_type = String)]
    pub(crate) by: Who,
    /// What it is about.
    pub(crate) summary: String,
}

impl From<&EscalationRow<'_>> for EscalationView {
    fn from(row: &EscalationRow<'_>) -> Self {
        Self { at: row.at, by: row.by.clone(), summary: row.summary.into() }
    }
}

impl From<&CommentRow<'_>> for CommentView {
    fn from(row: &CommentRow<'_>) -> Self {
        Self {
            id: row.id,
            at: row.at,
            who: row.who.clone(),
            class: row.class.into(),
            kind: row.kind,
            body: row.body.into(),
            reasoning: row.reasoning.map(str::to_string),
            stance: row.stance.map(str::to_string),
            impact: row.impact,
            evidence: row.evidence.iter().map(ToString::to_string).collect(),
            found: row.found.iter().map(|found| found.map(str::to_string)).collect(),
            verified: row.verified,
            action: row.action.map(|action| action.deed.word().to_string()),
            ordered: row.ordered,
            blind: row.blind,
            helpful: row.helpful,
            rehearsed: row.rehearsed,
            resolves: row.resolves,
            resolved_before: row.resolved_before,
            forced: row.forced,
        }
    }
}

/// Somebody who is asked to object in an issue, or to read it without hearing others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = IssueOrder)]
pub(crate) struct OrderView {
    #[schema(value_type = String)]
    pub(crate) who: Who,
    /// Why, such as `quick-consensus`.
    pub(crate) reason: String,
    /// Comments still to come.
    pub(crate) left: u32,
    /// Until when, in Unix milliseconds.
    #[schema(value_type = u64)]
    pub(crate) until: At,
    /// Whether to read without hearing others, rather than to object.
    pub(crate) blind: bool,
}

impl From<&OrderRow<'_>> for OrderView {
    fn from(row: &OrderRow<'_>) -> Self {
        let (who, reason) = (row.who.clone(), row.reason.into());
        Self { who, reason, left: row.left, until: row.until, blind: row.blind }
    }
}

/// A freeze, as the moderator reads of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = FreezeReport)]
pub(crate) struct FreezeView {
    /// The rule that froze it.
    pub(crate) breaker: String,
    /// Its last comments: who, and the beginning of what they said.
    pub(crate) recent: Vec<(String, String)>,
}

impl From<&FrozenReport> for FreezeView {
    fn from(report: &FrozenReport) -> Self {
        Self { breaker: report.breaker.into(), recent: report.recent.clone() }
    }
}

/// What a participant may still write on an issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = CommentAllowance)]
pub(crate) struct AllowanceView {
    /// Comments left; under an order, those that it asks for. Left out if there is no limit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) comments: Option<u32>,
    /// The fewest characters of a comment.
    pub(crate) chars_least: u32,
    /// The fewest different words of a comment.
    pub(crate) words_least: u32,
    /// From this impact on a comment needs evidence.
    #[schema(value_type = String)]
    pub(crate) evidence_from: Impact,
    /// What you have to heed because too many of your latest comments were stopped or cited something false, one sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) heeds: Vec<String>,
}

impl From<&CommentAllowance> for AllowanceView {
    fn from(allowance: &CommentAllowance) -> Self {
        Self {
            comments: allowance.comments,
            chars_least: allowance.limits.chars_least,
            words_least: allowance.limits.words_least,
            evidence_from: allowance.limits.evidence_from,
            heeds: allowance.heeds.clone(),
        }
    }
}

/// An issue with its thread.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Issue)]
pub(crate) struct IssueThread {
    #[serde(flatten)]
    pub(crate) line: IssueLine,
    /// What it says.
    pub(crate) body: String,
    /// How much it would change, as it was opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub(crate) impact: Option<Impact>,
    /// Numbers of issues that belong to it.
    pub(crate) related: Vec<u64>,
    /// The comments you may see, in order.
    pub(crate) thread: Vec<CommentView>,
    /// Comments you may not see yet.
    pub(crate) hidden: u32,
    /// Comments that were turned away.
    pub(crate) refused: u32,
    /// Whether whoever oversees issues resolved it, whatever the thread had come to. The comment that did is marked.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) forced: bool,
    /// Who asked the user to look at it, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) escalations: Vec<EscalationView>,
    /// Seats that were invited to comment and gave no answer that can be used, in order. A participant sees its own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) unanswered: Vec<UnansweredView>,
    /// What in it contradicts canon, decided or not, the oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) contradictions: Vec<FoundConflictView>,
    /// Orders that are open.
    pub(crate) orders: Vec<OrderView>,
    /// For an issue that reports on a frozen one: each freeze.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) reports: Vec<FreezeView>,
    /// What it asks for, where the house itself opened it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) task: Option<String>,
    /// What you may still write here; left out for the operator.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) yours: Option<AllowanceView>,
}

impl IssueThread {
    /// An issue as somebody sees it.
    pub(crate) fn of(house: &House, sheet: IssueSheet<'_>) -> Self {
        let contradictions = sheet.contradictions.iter();
        Self {
            forced: sheet.thread.iter().any(|row| row.resolves && row.forced),
            escalations: sheet.escalations.iter().map(Into::into).collect(),
            unanswered: sheet.unanswered.iter().map(Into::into).collect(),
            contradictions: contradictions
                .map(|found| FoundConflictView::of(house, house.now(), found))
                .collect(),
            body: sheet.body.into(),
            impact: sheet.impact,
            related: sheet.related,
            thread: sheet.thread.iter().map(Into::into).collect(),
            hidden: sheet.hidden,
            refused: sheet.refused,
            orders: sheet.orders.iter().map(Into::into).collect(),
            reports: sheet.reports.iter().map(Into::into).collect(),
            task: sheet.task,
            yours: sheet.yours.as_ref().map(Into::into),
            line: sheet.row.into(),
        }
    }
}

/// A breach of the rules for comments.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = CommentBreach)]
pub(crate) struct BreachView {
    /// A stable code, such as `gate/insufficient-substance`.
    pub(crate) code: String,
    /// What is wrong.
    pub(crate) detail: String,
    /// What to change.
    pub(crate) fix: String,
}

/// A comment that was turned away.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct TurnedAway {
    /// The number of the act in the journal.
    pub(crate) act: u64,
    /// `reject`, or `freeze` if the issue was frozen for it.
    #[schema(value_type = String)]
    pub(crate) verdict: GateVerdict,
    /// Every rule it breaks.
    pub(crate) breaches: Vec<BreachView>,
    /// Until when the issue is frozen, in Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u64>)]
    pub(crate) frozen_until: Option<At>,
    /// What it costs its author: below zero where it costs something. Left out where it costs nothing.
    #[serde(default, skip_serializing_if = "is_nothing")]
    pub(crate) credits: i64,
}

fn is_nothing(amount: &i64) -> bool {
    *amount == 0
}

impl TurnedAway {
    /// What an act came to, if it was a comment that was turned away.
    pub(crate) fn of(act: &Act) -> Option<Self> {
        let CommentOutcome::Refused { breaches, frozen_until, verdict } = CommentOutcome::of(act)? else {
            return None;
        };
        let view = |breach: &Breach| {
            let marked = breach.violation();
            BreachView { code: marked.code.to_string(), detail: marked.detail.to_string(), fix: breach.fix() }
        };
        let breaches = breaches.iter().map(view).collect();
        let posted = act.events().iter().filter_map(|event| match event {
            Event::Ledger(ledger::Event::Posted(posting)) => Some(posting.amount),
            _ => None, // nothing else changes a balance
        });
        Some(Self { act: act.seq.0, verdict, breaches, frozen_until, credits: posted.sum() })
    }

    /// The code of the first breach.
    pub(crate) fn code(&self) -> &str {
        self.breaches.first().map_or("gate/refused", |breach| &breach.code)
    }

    /// All of it in words.
    pub(crate) fn message(&self) -> String {
        let mut lines = vec!["the comment was refused:".to_string()];
        for breach in &self.breaches {
            lines.push(format!("  {}\n    {}", breach.detail, breach.fix));
        }
        if let Some(until) = self.frozen_until {
            lines.push(format!("the issue is frozen until {until}; a moderator looks at it"));
        }
        if self.credits < 0 {
            let credits = text::counted(self.credits.unsigned_abs(), "credit");
            lines.push(format!("it costs {credits}, as the ledger shows"));
        }
        lines.join("\n")
    }
}

/// A notice to the user or to a moderator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = IssueNotice)]
pub(crate) struct NoticeView {
    /// When, in Unix milliseconds.
    #[schema(value_type = u64)]
    pub(crate) at: At,
    /// The number of the issue.
    pub(crate) issue: u64,
    /// What it is called.
    pub(crate) title: String,
    /// `user` or `moderator`.
    #[schema(value_type = String)]
    pub(crate) to: NoticeTo,
    /// `frozen`, `escalated`, `no-devils-advocate`, `no-blind-reader`, `leech`, `agent-watched`, `agent-flagged` or
    /// `canon-conflict`.
    pub(crate) what: String,
    /// It in one sentence.
    pub(crate) words: String,
    /// Who asked for it, of an escalation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub(crate) by: Option<Who>,
    /// What they say it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) summary: Option<String>,
    /// What to type.
    pub(crate) next: Vec<String>,
}

/// Notices, newest first.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct NoticePage {
    pub(crate) notices: Vec<NoticeView>,
}

impl NoticeView {
    /// A notice, with what can be done about it; none of an issue that the house does not know.
    pub(crate) fn of(house: &House, notice: &IssueNotice) -> Option<Self> {
        let row = house.docket().row(notice.matter)?;
        let title = house.summary(notice.matter)?.topic.to_string();
        let number = row.number;
        let show = format!("synod issue show {number}");
        // Words of an issue that left memory are in its thread.
        let asked = house.case(notice.matter).and_then(|case| escalation_at(case, notice.at));
        let asked = asked.filter(|_| notice.what == NoticeKind::Escalated);
        let (what, words, next) = match &notice.what {
            NoticeKind::Frozen { breaker } => {
                let ways = ways_out(number).map(|(_, command)| command);
                let words = format!("issue #{number} was frozen by {}", breaker.word());
                ("frozen", words, std::iter::once(show).chain(ways).collect())
            }
            NoticeKind::Escalated => ("escalated", escalated(&asked, number), vec![show]),
            NoticeKind::NoDevilsAdvocate => (
                "no-devils-advocate",
                format!("nobody is available to object in issue #{number}"),
                vec!["synod agents appoint NAME --devils-advocate".into(), show],
            ),
            NoticeKind::NoBlindReader => (
                "no-blind-reader",
                lacking(house, number),
                missing_readers(house)
                    .iter()
                    .map(|role| format!("synod agents appoint NAME --role {}", role.word()))
                    .chain([show])
                    .collect(),
            ),
            NoticeKind::Leech => {
                ("leech", format!("a topic is circled with little result (issue #{number})"), vec![show])
            }
            NoticeKind::AgentWatched { who } => (
                "agent-watched",
                format!("{who} is watched: too much of what it does costs something"),
                vec![format!("synod ledger {who}"), show],
            ),
            NoticeKind::AgentFlagged { who } => (
                "agent-flagged",
                format!(
                    "{who} is flagged: too many of its last actions cost something; somebody should look at it"
                ),
                vec![format!("synod ledger {who}"), format!("synod issue freedom {who} limited"), show],
            ),
            NoticeKind::CanonConflict => (
                "canon-conflict",
                format!("something in issue #{number} contradicts canon"),
                vec!["synod canon conflicts".into(), show],
            ),
        };
        let (by, summary) = asked.map(|(who, said)| (who.clone(), said.to_string())).unzip();
        Some(Self {
            at: notice.at,
            issue: number,
            title,
            to: notice.to,
            what: what.into(),
            words,
            by,
            summary,
            next,
        })
    }
}

/// A large change that nobody can read blind.
fn lacking(house: &House, number: u64) -> String {
    match missing_readers(house).as_slice() {
        // It did when it was said; `--all` shows what is history.
        [] => format!("issue #{number} is a large change and lacked a reviewer"),
        roles => format!("issue #{number} is a large change and lacks {}", readers_in_words(roles)),
    }
}

/// So much of the summary of an escalation stands in its notice, in characters.
const SUMMARY_SHOWN: usize = 300;

/// Who wants an issue looked at, and why.
fn escalated(asked: &Option<(&Who, &str)>, number: u64) -> String {
    match asked {
        Some((who, said)) => {
            let said = text::one_line(said);
            format!("{who} wants you to look at issue #{number}: {}", text::excerpt(&said, SUMMARY_SHOWN))
        }
        None => format!("somebody wants you to look at issue #{number}"),
    }
}
