//! Who stands together: those who stated the same side. A voice that stated none stands nowhere, whatever its words
//! sound like.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::voices::{HeardVoice, quoted};
use super::{Cluster, Share};
use crate::kernel::{Choice, Who};

/// The clusters of one round, the largest first. Numbers are places in the list of free voices.
pub(super) struct Sides {
    pub(super) groups: Vec<SideGroup>,
    /// The group of each voice.
    pub(super) of: Vec<Option<usize>>,
}

/// One cluster.
pub(super) struct SideGroup {
    pub(super) stance: Choice,
    /// Rising.
    pub(super) members: Vec<usize>,
    /// The surest of those who said anything in words.
    pub(super) surest: Option<usize>,
}

impl SideGroup {
    pub(super) fn is_neutral(&self) -> bool {
        self.stance == Choice::Neutral
    }
}

impl Sides {
    pub(super) fn of(free: &[HeardVoice<'_>]) -> Self {
        let mut sides: BTreeMap<Choice, Vec<usize>> = BTreeMap::new();
        for (at, stance) in free.iter().enumerate().filter_map(|(at, said)| Some((at, said.stance?))) {
            sides.entry(stance).or_default().push(at);
        }
        let mut groups: Vec<SideGroup> = sides
            .into_iter()
            .map(|(stance, members)| SideGroup { stance, surest: surest(free, &members), members })
            .collect();
        groups.sort_by_key(|group| Reverse(group.members.len())); // stable: equal ones stay in the order of sides
        let mut of = vec![None; free.len()];
        for (place, group) in groups.iter().enumerate() {
            group.members.iter().for_each(|at| of[*at] = Some(place));
        }
        Self { groups, of }
    }

    /// How many voices are known to stand somewhere.
    pub(super) fn known(&self) -> usize {
        self.of.iter().flatten().count()
    }

    /// The largest side, if it is larger than every other.
    pub(super) fn majority(&self) -> Option<&SideGroup> {
        let mut sides = self.groups.iter().filter(|group| !group.is_neutral());
        let first = sides.next()?;
        sides.next().is_none_or(|second| second.members.len() < first.members.len()).then_some(first)
    }

    /// The largest side among those known, if enough of the free seats are.
    pub(super) fn agreement(&self, free_seats: usize) -> Option<Share> {
        let known = self.known();
        if known < 2 || 2 * known <= free_seats {
            return None;
        }
        let sides = self.groups.iter().filter(|group| !group.is_neutral());
        let most = sides.map(|group| group.members.len()).max().unwrap_or(0);
        Some(Share { part: most as u32, whole: known as u32 })
    }

    pub(super) fn clusters(&self, free: &[HeardVoice<'_>]) -> Vec<Cluster> {
        self.groups.iter().map(|group| cluster(free, group)).collect()
    }

    pub(super) fn unknown(&self, free: &[HeardVoice<'_>]) -> Vec<Who> {
        let unknown = self.of.iter().zip(free).filter(|(group, _)| group.is_none());
        unknown.map(|(_, said)| said.voice.who.clone()).collect()
    }
}

pub(super) fn cluster(free: &[HeardVoice<'_>], group: &SideGroup) -> Cluster {
    let quoted = group.surest.and_then(|at| Some((free[at].voice.who.clone(), quoted(free[at].text()?))));
    let (by, gist) = quoted.unzip();
    Cluster { by, gist, stance: Some(group.stance), who: names(free, &group.members) }
}

pub(super) fn names(free: &[HeardVoice<'_>], members: &[usize]) -> Vec<Who> {
    members.iter().map(|at| free[*at].voice.who.clone()).collect()
}

/// The surest of those with words; not stated is least sure, and the first id breaks a tie.
fn surest(free: &[HeardVoice<'_>], members: &[usize]) -> Option<usize> {
    let speaking = members.iter().copied().filter(|at| free[*at].text().is_some());
    speaking.max_by_key(|at| (free[*at].confidence(), Reverse(*at)))
}

pub(super) fn alike(free: &[HeardVoice<'_>], a: usize, b: usize) -> bool {
    free[a].alike(&free[b]) == Some(true)
}

/// Groups of things that are alike, each thing standing for so many equal ones. The one that most others are
/// like takes those others, then the next among the rest: a chain of small steps does not make its two ends
/// one group. Each group begins with the one that the others are like.
pub(super) fn stars(weights: &[usize], alike: impl Fn(usize, usize) -> bool) -> Vec<Vec<usize>> {
    let mut near: Vec<Vec<usize>> = vec![Vec::new(); weights.len()];
    for one in 0..weights.len() {
        for other in one + 1..weights.len() {
            if alike(one, other) {
                near[one].push(other);
                near[other].push(one);
            }
        }
    }
    let mut open: Vec<bool> = vec![true; weights.len()];
    let weigh = |of: &[usize]| of.iter().map(|one| weights[*one]).sum::<usize>();
    let mut reach: Vec<usize> = (0..weights.len()).map(|one| weigh(&near[one]) + weights[one] - 1).collect();
    let mut groups = Vec::new();
    loop {
        let heart =
            (0..weights.len()).filter(|one| open[*one]).max_by_key(|one| (reach[*one], Reverse(*one)));
        let Some(heart) = heart.filter(|heart| reach[*heart] > 0) else { break };
        let around = near[heart].iter().copied().filter(|other| open[*other]);
        let group: Vec<usize> = std::iter::once(heart).chain(around).collect();
        for one in &group {
            open[*one] = false;
            near[*one].iter().for_each(|other| reach[*other] -= weights[*one]);
        }
        groups.push(group);
    }
    // The rest are like nothing that is left.
    groups.extend((0..weights.len()).filter(|one| open[*one]).map(|one| vec![one]));
    groups
}
