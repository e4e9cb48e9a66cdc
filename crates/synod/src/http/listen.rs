//! Connections: taken, bounded, and ended in time.
//!
//! A connection that brings no request, or does not take its answer, is dropped; so is one that shows no good token in
//! time, and everything that is still open a moment after the service was told to end. Who has to go when too many have
//! come is decided by `crowd`.

use std::io;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use hyper::body::Body as _;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Sleep;
use tower_service::Service as _;

use super::crowd::{Crowd, CrowdConnection};
use crate::out;

/// How long a request's head may take to come, and how long a connection may idle.
const HEAD_TIME: Duration = Duration::from_secs(60);
/// How long a connection may stay that has shown no good token. A body may take less (`--body-within`).
const STRANGER_TIME: Duration = Duration::from_secs(20);
/// The most headers of a request.
const HEADERS_MOST: usize = 64;
/// How long what is under way may take once the service ends.
const GRACE: Duration = Duration::from_secs(3);
/// What may wait inside the process for a slow reader, in bytes; as much again waits in the system.
const WAITING: usize = 64 << 10;

/// Listens. What the system keeps for a slow reader is bounded with the rest.
pub(crate) fn bind(address: std::net::SocketAddr) -> io::Result<TcpListener> {
    let socket = match address.is_ipv4() {
        true => tokio::net::TcpSocket::new_v4()?,
        false => tokio::net::TcpSocket::new_v6()?,
    };
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(WAITING as u32)?;
    socket.bind(address)?;
    socket.listen(1024)
}

/// What connections are allowed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bounds {
    /// How many at one time. More wait in the system's queue.
    pub(crate) connections: usize,
    /// Feeds and waiting requests of one token.
    pub(crate) places: usize,
    /// How long a body may take.
    pub(crate) body_within: Duration,
    /// Whether tokens are asked for. Else nobody is a stranger.
    pub(crate) guarded: bool,
    /// A reader that takes nothing for so long is dropped.
    pub(crate) drop_after: Duration,
}

/// Serves until told to end, and a moment longer.
pub(crate) async fn serve(
    listener: TcpListener,
    routes: Router,
    bounds: Bounds,
    mut ending: watch::Receiver<bool>,
) {
    let Bounds { connections: most, places, body_within, guarded, drop_after: patience } = bounds;
    let crowd = Crowd::new(most, places);
    let stay = STRANGER_TIME.max(body_within + Duration::from_secs(5));
    let mut open = JoinSet::new();
    loop {
        tokio::select! {
            () = shutdown_requested(&mut ending) => break,
            Some(_) = open.join_next(), if !open.is_empty() => (),
            taken = listener.accept(), if open.len() < most => match taken {
                Ok((stream, peer)) => {
                    let guest = Arc::new(crowd.enter(peer.ip()));
                    if !guarded {
                        guest.is_known_by(&"anybody".into());
                    }
                    open.spawn(connection(stream, routes.clone(), (patience, stay), guest, ending.clone()));
                }
                // Out of files, most likely: wait until some connection ends.
                Err(error) => {
                    out::error(&format!("a connection could not be taken: {error}"));
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            },
        }
    }
    drop(listener);
    let _ = tokio::time::timeout(GRACE, async { while open.join_next().await.is_some() {} }).await;
    open.shutdown().await;
}

async fn connection(
    stream: TcpStream,
    routes: Router,
    (patience, stay): (Duration, Duration),
    guest: Arc<CrowdConnection>,
    mut ending: watch::Receiver<bool>,
) {
    let _ = stream.set_nodelay(true);
    let caller = guest.clone();
    let service = hyper::service::service_fn(move |mut request: hyper::Request<hyper::body::Incoming>| {
        let (mut routes, caller) = (routes.clone(), caller.clone());
        request.extensions_mut().insert(caller.clone());
        async move {
            caller.is_busy(true);
            let response = routes.call(request.map(Body::new)).await;
            // A feed has no end that is known, and stays in use.
            let over = response.as_ref().is_ok_and(|response| response.body().size_hint().exact().is_some());
            caller.is_busy(!over);
            response
        }
    });
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
    server.max_buf_size(WAITING).max_headers(HEADERS_MOST);
    let mut serving = pin!(server.serve_connection(TokioIo::new(Patient::new(stream, patience)), service));
    let mut told = pin!(guest.told_to_leave());
    let ended = tokio::select! {
        ended = serving.as_mut() => ended,
        () = shutdown_requested(&mut ending) => {
            serving.as_mut().graceful_shutdown();
            serving.await
        }
        // A stranger goes at once; one with a token has nothing under way, and may get the rest of an answer.
        () = told.as_mut() => {
            if guest.is_stranger() {
                return;
            }
            serving.as_mut().graceful_shutdown();
            serving.await
        }
        () = stayed_strange(&guest, stay) => return,
    };
    let source = ended.err().and_then(|error| std::error::Error::source(&error).map(ToString::to_string));
    if source.is_some_and(|source| source == SLOW) {
        out::error(&format!("dropped a reader that took nothing for {} s", patience.as_secs_f32()));
    }
}

/// Returns when somebody has shown no good token for so long.
async fn stayed_strange(guest: &CrowdConnection, stay: Duration) {
    tokio::time::sleep(stay).await;
    if !guest.is_stranger() {
        std::future::pending::<()>().await;
    }
}

/// What a write to one that does not read ends with.
const SLOW: &str = "the reader takes nothing";

/// A stream that waits so long for its reader and no longer.
struct Patient {
    stream: TcpStream,
    patience: Duration,
    stuck: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    fn new(stream: TcpStream, patience: Duration) -> Self {
        Self { stream, patience, stuck: None }
    }

    /// Notes whether a write went through; fails one that is stuck for too long.
    fn patiently<T>(&mut self, cx: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stuck = None;
            return written;
        }
        let patience = self.patience;
        let stuck = self.stuck.get_or_insert_with(|| Box::pin(tokio::time::sleep(patience)));
        match stuck.as_mut().poll(cx) {
            Poll::Ready(()) => Poll::Ready(Err(io::Error::new(io::ErrorKind::TimedOut, SLOW))),
            Poll::Pending => Poll::Pending,
        }
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Patient {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.patiently(cx, written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.patiently(cx, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }
}

/// Returns when the service ends.
pub(crate) async fn shutdown_requested(ending: &mut watch::Receiver<bool>) {
    let _ = ending.wait_for(|ending| *ending).await; // nobody left to tell it is the end as well
}

/// Tells everything that waits that the service ends.
#[derive(Debug)]
pub(crate) struct Ending(watch::Sender<bool>);

impl Ending {
    pub(crate) fn new() -> (Self, watch::Receiver<bool>) {
        let (told, hears) = watch::channel(false);
        (Self(told), hears)
    }

    pub(crate) fn end(&self) {
        self.0.send_replace(true);
    }
}
