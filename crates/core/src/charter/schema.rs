//! The JSON Schema of a charter file, for editors and for the reference page. A test holds it to the keys
//! that the reader knows; what holds if a key is left out comes from `defaults`.

use serde_json::{Value, json};

use super::defaults::{self as usual, Limited};
use super::{Knob, OWN_TABLES};
use crate::ballot::{Method, Secrecy, Weights};
use crate::kernel::{Ratio, Threshold};
use crate::ledger::Factor;

pub(super) fn text(about: &str) -> Value {
    json!({ "type": "string", "description": about })
}

fn texts(about: &str) -> Value {
    json!({ "type": "array", "items": { "type": "string" }, "description": about })
}

pub(super) fn words(words: &[&str], about: &str) -> Value {
    json!({ "type": "string", "enum": words, "description": about })
}

fn bool(about: &str) -> Value {
    json!({ "type": "boolean", "description": about })
}

pub(super) fn knob(about: &str) -> Value {
    let whole = json!({ "type": "integer", "minimum": 0 });
    json!({
        "description": about,
        "oneOf": [
            whole,
            {
                "type": "object",
                "properties": { "is": whole, "from": whole, "to": whole },
                "required": ["is", "from", "to"],
                "additionalProperties": false,
            },
        ],
    })
}

fn fraction(about: &str) -> Value {
    json!({ "type": ["string", "number"], "description": about, "examples": ["2/3", "60%"] })
}

/// A share that may be moved.
fn movable_share(about: &str, examples: [&str; 2], from: &str) -> Value {
    let share = json!({ "type": ["string", "number"] });
    json!({
        "description": about,
        "examples": [examples[0], examples[1], { "is": examples[0], "from": from, "to": "1" }],
        "anyOf": [
            share,
            {
                "type": "object",
                "properties": { "is": share, "from": share, "to": share },
                "required": ["is", "from", "to"],
                "additionalProperties": false,
            },
        ],
    })
}

pub(super) fn threshold(about: &str) -> Value {
    movable_share(about, ["> 1/2", ">= 2/3"], "1/2")
}

/// A value that may be left out: the description and the keyword `default` say what holds then.
fn or(mut value: Value, shown: &str, default: Value) -> Value {
    let about = value["description"].as_str().unwrap_or_default();
    value["description"] = format!("{about} {shown} if left out.").into();
    value["default"] = default;
    value
}

pub(super) fn knob_or(about: &str, knob: Knob) -> Value {
    let Knob { is, from, to } = knob;
    match knob.is_fixed() {
        true => or(self::knob(about), &is.to_string(), is.into()),
        false => {
            let shown = format!("{is}, movable from {from} to {to},");
            or(self::knob(about), &shown, json!({ "is": is, "from": from, "to": to }))
        }
    }
}

pub(super) fn limited(about: &str, limits: Limited) -> Value {
    let Limited { usual, least, most } = limits;
    let value = json!({ "type": "integer", "minimum": least, "maximum": most, "description": about });
    or(value, &usual.to_string(), usual.into())
}

pub(super) fn threshold_or(about: &str, default: Threshold) -> Value {
    or(threshold(about), &format!("\"{default}\""), default.to_string().into())
}

pub(super) fn bool_or(about: &str, default: bool) -> Value {
    or(bool(about), if default { "True" } else { "False" }, default.into())
}

pub(super) fn words_or(list: &[&str], about: &str, default: &str) -> Value {
    or(words(list, about), &format!("`{default}`"), default.into())
}

pub(super) fn texts_or(about: &str, default: &[&str]) -> Value {
    or(texts(about), &default.join(", "), default.into())
}

pub(super) fn fraction_or(about: &str, default: Ratio) -> Value {
    or(fraction(about), &format!("\"{default}\""), default.to_string().into())
}

/// A part of a whole that may be moved.
pub(super) fn part_or(about: &str, default: Ratio) -> Value {
    or(movable_share(about, ["1/2", "60%"], "0"), &format!("\"{default}\""), default.to_string().into())
}

pub(super) fn factor_or(about: &str, default: Factor) -> Value {
    let value = json!({ "type": ["string", "number"], "description": about, "examples": [1.5, "0.25"] });
    or(value, &default.to_string(), default.to_string().into())
}

pub(super) fn table(properties: Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

fn list(item: Value, about: &str) -> Value {
    json!({ "type": "array", "minItems": 1, "items": item, "description": about })
}

/// The schema.
pub fn schema() -> Value {
    let mut schema = table(
        json!({
            "name": text("The name commands use: a to z, 0 to 9 and `-`."),
            "extends": text("A charter whose settings this one takes over where it says nothing else: a shipped one, or the file NAME.toml beside this one. Tables merge key by key; everything else is replaced whole."),
            "without": texts("What of the extended charter is not taken over, such as `tools` or `gate.moved_by`."),
            "base": bool("True for a file that only others extend: no matter can be held under it."),
            "title": text("The name people read."),
            "summary": text("What the mode is for, in a sentence or two."),
            "turn": turn(),
            "gate": gate(),
            "ballot": ballot(),
            "brief": brief(),
            "stage": list(stage(), "What happens, in order. The last stage is a vote without `early`, or an estimate."),
            "watch": watch(),
            "lens": lens(),
            "tools": tools(),
            "roles": roles(),
            "role": list(role(), "The roles that [roles] assigns."),
            "parliament": super::parliament::schema(),
            "motion": list(super::motion::schema(), "Kinds of motion that need another share than `ballot.pass`; a matter names one."),
            "personas": texts("Points of view for seats that share a model and were given none, in turn."),
            "perspective": list(perspective(), "Fields that the seats speak for, in turn, unless a matter gives others."),
        }),
        &["name", "title", "summary"],
    );
    // A council has stages and a brief; other procedures have a table of their own. The rest may come from another
    // charter.
    let mut whole = vec![
        json!({ "required": ["extends"] }),
        json!({ "properties": { "base": { "const": true } }, "required": ["base"] }),
    ];
    for own in OWN_TABLES {
        schema["properties"][own.key] = (own.schema)();
        whole.push(json!({ "required": ["ballot", own.key] }));
    }
    whole.push(json!({ "required": ["ballot", "brief", "stage"] }));
    schema["anyOf"] = whole.into();
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema["title"] = "A Synod charter".into();
    schema
}

fn turn() -> Value {
    use usual::turn::{ABSENT_AFTER, HISTORY_CHARS, LIMIT_MS, PERSON_LIMIT_MS, QUEUE_MS, WORDS};
    table(
        json!({
            "limit_ms": knob_or("How long a seat may take, from when its turn starts.", LIMIT_MS),
            "person_limit_ms": knob_or("The same for a person.", PERSON_LIMIT_MS),
            "queue_ms": knob_or("How long a turn may wait until it starts.", QUEUE_MS),
            "absent_after": knob_or("A seat that misses this many turns in a row is not called again.", ABSENT_AFTER),
            "history_chars": knob_or("How many characters of what was said a brief repeats. The last round stands in full while it fits; older rounds are digested.", HISTORY_CHARS),
            "words": knob_or("How long a statement should be at most, in words. Seats read this number; longer statements are not refused.", WORDS),
        }),
        &[],
    )
}

fn watch() -> Value {
    use usual::watch::{CONFIDENCE, CONSENSUS, EARLY, GROUPTHINK, STILL_ROUNDS};
    table(
        json!({
            "groupthink": bool_or("Look for signs of groupthink.", GROUPTHINK),
            "consensus": threshold_or("The share of agreement that ends a stage early.", CONSENSUS),
            "confidence": threshold_or("How sure every seat must be for a stage to end early.", CONFIDENCE),
            "still_rounds": limited("If no position changes for this many rounds, the stage ends early.", STILL_ROUNDS),
            "early": knob_or("1 if these may end a stage before its last round, 0 if not.", EARLY),
        }),
        &[],
    )
}

fn lens() -> Value {
    let word = words(&["anonymize", "statistics"], "What is done.");
    let about = "`anonymize` hides who spoke; `statistics` shows the figures of the last round.";
    table(json!({ "transforms": { "type": "array", "items": word, "description": about } }), &["transforms"])
}

fn tools() -> Value {
    table(
        json!({
            "encouraged": texts("What seats with tools should use."),
            "discouraged": texts("What they should not use."),
            "reason": text("Why."),
        }),
        &["reason"],
    )
}

fn roles() -> Value {
    table(
        json!({
            "by_seats": texts("Entry n names the roles of n seats in seat order, separated by spaces."),
            "beyond": texts("The roles of further seats, in turn."),
            "yes_no_only": bool_or("Roles are assigned for yes-or-no questions only; where there are options, every seat speaks for itself.", false),
        }),
        &["beyond"],
    )
}

fn role() -> Value {
    table(
        json!({
            "name": text("One word, as used in [roles]."),
            "emoji": text("A symbol that is easy to spot in logs."),
            "title": text("The role in a word or two."),
            "definition": text("What the role is."),
            "mission": text("What it is for."),
            "must": texts("What the seat must do."),
            "must_not": texts("What it must not do."),
            "expects": words(&["YES", "NO", "NEUTRAL"], "The side that is assigned to the role. Such statements never count as free opinion."),
        }),
        &["name", "emoji", "title", "definition", "mission"],
    )
}

fn perspective() -> Value {
    table(json!({ "name": text("The field."), "view": text("What it looks at.") }), &["name", "view"])
}

fn gate() -> Value {
    use usual::gate::{CHARS_MOST, STANCE_REQUIRED};
    table(
        json!({
            "stance_required": bool_or("Mark a statement without a stance.", STANCE_REQUIRED),
            "confidence_least": fraction("Mark a statement whose confidence is lower or missing."),
            "confidence_most": fraction("Mark a statement whose confidence is higher or missing."),
            "required_fields": texts("Sections that are marked if they are empty."),
            "chars_most": limited("The longest answer in characters; a longer one is rejected.", CHARS_MOST),
            "moved_by": text("The section of later rounds that must name the argument when a stance changes; otherwise the change is marked as conformity."),
        }),
        &[],
    )
}

fn ballot() -> Value {
    use usual::ballot::{
        CHANGE, CHANGE_NEEDS_ARGUMENT, DELEGATION, METHOD, SECRECY, UNPARSED_RETRIES, WEIGHTS,
    };
    let method = Method::ALL.iter().find(|(_, method)| *method == METHOD).map_or("", |(word, _)| word);
    let secrecies = [Secrecy::Open, Secrecy::UntilClosed, Secrecy::Secret].map(Secrecy::word);
    table(
        json!({
            "pass": threshold("The share that carries the question or an option. A decimal is taken literally."),
            "basis": words(&["cast", "votes", "present", "seats"], "What the share is taken of."),
            "quorum": movable_share("The part of the seats that must vote, abstentions included; rounded up.", ["2/3", "60%"], "1/2"),
            "tie": words(&["fails", "undecided", "earlier"], "What a tie means."),
            "change_needs_argument": bool_or("Mark a changed vote that names no new argument as conformity.", CHANGE_NEEDS_ARGUMENT),
            "method": words_or(&Method::ALL.map(|(word, _)| word), "How ballots with options are marked and counted; a question without options is a plain vote.", method),
            "secrecy": words_or(&secrecies, "Who can see how a seat voted.", SECRECY.word()),
            "weights": words_or(&Weights::ALL.map(Weights::word), "What a vote counts for: `none`: one vote; `confidence`: as much of one as the voter is sure; `reliability`: as much as the voter's track record is worth.", WEIGHTS.word()),
            "record": record(),
            "veto": texts("Seats that can block what they vote against."),
            "delegation": bool_or("A seat may pass its vote to another seat.", DELEGATION),
            "change": bool_or("A vote may be changed while voting lasts, where participants vote by themselves; the last one counts. In a debate a seat votes once.", CHANGE),
            "unparsed_retries": limited("How often a seat is asked again if its vote cannot be read. A ring does not read this.", UNPARSED_RETRIES),
        }),
        &["pass", "basis", "quorum", "tie"],
    )
}

fn record() -> Value {
    use usual::ballot::{RECORD_LEAST, RECORD_SHRINK, RECORD_TOP};
    let Limited { least, most, .. } = RECORD_TOP;
    table(
        json!({
            "least": limited("How many matters with a known outcome make a track record. Unless half of the seats have one, each seat has one vote.", RECORD_LEAST),
            "shrink": limited("How many matters of average luck are added to each track record.", RECORD_SHRINK),
            "top": { "type": "integer", "minimum": least, "maximum": most, "description": "Only this many seats count, those with the best track records. All if left out." },
        }),
        &[],
    )
}

fn section() -> Value {
    let key = "a to z, 0 to 9 and `_`. `position`, `reasoning`, `key_points`, `citations` and `context_requests` have a meaning in every mode; other keys are sections of plain text.";
    let optional = bool_or("True if there may be nothing to say: seats write null then.", false);
    table(
        json!({ "key": text(key), "ask": text("What belongs there."), "optional": optional }),
        &["key", "ask"],
    )
}

fn brief() -> Value {
    let role = json!({
        "emoji": text("A symbol that is easy to spot in logs."),
        "title": text("The role in a word or two."),
        "definition": text("What the participant is."),
        "mission": text("What it is for."),
        "persistence": text("That this holds until the end."),
        "helpful": text("What helping means here."),
        "not_helpful": text("What it does not mean."),
    });
    let contract = json!({
        "must": texts("What a participant must do."),
        "must_not": texts("What it must not do."),
        "priority": texts("What comes first when duties conflict, most important first."),
        "failure": text("What makes an answer worthless."),
    });
    let of_role = ["emoji", "title", "definition", "mission", "persistence", "helpful", "not_helpful"];
    table(
        json!({
            "role": table(role, &of_role),
            "contract": table(contract, &["must", "must_not", "priority", "failure"]),
            "first": list(section(), "The sections of a statement in round one."),
            "later": list(section(), "The sections of a statement in later rounds."),
            "checklist": texts("What to check before answering."),
        }),
        &["role", "contract", "first", "later", "checklist"],
    )
}

fn stage() -> Value {
    use usual::stage::{CRUX, ROUNDS, STANCES, UNTIL_STILL};
    table(
        json!({
            "name": text("Unique in the charter. Settings of the stage go by it: `debate.rounds`."),
            "kind": words(&["speak", "vote", "propose", "merge", "estimate", "second", "red-team"], "What happens: the seats speak, vote, propose answers to an open question, say which of them mean the same, or give numbers. `second` and `red-team` belong to a charter with [parliament]."),
            "floor": words(&["parallel", "sequential", "teams"], "How the floor is given; for kind = \"speak\"."),
            "sees": words(&["nothing", "earlier-rounds", "so-far", "team"], "What speakers see; for kind = \"speak\"."),
            "rounds": knob_or("The most rounds; for kind = \"speak\", or \"estimate\" (there 2 if left out).", ROUNDS),
            "until_clear": threshold("End the stage once this share of the stances is on one side."),
            "until_still": bool_or("End the stage once nobody changed their mind in a round.", UNTIL_STILL),
            "crux": bool_or("Debate only where the seats disagree.", CRUX),
            "panel": { "type": "array", "items": { "type": "integer", "minimum": 2 }, "description": "Ask this many seats first, and more only while they disagree; for independent drafts.", "examples": [[3, 5, 7]] },
            "early": threshold("With this share on one side the vote settles the matter; for kind = \"vote\"."),
            "stances": bool_or("A side that a seat took in the round before counts as its vote, and only the others are asked; for kind = \"vote\".", STANCES),
            "asks": knob("How many seats are asked, one after the other, whether they second the motion; for kind = \"second\" (there 10 if left out)."),
            "on": knob("1 if a red team speaks before the vote, 0 if not; for kind = \"red-team\" (there 1 if left out)."),
            "seats": knob("How many seats make the red team; for kind = \"red-team\" (there 5 if left out)."),
            "at": threshold("Call the red team only if the majority has at least this share; for kind = \"red-team\"."),
        }),
        &["name", "kind"],
    )
}
