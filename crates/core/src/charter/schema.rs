//! The JSON Schema of a charter file, for editors and for the reference page. A test holds it to the keys
//! that the reader knows.

use serde_json::{Value, json};

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

pub(super) fn whole(about: &str) -> Value {
    json!({ "type": "integer", "minimum": 0, "description": about })
}

fn fraction(about: &str) -> Value {
    json!({ "type": ["string", "number"], "description": about, "examples": ["2/3", "60%"] })
}

pub(super) fn threshold(about: &str) -> Value {
    json!({ "type": ["string", "number"], "description": about, "examples": ["> 1/2", ">= 2/3"] })
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
            "stage": list(stage(), "What happens, in order. The last stage is a vote without `early`."),
            "watch": watch(),
            "lens": lens(),
            "tools": tools(),
            "roles": roles(),
            "role": list(role(), "What each role of [roles] says to who plays it."),
            "ring": super::ring::schema(),
            "motion": list(super::motion::schema(), "Kinds of motion that are carried by another share than `ballot.pass`; a matter names one."),
            "perspective": list(perspective(), "Fields the seats speak for, in turn, unless others are given."),
        }),
        &["name", "title", "summary"],
    );
    // A ring has its own phases and words; a debate has stages and a brief. The rest may come from another charter.
    schema["anyOf"] = json!([
        { "required": ["extends"] },
        { "properties": { "base": { "const": true } }, "required": ["base"] },
        { "required": ["ballot", "ring"] },
        { "required": ["ballot", "brief", "stage"] },
    ]);
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
    schema["title"] = "A Synod charter".into();
    schema
}

fn turn() -> Value {
    table(
        json!({
            "limit_ms": knob("How long a seat may take once its turn is performed. 120000 if left out."),
            "person_limit_ms": knob("The same for a person. 3600000 if left out."),
            "queue_ms": knob("How long an ask may wait to be performed. 3600000 if left out."),
            "absent_after": knob("After so many lapses in a row a seat is not called any more. 2 if left out."),
            "history_chars": knob("How much of what was said a brief repeats before it becomes a digest. 8000 if left out."),
        }),
        &[],
    )
}

fn watch() -> Value {
    table(
        json!({
            "groupthink": bool("Signs of groupthink are looked for. True if left out."),
            "consensus": threshold("Agreement that ends a stage early. \">= 9/10\" if left out."),
            "confidence": threshold("How sure all must be for a stage to end early. \">= 17/20\" if left out."),
            "still_rounds": whole("Positions that did not move from round to round, so often, end a stage early. 2 if left out."),
            "early": knob("1 where these may end a stage before its last round, 0 where not. 1, movable, if left out."),
        }),
        &[],
    )
}

fn lens() -> Value {
    let word = words(&["anonymize", "statistics"], "What is done.");
    let about = "`anonymize` hides who spoke, `statistics` tells the last round in numbers.";
    table(json!({ "transforms": { "type": "array", "items": word, "description": about } }), &["transforms"])
}

fn tools() -> Value {
    table(
        json!({
            "encouraged": texts("What seats that have tools should use them for."),
            "discouraged": texts("What they should leave alone."),
            "reason": text("Why."),
        }),
        &["reason"],
    )
}

fn roles() -> Value {
    table(
        json!({
            "by_seats": texts("Line n names the roles of n seats in seat order, parted by blanks."),
            "beyond": texts("Roles of further seats, in turn."),
        }),
        &["beyond"],
    )
}

fn role() -> Value {
    table(
        json!({
            "name": text("In one word, as [roles] uses it."),
            "emoji": text("A sign that people find again in logs."),
            "title": text("The part in a word or two."),
            "definition": text("What the part is."),
            "mission": text("What it is there for."),
            "must": texts("What must be done in it."),
            "must_not": texts("What must not."),
            "expects": words(&["YES", "NO", "NEUTRAL"], "The side the part has to take. Such speech is never counted as free opinion."),
        }),
        &["name", "emoji", "title", "definition", "mission"],
    )
}

fn perspective() -> Value {
    table(json!({ "name": text("The field."), "view": text("What it looks at.") }), &["name", "view"])
}

fn gate() -> Value {
    table(
        json!({
            "stance_required": bool("A statement without a stance is marked."),
            "confidence_least": fraction("A lower or missing confidence is marked."),
            "confidence_most": fraction("A higher or missing confidence is marked."),
            "required_fields": texts("Sections that are marked when empty."),
            "chars_most": whole("A longer answer is turned away whole. 20000 if left out."),
            "moved_by": text("The section of later rounds that must name the argument when a stance changed; else the change is marked as conformity."),
        }),
        &[],
    )
}

fn ballot() -> Value {
    table(
        json!({
            "pass": threshold("What carries the question or an option. A decimal is taken literally."),
            "basis": words(&["cast", "votes", "present", "seats"], "What the share is taken of."),
            "quorum": fraction("The part of the seats that must vote, abstentions included; rounded up."),
            "tie": words(&["fails", "undecided", "earlier"], "What an equal division means."),
            "change_needs_argument": bool("A changed vote that names no new argument is marked as conformity."),
            "method": words(&crate::ballot::Method::ALL.map(|(word, _)| word), "How ballots with options are marked and counted; a plain question is a plain vote. plurality if left out."),
            "secrecy": words(&["open", "until-closed", "secret"], "Who learns how somebody voted. open if left out."),
            "weights": words(&crate::ballot::Weights::ALL.map(crate::ballot::Weights::word), "What a vote counts for: one vote, as much of one as the voter is sure, or as much as its record of being right is worth. none if left out."),
            "record": record(),
            "veto": texts("Seats that block what they turn down."),
            "delegation": bool("A seat may pass its vote on to another."),
            "change": bool("A vote may be changed while voting lasts, where participants vote by themselves; the last counts. In a debate an ask to vote is answered once."),
            "unparsed_retries": whole("How often a seat whose vote cannot be read is asked again. 1 if left out; never read in a ring."),
        }),
        &["pass", "basis", "quorum", "tie"],
    )
}

fn record() -> Value {
    table(
        json!({
            "least": whole("Matters with a known outcome that make a record. Unless half of the seats have one, it is one seat, one vote. 20 if left out."),
            "shrink": whole("So many matters of average luck are added to each record. 4 if left out."),
            "top": whole("Only so many seats count, those with the best records. All if left out."),
        }),
        &[],
    )
}

fn section() -> Value {
    let key = "a to z, 0 to 9 and `_`. `position`, `reasoning`, `key_points`, `citations` and `context_requests` mean something to the house.";
    table(json!({ "key": text(key), "ask": text("What belongs there.") }), &["key", "ask"])
}

fn brief() -> Value {
    let role = json!({
        "emoji": text("A sign that people find again in logs."),
        "title": text("The role in a word or two."),
        "definition": text("What the participant is."),
        "mission": text("What it is there for."),
        "persistence": text("That this holds to the end."),
        "helpful": text("What helping means here."),
        "not_helpful": text("What it does not mean."),
    });
    let contract = json!({
        "must": texts("What must be done."),
        "must_not": texts("What must not."),
        "priority": texts("What comes first when duties collide, first things first."),
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
    table(
        json!({
            "name": text("Unique in the charter."),
            "kind": words(&["speak", "vote"], "What happens."),
            "floor": words(&["parallel", "sequential", "teams"], "How the floor is given; for kind = \"speak\"."),
            "sees": words(&["nothing", "earlier-rounds", "so-far", "team"], "What speakers see; for kind = \"speak\"."),
            "rounds": knob("At most so many rounds. 1 if left out."),
            "until_clear": threshold("Ends the stage once the stances taken are so clear."),
            "until_still": bool("Ends the stage once a round moved nobody."),
            "crux": bool("Only what divides the seats is debated."),
            "panel": { "type": "array", "items": { "type": "integer", "minimum": 2 }, "description": "Ask so many seats, and more only while they do not agree; for independent drafts.", "examples": [[3, 5, 7]] },
            "early": threshold("With this share on one side the vote settles the matter; for kind = \"vote\"."),
        }),
        &["name", "kind"],
    )
}
