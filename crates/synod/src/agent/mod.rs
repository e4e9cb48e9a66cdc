//! Taking part in rings: the way into a house for participants that come by themselves, and for the operator who
//! convenes them.
//!
//! A [`Door`] leads to the house here. Reading happens beside any writer; the writer's lock is taken only for the
//! moment of a write, so that many can wait at once and one that is killed leaves nothing locked.

mod here;
mod session;
mod shown;

use std::time::Duration;

use clap::Args;
use synod_core::Command;
use synod_core::command::Part;
use synod_core::kernel::{Actor, MatterId, Who};

use crate::fail::{Fail, Result, code};
use crate::house::HouseArg;

pub(crate) use here::Here;
pub(crate) use session::Session;
pub(crate) use shown::{Next, Proposed, Ring, Sheet, Shown, Told};

/// Who takes part, and in what.
#[derive(Debug, Clone, Args)]
pub(crate) struct AgentArgs {
    /// The participant you are.
    #[arg(long = "as", value_name = "NAME", env = "SYNOD_AS", hide_env_values = true)]
    name: Option<String>,
    /// The ring; the last open one you are invited to if left out.
    #[arg(long, value_name = "MATTER", env = "SYNOD_MATTER", hide_env_values = true)]
    matter: Option<MatterId>,
}

/// A participant in a ring.
#[derive(Debug)]
pub(crate) struct Agent {
    pub(crate) door: Door,
    pub(crate) who: Who,
    pub(crate) matter: MatterId,
}

impl AgentArgs {
    /// The participant, and the ring they are in.
    pub(crate) async fn agent(&self, house: &HouseArg) -> Result<Agent> {
        let door = self.door(house)?;
        let who = self.who(&door).await?;
        let matter = door.ring(&who, self.matter).await?;
        Ok(Agent { door, who, matter })
    }

    /// The way into the house.
    pub(crate) fn door(&self, house: &HouseArg) -> Result<Door> {
        Ok(Door::to(house))
    }

    /// Who it is that takes part.
    pub(crate) async fn who(&self, door: &Door) -> Result<Who> {
        match (&self.name, door) {
            (Some(name), Door::Here(_)) => Who::parse(name).map_err(Fail::usage),
            (None, Door::Here(_)) => {
                Err(Fail::usage("who are you? Give --as NAME, or set SYNOD_AS in the environment"))
            }
        }
    }

    pub(crate) fn matter(&self) -> Option<MatterId> {
        self.matter
    }
}

impl Agent {
    /// Does something for oneself; a refusal is an error here.
    pub(crate) async fn partake(&self, part: Part) -> Result<Told> {
        self.door.partake(&self.who, self.matter, part).await
    }

    /// The ring as it stands.
    pub(crate) async fn ring(&self) -> Result<Ring> {
        Ok(self.door.shown(self.matter).await?.ring)
    }

    /// The open turns of this participant in this ring.
    pub(crate) async fn turns(&self) -> Result<Vec<Sheet>> {
        self.door.turns(&self.who, Some(self.matter)).await
    }
}

/// The way into a house.
#[derive(Debug)]
pub(crate) enum Door {
    /// The house lies here, and its files are ours to write.
    Here(Here),
}

impl Door {
    /// The way into that house.
    pub(crate) fn to(house: &HouseArg) -> Self {
        Self::Here(Here::new(house))
    }

    /// The ring of that id, or the last open one the participant is invited to.
    pub(crate) async fn ring(&self, who: &Who, wanted: Option<MatterId>) -> Result<MatterId> {
        match self {
            Self::Here(here) => here.ring(who, wanted),
        }
    }

    /// The last ring, of those this participant is invited to if one is named; an open one before one that is over.
    pub(crate) async fn last_ring(&self, who: Option<&Who>) -> Result<MatterId> {
        match self {
            Self::Here(here) => here.last_ring(who),
        }
    }

    /// A ring as it stands.
    pub(crate) async fn shown(&self, matter: MatterId) -> Result<Shown> {
        match self {
            Self::Here(here) => here.shown(matter).await,
        }
    }

    /// The open turns of a participant, oldest first.
    pub(crate) async fn turns(&self, who: &Who, matter: Option<MatterId>) -> Result<Vec<Sheet>> {
        match self {
            Self::Here(here) => here.turns(who, matter),
        }
    }

    /// The next turn of a participant: waits for it at most so long.
    pub(crate) async fn next(&self, who: &Who, matter: Option<MatterId>, wait: Duration) -> Result<Next> {
        match self {
            Self::Here(here) => here.next(who, matter, wait).await,
        }
    }

    /// What a participant does for itself.
    pub(crate) async fn partake(&self, who: &Who, matter: MatterId, part: Part) -> Result<Told> {
        match self {
            Self::Here(here) => here.give(Actor::Seat(who.clone()), Command::Partake { matter, part }).await,
        }
    }

    /// What the operator does to a ring.
    pub(crate) async fn order(&self, command: Command) -> Result<Told> {
        match self {
            Self::Here(here) => here.give(Actor::Operator, command).await,
        }
    }
}

/// Nobody invited this participant.
fn uninvited(who: &Who) -> Fail {
    let message = format!(
        "{who} is invited to no ring that is open; `synod matter list` shows what there is, `synod convene` opens one"
    );
    Fail::new(code::NO_INPUT, "ring/uninvited", message)
}
