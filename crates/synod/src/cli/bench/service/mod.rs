//! Many agents on one service: rings of many sizes at once over HTTP on loopback, beside the same stack answering an
//! empty 200 to the same client. Proves afterwards that nothing that was answered is missing from the record.

mod agents;
mod client;
pub(super) mod feed;
mod processes;
mod proof;
mod single;

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use synod_core::kernel::Who;
use synod_engine::now;
use tokio::task::JoinSet;

use self::agents::{Circle, LoadAgent, LoadPlan, LoadResults};
use self::processes::LoadServer;
use super::measure::ratio;
use crate::cli::on_runtime;
use crate::fail::{Fail, Result, code};
use crate::tokens::{self, Holds};

pub(super) use self::processes::serve_nothing;

/// Agents at once.
const AGENTS: usize = 200;
/// What is not measured yet: rings are opened for the first time, connections made, caches filled.
const WARM: Duration = Duration::from_millis(500);

fn failed(what: impl std::fmt::Display) -> Fail {
    Fail::new(code::IO, "bench", format!("the service benchmark failed: {what}"))
}

/// Measures for so long each: rings, reads alone, writes alone, and the yardstick twice.
pub(super) fn measure(time: Duration) -> Result<Value> {
    let dir = std::env::current_dir().map_err(failed)?.join(format!(".synod-bench-{}", std::process::id()));
    let done = on_runtime(all(&dir, time));
    let cleared = std::fs::remove_dir_all(&dir);
    let figures = done?;
    cleared.map_err(failed)?;
    Ok(figures)
}

async fn all(dir: &Path, time: Duration) -> Result<Value> {
    let circles = seat(dir)?;
    let operator = tokens::make_unheard(dir, Holds::Operator("bench".into()), None, now())?.0;
    let tokens: Vec<&String> = circles.iter().flat_map(|circle| &circle.tokens).collect();
    let empty = LoadServer::nothing()?;
    let before = empty.during(time, single::reads(empty.address, &tokens, single::NOTHING, time)).await?;
    let service = LoadServer::house(dir)?;
    let talk = service.during(time, rings(&service, &circles, &operator, time)).await?;
    let reads = service.during(time, single::reads(service.address, &tokens, single::TURNS, time)).await?;
    let writes = service.during(time, single::writes(service.address, &operator, time)).await?;
    let after = empty.during(time, single::reads(empty.address, &tokens, single::NOTHING, time)).await?;
    drop(empty);
    service.end()?;

    let parts = [&before, &talk, &reads, &writes, &after];
    if let Some((status, said)) = parts.iter().flat_map(|part| &part.seen.refused).next() {
        return Err(failed(format!("a request was answered {status}: {said}")));
    }
    let told = talk.seen.done.iter().chain(&writes.seen.done);
    let proven = proof::check(dir, told)?;
    // The better of both: a yardstick that was disturbed measures nothing.
    let yard = if before.per_second() >= after.per_second() { &before } else { &after };
    let mut rings = talk.figures(yard);
    rings["reads"] = spread(&talk.seen.reads, time);
    rings["writes"] = spread(&talk.seen.writes, time);
    rings["polls_per_second"] = json!((talk.seen.polls as f64 / time.as_secs_f64()).round());
    Ok(json!({
        "agents": AGENTS,
        "circles": circles.len(),
        "seconds_each": time.as_secs_f64(),
        "empty_200": yard.figures(yard),
        "rings": rings,
        "reads_alone": reads.figures(yard),
        "writes_alone": writes.figures(yard),
        "proven": proven,
    }))
}

/// Seats everybody in circles, each with a token of their own.
fn seat(dir: &Path) -> Result<Vec<Arc<Circle>>> {
    let mut names = (0..).map(|n| format!("agent-{n}"));
    let mut circles = Vec::new();
    for size in agents::sizes(AGENTS) {
        let names: Vec<String> = names.by_ref().take(size).collect();
        let mut tokens = Vec::new();
        for name in &names {
            let who = Who::parse(name).map_err(failed)?;
            tokens.push(tokens::make_unheard(dir, Holds::Participant(who), None, now())?.0);
        }
        circles.push(Arc::new(Circle { names, tokens, over: AtomicBool::new(false) }));
    }
    Ok(circles)
}

/// Lets everybody take part until the time is over.
async fn rings(
    server: &LoadServer,
    circles: &[Arc<Circle>],
    operator: &str,
    time: Duration,
) -> Result<LoadResults> {
    let begin = Instant::now() + WARM;
    let plan = LoadPlan { server: server.address, operator: operator.into(), begin, end: begin + time };
    let plan = Arc::new(plan);
    let mut running = JoinSet::new();
    for circle in circles {
        for place in 0..circle.names.len() {
            let number = running.len();
            let agent = LoadAgent::seat(plan.clone(), circle.clone(), place, number).await?;
            running.spawn(agent.run());
        }
    }
    together(running).await
}

/// What all of them have seen. The first failure is everybody's.
async fn together(mut running: JoinSet<Result<LoadResults>>) -> Result<LoadResults> {
    let mut all = LoadResults::default();
    while let Some(done) = running.join_next().await {
        all.add(done.map_err(failed)??);
    }
    Ok(all)
}

/// One part of the load, with what its server spent on it.
#[derive(Debug)]
struct LoadPart {
    seen: LoadResults,
    time: Duration,
    /// CPU time of the server, also before and after what is measured.
    cpu: Duration,
}

impl LoadPart {
    fn per_second(&self) -> f64 {
        let seen = &self.seen;
        (seen.reads.len() + seen.writes.len() + seen.polls) as f64 / self.time.as_secs_f64()
    }

    /// Requests that wait on purpose are in the rate and not in the times.
    fn figures(&self, yard: &Self) -> Value {
        let times: Vec<Duration> = self.seen.reads.iter().chain(&self.seen.writes).copied().collect();
        let mut figures = spread(&times, self.time);
        figures["per_second"] = json!(self.per_second().round());
        let cpu = |part: &Self| part.cpu.as_secs_f64() * 1e6 / part.seen.asked.max(1) as f64;
        figures["server_cpu_us"] = json!((10.0 * cpu(self)).round() / 10.0);
        figures["of_empty_200"] = json!(ratio(self.per_second(), yard.per_second()));
        figures["times_cpu_of_empty_200"] = json!(ratio(cpu(self), cpu(yard)));
        figures
    }
}

/// How many a second, and how long they took.
fn spread(times: &[Duration], time: Duration) -> Value {
    let mut times = times.to_vec();
    times.sort();
    let at = |part: usize| {
        let place = (times.len() * part / 100).min(times.len().saturating_sub(1));
        let time = times.get(place).copied().unwrap_or_default();
        (time.as_secs_f64() * 1e5).round() / 100.0
    };
    let per_second = (times.len() as f64 / time.as_secs_f64()).round();
    json!({ "per_second": per_second, "p50_ms": at(50), "p99_ms": at(99) })
}

/// The figures for people.
pub(super) fn table(figures: &Value) -> String {
    let mut out = format!(
        "{} agents in {} circles, each part for {} s; p50 and p99 of requests that do not wait on purpose.\n\n\
         {:<22} {:>10} {:>8} {:>8} {:>14} {:>12}\n",
        figures["agents"],
        figures["circles"],
        figures["seconds_each"],
        "",
        "requests/s",
        "p50 ms",
        "p99 ms",
        "server CPU µs",
        "of empty 200"
    );
    let row = |out: &mut String, name: &str, row: &Value| {
        let shown = |key: &str| row.get(key).map_or(String::new(), Value::to_string);
        let _ = writeln!(
            out,
            "{name:<22} {:>10} {:>8} {:>8} {:>14} {:>12}",
            shown("per_second"),
            shown("p50_ms"),
            shown("p99_ms"),
            shown("server_cpu_us"),
            shown("of_empty_200")
        );
    };
    row(&mut out, "empty 200", &figures["empty_200"]);
    row(&mut out, "rings", &figures["rings"]);
    row(&mut out, "  reads of those", &figures["rings"]["reads"]);
    row(&mut out, "  writes of those", &figures["rings"]["writes"]);
    row(&mut out, "reads alone", &figures["reads_alone"]);
    row(&mut out, "writes alone", &figures["writes_alone"]);
    let proven = &figures["proven"];
    let _ = writeln!(
        out,
        "\n{} rings settled; all {} writes that were answered stand in the journal once, of {} acts; \
         no connection was dropped, no request failed.",
        proven["rings_settled"], proven["writes"], proven["acts"]
    );
    out
}
