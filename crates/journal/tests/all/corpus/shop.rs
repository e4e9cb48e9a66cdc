//! Issues: everything that can happen to them, and everything that is refused of them.

use synod_core::dissent::{self, DissentReason, DissentSide, OrderEnd};
use synod_core::issue::{self, Freedom, IssueChange, IssueMark, MetaIssue, NoticeKind, Tag};
use synod_core::kernel::{
    Actor, AuthorClass, Breaker, CanonReference, Choice, CitationTrigger, CommentAction, CommentDeed,
    CommentKind, Contribution, Digest, FileReference, Id, Impact, LineRange, MatterId, Priority, Reference,
    SeatKind, SettingValue,
};
use synod_core::procedure::workshop::{Command as Work, OpenIssue, WriteComment};
use synod_core::roster::{Appointment, WorkRole};
use synod_core::{Command, charter};

use super::chapters::blind_vote;
use super::kinds::named;
use super::scribe::{Scribe, open, seat, who};

named! {
    kind(CommentKind) in KINDS {
        CommentKind::Comment => "comment",
        CommentKind::Question => "comment that asks",
        CommentKind::Acknowledgement => "comment that acknowledges",
    }
    class(AuthorClass) in CLASSES {
        AuthorClass::User => "written by the user",
        AuthorClass::System => "written by the house",
        AuthorClass::Moderator => "written by a moderator",
        AuthorClass::Agent => "written by an agent",
    }
    reference(Reference) in REFERENCES {
        Reference::Canon(_) => "reference canon",
        Reference::File(_) => "reference file",
        Reference::Gap(_) => "reference gap",
        Reference::Issue(_) => "reference issue",
    }
    meta(MetaIssue) in METAS {
        MetaIssue::Frozen { .. } => "meta frozen",
        MetaIssue::DevilsAdvocate { .. } => "meta devil's advocate",
        MetaIssue::Leech { .. } => "meta leech",
    }
    notice(NoticeKind) in NOTICES {
        NoticeKind::Frozen { .. } => "notice frozen",
        NoticeKind::Escalated => "notice escalated",
        NoticeKind::NoDevilsAdvocate => "notice no devil's advocate",
        NoticeKind::NoBlindReader => "notice no blind reader",
        NoticeKind::Leech => "notice leech",
        NoticeKind::AgentWatched { .. } => "notice agent watched",
        NoticeKind::AgentFlagged { .. } => "notice agent flagged",
        NoticeKind::CanonConflict => "notice canon conflict",
    }
    end(OrderEnd) in ENDS {
        OrderEnd::Fulfilled => "order fulfilled",
        OrderEnd::Expired => "order expired",
        OrderEnd::Withdrawn => "order withdrawn",
    }
    side(DissentSide) in SIDES {
        DissentSide::Against => "order to object",
        DissentSide::Blind => "order to read blind",
        DissentSide::For => "order to argue for",
    }
    reason(DissentReason) in REASONS {
        DissentReason::QuickConsensus => "ordered for quick consensus",
        DissentReason::NoEvidenceConsensus => "ordered for consensus without evidence",
        DissentReason::ModeratorOverride => "ordered by a moderator",
        DissentReason::HighImpactProposal => "ordered for a large change",
        DissentReason::ConsensusBreak => "ordered to break a consensus",
        DissentReason::RedTeam => "ordered for a red team",
    }
    mark(IssueMark) in MARKS {
        IssueMark::Applied => "marked applied",
        IssueMark::Irrelevant => "marked irrelevant",
        IssueMark::Helpful { .. } => "marked helpful",
    }
    change(IssueChange) in CHANGES {
        IssueChange::Assign { to: Some(_) } => "changed assignee",
        IssueChange::Assign { to: None } => "changed to nobody",
        IssueChange::Tag { .. } => "changed tag",
        IssueChange::Untag { .. } => "changed untag",
        IssueChange::Priority { .. } => "changed priority",
        IssueChange::Relate { .. } => "changed related",
        IssueChange::Unrelate { .. } => "changed unrelated",
    }
}

/// Every name here. The house itself writes nothing yet: its issues have no thread of its own.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    let lists = [KINDS, CLASSES, REFERENCES, METAS, NOTICES, ENDS, SIDES, REASONS, MARKS, CHANGES];
    lists.into_iter().flatten().copied()
}

pub(super) fn commented(said: &Contribution, names: &mut Vec<&'static str>) {
    let Some(comment) = said.comment() else { return };
    names.extend([kind(&comment.kind), class(&comment.class)]);
    names.extend(comment.evidence.iter().map(reference));
}

pub(super) fn happened(event: &issue::Event, names: &mut Vec<&'static str>) {
    match event {
        issue::Event::Filed { meta: about, class: by, .. } => {
            names.push(class(by));
            names.extend(about.iter().map(meta));
        }
        issue::Event::Noticed { what, .. } => names.push(notice(what)),
        issue::Event::Marked { mark: given, .. } => names.push(mark(given)),
        issue::Event::Changed { change: given, .. } => names.push(change(given)),
        issue::Event::Frozen { .. } | issue::Event::Reported { .. } | issue::Event::Thawed { .. } => (),
        issue::Event::Raised { .. } | issue::Event::Consolidated { .. } => (),
        issue::Event::Escalated { .. } | issue::Event::Configured { .. } => (),
        issue::Event::TagFrozen { .. } | issue::Event::TagThawed { .. } => (),
        issue::Event::FreedomSet { .. } => (),
    }
}

pub(super) fn dissented(event: &dissent::Event, names: &mut Vec<&'static str>) {
    match event {
        dissent::Event::Ordered(order) => names.extend([side(&order.side), reason(&order.reason)]),
        dissent::Event::Unfilled { reason: why, .. } => names.push(reason(why)),
        dissent::Event::Ended { end: came, .. } => names.push(end(came)),
        dissent::Event::ConsensusFound { side: of, .. } => names.push(side(of)),
        dissent::Event::TeamCalled { side: of, .. } => names.push(side(of)),
        dissent::Event::Summed { .. } => (),
    }
}

const BODY: &str = "I compared the scene in which the reactor fails with the docking sequence; the order of events still \
     holds because nobody leaves that bridge before midnight on day three.";

fn loud() -> String {
    format!("{BODY} This is URGENT and VITAL.")
}

fn tag(word: &str) -> Tag {
    Tag::parse(word).expect("a good tag")
}

/// Whoever gives a command: the user, or a participant.
pub(super) fn by(name: &str) -> Actor {
    if name == "user" { Actor::Operator } else { Actor::Seat(who(name)) }
}

pub(super) fn did(it: &mut Scribe, name: &str, command: Work) {
    it.done(by(name), Command::Workshop(command));
}

pub(super) fn not(it: &mut Scribe, code: &str, name: &str, command: Work) {
    it.refused(code, by(name), Command::Workshop(command));
}

pub(super) fn comment(issue: MatterId, change: impl FnOnce(&mut WriteComment)) -> Work {
    let mut comment = WriteComment::new(issue, BODY);
    change(&mut comment);
    Work::Comment(Box::new(comment))
}

pub(super) fn plain(issue: MatterId) -> Work {
    comment(issue, |_| ())
}

fn approval(issue: MatterId) -> Work {
    comment(issue, |comment| comment.stance = Some(Choice::Yes))
}

fn shouted(issue: MatterId) -> Work {
    comment(issue, |comment| comment.body = loud())
}

/// Opens an issue and gives its id.
pub(super) fn opened(
    it: &mut Scribe,
    name: &str,
    title: &str,
    change: impl FnOnce(&mut OpenIssue),
) -> MatterId {
    let mut issue = OpenIssue::new(title, "What shall we do about it?");
    change(&mut issue);
    did(it, name, Work::Open(Box::new(issue)));
    let act = it.house().seq();
    let first = it.house().docket().rows().map(|(matter, _)| matter).find(|matter| matter.0.act == act);
    first.expect("it was opened")
}

pub(super) fn appoint(it: &mut Scribe, name: &str, role: Option<WorkRole>, able: bool) {
    it.operator(Command::Enrol { seat: seat(name, SeatKind::Outside, "outside") });
    let appointment = Appointment { can_be_devils_advocate: able, enabled: true, role };
    it.operator(Command::Appoint { appointment, who: who(name) });
}

/// The chapter.
pub(super) fn of_issues(it: &mut Scribe) {
    let debate = it.house().cases().next().expect("a matter").id;
    let source = charter::shipped("workshop").expect("it ships").source;
    let digest = Digest::of(source.as_bytes());
    not(it, "workshop/not-configured", "user", Work::Open(Box::new(OpenIssue::new("First", "b"))));
    it.adopt(source);
    let other = Digest::of(blind_vote().as_bytes());
    not(it, "workshop/other-charter", "user", Work::Configure { charter: other });
    did(it, "user", Work::Configure { charter: digest });
    let as_debate = open(source, "An issue?", &[], &["ann"]);
    it.refused("workshop/opened-otherwise", Actor::Operator, Command::Open(Box::new(as_debate)));
    for name in ["wren", "xan", "yul", "zed", "user"] {
        it.operator(Command::Enrol { seat: seat(name, SeatKind::Outside, "outside") });
    }
    appoint(it, "mo", Some(WorkRole::Moderator), false);
    appoint(it, "crit", Some(WorkRole::Critic), false);
    appoint(it, "cont", Some(WorkRole::Continuity), false);
    appoint(it, "able", None, true);
    appoint(it, "able two", None, true);
    it.refused("workshop/reserved-name", Actor::Seat(who("user")), Command::Workshop(plain(debate)));
    not(it, "workshop/not-an-issue", "wren", plain(debate));
    not(it, "workshop/unknown-issue", "wren", plain(MatterId("99999".parse().expect("an id"))));
    periods(it);
    super::lore::of_eyes(it);
    invited(it);
    threads(it);
    // What agents did wrong so far is not what the rest is about: other models answer for them.
    for name in ["wren", "xan", "yul", "zed"] {
        did(it, "user", Work::ChangeModel { model: "other".into(), who: who(name) });
    }
    challenges(it);
    large(it);
    circled(it);
}

fn periods(it: &mut Scribe) {
    let begin = |name: &str| Work::OpenPeriod { name: name.into() };
    not(it, "period/malformed-name", "user", begin(" "));
    not(it, "workshop/needs-lead", "mo", begin("Chapter 1"));
    not(it, "workshop/needs-moderator", "wren", Work::ThawTag { tag: tag("eyes") });
    did(it, "user", begin("Chapter 1"));
    not(it, "period/already-open", "user", begin("CHAPTER 1"));
    did(it, "user", Work::ClosePeriod { name: "chapter 1".into() });
    not(it, "period/not-open", "user", Work::ClosePeriod { name: "chapter 1".into() });
    not(it, "period/name-taken", "user", begin("chapter 1"));
}

/// Seats that Synod performs are asked to comment.
fn invited(it: &mut Scribe) {
    it.operator(Command::Enrol { seat: seat("sol", SeatKind::Scripted, "script:x") });
    let issue = opened(it, "wren", "Asked", |_| ());
    let invite = |name: &str| Work::Invite { issue, who: who(name) };
    not(it, "workshop/not-performed", "user", invite("xan"));
    not(it, "workshop/needs-lead", "mo", invite("sol"));
    let moderator = |enabled: bool| Command::Appoint {
        appointment: Appointment { enabled, role: Some(WorkRole::Moderator), ..Appointment::default() },
        who: who("mo"),
    };
    it.operator(moderator(false));
    not(it, "workshop/no-oversight", "user", invite("sol"));
    it.operator(moderator(true));
    did(it, "user", invite("sol"));
    not(it, "workshop/already-invited", "user", invite("sol"));
    it.refused(
        "matter/nothing-runs",
        Actor::Operator,
        Command::Pause { matter: issue, why: synod_core::matter::Pause::Operator },
    );
    did(it, "user", Work::Close { issue });
}

/// Comments, freezes and what moderators do.
fn threads(it: &mut Scribe) {
    let first = opened(it, "wren", "First", |open| {
        open.tags = vec![tag("time"), tag("eyes")];
        open.assignee = Some(who("xan"));
    });
    let second = opened(it, "user", "Second", |open| {
        open.related = vec![first];
        open.priority = Priority::High;
        open.moved.insert("workshop.comments_total".into(), SettingValue::Number(2));
    });
    let number = it.house().docket().row(first).expect("a row").number;
    let written = |change: fn(&mut OpenIssue)| {
        let mut issue = OpenIssue::new("Third", "b");
        change(&mut issue);
        Work::Open(Box::new(issue))
    };
    not(
        it,
        "workshop/needs-lead",
        "mo",
        written(|open| open.moved.extend([("x".into(), SettingValue::Number(1))])),
    );
    not(it, "workshop/missing", "wren", written(|open| open.title.clear()));
    not(it, "workshop/too-long", "wren", written(|open| open.title = "x".repeat(201)));
    not(it, "workshop/too-many", "wren", written(|open| open.tags = vec![tag("a"); 21]));
    not(it, "workshop/reserved-tag", "wren", written(|open| open.tags = vec![tag("meta")]));
    let spaced: Tag = serde_json::from_value("a b".into()).expect("any text");
    let retag = Work::Change { issue: first, change: IssueChange::Tag { tag: spaced } };
    not(it, "workshop/malformed-tag", "wren", retag);
    not(it, "workshop/other-stance", "wren", comment(first, |it| it.stance = Some(Choice::Option(1))));
    let asks = |it: &mut WriteComment| {
        (it.kind, it.stance) = (CommentKind::Question, Some(Choice::Yes));
    };
    not(it, "workshop/kind-takes-no-side", "wren", comment(first, asks));
    // Too short, too plain, too early, without evidence.
    let resolved = |it: &mut WriteComment| {
        it.action = Some(CommentAction { deed: CommentDeed::Resolved, details: String::new() });
    };
    did(it, "xan", comment(first, |it| it.body = "Good idea".into()));
    did(it, "xan", comment(first, |it| it.impact = Some(Impact::Structural)));
    did(it, "xan", comment(first, resolved));
    did(
        it,
        "xan",
        comment(first, |it| {
            it.kind = CommentKind::Question;
            it.body = "When does the reactor fail then?".into();
        }),
    );
    did(
        it,
        "xan",
        comment(first, |it| {
            it.kind = CommentKind::Acknowledgement;
            it.body = "I have read all of that.".into();
        }),
    );
    let file = FileReference {
        lines: Some(LineRange { end: Some(14), start: 10 }),
        path: "scene.txt".into(),
        quote: Some("before midnight".into()),
    };
    did(
        it,
        "yul",
        comment(second, |it| {
            it.evidence = vec![
                Reference::File(file),
                Reference::Issue(number),
                Reference::Canon(CanonReference { entry: "eyes".into(), version: Some(2) }),
            ];
            it.impact = Some(Impact::CanonChanging);
            it.trigger = Some(CitationTrigger::VerifyContinuity);
            it.action = Some(CommentAction { deed: CommentDeed::Escalated, details: "look".into() });
        }),
    );
    super::credits::reads(it, Ok(&"Nobody leaves before midnight.\n".repeat(14)));
    did(it, "zed", comment(second, |it| it.stance = Some(Choice::No)));
    did(it, "wren", plain(second)); // one too many for the issue
    did(it, "user", Work::Close { issue: second });
    not(it, "workshop/over", "wren", plain(second));
    // A pair, and a freeze that is seen to and comes back.
    did(it, "yul", plain(first));
    did(it, "zed", plain(first));
    did(it, "yul", plain(first));
    did(it, "zed", plain(first));
    not(it, "workshop/frozen", "wren", plain(first));
    let guide = |text: &str| Work::Unfreeze { guidance: text.into(), issue: first };
    did(it, "mo", guide("Let somebody else speak."));
    not(it, "workshop/not-frozen", "mo", guide("Again."));
    did(it, "yul", shouted(first));
    it.waits(1_800_000);
    did(it, "wren", plain(first));
    did(it, "wren", plain(first));
    did(it, "wren", plain(first)); // the third
    did(it, "mo", guide("That is enough."));
    steering(it, first, second);
}

/// What is changed, marked and settled.
fn steering(it: &mut Scribe, first: MatterId, second: MatterId) {
    let change = |change: IssueChange| Work::Change { issue: first, change };
    not(it, "workshop/not-yours", "zed", change(IssueChange::Priority { priority: Priority::Low }));
    not(it, "workshop/same-issue", "mo", change(IssueChange::Relate { to: first }));
    for one in [
        IssueChange::Assign { to: Some(who("yul")) },
        IssueChange::Assign { to: None },
        IssueChange::Tag { tag: tag("late") },
        IssueChange::Untag { tag: tag("late") },
        IssueChange::Priority { priority: Priority::Low },
        IssueChange::Relate { to: second },
        IssueChange::Unrelate { to: second },
    ] {
        did(it, "mo", change(one));
    }
    did(it, "mo", Work::Escalate { issue: first, summary: "Two scenes contradict each other.".into() });
    let (decision, reasoning) = ("Keep the scene.".to_string(), "It is cited twice.".to_string());
    let force = Work::ForceResolution { decision, issue: first, reasoning };
    not(it, "workshop/not-over", "mo", Work::Reopen { issue: first });
    did(it, "mo", force.clone());
    did(it, "mo", Work::Reopen { issue: first });
    did(it, "mo", force);
    let mark = |mark: IssueMark| Work::Mark { issue: first, mark };
    let helpful = it.house().case(first).and_then(|case| {
        let written = case.comments().find(|(_, heard)| heard.comment.kind == CommentKind::Comment);
        written.map(|(said, _)| said.id)
    });
    let unknown: Id = "99999".parse().expect("an id");
    not(it, "workshop/unknown-comment", "user", mark(IssueMark::Helpful { comment: unknown }));
    did(it, "user", mark(IssueMark::Helpful { comment: helpful.expect("a comment") }));
    did(it, "mo", mark(IssueMark::Applied));
    not(it, "workshop/already-marked", "mo", mark(IssueMark::Applied));
    not(it, "workshop/marked-otherwise", "mo", mark(IssueMark::Irrelevant));
    // Tags and agents that are held back.
    let freeze = |reason: &str| Work::FreezeTag { reason: reason.into(), tag: tag("eyes") };
    did(it, "mo", freeze("five issues are enough"));
    let mut again = OpenIssue::new("Eyes again", "b");
    again.tags = vec![tag("eyes")];
    not(it, "workshop/frozen-tag", "wren", Work::Open(Box::new(again)));
    did(it, "mo", Work::ThawTag { tag: tag("eyes") });
    not(it, "workshop/tag-not-frozen", "mo", Work::ThawTag { tag: tag("eyes") });
    let free = |freedom: Freedom| Work::SetFreedom { freedom, who: who("zed") };
    did(it, "mo", free(Freedom::ReadOnly));
    not(it, "workshop/read-only", "zed", Work::Open(Box::new(OpenIssue::new("Mine", "b"))));
    did(it, "mo", free(Freedom::Full));
    let off = |enabled: bool| Appointment { enabled, ..Appointment::default() };
    it.operator(Command::Appoint { appointment: off(false), who: who("zed") });
    not(it, "workshop/disabled", "zed", Work::Open(Box::new(OpenIssue::new("Mine", "b"))));
    it.operator(Command::Appoint { appointment: off(true), who: who("zed") });
    // Several become one.
    let (one, two) = (opened(it, "wren", "One", |_| ()), opened(it, "wren", "Two", |_| ()));
    let join = |issues: Vec<MatterId>| Work::Consolidate { body: "b".into(), issues, title: "Both".into() };
    not(it, "workshop/nothing-to-consolidate", "mo", join(vec![one]));
    did(it, "mo", join(vec![one, two]));
}

/// Devil's advocates.
fn challenges(it: &mut Scribe) {
    let issue = opened(it, "wren", "Agreed by all", |_| ());
    for name in ["xan", "yul", "zed"] {
        did(it, name, approval(issue));
    }
    let invoke = |who: Option<&str>| Work::InvokeDevilsAdvocate { issue, who: who.map(super::scribe::who) };
    not(it, "workshop/already-challenged", "mo", invoke(None));
    let objection = || comment(issue, |comment| comment.stance = Some(Choice::No));
    did(it, "able", objection());
    did(it, "able", objection());
    not(it, "workshop/unfit-advocate", "mo", invoke(Some("able")));
    did(it, "mo", invoke(Some("able two")));
    let meta = it.house().docket().rows().rfind(|(_, row)| row.meta.is_some()).map(|(id, _)| id);
    let own = Work::InvokeDevilsAdvocate { issue: meta.expect("an assignment"), who: None };
    not(it, "workshop/nothing-to-challenge", "mo", own);
    // Its time passes, and nobody else is left.
    it.waits(86_400_000);
    did(it, "user", Work::Close { issue });
}

/// A large change, read blind and approved quickly.
fn large(it: &mut Scribe) {
    let issue = opened(it, "wren", "Large", |open| open.impact = Some(Impact::Structural));
    did(it, "crit", plain(issue));
    let settles = |it: &mut WriteComment| {
        it.action = Some(CommentAction { deed: CommentDeed::Resolved, details: String::new() });
    };
    not(it, "workshop/blind-review-pending", "xan", comment(issue, settles));
    did(it, "cont", plain(issue));
    did(it, "xan", approval(issue));
    did(it, "yul", approval(issue));
    did(it, "user", Work::Close { issue }); // the order is withdrawn
    // Nobody reads the next one in time.
    let next = opened(it, "wren", "Larger", |open| open.impact = Some(Impact::Structural));
    it.waits(86_400_000);
    did(it, "mo", Work::Close { issue: next });
    // The critic reads nothing of its own blind, and there is no other one.
    let own = opened(it, "crit", "Large and their own", |open| open.impact = Some(Impact::Structural));
    did(it, "mo", Work::Close { issue: own });
}

/// A topic that is worked on again and again.
fn circled(it: &mut Scribe) {
    for nth in 0..5 {
        let issue = opened(it, "wren", &format!("Colour {nth}"), |open| open.tags = vec![tag("colour")]);
        for name in ["xan", "yul", "zed", "crit"] {
            did(it, name, plain(issue));
        }
    }
    let seen = it.house().docket().notices().any(|notice| notice.what == NoticeKind::Leech);
    assert!(seen, "the moderator was told");
    let seen = it
        .house()
        .docket()
        .notices()
        .any(|one| one.what == NoticeKind::Frozen { breaker: Breaker::PingPongDetected });
    assert!(seen, "the user was told");
}
