//! Showing the checkpoints of a house to its witnesses.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde::Serialize;
use synod_core::kernel::Digest;
use synod_engine::now;
use synod_journal::checkpoints::{self, WitnessRefusal};
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

/// The response of a witness.
#[derive(Debug)]
pub(crate) struct WitnessResponse {
    pub(crate) status: u16,
    pub(crate) body: String,
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
        let seen = kept.iter().rev().find(|known| cosigned_at(&known.note, &witness.key).is_ok());
        let old = seen.map_or(0, |known| known.checkpoint.size);
        let told = ask(url, witness, &last.note, (old, last.checkpoint.size), records).await;
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

async fn ask(
    url: &str,
    witness: &Witness,
    note: &Note,
    (mut old, size): (u64, u64),
    records: &[Digest],
) -> std::result::Result<SignatureLine, CosignError> {
    // Twice: the first answer may be what size it has seen.
    for again in [false, true] {
        let Some(path) = consistency(records, old, size) else {
            return Err(CosignError::Refused(format!(
                "it has signed {old} acts, and the checkpoint has {size}: the end was cut off"
            )));
        };
        let request = CosignRequest { old, path, note: note.clone() };
        let answer = send(url, &request.text()).await.map_err(CosignError::Failed)?;
        let said: String = answer.body.chars().filter(|c| !c.is_control()).take(300).collect();
        match answer.status {
            200 => return signature(witness, note, &answer.body).map_err(CosignError::Failed),
            409 => match answer.body.lines().next().and_then(|size| size.trim().parse::<u64>().ok()) {
                Some(seen) if seen != old && !again => old = seen,
                Some(seen) => {
                    return Err(CosignError::Refused(format!(
                        "it has signed another history of {seen} acts"
                    )));
                }
                None => return Err(CosignError::Failed(format!("it answered 409 {said}"))),
            },
            403 => {
                return Err(CosignError::Refused(format!(
                    "the key is not the one it knows for this house: {said}"
                )));
            }
            422 => {
                return Err(CosignError::Refused(format!(
                    "the record does not continue what it has signed: {said}"
                )));
            }
            404 => return Err(CosignError::Failed(format!("it does not know this house: {said}"))),
            other => return Err(CosignError::Failed(format!("it answered {other} {said}"))),
        }
    }
    Err(CosignError::Failed("its two answers about what it has seen contradict each other".into()))
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
    let body = answer.bytes().await.map_err(|error| error.without_url().to_string())?;
    if body.len() > ANSWER_MOST {
        return Err("its answer is too long".into());
    }
    Ok(WitnessResponse { status, body: String::from_utf8_lossy(&body).into_owned() })
}

/// Runs `synod witness cosign` on another machine. `SYNOD_SSH` names another program than ssh.
fn by_ssh(host: &str, body: &str) -> std::result::Result<WitnessResponse, String> {
    if host.is_empty() || host.starts_with('-') {
        return Err(format!("`{host}` is not a host"));
    }
    let program = std::env::var_os("SYNOD_SSH").unwrap_or_else(|| "ssh".into());
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
    let output = child.wait_with_output().map_err(failed)?;
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    match said.strip_prefix("refused ").and_then(|rest| rest.split_once(' ')) {
        Some((status, rest)) => {
            let status = status.parse().map_err(|_| "its answer is not understood".to_string())?;
            Ok(WitnessResponse { status, body: rest.into() })
        }
        None if output.status.success() => Ok(WitnessResponse { status: 200, body: said }),
        None => Err(format!("{host} answered with {}", output.status)),
    }
}
