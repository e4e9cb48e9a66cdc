//! The one reader of observations and requests.
//!
//! Nothing is guessed: a field that is missing, of another type or not known is an error that names it.

use serde_json::{Map, Value};
use synod_core::kernel::{Permille, Priority, Stance, Who, text};
use synod_core::monitor::{Observation, ObservedAction};
use synod_core::trigger::{CouncilRequest, TriggerCause};

/// The reason why input cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum UnreadableInput {
    /// It does not have the form: a field is missing, unknown or of another type.
    Form(String),
    /// It has the form, and a value in it means nothing here.
    Meaning(String),
}

impl UnreadableInput {
    /// What is wrong, in words.
    pub(crate) fn words(self) -> String {
        match self {
            Self::Form(words) | Self::Meaning(words) => words,
        }
    }
}

type ReadResult<T> = std::result::Result<T, UnreadableInput>;

fn form<T>(words: String) -> ReadResult<T> {
    Err(UnreadableInput::Form(words))
}

/// What can be seen: the word and the fields that go with it.
const SEEN: [(&str, &str); 9] = [
    ("write", "path"),
    ("read", "path"),
    ("opinion", "topic, text, stance (optional: for, against, neutral)"),
    ("correction", "text (optional)"),
    ("insight", "subject, text"),
    ("progress", "text (optional), done (optional: true, false)"),
    ("escalation", "text (optional)"),
    ("pending", "topic"),
    ("decided", "topic"),
];

/// What can call a council, likewise.
const CAUSES: [(&str, &str); 6] = [
    ("user", "topic, priority (optional)"),
    ("agent", "agent, reason, confidence"),
    ("checkpoint", "name, flagged (optional)"),
    ("phase", "from, to"),
    ("threshold", "name, value"),
    ("scheduled", "nothing"),
];

/// One line: `{"agent":"ann","kind":"write","path":"src/a.rs"}`.
pub(crate) fn from_line(line: &str) -> std::result::Result<Observation, String> {
    let wrong = |error: serde_json::Error| {
        // The line is the caller's to count.
        let (said, column) = (error.to_string(), error.column());
        let said = said.split(" at line ").next().unwrap_or_default().to_string();
        format!("this is not JSON: {said} at column {column}")
    };
    observation(serde_json::from_str(line).map_err(wrong)?).map_err(UnreadableInput::words)
}

/// An observation.
pub(crate) fn observation(value: Value) -> ReadResult<Observation> {
    let mut fields = ObjectFields::of(value)?;
    let name = fields.name("agent")?;
    let kind = fields.text("kind")?;
    let seen = match kind.as_str() {
        "write" => ObservedAction::Write { path: fields.text("path")? },
        "read" => ObservedAction::Read { path: fields.text("path")? },
        "opinion" => ObservedAction::Opinion {
            stance: fields.word("stance", &STANCES)?,
            text: fields.text("text")?,
            topic: fields.text("topic")?,
        },
        "correction" => ObservedAction::Correction { text: fields.optional("text")? },
        "insight" => ObservedAction::Insight { subject: fields.text("subject")?, text: fields.text("text")? },
        "progress" => ObservedAction::Progress { done: fields.flag("done")?, text: fields.optional("text")? },
        "escalation" => ObservedAction::Escalation { text: fields.optional("text")? },
        "pending" => ObservedAction::Pending { topic: fields.text("topic")? },
        "decided" => ObservedAction::Decided { topic: fields.text("topic")? },
        other => return form(unknown("kind", other, SEEN.iter().map(|(word, _)| *word))),
    };
    fields.end(&kind, &SEEN)?;
    Ok(Observation { agent: who("agent", &name)?, seen })
}

/// A request for a council: `{"kind":"agent","agent":"ann","reason":"security risk","confidence":0.8}`, and with
/// each kind, if wanted, `topic`, `description` and `participants`.
pub(crate) fn request(value: Value) -> ReadResult<CouncilRequest> {
    let mut fields = ObjectFields::of(value)?;
    let kind = fields.text("kind")?;
    let cause = match kind.as_str() {
        "user" => TriggerCause::User { priority: fields.word("priority", &Priority::WORDS)? },
        "agent" => TriggerCause::Agent {
            confidence: fields.share("confidence")?,
            reason: fields.text("reason")?,
            agent: who("agent", &fields.name("agent")?)?,
        },
        "checkpoint" => {
            TriggerCause::Checkpoint { flagged: fields.flag("flagged")?, name: fields.text("name")? }
        }
        "phase" => TriggerCause::Phase { from: fields.text("from")?, to: fields.text("to")? },
        "threshold" => TriggerCause::Threshold { name: fields.text("name")?, value: fields.share("value")? },
        "scheduled" => TriggerCause::Scheduled,
        other => return form(unknown("kind", other, CAUSES.iter().map(|(word, _)| *word))),
    };
    let request = CouncilRequest {
        cause,
        description: fields.optional("description")?,
        participants: fields.names("participants")?,
        topic: fields.optional("topic")?,
    };
    fields.end(&kind, &CAUSES)?;
    Ok(request)
}

const STANCES: [(&str, Stance); 3] =
    [("for", Stance::For), ("against", Stance::Against), ("neutral", Stance::Neutral)];

/// Who is meant by a name; asked last, as what lacks the form is told first.
fn who(key: &str, name: &str) -> ReadResult<Who> {
    Who::parse(name).map_err(|wrong| UnreadableInput::Meaning(format!("`{key}`: {wrong}")))
}

/// The fields of an object, taken one by one.
struct ObjectFields(Map<String, Value>);

impl ObjectFields {
    fn of(value: Value) -> ReadResult<Self> {
        match value {
            Value::Object(fields) => Ok(Self(fields)),
            other => form(format!(
                "this is {}, and an object like {{\"agent\":…,\"kind\":…}} is needed",
                a(&other)
            )),
        }
    }

    /// The value of a field; null is as good as nothing.
    fn take(&mut self, key: &str) -> Option<Value> {
        self.0.remove(key).filter(|value| !value.is_null())
    }

    fn optional(&mut self, key: &str) -> ReadResult<Option<String>> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => form(format!("`{key}` is {}: write a text in quotes", a(&other))),
        }
    }

    fn text(&mut self, key: &str) -> ReadResult<String> {
        self.optional(key)?.ok_or_else(|| UnreadableInput::Form(format!("`{key}` is missing")))
    }

    fn flag(&mut self, key: &str) -> ReadResult<bool> {
        match self.take(key) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(other) => form(format!("`{key}` is {}: write true or false", a(&other))),
        }
    }

    /// A fraction, read as it was written: no float comes between.
    fn share(&mut self, key: &str) -> ReadResult<Permille> {
        let written = match self.take(key) {
            None => return form(format!("`{key}` is missing")),
            Some(Value::Number(number)) => number.to_string(),
            // A number in quotes is a slip that schemas refuse.
            Some(other) => return form(format!("`{key}` is {}: write a number from 0 to 1", a(&other))),
        };
        written.parse().map_err(|error| UnreadableInput::Form(format!("`{key}`: {error}")))
    }

    fn name(&mut self, key: &str) -> ReadResult<String> {
        let name = self.text(key)?;
        if name.is_empty() {
            return form(format!("`{key}` is empty: write a name"));
        }
        Ok(name)
    }

    fn names(&mut self, key: &str) -> ReadResult<Vec<Who>> {
        let wrong =
            || UnreadableInput::Form(format!("`{key}` is not a list of names: write [\"ann\", \"bob\"]"));
        match self.take(key) {
            None => Ok(Vec::new()),
            Some(Value::Array(names)) => {
                let who = |name: &Value| {
                    let name = name.as_str().ok_or_else(wrong)?;
                    Who::parse(name).map_err(|wrong| UnreadableInput::Meaning(format!("`{key}`: {wrong}")))
                };
                names.iter().map(who).collect()
            }
            Some(_) => Err(wrong()),
        }
    }

    fn word<T: Copy>(&mut self, key: &str, words: &[(&str, T)]) -> ReadResult<Option<T>> {
        let Some(written) = self.optional(key)? else { return Ok(None) };
        match words.iter().find(|(word, _)| *word == written) {
            Some((_, value)) => Ok(Some(*value)),
            None => form(unknown(key, &written, words.iter().map(|(word, _)| *word))),
        }
    }

    /// Refuses what nobody asked for: a slip of the pen must not be taken for nothing.
    fn end(self, kind: &str, kinds: &[(&str, &str)]) -> ReadResult<()> {
        let Some(key) = self.0.keys().next() else { return Ok(()) };
        let takes = kinds.iter().find(|(word, _)| *word == kind).map_or("nothing", |(_, takes)| takes);
        form(format!("`{}` is not known here: {kind} takes {takes}", text::excerpt(&text::one_line(key), 40)))
    }
}

fn a(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

fn unknown<'a>(key: &str, written: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    let near = text::nearest(written, known.clone()).map(|near| format!(" Did you mean `{near}`?"));
    let known = known.collect::<Vec<_>>().join(", ");
    let shown = text::one_line(&text::excerpt(written, 40));
    format!("`{key}` is `{shown}`, which is not known.{} Known: {known}", near.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::{Called, Observed};
    use super::*;

    #[test]
    fn triggers_are_read_as_written() {
        let read =
            request(json!({ "kind": "agent", "agent": "Ann", "reason": "security risk", "confidence": 0.6,
                                   "participants": ["bob"], "description": "d" }));
        let read = read.expect("it is good");
        let confidence = Permille::new(600).expect("it is");
        let agent = Who::parse("ann").expect("a name");
        assert_eq!(read.cause, TriggerCause::Agent { agent, confidence, reason: "security risk".into() });
        assert_eq!(read.participants.len(), 1);
        let read =
            request(json!({ "kind": "threshold", "name": "risk", "value": 0.59 })).expect("it is good");
        assert!(matches!(read.cause, TriggerCause::Threshold { value, .. } if value.get() == 590));
        for (written, thousandths) in [
            ("0.61234567", 612),
            ("1e-1", 100),
            ("5e-1", 500),
            ("1", 1000),
            ("0", 0),
            ("1e-9", 0),
            ("0.1e1", 1000),
        ] {
            let body = format!(r#"{{"kind":"threshold","name":"risk","value":{written}}}"#);
            let read = request(serde_json::from_str(&body).expect("JSON")).expect("it is good");
            assert!(
                matches!(read.cause, TriggerCause::Threshold { value, .. } if value.get() == thousandths),
                "{written}"
            );
        }
    }

    #[test]
    fn what_is_written_is_read_as_the_same() {
        for value in [
            json!({ "kind": "user", "priority": "high", "topic": "Now?" }),
            json!({ "kind": "agent", "agent": "ann", "reason": "risk", "confidence": 0.607, "participants": ["bob"] }),
            json!({ "kind": "checkpoint", "name": "api_design", "flagged": true, "description": "d" }),
            json!({ "kind": "phase", "from": "design", "to": "work" }),
            json!({ "kind": "threshold", "name": "risk", "value": 1 }),
            json!({ "kind": "scheduled" }),
        ] {
            let read = request(value).expect("it is good");
            let written = serde_json::to_value(Called::from(&read)).expect("JSON");
            assert_eq!(request(written), Ok(read));
        }
        for (kind, _) in SEEN {
            let value = json!({ "agent": "ann", "kind": kind, "path": "a", "topic": "t", "text": "x", "subject": "s" });
            let mut fields = value.as_object().cloned().expect("an object");
            // Only what this kind takes.
            let takes = SEEN.iter().find(|(word, _)| *word == kind).map_or("", |(_, takes)| takes);
            fields.retain(|key, _| ["agent", "kind"].contains(&key.as_str()) || takes.contains(key.as_str()));
            let read = observation(Value::Object(fields)).expect("it is good");
            let written = serde_json::to_value(Observed::from(&read)).expect("JSON");
            assert_eq!(observation(written), Ok(read), "{kind}");
        }
    }

    #[test]
    fn what_is_wrong_with_a_trigger_is_named() {
        for (value, told) in [
            (json!([]), "this is a list, and an object like {\"agent\":…,\"kind\":…} is needed"),
            (json!({}), "`kind` is missing"),
            (
                json!({ "kind": "usr" }),
                "`kind` is `usr`, which is not known. Did you mean `user`? Known: user, agent, checkpoint, phase, threshold, scheduled",
            ),
            (
                json!({ "kind": "agent", "agent": "a/b", "confidence": 0.8, "reason": "risk" }),
                "`agent`: the name `a/b` holds '/': use letters, digits, blanks, `-`, `_` and `.`",
            ),
            (
                json!({ "kind": "threshold", "name": "x", "value": 1.5 }),
                "`value`: `1.5` is not a fraction from 0 to 1: write 2/3, 60% or 0.6",
            ),
            (json!({ "kind": "threshold", "name": "x" }), "`value` is missing"),
            (
                json!({ "kind": "checkpoint", "name": "x", "flagged": 1 }),
                "`flagged` is a number: write true or false",
            ),
            (
                json!({ "kind": "user", "participants": "ann" }),
                "`participants` is not a list of names: write [\"ann\", \"bob\"]",
            ),
            (
                json!({ "kind": "phase", "from": "a", "to": "b", "topik": "c" }),
                "`topik` is not known here: phase takes from, to",
            ),
        ] {
            assert_eq!(request(value).map_err(UnreadableInput::words), Err(told.to_string()));
        }
    }
}
