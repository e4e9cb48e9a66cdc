//! The labelled quotes of `tests/altered.jsonl`: how many that say something else than their text are found out, and how many true ones are
//! refused. They were written by somebody who had not seen the rules, and then read by those who widened the rules: the figures show what is
//! known, not what to expect of other texts. `cargo test -p synod-core --test all evidence::labelled -- --nocapture` prints all.

use std::collections::BTreeMap;
use std::io::{self, Write as _};

use proptest::prelude::*;
use serde::Deserialize;
use synod_core::evidence::{FileReference, SearchDepth, check};

use super::{cite, file, found};

#[derive(Deserialize)]
struct LabelledQuote {
    kind: String,
    quote: String,
    text: String,
    #[serde(rename = "true")]
    is_true: bool,
}

fn labelled() -> Vec<LabelledQuote> {
    let lines = include_str!("../../altered.jsonl").lines();
    lines.map(|line| serde_json::from_str(line).expect(line)).collect()
}

/// How many altered quotes there are and how many are refused, how many true ones and how many are verified. Better is written down here;
/// worse fails.
const FIGURES: [usize; 4] = [205, 186, 36, 35];

#[test]
fn altered_quotes_are_refused_and_true_ones_verified_as_often_as_said() {
    let mut kinds: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    let mut out = io::stdout().lock();
    for one in labelled() {
        let text =
            format!("Intro line about other things entirely.\n{}\nA last line without relation.\n", one.text);
        let verified = found(&text, None, Some(&one.quote)).grade().is_verified();
        let counts = kinds.entry(one.kind.clone()).or_default();
        let from = if one.is_true { 2 } else { 0 };
        counts[from] += 1;
        counts[from + 1] += usize::from(verified == one.is_true);
        if verified != one.is_true {
            writeln!(out, "  wrong: {} | {} | {}", one.kind, one.text, one.quote).expect("stdout");
        }
    }
    let mut sum = [0; 4];
    for (kind, counts) in kinds {
        writeln!(out, "{kind}: {counts:?}").expect("stdout");
        for (all, one) in sum.iter_mut().zip(counts) {
            *all += one;
        }
    }
    assert_eq!(sum, FIGURES, "altered, refused, true, verified");
}

/// Every finding that says verified is borne out by itself, or a comment that cites it would wait for ever.
fn bears_itself_out(text: &str, quote: &str) {
    let reference = FileReference { ..cite(None, Some(quote)) };
    for depth in [SearchDepth::Verdict, SearchDepth::Nearest] {
        let finding = check(&reference, Ok(&file(text)), depth);
        assert!(
            finding.problem.is_some() || finding.is_borne_out(&reference),
            "{quote:?} in {text:?}: {finding:?}"
        );
    }
}

#[test]
fn a_verified_quote_is_borne_out_by_what_was_found_of_it() {
    bears_itself_out(
        "The keeper wrote down the eye colours of the person in the tower.\n",
        "eye colours of the cat",
    );
    for one in labelled() {
        bears_itself_out(&one.text, &one.quote);
    }
}

proptest! {
    #[test]
    fn any_verified_quote_is_borne_out(
        words in prop::collection::vec("(a|the|eye|cat|person|un|safe|[0-9]{1,3}|1\\.5|,|-|ü|\u{4e2d}|not)", 4..40),
        from in 0usize..20, count in 3usize..15, cut in 0usize..4, swap in any::<prop::sample::Index>(), put in "[ a-c0-9.]{0,4}",
    ) {
        let text = words.join(" ");
        let from = from.min(words.len() - 1);
        let quote: Vec<char> = words[from..(from + count).min(words.len())].join(" ").chars().skip(cut).collect();
        if !quote.is_empty() {
            let at = swap.index(quote.len());
            let quote: String = quote[..at].iter().chain(&put.chars().collect::<Vec<_>>()).chain(quote.get(at + put.len()..).unwrap_or(&[])).collect();
            bears_itself_out(&text, &quote);
        }
    }
}
