//! A program that answers: `exec:COMMAND`, run by `sh -c`, the brief on its standard input, the answer on
//! its standard output. That is how `claude -p` or a script of one's own takes a seat.
//!
//! The program gets the variables of the environment that its seat names, and the few of [`synod_programs::COMMON`]. It is not tried
//! again. When the ask is given up, the program dies with everything it started. Where there is a [`Guard`], it also dies
//! with this process, however that ends, and what it started ends when it does.

use std::path::Path;
use std::process::ExitStatus;
use std::sync::Arc;
use std::time::Duration;

use synod_core::brief::Brief;
use synod_core::kernel::{Cause, Usage, text};
use synod_programs::{Guard, StartedProgram, last_line, tail};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::ChildStdin;

use crate::cast::USUAL_OUTPUT;
use crate::keys::{Env, Scrubber};
use crate::limit::Limiter;
use crate::mind::{
    Answering, AskContext, CallEstimate, CallFailure, Face, Mind, MindKind, Pass, Reply, tokens_of,
};
use crate::settings::Provider;
use crate::spec::Program;

/// The longest answer, in bytes.
const MOST_BYTES: usize = 1024 * 1024;

/// The environment of a program that is given these variables.
pub(crate) fn environment(env: &Env, named: &[String]) -> Vec<(String, String)> {
    synod_programs::environment(|name| env.get(name), named)
}

/// A seat that a program answers.
#[derive(Debug)]
pub struct Exec {
    face: Face,
    command: String,
    environment: Vec<(String, String)>,
    guard: Option<Guard>,
    limiter: Arc<Limiter>,
    time_out: Duration,
    scrubber: Scrubber,
}

impl Exec {
    /// A program, with the settings of the table `exec`.
    pub fn new(program: &Program, settings: &Provider, limiter: Arc<Limiter>, scrubber: Scrubber) -> Self {
        let face = Face {
            kind: MindKind::CommandLine,
            spec: scrubber.scrub(&program.to_string()).into_owned(),
            model: None,
            provider: None,
            reaches: Some(format!("program {}", scrubber.scrub(&program.command))),
            price: None, // what it calls, and what that costs, is its own affair
            metered: true,
            output_most: settings.max_output_tokens.unwrap_or(USUAL_OUTPUT),
            window: None,
        };
        let time_out = Duration::from_millis(settings.time_out_ms);
        let command = program.command.clone();
        Self { face, command, environment: Vec::new(), guard: None, limiter, time_out, scrubber }
    }

    /// The same with this environment, and a guard if there is one.
    pub(crate) fn within(self, environment: Vec<(String, String)>, guard: Option<Guard>) -> Self {
        Self { environment, guard, ..self }
    }

    async fn run(&self, brief: &Brief, pass: &dyn Pass) -> Result<Reply, CallFailure> {
        let _turn = self.limiter.turn(0).await;
        let tokens_in = tokens_of(brief.len());
        let estimate = CallEstimate { tokens_in, tokens_out_most: self.face.output_most, cost_most: None };
        let _permit = pass.begin(estimate).await.map_err(CallFailure::unspent)?;
        let usage = Usage { calls: 1, ..Usage::default() };
        let fail = |cause| CallFailure { cause, usage, retries: Vec::new() };
        match tokio::time::timeout(self.time_out, self.converse(brief)).await {
            Ok(Ok(text)) => Ok(Reply { text, model: None, usage, retries: Vec::new() }),
            // Nothing ran, so nothing was called: a price that is unknown would be said of no call at all.
            Ok(Err(cause)) if cause.lasting && !self.is_there() => Err(CallFailure::unspent(cause)),
            Ok(Err(cause)) => Err(fail(cause)),
            Err(_) => {
                let detail = format!("the program did not end within {} ms", self.time_out.as_millis());
                Err(fail(Cause::passing("backend/time-out", detail)))
            }
        }
    }

    /// Whether the program of a plain command line exists. A line that the shell has to make out may run several, so it
    /// counts as one that exists.
    fn is_there(&self) -> bool {
        const SHELL: &[char] = &[
            ';', '|', '&', '<', '>', '(', ')', '$', '`', '\\', '"', '\'', '\n', '=', '*', '?', '[', '#', '~',
            '!', '{',
        ];
        let Some(name) = self.command.split_whitespace().next().filter(|_| !self.command.contains(SHELL))
        else {
            return true;
        };
        let mut path = self.environment.iter().filter(|(known, _)| known == "PATH").map(|(_, value)| value);
        match (name.contains('/'), path.next()) {
            (true, _) => Path::new(name).exists(),
            (false, Some(path)) => std::env::split_paths(path).any(|folder| folder.join(name).exists()),
            // Where the shell looks then is its own affair.
            (false, None) => true,
        }
    }

    async fn converse(&self, brief: &Brief) -> Result<String, Cause> {
        let failed = |what: String| Cause::passing("backend/exec-failed", what);
        let mut program = StartedProgram::start(&self.command, &self.environment, self.guard.as_ref())
            .map_err(|error| failed(format!("the shell does not start: {error}")))?;
        let (stdin, stdout, stderr) = program.streams();
        let complaint = async { Ok(tail(stderr).await) };
        let (_, out, complaint) = tokio::try_join!(feed(stdin, brief), collect(stdout), complaint)?;
        let status = program.wait().await.map_err(|error| failed(error.to_string()))?;
        let complaint = self.last_line(&complaint);
        if !status.success() {
            return Err(ended_badly(status, &complaint));
        }
        let out = self.scrubber.scrub(String::from_utf8_lossy(&out).trim()).into_owned();
        match out.is_empty() {
            true => {
                Err(Cause::passing("backend/bad-answer", format!("the program printed nothing{complaint}")))
            }
            false => Ok(out),
        }
    }

    /// `: the last line of the error stream`, or nothing.
    fn last_line(&self, stderr: &[u8]) -> String {
        last_line(stderr).map_or(String::new(), |line| {
            format!(": {}", text::excerpt(&text::one_line(&self.scrubber.scrub(&line)), 200))
        })
    }
}

impl Mind for Exec {
    fn ask<'a>(&'a self, _question: &'a AskContext, brief: &'a Brief, pass: &'a dyn Pass) -> Answering<'a> {
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
            "backend/exec-failed",
            format!("the program cannot be run (exit code {code}){complaint}"),
        ),
        Some(code) => Cause::passing(
            "backend/exec-failed",
            format!("the program ended with exit code {code}{complaint}"),
        ),
        None => {
            Cause::passing("backend/exec-failed", format!("the program was killed ({status}){complaint}"))
        }
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
        .map_err(|error| Cause::passing("backend/exec-failed", error.to_string()))?;
    if out.len() > MOST_BYTES {
        return Err(Cause::passing("backend/too-large", "the program printed more than 1 MiB"));
    }
    Ok(out)
}
