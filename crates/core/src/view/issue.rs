//! What a general view says of an issue: how it was resolved, and who objected to the end. Nobody votes there, so both follow from
//! the thread.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::{Dissent, Report};
use crate::house::Case;
use crate::kernel::{Choice, CommentKind, Contribution, Decision, Who};

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

/// Those whose last word on a resolved issue was an objection, in the order in which they wrote it. What somebody was ordered to say is
/// not their opinion, and a placeholder has none.
pub(super) fn objections(case: &Case, decision: Option<Decision>) -> Vec<Dissent> {
    if decision != Some(Decision::Resolved) {
        return Vec::new();
    }
    let mut last: BTreeMap<&Who, (usize, Choice, &Contribution)> = BTreeMap::new();
    for (at, (said, heard)) in case.comments().enumerate() {
        let free = !heard.comment.rehearsed && (heard.comment.order.is_none() || heard.comment.blind);
        if let Some(stance) = heard.stance.filter(|_| free && heard.comment.kind == CommentKind::Comment) {
            last.insert(heard.who, (at, stance, &said.said));
        }
    }
    let mut rows: Vec<_> = last.into_values().filter(|(_, stance, _)| *stance == Choice::No).collect();
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
