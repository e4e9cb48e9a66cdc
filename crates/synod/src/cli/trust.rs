//! `synod trust`

use std::collections::BTreeSet;
use std::process::ExitCode;

use clap::Args;
use serde_json::json;
use synod_core::kernel::Seat;
use synod_core::kernel::text::counted;
use synod_minds::Spec;

use super::Context;
use crate::casting::settings;
use crate::fail::{Fail, Result, code};
use crate::http::is_outside;
use crate::out;
use crate::seats::{own_backends, serving};
use crate::tokens::TokenFile;
use crate::trust::{StoredConsent, Want, asked, can_ask, is_kept, record};

/// Allow the programs, servers and keys that this house names.
///
/// A house that you copied or cloned may name programs to run and servers that get your keys: in seats.toml, in
/// providers.toml, or in its record. Synod uses none of them until you agree. This command shows them and saves your consent
/// in ~/.local/state/synod/trusted (or below XDG_STATE_HOME), never in the house. At a terminal it asks first. If
/// anything changes, you are asked again. Seats that you type yourself need no consent.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  synod trust --list\n  synod trust\n  synod trust --revoke")]
pub(crate) struct TrustHouseArgs {
    /// Only show what this house asks for and which houses are trusted.
    #[arg(long, conflicts_with = "revoke")]
    list: bool,
    /// Take back all consent for this house.
    #[arg(long)]
    revoke: bool,
}

impl TrustHouseArgs {
    pub(crate) fn run(self, context: &Context) -> Result<ExitCode> {
        context.house.check()?;
        let mut kept = StoredConsent::of(context.house.dir())?;
        if self.revoke {
            let gone = kept.revoke()?;
            match context.json {
                true => out::json(&json!({ "revoked": gone })),
                false => out::line(&format!("{} taken back", counted(gone as u64, "consent"))),
            }
            return Ok(ExitCode::SUCCESS);
        }
        let wants = wants(context)?;
        if !self.list {
            let missing: Vec<&Want> = wants.iter().filter(|want| !is_kept(&kept, want)).collect();
            if !missing.is_empty()
                && can_ask()
                && !asked(context.house.dir(), &kept, missing.iter().copied())?
            {
                return Err(Fail::new(code::UNAVAILABLE, "house/untrusted", "nothing was allowed"));
            }
            record(&mut kept, missing)?;
        }
        show(context, &kept, &wants, self.list);
        Ok(ExitCode::SUCCESS)
    }
}

/// Everything in the house that needs consent: its files and its record.
fn wants(context: &Context) -> Result<BTreeSet<Want>> {
    let dir = context.house.dir();
    let settings = settings(dir)?;
    let mut backends = own_backends(dir)?;
    if dir.join("journal.db").exists() {
        let (house, _) = context.house.read()?;
        let mut add = |seats: &[Seat]| {
            let inside = seats.iter().filter(|seat| !is_outside(seat));
            backends.extend(inside.filter_map(|seat| Spec::parse(&seat.backend).ok()));
        };
        add(&house.roster().seats().cloned().collect::<Vec<_>>());
        // Seats of an older matter may have been others of the same name.
        for matter in house.summaries().map(|known| known.id).collect::<Vec<_>>() {
            add(&serving(&*house.load(matter)?));
        }
    }
    let now = synod_engine::now();
    let tokens = TokenFile::load(dir)?.tokens;
    let good = tokens.iter().filter(|token| token.stands(now) == "good").map(Want::of_token);
    let of_seats = backends.iter().filter_map(|spec| Want::of(spec, &settings));
    Ok(of_seats.chain(Want::of_settings(&settings)).chain(Want::of_prices(dir)).chain(good).collect())
}

fn show(context: &Context, kept: &StoredConsent, wants: &BTreeSet<Want>, all: bool) {
    if context.json {
        let rows = wants.iter().map(|want| json!({ "what": want.shown(), "trusted": is_kept(kept, want) }));
        let rows: Vec<_> = rows.collect();
        return out::json(&json!({ "house": context.house.dir(), "asks": rows, "houses": kept.houses() }));
    }
    if wants.is_empty() {
        out::line("this house names no program, server, key or token that needs your consent");
    }
    // Two backends may ask for the same thing, as people read it.
    let mut lines: Vec<String> = Vec::new();
    for want in wants {
        let sign = if is_kept(kept, want) { "trusted    " } else { "not trusted" };
        let line = format!("{sign}  {}", want.shown());
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.iter().for_each(|line| out::line(line));
    if all && !kept.houses().is_empty() {
        out::line("\nhouses with your consent:");
        kept.houses().iter().for_each(|house| out::line(&format!("  {house}")));
    }
}
