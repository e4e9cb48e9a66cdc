//! Taking part in rings: the way into a house for participants that come by themselves, and for the operator who
//! convenes them.
//!
//! A [`HouseAccess`] leads through a service where one is named or holds the house, else to the house here. There reading
//! happens beside any writer; the writer's lock is taken only for the moment of a write, so that many can wait at
//! once and one that is killed leaves nothing locked.

mod local;
mod remote;
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

pub(crate) use local::LocalHouse;
pub(crate) use remote::RemoteHouse;
pub(crate) use session::Session;
pub(crate) use shown::{Next, Proposed, Ring, Sheet, Shown, Told};

/// Who takes part, in what, and where.
#[derive(Debug, Clone, Args)]
pub(crate) struct AgentArgs {
    /// The participant you are. Not needed with a token, which is one participant's.
    #[arg(long = "as", value_name = "NAME", env = "SYNOD_AS", hide_env_values = true)]
    name: Option<String>,
    /// The ring; the last open one you are invited to if left out.
    #[arg(long, value_name = "MATTER", env = "SYNOD_MATTER", hide_env_values = true)]
    matter: Option<MatterId>,
    #[command(flatten)]
    service: ServiceArgs,
}

/// A participant in a ring.
#[derive(Debug)]
pub(crate) struct Agent {
    pub(crate) access: HouseAccess,
    pub(crate) who: Who,
    pub(crate) matter: MatterId,
}

impl AgentArgs {
    /// The participant, and the ring they are in.
    pub(crate) async fn agent(&self, house: &HouseArg) -> Result<Agent> {
        let (access, who) = self.enter(house).await?;
        let matter = access.ring(&who, self.matter).await?;
        Ok(Agent { access, who, matter })
    }

    /// The way into the house, and who it is that takes it.
    pub(crate) async fn enter(&self, house: &HouseArg) -> Result<(HouseAccess, Who)> {
        let mut access = HouseAccess::to(house, &self.service)?;
        let who = access.become_who(self.name.as_deref()).await?;
        Ok((access, who))
    }

    pub(crate) fn matter(&self) -> Option<MatterId> {
        self.matter
    }
}

impl Agent {
    /// Does something for oneself; a refusal is an error here.
    pub(crate) async fn partake(&self, part: Part) -> Result<Told> {
        self.access.partake(&self.who, self.matter, part).await
    }

    /// The ring as it stands.
    pub(crate) async fn ring(&self) -> Result<Ring> {
        Ok(self.access.shown(self.matter).await?.ring)
    }

    /// The open turns of this participant in this ring.
    pub(crate) async fn turns(&self) -> Result<Vec<Sheet>> {
        self.access.turns(&self.who, Some(self.matter)).await
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
pub(crate) enum HouseAccess {
    /// The house lies here, and its files are ours to write.
    Local(LocalHouse),
    /// A service stands before it.
    Remote(RemoteHouse),
}

impl HouseAccess {
    /// The way into a house: through the service that is named, or that holds it; else by its files.
    pub(crate) fn to(house: &HouseArg, service: &ServiceArgs) -> Result<Self> {
        Ok(match service.client(house)? {
            Some(client) => Self::Remote(RemoteHouse::new(client)),
            None => Self::Local(LocalHouse::new(house)),
        })
    }

    /// Who one is behind this access. In a house that lies here one is whoever one says: its files protect it.
    pub(crate) async fn become_who(&mut self, named: Option<&str>) -> Result<Who> {
        match self {
            Self::Local(_) => Who::parse(named.ok_or_else(nameless)?).map_err(Fail::usage),
            Self::Remote(remote) => remote.become_who(named).await,
        }
    }

    /// The ring of that id, or the last open one the participant is invited to.
    async fn ring(&self, who: &Who, wanted: Option<MatterId>) -> Result<MatterId> {
        match self {
            Self::Local(local) => local.ring(who, wanted),
            Self::Remote(remote) => remote.ring(who, wanted).await,
        }
    }

    /// The last ring, of those this participant is invited to if one is named; an open one before one that is over.
    pub(crate) async fn last_ring(&self, who: Option<&Who>) -> Result<MatterId> {
        match self {
            Self::Local(local) => local.last_ring(who),
            Self::Remote(remote) => remote.last_ring(who).await,
        }
    }

    /// A ring as it stands.
    pub(crate) async fn shown(&self, matter: MatterId) -> Result<Shown> {
        match self {
            Self::Local(local) => local.shown(matter).await,
            Self::Remote(remote) => remote.shown(matter).await,
        }
    }

    /// The open turns of a participant, oldest first.
    pub(crate) async fn turns(&self, who: &Who, matter: Option<MatterId>) -> Result<Vec<Sheet>> {
        match self {
            Self::Local(local) => local.turns(who, matter),
            Self::Remote(remote) => remote.turns(who, matter, 0).await,
        }
    }

    /// The next turn of a participant: waits for it at most so long.
    pub(crate) async fn next(&self, who: &Who, matter: Option<MatterId>, wait: Duration) -> Result<Next> {
        match self {
            Self::Local(local) => local.next(who, matter, wait).await,
            Self::Remote(remote) => remote.next(who, matter, wait).await,
        }
    }

    /// What a participant does for itself.
    pub(crate) async fn partake(&self, who: &Who, matter: MatterId, part: Part) -> Result<Told> {
        match self {
            Self::Local(local) => {
                local.give(Actor::Seat(who.clone()), Command::Partake { matter, part }).await
            }
            Self::Remote(remote) => remote.partake(matter, &part).await,
        }
    }

    /// Notes that an agent wrote a file, if the house can be had within that time.
    pub(crate) async fn wrote(&self, who: &Who, path: String, patience: Duration) -> Result<()> {
        match self {
            Self::Local(local) => {
                let observation = Observation { agent: who.clone(), seen: Seen::Write { path } };
                local.observe(observation, patience).await
            }
            Self::Remote(remote) => remote.wrote(who, &path).await,
        }
    }

    /// What the operator does to a ring.
    pub(crate) async fn order(&self, order: Order) -> Result<Told> {
        match self {
            Self::Local(local) => local.give(Actor::Operator, order.command()).await,
            Self::Remote(remote) => remote.order(&order).await,
        }
    }
}

fn nameless() -> Fail {
    Fail::usage("who are you? Give --as NAME, or set SYNOD_AS in the environment")
}

/// Nobody invited this participant.
fn uninvited(who: &Who) -> Fail {
    let message = format!(
        "{who} is invited to no ring that is open; `synod matter list` shows what there is, `synod convene` opens one"
    );
    Fail::new(code::NO_INPUT, "ring/uninvited", message)
}

fn no_ring() -> Fail {
    Fail::new(code::NO_INPUT, "ring/none", "there is no ring here yet; `synod convene` opens one")
}
