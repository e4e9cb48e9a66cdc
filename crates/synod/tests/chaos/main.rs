//! Faults on purpose, against the built binary from outside: kills, torn writes, failing disks, power cuts, flipped bits, jumping
//! clocks, forged files. A short form runs with every test; `scripts/chaos` runs the long one, which goes through every system call.
//!
//! What is tried follows from one printed seed. Threads of the process under test still take turns as they like, so a finding names
//! the fault that made it and not only the seed.
//!
//! To add a sweep: a module here, its points through [`form::sweep`], a row in docs/reliability.md. A finding that is known and not
//! yet fixed is listed in [`expected`], with the reason; one that no longer occurs must leave that list.

#![cfg(target_os = "linux")]

mod clock;
mod debate;
mod expected;
mod faults;
mod form;
mod kill;
mod power;
mod receipts;
mod restore;
mod rot;
mod service;
mod shim;
mod tamper;

// The places, processes and models of the other tests. Not all of each is used here.
#[allow(dead_code)]
#[path = "../all/server.rs"]
mod server;
#[allow(dead_code)]
#[path = "../all/world.rs"]
mod world;
