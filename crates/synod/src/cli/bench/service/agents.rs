//! The load: agents that do nothing but take part. Each waits for a turn, does what it is asked for, and waits again;
//! whoever ends a ring opens the next one for the same circle.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::json;

use super::client::BenchClient;
use super::failed;
use crate::fail::Result;

/// How many sit in each circle, one circle after the other: rings of many sizes go on at once.
const SIZES: [usize; 5] = [2, 3, 4, 5, 6];
/// How long an agent waits for a turn before it asks again.
const WAIT: u32 = 2;
/// What an agent says, of the length of a short paragraph.
const WORDS: &str = "Reads outnumber writes by two orders of magnitude and most of them ask for the same few pages, \
                     so keeping an answer for an hour costs little and saves the store most of its work.";

/// Everybody who takes part in the load, by circles.
#[derive(Debug)]
pub(super) struct Circle {
    pub(super) names: Vec<String>,
    pub(super) tokens: Vec<String>,
    /// Its last ring is settled.
    pub(super) over: AtomicBool,
}

/// The sizes of circles that seat so many.
pub(super) fn sizes(agents: usize) -> Vec<usize> {
    let mut left = agents.max(2);
    let mut sizes = Vec::new();
    for size in SIZES.into_iter().cycle() {
        match left {
            0 => break,
            // Nobody sits alone.
            1 => *sizes.last_mut().unwrap_or(&mut left) += 1,
            _ => sizes.push(size.min(left)),
        }
        left = left.saturating_sub(size.min(left));
    }
    sizes
}

/// The start and end of the measured time, and who may open rings.
#[derive(Debug)]
pub(super) struct LoadPlan {
    pub(super) server: SocketAddr,
    pub(super) operator: String,
    pub(super) begin: Instant,
    pub(super) end: Instant,
}

/// The measurements of one agent.
#[derive(Debug, Default)]
pub(super) struct LoadResults {
    /// Reads that do not wait, within the measured time.
    pub(super) reads: Vec<Duration>,
    /// Writes within the measured time.
    pub(super) writes: Vec<Duration>,
    /// Requests for a turn that might wait, within the measured time.
    pub(super) polls: usize,
    /// Every write that was answered as done, in and out of the measured time: its key and its act.
    pub(super) done: Vec<(String, u64)>,
    /// All requests, in and out of the measured time.
    pub(super) asked: usize,
    /// Requests answered otherwise than hoped for: status and what was said.
    pub(super) refused: Vec<(u16, String)>,
}

impl LoadResults {
    pub(super) fn add(&mut self, other: Self) {
        self.reads.extend(other.reads);
        self.writes.extend(other.writes);
        self.polls += other.polls;
        self.done.extend(other.done);
        self.asked += other.asked;
        self.refused.extend(other.refused);
    }
}

#[derive(Deserialize)]
struct TurnsReply<'a> {
    #[serde(borrow)]
    turns: Vec<TurnReply<'a>>,
}

#[derive(Deserialize)]
struct TurnReply<'a> {
    ask: &'a str,
    matter: &'a str,
    task: &'a str,
}

#[derive(Deserialize)]
struct WriteReply {
    act: u64,
}

#[derive(Deserialize)]
struct MatterReply {
    ring: RingReply,
}

#[derive(Deserialize)]
struct RingReply {
    proposals: Vec<ProposalReply>,
}

#[derive(Deserialize)]
struct ProposalReply {
    id: String,
}

/// One agent.
pub(super) struct LoadAgent {
    plan: Arc<LoadPlan>,
    circle: Arc<Circle>,
    /// Its place in the circle.
    place: usize,
    /// Its place among all agents; its keys begin with it.
    number: usize,
    client: BenchClient,
    seen: LoadResults,
}

impl LoadAgent {
    pub(super) async fn seat(
        plan: Arc<LoadPlan>,
        circle: Arc<Circle>,
        place: usize,
        number: usize,
    ) -> Result<Self> {
        let client = BenchClient::connect(plan.server, &circle.tokens[place]).await?;
        Ok(Self { plan, circle, place, number, client, seen: LoadResults::default() })
    }

    /// Takes part until the time is over and its ring is settled.
    pub(super) async fn run(mut self) -> Result<LoadResults> {
        if self.place == 0 {
            self.open().await?;
        }
        let poll = format!("/v1/turns?wait={WAIT}");
        while !self.circle.over.load(Ordering::Relaxed) {
            let (status, _) = self.client.get(&poll).await?;
            self.seen.asked += 1;
            self.seen.polls += usize::from(self.counts(Instant::now()));
            match status {
                200 => {
                    let turns: TurnsReply<'_> = serde_json::from_slice(self.client.body()).map_err(failed)?;
                    let Some(TurnReply { ask, matter, task }) = turns.turns.first() else { continue };
                    let (ask, matter, task) = (ask.to_string(), matter.to_string(), task.to_string());
                    self.take(&ask, &matter, &task).await?;
                }
                204 => (),
                other => self.note(other),
            }
        }
        Ok(self.seen)
    }

    fn counts(&self, now: Instant) -> bool {
        (self.plan.begin..self.plan.end).contains(&now)
    }

    fn note(&mut self, status: u16) {
        let said = String::from_utf8_lossy(self.client.body()).chars().take(300).collect();
        self.seen.refused.push((status, said));
    }

    async fn take(&mut self, ask: &str, matter: &str, task: &str) -> Result<()> {
        match task {
            "join" => self.part(matter, "join", &json!({})).await?,
            "propose" => match self.place {
                0 | 1 => {
                    let title = format!("Keep answers for {} hours", self.place + 1);
                    let body = json!({ "ask": ask, "title": title, "text": WORDS });
                    self.part(matter, "proposals", &body).await?;
                }
                _ => self.part(matter, "skip", &json!({ "ask": ask, "why": "nothing yet" })).await?,
            },
            "speak" => {
                self.write(&format!("/v1/turns/{ask}/ack"), "{}").await?;
                let proposals = self.proposals(matter).await?;
                let text = format!("{} of matter {matter} thinks: {WORDS}", self.circle.names[self.place]);
                let said = json!({ "ask": ask, "kind": "opinion", "text": text, "keep": true });
                self.part(matter, "contributions", &said).await?;
                let to = proposals.first().map_or("", String::as_str);
                let reacted = json!({ "ask": ask, "to": to, "reaction": "agree" });
                self.part(matter, "reactions", &reacted).await?;
            }
            "vote" => {
                for proposal in self.proposals(matter).await? {
                    let vote =
                        json!({ "proposal": proposal, "grade": "approve", "rationale": "it is cheap" });
                    self.part(matter, "votes", &vote).await?;
                }
            }
            other => return Err(failed(format!("nobody knows what to do when asked to {other}"))),
        }
        Ok(())
    }

    /// What lies on the table: an agent looks before it acts.
    async fn proposals(&mut self, matter: &str) -> Result<Vec<String>> {
        let (status, took) = self.client.get(&format!("/v1/matters/{matter}")).await?;
        self.seen.asked += 1;
        if self.counts(Instant::now()) {
            self.seen.reads.push(took);
        }
        if status != 200 {
            self.note(status);
            return Ok(Vec::new());
        }
        let shown: MatterReply = serde_json::from_slice(self.client.body()).map_err(failed)?;
        Ok(shown.ring.proposals.into_iter().map(|proposal| proposal.id).collect())
    }

    async fn part(&mut self, matter: &str, what: &str, body: &serde_json::Value) -> Result<()> {
        self.write(&format!("/v1/matters/{matter}/{what}"), &body.to_string()).await?;
        // Whoever's act ended the ring opens the next.
        let over = self.client.body().windows(SETTLED.len()).any(|window| window == SETTLED);
        if over && Instant::now() < self.plan.end {
            return self.open().await;
        }
        if over {
            self.circle.over.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    async fn open(&mut self) -> Result<()> {
        let body = json!({
            "question": "Keep answers of the index?", "charter": "ring-default", "seats": self.circle.names,
            "set": { "rounds": 2 },
        });
        let (plan, key) = (self.plan.clone(), self.key());
        let answered = self.client.post("/v1/matters", &key, &body.to_string(), Some(&plan.operator)).await?;
        self.wrote(key, answered)
    }

    async fn write(&mut self, path: &str, body: &str) -> Result<()> {
        let key = self.key();
        let answered = self.client.post(path, &key, body, None).await?;
        self.wrote(key, answered)
    }

    fn key(&self) -> String {
        format!("{}-{}", self.number, self.seen.done.len() + self.seen.refused.len())
    }

    fn wrote(&mut self, key: String, (status, took): (u16, Duration)) -> Result<()> {
        self.seen.asked += 1;
        if self.counts(Instant::now()) {
            self.seen.writes.push(took);
        }
        match status {
            200 | 201 => {
                let told: WriteReply = serde_json::from_slice(self.client.body()).map_err(failed)?;
                self.seen.done.push((key, told.act));
            }
            other => self.note(other),
        }
        Ok(())
    }
}

/// How an answer tells that its act ended the ring.
const SETTLED: &[u8] = b"\"matter/settled\"";
