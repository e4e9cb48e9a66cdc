//! Programs that Synod starts: what they are given, and that they end with it.
//!
//! A program is run by `sh -c` in a group of its own. When its [`StartedProgram`] is dropped, it dies with everything it
//! started. Where there is a [`Guard`], it also dies with this process, however that ends.
//!
//! Nothing here reads what a program says, or knows what it is for. Seats and recognisers do.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};

/// How much of an error stream is kept, to find its last line.
const TAIL_BYTES: usize = 4096;

/// The variables that every program gets: where programs are, whose home it is, and in which language and zone.
pub const COMMON: [&str; 9] =
    ["PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR"];

/// Where programs are looked for if the environment does not say.
const USUAL_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// The environment of a program that is given [`COMMON`] and the variables of these names, as `get` knows them.
pub fn environment(get: impl Fn(&str) -> Option<String>, named: &[String]) -> Vec<(String, String)> {
    let names = COMMON.into_iter().chain(named.iter().map(String::as_str));
    let mut pairs: Vec<(String, String)> =
        names.filter_map(|name| Some((name.to_string(), get(name)?))).collect();
    if !pairs.iter().any(|(name, _)| name == "PATH") {
        pairs.push(("PATH".into(), USUAL_PATH.into()));
    }
    pairs
}

/// A program that runs another and ends it, with everything it started, when it is told to (`SIGTERM`) or when the process
/// that started it is gone. It is called with the arguments, this process's id and the command of the shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guard {
    /// The program.
    pub program: PathBuf,
    /// What comes first among its arguments.
    pub arguments: Vec<OsString>,
}

/// A program that was started. Dropping it ends it.
#[derive(Debug)]
pub struct StartedProgram {
    child: Child,
    id: Option<Pid>,
    guarded: bool,
}

impl StartedProgram {
    /// Runs a command of the shell with this environment and no other.
    pub fn start(
        command: &str,
        environment: &[(String, String)],
        guard: Option<&Guard>,
    ) -> std::io::Result<Self> {
        let mut started = match guard {
            Some(guard) => {
                let mut started = std::process::Command::new(&guard.program);
                started.args(&guard.arguments).arg(std::process::id().to_string());
                started
            }
            None => {
                let mut started = std::process::Command::new("sh");
                started.arg("-c");
                started
            }
        };
        started.arg(command);
        started.env_clear().envs(environment.iter().map(|(name, value)| (name, value)));
        started.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        std::os::unix::process::CommandExt::process_group(&mut started, 0);
        // A guard that is killed cannot end anything: it is told to end instead.
        let child = Command::from(started).kill_on_drop(guard.is_none()).spawn()?;
        let id = child.id().and_then(|id| Pid::from_raw(i32::try_from(id).ok()?));
        Ok(Self { child, id, guarded: guard.is_some() })
    }

    /// Where it reads, where it writes, and where it complains; each once.
    pub fn streams(&mut self) -> (Option<ChildStdin>, Option<ChildStdout>, Option<ChildStderr>) {
        (self.child.stdin.take(), self.child.stdout.take(), self.child.stderr.take())
    }

    /// Waits for its end.
    pub async fn wait(&mut self) -> std::io::Result<ExitStatus> {
        let status = self.child.wait().await?;
        self.id = None;
        Ok(status)
    }
}

impl Drop for StartedProgram {
    fn drop(&mut self) {
        let Some(id) = self.id else { return };
        // One that has ended meanwhile needs no end.
        let _ = match self.guarded {
            true => kill_process(id, Signal::TERM),
            false => kill_process_group(id, Signal::KILL),
        };
    }
}

/// Reads a stream to its end and keeps the last bytes.
pub async fn tail(from: Option<impl AsyncRead + Unpin>) -> Vec<u8> {
    let Some(mut from) = from else { return Vec::new() };
    let (mut kept, mut piece) = (Vec::new(), vec![0; TAIL_BYTES]);
    while let Ok(read @ 1..) = from.read(&mut piece).await {
        kept.extend_from_slice(&piece[..read]);
        kept.drain(..kept.len().saturating_sub(TAIL_BYTES));
    }
    kept
}

/// The last line of an error stream that says anything.
pub fn last_line(stderr: &[u8]) -> Option<String> {
    let stderr = String::from_utf8_lossy(stderr);
    stderr.lines().rev().map(str::trim).find(|line| !line.is_empty()).map(str::to_string)
}
