//! Texts against canon: where, which entry and version, and what each says.

use synod_core::canon::{CONFLICTS_MOST, Canon, conflicts};
use synod_core::kernel::At;

use super::{canon_of, promote};

#[track_caller]
fn contradicts(canon: &str, text: &str) {
    assert_eq!(conflicts(&canon_of(canon), text, At(1)).len(), 1, "{canon} / {text}");
}

#[track_caller]
fn agrees(canon: &str, text: &str) {
    let found = conflicts(&canon_of(canon), text, At(1));
    assert!(found.is_empty(), "{canon} / {text}: {}", found[0].message());
}

#[test]
fn a_conflict_says_where_and_what() {
    let mut canon = Canon::default();
    promote(&mut canon, 1, "eyes", "Mara's eyes are green.");
    promote(&mut canon, 2, "port", "The API listens on port 8080.");
    let text = "A story.\n\nMara laughed. Mara's blue eyes\nshone.\n\nThe API listens on port 9090.\n";
    let found = conflicts(&canon, text, At(1));
    let messages: Vec<String> = found.iter().map(|conflict| conflict.message()).collect();
    assert_eq!(
        messages,
        [
            "line 3: canon:eyes@1 has \"mara eye: green\", the text has \"mara eye: blue\"",
            "line 6: canon:port@1 has \"api port port: 8080\", the text has \"api port port: 9090\"",
        ]
    );
    assert_eq!(found[0].text.said, "Mara's blue eyes shone.");
    assert_eq!(found[0].canon.said, "Mara's eyes are green.");
}

#[test]
fn the_languages_meet() {
    contradicts("Mara's eyes are green.", "Maras Augen sind blau.");
    contradicts("Die Sitzung läuft nach 30 Minuten ab.", "Sessions expire after 10 minutes.");
    agrees("Die Sitzung läuft nach 30 Minuten ab.", "Sessions expire after half an hour.");
}

#[test]
fn units_are_converted() {
    agrees("Mara is 1.5 m tall.", "Mara is 150 cm tall.");
    agrees("Mara is 1.5 m tall.", "Mara ist 1,50 m groß.");
    contradicts("Mara is 1.5 m tall.", "Mara is 151 cm tall.");
    agrees("Joren is 6 feet tall.", "Joren is 183 cm tall.");
    contradicts("Joren is 6 feet tall.", "Joren is 150 cm tall.");
    agrees("Uploads are limited to 1 GB.", "Uploads are limited to 1024 MB.");
    agrees("Uploads are limited to 1 GB.", "Uploads are limited to 1000 MB.");
    contradicts("Uploads are limited to 1 GB.", "Uploads are limited to 1100 MB.");
    agrees("The rate limit is 60 requests per minute.", "The rate limit is 1 request per second.");
    contradicts("The rate limit is 60 requests per minute.", "The rate limit is 2 requests per second.");
    agrees("The siege lasted 30 days.", "The siege lasted one month.");
}

#[test]
fn bounds_and_ranges_contradict_only_where_nothing_fits_both() {
    agrees("The castle has at least four towers.", "The castle has six towers.");
    contradicts("The castle has at least four towers.", "The castle has three towers.");
    agrees("The cache holds at most 1000 entries.", "The cache holds 800 entries.");
    contradicts("The cache holds at most 1000 entries.", "The cache holds 5000 entries.");
    agrees("The siege lasted about 40 days.", "The siege lasted 42 days.");
    contradicts("The siege lasted about 40 days.", "The siege lasted 60 days.");
    agrees("The siege lasted 30 to 40 days.", "The siege lasted 35 days.");
    contradicts("The siege lasted 30 to 40 days.", "The siege lasted 50 days.");
    contradicts("Retries are limited to 3.", "At most 5 retries are allowed.");
}

#[test]
fn counts_and_none_contradict() {
    contradicts("Mara has a brother.", "Mara has no brothers.");
    contradicts("Mara has two brothers.", "Mara hat keinen Bruder.");
    agrees("Mara has a brother.", "Mara has two brothers.");
    agrees("Mara has a black horse.", "Mara has a white horse.");
}

#[test]
fn never_and_sometimes() {
    contradicts("API keys never expire.", "API keys expire after 90 days.");
    contradicts("All dragons breathe fire.", "Not all dragons breathe fire.");
    agrees("Dragons breathe fire.", "Not all dragons breathe fire.");
    contradicts("The port is always 8080.", "In staging the port is 9090.");
    agrees("The port is 8080.", "In staging the port is 9090.");
    agrees("In production the port is 8080.", "In staging the port is 9090.");
}

#[test]
fn what_holds_always_is_contradicted_by_an_exception() {
    for (always, plain, exception) in [
        ("The gate is always open.", "The gate is open.", "The gate is closed on Sundays."),
        ("The gate is always open.", "The gate is open.", "The gate is closed at night."),
        ("The gate is always open.", "The gate is open.", "Nights, the gate is closed."),
        ("Das Tor ist immer offen.", "Das Tor ist offen.", "Das Tor ist nachts geschlossen."),
        ("Das Tor ist immer offen.", "Das Tor ist offen.", "Nachts ist das Tor geschlossen."),
        ("Das Tor ist immer offen.", "Das Tor ist offen.", "Das Tor ist im Winter geschlossen."),
        ("Das Tor ist immer offen.", "Das Tor ist offen.", "Das Tor ist sonntags geschlossen."),
        (
            "Die Protokollierung ist immer aktiviert.",
            "Die Protokollierung ist aktiviert.",
            "Die Protokollierung ist im Test deaktiviert.",
        ),
    ] {
        contradicts(always, exception);
        agrees(plain, exception);
    }
    contradicts("Das Tor ist nachts offen.", "Nachts ist das Tor geschlossen.");
    agrees("Das Tor ist nachts offen.", "Tagsüber ist das Tor geschlossen.");
    agrees("The shop is closed on Sundays.", "The shop is closed on Mondays.");
    contradicts("The market is held on Mondays.", "The market is held on Tuesdays.");
}

#[test]
fn composed_and_decomposed_letters_are_one() {
    contradicts("Jürgen is alive.", "Ju\u{308}rgen is dead.");
    contradicts("Die Tu\u{308}r ist offen.", "Die Tür ist geschlossen.");
}

#[test]
fn years_that_do_not_meet_are_no_conflict() {
    agrees("In 1820 the capital of Arn was Velm.", "In 1850 the capital of Arn was Karst.");
    contradicts("In 1820 the capital of Arn was Velm.", "In 1820 the capital of Arn was Karst.");
    contradicts("Since 1820 the capital of Arn is Velm.", "In 1850 the capital of Arn was Karst.");
    contradicts("Since 1820 the capital of Arn is Velm.", "The capital of Arn is Karst.");
    agrees("Until 1700 the capital of Arn was Velm.", "The capital of Arn is Karst.");
}

#[test]
fn names_of_other_scripts_are_names() {
    contradicts("Łucja's eyes are green.", "Łucja's eyes are blue.");
    contradicts("Дмитрий's hair is black.", "Дмитрий's hair is red.");
    contradicts("Ｍａｒａ's eyes are green.", "Mara's eyes are blue.");
    agrees("Łucja's eyes are green.", "Lucja's eyes are blue.");
    agrees("Zoë's eyes are green.", "Zoe's eyes are blue.");
}

#[test]
fn entries_that_contradict_each_other_are_listed() {
    let mut canon = Canon::default();
    promote(&mut canon, 1, "a", "Mara's eyes are green.");
    promote(&mut canon, 2, "b", "Mara has blue eyes. Mara has brown eyes.");
    promote(&mut canon, 3, "c", "Tom's eyes are blue.");
    let found = canon.contradictions(At(1));
    let pairs: Vec<String> = found.iter().map(|found| format!("{} {}", found.one.0, found.other.0)).collect();
    assert_eq!(pairs, ["canon:a@1 canon:b@1", "canon:a@1 canon:b@1"], "an entry is not held against itself");
}

#[test]
fn a_flood_of_conflicts_is_cut() {
    let text = "Mara's eyes are blue.\n".repeat(CONFLICTS_MOST + 5);
    assert_eq!(conflicts(&canon_of("Mara's eyes are green."), &text, At(1)).len(), CONFLICTS_MOST);
}

#[test]
fn names_and_their_short_forms_are_told_apart() {
    agrees("Hans has green eyes.", "Han has blue eyes.");
    agrees("James lives in Rome.", "Jame lives in Paris.");
    contradicts("Hans has green eyes.", "Hans' eyes are blue.");
    contradicts("Hans hat grüne Augen.", "Hans Augen sind blau.");
    agrees("The database is PostgreSQL.", "The database is Postgres.");
    agrees("The frontend is written in JavaScript.", "The frontend is written in JS.");
    contradicts("The database is PostgreSQL.", "The database is MySQL.");
    agrees("The tea is hot.", "The tea is not very hot.");
    contradicts("The tea is hot.", "The tea is not hot.");
}
