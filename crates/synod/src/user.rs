//! What belongs to the user and to no house: kept outside of every folder that somebody else could have made.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use synod_journal::HouseKey;

/// A journal below this size has fewer acts than a house with a snapshot, so no key is made for it.
const SMALL: u64 = 256 << 10;

/// Where this user's own files lie: `$XDG_STATE_HOME/synod`, else `~/.local/state/synod`.
pub(crate) fn state_dir() -> Option<PathBuf> {
    let state = absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")));
    Some(state?.join("synod"))
}

/// Where this user's own settings lie: `$XDG_CONFIG_HOME/synod`, else `~/.config/synod`.
pub(crate) fn config_dir() -> Option<PathBuf> {
    let config = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")));
    Some(config?.join("synod"))
}

/// A path that a variable names. A relative one would lead into whatever folder the command runs in.
fn absolute(name: &str) -> Option<PathBuf> {
    std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute())
}

/// The key that snapshots are signed with, if there is one.
pub(crate) fn snapshot_key() -> Option<HouseKey> {
    HouseKey::load(&state_dir()?).ok()?
}

/// The same for whoever writes snapshots: made now, unless the house is so small that it has none.
pub(crate) fn snapshot_key_for(house: &Path, stays: bool) -> Option<Arc<HouseKey>> {
    let large = || house.join("journal.db").metadata().is_ok_and(|journal| journal.len() >= SMALL);
    let key = if stays || large() { HouseKey::load_or_create(&state_dir()?).ok() } else { snapshot_key() };
    key.map(Arc::new)
}
