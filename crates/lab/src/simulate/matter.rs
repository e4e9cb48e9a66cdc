//! One simulated matter, from its opening to its end.

use synod_core::command::Open;
use synod_core::house::{Case, Item, Reader};
use synod_core::kernel::{Actor, AskId, At, Choice, Decision, Id, MatterId};
use synod_core::matter::{Question, Status};
use synod_core::{Command, House, Task};

use super::seat::{Heard, SimulatedSeat};
use super::{SimulatedHouse, SimulationFault};

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
}

/// Plays one matter. Its dice hang on the seed of the study and its number alone.
pub(super) fn simulate(stage: &SimulatedHouse, number: u64) -> Result<MatterEnd, SimulationFault> {
    let mut dice = fastrand::Rng::with_seed(stage.study.seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let truth = dice.f64() < stage.study.truth_yes;
    // What each model as a whole makes of the question.
    let shared: Vec<bool> =
        stage.study.cast.iter().map(|cast| (dice.f64() < cast.competence) == truth).collect();
    let seats = stage.casts.iter().zip(&stage.models);
    let mut seats: Vec<SimulatedSeat<'_>> =
        seats.map(|(cast, model)| SimulatedSeat::drawn(cast, shared[*model], truth, &mut dice)).collect();
    let mut play = Play { house: stage.house.clone(), now: 2, commands: 0 };
    let matter = play.open(stage)?;
    let mut heard = HeardSoFar::default();
    let mut answers = 0;
    let most = COMMANDS_PER_SEAT * (stage.seats.len() as u64 + 1);
    loop {
        let case = play.house.case(matter).ok_or_else(|| SimulationFault("the matter was lost".into()))?;
        if let Status::Settled(decision) = case.status() {
            let (passed, commands) = (passed(decision), play.commands);
            return Ok(MatterEnd { truth, passed, commands, answers, rounds: case.round() });
        }
        let rests = || {
            SimulationFault(format!(
                "the matter rests ({:?}): this charter waits for somebody",
                case.status()
            ))
        };
        let (ask, place, task) = play.asked(stage).ok_or_else(rests)?;
        let text = match task {
            Task::Speak { .. } => {
                let round = heard.listen(case);
                let ordered = case.ordered(&stage.seats[place]).map(|side| side == Choice::Yes);
                seats[place].speaks(round, ordered, &mut dice)
            }
            Task::Vote { .. } => seats[place].votes(&mut dice),
            Task::Clerk(_) => "{\"summary\":\"as it was said\"}".into(),
            // Whether a motion deserves a debate is not what is simulated.
            Task::Second => "{\"second\":\"YES\"}".into(),
            Task::Join | Task::Propose | Task::Weigh => {
                return Err(SimulationFault("only councils that speak and vote can be simulated".into()));
            }
        };
        answers += 1;
        play.give(
            Actor::Seat(stage.seats[place].clone()),
            // Only ballots that are not open take the salt.
            Command::Answer { ask, call: Box::default(), salt: Some(SALT.into()), text },
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

    fn open(&mut self, stage: &SimulatedHouse) -> Result<MatterId, SimulationFault> {
        let question =
            Question::parse("Shall we do it?", &[]).map_err(|wrong| SimulationFault(wrong.to_string()))?;
        let mut open = Open::new(question, stage.charter, stage.seats.clone());
        open.motion.clone_from(&stage.study.motion);
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
