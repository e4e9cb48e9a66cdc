//! `synod matter list`

use std::process::ExitCode;

use clap::Args;
use synod_core::kernel::text;
use synod_core::matter::Status;
use synod_core::view::Row;
use synod_journal::holder;

use super::Context;
use crate::fail::Result;
use crate::out;

/// List the matters of the house.
#[derive(Debug, Args)]
pub(crate) struct List {
    /// Only matters that are not over.
    #[arg(long)]
    open: bool,
}

impl List {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        let (house, _) = context.house.read()?;
        let held = holder(context.house.dir()).is_some();
        let cases = house.cases().filter(|case| !self.open || !matches!(case.status(), Status::Settled(_)));
        let rows: Vec<Row> = cases.map(Row::of).map(|row| truly(row, held)).collect();
        if context.json {
            out::json(&rows);
            return Ok(ExitCode::SUCCESS);
        }
        if rows.is_empty() {
            out::line("no matters; `synod debate \"…\"` opens one");
        }
        for row in &rows {
            let topic = out::clean(&text::excerpt(&text::one_line(&row.topic), 60));
            out::line(&format!(
                "{:>6}  {:<11}  {:<14} {} seats  {}  {topic}",
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

/// A matter that the journal calls running runs only while somebody holds the house.
fn truly(mut row: Row, held: bool) -> Row {
    if row.status == "running" && !held {
        row.status = "interrupted";
    }
    row
}
