//! Which seats are at work, and the lines that say so.

use std::time::{Duration, Instant};

use synod_core::ask::Chore;
use synod_core::house::{Case, Item};
use synod_core::kernel::{AskId, Contribution, ContributionKind, Nano, Permille, Who, text};
use synod_core::meter::Total;
use synod_core::{Ask, Event, Task, ask, ballot, floor, gate, matter};
use synod_engine::{AskProgress, Signal};

use super::columns::{cut, width};
use super::screen::Drawn;
use crate::onlookers::Onlookers;
use crate::out;

/// The widest column of names.
const NAME_MOST: usize = 24;

/// The seats of the present round or ballot, in the order in which they began.
#[derive(Debug, Default)]
pub(super) struct Board {
    rows: Vec<BoardRow>,
}

/// One seat.
#[derive(Debug)]
struct BoardRow {
    ask: AskId,
    who: Who,
    task: Option<Task>,
    since: Instant,
    state: SeatActivity,
}

/// The current activity of a seat.
#[derive(Debug, PartialEq, Eq)]
enum SeatActivity {
    Thinking,
    Retrying { at: Instant, code: String },
    Writing { tokens: u64, line: Option<String> },
    UsingTool(String),
    Answered(String),
    Failed(String),
}

impl SeatActivity {
    fn is_over(&self) -> bool {
        match self {
            Self::Answered(_) | Self::Failed(_) => true,
            Self::Thinking | Self::Retrying { .. } | Self::Writing { .. } | Self::UsingTool(_) => false,
        }
    }
}

/// A colour, by what it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Paint {
    Name,
    Plain,
    Faint,
    Good,
    Waits,
    Bad,
}

impl Paint {
    fn code(self) -> &'static str {
        match self {
            Self::Name => "1",
            Self::Plain => "0",
            Self::Faint => "2",
            Self::Good => "32",
            Self::Waits => "33",
            Self::Bad => "31",
        }
    }
}

/// A line of the block in its colours, cut to the width of the terminal.
#[derive(Debug)]
pub(super) struct BoardLine(Vec<(Paint, String)>);

impl BoardLine {
    fn new(parts: Vec<(Paint, String)>, most: usize) -> Self {
        let mut left = most;
        let mut kept = Vec::new();
        for (paint, text) in parts {
            let text = cut(&out::clean(&text).replace(['\n', '\t'], " "), left);
            left -= width(&text).min(left);
            kept.push((paint, text));
        }
        Self(kept)
    }

    /// The line as it goes to the terminal.
    pub(super) fn written(&self, colour: bool) -> Drawn {
        let columns = self.0.iter().map(|(_, text)| width(text)).sum();
        let part = |(paint, text): &(Paint, String)| match colour && *paint != Paint::Plain {
            true => format!("\x1b[{}m{text}\x1b[0m", paint.code()),
            false => text.clone(),
        };
        Drawn { columns, written: self.0.iter().map(part).collect() }
    }
}

impl Board {
    /// Takes in how an ask is getting on.
    pub(super) fn signal(&mut self, case: &Case, signal: &Signal, now: Instant) {
        let task = case.asks().get(&signal.ask).and_then(Ask::task);
        let place = match self.rows.iter().position(|row| row.ask == signal.ask) {
            Some(place) => place,
            // Who is asked anew does not also stand there as having answered.
            None => {
                self.rows.retain(|row| row.who != signal.who || !row.state.is_over());
                let (ask, who) = (signal.ask, signal.who.clone());
                self.rows.push(BoardRow { ask, who, task, since: now, state: SeatActivity::Thinking });
                self.rows.len() - 1
            }
        };
        let row = &mut self.rows[place];
        row.task = row.task.or(task);
        row.state = match &signal.live {
            AskProgress::Started => SeatActivity::Thinking,
            AskProgress::Retrying { cause, wait_ms } => SeatActivity::Retrying {
                at: now + Duration::from_millis(*wait_ms),
                code: short_code(&cause.code),
            },
            AskProgress::Writing { tokens, line } => {
                SeatActivity::Writing { tokens: *tokens, line: line.clone() }
            }
            AskProgress::Tool { name } => SeatActivity::UsingTool(name.clone()),
            // Its record may have come before this signal, and says more.
            AskProgress::Answered | AskProgress::Failed { .. } if row.state.is_over() => return,
            AskProgress::Answered => SeatActivity::Answered("answered".into()),
            AskProgress::Failed { cause } => {
                SeatActivity::Failed(format!("did not answer ({})", short_code(&cause.code)))
            }
        };
    }

    /// Takes in what was recorded; `is_shown`: everybody here may see it.
    pub(super) fn event(&mut self, case: &Case, event: &Event, is_shown: bool) {
        let options = case.opening.question.options.len();
        match event {
            Event::Gate(gate::Event::Admitted(said)) => {
                let words = if is_shown { answered(said, options) } else { "answered".into() };
                self.finish(&said.who, SeatActivity::Answered(words));
            }
            Event::Ballot(ballot::Event::Cast { vote, .. }) => {
                let words = match is_shown {
                    true => format!("voted {}{}", vote.spelled(options), sure(vote.confidence)),
                    false => "voted".into(),
                };
                self.finish(&vote.who, SeatActivity::Answered(words));
            }
            Event::Ballot(ballot::Event::Delegated { delegation, .. }) => {
                let words = if is_shown { "delegated its vote" } else { "voted" };
                self.finish(&delegation.who, SeatActivity::Answered(words.into()));
            }
            Event::Ask(ask::Event::Lapsed { ask, cause, .. }) => {
                if let Some(row) = self.rows.iter_mut().find(|row| row.ask == *ask) {
                    row.state = SeatActivity::Failed(format!("did not answer ({})", short_code(&cause.code)));
                }
            }
            Event::Floor(floor::Event::RoundOpened { .. })
            | Event::Ballot(ballot::Event::Opened { .. })
            | Event::Matter(matter::Event::StageEntered { .. } | matter::Event::Settled { .. }) => {
                self.rows.retain(|row| !row.state.is_over());
            }
            Event::Matter(matter::Event::Paused { .. }) => self.rows.clear(),
            Event::House(_) | Event::Charter(_) | Event::Roster(_) | Event::Matter(_) => (),
            Event::Floor(_) | Event::Gate(_) | Event::Ballot(_) | Event::Meter(_) => (),
            Event::Ask(_) | Event::Context(_) | Event::Monitor(_) | Event::Rejections(_) => (),
            Event::Track(_) | Event::Trigger(_) | Event::Table(_) | Event::Watch(_) => (),
            Event::Issue(_) | Event::Dissent(_) | Event::Period(_) => (),
            Event::Evidence(_) | Event::Ledger(_) => (),
            Event::Canon(_) | Event::Lease(_) => (),
        }
    }

    fn finish(&mut self, who: &Who, state: SeatActivity) {
        if let Some(row) = self.rows.iter_mut().rev().find(|row| row.who == *who) {
            row.state = state;
        }
    }

    /// The block: nothing while nobody is at work.
    pub(super) fn lines(&mut self, look: &Onlookers<'_>, now: Instant, most: usize) -> Vec<BoardLine> {
        // A signal may be lost; what is open is known for sure.
        let is_open = |row: &BoardRow| look.case.asks().contains_key(&row.ask);
        self.rows.retain(|row| row.state.is_over() || is_open(row));
        if self.rows.iter().all(|row| row.state.is_over()) {
            return Vec::new();
        }
        let sees_all = self.rows.iter().all(|row| look.sees_seat(&row.who, row.task));
        let mut lines = match sees_all {
            true => self.seats(look, now, most),
            false => Vec::new(),
        };
        lines.extend(footer(look, most));
        lines
    }

    fn seats(&self, look: &Onlookers<'_>, now: Instant, most: usize) -> Vec<BoardLine> {
        let names: Vec<String> =
            self.rows.iter().map(|row| cut(&out::clean(&look.name(&row.who)), NAME_MOST)).collect();
        let wide = names.iter().map(|name| width(name)).max().unwrap_or(0);
        let line = |(row, name): (&BoardRow, &String)| {
            let pad = " ".repeat(wide - width(name) + 2);
            let mut parts = vec![(Paint::Plain, "   ".into()), (Paint::Name, name.clone())];
            parts.push((Paint::Plain, pad));
            parts.extend(row.parts(look, now));
            BoardLine::new(parts, most)
        };
        self.rows.iter().zip(&names).map(line).collect()
    }
}

impl BoardRow {
    fn parts(&self, look: &Onlookers<'_>, now: Instant) -> Vec<(Paint, String)> {
        let seconds = now.saturating_duration_since(self.since).as_secs();
        match &self.state {
            SeatActivity::Thinking => vec![(Paint::Faint, format!("{} for {seconds} s", self.doing()))],
            SeatActivity::Retrying { at, code } => match at.saturating_duration_since(now).as_millis() {
                0 => vec![(Paint::Waits, format!("retrying, {seconds} s so far ({code})"))],
                left => vec![(Paint::Waits, format!("retrying in {} s ({code})", left.div_ceil(1000)))],
            },
            SeatActivity::Writing { tokens, line } => {
                let mut parts =
                    vec![(Paint::Plain, format!("writing for {seconds} s, about {tokens} tokens"))];
                if let Some(line) = line.as_ref().filter(|_| look.sees_writing(self.ask)) {
                    parts.push((Paint::Faint, format!(": {}", look.words(line))));
                }
                parts
            }
            SeatActivity::UsingTool(name) => {
                vec![(Paint::Plain, format!("using {name}, {seconds} s so far"))]
            }
            SeatActivity::Answered(words) => vec![(Paint::Good, words.clone())],
            SeatActivity::Failed(words) => vec![(Paint::Bad, words.clone())],
        }
    }

    /// What is done while nothing is heard.
    fn doing(&self) -> &'static str {
        match self.task {
            Some(Task::Clerk(Chore::Synthesise)) => "writing the summary",
            Some(Task::Clerk(Chore::Judge { .. })) => "judging",
            Some(Task::Clerk(Chore::Digest { .. })) => "summarizing",
            Some(Task::Clerk(Chore::Merge)) => "comparing answers",
            Some(Task::Clerk(Chore::Perspectives)) => "naming perspectives",
            Some(Task::Speak { .. } | Task::Vote { .. } | Task::Join | Task::Propose | Task::Weigh)
            | Some(Task::Second)
            | None => "thinking",
        }
    }
}

/// How many have answered, and what was spent.
fn footer(look: &Onlookers<'_>, most: usize) -> Option<BoardLine> {
    // What an answer took can give away whose it is.
    let spent = look.may_see(Item::Calls).then(|| spent(&look.case.meter.spent()));
    let spent = spent.filter(|spent| !spent.is_empty()).map(|spent| format!("so far {spent}"));
    let parts: Vec<String> = look.count().into_iter().chain(spent).collect();
    (!parts.is_empty())
        .then(|| BoardLine::new(vec![(Paint::Faint, format!("   {}", parts.join("; ")))], most))
}

/// Tokens and money so far; empty if nothing was reported.
fn spent(spent: &Total) -> String {
    let mut parts = Vec::new();
    if spent.tokens_in + spent.tokens_out > 0 {
        parts.push(format!("{} tokens read, {} written", spent.tokens_in, spent.tokens_out));
    }
    match (spent.cost, spent.unpriced) {
        (Nano(0), 0) => (),
        (cost, 0) => parts.push(cost.to_string()),
        (Nano(0), _) => parts.push("an unknown price".into()),
        (cost, _) => parts.push(format!("at least {cost}")),
    }
    parts.join(", ")
}

fn answered(said: &Contribution, options: usize) -> String {
    let sure = sure(said.response.confidence);
    match (&said.kind, said.response.stance) {
        (ContributionKind::Statement, Some(stance)) => format!("answered {}{sure}", stance.word(options)),
        (ContributionKind::Statement, None) => format!("answered{sure}"),
        (ContributionKind::Answer | ContributionKind::Estimate, _) => {
            format!("answered {}", text::one_line(said.text()))
        }
        (
            ContributionKind::Opinion
            | ContributionKind::Question
            | ContributionKind::Synthesis
            | ContributionKind::Reaction(_)
            | ContributionKind::Comment(_),
            _,
        )
        | (ContributionKind::Proposal { .. } | ContributionKind::Amendment { .. }, _) => "spoke".into(),
    }
}

fn sure(confidence: Option<Permille>) -> String {
    confidence.map(|sure| format!(" {sure}")).unwrap_or_default()
}

/// A code without the part that names who reports it.
fn short_code(code: &str) -> String {
    code.strip_prefix("backend/").unwrap_or(code).to_string()
}
