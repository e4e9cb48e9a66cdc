//! Settings: what a charter fixes, or lets a matter move within a range.
//!
//! Numbers carry their range with them ([`Knob`]). Shares stand in the rules of the organs, which are copied into the
//! events they judge; how far each may be moved stands in [`Charter::ranges`].
//!
//! Shares are ordered by how hard they are to pass: `>= 1/2`, `> 1/2`, `>= 2/3`. A matter may change the sign as well
//! as the fraction, as long as the result lies within the range: from `> 1/2` a charter that allows `1/2` to `1` lets a
//! matter go to `>= 1/2` and to `>= 2/3`, one that allows `> 1/2` to `1` only to the second. To add a setting: a line
//! in `places` here or in its procedure's file.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Charter;
use super::Refusal;
use crate::kernel::{Ratio, SettingValue, Threshold};
use crate::procedure;

/// A value with the range it may be moved in. Fixed when the range is the value itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Knob<T = u64> {
    /// Where it stands.
    pub is: T,
    /// The least it may be moved to.
    pub from: T,
    /// The most it may be moved to.
    pub to: T,
}

impl<T: Copy + PartialEq> Knob<T> {
    /// A value nothing moves.
    pub const fn fixed(is: T) -> Self {
        Self { is, from: is, to: is }
    }

    /// Whether nothing moves it.
    pub fn is_fixed(self) -> bool {
        self.from == self.to
    }
}

/// A setting as people see it.
pub type Setting = Knob<SettingValue>;

impl<T: Into<SettingValue>> Knob<T> {
    fn shown(self) -> Setting {
        Setting { is: self.is.into(), from: self.from.into(), to: self.to.into() }
    }
}

/// The range in which a share may be moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShareRange {
    /// The least.
    pub from: Threshold,
    /// The most.
    pub to: Threshold,
}

/// The place of a setting's value in a charter.
#[derive(Debug)]
pub(crate) enum SettingSlot<'c> {
    Number(&'c mut Knob),
    Share(&'c mut Threshold),
    /// A share without a sign: it is always to be reached.
    Part(&'c mut Ratio),
}

impl SettingSlot<'_> {
    /// As it stands, with the range it may be moved in.
    fn setting(&self, range: Option<&ShareRange>) -> Setting {
        let share = |is: Threshold| {
            let knob = range.map_or(Knob::fixed(is), |range| Knob { is, from: range.from, to: range.to });
            knob.shown()
        };
        match self {
            Self::Number(knob) => knob.shown(),
            Self::Share(threshold) => share(**threshold),
            Self::Part(ratio) => share(Threshold { ratio: **ratio, strict: false }),
        }
    }

    /// What was given as a value that can stand here, if it is one and lies within the range.
    fn admit(&self, given: SettingValue, range: Setting) -> Option<SettingValue> {
        let share = || {
            let (given, from, to) = (given.share()?, range.from.share()?, range.to.share()?);
            (from <= given && given <= to).then_some(given)
        };
        match self {
            Self::Number(knob) => {
                let number = given.number()?;
                (knob.from <= number && number <= knob.to).then_some(number.into())
            }
            Self::Share(_) => share().map(SettingValue::Share),
            Self::Part(_) => share().filter(|share| !share.strict).map(SettingValue::Share),
        }
    }

    /// Puts a value that was admitted. Total: one of another kind changes nothing.
    fn put(&mut self, value: SettingValue) {
        match self {
            Self::Number(knob) => knob.is = value.number().unwrap_or(knob.is),
            Self::Share(threshold) => **threshold = value.share().unwrap_or(**threshold),
            Self::Part(ratio) => **ratio = value.share().map_or(**ratio, |share| share.ratio),
        }
    }
}

/// `rounds` alone means the rounds of every stage that lets them move: one flag for the usual wish.
const ROUNDS: &str = "rounds";
/// What carries a question, unless it is a kind of motion.
const PASS: &str = "ballot.pass";

impl Charter {
    /// All settings by name.
    pub fn settings(&self) -> BTreeMap<String, Setting> {
        let mut copy = self.clone();
        let ranges = &self.ranges;
        let places = copy.places().into_iter();
        places.map(|(name, place)| (name.clone(), place.setting(ranges.get(&name)))).collect()
    }

    /// Every setting, under the name that commands use.
    fn places(&mut self) -> Vec<(String, SettingSlot<'_>)> {
        let (pass, quorum) = (&mut self.ballot.pass, &mut self.ballot.quorum);
        let mut places = procedure::places(&mut self.procedure);
        places.push((PASS.to_string(), SettingSlot::Share(pass)));
        places.push(("ballot.quorum".to_string(), SettingSlot::Part(quorum)));
        places
    }

    /// The settings that wished moves come to, each by its full name, or why they cannot be moved so. Where a matter is
    /// a kind of motion, that kind's share decides: `ballot.pass` and those of other kinds would be read by nobody, so
    /// they are not settings of such a matter.
    pub fn resolve(
        &self,
        moves: &BTreeMap<String, SettingValue>,
        motion: Option<&str>,
    ) -> Result<BTreeMap<String, SettingValue>, Refusal> {
        let mut resolved = BTreeMap::new();
        if moves.is_empty() {
            return Ok(resolved);
        }
        let settings = self.settings();
        let mut copy = self.clone();
        let mut places: BTreeMap<String, SettingSlot<'_>> = copy.places().into_iter().collect();
        let counts = match motion {
            Some(kind) => motion_pass(kind),
            None => PASS.into(),
        };
        places.retain(|name, _| *name == counts || !(name == PASS || is_motion_pass(name)));
        for (wanted, given) in moves {
            if settings.contains_key(wanted) && !places.contains_key(wanted) {
                return Err(Refusal::OtherThreshold { setting: wanted.clone(), counts });
            }
            for name in matching(&places, &settings, wanted)? {
                let setting = settings[name];
                if setting.is_fixed() && places[name].admit(*given, setting).is_none() {
                    return Err(Refusal::FixedSetting { setting: name.clone(), is: setting.is });
                }
                let Some(value) = places[name].admit(*given, setting) else {
                    let Setting { from, to, .. } = setting;
                    return Err(Refusal::SettingOutside { setting: name.clone(), from, to, given: *given });
                };
                resolved.insert(name.clone(), value);
            }
        }
        Ok(resolved)
    }

    /// This charter with settings moved to where `resolve` said they may be, for a kind of motion. Total: a name that
    /// nobody resolved changes nothing.
    pub fn with(self: &Arc<Self>, moved: &BTreeMap<String, SettingValue>, motion: Option<&str>) -> Arc<Self> {
        let kind = motion.filter(|wanted| self.motion(wanted).is_some());
        if moved.is_empty() && kind.is_none() {
            return self.clone();
        }
        let mut charter = Self::clone(self);
        for (name, mut place) in charter.places() {
            if let Some(given) = moved.get(&name) {
                place.put(*given);
            }
        }
        if let Some(pass) = kind.and_then(|kind| charter.motion(kind)).map(|motion| motion.pass) {
            charter.ballot.pass = pass;
        }
        Arc::new(charter)
    }
}

/// The name of the share that a kind of motion needs.
pub(super) fn motion_pass(kind: &str) -> String {
    format!("motion.{kind}.pass")
}

fn is_motion_pass(name: &str) -> bool {
    name.starts_with("motion.")
}

/// The settings a name stands for: its own, or the rounds of every stage that lets them move.
fn matching<'p>(
    places: &'p BTreeMap<String, SettingSlot<'_>>,
    settings: &BTreeMap<String, Setting>,
    wanted: &str,
) -> Result<Vec<&'p String>, Refusal> {
    let suffix = format!(".{ROUNDS}");
    let moves = |name: &str| settings.get(name).is_some_and(|setting| !setting.is_fixed());
    let named = |name: &str| name == wanted || (wanted == ROUNDS && name.ends_with(&suffix));
    let mut matching: Vec<&String> = places.keys().filter(|name| named(name)).collect();
    if wanted == ROUNDS && matching.iter().any(|name| moves(name)) {
        matching.retain(|name| moves(name));
    }
    if matching.is_empty() {
        let known = places.keys().filter(|name| moves(name)).cloned().collect();
        return Err(Refusal::UnknownSetting { setting: wanted.into(), known });
    }
    Ok(matching)
}
