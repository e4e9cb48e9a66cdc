//! Which matter a command is about, as people write it: its running number (`3`), its id (`m57`), or `last`.
//!
//! Finds a matter in a house on this machine or behind a service. It never opens or changes one.

use std::fmt;
use std::str::FromStr;

use synod_core::House;
use synod_core::kernel::MatterId;
use synod_core::matter::Status;

use crate::client::Client;
use crate::fail::{Fail, Result, code};
use crate::house::Looked;
use crate::wire::{MatterPage, MatterRow};

/// A matter as it is written on a command line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum MatterArg {
    /// The newest one.
    Last,
    /// By its running number.
    Number(u64),
    /// By its id.
    Id(MatterId),
}

impl FromStr for MatterArg {
    type Err = String;

    fn from_str(written: &str) -> std::result::Result<Self, String> {
        if written.eq_ignore_ascii_case("last") {
            return Ok(Self::Last);
        }
        // Issues are cited as `#3`, so they may be named so.
        if let Ok(number) = written.strip_prefix('#').unwrap_or(written).parse() {
            return Ok(Self::Number(number));
        }
        written.parse().map(Self::Id).map_err(|_| {
            format!(
                "`{written}` is not a matter: write its number (3), its id (m57) or `last`; `synod list` shows them"
            )
        })
    }
}

impl fmt::Display for MatterArg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Last => f.write_str("last"),
            Self::Number(number) => number.fmt(f),
            Self::Id(id) => id.fmt(f),
        }
    }
}

impl From<MatterId> for MatterArg {
    fn from(id: MatterId) -> Self {
        Self::Id(id)
    }
}

/// Finds a matter in a house and sees to it that it is here; the newest one if none is named.
pub(crate) fn pick(house: &mut Looked, wanted: Option<MatterArg>) -> Result<MatterId> {
    let matter = find(house, wanted)?;
    house.bring(matter)?;
    Ok(matter)
}

/// Finds a matter in a house, here or away; the newest one if none is named.
pub(crate) fn find(house: &House, wanted: Option<MatterArg>) -> Result<MatterId> {
    let found = match wanted {
        None | Some(MatterArg::Last) => {
            return house.summaries().next_back().map(|matter| matter.id).ok_or_else(no_matter);
        }
        Some(MatterArg::Number(number)) => house.summaries().find(|matter| matter.number == number),
        Some(MatterArg::Id(id)) => house.summary(id),
    };
    found.map(|matter| matter.id).ok_or_else(|| {
        let old = wanted.and_then(act_based).filter(|id| house.knows(*id));
        unknown(wanted, old)
    })
}

/// The same for commands that need a matter that is not over: the newest of those if none is named.
pub(crate) fn pick_open(house: &mut Looked, wanted: Option<MatterArg>) -> Result<MatterId> {
    match wanted {
        Some(MatterArg::Number(_) | MatterArg::Id(_)) => pick(house, wanted),
        None | Some(MatterArg::Last) => {
            let mut open = house.cases().filter(|case| !matches!(case.status(), Status::Settled(_)));
            open.next_back().map(|case| case.id).ok_or_else(|| {
                let message = "no matter is open in this house; `synod list` shows all of them";
                Fail::new(code::NO_INPUT, "matter/none-open", message)
            })
        }
    }
}

/// The same behind a service.
pub(crate) async fn pick_open_at(client: &Client, wanted: Option<MatterArg>) -> Result<MatterId> {
    match wanted {
        Some(MatterArg::Number(_) | MatterArg::Id(_)) => pick_at(client, wanted).await,
        None | Some(MatterArg::Last) => newest(client, "open=true&").await?.ok_or_else(|| {
            let message = "no matter of this service is open; `synod list` shows all of them";
            Fail::new(code::NO_INPUT, "matter/none-open", message)
        }),
    }
}

/// Finds a matter behind a service; the newest one the caller may see if none is named.
pub(crate) async fn pick_at(client: &Client, wanted: Option<MatterArg>) -> Result<MatterId> {
    match wanted {
        // The service itself says whether it knows the id.
        Some(MatterArg::Id(id)) => Ok(id),
        None | Some(MatterArg::Last) => newest(client, "").await?.ok_or_else(no_matter),
        Some(MatterArg::Number(number)) => {
            let here = |row: &MatterRow| row.number == number;
            let rows = rows(client, here).await?;
            rows.iter().find(|row| here(row)).map(|row| row.matter).ok_or_else(|| {
                let old = act_based(MatterArg::Number(number));
                let old = old.filter(|old| rows.iter().any(|row| row.matter == *old));
                unknown(wanted, old)
            })
        }
    }
}

/// The newest matter of a service that passes a filter.
async fn newest(client: &Client, filter: &str) -> Result<Option<MatterId>> {
    let page: MatterPage = client.get(&format!("/v1/matters?{filter}newest=true&limit=1")).await?;
    Ok(page.matters.first().map(|row| row.matter))
}

/// The matters of a service, oldest first, page by page until one is the row that is looked for.
async fn rows(client: &Client, found: impl Fn(&MatterRow) -> bool) -> Result<Vec<MatterRow>> {
    let mut all = Vec::new();
    let mut after = String::new();
    loop {
        let page: MatterPage = client.get(&format!("/v1/matters?limit=500{after}")).await?;
        all.extend(page.matters);
        match page.next {
            Some(next) if !all.iter().any(&found) => after = format!("&after={next}"),
            Some(_) | None => return Ok(all),
        }
    }
}

/// The id somebody may have meant who wrote a plain number.
fn act_based(wanted: MatterArg) -> Option<MatterId> {
    match wanted {
        MatterArg::Number(number) => format!("m{number}").parse().ok(),
        MatterArg::Last | MatterArg::Id(_) => None,
    }
}

fn unknown(wanted: Option<MatterArg>, meant: Option<MatterId>) -> Fail {
    let name = match wanted {
        Some(MatterArg::Number(number)) => number.to_string(),
        Some(MatterArg::Id(id)) => id.to_string(),
        None | Some(MatterArg::Last) => "last".into(),
    };
    let near = meant.map(|id| format!(" Did you mean the id `{id}`?")).unwrap_or_default();
    let message = format!("there is no matter {name} in this house; `synod list` shows all matters.{near}");
    Fail::new(code::NO_INPUT, "matter/unknown", message)
}

/// The house has no matter at all.
pub(crate) fn no_matter() -> Fail {
    Fail::new(code::NO_INPUT, "matter/none", "this house has no matter yet; `synod debate \"…\"` opens one")
}

/// What people call a matter: its running number.
pub(crate) fn number(house: &House, matter: MatterId) -> u64 {
    house.summary(matter).map_or(0, |matter| matter.number)
}
