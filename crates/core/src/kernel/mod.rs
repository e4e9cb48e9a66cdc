//! The ground everything stands on: ids, time, exact numbers, text measures and the shapes that cross
//! the border of the core.
//!
//! The kernel knows no rule of deliberation and imports nothing above it. What two organs must both
//! speak of lives here, because organs never import each other.
//!
//! Fields of what is recorded often stand in alphabetical order: the canonical one, so that writing an act
//! down moves nothing.

mod about;
mod by_record;
mod call;
mod citation;
mod comment;
mod contribution;
mod decision;
mod digest;
mod epistemic;
mod id;
mod marks;
pub mod markup;
mod message;
mod money;
mod number;
pub(crate) mod pairs;
mod priority;
pub mod prose;
mod ratio;
mod reference;
mod refusal;
mod seat;
mod sentence;
mod setting;
pub(crate) mod shared_list;
pub(crate) mod shared_pairs;
pub mod text;
mod text_set;
mod time;
mod words;

pub use about::{About, AskChange};
pub use by_record::{ByRecord, RecordWeights, SeatWeight, WeighedBy, WeightTrial};
pub use call::{Attempt, Call, Cause, Evidence, Usage};
pub use citation::{Citation, ContextRequest, Passage, PathFlaw, clean_path};
pub use comment::{
    AuthorClass, Breaker, CitationTrigger, Comment, CommentAction, CommentDeed, CommentKind, Impact,
};
pub use contribution::{
    CHANGE_IF, CONDITIONS, Choice, Contribution, ContributionKind, How, Reaction, Repair, RequirementCheck,
    Response, StanceSource, StoredContribution, Violation,
};
pub use decision::{Decision, UndecidedReason};
pub use digest::{Digest, Hasher};
pub use epistemic::Epistemic;
pub use id::{Actor, AmendmentId, AskId, BallotId, Id, Key, MatterId, ProposalId, Seq, Who};
pub use marks::Marks;
pub use message::Message;
pub use money::Nano;
pub use number::{Estimate, NotANumber, Number, Range, Spread};
pub use priority::Priority;
pub use prose::{Reading, Stance};
pub use ratio::{Permille, Ratio, RatioError, Threshold};
pub use reference::{CanonReference, FileReference, LineRange, Reference};
pub(crate) use refusal::refusals;
pub use refusal::{RefusalEntry, RefusalKind};
pub use seat::{Perspective, Rank, Seat, SeatKind, SeatProfile};
pub use setting::{SettingValue, SettingValueError};
pub use text_set::TextSet;
pub use time::At;
pub(crate) use words::words;
pub use words::{REDACTED, Words};
