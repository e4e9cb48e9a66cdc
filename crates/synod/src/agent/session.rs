//! Who an agent's session is here: one name for each session, kept in the house beside its journal.
//!
//! A file per session in `agents/`, named by the hash of the session's id. It is a notebook, no record: losing it
//! costs an agent nothing but a reminder it has had already.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use synod_core::kernel::{AskId, At, Digest, Who};
use synod_engine::now;
use synod_journal::file;

/// Sessions that were not heard of for so long are forgotten: thirty days.
const KEPT_MS: u64 = 30 * 24 * 3_600_000;
/// The same turn is spoken of again after so long: a reminder may have been lost.
const AGAIN_MS: u64 = 30_000;
/// How exactly it is kept when a session was last heard of.
const SEEN_MS: u64 = 10_000;

/// How many files that contradict canon are kept in mind.
const CONFLICTS_MOST: usize = 50;
/// Far more than any session needs.
const SIZE_MOST: u64 = 1 << 16;

/// A session as the house knows it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct AgentSession {
    /// The participant it is.
    pub(crate) name: String,
    /// When it was last heard of.
    pub(crate) seen: At,
    /// The turn it was last reminded of, and when.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reminded: Option<(AskId, At)>,
    /// The last turn for which it was spoken to at its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stopped: Option<AskId>,
    /// When somebody last asked for a file that it holds, as far as it was told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    asked: Option<At>,
    /// Files it wrote that contradict canon, and what of it was told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    conflicts: Vec<(PathBuf, Digest)>,
    #[serde(skip)]
    path: PathBuf,
}

impl AgentSession {
    /// The session of that id. The name given is taken from now on; else the one it has, else one made of its id.
    pub(crate) fn of(house: &Path, id: &str, given: Option<&Who>) -> Self {
        let digest = Digest::of(id.as_bytes()).to_string();
        let path = house.join("agents").join(format!("{}.json", &digest[..16]));
        let mut session = read(&path).unwrap_or_else(|| {
            forget_old(&house.join("agents"));
            let (name, seen) = (format!("claude-{}", &digest[..8]), At(0));
            Self {
                name,
                seen,
                reminded: None,
                stopped: None,
                asked: None,
                conflicts: Vec::new(),
                path: path.clone(),
            }
        });
        let renamed = given.is_some_and(|given| session.name != given.as_str());
        if let Some(given) = given.filter(|_| renamed) {
            session.name = given.to_string();
        }
        if renamed || now().since(session.seen) >= SEEN_MS {
            session.seen = now();
            session.keep();
        }
        session
    }

    /// Those the house has heard of, the latest first.
    pub(crate) fn all(house: &Path) -> Vec<Self> {
        let mut found: Vec<Self> = files(&house.join("agents")).filter_map(|path| read(&path)).collect();
        found.sort_by(|one, other| other.seen.cmp(&one.seen).then_with(|| one.name.cmp(&other.name)));
        found
    }

    /// Whether to remind of a turn now; notes that it is done. Nobody is reminded who could be reminded for ever.
    pub(crate) fn reminds(&mut self, ask: AskId) -> bool {
        let lately = |(of, at): (AskId, At)| of == ask && now().since(at) < AGAIN_MS;
        if self.reminded.is_some_and(lately) {
            return false;
        }
        self.reminded = Some((ask, now()));
        self.keep()
    }

    /// Whether to speak of a turn at the end of an answer: once for each.
    pub(crate) fn stops(&mut self, ask: AskId) -> bool {
        if self.stopped == Some(ask) {
            return false;
        }
        self.stopped = Some(ask);
        self.keep()
    }

    /// Whether it has yet to hear of a request of that moment.
    pub(crate) fn hears(&self, at: At) -> bool {
        self.asked.is_none_or(|last| at > last)
    }

    /// Notes that it was told of all requests up to that moment.
    pub(crate) fn heard(&mut self, at: At) {
        if self.hears(at) {
            self.asked = Some(at);
            self.keep();
        }
    }

    /// Notes how a file contradicts canon, or that it does not. Whether that is to be told: each state of a file once.
    pub(crate) fn contradicts(&mut self, file: &Path, how: Option<Digest>) -> bool {
        let known = self.conflicts.iter().position(|(path, _)| path == file);
        let before = known.map(|place| self.conflicts.remove(place).1);
        if let Some(how) = how {
            self.conflicts.push((file.into(), how));
            // The oldest goes first: a session with so many has been told often enough.
            if self.conflicts.len() > CONFLICTS_MOST {
                self.conflicts.remove(0);
            }
        }
        if before != how {
            self.keep();
        }
        how.is_some() && before != how
    }

    /// The files that contradicted canon when they were written, to be told of once more at the end.
    pub(crate) fn take_conflicts(&mut self) -> Vec<PathBuf> {
        let files: Vec<PathBuf> =
            std::mem::take(&mut self.conflicts).into_iter().map(|(path, _)| path).collect();
        if !files.is_empty() {
            self.keep();
        }
        files
    }

    /// Writes it down, whole or not at all. Whether that was possible.
    fn keep(&self) -> bool {
        // An agent of a service elsewhere has no house here yet.
        let house = self.path.ancestors().nth(2).map(synod_journal::make_dir);
        if house.is_none_or(|made| made.is_err()) {
            return false;
        }
        let folder = self.path.parent().map(file::make_folder).transpose();
        let written = folder.and_then(|_| file::replace(&self.path, &serde_json::to_vec(self)?));
        written.is_ok()
    }
}

fn read(path: &Path) -> Option<AgentSession> {
    let session: AgentSession = serde_json::from_slice(&file::read_own(path, SIZE_MOST).ok()?).ok()?;
    Some(AgentSession { path: path.into(), ..session })
}

fn files(dir: &Path) -> impl Iterator<Item = PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    entries.filter(|path| path.extension().is_some_and(|ending| ending == "json"))
}

fn forget_old(dir: &Path) {
    let old = files(dir).filter_map(|path| read(&path)).filter(|old| now().since(old.seen) > KEPT_MS);
    for session in old {
        let _ = fs::remove_file(session.path); // what stays is forgotten another time
    }
}
