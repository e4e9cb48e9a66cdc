//! The methods of counting: what each promises, held against definitions that share no code with it, and an
//! election for each promise that one does not make. The page on voting tells the same elections.

use std::collections::BTreeSet;

use proptest::prelude::*;
use synod_core::ballot::{Method, Standing, StandingNumbers, Tally};
use synod_core::kernel::{Choice, Marks};

/// A ranking: options in groups, best first; those left out are last.
type Ranking = Vec<Vec<u8>>;

const RANKED: [Method; 3] = [Method::Borda, Method::Schulze, Method::InstantRunoff];

fn count(method: Method, options: u8, papers: &[Marks]) -> Standing {
    let papers: Vec<(&Marks, u64)> = papers.iter().map(|marks| (marks, 1)).collect();
    method.count(options, &papers).unwrap()
}

fn ranked(method: Method, options: u8, papers: &[Ranking]) -> Standing {
    count(method, options, &papers.iter().cloned().map(Marks::Ranking).collect::<Vec<_>>())
}

fn winners(method: Method, options: u8, papers: &[Ranking]) -> BTreeSet<u8> {
    ranked(method, options, papers).winners.into_iter().collect()
}

/// Rankings of so many options, ties and options left out included.
fn rankings(options: u8) -> impl Strategy<Value = Vec<Ranking>> {
    let levels = proptest::collection::vec(0..=options, usize::from(options));
    let ranking = levels.prop_map(move |levels| {
        let group = |level: u8| (0..options).filter(|option| levels[usize::from(*option)] == level).collect();
        (0..options).map(group).filter(|group: &Vec<u8>| !group.is_empty()).collect::<Ranking>()
    });
    proptest::collection::vec(ranking, 1..8)
}

/// Whole rankings without ties.
fn strict(options: u8) -> impl Strategy<Value = Vec<Ranking>> {
    let order = Just((0..options).collect::<Vec<u8>>()).prop_shuffle();
    let ranking = order.prop_map(|order| order.into_iter().map(|option| vec![option]).collect::<Ranking>());
    proptest::collection::vec(ranking, 1..10)
}

fn elections() -> impl Strategy<Value = (u8, Vec<Ranking>)> {
    (2u8..=4).prop_flat_map(|options| (Just(options), rankings(options)))
}

fn strict_elections() -> impl Strategy<Value = (u8, Vec<Ranking>)> {
    (2u8..=4).prop_flat_map(|options| (Just(options), strict(options)))
}

/// Where an option stands on a ballot, by searching for it.
fn place(ranking: &Ranking, option: u8) -> usize {
    ranking.iter().position(|group| group.contains(&option)).unwrap_or(99)
}

fn prefer(papers: &[Ranking], one: u8, other: u8) -> u64 {
    papers.iter().filter(|paper| place(paper, one) < place(paper, other)).count() as u64
}

fn beats(papers: &[Ranking], one: u8, other: u8) -> bool {
    prefer(papers, one, other) > prefer(papers, other, one)
}

fn condorcet(options: u8, papers: &[Ranking]) -> Option<u8> {
    (0..options).find(|one| (0..options).all(|other| other == *one || beats(papers, *one, other)))
}

fn condorcet_loser(options: u8, papers: &[Ranking]) -> Option<u8> {
    (0..options).find(|one| (0..options).all(|other| other == *one || beats(papers, other, *one)))
}

fn majority(options: u8, papers: &[Ranking]) -> Option<u8> {
    let first = |option: &u8| papers.iter().filter(|paper| paper.first() == Some(&vec![*option])).count();
    (0..options).find(|option| 2 * first(option) > papers.len())
}

/// Schulze by its definition: every simple path is walked.
fn schulze_by_paths(options: u8, papers: &[Ranking]) -> BTreeSet<u8> {
    fn strongest(papers: &[Ranking], options: u8, from: u8, to: u8, gone: &mut Vec<u8>) -> u64 {
        let link = |one, other| if beats(papers, one, other) { prefer(papers, one, other) } else { 0 };
        let mut best = link(from, to);
        for over in 0..options {
            if over != to && over != from && !gone.contains(&over) {
                gone.push(over);
                best = best.max(link(from, over).min(strongest(papers, options, over, to, gone)));
                gone.pop();
            }
        }
        best
    }
    let strength = |one, other| strongest(papers, options, one, other, &mut vec![one]);
    (0..options)
        .filter(|one| {
            (0..options).all(|other| other == *one || strength(*one, other) >= strength(other, *one))
        })
        .collect()
}

/// Instant run-off by its definition: whoever could be last drops out, in every way that can be.
fn runoff_by_recursion(left: &BTreeSet<u8>, papers: &[Ranking]) -> BTreeSet<u8> {
    if left.len() == 1 {
        return left.clone();
    }
    // Twelve parts of a vote can be shared among two, three or four.
    let votes = |option: u8| -> u64 {
        let share = |paper: &Ranking| {
            let tops: Vec<Vec<u8>> = paper
                .iter()
                .map(|group| group.iter().copied().filter(|it| left.contains(it)).collect())
                .collect();
            let top = tops.into_iter().find(|group: &Vec<u8>| !group.is_empty()).unwrap_or_default();
            if top.contains(&option) { 12 / top.len() as u64 } else { 0 }
        };
        papers.iter().map(share).sum()
    };
    let fewest = left.iter().map(|option| votes(*option)).min().unwrap();
    if left.iter().all(|option| votes(*option) == 0) {
        return left.clone();
    }
    let without = |out: &u8| left.iter().copied().filter(|it| it != out).collect::<BTreeSet<u8>>();
    let last = left.iter().filter(|option| votes(**option) == fewest);
    last.flat_map(|out| runoff_by_recursion(&without(out), papers)).collect()
}

/// Borda by places: an option's points are the mean of the places its group takes up, doubled.
fn borda_by_places(options: u8, papers: &[Ranking]) -> Vec<u64> {
    let mut points = vec![0; usize::from(options)];
    for paper in papers {
        let named: Vec<u8> = paper.concat();
        let rest: Vec<u8> = (0..options).filter(|option| !named.contains(option)).collect();
        let mut above = 0;
        for group in paper.iter().chain([&rest]).filter(|group| !group.is_empty()) {
            let places = above..above + group.len();
            let halves: usize = places.map(|place| 2 * (usize::from(options) - 1 - place)).sum();
            for option in group {
                points[usize::from(*option)] += (halves / group.len()) as u64;
            }
            above += group.len();
        }
    }
    points
}

/// The same ballot with an option raised by one step.
fn raised(paper: &Ranking, option: u8) -> Ranking {
    let at = paper.iter().position(|group| group.contains(&option));
    let mut paper = paper.clone();
    match at {
        None => paper.push(vec![option]),
        Some(at) => {
            paper[at].retain(|other| *other != option);
            let to = if paper[at].is_empty() { at.saturating_sub(1) } else { at };
            paper.insert(to, vec![option]);
        }
    }
    paper.retain(|group| !group.is_empty());
    paper
}

fn renamed(paper: &Ranking, names: &[u8]) -> Ranking {
    let group = |group: &Vec<u8>| group.iter().map(|option| names[usize::from(*option)]).collect();
    paper.iter().map(group).collect()
}

/// Who most have on top.
fn plurality(options: u8, papers: &[Ranking]) -> Vec<u8> {
    let votes = |option: u8| papers.iter().filter(|paper| paper[0] == [option]).count();
    let most = (0..options).map(votes).max().unwrap();
    let mut tally = Tally::new(options, papers.len() as u32);
    papers.iter().for_each(|paper| assert!(tally.add(Choice::Option(paper[0][0]), 1)));
    let leaders: Vec<u8> = (0..options).filter(|option| votes(*option) == most).collect();
    assert_eq!(tally.leading(), Choice::Option(leaders[0]), "of equals the earlier leads");
    leaders
}

/// Approval by voters who approve of the better half of their ranking.
fn approved(options: u8, papers: &[Ranking]) -> Vec<u8> {
    let half = |paper: &Ranking| Marks::Approved(paper[..paper.len().div_ceil(2)].concat());
    count(Method::Approval, options, &papers.iter().map(half).collect::<Vec<_>>()).winners
}

/// Scores by voters who give two points for each option below.
fn scored(options: u8, papers: &[Ranking]) -> Vec<u8> {
    let score = |paper: &Ranking| {
        Marks::Scores((0..options).map(|option| 2 * (options - 1 - place(paper, option) as u8)).collect())
    };
    count(Method::Score, options, &papers.iter().map(score).collect::<Vec<_>>()).winners
}

fn by_borda(options: u8, papers: &[Ranking]) -> Vec<u8> {
    ranked(Method::Borda, options, papers).winners
}

/// A way of finding who wins.
type Finds = fn(u8, &[Ranking]) -> Vec<u8>;

const BY_RANKING: [(&str, Finds); 4] =
    [("plurality", plurality), ("borda", by_borda), ("approval", approved), ("score", scored)];

/// Who wins by ratings; above five is approval.
fn rated(method: Method, papers: &[Vec<u8>]) -> Vec<u8> {
    let options = papers[0].len() as u8;
    let marks = |paper: &Vec<u8>| match method {
        Method::Approval => {
            Marks::Approved((0..options).filter(|option| paper[usize::from(*option)] > 5).collect())
        }
        Method::Score => Marks::Scores(paper.clone()),
        Method::Plurality | Method::Borda | Method::Schulze | Method::InstantRunoff => panic!("not rated"),
    };
    count(method, options, &papers.iter().map(marks).collect::<Vec<_>>()).winners
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn each_method_is_what_its_definition_says((options, papers) in elections()) {
        prop_assert_eq!(winners(Method::Schulze, options, &papers), schulze_by_paths(options, &papers));
        let all = (0..options).collect();
        prop_assert_eq!(winners(Method::InstantRunoff, options, &papers), runoff_by_recursion(&all, &papers));
        let StandingNumbers::Borda { halves } = ranked(Method::Borda, options, &papers).numbers else { panic!() };
        prop_assert_eq!(halves, borda_by_places(options, &papers));
    }

    #[test]
    fn every_order_holds_every_option_once_and_the_leader_could_win((options, papers) in elections()) {
        for method in RANKED {
            let standing = ranked(method, options, &papers);
            let mut named = standing.order.concat();
            named.sort_unstable();
            prop_assert_eq!(named, (0..options).collect::<Vec<u8>>());
            prop_assert!(standing.winners.contains(&standing.leader));
            prop_assert!(standing.order[0].contains(&standing.leader));
        }
    }

    #[test]
    fn no_voter_counts_for_more_than_another((options, papers, turn) in
        elections().prop_flat_map(|(options, papers)| (Just(options), Just(papers), 0usize..8)))
    {
        let mut turned = papers.clone();
        turned.rotate_left(turn % papers.len());
        turned.swap(0, papers.len() / 2);
        for method in RANKED {
            prop_assert_eq!(ranked(method, options, &papers), ranked(method, options, &turned));
        }
    }

    #[test]
    fn no_option_counts_for_more_than_another((options, papers, names) in
        elections().prop_flat_map(|(options, papers)|
            (Just(options), Just(papers), Just((0..options).collect::<Vec<u8>>()).prop_shuffle())))
    {
        let others: Vec<Ranking> = papers.iter().map(|paper| renamed(paper, &names)).collect();
        for method in RANKED {
            let expected: BTreeSet<u8> =
                winners(method, options, &papers).iter().map(|it| names[usize::from(*it)]).collect();
            prop_assert_eq!(winners(method, options, &others), expected);
        }
    }

    #[test]
    fn raising_a_winner_never_makes_it_lose_in_borda_and_schulze((options, papers, nth) in
        elections().prop_flat_map(|(options, papers)| (Just(options), Just(papers), 0usize..8)))
    {
        for method in [Method::Borda, Method::Schulze] {
            for winner in winners(method, options, &papers) {
                let mut better = papers.clone();
                let nth = nth % papers.len();
                better[nth] = raised(&papers[nth], winner);
                prop_assert!(winners(method, options, &better).contains(&winner), "{method:?} {better:?}");
            }
        }
    }

    #[test]
    fn who_beats_all_wins_in_schulze((options, papers) in elections()) {
        if let Some(best) = condorcet(options, &papers) {
            prop_assert_eq!(winners(Method::Schulze, options, &papers), BTreeSet::from([best]));
        }
    }

    #[test]
    fn who_loses_to_all_never_wins((options, papers) in elections()) {
        if let Some(worst) = condorcet_loser(options, &papers) {
            for method in RANKED {
                prop_assert!(!winners(method, options, &papers).contains(&worst), "{method:?}");
            }
        }
    }

    #[test]
    fn a_majority_has_its_way_in_schulze_and_run_off((options, papers) in strict_elections()) {
        if let Some(best) = majority(options, &papers) {
            for method in [Method::Schulze, Method::InstantRunoff] {
                prop_assert_eq!(winners(method, options, &papers), BTreeSet::from([best]));
            }
            let mut tally = Tally::new(options, papers.len() as u32);
            papers.iter().for_each(|paper| assert!(tally.add(Choice::Option(paper[0][0]), 1)));
            prop_assert_eq!(tally.leading(), Choice::Option(best));
        }
    }

    #[test]
    fn a_clone_changes_nothing_in_schulze_and_run_off((options, papers, of, sides) in
        (2u8..=3).prop_flat_map(|options|
            (Just(options), strict(options), 0..options, proptest::collection::vec(any::<bool>(), 10))))
    {
        let cloned: Vec<Ranking> = papers.iter().zip(&sides).map(|(paper, before)| {
            let mut paper = paper.clone();
            let at = paper.iter().position(|group| group[0] == of).unwrap();
            paper.insert(if *before { at } else { at + 1 }, vec![options]);
            paper
        }).collect();
        for method in [Method::Schulze, Method::InstantRunoff] {
            let joined: BTreeSet<u8> = winners(method, options + 1, &cloned)
                .into_iter()
                .map(|option| if option == options { of } else { option })
                .collect();
            prop_assert_eq!(joined, winners(method, options, &papers), "{:?}", method);
        }
    }

    #[test]
    fn coming_to_vote_never_hurts_in_plurality_borda_approval_and_score((options, papers, came) in
        (2u8..=4).prop_flat_map(|options| (Just(options), strict(options), strict(options))))
    {
        let all = [papers.clone(), vec![came[0].clone()]].concat();
        for (name, of) in BY_RANKING {
            let (before, after) = (of(options, &papers), of(options, &all));
            if let ([before], [after]) = (&before[..], &after[..]) {
                let (old, new) = (place(&came[0], *before), place(&came[0], *after));
                prop_assert!(new <= old, "{name}: {before} became {after} by {:?}", came[0]);
            }
        }
    }

    #[test]
    fn raising_the_leader_of_a_plurality_keeps_it_leading((options, papers, nth) in
        (2u8..=4).prop_flat_map(|options| (Just(options), strict(options), 0usize..10)))
    {
        let nth = nth % papers.len();
        for winner in plurality(options, &papers) {
            let mut better = papers.clone();
            better[nth] = raised(&papers[nth], winner);
            prop_assert!(plurality(options, &better).contains(&winner));
        }
    }

    #[test]
    fn rated_options_stand_alone(papers in
        proptest::collection::vec(proptest::collection::vec(0u8..=10, 3), 1..8), names in
        Just(vec![0u8, 1, 2]).prop_shuffle(), of in 0usize..3)
    {
        for method in [Method::Score, Method::Approval] {
            let before = rated(method, &papers);
            // Names do not matter.
            let renamed: Vec<Vec<u8>> = papers
                .iter()
                .map(|paper| (0..3).map(|to| paper[names.iter().position(|it| *it == to).unwrap()]).collect())
                .collect();
            let mut moved: Vec<u8> = before.iter().map(|option| names[usize::from(*option)]).collect();
            moved.sort_unstable();
            prop_assert_eq!(&rated(method, &renamed), &moved);
            // A copy wins exactly where its original does.
            let cloned: Vec<Vec<u8>> =
                papers.iter().map(|paper| [paper.clone(), vec![paper[of]]].concat()).collect();
            let mut joined: Vec<u8> =
                rated(method, &cloned).into_iter().map(|it| if it == 3 { of as u8 } else { it }).collect();
            joined.sort_unstable();
            joined.dedup();
            prop_assert_eq!(&joined, &before);
            // A loser that is not there changes nothing.
            if !before.contains(&2) {
                let fewer: Vec<Vec<u8>> = papers.iter().map(|paper| paper[..2].to_vec()).collect();
                prop_assert_eq!(&rated(method, &fewer), &before);
            }
        }
    }

    #[test]
    fn rated_options_are_summed_one_by_one(papers in
        proptest::collection::vec(proptest::collection::vec(0u8..=10, 3), 1..8), nth in 0usize..8, of in 0u8..3)
    {
        let scores: Vec<Marks> = papers.iter().cloned().map(Marks::Scores).collect();
        let approved: Vec<Marks> = papers
            .iter()
            .map(|paper| Marks::Approved((0..3).filter(|option| paper[usize::from(*option)] > 5).collect()))
            .collect();
        let sums: Vec<u64> =
            (0..3).map(|option| papers.iter().map(|paper| u64::from(paper[option])).sum()).collect();
        let standing = count(Method::Score, 3, &scores);
        prop_assert_eq!(&standing.support, &sums);
        prop_assert!(standing.winners.iter().all(|it| sums[usize::from(*it)] == *sums.iter().max().unwrap()));
        let approvals: Vec<u64> =
            (0..3).map(|option| papers.iter().filter(|paper| paper[option] > 5).count() as u64).collect();
        prop_assert_eq!(&count(Method::Approval, 3, &approved).support, &approvals);
        // Raising an option never takes it from the top, and turning the ballots round changes nothing.
        let nth = nth % papers.len();
        for (method, mut marks) in [(Method::Score, scores), (Method::Approval, approved)] {
            let before = count(method, 3, &marks);
            marks.reverse();
            prop_assert_eq!(&count(method, 3, &marks), &before);
            match &mut marks[nth] {
                Marks::Scores(scores) => scores[usize::from(of)] = 10,
                Marks::Approved(options) if !options.contains(&of) => options.push(of),
                Marks::Approved(_) | Marks::Ranking(_) => (),
            }
            prop_assert!(!before.winners.contains(&of) || count(method, 3, &marks).winners.contains(&of));
        }
    }
}

/// An election in a line: `3 A>B>C, 2 B>C>A`.
fn election(written: &str) -> Vec<Ranking> {
    let mut papers = Vec::new();
    for group in written.split(", ") {
        let (votes, ranking) = group.split_once(' ').unwrap();
        let ranking: Ranking =
            ranking.bytes().filter(u8::is_ascii_uppercase).map(|c| vec![c - b'A']).collect();
        papers.extend(std::iter::repeat_n(ranking, votes.parse().unwrap()));
    }
    papers
}

fn wins(method: Method, written: &str) -> String {
    let papers = election(written);
    let options = papers.iter().flatten().flatten().max().unwrap() + 1;
    winners(method, options, &papers).iter().map(|option| Choice::letter(*option)).collect()
}

/// Who most have on top: the leader of a plain vote.
fn most_named(written: &str) -> String {
    let mut tally = Tally::new(4, 0);
    election(written).iter().for_each(|paper| assert!(tally.add(Choice::Option(paper[0][0]), 1)));
    tally.leading().to_string()
}

fn beaten_by_all(written: &str) -> Option<char> {
    condorcet_loser(3, &election(written)).map(Choice::letter)
}

fn beats_all(written: &str) -> Option<char> {
    condorcet(3, &election(written)).map(Choice::letter)
}

#[test]
fn plurality_elects_whom_all_others_beat_and_is_split_by_clones() {
    let split = "4 A>B>C, 3 B>C>A, 2 C>B>A";
    assert_eq!(
        (most_named(split).as_str(), beaten_by_all(split), beats_all(split)),
        ("A", Some('A'), Some('B'))
    );
    assert_eq!(most_named("4 A>B, 5 B>A"), "B", "without the clone C of B, B leads");
}

#[test]
fn borda_overrules_a_majority_and_is_won_by_more_clones() {
    let most = "3 A>B>C, 2 B>C>A";
    assert_eq!((wins(Method::Borda, most).as_str(), beats_all(most)), ("B", Some('A')));
    assert_eq!(majority(3, &election(most)), Some(0));
    // C is a clone of B: without it A wins.
    assert_eq!(wins(Method::Borda, "3 A>B, 2 B>A"), "A");
}

#[test]
fn schulze_may_thank_voters_for_staying_at_home_and_heeds_losers() {
    assert_eq!(wins(Method::Schulze, "3 C>D>A>B, 2 B>C>D>A, 4 A>B>C>D"), "A");
    assert_eq!(wins(Method::Schulze, "3 C>D>A>B, 2 B>C>D>A, 4 A>B>C>D, 3 D>A>C>B"), "C");
    assert_eq!(wins(Method::Schulze, "2 B>C>A, 3 C>A>B, 2 A>B>C"), "C");
    let without_a = "2 A>B, 3 B>A, 2 A>B"; // B is now called A, C is called B
    assert_eq!(wins(Method::Schulze, without_a), "A", "without A, B wins");
}

#[test]
fn a_run_off_may_punish_support_pass_over_who_beats_all_and_thank_for_staying_at_home() {
    assert_eq!(wins(Method::InstantRunoff, "39 A>B>C, 35 B>C>A, 26 C>A>B"), "A");
    assert_eq!(wins(Method::InstantRunoff, "39 A>B>C, 10 A>B>C, 25 B>C>A, 26 C>A>B"), "C", "ten raised A");
    let middle = "8 A>B>C, 7 C>B>A, 5 B>A>C";
    assert_eq!((wins(Method::InstantRunoff, middle).as_str(), beats_all(middle)), ("A", Some('B')));
    assert_eq!(wins(Method::InstantRunoff, "3 C>A>B, 4 A>C>B, 2 B>C>A"), "C");
    assert_eq!(
        wins(Method::InstantRunoff, "3 C>A>B, 4 A>C>B, 5 B>C>A"),
        "A",
        "three came, and got their last"
    );
}

#[test]
fn approval_and_score_may_overrule_a_majority_and_elect_whom_all_others_beat() {
    // Three like A best and approve of B too; two approve of B alone.
    let approved = [vec![0, 1], vec![0, 1], vec![0, 1], vec![1], vec![1]].map(Marks::Approved);
    assert_eq!(count(Method::Approval, 2, &approved).winners, [1]);
    let scores = [[10, 9], [10, 9], [10, 9], [0, 10], [0, 10]].map(|scores| Marks::Scores(scores.to_vec()));
    assert_eq!(count(Method::Score, 2, &scores).winners, [1]);
    let papers = election("3 A>B, 2 B>A");
    assert_eq!((majority(2, &papers), condorcet_loser(2, &papers)), (Some(0), Some(1)));
}

#[test]
fn equal_options_share_a_ballot_in_a_run_off_and_ties_are_told() {
    let standing =
        ranked(Method::InstantRunoff, 3, &[vec![vec![0, 1]], vec![vec![2]], vec![vec![2], vec![0]]]);
    let StandingNumbers::InstantRunoff { rounds, unit } = &standing.numbers else { panic!() };
    assert_eq!((*unit, &rounds[0].votes), (2, &vec![(0, 1), (1, 1), (2, 4)]));
    assert_eq!((&rounds[0].out, &rounds[0].tied), (&vec![1], &vec![0]));
    assert_eq!(standing.winners, [2]);
    // Two equal halves: each could win, and the earlier leads.
    let tied = ranked(Method::InstantRunoff, 2, &[vec![vec![0]], vec![vec![1]]]);
    assert_eq!((tied.winners, tied.leader), (vec![0, 1], 0));
}

/// Real answers of models to questions with four options: a ballot that names one option is a ranking, an approval
/// and a score, and every method must find the option most often named, where one is.
#[test]
fn single_marks_of_real_voters_come_to_a_plurality() {
    let path = std::env::var("SYNOD_BALLOTS").unwrap_or_default();
    let Ok(text) = std::fs::read_to_string(path) else {
        return say("skipped: no recorded ballots here; name a file of them in SYNOD_BALLOTS");
    };
    let mut items: std::collections::BTreeMap<(String, String), Vec<u8>> = Default::default();
    for row in text.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let letter = cells[5].bytes().next().filter(|c| (b'A'..=b'E').contains(c) && cells[5].len() == 1);
        if let Some(letter) = letter {
            items.entry((cells[0].into(), cells[1].into())).or_default().push(letter - b'A');
        }
    }
    let mut checked = 0;
    for votes in items.values() {
        let named = |option: u8| votes.iter().filter(|vote| **vote == option).count();
        let most = (0..5).map(named).max().unwrap();
        let leaders: Vec<u8> = (0..5).filter(|option| named(*option) == most).collect();
        let [best] = leaders[..] else { continue };
        let ranking: Vec<Ranking> = votes.iter().map(|vote| vec![vec![*vote]]).collect();
        for method in RANKED {
            assert_eq!(winners(method, 5, &ranking), BTreeSet::from([best]), "{method:?} {votes:?}");
        }
        let approved: Vec<Marks> = votes.iter().map(|vote| Marks::Approved(vec![*vote])).collect();
        assert_eq!(count(Method::Approval, 5, &approved).winners, [best]);
        checked += 1;
    }
    say(&format!("{checked} recorded questions come to the same option under every method"));
    assert!(checked > 1000, "{checked}");
}

/// A line that shows also when a test passes.
fn say(line: &str) {
    use std::io::Write as _;
    let _ = writeln!(std::io::stderr(), "{line}");
}
