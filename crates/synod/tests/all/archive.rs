//! A house with more settled matters than stay in memory: every command and the service answer for old matters as for
//! new ones, from the snapshot and without it.

use std::sync::{LazyLock, Mutex};

use serde_json::{Value, json};
use synod_core::command::Open;
use synod_core::kernel::{Actor, At, Call, Digest, Id, MatterId, Seat, SeatKind, Who};
use synod_core::matter::Question;
use synod_core::{Command, House, Outcome, Task, charter};
use synod_journal::{HouseKey, Journal as _, LockHolder, Record, Sqlite, chain};

use crate::houses::finish;
use crate::service::Served;
use crate::world::Place;

const MATTERS: u64 = 300;

/// Judges and seals, and appends everything in one go.
struct Scribe {
    house: House,
    journal: Sqlite,
    now: At,
    records: Vec<Record>,
}

impl Scribe {
    fn write(&mut self, by: Actor, command: Command) -> Id {
        self.now = self.now.plus(1_000);
        let (act, house) = self.house.judge(self.now, by, None, command);
        assert!(matches!(act.outcome, Outcome::Done(_)), "{act:?}");
        let head = self.records.last().map_or(self.journal.head(), Record::head);
        self.records.push(chain::seal(head, &act).expect("a record"));
        self.house = house;
        Id { act: act.seq, nth: 0 }
    }

    fn matter(&mut self, topic: &str, seats: &[Who], source: &str) {
        let question = Question::parse(topic, &[]).expect("a question");
        let open = Open::new(question, Digest::of(source.as_bytes()), seats.to_vec());
        let matter = MatterId(self.write(Actor::Operator, Command::Open(Box::new(open))));
        loop {
            let case = self.house.case(matter).expect("the matter");
            let Some((ask, open)) = case.asks().iter().next().map(|(id, ask)| (*id, ask.clone())) else {
                return;
            };
            let text = match open.task().unwrap() {
                Task::Vote { .. } => r#"{"vote":"YES","reason":"it pays"}"#,
                _ => r#"{"stance":"YES","position":"we should"}"#,
            };
            let (text, call) = (text.into(), Box::new(Call::default()));
            self.write(
                Actor::Seat(open.who().unwrap().clone()),
                Command::Answer { ask, salt: None, text, call },
            );
        }
    }
}

/// A house with many matters, written once and copied for each test.
fn many() -> Place {
    static MANY: LazyLock<Mutex<Place>> = LazyLock::new(|| {
        let place = Place::new();
        let journal = Sqlite::open(&place.house(), &LockHolder::this_process("a test")).expect("a journal");
        let key = HouseKey::load_or_create(&place.house()).expect("a key").public_hex();
        let mut scribe =
            Scribe { house: House::default(), journal, now: At(1_700_000_000_000), records: Vec::new() };
        // Every seat is asked to vote, so that the record grows long enough for a snapshot.
        let source = charter::shipped("blind-vote").expect("a charter").source;
        let source = &source.replace("stances = true", "stances = false");
        let edition = synod_core::edition::CURRENT;
        scribe.write(Actor::Operator, Command::Found { edition, key });
        scribe.write(Actor::Operator, Command::Adopt { source: source.clone() });
        let seats = ["ann", "bob"].map(|name| Who::parse(name).expect("a name"));
        for who in &seats {
            let (kind, backend, name) = (SeatKind::Scripted, "script:s.txt".into(), who.to_string());
            let seat =
                Seat { who: who.clone(), name, kind, backend, model: None, persona: None, profile: None };
            scribe.write(Actor::Operator, Command::Enrol { seat });
        }
        for nth in 1..=MATTERS {
            scribe.matter(&format!("question {nth} of many"), &seats, source);
        }
        scribe.journal.append(scribe.journal.head(), &scribe.records).expect("an append");
        drop(scribe);
        place.checked();
        Mutex::new(place)
    });
    let place = MANY.lock().expect("the house").copy();
    place.write("s.txt", "@any\nYES\n");
    // The test made it without a command, so that nobody knows its key yet.
    place.run(["verify", "--remember"]).prints("chained to");
    place
}

/// The same house, with a snapshot. The last matter got an outcome.
fn with_snapshot() -> Place {
    let place = many();
    place.run(["outcome", "last", "right"]).exits(0);
    assert!(place.house().join("snapshot").is_file(), "a command that writes leaves one");
    place
}

#[test]
fn old_matters_are_shown_with_and_without_a_snapshot() {
    let place = with_snapshot();
    let look = |place: &Place| -> Vec<Value> {
        let mut shown =
            vec![place.json(["show", "3"]), place.json(["list"]), place.json(["compare", "2", "4"])];
        shown.push(place.json(["export", "5", "--format", "json"]));
        shown.push(serde_json::from_str(&place.run(["receipt", "6"]).exits(0).out).expect("a receipt"));
        shown.push(place.json(["round", "7", "1"]));
        shown
    };
    let with = look(&place);
    assert_eq!(with[0]["question"]["topic"], "question 3 of many");
    std::fs::remove_file(place.house().join("snapshot")).expect("it may be deleted at any time");
    assert_eq!(look(&place), with);
    place.run(["show", "9999"]).exits(66);
    place.run(["show", "m999999"]).exits(66);
    place.run(["verify"]).exits(0).hides("snapshot");
    finish(place);
}

#[test]
fn verify_and_doctor_tell_of_the_snapshot() {
    let place = with_snapshot();
    place.run(["verify"]).exits(0).prints("the snapshot says what the acts up to");
    place.run(["doctor"]).prints("(the snapshot)").prints("0 acts since");
    let good = std::fs::read(place.house().join("snapshot")).expect("the snapshot");
    place.write(".synod/snapshot", &good[..good.len() / 2]);
    place.run(["verify"]).exits(0).prints("the snapshot is not used");
    place.run(["show", "3"]).exits(0).prints("question 3 of many");
    // Whole in itself, of this very journal, signed by this user, and yet wrong: our own mistake.
    place.write(".synod/snapshot", &good);
    let key = synod_journal::HouseKey::load(&place.state().join("synod")).expect("readable");
    let key = key.expect("the key of this user");
    let snapshot = synod_journal::Snapshot::load(&place.house(), &key).expect("a snapshot");
    let at = snapshot.body.windows(18).position(|part| part == b"question 3 of many").expect("the topic");
    let mut body = snapshot.body.clone();
    body[at..at + 8].copy_from_slice(b"answer!!");
    let wrong = synod_journal::Snapshot { body, ..snapshot };
    wrong.save(&place.house(), &key).expect("a wrong one");
    place.run(["verify"]).exits(1).prints("the snapshot says something else");
    place.run(["show", "3"]).exits(65).tells("delete the file `snapshot`");
    // The same by somebody else is not even looked at: a stranger's folder cannot bring its own.
    let other = synod_journal::HouseKey::load_or_create(&place.dir().join("elsewhere")).expect("a key");
    wrong.save(&place.house(), &other).expect("a forged one");
    place.run(["show", "3"]).exits(0).prints("question 3 of many");
    place.run(["list", "--all"]).exits(0).prints("question 3 of many").hides("answer!! 3 of many");
    place.run(["doctor"]).prints("not used");
    std::fs::remove_file(place.house().join("snapshot")).expect("the remedy");
    place.run(["show", "3"]).exits(0).prints("question 3 of many");
    finish(place);
}

#[test]
fn lists_show_a_page_and_say_how_to_go_on() {
    let place = with_snapshot();
    let numbers = |list: &Value| -> Vec<u64> {
        list.as_array().expect("rows").iter().filter_map(|row| row["number"].as_u64()).collect()
    };
    place
        .run(["list"])
        .exits(0)
        .prints("question 300 of many")
        .hides("question 250 of many")
        .tells("250 older");
    assert_eq!(numbers(&place.json(["list"])), (251..=300).collect::<Vec<_>>());
    assert_eq!(numbers(&place.json(["list", "--before", "251", "--limit", "2"])), [249, 250]);
    assert_eq!(numbers(&place.json(["list", "--before", "3"])), [1, 2]);
    assert_eq!(numbers(&place.json(["list", "--all"])).len() as u64, MATTERS);
    assert_eq!(numbers(&place.json(["list", "--contains", "question 12 of"])), [12]);
    place.run(["list", "--before", "9999"]).exits(66);
    place.run(["list", "--all", "--limit", "3"]).exits(64);
    finish(place);
}

#[test]
fn old_matters_are_judged_branched_off_from_and_deleted() {
    let place = with_snapshot();
    place.run(["outcome", "2", "wrong"]).exits(0).prints("matter 2");
    assert!(place.json(["show", "2"])["outcome"].is_object(), "the outcome is kept");
    place.run(["fork", "4", "--at-round", "1", "--quiet"]).exits(0);
    assert_eq!(place.report()["number"], MATTERS + 1);
    place.run(["delete", "4", "--yes"]).exits(0).prints("is deleted");
    place.run(["delete", "5", "--yes"]).exits(0).prints("is deleted");
    for entry in std::fs::read_dir(place.house()).expect("the house").flatten() {
        let bytes = std::fs::read(entry.path()).unwrap_or_default();
        assert!(!bytes.windows(18).any(|part| part == b"question 5 of many"), "{:?}", entry.file_name());
    }
    finish(place);
}

#[test]
fn the_service_answers_for_old_matters() {
    let place = with_snapshot();
    let served = Served::start(&place, &[]);
    let page = served.get("/v1/matters?limit=2", "").is(200).json();
    let first = page["matters"][0]["matter"].as_str().expect("a matter").to_string();
    assert_eq!(page["matters"][1]["number"], 2);
    let next = served.get(&format!("/v1/matters?limit=2&after={}", page["next"].as_str().expect("more")), "");
    assert_eq!(next.is(200).json()["matters"][0]["number"], 3);
    let newest = served.get("/v1/matters?newest=true&limit=2", "").is(200).json();
    assert_eq!(newest["matters"][0]["number"], MATTERS);
    let older = newest["next"].as_str().expect("more");
    let older = served.get(&format!("/v1/matters?newest=true&limit=1&after={older}"), "").is(200).json();
    assert_eq!(older["matters"][0]["number"], MATTERS - 2);
    assert_eq!(
        served.get(&format!("/v1/matters/{first}"), "").is(200).json()["question"]["topic"],
        "question 1 of many"
    );
    served.get(&format!("/v1/receipts/{first}"), "").is(200);
    served.post(&format!("/v1/matters/{first}/outcome"), "", &json!({ "was": "wrong" })).is(200);
    assert!(served.get(&format!("/v1/matters/{first}"), "").is(200).json()["outcome"].is_object());
    served.get("/v1/matters/m999999", "").fails(404, "matter/unknown");
    let house = served.get("/v1/house", "").is(200).json();
    assert_eq!(house["matters"], MATTERS, "{house}");
    served.end();
    finish(place);
}
