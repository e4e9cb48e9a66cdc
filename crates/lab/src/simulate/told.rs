//! What a simulated seat reacts to of what the house puts before it.

use synod_core::house::Case;
use synod_core::kernel::Choice;

use super::SimulatedHouse;
use super::seat::Told;
use crate::turn::turn_notes;

/// What a seat has before it.
pub(super) fn told(
    stage: &SimulatedHouse,
    case: &Case,
    place: usize,
    features: &[&str],
    voting: bool,
) -> Told {
    let notes = turn_notes(case, &stage.seats[place], voting);
    let cast = &stage.casts[place];
    let of = |on: bool, lines: &[String]| {
        let has = |line: &&String| features.contains(&line.as_str());
        if on { lines.iter().filter(has).count() as u32 } else { 0 }
    };
    Told {
        ordered: notes.ordered.map(|side| side == Choice::Yes),
        crossed: of(notes.red, &cast.red_lines),
        met: of(notes.green, &cast.green_lines),
        prompted: notes.prompted,
        digests: notes.digests,
        risks: notes.risks,
        mitigated: notes.mitigated,
        explain: notes.explain,
    }
}

/// How many consensus breaks a matter had.
pub(super) fn breaks(case: &Case) -> u32 {
    case.motion().map_or(0, |motion| motion.breaks.len() as u32)
}
