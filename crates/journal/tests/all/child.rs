//! Other processes: this test binary started again, with a part to play.
//! To add a part: a name, an arm in `play`.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use synod_core::kernel::Seq;
use synod_journal::{Error, Journal as _, JournalReader as _, LockHolder, Sqlite, SqliteReader, holder};

use crate::sample::{records, verify, writer};

const PART: &str = "SYNOD_TEST_PART";
const HOUSE: &str = "SYNOD_TEST_HOUSE";

/// A child that has said its first line. Killed when dropped.
pub(crate) struct Actor {
    child: Child,
    pub(crate) said: String,
}

impl Actor {
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Kills without a chance to clean up.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("the child can be killed");
        self.child.wait().expect("the child ends");
    }
}

impl Drop for Actor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Starts a child, or gives what it said when it said nothing of use. `around` is put before the command.
pub(crate) fn start(part: &str, house: &Path, around: &[&str]) -> Actor {
    let this = std::env::current_exe().expect("this binary has a path");
    let mut words: Vec<&std::ffi::OsStr> = around.iter().map(AsRef::as_ref).collect();
    words.push(this.as_os_str());
    let mut child = Command::new(words[0])
        .args(&words[1..])
        .args(["--exact", "child::play", "--nocapture"])
        .env(PART, part)
        .env(HOUSE, house)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the child starts");
    let out = BufReader::new(child.stdout.take().expect("its output is ours"));
    let said = out
        .lines()
        .map_while(Result::ok)
        .find_map(|line| Some(line.split_once("says: ")?.1.replace(" / ", "\n")));
    Actor { child, said: said.unwrap_or_else(|| "nothing".into()) }
}

/// Only ever does something in a child.
#[test]
fn play() {
    let (Ok(part), Some(house)) = (std::env::var(PART), std::env::var_os(HOUSE)) else { return };
    let house = Path::new(&house);
    match part.as_str() {
        "hold" => {
            let _journal = writer(house);
            say("ready");
            wait();
        }
        "append" => {
            let mut journal = writer(house);
            let head = journal.append(journal.head(), &records(journal.head(), 7)).unwrap();
            say(&format!("{}", head.seq));
            wait();
        }
        "fill" => fill(house),
        "write" => match Sqlite::open(house, &LockHolder::this_process("synod test")) {
            Ok(_) => say("opened"),
            Err(error) => say(&error.to_string()),
        },
        "read" => match verify(house) {
            Ok(head) => {
                let reader = SqliteReader::open(house).unwrap();
                assert_eq!(reader.read(Seq(1), 2).unwrap().len(), 2);
                say(&format!("{} held by {:?}", head.seq, holder(house).map(|holder| holder.pid)));
            }
            Err(error) => say(&error.to_string()),
        },
        other => panic!("no part is called {other}"),
    }
}

/// Writes until the disk is full, makes room, and writes on.
fn fill(house: &Path) {
    let ballast = house.with_file_name("ballast");
    std::fs::write(&ballast, vec![1; 400_000]).unwrap();
    let mut journal = writer(house);
    let refused = loop {
        match journal.append(journal.head(), &records(journal.head(), 20)) {
            Ok(_) => {}
            Err(error) => break error,
        }
    };
    assert!(matches!(refused, Error::Io { .. }), "{refused:?}");
    assert_eq!(verify(house).unwrap(), journal.head(), "a failed append leaves the journal as it was");
    std::fs::remove_file(&ballast).unwrap();
    journal.append(journal.head(), &records(journal.head(), 20)).expect("with room again the writer goes on");
    assert_eq!(verify(house).unwrap(), journal.head());
    say(&refused.to_string());
}

fn say(line: &str) {
    let mut out = std::io::stdout();
    writeln!(out, "says: {}", line.replace('\n', " / ")).unwrap();
    out.flush().unwrap();
}

/// Until the parent goes away.
fn wait() {
    let _ = std::io::stdin().read_to_end(&mut Vec::new());
}
