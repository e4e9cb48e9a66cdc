//! How much of what was said a brief repeats where the smallest model could not read the usual amount.

use std::collections::BTreeMap;

use synod_core::charter::Charter;
use synod_core::kernel::SettingValue;

use crate::context::CHARS_PER_TOKEN;
use crate::seats::SeatTable;

/// The setting that says how much is repeated.
const HISTORY: &str = "turn.history_chars";

/// Moves the setting to a quarter of the smallest window at the table, unless somebody set it or it is less already. The
/// rest is for the question, the material, the form and the answer. What there is to say about it.
pub(crate) fn fit(
    moved: &mut BTreeMap<String, SettingValue>,
    charter: &Charter,
    table: &SeatTable,
) -> Option<String> {
    let usual = charter.council().map(|council| council.turn.history_chars)?;
    let windows = table.seats.iter().filter_map(|seat| Some((table.face(seat)?.window?, seat)));
    let (window, seat) = windows.min_by_key(|(window, _)| *window)?;
    let quarter = window.saturating_mul(CHARS_PER_TOKEN) / 4;
    if moved.contains_key(HISTORY) || quarter >= usual.is {
        return None;
    }
    let chars = quarter.clamp(usual.from, usual.to);
    moved.insert(HISTORY.into(), chars.into());
    Some(format!(
        "briefs repeat at most {chars} characters of what was said, since {} can read {window} tokens",
        seat.backend
    ))
}
