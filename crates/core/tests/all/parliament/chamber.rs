//! A parliament for tests: seats with ranks, a motion, and whoever is asked next answers.

use std::sync::Arc;

use synod_core::command::{MotionProposal, Open};
use synod_core::house::Case;
use synod_core::kernel::{Actor, AskId, Cause, Choice, Digest, MatterId, Rank, SeatProfile, Who};
use synod_core::matter::Question;
use synod_core::procedure::council::{self, MotionState};
use synod_core::{Act, Command, Task};

use crate::world::{World, seat, source, who};

pub(crate) struct Chamber {
    pub(crate) world: World,
}

/// How a motion begins: put by the first seat, seconded by the second.
pub(crate) fn usual(seats: &[Who]) -> MotionProposal {
    MotionProposal { by: seats.first().cloned(), listed: false, seconder: seats.get(1).cloned() }
}

impl Chamber {
    /// A house with these seats, each with the place of its rank, 0 for none.
    pub(crate) fn new(seats: &[(String, u16)]) -> Self {
        let mut world = World::new();
        world.careful = seats.len() < 12;
        for (name, place) in seats {
            let rank = (*place > 0).then(|| Rank { place: *place, name: format!("rank {place}") });
            let profile = SeatProfile {
                green_lines: vec!["clear limits".into()],
                rank,
                red_lines: vec!["no audit".into()],
                title: None,
            };
            let seat = synod_core::kernel::Seat { profile: Some(Arc::new(profile)), ..seat(name) };
            world.submit(Actor::Operator, Command::Enrol { seat });
        }
        Self { world }
    }

    /// A house with so many seats of equal rank.
    pub(crate) fn of(seats: usize) -> Self {
        Self::new(&(0..seats).map(|nth| (format!("s{nth:02}"), 1)).collect::<Vec<_>>())
    }

    pub(crate) fn seats(&self) -> Vec<Who> {
        self.world.house.roster().active().map(|(seat, _)| seat.who.clone()).collect()
    }

    pub(crate) fn put(&mut self, charter: &str, topic: &str, set: &[(&str, &str)]) -> Act {
        let seats = self.seats();
        self.put_with(charter, topic, set, Some(usual(&seats)))
    }

    pub(crate) fn put_with(
        &mut self,
        charter: &str,
        topic: &str,
        set: &[(&str, &str)],
        proposal: Option<MotionProposal>,
    ) -> Act {
        let source = source(charter);
        self.world.submit(Actor::Operator, Command::Adopt { source: source.clone() });
        let question = Question::parse(topic, &[]).unwrap();
        // Seats are given in an order that is not the one they speak in.
        let seats = self.seats().into_iter().rev().collect();
        let mut open = Open::new(question, Digest::of(source.as_bytes()), seats);
        open.proposal = proposal;
        for (key, value) in set {
            open.moved.insert((*key).into(), value.parse().unwrap());
        }
        self.world.submit(Actor::Operator, Command::Open(Box::new(open))).clone()
    }

    pub(crate) fn matter(&self) -> MatterId {
        self.world.matter()
    }

    pub(crate) fn case(&self) -> &Case {
        self.world.house.case(self.matter()).unwrap()
    }

    pub(crate) fn motion(&self) -> &MotionState {
        self.case().motion().unwrap()
    }

    pub(crate) fn status(&self) -> &'static str {
        self.case().motion_status().unwrap().word()
    }

    pub(crate) fn command(&mut self, command: council::Command) -> Act {
        self.world.submit(Actor::Operator, Command::Council(command)).clone()
    }

    /// Who is asked for what, if anybody is.
    pub(crate) fn asked(&self) -> Option<(AskId, Who, Task)> {
        let (id, ask) = self.world.house.open_asks().next()?;
        Some((id, ask.who()?.clone(), ask.task()?))
    }

    /// The side that whoever is asked was ordered to take.
    pub(crate) fn ordered(&self) -> Option<Choice> {
        self.case().ordered(&self.asked()?.1)
    }

    pub(crate) fn says(&mut self, word: &str) -> Act {
        let name = self.asked().expect("somebody is asked").1.to_string();
        self.world.step(&format!("{name}: {word}"))
    }

    pub(crate) fn fails(&mut self) -> Act {
        let ask = self.asked().expect("somebody is asked").0;
        let cause = Cause::passing("test/broken", "the line broke");
        self.world.submit(Actor::Engine, Command::Fail { ask, cause, call: Box::default() }).clone()
    }

    /// So many speeches: what is ordered, else what is freely said by the speaker of that number, counted from 1.
    pub(crate) fn speeches(&mut self, count: u32, free: impl Fn(u32) -> &'static str) -> Vec<u32> {
        let mut forced = Vec::new();
        for _ in 0..count {
            let (_, _, task) = self.asked().expect("somebody is asked");
            assert!(matches!(task, Task::Speak { .. }), "{task:?}");
            let nth = self.motion().all.entries() + 1;
            let word = match self.ordered() {
                Some(side) => {
                    forced.push(nth);
                    side.to_string()
                }
                None => free(nth).to_string(),
            };
            self.says(&word);
        }
        forced
    }

    /// All votes that are asked for: so many for it, then against it, then none.
    pub(crate) fn votes(&mut self, yes: usize, no: usize) {
        let mut nth = 0;
        while let Some((_, _, Task::Vote { .. })) = self.asked() {
            self.says(if nth < yes {
                "YES"
            } else if nth < yes + no {
                "NO"
            } else {
                "ABSTAIN"
            });
            nth += 1;
        }
    }

    /// Before which speeches the other side was ordered.
    pub(crate) fn alerts(&self) -> Vec<u32> {
        self.motion().breaks.iter().map(|found| found.after + 1).collect()
    }
}

pub(crate) fn name(name: &str) -> Who {
    who(name)
}
