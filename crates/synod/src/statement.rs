//! A receipt in the formats of others: an in-toto statement in a DSSE envelope, and an Open Decision Receipt. Both say what the receipt says and
//! nothing more; where the receipt knows nothing, they say that it is absent.

use serde_json::{Value, json};
use synod_core::kernel::Who;
use synod_core::view::{self, ReceiptBody};
use synod_journal::{HouseKey, ReceiptError, canon, envelope, odr_signature};

/// What the in-toto statements of receipts are about.
pub(crate) const PREDICATE: &str = "https://synod.dev/receipt/v1";

/// The in-toto statement of a receipt in a signed envelope. The subject is the act that settled the matter.
pub(crate) fn dsse(key: &HouseKey, body: &ReceiptBody) -> Result<String, ReceiptError> {
    let predicate = value(body)?;
    let statement = json!({
        "_type": "https://in-toto.io/Statement/v1",
        "subject": [{
            "name": format!("{} act {}", body.matter, body.journal.seq),
            "digest": { "sha256": body.journal.hash.to_string() },
        }],
        "predicateType": PREDICATE,
        "predicate": predicate,
    });
    let signed = envelope(key, "application/vnd.in-toto+json", &canon::to_string(&statement)?);
    Ok(canon::to_string(&signed)? + "\n")
}

fn value(body: &ReceiptBody) -> Result<Value, ReceiptError> {
    crate::json::value(&body).map_err(|error| ReceiptError::NotJson(error.to_string()))
}

/// Stands for the one number with a fraction, which our canonical JSON does not write.
const CONFIDENCE: &str = "@confidence@";

/// The receipt as an Open Decision Receipt, version 0.2.
pub(crate) fn odr(key: &HouseKey, body: &ReceiptBody) -> Result<String, ReceiptError> {
    let signature = odr_signature(key, &unsigned_odr(body)?)?;
    let mut signed = document(body)?;
    signed["signatures"] = json!([signature]);
    Ok(spelled(body, &signed)? + "\n")
}

/// The same without its signature: the bytes that are signed.
pub(crate) fn unsigned_odr(body: &ReceiptBody) -> Result<String, ReceiptError> {
    spelled(body, &document(body)?)
}

/// The canonical JSON of such a document, with its one fraction.
fn spelled(body: &ReceiptBody, document: &Value) -> Result<String, ReceiptError> {
    let fraction = body.confidence.map(|confidence| {
        let permille = value_of(&confidence);
        let text = format!("{}.{:03}", permille / 1000, permille % 1000);
        text.trim_end_matches('0').trim_end_matches('.').to_string()
    });
    let text = canon::to_string(document)?;
    Ok(match fraction {
        Some(fraction) => text.replacen(&format!("\"{CONFIDENCE}\""), &fraction, 1),
        None => text,
    })
}

fn value_of(confidence: &impl serde::Serialize) -> u64 {
    crate::json::value(&confidence).ok().and_then(|value| value.as_u64()).unwrap_or_default().min(1000)
}

fn document(body: &ReceiptBody) -> Result<Value, ReceiptError> {
    let absent = |reason: &str| json!({ "status": "absent", "reason": reason });
    let whole = value(body)?;
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), Into::into);
    let decision = text(&whole["decision"]);
    let dissenting: Vec<Value> = body.dissent.iter().map(|row| json!(row.who)).collect();
    let views: Vec<String> =
        whole["dissent"].as_array().into_iter().flatten().map(Value::to_string).collect();
    let families: Vec<String> = {
        let mut known: Vec<String> =
            body.seats.iter().filter_map(|seat| family(seat.model.as_deref())).collect();
        known.sort();
        known.dedup();
        known
    };
    let participants: Vec<Value> = body
        .seats
        .iter()
        .map(|seat| {
            let model = seat.answered_by.first().or(seat.model.as_ref());
            json!({
                "agent": seat.who,
                "model_family": family(seat.model.as_deref()).unwrap_or_else(|| "undisclosed".into()),
                "model_id": model.map_or("undisclosed", String::as_str),
            })
        })
        .collect();
    let against = |who: &Value| dissenting.contains(who);
    let voted = body.seats.iter().filter(|seat| seat.vote.is_some() || !seat.grades.is_empty());
    let supporting: Vec<Value> = voted.map(|seat| json!(seat.who)).filter(|who| !against(who)).collect();
    let confidence = match body.confidence {
        Some(_) => json!({
            "status": "present", "value": CONFIDENCE, "scale": "unit_interval",
            "calibration": absent("the receipt does not say how often seats were right"),
        }),
        None => absent("no vote of the winning side states a confidence"),
    };
    Ok(json!({
        "odr_version": "0.2",
        "profile": "https://aragora.ai/specs/open-decision-receipt/v0.2",
        "receipt_id": format!("{}@{}", body.matter, body.journal.hash),
        "issued_at": body.settled.to_string(),
        "subject": {
            "identifier": body.matter.to_string(),
            "digest": { "status": "present", "alg": "sha-256", "value": body.journal.hash.to_string() },
            "summary": body.question.topic,
        },
        "claim": { "verdict": decision.to_uppercase(), "statement": body.headline },
        "reasoning": { "status": "present", "summary": body.headline },
        "quorum": if nobody_voted(body) { absent("nobody voted: an issue is resolved by one comment") } else { json!({
            "status": "present",
            "method": format!("charter {} ({})", body.charter.name, body.charter.digest),
            "reached": decision != "undecided",
            "supporting_agents": supporting,
            "participants": participants,
            "independence": {
                "disclosed": !families.is_empty(),
                "distinct_model_families": families.len(),
                "model_families": families,
            },
            "dissent": { "present": !dissenting.is_empty(), "dissenting_agents": dissenting, "views": views },
        }) },
        "confidence": confidence,
        "cruxes": absent("the receipt does not name single points on which the result turned"),
        "attestation": attestation(body),
        "routing": { "status": "reserved" },
        "source": {
            "system": "synod", "schema": body.format, "receipt_id": body.matter.to_string(),
            "artifact_hash": body.journal.hash.to_string(),
        },
    }))
}

/// Whether a matter was settled without a vote and without seats, as an issue is.
fn nobody_voted(body: &ReceiptBody) -> bool {
    body.seats.is_empty() && body.tally.is_none() && body.ring.is_none()
}

/// Who answers for the decision: the user, where they forced it, else nobody but the participants.
fn attestation(body: &ReceiptBody) -> Value {
    match view::forced_by(&body.caveats) {
        Some(who) if who == Who::USER => json!({
            "disposition": "human_attested",
            "attestor": { "id": who, "role": "the person who runs the house" },
            "attested_at": body.settled.to_string(),
            "method": "forced, whatever the thread had come to",
        }),
        Some(_) | None => json!({ "disposition": "autonomous" }),
    }
}

/// The maker of a model, as far as its name says: `openai` of `openai:gpt-4.1`.
fn family(model: Option<&str>) -> Option<String> {
    let (maker, _) = model?.split_once([':', '/', '-'])?;
    Some(maker.into())
}
