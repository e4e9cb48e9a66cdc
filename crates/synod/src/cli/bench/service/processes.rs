//! The servers that are measured, each in a process of its own: the service of a house, and the same stack with nothing
//! behind it.

use std::io::BufRead as _;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command as Process, ExitCode, Stdio};
use std::time::Duration;

use serde_json::Value;

use super::agents::LoadResults;
use super::{LoadPart, failed};
use crate::fail::Result;
use crate::http::{self, Bounds, Descriptors, Ending};
use crate::out;

/// A server under way; killed when dropped.
#[derive(Debug)]
pub(super) struct LoadServer {
    child: Child,
    pub(super) address: SocketAddr,
}

impl LoadServer {
    /// The service of the house in `dir`, as shipped, but for the limits on how much one may ask and on connections of one
    /// token: all readers of a feed and all who only write share the operator's.
    pub(super) fn house(dir: &Path) -> Result<Self> {
        let mut serve = this()?;
        serve.args(["serve", "--listen", "127.0.0.1:0", "--trust", "--rate", "0", "--places", "65535"]);
        Self::start(serve.args(["--json", "--house"]).arg(dir))
    }

    /// The same stack answering an empty 200 to everybody.
    pub(super) fn nothing() -> Result<Self> {
        Self::start(this()?.args(["bench", "--serve-nothing"]))
    }

    fn start(command: &mut Process) -> Result<Self> {
        let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(failed)?;
        let mut line = String::new();
        if let Some(out) = child.stdout.take() {
            std::io::BufReader::new(out).read_line(&mut line).map_err(failed)?;
        }
        let told: Value = serde_json::from_str(&line).map_err(failed)?;
        let address = told["url"].as_str().and_then(|url| url.strip_prefix("http://")?.parse().ok());
        match address {
            Some(address) => Ok(Self { child, address }),
            None => Err(failed(format!("a server did not say where it is: {line}"))),
        }
    }

    /// Does something with it and looks what that cost it.
    pub(super) async fn during(
        &self,
        time: Duration,
        work: impl Future<Output = Result<LoadResults>>,
    ) -> Result<LoadPart> {
        let before = self.cpu();
        let seen = work.await?;
        Ok(LoadPart { seen, time, cpu: self.cpu().saturating_sub(before) })
    }

    /// CPU time so far, as the system counts it; nothing where it does not tell.
    pub(super) fn cpu(&self) -> Duration {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap_or_default();
        // The name in parentheses may hold blanks; user and system time are the 14th and 15th field.
        let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields).split_whitespace();
        let ticks: u64 = fields.skip(11).take(2).filter_map(|field| field.parse::<u64>().ok()).sum();
        Duration::from_millis(ticks * 10) // Linux tells hundredths, whatever its own clock
    }

    /// Descriptors it has open; none where the system does not tell.
    pub(super) fn files(&self) -> usize {
        std::fs::read_dir(format!("/proc/{}/fd", self.child.id())).map_or(0, Iterator::count)
    }

    /// Memory it holds, in bytes; none where the system does not tell.
    pub(super) fn memory(&self) -> usize {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kilobytes = resident.and_then(|rest| rest.split_whitespace().next()?.parse::<usize>().ok());
        kilobytes.unwrap_or(0) * 1024
    }

    /// Ends it as a service manager would, and waits.
    pub(super) fn end(mut self) -> Result<()> {
        let pid = rustix::process::Pid::from_child(&self.child);
        rustix::process::kill_process(pid, rustix::process::Signal::TERM).map_err(failed)?;
        let status = self.child.wait().map_err(failed)?;
        if status.success() { Ok(()) } else { Err(failed(format!("the service ended with {status}"))) }
    }
}

impl Drop for LoadServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn this() -> Result<Process> {
    Ok(Process::new(std::env::current_exe().map_err(failed)?))
}

/// Answers an empty 200 until killed, with the runtime, the connections and the router of the service.
pub(in crate::cli::bench) fn serve_nothing() -> Result<ExitCode> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(failed)?;
    runtime.block_on(async {
        let loopback = SocketAddr::from(([127, 0, 0, 1], 0));
        let listener = http::bind(loopback).map_err(failed)?;
        let url = format!("http://{}", listener.local_addr().map_err(failed)?);
        out::line(&serde_json::json!({ "url": url }).to_string());
        let routes = axum::Router::new().route(super::single::NOTHING, axum::routing::get(async || ()));
        let connections = Descriptors::raise().connections;
        let bounds = Bounds {
            connections,
            places: connections,
            body_within: Duration::from_secs(15),
            guarded: false,
            drop_after: Duration::from_secs(20),
        };
        let (_ending, hears) = Ending::new();
        http::serve(listener, routes, bounds, hears).await;
        Ok(ExitCode::SUCCESS)
    })
}
