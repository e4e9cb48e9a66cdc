//! Settings move within their range, exactly, and fixed ones never.

use std::collections::BTreeMap;
use std::sync::Arc;

use synod_core::charter::{Charter, Refusal, shipped};
use synod_core::kernel::SettingValue;

use super::flaws;

fn value(written: &str) -> SettingValue {
    written.parse().unwrap_or_else(|wrong| panic!("{wrong}"))
}

fn shipped_charter(name: &str) -> Arc<Charter> {
    Arc::new(shipped(name).unwrap().charter().unwrap())
}

/// The charter with one setting moved, for a kind of motion.
fn moved(charter: &Arc<Charter>, name: &str, to: &str, motion: Option<&str>) -> Result<Arc<Charter>, String> {
    let wished = BTreeMap::from([(name.to_string(), value(to))]);
    let resolved =
        charter.resolve(&wished, motion).map_err(|refusal| format!("{}: {refusal}", refusal.code()))?;
    let moved = charter.with(&resolved, motion);
    // What is recorded survives the journal and gives the same rules again.
    let json = serde_json::to_string(&resolved).unwrap();
    let again: BTreeMap<String, SettingValue> = serde_json::from_str(&json).unwrap();
    assert_eq!(charter.with(&again, motion), moved);
    Ok(moved)
}

#[test]
fn numbers_move_within_their_range_and_fixed_ones_never() {
    let charter = shipped_charter("blind-vote");
    let is = |name: &str, to: &str, setting: &str| {
        moved(&charter, name, to, None).unwrap().settings()[setting].is.number().unwrap()
    };
    assert_eq!(is("rounds", "3", "debate.rounds"), 3);
    assert_eq!(is("rounds", "3", "drafts.rounds"), 1, "a fixed setting stays");
    assert_eq!(is("turn.limit_ms", "90_000", "turn.limit_ms"), 90_000);
    assert_eq!(is("drafts.rounds", "1", "drafts.rounds"), 1, "where it stands it may be put");
    for (name, to, message) in [
        ("rounds", "7", "charter/setting-outside: `debate.rounds` can be 1 to 6, not 7"),
        ("rounds", "0", "charter/setting-outside: `debate.rounds` can be 1 to 6, not 0"),
        ("rounds", "2/3", "charter/setting-outside: `debate.rounds` can be 1 to 6, not >= 2/3"),
        (
            "drafts.rounds",
            "2",
            "charter/fixed-setting: the charter fixes `drafts.rounds` at 1: leave it out, or use another charter",
        ),
    ] {
        assert_eq!(moved(&charter, name, to, None).unwrap_err(), message);
    }
    let Err(unknown) = moved(&charter, "volume", "1", None) else { panic!("it has none") };
    assert!(
        unknown.starts_with("charter/unknown-setting: the charter has no setting `volume`; you can change "),
        "{unknown}"
    );
    assert!(unknown.contains("ballot.pass") && !unknown.contains("motion."), "{unknown}");
}

#[test]
fn shares_move_exactly_and_the_sign_moves_with_them() {
    let charter = shipped_charter("blind-vote");
    let pass =
        |to: &str| moved(&charter, "ballot.pass", to, None).map(|charter| charter.ballot.pass.to_string());
    assert_eq!(pass(">= 2/3").unwrap(), ">= 2/3");
    assert_eq!(pass("2/3").unwrap(), ">= 2/3", "without a sign it is to be reached");
    assert_eq!(pass("67%").unwrap(), ">= 67/100");
    assert_eq!(pass("1").unwrap(), ">= 1/1");
    assert_eq!(pass("> 50%").unwrap(), "> 50/100");
    assert!(moved(&charter, "ballot.pass", "2/3", None).unwrap().ballot.pass.is_met_by(48, 72), "exactly");
    // The range is from `> 1/2` to `>= 1`: `>= 1/2` is easier to pass, `> 1` is impossible.
    for to in ["1/2", "> 1", "0", "2"] {
        let wrong = pass(to).unwrap_err();
        let given = value(to);
        let message = format!("`ballot.pass` can be > 1/2 to >= 1/1, not {given}");
        assert_eq!(wrong, format!("charter/setting-outside: {message}"));
    }
    let quorum = |to: &str| {
        moved(&charter, "ballot.quorum", to, None).map(|charter| charter.ballot.quorum.to_string())
    };
    assert_eq!(quorum("3/4").unwrap(), "3/4");
    assert_eq!(quorum(">= 3/4").unwrap(), "3/4");
    assert!(quorum("> 3/4").unwrap_err().ends_with(">= 2/3 to >= 1/1, not > 3/4"), "a quorum is reached");
    for name in ["watch.consensus", "watch.confidence", "first-vote.early", "debate.until_clear"] {
        let charter = moved(&charter, name, "> 4/5", None).unwrap();
        assert_eq!(charter.settings()[name].is.to_string(), "> 4/5");
    }
    let ring = shipped_charter("ring-critical");
    let fixed = "charter/fixed-setting: the charter fixes `ballot.pass` at >= 100/100: leave it out, or use another charter";
    assert_eq!(moved(&ring, "ballot.pass", "1/2", None).unwrap_err(), fixed);
}

#[test]
fn a_motion_moves_by_its_own_share() {
    let source = shipped("collaborative").unwrap().source.replace(
        "name = \"policy\"\npass = \">= 3/5\"",
        "name = \"policy\"\npass = { is = \">= 3/5\", from = \"> 1/2\", to = \"1\" }",
    );
    let charter = Arc::new(Charter::parse(&source).unwrap().0);
    let policy = moved(&charter, "motion.policy.pass", "3/4", Some("policy")).unwrap();
    assert_eq!(policy.ballot.pass.to_string(), ">= 3/4");
    assert_eq!(charter.with(&BTreeMap::new(), Some("policy")).ballot.pass.to_string(), ">= 3/5");
    let fixed = moved(&charter, "motion.constitutional.pass", "3/4", Some("constitutional")).unwrap_err();
    assert!(fixed.starts_with("charter/fixed-setting"), "{fixed}");
    // What nobody would read cannot be moved.
    for (name, motion) in [
        ("ballot.pass", Some("policy")),
        ("motion.policy.pass", None),
        ("motion.policy.pass", Some("constitutional")),
    ] {
        let wrong = moved(&charter, name, "3/4", motion).unwrap_err();
        assert!(wrong.starts_with("charter/other-threshold"), "{wrong}");
    }
}

#[test]
fn a_value_is_read_as_people_type_it() {
    for (written, shown, json) in [
        ("3", "3", "3"),
        ("90_000", "90000", "90000"),
        (" 2/3 ", ">= 2/3", "\">= 2/3\""),
        ("0.6", ">= 6/10", "\">= 6/10\""),
        ("≥ 3/4", ">= 3/4", "\">= 3/4\""),
        (">1/2", "> 1/2", "\"> 1/2\""),
    ] {
        assert_eq!(value(written).to_string(), shown);
        assert_eq!(serde_json::to_string(&value(written)).unwrap(), json);
        assert_eq!(serde_json::from_str::<SettingValue>(json).unwrap(), value(written));
    }
    for wrong in ["", "_", "many", "-1", "4/3", "1e3", "99999999999999999999"] {
        let message = wrong.parse::<SettingValue>().unwrap_err().to_string();
        assert!(message.contains("write a whole number such as 3, or a share such as 2/3"), "{message}");
    }
    for wrong in ["-1", "1.5", "\"many\"", "\"3\"", "null", "true", "[]"] {
        assert!(serde_json::from_str::<SettingValue>(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn a_range_that_makes_no_sense_is_a_flaw() {
    let source = shipped("blind-vote").unwrap().source;
    let pass = "pass = { is = \"> 1/2\", from = \"> 1/2\", to = \"1\" }";
    assert!(source.contains(pass));
    for (written, wrong) in [
        ("{ is = \"1/2\", from = \"> 1/2\", to = \"1\" }", ">= 1/2 is not between > 1/2 and >= 1/1"),
        ("{ is = \"> 1/2\", from = \"0\", to = \"1\" }", "a share of 0 would meet this"),
        ("{ is = \"> 1/2\", from = \"1/2\", to = \"> 1\" }", "no share can meet this"),
        ("{ is = \"> 1/2\", from = \"1/2\" }", "`to` is missing"),
        ("{ is = \"> 1/2\", from = \"1/2\", to = \"most\" }", "`most` cannot be read"),
    ] {
        let found = flaws(&source.replace(pass, &format!("pass = {written}")));
        assert!(found.contains("`ballot.pass`") && found.contains(wrong), "{found}");
    }
    let found = flaws(&source.replace("name = \"debate\"", "name = \"watch\""));
    assert!(found.contains("`stage.name`: \"watch\" is a table of charters"), "{found}");
}

/// The house judges moves by the same rules, and records what they came to.
#[test]
fn the_refusal_names_the_exact_bounds() {
    let charter = shipped_charter("collaborative");
    let wished = BTreeMap::from([("ballot.quorum".to_string(), value("1/2"))]);
    let Err(Refusal::SettingOutside { setting, from, to, given }) = charter.resolve(&wished, None) else {
        panic!("1/2 lies below 2/3")
    };
    assert_eq!(
        (setting.as_str(), from, to, given),
        ("ballot.quorum", value("2/3"), value("1/1"), value("1/2"))
    );
}
