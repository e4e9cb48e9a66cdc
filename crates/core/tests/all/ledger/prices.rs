//! What citations are worth.

use proptest::prelude::*;
use synod_core::kernel::CitationTrigger::{self, *};
use synod_core::ledger::CitationOutcome::{self, *};
use synod_core::ledger::CitationProof::{self, *};
use synod_core::ledger::{CitationPrices, Factor};

fn price(proof: CitationProof, trigger: CitationTrigger, outcome: CitationOutcome) -> i64 {
    CitationPrices::default().price(proof, trigger, outcome)
}

/// The ten rows of the table: what was cited for what, what it led to, and what that is worth quoted with care and without a
/// quote.
#[test]
fn the_ten_rows_of_the_table() {
    let rows = [
        (AnswerToQuestion, LedToFileChange, 2, 2),
        (Unprompted, NoAction, 0, 0),
        (ChallengeConsensus, InformedDecision, 2, 2),
        (AnswerToQuestion, InformedDecision, -2, -2),
        (VerifyContinuity, PreventedError, 3, 2),
        (AnswerToQuestion, NoAction, 0, 0),
        (SupportProposal, NoActionYet, 1, 1),
        (CanonGapSearch, IdentifiedCanonGap, 2, 2),
        (SupportProposal, EstablishedNewCanon, 3, 2),
        (VerifyContinuity, PreventedUserConflict, 4, 3),
    ];
    for (nth, (trigger, outcome, precise, plain)) in rows.into_iter().enumerate() {
        let proofs = match nth {
            3 => [False, False],
            7 => [Searched, Searched],
            _ => [Precise, Verified],
        };
        let found = proofs.map(|proof| price(proof, trigger, outcome));
        assert_eq!(found, [precise, plain], "row {}", nth + 1);
    }
}

#[test]
fn a_false_citation_costs_the_same_in_every_context() {
    for (_, trigger) in CitationTrigger::WORDS {
        for (_, outcome) in CitationOutcome::WORDS {
            assert_eq!(price(False, trigger, outcome), -2, "{trigger:?} {outcome:?}");
            assert_eq!(price(Exists, trigger, outcome), 0, "a path alone earns nothing");
        }
    }
}

#[test]
fn a_gap_is_proved_by_the_search_of_the_engine_alone() {
    for (_, outcome) in CitationOutcome::WORDS {
        assert_eq!(price(Verified, CanonGapSearch, outcome), 0, "{outcome:?}");
        assert_eq!(price(Precise, CanonGapSearch, outcome), 0, "{outcome:?}");
        for (_, trigger) in CitationTrigger::WORDS.into_iter().filter(|(_, one)| *one != CanonGapSearch) {
            assert_eq!(price(Searched, trigger, outcome), 0, "a search proves nothing else: {trigger:?}");
        }
    }
    assert_eq!(price(Searched, CanonGapSearch, NoActionYet), 1);
}

#[test]
fn halves_are_rounded_up_and_less_is_rounded_down() {
    // 1 × 1 × 0.5, 1.5 × 1.5 × 0.5 = 1.125, 1.5 × 1.5 × 1 = 2.25, 1 × 1.5 × 1.5 = 2.25, 1.5 × 1.5 × 2.5 = 5.625
    assert_eq!(price(Verified, SupportProposal, NoActionYet), 1);
    assert_eq!(price(Precise, ResolveConflict, NoActionYet), 1);
    assert_eq!(price(Precise, ResolveConflict, InformedDecision), 2);
    assert_eq!(price(Verified, ChallengeConsensus, ResolvedIssue), 2);
    assert_eq!(price(Precise, ChallengeConsensus, PreventedUserConflict), 6);
    let prices = CitationPrices { no_action_yet: "0.49".parse().unwrap(), ..CitationPrices::default() };
    assert_eq!(prices.price(Verified, SupportProposal, NoActionYet), 0, "just below a half");
}

#[test]
fn factors_are_written_as_they_are_read() {
    for written in ["0", "1", "1.5", "0.25", "100", "2.05"] {
        let factor: Factor = written.parse().unwrap();
        assert_eq!(factor.to_string(), written);
        let json = serde_json::to_string(&factor).unwrap();
        assert_eq!(serde_json::from_str::<Factor>(&json).unwrap(), factor);
    }
    for wrong in ["", ".", "1.", ".5", "-1", "+1", "1.555", "100.01", "1e1", "NaN", "1,5", "9999", "٣", "1 5"]
    {
        let error = wrong.parse::<Factor>().unwrap_err().to_string();
        assert!(error.contains("write 1, 1.5 or 0.25"), "{wrong}: {error}");
    }
}

proptest! {
    /// Against plain arithmetic on quarters of an eighth: twice the value, then the half.
    #[test]
    fn prices_are_exact(base in 0u32..=10_000, trigger in 0u32..=10_000, outcome in 0u32..=10_000) {
        let factor = Factor::hundredths;
        let prices = CitationPrices {
            verified: factor(base),
            support_proposal: factor(trigger),
            informed_decision: factor(outcome),
            ..CitationPrices::default()
        };
        let exact = i128::from(base) * i128::from(trigger) * i128::from(outcome);
        let found = i128::from(prices.price(Verified, SupportProposal, InformedDecision));
        // The nearest whole number, and of two equally near ones the larger.
        prop_assert!(2 * found * 1_000_000 - 2 * exact <= 1_000_000);
        prop_assert!(2 * exact - 2 * found * 1_000_000 < 1_000_000);
    }
}
