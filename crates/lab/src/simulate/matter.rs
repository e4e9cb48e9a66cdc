//! One simulated matter, from its opening to its end.

use synod_core::command::{MotionProposal, Open};
use synod_core::house::{Case, Item, Reader};
use synod_core::kernel::{Actor, AskId, At, Choice, Decision, Id, MatterId};
use synod_core::matter::{Question, Status};
use synod_core::{Command, House, Task};

use super::seat::{Heard, Luck, SimulatedSeat};
use super::{MatterSums, SimulatedHouse, SimulationFault, told};
use crate::session::{RecordedSession, from_case};

/// A matter that does not end within so many commands per seat is a fault of the lab.
const COMMANDS_PER_SEAT: u64 = 400;
/// What sealed votes are sealed with. Nothing simulated is secret.
const SALT: &str = "simulated-simulated";

/// What a matter came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MatterEnd {
    /// Whether YES was right.
    pub(super) truth: bool,
    /// Whether it passed; none where it was not decided.
    pub(super) passed: Option<bool>,
    pub(super) commands: u64,
    pub(super) answers: u64,
    pub(super) rounds: u32,
    /// Speeches under an order, and consensus breaks.
    pub(super) forced: u32,
    pub(super) breaks: u32,
    /// Votes for and against.
    votes: (u32, u32),
}

impl MatterEnd {
    /// Of the votes that took a side, the share for it.
    pub(super) fn support(&self) -> Option<f64> {
        let (yes, no) = self.votes;
        (yes + no > 0).then(|| f64::from(yes) / f64::from(yes + no))
    }
}

/// Dice that hang on the seed of the study and some numbers alone.
fn dice(seed: u64, numbers: [u64; 3]) -> fastrand::Rng {
    let mixed = numbers.iter().fold(seed, |mixed, number| {
        (mixed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15))
            .rotate_left(23)
            .wrapping_mul(0xD6E8_FEB8_6659_FD93)
    });
    fastrand::Rng::with_seed(mixed)
}

/// One matter as it is drawn: what is right, what it has, who sits there.
struct DrawnMatter<'a> {
    truth: bool,
    text: String,
    /// The features it has.
    features: Vec<&'a str>,
    seats: Vec<SimulatedSeat<'a>>,
}

impl<'a> DrawnMatter<'a> {
    fn of(stage: &'a SimulatedHouse, number: u64) -> Self {
        let study = &stage.study;
        let mut drawn = dice(study.seed, [number, 0, 0]);
        let truth = drawn.f64() < study.truth_yes;
        let (mut text, mut features) = (study.text.clone(), Vec::new());
        for feature in &study.feature {
            if drawn.f64() < if truth { feature.good } else { feature.bad } {
                text.push(' ');
                text.push_str(&feature.text);
                features.push(feature.name.as_str());
            }
        }
        // What each model as a whole makes of the question.
        let shared: Vec<bool> =
            study.cast.iter().map(|cast| (drawn.f64() < cast.competence) == truth).collect();
        let seats = stage.casts.iter().zip(&stage.models).enumerate().map(|(place, (cast, model))| {
            let mut own = dice(study.seed, [number, place as u64 + 1, 0]);
            SimulatedSeat::drawn(cast, shared[*model], truth, &mut own)
        });
        let seats = seats.collect();
        Self { truth, text: text.trim().into(), features, seats }
    }
}

/// Plays one matter. `sums` takes its speeches, entry by entry.
pub(super) fn simulate(
    stage: &SimulatedHouse,
    number: u64,
    sums: &mut MatterSums,
) -> Result<MatterEnd, SimulationFault> {
    let (case, mut end) = played(stage, number)?;
    for (entry, said) in case.said.iter().enumerate() {
        sums.speech(entry, said.response.stance == Some(Choice::Yes), said.ordered.is_none());
        end.forced += u32::from(said.ordered.is_some());
    }
    Ok(end)
}

/// Plays one matter and takes it down.
pub(super) fn recorded(stage: &SimulatedHouse, number: u64) -> Result<RecordedSession, SimulationFault> {
    let (case, end) = played(stage, number)?;
    let mut session = from_case(&case).map_err(SimulationFault)?;
    session.origin = "simulated".into();
    session.name = format!("{}-{}", stage.study.name, number + 1);
    session.truth = Some(end.truth);
    Ok(session)
}

/// The end of a matter, and the matter.
fn played(stage: &SimulatedHouse, number: u64) -> Result<(Case, MatterEnd), SimulationFault> {
    let mut drawn = DrawnMatter::of(stage, number);
    let mut play = Play { house: stage.house.clone(), now: 2, commands: 0 };
    let matter = play.open(stage, &drawn.text)?;
    let mut heard = HeardSoFar::default();
    let mut turns: Vec<u64> = vec![0; drawn.seats.len()];
    let mut answers = 0;
    let most = COMMANDS_PER_SEAT * (stage.seats.len() as u64 + 1);
    loop {
        let case = play.house.case(matter).ok_or_else(|| SimulationFault("the matter was lost".into()))?;
        if let Status::Settled(decision) = case.status() {
            let tally = case.ballots.iter().rev().find_map(|ballot| ballot.result.as_ref());
            let end = MatterEnd {
                truth: drawn.truth,
                passed: passed(decision),
                commands: play.commands,
                answers,
                rounds: case.round(),
                forced: 0,
                breaks: told::breaks(case),
                votes: tally.map_or((0, 0), |(tally, _)| (tally.yes, tally.no)),
            };
            return Ok((case.clone(), end));
        }
        let rests = || {
            SimulationFault(format!(
                "the matter rests ({:?}): this charter waits for somebody",
                case.status()
            ))
        };
        let (ask, place, task) = play.asked(stage).ok_or_else(rests)?;
        turns[place] += 1;
        let luck = || Luck::thrown(dice(stage.study.seed, [number, place as u64 + 1, turns[place]]));
        let seat = &mut drawn.seats[place];
        let text = match task {
            Task::Speak { .. } => {
                let sides = heard.listen(case);
                seat.speaks(sides, told::told(stage, case, place, &drawn.features, false), &luck())
            }
            Task::Vote { .. } => seat.votes(told::told(stage, case, place, &drawn.features, true), &luck()),
            Task::Clerk(_) => "{\"summary\":\"as it was said\"}",
            Task::Second => seat.seconds(),
            Task::Join | Task::Propose | Task::Weigh => {
                return Err(SimulationFault("only councils that speak and vote can be simulated".into()));
            }
        };
        answers += 1;
        play.give(
            Actor::Seat(stage.seats[place].clone()),
            // Only ballots that are not open take the salt.
            Command::Answer { ask, call: Box::default(), salt: Some(SALT.into()), text: text.into() },
        )?;
        if play.commands > most {
            return Err(SimulationFault("the matter does not end".into()));
        }
    }
}

/// Whether a decision passed the question; none where it decided nothing.
fn passed(decision: Decision) -> Option<bool> {
    match decision {
        Decision::Passed { .. } => Some(true),
        Decision::Rejected => Some(false),
        Decision::Undecided(_) | Decision::Contested | Decision::Estimated(_) => None,
        Decision::Resolved | Decision::Closed => None,
    }
}

/// A house and its clock.
struct Play {
    house: House,
    now: u64,
    commands: u64,
}

impl Play {
    fn give(&mut self, by: Actor, command: Command) -> Result<(), SimulationFault> {
        self.now += 1;
        self.commands += 1;
        let decided = self.house.decide(At(self.now), &by, &command);
        let decided = decided.map_err(|refusal| SimulationFault(refusal.to_string()))?;
        self.house = decided.house;
        Ok(())
    }

    fn open(&mut self, stage: &SimulatedHouse, text: &str) -> Result<MatterId, SimulationFault> {
        let question = Question::parse(text, &[]).map_err(|wrong| SimulationFault(wrong.to_string()))?;
        let mut open = Open::new(question, stage.charter, stage.seats.clone());
        open.motion.clone_from(&stage.study.motion);
        if stage.is_parliament() {
            // Who puts a motion and who seconds it is not what is simulated.
            let (by, seconder) = (stage.seats.first().cloned(), stage.seats.get(1).cloned());
            open.proposal = Some(MotionProposal { by, listed: false, seconder });
        }
        for (name, value) in &stage.study.settings {
            open.moved.insert(name.clone(), value.value().map_err(SimulationFault)?);
        }
        let act = self.house.seq().next();
        self.give(Actor::Operator, Command::Open(Box::new(open)))?;
        Ok(MatterId(Id { act, nth: 0 }))
    }

    /// The next ask of a seat: its id, the seat's place, and what is asked.
    fn asked(&self, stage: &SimulatedHouse) -> Option<(AskId, usize, Task)> {
        let mut asks = self.house.open_asks();
        asks.find_map(|(id, ask)| {
            let who = ask.who()?;
            Some((id, *stage.places.get(who)?, ask.task()?))
        })
    }
}

/// What can be heard by whoever speaks next. Contributions that the lens keeps back are looked at again in the next round.
#[derive(Debug, Default)]
struct HeardSoFar {
    heard: Heard,
    /// The contributions that were looked at, and those of them that were kept back.
    looked: usize,
    kept: Vec<usize>,
    round: u32,
}

impl HeardSoFar {
    fn listen(&mut self, case: &Case) -> Heard {
        // On a motion everybody hears everything, and the house counts it: as the charter wants it counted.
        if let (Some(motion), Some(rules)) = (case.motion(), case.charter.parliament()) {
            let count = motion.counted(rules.counts);
            return Heard { yes: count.yes, no: count.no };
        }
        let Some(speech) = case.stage().and_then(|stage| stage.kind.speech()) else { return self.heard };
        let reader = Reader::Speaker { sees: speech.sees, round: case.round(), team: 0 };
        let again = if case.round() == self.round { Vec::new() } else { std::mem::take(&mut self.kept) };
        self.round = case.round();
        for at in again.into_iter().chain(self.looked..case.said.len()) {
            let Some(said) = case.said.get(at) else { continue };
            if !case.may_see(reader, Item::Contribution(said)) {
                self.kept.push(at);
                continue;
            }
            match said.response.stance.filter(|_| said.ordered.is_none()) {
                Some(Choice::Yes) => self.heard.yes += 1,
                Some(Choice::No) => self.heard.no += 1,
                Some(Choice::Neutral | Choice::Option(_)) | None => (),
            }
        }
        self.looked = case.said.len();
        self.heard
    }
}
