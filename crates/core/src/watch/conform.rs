//! Whether a changed mind names what changed it.

use crate::kernel::prose::phrase::{Content, sentences};
use crate::kernel::prose::token::{folded, tokens};
use crate::kernel::text;

/// Ways of saying that there is nothing new, longer than two words. Folded.
const NOTHING: [&str; 8] = [
    "no new argument",
    "no new arguments",
    "not applicable here",
    "there is none",
    "there was none",
    "kein neues argument",
    "keine neuen argumente",
    "es gibt keins",
];

/// Whether a text that should name the new argument for a changed vote names none: nothing, a placeholder,
/// fewer than three words, or nothing but that others think so.
pub fn conformity(argument: Option<&str>) -> bool {
    let said = argument.unwrap_or("").trim();
    if text::words(said).take(3).count() < 3 {
        return true;
    }
    let folded = text::fold(said);
    let bare = folded.trim_end_matches(|c: char| !c.is_alphanumeric());
    NOTHING.contains(&bare) || refers_only(said)
}

fn refers_only(said: &str) -> bool {
    let held: Vec<Content> = sentences(said).map(|one| Content::of(tokens(&folded(one)))).collect();
    held.iter().any(|one| one.refers) && held.iter().map(|one| one.words).sum::<usize>() < 2
}
