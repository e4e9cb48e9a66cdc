//! Which events settle a matter.

use synod_core::kernel::{Decision, MatterId};
use synod_core::{Event, matter};

/// The matter that an event settles, and how.
pub(super) fn settled(event: &Event) -> Option<(MatterId, Decision)> {
    match event {
        Event::Matter(matter::Event::Settled { matter, decision }) => Some((*matter, *decision)),
        Event::Matter(
            matter::Event::Opened(_)
            | matter::Event::StageEntered { .. }
            | matter::Event::Paused { .. }
            | matter::Event::Resumed { .. }
            | matter::Event::Stepped { .. }
            | matter::Event::Reopened { .. }
            | matter::Event::Seconded { .. }
            | matter::Event::Redacted { .. },
        )
        | Event::Issue(_)
        | Event::Dissent(_)
        | Event::Period(_)
        | Event::Evidence(_)
        | Event::Ledger(_)
        | Event::Canon(_)
        | Event::Lease(_)
        | Event::House(_)
        | Event::Charter(_)
        | Event::Roster(_)
        | Event::Floor(_)
        | Event::Gate(_)
        | Event::Ballot(_)
        | Event::Meter(_)
        | Event::Ask(_)
        | Event::Context(_)
        | Event::Watch(_)
        | Event::Monitor(_)
        | Event::Trigger(_)
        | Event::Rejections(_)
        | Event::Track(_)
        | Event::Table(_) => None,
    }
}
