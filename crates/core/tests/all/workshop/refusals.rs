//! What the workshop refuses outright.

use expect_test::expect;
use synod_core::command::Open;
use synod_core::issue::{IssueChange, IssueMark, Tag};
use synod_core::kernel::{Actor, Choice, Digest, MatterId, Reference};
use synod_core::matter::Question;
use synod_core::procedure::workshop::{Command as Work, OpenIssue, WriteComment};
use synod_core::{Command, Outcome};

use super::{BODY, Shop, check};
use crate::world::{World, source, who};

fn code(act: &synod_core::Act) -> &str {
    match &act.outcome {
        Outcome::Refused { code, .. } => code,
        Outcome::Done(_) => "",
    }
}

#[test]
fn without_a_charter_nothing_is_opened() {
    let mut world = World::new();
    let open = Work::Open(Box::new(OpenIssue::new("T", "b")));
    assert_eq!(code(world.submit(Actor::Operator, Command::Workshop(open))), "workshop/not-configured");
}

#[test]
fn issues_are_not_opened_as_debates_and_debates_are_no_issues() {
    let mut shop = Shop::new("workshop", &["ann", "bob"]);
    let workshop = Digest::of(source("workshop").as_bytes());
    let open = Open::new(Question::parse("T", &[]).unwrap(), workshop, vec![who("ann")]);
    let act = shop.world.submit(Actor::Operator, Command::Open(Box::new(open)));
    assert_eq!(code(act), "workshop/opened-otherwise");
    shop.world.open(&source("blind-vote"), "Shall we?", &[], &["ann", "bob"], Default::default());
    let debate = shop.world.matter();
    shop.issue = Some(debate);
    assert_eq!(code(&shop.comment("ann", "ok")), "workshop/not-an-issue");
    shop.issue = Some(MatterId("9999".parse().unwrap()));
    assert_eq!(code(&shop.comment("ann", "ok")), "workshop/unknown-issue");
}

#[test]
fn names_that_stand_for_somebody_else_take_no_part() {
    let mut shop = Shop::new("workshop", &["user", "system", "ann"]);
    shop.open("ann", "Here");
    for name in ["user", "system"] {
        let command = Work::Comment(Box::new(WriteComment::new(shop.here(), BODY)));
        let act = shop.world.submit(Actor::Seat(who(name)), Command::Workshop(command)).clone();
        assert_eq!(code(&act), "workshop/reserved-name");
    }
    assert_eq!(code(&shop.comment("zoe", "ok")), "roster/unknown-seat");
    let command = Work::Comment(Box::new(WriteComment::new(shop.here(), BODY)));
    let act = shop.world.submit(Actor::Engine, Command::Workshop(command)).clone();
    assert_eq!(code(&act), "house/not-allowed");
}

#[test]
fn what_cannot_be_an_issue_or_a_comment() {
    let mut shop = Shop::new("workshop", &["ann"]);
    let open = |shop: &mut Shop, change: &dyn Fn(&mut OpenIssue)| {
        let mut open = OpenIssue::new("T", "b");
        change(&mut open);
        code(&shop.give("ann", Work::Open(Box::new(open)))).to_string()
    };
    assert_eq!(open(&mut shop, &|open| open.title = " \n ".into()), "workshop/missing");
    assert_eq!(open(&mut shop, &|open| open.title = "x".repeat(201)), "workshop/too-long");
    assert_eq!(open(&mut shop, &|open| open.body = "x".repeat(20_001)), "workshop/too-long");
    let tag = |word: &str| serde_json::from_value::<Tag>(word.into()).unwrap();
    assert_eq!(open(&mut shop, &|open| open.tags = vec![tag("a b")]), "workshop/malformed-tag");
    assert_eq!(open(&mut shop, &|open| open.tags = vec![tag("META")]), "workshop/reserved-tag");
    assert_eq!(open(&mut shop, &|open| open.tags = vec![tag("a"); 21]), "workshop/too-many");
    assert_eq!(open(&mut shop, &|open| open.assignee = Some(who("zoe"))), "roster/unknown-seat");
    let stranger = MatterId("9999".parse().unwrap());
    assert_eq!(open(&mut shop, &|open| open.related = vec![stranger]), "workshop/unknown-issue");
    assert_eq!(open(&mut shop, &|_| ()), "");
    shop.issue = Some(shop.numbered(1));
    let comment = |shop: &mut Shop, change: &dyn Fn(&mut WriteComment)| {
        let mut comment = WriteComment::new(shop.here(), BODY);
        change(&mut comment);
        code(&shop.give("ann", Work::Comment(Box::new(comment)))).to_string()
    };
    assert_eq!(comment(&mut shop, &|comment| comment.body = "\t".into()), "workshop/missing");
    assert_eq!(
        comment(&mut shop, &|comment| comment.stance = Some(Choice::Option(0))),
        "workshop/other-stance"
    );
    assert_eq!(comment(&mut shop, &|it| it.evidence = vec![Reference::Issue(1); 21]), "workshop/too-many");
    let act = shop.give(
        "user",
        Work::Mark { issue: shop.here(), mark: IssueMark::Helpful { comment: "9999".parse().unwrap() } },
    );
    assert_eq!(code(&act), "workshop/unknown-comment");
    let change = IssueChange::Untag { tag: tag("leech") };
    let act = shop.give("user", Work::Change { issue: shop.here(), change });
    assert_eq!(code(&act), "workshop/reserved-tag");
}

#[test]
fn what_the_status_of_an_issue_does_not_allow() {
    check(
        "workshop ann mo=moderator
         user opens Here
         mo unfreezes now
         mo reopens
         mo closes
         mo closes
         ann: ok
         mo unfreezes now
         mo forces Keep because so
         mo escalates look
         mo challenges
         mo tags late",
        expect![[r#"
            > user opens Here
            opened Here
            > mo unfreezes now
            refused workshop/not-frozen: the issue is not frozen, it is open
            > mo reopens
            refused workshop/not-over: the issue is open: only one that is over can be reopened
            > mo closes
            m7 closed
            > mo closes
            refused workshop/over: the issue is closed: reopen it, or open another one that cites it
            > ann: ok
            refused workshop/over: the issue is closed: reopen it, or open another one that cites it
            > mo unfreezes now
            refused workshop/over: the issue is closed: reopen it, or open another one that cites it
            > mo forces Keep because so
            refused workshop/over: the issue is closed: reopen it, or open another one that cites it
            > mo escalates look
            refused workshop/over: the issue is closed: reopen it, or open another one that cites it
            > mo challenges
            refused workshop/over: the issue is closed: reopen it, or open another one that cites it
            > mo tags late
            refused workshop/over: the issue is closed: reopen it, or open another one that cites it
        "#]],
    );
}
