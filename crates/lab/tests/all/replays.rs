//! Recorded sessions judged again, by the rules they were held under and by others.

use synod_core::charter::shipped;
use synod_core::kernel::{Decision, SettingValue};
use synod_lab::replay::{ReplayReport, ReplayRules, replay, replayed};
use synod_lab::session::{RecordedSession, from_lines, from_transcript};
use synod_lab::simulate::SimulatedHouse;
use synod_lab::study::Study;

use crate::sessions::conclave;

fn source(name: &str) -> String {
    shipped(name).expect("a charter that ships").source.to_string()
}

fn judged(session: &RecordedSession, charter: &str, settings: &[(&str, &str)]) -> ReplayReport {
    let text = source(charter);
    let settings: Vec<(String, SettingValue)> =
        settings.iter().map(|(name, value)| ((*name).to_string(), value.parse().expect("a value"))).collect();
    let rules = ReplayRules { source: &text, motion: None, settings: &settings };
    let legacy = source("parliament-legacy");
    let held = ReplayRules { source: &legacy, motion: None, settings: &[] };
    replay(session, &rules, Some(&held).filter(|_| charter.starts_with("parliament")))
        .expect("it can be judged")
}

fn sessions() -> Option<Vec<RecordedSession>> {
    Some(from_transcript(&conclave("transcript.md")?).expect("good"))
}

#[test]
fn the_recorded_parliament_comes_out_as_it_did() {
    let Some(sessions) = sessions() else { return };
    let found = judged(&sessions[0], "parliament-legacy", &[]);
    assert_eq!(found.divergence, None);
    assert_eq!((found.judged, found.votes_judged), (221, 72));
    let before: Vec<u32> = found.breaks.iter().map(|found| found.before).collect();
    assert_eq!(before, [41, 61, 108, 128, 161, 181, 201]);
    let (all, free) = found.before_team.expect("a red team");
    assert_eq!((all.words().as_str(), free.words().as_str()), ("32/181/3", "11/181/3"));
    assert_eq!((found.all.words().as_str(), found.free.words().as_str()), ("37/181/3", "11/181/3"));
    assert_eq!(found.vote.expect("a vote").words(), "11/61/0");
    assert_eq!(found.decision, Some(Decision::Rejected));
    assert!(found.told_compared && found.told.is_none(), "{:?}", found.told);
    // Who is on a red team is drawn; its recorded speeches stand for those of whoever is drawn here.
    assert!(found.stand_ins.iter().all(|order| (217..=221).contains(order)), "{:?}", found.stand_ins);
}

#[test]
fn other_rules_diverge_where_they_first_ask_for_something_else() {
    let Some(sessions) = sessions() else { return };
    let session = &sessions[0];
    // Without breaks the first order of the record has nobody behind it.
    let found = judged(session, "parliament-legacy", &[("parliament.consensus_break.on", "0")]);
    let divergence = found.divergence.clone().expect("it diverges");
    assert_eq!(divergence.entry, Some(41), "{divergence:?}");
    assert!(divergence.why.contains("is ordered to speak FOR"), "{divergence:?}");
    assert_eq!((found.judged, found.votes_judged, found.decision), (40, 0, None));
    assert_eq!(found.told.map(|told| told.entry), None, "up to there nobody is told anything else");
    let report =
        replayed(&[judged(session, "parliament-legacy", &[("debate.rounds", "1")])], &sessions).text();
    assert!(report.contains("re-judged") && report.contains("could not be judged again"), "{report}");
    // Free counting finds the same breaks later or not at all, and says from where seats are told otherwise.
    let found = judged(session, "parliament-policy", &[]);
    assert_eq!(found.told.as_ref().and_then(|told| told.entry), Some(1), "{:?}", found.told);
    assert!(found.divergence.is_some());
    assert_eq!(
        found.retallied.map(|(votes, decision)| (votes.words(), decision)),
        Some(("11/61/0".into(), Decision::Rejected))
    );
    // A charter in which nobody hears the others cannot use what was said after hearing them.
    let found = judged(session, "blind-vote", &[]);
    assert_eq!(found.divergence.and_then(|it| it.entry), Some(2), "the second speaker had heard the first");
}

#[test]
fn what_was_simulated_is_judged_again_to_its_end_by_its_own_rules() {
    for charter in ["collaborative", "adversarial", "parliament-policy", "parliament-constitutional"] {
        let study = format!(
            "name = \"own\"\nseed = 3\nmatters = 4\ncharter = \"{charter}\"\n\
             [[cast]]\nmodel = \"large\"\nseats = 6\ncompetence = 0.8\nconformity = 0.4\n\
             [[cast]]\nmodel = \"small\"\nseats = 9\ncompetence = 0.6\ncorrelation = 0.4\n"
        );
        let study = Study::parse(&study).expect("a study");
        let text = source(charter);
        let stage = SimulatedHouse::set(&study, &text).expect("a house");
        for session in stage.recorded(4).expect("they run") {
            let rules = ReplayRules { source: &text, motion: None, settings: &[] };
            let found = replay(&session, &rules, Some(&rules)).expect("it can be judged");
            assert!(found.is_whole(), "{charter}: {:?} {:?}", found.divergence, found.told);
            assert_eq!(found.judged as usize, session.speeches.len(), "{charter}");
            let stated = session.stated.expect("a result");
            assert_eq!(found.vote.map(|vote| vote.words()), Some(stated.count.words()), "{charter}");
            assert_eq!(
                found.decision == Some(Decision::Passed { option: None }),
                stated.passed == Some(true),
                "{charter}"
            );
        }
    }
}

#[test]
fn a_record_with_a_gap_is_judged_up_to_it() {
    let lines = |speeches: &[(&str, &str)]| {
        let rows =
            speeches.iter().map(|(who, side)| format!("{{\"speaker\":\"{who}\",\"stance\":\"{side}\"}}\n"));
        let votes = ["ann", "bob", "cy"].map(|who| format!("{{\"speaker\":\"{who}\",\"vote\":\"AYE\"}}\n"));
        from_lines(&(rows.collect::<String>() + &votes.concat())).expect("good").remove(0)
    };
    // The charter wants two rounds; the record has one and a half.
    let session = lines(&[("ann", "FOR"), ("bob", "FOR"), ("cy", "AGAINST"), ("ann", "FOR"), ("bob", "FOR")]);
    let found = judged(&session, "parliament-legacy", &[("debate.rounds", "2"), ("red-team.on", "0")]);
    assert_eq!(found.judged, 5);
    let divergence = found.divergence.expect("it diverges");
    assert!(
        divergence.why.contains("`cy` is called for a speech that the record does not have"),
        "{divergence:?}"
    );
    // A seat that was passed over in the middle of a round gave no answer there.
    let session = lines(&[("ann", "FOR"), ("bob", "FOR"), ("cy", "AGAINST"), ("ann", "FOR"), ("cy", "FOR")]);
    let found = judged(&session, "parliament-legacy", &[("debate.rounds", "2"), ("red-team.on", "0")]);
    assert_eq!(
        (found.divergence, found.judged, found.decision),
        (None, 5, Some(Decision::Passed { option: None }))
    );
}
