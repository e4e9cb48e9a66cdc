//! The one clock. Everything else is told the time.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use synod_core::kernel::At;

/// The time by the system's clock.
pub fn now() -> At {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    At(since.as_millis() as u64)
}
