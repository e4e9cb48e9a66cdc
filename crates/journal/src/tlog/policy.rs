//! Policies: which logs and witnesses a reader trusts, and how many of them must have signed. The reader writes it; nothing in a
//! house or a proof can change it.

use std::collections::{BTreeMap, BTreeSet};

use super::{Algorithm, Note, TlogError, VerifierKey, cosigned_at};

const WHAT: &str = "policy";
/// More witnesses than anybody has.
const LINES_MOST: usize = 1000;

/// What a reader demands of a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    logs: Vec<VerifierKey>,
    witnesses: Vec<Witness>,
    groups: BTreeMap<String, WitnessGroup>,
    /// None for `quorum none`.
    quorum: Option<String>,
}

/// A witness that the reader knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    /// What the policy calls it.
    pub name: String,
    /// Its key.
    pub key: VerifierKey,
    /// Where it takes checkpoints, if the policy says.
    pub url: Option<String>,
}

/// Several witnesses or groups, of which some must have signed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WitnessGroup {
    /// How many.
    pub least: usize,
    /// Of which.
    pub members: Vec<String>,
}

/// Who cosigned a checkpoint, by a policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witnessed {
    /// The witnesses that did, with the time in seconds of the epoch.
    pub by: Vec<(String, u64)>,
    /// How many witnesses the policy knows.
    pub of: usize,
    /// Whether they are enough.
    pub enough: bool,
}

impl Policy {
    /// Reads a policy. Errors name the line.
    pub fn parse(text: &str) -> Result<Self, TlogError> {
        let mut reading = PolicyParser::default();
        for (nth, line) in text.split('\n').enumerate() {
            let wrong = |why: String| TlogError::malformed(WHAT, format!("line {}: {why}", nth + 1));
            if nth >= LINES_MOST {
                return Err(wrong("the policy is too long".into()));
            }
            if line.chars().any(|c| c.is_ascii_control() && c != '\t') {
                return Err(wrong("control characters are not allowed".into()));
            }
            let words: Vec<&str> = line.split([' ', '\t']).filter(|word| !word.is_empty()).collect();
            reading.line(&words).map_err(wrong)?;
        }
        let quorum = reading.quorum.ok_or_else(|| {
            TlogError::malformed(WHAT, "there is no quorum line: write `quorum none` to ask for no witness")
        })?;
        let PolicyParser { logs, witnesses, groups, .. } = reading;
        Ok(Self { logs, witnesses, groups, quorum: Some(quorum).filter(|name| name != NONE) })
    }

    /// The policy of a reader who only knows the key of a log.
    pub fn of_log(log: VerifierKey) -> Self {
        Self { logs: vec![log], witnesses: Vec::new(), groups: BTreeMap::new(), quorum: None }
    }

    /// The logs it knows.
    pub fn logs(&self) -> &[VerifierKey] {
        &self.logs
    }

    /// The witnesses it knows.
    pub fn witnesses(&self) -> &[Witness] {
        &self.witnesses
    }

    /// Whether it asks for witnesses at all.
    pub fn asks_for_witnesses(&self) -> bool {
        self.quorum.is_some()
    }

    /// The log that signed a checkpoint of this origin. A key by another name is not the key of this log.
    pub fn log(&self, note: &Note, origin: &str) -> Result<&VerifierKey, TlogError> {
        let mut found = None;
        for log in self.logs.iter().filter(|log| log.name() == origin) {
            match note.check(log) {
                Ok(()) => found = found.or(Some(log)),
                Err(TlogError::Unsigned { .. }) => (),
                Err(forged) => return Err(forged),
            }
        }
        found.ok_or_else(|| TlogError::Unsigned { name: origin.into() })
    }

    /// Who cosigned. A line of a known witness that does not fit spoils the note.
    pub fn witnessed(&self, note: &Note) -> Result<Witnessed, TlogError> {
        let mut by = Vec::new();
        for witness in &self.witnesses {
            match cosigned_at(note, &witness.key) {
                Ok(time) => by.push((witness.name.clone(), time)),
                Err(TlogError::Unsigned { .. }) => (),
                Err(forged) => return Err(forged),
            }
        }
        let signed: BTreeSet<&str> = by.iter().map(|(name, _)| name.as_str()).collect();
        let enough = self.quorum.as_deref().is_none_or(|quorum| self.holds(quorum, &signed));
        Ok(Witnessed { of: self.witnesses.len(), enough, by })
    }

    /// Members are defined before the groups that have them, so this ends.
    fn holds(&self, name: &str, signed: &BTreeSet<&str>) -> bool {
        match self.groups.get(name) {
            None => signed.contains(name),
            Some(group) => {
                group.members.iter().filter(|member| self.holds(member, signed)).count() >= group.least
            }
        }
    }
}

const NONE: &str = "none";

#[derive(Default)]
struct PolicyParser {
    logs: Vec<VerifierKey>,
    witnesses: Vec<Witness>,
    groups: BTreeMap<String, WitnessGroup>,
    members: BTreeSet<String>,
    quorum: Option<String>,
}

impl PolicyParser {
    fn line(&mut self, words: &[&str]) -> Result<(), String> {
        match words {
            [] => Ok(()),
            [first, ..] if first.starts_with('#') => Ok(()),
            ["log", key] | ["log", key, _] => self.log(key),
            ["witness", name, key] => self.witness(name, key, None),
            ["witness", name, key, url] => self.witness(name, key, Some(url)),
            ["group", name, least, members @ ..] => self.group(name, least, members),
            ["quorum", name] => self.quorum(name),
            [first, ..] => Err(format!(
                "`{first}` with {} words after it is not understood: write log, witness, group or quorum",
                words.len() - 1
            )),
        }
    }

    fn log(&mut self, key: &str) -> Result<(), String> {
        let key = typed(key, Algorithm::Ed25519, "a log signs with type 1")?;
        if self.logs.iter().any(|log| log.bytes() == key.bytes()) {
            return Err("this log is named twice".into());
        }
        self.logs.push(key);
        Ok(())
    }

    fn witness(&mut self, name: &str, key: &str, url: Option<&&str>) -> Result<(), String> {
        self.refuse_known(name)?;
        let key = typed(key, Algorithm::Cosignature, "a witness signs with type 4")?;
        // One witness under two names would count twice.
        if self.witnesses.iter().any(|witness| witness.key.bytes() == key.bytes()) {
            return Err("this witness is named twice".into());
        }
        self.witnesses.push(Witness { name: name.into(), key, url: url.map(|url| (*url).into()) });
        Ok(())
    }

    fn group(&mut self, name: &str, least: &str, members: &[&str]) -> Result<(), String> {
        self.refuse_known(name)?;
        for member in members {
            if !self.is_known(member) {
                return Err(format!("`{member}` is not defined above"));
            }
            if !self.members.insert((*member).into()) {
                return Err(format!("`{member}` is a member twice, and would count twice"));
            }
        }
        let least = match least {
            "all" => Some(members.len()),
            "any" => Some(1),
            number => super::decimal(number).and_then(|number| usize::try_from(number).ok()),
        };
        let least = least.filter(|least| (1..=members.len()).contains(least));
        let least =
            least.ok_or("write all, any or a number from 1 to the number of members, then the members")?;
        let members = members.iter().map(|member| (*member).into()).collect();
        self.groups.insert(name.into(), WitnessGroup { least, members });
        Ok(())
    }

    fn quorum(&mut self, name: &str) -> Result<(), String> {
        if self.quorum.is_some() {
            return Err("there is a quorum line already".into());
        }
        if name != NONE && !self.is_known(name) {
            return Err(format!("`{name}` is not defined above"));
        }
        self.quorum = Some(name.into());
        Ok(())
    }

    fn is_known(&self, name: &str) -> bool {
        self.groups.contains_key(name) || self.witnesses.iter().any(|witness| witness.name == name)
    }

    fn refuse_known(&self, name: &str) -> Result<(), String> {
        match name == NONE || self.is_known(name) {
            true => Err(format!("the name `{name}` is taken")),
            false => Ok(()),
        }
    }
}

fn typed(key: &str, algorithm: Algorithm, why: &str) -> Result<VerifierKey, String> {
    let key = VerifierKey::parse(key).map_err(|flaw| flaw.to_string())?;
    if key.algorithm() == algorithm { Ok(key) } else { Err(format!("`{key}` is of another kind: {why}")) }
}
