//! Connections: taken, bounded, and ended in time.
//!
//! A connection that brings no request, or does not take its answer, is dropped; so is everything that is still
//! open a moment after the service was told to end.

use std::io;
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::Sleep;
use tower_service::Service as _;

use crate::out;

/// How long a request's head may take to come, and how long a connection may idle.
const HEAD_TIME: Duration = Duration::from_secs(60);
/// The same for connections that come while few are left.
const HEAD_TIME_CROWDED: Duration = Duration::from_secs(2);
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
    let Bounds { connections: most, drop_after: patience } = bounds;
    let mut open = JoinSet::new();
    loop {
        tokio::select! {
            () = shutdown_requested(&mut ending) => break,
            Some(_) = open.join_next(), if !open.is_empty() => (),
            taken = listener.accept(), if open.len() < most => match taken {
                Ok((stream, _)) => {
                    // Idle connections must not keep out those who write.
                    let head_time = if open.len() < most / 2 { HEAD_TIME } else { HEAD_TIME_CROWDED };
                    open.spawn(connection(stream, routes.clone(), patience, head_time, ending.clone()));
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
    patience: Duration,
    head_time: Duration,
    mut ending: watch::Receiver<bool>,
) {
    let _ = stream.set_nodelay(true);
    let service = hyper::service::service_fn(move |request: hyper::Request<hyper::body::Incoming>| {
        let mut routes = routes.clone();
        routes.call(request.map(Body::new))
    });
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(head_time).max_buf_size(WAITING);
    let mut serving = pin!(server.serve_connection(TokioIo::new(Patient::new(stream, patience)), service));
    let ended = tokio::select! {
        ended = serving.as_mut() => ended,
        () = shutdown_requested(&mut ending) => {
            serving.as_mut().graceful_shutdown();
            serving.await
        }
    };
    let source = ended.err().and_then(|error| std::error::Error::source(&error).map(ToString::to_string));
    if source.is_some_and(|source| source == SLOW) {
        out::error(&format!("dropped a reader that took nothing for {} s", patience.as_secs_f32()));
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
