//! What was answered is in the record: every write once, under its key, as the act that was told; every ring over.

use std::collections::HashMap;
use std::path::Path;

use serde_json::{Value, json};
use synod_core::House;
use synod_journal::{Error, Head, SqliteReader, chain};

use super::failed;
use crate::fail::Result;

/// Reads the whole journal and holds it against what agents were told.
pub(super) fn check<'a>(dir: &Path, told: impl Iterator<Item = &'a (String, u64)>) -> Result<Value> {
    let mut house = House::default();
    let mut kept: HashMap<String, Vec<u64>> = HashMap::new();
    let head = chain::walk(&SqliteReader::open(dir)?, Head::default(), |act, _| {
        if let Some(key) = &act.key {
            // Agents' own words come last; what stands before says whose they are.
            let own = key.0.rsplit('/').next().unwrap_or_default();
            kept.entry(own.into()).or_default().push(act.seq.0);
        }
        house.evolve(&act);
        Ok::<(), Error>(())
    })?;
    let mut writes = 0;
    for (key, act) in told {
        writes += 1;
        match kept.remove(key).as_deref() {
            Some([only]) if only == act => (),
            Some(others) => {
                return Err(failed(format!(
                    "the write {key} was acknowledged as act {act} and is {others:?}"
                )));
            }
            None => return Err(failed(format!("the write {key} was acknowledged as act {act} and is lost"))),
        }
    }
    if let Some(key) = kept.keys().next() {
        return Err(failed(format!("the write {key} is in the journal and was acknowledged to nobody")));
    }
    let open = house.summaries().filter(|known| !known.is_over()).count();
    if open > 0 {
        return Err(failed(format!("{open} rings are not over")));
    }
    let passed = house.summaries().filter(|known| known.status.word() == "passed").count();
    Ok(json!({ "writes": writes, "lost": 0, "doubled": 0, "acts": head.seq, "rings_settled": passed }))
}
