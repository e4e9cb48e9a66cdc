//! What those who take part in a ring may leave out of what they do.

use super::fields;
use synod_core::procedure::ring::Action;

/// The names of what a participant of a ring may leave out.
pub(super) fn part(part: &Action, names: &mut Vec<&'static str>) {
    match part.clone() {
        Action::Join | Action::Leave | Action::Acknowledge { .. } | Action::Release { .. } => {}
        Action::Say { ask: _, keep, kind: _, text: _, to } => {
            names.extend(fields::say(&fields::Say { keep, to }))
        }
        Action::Propose { ask: _, keep, text: _, title: _ } => {
            names.extend(fields::propose(&fields::Propose { keep }));
        }
        Action::Amend { ask: _, keep, proposal: _, text: _, why } => {
            names.extend(fields::amend(&fields::Amend { keep, why }));
        }
        Action::React { ask: _, keep, reaction: _, text, to: _ } => {
            names.extend(fields::react(&fields::React { keep, text }));
        }
        Action::Skip { ask: _, why } => names.extend(fields::skip(&fields::Skip { why })),
        Action::Rule { accept: _, amendment: _, why } => names.extend(fields::rule(&fields::Rule { why })),
        Action::Vote { changes, conditions, grade: _, proposal: _, rationale, salt } => {
            names.extend(fields::grading(&fields::Grading { changes, conditions, rationale, salt }));
        }
    }
}
