//! Letting other processes into the house that this one holds: their orders are judged like our own, and they are told
//! what came of them once it is durable. A guest that goes away while its matters run leaves them interrupted.

use std::collections::BTreeMap;
use std::io;
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::thread::JoinHandle;
use std::time::Duration;

use synod_core::house::Case;
use synod_core::kernel::{Key, MatterId};
use synod_core::matter::{Pause, Status};
use synod_core::{Command, House};
use tokio::sync::oneshot;

use crate::claims::{ABSENT, Claims, GuestId, ME, announce};
use crate::engine::{Inbox, JudgeMessage};
use crate::keeper::Several;
use crate::link::{DurableAct, GuestReply, GuestRequest, Link, Socket, VERSION, listen};
use crate::{CommittedOrder, Fault, Order};

/// Processes that may have joined at one time; each takes a thread.
const GUESTS_MOST: usize = 200;

/// How long a matter is kept for a guest of the process that held the house before. They look for the next one at once.
const RETURN_WITHIN: Duration = Duration::from_secs(2);

/// See the module. Dropping it cuts every line.
#[derive(Debug)]
pub(crate) struct Host {
    socket: Socket,
    lines: Arc<Lines>,
    thread: Option<JoinHandle<()>>,
}

/// The lines that are open.
#[derive(Debug, Default)]
struct Lines {
    over: AtomicBool,
    open: Mutex<BTreeMap<GuestId, UnixStream>>,
}

impl Lines {
    fn open(&self) -> MutexGuard<'_, BTreeMap<GuestId, UnixStream>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Host {
    /// Begins to let others into the house in `dir`.
    pub(crate) fn start(
        dir: &Path,
        inbox: &Inbox,
        house: &Arc<RwLock<House>>,
        claims: &Arc<Mutex<Claims>>,
    ) -> io::Result<Self> {
        let (listener, socket) = listen(dir)?;
        let lines = Arc::new(Lines::default());
        let desk = Reception { inbox: inbox.clone(), house: house.clone(), claims: claims.clone() };
        let taken = lines.clone();
        let thread = std::thread::Builder::new()
            .name("synod-host".into())
            .spawn(move || accept(&listener, &taken, &desk))?;
        Ok(Self { socket, lines, thread: Some(thread) })
    }

    /// Lets nobody in any more. Those who are in stay until this is dropped.
    pub(crate) fn close(mut self) -> Self {
        self.lines.over.store(true, Ordering::Release);
        // Wakes the thread, which then sees that it is over.
        let woken = self.socket.wake();
        if let Some(thread) = self.thread.take().filter(|_| woken) {
            let _ = thread.join();
        }
        self.socket.remove();
        self
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        for stream in self.lines.open().values() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

/// Interrupts, after a while, what nobody has come back for since the house was taken over.
pub(crate) fn await_absent(inbox: &Inbox, house: &Arc<RwLock<House>>, claims: &Arc<Mutex<Claims>>) {
    let desk = Reception { inbox: inbox.clone(), house: house.clone(), claims: claims.clone() };
    if !desk.claims().has(ABSENT) {
        return;
    }
    // Nobody waits for it: what still runs when this process ends is interrupted by the next.
    let wait = move || {
        std::thread::sleep(RETURN_WITHIN);
        desk.leave(ABSENT);
    };
    drop(std::thread::Builder::new().name("synod-absent".into()).spawn(wait));
}

fn accept(listener: &UnixListener, lines: &Arc<Lines>, desk: &Reception) {
    let mut last: GuestId = ME;
    for stream in listener.incoming() {
        if lines.over.load(Ordering::Acquire) {
            return;
        }
        let Ok(stream) = stream else { continue };
        if lines.open().len() >= GUESTS_MOST {
            continue; // dropping the stream tells them
        }
        last += 1;
        let (guest, line) = (last, Link::new(stream));
        let Ok(handle) = line.handle() else { continue };
        lines.open().insert(guest, handle);
        let (lines, desk) = (lines.clone(), desk.clone());
        let served = std::thread::Builder::new().name("synod-guest-line".into()).spawn({
            let lines = lines.clone();
            move || {
                desk.serve(guest, line);
                lines.open().remove(&guest);
                desk.leave(guest);
            }
        });
        if served.is_err() {
            lines.open().remove(&guest);
        }
    }
}

/// What a guest's line is served with.
#[derive(Debug, Clone)]
struct Reception {
    inbox: Inbox,
    house: Arc<RwLock<House>>,
    claims: Arc<Mutex<Claims>>,
}

impl Reception {
    fn claims(&self) -> MutexGuard<'_, Claims> {
        self.claims.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn status(&self, matter: MatterId) -> Option<Status> {
        let house = self.house.read().unwrap_or_else(PoisonError::into_inner);
        house.case(matter).map(Case::status)
    }

    /// Answers a guest until it goes, or our engine does.
    fn serve(&self, guest: GuestId, mut line: Link) {
        while let Ok(Some(request)) = line.hear::<GuestRequest>() {
            let reply = match request {
                GuestRequest::Join { version, matters } if version == VERSION => self.join(guest, &matters),
                GuestRequest::Join { version, .. } => Some(GuestReply::Failed(format!(
                    "the house is held by another version of synod ({VERSION}, this is {version}): end that process first"
                ))),
                GuestRequest::Orders(orders) => self.orders(guest, orders),
                GuestRequest::Redact(matter) => self.redact(matter),
            };
            // An engine that has ended answers nothing: the guest gives the order again to whoever comes next.
            let Some(reply) = reply else { return };
            if line.say(&reply).is_err() {
                return;
            }
        }
    }

    /// Takes a guest in that performs matters already. Those that were interrupted meanwhile go on with it.
    fn join(&self, guest: GuestId, matters: &[MatterId]) -> Option<GuestReply> {
        for matter in matters {
            self.claims().take(*matter, guest);
            if self.status(*matter) == Some(Status::Paused(Pause::Interrupted)) {
                let key = Key(format!("join/{guest}/{matter}/{}", crate::now().0).into());
                let resume = Order { key: Some(key), ..Order::operator(Command::Resume { matter: *matter }) };
                self.orders(guest, vec![resume])?;
            }
        }
        Some(GuestReply::Joined(self.house.read().unwrap_or_else(PoisonError::into_inner).seq()))
    }

    fn orders(&self, guest: GuestId, orders: Vec<Order>) -> Option<GuestReply> {
        let announced = |order: &Order| {
            order.key.as_ref().is_some_and(|key| announce(&self.claims, &self.house, key, guest))
        };
        let yours: Vec<bool> = orders.iter().map(announced).collect();
        let (reply, done) = oneshot::channel();
        let several = Several::new(orders.len(), reply);
        self.inbox.0.send(JudgeMessage::Orders(orders, several)).ok()?;
        let told = |(done, yours): (Result<CommittedOrder, Fault>, bool)| {
            done.map(|done| DurableAct::of(done, yours)).map_err(|fault| fault.to_string())
        };
        Some(GuestReply::Done(done.blocking_recv().ok()?.into_iter().zip(yours).map(told).collect()))
    }

    fn redact(&self, matter: MatterId) -> Option<GuestReply> {
        let (reply, done) = oneshot::channel();
        self.inbox.0.send(JudgeMessage::Redact(matter, reply)).ok()?;
        done.blocking_recv().ok().map(GuestReply::of_redaction)
    }

    /// A guest has gone. One that was killed leaves matters that nobody performs any more.
    fn leave(&self, guest: GuestId) {
        let left = self.claims().forget(guest);
        for matter in left {
            if self.status(matter) == Some(Status::Running) {
                self.inbox.post(Order::engine(Command::Pause { matter, why: Pause::Interrupted }));
            }
        }
    }
}
