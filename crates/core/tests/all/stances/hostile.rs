//! Inputs that nobody means: reading them ends soon, is a function, and makes up no side.

use proptest::prelude::*;
use synod_core::brief::{AskedFor, Form, StanceReading, read_stance};
use synod_core::kernel::{Choice, StanceSource};

fn both(answer: &str) -> [StanceReading; 2] {
    [AskedFor::Stance, AskedFor::Vote].map(|asked| read_stance(answer, asked))
}

/// What holds of every reading.
fn holds(answer: &str) {
    for reading in both(answer) {
        assert_eq!(reading.side.is_none(), reading.source == StanceSource::None, "{answer:?}: {reading:?}");
        assert_eq!(reading.side.is_none(), reading.reason.is_some(), "{answer:?}: {reading:?}");
        assert!(!matches!(reading.side, Some(Choice::Option(_))), "{answer:?}");
    }
    assert_eq!(both(answer), both(answer), "reading is a function");
    let _ = Form::speech(0, &[]).read_with_stances(answer, &[]);
}

/// Pieces of answers, put together at random.
const PIECES: [&str; 40] = [
    "STANCE",
    "VOTE",
    ":",
    "FOR",
    "AGAINST",
    "NEUTRAL",
    "AYE",
    "NAY",
    "ABSTAIN",
    "I",
    "vote",
    "my",
    "not",
    "if",
    "but",
    "\n",
    " ",
    "**",
    "`",
    "```",
    ">",
    "\"",
    "{",
    "}",
    "[x]",
    "[ ]",
    "#",
    "- ",
    "|",
    "/",
    "?",
    ".",
    "ich",
    "stimme",
    "dagegen",
    "the motion",
    "{\"vote\":\"NAY\"}",
    "<stance>",
    "❌",
    "support",
];

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read(answer in "\\PC*") {
        holds(&answer);
    }

    #[test]
    fn any_pieces_are_read(places in prop::collection::vec(0..PIECES.len(), 0..40), blank in any::<bool>()) {
        let pieces: Vec<&str> = places.iter().map(|place| PIECES[*place]).collect();
        holds(&pieces.join(if blank { " " } else { "" }));
    }

    /// Nothing that is said between two opposite labels makes one of them count.
    #[test]
    fn two_opposite_labels_are_none(between in "[a-z ,.]{0,80}") {
        let reading = read_stance(&format!("STANCE: FOR\n{between}\nSTANCE: AGAINST"), AskedFor::Stance);
        prop_assert_eq!(reading.side, None);
    }

    /// A quoted stance is not one's own.
    #[test]
    fn quoted_lines_take_no_side(word in prop::sample::select(vec!["FOR", "AGAINST", "NEUTRAL"])) {
        let reading = read_stance(&format!("> STANCE: {word}"), AskedFor::Stance);
        prop_assert_eq!(reading.side, None);
    }
}

/// Each of these repeats what a reader might look at again and again. What is too long is read at both ends, and a stance there counts.
#[test]
fn long_answers_are_read_at_both_ends() {
    for piece in [
        "I ",
        "I vote ",
        "my stance ",
        "\"",
        "`",
        "(",
        "{\"vote\":",
        "STANCE ",
        "- [ ] ",
        "> ",
        "no, ",
        "not ",
        "ich stimme ",
        "<",
    ] {
        let long = piece.repeat(60_000 / piece.len());
        holds(&long);
    }
    let words = "The register is long and somebody has to read it. ".repeat(1_500);
    for (answer, side) in [
        (format!("STANCE: FOR\n\n{words}"), Some(Choice::Yes)),
        (format!("{words}\n\nSTANCE: AGAINST"), Some(Choice::No)),
        (format!("STANCE: FOR\n\n{words}\n\nSTANCE: AGAINST"), None),
        (words.clone(), None),
    ] {
        assert_eq!(read_stance(&answer, AskedFor::Stance).side, side);
    }
}
