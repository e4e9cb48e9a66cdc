//! Dates and times as people write them. Days are UTC, like all times we print.

use synod_core::kernel::At;

const DAY: u64 = 86_400_000;

/// A day or a moment, as written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct When {
    /// Its first millisecond.
    pub(super) from: At,
    /// Its last.
    pub(super) to: At,
}

/// Reads `2026-01-31` or `2026-01-31T08:30:00+02:00`.
pub(super) fn parse(written: &str) -> Result<When, String> {
    let wrong = || format!("`{written}` is not a date: write 2026-01-31, or 2026-01-31T08:30:00Z for a time");
    let text = written.trim();
    let (date, rest) = text.split_at_checked(10).ok_or_else(wrong)?;
    let day = day(date).ok_or_else(wrong)?;
    if rest.is_empty() {
        let from = day * DAY as i64;
        return Ok(When { from: at(from), to: at(from + DAY as i64 - 1) });
    }
    let moment = rest.strip_prefix(['T', 't', ' ']).and_then(time).ok_or_else(wrong)?;
    let moment = at(day * DAY as i64 + moment);
    Ok(When { from: moment, to: moment })
}

/// Nothing here is older than the epoch, so earlier moments are as good as its first.
fn at(ms: i64) -> At {
    At(u64::try_from(ms).unwrap_or(0))
}

/// Days since 1970-01-01.
fn day(date: &str) -> Option<i64> {
    let mut parts = date.split('-');
    let (year, month, day) =
        (number(parts.next()?, 4)?, number(parts.next()?, 2)?, number(parts.next()?, 2)?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let long = match month {
        4 | 6 | 9 | 11 => 30,
        2 => 28 + i64::from(leap),
        1..=12 => 31,
        _ => return None,
    };
    if parts.next().is_some() || !(1..=long).contains(&day) {
        return None;
    }
    // Years start in March inside, so that the leap day falls on the end.
    let shifted = year - i64::from(month <= 2);
    let (era, of_era) = (shifted.div_euclid(400), shifted.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468)
}

/// Milliseconds of the day in UTC; an offset may lead out of it.
fn time(written: &str) -> Option<i64> {
    let (clock, rest) = written.split_at_checked(8)?;
    let mut parts = clock.split(':');
    let (hour, minute, second) =
        (number(parts.next()?, 2)?, number(parts.next()?, 2)?, number(parts.next()?, 2)?);
    if parts.next().is_some() || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    let digits = rest.strip_prefix('.').map_or(0, |rest| rest.bytes().take_while(u8::is_ascii_digit).count());
    let (fraction, offset) = match rest.strip_prefix('.') {
        Some(_) if digits == 0 => return None,
        Some(rest) => rest.split_at(digits),
        None => ("", rest),
    };
    let ms: i64 = format!("{:0<3}", &fraction[..fraction.len().min(3)]).parse().ok()?;
    Some(((hour * 60 + minute - self::offset(offset)?) * 60 + second) * 1000 + ms)
}

/// Minutes east of Greenwich.
fn offset(written: &str) -> Option<i64> {
    if matches!(written, "Z" | "z") {
        return Some(0);
    }
    let sign = match written.chars().next()? {
        '+' => 1,
        '-' => -1,
        _ => return None,
    };
    let (hours, minutes) = written[1..].split_once(':')?;
    let (hours, minutes) = (number(hours, 2)?, number(minutes, 2)?);
    (hours < 24 && minutes < 60).then_some(sign * (hours * 60 + minutes))
}

/// A number of exactly so many digits.
fn number(written: &str, digits: usize) -> Option<i64> {
    let plain = written.len() == digits && written.bytes().all(|byte| byte.is_ascii_digit());
    if plain { written.parse().ok() } else { None }
}
