//! Simulated matters through the real house: every answer is a command that `House::decide` judges, as a model's would be.
//!
//! What is simulated is what seats think; floors, gates, lenses and ballots are those of the core. A matter's dice are thrown by
//! the study's seed and its number alone, so a run comes out the same on any number of threads.

mod ablate;
mod calibrate;
mod matter;
mod seat;
mod sums;
mod told;
mod variant;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use synod_core::kernel::{Actor, At, Digest, Rank, Seat, SeatKind, SeatProfile, Who};
use synod_core::{Act, Command, House, Outcome};

pub use ablate::{AblationReport, AblationRow, LayerEffect, ablate};
pub use calibrate::{CalibrationReport, CalibrationRow, CalibrationTarget, TargetVerdict, calibrate};
use matter::MatterEnd;
pub(crate) use sums::MatterSums;
pub use sums::SimulationReport;

use crate::session::RecordedSession;
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

/// What the roster knows of a seat: its rank, and the lines that its charter may tell it.
fn profile(cast: &Cast) -> SeatProfile {
    SeatProfile {
        green_lines: cast.green_lines.clone(),
        rank: cast.rank.map(|place| Rank { place, name: format!("rank {place}") }),
        red_lines: cast.red_lines.clone(),
        title: None,
    }
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
                    profile: Some(Arc::new(profile(cast))),
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

    /// Whether its matters are motions.
    fn is_parliament(&self) -> bool {
        self.house.charter(&self.charter).is_some_and(|adopted| adopted.rules.parliament().is_some())
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
        let work = |thread: u64| -> Result<PartOfStudy, SimulationFault> {
            let (mut sums, mut ended) = (MatterSums::default(), Vec::new());
            for number in (thread..self.study.matters).step_by(threads as usize) {
                let one = matter::simulate(self, number, &mut sums)?;
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

    /// The report of what matters came to.
    fn report(&self, sums: &MatterSums) -> SimulationReport {
        let charter = self.house.charter(&self.charter);
        let name = charter.map(|adopted| adopted.rules.name.clone()).unwrap_or_default();
        sums.report(&self.study, name, self.charter.to_string())
    }

    /// Matters of the study as recorded sessions, with what was right in each.
    pub fn recorded(&self, matters: u64) -> Result<Vec<RecordedSession>, SimulationFault> {
        (0..matters.min(self.study.matters)).map(|number| matter::recorded(self, number)).collect()
    }
}
