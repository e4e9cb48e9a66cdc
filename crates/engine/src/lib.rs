//! The shell around the pure core.
//!
//! One writer per house judges commands in the order they come, appends what came of them to the journal
//! in batches, and only then lets anybody know. It never decides anything itself: the rules are in the
//! core. `judge` gives each batch to `keeper`, at once when there is time and through a second thread when
//! orders pile up, so that one batch is judged while the one before it goes to the disk. `perform` asks
//! minds, `world` does what the world is asked for, and both hand the answers back as commands; time comes from `next_deadline`. After a crash the open
//! asks are simply still there.
//!
//! Several processes can work in one house. The first holds it and lets others in (`host`); each of those (`guest`)
//! performs its own matters and gives its orders to the first over a private socket (`link`). When the first is gone,
//! a guest takes the house over and goes on. `claims` says who performs what.

mod archive;
mod branches;
mod claims;
mod clock;
mod engine;
mod feed;
mod first;
mod guest;
mod host;
mod judge;
mod keeper;
mod link;
mod perform;
mod replay;
mod secret;
mod signal;
mod snapshot;
mod sources;
mod stall;
mod start;
mod tools;
mod tree;
mod trouble;
mod world;

pub use archive::Archive;
pub use clock::{HouseClock, now};
pub use engine::{CommittedOrder, Engine, EngineOptions, Fault, Order, Redacted};
pub use feed::Feed;
pub use guest::guests_wait;
pub use perform::Minds;
pub use replay::{Difference, Divergence, Replayed, differences, fold, fold_to, replay};
pub use secret::{holds_key, is_secret, is_secret_path};
pub use signal::{AskProgress, Signal};
pub use snapshot::{Opened, SnapshotCheck, SnapshotPlace, check as check_snapshot, open as open_house};
pub use sources::Root;
pub use tree::{Acknowledgement, Promise};
