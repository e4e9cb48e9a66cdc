//! A program that answers: `exec:COMMAND`, run by `sh -c`, the brief on its standard input, the answer on
//! its standard output. That is how `claude -p` or a script of one's own takes a seat.
//!
//! The program inherits the environment, since it needs its own keys. It is not tried again. When the ask
//! is given up, the program dies with everything it started.

use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use synod_core::brief::Brief;
use synod_core::kernel::{Cause, Usage, text};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, Command};

use crate::cast::USUAL_OUTPUT;
use crate::keys::Scrubber;
use crate::limit::Limiter;
use crate::mind::{Answering, Estimate, Face, Failure, Kind, Mind, Pass, Question, Reply, tokens_of};
use crate::settings::Provider;

/// The longest answer, in bytes.
const MOST_BYTES: usize = 1024 * 1024;

/// How much of the error stream is kept, to find its last line.
const TAIL_BYTES: usize = 4096;

/// A seat that a program answers.
#[derive(Debug)]
pub struct Exec {
    face: Face,
    command: String,
    limiter: Arc<Limiter>,
    time_out: Duration,
    scrubber: Scrubber,
}

impl Exec {
    /// A program, with the settings of the table `exec`.
    pub fn new(command: &str, settings: &Provider, limiter: Arc<Limiter>, scrubber: Scrubber) -> Self {
        let face = Face {
            kind: Kind::CommandLine,
            spec: scrubber.scrub(&format!("exec:{command}")).into_owned(),
            model: None,
            provider: None,
            price: None, // what it calls, and what that costs, is its own affair
            metered: true,
            output_most: settings.max_output_tokens.unwrap_or(USUAL_OUTPUT),
            window: None,
        };
        let time_out = Duration::from_millis(settings.time_out_ms);
        Self { face, command: command.into(), limiter, time_out, scrubber }
    }

    async fn run(&self, brief: &Brief, pass: &dyn Pass) -> Result<Reply, Failure> {
        let _turn = self.limiter.turn(0).await;
        let tokens_in = tokens_of(brief.len());
        let estimate = Estimate { tokens_in, tokens_out_most: self.face.output_most, cost_most: None };
        let _permit = pass.begin(estimate).await.map_err(Failure::unspent)?;
        let usage = Usage { calls: 1, ..Usage::default() };
        let fail = |cause| Failure { cause, usage, retries: Vec::new() };
        match tokio::time::timeout(self.time_out, self.converse(brief)).await {
            Ok(Ok(text)) => Ok(Reply { text, model: None, usage, retries: Vec::new() }),
            Ok(Err(cause)) => Err(fail(cause)),
            Err(_) => {
                let detail = format!("the program did not end within {} ms", self.time_out.as_millis());
                Err(fail(Cause::passing("mind/time-out", detail)))
            }
        }
    }

    async fn converse(&self, brief: &Brief) -> Result<String, Cause> {
        let failed = |what: String| Cause::passing("mind/exec-failed", what);
        let mut child = self.spawn().map_err(|error| failed(format!("the shell does not start: {error}")))?;
        let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        // Declared after the child and so dropped before it, while its id still holds.
        let mut group = Group(child.id());
        let (_, out, complaint) = tokio::try_join!(feed(stdin, brief), collect(stdout), tail(stderr))?;
        let status = child.wait().await.map_err(|error| failed(error.to_string()))?;
        group.0 = None;
        let complaint = self.last_line(&complaint);
        if !status.success() {
            return Err(ended_badly(status, &complaint));
        }
        let out = self.scrubber.scrub(String::from_utf8_lossy(&out).trim()).into_owned();
        match out.is_empty() {
            true => Err(Cause::passing("mind/bad-answer", format!("the program printed nothing{complaint}"))),
            false => Ok(out),
        }
    }

    fn spawn(&self) -> std::io::Result<Child> {
        let mut command = std::process::Command::new("sh");
        command.arg("-c").arg(&self.command);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        Command::from(command).kill_on_drop(true).spawn()
    }

    /// `: the last line of the error stream`, or nothing.
    fn last_line(&self, stderr: &[u8]) -> String {
        let stderr = String::from_utf8_lossy(stderr);
        let line = stderr.lines().rev().map(str::trim).find(|line| !line.is_empty());
        line.map_or(String::new(), |line| {
            format!(": {}", text::excerpt(&text::one_line(&self.scrubber.scrub(line)), 200))
        })
    }
}

impl Mind for Exec {
    fn ask<'a>(&'a self, _question: &'a Question, brief: &'a Brief, pass: &'a dyn Pass) -> Answering<'a> {
        Box::pin(self.run(brief, pass))
    }

    fn face(&self) -> &Face {
        &self.face
    }
}

fn ended_badly(status: ExitStatus, complaint: &str) -> Cause {
    match status.code() {
        // By the shell's custom: found but not executable, and not found.
        Some(code @ (126 | 127)) => Cause::lasting(
            "mind/exec-failed",
            format!("the program cannot be run (exit code {code}){complaint}"),
        ),
        Some(code) => {
            Cause::passing("mind/exec-failed", format!("the program ended with exit code {code}{complaint}"))
        }
        None => Cause::passing("mind/exec-failed", format!("the program was killed ({status}){complaint}")),
    }
}

/// Writes the brief. A program that does not read it all is within its rights.
async fn feed(stdin: Option<ChildStdin>, brief: &Brief) -> Result<(), Cause> {
    let Some(mut stdin) = stdin else { return Ok(()) };
    for layer in [brief.stable.text(), brief.shared.text(), &brief.own] {
        if stdin.write_all(layer.as_bytes()).await.is_err() {
            break;
        }
    }
    let _ = stdin.shutdown().await;
    Ok(())
}

/// Reads the whole answer, if it is not too large.
async fn collect(from: Option<impl AsyncRead + Unpin>) -> Result<Vec<u8>, Cause> {
    let Some(from) = from else { return Ok(Vec::new()) };
    let mut out = Vec::new();
    let most = MOST_BYTES as u64 + 1;
    from.take(most)
        .read_to_end(&mut out)
        .await
        .map_err(|error| Cause::passing("mind/exec-failed", error.to_string()))?;
    if out.len() > MOST_BYTES {
        return Err(Cause::passing("mind/too-large", "the program printed more than 1 MiB"));
    }
    Ok(out)
}

/// Reads to the end and keeps the last bytes.
async fn tail(from: Option<impl AsyncRead + Unpin>) -> Result<Vec<u8>, Cause> {
    let Some(mut from) = from else { return Ok(Vec::new()) };
    let (mut kept, mut piece) = (Vec::new(), vec![0; TAIL_BYTES]);
    while let Ok(read @ 1..) = from.read(&mut piece).await {
        kept.extend_from_slice(&piece[..read]);
        kept.drain(..kept.len().saturating_sub(TAIL_BYTES));
    }
    Ok(kept)
}

/// The process group of a program that has not ended. Dropping it kills the group.
struct Group(Option<u32>);

impl Drop for Group {
    fn drop(&mut self) {
        let Some(id) = self.0 else { return };
        // The shell's own `kill` reaches a group without unsafe code; it takes a millisecond or two.
        let mut command = std::process::Command::new("sh");
        command.arg("-c").arg(format!("kill -s KILL -- -{id}"));
        let _ = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
}
