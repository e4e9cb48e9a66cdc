//! Ballots counted under any rule of the core, and what else the same ballots could have come to.

use serde::Serialize;
use synod_core::ballot::{
    Basis, BasisShare, Margin, Method, Paper, Poll, Rules, Secrecy, Standing, THRESHOLDS, Tally, Tie, Weights,
};
use synod_core::kernel::{Choice, Decision, Marks, Ratio, Threshold};

use crate::sheet::{GivenAnswer, RecordedItem};

/// A rule under which whatever has the most votes leads, however few.
pub fn leads(method: Method, weights: Weights) -> Rules {
    // Any vote at all is more than none.
    let none = Ratio::new(0, 1).unwrap_or(Ratio::ONE);
    Rules { method, weights, ..plain(Threshold { ratio: none, strict: true }) }
}

/// Two thirds of the votes cast.
pub fn needs_two_thirds() -> Rules {
    let ratio = Ratio::new(2, 3).unwrap_or(Ratio::ONE);
    plain(Threshold { ratio, strict: false })
}

fn plain(pass: Threshold) -> Rules {
    Rules {
        basis: Basis::Cast,
        change: false,
        change_needs_argument: false,
        delegation: false,
        early: None,
        method: Method::Plurality,
        pass,
        quorum: Ratio::new(0, 1).unwrap_or(Ratio::ONE),
        record: None,
        secrecy: Secrecy::Open,
        tie: Tie::Undecided,
        unparsed_retries: 0,
        veto: Vec::new(),
        weights: Weights::Equal,
    }
}

/// Reads a rule: `schulze`, `>= 2/3 of seats`, or `method=borda, pass=> 1/2, basis=votes, quorum=1/2, tie=fails, weights=confidence`. What is
/// left out is as in `base`.
pub fn rule(written: &str, base: &Rules) -> Result<Rules, String> {
    let mut rule = base.clone();
    for part in written.split(',').map(str::trim).filter(|part| !part.is_empty()) {
        let (key, value) = keyed(part);
        set(&mut rule, key, value)?;
    }
    Ok(rule)
}

/// The rule that others differ from: more than half of the votes cast.
pub fn majority() -> Rules {
    let ratio = Ratio::new(1, 2).unwrap_or(Ratio::ONE);
    plain(Threshold { ratio, strict: true })
}

/// `pass=> 1/2`, a share, or a word that says by itself what it is.
fn keyed(part: &str) -> (&str, &str) {
    let named = part.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
    match named.filter(|(key, _)| KEYS.contains(key)) {
        Some(pair) => pair,
        // A share without a sign is to be reached, as in a charter.
        None if part.starts_with(|c: char| c == '>' || c == '.' || c.is_ascii_digit()) => ("pass", part),
        None if Weights::ALL.iter().any(|weights| weights.word() == part) => ("weights", part),
        None => ("method", part),
    }
}

/// What a rule can say.
const KEYS: [&str; 6] = ["method", "pass", "basis", "quorum", "tie", "weights"];

fn set(rule: &mut Rules, key: &str, value: &str) -> Result<(), String> {
    let one_of =
        |what: &str, words: &[&str]| format!("`{value}` is not a {what}; write one of: {}", words.join(", "));
    match key {
        "pass" => {
            let (share, basis) =
                value.split_once(" of ").map_or((value, None), |(share, basis)| (share, Some(basis)));
            rule.pass = share.trim().parse().map_err(|wrong| format!("{wrong}"))?;
            basis.map_or(Ok(()), |basis| set(rule, "basis", basis.trim()))?;
        }
        "basis" => {
            let found = Basis::ALL.into_iter().find(|basis| basis.to_string() == value);
            rule.basis = found.ok_or_else(|| one_of("basis", &["cast", "votes", "present", "seats"]))?;
        }
        "quorum" => rule.quorum = value.parse().map_err(|wrong| format!("{wrong}"))?,
        "tie" => {
            let known = [("fails", Tie::Fails), ("undecided", Tie::Undecided), ("earlier", Tie::Earlier)];
            let found = known.into_iter().find(|(word, _)| *word == value);
            rule.tie = found.ok_or_else(|| one_of("tie rule", &["fails", "undecided", "earlier"]))?.1;
        }
        "weights" => {
            let found = Weights::ALL.into_iter().find(|weights| weights.word() == value);
            rule.weights =
                found.ok_or_else(|| one_of("kind of weights", &Weights::ALL.map(Weights::word)))?;
        }
        "method" => {
            let found = Method::ALL.into_iter().find(|(word, _)| *word == value);
            rule.method = found
                .ok_or_else(|| {
                    let known = format!(
                        "{}, or KEY=VALUE with {}",
                        Method::ALL.map(|it| it.0).join(", "),
                        KEYS.join(", ")
                    );
                    format!(
                        "`{value}` is not a rule; write a threshold such as `>= 2/3 of seats`, one of {known}"
                    )
                })?
                .1;
        }
        _ => return Err(format!("unknown key `{key}`; known are {}", KEYS.join(", "))),
    }
    Ok(())
}

/// What a rule made of one item.
#[derive(Debug, Clone, Serialize)]
pub struct ItemTally {
    /// The item.
    pub item: String,
    /// The answers that could be chosen.
    pub options: Vec<String>,
    /// What it came to.
    pub decision: Decision,
    /// The answer that passed.
    pub answer: Option<String>,
    /// The truth, where it is known.
    pub gold: Option<String>,
    /// Votes, by heads.
    pub tally: Tally,
    /// The same in thousandths of votes, where votes are weighed.
    pub weighed: Option<Tally>,
    /// The order of options, where ballots rank them.
    pub standing: Option<Standing>,
    /// The fewest ballots that, cast otherwise, would have changed it.
    pub margin: Option<u32>,
    /// Whether there may be fewer.
    pub margin_bound: bool,
}

/// Counts the answers of a round to an item. `weights` are those of agents, in thousandths. A plain yes-or-no item is counted as one.
pub fn item(item: &RecordedItem, round: u32, rule: &Rules, weights: Option<&[u32]>) -> ItemTally {
    let (poll, options) = poll(item, round, rule, weights);
    let decision = poll.decision(rule);
    let margin = margin(&poll, rule);
    let answer = match decision {
        Decision::Passed { option: Some(option) } => options.get(usize::from(option)).cloned(),
        Decision::Passed { option: None } => Some("yes".into()),
        Decision::Rejected if poll.options == 0 => Some("no".into()),
        Decision::Rejected | Decision::Undecided(_) | Decision::Contested => None,
        Decision::Estimated(_) | Decision::Resolved | Decision::Closed => None,
    };
    ItemTally {
        item: item.name.clone(),
        decision,
        answer,
        gold: item.gold.and_then(|gold| item.options.get(usize::from(gold)).cloned()),
        tally: poll.tally(),
        weighed: (!rule.weights.is_equal()).then(|| poll.weighed()),
        standing: poll.standing(rule),
        margin: margin.ballots,
        margin_bound: margin.bound,
        options,
    }
}

/// Who answered in a round, and what.
fn asked(item: &RecordedItem, round: u32) -> Vec<(usize, &GivenAnswer)> {
    let given = item.rounds.get(&round).into_iter().flatten().enumerate();
    given.filter_map(|(agent, given)| Some((agent, given.as_ref()?))).collect()
}

/// The ballots of an item as the core counts them. Answers that could not be used are unparsed; nothing is made of them.
fn poll(item: &RecordedItem, round: u32, rule: &Rules, weights: Option<&[u32]>) -> (Poll, Vec<String>) {
    let sides = plain_sides(item);
    // A question of yes and no has nothing to rank.
    let options = if sides.is_some() { Vec::new() } else { item.options.clone() };
    let asked = asked(item, round);
    let mut poll = Poll {
        options: options.len() as u8,
        seats: asked.len() as u32,
        present: asked.len() as u32,
        ..Poll::default()
    };
    for (agent, given) in asked {
        // A vote that does not say how sure it is has no weight that anybody knows.
        let unknown = rule.weights == Weights::Confidence && given.confidence.is_none();
        let weight = match rule.weights {
            Weights::Equal => 1000,
            Weights::Confidence => given.confidence.unwrap_or(0),
            Weights::Reliability => weights.and_then(|weights| weights.get(agent)).copied().unwrap_or(1000),
        };
        let paper = match (&sides, given.first(), rule.method) {
            _ if unknown || given.groups.is_empty() => None,
            (Some(sides), Some(first), _) => {
                sides.get(usize::from(first)).copied().flatten().map(Paper::plain)
            }
            (Some(_), None, _) => None,
            (None, Some(first), Method::Plurality) => Some(Paper::plain(Choice::Option(first))),
            (None, None, Method::Plurality) => None,
            (None, _, _) => Some(ranked_paper(given)),
        };
        match paper {
            Some(paper) => poll.papers.push(Paper { weight, ..paper }),
            None => poll.unparsed.push(1),
        }
    }
    (poll, options)
}

/// The sides of a plain question, by the item's options: where all answers are words for yes, no and abstaining.
fn plain_sides(item: &RecordedItem) -> Option<Vec<Option<Choice>>> {
    let side = |answer: &String| {
        Some(match answer.to_lowercase().as_str() {
            "y" | "yes" | "aye" | "true" | "1" | "for" => Choice::Yes,
            "n" | "no" | "nay" | "false" | "0" | "against" => Choice::No,
            "abstain" | "neutral" => Choice::Neutral,
            _ => return None,
        })
    };
    let sides: Option<Vec<Choice>> = item.options.iter().map(side).collect();
    sides.map(|sides| sides.into_iter().map(Some).collect())
}

/// A ballot that ranks.
pub(crate) fn ranked_paper(given: &GivenAnswer) -> Paper {
    Paper::marked(Marks::Ranking(given.groups.clone()))
}

/// What a count passes, on every basis and at every threshold, and where it would flip.
#[derive(Debug, Clone, Serialize)]
pub struct Diagnosis {
    /// What the rule makes of it.
    pub decision: Decision,
    /// What the readable votes alone come to.
    pub without_unparsed: Decision,
    /// What it would come to if every unreadable vote were an abstention, one for what leads, one against.
    pub unparsed: Option<UnparsedEnds>,
    /// The share of what leads, on every basis.
    pub bases: Vec<BasisShare>,
    /// The thresholds of the table.
    pub thresholds: Vec<Threshold>,
    /// How many votes what leads has too many or too few at each threshold.
    pub flips: Vec<FlipPoint>,
    /// The fewest ballots that change the result.
    pub margin: Option<u32>,
    /// Whether there may be fewer.
    pub margin_bound: bool,
}

/// The two ends that unreadable votes could have led to.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct UnparsedEnds {
    /// All for what leads.
    pub all_for: Decision,
    /// All against.
    pub all_against: Decision,
    /// All abstain.
    pub all_abstain: Decision,
}

/// Votes between a count and a threshold.
#[derive(Debug, Clone, Serialize)]
pub struct FlipPoint {
    /// What the share is taken of.
    pub basis: Basis,
    /// The threshold.
    pub threshold: Threshold,
    /// Whether it is met.
    pub met: bool,
    /// The fewest votes for what leads that meet it while the basis stays as it is.
    pub needed: Option<u32>,
    /// How many votes for it there are.
    pub has: u32,
}

/// The fewest ballots that change the result. Plain votes are searched through; for others it may be an upper bound.
fn margin(poll: &Poll, rule: &Rules) -> Margin {
    match rule.is_plain() {
        true => Margin { ballots: poll.tally().margin(rule), bound: false },
        false => poll.margin(rule),
    }
}

/// Looks at a count from every side.
pub fn diagnose(poll: &Poll, rule: &Rules) -> Diagnosis {
    let bases = poll.lines(rule);
    let read = Poll { unparsed: Vec::new(), unparsed_veto: false, known: None, ..poll.clone() };
    let points = bases.iter().flat_map(|line| {
        THRESHOLDS.into_iter().map(|threshold| FlipPoint {
            basis: line.basis,
            threshold,
            met: line.meets(threshold),
            needed: (0..=line.whole).find(|votes| threshold.is_met_by(*votes, line.whole)),
            has: line.part,
        })
    });
    let leading = poll.leading(rule);
    let filled = |choice: Choice| {
        let weights = poll.known.as_ref().map(|known| known.unparsed.clone()).unwrap_or_default();
        let papers = poll.unparsed.iter().enumerate().map(|(at, seats)| Paper {
            seats: *seats,
            weight: weights.get(at).copied().unwrap_or(1000),
            ..marked(choice, rule.method)
        });
        let mut other = read.clone();
        other.papers.extend(papers);
        other.known.clone_from(&poll.known);
        if let Some(known) = &mut other.known {
            known.unparsed.clear();
        }
        other.decision(rule)
    };
    let margin = margin(poll, rule);
    Diagnosis {
        decision: poll.decision(rule),
        without_unparsed: read.decision(rule),
        unparsed: (!poll.unparsed.is_empty()).then(|| UnparsedEnds {
            all_for: filled(leading),
            all_against: filled(Choice::No),
            all_abstain: filled(Choice::Neutral),
        }),
        flips: points.collect(),
        bases,
        thresholds: THRESHOLDS.to_vec(),
        margin: margin.ballots,
        margin_bound: margin.bound,
    }
}

fn marked(choice: Choice, method: Method) -> Paper {
    match (choice, method) {
        (Choice::Option(option), Method::Borda | Method::Schulze | Method::InstantRunoff) => {
            Paper::marked(Marks::Ranking(vec![vec![option]]))
        }
        (Choice::Option(option), Method::Approval) => Paper::marked(Marks::Approved(vec![option])),
        (choice, _) => Paper::plain(choice),
    }
}

/// The ballots of an item, ready to be looked at from every side.
pub fn item_poll(item: &RecordedItem, round: u32, rule: &Rules) -> Poll {
    poll(item, round, rule, None).0
}

/// Counts given by hand: `43/27/2`, for, against, abstaining, and with a fourth number those that could not be read.
pub fn by_hand(written: &str, seats: Option<u32>) -> Result<Poll, String> {
    let wrong = || {
        format!(
            "`{written}` is not a count; write FOR/AGAINST/ABSTAINED such as 43/27/2, and /UNREADABLE if there are any"
        )
    };
    let numbers: Vec<u32> = written
        .split('/')
        .map(|number| number.trim().parse().map_err(|_| wrong()))
        .collect::<Result<_, _>>()?;
    let (yes, no, neutral, unparsed) = match numbers.as_slice() {
        [yes, no] => (*yes, *no, 0, 0),
        [yes, no, neutral] => (*yes, *no, *neutral, 0),
        [yes, no, neutral, unparsed] => (*yes, *no, *neutral, *unparsed),
        _ => return Err(wrong()),
    };
    let voted = [yes, no, neutral, unparsed].iter().try_fold(0u32, |sum, votes| sum.checked_add(*votes));
    let voted = voted.filter(|voted| *voted <= 10_000).ok_or("a count has at most 10000 votes")?;
    let seats = seats.unwrap_or(voted);
    if seats < voted {
        return Err(format!("{voted} votes are more than {seats} seats"));
    }
    let sides = [(Choice::Yes, yes), (Choice::No, no), (Choice::Neutral, neutral)];
    let papers = sides.into_iter().flat_map(|(side, votes)| (0..votes).map(move |_| Paper::plain(side)));
    let unparsed = vec![1; unparsed as usize];
    Ok(Poll { papers: papers.collect(), present: voted, seats, unparsed, ..Poll::default() })
}
