//! Many readers of one feed: each is told everything once, costs one descriptor, and keeps nobody from writing.

use serde_json::json;

use super::{Follow, Served, token};
use crate::houses::finish;
use crate::world::{Place, Started};

/// A service that may open so many files, and no limit on what one caller may ask.
fn with_files(place: &Place, files: u32) -> Served {
    let mut shell = place.bare("sh");
    shell.args(["-c", &format!("ulimit -n {files}; exec \"$0\" \"$@\""), env!("CARGO_BIN_EXE_synod")]);
    shell.args(["serve", "--listen", "127.0.0.1:0", "--json", "--rate", "0", "--places", "10000"]);
    Served::answering(Started::of(shell, b""))
}

/// Descriptors a service has open.
#[cfg(target_os = "linux")]
fn files(service: &Served) -> usize {
    std::fs::read_dir(format!("/proc/{}/fd", service.process.pid())).expect("its descriptors").count()
}

#[test]
fn more_readers_than_descriptors_are_refused_and_writing_goes_on() {
    let place = Place::new();
    let service = with_files(&place, 256);
    let mut readers: Vec<Follow> = Vec::new();
    let full = loop {
        let reader = service.follow("", "", &[]);
        match reader.status {
            200 => readers.push(reader),
            _ => break reader,
        }
        assert!(readers.len() < 256, "no reader is ever refused");
    };
    assert_eq!(full.status, 503);
    assert_eq!((full.headers["retry-after"].as_str(), full.headers["connection"].as_str()), ("5", "close"));
    assert!(readers.len() >= 128, "only {} readers are let in", readers.len());
    // However many more try, those who write are let in and answered.
    for nth in 0_u32..100 {
        let answer = service.get("/v1/feed", "").fails(503, "service/full");
        assert_eq!(answer.headers["retry-after"], "5");
        if nth.is_multiple_of(10) {
            service.open("", &format!("Question {nth}?"), "ring-quick", &["ann", "bob"]);
        }
    }
    service.get("/v1/turns?wait=1", "").fails(403, "token/not-participant");
    let waiting = service.raw("GET", "/v1/turns?wait=1", &[("synod-for", "ann")], b"");
    assert_eq!(waiting.status, 200, "what need not wait needs no place: {waiting:?}");
    // Everybody who was let in is told everything.
    let last = service.open("", "The last one", "ring-quick", &["ann", "bob"]);
    for reader in &mut readers {
        while reader.until("CONSENSUS_START").last().is_none_or(|told| told.data["matter"] != json!(last)) {}
    }
    // Those who leave make room.
    readers.truncate(readers.len() / 2);
    let again = std::iter::repeat_with(|| service.follow("", "", &[])).take(10_000);
    assert!(again.into_iter().any(|reader| reader.status == 200), "no place was ever free again");
    service.end();
    finish(place);
}

#[test]
#[cfg(target_os = "linux")]
fn a_reader_costs_one_descriptor_also_one_that_catches_up() {
    let place = Place::new();
    let service = Served::start(&place, &["--rate", "0", "--places", "200"]);
    for nth in 0..30 {
        service.open("", &format!("Question {nth}?"), "ring-quick", &["ann", "bob"]);
    }
    // Whatever is opened once for all of them is open after the first.
    let mut readers = vec![service.follow("?after=0", "", &[])];
    readers[0].until("CONSENSUS_START");
    let before = files(&service);
    for nth in 0_u32..100 {
        let query = if nth.is_multiple_of(2) { "?after=0" } else { "" };
        readers.push(service.follow(query, "", &[]));
    }
    let last = service.open("", "The last one", "ring-quick", &["ann", "bob"]);
    for reader in &mut readers {
        while reader.until("CONSENSUS_START").last().is_none_or(|told| told.data["matter"] != json!(last)) {}
    }
    // Connections to the journal are shared, and there are at most four of three files each.
    let more = files(&service) - before;
    assert!((100..=100 + 9).contains(&more), "100 readers take {more} descriptors");
    service.end();
    finish(place);
}

#[test]
fn readers_that_come_while_much_happens_miss_nothing_and_hear_nothing_twice() {
    let place = Place::new();
    let (ann, operator) = (token(&place, &["ann"]), token(&place, &["me", "--operator"]));
    let service = Served::start(&place, &["--rate", "0", "--places", "200"]);
    let open = |nth: usize| {
        // Ann is invited to every second.
        let seats: &[&str] = if nth.is_multiple_of(2) { &["ann", "bob"] } else { &["bob", "cy"] };
        service.open(&operator, &format!("Question {nth}?"), "ring-quick", seats)
    };
    (0..60).for_each(|nth| drop(open(nth)));
    let ids = |mut reader: Follow, last: &str| {
        let mut ids: Vec<String> = Vec::new();
        loop {
            let told = reader.next().expect("the feed goes on");
            ids.push(format!("{} {}", told.data["id"], told.kind));
            if told.kind == "CONSENSUS_END" && told.data["matter"] == json!(last) {
                return ids;
            }
        }
    };
    let ended = std::thread::scope(|scope| {
        let (ended_with, waits) = std::sync::mpsc::channel::<String>();
        let come = |nth: usize| {
            let token = if nth.is_multiple_of(3) { &ann } else { &operator };
            // Some begin far back, some near the end, some now.
            let after = [0, 1, 40, 90, 120][nth % 5];
            let reader = service.follow("", token, &[("last-event-id", &after.to_string())]);
            assert_eq!(reader.status, 200);
            (nth.is_multiple_of(3), after, reader)
        };
        let (open, service, operator) = (&open, &service, &operator);
        let writing = scope.spawn(move || {
            (60..120).for_each(|nth| drop(open(nth)));
            let last = open(120);
            service.post(&format!("/v1/matters/{last}/stop"), operator, &json!({})).is(200);
            ended_with.send(last).expect("somebody waits");
        });
        let readers: Vec<_> = (0..40).map(come).collect();
        let last = waits.recv().expect("the last matter");
        writing.join().expect("all are written");
        readers
            .into_iter()
            .map(|(is_ann, after, reader)| (is_ann, after, ids(reader, &last)))
            .collect::<Vec<_>>()
    });
    // The same as somebody is told who reads all of it afterwards.
    let last = place.acts().len();
    let whole = |token: &str, after: usize| {
        let mut reader = service.follow(&format!("?after={after}"), token, &[]);
        let mut ids: Vec<String> = Vec::new();
        while let Some(told) = reader.next() {
            ids.push(format!("{} {}", told.data["id"], told.kind));
            if told.id.is_some_and(|id| id == last.to_string()) {
                break;
            }
        }
        ids
    };
    for (is_ann, after, ids) in ended {
        assert_eq!(ids, whole(if is_ann { &ann } else { &operator }, after), "from {after}, ann: {is_ann}");
    }
    service.end();
    finish(place);
}

#[test]
fn a_reader_that_falls_behind_is_told_so_and_goes_on_where_it_was() {
    let place = Place::new();
    let service = Served::start(&place, &["--rate", "0", "--drop-after", "60s"]);
    let mut slow = service.follow("", "", &[]);
    let topic = "x".repeat(15_000);
    let mut nth = 0;
    while !service.process.said().contains("MiB behind") {
        nth += 1;
        service.open("", &format!("{nth} {topic}"), "ring-quick", &["ann", "bob"]);
        assert!(nth < 2000, "it is never too far behind");
    }
    let mut seen = 0;
    while let Some(told) = slow.next() {
        seen = told.id.map_or(seen, |id| id.parse::<u64>().expect("a number"));
    }
    assert!(slow.last_words().contains("reconnect with Last-Event-ID"), "{}", slow.last_words());
    let next = service.follow("", "", &[("last-event-id", &seen.to_string())]).next().expect("an event");
    assert_eq!(next.data["seq"].as_u64(), Some(seen + 1));
    service.end();
    finish(place);
}
