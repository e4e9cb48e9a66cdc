//! What a write is answered with.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use synod_core::kernel::{Actor, At, Id, MatterId, SettingValue, Who};
use synod_core::matter::{self, QuestionKind};
use synod_core::{Act, Event, House, ballot, canon};
use synod_engine::Acknowledgement;
use utoipa::ToSchema;

use super::TurnedAway;
use crate::tag::kind;
use crate::which_ring;

/// What a write did.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct Done {
    /// The number of the act in the journal.
    pub(crate) act: u64,
    /// When it was judged, in Unix milliseconds.
    #[schema(value_type = u64)]
    pub(crate) at: At,
    /// The matter it was about, or that it opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub(crate) matter: Option<MatterId>,
    /// The matter's running number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) number: Option<u64>,
    /// What the matter is about, shortened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) question: Option<String>,
    /// The participant who did it; left out for what the operator does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub(crate) participant: Option<Who>,
    /// The vote was sealed with the salt that came with it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) sealed: bool,
    /// Settings of the matter it opened that are not the charter's own: those you sent, and those Synod moved itself, such as
    /// `turn.history_chars` where a model can read little.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    #[schema(value_type = BTreeMap<String, Object>)]
    pub(crate) moved: BTreeMap<String, SettingValue>,
    /// What the author should know of canon: what they wrote against it, and which old versions they cite.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) canon: Vec<String>,
    /// What happened, in order.
    pub(crate) events: Vec<Happened>,
    /// What to keep: whoever has it finds out when the act is changed later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) acknowledgement: Option<AcknowledgementView>,
}

/// What the house says for good about an act.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = Acknowledgement)]
pub(crate) struct AcknowledgementView {
    /// The number of the act.
    pub(crate) act: u64,
    /// The SHA-256 of its record, hex.
    pub(crate) hash: String,
    /// How many acts the record had then.
    pub(crate) size: u64,
    /// A tlog-proof: the way from the act to a tree head that the house has signed. Left out where the house signs nothing now, and
    /// for an older act that is only repeated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) proof: Option<String>,
}

impl From<Acknowledgement> for AcknowledgementView {
    fn from(said: Acknowledgement) -> Self {
        Self { act: said.act.0, hash: said.hash.to_string(), size: said.size, proof: said.proof }
    }
}

/// One thing that happened.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct Happened {
    /// Its id. A proposal, a statement or a matter has the id of the event that created it.
    #[schema(value_type = String)]
    pub(crate) id: Id,
    /// The kind of event, such as `matter/opened`.
    pub(crate) kind: String,
}

impl Done {
    /// Read from the act alone, so that it is the same whenever it is asked for.
    pub(crate) fn of(act: &Act, matter: Option<MatterId>) -> Self {
        let happened = |(nth, event): (usize, &Event)| Happened {
            id: Id { act: act.seq, nth: nth as u16 },
            kind: kind(event),
        };
        let sealed = |event: &Event| match event {
            Event::Ballot(ballot::Event::Graded { vote, .. }) => vote.seal.is_some(),
            Event::Ballot(_) | Event::House(_) | Event::Charter(_) | Event::Roster(_) => false,
            Event::Matter(_) | Event::Floor(_) | Event::Gate(_) | Event::Meter(_) => false,
            Event::Ask(_) | Event::Context(_) | Event::Watch(_) | Event::Monitor(_) => false,
            Event::Trigger(_) | Event::Table(_) | Event::Rejections(_) | Event::Track(_) => false,
            Event::Issue(_) | Event::Dissent(_) | Event::Period(_) => false,
            Event::Evidence(_) | Event::Ledger(_) => false,
            Event::Canon(_) | Event::Lease(_) => false,
        };
        let opened = act.events().iter().find_map(|event| {
            let Event::Matter(matter::Event::Opened(opening)) = event else { return None };
            Some(opening.moved.clone())
        });
        Self {
            moved: opened.unwrap_or_default(),
            act: act.seq.0,
            at: act.at,
            matter,
            number: None,
            question: None,
            participant: match &act.by {
                Actor::Seat(who) => Some(who.clone()),
                Actor::Operator | Actor::Engine => None,
            },
            sealed: act.events().iter().any(sealed),
            canon: canon_notes(act),
            events: act.events().iter().enumerate().map(happened).collect(),
            acknowledgement: None,
        }
    }
}

/// What the author should know of canon: what they wrote against it, and which old versions they cite.
fn canon_notes(act: &Act) -> Vec<String> {
    let who = match &act.by {
        Actor::Seat(who) => format!(" --as '{who}'"),
        Actor::Operator | Actor::Engine => String::new(),
    };
    let mut notes = Vec::new();
    for event in act.events() {
        match event {
            Event::Canon(canon::Event::Contradicted { conflicts, .. }) => {
                notes.extend(conflicts.iter().map(|note| {
                    format!(
                        "line {} contradicts {}: canon has \"{}\", you wrote \"{}\"; see `synod canon conflicts{who}`",
                        note.line, note.entry, note.canon, note.text
                    )
                }));
            }
            Event::Canon(canon::Event::OldVersionCited { entry, latest, .. }) => {
                notes.push(format!("{entry} does not hold any more; the latest version is {latest}"));
            }
            Event::Canon(canon::Event::Searched { found, subject, .. }) if found.is_empty() => {
                notes.push(format!("canon has nothing on {subject}"));
            }
            Event::Canon(canon::Event::Searched { found, subject, .. }) => {
                let found: Vec<String> = found.iter().map(ToString::to_string).collect();
                notes.push(format!("canon has something on {subject}: {}", found.join(", ")));
            }
            _ => (), // nothing else is about canon and the author's words
        }
    }
    notes
}

impl Done {
    /// The same with what the house acknowledged.
    pub(crate) fn acknowledged(self, said: Option<Acknowledgement>) -> Self {
        Self { acknowledgement: said.map(Into::into), ..self }
    }

    /// The same with the matter named for people. Number and question never change, unless the words are removed.
    pub(crate) fn naming(self, house: &House) -> Self {
        let known = self.matter.and_then(|matter| house.summary(matter));
        let number = known.as_ref().map(|known| known.number);
        let question = known.map(|known| which_ring::shortened(&known.topic));
        Self { number, question, ..self }
    }

    /// The matter as people know it: `matter 3 (m57): Cache the index?`.
    pub(crate) fn ring(&self) -> String {
        let id = self.matter.map(|matter| matter.to_string()).unwrap_or_default();
        let number = self.number.map_or_else(|| id.clone(), |number| format!("{number} ({id})"));
        let question = self.question.as_ref().map(|question| format!(": {question}")).unwrap_or_default();
        format!("matter {number}{question}")
    }
}

/// A failed request.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct Failure {
    pub(crate) error: ErrorBody,
}

/// What went wrong.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = Error)]
pub(crate) struct ErrorBody {
    /// A stable code, for programs: of the request, of the service, or the code of a refusal.
    #[schema(pattern = "^[a-z-]+/[a-z-]+$")]
    pub(crate) code: String,
    /// One or two sentences, for people.
    pub(crate) message: String,
    /// What the question asks for by its wording, where that is what is wrong: `choice`, `open` or `estimate`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub(crate) kind: Option<QuestionKind>,
    /// What to change in a comment that was turned away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) refused: Option<Box<TurnedAway>>,
}
