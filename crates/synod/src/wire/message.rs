//! Messages: what the feed and Redis tell of a house, in the words outside agents know.
//!
//! A session's twenty types, and `ACT` for everything that has no type of its own. How somebody voted is in no message
//! before its ballot is closed.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use synod_core::kernel::{Actor, AmendmentId, AskId, At, Id, MatterId, ProposalId, Reaction, Seq, Who};
use synod_core::monitor::Pattern;
use synod_core::trigger;
use utoipa::ToSchema;

use super::author::MessageId;
use super::words::{PhaseWord, PriorityWord, ReactionWord, StatementKind, TaskWord};

/// The version of the envelope.
pub(super) const VERSION: u32 = 1;

macro_rules! messages {
    ($($(#[$doc:meta])* $name:ident($data:ty) = $word:literal),+ $(,)?) => {
        /// The types of messages.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum MessageKind { $($(#[$doc])* $name),+ }

        impl MessageKind {
            /// All of them.
            pub(crate) const ALL: &[Self] = &[$(Self::$name),+];

            /// As it stands in a message.
            pub(crate) fn word(self) -> &'static str {
                match self { $(Self::$name => $word),+ }
            }

            /// The type of that word.
            pub(crate) fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|kind| kind.word() == word)
            }
        }

        /// What a message says: its type and the data that goes with it.
        #[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
        #[serde(tag = "type", content = "data")]
        #[schema(as = Content)]
        pub(crate) enum MessageContent { $($(#[$doc])* #[serde(rename = $word)] $name($data)),+ }

        impl MessageContent {
            pub(crate) fn kind(&self) -> MessageKind {
                match self { $(Self::$name(_) => MessageKind::$name),+ }
            }
        }
    };
}

messages! {
    /// A ring opens.
    ConsensusStart(SessionOpened) = "CONSENSUS_START",
    /// A ring is over.
    ConsensusEnd(SessionEnded) = "CONSENSUS_END",
    /// A participant has a turn.
    TokenGrant(TurnGranted) = "TOKEN_GRANT",
    /// A turn ended.
    TokenRelease(TurnReleased) = "TOKEN_RELEASE",
    /// A turn was not taken in time.
    TokenTimeout(TurnLapsed) = "TOKEN_TIMEOUT",
    /// A turn was skipped.
    TokenSkip(TurnSkipped) = "TOKEN_SKIP",
    /// An opinion or a synthesis.
    Contribution(StatementMade) = "CONTRIBUTION",
    /// A reaction to something on the table.
    Reaction(ReactionMade) = "REACTION",
    /// A question to the others.
    Question(StatementMade) = "QUESTION",
    /// A proposal.
    Proposal(ProposalMade) = "PROPOSAL",
    /// A change asked for in a proposal, or the author's answer to one.
    Amendment(AmendmentMade) = "AMENDMENT",
    /// Voting begins.
    VoteStart(VoteOpened) = "VOTE_START",
    /// Somebody voted; the vote is shown after the end.
    Vote(VoteNoted) = "VOTE",
    /// The votes are counted.
    VoteResult(VoteCounted) = "VOTE_RESULT",
    /// A proposal was carried.
    ConsensusReached(SessionEnded) = "CONSENSUS_REACHED",
    /// No proposal was carried.
    ConsensusBlocked(SessionEnded) = "CONSENSUS_BLOCKED",
    /// Too few voted.
    ConsensusDeferred(SessionEnded) = "CONSENSUS_DEFERRED",
    /// Something calls for a session.
    ConsensusTrigger(TriggerFired) = "CONSENSUS_TRIGGER",
    /// The discussion goes round in circles.
    DeadlockDetected(Deadlock) = "DEADLOCK_DETECTED",
    /// Opinions drift apart.
    DivergenceAlert(OpinionDivergence) = "DIVERGENCE_ALERT",
    /// Anything that has no type of its own.
    Act(ActNoted) = "ACT",
}

/// The readers of a message, among those who may see its matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum MessageAudience {
    /// Everybody in the matter.
    All,
    /// The operator and the participant who gave the command.
    Giver(Who),
    /// The operator alone.
    Operator,
}

/// A message as it travels.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = Message)]
pub(crate) struct WireMessage {
    /// The version of this form: 1.
    pub(crate) version: u32,
    /// Unlike that of any other message: the id of the event, with `.1`, `.2` … behind it where one event makes several
    /// messages. A message that is sent again has the same id.
    #[schema(value_type = String)]
    pub(crate) id: MessageId,
    /// The number of the act.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u64>)]
    pub(crate) seq: Option<Seq>,
    /// When it was judged, in Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u64>)]
    pub(crate) at: Option<At>,
    /// The matter; null for what concerns the house as a whole.
    #[schema(value_type = Option<String>)]
    pub(crate) matter: Option<MatterId>,
    /// Who it comes from: `seat:NAME` for what a participant did, `operator` for what the operator ordered, `engine` for
    /// what follows by the rules.
    #[schema(value_type = String)]
    pub(crate) from: Actor,
    #[serde(flatten)]
    pub(crate) content: MessageContent,
    /// Not part of what travels: it says to whom.
    #[serde(skip, default = "MessageAudience::nobody")]
    pub(crate) audience: MessageAudience,
}

impl MessageAudience {
    /// For messages that were read: they have arrived.
    fn nobody() -> Self {
        Self::Operator
    }
}

impl WireMessage {
    /// The message as it travels: one line of JSON.
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    pub(crate) fn kind(&self) -> MessageKind {
        self.content.kind()
    }

    /// Something announced to one participant, perhaps once more, by the event it tells of.
    pub(crate) fn announced(matter: MatterId, event: Id, from: Actor, content: MessageContent) -> Self {
        Self {
            version: VERSION,
            id: MessageId { event, part: 0 },
            seq: None,
            at: None,
            matter: Some(matter),
            from,
            content,
            audience: MessageAudience::Operator,
        }
    }
}

/// A committed decision as agents share what they found out, on the channel of insights.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct InsightMessage {
    version: u32,
    #[serde(rename = "type")]
    kind: &'static str,
    from: &'static str,
    matter: Option<MatterId>,
    data: InsightData,
}

#[derive(Debug, Clone, Serialize)]
struct InsightData {
    #[serde(rename = "type")]
    kind: &'static str,
    content: String,
    proposal: Option<ProposalText>,
}

impl InsightMessage {
    pub(crate) fn of(matter: Option<MatterId>, proposal: Option<ProposalText>) -> Self {
        let text = proposal.as_ref().map(|put| format!("Decided together: {}. {}", put.title, put.text));
        let data = InsightData { kind: "decision", content: text.unwrap_or_default(), proposal };
        Self { version: VERSION, kind: "INSIGHT", from: "synod", matter, data }
    }
}

/// A ring opens.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct SessionOpened {
    /// The name of its charter.
    pub(crate) charter: String,
    /// Who is invited, in speaking order.
    #[schema(value_type = Vec<String>)]
    pub(crate) invited: Vec<Who>,
    /// What is to be decided.
    pub(crate) topic: String,
}

/// A ring is over.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct SessionEnded {
    pub(crate) phase: PhaseWord,
    /// The proposal that was carried; null if none was.
    pub(crate) proposal: Option<ProposalText>,
    /// Why none was.
    pub(crate) reason: Option<String>,
}

/// A proposal as it was voted on.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct ProposalText {
    #[schema(value_type = String)]
    pub(crate) id: ProposalId,
    pub(crate) title: String,
    pub(crate) text: String,
}

/// A participant has a turn.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct TurnGranted {
    /// The id of the turn.
    #[schema(value_type = String)]
    pub(crate) ask: AskId,
    #[schema(value_type = String)]
    pub(crate) who: Who,
    pub(crate) task: TaskWord,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) round: Option<u32>,
    /// When it lapses, in Unix milliseconds.
    #[schema(value_type = u64)]
    pub(crate) until: At,
}

/// A turn ended.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct TurnReleased {
    #[schema(value_type = String)]
    pub(crate) ask: AskId,
    #[schema(value_type = Option<String>)]
    pub(crate) who: Option<Who>,
}

/// A turn was not taken in time.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct TurnLapsed {
    #[schema(value_type = String)]
    pub(crate) ask: AskId,
    #[schema(value_type = Option<String>)]
    pub(crate) who: Option<Who>,
    /// A stable code for the cause.
    pub(crate) code: String,
    /// The cause in words.
    pub(crate) why: String,
}

/// A turn was skipped.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct TurnSkipped {
    #[schema(value_type = String)]
    pub(crate) ask: AskId,
    #[schema(value_type = Option<String>)]
    pub(crate) who: Option<Who>,
    pub(crate) why: Option<String>,
}

/// A statement.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct StatementMade {
    #[schema(value_type = String)]
    pub(crate) id: Id,
    #[schema(value_type = StatementKind)]
    pub(crate) kind: synod_core::procedure::ring::Remark,
    pub(crate) round: u32,
    pub(crate) text: String,
    /// The id of what it replies to.
    #[schema(value_type = Option<String>)]
    pub(crate) to: Option<Id>,
    #[schema(value_type = String)]
    pub(crate) who: Who,
}

/// A reaction.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct ReactionMade {
    #[schema(value_type = ReactionWord)]
    pub(crate) reaction: Reaction,
    pub(crate) round: u32,
    pub(crate) text: Option<String>,
    /// The id of what it is a reaction to.
    #[schema(value_type = String)]
    pub(crate) to: Id,
    #[schema(value_type = String)]
    pub(crate) who: Who,
}

/// A proposal. While all propose at once its text is withheld; it is sent again when the discussion begins.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct ProposalMade {
    #[schema(value_type = String)]
    pub(crate) id: ProposalId,
    /// Counted from 1, in the order they were made.
    pub(crate) number: u32,
    /// 0 before the discussion.
    pub(crate) round: u32,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    #[schema(value_type = String)]
    pub(crate) who: Who,
    /// Title and text follow later.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) withheld: bool,
}

/// A change asked for in a proposal; or, with `accepted`, the author's answer to one.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct AmendmentMade {
    /// The id of the change.
    #[schema(value_type = String)]
    pub(crate) id: AmendmentId,
    /// The author's answer; left out where the change is new.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) accepted: Option<bool>,
    /// The proposal to change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub(crate) proposal: Option<ProposalId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) round: Option<u32>,
    /// The whole text as it should be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    /// Which version of the proposal it changes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) version: Option<u32>,
    /// Who asks for it; with `accepted`, the author who answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub(crate) who: Option<Who>,
    /// The reason given.
    pub(crate) why: Option<String>,
}

/// Voting begins.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct VoteOpened {
    /// What is voted on.
    pub(crate) proposals: Vec<ProposalText>,
    /// The rule the vote is judged by.
    #[schema(value_type = Object)]
    pub(crate) rule: synod_core::ballot::Rules,
    /// How many can vote.
    pub(crate) seats: u32,
}

/// Somebody voted.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct VoteNoted {
    #[schema(value_type = String)]
    pub(crate) proposal: ProposalId,
    #[schema(value_type = String)]
    pub(crate) who: Who,
}

/// The votes are counted.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct VoteCounted {
    /// Every proposal, in the order they were made.
    pub(crate) results: Vec<ProposalCount>,
    /// Proposals that shared the first place.
    #[schema(value_type = Vec<String>)]
    pub(crate) tied: Vec<ProposalId>,
}

/// The votes on one proposal.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct ProposalCount {
    #[schema(value_type = String)]
    pub(crate) proposal: ProposalId,
    pub(crate) grades: GradeCounts,
    /// What the rule makes of this proposal alone.
    #[schema(value_type = Value)]
    pub(crate) decision: synod_core::kernel::Decision,
    /// Seats with a veto that rejected it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schema(value_type = Vec<String>)]
    pub(crate) vetoed: Vec<Who>,
}

/// Votes by grade.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
pub(crate) struct GradeCounts {
    pub(crate) approve: u32,
    pub(crate) approve_with_concerns: u32,
    pub(crate) abstain: u32,
    pub(crate) request_changes: u32,
    pub(crate) reject: u32,
}

impl From<[u32; 5]> for GradeCounts {
    /// In the order of `Grade::ALL`.
    fn from([approve, approve_with_concerns, abstain, request_changes, reject]: [u32; 5]) -> Self {
        Self { approve, approve_with_concerns, abstain, request_changes, reject }
    }
}

/// Something calls for a session.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct TriggerFired {
    /// Which trigger, such as `agent` or `checkpoint`.
    #[schema(value_type = String)]
    pub(crate) trigger: trigger::TriggerKind,
    /// What it watched: the reason, the checkpoint, the phase, the measure, the pattern.
    pub(crate) of: Option<String>,
    #[schema(value_type = PriorityWord)]
    pub(crate) priority: synod_core::kernel::Priority,
    /// The matter it opened; null if it opened none.
    #[schema(value_type = Option<String>)]
    pub(crate) matter: Option<MatterId>,
}

/// The discussion goes round in circles.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct Deadlock {
    /// The round after which this was found.
    pub(crate) round: Option<u32>,
    /// What follows: `vote`.
    pub(crate) next: TaskWord,
}

/// Opinions drift apart.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = Divergence)]
pub(crate) struct OpinionDivergence {
    /// Whom it concerns.
    #[schema(value_type = Vec<String>)]
    pub(crate) agents: Vec<Who>,
    /// How far they are apart, in thousandths.
    pub(crate) count: u64,
    #[schema(value_type = String)]
    pub(crate) pattern: Pattern,
    /// The topic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) subject: Option<String>,
}

/// Anything that has no type of its own: an event, or a refused command.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub(crate) struct ActNoted {
    /// What kind of command caused it.
    pub(crate) command: String,
    /// What kind of event it is, such as `floor/joined`; left out where the command was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) event: Option<String>,
    /// The fields of that event.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub(crate) fields: Option<Value>,
    /// The phase that the event enters, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) phase: Option<PhaseWord>,
    /// Why the command was refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) refused: Option<super::ErrorBody>,
}
