//! The private line between the process that holds a house and those that have joined it: one JSON value a line, a
//! request and its reply, over a Unix socket in the house that only its owner can open.
//!
//! No key, token or command of a seat ever crosses it: each process performs with its own environment. Both ends are
//! blocking and on threads of their own, so that an engine can end without a runtime.

use std::io::{self, BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use synod_core::Act;
use synod_core::kernel::{Key, MatterId, Seq};

use crate::{Acknowledgement, CommittedOrder, Fault, Order, Promise, Redacted};

const SOCKET: &str = "orders.sock";

/// The longest line that is read. The longest acts hold a few megabytes of context.
const LINE_MOST: u64 = 64 << 20;
/// How long the other end may take for a reply. Longer means that it is stopped, or its disk is.
const PATIENCE: Duration = Duration::from_secs(60);
/// Both ends must mean the same by an order.
pub(crate) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A message from a guest.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum GuestRequest {
    /// It comes in, and performs these matters already.
    Join { version: String, matters: Vec<MatterId> },
    /// It gives orders, each judged for itself.
    Orders(Vec<Order>),
    /// The words of a matter shall go.
    Redact(MatterId),
}

/// A message to a guest.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum GuestReply {
    /// It is in; the house stands at this act.
    Joined(Seq),
    /// What became of each order.
    Done(Vec<Result<DurableAct, String>>),
    /// What became of a redaction.
    Redacted { act: Option<Box<ActText>>, acts: usize },
    /// It cannot be done, and why.
    Failed(String),
}

/// An act as text inside the line, so that the large code that reads acts is the core's own and not compiled here once more.
#[derive(Debug)]
pub(crate) struct ActText(pub(crate) Act);

impl Serialize for ActText {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&self.0.to_json().map_err(serde::ser::Error::custom)?)
    }
}

impl<'de> Deserialize<'de> for ActText {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Act::from_json(&String::deserialize(from)?).map(Self).map_err(serde::de::Error::custom)
    }
}

/// The same for the command of an order.
pub(crate) mod command_text {
    use serde::{Deserialize as _, Deserializer, Serializer};
    use synod_core::Command;

    pub(crate) fn serialize<S: Serializer>(command: &Command, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&command.to_json().map_err(serde::ser::Error::custom)?)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Command, D::Error> {
        Command::from_json(&String::deserialize(from)?).map_err(serde::de::Error::custom)
    }
}

/// An act that is durable.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct DurableAct {
    act: ActText,
    repeated: bool,
    /// Whether what comes of it is the guest's to perform.
    yours: bool,
    /// What whoever gave the order can hold against the house.
    #[serde(default)]
    acknowledged: Option<Acknowledgement>,
}

impl DurableAct {
    pub(crate) fn of(done: CommittedOrder, yours: bool) -> Self {
        let acknowledged = done.promise.map(|promise| promise.acknowledgement());
        Self {
            act: ActText(std::sync::Arc::unwrap_or_clone(done.act)),
            repeated: done.repeated,
            yours,
            acknowledged,
        }
    }

    /// The key of an act that is the guest's.
    pub(crate) fn own_key(&self) -> Option<&Key> {
        self.act.0.key.as_ref().filter(|_| self.yours)
    }

    pub(crate) fn done(self) -> CommittedOrder {
        let promise = self.acknowledged.map(Promise::told);
        CommittedOrder { act: self.act.0.into(), repeated: self.repeated, promise }
    }
}

impl GuestReply {
    pub(crate) fn of_redaction(done: Result<Redacted, Fault>) -> Self {
        match done {
            Ok(Redacted { act, acts }) => Self::Redacted {
                act: act.map(|act| Box::new(ActText(std::sync::Arc::unwrap_or_clone(act)))),
                acts,
            },
            Err(fault) => Self::Failed(fault.to_string()),
        }
    }
}

/// One end of the line.
#[derive(Debug)]
pub(crate) struct Link(BufReader<UnixStream>);

impl Link {
    pub(crate) fn new(stream: UnixStream) -> Self {
        Self(BufReader::new(stream))
    }

    /// Calls the process that lets others into the house in `dir`, if there is one.
    pub(crate) fn call(dir: &Path) -> io::Result<Self> {
        // Looked for first: most houses have none, and nothing needs to be made to learn that.
        // A link could lead to the socket of another program.
        if !std::fs::symlink_metadata(dir.join(SOCKET))?.file_type().is_socket() {
            return Err(ErrorKind::InvalidInput.into());
        }
        let stream = UnixStream::connect(Short::of(dir)?.path.join(SOCKET))?;
        stream.set_read_timeout(Some(PATIENCE))?;
        stream.set_write_timeout(Some(PATIENCE))?;
        Ok(Self::new(stream))
    }

    /// A second handle on the same line, to cut it.
    pub(crate) fn handle(&self) -> io::Result<UnixStream> {
        self.0.get_ref().try_clone()
    }

    /// Whether the other end is still there. Looked at between a reply and the next request, when nothing may come.
    pub(crate) fn is_up(&mut self) -> bool {
        let stream = self.0.get_ref();
        let looked = stream.set_nonblocking(true).and_then(|()| (&*stream).read(&mut [0]));
        let again = stream.set_nonblocking(false);
        again.is_ok() && looked.is_err_and(|error| error.kind() == ErrorKind::WouldBlock)
    }

    /// Says something and waits for the reply.
    pub(crate) fn ask(&mut self, request: &GuestRequest) -> io::Result<GuestReply> {
        self.say(request)?;
        self.hear()?.ok_or_else(|| ErrorKind::UnexpectedEof.into())
    }

    pub(crate) fn say(&mut self, word: &impl Serialize) -> io::Result<()> {
        let mut line = serde_json::to_vec(word).map_err(io::Error::other)?;
        line.push(b'\n');
        self.0.get_mut().write_all(&line)
    }

    /// What the other end says next; none when it has gone.
    pub(crate) fn hear<T: DeserializeOwned>(&mut self) -> io::Result<Option<T>> {
        let mut line = Vec::new();
        let mut bounded = (&mut self.0).take(LINE_MOST);
        if bounded.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        // Half a line is the end of a process that was killed.
        match line.ends_with(b"\n") {
            true => serde_json::from_slice(&line).map(Some).map_err(io::Error::other),
            false => Err(ErrorKind::UnexpectedEof.into()),
        }
    }
}

/// The longest path that every system takes for a socket, with room for the names in it.
const PATH_MOST: usize = 70;

/// A path to a house that is short enough for a socket in it: the house's own, or a link to it that goes when this is
/// dropped.
struct Short {
    path: PathBuf,
    made: Option<PathBuf>,
}

impl Short {
    fn of(dir: &Path) -> io::Result<Self> {
        if dir.as_os_str().len() <= PATH_MOST {
            return Ok(Self { path: dir.into(), made: None });
        }
        let made = std::env::temp_dir().join(format!("synod-{}", crate::guest::token()));
        std::fs::DirBuilder::new().mode(0o700).create(&made)?;
        let path = made.join("h");
        let short = Self { path: path.clone(), made: Some(made) };
        std::os::unix::fs::symlink(dir.canonicalize()?, path)?;
        Ok(short)
    }
}

impl Drop for Short {
    fn drop(&mut self) {
        if let Some(made) = &self.made {
            // The link itself goes, never what it leads to.
            let _ = std::fs::remove_file(&self.path).and_then(|()| std::fs::remove_dir(made));
        }
    }
}

/// Listens in the house. Only the process that holds the house may: it replaces the socket of one that was killed.
pub(crate) fn listen(dir: &Path) -> io::Result<(UnixListener, Socket)> {
    // Made in a directory that nobody else can enter, so that nobody connects before its mode is set.
    let short = Short::of(dir)?;
    let private = short.path.join(format!(".orders-{}", crate::guest::token()));
    std::fs::DirBuilder::new().mode(0o700).create(&private)?;
    let (draft, path) = (private.join("s"), dir.join(SOCKET));
    let listening = || {
        let listener = UnixListener::bind(&draft)?;
        std::fs::set_permissions(&draft, std::fs::Permissions::from_mode(0o600))?;
        let socket = Socket { inode: std::fs::symlink_metadata(&draft)?.ino(), path: path.clone() };
        std::fs::rename(&draft, &path)?;
        Ok((listener, socket))
    };
    let listening: io::Result<(UnixListener, Socket)> = listening();
    let _ = std::fs::remove_dir_all(&private);
    listening
}

/// The socket of this process.
#[derive(Debug)]
pub(crate) struct Socket {
    path: PathBuf,
    inode: u64,
}

impl Socket {
    /// Calls ourselves, to wake whoever listens.
    pub(crate) fn wake(&self) -> bool {
        self.is_ours() && self.path.parent().is_some_and(|dir| Link::call(dir).is_ok())
    }

    /// Takes it away, unless the next process has put its own in its place.
    pub(crate) fn remove(&self) {
        if self.is_ours() {
            let _ = std::fs::remove_file(&self.path); // one that nobody listens on misleads nobody
        }
    }

    fn is_ours(&self) -> bool {
        std::fs::symlink_metadata(&self.path).is_ok_and(|found| found.ino() == self.inode)
    }
}
