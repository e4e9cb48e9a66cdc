//! Councils that are called: what agents were seen to do, what was found in it, what fired and what did not.

use synod_core::command::ConfigureTriggers;
use synod_core::kernel::{Actor, Digest, Permille, Priority, SeatKind, Stance};
use synod_core::monitor::{self, Observation, ObservationNote, ObservedAction, PENDING_MOST, Pattern};
use synod_core::regulation::Regulation;
use synod_core::trigger::{self, Charters, CouncilRequest, Declined, TriggerCause, TriggerKind, Unopened};
use synod_core::{Command, charter};

use super::kinds::named;
use super::scribe::{Scribe, seat, who};

named! {
    seen(ObservedAction) in SEEN {
        ObservedAction::Write { .. } => "seen write",
        ObservedAction::Read { .. } => "seen read",
        ObservedAction::Opinion { stance: None, .. } => "seen opinion",
        ObservedAction::Opinion { stance: Some(_), .. } => "seen opinion with a stance",
        ObservedAction::Correction { text: None } => "seen correction",
        ObservedAction::Correction { text: Some(_) } => "seen correction with a text",
        ObservedAction::Insight { .. } => "seen insight",
        ObservedAction::Progress { text: None, done: false } => "seen progress",
        ObservedAction::Progress { text: Some(_), done: false } => "seen progress with a text",
        ObservedAction::Progress { done: true, .. } => "seen progress to the end",
        ObservedAction::Escalation { text: None } => "seen escalation",
        ObservedAction::Escalation { text: Some(_) } => "seen escalation with a text",
        ObservedAction::Pending { .. } => "seen pending",
        ObservedAction::Decided { .. } => "seen decided",
    }
    note(ObservationNote) in NOTES {
        ObservationNote::Write { .. } => "note write",
        ObservationNote::Read => "note read",
        ObservationNote::Opinion { .. } => "note opinion",
        ObservationNote::Correction => "note correction",
        ObservationNote::Insight { .. } => "note insight",
        ObservationNote::Progress { .. } => "note progress",
        ObservationNote::Escalation => "note escalation",
        ObservationNote::Pending { .. } => "note pending",
        ObservationNote::Decided { .. } => "note decided",
    }
    stance(Stance) in STANCES {
        Stance::For => "stance for",
        Stance::Against => "stance against",
        Stance::Neutral => "stance neutral",
    }
    pattern(Pattern) in PATTERNS {
        Pattern::ConflictingEdits => "found conflicting edits",
        Pattern::HumanEscalationCluster => "found a human escalation cluster",
        Pattern::InsightContradictions => "found insight contradictions",
        Pattern::OpinionDivergence => "found opinion divergence",
        Pattern::RepeatedCorrections => "found repeated corrections",
        Pattern::StalledProgress => "found stalled progress",
    }
    cause(TriggerCause) in CAUSES {
        TriggerCause::User { priority: None } => "cause user",
        TriggerCause::User { priority: Some(_) } => "cause user with a priority",
        TriggerCause::Agent { .. } => "cause agent",
        TriggerCause::Checkpoint { flagged: false, .. } => "cause checkpoint",
        TriggerCause::Checkpoint { flagged: true, .. } => "cause checkpoint flagged",
        TriggerCause::Phase { .. } => "cause phase",
        TriggerCause::Threshold { .. } => "cause threshold",
        TriggerCause::Scheduled => "cause scheduled",
    }
    kind(TriggerKind) in KINDS {
        TriggerKind::User => "fired user",
        TriggerKind::Agent => "fired agent",
        TriggerKind::Monitor => "fired monitor",
        TriggerKind::Checkpoint => "fired checkpoint",
        TriggerKind::Phase => "fired phase",
        TriggerKind::Threshold => "fired threshold",
        TriggerKind::Scheduled => "fired scheduled",
    }
    priority(Priority) in PRIORITIES {
        Priority::Critical => "priority critical",
        Priority::High => "priority high",
        Priority::Normal => "priority normal",
        Priority::Low => "priority low",
    }
    declined(Declined) in DECLINED {
        Declined::Below { .. } => "declined below",
        Declined::Unlisted => "declined unlisted",
        Declined::Resting { .. } => "declined resting",
        Declined::Unflagged => "declined unflagged",
        Declined::OtherPhase => "declined other phase",
        Declined::NothingPending => "declined nothing pending",
        Declined::TooFewActive { .. } => "declined too few active",
        Declined::Off => "declined off",
    }
    unopened(Unopened) in UNOPENED {
        Unopened::TooFewSeats => "unopened for too few seats",
        Unopened::Refused { .. } => "unopened by a refusal",
    }
}

const FIELDS: [&str; 8] = [
    "request.description",
    "request.participants",
    "request.topic",
    "finding.subject",
    "fired.matter",
    "fired.of",
    "fired.rests_until",
    "declined.of",
];

/// Every name here.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    let lists = [SEEN, NOTES, STANCES, PATTERNS, CAUSES, KINDS, PRIORITIES, DECLINED, UNOPENED, &FIELDS];
    lists.into_iter().flatten().copied()
}

/// The names of what an observation holds.
pub(super) fn observed(observation: &Observation, names: &mut Vec<&'static str>) {
    names.push(seen(&observation.seen));
}

/// The names of what a wish for a council holds.
pub(super) fn requested(request: &CouncilRequest, names: &mut Vec<&'static str>) {
    let CouncilRequest { cause: why, description, participants, topic } = request;
    names.push(cause(why));
    names.extend(description.iter().map(|_| FIELDS[0]));
    names.extend(participants.first().map(|_| FIELDS[1]));
    names.extend(topic.iter().map(|_| FIELDS[2]));
}

/// The names of what the monitor put down.
pub(super) fn monitored(event: &monitor::Event, names: &mut Vec<&'static str>) {
    match event {
        monitor::Event::Observed { agent: _, note: noted } => {
            names.push(note(noted));
            if let ObservationNote::Opinion { stance: side, .. } = noted {
                names.push(stance(side));
            }
        }
        monitor::Event::Found { finding, until: _ } => {
            names.push(pattern(&finding.pattern));
            names.extend(finding.subject.iter().map(|_| FIELDS[3]));
        }
        monitor::Event::Regulated { .. } | monitor::Event::Gone { .. } | monitor::Event::Taken { .. } => {}
    }
}

/// The names of what a trigger put down.
pub(super) fn triggered(event: &trigger::Event, names: &mut Vec<&'static str>) {
    match event {
        trigger::Event::Regulated { .. } => {}
        trigger::Event::Fired {
            kind: fired,
            matter,
            of,
            priority: urgent,
            rests_until,
            unopened: why,
            ..
        } => {
            names.extend([kind(fired), priority(urgent)]);
            names.extend(matter.iter().map(|_| FIELDS[4]));
            names.extend(of.iter().map(|_| FIELDS[5]));
            names.extend(rests_until.iter().map(|_| FIELDS[6]));
            names.extend(why.iter().map(unopened));
        }
        trigger::Event::Declined { kind: _, of, why } => {
            names.push(declined(why));
            names.extend(of.iter().map(|_| FIELDS[7]));
        }
    }
}

fn regulate(numbers: &str) -> Command {
    let digest = |name: &str| Digest::of(charter::shipped(name).expect("it ships").source.as_bytes());
    let charters = Charters {
        critical: digest("ring-critical"),
        high: digest("ring-strict"),
        low: digest("ring-quick"),
        normal: digest("ring-default"),
    };
    let Regulation { monitor, trigger, .. } = Regulation::parse(numbers).expect("good numbers");
    Command::ConfigureTriggers(Box::new(ConfigureTriggers { charters, monitor, trigger }))
}

fn sees(it: &mut Scribe, agent: &str, seen: ObservedAction) {
    it.operator(observe(agent, seen));
}

fn observe(agent: &str, seen: ObservedAction) -> Command {
    Command::Observe { observation: Observation { agent: who(agent), seen } }
}

fn wish(cause: TriggerCause, with: &[&str]) -> Command {
    let participants = with.iter().map(|name| who(name)).collect();
    Command::Trigger(Box::new(CouncilRequest { cause, description: None, participants, topic: None }))
}

/// Gives a command that opens a matter, and ends that.
fn opens(it: &mut Scribe, command: Command) {
    it.operator(command);
    let matter = it.matter();
    it.operator(Command::Stop { matter });
}

fn share(thousandths: u16) -> Permille {
    Permille::new(thousandths).expect("at most 1000")
}

/// The chapter.
pub(super) fn councils(it: &mut Scribe) {
    let write = |path: &str| ObservedAction::Write { path: path.into() };
    for name in ["ada", "ben", "cleo"] {
        it.operator(Command::Enrol { seat: seat(name, SeatKind::Outside, "outside") });
    }
    it.operator(Command::Enrol { seat: seat("model 7", SeatKind::Rehearsal, "rehearsal") });
    it.refused("trigger/not-configured", Actor::Operator, observe("ada", write("a.rs")));
    for name in ["ring-critical", "ring-strict", "ring-quick", "ring-default"] {
        it.adopt(charter::shipped(name).expect("it ships").source);
    }
    it.operator(regulate(""));
    seeing(it);
    asking(it);
    it.operator(regulate("[trigger.monitor]\non = false\n[monitor.conflicting_edits]\nwindow_ms = 1000"));
    sees(it, "ada", write("b.rs"));
    sees(it, "ben", write("b.rs"));
    // Whoever was at work and is not heard of any more is gone.
    it.waits(3_600_000);
}

fn seeing(it: &mut Scribe) {
    let write = |path: &str| ObservedAction::Write { path: path.into() };
    let opinion = |stance: Option<Stance>, text: &str| ObservedAction::Opinion {
        stance,
        text: text.into(),
        topic: "the queue".into(),
    };
    let insight = |text: &str| ObservedAction::Insight { subject: "cache".into(), text: text.into() };
    it.refused("monitor/malformed", Actor::Operator, observe("ada", write(" ")));
    sees(it, "ada", ObservedAction::Read { path: "a.rs".into() });
    it.done(Actor::Seat(who("ada")), observe("ada", write("a.rs")));
    opens(it, observe("ben", write("./a.rs")));
    sees(it, "ada", opinion(None, "I know nothing"));
    sees(it, "ada", opinion(None, "We should not use it"));
    opens(it, observe("ben", opinion(Some(Stance::For), "Kafka")));
    sees(it, "ada", ObservedAction::Correction { text: None });
    sees(it, "ada", ObservedAction::Correction { text: Some("not that file".into()) });
    opens(it, observe("ada", ObservedAction::Correction { text: None }));
    sees(it, "ada", insight("the cache is safe under load"));
    opens(it, observe("ben", insight("the cache is not safe under load")));
    sees(it, "ada", ObservedAction::Escalation { text: None });
    sees(it, "ada", ObservedAction::Escalation { text: Some("may I delete this?".into()) });
    opens(it, observe("ben", ObservedAction::Escalation { text: None }));
    // An agent that nobody can call by pull: what is found opens nothing.
    sees(it, "model 7", write("m.rs"));
    sees(it, "cleo", ObservedAction::Progress { done: false, text: Some("half of it".into()) });
    sees(it, "ada", ObservedAction::Progress { done: false, text: None });
    sees(it, "ben", ObservedAction::Progress { done: true, text: None });
    it.waits(300_000);
    sees(it, "cleo", write("c.rs"));
    sees(it, "model 7", write("c.rs"));
    for nth in 0..PENDING_MOST {
        sees(it, "cleo", ObservedAction::Pending { topic: format!("decision {nth}") });
    }
    let more = observe("cleo", ObservedAction::Pending { topic: "one more".into() });
    it.refused("monitor/too-many-pending", Actor::Operator, more);
    sees(it, "cleo", ObservedAction::Decided { topic: "decision 0".into() });
}

fn asking(it: &mut Scribe) {
    let checkpoint = |name: &str, flagged: bool| {
        wish(TriggerCause::Checkpoint { flagged, name: name.into() }, &["ada", "ben"])
    };
    let phase =
        |from: &str| wish(TriggerCause::Phase { from: from.into(), to: "build".into() }, &["ada", "ben"]);
    let measure = |value: u16| {
        wish(TriggerCause::Threshold { name: "risk".into(), value: share(value) }, &["ada", "ben"])
    };
    let agent = |reason: &str, confidence: u16| {
        let (agent, confidence) = (who("ada"), share(confidence));
        wish(TriggerCause::Agent { agent, confidence, reason: reason.into() }, &["ben"])
    };
    it.refused(
        "trigger/malformed",
        Actor::Operator,
        wish(TriggerCause::User { priority: None }, &["ada", "ben"]),
    );
    let user = |priority: Option<Priority>, with: &[&str]| {
        let participants = with.iter().map(|name| who(name)).collect();
        let (description, topic) = (Some("Both were tried.".into()), Some("REST or GraphQL?".into()));
        let cause = TriggerCause::User { priority };
        Command::Trigger(Box::new(CouncilRequest { cause, description, participants, topic }))
    };
    opens(it, user(None, &["ada", "ben"]));
    opens(it, user(Some(Priority::Low), &["ada", "ben"]));
    it.operator(user(None, &["ada"]));
    it.operator(agent("need help", 900));
    it.operator(agent("security_concern", 590));
    let asked = agent("Conflicting design patterns detected", 800);
    it.done(Actor::Seat(who("ada")), asked);
    let matter = it.matter();
    it.operator(Command::Stop { matter });
    opens(it, checkpoint("security_change", false));
    it.operator(checkpoint("security_change", false));
    it.operator(checkpoint("milestone", false));
    opens(it, checkpoint("milestone", true));
    opens(it, phase("design"));
    it.operator(phase("build"));
    opens(it, measure(600));
    it.operator(measure(599));
    // One agent is active, then two; what was pending is then taken.
    it.waits(600_001);
    sees(it, "ada", ObservedAction::Read { path: "a.rs".into() });
    it.operator(wish(TriggerCause::Scheduled, &[]));
    sees(it, "ben", ObservedAction::Read { path: "a.rs".into() });
    opens(it, wish(TriggerCause::Scheduled, &[]));
    it.operator(wish(TriggerCause::Scheduled, &[]));
}
