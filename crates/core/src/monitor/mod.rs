//! The monitor: what agents were seen to do, and the patterns in it that call for a council.
//!
//! It keeps what was seen for as long as a pattern looks back and forgets it then; only whether an agent was
//! seen lately, and which decisions are pending, outlives its window. It finds, it never acts: what a finding
//! means is decided by `house/`.
//!
//! A window is closed at both ends: what was seen exactly so long ago as the window is long still counts, a
//! millisecond more and it does not.
//!
//! To add a pattern: a file here, a variant of [`Pattern`], its rules in [`Rules`], its line in [`find`], its
//! table in `rules/triggers.toml`, and a script in the tests.

mod conflicting_edits;
mod human_escalation_cluster;
mod insight_contradictions;
mod observation;
mod opinion_divergence;
mod refusal;
mod repeated_corrections;
mod stalled_progress;
mod window;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::kernel::{At, Digest, Permille, Priority, Reading, Stance, Who, text};

pub use observation::{
    MalformedObservation, Observation, ObservationNote, ObservedAction, PATH_MOST, TEXT_MOST, TOPIC_MOST,
};
pub use refusal::Refusal;
pub use stalled_progress::{gone, stalled};

use window::Window;

/// So many decisions may be pending at once.
pub const PENDING_MOST: usize = 64;

/// The numbers of the monitor.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// Who was seen within this time is active.
    pub active_ms: u64,
    /// Several agents write one file.
    pub conflicting_edits: CountRule,
    /// Agents turn to people several times.
    pub human_escalation_cluster: CountRule,
    /// Insights of different agents contradict each other.
    pub insight_contradictions: CountRule,
    /// Agents stand against each other over one topic.
    pub opinion_divergence: DivergenceRule,
    /// One agent is corrected several times.
    pub repeated_corrections: CountRule,
    /// One agent gets no further.
    pub stalled_progress: StallRule,
}

/// A pattern that counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct CountRule {
    /// From so many on.
    pub least: u32,
    /// Whether it is looked for.
    pub on: bool,
    /// How urgent a council on it is.
    pub priority: Priority,
    /// How far back it looks.
    pub window_ms: u64,
}

/// A pattern that weighs sides.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DivergenceRule {
    /// From this score on.
    pub least: Permille,
    /// Whether it is looked for.
    pub on: bool,
    /// How urgent a council on it is.
    pub priority: Priority,
    /// How far back it looks.
    pub window_ms: u64,
}

/// A pattern that waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StallRule {
    /// So long without progress.
    pub after_ms: u64,
    /// Whether it is looked for.
    pub on: bool,
    /// How urgent a council on it is.
    pub priority: Priority,
    /// So long it is still told; later the agent counts as gone.
    pub window_ms: u64,
}

/// The patterns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// Several agents write one file.
    ConflictingEdits,
    /// Agents turn to people several times.
    HumanEscalationCluster,
    /// Insights of different agents contradict each other.
    InsightContradictions,
    /// Agents stand against each other over one topic.
    OpinionDivergence,
    /// One agent is corrected several times.
    RepeatedCorrections,
    /// One agent gets no further.
    StalledProgress,
}

impl Pattern {
    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Self::ConflictingEdits => "conflicting_edits",
            Self::HumanEscalationCluster => "human_escalation_cluster",
            Self::InsightContradictions => "insight_contradictions",
            Self::OpinionDivergence => "opinion_divergence",
            Self::RepeatedCorrections => "repeated_corrections",
            Self::StalledProgress => "stalled_progress",
        }
    }
}

impl Rules {
    /// How urgent a pattern is, and how far back it looks.
    fn of(&self, pattern: Pattern) -> (Priority, u64) {
        let count = |rules: &CountRule| (rules.priority, rules.window_ms);
        match pattern {
            Pattern::ConflictingEdits => count(&self.conflicting_edits),
            Pattern::HumanEscalationCluster => count(&self.human_escalation_cluster),
            Pattern::InsightContradictions => count(&self.insight_contradictions),
            Pattern::OpinionDivergence => {
                (self.opinion_divergence.priority, self.opinion_divergence.window_ms)
            }
            Pattern::RepeatedCorrections => count(&self.repeated_corrections),
            Pattern::StalledProgress => (self.stalled_progress.priority, self.stalled_progress.window_ms),
        }
    }

    /// How urgent a council on a finding is.
    pub fn priority(&self, pattern: Pattern) -> Priority {
        self.of(pattern).0
    }

    /// How far back a pattern looks.
    pub fn window_ms(&self, pattern: Pattern) -> u64 {
        self.of(pattern).1
    }
}

/// A pattern that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Whom it concerns, by id.
    pub agents: Vec<Who>,
    /// How many were counted: agents, times, insights; thousandths of the score for a divergence; seconds
    /// without progress for a stall.
    pub count: u64,
    /// What.
    pub pattern: Pattern,
    /// About what: the file, the topic, the subject.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
}

impl Finding {
    /// What tells it apart from others of its pattern.
    fn mark(&self) -> (Pattern, String) {
        let mark = match self.pattern {
            Pattern::ConflictingEdits => self.subject.clone().unwrap_or_default(),
            Pattern::InsightContradictions | Pattern::OpinionDivergence => {
                text::fold(self.subject.as_deref().unwrap_or_default())
            }
            Pattern::HumanEscalationCluster => String::new(),
            Pattern::RepeatedCorrections | Pattern::StalledProgress => names(&self.agents),
        };
        (self.pattern, mark)
    }

    /// What tells its subject apart, without its words: the beginning of a digest. None where a pattern has one subject.
    pub fn subject_mark(&self) -> Option<String> {
        let (_, mark) = self.mark();
        (!mark.is_empty()).then(|| Digest::of(mark.as_bytes()).short())
    }

    /// The question a council is asked.
    pub fn question(&self) -> String {
        let (who, subject) = (names(&self.agents), self.subject.as_deref().unwrap_or("it"));
        match self.pattern {
            Pattern::ConflictingEdits => format!(
                "{who} changed {subject} within minutes of each other. How do the changes fit together, and who continues with the file?"
            ),
            Pattern::HumanEscalationCluster => format!(
                "{who} asked people for help {} times within minutes. What can the agents not settle, and how should they continue?",
                self.count
            ),
            Pattern::InsightContradictions => {
                format!("{who} reported contradictory insights about {subject}. Which of them is right?")
            }
            Pattern::OpinionDivergence => {
                format!("{who} disagree about this: {subject}. What should be done?")
            }
            Pattern::RepeatedCorrections => format!(
                "{who} was corrected {} times within minutes. What is misunderstood, and what should {who} do instead?",
                self.count
            ),
            Pattern::StalledProgress => format!(
                "{who} has made no progress for {} minutes. What is in the way, and who can help?",
                self.count / 60
            ),
        }
    }
}

/// `ann, bob and cy`.
fn names(agents: &[Who]) -> String {
    match agents {
        [] => "nobody".into(),
        [one] => one.to_string(),
        [first @ .., last] => {
            let first: Vec<&str> = first.iter().map(Who::as_str).collect();
            format!("{} and {last}", first.join(", "))
        }
    }
}

/// What the monitor puts on record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// From now on these numbers hold.
    Regulated {
        /// The numbers.
        rules: Box<Rules>,
    },
    /// An agent was seen to do something.
    Observed {
        /// Who.
        agent: Who,
        /// What, as it was understood.
        note: ObservationNote,
    },
    /// A pattern was found.
    Found {
        /// What.
        finding: Finding,
        /// Before that it is not told again of the same agents.
        until: At,
    },
    /// An agent that had been at work was not heard of for too long to say that it stalled.
    Gone {
        /// Who.
        agent: Who,
    },
    /// Pending decisions were put before a council.
    Taken {
        /// Their topics.
        topics: Vec<String>,
    },
}

/// What was seen, as long as it matters.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Monitor {
    rules: Option<Box<Rules>>,
    /// When each agent was last seen.
    seen: BTreeMap<Who, At>,
    /// When each agent that is at work last got further.
    working: BTreeMap<Who, At>,
    edits: Window<Edit>,
    opinions: Window<AgentOpinion>,
    corrections: Window<Who>,
    insights: Window<AgentInsight>,
    escalations: Window<Who>,
    /// What was found lately, with whom, and until when it is not told again.
    #[serde(with = "crate::kernel::pairs")]
    told: BTreeMap<(Pattern, String), (Vec<Who>, At)>,
    /// Decisions that wait for somebody to take them, by their folded topic.
    pending: BTreeMap<String, String>,
}

// Texts are shared: a flow works on a copy of all that is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Edit {
    agent: Who,
    path: Arc<str>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct AgentOpinion {
    agent: Who,
    stance: Stance,
    topic: Arc<str>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct AgentInsight {
    agent: Who,
    subject: Arc<str>,
    text: Arc<str>,
}

impl Monitor {
    /// The numbers, if there are any yet.
    pub fn rules(&self) -> Option<&Rules> {
        self.rules.as_deref()
    }

    /// Who was seen lately, by id.
    pub fn active(&self, at: At) -> impl Iterator<Item = &Who> {
        let within = self.rules().map_or(0, |rules| rules.active_ms);
        self.seen.iter().filter(move |(_, seen)| at.since(**seen) <= within).map(|(who, _)| who)
    }

    /// Decisions that wait for somebody to take them.
    pub fn pending(&self) -> impl ExactSizeIterator<Item = &str> {
        self.pending.values().map(String::as_str)
    }

    /// When the monitor must be looked at again, also if nothing is seen.
    pub fn next_deadline(&self) -> Option<At> {
        let stall = &self.rules()?.stalled_progress;
        stall.on.then(|| self.working.values().min().map(|last| last.plus(stall.after_ms)))?
    }

    /// Records an event.
    pub fn apply(&mut self, at: At, event: &Event) {
        match event {
            Event::Regulated { rules } => self.rules = Some(rules.clone()),
            Event::Observed { agent, note } => self.note(at, agent, note),
            Event::Found { finding, until } => {
                self.told.insert(finding.mark(), (finding.agents.clone(), *until));
                if finding.pattern == Pattern::StalledProgress {
                    // It is told once; whoever gets further is watched anew.
                    self.working.retain(|who, _| !finding.agents.contains(who));
                }
            }
            Event::Gone { agent } => drop(self.working.remove(agent)),
            Event::Taken { topics } => {
                topics.iter().for_each(|topic| drop(self.pending.remove(&text::fold(topic))));
            }
        }
        self.forget(at);
    }

    fn note(&mut self, at: At, agent: &Who, note: &ObservationNote) {
        self.seen.insert(agent.clone(), at);
        let agent = agent.clone();
        match note {
            ObservationNote::Write { path } => {
                self.working.insert(agent.clone(), at);
                self.edits.push(at, Edit { agent, path: path.as_str().into() });
            }
            ObservationNote::Read => (),
            ObservationNote::Opinion { stance, topic } => {
                self.opinions
                    .push(at, AgentOpinion { agent, stance: *stance, topic: text::fold(topic).into() });
            }
            ObservationNote::Correction => self.corrections.push(at, agent),
            ObservationNote::Insight { subject, text: said } => {
                self.insights.push(
                    at,
                    AgentInsight { agent, subject: text::fold(subject).into(), text: said.as_str().into() },
                );
            }
            ObservationNote::Progress { done: false } => drop(self.working.insert(agent, at)),
            ObservationNote::Progress { done: true } => drop(self.working.remove(&agent)),
            ObservationNote::Escalation => self.escalations.push(at, agent),
            ObservationNote::Pending { topic } => drop(self.pending.insert(text::fold(topic), topic.clone())),
            ObservationNote::Decided { topic } => drop(self.pending.remove(&text::fold(topic))),
        }
    }

    /// Lets go of what no pattern looks back to.
    fn forget(&mut self, at: At) {
        let Some(rules) = &self.rules else { return };
        self.edits.forget(at, rules.conflicting_edits.window_ms);
        self.opinions.forget(at, rules.opinion_divergence.window_ms);
        self.corrections.forget(at, rules.repeated_corrections.window_ms);
        self.insights.forget(at, rules.insight_contradictions.window_ms);
        self.escalations.forget(at, rules.human_escalation_cluster.window_ms);
        self.told.retain(|_, (_, until)| *until > at);
        self.seen.retain(|_, seen| at.since(*seen) <= rules.active_ms);
    }

    /// Whether something was told lately, of the same agents.
    fn is_told(&self, finding: &Finding) -> bool {
        self.told.get(&finding.mark()).is_some_and(|(agents, _)| *agents == finding.agents)
    }
}

/// What the last thing seen has completed, the most urgent first. What was told lately is not told again.
pub fn find(monitor: &Monitor, agent: &Who, note: &ObservationNote, reading: Reading) -> Vec<Finding> {
    let Some(rules) = monitor.rules() else { return Vec::new() };
    let found = match note {
        ObservationNote::Write { path } => conflicting_edits::find(rules, monitor, path),
        ObservationNote::Opinion { topic, .. } => opinion_divergence::find(rules, monitor, topic),
        ObservationNote::Correction => repeated_corrections::find(rules, monitor, agent),
        ObservationNote::Insight { subject, .. } => {
            insight_contradictions::find(rules, monitor, subject, reading)
        }
        ObservationNote::Escalation => human_escalation_cluster::find(rules, monitor),
        ObservationNote::Read
        | ObservationNote::Progress { .. }
        | ObservationNote::Pending { .. }
        | ObservationNote::Decided { .. } => None,
    };
    found.into_iter().filter(|finding| !monitor.is_told(finding)).collect()
}

/// Who is named, each once, by id.
fn distinct<'a>(agents: impl Iterator<Item = &'a Who>) -> Vec<Who> {
    agents.collect::<std::collections::BTreeSet<_>>().into_iter().cloned().collect()
}
