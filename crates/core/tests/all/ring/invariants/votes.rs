//! Votes are at most as many as members, one counted for each voter and proposal, and every seat is counted once.

use std::collections::BTreeSet;

use super::{Invariant, Step};

pub(super) struct OneVoteEach;

impl Invariant for OneVoteEach {
    fn holds(&mut self, step: &Step<'_>) {
        if !step.changed() {
            return;
        }
        let seed = step.seed;
        for case in step.house.cases() {
            let members: BTreeSet<_> =
                case.ring().unwrap().1.members.iter().map(|member| &member.who).collect();
            for ballot in &case.ballots {
                assert!(ballot.seats.len() <= members.len(), "seed {seed}: more seats than members");
                for proposal in &case.ring().unwrap().1.table.proposals {
                    let counted: Vec<_> = ballot.last_grades(proposal.id).map(|vote| &vote.who).collect();
                    let voters: BTreeSet<_> = counted.iter().copied().collect();
                    assert_eq!(counted.len(), voters.len(), "seed {seed}: one vote per voter and proposal");
                    assert!(voters.is_subset(&members), "seed {seed}: an outsider voted");
                    assert!(voters.len() <= ballot.seats.len(), "seed {seed}: more votes than seats");
                    let first = ballot.graded.iter().filter(|vote| vote.proposal == proposal.id);
                    let cast = first.count();
                    assert!(cast == counted.len() || ballot.rule.change, "seed {seed}: a vote was changed");
                }
                for standing in &ballot.standings {
                    let tally = &standing.tally;
                    let all = tally.yes + tally.no + tally.neutral + tally.unparsed + tally.missing;
                    assert_eq!(all, tally.seats, "seed {seed}: every seat is counted once");
                    assert_eq!(standing.grades.iter().sum::<u32>() + tally.missing, tally.seats);
                    assert!(tally.present <= tally.seats, "seed {seed}: more present than seats");
                    assert!(
                        tally.present + tally.missing >= tally.seats,
                        "seed {seed}: who voted was present"
                    );
                }
            }
        }
    }
}
