//! The wire: every shape that leaves or enters the process as JSON, typed once for the server, its clients, the Redis
//! bridge and the OpenAPI document.
//!
//! `words` are the closed sets (status, phase, task, grades), `ids` how things are named, `message` what feed and
//! Redis tell, `action` what a participant sends, `answer` what a write is answered with, `author` whose a message is, `ring` and `matter` what is
//! shown, `turn` what a participant is asked for, `observation` what agents report and ask for. `opening` what an
//! operator sends. `translate` turns acts into messages. Nothing here judges, reads a clock or does I/O; who may see a message is said in it.
//!
//! To add a message: a variant of `Content` with its data, its `Kind`, and where `translate` makes it.

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
    Action, Amendment, Contribution, Nothing, Proposal, Reacting, Release, Ruling, Skip, Vote,
};
pub(crate) use answer::{Acknowledged, Done, ErrorBody, Failure};
pub(crate) use ids::{ItemRef, MatterRef, Written, WrittenMatter};
pub(crate) use matter::{CAVEATS_MOST, Matter, MatterRow, Page};
pub(crate) use message::{Audience, Content, Insight, Kind, Message, SessionOpened, TurnGranted, VoteOpened};
pub(crate) use numbers::Whole;
pub(crate) use opening::{
    Answered, Branching, Continuing, Judging, LimitsWanted, Opening, Performed, SeatWanted, Summing,
};
pub(crate) use ring::{Proposed, Ring};
pub(crate) use translate::Translator;
pub(crate) use turn::{NoTurn, Turn, Turns, WhyNoTurn};
pub(crate) use words::{MemberState, Phase, Status, TaskWord, grade};
