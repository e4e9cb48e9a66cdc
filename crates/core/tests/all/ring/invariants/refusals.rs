//! Nothing of a refused command changes the state: but for its number and time the house is what it was.

use synod_core::{Act, Outcome};

use super::{Invariant, Step};

pub(super) struct ChangeNothing;

impl Invariant for ChangeNothing {
    fn holds(&mut self, step: &Step<'_>) {
        if let Outcome::Refused { code, message } = &step.act.outcome {
            assert!(!message.is_empty(), "seed {}: {code} says nothing", step.seed);
            let mut untouched = step.before.clone();
            untouched.evolve(&Act { outcome: Outcome::Done(Vec::new()), ..step.act.clone() });
            assert!(untouched == *step.house, "seed {}: refused with {code}, and changed", step.seed);
        }
    }
}
