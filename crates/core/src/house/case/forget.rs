//! What a case keeps of itself once it is over, and what it forgets when its words are redacted.

use std::sync::Arc;

use super::{Ballot, Case, Lapse};
use crate::kernel::{Id, Seq};
use crate::redact;

impl Case {
    /// The matter as the act left it that settled it, whatever happened to it since; as it is while it is open.
    /// Of its words it knows no more than the matter itself does.
    pub fn as_settled(&self) -> &Self {
        self.as_settled.as_deref().unwrap_or(self)
    }

    /// Keeps the case as it was settled, before a later act changes it.
    pub(super) fn keep_as_settled(&mut self, next: Id) {
        if self.as_settled.is_none() && self.settled_by.is_some_and(|by| by < next.act) {
            self.as_settled = Some(Box::new(self.clone()));
        }
    }

    /// Forgets the words of the matter, so that it is the same whether it was folded from whole acts or from
    /// redacted ones. Every field is named: a new one does not build until somebody has said whether it holds
    /// words.
    pub(super) fn forget(&mut self, by: Seq) {
        let Self {
            id: _,
            opened: _,
            last: _,
            opening,
            charter: _,
            forms: _,
            meter: _,
            said,
            lapses,
            ballots,
            calls,
            absent,
            table,
            gone,
            members: _,
            skips: _,
            put: _,
            settled_by: _,
            redacted_by,
            as_settled,
            dossier,
            names,
            analyses,
            opinions,
            mended,
            left: _,
            lent: _,
            status: _,
            stepwise: _,
            entered: _,
            round_closed: _,
            panel: _,
            asks: _,
            stage: _,
            round: _,
            rounds_in_stage: _,
            called: _,
            strikes: _,
            learned: _,
        } = self;
        *redacted_by = Some(by);
        redact::opening(Arc::make_mut(opening));
        said.iter_mut().for_each(|said| redact::contribution(Arc::make_mut(said)));
        for lapse in lapses {
            let Lapse { ask: _, who: _, task: _, cause } = Arc::make_mut(lapse);
            redact::cause(cause);
        }
        for ballot in ballots {
            let Ballot {
                id: _,
                stage: _,
                rule: _,
                trust: _,
                seats: _,
                votes,
                delegations,
                unparsed: _,
                result: _,
                count: _,
                graded,
                standings: _,
                tied: _,
            } = ballot;
            graded.iter_mut().for_each(|vote| redact::graded(Arc::make_mut(vote)));
            votes.iter_mut().for_each(|vote| redact::vote(Arc::make_mut(vote)));
            delegations.iter_mut().for_each(|passed| redact::delegation(Arc::make_mut(passed)));
        }
        calls.values_mut().for_each(|(_, call)| redact::call(Arc::make_mut(call)));
        absent.values_mut().chain(gone.values_mut()).for_each(redact::cause);
        redact::table(table);
        table.reindex();
        dossier.forget();
        // What was hidden follows from the question, which is gone; nobody is told anything any more.
        Arc::make_mut(names).unmask();
        analyses.values_mut().for_each(|found| redact::analysis(Arc::make_mut(found)));
        opinions.iter_mut().for_each(|(.., said)| redact::opinion(Arc::make_mut(said)));
        mended.iter_mut().for_each(|(.., repairs)| redact::repairs(repairs));
        if let Some(case) = as_settled {
            case.forget(by);
        }
    }

    /// Forgets the words of another matter that it has through branching: what was said up to a round, and
    /// what came before the branch began.
    pub(in crate::house) fn forget_shared(&mut self, last: u32, begun: Id) {
        let shared = |round: u32| round <= last;
        for said in self.said.iter_mut().filter(|said| shared(said.round)) {
            redact::contribution(Arc::make_mut(said));
        }
        for ballot in self.ballots.iter_mut().filter(|ballot| ballot.id.0 < begun) {
            ballot.votes.iter_mut().for_each(|vote| redact::vote(Arc::make_mut(vote)));
            ballot.delegations.iter_mut().for_each(|passed| redact::delegation(Arc::make_mut(passed)));
        }
        self.dossier.forget_before(begun);
        self.analyses.range_mut(..=last).for_each(|(_, found)| redact::analysis(Arc::make_mut(found)));
        let opinions = self.opinions.iter_mut().filter(|(round, ..)| shared(*round));
        opinions.for_each(|(.., said)| redact::opinion(Arc::make_mut(said)));
        if let Some(case) = &mut self.as_settled {
            case.forget_shared(last, begun);
        }
    }
}
