//! Charters: the rules in force, written in TOML, typed twice.
//!
//! A [`draft`](Draft) is what somebody wrote, every field optional and with its line; a [`Charter`] is what
//! holds. Between them stands `settle`, which lists every flaw at once. A mode is data: to add one, write a
//! file; no Rust changes. A charter may extend another (`inherit`). Settings with a range may be moved for one matter,
//! all others are fixed (`setting`). Defaults stand in `defaults`.

mod ballot;
mod brief;
mod council;
mod defaults;
mod draft;
mod inherit;
mod ledger;
mod motion;
mod own;
mod parliament;
mod parts;
mod refusal;
mod ring;
mod schema;
mod setting;
mod settle;
mod shipped;
pub mod source;
mod stage;
mod workshop;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

pub use crate::procedure::Rules as Procedure;
pub use council::{Council, Panel, RedTeam, Speak, Stage, StageKind, TurnRules, WatchRules};
pub use draft::Draft;
pub use inherit::{Flat, Parent, flatten};
pub use motion::Motion;
use own::{OwnTable, Unsettled};
pub use parliament::{
    BreakRules, Counting, ExploitationRules, LineRules, Parliament, Reminder, SummaryRules,
};

use crate::edition;
use crate::matter::QuestionKind;
pub use refusal::Refusal;
pub use ring::Ring;
pub use schema::schema;
pub(crate) use setting::SettingSlot;
pub use setting::{Knob, Setting, ShareRange};
pub use shipped::{SHIPPED, Shipped, councils, parent, shipped};
pub use source::Flaw;
pub use workshop::{ReportTiming, Workshop};

/// The rules one matter is held under.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Charter {
    /// Its name, as commands use it.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// What it is for, in a sentence or two.
    pub summary: String,
    /// How votes are judged.
    pub ballot: crate::ballot::Rules,
    /// What happens, and in which order.
    pub procedure: Procedure,
    /// How far shares may be moved for one matter, by the name of the setting. One that is not here is fixed.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub ranges: BTreeMap<String, ShareRange>,
}

/// Procedures that a charter chooses by a table of their own; a charter without such a table is a council's.
const OWN_TABLES: &[OwnTable] = &[ring::TABLE, workshop::TABLE];

/// A charter with nothing left to look up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedCharter {
    /// The rules.
    pub charter: Charter,
    /// The flat text of them, which a house adopts and pins.
    pub source: String,
    /// What may not be meant.
    pub warnings: Vec<Flaw>,
}

impl Charter {
    /// Reads a charter. On success there may be warnings; on failure every flaw is listed.
    pub fn parse(source: &str) -> Result<(Self, Vec<Flaw>), Vec<Flaw>> {
        Self::parse_by(source, edition::CURRENT)
    }

    /// The same with the defaults of an edition of the rules: what a house adopted comes out the same when it is judged again.
    pub(crate) fn parse_by(source: &str, edition: u32) -> Result<(Self, Vec<Flaw>), Vec<Flaw>> {
        let (draft, mut flaws) = Draft::read(source);
        if let Some(flaw) = settle::not_whole(&draft) {
            return Err(vec![flaw]);
        }
        let settled = settle::settle(draft, edition, &mut flaws);
        // Of a file that is not TOML, other flaws would be those of what was guessed from it.
        if flaws.iter().any(|flaw| flaw.key.is_empty()) {
            flaws.retain(|flaw| flaw.key.is_empty());
        }
        flaws.sort_by_key(|flaw| flaw.line);
        flaws.dedup();
        match settled {
            Some(charter) if flaws.iter().all(|flaw| !flaw.is_error) => Ok((charter, flaws)),
            Some(_) | None => Err(flaws),
        }
    }

    /// Reads a charter that may extend others. Flaws name the file and line they were written in.
    pub fn read(source: &str, lookup: &dyn Fn(&str) -> Option<Parent>) -> Result<ResolvedCharter, Vec<Flaw>> {
        let flat = flatten(source, lookup)?;
        match Self::parse(&flat.text) {
            Ok((charter, warnings)) => {
                let warnings = flat.locate(warnings);
                Ok(ResolvedCharter { charter, source: flat.text, warnings })
            }
            Err(flaws) => Err(flat.locate(flaws)),
        }
    }

    /// The rules of a council; `None` for other procedures.
    pub fn council(&self) -> Option<&Council> {
        if let Procedure::Council(council) = &self.procedure { Some(council) } else { None }
    }

    /// The kind of question it is for, where it is for one that is answered by neither yes or no nor given options.
    pub fn kind(&self) -> Option<QuestionKind> {
        self.council().and_then(Council::kind)
    }

    /// The rules of a parliament; `None` for charters whose matters are no motions.
    pub fn parliament(&self) -> Option<&Parliament> {
        self.council()?.parliament.as_ref()
    }

    /// The rules of a workshop; `None` for other procedures.
    pub fn workshop(&self) -> Option<&Workshop> {
        if let Procedure::Workshop(workshop) = &self.procedure { Some(workshop) } else { None }
    }

    /// The rules of a ring; `None` for other procedures.
    pub fn ring(&self) -> Option<&Ring> {
        if let Procedure::Ring(ring) = &self.procedure { Some(ring) } else { None }
    }
}
