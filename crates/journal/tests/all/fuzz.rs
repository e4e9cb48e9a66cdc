//! Hostile inputs for everything that the journal reads of others.

#[path = "../../../../fuzz/mutate.rs"]
mod mutate;
#[path = "../../../../fuzz/targets/journal.rs"]
mod targets;

use mutate::{Grammar, fuzz};

#[test]
fn canonical_json() {
    let known = &["a", "b", "\\u0041", "\\/", "1.0", "1e2", "-0", "9007199254740993", " ", "\u{e9}"];
    fuzz("canonical", Grammar::Json, known, targets::canonical);
}

#[test]
fn receipts() {
    let known = &["body", "key", "signature", "a5", "matter", "headline"];
    fuzz("receipt", Grammar::Json, known, targets::receipt);
}

#[test]
fn records() {
    let known =
        &["at", "by", "command", "outcome", "prev", "seq", "v", "done", "refused", "operator", "found"];
    fuzz("record", Grammar::Json, known, targets::record);
}

#[test]
fn proofs_notes_and_policies() {
    let known = &[
        "c2sp.org/tlog-proof@v1\n",
        "\n\n",
        "\u{2014} ",
        "index ",
        "extra ",
        "log ",
        "witness ",
        "group ",
        "quorum ",
        "none",
        "any",
        "all",
        "+",
        "=",
        "AQ==",
    ];
    fuzz("proof", Grammar::Text, known, targets::proof);
}
