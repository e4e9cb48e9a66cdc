//! A house behind its service: one elsewhere, or the one that holds the house here.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use synod_core::command::Part;
use synod_core::kernel::{MatterId, Who};

use super::shown::{Next, Ring, Sheet, Shown, Told};
use super::uninvited;
use crate::client::Client;
use crate::fail::{Fail, Result, code};

/// One request waits at most so long. In between it is asked whether the ring is over, which is no turn.
const SLICE: Duration = Duration::from_secs(5);
/// How many matters are looked at for a ring among debates.
const LOOKED_AT: usize = 20;

/// The house behind a service.
#[derive(Debug)]
pub(crate) struct RemoteHouse {
    client: Client,
}

impl RemoteHouse {
    pub(crate) fn new(client: Client) -> Self {
        Self { client }
    }

    /// Who one is there. The owner of a house may be any of its participants, a token only its own.
    pub(crate) async fn become_who(&mut self, named: Option<&str>) -> Result<Who> {
        let own = self.own().await?;
        let named = named.map(Who::parse).transpose().map_err(Fail::usage)?;
        match (own, named) {
            (Some(own), Some(named)) if own != named => {
                let message = format!("this token is {own}'s, and --as says {named}: leave one of them out");
                Err(Fail::new(code::USAGE, "token/of-another", message))
            }
            (Some(own), _) => Ok(own),
            (None, Some(named)) => {
                self.client.speak_for(&named);
                Ok(named)
            }
            (None, None) => Err(super::nameless()),
        }
    }

    /// Whose token it is, if it is a participant's.
    pub(crate) async fn own(&self) -> Result<Option<Who>> {
        let house = self.client.get("/v1/house").await?;
        house["you"]["participant"].as_str().map(Who::parse).transpose().map_err(Fail::usage)
    }

    pub(crate) async fn ring(&self, who: &Who, wanted: Option<MatterId>) -> Result<MatterId> {
        match wanted {
            Some(matter) => Ok(matter),
            None => self.matters("open=true").await?.pop().ok_or_else(|| uninvited(who)),
        }
    }

    /// The matters the caller may see, oldest first.
    async fn matters(&self, filter: &str) -> Result<Vec<MatterId>> {
        let mut found = Vec::new();
        let mut after = String::new();
        loop {
            let page = self.client.get(&format!("/v1/matters?{filter}&limit=500{after}")).await?;
            let rows = page["matters"].as_array().map(Vec::as_slice).unwrap_or_default();
            found.extend(rows.iter().filter_map(|row| row["matter"].as_str()?.parse::<MatterId>().ok()));
            match page["next"].as_str() {
                Some(next) => after = format!("&after={next}"),
                None => return Ok(found),
            }
        }
    }

    pub(crate) async fn last_ring(&self, who: Option<&Who>) -> Result<MatterId> {
        for filter in ["open=true", "open=false"] {
            for matter in self.matters(filter).await?.into_iter().rev().take(LOOKED_AT) {
                if who.is_some() || self.shown(matter).await.is_ok() {
                    return Ok(matter);
                }
            }
        }
        Err(who.map_or_else(super::no_ring, uninvited))
    }

    pub(crate) async fn shown(&self, matter: MatterId) -> Result<Shown> {
        let report = self.client.get(&format!("/v1/matters/{matter}")).await?;
        if report["ring"].is_null() {
            let refusal = synod_core::Refusal::NoRing { matter };
            return Err(Fail::new(code::USAGE, refusal.code(), refusal.to_string()));
        }
        let text = |value: &Value| value.as_str().unwrap_or_default().to_string();
        Ok(Shown {
            matter,
            topic: text(&report["question"]["topic"]),
            charter: text(&report["charter"]["name"]),
            status: text(&report["status"]),
            headline: text(&report["headline"]),
            ring: serde_json::from_value(report["ring"].clone()).map_err(strange)?,
            session: report["ring"].clone(),
        })
    }

    /// Open turns; waits for one at most so many seconds.
    pub(crate) async fn turns(&self, who: &Who, matter: Option<MatterId>, wait: u64) -> Result<Vec<Sheet>> {
        let of = matter.map(|matter| format!("&matter={matter}")).unwrap_or_default();
        let answer = self.client.get(&format!("/v1/turns?wait={wait}{of}")).await?;
        let rows = answer["turns"].as_array().cloned().unwrap_or_default();
        let sheet = |mut row: Value| {
            row["who"] = json!(who);
            serde_json::from_value(row).map_err(strange)
        };
        rows.into_iter().map(sheet).collect()
    }

    pub(crate) async fn next(&self, who: &Who, matter: Option<MatterId>, wait: Duration) -> Result<Next> {
        let begun = Instant::now();
        let mut slice = Duration::ZERO;
        loop {
            let turns = self.turns(who, matter, slice.as_secs_f64().ceil() as u64).await?;
            if let Some(sheet) = turns.into_iter().next() {
                return Ok(Next::Turn(Box::new(sheet)));
            }
            let hopeless = self.hopeless(who, matter).await?;
            let left = wait.saturating_sub(begun.elapsed());
            match hopeless {
                // Who is not invited yet may be meanwhile.
                Some(Next::Uninvited) if !left.is_zero() => (),
                Some(next) => return Ok(next),
                None if left.is_zero() => return Ok(Next::Nothing),
                None => (),
            }
            slice = left.min(SLICE);
        }
    }

    /// Why no turn will come, if none will.
    async fn hopeless(&self, who: &Who, matter: Option<MatterId>) -> Result<Option<Next>> {
        let open = match matter {
            Some(matter) => vec![matter],
            None => self.matters("open=true").await?,
        };
        if open.is_empty() {
            return Ok(Some(match self.matters("open=false").await?.pop() {
                Some(last) => over(last, self.shown(last).await?.ring),
                None => Next::Uninvited,
            }));
        }
        // As long as one ring may still ask something of them, there is hope. The youngest is told of.
        let mut last = None;
        for id in open.into_iter().rev() {
            let ring = self.shown(id).await?.ring;
            // Named, it is what was asked about; otherwise it ended just now and will not be listed again.
            if ring.is_over() {
                return Ok(matter.map(|_| over(id, ring)));
            }
            let own = ring.members.into_iter().find(|member| member.who == *who);
            match own.filter(|member| member.state == "gone") {
                Some(gone) => last = last.or(Some(Next::Gone(id, gone.why.unwrap_or_default()))),
                None => return Ok(None),
            }
        }
        Ok(last)
    }

    /// What a participant does for itself. A part is sent as it is written; only its address differs.
    pub(crate) async fn partake(&self, matter: MatterId, part: &Part) -> Result<Told> {
        let place = match part {
            Part::Join => "join",
            Part::Leave => "leave",
            Part::Say { .. } => "contributions",
            Part::Propose { .. } => "proposals",
            Part::Amend { .. } => "amendments",
            Part::React { .. } => "reactions",
            Part::Release { .. } => "release",
            Part::Skip { .. } => "skip",
            Part::Rule { .. } => "rulings",
            Part::Vote { .. } => "votes",
            Part::Acknowledge { ask } => return self.post(&format!("/v1/turns/{ask}/ack"), &json!({})).await,
        };
        let written = serde_json::to_value(part).map_err(strange)?;
        let fields = written.as_object().and_then(|part| part.values().next().cloned());
        self.post(&format!("/v1/matters/{matter}/{place}"), &fields.unwrap_or_else(|| json!({}))).await
    }

    /// Notes that an agent wrote a file.
    pub(crate) async fn wrote(&self, who: &Who, path: &str) -> Result<()> {
        let seen = json!({ "agent": who, "kind": "write", "path": path });
        self.client.post("/v1/observations", &seen).await.map(drop)
    }

    /// What the operator does to a ring.
    pub(crate) async fn order(&self, order: &super::Order) -> Result<Told> {
        match order {
            super::Order::Start(matter) => {
                self.post(&format!("/v1/matters/{matter}/start"), &json!({})).await
            }
            super::Order::Resume(matter) => {
                self.post(&format!("/v1/matters/{matter}/resume"), &json!({})).await
            }
            super::Order::Remove(matter, who) => {
                let matter = matter.to_string();
                let path = ["v1", "matters", &matter, "participants", who.as_str()];
                serde_json::from_value(self.client.delete(&path).await?).map_err(strange)
            }
        }
    }

    /// Opens a ring.
    pub(crate) async fn open(&self, opening: &Value, key: Option<&str>) -> Result<MatterId> {
        let told = self.client.post_once("/v1/matters", opening, key).await?;
        let matter = told["matter"].as_str().and_then(|matter| matter.parse().ok());
        matter.ok_or_else(|| strange("it names no matter"))
    }

    async fn post(&self, path: &str, body: &Value) -> Result<Told> {
        serde_json::from_value(self.client.post(path, body).await?).map_err(strange)
    }
}

fn over(matter: MatterId, ring: Ring) -> Next {
    Next::Over(matter, ring.phase, ring.reason)
}

fn strange(error: impl std::fmt::Display) -> Fail {
    let message = format!("the service answers what this version does not understand: {error}");
    Fail::new(code::UNAVAILABLE, "service/strange", message)
}
