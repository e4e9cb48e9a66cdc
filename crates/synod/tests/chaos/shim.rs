//! Runs the binary with `shim.c` in front of its C library.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::world::{Place, Run, Started};

/// The compiled shim, built once for this run.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/chaos/shim.c");
        let library =
            Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("chaos-shim-{}.so", std::process::id()));
        let built = Command::new("cc")
            .args(["-std=gnu11", "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", "-o"])
            .arg(&library)
            .arg(source)
            .arg("-lpthread")
            .status()
            .expect("a C compiler `cc` (scripts/setup installs it)");
        assert!(built.success(), "the shim was not built");
        library
    })
}

/// A command of synod in a place, with a plan of faults, and where the shim keeps its log.
pub(crate) struct Shimmed {
    command: Command,
    log: PathBuf,
}

impl Shimmed {
    pub(crate) fn new(place: &Place, plan: &str, args: &[String]) -> Self {
        static RUNS: AtomicUsize = AtomicUsize::new(0);
        let nth = RUNS.fetch_add(1, Ordering::Relaxed);
        let log = place.state().join(format!("chaos-{nth}.log"));
        let mut command = place.command(args);
        let house = place.dir().canonicalize().expect("a folder").join(".synod");
        command.env("LD_PRELOAD", library()).env("SYNOD_CHAOS_HOUSE", house);
        command.env("SYNOD_CHAOS_PLAN", plan).env("SYNOD_CHAOS_LOG", &log);
        Self { command, log }
    }

    /// The wall clock of the process is ahead by the milliseconds in this file, at every look anew.
    pub(crate) fn with_clock(mut self, file: &Path) -> Self {
        self.command.env("SYNOD_CHAOS_CLOCK", file);
        self
    }

    /// Runs it to its end: what it said, and what the shim logged.
    pub(crate) fn run(self) -> (Run, Vec<u8>) {
        let run = Started::of(self.command, b"").wait();
        (run, std::fs::read(&self.log).unwrap_or_default())
    }

    /// Lets it run; the log is for later.
    pub(crate) fn start(self) -> (Started, PathBuf) {
        (Started::of(self.command, b""), self.log)
    }
}

/// A house in which a call was made, as letters of `shim.c`: those that may be torn.
pub(crate) fn writes(log: &[u8]) -> Vec<usize> {
    log.iter().enumerate().filter(|(_, letter)| **letter == b'W').map(|(nth, _)| nth + 1).collect()
}
