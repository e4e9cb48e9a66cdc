//! Showing the checkpoints of a house to its witnesses.

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde::Serialize;
use synod_core::kernel::Digest;
use synod_engine::now;
use synod_journal::checkpoints::{self, StoredCheckpoint, WitnessRefusal};
use synod_journal::tlog::{Note, Policy, SignatureLine, TlogError, Witness, consistency, cosigned_at};

use super::judge::CosignRequest;
use crate::fail::{Fail, Result, code};

const PATIENCE: Duration = Duration::from_secs(30);
/// An answer is a few lines.
const ANSWER_MOST: usize = 64 << 10;

/// What became of a checkpoint at one witness.
#[derive(Debug, Serialize)]
pub(crate) struct Pushed {
    pub(crate) witness: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) signed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) failed: Option<String>,
    /// It saw another history: the house stops.
    pub(crate) refused: bool,
}

/// The response of a witness, or of something on the way to it.
#[derive(Debug)]
struct WitnessResponse {
    status: u16,
    body: String,
    /// The size that a witness says it has signed, if the answer has the form that the protocol asks for.
    size: Option<u64>,
    /// Nothing but the witness can have said it: it came over ssh.
    is_genuine: bool,
}

/// Shows the last checkpoint of a house to every witness of a policy that has an address.
pub(crate) async fn push(dir: &Path, records: &[Digest], policy: &Policy) -> Result<Vec<Pushed>> {
    let mut kept = checkpoints::all(dir)?;
    // A service may have signed more acts since they were read. That is not a cut end: the next look shows them.
    kept.retain(|known| known.checkpoint.size <= records.len() as u64);
    let Some(last) = kept.last() else {
        let message = "this house has not signed a checkpoint yet: it does when a matter is settled and when a command that writes ends";
        return Err(Fail::new(code::USAGE, "witness/no-checkpoint", message));
    };
    // The policy is the consent: only a house that it names is shown to anybody.
    if let Err(flaw) = policy.log(&last.note, &last.checkpoint.origin) {
        let message = format!(
            "the policy does not name this house: {flaw}\nadd the line that `synod witness status` prints, if its witnesses may see how many acts it has"
        );
        return Err(Fail::new(code::USAGE, "witness/not-named", message));
    }
    let mut pushed = Vec::new();
    for witness in policy.witnesses() {
        let Some(url) = &witness.url else { continue };
        let signed = kept.iter().rev().find(|known| cosigned_at(&known.note, &witness.key).is_ok());
        let told = Showing { dir, url, witness, last, signed, records }.ask().await;
        pushed.push(match told {
            Ok(line) => {
                checkpoints::cosigned(dir, last.checkpoint.size, &[line])?;
                Pushed {
                    witness: witness.name.clone(),
                    signed: Some(last.checkpoint.size),
                    failed: None,
                    refused: false,
                }
            }
            Err(CosignError::Failed(why)) => {
                Pushed { witness: witness.name.clone(), signed: None, failed: Some(why), refused: false }
            }
            Err(CosignError::Refused(said)) => {
                let size = last.checkpoint.size;
                let refusal =
                    WitnessRefusal { at: now(), witness: witness.name.clone(), size, said: said.clone() };
                checkpoints::refuse(dir, &refusal)?;
                Pushed { witness: witness.name.clone(), signed: None, failed: Some(said), refused: true }
            }
        });
    }
    Ok(pushed)
}

/// The reason why there is no signature.
#[derive(Debug)]
enum CosignError {
    /// The witness could not be asked, or does not know the house.
    Failed(String),
    /// It has seen something else.
    Refused(String),
}

/// One checkpoint that is shown to one witness.
struct Showing<'a> {
    dir: &'a Path,
    url: &'a str,
    witness: &'a Witness,
    last: &'a StoredCheckpoint,
    /// The last one that it has signed, as far as is known here.
    signed: Option<&'a StoredCheckpoint>,
    records: &'a [Digest],
}

impl Showing<'_> {
    async fn ask(&self) -> std::result::Result<SignatureLine, CosignError> {
        let size = self.last.checkpoint.size;
        let mut old = self.signed.map_or(0, |known| known.checkpoint.size);
        let mut is_witness = false;
        // Twice: the first answer may be what size it has seen.
        for again in [false, true] {
            let Some(path) = consistency(self.records, old, size) else { return Err(self.cut(old)) };
            let request = CosignRequest { old, path, note: self.last.note.clone() };
            let answer = send(self.url, &request.text()).await.map_err(CosignError::Failed)?;
            let said: String = answer.body.chars().filter(|c| !c.is_control()).take(300).collect();
            is_witness |= answer.is_genuine;
            match answer.status {
                200 => {
                    return signature(self.witness, &self.last.note, &answer.body)
                        .map_err(CosignError::Failed);
                }
                409 => match answer.size {
                    Some(seen) if seen != old && !again => (old, is_witness) = (seen, true),
                    // It has signed as many acts, and other ones.
                    Some(seen) if seen == old && seen == size => {
                        return Err(CosignError::Refused(format!(
                            "it has signed another history of {seen} acts"
                        )));
                    }
                    Some(seen) => {
                        return Err(CosignError::Failed(format!(
                            "its answers contradict each other: it says that it has signed {seen} acts, and was shown how the record goes on from {old}"
                        )));
                    }
                    None => return Err(not_understood(409, &said)),
                },
                status @ (403 | 422) => {
                    return Err(match is_witness || self.is_witness(status, old).await {
                        false => not_understood(status, &said),
                        true if status == 403 => CosignError::Refused(format!(
                            "the key is not the one it knows for this house: {said}"
                        )),
                        true => CosignError::Refused(format!(
                            "the record does not continue what it has signed: {said}"
                        )),
                    });
                }
                404 => return Err(CosignError::Failed(format!("it does not know this house: {said}"))),
                other => return Err(CosignError::Failed(format!("it answered {other} {said}"))),
            }
        }
        Err(CosignError::Failed("its two answers about what it has seen contradict each other".into()))
    }

    /// Whether a witness is there at all. Anything on the way can answer 403 or 422 to everything; only a witness answers a
    /// question about a size that it has not seen with the one it has. The protocol asks for that, whatever the history is.
    async fn is_witness(&self, status: u16, old: u64) -> bool {
        // A key that it does not know is refused before anything else, so it is asked about what it has signed.
        let note = match (status, self.signed) {
            (403, Some(known)) => &known.note,
            (403, None) => return false,
            (_, _) => &self.last.note,
        };
        // Nothing has to be proven from an empty record on, so nobody can find that it is not.
        if old == 0 {
            return false;
        }
        let request = CosignRequest { old: 0, path: Vec::new(), note: note.clone() };
        let answer = send(self.url, &request.text()).await;
        answer.is_ok_and(|answer| answer.status == 409 && answer.size.is_some_and(|seen| seen >= old))
    }

    /// It has signed more acts than the checkpoint has.
    fn cut(&self, seen: u64) -> CosignError {
        let size = self.last.checkpoint.size;
        // Another process may have shown it a newer checkpoint meanwhile.
        let newest = checkpoints::last(self.dir).ok().flatten().map_or(0, |kept| kept.checkpoint.size);
        match newest >= seen {
            true => CosignError::Failed(format!("it has signed a newer checkpoint of {seen} acts meanwhile")),
            false => CosignError::Refused(format!(
                "it has signed {seen} acts, and the checkpoint has {size}: the end was cut off"
            )),
        }
    }
}

/// An answer that a proxy or another server could have given. It stops nothing.
fn not_understood(status: u16, said: &str) -> CosignError {
    CosignError::Failed(format!(
        "the witness could not be reached or was not understood: the answer is {status} {said}, which a server on the way could have given"
    ))
}

/// The signature of this witness in its answer. Lines of others are not looked at.
fn signature(witness: &Witness, note: &Note, body: &str) -> std::result::Result<SignatureLine, String> {
    for line in body.lines().filter_map(|line| SignatureLine::parse(line).ok()) {
        let mut signed = Note::new(note.text().into()).map_err(|flaw: TlogError| flaw.to_string())?;
        signed.add(line.clone());
        if line.is_of(&witness.key) {
            return cosigned_at(&signed, &witness.key).map(|_| line).map_err(|flaw| flaw.to_string());
        }
    }
    Err("its answer has no signature of the key in the policy".into())
}

async fn send(url: &str, body: &str) -> std::result::Result<WitnessResponse, String> {
    match url.strip_prefix("ssh://") {
        Some(host) => by_ssh(host, body),
        None => by_http(url, body).await,
    }
}

async fn by_http(url: &str, body: &str) -> std::result::Result<WitnessResponse, String> {
    let url = format!("{}/add-checkpoint", url.trim_end_matches('/'));
    let client = crate::client::plain(&url).map_err(|fail| fail.message().to_string())?;
    let sent = client.post(&url).timeout(PATIENCE).body(body.to_string()).send().await;
    let answer = sent.map_err(|error| format!("{url} cannot be reached: {}", error.without_url()))?;
    let status = answer.status().as_u16();
    let kind = answer.headers().get("content-type").and_then(|kind| kind.to_str().ok());
    let kind = kind.and_then(|kind| kind.split(';').next()).unwrap_or_default().trim().to_string();
    let body = crate::client::bounded(answer, ANSWER_MOST).await?;
    let body = String::from_utf8_lossy(&body).into_owned();
    let size = body.strip_suffix('\n').unwrap_or(&body);
    let is_size = kind.eq_ignore_ascii_case("text/x.tlog.size") && size.bytes().all(|c| c.is_ascii_digit());
    let size = if is_size { size.parse().ok() } else { None };
    Ok(WitnessResponse { status, size, body, is_genuine: false })
}

/// Runs `synod witness cosign` on another machine. `SYNOD_SSH` names another program than ssh.
fn by_ssh(host: &str, body: &str) -> std::result::Result<WitnessResponse, String> {
    if host.is_empty() || host.starts_with('-') {
        return Err(format!("`{host}` is not a host"));
    }
    let program =
        std::env::var_os("SYNOD_SSH").filter(|named| !named.is_empty()).unwrap_or_else(|| "ssh".into());
    let failed = |error: std::io::Error| format!("{} cannot be run: {error}", Path::new(&program).display());
    let mut child = Command::new(&program)
        .args([host, "synod", "witness", "cosign"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .map_err(failed)?;
    if let Some(mut stdin) = child.stdin.take() {
        let _ = stdin.write_all(body.as_bytes()); // whoever does not read it says so by its exit
    }
    let mut said = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        stdout.take(ANSWER_MOST as u64 + 1).read_to_end(&mut said).map_err(failed)?;
    }
    if said.len() > ANSWER_MOST {
        let _ = child.kill(); // it may have ended by itself
        let _ = child.wait();
        return Err(format!("its answer is longer than {ANSWER_MOST} bytes"));
    }
    let ended = child.wait().map_err(failed)?;
    let said = String::from_utf8_lossy(&said).into_owned();
    match said.strip_prefix("refused ").and_then(|rest| rest.split_once(' ')) {
        Some((status, rest)) => {
            let status = status.parse().map_err(|_| "its answer is not understood".to_string())?;
            let size = rest.lines().next().and_then(|size| size.trim().parse().ok());
            Ok(WitnessResponse { status, size, body: rest.into(), is_genuine: true })
        }
        None if ended.success() => {
            Ok(WitnessResponse { status: 200, size: None, body: said, is_genuine: true })
        }
        None => Err(format!("{host} answered with {ended}")),
    }
}
