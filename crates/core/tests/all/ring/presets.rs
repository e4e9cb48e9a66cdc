//! The numbers of the shipped rings are those of the protocol.

use synod_core::ballot::{Basis, Tie};
use synod_core::charter::{Charter, Procedure};
use synod_core::kernel::{Ratio, Threshold};
use synod_core::table::Phase;

use crate::world::source;

fn numbers(name: &str) -> (String, String, u64, u64, u64) {
    let (charter, _) = Charter::parse(&source(name)).unwrap();
    let Procedure::Ring(ring) = charter.procedure else { panic!("{name} is a ring") };
    let percent = |ratio: Ratio| ratio.to_string();
    let phases = Phase::ALL.map(Phase::word);
    assert_eq!(phases, ["GATHERING", "PROPOSING", "DISCUSSING", "CONVERGING", "VOTING"]);
    // What all presets share.
    assert_eq!(ring.consensus, Threshold { ratio: Ratio::new(9, 10).unwrap(), strict: false });
    assert_eq!((ring.text_most, ring.skips, ring.timeouts), (2000, 2, 3));
    assert_eq!((ring.still_rounds, ring.still_from, ring.vote_ms.is), (2, 3, 60_000));
    assert_eq!((ring.least, ring.per_turn, ring.gather_ms.is), (2, 8, 300_000));
    assert_eq!((charter.ballot.basis, charter.ballot.tie), (Basis::Votes, Tie::Earlier));
    assert_eq!(charter.ballot.change, name == "ring-critical", "only there votes may change");
    assert!(!charter.ballot.pass.strict);
    let (quorum, pass) = (percent(charter.ballot.quorum), percent(charter.ballot.pass.ratio));
    (quorum, pass, ring.rounds.is, ring.token_ms.is / 1000, ring.session_ms.is / 60_000)
}

#[test]
fn quorum_approval_rounds_token_seconds_and_session_minutes_are_the_protocols() {
    let row = |quorum: &str, pass: &str, rounds, token, session| {
        (quorum.to_string(), pass.to_string(), rounds, token, session)
    };
    assert_eq!(numbers("ring-default"), row("67/100", "60/100", 5, 120, 30));
    assert_eq!(numbers("ring-quick"), row("50/100", "50/100", 3, 60, 15));
    assert_eq!(numbers("ring-strict"), row("80/100", "75/100", 7, 120, 45));
    assert_eq!(numbers("ring-critical"), row("100/100", "100/100", 10, 120, 60));
}
