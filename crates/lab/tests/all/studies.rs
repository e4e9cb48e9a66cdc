//! Simulated studies: what is declared acts where the house puts it before a seat, and is found again by fitting.

use std::sync::atomic::AtomicU64;

use synod_core::charter::shipped;
use synod_lab::fit::fit;
use synod_lab::simulate::{
    CalibrationTarget, SimulatedHouse, SimulationFault, SimulationReport, TargetVerdict, ablate, calibrate,
};
use synod_lab::study::Study;

fn source(name: &str) -> Result<String, SimulationFault> {
    shipped(name)
        .map(|charter| charter.source.to_string())
        .ok_or_else(|| SimulationFault(format!("no charter `{name}`")))
}

fn study(more: &str) -> Study {
    let text = format!("name = \"test\"\nseed = 5\n{more}");
    Study::parse(&text).unwrap_or_else(|flaws| panic!("{flaws:?}\n{text}"))
}

fn run(more: &str, threads: usize) -> SimulationReport {
    let study = study(more);
    let house = SimulatedHouse::set(&study, &source(&study.charter).expect("a charter")).expect("a house");
    house.run(threads, &AtomicU64::new(0)).expect("it runs")
}

/// Twelve seats, all for the motion, most of them with a red line that it crosses.
fn lined(settings: &str, cast: &str) -> String {
    format!(
        "matters = 12\ncharter = \"parliament-legacy\"\ntruth_yes = 1.0\ntext = \"Move the archive.\"\n\
         [settings]\n\"debate.rounds\" = 1\n{settings}\n[[feature]]\nname = \"vague\"\ngood = 1.0\nbad = 1.0\n\
         [[cast]]\nmodel = \"a\"\nseats = 12\ncompetence = 1.0\n{cast}\n"
    )
}

fn support(report: &SimulationReport) -> f64 {
    report.support.expect("there are votes").mean
}

#[test]
fn a_study_comes_out_the_same_on_any_number_of_threads() {
    let text = "matters = 9\ncharter = \"parliament-policy\"\n[[cast]]\nmodel = \"a\"\nseats = 10\ncompetence = 0.7\n\
                correlation = 0.3\nconformity = 0.5\nunreadable = 0.05\nabstains = 0.1\nexploited = 0.2\ndigest = 0.1\n";
    let one = run(text, 1);
    assert_eq!(one, run(text, 4));
    assert_eq!(one.kind, "simulated");
    assert_eq!((one.matters, one.seed, one.charter_digest.len()), (9, 5, 64));
    assert!(one.forced > 0.0 && one.entries.len() >= 10, "{one:?}");
    assert_ne!(one, run(&text.replace("0.7", "0.8"), 1));
    let page = one.report().page();
    assert!(page.contains("<svg") && page.contains(&one.charter_digest) && !page.contains("://"), "{page}");
    assert!(one.report().csv().lines().all(|line| line.contains("simulated") || line.contains("kind")));
}

#[test]
fn lines_prompts_and_digests_act_only_where_the_house_puts_them_before_a_seat() {
    let plain = support(&run(&lined("", ""), 1));
    assert_eq!(plain, 1.0);
    let red = "red_lines = [\"vague\"]";
    assert_eq!(support(&run(&lined("", red), 1)), 0.0);
    assert_eq!(
        support(&run(&lined("\"parliament.lines.red\" = 0", red), 1)),
        1.0,
        "nobody is told its lines"
    );
    let asked = "exploited = 1.0\nweighed = 0.0";
    // Who is ordered to argue a side is not asked to weigh both, so nobody is ordered here.
    assert_eq!(support(&run(&lined("\"parliament.consensus_break.on\" = 0", asked), 1)), 0.0);
    assert_eq!(support(&run(&lined("", asked), 1)), 2.0 / 12.0, "two are ordered after the tenth");
    assert_eq!(support(&run(&lined("\"parliament.exploitation.balanced\" = 1", asked), 1)), 1.0);
    assert_eq!(support(&run(&lined("\"parliament.exploitation.on\" = 0", asked), 1)), 1.0);
    // A digest names risks only of a text that shows them.
    let digest = "digest = 1.0";
    assert_eq!(support(&run(&lined("", digest), 1)), 1.0);
    let risky = |settings: &str| lined(settings, digest).replace("Move the archive.", "A provisional move.");
    assert_eq!(support(&run(&risky(""), 1)), 0.0);
    assert_eq!(support(&run(&risky("\"parliament.digest.mitigations\" = 1"), 1)), 1.0);
    assert_eq!(support(&run(&risky("\"parliament.digest.risks\" = 0"), 1)), 1.0);
}

#[test]
fn forced_speech_is_carried_into_the_vote_only_as_far_as_declared() {
    // All are for it, so the breaks and the red team make speakers argue against it.
    let forced = |cast: &str| run(&lined("\"red-team.seats\" = 12", cast), 1);
    let free = forced("");
    assert_eq!((support(&free), free.forced > 12.0), (1.0, true), "{free:?}");
    assert_eq!(support(&forced("carry_over = 1.0")), 0.0);
    let refusing = forced("compliance = 0.0\ncarry_over = 1.0");
    assert_eq!(support(&refusing), 1.0, "who does not obey has nothing to carry");
}

const SMALL: &str = "matters = 40\ncharter = \"parliament-constitutional\"\n[settings]\n\"debate.rounds\" = 1\n\
    [[feature]]\nname = \"vague\"\ngood = 0.1\nbad = 0.7\n\
    [[cast]]\nmodel = \"a\"\nseats = 7\ncompetence = 0.7\nred_lines = [\"vague\"]\nexploited = 0.3\nweighed = 0.1\n\
    [[layer]]\nname = \"lines\"\non = { settings = { \"parliament.lines.red\" = 1 } }\noff = { settings = { \"parliament.lines.red\" = 0 } }\n\
    [[layer]]\nname = \"prompt\"\non = { settings = { \"parliament.exploitation.on\" = 1, \"parliament.exploitation.balanced\" = 0 } }\n\
    off = { settings = { \"parliament.exploitation.on\" = 0 } }\n";

#[test]
fn the_shares_of_layers_come_to_the_effect_of_all_of_them() {
    let report = ablate(&study(SMALL), 2, &AtomicU64::new(0), &source).expect("it runs");
    assert_eq!(report.rows.len(), 4);
    let result = |at: usize| &report.rows[at].result;
    let all = result(3).right.expect("matters").mean - result(0).right.expect("matters").mean;
    let shares: f64 = report.layers.iter().map(|layer| layer.right.shapley.expect("matters").mean).sum();
    assert!((all - shares).abs() < 1e-9, "{all} and {shares}");
    let all = support(result(3)) - support(result(0));
    let shares: f64 = report.layers.iter().map(|layer| layer.support.shapley.expect("matters").mean).sum();
    assert!((all - shares).abs() < 1e-9, "{all} and {shares}");
    assert!(report.layers[0].support.alone.expect("matters").high < 0.0, "red lines cost votes: {report:?}");
    assert!(report.report().text().contains("Shapley"));
}

#[test]
fn calibration_keeps_only_what_is_shown_to_meet_the_target() {
    let grid = "[grid]\n\"ballot.pass\" = [\"> 1/2\", \"1\"]\n";
    let found = study(&format!("{}{grid}", SMALL.replace("matters = 40", "matters = 60")));
    let target = CalibrationTarget { false_pass: 0.3, false_reject: 0.5 };
    let report = calibrate(&found, target, 2, &AtomicU64::new(0), &source).expect("it runs");
    assert_eq!(report.rows.len(), 8);
    for row in &report.rows {
        let (pass, reject) = (row.result.false_pass.expect("some"), row.result.false_reject.expect("some"));
        let expected = if pass.high <= 0.3 && reject.high <= 0.5 {
            TargetVerdict::Meets
        } else if pass.low > 0.3 || reject.low > 0.5 {
            TargetVerdict::Misses
        } else {
            TargetVerdict::Open
        };
        assert_eq!(row.verdict, expected, "{row:?}");
    }
    assert_eq!(report.rows[0].verdict, TargetVerdict::Meets, "{}", report.report().text());
    let costs: Vec<f64> = report
        .rows
        .iter()
        .filter(|row| row.verdict == TargetVerdict::Meets)
        .map(|row| row.result.answers)
        .collect();
    assert!(costs.windows(2).all(|pair| pair[0] <= pair[1]), "the cheaper first: {costs:?}");
    let confirmed = report.confirmed.expect("it is run again");
    assert_eq!((confirmed.result.seed, &confirmed.rules), (6, &report.rows[0].rules));
    // All must agree, or nobody can: nothing meets that.
    let none = CalibrationTarget { false_pass: 0.0, false_reject: 0.0 };
    assert!(calibrate(&found, none, 2, &AtomicU64::new(0), &source).expect("it runs").confirmed.is_none());
    let nothing = study(
        "matters = 2\ncharter = \"collaborative\"\n[[cast]]\nmodel = \"a\"\nseats = 3\ncompetence = 0.7\n",
    );
    let wrong =
        calibrate(&nothing, target, 1, &AtomicU64::new(0), &source).expect_err("nothing to choose from");
    assert!(wrong.0.contains("[grid]"), "{wrong}");
}

/// Studies whose parameters are known, simulated through the house, taken down and fitted.
#[test]
fn what_was_declared_is_found_again() {
    let declared = [
        ("compliance", 0.8),
        ("conformity", 0.45),
        ("carry_over", 0.6),
        ("abstains", 0.1),
        ("competence", 0.7),
    ];
    let (mut tried, mut held) = (0, 0);
    for seed in 1..=12 {
        let text = "matters = 30\ncharter = \"parliament-policy\"\n[settings]\n\"debate.rounds\" = 3\n\"red-team.seats\" = 6\n\
             [[cast]]\nmodel = \"a\"\nseats = 12\ncompetence = 0.7\ncorrelation = 0.4\ncompliance = 0.8\nconformity = 0.45\ncarry_over = 0.6\nabstains = 0.1\n";
        let mut one = study(text);
        one.seed = seed;
        let house = SimulatedHouse::set(&one, &source(&one.charter).expect("a charter")).expect("a house");
        let found = fit(&house.recorded(30).expect("they run"));
        assert_eq!(found.groups.len(), 1);
        for (name, truth) in declared {
            let it = found.groups[0]
                .parameters
                .iter()
                .find(|it| it.name == name)
                .unwrap_or_else(|| panic!("{name}: {found:?}"));
            assert_eq!(it.sessions, 30.min(it.sessions));
            tried += 1;
            held += u32::from(it.estimate.low <= truth && truth <= it.estimate.high);
        }
        let unknown: Vec<&str> = found.unknown.iter().map(|(what, _)| what.as_str()).collect();
        assert!(unknown.contains(&"stubbornness") && unknown.contains(&"digest"), "{unknown:?}");
        assert!(found.casts().contains("conformity = 0."), "{}", found.casts());
    }
    // Of 60 intervals, three or so miss; fewer than 50 hits would happen once in ten thousand times.
    assert!(held >= 50, "{held} of {tried} intervals hold what was declared");
}

#[test]
fn a_study_with_flaws_is_refused_with_all_of_them() {
    let flaws = Study::parse(
        "name = \"x\"\nseed = 1\nmatters = 0\ncharter = \"collaborative\"\ntext = \" \"\n[[cast]]\nmodel = \"a\"\nseats = 3\n\
         competence = 1.5\ndigest = -1.0\nred_lines = [\"nowhere\"]\n[[feature]]\nname = \"f\"\ngood = 2.0\nbad = 0.0\n[grid]\nrounds = []\n",
    )
    .expect_err("it has flaws")
    .join("\n");
    for part in
        ["competence = 1.5", "digest = -1", "`nowhere`", "good = 2", "text:", "0 combinations", "matters = 0"]
    {
        assert!(flaws.contains(part), "{part}: {flaws}");
    }
}
