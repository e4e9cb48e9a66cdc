//! Whether anything still moves.

use super::voices::{Heard, Said};
use crate::kernel::Who;

/// Whether no free voice moved over so many intervals, so in one round more.
///
/// Every free voice of these rounds is needed in each of them: one that is missing, was under order, changed
/// its side or says something else makes it `false`. `None` if there are too few rounds, nobody spoke, or
/// the words of a voice that seems to stand still are not there to be compared.
pub(super) fn converged(intervals: u32, rounds: &[Heard<'_>]) -> Option<bool> {
    let intervals = usize::try_from(intervals).ok().filter(|intervals| *intervals > 0)?;
    let first = rounds.len().checked_sub(intervals + 1)?;
    let window = &rounds[first..];
    let mut names: Vec<&Who> =
        window.iter().flat_map(|round| &round.free).map(|said| said.voice.who).collect();
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return None;
    }
    let mut told = Some(true);
    for who in names {
        match stays(who, window) {
            Some(true) => (),
            Some(false) => return Some(false),
            None => told = None,
        }
    }
    told
}

fn stays(who: &Who, window: &[Heard<'_>]) -> Option<bool> {
    let Some(words) = window.iter().map(|round| round.free_voice(who)).collect::<Option<Vec<_>>>() else {
        return Some(false);
    };
    let mut told = Some(true);
    for pair in words.windows(2) {
        match same(pair[0], pair[1]) {
            Some(true) => (),
            Some(false) => return Some(false),
            None => told = None,
        }
    }
    told
}

/// Whether two words of one voice say the same. A side without words is compared by the side alone; words
/// on one hand only cannot be compared.
fn same<'a>(before: &Said<'a>, after: &Said<'a>) -> Option<bool> {
    if before.stance != after.stance {
        return Some(false);
    }
    match (before.text(), after.text()) {
        (None, None) => before.stance.map(|_| true),
        (Some(_), _) | (_, Some(_)) => before.alike(after),
    }
}
