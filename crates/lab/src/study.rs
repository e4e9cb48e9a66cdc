//! A study: what is simulated, with every parameter declared. Written as TOML.
//!
//! To add a parameter: a field of [`Cast`] with its limits in `checked`, what it does in `simulate/seat.rs`, its row in docs/lab.md.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use synod_core::kernel::SettingValue;
use toml::de::{DeTable, DeValue};

/// What is simulated.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// Its name.
    pub name: String,
    /// Everything is drawn by it.
    pub seed: u64,
    /// How many matters are opened.
    pub matters: u64,
    /// A shipped charter, or the path of one.
    pub charter: String,
    /// The charter's kind of motion.
    #[serde(default)]
    pub motion: Option<String>,
    /// Settings of the charter, as `synod debate` takes them.
    #[serde(default)]
    pub settings: BTreeMap<String, StudySetting>,
    /// How often YES is the right answer.
    #[serde(default = "half")]
    pub truth_yes: f64,
    /// What every motion says; the texts of its features follow.
    #[serde(default = "plain_motion")]
    pub text: String,
    /// What motions can have that seats look at, and that the house finds in their text.
    #[serde(default)]
    pub feature: Vec<MotionFeature>,
    /// Who sits there.
    pub cast: Vec<Cast>,
    /// Layers that are switched on and off by `synod lab ablate`.
    #[serde(default)]
    pub layer: Vec<RuleLayer>,
    /// Values that `synod lab calibrate` tries for a setting; `charter` and `motion` can be tried, too.
    #[serde(default)]
    pub grid: BTreeMap<String, Vec<StudySetting>>,
}

/// Something a motion can have.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MotionFeature {
    /// What red and green lines name it by.
    pub name: String,
    /// How often a motion has it that is right to pass.
    pub good: f64,
    /// How often one has it that is not.
    pub bad: f64,
    /// A sentence that stands in the motion's text then. Structural risks are found in it as in any other.
    #[serde(default)]
    pub text: String,
}

/// Seats that are alike.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cast {
    /// The model they share.
    pub model: String,
    /// How many.
    pub seats: u32,
    /// How often a seat is right by itself.
    pub competence: f64,
    /// How often a seat judges as its whole model does, instead of by itself.
    #[serde(default)]
    pub correlation: f64,
    /// How often a seat keeps its position whatever the others say.
    #[serde(default)]
    pub stubbornness: f64,
    /// How often a seat that is not stubborn goes over to the majority it sees, times the share of that majority.
    #[serde(default)]
    pub conformity: f64,
    /// How often a seat that is ordered to take a side takes it.
    #[serde(default = "one")]
    pub compliance: f64,
    /// How often a seat votes as it was last ordered to speak.
    #[serde(default)]
    pub carry_over: f64,
    /// The rank of these seats: 1 speaks first. Of motions only.
    #[serde(default)]
    pub rank: Option<u16>,
    /// Features that such a seat does not accept, where its charter tells it so.
    #[serde(default)]
    pub red_lines: Vec<String>,
    /// Features that it is there to support, where its charter tells it so.
    #[serde(default)]
    pub green_lines: Vec<String>,
    /// How often it turns against a motion for each red line that it crosses.
    #[serde(default = "one")]
    pub red_weight: f64,
    /// How often it comes to be for a motion for each green line that it meets.
    #[serde(default = "one")]
    pub green_weight: f64,
    /// How often a seat that is for a motion turns against it when it is asked how the motion could be exploited.
    #[serde(default)]
    pub exploited: f64,
    /// The same where the question asks for benefits as well.
    #[serde(default)]
    pub weighed: f64,
    /// How often a seat that is for a motion turns against it, for each risk that a new digest names.
    #[serde(default)]
    pub digest: f64,
    /// The same where the digest says what would lessen each risk.
    #[serde(default)]
    pub digest_mitigated: f64,
    /// How often a seat votes as it last spoke, whatever it thinks by then, when it would have to explain another vote.
    #[serde(default)]
    pub lock_in: f64,
    /// How often an answer cannot be read.
    #[serde(default)]
    pub unreadable: f64,
    /// How often a seat abstains from the vote.
    #[serde(default)]
    pub abstains: f64,
}

/// A part of the rules that can be there or not.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuleLayer {
    /// Its name.
    pub name: String,
    /// What is set where it is on.
    #[serde(default)]
    pub on: Switch,
    /// What is set where it is off.
    #[serde(default)]
    pub off: Switch,
}

/// What a layer sets.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Switch {
    /// Another kind of motion.
    #[serde(default)]
    pub motion: Option<String>,
    /// Another charter.
    #[serde(default)]
    pub charter: Option<String>,
    /// Settings of the charter.
    #[serde(default)]
    pub settings: BTreeMap<String, StudySetting>,
}

/// A value of a setting: a number, or a share such as `">= 2/3"`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum StudySetting {
    /// A whole number.
    Number(u64),
    /// A share.
    Share(String),
}

fn plain_motion() -> String {
    "Shall we do it?".into()
}

fn half() -> f64 {
    0.5
}

fn one() -> f64 {
    1.0
}

/// The most seats of a study: a matter of the core holds no more.
const SEATS_MOST: u32 = 10_000;
/// The most layers: every combination is run.
const LAYERS_MOST: usize = 8;
/// The most combinations of a grid.
pub(crate) const GRID_MOST: usize = 512;
/// The most features.
const FEATURES_MOST: usize = 64;

impl StudySetting {
    /// As the core takes it.
    pub fn value(&self) -> Result<SettingValue, String> {
        match self {
            Self::Number(number) => Ok((*number).into()),
            Self::Share(written) => written.parse().map_err(|wrong| format!("{wrong}")),
        }
    }
}

impl Cast {
    /// Its parameters that are shares, by name.
    fn shares(&self) -> [(&'static str, f64); 15] {
        [
            ("competence", self.competence),
            ("correlation", self.correlation),
            ("stubbornness", self.stubbornness),
            ("conformity", self.conformity),
            ("compliance", self.compliance),
            ("carry_over", self.carry_over),
            ("red_weight", self.red_weight),
            ("green_weight", self.green_weight),
            ("exploited", self.exploited),
            ("weighed", self.weighed),
            ("digest", self.digest),
            ("digest_mitigated", self.digest_mitigated),
            ("lock_in", self.lock_in),
            ("unreadable", self.unreadable),
            ("abstains", self.abstains),
        ]
    }

    /// Seats of a model that are right so often and have no other traits.
    pub fn plain(model: &str, seats: u32, competence: f64) -> Self {
        Self {
            model: model.into(),
            seats,
            competence,
            correlation: 0.0,
            stubbornness: 0.0,
            conformity: 0.0,
            compliance: 1.0,
            carry_over: 0.0,
            rank: None,
            red_lines: Vec::new(),
            green_lines: Vec::new(),
            red_weight: 1.0,
            green_weight: 1.0,
            exploited: 0.0,
            weighed: 0.0,
            digest: 0.0,
            digest_mitigated: 0.0,
            lock_in: 0.0,
            unreadable: 0.0,
            abstains: 0.0,
        }
    }
}

impl Study {
    /// Reads a study. Every flaw is listed.
    pub fn parse(text: &str) -> Result<Self, Vec<String>> {
        let table = DeTable::parse(text).map_err(|error| vec![error.to_string().trim_end().to_string()])?;
        let value = as_json(&DeValue::Table(table.into_inner())).map_err(|wrong| vec![wrong])?;
        let study: Self = serde_json::from_value(value).map_err(|error| vec![error.to_string()])?;
        let mut flaws = Vec::new();
        let share = |name: &str, value: f64| {
            (!(0.0..=1.0).contains(&value)).then(|| format!("{name} = {value} is not a share from 0 to 1"))
        };
        flaws.extend(share("truth_yes", study.truth_yes));
        for cast in &study.cast {
            let own = |(name, value): (&str, f64)| share(&format!("cast `{}`: {name}", cast.model), value);
            flaws.extend(cast.shares().into_iter().filter_map(own));
            for line in cast.red_lines.iter().chain(&cast.green_lines) {
                if !study.feature.iter().any(|feature| feature.name == *line) {
                    flaws.push(format!(
                        "cast `{}`: there is no [[feature]] `{line}` for its line",
                        cast.model
                    ));
                }
            }
        }
        for feature in &study.feature {
            flaws.extend(share(&format!("feature `{}`: good", feature.name), feature.good));
            flaws.extend(share(&format!("feature `{}`: bad", feature.name), feature.bad));
        }
        if study.feature.len() > FEATURES_MOST {
            flaws.push(format!("{} features are more than {FEATURES_MOST}", study.feature.len()));
        }
        if study.text.trim().is_empty() {
            flaws.push("text: a motion says something".into());
        }
        let grid = study.grid.values().map(Vec::len).fold(1usize, usize::saturating_mul);
        if grid == 0 || grid > GRID_MOST {
            flaws.push(format!("the grid has {grid} combinations; 1 to {GRID_MOST} can be tried"));
        }
        match study.seats() {
            0 => flaws.push("there is no seat; add [[cast]] with model, seats and competence".into()),
            1..=SEATS_MOST => (),
            more => flaws.push(format!("{more} seats are more than {SEATS_MOST}")),
        }
        if study.matters == 0 {
            flaws.push("matters = 0: there is nothing to simulate".into());
        }
        if study.layer.len() > LAYERS_MOST {
            flaws.push(format!(
                "{} layers make too many combinations; at most {LAYERS_MOST}",
                study.layer.len()
            ));
        }
        if flaws.is_empty() { Ok(study) } else { Err(flaws) }
    }

    /// All seats.
    pub fn seats(&self) -> u32 {
        self.cast.iter().map(|cast| cast.seats).fold(0, u32::saturating_add)
    }
}

/// TOML as the values that serde reads: the parser here is the core's, which has no serde of its own.
fn as_json(value: &DeValue<'_>) -> Result<Value, String> {
    Ok(match value {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Integer(number) => {
            let parsed = i64::from_str_radix(number.as_str(), number.radix());
            parsed.map_err(|_| format!("`{}` is not a number that fits", number.as_str()))?.into()
        }
        DeValue::Float(number) => {
            let parsed = number.as_str().parse::<f64>().ok().and_then(serde_json::Number::from_f64);
            Value::Number(parsed.ok_or_else(|| format!("`{}` is not a number", number.as_str()))?)
        }
        DeValue::Boolean(value) => Value::Bool(*value),
        DeValue::Datetime(date) => return Err(format!("`{date}` is a date; a study has none")),
        DeValue::Array(array) => {
            Value::Array(array.iter().map(|value| as_json(value.get_ref())).collect::<Result<_, _>>()?)
        }
        DeValue::Table(table) => {
            let pair =
                |(key, value): (&toml::Spanned<toml::de::DeString<'_>>, &toml::Spanned<DeValue<'_>>)| {
                    Ok::<_, String>((key.get_ref().to_string(), as_json(value.get_ref())?))
                };
            Value::Object(table.iter().map(pair).collect::<Result<_, _>>()?)
        }
    })
}
