//! A house behind its service: one elsewhere, or the one that holds the house here.

use std::time::{Duration, Instant};

use serde_json::json;
use synod_core::kernel::{MatterId, Who};
use synod_core::monitor::Observation;
use synod_journal::vouch::ParticipantKey;

use super::shown::{RingOverview, WaitResult};
use super::{no_ring, nothing, uninvited};
use crate::client::Client;
use crate::fail::{Fail, Result, code};
use crate::matter_arg::{MatterArg, pick_at};
use crate::resolve;
use crate::which_ring;
use crate::wire::observation::{Noted, Observed};
use crate::wire::{ActionRequest, Done, Matter, MatterPage, MatterRef, MatterRow, Nothing, Turn, Turns};

/// One request waits at most so long: shorter than what proxies cut.
const SLICE: Duration = Duration::from_secs(30);

/// The house behind a service.
#[derive(Debug)]
pub(crate) struct RemoteHouse {
    client: Client,
    /// The participant the caller named.
    named: Option<Who>,
}

impl RemoteHouse {
    pub(crate) fn new(client: Client) -> Self {
        Self { client, named: None }
    }

    /// Acts as a participant from now on: the one that is named, else the one the token belongs to. The service says no
    /// to a name that is not the token's.
    pub(crate) fn act_as(&mut self, named: Option<Who>) -> Result<()> {
        match &named {
            Some(who) => self.client.speak_for(who),
            None if self.client.has_given_token() => (),
            None => return Err(super::nameless()),
        }
        self.named = named;
        Ok(())
    }

    /// Signs what is done from now on.
    pub(super) fn sign_with(&mut self, key: ParticipantKey) {
        self.client.sign_with(key);
    }

    /// Signs with this key from now on.
    pub(super) async fn register(&self, key: Option<String>) -> Result<Done> {
        self.client.post("/v1/keys", &json!({ "key": key })).await.map_err(|fail| self.named(fail))
    }

    /// Takes away the key of a participant.
    pub(super) async fn remove_key(&self, who: &Who) -> Result<Done> {
        self.client.delete(&["v1", "keys", who.as_str()]).await
    }

    /// Whether the participant is decided by the token alone.
    pub(crate) fn is_by_token(&self) -> bool {
        self.client.has_given_token()
    }

    /// The participant the token belongs to.
    pub(crate) async fn participant(&self) -> Result<Who> {
        let answer: Turns = self.client.get("/v1/turns?explain=true").await?;
        Ok(answer.participant)
    }

    /// The matter that is named. A number costs a request: the service knows matters by their ids.
    pub(crate) async fn matter(&self, wanted: MatterArg) -> Result<MatterId> {
        pick_at(&self.client, Some(wanted)).await
    }

    /// The rings that are not over. The list does not say which matters are rings, so each is looked at.
    pub(crate) async fn open_rings(&self) -> Result<Vec<which_ring::OpenRing>> {
        let page: MatterPage = self.client.get("/v1/matters?open=true").await?;
        let mut rings = Vec::new();
        for MatterRow { matter, number, topic, .. } in page.matters {
            let shown: Matter = self.client.get(&format!("/v1/matters/{matter}")).await?;
            if shown.ring.is_some() {
                rings.push(which_ring::OpenRing { matter, number, topic });
            }
        }
        Ok(rings)
    }

    /// The ring that is named, else the newest one.
    async fn ring(&self, wanted: Option<MatterArg>) -> Result<MatterRef> {
        match wanted {
            None => Ok(MatterRef::LastRing),
            Some(MatterArg::Last) => Ok(MatterRef::Last),
            Some(wanted) => self.matter(wanted).await.map(MatterRef::Id),
        }
    }

    /// A ring as it stands.
    pub(crate) async fn shown(&self, wanted: Option<MatterArg>) -> Result<RingOverview> {
        let matter = self.ring(wanted).await?;
        let shown: Matter =
            self.client.get(&format!("/v1/matters/{matter}")).await.map_err(|fail| {
                match (fail.name(), &self.named) {
                    ("matter/none", Some(who)) => uninvited(resolve::never_invited(who)),
                    ("matter/none", None) => no_ring(),
                    _ => fail,
                }
            })?;
        RingOverview::of(shown)
    }

    /// Open turns.
    pub(crate) async fn turns(&self) -> Result<Vec<Turn>> {
        let answer: Turns = self.client.get("/v1/turns?explain=true").await?;
        Ok(answer.turns)
    }

    pub(crate) async fn next(&self, matter: Option<MatterArg>, wait: Duration) -> Result<WaitResult> {
        let begun = Instant::now();
        let of = match self.ring(matter).await? {
            MatterRef::Id(matter) => format!("&matter={matter}"),
            MatterRef::Last | MatterRef::LastRing => String::new(),
        };
        loop {
            let left = wait.saturating_sub(begun.elapsed());
            let seconds = left.min(SLICE).as_secs_f64().ceil() as u64;
            let path = format!("/v1/turns?explain=true&wait={seconds}{of}");
            let Turns { participant, record: _, turns, none } =
                self.client.get(&path).await.map_err(|fail| self.named(fail))?;
            if let Some(turn) = turns.into_iter().next() {
                return Ok(WaitResult::Turn(Box::new(turn)));
            }
            let waits = |none: &crate::wire::NoTurn| match none.why {
                crate::wire::WhyNoTurn::Over | crate::wire::WhyNoTurn::Gone => false,
                // Who is not invited yet may be meanwhile.
                crate::wire::WhyNoTurn::None | crate::wire::WhyNoTurn::Uninvited => true,
            };
            match none {
                Some(none) if left.is_zero() || !waits(&none) => {
                    return Ok(nothing(&participant, none, wait));
                }
                Some(_) | None => (),
            }
        }
    }

    /// What a participant does for itself.
    pub(crate) async fn act(&self, matter: Option<MatterArg>, action: &ActionRequest) -> Result<Done> {
        let matter = self.ring(matter).await?;
        let to = |place: &str| format!("/v1/matters/{matter}/{place}");
        let done = match action {
            ActionRequest::Join => self.client.post(&to("join"), &Nothing {}).await,
            ActionRequest::Leave => self.client.post(&to("leave"), &Nothing {}).await,
            ActionRequest::Acknowledge { ask } => {
                self.client.post(&format!("/v1/turns/{ask}/ack"), &Nothing {}).await
            }
            ActionRequest::Say(body) => self.client.post(&to("contributions"), body).await,
            ActionRequest::Propose(body) => self.client.post(&to("proposals"), body).await,
            ActionRequest::Amend(body) => self.client.post(&to("amendments"), body).await,
            ActionRequest::React(body) => self.client.post(&to("reactions"), body).await,
            ActionRequest::Release(body) => self.client.post(&to("release"), body).await,
            ActionRequest::Skip(body) => self.client.post(&to("skip"), body).await,
            ActionRequest::Rule(body) => self.client.post(&to("rulings"), body).await,
            ActionRequest::Vote(body) => self.client.post(&to("votes"), body).await,
        };
        done.map_err(|fail| self.named(fail))
    }

    /// A token of nobody in particular needs a name.
    fn named(&self, fail: Fail) -> Fail {
        match (fail.name(), &self.named) {
            ("token/not-participant", None) => super::nameless(),
            _ => fail,
        }
    }

    /// Reports what an agent did.
    pub(crate) async fn observe(&self, observation: &Observation) -> Result<()> {
        let _: Noted = self.client.post("/v1/observations", &Observed::from(observation)).await?;
        Ok(())
    }

    /// What the operator does to a ring.
    pub(crate) async fn order(&self, order: &super::OperatorAction) -> Result<Done> {
        match order {
            super::OperatorAction::Start(matter) => {
                self.client.post(&format!("/v1/matters/{matter}/start"), &Nothing {}).await
            }
            super::OperatorAction::Resume(matter) => {
                self.client.post(&format!("/v1/matters/{matter}/resume"), &Nothing {}).await
            }
            super::OperatorAction::Remove(matter, who) => {
                let matter = matter.to_string();
                self.client.delete(&["v1", "matters", &matter, "participants", who.as_str()]).await
            }
        }
    }

    /// Opens a ring.
    pub(crate) async fn open(&self, opening: &serde_json::Value, key: Option<&str>) -> Result<MatterId> {
        let done: Done = self.client.post_once("/v1/matters", opening, key).await?;
        done.matter.ok_or_else(|| {
            let message = "the service opened nothing, and does not say why";
            Fail::new(code::UNAVAILABLE, "service/strange", message)
        })
    }
}
