//! Freezing, thawing, and what those do who oversee issues.

use expect_test::expect;
use synod_core::house::Reader;
use synod_core::issue::{Epistemic, IssueStatus, NoticeTo};
use synod_core::kernel::Decision;
use synod_core::matter::Status;
use synod_core::procedure::workshop::{IssueSheet, issue_rows};

use super::{BODY, check, meta_issues, played};

#[test]
fn nobody_but_overseers_acts_on_a_frozen_issue_until_its_time_is_up() {
    check(
        &format!(
            "workshop ann bob moderator mo=moderator le=lead
             user opens Cold
             ann: say {BODY} urgent, vital
             ---
             bob: ok
             bob tags later
             moderator: ok
             mo: ok
             le: ok
             user: ok
             wait 1799s
             wait 999ms
             bob: ok
             wait 1ms
             bob: ok
             ann: ok"
        ),
        expect![[r#"
            > bob: ok
            refused workshop/frozen: the issue is frozen until 2023-11-14T22:43:20.000Z: until then only the user, a lead or a moderator act on it
            > bob tags later
            refused workshop/frozen: the issue is frozen until 2023-11-14T22:43:20.000Z: until then only the user, a lead or a moderator act on it
            > moderator: ok
            refused workshop/frozen: the issue is frozen until 2023-11-14T22:43:20.000Z: until then only the user, a lead or a moderator act on it
            > mo: ok
            posted mo
            > le: ok
            posted le
            > user: ok
            posted user
            > wait 1799s
            > wait 999ms
            > bob: ok
            refused workshop/frozen: the issue is frozen until 2023-11-14T22:43:20.000Z: until then only the user, a lead or a moderator act on it
            > wait 1ms
            > bob: ok
            thawed by bob, cooldown
            m12.3 resolved
            posted bob
            > ann: ok
            posted ann
        "#]],
    );
}

#[test]
fn the_first_action_of_an_overseer_after_the_cooldown_thaws_too() {
    check(
        &format!(
            "workshop ann mo=moderator
             user opens Cold
             ann: say {BODY} urgent, vital
             wait 30m
             ---
             mo tags later"
        ),
        expect![[r#"
            > mo tags later
            thawed by mo, cooldown
            m8.3 resolved
            changed tag { tag: tag("later") }
        "#]],
    );
}

#[test]
fn a_thread_gets_one_meta_issue_however_often_it_is_frozen() {
    let script = format!(
        "workshop ann bob mo=moderator
         user opens Cold
         ann: say {BODY} urgent, vital
         wait 30m
         ---
         bob: say {BODY} urgent, vital
         wait 30m
         mo unfreezes Calm down and cite the scene.
         bob: say {BODY} urgent, vital"
    );
    check(
        &script,
        expect![[r#"
            > bob: say I compared the scene in which the reactor fails with the docking sequence; the order of …
            thawed by bob, cooldown
            m9.3 resolved
            freeze gate/escalation-language
            frozen by escalation-language until 60:00
            told user: frozen { breaker: escalationlanguage }
            m9.3 reopened
            reported escalation-language in m9.3
            > wait 30m
            > mo unfreezes Calm down and cite the scene.
            posted mo
            thawed by mo, unfrozen
            m9.3 resolved
            > bob: say I compared the scene in which the reactor fails with the docking sequence; the order of …
            freeze gate/escalation-language
            frozen by escalation-language until 90:00
            told user: frozen { breaker: escalationlanguage }
            m9.3 reopened
            reported escalation-language in m9.3
        "#]],
    );
    let (shop, _) = played(&script);
    assert_eq!(meta_issues(&shop, shop.numbered(1)), 1);
    let meta = shop.numbered(2);
    let case = shop.world.house.case(meta).unwrap();
    assert_eq!(case.status(), Status::Running, "it was reopened");
    assert_eq!(case.issue().unwrap().reports.len(), 2);
}

#[test]
fn a_meta_issue_can_freeze_and_gets_none_of_its_own() {
    let (shop, log) = played(&format!(
        "workshop ann bob mo=moderator
         user opens Cold
         ann: say {BODY} urgent, vital
         on 2
         bob: say {BODY} urgent, vital"
    ));
    assert!(log.ends_with("told user: frozen { breaker: escalationlanguage }\n"), "{log}");
    assert_eq!(shop.world.house.docket().rows().count(), 2);
    assert_eq!(shop.world.house.docket().row(shop.numbered(2)).unwrap().status, IssueStatus::Frozen);
}

#[test]
fn the_report_of_a_freeze_shows_the_last_five_comments_and_the_ways_out() {
    let (shop, _) = played(&format!(
        "workshop-light a1 a2 a3 a4 a5 a6 mo=moderator
         user opens Cold
         a1: ok
         a2: ok
         a3: ok
         a4: ok
         a5: ok
         a6: ok
         a1: say {BODY} urgent, vital, crucial, must"
    ));
    let house = &shop.world.house;
    let meta = house.case(shop.numbered(2)).unwrap();
    let sheet = IssueSheet::seen_by(house, meta, Reader::Operator, shop.world.now).unwrap();
    let report = &sheet.reports[0];
    assert_eq!(report.breaker, "escalation-language");
    let names: Vec<&str> = report.recent.iter().map(|(who, _)| who.as_str()).collect();
    assert_eq!(names, ["a2", "a3", "a4", "a5", "a6"]);
    assert!(report.recent.iter().all(|(_, said)| said.chars().count() <= 102));
    expect![[r#"issue #1 was frozen by escalation-language. Ways out: let it go on, with guidance (`synod issue unfreeze 1 --guidance "…"`); have somebody object (`synod issue challenge 1`); ask the user (`synod issue escalate 1 --summary "…"`); decide it, with reasons (`synod issue force 1 --decision "…" --because "…"`)."#]].assert_eq(&sheet.task.unwrap());
    let told: Vec<NoticeTo> = house.docket().notices().map(|notice| notice.to).collect();
    assert_eq!(told, [NoticeTo::User]);
}

#[test]
fn unfreezing_with_guidance_renews_every_budget() {
    check(
        "workshop ann bob mo=moderator
         user opens Cold
         ann: ok
         ann: ok
         ann: ok
         ---
         bob unfreezes now
         mo unfreezes Cite the scene, then go on.
         ann: ok
         ann: ok
         mo unfreezes again
         ann: ok",
        expect![[r#"
            > bob unfreezes now
            refused workshop/needs-moderator: bob may not do this: only the user, a lead or a moderator may
            > mo unfreezes Cite the scene, then go on.
            posted mo
            thawed by mo, unfrozen
            m11.3 resolved
            > ann: ok
            posted ann
            > ann: ok
            posted ann
            told moderator: agentwatched { who: who("ann") }
            > mo unfreezes again
            refused workshop/not-frozen: the issue is not frozen, it is open
            > ann: ok
            freeze gate/comment-budget-exceeded
            frozen by comment-budget-exceeded until 30:00
            told user: frozen { breaker: commentbudgetexceeded }
            m11.3 reopened
            reported comment-budget-exceeded in m11.3
        "#]],
    );
}

#[test]
fn moderators_force_escalate_and_close() {
    check(
        "workshop ann bob mo=moderator
         ann opens Hard
         ann: ok
         ---
         ann forces Keep it because I say so
         mo forces Keep it because
         mo escalates Two scenes contradict each other.
         ann escalates please
         mo forces Keep the scene because it is cited twice
         mo closes
         ann opens Withdrawn
         bob closes
         ann closes
         ann reopens
         mo reopens
         bob: ok
         ann closes
         mo closes",
        expect![[r#"
            > ann forces Keep it because I say so
            refused workshop/needs-moderator: ann may not do this: only the user, a lead or a moderator may
            > mo forces Keep it because
            refused workshop/missing: the reasoning is missing: write it
            > mo escalates Two scenes contradict each other.
            escalated by mo: Two scenes contradict each other.
            told user: escalated
            > ann escalates please
            refused workshop/needs-moderator: ann may not do this: only the user, a lead or a moderator may
            > mo forces Keep the scene because it is cited twice
            posted mo
            m8 resolved
            > mo closes
            refused workshop/over: the issue is resolved: reopen it, or open another one that cites it
            > ann opens Withdrawn
            opened Withdrawn
            > bob closes
            refused workshop/needs-moderator: bob may not do this: only the user, a lead or a moderator may
            > ann closes
            m16 closed
            > ann reopens
            refused workshop/needs-moderator: ann may not do this: only the user, a lead or a moderator may
            > mo reopens
            m16 reopened
            > bob: ok
            posted bob
            > ann closes
            refused workshop/needs-moderator: ann may not do this: only the user, a lead or a moderator may
            > mo closes
            m16 closed
        "#]],
    );
}

#[test]
fn issues_are_put_together() {
    let script = "workshop ann mo=moderator
         ann opens One #a
         ann opens Two #b #a
         ---
         ann consolidates 1 2
         mo consolidates 1 1
         mo consolidates 1 2
         mo consolidates 1 3
         on 1
         mo reopens";
    check(
        script,
        expect![[r#"
        > ann consolidates 1 2
        refused workshop/needs-moderator: ann may not do this: only the user, a lead or a moderator may
        > mo consolidates 1 1
        refused workshop/nothing-to-consolidate: name at least two different issues that are open and were not opened by the house itself
        > mo consolidates 1 2
        opened One for all
          #a #b
        m7 went into m11
        m7 closed
        m8 went into m11
        m8 closed
        > mo consolidates 1 3
        refused workshop/nothing-to-consolidate: name at least two different issues that are open and were not opened by the house itself
        > on 1
        > mo reopens
        m7 reopened
    "#]],
    );
    let (shop, _) = played(script);
    let row = shop.world.house.docket().row(shop.numbered(3)).unwrap();
    assert_eq!(row.tags.iter().map(|tag| tag.as_str()).collect::<Vec<_>>(), ["a", "b"]);
    let two = shop.world.house.case(shop.numbered(2)).unwrap();
    assert_eq!(two.decision(), Some(Decision::Closed));
    assert_eq!(two.issue().unwrap().into, Some(shop.numbered(3)));
}

#[test]
fn those_who_see_to_an_issue_change_it() {
    check(
        "workshop ann bob cy as=assistant mo=moderator
         ann opens Mine #a
         ann opens Other
         on 1
         ---
         bob tags b
         ann tags b
         ann tags b
         ann tags meta
         ann untags a
         ann untags a
         ann assigns bob
         ann assigns zoe
         bob ranks high
         as ranks low
         mo relates 2
         mo relates 1
         mo unrelates 2
         mo assigns nobody
         bob ranks high",
        expect![[r#"
            > bob tags b
            refused workshop/not-yours: bob may not change this issue: its author, its assignee, the assistant, a moderator and a lead may
            > ann tags b
            changed tag { tag: tag("b") }
            > ann tags b
            > ann tags meta
            refused workshop/reserved-tag: only the house itself gives the tag #meta
            > ann untags a
            changed untag { tag: tag("a") }
            > ann untags a
            > ann assigns bob
            changed assign { to: some(who("bob")) }
            > ann assigns zoe
            refused roster/unknown-seat: `zoe` is not enrolled in this house
            > bob ranks high
            changed priority { priority: high }
            > as ranks low
            changed priority { priority: low }
            > mo relates 2
            changed relate { to: matterid(id { act: seq(12), nth: 0 }) }
            > mo relates 1
            refused workshop/same-issue: an issue is not related to itself
            > mo unrelates 2
            changed unrelate { to: matterid(id { act: seq(12), nth: 0 }) }
            > mo assigns nobody
            changed assign { to: none }
            > bob ranks high
            refused workshop/not-yours: bob may not change this issue: its author, its assignee, the assistant, a moderator and a lead may
        "#]],
    );
}

#[test]
fn a_frozen_tag_keeps_agents_from_opening_more() {
    check(
        "workshop ann mo=moderator
         ann opens First #eyes
         ---
         ann freezes-tag eyes enough
         mo freezes-tag eyes
         mo freezes-tag EYES we have five of them
         ann opens Again #eyes
         ann opens Other
         ann tags eyes
         mo opens Ruling #eyes
         mo thaws-tag eyes
         mo thaws-tag eyes
         ann opens Again #eyes",
        expect![[r#"
            > ann freezes-tag eyes enough
            refused workshop/needs-moderator: ann may not do this: only the user, a lead or a moderator may
            > mo freezes-tag eyes
            refused workshop/missing: the reason is missing: write it
            > mo freezes-tag EYES we have five of them
            #eyes frozen: we have five of them
            > ann opens Again #eyes
            refused workshop/frozen-tag: the tag #eyes is frozen (we have five of them): only the user, a lead or a moderator open issues under it
            > ann opens Other
            opened Other
            > ann tags eyes
            refused workshop/frozen-tag: the tag #eyes is frozen (we have five of them): only the user, a lead or a moderator open issues under it
            > mo opens Ruling #eyes
            opened Ruling
              #eyes
            > mo thaws-tag eyes
            #eyes thawed
            > mo thaws-tag eyes
            refused workshop/tag-not-frozen: the tag #eyes is not frozen
            > ann opens Again #eyes
            opened Again
              #eyes
        "#]],
    );
}

#[test]
fn an_agent_is_less_free_when_a_moderator_says_so() {
    check(
        "workshop ann mo=moderator
         user opens Here
         ---
         ann frees ann full
         mo frees ann limited
         ann: ok
         ann: file=a.txt
         ann: file=a.txt
         mo frees ann read-only
         ann: ok
         ann opens More
         mo frees ann full
         ann opens More",
        expect![[r#"
            > ann frees ann full
            refused workshop/needs-moderator: ann may not do this: only the user, a lead or a moderator may
            > mo frees ann limited
            ann is limited
            > ann: ok
            reject gate/missing-evidence-for-impact
            > ann: file=a.txt
            posted ann
            > ann: file=a.txt
            freeze gate/comment-budget-exceeded
            frozen by comment-budget-exceeded until 30:00
            told user: frozen { breaker: commentbudgetexceeded }
            opened [Circuit breaker] issue #1: comment-budget-exceeded
              #meta #circuit-breaker #comment-budget-exceeded for mo
            > mo frees ann read-only
            ann is read-only
            > ann: ok
            refused workshop/read-only: ann may only read for now: ask the moderator
            > ann opens More
            refused workshop/read-only: ann may only read for now: ask the moderator
            > mo frees ann full
            ann is full
            > ann opens More
            opened More
        "#]],
    );
}

#[test]
fn approval_raises_how_far_an_issue_is_relied_on() {
    let (shop, log) = played(
        "workshop ann bob cy dee
         ann opens Idea
         ann: approve
         bob: approve
         cy: object
         dee: approve
         cy: approve",
    );
    let raised: Vec<&str> = log.lines().filter(|line| line.starts_with("now ")).collect();
    assert_eq!(raised, ["now tentative", "now agreed"]);
    let row = shop.world.house.docket().row(shop.numbered(1)).unwrap();
    assert_eq!(row.epistemic, Epistemic::Agreed);
}

#[test]
fn only_those_who_lead_say_that_a_comment_helped() {
    let (mut shop, _) = played("workshop ann mo=moderator\nuser opens Here\nann: ok");
    let comment = shop.world.house.case(shop.here()).unwrap().said[0].id;
    for (by, expected) in [
        ("ann", "workshop/needs-lead"),
        ("mo", "workshop/needs-lead"),
        ("user", ""),
        ("user", "workshop/already-marked"),
    ] {
        let act = shop.step(&format!("{by} marks {comment}")).unwrap();
        let code = match &act.outcome {
            synod_core::Outcome::Refused { code, .. } => code.as_str(),
            synod_core::Outcome::Done(_) => "",
        };
        assert_eq!(code, expected, "{by}");
    }
}

#[test]
fn lists_say_what_is_frozen() {
    let (shop, _) = played(&format!(
        "workshop ann bob\nann opens Cold\nbob opens Warm #w\non 1\nbob: say {BODY} urgent, vital"
    ));
    let rows: Vec<String> = issue_rows(&shop.world.house, Reader::Operator, shop.world.now)
        .map(|row| {
            format!("#{} {} {} {}", row.number, row.status.word(), row.title, row.frozen_by.unwrap_or(""))
        })
        .collect();
    expect![[r#"
        #1 frozen Cold escalation-language
        #2 open Warm 
        #3 open [Circuit breaker] issue #1: escalation-language "#]]
    .assert_eq(&rows.join("\n"));
}
