//! A server on loopback that speaks chat completions: a thread per connection, a function that answers,
//! and a log of everything that came.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

/// Longer than any test waits for a request.
const PATIENCE: Duration = Duration::from_secs(30);

/// A request as it came.
#[derive(Debug, Clone)]
pub(crate) struct Request {
    /// Which request to this server it is, counted from 1.
    pub(crate) nth: usize,
    /// Which request of its seat it is, counted from 1.
    pub(crate) nth_of_seat: usize,
    pub(crate) path: String,
    pub(crate) headers: Vec<String>,
    pub(crate) body: String,
}

impl Request {
    /// The model that is asked for. Tests name models like the seats they answer for.
    pub(crate) fn seat(&self) -> String {
        self.json()["model"].as_str().unwrap_or_default().to_string()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_default()
    }

    /// Everything the model is told.
    pub(crate) fn told(&self) -> String {
        let messages = self.json()["messages"].as_array().cloned().unwrap_or_default();
        messages.iter().filter_map(|message| message["content"].as_str()).collect()
    }

    pub(crate) fn is_vote(&self) -> bool {
        self.told().contains("\n# Now: your vote\n")
    }

    /// Whether options are to be put in order.
    pub(crate) fn is_ranking(&self) -> bool {
        self.is_vote() && self.told().contains(", best first)")
    }

    /// The stage of `blind-vote` it belongs to, told by what the brief holds. Relies on the answers of
    /// [`on_stage`], which name their stage.
    pub(crate) fn stage(&self) -> &'static str {
        let told = self.told();
        match (self.is_vote(), told.contains("The council voted, and the vote was not clear.")) {
            (true, false) => "first-vote",
            (true, true) => "final-vote",
            (false, false) => "drafts",
            (false, true) if told.contains("in debate-1") => "debate-2",
            (false, true) => "debate-1",
        }
    }
}

/// What to do with a request.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    /// Answer with a status and a body.
    Status(u16, String),
    /// Answer as a model that says this, after a while.
    Say(String, Duration),
    /// Answer piece by piece as a model that says this: the first part at once, the rest when the gate opens.
    Stream([String; 2], Gate),
    /// Never answer.
    Hang,
}

/// Something a test lets happen.
#[derive(Debug, Clone, Default)]
pub(crate) struct Gate(Arc<AtomicBool>);

impl Gate {
    pub(crate) fn open(&self) {
        self.0.store(true, Ordering::SeqCst);
    }

    /// Waits until it is open, or for longer than any test does.
    pub(crate) fn wait(&self) {
        let begun = std::time::Instant::now();
        while !self.0.load(Ordering::SeqCst) && begun.elapsed() < PATIENCE {
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

/// A statement or a vote for one side, of which the last word waits for the gate.
pub(crate) fn write(text: &str, gate: &Gate) -> Reply {
    let (first, rest) = text.split_at(text.floor_char_boundary(text.len() * 2 / 3));
    Reply::Stream([first.into(), rest.into()], gate.clone())
}

/// Says this at once.
pub(crate) fn say(text: impl Into<String>) -> Reply {
    Reply::Say(text.into(), Duration::ZERO)
}

/// Answers with an error of a provider.
pub(crate) fn refuse(status: u16, message: &str) -> Reply {
    Reply::Status(status, json!({ "error": { "message": message } }).to_string())
}

/// A statement in the form that is asked for.
pub(crate) fn speech(stance: &str, position: &str) -> String {
    json!({
        "stance": stance,
        "position": position,
        "reasoning": format!("{position}, for a reason"),
        "key_points": ["a point"],
        "confidence": 0.8,
    })
    .to_string()
}

/// A vote in the form that is asked for.
pub(crate) fn vote(choice: &str, reason: &str) -> String {
    json!({ "vote": choice, "reason": reason, "change_if": "new figures", "confidence": 0.7 }).to_string()
}

/// A statement or a vote for one side, whatever is asked.
pub(crate) fn side(request: &Request, choice: &str) -> String {
    let seat = request.seat();
    match request.is_vote() {
        true => vote(choice, &format!("{seat} has weighed it")),
        false => speech(choice, &format!("{seat} says {choice}")),
    }
}

/// What a seat says when it holds `choice` at this stage, in words that name seat and stage.
pub(crate) fn on_stage(request: &Request, choice: &str) -> String {
    let (seat, stage) = (request.seat(), request.stage());
    match request.is_vote() {
        true => vote(choice, &format!("{seat} in {stage}")),
        false => speech(choice, &format!("{seat} in {stage}")),
    }
}

/// One line of the log.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) request: Request,
    /// Whether the whole answer was written.
    pub(crate) answered: bool,
}

type Script = dyn Fn(&Request) -> Reply + Send + Sync;

struct State {
    script: Box<Script>,
    log: Mutex<Vec<Seen>>,
    grown: Condvar,
    streams: Mutex<Vec<TcpStream>>,
    over: AtomicBool,
}

pub(crate) struct Server {
    /// Its base URL, up to `/v1`.
    pub(crate) url: String,
    address: String,
    state: Arc<State>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Server {
    pub(crate) fn start(script: impl Fn(&Request) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let state = Arc::new(State {
            script: Box::new(script),
            log: Mutex::default(),
            grown: Condvar::new(),
            streams: Mutex::default(),
            over: AtomicBool::new(false),
        });
        let shared = state.clone();
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if shared.over.load(Ordering::SeqCst) {
                    return;
                }
                let state = shared.clone();
                state.streams.lock().expect("no panic").extend(stream.try_clone());
                std::thread::spawn(move || state.serve(stream));
            }
        });
        Self { url: format!("http://{address}/v1"), address, state, thread: Some(thread) }
    }

    /// A seat that this server answers for, under its own name as the model.
    pub(crate) fn seat(&self, name: &str) -> String {
        format!("--seat={name}={}#{name}", self.url)
    }

    /// Seats of these names.
    pub(crate) fn seats(&self, names: &[&str]) -> Vec<String> {
        names.iter().map(|name| self.seat(name)).collect()
    }

    pub(crate) fn log(&self) -> Vec<Seen> {
        self.state.log.lock().expect("no panic").clone()
    }

    /// How many requests came.
    pub(crate) fn count(&self) -> usize {
        self.state.log.lock().expect("no panic").len()
    }

    /// How many requests of a seat came.
    pub(crate) fn count_of(&self, seat: &str) -> usize {
        self.log().iter().filter(|seen| seen.request.seat() == seat).count()
    }

    /// Waits until the log satisfies a condition. False if it does not for long.
    pub(crate) fn wait(&self, enough: impl Fn(&[Seen]) -> bool) -> bool {
        self.wait_for(PATIENCE, enough)
    }

    pub(crate) fn wait_for(&self, most: Duration, enough: impl Fn(&[Seen]) -> bool) -> bool {
        let log = self.state.log.lock().expect("no panic");
        let (log, _) = self.state.grown.wait_timeout_while(log, most, |log| !enough(log)).expect("no panic");
        enough(&log)
    }

    /// Nothing listens from now on, and open connections break.
    pub(crate) fn stop(&mut self) {
        let Some(thread) = self.thread.take() else { return };
        self.state.over.store(true, Ordering::SeqCst);
        // Wakes the listener, which then sees that it is over.
        let _ = TcpStream::connect(&self.address);
        let _ = thread.join();
        for stream in self.state.streams.lock().expect("no panic").drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
        self.state.grown.notify_all();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop();
    }
}

impl State {
    fn serve(&self, stream: TcpStream) {
        let _ = stream.set_nodelay(true);
        let Ok(mut out) = stream.try_clone() else { return };
        let mut stream = BufReader::new(stream);
        while let Some((path, headers, body)) = read(&mut stream) {
            let request = self.note(path, headers, body);
            let reply = (self.script)(&request);
            let sent = self.answer(&mut out, &request, reply);
            if !sent {
                return;
            }
            self.log.lock().expect("no panic")[request.nth - 1].answered = true;
            self.grown.notify_all();
        }
    }

    fn note(&self, path: String, headers: Vec<String>, body: String) -> Request {
        let mut log = self.log.lock().expect("no panic");
        let mut request = Request { nth: log.len() + 1, nth_of_seat: 1, path, headers, body };
        let seat = request.seat();
        request.nth_of_seat += log.iter().filter(|seen| seen.request.seat() == seat).count();
        log.push(Seen { request: request.clone(), answered: false });
        self.grown.notify_all();
        request
    }

    fn answer(&self, out: &mut TcpStream, request: &Request, reply: Reply) -> bool {
        let (status, body) = match reply {
            Reply::Stream(parts, gate) => {
                let _ = stream(out, &request.seat(), parts, &gate);
                return false;
            }
            Reply::Status(status, body) => (status, body),
            Reply::Say(text, after) => {
                std::thread::sleep(after);
                (200, completion(&request.seat(), &text))
            }
            Reply::Hang => {
                let log = self.log.lock().expect("no panic");
                drop(self.grown.wait_while(log, |_| !self.over.load(Ordering::SeqCst)));
                return false;
            }
        };
        let head = format!(
            "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        out.write_all(format!("{head}{body}").as_bytes()).and_then(|()| out.flush()).is_ok()
    }
}

/// Sends an answer as events.
fn stream(out: &mut TcpStream, model: &str, [first, rest]: [String; 2], gate: &Gate) -> std::io::Result<()> {
    out.write_all(b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n")?;
    let mut event = |data: Value| out.write_all(format!("data: {data}\n\n").as_bytes());
    let piece =
        |text: String| json!({ "model": model, "choices": [{ "index": 0, "delta": { "content": text } }] });
    event(piece(first))?;
    gate.wait();
    event(piece(rest))?;
    event(json!({ "model": model, "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }] }))?;
    event(
        json!({ "model": model, "choices": [], "usage": { "prompt_tokens": 100, "completion_tokens": 20 } }),
    )?;
    out.write_all(b"data: [DONE]\n\n")?;
    out.shutdown(Shutdown::Both)
}

fn completion(model: &str, text: &str) -> String {
    json!({
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": model,
        "choices": [{ "index": 0, "finish_reason": "stop", "message": { "role": "assistant", "content": text } }],
        "usage": { "prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120 },
    })
    .to_string()
}

fn read(stream: &mut BufReader<TcpStream>) -> Option<(String, Vec<String>, String)> {
    let mut lines = Vec::new();
    loop {
        let mut line = String::new();
        if stream.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end() {
            "" => break,
            line => lines.push(line.to_string()),
        }
    }
    let length =
        lines.iter().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).ok()?;
    let path = lines.first()?.split(' ').nth(1)?.to_string();
    Some((path, lines.split_off(1), String::from_utf8(body).ok()?))
}
