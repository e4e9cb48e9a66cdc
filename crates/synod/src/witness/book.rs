//! What a witness keeps, in a folder of its own outside of every house: its key, its name, and the last checkpoint of each log.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use synod_core::kernel::Digest;
use synod_engine::now;
use synod_journal::tlog::{Algorithm, SignatureLine, VerifierKey, cosign};
use synod_journal::{HouseKey, file};

use super::judge::{CosignRefusal, CosignRequest, KnownLog, judge};
use crate::fail::{Fail, Result, code};

const LOGS: &str = "logs.json";
const NAME: &str = "name";
const MOST: u64 = 16 << 20;

/// See the module.
#[derive(Debug)]
pub(crate) struct WitnessBook {
    dir: PathBuf,
    name: String,
    key: HouseKey,
}

#[derive(Debug, Default, Serialize, Deserialize)]
struct Logs(BTreeMap<String, LogRow>);

#[derive(Debug, Serialize, Deserialize)]
struct LogRow {
    keys: Vec<String>,
    size: u64,
    root: Digest,
}

fn fault(what: &str, path: &Path, error: impl std::fmt::Display) -> Fail {
    Fail::new(code::IO, "witness/file", format!("the witness cannot {what} {}: {error}", path.display()))
}

impl WitnessBook {
    /// Opens the folder of a witness; makes it with a key of its own on first use.
    pub(crate) fn open(dir: &Path, name: Option<&str>) -> Result<Self> {
        synod_journal::make_dir(dir)?;
        let key = HouseKey::load_or_create(dir)?;
        let path = dir.join(NAME);
        let kept = file::read_own(&path, MOST).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let kept = kept.map(|name| name.trim().to_string()).filter(|name| !name.is_empty());
        let name = match (name, kept) {
            // Another name would be another witness to everybody who trusts this one.
            (Some(name), Some(kept)) if name != kept => {
                return Err(Fail::usage(format!(
                    "this witness is called {kept}: use another --dir for another name"
                )));
            }
            (_, Some(kept)) => kept,
            (name, None) => {
                let made = format!("synod-witness/{}", &key.public_hex()[..16]);
                let name = name.map_or(made, Into::into);
                VerifierKey::new(&name, Algorithm::Cosignature, key.public())
                    .map_err(|flaw| Fail::usage(flaw.to_string()))?;
                file::replace_durably(&path, name.as_bytes())
                    .map_err(|error| fault("write", &path, error))?;
                name
            }
        };
        Ok(Self { dir: dir.into(), name, key })
    }

    /// Its public key, for policies.
    pub(crate) fn verifier(&self) -> Result<VerifierKey> {
        VerifierKey::new(&self.name, Algorithm::Cosignature, self.key.public())
            .map_err(|flaw| Fail::new(code::DATA, "witness/key", flaw.to_string()))
    }

    /// Takes the key of a log. A log that is known keeps its history.
    pub(crate) fn add(&self, key: &VerifierKey) -> Result<()> {
        let _held = self.hold()?;
        let mut logs = self.logs()?;
        let seen = KnownLog::new(key.clone());
        let row =
            logs.0.entry(key.name().into()).or_insert(LogRow { keys: Vec::new(), size: 0, root: seen.root });
        let text = key.to_string();
        if !row.keys.contains(&text) {
            row.keys.push(text);
        }
        self.write(&logs)
    }

    /// Every log with what was signed last: its name, size and root.
    pub(crate) fn listed(&self) -> Result<Vec<(String, u64, Digest)>> {
        Ok(self.logs()?.0.into_iter().map(|(name, row)| (name, row.size, row.root)).collect())
    }

    /// Judges a checkpoint, remembers it, and signs it.
    pub(crate) fn cosign(&self, body: &str) -> Result<std::result::Result<SignatureLine, CosignRefusal>> {
        let request = match CosignRequest::parse(body) {
            Ok(request) => request,
            Err(refusal) => return Ok(Err(refusal)),
        };
        // One at a time: a checkpoint must not be signed after a later one.
        let _held = self.hold()?;
        let mut logs = self.logs()?;
        let origin = request.note.text().split('\n').next().unwrap_or_default().to_string();
        let seen = logs.0.get(&origin).map(|row| KnownLog {
            keys: row.keys.iter().filter_map(|key| VerifierKey::parse(key).ok()).collect(),
            size: row.size,
            root: row.root,
        });
        let head = match judge(&request, seen.as_ref()) {
            Ok(head) => head,
            Err(refusal) => return Ok(Err(refusal)),
        };
        if let Some(row) = logs.0.get_mut(&origin) {
            (row.size, row.root) = (head.size, head.root);
        }
        self.write(&logs)?;
        let line = cosign(&request.note, &self.name, &self.key, now().0 / 1000);
        line.map(Ok).map_err(|flaw| Fail::new(code::DATA, "witness/key", flaw.to_string()))
    }

    fn hold(&self) -> Result<File> {
        let path = self.dir.join("lock");
        let file = file::open_to_write(&path).map_err(|error| fault("open", &path, error))?;
        rustix::fs::flock(&file, rustix::fs::FlockOperation::LockExclusive)
            .map_err(|error| fault("lock", &path, error))?;
        Ok(file)
    }

    fn logs(&self) -> Result<Logs> {
        let path = self.dir.join(LOGS);
        match file::read_own(&path, MOST) {
            // What cannot be read is never taken for nothing seen: that would let a history be rewritten.
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(|error| fault("read", &path, error)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(Logs::default()),
            Err(error) => Err(fault("read", &path, error)),
        }
    }

    fn write(&self, logs: &Logs) -> Result<()> {
        let path = self.dir.join(LOGS);
        let bytes = serde_json::to_vec_pretty(logs).map_err(|error| fault("write", &path, error))?;
        file::replace_durably(&path, &bytes).map_err(|error| fault("write", &path, error))
    }
}
