//! Which failures are worth another try, and how long to wait before it.
//!
//! Pure but for the dice: the clock is an argument. Nothing here sleeps.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::settings::Pace;

/// Whether the same request may fare better later.
pub(crate) fn is_passing(status: u16) -> bool {
    matches!(status, 408 | 409 | 425 | 429 | 500..=599)
}

/// How long to wait after the `failed`-th failed try: a length that doubles, of which up to a fifth is left off at random, so
/// that seats which failed together do not come back together. Not more than a fifth: the waits together must outlast
/// a provider that is down for a minute.
pub(crate) fn backoff(pace: &Pace, failed: u32) -> Duration {
    let doubled = pace.base_ms.saturating_mul(1 << failed.saturating_sub(1).min(20)).min(pace.cap_ms);
    Duration::from_millis(fastrand::u64(doubled - doubled / 5..=doubled))
}

/// Reads `Retry-After`: seconds, or a date as HTTP writes it.
pub(crate) fn retry_after(written: &str, now: SystemTime, pace: &Pace) -> Option<Duration> {
    let written = written.trim();
    let wait = match written.parse::<u64>() {
        Ok(seconds) => Duration::from_secs(seconds),
        Err(_) => {
            (UNIX_EPOCH + Duration::from_secs(http_date(written)?)).duration_since(now).unwrap_or_default()
        }
    };
    Some(wait.min(Duration::from_millis(pace.retry_after_cap_ms)))
}

/// Seconds since the epoch of `Sun, 06 Nov 1994 08:49:37 GMT`, the only form that may still be sent.
fn http_date(written: &str) -> Option<u64> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let mut words = written.split_once(", ")?.1.split(' ');
    let day: u64 = words.next()?.parse().ok().filter(|day| (1..=31).contains(day))?;
    let month = words.next()?;
    let month = MONTHS.iter().position(|known| *known == month)? as u64;
    let year: u64 = words.next()?.parse().ok().filter(|year| (1970..=9999).contains(year))?;
    let mut clock = words.next()?.split(':').map(|part| part.parse::<u64>().ok().filter(|n| *n <= 60));
    let (hour, minute, second) = (clock.next()??, clock.next()??, clock.next()??);
    // Years that begin in March have their leap day at the end; March is month 0.
    let (year, month) = if month < 2 { (year - 1, month + 10) } else { (year, month - 2) };
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 1 - 719_468;
    Some(days * 86_400 + hour * 3600 + minute * 60 + second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_seconds() {
        let now = UNIX_EPOCH + Duration::from_secs(784_111_770);
        let pace = Pace::default();
        let read = |written| retry_after(written, now, &pace).map(|wait| wait.as_secs());
        assert_eq!(read("Sun, 06 Nov 1994 08:49:37 GMT"), Some(7));
        assert_eq!(read("Sun, 06 Nov 1994 08:49:00 GMT"), Some(0), "a date that has passed");
        assert_eq!(read(" 3 "), Some(3));
        assert_eq!(read("86400"), Some(120), "capped");
        assert_eq!(http_date("Thu, 29 Feb 2024 00:00:00 GMT"), Some(1_709_164_800));
        for wrong in ["soon", "-1", "", "Sun, 99 Nov 1994 08:49:37 GMT", "Sun, 06 Nov"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn the_usual_waits_outlast_a_minute() {
        let (pace, tries) = (Pace::default(), crate::settings::Provider::default().tries);
        for _ in 0..200 {
            let waits: Vec<Duration> = (1..tries).map(|failed| backoff(&pace, failed)).collect();
            let all: Duration = waits.iter().sum();
            // A turn of the shipped charters is 120 s: what is left of it is for the calls themselves.
            assert!((60..=80).contains(&all.as_secs()), "{waits:?}");
            assert!(
                waits.windows(2).all(|two| two[0] < two[1]),
                "each is longer than the one before: {waits:?}"
            );
        }
    }

    #[test]
    fn backoff_stays_below_its_limit() {
        let pace = Pace { base_ms: 10, cap_ms: 50, ..Pace::default() };
        for (failed, most) in [(1, 10), (2, 20), (3, 40), (4, 50), (64, 50)] {
            let within = |wait: Duration| (most * 4 / 5..=most).contains(&wait.as_millis());
            assert!((0..200).all(|_| within(backoff(&pace, failed))), "{failed}");
        }
    }
}
