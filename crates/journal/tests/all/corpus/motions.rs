//! Motions: seconded, debated under orders, voted on; and those that never come so far.

use std::sync::Arc;

use synod_core::command::{MotionProposal, Open};
use synod_core::kernel::{Actor, Call, Cause, Decision, Rank, Seat, SeatKind, SeatProfile, UndecidedReason};
use synod_core::procedure::council;
use synod_core::{Command, charter};

use super::scribe::{Scribe, open, seat, who};

const MEMBERS: [&str; 5] = ["agares", "bael", "cimejes", "dantalion", "eligos"];

fn source() -> &'static str {
    charter::shipped("parliament-constitutional").expect("it ships").source
}

/// Two ranks, and one member without any.
fn member(nth: usize, name: &str) -> Seat {
    let place = 2 - u16::from(nth.is_multiple_of(2));
    let rank = (nth < 4).then(|| Rank { place, name: if place == 1 { "king" } else { "duke" }.into() });
    let profile = SeatProfile {
        green_lines: vec!["sunset clause".into()],
        rank,
        red_lines: vec!["no audit".into()],
        title: (nth == 0).then(|| "Speaker".into()),
    };
    Seat { profile: Some(Arc::new(profile)), ..seat(name, SeatKind::CommandLine, &format!("exec:{name}")) }
}

fn motion(topic: &str, proposal: MotionProposal) -> Open {
    let mut open = open(source(), topic, &[], &MEMBERS);
    open.proposal = Some(proposal);
    for (setting, value) in [
        ("parliament.consensus_break.least", "2"),
        ("parliament.consensus_break.forced", "1"),
        ("parliament.digest.every", "2"),
        ("red-team.seats", "1"),
    ] {
        open.moved.insert(setting.into(), value.parse().expect("a value"));
    }
    open
}

fn council(it: &mut Scribe, command: council::Command) {
    it.operator(Command::Council(command));
}

/// Whoever is asked first, with the words for it.
fn next(it: &mut Scribe, text: &str) {
    let asked = it.house().open_asks().next().and_then(|(_, ask)| ask.who().cloned());
    it.says(asked.expect("somebody is asked").as_str(), text, Call::default());
}

fn speaks(it: &mut Scribe, side: &str) {
    next(it, &format!(r#"{{"stance":"{side}","position":"p","reasoning":"r","confidence":0.7}}"#));
}

/// The chapter.
pub(super) fn are_debated(it: &mut Scribe) {
    it.adopt(source());
    for (nth, name) in MEMBERS.into_iter().enumerate() {
        it.operator(Command::Enrol { seat: member(nth, name) });
    }
    let by = Some(who("bael"));
    let listed = || MotionProposal { by: by.clone(), listed: true, seconder: None };
    it.opens(motion("We establish an advisory body until a review after two years.", listed()));
    let matter = it.matter();
    let own = Command::Council(council::Command::Second { matter, by: who("bael") });
    it.refused("council/own-motion", Actor::Operator, own);
    council(it, council::Command::Second { matter, by: who("agares") });
    it.operator(Command::Resume { matter });
    speaks(it, "YES");
    speaks(it, "YES");
    // The third is ordered to speak against it, fails, and the fourth does.
    let failed = it.house().open_asks().next().and_then(|(_, ask)| ask.who().cloned()).expect("a speaker");
    it.fails(failed.as_str(), Cause::passing("backend/http-500", "the server failed"), Call::default());
    speaks(it, "NO");
    speaks(it, "YES");
    // The red team.
    speaks(it, "NO");
    for _ in MEMBERS {
        next(it, r#"{"vote":"YES","reason":"it ends by itself","change_if":"it did not"}"#);
    }
    it.settled(Decision::Passed { option: None });
    // The other side, and set aside before the vote.
    let seconder = Some(who("cimejes"));
    it.opens(motion("We dissolve it.", MotionProposal { by: by.clone(), listed: false, seconder }));
    speaks(it, "NO");
    speaks(it, "NO");
    speaks(it, "YES");
    let matter = it.matter();
    council(it, council::Command::Table { matter });
    it.settled(Decision::Undecided(UndecidedReason::Tabled));
    it.opens(motion("We rename it.", listed()));
    let matter = it.matter();
    council(it, council::Command::Withdraw { matter, by: by.clone() });
    it.settled(Decision::Undecided(UndecidedReason::Withdrawn));
    it.opens(motion("We ban bells.", MotionProposal { by, listed: false, seconder: None }));
    next(it, "I would rather not say.");
    for _ in 0..3 {
        next(it, r#"{"reason":"bells harm nobody","second":"NO"}"#);
    }
    it.settled(Decision::Undecided(UndecidedReason::NoSecond));
}

/// What a parliament refuses.
pub(super) fn are_refused(it: &mut Scribe) {
    let by = Some(who("bael"));
    let put = |by: &str| MotionProposal { by: Some(who(by)), listed: true, seconder: Some(who("agares")) };
    let plain = super::chapters::blind_vote();
    let mut debate = open(plain, "Tea?", &[], &MEMBERS);
    it.opens(debate.clone());
    let matter = it.matter();
    let second = council::Command::Second { matter, by: who("cimejes") };
    it.refused("council/not-a-motion", Actor::Operator, Command::Council(second));
    it.operator(Command::Stop { matter });
    debate.proposal = Some(put("bael"));
    it.refused("council/no-motions", Actor::Operator, Command::Open(Box::new(debate)));
    let stranger = motion("We rest.", put("nobody here"));
    it.refused("council/not-among-seats", Actor::Operator, Command::Open(Box::new(stranger)));
    let mut rest = motion("We rest.", MotionProposal { by, ..put("bael") });
    for setting in ["parliament.consensus_break.on", "red-team.on"] {
        rest.moved.insert(setting.into(), 0.into());
    }
    it.opens(rest);
    let matter = it.matter();
    let second = council::Command::Second { matter, by: who("cimejes") };
    it.refused("council/already-seconded", Actor::Operator, Command::Council(second));
    let withdraw = council::Command::Withdraw { matter, by: Some(who("cimejes")) };
    it.refused("council/not-proposer", Actor::Operator, Command::Council(withdraw));
    it.operator(Command::Resume { matter });
    for _ in MEMBERS {
        speaks(it, "YES");
    }
    let table = council::Command::Table { matter };
    it.refused("council/voting-began", Actor::Operator, Command::Council(table));
    for _ in MEMBERS {
        next(it, r#"{"vote":"YES","reason":"we are tired","change_if":"we were not"}"#);
    }
    it.settled(Decision::Passed { option: None });
}
