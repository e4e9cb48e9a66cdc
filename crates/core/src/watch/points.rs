//! What was said point by point: what is common, what is contested, what differs within one side.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::sides::{SideGroup, Sides, cluster, names, stars};
use super::voices::{HeardVoice, quoted};
use super::{Apart, Cluster, Conflict, ConflictSubject, Nuance, Point, Similar};
use crate::kernel::prose::phrase::sentences;
use crate::kernel::prose::{Glance, Prose};
use crate::kernel::text;

/// About so many points are read, as many of each voice, between these two: who writes more does not get
/// more room, and a large house has less for each.
const IN_ALL: usize = 240;
const OF_ONE: (usize, usize) = (3, 8);
const COMMON_SHOWN: usize = 8;
const CONFLICTS_SHOWN: usize = 12;
const NUANCES_SHOWN: usize = 12;
/// So far apart two confidences differ, in thousandths.
const UNEQUALLY_SURE: u16 = 400;

/// All points of a round, with similar points of one side grouped.
pub(super) struct RoundPoints<'a> {
    /// In the order in which they were first told.
    points: Vec<WrittenPoint<'a>>,
    /// By the words that the others of a group are like.
    groups: BTreeMap<usize, Vec<MatchingPoint>>,
}

/// A point, written once or more in the same words.
struct WrittenPoint<'a> {
    /// The places of its speakers among the free voices.
    by: Vec<usize>,
    prose: Prose,
    text: &'a str,
}

/// A point like another one, and who of that one's side wrote it.
struct MatchingPoint {
    by: Vec<usize>,
    point: usize,
}

/// Gathers key points, or the sentences of the position where none are given, of the voices that stated a side.
pub(super) fn gather<'a>(free: &[HeardVoice<'a>], sides: &Sides) -> RoundPoints<'a> {
    let mut points: Vec<WrittenPoint<'a>> = Vec::new();
    let mut known: BTreeMap<&str, usize> = BTreeMap::new();
    let room = (IN_ALL / free.len().max(1)).clamp(OF_ONE.0, OF_ONE.1);
    for (by, said) in free.iter().enumerate().filter(|(by, _)| sides.of[*by].is_some()) {
        for text in own(said).into_iter().take(room) {
            let at = *known.entry(text).or_insert(points.len());
            if at == points.len() {
                points.push(WrittenPoint { by: Vec::new(), prose: Prose::read(text, said.reading), text });
            }
            if points[at].by.last() != Some(&by) {
                points[at].by.push(by);
            }
        }
    }
    let mut groups = BTreeMap::new();
    for side in 0..sides.groups.len() {
        gather_side(&points, sides, side, &mut groups);
    }
    RoundPoints { points, groups }
}

/// Puts together what is alike on one side.
fn gather_side(
    points: &[WrittenPoint<'_>],
    sides: &Sides,
    side: usize,
    groups: &mut BTreeMap<usize, Vec<MatchingPoint>>,
) {
    let speakers = |at: usize| -> Vec<usize> {
        points[at].by.iter().copied().filter(|by| sides.of[*by] == Some(side)).collect()
    };
    let mine: Vec<usize> = (0..points.len()).filter(|at| !speakers(*at).is_empty()).collect();
    // Words that another side wrote too draw the others to them, so that common ground of two sides is found.
    let weight = |at: &usize| match speakers(*at).len() {
        here if here < points[*at].by.len() => here + points.len(),
        here => here,
    };
    let weights: Vec<usize> = mine.iter().map(weight).collect();
    let glances: Vec<Glance> = mine.iter().map(|at| points[*at].prose.glance()).collect();
    let alike = |a: usize, b: usize| {
        !glances[a].surely_apart(&glances[b]) && points[mine[a]].prose.alike(&points[mine[b]].prose)
    };
    for group in stars(&weights, alike) {
        let mut members = group.into_iter().map(|one| mine[one]);
        let Some(head) = members.next() else { continue };
        groups
            .entry(head)
            .or_default()
            .extend(members.map(|point| MatchingPoint { by: speakers(point), point }));
    }
}

fn own<'a>(said: &HeardVoice<'a>) -> Vec<&'a str> {
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

/// Points that at least two voices share; those that reach over sides first, then those of most voices.
pub(super) fn common(gathered: &RoundPoints<'_>, free: &[HeardVoice<'_>], sides: &Sides) -> Vec<Point> {
    let mut found: Vec<Point> = Vec::new();
    for (head, beside) in &gathered.groups {
        let head = &gathered.points[*head];
        let others = beside.iter().filter(|one| one.by.iter().any(|by| !head.by.contains(by)));
        let similar: Vec<Similar> = others
            .map(|one| Similar { text: quoted(gathered.points[one.point].text), who: names(free, &one.by) })
            .collect();
        if head.by.len() < 2 && similar.is_empty() {
            continue;
        }
        let mut reached: Vec<usize> = head.by.iter().filter_map(|at| sides.of[*at]).collect();
        reached.sort_unstable();
        reached.dedup();
        let (sides, text) = (reached.len() as u32, quoted(head.text));
        found.push(Point { sides, similar, text, who: names(free, &head.by) });
    }
    found.sort_by_cached_key(|point| {
        (Reverse(point.sides), Reverse(point.seats().len()), point.who.clone(), point.text.clone())
    });
    found.truncate(COMMON_SHOWN);
    found
}

/// Sides against each other, and points that one says and another denies.
pub(super) fn conflicts(gathered: &RoundPoints<'_>, free: &[HeardVoice<'_>], sides: &Sides) -> Vec<Conflict> {
    let mut found = Vec::new();
    let taken: Vec<&SideGroup> = sides.groups.iter().filter(|group| !group.is_neutral()).collect();
    for (at, one) in taken.iter().enumerate() {
        let conflict = |other: &&SideGroup| Conflict {
            about: ConflictSubject::Side,
            one: cluster(free, one),
            other: cluster(free, other),
        };
        found.extend(taken[at + 1..].iter().map(conflict));
    }
    let heads: Vec<&WrittenPoint<'_>> = gathered.groups.keys().map(|head| &gathered.points[*head]).collect();
    for (at, one) in heads.iter().enumerate() {
        let against = heads[at + 1..].iter().filter(|other| one.prose.opposes(&other.prose));
        found.extend(against.filter_map(|other| contested(free, one, other)));
    }
    found.sort_by(|a, b| {
        let size = |conflict: &Conflict| Reverse(conflict.one.who.len() + conflict.other.who.len());
        let rest = || (&a.one.who, &a.other.who).cmp(&(&b.one.who, &b.other.who));
        (size(a), a.about).cmp(&(size(b), b.about)).then_with(rest)
    });
    found.truncate(CONFLICTS_SHOWN);
    found
}

/// The conflict over one point, between those who wrote these very words. Who wrote both is on neither side of it.
fn contested(free: &[HeardVoice<'_>], one: &WrittenPoint<'_>, other: &WrittenPoint<'_>) -> Option<Conflict> {
    let side = |of: &WrittenPoint<'_>, not: &WrittenPoint<'_>| {
        let who: Vec<usize> = of.by.iter().copied().filter(|at| !not.by.contains(at)).collect();
        let gist = Some(quoted(of.text));
        (!who.is_empty()).then(|| Cluster { by: None, gist, stance: None, who: names(free, &who) })
    };
    let (one, other) = (side(one, other)?, side(other, one)?);
    let in_order = (Reverse(one.who.len()), &one.who) <= (Reverse(other.who.len()), &other.who);
    let (one, other) = if in_order { (one, other) } else { (other, one) };
    Some(Conflict { about: ConflictSubject::Point, one, other })
}

/// What differs within each side, seen from its surest voice.
pub(super) fn nuances(free: &[HeardVoice<'_>], sides: &Sides) -> Vec<Nuance> {
    let mut found = Vec::new();
    for group in &sides.groups {
        let differ = |apart, members: Option<Vec<usize>>| {
            members.map(|members| Nuance { apart, stance: Some(group.stance), who: names(free, &members) })
        };
        found.extend(differ(Apart::Reasons, reasons(free, group)));
        found.extend(differ(Apart::Confidence, confidences(free, group)));
    }
    found.truncate(NUANCES_SHOWN);
    found
}

/// The surest, and those whose position brings something else.
fn reasons(free: &[HeardVoice<'_>], group: &SideGroup) -> Option<Vec<usize>> {
    let surest = group.surest?;
    let here = free[surest].position()?;
    let unlike = |at: &usize| {
        free[*at].position().is_some_and(|there| there != here && !free[*at].position_repeats(&free[surest]))
    };
    let others: Vec<usize> =
        group.members.iter().copied().filter(|at| *at != surest).filter(unlike).collect();
    (!others.is_empty()).then(|| [vec![surest], others].concat())
}

/// The surest and the least sure, if they are far apart.
fn confidences(free: &[HeardVoice<'_>], group: &SideGroup) -> Option<Vec<usize>> {
    let stated = || group.members.iter().filter_map(|at| Some((free[*at].confidence()?, *at)));
    let (most, surest) = stated().max_by_key(|(sure, at)| (*sure, Reverse(*at)))?;
    let (least, unsure) = stated().min()?;
    (most.get() - least.get() >= UNEQUALLY_SURE).then(|| vec![surest, unsure])
}
