//! Every failure in one shape, every write once, and a document that tells all of it.

use serde_json::{Value, json};

use super::{Answer, Served, judged, token};
use crate::houses::finish;
use crate::world::Place;

/// Method, path, headers and body; the status and code of the answer.
type Row<'a> = (&'a str, &'a str, &'a [(&'a str, &'a str)], &'a str, u16, &'a str);

#[test]
fn failures_have_one_shape() {
    let place = Place::new();
    let service = Served::start(&place, &[]);
    let matter = service.open("", "Shapes?", "ring-quick", &["ann", "bob"]);
    let json_type = ("content-type", "application/json");
    let pause = format!("/v1/matters/{matter}/pause");
    let large = format!("{{\"question\":\"{}\"}}", "x".repeat(1 << 20));
    let opening = |change: &dyn Fn(&mut Value)| {
        let mut body = json!({ "question": "Q?", "charter": "ring-quick", "seats": ["ann", "bob"] });
        change(&mut body);
        body.to_string()
    };
    let bad_seat = opening(&|body| body["seats"] = json!(["a/b", "bob"]));
    let no_charter = opening(&|body| body["charter"] = json!("none"));
    let a_path = opening(&|body| body["charter"] = json!("../x"));
    let no_seat = opening(&|body| body["seats"] = json!([]));
    let extra = opening(&|body| body["more"] = json!(1));
    let option = opening(&|body| body["options"] = json!(["yes", "b"]));
    let blank = opening(&|body| body["question"] = json!("  "));
    let knob = opening(&|body| body["set"] = json!({ "rounds": 99 }));
    let rows: [Row<'_>; 30] = [
        ("GET", "/", &[], "", 404, "request/unknown-route"),
        ("GET", "/v1/nothing", &[], "", 404, "request/unknown-route"),
        ("PUT", "/v1/house", &[], "", 405, "request/method"),
        ("DELETE", "/v1/matters", &[], "", 405, "request/method"),
        ("GET", "/v1/matters/abc", &[], "", 400, "request/path"),
        ("GET", "/v1/matters/+5", &[], "", 400, "request/path"),
        ("GET", "/v1/matters/m99999999999999999999", &[], "", 400, "request/path"),
        ("GET", "/v1/matters/m999", &[], "", 404, "matter/unknown"),
        ("GET", "/v1/receipts/m999", &[], "", 404, "matter/unknown"),
        ("GET", "/v1/matters?limit=0", &[], "", 400, "request/query"),
        ("GET", "/v1/matters?limit=many", &[], "", 400, "request/query"),
        ("GET", "/v1/matters?status=odd", &[], "", 400, "request/query"),
        ("GET", "/v1/matters?unknown=1", &[], "", 400, "request/query"),
        ("GET", "/v1/feed?kind=NOISE", &[], "", 400, "request/query"),
        ("GET", "/v1/feed", &[("last-event-id", "x")], "", 400, "request/last-event-id"),
        ("GET", "/v1/charters/none", &[], "", 404, "charter/unknown"),
        ("GET", "/v1/charters/..%2F..%2Fkey", &[], "", 404, "charter/unknown"),
        ("POST", &pause, &[], "{}", 415, "request/not-json"),
        ("POST", &pause, &[("content-type", "text/plain")], "{}", 415, "request/not-json"),
        ("POST", &pause, &[json_type], "{", 400, "request/malformed-json"),
        ("POST", &pause, &[json_type], "", 400, "request/malformed-json"),
        ("POST", &pause, &[json_type], "[1]", 422, "request/unfit"),
        ("POST", &pause, &[json_type, ("idempotency-key", "a b")], "{}", 400, "request/key"),
        ("POST", "/v1/matters", &[json_type], &large, 413, "request/too-large"),
        ("POST", "/v1/matters", &[json_type], &extra, 422, "request/unfit"),
        ("POST", "/v1/matters", &[json_type], &no_seat, 422, "request/unfit"),
        ("POST", "/v1/matters", &[json_type], &blank, 422, "request/unfit"),
        ("POST", "/v1/matters", &[json_type], &a_path, 422, "request/unfit"),
        ("POST", "/v1/matters", &[json_type], &bad_seat, 409, "roster/malformed-name"),
        ("POST", "/v1/matters", &[json_type], &no_charter, 404, "charter/unknown"),
    ];
    for (method, path, headers, body, status, code) in rows {
        service.raw(method, path, headers, body.as_bytes()).fails(status, code);
    }
    for (body, code) in [(&option, "matter/malformed"), (&knob, "charter/setting-outside")] {
        service.raw("POST", "/v1/matters", &[json_type], body.as_bytes()).fails(409, code);
    }
    service.get("/v1/feed?after=18446744073709551615", "").fails(400, "request/query");
    let unknown = "/v1/matters/m999/pause";
    service.post(unknown, "", &json!({})).fails(404, "matter/unknown");
    service
        .post(&format!("/v1/matters/{matter}/requests/7/waive"), "", &json!({}))
        .fails(404, "context/unknown-request");
    let answered = json!({ "text": "so" });
    service
        .post(&format!("/v1/matters/{matter}/requests/7/answer"), "", &answered)
        .fails(404, "context/unknown-request");
    let allow = service.raw("PUT", "/v1/house", &[], b"").headers["allow"].clone();
    assert!(allow.contains("GET"), "{allow}");
    service.end();
    finish(place);
}

#[test]
fn what_is_there_is_listed_and_shown() {
    let place = Place::new();
    place.write(".synod/charters/mine.toml", "name = 1");
    let service = Served::start(&place, &[]);
    let first = service.open("", "The first question", "ring-quick", &["ann", "bob"]);
    let second = service.open("", "The second question", "ring-default", &["ann", "cy"]);
    let listed = |query: &str| {
        let page = service.get(&format!("/v1/matters{query}"), "").is(200).json();
        let rows: Vec<String> =
            crate::world::each(&page["matters"], "matter").iter().map(ToString::to_string).collect();
        (rows, page["next"].clone())
    };
    assert_eq!(listed(""), (vec![first.clone(), second.clone()], Value::Null));
    assert_eq!(listed("?limit=1"), (vec![first.clone()], json!(first)));
    assert_eq!(listed(&format!("?limit=1&after={first}")), (vec![second.clone()], Value::Null));
    assert_eq!(listed("?seat=Cy").0, std::slice::from_ref(&second));
    assert_eq!(listed("?contains=FIRST").0, std::slice::from_ref(&first));
    assert_eq!(listed("?charter=ring-default").0, std::slice::from_ref(&second));
    service.post(&format!("/v1/matters/{first}/stop"), "", &json!({})).is(200);
    assert_eq!(listed("?open=true").0, std::slice::from_ref(&second));
    assert_eq!(listed("?status=undecided").0, std::slice::from_ref(&first));

    let house = service.get("/v1/house", "").is(200).json();
    assert_eq!((&house["matters"], &house["you"]["role"]), (&json!(2), &json!("operator")));
    let charters = service.get("/v1/charters", "").is(200);
    let mine =
        charters.json().as_array().and_then(|rows| rows.iter().find(|row| row["name"] == "mine").cloned());
    assert_eq!(
        mine.map(|row| (row["origin"].clone(), json!(row["flaws"].as_u64() > Some(0)))),
        Some((json!("house"), json!(true)))
    );
    let ring = service.get("/v1/charters/ring-quick", "").is(200).json();
    assert_eq!(ring["charter"]["name"], "ring-quick");
    assert_eq!(service.get("/v1/charters/mine", "").is(200).json()["charter"], Value::Null);
    // Nothing tells where the house lies.
    let dir = place.dir().to_str().expect("a path");
    assert!(!charters.body.contains(dir), "{}", charters.body);
    service.end();
    finish(place);
}

#[test]
fn a_write_under_a_key_happens_once() {
    // The proof in an acknowledgement is made anew: the tree has grown since.
    let said = |answer: &Answer| {
        let mut said = answer.json();
        said["acknowledgement"]["size"] = Value::Null;
        said["acknowledgement"]["proof"] = Value::Null;
        said
    };
    let place = Place::new();
    let (ann, bob) = (token(&place, &["ann"]), token(&place, &["bob"]));
    let operator = token(&place, &["me", "--operator"]);
    let service = Served::start(&place, &[]);
    let body = json!({ "question": "Once?", "charter": "ring-quick", "seats": ["ann", "bob"] });
    let first = service.keyed("/v1/matters", &operator, &body, Some("k1")).is(201);
    assert!(!first.headers.contains_key("idempotency-replayed"));
    let again = service.keyed("/v1/matters", &operator, &body, Some("k1")).is(201);
    assert_eq!((said(&again), &again.headers["location"]), (said(&first), &first.headers["location"]));
    assert_eq!(again.headers["idempotency-replayed"], "true");
    let other = json!({ "question": "Twice?", "charter": "ring-quick", "seats": ["ann", "bob"] });
    service.keyed("/v1/matters", &operator, &other, Some("k1")).fails(409, "request/key-reused");
    let acts = judged(&place);

    // A key is its owner's: the same word of another is another key, and tells nothing of this one.
    let matter = first.json()["matter"].as_str().expect("a matter").to_string();
    let join = format!("/v1/matters/{matter}/join");
    let joined = service.keyed(&join, &ann, &json!({}), Some("k1")).is(200);
    let other = service.keyed(&join, &bob, &json!({}), Some("k1")).is(200);
    assert!(!other.headers.contains_key("idempotency-replayed"));
    assert_eq!(said(&service.keyed(&join, &ann, &json!({}), Some("k1")).is(200)), said(&joined));
    let leave = format!("/v1/matters/{matter}/leave");
    service.keyed(&leave, &ann, &json!({}), Some("k1")).fails(409, "request/key-reused");
    assert_eq!(judged(&place), acts + 2);

    // A refusal is an answer too.
    let refused = service.keyed(&join, &ann, &json!({}), Some("k2")).fails(409, "ring/already-joined");
    let again = service.keyed(&join, &ann, &json!({}), Some("k2")).fails(409, "ring/already-joined");
    assert_eq!((again.headers["idempotency-replayed"].as_str(), &again.body), ("true", &refused.body));
    // Also after the service was started anew.
    service.end();
    let service = Served::start(&place, &[]);
    let again = service.keyed("/v1/matters", &operator, &body, Some("k1")).is(201);
    assert_eq!(said(&again), said(&first));
    service.end();
    finish(place);
}

#[test]
fn the_document_is_whole() {
    let place = Place::new();
    let service = Served::start(&place, &["--tokens"]);
    let document = service.get("/openapi.json", "").is(200).json();
    assert_eq!(document["openapi"], "3.1.0");
    let committed =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/reference/openapi.json");
    let committed: Value =
        serde_json::from_str(&std::fs::read_to_string(committed).expect("a page")).expect("JSON");
    assert_eq!(document, committed, "run `cargo run -p synod -- reference docs/reference`");
    let mut ids = std::collections::BTreeSet::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for (method, operation) in methods.as_object().expect("methods") {
            assert!(ids.insert(operation["operationId"].to_string()), "{path} has an id that another has");
            let answers = operation["responses"].as_object().expect("answers");
            for status in ["400", "401", "403", "429", "503"] {
                let schema = &answers[status]["content"]["application/json"]["schema"]["$ref"];
                assert_eq!(schema, "#/components/schemas/Failure", "{method} {path} {status}");
            }
            // A check only looks, though it is sent.
            let looks = method == "get" || path == "/v1/canon/check";
            assert!(looks || answers.contains_key("409"), "{method} {path}");
            assert!(
                operation["description"].is_string() || operation["summary"].is_string(),
                "{method} {path}"
            );
        }
    }
    service.end();
    finish(place);
}
