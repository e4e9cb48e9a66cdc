//! Who vouched for an act: the owner, a token with its code, or the participant's own signature; and that `verify` finds
//! what was changed afterwards, even where the whole chain was made anew.

use rusqlite::Connection;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use synod_journal::vouch::ParticipantKey;

use super::{Answer, Served, token};
use crate::houses::finish;
use crate::proof::others::python;
use crate::world::{Place, copy_dir};

/// Rewrites acts of a closed journal and chains everything anew, as somebody with the file could.
fn rewrite(place: &Place, mut change: impl FnMut(&mut Value)) {
    let journal = Connection::open(place.journal()).expect("the journal");
    let rows: Vec<(i64, String)> = {
        let mut rows = journal.prepare("SELECT seq, body FROM acts ORDER BY seq").expect("a query");
        let read = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).expect("rows");
        read.map(|row| row.expect("a row")).collect()
    };
    let mut prev = "0".repeat(64);
    for (seq, body) in rows {
        let mut act: Value = serde_json::from_str(&body).expect("JSON");
        change(&mut act);
        act["prev"] = json!(prev);
        // Keys of these acts are ASCII, and serde_json keeps maps sorted: that is the canonical form.
        let body = act.to_string();
        let hash: [u8; 32] = Sha256::digest(body.as_bytes()).into();
        prev = hash.iter().map(|byte| format!("{byte:02x}")).collect();
        let changed =
            journal.execute("UPDATE acts SET body = ?2, hash = ?3 WHERE seq = ?1", (seq, &body, &hash[..]));
        changed.expect("an update");
    }
}

fn wrong(place: &Place) -> String {
    let told = place.json(["verify"]);
    assert_eq!(told["good"], false, "{told}");
    told["wrong"].to_string()
}

#[test]
fn a_swapped_author_is_found_by_the_code_of_the_token() {
    let place = Place::new();
    let (ann, bob) = (token(&place, &["ann"]), token(&place, &["bob"]));
    let operator = token(&place, &["me", "--operator"]);
    let service = Served::start(&place, &[]);
    let matter = service.open(&operator, "Ship?", "ring-quick", &["ann", "bob", "cy"]);
    for token in [&ann, &bob] {
        service.post(&format!("/v1/matters/{matter}/join"), token, &json!({})).is(200);
    }
    service.post(&format!("/v1/matters/{matter}/leave"), &ann, &json!({})).is(200);
    place.run(["ring", "join", "--as", "cy"]).exits(0);
    service.end();
    let acts = place.acts();
    let of = |who: &str| acts.iter().find(|act| act["by"] == format!("seat:{who}")).expect("an act").clone();
    assert_eq!(of("cy")["vouched"], json!({ "by": "owner" }), "the owner spoke for cy");
    let vouched = &of("ann")["vouched"];
    assert!(vouched["by"].as_str().is_some_and(|by| by.starts_with("token:")), "{vouched}");
    assert!(vouched["mac"]["tag"].is_string() && vouched["mac"]["nonce"].is_string(), "{vouched}");
    let opened = acts.iter().find(|act| act["command"]["open"].is_object()).expect("an opening");
    assert!(opened["vouched"]["by"].as_str().is_some_and(|by| by.starts_with("token:")), "which operator");
    let told = place.json(["verify"]);
    assert!(
        told["good"] == true
            && told["checked"].to_string().contains("4 acts by codes of their tokens, 1 by the owner"),
        "{told}"
    );

    let tampered = |change: &mut dyn FnMut(&mut Value)| {
        let copy = place.copy();
        rewrite(&copy, change);
        let found = wrong(&copy);
        copy.spoil();
        found
    };
    let is_of = |act: &Value, who: &str| act["by"] == format!("seat:{who}");
    // Another author, under the same token.
    let found = tampered(&mut |act| {
        if is_of(act, "ann") {
            act["by"] = json!("seat:cy")
        }
    });
    assert!(found.contains("its author was changed"), "{found}");
    // Author and token of another, with the code as it was.
    let other = of("bob")["vouched"]["by"].clone();
    let found = tampered(&mut |act| {
        if is_of(act, "ann") {
            act["by"] = json!("seat:bob");
            act["vouched"]["by"] = other.clone();
        }
    });
    assert!(found.contains("its code is not that of token"), "{found}");
    // The code taken away, the voucher taken away, and one act's code under another.
    let found = tampered(&mut |act| {
        if is_of(act, "ann") {
            act["vouched"].as_object_mut().map(|all| all.remove("mac"));
        }
    });
    assert!(found.contains("it lacks the code of token"), "{found}");
    let found = tampered(&mut |act| {
        if is_of(act, "ann") {
            act.as_object_mut().map(|all| all.remove("vouched"));
        }
    });
    assert!(found.contains("nobody vouched for it"), "{found}");
    // The code of an earlier act of the same token, on an act with the same words.
    let first = of("ann");
    let found = tampered(&mut |act| {
        if is_of(act, "ann") {
            act["vouched"] = first["vouched"].clone();
            act["command"] = first["command"].clone();
        }
    });
    assert!(found.contains("it has the code of an earlier act of token"), "{found}");
    finish(place);
}

#[test]
fn a_participant_who_registered_a_key_signs_and_the_record_proves_it() {
    let place = Place::new();
    let (ann, operator) = (token(&place, &["ann"]), token(&place, &["me", "--operator"]));
    let service = Served::start(&place, &[]);
    let matter = service.open(&operator, "Ship?", "ring-quick", &["ann", "bob"]);
    let url = format!("http://{}", service.address);
    let remote = |args: &[&str]| {
        let mut all: Vec<&str> = args.to_vec();
        all.extend(["--service", &url, "--token", &ann]);
        place.run(all)
    };
    // A key in a new file, for its owner alone.
    remote(&["ring", "key", "--sign", "ann.key", "--new"]).exits(0).prints("registered the key");
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &place.dir().join("ann.key").metadata().expect("the key").permissions(),
    );
    assert_eq!(mode & 0o777, 0o600);
    // Unsigned, and signed with another key: refused, whoever speaks for her.
    let join = format!("/v1/matters/{matter}/join");
    service.post(&join, &ann, &json!({})).fails(403, "roster/unsigned");
    service
        .raw("POST", &join, &[("content-type", "application/json"), ("synod-for", "ann")], b"{}")
        .fails(403, "roster/unsigned");
    let other = format!("{}\n", "02".repeat(32));
    place.write("other.key", other);
    std::fs::set_permissions(
        place.dir().join("other.key"),
        std::os::unix::fs::PermissionsExt::from_mode(0o600),
    )
    .expect("a mode");
    remote(&["ring", "join", "--sign", "other.key"]).exits(64).tells("must be signed");
    // Signed: over HTTP, and here.
    remote(&["ring", "join", "--sign", "ann.key"]).exits(0).prints("joined");
    service.end();
    let told = place.json(["verify"]);
    assert!(
        told["good"] == true && told["checked"].to_string().contains("2 signed by their authors"),
        "{told}"
    );
    // The same without a service.
    place.run(["ring", "leave", "--as", "ann"]).exits(64).tells("must be signed");
    place.run(["ring", "leave", "--as", "ann", "--sign", "ann.key"]).exits(0);
    // A key that is lost is taken away by the operator.
    place.run(["ring", "key", "--as", "ann", "--remove"]).exits(0).prints("signs no more");
    place.run(["replay"]).exits(0);

    // What she signed cannot be put into another's mouth, nor changed.
    let copy = place.copy();
    rewrite(&copy, |act| {
        if act["vouched"]["signature"].is_string() && act["command"]["ring"].is_object() {
            act["command"]["ring"]["participate"]["action"] = json!("leave");
        }
    });
    let found = wrong(&copy);
    assert!(found.contains("its signature is not its author"), "{found}");
    copy.spoil();
    finish(place);
}

/// A key file that only its owner reads.
fn key_file(place: &Place, name: &str, seed: &str) -> ParticipantKey {
    let path = place.write(name, format!("{seed}\n"));
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o600)).expect("a mode");
    ParticipantKey::from_hex(seed).expect("a seed")
}

/// The text that the service asks ann to sign, and the record it names.
fn to_sign(service: &Served, path: &str, token: &str) -> (String, String) {
    let bearer = format!("Bearer {token}");
    let json =
        [("content-type", "application/json"), ("authorization", &bearer), ("idempotency-key", "once")];
    let asked = service.raw("POST", path, &[&json[..], &[("synod-sign", "text")]].concat(), b"{}");
    let text =
        asked.fails(428, "act/to-sign").json()["error"]["message"].as_str().expect("a text").to_string();
    let seen: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(seen["kind"], "synod/act/2");
    let seen = &seen["seen"];
    (text.clone(), format!("{} {}", seen["act"], seen["hash"].as_str().expect("a hash")))
}

fn give_signed(service: &Served, path: &str, token: &str, seen: &str, signature: &str) -> Answer {
    let bearer = format!("Bearer {token}");
    let mut headers = vec![("content-type", "application/json"), ("authorization", bearer.as_str())];
    headers.extend([("idempotency-key", "once"), ("synod-signature", signature)]);
    if !seen.is_empty() {
        headers.push(("synod-seen", seen));
    }
    service.raw("POST", path, &headers, b"{}")
}

/// The owner puts old files back and opens another question under the same ids: what ann signed does not count there.
#[test]
fn a_signature_counts_only_in_the_history_its_author_has_seen() {
    let place = Place::new();
    let (ann, operator) = (token(&place, &["ann"]), token(&place, &["me", "--operator"]));
    let key = key_file(&place, "ann.key", &"03".repeat(32));
    let service = Served::start(&place, &[]);
    service.open(&operator, "Tea?", "ring-quick", &["ann", "bob"]);
    let url = format!("http://{}", service.address);
    place
        .run(["ring", "key", "--sign", "ann.key", "--service", &url, "--token", &ann])
        .exits(0)
        .prints("registered the key");
    service.end();
    let old = place.dir().join("old");
    copy_dir(&place.house(), &old);

    let service = Served::start(&place, &[]);
    let matter = service.open(&operator, "Ship?", "ring-quick", &["ann", "bob"]);
    // The newest record comes with the turns, and is the one the text names.
    let told = service.get("/v1/turns?explain=true", &ann).is(200).json()["record"].clone();
    let join = format!("/v1/matters/{matter}/join");
    let (text, seen) = to_sign(&service, &join, &ann);
    assert_eq!(seen, format!("{} {}", told["act"], told["hash"].as_str().expect("a hash")), "{text}");
    let signature = key.sign(&text);
    give_signed(&service, &join, &ann, "", &signature).fails(400, "request/seen");
    give_signed(&service, &join, &ann, "7", &signature).fails(400, "request/seen");
    // An older record does not show what the ids are.
    let (first, _) = seen.split_once(' ').expect("two parts");
    let first: u64 = first.parse().expect("a number");
    let of = |act: u64| {
        let row = &place.rows()[act as usize - 1];
        let hash: String = row.1.iter().map(|byte| format!("{byte:02x}")).collect();
        (act, hash)
    };
    let (act, hash) = of(first - 1);
    let older = text.replace(&seen.replacen(' ', ",\"hash\":\"", 1), &format!("{act},\"hash\":\"{hash}"));
    assert_ne!(older, text);
    give_signed(&service, &join, &ann, &format!("{act} {hash}"), &key.sign(&older))
        .fails(403, "roster/unsigned");
    service.end();
    std::fs::remove_dir_all(place.house()).expect("gone");
    copy_dir(&old, &place.house());
    let service = Served::start(&place, &[]);
    assert_eq!(
        service.open(&operator, "Delete everything?", "ring-quick", &["ann", "bob"]),
        matter,
        "same ids"
    );
    give_signed(&service, &join, &ann, &seen, &signature).fails(409, "request/seen");
    let (_, here) = to_sign(&service, &join, &ann);
    assert_ne!(here, seen);
    give_signed(&service, &join, &ann, &here, &signature).fails(403, "roster/unsigned");
    service.end();

    // Written into the file by hand, both verifiers find it; the same one in its own history they accept.
    let join = ["ring", "join", "--as", "ann", "--sign", "ann.key", "--matter", &matter];
    place.run(join).exits(0);
    place.run(["verify"]).exits(0).prints("2 signed by their authors");
    python(&place, &["journal", ".synod"]).exits(3);
    let copy = place.copy();
    rewrite(&copy, |act| {
        if act["command"]["open"]["question"]["topic"] == "Delete everything?" {
            act["command"]["open"]["question"]["topic"] = json!("Keep everything?");
        }
    });
    let found = wrong(&copy);
    assert!(found.contains("its author signed it for another history"), "{found}");
    let _ = std::fs::remove_file(copy.house().join("checkpoints"));
    python(&copy, &["journal", ".synod"]).exits(1).prints("signed for another history");
    copy.spoil();
    finish(place);
}
