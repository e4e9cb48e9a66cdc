//! What holds for every text: nothing panics, the same text has the same claims, the order of paragraphs changes nothing.

use proptest::prelude::*;
use synod_core::canon::{Canon, Event, claims, conflicts};
use synod_core::kernel::{At, Words};

use super::{canon_of, promotion, user};

const SENTENCES: [&str; 16] = [
    "Mara's eyes are green.",
    "Maras Augen sind blau.",
    "The API listens on port 8080.",
    "Die Sitzung läuft nach 30 Minuten ab.",
    "Mara has two brothers and no sister.",
    "In 1820 the capital of Arn was Velm.",
    "Is the gate closed?",
    "\"The gate is open,\" he said.",
    "timeout = 30 s",
    "We no longer use Kafka for events.",
    "Tom is Mara's father.",
    "Das Schwert ist nicht aus Bronze, sondern aus Stahl.",
    "The gate is open at night.",
    "`x = 1`",
    "Mara wurde am 3. Mai 1820 geboren.",
    "Not all dragons breathe fire.",
];

/// Pieces that sentences are made of, and pieces that break them.
const PIECES: [&str; 48] = [
    "Mara", "Mara's", "Maras", "eyes", "Augen", "are", "is", "was", "sind", "ist", "hat", "has", "not",
    "nicht", "kein", "no", "never", "green", "grüne", "8080", "1.5", "30", "m", "Minuten", "port", "in",
    "1820", "May", "and", "und", ",", ";", ":", "=", "\"", "„", "“", "`", "(", "…", "the", "der", "of",
    "von", "'", "whose", "gibt es", "at least",
];

fn lines(text: &str) -> usize {
    text.lines().count()
}

/// The claims of a text, without their places.
fn set(text: &str) -> Vec<String> {
    let mut found: Vec<String> = claims(text).into_iter().map(|found| format!("{:?}", found.claim)).collect();
    found.sort();
    found
}

proptest! {
    #[test]
    fn any_text_is_read_without_harm(text in "\\PC*") {
        let found = claims(&text);
        prop_assert!(found.iter().all(|found| found.line >= 1 && found.line as usize <= lines(&text)));
        prop_assert_eq!(found, claims(&text));
    }

    #[test]
    fn any_bytes_are_read_without_harm(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        claims(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn pieces_of_sentences_are_read_without_harm(pieces in proptest::collection::vec(0..PIECES.len(), 0..40)) {
        let text = pieces.iter().map(|piece| PIECES[*piece]).collect::<Vec<_>>().join(" ");
        for found in claims(&text) {
            prop_assert!(!found.claim.subject.is_empty(), "{text}: {found:?}");
            prop_assert!(!found.claim.contradicts(&found.claim), "{text}: {found:?}");
        }
    }

    #[test]
    fn contradiction_goes_both_ways(one in 0..SENTENCES.len(), other in 0..SENTENCES.len()) {
        for a in claims(SENTENCES[one]) {
            for b in claims(SENTENCES[other]) {
                prop_assert_eq!(a.claim.contradicts(&b.claim), b.claim.contradicts(&a.claim));
            }
        }
    }

    #[test]
    fn the_order_of_sentences_changes_no_claim(order in Just((0..SENTENCES.len()).collect::<Vec<_>>()).prop_shuffle()) {
        let paragraphs = order.iter().map(|at| SENTENCES[*at]).collect::<Vec<_>>().join("\n\n");
        prop_assert_eq!(set(&paragraphs), set(&SENTENCES.join("\n\n")));
    }

    #[test]
    fn what_agrees_with_itself_agrees_with_canon(picked in proptest::collection::vec(0..SENTENCES.len(), 1..3)) {
        for at in picked {
            prop_assert!(conflicts(&canon_of(SENTENCES[at]), SENTENCES[at], At(1)).is_empty(), "{}", SENTENCES[at]);
        }
    }

    #[test]
    fn white_space_and_line_breaks_change_no_claim(at in 0..SENTENCES.len(), every in 1usize..6) {
        let words: Vec<&str> = SENTENCES[at].split(' ').collect();
        if SENTENCES[at].contains('=') {
            return Ok(());
        }
        let broken: String = words.iter().enumerate().map(|(nth, word)| match nth % every == 0 && nth > 0 {
            true => format!("\n{word}"),
            false => format!(" {word}"),
        }).collect();
        // A line that begins with a sign of Markdown is another thing.
        prop_assume!(!broken.lines().any(|line| line.trim_start().starts_with(['>', '#', '|', '<', '`', '-'])));
        let bare = |text: &str| claims(text).into_iter().map(|found| found.claim.in_words()).collect::<Vec<_>>();
        prop_assert_eq!(bare(&broken), bare(SENTENCES[at]));
    }

    #[test]
    fn every_word_of_an_entry_can_be_redacted(at in 0..SENTENCES.len()) {
        let canon = canon_of(SENTENCES[at]);
        let mut event = canon.supersede(At(1), &promotion("entry", SENTENCES[at]), 1, &user()).unwrap();
        event.redact();
        let mut again = Canon::default();
        again.apply(super::id(1), At(1), &event);
        let blank = matches!(&event, Event::Promoted { text, .. } if text == "[redacted]");
        prop_assert!(blank);
        prop_assert!(conflicts(&again, SENTENCES[at], At(1)).len() < 3);
    }
}
