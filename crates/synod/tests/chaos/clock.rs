//! The wall clock of a running process jumps, ahead and back. No decision comes out otherwise, a key never runs twice, and
//! time-outs still come.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::debate::{ends_calmly, server_with, sound};
use crate::form::{Counts, sample, sweep};
use crate::service::Service;
use crate::shim::Shimmed;
use crate::world::Place;

const HOUR: i64 = 3_600_000;
const DAY: i64 = 24 * HOUR;

/// A clock that a test moves.
#[derive(Clone)]
struct Clock(PathBuf);

impl Clock {
    fn new(place: &Place) -> Self {
        let clock = Self(place.state().join("ahead"));
        clock.set(0);
        clock
    }

    /// In one write of one length, so that a reader never sees half a number.
    fn set(&self, ahead: i64) {
        let next = self.0.with_extension("next");
        std::fs::write(&next, format!("{ahead:020}\n")).expect("a clock");
        let text = std::fs::read(&next).expect("a clock");
        let file = std::fs::OpenOptions::new().create(true).truncate(false).write(true).open(&self.0);
        std::os::unix::fs::FileExt::write_all_at(&file.expect("a clock"), &text, 0).expect("a clock");
    }

    fn path(&self) -> &Path {
        &self.0
    }
}

#[test]
fn a_debate_while_the_clock_jumps() {
    let mut points = Vec::new();
    for request in [1, 2, 4, 7, 10, 12] {
        for ahead in [HOUR, 2 * DAY, -HOUR, -2 * DAY, 365 * 30 * DAY] {
            for returns in [true, false] {
                points.push(format!("{request} {ahead} {returns}"));
            }
        }
    }
    sweep("clock jumps in a debate", sample("clock", &points, 10), |point| {
        let parts: Vec<i64> = point
            .replace("true", "1")
            .replace("false", "0")
            .split(' ')
            .map(|part| part.parse().expect("a number"))
            .collect();
        let (request, ahead, returns) = (parts[0] as usize, parts[1], parts[2] == 1);
        let place = Place::new();
        let clock = Clock::new(&place);
        let moved = clock.clone();
        let server = server_with(move |nth| match nth {
            _ if nth == request => moved.set(ahead),
            _ if nth == request + 1 && returns => moved.set(0),
            _ => (),
        });
        let shimmed = Shimmed::new(&place, "count", &crate::debate::debate(&server)).with_clock(clock.path());
        let (run, _) = shimmed.run();
        ends_calmly(&place, &server, &run);
        place.spoil();
        Counts::of([("ended as without a jump", 1)])
    });
}

#[test]
fn a_key_never_runs_twice() {
    let jumps = [HOUR, 2 * DAY, -2 * DAY, 400 * DAY];
    sweep("clock jumps and keys", jumps, |ahead| {
        let place = Place::new();
        let clock = Clock::new(&place);
        let shimmed = Shimmed::new(&place, "count", &Service::args()).with_clock(clock.path());
        let service = Service::of(shimmed).expect("a service");
        let first = service.write(&place, 1).expect("an acknowledgement");
        clock.set(*ahead);
        let _ = service.write(&place, 2);
        let again = service.write(&place, 1);
        clock.set(0);
        let once_more = service.write(&place, 1);
        drop(service.end());
        // It may be refused while the clock is wrong. It may not happen again.
        for act in [again, once_more].into_iter().flatten() {
            assert_eq!(act, first, "the write under one key ran twice");
        }
        sound(&place);
        place.spoil();
        Counts::of([("keys repeated", 2)])
    });
}

#[test]
fn time_outs_come_after_a_jump() {
    let jumps = [0, 2 * DAY, -2 * DAY];
    sweep("clock jumps and time-outs", jumps, |ahead| {
        let place = Place::new();
        let clock = Clock::new(&place);
        let shimmed = Shimmed::new(&place, "count", &Service::args()).with_clock(clock.path());
        let service = Service::of(shimmed).expect("a service");
        let open = json!({
            "question": "Should we cache?",
            "charter": "ring-quick",
            "seats": ["ann", "bob"],
            "set": { "ring.token_ms": 700 },
        });
        let opened = service.post(&place, "/v1/matters", "open", &open).expect("a ring");
        let matter = opened["matter"].as_str().expect("a matter").to_string();
        for who in ["ann", "bob"] {
            service.post_for(&place, who, &format!("/v1/matters/{matter}/join"), &json!({})).expect("a join");
        }
        clock.set(*ahead);
        let _ = service.write(&place, 1);
        clock.set(0);
        // Nobody takes a turn. Each runs out in its 0.7 s, whatever the wall clock did.
        let begun = Instant::now();
        let lapsed = || place.acts().iter().filter(|act| act.to_string().contains("\"lapsed\"")).count();
        while lapsed() < 2 && begun.elapsed() < Duration::from_secs(15) {
            std::thread::sleep(Duration::from_millis(50));
        }
        let lapsed = lapsed();
        drop(service.end());
        assert!(lapsed >= 2, "{lapsed} turns ran out within 15 s");
        sound(&place);
        place.spoil();
        Counts::of([("time-outs", lapsed)])
    });
}
