//! Every view of a matter, held against its raw votes and against each other. Whatever happened in a matter, no view may
//! say something that another contradicts. A failure prints its seed.

use std::collections::BTreeSet;

use serde_json::Value;
use synod_core::Command;
use synod_core::ballot::{self, Basis};
use synod_core::house::{Ballot, Case, Item, Reader};
use synod_core::kernel::{Actor, Choice, Decision, Digest, Permille, SeatKind, Who};
use synod_core::matter::{Pause, QuestionKind, Status};
use synod_core::view::{Comparison, MatterLine, Recommendation, Report, RoundReport, Thoughts, receipt};

use crate::random::{Dice, play};
use crate::ring::sessions;
use crate::world::{World, source};

/// How often each kind of matter was looked at: a generator too tame would prove nothing.
#[derive(Default)]
struct Met(BTreeSet<String>);

/// The last vote of everyone on a proposal, as the record has it.
fn grades(ballot: &Ballot, place: usize) -> Vec<(&Who, Choice)> {
    let Some(standing) = ballot.standings.get(place) else { return Vec::new() };
    let on = ballot.graded.iter().filter(|vote| vote.proposal == standing.proposal);
    let mut last: Vec<(&Who, Choice)> = Vec::new();
    for vote in on {
        last.retain(|(who, _)| **who != vote.who);
        last.push((&vote.who, vote.grade.side()));
    }
    last
}

/// Those whom the result went against, counted from the record alone.
fn against(case: &Case) -> BTreeSet<Who> {
    let (Some(ballot), Status::Settled(decision)) = (case.ballots.last(), case.status()) else {
        return BTreeSet::new();
    };
    let council = ballot.votes.iter().filter(|vote| match decision {
        _ if vote.choice == Choice::Neutral => false,
        Decision::Passed { option: None } => vote.choice == Choice::No,
        Decision::Passed { option: Some(at) } => match &vote.marks {
            Some(marks) => !marks.is_top(at),
            None => vote.choice != Choice::Option(at),
        },
        Decision::Rejected => vote.choice != Choice::No,
        Decision::Estimated(_) => false,
        Decision::Undecided(_) | Decision::Contested => true,
        Decision::Resolved | Decision::Closed => true, // no ballot comes to these
    });
    let all = case.ring().map_or(0, |(_, state)| state.table.proposals.len());
    let of_ring: Vec<(&Who, Choice)> = match decision {
        Decision::Passed { option: Some(at) } => {
            grades(ballot, usize::from(at)).into_iter().filter(|(_, side)| *side == Choice::No).collect()
        }
        _ => {
            let sides = (0..all).flat_map(|place| grades(ballot, place));
            let early = ballot.graded.iter().map(|vote| (&vote.who, vote.grade.side()));
            let sides: Vec<_> = if ballot.standings.is_empty() { early.collect() } else { sides.collect() };
            sides.into_iter().filter(|(_, side)| *side != Choice::Neutral).collect()
        }
    };
    council.map(|vote| vote.who.clone()).chain(of_ring.into_iter().map(|(who, _)| who.clone())).collect()
}

/// The mean confidence of the votes for the result, in thousandths, rounded down.
fn sureness(case: &Case, decision: Decision) -> Option<u64> {
    let mean = |sure: Vec<Option<Permille>>| {
        let sure: Vec<u64> =
            sure.into_iter().map(|it| it.map(|it| u64::from(it.get()))).collect::<Option<_>>()?;
        (!sure.is_empty()).then(|| sure.iter().sum::<u64>() / sure.len() as u64)
    };
    // Where a number was asked for, those count whose number does.
    if case.kind() == QuestionKind::Estimate {
        let last =
            case.said.iter().filter(|said| said.round == case.round() && said.response.estimate.is_some());
        return mean(last.map(|said| said.response.confidence).collect());
    }
    // Where all proposed the same, nobody voted.
    if case.kind() == QuestionKind::Open && case.ballots.is_empty() {
        let passed = matches!(decision, Decision::Passed { .. });
        let said = case.said.iter().filter(|said| said.response.position.is_some());
        return mean(said.map(|said| said.response.confidence).collect()).filter(|_| passed);
    }
    let against = against(case);
    let with = case.ballots.last()?.votes.iter().filter(|vote| {
        let result = matches!(decision, Decision::Passed { .. } | Decision::Rejected);
        result && vote.choice != Choice::Neutral && !against.contains(&vote.who)
    });
    let sure: Vec<u64> =
        with.map(|vote| vote.confidence.map(|it| u64::from(it.get()))).collect::<Option<_>>()?;
    (!sure.is_empty()).then(|| sure.iter().sum::<u64>() / sure.len() as u64)
}

/// What may be recommended at most, from the record alone.
fn may_act(case: &Case, report: &Report) -> bool {
    let Status::Settled(decision) = case.status() else { return false };
    let right = match (report.advice.action, decision) {
        (Recommendation::Proceed, Decision::Passed { .. }) => {
            case.ring().is_some() || sureness(case, decision).is_some_and(|mean| mean >= 800)
        }
        (Recommendation::Reject, Decision::Rejected) => {
            sureness(case, decision).is_none_or(|mean| mean >= 800)
        }
        _ => false,
    };
    let known = case.ring().is_some()
        || report.advice.action == Recommendation::Reject
        || sureness(case, decision).is_some();
    let reasoned = case.opening.seats.iter().any(|seat| seat.kind != SeatKind::Rehearsal);
    let tied = case.ballots.last().is_some_and(|ballot| !ballot.tied.is_empty());
    right
        && !tied
        && known
        && reasoned
        && against(case).is_empty()
        && report.caveats.is_empty()
        && case.redacted_by.is_none()
        && case.lapses.iter().all(|lapse| matches!(lapse.task, synod_core::Task::Clerk(_)))
}

fn check_votes(case: &Case, report: &Report, seed: u64) {
    for (held, shown) in case.ballots.iter().zip(&report.ballots) {
        // A report of this kind is the operator's, who may watch a ballot that is open.
        let visible = case.may_see(Reader::Operator, Item::Votes(held));
        assert_eq!(shown.hidden, !visible, "seed {seed}");
        let closed = held.result.as_ref();
        assert_eq!(shown.tally.as_ref(), closed.map(|(tally, _)| tally), "seed {seed}: the count");
        // Below its bar for an early end it decides nothing.
        let decided = closed.map(|(_, decision)| *decision).filter(|_| held.settles);
        assert_eq!((shown.decision, shown.settled), (decided, held.settles), "seed {seed}");
        assert!(closed.is_none() || held.settles || held.rule.early.is_some(), "seed {seed}");
        if !visible {
            assert!(shown.votes.is_empty() && shown.graded.is_empty(), "seed {seed}: a hidden vote shows");
            continue;
        }
        assert_eq!(shown.votes.len(), held.votes.len(), "seed {seed}");
        let Some((tally, _)) = closed else { continue };
        // Whoever voted plainly and alone is counted once, on the side they took.
        if held.rule.is_plain() && held.graded.is_empty() {
            let count = |choice| held.votes.iter().filter(|vote| vote.choice == choice).count() as u32;
            let counted: Vec<u32> = tally.choices().into_iter().map(count).collect();
            let shown: Vec<u32> = tally.choices().into_iter().map(|it| tally.votes_for(it)).collect();
            assert_eq!(shown, counted, "seed {seed}: votes by side");
        }
        if let (Some(Choice::Option(place)), true) = (shown.leading, !held.standings.is_empty()) {
            let sides = grades(held, usize::from(place));
            let count = |side| sides.iter().filter(|(_, of)| *of == side).count() as u32;
            let counted = (count(Choice::Yes), count(Choice::No), count(Choice::Neutral));
            assert_eq!((tally.yes, tally.no, tally.neutral), counted, "seed {seed}: grades by side");
        }
        if let Some(line) = shown.deciding_line().filter(|_| held.rule.is_plain()) {
            assert_eq!((line.part, line.whole), (shown.for_leading(), tally.whole(held.rule.basis)));
            if case.ring().is_some() || tally.options.is_empty() {
                let passed = matches!(shown.decision, Some(Decision::Passed { .. }));
                assert!(!passed || line.meets(held.rule.pass), "seed {seed}: passed below its threshold");
            }
        }
        assert!(shown.margin.is_none_or(|margin| margin <= tally.whole(Basis::Votes).max(1)), "seed {seed}");
    }
}

/// The same facts under every name they have in one JSON document.
fn check_json(case: &Case, report: &Report, seed: u64) {
    let whole: Value = serde_json::to_value(report.whole()).unwrap();
    let answer = &whole["answer"]["decision"];
    for name in ["status", "decision", "headline", "caveats", "advice", "agreement", "level", "dissent"] {
        assert_eq!(answer[name], whole[name], "seed {seed}: {name} differs within one answer");
    }
    for name in ["reservations", "confidence"] {
        assert_eq!(answer[name], whole[name], "seed {seed}: {name} differs within one answer");
    }
    assert_eq!(whole["answer"]["seats"]["voters"], whole["voters"], "seed {seed}");
    assert_eq!(whole["answer"]["seats"]["missing"], whole["missing"], "seed {seed}");
    assert_eq!(answer["vote"], whole["ballots"].as_array().unwrap().last().cloned().unwrap_or(Value::Null));
    let body = receipt(case, None, Digest::of(b"head"));
    assert_eq!(body.is_some(), case.decision().is_some(), "seed {seed}: a receipt is of what is over");
    if let Some(body) = body {
        let then = Report::of(case.as_settled());
        let then: Value = serde_json::to_value(then.whole()).unwrap();
        let body: Value = serde_json::to_value(&body).unwrap();
        for name in ["decision", "headline", "caveats", "advice", "dissent", "reservations", "confidence"] {
            assert_eq!(body[name], then[name], "seed {seed}: {name} differs in the receipt");
        }
        let conditions = &then["answer"]["decision"]["conditions"];
        let none = body["conditions"].is_null() && *conditions == Value::Array(Vec::new());
        assert!(none || body["conditions"] == *conditions, "seed {seed}: conditions differ in the receipt");
        for name in ["voters", "missing", "question", "charter"] {
            assert_eq!(body[name], then[name], "seed {seed}: {name} differs in the receipt");
        }
        for name in ["tally", "margin", "bases"] {
            let vote = &then["answer"]["decision"]["vote"];
            let settled = vote["settled"] == true;
            let empty = !settled && (body[name].is_null() || body[name] == Value::Array(Vec::new()));
            assert!(empty || body[name] == vote[name], "seed {seed}: {name} differs in the receipt");
        }
        for (seat, shown) in then["seats"].as_array().unwrap().iter().zip(body["seats"].as_array().unwrap()) {
            assert_eq!((&seat["vote"], &seat["grades"]), (&shown["vote"], &shown["grades"]), "seed {seed}");
        }
    }
}

/// Rounds, seats and comparisons say what the report says.
fn check_parts(case: &Case, report: &Report, seed: u64) {
    let row = MatterLine::of(case);
    assert_eq!((row.status, row.redacted), (report.status, report.redacted), "seed {seed}");
    assert_eq!(row.rounds as usize, report.begun(), "seed {seed}");
    let settled = case.decision().map(|decision| decision.word());
    assert_eq!(settled.unwrap_or(case.status().word()), report.status, "seed {seed}");
    for shown in &report.rounds {
        let Some(alone) = RoundReport::of(case, shown.round) else { continue };
        assert_eq!(alone.round.said, shown.said, "seed {seed}: round {}", shown.round);
        assert_eq!(alone.status, report.status, "seed {seed}");
    }
    for seat in &report.seats {
        let thoughts = Thoughts::of(case, &seat.seat.who).expect("a seat of the matter");
        let said = thoughts.turns.iter().filter(|turn| matches!(turn.did, synod_core::view::Did::Said(_)));
        let shown = report.rounds.iter().flat_map(|round| &round.said);
        let shown = shown.filter(|said| said.who == seat.seat.who && report.is_by_its_seat(said)).count();
        // First proposals of a ring are withheld, and counted.
        assert!(shown == seat.statements || case.ring().is_some(), "seed {seed}: {}", seat.seat.who);
        assert_eq!(said.count(), shown, "seed {seed}: what {} said", seat.seat.who);
        assert_eq!((thoughts.status, thoughts.seat.vote), (report.status, seat.vote), "seed {seed}");
        assert_eq!(thoughts.seat.grades, seat.grades, "seed {seed}");
        let lapsed = case.lapses.iter().filter(|lapse| lapse.who == seat.seat.who);
        let served = |lapse: &&std::sync::Arc<synod_core::house::Lapse>| {
            !matches!(lapse.task, synod_core::Task::Clerk(_))
        };
        let listed = report.missing.iter().filter(|row| row.who == seat.seat.who).count();
        assert_eq!(listed, lapsed.filter(served).count(), "seed {seed}: {} is missing", seat.seat.who);
    }
    let beside = Comparison::of(report, report);
    assert!(beside.differs.is_empty(), "seed {seed}: a matter differs from itself: {:?}", beside.differs);
    assert_eq!(beside.one.advice, report.advice, "seed {seed}");
    assert_eq!(beside.one.dissent, report.dissenters().len(), "seed {seed}");
    for seat in &beside.seats {
        let dissents = report.dissenters().contains(&&seat.who);
        assert_eq!(seat.one.as_ref().map(|it| it.dissents), Some(dissents), "seed {seed}");
    }
}

/// The headline says how it ended, and never YES of what is not about YES and NO.
fn check_words(case: &Case, report: &Report, seed: u64) {
    let headline = &report.headline;
    match (case.decision(), case.ring()) {
        (Some(_), Some(_)) => assert!(headline.starts_with(case.phase_word()), "seed {seed}: {headline}"),
        (Some(decision), None) => {
            assert!(headline.starts_with(&decision.word().to_uppercase()), "seed {seed}: {headline}");
        }
        (None, _) => assert!(headline.starts_with("NOT DECIDED YET: "), "seed {seed}: {headline}"),
    }
    assert_eq!(headline.contains("[degraded: "), !report.caveats.is_empty(), "seed {seed}: {headline}");
    assert_eq!(headline.contains("[redacted"), case.redacted_by.is_some(), "seed {seed}: {headline}");
    let about_sides = case.ring().is_none() && report.question.options.is_empty();
    assert!(about_sides || !headline.contains("YES"), "seed {seed}: {headline}");
    let leads = report.deciding().and_then(|ballot| ballot.leading);
    assert!(about_sides || leads != Some(Choice::Yes), "seed {seed}: YES leads where there is none");
    // Options that nobody voted for are equal, and no tie.
    let tied =
        report.deciding().filter(|ballot| ballot.for_leading() > 0).map_or(0, |ballot| ballot.tied.len());
    let counted =
        report.deciding().is_some_and(|ballot| ballot.deciding_line().is_some_and(|it| it.whole > 0));
    assert_eq!(
        headline.contains("tied"),
        tied > 0 && counted && case.decision().is_some(),
        "seed {seed}: {headline}"
    );
}

/// Everything that is said of a matter, held against the record.
fn check(case: &Case, seed: u64, met: &mut Met) {
    let report = Report::of(case);
    assert_eq!(report.decision, case.decision(), "seed {seed}");
    let hidden = case.ballots.last().is_some_and(|held| !case.may_see(Reader::Public, Item::Votes(held)));
    let shown: BTreeSet<Who> = report.dissenters().into_iter().cloned().collect();
    let expected = if hidden { BTreeSet::new() } else { against(case) };
    assert_eq!(shown, expected, "seed {seed}: {}", report.headline);
    let winners: Vec<&Who> = report.why().into_iter().map(|row| row.who).collect();
    assert!(winners.iter().all(|who| !shown.contains(*who)), "seed {seed}: for it and against it");
    assert!(!hidden || winners.is_empty(), "seed {seed}: a secret vote is told");
    for stand in report.stands_for() {
        let seat = report.seats.iter().find(|row| row.seat.who == *stand.who).expect("a seat");
        assert!(
            seat.vote.is_none() || stand.side == seat.vote,
            "seed {seed}: {} stands elsewhere",
            stand.who
        );
    }
    let doubtful: BTreeSet<&Who> = report.reservations.iter().map(|row| &row.who).collect();
    if matches!(report.decision, Some(Decision::Passed { .. })) {
        assert!(doubtful.iter().all(|who| !shown.contains(*who)), "seed {seed}: a doubt is no dissent");
    }
    let sure = report.decision.and_then(|decision| sureness(case, decision));
    assert_eq!(report.confidence.map(|it| u64::from(it.get())), sure.filter(|_| !hidden), "seed {seed}");
    let acts = matches!(report.advice.action, Recommendation::Proceed | Recommendation::Reject);
    assert!(!acts || may_act(case, &report), "seed {seed}: {:?} for {}", report.advice, report.headline);
    let mean = report.confidence.map_or(1000, |mean| mean.get());
    assert!(
        mean >= 500 || report.advice.action == Recommendation::QueryDetail,
        "seed {seed}: {:?}",
        report.advice
    );
    check_votes(case, &report, seed);
    check_json(case, &report, seed);
    check_parts(case, &report, seed);
    check_words(case, &report, seed);
    let kind = if case.ring().is_some() { "ring" } else { "council" };
    met.0.insert(format!("{kind} {}", report.status));
    met.0.insert(format!("{kind} {}", report.advice.action.word()));
    met.0.extend((!shown.is_empty()).then(|| format!("{kind} dissent")));
    met.0.extend(report.forked.map(|_| "fork".into()));
    met.0.extend(case.redacted_by.map(|_| format!("{kind} redacted")));
    met.0.extend((!report.reservations.is_empty()).then(|| format!("{kind} doubts")));
    let tied = report.deciding().is_some_and(|ballot| !ballot.tied.is_empty());
    met.0.extend(tied.then(|| format!("{kind} tied")));
}

fn check_all(world: &mut World, seed: u64, met: &mut Met) {
    world.house.cases().for_each(|case| check(case, seed, met));
    let open: Vec<_> =
        world.house.cases().filter(|case| case.decision().is_none()).map(|case| case.id).collect();
    for matter in open {
        let why = [Pause::Operator, Pause::Interrupted][seed as usize / 2 % 2];
        let by = if why == Pause::Operator { Actor::Operator } else { Actor::Engine };
        world.submit(by, Command::Pause { matter, why });
        check(world.house.case(matter).unwrap(), seed, met);
        if seed.is_multiple_of(3) {
            world.submit(Actor::Operator, Command::Stop { matter });
            check(world.house.case(matter).unwrap(), seed, met);
        }
    }
    let over: Vec<_> =
        world.house.cases().filter(|case| case.decision().is_some()).map(|case| case.id).collect();
    if let (true, Some(matter)) = (seed.is_multiple_of(5), over.first()) {
        world.redact(*matter);
        world.house.cases().for_each(|case| check(case, seed, met));
    }
}

/// A council whose seats all answer, and mostly alike: what random answers hardly ever come to.
fn calm(seed: u64) -> World {
    let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    dice.roll(2);
    let mut world = World::new();
    world.careful = false;
    let names = ["ann", "bob", "cy", "dee", "eli"];
    let seats = &names[..2 + dice.roll(4) as usize];
    let options: &[&str] = if dice.roll(2) == 0 { &[] } else { &["one", "two", "three"] };
    let charter =
        *dice.pick(&["blind-vote", "adversarial", "socratic", "delphi", "collaborative", "expert-panel"]);
    let more = *dice.pick(&["", "", "", "+method=approval", "+secrecy=secret", "+tie=earlier", "+veto=ann"]);
    world.open_with(&source(&format!("{charter}{more}")), "topic", options, seats, |_| ());
    let sides: &[&str] = if options.is_empty() { &["YES", "NO"] } else { &["A", "B", "NONE"] };
    let usual = *dice.pick(sides);
    let least = dice.roll(10);
    for _ in 0..80 {
        let Some((ask, by)) =
            world.house.open_asks().next().map(|(id, ask)| (id, ask.who().unwrap().clone()))
        else {
            break;
        };
        let side = if dice.roll(7) == 0 { *dice.pick(&[sides[0], sides[1], "ABSTAIN"]) } else { usual };
        let sure = (least + dice.roll(10 - least) + 1).min(9);
        let text = format!(
            r#"{{"stance":"{side}","vote":"{side}","position":"p {by}","reason":"r {by}","confidence":0.{sure}}}"#
        );
        let salt = Some("0123456789abcdef".to_string());
        world.submit(Actor::Seat(by), Command::Answer { ask, salt, text, call: Box::default() });
    }
    world
}

#[test]
fn no_view_of_a_random_matter_contradicts_another() {
    let mut met = Met::default();
    for seed in 1..=250 {
        check_all(&mut play(seed), seed, &mut met);
    }
    for seed in 1..=400 {
        check_all(&mut calm(seed), seed, &mut met);
    }
    for seed in 1..=250 {
        check_all(&mut sessions::played(seed), seed, &mut met);
    }
    for kind in [
        "council passed",
        "council proceed",
        "council reject",
        "ring proceed",
        "council rejected",
        "council undecided",
        "council contested",
        "council paused",
        "council dissent",
        "council doubts",
        "council redacted",
        "council verify",
        "council query_detail",
        "council tied",
        "fork",
        "ring passed",
        "ring rejected",
        "ring undecided",
        "ring dissent",
        "ring doubts",
        "ring redacted",
        "ring verify",
        "ring query_detail",
        "ring tied",
    ] {
        assert!(met.0.contains(kind), "no {kind} was met: {:?}", met.0);
    }
}

/// The same count as `margin_of_grades`, by trying every other way of voting.
fn brute(sheets: &[ballot::BallotSheet], rule: &ballot::Rules, seats: u32) -> Option<u32> {
    use synod_core::ballot::Grade::{Abstain, Approve, Reject};
    let ways = [Approve, Abstain, Reject];
    let proposals = sheets[0].grades.len();
    let outcome = |sheets: &[ballot::BallotSheet]| {
        let standing = |place: usize| {
            let votes: Vec<(Who, ballot::Grade)> = sheets
                .iter()
                .enumerate()
                .filter_map(|(nth, sheet)| {
                    let name = if sheet.veto { "vera".into() } else { format!("v{nth}") };
                    Some((crate::world::who(&name), sheet.grades[place]?))
                })
                .collect();
            let votes: Vec<(&Who, ballot::Grade)> = votes.iter().map(|(who, grade)| (who, *grade)).collect();
            ballot::GradeCount::of("9".parse().unwrap(), &votes, rule, seats, seats)
        };
        ballot::rank(&(0..proposals).map(standing).collect::<Vec<_>>(), rule).decision
    };
    let now = outcome(sheets);
    let each = ways.len().pow(proposals as u32);
    let mut best = None;
    for way in 0..(each + 1).pow(sheets.len() as u32) {
        let (mut way, mut changed, mut other) = (way, 0, sheets.to_vec());
        for sheet in &mut other {
            let (pick, rest) = (way % (each + 1), way / (each + 1));
            way = rest;
            if let Some(mut pick) = pick.checked_sub(1) {
                changed += 1;
                for grade in &mut sheet.grades {
                    *grade = Some(ways[pick % 3]);
                    pick /= 3;
                }
            }
        }
        if best.is_none_or(|best| changed < best) && !outcome(&other).comes_to(now) {
            best = Some(changed);
        }
    }
    best
}

#[test]
fn the_margin_of_a_ring_is_the_fewest_voters_that_change_it() {
    use synod_core::ballot::Grade::{Abstain, Approve, Reject};
    let ways = [Some(Approve), Some(Abstain), Some(Reject), None];
    let source = synod_core::charter::shipped("ring-default").unwrap();
    let mut dice = crate::random::Dice(77);
    for nth in 0..120 {
        let mut rule = synod_core::charter::Charter::parse(source.source).unwrap().0.ballot;
        rule.tie = [ballot::Tie::Earlier, ballot::Tie::Undecided, ballot::Tie::Fails][nth % 3];
        rule.veto = if nth % 4 == 0 { vec![crate::world::who("vera")] } else { Vec::new() };
        let sheets: Vec<ballot::BallotSheet> = (0..3)
            .map(|voter| ballot::BallotSheet {
                grades: (0..2).map(|_| *dice.pick(&ways)).collect(),
                veto: nth % 4 == 0 && voter == 0,
            })
            .collect();
        let found = ballot::margin_of_grades(&sheets, &rule, 3, 3);
        assert!(!found.bound, "case {nth}: few sheets are searched through");
        assert_eq!(found.ballots, brute(&sheets, &rule, 3), "case {nth}: {sheets:?} {:?}", rule.tie);
    }
    let vote = |one, other| ballot::BallotSheet { grades: vec![Some(one), Some(other)], veto: false };
    let rule = synod_core::charter::Charter::parse(source.source).unwrap().0.ballot;
    let sheets = [vote(Approve, Approve), vote(Approve, Approve), vote(Approve, Reject)];
    assert_eq!(ballot::margin_of_grades(&sheets, &rule, 3, 3).ballots, Some(1), "one voter makes B win");
}
