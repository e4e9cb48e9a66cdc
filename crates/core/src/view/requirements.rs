//! What a question requires of any answer, and who says that the answer they want keeps to it.

use serde::Serialize;

use crate::house::{Case, Item, Reader};
use crate::kernel::{Contribution, RequirementCheck, Who};

/// A requirement of the question with what the seats say about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Requirement {
    /// As the operator wrote it.
    pub text: String,
    /// Seats whose last statement says that their answer keeps to it.
    pub met: Vec<Who>,
    /// Seats whose last statement says that it does not, and why.
    pub unmet: Vec<(Who, String)>,
    /// Seats that say neither.
    pub unclear: Vec<Who>,
}

impl Requirement {
    /// Whether nobody says that it is met, and nobody that it is not.
    pub fn is_open(&self) -> bool {
        self.met.is_empty() && self.unmet.is_empty()
    }
}

/// Every requirement, by the last statement of each seat that a reader may see.
pub(super) fn requirements(case: &Case, reader: Reader<'_>) -> Vec<Requirement> {
    let must = case.opening.question.must.iter().enumerate();
    let last = |who: &Who| -> Option<&Contribution> {
        let shown = |said: &&Contribution| said.who == *who && case.may_see(reader, Item::Contribution(said));
        case.said.iter().rev().map(|said| &**said).find(shown)
    };
    must.map(|(nth, text)| {
        let mut row = Requirement { text: text.clone(), met: vec![], unmet: vec![], unclear: vec![] };
        for seat in &case.opening.seats {
            let Some(said) = last(&seat.who) else { continue };
            match said.response.checks.get(nth) {
                Some(RequirementCheck { met: Some(true), .. }) => row.met.push(seat.who.clone()),
                Some(RequirementCheck { met: Some(false), how }) => {
                    row.unmet.push((seat.who.clone(), how.clone()))
                }
                Some(RequirementCheck { met: None, .. }) | None => row.unclear.push(seat.who.clone()),
            }
        }
        row
    })
    .collect()
}
