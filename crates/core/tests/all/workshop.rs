//! Issues: scripts through one driver, and the properties that hold whatever happens in a thread.

mod adversary;
mod advocates;
mod breakers;
mod canon;
mod charters;
mod credits;
mod day;
mod fairness;
mod found;
mod grounding;
mod health;
mod held;
mod leases;
mod memory;
mod moderation;
mod properties;
mod record;
mod refusals;
mod seats;
mod shortcuts;
mod tried;
mod views;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use synod_core::ask::{Of, WorldTask};
use synod_core::command::Delivered;
use synod_core::evidence::{FileFinding, ReadFile, SearchDepth, Unverified, check as check_file};
use synod_core::gate::Breach;
use synod_core::issue::{self, Freedom, IssueChange, IssueMark, Tag};
use synod_core::kernel::{
    Actor, AskId, At, CanonReference, Choice, CommentAction, CommentDeed, CommentKind, Digest, FileReference,
    Impact, MatterId, Reference, SeatKind,
};
use synod_core::procedure::workshop::{self, Command as Work, OpenIssue, WriteComment};
use synod_core::roster::{Appointment, WorkRole};
use synod_core::{Act, Command, Event, Outcome, dissent, gate, matter, period};

use crate::world::{World, after, seat, source, who};

/// A comment that every charter but the strict one lets pass: 166 characters, 27 different words.
pub(crate) const BODY: &str = "I compared the scene in which the reactor fails with the docking sequence; the order of \
     events still holds because nobody leaves that bridge before midnight on day three.";

/// What later comments say.
const NEWS: [&str; 10] = [
    "The captain signs her letter with a seal that the second chapter gives to her brother, so one of both has to change.",
    "Rain falls during that whole festival, yet nobody in the market square carries a coat or looks for a dry doorway.",
    "Our gardener plants tulips in autumn and cuts them a week later, which no bulb on this planet has ever survived.",
    "A ferry needs two hours across the bay, and the messenger rides over, rests, and is back before supper gets cold.",
    "Both sisters remember their mother's kitchen as blue, while an early draft lets their uncle paint its walls yellow.",
    "Music stops when the lamp goes out, although musicians in that hall play from memory and never glance at sheets.",
    "Some coins found under the floor show a king whose crown was melted decades after the house had burned down.",
    "The pilot trusts a compass in a valley of iron ore, where earlier travellers lost three days by doing just this.",
    "Every guard changes at dawn, so a thief who slips past at sunrise would meet twice as many soldiers as usual.",
    "An apprentice reads the contract aloud, but two scenes later she asks a neighbour to tell her its first line.",
];

/// A house with issues.
pub(crate) struct Shop {
    pub(crate) world: World,
    /// The issue that lines are about.
    pub(crate) issue: Option<MatterId>,
    /// The files there are; every file with some text if this is not set.
    pub(crate) disk: Option<Disk>,
}

/// Files by path: what stands in them, and when they last changed.
pub(crate) type Disk = BTreeMap<String, (String, At)>;

/// What stands in a file where a script does not say.
const SOME_TEXT: &str = "one line\nanother line\nthe third line of this file\n";

impl Shop {
    /// A house with these participants: `mo=moderator`, `cy*` for one that can be told to object.
    pub(crate) fn new(charter: &str, people: &[&str]) -> Self {
        let mut world = World::new();
        let source = source(charter);
        world.submit(Actor::Operator, Command::Adopt { source: source.clone() });
        let charter = Digest::of(source.as_bytes());
        world.submit(Actor::Operator, Command::Workshop(Work::Configure { charter }));
        let mut shop = Self { world, issue: None, disk: None };
        people.iter().for_each(|one| shop.enrol(one));
        shop
    }

    pub(crate) fn enrol(&mut self, written: &str) {
        let (name, role) = written.split_once('=').unwrap_or((written, ""));
        let able = name.ends_with('*') || role.ends_with('*');
        let (name, role) = (name.trim_end_matches('*'), role.trim_end_matches('*'));
        let mut seat = seat(name);
        (seat.kind, seat.backend) = (SeatKind::Outside, "outside".into());
        self.world.submit(Actor::Operator, Command::Enrol { seat });
        let role = WorkRole::WORDS.iter().find(|(word, _)| *word == role).map(|(_, role)| *role);
        let appointment = Appointment { can_be_devils_advocate: able, enabled: true, role };
        if appointment != Appointment::default() {
            self.world.submit(Actor::Operator, Command::Appoint { appointment, who: who(name) });
        }
    }

    pub(crate) fn by(name: &str) -> Actor {
        if name == "user" { Actor::Operator } else { Actor::Seat(who(name)) }
    }

    pub(crate) fn give(&mut self, by: &str, command: Work) -> Act {
        self.world.submit(Self::by(by), Command::Workshop(command)).clone()
    }

    /// The issue of a number.
    pub(crate) fn numbered(&self, number: u64) -> MatterId {
        self.world.house.docket().numbered(number).unwrap_or_else(|| panic!("no issue #{number}"))
    }

    pub(crate) fn here(&self) -> MatterId {
        self.issue.expect("an issue was opened")
    }

    /// Opens an issue: `TITLE words #tag !structural ~34 @ann`.
    pub(crate) fn open(&mut self, by: &str, rest: &str) -> Act {
        let mut open = OpenIssue::new("", "What shall we do about it?");
        let mut title = Vec::new();
        for word in rest.split_whitespace() {
            match word.split_at(1) {
                ("#", tag) => open.tags.push(Tag::parse(tag).unwrap()),
                ("!", impact) => open.impact = word_in(&Impact::WORDS, impact),
                ("~", number) => open.related.push(self.numbered(number.parse().unwrap())),
                ("@", name) => open.assignee = Some(who(name)),
                _ => title.push(word),
            }
        }
        open.title = title.join(" ");
        let act = self.give(by, Work::Open(Box::new(open)));
        if matches!(act.events().first(), Some(Event::Matter(matter::Event::Opened(_)))) {
            self.issue =
                self.world.house.docket().rows().find(|(id, _)| id.0.act == act.seq).map(|(id, _)| id);
        }
        act
    }

    /// What a comment says where a script does not: something new each time, because a comment that was made already is refused.
    pub(crate) fn body(&self) -> String {
        let said = self.world.house.case(self.here()).map_or(0, |case| case.comments().count());
        match said.checked_sub(1) {
            None => BODY.into(),
            Some(nth) => {
                let (first, lap) = (NEWS[nth % NEWS.len()], nth / NEWS.len());
                let second = if lap == 0 { "" } else { NEWS[(nth + lap) % NEWS.len()] };
                format!("{first} {second} Beyond that the order of events still holds on every page.")
            }
        }
    }

    /// What a line of a script says in a comment.
    pub(crate) fn written(&self, rest: &str) -> WriteComment {
        let mut comment = WriteComment::new(self.here(), &self.body());
        let (words, said) = match rest.split_once("say ") {
            Some((words, said)) => (words, Some(said)),
            None => (rest, None),
        };
        for word in words.split_whitespace() {
            let deed = word_in(&CommentDeed::WORDS, word);
            if let Some(impact) = word_in(&Impact::WORDS, word) {
                comment.impact = Some(impact);
            } else if let Some(deed) = deed {
                comment.action = Some(CommentAction { deed, details: String::new() });
            } else if let Some(kind) = word_in(&CommentKind::WORDS, word) {
                comment.kind = kind;
            } else if let Some(number) = word.strip_prefix('#') {
                comment.evidence.push(Reference::Issue(number.parse().unwrap()));
            } else if let Some(path) = word.strip_prefix("file=") {
                let file = FileReference { path: path.into(), ..FileReference::default() };
                comment.evidence.push(Reference::File(file));
            } else if let Some(entry) = word.strip_prefix("canon=") {
                let canon = CanonReference { entry: entry.into(), version: None };
                comment.evidence.push(Reference::Canon(canon));
            } else {
                comment.stance = Some(match word {
                    "ok" => continue,
                    "approve" => Choice::Yes,
                    "object" => Choice::No,
                    "neutral" => Choice::Neutral,
                    other => panic!("`{other}` means nothing in a comment"),
                });
            }
        }
        if let Some(said) = said {
            comment.body = said.replace("\\n", "\n");
        }
        comment
    }

    pub(crate) fn comment(&mut self, by: &str, rest: &str) -> Act {
        let comment = self.written(rest);
        self.post(by, comment)
    }

    /// Comments, and has the files read that it cites. Gives the act that decided it.
    pub(crate) fn post(&mut self, by: &str, comment: WriteComment) -> Act {
        let act = self.give(by, Work::Comment(Box::new(comment)));
        match workshop::held_by(&act) {
            Some(ask) => self.read_cited(ask),
            None => act,
        }
    }

    /// Reads the files that a comment waits for, as the engine would: by the same pure check.
    pub(crate) fn read_cited(&mut self, ask: AskId) -> Act {
        let open = self.world.house.ask(ask).expect("it is open").of.clone();
        let Of::World(WorldTask::Check { files, .. }) = open else { panic!("{open:?}") };
        let findings = files.iter().map(|file| self.check_cited(file)).collect();
        let delivered = Box::new(Delivered::Checked(findings));
        self.world.submit(Actor::Engine, Command::Deliver { ask, delivered }).clone()
    }

    fn check_cited(&self, file: &FileReference) -> FileFinding {
        let text = match &self.disk {
            None => Some((SOME_TEXT.to_string(), At(0))),
            Some(disk) => file.clean_path().ok().and_then(|path| disk.get(&path).cloned()),
        };
        let read = text.map(|(text, changed)| ReadFile {
            changed: Some(changed),
            digest: Digest::of(text.as_bytes()),
            text,
        });
        check_file(file, read.as_ref().ok_or(Unverified::Unavailable), SearchDepth::Verdict)
    }

    pub(crate) fn wait(&mut self, written: &str) -> Act {
        let (number, unit) = written.split_at(written.find(char::is_alphabetic).unwrap());
        let scale = match unit {
            "ms" => 1,
            "s" => 1000,
            "m" => 60_000,
            "h" => 3_600_000,
            "d" => 86_400_000,
            other => panic!("`{other}` is not a unit"),
        };
        self.world.now = self.world.now.plus(number.parse::<u64>().unwrap() * scale);
        self.world.submit(Actor::Engine, Command::Tick).clone()
    }

    /// One line of a script.
    pub(crate) fn step(&mut self, line: &str) -> Option<Act> {
        if let Some((name, rest)) = line.split_once(": ") {
            return Some(self.comment(name, rest));
        }
        let (verb, rest) = line.split_once(' ').unwrap_or((line, ""));
        match verb {
            "on" => {
                self.issue = Some(self.numbered(rest.parse().unwrap()));
                return None;
            }
            "wait" => return Some(self.wait(rest)),
            "enrol" => {
                self.enrol(rest);
                return None;
            }
            _ => (),
        }
        let (by, (verb, rest)) = (verb, rest.split_once(' ').unwrap_or((rest, "")));
        let command = match verb {
            "opens" => return Some(self.open(by, rest)),
            "closes" => Work::Close { issue: self.here() },
            "reopens" => Work::Reopen { issue: self.here() },
            "unfreezes" => Work::Unfreeze { issue: self.here(), guidance: rest.into() },
            "forces" => {
                let (decision, reasoning) = rest.split_once(" because ").unwrap_or((rest, ""));
                let (decision, reasoning) = (decision.into(), reasoning.into());
                Work::ForceResolution { issue: self.here(), decision, reasoning }
            }
            "escalates" => Work::Escalate { issue: self.here(), summary: rest.into() },
            "challenges" => {
                let named = (!rest.is_empty()).then(|| who(rest));
                Work::InvokeDevilsAdvocate { issue: self.here(), who: named }
            }
            "marks" => {
                let mark = match rest {
                    "applied" => IssueMark::Applied,
                    "irrelevant" => IssueMark::Irrelevant,
                    id => IssueMark::Helpful { comment: id.parse().unwrap() },
                };
                Work::Mark { issue: self.here(), mark }
            }
            "consolidates" => {
                let issues = rest.split_whitespace().map(|number| self.numbered(number.parse().unwrap()));
                Work::Consolidate { issues: issues.collect(), title: "One for all".into(), body: "b".into() }
            }
            "assigns" => self.change(IssueChange::Assign { to: (rest != "nobody").then(|| who(rest)) }),
            "tags" => self.change(IssueChange::Tag { tag: Tag::parse(rest).unwrap() }),
            "untags" => self.change(IssueChange::Untag { tag: Tag::parse(rest).unwrap() }),
            "ranks" => {
                let priority = synod_core::kernel::Priority::WORDS.iter().find(|(word, _)| *word == rest);
                self.change(IssueChange::Priority { priority: priority.unwrap().1 })
            }
            "relates" => self.change(IssueChange::Relate { to: self.numbered(rest.parse().unwrap()) }),
            "unrelates" => self.change(IssueChange::Unrelate { to: self.numbered(rest.parse().unwrap()) }),
            "freezes-tag" => {
                let (tag, reason) = rest.split_once(' ').unwrap_or((rest, ""));
                Work::FreezeTag { tag: Tag::parse(tag).unwrap(), reason: reason.into() }
            }
            "thaws-tag" => Work::ThawTag { tag: Tag::parse(rest).unwrap() },
            "frees" => {
                let (name, freedom) = rest.split_once(' ').unwrap();
                Work::SetFreedom { who: who(name), freedom: word_in(&Freedom::WORDS, freedom).unwrap() }
            }
            "begins" => Work::OpenPeriod { name: rest.into() },
            "ends" => Work::ClosePeriod { name: rest.into() },
            other => panic!("`{other}` is not something to do"),
        };
        Some(self.give(by, command))
    }

    fn change(&self, change: IssueChange) -> Work {
        Work::Change { issue: self.here(), change }
    }
}

fn word_in<T: Copy>(words: &[(&str, T)], word: &str) -> Option<T> {
    words.iter().find(|(known, _)| *known == word).map(|(_, value)| *value)
}

/// Runs a script and gives its log. The first line is the charter and the participants; `---` forgets the log so far.
pub(crate) fn played(script: &str) -> (Shop, String) {
    let mut lines = script.trim().lines().map(str::trim).filter(|line| !line.is_empty());
    let first: Vec<&str> = lines.next().unwrap().split_whitespace().collect();
    let mut shop = Shop::new(first[0], &first[1..]);
    let mut log = String::new();
    for line in lines {
        if line == "---" {
            log.clear();
            continue;
        }
        let _ = writeln!(log, "> {}", synod_core::kernel::text::excerpt(line, 100));
        if let Some(act) = shop.step(line) {
            show(&mut log, &act);
        }
    }
    (shop, log)
}

#[track_caller]
pub(crate) fn check(script: &str, expect: expect_test::Expect) {
    expect.assert_eq(&played(script).1);
}

fn show(log: &mut String, act: &Act) {
    match &act.outcome {
        Outcome::Refused { code, message } => drop(writeln!(log, "refused {code}: {message}")),
        Outcome::Done(events) => {
            for event in events {
                if let Some(line) = line(event) {
                    let _ = writeln!(log, "{line}");
                }
            }
        }
    }
}

/// An event of issues in a line.
pub(crate) fn line(event: &Event) -> Option<String> {
    Some(match event {
        Event::Matter(matter::Event::Opened(opening)) => format!("opened {}", opening.question.topic),
        Event::Matter(matter::Event::Settled { decision, matter }) => {
            format!("{matter} {}", decision.word())
        }
        Event::Matter(matter::Event::Reopened { matter }) => format!("{matter} reopened"),
        Event::Gate(gate::Event::Posted { said, .. }) => {
            let blind = if said.comment().is_some_and(|comment| comment.blind) { ", blind" } else { "" };
            let ordered = if said.ordered.is_some() { ", ordered" } else { "" };
            format!("posted {}{blind}{ordered}", said.who)
        }
        Event::Gate(gate::Event::Refused { breaches, verdict, .. }) => {
            let codes: Vec<&str> = breaches.iter().map(Breach::code).collect();
            format!("{verdict:?} {}", codes.join(" ")).to_lowercase()
        }
        Event::Issue(event) => issue_line(event)?,
        Event::Dissent(dissent::Event::Ordered(order)) => {
            let (side, until) = (order.side, after(order.until));
            format!("ordered {} {side:?} for {} until {until}", order.who, order.reason.word()).to_lowercase()
        }
        Event::Dissent(dissent::Event::Unfilled { reason, .. }) => format!("nobody for {}", reason.word()),
        Event::Dissent(dissent::Event::ConsensusFound { count, forced, side, .. }) => {
            format!("consensus {}: {forced} argue {side:?}", count.words()).to_lowercase()
        }
        Event::Dissent(dissent::Event::TeamCalled { count, forced, side, .. }) => {
            format!("red team of {forced} argues {side:?}: {}", count.words()).to_lowercase()
        }
        Event::Dissent(dissent::Event::Summed { all, free, last, risks, .. }) => {
            let risks: Vec<&str> = risks.iter().map(|risk| risk.word()).collect();
            let last = if *last { ", the last" } else { "" };
            format!("summed up{last}: all {}; free {}; {}", all.words(), free.words(), risks.join(", "))
        }
        Event::Dissent(dissent::Event::Ended { end, .. }) => format!("order {end:?}").to_lowercase(),
        Event::Period(period::Event::Opened { name }) => format!("period {name} began"),
        Event::Period(period::Event::Closed { .. }) => "period ended".into(),
        Event::Canon(event) => canon::line(event),
        Event::Lease(event) => leases::line(event),
        _ => return None,
    })
}

fn issue_line(event: &issue::Event) -> Option<String> {
    Some(match event {
        issue::Event::Filed { tags, assignee, .. } => {
            if tags.is_empty() && assignee.is_none() {
                return None;
            }
            let tags: Vec<String> = tags.iter().map(ToString::to_string).collect();
            let to = assignee.as_ref().map(|who| format!(" for {who}")).unwrap_or_default();
            format!("  {}{to}", tags.join(" "))
        }
        issue::Event::Changed { change, .. } => format!("changed {change:?}").to_lowercase(),
        issue::Event::Frozen { breaker, until, .. } => {
            format!("frozen by {} until {}", breaker.word(), after(*until))
        }
        issue::Event::Reported { breaker, matter, .. } => {
            format!("reported {} in {matter}", breaker.word())
        }
        issue::Event::Thawed { by, cause, .. } => format!("thawed by {by}, {cause:?}").to_lowercase(),
        issue::Event::Raised { epistemic, .. } => format!("now {}", epistemic.word()),
        issue::Event::Consolidated { into, matter } => format!("{matter} went into {into}"),
        issue::Event::Escalated { by, summary, .. } => format!("escalated by {by}: {summary}"),
        issue::Event::Noticed { to, what, .. } => format!("told {to:?}: {what:?}").to_lowercase(),
        issue::Event::Marked { mark, .. } => format!("marked {mark:?}").to_lowercase(),
        issue::Event::Configured { .. } => "configured".into(),
        issue::Event::TagFrozen { reason, tag, .. } => format!("{tag} frozen: {reason}"),
        issue::Event::TagThawed { tag, .. } => format!("{tag} thawed"),
        issue::Event::FreedomSet { freedom, who, .. } => format!("{who} is {}", freedom.word()),
    })
}

/// How many issues the house opened because this one was frozen.
pub(crate) fn meta_issues(shop: &Shop, of: MatterId) -> usize {
    let about = |row: &issue::DocketRow| matches!(&row.meta, Some(issue::MetaIssue::Frozen { issue, .. }) if *issue == of);
    shop.world.house.docket().rows().filter(|(_, row)| about(row)).count()
}
