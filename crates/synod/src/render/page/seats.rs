//! Who took part, where each stood round by round, and what each rests on.

use synod_core::kernel::text::one_line;
use synod_core::view::{Report, SeatPosition, SeatStand, SourceRow};

use super::super::{ballots, words};
use super::{Grid, Page, PageBlock, Tone};

impl Page {
    pub(super) fn seats(&mut self, report: &Report, short: bool) {
        if short {
            self.grid(report);
        }
        let row = |row: &synod_core::view::SeatReport| {
            let mut part = words::part(report, row);
            part.extend(row.seat.persona.as_deref().map(|persona| format!("persona: {}", one_line(persona))));
            vec![
                row.seat.name.clone(),
                row.seat.kind.to_string(),
                row.seat.backend.clone(),
                if row.answered_by.is_empty() { "not reported".into() } else { row.answered_by.join(", ") },
                part.join("; "),
                row.statements.to_string(),
                ballots::of_seat(report, row),
            ]
        };
        let head = &["seat", "kind", "backend", "answered by", "role", "statements", "vote"];
        self.0.push(PageBlock::Table(head, report.seats.iter().map(row).collect()));
        if !report.reserve.is_empty() {
            self.para(format!("In reserve, not asked: {}", words::names(report, &report.reserve)));
        }
        let clerk = |seat: &synod_core::kernel::Seat| {
            format!("{} = {}", words::name(report, &seat.who), seat.backend)
        };
        if !report.clerks.is_empty() {
            let clerks: Vec<String> = report.clerks.iter().map(clerk).collect();
            self.para(format!("Judges and scribes (no vote): {}", clerks.join(", ")));
        }
        report.stands_for().iter().for_each(|stand| self.stand(report, stand));
    }

    /// Where each seat stood, by round and vote.
    pub(super) fn grid(&mut self, report: &Report) {
        let stands = report.stands_for();
        let columns = columns(report);
        if columns.is_empty() || report.ring.is_some() {
            return;
        }
        self.heading(2, "Where the seats stood");
        let row = |stand: &SeatStand<'_>| {
            let cell = |column: &String| match stand.path.iter().find(|step| step.when == *column) {
                Some(step) if step.side.is_none() => {
                    let mut said = report.rounds.iter().flat_map(|round| &round.said);
                    let said = said
                        .find(|said| said.who == *stand.who && format!("round {}", said.round) == *column);
                    (Tone::None, said.map_or("unknown".into(), |said| words::stance(report, said)))
                }
                Some(step) => (Tone::of(step.side), stood(report, step)),
                None => (Tone::None, "–".to_string()),
            };
            (words::name(report, stand.who), columns.iter().map(cell).collect())
        };
        let rows = stands.iter().map(row).collect();
        self.0.push(PageBlock::Grid(Grid { head: columns, rows }));
    }

    fn stand(&mut self, report: &Report, stand: &SeatStand<'_>) {
        if stand.position.is_none() && stand.sources.is_empty() && stand.files.is_empty() {
            return;
        }
        self.heading(3, words::name(report, stand.who));
        let position = match stand.assigned {
            None => "Last position".to_string(),
            Some(side) => format!("Last position, assigned to argue {}", words::side(report, side)),
        };
        self.labelled(&position, stand.position);
        self.points("Key points", stand.key_points.iter().cloned());
        for step in stand.path.iter().filter(|step| step.changed_from.is_some()) {
            let from = step.changed_from.map(|from| words::side(report, from)).unwrap_or_default();
            let to = step.side.map(|side| words::side(report, side)).unwrap_or_default();
            let argument = step.argument.unwrap_or("(no argument named)");
            self.labelled(&format!("Moved from {from} to {to} in {}", step.when), Some(argument));
        }
        self.points("Sources it named", stand.sources.iter().map(|source| words::citation(source)));
        self.points("Files read for it", stand.files.iter().map(|file| read(file)));
    }
}

/// Rounds and votes, in the order they were held.
fn columns(report: &Report) -> Vec<String> {
    let mut columns: Vec<(u32, String)> =
        report.rounds.iter().map(|round| (round.round, format!("round {}", round.round))).collect();
    // Votes that are statements stand in the column of their round already.
    for ballot in report.ballots.iter().filter(|ballot| ballot.votes.iter().any(|vote| vote.stated.is_none()))
    {
        let place = columns.iter().position(|(round, _)| *round > ballot.after_round);
        columns.insert(place.unwrap_or(columns.len()), (ballot.after_round, ballot.stage.clone()));
    }
    columns.into_iter().map(|(_, column)| column).collect()
}

/// `YES 0.90, changed`.
fn stood(report: &Report, step: &SeatPosition<'_>) -> String {
    let side = step.side.map_or("unknown".into(), |side| match step.vote {
        true => words::ballot_word(report, side),
        false => words::side(report, side),
    });
    let sure = step.confidence.map(|sure| format!(" {sure}")).unwrap_or_default();
    let changed = if step.changed_from.is_some() { ", changed" } else { "" };
    let ordered = words::assigned(report, step);
    format!("{side}{sure}{changed}{ordered}")
}

fn read(file: &SourceRow) -> String {
    let SourceRow { path, from, to, of, .. } = file;
    format!("{path}, lines {from} to {to} of {of}")
}
