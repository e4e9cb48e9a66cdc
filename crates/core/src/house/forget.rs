//! What a case forgets when its words are redacted.

use std::sync::Arc;

use super::case::{Ballot, Case, Lapse};
use crate::kernel::{Id, Seq, Words, words};

words!(struct Lapse { cause | ask, who, task });
words!(struct Ballot {
    votes, delegations, graded
        | id, stage, rule, seats, trust, unparsed, result, settles, count, standings, tied
});
words!(struct Case {
    opening, said, lapses, ballots, calls, absent, dossier, halt, state, as_settled
        | id, number, acts, opened, last, rested_ms, resting_since, charter, meter, settled_by, names, stage_exits, learned, redacted_by,
        status, asks, round, round_closed, called, strikes
});

impl Case {
    /// Forgets the words of the matter, so that it is the same whether it was folded from whole acts or from
    /// redacted ones.
    pub(super) fn forget(&mut self, by: Seq) {
        self.redact();
        self.forgotten(by);
    }

    /// Notes that the words are gone, here and in what is kept from when it was settled.
    fn forgotten(&mut self, by: Seq) {
        self.redacted_by = Some(by);
        self.restate();
        // What was hidden follows from the question, which is gone; nobody is told anything any more.
        Arc::make_mut(&mut self.names).unmask();
        self.state.forget();
        if let Some(case) = &mut self.as_settled {
            Arc::make_mut(case).forgotten(by);
        }
    }

    /// Forgets the words of another matter that it has through branching: what was said up to a round, and
    /// what came before the branch began.
    pub(super) fn forget_shared(&mut self, last: u32, begun: Id) {
        self.said.iter_mut().filter(|spoken| spoken.round <= last).for_each(Words::redact);
        for ballot in self.ballots.iter_mut().filter(|ballot| ballot.id.0 < begun).map(Arc::make_mut) {
            ballot.votes.redact();
            ballot.delegations.redact();
        }
        self.restate();
        Arc::make_mut(&mut self.dossier).forget_before(begun);
        self.state.forget_shared(last);
        if let Some(case) = &mut self.as_settled {
            Arc::make_mut(case).forget_shared(last, begun);
        }
    }

    /// Takes the words of votes that are statements from the statements again.
    fn restate(&mut self) {
        for ballot in self.ballots.iter_mut().map(Arc::make_mut) {
            for vote in ballot.votes.iter_mut().filter(|vote| vote.stated.is_some()) {
                if let Some(said) = self.said.iter().find(|said| Some(said.id) == vote.stated) {
                    *vote = Arc::new((**vote).clone().in_the_words_of(&said.response));
                }
            }
        }
    }
}
