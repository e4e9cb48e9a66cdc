//! `synod list`

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use serde::Serialize;
use synod_core::House;
use synod_core::house::Summary;
use synod_core::kernel::text::counted;
use synod_core::kernel::{Who, text};
use synod_core::view::{MatterLine, Report};
use synod_journal::mark;

use super::Context;
use super::when::{self, When};
use crate::fail::{Fail, Result, code};
use crate::house::charter_names;
use crate::matter_arg::{MatterArg, find};
use crate::out;
use crate::wire::CAVEATS_MOST;

/// List the newest matters, oldest first.
///
/// With several filters, a matter is listed if it meets all of them. Shows the newest 50 unless --limit or --all is given;
/// --before shows those before a matter.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  synod list --open\n  synod list --before 1200 --limit 100\n  synod list --status waiting --contains billing --since 2026-11-01"
)]
pub(crate) struct ListArgs {
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
    /// Only the newest N of those.
    #[arg(long, value_name = "N", default_value_t = PAGE, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..))]
    limit: u32,
    /// Show all of them.
    #[arg(long, conflicts_with = "limit")]
    all: bool,
    /// Only matters before this one: its number (3) or its id (m57).
    #[arg(long, value_name = "MATTER")]
    before: Option<MatterArg>,
}

/// So many are listed where nothing else is said.
const PAGE: u32 = 50;

/// The words for the status of a matter that is over.
const SETTLED: [&str; 7] =
    ["passed", "rejected", "undecided", "contested", "estimated", "resolved", "closed"];

/// The words for the status of a matter.
fn statuses() -> PossibleValuesParser {
    let open = ["running", "waiting", "listed", "paused", "interrupted", "open", "frozen"];
    let words = open.into_iter().chain(SETTLED);
    let needs = PossibleValue::new("needs_context").alias("needs-context");
    PossibleValuesParser::new(words.map(PossibleValue::new).chain([needs]))
}

impl ListArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let (house, held) = context.house.look()?;
        let wanted = ListFilter::of(&self, &house, context.house.dir())?;
        let before = self.before.map(|before| find(&house, Some(before))).transpose()?;
        // A ring runs also where nobody holds the house.
        let stalled = mark::stalled(context.house.dir()).is_some();
        let row =
            |known: &Summary| MatterLine::listed(&house, known).stands(held || (known.ring && !stalled));
        let listed = |known: &Summary| wanted.has(known) && wanted.stands(row(known).status);
        let of = house.summaries().filter(|known| before.is_none_or(|before| known.id < before));
        let fitting: Vec<_> = of.filter(|known| listed(known)).collect();
        let most = if self.all { usize::MAX } else { self.limit as usize };
        let left_out = fitting.len().saturating_sub(most);
        let shown = &fitting[left_out..];
        let rows: Vec<MatterLine> = shown.iter().map(|known| row(known)).collect();
        let looked_at = shown.len() <= CAVEATS_MOST;
        let caveats = |known: &Summary| house.load(known.id).ok().map(|case| Report::of(&case).caveats);
        let caveats: Vec<Option<Vec<String>>> =
            shown.iter().map(|known| looked_at.then(|| caveats(known)).flatten()).collect();
        if let (Some(first), 1..) = (rows.first(), left_out) {
            let (number, older) = (first.number, counted(left_out as u64, "older matter"));
            out::error(&format!("{older} not shown: add --before {number}, --limit N or --all"));
        }
        if context.json {
            let rows = rows.iter().zip(&caveats);
            let rows = rows.map(|(row, caveats)| ListedMatter { row, caveats: caveats.as_deref() });
            out::json(&rows.collect::<Vec<_>>());
            return Ok(ExitCode::SUCCESS);
        }
        if !looked_at {
            out::error(&format!(
                "[degraded] is not marked in lists of more than {CAVEATS_MOST}: use --limit"
            ));
        }
        if rows.is_empty() && house.matters() == 0 {
            out::line("no matters yet; `synod debate \"…\"` opens one");
        } else if rows.is_empty() {
            out::line("no matter matches; `synod list` shows all of them");
        }
        let coloured = out::takes_colour(&std::io::stdout());
        for (row, caveats) in rows.iter().zip(&caveats) {
            let topic = out::clean(&text::excerpt(&text::one_line(&row.topic), 60));
            let mark = mark(row, caveats.as_deref().unwrap_or_default());
            out::line(&format!(
                "{:>4}  {:<7} {}  {:<14} {:<8} {}  {mark}{topic}",
                row.number,
                row.matter.to_string(),
                painted(row, &mark, coloured),
                row.charter,
                text::counted(row.seats as u64, "seat"),
                row.opened
            ));
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// A row with what degrades its result.
#[derive(Serialize)]
struct ListedMatter<'a> {
    #[serde(flatten)]
    row: &'a MatterLine,
    /// Null if not looked at.
    caveats: Option<&'a [String]>,
}

/// The word before the topic of a result that is not what it seems. What is not over has no result yet, and of what was
/// deleted nothing is left to trust.
fn mark(row: &MatterLine, caveats: &[String]) -> String {
    let over = SETTLED.contains(&row.status);
    match (row.rehearsal, caveats.is_empty() || !over || row.redacted) {
        (true, _) => "[rehearsal] ".into(),
        (false, false) => "[degraded] ".into(),
        (false, true) => String::new(),
    }
}

/// The status in a column. Colour only repeats what the words say.
fn painted(row: &MatterLine, mark: &str, coloured: bool) -> String {
    let status = format!("{:<13}", row.status);
    let colour = match (row.status, mark.is_empty()) {
        (settled, false) if SETTLED.contains(&settled) => "33",
        ("passed", true) => "32",
        ("rejected", true) => "31",
        (_, _) => return status,
    };
    if coloured { format!("\u{1b}[{colour}m{status}\u{1b}[0m") } else { status }
}

/// The filters, as they are understood.
struct ListFilter<'a> {
    list: &'a ListArgs,
    seat: Option<Who>,
    /// Folded.
    contains: Option<String>,
}

impl<'a> ListFilter<'a> {
    /// Unknown names are refused: an empty list would hide a typing error.
    fn of(list: &'a ListArgs, house: &House, dir: &Path) -> Result<Self> {
        if let Some(charter) = &list.charter {
            let mut known: BTreeSet<String> = charter_names(dir).into_iter().collect();
            known.extend(house.summaries().map(|known| known.charter.to_string()));
            one_of("charter", charter, known.contains(charter), known.iter().map(String::as_str))?;
        }
        let seat = list.seat.as_deref().map(Who::parse).transpose().map_err(Fail::usage)?;
        if let (Some(seat), Some(written)) = (&seat, &list.seat) {
            let seats = house.summaries().flat_map(|known| known.seats.to_vec());
            let known: BTreeSet<Who> = seats.map(|(who, _)| who).collect();
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

    fn has(&self, known: &Summary) -> bool {
        (!self.list.open || !known.is_over())
            && self.list.charter.as_ref().is_none_or(|name| *known.charter == **name)
            && self.seat.as_ref().is_none_or(|who| known.seat(who).is_some())
            && self.contains.as_ref().is_none_or(|words| text::fold(&known.topic).contains(words))
            && self.list.since.is_none_or(|since| known.opened >= since.from)
            && self.list.until.is_none_or(|until| known.opened <= until.to)
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
