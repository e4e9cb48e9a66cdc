//! What a general view says of an issue: what it says, what was cited, how it was resolved, what became of it, and who objected to the
//! end. Nobody votes there, so all of it follows from the thread.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use serde::Serialize;

use super::{Dissent, Report};
use crate::evidence::EvidenceGrade;
use crate::house::{Case, Item, Reader};
use crate::issue::IssueStatus;
use crate::kernel::{At, Choice, CommentKind, Contribution, Decision, Id, Impact, MatterId, Who};

/// What an issue says and what became of it, besides how it ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IssueFacts {
    /// What it says.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub body: Arc<str>,
    /// How much it would change, as it was opened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impact: Option<Impact>,
    /// The issue it went into.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub into: Option<MatterId>,
    /// Whether it was marked as applied in the work.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub applied: bool,
    /// Whether it was marked as irrelevant.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub irrelevant: bool,
    /// What its comments cite, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub evidence: Vec<CommentEvidence>,
    /// Where it stands by the record, and until when it rests.
    #[serde(skip)]
    recorded: (IssueStatus, Option<At>),
}

/// A reference of a comment, and what was found of it when it was posted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CommentEvidence {
    /// Who cited it.
    pub who: Who,
    /// The comment.
    pub comment: Id,
    /// What was cited.
    pub reference: String,
    /// `not verified`, `exists`, `verified` or `precise`; none of what nobody can look up, such as a gap.
    pub grade: Option<&'static str>,
}

impl IssueFacts {
    /// What a reader may know of an issue; none of other matters.
    pub(super) fn of(case: &Case, reader: Reader<'_>) -> Option<Self> {
        let issue = case.issue()?;
        let seen = case.comments().filter(|(said, _)| case.may_see(reader, Item::Contribution(&said.said)));
        let evidence = seen.flat_map(|(said, heard)| {
            let graded = case.graded_evidence(heard.comment);
            graded.into_iter().map(|(reference, grade)| CommentEvidence {
                who: heard.who.clone(),
                comment: said.id,
                reference: reference.to_string(),
                grade: grade.map(EvidenceGrade::word),
            })
        });
        Some(Self {
            body: issue.body.clone(),
            impact: issue.impact,
            into: issue.into,
            applied: issue.applied,
            irrelevant: issue.irrelevant,
            evidence: evidence.collect(),
            recorded: (issue.status(), issue.freeze.as_ref().map(|freeze| freeze.until)),
        })
    }

    /// Where it stands at a moment.
    pub(super) fn stands(&self, at: At) -> IssueStatus {
        let (status, until) = self.recorded;
        status.at(until, at)
    }

    /// What whoever oversees it said came of it, in a word.
    pub fn mark(&self) -> Option<&'static str> {
        match (self.applied, self.irrelevant) {
            (true, _) => Some("applied"),
            (false, true) => Some("irrelevant"),
            (false, false) => None,
        }
    }
}

/// How an issue was resolved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Resolution {
    /// By whom.
    pub who: Who,
    /// In which words.
    pub text: String,
    /// Whoever oversees issues decided it, whatever the thread had come to.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub forced: bool,
    /// The reason given for that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
}

/// The placeholders of a rehearsal that wrote in an issue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RehearsedComments {
    /// How many of its comments are theirs.
    pub comments: u32,
    /// How many it has.
    pub of: u32,
    /// Their names, in order.
    pub who: Vec<Who>,
}

/// Which comments of an issue nobody meant, if there are any.
pub(super) fn rehearsed(case: &Case) -> Option<RehearsedComments> {
    let own = case.comments().filter(|(_, heard)| heard.comment.rehearsed);
    let own: Vec<&Who> = own.map(|(_, heard)| heard.who).collect();
    let (comments, of) = (own.len() as u32, case.comments().count() as u32);
    let who: BTreeSet<&Who> = own.into_iter().collect();
    (comments > 0).then(|| RehearsedComments { comments, of, who: who.into_iter().cloned().collect() })
}

/// What a caveat says around the name of whoever forced a resolution.
const FORCED: &str = "forced by ";
const WHATEVER: &str = ", whatever the thread had come to";

/// Who forced a resolution, if one of the caveats of a receipt says so.
pub fn forced_by(caveats: &[String]) -> Option<&str> {
    caveats.iter().find_map(|caveat| caveat.strip_prefix(FORCED)?.strip_suffix(WHATEVER))
}

/// What degrades an issue: comments that nobody meant, and a resolution that its thread had not come to.
pub(super) fn caveats(report: &Report) -> Vec<String> {
    let rehearsed = report.rehearsed.as_ref().map(|found| match found.comments == found.of {
        true => "rehearsal only, nobody reasoned".to_string(),
        false => {
            let names = found.who.iter().map(Who::as_str).collect::<Vec<_>>().join(", ");
            format!("{} of {} comments are of a rehearsal ({names})", found.comments, found.of)
        }
    });
    let forced = report.resolution.as_ref().filter(|resolution| resolution.forced);
    let forced = forced.map(|it| format!("{FORCED}{}{WHATEVER}", it.who));
    rehearsed.into_iter().chain(forced).collect()
}

/// How an issue was resolved, if it was.
pub(super) fn resolution(case: &Case, decision: Option<Decision>) -> Option<Resolution> {
    let by = case.issue()?.resolved_by.filter(|_| decision == Some(Decision::Resolved))?;
    let said = case.said.iter().find(|said| said.id == by)?;
    let forced = said.forces_resolution();
    let because = said.response.reasoning.clone().filter(|_| forced);
    Some(Resolution { who: said.who.clone(), text: said.text().to_string(), forced, because })
}

/// Those whose last word on a resolved issue was an objection, in the order in which they wrote it. One that was closed has no result, so
/// it went against everybody who took a side. What somebody was ordered to say is not their opinion, and a placeholder has none.
pub(super) fn objections(case: &Case, decision: Option<Decision>) -> Vec<Dissent> {
    let Some(decision) = decision else { return Vec::new() };
    let against = |stance: Choice| match (decision, stance) {
        (_, Choice::Neutral) => false,
        (Decision::Resolved, stance) => stance == Choice::No,
        (_, _) => true,
    };
    let mut last: BTreeMap<&Who, (usize, Choice, &Contribution)> = BTreeMap::new();
    for (at, (said, heard)) in case.comments().enumerate() {
        let free = !heard.comment.rehearsed && (heard.comment.order.is_none() || heard.comment.blind);
        if let Some(stance) = heard.stance.filter(|_| free && heard.comment.kind == CommentKind::Comment) {
            last.insert(heard.who, (at, stance, &said.said));
        }
    }
    let mut rows: Vec<_> = last.into_values().filter(|(_, stance, _)| against(*stance)).collect();
    rows.sort_by_key(|(at, ..)| *at);
    let row = |(_, stance, said): (usize, Choice, &Contribution)| Dissent {
        who: said.who.clone(),
        choice: Some(stance),
        marks: None,
        grade: None,
        proposal: None,
        reason: Some(said.text().to_string()),
        change_if: None,
        conditions: Vec::new(),
        changes: Vec::new(),
        veto: false,
        confidence: None,
    };
    rows.into_iter().map(row).collect()
}
