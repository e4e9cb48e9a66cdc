//! Who may do what: one participant's token shows and does nothing of another's, route by route as the document
//! lists them; and nothing is done for strangers.

use serde_json::{Value, json};

use super::{NO_TOKEN, Served, judged, token};
use crate::houses::finish;
use crate::world::Place;

/// What everybody with a token may look at. Everything else is somebody's.
const SHARED: [&str; 6] =
    ["showHouse", "listMatters", "listCharters", "showCharter", "listTurns", "followFeed"];

/// What anybody may look at: it says nothing of the house.
const PUBLIC: [&str; 2] = ["/healthz", "/readyz"];

/// One request of a route, with things of Ann's in it.
struct Door {
    id: String,
    method: String,
    path: String,
    body: Option<Value>,
}

/// Every route of the document, aimed at a matter and a turn.
fn doors(document: &Value, matter: &str, ask: &str) -> Vec<Door> {
    let mut doors = Vec::new();
    for (path, methods) in document["paths"].as_object().expect("paths") {
        if PUBLIC.contains(&path.as_str()) {
            continue;
        }
        for (method, operation) in methods.as_object().expect("methods") {
            let id = operation["operationId"].as_str().expect("an id").to_string();
            let ids = [("matter", matter), ("ask", ask), ("request", "7"), ("issue", "7"), ("tag", "eyes")];
            let filled = ids.into_iter().chain([("who", "ann"), ("name", "ring-quick")]);
            let fill =
                |path: String, (name, value): (&str, &str)| path.replace(&format!("{{{name}}}"), value);
            let path = filled.fold(path.clone(), fill);
            assert!(!path.contains('{'), "say what to put into {path}");
            let body = operation.get("requestBody").map(|_| body(&id, ask));
            doors.push(Door { id, method: method.to_uppercase(), path, body });
        }
    }
    doors
}

/// A body that would do, coming from the right one.
fn body(id: &str, ask: &str) -> Value {
    match id {
        "openMatter" => json!({ "question": "Mine?", "charter": "ring-quick", "seats": ["ann", "bob"] }),
        "registerKey" => json!({ "key": "00".repeat(32) }),
        "observe" => json!({ "agent": "ann", "kind": "write", "path": "a.rs" }),
        "trigger" => {
            json!({ "agent": "ann", "kind": "agent", "reason": "security_concern", "confidence": 0.9 })
        }
        "answerRequest" => json!({ "text": "so" }),
        "continueMatter" => json!({ "focus": "Why?" }),
        "forkMatter" => json!({ "round": 1 }),
        "synthesizeMatter" => json!({ "by": "ann" }),
        "judgeRound" => json!({ "round": 1, "by": { "name": "jo", "answered_by": "rehearsal" } }),
        "learnOutcome" => json!({ "was": "right" }),
        "contribute" => json!({ "ask": ask, "kind": "opinion", "text": "I am ann" }),
        "propose" => json!({ "ask": ask, "title": "Mine", "text": "I am ann" }),
        "amend" => json!({ "ask": ask, "proposal": ask, "text": "I am ann" }),
        "rule" => json!({ "amendment": ask, "accept": true }),
        "react" => json!({ "ask": ask, "to": ask, "reaction": "agree" }),
        "release" | "skip" => json!({ "ask": ask }),
        "vote" => json!({ "proposal": ask, "grade": "approve" }),
        "tableMotion" | "pauseMatter" | "resumeMatter" | "stopMatter" | "startMatter" | "waiveRequest"
        | "joinMatter" | "leaveMatter" | "acknowledgeTurn" => json!({}),
        "appointAgent" => json!({ "role": "lead" }),
        "setFreedom" => json!({ "freedom": "full" }),
        "promoteToCanon" => json!({ "name": "eyes", "text": "Her eyes are green." }),
        "checkCanon" => json!({ "text": "Her eyes are blue." }),
        "proposeClaims" => json!({ "entry": "eyes", "claims": [] }),
        "decideClaims" => json!({ "proposal": ask, "accept": true }),
        "decideCanonConflict" => json!({ "entry": "eyes@1", "choice": "keep", "text": "Her eyes are blue." }),
        "endCanonEntry" => json!({ "entry": "eyes@1" }),
        "setEpistemicStatus" => json!({ "issue": "7", "status": "agreed" }),
        "supportIssue" => json!({ "issue": "7", "holds": true }),
        "openIssue" => json!({ "title": "Mine" }),
        "consolidateIssues" => json!({ "issues": ["7", "8"], "title": "Both" }),
        "configureIssues" => json!({ "charter": "workshop-light" }),
        "changeIssue" => json!({ "tag": "eyes" }),
        "commentOnIssue" => json!({ "body": "I am ann" }),
        "escalateIssue" => json!({ "summary": "Look" }),
        "forceIssue" => json!({ "reasoning": "So", "decision": "So" }),
        "markIssue" => json!({ "mark": "applied" }),
        "tellOutcome" => json!({ "comment": "7.1", "outcome": "prevented-error" }),
        "unfreezeIssue" => json!({ "guidance": "So" }),
        "takeLeases" => json!({ "paths": ["a.rs"] }),
        "askForLease" => json!({ "path": "a.rs" }),
        "releaseLeases" => json!({ "paths": ["a.rs"] }),
        "renewLeases" => json!({ "paths": ["a.rs"] }),
        "changeAgentModel" => json!({ "who": "ann", "model": "gpt-4.1" }),
        "giveAward" => json!({ "to": "ann", "reason": "clean-unfreeze", "issue": "7" }),
        "rateAgent" => json!({ "who": "ann", "helpful": true, "issue": "7" }),
        "setGoal" => json!({ "sentence": "Cite more", "metric": "verified-citations" }),
        "dropGoal" => json!({ "goal": "7.1" }),
        "inviteSeat" => json!({ "seat": { "name": "jo", "answered_by": "rehearsal" } }),
        "checkCitation" => json!({ "file": "a.rs:1" }),
        "secondMotion" | "withdrawMotion" => json!({ "by": "bob" }),
        "openPeriod" | "closePeriod" => json!({ "name": "Chapter 1" }),
        "freezeTag" => json!({ "reason": "So" }),
        "thawTag" | "closeIssue" | "reopenIssue" | "challengeIssue" => json!({}),
        other => panic!("say what {other} takes"),
    }
}

/// Issues, canon, leases and credits are for everybody who has a token: nobody is invited to them.
fn is_open_to_all(door: &Door) -> bool {
    const PLACES: [&str; 14] = [
        "/v1/agents",
        "/v1/awards",
        "/v1/canon",
        "/v1/evidence",
        "/v1/goals",
        "/v1/issues",
        "/v1/leaderboard",
        "/v1/leases",
        "/v1/ledger",
        "/v1/notices",
        "/v1/periods",
        "/v1/ratings",
        "/v1/tags",
        "/v1/workshop",
    ];
    PLACES.iter().any(|place| door.path.starts_with(place))
}

impl Door {
    /// Knocks with a token; what a feed says is left to others.
    fn knock(&self, service: &Served, token: &str) -> super::Answer {
        if self.id == "followFeed" {
            let feed = service.follow("", token, &[]);
            let body = if feed.status == 200 { String::new() } else { "{}".into() };
            return super::Answer { status: feed.status, headers: feed.headers.clone(), body };
        }
        let bearer = service.bearer(token);
        let mut headers = vec![("content-type", "application/json")];
        headers.extend(bearer.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        let body = self.body.as_ref().map(Value::to_string).unwrap_or_default();
        service.raw(&self.method, &self.path, &headers, body.as_bytes())
    }
}

#[test]
fn no_route_shows_or_does_anything_of_another() {
    let place = Place::new();
    let (ann, bob) = (token(&place, &["ann"]), token(&place, &["bob"]));
    let operator = token(&place, &["me", "--operator"]);
    let service = Served::start(&place, &["--rate", "0"]);
    let matter = service.open(&operator, "About velvet", "ring-default", &["ann", "cy"]);
    let ask = service.turn(&ann, &matter)["ask"].as_str().expect("an ask").to_string();
    let document = service.get("/openapi.json", "").json();
    let doors = doors(&document, &matter, &ask);
    assert!(doors.len() >= 30, "{} routes", doors.len());
    let stands = || service.get(&format!("/v1/matters/{matter}"), &operator).is(200).json();
    let before = stands();

    for door in doors.iter().filter(|door| !is_open_to_all(door)) {
        let answer = door.knock(&service, &bob);
        let Door { id, method, path, .. } = door;
        match SHARED.contains(&id.as_str()) {
            true => assert!(matches!(answer.status, 200 | 204), "{method} {path}: {answer:?}"),
            false => assert!(matches!(answer.status, 403 | 404), "{method} {path}: {answer:?}"),
        }
        assert!(!answer.body.contains("velvet"), "{method} {path} tells of it: {answer:?}");
    }
    assert_eq!(stands(), before, "something was done");
    // What was tried there is in the record in sums alone: who is not invited could fill it.
    assert!(!place.acts().iter().any(|act| act["by"] == "seat:bob"));

    // A matter that is not theirs looks like none at all.
    let other =
        |matter: &str| service.get(&format!("/v1/matters/{matter}"), &bob).fails(404, "matter/unknown").body;
    assert_eq!(other(&matter).replace(&matter, "N"), other("m999").replace("m999", "N"));
    // So does a turn in it, open or over, and what is no turn.
    let ack = |ask: &str| {
        let answer = service.post(&format!("/v1/turns/{ask}/ack"), &bob, &json!({}));
        answer.fails(404, "ask/unknown").body.replace(&format!("turn {ask} "), "turn N ")
    };
    assert_eq!(ack(&ask), ack("99999.3"));
    assert_eq!(ack(matter.trim_start_matches('m')), ack("99999"));
    // How much happens in matters of others is not told.
    let house = |token: &str| service.get("/v1/house", token).is(200).json()["seq"].is_null();
    assert!(house(&bob) && !house(&operator));
    // Their own is theirs, and the feed tells of nothing else.
    let own = service.open(&operator, "About linen", "ring-quick", &["bob", "cy"]);
    service.get(&format!("/v1/matters/{own}"), &bob).is(200);
    assert_eq!(service.get("/v1/matters", &bob).json()["matters"].as_array().map(Vec::len), Some(1));
    let mut feed = service.follow("?after=0", &bob, &[]);
    let told = feed.next().expect("an event");
    assert_eq!((told.kind.as_str(), &told.data["matter"]), ("CONSENSUS_START", &json!(own)));
    // The right one may do what the other may not.
    service.post(&format!("/v1/matters/{matter}/join"), &ann, &json!({})).is(200);
    service.end();
    finish(place);
}

#[test]
fn strangers_are_turned_away_everywhere() {
    let place = Place::new();
    let operator = token(&place, &["me", "--operator"]);
    let revoked = token(&place, &["ann"]);
    let expired = token(&place, &["ann", "--expires", "1s"]);
    let service = Served::start(&place, &["--rate", "0"]);
    let matter = service.open(&operator, "About velvet", "ring-default", &["ann", "cy"]);
    // Good as long as it is: revoking needs no restart.
    service.get("/v1/house", &revoked).is(200);
    let id = place.json(["token", "list"])[1]["id"].as_str().expect("an id").to_string();
    place.run(["token", "revoke", &id]).exits(0).prints("is revoked");
    while place.json(["token", "list"])[2]["status"] != "expired" {}
    let document = service.get("/openapi.json", "").json();
    let acts = judged(&place);
    for door in doors(&document, &matter, "5.3") {
        for (token, code) in [
            (NO_TOKEN, "token/missing"),
            (&*revoked, "token/unknown"),
            (&*expired, "token/unknown"),
            ("synod_x", "token/unknown"),
        ] {
            let answer = door.knock(&service, token);
            assert_eq!(answer.status, 401, "{} {}: {answer:?}", door.method, door.path);
            if door.id != "followFeed" {
                assert_eq!(answer.fails(401, code).headers["www-authenticate"], "Bearer");
            }
        }
    }
    assert_eq!(judged(&place), acts, "something was done");
    for scheme in ["Basic x", "Bearer", "bearer  "] {
        service.raw("GET", "/v1/house", &[("authorization", scheme)], b"").fails(401, "token/unknown");
    }
    service.end();
    finish(place);
}

#[test]
fn only_the_owner_speaks_for_others() {
    let place = Place::new();
    let service = Served::start(&place, &[]);
    let matter = service.open("", "Who?", "ring-quick", &["ann", "bob"]);
    let join = format!("/v1/matters/{matter}/join");
    let json_type = ("content-type", "application/json");
    service.post(&join, "", &json!({})).fails(403, "token/not-participant");
    service.raw("POST", &join, &[json_type, ("synod-for", "Ann")], b"{}").is(200);
    // Whoever shows nothing speaks for nobody.
    let nobody = [json_type, ("synod-for", "bob"), ("authorization", NO_TOKEN)];
    service.raw("POST", &join, &nobody, b"{}").fails(401, "token/missing");
    let (bob, operator) = (token(&place, &["bob"]), token(&place, &["me", "--operator"]));
    for other in [&bob, &operator] {
        let bearer = format!("Bearer {other}");
        let headers = [json_type, ("synod-for", "ann"), ("authorization", &*bearer)];
        service.raw("POST", &join, &headers, b"{}").fails(403, "token/not-owner");
    }
    service.post(&join, &operator, &json!({})).fails(403, "token/not-participant");
    place.run(["token", "revoke", "bob"]).exits(0);
    place.run(["token", "revoke", "me"]).exits(0);
    service.get("/v1/house", NO_TOKEN).fails(401, "token/missing");
    service.end();
    finish(place);
}

#[test]
fn the_door_stays_shut_when_the_tokens_are_gone() {
    let place = Place::new();
    place.run(["token", "revoke", "ann"]).exits(66).tells("no token here");
    let service = Served::start(&place, &[]);
    service.get("/v1/house", NO_TOKEN).fails(401, "token/missing");
    let ann = token(&place, &["ann"]);
    service.get("/v1/house", &ann).is(200);
    for left in ["tokens.json", "tokens.lock"] {
        std::fs::remove_file(place.house().join(left)).expect("a file");
        service.get("/v1/house", NO_TOKEN).fails(401, "token/missing");
        service.get("/v1/house", &ann).fails(401, "token/unknown");
    }
    // New ones let in again, and the owner's commands were never shut out.
    place.run(["trigger", "user", "Ship?", "--with=ann", "--with=bob"]).exits(0);
    let operator = token(&place, &["me", "--operator"]);
    service.get("/v1/house", &operator).is(200);
    std::fs::remove_file(place.house().join("tokens.json")).expect("a file");
    service.end();
    let service = Served::start(&place, &[]);
    service.get("/v1/house", NO_TOKEN).fails(401, "token/missing");
    service.end();
    finish(place);
}

/// What a first user sees: the command that makes a token and a request that works with it. Nobody else on the machine
/// is the owner meanwhile.
#[test]
fn a_new_house_asks_for_tokens_and_says_how_to_get_one() {
    let place = Place::new();
    let service = Served::start(&place, &[]);
    for (method, path) in [("GET", "/v1/house"), ("GET", "/v1/matters"), ("POST", "/v1/matters")] {
        let headers = [("authorization", NO_TOKEN), ("content-type", "application/json")];
        let answer = service.raw(method, path, &headers, b"{}").fails(401, "token/missing");
        assert!(answer.body.contains("synod token create NAME --operator"), "{answer:?}");
    }
    // The owner's own commands find theirs.
    place.run(["trigger", "user", "Ship?", "--with=ann", "--with=bob"]).exits(0);
    // The lines it printed, as a shell runs them.
    let told = service.process.said();
    let lines: Vec<&str> = told.lines().filter_map(|line| line.strip_prefix("  ")).collect();
    let script = lines.join("\n").replace("synod token", &format!("{} token", env!("CARGO_BIN_EXE_synod")));
    assert!(script.contains("token create me --operator"), "{told}");
    let mut shell = place.bare("sh");
    let run = shell.arg("-c").arg(&script).output().expect("a shell");
    let body = String::from_utf8_lossy(&run.stdout).into_owned();
    assert!(body.contains("\"matters\""), "{body}\n{}", String::from_utf8_lossy(&run.stderr));
    service.end();
    finish(place);
}

#[test]
fn a_revoked_token_waits_no_longer() {
    let place = Place::new();
    let ann = token(&place, &["ann"]);
    let service = Served::start(&place, &["--places", "1"]);
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            let mut answers = std::iter::repeat_with(|| service.get("/v1/turns?wait=55", &ann));
            answers.find(|answer| answer.status != 429).expect("an answer")
        });
        // It waits once it has the only place.
        while service.get("/v1/turns?wait=1", &ann).status != 429 {}
        let begun = std::time::Instant::now();
        place.run(["token", "revoke", "ann"]).exits(0);
        waiting.join().expect("an answer").fails(401, "token/unknown");
        assert!(begun.elapsed().as_secs() < 30, "it waited to the end");
    });
    service.end();
    finish(place);
}

#[test]
fn names_of_any_letters_are_spoken_for() {
    let place = Place::new();
    let service = Served::start(&place, &[]);
    let matter = service.open("", "Who?", "ring-quick", &["Žofie", "李 明"]);
    place.run(["ring", "join", "--as", "Žofie"]).exits(0).prints("žofie joined");
    let join = format!("/v1/matters/{matter}/join");
    let join = |who: &str| {
        let headers = [("content-type", "application/json"), ("synod-for", who)];
        service.raw("POST", &join, &headers, b"{}")
    };
    for wrong in ["%C5", "%zz", "%", "100%", "%2F"] {
        join(wrong).fails(400, "request/for");
    }
    join("%e6%9d%8e %E6%98%8E").is(200);
    join("%C5%BEofie").fails(409, "ring/already-joined");
    service.end();
    finish(place);
}

#[test]
fn pages_of_other_sites_are_turned_away() {
    let place = Place::new();
    let service = Served::start(&place, &["--host", "synod.example"]);
    let port = service.address.rsplit_once(':').expect("a port").1.to_string();
    let get = |headers: &[(&str, &str)]| service.raw("GET", "/v1/house", headers, b"");
    for host in ["evil.example", "evil.example:7717", "127.0.0.1.evil.example", "localhost.evil.example", ""]
    {
        get(&[("host", host)]).fails(403, "request/host");
    }
    for host in
        [format!("localhost:{port}"), format!("[::1]:{port}"), "127.0.0.1".into(), "Synod.example".into()]
    {
        get(&[("host", &host)]).is(200);
    }
    let own = format!("http://{}", service.address);
    get(&[("origin", &own)]).is(200);
    get(&[("sec-fetch-site", "same-origin")]).is(200);
    for origin in ["http://evil.example", "null", "http://127.0.0.1:1", "https://synod.example"] {
        get(&[("origin", origin)]).fails(403, "request/origin");
    }
    get(&[("sec-fetch-site", "cross-site")]).fails(403, "request/origin");
    // A form of another page, as browsers send one without asking.
    let form = [("content-type", "text/plain"), ("origin", "http://evil.example")];
    service.raw("POST", "/v1/matters", &form, b"{}").fails(403, "request/origin");
    service.end();
    finish(place);
}

#[test]
fn it_does_not_stand_open_to_a_network() {
    let place = Place::new();
    for address in ["0.0.0.0:0", "[::]:0"] {
        let run = place.run(["serve", "--listen", address]).exits(64);
        assert!(run.err.contains("--tokens") && run.err.contains("synod token create"), "{run}");
    }
    assert!(!place.journal().exists());
    let mut service = place.start(["serve", "--listen", "0.0.0.0:0", "--tokens", "--json"]);
    service.until("\n", 0);
    let url = serde_json::from_str::<Value>(&service.printed()).expect("JSON")["url"].to_string();
    let port = url.trim_matches('"').rsplit_once(':').expect("a port").1.to_string();
    let served = Served {
        address: format!("127.0.0.1:{port}"),
        owner: NO_TOKEN.into(),
        process: place.start(["charter", "list"]),
    };
    served.get("/v1/house", NO_TOKEN).fails(401, "token/missing");
    assert!(!service.is_over());
    service.signal("INT");
    service.wait().exits(0);
    finish(place);
}

#[test]
fn tokens_are_shown_once_and_kept_hashed() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::new();
    place.run(["token", "list"]).exits(0).prints("no tokens");
    let made = place.run(["token", "create", "Ann"]).exits(0).tells("not shown again");
    let secret = made.out.trim().to_string();
    assert!(secret.starts_with("synod_") && secret.len() == 70, "{secret}");
    place.holds_nowhere(&secret);
    place.holds_nowhere(&secret[6..]);
    place.run(["token", "create", "ann", "--expires", "30d"]).exits(0);
    place.run(["token", "create", "me", "--operator"]).exits(0);
    let list = place.json(["token", "list"]);
    assert_eq!(crate::world::each(&list, "name"), ["ann", "ann", "me"]);
    assert_eq!(crate::world::each(&list, "role"), ["participant", "participant", "operator"]);
    assert_eq!(place.json(["token", "revoke", "ANN"]).as_array().map(Vec::len), Some(2));
    place.run(["token", "revoke", "ann"]).exits(66).tells("no token here");
    place.run(["token", "create", "a/b"]).exits(64);
    place.run(["token", "create", "x", "--expires", "soon"]).exits(64);
    let file = place.house().join("tokens.json");
    let mode = |path: &std::path::Path| std::fs::metadata(path).expect("a file").permissions().mode() & 0o777;
    assert_eq!(mode(&file), 0o600);
    // Nobody is let in by a file that others could read or write.
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).expect("a mode");
    place.run(["token", "list"]).exits(65).tells("chmod 600");
    place.run(["serve", "--listen", "127.0.0.1:0"]).exits(65).tells("chmod 600");
    place.spoil();
}

#[test]
fn who_is_turned_away_keeps_the_connection() {
    use std::io::{BufReader, Read as _, Write as _};
    let place = Place::new();
    let ann = token(&place, &["ann"]);
    let service = Served::start(&place, &[]);
    let mut stream = service.connect();
    let head = |token: &str, length: usize| {
        format!(
            "POST /v1/matters/m1/start HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n",
            service.address
        )
    };
    let answer = |stream: &mut std::net::TcpStream| {
        let mut reader = BufReader::new(stream);
        let (status, headers) = super::read_head(&mut reader);
        let mut body = vec![0; headers["content-length"].parse().expect("a length")];
        reader.read_exact(&mut body).expect("a body");
        (status, headers.get("connection").cloned())
    };
    // The head in a piece of its own, as some clients send it.
    for (token, status) in [("synod_x", 401), (&*ann, 403), ("synod_x", 401)] {
        stream.write_all(head(token, 2).as_bytes()).expect("a head");
        stream.flush().expect("a head");
        stream.write_all(b"{}").expect("a body");
        assert_eq!(answer(&mut stream), (status, None));
    }
    // What is too much to be read for nothing is not, and that is said.
    stream.write_all(head("synod_x", 1 << 20).as_bytes()).expect("a head");
    assert_eq!(answer(&mut stream), (401, Some("close".into())));
    service.end();
    finish(place);
}

/// What starts and watches services needs no token, and learns nothing of the house.
#[test]
fn health_and_readiness_are_told_to_anybody() {
    let place = Place::new();
    let service = Served::start(&place, &[]);
    for path in PUBLIC {
        let answer = service.get(path, NO_TOKEN).is(200);
        assert_eq!(answer.json(), json!({ "status": "ok" }));
    }
    service.end();
    finish(place);
}

/// Of two names, a proxy in front may go by one and the service by the other. No answer is kept or guessed at.
#[test]
fn a_request_has_one_host_and_few_headers() {
    use std::io::{BufReader, Write as _};
    let place = Place::new();
    let service = Served::start(&place, &[]);
    let sent = |head: String| {
        let mut stream = service.connect();
        stream.write_all(head.as_bytes()).expect("a request");
        super::read_head(&mut BufReader::new(stream)).0
    };
    let (own, token) = (service.address.clone(), service.owner.clone());
    let head = |first: &str, more: &str| {
        format!("GET {first} HTTP/1.1\r\nauthorization: Bearer {token}\r\nconnection: close\r\n{more}\r\n")
    };
    assert_eq!(sent(head("/v1/house", &format!("host: {own}\r\n"))), 200);
    assert_eq!(sent(head("/v1/house", &format!("host: {own}\r\nhost: evil.example\r\n"))), 400);
    assert_eq!(sent(head("/v1/house", &format!("host: {own}\r\nhost: {own}\r\n"))), 400);
    assert_eq!(sent(head("http://evil.example/v1/house", &format!("host: {own}\r\n"))), 400);
    assert_eq!(sent(head("/v1/house", "")), 403, "no host at all");
    let many: String = (0..80).map(|nth| format!("x-{nth}: 1\r\n")).collect();
    assert_eq!(sent(head("/v1/house", &format!("host: {own}\r\n{many}"))), 431);
    let long = format!("host: {own}\r\nx-long: {}\r\n", "x".repeat(17 << 10));
    assert_eq!(sent(head("/v1/house", &long)), 431);
    for answer in [service.get("/v1/house", ""), service.get("/v1/house", NO_TOKEN), service.get("/none", "")]
    {
        assert_eq!(answer.headers["x-content-type-options"], "nosniff");
        assert_eq!(answer.headers["cache-control"], "no-store");
    }
    service.end();
    finish(place);
}

/// Thousands of silent connections shut nobody out: whoever has a token is answered at once, and so is a stranger.
#[test]
fn silent_connections_shut_nobody_out() {
    use std::net::TcpStream;
    let place = Place::new();
    let ann = token(&place, &["ann"]);
    let service = Served::start(&place, &[]);
    let mut crowd: Vec<TcpStream> = Vec::new();
    // As many as one process may open, up to more than the service takes in all.
    while crowd.len() < 5000 {
        match TcpStream::connect(&service.address) {
            Ok(stream) => crowd.push(stream),
            Err(_) => break,
        }
        if crowd.len().is_multiple_of(250) {
            let begun = std::time::Instant::now();
            service.get("/v1/house", &ann).is(200);
            service.get("/v1/house", NO_TOKEN).fails(401, "token/missing");
            assert!(begun.elapsed().as_secs() < 10, "after {} connections", crowd.len());
        }
    }
    assert!(crowd.len() > 500, "only {} connections", crowd.len());
    drop(crowd);
    service.end();
    finish(place);
}

/// Who is invited to nothing cannot fill the record with what it reports.
#[test]
fn what_belongs_to_no_matter_is_bounded() {
    let place = Place::new();
    let (ann, bob) = (token(&place, &["ann"]), token(&place, &["bob"]));
    let service = Served::start(&place, &["--rate", "100000"]);
    let report = |token: &str, agent: &str, nth: usize| {
        let text = format!("{nth} {}", "x".repeat(900));
        let body = json!({ "agent": agent, "kind": "insight", "subject": "s", "text": text });
        service.post("/v1/observations", token, &body)
    };
    let stopped = (0..1000).map(|nth| report(&ann, "ann", nth)).position(|answer| answer.status == 429);
    let stopped = stopped.expect("an end");
    assert!((50..500).contains(&stopped), "after {stopped}");
    report(&ann, "ann", 1001).fails(429, "service/observations");
    report(&bob, "bob", 0).is(200);
    service.end();
    finish(place);
}

/// A house that came as a copy may bring tokens along. They let nobody in until the user has agreed to them.
#[test]
fn tokens_of_a_copied_house_let_nobody_in() {
    let made = Place::new();
    let operator = token(&made, &["me", "--operator"]);
    let service = Served::start(&made, &[]);
    service.get("/v1/house", &operator).is(200);
    service.end();
    let copy = made.copy().wary();
    finish(made);
    let service = Served::start(&copy, &[]);
    service.process.until_told("came with the house and let nobody in");
    service.get("/v1/house", &operator).fails(401, "token/unknown");
    // A token that is made here counts at once, and so does consent.
    let own = token(&copy, &["own", "--operator"]);
    service.get("/v1/house", &own).is(200);
    service.get("/v1/house", &operator).fails(401, "token/unknown");
    copy.run(["trust", "--list"]).exits(0).prints("not trusted  let in whoever shows the token");
    assert_eq!(crate::world::each(&copy.json(["token", "list"]), "status"), ["strange", "good"]);
    copy.run(["token", "list"]).exits(0).prints("strange").tells("came with the house");
    copy.run(["trust"]).exits(0);
    assert_eq!(crate::world::each(&copy.json(["token", "list"]), "status"), ["good", "good"]);
    service.get("/v1/house", &operator).is(200);
    // What was revoked does not come back with its old line.
    let file = copy.house().join("tokens.json");
    let before = std::fs::read(&file).expect("the tokens");
    copy.run(["token", "revoke", "me"]).exits(0);
    std::fs::write(&file, before).expect("the tokens");
    service.get("/v1/house", &own).is(200);
    service.get("/v1/house", &operator).fails(401, "token/unknown");
    service.end();
    finish(copy);
}
