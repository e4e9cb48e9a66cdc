//! What the world is asked for, and who performs it: one performer for each kind of task.
//!
//! Nothing is judged here. An answer is a command like any other, and one that comes too late is refused. A task for which
//! this process has no performer is left alone: another process may have one, and else the ask lapses.
//! To add a kind: a field of [`Performers`], an arm in `take`, a variant of [`Deed`].

use std::sync::Arc;

use synod_core::Command;
use synod_core::ask::WorldTask;
use synod_core::command::Delivered;
use synod_core::evidence::{FileFinding, SearchDepth, Unverified};
use synod_core::kernel::{AskId, FileReference, MatterId, Passage};
use synod_core::matter::Pause;
use tokio::sync::oneshot;

use crate::engine::Inbox;
use crate::tools::ToolSources;
use crate::{Order, Root};

/// The performers of this process, each if it was given one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Performers {
    /// Reads files.
    pub(crate) sources: Option<Arc<Root>>,
    /// Reads files that comments cite.
    pub(crate) evidence: Option<Arc<Root>>,
    /// What seats look up themselves while they answer.
    pub(crate) tools: ToolSources,
}

impl Performers {
    /// Who performs a task, ready to do it.
    pub(crate) fn take(&self, task: &WorldTask) -> Option<Deed> {
        match task {
            WorldTask::Read { file, .. } => {
                let root = self.sources.clone()?;
                Some(Deed::Read(root, file.clone()))
            }
            WorldTask::Check { files, .. } => {
                let root = self.evidence.clone()?;
                Some(Deed::Check(root, files.clone()))
            }
        }
    }
}

/// A task with what does it.
#[derive(Debug)]
pub(crate) enum Deed {
    Read(Arc<Root>, Passage),
    Check(Arc<Root>, Vec<FileReference>),
}

impl Deed {
    fn run(&self) -> Delivered {
        match self {
            Self::Read(root, file) => Delivered::Read(root.read(file)),
            Self::Check(root, files) => {
                let check = |file: &FileReference| {
                    let found = root.check_in_time(file, SearchDepth::Verdict);
                    // The house would refuse it, and its author would wait for an answer that never comes.
                    let sound = found.problem.is_some() || found.is_borne_out(file);
                    if sound { found } else { FileFinding::unread(Unverified::Fault) }
                };
                Delivered::Checked(files.iter().map(check).collect())
            }
        }
    }

    /// What to say where it breaks down inside Synod, if that can be said. A comment is let go, and its author sends it again.
    fn broken(&self) -> Option<Delivered> {
        match self {
            Self::Read(..) => None,
            Self::Check(_, files) => {
                Some(Delivered::Checked(vec![FileFinding::unread(Unverified::Fault); files.len()]))
            }
        }
    }
}

/// One ask of the world to perform.
#[derive(Debug)]
pub(crate) struct WorldJob {
    pub(crate) ask: AskId,
    pub(crate) matter: MatterId,
    pub(crate) deed: Deed,
}

/// Does it on a thread of its own: a disk that hangs holds up neither the judge nor the minds, nor the end of the process.
/// If it hangs for longer than the ask is open, the house lapses it.
pub(crate) async fn perform(job: WorldJob, inbox: Inbox) {
    let WorldJob { ask, matter, deed } = job;
    let (reply, done) = oneshot::channel();
    let broken = deed.broken();
    let work = move || drop(reply.send(deed.run()));
    let started = std::thread::Builder::new().name("synod-world".into()).spawn(work);
    let delivered = match started {
        Ok(_) => done.await.ok(),
        Err(_) => None,
    };
    inbox.post(Order::engine(match delivered.or(broken) {
        Some(delivered) => Command::Deliver { ask, delivered: Box::new(delivered) },
        // It broke down inside Synod, or no thread is to be had. That must not look like a file that is not there.
        None => Command::Pause { matter, why: Pause::Interrupted },
    }));
}
