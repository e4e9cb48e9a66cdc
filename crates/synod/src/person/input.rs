//! Reading a terminal line by line. Nothing is read before a whole line is there, so that a turn can end while somebody
//! types and the next program on this terminal loses nothing.

use std::io::BufRead as _;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::termios::{QueueSelector, tcflush};

/// How long it may take until it is seen that a turn is over.
const LOOK: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

/// Why a person gave no answer.
#[derive(Debug)]
pub(super) enum Ended {
    /// The terminal is gone: nobody can type here again.
    Closed(String),
    /// Somebody typed Ctrl-D. The terminal is still there.
    EndOfInput,
    /// The ask was given up.
    GivenUp,
}

/// The next line, without blanks around it.
pub(super) fn line(over: &AtomicBool) -> Result<String, Ended> {
    let closed = |error: &dyn std::fmt::Display| Ended::Closed(error.to_string());
    let stdin = std::io::stdin();
    let hung_up = loop {
        if over.load(Ordering::SeqCst) {
            // Half a line must not become the beginning of somebody else's.
            let _ = tcflush(&stdin, QueueSelector::IFlush);
            return Err(Ended::GivenUp);
        }
        let mut watched = [PollFd::new(&stdin, PollFlags::IN)];
        match poll(&mut watched, Some(&LOOK)) {
            Ok(0) | Err(Errno::INTR) => (),
            Ok(_) => break watched[0].revents().contains(PollFlags::HUP),
            Err(error) => return Err(closed(&error)),
        }
    };
    let mut bytes = Vec::new();
    match stdin.lock().read_until(b'\n', &mut bytes) {
        Ok(0) if hung_up => Err(closed(&"unexpected end of file")),
        Ok(0) => Err(Ended::EndOfInput),
        Ok(_) => Ok(String::from_utf8_lossy(&bytes).trim().to_string()),
        Err(error) => Err(closed(&error)),
    }
}
