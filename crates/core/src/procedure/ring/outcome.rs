//! What turned out to be true of a proposal.

use super::state::parts;
use crate::house::Case;
use crate::kernel::{Decision, ProposalId};
use crate::track::{Truth, Verdict};

/// What was true, as far as it can have been; `None` if nothing was committed or proposed that it could be of.
pub(crate) fn truth(case: &Case, decision: Decision, verdict: Verdict) -> Option<Truth> {
    let committed = case.committed(decision);
    let (id, right) = match verdict {
        Verdict::Right => (committed?, true),
        Verdict::Wrong => (committed?, false),
        Verdict::Proposal(id) => (id, true),
        Verdict::Answer(_) | Verdict::Number(_) => return None,
    };
    parts(case).1.table.proposal(id).map(|_| Truth::Proposal { id, right })
}

impl Case {
    /// The proposal a ring committed to.
    pub fn committed(&self, decision: Decision) -> Option<ProposalId> {
        let Decision::Passed { option: Some(place) } = decision else { return None };
        self.ring()?.1.table.proposals.get(usize::from(place)).map(|proposal| proposal.id)
    }
}
