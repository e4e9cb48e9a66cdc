//! What agents send: read, checked, and turned into the order it means.
//!
//! What an agent does in a ring it seals into its own inbox. Reports and requests that are public anyway may also come
//! on the public channels, signed: `{"body": "…", "signature": "…"}`, where the body is JSON as text, so that what was
//! signed is exactly what is read. An agent that echoes what only the house announces means its own side of it: `CONSENSUS_START`
//! joins, `CONSENSUS_END` leaves, `TOKEN_GRANT` acknowledges the turn.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;
use synod_core::kernel::{At, Digest, MatterId, Who, text};
use synod_core::procedure::ring::{self, Remark};
use synod_core::{Command, House};

use super::seal::{self, Direction, SealedMessage, Unsealed};
use crate::http::{Caller, Problem, TEXT_MOST, longest, sees, unknown};
use crate::resolve::{self, Unclear};
use crate::which_ring;
use crate::wire::{ActionRequest, MessageKind, StatementBody, WrittenId, observation};

/// A message may be so old or so far ahead: clocks differ, and a restart takes a while. Beyond, its key might have
/// been forgotten by its sender.
pub(super) const AGE_MOST_MS: u64 = 5 * 60 * 1000;
/// The longest key.
const KEY_MOST: usize = 128;

/// The world failed us.
const FAULT: &str = "service/fault";
/// The operator has to mend something first.
pub(super) const FLAWED: &str = "trigger/flawed";
/// What is told and is no refusal.
pub(super) const FAULTS: [&str; 2] = [FAULT, FLAWED];

/// The reason why a message is not acted on.
#[derive(Debug)]
pub(super) struct RefusedMessage {
    pub(super) code: String,
    pub(super) message: String,
}

impl RefusedMessage {
    pub(super) fn new(code: &str, message: impl Into<String>) -> Self {
        Self { code: code.into(), message: message.into() }
    }

    /// The world failed us; nothing was judged.
    pub(super) fn fault(message: impl Into<String>) -> Self {
        Self::new(FAULT, message)
    }

    pub(super) fn replayed() -> Self {
        Self::new("redis/replayed", "a message under this key came before; it is acted on once")
    }

    fn malformed(message: impl Into<String>) -> Self {
        Self::new("redis/malformed", message)
    }
}

impl From<Problem> for RefusedMessage {
    fn from(problem: Problem) -> Self {
        let (code, message) = problem.words();
        Self { code, message }
    }
}

/// A message that says who sent it, and how it proves that.
#[derive(Debug)]
pub(super) enum Received {
    /// From a public channel: everybody can read it.
    Signed { text: String, signature: Digest, body: MessageBody },
    /// From the inbox of a participant.
    Sealed { who: Who, sealed: SealedMessage },
}

#[derive(Deserialize)]
struct Outer {
    body: Option<String>,
    signature: Option<String>,
}

/// The part of a message that is signed or sealed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename = "Body")]
pub(super) struct MessageBody {
    version: u32,
    #[serde(rename = "type")]
    kind: String,
    pub(super) from: String,
    /// Unique among the sender's messages: a second one under it is a replay.
    pub(super) key: String,
    /// When it was made, in Unix milliseconds.
    at: u64,
    #[serde(default)]
    pub(super) matter: Option<MatterId>,
    #[serde(default)]
    data: Value,
    /// Whether only the house can have read it.
    #[serde(skip)]
    sealed: bool,
    /// The id of the token that proved it.
    #[serde(skip)]
    pub(super) token: String,
}

/// The secrets of a participant's tokens, by the tokens' ids.
pub(super) type Secrets = [(String, Digest)];

impl Received {
    /// Reads a message from a public channel; `None` for what no agent sent to us.
    pub(super) fn signed(bytes: &[u8]) -> Result<Option<Self>, RefusedMessage> {
        let Ok(outer) = serde_json::from_slice::<Outer>(bytes) else { return Ok(None) };
        let (Some(text), Some(signature)) = (outer.body, outer.signature) else { return Ok(None) };
        let body = MessageBody::read(&text)?;
        let signature = signature
            .parse()
            .map_err(|_| RefusedMessage::malformed("the signature is not SHA-256 in hex"))?;
        Ok(Some(Self::Signed { text, signature, body }))
    }

    /// Reads a message from the inbox of that name.
    pub(super) fn sealed(name: &str, bytes: &[u8]) -> Result<Option<Self>, RefusedMessage> {
        let who = Who::parse(name).map_err(RefusedMessage::malformed)?;
        let wrong = |error: serde_json::Error| {
            RefusedMessage::malformed(format!(
                "a sealed message has version, token, nonce and sealed: {error}"
            ))
        };
        let sealed = serde_json::from_slice(bytes).map_err(wrong)?;
        Ok(Some(Self::Sealed { who, sealed }))
    }

    /// Who sent it, as they say.
    pub(super) fn who(&self) -> Result<Who, RefusedMessage> {
        match self {
            Self::Signed { body, .. } => Who::parse(&body.from).map_err(RefusedMessage::malformed),
            Self::Sealed { who, .. } => Ok(who.clone()),
        }
    }

    /// The message, if its sender has proved who they are.
    pub(super) fn proven(self, who: &Who, secrets: &Secrets) -> Result<MessageBody, RefusedMessage> {
        match self {
            Self::Signed { text, signature, body } => {
                if seal::verify(secrets.iter().map(|(_, secret)| secret), &text, &signature) {
                    let own = secrets.iter().find(|(_, secret)| seal::verify([secret], &text, &signature));
                    let token = own.map(|(token, _)| token.clone()).unwrap_or_default();
                    return Ok(MessageBody { token, ..body });
                }
                let message =
                    "the signature does not match this participant: derive the secret from its token";
                Err(RefusedMessage::new("redis/signature", message))
            }
            Self::Sealed { sealed, .. } => {
                let secret = secrets.iter().find(|(token, _)| *token == sealed.token);
                let opened = secret.map(|(_, secret)| sealed.open(secret, Direction::ToHouse, who));
                let body = MessageBody::read(&opened.unwrap_or(Err(Unsealed::Wrong))?)?;
                match Who::parse(&body.from) {
                    Ok(from) if from == *who => {
                        Ok(MessageBody { sealed: true, token: sealed.token.clone(), ..body })
                    }
                    Ok(_) | Err(_) => Err(Unsealed::Wrong.into()),
                }
            }
        }
    }
}

impl From<Unsealed> for RefusedMessage {
    fn from(why: Unsealed) -> Self {
        match why {
            Unsealed::Wrong => Self::new(
                "redis/seal",
                "the message was not sealed with this participant's token for this inbox, or was changed on the way",
            ),
            Unsealed::Unpadded => Self::new(
                "redis/padding",
                "fill the text with spaces to a multiple of 512 bytes before sealing it: its length tells how you vote",
            ),
        }
    }
}

impl MessageBody {
    fn read(text: &str) -> Result<Self, RefusedMessage> {
        let wrong =
            |error: serde_json::Error| RefusedMessage::malformed(format!("the body cannot be read: {error}"));
        serde_json::from_str(text).map_err(wrong)
    }

    /// Refuses what is too old, and what another version means otherwise.
    pub(super) fn is_timely(&self, now: At) -> Result<(), RefusedMessage> {
        if self.version != 1 {
            return Err(RefusedMessage::malformed(format!("version {} is unknown; send 1", self.version)));
        }
        if self.at.abs_diff(now.0) > AGE_MOST_MS {
            let message =
                "the message is more than five minutes old or ahead: check the clock and send it again";
            return Err(RefusedMessage::new("redis/old", message));
        }
        let plain = |key: &str| key.bytes().all(|byte| byte.is_ascii_graphic());
        if !(1..=KEY_MOST).contains(&self.key.len()) || !plain(&self.key) {
            return Err(RefusedMessage::malformed(format!(
                "the key must be 1 to {KEY_MOST} visible ASCII characters"
            )));
        }
        Ok(())
    }

    /// Refuses what everybody could read and only the house may.
    pub(super) fn is_where_it_belongs(&self) -> Result<(), RefusedMessage> {
        let public = ["INSIGHT", "OBSERVATION", MessageKind::ConsensusTrigger.word()];
        if self.sealed || public.contains(&self.kind.as_str()) {
            return Ok(());
        }
        let message = format!(
            "everybody on Redis can read this channel: seal the message and send it to {}{}",
            super::channel::INBOX,
            self.from
        );
        Err(RefusedMessage::new("redis/not-sealed", message))
    }

    /// What the message means.
    pub(super) fn command(&self, house: &House, who: &Who) -> Result<Command, RefusedMessage> {
        match self.kind.as_str() {
            "INSIGHT" => return self.observed(who, Some("insight")),
            "OBSERVATION" => return self.observed(who, None),
            _ => (),
        }
        let kind = MessageKind::parse(&self.kind).ok_or_else(|| {
            RefusedMessage::malformed(format!("unknown type `{}`", text::excerpt(&self.kind, 40)))
        })?;
        if let MessageKind::ConsensusTrigger = kind {
            return self.trigger(who);
        }
        let action = self.action(kind)?;
        let unclear = |unclear: Unclear| RefusedMessage::new(unclear.code, unclear.message);
        let matter =
            self.matter.map_or_else(|| which_ring::meant(house, who, &action), Ok).map_err(unclear)?;
        // As over HTTP: a sender who is not invited learns nothing, and leaves no whole command in the record.
        let case = house.case(matter).filter(|case| sees(&Caller::Participant(who.clone()), case));
        let case = case.ok_or_else(|| unknown(matter))?;
        let part = resolve::resolve(case, who, action).map_err(unclear)?.part;
        Ok(Command::Ring(ring::Command::Participate { matter, action: part }))
    }

    /// What it is called.
    pub(super) fn kind(&self) -> &str {
        &self.kind
    }

    /// Refuses a text that is longer than anything may be.
    pub(super) fn is_short_enough(&self) -> Result<(), RefusedMessage> {
        match longest(&self.data) > TEXT_MOST {
            true => Err(RefusedMessage::malformed(format!("a text has more than {TEXT_MOST} characters"))),
            false => Ok(()),
        }
    }

    pub(super) fn data<T: DeserializeOwned>(&self) -> Result<T, RefusedMessage> {
        self.read_data(self.data.clone())
    }

    /// The data as a type that does not know this field.
    pub(super) fn data_without<T: DeserializeOwned>(&self, field: &str) -> Result<T, RefusedMessage> {
        let mut data = self.data.clone();
        if let Value::Object(fields) = &mut data {
            fields.remove(field);
        }
        self.read_data(data)
    }

    fn read_data<T: DeserializeOwned>(&self, data: Value) -> Result<T, RefusedMessage> {
        serde_json::from_value(data).map_err(|error| {
            RefusedMessage::malformed(format!("the data of {} cannot be read: {error}", self.kind))
        })
    }

    fn action(&self, kind: MessageKind) -> Result<ActionRequest, RefusedMessage> {
        Ok(match kind {
            MessageKind::ConsensusStart => ActionRequest::Join,
            MessageKind::ConsensusEnd => ActionRequest::Leave,
            MessageKind::TokenGrant => {
                ActionRequest::Acknowledge { ask: self.data::<AcknowledgeData>()?.ask }
            }
            MessageKind::TokenRelease => ActionRequest::Release(self.data()?),
            MessageKind::TokenSkip => ActionRequest::Skip(self.data()?),
            MessageKind::Contribution => ActionRequest::Say(self.data()?),
            MessageKind::Question => {
                let said: StatementBody = self.data()?;
                let kind = said.kind.or(Some(Remark::Question));
                ActionRequest::Say(StatementBody { kind, ..said })
            }
            MessageKind::Proposal => ActionRequest::Propose(self.data()?),
            MessageKind::Amendment if self.data.get("amendment").is_some() => {
                ActionRequest::Rule(self.data()?)
            }
            MessageKind::Amendment => ActionRequest::Amend(self.data()?),
            MessageKind::Reaction => ActionRequest::React(self.data()?),
            MessageKind::Vote => ActionRequest::Vote(self.data()?),
            MessageKind::TokenTimeout
            | MessageKind::VoteStart
            | MessageKind::VoteResult
            | MessageKind::ConsensusReached
            | MessageKind::ConsensusBlocked
            | MessageKind::ConsensusDeferred
            | MessageKind::ConsensusTrigger
            | MessageKind::DeadlockDetected
            | MessageKind::DivergenceAlert
            | MessageKind::Act => {
                let message = format!("only the house announces {}", self.kind);
                return Err(RefusedMessage::new("redis/not-yours", message));
            }
        })
    }

    /// A request for a council, in the form that `synod trigger` and the service read.
    fn trigger(&self, who: &Who) -> Result<Command, RefusedMessage> {
        let wish = self.of_agent(who, Some("agent"))?;
        let request = observation::request(wish).map_err(|wrong| RefusedMessage::malformed(wrong.words()))?;
        Ok(Command::Trigger(Box::new(request)))
    }

    /// What an agent says of itself, in the form that `synod watch` reads.
    fn observed(&self, who: &Who, kind: Option<&str>) -> Result<Command, RefusedMessage> {
        let seen = self.of_agent(who, kind)?;
        let observation =
            observation::observation(seen).map_err(|wrong| RefusedMessage::malformed(wrong.words()))?;
        Ok(Command::Observe { observation })
    }

    /// The data with who sends it, and of what kind it is where the type says so.
    fn of_agent(&self, who: &Who, kind: Option<&str>) -> Result<Value, RefusedMessage> {
        let Value::Object(mut fields) = self.data.clone() else {
            return Err(RefusedMessage::malformed(format!("the data of {} must be an object", self.kind)));
        };
        fields.insert("agent".into(), who.as_str().into());
        if let Some(kind) = kind {
            fields.insert("kind".into(), kind.into());
        }
        Ok(Value::Object(fields))
    }

    /// Whether the sender announces itself.
    pub(super) fn joins(&self) -> bool {
        self.kind == MessageKind::ConsensusStart.word()
    }

    /// Whether the sender asks how things stand. It does nothing by that.
    pub(super) fn asks_for_state(&self) -> bool {
        self.kind == super::state::KIND
    }
}

/// The turn that a sender acknowledges.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename = "Acknowledged")]
struct AcknowledgeData {
    ask: WrittenId,
}
