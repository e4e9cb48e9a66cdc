//! Reading a round: agreement, exits, what still moves, what is common, and likeness in many scripts.

mod agreement;
mod council;
mod exits;
mod figures;
mod groupthink;
mod labelled;
mod likeness;
mod opposites;
mod pairs;
mod points;
mod properties;

use synod_core::kernel::{Choice, Permille, Reading, Response, Who};
use synod_core::watch::{Analysis, Rules, Share, Voice, analyse};

fn rules() -> Rules {
    Rules {
        confidence: ">= 17/20".parse().unwrap(),
        consensus: ">= 9/10".parse().unwrap(),
        groupthink: true,
        still_rounds: 2,
    }
}

fn permille(thousandths: u16) -> Permille {
    Permille::new(thousandths).unwrap()
}

/// One seat's word: `ann yes 0.9 | position | point; point | reasoning`, each part optional. A `!` before the
/// name marks an ordered side, a `?` after it a filled section for objections.
#[derive(Clone)]
struct Word {
    who: Who,
    response: Response,
    ordered: bool,
    objection: bool,
}

impl Word {
    fn voice(&self) -> Voice<'_> {
        let Self { who, response, ordered, objection } = self;
        Voice { who, response, ordered: *ordered, objection: *objection }
    }
}

fn word(line: &str) -> Word {
    let mut parts = line.split('|').map(str::trim);
    let mut head = parts.next().unwrap().split_whitespace();
    let name = head.next().unwrap();
    let mut response = Response::default();
    for item in head {
        match item {
            "yes" => response.stance = Some(Choice::Yes),
            "no" => response.stance = Some(Choice::No),
            "neutral" => response.stance = Some(Choice::Neutral),
            "a" => response.stance = Some(Choice::Option(0)),
            "b" => response.stance = Some(Choice::Option(1)),
            sure => {
                let (_, decimals) = sure.split_once('.').unwrap();
                response.confidence = Some(permille(format!("{decimals:0<3}").parse().unwrap()));
            }
        }
    }
    let mut part = || parts.next().filter(|part| !part.is_empty()).map(String::from);
    response.position = part();
    let points = part().unwrap_or_default();
    response.key_points =
        points.split(';').map(str::trim).filter(|p| !p.is_empty()).map(String::from).collect();
    response.reasoning = part();
    let (ordered, objection) = (name.starts_with('!'), name.ends_with('?'));
    Word { who: Who::parse(name.trim_matches(['!', '?'])).unwrap(), response, ordered, objection }
}

/// One seat a line.
fn round(script: &str) -> Vec<Word> {
    script.lines().map(str::trim).filter(|line| !line.is_empty()).map(word).collect()
}

fn voices(words: &[Word]) -> Vec<Voice<'_>> {
    words.iter().map(Word::voice).collect()
}

pub(crate) fn read(scripts: &[&str]) -> Analysis {
    read_with(&rules(), 0, None, scripts)
}

fn read_with(rules: &Rules, options: usize, seats: Option<usize>, scripts: &[&str]) -> Analysis {
    let rounds: Vec<Vec<Word>> = scripts.iter().map(|script| round(script)).collect();
    let rounds: Vec<Vec<Voice<'_>>> = rounds.iter().map(|words| voices(words)).collect();
    analyse(rules, Reading::Close, options, seats.unwrap_or(rounds.last().map_or(0, Vec::len)), &rounds)
}

/// `yes` and `no` so many times, all so sure.
fn split(yes: usize, no: usize, neutral: usize, sure: &str) -> String {
    let sides = [("yes", yes), ("no", no), ("neutral", neutral)];
    let seats = sides.into_iter().flat_map(|(side, count)| std::iter::repeat_n(side, count));
    seats.enumerate().map(|(i, side)| format!("s{i:02} {side} {sure}\n")).collect()
}

fn share(part: u32, whole: u32) -> Option<Share> {
    Some(Share { part, whole })
}

fn names(who: &[Who]) -> String {
    who.iter().map(Who::as_str).collect::<Vec<_>>().join(" ")
}

pub(crate) const CACHE: &str = "We should cache every response at the edge for one hour";
const NO_CACHE: &str = "We should not cache every response at the edge for one hour";
pub(crate) const QUEUE: &str = "Put a durable queue between the writers and the database";
