//! Replay equals live: acts survive JSON, fold into the same house, and judged again come out the same.

use synod_core::{Act, House};

use super::{Invariant, Step};

pub(super) struct Replay(pub(super) House);

impl Invariant for Replay {
    fn holds(&mut self, step: &Step<'_>) {
        let act = step.act;
        let (again, _) = self.0.judge(act.at, act.by.clone(), act.key.clone(), act.command.clone());
        assert_eq!(again, *act, "seed {}: act {} comes out otherwise", step.seed, act.seq);
        let json = serde_json::to_string(act).unwrap();
        let read: Act = serde_json::from_str(&json).unwrap();
        assert_eq!(read, *act, "seed {}: acts survive JSON", step.seed);
        self.0.evolve(act);
        assert!(self.0 == *step.house, "seed {}: act {} replays otherwise", step.seed, act.seq);
    }
}
