//! The process is killed before every call that changes a file of the house, and within every write.

use crate::debate::{Fault, calm, survive};
use crate::form::{random, sample, sweep};
use crate::service;
use crate::shim::writes;

#[test]
fn a_debate_killed_before_each_call() {
    let points: Vec<String> = (1..=calm().calls.len()).map(|nth| format!("kill:{nth}")).collect();
    sweep("kill before a call", sample("kill", &points, 16), |plan| survive(plan, Fault::Kill));
}

#[test]
fn a_debate_killed_within_each_write() {
    let mut random = random("torn");
    let points: Vec<String> =
        writes(&calm().calls).iter().map(|nth| format!("torn:{nth}:{}", random.below(1000))).collect();
    sweep("torn write", sample("torn", &points, 12), |plan| survive(plan, Fault::Kill));
}

#[test]
fn a_service_killed_before_each_call() {
    let points: Vec<String> = (1..=service::calm_calls().len()).map(|nth| format!("kill:{nth}")).collect();
    sweep("service killed", sample("service", &points, 12), |plan| service::survive(plan));
}
