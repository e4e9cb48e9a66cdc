//! What participants ask the operator for: `synod answer` and `synod waive`.

use super::{TOPIC, last, refuses, rounds};
use crate::houses::finish;
use crate::world::{Place, each};

const SEATED: [&str; 5] =
    ["--charter=collaborative", "--seat=ann=script:ask.txt", "--set=watch.early=0", "--rounds=2", "--quiet"];

/// A place where Ann asks so in the first round.
fn asking(requests: &str) -> Place {
    let place = Place::new();
    let script = format!(
        "@speak 1\n{{\"stance\": \"YES\", \"position\": \"Perhaps.\", \"context_requests\": [{requests}]}}\n---\n\
         @speak\n{{\"stance\": \"YES\", \"position\": \"Yes.\"}}\n---\n@vote\nYES\n"
    );
    place.write("ask.txt", script);
    place
}

fn request(query: &str, priority: &str) -> String {
    format!("{{\"query\": \"{query}\", \"reason\": \"It must fit.\", \"priority\": \"{priority}\"}}")
}

#[track_caller]
fn ids(place: &Place) -> Vec<String> {
    each(&place.report()["requests"], "id").into_iter().map(String::from).collect()
}

#[test]
fn what_is_required_is_waited_for() {
    let place = asking(&request("How large is it?", "required"));
    let run = place.run([&["debate", TOPIC], &SEATED[..]].concat()).exits(2);
    let (matter, id) = (last(&place), ids(&place).remove(0));
    let number = super::number(&place);
    run.prints(&format!("{id} ann (required, open): How large is it?"))
        .prints("because It must fit.")
        .prints(&format!("synod answer {number} {id} TEXT"))
        .prints(&format!("then resume with: synod resume {number}"));
    assert_eq!(place.report()["status"], "needs_context");
    place.run(["list", "--status", "needs_context"]).exits(0).prints(TOPIC);

    refuses(&place, &["resume"], 64, &["needs context", &id, "answer or waive"]);
    refuses(&place, &["continue"], 64, &["needs context", "then `resume`"]);
    place
        .run(["pause"])
        .exits(0)
        .prints("is paused already (needs context")
        .prints(&format!("synod answer {number} {id} TEXT"));
    refuses(&place, &["answer", "9999", &id, "12 GB"], 66, &["there is no matter 9999"]);
    refuses(&place, &["answer", &matter, "9.9", "12 GB"], 64, &["has no request 9.9"]);
    refuses(&place, &["waive", &matter, "9.9"], 64, &["has no request 9.9"]);
    refuses(&place, &["answer", &matter, "it", "12 GB"], 64, &["`it` is not a request"]);
    refuses(&place, &["answer", &matter, &id, " "], 64, &["the answer is empty"]);
    refuses(&place, &["answer", &matter, &id], 64, &["the answer is missing", "--file FILE"]);
    refuses(&place, &["answer", &matter], 64, &["the answer is missing"]);
    refuses(&place, &["answer", &matter, &id, "--file", "none"], 66, &["none cannot be read"]);
    assert_eq!(place.report()["requests"][0]["became"], "open");

    place
        .run(["answer", &matter, &id, "12 GB"])
        .exits(0)
        .prints(&format!("{id} answered"))
        .prints(&format!("go on with: synod resume {number}"))
        .hides("still open");
    refuses(&place, &["answer", &matter, &id, "13 GB"], 64, &["is already answered"]);
    refuses(&place, &["waive", &matter, &id], 64, &["is already answered"]);
    refuses(&place, &["waive", &matter, "--all"], 64, &["has no open request"]);
    place.run(["resume", "--quiet"]).exits(0).prints("PASSED");
    let report = place.report();
    assert_eq!((rounds(&report), &report["requests"][0]["answer"]), (2, &"12 GB".into()));
    refuses(&place, &["answer", &matter, &id, "x"], 64, &["is over (passed): nobody would read"]);
    finish(place);
}

#[test]
fn answers_and_waivers_as_scripts_see_them() {
    let requests = [
        request("How large?", "required"),
        request("Who pays?", "required"),
        request("Since when?", "optional"),
    ];
    let place = asking(&requests.join(","));
    let told = place.json([&["debate", TOPIC], &SEATED[..]].concat());
    assert_eq!(
        (&told["status"], told["requests"].as_array().map(Vec::len)),
        (&"needs_context".into(), Some(3))
    );
    let (matter, ids) = (last(&place), ids(&place));
    let number = super::number(&place);

    place.write("answer.txt", "12 GB, as of today.\n");
    let told = place.json(["answer", &matter, &ids[0], "--file", "answer.txt"]);
    assert_eq!((&told["became"], &told["status"]), (&"answered".into(), &"needs_context".into()), "{told}");
    assert_eq!(each(&told["pending"], "id"), [&ids[1], &ids[2]]);
    assert_eq!(told["next"], format!("synod resume {number}"));
    refuses(&place, &["resume"], 64, &[&ids[1]]);

    let told = place.json(["waive", &matter, &ids[1]]);
    assert_eq!((&told["became"], each(&told["pending"], "id")), (&"waived".into(), vec![ids[2].as_str()]));
    refuses(&place, &["waive", &matter, &ids[1]], 64, &["is already waived"]);
    place.run(["waive", &matter, "--all"]).exits(0).prints(&format!("{} waived", ids[2]));
    place.run(["resume", "--quiet"]).exits(0);
    let report = place.report();
    assert_eq!(each(&report["requests"], "became"), ["answered", "waived", "waived"]);
    finish(place);
}

#[test]
fn what_is_still_open_is_said() {
    let requests = [request("How large?", "required"), request("Who pays?", "required")];
    let place = asking(&requests.join(","));
    place.run([&["debate", TOPIC], &SEATED[..]].concat()).exits(2);
    let (matter, ids) = (last(&place), ids(&place));
    place
        .run(["waive", &matter, &ids[0]])
        .exits(0)
        .prints("still open:")
        .prints(&format!("ann asks, {} (required, open): Who pays?", ids[1]))
        .prints("once no required request is open, go on with: synod resume");
    refuses(&place, &["waive", &matter], 64, &["which request?", "--all"]);
    refuses(&place, &["waive", &matter, &ids[1], "--all"], 64, &["give the id of one request, or --all"]);
    place.run(["stop"]).exits(0);
    finish(place);
}

#[test]
fn what_is_optional_holds_nobody_up() {
    let place = asking(&request("How large is it?", "optional"));
    place.run([&["debate", TOPIC], &SEATED[..]].concat()).exits(0).prints("PASSED");
    let report = place.report();
    assert_eq!((rounds(&report), &report["requests"][0]["became"]), (2, &"open".into()));
    finish(place);
}

/// What a running council asks for is answered while it runs in another terminal.
#[test]
fn what_is_optional_is_answered_while_it_runs() {
    let requests = [request("How large is it?", "optional"), request("Who pays?", "optional")];
    let place = asking(&requests.join(","));
    // Ann asks in the first round; Bob holds the second up until a file `go` is there.
    place.write(
        "bob.sh",
        "cat > /dev/null; if [ -e spoke ]; then while [ ! -e go ]; do sleep 0.02; done; fi; touch spoke\n\
         echo '{\"vote\": \"YES\", \"stance\": \"YES\", \"position\": \"Go.\"}'\n",
    );
    let running = place.start([&["debate", TOPIC, "--seat=bob=exec:sh bob.sh"], &SEATED[..]].concat());
    while place.run(["show"]).code != 0 || ids(&place).len() < 2 {
        std::thread::yield_now();
    }
    let (matter, ids) = (last(&place), ids(&place));
    let number = super::number(&place);
    place
        .run(["answer", &matter, &ids[0], "12 GB"])
        .exits(0)
        .prints(&format!("{} answered", ids[0]))
        .prints(&format!("matter {number} is running and reads it in the next round"));
    let waived = place.json(["waive", &matter, &ids[1]]);
    assert_eq!(
        (&waived["status"], &waived["next"]),
        (&"running".into(), &serde_json::Value::Null),
        "{waived}"
    );
    place.write("go", "");
    running.wait().exits(0).prints("PASSED");
    assert_eq!(each(&place.report()["requests"], "became"), ["answered", "waived"]);
    finish(place);
}

/// In a matter that is held round by round, what was asked for comes first, then the next round.
#[test]
fn answered_and_then_continued() {
    let place = asking(&request("How large is it?", "required"));
    place.run([&["debate", TOPIC, "--step"], &SEATED[..]].concat()).exits(2).prints("(required, open)");
    let (matter, id) = (last(&place), ids(&place).remove(0));
    place.run(["answer", &matter, &id, "12 GB"]).exits(0);
    place.run(["resume"]).exits(2).prints("run the next with: synod continue");
    place.run(["continue", "--quiet"]).exits(0).prints("PASSED");
    finish(place);
}
