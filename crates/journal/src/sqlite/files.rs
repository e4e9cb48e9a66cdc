//! Whether the files that are written are still those that the house has. Somebody may have removed or replaced them; what is
//! written then is gone with this process.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

/// Which files they are, once they were written to.
#[derive(Debug, Default)]
pub(super) struct WrittenFiles(Option<[(u64, u64); 2]>);

impl WrittenFiles {
    /// Whether the journal and its log are where they were. To be asked after something was written.
    pub(super) fn are_there(&mut self, journal: &Path) -> bool {
        let Some(now) = identities(journal) else { return false };
        *self.0.get_or_insert(now) == now
    }

    /// Forgets which files they are, for when they were opened afresh.
    pub(super) fn forget(&mut self) {
        self.0 = None;
    }
}

fn identities(journal: &Path) -> Option<[(u64, u64); 2]> {
    let of = |path: &Path| fs::symlink_metadata(path).ok().map(|found| (found.dev(), found.ino()));
    let mut log = journal.as_os_str().to_os_string();
    log.push("-wal");
    Some([of(journal)?, of(Path::new(&log))?])
}
