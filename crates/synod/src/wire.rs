//! The wire: what happens in a house, in the words outside agents know.
//!
//! A session's twenty types of message, and `ACT` for everything that has none of its own. Pure: acts in, messages
//! out; who may see a message is said in it, who carries it is none of its business. A vote's choice is in no
//! message before its ballot is closed.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Value, json};
use synod_core::charter::{Phase, StageKind};
use synod_core::event::About;
use synod_core::house::Case;
use synod_core::kernel::{Actor, AskId, At, Decision, Id, MatterId, Seq, Who, Why};
use synod_core::view::Session;
use synod_core::{Act, Event, House, Outcome, ask, ballot, floor, matter, monitor, table, trigger, watch};

use crate::tag::kind;

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
    /// A session opens.
    ConsensusStart = "CONSENSUS_START",
    /// A session is over.
    ConsensusEnd = "CONSENSUS_END",
    /// Somebody has the floor.
    TokenGrant = "TOKEN_GRANT",
    /// They gave it back.
    TokenRelease = "TOKEN_RELEASE",
    /// They let it lapse.
    TokenTimeout = "TOKEN_TIMEOUT",
    /// They had nothing to say.
    TokenSkip = "TOKEN_SKIP",
    /// An opinion or a synthesis.
    Contribution = "CONTRIBUTION",
    /// A short answer to something on the table.
    Reaction = "REACTION",
    /// A question to the others.
    Question = "QUESTION",
    /// A proposal.
    Proposal = "PROPOSAL",
    /// A change wanted to a proposal, and what became of it.
    Amendment = "AMENDMENT",
    /// Voting begins.
    VoteStart = "VOTE_START",
    /// Somebody voted; how, nobody is told before the end.
    Vote = "VOTE",
    /// The votes are counted.
    VoteResult = "VOTE_RESULT",
    /// A proposal is carried.
    ConsensusReached = "CONSENSUS_REACHED",
    /// None is.
    ConsensusBlocked = "CONSENSUS_BLOCKED",
    /// Too few voted.
    ConsensusDeferred = "CONSENSUS_DEFERRED",
    /// Something calls for a session.
    ConsensusTrigger = "CONSENSUS_TRIGGER",
    /// The talk goes round in circles.
    DeadlockDetected = "DEADLOCK_DETECTED",
    /// Opinions drift apart.
    DivergenceAlert = "DIVERGENCE_ALERT",
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
pub(crate) enum Audience {
    /// Everybody in the matter.
    All,
    /// The operator and the participant who gave the command.
    Giver(Who),
    /// The operator alone.
    Operator,
}

/// One message.
#[derive(Debug, Clone)]
pub(crate) struct Message {
    kind: Kind,
    pub(crate) matter: Option<MatterId>,
    id: Id,
    at: At,
    by: Actor,
    pub(crate) audience: Audience,
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

    /// What it says.
    pub(crate) fn data(&self) -> &Value {
        &self.data
    }

    pub(crate) fn kind(&self) -> Kind {
        self.kind
    }
}

/// Whose an ask is, and whether it is the floor.
#[derive(Debug, Clone)]
struct Asked {
    matter: MatterId,
    who: Who,
    floor: bool,
}

/// Turns acts into messages. Remembers which asks are whose, which an answer to one does not say.
#[derive(Debug, Default)]
pub(crate) struct Translator {
    asks: BTreeMap<AskId, Asked>,
}

/// More asks than any session has open at once; older ones are looked up again if they are ever named.
const REMEMBERED: usize = 4096;

impl Translator {
    /// Gets what it needs to know to translate an act: `born` gives an act by its number.
    pub(crate) fn prepare(&mut self, act: &Act, born: impl Fn(Seq) -> Option<Act>) {
        while self.asks.len() > REMEMBERED {
            self.asks.pop_first();
        }
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

    /// Notes the asks an act opened: every ask has the id of the event that opened it.
    fn note(&mut self, act: &Act) {
        for (nth, event) in act.events().iter().enumerate() {
            let (matter, who, floor) = if let Event::Floor(floor::Event::Called { matter, who, .. }) = event {
                (matter, who, true)
            } else if let Event::Ballot(ballot::Event::Asked { matter, who, .. })
            | Event::Ask(
                ask::Event::Wanted { matter, who, .. } | ask::Event::Opened { matter, who, .. },
            ) = event
            {
                (matter, who, false)
            } else {
                continue;
            };
            let asked = Asked { matter: *matter, who: who.clone(), floor };
            self.asks.insert(AskId(Id { act: act.seq, nth: nth as u16 }), asked);
        }
    }

    fn matter(&self, about: About) -> Option<MatterId> {
        match about {
            About::House => None,
            About::Matter(matter) => Some(matter),
            About::Ask(ask) => self.asks.get(&ask).map(|asked| asked.matter),
        }
    }

    fn who(&self, ask: AskId) -> Option<&Who> {
        self.asks.get(&ask).map(|asked| &asked.who)
    }

    /// What an act comes to, in order.
    pub(crate) fn translate(&self, house: &House, act: &Act) -> Vec<Message> {
        let message = |nth: usize, matter, (kind, audience, data)| Message {
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
            let matter = self.matter(act.command.about());
            let audience = match &act.by {
                Actor::Seat(who) => Audience::Giver(who.clone()),
                Actor::Operator | Actor::Engine => Audience::Operator,
            };
            return vec![message(0, matter, (Kind::Act, audience, data))];
        }
        let mut told = Vec::new();
        for (nth, event) in act.events().iter().enumerate() {
            let id = Id { act: act.seq, nth: nth as u16 };
            let matter = match event {
                Event::Matter(matter::Event::Opened(_)) => Some(MatterId(id)),
                other => self.matter(other.about()),
            };
            let ring =
                matter.and_then(|matter| house.case(matter)).filter(|case| case.charter.ring.is_some());
            let said = ring.map(|case| self.of_ring(case, act, id, event)).unwrap_or_default();
            if let Some((kind, data)) = of_house(event) {
                told.push(message(nth, matter, (kind, Audience::Operator, data)));
                continue;
            }
            // A phase is told as such, also where something else is told with it.
            let entered = matches!(event, Event::Matter(matter::Event::StageEntered { .. }));
            if said.is_empty() || entered {
                let audience =
                    if ring.is_some() && is_public(event) { Audience::All } else { Audience::Operator };
                let mut data =
                    json!({ "command": command(act), "event": kind(event), "fields": fields(event) });
                if let Some(phase) = ring.and_then(|case| phase(case, event)) {
                    data["phase"] = json!(phase);
                }
                told.push(message(nth, matter, (Kind::Act, audience, data)));
            }
            told.extend(
                said.into_iter().map(|(kind, data)| message(nth, matter, (kind, Audience::All, data))),
            );
        }
        told
    }

    /// What an event of a ring is called; nothing if it has no name of its own.
    fn of_ring(&self, case: &Case, act: &Act, id: Id, event: &Event) -> Vec<(Kind, Value)> {
        match event {
            Event::Matter(event) => of_matter(case, event),
            Event::Floor(event) => self.of_floor(id, event),
            Event::Table(event) => of_table(id, event),
            Event::Ballot(event) => of_ballot(case, event),
            Event::Ask(ask::Event::Lapsed { ask, cause }) => {
                let floor = self.asks.get(ask).is_some_and(|asked| asked.floor);
                let data =
                    json!({ "ask": ask, "who": self.who(*ask), "code": cause.code, "why": cause.detail });
                if floor { vec![(Kind::TokenTimeout, data)] } else { Vec::new() }
            }
            Event::Watch(watch::Event::Left { why: watch::Exit::Stagnation, .. }) => {
                let round = round_closed(act, id, case.id);
                vec![(Kind::DeadlockDetected, json!({ "round": round, "next": "the vote" }))]
            }
            Event::Ask(_) | Event::Watch(_) => Vec::new(),
            Event::House(_) | Event::Charter(_) | Event::Roster(_) => Vec::new(),
            Event::Gate(_) | Event::Meter(_) | Event::Context(_) => Vec::new(),
            Event::Monitor(_) | Event::Trigger(_) | Event::Door(_) | Event::Track(_) => Vec::new(),
        }
    }

    fn of_floor(&self, id: Id, event: &floor::Event) -> Vec<(Kind, Value)> {
        match event {
            floor::Event::Called { round, until, who, .. } => {
                vec![(
                    Kind::TokenGrant,
                    json!({ "ask": id, "round": round, "task": "speak", "until": until, "who": who }),
                )]
            }
            floor::Event::Released { ask } => {
                vec![(Kind::TokenRelease, json!({ "ask": ask, "who": self.who(*ask) }))]
            }
            floor::Event::Skipped { ask, why } => {
                vec![(Kind::TokenSkip, json!({ "ask": ask, "who": self.who(*ask), "why": why }))]
            }
            floor::Event::RoundOpened { .. }
            | floor::Event::RoundClosed { .. }
            | floor::Event::Impanelled { .. }
            | floor::Event::Absent { .. }
            | floor::Event::Joined { .. }
            | floor::Event::Gone { .. } => Vec::new(),
        }
    }
}

/// The round of a matter that an act closed before the event of that id. Read from the act: by the time it is told,
/// the house may be further.
fn round_closed(act: &Act, id: Id, of: MatterId) -> Option<u32> {
    act.events()[..usize::from(id.nth)].iter().rev().find_map(|event| {
        let Event::Floor(floor::Event::RoundClosed { matter, round, .. }) = event else { return None };
        (*matter == of).then_some(*round)
    })
}

/// What is watched for in the house as a whole, and calls for a session.
fn of_house(event: &Event) -> Option<(Kind, Value)> {
    match event {
        Event::Trigger(trigger::Event::Fired { kind, matter, of, priority, .. }) => {
            let data = json!({ "matter": matter, "of": of, "priority": priority, "trigger": kind.word() });
            Some((Kind::ConsensusTrigger, data))
        }
        Event::Monitor(monitor::Event::Found { finding, .. })
            if finding.pattern == monitor::Pattern::OpinionDivergence =>
        {
            Some((Kind::DivergenceAlert, json!(finding)))
        }
        Event::Trigger(_) | Event::Monitor(_) | Event::Door(_) | Event::Track(_) => None,
        Event::House(_) | Event::Charter(_) | Event::Roster(_) | Event::Matter(_) | Event::Floor(_) => None,
        Event::Gate(_) | Event::Ballot(_) | Event::Meter(_) | Event::Ask(_) | Event::Context(_) => None,
        Event::Watch(_) | Event::Table(_) => None,
    }
}

fn of_matter(case: &Case, event: &matter::Event) -> Vec<(Kind, Value)> {
    match event {
        matter::Event::Opened(opening) => {
            let invited: Vec<&Who> = opening.seats.iter().map(|seat| &seat.who).collect();
            let data = json!({ "charter": opening.charter.name, "invited": invited, "topic": opening.question.topic });
            vec![(Kind::ConsensusStart, data)]
        }
        matter::Event::Settled { decision, .. } => {
            let kind = match decision {
                Decision::Passed { .. } => Kind::ConsensusReached,
                Decision::Undecided(Why::Quorum) => Kind::ConsensusDeferred,
                Decision::Failed | Decision::Undecided(_) | Decision::Contested => Kind::ConsensusBlocked,
            };
            let session = Session::of(case);
            let reason = session.as_ref().and_then(|session| session.reason);
            let carried = session.as_ref().and_then(|session| session.proposal(session.committed?));
            let carried = carried.map(|row| json!({ "id": row.id, "title": row.title, "text": row.text }));
            let data = json!({ "phase": case.phase_word(), "proposal": carried, "reason": reason });
            vec![(kind, data.clone()), (Kind::ConsensusEnd, data)]
        }
        matter::Event::StageEntered { stage, .. } => {
            let stage = case.charter.stages.get(usize::from(*stage)).map(|stage| &stage.kind);
            match stage {
                Some(StageKind::Ring(Phase::Discussing { .. })) => first_proposals(case),
                Some(_) | None => Vec::new(),
            }
        }
        matter::Event::Paused { .. }
        | matter::Event::Resumed { .. }
        | matter::Event::Stepped { .. }
        | matter::Event::Redacted { .. } => Vec::new(),
    }
}

/// What was proposed before the talk began, as it was first put.
fn first_proposals(case: &Case) -> Vec<(Kind, Value)> {
    let first = case.table.proposals.iter().filter(|put| put.round == 0);
    let told = first.map(|put| {
        let data = json!({
            "id": put.id, "number": put.number, "round": 0, "text": put.first, "title": put.title, "who": put.who,
        });
        (Kind::Proposal, data)
    });
    told.collect()
}

fn of_table(id: Id, event: &table::Event) -> Vec<(Kind, Value)> {
    let (kind, data) = match event {
        table::Event::Said { kind, round, text, to, who, .. } => {
            let data = json!({ "id": id, "kind": kind, "round": round, "text": text, "to": to, "who": who });
            match kind {
                table::Kind::Question => (Kind::Question, data),
                table::Kind::Opinion | table::Kind::Synthesis => (Kind::Contribution, data),
            }
        }
        // Before the talk begins all propose at once, and nobody follows another's lead: told when it begins.
        table::Event::Proposed { number, round: 0, who, .. } => {
            (Kind::Proposal, json!({ "id": id, "number": number, "round": 0, "who": who, "withheld": true }))
        }
        table::Event::Proposed { number, round, text, title, who, .. } => {
            let data = json!({ "id": id, "number": number, "round": round, "text": text, "title": title, "who": who });
            (Kind::Proposal, data)
        }
        table::Event::Amended { proposal, round, text, version, who, why, .. } => {
            let data = json!({
                "id": id, "proposal": proposal, "round": round, "text": text, "version": version, "who": who, "why": why,
            });
            (Kind::Amendment, data)
        }
        table::Event::Ruled { accepted, amendment, why, .. } => {
            (Kind::Amendment, json!({ "accepted": accepted, "id": amendment, "why": why }))
        }
        table::Event::Reacted { reaction, round, text, to, who, .. } => {
            let data = json!({ "reaction": reaction, "round": round, "text": text, "to": to, "who": who });
            (Kind::Reaction, data)
        }
    };
    vec![(kind, data)]
}

fn of_ballot(case: &Case, event: &ballot::Event) -> Vec<(Kind, Value)> {
    match event {
        ballot::Event::Opened { rule, seats, .. } => {
            let put = case.table.proposals.iter();
            let put: Vec<Value> =
                put.map(|put| json!({ "id": put.id, "title": put.title, "text": put.text })).collect();
            vec![(Kind::VoteStart, json!({ "proposals": put, "rule": rule, "seats": seats }))]
        }
        ballot::Event::Graded { vote, .. } => {
            vec![(Kind::Vote, json!({ "proposal": vote.proposal, "who": vote.who }))]
        }
        ballot::Event::Counted { standings, tied, .. } => {
            vec![(Kind::VoteResult, json!({ "standings": standings, "tied": tied }))]
        }
        ballot::Event::Asked { .. }
        | ballot::Event::Delegated { .. }
        | ballot::Event::Cast { .. }
        | ballot::Event::Unparsed { .. }
        | ballot::Event::Closed { .. } => Vec::new(),
    }
}

/// The phase that an event enters, in the word agents know it by.
fn phase(case: &Case, event: &Event) -> Option<&'static str> {
    let Event::Matter(matter::Event::StageEntered { stage, .. }) = event else { return None };
    match &case.charter.stages.get(usize::from(*stage))?.kind {
        StageKind::Ring(phase) => Some(phase.word()),
        StageKind::Speak(_) | StageKind::Vote { .. } => None,
    }
}

/// Whether everybody in a ring may see an event that has no type of its own. What is asked of others is theirs.
fn is_public(event: &Event) -> bool {
    match event {
        Event::Matter(_) | Event::Floor(_) | Event::Watch(_) => true,
        Event::House(_) | Event::Charter(_) | Event::Roster(_) | Event::Gate(_) | Event::Table(_) => false,
        Event::Ballot(_) | Event::Meter(_) | Event::Ask(_) | Event::Context(_) => false,
        Event::Monitor(_) | Event::Trigger(_) | Event::Door(_) => false,
        // Who was right tells how they voted, which is open by now: votes that stay secret are not marked.
        Event::Track(_) => true,
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
    let inner = |value: Value| match value {
        Value::Object(map) => map.into_iter().next().map(|(_, inner)| inner),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::String(_) => None,
    };
    let whole = || serde_json::to_value(event).ok().and_then(inner).unwrap_or_default();
    match event {
        Event::House(_) | Event::Charter(_) => whole(),
        Event::Ballot(ballot::Event::Cast { ask, vote }) => json!({ "ask": ask, "who": vote.who }),
        Event::Ballot(ballot::Event::Graded { vote, .. }) => {
            json!({ "proposal": vote.proposal, "who": vote.who })
        }
        Event::Ballot(ballot::Event::Unparsed { again, ask, .. }) => json!({ "again": again, "ask": ask }),
        Event::Ballot(ballot::Event::Delegated { ask, delegation }) => {
            json!({ "ask": ask, "who": delegation.who })
        }
        Event::Monitor(_) | Event::Trigger(_) | Event::Door(_) | Event::Track(_) => {
            inner(whole()).unwrap_or_default()
        }
        Event::Ballot(_) | Event::Roster(_) | Event::Matter(_) | Event::Floor(_) => {
            inner(whole()).unwrap_or_default()
        }
        Event::Gate(_) | Event::Meter(_) | Event::Ask(_) => inner(whole()).unwrap_or_default(),
        Event::Context(_) | Event::Watch(_) | Event::Table(_) => inner(whole()).unwrap_or_default(),
    }
}
