//! What people and programs are shown of issues. Derived, never stored; what may be seen is asked of the lens.

use serde::Serialize;

use super::CommentAllowance;
use crate::canon::FoundConflicts;
use crate::dissent::DissentReason;
use crate::evidence::EvidenceGrade;
use crate::gate::{self, Breach, GateVerdict};
use crate::house::{Case, House, Item, Lapse, Reader};
use crate::issue::{DocketRow, Epistemic, FadedPriority, HeardComment, IssueStatus, MetaIssue};
use crate::kernel::{
    At, Breaker, Cause, Choice, Comment, CommentAction, CommentDeed, CommentKind, Id, Impact, MatterId,
    Priority, Reference, StoredContribution, Who, text,
};
use crate::{Act, Event, ask, matter};

/// How much of a comment a report of a freeze shows, in characters.
const EXCERPT: usize = 100;

/// The four ways out of a frozen issue, each with the command for it and what it needs besides the issue.
const WAYS_OUT: [(&str, &str, &str); 4] = [
    ("let it go on, with guidance", "synod issue unfreeze", " --guidance \"…\""),
    ("have somebody object", "synod issue challenge", ""),
    ("ask the user", "synod issue escalate", " --summary \"…\""),
    ("decide it, with reasons", "synod issue force", " --decision \"…\" --because \"…\""),
];

/// The four ways out of a frozen issue: what each does, and what to type.
pub fn ways_out(number: u64) -> [(&'static str, String); 4] {
    WAYS_OUT.map(|(way, command, needs)| (way, format!("{command} {number}{needs}")))
}

/// What became of a comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommentOutcome<'a> {
    /// It stands.
    Posted {
        /// Its id.
        id: Id,
    },
    /// It was turned away.
    Refused {
        /// Every breach.
        breaches: &'a [Breach],
        /// Until when the issue rests, if it was frozen for it.
        frozen_until: Option<At>,
        /// Whether it was rejected, or the issue frozen for it.
        verdict: GateVerdict,
    },
    /// What it cites could not be read, or the thread ended before it was. It does not stand, and nobody is charged.
    Unchecked {
        /// The stable code of why.
        code: &'a str,
        /// The same in words.
        reason: &'a str,
    },
}

impl<'a> CommentOutcome<'a> {
    /// What an act came to, if it was a comment that the gate judged. Of a comment that waited for its files, ask this of the act that
    /// ended the wait: it may be somebody else's that ended the issue.
    pub fn of(act: &'a Act) -> Option<Self> {
        let frozen_until = act.events().iter().find_map(|event| match event {
            Event::Issue(crate::issue::Event::Frozen { until, .. }) => Some(*until),
            _ => None, // only one event says so
        });
        act.events().iter().enumerate().find_map(|(nth, event)| match event {
            Event::Gate(gate::Event::Posted { .. }) => {
                Some(Self::Posted { id: Id { act: act.seq, nth: nth as u16 } })
            }
            Event::Gate(gate::Event::Refused { breaches, verdict, .. }) => {
                Some(Self::Refused { breaches, frozen_until, verdict: *verdict })
            }
            Event::Ask(ask::Event::Lapsed { cause, .. }) => {
                Some(Self::Unchecked { code: &cause.code, reason: &cause.detail })
            }
            Event::Matter(matter::Event::Settled { .. }) => Some(Self::Unchecked {
                code: "workshop/over",
                reason: "the issue ended before it was checked",
            }),
            _ => None, // nothing else judges a comment
        })
    }
}

/// An issue in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IssueRow<'a> {
    /// Its number.
    pub number: u64,
    /// Its id.
    pub id: MatterId,
    /// What it is called.
    pub title: String,
    /// Where it stands.
    pub status: IssueStatus,
    /// What is left of its priority.
    pub priority: Priority,
    /// Whether it touched no file of the project for so long that it belongs to the archive.
    pub archived: bool,
    /// How far it is to be relied on.
    pub epistemic: Epistemic,
    /// What it is found by.
    pub tags: Vec<&'a str>,
    /// Who sees to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assignee: Option<&'a Who>,
    /// Who opened it.
    pub by: &'a Who,
    /// Comments.
    pub comments: u32,
    /// Of those, comments of placeholders in a rehearsal: nobody's opinion. Left out where there are none.
    #[serde(skip_serializing_if = "is_zero")]
    pub rehearsed: u32,
    /// What froze it, while it is frozen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frozen_by: Option<&'static str>,
    /// Until when it rests.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frozen_until: Option<At>,
    /// The number of the issue it went into.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub into: Option<u64>,
    /// Whether it was applied in the work.
    pub applied: bool,
    /// Whether it was marked as having nothing to do with the project.
    pub irrelevant: bool,
    /// When it was opened.
    pub opened: At,
    /// When something last happened to it.
    pub last: At,
}

fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// All issues that a reader may see, oldest first, at a moment.
pub fn issue_rows<'a>(house: &'a House, reader: Reader<'a>, at: At) -> impl Iterator<Item = IssueRow<'a>> {
    house.docket().rows().filter_map(move |(matter, row)| {
        let summary = house.summary(matter)?;
        if !summary.may_be_seen_by(reader) {
            return None;
        }
        let adopted = house.charter(&summary.digest);
        let fade = adopted.and_then(|adopted| adopted.rules.workshop()).map(|rules| rules.fade_ms.is);
        let into = row.into.and_then(|into| house.docket().row(into)).map(|into| into.number);
        Some(IssueRow {
            into,
            last: summary.last,
            ..IssueRow::of(matter, row, summary.topic.to_string(), fade, at)
        })
    })
}

impl<'a> IssueRow<'a> {
    fn of(id: MatterId, row: &'a DocketRow, title: String, fade_ms: Option<u64>, at: At) -> Self {
        // What is over is not urgent, and what the house itself opened never touches a file.
        let fades = fade_ms.filter(|_| !row.status.is_over() && row.meta.is_none());
        let usual = FadedPriority { priority: row.priority, archived: false };
        let faded = fades.map_or(usual, |ms| FadedPriority::of(row, at, ms));
        let status = row.stands(at);
        let rests = status == IssueStatus::Frozen;
        Self {
            number: row.number,
            id,
            title,
            status,
            priority: faded.priority,
            archived: faded.archived,
            epistemic: row.epistemic,
            tags: row.tags.iter().map(|tag| tag.as_str()).collect(),
            assignee: row.assignee.as_ref(),
            by: &row.by,
            comments: row.comments,
            rehearsed: row.rehearsed,
            frozen_by: row.breaker.filter(|_| rests).map(Breaker::word),
            frozen_until: row.until.filter(|_| rests),
            into: None,
            applied: row.applied > 0,
            irrelevant: row.irrelevant,
            opened: row.opened,
            last: row.last,
        }
    }
}

/// A comment as a reader sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CommentRow<'a> {
    /// Its id.
    pub id: Id,
    /// When it was made.
    pub at: At,
    /// Who wrote it.
    pub who: &'a Who,
    /// In which capacity.
    pub class: &'static str,
    /// What it is meant as.
    pub kind: CommentKind,
    /// What it says.
    pub body: &'a str,
    /// Why, where that is said apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasoning: Option<&'a str>,
    /// `approve`, `object` or `neutral`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stance: Option<&'static str>,
    /// How much it would change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impact: Option<Impact>,
    /// What it rests on.
    #[serde(skip_serializing_if = "<[Reference]>::is_empty")]
    pub evidence: &'a [Reference],
    /// What was found of each of them when it was posted, in their order; none of what nobody can look up.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<Option<&'static str>>,
    /// How many of them were found to be true.
    pub verified: u32,
    /// What was done.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<&'a CommentAction>,
    /// It was written under an order to object: nobody's free opinion.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ordered: bool,
    /// It was written without hearing others.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub blind: bool,
    /// The user found it helpful.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub helpful: bool,
    /// A placeholder of a rehearsal wrote it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub rehearsed: bool,
    /// It resolved the issue.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub resolves: bool,
    /// It resolved the issue, which was reopened since.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub resolved_before: bool,
    /// It did so whatever the thread had come to; its reasoning is the reason given for that.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub forced: bool,
}

/// A seat that was invited to comment, and why nothing of it stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UnansweredRow<'a> {
    /// Who.
    pub who: &'a Who,
    /// Why.
    pub cause: &'a Cause,
}

/// Somebody wants the user to look at an issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EscalationRow<'a> {
    /// When.
    pub at: At,
    /// Who.
    pub by: &'a Who,
    /// What it is about.
    pub summary: &'a str,
}

/// Who asked for what is told as an escalation at a moment, and in which words: the summary that was given, or the comment that
/// escalated.
pub fn escalation_at(case: &Case, at: At) -> Option<(&Who, &str)> {
    let asked = case.issue()?.escalations.iter().find(|note| note.at == at);
    let escalated =
        case.comments().find(|(said, heard)| said.said.at == at && heard.comment.did(CommentDeed::Escalated));
    let wrote = escalated.map(|(said, heard)| (heard.who, said.said.text()));
    asked.map(|note| (&note.by, note.summary.as_str())).or(wrote)
}

/// An order in an issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OrderRow<'a> {
    /// Who.
    pub who: &'a Who,
    /// Why.
    pub reason: &'static str,
    /// Comments still to come.
    pub left: u32,
    /// Until when.
    pub until: At,
    /// Whether to read without hearing others, rather than to object.
    pub blind: bool,
}

/// Why an issue was frozen, as the moderator reads it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FrozenReport {
    /// By what.
    pub breaker: &'static str,
    /// Its last comments: who, and the beginning of what they said.
    pub recent: Vec<(String, String)>,
}

/// An issue as a reader sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IssueSheet<'a> {
    /// What lists say of it.
    #[serde(flatten)]
    pub row: IssueRow<'a>,
    /// What it says.
    pub body: &'a str,
    /// How much it would change, as it was opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impact: Option<Impact>,
    /// Numbers of issues that belong to it.
    pub related: Vec<u64>,
    /// Comments that the reader may see, in order.
    pub thread: Vec<CommentRow<'a>>,
    /// Comments that the reader may not see yet.
    pub hidden: u32,
    /// Comments that were turned away.
    pub refused: u32,
    /// Who asked the user to look at it, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub escalations: Vec<EscalationRow<'a>>,
    /// Seats that were invited and gave no answer that can be used, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unanswered: Vec<UnansweredRow<'a>>,
    /// What in it contradicts canon, decided or not, the oldest first.
    #[serde(skip)]
    pub contradictions: Vec<&'a FoundConflicts>,
    /// Orders that are open.
    pub orders: Vec<OrderRow<'a>>,
    /// Where the house itself opened it for a frozen issue: each freeze of that issue.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reports: Vec<FrozenReport>,
    /// What it asks for, where the house itself opened it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<String>,
    /// What the reader may still write here.
    #[serde(skip)]
    pub yours: Option<CommentAllowance>,
}

impl<'a> CommentRow<'a> {
    fn of(case: &'a Case, said: &'a StoredContribution, heard: HeardComment<'a>) -> Self {
        let issue = case.issue();
        let resolves = issue.is_some_and(|issue| issue.resolved_by == Some(said.id));
        Self {
            id: said.id,
            at: said.said.at,
            who: heard.who,
            class: heard.comment.class.word(),
            kind: heard.comment.kind,
            body: said.said.text(),
            reasoning: said.said.response.reasoning.as_deref(),
            stance: heard.stance.and_then(stance_word),
            impact: heard.comment.impact,
            evidence: &heard.comment.evidence,
            found: found(case, heard.comment),
            verified: heard.comment.verified,
            action: heard.comment.action.as_ref(),
            ordered: said.said.ordered.is_some(),
            blind: heard.comment.blind,
            helpful: issue.is_some_and(|issue| issue.helpful.contains(&said.id)),
            rehearsed: heard.comment.rehearsed,
            resolves,
            resolved_before: heard.comment.did(CommentDeed::Resolved) && !resolves,
            forced: said.said.forces_resolution(),
        }
    }
}

impl<'a> IssueSheet<'a> {
    /// An issue as a reader sees it at a moment; `None` if it is none, or none for this reader.
    pub fn seen_by(house: &'a House, case: &'a Case, reader: Reader<'a>, at: At) -> Option<Self> {
        let (rules, state) = case.workshop()?;
        if !case.may_see(reader, Item::Matter) {
            return None;
        }
        let issue = &state.issue;
        let row = house.docket().row(case.id)?;
        let number = |matter: MatterId| house.docket().row(matter).map(|row| row.number);
        let seen = |said: &crate::kernel::Contribution| case.may_see(reader, Item::Contribution(said));
        let (mut thread, mut hidden) = (Vec::new(), 0);
        for (said, heard) in case.comments() {
            if !seen(&said.said) {
                hidden += 1;
                continue;
            }
            thread.push(CommentRow::of(case, said, heard));
        }
        // One whose time is up is not due any more, though nothing has happened since that could record it.
        let due = state.open_orders().filter(|(_, order)| order.order.until > at);
        let orders = due.map(|(_, order)| OrderRow {
            who: &order.order.who,
            reason: order.order.reason.word(),
            left: order.left,
            until: order.order.until,
            blind: order.order.side == crate::dissent::DissentSide::Blind,
        });
        Some(Self {
            row: IssueRow {
                into: issue.into.and_then(number),
                // As every view of a matter has it: an order or a deletion is about the matter, and not about its place in the docket.
                last: case.last,
                ..IssueRow::of(
                    case.id,
                    row,
                    case.opening.question.topic.to_string(),
                    Some(rules.fade_ms.is),
                    at,
                )
            },
            body: &issue.body,
            impact: issue.impact,
            related: issue.related.iter().filter_map(|matter| number(*matter)).collect(),
            thread,
            hidden,
            refused: issue.refused,
            escalations: issue
                .escalations
                .iter()
                .map(|note| EscalationRow { at: note.at, by: &note.by, summary: &note.summary })
                .collect(),
            unanswered: unanswered(case, reader),
            contradictions: contradictions(house, case, reader),
            orders: orders.collect(),
            reports: reports(house, case, reader),
            task: issue.meta.as_ref().map(|meta| task(meta, challenge_reason(house, case.id, meta), number)),
            yours: match reader {
                Reader::Participant(who) => CommentAllowance::of(house, case, who, at),
                Reader::Operator | Reader::Public | Reader::Channel => None,
                Reader::Speaker { .. } | Reader::Watcher(_) => None,
            },
        })
    }
}

/// What was found of each reference of a comment.
fn found(case: &Case, comment: &Comment) -> Vec<Option<&'static str>> {
    let graded = case.graded_evidence(comment).into_iter();
    graded.map(|(_, grade)| grade.map(EvidenceGrade::word)).collect()
}

/// Seats that were invited and whose answer is missing, as a reader may know it: a participant knows their own.
fn unanswered<'a>(case: &'a Case, reader: Reader<'_>) -> Vec<UnansweredRow<'a>> {
    let shown = |lapse: &&'a Lapse| match reader {
        Reader::Operator => true,
        Reader::Participant(who) => lapse.who == *who,
        Reader::Public | Reader::Channel | Reader::Speaker { .. } | Reader::Watcher(_) => false,
    };
    let row = |lapse: &'a Lapse| UnansweredRow { who: &lapse.who, cause: &lapse.cause };
    case.lapses.iter().map(|lapse| &**lapse).filter(shown).map(row).collect()
}

/// What in an issue contradicts canon. A participant is told of what they wrote themself, as everywhere.
fn contradictions<'a>(house: &'a House, case: &Case, reader: Reader<'_>) -> Vec<&'a FoundConflicts> {
    let shown = |found: &&FoundConflicts| match reader {
        Reader::Operator => true,
        Reader::Participant(who) => found.who == *who,
        Reader::Public | Reader::Channel | Reader::Speaker { .. } | Reader::Watcher(_) => false,
    };
    house.canon().found().filter(|found| found.matter == case.id).filter(shown).collect()
}

/// A stance on an issue in the word that people use.
pub fn stance_word(stance: Choice) -> Option<&'static str> {
    match stance {
        Choice::Yes => Some("approve"),
        Choice::No => Some("object"),
        Choice::Neutral => Some("neutral"),
        Choice::Option(_) => None, // an issue has none
    }
}

/// The freezes that an issue of the house reports, the first one first.
fn reports(house: &House, case: &Case, reader: Reader<'_>) -> Vec<FrozenReport> {
    let Some(issue) = case.issue() else { return Vec::new() };
    let Some(MetaIssue::Frozen { breaker, issue: of, recent }) = &issue.meta else { return Vec::new() };
    let later = issue.reports.iter().map(|(_, breaker, recent)| (*breaker, recent));
    let target = house.case(*of);
    let shown = |ids: &Vec<Id>| {
        let said = ids.iter().filter_map(|id| target?.said.iter().find(|said| said.id == *id));
        let seen = said
            .filter(|said| target.is_some_and(|case| case.may_see(reader, Item::Contribution(&said.said))));
        let line = |words: &str| text::excerpt(&text::one_line(words), EXCERPT).into_owned();
        seen.map(|said| (said.who.to_string(), line(said.text()))).collect()
    };
    let all = std::iter::once((*breaker, recent)).chain(later);
    all.map(|(breaker, recent)| FrozenReport { breaker: breaker.word(), recent: shown(recent) }).collect()
}

/// Why somebody was told to object, as the order says that an issue assigns. An order that left memory with its issue says nothing.
fn challenge_reason(house: &House, assignment: MatterId, meta: &MetaIssue) -> Option<DissentReason> {
    let orders = &house.case(meta.issue()?)?.workshop()?.1.orders;
    let mut assigned = orders.values().filter(|order| order.order.assignment == Some(assignment));
    assigned.next().map(|order| order.order.reason)
}

/// What an issue that the house itself opened asks for.
fn task(
    meta: &MetaIssue,
    challenged: Option<DissentReason>,
    number: impl Fn(MatterId) -> Option<u64>,
) -> String {
    let named =
        |matter: MatterId| number(matter).map_or("an issue".into(), |number| format!("issue #{number}"));
    match meta {
        MetaIssue::Frozen { breaker, issue, .. } => {
            // An issue that nobody knows any more has no number; 0 is none.
            let known = ways_out(number(*issue).unwrap_or_default());
            let ways: Vec<String> = known.map(|(way, command)| format!("{way} (`{command}`)")).into();
            format!("{} was frozen by {}. Ways out: {}.", named(*issue), breaker.word(), ways.join("; "))
        }
        MetaIssue::DevilsAdvocate { comments, issue, until } => format!(
            "Challenge {}{}. Write {} there before {until}: look for hidden downsides and edge cases, for contradictions with \
             what is settled, for long-term risks and for assumptions that nobody checked. If you find none, say what you \
             checked and why it holds.",
            named(*issue),
            challenged.map(|reason| format!(": {}", reason.words())).unwrap_or_default(),
            text::counted((*comments).into(), "comment"),
        ),
        MetaIssue::Leech { accesses, applied, issues, irrelevant, tag } => format!(
            "{tag} is worked on again and again with little result: {issues} issues, {accesses} accesses, {applied} applied, \
             {irrelevant} irrelevant. Put its issues together (`synod issue consolidate`), narrow the topic, or freeze the tag \
             (`synod issue freeze-tag`)."
        ),
    }
}
