//! Other names of a file that has several: whether one of them says that it is secret.
//!
//! Nobody can ask a system for the names of a file, so they are looked for below the root, as far as a look takes. Files with one name,
//! which are nearly all, cost nothing. What lies outside of the root is not found: whoever can link to it can copy it too.

use std::collections::VecDeque;
use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, Dir, FileType, Mode, openat, statat};

use super::{BUILT, FOLDER, Inode, Root, inode};
use crate::secret::is_secret_path;

/// The most names that are looked at. A project has fewer; a folder of build results is passed over.
const NAMES_MOST: usize = 50_000;
/// The most folders that wait to be looked at, each with its handle.
const FOLDERS_MOST: usize = 500;
/// What version control keeps, under names that say nothing.
const OBJECTS: &str = "objects";

impl Root {
    /// Whether a file has a name below the root that says that it is secret.
    pub(super) fn has_secret_name(&self, wanted: Inode) -> bool {
        let mut folders: VecDeque<(Option<OwnedFd>, String)> =
            VecDeque::from([(self.folder.try_clone().ok(), String::new())]);
        let mut looked = 0;
        while let Some((folder, path)) = folders.pop_front() {
            let Some((folder, entries)) = folder.and_then(|folder| {
                let entries = Dir::read_from(&folder).ok()?;
                Some((folder, entries))
            }) else {
                continue;
            };
            for entry in entries.filter_map(Result::ok) {
                let name = entry.file_name();
                let Ok(text) = name.to_str() else { continue };
                looked += 1;
                if looked > NAMES_MOST {
                    return false;
                }
                if matches!(text, "." | ".." | OBJECTS) || BUILT.contains(&text) {
                    continue;
                }
                let Ok(found) = statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW) else { continue };
                let below = format!("{path}{text}");
                match FileType::from_raw_mode(found.st_mode) {
                    FileType::RegularFile if inode(&found) == wanted && is_secret_path(below.split('/')) => {
                        return true;
                    }
                    FileType::Directory if folders.len() < FOLDERS_MOST => {
                        let folder = openat(&folder, name, FOLDER, Mode::empty()).ok();
                        folders.push_back((folder, format!("{below}/")));
                    }
                    _ => (), // another file, or nothing that is read
                }
            }
        }
        false
    }
}
