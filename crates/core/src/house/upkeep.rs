//! What happened to the house apart from its matters: which keys signed, how far its time and the clock of the machine went
//! apart, what was lost. Nothing is judged by it but the next key.

use serde::{Deserialize, Serialize};

use crate::event::{HouseRepair, KeyChange, KeyChanged, TimeAdjusted};
use crate::kernel::{At, Seq};

/// See the module.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Upkeep {
    /// All keys the house ever signed with, the present one last.
    pub keys: Vec<KnownKey>,
    /// How far the time of the house is ahead of the clock of the machine, in milliseconds, as last recorded.
    pub ahead_ms: i64,
    /// How often the clock jumped.
    pub jumps: u32,
    /// The last jump.
    pub last_jump: Option<(Seq, At, i64)>,
    /// How often nothing could be written for a while.
    pub stalls: u32,
    /// The last time that was so, and for how long.
    pub last_stall: Option<(Seq, At, u64)>,
    /// How often time was taken out because no process could work: it was stopped, or had ended while a ring was open.
    pub downtimes: u32,
    /// The last time that was so, and for how long.
    pub last_downtime: Option<(Seq, At, u64)>,
    /// What was lost, with the act that says so.
    pub repaired: Vec<(Seq, HouseRepair)>,
}

/// A key that signs or signed for the house.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownKey {
    /// The public key, in hex.
    pub key: String,
    /// The act that put it in force; it signs from the next one on.
    pub since: Seq,
    /// The act that put another in its place.
    pub until: Option<Seq>,
    /// Whether others may have it since then.
    pub revoked: bool,
    /// What vouches for it; none for the first one.
    pub how: Option<KeyChange>,
}

impl Upkeep {
    /// A house that was just founded.
    pub(super) fn founded(key: &str, act: Seq) -> Self {
        let first = KnownKey { key: key.into(), since: act, until: None, revoked: false, how: None };
        Self { keys: vec![first], ..Self::default() }
    }

    /// The key that signs now.
    pub fn key(&self) -> Option<&KnownKey> {
        self.keys.last()
    }

    /// The key of that name, if it ever was the house's.
    pub fn known(&self, key: &str) -> Option<&KnownKey> {
        self.keys.iter().find(|known| known.key == key)
    }

    pub(super) fn adjust_time(&mut self, act: Seq, at: At, adjusted: &TimeAdjusted) {
        self.ahead_ms = adjusted.ahead_ms;
        if adjusted.jumped_ms != 0 {
            self.jumps = self.jumps.saturating_add(1);
            self.last_jump = Some((act, at, adjusted.jumped_ms));
        }
        // Only a stall has a cause. Time without any process is taken out, too, and nothing failed in it.
        if adjusted.cause.is_some() {
            self.stalls = self.stalls.saturating_add(1);
            self.last_stall = Some((act, at, adjusted.stalled_ms));
        } else if adjusted.stalled_ms != 0 {
            self.downtimes = self.downtimes.saturating_add(1);
            self.last_downtime = Some((act, at, adjusted.stalled_ms));
        }
    }

    pub(super) fn change_key(&mut self, act: Seq, changed: &KeyChanged) {
        if let Some(last) = self.keys.last_mut() {
            last.until = Some(act);
            last.revoked = matches!(changed.how, KeyChange::Revoked { .. });
        }
        let how = Some(changed.how.clone());
        self.keys.push(KnownKey { key: changed.key.clone(), since: act, until: None, revoked: false, how });
    }
}
