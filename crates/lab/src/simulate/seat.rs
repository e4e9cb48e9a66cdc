//! What a simulated seat thinks, says and votes.

use crate::study::Cast;

/// What a seat has heard the others say: free speech only, as far as the lens lets it hear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Heard {
    pub(super) yes: u32,
    pub(super) no: u32,
}

/// A seat in one matter.
#[derive(Debug)]
pub(super) struct SimulatedSeat<'a> {
    cast: &'a Cast,
    /// Where it stands.
    yes: bool,
    /// The side it was last ordered to speak for and did.
    forced: Option<bool>,
    spoke: bool,
}

impl<'a> SimulatedSeat<'a> {
    /// Its first judgement: that of its model, or its own.
    pub(super) fn drawn(cast: &'a Cast, shared: bool, truth: bool, dice: &mut fastrand::Rng) -> Self {
        let (with_model, own) = (dice.f64() < cast.correlation, (dice.f64() < cast.competence) == truth);
        Self { cast, yes: if with_model { shared } else { own }, forced: None, spoke: false }
    }

    /// A contribution, after what it heard.
    pub(super) fn speaks(&mut self, heard: Heard, ordered: Option<bool>, dice: &mut fastrand::Rng) -> String {
        if self.spoke {
            self.reconsiders(heard, dice);
        }
        self.spoke = true;
        let obeyed = ordered.filter(|_| dice.f64() < self.cast.compliance);
        self.forced = obeyed;
        if dice.f64() < self.cast.unreadable {
            return "…".into();
        }
        let side = if obeyed.unwrap_or(self.yes) { "YES" } else { "NO" };
        format!(
            "{{\"stance\":\"{side}\",\"position\":\"{side} it is.\",\"reasoning\":\"It is so.\",\"confidence\":0.8}}"
        )
    }

    /// Goes over to the majority it hears, the rather the larger that is.
    fn reconsiders(&mut self, heard: Heard, dice: &mut fastrand::Rng) {
        let (stubborn, goes) = (dice.f64() < self.cast.stubbornness, dice.f64());
        let all = heard.yes + heard.no;
        if stubborn || all == 0 || heard.yes == heard.no {
            return;
        }
        let majority = heard.yes > heard.no;
        let share = f64::from(heard.yes.max(heard.no)) / f64::from(all);
        if goes < self.cast.conformity * share {
            self.yes = majority;
        }
    }

    /// A vote.
    pub(super) fn votes(&mut self, dice: &mut fastrand::Rng) -> String {
        let [unreadable, abstains, carried] = [dice.f64(), dice.f64(), dice.f64()];
        if unreadable < self.cast.unreadable {
            return "…".into();
        }
        let side = match (abstains < self.cast.abstains, self.forced) {
            (true, _) => "ABSTAIN",
            (false, Some(forced)) if carried < self.cast.carry_over => {
                if forced {
                    "YES"
                } else {
                    "NO"
                }
            }
            (false, _) => {
                if self.yes {
                    "YES"
                } else {
                    "NO"
                }
            }
        };
        format!("{{\"vote\":\"{side}\",\"reason\":\"It is so.\",\"confidence\":0.8}}")
    }
}
