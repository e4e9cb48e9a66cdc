//! The rules of deliberation.
//!
//! This crate is pure and synchronous. It never reads a clock, never draws a random number, holds no
//! floating-point number, depends on no hash order, does no input or output and is never async. What
//! happens in a house is a fold of its acts; [`House::decide`] judges a command, [`House::evolve`] records
//! what was judged.
//!
//! `kernel` is the ground. The organs (`roster`, `matter`, `floor`, `gate`, `lens`, `brief`, `ballot`, `meter`,
//! `context`, `watch`, `table`, `monitor`, `trigger`, `rejections`, `track`, `evidence`, `canon`, `ledger`, `issue`,
//! `dissent`, `period`, `lease`) stand on it and never import each other. `charter`, `event`, `command`, `refusal`, `act`, `json`,
//! `ask`, `redact`, `regulation`, `procedure`, `house` and `view` stand on top;
//! procedures put organs in an order and never import each other, the house dispatches to them.

pub mod act;
pub mod ask;
pub mod ballot;
pub mod brief;
pub mod canon;
pub mod charter;
pub mod command;
pub mod context;
pub mod dissent;
pub mod edition;
pub mod event;
pub mod evidence;
pub mod floor;
pub mod gate;
pub mod house;
pub mod issue;
pub mod json;
pub mod kernel;
pub mod lease;
pub mod ledger;
pub mod lens;
pub mod matter;
pub mod meter;
pub mod monitor;
pub mod period;
pub mod procedure;
pub mod redact;
pub mod refusal;
pub mod regulation;
pub mod rejections;
pub mod roster;
pub mod table;
pub mod track;
pub mod trigger;
pub mod view;
pub mod watch;

pub use act::{Act, Mac, Outcome, SeenRecord, Vouched};
pub use ask::{Ask, Task};
pub use command::Command;
pub use event::Event;
pub use house::House;
pub use refusal::Refusal;
