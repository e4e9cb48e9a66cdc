//! A fixed chat completion on loopback, in a process of its own, so that its CPU time is not ours.

use std::process::ExitCode;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::in_process::{STATEMENT, VOTE};
use crate::fail::{Fail, Result, code};
use crate::out;

/// What only the brief of a vote says.
const VOTING: &[u8] = b"# Now: your vote";

/// Serves until the parent closes our stdin.
pub(super) async fn serve() -> Result<ExitCode> {
    let broken =
        |error: std::io::Error| Fail::new(code::IO, "bench", format!("the loopback server failed: {error}"));
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.map_err(broken)?;
    out::line(&listener.local_addr().map_err(broken)?.port().to_string());
    let parent = std::thread::spawn(|| std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink()));
    loop {
        let accepted = tokio::time::timeout(std::time::Duration::from_millis(200), listener.accept()).await;
        match accepted {
            Ok(Ok((stream, _))) => drop(tokio::spawn(converse(stream))),
            Ok(Err(error)) => return Err(broken(error)),
            Err(_) if parent.is_finished() => return Ok(ExitCode::SUCCESS),
            Err(_) => (),
        }
    }
}

/// Answers requests on one connection until it is closed.
async fn converse(mut stream: TcpStream) {
    let _ = stream.set_nodelay(true);
    let (speech, vote) = (completion(STATEMENT), completion(VOTE));
    let mut read = Vec::with_capacity(64 * 1024);
    loop {
        let Some(end) = request_end(&read) else {
            match stream.read_buf(&mut read).await {
                Ok(0) | Err(_) => return,
                Ok(_) => continue,
            }
        };
        let is_vote = read[..end].windows(VOTING.len()).any(|window| window == VOTING);
        let answer = if is_vote { &vote } else { &speech };
        if stream.write_all(answer.as_bytes()).await.is_err() {
            return;
        }
        read.drain(..end);
    }
}

/// Where the first request in a buffer ends, once all of it is there.
fn request_end(read: &[u8]) -> Option<usize> {
    let head_end = read.windows(4).position(|window| window == b"\r\n\r\n")? + 4;
    let head = std::str::from_utf8(&read[..head_end]).ok()?;
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        if name.eq_ignore_ascii_case("content-length") { value.trim().parse::<usize>().ok() } else { None }
    });
    let end = head_end + length.unwrap_or(0);
    (read.len() >= end).then_some(end)
}

fn completion(text: &str) -> String {
    let body = serde_json::json!({
        "id": "bench", "object": "chat.completion", "model": "bench",
        "choices": [{ "index": 0, "finish_reason": "stop", "message": { "role": "assistant", "content": text } }],
        "usage": { "prompt_tokens": 900, "completion_tokens": 127, "total_tokens": 1027 },
    })
    .to_string();
    format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    )
}
