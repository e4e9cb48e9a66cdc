//! Knobs: numbers a charter fixes, or lets a matter move within a range.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Charter, StageKind};
use crate::Refusal;

/// A number with the range it may be moved in. Fixed when the range is the number itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Knob {
    /// Where it stands.
    pub is: u64,
    /// The least it may be moved to.
    pub from: u64,
    /// The most it may be moved to.
    pub to: u64,
}

impl Knob {
    /// A number nothing moves.
    pub const fn fixed(is: u64) -> Self {
        Self { is, from: is, to: is }
    }

    /// Whether nothing moves it.
    pub fn is_fixed(self) -> bool {
        self.from == self.to
    }
}

/// `rounds` alone means the rounds of every stage that lets them move: one flag for the usual wish.
const ROUNDS: &str = "rounds";

impl Charter {
    /// All knobs by name.
    pub fn knobs(&self) -> BTreeMap<String, Knob> {
        let mut copy = self.clone();
        copy.knobs_mut().into_iter().map(|(name, knob)| (name, *knob)).collect()
    }

    fn knobs_mut(&mut self) -> Vec<(String, &mut Knob)> {
        if let Some(ring) = &mut self.ring {
            // Under the names that stand in the file, and nothing besides.
            let mut knobs = vec![
                ("ring.gather_ms".to_string(), &mut ring.gather_ms),
                ("ring.session_ms".to_string(), &mut ring.session_ms),
                ("ring.token_ms".to_string(), &mut self.turn.limit_ms),
                ("ring.vote_ms".to_string(), &mut ring.vote_ms),
            ];
            for stage in &mut self.stages {
                if let StageKind::Ring(super::Phase::Discussing { rounds }) = &mut stage.kind {
                    knobs.push((format!("ring.{ROUNDS}"), rounds));
                }
            }
            return knobs;
        }
        let turn = &mut self.turn;
        let mut knobs = vec![
            ("turn.limit_ms".to_string(), &mut turn.limit_ms),
            ("turn.person_limit_ms".to_string(), &mut turn.person_limit_ms),
            ("turn.queue_ms".to_string(), &mut turn.queue_ms),
            ("turn.absent_after".to_string(), &mut turn.absent_after),
            ("turn.history_chars".to_string(), &mut turn.history_chars),
            ("watch.early".to_string(), &mut self.watch.early),
        ];
        for stage in &mut self.stages {
            match &mut stage.kind {
                StageKind::Speak(speak) => {
                    knobs.push((format!("{}.{ROUNDS}", stage.name), &mut speak.rounds));
                    if let Some(panel) = &mut speak.panel {
                        knobs.push((format!("{}.panel", stage.name), &mut panel.on));
                    }
                }
                StageKind::Vote { .. } | StageKind::Ring(_) => (),
            }
        }
        knobs
    }

    /// This charter with some knobs moved, or why they cannot be.
    pub fn moved(self: &Arc<Self>, moves: &BTreeMap<String, u64>) -> Result<Arc<Self>, Refusal> {
        if moves.is_empty() {
            return Ok(self.clone());
        }
        let mut charter = Self::clone(self);
        for (name, given) in moves {
            charter.turn_knob(name, *given)?;
        }
        Ok(Arc::new(charter))
    }

    fn turn_knob(&mut self, name: &str, given: u64) -> Result<(), Refusal> {
        let suffix = format!(".{ROUNDS}");
        let named = |knob: &str| knob == name || (name == ROUNDS && knob.ends_with(&suffix));
        let mut matching: Vec<_> = self.knobs_mut().into_iter().filter(|(knob, _)| named(knob)).collect();
        if name == ROUNDS && matching.iter().any(|(_, knob)| !knob.is_fixed()) {
            matching.retain(|(_, knob)| !knob.is_fixed());
        }
        if matching.is_empty() {
            let movable = self.knobs().into_iter().filter(|(_, knob)| !knob.is_fixed());
            return Err(Refusal::UnknownKnob {
                knob: name.into(),
                known_knobs: movable.map(|(name, _)| name).collect(),
            });
        }
        for (knob, place) in matching {
            if place.is_fixed() && place.is != given {
                return Err(Refusal::FixedKnob { knob, is: place.is });
            }
            if given < place.from || place.to < given {
                return Err(Refusal::KnobOutside { knob, from: place.from, to: place.to, given });
            }
            place.is = given;
        }
        Ok(())
    }
}
