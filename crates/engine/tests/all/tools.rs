//! Seats that look things up while they answer, over a real server and real files.

use std::sync::Arc;

use serde_json::{Value, json};
use synod_core::command::Open;
use synod_core::kernel::{Digest, Evidence, Id, MatterId};
use synod_core::meter::Limits;
use synod_core::{Command, Task};
use synod_engine::{EngineOptions, Order, Root};
use synod_journal::Memory;
use synod_minds::Fetcher;

use crate::first_calls::{rests, seats};
use crate::minds::{open, start_with};
use crate::server::{Server, YES, completion};

/// Asks for one tool after the other, then answers.
fn plays(_: &str, _: usize, body: &Value) -> (u16, Value) {
    let wishes = [
        ("read_file", json!({ "path": "src/main.rs", "from_line": 2, "to_line": 3 })),
        ("search_files", json!({ "text": "TODO" })),
        ("read_file", json!({ "path": ".env" })),
        ("read_file", json!({ "path": "../outside.txt" })),
        ("fetch_url", json!({ "url": "https://example.org/" })),
    ];
    let messages = body["messages"].as_array().cloned().unwrap_or_default();
    let used = messages.iter().filter(|message| message["role"] == "tool").count();
    match wishes.get(used).filter(|_| body.get("tools").is_some()) {
        None => (200, completion(YES)),
        Some((name, arguments)) => {
            let call = json!({ "id": format!("c{used}"), "type": "function",
                "function": { "name": name, "arguments": arguments.to_string() } });
            let answer = json!({ "choices": [{ "message": { "content": null, "tool_calls": [call] }, "finish_reason": "tool_calls" }],
                "usage": { "prompt_tokens": 10, "completion_tokens": 5 } });
            (200, answer)
        }
    }
}

async fn debate(model: &str, sources: bool, options: EngineOptions) -> (Server, Vec<Evidence>, u32) {
    let server = Server::start(plays);
    let (seats, minds) = seats(&server, &[model]);
    let engine = start_with(Box::new(Memory::new()), minds, &seats, options).await;
    let Command::Open(opening) = open(&seats, Limits::default(), 60_000).command else { panic!("it opens") };
    let command = Command::Open(Box::new(Open { sources, ..*opening }));
    let act = engine.submit(Order::operator(command)).await.unwrap().act;
    let id = MatterId(Id { act: act.seq, nth: 0 });
    rests(&engine, id).await;
    let (evidence, calls) = engine.read(|house| {
        let case = house.case(id).unwrap();
        let speech = |task: Option<Task>| matches!(task, Some(Task::Speak { .. }));
        let (_, call) = case.calls.values().find(|(ask, _)| speech(ask.task())).expect("it spoke");
        let shown = &synod_core::view::Report::of(case).seats[0].evidence;
        assert!(shown.starts_with(&call.evidence), "the report has it beside the seat: {shown:?}");
        (call.evidence.clone(), call.usage.calls)
    });
    (server, evidence, calls)
}

fn root(house: &tempfile::TempDir) -> Arc<Root> {
    let folder = house.path().join("project");
    std::fs::create_dir_all(folder.join("src")).unwrap();
    std::fs::write(folder.join("src/main.rs"), "one\ntwo // todo: this\nthree\nfour\n").unwrap();
    std::fs::write(folder.join(".env"), "SECRET=todo").unwrap();
    std::fs::write(folder.join("key.txt"), "todo\n-----BEGIN PRIVATE KEY-----\n").unwrap();
    std::fs::write(house.path().join("outside.txt"), "todo outside").unwrap();
    Arc::new(Root::open(&folder, &house.path().join(".synod")).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_read_is_given_recorded_and_counted() {
    let house = tempfile::tempdir().unwrap();
    let options = EngineOptions { sources: Some(root(&house)), ..EngineOptions::default() };
    let (server, evidence, calls) = debate("m", true, options).await;
    assert_eq!(calls, 6, "five uses and the answer, each a call of the budget");
    let seen = server.seen("m");
    assert!(seen[0].to_string().contains("read_file: Reads lines"), "the brief says which tools there are");
    let last = seen[5]["messages"].as_array().unwrap().clone();
    let given: Vec<&str> =
        last.iter().filter(|m| m["role"] == "tool").map(|m| m["content"].as_str().unwrap()).collect();
    assert_eq!(given[0], "src/main.rs, lines 2 to 3 of 4:\ntwo // todo: this\nthree");
    assert_eq!(
        given[1], "src/main.rs:2: two // todo: this",
        "neither secrets nor anything outside is searched"
    );
    assert!(given[2].contains("secrets are not read"), "{}", given[2]);
    assert!(given[3].starts_with("This did not work"), "{}", given[3]);
    assert!(given[4].contains("there is no such tool"), "no host was allowed: {}", given[4]);
    let rows: Vec<_> = evidence
        .iter()
        .map(|row| (row.tool.as_str(), row.source.as_str(), row.lines, row.wrong.as_deref()))
        .collect();
    assert_eq!(
        rows,
        [
            ("read_file", "src/main.rs", Some((2, 3)), None),
            ("search_files", "TODO", None, None),
            ("read_file", ".env", None, Some("source/secret")),
            ("read_file", "../outside.txt", None, Some("source/missing")),
            ("fetch_url", "", None, Some("tool/unknown")),
        ]
    );
    assert_eq!(evidence[0].digest, Some(Digest::of(b"one\ntwo // todo: this\nthree\nfour\n")));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_tools_without_leave() {
    let house = tempfile::tempdir().unwrap();
    let with = || EngineOptions { sources: Some(root(&house)), ..EngineOptions::default() };
    for (model, sources, options) in [
        ("m", false, with()),
        ("m,tools=off", true, with()),
        ("m", true, EngineOptions { tools: false, ..with() }),
        ("m", true, EngineOptions::default()),
    ] {
        let (server, evidence, calls) = debate(model, sources, options).await;
        assert_eq!((evidence.len(), calls), (0, 1), "{model} {sources}");
        assert!(server.seen("m").iter().all(|body| body.get("tools").is_none()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_come_only_from_hosts_that_were_named() {
    let page = Server::start(|_, _, _| (200, json!({ "fact": 42 })));
    let host = page.url.strip_prefix("http://").unwrap().to_string();
    let pages = Fetcher::new(&[host.clone(), "example.org".into()]).unwrap();
    let fetched = pages.fetch(&format!("{}/x", page.url)).await.unwrap();
    assert_eq!(fetched.text, "{\"fact\":42}");
    assert_eq!(fetched.digest, Digest::of(b"{\"fact\":42}"));
    for (url, code) in [
        ("http://127.0.0.1:1/", "fetch/host"),
        ("https://example.com/", "fetch/host"),
        ("http://example.org/", "fetch/scheme"),
        ("https://u:p@example.org/", "fetch/url"),
        ("file:///etc/passwd", "fetch/host"),
        ("nonsense", "fetch/url"),
    ] {
        assert_eq!(pages.fetch(url).await.unwrap_err().code, code, "{url}");
    }
    let redirects = Server::start(|_, _, _| (302, json!({})));
    let own = Fetcher::new(&[redirects.url.strip_prefix("http://").unwrap().to_string()]).unwrap();
    assert_eq!(own.fetch(&redirects.url).await.unwrap_err().code, "fetch/redirect");
    // A name that points to this machine is not a way around: only what was named itself may be private.
    let named = Fetcher::new(&["ip6-localhost".into()]).unwrap();
    let code = named.fetch("https://ip6-localhost/").await.unwrap_err().code;
    assert!(["fetch/private", "fetch/unreachable"].contains(&code), "{code}");
}
