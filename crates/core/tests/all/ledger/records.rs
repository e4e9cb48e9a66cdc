//! Records by agent and model: rates, tiers, trust, archive and restore.

use synod_core::kernel::AuthorClass;
use synod_core::kernel::CitationTrigger::SupportProposal;
use synod_core::ledger::CitationProof::{False, Verified};
use synod_core::ledger::{
    AgentTrust, CreditTally, EscalationLevel, IssueFact, LedgerCaller, ProfilePeriods, RatingRequest,
    ReliabilityTier, Rules,
};

use super::{Book, cited, id, matter, receiver, who};

fn tier(verified: u32, citations: u32, penalised: u32, actions: u32) -> ReliabilityTier {
    let tally = CreditTally { actions, citations, penalised, verified, ..CreditTally::default() };
    tally.tier(&Rules::default().tiers)
}

#[test]
fn the_bounds_of_tiers_are_strict() {
    use ReliabilityTier::{Bronze, Gold, None, Silver};
    assert_eq!(tier(96, 100, 4, 100), Gold);
    assert_eq!(tier(95, 100, 4, 100), Silver, "exactly 0.95 is not more");
    assert_eq!(tier(96, 100, 5, 100), Silver, "exactly 0.05 is not less");
    assert_eq!(tier(19, 20, 0, 20), Silver);
    assert_eq!(tier(86, 100, 14, 100), Silver);
    assert_eq!(tier(85, 100, 14, 100), Bronze);
    assert_eq!(tier(86, 100, 15, 100), Bronze);
    assert_eq!(tier(71, 100, 24, 100), Bronze);
    assert_eq!(tier(70, 100, 24, 100), None);
    assert_eq!(tier(71, 100, 25, 100), None);
    assert_eq!(tier(1, 1, 0, 1), Gold);
}

#[test]
fn zero_denominators_give_no_tier_and_normal_trust() {
    assert_eq!(tier(0, 0, 0, 10), ReliabilityTier::None);
    assert_eq!(tier(10, 10, 0, 0), ReliabilityTier::None);
    assert_eq!(tier(0, 0, 0, 0), ReliabilityTier::None);
    let bounds = Rules::default().trust;
    assert_eq!(CreditTally::default().trust(&bounds), AgentTrust::Normal);
    let no_comment = CreditTally { applied: 9, started: 9, ..CreditTally::default() };
    assert_eq!(no_comment.trust(&bounds), AgentTrust::Normal, "useful, but no comment says how");
}

#[test]
fn the_bounds_of_trust_are_strict() {
    let trust = |irrelevant, applied, stopped, comments_with_evidence| {
        let (started, comments) = (10, 10);
        let tally = CreditTally {
            applied,
            comments,
            comments_with_evidence,
            irrelevant,
            started,
            stopped,
            ..CreditTally::default()
        };
        tally.trust(&Rules::default().trust)
    };
    assert_eq!(trust(5, 0, 3, 0), AgentTrust::Normal);
    assert_eq!(trust(6, 0, 3, 0), AgentTrust::Low);
    assert_eq!(trust(5, 0, 4, 0), AgentTrust::Low);
    assert_eq!(trust(0, 7, 0, 8), AgentTrust::High);
    assert_eq!(trust(0, 6, 0, 8), AgentTrust::Normal);
    assert_eq!(trust(0, 7, 0, 7), AgentTrust::Normal);
    assert_eq!(trust(6, 7, 0, 8), AgentTrust::Low, "low wins");
}

#[test]
fn a_model_that_comes_back_finds_its_record() {
    let mut book = Book::default();
    let cite = |book: &mut Book, model: &str, number: u64, proof| {
        book.speak(
            "ann",
            model,
            number,
            Some(SupportProposal),
            &[cited(&format!("a{number}"), proof)],
            false,
        );
    };
    cite(&mut book, "A", 1, Verified);
    cite(&mut book, "A", 2, Verified);
    cite(&mut book, "B", 3, False);
    let credits = |book: &Book, model: &str| book.ledger.record(&who("ann"), model).unwrap().tally.credits;
    assert_eq!((credits(&book, "a"), credits(&book, "b")), (2, -2));
    let archived =
        |book: &Book, model: &str| book.ledger.record(&who("ann"), model).unwrap().archived.is_some();
    assert_eq!((archived(&book, "a"), archived(&book, "b")), (true, false));
    cite(&mut book, "A", 4, Verified);
    assert_eq!((credits(&book, "a"), credits(&book, "b")), (3, -2));
    assert_eq!((archived(&book, "a"), archived(&book, "b")), (false, true));
    assert_eq!(book.ledger.record(&who("ann"), "a").unwrap().streak, 3, "the streak goes on");
    cite(&mut book, "B", 5, Verified);
    assert_eq!((credits(&book, "a"), credits(&book, "b")), (3, -1));
    assert_eq!((archived(&book, "a"), archived(&book, "b")), (true, false));
    assert_eq!(book.balance("ann"), 2, "the agent has what all its models earned");
    let models: Vec<&str> = book.ledger.records(&who("ann")).map(|(model, _)| model).collect();
    assert_eq!(models, ["a", "b"]);
    let profile = book.ledger.profile(&book.rules, &who("ann"), "A", ProfilePeriods::default());
    assert!(!profile.active && profile.lifetime == 3);
}

#[test]
fn streaks_end_with_a_false_citation_and_the_longest_stays() {
    let mut book = Book::default();
    for (number, proof) in [Verified, Verified, Verified, False, Verified].into_iter().enumerate() {
        book.say("ann", number as u64, SupportProposal, &[cited(&format!("a{number}"), proof)]);
    }
    let record = book.ledger.active_record(&who("ann")).unwrap();
    assert_eq!((record.streak, record.longest_streak), (1, 3));
}

#[test]
fn a_profile_tells_rates_and_credits_of_periods() {
    let mut book = Book::default();
    let (chapter, session) = (id(1001), id(1002));
    book.say("ann", 1, SupportProposal, &[cited("a", Verified)]);
    book.periods = vec![chapter];
    book.say("ann", 2, SupportProposal, &[cited("b", Verified)]);
    book.issue(IssueFact::Started, 2, "ann");
    book.issue(IssueFact::Applied, 2, "ann");
    book.periods = vec![chapter, session];
    book.say("ann", 3, SupportProposal, &[cited("a", False)]);
    let of = ProfilePeriods { period: Some(chapter), session: Some(session) };
    let profile = book.ledger.profile(&book.rules, &who("ann"), "m", of);
    assert_eq!((profile.lifetime, profile.period, profile.session), (0, Some(-1), Some(-2)));
    let rates = [profile.verification, profile.application, profile.penalty];
    assert_eq!(rates.map(|rate| (rate.part, rate.whole)), [(2, 3), (1, 1), (1, 3)]);
    assert_eq!((profile.tier, profile.level), (ReliabilityTier::None, EscalationLevel::Normal));
    let nobody = book.ledger.profile(&book.rules, &who("bob"), "m", of);
    assert_eq!((nobody.lifetime, nobody.session, nobody.trust), (0, Some(0), AgentTrust::Normal));
    assert!(!nobody.active);
}

/// What an agent says of `ann` counts.
fn rate(book: &mut Book, by: &str, helpful: bool, number: u64) -> (u64, u64) {
    let by = who(by);
    let caller = LedgerCaller { class: AuthorClass::Agent, names: &[], who: Some(&by) };
    let rating = RatingRequest { helpful, matter: matter(number), of: receiver("ann") };
    let events = book.ledger.rate(&book.rules, &caller, &rating).unwrap();
    book.put(events);
    let found = book.ledger.rating(&who("ann"));
    (found.helpful, found.unhelpful)
}

#[test]
fn ratings_count_by_how_reliable_the_rater_is() {
    let mut book = Book::default();
    assert_eq!(rate(&mut book, "new", true, 1), (0, 0), "somebody who proved nothing");
    for number in 0..30 {
        book.say("gold", number, SupportProposal, &[cited(&format!("a{number}"), Verified)]);
        let proof = if number % 10 == 0 { False } else { Verified };
        book.say("silver", number, SupportProposal, &[cited(&format!("a{number}"), proof)]);
    }
    assert_eq!(rate(&mut book, "gold", true, 1), (3, 0));
    assert_eq!(rate(&mut book, "silver", true, 1), (5, 0));
    assert_eq!(rate(&mut book, "gold", false, 1), (2, 3), "another word of the same one replaces the first");
    assert_eq!(rate(&mut book, "gold", true, 2), (5, 3), "of another matter");
    assert_eq!(book.balance("ann"), 0, "no credit moves");
    let rating = RatingRequest { helpful: true, matter: matter(1), of: receiver("ann") };
    let events = book.ledger.rate(&book.rules, &LedgerCaller::USER, &rating).unwrap();
    book.put(events);
    assert_eq!(book.ledger.rating(&who("ann")).helpful, 8);
}

#[test]
fn an_agent_in_trouble_vouches_for_nobody() {
    let mut book = Book::default();
    for number in 0..40 {
        book.say("eve", number, SupportProposal, &[cited(&format!("a{number}"), Verified)]);
    }
    for _ in 0..7 {
        book.act("eve", "m", true);
    }
    let record = book.ledger.active_record(&who("eve")).unwrap();
    assert_eq!(record.level, EscalationLevel::Remediation);
    assert_eq!(record.tally.tier(&book.rules.tiers), ReliabilityTier::Silver);
    assert_eq!(rate(&mut book, "eve", true, 1), (0, 0));
}

/// Ten new names that praise each other have no more than before.
#[test]
fn collusion_of_strangers_is_worth_nothing() {
    let mut book = Book::default();
    for nth in 0..10 {
        for number in 0..5 {
            assert_eq!(rate(&mut book, &format!("sock{nth}"), true, number), (0, 0));
        }
    }
}
