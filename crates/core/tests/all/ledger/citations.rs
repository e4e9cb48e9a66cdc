//! Citations in comments: priced once, upgraded once.

use synod_core::kernel::CitationTrigger::*;
use synod_core::kernel::{AuthorClass, FileReference, LineRange, Reference};
use synod_core::ledger::CitationOutcome::*;
use synod_core::ledger::CitationProof::{self, *};
use synod_core::ledger::{
    CommentFacts, CreditReason, Event, IssueFact, LedgerCaller, Posting, UpgradeScope, citation_key, gap_form,
};

use super::{Book, cited, matter, who};

fn postings(book: &Book) -> Vec<&Posting> {
    let posted = book.log.iter().filter_map(|event| match event {
        Event::Posted(posting) => Some(&**posting),
        _ => None,
    });
    posted.collect()
}

#[test]
fn the_same_citation_again_has_no_effect() {
    for proof in [False, Exists, Verified, Precise] {
        let mut book = Book::default();
        book.say("ann", 1, SupportProposal, &[cited("a.txt:1 \"x\"", proof), cited("a.txt:1 \"x\"", proof)]);
        let after = (book.balance("ann"), postings(&book).len());
        assert_eq!(after.1, 1, "{proof:?}");
        book.say("ann", 1, ChallengeConsensus, &[cited("a.txt:1 \"x\"", proof)]);
        assert_eq!((book.balance("ann"), postings(&book).len()), after, "{proof:?}");
        assert_eq!(book.ledger.total(&who("ann")).citations, 1, "a repeated one counts for no rate");
    }
}

#[test]
fn other_spellings_of_a_citation_are_the_same_citation() {
    let file = |path: &str, lines: Option<(i64, Option<i64>)>, quote: &str| {
        let lines = lines.map(|(start, end)| LineRange { end, start });
        Reference::File(FileReference { lines, path: path.into(), quote: Some(quote.into()) }).normal_form()
    };
    let forms = [
        file("src/a.rs", Some((3, Some(3))), "The flotilla arrives"),
        file("./src/a.rs", Some((3, None)), "the  FLOTILLA\n arrives"),
        file("src/./a.rs", Some((3, Some(3))), "ｔhe flotilla arrives"),
    ];
    let mut book = Book::default();
    for form in &forms {
        book.say("Ann", 1, SupportProposal, &[cited(form, Precise)]);
    }
    assert_eq!(postings(&book).len(), 1, "{forms:?}");
}

#[test]
fn another_author_and_another_quote_are_other_citations_and_another_matter_is_not() {
    let mut book = Book::default();
    for (name, number, form) in [("ann", 1, "a"), ("ann", 2, "a"), ("bob", 1, "a"), ("ann", 1, "b")] {
        book.say(name, number, SupportProposal, &[cited(form, Verified)]);
    }
    assert_eq!((book.balance("ann"), book.balance("bob")), (2, 1));
    book.say("ann", 3, SupportProposal, &[cited("f", False)]);
    book.say("ann", 4, SupportProposal, &[cited("f", False)]);
    assert_eq!(book.balance("ann"), -2, "what is false costs wherever it is said");
    let keys = [
        citation_key(&who("a"), "b"),
        citation_key(&who("a b"), ""),
        citation_key(&who("ab"), "b"),
        citation_key(&who("a"), "b\n"),
    ];
    assert!((0..4).all(|one| (0..one).all(|other| keys[one] != keys[other])));
}

#[test]
fn a_false_citation_without_a_reason_costs_two() {
    let mut book = Book::default();
    book.say("ann", 1, Unprompted, &[cited("../x", False)]);
    assert_eq!(book.balance("ann"), -2);
    book.speak("ann", "m", 2, None, &[cited("a", Precise)], false);
    assert_eq!(book.balance("ann"), -2, "no trigger is unprompted");
    let reasons: Vec<CreditReason> = postings(&book).iter().map(|posting| posting.reason).collect();
    assert_eq!(reasons, [CreditReason::EvidenceFailedVerification, CreditReason::EvidenceVerifiedPrecise]);
}

/// The whole table again, as it happens: cited first, upgraded when the outcome is known.
#[test]
fn the_rows_of_the_table_come_out_by_posting_and_upgrade() {
    let rows = [
        (AnswerToQuestion, LedToFileChange, Precise, 2),
        (AnswerToQuestion, LedToFileChange, Verified, 2),
        (Unprompted, NoAction, Precise, 0),
        (ChallengeConsensus, InformedDecision, Precise, 2),
        (ChallengeConsensus, InformedDecision, Verified, 2),
        (AnswerToQuestion, PreventedError, False, -2),
        (VerifyContinuity, PreventedError, Precise, 3),
        (VerifyContinuity, PreventedError, Verified, 2),
        (AnswerToQuestion, NoAction, Precise, 0),
        (CanonGapSearch, IdentifiedCanonGap, Searched, 2),
        (SupportProposal, EstablishedNewCanon, Precise, 3),
        (SupportProposal, EstablishedNewCanon, Verified, 2),
        (VerifyContinuity, PreventedUserConflict, Precise, 4),
        (VerifyContinuity, PreventedUserConflict, Verified, 3),
        (SupportProposal, ResolvedIssue, Exists, 0),
    ];
    for (trigger, outcome, proof, credits) in rows {
        let mut book = Book::default();
        book.say("ann", 1, trigger, &[cited("a", proof)]);
        book.upgrade(1, outcome);
        assert_eq!(book.balance("ann"), credits, "{trigger:?} {outcome:?} {proof:?}");
        // Once: nothing that comes later changes it.
        assert_eq!(book.upgrade(1, PreventedUserConflict), 0, "{trigger:?} {outcome:?}");
        assert_eq!(book.balance("ann"), credits);
        assert_eq!(book.ledger.pending_citations(matter(1)), 0);
    }
}

#[test]
fn upgrades_write_the_difference_also_downwards() {
    let mut book = Book::default();
    book.say("ann", 1, SupportProposal, &[cited("a", Verified), cited("b", Precise)]);
    assert_eq!(book.balance("ann"), 2);
    assert_eq!(book.upgrade(1, NoActionYet), 0, "nothing is known by that");
    assert_eq!(book.upgrade(1, NoAction), 2);
    assert_eq!(book.balance("ann"), 0);
    assert_eq!(postings(&book).iter().map(|posting| posting.amount).collect::<Vec<_>>(), [1, 1, -1, -1]);
    let tally = book.ledger.total(&who("ann"));
    assert_eq!((tally.penalised, tally.citations, tally.verified), (0, 2, 2), "it is no penalty");
}

#[test]
fn an_upgrade_reaches_one_author_or_one_citation() {
    let mut book = Book::default();
    book.say("ann", 1, SupportProposal, &[cited("a", Verified), cited("b", Verified)]);
    book.say("bob", 1, SupportProposal, &[cited("a", Verified)]);
    book.say("bob", 2, SupportProposal, &[cited("c", Verified)]);
    let (rules, bob) = (book.rules.clone(), who("bob"));
    let one = UpgradeScope::Citation(citation_key(&who("ann"), "b"));
    let events = book.ledger.upgrade(&rules, &LedgerCaller::USER, matter(1), one, PreventedError, &[]);
    assert_eq!(book.put(events), 1);
    assert_eq!((book.balance("ann"), book.balance("bob")), (3, 2));
    let events = book.ledger.upgrade(
        &rules,
        &LedgerCaller::USER,
        matter(1),
        UpgradeScope::Author(&bob),
        NoAction,
        &[],
    );
    assert_eq!(book.put(events), 1);
    assert_eq!((book.balance("ann"), book.balance("bob")), (3, 1));
    assert_eq!(book.ledger.pending_citations(matter(1)), 1);
    assert_eq!(book.ledger.pending_citations(matter(2)), 1);
}

#[test]
fn an_upgrade_goes_to_the_model_that_cited() {
    let mut book = Book::default();
    book.speak("ann", "A", 1, Some(SupportProposal), &[cited("a", Precise)], false);
    book.act("ann", "B", false);
    book.upgrade(1, EstablishedNewCanon);
    let credits = |model: &str| book.ledger.record(&who("ann"), model).unwrap().tally.credits;
    assert_eq!((credits("a"), credits("b")), (3, 0));
}

#[test]
fn one_author_earns_for_so_many_citations_in_a_matter() {
    let mut book = Book::default();
    let many: Vec<_> = (0..20).map(|nth| cited(&format!("a.txt:{nth}"), Precise)).collect();
    book.say("ann", 1, SupportProposal, &many[..5]);
    book.say("ann", 1, SupportProposal, &many[5..]);
    assert_eq!(book.balance("ann"), 8);
    book.upgrade(1, PreventedError);
    assert_eq!(book.balance("ann"), 8 * 3, "those beyond the limit are never worth anything");
    book.say("ann", 1, SupportProposal, &[cited("b", False)]);
    assert_eq!(book.balance("ann"), 8 * 3 - 2, "but they can be false");
    book.say("bob", 1, SupportProposal, &many[..1]);
    assert_eq!(book.balance("bob"), 1);
}

#[test]
fn a_gap_is_known_by_its_subject() {
    let mut book = Book::default();
    for subject in ["Seryn's eyes", "SERYN'S  EYES", "seryn's eyes"] {
        book.say("ann", 1, CanonGapSearch, &[cited(&gap_form(subject), Searched)]);
    }
    assert_eq!(book.balance("ann"), 1);
    assert_ne!(gap_form("x"), Reference::Issue(1).normal_form());
}

#[test]
fn a_stopped_comment_costs_one_and_the_user_nothing() {
    let mut book = Book::default();
    book.act("ann", "m", true);
    assert_eq!(book.balance("ann"), -1);
    for class in [AuthorClass::User, AuthorClass::System] {
        let (ann, citations) = (who("ann"), [cited("a", Precise), cited("b", False)]);
        let facts = CommentFacts {
            citations: &citations,
            class,
            matter: matter(1),
            model: "m",
            periods: &[],
            stopped: true,
            trigger: Some(SupportProposal),
            who: &ann,
        };
        assert_eq!(book.ledger.comment(&book.rules, &facts), [], "{class:?}");
    }
}

#[test]
fn what_is_known_of_an_issue_counts_once() {
    let mut book = Book::default();
    assert_eq!(book.issue(IssueFact::Started, 1, "ann"), 2, "with the model");
    assert_eq!(book.issue(IssueFact::Started, 1, "ann"), 0);
    assert_eq!(book.issue(IssueFact::Applied, 1, "ann"), 1);
    assert_eq!(book.issue(IssueFact::Started, 2, "ann"), 1);
    let tally = book.ledger.total(&who("ann"));
    assert_eq!((tally.started, tally.applied), (2, 1));
}

#[test]
fn every_proof_but_the_false_one_is_verified() {
    let all = [False, Exists, Verified, Precise, Searched];
    assert_eq!(all.map(CitationProof::is_verified), [false, true, true, true, true]);
}
