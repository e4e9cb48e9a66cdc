//! Knobs: numbers a charter fixes, or lets a matter move within a range.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Charter, Procedure, Refusal};

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
        match &mut self.procedure {
            Procedure::Council(council) => council.knobs_mut(),
            Procedure::Ring(ring) => ring.knobs_mut(),
        }
    }

    /// The knobs that wished moves come to, each by its full name, or why they cannot be moved so.
    pub fn resolve(&self, moves: &BTreeMap<String, u64>) -> Result<BTreeMap<String, u64>, Refusal> {
        let knobs = self.knobs();
        let mut resolved = BTreeMap::new();
        for (name, given) in moves {
            for knob in matching(&knobs, name)? {
                let is = &knobs[knob];
                if is.is_fixed() && is.is != *given {
                    return Err(Refusal::FixedKnob { knob: knob.clone(), is: is.is });
                }
                if *given < is.from || is.to < *given {
                    let (from, to, given) = (is.from, is.to, *given);
                    return Err(Refusal::KnobOutside { knob: knob.clone(), from, to, given });
                }
                resolved.insert(knob.clone(), *given);
            }
        }
        Ok(resolved)
    }

    /// This charter with knobs moved to where `resolve` said they may be, for a kind of motion. Total: a name that
    /// nobody resolved changes nothing.
    pub fn with(self: &Arc<Self>, moved: &BTreeMap<String, u64>, motion: Option<&str>) -> Arc<Self> {
        let pass = motion.and_then(|wanted| self.motion(wanted)).map(|motion| motion.pass);
        if moved.is_empty() && pass.is_none() {
            return self.clone();
        }
        let mut charter = Self::clone(self);
        for (name, knob) in charter.knobs_mut() {
            if let Some(given) = moved.get(&name) {
                knob.is = *given;
            }
        }
        if let Some(pass) = pass {
            charter.ballot.pass = pass;
        }
        Arc::new(charter)
    }
}

/// The knobs a name stands for: its own, or the rounds of every stage that lets them move.
fn matching<'k>(knobs: &'k BTreeMap<String, Knob>, name: &str) -> Result<Vec<&'k String>, Refusal> {
    let suffix = format!(".{ROUNDS}");
    let named = |knob: &str| knob == name || (name == ROUNDS && knob.ends_with(&suffix));
    let mut matching: Vec<(&String, &Knob)> = knobs.iter().filter(|(knob, _)| named(knob)).collect();
    if name == ROUNDS && matching.iter().any(|(_, knob)| !knob.is_fixed()) {
        matching.retain(|(_, knob)| !knob.is_fixed());
    }
    if matching.is_empty() {
        let movable = knobs.iter().filter(|(_, knob)| !knob.is_fixed());
        let known_knobs = movable.map(|(name, _)| name.clone()).collect();
        return Err(Refusal::UnknownKnob { knob: name.into(), known_knobs });
    }
    Ok(matching.into_iter().map(|(name, _)| name).collect())
}
