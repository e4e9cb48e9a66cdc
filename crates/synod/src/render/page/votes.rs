//! Every vote: bars, the rule and its count, each ballot with its reason.

use synod_core::view::{BallotReport, Report};

use super::super::{ballots, words};
use super::{Bar, Page, PageBlock, Tone};

impl Page {
    pub(super) fn votes(&mut self, report: &Report) {
        if report.ballots.is_empty() {
            return;
        }
        self.para(format!("Agreement: {}", words::agreed(report)));
        words::sureness(report).into_iter().for_each(|sure| self.para(format!("Confidence: {sure}")));
        report.ballots.iter().for_each(|ballot| self.ballot(report, ballot));
    }

    /// How many voted for what.
    pub(super) fn bars(&mut self, report: &Report, ballot: &BallotReport) {
        let Some(tally) = &ballot.tally else { return };
        // Of rankings and scores the count says more than first places do.
        if ballot.count.as_ref().is_some_and(|count| count.standing.is_some()) || report.ring.is_some() {
            return;
        }
        let bar = |choice| {
            let voters = ballot.votes.iter().filter(|vote| vote.choice == choice).map(|vote| &vote.who);
            Bar {
                label: words::choice(report, choice),
                votes: tally.votes_for(choice),
                of: tally.seats,
                who: words::names(report, voters),
                tone: Tone::of(Some(choice)),
            }
        };
        let mut bars: Vec<Bar> = tally.choices().into_iter().map(bar).collect();
        bars.retain(|bar| bar.votes > 0 || !matches!(bar.tone, Tone::Neutral | Tone::None));
        let unread = ballot.unparsed.len() as u32;
        if unread > 0 {
            let who = words::names(report, &ballot.unparsed);
            bars.push(Bar {
                label: "unreadable".into(),
                votes: unread,
                of: tally.seats,
                who,
                tone: Tone::None,
            });
        }
        self.0.push(PageBlock::Bars(bars));
    }

    fn ballot(&mut self, report: &Report, ballot: &BallotReport) {
        self.heading(2, format!("Vote: {}", ballot.stage));
        let rule = &ballot.rule;
        let result = match (ballot.decision, ballot.missed()) {
            (Some(decision), _) => decision.word().to_string(),
            (None, Some(bar)) => {
                format!("none, it needed {} to settle the matter and the debate went on", bar.words())
            }
            (None, None) => "open".into(),
        };
        let bound = if ballot.margin_bound { " or fewer" } else { "" };
        let margin = ballot.margin.map_or("none".into(), |margin| margin.to_string()) + bound;
        // What was never counted, or settled nothing, has no margin.
        let counted = ballot.tally.as_ref().filter(|_| !ballot.hides_margin() && ballot.settled);
        let margin = counted.map(|_| format!(" Ballots that would have changed it: {margin}."));
        self.para(format!(
            "Rule: {} of {}, quorum {}. Result: {result}.{}",
            rule.pass.words(),
            rule.basis,
            rule.quorum,
            margin.unwrap_or_default()
        ));
        let line = |line: &synod_core::ballot::BasisShare| {
            let passes: Vec<String> = line.passes.iter().map(ToString::to_string).collect();
            let (part, whole) = (ballot.amount(line.part.into()), ballot.amount(line.whole.into()));
            vec![line.basis.to_string(), format!("{part}/{whole}"), passes.join(", ")]
        };
        if !ballot.bases.is_empty() {
            self.0.push(PageBlock::Table(
                &["basis", "support", "passes"],
                ballot.bases.iter().map(line).collect(),
            ));
        }
        if let Some(voters) = ballot.voters {
            self.para(format!("{voters}, because seats share models"));
        }
        let count: Vec<String> =
            ballots::standing(ballot).into_iter().chain(ballots::besides(report, ballot)).collect();
        self.list(3, "How it was counted", count);
        self.list(3, "Seals", ballots::seals(report, ballot));
        for passed in &ballot.delegations {
            let (who, to) = (words::name(report, &passed.who), words::name(report, &passed.to));
            self.heading(3, format!("{who} delegates its vote to {to}"));
            self.quote(passed.reason.as_deref().unwrap_or("(no reason given)"));
        }
        for vote in &ballot.votes {
            let (who, choice) = (words::name(report, &vote.who), ballots::vote(report, vote));
            let changed =
                words::changed(report, vote).map(|changed| format!(" ({changed})")).unwrap_or_default();
            let sure = vote.confidence.map(|sure| format!(", confidence {sure}")).unwrap_or_default();
            self.heading(3, format!("{who} votes {choice}{changed}{sure}"));
            self.quote(vote.reason.as_deref().unwrap_or("(no reason given)"));
            self.labelled("The argument that changed it", vote.argument.as_deref());
            self.labelled("Would change if", vote.change_if.as_deref());
            self.points("Conditions", vote.conditions.clone());
        }
        if !ballot.unparsed.is_empty() {
            self.para(format!("Votes that could not be read: {}", words::names(report, &ballot.unparsed)));
        }
    }
}
