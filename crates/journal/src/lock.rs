//! The writer's lock: one process writes to a house at a time.
//!
//! The lock itself is the kernel's, on the file `lock`, so it ends with the process however that ends. What
//! stands in the file is only a note of who took it, one line of JSON; it is believed while the lock is held
//! and never otherwise. The file is never removed: two processes could then hold two locks. Where somebody else
//! removes it, terms keep the first of the two from writing, see [`Term`].

use std::fmt;
use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};
use std::thread::sleep;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use synod_core::kernel::At;

use crate::{Error, Term, canon, file};

const FILE: &str = "lock";

/// Somebody who only asks who writes holds the lock for a moment, and a writer who has just taken it needs
/// a moment to write its note. A tenth of a second outlasts both.
const TRIES: usize = 10;
const PAUSE: Duration = Duration::from_millis(10);

/// Far more than any note.
const NOTE_MOST: u64 = 1 << 16;

/// The process that writes to a house.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LockHolder {
    /// Its process id; 0 where it left no note.
    pub pid: u32,
    /// The machine it runs on.
    pub host: String,
    /// What it was started as.
    pub command: String,
    /// Where it lets others write through it, such as `http://127.0.0.1:7717`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
    /// Since when it writes, Unix milliseconds.
    pub since: At,
    /// The term it has; none for the moment until it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub term: Option<Term>,
}

impl LockHolder {
    /// This process, from now on.
    pub fn this_process(command: &str) -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Self {
            pid: std::process::id(),
            host: host(),
            command: command.into(),
            service: None,
            since: At(u64::try_from(since.as_millis()).unwrap_or(u64::MAX)),
            term: None,
        }
    }

    /// The same, where others can write through it.
    pub fn serving(mut self, at: &str) -> Self {
        self.service = Some(at.into());
        self
    }

    /// The same, with its term.
    pub(crate) fn in_term(mut self, term: Term) -> Self {
        self.term = Some(term);
        self
    }

    pub(crate) fn unknown() -> Self {
        Self { pid: 0, host: String::new(), command: String::new(), service: None, since: At(0), term: None }
    }
}

impl fmt::Display for LockHolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let term = self.term.map(|term| format!(", term {term}")).unwrap_or_default();
        match self.pid {
            0 => write!(f, "another process (it left no note of itself{term})"),
            pid => {
                write!(f, "`{}` (pid {pid} on {}{term}) since {}", self.command, self.host, self.since)?;
                self.service.iter().try_for_each(|at| write!(f, ", serving at {at}"))
            }
        }
    }
}

/// Who writes to the house in `dir` now, if anybody does; none as well where that cannot be told. Taking a
/// look never stops a writer from starting.
pub fn holder(dir: &Path) -> Option<LockHolder> {
    let mut file = file::open_own(&dir.join(FILE)).ok()?;
    for _ in 0..TRIES {
        match file.try_lock_shared() {
            // Closing the file gives the shared lock back.
            Ok(()) | Err(TryLockError::Error(_)) => return None,
            Err(TryLockError::WouldBlock) => {}
        }
        if let Some(holder) = note(&mut file) {
            return Some(holder);
        }
        sleep(PAUSE);
    }
    Some(LockHolder::unknown())
}

/// The lock, held until dropped.
#[derive(Debug)]
pub(crate) struct Lock {
    file: File,
    path: PathBuf,
    /// Who held it before and died: a holder that ends takes its note away.
    left_by: Option<LockHolder>,
}

impl Lock {
    pub(crate) fn take(dir: &Path, who: &LockHolder) -> Result<Self, Error> {
        let path = dir.join(FILE);
        let mut file =
            file::open_to_write(&path).map_err(|error| Error::io("open the lock", &path, &error))?;
        let mut by = None;
        for attempt in 0..TRIES {
            match file.try_lock() {
                Ok(()) => {
                    let left_by = note(&mut file);
                    let mut lock = Self { file, path, left_by };
                    lock.note(who)?;
                    return Ok(lock);
                }
                Err(TryLockError::WouldBlock) => by = note(&mut file),
                Err(TryLockError::Error(error)) => return Err(Error::io("take the lock", &path, &error)),
            }
            if attempt + 1 < TRIES {
                sleep(PAUSE);
            }
        }
        Err(Error::Held { by: by.unwrap_or_else(LockHolder::unknown), dir: dir.into() })
    }

    pub(crate) fn left_by(&self) -> Option<&LockHolder> {
        self.left_by.as_ref()
    }

    /// Notes who holds it, in the place of what was noted before.
    pub(crate) fn note(&mut self, who: &LockHolder) -> Result<(), Error> {
        write_note(&mut self.file, who).map_err(|error| Error::io("write the lock", &self.path, &error))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // The note goes before the lock does. If that fails nothing is lost: nobody believes a stale note.
        let _ = self.file.set_len(0);
    }
}

fn write_note(file: &mut File, who: &LockHolder) -> io::Result<()> {
    let line = canon::to_string(who).map_err(io::Error::other)? + "\n";
    file.set_len(0)?;
    file.rewind()?;
    file.write_all(line.as_bytes())
}

fn note(file: &mut File) -> Option<LockHolder> {
    let mut line = String::new();
    file.rewind().ok()?;
    file.take(NOTE_MOST).read_to_string(&mut line).ok()?;
    serde_json::from_str(&line).ok()
}

/// The name of this machine, as far as it can be had without asking the system for more than a file.
fn host() -> String {
    fs::read_to_string("/proc/sys/kernel/hostname")
        .or_else(|_| fs::read_to_string("/etc/hostname"))
        .ok()
        .or_else(|| std::env::var("HOSTNAME").or_else(|_| std::env::var("COMPUTERNAME")).ok())
        .map(|name| name.trim().to_string())
        .filter(|name| !name.is_empty())
        .unwrap_or_else(|| "an unnamed host".into())
}
