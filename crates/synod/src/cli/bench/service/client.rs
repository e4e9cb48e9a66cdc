//! A light client: one connection that stays, requests written whole, answers read no further than needed. What it
//! costs is the same for every server it is pointed at.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::failed;
use crate::fail::Result;

/// One connection to a server.
#[derive(Debug)]
pub(super) struct BenchClient {
    stream: TcpStream,
    bearer: String,
    head: String,
    read: Vec<u8>,
    /// Where the answer last read lies in what was read.
    body: std::ops::Range<usize>,
}

/// How long one answer may take. Nothing here waits on purpose for nearly as long.
const PATIENCE: Duration = Duration::from_secs(60);

impl BenchClient {
    pub(super) async fn connect(to: SocketAddr, bearer: &str) -> Result<Self> {
        let stream = TcpStream::connect(to).await.map_err(failed)?;
        stream.set_nodelay(true).map_err(failed)?;
        let (head, read) = (String::with_capacity(1024), Vec::with_capacity(16 << 10));
        Ok(Self { stream, bearer: bearer.into(), head, read, body: 0..0 })
    }

    /// Looks at something.
    pub(super) async fn get(&mut self, path: &str) -> Result<(u16, Duration)> {
        self.head.clear();
        let _ = write!(
            self.head,
            "GET {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {}\r\n\r\n",
            self.bearer
        );
        self.exchange().await
    }

    /// Does something, under a key, with a token of one's own or another.
    pub(super) async fn post(
        &mut self,
        path: &str,
        key: &str,
        body: &str,
        bearer: Option<&str>,
    ) -> Result<(u16, Duration)> {
        self.head.clear();
        let bearer = bearer.unwrap_or(&self.bearer);
        let _ = write!(
            self.head,
            "POST {path} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {bearer}\r\nidempotency-key: {key}\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            body.len()
        );
        self.exchange().await
    }

    /// The body of the last answer.
    pub(super) fn body(&self) -> &[u8] {
        self.read.get(self.body.clone()).unwrap_or_default()
    }

    async fn exchange(&mut self) -> Result<(u16, Duration)> {
        let begun = Instant::now();
        let exchanged = tokio::time::timeout(PATIENCE, async {
            self.stream.write_all(self.head.as_bytes()).await.map_err(failed)?;
            self.read.clear();
            loop {
                if let Some((status, body)) = answer(&self.read)? {
                    self.body = body;
                    return Ok(status);
                }
                if self.stream.read_buf(&mut self.read).await.map_err(failed)? == 0 {
                    return Err(failed("the server dropped a connection"));
                }
            }
        });
        let status = exchanged.await.map_err(|_| failed("an answer did not come within a minute"))??;
        Ok((status, begun.elapsed()))
    }
}

/// The status of an answer and where its body lies, once all of it is there.
fn answer(read: &[u8]) -> Result<Option<(u16, std::ops::Range<usize>)>> {
    let Some(end) = read.windows(4).position(|window| window == b"\r\n\r\n") else { return Ok(None) };
    let head = std::str::from_utf8(&read[..end]).map_err(failed)?;
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1)).and_then(|word| word.parse().ok());
    let status = status.ok_or_else(|| failed("an answer has no status"))?;
    let length = lines.find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.eq_ignore_ascii_case("content-length").then(|| value.trim().parse::<usize>().ok())?
    });
    let body = end + 4..end + 4 + length.unwrap_or(0);
    Ok((read.len() >= body.end).then_some((status, body)))
}
