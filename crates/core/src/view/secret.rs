//! What is shown of votes that are not open: that they were cast, their seals and their counts.

use serde::Serialize;

use super::Report;
use crate::house::{Ballot, Case, Item, Reader};
use crate::kernel::{Digest, Who};

/// What stands for a vote that is not open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SealedVote {
    /// Its seal.
    pub seal: Digest,
    /// Who voted.
    pub who: Who,
}

/// The seals of a ballot, in the order of seats.
pub(super) fn sealed(case: &Case, ballot: &Ballot) -> Vec<SealedVote> {
    let votes = ballot.votes.iter().map(|vote| (&vote.who, vote.seal));
    let passed = ballot.delegations.iter().map(|passed| (&passed.who, passed.seal));
    let graded = ballot.graded.iter().map(|vote| (&vote.who, vote.seal));
    let row = |(who, seal): (&Who, Option<Digest>)| Some(SealedVote { seal: seal?, who: who.clone() });
    let mut rows: Vec<SealedVote> = votes.chain(passed).chain(graded).filter_map(row).collect();
    rows.sort_by_key(|row| super::place(case, &row.who));
    rows
}

/// Takes out of a report how somebody voted where the reader may not see it. A veto may be seen: it is an act of office.
pub(super) fn hide(case: &Case, reader: Reader<'_>, report: &mut Report) {
    for (ballot, shown) in case.ballots.iter().zip(&mut report.ballots).filter(|(_, shown)| shown.hidden) {
        let may_see = |who: &Who| case.may_see(reader, Item::Vote { ballot, of: who });
        shown.votes.retain(|vote| may_see(&vote.who));
        shown.graded.retain(|vote| may_see(&vote.who));
        shown.delegations.retain(|passed| may_see(&passed.who));
        if shown.hides_margin() {
            (shown.margin, shown.margin_bound) = (None, false);
        }
        if let Some(count) = &mut shown.count {
            count.carried.iter_mut().for_each(|row| row.weight = None);
            count.carried.retain(|row| !row.of.is_empty());
        }
    }
    if let Some(ballot) = case.ballots.last() {
        report.dissent.retain(|row| case.may_see(reader, Item::Vote { ballot, of: &row.who }));
        report.reservations.retain(|row| case.may_see(reader, Item::Vote { ballot, of: &row.who }));
        if !case.may_see(reader, Item::Votes(ballot)) {
            report.confidence = None;
        }
    }
}
