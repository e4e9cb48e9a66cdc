//! The jail in which files are read for seats that ask to see them.
//!
//! The root is a folder that the operator named on the command line of this process; nothing in a house, a charter or a
//! request can name another. It is opened once. From there each name of a path is opened below the one before it, and never
//! through a symbolic link, so whatever happens to the folders in the meantime, nothing outside of the root is reached.
//! Only regular files in UTF-8 are read, none of version control, of a house, or that look like secrets.
//!
//! A hard link cannot be told from the file itself: whoever can put one into the folder can put a copy there too.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Dir, DirEntry, FileType, Mode, OFlags, Stat, fstat, openat, stat, statat};
use rustix::io::Errno;
use synod_core::context::{BYTES_MOST, Excerpt, FileReading, TEXT_MOST, Unreadable};
use synod_core::kernel::{Digest, Passage, text};

use crate::secret::{holds_key, is_secret};

/// A folder below which files may be read.
#[derive(Debug)]
pub struct Root {
    folder: OwnedFd,
    /// The house, wherever it lies and whatever it is called: it holds the key that signs receipts.
    house: PathBuf,
}

/// What tells one file or folder from every other.
type Inode = (u64, u64);

impl Root {
    /// Opens a folder; `house` is the house that files are read for. The folder may not lie in the house.
    pub fn open(folder: &Path, house: &Path) -> io::Result<Self> {
        let whole = folder.canonicalize()?;
        if house.canonicalize().is_ok_and(|house| whole.starts_with(house)) {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is the house itself, or lies in it"));
        }
        let folder = openat(CWD, &whole, FOLDER, Mode::empty())?;
        Ok(Self { folder, house: std::path::absolute(house)? })
    }

    /// Reads a passage. What cannot be read, or must not, is an answer too.
    pub fn read(&self, passage: &Passage) -> FileReading {
        let taken = self.bytes(&passage.path).and_then(|bytes| excerpt(bytes, passage.lines));
        taken.map_or_else(FileReading::Unreadable, FileReading::Taken)
    }

    /// The files that can be asked for, the highest first, and whether there are more than these. Hidden files and what
    /// build tools leave behind are not listed, and folders that cannot be read are passed over.
    pub fn list(&self) -> (Vec<String>, bool) {
        let (mut listed, mut looked) = (Vec::new(), 0);
        let mut folders = VecDeque::from([(self.folder.try_clone().ok(), String::new())]);
        while let Some((folder, path)) = folders.pop_front() {
            let Some(folder) = folder else { continue };
            for name in names(&folder) {
                looked += 1;
                if listed.len() >= LISTED_MOST || looked > LOOKED_MOST {
                    return (listed, true);
                }
                let below = format!("{path}{name}");
                match kind(&folder, &name) {
                    Ok(FileType::RegularFile) => listed.push(below),
                    Ok(FileType::Directory) => {
                        folders.push_back((self.enter(&folder, &name).ok(), format!("{below}/")));
                    }
                    Ok(_) | Err(_) => (),
                }
            }
        }
        (listed, false)
    }

    /// Lines of files that contain a text, upper and lower case being the same, each as `path:line: text`; and whether there
    /// are more. What is not listed is not searched, and neither is what may not be read.
    pub fn search(&self, wanted: &str, most: usize) -> (Vec<String>, bool) {
        let wanted = wanted.trim().to_lowercase();
        let (mut found, mut looked, mut read) = (Vec::new(), 0, 0);
        let mut folders = VecDeque::from([String::new()]);
        while let Some(path) = folders.pop_front() {
            let Ok(folder) = self.folder_at(&path) else { continue };
            for name in names(&folder) {
                looked += 1;
                if looked > SEARCHED_MOST || read > SEARCHED_BYTES_MOST {
                    return (found, true);
                }
                let below = format!("{path}{name}");
                match kind(&folder, &name) {
                    Ok(FileType::Directory) => folders.push_back(format!("{below}/")),
                    Ok(FileType::RegularFile) => {
                        let Ok(text) = self.bytes(&below).and_then(as_text) else { continue };
                        read += text.len();
                        let hits =
                            text.lines().zip(1..).filter(|(line, _)| line.to_lowercase().contains(&wanted));
                        for (line, nth) in hits {
                            if found.len() >= most {
                                return (found, true);
                            }
                            found.push(format!("{below}:{nth}: {}", text::excerpt(line.trim(), 200)));
                        }
                    }
                    Ok(_) | Err(_) => (),
                }
            }
        }
        (found, false)
    }

    /// A folder by its path, which ends with a slash unless it is the root.
    fn folder_at(&self, path: &str) -> Result<OwnedFd, Unreadable> {
        let mut within = self.folder.try_clone().map_err(|_| Unreadable::Denied)?;
        for name in path.split('/').filter(|name| !name.is_empty()) {
            within = self.enter(&within, name)?;
        }
        Ok(within)
    }

    /// The whole of a file.
    fn bytes(&self, path: &str) -> Result<Vec<u8>, Unreadable> {
        let names: Vec<&str> = path.split('/').collect();
        let Some((name, folders)) = names.split_last() else { return Err(Unreadable::Missing) };
        // The rules of the house let no such path come here; a jail asks for itself.
        if names.iter().any(|name| matches!(*name, "" | "." | "..")) {
            return Err(Unreadable::Missing);
        }
        if names.iter().any(|name| is_secret(name)) {
            return Err(Unreadable::Secret);
        }
        let mut within = self.folder.try_clone().map_err(|_| Unreadable::Denied)?;
        for folder in folders {
            within = self.enter(&within, folder)?;
        }
        if is_of_house(&within, name) {
            return Err(Unreadable::Secret);
        }
        let file = open_file(&within, name)?;
        let mut bytes = Vec::new();
        // One byte more than may be read tells a file that has grown since.
        let read = file.take(BYTES_MOST + 1).read_to_end(&mut bytes);
        match read {
            Err(_) => Err(Unreadable::Denied),
            Ok(_) if bytes.len() as u64 > BYTES_MOST => {
                Err(Unreadable::TooLarge { bytes: bytes.len() as u64 })
            }
            Ok(_) => Ok(bytes),
        }
    }

    fn enter(&self, within: &OwnedFd, name: &str) -> Result<OwnedFd, Unreadable> {
        match kind(within, name)? {
            FileType::Directory => (),
            FileType::Symlink => return Err(Unreadable::Link),
            _ => return Err(Unreadable::Missing),
        }
        let folder = openat(within, name, FOLDER, Mode::empty()).map_err(unreadable)?;
        let entered = fstat(&folder).map_err(unreadable)?;
        // Looked up anew each time: the house may have been made, or made again, since.
        let is_house = stat(&self.house).is_ok_and(|house| inode(&house) == inode(&entered));
        if is_house { Err(Unreadable::Secret) } else { Ok(folder) }
    }
}

/// The most files that are listed: enough to find one's way, and little beside what is said.
const LISTED_MOST: usize = 200;
/// The most names that are looked at for it, and so the most folders that are open at a time.
const LOOKED_MOST: usize = 1000;
/// The most names that one search looks at, and the most bytes that it reads.
const SEARCHED_MOST: usize = 20_000;
const SEARCHED_BYTES_MOST: usize = 32 << 20;
/// Folders that build tools fill.
const BUILT: [&str; 3] = ["node_modules", "target", "__pycache__"];

/// The names in a folder that may be listed, in order.
fn names(folder: &OwnedFd) -> Vec<String> {
    let Ok(entries) = Dir::read_from(folder) else { return Vec::new() };
    let name =
        |entry: rustix::io::Result<DirEntry>| entry.ok()?.file_name().to_str().ok().map(str::to_string);
    let shown = |name: &String| {
        !name.starts_with('.')
            && !BUILT.contains(&name.as_str())
            && !is_secret(name)
            && !is_of_house(folder, name)
    };
    // What cannot be asked for by that name need not be listed.
    let can_be_asked_for = |name: &String| Passage::parse(name).is_some_and(|file| file.path == *name);
    let mut names: Vec<String> = entries.filter_map(name).filter(shown).filter(can_be_asked_for).collect();
    names.sort();
    names
}

/// A folder, and no link to one.
const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// Opens a regular file. It is looked at before, because opening a device may already do something, and again after:
/// it may have become another in between. A pipe that takes its place must not hold anybody up.
fn open_file(within: &OwnedFd, name: &str) -> Result<File, Unreadable> {
    let regular = |kind: FileType| match kind {
        FileType::RegularFile => Ok(()),
        FileType::Symlink => Err(Unreadable::Link),
        _ => Err(Unreadable::NotAFile),
    };
    regular(kind(within, name)?)?;
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = openat(within, name, flags, Mode::empty()).map_err(unreadable)?;
    let opened = fstat(file.as_fd()).map_err(unreadable)?;
    regular(FileType::from_raw_mode(opened.st_mode))?;
    match u64::try_from(opened.st_size) {
        Ok(bytes) if bytes > BYTES_MOST => Err(Unreadable::TooLarge { bytes }),
        Ok(_) => Ok(File::from(file)),
        Err(_) => Err(Unreadable::Denied),
    }
}

fn kind(within: &OwnedFd, name: &str) -> Result<FileType, Unreadable> {
    let found = statat(within, name, AtFlags::SYMLINK_NOFOLLOW).map_err(unreadable)?;
    Ok(FileType::from_raw_mode(found.st_mode))
}

#[allow(clippy::useless_conversion, clippy::unnecessary_cast)] // the widths differ between systems
fn inode(of: &Stat) -> Inode {
    (of.st_dev as u64, of.st_ino as u64)
}

fn unreadable(errno: Errno) -> Unreadable {
    match errno {
        Errno::NOENT | Errno::NOTDIR | Errno::NAMETOOLONG | Errno::INVAL => Unreadable::Missing,
        Errno::LOOP => Unreadable::Link,
        Errno::NXIO => Unreadable::NotAFile,
        _ => Unreadable::Denied,
    }
}

/// Files of a house that whoever has them can sign or write with, in lower case.
const HOUSE_SECRET: [&str; 3] = ["key", "service.json", "tokens.json"];

/// Whether a file is a secret of some house, ours or another: one lies where a journal does.
fn is_of_house(folder: &OwnedFd, name: &str) -> bool {
    HOUSE_SECRET.contains(&name.to_lowercase().as_str()) && kind(folder, "journal.db").is_ok()
}

/// Bytes as a text that may be shown.
fn as_text(bytes: Vec<u8>) -> Result<String, Unreadable> {
    let text = String::from_utf8(bytes).map_err(|_| Unreadable::Binary)?;
    match text {
        text if text.contains('\0') => Err(Unreadable::Binary),
        text if holds_key(&text) => Err(Unreadable::Secret),
        text => Ok(text),
    }
}

/// The lines of a text that were asked for, as many as may be taken.
fn excerpt(bytes: Vec<u8>, lines: Option<(u32, u32)>) -> Result<Excerpt, Unreadable> {
    let digest = Digest::of(&bytes);
    let text = as_text(bytes)?;
    let of = u32::try_from(text.lines().count()).unwrap_or(u32::MAX);
    let (from, last) = lines.map_or((1, of), |(from, to)| (from, to.min(of)));
    match of {
        0 => return Err(Unreadable::Empty),
        _ if from > of => return Err(Unreadable::NoSuchLines { of }),
        _ => (),
    }
    let (mut taken, mut to, mut left) = (String::new(), from, TEXT_MOST);
    for (line, nth) in text.lines().skip(from as usize - 1).zip(from..=last) {
        let needed = line.chars().count() + usize::from(nth > from);
        if needed > left {
            // Of a line that is too long for itself, its beginning is better than nothing.
            if nth == from {
                taken = line.chars().take(left).collect();
            }
            return Ok(Excerpt { cut: true, digest, from, of, text: taken, to });
        }
        if nth > from {
            taken.push('\n');
        }
        taken.push_str(line);
        (to, left) = (nth, left - needed);
    }
    Ok(Excerpt { cut: false, digest, from, of, text: taken, to })
}
