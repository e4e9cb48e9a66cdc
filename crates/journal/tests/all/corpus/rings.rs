//! Chapters of rings: agents that come by themselves join, propose, take the floor, change and vote.

use synod_core::ballot::Grade;
use synod_core::command::Open;
use synod_core::kernel::Reaction;
use synod_core::kernel::{
    Actor, AmendmentId, AskId, Call, Decision, Id, ProposalId, SeatKind, UndecidedReason,
};
use synod_core::procedure::ring::Remark;
use synod_core::procedure::{
    council,
    ring::{self, Action},
};
use synod_core::{Command, charter};

use super::scribe::{Scribe, open, seat, who};

/// Short of patience, so that little has to be written: a quiet second round ends the talk.
fn short_ring(change: bool) -> String {
    let name = if change { "short-ring" } else { "firm-ring" };
    format!(
        r#"name = "{name}"
title = "Short ring"
summary = "A ring with little patience."
[ring]
rounds = {{ is = 3, from = 1, to = 5 }}
token_ms = 60_000
session_ms = 3_600_000
vote_ms = 30_000
gather_ms = {{ is = 60_000, from = 1_000, to = 90_000 }}
least = 2
skips = 2
timeouts = 2
still_rounds = 1
still_from = 2
text_most = 160
per_turn = 30
consensus = "> 9/10"
[ballot]
pass = ">= 1/2"
basis = "votes"
quorum = "1/2"
tie = "earlier"
change = {change}
"#
    )
}

const TTL: &str = "Cache every answer for an hour, « but never a price ».";

fn does(it: &mut Scribe, name: &str, part: Action) {
    let matter = it.matter();
    it.done(Actor::Seat(who(name)), Command::Ring(ring::Command::Participate { matter, action: part }));
}

fn cannot(it: &mut Scribe, code: &str, name: &str, part: Action) {
    let matter = it.matter();
    it.refused(
        code,
        Actor::Seat(who(name)),
        Command::Ring(ring::Command::Participate { matter, action: part }),
    );
}

fn say(ask: AskId, text: &str) -> Action {
    Action::Say { ask, keep: false, kind: Remark::Opinion, text: text.into(), to: None }
}

fn propose(ask: AskId, title: &str, text: &str) -> Action {
    Action::Propose { ask, keep: false, text: text.into(), title: title.into() }
}

/// The same with the floor kept.
fn kept(part: Action) -> Action {
    let keep = true;
    match part {
        Action::Say { ask, kind, text, to, .. } => Action::Say { ask, keep, kind, text, to },
        Action::Propose { ask, text, title, .. } => Action::Propose { ask, keep, text, title },
        Action::Amend { ask, proposal, text, why, .. } => Action::Amend { ask, keep, proposal, text, why },
        Action::React { ask, reaction, text, to, .. } => Action::React { ask, keep, reaction, text, to },
        other => other,
    }
}

fn amend(ask: AskId, proposal: ProposalId, text: &str) -> Action {
    Action::Amend { ask, keep: false, proposal, text: text.into(), why: None }
}

fn react(ask: AskId, to: Id, reaction: Reaction) -> Action {
    Action::React { ask, keep: false, reaction, text: None, to }
}

fn vote(proposal: ProposalId, grade: Grade) -> Action {
    Action::Vote { changes: Vec::new(), conditions: Vec::new(), grade, proposal, rationale: None, salt: None }
}

fn skip(ask: AskId) -> Action {
    Action::Skip { ask, why: None }
}

fn proposal(it: &Scribe, nth: usize) -> ProposalId {
    it.case().ring().unwrap().1.table.proposals[nth].id
}

fn amendment(it: &Scribe, nth: usize) -> AmendmentId {
    let all = it.case().ring().unwrap().1.table.proposals.iter().flat_map(|put| &put.amendments);
    all.map(|change| change.id).nth(nth).expect("it was put")
}

fn convened(it: &mut Scribe, source: &str, topic: &str, seats: &[&str]) {
    it.opens(Open {
        moved: [("ring.gather_ms".to_string(), 30_000.into())].into(),
        ..open(source, topic, &[], seats)
    });
}

/// All join, the first proposes, nobody else does.
fn talk(it: &mut Scribe, seats: &[&str]) {
    seats.iter().for_each(|name| does(it, name, Action::Join));
    let ask = it.ask(seats[0]);
    does(it, seats[0], propose(ask, "An hour", "Cache every answer for an hour."));
    for name in &seats[1..] {
        let ask = it.ask(name);
        does(it, name, skip(ask));
    }
}

/// From the gathering to a decision, with nothing left out.
pub(super) fn that_commits(it: &mut Scribe) {
    for name in ["nia", "oz", "pat", "quin"] {
        it.operator(Command::Enrol { seat: seat(name, SeatKind::Outside, "outside") });
    }
    it.adopt(&short_ring(true));
    convened(it, &short_ring(true), "How shall the edge cache?", &["nia", "oz", "pat", "quin"]);
    let matter = it.matter();
    it.refused("ring/too-few-joined", Actor::Operator, Command::Ring(ring::Command::Start { matter }));
    does(it, "nia", Action::Leave);
    cannot(it, "ring/not-joined", "nia", Action::Leave);
    cannot(it, "roster/not-seated", "ann", Action::Join);
    does(it, "oz", Action::Join);
    does(it, "nia", Action::Join);
    cannot(it, "ring/already-joined", "oz", Action::Join);
    it.operator(Command::Ring(ring::Command::Remove { matter, who: who("quin") }));
    cannot(it, "ring/removed", "quin", Action::Join);
    it.operator(Command::Ring(ring::Command::Start { matter }));
    does(it, "pat", Action::Join); // late: from the first round on, after the others
    proposing(it);
    first_round(it);
    second_round(it);
    weighing(it);
    voting(it);
    it.settled(Decision::Passed { option: Some(0) });
}

fn proposing(it: &mut Scribe) {
    let (of_nia, of_oz) = (it.ask("nia"), it.ask("oz"));
    cannot(it, "ring/wrong-phase", "nia", say(of_nia, "Too early."));
    cannot(it, "floor/not-holder", "oz", propose(of_nia, "Forged", "In her name."));
    cannot(it, "table/empty", "nia", propose(of_nia, " ", "No title."));
    cannot(it, "table/too-long", "nia", propose(of_nia, "Long", &"é".repeat(161)));
    does(it, "nia", Action::Acknowledge { ask: of_nia });
    does(it, "nia", kept(propose(of_nia, "An hour", "Cache every answer for an hour.")));
    does(it, "nia", kept(propose(of_nia, "An hour, again", "cache EVERY answer for an hour."))); // repeats
    does(it, "nia", Action::Release { ask: of_nia });
    does(it, "oz", Action::Skip { ask: of_oz, why: Some("I have none.".into()) });
}

fn first_round(it: &mut Scribe) {
    let (one, two) = (proposal(it, 0), proposal(it, 1));
    let ask = it.ask("nia");
    let question = Action::Say {
        ask,
        keep: true,
        kind: Remark::Question,
        text: "How old may it be?".into(),
        to: Some(one.0),
    };
    does(it, "nia", question);
    does(it, "nia", kept(say(ask, "It halves the load.")));
    does(it, "nia", say(ask, "It halves the LOAD.")); // nothing new
    cannot(it, "ask/not-open", "nia", say(ask, "Once more."));
    let ask = it.ask("oz");
    cannot(it, "table/no-change", "oz", amend(ask, one, "Cache every answer for an hour."));
    cannot(it, "table/unknown", "oz", react(ask, "9999".parse().expect("an id"), Reaction::Agree));
    let why = Some("Prices change.".into());
    does(it, "oz", Action::Amend { ask, keep: true, proposal: one, text: TTL.into(), why });
    does(it, "oz", kept(amend(ask, one, "Cache every answer for a minute.")));
    does(it, "oz", kept(amend(ask, two, TTL))); // words that lay there before
    let text = Some("In part.".into());
    does(it, "oz", Action::React { ask, keep: true, reaction: Reaction::PartiallyAgree, text, to: two.0 });
    for reaction in [Reaction::Disagree, Reaction::NeedClarification, Reaction::Interesting] {
        does(it, "oz", kept(react(ask, two.0, reaction)));
    }
    does(
        it,
        "oz",
        Action::Say {
            ask,
            keep: false,
            kind: Remark::Synthesis,
            text: "An hour, but no prices.".into(),
            to: None,
        },
    );
    let [first, second] = [0, 1].map(|nth| amendment(it, nth));
    let rule = |amendment, accept| Action::Rule { accept, amendment, why: None };
    cannot(it, "table/not-proposer", "oz", rule(first, true));
    does(it, "nia", Action::Rule { accept: true, amendment: first, why: Some("Better.".into()) });
    cannot(it, "table/already-ruled", "nia", rule(first, true));
    cannot(it, "table/stale", "nia", rule(second, true));
    does(it, "nia", rule(second, false));
    it.waits(60_000); // pat lets the turn pass
}

/// Nobody says anything new: the talk ends.
fn second_round(it: &mut Scribe) {
    let one = proposal(it, 0);
    let ask = it.ask("nia");
    does(it, "nia", react(ask, one.0, Reaction::Agree));
    let ask = it.ask("oz");
    does(it, "oz", react(ask, one.0, Reaction::Concerning));
    let ask = it.ask("pat");
    does(it, "pat", skip(ask));
}

fn weighing(it: &mut Scribe) {
    let ask = it.ask("nia");
    does(it, "nia", Action::Acknowledge { ask });
    does(it, "pat", Action::Leave);
    it.waits(60_000); // the last change is left open
}

fn voting(it: &mut Scribe) {
    let (one, two) = (proposal(it, 0), proposal(it, 1));
    let listed = vec!["more".to_string(); 21];
    let mut many = vote(one, Grade::Reject);
    if let Action::Vote { changes, .. } = &mut many {
        *changes = listed;
    }
    cannot(it, "ballot/too-many-listed", "nia", many);
    does(
        it,
        "nia",
        Action::Vote {
            changes: vec!["Name what a price is.".into()],
            conditions: vec!["It is measured.".into()],
            grade: Grade::RequestChanges,
            proposal: one,
            rationale: Some("« Almost. »".into()),
            salt: Some("c0ffee".into()),
        },
    );
    does(it, "nia", vote(one, Grade::ApproveWithConcerns)); // the last counts
    does(it, "nia", vote(two, Grade::Approve));
    does(it, "oz", vote(one, Grade::Abstain));
    does(it, "oz", vote(two, Grade::Reject)); // one of two each: a tie
}

/// Too few, no proposal, all rejected; what does not belong to a ring, and what does to nothing else.
pub(super) fn that_end_otherwise(it: &mut Scribe) {
    let (short, firm) = (short_ring(true), short_ring(false));
    let alone = open(&short, "Alone?", &[], &["nia"]);
    it.refused("ring/too-few-invited", Actor::Operator, Command::Open(Box::new(alone)));
    let called = open(&short, "Called?", &[], &["nia", "ann"]);
    it.refused("ring/needs-outside", Actor::Operator, Command::Open(Box::new(called)));
    let matter = it.first();
    let join = Command::Ring(ring::Command::Participate { matter, action: Action::Join });
    it.refused("ring/none", Actor::Seat(who("nia")), join);

    convened(it, &short, "Is anybody there?", &["nia", "oz"]);
    does(it, "nia", Action::Join);
    it.waits(30_000);
    it.settled(Decision::Undecided(UndecidedReason::Few));

    convened(it, &short, "Has anybody an idea?", &["nia", "oz"]);
    let two = ["nia", "oz"];
    two.iter().for_each(|name| does(it, name, Action::Join));
    // Nothing before the talk, nothing twice in it: both are absent, and nothing lies on the table.
    for name in ["nia", "oz", "nia", "oz", "nia", "oz"] {
        let ask = it.ask(name);
        does(it, name, skip(ask));
    }
    it.settled(Decision::Undecided(UndecidedReason::NoProposal));

    it.adopt(&firm);
    convened(it, &firm, "Too many?", &["nia", "oz"]);
    two.iter().for_each(|name| does(it, name, Action::Join));
    let ask = it.ask("nia");
    for nth in 1..=26 {
        does(it, "nia", kept(propose(ask, &format!("Idea {nth}"), &format!("Do {nth}."))));
    }
    cannot(it, "table/too-many-proposals", "nia", propose(ask, "One more", "Do more."));
    let matter = it.matter();
    it.operator(Command::Stop { matter });

    it.opens(Open {
        moved: [("rounds".to_string(), 1.into())].into(),
        ..open(&firm, "All against?", &[], &two)
    });
    talk(it, &two);
    let ask = it.ask("nia");
    let answer = Command::Answer { ask, text: "Yes.".into(), call: Box::new(Call::default()), salt: None };
    it.refused("ring/by-part", Actor::Seat(who("nia")), answer);
    for nth in 0..30 {
        does(it, "nia", kept(say(ask, &format!("Word {nth}."))));
    }
    cannot(it, "floor/turn-full", "nia", say(ask, "One more."));
    does(it, "nia", Action::Release { ask });
    let ask = it.ask("oz");
    does(it, "oz", skip(ask));
    let one = proposal(it, 0);
    does(it, "nia", vote(one, Grade::Reject));
    cannot(it, "ballot/already-cast", "nia", vote(one, Grade::Approve));
    does(it, "oz", vote(one, Grade::RequestChanges));
    it.settled(Decision::Rejected);
    let judge = Command::Council(council::Command::Judge { by: who("ann"), matter: it.matter(), round: 1 });
    it.refused("council/not-a-debate", Actor::Operator, judge);
}

/// One under a charter that ships, and then nobody knows any more what was said in it.
pub(super) fn words_taken_away(it: &mut Scribe) {
    let quick = charter::shipped("ring-quick").expect("it ships").source;
    it.adopt(quick);
    it.opens(Open {
        moved: [("rounds".to_string(), 1.into())].into(),
        ..open(quick, "Who may read this?", &[], &["nia", "oz"])
    });
    talk(it, &["nia", "oz"]);
    let ask = it.ask("nia");
    does(it, "nia", say(ask, "Everybody."));
    let ask = it.ask("oz");
    does(it, "oz", react(ask, proposal(it, 0).0, Reaction::Agree));
    let one = proposal(it, 0);
    does(it, "nia", vote(one, Grade::Approve));
    does(it, "oz", vote(one, Grade::Approve));
    it.settled(Decision::Passed { option: Some(0) });
    cannot(it, "matter/wrong-status", "oz", say(ask, "Too late."));
    let matter = it.matter();
    let acts = it.bare(matter);
    it.operator(Command::Redact { matter, acts });
    it.settled(Decision::Passed { option: Some(0) });
}

/// Votes that nobody is shown, and one that blocks what the others carry.
pub(super) fn vetoed_in_secret(it: &mut Scribe) {
    let source = short_ring(false)
        .replace("firm-ring", "closed-ring")
        .replace("change = false", "secrecy = \"secret\"\nveto = [\"rho\"]");
    for name in ["rho", "sig", "tau"] {
        it.operator(Command::Enrol { seat: seat(name, SeatKind::Outside, "outside") });
    }
    it.adopt(&source);
    let options = open(&source, "Open the vault?", &["at dawn", "at dusk"], &["rho", "sig", "tau"]);
    it.refused("ring/unread", Actor::Operator, Command::Open(Box::new(options)));
    it.opens(open(&source, "Open the vault?", &[], &["rho", "sig", "tau"]));
    talk(it, &["rho", "sig", "tau"]);
    while it.case().ballots.is_empty() {
        let (ask, who) = it
            .case()
            .asks()
            .iter()
            .map(|(id, ask)| (*id, ask.who().unwrap().clone()))
            .next()
            .expect("a turn");
        does(it, who.as_str(), skip(ask));
    }
    let put = proposal(it, 0);
    cannot(it, "ballot/unsalted", "sig", vote(put, Grade::Approve));
    let sealed = |grade, salt: &str| match vote(put, grade) {
        Action::Vote { changes, conditions, grade, proposal, rationale, .. } => {
            Action::Vote { changes, conditions, grade, proposal, rationale, salt: Some(salt.into()) }
        }
        other => other,
    };
    does(it, "sig", sealed(Grade::Approve, "0123456789abcdef"));
    does(it, "tau", sealed(Grade::Approve, "fedcba9876543210"));
    does(it, "rho", sealed(Grade::Reject, "0011223344556677"));
    it.settled(Decision::Undecided(UndecidedReason::Vetoed));
}
