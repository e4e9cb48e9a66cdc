//! How sure somebody says they are.

use serde_json::Value;

use super::super::Field;
use crate::kernel::{Permille, Repair, text};

pub(super) fn confidence(field: &Field, value: &Value, repairs: &mut Vec<Repair>) -> Option<Permille> {
    let written = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_string(),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => String::new(),
    };
    let mut mended = |code: &str, made: &str| {
        repairs.push(Repair::new(
            code,
            format!("`{}` was `{}`: {made}", field.key, text::excerpt(&written, 20)),
        ));
    };
    let (number, percent) = match written.strip_suffix('%') {
        Some(number) => (number.trim(), true),
        None => (written.as_str(), false),
    };
    let Some(thousandths) = thousandths(number) else {
        mended("confidence-unreadable", "taken as unknown");
        return None;
    };
    let permille = |value: i64| Permille::new(value.clamp(0, 1000) as u16);
    match thousandths {
        value if percent && (0..=100_000).contains(&value) => {
            mended("confidence-percent", "taken as per cent");
            permille((value + 50) / 100)
        }
        0..=1000 if !percent => permille(thousandths),
        value if value < 0 && !percent => {
            mended("confidence-clamped", "taken as 0");
            permille(0)
        }
        1001..=2000 if !percent => {
            mended("confidence-clamped", "taken as 1");
            permille(1000)
        }
        10_000..=100_000 if !percent => {
            mended("confidence-percent", "taken as per cent");
            permille((thousandths + 50) / 100)
        }
        _ => {
            // 2 to 10 might be a mark out of ten or of five; nobody can tell.
            mended("confidence-unreadable", "taken as unknown");
            None
        }
    }
}

/// A decimal number in thousandths, rounded toward zero, read digit by digit. Exponents are no way to say
/// how sure one is, except tiny ones, which are nothing.
fn thousandths(written: &str) -> Option<i64> {
    let (sign, digits) = match written.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, written.strip_prefix('+').unwrap_or(written)),
    };
    if let Some((mantissa, exponent)) = digits.split_once(['e', 'E']) {
        let tiny = exponent.starts_with('-')
            && thousandths(mantissa).is_some()
            && exponent[1..].parse::<u32>().ok()? > 3;
        return tiny.then_some(0);
    }
    let (whole, part) = digits.split_once('.').unwrap_or((digits, ""));
    if (whole.is_empty() && part.is_empty())
        || whole.len() > 9
        || !whole.bytes().chain(part.bytes()).all(|b| b.is_ascii_digit())
    {
        return None;
    }
    let whole: i64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let part: i64 = format!("{part:0<3}")[..3].parse().ok()?;
    Some(sign * (whole * 1000 + part))
}
