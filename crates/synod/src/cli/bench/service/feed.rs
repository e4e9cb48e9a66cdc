//! Many readers of one feed: what an act costs the service for each of them, and what a reader costs while nothing happens.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use synod_engine::now;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::client::BenchClient;
use super::failed;
use super::processes::LoadServer;
use crate::cli::bench::measure::thread_cpu;
use crate::cli::on_runtime;
use crate::fail::Result;
use crate::http::Descriptors;
use crate::tokens::{self, Holds};

/// How long apart acts are in the part where each is told by itself.
const APART: Duration = Duration::from_millis(50);
/// Clients that write at once, where acts follow each other.
const WRITERS: usize = 8;
/// How long readers may take to be told everything.
const PATIENCE: Duration = Duration::from_secs(60);

/// Measures with so many readers and acts.
pub(in crate::cli::bench) fn measure(readers: usize, acts: usize) -> Result<Value> {
    Descriptors::raise();
    let dir =
        std::env::current_dir().map_err(failed)?.join(format!(".synod-bench-feed-{}", std::process::id()));
    let done = on_runtime(all(&dir, readers, acts));
    let cleared = std::fs::remove_dir_all(&dir);
    let figures = done?;
    cleared.map_err(failed)?;
    Ok(figures)
}

async fn all(dir: &Path, readers: usize, acts: usize) -> Result<Value> {
    let operator = tokens::make_unheard(dir, Holds::Operator("bench".into()), None, now())?.0;
    let service = LoadServer::house(dir)?;
    let mut writers = Writers::connect(&service, &operator).await?;
    let matter = writers.open().await?;
    writers.write(20, None).await?; // what is only done once is not measured
    let alone = writers.cost(&service, acts, None).await?;
    let alone_apart = writers.cost(&service, acts / 5, Some(APART)).await?;

    let (files, memory) = (service.files(), service.memory());
    let told = Arc::new(ToldReaders::default());
    let mut following = JoinSet::new();
    for _ in 0..readers {
        following.spawn(follow(connect(&service, &operator, "/v1/feed").await?, told.clone()));
    }
    let (more_files, more_memory) = (service.files() - files, service.memory() - memory);
    let together = cost_with(&mut writers, &service, acts, None, &told, readers).await?;
    let apart = cost_with(&mut writers, &service, acts / 5, Some(APART), &told, readers).await?;
    following.shutdown().await;
    let send = bare_sends(readers, acts / 5, told.bytes_each()).await?;

    // The same number, who all follow a matter in which nothing happens.
    for _ in 0..readers {
        let path = format!("/v1/feed?matter={matter}");
        following.spawn(follow(connect(&service, &operator, &path).await?, told.clone()));
    }
    let elsewhere = writers.cost(&service, acts, None).await?;
    following.shutdown().await;
    service.end()?;

    let each = |with: Duration, without: Duration, acts: usize| {
        let micros = with.saturating_sub(without).as_secs_f64() * 1e6 / (readers * acts) as f64;
        (micros * 100.0).round() / 100.0
    };
    Ok(json!({
        "readers": readers,
        "acts": acts,
        "cpu_us_per_reader_and_act": each(together, alone, acts),
        "cpu_us_per_reader_and_act_50_ms_apart": each(apart, alone_apart, acts / 5),
        "cpu_us_per_bare_send_50_ms_apart": send,
        "cpu_us_per_reader_and_act_of_another_matter": each(elsewhere, alone, acts),
        "descriptors_per_reader": (more_files as f64 * 100.0 / readers as f64).round() / 100.0,
        "kilobytes_per_reader": (more_memory as f64 / readers as f64 / 102.4).round() / 10.0,
    }))
}

/// The cost of acts that all readers are told, until the last of them was told the last.
async fn cost_with(
    writers: &mut Writers,
    service: &LoadServer,
    acts: usize,
    apart: Option<Duration>,
    told: &ToldReaders,
    readers: usize,
) -> Result<Duration> {
    let (before, begun) = (service.cpu(), told.messages.load(Ordering::Relaxed));
    writers.write(acts, apart).await?;
    let asked = Instant::now();
    while told.messages.load(Ordering::Relaxed) < begun + readers * acts {
        if asked.elapsed() > PATIENCE {
            return Err(failed("readers did not get everything within a minute"));
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    Ok(service.cpu().saturating_sub(before))
}

/// What all readers together were told.
#[derive(Debug, Default)]
struct ToldReaders {
    messages: AtomicUsize,
    bytes: AtomicUsize,
}

impl ToldReaders {
    /// How long a message was on average.
    fn bytes_each(&self) -> usize {
        self.bytes.load(Ordering::Relaxed) / self.messages.load(Ordering::Relaxed).max(1)
    }
}

/// What the system itself takes to send as many bytes to as many sockets, one `write` each, as long apart: µs of CPU for each.
/// Nobody who tells readers of an act by itself can do it in less.
async fn bare_sends(readers: usize, acts: usize, bytes: usize) -> Result<f64> {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").map_err(failed)?;
    let address = listener.local_addr().map_err(failed)?;
    let (told, mut following) = (Arc::new(ToldReaders::default()), JoinSet::new());
    let mut sockets = Vec::new();
    for _ in 0..readers {
        following.spawn(follow(TcpStream::connect(address).await.map_err(failed)?, told.clone()));
        sockets.push(listener.accept().map_err(failed)?.0);
    }
    // Those who are told share this runtime, so sending must not stop it.
    let sending = tokio::task::spawn_blocking(move || {
        let message = vec![b'x'; bytes];
        let before = thread_cpu();
        for _ in 0..acts {
            sockets.iter_mut().try_for_each(|socket| socket.write_all(&message))?;
            std::thread::sleep(APART);
        }
        Ok::<_, std::io::Error>(thread_cpu().saturating_sub(before))
    });
    let micros =
        sending.await.map_err(failed)?.map_err(failed)?.as_secs_f64() * 1e6 / (readers * acts) as f64;
    following.shutdown().await;
    Ok((micros * 100.0).round() / 100.0)
}

/// Clients that write at once.
struct Writers(Vec<FeedWriter>);

struct FeedWriter {
    client: BenchClient,
    name: usize,
    written: usize,
}

impl Writers {
    async fn connect(service: &LoadServer, token: &str) -> Result<Self> {
        let mut writers = Vec::new();
        for name in 0..WRITERS {
            writers.push(FeedWriter {
                client: BenchClient::connect(service.address, token).await?,
                name,
                written: 0,
            });
        }
        Ok(Self(writers))
    }

    async fn open(&mut self) -> Result<String> {
        let body = json!({ "question": "Quiet?", "charter": "ring-quick", "seats": ["ann", "bob"] });
        let first = &mut self.0[0];
        first.post("/v1/matters", &body).await?;
        let done: Value = serde_json::from_slice(first.client.body()).map_err(failed)?;
        done["matter"].as_str().map(String::from).ok_or_else(|| failed("no matter was opened"))
    }

    /// Writes so many acts, each of which every operator is told in one message: by all writers at once, or by one of
    /// them so long apart.
    async fn write(&mut self, acts: usize, apart: Option<Duration>) -> Result<()> {
        if let (Some(apart), [first, ..]) = (apart, self.0.as_mut_slice()) {
            for _ in 0..acts {
                first.note().await?;
                tokio::time::sleep(apart).await;
            }
            return Ok(());
        }
        let shares = self.0.iter_mut().enumerate();
        let all = shares.map(|(place, writer)| write_all(writer, (place..acts).step_by(WRITERS).count()));
        futures_util::future::try_join_all(all).await.map(drop)
    }

    async fn cost(&mut self, service: &LoadServer, acts: usize, apart: Option<Duration>) -> Result<Duration> {
        let before = service.cpu();
        self.write(acts, apart).await?;
        Ok(service.cpu().saturating_sub(before))
    }
}

async fn write_all(writer: &mut FeedWriter, acts: usize) -> Result<()> {
    for _ in 0..acts {
        writer.note().await?;
    }
    Ok(())
}

impl FeedWriter {
    async fn note(&mut self) -> Result<()> {
        let text =
            format!("step {}: the index is built and the first pages are served from it", self.written);
        self.post("/v1/observations", &json!({ "agent": "bench", "kind": "progress", "text": text })).await
    }

    async fn post(&mut self, path: &str, body: &Value) -> Result<()> {
        self.written += 1;
        let key = format!("{}-{}", self.name, self.written);
        let (status, _) = self.client.post(path, &key, &body.to_string(), None).await?;
        match status {
            200 | 201 => Ok(()),
            other => {
                let said = String::from_utf8_lossy(self.client.body()).into_owned();
                Err(failed(format!("{path} was answered {other}: {said}")))
            }
        }
    }
}

/// A feed whose first words were read.
async fn connect(service: &LoadServer, token: &str, path: &str) -> Result<TcpStream> {
    let mut stream = TcpStream::connect(service.address).await.map_err(failed)?;
    let head = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\r\n");
    stream.write_all(head.as_bytes()).await.map_err(failed)?;
    let mut read = Vec::new();
    while !read.windows(7).any(|window| window == b"hello\n\n") {
        if stream.read_buf(&mut read).await.map_err(failed)? == 0 || read.starts_with(b"HTTP/1.1 503") {
            let message = "the service takes no more readers: raise the limit of open files (`ulimit -n`)";
            return Err(failed(message));
        }
    }
    Ok(stream)
}

/// Reads a feed and counts what it is told; every message ends with an empty line.
async fn follow(mut stream: TcpStream, told: Arc<ToldReaders>) {
    let mut buffer = vec![0; 16 << 10];
    let mut last = 0;
    while let Ok(size @ 1..) = stream.read(&mut buffer).await {
        let mut blocks = 0;
        for byte in &buffer[..size] {
            blocks += usize::from(*byte == b'\n' && last == b'\n');
            last = *byte;
        }
        told.messages.fetch_add(blocks, Ordering::Relaxed);
        told.bytes.fetch_add(size, Ordering::Relaxed);
    }
}

/// The figures for people.
pub(in crate::cli::bench) fn table(figures: &Value) -> String {
    let mut out = format!("{} readers of one feed, {} acts.\n\n", figures["readers"], figures["acts"]);
    for (key, words) in [
        ("cpu_us_per_reader_and_act", "CPU µs per reader and act, 8 clients write"),
        ("cpu_us_per_reader_and_act_50_ms_apart", "CPU µs per reader and act, acts 50 ms apart"),
        ("cpu_us_per_bare_send_50_ms_apart", "of it the system's own: CPU µs per bare send"),
        ("cpu_us_per_reader_and_act_of_another_matter", "CPU µs per reader and act of another matter"),
        ("descriptors_per_reader", "descriptors per reader"),
        ("kilobytes_per_reader", "kB of memory per reader"),
    ] {
        let _ = writeln!(out, "{words:<54} {:>8}", figures[key].to_string());
    }
    out
}
