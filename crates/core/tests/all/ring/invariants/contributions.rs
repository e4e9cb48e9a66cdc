//! Whatever was put down was put down by the holder of the turn it names, in that turn's round.

use synod_core::kernel::{AskId, ContributionKind, Who};
use synod_core::{Event, Task, gate, table};

use super::{Invariant, Step, participant};

pub(super) struct OfTheHolder;

impl Invariant for OfTheHolder {
    fn holds(&mut self, step: &Step<'_>) {
        for event in step.act.events() {
            match event {
                Event::Gate(gate::Event::Admitted(said)) => {
                    let proposing = matches!(said.kind, ContributionKind::Proposal { .. });
                    held(step, said.ask, &said.who, said.round, proposing);
                }
                Event::Table(table::Event::Ruled { amendment, matter, .. }) => {
                    let table = &step.house.case(*matter).unwrap().ring().unwrap().1.table;
                    let (proposal, _) = table.amendment(*amendment).unwrap();
                    assert_eq!(participant(step.act), Some(&proposal.who), "seed {}", step.seed);
                }
                _ => (),
            }
        }
    }
}

fn held(step: &Step<'_>, ask: AskId, who: &Who, round: u32, proposing: bool) {
    let seed = step.seed;
    assert_eq!(participant(step.act), Some(who), "seed {seed}: what stands under another's name");
    let open = step.before.ask(ask).unwrap_or_else(|| panic!("seed {seed}: {ask} was not open"));
    assert_eq!(open.who(), Some(who), "seed {seed}: {who} used another's turn");
    assert!(open.until > step.act.at, "seed {seed}: {who} was late");
    match open.task().unwrap() {
        Task::Speak { round: of } => assert_eq!(of, round, "seed {seed}"),
        Task::Propose => assert!(proposing && round == 0, "seed {seed}: only proposals before the talk"),
        Task::Join | Task::Weigh | Task::Second | Task::Vote { .. } | Task::Clerk(_) => {
            panic!("seed {seed}: {:?} is no floor", open.task())
        }
    }
}
