//! Calls fail as a broken or full disk makes them fail: once, or from then on.

use crate::debate::{Fault, calm, survive};
use crate::form::{sample, sweep};
use crate::service;

fn every(kind: &str, calls: usize) -> Vec<String> {
    (1..=calls).map(|nth| format!("{kind}:{nth}")).collect()
}

fn debate(name: &str, kind: &str) {
    let points = every(kind, calm().calls.len());
    sweep(name, sample(kind, &points, 10), |plan| survive(plan, Fault::Error));
}

#[test]
fn a_debate_on_a_disk_that_fails_once() {
    debate("EIO once", "eio");
}

#[test]
fn a_debate_on_a_disk_that_fails_for_good() {
    debate("EIO from then on", "eio+");
}

#[test]
fn a_debate_on_a_disk_that_is_full_once() {
    debate("ENOSPC once", "enospc");
}

#[test]
fn a_debate_on_a_disk_that_stays_full() {
    debate("ENOSPC from then on", "enospc+");
}

#[test]
fn a_service_on_a_failing_disk() {
    let calls = service::calm_calls().len();
    let points: Vec<String> =
        ["eio", "eio+", "enospc", "enospc+"].iter().flat_map(|kind| every(kind, calls)).collect();
    sweep("service, EIO and ENOSPC", sample("service-faults", &points, 12), |plan| service::survive(plan));
}
