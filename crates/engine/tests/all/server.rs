//! A server on loopback that plays a provider, by the name of the model that is asked for.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

/// A status and a body for the nth request of a model, counted from 0.
pub(crate) type Plays = fn(model: &str, nth: usize, body: &Value) -> (u16, Value);

#[derive(Clone)]
pub(crate) struct Server {
    pub(crate) url: String,
    seen: Arc<Mutex<Vec<Value>>>,
}

impl Server {
    pub(crate) fn start(plays: Plays) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let server = Self { url, seen: Arc::default() };
        let own = server.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let own = own.clone();
                std::thread::spawn(move || own.serve(stream, plays));
            }
        });
        server
    }

    /// Bodies of requests for a model.
    pub(crate) fn seen(&self, model: &str) -> Vec<Value> {
        self.seen.lock().unwrap().iter().filter(|body| body["model"] == model).cloned().collect()
    }

    pub(crate) fn counts(&self) -> BTreeMap<String, usize> {
        let mut counts = BTreeMap::new();
        for body in self.seen.lock().unwrap().iter() {
            *counts.entry(body["model"].as_str().unwrap_or_default().to_string()).or_default() += 1;
        }
        counts
    }

    fn serve(&self, stream: TcpStream, plays: Plays) {
        let mut stream = BufReader::new(stream);
        loop {
            let mut length = 0;
            loop {
                let mut line = String::new();
                match stream.read_line(&mut line) {
                    Ok(0) | Err(_) => return,
                    Ok(_) if line.trim().is_empty() => break,
                    Ok(_) => (),
                }
                if let Some(n) = line.to_ascii_lowercase().strip_prefix("content-length:") {
                    length = n.trim().parse().unwrap();
                }
            }
            let mut body = vec![0; length];
            stream.read_exact(&mut body).unwrap();
            let body: Value = serde_json::from_slice(&body).unwrap_or_default();
            let model = body["model"].as_str().unwrap_or_default().to_string();
            let nth = self.seen(&model).len();
            self.seen.lock().unwrap().push(body.clone());
            let (status, answer) = plays(&model, nth, &body);
            let answer = answer.to_string();
            let head = format!(
                "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
                answer.len()
            );
            if stream.get_mut().write_all(format!("{head}{answer}").as_bytes()).is_err() {
                return;
            }
        }
    }
}

/// An answer to whatever is asked, as a chat completion.
pub(crate) fn completion(text: &str) -> Value {
    json!({ "model": "m", "choices": [{ "message": { "content": text }, "finish_reason": "stop" }],
        "usage": { "prompt_tokens": 10, "completion_tokens": 5 } })
}

/// A statement or a vote for YES.
pub(crate) const YES: &str =
    r#"{"stance":"YES","position":"p","confidence":0.9,"vote":"YES","reason":"r","key_points":["k"]}"#;
