//! Counting ballots that are more than one side each: marked, weighed, carried for others, or with a veto.

use super::table::line;
use super::{Basis, BasisShare, Rules, Standing, Tally, Tie, Weights};
use crate::kernel::{Choice, Decision, Marks, Threshold, UndecidedReason};

/// A whole vote.
pub(super) const WHOLE: u32 = 1000;

/// One ballot paper.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Paper {
    /// The side taken.
    pub choice: Choice,
    /// The marks, where a side was taken and ballots are marked.
    pub marks: Option<Marks>,
    /// Seats whose vote it is: the voter's and those it carries.
    pub seats: u32,
    /// Whether the voter blocks what it turns down.
    pub veto: bool,
    /// What it counts for each of them, in thousandths of a vote.
    pub weight: u32,
}

impl Paper {
    /// One seat's vote for one side.
    pub fn plain(choice: Choice) -> Self {
        Self { choice, marks: None, seats: 1, veto: false, weight: WHOLE }
    }

    /// One seat's marked vote.
    pub fn marked(marks: Marks) -> Self {
        Self { marks: Some(marks.clone()), ..Self::plain(marks.side()) }
    }

    /// Whether it turns down what would be carried.
    fn turns_down(&self, option: Option<u8>) -> bool {
        match (self.choice, &self.marks, option) {
            (Choice::No, _, _) => true,
            (_, Some(marks), Some(option)) => !marks.supports(option),
            (Choice::Yes | Choice::Neutral | Choice::Option(_), _, _) => false,
        }
    }
}

/// The weights of all votes, in thousandths of a vote.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KnownWeights {
    /// Of those who took part in the matter, together.
    pub present: u32,
    /// Of all seats, together.
    pub seats: u32,
    /// Of each vote that could not be read.
    pub unparsed: Vec<u32>,
}

/// The ballots of a vote, after delegated ones found who carries them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Poll {
    /// Options to choose from; 0 for a plain question.
    pub options: u8,
    /// What was cast and could be read.
    pub papers: Vec<Paper>,
    /// Seats that took part in the matter.
    pub present: u32,
    /// All seats.
    pub seats: u32,
    /// For each vote that could not be read the seats it would have counted for: the voter's, and those whose
    /// votes were passed on to it and so reached nobody.
    pub unparsed: Vec<u32>,
    /// What votes count for that were not cast, where that is known beforehand.
    pub known: Option<KnownWeights>,
    /// Whether one of these was of a seat with a veto.
    pub unparsed_veto: bool,
}

impl Poll {
    /// The votes by the side they take, a seat counting once.
    pub fn tally(&self) -> Tally {
        self.counted(1, |paper| paper.seats)
    }

    /// The same in thousandths of votes, by what each counts for.
    pub fn weighed(&self) -> Tally {
        let mut tally = self.counted(WHOLE, |paper| paper.seats * paper.weight);
        if let Some(known) = &self.known {
            (tally.present, tally.seats) = (known.present, known.seats);
            tally.unparsed = known.unparsed.iter().sum();
            tally.missing = known.seats.saturating_sub(tally.whole(Basis::Votes) + tally.unparsed);
        }
        tally
    }

    fn counted(&self, unit: u32, votes: impl Fn(&Paper) -> u32) -> Tally {
        let mut tally = Tally::new(self.options, self.seats * unit);
        for paper in &self.papers {
            tally.add(paper.choice, votes(paper));
        }
        let unread = self.unparsed.len() as u32;
        let heard = self.papers.iter().map(|paper| paper.seats).sum::<u32>() + unread;
        tally.unparsed = unread * unit;
        tally.missing = self.seats.saturating_sub(heard) * unit;
        tally.present = self.present * unit;
        tally
    }

    /// The tally that shares are taken of.
    pub fn scale(&self, rule: &Rules) -> Tally {
        match rule.weights {
            Weights::Equal => self.tally(),
            Weights::Confidence | Weights::Reliability => self.weighed(),
        }
    }

    /// The order of the options, where ballots are marked.
    pub fn standing(&self, rule: &Rules) -> Option<Standing> {
        let votes = |paper: &Paper| {
            u64::from(paper.seats)
                * match rule.weights {
                    Weights::Equal => 1,
                    Weights::Confidence | Weights::Reliability => u64::from(paper.weight),
                }
        };
        let marked = self.papers.iter().filter_map(|paper| Some((paper.marks.as_ref()?, votes(paper))));
        rule.method.count(self.options, &marked.collect::<Vec<_>>()).filter(|_| self.options > 0)
    }

    /// What the rule makes of the ballots, unreadable ones included.
    pub fn decision(&self, rule: &Rules) -> Decision {
        let read = self.decide_read(rule);
        if !self.unparsed.is_empty() && self.is_open(rule, read) { Decision::Contested } else { read }
    }

    /// What the rule makes of the ballots that could be read.
    pub(super) fn decide_read(&self, rule: &Rules) -> Decision {
        let carried = self.decide_unblocked(rule);
        match carried {
            Decision::Passed { option }
                if self.papers.iter().any(|paper| paper.veto && paper.turns_down(option)) =>
            {
                if option.is_some() {
                    Decision::Undecided(UndecidedReason::Vetoed)
                } else {
                    Decision::Rejected
                }
            }
            Decision::Passed { .. } | Decision::Rejected | Decision::Estimated(_) => carried,
            Decision::Undecided(_) | Decision::Contested => carried,
            Decision::Resolved | Decision::Closed => carried, // no ballot comes to these
        }
    }

    /// The same, as if nobody had a veto.
    fn decide_unblocked(&self, rule: &Rules) -> Decision {
        if self.tally().lacks_quorum(rule) {
            return Decision::Undecided(UndecidedReason::Quorum);
        }
        let tally = self.scale(rule);
        let sides = |tally: &Tally| tally.whole(Basis::Cast);
        if sides(&tally) == 0 && sides(&self.tally()) > 0 {
            return Decision::Undecided(UndecidedReason::Weightless);
        }
        let Some(standing) = self.standing(rule) else { return tally.decide_counted(rule) };
        if rule.pass.is_met_by(tally.no, tally.whole(rule.basis)) || tally.whole(Basis::Cast) == 0 {
            return Decision::Rejected;
        }
        match (standing.winners.len(), rule.tie) {
            (2.., Tie::Fails) => return Decision::Rejected,
            (2.., Tie::Undecided) => return Decision::Undecided(UndecidedReason::Tie),
            (2.., Tie::Earlier) | (0 | 1, _) => (),
        }
        match self.line(rule, &tally, &standing, rule.basis).meets(rule.pass) {
            true => Decision::Passed { option: Some(standing.leader) },
            false => Decision::Undecided(UndecidedReason::Below),
        }
    }

    /// The papers that block what would have been carried.
    pub fn blocking(&self, rule: &Rules) -> Vec<usize> {
        let Decision::Passed { option } = self.decide_unblocked(rule) else { return Vec::new() };
        let blocks = |paper: &Paper| paper.veto && paper.turns_down(option);
        self.papers.iter().enumerate().filter(|(_, paper)| blocks(paper)).map(|(nth, _)| nth).collect()
    }

    /// The count on every basis: the support of what leads, and what it would pass.
    pub fn lines(&self, rule: &Rules) -> Vec<BasisShare> {
        let tally = self.scale(rule);
        match self.standing(rule) {
            None => super::pass_table(&tally),
            Some(standing) => {
                Basis::ALL.into_iter().map(|basis| self.line(rule, &tally, &standing, basis)).collect()
            }
        }
    }

    fn line(&self, rule: &Rules, tally: &Tally, standing: &Standing, basis: Basis) -> BasisShare {
        let support = standing.support.get(usize::from(standing.leader)).copied().unwrap_or(0);
        // The share of a sum of scores is taken of the highest it could be.
        let most = if rule.method == super::Method::Score { u32::from(Marks::BEST) } else { 1 };
        line(basis, u32::try_from(support).unwrap_or(u32::MAX), tally.whole(basis).saturating_mul(most))
    }

    /// What stands to be carried.
    pub fn leading(&self, rule: &Rules) -> Choice {
        match self.standing(rule) {
            Some(standing) => Choice::Option(standing.leader),
            None => self.scale(rule).leading(),
        }
    }

    /// Whether one side is strong enough that this vote may settle the matter before its last stage.
    pub fn is_clear(&self, rule: &Rules, early: Threshold) -> bool {
        let tally = self.scale(rule);
        match self.decision(rule) {
            Decision::Passed { .. } => {
                self.lines(rule).iter().any(|line| line.basis == rule.basis && line.meets(early))
            }
            Decision::Rejected => early.is_met_by(tally.no, tally.whole(rule.basis)),
            Decision::Estimated(_) | Decision::Undecided(_) | Decision::Contested => false,
            Decision::Resolved | Decision::Closed => false,
        }
    }
}
