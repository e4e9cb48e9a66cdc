//! Lines, quotes and thresholds: what is verified, what is precise, what earns nothing.

use synod_core::evidence::EvidenceGrade::{Exists, Precise, Unverified as Not, Verified};
use synod_core::evidence::{
    Checked, EvidenceGrade, FileFinding, QUOTE_MOST, QuoteFinding, SearchDepth, Unverified, check, stands_in,
};
use synod_core::kernel::{Digest, Ratio, Words as _};

use super::{cite, file, found, lines};

const POEM: &str = "The sea is calm to-night.\nThe tide is full, the moon lies fair\nUpon the straits; on the French coast the light\nGleams and is gone;\n";

fn grade(text: &str, of: Option<synod_core::evidence::LineRange>, quote: Option<&str>) -> EvidenceGrade {
    found(text, of, quote).grade()
}

fn problem(
    text: &str,
    of: Option<synod_core::evidence::LineRange>,
    quote: Option<&str>,
) -> Option<Unverified> {
    found(text, of, quote).problem
}

#[test]
fn lines_count_from_one_to_the_last_without_the_empty_tail() {
    for (text, of) in
        [("a\nb\nc\n", 3), ("a\nb\nc", 3), ("a\r\nb\r\nc\r\n", 3), ("a\n\n", 2), ("a", 1), ("\n\nx", 3)]
    {
        assert_eq!(found(text, None, None).line_count, of, "{text:?}");
        for line in 1..=i64::from(of) {
            assert_eq!(grade(text, lines(line, None), None), Verified, "{text:?}:{line}");
            assert_eq!(grade(text, lines(line, i64::from(of)), None), Verified);
        }
        let n = i64::from(of);
        for wrong in [lines(n + 1, None), lines(1, n + 1), lines(0, None), lines(0, 1), lines(-1, None)] {
            assert_eq!(problem(text, wrong, None), Some(Unverified::Lines), "{text:?} {wrong:?}");
        }
        for wrong in [lines(2, 1), lines(1, -1), lines(i64::MAX, None), lines(i64::MIN, i64::MAX)] {
            assert_eq!(grade(text, wrong, None), Not, "{text:?} {wrong:?}");
        }
    }
}

#[test]
fn a_missing_end_is_one_line() {
    let one = found(POEM, lines(2, None), Some("the moon lies fair"));
    assert_eq!((one.lines, one.grade()), (Some((2, 2)), Precise));
    assert_eq!(
        grade(POEM, lines(2, None), Some("moon lies fair Upon the straits")),
        Not,
        "the next line is not in it"
    );
    assert_eq!(grade(POEM, lines(2, 3), Some("moon lies fair Upon the straits")), Precise);
}

#[test]
fn a_true_quote_is_verified_anywhere_and_only_in_the_lines_that_were_named() {
    let long = format!("{}{POEM}{}", "Nothing to see here.\n".repeat(5000), "Nor here.\n".repeat(5000));
    let quote = Some("on the French coast");
    let anywhere = found(&long, None, quote);
    assert_eq!(anywhere.grade(), Precise);
    let place = anywhere.quote.unwrap();
    assert_eq!((place.first_line, place.last_line, place.distance), (5003, 5003, 0));
    assert_eq!(grade(&long, lines(5003, None), quote), Precise);
    let wrong = found(&long, lines(5001, 5002), quote);
    assert_eq!((wrong.grade(), wrong.problem), (Not, Some(Unverified::QuoteNotFound)));
    assert_eq!(wrong.elsewhere.map(|place| place.first_line), Some(5003), "where it does stand");
}

/// A text of distinct characters in which exactly `edits` of `length` were replaced by one that it does not have.
fn replaced(length: u32, edits: u32) -> (String, String) {
    let text: String = (0..length).filter_map(|nth| char::from_u32(0x4e00 + 7 * nth)).collect();
    let step = length / edits.max(1);
    let changed = |(nth, c): (usize, char)| {
        let nth = nth as u32;
        if nth % step == step / 2 && nth / step < edits { '?' } else { c }
    };
    let quote = text.chars().enumerate().map(changed).collect();
    (format!("before\n{text}\nbehind\n"), quote)
}

#[test]
fn the_thresholds_are_strict() {
    for (length, edits, grade, similarity) in [
        (10, 2, Not, (4, 5)),
        (10, 1, Verified, (9, 10)),
        (100, 20, Not, (4, 5)),
        (100, 19, Verified, (81, 100)),
        (20, 1, Verified, (19, 20)),
        (21, 1, Precise, (20, 21)),
        (100, 5, Verified, (19, 20)),
        (100, 4, Precise, (96, 100)),
        (1000, 200, Not, (4, 5)),
        (1000, 199, Verified, (801, 1000)),
        (1000, 50, Verified, (19, 20)),
        (1000, 49, Precise, (951, 1000)),
    ] {
        let (text, quote) = replaced(length, edits);
        let finding = found(&text, None, Some(&quote));
        assert_eq!(finding.grade(), grade, "{edits} of {length}");
        let nearest = check(&cite(None, Some(&quote)), Ok(&file(&text)), SearchDepth::Nearest).quote.unwrap();
        assert_eq!(
            nearest.similarity(),
            Ratio::new(similarity.0, similarity.1).unwrap(),
            "{edits} of {length}"
        );
        assert_eq!((nearest.first_line, nearest.last_line), (2, 2));
    }
}

#[test]
fn short_quotes_are_true_or_false_and_add_nothing() {
    assert_eq!(grade(POEM, None, Some("The sea")), Exists, "seven characters stand in nearly every file");
    assert_eq!(grade(POEM, None, Some("sea is c")), Precise, "eight");
    assert_eq!(
        grade(POEM, lines(1, None), Some("The sea")),
        Verified,
        "the lines count, the quote brings no bonus"
    );
    assert_eq!(
        grade(POEM, None, Some("The zea")),
        Verified.min(Exists),
        "one of seven edits is more than 0.8"
    );
    assert_eq!(grade(POEM, None, Some("xyz")), Not, "a short quote can be false all the same");
    assert_eq!(grade(POEM, None, Some("zea")), Not, "one of three edits is too much");
    assert_eq!(grade(POEM, None, Some("e")), Exists);
}

#[test]
fn what_claims_nothing_earns_nothing() {
    assert_eq!(grade(POEM, None, None), Exists);
    assert!(
        Exists.is_verified() && !Exists.earns() && Verified.earns() && Precise.earns() && !Not.is_verified()
    );
    for blank in ["", "  ", "\n\t\u{a0}\u{2003}"] {
        assert_eq!(problem(POEM, None, Some(blank)), Some(Unverified::EmptyQuote), "{blank:?}");
    }
    for empty in ["", "\n", " \r\n \t\n"] {
        assert_eq!(problem(empty, None, None), Some(Unverified::EmptyFile), "{empty:?}");
    }
    assert_eq!(problem("a\0b", None, Some("a")), Some(Unverified::NotText));
}

#[test]
fn white_space_line_ends_and_composition_make_no_difference() {
    let text = "fn  read(\r\n\t\tpath: &Path,\r\n) -> Result<()>\r\nde\u{301}ja\u{300} vu, na\u{ef}ve\r\n";
    for quote in [
        "fn read( path: &Path, ) -> Result<()>",
        "fn read(\n    path: &Path,\n)",
        "d\u{e9}j\u{e0} vu, nai\u{308}ve",
    ] {
        let finding = found(text, None, Some(quote));
        assert_eq!((finding.grade(), finding.quote.unwrap().distance), (Precise, 0), "{quote:?}");
    }
    let bom = found("\u{feff}first line of all\n", lines(1, None), Some("first line of all"));
    assert_eq!(bom.quote.unwrap().text, "first line of all");
    let spread = found("one\n\n\ntwo\n\nthree and more\n", None, Some("one two three"));
    assert_eq!(spread.quote.map(|quote| (quote.first_line, quote.last_line)), Some((1, 6)));
}

#[test]
fn a_quote_that_is_too_long_is_refused_as_such() {
    let text = "word ".repeat(1000);
    let longest: String = text.trim().chars().take(QUOTE_MOST).collect();
    assert_eq!(grade(&text, None, Some(longest.trim())), Precise);
    let longer: String = text.chars().take(QUOTE_MOST + 2).collect();
    assert_eq!(problem(&text, None, Some(&longer)), Some(Unverified::LongQuote));
    assert_eq!(problem(&text, None, Some(&"x".repeat(5_000_000))), Some(Unverified::LongQuote));
}

#[test]
fn the_nearest_words_are_shown_where_a_quote_is_not_verified() {
    let quote = "The lake is calm tonight, the tide was out";
    let finding = check(&cite(None, Some(quote)), Ok(&file(POEM)), SearchDepth::Nearest);
    assert_eq!(finding.grade(), Not);
    let near = finding.quote.unwrap();
    assert!(near.text.contains("calm to-night") && near.first_line == 1, "{near:?}");
    assert!(!near.is_verified() && near.similarity() > Ratio::new(1, 2).unwrap());
    let nothing = check(&cite(None, Some("zzzzzzzzzzzzzzzz")), Ok(&file(POEM)), SearchDepth::Nearest);
    assert_eq!(nothing.quote, None);
}

#[test]
fn a_finding_keeps_the_digest_and_can_be_asked_again_without_the_file() {
    let reference = cite(lines(2, 3), Some("the moon lies faire Upon the strait"));
    let finding = check(&reference, Ok(&file(POEM)), SearchDepth::Verdict);
    assert_eq!(finding.digest, Some(Digest::of(POEM.as_bytes())));
    assert!(finding.is_borne_out(&reference));
    let forged = |change: &dyn Fn(&mut QuoteFinding)| {
        let mut forged = finding.clone();
        change(forged.quote.as_mut().unwrap());
        forged.is_borne_out(&reference)
    };
    assert!(!forged(&|quote| quote.distance = 0), "nearer than it is");
    assert!(!forged(&|quote| quote.length += 1));
    assert!(!forged(&|quote| quote.text = "something else entirely".into()));
    assert!(!forged(&|quote| quote.last_line = 4), "beyond the lines that were cited");
    assert!(!forged(&|quote| quote.first_line = 1));
    let unread = FileFinding::unread(Unverified::Unavailable);
    assert!(!unread.is_borne_out(&reference) && unread.grade() == Not);
    assert!(!FileFinding { problem: None, ..unread }.is_borne_out(&reference));
    assert!(!finding.is_borne_out(&cite(None, reference.quote.as_deref())), "of another citation");
}

#[test]
fn findings_survive_the_journal_and_words_can_be_redacted() {
    let reference = cite(lines(1, 2), Some("the moon lies fair"));
    let mut finding = check(&reference, Ok(&file(POEM)), SearchDepth::Verdict);
    let kept = serde_json::to_string(&finding).unwrap();
    assert_eq!(serde_json::from_str::<FileFinding>(&kept).unwrap(), finding);
    finding.redact();
    assert!(!serde_json::to_string(&finding).unwrap().contains("moon"));
    let mut reference = reference;
    reference.redact();
    assert!(!serde_json::to_string(&reference).unwrap().contains("moon"));
    for problem in [Unverified::Unavailable, Unverified::TooLarge { bytes: 9 }, Unverified::Lines] {
        let finding = FileFinding::unread(problem);
        let kept = serde_json::to_string(&finding).unwrap();
        assert_eq!(serde_json::from_str::<FileFinding>(&kept).unwrap(), finding);
    }
}

#[test]
fn what_cannot_be_read_says_why_and_only_faults_are_nobodys() {
    let reasons = [
        Unverified::Unavailable,
        Unverified::NotAFile,
        Unverified::TooLarge { bytes: 99 },
        Unverified::NotText,
        Unverified::Changing,
        Unverified::TooSlow,
        Unverified::Fault,
    ];
    for why in reasons {
        let finding = check(&cite(None, Some("anything")), Err(why), SearchDepth::Verdict);
        assert_eq!((finding.grade(), finding.problem, finding.digest), (Not, Some(why), None));
        assert_eq!(
            why.is_fault(),
            matches!(why, Unverified::Changing | Unverified::TooSlow | Unverified::Fault),
            "{why:?}"
        );
        assert!(why.code().starts_with("evidence/") && !why.words(0).is_empty());
    }
}

#[test]
fn the_same_place_is_known_again() {
    let of = |of, quote| found(POEM, of, quote);
    let first = of(lines(2, 2), None);
    assert!(first.is_same_place(&of(lines(2, 3), None)), "a line more");
    assert!(first.is_same_place(&of(None, Some("the moon lies fair"))));
    assert!(first.is_same_place(&of(lines(1, 4), Some("the moon lies fare"))), "by where it was found");
    assert!(!first.is_same_place(&of(lines(3, 4), None)));
    assert!(!first.is_same_place(&of(None, Some("Gleams and is gone"))));
    assert!(first.is_same_place(&of(None, None)), "the whole file");
    assert!(
        !first.is_same_place(&found("other\ntext\n", lines(2, 2), None)),
        "another file, or a later state of it"
    );
    let unread = FileFinding::unread(Unverified::Unavailable);
    assert!(!unread.is_same_place(&unread));
}

#[test]
fn words_of_the_issue_itself_are_recognised() {
    let issue = "Should the reactor fail before the docking sequence?\nScene 4 says it docks first.";
    assert!(stands_in("the reactor fail before the\n docking", issue));
    assert!(stands_in("the reactor fails before the docking", issue), "with a slip");
    assert!(!stands_in("the airlock opened after the fire", issue));
    assert!(!stands_in("", issue) && !stands_in("anything at all", ""));
}

#[test]
fn issues_and_canon_entries_exist_or_do_not() {
    assert_eq!(Checked::Issue { exists: true }.grade(), Exists);
    assert_eq!(Checked::Issue { exists: false }.grade(), Not);
    assert_eq!(Checked::Canon { current: Some(3), exists: true }.grade(), Exists);
    assert_eq!(Checked::Canon { current: None, exists: false }.grade(), Not);
    assert_eq!(Checked::File(found(POEM, lines(1, None), None)).grade(), Verified);
}
