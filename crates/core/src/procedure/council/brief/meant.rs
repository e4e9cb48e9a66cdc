//! What is meant for one seat: what others said to it that the history only digests, and, where the crux is debated, the
//! proposal of another that speaks to its own condition. Neither is ever cut, whatever the budget.

use std::fmt::Write as _;

use super::OfMatter;
use super::items::{at_once, hiding};
use super::seen::VisibleExtent;
use crate::brief::{ChangeCondition, Sought, Worded, addressed_to};
use crate::house::Case;
use crate::kernel::{Contribution, Who, text};

/// Parts of the names of sections in which something is granted to others.
const CONCESSION: &str = "conce";

impl OfMatter {
    /// What is put to a seat besides what all are told: what is addressed to it, and what is offered to it.
    pub(super) fn meant_for(&self, case: &Case, seen: VisibleExtent, who: &Who) -> (String, String) {
        if seen.voting {
            return Default::default();
        }
        (self.addressed(case, seen, who), self.offered(case, seen, who).unwrap_or_default())
    }

    fn addressed(&self, case: &Case, seen: VisibleExtent, who: &Who) -> String {
        let Some(told) = self.told.get(&seen.audience()) else { return String::new() };
        let sought = Sought::new(case.names.label(who));
        let last = case.said.iter().rev().find(|said| said.who == *who && said.round < seen.round);
        let mut out = String::new();
        hiding(case, |hide| {
            for worded in told.history.digested() {
                let said = worded.said();
                let author = case.names.label(&said.who);
                if said.who == *who {
                    conceded(&mut out, said);
                } else if last.is_none_or(|last| is_unanswered(case, said, last)) {
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
        let best = offers.filter_map(|worded| Some((condition.met_by(worded)?, worded)));
        let ((_, sentence), worded) =
            best.reduce(|best, next| if next.0.0 > best.0.0 { next } else { best })?;
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
    for (_, body) in said.response.sections.iter().filter(|(key, _)| key.contains(CONCESSION)) {
        let _ = writeln!(out, "| You conceded: {}", text::one_line(body));
    }
}
