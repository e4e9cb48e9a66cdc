//! One kind of request, over and over: what a read costs, what a durable write costs.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::agents::LoadResults;
use super::client::BenchClient;
use super::{AGENTS, WARM, failed, together};
use crate::fail::Result;

/// What is asked of the server that does nothing.
pub(super) const NOTHING: &str = "/nothing";
/// What is asked of a service that is only read: an agent looks whether there is anything to do.
pub(super) const TURNS: &str = "/v1/turns";

/// Everybody reads the same path, each with their token.
pub(super) async fn reads(
    to: SocketAddr,
    tokens: &[&String],
    path: &'static str,
    time: Duration,
) -> Result<LoadResults> {
    let begin = Instant::now() + WARM;
    let mut running = JoinSet::new();
    for token in tokens {
        let mut client = BenchClient::connect(to, token).await?;
        running.spawn(async move {
            let mut seen = LoadResults::default();
            while Instant::now() < begin + time {
                let (status, took) = client.get(path).await?;
                seen.asked += 1;
                match status {
                    200 | 204 if (begin..begin + time).contains(&Instant::now()) => seen.reads.push(took),
                    200 | 204 => (),
                    other => seen.refused.push((other, String::from_utf8_lossy(client.body()).into())),
                }
            }
            Ok(seen)
        });
    }
    together(running).await
}

/// Everybody lets a matter of their own rest and go on: the smallest writes there are, each an act on the disk.
pub(super) async fn writes(to: SocketAddr, operator: &str, time: Duration) -> Result<LoadResults> {
    let begin = Instant::now() + 2 * WARM;
    let mut running = JoinSet::new();
    for number in 0..AGENTS {
        let mut client = BenchClient::connect(to, operator).await?;
        running.spawn(async move {
            let mut seen = LoadResults::default();
            let seats = [format!("agent-{number}"), format!("agent-{}", (number + 1) % AGENTS)];
            let body = json!({ "question": "Rest?", "charter": "ring-default", "seats": seats }).to_string();
            let opened = write(&mut client, &mut seen, "/v1/matters", number, &body, None).await?;
            let matter = opened["matter"].as_str().unwrap_or_default();
            let path = |what: &str| format!("/v1/matters/{matter}/{what}");
            let (pause, resume) = (path("pause"), path("resume"));
            while Instant::now() < begin + time {
                for path in [&pause, &resume] {
                    write(&mut client, &mut seen, path, number, "{}", Some((begin, time))).await?;
                }
            }
            write(&mut client, &mut seen, &path("stop"), number, "{}", None).await?;
            Ok(seen)
        });
    }
    together(running).await
}

async fn write(
    client: &mut BenchClient,
    seen: &mut LoadResults,
    path: &str,
    number: usize,
    body: &str,
    within: Option<(Instant, Duration)>,
) -> Result<Value> {
    let key = format!("w{number}-{}", seen.asked);
    let (status, took) = client.post(path, &key, body, None).await?;
    seen.asked += 1;
    if within.is_some_and(|(begin, time)| (begin..begin + time).contains(&Instant::now())) {
        seen.writes.push(took);
    }
    let told: Value = serde_json::from_slice(client.body()).map_err(failed)?;
    match told["act"].as_u64().filter(|_| matches!(status, 200 | 201)) {
        Some(act) => seen.done.push((key, act)),
        None => seen.refused.push((status, told.to_string())),
    }
    Ok(told)
}
