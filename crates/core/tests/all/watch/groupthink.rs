//! Signs of groupthink, and votes that follow others without an argument.

use synod_core::kernel::{Reading, Who};
use synod_core::watch::{Indicator, Rules, conformity};

use super::{CACHE, QUEUE, read, read_with, rules};

fn signs(scripts: &[&str]) -> Vec<Indicator> {
    read(scripts).groupthink
}

#[test]
fn all_sure_and_alike_is_a_sign() {
    let alike =
        |sure: &str| format!("ann yes 0.9 | {CACHE}\nbob? yes {sure} | {CACHE}\ncy yes 0.9 | {CACHE}");
    assert_eq!(signs(&[&alike("0.85")]), [Indicator::ConfidentAndAlike]);
    assert_eq!(signs(&[&alike("0.84")]), []);
    assert_eq!(signs(&[&alike("")]), [], "not stated is not sure");
    let off = Rules { groupthink: false, ..rules() };
    assert_eq!(read_with(&off, 0, None, &[&alike("0.9")]).groupthink, []);
    let two = format!("ann yes 0.9 | {CACHE}\nbob yes 0.9 | {CACHE}");
    assert_eq!(signs(&[&two]), [], "two are no group");
}

#[test]
fn no_alternative_needs_all_on_one_side_and_no_word_for_another() {
    let with = |cy: &str| format!("ann yes | {CACHE}\nbob yes | {QUEUE}\n{cy}");
    let none = [Indicator::NoAlternative];
    assert_eq!(signs(&[&with("cy yes | It is cheap and quick")]), none);
    assert_eq!(signs(&[&with("cy? yes | It is cheap and quick")]), [], "weighed in its section");
    assert_eq!(signs(&[&with("cy yes | It is cheap | The alternative is slower")]), []);
    assert_eq!(signs(&[&with("cy yes | Billig | | Der Nachteil ist klein")]), []);
    assert_eq!(signs(&[&with("cy yes | It is cheap, rather than quick")]), []);
    assert_eq!(signs(&[&with("cy no | It is cheap and quick")]), []);
    assert_eq!(signs(&[&with("dee yes | p\ncy")]), [], "one whose side cannot be told");
    assert_eq!(signs(&[&with("cy yes | Είναι φτηνό και γρήγορο")]), [], "a script without a list");
}

#[test]
fn dissent_that_falls_silent_is_a_sign() {
    let before = format!("ann yes | {CACHE}\nbob? yes | {CACHE}\ncy no | {QUEUE}\ndee yes | {CACHE}");
    let after = |cy: &str| format!("ann yes | {CACHE}\nbob? yes | {CACHE}\ncy {cy}\ndee yes | {CACHE}");
    let dropped = [Indicator::DissentDropped { who: Who::parse("cy").unwrap() }];
    assert_eq!(signs(&[&before, &after("yes 0.6")]), dropped);
    assert_eq!(signs(&[&before, &after(&format!("yes | {CACHE}"))]), dropped);
    assert_eq!(signs(&[&before, &after("yes | I now vote yes.")]), dropped);
    assert_eq!(signs(&[&before, &after("yes | The load test of May shows the origin survives purges")]), []);
    assert_eq!(signs(&[&before, &after(&format!("no | {QUEUE}"))]), [], "still there");
    let torn = format!("ann yes | {CACHE}\nbob? yes | {CACHE}\ncy no | {QUEUE}\ndee no | {QUEUE}");
    assert_eq!(signs(&[&torn, &after("yes")]), [], "two of four were no minority");
}

#[test]
fn agreement_by_reference_is_a_sign() {
    let with = |cy: &str| format!("ann yes | {CACHE} | Reads get faster\nbob? yes | {QUEUE}\ncy yes {cy}");
    let referring = [Indicator::ByReference { who: Who::parse("cy").unwrap() }];
    for cy in [
        "| Yes | | I agree with Ann.",
        "| I agree with Ann and Bob. | Reads get faster",
        "| Yes | | As Ann said, reads get faster.",
        "| Ja | | Ich stimme Ann zu.",
        "| Ja | | Wie Ann sagt. Ich folge der Mehrheit.",
        "| Yes | | Like the others, I vote yes.",
    ] {
        assert_eq!(signs(&[&with(cy)]), referring, "{cy}");
    }
    for cy in [
        "| I agree with Ann. | Purging takes two seconds in the pilot",
        "| Yes | | I agree with Ann. The pilot in May cut the bill by half.",
        "| Reads get faster",
    ] {
        assert_eq!(signs(&[&with(cy)]), [], "{cy}");
    }
}

#[test]
fn a_changed_vote_that_names_no_argument_is_conformity() {
    for none in [
        "",
        "  ",
        "-",
        "none",
        "N/A",
        "too risky",
        "the others agree",
        "Most voted yes.",
        "I was convinced by the majority",
        "I was convinced by the arguments of the others.",
        "I agree with Bob.",
        "no new argument",
        "Die Mehrheit hat mich überzeugt",
        "Ich schließe mich der Mehrheit an.",
        "Die anderen haben dafür gestimmt.",
        "大多数人都同意",
    ] {
        assert!(conformity(Some(none), Reading::Close), "{none}");
    }
    assert!(conformity(None, Reading::Close));
    for argument in [
        "The purge test shows stale prices",
        "I was convinced by the load test that Bob cited",
        "The majority showed that purging takes two seconds",
        "Cost matters most",
        "Die anderen zeigen, dass die Kosten sinken",
        "测试表明缓存会降低成本",
        "Стоимость хранения растёт вдвое",
    ] {
        assert!(!conformity(Some(argument), Reading::Close), "{argument}");
    }
}

/// Whoever ships a charter in which nobody is told to oppose has its agreements looked at.
#[test]
fn every_mode_without_assigned_opposition_is_watched() {
    let mut watched = 0;
    for shipped in synod_core::charter::councils() {
        let (charter, _) = synod_core::charter::Charter::parse(shipped.source).unwrap();
        // Where nobody takes a side there is none to give up.
        let Some(council) = charter.council().filter(|council| council.kind().is_none()) else { continue };
        let assigns = council.roles.iter().flat_map(|roles| &roles.roles).any(|role| role.expects.is_some());
        let baseline = shipped.name == "council-base";
        // Motions are watched after every entry instead.
        let assigns = assigns || charter.parliament().is_some();
        assert!(assigns || baseline || council.watch.rules.groupthink, "{}", shipped.name);
        watched += usize::from(council.watch.rules.groupthink);
    }
    assert!(watched >= 5, "{watched}");
}
