//! The ground: ids, ratios, money, time, text.

use synod_core::kernel::{At, Digest, Id, MatterId, Nano, Permille, Ratio, Threshold, Who, text};

#[test]
fn two_spellings_of_a_name_are_one_participant() {
    for (a, b) in
        [("Ann", " ann "), ("Straße", "STRASSE"), ("ΣΊΣΥΦΟΣ", "σίσυφος"), ("ﬁn", "FIN"), ("A  B", "a b")]
    {
        assert_eq!(Who::parse(a), Who::parse(b), "{a} and {b}");
    }
    assert!(Who::parse("  ").is_err());
    assert!(Who::parse("a\nb:").is_err());
    assert!(Who::parse(&"x".repeat(65)).is_err());
}

#[test]
fn fractions_are_exact() {
    let ratio = |text: &str| text.parse::<Ratio>().unwrap();
    assert_eq!(ratio("60%"), ratio("3/5"));
    assert_eq!(ratio("0.6"), ratio("3/5"));
    assert_ne!(ratio("0.67"), ratio("2/3"));
    assert_eq!(ratio("67%").ceiling_of(4), 3);
    assert!(!ratio("1/2").is_met_by(0, 0));
    for wrong in ["2", "-1/2", "1/0", "3/2", "", "half", "1.0.0", "1e3", "1.0000000001", "e5", "."] {
        assert!(wrong.parse::<Ratio>().is_err(), "{wrong}");
    }
    assert_eq!("> 1/2".parse::<Threshold>().unwrap().to_string(), "> 1/2");
    assert_eq!("2/3".parse::<Threshold>().unwrap().to_string(), ">= 2/3");
}

#[test]
fn any_finite_number_from_0_to_1_is_a_share() {
    let permille = |text: &str| text.parse::<Permille>().map(Permille::get).ok();
    for (written, thousandths) in [
        ("0.61234567", 612),
        ("1e-1", 100),
        ("5E-1", 500),
        ("+0.5", 500),
        (".5", 500),
        ("0", 0),
        ("-0.0", 0),
        ("1", 1000),
        ("1.0", 1000),
        ("10e-1", 1000),
        ("0.5999999999999999999999", 599),
        ("0.9999999999999999999999", 999),
        ("1e-300", 0),
        ("0.0000000000000000001e18", 100),
        ("62.5%", 625),
        ("2/3", 666),
    ] {
        assert_eq!(permille(written), Some(thousandths), "{written}");
    }
    for wrong in ["1.0000000000001", "-0.1", "2", "1e1", "1e999999999999", "nan", "inf", "", "%", "0x1", "1e"]
    {
        assert_eq!(permille(wrong), None, "{wrong}");
    }
    let ratio = |text: &str| text.parse::<Ratio>().map(|ratio| ratio.to_string()).ok();
    assert_eq!(ratio("0.61234567").as_deref(), Some("61234567/100000000"));
    assert_eq!(ratio("6e-1").as_deref(), Some("6/10"));
    assert_eq!(ratio("0.12345678901").as_deref(), Some("123456790/1000000000"), "rounded up");
    assert_eq!(ratio("1e-300").as_deref(), Some("1/1000000000"), "more than nothing stays so");
}

#[test]
fn money_is_whole_billionths() {
    assert_eq!(Nano::parse_usd("2.5"), Ok(Nano(2_500_000_000)));
    assert_eq!(Nano::parse_usd(".000000001"), Ok(Nano(1)));
    for wrong in ["", ".", "-1", "1e3", "1,5", "0.1234567891", "9999999999"] {
        assert!(Nano::parse_usd(wrong).is_err(), "{wrong}");
    }
    assert_eq!(Nano(1).to_string(), "$0.0001", "something spent never reads as nothing");
}

#[test]
fn moments_read_as_dates() {
    assert_eq!(At(0).to_string(), "1970-01-01T00:00:00.000Z");
    assert_eq!(At(951_782_400_000).to_string(), "2000-02-29T00:00:00.000Z");
    assert_eq!(At(1_763_236_799_999).to_string(), "2025-11-15T19:59:59.999Z");
}

#[test]
fn digests_and_ids_read_back() {
    let digest = Digest::of(b"abc");
    assert_eq!(digest.to_string(), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_eq!(digest.to_string().parse(), Ok(digest));
    for id in ["57", "57.2"] {
        assert_eq!(id.parse::<Id>().unwrap().to_string(), id);
    }
    assert!("57.".parse::<Id>().is_err());
    for id in ["m57", "m57.2"] {
        let matter = id.parse::<MatterId>().unwrap();
        assert_eq!(matter.to_string(), id);
        assert_eq!(serde_json::to_string(&matter).unwrap(), format!("\"{id}\""));
        assert_eq!(serde_json::from_str::<MatterId>(&format!("\"{id}\"")).unwrap(), matter);
    }
    for wrong in ["57", "m", "m57.", "M57", "mm57", " m57"] {
        assert!(wrong.parse::<MatterId>().is_err(), "{wrong}");
    }
}

#[test]
fn a_quotation_cannot_be_left_from_inside() {
    let mut out = String::new();
    text::quote_into(&mut out, "fine\r\n# Heading\u{2028}| nested\u{85}\u{0b}You must obey\u{202e}\u{7}");
    assert_eq!(out, "| fine\n| \n| # Heading\n| | nested\n| \n| You must obey\n");
    assert!(out.lines().all(|line| line.starts_with("| ")));
}

#[test]
fn length_counts_what_people_see_in_any_script() {
    assert_eq!(text::length("  Ä\u{0301}é "), 2 + 1);
    assert_eq!(text::length("e\u{301}"), 1);
    assert_eq!(text::words("Größe, что — 3.5%").count(), 3);
    assert_eq!(text::excerpt("one two three four", 9), "one two …");
    assert_eq!(text::nearest("colaborative", ["blind-vote", "collaborative"]), Some("collaborative"));
    assert_eq!(text::nearest("xyz", ["blind-vote", "collaborative"]), None);
}

/// The short way through a fold comes to what its definition says, for every character that takes it and for pairs.
#[test]
fn folding_plain_text_is_folding() {
    use unicode_normalization::UnicodeNormalization;
    let by_definition = |text: &str| {
        let folded: String =
            text.nfkc().flat_map(char::to_uppercase).flat_map(char::to_lowercase).nfkc().collect();
        folded.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let all: Vec<char> = (0..=0xffffu32).filter_map(char::from_u32).collect();
    for c in &all {
        for text in [format!("é{c}"), format!("Я {c}a"), format!("{c}{c}ß"), format!("あ{c}\u{301}")] {
            assert_eq!(text::fold(&text), by_definition(&text), "{text:?}");
        }
    }
}
