//! The wire: every shape that leaves or enters the process as JSON, typed once for the server, its clients, the Redis
//! bridge and the OpenAPI document.
//!
//! `words` are the closed sets (status, phase, task, grades), `ids` how things are named, `message` what feed and
//! Redis tell, `action` what a participant sends, `answer` what a write is answered with, `author` whose a message is, `ring` and `matter` what is
//! shown, `issue` what is done to issues, `credits` what agents earned, `workshop` how they are doing, `thread` what is shown of them, `turn` what a participant is asked for, `observation` what agents report and ask for. `opening` what an
//! operator sends. `translate` turns acts into messages. Nothing here judges, reads a clock or does I/O; who may see a message is said in it.
//!
//! To add a message: a variant of `MessageContent` with its data, its `MessageKind`, and where `translate` makes it.

mod action;
mod answer;
mod author;
mod canon;
mod credits;
mod ids;
mod issue;
mod lease;
mod matter;
mod message;
mod numbers;
pub(crate) mod observation;
mod opening;
mod ring;
mod thread;
mod translate;
mod turn;
mod words;
mod workshop;

pub(crate) use action::{
    ActionRequest, AmendmentBody, Nothing, ProposalBody, ReactionBody, ReleaseBody, RulingBody, SkipBody,
    StatementBody, VoteBody,
};
pub(crate) use answer::{AcknowledgementView, Done, ErrorBody, Failure};
pub(crate) use canon::{
    CanonEntryView, CanonPage, CheckBody, CheckedText, ChoiceWord, ClaimBody, ClaimsBody, ClaimsDecisionBody,
    ConflictPage, ConflictView, DecideBody, EndBody, FoundConflictView, PromoteBody, ProposedPage,
    StatusBody, SupportBody,
};
pub(crate) use credits::{
    AgentPage, AgentView, AttemptPage, AttemptView, AwardBody, GoalBody, GoalDropBody, GoalPage,
    LeaderboardView, LedgerPage, ModelBody, ModelRecordPage, ModelRecordView, PostingView, RatingBody,
    StandingView, WrittenSlice,
};
pub(crate) use ids::{IssueRef, ItemRef, MatterRef, WrittenId, WrittenMatter};
pub(crate) use issue::{
    AppointmentBody, ChallengeBody, ChangeBody, CommentBody, ConsolidationBody, EscalationBody, ForceBody,
    FreedomBody, GuidanceBody, IssueBody, IssueStep, MarkBody, OutcomeBody, PeriodBody, ReasonBody,
    RulesBody, WorkshopAction,
};
pub(crate) use lease::{AskBody, LeasePage, LeaseView, RenewBody, ReturnBody, TakeBody};
pub(crate) use matter::{CAVEATS_MOST, Matter, MatterPage, MatterRow};
pub(crate) use message::{
    InsightMessage, MessageAudience, MessageContent, MessageKind, SessionOpened, TurnGranted, VoteOpened,
    WireMessage,
};
pub(crate) use numbers::WholeNumber;
pub(crate) use opening::{
    Answered, Branching, Continuing, Judging, LimitsWanted, OpeningBody, Performed, Proposing, SeatWanted,
    Seconding, Summing, Withdrawing,
};
pub(crate) use ring::{ProposalView, RingView};
pub(crate) use thread::{CommentView, IssueLine, IssuePage, IssueThread, NoticePage, NoticeView, TurnedAway};
pub(crate) use translate::Translator;
pub(crate) use turn::{NoTurn, Turn, Turns, WhyNoTurn};
pub(crate) use words::{IssueStanceWord, MarkWord, MemberState, PhaseWord, StatusWord, TaskWord, grade};
pub(crate) use workshop::{
    AgentActivity, CanonConcerns, CitationBody, CitationView, InvitationBody, IssueConcern, PeriodPage,
    PeriodView, PreflightView, ReportView, TopicActivity,
};
