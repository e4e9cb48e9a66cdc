//! Taking part in rings: the way into a house for participants that come by themselves, and for the operator who
//! convenes them.
//!
//! A [`Door`] leads through a service where one is named or holds the house, else to the house here. There reading
//! happens beside any writer; the writer's lock is taken only for the moment of a write, so that many can wait at
//! once and one that is killed leaves nothing locked.

mod away;
mod here;
mod session;
mod shown;

use std::time::Duration;

use clap::Args;
use synod_core::Command;
use synod_core::command::Part;
use synod_core::kernel::{Actor, MatterId, Who};
use synod_core::monitor::{Observation, Seen};

use crate::client::ServiceArgs;
use crate::fail::{Fail, Result, code};
use crate::house::HouseArg;
use crate::matter_arg::MatterArg;

pub(crate) use away::Away;
pub(crate) use here::Here;
pub(crate) use session::Session;
pub(crate) use shown::{Next, Proposed, Ring, Sheet, Shown, Told};

/// Who takes part, in what, and where.
#[derive(Debug, Clone, Args)]
pub(crate) struct AgentArgs {
    /// The participant you are. Not needed with a token, which is one participant's.
    #[arg(
        long = "as",
        help_heading = "Participant",
        value_name = "NAME",
        env = "SYNOD_AS",
        hide_env_values = true
    )]
    name: Option<String>,
    /// The ring, by number or id; the newest open one you are invited to if left out.
    #[arg(
        long,
        help_heading = "Participant",
        value_name = "MATTER",
        env = "SYNOD_MATTER",
        hide_env_values = true
    )]
    matter: Option<MatterArg>,
    #[command(flatten)]
    service: ServiceArgs,
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
        let (door, who) = self.enter(house).await?;
        let matter = door.ring(&who, self.matter(&door).await?).await?;
        Ok(Agent { door, who, matter })
    }

    /// The way into the house, and who it is that takes it.
    pub(crate) async fn enter(&self, house: &HouseArg) -> Result<(Door, Who)> {
        let mut door = Door::to(house, &self.service)?;
        let who = door.become_who(self.name.as_deref()).await?;
        Ok((door, who))
    }

    /// The ring that is named, if one is. `last` is what leaving it out means.
    pub(crate) async fn matter(&self, door: &Door) -> Result<Option<MatterId>> {
        match self.matter {
            None | Some(MatterArg::Last) => Ok(None),
            Some(wanted) => door.matter(wanted).await.map(Some),
        }
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

/// What the operator does to a ring that is open.
#[derive(Debug, Clone)]
pub(crate) enum Order {
    /// Begin with those who joined.
    Start(MatterId),
    /// Take somebody out.
    Remove(MatterId, Who),
    /// Go on after a rest.
    Resume(MatterId),
}

impl Order {
    fn command(self) -> Command {
        match self {
            Self::Start(matter) => Command::Start { matter },
            Self::Remove(matter, who) => Command::Remove { matter, who },
            Self::Resume(matter) => Command::Resume { matter },
        }
    }
}

/// The way into a house.
#[derive(Debug)]
pub(crate) enum Door {
    /// The house lies here, and its files are ours to write.
    Here(Here),
    /// A service stands before it.
    Away(Away),
}

impl Door {
    /// The way into a house: through the service that is named, or that holds it; else by its files.
    pub(crate) fn to(house: &HouseArg, service: &ServiceArgs) -> Result<Self> {
        Ok(match service.client(house)? {
            Some(client) => Self::Away(Away::new(client)),
            None => Self::Here(Here::new(house)),
        })
    }

    /// Who one is behind this door. In a house that lies here one is whoever one says: its files protect it.
    pub(crate) async fn become_who(&mut self, named: Option<&str>) -> Result<Who> {
        match self {
            Self::Here(_) => Who::parse(named.ok_or_else(nameless)?).map_err(Fail::usage),
            Self::Away(away) => away.become_who(named).await,
        }
    }

    /// The ring of that id, or the last open one the participant is invited to.
    async fn ring(&self, who: &Who, wanted: Option<MatterId>) -> Result<MatterId> {
        match self {
            Self::Here(here) => here.ring(who, wanted),
            Self::Away(away) => away.ring(who, wanted).await,
        }
    }

    /// The last ring, of those this participant is invited to if one is named; an open one before one that is over.
    pub(crate) async fn last_ring(&self, who: Option<&Who>) -> Result<MatterId> {
        match self {
            Self::Here(here) => here.last_ring(who),
            Self::Away(away) => away.last_ring(who).await,
        }
    }

    /// The matter that is named.
    pub(crate) async fn matter(&self, wanted: MatterArg) -> Result<MatterId> {
        match self {
            Self::Here(here) => here.matter(wanted),
            Self::Away(away) => away.matter(wanted).await,
        }
    }

    /// A ring as it stands.
    pub(crate) async fn shown(&self, matter: MatterId) -> Result<Shown> {
        match self {
            Self::Here(here) => here.shown(matter).await,
            Self::Away(away) => away.shown(matter).await,
        }
    }

    /// The open turns of a participant, oldest first.
    pub(crate) async fn turns(&self, who: &Who, matter: Option<MatterId>) -> Result<Vec<Sheet>> {
        match self {
            Self::Here(here) => here.turns(who, matter),
            Self::Away(away) => away.turns(who, matter, 0).await,
        }
    }

    /// The next turn of a participant: waits for it at most so long.
    pub(crate) async fn next(&self, who: &Who, matter: Option<MatterId>, wait: Duration) -> Result<Next> {
        match self {
            Self::Here(here) => here.next(who, matter, wait).await,
            Self::Away(away) => away.next(who, matter, wait).await,
        }
    }

    /// What a participant does for itself.
    pub(crate) async fn partake(&self, who: &Who, matter: MatterId, part: Part) -> Result<Told> {
        match self {
            Self::Here(here) => here.give(Actor::Seat(who.clone()), Command::Partake { matter, part }).await,
            Self::Away(away) => away.partake(matter, &part).await,
        }
    }

    /// Notes that an agent wrote a file, if the house can be had within that time.
    pub(crate) async fn wrote(&self, who: &Who, path: String, patience: Duration) -> Result<()> {
        match self {
            Self::Here(here) => {
                let observation = Observation { agent: who.clone(), seen: Seen::Write { path } };
                here.observe(observation, patience).await
            }
            Self::Away(away) => away.wrote(who, &path).await,
        }
    }

    /// What the operator does to a ring.
    pub(crate) async fn order(&self, order: Order) -> Result<Told> {
        match self {
            Self::Here(here) => here.give(Actor::Operator, order.command()).await,
            Self::Away(away) => away.order(&order).await,
        }
    }
}

fn nameless() -> Fail {
    Fail::usage("who are you? Give --as NAME, or set SYNOD_AS in the environment")
}

/// Nobody invited this participant.
fn uninvited(who: &Who) -> Fail {
    let message = format!(
        "{who} is not invited to an open ring; `synod list` shows all matters, `synod ring open` opens a ring"
    );
    Fail::new(code::NO_INPUT, "ring/uninvited", message)
}

fn no_ring() -> Fail {
    Fail::new(code::NO_INPUT, "ring/none", "there is no ring here yet; `synod ring open` opens one")
}
