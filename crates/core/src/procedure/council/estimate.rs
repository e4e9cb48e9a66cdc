//! Estimates: every seat gives a number, learns how the numbers are spread, and gives its number again.

use crate::brief::{BEST, FieldValue, HIGH, LOW, ReadAnswer};
use crate::house::{Case, Flow};
use crate::kernel::{Decision, Estimate, Number, Range, Repair, Spread, UndecidedReason, Who};

impl Flow {
    /// Settles by the numbers of the round just closed. A number of an earlier round is not one that was held on to.
    pub(super) fn settle_estimate(&mut self) {
        let case = self.case();
        let numbers: Vec<Number> = case.estimates(case.round()).map(|(_, given)| given.best).collect();
        let needed = case.charter.ballot.quorum.ceiling_of(case.in_play() as u32) as usize;
        let decision = match Spread::of(&numbers) {
            Some(spread) if numbers.len() >= needed => Decision::Estimated(spread),
            Some(_) | None => Decision::Undecided(UndecidedReason::Unreadable),
        };
        self.settle(decision);
    }

    /// Whether nobody gave another number than in the round before. Who gave none then has not stood still.
    pub(super) fn is_settled_on_numbers(&self) -> bool {
        let case = self.case();
        let round = case.round();
        let before = |who: &Who| case.estimates(round.saturating_sub(1)).find(|(of, _)| *of == who);
        let mut now = case.estimates(round).peekable();
        now.peek().is_some()
            && now.all(|(who, given)| before(who).is_some_and(|(_, was)| was.best == given.best))
    }
}

impl Case {
    /// The numbers that seats gave in a round, with who gave them, in the order of the record.
    pub fn estimates(&self, round: u32) -> impl Iterator<Item = (&Who, Estimate)> {
        let said = self.said.iter().filter(move |said| said.round == round);
        said.filter_map(|said| Some((&said.who, said.response.estimate?)))
    }

    /// What numbers are counted in; nothing where no number is asked for.
    pub fn unit(&self) -> &str {
        self.opening.question.unit.as_deref().unwrap_or_default()
    }
}

/// The estimate in an answer. A range without a number is not one, and a range that leaves the number out is no range.
pub(super) fn estimate(read: &mut ReadAnswer) -> Option<Estimate> {
    let mut end = |key: &str| read.fields.remove(key);
    let (low, best, high) = (end(LOW), end(BEST), end(HIGH));
    let number = |given: Option<FieldValue>| given.and_then(FieldValue::number);
    if let Some(FieldValue::Range(Range { low, high })) = best {
        let detail =
            format!("`{BEST}` was {low} to {high}: a range without one best number, taken as unknown");
        read.repairs.push(Repair::new("number-range", detail));
        return None;
    }
    let best = number(best)?;
    let (low, high) = (number(low), number(high));
    let outside = low.is_some_and(|low| low > best) || high.is_some_and(|high| high < best);
    if outside {
        let detail = "the best estimate lies outside of low and high, so the range is taken as unknown";
        read.repairs.push(Repair::new("range-unknown", detail));
        return Some(Estimate { best, high: None, low: None });
    }
    Some(Estimate { best, high, low })
}
