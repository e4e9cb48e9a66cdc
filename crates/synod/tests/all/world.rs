//! The binary as a user has it: a directory of their own, a clean environment, a bounded time.

use std::cell::Cell;
use std::ffi::OsStr;
use std::fmt;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OpenFlags};
use serde_json::Value;
use tempfile::TempDir;

/// No command of these tests needs nearly as long, not even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Nothing listens here, and no server of a test can come to listen here: the port is the system's own.
pub(crate) const NOBODY: &str = "127.0.0.1:1";

/// A working directory with a house in it, and the environment commands are run with. A test that leaves a
/// journal behind ends with [`crate::houses::finish`], or says with [`Place::spoil`] that it broke it.
pub(crate) struct Place {
    dir: TempDir,
    /// The user's own state, beside the working directory and never in it.
    state: TempDir,
    /// Whether everything the house names is trusted, as most tests have it.
    trusts: bool,
    env: Vec<(String, String)>,
    checked: Cell<bool>,
}

impl Place {
    pub(crate) fn new() -> Self {
        let dir = tempfile::tempdir().expect("a directory for the test");
        let state = tempfile::tempdir().expect("a directory for the user's state");
        Self { dir, state, trusts: true, env: Vec::new(), checked: Cell::new(false) }
    }

    /// A new place that holds a copy of this one's house, as it lies on the disk.
    pub(crate) fn copy(&self) -> Self {
        let copy = Self::new();
        copy_dir(&self.house(), &copy.house());
        // The same user: it knows the houses it has made.
        let known = "synod/known-houses";
        if self.state().join(known).is_file() {
            std::fs::create_dir_all(copy.state().join("synod")).expect("a directory");
            std::fs::copy(self.state().join(known), copy.state().join(known)).expect("a copy");
        }
        copy
    }

    /// As a user has it who trusts nothing yet.
    pub(crate) fn wary(mut self) -> Self {
        self.trusts = false;
        self
    }

    /// The user's own state.
    pub(crate) fn state(&self) -> &Path {
        self.state.path()
    }

    /// Sets a variable of the environment.
    pub(crate) fn with(mut self, name: &str, value: &str) -> Self {
        self.env.push((name.into(), value.into()));
        self
    }

    pub(crate) fn dir(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn house(&self) -> PathBuf {
        self.dir().join(".synod")
    }

    pub(crate) fn journal(&self) -> PathBuf {
        self.house().join("journal.db")
    }

    /// Writes a file below the working directory.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.dir().join(name);
        std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
        std::fs::write(&path, bytes).expect("a file");
        path
    }

    /// The journal was broken on purpose, or never was one.
    pub(crate) fn spoil(self) {
        self.checked.set(true);
    }

    pub(crate) fn checked(&self) {
        self.checked.set(true);
    }

    /// A command of synod, ready to start.
    pub(crate) fn command<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Command {
        let mut command = self.bare(env!("CARGO_BIN_EXE_synod"));
        command.args(args);
        command
    }

    /// Any program in this place.
    pub(crate) fn bare(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env_clear().current_dir(self.dir());
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.dir()).env("OLLAMA_HOST", NOBODY).env("XDG_STATE_HOME", self.state());
        command.env("SYNOD_RETRY_WAIT_MS", "20").env("SYNOD_WRITE_PATIENCE", "1");
        if self.trusts {
            command.env("SYNOD_TRUST", "1");
        }
        command.envs(self.env.iter().map(|(name, value)| (name, value)));
        command.stdin(Stdio::null());
        command
    }

    /// Runs synod to its end.
    #[track_caller]
    pub(crate) fn run<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Run {
        Started::of(self.command(args), b"").wait()
    }

    /// Runs synod with something on its standard input.
    #[track_caller]
    pub(crate) fn feed<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>, input: &[u8]) -> Run {
        let mut command = self.command(args);
        // An end of input is an input as well.
        command.stdin(if input.is_empty() { Stdio::null() } else { Stdio::piped() });
        Started::of(command, input).wait()
    }

    /// Starts synod and lets it run.
    pub(crate) fn start<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Started {
        Started::of(self.command(args), b"")
    }

    /// Runs synod with `--json` and reads what it prints, whatever its exit code.
    #[track_caller]
    pub(crate) fn json<A: AsRef<OsStr>>(&self, args: impl IntoIterator<Item = A>) -> Value {
        let mut command = self.command(args);
        command.arg("--json");
        Started::of(command, b"").wait().json()
    }

    /// Everything `matter show --json` tells of the last matter.
    #[track_caller]
    pub(crate) fn report(&self) -> Value {
        self.json(["show"])
    }

    /// The rows of the journal, past synod: number, hash, body.
    pub(crate) fn rows(&self) -> Vec<(i64, Vec<u8>, String)> {
        let Ok(journal) = Connection::open_with_flags(self.journal(), OpenFlags::SQLITE_OPEN_READ_ONLY)
        else {
            return Vec::new();
        };
        // A journal whose founding did not reach the disk has no table yet.
        let Ok(mut rows) = journal.prepare("SELECT seq, hash, body FROM acts ORDER BY seq") else {
            return Vec::new();
        };
        let rows = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
        rows.and_then(Iterator::collect).expect("rows of the journal")
    }

    /// The acts of the journal, past synod.
    pub(crate) fn acts(&self) -> Vec<Value> {
        self.rows().iter().map(|(_, _, body)| serde_json::from_str(body).expect("an act")).collect()
    }

    /// Fails if any file below the working directory holds these bytes.
    #[track_caller]
    pub(crate) fn holds_nowhere(&self, secret: &str) {
        for path in files(self.dir()) {
            let bytes = std::fs::read(&path).expect("a file");
            let found = bytes.windows(secret.len()).any(|window| window == secret.as_bytes());
            assert!(!found, "{} holds {secret}", path.display());
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let forgotten = !self.checked.get() && self.journal().exists() && !std::thread::panicking();
        assert!(!forgotten, "a test that leaves a journal ends with `finish`, or `spoil` if it broke it");
    }
}

pub(crate) fn copy_dir(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a directory");
    for entry in std::fs::read_dir(from).expect("a directory").flatten() {
        let target = to.join(entry.file_name());
        let kind = entry.file_type().expect("a kind");
        match (kind.is_dir(), kind.is_file()) {
            (true, _) => copy_dir(&entry.path(), &target),
            (false, true) => drop(std::fs::copy(entry.path(), target).expect("a copy")),
            // The socket of a process that was killed.
            (false, false) => (),
        }
    }
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(dir).expect("a directory").flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// A program under way. Dropping it ends it.
pub(crate) struct Started {
    shown: String,
    child: Child,
    out: Collected,
    err: Collected,
    begun: Instant,
}

impl Started {
    pub(crate) fn of(mut command: Command, input: &[u8]) -> Self {
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let args: Vec<_> = command.get_args().map(|arg| arg.to_string_lossy().into_owned()).collect();
        let mut shown = args.join(" ");
        shown.truncate(shown.floor_char_boundary(400));
        let mut child = command.spawn().expect("a process");
        let (out, err) = (Collected::of(child.stdout.take()), Collected::of(child.stderr.take()));
        if !input.is_empty() {
            // Who does not read all of it is within their rights.
            let _ = child.stdin.take().expect("a pipe").write_all(input);
        }
        Self { shown, child, out, err, begun: Instant::now() }
    }

    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// `kill -9`.
    pub(crate) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    pub(crate) fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.pid().to_string()]).status();
        assert!(sent.is_ok_and(|status| status.success()), "no signal was sent");
    }

    /// Types a line, where the input is a pipe.
    pub(crate) fn type_line(&mut self, line: &str) {
        self.type_keys(&format!("{line}\n"));
    }

    /// Types these keys and nothing after them, where the input is a pipe.
    pub(crate) fn type_keys(&mut self, keys: &str) {
        let input = self.child.stdin.as_mut().expect("a pipe");
        input.write_all(keys.as_bytes()).expect("somebody who reads");
    }

    /// Ends the input, where that is a pipe.
    pub(crate) fn close(&mut self) {
        self.child.stdin.take();
    }

    /// Waits until it has printed these words beyond the first `after` bytes; gives the place behind them.
    #[track_caller]
    pub(crate) fn until(&self, words: &str, after: usize) -> usize {
        self.out.until(words, after)
    }

    /// Waits until it has told these words on stderr.
    #[track_caller]
    pub(crate) fn until_told(&self, words: &str) {
        self.err.until(words, 0);
    }

    /// What it has printed so far.
    pub(crate) fn printed(&self) -> String {
        String::from_utf8_lossy(&self.out.bytes.0.lock().expect("no panic")).into_owned()
    }

    /// What it has told on stderr so far.
    pub(crate) fn said(&self) -> String {
        String::from_utf8_lossy(&self.err.bytes.0.lock().expect("no panic")).into_owned()
    }

    pub(crate) fn is_over(&mut self) -> bool {
        self.child.try_wait().expect("a child").is_some()
    }

    /// Waits for its end.
    #[track_caller]
    pub(crate) fn wait(mut self) -> Run {
        let status = loop {
            match self.child.try_wait().expect("a child") {
                Some(status) => break status,
                None if self.begun.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(2)),
                None => {
                    self.kill();
                    panic!("`{}` did not end within {PATIENCE:?}", self.shown);
                }
            }
        };
        let (out, err) = (self.out.text(), self.err.text());
        let run = Run { shown: self.shown.clone(), code: code(status), out, err };
        for sign in ["panicked at", "stack backtrace", "RUST_BACKTRACE"] {
            assert!(!run.err.contains(sign), "a panic\n{run}");
        }
        run
    }
}

impl Drop for Started {
    fn drop(&mut self) {
        self.kill();
    }
}

/// The exit code, or minus the signal that ended it.
fn code(status: ExitStatus) -> i32 {
    use std::os::unix::process::ExitStatusExt as _;
    status.code().unwrap_or_else(|| -status.signal().unwrap_or(0))
}

/// What a stream has brought so far.
struct Collected {
    bytes: Arc<(Mutex<Vec<u8>>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

impl Collected {
    fn of(stream: Option<impl Read + Send + 'static>) -> Self {
        let bytes: Arc<(Mutex<Vec<u8>>, Condvar)> = Arc::default();
        let kept = bytes.clone();
        let thread = stream.map(|mut stream| {
            std::thread::spawn(move || {
                let mut piece = [0; 4096];
                while let Ok(read @ 1..) = stream.read(&mut piece) {
                    kept.0.lock().expect("no panic").extend_from_slice(&piece[..read]);
                    kept.1.notify_all();
                }
            })
        });
        Self { bytes, thread }
    }

    #[track_caller]
    fn until(&self, words: &str, after: usize) -> usize {
        let place = |bytes: &[u8]| {
            let rest = bytes.get(after..)?;
            let at = rest.windows(words.len()).position(|window| window == words.as_bytes())?;
            Some(after + at + words.len())
        };
        let bytes = self.bytes.0.lock().expect("no panic");
        let waited = self.bytes.1.wait_timeout_while(bytes, PATIENCE, |bytes| place(bytes).is_none());
        let (bytes, _) = waited.expect("no panic");
        let found = place(&bytes);
        found.unwrap_or_else(|| {
            panic!("`{words}` was never printed, but:\n{}", String::from_utf8_lossy(&bytes))
        })
    }

    fn text(&mut self) -> String {
        if let Some(thread) = self.thread.take() {
            thread.join().expect("a reader");
        }
        String::from_utf8_lossy(&self.bytes.0.lock().expect("no panic")).into_owned()
    }
}

/// A command that has ended.
pub(crate) struct Run {
    shown: String,
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { shown, code, out, err } = self;
        write!(f, "$ synod {shown}\n--- stdout\n{out}\n--- stderr\n{err}\n--- exit code {code}")
    }
}

impl Run {
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "another exit code than expected\n{self}");
        self
    }

    /// Fails unless stdout holds these words.
    #[track_caller]
    pub(crate) fn prints(self, words: &str) -> Self {
        assert!(self.out.contains(words), "stdout lacks `{words}`\n{self}");
        self
    }

    /// Fails unless stderr holds these words.
    #[track_caller]
    pub(crate) fn tells(self, words: &str) -> Self {
        assert!(self.err.contains(words), "stderr lacks `{words}`\n{self}");
        self
    }

    /// Fails if either stream holds these words.
    #[track_caller]
    pub(crate) fn hides(self, words: &str) -> Self {
        assert!(!self.out.contains(words) && !self.err.contains(words), "`{words}` is shown\n{self}");
        self
    }

    /// Without what was announced before the fault, for faults that only writing finds.
    pub(crate) fn after_plan(mut self) -> Self {
        let lines = self.err.split_inclusive('\n');
        self.err = lines.skip_while(|line| !line.starts_with("synod: ")).collect();
        self
    }

    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("stdout is no JSON: {error}\n{self}"))
    }
}

/// The texts of a field in every element of a list.
pub(crate) fn each<'a>(list: &'a Value, field: &str) -> Vec<&'a str> {
    let rows = list.as_array().map(Vec::as_slice).unwrap_or_default();
    rows.iter().filter_map(|row| row[field].as_str()).collect()
}
