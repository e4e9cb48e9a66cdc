//! Structural risks of a motion: signs in its text, and nowhere else, that it may do more than it says.
//!
//! Whole words only, whatever their case: the same text always has the same risks, in the same order. Each has one
//! sentence that says what the risk is, and one that says what would lessen it. To add one: a variant, its signs, its two
//! sentences.

use serde::{Deserialize, Serialize};

use crate::kernel::text;

/// What a motion may do besides what it says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StructuralRisk {
    /// Whoever explains rules comes to make them.
    InterpretiveAuthority,
    /// Advice that is repeated often enough binds.
    SoftPowerCreep,
    /// New bodies grow beyond their first task.
    InstitutionalExpansion,
    /// What is voluntary becomes expected.
    SocialCoercion,
    /// Whoever publishes decides how things are seen.
    NarrativeControl,
    /// What something is not leaves open what it is.
    NegativeDefinition,
    /// What is temporary stays.
    PermanenceBias,
}

/// A sign: a word, or several that stand in this order in one sentence. A word that ends in `*` stands for all that begin so.
type RiskSigns = &'static [&'static [&'static str]];

impl StructuralRisk {
    /// All of them, in the order in which they are listed.
    pub const ALL: [Self; 7] = [
        Self::InterpretiveAuthority,
        Self::SoftPowerCreep,
        Self::InstitutionalExpansion,
        Self::SocialCoercion,
        Self::NarrativeControl,
        Self::NegativeDefinition,
        Self::PermanenceBias,
    ];

    /// What it is called.
    pub fn word(self) -> &'static str {
        match self {
            Self::InterpretiveAuthority => "INTERPRETIVE AUTHORITY",
            Self::SoftPowerCreep => "SOFT POWER CREEP",
            Self::InstitutionalExpansion => "INSTITUTIONAL EXPANSION",
            Self::SocialCoercion => "SOCIAL COERCION",
            Self::NarrativeControl => "NARRATIVE CONTROL",
            Self::NegativeDefinition => "NEGATIVE DEFINITION",
            Self::PermanenceBias => "PERMANENCE BIAS",
        }
    }

    /// What may happen.
    pub fn words(self) -> &'static str {
        match self {
            Self::InterpretiveAuthority => "explanations of a rule are quoted until they count as the rule",
            Self::SoftPowerCreep => "advice that binds nobody gains force each time it is cited",
            Self::InstitutionalExpansion => "a new body finds tasks beyond the one it was made for",
            Self::SocialCoercion => "those who may stay out come under pressure to join",
            Self::NarrativeControl => "whoever publishes also chooses what is seen and how",
            Self::NegativeDefinition => "a list of what it may not do leaves open what it may",
            Self::PermanenceBias => "what was meant to end is extended without a fresh decision",
        }
    }

    /// What would lessen it.
    pub fn mitigation(self) -> &'static str {
        match self {
            Self::InterpretiveAuthority => {
                "say that only the text of a decision binds, and how to challenge a reading of it"
            }
            Self::SoftPowerCreep => {
                "say that nobody may rely on the advice alone, and count how often it is cited"
            }
            Self::InstitutionalExpansion => "name the tasks in a closed list that only a vote can change",
            Self::SocialCoercion => "make staying out the default, and publish nothing about who does",
            Self::NarrativeControl => "give every side the same space, and keep the sources public",
            Self::NegativeDefinition => "name what it may do, and forbid the rest",
            Self::PermanenceBias => "let it end by itself on a fixed date unless a vote renews it",
        }
    }

    fn signs(self) -> RiskSigns {
        match self {
            Self::InterpretiveAuthority => {
                &[&["interpret*"], &["explanation"], &["explanations"], &["explanatory"], &["clarif*"]]
            }
            Self::SoftPowerCreep => &[
                &["non", "binding"],
                &["nonbinding"],
                &["advisory"],
                &["optional"],
                &["voluntary"],
                &["voluntarily"],
            ],
            Self::InstitutionalExpansion => &[
                &["create", GAP, BODY],
                &["creates", GAP, BODY],
                &["created", GAP, BODY],
                &["creation", GAP, BODY],
                &["establish*", GAP, BODY],
                &["authoriz*", GAP, BODY],
                &["authoris*", GAP, BODY],
            ],
            Self::SocialCoercion => CHOOSING,
            Self::NarrativeControl => &[
                &["publish*"],
                &["publication"],
                &["publications"],
                &["disseminat*"],
                &["communicat*"],
                &["announce*"],
            ],
            Self::NegativeDefinition => POWERLESS,
            Self::PermanenceBias => PASSING,
        }
    }
}

/// What says that taking part is left to each.
const CHOOSING: RiskSigns = &[
    &["opt", "in"],
    &["opts", "in"],
    &["opting", "in"],
    &["voluntary", "participation"],
    &["participate", "voluntarily"],
];
/// What says that something has no power.
const POWERLESS: RiskSigns =
    &[&["no", GAP, POWER], &["not", GAP, POWER], &["without", GAP, POWER], &["neither", GAP, POWER]];
/// What says that something will end.
const PASSING: RiskSigns = &[
    &["review", "after"],
    &["reviewed", "after"],
    &["sunset"],
    &["sunsets"],
    &["provisional"],
    &["provisionally"],
    &["temporary"],
    &["temporarily"],
    &["interim"],
    &["trial", "period"],
];

/// Stands for any of the words for something that acts by itself.
const BODY: &str = "<body>";
const BODIES: [&str; 13] = [
    "entity",
    "entities",
    "body",
    "bodies",
    "layer",
    "layers",
    "office",
    "offices",
    "mechanism",
    "mechanisms",
    "committee",
    "council",
    "agency",
];
/// Stands for any of the words for what it could do to others.
const POWER: &str = "<power>";
const POWERS: [&str; 8] =
    ["authority", "power", "powers", "instruction", "instructions", "constraint", "constraints", "mandate"];
/// Stands for any words between two of a sign.
const GAP: &str = "…";

fn matches(sign: &str, word: &str) -> bool {
    match (sign, sign.strip_suffix('*')) {
        (BODY, _) => BODIES.contains(&word),
        (POWER, _) => POWERS.contains(&word),
        (_, Some(start)) => word.starts_with(start),
        (whole, None) => whole == word,
    }
}

/// Whether the words of a sentence, from one on, go on as a sign says.
fn follows(sign: &[&str], words: &[&str]) -> bool {
    match (sign, words) {
        ([], _) => true,
        ([GAP, rest @ ..], words) => (0..words.len()).any(|from| follows(rest, &words[from..])),
        ([first, rest @ ..], [word, after @ ..]) => matches(first, word) && follows(rest, after),
        (_, []) => false,
    }
}

/// The risks that the text of a motion shows.
pub fn structural_risks(motion: &str) -> Vec<StructuralRisk> {
    // Cut as it was written: small letters do not begin a sentence.
    let sentences: Vec<String> =
        text::sentences(motion).map(|sentence| text::fold(sentence).replace(['-', '‐', '‑'], " ")).collect();
    let sentences: Vec<Vec<&str>> =
        sentences.iter().map(|sentence| text::words(sentence).collect()).collect();
    let shows = |sign: &&&[&str]| {
        sentences.iter().any(|words| (0..words.len()).any(|from| follows(sign, &words[from..])))
    };
    StructuralRisk::ALL.into_iter().filter(|risk| risk.signs().iter().any(|sign| shows(&sign))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(motion: &str) -> String {
        structural_risks(motion).iter().map(|risk| risk.word()).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn signs_are_whole_words_in_one_sentence() {
        assert_eq!(found("Clarify the rules."), "INTERPRETIVE AUTHORITY");
        assert_eq!(found("Its output is Non-Binding."), "SOFT POWER CREEP");
        assert_eq!(found("We create a small office."), "INSTITUTIONAL EXPANSION");
        assert_eq!(found("We create tools. The office stays as it is."), "");
        assert_eq!(found("Realms opt-in one by one."), "SOCIAL COERCION");
        assert_eq!(found("Voluntary participation."), "SOFT POWER CREEP, SOCIAL COERCION");
        assert_eq!(found("It publishes minutes."), "NARRATIVE CONTROL");
        assert_eq!(found("It has no binding authority."), "NEGATIVE DEFINITION");
        assert_eq!(found("A sunset clause; review after a year."), "PERMANENCE BIAS");
        // Parts of words, and words of another sentence, are no signs.
        assert_eq!(found("Nobody adopts insects. The uncreated disembodiedly republished."), "");
        assert_eq!(found("Notify the empowered. Optionally review afternoons."), "");
        assert_eq!(found(""), "");
    }
}
