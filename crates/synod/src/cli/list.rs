//! `synod list`

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use synod_core::House;
use synod_core::house::Case;
use synod_core::kernel::{Who, text};
use synod_core::matter::Status;
use synod_core::view::Row;

use super::Context;
use super::when::{self, When};
use crate::fail::{Fail, Result, code};
use crate::house::{charter_names, runs};
use crate::out;

/// List matters, oldest first.
///
/// With several filters, a matter is listed if it meets all of them.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod list --open\n  synod list --status waiting --contains billing --since 2026-11-01"
)]
pub(crate) struct List {
    /// Only matters that are not over.
    #[arg(long)]
    open: bool,
    /// Only matters with this status (repeatable).
    #[arg(long, value_name = "STATUS", value_parser = statuses())]
    status: Vec<String>,
    /// Only matters under the charter with this name.
    #[arg(long, value_name = "NAME")]
    charter: Option<String>,
    /// Only matters that this participant has a seat in.
    #[arg(long, value_name = "NAME")]
    seat: Option<String>,
    /// Only matters whose topic contains this text (ignores case).
    #[arg(long, value_name = "TEXT")]
    contains: Option<String>,
    /// Only matters opened on this day or later: 2026-01-31 (UTC), or 2026-01-31T08:30:00Z.
    #[arg(long, value_name = "DATE", value_parser = when::parse)]
    since: Option<When>,
    /// Only matters opened on this day or earlier.
    #[arg(long, value_name = "DATE", value_parser = when::parse)]
    until: Option<When>,
    /// Only the newest N.
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..))]
    limit: Option<u32>,
}

/// The words for the status of a matter.
fn statuses() -> PossibleValuesParser {
    let words =
        ["running", "waiting", "paused", "interrupted", "passed", "rejected", "undecided", "contested"];
    let needs = PossibleValue::new("needs_context").alias("needs-context");
    PossibleValuesParser::new(words.into_iter().map(PossibleValue::new).chain([needs]))
}

impl List {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let (house, held) = context.house.look()?;
        let wanted = Wanted::of(&self, &house, context.house.dir())?;
        let cases = house.cases().filter(|case| wanted.has(case));
        let mut rows: Vec<Row> = cases.map(|case| Row::of(case).stands(runs(case, held))).collect();
        rows.retain(|row| wanted.stands(row.status));
        rows.drain(..rows.len().saturating_sub(self.limit.map_or(usize::MAX, |most| most as usize)));
        if context.json {
            out::json(&rows);
            return Ok(ExitCode::SUCCESS);
        }
        if rows.is_empty() && house.cases().next().is_none() {
            out::line("no matters yet; `synod debate \"…\"` opens one");
        } else if rows.is_empty() {
            out::line("no matter matches; `synod list` shows all of them");
        }
        for row in &rows {
            let topic = out::clean(&text::excerpt(&text::one_line(&row.topic), 60));
            out::line(&format!(
                "{:>4}  {:<7} {:<13}  {:<14} {} seats  {}  {topic}",
                row.number,
                row.matter.to_string(),
                row.status,
                row.charter,
                row.seats,
                row.opened
            ));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The filters, as they are understood.
struct Wanted<'a> {
    list: &'a List,
    seat: Option<Who>,
    /// Folded.
    contains: Option<String>,
}

impl<'a> Wanted<'a> {
    /// Unknown names are refused: an empty list would hide a typing error.
    fn of(list: &'a List, house: &House, dir: &Path) -> Result<Self> {
        if let Some(charter) = &list.charter {
            let mut known: BTreeSet<String> = charter_names(dir).into_iter().collect();
            known.extend(house.cases().map(|case| case.opening.charter.name.clone()));
            one_of("charter", charter, known.contains(charter), known.iter().map(String::as_str))?;
        }
        let seat = list.seat.as_deref().map(Who::parse).transpose().map_err(Fail::usage)?;
        if let (Some(seat), Some(written)) = (&seat, &list.seat) {
            let seats = house.cases().flat_map(|case| &case.opening.seats);
            let known: BTreeSet<&Who> = seats.map(|seat| &seat.who).collect();
            one_of("seat", written, known.contains(seat), known.iter().map(|who| who.as_str()))?;
        }
        let contains = list.contains.as_deref().map(text::fold);
        if contains.as_deref() == Some("") {
            return Err(Fail::usage("--contains is empty: give a word from the topic"));
        }
        if let (Some(since), Some(until)) = (list.since, list.until)
            && since.from > until.to
        {
            return Err(Fail::usage("--since is later than --until, so no matter can match"));
        }
        Ok(Self { list, seat, contains })
    }

    fn has(&self, case: &Case) -> bool {
        let opening = &case.opening;
        (!self.list.open || !matches!(case.status(), Status::Settled(_)))
            && self.list.charter.as_ref().is_none_or(|name| opening.charter.name == *name)
            && self.seat.as_ref().is_none_or(|who| case.seat(who).is_some())
            && self.contains.as_ref().is_none_or(|words| text::fold(&opening.question.topic).contains(words))
            && self.list.since.is_none_or(|since| case.opened >= since.from)
            && self.list.until.is_none_or(|until| case.opened <= until.to)
    }

    fn stands(&self, status: &str) -> bool {
        let word = |wanted: &String| wanted.replace('-', "_") == status;
        self.list.status.is_empty() || self.list.status.iter().any(word)
    }
}

/// Refuses an unknown name, and lists the known ones.
fn one_of<'a>(
    what: &str,
    written: &str,
    known: bool,
    names: impl Iterator<Item = &'a str> + Clone,
) -> Result<()> {
    if known {
        return Ok(());
    }
    let near = text::nearest(written, names.clone()).map(|near| format!(" Did you mean `{near}`?"));
    let names = names.collect::<Vec<_>>().join(", ");
    let message = format!("unknown {what} `{written}`.{} Known: {names}", near.unwrap_or_default());
    Err(Fail::new(code::USAGE, &format!("{what}/unknown"), message))
}
