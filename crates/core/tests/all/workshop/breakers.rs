//! What stops a comment: every number, every exemption, and which of them wins.

use expect_test::expect;
use synod_core::gate::GateVerdict;
use synod_core::issue::IssueStatus;
use synod_core::kernel::text;
use synod_core::procedure::workshop::CommentOutcome;

use super::{BODY, Shop, check, meta_issues, played};

/// What a comment of an agent comes to under a charter, on an issue with nothing in it.
fn alone(charter: &str, rest: &str) -> Vec<String> {
    let mut shop = Shop::new(charter, &["ann", "bob"]);
    shop.open("user", "First");
    shop.open("user", "Here");
    super::canon::with_entry(&mut shop, "eyes");
    let act = shop.comment("ann", rest);
    match CommentOutcome::of(&act) {
        Some(CommentOutcome::Posted { .. }) => Vec::new(),
        Some(CommentOutcome::Refused { breaches, verdict, .. }) => {
            let mut found = vec![format!("{verdict:?}").to_lowercase()];
            found.extend(breaches.iter().map(|breach| breach.code().trim_start_matches("gate/").to_string()));
            found
        }
        Some(CommentOutcome::Unchecked { .. }) | None => panic!("no comment was judged: {:?}", act.outcome),
    }
}

/// Words that are all different, of so many characters in all.
fn of_length(length: usize) -> String {
    let mut text: String = (0..30).map(|nth| format!("w{nth} ")).collect();
    assert!(text.len() < length, "{} characters are the fewest", text.len());
    text.push_str(&"x".repeat(length - text.len()));
    text
}

#[test]
fn the_third_comment_of_one_agent_freezes_and_is_not_stored() {
    let script = "workshop ann bob mo=moderator
         user opens Timeline #time
         ann: ok
         bob: ok
         ann: ok
         ---
         ann: ok";
    check(
        script,
        expect![[r#"
            > ann: ok
            freeze gate/comment-budget-exceeded
            frozen by comment-budget-exceeded until 30:00
            told user: frozen { breaker: commentbudgetexceeded }
            opened [Circuit breaker] issue #1: comment-budget-exceeded
              #meta #circuit-breaker #comment-budget-exceeded for mo
        "#]],
    );
    let (shop, _) = played(script);
    let issue = shop.numbered(1);
    assert_eq!(meta_issues(&shop, issue), 1);
    let case = shop.world.house.case(issue).unwrap();
    assert_eq!(case.said.len(), 3, "what was refused is not stored");
    assert_eq!(case.issue().unwrap().status(), IssueStatus::Frozen);
}

#[test]
fn each_preset_has_its_own_budget() {
    for (charter, most) in [("workshop", 2), ("workshop-light", 4), ("workshop-strict", 1)] {
        let mut shop = Shop::new(charter, &["ann", "bob", "cy"]);
        shop.open("user", "First");
        shop.open("user", "Here");
        let long = |shop: &Shop| format!("file=a.txt say {} {BODY}", shop.body());
        for nth in 1..=most {
            // Somebody else in between, so that nothing else stops it.
            if nth > 1 {
                shop.world.now = shop.world.now.plus(1);
            }
            let said = long(&shop);
            let act = shop.comment("ann", &said);
            assert!(
                matches!(CommentOutcome::of(&act), Some(CommentOutcome::Posted { .. })),
                "{charter} {nth}"
            );
        }
        let said = long(&shop);
        let act = shop.comment("ann", &said);
        let Some(CommentOutcome::Refused { breaches, verdict, .. }) = CommentOutcome::of(&act) else {
            panic!("{charter}: one too many stands");
        };
        assert_eq!(verdict, GateVerdict::Freeze, "{charter}");
        assert_eq!(breaches[0].code(), "gate/comment-budget-exceeded", "{charter}");
    }
}

#[test]
fn an_issue_has_only_so_many_comments() {
    for (charter, most) in [("workshop", 10), ("workshop-light", 20), ("workshop-strict", 6)] {
        let names: Vec<String> = (0..=most).map(|nth| format!("a{nth}")).collect();
        let people: Vec<&str> = names.iter().map(String::as_str).collect();
        let mut shop = Shop::new(charter, &people);
        shop.open("user", "Here");
        let long = |shop: &Shop| format!("file=a.txt say {} {BODY}", shop.body());
        for name in &people[..most] {
            let said = long(&shop);
            let act = shop.comment(name, &said);
            assert!(
                matches!(CommentOutcome::of(&act), Some(CommentOutcome::Posted { .. })),
                "{charter} {name}"
            );
        }
        let said = long(&shop);
        let act = shop.comment(people[most], &said);
        let Some(CommentOutcome::Refused { breaches, verdict, frozen_until }) = CommentOutcome::of(&act)
        else {
            panic!("{charter}: one too many stands");
        };
        assert_eq!((verdict, breaches[0].code()), (GateVerdict::Freeze, "gate/issue-comment-limit"));
        assert_eq!(frozen_until, Some(shop.world.now.plus(1_800_000)));
    }
}

#[test]
fn length_is_counted_in_characters_after_trimming() {
    for (charter, least) in [("workshop", 150), ("workshop-strict", 250)] {
        let short = format!("file=a.txt say {}", of_length(least - 1));
        let enough = format!("file=a.txt say {}", of_length(least));
        let short_by_blanks = format!("file=a.txt say {}      ", of_length(least - 1));
        assert_eq!(alone(charter, &short), ["reject", "insufficient-substance"], "{charter}");
        assert_eq!(alone(charter, &short_by_blanks), ["reject", "insufficient-substance"], "{charter}");
        assert_eq!(alone(charter, &enough), [""; 0], "{charter}");
    }
    assert_eq!(
        alone("workshop-light", "say ab cd ef gh ij kl mn op qr st uv wx yz a1 b2 c3 d4"),
        ["reject", "low-vocabulary"]
    );
    // Composed and decomposed letters count the same.
    let decomposed = of_length(149).replacen('x', "e\u{301}", 1);
    assert_eq!(text::length(&decomposed), 149);
    assert_eq!(alone("workshop", &format!("say {decomposed}")), ["reject", "insufficient-substance"]);
    assert_eq!(alone("workshop", &format!("say {}", "x".repeat(20_001)))[0], "reject");
}

#[test]
fn blanks_alone_are_nothing() {
    let mut shop = Shop::new("workshop", &["ann"]);
    shop.open("user", "Here");
    let act = shop.comment("ann", &format!("say {}", " ".repeat(150)));
    assert_eq!(format!("{:?}", act.outcome).split('"').nth(1), Some("workshop/missing"));
    let act = shop.comment("ann", &format!("say .{}", "\u{a0}".repeat(150)));
    assert!(matches!(CommentOutcome::of(&act), Some(CommentOutcome::Refused { .. })));
}

#[test]
fn words_are_counted_once_in_any_script() {
    let repeated = "understanding ".repeat(20);
    assert_eq!(alone("workshop", &format!("say {repeated}")), ["reject", "low-vocabulary"]);
    assert_eq!(
        alone("workshop", &format!("say {}", "Haus HAUS haus häuser ".repeat(20)))[1],
        "low-vocabulary"
    );
    let german = "Die Besatzung verlässt das Schiff erst am dritten Tag, weil der Reaktor vorher ausfällt und \
                  niemand ohne Anzug durch die Schleuse gehen kann; deshalb passt die Reihenfolge der Szenen.";
    let russian = "Экипаж покидает корабль только на третий день, потому что реактор отказал раньше, и никто не может \
                   пройти через шлюз без скафандра; поэтому порядок сцен остаётся верным и менять ничего нельзя.";
    for said in [german, russian] {
        assert!(text::words(said).count() >= 25);
        assert_eq!(alone("workshop", &format!("say {said}")), [""; 0]);
    }
}

#[test]
fn words_that_only_hold_a_keyword_never_escalate() {
    let calm =
        format!("{BODY} The mustard stays indefinitely, essentially vitality and uncritical criticality.");
    assert_eq!(alone("workshop-strict", &format!("file=a.txt say {calm}")), [""; 0]);
}

#[test]
fn keywords_count_once_each_in_any_case() {
    let with = |words: &str| alone("workshop", &format!("say {BODY} {words}"));
    assert_eq!(with("We must look at it."), [""; 0], "one is allowed");
    assert_eq!(with("MUST MUST MUST"), [""; 0], "the same one again is still one");
    assert_eq!(with("We must act, it is urgent."), ["freeze", "escalation-language"]);
    assert_eq!(with("We need to act, it is Crucial!"), ["freeze", "escalation-language"]);
    assert_eq!(with("We need\\nto act; need to; NEED TO."), [""; 0], "a phrase over two lines is one");
    assert_eq!(
        with("A need too, and a need, to be clear, is one: vital."),
        ["freeze", "escalation-language"]
    );
    assert_eq!(with("ＭＵＳＴ and uｒgent in wide letters"), ["freeze", "escalation-language"]);
    assert_eq!(
        with("m\u{200b}ust and ur\u{ad}gent with marks that nobody sees"),
        ["freeze", "escalation-language"]
    );
}

#[test]
fn the_words_of_a_phrase_follow_each_other() {
    // One keyword is allowed, so the phrase shows by what comes with another.
    let with = |words: &str| alone("workshop", &format!("say {BODY} It is vital. {words}"));
    for calm in [
        "The tests need `foo()` to pass.",
        "There is no need. To go on, read chapter 2.",
        "I see a need\\n\\nTo do: nothing.",
        "\\n- what users need\\n- to which end",
        "What they need\\n> quoted line\\nto go",
        "What they need\\n```\\nx\\n```\\nto go",
        "The need-to-know principle holds here.",
        "| need | to |",
        "The need: to go on.",
        "They need (to go)",
        "need 2 to",
    ] {
        assert_eq!(with(calm), [""; 0], "{calm}");
    }
    for loud in
        ["We **need** to go.", "We need *to* go", "we need\\nto go", "we \"need\" to go", "we need2 to go"]
    {
        assert_eq!(with(loud), ["freeze", "escalation-language"], "{loud}");
    }
}

#[test]
fn keywords_in_code_and_quotes_of_a_list_do_not_count() {
    let with = |words: &str| alone("workshop", &format!("say {BODY}\\n{words}"));
    for calm in [
        "- > URGENT and CRITICAL",
        "1. ```sh\\n   URGENT CRITICAL\\n   ```",
        "- ```\\n  URGENT CRITICAL\\n  ```\\nThis is prose.",
        "\\n    URGENT CRITICAL\\n",
        "<pre>\\nURGENT CRITICAL\\n</pre>",
    ] {
        assert_eq!(with(calm), [""; 0], "{calm}");
    }
    for loud in
        ["1. ```sh\\n   x\\n   ```\\nIt is URGENT and CRITICAL.", "- ```\\n  x\\n  ```\\n- URGENT, CRITICAL"]
    {
        assert_eq!(with(loud), ["freeze", "escalation-language"], "{loud}");
    }
}

#[test]
fn a_disguised_keyword_is_one() {
    let with = |words: &str| alone("workshop", &format!("say {BODY} {words}"));
    for disguised in [
        "u.r.g.e.n.t and c-r-u-c-i-a-l",
        "urg_ent and cru·cial",
        "urgent_now, crucial:thing",
        "urgent's and 'crucial'",
        "u r g e n t, and c r u c i a l",
        "\u{443}rgent and cruci\u{430}l urg\u{435}nt",
        "úrgent and crucíal",
        "urgent2 and crucial3",
        "ur\u{2063}gent and cru\u{34f}cial",
    ] {
        assert_eq!(with(disguised), ["freeze", "escalation-language"], "{disguised}");
    }
    assert_eq!(with("The mustard is a b c, and node-must-have one"), [""; 0], "one is allowed");
}

#[test]
fn quotes_and_code_alone_say_nothing_and_hide_nothing() {
    let quoted: String = BODY.lines().map(|line| format!("> {line} and more of it\\n")).collect();
    assert_eq!(
        alone("workshop", &format!("say {quoted}")),
        ["reject", "insufficient-substance", "low-vocabulary"]
    );
    let shouted = format!("say ```\\n{BODY} URGENT CRUCIAL\\n```");
    assert!(alone("workshop", &shouted).contains(&"escalation-language".to_string()));
    let padded = format!("say Fine by me.{}", " \u{2060}\u{200b}".repeat(200));
    assert!(alone("workshop", &padded).contains(&"insufficient-substance".to_string()));
    let marked = format!("say Fine by me{}.", "\u{301}".repeat(200));
    assert!(alone("workshop", &marked).contains(&"insufficient-substance".to_string()));
    let patch = format!("say {BODY}\\n```\\nlet x = 1;\\n```");
    assert_eq!(alone("workshop", &patch), [""; 0]);
}

#[test]
fn each_preset_allows_its_own_number_of_keywords() {
    let words = ["urgent", "crucial", "critical", "vital"];
    for (charter, most) in [("workshop", 1), ("workshop-light", 3), ("workshop-strict", 0)] {
        let with = |count: usize| {
            alone(charter, &format!("file=a.txt say {BODY} {BODY} {}", words[..count].join(", ")))
        };
        assert_eq!(with(most), [""; 0], "{charter}");
        assert_eq!(with(most + 1), ["freeze", "escalation-language"], "{charter}");
    }
}

#[test]
fn what_is_quoted_or_is_code_does_not_escalate() {
    let with = |words: &str| alone("workshop", &format!("say {BODY}\\n{words}"));
    assert_eq!(with("> We MUST act, it is URGENT"), [""; 0]);
    assert_eq!(with("  > URGENT\\n  >> CRUCIAL"), [""; 0]);
    assert_eq!(with("```\\nMUST URGENT\\n```"), [""; 0]);
    assert_eq!(with("~~~~\\nMUST\\n~~~\\nURGENT\\n~~~~"), [""; 0], "a shorter fence closes nothing");
    assert_eq!(with("The flags `MUST` and ``URGENT ` CRUCIAL`` are read"), [""; 0]);
    assert_eq!(with("```\\nMUST\\n```\\nIt is urgent and crucial."), ["freeze", "escalation-language"]);
    assert_eq!(with("A lone ` mark: urgent and crucial"), ["freeze", "escalation-language"]);
    assert_eq!(
        with("She said > urgent, crucial"),
        ["freeze", "escalation-language"],
        "only a line is quoted"
    );
}

#[test]
fn rejecting_wins_over_freezing_and_every_breach_is_listed() {
    assert_eq!(
        alone("workshop", "say urgent, vital"),
        ["reject", "escalation-language", "insufficient-substance", "low-vocabulary"]
    );
    let mut shop = Shop::new("workshop", &["ann"]);
    shop.open("user", "Here");
    shop.comment("ann", "canon-changing resolved say urgent, vital");
    assert_eq!(shop.world.house.docket().row(shop.here()).unwrap().status, IssueStatus::Open);
    assert_eq!(
        alone("workshop", "canon-changing resolved say urgent, vital"),
        [
            "reject",
            "escalation-language",
            "insufficient-substance",
            "low-vocabulary",
            "missing-evidence-for-impact",
            "premature-resolution"
        ]
    );
}

#[test]
fn the_fourth_comment_of_a_pair_freezes() {
    check(
        "workshop-light ann bob cy mo=moderator
         user opens Pair
         ann: ok
         bob: ok
         ann: ok
         bob: ok",
        expect![[r#"
            > user opens Pair
            opened Pair
            > ann: ok
            posted ann
            > bob: ok
            posted bob
            > ann: ok
            posted ann
            > bob: ok
            freeze gate/ping-pong-detected
            frozen by ping-pong-detected until 30:00
            told user: frozen { breaker: pingpongdetected }
            opened [Circuit breaker] issue #1: ping-pong-detected
              #meta #circuit-breaker #ping-pong-detected for mo
        "#]],
    );
}

#[test]
fn somebody_else_in_between_is_no_pair_and_overseers_do_not_count() {
    let (_, log) = played(
        "workshop-light ann bob cy\nuser opens Pair\nann: ok\nbob: ok\ncy: ok\nann: ok\nbob: ok\nann: ok",
    );
    assert!(!log.contains("freeze"), "{log}");
    let (_, log) = played(
        "workshop-light ann\nuser opens Pair\nann: ok\nuser: ok\nann: ok\nuser: ok\nann: ok\nuser: ok",
    );
    assert!(!log.contains("freeze"), "the user is no half of a pair: {log}");
    let (_, log) = played(
        "workshop-light ann mo=moderator\nuser opens Pair\nann: ok\nmo: ok\nann: ok\nmo: ok\nann: ok\nmo: ok",
    );
    assert!(!log.contains("freeze"), "{log}");
    // They do not count, so they do not come between either.
    let (_, log) =
        played("workshop-light ann bob\nuser opens Pair\nann: ok\nbob: ok\nuser: ok\nann: ok\nbob: ok");
    assert!(log.contains("ping-pong"), "{log}");
}

#[test]
fn evidence_is_needed_from_the_impact_that_a_charter_names() {
    let found = |charter: &str, rest: &str| {
        let long = format!("{rest} say {BODY} {BODY}");
        alone(charter, &long).get(1).cloned().unwrap_or_default()
    };
    let missing = "missing-evidence-for-impact";
    for rest in ["", "cosmetic", "minor"] {
        assert_eq!(found("workshop", rest), "", "{rest}");
    }
    assert_eq!(found("workshop", "structural"), missing);
    assert_eq!(found("workshop", "structural canon=eyes"), missing, "a canon entry alone is not enough");
    assert_eq!(found("workshop", "structural #1"), "");
    assert_eq!(found("workshop", "structural file=a.txt"), "");
    assert_eq!(found("workshop", "canon-changing file=a.txt"), missing);
    assert_eq!(found("workshop", "canon-changing #1"), missing);
    assert_eq!(found("workshop", "canon-changing file=a.txt #1"), "");
    assert_eq!(found("workshop", "canon-changing file=a.txt canon=eyes"), "");
    assert_eq!(found("workshop-light", "structural"), "");
    assert_eq!(found("workshop-light", "canon-changing file=a.txt"), missing);
    assert_eq!(found("workshop-strict", "cosmetic"), "");
    assert_eq!(found("workshop-strict", "minor"), missing);
    assert_eq!(found("workshop-strict", ""), missing, "who says nothing of the impact does not escape");
    assert_eq!(found("workshop-strict", "minor canon=eyes"), "");
}

#[test]
fn evidence_that_does_not_exist_is_no_evidence() {
    assert_eq!(alone("workshop", "#99"), ["reject", "missing-evidence-for-impact"]);
    assert_eq!(alone("workshop", "structural #1 #99"), ["reject", "missing-evidence-for-impact"]);
    assert_eq!(
        alone("workshop", "structural #2"),
        ["reject", "missing-evidence-for-impact"],
        "the issue itself"
    );
}

#[test]
fn an_issue_is_resolved_by_its_third_comment_at_the_earliest() {
    check(
        "workshop ann bob cy
         user opens Early
         ann: resolved
         ann: ok
         bob: resolved
         bob: ok
         cy: resolved
         ann: ok",
        expect![[r#"
            > user opens Early
            opened Early
            > ann: resolved
            reject gate/premature-resolution
            > ann: ok
            posted ann
            > bob: resolved
            reject gate/premature-resolution
            > bob: ok
            posted bob
            > cy: resolved
            posted cy
            m7 resolved
            > ann: ok
            refused workshop/over: the issue is resolved: reopen it, or open another one that cites it
        "#]],
    );
}

#[test]
fn the_user_is_stopped_by_nothing_and_a_moderator_by_no_freeze() {
    let (_, log) = played(
        "workshop ann mo=moderator le=lead
         user opens Free
         user: resolved say urgent, vital",
    );
    assert!(log.contains("posted user\n") && log.ends_with(" resolved\n"), "{log}");
    let (_, log) = played(
        "workshop ann mo=moderator le=lead
         user opens Free
         mo: ok
         mo: ok
         mo: ok
         le: say urgent, vital
         le: ok
         le: ok
         le: ok
         mo: say must, urgent, vital",
    );
    assert!(
        !log.contains("freeze") && log.contains("reject gate/insufficient-substance gate/low-vocabulary"),
        "{log}"
    );
    let (_, log) = played(&format!("workshop mo=moderator\nuser opens Calm\nmo: say {BODY} must, urgent"));
    assert!(log.ends_with("posted mo\n"), "{log}");
}

#[test]
fn questions_and_acknowledgements_are_short_few_and_approve_nothing() {
    assert_eq!(alone("workshop", "question say When does it fail?"), ["reject", "insufficient-substance"]);
    assert_eq!(alone("workshop", "question say When does the reactor fail then?"), [""; 0]);
    assert_eq!(
        alone("workshop", "acknowledgement say aaaaaaaaaaaaaaaaaaaaaa b c"),
        ["reject", "low-vocabulary"]
    );
    assert_eq!(alone("workshop", "acknowledgement say I have read that, thank you."), [""; 0]);
    check(
        "workshop ann
         user opens Short
         ---
         ann: question say When does the reactor fail then?
         ann: question say And who is on the bridge by then?
         ann: acknowledgement say I have read that, thank you.
         ann: acknowledgement say I have read this too, thank you.
         ann: ok
         ann: ok
         ann: question approve say Is that not a good idea of his?
         ann: question resolved say Is that not a good idea of his?
         ann: question say And what about the captain herself?",
        expect![[r#"
            > ann: question say When does the reactor fail then?
            posted ann
            > ann: question say And who is on the bridge by then?
            posted ann
            > ann: acknowledgement say I have read that, thank you.
            posted ann
            > ann: acknowledgement say I have read this too, thank you.
            posted ann
            > ann: ok
            posted ann
            > ann: ok
            posted ann
            > ann: question approve say Is that not a good idea of his?
            refused workshop/kind-takes-no-side: a question or an acknowledgement takes no side and does nothing: write a comment
            > ann: question resolved say Is that not a good idea of his?
            refused workshop/kind-takes-no-side: a question or an acknowledgement takes no side and does nothing: write a comment
            > ann: question say And what about the captain herself?
            freeze gate/comment-budget-exceeded
            frozen by comment-budget-exceeded until 30:00
            told user: frozen { breaker: commentbudgetexceeded }
            opened [Circuit breaker] issue #1: comment-budget-exceeded
              #meta #circuit-breaker #comment-budget-exceeded
        "#]],
    );
}

#[test]
fn three_rejections_for_missing_evidence_freeze() {
    check(
        "workshop ann bob mo=moderator
         user opens Ground
         ---
         ann: structural
         bob: structural
         ann: structural
         bob: structural
         ann: structural",
        expect![[r#"
            > ann: structural
            reject gate/missing-evidence-for-impact
            > bob: structural
            reject gate/missing-evidence-for-impact
            > ann: structural
            reject gate/missing-evidence-for-impact
            > bob: structural
            reject gate/missing-evidence-for-impact
            > ann: structural
            reject gate/missing-evidence-for-impact
            frozen by repeated-missing-evidence until 30:00
            told user: frozen { breaker: repeatedmissingevidence }
            opened [Circuit breaker] issue #1: repeated-missing-evidence
              #meta #circuit-breaker #repeated-missing-evidence for mo
        "#]],
    );
}

#[test]
fn the_seeds_escalation_is_stopped_at_its_second_line() {
    // Neither affirmation says anything: the first is refused, and so is the second. Nothing of the spiral is ever stored.
    let lines = [
        ("ann", "This is a good idea"),
        ("bob", "Yeah it's a great idea"),
        ("ann", "This idea is wonderful and we NEED to implement it"),
        ("bob", "The idea is CRUCIAL for this scene"),
        ("ann", "If we don't implement it AT ONCE, who knows what might happen"),
        ("bob", "This might lead to TERRIBLE CONSEQUENCES!"),
        ("ann", "RED ALERT! We need to avert the apocalypse!"),
    ];
    for charter in ["workshop", "workshop-light", "workshop-strict"] {
        let mut shop = Shop::new(charter, &["ann", "bob"]);
        shop.open("user", "Spiral");
        for (nth, (name, said)) in lines.iter().enumerate() {
            let act = shop.comment(name, &format!("approve say {said}"));
            let stands = matches!(CommentOutcome::of(&act), Some(CommentOutcome::Posted { .. }));
            assert!(!stands, "{charter}: line {} stands", nth + 1);
        }
        assert!(shop.world.house.case(shop.here()).unwrap().said.is_empty());
    }
}

#[test]
fn a_spiral_in_long_sentences_is_stopped_as_well() {
    let mut shop = Shop::new("workshop", &["ann", "bob"]);
    shop.open("user", "Spiral");
    let said = |words: &str| format!("approve say {BODY} {words}");
    let posted =
        |act: &synod_core::Act| matches!(CommentOutcome::of(act), Some(CommentOutcome::Posted { .. }));
    let first = shop.comment("ann", &said("This is a good idea."));
    assert!(posted(&first));
    let act = shop.comment("bob", &said("It is CRUCIAL, and we NEED TO implement it."));
    assert!(!posted(&act), "the second line freezes it");
    let act = shop.comment("ann", &said("RED ALERT!"));
    assert_eq!(format!("{:?}", act.outcome).split('"').nth(1), Some("workshop/frozen"));
}

#[test]
fn who_escalates_again_has_no_strong_word_left() {
    check(
        &format!(
            "workshop ann mo=moderator
             user opens One
             user opens Two
             user opens Three
             on 1
             ann: say {BODY} urgent, vital
             on 2
             ann: say {BODY} urgent, vital
             on 3
             ---
             ann: say {BODY} vital
             wait 7d
             ann: say {BODY} vital"
        ),
        expect![[r#"
            > ann: say I compared the scene in which the reactor fails with the docking sequence; the order of …
            freeze gate/escalation-language
            frozen by escalation-language until 30:00
            told user: frozen { breaker: escalationlanguage }
            opened [Circuit breaker] issue #3: escalation-language
              #meta #circuit-breaker #escalation-language for mo
            > wait 7d
            > ann: say I compared the scene in which the reactor fails with the docking sequence; the order of …
            thawed by ann, cooldown
            m12.3 resolved
            posted ann
        "#]],
    );
}

#[test]
fn freezing_is_no_weapon() {
    let mut shop = Shop::new("workshop", &["ann", "bob"]);
    for nth in 1..=4 {
        shop.open("user", &format!("Issue {nth}"));
        let act = shop.comment("ann", &format!("say {BODY} urgent, vital"));
        let Some(CommentOutcome::Refused { verdict, frozen_until, .. }) = CommentOutcome::of(&act) else {
            panic!("it stands");
        };
        let freezes = nth <= 3;
        assert_eq!(verdict == GateVerdict::Freeze, freezes, "issue {nth}");
        assert_eq!(frozen_until.is_some(), freezes, "issue {nth}");
    }
    let act = shop.comment("bob", "ok");
    assert!(matches!(CommentOutcome::of(&act), Some(CommentOutcome::Posted { .. })), "others go on");
}

#[test]
fn a_refusal_says_what_to_change() {
    let mut shop = Shop::new("workshop", &["ann"]);
    shop.open("user", "Here");
    let act = shop.comment("ann", "structural resolved say urgent, vital");
    let Some(CommentOutcome::Refused { breaches, .. }) = CommentOutcome::of(&act) else {
        panic!("it stands")
    };
    let told: Vec<String> = breaches.iter().map(|breach| breach.violation().detail.to_string()).collect();
    expect![[r#"
        escalating words: URGENT, VITAL; 1 such word allowed: say it calmly
        13 characters, at least 150 are needed: give your reasons
        2 different words, at least 20 are needed: be specific
        the impact is structural: cite a file or an issue
        this would be comment 1, and comment 3 is the first that may resolve the issue"#]]
    .assert_eq(&told.join("\n"));
}
