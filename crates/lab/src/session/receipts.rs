//! Receipts of our own: votes and what came out, without the speeches, which no receipt holds.

use serde_json::Value;

use super::{RecordedSession, RecordedVote, SessionSpeaker, SideCount, SpokenSide, StatedResult};

/// Reads the body of a receipt, whose signature somebody else checked. Says why where it cannot.
pub fn from_receipt(body: &Value) -> Result<RecordedSession, String> {
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).map(str::to_string);
    let format = text(body, "format").ok_or("it has no `format`")?;
    if format != "synod-receipt/1" {
        return Err(format!("its format is `{format}`; this build reads `synod-receipt/1`"));
    }
    let question = body.get("question").ok_or("it has no `question`")?;
    if !is_yes_or_no(body, question) {
        return Err("it is not about a yes-or-no question; sessions are for and against".into());
    }
    let seats = body.get("seats").and_then(Value::as_array).ok_or("it has no `seats`")?;
    let (mut speakers, mut votes) = (Vec::new(), Vec::new());
    for seat in seats {
        let name = text(seat, "who").ok_or("a seat has no name")?;
        if let Some(vote) = seat.get("vote").filter(|vote| !vote.is_null()) {
            let side = vote.as_str().and_then(SpokenSide::parse);
            let side =
                side.ok_or_else(|| format!("`{name}` has the vote {vote}, which is not yes, no or neutral"))?;
            votes.push(RecordedVote { speaker: name.clone(), side: Some(side) });
        }
        speakers.push(SessionSpeaker { model: text(seat, "model"), name, ..SessionSpeaker::default() });
    }
    let unparsed = body.get("unparsed").and_then(Value::as_array).into_iter().flatten();
    for name in unparsed.filter_map(Value::as_str) {
        if !votes.iter().any(|vote| vote.speaker == name) {
            votes.push(RecordedVote { speaker: name.into(), side: None });
        }
    }
    Ok(RecordedSession {
        origin: "receipt".into(),
        name: text(body, "matter").unwrap_or_else(|| "receipt".into()),
        motion: text(question, "topic").unwrap_or_default(),
        charter: body.get("charter").and_then(|charter| text(charter, "digest")),
        speakers,
        votes,
        notes: vec!["a receipt holds votes and no speeches".into()],
        stated: stated(body),
        ..RecordedSession::default()
    })
}

fn is_yes_or_no(body: &Value, question: &Value) -> bool {
    let options = question.get("options").and_then(Value::as_array).map_or(0, Vec::len);
    options == 0 && ["estimate", "ring"].iter().all(|other| body.get(other).is_none_or(Value::is_null))
}

fn stated(body: &Value) -> Option<StatedResult> {
    let tally = body.get("tally").filter(|tally| !tally.is_null())?;
    let number = |key: &str| tally.get(key).and_then(Value::as_u64).and_then(|many| u32::try_from(many).ok());
    let count = SideCount {
        yes: number("yes")?,
        no: number("no")?,
        neutral: number("neutral")?,
        unknown: number("unparsed").unwrap_or(0),
    };
    let decision = body.get("decision")?;
    let passed = match decision {
        Value::String(word) if word == "rejected" => Some(false),
        Value::Object(fields) if fields.contains_key("passed") => Some(true),
        _ => None,
    };
    Some(StatedResult { count, passed })
}
