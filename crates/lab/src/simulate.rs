//! Simulated matters through the real house: every answer is a command that `House::decide` judges, as a model's would be.
//!
//! What is simulated is what seats think; floors, gates, lenses and ballots are those of the core. A matter's dice are thrown by
//! the study's seed and its number alone, so a run comes out the same on any number of threads.

mod ablate;
mod matter;
mod seat;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;
use synod_core::kernel::{Actor, At, Digest, Seat, SeatKind, Who};
use synod_core::{Act, Command, House, Outcome};

pub use ablate::{AblationReport, AblationRow, LayerEffect, ablate};
use matter::MatterEnd;

use crate::stats::{self, Interval};
use crate::study::{Cast, Study};

/// What went wrong before anything was simulated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SimulationFault(pub String);

/// A house that is ready for matters of a study, and the rules that hold in it.
#[derive(Debug)]
pub struct SimulatedHouse {
    house: House,
    charter: Digest,
    seats: Vec<Who>,
    /// The place of each.
    places: BTreeMap<Who, usize>,
    /// The cast of each seat.
    casts: Vec<Cast>,
    /// The number of each seat's model.
    models: Vec<usize>,
    study: Study,
}

/// MatterSums over matters; a matter leaves nothing else behind.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct MatterSums {
    matters: u64,
    /// Matters in which YES was right.
    yes: u64,
    right: u64,
    wrong: u64,
    /// Passed although NO was right.
    false_pass: u64,
    /// Not passed although YES was right.
    false_reject: u64,
    commands: u64,
    answers: u64,
    rounds: u64,
}

/// What a simulation came to. Everything in it is simulated.
#[derive(Debug, Clone, Serialize)]
pub struct SimulationReport {
    /// Says that no model was asked.
    pub kind: &'static str,
    /// The study's name.
    pub study: String,
    /// Its seed.
    pub seed: u64,
    /// The charter's name and digest.
    pub charter: String,
    /// The SHA-256 of the charter.
    pub charter_digest: String,
    /// Matters that were opened.
    pub matters: u64,
    /// Seats of each.
    pub seats: u32,
    /// Matters that came to the right answer.
    pub right: Option<Interval>,
    /// Matters that came to the wrong answer.
    pub wrong: Option<Interval>,
    /// Of those in which NO was right, how many passed.
    pub false_pass: Option<Interval>,
    /// Of those in which YES was right, how many did not pass.
    pub false_reject: Option<Interval>,
    /// Answers that seats gave, per matter.
    pub answers: f64,
    /// Rounds of speech, per matter.
    pub rounds: f64,
    /// Commands that the house judged in all.
    pub commands: u64,
}

fn given(house: &House, command: Command) -> Result<House, SimulationFault> {
    let (act, after): (Act, House) = house.judge(At(1), Actor::Operator, None, command);
    match act.outcome {
        Outcome::Done(_) => Ok(after),
        Outcome::Refused { message, .. } => Err(SimulationFault(message.to_string())),
    }
}

/// What one thread found: the sums of its matters, and how each ended.
type PartOfStudy = (MatterSums, Vec<(u64, MatterEnd)>);

impl SimulatedHouse {
    /// Sets a house up for a study. `source` is the whole text of its charter.
    pub fn set(study: &Study, source: &str) -> Result<Self, SimulationFault> {
        let edition = synod_core::edition::CURRENT;
        let mut house = given(&House::default(), Command::Found { edition, key: "00".repeat(32) })?;
        house = given(&house, Command::Adopt { source: source.into() })?;
        let (mut seats, mut casts, mut models) = (Vec::new(), Vec::new(), Vec::new());
        for (model, cast) in study.cast.iter().enumerate() {
            for _ in 0..cast.seats {
                let name = format!("seat-{}", seats.len() + 1);
                let who = Who::parse(&name).map_err(|wrong| SimulationFault(wrong.to_string()))?;
                let (kind, model_name) = (SeatKind::Scripted, Some(cast.model.clone()));
                let seat = Seat {
                    who: who.clone(),
                    name,
                    kind,
                    backend: "simulated".into(),
                    model: model_name,
                    persona: None,
                    profile: None,
                };
                house = given(&house, Command::Enrol { seat })?;
                seats.push(who);
                casts.push(cast.clone());
                models.push(model);
            }
        }
        let places = seats.iter().cloned().zip(0..).collect();
        let charter = Digest::of(source.as_bytes());
        Ok(Self { house, charter, seats, places, casts, models, study: study.clone() })
    }

    /// Simulates all matters of the study on so many threads. `done` counts them as they end.
    pub fn run(&self, threads: usize, done: &AtomicU64) -> Result<SimulationReport, SimulationFault> {
        self.sums(threads, done, None).map(|sums| self.report(&sums))
    }

    /// The sums, and what each matter came to where somebody wants to know, in order.
    pub(crate) fn sums(
        &self,
        threads: usize,
        done: &AtomicU64,
        each: Option<&mut dyn FnMut(MatterEnd)>,
    ) -> Result<MatterSums, SimulationFault> {
        let (threads, wanted) = (threads.clamp(1, 64) as u64, each.is_some());
        let work = |thread: u64| -> Result<(MatterSums, Vec<(u64, MatterEnd)>), SimulationFault> {
            let (mut sums, mut ended) = (MatterSums::default(), Vec::new());
            for number in (thread..self.study.matters).step_by(threads as usize) {
                let one = matter::simulate(self, number)?;
                sums.add(&one);
                // Kept only where somebody asks: thousands of matters take no more memory than one.
                ended.extend(wanted.then_some((number, one)));
                done.fetch_add(1, Ordering::Relaxed);
            }
            Ok((sums, ended))
        };
        let found: Vec<Result<PartOfStudy, SimulationFault>> = std::thread::scope(|scope| {
            let running: Vec<_> = (0..threads).map(|thread| scope.spawn(move || work(thread))).collect();
            let lost = || Err(SimulationFault("a thread of the simulation was lost".into()));
            running.into_iter().map(|thread| thread.join().unwrap_or_else(|_| lost())).collect()
        });
        let (mut sums, mut ended) = (MatterSums::default(), Vec::new());
        for part in found {
            let (part, own) = part?;
            sums.merge(&part);
            ended.extend(own);
        }
        ended.sort_by_key(|(number, _)| *number);
        if let Some(each) = each {
            ended.into_iter().for_each(|(_, one)| each(one));
        }
        Ok(sums)
    }

    fn report(&self, sums: &MatterSums) -> SimulationReport {
        let MatterSums { matters, yes, right, wrong, false_pass, false_reject, commands, answers, rounds } =
            *sums;
        let share = |part: u64, whole: u64| stats::wilson(part as f64, whole as usize);
        let charter = self.house.charter(&self.charter);
        SimulationReport {
            kind: "simulated",
            study: self.study.name.clone(),
            seed: self.study.seed,
            charter: charter.map(|adopted| adopted.rules.name.clone()).unwrap_or_default(),
            charter_digest: self.charter.to_string(),
            matters,
            seats: self.study.seats(),
            right: share(right, matters),
            wrong: share(wrong, matters),
            false_pass: share(false_pass, matters - yes),
            false_reject: share(false_reject, yes),
            answers: answers as f64 / matters.max(1) as f64,
            rounds: rounds as f64 / matters.max(1) as f64,
            commands,
        }
    }
}

impl MatterSums {
    fn add(&mut self, ended: &MatterEnd) {
        let passed = ended.passed == Some(true);
        self.matters += 1;
        self.yes += u64::from(ended.truth);
        self.right += u64::from(ended.passed == Some(ended.truth));
        self.wrong += u64::from(ended.passed == Some(!ended.truth));
        self.false_pass += u64::from(passed && !ended.truth);
        self.false_reject += u64::from(!passed && ended.truth);
        self.commands += ended.commands;
        self.answers += ended.answers;
        self.rounds += u64::from(ended.rounds);
    }

    fn merge(&mut self, other: &Self) {
        self.matters += other.matters;
        self.yes += other.yes;
        self.right += other.right;
        self.wrong += other.wrong;
        self.false_pass += other.false_pass;
        self.false_reject += other.false_reject;
        self.commands += other.commands;
        self.answers += other.answers;
        self.rounds += other.rounds;
    }
}
