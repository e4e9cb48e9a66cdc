//! The binary from end to end: as a newcomer runs it, with models on real HTTP, through crashes, in the
//! hands of an attacker, with everything wrong that people type. Everything stays on this machine.

mod action;
mod agents;
mod archive;
mod bad;
mod ballots;
mod calls;
mod commands;
mod crash;
mod delete;
mod docs;
mod exports;
mod files;
mod first;
mod fuzz;
mod houses;
mod http;
mod kinds;
mod leaks;
mod live;
mod modes;
mod outcome;
mod person;
mod proof;
mod reading;
mod reference;
mod release;
mod server;
mod service;
mod setup;
mod shown;
mod steer;
mod tamper;
mod together;
mod trust;
mod world;
