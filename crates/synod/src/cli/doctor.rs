//! `synod doctor`

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;
use synod_core::House;
use synod_core::house::Case;
use synod_core::kernel::MatterId;
use synod_core::kernel::text::counted;
use synod_core::matter::Status;
use synod_engine::{Opened, SnapshotPlace, open_house};
use synod_journal::{
    Head, HouseKey, Snapshot, SqliteReader, checkpoints, file, holder, mark, scrub_is_due, survey,
};
use synod_minds::{Env, Settings};

use super::Context;
use crate::fail::{Result, code};
use crate::house::{charter, charter_names, quoted};
use crate::matter_arg::number;
use crate::out;
use crate::seats::Configured;
use crate::upkeep;
use crate::user::snapshot_key;

/// Check the installation and this house, and say how to fix what is wrong.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  synod doctor")]
pub(crate) struct DoctorArgs {}

/// The result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum CheckResult {
    Good,
    Note,
    Bad,
}

#[derive(Debug, Serialize)]
struct DoctorCheck {
    what: &'static str,
    health: CheckResult,
    detail: String,
}

impl DoctorArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        let dir = context.house.dir();
        let mut checks = vec![DoctorCheck {
            what: "version",
            health: CheckResult::Good,
            detail: env!("CARGO_PKG_VERSION").into(),
        }];
        match context.house.check() {
            Ok(()) => {
                // Looked at first: reading an open journal leaves files beside it that are open too.
                let privacy = privacy(dir);
                house(dir, &mut checks);
                checks.extend(refused(dir));
                checks.extend(privacy);
                checks.push(settings(dir));
                checks.extend(seats(dir));
                checks.extend(git(dir));
            }
            Err(fail) => checks.push(DoctorCheck {
                what: "house",
                health: CheckResult::Bad,
                detail: fail.message().into(),
            }),
        }
        checks.push(charters(dir));
        minds(&mut checks).await;
        let bad = checks.iter().any(|check| check.health == CheckResult::Bad);
        if context.json {
            out::json(&checks);
        } else {
            for check in &checks {
                let sign = match check.health {
                    CheckResult::Good => "ok   ",
                    CheckResult::Note => "note ",
                    CheckResult::Bad => "BAD  ",
                };
                let detail = check.detail.replace('\n', "\n                ");
                out::line(&out::clean(&format!("{sign} {:<9} {detail}", check.what)));
            }
        }
        Ok(ExitCode::from(if bad { code::DATA } else { code::PASSED }))
    }
}

/// What a witness said against the record, until somebody has looked into it.
fn refused(dir: &Path) -> Option<DoctorCheck> {
    let refusal = checkpoints::refusal(dir)?;
    let (witness, said) = (refusal.witness, refusal.said);
    let detail = format!(
        "witness {witness} refused this house ({said}): nothing is signed; see `synod witness status`"
    );
    Some(DoctorCheck { what: "witness", health: CheckResult::Bad, detail })
}

fn house(dir: &Path, checks: &mut Vec<DoctorCheck>) {
    let shown = dir.display();
    let mut note = |what, health, detail| checks.push(DoctorCheck { what, health, detail });
    let reader = match SqliteReader::open(dir) {
        Ok(reader) => reader,
        Err(error) => {
            let (health, detail) = without_journal(dir, &error);
            return note("house", health, detail);
        }
    };
    let held = holder(dir);
    let mut founded = None;
    let key = snapshot_key();
    match open_house(&reader, SnapshotPlace::of(Some(dir), key.as_ref())) {
        Ok(Opened { house, head, snapshot }) => {
            let checked = match snapshot {
                Some(from) => format!("from act {} (the snapshot)", from.seq),
                None => "from the first act".into(),
            };
            founded = house.upkeep().key().map(|known| known.key.clone());
            note(
                "journal",
                CheckResult::Good,
                format!(
                    "{shown}: {}, {}, hash chain intact {checked} up to {}",
                    counted(head.seq.0, "act"),
                    counted(house.matters() as u64, "matter"),
                    head.hash.short()
                ),
            );
            note("snapshot", CheckResult::Good, shown_snapshot(dir, head, snapshot));
            open(&house, held.is_some())
                .into_iter()
                .for_each(|detail| note("matters", CheckResult::Note, detail));
            match upkeep::look(dir, &reader, &house) {
                Ok(found) => {
                    found.wrong.into_iter().for_each(|detail| note("record", CheckResult::Bad, detail));
                    found.notes.into_iter().for_each(|detail| note("record", CheckResult::Note, detail));
                }
                Err(fail) => note("record", CheckResult::Bad, fail.message().into()),
            }
            for matter in unfinished(&house, &reader) {
                let number = number(&house, matter);
                let detail =
                    format!("the deletion of matter {number} was not finished: run `synod delete {number}`");
                note("deletion", CheckResult::Bad, detail);
            }
        }
        Err(fault) => note("journal", CheckResult::Bad, fault.to_string()),
    }
    if let Some(stall) = mark::stalled(dir) {
        let detail = format!("nothing can be written since {}: {}", stall.since, stall.said);
        note("disk", CheckResult::Bad, detail);
    }
    if scrub_is_due(dir) {
        note("deletion", CheckResult::Bad, super::verify::SCRUB_DUE.into());
    }
    match held {
        Some(by) => note("lock", CheckResult::Note, format!("held by {by}")),
        None => note("lock", CheckResult::Good, "free".into()),
    }
    let (health, detail) = key_of_the_house(dir, founded.as_deref());
    note("key", health, detail);
    if let Some(detail) = not_kept_out_of_git(dir) {
        note("git", CheckResult::Bad, detail);
    }
    let probe = dir.join(".probe");
    match file::create(&probe, 0o600).and_then(|_| std::fs::remove_file(&probe)) {
        Ok(()) => note("disk", CheckResult::Good, "writable".into()),
        Err(error) => {
            note("disk", CheckResult::Bad, format!("{shown} is not writable: {error}; reading still works"))
        }
    }
}

/// What is to be said of a folder whose journal cannot be opened.
fn without_journal(dir: &Path, error: &synod_journal::Error) -> (CheckResult, String) {
    let shown = dir.display();
    match error {
        synod_journal::Error::NoHouse { .. } if super::verify::is_gone(dir) => (
            CheckResult::Bad,
            format!("the journal of {shown} is gone: put a backup back (synod restore DIR --yes)"),
        ),
        synod_journal::Error::NoHouse { .. } => {
            let detail = match dir.exists() {
                true => format!("{shown} has no journal yet; the first debate starts one"),
                false => format!("none at {shown} yet; the first debate creates it"),
            };
            (CheckResult::Note, detail)
        }
        error => (CheckResult::Bad, error.to_string()),
    }
}

/// Whether `git add` would take the key: the file that keeps it out may have come with a clone.
fn not_kept_out_of_git(dir: &Path) -> Option<String> {
    let path = dir.join(".gitignore");
    let text = String::from_utf8(file::read_own(&path, 1 << 16).ok()?).ok()?;
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let opens = |line: &&str| {
        let name = line.strip_prefix('!').map(|name| name.trim_start_matches('/'));
        name.is_some_and(|name| {
            ["*", "**", "key", "tokens.json", "journal.db", "service.json"].contains(&name)
        })
    };
    (!lines.contains(&"*") || lines.iter().any(opens)).then(|| {
        format!("{} does not keep the key and the journal out of git: delete it, and the next command that writes makes it anew", path.display())
    })
}

/// Whether the house can sign, given the public key that it signs with.
fn key_of_the_house(dir: &Path, in_force: Option<&str>) -> (CheckResult, String) {
    match HouseKey::load(dir) {
        Ok(Some(key)) if in_force.is_some_and(|in_force| in_force != key.public_hex()) => (
            CheckResult::Bad,
            "this is not the key the house signs with; restore it from a backup, or `synod key recover`".into(),
        ),
        Ok(Some(key)) => (CheckResult::Good, format!("receipts are signed by {}", &key.public_hex()[..12])),
        Ok(None) if in_force.is_some() => (
            CheckResult::Bad,
            "the key is missing; restore it from a backup, or `synod key recover`: receipts cannot be signed without it".into(),
        ),
        Ok(None) => (CheckResult::Note, "created with the first debate".into()),
        Err(error) => (CheckResult::Bad, error.to_string()),
    }
}

/// What of the house others on this machine may read or write. Files that people put there are theirs to share.
fn privacy(dir: &Path) -> Option<DoctorCheck> {
    let mode = |path: &Path| std::fs::symlink_metadata(path).ok().filter(|found| !found.is_symlink());
    let is_open = |path: &PathBuf| mode(path).is_some_and(|found| found.permissions().mode() & 0o077 != 0);
    let within = |folder: &str| {
        let entries = std::fs::read_dir(dir.join(folder)).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    // The house itself may be a link.
    let house = dir.canonicalize().ok().filter(is_open)?;
    let own = OWN.iter().map(|name| dir.join(name)).chain(within("receipts")).chain(within("agents"));
    let shown = |path: PathBuf| path.strip_prefix(dir).unwrap_or(&path).display().to_string();
    let files: Vec<String> = own.filter(is_open).map(shown).collect();
    let house = quoted(&house);
    let detail = match files.is_empty() {
        true => format!("others may look into the directory: run `chmod 700 {house}`"),
        false => {
            let (first, rest) = files.split_at(files.len().min(5));
            let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
            format!("others may read {}{more}: run `chmod -R go= {house}`", first.join(", "))
        }
    };
    Some(DoctorCheck { what: "privacy", health: CheckResult::Note, detail })
}

/// The files that Synod writes.
const OWN: [&str; 10] = [
    "mark",
    "journal.db",
    "journal.db-wal",
    "journal.db-shm",
    "lock",
    "guests",
    "snapshot",
    "tokens.json",
    "tokens.lock",
    "service.json",
];

/// What there is to know of the snapshot.
fn shown_snapshot(dir: &Path, head: Head, used: Option<Head>) -> String {
    match (Snapshot::file(dir), used) {
        (None, _) => "none: small houses need none, others get one from the next command that writes".into(),
        (Some(_), None) => {
            "not used: it is not of this user, this journal or this version of synod; the next one replaces it".into()
        }
        (Some(file), Some(from)) => {
            let age = file.written.and_then(|written| written.elapsed().ok()).map(|age| age.as_secs() / 60);
            let age = age
                .map(|minutes| format!(", written {} ago", counted(minutes, "minute")))
                .unwrap_or_default();
            let since = counted(head.seq.0 - from.seq.0, "act");
            format!("up to act {} ({since} since), {} KB{age}", from.seq, file.size / 1000)
        }
    }
}

/// Matters that are not over. Rings go on as their participants come; everything else only while a process holds the
/// house.
fn open(house: &House, held: bool) -> Option<String> {
    let all = || house.cases().filter(|case| !matches!(case.status(), Status::Settled(_)));
    // Issues wait for comments: nothing runs in them that could be resumed.
    let goes_on = |case: &&Case| {
        held || case.issue().is_some() || (case.ring().is_some() && case.status() == Status::Running)
    };
    let list =
        |cases: Vec<&Case>| cases.iter().map(|case| case.number.to_string()).collect::<Vec<_>>().join(", ");
    let (going, resting): (Vec<&Case>, Vec<&Case>) = all().partition(goes_on);
    match (going.is_empty(), resting.is_empty()) {
        (true, true) => None,
        (false, true) => Some(format!("open: {}", list(going))),
        (true, false) => Some(format!("paused: {}; resume with `synod resume`", list(resting))),
        (false, false) => {
            let (going, resting) = (list(going), list(resting));
            Some(format!("open: {going}; paused: {resting}, resume with `synod resume`"))
        }
    }
}

/// Matters whose deletion was declared and not carried out.
fn unfinished(house: &House, reader: &SqliteReader) -> Vec<MatterId> {
    if house.summaries().all(|known| known.redacted_by.is_none()) {
        return Vec::new();
    }
    survey(reader, None).map(|found| found.unfinished.into_iter().collect()).unwrap_or_default()
}

fn settings(dir: &Path) -> DoctorCheck {
    match Settings::load(dir) {
        Ok(_) => {
            let there = |name: &&str| dir.join(name).is_file();
            let files: Vec<&str> =
                ["providers.toml", "prices.toml", "seats.toml"].into_iter().filter(there).collect();
            let detail =
                if files.is_empty() { "defaults".into() } else { format!("from {}", files.join(", ")) };
            DoctorCheck { what: "settings", health: CheckResult::Good, detail }
        }
        Err(flaws) => {
            let lines: Vec<String> = flaws.iter().map(ToString::to_string).collect();
            DoctorCheck { what: "settings", health: CheckResult::Bad, detail: lines.join("\n") }
        }
    }
}

/// The seats that are configured.
fn seats(dir: &Path) -> Option<DoctorCheck> {
    let (health, detail) = match Configured::load(dir) {
        Err(fail) => (CheckResult::Bad, fail.message().to_string()),
        Ok(configured) => {
            let usual = configured.usual()?;
            let count = counted(usual.wishes.seats.len() as u64, "seat");
            let councils: Vec<&str> =
                configured.councils.iter().map(|council| council.name.as_str()).collect();
            let councils = match councils.is_empty() {
                true => String::new(),
                false => format!("; councils: {}", councils.join(", ")),
            };
            (CheckResult::Good, format!("{count} from {}{councils}", usual.file.display()))
        }
    };
    Some(DoctorCheck { what: "seats", health, detail })
}

/// Whether git leaves the key of the house alone.
fn git(dir: &Path) -> Option<DoctorCheck> {
    let is_kept = !dir.join("key").exists() || dir.join(".gitignore").exists();
    let whole = dir.canonicalize().ok()?;
    let in_git = whole.ancestors().any(|above| above.join(".git").exists());
    let detail =
        "there is no .gitignore in the house, so `git add` may take its private key: `synod init` writes one";
    (in_git && !is_kept).then(|| DoctorCheck {
        what: "git",
        health: CheckResult::Note,
        detail: detail.into(),
    })
}

fn charters(dir: &Path) -> DoctorCheck {
    let names = charter_names(dir);
    let flawed: Vec<&String> = names.iter().filter(|name| charter(dir, name).is_err()).collect();
    if flawed.is_empty() {
        return DoctorCheck { what: "charters", health: CheckResult::Good, detail: names.join(", ") };
    }
    let detail = format!(
        "errors in {}; see `synod charter check NAME`",
        flawed.iter().map(|name| name.as_str()).collect::<Vec<_>>().join(", ")
    );
    DoctorCheck { what: "charters", health: CheckResult::Bad, detail }
}

async fn minds(checks: &mut Vec<DoctorCheck>) {
    let found = synod_minds::find(&Env::process()).await;
    if found.is_empty() {
        // Programs, servers of one's own and placeholders need neither, so seats that are set up may well answer.
        let detail =
            match checks.iter().any(|check| check.what == "seats" && check.health == CheckResult::Good) {
                true => "no API key and no local Ollama: `synod seats` says which of the seats can answer",
                false => "no API key and no local Ollama: run `synod init`, or name seats with --seat",
            };
        return checks.push(DoctorCheck { what: "models", health: CheckResult::Note, detail: detail.into() });
    }
    for one in found {
        let default = one.spec.map(|spec| format!("; used by default: {spec}")).unwrap_or_default();
        let detail = format!("{} by {}{default}", one.provider, one.how);
        checks.push(DoctorCheck { what: "models", health: CheckResult::Good, detail });
    }
}
