//! A house as bytes, so that it need not be folded from its first act: a cache, never a record.
//!
//! The parts of the house as a whole are JSON. Matters are their summaries, written in a form of their own: there are
//! many of them, and every command reads them all. The bytes hold topics, so they are thrown away when a matter is
//! redacted. To change the form: raise [`House::SNAPSHOT_FORM`]; nobody reads an earlier one.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::away::Slot;
use super::keys::Fading;
use super::{House, Summary, Upkeep};
use crate::canon::Canon;
use crate::dissent::DissentOrders;
use crate::event::{Adopted, Founded};
use crate::issue::Docket;
use crate::kernel::{At, Digest, Id, Key, MatterId, SeatKind, Seq, Who};
use crate::lease::Leases;
use crate::ledger::Ledger;
use crate::matter::{Forked, Status};
use crate::monitor::Monitor;
use crate::period::Periods;
use crate::roster::Roster;
use crate::track::Track;
use crate::trigger::Triggers;

/// The bytes are not those of a house.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the snapshot is damaged")]
pub struct Damaged;

/// Everything but the matters.
#[derive(Serialize, Deserialize)]
struct Frame {
    founded: Option<Arc<Founded>>,
    edition: u32,
    seq: Seq,
    now: At,
    roster: Arc<Roster>,
    charters: Vec<Adopted>,
    fading: Vec<Fading>,
    lived_ms: u64,
    upkeep: Arc<Upkeep>,
    monitor: Arc<Monitor>,
    triggers: Arc<Triggers>,
    track: Arc<Track>,
    docket: Arc<Docket>,
    dissent: Arc<DissentOrders>,
    periods: Arc<Periods>,
    ledger: Arc<Ledger>,
    canon: Arc<Canon>,
    leases: Arc<Leases>,
    tables: Tables,
}

type SeatList = Arc<[(Who, SeatKind)]>;

/// What many matters have in common, once.
#[derive(Default, Serialize, Deserialize)]
struct Tables {
    charters: Vec<(Arc<str>, Digest)>,
    statuses: Vec<Status>,
    seats: Vec<SeatList>,
}

impl House {
    /// The form that [`House::pack`] writes.
    pub const SNAPSHOT_FORM: u32 = 6;

    /// The house as bytes. Of matters only what their summaries say.
    pub fn pack(&self) -> Vec<u8> {
        let mut writer = SnapshotWriter::default();
        writer.number(self.cases.len() as u64);
        let mut last = 0;
        for slot in self.cases.values() {
            let summary = slot.summary();
            writer.summary(&summary, last);
            last = summary.id.0.act.0;
        }
        let (lasting, fading) = self.keys.parts();
        writer.number(lasting.len() as u64);
        for (key, act) in lasting {
            writer.text(&key.0);
            writer.number(act.0);
        }
        let frame = Frame {
            founded: self.founded.clone(),
            edition: self.edition,
            seq: self.seq,
            now: self.now,
            roster: self.roster.clone(),
            charters: self.charters.values().cloned().collect(),
            fading,
            lived_ms: self.keys.lived_ms(),
            upkeep: self.upkeep.clone(),
            monitor: self.monitor.clone(),
            triggers: self.triggers.clone(),
            track: self.track.clone(),
            docket: self.docket.clone(),
            dissent: self.dissent.clone(),
            periods: self.periods.clone(),
            ledger: self.ledger.clone(),
            canon: self.canon.clone(),
            leases: self.leases.clone(),
            tables: writer.tables,
        };
        let frame = serde_json::to_vec(&frame).unwrap_or_default();
        let mut bytes = (frame.len() as u64).to_be_bytes().to_vec();
        bytes.extend(frame);
        bytes.extend(writer.bytes);
        bytes
    }

    /// The house that was packed. All its matters are away: [`House::left_active`] says which must come back before
    /// anything is judged or recorded.
    pub fn unpack(bytes: &[u8]) -> Result<Self, Damaged> {
        let (length, rest) = bytes.split_first_chunk::<8>().ok_or(Damaged)?;
        let length = usize::try_from(u64::from_be_bytes(*length)).map_err(|_| Damaged)?;
        let (frame, rest) = rest.split_at_checked(length).ok_or(Damaged)?;
        let frame: Frame = serde_json::from_slice(frame).map_err(|_| Damaged)?;
        let mut house = Self {
            founded: frame.founded,
            edition: frame.edition,
            seq: frame.seq,
            now: frame.now,
            roster: frame.roster,
            charters: frame.charters.into_iter().map(|adopted| (adopted.digest, adopted)).collect(),
            monitor: frame.monitor,
            triggers: frame.triggers,
            track: frame.track,
            docket: frame.docket,
            dissent: frame.dissent,
            periods: frame.periods,
            ledger: frame.ledger,
            canon: frame.canon,
            leases: frame.leases,
            upkeep: frame.upkeep,
            ..Self::default()
        };
        let mut reader = SnapshotReader { bytes: rest, tables: &frame.tables };
        let mut last = 0;
        for number in 1..=reader.number()? {
            let summary = reader.summary(number, last)?;
            last = summary.id.0.act.0;
            house.cases.insert(summary.id, Slot::Away(Arc::new(summary)));
        }
        let mut lasting = Vec::new();
        for _ in 0..reader.number()? {
            let key = Key(reader.text()?);
            lasting.push((key, Seq(reader.number()?)));
        }
        house.keys = super::keys::Keys::of(lasting, frame.fading, frame.lived_ms);
        if reader.bytes.is_empty() { Ok(house) } else { Err(Damaged) }
    }

    /// Matters in which something may still happen by itself, and that are away.
    pub fn left_active(&self) -> Vec<MatterId> {
        let left = self.cases.iter().filter(|(_, slot)| match slot {
            Slot::Away(summary) => summary.active,
            Slot::Here(_) => false,
        });
        left.map(|(id, _)| *id).collect()
    }
}

/// Writes summaries: numbers take as many bytes as they need.
#[derive(Default)]
struct SnapshotWriter {
    bytes: Vec<u8>,
    tables: Tables,
    charters: BTreeMap<(Arc<str>, Digest), u64>,
    seats: BTreeMap<SeatList, u64>,
}

impl SnapshotWriter {
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// `last` is the act that opened the matter before.
    fn summary(&mut self, summary: &Summary, last: u64) {
        let id = summary.id.0;
        self.number(id.act.0.wrapping_sub(last));
        self.number(id.nth.into());
        self.number(summary.opened.0);
        self.number(summary.last.0);
        self.text(&summary.topic);
        let (charter, status) = (self.charter(summary), self.status(summary.status));
        let seats = self.seats(&summary.seats);
        self.number(charter);
        self.number(status);
        self.number(seats);
        self.number(u64::from(summary.ring) | u64::from(summary.active) << 1 | u64::from(summary.issue) << 2);
        self.number(summary.rounds.into());
        self.number(summary.redacted_by.map_or(0, |by| by.0));
        match summary.forked {
            None => self.number(0),
            Some(Forked { from, round }) => {
                // No act has the number 0.
                self.number(from.0.act.0);
                self.number(from.0.nth.into());
                self.number(round.into());
            }
        }
        self.number(summary.acts.len() as u64);
        let mut before = id.act.0;
        for act in summary.acts.iter() {
            self.number(act.0.wrapping_sub(before));
            before = act.0;
        }
    }

    fn charter(&mut self, summary: &Summary) -> u64 {
        let pinned = (summary.charter.clone(), summary.digest);
        let tables = &mut self.tables;
        *self.charters.entry(pinned.clone()).or_insert_with(|| {
            tables.charters.push(pinned);
            tables.charters.len() as u64 - 1
        })
    }

    fn status(&mut self, status: Status) -> u64 {
        let statuses = &mut self.tables.statuses;
        let known = statuses.iter().position(|known| *known == status);
        known.unwrap_or_else(|| {
            statuses.push(status);
            statuses.len() - 1
        }) as u64
    }

    fn seats(&mut self, seats: &SeatList) -> u64 {
        if let Some(known) = self.seats.get(seats) {
            return *known;
        }
        let next = self.tables.seats.len() as u64;
        self.tables.seats.push(seats.clone());
        self.seats.insert(seats.clone(), next);
        next
    }
}

/// Reads what a [`SnapshotWriter`] wrote.
struct SnapshotReader<'a> {
    bytes: &'a [u8],
    tables: &'a Tables,
}

impl SnapshotReader<'_> {
    fn number(&mut self) -> Result<u64, Damaged> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let (byte, rest) = self.bytes.split_first().ok_or(Damaged)?;
            self.bytes = rest;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Damaged)
    }

    fn small<T: TryFrom<u64>>(&mut self) -> Result<T, Damaged> {
        T::try_from(self.number()?).map_err(|_| Damaged)
    }

    fn text(&mut self) -> Result<Arc<str>, Damaged> {
        let length = self.small()?;
        let (text, rest) = self.bytes.split_at_checked(length).ok_or(Damaged)?;
        self.bytes = rest;
        Ok(std::str::from_utf8(text).map_err(|_| Damaged)?.into())
    }

    fn of_table<T: Clone>(&mut self, table: &[T]) -> Result<T, Damaged> {
        table.get(self.small::<usize>()?).cloned().ok_or(Damaged)
    }

    fn summary(&mut self, number: u64, last: u64) -> Result<Summary, Damaged> {
        let tables = self.tables;
        let id = Id { act: Seq(self.number()?.wrapping_add(last)), nth: self.small()? };
        let (opened, last) = (At(self.number()?), At(self.number()?));
        let topic = self.text()?;
        let (charter, digest) = self.of_table(&tables.charters)?;
        let status = self.of_table(&tables.statuses)?;
        let seats = self.of_table(&tables.seats)?;
        let flags = self.number()?;
        let rounds = self.small()?;
        let redacted_by = Some(self.number()?).filter(|by| *by > 0).map(Seq);
        let forked = match self.number()? {
            0 => None,
            act => {
                let from = MatterId(Id { act: Seq(act), nth: self.small()? });
                Some(Forked { from, round: self.small()? })
            }
        };
        let mut before = id.act.0;
        let acts = (0..self.number()?).map(|_| {
            before = self.number()?.wrapping_add(before);
            Ok(Seq(before))
        });
        let acts = acts.collect::<Result<_, Damaged>>()?;
        let (ring, active, issue) = (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0);
        let id = MatterId(id);
        Ok(Summary {
            id,
            number,
            opened,
            last,
            topic,
            charter,
            digest,
            status,
            ring,
            issue,
            active,
            seats,
            rounds,
            forked,
            redacted_by,
            acts,
        })
    }
}
