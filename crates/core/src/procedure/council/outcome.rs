//! What turned out to be true of a question.

use crate::house::Case;
use crate::kernel::{Choice, Decision};
use crate::matter::QuestionKind;
use crate::track::{Truth, Verdict};

/// What was true, as far as it can have been; `None` if that is no answer to the question.
pub(crate) fn truth(case: &Case, decision: Decision, verdict: Verdict) -> Option<Truth> {
    let options = case.opening.question.options.len();
    match verdict {
        Verdict::Right => decision.answer().map(Truth::Is),
        Verdict::Wrong => Some(match (decision.answer()?, options) {
            (Choice::Yes, _) => Truth::Is(Choice::No),
            (Choice::No, 0) => Truth::Is(Choice::Yes),
            (other, _) => Truth::IsNot(other),
        }),
        Verdict::Answer(choice) => {
            let fits = match choice {
                Choice::Yes => case.kind() == QuestionKind::YesNo,
                Choice::No => case.kind() != QuestionKind::Estimate,
                Choice::Option(index) => usize::from(index) < options,
                Choice::Neutral => false,
            };
            fits.then_some(Truth::Is(choice))
        }
        Verdict::Proposal(_) => None,
        Verdict::Number(number) => (case.kind() == QuestionKind::Estimate).then_some(Truth::Number(number)),
    }
}
