//! `synod watch`: observations come in on stdin, findings and matters go out.

use std::io::{BufRead, BufReader, Read as _};
use std::process::ExitCode;

use clap::Args;
use serde::Serialize;
use serde_json::json;
use synod_core::Command;
use synod_core::kernel::{Seq, text};
use synod_engine::{Engine, Feed};
use tokio::sync::mpsc;

use super::Context;
use crate::client::{Client, ServiceArgs};
use crate::fail::{Fail, Result, code};
use crate::house::give;
use crate::out;
use crate::triggers::{RulesLoading, notices, prepare};
use crate::wire::observation::{Noted, Notice, Observed, from_line};

/// Watch agents at work: reads JSON lines, prints findings and opened matters.
///
/// Each line is an object with `agent`, `kind` and the fields of that kind:
///
///   {"agent":"ann","kind":"write","path":"src/a.rs"}
///   {"agent":"ann","kind":"read","path":"src/a.rs"}
///   {"agent":"ann","kind":"opinion","topic":"the queue","text":"I disagree"}
///   {"agent":"ann","kind":"correction","text":"that is not the file"}
///   {"agent":"ann","kind":"insight","subject":"cache","text":"the cache is not safe"}
///   {"agent":"ann","kind":"progress","text":"half of it","done":false}
///   {"agent":"ann","kind":"escalation","text":"a person has to decide"}
///   {"agent":"ann","kind":"pending","topic":"which region"}
///   {"agent":"ann","kind":"decided","topic":"which region"}
///
/// An observation counts from the moment its line arrives. Invalid lines are
/// reported with their number and counted; the rest continues.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "Example:\n  agents-log --follow | synod watch --json\n\nExit codes: 0 if every line was recorded, 65 if one or more were not."
)]
pub(crate) struct WatchArgs {
    /// Accept only agents the house knows already; lines of other agents are errors.
    #[arg(long)]
    known: bool,
    /// Print no summary at the end.
    #[arg(long, short)]
    quiet: bool,
}

/// The longest line that is read, in bytes.
const LINE_MOST: usize = 64 * 1024;

#[derive(Debug, Default)]
struct WatchTotals {
    noted: u64,
    bad: u64,
    found: u64,
    opened: u64,
}

impl WatchArgs {
    pub(crate) async fn run(self, context: &Context) -> Result<ExitCode> {
        if let Some(client) = ServiceArgs::default().client(&context.house)? {
            return self.through(context, &client).await;
        }
        let engine = context.house.engine("synod watch", Default::default()).await?;
        prepare(&engine, RulesLoading::Once(context.house.dir()), &[]).await?;
        let mut feed = engine.feed(engine.read(|house| house.seq()).next()).await?;
        let mut lines = lines();
        let mut counted = WatchTotals::default();
        let mut number = 0;
        loop {
            tokio::select! {
                line = lines.recv() => {
                    let Some(line) = line else { break };
                    number += 1;
                    match self.note(&engine, line).await {
                        Ok(true) => counted.noted += 1,
                        Ok(false) => (),
                        Err(fail) => {
                            counted.bad += 1;
                            self.bad(context.json, number, &fail);
                        }
                    }
                    tell(context.json, &engine, &mut feed, &mut counted).await?;
                }
                act = feed.next() => {
                    let Some(act) = act? else { return Err(engine.trouble().into()) };
                    show(context.json, &engine, &act, &mut counted);
                }
            }
        }
        engine.end();
        Ok(self.end(context.json, &counted))
    }

    /// Notes what comes in with the service that holds the house. What others there cause is told by its feed.
    async fn through(self, context: &Context, client: &Client) -> Result<ExitCode> {
        let (mut lines, mut counted, mut number) = (lines(), WatchTotals::default(), 0);
        while let Some(given) = lines.recv().await {
            number += 1;
            let noted = async {
                let Some(text) = text_of(given)? else { return Ok(None) };
                let observation = from_line(&text).map_err(malformed)?;
                client.post::<Noted>("/v1/observations", &Observed::from(&observation)).await.map(Some)
            };
            match noted.await {
                Ok(None) => (),
                Ok(Some(answer)) => {
                    counted.noted += 1;
                    answer
                        .notices
                        .into_iter()
                        .for_each(|notice| tell_one(context.json, notice, &mut counted));
                }
                Err(fail) => {
                    counted.bad += 1;
                    self.bad(context.json, number, &fail);
                }
            }
        }
        Ok(self.end(context.json, &counted))
    }

    /// Notes one line; whether there was anything in it.
    async fn note(&self, engine: &Engine, line: InputLine) -> Result<bool> {
        let bad = malformed;
        let Some(line) = text_of(line)? else { return Ok(false) };
        let observation = from_line(&line).map_err(bad)?;
        if !self.known {
            // What the house would not note makes nobody a participant.
            observation.note().map_err(|wrong| bad(wrong.to_string()))?;
            prepare(engine, RulesLoading::InForce, &[&observation.agent]).await?;
        }
        give(engine, Command::Observe { observation }).await?;
        Ok(true)
    }

    fn bad(&self, json: bool, number: u64, fail: &Fail) {
        if json {
            line(
                &json!({ "event": "error", "line": number, "code": fail.name(), "message": fail.message() }),
            );
        }
        out::error(&out::clean(&format!("synod: line {number}: {}", fail.message())));
    }

    fn end(&self, json: bool, counted: &WatchTotals) -> ExitCode {
        let WatchTotals { noted, bad, found, opened } = counted;
        if json {
            line(&json!({ "event": "end", "noted": noted, "bad": bad, "found": found, "opened": opened }));
        } else if !self.quiet {
            out::error(&format!(
                "{} recorded, {} invalid, {} found, {} opened",
                text::counted(*noted, "observation"),
                text::counted(*bad, "line"),
                text::counted(*found, "pattern"),
                if *opened == 1 { "1 matter".into() } else { format!("{opened} matters") }
            ));
        }
        ExitCode::from(if *bad == 0 { code::PASSED } else { code::DATA })
    }
}

fn malformed(why: String) -> Fail {
    Fail::new(code::DATA, "observation/malformed", why)
}

/// What a line says; none if it is blank.
fn text_of(line: InputLine) -> Result<Option<String>> {
    match line {
        InputLine::Text(line) => Ok(Some(line).filter(|line| !line.trim().is_empty())),
        InputLine::TooLong => Err(malformed(format!("the line is longer than {LINE_MOST} bytes"))),
        InputLine::NotText => Err(malformed("the line is not UTF-8 text".into())),
        InputLine::Failed(why) => Err(malformed(format!("stdin cannot be read: {why}"))),
    }
}

/// Tells one thing that was found or called.
fn tell_one(json: bool, mut notice: Notice, counted: &mut WatchTotals) {
    match &notice {
        Notice::Found(_) => counted.found += 1,
        Notice::Fired(judged) => counted.opened += u64::from(judged.matter.is_some()),
        Notice::Declined(_) => (),
    }
    let text = notice.take_line();
    match json {
        true => line(&notice),
        false => out::line(&out::clean(&text)),
    }
}

/// Tells everything that is durable now.
async fn tell(json: bool, engine: &Engine, feed: &mut Feed, counted: &mut WatchTotals) -> Result<()> {
    let head: Seq = engine.read(|house| house.seq());
    while feed.position() <= head {
        let Some(act) = feed.next().await? else { return Err(engine.trouble().into()) };
        show(json, engine, &act, counted);
    }
    Ok(())
}

fn show(json: bool, engine: &Engine, act: &synod_core::Act, counted: &mut WatchTotals) {
    for notice in engine.read(|house| notices(house, act)) {
        tell_one(json, notice, counted);
    }
}

/// One value on one line.
fn line(value: &impl Serialize) {
    out::line(&out::plain_json(serde_json::to_string(value).unwrap_or_default()));
}

enum InputLine {
    Text(String),
    TooLong,
    NotText,
    Failed(String),
}

/// The lines of stdin, read on a thread of their own: the clock goes on while nobody writes.
fn lines() -> mpsc::Receiver<InputLine> {
    let (send, lines) = mpsc::channel(256);
    std::thread::spawn(move || {
        let mut input = BufReader::new(std::io::stdin().lock());
        while let Some(line) = next(&mut input) {
            let last = matches!(line, InputLine::Failed(_));
            if send.blocking_send(line).is_err() || last {
                return;
            }
        }
    });
    lines
}

/// The next line; one that is too long is passed over to its end.
fn next(input: &mut impl BufRead) -> Option<InputLine> {
    let mut bytes = Vec::new();
    match input.by_ref().take(LINE_MOST as u64 + 1).read_until(b'\n', &mut bytes) {
        Ok(0) => None,
        Err(error) => Some(InputLine::Failed(error.to_string())),
        Ok(_) if bytes.len() > LINE_MOST && bytes.last() != Some(&b'\n') => {
            let over = input.skip_until(b'\n');
            Some(over.map_or_else(|error| InputLine::Failed(error.to_string()), |_| InputLine::TooLong))
        }
        Ok(_) => Some(String::from_utf8(bytes).map_or(InputLine::NotText, InputLine::Text)),
    }
}
