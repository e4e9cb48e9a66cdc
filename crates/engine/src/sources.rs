//! The jail in which files are read for seats that ask to see them.
//!
//! The root is a folder that the operator named on the command line of this process; nothing in a house, a charter or a
//! request can name another. It is opened once. From there each name of a path is opened below the one before it, and never
//! through a symbolic link, so whatever happens to the folders in the meantime, nothing outside of the root is reached.
//! Only regular files in UTF-8 are read, none of version control, of a house, or that look like secrets.
//!
//! A hard link cannot be told from the file itself: somebody who can put one into the folder can put a copy there too. Links to the
//! secrets of our own house, and to files below the root whose names say that they are secret, are known by their inode (`links`). A link
//! to a file outside of the root looks like any other file.
//!
//! `cited` reads files for citations, which tell less about what is there.

mod cited;
mod links;

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::{AsFd as _, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Dir, DirEntry, FileType, Mode, OFlags, Stat, fstat, openat, stat, statat};
use rustix::io::Errno;
use synod_core::context::{BYTES_MOST, Excerpt, FileReading, TEXT_MOST, Unreadable};
use synod_core::kernel::{Digest, Passage, text};

use crate::secret::{holds_key, is_secret, is_secret_path};

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
        let taken = self.bytes(&passage.path).map_err(Unreadable::from);
        let taken = taken.and_then(|bytes| excerpt(bytes, passage.lines));
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
                        let bytes = self.bytes(&below).map_err(Unreadable::from);
                        let Ok(text) = bytes.and_then(as_text) else { continue };
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
    fn folder_at(&self, path: &str) -> Result<OwnedFd, ReadStop> {
        let mut within = self.folder.try_clone().map_err(ReadStop::of)?;
        for name in path.split('/').filter(|name| !name.is_empty()) {
            within = self.enter(&within, name)?;
        }
        Ok(within)
    }

    /// The whole of a file.
    fn bytes(&self, path: &str) -> Result<Vec<u8>, ReadStop> {
        let (file, _) = self.open_below(path, BYTES_MOST)?;
        let mut bytes = Vec::new();
        // One byte more than may be read tells a file that has grown since.
        file.take(BYTES_MOST + 1).read_to_end(&mut bytes).map_err(ReadStop::of)?;
        match bytes.len() as u64 {
            bytes if bytes > BYTES_MOST => Err(Unreadable::TooLarge { bytes }.into()),
            _ => Ok(bytes),
        }
    }

    /// Opens a regular file that may be read and has at most so many bytes. What the system says of it is said of what is open:
    /// whatever takes the place of its name from now on is another file.
    fn open_below(&self, path: &str, most: u64) -> Result<(File, Stat), ReadStop> {
        let names: Vec<&str> = path.split('/').collect();
        let Some((name, folders)) = names.split_last() else { return Err(Unreadable::Missing.into()) };
        // The rules of the house let no such path come here; a jail asks for itself.
        if names.iter().any(|name| matches!(*name, "" | "." | "..")) {
            return Err(Unreadable::Missing.into());
        }
        if is_secret_path(names.iter().copied()) {
            return Err(Unreadable::Secret.into());
        }
        let mut within = self.folder.try_clone().map_err(ReadStop::of)?;
        for folder in folders {
            within = self.enter(&within, folder)?;
        }
        if is_of_house(&within, name) {
            return Err(Unreadable::Secret.into());
        }
        let (file, opened) = open_file(&within, name, most)?;
        let secret =
            |name: &&str| stat(self.house.join(name)).is_ok_and(|secret| inode(&secret) == inode(&opened));
        if opened.st_nlink > 1 && (HOUSE_SECRET.iter().any(secret) || self.has_secret_name(inode(&opened))) {
            return Err(Unreadable::Secret.into());
        }
        Ok((file, opened))
    }

    fn enter(&self, within: &OwnedFd, name: &str) -> Result<OwnedFd, ReadStop> {
        match kind(within, name)? {
            FileType::Directory => (),
            FileType::Symlink => return Err(Unreadable::Link.into()),
            _ => return Err(Unreadable::Missing.into()),
        }
        let folder = openat(within, name, FOLDER, Mode::empty()).map_err(ReadStop::of)?;
        let entered = fstat(&folder).map_err(ReadStop::of)?;
        // Looked up anew each time: the house may have been made, or made again, since.
        let is_house = stat(&self.house).is_ok_and(|house| inode(&house) == inode(&entered));
        if is_house { Err(Unreadable::Secret.into()) } else { Ok(folder) }
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
fn open_file(within: &OwnedFd, name: &str, most: u64) -> Result<(File, Stat), ReadStop> {
    let regular = |kind: FileType| match kind {
        FileType::RegularFile => Ok(()),
        FileType::Symlink => Err(Unreadable::Link),
        _ => Err(Unreadable::NotAFile),
    };
    regular(kind(within, name)?)?;
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = openat(within, name, flags, Mode::empty()).map_err(ReadStop::of)?;
    let opened = fstat(file.as_fd()).map_err(ReadStop::of)?;
    regular(FileType::from_raw_mode(opened.st_mode))?;
    match u64::try_from(opened.st_size) {
        Ok(bytes) if bytes > most => Err(Unreadable::TooLarge { bytes }.into()),
        Ok(_) => Ok((File::from(file), opened)),
        Err(_) => Err(Unreadable::Denied.into()),
    }
}

fn kind(within: &OwnedFd, name: &str) -> Result<FileType, ReadStop> {
    let found = statat(within, name, AtFlags::SYMLINK_NOFOLLOW).map_err(ReadStop::of)?;
    Ok(FileType::from_raw_mode(found.st_mode))
}

#[allow(clippy::useless_conversion, clippy::unnecessary_cast)] // the widths differ between systems
fn inode(of: &Stat) -> Inode {
    (of.st_dev as u64, of.st_ino as u64)
}

/// Why a file could not be read.
#[derive(Debug)]
enum ReadStop {
    /// It is not there, or may not be read.
    File(Unreadable),
    /// The system failed: too many open files, a disk that does not answer. It says nothing about the file.
    System,
}

impl ReadStop {
    fn of(error: impl Into<io::Error>) -> Self {
        let errno = Errno::from_io_error(&error.into());
        Self::File(match errno {
            Some(Errno::NOENT | Errno::NOTDIR | Errno::NAMETOOLONG | Errno::INVAL) => Unreadable::Missing,
            Some(Errno::LOOP) => Unreadable::Link,
            Some(Errno::NXIO) => Unreadable::NotAFile,
            Some(Errno::ACCESS | Errno::PERM) => Unreadable::Denied,
            Some(_) | None => return Self::System,
        })
    }
}

impl From<Unreadable> for ReadStop {
    fn from(why: Unreadable) -> Self {
        Self::File(why)
    }
}

impl From<ReadStop> for Unreadable {
    fn from(stop: ReadStop) -> Self {
        match stop {
            ReadStop::File(why) => why,
            ReadStop::System => Self::Denied,
        }
    }
}

/// Files of a house that let their holder sign or write, in lower case.
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
