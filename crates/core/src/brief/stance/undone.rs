//! What stands behind a side in its own field and undoes it: `YES (sarcastic)`, `YES, he said`.

use crate::kernel::text;

/// How many words behind the side are looked at. What comes later is the reason.
const LOOKED_AT: usize = 4;

/// What turns it round. Verbs are not among them: whether `YES, revert it` is clear depends on the question.
const OTHER: [&str; 2] = ["opposite", "gegenteil"];
/// What takes it for a joke, and what gives it to somebody else.
const JOKES: [&str; 12] = [
    "dreams",
    "haha",
    "ironic",
    "ironie",
    "ironisch",
    "irony",
    "joke",
    "joking",
    "kidding",
    "sarcasm",
    "sarcastic",
    "scherz",
];
const SAID: [&str; 8] = ["said", "says", "say", "claimed", "claim", "sagt", "sagte", "sagten"];
/// What begins a reason: it may name anything.
const REASONS: [&str; 9] = ["as", "because", "for", "since", "so", "da", "denn", "um", "weil"];

/// Whether the words behind a side undo it.
pub(in crate::brief) fn is_undone(said: &str) -> bool {
    let words: Vec<String> = text::words(said).map(text::fold).collect();
    let behind = words.iter().skip(1).take(LOOKED_AT);
    let mut behind = behind.map(String::as_str).take_while(|word| !REASONS.contains(word));
    behind.any(|word| OTHER.contains(&word) || JOKES.contains(&word) || SAID.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_undoes_a_side_is_seen_and_a_reason_is_not() {
        for said in
            ["YES (sarcastic)", "YES, he said", "NO, just kidding", "JA, ironisch", "YES to the opposite"]
        {
            assert!(is_undone(said), "{said}");
        }
        for said in [
            "YES",
            "YES, revert it",
            "NO, do not merge it",
            "YES, because he said that it works",
            "Ja, denn er sagt es",
        ] {
            assert!(!is_undone(said), "{said}");
        }
    }
}
