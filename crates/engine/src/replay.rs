//! Reading a journal back: fold it into its house, or judge every command again and compare.

use std::fmt;

use serde_json::Value;
use synod_core::kernel::Seq;
use synod_core::{Act, Command, House, Outcome, edition};
use synod_journal::{Broken, Head, JournalReader, chain, redacted};

use crate::Fault;
use crate::archive::{KEEP, load};
use crate::branches::Branches;

/// Rebuilds the house of a journal with all its matters in it, checking the chain on the way.
pub fn fold(reader: &dyn JournalReader) -> Result<(House, Head), Fault> {
    let mut house = House::default();
    let head = chain::walk(reader, Head::default(), |act, _| {
        house.evolve(&act);
        Ok::<(), Fault>(())
    })?;
    Ok((house, head))
}

/// Rebuilds the house as it was after an act, checking the chain on the way.
pub fn fold_to(reader: &dyn JournalReader, last: Seq) -> Result<House, Fault> {
    let mut house = House::default();
    chain::walk(reader, Head::default(), |act, _| {
        if act.seq <= last {
            house.evolve(&act);
        }
        Ok::<(), Fault>(())
    })?;
    Ok(house)
}

/// What a replay came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Replayed {
    /// Acts in the journal.
    pub acts: u64,
    /// Of those, acts that were taken as recorded: they are redacted, and without its words a command cannot
    /// be judged.
    pub redacted: u64,
    /// Acts that were taken as recorded besides: they are about matters that branch off from a redacted one, and
    /// were judged by words of it that are gone.
    pub branched: u64,
    /// Acts of editions that this build cannot judge, taken as recorded: each edition with how many.
    pub editions: Vec<(u32, u64)>,
    /// The edition the house is judged by now.
    pub edition: u32,
    /// The head of the chain made anew from what was judged.
    pub head: Head,
}

impl Replayed {
    /// Acts that were judged again.
    pub fn judged(&self) -> u64 {
        self.acts - self.redacted - self.branched - self.editions.iter().map(|(_, acts)| acts).sum::<u64>()
    }

    fn take_edition(&mut self, edition: u32) {
        match self.editions.iter_mut().find(|(known, _)| *known == edition) {
            Some((_, acts)) => *acts += 1,
            None => self.editions.push((edition, 1)),
        }
    }
}

/// A command that comes out otherwise now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("act {seq} comes out otherwise when judged again (edition {edition}):\n{}", lines(differences))]
pub struct Divergence {
    /// Which act.
    pub seq: Seq,
    /// The edition it was judged by.
    pub edition: u32,
    /// What differs, by its place in the act.
    pub differences: Vec<Difference>,
}

/// Something that differs between what is recorded and what comes out now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// Where in the act, such as `outcome.done[2].ballot.closed.tally.yes`.
    pub place: String,
    /// What is recorded there; none if nothing is.
    pub recorded: Option<Value>,
    /// What comes out now.
    pub now: Option<Value>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |value: &Option<Value>| value.as_ref().map_or("nothing".into(), Value::to_string);
        write!(f, "  {}: recorded {}, now {}", self.place, shown(&self.recorded), shown(&self.now))
    }
}

/// So many differences are listed; one act can differ in all of its events.
const SHOWN: usize = 20;

fn lines(differences: &[Difference]) -> String {
    let mut lines: Vec<String> = differences.iter().take(SHOWN).map(ToString::to_string).collect();
    if differences.len() > SHOWN {
        lines.push(format!("  and {} more", differences.len() - SHOWN));
    }
    lines.join("\n")
}

/// What differs between two acts, messages aside.
pub fn differences(recorded: &Act, now: &Act) -> Result<Vec<Difference>, Broken> {
    let written = |act: &Act| {
        let value = act.to_json().and_then(|text| serde_json::from_str::<Value>(&text));
        value.map_err(|error| Broken::NotAnAct { seq: act.seq, why: error.to_string() })
    };
    let mut found = Vec::new();
    compare("", &written(recorded)?, &written(now)?, &mut found);
    Ok(found)
}

fn compare(place: &str, recorded: &Value, now: &Value, found: &mut Vec<Difference>) {
    let below = |key: &str| if place.is_empty() { key.to_string() } else { format!("{place}.{key}") };
    match (recorded, now) {
        (Value::Object(one), Value::Object(other)) => {
            for (key, value) in one {
                match other.get(key) {
                    // Wording is recorded for readers and never compared.
                    Some(_) if key == "message" || key == "detail" => (),
                    Some(again) => compare(&below(key), value, again, found),
                    None => {
                        found.push(Difference { place: below(key), recorded: Some(value.clone()), now: None })
                    }
                }
            }
            for (key, value) in other.iter().filter(|(key, _)| !one.contains_key(*key)) {
                found.push(Difference { place: below(key), recorded: None, now: Some(value.clone()) });
            }
        }
        (Value::Array(one), Value::Array(other)) => {
            for nth in 0..one.len().max(other.len()) {
                let at = format!("{place}[{nth}]");
                match (one.get(nth), other.get(nth)) {
                    (Some(value), Some(again)) => compare(&at, value, again, found),
                    (value, again) => {
                        found.push(Difference { place: at, recorded: value.cloned(), now: again.cloned() })
                    }
                }
            }
        }
        (one, other) if one == other => (),
        (one, other) => found.push(Difference {
            place: place.into(),
            recorded: Some(one.clone()),
            now: Some(other.clone()),
        }),
    }
}

/// Judges every recorded command again, without any model. The first act that comes out otherwise ends it. Redacted acts
/// are taken as they are recorded, and so is what branches of their matters came to before the redaction, and whatever
/// was judged by an edition of the rules that this build does not know.
pub fn replay(reader: &dyn JournalReader) -> Result<Result<Replayed, Box<Divergence>>, Fault> {
    let mut house = House::default();
    let head = Head::default();
    let mut replayed = Replayed { acts: 0, redacted: 0, branched: 0, editions: Vec::new(), edition: 0, head };
    let mut divergence = None;
    let mut branches: Option<Branches> = None;
    chain::walk(reader, Head::default(), |act, record| {
        if divergence.is_some() {
            return Ok::<(), Fault>(());
        }
        if record.redacted && branches.is_none() {
            // Whatever branches off from a redacted matter comes after words of it that are gone.
            branches = Some(Branches::of(redacted(reader)?));
        }
        let branched = branches.as_mut().is_some_and(|branches| branches.take(&act));
        replayed.acts += 1;
        replayed.head = record.head();
        for matter in house.away_in(&act).into_iter().chain(house.away_for(&act.command)) {
            let case = load(reader, &house, matter)?;
            house.restore(case);
        }
        let judged_by = judged_by(&house, &act);
        if record.redacted {
            replayed.redacted += 1;
        } else if branched {
            replayed.branched += 1;
        } else if !edition::KNOWN.contains(&judged_by) {
            replayed.take_edition(judged_by);
        } else {
            // That a signature was there is taken as recorded: `synod verify` checks it.
            let (by, key, vouched) = (act.by.clone(), act.key.clone(), act.vouched.clone());
            let (mut again, after) = house.judge_vouched(act.at, by, vouched, key, act.command.clone());
            again.salt.clone_from(&act.salt);
            if !again.agrees_with(&act) {
                let differences = differences(&act, &again)?;
                divergence = Some(Box::new(Divergence { seq: act.seq, edition: judged_by, differences }));
                return Ok(());
            }
            // What agrees may be worded otherwise; what was recorded is what the house goes on with.
            if again == act {
                house = after;
                house.archive_idle(KEEP);
                return Ok(());
            }
        }
        house.evolve(&act);
        Ok(())
    })?;
    replayed.edition = house.edition();
    Ok(match divergence {
        Some(divergence) => Err(divergence),
        None => Ok(replayed),
    })
}

/// The edition that an act was judged by. The act that founds a house is judged by what it is founded with, and only a
/// build that knows the next edition can judge an upgrade to it.
fn judged_by(house: &House, act: &Act) -> u32 {
    match &act.command {
        Command::Upgrade { edition } if matches!(act.outcome, Outcome::Done(_)) => {
            (*edition).max(house.edition())
        }
        _ if house.founded().is_some() => house.edition(),
        Command::Found { edition, .. } => *edition,
        _ => edition::CURRENT,
    }
}
