//! The tests of the core: scripts through one `check`, and the properties that hold after every step.

mod answers;
mod architecture;
mod ballots;
mod briefs;
mod budget;
mod charters;
mod kernel;
mod lens;
mod moderation;
mod modes;
mod polls;
mod random;
mod reading;
mod redaction;
mod rounds;
mod steering;
mod votes;
mod voting;
mod watch;
mod world;
