//! What was said point by point: what is common, what is contested, what differs within one side.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::sides::{Group, Sides, cluster, names, stars};
use super::voices::{Said, quoted};
use super::{Apart, Cluster, Conflict, Nuance, Over, Point};
use crate::kernel::prose::Prose;
use crate::kernel::prose::phrase::sentences;
use crate::kernel::{Choice, text};

/// About so many points are read, as many of each voice, between these two: who writes more does not get
/// more room, and a large house has less for each.
const IN_ALL: usize = 240;
const OF_ONE: (usize, usize) = (3, 8);
const COMMON_SHOWN: usize = 8;
const CONFLICTS_SHOWN: usize = 12;
const NUANCES_SHOWN: usize = 12;
/// So far apart two confidences differ, in thousandths.
const UNEQUALLY_SURE: u16 = 400;

/// All points of a round, alike ones together.
pub(super) struct Gathered<'a> {
    /// In the order in which they were first told.
    points: Vec<Told<'a>>,
    /// Places in the list of points.
    groups: Vec<Vec<usize>>,
}

/// A point, told once or more in the same words.
struct Told<'a> {
    /// The places of its speakers among the free voices.
    by: Vec<usize>,
    prose: Prose,
    text: &'a str,
}

/// Gathers key points, or the sentences of the position where none are given.
pub(super) fn gather<'a>(free: &[Said<'a>]) -> Gathered<'a> {
    let mut points: Vec<Told<'a>> = Vec::new();
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    let room = (IN_ALL / free.len().max(1)).clamp(OF_ONE.0, OF_ONE.1);
    for (by, said) in free.iter().enumerate() {
        for text in own(said).into_iter().take(room) {
            let at = *known.entry(text).or_insert(points.len());
            if at == points.len() {
                points.push(Told { by: Vec::new(), prose: Prose::of(text), text });
            }
            points[at].by.push(by);
        }
    }
    let weights: Vec<usize> = points.iter().map(|point| point.by.len()).collect();
    let groups = stars(&weights, |a, b| points[a].prose.alike(&points[b].prose));
    Gathered { points, groups }
}

fn own<'a>(said: &Said<'a>) -> Vec<&'a str> {
    let response = said.voice.response;
    let key_points: Vec<&str> =
        response.key_points.iter().map(|point| point.trim()).filter(|point| !point.is_empty()).collect();
    if !key_points.is_empty() {
        return key_points;
    }
    // "Yes." is no point.
    let tells = |sentence: &&str| text::words(sentence).nth(2).is_some();
    said.position().into_iter().flat_map(sentences).filter(tells).collect()
}

impl Gathered<'_> {
    /// Who said the points of a group, each once.
    fn speakers(&self, group: &[usize]) -> Vec<usize> {
        let mut speakers: Vec<usize> = group.iter().flat_map(|at| &self.points[*at].by).copied().collect();
        speakers.sort_unstable();
        speakers.dedup();
        speakers
    }
}

/// Points that at least two voices share; those that reach over sides first, then those of most voices.
pub(super) fn common(gathered: &Gathered<'_>, free: &[Said<'_>], sides: &Sides) -> Vec<Point> {
    let mut found: Vec<Point> = Vec::new();
    for group in &gathered.groups {
        let speakers = gathered.speakers(group);
        if speakers.len() < 2 {
            continue;
        }
        let mut reached: Vec<usize> = speakers.iter().filter_map(|at| sides.of[*at]).collect();
        reached.sort_unstable();
        reached.dedup();
        let text = quoted(gathered.points[group[0]].text);
        found.push(Point { sides: reached.len() as u32, text, who: names(free, &speakers) });
    }
    found.sort_by(|a, b| {
        let rank = |point: &Point| (Reverse(point.sides), Reverse(point.who.len()));
        rank(a).cmp(&rank(b)).then_with(|| (&a.who, &a.text).cmp(&(&b.who, &b.text)))
    });
    found.truncate(COMMON_SHOWN);
    found
}

/// Sides against each other, and points that one says and another denies.
pub(super) fn conflicts(gathered: &Gathered<'_>, free: &[Said<'_>], sides: &Sides) -> Vec<Conflict> {
    let mut found = Vec::new();
    for (at, one) in sides.groups.iter().enumerate() {
        let against = sides.groups[at + 1..].iter().filter(|other| opposed(free, one, other));
        let conflict =
            |other| Conflict { about: Over::Side, one: cluster(free, one), other: cluster(free, other) };
        found.extend(against.map(conflict));
    }
    for (at, one) in gathered.groups.iter().enumerate() {
        let head = &gathered.points[one[0]].prose;
        let against =
            gathered.groups[at + 1..].iter().filter(|other| head.opposes(&gathered.points[other[0]].prose));
        found.extend(against.filter_map(|other| contested(gathered, free, one, other)));
    }
    found.sort_by(|a, b| {
        let size = |conflict: &Conflict| Reverse(conflict.one.who.len() + conflict.other.who.len());
        let rest = || (&a.one.who, &a.other.who).cmp(&(&b.one.who, &b.other.who));
        (size(a), a.about).cmp(&(size(b), b.about)).then_with(rest)
    });
    found.truncate(CONFLICTS_SHOWN);
    found
}

/// Two sides stand against each other if both are stated; where one is not, if its words deny the other's.
fn opposed(free: &[Said<'_>], one: &Group, other: &Group) -> bool {
    match (one.stance, other.stance) {
        (Some(Choice::Neutral), _) | (_, Some(Choice::Neutral)) => false,
        (Some(one), Some(other)) => one != other,
        (None, _) | (_, None) => {
            let words = |group: &Group| group.surest.and_then(|at| free[at].prose());
            matches!((words(one), words(other)), (Some(one), Some(other)) if one.opposes(other))
        }
    }
}

/// The conflict over one point. Who said both is on neither side of it.
fn contested(gathered: &Gathered<'_>, free: &[Said<'_>], one: &[usize], other: &[usize]) -> Option<Conflict> {
    let (first, second) = (gathered.speakers(one), gathered.speakers(other));
    let side = |group: &[usize], of: &[usize], not: &[usize]| {
        let who: Vec<usize> = of.iter().copied().filter(|at| !not.contains(at)).collect();
        let gist = Some(quoted(gathered.points[group[0]].text));
        (!who.is_empty()).then(|| Cluster { gist, stance: None, who: names(free, &who) })
    };
    let (one, other) = (side(one, &first, &second)?, side(other, &second, &first)?);
    let in_order = (Reverse(one.who.len()), &one.who) <= (Reverse(other.who.len()), &other.who);
    let (one, other) = if in_order { (one, other) } else { (other, one) };
    Some(Conflict { about: Over::Point, one, other })
}

/// What differs within each side, seen from its surest voice.
pub(super) fn nuances(free: &[Said<'_>], sides: &Sides) -> Vec<Nuance> {
    let mut found = Vec::new();
    for group in &sides.groups {
        let differ = |apart, members: Option<Vec<usize>>| {
            members.map(|members| Nuance { apart, stance: group.stance, who: names(free, &members) })
        };
        found.extend(differ(Apart::Reasons, reasons(free, group)));
        found.extend(differ(Apart::Confidence, confidences(free, group)));
    }
    found.truncate(NUANCES_SHOWN);
    found
}

/// The surest, and those whose position brings something else.
fn reasons(free: &[Said<'_>], group: &Group) -> Option<Vec<usize>> {
    let surest = group.surest?;
    let here = free[surest].position()?;
    let unlike = |at: &usize| {
        free[*at].position().is_some_and(|there| there != here && !repeats(&free[*at], &free[surest]))
    };
    let others: Vec<usize> =
        group.members.iter().copied().filter(|at| *at != surest).filter(unlike).collect();
    (!others.is_empty()).then(|| [vec![surest], others].concat())
}

fn repeats(one: &Said<'_>, other: &Said<'_>) -> bool {
    matches!((one.prose(), other.prose()), (Some(one), Some(other)) if one.repeats(other))
}

/// The surest and the least sure, if they are far apart.
fn confidences(free: &[Said<'_>], group: &Group) -> Option<Vec<usize>> {
    let stated = || group.members.iter().filter_map(|at| Some((free[*at].confidence()?, *at)));
    let (most, surest) = stated().max_by_key(|(sure, at)| (*sure, Reverse(*at)))?;
    let (least, unsure) = stated().min()?;
    (most.get() - least.get() >= UNEQUALLY_SURE).then(|| vec![surest, unsure])
}
