//! What the house holds to be true, and who works on which files: everything that can happen to them and be refused.

use synod_core::canon::{
    self, CanonRef, CanonRole, Claim, ClaimSource, ClaimValue, ConflictChoice, EntryName,
};
use synod_core::kernel::{
    Actor, At, CanonReference, Choice, CitationTrigger, Digest, Epistemic, Id, MatterId, Reference, SeatKind,
};
use synod_core::ledger::CreditReason;
use synod_core::procedure::workshop::{
    CanonCommand, Command as Work, DecideConflict, LeaseCommand, OpenIssue, PromoteEntry, WriteComment,
};
use synod_core::roster::{Appointment, WorkRole};
use synod_core::{Command, charter, lease};

use super::kinds::named;
use super::scribe::{Scribe, seat, who};

named! {
    canon_event(canon::Event) in CANON {
        canon::Event::ConflictDecided { .. } => "canon conflict decided",
        canon::Event::Contradicted { .. } => "canon contradicted",
        canon::Event::OldVersionCited { .. } => "canon old version cited",
        canon::Event::Searched { .. } => "canon searched",
        canon::Event::ClaimsProposed { .. } => "canon claims proposed",
        canon::Event::ClaimsDecided { .. } => "canon claims decided",
        canon::Event::Ended { .. } => "canon ended",
        canon::Event::Promoted { .. } => "canon promoted",
        canon::Event::Supported { .. } => "canon supported",
    }
    choice(ConflictChoice) in CHOICES {
        ConflictChoice::Override => "conflict overridden",
        ConflictChoice::Keep => "conflict kept",
        ConflictChoice::Discuss => "conflict discussed",
    }
    role(CanonRole) in ROLES {
        CanonRole::Agent => "promoted by agents",
        CanonRole::Lead => "promoted by a lead",
        CanonRole::User => "promoted by the user",
    }
    lease_event(lease::Event) in LEASES {
        lease::Event::Taken { .. } => "lease taken",
        lease::Event::Renewed { .. } => "lease renewed",
        lease::Event::Released { .. } => "lease released",
        lease::Event::Expired { .. } => "lease expired",
        lease::Event::Asked { .. } => "lease asked for",
    }
    canon_command(CanonCommand) in CANON_COMMANDS {
        CanonCommand::Move { .. } => "command move issue",
        CanonCommand::Support { .. } => "command support issue",
        CanonCommand::Promote(_) => "command promote",
        CanonCommand::End { .. } => "command end entry",
        CanonCommand::ProposeClaims { .. } => "command propose claims",
        CanonCommand::DecideClaims { .. } => "command decide claims",
        CanonCommand::DecideConflict(_) => "command decide conflict",
    }
    lease_command(LeaseCommand) in LEASE_COMMANDS {
        LeaseCommand::Take { .. } => "command take lease",
        LeaseCommand::Renew { .. } => "command renew lease",
        LeaseCommand::Release { .. } => "command release lease",
        LeaseCommand::Ask { .. } => "command ask for lease",
    }
}

/// Every name here. Claims by rules of another edition are for a later one.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    let lists = [CANON, CHOICES, ROLES, LEASES, CANON_COMMANDS, LEASE_COMMANDS];
    lists.into_iter().flatten().copied()
}

pub(super) fn happened(event: &canon::Event, names: &mut Vec<&'static str>) {
    names.push(canon_event(event));
    match event {
        canon::Event::ConflictDecided { choice: made, .. } => names.push(choice(made)),
        canon::Event::Promoted { role: by, .. } => names.push(role(by)),
        canon::Event::ClaimsProposed { source, .. } => match source {
            ClaimSource::Model { .. } | ClaimSource::Seat(_) | ClaimSource::Rules { .. } => (),
        },
        canon::Event::Contradicted { .. } | canon::Event::OldVersionCited { .. } => (),
        canon::Event::Searched { .. } => (),
        canon::Event::ClaimsDecided { .. } | canon::Event::Ended { .. } | canon::Event::Supported { .. } => {}
    }
}

pub(super) fn leased(event: &lease::Event, names: &mut Vec<&'static str>) {
    names.push(lease_event(event));
}

pub(super) fn commanded(command: &Work, names: &mut Vec<&'static str>) {
    match command {
        Work::Canon(command) => names.push(canon_command(command)),
        Work::Lease(command) => names.push(lease_command(command)),
        _ => (), // the others have their names beside the commands of the house
    }
}

const BODY: &str = "I compared the scene in which the reactor fails with the docking sequence; the order of events still \
     holds because nobody leaves that bridge before midnight on day three.";

fn by(name: &str) -> Actor {
    if name == "user" { Actor::Operator } else { Actor::Seat(who(name)) }
}

fn did(it: &mut Scribe, name: &str, command: CanonCommand) {
    it.done(by(name), Command::Workshop(Work::Canon(command)));
}

fn not(it: &mut Scribe, code: &str, name: &str, command: CanonCommand) {
    it.refused(code, by(name), Command::Workshop(Work::Canon(command)));
}

fn named(written: &str) -> EntryName {
    EntryName::parse(written).expect("a good name")
}

fn cited(written: &str) -> CanonRef {
    written.parse().expect("a good citation")
}

fn promotion(name: &str, text: &str, change: impl FnOnce(&mut PromoteEntry)) -> CanonCommand {
    let text = Some(text.to_string()).filter(|text| !text.is_empty());
    let mut wanted = PromoteEntry { issue: None, name: named(name), over: None, text, until: None };
    change(&mut wanted);
    CanonCommand::Promote(Box::new(wanted))
}

fn decision(written: &str, choice: ConflictChoice, conflict: Option<Id>, text: &str) -> CanonCommand {
    let text = Some(text.to_string()).filter(|text| !text.is_empty());
    CanonCommand::DecideConflict(Box::new(DecideConflict { choice, conflict, entry: cited(written), text }))
}

fn opened(it: &mut Scribe, name: &str, title: &str, body: &str) -> MatterId {
    let open = Work::Open(Box::new(OpenIssue::new(title, body)));
    it.done(by(name), Command::Workshop(open));
    let act = it.house().seq();
    let first = it.house().docket().rows().map(|(matter, _)| matter).find(|matter| matter.0.act == act);
    first.expect("it was opened")
}

fn comments(it: &mut Scribe, name: &str, issue: MatterId, change: impl FnOnce(&mut WriteComment)) {
    let mut comment = WriteComment::new(issue, BODY);
    change(&mut comment);
    it.done(by(name), Command::Workshop(Work::Comment(Box::new(comment))));
}

/// An entry with two versions, for comments that cite it.
pub(super) fn of_eyes(it: &mut Scribe) {
    did(it, "user", promotion("eyes", "Mara's eyes are green.", |_| ()));
    did(it, "user", promotion("eyes", "Mara's eyes are grey.", |wanted| wanted.over = Some(1)));
}

/// The chapter of canon. Agents may promote under the charter it is held by.
pub(super) fn of_canon(it: &mut Scribe) {
    let source = charter::shipped("workshop").expect("it ships").source;
    let source = source.replace("[workshop]", "[workshop]\nagents_promote = true");
    let digest = Digest::of(source.as_bytes());
    it.adopt(&source);
    it.operator(Command::Enrol { seat: seat("lea", SeatKind::Outside, "outside") });
    let appointment = Appointment { role: Some(WorkRole::Lead), ..Appointment::default() };
    it.operator(Command::Appoint { appointment, who: who("lea") });
    not(it, "canon/agents-may-not-promote", "wren", promotion("hair", "Mara's hair is black.", |_| ()));
    it.done(Actor::Operator, Command::Workshop(Work::Configure { charter: digest }));
    entries(it);
    ladder(it);
    conflicts(it);
    claims(it);
}

const GREEN: &str = "Ilse's eyes are green.";
const BLUE: &str = "Ilse's eyes are blue.";

fn entries(it: &mut Scribe) {
    not(it, "canon/bad-text", "user", promotion("look", " ", |_| ()));
    not(it, "canon/ends-in-the-past", "user", promotion("look", GREEN, |wanted| wanted.until = Some(At(1))));
    did(it, "user", promotion("look", GREEN, |wanted| wanted.until = Some(At(u64::MAX >> 12))));
    not(it, "canon/name-taken", "lea", promotion("look", BLUE, |_| ()));
    not(it, "canon/not-allowed", "wren", CanonCommand::End { entry: cited("look"), why: None });
    did(it, "lea", promotion("look", BLUE, |wanted| wanted.over = Some(1)));
    not(it, "canon/not-the-latest", "lea", promotion("look", GREEN, |wanted| wanted.over = Some(1)));
    let end = |written: &str, why: Option<&str>| CanonCommand::End {
        entry: cited(written),
        why: why.map(str::to_string),
    };
    not(it, "canon/unknown-entry", "user", end("nose", None));
    did(it, "user", promotion("gate", "The gate is closed.", |_| ()));
    did(it, "user", end("gate@1", Some("it was moved")));
    not(it, "canon/not-holding", "user", end("gate", None));
}

/// From an idea to canon, and back when the entry ends.
fn ladder(it: &mut Scribe) {
    let issue = opened(it, "wren", "The tower", "The tower is 40 m high.");
    let up = |to| CanonCommand::Move { issue, to };
    let support = |holds| CanonCommand::Support { holds, issue };
    not(it, "canon/already-there", "user", up(Epistemic::Draft));
    not(it, "canon/too-little-support", "xan", up(Epistemic::Tentative));
    not(it, "canon/not-the-next-step", "xan", up(Epistemic::Agreed));
    not(it, "canon/only-by-promotion", "user", up(Epistemic::Canon));
    let own = |wanted: &mut PromoteEntry| wanted.issue = Some(issue);
    not(it, "canon/not-agreed", "xan", promotion("tower", "", own));
    comments(it, "xan", issue, |comment| comment.stance = Some(Choice::Yes));
    comments(it, "xan", issue, |comment| comment.stance = Some(Choice::No));
    did(it, "xan", support(true));
    not(it, "canon/nothing-changes", "xan", support(true));
    did(it, "xan", support(false));
    did(it, "xan", support(true));
    did(it, "user", up(Epistemic::Agreed));
    not(it, "canon/too-few-votes", "xan", promotion("tower", "", own));
    did(it, "yul", support(true));
    did(it, "zed", support(true));
    not(it, "canon/other-words", "xan", promotion("tower", "The tower is 9 m high.", own));
    did(it, "user", promotion("height", "The tower is 50 m high.", |_| ()));
    not(it, "canon/contradicts", "xan", promotion("tower", "", own));
    did(it, "user", CanonCommand::End { entry: cited("height"), why: None });
    did(it, "xan", promotion("tower", "", own));
    did(it, "user", CanonCommand::End { entry: cited("tower"), why: None });
    let meta = it.house().docket().rows().find(|(_, row)| row.meta.is_some()).map(|(matter, _)| matter);
    let of_house = |wanted: &mut PromoteEntry| wanted.issue = meta;
    not(it, "workshop/nothing-to-promote", "user", promotion("tower", "", of_house));
}

fn conflicts(it: &mut Scribe) {
    let issue = opened(it, "wren", GREEN, "Or so it seems.");
    let cites = |version: u32| {
        move |comment: &mut WriteComment| {
            let (entry, version) = ("look".into(), Some(version));
            comment.evidence = vec![Reference::Canon(CanonReference { entry, version })];
        }
    };
    comments(it, "xan", issue, cites(1));
    comments(it, "yul", issue, cites(9));
    comments(it, "zed", issue, |comment| comment.body = format!("{BODY} {GREEN}"));
    let found: Vec<Id> = it.house().canon().found().map(|found| found.id).collect();
    let [.., first, last] = found[..] else { panic!("two conflicts were found") };
    use ConflictChoice::{Discuss, Keep, Override};
    let unknown = "9999".parse().ok();
    not(it, "canon/unknown-conflict", "user", decision("look@2", Keep, unknown, ""));
    not(it, "canon/version-needed", "user", decision("look", Override, None, GREEN));
    did(it, "lea", decision("look@2", Keep, Some(last), ""));
    did(it, "wren", decision("look@2", Discuss, Some(first), GREEN));
    kept(it);
    did(it, "lea", decision("look@2", Override, None, GREEN));
}

/// Canon that is kept against the user and against an agent, with somebody who said so before, and a gap in it.
fn kept(it: &mut Scribe) {
    let issue = opened(it, "user", GREEN, "And what of the harbour?");
    comments(it, "xan", issue, |comment| {
        let named = CanonReference { entry: "look".into(), version: Some(2) };
        comment.evidence = vec![Reference::Canon(named), Reference::Gap("harbour".into())];
        comment.trigger = Some(CitationTrigger::CanonGapSearch);
    });
    comments(it, "zed", issue, |comment| comment.body = format!("{BODY} {GREEN}"));
    let found: Vec<Id> = it.house().canon().found().map(|found| found.id).collect();
    let [.., first, last] = found[..] else { panic!("two conflicts were found") };
    did(it, "user", decision("look@2", ConflictChoice::Keep, Some(first), ""));
    did(it, "lea", decision("look@2", ConflictChoice::Keep, Some(last), ""));
    let total = |name: &str, reason| it.house().ledger().total(&who(name)).times(reason);
    assert_eq!(total("xan", CreditReason::UserConflictPrevented), 1, "the user was kept from it");
    assert_eq!(total("zed", CreditReason::HallucinationDetected), 2, "canon says otherwise, in both issues");
}

fn claims(it: &mut Scribe) {
    let claim = Claim::given("Ilse", "sister", ClaimValue::Name("greta".into()), false, "implied");
    let propose = |claims: Vec<Claim>, model: Option<&str>| CanonCommand::ProposeClaims {
        claims,
        entry: cited("look"),
        model: model.map(str::to_string),
    };
    let claims: Vec<Claim> = claim.into_iter().collect();
    not(it, "canon/bad-proposal", "wren", propose(Vec::new(), None));
    did(it, "wren", propose(claims.clone(), None));
    did(it, "user", propose(claims, Some("a-model")));
    let ids: Vec<Id> = it.house().canon().proposals().map(|proposed| proposed.id).collect();
    let decide = |proposal: Id, accepted: bool, why: Option<&str>| CanonCommand::DecideClaims {
        accepted,
        proposal,
        why: why.map(str::to_string),
    };
    not(it, "canon/unknown-proposal", "user", decide("9999".parse().expect("an id"), true, None));
    did(it, "lea", decide(ids[0], true, None));
    did(it, "user", decide(ids[1], false, Some("it is there already")));
    not(it, "canon/already-decided", "user", decide(ids[0], true, None));
}

/// The chapter of leases.
pub(super) fn of_leases(it: &mut Scribe) {
    let did = |it: &mut Scribe, name: &str, command: LeaseCommand| {
        it.done(by(name), Command::Workshop(Work::Lease(command)));
    };
    let not = |it: &mut Scribe, code: &str, name: &str, command: LeaseCommand| {
        it.refused(code, by(name), Command::Workshop(Work::Lease(command)));
    };
    let list = |paths: &[&str]| paths.iter().map(ToString::to_string).collect::<Vec<String>>();
    let take = |paths: &[&str]| LeaseCommand::Take { for_ms: Some(60_000), paths: list(paths), why: None };
    let release = |paths: &[&str]| LeaseCommand::Release { paths: list(paths) };
    let ask =
        |path: &str, open_issue| LeaseCommand::Ask { open_issue, path: path.into(), why: Some("red".into()) };
    not(it, "lease/nothing-named", "wren", take(&[]));
    not(it, "lease/bad-path", "wren", take(&["../x"]));
    not(
        it,
        "lease/bad-time",
        "wren",
        LeaseCommand::Renew { for_ms: Some(u64::MAX >> 12), paths: Vec::new() },
    );
    let many: Vec<String> = (0..21).map(|nth| format!("f{nth}")).collect();
    not(it, "lease/too-many", "wren", LeaseCommand::Take { for_ms: None, paths: many, why: None });
    let why = Some("x".repeat(501));
    not(it, "lease/long-reason", "wren", LeaseCommand::Take { for_ms: None, paths: list(&["a"]), why });
    let why = Some("new codes".into());
    did(it, "wren", LeaseCommand::Take { for_ms: None, paths: list(&["src/api.rs", "docs"]), why });
    not(it, "lease/held", "xan", take(&["src"]));
    did(it, "xan", ask("src", false));
    did(it, "yul", ask("src/api.rs", true));
    not(it, "lease/own", "wren", ask("docs/a.md", false));
    not(it, "lease/not-held", "xan", ask("other", false));
    not(it, "lease/not-yours", "xan", release(&["docs"]));
    not(it, "lease/nothing-held", "xan", release(&[]));
    did(it, "wren", LeaseCommand::Renew { for_ms: None, paths: list(&["docs"]) });
    did(it, "user", release(&["docs"]));
    did(it, "wren", release(&[]));
    did(it, "zed", take(&["late"]));
    it.waits(60_000);
}
