//! Who stands together.
//!
//! A stated side decides. A voice without one joins the side of the voice it sounds most like, or those
//! other voices without a side that sound alike; a voice of which nothing is known joins nobody.

use std::cmp::Reverse;

use super::voices::{Said, quoted};
use super::{Cluster, Share};
use crate::kernel::{Choice, Who};

/// The clusters of one round, the largest first. Numbers are places in the list of free voices.
pub(super) struct Sides {
    pub(super) groups: Vec<Group>,
    /// The group of each voice.
    pub(super) of: Vec<Option<usize>>,
}

/// One cluster.
pub(super) struct Group {
    pub(super) stance: Option<Choice>,
    /// Rising.
    pub(super) members: Vec<usize>,
    /// The surest of those who said anything in words.
    pub(super) surest: Option<usize>,
}

impl Group {
    pub(super) fn is_neutral(&self) -> bool {
        self.stance == Some(Choice::Neutral)
    }
}

impl Sides {
    pub(super) fn of(free: &[Said<'_>]) -> Self {
        let (sided, silent): (Vec<usize>, Vec<usize>) =
            (0..free.len()).partition(|at| free[*at].stance.is_some());
        let mut groups: Vec<(Option<Choice>, Vec<usize>)> = Vec::new();
        let mut join = |stance: Choice, at: usize| match groups.iter_mut().find(|g| g.0 == Some(stance)) {
            Some((_, members)) => members.push(at),
            None => groups.push((Some(stance), vec![at])),
        };
        sided.iter().for_each(|at| join(free[*at].stance.expect("sided"), *at));
        let mut apart = Vec::new();
        for at in silent.into_iter().filter(|at| free[*at].text().is_some()) {
            match nearest(free, &sided, at) {
                Nearest::Side(stance) => join(stance, at),
                Nearest::None => apart.push(at),
                Nearest::Torn => (),
            }
        }
        let found = stars(&vec![1; apart.len()], |a, b| alike(free, apart[a], apart[b]));
        let members = |group: Vec<usize>| group.into_iter().map(|one| apart[one]).collect();
        groups.extend(found.into_iter().map(|group| (None, members(group))));
        Self::listed(free, groups)
    }

    fn listed(free: &[Said<'_>], groups: Vec<(Option<Choice>, Vec<usize>)>) -> Self {
        let mut groups: Vec<Group> = groups
            .into_iter()
            .map(|(stance, mut members)| {
                members.sort_unstable();
                Group { stance, surest: surest(free, &members), members }
            })
            .collect();
        groups.sort_by_key(|group| {
            (Reverse(group.members.len()), group.stance.is_none(), group.stance, group.members.clone())
        });
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
    pub(super) fn majority(&self) -> Option<&Group> {
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

    pub(super) fn clusters(&self, free: &[Said<'_>]) -> Vec<Cluster> {
        self.groups.iter().map(|group| cluster(free, group)).collect()
    }

    pub(super) fn unknown(&self, free: &[Said<'_>]) -> Vec<Who> {
        let unknown = self.of.iter().zip(free).filter(|(group, _)| group.is_none());
        unknown.map(|(_, said)| said.voice.who.clone()).collect()
    }
}

pub(super) fn cluster(free: &[Said<'_>], group: &Group) -> Cluster {
    Cluster {
        gist: group.surest.and_then(|at| free[at].text()).map(quoted),
        stance: group.stance,
        who: names(free, &group.members),
    }
}

pub(super) fn names(free: &[Said<'_>], members: &[usize]) -> Vec<Who> {
    members.iter().map(|at| free[*at].voice.who.clone()).collect()
}

/// The surest of those with words; not stated is least sure, and the first id breaks a tie.
fn surest(free: &[Said<'_>], members: &[usize]) -> Option<usize> {
    let speaking = members.iter().copied().filter(|at| free[*at].text().is_some());
    speaking.max_by_key(|at| (free[*at].confidence(), Reverse(*at)))
}

pub(super) fn alike(free: &[Said<'_>], a: usize, b: usize) -> bool {
    free[a].alike(&free[b]) == Some(true)
}

/// Where a voice without a stated side belongs by its words.
enum Nearest {
    Side(Choice),
    /// It sounds like nobody who named a side.
    None,
    /// It sounds equally like two sides: which one it is cannot be told.
    Torn,
}

fn nearest(free: &[Said<'_>], sided: &[usize], at: usize) -> Nearest {
    let mut best = (0, Nearest::None);
    for other in sided.iter().filter(|other| alike(free, at, **other)) {
        let (Some(one), Some(two)) = (free[at].prose(), free[*other].prose()) else { continue };
        let (likeness, stance) = (one.likeness(two).get(), free[*other].stance.expect("sided"));
        if likeness > best.0 {
            best = (likeness, Nearest::Side(stance));
        } else if likeness == best.0 && !matches!(best.1, Nearest::Side(same) if same == stance) {
            best.1 = Nearest::Torn;
        }
    }
    best.1
}

/// Groups of things that are alike, each thing standing for so many equal ones. The one that most others are
/// like takes those others, then the next among the rest: a chain of small steps does not make its two ends
/// one group.
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
        let mut group: Vec<usize> = around.chain([heart]).collect();
        group.sort_unstable();
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
