//! A Git branch as a witness: each checkpoint is a commit on it, and a server that refuses force pushes keeps them all.
//!
//! We never push with force. What the branch has of this house is read first and held against the journal: a house whose history was
//! rewritten does not get past its own branch.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use synod_core::kernel::Digest;
use synod_journal::tlog::{Checkpoint, Note, root_of};

const FILE: &str = "checkpoint";

/// The reason why there is no commit.
#[derive(Debug)]
pub(crate) enum CommitError {
    /// Git failed, or the server did.
    Failed(String),
    /// The branch has another history of this house.
    Refused(String),
}

/// Adds a checkpoint to a branch. Gives the commit.
pub(crate) fn add(
    remote: &str,
    branch: &str,
    note: &Note,
    records: &[Digest],
) -> Result<String, CommitError> {
    if remote.starts_with('-') || branch.starts_with('-') || branch.contains([' ', ':', '~', '^']) {
        return Err(CommitError::Failed(format!("`{remote}` or `{branch}` is not a remote and a branch")));
    }
    let work = ScratchRepository::new().map_err(CommitError::Failed)?;
    work.git(&["init", "--quiet", "--bare"], None).map_err(CommitError::Failed)?;
    let reference = format!("refs/heads/{branch}");
    let listed = work.git(&["ls-remote", remote, &reference], None).map_err(CommitError::Failed)?;
    let parent = listed.split_whitespace().next().map(str::to_string);
    if parent.is_some() {
        work.git(&["fetch", "--quiet", "--depth=1", remote, &reference], None)
            .map_err(CommitError::Failed)?;
        let before = work.git(&["show", &format!("FETCH_HEAD:{FILE}")], None).map_err(CommitError::Failed)?;
        follows(&before, note, records)?;
    }
    let blob =
        work.git(&["hash-object", "-w", "--stdin"], Some(&note.to_string())).map_err(CommitError::Failed)?;
    let tree = work
        .git(&["mktree"], Some(&format!("100644 blob {}\t{FILE}\n", blob.trim())))
        .map_err(CommitError::Failed)?;
    let head = Checkpoint::parse(note.text()).map_err(|flaw| CommitError::Failed(flaw.to_string()))?;
    let message = format!("checkpoint of {} at size {}", head.origin, head.size);
    let mut commit = vec!["commit-tree", tree.trim(), "-m", &message];
    if let Some(parent) = &parent {
        commit.extend(["-p", parent]);
    }
    let commit = work.git(&commit, None).map_err(CommitError::Failed)?;
    let pushed = format!("{}:{reference}", commit.trim());
    work.git(&["push", "--quiet", remote, &pushed], None).map_err(CommitError::Failed)?;
    Ok(commit.trim().into())
}

/// Whether a checkpoint continues what the branch has.
fn follows(before: &str, note: &Note, records: &[Digest]) -> Result<(), CommitError> {
    let of = |text: &str| Checkpoint::parse(text).map_err(|flaw| CommitError::Failed(flaw.to_string()));
    let before = Note::parse(before)
        .map_err(|flaw| CommitError::Failed(format!("the branch holds no checkpoint: {flaw}")))?;
    let (before, now) = (of(before.text())?, of(note.text())?);
    if before.origin != now.origin {
        return Err(CommitError::Failed(format!(
            "the branch is of {}: use another for this house",
            before.origin
        )));
    }
    if before.size > now.size {
        return Err(CommitError::Refused(format!(
            "the branch has a checkpoint of {} acts, this one has {}: the end was cut off",
            before.size, now.size
        )));
    }
    match root_of(records, 0..before.size) == Some(before.root) {
        true => Ok(()),
        false => Err(CommitError::Refused(format!(
            "the branch has another history of the first {} acts",
            before.size
        ))),
    }
}

/// A repository that is thrown away.
struct ScratchRepository(PathBuf);

impl ScratchRepository {
    fn new() -> Result<Self, String> {
        let mut name = [0; 8];
        getrandom::fill(&mut name).map_err(|error| error.to_string())?;
        let dir = std::env::temp_dir().join(format!("synod-git-{:016x}", u64::from_be_bytes(name)));
        let mut builder = std::fs::DirBuilder::new();
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&dir).map_err(|error| format!("{} cannot be made: {error}", dir.display()))?;
        Ok(Self(dir))
    }

    fn git(&self, arguments: &[&str], input: Option<&str>) -> Result<String, String> {
        run(&self.0, arguments, input)
    }
}

impl Drop for ScratchRepository {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0); // it lies in the folder for such things
    }
}

fn run(dir: &Path, arguments: &[&str], input: Option<&str>) -> Result<String, String> {
    use std::io::Write as _;
    let failed = |error: std::io::Error| format!("git cannot be run: {error}");
    let mut child = Command::new("git")
        .args(arguments)
        .current_dir(dir)
        .env("GIT_DIR", dir)
        .env("GIT_TERMINAL_PROMPT", "0")
        .envs([("GIT_AUTHOR_NAME", "synod"), ("GIT_AUTHOR_EMAIL", "synod@localhost")])
        .envs([("GIT_COMMITTER_NAME", "synod"), ("GIT_COMMITTER_EMAIL", "synod@localhost")])
        .stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    if let (Some(mut stdin), Some(input)) = (child.stdin.take(), input) {
        let _ = stdin.write_all(input.as_bytes()); // git says by its exit if it did not read it
    }
    let output = child.wait_with_output().map_err(failed)?;
    match output.status.success() {
        true => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        false => {
            let said = String::from_utf8_lossy(&output.stderr);
            let said: String =
                said.trim().chars().filter(|c| !c.is_control() || *c == '\n').take(400).collect();
            Err(format!("git {} failed: {said}", arguments.first().copied().unwrap_or_default()))
        }
    }
}
