//! What is meant for one seat: what others said to it that the history only digests, and, where the crux is debated, the
//! proposal of another that speaks to its own condition. Neither is ever cut, whatever the budget.

use std::cell::OnceCell;
use std::fmt::Write as _;

use super::items::{at_once, hiding};
use super::seen::VisibleExtent;
use super::{LastBrief, OfMatter};
use crate::brief::{ChangeCondition, Sought, Worded, addressed_to};
use crate::house::Case;
use crate::kernel::{Contribution, Who, text};

/// Parts of the names of sections in which something is granted to others.
const CONCESSION: &str = "conce";

impl OfMatter {
    /// What is put to a seat besides what all are told: what is addressed to it, and what is offered to it.
    pub(super) fn meant_for(&mut self, case: &Case, seen: VisibleExtent, who: &Who) -> (String, String) {
        if seen.voting {
            return Default::default();
        }
        (self.addressed(case, seen, who), self.offered(case, seen, who).unwrap_or_default())
    }

    fn addressed(&mut self, case: &Case, seen: VisibleExtent, who: &Who) -> String {
        let Some(told) = self.told.get_mut(&seen.audience()) else { return String::new() };
        let LastBrief { history, concerning, .. } = told;
        let sought = Sought::new(case.names.label(who));
        // Looked for only where somebody names the seat.
        let last = OnceCell::new();
        let own_last = || case.said.iter().rev().find(|said| said.who == *who && said.round < seen.round);
        let mut out = String::new();
        hiding(case, |hide| {
            let may_concern = |worded: &Worded| concedes(worded.said()) || sought.may_be_in(worded, hide);
            let concerning = concerning
                .entry(sought.first_word())
                .or_insert_with(|| history.digested().map(may_concern).collect());
            let concerning = history.digested().zip(concerning).filter(|(_, concerns)| **concerns);
            for (worded, _) in concerning {
                let said = worded.said();
                if said.who == *who {
                    conceded(&mut out, said);
                } else if last.get_or_init(own_last).is_none_or(|last| is_unanswered(case, said, last)) {
                    let author = case.names.label(&said.who);
                    for sentence in addressed_to(&sought, worded, hide) {
                        let _ = writeln!(out, "| {author}: {sentence}");
                    }
                }
            }
        });
        out
    }

    /// Another's proposal that speaks to what this seat said would change its vote.
    fn offered(&self, case: &Case, seen: VisibleExtent, who: &Who) -> Option<String> {
        case.speaking().filter(|speak| speak.crux)?;
        let vote = case.last_vote_of(who, seen.reader())?;
        let said = vote.change_if.as_deref()?;
        let condition = ChangeCondition::new(said);
        let of_others = |worded: &&std::sync::Arc<Worded>| {
            let said = worded.said();
            said.who != *who
                && said.round < seen.round
                && said.response.stance != Some(vote.choice)
                && seen.shows(case, said)
        };
        let offers = self.worded.iter().filter(of_others);
        let mut best: Option<((usize, &str), &Worded)> = None;
        for worded in offers {
            let better = condition.met_by(worded, best.map_or(0, |((most, _), _)| most));
            best = better.map(|better| (better, worded.as_ref())).or(best);
        }
        let ((_, sentence), worded) = best?;
        let author = case.names.label(&worded.said().who);
        let mut out = String::from("You said you would vote otherwise if:\n");
        text::quote_into(&mut out, &case.hidden(said));
        let _ = writeln!(out, "{author} says:");
        text::quote_into(&mut out, &case.hidden(sentence));
        out.push_str("Does that meet your condition? If not, say what is missing.\n");
        Some(out)
    }
}

/// Whether a seat could not answer a statement yet when it spoke last.
fn is_unanswered(case: &Case, said: &Contribution, last: &Contribution) -> bool {
    let unseen_then = at_once(case, said) || said.ask > last.ask;
    said.round > last.round || (said.round == last.round && unseen_then)
}

/// What a seat has granted to others stays with it.
fn conceded(out: &mut String, said: &Contribution) {
    for body in concessions(said) {
        let _ = writeln!(out, "| You conceded: {}", text::one_line(body));
    }
}

fn concedes(said: &Contribution) -> bool {
    concessions(said).next().is_some()
}

fn concessions(said: &Contribution) -> impl Iterator<Item = &str> {
    let sections = said.response.sections.iter().filter(|(key, _)| key.contains(CONCESSION));
    sections.map(|(_, body)| body.as_str())
}
