//! A chapter of ballots that are more than one side each: marked, sealed, weighed, passed on, vetoed.

use synod_core::Command;
use synod_core::kernel::{Actor, Call, Decision, UndecidedReason};

use super::chapters::vote_only;
use super::scribe::{Scribe, open, who};

const THREE: [&str; 3] = ["REST", "GraphQL", "gRPC"];
const SEATS: [&str; 3] = ["ann", "cy", "dee"];

fn charter(name: &str, more: &str) -> String {
    let rule = "pass = \"> 1/2\"\nbasis = \"cast\"\nquorum = \"1/2\"\ntie = \"earlier\"";
    vote_only(name, &format!("{rule}\n{more}"))
}

pub(super) fn of_every_kind(it: &mut Scribe) {
    marked(it);
    sealed(it);
    passed_on(it);
    vetoed(it);
}

fn marked(it: &mut Scribe) {
    let ballots = [
        ("borda", [r#"["B","A"]"#, r#"["B","A = C"]"#, r#""NONE""#]),
        ("schulze", [r#""B > A > C""#, r#"["B"]"#, r#""ABSTAIN""#]),
        ("instant-runoff", [r#"["B","A"]"#, r#"["C","B"]"#, r#"["B = C"]"#]),
        ("approval", [r#"["B","A"]"#, r#"["B"]"#, r#"["C"]"#]),
        ("score", [r#"{"A":1,"B":9,"C":0}"#, r#"{"A":0,"B":8,"C":7}"#, r#""A=3, B=10, C=0""#]),
    ];
    for (method, votes) in ballots {
        let source = charter(&format!("by-{method}"), &format!("method = \"{method}\"\nchange = true"));
        it.adopt(&source);
        it.opens(open(&source, "Which API?", &THREE, &SEATS));
        for (name, vote) in SEATS.into_iter().zip(votes) {
            it.says(name, &format!(r#"{{"vote":{vote},"reason":"{name} has one"}}"#), Call::default());
        }
        it.settled(Decision::Passed { option: Some(1) });
    }
}

fn sealed(it: &mut Scribe) {
    for secrecy in ["until-closed", "secret"] {
        let source =
            charter(&format!("sealed-{secrecy}"), &format!("secrecy = \"{secrecy}\"\ndelegation = true"));
        it.adopt(&source);
        it.opens(open(&source, "Shall we?", &[], &SEATS));
        let bare =
            Command::Answer { ask: it.ask("ann"), salt: None, text: "YES".into(), call: Box::default() };
        it.refused("ballot/unsalted", Actor::Seat(who("ann")), bare);
        it.seals("ann", r#"{"vote":"YES","reason":"known only to the record"}"#, "0123456789abcdef");
        it.seals("cy", r#"{"vote":"ABSTAIN","delegate":"ann","reason":"ann knows"}"#, "fedcba9876543210");
        it.seals("dee", "I vote NO.", "a-salt-of-ones-own_16");
        it.settled(Decision::Passed { option: None });
    }
}

fn passed_on(it: &mut Scribe) {
    let source = charter("weighed", "weights = \"confidence\"\ndelegation = true\nunparsed_retries = 1");
    it.adopt(&source);
    it.opens(open(&source, "Shall we?", &[], &["ann", "cy", "dee", "eli", "Élodie"]));
    let passes = |to: &str| format!(r#"{{"vote":"ABSTAIN","delegate":"{to}","reason":"they know"}}"#);
    it.says("ann", r#"{"vote":"YES","confidence":0.9}"#, Call::default());
    it.says("cy", &passes("ann"), Call::default());
    it.says("dee", "{'vote': 'ABSTAIN', 'delegate': 'eli',}", Call::default());
    it.says("eli", &passes("dee"), Call::default());
    // How sure is not said, so it cannot be weighed.
    it.says("Élodie", r#"{"vote":"NO"}"#, Call::default());
    it.says("Élodie", r#"{"vote":"NO","confidence":"40%"}"#, Call::default());
    it.settled(Decision::Passed { option: None });

    it.opens(open(&source, "Shall we?", &[], &["ann", "cy", "dee"]));
    it.says("ann", r#"{"vote":"YES","confidence":0.9}"#, Call::default());
    it.says("cy", &passes("dee"), Call::default());
    it.says("dee", "it depends", Call::default());
    // Unread, it would have carried cy's vote as well.
    it.says("dee", "it really depends", Call::default());
    it.settled(Decision::Contested);
}

fn vetoed(it: &mut Scribe) {
    let source = charter("with-a-veto", "veto = [\"ann\"]");
    it.adopt(&source);
    it.opens(open(&source, "Shall we?", &[], &SEATS));
    it.all_vote(&[("ann", "NO"), ("cy", "YES"), ("dee", "YES")]);
    it.settled(Decision::Rejected);
    it.opens(open(&source, "Which API?", &THREE, &SEATS));
    it.all_vote(&[("ann", "NONE"), ("cy", "B"), ("dee", "B")]);
    it.settled(Decision::Undecided(UndecidedReason::Vetoed));
}
