//! What calls a council when it is told to: people, agents, checkpoints, phases, measures; and how long each rests.

use expect_test::expect;

use crate::calls::check_calls;

#[test]
fn a_person_never_waits() {
    check_calls(
        "",
        "call user rest-or-graphql with ann bob
         call user rest-or-graphql with ann bob
         call user keys-leaked critical with ann bob
         call user lunch low with bob cy",
        expect![[r#"
            > call user rest-or-graphql with ann bob
            opened ring-default for ann bob: rest-or-graphql
            fired user normal, opened m11
            > call user rest-or-graphql with ann bob
            opened ring-default for ann bob: rest-or-graphql
            fired user normal, opened m12
            > call user keys-leaked critical with ann bob
            opened ring-critical for ann bob: keys-leaked
            fired user critical, opened m13
            > call user lunch low with bob cy
            opened ring-quick for bob cy: lunch
            fired user low, opened m14
        "#]],
    );
}

#[test]
fn an_agent_needs_a_listed_reason_and_confidence() {
    check_calls(
        "",
        "call agent ann 0.59 Conflicting design patterns detected with bob
         call agent ann 0.5999 conflicting_designs with bob
         call agent ann 0.9 need help with bob
         call agent ann 0.6 Conflicting design patterns detected with bob
         wait 60s
         call by ann agent ann 0.79 security-concern with bob
         wait 60s
         call by ann agent ann 0.8 This is a breaking change with bob cy",
        expect![[r#"
            > call agent ann 0.59 Conflicting design patterns detected with bob
            declined agent conflicting_designs: 0.59 is below 0.60
            > call agent ann 0.5999 conflicting_designs with bob
            declined agent conflicting_designs: 0.599 is below 0.60
            > call agent ann 0.9 need help with bob
            declined agent: the reason is none of those that call for a council
            > call agent ann 0.6 Conflicting design patterns detected with bob
            opened ring-default for ann bob: ann asks for a decision: Conflicting design patterns detected
            fired agent conflicting_designs normal, rests until 1:00, opened m14
            > wait 60s
            > call by ann agent ann 0.79 security-concern with bob
            opened ring-default for ann bob: ann asks for a decision: security-concern
            fired agent security_concern normal, rests until 2:00, opened m16
            > wait 60s
            > call by ann agent ann 0.8 This is a breaking change with bob cy
            opened ring-strict for ann bob cy: ann asks for a decision: This is a breaking change
            fired agent breaking_change high, rests until 3:00, opened m18
        "#]],
    );
}

#[test]
fn checkpoints_that_always_call_and_those_that_are_flagged() {
    check_calls(
        "",
        "call checkpoint security_change with ann bob
         call checkpoint deployment_approval with ann bob
         call checkpoint architecture_decision with ann bob
         call checkpoint breaking-change with ann bob
         call checkpoint API_design with ann bob
         call checkpoint milestone-3 with ann bob
         call checkpoint milestone-3 flagged with ann bob",
        expect![[r#"
            > call checkpoint security_change with ann bob
            opened ring-critical for ann bob: The work reached the checkpoint security_change. Should it continue as it is?
            fired checkpoint security_change critical, rests until 1:00, opened m11
            > call checkpoint deployment_approval with ann bob
            opened ring-critical for ann bob: The work reached the checkpoint deployment_approval. Should it continue as it is?
            fired checkpoint deployment_approval critical, rests until 1:00, opened m12
            > call checkpoint architecture_decision with ann bob
            opened ring-strict for ann bob: The work reached the checkpoint architecture_decision. Should it continue as it is?
            fired checkpoint architecture_decision high, rests until 1:00, opened m13
            > call checkpoint breaking-change with ann bob
            opened ring-strict for ann bob: The work reached the checkpoint breaking-change. Should it continue as it is?
            fired checkpoint breaking_change high, rests until 1:00, opened m14
            > call checkpoint API_design with ann bob
            opened ring-strict for ann bob: The work reached the checkpoint API_design. Should it continue as it is?
            fired checkpoint api_design high, rests until 1:00, opened m15
            > call checkpoint milestone-3 with ann bob
            declined checkpoint milestone_3: this checkpoint needs no council unless it is flagged
            > call checkpoint milestone-3 flagged with ann bob
            opened ring-default for ann bob: The work reached the checkpoint milestone-3. Should it continue as it is?
            fired checkpoint milestone_3 normal, rests until 1:00, opened m17
        "#]],
    );
}

#[test]
fn phases_whose_results_are_decided_together() {
    check_calls(
        "",
        "call phase design implement with ann bob
         call phase architecture design with ann bob
         call phase Planning design with ann bob
         call phase implement test with ann bob",
        expect![[r#"
            > call phase design implement with ann bob
            opened ring-default for ann bob: Should the result of design be approved, so that implement can begin?
            fired phase design normal, rests until 1:00, opened m11
            > call phase architecture design with ann bob
            opened ring-default for ann bob: Should the result of architecture be approved, so that design can begin?
            fired phase architecture normal, rests until 1:00, opened m12
            > call phase Planning design with ann bob
            opened ring-default for ann bob: Should the result of Planning be approved, so that design can begin?
            fired phase planning normal, rests until 1:00, opened m13
            > call phase implement test with ann bob
            declined phase implement: leaving this phase needs no council
        "#]],
    );
}

#[test]
fn a_measure_fires_from_its_threshold_on() {
    check_calls(
        "",
        "call threshold disagreement 0.59 with ann bob
         call threshold disagreement 0.6 with ann bob
         call threshold risk 0.899 with ann bob
         call threshold cost 0.9 with ann bob
         call threshold cost 0.9 with ann bob",
        expect![[r#"
            > call threshold disagreement 0.59 with ann bob
            declined threshold disagreement: 0.59 is below 0.60
            > call threshold disagreement 0.6 with ann bob
            opened ring-default for ann bob: disagreement is at 0.60. What should be done about it?
            fired threshold disagreement normal, rests until 1:00, opened m12
            > call threshold risk 0.899 with ann bob
            opened ring-default for ann bob: risk is at 0.899. What should be done about it?
            fired threshold risk normal, rests until 1:00, opened m13
            > call threshold cost 0.9 with ann bob
            opened ring-strict for ann bob: cost is at 0.90. What should be done about it?
            fired threshold cost high, rests until 1:00, opened m14
            > call threshold cost 0.9 with ann bob
            declined threshold cost: rests until 1:00
        "#]],
    );
}

#[test]
fn a_cooldown_ends_exactly_and_belongs_to_what_is_watched() {
    check_calls(
        "",
        "call checkpoint security_change with ann bob
         call checkpoint security_change with ann bob
         call checkpoint api_design with ann bob
         wait 59999ms
         call checkpoint security_change with ann bob
         wait 1ms
         call checkpoint security_change with ann bob",
        expect![[r#"
            > call checkpoint security_change with ann bob
            opened ring-critical for ann bob: The work reached the checkpoint security_change. Should it continue as it is?
            fired checkpoint security_change critical, rests until 1:00, opened m11
            > call checkpoint security_change with ann bob
            declined checkpoint security_change: rests until 1:00
            > call checkpoint api_design with ann bob
            opened ring-strict for ann bob: The work reached the checkpoint api_design. Should it continue as it is?
            fired checkpoint api_design high, rests until 1:00, opened m13
            > wait 59999ms
            > call checkpoint security_change with ann bob
            declined checkpoint security_change: rests until 1:00
            > wait 1ms
            > call checkpoint security_change with ann bob
            opened ring-critical for ann bob: The work reached the checkpoint security_change. Should it continue as it is?
            fired checkpoint security_change critical, rests until 2:00, opened m17
        "#]],
    );
}

/// Noise about one thing must not silence another: each reason of an agent rests by itself, whoever gives it.
#[test]
fn each_reason_of_an_agent_rests_by_itself() {
    let calls = "call agent ann 0.7 conflicting_designs with bob
         call agent cy 0.7 conflicting_designs with bob
         call agent cy 0.7 security_concern with bob";
    check_calls(
        "",
        calls,
        expect![[r#"
        > call agent ann 0.7 conflicting_designs with bob
        opened ring-default for ann bob: ann asks for a decision: conflicting_designs
        fired agent conflicting_designs normal, rests until 1:00, opened m11
        > call agent cy 0.7 conflicting_designs with bob
        declined agent conflicting_designs: rests until 1:00
        > call agent cy 0.7 security_concern with bob
        opened ring-default for cy bob: cy asks for a decision: security_concern
        fired agent security_concern normal, rests until 1:00, opened m13
    "#]],
    );
    check_calls(
        "[trigger.agent]\nby_reason = false",
        calls,
        expect![[r#"
        > call agent ann 0.7 conflicting_designs with bob
        opened ring-default for ann bob: ann asks for a decision: conflicting_designs
        fired agent conflicting_designs normal, rests until 1:00, opened m11
        > call agent cy 0.7 conflicting_designs with bob
        declined agent conflicting_designs: rests until 1:00
        > call agent cy 0.7 security_concern with bob
        declined agent security_concern: rests until 1:00
    "#]],
    );
}
