//! Reading files that are cited, and holding citations against them.
//!
//! The answer to a citation must not tell its author what lies outside of the root or what is kept secret: missing, behind a link,
//! secret and forbidden are one answer. A file that changes while it is read is read again; what was read is one state of one file, and its
//! digest is of exactly these bytes.

use std::io::Read as _;
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use rustix::fs::{Stat, fstat};
use synod_core::context::Unreadable;
use synod_core::evidence::{
    self, FILE_MOST, FileFinding, FileReference, READ_MS, ReadFile, SearchDepth, Unverified,
};
use synod_core::kernel::{At, Digest};

use super::{ReadStop, Root, as_text};

/// How often a file is read that changes while it is read.
const TRIES: usize = 3;
/// What is read at a time. Between two of these somebody looks at the clock.
const CHUNK: u64 = 1 << 20;

impl Root {
    /// Holds a citation against its file. It ends in time if the disk does; [`Root::check_in_time`] ends anyway.
    pub fn check(&self, reference: &FileReference, depth: SearchDepth) -> FileFinding {
        let read = reference.clean_path().map_err(Unverified::Path);
        let read = read.and_then(|path| self.read_cited(&path, Duration::from_millis(READ_MS)));
        evidence::check(reference, read.as_ref().map_err(|why| *why), depth)
    }

    /// The same on a thread of its own, so that a disk that hangs holds nobody up for longer than a citation may take.
    pub fn check_in_time(self: &Arc<Self>, reference: &FileReference, depth: SearchDepth) -> FileFinding {
        let (reply, done) = mpsc::channel();
        let (root, cited) = (self.clone(), reference.clone());
        // Nobody may be waiting any more when it is done.
        let work = move || drop(reply.send(root.check(&cited, depth)));
        match std::thread::Builder::new().name("synod-evidence".into()).spawn(work) {
            Ok(_) => done
                .recv_timeout(Duration::from_millis(READ_MS + READ_MS / 2))
                .unwrap_or_else(|_| FileFinding::unread(Unverified::TooSlow)),
            Err(_) => FileFinding::unread(Unverified::Fault),
        }
    }

    /// A file as it is in one moment.
    fn read_cited(&self, path: &str, limit: Duration) -> Result<ReadFile, Unverified> {
        let until = Instant::now() + limit;
        for _ in 0..TRIES {
            if let Some(read) = self.read_once(path, until)? {
                return Ok(read);
            }
        }
        Err(Unverified::Changing)
    }

    /// Reads a file; `None` if it changed in the meantime.
    fn read_once(&self, path: &str, until: Instant) -> Result<Option<ReadFile>, Unverified> {
        let (mut file, before) = self.open_below(path, FILE_MOST).map_err(unverified)?;
        let mut bytes = Vec::with_capacity(usize::try_from(before.st_size).unwrap_or_default() + 1);
        loop {
            let taken = (&mut file).take(CHUNK).read_to_end(&mut bytes).map_err(|_| Unverified::Fault)?;
            match bytes.len() as u64 {
                length if length > FILE_MOST => return Err(Unverified::TooLarge { bytes: length }),
                _ if taken == 0 => break,
                _ if Instant::now() > until => return Err(Unverified::TooSlow),
                _ => (),
            }
        }
        let after = fstat(&file).map_err(|_| Unverified::Fault)?;
        let whole = u64::try_from(after.st_size).is_ok_and(|size| size == bytes.len() as u64);
        if !whole || times(&before) != times(&after) {
            return Ok(None);
        }
        let digest = Digest::of(&bytes);
        let text = as_text(bytes).map_err(|why| unverified(why.into()))?;
        Ok(Some(ReadFile { changed: changed(&after), digest, text }))
    }
}

/// When a file was written, and when anything of it last changed, as the system keeps them.
#[allow(clippy::useless_conversion, clippy::unnecessary_cast)] // the widths differ between systems
fn times(of: &Stat) -> [(i64, u64); 2] {
    [(of.st_mtime as i64, of.st_mtime_nsec as u64), (of.st_ctime as i64, of.st_ctime_nsec as u64)]
}

/// The later of both: a program can set the first to whatever it likes, but not the second.
fn changed(of: &Stat) -> Option<At> {
    let (seconds, nanos) = times(of).into_iter().max()?;
    let seconds = u64::try_from(seconds).ok()?;
    Some(At(seconds * 1000 + nanos / 1_000_000))
}

fn unverified(stop: ReadStop) -> Unverified {
    match stop {
        ReadStop::System => Unverified::Fault,
        ReadStop::File(why) => match why {
            // One answer: telling these apart would say what is there.
            Unreadable::Missing | Unreadable::Link | Unreadable::Secret | Unreadable::Denied => {
                Unverified::Unavailable
            }
            Unreadable::NotAFile => Unverified::NotAFile,
            Unreadable::TooLarge { bytes } => Unverified::TooLarge { bytes },
            Unreadable::Binary => Unverified::NotText,
            Unreadable::Empty => Unverified::EmptyFile,
            Unreadable::NoSuchLines { .. } => Unverified::Lines,
        },
    }
}
