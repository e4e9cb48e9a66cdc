//! A server on loopback that plays a script: one act for each request, in order. When the script is over
//! it answers 599, which no test expects.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// What to do with a request.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    /// Answer with a status, further header lines and a body.
    Answer(u16, &'static str, String),
    /// Send events, and close.
    Stream(String),
    /// Never answer.
    Hang,
    /// Promise more than is sent, and close.
    Break,
    /// Send a body without end, with no word of its length.
    Flood,
}

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) line: String,
    pub(crate) headers: Vec<String>,
    pub(crate) body: String,
}

impl Seen {
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).expect("a JSON body")
    }

    pub(crate) fn has(&self, header: &str) -> bool {
        self.headers.iter().any(|line| line == header)
    }
}

pub(crate) struct Fake {
    pub(crate) url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
    task: JoinHandle<()>,
}

impl Fake {
    pub(crate) async fn start(acts: impl IntoIterator<Item = Act>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let acts = Arc::new(Mutex::new(acts.into_iter().collect::<VecDeque<_>>()));
        let seen = Arc::new(Mutex::new(Vec::new()));
        let kept = seen.clone();
        let task = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, acts.clone(), kept.clone()));
            }
        });
        Self { url, seen, task }
    }

    pub(crate) fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }

    /// Nothing listens from now on.
    pub(crate) async fn stop(self) {
        self.task.abort();
        let _ = self.task.await;
    }
}

async fn serve(stream: TcpStream, acts: Arc<Mutex<VecDeque<Act>>>, seen: Arc<Mutex<Vec<Seen>>>) {
    let mut stream = BufReader::new(stream);
    while let Some(request) = read(&mut stream).await {
        seen.lock().unwrap().push(request);
        let act =
            acts.lock().unwrap().pop_front().unwrap_or(Act::Answer(599, "", "the script is over".into()));
        let sent = match act {
            Act::Answer(status, headers, body) => {
                let length = body.len();
                let head = format!(
                    "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\n{headers}content-length: {length}\r\n\r\n"
                );
                stream.write_all(format!("{head}{body}").as_bytes()).await
            }
            Act::Stream(events) => {
                let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
                let _ = stream.write_all(format!("{head}{events}").as_bytes()).await;
                return;
            }
            Act::Hang => std::future::pending().await,
            Act::Break => {
                let _ =
                    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n{\"choices\": [").await;
                return;
            }
            Act::Flood => {
                let _ = stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await;
                while stream.write_all(&[b' '; 65536]).await.is_ok() {}
                return;
            }
        };
        if sent.is_err() {
            return;
        }
    }
}

async fn read(stream: &mut BufReader<TcpStream>) -> Option<Seen> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).await.ok()? == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            break;
        }
        lines.push(line.to_string());
    }
    let length =
        lines.iter().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |n| n.parse().unwrap());
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some(Seen { line: lines.remove(0), headers: lines, body: String::from_utf8(body).unwrap() })
}
