//! The wire: what happens in a house, in the words outside agents know.
//!
//! A session's twenty types of message, and `ACT` for everything that has none of its own. Pure: acts in, messages
//! out; who may see a message is said in it, who carries it is none of its business. A vote's choice is in no
//! message before its ballot is closed.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};
use synod_core::event::About;
use synod_core::kernel::{Actor, AskId, At, Id, MatterId, Seq};
use synod_core::{Act, Event, House, Outcome, ballot, matter};

use crate::http::kind;

/// The version of the envelope.
const VERSION: u32 = 1;

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $word:literal),+ $(,)?) => {
        /// The types of messages.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Kind { $($(#[$doc])* $name),+ }

        impl Kind {
            /// All of them.
            pub(crate) const ALL: &[Self] = &[$(Self::$name),+];

            /// As it stands in a message.
            pub(crate) fn word(self) -> &'static str {
                match self { $(Self::$name => $word),+ }
            }
        }
    };
}

kinds! {
    /// Anything that has no type of its own.
    Act = "ACT",
}

impl Kind {
    /// The type of that word.
    pub(crate) fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.word() == word)
    }
}

/// Who may see a message, of those who may see its matter.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Audience {
    /// Everybody in the matter.
    All,
    /// The operator and whoever gave the command.
    Giver,
    /// The operator alone.
    Operator,
}

/// One message.
#[derive(Debug, Clone)]
pub(crate) struct Message {
    pub(crate) kind: Kind,
    pub(crate) matter: Option<MatterId>,
    id: Id,
    at: At,
    by: Actor,
    audience: Audience,
    data: Value,
}

/// A message as it travels.
#[derive(Serialize)]
struct Envelope<'a> {
    version: u32,
    id: Id,
    seq: Seq,
    at: At,
    #[serde(rename = "type")]
    kind: &'static str,
    matter: Option<MatterId>,
    from: &'a Actor,
    data: &'a Value,
}

impl Message {
    /// The message as it travels: one line of JSON.
    pub(crate) fn text(&self) -> String {
        let envelope = Envelope {
            version: VERSION,
            id: self.id,
            seq: self.id.act,
            at: self.at,
            kind: self.kind.word(),
            matter: self.matter,
            from: &self.by,
            data: &self.data,
        };
        serde_json::to_string(&envelope).unwrap_or_default()
    }

    /// Whether it is for this reader, who may see its matter.
    pub(crate) fn is_for(&self, reader: &Actor) -> bool {
        match (reader, &self.audience) {
            (Actor::Operator | Actor::Engine, _) | (Actor::Seat(_), Audience::All) => true,
            (Actor::Seat(_), Audience::Giver) => *reader == self.by,
            (Actor::Seat(_), Audience::Operator) => false,
        }
    }
}

/// Turns acts into messages. Remembers which asks are whose, which an answer to one does not say.
#[derive(Debug, Default)]
pub(crate) struct Translator {
    asks: BTreeMap<AskId, MatterId>,
}

impl Translator {
    /// Gets what it needs to know to translate an act: `born` gives an act by its number.
    pub(crate) fn prepare(&mut self, act: &Act, born: impl Fn(Seq) -> Option<Act>) {
        self.note(act);
        let named = act.events().iter().map(Event::about).chain([act.command.about()]);
        for about in named {
            let About::Ask(ask) = about else { continue };
            if !self.asks.contains_key(&ask)
                && let Some(earlier) = born(ask.0.act)
            {
                self.note(&earlier);
            }
        }
    }

    /// Notes the asks an act opened: every ask has the id of an event about its matter.
    fn note(&mut self, act: &Act) {
        for (nth, event) in act.events().iter().enumerate() {
            if let About::Matter(matter) = event.about() {
                self.asks.insert(AskId(Id { act: act.seq, nth: nth as u16 }), matter);
            }
        }
    }

    fn matter(&self, about: About) -> Option<MatterId> {
        match about {
            About::House => None,
            About::Matter(matter) => Some(matter),
            About::Ask(ask) => self.asks.get(&ask).copied(),
        }
    }

    /// What an act comes to, in order.
    pub(crate) fn translate(&self, _house: &House, act: &Act) -> Vec<Message> {
        let message = |nth: usize, kind, matter, audience, data| Message {
            kind,
            matter,
            id: Id { act: act.seq, nth: nth as u16 },
            at: act.at,
            by: act.by.clone(),
            audience,
            data,
        };
        if let Outcome::Refused { code, message: said } = &act.outcome {
            let data = json!({ "command": command(act), "refused": { "code": code, "message": said } });
            return vec![message(0, Kind::Act, self.matter(act.command.about()), Audience::Giver, data)];
        }
        let mut told = Vec::new();
        for (nth, event) in act.events().iter().enumerate() {
            let id = Id { act: act.seq, nth: nth as u16 };
            let matter = match event {
                Event::Matter(matter::Event::Opened(_)) => Some(MatterId(id)),
                other => self.matter(other.about()),
            };
            let data = json!({ "command": command(act), "event": kind(event), "fields": fields(event) });
            told.push(message(nth, Kind::Act, matter, Audience::Operator, data));
        }
        told
    }
}

/// What kind of command an act was.
fn command(act: &Act) -> String {
    match serde_json::to_value(&act.command) {
        Ok(Value::Object(fields)) => fields.into_iter().next().map(|(name, _)| name).unwrap_or_default(),
        Ok(Value::String(word)) => word,
        Ok(_) | Err(_) => String::new(),
    }
}

/// The fields of an event, without what is nobody's business yet.
fn fields(event: &Event) -> Value {
    if let Event::Ballot(ballot::Event::Cast { ask, vote }) = event {
        return json!({ "ask": ask, "who": vote.who });
    }
    if let Event::Ballot(ballot::Event::Unparsed { again, ask, .. }) = event {
        return json!({ "ask": ask, "again": again });
    }
    let inner = |value: Value| match value {
        Value::Object(map) => map.into_iter().next().map(|(_, inner)| inner),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::String(_) => None,
    };
    let whole = serde_json::to_value(event).ok().and_then(inner).unwrap_or_default();
    match event {
        Event::House(_) | Event::Charter(_) => whole,
        _ => inner(whole).unwrap_or_default(),
    }
}
