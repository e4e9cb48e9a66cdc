//! What a seat has before it in one turn on a motion, as values: what its brief words.

use super::motion_parts;
use crate::dissent::StructuralRisk;
use crate::house::Case;
use crate::kernel::{Choice, Who};

/// See the module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MotionTurn<'a> {
    /// The side it is ordered to argue.
    pub ordered: Option<Choice>,
    /// Whether it is asked what could go wrong, and then whether benefits are asked for as well.
    pub prompted: Option<bool>,
    /// Whether its red lines are told, and its green ones.
    pub red_lines: bool,
    /// See `red_lines`.
    pub green_lines: bool,
    /// How often the debate was summed up.
    pub digests: u32,
    /// The risks that the last digest names.
    pub risks: &'a [StructuralRisk],
    /// Whether each comes with what would lessen it.
    pub mitigations: bool,
    /// The stance that a voter is reminded of.
    pub stood: Option<Choice>,
    /// Whether another vote has to be explained.
    pub explain: bool,
}

impl Case {
    /// What a seat has before it when it speaks on a motion, or votes on it; `None` for other matters.
    pub fn motion_turn(&self, who: &Who, voting: bool) -> Option<MotionTurn<'_>> {
        let (rules, state) = motion_parts(self)?;
        let last = state.sums.last();
        let mut turn = MotionTurn {
            ordered: None,
            prompted: None,
            red_lines: rules.lines.red.is == 1,
            green_lines: rules.lines.green.is == 1,
            digests: state.sums.len() as u32,
            risks: last.map_or(&[], |sum| &sum.risks),
            mitigations: rules.digest.mitigations.is == 1,
            stood: None,
            explain: false,
        };
        if voting {
            let notes = self.vote_notes(rules, who);
            (turn.stood, turn.explain) = (notes.stood, notes.explain);
        } else {
            let notes = self.speech_notes(rules, who);
            (turn.ordered, turn.prompted) = (notes.order.map(|order| order.side), notes.balanced);
        }
        Some(turn)
    }
}
