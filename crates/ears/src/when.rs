//! Times as sources write them: seconds, milliseconds, `1:02:03.5`, `2026-03-27T10:00:00Z`. Read by what stands there, since some
//! sources put both kinds beside each other.

use serde_json::Value;

use crate::heard::Millis;

/// A number from here on cannot be seconds of a meeting: it is seconds since 1970.
const EPOCH_SECONDS: f64 = 1e8;
/// And from here on milliseconds since 1970.
const EPOCH_MILLIS: f64 = 1e11;
/// The year 5138; nothing later is meant.
const LATEST: f64 = 1e14;

/// A moment as a source gives it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RawTime {
    /// From the start of the room.
    Room(Millis),
    /// Since 1970.
    Epoch(i64),
}

/// What a bare number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeUnit {
    /// Seconds.
    Seconds,
    /// Milliseconds.
    Millis,
}

/// Reads a time, or says what is wrong with it.
pub(crate) fn read(value: &Value, unit: TimeUnit) -> Result<RawTime, String> {
    match value {
        Value::Number(number) => count(number.as_f64().unwrap_or(f64::NAN), unit),
        Value::String(text) => written(text, unit),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => Err("no time".into()),
    }
}

fn count(number: f64, unit: TimeUnit) -> Result<RawTime, String> {
    if !number.is_finite() {
        return Err("this is no time".into());
    }
    if number.abs() > LATEST {
        // Whoever puts times straight refuses it.
        return Ok(RawTime::Room(if number > 0.0 { Millis::MAX / 4 } else { Millis::MIN / 4 }));
    }
    Ok(match unit {
        TimeUnit::Seconds if number >= EPOCH_MILLIS => RawTime::Epoch(number.round() as i64),
        TimeUnit::Seconds if number >= EPOCH_SECONDS => RawTime::Epoch((number * 1000.0).round() as i64),
        TimeUnit::Seconds => RawTime::Room((number * 1000.0).round() as i64),
        TimeUnit::Millis if number >= EPOCH_MILLIS => RawTime::Epoch(number.round() as i64),
        TimeUnit::Millis => RawTime::Room(number.round() as i64),
    })
}

/// Reads a time that is written as text.
pub(crate) fn written(text: &str, unit: TimeUnit) -> Result<RawTime, String> {
    let text = text.trim();
    let wrong = || format!("{:?} is no time", text.chars().take(40).collect::<String>());
    if let Some(moment) = iso_moment(text) {
        return Ok(RawTime::Epoch(moment));
    }
    if text.contains(':') {
        return clock(text).map(RawTime::Room).ok_or_else(wrong);
    }
    let plain = text.strip_suffix('s').unwrap_or(text);
    let digits = plain.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '.');
    let number: f64 = plain.parse().ok().filter(|_| digits).ok_or_else(wrong)?;
    let unit = if plain.len() < text.len() { TimeUnit::Seconds } else { unit };
    count(number, unit)
}

/// `1:02:03.5`, `02:03,500`: hours may be missing.
pub(crate) fn clock(text: &str) -> Option<Millis> {
    let text = text.trim();
    let (whole, part) = text.split_once(['.', ',']).unwrap_or((text, ""));
    let mut seconds: i64 = 0;
    let mut parts = 0;
    for piece in whole.split(':') {
        seconds = seconds.checked_mul(60)?.checked_add(i64::from(digits(piece)?))?;
        parts += 1;
    }
    if !(2..=3).contains(&parts) {
        return None;
    }
    seconds.checked_mul(1000)?.checked_add(fraction(part)?)
}

/// At most seven digits and nothing else.
fn digits(text: &str) -> Option<u32> {
    let fine = (1..=7).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    fine.then(|| text.parse().ok()).flatten()
}

/// The thousandths of a fraction, cut off.
fn fraction(text: &str) -> Option<i64> {
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let three: String = text.chars().chain("000".chars()).take(3).collect();
    three.parse().ok()
}

/// `2026-03-27T10:00:00.250+02:00` in milliseconds since 1970. Without a zone it is taken for UTC.
pub(crate) fn iso_moment(text: &str) -> Option<i64> {
    let (date, time) = text.split_once(['T', 't', ' '])?;
    let mut date = date.split('-');
    let (year, month, day) = (
        digits(date.next()?)?,
        digits(date.next()?)?,
        digits(date.next()?).filter(|_| date.next().is_none())?,
    );
    let (time, zone) = match time.find(['Z', 'z', '+', '-']) {
        Some(at) => (&time[..at], &time[at..]),
        None => (time, ""),
    };
    let (whole, part) = time.split_once(['.', ',']).unwrap_or((time, ""));
    let mut pieces = whole.split(':');
    let (hour, minute) = (digits(pieces.next()?)?, digits(pieces.next()?)?);
    let second = pieces.next().map_or(Some(0), digits).filter(|_| pieces.next().is_none())?;
    let sane = (1970..=5000).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    if !sane || hour > 24 || minute > 59 || second > 60 {
        return None;
    }
    let seconds = days(i64::from(year), i64::from(month), i64::from(day)) * 86_400
        + i64::from(hour) * 3600
        + i64::from(minute) * 60
        + i64::from(second)
        - offset(zone)?;
    Some(seconds * 1000 + fraction(part)?)
}

/// Seconds that a zone is ahead of UTC.
fn offset(zone: &str) -> Option<i64> {
    let sign = match zone.chars().next() {
        None | Some('Z' | 'z') => return (zone.len() <= 1).then_some(0),
        Some('-') => -1,
        Some(_) => 1,
    };
    let plain: String = zone[1..].chars().filter(|c| *c != ':').collect();
    let number = i64::from(digits(&plain)?);
    match plain.len() {
        2 => Some(sign * number * 3600),
        4 => Some(sign * (number / 100 * 3600 + number % 100 * 60)),
        _ => None,
    }
}

/// Days since 1970 of a date of our calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// The other way round: milliseconds since 1970 as `2026-03-27T10:00:00.250Z`.
pub(crate) fn iso(moment: i64) -> String {
    let (day, rest) = (moment.div_euclid(86_400_000), moment.rem_euclid(86_400_000));
    let shifted = day + 719_468;
    let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month = (5 * of_year + 2) / 153;
    let date = of_year - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    let (seconds, millis) = (rest / 1000, rest % 1000);
    let part = if millis == 0 { String::new() } else { format!(".{millis:03}") };
    format!(
        "{year:04}-{month:02}-{date:02}T{:02}:{:02}:{:02}{part}Z",
        seconds / 3600,
        seconds / 60 % 60,
        seconds % 60
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn times_are_read_by_what_they_are() {
        let read = |value: Value| read(&value, TimeUnit::Seconds);
        assert_eq!(read(json!(12.345)), Ok(RawTime::Room(12_345)));
        assert_eq!(read(json!("2.480")), Ok(RawTime::Room(2480)));
        assert_eq!(read(json!("1.5s")), Ok(RawTime::Room(1500)));
        assert_eq!(read(json!("0:00:12")), Ok(RawTime::Room(12_000)));
        assert_eq!(read(json!("01:02:03,5")), Ok(RawTime::Room(3_723_500)));
        assert_eq!(read(json!(1_703_123_456_789_i64)), Ok(RawTime::Epoch(1_703_123_456_789)));
        assert_eq!(read(json!(1_703_123_456.5)), Ok(RawTime::Epoch(1_703_123_456_500)));
        assert_eq!(read(json!("2026-03-27T10:00:02+02:00")), read(json!("2026-03-27T08:00:02Z")));
        assert_eq!(read(json!(1e300)), Ok(RawTime::Room(Millis::MAX / 4)));
        for wrong in [json!("nan"), json!("soon"), json!("1:2:3:4"), json!(""), json!(true)] {
            assert!(read(wrong.clone()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_moment_is_written_as_it_is_read() {
        assert_eq!(iso(0), "1970-01-01T00:00:00Z");
        for text in ["2026-11-16T10:00:00Z", "2000-02-29T23:59:59.250Z", "2100-03-01T00:00:00Z"] {
            assert_eq!(iso(iso_moment(text).unwrap()), text);
        }
    }
}
