//! A stranger's house: it runs no program, contacts no server and sends no key before the user has agreed to exactly that.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::houses::finish;
use crate::person::Terminal;
use crate::server::{Server, say, side};
use crate::service::{Served, token};
use crate::world::{Place, Run};

const SECRET: &str = "sk-the-users-own-secret";
const ANSWER: &str = r#"{"stance":"YES","position":"p","vote":"YES","reason":"r"}"#;

/// Somebody who disagrees, so that the first round settles nothing.
const AGAINST: &str =
    "--seat=zoe=exec:echo '{\"stance\":\"NO\",\"position\":\"p\",\"vote\":\"NO\",\"reason\":\"r\"}'";

/// A program that leaves a mark when it is run.
fn program(place: &Place) -> (String, PathBuf) {
    let mark = place.state().join("RAN");
    (format!("exec:touch {}; echo '{ANSWER}'", mark.display()), mark)
}

fn seats_file(place: &Place, backend: &str) {
    place.write(".synod/seats.toml", format!("[[seat]]\nname = \"ann\"\nbackend = '''{backend}'''\n"));
}

fn consent(place: &Place) -> PathBuf {
    place.state().join("synod/trusted")
}

/// It was refused, says so under its name, and shows what it is about.
#[track_caller]
fn refused(run: Run, what: &str) -> Run {
    let run = run.exits(69).tells("you have not agreed to").tells(what).tells("nothing was run or sent");
    run.tells("--trust").tells("if one changes, you are asked again")
}

/// A house with a matter that waits after its first round, whose seat is this; as a stranger would have recorded it.
fn recorded(backend: &str) -> Place {
    let made = Place::new();
    made.run(["debate", "Should we?", "--step", AGAINST, &format!("--seat=ann={backend}")]).exits(2);
    let cloned = made.copy().wary();
    made.spoil();
    cloned
}

#[test]
fn a_seats_file_runs_nothing_without_consent() {
    let place = Place::new().wary();
    let (backend, mark) = program(&place);
    seats_file(&place, &backend);
    let run =
        refused(place.run(["debate", "Should we?"]), &format!("run the program: touch {}", mark.display()));
    run.tells("if you trust it, run `synod trust`");
    assert_eq!(place.json(["debate", "Should we?"])["error"]["code"], "house/untrusted");
    // Naming the file of the house is not writing it.
    refused(place.run(["debate", "Should we?", "--seats=.synod/seats.toml"]), "run the program");
    assert!(!mark.exists() && !place.journal().exists());

    place.run(["debate", "Should we?", "--trust", "--quiet"]).exits(0);
    assert!(mark.exists(), "the flag allows it");
    assert!(!consent(&place).exists(), "and only in that run");
    std::fs::remove_file(&mark).expect("the mark");
    refused(place.run(["debate", "Should we?"]), "run the program");
    assert!(!mark.exists());
    finish(place);
}

#[test]
fn a_record_runs_nothing_without_consent() {
    let marks = tempfile::tempdir().expect("a directory");
    let mark = marks.path().join("RAN");
    let place = recorded(&format!("exec:touch {}; echo '{ANSWER}'", mark.display()));
    std::fs::remove_file(&mark).expect("the mark of the one who recorded it");
    let attacks: [&[&str]; 5] = [
        &["continue"],
        &["resume"],
        &["fork", "--at-round=1"],
        &["synthesize", "--by=ann"],
        &["judge", "--round=1", "--judge=ann"],
    ];
    for attack in attacks {
        refused(place.run(attack), "run the program: touch ");
        assert!(!mark.exists(), "{attack:?} ran it");
    }
    place.run(["show"]).exits(0);
    place.run(["trust", "--list"]).exits(0).prints("not trusted  run the program: touch ");
    assert!(!mark.exists() && !consent(&place).exists());

    place.run(["trust"]).exits(0).prints("trusted      run the program: touch ");
    place.run(["continue", "--to-end", "--quiet"]).hides("you have not agreed to");
    assert!(mark.exists());
    finish(place);
}

/// Two models at one server ask for the same thing, as people read it.
#[test]
fn what_reads_the_same_is_listed_once() {
    let place = Place::new().wary();
    let seat =
        |name: &str| format!("[[seat]]\nname = \"{name}\"\nbackend = \"http://127.0.0.1:9/v1#{name}\"\n");
    place.write(".synod/seats.toml", seat("ann") + &seat("bob"));
    let listed = place.run(["trust", "--list"]).exits(0);
    assert_eq!(listed.out.matches("contact http://127.0.0.1:9/v1").count(), 1, "{listed}");
}

#[test]
fn a_recorded_script_and_a_recorded_server_need_consent() {
    let server = Server::start(|request| say(side(request, "YES")));
    let place = recorded(&format!("{}#ann", server.url)).with("SYNOD_API_KEY", SECRET);
    let before = server.count();
    let run =
        refused(place.run(["continue"]), &format!("contact {}, with the key in SYNOD_API_KEY", server.url));
    drop(run.hides(SECRET));
    refused(place.run(["synthesize", "--by=ann"]), "contact ");
    assert_eq!(server.count(), before, "nobody was contacted");
    place.run(["continue", "--to-end", "--quiet", "--trust"]).hides("you have not agreed to");
    assert!(server.count() > before);
    finish(place);

    let file = tempfile::NamedTempFile::new().expect("a file");
    std::fs::write(file.path(), "YES\n").expect("a script");
    let place = recorded(&format!("script:{}", file.path().display()));
    refused(place.run(["continue"]), "read answers from the file: ");
    finish(place);
}

#[test]
fn settings_send_no_key_without_consent() {
    let server = Server::start(|request| say(side(request, "YES")));
    let url = &server.url;
    let place = Place::new().wary();
    let file = place.state().join("any-file");
    std::fs::write(&file, SECRET).expect("a secret file");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).expect("a mode");
    let place = place.with("OPENAI_API_KEY", SECRET).with("AWS_SECRET_ACCESS_KEY", SECRET);
    let named = "--seat=ann=openai:ann".to_string();
    let typed = server.seat("ann");
    let attacks = [
        (format!("[openai]\nbase_url = \"{url}\"\n"), &named, format!("the key in OPENAI_API_KEY to {url}")),
        (
            format!("[openai]\nbase_url = \"{url}\"\nkey_file = \"{}\"\n", file.display()),
            &named,
            format!("the key in the file {} to {url}", file.display()),
        ),
        (
            format!("[\"{url}\"]\nkey_env = \"AWS_SECRET_ACCESS_KEY\"\n"),
            &typed,
            format!("the key in AWS_SECRET_ACCESS_KEY to {url}"),
        ),
        (
            format!("[ollama]\nbase_url = \"{url}\"\n"),
            &"--seat=ann=ollama:ann".into(),
            format!("contact {url}"),
        ),
    ];
    for (settings, seat, what) in &attacks {
        place.write(".synod/providers.toml", settings);
        refused(place.run(["debate", "Should we?", seat]), what).hides(SECRET);
        place.run(["trust", "--list"]).exits(0).prints("not trusted").prints(what).hides(SECRET);
    }
    assert_eq!(server.count(), 0, "nobody was contacted");

    // Settings that decide nothing of this kind need no consent, and neither do seats that they do not concern.
    place.run(["debate", "Should we?", "--seat=ann=rehearsal", "--quiet"]);
    place.write(".synod/providers.toml", format!("[\"{url}\"]\ntries = 1\n"));
    place.run(["debate", "Should we?", &typed, "--quiet"]).exits(0);

    place.write(".synod/providers.toml", &attacks[0].0);
    place.run(["trust"]).exits(0);
    place.run(["debate", "Should we?", &named, "--quiet"]).exits(0);
    let last = server.log().pop().expect("a request").request;
    assert!(last.headers.iter().any(|header| header.contains(SECRET)), "as agreed");
    finish(place);
}

/// A key file with a relative name may become a link to another file.
#[test]
fn consent_for_a_key_file_is_for_what_it_leads_to() {
    let server = Server::start(|request| say(side(request, "YES")));
    let place = Place::new().wary();
    let (first, second) = (place.state().join("first"), place.state().join("second"));
    for file in [&first, &second] {
        std::fs::write(file, SECRET).expect("a secret file");
        std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o600)).expect("a mode");
    }
    let url = &server.url;
    place
        .write(".synod/providers.toml", format!("[openai]\nbase_url = \"{url}\"\nkey_file = \"key-file\"\n"));
    let link = place.house().join("key-file");
    std::os::unix::fs::symlink(&first, &link).expect("a link");
    place.run(["trust"]).exits(0);
    std::fs::remove_file(&link).expect("the link");
    std::os::unix::fs::symlink(&second, &link).expect("a link");
    let run = place.run(["debate", "Should we?", "--seat=ann=openai:ann"]);
    refused(run, "the key in the file ").tells("it is new or has changed");
    assert_eq!(server.count(), 0);
}

#[test]
fn consent_is_for_this_content_in_this_house() {
    let place = Place::new().wary();
    let (backend, mark) = program(&place);
    seats_file(&place, &backend);
    place.run(["trust"]).exits(0).prints("trusted      run the program: touch ");
    let mode = std::fs::metadata(consent(&place)).expect("the file of consent").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    place.run(["debate", "Should we?", "--quiet"]).exits(0);
    std::fs::remove_file(&mark).expect("the mark");

    seats_file(&place, &format!("{backend}; true"));
    refused(place.run(["debate", "Should we?"]), "; true").tells("it is new or has changed");
    // The same folder elsewhere is another house.
    seats_file(&place, &backend);
    let elsewhere = place.dir().join("elsewhere");
    std::fs::create_dir(&elsewhere).expect("a directory");
    std::fs::copy(place.house().join("seats.toml"), elsewhere.join("seats.toml")).expect("a copy");
    refused(place.run(["debate", "Should we?", "--house=elsewhere"]), "run the program")
        .tells("`synod trust --house elsewhere`");
    assert!(!mark.exists());

    let house = place.house().canonicalize().expect("the house").display().to_string();
    place.run(["trust", "--list"]).exits(0).prints("houses with your consent:").prints(&house);
    place.run(["trust", "--revoke"]).exits(0).prints("taken back");
    refused(place.run(["debate", "Should we?"]), "run the program");
    assert!(!mark.exists());
    finish(place);
}

/// Whoever can put another folder in the house's place must not inherit what was agreed to, not even with the same files.
#[test]
fn another_folder_at_the_same_path_is_another_house() {
    let place = Place::new().wary();
    let (backend, mark) = program(&place);
    seats_file(&place, &backend);
    place.run(["trust"]).exits(0);
    let aside = place.dir().join("aside");
    std::fs::rename(place.house(), &aside).expect("moved away");
    seats_file(&place, &backend);
    refused(place.run(["debate", "Should we?"]), "run the program");
    assert!(!mark.exists());
    std::fs::remove_dir_all(place.house()).expect("the other one");
    std::fs::rename(&aside, place.house()).expect("moved back");
    place.run(["debate", "Should we?", "--quiet"]).exits(0);
    assert!(mark.exists());
    finish(place);
}

#[test]
fn seats_that_the_user_types_are_not_asked_about() {
    let server = Server::start(|request| say(side(request, "YES")));
    let place = Place::new().wary();
    let (backend, mark) = program(&place);
    place.write("council.toml", "[[seat]]\nname = \"cy\"\nbackend = \"exec:echo YES\"\n");
    let seat = format!("--seat=ann={backend}");
    place.run(["debate", "Should we?", "--step", AGAINST, &seat, &server.seat("bob")]).exits(2);
    assert!(mark.exists());
    place.run(["continue", "--to-end", "--quiet"]).exits(0);
    place.run(["synthesize", "--by=ann"]).hides("you have not agreed to");
    place.run(["judge", "--round=1", "--judge=jo=exec:echo YES"]).hides("you have not agreed to");
    place.run(["judge", "--round=1", "--judge=jo"]).hides("you have not agreed to");
    place.run(["fork", "--at-round=1", "--seats=council.toml", "--quiet"]).hides("you have not agreed to");
    place.run(["fork", "--at-round=1", "--quiet"]).hides("you have not agreed to");
    finish(place);
}

#[test]
fn a_user_without_a_home_needs_the_flag() {
    let place = Place::new().wary();
    let (backend, mark) = program(&place);
    seats_file(&place, &backend);
    let homeless = |args: &[&str]| {
        let mut command = place.command(args);
        command.env_remove("HOME").env_remove("XDG_STATE_HOME");
        crate::world::Started::of(command, b"").wait()
    };
    refused(homeless(&["debate", "Should we?"]), "neither HOME nor XDG_STATE_HOME is set");
    homeless(&["trust"]).exits(69).tells("consent cannot be saved");
    assert!(!mark.exists());
    homeless(&["debate", "Should we?", "--trust", "--quiet"]).exits(0);
    // What is typed is performed, and cannot be kept.
    let seat = format!("--seat=bob={backend}");
    homeless(&["debate", "Should we?", AGAINST, &seat, "--only", "--step"])
        .exits(2)
        .tells("note: this is trusted for now only");
    refused(homeless(&["continue"]), "run the program");
    // Nobody could remember the key of the house, either.
    place.run(["verify", "--remember"]).exits(0);
    finish(place);
}

/// A folder may bring a file of consent along, if it is also the user's home.
#[test]
fn a_file_of_consent_that_others_wrote_is_not_believed() {
    let place = Place::new().wary();
    let (backend, mark) = program(&place);
    seats_file(&place, &backend);
    place.run(["trust"]).exits(0);
    let kept = consent(&place);
    let chmod = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).expect("a mode");
    };
    chmod(&kept, 0o644);
    place.run(["debate", "Should we?"]).exits(65).tells("is not a file that only you can read");
    chmod(&kept, 0o600);
    let real = place.state().join("real");
    std::fs::rename(&kept, &real).expect("a move");
    std::os::unix::fs::symlink(&real, &kept).expect("a link");
    place.run(["debate", "Should we?"]).exits(74).tells("cannot use ");
    // A house that holds the user's state would hold its own consent. A relative path leads into it as well.
    std::fs::remove_file(&kept).expect("the link");
    let inside = place.house().join("synod");
    std::fs::create_dir(&inside).expect("a directory");
    std::fs::copy(&real, inside.join("trusted")).expect("a copy");
    for state in [place.house().display().to_string(), ".synod".into()] {
        let mut command = place.command(["debate", "Should we?"]);
        command.env("XDG_STATE_HOME", &state);
        refused(crate::world::Started::of(command, b"").wait(), "run the program");
    }
    assert!(!mark.exists());
}

#[test]
fn a_person_is_asked_once() {
    let place = Place::new().wary();
    let (backend, mark) = program(&place);
    place.write(
        ".synod/seats.toml",
        format!(
            "[[seat]]\nname = \"ann\"\nbackend = \"{} # \\u001b[2Jx\"\n",
            backend.replace('\\', "\\\\").replace('"', "\\\"")
        ),
    );
    let args = ["debate", "Should we?", "--quiet"];
    let Some(mut terminal) = Terminal::open(&place, &args) else { return };
    terminal.reads("run the program: touch ").reads("# \\u{1b}[2Jx").reads("Allow this? [y/N]").types("n");
    let run = terminal.end().exits(69);
    assert!(run.out.contains("nothing was run or sent") && !mark.exists(), "{run}");

    let Some(mut terminal) = Terminal::open(&place, &args) else { return };
    terminal.reads("Allow this? [y/N]").types("y");
    terminal.end().exits(0);
    assert!(mark.exists());
    place.run(args).exits(0);
    finish(place);
}

#[test]
fn a_service_performs_only_what_the_user_agreed_to() {
    let place = recorded("exec:echo YES");
    let operator = token(&place, &["me", "--operator"]);
    let served = Served::start(&place, &[]);
    let matter = served.get("/v1/matters", &operator).is(200).json()["matters"][0]["matter"].clone();
    let matter = matter.as_str().expect("a matter").to_string();
    let go_on =
        |served: &Served| served.post(&format!("/v1/matters/{matter}/continue"), &operator, &json!({}));
    go_on(&served).fails(409, "house/untrusted");
    let named = json!({ "question": "Again?", "charter": "blind-vote", "seats": ["ann"] });
    served.post("/v1/matters", &operator, &named).fails(409, "house/untrusted");
    // What the operator writes in the request is theirs.
    let written = json!({ "question": "Mine?", "charter": "blind-vote",
        "seats": [{ "name": "cy", "answered_by": "exec:echo NO" }] });
    served.post("/v1/matters", &operator, &written).is(201);
    place.run(["trust"]).exits(0);
    go_on(&served).is(200);
    served.end();
    finish(place);
}

#[test]
fn a_service_takes_up_only_what_the_user_agreed_to() {
    let marks = tempfile::tempdir().expect("a directory");
    let mark = marks.path().join("RAN");
    let made = Place::new();
    let seat = format!("--seat=ann=exec:touch {}; sleep 2", mark.display());
    let mut debate = made.start(["debate", "Should we?", &seat]);
    let begun = std::time::Instant::now();
    while !mark.exists() && begun.elapsed() < std::time::Duration::from_secs(30) {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    debate.kill();
    let place = made.copy().wary();
    made.spoil();
    std::fs::remove_file(&mark).expect("the mark of the one who recorded it");
    refused(place.run(["serve", "--listen=127.0.0.1:0", "--resume"]), "run the program: touch ");
    refused(place.run(["resume"]), "run the program: touch ");
    assert!(!mark.exists());
    finish(place);
}
