//! Details of a count, one line each: the order of options and the numbers behind it, delegations, lost and vetoed votes,
//! ties, and what is hidden.

use synod_core::ballot::{RecordTrust, Secrecy, Standing, StandingNumbers, Tie, Vote, Weights};
use synod_core::kernel::text::counted;
use synod_core::kernel::{Choice, Marks};
use synod_core::view::{BallotReport, Dissent, Doubt, Report, Reservation, SeatReport};

use super::words;

/// A vote as it stands on the ballot.
pub(super) fn vote(report: &Report, vote: &Vote) -> String {
    vote.spelled(report.question.options.len())
}

/// The same of somebody's last vote.
pub(super) fn last(report: &Report, choice: Option<Choice>, marks: Option<&Marks>, sealed: bool) -> String {
    match (choice, marks) {
        (_, Some(marks)) => marks.to_string(),
        (Some(choice), None) => words::ballot_word(report, choice),
        (None, None) if sealed => "hidden".into(),
        (None, None) => "none".into(),
    }
}

/// How a seat voted last: for what, or to whom it passed its vote.
pub(super) fn of_seat(report: &Report, row: &SeatReport) -> String {
    let passed = report.deciding().map(|ballot| ballot.delegations.as_slice()).unwrap_or_default();
    match passed.iter().find(|passed| passed.who == row.seat.who) {
        Some(passed) => format!("delegated to {}", words::name(report, &passed.to)),
        None if !row.grades.is_empty() => grades(&row.grades),
        None => last(report, row.vote, row.marks.as_ref(), row.sealed),
    }
}

/// Votes on proposals, in a row.
pub(super) fn grades(grades: &[synod_core::view::ProposalGrade]) -> String {
    grades.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// How somebody voted against a result.
pub(super) fn against(report: &Report, row: &Dissent) -> String {
    let vote = match (row.grade, row.proposal) {
        (Some(grade), Some(letter)) => format!("{grade} on {letter}"),
        (Some(grade), None) => grade.to_string(),
        // Nobody votes on an issue.
        (None, _) if report.is_issue() => match row.choice {
            Some(Choice::Yes) => "approved".into(),
            _ => "objected".into(), // who did neither is not here
        },
        (None, _) => last(report, row.choice, row.marks.as_ref(), false),
    };
    if row.veto { format!("{vote}, a veto") } else { vote }
}

/// What a reservation is.
pub(super) fn doubt(row: &Reservation) -> String {
    let on = row.proposal.map(|letter| format!(" on {letter}")).unwrap_or_default();
    match row.doubt {
        Doubt::Abstained => format!("abstained{on}"),
        Doubt::Concerns => format!("APPROVE_WITH_CONCERNS{on}"),
        Doubt::Reacted(reaction) => format!("reacted {}{on}", reaction.word()),
    }
}

/// The fewest ballots that would have changed the result.
pub(super) fn margin(ballot: &BallotReport) -> String {
    match (ballot.margin, ballot.margin_bound) {
        (Some(margin), true) => {
            format!("{} or fewer would have changed it", counted(margin.into(), "ballot"))
        }
        (Some(margin), false) => format!("{} would have changed it", counted(margin.into(), "ballot")),
        (None, _) if ballot.hides_margin() => "not shown: it would tell who voted how".into(),
        (None, true) => "unknown: too many combinations to check".into(),
        (None, false) => "no change of the votes cast would have changed it".into(),
    }
}

/// How the options stand, and the numbers behind it.
pub(super) fn standing(ballot: &BallotReport) -> Vec<String> {
    let Some(standing) = ballot.count.as_ref().and_then(|count| count.standing.as_ref()) else {
        // Without a count of its own the headline tells how a tie was broken.
        return Vec::new();
    };
    let order = Marks::Ranking(standing.order.clone());
    let mut lines = vec![format!("by {}: {order}", ballot.rule.method.word())];
    lines.extend(numbers(ballot, standing));
    if !ballot.tied.is_empty() {
        let tied = letters(&ballot.tied);
        lines.push(match ballot.rule.tie {
            Tie::Earlier => {
                let leads = Choice::letter(standing.leader);
                format!("tied: {tied}; under the charter the earlier option leads, so {leads} leads")
            }
            Tie::Undecided => format!("tied: {tied}; the charter does not break ties"),
            Tie::Fails => format!("tied: {tied}; under the charter a tie is a rejection"),
        });
    }
    lines
}

fn letters(options: &[u8]) -> String {
    options.iter().map(|option| Choice::letter(*option).to_string()).collect::<Vec<_>>().join(", ")
}

fn each(values: &[u64], amount: impl Fn(u64) -> String) -> String {
    let one = |(option, value): (usize, &u64)| format!("{} {}", Choice::letter(option as u8), amount(*value));
    values.iter().enumerate().map(one).collect::<Vec<_>>().join(", ")
}

fn numbers(ballot: &BallotReport, standing: &Standing) -> Vec<String> {
    let amount = |votes: u64| ballot.amount(votes);
    let part = |votes: u64, unit: u64| fraction(ballot, votes, unit);
    match &standing.numbers {
        StandingNumbers::Borda { halves } => {
            vec![format!("points: {}", each(halves, |halves| part(halves, 2)))]
        }
        StandingNumbers::Schulze { pairs, paths } => {
            let table = |values: &[Vec<u64>]| {
                let all = 0..values.len();
                let cells =
                    all.clone().flat_map(|one| all.clone().skip(one + 1).map(move |other| (one, other)));
                let cell = |(one, other): (usize, usize)| {
                    let (left, right) = (Choice::letter(one as u8), Choice::letter(other as u8));
                    let (has, against) = (amount(values[one][other]), amount(values[other][one]));
                    format!("{left} {has} to {against} {right}")
                };
                cells.map(cell).collect::<Vec<_>>().join(", ")
            };
            vec![format!("in pairs: {}", table(pairs)), format!("strongest chains: {}", table(paths))]
        }
        StandingNumbers::InstantRunoff { rounds, unit } => {
            let line = |(nth, round): (usize, &synod_core::ballot::EliminationRound)| {
                let votes: Vec<String> = round
                    .votes
                    .iter()
                    .map(|(option, votes)| format!("{} {}", Choice::letter(*option), part(*votes, *unit)))
                    .collect();
                let spent = match round.exhausted {
                    0 => String::new(),
                    votes => format!(", {} with none of these options left", part(votes, *unit)),
                };
                let tied = match round.tied.as_slice() {
                    [] => String::new(),
                    tied => format!(" (tied with {}; the last one listed is out)", letters(tied)),
                };
                let out = letters(&round.out);
                format!("count {}: {}{spent}; out: {out}{tied}", nth + 1, votes.join(", "))
            };
            rounds.iter().enumerate().map(line).collect()
        }
        StandingNumbers::Approval { approvals } => vec![format!("approvals: {}", each(approvals, amount))],
        StandingNumbers::Score { sums, votes } => {
            let mean = |sum: u64| if *votes == 0 { "none".into() } else { format!("{sum}/{votes}") };
            vec![format!("sums: {}", each(sums, amount)), format!("means: {}", each(sums, mean))]
        }
    }
}

/// An exact number of votes given in parts: whole, decimal where it ends soon, else a fraction.
fn fraction(ballot: &BallotReport, part: u64, unit: u64) -> String {
    let scale = match ballot.rule.weights {
        Weights::Equal => 1,
        Weights::Confidence | Weights::Reliability => 1000,
    };
    let (mut a, mut b) = (part, unit * scale);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    let (part, unit) = (part / a.max(1), unit * scale / a.max(1));
    match unit {
        1 => part.to_string(),
        unit if 10_000u64.is_multiple_of(unit) => {
            let digits = part % unit * (10_000 / unit);
            format!("{}.{digits:04}", part / unit).trim_end_matches('0').to_string()
        }
        unit => format!("{part}/{unit}"),
    }
}

/// What else a reader of the count must know.
pub(super) fn besides(report: &Report, ballot: &BallotReport) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let least = ballot.rule.record.map_or(0, |by| by.least);
    match &ballot.trust {
        Some(RecordTrust::TooFew { known }) => {
            let seats = report.asked().count();
            lines.push(format!(
                "unweighted: only {known} of {seats} seats have a track record of {}; at least half must",
                counted(u64::from(least), "matter")
            ));
        }
        Some(RecordTrust::NoneAhead) => {
            lines.push("unweighted: no seat's track record is better than chance".into());
        }
        Some(RecordTrust::Weights(_)) => lines.push("weighted by track record".into()),
        Some(RecordTrust::Learned(learned)) => lines.extend(super::records::worth(report, learned)),
        None => (),
    }
    if let Some(count) = &ballot.count {
        for row in &count.carried {
            let by = words::name(report, &row.by);
            let of = match row.of.as_slice() {
                [] => String::new(),
                of => format!(" also votes for {}", words::names(report, of)),
            };
            let weight = row.weight.map(|weight| format!(" counts for {}", ballot.amount(weight.into())));
            let and = if of.is_empty() || weight.is_none() { "" } else { " and" };
            lines.push(format!("{by}{of}{and}{}", weight.unwrap_or_default()));
        }
        let lost = |row: &synod_core::ballot::LostVote| {
            format!("{}'s vote is missing: {}", words::name(report, &row.who), row.why.words())
        };
        lines.extend(count.lost.iter().map(lost));
        lines.extend(count.blocked.iter().map(|who| format!("vetoed by {}", words::name(report, who))));
    }
    lines.extend(ballot.vetoes_unseated(report).map(|who| format!("{who} has a veto but no seat here")));
    if ballot.hidden {
        let when = match ballot.rule.secrecy {
            Secrecy::Secret => "only counts and seals are shown",
            Secrecy::Open | Secrecy::UntilClosed => "shown once the vote is closed",
        };
        let cast = counted(ballot.sealed.len() as u64, "vote");
        lines.push(format!("{cast} sealed: {when}"));
    }
    lines
}

/// The seals, for those who want to prove a vote.
pub(super) fn seals(report: &Report, ballot: &BallotReport) -> Vec<String> {
    ballot.sealed.iter().map(|row| format!("{} {}", words::name(report, &row.who), row.seal)).collect()
}

/// Why votes are not shown.
pub(super) fn unseen(ballot: &BallotReport) -> &'static str {
    match ballot.rule.secrecy {
        Secrecy::Open | Secrecy::UntilClosed => "not shown: the vote was never closed",
        Secrecy::Secret => "not shown: the votes are secret",
    }
}
