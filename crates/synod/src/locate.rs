//! Where the house is: `.synod` in the working directory, else in one above it, as git looks for `.git`.
//!
//! The search ends at another file system and at a folder of another user, and takes no house that belongs to another
//! user: whoever can write above us must not choose our rules. One here that belongs to another user is refused. What --house or SYNOD_HOUSE names is not searched for.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

/// The usual name of a house.
pub(crate) const USUAL: &str = ".synod";

/// The house above the working directory, if there is none in it; as a path that leads there from here.
pub(crate) fn above() -> Option<PathBuf> {
    let here = std::env::current_dir().ok()?;
    if here.join(USUAL).symlink_metadata().is_ok() {
        return None;
    }
    search(&here, rustix::process::geteuid().as_raw())
}

/// Whether the house in the working directory, or what it is a link to, belongs to another user. Folders that several
/// people can write to have such houses for whoever comes along.
pub(crate) fn is_foreign() -> bool {
    let user = rustix::process::geteuid().as_raw();
    let house = Path::new(USUAL);
    let is_anothers =
        |found: std::io::Result<std::fs::Metadata>| found.is_ok_and(|found| found.uid() != user);
    is_anothers(house.symlink_metadata()) || is_anothers(house.metadata())
}

/// The house in a folder or above it, by the same rules.
pub(crate) fn above_of(folder: &Path) -> Option<PathBuf> {
    let user = rustix::process::geteuid().as_raw();
    let own = folder.join(USUAL);
    if own.symlink_metadata().is_ok_and(|house| house.is_dir() && house.uid() == user) {
        return Some(own);
    }
    search(folder, user).map(|up| folder.join(up))
}

fn search(here: &Path, user: u32) -> Option<PathBuf> {
    let device = here.metadata().ok()?.dev();
    let mut up = PathBuf::new();
    for folder in here.ancestors().skip(1) {
        up.push("..");
        let found = folder.metadata().ok()?;
        if found.uid() != user || found.dev() != device {
            return None;
        }
        // A link is not followed: it may lead to a house of somebody else.
        let house = folder.join(USUAL).symlink_metadata();
        if house.is_ok_and(|house| house.is_dir() && house.uid() == user) {
            return Some(up.join(USUAL));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_house_above_is_found_and_none_of_another_user() {
        let root = tempfile::tempdir().unwrap();
        let user = rustix::process::geteuid().as_raw();
        let deep = root.path().join("a/b/c");
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::create_dir(root.path().join("a").join(USUAL)).unwrap();
        assert_eq!(search(&deep, user), Some(PathBuf::from("../../.synod")));
        std::fs::create_dir(root.path().join("a/b").join(USUAL)).unwrap();
        assert_eq!(search(&deep, user), Some(PathBuf::from("../.synod")));
        // To another user these folders are a stranger's.
        assert_eq!(search(&deep, user.wrapping_add(1)), None);
    }

    #[test]
    fn a_file_and_a_link_are_no_house() {
        let root = tempfile::tempdir().unwrap();
        let user = rustix::process::geteuid().as_raw();
        let deep = root.path().join("a/b");
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::create_dir(root.path().join("elsewhere")).unwrap();
        std::os::unix::fs::symlink(root.path().join("elsewhere"), root.path().join("a").join(USUAL)).unwrap();
        assert_eq!(search(&deep, user), None);
        std::fs::remove_file(root.path().join("a").join(USUAL)).unwrap();
        std::fs::write(root.path().join("a").join(USUAL), "text").unwrap();
        assert_eq!(search(&deep, user), None);
    }
}
