//! Hostile inputs for everything that the core reads of others.

#[path = "../../../../fuzz/mutate.rs"]
mod mutate;
#[path = "../../../../fuzz/targets/core.rs"]
mod targets;

use mutate::{Grammar, fuzz};

const ANSWER: &[&str] = &[
    "STANCE: FOR",
    "STANCE: AGAINST",
    "VOTE: NAY",
    "I vote",
    "ich stimme dagegen",
    "the motion",
    "reasoning",
    "key_points",
    "position",
    "stance",
    "YES",
    "NO",
    "NEUTRAL",
    "ABSTAIN",
    "confidence",
    "vote",
    "reason",
    "change_if",
    "ranking",
    "scores",
    "approve",
    "A",
    "B",
    "C",
    "A = B",
    "same",
    "answer",
    "best",
    "low",
    "high",
    "unit",
    "10-20",
    "about 3 days",
    "requests",
    "query",
    "priority",
    "required",
    "file",
    "lines",
    "citations",
    "checks",
    "<think>",
    "</think>",
    "STANCE: ",
    "## Position\n",
    "**I VOTE NAY.**",
    "I agree with Bob: YES",
    "0.85",
    "85%",
    "delegate",
    "new_argument",
];

#[test]
fn answers_of_models() {
    fuzz("answer", Grammar::Json, ANSWER, targets::answer);
}

#[test]
fn answers_in_prose() {
    fuzz("answer", Grammar::Text, ANSWER, targets::answer);
}

#[test]
fn charters() {
    let known = &[
        "name",
        "summary",
        "extends",
        "procedure",
        "council",
        "ring",
        "stages",
        "kind",
        "speak",
        "vote",
        "propose",
        "merge",
        "estimate",
        "floor",
        "parallel",
        "sequential",
        "rounds",
        "early",
        "rule",
        "pass",
        "quorum",
        "2/3",
        "1/2",
        "turn",
        "limit_ms",
        "roles",
        "panel",
        "knob",
        "min",
        "max",
        "default",
        "motion",
        "watch",
        "collaborative",
        "blind-vote",
        "ring-default",
    ];
    fuzz("charter", Grammar::Toml, known, targets::charter);
}

#[test]
fn numbers_of_triggers() {
    let known = &[
        "monitor",
        "trigger",
        "charters",
        "window_ms",
        "at",
        "cooldown_ms",
        "0.6",
        "60/100",
        "phases",
        "reasons",
        "high",
    ];
    fuzz("triggers", Grammar::Toml, known, targets::triggers);
}

#[test]
fn numbers_shares_ids_and_questions() {
    let known = &[
        "1,234.5",
        "1.234,5",
        "1e6",
        "1/3",
        "67%",
        "0.6666666666666666",
        "~3",
        "3-5",
        "3 to 5",
        "ms",
        "k",
        "million",
        "m57",
        "57.2",
        "m0",
        "true",
        "Which",
        "Should we",
        "How many",
        "?",
        "or",
        "\n",
    ];
    fuzz("scalars", Grammar::Text, known, targets::scalars);
}

#[test]
fn acts() {
    let known = &[
        "at", "by", "command", "key", "outcome", "done", "refused", "code", "message", "seq", "operator",
        "engine", "tick", "found",
    ];
    fuzz("act", Grammar::Json, known, targets::act);
}

#[test]
fn snapshots() {
    fuzz("snapshot", Grammar::Json, &["form", "next", "house", "cases"], targets::snapshot);
}
