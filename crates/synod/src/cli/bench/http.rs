//! Whole debates over HTTP on loopback, beside a bare loop that sends as many bytes as often.

use std::collections::BTreeMap;
use std::io::BufRead as _;
use std::process::{Child, Command as Process, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use synod_core::brief::Brief;
use synod_journal::Memory;
use synod_minds::{Answering, AskContext, Cassette, Env, Face, Mind, MindFactory, Pass, Settings, Spec};

use super::SHAPES;
use super::in_process::{debate, engine, of_rounds, seats, source};
use super::measure::{cpu, median, micros, ratio};
use crate::cli::on_runtime;
use crate::fail::{Fail, Result, code};

fn failed(what: impl std::fmt::Display) -> Fail {
    Fail::new(code::IO, "bench", format!("the HTTP benchmark failed: {what}"))
}

/// The server in a process of its own; ended when dropped.
struct BenchServer {
    child: Child,
    port: u16,
}

impl BenchServer {
    fn start() -> Result<Self> {
        let program = std::env::current_exe().map_err(failed)?;
        let mut child = Process::new(program)
            .args(["bench", "--serve"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(failed)?;
        let mut line = String::new();
        if let Some(out) = child.stdout.take() {
            std::io::BufReader::new(out).read_line(&mut line).map_err(failed)?;
        }
        let port = line.trim().parse().map_err(failed)?;
        Ok(Self { child, port })
    }
}

impl Drop for BenchServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A mind that counts how many bytes it receives.
#[derive(Debug)]
struct CountingMind {
    inner: Arc<dyn Mind>,
    told: Arc<AtomicU64>,
}

impl Mind for CountingMind {
    fn ask<'a>(&'a self, question: &'a AskContext, brief: &'a Brief, pass: &'a dyn Pass) -> Answering<'a> {
        self.told.fetch_add(brief.len() as u64, Ordering::Relaxed);
        self.inner.ask(question, brief, pass)
    }

    fn face(&self) -> &Face {
        self.inner.face()
    }
}

/// Measures all shapes.
pub(super) fn measure(runs: usize) -> Result<Value> {
    let server = BenchServer::start()?;
    let rows = SHAPES.map(|(count, rounds)| on_runtime(shape(server.port, count, rounds, runs)));
    Ok(json!(rows.into_iter().collect::<Result<Vec<_>>>()?))
}

async fn shape(port: u16, count: usize, rounds: u64, runs: usize) -> Result<Value> {
    let spec = Spec::parse(&format!("http://127.0.0.1:{port}/v1#bench")).map_err(failed)?;
    // The limits that protect a real provider would only measure themselves here.
    let toml = format!("[\"http://127.0.0.1:{port}/v1\"]\nat_once = {}\n", count.max(8));
    let settings = Settings::read(&toml, "")
        .map_err(|flaws| failed(flaws.first().map(ToString::to_string).unwrap_or_default()))?;
    let minds = MindFactory::new(settings, Env::of([] as [(&str, &str); 0]), Cassette::Off)
        .map_err(|error| failed(error.message))?;
    let inner = minds.mind(&spec).map_err(|error| failed(error.message))?;
    let told = Arc::new(AtomicU64::new(0));
    let mind: Arc<dyn Mind> = Arc::new(CountingMind { inner, told: told.clone() });
    let table = seats(count, &spec.to_string());
    let calls = (count as u64 * (rounds + 1)) as u32;
    let mut client = None;
    let (mut ours, mut bare, mut walls, mut bare_walls) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for run in 0..runs + 1 {
        let minds = BTreeMap::from([(spec.to_string(), mind.clone())]);
        let engine = engine(Box::new(Memory::new()), minds, &table, source()?).await?;
        let mut feed = engine.feed(engine.read(synod_core::House::seq).next()).await?;
        told.store(0, Ordering::Relaxed);
        let open = of_rounds(&table, rounds)?;
        let (before, begun) = (cpu(), Instant::now());
        debate(&engine, &mut feed, open).await?;
        let (wall, used) = (begun.elapsed(), cpu().saturating_sub(before));
        // Made after the first debate, which has set up what encryption needs.
        let client = match &client {
            Some(client) => client,
            None => client.insert(reqwest::Client::builder().no_proxy().build().map_err(failed)?),
        };
        // As long a prompt as the seats of this debate were told on average.
        let bytes = (told.load(Ordering::Relaxed) / u64::from(calls)) as usize;
        let (bare_wall, bare_used) = bare_loop(client, port, count, rounds + 1, bytes).await?;
        engine.end();
        if run > 0 {
            ours.push(used);
            walls.push(wall);
            bare.push(bare_used);
            bare_walls.push(bare_wall);
        }
    }
    let least = |times: &[Duration]| times.iter().min().copied().unwrap_or_default();
    let (ours_least, bare_least) = (least(&ours), least(&bare));
    let (ours, bare) = (median(ours), median(bare));
    Ok(json!({
        "seats": count,
        "rounds": rounds,
        "calls": calls,
        "prompt_bytes_per_call": told.load(Ordering::Relaxed) / u64::from(calls),
        "whole_us": micros(median(walls)),
        "bare_whole_us": micros(median(bare_walls)),
        "cpu_us_per_call": micros(ours / calls),
        "bare_cpu_us_per_call": micros(bare / calls),
        "cpu_us_per_call_least": micros(ours_least / calls),
        "bare_cpu_us_per_call_least": micros(bare_least / calls),
        "times_bare_least": ratio(ours_least.as_nanos() as f64, bare_least.as_nanos() as f64),
        "times_bare": ratio(ours.as_nanos() as f64, bare.as_nanos() as f64),
    }))
}

/// The same number of requests, as many at once, read and thrown away.
async fn bare_loop(
    client: &reqwest::Client,
    port: u16,
    count: usize,
    rounds: u64,
    bytes: usize,
) -> Result<(Duration, Duration)> {
    let url = format!("http://127.0.0.1:{port}/v1/chat/completions");
    let prompt = "x".repeat(bytes);
    let (before, begun) = (cpu(), Instant::now());
    for _ in 0..rounds {
        let mut round = tokio::task::JoinSet::new();
        for _ in 0..count {
            let (client, url) = (client.clone(), url.clone());
            let body =
                json!({ "model": "bench", "messages": [{ "role": "user", "content": prompt }] }).to_string();
            round.spawn(async move {
                let request = client.post(url).header("content-type", "application/json").body(body);
                let bytes = request.send().await?.bytes().await?;
                let answer: Option<Value> = serde_json::from_slice(&bytes).ok();
                Ok::<bool, reqwest::Error>(
                    answer.is_some_and(|answer| answer["choices"][0]["message"]["content"].is_string()),
                )
            });
        }
        while let Some(done) = round.join_next().await {
            if !done.map_err(failed)?.map_err(failed)? {
                return Err(failed("an answer of the bare loop could not be read"));
            }
        }
    }
    Ok((begun.elapsed(), cpu().saturating_sub(before)))
}
