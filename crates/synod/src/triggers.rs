//! The numbers of triggers and monitor of a house, and what triggers do, as it is told.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use synod_core::command::ConfigureTriggers;
use synod_core::kernel::{At, Digest, Priority, Seat, SeatKind, Who, text};
use synod_core::monitor::{self, Finding};
use synod_core::regulation::{Regulation, SHIPPED};
use synod_core::trigger::{self, Charters};
use synod_core::{Act, Command, Event, House};
use synod_engine::Engine;

use crate::fail::{Fail, Result, code};
use crate::house::{charter, charter_source, flaw_line, give_all, read_own};
use crate::out;
use crate::wire::observation::{Notice, PatternNotice, TriggerNotice};

/// Where a house keeps numbers of its own.
pub(crate) fn own_numbers(dir: &Path) -> PathBuf {
    dir.join("triggers.toml")
}

/// A file of numbers: where it is from, and its text.
pub(crate) type RulesText = (String, String);

/// The file with the numbers of a house: its own, else the one that ships.
pub(crate) fn numbers(dir: &Path) -> Result<RulesText> {
    let own = own_numbers(dir);
    Ok(match read_own(&own, "triggers")? {
        Some(text) => (own.display().to_string(), text),
        None => ("triggers.toml (built-in)".into(), SHIPPED.into()),
    })
}

/// What a file of numbers says; every flaw is told.
pub(crate) fn regulation(origin: &str, source: &str) -> Result<Regulation> {
    Regulation::parse(source).map_err(|flaws| {
        let lines: Vec<String> = flaws.iter().map(|flaw| format!("  {}", flaw_line(origin, flaw))).collect();
        let message = format!(
            "the numbers of the triggers have {}:\n{}",
            text::counted(flaws.len() as u64, "error"),
            lines.join("\n")
        );
        Fail::new(code::DATA, "trigger/flawed", message)
    })
}

/// What a participant is told whose service cannot use its own rules: they can do nothing about it.
pub(crate) const FLAWED: &str = "the trigger settings have an error, and nothing is judged until the operator fixes it: tell the operator, who sees the details";

/// What the triggers of a running service go by. Its files are looked at before each call, so that a change of them
/// holds from the next call on.
#[derive(Debug, Default)]
pub(crate) struct Regulated(tokio::sync::Mutex<Last>);

#[derive(Debug, Default)]
struct Last {
    /// The files that are in force.
    files: Option<Files>,
    /// The flaw that was told last: once is enough, however many calls meet it.
    told: Option<String>,
}

/// The numbers, and the charters they name, with their texts.
#[derive(Debug)]
struct Files {
    numbers: RulesText,
    charters: Vec<(String, String)>,
}

impl Files {
    /// Whether that is what the files still say.
    fn hold(&self, dir: &Path, numbers: &RulesText) -> bool {
        let same = |(name, text): &(String, String)| {
            charter_source(dir, name).is_ok_and(|(_, source)| source == *text)
        };
        self.numbers == *numbers && self.charters.iter().all(same)
    }
}

impl Regulated {
    /// Brings what the files say now into force. Why it cannot be is told on stderr, too.
    pub(crate) async fn renew(&self, engine: &Engine, dir: &Path) -> Result<()> {
        let mut last = self.0.lock().await;
        let brought = match numbers(dir) {
            Ok(numbers) if last.files.as_ref().is_some_and(|files| files.hold(dir, &numbers)) => {
                return Ok(());
            }
            Ok(numbers) => bring(engine, dir, numbers).await,
            Err(fail) => Err(fail),
        };
        let (files, told, done) = match brought {
            Ok(files) => (Some(files), None, Ok(())),
            Err(fail) => (None, Some(fail.message().to_string()), Err(fail)),
        };
        if let Some(message) = told.as_ref().filter(|_| told != last.told) {
            out::error(&out::clean(&format!("triggers are off until this is fixed: {message}")));
        }
        *last = Last { files, told };
        done
    }
}

/// Gives a house the numbers of a file that was read, and the charters they name. Nothing happens if they hold already.
async fn bring(engine: &Engine, dir: &Path, numbers: RulesText) -> Result<Files> {
    let (origin, source) = &numbers;
    let read = regulation(origin, source)?;
    let mut digests = [Digest::of(b""); 4];
    let (mut charters, mut needed) = (Vec::new(), BTreeMap::new());
    for ((_, priority), digest) in Priority::WORDS.into_iter().zip(&mut digests) {
        let name = read.charters.get(&priority).map(String::as_str).unwrap_or_default();
        let sourced =
            charter(dir, name).map_err(|fail| fail.and(&format!("{origin} names it in [charters]")))?;
        if engine.read(|house| house.charter(&sourced.digest).is_none()) {
            needed.insert(sourced.digest, Command::Adopt { source: sourced.source.clone() });
        }
        *digest = sourced.digest;
        charters.push((name.to_string(), sourced.source));
    }
    let [critical, high, normal, low] = digests;
    let named = Charters { critical, high, low, normal };
    let mut commands: Vec<Command> = needed.into_values().collect();
    if !engine.read(|house| is_in_force(house, &read) && house.triggers().charters() == Some(&named)) {
        let regulate = ConfigureTriggers { charters: named, monitor: read.monitor, trigger: read.trigger };
        commands.push(Command::ConfigureTriggers(Box::new(regulate)));
    }
    give_all(engine, commands).await?;
    Ok(Files { numbers, charters })
}

/// Whether a house goes by these numbers.
pub(crate) fn is_in_force(house: &House, read: &Regulation) -> bool {
    house.triggers().rules() == Some(&read.trigger) && house.monitor().rules() == Some(&read.monitor)
}

/// What an edge has to do before it gives an observation or a request for a council: bring the rules of the house into
/// force, and take in agents that the house does not know yet. They come by themselves; nothing here calls them.
/// Returns those who were new.
pub(crate) async fn prepare(engine: &Engine, rules: RulesLoading<'_>, agents: &[&Who]) -> Result<Vec<Who>> {
    match rules {
        RulesLoading::Once(dir) => bring(engine, dir, numbers(dir)?).await.map(drop)?,
        RulesLoading::Kept(regulated, dir) => regulated.renew(engine, dir).await?,
        RulesLoading::InForce => (),
    }
    let mut new: Vec<Who> = Vec::new();
    for who in agents {
        if engine.read(|house| house.roster().get(who).is_none()) && !new.contains(who) {
            new.push((*who).clone());
        }
    }
    give_all(engine, new.iter().map(welcome).collect()).await?;
    Ok(new)
}

/// The way in which the rules of the triggers are brought into force.
#[derive(Debug, Clone, Copy)]
pub(crate) enum RulesLoading<'a> {
    /// For one command in the house of this directory: they are read and brought into force.
    Once(&'a Path),
    /// For a service: read again only when its files have changed.
    Kept(&'a Regulated, &'a Path),
    /// They were brought into force a moment ago.
    InForce,
}

/// Takes an agent into the house that nobody there knows yet.
fn welcome(who: &Who) -> Command {
    let (kind, backend, name) = (SeatKind::Outside, "outside".into(), who.to_string());
    Command::Enrol {
        seat: Seat { kind, backend, model: None, name, persona: None, profile: None, who: who.clone() },
    }
}

/// What an act found and called, in order.
pub(crate) fn notices(house: &House, act: &Act) -> Vec<Notice> {
    act.events().iter().filter_map(|event| notice(house, act, event)).collect()
}

fn notice(house: &House, act: &Act, event: &Event) -> Option<Notice> {
    let judged = |kind: trigger::TriggerKind, of: Option<&str>| TriggerNotice {
        act: Some(act.seq.0),
        at: Some(act.at.to_string()),
        ..TriggerNotice::of(kind, of)
    };
    match event {
        Event::Monitor(monitor::Event::Found { finding, .. }) => Some(Notice::Found(found(act, finding))),
        Event::Trigger(trigger::Event::Fired {
            kind, matter, of, priority, rests_until, unopened, ..
        }) => {
            let judged = TriggerNotice {
                priority: Some(*priority),
                matter: *matter,
                rests_until: rests_until.map(|until| until.to_string()),
                ..judged(*kind, of.as_deref())
            };
            Some(Notice::Fired(fired(house, judged, unopened.as_ref())))
        }
        Event::Trigger(trigger::Event::Declined { kind, of, why }) => {
            let line = format!("{} did not fire: {}", named(*kind, of.as_deref()), why.words());
            let (code, why) = (Some(why.code().to_string()), Some(why.words()));
            Some(Notice::Declined(TriggerNotice {
                code,
                why,
                line: Some(line),
                ..judged(*kind, of.as_deref())
            }))
        }
        Event::Monitor(_)
        | Event::Trigger(trigger::Event::Regulated { .. })
        | Event::House(_)
        | Event::Charter(_)
        | Event::Roster(_)
        | Event::Matter(_)
        | Event::Floor(_)
        | Event::Gate(_)
        | Event::Ballot(_)
        | Event::Meter(_)
        | Event::Ask(_)
        | Event::Context(_)
        | Event::Watch(_)
        | Event::Table(_)
        | Event::Rejections(_)
        | Event::Issue(_)
        | Event::Dissent(_)
        | Event::Period(_)
        | Event::Evidence(_)
        | Event::Ledger(_)
        | Event::Canon(_)
        | Event::Lease(_)
        | Event::Track(_) => None,
    }
}

fn found(act: &Act, finding: &Finding) -> PatternNotice {
    let names: Vec<&str> = finding.agents.iter().map(Who::as_str).collect();
    let about = finding.subject.as_deref().map(|subject| format!(", {subject}")).unwrap_or_default();
    let line = Some(format!("found {}: {}{about}", finding.pattern.word(), names.join(", ")));
    let Finding { agents, count, pattern, subject } = finding.clone();
    PatternNotice { act: act.seq.0, at: act.at.to_string(), pattern, agents, count, subject, line }
}

fn fired(house: &House, mut judged: TriggerNotice, unopened: Option<&trigger::Unopened>) -> TriggerNotice {
    let priority = judged.priority.map(|priority| priority.to_string()).unwrap_or_default();
    let head = format!("{} fired, {priority}", named(judged.trigger, judged.of.as_deref()));
    let known = judged.matter.and_then(|matter| house.summary(matter));
    let line = match known {
        Some(known) => {
            let seats: Vec<String> = known.seats.iter().map(|(who, _)| who.to_string()).collect();
            let (matter, charter, topic) = (known.id, &known.charter, &known.topic);
            let line = format!(
                "{head}: matter {} ({matter}) under {charter} with {}: {}",
                known.number,
                seats.join(", "),
                text::excerpt(topic, 100)
            );
            (judged.charter, judged.seats) = (Some(charter.to_string()), Some(seats));
            judged.number = Some(known.number);
            judged.topic = Some(topic.to_string());
            line
        }
        None => {
            let why = unopened.map(trigger::Unopened::words).unwrap_or_default();
            judged.unopened = unopened.and_then(|unopened| crate::json::value(&unopened).ok());
            let line = format!("{head} but opened no matter: {why}");
            judged.why = Some(why);
            line
        }
    };
    TriggerNotice { line: Some(line), ..judged }
}

fn named(kind: trigger::TriggerKind, of: Option<&str>) -> String {
    of.map_or_else(|| kind.to_string(), |of| format!("{kind} {of}"))
}

/// A length of time as people say it.
pub(crate) fn span(ms: u64) -> String {
    match ms {
        0 => "none".into(),
        ms if ms.is_multiple_of(60_000) => format!("{} min", ms / 60_000),
        ms if ms.is_multiple_of(1000) => format!("{} s", ms / 1000),
        ms => format!("{ms} ms"),
    }
}

/// The end of what rests longest, if anything does.
pub(crate) fn latest<'a>(resting: impl Iterator<Item = (&'a str, At)>) -> Option<At> {
    resting.map(|(_, until)| until).max()
}
