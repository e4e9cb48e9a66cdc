//! What is read from a text as a claim, and what is not.

use synod_core::canon::{ClaimTime, claims};

/// The claims of a text in words, without those that only say that something is so.
fn read(text: &str) -> Vec<String> {
    claims(text).into_iter().map(|found| found.claim.in_words()).collect()
}

/// The claims with a value.
fn valued(text: &str) -> Vec<String> {
    read(text).into_iter().filter(|claim| claim.contains(": ")).collect()
}

#[track_caller]
fn says(text: &str, expected: &[&str]) {
    assert_eq!(valued(text), expected, "{text}");
}

#[test]
fn one_claim_has_many_sentences_in_both_languages() {
    for text in [
        "Mara's eyes are green.",
        "Mara has green eyes.",
        "The eyes of Mara are green.",
        "The colour of Mara's eyes is green.",
        "Mara’s eyes were green.",
        "Mara, whose eyes are green, laughed.",
    ] {
        let found = valued(text);
        assert!(
            found
                .iter()
                .any(|claim| claim.ends_with(": green") && claim.contains("mara") && claim.contains("eye")),
            "{text}: {found:?}"
        );
    }
    for text in [
        "Die Augen von Mara sind grün.",
        "Maras Augen sind grün.",
        "Mara hat grüne Augen.",
        "Maras Augenfarbe ist grün.",
        "Der Blick aus Maras grünen Augen traf ihn.",
        "MARAS AUGEN SIND GRÜN.",
    ] {
        let topics: Vec<String> = claims(text).into_iter().map(|found| found.claim.topic()).collect();
        assert!(topics.contains(&"eye mara".to_string()), "{text}: {topics:?}");
    }
}

#[test]
fn german_inflection_is_one_colour() {
    for word in ["grüne", "grünen", "grüner", "grünes", "grünem"] {
        let found = claims(&format!("Maras {word} Augen leuchteten."));
        assert!(found.iter().any(|found| found.claim.topic() == "eye mara"), "{word}");
    }
    let mara = claims("Mara hat dunkelgrüne Augen.");
    let plain = claims("Mara has green eyes.");
    assert!(!mara[0].claim.contradicts(&plain[0].claim));
}

#[test]
fn technical_claims() {
    says("The API listens on port 8080.", &["api port port: 8080"]);
    says("Retries are limited to 3.", &["retry limit: 3"]);
    says("timeout = 30 s", &["timeout: 30 s"]);
    says("max_retries: 5", &["limit retry: 5"]);
    says("We use PostgreSQL for sessions.", &["session use: postgresql"]);
    says("Die Sitzung läuft nach 30 Minuten ab.", &["session timeout: 30 minuten"]);
    says("Logging is turned off.", &["logging: disabled"]);
    says("The backend is written in Rust.", &["backend language: rust"]);
    says("The API listens on port `8080`.", &["api port port: 8080"]);
}

#[test]
fn several_claims_in_one_sentence() {
    says("Mara has green eyes and black hair.", &["mara eye: green", "mara hair: black"]);
    says("Mara and Tom have green eyes.", &["mara eye: green", "tom eye: green"]);
    says("The gate is closed and the tower is 40 m high.", &["gate: closed", "tower height: 40 m"]);
    says("Mara's cloak is red, black and gold.", &["mara cloak: red and black and gold"]);
}

#[test]
fn compound_subjects_keep_all_their_words() {
    let topic = |text: &str| claims(text)[0].claim.topic();
    assert_eq!(topic("The eyes of Mara's sister are green."), "eye mara sister");
    assert_eq!(topic("Mara's sister's eyes are green."), "eye mara sister");
    assert_eq!(topic("The session store timeout is 5 s."), "session store timeout");
    assert_eq!(topic("Der Port der alten API ist 8080."), "age api port");
}

#[test]
fn questions_conditions_plans_and_guesses_are_not_claims() {
    for text in [
        "Is the port 8080?",
        "Mara's eyes are green, aren't they?",
        "If the port were 8080, it would fail.",
        "If the port is 8080, tell me.",
        "Unless Mara's eyes are green, we are lost.",
        "Check whether the gate is closed.",
        "We could use Redis for sessions.",
        "We might use Redis for sessions.",
        "We plan to use Redis for sessions.",
        "The timeout should be 30 s.",
        "Perhaps the gate is closed.",
        "Let's say the port is 8080.",
        "Wenn das Tor geschlossen ist, warte.",
        "Falls die API auf Port 80 lauscht, brich ab.",
        "Wir könnten Redis für Sitzungen verwenden.",
        "Vielleicht sind Maras Augen grün.",
        "Ist das Tor geschlossen?",
        "Mara möchte in Velm wohnen.",
        "Mara wohnt wohl in Velm.",
        "The gate is anything but closed.",
    ] {
        assert!(read(text).is_empty(), "{text}: {:?}", read(text));
    }
}

#[test]
fn reported_speech_and_appearance_are_not_the_narrators_claims() {
    for text in [
        "Tom says the eyes of Mara are blue.",
        "Tom says that Mara's eyes are blue.",
        "According to Tom, Mara's eyes are blue.",
        "Mara dreamed that her eyes were blue.",
        "Mara's eyes seemed blue.",
        "Mara's eyes were like blue glass.",
        "Tom sagt, Maras Augen seien blau.",
        "Laut Tom sind Maras Augen blau.",
        "Im Mondlicht wirkten Maras Augen blau.",
    ] {
        assert!(read(text).is_empty(), "{text}: {:?}", read(text));
    }
}

#[test]
fn quotations_code_headings_and_tables_are_not_claims() {
    for text in [
        "\"Mara's eyes are blue,\" he shouted.",
        "“Mara’s eyes are blue and cold.”",
        "„Maras Augen sind blau“, rief er.",
        "«Mara's eyes are blue and cold»",
        "> Mara's eyes are blue.",
        "```\nThe port is 8080.\n```",
        "~~~\ntimeout = 30 s\n~~~",
        "# The port is 8080",
        "| The port is 8080 |",
        "<!-- The port is 8080. -->",
        "Write `the port is 8080` there.",
        "\"It began here. The port is 8080.",
        "The port is 8080\n================\n",
        "The port is 8080\n---\n\nText.",
        "Output:\n\n    The port is 8080.\n",
        "Output:\n\n\tThe port is 8080.\n",
        "<pre>\nThe port is 8080.\n</pre>",
        "<!--\nThe port is 8080.\n-->",
        "> Pavel wrote that\nthe port is 8080.\n",
        "- > The port is 8080.",
        "- ```\n  The port is 8080.\n  ```\n",
        "---\ntitle: The port is 8080.\n---\n\nText.",
        "~~The port is 8080.~~",
        "- [ ] The port is 8080.\n",
        "- [ ] Somebody looks at this, and\n  then the port is 8080.\n",
        "Wrong: The port is 8080.",
        "Myth: The port is 8080.",
        "Rejected alternative: the port is 8080.",
        "Vorschlag: Der Port ist 8080.",
    ] {
        assert!(valued(text).is_empty(), "{text}: {:?}", valued(text));
    }
    says("```\nport\n```\nThe port is 8080.", &["port: 8080"]);
    says("The ship is called \"Petrel\".", &["ship name: petrel"]);
    says("---\ntitle: x\n---\nThe port is 8080.", &["port: 8080"]);
    says("Heading\n=======\nThe port is 8080.", &["port: 8080"]);
    says("The port is ~~9090~~ 8080.", &["port: 8080"]);
    says("- [x] The port is 8080.", &["port: 8080"]);
    says("- The port is 8080.\n---\n", &["port: 8080"]);
    says("Myth: The port is 9090. The port is 8080.", &["port: 8080"]);
    says("1. ```\n   x\n   ```\n2. The port is 8080.", &["port: 8080"]);
}

#[test]
fn what_is_not_named_is_not_claimed_about() {
    for text in [
        "Her eyes are blue.",
        "It listens on port 8080.",
        "They have green eyes.",
        "Some gates are closed.",
        "Most sessions expire after 5 minutes.",
        "Either the gate or the door is closed.",
        "The limit is 3.",
        "Ihre Augen sind blau.",
        "Manche Tore sind geschlossen.",
        "Niemand hat grüne Augen.",
    ] {
        assert!(valued(text).is_empty(), "{text}: {:?}", valued(text));
    }
}

#[test]
fn denial_counts_and_double_denial_is_none() {
    let denied = |text: &str| claims(text)[0].claim.denied;
    for text in [
        "Mara's eyes are not green.",
        "Mara's eyes aren't green.",
        "Maras Augen sind nicht grün.",
        "Mara is no healer.",
        "Mara ist keine Heilerin.",
        "We no longer use Kafka for events.",
        "It is not true that Mara's eyes are green.",
    ] {
        assert!(denied(text), "{text}");
    }
    for text in ["It is not true that Mara's eyes are not green.", "Mara's eyes are not blue but green."] {
        assert!(!denied(text), "{text}");
    }
    says("Maras Augen sind nicht blau, sondern grün.", &["mara eye: grün"]);
}

#[test]
fn time_is_read_where_it_is_said() {
    let time = |text: &str| claims(text)[0].claim.time;
    assert_eq!(time("The capital of Arn is Velm."), ClaimTime::Present);
    assert_eq!(time("The capital of Arn was Velm."), ClaimTime::Told);
    assert_eq!(time("The capital of Arn used to be Velm."), ClaimTime::Over);
    assert_eq!(time("Formerly the capital of Arn was Velm."), ClaimTime::Over);
    assert_eq!(time("Früher war Velm die Hauptstadt von Arn."), ClaimTime::Over);
    assert_eq!(
        time("In 1820 the capital of Arn was Velm."),
        ClaimTime::Years { from: Some(1820), to: Some(1820) }
    );
    assert_eq!(
        time("Since 1820 the capital of Arn is Velm."),
        ClaimTime::Years { from: Some(1820), to: None }
    );
    assert_eq!(
        time("Bis 1700 war Velm die Hauptstadt von Arn."),
        ClaimTime::Years { from: None, to: Some(1700) }
    );
    assert_eq!(time("The tower will be 60 m high."), ClaimTime::Ahead);
}

#[test]
fn scope_is_read_where_it_is_said() {
    let scope = |text: &str| claims(text)[0].claim.scope.clone();
    assert_eq!(scope("In staging the port is 9090."), ["staging"]);
    assert_eq!(scope("In staging, the port is 9090."), ["staging"]);
    assert_eq!(scope("Logging is disabled in production."), ["production"]);
    assert!(scope("The port is 9090.").is_empty());
}

#[test]
fn lines_are_those_of_the_text() {
    let text =
        "# Title\n\nMara's eyes are green.\nThe gate\nis closed. The port is 8080.\n\n- timeout = 30 s\n";
    let lines: Vec<u32> = claims(text).iter().map(|found| found.line).collect();
    assert_eq!(lines, [3, 4, 5, 7]);
    let windows = text.replace('\n', "\r\n");
    assert_eq!(claims(&windows).iter().map(|found| found.line).collect::<Vec<_>>(), lines);
}

#[test]
fn dates_are_read_in_every_usual_form() {
    for text in [
        "Mara was born on 3 May 1820.",
        "Mara was born on May 3, 1820.",
        "Mara was born on 1820-05-03.",
        "Mara wurde am 3. Mai 1820 geboren.",
        "Mara wurde am 03.05.1820 geboren.",
    ] {
        says(text, &["mara birth: 1820-05-03"]);
    }
    says("Mara was born in 1820.", &["mara birth: 1820"]);
    says("Mara was born in Velm.", &["mara birth: velm"]);
    says("The nightly job starts at 02:00.", &["nightly job start: 02:00"]);
    says("Der Nachtlauf beginnt um 2 Uhr.", &["nachtlauf start: 02:00"]);
}

#[test]
fn numbers_that_could_be_two_numbers_are_not_read() {
    assert!(valued("The tower is 1.200 m high.").is_empty());
    says("The tower is 1.25 m high.", &["tower height: 1.25 m"]);
    says("Der Turm ist 1,25 m hoch.", &["tower height: 1,25 m"]);
}

#[test]
fn the_guide_shows_what_is_read() {
    let guide = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/guides/canon.md");
    let text = std::fs::read_to_string(guide).expect("the guide");
    let table = text.split("| sentence | what `synod canon claims` lists |").nth(1).expect("the table");
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let mut sentences = 0;
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split(" | ").map(str::trim).collect();
        let expected: Vec<&str> = cells[1].split(" · ").collect();
        for sentence in cells[0].split(" · ") {
            assert_eq!(read(sentence.trim_matches('`')), expected, "{sentence}");
            sentences += 1;
        }
    }
    assert!(sentences >= 15, "{sentences}");
}
