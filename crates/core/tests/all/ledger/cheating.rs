//! Attempts to move credit that nobody may move. Each is refused and recorded.

use synod_core::kernel::{About, AskChange, AuthorClass, Words, text};
use synod_core::ledger::{
    AttemptFlaw, AwardRequest, CreditReason, CreditReceiver, Event, LedgerCaller, RatingRequest, Refusal,
    TERMS, TaskSlice, slices,
};

use super::{Book, matter, receiver, request, who};

const AGENT: AuthorClass = AuthorClass::Agent;
const MODERATOR: AuthorClass = AuthorClass::Moderator;
const SYSTEM: AuthorClass = AuthorClass::System;
const USER: AuthorClass = AuthorClass::User;

/// The last event is an attempt, and no credit moved.
fn recorded(book: &Book, flaw: AttemptFlaw, attempts: usize) {
    let Some(Event::Attempted(attempt)) = book.log.last() else { panic!("{:?}", book.log.last()) };
    assert_eq!(attempt.flaw, flaw);
    assert_eq!(book.ledger.attempts().count(), attempts);
    assert!(!book.log.iter().any(|event| matches!(event, Event::Posted(_))), "{:?}", book.log);
}

/// Spellings of `ann` that a person takes for `ann`.
const SPELLINGS: [&str; 16] = [
    "ann",
    "Ann",
    "ANN",
    "  ann ",
    "ａｎｎ",
    "𝐚𝐧𝐧",
    "аnn",
    "ɑnn",
    "áññ",
    "a-n-n",
    "a.n.n",
    "a n n",
    "_ann_",
    "αnn",
    "Ａnn",
    "aηn",
];

#[test]
fn nobody_awards_themself_under_any_spelling() {
    let mut book = Book::default();
    for (nth, name) in SPELLINGS.into_iter().enumerate() {
        let found = book.give(MODERATOR, "ann", name, "moderator-commendation", Some(3));
        assert_eq!(found, Err("ledger/self-award"), "{name}");
        recorded(&book, AttemptFlaw::SelfAward, nth + 1);
    }
    assert_eq!(book.ledger.refused_attempts(&who("ann")), SPELLINGS.len() as u32);
    assert_eq!(
        book.give(MODERATOR, "ann", "anna", "moderator-commendation", Some(3)),
        Ok(3),
        "somebody else"
    );
}

#[test]
fn nobody_awards_themself_under_another_of_their_names() {
    let mut book = Book::default();
    let (ann, other) = (who("ann"), ["Reviewer One".to_string()]);
    let caller = LedgerCaller { class: MODERATOR, names: &other, who: Some(&ann) };
    let refused = book.award(&caller, &request("reviewer one", "clean-unfreeze", None)).unwrap_err();
    assert_eq!(refused.refusal, Refusal::SelfAward);
    // The receiver has a name that is the caller's.
    let caller = LedgerCaller { class: MODERATOR, names: &[], who: Some(&ann) };
    let names = ["ANN".to_string()];
    let to = CreditReceiver { names: &names, ..receiver("reviewer one") };
    let asked = AwardRequest { to, ..request("", "clean-unfreeze", None) };
    assert_eq!(book.award(&caller, &asked).unwrap_err().refusal, Refusal::SelfAward);
}

#[test]
fn reasons_of_the_system_are_not_for_agents() {
    for terms in TERMS {
        for class in [AGENT, MODERATOR, USER, SYSTEM] {
            let mut book = Book::default();
            let amount = Some(terms.range.most);
            let found = book.give(class, "bob", "ann", terms.word, amount);
            let expected = match (class == terms.verifier, terms.reason.is_of_citations()) {
                (false, _) => Err("ledger/not-verifier"),
                (true, true) => Err("ledger/needs-citation"),
                (true, false) => Ok(terms.range.most),
            };
            assert_eq!(found, expected, "{} by {class:?}", terms.word);
            if let Err(code) = found {
                let citation = code == "ledger/needs-citation";
                let flaw = if citation { AttemptFlaw::NeedsCitation } else { AttemptFlaw::NotVerifier };
                recorded(&book, flaw, 1);
            }
        }
    }
}

#[test]
fn an_agent_can_verify_nothing_at_all() {
    assert!(TERMS.iter().all(|terms| terms.verifier != AGENT));
}

#[test]
fn unknown_reasons_are_refused_with_the_one_that_was_meant() {
    let mut book = Book::default();
    for reason in ["", "bonus", "EVIDENCE-VERIFIED", "moderator_commendation", "moderator-commendations"] {
        let found = book.give(MODERATOR, "mo", "ann", reason, Some(1));
        assert_eq!(found, Err("ledger/unknown-reason"), "{reason}");
    }
    recorded(&book, AttemptFlaw::UnknownReason, 5);
    let refusal = Refusal::UnknownReason { reason: "moderator-commendations".into() };
    assert!(refusal.to_string().contains("did you mean `moderator-commendation`?"), "{refusal}");
}

#[test]
fn amounts_stay_in_their_range() {
    let cases = [
        ("moderator-commendation", Some(4)),
        ("moderator-commendation", Some(0)),
        ("moderator-commendation", Some(-1)),
        ("moderator-commendation", Some(i64::MAX)),
        ("moderator-commendation", None),
        ("moderator-penalty", Some(1)),
        ("moderator-penalty", Some(0)),
        ("moderator-penalty", Some(-4)),
        ("moderator-penalty", Some(i64::MIN)),
        ("clean-unfreeze", Some(2)),
    ];
    let mut book = Book::default();
    for (nth, (reason, amount)) in cases.into_iter().enumerate() {
        let found = book.give(MODERATOR, "mo", "ann", reason, amount);
        assert_eq!(found, Err("ledger/amount-out-of-range"), "{reason} {amount:?}");
        recorded(&book, AttemptFlaw::AmountOutOfRange, nth + 1);
    }
    for amount in 1..=3 {
        let name = format!("ann{amount}"); // somebody is commended once in a matter
        assert_eq!(book.give(MODERATOR, "mo", &name, "moderator-commendation", Some(amount)), Ok(amount));
        assert_eq!(book.give(MODERATOR, "mo", &name, "moderator-commendation", Some(amount)), Ok(0));
        assert_eq!(book.give(MODERATOR, "mo", &name, "moderator-penalty", Some(-amount)), Ok(-amount));
    }
    assert_eq!(book.give(MODERATOR, "mo", "ann", "clean-unfreeze", None), Ok(1), "there is one amount");
}

#[test]
fn the_user_and_the_house_receive_nothing() {
    let mut book = Book::default();
    for name in ["user", "User", "ＵＳＥＲ", "usеr", "system", "Operator", "engine", "u-s-e-r"] {
        let found = book.give(MODERATOR, "mo", name, "moderator-commendation", Some(1));
        assert_eq!(found, Err("ledger/user-receives-nothing"), "{name}");
    }
    recorded(&book, AttemptFlaw::UserReceiver, 8);
    for class in [USER, SYSTEM] {
        let to = CreditReceiver { class: Some(class), ..receiver("lea") };
        let asked = AwardRequest { to, ..request("", "moderator-commendation", Some(1)) };
        let mo = who("mo");
        let caller = LedgerCaller { class: MODERATOR, names: &[], who: Some(&mo) };
        assert_eq!(book.award(&caller, &asked).unwrap_err().refusal, Refusal::UserReceiver);
    }
}

#[test]
fn strangers_receive_nothing() {
    let mut book = Book::default();
    let mo = who("mo");
    let caller = LedgerCaller { class: MODERATOR, names: &[], who: Some(&mo) };
    for (written, class) in
        [("ghost", None), ("", Some(AGENT)), ("a:b", Some(AGENT)), ("a\u{200b}b", Some(AGENT))]
    {
        let to = CreditReceiver { class, ..receiver(written) };
        let asked = AwardRequest { to, ..request("", "moderator-commendation", Some(1)) };
        let refused = book.award(&caller, &asked).unwrap_err();
        assert_eq!(refused.refusal.code(), "ledger/unknown-receiver", "{written:?}");
    }
    recorded(&book, AttemptFlaw::UnknownReceiver, 4);
}

#[test]
fn an_attempt_says_who_what_and_why() {
    let mut book = Book::default();
    let long = "x".repeat(10_000);
    let _ = book.give(AGENT, "eve", "bob", &format!("evil\nreason {long}"), Some(9));
    let Some(Event::Attempted(attempt)) = book.log.last() else { panic!() };
    assert_eq!((attempt.by.as_ref(), attempt.class, attempt.amount), (Some(&who("eve")), AGENT, Some(9)));
    assert_eq!((attempt.matter, attempt.to.as_str()), (Some(matter(1)), "bob"));
    assert_eq!(attempt.reason, "unknown-reason", "words stand in the command alone");
    let mut event = book.log.last().unwrap().clone();
    assert_eq!((event.about(), event.ask()), (About::House, AskChange::None));
    assert!(event.has_words(), "what somebody wrote can be redacted");
    let line = book.ledger.attempts().last().unwrap();
    assert_eq!((line.by.as_ref(), line.flaw), (Some(&who("eve")), AttemptFlaw::UnknownReason));
}

#[test]
fn attempts_that_are_remembered_are_bounded_and_all_are_counted() {
    let mut book = Book::default();
    for _ in 0..1_200 {
        let _ = book.give(AGENT, "eve", "eve", "user-marked-helpful", None);
    }
    assert_eq!(book.ledger.attempts().count(), 500);
    assert_eq!(book.ledger.refused_attempts(&who("eve")), 1_200);
    assert_eq!(book.balance("eve"), 0);
}

#[test]
fn awards_for_a_matter_are_given_once_where_the_table_says_so() {
    let mut book = Book::default();
    for terms in TERMS.iter().filter(|terms| !terms.reason.is_of_citations()) {
        let first = book.give(terms.verifier, "mo", "ann", terms.word, Some(terms.range.most));
        let second = book.give(terms.verifier, "mo", "ann", terms.word, Some(terms.range.most));
        assert_eq!(first, Ok(terms.range.most), "{}", terms.word);
        assert_eq!(second, Ok(if terms.once { 0 } else { terms.range.most }), "{}", terms.word);
    }
}

#[test]
fn slices_of_a_task_add_up_and_each_is_paid_once() {
    assert_eq!(slices(10, 3), [4, 3, 3]);
    assert_eq!(slices(10, 5), [2; 5]);
    assert_eq!(slices(3, 5), [1, 1, 1, 0, 0]);
    assert_eq!(slices(-7, 2), [-4, -3]);
    assert_eq!(slices(5, 0), [0; 0]);
    let mut book = Book::default();
    let paid = |book: &mut Book, nth: u32, of: u32| {
        let slice = Some(TaskSlice { nth, of });
        let asked = AwardRequest { slice, ..request("ann", "proposal-accepted-by-user", None) };
        let before = book.balance("ann");
        let found = book.award(&LedgerCaller::USER, &asked).map_err(|refused| refused.refusal.code());
        found.map(|_| book.balance("ann") - before)
    };
    assert_eq!([0, 1].map(|nth| paid(&mut book, nth, 2)), [Ok(2), Ok(1)]);
    assert_eq!([0, 1].map(|nth| paid(&mut book, nth, 2)), [Ok(0), Ok(0)], "again");
    for (nth, of) in [(2, 2), (0, 3), (0, 1), (0, 0), (5, 200)] {
        assert_eq!(paid(&mut book, nth, of), Err("ledger/malformed-slice"), "{nth} of {of}");
    }
    assert_eq!(book.balance("ann"), 3, "the whole, however it was cut");
}

#[test]
fn a_task_that_was_paid_whole_is_not_paid_in_slices_too() {
    let mut book = Book::default();
    let whole = request("ann", "issue-applied-in-work", None);
    book.award(&LedgerCaller::SYSTEM, &whole).unwrap();
    let sliced = AwardRequest { slice: Some(TaskSlice { nth: 0, of: 2 }), ..whole.clone() };
    assert_eq!(book.award(&LedgerCaller::SYSTEM, &sliced), Ok(0));
    assert_eq!(book.balance("ann"), 2);
    let other = AwardRequest { matter: Some(matter(2)), ..sliced };
    book.award(&LedgerCaller::SYSTEM, &other).unwrap();
    assert_eq!(book.award(&LedgerCaller::SYSTEM, &AwardRequest { slice: None, ..other }), Ok(0));
    assert_eq!(book.balance("ann"), 3);
}

#[test]
fn nobody_rates_themself_or_the_user() {
    let mut book = Book::default();
    let ann = who("ann");
    let caller = LedgerCaller { class: AGENT, names: &[], who: Some(&ann) };
    for (name, code) in [
        ("ANN", "ledger/self-rating"),
        ("аnn", "ledger/self-rating"),
        ("user", "ledger/user-receives-nothing"),
    ] {
        let rating = RatingRequest { helpful: true, matter: matter(1), of: receiver(name) };
        let refused = book.ledger.rate(&book.rules, &caller, &rating).unwrap_err();
        assert_eq!(refused.refusal.code(), code, "{name}");
        book.put([refused.event.clone()]);
    }
    assert_eq!(book.ledger.refused_attempts(&ann), 3);
}

#[test]
fn the_table_of_reasons_stands_in_the_order_of_the_reasons() {
    for terms in TERMS {
        assert_eq!(terms.reason.terms(), &terms);
        assert_eq!(CreditReason::parse(terms.word), Some(terms.reason));
        assert_eq!(serde_json::to_value(terms.reason).unwrap(), terms.word);
        assert!(terms.range.least <= terms.range.most);
    }
}

#[test]
fn names_that_look_alike_come_out_equal_and_others_do_not() {
    for name in SPELLINGS {
        assert_eq!(text::look_alike(name), "ann", "{name}");
    }
    for (one, other) in [("ann", "anna"), ("bob", "rob"), ("иван", "ivan"), ("李", "王"), ("a1", "a2")]
    {
        assert_ne!(text::look_alike(one), text::look_alike(other), "{one} {other}");
    }
    assert_eq!(text::look_alike("мoderator"), text::look_alike("MODERATOR"));
    assert_eq!(text::look_alike("b0t-1"), text::look_alike("botl"));
}

#[test]
fn every_refusal_has_a_code_of_the_ledger() {
    for entry in Refusal::ALL {
        assert!(entry.code.starts_with("ledger/"), "{entry:?}");
        assert!(entry.meaning.ends_with('.'), "{entry:?}");
    }
}
