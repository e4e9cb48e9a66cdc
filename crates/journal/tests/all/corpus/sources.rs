//! Files that seats ask to see.

use synod_core::Command;
use synod_core::ask::WorldTask;
use synod_core::command::{Delivered, Open};
use synod_core::context::{Excerpt, FILES_MOST, FileReading, Unreadable};
use synod_core::kernel::{
    Actor, AskId, Call, Cause, ContextRequest, Decision, Digest, Passage, UndecidedReason,
};

use super::chapters::WORDS;
use super::kinds::named;
use super::scribe::{Scribe, open};

named! {
    why(Unreadable) in WHYS {
        Unreadable::Missing => "unread missing",
        Unreadable::Link => "unread link",
        Unreadable::NotAFile => "unread not a file",
        Unreadable::Secret => "unread secret",
        Unreadable::TooLarge { .. } => "unread too large",
        Unreadable::Binary => "unread binary",
        Unreadable::Empty => "unread empty",
        Unreadable::NoSuchLines { .. } => "unread no such lines",
        Unreadable::Denied => "unread denied",
    }
}

const FIELDS: [&str; 3] = ["excerpt.cut", "passage.lines", "request.file"];

/// Every name here.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    WHYS.iter().chain(&FIELDS).copied()
}

/// The names of what a request holds.
pub(super) fn requested(request: &ContextRequest, names: &mut Vec<&'static str>) {
    let ContextRequest { file, priority: _, query: _, reason: _ } = request;
    names.extend(file.iter().map(|_| FIELDS[2]));
}

/// The names of what the world is asked for.
pub(super) fn sent(task: &WorldTask, names: &mut Vec<&'static str>) {
    match task {
        WorldTask::Read { file: Passage { lines, path: _ }, request: _ } => {
            names.extend(lines.iter().map(|_| FIELDS[1]));
        }
        // What it holds, the comment holds.
        WorldTask::Check { comment: _, files: _ } => {}
    }
}

/// The names of what came of it.
pub(super) fn read(reading: &FileReading, names: &mut Vec<&'static str>) {
    match reading {
        FileReading::Taken(Excerpt { cut, digest: _, from: _, of: _, text: _, to: _ }) => {
            names.extend(cut.then_some(FIELDS[0]));
        }
        FileReading::Unreadable(it) => names.push(why(it)),
    }
}

const RULES: &str = r#"name = "reading"
title = "Reading"
summary = "Two rounds and a vote."
[ballot]
pass = "> 1/2"
basis = "cast"
quorum = "1/2"
tie = "fails"
[[stage]]
name = "talk"
kind = "speak"
floor = "parallel"
sees = "earlier-rounds"
rounds = { is = 4, from = 1, to = 4 }
[[stage]]
name = "vote"
kind = "vote"
"#;

/// The chapter.
pub(super) fn are_read(it: &mut Scribe) {
    let source = format!("{RULES}{WORDS}");
    it.adopt(&source);
    let question = open(&source, "Does the client retry?", &[], &["ann", "cy"]);
    it.opens(Open { sources: true, ..question.clone() });
    asks(it, "ann", &["src/client.rs:10-14", "Cargo.lock", "/etc/passwd", "src/client.rs:10-14"]);
    let first = sent_first(it);
    let speaks = it.ask("cy");
    it.refused("ask/other-kind", Actor::Engine, deliver(speaks, taken(false)));
    it.refused("house/not-allowed", Actor::Operator, deliver(first, taken(false)));
    it.done(Actor::Engine, deliver(first, taken(false)));
    it.refused("ask/not-open", Actor::Engine, deliver(first, taken(false)));
    let second = sent_first(it);
    it.done(Actor::Engine, deliver(second, taken(true)));
    it.says("cy", &said("NO", &[]), Call::default());
    let whys = [
        Unreadable::Missing,
        Unreadable::Link,
        Unreadable::NotAFile,
        Unreadable::Secret,
        Unreadable::TooLarge { bytes: 5_000_000 },
        Unreadable::Binary,
        Unreadable::Empty,
        Unreadable::NoSuchLines { of: 9 },
    ];
    let names: Vec<String> = (0..whys.len()).map(|n| format!("data/{n}.txt")).collect();
    asks(it, "ann", &names.iter().map(String::as_str).collect::<Vec<_>>());
    for why in whys {
        let ask = sent_first(it);
        it.done(Actor::Engine, deliver(ask, FileReading::Unreadable(why)));
    }
    asks(it, "cy", &["denied.txt", "slow.txt", "one-too-many.txt"]);
    let denied = sent_first(it);
    it.done(Actor::Engine, deliver(denied, FileReading::Unreadable(Unreadable::Denied)));
    it.waits(30_000);
    assert_eq!(it.case().dossier.requests.len(), FILES_MOST, "as many as may be");
    let matter = it.matter();
    it.operator(Command::Stop { matter });
    it.settled(Decision::Undecided(UndecidedReason::Stopped));
    it.opens(Open { sources: true, ..question });
    asks(it, "ann", &["src/client.rs"]);
    let (ask, cause) = (sent_first(it), Cause::passing("engine/panicked", "reading broke down"));
    it.done(Actor::Engine, Command::Fail { ask, cause, call: Box::default() });
    let matter = it.matter();
    it.operator(Command::Stop { matter });
    it.settled(Decision::Undecided(UndecidedReason::Stopped));
}

fn said(stance: &str, files: &[&str]) -> String {
    let request = |file: &&str| {
        format!(
            r#"{{"query":"what {file} does","reason":"it decides","priority":"optional","file":"{file}"}}"#
        )
    };
    let requests: Vec<String> = files.iter().map(request).collect();
    let requests = requests.join(",");
    format!(
        r#"{{"stance":"{stance}","position":"It does.","reasoning":"So it reads.","context_requests":[{requests}],"confidence":0.6}}"#
    )
}

fn asks(it: &mut Scribe, name: &str, files: &[&str]) {
    it.says(name, &said("YES", files), Call::default());
}

fn deliver(ask: AskId, reading: FileReading) -> Command {
    Command::Deliver { ask, delivered: Box::new(Delivered::Read(reading)) }
}

fn taken(cut: bool) -> FileReading {
    let digest = Digest::of(b"the whole file");
    let text = "fn retry() {\n    « thrice »\n}".into();
    FileReading::Taken(Excerpt { cut, digest, from: 10, of: 212, text, to: 12 })
}

/// What the world was asked first of what it is still asked.
fn sent_first(it: &Scribe) -> AskId {
    let asks = it.case().asks();
    let mut sent = asks.iter().filter(|(_, ask)| ask.who().is_none());
    *sent.next().expect("the world is asked").0
}
