//! Time: the only place of the engine that reads a clock. Everything else gets the time as a value.
//!
//! The clock of a machine is set by people and programs, also by days. So the time of a house, which deadlines and the
//! order of acts go by, runs on the time since the machine started, which nobody can set. It is the clock's time as long as
//! the clock behaves. A clock that jumps is noted in the record (`AdjustTime`), and the time of the house goes on as if it
//! had not; so is time in which nothing could be written, which is charged to nobody. What the clock says at any act is
//! the time of the act less `ahead_ms` of the last such note.

use synod_core::House;
use synod_core::event::TimeAdjusted;
use synod_core::kernel::At;
use synod_journal::mark::uptime_ms;
use synod_journal::{DurabilityMark, Moment};

/// A clock that is off by more than this has jumped. Programs that keep a clock right move it by far less.
pub(crate) const JUMP_MS: u64 = 10_000;

/// The time by the system's clock.
pub fn now() -> At {
    Moment::now().wall
}

/// The time of a house, in this process.
#[derive(Debug, Clone, Copy)]
pub struct HouseClock {
    /// What time it was in the house at that moment since the machine started.
    at: At,
    uptime_ms: u64,
    /// Time that was taken out since the record last said so.
    stalled_ms: u64,
}

impl HouseClock {
    /// The time of a house that was just opened. If its mark was made after its last act and since the machine started, the
    /// time that passed is known. Otherwise the system's clock counts, unless it is earlier than the last act.
    pub fn of(house: &House, mark: Option<DurabilityMark>) -> Self {
        let now = Moment::now();
        let by_wall = shifted(now.wall, house.upkeep().ahead_ms);
        let passed =
            mark.filter(|mark| mark.head.seq == house.seq()).and_then(|mark| now.since(&mark.moment));
        let known = passed.map(|passed| house.now().plus(passed));
        // A clock that is off by a few seconds is more accurate than a sum of small delays.
        let at = known.filter(|known| known.0.abs_diff(by_wall.0) > JUMP_MS).unwrap_or(by_wall);
        Self { at: at.max(house.now()), uptime_ms: now.uptime_ms, stalled_ms: 0 }
    }

    /// What time it is in the house.
    pub fn now(&self) -> At {
        self.at.plus(uptime_ms().saturating_sub(self.uptime_ms))
    }

    /// Sets the time back to `at`: nothing could be done since then.
    pub(crate) fn take_out(&mut self, at: At) {
        let now = self.now();
        self.stalled_ms = self.stalled_ms.saturating_add(now.since(at));
        (self.at, self.uptime_ms) = (at.min(now), uptime_ms());
    }

    /// The note that the record still lacks: the clock jumped, or time was taken out of it.
    pub(crate) fn due(&self, house: &House) -> Option<TimeAdjusted> {
        let ahead_ms = difference(self.now(), now());
        let moved = ahead_ms.saturating_sub(house.upkeep().ahead_ms);
        (moved.unsigned_abs() > JUMP_MS).then(|| self.adjusted(house, None))
    }

    /// The same, whether it is due or not.
    pub(crate) fn adjusted(&self, house: &House, cause: Option<String>) -> TimeAdjusted {
        let ahead_ms = difference(self.now(), now());
        let moved = ahead_ms.saturating_sub(house.upkeep().ahead_ms);
        let taken_out = i64::try_from(self.stalled_ms).unwrap_or(i64::MAX);
        // The house falls behind by what is taken out, and by what the clock jumps ahead.
        let jumped_ms = moved.saturating_add(taken_out).saturating_neg();
        let jumped_ms = if jumped_ms.unsigned_abs() > JUMP_MS { jumped_ms } else { 0 };
        TimeAdjusted { ahead_ms, cause, jumped_ms, stalled_ms: self.stalled_ms }
    }

    /// The note is in the record.
    pub(crate) fn is_noted(&mut self) {
        self.stalled_ms = 0;
    }
}

fn difference(one: At, other: At) -> i64 {
    let ms = i64::try_from(one.0.abs_diff(other.0)).unwrap_or(i64::MAX);
    if one >= other { ms } else { -ms }
}

fn shifted(at: At, ms: i64) -> At {
    At(at.0.saturating_add_signed(ms))
}
