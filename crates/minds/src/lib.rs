//! Minds: how an answer is got.
//!
//! The engine hands a mind a brief and gets text or a fault back. A mind never judges what it was told,
//! never repairs what it said, never changes the name of a model, and never makes a call that the
//! engine's [`Pass`] has not let through.
//!
//! To add a kind of seat: a form in `spec`, a file beside `exec`, an arm in `cast`. To add a provider: a
//! file in `wire`, a name in `spec`, an arm in `cast`.

#![allow(
    clippy::result_large_err,
    reason = "a failure is no larger than a reply, so a box would save nothing"
)]

mod cassette;
mod cast;
mod exec;
mod fetch;
mod file;
mod find;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
mod http;
mod keys;
mod limit;
mod live;
mod manners;
mod mind;
mod model;
mod prices;
mod rehearsal;
mod retry;
mod script;
mod settings;
mod spec;
mod tools;
mod wire;

pub use cassette::Cassette;
pub use cast::{MindError, MindFactory, key_variables};
pub use exec::Exec;
pub use fetch::{Fetched, Fetcher, Unfetched};
pub use find::{FoundProvider, find, find_local};
pub use http::build as client;
pub use keys::{Env, Scrubber, Secret};
pub use limit::{Limiter, LimiterTurn};
pub use mind::{
    Answering, AskContext, CallEstimate, CallFailure, Face, Granting, Mind, MindKind, MindTask, Pass, Permit,
    Reply, Sign,
};
pub use prices::{Price, Prices};
pub use rehearsal::Rehearsal;
pub use script::{Script, Scripted};
pub use settings::{Pace, Provider, Settings, SettingsFlaw, Structured};
pub use spec::{Program, ProviderName, Spec};
pub use synod_programs::{COMMON, Guard};
pub use tools::{Tool, ToolCall, Toolbox, Using};
