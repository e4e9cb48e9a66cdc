//! What became known later of a matter: what was true, and who had said so.

use serde::{Deserialize, Serialize};

use super::estimate;
use crate::house::{Case, Item, Reader};
use crate::kernel::{Choice, Who};
use crate::track::{JudgedVote, Truth};

/// The true answer, and how each vote turned out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutcomeReport {
    /// What was true, in words.
    pub was: String,
    /// Whether the decision was right; none if there was none, or if that is not known.
    pub decision_right: Option<bool>,
    /// Who was right.
    pub right: Vec<Who>,
    /// Who was right against what was decided.
    pub right_alone: Vec<Who>,
    /// Who was wrong.
    pub wrong: Vec<Who>,
    /// Nobody is marked, since the vote was secret or never closed, and who was right would tell how they voted.
    pub secret: bool,
}

impl OutcomeReport {
    /// Reads it off a matter.
    pub(super) fn of(case: &Case) -> Option<Self> {
        let learned = case.learned.as_ref()?;
        let of = |wanted: &dyn Fn(&JudgedVote) -> bool| {
            learned.marks.iter().filter(|mark| wanted(mark)).map(|mark| mark.who.clone()).collect()
        };
        let options = case.opening.question.options.len();
        let spoken = |choice: Choice| match choice {
            Choice::Option(index) => {
                let text = case.opening.question.options.get(usize::from(index));
                format!("{choice} ({})", text.map_or("", String::as_str))
            }
            Choice::Yes | Choice::No | Choice::Neutral => choice.word(options),
        };
        let was = match learned.truth {
            Truth::Is(choice) => format!("{} was right", spoken(choice)),
            Truth::IsNot(choice) => format!("{} was wrong", spoken(choice)),
            Truth::Number(truth) => estimate::came_true(case, truth),
            Truth::Proposal { id, right } => {
                let proposals = case.ring().map_or(&[][..], |(_, state)| &state.table.proposals);
                let place = proposals.iter().position(|put| put.id == id).unwrap_or_default();
                let letter = Choice::letter(place as u8);
                format!("proposal {letter} was {}", if right { "right" } else { "wrong" })
            }
        };
        Some(Self {
            was,
            decision_right: case.decided_side(learned.truth).and_then(|side| learned.truth.marks(side)),
            right: of(&|mark| mark.right),
            right_alone: of(&|mark| mark.right && mark.minority),
            wrong: of(&|mark| !mark.right),
            secret: case
                .ballots
                .last()
                .is_some_and(|held| !case.may_see(Reader::Operator, Item::Votes(held))),
        })
    }
}
