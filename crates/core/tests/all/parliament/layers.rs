//! Each layer is a switch of its own, and what seats read says which are on.

use synod_core::Task;

use super::chamber::Chamber;

/// What the next speaker, or voter, reads.
fn brief(chamber: &Chamber) -> String {
    let ask = chamber.asked().expect("somebody is asked").0;
    chamber.world.house.brief(ask, &mut Default::default()).expect("a brief").text()
}

#[test]
fn lines_of_a_roster_are_told_where_they_are_on() {
    let told = |charter: &str, set: &[(&str, &str)]| {
        let mut chamber = Chamber::of(3);
        chamber.put(charter, "We buy a bell.", set);
        let brief = brief(&chamber);
        (
            brief.contains("You do not accept: no audit."),
            brief.contains("You are here to support: clear limits."),
        )
    };
    assert_eq!(told("parliament-constitutional", &[]), (true, true));
    assert_eq!(told("parliament-legacy", &[]), (true, false));
    assert_eq!(told("parliament-constitutional", &[("parliament.lines.red", "0")]), (false, true));
}

#[test]
fn the_prompt_waits_for_as_many_speakers_as_the_charter_says() {
    let mut chamber = Chamber::of(4);
    chamber.put("parliament-policy", "We buy a bell.", &[]);
    let prompted = |chamber: &Chamber| brief(chamber).contains("weigh both");
    assert!(!prompted(&chamber));
    chamber.says("YES");
    assert!(!prompted(&chamber), "one of four has spoken");
    chamber.says("NO");
    assert!(prompted(&chamber), "half have");
    let mut chamber = Chamber::of(4);
    chamber.put("parliament-legacy", "We buy a bell.", &[]);
    assert!(brief(&chamber).contains("somebody who wants to abuse the motion"));
    let mut chamber = Chamber::of(4);
    chamber.put("parliament-procedural", "We buy a bell.", &[]);
    assert!(!brief(&chamber).contains("abuse") && !prompted(&chamber));
}

#[test]
fn whoever_speaks_under_an_order_is_told_so_and_others_read_it() {
    let mut chamber = Chamber::of(15);
    chamber.put("parliament-policy", "We buy a bell.", &[]);
    chamber.speeches(10, |_| "YES");
    let ordered = brief(&chamber);
    assert!(ordered.contains("make the strongest honest case against the motion"), "{ordered}");
    assert!(ordered.contains("Put \"stance\": \"NO\"."), "{ordered}");
    assert!(!ordered.contains("weigh both"), "one job at a time: {ordered}");
    chamber.speeches(1, |_| "YES");
    chamber.speeches(2, |_| "YES");
    let next = brief(&chamber);
    assert!(next.contains("10 FOR, 0 AGAINST, 0 NEUTRAL"), "{next}");
    assert!(next.contains("CONSENSUS CASCADE"), "{next}");
    chamber.speeches(2, |_| "YES");
    assert_eq!(chamber.status(), "called", "twelve free entries on one side call the red team");
    assert!(brief(&chamber).contains("You are on the red team"));
}

#[test]
fn a_voter_is_reminded_of_its_free_stance_alone() {
    let mut chamber = Chamber::of(15);
    chamber.put("parliament-policy", "We buy a bell.", &[]);
    chamber.speeches(15, |_| "YES");
    chamber.speeches(5, |_| "YES");
    let mut seen = 0;
    while let Some((_, who, Task::Vote { .. })) = chamber.asked() {
        let told = brief(&chamber);
        let only_forced = ["s10", "s11", "s12"].contains(&who.as_str());
        assert_eq!(told.contains("your last stance was YES"), !only_forced, "{who}: {told}");
        assert!(!told.contains("your last stance was NO"), "{who}: {told}");
        assert!(!told.contains("you must explain"), "{told}");
        chamber.says("YES");
        seen += 1;
    }
    assert_eq!(seen, 15);
}

#[test]
fn the_original_reminder_locks_in() {
    let mut chamber = Chamber::of(3);
    chamber.put("parliament-legacy", "We buy a bell.", &[("debate.rounds", "1")]);
    chamber.speeches(3, |_| "YES");
    while chamber.status() == "called" {
        let side = chamber.ordered().expect("an order").to_string();
        chamber.says(&side);
    }
    assert!(brief(&chamber).contains("your last stance was NO. If you vote otherwise, you must explain"));
}

#[test]
fn a_red_team_is_called_only_for_a_majority_that_is_large_enough() {
    let called = |yes: u32| {
        let mut chamber = Chamber::of(10);
        chamber.put("parliament-policy", "We buy a bell.", &[("parliament.consensus_break.on", "0")]);
        chamber.speeches(10, |nth| if nth <= yes { "YES" } else { "NO" });
        chamber.status()
    };
    assert_eq!(called(7), "called");
    assert_eq!(called(6), "voting");
    assert_eq!(called(5), "voting");
    assert_eq!(called(3), "called");
}

#[test]
fn a_red_team_has_one_of_each_rank_and_replaces_who_fails() {
    let seats: Vec<(String, u16)> = (0..20).map(|nth| (format!("s{nth:02}"), 1 + nth / 5)).collect();
    let mut chamber = Chamber::new(&seats);
    chamber.put("parliament-constitutional", "We buy a bell.", &[("parliament.consensus_break.on", "0")]);
    chamber.speeches(20, |_| "NO");
    assert_eq!(chamber.status(), "called");
    chamber.fails();
    let mut places = Vec::new();
    while chamber.status() == "called" {
        let (_, who, _) = chamber.asked().expect("somebody is asked");
        places.push(chamber.case().seat(&who).and_then(|seat| seat.rank()).map(|rank| rank.place));
        assert_eq!(chamber.ordered().map(|side| side.to_string()).as_deref(), Some("YES"));
        chamber.says("YES");
    }
    assert_eq!(places.len(), 5, "the one who failed was replaced");
    let mut ranks = places.clone();
    ranks.sort();
    ranks.dedup();
    assert_eq!(ranks.len(), 4, "every rank speaks: {places:?}");
    assert_eq!(chamber.motion().free.yes, 0);
}

#[test]
fn every_layer_can_be_turned_off() {
    let off = [
        ("parliament.lines.red", "0"),
        ("parliament.lines.green", "0"),
        ("parliament.exploitation.on", "0"),
        ("parliament.digest.on", "0"),
        ("parliament.consensus_break.on", "0"),
        ("red-team.on", "0"),
    ];
    let mut chamber = Chamber::of(15);
    chamber.put("parliament-constitutional", "We establish an advisory body.", &off);
    assert_eq!(chamber.speeches(15, |_| "YES"), [0; 0]);
    assert_eq!(chamber.status(), "voting");
    let state = chamber.motion();
    assert!(state.sums.is_empty() && state.breaks.is_empty() && state.team.is_none());
    let told = brief(&chamber);
    assert!(!told.contains("accept") && !told.contains("Structural"), "{told}");
}
