//! What the house puts before a seat in its turn besides the question and what was said, as far as the lab looks at it.

use synod_core::house::Case;
use synod_core::kernel::{Choice, Who};

/// See the module. Two turns with equal notes are asked alike, but for the charter's own words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct TurnNotes {
    /// The side it is ordered to argue.
    pub(crate) ordered: Option<Choice>,
    /// The prompt that asks for abuse; whether it asks for benefits as well.
    pub(crate) prompted: Option<bool>,
    /// Whether it is told its red lines, and its green ones.
    pub(crate) red: bool,
    pub(crate) green: bool,
    /// How many digests there were, and the risks that the last one names.
    pub(crate) digests: u32,
    pub(crate) risks: u32,
    pub(crate) mitigated: bool,
    /// The stance that a voter is reminded of.
    pub(crate) reminded: Option<Choice>,
    /// Whether another vote has to be explained.
    pub(crate) explain: bool,
}

/// The notes of a seat's turn.
pub(crate) fn turn_notes(case: &Case, who: &Who, voting: bool) -> TurnNotes {
    let Some(turn) = case.motion_turn(who, voting) else {
        return TurnNotes { ordered: case.ordered(who).filter(|_| !voting), ..TurnNotes::default() };
    };
    TurnNotes {
        ordered: turn.ordered,
        prompted: turn.prompted,
        red: turn.red_lines,
        green: turn.green_lines,
        digests: turn.digests,
        risks: turn.risks.len() as u32,
        mitigated: turn.mitigations,
        reminded: turn.stood,
        explain: turn.explain,
    }
}

impl TurnNotes {
    /// The first thing that differs, in words: what it is here and what it is there.
    pub(crate) fn difference(&self, other: &Self) -> Option<String> {
        let yes = |on: bool| if on { "shown" } else { "not shown" };
        let prompt = |prompted: Option<bool>| match prompted {
            None => "not asked how the motion could be exploited",
            Some(true) => "asked for benefits and risks",
            Some(false) => "asked how the motion could be exploited",
        };
        let all = |notes: &Self| {
            [
                prompt(notes.prompted).to_string(),
                format!("{} of its red lines", yes(notes.red)),
                format!("{} of its green lines", yes(notes.green)),
                format!("after {} digests", notes.digests),
                format!("a digest that names {} risks", notes.risks),
                format!("risks {} what would lessen them", if notes.mitigated { "with" } else { "without" }),
                match notes.reminded {
                    None => "not reminded of a stance".into(),
                    Some(side) => format!("reminded of {side}"),
                },
                if notes.explain { "has to explain another vote" } else { "votes freely" }.into(),
            ]
        };
        all(self)
            .into_iter()
            .zip(all(other))
            .find(|(own, its)| own != its)
            .map(|(own, its)| format!("{own}; recorded: {its}"))
    }
}
