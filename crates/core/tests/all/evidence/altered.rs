//! A quote that says something else than its text is false, however few characters differ.

use synod_core::evidence::{EvidenceGrade, SearchDepth, Unverified, check};

use super::{cite, file, found, lines};

const EN: &str = "The reactor is safe under full load and the cooling system must be tested every 12 months by two engineers.";
const DE: &str = "Der Reaktor ist unter Volllast sicher, und das Kühlsystem muss alle 12 Monate von zwei Ingenieuren geprüft werden.";
const RU: &str = "Реактор безопасен при полной нагрузке, и система охлаждения проверяется каждые 12 месяцев.";
const JA: &str = "原子炉は全負荷でも安全であり、冷却システムは十二か月ごとに検査されなければならない。";

/// A text, and what the quote puts in place of what.
const ALTERED: [(&str, &str, &str); 54] = [
    (EN, "is safe", "is not safe"),
    (EN, "is safe", "isn't safe"),
    (EN, "is safe", "isn’t safe"),
    (EN, "safe", "unsafe"),
    (EN, "12", "72"),
    (EN, "12", "120"),
    (EN, "every 12 months", "every months"),
    (EN, "two", "ten"),
    (EN, "must", "may"),
    (EN, "must be", "must never be"),
    (EN, "and the", "or the"),
    (DE, "sicher", "nicht sicher"),
    (DE, "sicher", "unsicher"),
    (DE, "12", "13"),
    (DE, "muss", "darf"),
    (DE, "zwei", "drei"),
    (RU, "безопасен", "не безопасен"),
    (RU, "безопасен", "небезопасен"),
    (JA, "十二", "二"),
    (JA, "安全", "不安全"),
    ("Agents can read the file and can write it at any time.", "can read", "cannot read"),
    ("The key is not stored on the disk of the server, nor in memory.", "not stored", "stored"),
    ("The offset is -5 degrees in every season of the year.", "-5", "5"),
    ("The limit is 1.5 percent of the yearly turnover.", "1.5", "15"),
    ("The dose is 5 mg per kilogram of body weight.", "5 mg", "5 g"),
    ("The dose is 5mg per kilogram of body weight.", "5mg", "5g"),
    ("if count <= limit && is_ready(user) { accept(user); }", "<=", ">="),
    ("if count <= limit && is_ready(user) { accept(user); }", "&&", "||"),
    ("if is_ready(user) { accept(user); }", "if is_ready", "if !is_ready"),
    ("if user.role == admin { accept(user); }", "==", "!="),
    ("let verify_signatures_of_all_peers = true;", "true", "false"),
    ("let is_not_ready_for_any_of_the_users = true;", "is_not_ready", "is_ready"),
    ("Es gibt ein Verfahren für die Prüfung der Anlage.", "ein Verfahren", "kein Verfahren"),
    ("The effect on all of the patients was harmful in this trial.", "harmful", "harmless"),
    ("Its members agree with the report of the commission.", "agree", "disagree"),
    ("The change is reversible for everybody who was there.", "reversible", "irreversible"),
    ("This pump is essential to all of the stations in the north.", "essential", "nonessential"),
    ("The valve opens before the pump has started to run.", "before", "after"),
    ("Le réacteur est sûr sous pleine charge, dit le rapport.", "est sûr", "n'est pas sûr"),
    ("Der Zugang zu den Daten der Kunden ist erlaubt.", "ist erlaubt", "ist nicht erlaubt"),
    ("There are 4 doors and 7 windows in the old house.", "4 doors and 7", "7 doors and 4"),
    (LOGS, "disable", "enable"),
    (LOGS, "encrypted", "decrypted"),
    ("Requests of external users are approved on Monday at the latest.", "external", "internal"),
    ("Requests of external users are approved on Monday at the latest.", "approved", "rejected"),
    ("Requests of external users are approved on Monday at the latest.", "Monday", "Friday"),
    ("The invoice over all of the parts is paid in EUR by the buyer.", "EUR", "USD"),
    (
        "In the morning Bob told Alice that the key of the vault had been lost.",
        "Bob told Alice",
        "Alice told Bob",
    ),
    ("Der Zugriff von externen Nutzern auf die Daten wird aufgezeichnet.", "externen", "internen"),
    ("Das Gerät lässt sich über das Menü aktivieren und zurücksetzen.", "aktivieren", "deaktivieren"),
    ("Der Vorstand wird den Antrag der Abteilung annehmen und melden.", "annehmen", "ablehnen"),
    ("The archive is uploaded to the public bucket every night.", "public", "private"),
    ("The field is required in every form of the application.", "required", "optional"),
    ("Rows are sorted in ascending order before they are written.", "ascending", "descending"),
];

const LOGS: &str =
    "Users can disable encrypted logging unless the administrator of the site has enabled the audit mode.";

#[test]
fn a_quote_that_turns_its_text_round_is_false() {
    for (text, from, to) in ALTERED {
        let quote = text.replacen(from, to, 1);
        assert_ne!(quote, text, "{from}");
        let finding = found(text, None, Some(&quote));
        assert_eq!(finding.problem, Some(Unverified::QuoteNotFound), "{from} → {to}");
        assert_eq!(finding.grade(), EvidenceGrade::Unverified);
        assert_eq!(found(text, lines(1, None), Some(&quote)).grade(), EvidenceGrade::Unverified);
        // And the other way round: what the text denies is not quoted without its denial.
        let back = found(&quote, None, Some(text));
        assert_eq!(back.problem, Some(Unverified::QuoteNotFound), "{to} → {from}");
        assert_eq!(found(text, None, Some(text)).grade(), EvidenceGrade::Precise, "the words themselves");
    }
}

#[test]
fn slips_of_the_pen_stay_verified() {
    for (text, from, to) in [
        (EN, "cooling", "coolling"),
        (EN, "months", "month"),
        (EN, "engineers", "enginers"),
        (EN, "The reactor", "the reactor"),
        (EN, "safe", "sfae"),
        (EN, "load and", "load, and"),
        (EN, "full load", "fullload"),
        (EN, "12 months", "12months"),
        (EN, "engineers.", "engineers!"),
        (DE, "ü", "ue"),
        (DE, "Kühlsystem", "Kühl-System"),
        ("She said \"it is done\" and left the room.", "\"it is done\"", "“it is done”"),
        ("The reactor is safe[3] under full load.", "safe[3]", "safe"),
        ("It is inside of the reactor, as everybody knows.", "inside", "in side"),
        ("# The first line\n# of a comment that goes on\n", "\n# of", " of"),
        ("> The first line\n> of a quotation that goes on\n", "\n> of", " of"),
        ("call vec!(1, 2, 3) to get a list of three", "vec!(", "vec("),
        ("The coo\u{ad}ling system works well.", "coo\u{ad}ling", "cooling"),
        ("The old parser and also the new one reject it.", "and also the", "and the"),
        ("The report of the second year was late.", "of the second", "of second"),
        ("It takes 5 minutes to read all of the pages.", "5 minutes", "5 minute"),
    ] {
        let quote = text.replacen(from, to, 1);
        let finding = found(text, None, Some(&quote));
        assert!(finding.grade().is_verified(), "{from} → {to}: {:?}", finding.why());
    }
}

#[test]
fn words_that_are_cut_at_the_ends_are_no_change() {
    for quote in [
        "eactor is safe under ful load",
        "reactor is safe undr full lo",
        "is safe under full load and the coling sys",
        "tem must be tested every 12 months by two enginers",
        "months by two enginers",
        "the coling system must be tested every",
        "- The reactor is safe under full load",
        "* cooling system must be tested every 12 months",
    ] {
        let finding = found(EN, None, Some(quote));
        assert!(finding.grade().is_verified(), "{quote}: {:?}", finding.why());
    }
    let text = "Step 3\nThe reactor is not safe under full load.";
    assert!(found(text, None, Some("* The reactor is not safe")).grade().is_verified());
    let dropped = found(text, None, Some("is safe under full load"));
    assert_eq!(dropped.problem, Some(Unverified::QuoteNotFound), "the nearest part begins inside of `not`");
}

#[test]
fn a_cut_that_makes_another_word_or_number_is_a_change_even_without_an_edit() {
    let text = "The connection is unsafe for all of the 15 clients, at 1.5 percent.\nDer Vertrag ist ungültig nach dem Gesetz.";
    for quote in [
        "safe for all of the 15 clients",
        "5 clients, at 1.5 percent",
        "5 percent",
        "gültig nach dem Gesetz",
        "for all of the 1",
    ] {
        let finding = found(text, None, Some(quote));
        assert_eq!(finding.problem, Some(Unverified::QuoteNotFound), "{quote}");
        assert!(finding.is_altered(), "{quote}");
    }
    for quote in
        ["nection is unsafe for all of the 15 clients", "ercent", "trag ist ungültig nach dem Gesetz"]
    {
        assert!(found(text, None, Some(quote)).grade().is_verified(), "{quote}");
    }
}

#[test]
fn what_stands_there_is_told_in_whole_words() {
    let quote =
        "reactor is safe under full load and the cooling system must be tested every 72 months by two eng";
    let finding = found(EN, lines(1, None), Some(quote));
    assert!(finding.is_altered() && finding.elsewhere.is_none());
    let why = finding.why().expect("a reason");
    // Somebody who may not read the file learns the line and none of its words.
    assert!(why.contains("number") && why.contains("line 1") && !why.contains("12 months"), "{why}");
    assert!(finding.quote.is_some_and(|quote| quote.text.contains("every 12 months by two engineers")));
    let absent = check(&cite(None, Some("The committee met for lunch")), Ok(&file(EN)), SearchDepth::Verdict);
    assert!(!absent.is_altered());
    assert_eq!(absent.why().as_deref(), Some("the words do not stand there"));
    assert_eq!(found(EN, None, None).why(), None);
}
