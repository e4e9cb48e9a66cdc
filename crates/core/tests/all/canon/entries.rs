//! Entries: names, versions, supersession, expiry, citations, and claims that somebody proposes.

use synod_core::canon::{
    Canon, CanonRef, CitedEntry, Claim, ClaimSource, ClaimValue, ConflictChoice, EntryName, EntryStatus,
    Event, IssueSupport, Promotion, Refusal, Rules, TEXT_MOST, conflicts,
};
use synod_core::kernel::{About, At, Epistemic, Words};

use super::{agent, canon_of, id, name, promote, promotion, record, user};

fn cited(written: &str) -> CanonRef {
    written.parse().unwrap()
}

fn status(canon: &Canon, written: &str, at: u64) -> Option<EntryStatus> {
    match canon.cite(&cited(written), At(at)) {
        CitedEntry::Known(_, status) => Some(status),
        CitedEntry::Unknown => None,
    }
}

fn supersede(
    canon: &mut Canon,
    act: u64,
    at: u64,
    written: &str,
    text: &str,
    seen: u32,
) -> Result<(), Refusal> {
    let event = canon.supersede(At(at), &promotion(written, text), seen, &user())?;
    record(canon, act, At(at), &[event]);
    Ok(())
}

#[test]
fn names_have_one_spelling_and_bad_ones_are_refused() {
    for (written, expected) in
        [("eyes", "eyes"), (" Session Timeout ", "session-timeout"), ("GRÖSSE_2", "grösse-2")]
    {
        assert_eq!(EntryName::parse(written).unwrap().as_str(), expected);
    }
    for written in ["", " ", "-a", "a-", "a/b", "a@1", "a:b", "a!b", "ey\u{202e}es", &"x".repeat(65)] {
        let refusal = EntryName::parse(written).unwrap_err();
        assert_eq!(refusal.code(), "canon/bad-name", "{written:?}");
        assert!(!refusal.to_string().contains('\n'), "{written:?}");
    }
}

#[test]
fn citations_are_written_and_read() {
    assert_eq!(cited("canon:eyes@2").to_string(), "canon:eyes@2");
    assert_eq!(cited("eyes").to_string(), "canon:eyes");
    for wrong in
        ["canon:eyes@0", "canon:eyes@", "canon:eyes@x", "canon:", "canon:eyes@-1", "canon:eyes@99999999999"]
    {
        assert_eq!(wrong.parse::<CanonRef>().unwrap_err().code(), "canon/bad-name", "{wrong}");
    }
}

#[test]
fn an_old_version_is_found_and_reported_as_superseded() {
    let mut canon = Canon::default();
    promote(&mut canon, 1, "eyes", "Mara's eyes are green.");
    supersede(&mut canon, 2, 10, "eyes", "Mara's eyes are blue.", 1).unwrap();
    assert_eq!(status(&canon, "canon:eyes@1", 20), Some(EntryStatus::Superseded { latest: 2 }));
    assert_eq!(status(&canon, "canon:eyes@2", 20), Some(EntryStatus::Current));
    assert_eq!(status(&canon, "canon:eyes", 20), Some(EntryStatus::Current));
    assert_eq!(status(&canon, "canon:eyes@3", 20), None);
    assert_eq!(status(&canon, "canon:nose", 20), None);
    let CitedEntry::Known(old, _) = canon.cite(&cited("canon:eyes@1"), At(20)) else { panic!("it is kept") };
    assert_eq!(old.text, "Mara's eyes are green.");
    let texts: Vec<&str> =
        canon.entry(&name("eyes")).unwrap().history().map(|version| &*version.text).collect();
    assert_eq!(texts, ["Mara's eyes are green.", "Mara's eyes are blue."]);
    assert_eq!(conflicts(&canon, "Mara's eyes are green.", At(20)).len(), 1, "the new version counts");
    assert!(conflicts(&canon, "Mara's eyes are blue.", At(20)).is_empty());
}

#[test]
fn an_override_names_the_version_it_has_seen() {
    let mut canon = canon_of("Mara's eyes are green.");
    supersede(&mut canon, 2, 10, "entry", "Mara's eyes are blue.", 1).unwrap();
    let late = supersede(&mut canon, 3, 11, "entry", "Mara's eyes are grey.", 1).unwrap_err();
    assert_eq!(late.code(), "canon/not-the-latest");
    assert!(late.to_string().contains("version 2 now"), "{late}");
    assert_eq!(supersede(&mut canon, 3, 11, "other", "x y", 1).unwrap_err().code(), "canon/unknown-entry");
    assert_eq!(supersede(&mut canon, 3, 11, "entry", "x y", 9).unwrap_err().code(), "canon/unknown-entry");
    let by_agent = canon.supersede(At(11), &promotion("entry", "x"), 2, &agent("bob"));
    assert_eq!(by_agent.unwrap_err().code(), "canon/not-allowed");
}

#[test]
fn a_name_that_holds_is_taken_and_one_that_ended_is_free_again() {
    let mut canon = canon_of("Mara's eyes are green.");
    let nobody = imbl::OrdSet::new();
    let support =
        IssueSupport { status: Epistemic::Draft, author: None, supporters: &nobody, agents: &nobody };
    let again = |canon: &Canon| {
        canon.promote(At(5), &Rules::default(), &promotion("Entry", "New."), &user(), &support)
    };
    assert_eq!(again(&canon).unwrap_err().code(), "canon/name-taken");
    let ended = canon.end(At(4), &cited("entry"), &user(), Some("retold".into())).unwrap();
    assert_eq!(ended.about(), About::House);
    assert_eq!(
        canon.end(At(4), &cited("entry"), &agent("bob"), None).unwrap_err().code(),
        "canon/not-allowed"
    );
    record(&mut canon, 2, At(4), &[ended]);
    assert_eq!(status(&canon, "entry", 5), Some(EntryStatus::Ended { at: At(4) }));
    assert!(conflicts(&canon, "Mara's eyes are blue.", At(5)).is_empty(), "what ended contradicts nothing");
    assert_eq!(canon.end(At(5), &cited("entry"), &user(), None).unwrap_err().code(), "canon/not-holding");
    let event = again(&canon).unwrap();
    record(&mut canon, 3, At(5), &[event]);
    assert_eq!(canon.entry(&name("entry")).unwrap().latest().unwrap().version, 2, "versions go on");
}

#[test]
fn an_entry_holds_until_its_time_and_not_at_that_moment() {
    let mut canon = Canon::default();
    let nobody = imbl::OrdSet::new();
    let support =
        IssueSupport { status: Epistemic::Draft, author: None, supporters: &nobody, agents: &nobody };
    let wanted = Promotion { until: Some(At(100)), ..promotion("freeze", "The branch is locked.") };
    let refused = canon.promote(At(100), &Rules::default(), &wanted, &user(), &support).unwrap_err();
    assert_eq!(refused.code(), "canon/ends-in-the-past");
    let event = canon.promote(At(10), &Rules::default(), &wanted, &user(), &support).unwrap();
    record(&mut canon, 1, At(10), &[event]);
    assert_eq!(canon.next_expiry(At(10)), Some(At(100)));
    assert_eq!(conflicts(&canon, "The branch is unlocked.", At(99)).len(), 1);
    assert!(conflicts(&canon, "The branch is unlocked.", At(100)).is_empty());
    assert_eq!(status(&canon, "freeze", 100), Some(EntryStatus::Expired { at: At(100) }));
    assert_eq!((canon.current(At(100)).count(), canon.expired(At(100)).count()), (0, 1));
    assert_eq!(canon.next_expiry(At(100)), None);
    let late = canon.supersede(At(100), &promotion("freeze", "The branch is open."), 1, &user());
    assert_eq!(late.unwrap_err().code(), "canon/not-holding");
}

#[test]
fn texts_are_neither_empty_nor_endless() {
    let canon = canon_of("Mara's eyes are green.");
    for text in ["", "  \n ", &"x".repeat(TEXT_MOST + 1)] {
        let refused = canon.supersede(At(1), &promotion("entry", text), 1, &user()).unwrap_err();
        assert_eq!(refused.code(), "canon/bad-text");
    }
    assert!(canon.supersede(At(1), &promotion("entry", &"x".repeat(TEXT_MOST)), 1, &user()).is_ok());
}

#[test]
fn a_conflict_has_three_choices_and_only_user_and_lead_override() {
    let mut canon = canon_of("Mara's eyes are green.");
    let entry = cited("entry");
    for choice in ConflictChoice::ALL {
        let by_user = canon.decide_conflict(At(1), &entry, choice, None, &user()).unwrap();
        record(&mut canon, 3, At(1), &[by_user]);
        let by_agent = canon.decide_conflict(At(1), &entry, choice, None, &agent("bob"));
        assert_eq!(by_agent.is_err(), choice == ConflictChoice::Override, "{}", choice.word());
    }
    let kept: Vec<ConflictChoice> = canon.decisions().map(|decided| decided.choice).collect();
    assert_eq!(kept, ConflictChoice::ALL);
    assert_eq!(canon.decisions().next().unwrap().entry, cited("entry@1"), "the version is recorded");
}

fn proposed(value: &str) -> Claim {
    Claim::given("Mara", "sister", ClaimValue::Name(value.into()), false, "as the letter implies").unwrap()
}

fn propose(canon: &mut Canon, act: u64, claims: Vec<Claim>) -> Result<(), Refusal> {
    let source = ClaimSource::Model { name: "some-model".into() };
    let event = canon.propose_claims(At(1), &cited("entry"), claims, source)?;
    record(canon, act, At(1), &[event]);
    Ok(())
}

#[test]
fn what_a_model_proposes_counts_once_a_person_accepts_it() {
    let mut canon = canon_of("Mara wrote a letter.");
    let text = Claim::given("mara", "sister", ClaimValue::Name("ilse".into()), false, "x").unwrap();
    let contradicted = |canon: &Canon| {
        canon.current(At(2)).flat_map(|(_, version)| &version.claims).any(|claim| claim.contradicts(&text))
    };
    propose(&mut canon, 5, vec![proposed("greta")]).unwrap();
    assert!(!contradicted(&canon), "nothing changes until somebody decides");
    assert_eq!(canon.proposals().filter(|proposal| proposal.decided.is_none()).count(), 1);
    let refused = canon.decide_claims(At(2), id(5), true, &agent("bob"), None).unwrap_err();
    assert_eq!(refused.code(), "canon/not-allowed");
    assert_eq!(
        canon.decide_claims(At(2), id(9), true, &user(), None).unwrap_err().code(),
        "canon/unknown-proposal"
    );
    let accepted = canon.decide_claims(At(2), id(5), true, &user(), Some("yes".into())).unwrap();
    record(&mut canon, 6, At(2), &[accepted]);
    assert!(contradicted(&canon));
    let twice = canon.decide_claims(At(2), id(5), false, &user(), None).unwrap_err();
    assert_eq!(twice.code(), "canon/already-decided");
}

#[test]
fn refused_and_outdated_proposals_change_nothing() {
    let mut canon = canon_of("Mara wrote a letter.");
    propose(&mut canon, 5, vec![proposed("greta")]).unwrap();
    propose(&mut canon, 6, vec![proposed("ilse")]).unwrap();
    let no = canon.decide_claims(At(2), id(5), false, &user(), None).unwrap();
    record(&mut canon, 7, At(2), &[no]);
    supersede(&mut canon, 8, 3, "entry", "Mara wrote two letters.", 1).unwrap();
    let late = canon.decide_claims(At(4), id(6), true, &user(), None).unwrap_err();
    assert_eq!(late.code(), "canon/not-the-latest");
    assert!(canon.decide_claims(At(4), id(6), false, &user(), None).is_ok(), "it can still be refused");
    let claims: usize =
        canon.entry(&name("entry")).unwrap().history().map(|version| version.claims.len()).sum();
    assert!(canon.entries().count() == 1 && claims < 4);
    assert_eq!(propose(&mut canon, 9, Vec::new()).unwrap_err().code(), "canon/bad-proposal");
    assert_eq!(propose(&mut canon, 9, vec![proposed("x"); 101]).unwrap_err().code(), "canon/bad-proposal");
}

#[test]
fn words_of_events_can_be_redacted_and_facts_stay() {
    let canon = canon_of("Mara's eyes are green.");
    let mut event =
        canon.supersede(At(1), &promotion("entry", "Mara's eyes are blue and secret."), 1, &user()).unwrap();
    event.redact();
    let shown = serde_json::to_string(&event).unwrap();
    assert!(!shown.contains("blue") && !shown.contains("mara") && !shown.contains("secret"), "{shown}");
    let Event::Promoted { entry, supersedes, .. } = &event else { panic!("{event:?}") };
    assert_eq!((entry.to_string().as_str(), *supersedes), ("canon:entry@2", Some(1)));
}

#[test]
fn refusals_have_unique_codes_of_this_organ() {
    let mut codes: Vec<&str> = Refusal::ALL.iter().map(|entry| entry.code).collect();
    assert!(codes.iter().all(|code| code.starts_with("canon/")));
    codes.sort_unstable();
    codes.dedup();
    assert_eq!(codes.len(), Refusal::ALL.len());
}
