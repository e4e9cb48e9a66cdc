//! The rule of a witness: a checkpoint is signed if it continues what was signed before.

use synod_core::kernel::Digest;
use synod_journal::tlog::{
    Checkpoint, Note, TlogError, VerifierKey, empty_root, from_base64, to_base64, verify_consistency,
};

/// The request of a house to a witness: the body of `add-checkpoint`.
#[derive(Debug, Clone)]
pub(crate) struct CosignRequest {
    /// The size that the witness signed last.
    pub(crate) old: u64,
    /// From there to the checkpoint.
    pub(crate) path: Vec<Digest>,
    pub(crate) note: Note,
}

/// More hashes than any tree needs.
const PATH_MOST: usize = 63;

impl CosignRequest {
    pub(crate) fn parse(body: &str) -> Result<Self, CosignRefusal> {
        let malformed = |why: &str| CosignRefusal::Malformed(why.into());
        let (head, note) = body.split_once("\n\n").ok_or_else(|| malformed("there is no checkpoint"))?;
        let mut lines = head.split('\n');
        let old = lines.next().and_then(|line| line.strip_prefix("old "));
        let old = old.filter(|old| *old == "0" || !old.starts_with(['0', '+']));
        let old = old
            .and_then(|old| old.parse().ok())
            .ok_or_else(|| malformed("the first line is not `old SIZE`"))?;
        let hash = |line: &str| from_base64(line)?.try_into().ok().map(Digest);
        let path: Option<Vec<Digest>> = lines.map(hash).collect();
        let path = path
            .filter(|path| path.len() <= PATH_MOST)
            .ok_or_else(|| malformed("the proof is not a list of hashes"))?;
        let note = Note::parse(note).map_err(|flaw| CosignRefusal::Malformed(flaw.to_string()))?;
        Ok(Self { old, path, note })
    }

    pub(crate) fn text(&self) -> String {
        let path: String = self.path.iter().map(|hash| to_base64(&hash.0) + "\n").collect();
        format!("old {}\n{path}\n{}", self.old, self.note)
    }
}

/// The last state of a log that a witness knows.
#[derive(Debug, Clone)]
pub(crate) struct KnownLog {
    pub(crate) keys: Vec<VerifierKey>,
    pub(crate) size: u64,
    pub(crate) root: Digest,
}

impl KnownLog {
    /// A log of which nothing was seen yet.
    pub(crate) fn new(key: VerifierKey) -> Self {
        Self { keys: vec![key], size: 0, root: empty_root() }
    }
}

/// The reason why a witness does not sign. The numbers are those of the tlog-witness protocol.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum CosignRefusal {
    #[error("{0}")]
    Malformed(String),
    #[error("this witness does not know the log {0}: add its key with `synod witness add`")]
    Unknown(String),
    #[error("the checkpoint is not signed by the key that this witness knows for {0}")]
    OtherKey(String),
    #[error("the checkpoint has {size} acts, fewer than the {old} it is said to follow")]
    Shrunk { old: u64, size: u64 },
    #[error("this witness has signed size {0} last")]
    Conflict(u64),
    #[error("this witness has signed another history of the same {0} acts")]
    Forked(u64),
    #[error("the proof does not show that size {size} continues size {old}: the history was rewritten")]
    Rewritten { old: u64, size: u64 },
}

impl CosignRefusal {
    pub(crate) fn status(&self) -> u16 {
        match self {
            Self::Malformed(_) | Self::Shrunk { .. } => 400,
            Self::OtherKey(_) => 403,
            Self::Unknown(_) => 404,
            Self::Conflict(_) | Self::Forked(_) => 409,
            Self::Rewritten { .. } => 422,
        }
    }

    /// The size that is told with a conflict.
    pub(crate) fn size(&self) -> Option<u64> {
        match self {
            Self::Conflict(size) | Self::Forked(size) => Some(*size),
            Self::Malformed(_) | Self::Unknown(_) | Self::OtherKey(_) => None,
            Self::Shrunk { .. } | Self::Rewritten { .. } => None,
        }
    }
}

/// Judges a checkpoint by what was seen of its log. The caller remembers it before it signs.
pub(crate) fn judge(request: &CosignRequest, seen: Option<&KnownLog>) -> Result<Checkpoint, CosignRefusal> {
    let head =
        Checkpoint::parse(request.note.text()).map_err(|flaw| CosignRefusal::Malformed(flaw.to_string()))?;
    let seen = seen.ok_or_else(|| CosignRefusal::Unknown(head.origin.clone()))?;
    let signed = seen
        .keys
        .iter()
        .any(|key| key.name() == head.origin && request.note.check(key) == Ok::<(), TlogError>(()));
    if !signed {
        return Err(CosignRefusal::OtherKey(head.origin));
    }
    let (old, size) = (request.old, head.size);
    if old > size {
        return Err(CosignRefusal::Shrunk { old, size });
    }
    if old != seen.size {
        return Err(CosignRefusal::Conflict(seen.size));
    }
    if old == size && head.root != seen.root {
        return Err(CosignRefusal::Forked(size));
    }
    if !verify_consistency((old, seen.root), (size, head.root), &request.path) {
        return Err(CosignRefusal::Rewritten { old, size });
    }
    Ok(head)
}
