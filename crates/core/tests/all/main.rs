//! The tests of the core: scripts through one `check`, and the properties that hold after every step.

mod answers;
mod architecture;
mod ballots;
mod briefs;
mod budget;
mod calls;
mod charters;
mod door;
mod kernel;
mod keys;
mod lens;
mod moderation;
mod modes;
mod polls;
mod random;
mod reading;
mod redaction;
mod ring;
mod rounds;
mod steering;
mod track;
mod triggers;
mod votes;
mod voting;
mod watch;
mod world;
