//! Evidence and credits: comments that wait for what they cite, and everything that moves credit or tries to.

use synod_core::Command;
use synod_core::ask::{Of, WorldTask};
use synod_core::command::Delivered;
use synod_core::evidence::{FileFinding, FileReference, ReadFile, SearchDepth, Unverified, check};
use synod_core::kernel::{
    Actor, AskId, At, Choice, CitationTrigger, CommentAction, CommentDeed, Digest, Id, MatterId, Reference,
    SeatKind,
};
use synod_core::ledger::{self, AttemptFlaw, GoalMetric, IssueFact, TaskSlice};
use synod_core::procedure::workshop::{AwardCredit, Command as Work, SetGoal, WriteComment};
use synod_core::roster::WorkRole;

use super::kinds::named;
use super::scribe::{Scribe, seat, who};
use super::shop::{appoint, by, comment, did, not, opened, plain};

named! {
    flaw(AttemptFlaw) in FLAWS {
        AttemptFlaw::SelfAward => "attempt to award oneself",
        AttemptFlaw::SelfRating => "attempt to rate oneself",
        AttemptFlaw::UserReceiver => "attempt to award the user",
        AttemptFlaw::UnknownReceiver => "attempt to award nobody",
        AttemptFlaw::UnknownReason => "attempt for no reason",
        AttemptFlaw::NotVerifier => "attempt by another verifier",
        AttemptFlaw::AmountOutOfRange => "attempt with another amount",
        AttemptFlaw::NeedsCitation => "attempt without a citation",
        AttemptFlaw::MalformedSlice => "attempt with another slice",
        AttemptFlaw::FavourReturned => "attempt to return a favour",
    }
    fact(IssueFact) in FACTS {
        IssueFact::Started => "issue counted as started",
        IssueFact::Resolved => "issue counted as resolved",
        IssueFact::Applied => "issue counted as applied",
        IssueFact::Irrelevant => "issue counted as irrelevant",
    }
    metric(GoalMetric) in METRICS {
        GoalMetric::TotalCredits => "goal of credits",
        GoalMetric::VerifiedCitations => "goal of citations",
        GoalMetric::IssuesResolved => "goal of resolved issues",
        GoalMetric::IssuesAppliedInWork => "goal of applied issues",
        GoalMetric::ZeroPenalties => "goal of no penalties",
        GoalMetric::DevilsAdvocateConsultations => "goal of consultations",
    }
}

/// Every name here.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    [FLAWS, FACTS, METRICS, FOUND].into_iter().flatten().copied()
}

/// What no line holds, and why.
pub(super) const NOT_YET: [(&str, &str); 11] = [
    ("ledger/favour-returned", ATTEMPT),
    ("attempt without a citation", "only the house verifies such reasons, and it never gives them by hand"),
    ("ledger/self-award", ATTEMPT),
    ("ledger/self-rating", ATTEMPT),
    ("ledger/user-receives-nothing", ATTEMPT),
    ("ledger/unknown-receiver", ATTEMPT),
    ("ledger/unknown-reason", ATTEMPT),
    ("ledger/not-verifier", ATTEMPT),
    ("ledger/amount-out-of-range", ATTEMPT),
    ("ledger/needs-citation", ATTEMPT),
    ("ledger/malformed-slice", ATTEMPT),
];

const ATTEMPT: &str = "a refused attempt is an event, so that it is on the record";

const FOUND: &[&str] = &["finding that holds", "finding that does not hold"];

pub(super) fn found(findings: &[FileFinding], names: &mut Vec<&'static str>) {
    names.extend(findings.iter().map(|one| FOUND[usize::from(one.problem.is_some())]));
}

pub(super) fn happened(event: &ledger::Event, names: &mut Vec<&'static str>) {
    match event {
        ledger::Event::Attempted(attempt) => names.push(flaw(&attempt.flaw)),
        ledger::Event::Counted(count) => names.push(fact(&count.fact)),
        ledger::Event::GoalSet(terms) => names.push(metric(&terms.metric)),
        ledger::Event::Posted(_) | ledger::Event::Acted(_) | ledger::Event::Escalated(_) => (),
        ledger::Event::ModelChanged { .. } | ledger::Event::Rated { .. } => (),
        ledger::Event::TeamPosted(_) | ledger::Event::GoalEnded { .. } => (),
    }
}

const TEXT: &str = "Day 47: the flotilla arrives.\nDay 52: the reactor fails before midnight.\n";

/// Reads what the comment before cites, from a text or not at all.
pub(super) fn reads(it: &mut Scribe, text: Result<&str, Unverified>) {
    let waits = it.house().open_asks().find_map(|(ask, open)| match &open.of {
        Of::World(WorldTask::Check { files, .. }) => Some((ask, files.clone())),
        Of::World(WorldTask::Read { .. }) | Of::Seat { .. } => None,
    });
    let (ask, files): (AskId, Vec<FileReference>) = waits.expect("a comment waits");
    let read = text.map(|text| ReadFile {
        changed: Some(At(0)),
        digest: Digest::of(text.as_bytes()),
        text: text.into(),
    });
    let checked =
        files.iter().map(|file| check(file, read.as_ref().map_err(|why| *why), SearchDepth::Verdict));
    let delivered = Box::new(Delivered::Checked(checked.collect()));
    it.done(Actor::Engine, Command::Deliver { ask, delivered });
}

fn citing(issue: MatterId, written: &str) -> Work {
    comment(issue, |comment: &mut WriteComment| {
        // What no reader takes for a path may come over the wire all the same.
        let unread = |_| FileReference { path: written.into(), ..FileReference::default() };
        comment.evidence = vec![Reference::File(FileReference::parse(written).unwrap_or_else(unread))];
        comment.trigger = Some(CitationTrigger::AnswerToQuestion);
    })
}

fn award(issue: MatterId, to: &str, reason: &str, amount: Option<i64>) -> Work {
    let (reason, to) = (reason.into(), to.into());
    Work::Award(Box::new(AwardCredit { amount, issue, reason, slice: None, to }))
}

/// The chapter.
pub(super) fn are_earned(it: &mut Scribe) {
    for name in ["una", "vee", "rex"] {
        it.operator(Command::Enrol { seat: seat(name, SeatKind::Outside, "outside") });
    }
    goals(it);
    let issue = opened(it, "una", "When does the reactor fail?", |_| ());
    did(it, "vee", citing(issue, "scene.txt:2 \"the reactor fails before midnight\""));
    not(it, "workshop/being-checked", "vee", plain(issue));
    reads(it, Ok(TEXT));
    did(it, "rex", citing(issue, "scene.txt:2 \"everybody sleeps until noon\""));
    reads(it, Ok(TEXT));
    did(it, "rex", citing(issue, "../../etc/passwd"));
    reads(it, Ok(TEXT));
    did(it, "rex", citing(issue, "scene.txt:1"));
    reads(it, Err(Unverified::Fault));
    attempts(it, issue);
    outcomes(it, issue);
    ladder(it);
    did(it, "user", Work::ChangeModel { model: "small-1".into(), who: who("rex") });
    not(it, "workshop/model-of-seat", "user", Work::ChangeModel { model: "small-1".into(), who: who("ann") });
}

fn goals(it: &mut Scribe) {
    let goal = |metric: GoalMetric, target: u32| SetGoal {
        agent: None,
        metric,
        period: None,
        sentence: "Ground what we say".into(),
        target,
        until: None,
    };
    let set = |goal: SetGoal| Work::SetGoal(Box::new(goal));
    not(it, "ledger/goal-not-allowed", "una", set(goal(GoalMetric::TotalCredits, 5)));
    not(it, "ledger/malformed-goal", "user", set(goal(GoalMetric::ZeroPenalties, 1)));
    not(it, "ledger/unknown-goal", "user", Work::DropGoal { goal: "99999".parse().expect("an id") });
    did(it, "user", set(goal(GoalMetric::VerifiedCitations, 1)));
    let until = Some(At(it.house().now().0 + 3_600_000));
    did(it, "mo", set(SetGoal { until, agent: Some(who("una")), ..goal(GoalMetric::ZeroPenalties, 1) }));
    for metric in [
        GoalMetric::TotalCredits,
        GoalMetric::IssuesResolved,
        GoalMetric::IssuesAppliedInWork,
        GoalMetric::DevilsAdvocateConsultations,
    ] {
        did(it, "user", set(goal(metric, 1000)));
    }
    let last = Id { act: it.house().seq(), nth: 0 };
    let open = it.house().ledger().open_goals().count();
    for _ in open..ledger::GOALS_MOST {
        did(it, "user", set(goal(GoalMetric::TotalCredits, 1000)));
    }
    not(it, "ledger/too-many-goals", "user", set(goal(GoalMetric::TotalCredits, 1000)));
    did(it, "user", Work::DropGoal { goal: last });
}

fn attempts(it: &mut Scribe, issue: MatterId) {
    did(it, "vee", award(issue, "VEE", "user-marked-helpful", None));
    did(it, "vee", award(issue, "una", "evidence-verified", None));
    did(it, "user", award(issue, "user", "user-marked-helpful", None));
    did(it, "user", award(issue, "nobody", "user-marked-helpful", None));
    did(it, "user", award(issue, "vee", "a-fine-face", None));
    did(it, "mo", award(issue, "vee", "moderator-commendation", Some(4)));
    did(it, "mo", award(issue, "vee", "moderator-commendation", Some(2)));
    did(it, "mo", award(issue, "rex", "moderator-penalty", Some(-1)));
    appoint(it, "mia", Some(WorkRole::Moderator), false);
    did(it, "mo", award(issue, "mia", "moderator-commendation", Some(1)));
    did(it, "mia", award(issue, "mo", "moderator-commendation", Some(1)));
    let sliced = |nth: u32, of: u32| {
        let (reason, to) = ("proposal-accepted-by-user".into(), "vee".into());
        let slice = Some(TaskSlice { nth, of });
        Work::Award(Box::new(AwardCredit { amount: None, issue, reason, slice, to }))
    };
    did(it, "user", sliced(0, 3));
    did(it, "user", sliced(1, 2));
    not(it, "workshop/not-thawed", "mo", award(issue, "vee", "clean-unfreeze", None));
    not(it, "workshop/took-no-part", "user", award(issue, "mia", "user-marked-helpful", None));
    let rate = |who: &str| Work::Rate { helpful: true, issue, who: who.into() };
    did(it, "vee", rate("una"));
    did(it, "vee", rate("vee"));
}

fn outcomes(it: &mut Scribe, issue: MatterId) {
    let helpful = it.house().case(issue).and_then(|case| case.comments().next().map(|(said, _)| said.id));
    let mark = |mark| Work::Mark { issue, mark };
    did(it, "user", mark(synod_core::issue::IssueMark::Helpful { comment: helpful.expect("a comment") }));
    did(it, "una", comment(issue, |comment| comment.stance = Some(Choice::Yes)));
    let resolved = CommentAction { deed: CommentDeed::Resolved, details: String::new() };
    did(it, "una", comment(issue, |comment| comment.action = Some(resolved)));
    did(it, "mo", mark(synod_core::issue::IssueMark::Applied));
    let outcome = ledger::CitationOutcome::PreventedError;
    let comment = helpful.expect("a comment");
    not(it, "workshop/nothing-to-judge", "mo", Work::Outcome { comment, issue, outcome });
    let other = opened(it, "una", "A worry", |_| ());
    did(it, "mo", Work::Mark { issue: other, mark: synod_core::issue::IssueMark::Irrelevant });
    did(it, "user", Work::Close { issue: other });
}

/// One agent that is watched, and one that the user hears of.
fn ladder(it: &mut Scribe) {
    appoint(it, "wat", None, false);
    appoint(it, "fla", None, false);
    for nth in 0..7 {
        let issue = opened(it, "una", &format!("Small matter {nth}"), |_| ());
        did(it, "fla", comment(issue, |comment| comment.body = "Yes".into()));
        let body = (nth == 4).then_some("Yes");
        did(
            it,
            "wat",
            comment(issue, |comment| comment.body = body.map_or(comment.body.clone(), String::from)),
        );
        did(it, "user", Work::Close { issue });
    }
    it.done(by("user"), Command::Workshop(Work::OpenPeriod { name: "Session 1".into() }));
    did(it, "user", Work::ClosePeriod { name: "Session 1".into() });
}
