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
    /// Who sits there.
    pub cast: Vec<Cast>,
    /// Layers that are switched on and off by `synod lab ablate`.
    #[serde(default)]
    pub layer: Vec<RuleLayer>,
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

fn half() -> f64 {
    0.5
}

fn one() -> f64 {
    1.0
}

/// The most seats of a study: a matter of the core holds no more.
const SEATS_MOST: u32 = 10_000;
/// The most layers: every combination is run.
const LAYERS_MOST: usize = 6;

impl StudySetting {
    /// As the core takes it.
    pub fn value(&self) -> Result<SettingValue, String> {
        match self {
            Self::Number(number) => Ok((*number).into()),
            Self::Share(written) => written.parse().map_err(|wrong| format!("{wrong}")),
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
            let shares = [
                ("competence", cast.competence),
                ("correlation", cast.correlation),
                ("stubbornness", cast.stubbornness),
                ("conformity", cast.conformity),
                ("compliance", cast.compliance),
                ("carry_over", cast.carry_over),
                ("unreadable", cast.unreadable),
                ("abstains", cast.abstains),
            ];
            flaws.extend(
                shares
                    .into_iter()
                    .filter_map(|(name, value)| share(&format!("cast `{}`: {name}", cast.model), value)),
            );
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
