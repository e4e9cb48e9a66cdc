//! Witnesses: they sign growth, and refuse an edited history, a cut tail and a foreign key; then the house stops.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use rusqlite::{Connection, params};
use synod_journal::{HouseKey, checkpoints};

use super::{decide, decided, key_of, log_of, rewrite};
use crate::houses::finish;
use crate::service::Served;
use crate::world::{Place, Started};

/// A witness in a place of its own, known under a name, that serves over HTTP.
struct Witness {
    place: Place,
    name: String,
    key: String,
    served: Started,
    url: String,
}

impl Witness {
    fn start(name: &str, log: &str) -> Self {
        let place = Place::new();
        let key = place
            .run(["witness", "key", "--dir=w", &format!("--name={name}")])
            .exits(0)
            .out
            .trim()
            .to_string();
        place.run(["witness", "add", log, "--dir=w"]).exits(0).prints("will be confirmed");
        let served = place.start(["witness", "serve", "--dir=w", "--listen=127.0.0.1:0"]);
        served.until("http://", 0);
        served.until("\n", 0);
        let printed = served.printed();
        let url = printed.trim().rsplit(' ').next().expect("a url").to_string();
        Self { place, name: name.into(), key, served, url }
    }

    fn line(&self, called: &str) -> String {
        format!("witness {called} {} {}\n", self.key, self.url)
    }

    fn end(mut self) {
        self.served.kill();
        let _ = (&self.place, &self.name);
    }
}

#[test]
fn two_of_three_witnesses_sign_growth() {
    let place = decided();
    let log = log_of(&place);
    let (one, two) = (Witness::start("w.example/1", &log), Witness::start("w.example/2", &log));
    let third = Place::new();
    let absent = third.run(["witness", "key", "--dir=w"]).exits(0).out;
    let policy = format!(
        "log {log}\n{}{}witness c {}\ngroup most 2 a b c\nquorum most\n",
        one.line("a"),
        two.line("b"),
        absent.trim()
    );
    place.write("policy", &policy);
    let run = place.run(["verify", "--policy=policy"]).exits(4);
    assert!(run.out.starts_with("signed\n"), "{}", run.out);
    place
        .run(["witness", "push", "--policy=policy"])
        .exits(0)
        .prints("a  signed size")
        .prints("b  signed size");
    let run = place.run(["verify", "--policy=policy"]).exits(0);
    assert!(run.out.starts_with("witnessed 2 of 3\n"), "{}", run.out);
    // It grows, and they sign that too; a proof then carries their signatures to whoever has no house.
    decide(&place, "Should we ship?");
    place.run(["witness", "push", "--policy=policy"]).exits(0);
    let proof = place.run(["proof"]).exits(0).out;
    assert!(proof.contains("\u{2014} w.example/1 ") && proof.contains("\u{2014} w.example/2 "), "{proof}");
    let reader = Place::new();
    reader.write("p", &proof);
    reader.write("policy", &policy);
    let run = reader.run(["verify", "p", "--policy=policy"]).exits(0);
    assert!(run.out.starts_with("witnessed 2 of 3\n"), "{}", run.out);
    reader.write("all", policy.replace("most 2", "most 3"));
    let run = reader.run(["verify", "p", "--policy=all"]).exits(4);
    assert!(run.out.starts_with("witnessed 2 of 3\n"), "{}", run.out);
    one.end();
    two.end();
    finish(place);
}

/// With a policy, a service needs nobody to push: each new checkpoint goes to the witnesses.
#[test]
fn a_service_shows_its_checkpoints_by_itself() {
    let place = decided();
    let log = log_of(&place);
    let witness = Witness::start("w.example/1", &log);
    place.write("policy", format!("log {log}\n{}quorum a\n", witness.line("a")));
    let flawed = Place::new();
    flawed.write("policy", "quorum nobody\n");
    flawed.run(["serve", "--witnesses=policy", "--listen=127.0.0.1:0"]).exits(65).tells("policy");
    let service = Served::start(&place, &["--witnesses=policy"]);
    let begun = std::time::Instant::now();
    loop {
        let run = place.run(["verify", "--policy=policy"]);
        if run.out.starts_with("witnessed 1 of 1\n") {
            break;
        }
        assert!(begun.elapsed() < std::time::Duration::from_secs(60), "{run}");
    }
    service.end();
    witness.end();
    finish(place);
}

/// Silent connections do not keep a house from its witness.
#[test]
fn strangers_do_not_block_a_witness() {
    let place = decided();
    let log = log_of(&place);
    let witness = Witness::start("w.example/1", &log);
    place.write("policy", format!("log {log}\n{}quorum a\n", witness.line("a")));
    let address = witness.url.trim_start_matches("http://").to_string();
    let silent: Vec<_> = (0..1200).map_while(|_| std::net::TcpStream::connect(&address).ok()).collect();
    assert!(silent.len() > 200, "{} connections", silent.len());
    place.run(["witness", "push", "--policy=policy"]).exits(0).prints("a  signed size");
    drop(silent);
    witness.end();
    finish(place);
}

#[test]
fn a_witness_refuses_a_rewritten_history_and_the_house_stops() {
    let place = decided();
    let log = log_of(&place);
    let witness = Witness::start("w.example/1", &log);
    place.write("policy", format!("log {log}\n{}quorum a\n", witness.line("a")));
    place.run(["witness", "push", "--policy=policy"]).exits(0);
    // The owner of the key edits an old act, takes away what was signed, and goes on.
    rewrite(&place, 4, |body| body.replacen(":1", ":2", 1));
    std::fs::remove_file(checkpoints::path(&place.house())).expect("the checkpoints");
    let _ = std::fs::remove_file(place.house().join("snapshot"));
    decide(&place, "Should we ship?");
    let before = checkpoints::all(&place.house()).expect("checkpoints").len();
    place.run(["witness", "push", "--policy=policy"]).exits(1).prints("REFUSED");
    // It is told until somebody has looked into it, and nothing is signed meanwhile.
    place.run(["witness", "status"]).exits(1).prints("REFUSED by a");
    let run = place.run(["verify"]).exits(1).prints("witness a refused this house");
    assert!(run.out.starts_with("broken\n"), "{}", run.out);
    place.run(["doctor"]).exits(65).prints("witness a refused");
    place.run(["debate", "Should we wait?", "--quiet", "--rehearse"]).tells("witness a refused this house");
    assert_eq!(checkpoints::all(&place.house()).expect("checkpoints").len(), before);
    place.run(["witness", "push", "--policy=policy"]).exits(65).tells("witness resolve --yes");
    place.run(["witness", "resolve"]).exits(64);
    place.run(["witness", "resolve", "--yes"]).exits(0);
    place.run(["witness", "push", "--policy=policy"]).exits(1).prints("REFUSED");
    witness.end();
    place.spoil();
}

#[test]
fn a_witness_over_ssh_refuses_a_cut_tail_and_a_foreign_key() {
    let place = decided();
    let log = log_of(&place);
    let other = Place::new();
    let key = other.run(["witness", "key", "--dir=w", "--name=w.example/ssh"]).exits(0).out;
    other.run(["witness", "add", &log, "--dir=w"]).exits(0);
    // In the place of ssh: the same program on the same machine, as another user would have it.
    let script = format!(
        "#!/bin/sh\nshift 2\nSYNOD_WITNESS={} exec {} \"$@\"\n",
        other.dir().join("w").display(),
        env!("CARGO_BIN_EXE_synod")
    );
    let ssh = other.write("ssh", script);
    std::fs::set_permissions(&ssh, std::fs::Permissions::from_mode(0o755)).expect("a program");
    let place = place.with("SYNOD_SSH", &ssh.display().to_string());
    place.write("policy", format!("log {log}\nwitness a {} ssh://there\nquorum a\n", key.trim()));
    place.run(["witness", "push", "--policy=policy"]).exits(0).prints("a  signed size");
    let size = checkpoints::last(&place.house()).expect("one").expect("one").checkpoint.size;
    cut(&place, 9);
    std::fs::remove_file(checkpoints::path(&place.house())).expect("the checkpoints");
    place.run(["ring", "open", "Anybody?", "--invite=ann", "--invite=bob"]);
    let shorter = checkpoints::last(&place.house()).expect("one").expect("one").checkpoint.size;
    assert!(shorter < size, "{shorter} {size}");
    place.run(["witness", "push", "--policy=policy"]).exits(1).prints("REFUSED").prints("cut off");
    place.run(["witness", "resolve", "--yes"]).exits(0);
    // Another key under the same name.
    let mallory = tempfile::tempdir().expect("a directory");
    let foreign = HouseKey::load_or_create(mallory.path()).expect("a key");
    let kept = checkpoints::last(&place.house()).expect("one").expect("one");
    let forged = kept.checkpoint.sign(&foreign).expect("a note");
    let request = format!("old {size}\n\n{forged}");
    let run = other.feed(["witness", "cosign", "--dir=w"], request.as_bytes()).exits(1);
    assert!(run.out.starts_with("refused 403 "), "{}", run.out);
    assert_ne!(foreign.public_hex(), key_of(&place));
    place.spoil();
}

fn cut(place: &Place, acts: i64) {
    let journal = Connection::open(place.journal()).expect("the journal");
    let last = place.rows().len() as i64;
    journal.execute("DELETE FROM acts WHERE seq > ?1", params![last - acts]).expect("a cut");
    let _ = std::fs::remove_file(place.house().join("snapshot"));
    let _ = std::fs::remove_dir_all(place.house().join("receipts"));
    super::drop_mark(&place.house());
}

#[test]
fn the_protocol_answers_as_it_is_written() {
    let place = decided();
    let log = log_of(&place);
    let witness = Witness::start("w.example/1", &log);
    let note = checkpoints::last(&place.house()).expect("one").expect("one").note.to_string();
    let size = place.rows().len();
    let answers = [
        ("old x\n\n".to_string(), 400, ""),
        (format!("old {}\n\n{note}", size + 1), 400, "fewer"),
        (format!("old 7\n\n{note}"), 409, "0\n"),
        (format!("old 0\n\n{}", note.replace("synod-house/", "another-house/")), 404, "does not know"),
        (format!("old 0\nAAAA\n\n{note}"), 400, "hashes"),
        (format!("old 0\n{}\n\n{note}", "A".repeat(43) + "="), 422, "rewritten"),
        (format!("old 0\n\n{note}"), 200, "\u{2014} w.example/1 "),
        (format!("old 0\n\n{note}"), 409, &format!("{size}\n")),
        (format!("old {size}\n\n{note}"), 200, "\u{2014} w.example/1 "),
    ];
    for (body, status, said) in answers {
        let (found, text) = post(&witness.url, &body);
        assert_eq!(found, status, "{body}\n{text}");
        assert!(text.contains(said), "{text}");
    }
    witness.end();
    finish(place);
}

/// One request, past every client of ours.
fn post(url: &str, body: &str) -> (u16, String) {
    use std::io::{Read as _, Write as _};
    let host = url.trim_start_matches("http://");
    let mut stream = std::net::TcpStream::connect(host).expect("a connection");
    let request = format!(
        "POST /add-checkpoint HTTP/1.1\r\nhost: {host}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).expect("a request");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
    (status, answer.split_once("\r\n\r\n").expect("a body").1.to_string())
}

fn git(dir: &Path, arguments: &[&str]) {
    let done = std::process::Command::new("git").args(arguments).current_dir(dir).output().expect("git");
    assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn a_git_branch_keeps_every_checkpoint_and_shows_a_rewritten_past() {
    let place = decided();
    let bare = tempfile::tempdir().expect("a directory");
    git(bare.path(), &["init", "--quiet", "--bare"]);
    git(bare.path(), &["config", "receive.denyNonFastForwards", "true"]);
    let remote = bare.path().display().to_string();
    place.run(["witness", "git", &remote]).exits(0).prints("on synod-checkpoints");
    decide(&place, "Should we ship?");
    place.run(["witness", "git", &remote]).exits(0);
    let log = std::process::Command::new("git")
        .args(["log", "--format=%s", "synod-checkpoints"])
        .current_dir(bare.path())
        .output()
        .expect("git");
    let log = String::from_utf8_lossy(&log.stdout).into_owned();
    assert_eq!(log.lines().count(), 2, "{log}");
    assert!(log.contains(&format!("at size {}", place.rows().len())), "{log}");
    rewrite(&place, 4, |body| body.replacen(":1", ":2", 1));
    std::fs::remove_file(checkpoints::path(&place.house())).expect("the checkpoints");
    let _ = std::fs::remove_file(place.house().join("snapshot"));
    decide(&place, "Should we wait?");
    place.run(["witness", "git", &remote]).exits(1).tells("another history");
    place.run(["witness", "status"]).exits(1).prints("REFUSED by git");
    place.spoil();
}

/// A witness whose checks are all code of others: it reads our notes, checkpoints and consistency proofs as we do.
#[test]
fn a_witness_made_of_others_code_signs_growth_and_refuses_the_rest() {
    let built = Path::new(env!("CARGO_BIN_EXE_synod")).ancestors().nth(2).expect("the build folder");
    let interop = built.join("interop/debug/interop");
    if !interop.exists() {
        return super::skipped("the witness of integrations/verify/interop is not built; run scripts/setup");
    }
    let place = decided();
    let log = log_of(&place);
    let other = tempfile::tempdir().expect("a folder");
    let seen = other.path().display().to_string();
    let key = std::process::Command::new(&interop).args([&seen, "key"]).output().expect("its key");
    let key = String::from_utf8_lossy(&key.stdout).trim().to_string();
    let ssh = other.path().join("ssh");
    std::fs::write(&ssh, format!("#!/bin/sh\nexec {} {seen} '{log}'\n", interop.display()))
        .expect("a program");
    std::fs::set_permissions(&ssh, std::fs::Permissions::from_mode(0o755)).expect("a program");
    let place = place.with("SYNOD_SSH", &ssh.display().to_string());
    place.write("policy", format!("log {log}\nwitness a {key} ssh://there\nquorum a\n"));
    for question in ["Should we ship?", "Should we wait?"] {
        place.run(["witness", "push", "--policy=policy"]).exits(0).prints("a  signed size");
        decide(&place, question);
    }
    place.run(["witness", "push", "--policy=policy"]).exits(0);
    let run = place.run(["verify", "--policy=policy"]).exits(0);
    assert!(run.out.starts_with("witnessed 1 of 1\n"), "{}", run.out);
    // An edited history, then a cut tail, then another key.
    let copy = place.copy().with("SYNOD_SSH", &ssh.display().to_string());
    copy.write("policy", std::fs::read_to_string(place.dir().join("policy")).expect("the policy"));
    rewrite(&copy, 4, |body| body.replacen(":1", ":2", 1));
    std::fs::remove_file(checkpoints::path(&copy.house())).expect("the checkpoints");
    decide(&copy, "Should we lie?");
    copy.run(["witness", "push", "--policy=policy"]).exits(1).prints("REFUSED").prints("does not continue");
    copy.spoil();
    let size = checkpoints::last(&place.house()).expect("one").expect("one").checkpoint.size;
    let mallory = tempfile::tempdir().expect("a directory");
    let foreign = HouseKey::load_or_create(mallory.path()).expect("a key");
    let forged = checkpoints::last(&place.house()).expect("one").expect("one").checkpoint.sign(&foreign);
    let request = format!("old {size}\n\n{}", forged.expect("a note"));
    let mut command = place.bare(&ssh.display().to_string());
    command.stdin(std::process::Stdio::piped());
    let run = Started::of(command, request.as_bytes()).wait().exits(1);
    assert!(run.out.starts_with("refused 403 "), "{}", run.out);
    cut(&place, 20);
    std::fs::remove_file(checkpoints::path(&place.house())).expect("the checkpoints");
    place.run(["ring", "open", "Anybody?", "--invite=ann", "--invite=bob"]).exits(0);
    place.run(["witness", "push", "--policy=policy"]).exits(1).prints("REFUSED").prints("cut off");
    place.spoil();
}

/// A server on the way that gives everybody the same answer. A body that is `None` never ends.
fn on_the_way(head: &'static str, body: Option<&'static str>) -> String {
    use std::io::{BufRead as _, BufReader, Read as _, Write as _};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(stream);
            let mut length = 0;
            let mut line = String::new();
            while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
                let lower = line.to_ascii_lowercase();
                let told = lower.strip_prefix("content-length:").and_then(|told| told.trim().parse().ok());
                length = told.unwrap_or(length);
                line.clear();
            }
            let _ = reader.read_exact(&mut vec![0; length]);
            let stream = reader.get_mut();
            let said = match body {
                Some(body) => format!("HTTP/1.1 {head}\r\ncontent-length: {}\r\n\r\n{body}", body.len()),
                None => format!("HTTP/1.1 {head}\r\nconnection: close\r\n\r\n"),
            };
            let mut goes_on = stream.write_all(said.as_bytes()).is_ok() && body.is_none();
            while goes_on {
                goes_on = stream.write_all(&[b'1'; 4096]).is_ok();
            }
        }
    });
    url
}

#[test]
fn a_server_on_the_way_is_not_taken_for_the_witness() {
    let place = decided();
    let log = log_of(&place);
    let witness = Witness::start("w.example/1", &log);
    place.write("policy", format!("log {log}\n{}quorum a\n", witness.line("a")));
    place.run(["witness", "push", "--policy=policy"]).exits(0);
    decide(&place, "Should we ship?");
    let answers = [
        ("403 Forbidden\r\ncontent-type: text/html", Some("<h1>Forbidden</h1>")),
        ("403 Forbidden\r\ncontent-type: text/plain", Some("RBAC: access denied")),
        ("422 Unprocessable Entity\r\ncontent-type: text/plain", Some("the proof does not fit\n")),
        ("409 Conflict\r\ncontent-type: text/plain", Some("99999\n")),
        ("409 Conflict\r\ncontent-type: text/x.tlog.size", Some("many\n")),
        // A witness cannot have signed less than what it was told it has.
        ("409 Conflict\r\ncontent-type: text/x.tlog.size", Some("1\n")),
        ("409 Conflict\r\ncontent-type: text/x.tlog.size", None),
        ("200 OK\r\ncontent-type: text/plain", None),
    ];
    for (head, body) in answers {
        let line = witness.line("a").replace(&witness.url, &on_the_way(head, body));
        place.write("proxied", format!("log {log}\n{line}quorum a\n"));
        let run = place.run(["witness", "push", "--policy=proxied"]).hides("REFUSED");
        let run = run.exits(1).prints("a  failed: ");
        assert!(run.out.len() < 1000, "{head}: {run}");
        place.run(["witness", "status"]).exits(0);
    }
    // The witness itself still signs. Its own refusal still stops the house: it knows another key.
    place.run(["witness", "push", "--policy=policy"]).exits(0).prints("a  signed size");
    place.run(["key", "rotate"]).exits(0);
    decide(&place, "Should we wait?");
    place.write("policy", format!("log {}\n{}quorum a\n", log_of(&place), witness.line("a")));
    place
        .run(["witness", "push", "--policy=policy"])
        .exits(1)
        .prints("REFUSED")
        .prints("the key is not the one");
    place.run(["witness", "status"]).exits(1).prints("REFUSED by a");
    witness.end();
    place.spoil();
}
