//! The plan: what a debate can use at most, shown before it starts.

use serde::Serialize;
use synod_core::brief::{self, Filling, Form};
use synod_core::charter::Charter;
use synod_core::kernel::{Nano, Seat, SeatKind, text};
use synod_core::matter::{Question, SummaryBy};

use crate::context::{CHARS_PER_TOKEN, Size};
use crate::seats::SeatTable;
use crate::warnings::{Warning, warnings};

/// Characters of one statement as others see it, for the estimate.
const STATEMENT: u64 = 900;
/// Characters of what is asked of one seat in one round.
const OWN: u64 = 800;

/// What a debate can use.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Plan {
    /// Calls if the first vote settles it.
    pub(crate) calls_least: u64,
    /// Calls if every round is used, retries aside.
    pub(crate) calls_most: u64,
    /// Tokens read at the most, about.
    pub(crate) tokens_in: u64,
    /// Tokens written at the most.
    pub(crate) tokens_out: u64,
    /// Maximum price; `None` if the price of a model is unknown.
    pub(crate) cost_most: Option<Nano>,
    /// Models with an unknown price.
    pub(crate) unpriced: Vec<String>,
    /// Every host that is sent anything and every program that is run, each once. Recorded with the opening.
    pub(crate) reaches: Vec<String>,
    /// What the council is given to read.
    pub(crate) context: Size,
    /// What tends to spoil a result. Recorded nowhere.
    pub(crate) warnings: Vec<Warning>,
}

/// Whether a summary is asked for at the end: by name of anyone, else of a model or a program only.
pub(crate) fn sums_up(synthesis: Option<&SummaryBy>, table: &SeatTable) -> bool {
    let reasons = |seat: &Seat| matches!(seat.kind, SeatKind::Model | SeatKind::CommandLine);
    match synthesis {
        Some(SummaryBy::Auto) => table.seats.iter().chain(&table.scribe).any(reasons),
        Some(SummaryBy::Seat(_)) => true,
        None => false,
    }
}

/// Plans a debate; `material` is how many characters every seat is given to read.
pub(crate) fn plan(
    charter: &Charter,
    question: &Question,
    table: &SeatTable,
    synthesis: bool,
    material: u64,
) -> Plan {
    let seats = table.seats.len() as u64;
    let (calls_least, calls_most) = charter.calls(seats);
    let options = question.options.len();
    let (stable, history) = match charter.council() {
        Some(council) => {
            // A vote asks for less than a statement, so the plan counts the longer of the two.
            let form = Form::speech(options, &council.brief.later);
            let ground = brief::Ground {
                topic: &question.topic,
                options: &question.options,
                must: &question.must,
                members: "",
                parts: &council.brief.parts,
                words: council.turn.words.is,
            };
            let text = brief::stable(&council.brief, true, (Filling::Later, &form), ground);
            (text.chars().count() as u64, council.turn.history_chars.is)
        }
        // Nobody is called in a ring.
        None => (0, 0),
    };
    let history = (seats * STATEMENT * 2).min(history);
    let per_call = (stable + material + history + OWN).div_ceil(CHARS_PER_TOKEN);
    let per_seat = calls_most.div_ceil(seats.max(1));
    let mut plan = Plan {
        calls_least,
        calls_most,
        tokens_in: 0,
        tokens_out: 0,
        cost_most: Some(Nano(0)),
        unpriced: Vec::new(),
        reaches: reaches(table),
        context: Size::default(),
        warnings: warnings(charter, question, table),
    };
    // Judges and the scribe are asked at most once a round, the author of a summary once.
    let (rounds_least, rounds_most) = charter.rounds();
    let judges = table.judges.len() as u64;
    let scribes = u64::from(table.scribe.is_some());
    plan.calls_least += judges * rounds_least;
    plan.calls_most += (judges + scribes) * rounds_most + u64::from(synthesis);
    for seat in table.everyone() {
        let votes_not = !table.seats.iter().any(|known| known.who == seat.who);
        let per_seat = if votes_not { rounds_most } else { per_seat + u64::from(synthesis) };
        let Some(face) = table.face(seat).filter(|face| face.metered) else { continue };
        plan.tokens_in += per_seat * per_call;
        plan.tokens_out += per_seat * face.output_most;
        match face.price {
            Some(price) => {
                let cost = price.most(per_call, face.output_most);
                plan.cost_most =
                    plan.cost_most.map(|sum| Nano(sum.0.saturating_add(cost.0.saturating_mul(per_seat))));
            }
            None => {
                plan.cost_most = None;
                let model = face.model.clone().unwrap_or_else(|| face.spec.clone());
                if !plan.unpriced.contains(&model) {
                    plan.unpriced.push(model);
                }
            }
        }
    }
    plan
}

/// What the seats of a table reach, each once and in the order of the seats.
pub(crate) fn reaches(table: &SeatTable) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for reached in table.everyone().filter_map(|seat| table.face(seat)?.reaches.clone()) {
        if !all.contains(&reached) {
            all.push(reached);
        }
    }
    all
}

impl Plan {
    /// What is sent where and run, in one line; none if nothing is.
    pub(crate) fn reaches(&self) -> Option<String> {
        let (programs, hosts): (Vec<&String>, Vec<&String>) =
            self.reaches.iter().partition(|reached| reached.starts_with("program "));
        let list = |all: &[&String]| all.iter().map(|one| text::one_line(one)).collect::<Vec<_>>().join(", ");
        let programs: Vec<String> = programs
            .iter()
            .map(|one| text::excerpt(&text::one_line(&one["program ".len()..]), 80).to_string())
            .collect();
        match (hosts.is_empty(), programs.is_empty()) {
            (true, true) => None,
            (false, true) => Some(format!("sends to {}", list(&hosts))),
            (true, false) => Some(format!("runs {}", programs.join("; "))),
            (false, false) => Some(format!("sends to {}; runs {}", list(&hosts), programs.join("; "))),
        }
    }

    /// The warnings, a line each.
    pub(crate) fn warnings(&self) -> impl Iterator<Item = String> {
        self.warnings.iter().map(|warning| format!("warning: {}", warning.message))
    }

    /// One line for people.
    pub(crate) fn line(&self) -> String {
        let calls = match (self.calls_least, self.calls_most) {
            (least, most) if least == most => text::counted(most, "call"),
            (least, most) => format!("{least} to {most} calls"),
        };
        if self.tokens_in == 0 {
            return format!("{calls}, nothing leaves this machine");
        }
        let cost = match self.cost_most {
            Some(Nano(0)) => "free".into(),
            Some(cost) => format!("at most {cost}"),
            None => format!("unknown price for {}", self.unpriced.join(", ")),
        };
        format!(
            "{calls}, at most about {} tokens read and {} written, {cost}",
            self.tokens_in, self.tokens_out
        )
    }
}
