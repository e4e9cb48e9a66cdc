//! The guard of a program that answers for a seat: this binary again, between Synod and the program.
//!
//! A program must not outlive Synod, not even one that was killed with `kill -9` and could tell nobody. So the guard waits
//! for three things: that the program ends, that Synod tells it to end (`SIGTERM`), and that Synod is gone. In each case it
//! ends everything the program has started, also what has left its process group: orphans of the program come to the guard
//! (it is their subreaper). Should the guard itself be killed, the kernel ends the program's shell with it: a second copy of
//! this binary asks for that signal and then becomes the shell.
//!
//! What it cannot end: programs with other rights than its own. Outside of Linux there are neither subreapers nor that signal:
//! there the process group ends, and Synod's end is noticed within a quarter of a second.

use std::ffi::OsString;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::PathBuf;
use std::process::{Command, ExitCode, ExitStatus};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions, getpid, getppid, kill_process, kill_process_group, wait};
use synod_minds::Guard;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;

/// The first argument that makes this binary a guard, and the one that makes it a shell that dies with its guard. No command
/// of the command line can be written so.
const GUARD: &str = "\u{1}guard";
const GUARDED: &str = "\u{1}guarded";

/// By custom: the shell cannot be run.
const NOT_RUN: u8 = 126;
/// How long the guard goes on ending what does not end.
const PATIENCE: Duration = Duration::from_secs(5);

/// The guard of this binary's programs.
pub(crate) fn guard() -> Guard {
    // Also there if the file was replaced or removed meanwhile.
    let own = PathBuf::from("/proc/self/exe");
    let program = if own.exists() { own } else { std::env::current_exe().unwrap_or_else(|_| "synod".into()) };
    Guard { program, arguments: vec![GUARD.into()] }
}

/// Does the work of a guard if this process was started for it.
pub(crate) fn run() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    let role = arguments.next()?;
    let is_guard = role == GUARD;
    if !is_guard && role != GUARDED {
        return None;
    }
    let parent = arguments.next().and_then(|id| Pid::from_raw(id.to_str()?.parse().ok()?));
    Some(match (parent, arguments.next()) {
        (Some(parent), Some(command)) if is_guard => watch(parent, &command),
        (Some(parent), Some(command)) => become_shell(parent, &command),
        _ => ExitCode::from(NOT_RUN),
    })
}

/// Becomes the shell, with a signal to die by when the guard is gone.
fn become_shell(guard: Pid, command: &OsString) -> ExitCode {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    if getppid() == Some(guard) {
        let error = Command::new("sh").arg("-c").arg(command).exec();
        crate::out::error(&format!("sh cannot be run: {error}"));
    }
    ExitCode::from(NOT_RUN)
}

/// Runs the command, and ends with everything it started.
fn watch(synod: Pid, command: &OsString) -> ExitCode {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(getpid()));
    let runtime = match tokio::runtime::Builder::new_current_thread().enable_io().build() {
        Ok(runtime) => runtime,
        Err(_) => return ExitCode::from(NOT_RUN),
    };
    let ended = runtime.block_on(async {
        // Before anything is started: from here on nothing but KILL ends the guard without its work being done.
        let (mut told, mut stopped, mut hung_up) = (
            signal(SignalKind::terminate()).ok()?,
            signal(SignalKind::interrupt()).ok()?,
            signal(SignalKind::hangup()).ok()?,
        );
        let gone = gone(synod)?;
        let (group, ended) = start(command)?;
        let status = tokio::select! {
            status = ended => status.ok(),
            _ = gone => None,
            _ = told.recv() => None,
            _ = stopped.recv() => None,
            _ = hung_up.recv() => None,
        };
        end_all(group);
        status
    });
    match ended {
        Some(status) => as_it_ended(status),
        None => ExitCode::from(NOT_RUN),
    }
}

/// Starts the command in a process group of its own; tells when it has ended.
fn start(command: &OsString) -> Option<(Pid, oneshot::Receiver<ExitStatus>)> {
    let mut shell = Command::new(guard().program);
    shell.arg(GUARDED).arg(getpid().as_raw_nonzero().to_string()).arg(command).process_group(0);
    let mut child = match shell.spawn() {
        Ok(child) => child,
        Err(error) => {
            crate::out::error(&format!("the program's shell cannot be started: {error}"));
            return None;
        }
    };
    let group = Pid::from_raw(i32::try_from(child.id()).ok()?)?;
    let (tell, ended) = oneshot::channel();
    std::thread::spawn(move || {
        if let Ok(status) = child.wait() {
            let _ = tell.send(status);
        }
    });
    Some((group, ended))
}

/// Tells when the process that started this one is gone; nothing if it is gone already.
fn gone(synod: Pid) -> Option<oneshot::Receiver<()>> {
    let (tell, gone) = oneshot::channel();
    let wait_for = end_of(synod);
    // Looked at after its number was bound to it: a number may be given to another process.
    if getppid() != Some(synod) {
        return None;
    }
    std::thread::spawn(move || {
        wait_for();
        while getppid() == Some(synod) {
            std::thread::sleep(Duration::from_millis(250));
        }
        let _ = tell.send(());
    });
    Some(gone)
}

/// What waits for the end of a process; returns at once where the system has no such thing.
#[cfg(target_os = "linux")]
fn end_of(process: Pid) -> impl FnOnce() + Send {
    use rustix::event::{PollFd, PollFlags, poll};
    let watched = rustix::process::pidfd_open(process, rustix::process::PidfdFlags::empty());
    move || {
        if let Ok(watched) = watched {
            // A process that has ended can be read.
            while poll(&mut [PollFd::new(&watched, PollFlags::IN)], None) == Err(rustix::io::Errno::INTR) {}
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn end_of(_process: Pid) -> impl FnOnce() + Send {
    || ()
}

/// Ends the group, and everybody who has come to this process as an orphan.
fn end_all(group: Pid) {
    let _ = kill_process_group(group, Signal::KILL);
    let started = Instant::now();
    // Nobody left is an error: there is no child to wait for.
    while let Ok(ended) = wait(WaitOptions::NOHANG) {
        if ended.is_some() {
            continue;
        }
        for child in children() {
            let _ = kill_process(child, Signal::KILL);
        }
        if started.elapsed() > PATIENCE {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// The children of this process.
fn children() -> Vec<Pid> {
    let own = getpid().as_raw_nonzero().to_string();
    let mut found = Vec::new();
    for entry in std::fs::read_dir("/proc").into_iter().flatten().flatten() {
        let Some(id) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else { continue };
        // `4711 (any name) S 4710 …`: the name may hold anything, so what follows its last bracket counts.
        let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        let after = stat.rsplit_once(')').map(|(_, after)| after).unwrap_or_default();
        if after.split_whitespace().nth(1) == Some(own.as_str()) {
            found.extend(Pid::from_raw(id));
        }
    }
    found
}

/// Ends as the program did, so that Synod reads it from the guard.
fn as_it_ended(status: ExitStatus) -> ExitCode {
    if let Some(signal) = status.signal().and_then(Signal::from_named_raw) {
        let none = rustix::process::Rlimit { current: Some(0), maximum: Some(0) };
        let _ = rustix::process::setrlimit(rustix::process::Resource::Core, none); // the program's own is enough
        let _ = kill_process(getpid(), signal);
    }
    ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(NOT_RUN))
}
