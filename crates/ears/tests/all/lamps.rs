//! Lamps and hooks: a real server on loopback.

use std::time::Duration;

use serde_json::{Value, json};
use synod_ears::{EarNoteKind, Lamp, LampAddress, mode_light};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

/// A request as it came.
#[derive(Debug)]
struct Sent {
    head: String,
    body: Value,
}

/// A server that answers with these statuses, one after the other and the last for ever. 0 is no answer at all.
async fn server(statuses: Vec<u16>) -> (String, mpsc::UnboundedReceiver<Sent>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let (tell, told) = mpsc::unbounded_channel();
    tokio::spawn(async move {
        let mut statuses = statuses.into_iter().peekable();
        let mut held = Vec::new();
        while let Ok((stream, _)) = listener.accept().await {
            let mut stream = BufReader::new(stream);
            let Some(sent) = read(&mut stream).await else { continue };
            let status = statuses.next().unwrap_or(200);
            if statuses.peek().is_none() {
                statuses = vec![status; 2].into_iter().peekable();
            }
            let _ = tell.send(sent);
            if status == 0 {
                held.push(stream);
                continue;
            }
            let answer = format!(
                "HTTP/1.1 {status} X\r\ncontent-length: 16\r\nconnection: close\r\n\r\n{{\"success\":true}}"
            );
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    (address, told)
}

async fn read(stream: &mut BufReader<TcpStream>) -> Option<Sent> {
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        stream.read_line(&mut line).await.ok()?;
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        if line.trim().is_empty() {
            break;
        }
        head += &line;
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.ok()?;
    Some(Sent { head, body: serde_json::from_slice(&body).ok()? })
}

fn client() -> reqwest::Client {
    let _ = rustls::crypto::ring::default_provider().install_default();
    reqwest::Client::builder().no_proxy().tls_certs_only([]).build().unwrap()
}

fn wled(mode: &str) -> Value {
    mode_light(mode).unwrap().wled(None)
}

#[tokio::test]
async fn a_lamp_gets_the_light_on_change_alone() {
    let (address, mut told) = server(vec![200]).await;
    let (lamp, mut notes) = Lamp::start(client(), LampAddress::wled(&address).unwrap());
    for mode in ["listening", "commander"] {
        lamp.set(wled(mode));
        let sent = told.recv().await.unwrap();
        assert!(sent.head.starts_with("POST /json/state HTTP/1.1"), "{}", sent.head);
        assert_eq!(sent.body, wled(mode));
        lamp.set(wled(mode));
    }
    lamp.set(wled("listening"));
    assert_eq!(told.recv().await.unwrap().body, wled("listening"), "the same light was not sent again");
    drop(lamp);
    assert!(notes.recv().await.is_none());
    assert!(told.try_recv().is_err());
}

#[tokio::test]
async fn a_hook_gets_its_token_and_nobody_sees_it() {
    let (address, mut told) = server(vec![200]).await;
    let hook = LampAddress::hook(&format!("http://{address}/api/webhook/secret-path")).unwrap();
    let hook = hook.with_token("geheim-123456").unwrap();
    let shown = format!("{hook:?}");
    assert!(!shown.contains("geheim") && !shown.contains("secret-path"), "{shown}");
    let (lamp, _notes) = Lamp::start(client(), hook);
    lamp.set(json!({"mode": "facilitator"}));
    let sent = told.recv().await.unwrap();
    assert!(sent.head.starts_with("POST /api/webhook/secret-path "), "{}", sent.head);
    assert!(sent.head.to_ascii_lowercase().contains("authorization: bearer geheim-123456"));
    assert!(LampAddress::hook("ftp://a").is_err() && LampAddress::wled("").is_err());
    assert!(LampAddress::hook("http://a").unwrap().with_token("a\nb").is_err());
}

#[tokio::test]
async fn a_lamp_that_fails_is_told_once_tried_again_and_told_when_it_is_back() {
    let (address, mut told) = server(vec![500, 500, 0, 200]).await;
    let address = LampAddress::wled(&address).unwrap();
    let (lamp, mut notes) = Lamp::start_trying(client(), address, Duration::from_millis(20));
    let begun = std::time::Instant::now();
    lamp.set(wled("integrator"));
    assert!(begun.elapsed() < Duration::from_millis(100), "the room does not wait");
    let note = notes.recv().await.unwrap();
    assert!(note.kind == EarNoteKind::LightFailed && note.detail.ends_with("it answered 500"), "{note}");
    let note = notes.recv().await.unwrap();
    assert_eq!(note.kind, EarNoteKind::LightBack);
    for _ in 0..4 {
        assert_eq!(told.recv().await.unwrap().body, wled("integrator"));
    }
    assert!(begun.elapsed() < Duration::from_secs(5), "a lamp without an answer is waited for half a second");
}

#[tokio::test]
async fn a_lamp_that_is_not_there_stops_nobody() {
    let unused = TcpListener::bind("127.0.0.1:0").await.unwrap().local_addr().unwrap().to_string();
    let (lamp, mut notes) = Lamp::start(client(), LampAddress::wled(&unused).unwrap());
    lamp.set(wled("listening"));
    let note = notes.recv().await.unwrap();
    assert!(note.detail.ends_with("no connection"), "{note}");
    for mode in ["facilitator", "integrator"] {
        lamp.set(wled(mode));
    }
    drop(lamp);
    assert!(notes.recv().await.is_none(), "it ends with its room, and told one failure once");
}
