//! The tests of the journal, one binary. What needs another process starts this one again, see `child`.

mod canon;
mod chain;
mod child;
mod corpus;
mod crash;
mod disk;
mod early;
mod files;
mod fuzz;
mod key;
mod lock;
mod mark;
mod receipt;
mod redaction;
mod sample;
mod stores;
mod tamper;
mod tlog;
