//! From the votes of a ballot to its count: who carries whose vote, what each counts for, what it comes to.

use std::collections::{BTreeMap, BTreeSet};

use crate::ballot::{
    self, CarriedVotes, Count, KnownWeights, Paper, Poll, Routes, Rules, Tally, Vote, Weights,
};
use crate::house::{Ballot, Case};
use crate::kernel::{Decision, Who};

/// A ballot as it is counted.
pub(crate) struct Polled<'a> {
    /// The papers, in the order of seats.
    pub(crate) poll: Poll,
    /// Whose they are.
    votes: Vec<&'a Vote>,
    routes: Routes,
}

/// The papers of a ballot: each seat's last vote, with the votes it carries. Unread votes stay apart.
pub(crate) fn polled<'a>(case: &Case, ballot: &'a Ballot) -> Polled<'a> {
    let rule = &ballot.rule;
    let last = |who: &Who| ballot.votes.iter().rev().find(|vote| vote.who == *who).map(|vote| &**vote);
    let votes: Vec<&Vote> = ballot.seats.iter().filter_map(last).collect();
    let voted: BTreeSet<Who> = votes.iter().map(|vote| vote.who.clone()).collect();
    let passed: BTreeMap<Who, Who> =
        ballot.delegations.iter().map(|passed| (passed.who.clone(), passed.to.clone())).collect();
    let routes = ballot::route(&voted, &passed);
    let trust = |who: &Who| ballot.trust.as_ref().map_or(1000, |trust| trust.weight(who));
    let paper = |vote: &&Vote| Paper {
        choice: vote.choice,
        marks: vote.marks.clone(),
        seats: 1 + routes.carried.get(&vote.who).map_or(0, |of| of.len() as u32),
        veto: rule.veto.contains(&vote.who),
        weight: match (rule.weights, vote.confidence) {
            (Weights::Confidence, Some(sure)) => sure.get().into(),
            (Weights::Confidence, None) => 0,
            (Weights::Reliability, _) => trust(&vote.who),
            (Weights::Equal, _) => 1000,
        },
    };
    // What was passed on to somebody unreadable would have been theirs to cast.
    let heard = voted.iter().chain(&ballot.unparsed).cloned().collect();
    let read = ballot::route(&heard, &passed);
    let would_carry = |who: &Who| 1 + read.carried.get(who).map_or(0, |of| of.len() as u32);
    // What was said after it opened belongs to later stages, also when an old ballot is counted again.
    let spoke = |who: &Who| case.said.iter().any(|said| said.who == *who && said.ask.0 < ballot.id.0);
    let took_part = |who: &Who| {
        voted.contains(who) || passed.contains_key(who) || ballot.unparsed.contains(who) || spoke(who)
    };
    let known = (rule.weights == Weights::Reliability).then(|| KnownWeights {
        present: ballot.seats.iter().filter(|who| took_part(who)).map(trust).sum(),
        seats: ballot.seats.iter().map(trust).sum(),
        unparsed: ballot.unparsed.iter().map(trust).collect(),
    });
    let poll = Poll {
        known,
        options: case.opening.question.options.len() as u8,
        papers: votes.iter().map(paper).collect(),
        present: ballot.seats.iter().filter(|who| took_part(who)).count() as u32,
        seats: ballot.seats.len() as u32,
        unparsed: ballot.unparsed.iter().map(would_carry).collect(),
        unparsed_veto: ballot.unparsed.iter().any(|who| rule.veto.contains(who)),
    };
    Polled { poll, votes, routes }
}

/// The papers of a ballot as they would be counted under another rule: what if, decided by nobody. Weights by track record are those
/// that were recorded when it opened.
pub fn recounted(case: &Case, ballot: &Ballot, rule: Rules) -> Poll {
    polled(case, &Ballot { rule, ..ballot.clone() }).poll
}

/// A ballot counted again from its votes: the tally, what it comes to, what was counted besides.
pub(crate) fn recount(case: &Case, ballot: &Ballot) -> (Tally, Decision, Option<Count>) {
    let Polled { poll, votes, routes } = polled(case, ballot);
    let rule = &ballot.rule;
    let tally = poll.tally();
    if rule.is_plain() {
        let decision = tally.decision(rule);
        return (tally, decision, None);
    }
    let weighs = !rule.weights.is_equal();
    let carried = votes.iter().zip(&poll.papers).map(|(vote, paper)| CarriedVotes {
        by: vote.who.clone(),
        of: routes.carried.get(&vote.who).cloned().unwrap_or_default(),
        weight: weighs.then_some(paper.seats * paper.weight),
    });
    let count = Count {
        blocked: poll.blocking(rule).into_iter().map(|nth| votes[nth].who.clone()).collect(),
        carried: carried.filter(|row| weighs || !row.of.is_empty()).collect(),
        lost: routes.lost,
        standing: poll.standing(rule),
        weighed: weighs.then(|| poll.weighed()),
    };
    (tally, poll.decision(rule), Some(count))
}
