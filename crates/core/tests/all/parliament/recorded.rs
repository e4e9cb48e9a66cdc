//! A recorded session, judged again as the original counted. It is not part of the project.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use serde_json::Value;
use synod_core::Task;
use synod_core::kernel::Who;

use super::chamber::Chamber;

fn rows(file: &str) -> Option<Vec<Value>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/conclave").join(file);
    let Ok(text) = fs::read_to_string(path) else {
        let _ = writeln!(io::stderr(), "skipped: the recorded session ({file}) is not here");
        return None;
    };
    Some(text.lines().map(|line| serde_json::from_str(line).expect("a row of JSON")).collect())
}

fn text<'a>(row: &'a Value, key: &str) -> &'a str {
    row[key].as_str().unwrap_or_default()
}

/// Ranks in the order in which they first speak.
fn seats(speeches: &[Value]) -> Vec<(String, u16)> {
    let mut ranks: Vec<&str> = Vec::new();
    let mut seats: Vec<(String, u16)> = Vec::new();
    for row in speeches.iter().filter(|row| row["round"] == 1) {
        let rank = text(row, "rank");
        if !ranks.contains(&rank) {
            ranks.push(rank);
        }
        let place = ranks.iter().position(|known| *known == rank).expect("it is there") as u16 + 1;
        seats.push((text(row, "speaker").to_string(), place));
    }
    seats
}

fn stance(row: &Value) -> &'static str {
    match text(row, "stance") {
        "FOR" => "YES",
        "AGAINST" => "NO",
        "NEUTRAL" => "NEUTRAL",
        other => panic!("a stance nobody knows: {other}"),
    }
}

#[test]
fn a_recorded_session_comes_out_as_it_did() {
    let (Some(speeches), Some(votes)) = (rows("speeches.jsonl"), rows("votes.jsonl")) else { return };
    assert_eq!(speeches.len(), 221);
    let mut chamber = Chamber::new(&seats(&speeches));
    chamber.put("parliament-legacy", text(&speeches[0], "motion"), &[]);
    let mut spoken = speeches.iter();
    let mut teamed = false;
    while let Some((_, who, Task::Speak { .. })) = chamber.asked() {
        let row = spoken.next().expect("a recorded speech for every turn");
        let ordered = chamber.ordered();
        let red = text(row, "forced_kind") == "red_team";
        if red && !teamed {
            // The debate is over: these are its counts.
            let team = chamber.motion().team.clone().expect("a red team");
            assert_eq!(team.all.words(), "32 FOR, 181 AGAINST, 3 NEUTRAL");
            assert_eq!(team.free.words(), "11 FOR, 181 AGAINST, 3 NEUTRAL");
            teamed = true;
        }
        if !red {
            // Whom a red team is drawn from hangs on a seed that no transcript tells.
            assert_eq!(Who::parse(text(row, "speaker")).ok(), Some(who.clone()));
        }
        assert_eq!(ordered.is_some(), row["forced"] == true, "{row}");
        chamber.says(stance(row));
    }
    assert!(spoken.next().is_none() && teamed);
    assert_eq!(chamber.alerts(), [41, 61, 108, 128, 161, 181, 201]);
    assert_eq!(chamber.motion().all.words(), "37 FOR, 181 AGAINST, 3 NEUTRAL");
    assert_eq!(chamber.motion().free.words(), "11 FOR, 181 AGAINST, 3 NEUTRAL");
    while let Some((_, who, Task::Vote { .. })) = chamber.asked() {
        let row = votes.iter().find(|row| Who::parse(text(row, "speaker")).ok().as_ref() == Some(&who));
        let word = match text(row.expect("everybody voted"), "vote") {
            "AYE" => "YES",
            "NAY" => "NO",
            other => other,
        };
        let word = word.to_string();
        chamber.says(&word);
    }
    let (tally, _) = chamber.case().ballots[0].result.clone().expect("a result");
    assert_eq!((tally.yes, tally.no, tally.neutral), (11, 61, 0));
    assert_eq!(chamber.status(), "failed");
}
