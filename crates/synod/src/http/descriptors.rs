//! File descriptors: how many connections a service takes, so that it can always write.
//!
//! Every connection needs one descriptor, and so does every file the journal and its readers open. Connections are
//! bounded so that some are left for files, and those that stay open (feeds and waiting requests) so that some are
//! left for connections that write.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

/// Connections at one time, however many descriptors there are.
const CONNECTIONS_MOST: u64 = 4096;
/// Descriptors that no connection gets, at least: the journal and its readers, tokens, charters, receipts, Redis.
const FILES: u64 = 64;
/// What is assumed where there is no limit, or the system does not tell.
const PLENTY: u64 = 1 << 20;

/// How many descriptors may be used for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Descriptors {
    /// Connections at one time. More wait in the system's queue.
    pub(crate) connections: usize,
    /// Connections that may stay open: feeds, and requests that wait for a turn.
    pub(crate) staying: usize,
}

impl Descriptors {
    /// Raises the soft limit of this process to its hard limit, and shares out what there is.
    pub(crate) fn raise() -> Self {
        let limit = getrlimit(Resource::Nofile);
        // The system may still say no, and then what there is has to do.
        let raised = setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum });
        let most = if raised.is_ok() { limit.maximum } else { limit.current };
        Self::shared_out(most.unwrap_or(PLENTY))
    }

    fn shared_out(most: u64) -> Self {
        let files = FILES.max(most / 8);
        let connections = most.saturating_sub(files).clamp(8, CONNECTIONS_MOST);
        Self { connections: connections as usize, staying: (connections - connections.div_ceil(4)) as usize }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn some_are_always_left_for_files_and_for_writers() {
        for most in [64, 100, 256, 1024, 4096, 20_000, PLENTY] {
            let Descriptors { connections, staying } = Descriptors::shared_out(most);
            assert!(staying < connections && connections - staying >= connections / 4, "of {most}");
            assert!(most < 100 || connections as u64 + FILES <= most, "of {most}");
        }
        assert_eq!(Descriptors::shared_out(256), Descriptors { connections: 192, staying: 144 });
        assert_eq!(Descriptors::shared_out(1024), Descriptors { connections: 896, staying: 672 });
        assert_eq!(Descriptors::shared_out(20_000), Descriptors { connections: 4096, staying: 3072 });
    }
}
