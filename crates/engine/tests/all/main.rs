//! The engine on real journals and real time, with minds that answer at once, late, never or not at all.

mod branches;
mod cited;
mod editions;
mod evidence;
mod faults;
mod feeds;
mod first_calls;
mod minds;
mod redaction;
mod rings;
mod running;
mod server;
mod snapshots;
mod sources;
mod tools;
mod trouble;
