//! Files of a house. A house may come with a clone or an archive, so nothing in it is taken for what its name says:
//! a link could lead a write outside, a pipe could hold a command up for ever, a file of any length could fill the
//! memory. Every file of a house is opened here, and nowhere else.
//!
//! Files that Synod writes are its owner's alone, whatever the directory and the umask allow, and are never reached
//! through a link. Files that people put there (settings, charters) may be links: they are only read.
//! The directory of the house itself may be a link.

use std::fs::{self, DirBuilder, File, Metadata, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Read as _, Seek as _, SeekFrom, Write as _};
use std::os::unix::fs::{
    DirBuilderExt as _, FileTypeExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _,
};
use std::path::{Path, PathBuf};

use rustix::fs::OFlags;
use rustix::io::Errno;

/// The mode of a file that is its owner's alone.
const PRIVATE: u32 = 0o600;

/// Reads a file that people put into a house, of at most so many bytes. It may be a link.
pub fn read(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    whole(opened(path, OpenOptions::new().read(true), OFlags::empty())?, most)
}

/// Reads a file that Synod wrote, of at most so many bytes.
pub fn read_own(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    whole(open_own(path)?, most)
}

/// Opens a file that Synod wrote, to read it.
pub fn open_own(path: &Path) -> io::Result<File> {
    opened(path, OpenOptions::new().read(true), OFlags::NOFOLLOW)
}

/// The whole of a file, unless it is longer.
pub fn whole(file: File, most: u64) -> io::Result<Vec<u8>> {
    let too_long = || strange(format!("it is too long: at most {most} bytes are read"));
    if file.metadata()?.len() > most {
        return Err(too_long());
    }
    let mut bytes = Vec::new();
    // One byte more than may be read tells one that grows.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    match u64::try_from(bytes.len()) {
        Ok(length) if length <= most => Ok(bytes),
        _ => Err(too_long()),
    }
}

/// Opens a file that Synod writes in place, makes it where there is none, and makes it its owner's alone.
pub fn open_to_write(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false).mode(PRIVATE);
    let file = opened(path, &mut options, OFlags::NOFOLLOW)?;
    if is_loose(&file.metadata()?) {
        file.set_permissions(Permissions::from_mode(PRIVATE))?;
    }
    Ok(file)
}

/// Adds a line to a file that only grows, and makes it where there is none. Half a line that a crash left is closed first.
pub fn append_line(path: &Path, line: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true).mode(PRIVATE);
    let mut file = opened(path, &mut options, OFlags::NOFOLLOW)?;
    let mut whole = Vec::with_capacity(line.len() + 1);
    let length = file.metadata()?.len();
    if length > 0 {
        let mut last = [0];
        file.seek(SeekFrom::Start(length - 1))?;
        file.read_exact(&mut last)?;
        if last != *b"\n" {
            whole.push(b'\n');
        }
    }
    whole.extend_from_slice(line);
    // One write at the end of the file: two processes do not mix their lines.
    file.write_all(&whole)
}

/// Makes a file anew, in the place of whatever a process that died left under that name.
pub fn create(path: &Path, mode: u32) -> io::Result<File> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
        Ok(()) | Err(_) => (),
    }
    // One that is made anew is no link, and nobody else has it open.
    OpenOptions::new().write(true).create_new(true).mode(mode).open(path)
}

/// Makes a file where there is none.
pub(crate) fn create_new(path: &Path) -> io::Result<File> {
    OpenOptions::new().write(true).create_new(true).mode(PRIVATE).open(path)
}

/// Puts a file in the place of the one before, whole or not at all. Not synced: a crash may take it.
pub fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    placed(path, |file| file.write_all(bytes))
}

/// The same for what a crash must not take.
pub fn replace_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    placed(path, |file| file.write_all(bytes).and_then(|()| file.sync_all()))
}

fn placed(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let draft = draft(path)?;
    let kept = create(&draft, PRIVATE).and_then(|mut file| write(&mut file));
    let kept = kept.and_then(|()| fs::rename(&draft, path));
    if kept.is_err() {
        let _ = fs::remove_file(&draft); // half of it is no use to anybody
    }
    kept
}

/// A name beside a file that nobody can guess, such as `m57.1f3a9c0d5b7e2846.new`: whoever may write here cannot lay
/// anything in its way.
fn draft(path: &Path) -> io::Result<PathBuf> {
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(path.with_extension(format!("{}.new", crate::hex::encode(&random))))
}

/// Makes a directory within a house where there is none; a link to one is not taken for one.
pub fn make_folder(path: &Path) -> io::Result<()> {
    match DirBuilder::new().mode(0o700).create(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => (),
        other => return other,
    }
    match fs::symlink_metadata(path)?.file_type() {
        kind if kind.is_symlink() => Err(strange(LINK.into())),
        kind if kind.is_dir() => Ok(()),
        _ => Err(strange("it is not a directory: move it away".into())),
    }
}

/// Refuses what is there under that name and is no regular file. For files that a library opens by name, and for
/// those that must not be opened here: closing them would give up the locks that this process has on them. Gives
/// whether it is there.
pub(crate) fn refuse_strange(path: &Path) -> io::Result<bool> {
    match fs::symlink_metadata(path) {
        Ok(found) => refuse_kind(&found).map(|()| true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// The same, and makes a file of ours its owner's alone.
pub(crate) fn refuse_and_tighten(path: &Path) -> io::Result<bool> {
    let there = refuse_strange(path)?;
    if there && is_loose(&fs::symlink_metadata(path)?) {
        fs::set_permissions(path, Permissions::from_mode(PRIVATE))?;
    }
    Ok(there)
}

/// Whether a file that is ours may be read or written by others.
fn is_loose(found: &Metadata) -> bool {
    found.mode() & 0o077 != 0 && found.uid() == rustix::process::geteuid().as_raw()
}

/// Opens without waiting for anybody, and gives regular files only.
fn opened(path: &Path, options: &mut OpenOptions, flags: OFlags) -> io::Result<File> {
    let flags = flags | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let file = options.custom_flags(flags.bits().cast_signed()).open(path).map_err(|error| {
        match error.raw_os_error().map(Errno::from_raw_os_error) {
            Some(Errno::LOOP | Errno::MLINK) => strange(LINK.into()),
            Some(Errno::NXIO) => strange("it is not a regular file: move it away".into()),
            _ => error,
        }
    })?;
    refuse_kind(&file.metadata()?)?;
    Ok(file)
}

const LINK: &str = "it is a symbolic link, which is not followed here: put the file itself in its place, or remove the link \
                    (the directory of a house may be a link, and settings may)";

fn refuse_kind(found: &Metadata) -> io::Result<()> {
    let kind = found.file_type();
    let what = match kind {
        _ if kind.is_file() => return Ok(()),
        _ if kind.is_symlink() => return Err(strange(LINK.into())),
        _ if kind.is_dir() => "a directory",
        _ if kind.is_fifo() => "a pipe",
        _ if kind.is_socket() => "a socket",
        _ => "a device",
    };
    Err(strange(format!("it is {what}, not a regular file: move it away")))
}

fn strange(what: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, what)
}
