//! Observations and requests for a council: one shape and one reader, whether they come as a line on stdin, a request
//! over HTTP or a message on Redis.
//!
//! Nothing is guessed: a field that is missing, of another type or not known is an error that names it.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use synod_core::kernel::{MatterId, Permille, Priority, Stance, Who, text};
use synod_core::monitor::{Observation, Pattern, Seen};
use synod_core::trigger::{self, Cause, Request};
use utoipa::ToSchema;

use super::words;

/// Something an agent was seen to do. A participant reports what it does itself.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Observed {
    /// A file was written.
    Write { agent: String, path: String },
    /// A file was read.
    Read { agent: String, path: String },
    /// An opinion was stated.
    Opinion { agent: String, topic: String, text: String, stance: Option<words::Side> },
    /// The agent was corrected.
    Correction { agent: String, text: Option<String> },
    /// Something was found out.
    Insight { agent: String, subject: String, text: String },
    /// Work went on, or is done.
    Progress { agent: String, text: Option<String>, done: Option<bool> },
    /// A person was asked for.
    Escalation { agent: String, text: Option<String> },
    /// A decision is needed.
    Pending { agent: String, topic: String },
    /// It is needed no longer.
    Decided { agent: String, topic: String },
}

/// A request for a council. A participant asks with the kind `agent` and its own name. With every kind `topic` is the
/// question, `description` is put before the council, and `participants` take part; those concerned if left out.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Called {
    /// A person asks.
    User {
        #[serde(skip_serializing_if = "Option::is_none")]
        #[schema(value_type = Option<words::Priority>)]
        priority: Option<Priority>,
        #[serde(skip_serializing_if = "Option::is_none")]
        topic: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schema(value_type = Option<Vec<String>>)]
        participants: Vec<Who>,
    },
    /// An agent asks, for a listed reason.
    Agent {
        #[schema(value_type = String)]
        agent: Who,
        reason: String,
        #[schema(value_type = f64, minimum = 0, maximum = 1)]
        confidence: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        topic: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schema(value_type = Option<Vec<String>>)]
        participants: Vec<Who>,
    },
    /// A checkpoint is reached.
    Checkpoint {
        name: String,
        #[schema(value_type = Option<bool>)]
        flagged: bool,
        #[serde(skip_serializing_if = "Option::is_none")]
        topic: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schema(value_type = Option<Vec<String>>)]
        participants: Vec<Who>,
    },
    /// One phase of work ends and another begins.
    Phase {
        from: String,
        to: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        topic: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schema(value_type = Option<Vec<String>>)]
        participants: Vec<Who>,
    },
    /// A measure is high.
    Threshold {
        name: String,
        #[schema(value_type = f64, minimum = 0, maximum = 1)]
        value: f64,
        #[serde(skip_serializing_if = "Option::is_none")]
        topic: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schema(value_type = Option<Vec<String>>)]
        participants: Vec<Who>,
    },
    /// It is time to look through pending decisions.
    Scheduled {
        #[serde(skip_serializing_if = "Option::is_none")]
        topic: Option<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        #[schema(value_type = Option<Vec<String>>)]
        participants: Vec<Who>,
    },
}

impl From<&Observation> for Observed {
    fn from(observation: &Observation) -> Self {
        let agent = observation.agent.to_string();
        match observation.seen.clone() {
            Seen::Write { path } => Self::Write { agent, path },
            Seen::Read { path } => Self::Read { agent, path },
            Seen::Opinion { stance, text, topic } => {
                let stance = stance.map(|stance| match stance {
                    Stance::For => words::Side::For,
                    Stance::Against => words::Side::Against,
                    Stance::Neutral => words::Side::Neutral,
                });
                Self::Opinion { agent, topic, text, stance }
            }
            Seen::Correction { text } => Self::Correction { agent, text },
            Seen::Insight { subject, text } => Self::Insight { agent, subject, text },
            Seen::Progress { done, text } => Self::Progress { agent, text, done: Some(done) },
            Seen::Escalation { text } => Self::Escalation { agent, text },
            Seen::Pending { topic } => Self::Pending { agent, topic },
            Seen::Decided { topic } => Self::Decided { agent, topic },
        }
    }
}

impl From<&Request> for Called {
    fn from(request: &Request) -> Self {
        let Request { cause, description, participants, topic } = request.clone();
        match cause {
            Cause::User { priority } => Self::User { priority, topic, description, participants },
            Cause::Agent { agent, confidence, reason } => {
                let confidence = share(confidence);
                Self::Agent { agent, reason, confidence, topic, description, participants }
            }
            Cause::Checkpoint { flagged, name } => {
                Self::Checkpoint { name, flagged, topic, description, participants }
            }
            Cause::Phase { from, to } => Self::Phase { from, to, topic, description, participants },
            Cause::Threshold { name, value } => {
                Self::Threshold { name, value: share(value), topic, description, participants }
            }
            Cause::Scheduled => Self::Scheduled { topic, description, participants },
        }
    }
}

/// A share as JSON writes it.
fn share(share: Permille) -> f64 {
    f64::from(share.get()) / 1000.0
}

/// What came of an observation or a request for a council.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct Noted {
    /// The number of the act in the journal.
    pub(crate) act: u64,
    /// The matter that was opened.
    #[schema(value_type = Option<String>)]
    pub(crate) matter: Option<MatterId>,
    /// What was found, what called a council, what did not and why.
    pub(crate) told: Vec<Notice>,
}

/// One thing the monitor found or a trigger did. A participant is told only what concerns its own request.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(crate) enum Notice {
    /// A pattern was found.
    Found(Found),
    /// A trigger fired.
    Fired(Judged),
    /// A trigger did not fire.
    Declined(Judged),
}

/// A pattern.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct Found {
    /// The number of the act.
    pub(crate) act: u64,
    /// When, as `2026-11-15T10:00:00.000Z`.
    pub(crate) at: String,
    #[schema(value_type = String)]
    pub(crate) pattern: Pattern,
    /// Whom it concerns.
    #[schema(value_type = Vec<String>)]
    pub(crate) agents: Vec<Who>,
    pub(crate) count: u64,
    /// The file, the topic or the subject.
    pub(crate) subject: Option<String>,
    /// The same in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<String>,
}

/// What a trigger did.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct Judged {
    /// The number of the act.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) act: Option<u64>,
    /// When, as `2026-11-15T10:00:00.000Z`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) at: Option<String>,
    #[schema(value_type = String)]
    pub(crate) trigger: trigger::Kind,
    /// What it watched.
    pub(crate) of: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<words::Priority>)]
    pub(crate) priority: Option<Priority>,
    /// The matter it opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub(crate) matter: Option<MatterId>,
    /// Its running number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) number: Option<u64>,
    /// Until when it does not fire again for the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) rests_until: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) charter: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) seats: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) topic: Option<String>,
    /// Why it opened no matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) unopened: Option<Value>,
    /// The code of why it did not fire.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) code: Option<String>,
    /// Why it did not fire, or opened nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
    /// The same in one line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) line: Option<String>,
}

impl Judged {
    pub(crate) fn of(trigger: trigger::Kind, of: Option<&str>) -> Self {
        Self {
            act: None,
            at: None,
            trigger,
            of: of.map(str::to_string),
            priority: None,
            matter: None,
            number: None,
            rests_until: None,
            charter: None,
            seats: None,
            topic: None,
            unopened: None,
            code: None,
            why: None,
            line: None,
        }
    }
}

impl Notice {
    /// Takes out the line for people.
    pub(crate) fn take_line(&mut self) -> String {
        match self {
            Self::Found(Found { line, .. })
            | Self::Fired(Judged { line, .. })
            | Self::Declined(Judged { line, .. }) => line.take().unwrap_or_default(),
        }
    }

    /// What a participant may know: what came of its own request, and nothing of what others were seen to do.
    pub(crate) fn for_participant(self) -> Option<Self> {
        let own = |Judged { trigger, of, priority, code, why, .. }: Judged| Judged {
            priority,
            code,
            why,
            ..Judged::of(trigger, of.as_deref())
        };
        match self {
            Self::Found(_) => None,
            Self::Fired(judged) => Some(Self::Fired(own(judged))),
            Self::Declined(judged) => Some(Self::Declined(own(judged))),
        }
    }
}

/// Why something that was sent cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Unreadable {
    /// It does not have the form: a field is missing, unknown or of another type.
    Form(String),
    /// It has the form, and a value in it means nothing here.
    Meaning(String),
}

impl Unreadable {
    /// What is wrong, in words.
    pub(crate) fn words(self) -> String {
        match self {
            Self::Form(words) | Self::Meaning(words) => words,
        }
    }
}

type Result<T> = std::result::Result<T, Unreadable>;

fn form<T>(words: String) -> Result<T> {
    Err(Unreadable::Form(words))
}

/// What can be seen: the word and the fields that go with it.
pub(crate) const SEEN: [(&str, &str); 9] = [
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
    observation(serde_json::from_str(line).map_err(wrong)?).map_err(Unreadable::words)
}

/// An observation.
pub(crate) fn observation(value: Value) -> Result<Observation> {
    let mut fields = Fields::of(value)?;
    let agent = fields.who("agent")?;
    let kind = fields.text("kind")?;
    let seen = match kind.as_str() {
        "write" => Seen::Write { path: fields.text("path")? },
        "read" => Seen::Read { path: fields.text("path")? },
        "opinion" => Seen::Opinion {
            stance: fields.word("stance", &STANCES)?,
            text: fields.text("text")?,
            topic: fields.text("topic")?,
        },
        "correction" => Seen::Correction { text: fields.optional("text")? },
        "insight" => Seen::Insight { subject: fields.text("subject")?, text: fields.text("text")? },
        "progress" => Seen::Progress { done: fields.flag("done")?, text: fields.optional("text")? },
        "escalation" => Seen::Escalation { text: fields.optional("text")? },
        "pending" => Seen::Pending { topic: fields.text("topic")? },
        "decided" => Seen::Decided { topic: fields.text("topic")? },
        other => return form(unknown("kind", other, SEEN.iter().map(|(word, _)| *word))),
    };
    fields.end(&kind, &SEEN)?;
    Ok(Observation { agent, seen })
}

/// A request for a council: `{"kind":"agent","agent":"ann","reason":"security risk","confidence":0.8}`, and with
/// each kind, if wanted, `topic`, `description` and `participants`.
pub(crate) fn request(value: Value) -> Result<Request> {
    let mut fields = Fields::of(value)?;
    let kind = fields.text("kind")?;
    let cause = match kind.as_str() {
        "user" => Cause::User { priority: fields.word("priority", &Priority::WORDS)? },
        "agent" => Cause::Agent {
            agent: fields.who("agent")?,
            confidence: fields.share("confidence")?,
            reason: fields.text("reason")?,
        },
        "checkpoint" => Cause::Checkpoint { flagged: fields.flag("flagged")?, name: fields.text("name")? },
        "phase" => Cause::Phase { from: fields.text("from")?, to: fields.text("to")? },
        "threshold" => Cause::Threshold { name: fields.text("name")?, value: fields.share("value")? },
        "scheduled" => Cause::Scheduled,
        other => return form(unknown("kind", other, CAUSES.iter().map(|(word, _)| *word))),
    };
    let request = Request {
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

/// The fields of an object, taken one by one.
struct Fields(Map<String, Value>);

impl Fields {
    fn of(value: Value) -> Result<Self> {
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

    fn optional(&mut self, key: &str) -> Result<Option<String>> {
        match self.take(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(other) => form(format!("`{key}` is {}: write a text in quotes", a(&other))),
        }
    }

    fn text(&mut self, key: &str) -> Result<String> {
        self.optional(key)?.ok_or_else(|| Unreadable::Form(format!("`{key}` is missing")))
    }

    fn flag(&mut self, key: &str) -> Result<bool> {
        match self.take(key) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(other) => form(format!("`{key}` is {}: write true or false", a(&other))),
        }
    }

    /// A fraction, read as it was written: no float comes between.
    fn share(&mut self, key: &str) -> Result<Permille> {
        let written = match self.take(key) {
            None => return form(format!("`{key}` is missing")),
            Some(Value::Number(number)) => number.to_string(),
            // A number in quotes is a slip that schemas refuse.
            Some(other) => return form(format!("`{key}` is {}: write a number from 0 to 1", a(&other))),
        };
        written.parse().map_err(|error| Unreadable::Form(format!("`{key}`: {error}")))
    }

    fn who(&mut self, key: &str) -> Result<Who> {
        let name = self.text(key)?;
        Who::parse(&name).map_err(|wrong| Unreadable::Meaning(format!("`{key}`: {wrong}")))
    }

    fn names(&mut self, key: &str) -> Result<Vec<Who>> {
        let wrong = || Unreadable::Form(format!("`{key}` is not a list of names: write [\"ann\", \"bob\"]"));
        match self.take(key) {
            None => Ok(Vec::new()),
            Some(Value::Array(names)) => {
                let who = |name: &Value| {
                    let name = name.as_str().ok_or_else(wrong)?;
                    Who::parse(name).map_err(|wrong| Unreadable::Meaning(format!("`{key}`: {wrong}")))
                };
                names.iter().map(who).collect()
            }
            Some(_) => Err(wrong()),
        }
    }

    fn word<T: Copy>(&mut self, key: &str, words: &[(&str, T)]) -> Result<Option<T>> {
        let Some(written) = self.optional(key)? else { return Ok(None) };
        match words.iter().find(|(word, _)| *word == written) {
            Some((_, value)) => Ok(Some(*value)),
            None => form(unknown(key, &written, words.iter().map(|(word, _)| *word))),
        }
    }

    /// Refuses what nobody asked for: a slip of the pen must not be taken for nothing.
    fn end(self, kind: &str, kinds: &[(&str, &str)]) -> Result<()> {
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

    use super::*;

    #[test]
    fn triggers_are_read_as_written() {
        let read =
            request(json!({ "kind": "agent", "agent": "Ann", "reason": "security risk", "confidence": 0.6,
                                   "participants": ["bob"], "description": "d" }));
        let read = read.expect("it is good");
        let confidence = Permille::new(600).expect("it is");
        let agent = Who::parse("ann").expect("a name");
        assert_eq!(read.cause, Cause::Agent { agent, confidence, reason: "security risk".into() });
        assert_eq!(read.participants.len(), 1);
        let read =
            request(json!({ "kind": "threshold", "name": "risk", "value": 0.59 })).expect("it is good");
        assert!(matches!(read.cause, Cause::Threshold { value, .. } if value.get() == 590));
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
                json!({ "kind": "agent", "agent": "a/b" }),
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
            assert_eq!(request(value).map_err(Unreadable::words), Err(told.to_string()));
        }
    }
}
