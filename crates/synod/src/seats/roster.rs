//! Rosters: files of members with rank, point of view, red lines and green lines, for parliaments. One comes with Synod.

use std::path::Path;
use std::sync::Arc;

use clap::Args;
use synod_core::charter::source::{self, Lined, SourceTable};
use synod_core::kernel::{Rank, SeatProfile, Who, text};
use synod_minds::Spec;

use super::{Configured, SeatArgs, SeatWishes, Wish};
use crate::fail::{Fail, Result, code};
use crate::house::{flaw_line, read_up_to};

/// The members of a parliament.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct RosterArgs {
    /// A roster of members with ranks and lines: a file of [[archon]] tables, or `archons`, the 72 that come with Synod.
    #[arg(long, help_heading = "Seats", value_name = "FILE|archons", conflicts_with_all = ["seat", "seats", "council"])]
    pub(crate) roster: Option<String>,
    /// The backend that answers for the members of the roster, such as openai:MODEL (repeatable; members get them in turn).
    #[arg(
        long = "answered-by",
        help_heading = "Seats",
        value_name = "BACKEND",
        requires = "roster",
        conflicts_with = "rehearse"
    )]
    pub(crate) answered_by: Vec<String>,
}

/// The roster in the binary.
const ARCHONS: &str = include_str!("../../../../rosters/archons.toml");
/// A roster is text that somebody wrote by hand.
const BYTES_MOST: u64 = 1_000_000;
const MEMBERS_MOST: usize = 1000;
const LINES_MOST: usize = 10;
const LINE_MOST: usize = 200;
const PERSONA_MOST: usize = 2000;
/// Ranks where a roster names none, the highest first.
const RANKS: [&str; 7] = ["king", "duke", "marquis", "prince", "earl", "president", "knight"];

/// A member of a roster.
#[derive(Debug)]
struct RosterMember {
    name: String,
    persona: Option<String>,
    profile: SeatProfile,
}

/// Everybody on a roster, with what answers for them; none where no roster is named.
pub(super) fn wishes(
    configured: &Configured,
    args: &RosterArgs,
    seats: &SeatArgs,
) -> Result<Option<SeatWishes>> {
    let Some(named) = &args.roster else { return Ok(None) };
    let members = members(named)?;
    let specs: Vec<(Spec, bool)> = match seats.rehearse {
        true => vec![(Spec::Rehearsal, false)],
        false => {
            let wish = |written: &String| configured.aliases().wish("answered-by", written);
            args.answered_by
                .iter()
                .map(|written| wish(written).map(|wish| (wish.spec, wish.typed)))
                .collect::<Result<_>>()?
        }
    };
    if specs.is_empty() {
        let message = format!(
            "nothing answers for the {} of the roster `{named}`: add --answered-by openai:MODEL (repeatable), or --rehearse for placeholders that vote at random",
            text::counted(members.len() as u64, "member")
        );
        return Err(Fail::new(code::USAGE, "roster/unanswered", message));
    }
    let wish = |(nth, member): (usize, RosterMember)| {
        let (spec, typed) = specs[nth % specs.len()].clone();
        let RosterMember { name, persona, profile } = member;
        Wish { name, spec, persona, profile: Some(Arc::new(profile)), typed }
    };
    Ok(Some(SeatWishes {
        seats: members.into_iter().enumerate().map(wish).collect(),
        ..SeatWishes::default()
    }))
}

fn members(named: &str) -> Result<Vec<RosterMember>> {
    let written = match named {
        "archons" => ARCHONS.to_string(),
        file => read_up_to(BYTES_MOST, Path::new(file), "roster")?,
    };
    let (members, flaws, _) = source::read(&written, read);
    if flaws.is_empty() {
        return Ok(members);
    }
    let lines: Vec<String> =
        flaws.iter().take(20).map(|flaw| format!("  {}", flaw_line(named, flaw))).collect();
    let message = format!("the roster has errors:\n{}", lines.join("\n"));
    Err(Fail::new(code::DATA, "roster/flawed", message))
}

fn read(root: &SourceTable<'_, '_>) -> Vec<RosterMember> {
    let ranks: Vec<String> = match root.texts("ranks") {
        Some(Lined { value, .. }) => value,
        None => RANKS.map(str::to_string).to_vec(),
    };
    let tables = root.tables("archon");
    if tables.is_empty() {
        root.flaw(1, "archon", "there is no member here", "write [[archon]] with `name` and `rank`");
    }
    if tables.len() > MEMBERS_MOST {
        let wrong = format!("{} are too many", text::counted(tables.len() as u64, "member"));
        root.flaw(1, "archon", wrong, format!("keep at most {MEMBERS_MOST}"));
    }
    let mut members: Vec<RosterMember> = Vec::new();
    for table in tables.iter().take(MEMBERS_MOST) {
        let Some(member) = member(table, &ranks) else { continue };
        let who = Who::parse(&member.name).ok();
        if members.iter().any(|known| Who::parse(&known.name).ok() == who) {
            let wrong = format!("there are two members \"{}\"", text::excerpt(&member.name, 40));
            table.flaw(table.line(), "name", wrong, "name each once; case and accents make no difference");
        }
        members.push(member);
    }
    members
}

fn member(table: &SourceTable<'_, '_>, ranks: &[String]) -> Option<RosterMember> {
    let (name, rank, title) = (table.text("name"), table.text("rank"), table.text("title"));
    let persona = table.text("persona");
    let (red_lines, green_lines) = (lines(table, "red_lines"), lines(table, "green_lines"));
    table.finish();
    if let Some(persona) = persona.as_ref().filter(|persona| text::length(&persona.value) > PERSONA_MOST) {
        let wrong = format!("this has more than {PERSONA_MOST} characters");
        table.flaw(persona.line, "persona", wrong, "shorten it: every turn repeats it");
    }
    let rank = rank.and_then(|Lined { value, line }| {
        let place = ranks.iter().position(|known| *known == value);
        if place.is_none() {
            let near = text::nearest(&value, ranks.iter().map(String::as_str));
            let fix = near.map_or_else(
                || {
                    format!(
                        "write one of {}, or list your own in ranks = [\"…\"], the highest first",
                        ranks.join(", ")
                    )
                },
                |near| format!("did you mean \"{near}\"?"),
            );
            table.flaw(line, "rank", format!("\"{}\" is not a rank here", text::excerpt(&value, 40)), fix);
        }
        Some(Rank { place: place? as u16 + 1, name: value })
    });
    let Some(Lined { value: name, line }) = name else {
        table.flaw(table.line(), "name", "this is missing", "write name = \"…\"");
        return None;
    };
    if let Err(wrong) = Who::parse(&name) {
        table.flaw(line, "name", wrong, "choose another name");
        return None;
    }
    let title = title.map(|title| title.value);
    let profile = SeatProfile { green_lines, rank, red_lines, title };
    Some(RosterMember { name, persona: persona.map(|persona| persona.value), profile })
}

fn lines(table: &SourceTable<'_, '_>, key: &'static str) -> Vec<String> {
    let Some(Lined { value, line }) = table.texts(key) else { return Vec::new() };
    let long = value.iter().any(|line| line.is_empty() || text::length(line) > LINE_MOST);
    if value.len() > LINES_MOST || long {
        let wrong = "these are too many, too long or empty";
        table.flaw(
            line,
            key,
            wrong,
            format!("write at most {LINES_MOST}, each of 1 to {LINE_MOST} characters"),
        );
    }
    value.iter().map(|line| text::one_line(line)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_roster_that_ships_has_72_members_of_seven_ranks() {
        let members = members("archons").expect("it is sound");
        assert_eq!(members.len(), 72);
        let ranks: std::collections::BTreeSet<u16> =
            members.iter().filter_map(|member| member.profile.rank.as_ref()).map(|rank| rank.place).collect();
        assert_eq!(ranks.len(), 7);
        assert!(
            members.iter().all(|member| !member.profile.red_lines.is_empty() && member.persona.is_some())
        );
    }

    #[test]
    fn every_flaw_is_named_with_its_line() {
        let written = "[[archon]]\nname = \"Bael\"\nrank = \"kind\"\n[[archon]]\nrank = \"king\"\n[[archon]]\nname = \"bael\"\nred_lines = [\"\"]\nage = 3\n";
        let (_, flaws, _) = source::read(written, read);
        let flaws: Vec<String> = flaws.iter().map(ToString::to_string).collect();
        assert_eq!(
            flaws,
            [
                "line 3: `archon.rank`: \"kind\" is not a rank here; did you mean \"king\"?",
                "line 4: `archon.name`: this is missing; write name = \"…\"",
                "line 8: `archon.red_lines`: these are too many, too long or empty; write at most 10, each of 1 to 200 characters",
                "line 9: `archon.age`: this key is not known; known here: green_lines, name, persona, rank, red_lines, title",
                "line 6: `archon.name`: there are two members \"bael\"; name each once; case and accents make no difference",
            ]
        );
    }
}
