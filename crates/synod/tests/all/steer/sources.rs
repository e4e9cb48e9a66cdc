//! Files that seats ask to see: `--sources`.

use serde_json::Value;

use super::{TOPIC, refuses, rounds};
use crate::houses::finish;
use crate::world::Place;

const SEATED: [&str; 4] =
    ["--charter=collaborative", "--seat=ann=script:ask.txt", "--set=watch.early=0", "--rounds=3"];

/// A place with sources, where Ann asks for these files in a round and cites one afterwards.
fn asking(round: u32, files: &[&str]) -> Place {
    let place = Place::new();
    let request = |file: &&str| {
        format!(
            r#"{{"query": "how it retries", "reason": "it decides", "priority": "required", "file": "{file}"}}"#
        )
    };
    let requests: Vec<String> = files.iter().map(request).collect();
    let requests = requests.join(",");
    place.write(
        "ask.txt",
        format!(
            "@speak {round}\n{{\"stance\": \"YES\", \"position\": \"Perhaps.\", \"context_requests\": [{requests}]}}\n---\n\
             @speak\n{{\"stance\": \"YES\", \"position\": \"Yes.\", \"citations\": [{{\"url\": \"src/client.rs:2-3\", \
             \"title\": \"The client\", \"quote\": \"retries(3)\"}}]}}\n---\n@vote\nYES\n"
        ),
    );
    place.write("work/src/client.rs", "fn call() {\n    retries(3);\n    send()\n}\n");
    place.write("work/.env", "TOKEN=hunter2\n");
    place
}

fn tags(place: &Place) -> Vec<String> {
    let acts = place.acts();
    let events = acts.iter().flat_map(|act| act["outcome"]["done"].as_array().cloned().unwrap_or_default());
    let tag = |event: Value| {
        let (organ, inner) =
            event.as_object().and_then(|event| event.iter().next()).map(|(o, i)| (o.clone(), i.clone()))?;
        Some(format!("{organ}/{}", inner.as_object()?.keys().next()?))
    };
    events.filter_map(tag).collect()
}

#[test]
fn a_file_is_read_and_cited_and_nothing_waits() {
    let place = asking(1, &["src/client.rs:2-3", ".env", "src/none.rs", "../ask.txt"]);
    place
        .run([&["debate", TOPIC, "--sources=work"], &SEATED[..]].concat())
        .exits(0)
        .prints("PASSED")
        .tells("read src/client.rs, lines 2 to 3 of 4")
        .tells(".env was not read: files that may hold secrets are not read (source/secret)")
        .tells("src/none.rs was not read: there is no such file (source/missing)")
        .tells("request rejected: `../ask.txt` does not name a file");
    let report = place.report();
    assert_eq!(rounds(&report), 3);
    let read = &report["requests"][0];
    assert_eq!(read["became"], "read");
    assert_eq!(read["answer"], "    retries(3);\n    send()");
    assert_eq!((&read["source"]["path"], &read["source"]["from"]), (&"src/client.rs".into(), &2.into()));
    let digest = read["source"]["digest"].as_str().unwrap().to_string();
    assert_eq!(digest.len(), 64);
    assert_eq!(report["requests"][1]["unread"]["code"], "source/secret");
    assert_eq!(report["requests"][2]["unread"]["code"], "source/missing");
    assert_eq!(report["material"][0]["name"], "Files you can ask for");
    assert_eq!(report["material"][0]["text"], "src/client.rs");

    place.run(["citations"]).exits(0).prints("src/client.rs:2-3");
    place.run(["round", "1"]).exits(0).prints("src/client.rs, lines 2 to 3 of 4").prints(&digest);
    place.run(["export", "--format=md"]).exits(0).prints(&digest).prints("retries(3);");
    // What was read is in the record: nobody reads it again.
    std::fs::remove_dir_all(place.dir().join("work")).unwrap();
    place.holds_nowhere("hunter2");
    place.run(["replay"]).exits(0);
    place.run(["verify"]).exits(0);
    finish(place);
}

#[test]
fn without_sources_a_file_is_a_question_to_the_operator_as_before() {
    let place = asking(1, &["src/client.rs"]);
    place.run([&["debate", TOPIC], &SEATED[..]].concat()).exits(2).prints("(required, open): how it retries");
    assert!(place.report()["requests"][0].get("file").is_none());
    refuses(&place, &["resume", "--sources=work"], 64, &["opened without --sources"]);
    place.spoil();
}

#[test]
fn the_folder_is_checked_before_anybody_is_asked() {
    let place = asking(1, &[]);
    let debate = |folder: &str| [&["debate", TOPIC, "--sources", folder], &SEATED[..]].concat().join("\u{1}");
    for (folder, why) in [("nowhere", "No such file"), ("ask.txt", "Not a directory")] {
        let debate = debate(folder);
        refuses(&place, &debate.split('\u{1}').collect::<Vec<_>>(), 64, &["--sources", why]);
    }
    assert!(!place.journal().exists(), "nothing was opened");
    place.spoil();
}

/// Killed after the world was asked and before anybody read: the next process finds the ask open, and reads.
#[test]
fn killed_between_ask_and_answer() {
    let place = asking(2, &["src/client.rs"]);
    place.run([&["debate", TOPIC, "--sources=work", "--step"], &SEATED[..]].concat()).exits(2);
    let mut left = place.start(["continue", "--to-end"]);
    left.until_told("none can be read without --sources DIR");
    let begun = std::time::Instant::now();
    while !tags(&place).contains(&"ask/sent".to_string()) {
        assert!(begun.elapsed().as_secs() < 20, "the world is asked: {}", left.said());
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    left.kill();
    assert!(!tags(&place).contains(&"context/read".to_string()));
    place
        .run(["resume", "--sources=work"])
        .exits(0)
        .prints("PASSED")
        .tells("read src/client.rs, the whole file");
    let found = tags(&place);
    let of = |tag: &str| found.iter().filter(|found| *found == tag).count();
    assert_eq!((of("ask/sent"), of("context/read"), of("ask/renewed")), (1, 1, 1));
    assert_eq!(rounds(&place.report()), 3);
    finish(place);
}
