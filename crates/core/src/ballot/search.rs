//! What other ballots would have made of a vote: the margin, and whether unreadable ballots could change it.
//! Few ballots are searched through; how many is fixed here for ever, since decisions rest on it.

use super::poll::WHOLE;
use super::{KnownWeights, Method, Paper, Poll, Rules, Weights};
use crate::kernel::{Choice, Decision, Marks};

/// How many ways of completing unreadable ballots are looked at. Beyond, a result counts as open: it is not
/// known that nothing could change it.
const COMPLETIONS: usize = 20_000;
/// How many ways of changing ballots are looked at for a margin.
const CHANGES: usize = 4_000;

/// The fewest ballots that, cast otherwise, would have changed the result.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Margin {
    /// How many; `None` if no others do, or if none were found.
    pub ballots: Option<u32>,
    /// Whether there may be fewer: not all ways of voting were looked at.
    pub bound: bool,
}

impl Poll {
    /// Whether unreadable ballots could change what the readable ones come to.
    pub(super) fn is_open(&self, rule: &Rules, read: Decision) -> bool {
        if self.unparsed_veto && matches!(read, Decision::Passed { .. }) {
            return true;
        }
        let Some(mut ways) = self.ways(rule, COMPLETIONS) else { return true };
        if rule.weights == Weights::Confidence {
            // As sure as can be, or not at all: what lies between changes nothing that neither does.
            let unsure: Vec<Paper> = ways.iter().map(|paper| Paper { weight: 0, ..paper.clone() }).collect();
            ways.extend(unsure);
        }
        let known = self.known.as_ref().map(|known| known.unparsed.clone()).unwrap_or_default();
        let weighs = known.into_iter().chain(std::iter::repeat(WHOLE));
        let mut unread: Vec<(u32, u32)> = self.unparsed.iter().copied().zip(weighs).collect();
        unread.sort_unstable();
        let alike = unread.first() == unread.last();
        let all = match alike {
            true => multisets(ways.len(), unread.len()),
            false => ways.len().checked_pow(unread.len() as u32),
        };
        if all.is_none_or(|all| all > COMPLETIONS) {
            return true;
        }
        let known = self.known.clone().map(|known| KnownWeights { unparsed: Vec::new(), ..known });
        let mut other = Self { unparsed: Vec::new(), known, ..self.clone() };
        other.completed(rule, read, &ways, 0, &unread)
    }

    /// Whether some completion by ballots that count for so many seats, and so much, each changes the result. Ballots that count
    /// alike are taken in the order of the list, since it does not matter whose is which.
    fn completed(
        &mut self,
        rule: &Rules,
        read: Decision,
        ways: &[Paper],
        from: usize,
        unread: &[(u32, u32)],
    ) -> bool {
        let Some((first, rest)) = unread.split_first() else { return self.decide_read(rule) != read };
        let alike = rest.first() == Some(first);
        let (seats, weight) = *first;
        (from..ways.len()).any(|nth| {
            let way = ways[nth].clone();
            // How sure somebody would have been belongs to the way; what their record is worth does not.
            let weight = if rule.weights == Weights::Confidence { way.weight } else { weight };
            self.papers.push(Paper { seats, weight, ..way });
            let changes = self.completed(rule, read, ways, if alike { nth } else { 0 }, rest);
            self.papers.pop();
            changes
        })
    }

    /// The fewest ballots that flip what the rule makes of the readable ones.
    pub fn margin(&self, rule: &Rules) -> Margin {
        let now = self.decide_read(rule);
        let ways = self.ways(rule, CHANGES);
        let mut looked = 0;
        let mut spent = 0usize;
        for (depth, _) in self.papers.iter().enumerate() {
            let cost = ways.as_ref().and_then(|ways| {
                let each = ways.len().checked_pow(depth as u32 + 1)?;
                each.checked_mul(chosen(self.papers.len(), depth + 1)?)
            });
            let (Some(ways), Some(cost)) = (&ways, cost.filter(|cost| spent + cost <= CHANGES)) else {
                break;
            };
            spent += cost;
            if self.clone().flipped(rule, now, ways, 0, depth as u32 + 1) {
                return Margin { ballots: Some(depth as u32 + 1), bound: false };
            }
            looked = depth as u32 + 1;
        }
        let all = looked as usize == self.papers.len();
        let found = if all { None } else { self.greedy(rule, now) };
        Margin { ballots: found, bound: !all && found != Some(looked + 1) }
    }

    /// Whether changing exactly so many papers, none before `from`, flips the result.
    fn flipped(&mut self, rule: &Rules, now: Decision, ways: &[Paper], from: usize, left: u32) -> bool {
        if left == 0 {
            return !self.decide_read(rule).comes_to(now);
        }
        (from..self.papers.len()).any(|nth| {
            let before = self.papers[nth].clone();
            let flips = ways.iter().any(|way| {
                self.papers[nth] = Paper { choice: way.choice, marks: way.marks.clone(), ..before.clone() };
                self.flipped(rule, now, ways, nth + 1, left - 1)
            });
            self.papers[nth] = before;
            flips
        })
    }

    /// Ballots changed one by one, the weightiest first, to a vote for one option alone, for none, or to an
    /// abstention; the fewest of these.
    fn greedy(&self, rule: &Rules, now: Decision) -> Option<u32> {
        let mut heaviest: Vec<usize> = (0..self.papers.len()).collect();
        heaviest.sort_by_key(|nth| std::cmp::Reverse(self.papers[*nth].seats * self.papers[*nth].weight));
        let towards = |way: &Paper| {
            let mut other = self.clone();
            let mut moved = 0;
            for nth in &heaviest {
                let paper = &mut other.papers[*nth];
                if (paper.choice, &paper.marks) == (way.choice, &way.marks) {
                    continue;
                }
                (paper.choice, paper.marks) = (way.choice, way.marks.clone());
                moved += 1;
                if !other.decide_read(rule).comes_to(now) {
                    return Some(moved);
                }
            }
            None
        };
        self.single(rule).iter().filter_map(towards).min()
    }

    /// A ballot for each option alone, one for none, an abstention.
    fn single(&self, rule: &Rules) -> Vec<Paper> {
        let alone = |option: u8| match rule.method {
            Method::Plurality => Paper::plain(Choice::Option(option)),
            Method::Borda | Method::Schulze | Method::InstantRunoff => {
                Paper::marked(Marks::Ranking(vec![vec![option]]))
            }
            Method::Approval => Paper::marked(Marks::Approved(vec![option])),
            Method::Score => {
                let score = |other| if other == option { Marks::BEST } else { 0 };
                Paper::marked(Marks::Scores((0..self.options).map(score).collect()))
            }
        };
        let mut single: Vec<Paper> = (0..self.options).map(alone).collect();
        if single.is_empty() {
            single.push(Paper::plain(Choice::Yes));
        }
        single.extend([Paper::plain(Choice::No), Paper::plain(Choice::Neutral)]);
        single
    }

    /// Every ballot that can be cast, if there are at most so many. Of scores only the lowest and the highest:
    /// whatever others change, these change.
    fn ways(&self, rule: &Rules, most: usize) -> Option<Vec<Paper>> {
        if self.options == 0 {
            return Some(self.single(rule));
        }
        let marks: Vec<Marks> = match rule.method {
            Method::Plurality => return Some(self.single(rule)),
            Method::Borda | Method::Schulze | Method::InstantRunoff => rankings(self.options, most)?,
            Method::Approval => subsets(self.options, most)?.into_iter().map(Marks::Approved).collect(),
            Method::Score => {
                let score = |set: Vec<u8>| {
                    let score = |option| if set.contains(&option) { Marks::BEST } else { 0 };
                    Marks::Scores((0..self.options).map(score).collect())
                };
                subsets(self.options, most)?.into_iter().map(score).collect()
            }
        };
        let sides = [Paper::plain(Choice::No), Paper::plain(Choice::Neutral)];
        Some(marks.into_iter().map(Paper::marked).chain(sides).collect())
    }
}

/// Every set of options but the empty one.
fn subsets(options: u8, most: usize) -> Option<Vec<Vec<u8>>> {
    let all = 1usize.checked_shl(options.into()).filter(|all| *all <= most)?;
    let members = |set: usize| (0..options).filter(|option| set & (1 << option) != 0).collect();
    Some((1..all).map(members).collect())
}

/// Every ranking that names at least one option, equal ones and partial ones included.
fn rankings(options: u8, most: usize) -> Option<Vec<Marks>> {
    let mut done: Vec<Vec<Vec<u8>>> = Vec::new();
    let mut open: Vec<Vec<Vec<u8>>> = vec![Vec::new()];
    while let Some(groups) = open.pop() {
        let left: Vec<u8> =
            (0..options).filter(|option| groups.iter().flatten().all(|named| named != option)).collect();
        for set in subsets(left.len() as u8, most)? {
            let group = set.into_iter().map(|nth| left[usize::from(nth)]).collect();
            let longer = [groups.clone(), vec![group]].concat();
            done.push(longer.clone());
            open.push(longer);
            if done.len() > most {
                return None;
            }
        }
    }
    Some(done.into_iter().map(Marks::Ranking).collect())
}

/// In how many ways some of so many can be chosen.
fn chosen(of: usize, some: usize) -> Option<usize> {
    (0..some).try_fold(1usize, |ways, nth| Some(ways.checked_mul(of - nth)? / (nth + 1)))
}

/// In how many ways `some` can be taken from a list, the same more than once.
fn multisets(of: usize, some: usize) -> Option<usize> {
    chosen(of.checked_add(some)?.checked_sub(1)?, some)
}
