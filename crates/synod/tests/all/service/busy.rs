//! A service that never rests: backups and checks made beside it are whole.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;

use super::{Served, token};
use crate::houses::finish;
use crate::world::Place;

/// Opens rings without a pause, in a thread of its own.
struct BusyWriter {
    ends: Arc<AtomicBool>,
    written: Arc<AtomicUsize>,
    thread: Option<JoinHandle<()>>,
}

impl BusyWriter {
    fn start(service: &Served, operator: &str) -> Self {
        let (ends, written) = (Arc::<AtomicBool>::default(), Arc::<AtomicUsize>::default());
        let (address, token) = (service.address.to_string(), operator.to_string());
        let (stop, count) = (ends.clone(), written.clone());
        let thread = std::thread::spawn(move || {
            let body = r#"{"question":"Busy?","charter":"ring-quick","seats":["ann","bob"]}"#;
            while !stop.load(Ordering::Acquire) {
                let mut stream = TcpStream::connect(&address).expect("a connection");
                let head = format!(
                    "POST /v1/matters HTTP/1.1\r\nhost: {address}\r\nauthorization: Bearer {token}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
                    body.len()
                );
                stream.write_all(head.as_bytes()).expect("a request");
                let mut answer = String::new();
                stream.read_to_string(&mut answer).expect("an answer");
                assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
                count.fetch_add(1, Ordering::AcqRel);
            }
        });
        Self { ends, written, thread: Some(thread) }
    }

    fn written(&self) -> usize {
        self.written.load(Ordering::Acquire)
    }

    /// Waits until more was written.
    fn until_more(&self) {
        let (before, begun) = (self.written(), std::time::Instant::now());
        while self.written() < before + 3 {
            assert!(begun.elapsed() < super::PATIENCE, "the writer rests");
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
    }

    fn end(mut self) {
        self.ends.store(true, Ordering::Release);
        self.thread.take().expect("a thread").join().expect("every write was accepted");
    }
}

#[test]
fn backups_beside_a_busy_writer_are_whole() {
    let place = Place::new();
    let operator = token(&place, &["me", "--operator"]);
    let service = Served::start(&place, &["--rate", "0"]);
    let writer = BusyWriter::start(&service, &operator);
    for nth in 0..4 {
        writer.until_more();
        place.run(["backup", &format!("copy-{nth}")]).exits(0);
    }
    writer.until_more();
    writer.end();
    service.end();
    let all = place.rows();
    let mut before = 0;
    for nth in 0..4 {
        let restored = Place::new();
        let copy = place.dir().join(format!("copy-{nth}"));
        restored.run(["restore", copy.to_str().expect("a path")]).exits(0);
        restored.run(["verify"]).hides("broken").hides("WRONG");
        let rows = restored.rows();
        assert!(rows.len() > before && rows.len() < all.len(), "{} of {}", rows.len(), all.len());
        assert_eq!(rows[..], all[..rows.len()], "the acts up to one moment, and no others");
        before = rows.len();
        restored.spoil();
    }
    finish(place);
}

#[test]
fn verify_beside_a_busy_writer_finds_nothing_wrong() {
    let place = Place::new();
    let operator = token(&place, &["me", "--operator"]);
    let service = Served::start(&place, &["--rate", "0"]);
    let writer = BusyWriter::start(&service, &operator);
    for _ in 0..6 {
        writer.until_more();
        place.run(["verify"]).exits(0).hides("WRONG");
    }
    writer.end();
    service.end();
    place.run(["verify"]).exits(0).hides("WRONG");
    finish(place);
}
