//! The wire: every shape that leaves or enters the process as JSON, typed once for the server, its clients, the Redis
//! bridge and the OpenAPI document.
//!
//! `words` are the closed sets (status, phase, task, grades), `ids` how things are named, `message` what feed and
//! Redis tell, `action` what a participant sends, `answer` what a write is answered with, `author` whose a message is, `ring` and `matter` what is
//! shown, `turn` what a participant is asked for, `observation` what agents report and ask for. `opening` what an
//! operator sends. `translate` turns acts into messages. Nothing here judges, reads a clock or does I/O; who may see a message is said in it.
//!
//! To add a message: a variant of `MessageContent` with its data, its `MessageKind`, and where `translate` makes it.

mod action;
mod answer;
mod author;
mod ids;
mod matter;
mod message;
mod numbers;
pub(crate) mod observation;
mod opening;
mod ring;
mod translate;
mod turn;
mod words;

pub(crate) use action::{
    ActionRequest, AmendmentBody, Nothing, ProposalBody, ReactionBody, ReleaseBody, RulingBody, SkipBody,
    StatementBody, VoteBody,
};
pub(crate) use answer::{AcknowledgementView, Done, ErrorBody, Failure};
pub(crate) use ids::{ItemRef, MatterRef, WrittenId, WrittenMatter};
pub(crate) use matter::{CAVEATS_MOST, Matter, MatterPage, MatterRow};
pub(crate) use message::{
    InsightMessage, MessageAudience, MessageContent, MessageKind, SessionOpened, TurnGranted, VoteOpened,
    WireMessage,
};
pub(crate) use numbers::WholeNumber;
pub(crate) use opening::{
    Answered, Branching, Continuing, Judging, LimitsWanted, OpeningBody, Performed, SeatWanted, Summing,
};
pub(crate) use ring::{ProposalView, RingView};
pub(crate) use translate::Translator;
pub(crate) use turn::{NoTurn, Turn, Turns, WhyNoTurn};
pub(crate) use words::{MemberState, PhaseWord, StatusWord, TaskWord, grade};
