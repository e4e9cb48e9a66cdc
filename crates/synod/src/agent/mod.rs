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

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use synod_core::Command;
use synod_core::kernel::{MatterId, Who};
use synod_core::monitor::{Observation, ObservedAction};
use synod_core::procedure::ring;
use synod_journal::vouch::ParticipantKey;

use crate::client::ServiceArgs;
use crate::fail::{Fail, Result, code};
use crate::house::HouseArg;
use crate::matter_arg::MatterArg;
use crate::vouching;
use crate::which_ring;
use crate::wire::{ActionRequest, Done, NoTurn, Turn, WhyNoTurn};

pub(crate) use local::LocalHouse;
pub(crate) use remote::RemoteHouse;
pub(crate) use session::AgentSession;
pub(crate) use shown::{RingOverview, WaitResult};

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
    /// The ring, by number, id or `last`. If left out: your only open one, or the one whose turn you acknowledged last.
    #[arg(
        long,
        help_heading = "Participant",
        value_name = "MATTER",
        env = "SYNOD_MATTER",
        hide_env_values = true
    )]
    matter: Option<MatterArg>,
    /// Sign what you do with the key in this file. `synod ring key` registers it.
    #[arg(
        long,
        help_heading = "Participant",
        value_name = "FILE",
        env = "SYNOD_SIGN",
        hide_env_values = true
    )]
    sign: Option<PathBuf>,
    #[command(flatten)]
    service: ServiceArgs,
}

/// A participant, and the ring they take part in.
#[derive(Debug)]
pub(crate) struct Agent {
    access: HouseAccess,
    /// Who they say they are; none where a token says it.
    who: Option<Who>,
    /// The ring; found out by `which_ring` if none is named.
    matter: Option<MatterArg>,
}

impl AgentArgs {
    /// The participant. Nothing is read or asked for yet.
    pub(crate) fn agent(&self, house: &HouseArg) -> Result<Agent> {
        let mut access = HouseAccess::to(house, &self.service)?;
        let who = access.act_as(self.name.as_deref())?;
        if let Some(file) = &self.sign {
            access.sign_with(vouching::load(file)?);
        }
        Ok(Agent { access, who, matter: self.matter })
    }

    /// The file of the key to sign with.
    pub(crate) fn signs_with(&self) -> Option<&Path> {
        self.sign.as_deref()
    }

    /// The participant who is named, and the way into the house for an operator.
    pub(crate) fn operator(&self, house: &HouseArg) -> Result<(HouseAccess, Who)> {
        let who = self.name.as_deref().ok_or_else(nameless)?;
        Ok((HouseAccess::to(house, &self.service)?, Who::parse(who).map_err(Fail::usage)?))
    }
}

impl Agent {
    /// An agent of this name; with a token, the participant it belongs to, whatever the name.
    pub(crate) fn named(house: &HouseArg, service: &ServiceArgs, name: &str) -> Result<Self> {
        let mut access = HouseAccess::to(house, service)?;
        let by_token = match &access {
            HouseAccess::Local(_) => false,
            HouseAccess::Remote(remote) => remote.is_by_token(),
        };
        let who = access.act_as(Some(name).filter(|_| !by_token))?;
        Ok(Self { access, who, matter: None })
    }

    /// Does something for oneself; a refusal is an error here.
    pub(crate) async fn act(&self, action: ActionRequest) -> Result<Done> {
        match (&self.access, &self.who) {
            (HouseAccess::Local(local), Some(who)) => local.act(who, self.matter, action).await,
            (HouseAccess::Local(_), None) => Err(nameless()),
            (HouseAccess::Remote(remote), _) => remote.act(self.matter, &action).await,
        }
    }

    /// Signs with this key from now on; none takes the present one away.
    pub(crate) async fn register(&self, key: Option<String>) -> Result<Done> {
        match (&self.access, &self.who) {
            (HouseAccess::Local(local), Some(who)) => local.register(who, key).await,
            (HouseAccess::Local(_), None) => Err(nameless()),
            (HouseAccess::Remote(remote), _) => remote.register(key).await,
        }
    }

    /// The same in another matter than the one named.
    pub(crate) async fn act_in(&self, matter: MatterId, action: ActionRequest) -> Result<Done> {
        match (&self.access, &self.who) {
            (HouseAccess::Local(local), Some(who)) => local.act(who, Some(matter.into()), action).await,
            (HouseAccess::Local(_), None) => Err(nameless()),
            (HouseAccess::Remote(remote), _) => remote.act(Some(matter.into()), &action).await,
        }
    }

    /// The next turn: waits for it at most so long.
    pub(crate) async fn next(&self, wait: Duration) -> Result<WaitResult> {
        match (&self.access, &self.who) {
            (HouseAccess::Local(local), Some(who)) => local.next(who, self.matter, wait).await,
            (HouseAccess::Local(_), None) => Err(nameless()),
            (HouseAccess::Remote(remote), _) => remote.next(self.matter, wait).await,
        }
    }

    /// The open turns, oldest first.
    pub(crate) async fn turns(&self) -> Result<Vec<Turn>> {
        match (&self.access, &self.who) {
            (HouseAccess::Local(local), Some(who)) => local.turns(who),
            (HouseAccess::Local(_), None) => Err(nameless()),
            (HouseAccess::Remote(remote), _) => remote.turns().await,
        }
    }

    /// Reports that this agent wrote a file, if the house can be had within that time.
    pub(crate) async fn wrote(&self, path: String, patience: Duration) -> Result<()> {
        let seen = ObservedAction::Write { path };
        match (&self.access, self.who.clone()) {
            (HouseAccess::Local(local), Some(agent)) => {
                local.observe(Observation { agent, seen }, patience).await
            }
            (HouseAccess::Local(_), None) => Err(nameless()),
            (HouseAccess::Remote(remote), Some(agent)) => remote.observe(&Observation { agent, seen }).await,
            (HouseAccess::Remote(remote), None) => {
                let agent = remote.participant().await?;
                remote.observe(&Observation { agent, seen }).await
            }
        }
    }
}

/// An action of the operator on an open ring.
#[derive(Debug, Clone)]
pub(crate) enum OperatorAction {
    /// Begin with those who joined.
    Start(MatterId),
    /// Take somebody out.
    Remove(MatterId, Who),
    /// Go on after a rest.
    Resume(MatterId),
}

impl OperatorAction {
    fn command(self) -> Command {
        match self {
            Self::Start(matter) => Command::Ring(ring::Command::Start { matter }),
            Self::Remove(matter, who) => Command::Ring(ring::Command::Remove { matter, who }),
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

    /// Acts as a participant from now on. In a house that lies here one is whoever one says: its files protect it.
    pub(crate) fn act_as(&mut self, named: Option<&str>) -> Result<Option<Who>> {
        let named = named.map(Who::parse).transpose().map_err(Fail::usage)?;
        match self {
            Self::Local(_) if named.is_none() => Err(nameless()),
            Self::Local(_) => Ok(named),
            Self::Remote(remote) => remote.act_as(named.clone()).map(|()| named),
        }
    }

    /// Signs what is done from now on.
    fn sign_with(&mut self, key: ParticipantKey) {
        match self {
            Self::Local(local) => local.sign_with(key),
            Self::Remote(remote) => remote.sign_with(key),
        }
    }

    /// Takes away the key of a participant. For the operator.
    pub(crate) async fn remove_key(&self, who: &Who) -> Result<Done> {
        match self {
            Self::Local(local) => local.give(Command::Key { key: None, who: who.clone() }).await,
            Self::Remote(remote) => remote.remove_key(who).await,
        }
    }

    /// A ring as it stands: the one named, else the newest (of those this participant is invited to, if one is named), an
    /// open one before one that is over.
    pub(crate) async fn shown(&self, who: Option<&Who>, matter: Option<MatterArg>) -> Result<RingOverview> {
        match self {
            Self::Local(local) => local.shown(who, matter).await,
            Self::Remote(remote) => remote.shown(matter).await,
        }
    }

    /// The ring that the operator means: the only open one if none is named, else the newest.
    pub(crate) async fn ring(&self, wanted: Option<MatterArg>) -> Result<MatterId> {
        match (self, wanted) {
            (_, Some(MatterArg::Last)) => Ok(self.shown(None, None).await?.matter),
            (_, None) => {
                let last = self.shown(None, None).await?.matter;
                let open = match self {
                    Self::Local(local) => local.open_rings()?,
                    Self::Remote(remote) => remote.open_rings().await?,
                };
                if open.len() > 1 {
                    let message = which_ring::which(&open, "this house");
                    return Err(Fail::new(code::USAGE, which_ring::WHICH, message));
                }
                Ok(last)
            }
            (Self::Local(local), Some(wanted)) => local.matter(wanted),
            (Self::Remote(remote), Some(wanted)) => remote.matter(wanted).await,
        }
    }

    /// What the operator does to a ring.
    pub(crate) async fn order(&self, order: OperatorAction) -> Result<Done> {
        match self {
            Self::Local(local) => local.give(order.command()).await,
            Self::Remote(remote) => remote.order(&order).await,
        }
    }
}

fn nameless() -> Fail {
    Fail::usage("who are you? Give --as NAME, or set SYNOD_AS in the environment")
}

/// This participant has no open ring, and why.
fn uninvited(message: String) -> Fail {
    Fail::new(code::NO_INPUT, "ring/uninvited", message)
}

/// That no turn came, in words.
fn nothing(who: &Who, none: NoTurn, waited: Duration) -> WaitResult {
    let NoTurn { why, matter, phase, reason } = none;
    let (id, reason) =
        (matter.map(|matter| matter.to_string()).unwrap_or_default(), reason.unwrap_or_default());
    let words = match why {
        WhyNoTurn::Over => {
            let phase = phase.map(|phase| phase.word()).unwrap_or_default();
            let reason = if reason.is_empty() { String::new() } else { format!(", {reason}") };
            format!("matter {id} is over: {phase}{reason}")
        }
        WhyNoTurn::Gone => format!("{who} no longer takes part in matter {id}: {reason}"),
        WhyNoTurn::Uninvited => format!("{who} is not invited to any open ring"),
        WhyNoTurn::None if waited.is_zero() => format!("no turn for {who} now; --wait 60s waits for one"),
        WhyNoTurn::None => format!("no turn for {who} within {} s", waited.as_secs()),
    };
    WaitResult::Nothing { why, matter, words }
}

fn no_ring() -> Fail {
    Fail::new(code::NO_INPUT, "ring/none", "there is no ring in this house yet; `synod ring open` opens one")
}
