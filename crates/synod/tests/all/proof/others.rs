//! Checked by others: openssl, the Python verifier with none of our code, aragora-verify, and the vectors they are tried on.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use synod_core::kernel::Digest;
use synod_journal::tlog::{Algorithm, Checkpoint, Frontier, Proof, VerifierKey, cosign, inclusion};
use synod_journal::{HouseKey, checkpoints};

use super::{decide, decided, key_of, log_of, rewrite};
use crate::houses::finish;
use crate::world::{Place, Run, Started};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations/verify")
}

/// The Python verifier, in a place.
pub(crate) fn python(place: &Place, arguments: &[&str]) -> Run {
    let mut command = place.bare("python3");
    command.env("HOME", std::env::var_os("HOME").unwrap_or_default());
    command.arg(folder().join("synod_verify.py")).args(arguments);
    Started::of(command, b"").wait()
}

#[track_caller]
fn verdict(run: Run, code: i32, word: &str) {
    let run = run.exits(code);
    assert_eq!(run.out.lines().next(), Some(word), "{}", run.out);
}

#[test]
fn the_python_verifier_comes_to_the_same_verdicts() {
    let place = decided();
    let key = key_of(&place);
    place.write("receipt.json", place.run(["receipt"]).exits(0).out);
    place.write("p", place.run(["proof"]).exits(0).out);
    place.write("act.json", place.json(["proof", "--act=2"]).to_string());
    place.write("policy", format!("log {}\nquorum none\n", log_of(&place)));
    let pinned = ["--key", &key];
    verdict(python(&place, &[&["receipt", "receipt.json"], &pinned[..]].concat()), 0, "signed");
    verdict(python(&place, &["receipt", "receipt.json"]), 3, "signed by an unknown key");
    verdict(python(&place, &["proof", "p", "--receipt", "receipt.json", "--policy", "policy"]), 0, "signed");
    verdict(python(&place, &["proof", "act.json", "--policy", "policy"]), 0, "signed");
    verdict(python(&place, &["proof", "p"]), 3, "signed by an unknown key");
    verdict(python(&place, &["journal", ".synod", "--policy", "policy"]), 0, "signed");
    // Both see that nobody signed what came after the last signature.
    let longer = place.copy();
    crate::forged::append(&longer);
    longer.write("policy", format!("log {}\nquorum none\n", log_of(&place)));
    verdict(python(&longer, &["journal", ".synod", "--policy", "policy"]), 4, "unsigned");
    longer.run(["verify", "--policy=policy"]).exits(4);
    longer.spoil();
    // Whatever is changed, both find it.
    let receipt = std::fs::read_to_string(place.dir().join("receipt.json")).expect("a receipt");
    place.write("changed.json", receipt.replacen("cache", "cashe", 1));
    verdict(python(&place, &[&["receipt", "changed.json"], &pinned[..]].concat()), 1, "broken");
    place.run(["verify", "changed.json"]).exits(1);
    rewrite(&place, 3, |body| body.replacen(":1", ":2", 1));
    verdict(python(&place, &["journal", ".synod", "--policy", "policy"]), 1, "broken");
    place.run(["verify"]).exits(1);
    place.spoil();
}

/// The commands of the guide: what is signed, the signature, the key, and OpenSSL's word on it.
#[test]
fn openssl_checks_a_receipt_with_the_commands_of_the_guide() {
    let place = decided();
    place.write("decision.json", place.run(["receipt"]).exits(0).out);
    let page = std::fs::read_to_string(folder().join("../../docs/verify.md")).expect("the page");
    let block = page.split("```sh\n").find(|block| block.contains("openssl pkeyutl")).expect("the block");
    let block =
        block.split("```").next().expect("its text").replace("KEY=", &format!("KEY={} #", key_of(&place)));
    let commands = block.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("KEY=")).count();
    assert!(commands <= 4, "{commands} commands");
    let mut shell = place.bare("bash");
    shell.args(["-e", "-c", &block]);
    Started::of(shell, b"").wait().exits(0).prints("Signature Verified Successfully");
    let changed = std::fs::read_to_string(place.dir().join("decision.json")).expect("a receipt");
    place.write("decision.json", changed.replacen("cache", "cashe", 1));
    let mut shell = place.bare("bash");
    shell.args(["-e", "-c", &block]);
    Started::of(shell, b"").wait().exits(1);
    finish(place);
}

/// A key that is always the same.
fn fixed_key(dir: &Path, seed: char) -> HouseKey {
    std::fs::create_dir_all(dir).expect("a folder");
    let path = dir.join("key");
    std::fs::write(&path, seed.to_string().repeat(64)).expect("a key");
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).expect("a mode");
    HouseKey::load(dir).expect("a key").expect("a key")
}

/// One tree, a proof of every third act of it, a policy, and what comes of each.
fn vectors() -> Vec<(String, String)> {
    let dir = tempfile::tempdir().expect("a folder");
    let (house, witness) = (fixed_key(&dir.path().join("h"), '1'), fixed_key(&dir.path().join("w"), '2'));
    let records: Vec<Digest> = (0_u8..11).map(|nth| Digest::of(&[nth])).collect();
    let mut tree = Frontier::default();
    records.iter().for_each(|record| tree.push(record));
    let head = Checkpoint { origin: Checkpoint::origin_of(&records[0]), size: 11, root: tree.root() };
    let log = VerifierKey::new(&head.origin, Algorithm::Ed25519, house.public()).expect("a key");
    let seen = VerifierKey::new("w.example/1", Algorithm::Cosignature, witness.public()).expect("a key");
    let mut note = head.sign(&house).expect("a note");
    note.add(cosign(&note, "w.example/1", &witness, 1_700_000_000).expect("a line"));
    let mut files = vec![("policy".to_string(), format!("log {log}\nwitness a {seen}\nquorum a\n"))];
    let mut expected = Vec::new();
    for index in [0, 3, 6, 9, 10] {
        let path = inclusion(&records[..], index, 11).expect("a path");
        let proof =
            Proof { extra: Some(records[index as usize].0.to_vec()), index, path, note: note.clone() };
        let name = format!("act-{}.tlog-proof", index + 1);
        expected.push(json!({ "file": name, "verdict": "witnessed 1 of 1", "exit": 0 }));
        files.push((name, proof.to_string()));
        if index == 3 {
            let mut wrong = proof.clone();
            wrong.extra = Some(records[4].0.to_vec());
            expected.push(json!({ "file": "wrong-record.tlog-proof", "verdict": "broken", "exit": 1 }));
            files.push(("wrong-record.tlog-proof".into(), wrong.to_string()));
            let wrong = proof.to_string().replacen("index 3", "index 4", 1);
            expected.push(json!({ "file": "wrong-index.tlog-proof", "verdict": "broken", "exit": 1 }));
            files.push(("wrong-index.tlog-proof".into(), wrong));
            let unknown = Proof { note: head.sign(&witness).expect("a note"), ..proof };
            expected.push(
                json!({ "file": "unknown-key.tlog-proof", "verdict": "signed by an unknown key", "exit": 3 }),
            );
            files.push(("unknown-key.tlog-proof".into(), unknown.to_string()));
        }
    }
    files.push(("expected.json".into(), serde_json::to_string_pretty(&expected).expect("JSON") + "\n"));
    files
}

#[test]
fn the_vectors_are_what_this_build_makes_and_everybody_agrees_on_them() {
    let kept = folder().join("vectors");
    for (name, text) in vectors() {
        let path = kept.join(&name);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            std::fs::write(&path, &text).expect("a vector");
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(found, text, "{name}: run this test with UPDATE_EXPECT=1 and read the diff");
    }
    let expected = std::fs::read_to_string(kept.join("expected.json")).expect("what is expected");
    let expected: Vec<Value> = serde_json::from_str(&expected).expect("JSON");
    let place = Place::new();
    let policy = kept.join("policy").display().to_string();
    for row in expected {
        let file = kept.join(row["file"].as_str().expect("a file")).display().to_string();
        let (code, word) =
            (row["exit"].as_i64().expect("a code") as i32, row["verdict"].as_str().expect("a word"));
        verdict(python(&place, &["proof", &file, "--policy", &policy]), code, word);
        verdict(place.run(["verify", &file, "--policy", &policy]), code, word);
    }
}

#[test]
fn a_receipt_is_given_out_as_a_dsse_envelope() {
    let place = decided();
    let envelope: Value =
        serde_json::from_str(&place.run(["receipt", "--format=dsse"]).exits(0).out).expect("JSON");
    assert_eq!(envelope["payloadType"], "application/vnd.in-toto+json");
    let decode =
        |text: &Value| synod_journal::tlog::from_base64(text.as_str().expect("text")).expect("base 64");
    let payload = decode(&envelope["payload"]);
    let statement: Value = serde_json::from_slice(&payload).expect("a statement");
    assert_eq!(statement["_type"], "https://in-toto.io/Statement/v1");
    let last = place.report();
    assert_eq!(statement["predicate"]["headline"], last["headline"]);
    let digest = &statement["subject"][0]["digest"]["sha256"];
    assert_eq!(*digest, statement["predicate"]["journal"]["hash"]);
    // The signature is over the envelope's own encoding, and openssl takes it.
    let kind = "application/vnd.in-toto+json";
    let mut signed = format!("DSSEv1 {} {kind} {} ", kind.len(), payload.len()).into_bytes();
    signed.extend_from_slice(&payload);
    place.write("signed.bin", &signed);
    place.write("signature.bin", decode(&envelope["signatures"][0]["sig"]));
    openssl_accepts(&place, &key_of(&place));
    finish(place);
}

fn openssl_accepts(place: &Place, key: &str) {
    let mut der = b"\x30\x2a\x30\x05\x06\x03\x2b\x65\x70\x03\x21\x00".to_vec();
    der.extend((0..64).step_by(2).map(|at| u8::from_str_radix(&key[at..at + 2], 16).expect("hex")));
    place.write("key.der", der);
    let mut openssl = place.bare("openssl");
    openssl.args(
        "pkeyutl -verify -pubin -keyform DER -inkey key.der -rawin -in signed.bin -sigfile signature.bin"
            .split(' '),
    );
    Started::of(openssl, b"").wait().exits(0);
}

#[test]
fn an_open_decision_receipt_of_an_issue_says_who_answers_for_it() {
    let place = Place::new();
    place.run(["agents", "appoint", "mo", "--role", "moderator"]).exits(0);
    for (number, by) in [("1", None), ("2", Some("mo"))] {
        place.run(["issue", "open", "Which scene comes first?"]).exits(0);
        let force = ["issue", "force", number, "--decision", "The first.", "--because", "It came first."];
        place.run(force.into_iter().chain(by.into_iter().flat_map(|who| ["--as", who]))).exits(0);
        let odr: Value =
            serde_json::from_str(&place.run(["receipt", number, "--format=odr"]).exits(0).out).expect("JSON");
        assert_eq!(odr["quorum"]["status"], "absent", "{odr}");
        let answers = &odr["attestation"];
        match by {
            None => assert_eq!(
                (&answers["disposition"], &answers["attestor"]["id"]),
                (&json!("human_attested"), &json!("user"))
            ),
            Some(_) => assert_eq!(*answers, json!({ "disposition": "autonomous" })),
        }
    }
    finish(place);
}

#[test]
fn aragora_verify_accepts_the_open_decision_receipt() {
    let place = decided();
    let receipt = place.run(["receipt", "--format=odr"]).exits(0).out;
    place.write("decision.odr.json", &receipt);
    let built = Path::new(env!("CARGO_BIN_EXE_synod")).ancestors().nth(2).expect("the build folder");
    let tool = built.join("aragora-verify/bin/aragora-verify");
    if !tool.exists() {
        super::skipped("aragora-verify is not installed; run scripts/setup");
        let parsed: Value = serde_json::from_str(&receipt).expect("JSON");
        assert_eq!(parsed["odr_version"], "0.2");
        return finish(place);
    }
    let check = |file: &str, key: &str| {
        let mut command = place.bare(&tool.display().to_string());
        place.write("key.hex", key);
        command.args([file, "--pubkey", "key.hex"]);
        Started::of(command, b"").wait()
    };
    check("decision.odr.json", &key_of(&place)).exits(0).prints("VERIFIED");
    place.write("changed.odr.json", receipt.replacen("cache", "cashe", 1));
    check("changed.odr.json", &key_of(&place)).exits(1);
    finish(place);
}

/// A time-stamping authority that openssl plays, behind a server of this test.
#[test]
fn openssl_stamps_a_checkpoint_and_checks_the_stamp() {
    let place = decided();
    let tsa = tempfile::tempdir().expect("a folder");
    let authority = tsa.path().to_path_buf();
    std::fs::write(
        authority.join("tsa.cnf"),
        "[req]\ndistinguished_name=dn\n[dn]\n[ca]\nbasicConstraints=critical,CA:TRUE\n[ts]\nextendedKeyUsage=critical,timeStamping\n\
         [tsa]\ndefault_tsa=tsa1\n[tsa1]\nserial=./serial\ncrypto_device=builtin\nsigner_cert=./tsa.pem\ncerts=./ca.pem\nsigner_key=./tsa.key\n\
         signer_digest=sha256\ndefault_policy=1.2.3.4.1\ndigests=sha256\naccuracy=secs:1\nordering=yes\ntsa_name=yes\ness_cert_id_chain=no\n",
    )
    .expect("settings");
    std::fs::write(authority.join("serial"), "01\n").expect("a serial");
    for arguments in [
        "req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 30 -subj /CN=ca -config tsa.cnf -extensions ca",
        "req -newkey rsa:2048 -nodes -keyout tsa.key -out tsa.csr -subj /CN=tsa -config tsa.cnf",
        "x509 -req -in tsa.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out tsa.pem -days 30 -extfile tsa.cnf -extensions ts",
    ] {
        let done = Command::new("openssl")
            .args(arguments.split(' '))
            .current_dir(&authority)
            .output()
            .expect("openssl");
        assert!(done.status.success(), "{arguments}: {}", String::from_utf8_lossy(&done.stderr));
    }
    let url = serve_stamps(authority.clone());
    place.run(["witness", "stamp", &url]).exits(0).prints("is time-stamped 20");
    place.run(["verify"]).exits(0).prints("was not checked");
    let ca = format!("--tsa-ca={}", authority.join("ca.pem").display());
    let run = place.run(["verify", &ca]).exits(0);
    assert!(run.out.starts_with("time-stamped\n"), "{}", run.out);
    // An authority that nobody trusts stamps nothing.
    let other = Command::new("openssl")
        .args("req -x509 -newkey rsa:2048 -nodes -keyout other.key -out other.pem -days 30 -subj /CN=other -config tsa.cnf -extensions ca".split(' '))
        .current_dir(&authority)
        .output()
        .expect("openssl");
    assert!(other.status.success());
    place.run(["verify", &format!("--tsa-ca={}", authority.join("other.pem").display())]).exits(1);
    assert_eq!(
        checkpoints::all(&place.house())
            .expect("checkpoints")
            .iter()
            .map(|kept| kept.stamps.len())
            .sum::<usize>(),
        1
    );
    // What could not be checked says nothing about the record.
    let told = place.run(["verify", "--tsa-ca=nowhere.pem"]).exits(4).prints("could not be checked");
    assert!(told.out.starts_with("signed\n"), "{told}");
    // Acts after the stamp have none.
    decide(&place, "Should we ship?");
    let told = place.run(["verify", &ca]).exits(0).prints("acts came after that time stamp");
    assert!(told.out.starts_with("signed\n"), "{told}");
    finish(place);
}

/// Answers each request with what `openssl ts -reply` makes of it.
fn serve_stamps(authority: PathBuf) -> String {
    use std::io::{BufRead as _, BufReader, Read as _, Write as _};
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(stream);
            let mut length = 0;
            let mut line = String::new();
            while reader.read_line(&mut line).is_ok_and(|read| read > 2) {
                if let Some(given) = line.to_lowercase().strip_prefix("content-length:") {
                    length = given.trim().parse().unwrap_or(0);
                }
                line.clear();
            }
            let mut query = vec![0; length];
            if reader.read_exact(&mut query).is_err() {
                continue;
            }
            std::fs::write(authority.join("q.tsq"), query).expect("a query");
            let done = Command::new("openssl")
                .args("ts -reply -config tsa.cnf -queryfile q.tsq -out r.tsr".split(' '))
                .current_dir(&authority)
                .output()
                .expect("openssl");
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            let answer = std::fs::read(authority.join("r.tsr")).expect("an answer");
            let head = format!(
                "HTTP/1.1 200 OK\r\ncontent-type: application/timestamp-reply\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
                answer.len()
            );
            let mut stream = reader.into_inner();
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&answer));
        }
    });
    url
}

/// The report of `synod verify` about one export.
#[track_caller]
fn checks(place: &Place, files: &[&str], code: i32, verdict: &str) -> Run {
    let run = place.run([&["verify"], files].concat()).exits(code);
    assert_eq!(run.out.lines().next(), Some(verdict), "{}", run.out);
    run
}

#[test]
fn every_export_of_ours_is_checked_by_verify() {
    let place = decided();
    let key = key_of(&place);
    let old = checkpoints::last(&place.house()).expect("one").expect("one").checkpoint.size;
    place.write("before", place.run(["proof"]).exits(0).out);
    decide(&place, "Should we ship?");
    let grown = place.run(["proof", &format!("--since={old}")]).exits(0).out;
    place.write("grown", &grown);
    place.write("grown.json", place.json(["proof", &format!("--since={old}")]).to_string());
    for file in ["grown", "grown.json"] {
        checks(&place, &[file], 0, "signed").prints("the record only grew from");
    }
    place.write("dsse", place.run(["receipt", "1", "--format=dsse"]).exits(0).out);
    place.write("odr", place.run(["receipt", "1", "--format=odr"]).exits(0).out);
    checks(&place, &["dsse"], 0, "signed").prints("everything else match the journal");
    checks(&place, &["odr"], 0, "signed").prints("says what the journal says");

    // Elsewhere: as far as the file goes.
    let reader = Place::new();
    for file in ["before", "grown", "dsse", "odr"] {
        reader.write(file, std::fs::read(place.dir().join(file)).expect("a file"));
    }
    let pinned = format!("--key={key}");
    checks(&reader, &["grown", &pinned], 4, "signed").prints("was not checked");
    checks(&reader, &["grown", "before", &pinned], 0, "signed").prints("the record only grew from");
    checks(&reader, &["grown"], 3, "signed by an unknown key");
    checks(&reader, &["dsse", &pinned], 0, "signed");
    checks(&reader, &["dsse"], 3, "signed by an unknown key");
    checks(&reader, &["odr", &pinned], 0, "signed");
    checks(&reader, &["odr"], 3, "signed by an unknown key").prints("was not checked");

    // Changed ones are broken, and those of others are named.
    let other_note = grown.replacen(&format!("old {old}"), &format!("old {}", old - 1), 1);
    place.write("wrong", other_note);
    checks(&place, &["wrong"], 1, "broken");
    let odr = std::fs::read_to_string(place.dir().join("odr")).expect("a file");
    place.write("wrong", odr.replacen("cache", "cashe", 1));
    checks(&place, &["wrong"], 1, "broken");
    let envelope: Value =
        serde_json::from_slice(&std::fs::read(place.dir().join("dsse")).expect("a file")).expect("JSON");
    let mut wrong = envelope.clone();
    wrong["signatures"][0]["sig"] = json!("A".repeat(86) + "==");
    place.write("wrong", wrong.to_string());
    checks(&place, &["wrong"], 1, "broken");
    // What nobody has signed does not ride along, and what two readers would read differently is refused.
    let mut dressed = envelope.clone();
    dressed["decision"] = json!("REJECTED");
    place.write("wrong", dressed.to_string());
    checks(&place, &["wrong"], 1, "broken").prints("`decision`");
    let mut dressed = envelope.clone();
    dressed["signatures"][0]["role"] = json!("chair");
    place.write("wrong", dressed.to_string());
    checks(&place, &["wrong"], 1, "broken").prints("`role`");
    let doubled = envelope.to_string().replacen('{', "{\"payload\":\"aGk=\",", 1);
    place.write("wrong", doubled);
    checks(&place, &["wrong"], 1, "broken").prints("twice");
    let foreign = json!({ "payloadType": "text/plain", "payload": "aGk=", "signatures": [] });
    place.write("foreign", foreign.to_string());
    checks(&place, &["foreign"], 4, "unsigned").prints("Synod did not make");
    place.write("foreign", json!({ "odr_version": "0.2", "source": { "system": "other" } }).to_string());
    checks(&place, &["foreign"], 4, "unsigned").prints("aragora-verify");
    finish(place);
}
