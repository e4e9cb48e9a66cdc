//! What a simulated seat thinks, says and votes.

use crate::study::Cast;

/// What a seat has heard the others say: free speech only, as far as the lens lets it hear.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Heard {
    pub(super) yes: u32,
    pub(super) no: u32,
}

/// What its charter puts before a seat in one turn, as the house says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Told {
    /// The side it is ordered to argue.
    pub(super) ordered: Option<bool>,
    /// How many of its red lines the motion crosses, and how many of its green lines it meets, where it is told of them.
    pub(super) crossed: u32,
    pub(super) met: u32,
    /// The prompt that asks for abuse; whether it asks for benefits as well.
    pub(super) prompted: Option<bool>,
    /// The digest it has before it: how many there were, risks that are named, and whether they come with what lessens them.
    pub(super) digests: u32,
    pub(super) risks: u32,
    pub(super) mitigated: bool,
    /// Whether another vote than its last free speech has to be explained.
    pub(super) explain: bool,
}

/// All dice of one turn, thrown whether or not they are needed: the same turn has the same luck whatever else differs, so that
/// rules are compared and not chance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Luck {
    stubborn: f64,
    conforms: f64,
    crossed: f64,
    met: f64,
    prompted: f64,
    digest: f64,
    obeys: f64,
    unreadable: f64,
    abstains: f64,
    carries: f64,
    locked: f64,
}

impl Luck {
    pub(super) fn thrown(mut dice: fastrand::Rng) -> Self {
        let mut next = || dice.f64();
        Self {
            stubborn: next(),
            conforms: next(),
            crossed: next(),
            met: next(),
            prompted: next(),
            digest: next(),
            obeys: next(),
            unreadable: next(),
            abstains: next(),
            carries: next(),
            locked: next(),
        }
    }
}

/// A seat in one matter.
#[derive(Debug)]
pub(super) struct SimulatedSeat<'a> {
    cast: &'a Cast,
    /// Where it stands.
    yes: bool,
    /// The side it was last ordered to speak for and did.
    forced: Option<bool>,
    /// The side it last spoke for freely.
    said: Option<bool>,
    spoke: bool,
    /// Whether its lines were looked at.
    lined: bool,
    prompted: bool,
    digests: u32,
}

impl<'a> SimulatedSeat<'a> {
    /// Its first judgement: that of its model, or its own.
    pub(super) fn drawn(cast: &'a Cast, shared: bool, truth: bool, dice: &mut fastrand::Rng) -> Self {
        let (with_model, own) = (dice.f64() < cast.correlation, (dice.f64() < cast.competence) == truth);
        Self {
            cast,
            yes: if with_model { shared } else { own },
            forced: None,
            said: None,
            spoke: false,
            lined: false,
            prompted: false,
            digests: 0,
        }
    }

    /// Looks at what is put before it.
    fn reads(&mut self, told: Told, luck: &Luck) {
        // A line, and the prompt, are weighed once: what they say does not change within a motion.
        if !self.lined && (told.crossed > 0 || told.met > 0) {
            self.lined = true;
            if self.yes && happens(self.cast.red_weight, told.crossed, luck.crossed) {
                self.yes = false;
            } else if !self.yes && told.crossed == 0 && happens(self.cast.green_weight, told.met, luck.met) {
                self.yes = true;
            }
        }
        if let (Some(balanced), false) = (told.prompted, self.prompted) {
            self.prompted = true;
            let turns = if balanced { self.cast.weighed } else { self.cast.exploited };
            self.yes &= !happens(turns, 1, luck.prompted);
        }
        if told.digests > self.digests {
            self.digests = told.digests;
            let turns = if told.mitigated { self.cast.digest_mitigated } else { self.cast.digest };
            self.yes &= !happens(turns, told.risks, luck.digest);
        }
    }

    /// A contribution, after what it heard.
    pub(super) fn speaks(&mut self, heard: Heard, told: Told, luck: &Luck) -> &'static str {
        if self.spoke {
            self.reconsiders(heard, luck);
        }
        self.reads(told, luck);
        self.spoke = true;
        let obeyed = told.ordered.filter(|_| luck.obeys < self.cast.compliance);
        self.forced = obeyed;
        if luck.unreadable < self.cast.unreadable {
            return "…";
        }
        if told.ordered.is_none() {
            self.said = Some(self.yes);
        }
        if obeyed.unwrap_or(self.yes) { SPEAKS_YES } else { SPEAKS_NO }
    }

    /// Goes over to the majority it hears, the rather the larger that is.
    fn reconsiders(&mut self, heard: Heard, luck: &Luck) {
        let stubborn = luck.stubborn < self.cast.stubbornness;
        let all = heard.yes + heard.no;
        if stubborn || all == 0 || heard.yes == heard.no {
            return;
        }
        let majority = heard.yes > heard.no;
        let share = f64::from(heard.yes.max(heard.no)) / f64::from(all);
        if luck.conforms < self.cast.conformity * share {
            self.yes = majority;
        }
    }

    /// Whether it seconds a motion: to say that it deserves a debate is not to be for it.
    pub(super) fn seconds(&self) -> &'static str {
        "{\"reason\":\"It deserves a debate.\",\"second\":\"YES\"}"
    }

    /// A vote.
    pub(super) fn votes(&mut self, told: Told, luck: &Luck) -> &'static str {
        self.reads(told, luck);
        if luck.unreadable < self.cast.unreadable {
            return "…";
        }
        if luck.abstains < self.cast.abstains {
            return VOTES_ABSTAIN;
        }
        let carries = self.forced.filter(|_| luck.carries < self.cast.carry_over);
        let keeps = self.said.filter(|_| told.explain && luck.locked < self.cast.lock_in);
        if carries.or(keeps).unwrap_or(self.yes) { VOTES_YES } else { VOTES_NO }
    }
}

/// Whether something happens that may happen so often at each of some occasions.
fn happens(chance: f64, occasions: u32, luck: f64) -> bool {
    occasions > 0 && luck < 1.0 - (1.0 - chance).powi(occasions.min(1000) as i32)
}

const SPEAKS_YES: &str =
    "{\"position\":\"YES it is.\",\"reasoning\":\"It is so.\",\"stance\":\"YES\",\"confidence\":0.8}";
const SPEAKS_NO: &str =
    "{\"position\":\"NO it is.\",\"reasoning\":\"It is so.\",\"stance\":\"NO\",\"confidence\":0.8}";
const VOTES_YES: &str = "{\"vote\":\"YES\",\"reason\":\"It is so.\",\"confidence\":0.8}";
const VOTES_NO: &str = "{\"vote\":\"NO\",\"reason\":\"It is so.\",\"confidence\":0.8}";
const VOTES_ABSTAIN: &str = "{\"vote\":\"ABSTAIN\",\"reason\":\"It is so.\",\"confidence\":0.8}";
