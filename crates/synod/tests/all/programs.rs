//! Programs that answer for seats: what they get to know, that they end with Synod, and that no key is recorded with them.

use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::houses::finish;
use crate::world::Place;

const SECRET: &str = "sk-the-users-own-secret";

/// The processes that a program has noted, once there are at least so many: a program may be asked more than once.
#[track_caller]
fn noted(file: &Path, many: usize) -> Vec<String> {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(30) {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        if text.ends_with('\n') && text.lines().count() >= many {
            return text.lines().map(str::to_string).collect();
        }
        std::thread::yield_now();
    }
    panic!("the program did not start: {:?}", std::fs::read_to_string(file));
}

fn is_alive(id: &str) -> bool {
    // A process that was killed and not yet collected is as good as gone.
    std::fs::read_to_string(format!("/proc/{id}/stat")).is_ok_and(|state| !state.contains(") Z "))
}

#[track_caller]
fn all_end(ids: &[String]) {
    let begun = Instant::now();
    while ids.iter().any(|id| is_alive(id)) {
        assert!(begun.elapsed() < Duration::from_secs(20), "still there: {ids:?}");
        std::thread::yield_now();
    }
}

/// A program that starts another, and one more that leaves its process group and its parent. All of them ignore what can
/// be ignored, and would stay for ever.
fn stays(ids: &Path) -> String {
    let ids = ids.display();
    let one = format!("trap \"\" TERM HUP INT; echo $$ >> {ids}; while :; do sleep 1000; done");
    format!("(setsid sh -c '{one}' &); sh -c '{one}' & {one}")
}

#[cfg(target_os = "linux")]
#[test]
fn they_end_with_synod_however_it_ends() {
    for signal in ["KILL", "INT"] {
        let place = Place::new();
        let ids = place.dir().join("ids");
        let run = place.start(["debate", "Should we?", &format!("--seat=ann=exec:{}", stays(&ids))]);
        let ids = noted(&ids, 3);
        assert!(ids.iter().all(|id| is_alive(id)));
        run.signal(signal);
        all_end(&ids);
        drop(run.wait());
        place.run(["verify"]).exits(0);
        finish(place);
    }
}

/// A turn that is over ends its program, and so does a program that was left running by one that has ended.
#[cfg(target_os = "linux")]
#[test]
fn what_a_program_started_ends_with_its_turn() {
    let place = Place::new();
    let ids = place.dir().join("ids");
    let late = format!("--seat=ann=exec:{}", stays(&ids));
    place
        .run(["debate", "Should we?", &late, "--set", "turn.limit_ms=8000", "--charter=blind-vote"])
        .exits(69);
    all_end(&noted(&ids, 3));

    let left = place.dir().join("left");
    let leaves = format!(
        "--seat=ann=exec:(setsid sh -c 'echo $$ >> {0}; exec sleep 1000' > /dev/null 2>&1 &); while [ ! -s {0} ]; do :; done; echo YES",
        left.display()
    );
    place.run(["debate", "Should we?", &leaves, "--charter=blind-vote"]).exits(0);
    all_end(&noted(&left, 1));
    finish(place);
}

#[test]
fn they_get_the_variables_that_their_seat_names() {
    let place = Place::new().with("OPENAI_API_KEY", SECRET).with("MY_MODE", "loud").with("OTHER", "x");
    let seen = place.state().join("seen");
    let program =
        |variables: &str| format!("exec{variables}:cat > /dev/null; env > {}; echo YES", seen.display());
    let names = || {
        let seen = std::fs::read_to_string(&seen).expect("what it saw");
        let names = seen.lines().filter_map(|line| Some(line.split_once('=')?.0.to_string()));
        let own = |name: &String| !["PWD", "OLDPWD", "SHLVL", "_"].contains(&name.as_str());
        let mut names: Vec<String> = names.filter(own).collect();
        names.sort_unstable();
        names
    };
    let debate = |seat: &str| place.run(["debate", "Should we?", "--charter=blind-vote", seat]).exits(0);
    drop(debate(&format!("--seat=ann={}", program(""))));
    assert_eq!(names(), ["HOME", "PATH"]);
    drop(debate(&format!("--seat=ann={}", program("[MY_MODE,OPENAI_API_KEY]"))));
    assert_eq!(names(), ["HOME", "MY_MODE", "OPENAI_API_KEY", "PATH"]);
    place.holds_nowhere(SECRET);
    // The same in a file of seats.
    let seats = format!("[[seat]]\nname = \"ann\"\nbackend = '''{}'''\nenv = [\"MY_MODE\"]\n", program(""));
    place.write(".synod/seats.toml", seats);
    place.run(["debate", "Should we?", "--charter=blind-vote"]).exits(0);
    assert_eq!(names(), ["HOME", "MY_MODE", "PATH"]);
    place.write(".synod/seats.toml", "[[seat]]\nname = \"ann\"\nbackend = \"rehearsal\"\nenv = [\"X\"]\n");
    place.run(["debate", "Should we?"]).exits(65).tells("only programs");
    std::fs::remove_file(place.house().join("seats.toml")).expect("the seats");
    place
        .run(["debate", "Should we?", "--seat=ann=exec[A-B]:cat"])
        .exits(64)
        .tells("not the name of a variable");
    finish(place);
}

/// Consent names the variables that a program of the house would get, and covers no others.
#[test]
fn consent_for_a_program_is_for_its_variables_too() {
    let place = Place::new().wary();
    let seats = |variables: &str| {
        let text = format!("[[seat]]\nname = \"ann\"\nbackend = \"exec{variables}:echo YES\"\n");
        place.write(".synod/seats.toml", text);
    };
    seats("");
    place.run(["trust"]).exits(0).prints("trusted      run the program: echo YES");
    seats("[OPENAI_API_KEY]");
    place.run(["debate", "Should we?"]).exits(69).tells("run the program: echo YES, with OPENAI_API_KEY");
}

/// What a debate runs and whom it sends anything is in the record, also where nobody saw the plan.
#[test]
fn the_record_names_what_was_run() {
    let place = Place::new();
    let seat = "--seat=ann=exec:cat > /dev/null; echo YES";
    place.run(["debate", "Should we?", "--quiet", "--charter=blind-vote", seat]).exits(0);
    let acts = place.acts();
    let opened = acts.iter().find(|act| act["command"]["open"].is_object()).expect("an opening");
    assert_eq!(opened["command"]["open"]["reaches"], json!(["program cat > /dev/null; echo YES"]));
    finish(place);
}

/// What answers for a seat is recorded for ever.
#[test]
fn a_key_in_a_seat_never_reaches_the_journal() {
    let place = Place::new().with("ANTHROPIC_API_KEY", SECRET);
    let seat = format!("--seat=ann=exec:curl -H 'x-api-key: {SECRET}' localhost");
    let run = place.run(["debate", "Should we?", &seat]).exits(65).hides(SECRET);
    run.tells("holds one of your keys").tells("exec[OPENAI_API_KEY]:COMMAND");
    assert_eq!(place.json(["debate", "Should we?", &seat])["error"]["code"], "backend/key-in-seat");
    // A key that is in no variable is known by its form.
    let seat = "--seat=ann=exec:run --key sk-ant-api03-Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8";
    place.run(["debate", "Should we?", seat]).exits(65).tells("looks like a key").hides("Ab1Cd2");
    assert!(!place.journal().exists());
    place.holds_nowhere(SECRET);
}
