//! Credits in issues: what comments, outcomes, marks, periods and awards come to in a whole house.

use synod_core::issue::{IssueMark, NoticeKind, NoticeTo};
use synod_core::kernel::{Actor, At, Choice, CitationTrigger, FileReference, Id, LineRange, Reference};
use synod_core::ledger::{
    self, AgentTrust, CitationOutcome, CreditReason, EscalationLevel, GoalMetric, Posting, ReliabilityTier,
    TaskSlice, TeamReason,
};
use synod_core::procedure::workshop::{
    AgentStanding, AwardCredit, AwardOutcome, Command as Work, CommentOutcome, SetGoal, WriteComment,
};
use synod_core::{Act, Command, Event, House, Outcome, gate};

use super::{Disk, Shop};
use crate::world::{seat, who};

/// A house with issues and these files, which were there before anything else.
pub(super) fn desk(charter: &str, people: &[&str], files: &[(&str, &str)]) -> Shop {
    let mut shop = Shop::new(charter, people);
    let file = |(path, text): &(&str, &str)| (path.to_string(), (text.to_string(), At(0)));
    shop.disk = Some(files.iter().map(file).collect::<Disk>());
    shop
}

/// A comment on the present issue that cites these.
pub(super) fn citing(shop: &Shop, trigger: Option<CitationTrigger>, cited: &[&str]) -> WriteComment {
    let mut comment = WriteComment::new(shop.here(), &shop.body());
    comment.evidence = cited.iter().map(|one| reference(one)).collect();
    comment.trigger = trigger;
    comment
}

/// A reference as it is written. What no reader takes for one is put together as a caller over the wire could.
fn reference(written: &str) -> Reference {
    Reference::parse(written).unwrap_or_else(|_| {
        let (path, lines) = written.split_once(':').expect("a path with lines");
        let (start, end) = lines.split_once('-').unwrap_or((lines, lines));
        let number = |text: &str| text.parse().expect("a number");
        let lines = Some(LineRange { end: Some(number(end)), start: number(start) });
        Reference::File(FileReference { lines, path: path.into(), quote: None })
    })
}

pub(super) fn credits(shop: &Shop, name: &str) -> i64 {
    shop.world.house.ledger().total(&who(name)).credits
}

/// Credits of citations alone.
fn cited_credits(shop: &Shop, name: &str) -> i64 {
    let tally = shop.world.house.ledger().total(&who(name));
    let of = tally.reasons.iter().filter(|(reason, _)| reason.is_of_citations());
    of.map(|(_, (_, credits))| credits).sum()
}

pub(super) fn outcome(act: &Act) -> String {
    match CommentOutcome::of(act) {
        Some(CommentOutcome::Posted { id }) => format!("posted {id}"),
        Some(CommentOutcome::Refused { breaches, .. }) => {
            breaches.iter().map(gate::Breach::code).collect::<Vec<_>>().join(" ")
        }
        Some(CommentOutcome::Unchecked { code, .. }) => code.into(),
        None => "nothing".into(),
    }
}

pub(super) fn postings(act: &Act) -> Vec<&Posting> {
    let posted = act.events().iter().filter_map(|event| match event {
        Event::Ledger(ledger::Event::Posted(posting)) => Some(&**posting),
        _ => None,
    });
    posted.collect()
}

pub(super) fn award(shop: &mut Shop, by: &str, to: &str, reason: &str, amount: Option<i64>) -> Act {
    let (issue, reason, to) = (shop.here(), reason.into(), to.into());
    shop.give(by, Work::Award(Box::new(AwardCredit { amount, issue, reason, slice: None, to })))
}

/// The code that an award or a rating came to.
pub(super) fn came_to(act: &Act) -> String {
    match AwardOutcome::of(act) {
        AwardOutcome::Posted(posting) => format!("{:+}", posting.amount),
        AwardOutcome::Rated { weight } => format!("weight {weight}"),
        AwardOutcome::Unchanged => "unchanged".into(),
        AwardOutcome::Refused(refused) => refused.code.into(),
    }
}

const TEXT: &str = "Day 47: the flotilla arrives.\nDay 52: the reactor fails before midnight.\nDay 68: three weeks since arrival.\n";
const QUOTED: &str = "scene.txt:2 \"the reactor fails before midnight\"";
const LINES: &str = "scene.txt:2";

/// A thread in which somebody asked, approved and objected, so that every reason to look something up holds.
fn thread() -> Shop {
    let mut shop =
        desk("workshop-light", &["ann", "bob", "cyd", "con", "mo=moderator"], &[("scene.txt", TEXT)]);
    shop.open("user", "When does the reactor fail? !minor");
    shop.comment("ann", "approve");
    shop.comment("bob", "object");
    shop
}

fn posted(act: &Act) -> Id {
    match CommentOutcome::of(act) {
        Some(CommentOutcome::Posted { id }) => id,
        other => panic!("{other:?}"),
    }
}

/// The ten rows of the seed's table, in a house: what a citation is worth in the end, quoted with care and by its lines.
#[test]
fn the_ten_rows_come_out_in_a_whole_house() {
    use CitationOutcome as Came;
    use CitationTrigger as Why;
    let rows = [
        (Why::AnswerToQuestion, Some(Came::LedToFileChange), 2, 2),
        (Why::Unprompted, Some(Came::NoAction), 0, 0),
        (Why::ChallengeConsensus, Some(Came::InformedDecision), 2, 2),
        (Why::VerifyContinuity, Some(Came::PreventedError), 3, 2),
        (Why::AnswerToQuestion, Some(Came::NoAction), 0, 0),
        (Why::SupportProposal, None, 1, 1),
        (Why::SupportProposal, Some(Came::EstablishedNewCanon), 3, 2),
        (Why::VerifyContinuity, Some(Came::PreventedUserConflict), 4, 3),
    ];
    for (why, came, precise, plain) in rows {
        for (cited, worth) in [(QUOTED, precise), (LINES, plain)] {
            let mut shop = thread();
            let comment = citing(&shop, Some(why), &[cited]);
            let comment = posted(&shop.post("con", comment));
            let issue = shop.here();
            if let Some(outcome) = came {
                shop.give("mo", Work::Outcome { comment, issue, outcome });
            }
            assert_eq!(cited_credits(&shop, "con"), worth, "{why:?} {came:?} {cited}");
        }
    }
}

#[test]
fn the_two_other_rows_a_false_citation_and_a_gap_that_nobody_searched() {
    for why in CitationTrigger::WORDS.map(|(_, why)| why) {
        let mut shop = thread();
        let comment = citing(&shop, Some(why), &["no-such-file.txt:3"]);
        shop.post("con", comment);
        assert_eq!(cited_credits(&shop, "con"), -2, "{why:?}");
    }
    let mut shop = thread();
    let comment = citing(&shop, Some(CitationTrigger::CanonGapSearch), &[QUOTED]);
    let comment = posted(&shop.post("con", comment));
    let (issue, outcome) = (shop.here(), CitationOutcome::IdentifiedCanonGap);
    shop.give("mo", Work::Outcome { comment, issue, outcome });
    assert_eq!(
        cited_credits(&shop, "con"),
        0,
        "only the engine's own search shows that something is missing"
    );
}

#[test]
fn lines_that_are_not_there_are_false_also_behind_the_last_break() {
    for (cited, worth) in [
        ("scene.txt:1", 1),
        ("scene.txt:3", 1),
        ("scene.txt:1-3", 1),
        ("scene.txt:4", -2),
        ("scene.txt:3-4", -2),
        ("scene.txt:0", -2),
        ("scene.txt:3-2", -2),
        ("scene.txt", 0),
        ("scene.txt:1 \"the reactor fails before midnight\"", -2),
        ("scene.txt \"the reactor fails before midnight\"", 1),
    ] {
        let mut shop = thread();
        let comment = citing(&shop, Some(CitationTrigger::SupportProposal), &[cited]);
        shop.post("con", comment);
        assert_eq!(cited_credits(&shop, "con"), worth, "{cited}");
    }
}

#[test]
fn paths_that_lead_out_cost_two_and_tell_nothing() {
    for cited in ["../x:1", "/etc/passwd:1", "%2e%2e/x:1", "a/../../x:1"] {
        let mut shop = thread();
        let comment = citing(&shop, Some(CitationTrigger::SupportProposal), &[cited]);
        let act = shop.post("con", comment);
        assert_eq!(outcome(&act), "gate/false-evidence", "{cited}");
        assert_eq!(cited_credits(&shop, "con"), -2, "{cited}");
    }
}

#[test]
fn a_citation_counts_once_however_it_is_spelled() {
    let mut shop = thread();
    let why = Some(CitationTrigger::AnswerToQuestion);
    let comment =
        citing(&shop, why, &[QUOTED, "./scene.txt:2 \"the   reactor\nfails before midnight\"", LINES]);
    shop.post("con", comment);
    assert_eq!(cited_credits(&shop, "con"), 1, "the same place in other words is the same citation");
    shop.open("user", "Another issue?");
    let comment = citing(&shop, why, &[QUOTED]);
    shop.post("con", comment);
    assert_eq!(cited_credits(&shop, "con"), 1, "another issue makes it no other citation");
    let copy = shop.disk.as_ref().unwrap()["scene.txt"].clone();
    shop.disk.as_mut().unwrap().insert("copy.txt".into(), copy);
    let comment = citing(&shop, why, &["copy.txt:2-3"]);
    shop.post("con", comment);
    assert_eq!(cited_credits(&shop, "con"), 1, "nor does a copy of the file, or a line more");
}

#[test]
fn a_resolution_raises_what_others_cited_once_and_nothing_of_its_author() {
    let mut shop = thread();
    let why = Some(CitationTrigger::SupportProposal);
    let comment = citing(&shop, why, &[QUOTED]);
    shop.post("con", comment);
    let mut resolution = citing(&shop, why, &["scene.txt:1 \"the flotilla arrives\""]);
    resolution.action = shop.written("resolved").action;
    let act = shop.post("mo", resolution);
    assert!(outcome(&act).starts_with("posted"), "{act:?}");
    assert_eq!(cited_credits(&shop, "con"), 2, "1.5 x 1 x 1.5, and 1 was paid already");
    assert_eq!(cited_credits(&shop, "mo"), 1, "who resolves it does not raise their own");
    let tally = shop.world.house.ledger().total(&who("mo"));
    assert_eq!(tally.resolved, 1);
    shop.step("user marks applied");
    assert_eq!(cited_credits(&shop, "con"), 2, "an upgrade is written once");
    assert_eq!(cited_credits(&shop, "mo"), 2, "what was still open is raised by somebody else");
}

#[test]
fn what_comes_to_nothing_is_taken_back() {
    let mut shop = thread();
    let comment = citing(&shop, Some(CitationTrigger::SupportProposal), &[QUOTED]);
    shop.post("con", comment);
    assert_eq!(cited_credits(&shop, "con"), 1);
    let act = shop.step("mo marks irrelevant").unwrap();
    assert_eq!(cited_credits(&shop, "con"), 0);
    let upgrade = postings(&act)[0];
    assert_eq!((upgrade.reason, upgrade.amount), (CreditReason::EvidenceOutcomeUpgrade, -1));
    assert_eq!(shop.world.house.ledger().total(&who("con")).penalised, 0, "that is no penalty");
}

#[test]
fn who_begins_an_issue_gets_what_comes_of_it() {
    let mut shop = thread();
    shop.open("ann", "A good question?");
    shop.comment("bob", "ok");
    shop.step("mo marks applied");
    let tally = shop.world.house.ledger().total(&who("ann"));
    assert_eq!((tally.started, tally.applied, tally.times(CreditReason::IssueAppliedInWork)), (1, 1, 1));
    shop.open("ann", "A bad question?");
    shop.step("mo marks irrelevant");
    let tally = shop.world.house.ledger().total(&who("ann"));
    assert_eq!((tally.irrelevant, tally.times(CreditReason::IssueMarkedLeech)), (1, 1));
    // A moderator who marks their own issue gets nothing for it.
    shop.open("mo", "My own question?");
    shop.step("mo marks applied");
    assert_eq!(credits(&shop, "mo"), 0);
}

#[test]
fn brevity_pays_only_who_proved_something() {
    let mut shop = desk("workshop", &["ann", "bob", "con", "mo=moderator"], &[("scene.txt", TEXT)]);
    shop.open("user", "When does the reactor fail?");
    shop.comment("ann", "ok");
    let comment = citing(&shop, Some(CitationTrigger::AnswerToQuestion), &[QUOTED]);
    shop.post("con", comment);
    shop.comment("bob", "resolved");
    let times = |shop: &Shop| {
        ["ann", "bob", "con"]
            .map(|name| shop.world.house.ledger().total(&who(name)).times(CreditReason::CommentUnderBudget))
    };
    assert_eq!(times(&shop), [0, 0, 0], "agents could resolve for each other all day");
    shop.step("mo marks applied");
    assert_eq!(times(&shop), [0, 0, 1]);
}

#[test]
fn a_comment_is_helpful_by_the_word_of_the_user_alone() {
    let mut shop = thread();
    let comment = citing(&shop, Some(CitationTrigger::ResolveConflict), &[QUOTED]);
    let id = posted(&shop.post("con", comment));
    let (issue, mark) = (shop.here(), IssueMark::Helpful { comment: id });
    let refused = shop.give("con", Work::Mark { issue, mark });
    assert!(matches!(refused.outcome, Outcome::Refused { .. }));
    shop.give("user", Work::Mark { issue, mark });
    assert_eq!(credits(&shop, "con"), 2 + 2, "2 for the mark, 1.5 x 1.5 x 1 for what it cites");
}

#[test]
fn awards_follow_the_closed_table() {
    let mut shop = thread();
    shop.enrol("lea=lead");
    shop.comment("con", "ok");
    for (by, to, reason, amount, came) in [
        ("user", "con", "proposal-accepted-by-user", None, "+3"),
        ("lea", "con", "user-marked-helpful", None, "+2"),
        ("mo", "con", "moderator-commendation", Some(3), "+3"),
        ("mo", "con", "moderator-penalty", Some(-3), "-3"),
        ("mo", "con", "moderator-commendation", Some(4), "ledger/amount-out-of-range"),
        ("mo", "con", "moderator-commendation", None, "ledger/amount-out-of-range"),
        ("mo", "con", "moderator-penalty", Some(1), "ledger/amount-out-of-range"),
        ("mo", "mo", "moderator-commendation", Some(1), "ledger/self-award"),
        ("mo", "MO", "moderator-commendation", Some(1), "ledger/self-award"),
        ("mo", "user", "moderator-commendation", Some(1), "ledger/user-receives-nothing"),
        ("mo", "lea", "moderator-commendation", Some(1), "ledger/user-receives-nothing"),
        ("user", "nobody", "user-marked-helpful", None, "ledger/unknown-receiver"),
        ("user", "con", "nice-hat", None, "ledger/unknown-reason"),
        ("ann", "con", "evidence-verified", None, "ledger/not-verifier"),
        ("ann", "con", "user-marked-helpful", None, "ledger/not-verifier"),
        ("user", "con", "circuit-breaker-triggered", None, "ledger/not-verifier"),
        ("con", "con", "proposal-accepted-by-user", None, "ledger/self-award"),
    ] {
        let before = (credits(&shop, to), shop.world.house.ledger().attempts().count());
        let act = award(&mut shop, by, to, reason, amount);
        assert_eq!(came_to(&act), came, "{by} {to} {reason} {amount:?}");
        let after = (credits(&shop, to), shop.world.house.ledger().attempts().count());
        match came.starts_with("ledger/") {
            true => {
                assert_eq!(after, (before.0, before.1 + 1), "no credit moved, and the attempt is recorded")
            }
            false => assert_eq!(after.1, before.1),
        }
    }
}

#[test]
fn slices_conserve_the_whole() {
    let mut shop = thread();
    shop.comment("con", "ok");
    let give = |shop: &mut Shop, nth: u32, of: u32| {
        let (issue, reason, to) = (shop.here(), "proposal-accepted-by-user".into(), "con".into());
        let slice = Some(TaskSlice { nth, of });
        shop.give("user", Work::Award(Box::new(AwardCredit { amount: None, issue, reason, slice, to })))
    };
    let came: Vec<String> = (0..2).map(|nth| came_to(&give(&mut shop, nth, 2))).collect();
    assert_eq!(came, ["+2", "+1"], "3 in two slices");
    assert_eq!(came_to(&give(&mut shop, 1, 2)), "unchanged");
    assert_eq!(came_to(&give(&mut shop, 0, 3)), "ledger/malformed-slice");
    assert_eq!(credits(&shop, "con"), 3);
    assert_eq!(ledger::slices(10, 3), [4, 3, 3]);
}

#[test]
fn ratings_move_no_credit_and_count_by_the_rater() {
    let mut shop = thread();
    let rate = |shop: &mut Shop, by: &str, whom: &str| {
        let (issue, who) = (shop.here(), whom.to_string());
        came_to(&shop.give(by, Work::Rate { helpful: true, issue, who }))
    };
    assert_eq!(rate(&mut shop, "ann", "con"), "weight 0", "who proved nothing vouches for nobody");
    assert_eq!(rate(&mut shop, "user", "con"), "weight 3");
    assert_eq!(rate(&mut shop, "con", "CON"), "ledger/self-rating");
    assert_eq!(credits(&shop, "con"), 0);
    assert_eq!(shop.world.house.ledger().rating(&who("con")).helpful, 3);
}

/// Bad comments in issues of their own, so that no other rule stops them.
fn fail(shop: &mut Shop, name: &str, times: usize) {
    for nth in 0..times {
        shop.open("user", &format!("Small matter {name} {nth}?"));
        shop.comment(name, "ok say Yes.");
    }
}

fn behave(shop: &mut Shop, name: &str, times: usize) {
    for nth in 0..times {
        shop.open("user", &format!("Fine matter {name} {nth}?"));
        let comment = citing(shop, Some(CitationTrigger::AnswerToQuestion), &[QUOTED, LINES, "scene.txt:1"]);
        let act = shop.post(name, comment);
        assert!(outcome(&act).starts_with("posted"), "{}", outcome(&act));
    }
}

fn level(shop: &Shop, name: &str) -> EscalationLevel {
    AgentStanding::of(&shop.world.house, &who(name)).dosage.level
}

#[test]
fn the_ladder_leads_up_by_penalties_and_down_by_clean_work() {
    let mut shop = thread();
    behave(&mut shop, "con", 4);
    fail(&mut shop, "con", 1);
    assert_eq!(level(&shop, "con"), EscalationLevel::Watch, "1 of 5");
    let told = |to: NoticeTo, what: &NoticeKind| {
        shop.world.house.docket().notices().filter(|one| one.to == to && one.what == *what).count()
    };
    assert_eq!(told(NoticeTo::Moderator, &NoticeKind::AgentWatched { who: who("con") }), 1);
    fail(&mut shop, "con", 1);
    assert_eq!(level(&shop, "con"), EscalationLevel::Remediation, "2 of 6 is a third");
    fail(&mut shop, "con", 1);
    assert_eq!(level(&shop, "con"), EscalationLevel::Flagged, "3 of 7");
    let flagged = NoticeKind::AgentFlagged { who: who("con") };
    let notices = |shop: &Shop| {
        shop.world
            .house
            .docket()
            .notices()
            .filter(|one| one.to == NoticeTo::User && one.what == flagged)
            .count()
    };
    assert_eq!(notices(&shop), 1);
    fail(&mut shop, "con", 2);
    assert_eq!(notices(&shop), 1, "the user hears of it once");
    behave(&mut shop, "con", 20);
    assert_eq!(level(&shop, "con"), EscalationLevel::Remediation, "one step for a clean window");
    behave(&mut shop, "con", 20);
    behave(&mut shop, "con", 20);
    assert_eq!(level(&shop, "con"), EscalationLevel::Normal);
}

#[test]
fn an_agent_under_remediation_is_held_to_more() {
    let mut shop = desk("workshop", &["ann", "bob", "con"], &[("scene.txt", TEXT)]);
    fail(&mut shop, "con", 7);
    assert_eq!(level(&shop, "con"), EscalationLevel::Flagged);
    let standing = AgentStanding::of(&shop.world.house, &who("con"));
    assert!(standing.dosage.assisted && standing.dosage.slices == 5, "{standing:?}");
    assert!(standing.heeds.iter().any(|one| one.contains("at least 2 sources")), "{:?}", standing.heeds);
    shop.open("user", "And now?");
    assert_eq!(outcome(&shop.comment("con", "ok")), "gate/missing-evidence-for-impact", "no source at all");
    let one = citing(&shop, None, &[LINES]);
    assert_eq!(outcome(&shop.post("con", one)), "gate/missing-evidence-for-impact", "one source");
    let bare = citing(&shop, None, &["scene.txt", "scene.txt:1"]);
    assert_eq!(outcome(&shop.post("con", bare)), "gate/missing-evidence-for-impact", "a path alone");
    shop.open("user", "And then?");
    assert!(
        outcome(&shop.comment("con", "question say When does the reactor fail then?")).starts_with("posted")
    );
    let two = citing(&shop, None, &[LINES, "scene.txt:1"]);
    assert!(outcome(&shop.post("con", two)).starts_with("posted"));
    let two = citing(&shop, None, &["scene.txt:3", "scene.txt:1"]);
    assert_eq!(outcome(&shop.post("con", two)), "gate/comment-budget-exceeded", "one comment, not two");
    // Nobody else is held to it.
    shop.open("user", "And others?");
    assert!(outcome(&shop.comment("bob", "ok")).starts_with("posted"));
}

#[test]
fn each_model_has_its_own_record() {
    let mut shop = thread();
    let model = |shop: &mut Shop, by: &str, model: &str| {
        shop.give(by, Work::ChangeModel { model: model.into(), who: who("con") })
    };
    model(&mut shop, "user", "A");
    fail(&mut shop, "con", 7);
    let bad = AgentStanding::of(&shop.world.house, &who("con"));
    assert_eq!((bad.credits, bad.dosage.level), (-7, EscalationLevel::Flagged));
    let own = model(&mut shop, "con", "B");
    assert!(
        matches!(&own.outcome, Outcome::Refused { code, .. } if code == "workshop/needs-lead"),
        "{own:?}"
    );
    // A seat that the house itself calls has the model of its seat.
    shop.world.submit(Actor::Operator, Command::Enrol { seat: seat("ida") });
    let own = shop.give("user", Work::ChangeModel { model: "B".into(), who: who("ida") });
    assert!(
        matches!(&own.outcome, Outcome::Refused { code, .. } if code == "workshop/model-of-seat"),
        "{own:?}"
    );
    model(&mut shop, "user", "B");
    let fresh = AgentStanding::of(&shop.world.house, &who("con"));
    assert_eq!((fresh.credits, fresh.dosage.level), (0, EscalationLevel::Normal));
    model(&mut shop, "user", "a");
    assert_eq!(AgentStanding::of(&shop.world.house, &who("con")), bad, "the old record is taken up again");
    model(&mut shop, "user", "b");
    assert_eq!(AgentStanding::of(&shop.world.house, &who("con")), fresh, "and so is the other one");
}

#[test]
fn a_session_without_penalties_and_a_clean_chapter_are_worth_something_once() {
    let mut shop = thread();
    let team = |shop: &Shop| {
        let mut given: Vec<(TeamReason, i64)> =
            shop.world.house.ledger().team().map(|one| (one.reason, one.amount)).collect();
        given.sort();
        given
    };
    shop.step("user begins Session 1");
    behave(&mut shop, "con", 10);
    shop.step("user ends Session 1");
    assert_eq!(team(&shop), [(TeamReason::ZeroPenaltiesSession, 5)]);
    shop.step("user begins Chapter 1");
    shop.step("user begins Session 2");
    fail(&mut shop, "ann", 1);
    behave(&mut shop, "con", 10);
    shop.step("user ends Session 2");
    shop.step("user ends Chapter 1");
    assert_eq!(team(&shop).len(), 2, "{:?}", team(&shop));
    assert_eq!(shop.world.house.ledger().team_credits(None), 15);
}

#[test]
fn nobody_at_work_earns_nothing_for_the_team() {
    let mut shop = desk("workshop", &[], &[]);
    shop.step("user begins Chapter 1");
    shop.step("user ends Chapter 1");
    assert_eq!(shop.world.house.ledger().team().count(), 0);
}

#[test]
fn goals_are_set_by_those_who_oversee_and_end_by_themselves() {
    let mut shop = thread();
    let goal = |metric: GoalMetric, target: u32| SetGoal {
        agent: None,
        metric,
        period: None,
        sentence: "Ground what we say".into(),
        target,
        until: None,
    };
    let set = |shop: &mut Shop, by: &str, goal: SetGoal| shop.give(by, Work::SetGoal(Box::new(goal)));
    let refused = set(&mut shop, "ann", goal(GoalMetric::VerifiedCitations, 2));
    assert!(matches!(&refused.outcome, Outcome::Refused { code, .. } if code == "ledger/goal-not-allowed"));
    set(&mut shop, "mo", goal(GoalMetric::VerifiedCitations, 2));
    behave(&mut shop, "con", 1);
    let ended = |shop: &Shop| shop.world.house.ledger().goals().next().unwrap().ended.is_some();
    assert!(ended(&shop), "two places were cited");
    assert_eq!(shop.world.house.ledger().team().next().unwrap().reason, TeamReason::CollectiveGoalAchieved);
    let until = Some(At(shop.world.now.0 + 60_000));
    set(&mut shop, "user", SetGoal { until, ..goal(GoalMetric::ZeroPenalties, 1) });
    shop.wait("59s");
    assert_eq!(shop.world.house.ledger().open_goals().count(), 1);
    shop.wait("1s");
    assert_eq!(shop.world.house.ledger().open_goals().count(), 0, "the clock ends it");
    assert!(shop.world.house.ledger().goals().last().unwrap().reached);
}

#[test]
fn a_reason_must_be_borne_out_by_the_thread() {
    let quiet = |why: CitationTrigger| {
        let mut shop = desk("workshop-light", &["ann", "con"], &[("scene.txt", TEXT)]);
        shop.open("con", "I looked at the scenes");
        let issue = shop.here();
        let mut comment = citing(&shop, Some(why), &[QUOTED]);
        comment.issue = issue;
        shop.post("con", comment);
        cited_credits(&shop, "con")
    };
    assert_eq!(quiet(CitationTrigger::AnswerToQuestion), 0, "nobody asked");
    assert_eq!(quiet(CitationTrigger::ResolveConflict), 0, "nobody disagreed");
    assert_eq!(quiet(CitationTrigger::ChallengeConsensus), 0, "nobody agreed");
    assert_eq!(quiet(CitationTrigger::SupportProposal), 0, "nobody proposed anything");
    assert_eq!(quiet(CitationTrigger::VerifyContinuity), 0, "nobody would change anything");
}

#[test]
fn a_challenge_that_was_needed_pays_who_had_it_made_and_the_team() {
    let mut shop = desk("workshop", &["ann", "bob", "cyd", "dev*", "mo=moderator"], &[("scene.txt", TEXT)]);
    shop.open("ann", "Move the failure?");
    shop.step("mo challenges");
    let mut first = citing(&shop, Some(CitationTrigger::ChallengeConsensus), &[QUOTED]);
    first.stance = Some(Choice::No);
    let id = posted(&shop.post("dev", first));
    let second = citing(&shop, None, &["scene.txt:1"]);
    shop.post("dev", second);
    let consulted = shop.world.house.ledger().total(&who("ann")).times(CreditReason::ConsultedDevilsAdvocate);
    assert_eq!(consulted, 1);
    let (issue, mark) = (shop.here(), IssueMark::Helpful { comment: id });
    shop.give("user", Work::Mark { issue, mark });
    assert_eq!(shop.world.house.ledger().team().next().unwrap().reason, TeamReason::SuccessfulDaChallenge);
}

#[test]
fn tiers_and_trust_of_those_who_did_nothing_are_none_and_normal() {
    let shop = thread();
    let standing = AgentStanding::of(&shop.world.house, &who("cyd"));
    assert_eq!((standing.dosage.tier, standing.dosage.trust), (ReliabilityTier::None, AgentTrust::Normal));
}

#[test]
fn a_replay_and_a_snapshot_give_the_same_balances() {
    let mut shop = thread();
    behave(&mut shop, "con", 3);
    fail(&mut shop, "ann", 6);
    award(&mut shop, "user", "con", "proposal-accepted-by-user", None);
    award(&mut shop, "ann", "ann", "user-marked-helpful", None);
    let mut again = House::default();
    shop.world.acts.iter().for_each(|act| again.evolve(act));
    assert_eq!(again.ledger(), shop.world.house.ledger());
    let unpacked = House::unpack(&shop.world.house.pack()).unwrap();
    assert_eq!(unpacked.ledger(), shop.world.house.ledger());
}

#[test]
fn the_numbers_are_those_of_the_charter() {
    let source = "name = \"w\"\ntitle = \"W\"\nsummary = \"W.\"\n[workshop]\n";
    let dear =
        format!("{source}\n[workshop.ledger]\nfalse_citation = 7\nsupport_proposal = 4\nladder_least = 2\n");
    let (rules, _) = synod_core::charter::Charter::parse(&dear).unwrap();
    let ledger = &rules.workshop().unwrap().ledger;
    assert_eq!((ledger.prices.false_citation, ledger.ladder.least), (-7, 2));
    for (wrong, key) in [
        ("false_citation = 0", "workshop.ledger.false_citation"),
        ("citations_most = 101", "workshop.ledger.citations_most"),
        ("watch_at = \"9/10\"", "workshop.ledger"),
        ("precise = \"a lot\"", "workshop.ledger.precise"),
        ("free_money = 5", "workshop.ledger.free_money"),
    ] {
        let flawed = format!("{source}\n[workshop.ledger]\n{wrong}\n");
        let flaws = synod_core::charter::Charter::parse(&flawed).unwrap_err();
        assert!(flaws.iter().any(|flaw| flaw.key == key && flaw.line > 0), "{wrong}: {flaws:?}");
    }
}
