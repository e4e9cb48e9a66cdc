//! Reading files that settings and seats name. They may come with a clone, so a pipe or a device must hold nobody up
//! and a file of any length must not fill the memory. The journal's crate does the same for files of a house; minds know
//! no journal.

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::fs::OFlags;
use rustix::io::Errno;

/// The longest file of settings that is read.
pub(crate) const SETTINGS_MOST: u64 = 1 << 20;

/// Opens a regular file to read it, without waiting for anybody.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    let flags = OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY;
    let strange = || io::Error::new(ErrorKind::InvalidInput, "it is not a regular file: move it away");
    let opened = OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path);
    let file = opened.map_err(|error| match error.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::NXIO) => strange(),
        _ => error,
    })?;
    if file.metadata()?.is_file() { Ok(file) } else { Err(strange()) }
}

/// Reads a text of at most so many bytes.
pub(crate) fn read(file: File, most: u64) -> io::Result<String> {
    let mut text = String::new();
    let long =
        io::Error::new(ErrorKind::InvalidInput, format!("it is too long: at most {most} bytes are read"));
    if file.metadata()?.len() > most {
        return Err(long);
    }
    // One byte more than may be read tells one that grows.
    file.take(most.saturating_add(1)).read_to_string(&mut text)?;
    if text.len() as u64 > most { Err(long) } else { Ok(text) }
}
