//! Figures on recorded answers, beside those that an independent script measured. The answers are not part of the project.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use synod_lab::import::ballots;
use synod_lab::rules::{ComparisonPlan, Contestant, SetReport, compare};

pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

fn report(file: &str, set: &str) -> Option<SetReport> {
    compared(file, set, 0)
}

fn compared(file: &str, set: &str, draws: usize) -> Option<SetReport> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/ballots").join(file);
    let Ok(text) = fs::read_to_string(path) else {
        say(&format!("skipped: the recorded answers of {set} are not here"));
        return None;
    };
    let book = ballots(&text).expect("they can be read");
    let set = book.sets.iter().find(|known| known.name == set).expect("the set");
    Some(compare(set, ComparisonPlan { draws, ..ComparisonPlan::default() }).expect("the truth is known"))
}

fn right(report: &SetReport, rule: Contestant) -> f64 {
    report.rules.iter().find(|row| row.rule == rule).expect("the rule").right.mean * 100.0
}

#[track_caller]
fn near(what: &str, found: f64, expected: f64, within: f64) {
    assert!((found - expected).abs() <= within, "{what}: {found:.2}, {expected} was measured elsewhere");
}

#[test]
fn figures_agree_with_an_independent_script() {
    // Set, plurality, the best agent, Dawid-Skene, the rule that learns, effective voters.
    let known = [
        ("ze_numersense.csv", "ze_numersense", 91.9, 98.8, 92.2, 99.2, 3.7),
        ("confidence.csv", "conf_lsatar", 73.0, 94.8, 94.8, 95.2, 4.3),
        ("confidence.csv", "conf_sciq", 97.2, 98.0, 97.2, 97.8, 1.6),
    ];
    for (file, set, plurality, best, skene, learned, voters) in known {
        let Some(report) = report(file, set) else { continue };
        near(&format!("{set}, plurality"), right(&report, Contestant::Plurality), plurality, 0.15);
        near(&format!("{set}, best agent"), right(&report, Contestant::Best), best, 0.7);
        near(&format!("{set}, Dawid-Skene"), right(&report, Contestant::DawidSkene), skene, 1.0);
        near(&format!("{set}, reliability"), right(&report, Contestant::Reliability), learned, 0.7);
        near(
            &format!("{set}, effective voters"),
            report.effective_voters.expect("there are errors"),
            voters,
            0.9,
        );
        let better = right(&report, Contestant::Best).max(right(&report, Contestant::Plurality));
        let error = 100.0 * (better / 100.0 * (1.0 - better / 100.0) / report.items as f64).sqrt();
        assert!(
            right(&report, Contestant::Reliability) > better - error,
            "{set}: the rule that learns loses"
        );
    }
}

#[test]
fn panels_ask_fewer_and_are_as_right() {
    let Some(report) = report("confidence.csv", "conf_lsatar") else { return };
    let row = |rule| report.rules.iter().find(|row| row.rule == rule).expect("the rule");
    near("LSAT, panel", right(&report, Contestant::Panel), 70.1, 0.8);
    // Who was asked and gave no usable answer counts as asked here, and does not agree with anybody.
    near("LSAT, calls of a panel", row(Contestant::Panel).calls, 6.08, 0.35);
    assert!(row(Contestant::PanelByRecord).calls < row(Contestant::Panel).calls);
    assert!(right(&report, Contestant::PanelByRecord) >= right(&report, Contestant::Panel));
}

/// After few outcomes the rule that learns may not lose to the better of one vote each and the best seat, by more than one standard error.
#[test]
fn few_outcomes_do_no_harm() {
    let sets = [
        ("ze_numersense.csv", "ze_numersense"),
        ("confidence.csv", "conf_lsatar"),
        ("confidence.csv", "conf_saten"),
        ("delib_forecast.csv", "delib_diversefull"),
        ("delib_forecast.csv", "delib_homofull"),
        ("delib_forecast.csv", "delib_homoinfo"),
    ];
    for (file, set) in sets {
        let Some(report) = compared(file, set, 20) else { continue };
        assert_eq!(report.curve.len(), 3, "{set}");
        for point in &report.curve {
            say(&format!(
                "{set}, {} outcomes: {:+.1} points ahead of the better of two, standard error {:.1}",
                point.outcomes,
                100.0 * point.ahead,
                100.0 * point.error
            ));
            assert!(point.ahead >= -point.error, "{set}: {point:?}");
        }
    }
}
