//! `synod witness`

mod serve;

use std::io::Read as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Args, Subcommand};
use serde_json::json;
use synod_core::kernel::Digest;
use synod_engine::now;
use synod_journal::checkpoints::{self, WitnessRefusal};
use synod_journal::tlog::{Algorithm, Checkpoint, VerifierKey};

use super::proof::hashes;
use super::{Context, on_runtime};
use crate::fail::{Fail, Result, code};
use crate::out;
use crate::user::{config_dir, state_dir};
use crate::witness::book::WitnessBook;
use crate::witness::{git, push, stamp};

/// Let others confirm that the record only grows, or confirm it for others.
///
/// A witness signs checkpoints of houses, and refuses one that does not continue what it has signed before. It keeps what it saw in a
/// folder of its own, outside of every house. A house shows its checkpoints to the witnesses in your policy file with
/// `synod witness push`. If a witness refuses, the house signs nothing more until you have looked into it.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  \
    synod witness key                        on the witness: its public key, for policies\n  \
    synod witness add NAME+ID+KEY            on the witness: a house it shall confirm\n  \
    synod witness serve --listen 127.0.0.1:7730\n  \
    synod witness push --policy policy.txt   in the house: show the last checkpoint to all witnesses")]
pub(crate) struct WitnessArgs {
    #[command(subcommand)]
    what: WitnessCommand,
}

#[derive(Debug, Subcommand)]
enum WitnessCommand {
    /// Print the public key of the witness on this machine; makes it on first use.
    #[command(after_help = "Example:\n  synod witness key --name example.org/w1")]
    Key(BookArgs),
    /// Let the witness on this machine confirm a house.
    #[command(after_help = "Example:\n  synod witness add NAME+ID+KEY")]
    Add(WitnessAddArgs),
    /// List the houses that the witness on this machine confirms, with the last size it signed.
    #[command(after_help = "Example:\n  synod witness list")]
    List(BookArgs),
    /// Sign one checkpoint from standard input, for ssh; prints the signature or `refused`.
    #[command(after_help = "Example:\n  ssh there synod witness cosign < request")]
    Cosign(BookArgs),
    /// Sign checkpoints over HTTP (tlog-witness).
    #[command(after_help = "Example:\n  synod witness serve --listen 127.0.0.1:7730")]
    Serve(serve::WitnessServeArgs),
    /// Show the last checkpoint of this house to the witnesses of a policy.
    #[command(after_help = "Example:\n  synod witness push --policy policy.txt")]
    Push(WitnessPushArgs),
    /// Add the last checkpoint of this house to a Git branch; never pushes with force.
    #[command(after_help = "Example:\n  synod witness git ../witnessed.git")]
    Git(WitnessGitArgs),
    /// Get an RFC 3161 time stamp for the last checkpoint of this house.
    #[command(after_help = "Example:\n  synod witness stamp https://tsa.example.org")]
    Stamp(WitnessStampArgs),
    /// Show who has confirmed this house, and whether a witness has refused it.
    #[command(after_help = "Example:\n  synod witness status")]
    Status(WitnessStatusArgs),
    /// Let this house sign checkpoints again after a witness has refused it.
    #[command(after_help = "Example:\n  synod witness resolve --yes")]
    Resolve(WitnessResolveArgs),
}

/// The witness on this machine.
#[derive(Debug, Args)]
pub(super) struct BookArgs {
    /// Where the witness keeps its key and what it has seen; without it, in your own state folder.
    #[arg(long, value_name = "DIR", env = "SYNOD_WITNESS", hide_env_values = true)]
    dir: Option<PathBuf>,
    /// The name of a new witness, such as example.org/w1.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

impl BookArgs {
    pub(super) fn open(&self) -> Result<WitnessBook> {
        let usual = || state_dir().map(|dir| dir.join("witness"));
        let none = || Fail::usage("this user has no home folder: name one with --dir");
        WitnessBook::open(&self.dir.clone().or_else(usual).ok_or_else(none)?, self.name.as_deref())
    }
}

/// Let the witness on this machine confirm a house.
#[derive(Debug, Args)]
struct WitnessAddArgs {
    /// The public key of the house as name+id+key; `synod witness status` prints it in the house.
    key: String,
    #[command(flatten)]
    book: BookArgs,
}

/// Show the last checkpoint of this house to the witnesses of a policy.
#[derive(Debug, Args)]
struct WitnessPushArgs {
    /// The policy: its `witness` lines with an address are asked, if a `log` line names this house. An address is an HTTP URL, or
    /// ssh://HOST for `synod witness cosign` there. Without it, `policy` in your own settings folder.
    #[arg(long, value_name = "FILE")]
    policy: Option<PathBuf>,
}

/// Add the last checkpoint of this house to a Git branch.
#[derive(Debug, Args)]
struct WitnessGitArgs {
    /// The repository, as `git push` takes it.
    remote: String,
    /// The branch, for this house alone.
    #[arg(long, value_name = "NAME", default_value = "synod-checkpoints")]
    branch: String,
}

/// Get an RFC 3161 time stamp for the last checkpoint of this house.
#[derive(Debug, Args)]
struct WitnessStampArgs {
    /// The address of the time-stamping authority.
    url: String,
}

/// Show who has confirmed this house.
#[derive(Debug, Args)]
struct WitnessStatusArgs {}

/// Let this house sign checkpoints again.
#[derive(Debug, Args)]
struct WitnessResolveArgs {
    /// Confirm: you have found out why the witness refused.
    #[arg(long)]
    yes: bool,
}

impl WitnessArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        match self.what {
            WitnessCommand::Key(book) => {
                let key = book.open()?.verifier()?.to_string();
                match context.json {
                    true => out::json(&json!({ "key": key })),
                    false => out::line(&key),
                }
                Ok(ExitCode::SUCCESS)
            }
            WitnessCommand::Add(add) => add.run(context),
            WitnessCommand::List(book) => list(context, &book),
            WitnessCommand::Cosign(book) => cosign(&book),
            WitnessCommand::Serve(serve) => serve.run(context),
            WitnessCommand::Push(push) => push.run(context),
            WitnessCommand::Git(git) => git.run(context),
            WitnessCommand::Stamp(stamp) => stamp.run(context),
            WitnessCommand::Status(_) => status(context),
            WitnessCommand::Resolve(resolve) => resolve.run(context),
        }
    }
}

impl WitnessAddArgs {
    fn run(self, context: &Context) -> Result<ExitCode> {
        let key = VerifierKey::parse(&self.key).map_err(|flaw| Fail::usage(flaw.to_string()))?;
        if key.algorithm() != Algorithm::Ed25519 {
            return Err(Fail::usage(
                "this is the key of a witness; write that of a house (`synod witness status` there)",
            ));
        }
        self.book.open()?.add(&key)?;
        match context.json {
            true => out::json(&json!({ "added": key.name() })),
            false => out::line(&out::clean(&format!("{} will be confirmed from now on", key.name()))),
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn list(context: &Context, book: &BookArgs) -> Result<ExitCode> {
    let logs = book.open()?.listed()?;
    if context.json {
        let row = |(origin, size, root): &(String, u64, Digest)| json!({ "origin": origin, "size": size, "root": root });
        out::json(&logs.iter().map(row).collect::<Vec<_>>());
        return Ok(ExitCode::SUCCESS);
    }
    for (origin, size, root) in &logs {
        out::line(&out::clean(&format!("{origin}  size {size}  {}", root.short())));
    }
    if logs.is_empty() {
        out::line("no house yet: synod witness add NAME+ID+KEY");
    }
    Ok(ExitCode::SUCCESS)
}

/// The longest request.
const REQUEST_MOST: u64 = 1 << 16;

fn cosign(book: &BookArgs) -> Result<ExitCode> {
    let mut body = String::new();
    let read = std::io::stdin().take(REQUEST_MOST).read_to_string(&mut body);
    read.map_err(|error| Fail::new(code::IO, "stdin", format!("standard input cannot be read: {error}")))?;
    match book.open()?.cosign(&body)? {
        Ok(line) => {
            out::line(&line.to_string());
            Ok(ExitCode::SUCCESS)
        }
        Err(refusal) => {
            let size = refusal.size().map(|size| format!("{size}\n")).unwrap_or_default();
            out::text(&format!("refused {} {size}{}\n", refusal.status(), out::clean(&refusal.to_string())));
            Ok(ExitCode::from(code::FAILED))
        }
    }
}

/// The last checkpoint of a house and the hashes of its acts.
fn last(context: &Context) -> Result<(checkpoints::StoredCheckpoint, Vec<Digest>)> {
    let reader = context.house.reader()?;
    let kept = checkpoints::all(context.house.dir())?.pop().ok_or_else(|| {
        let message = "this house has not signed a checkpoint yet: it does when a matter is settled and when a command that writes ends";
        Fail::new(code::USAGE, "witness/no-checkpoint", message)
    })?;
    let head = synod_journal::JournalReader::head(&reader)?;
    Ok((kept, hashes(&reader, head.seq.0)?))
}

/// What stands in the way as long as a witness has refused.
fn unless_refused(context: &Context) -> Result<()> {
    match checkpoints::refusal(context.house.dir()) {
        Some(refusal) => {
            let message = format!(
                "witness {} refused this house ({}): find out why, then `synod witness resolve --yes`",
                refusal.witness, refusal.said
            );
            Err(Fail::new(code::DATA, "witness/refused", message))
        }
        None => Ok(()),
    }
}

impl WitnessPushArgs {
    fn run(self, context: &Context) -> Result<ExitCode> {
        unless_refused(context)?;
        let usual = || config_dir().map(|dir| dir.join("policy"));
        let path =
            self.policy.or_else(usual).ok_or_else(|| Fail::usage("name a policy with --policy FILE"))?;
        let policy = crate::witness::showing::policy(&path)?;
        let (_, records) = last(context)?;
        let pushed = on_runtime(push::push(context.house.dir(), &records, &policy))?;
        if context.json {
            out::json(&pushed);
        } else {
            for row in &pushed {
                let said = match (&row.signed, &row.failed) {
                    (Some(size), _) => format!("signed size {size}"),
                    (None, Some(why)) if row.refused => format!("REFUSED: {why}"),
                    (None, why) => format!("failed: {}", why.as_deref().unwrap_or_default()),
                };
                out::line(&out::clean(&format!("{}  {said}", row.witness)));
            }
            if pushed.is_empty() {
                out::line("no witness of the policy has an address");
            }
        }
        Ok(ExitCode::from(match pushed.iter().any(|row| row.failed.is_some()) {
            true => code::FAILED,
            false => code::PASSED,
        }))
    }
}

impl WitnessGitArgs {
    fn run(self, context: &Context) -> Result<ExitCode> {
        unless_refused(context)?;
        let (kept, records) = last(context)?;
        let commit =
            git::add(&self.remote, &self.branch, &kept.note, &records).map_err(|trouble| match trouble {
                git::CommitError::Failed(why) => Fail::new(code::IO, "witness/git", why),
                git::CommitError::Refused(said) => {
                    let size = kept.checkpoint.size;
                    let witness = format!("git {} {}", self.remote, self.branch);
                    let _ = checkpoints::refuse(
                        context.house.dir(),
                        &WitnessRefusal { at: now(), witness, size, said: said.clone() },
                    );
                    Fail::new(code::FAILED, "witness/refused", said)
                }
            })?;
        let size = kept.checkpoint.size;
        match context.json {
            true => out::json(&json!({ "commit": commit, "size": size, "branch": self.branch })),
            false => out::line(&format!("size {size} is commit {commit} on {}", self.branch)),
        }
        Ok(ExitCode::SUCCESS)
    }
}

impl WitnessStampArgs {
    fn run(self, context: &Context) -> Result<ExitCode> {
        unless_refused(context)?;
        let (kept, _) = last(context)?;
        let failed = |why| Fail::new(code::IO, "witness/stamp", why);
        let stamp = on_runtime(async { stamp::ask(&self.url, kept.note.text()).await.map_err(failed) })?;
        let stamped = stamp::of_text(&stamp, kept.note.text()).map_err(failed)?;
        checkpoints::stamped(context.house.dir(), kept.checkpoint.size, stamp)?;
        let size = kept.checkpoint.size;
        match context.json {
            true => out::json(&json!({ "size": size, "time": stamped.time, "authority": self.url })),
            false => out::line(&format!("size {size} is time-stamped {}", stamped.time)),
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn status(context: &Context) -> Result<ExitCode> {
    let (house, head) = context.house.read()?;
    let reader = context.house.reader()?;
    let first = synod_journal::JournalReader::heads(&reader, synod_core::kernel::Seq(1), 1)?;
    let origin = first.first().map(|first| Checkpoint::origin_of(&first.hash)).unwrap_or_default();
    let key = house.upkeep().key().map(|known| known.key.clone()).unwrap_or_default();
    let log =
        VerifierKey::of_hex(&origin, Algorithm::Ed25519, &key).map(|key| key.to_string()).unwrap_or_default();
    let kept = checkpoints::all(context.house.dir())?;
    let last = kept.last();
    let names = |known: &checkpoints::StoredCheckpoint| {
        let lines = known.note.signatures().iter().filter(|line| line.name != origin);
        lines.map(|line| line.name.clone()).collect::<Vec<_>>()
    };
    let refusal = checkpoints::refusal(context.house.dir());
    if context.json {
        out::json(&json!({
            "origin": origin, "log": log, "acts": head.seq, "checkpoints": kept.len(),
            "last": last.map(|known| json!({ "size": known.checkpoint.size, "at": known.at, "cosigned": names(known), "stamps": known.stamps.len() })),
            "refusal": refusal,
        }));
    } else {
        out::line(&format!("log {log}"));
        match last {
            Some(known) => out::line(&out::clean(&format!(
                "{} checkpoints; the last is of {} of {} acts, cosigned by {}, time stamps: {}",
                kept.len(),
                known.checkpoint.size,
                head.seq,
                match names(known) {
                    names if names.is_empty() => "nobody".into(),
                    names => names.join(", "),
                },
                known.stamps.len()
            ))),
            None => out::line("no checkpoint yet"),
        }
        if let Some(refusal) = &refusal {
            out::line(&out::clean(&format!(
                "REFUSED by {} at size {} on {}: {}\nThe record here is not what the witness has seen. Run `synod verify`, compare with a backup, then `synod witness resolve --yes`.",
                refusal.witness, refusal.size, refusal.at, refusal.said
            )));
        }
    }
    Ok(ExitCode::from(if refusal.is_some() { code::FAILED } else { code::PASSED }))
}

impl WitnessResolveArgs {
    fn run(self, context: &Context) -> Result<ExitCode> {
        let Some(refusal) = checkpoints::refusal(context.house.dir()) else {
            return Err(Fail::usage("no witness has refused this house"));
        };
        if !self.yes {
            let message = format!(
                "witness {} refused this house: {}\npass --yes once you know why",
                refusal.witness, refusal.said
            );
            return Err(Fail::usage(message));
        }
        checkpoints::resolve(context.house.dir())?;
        match context.json {
            true => out::json(&json!({ "resolved": refusal })),
            false => {
                out::line("this house signs checkpoints again; the witness will refuse it until it agrees")
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
