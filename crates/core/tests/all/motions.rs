//! Kinds of motion: the same votes carry one and not another.

use expect_test::expect;
use synod_core::charter::{self, Charter};
use synod_core::procedure::council::{self, Fork};

use synod_core::kernel::{Actor, Digest};
use synod_core::meter::Limits;
use synod_core::view::Report;
use synod_core::{Command, Outcome};

use crate::world::{World, source};

/// How a vote ends under a kind of motion: so many for, so many against.
fn ends(motion: Option<&str>, yes: usize, no: usize) -> String {
    let names: Vec<String> = (0..yes + no).map(|nth| format!("s{nth}")).collect();
    let seats: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut world = World::new();
    let opened = world.open_with(&source("collaborative+tie=fails"), "cache", &[], &seats, |open| {
        open.moved.insert("rounds".into(), 1.into());
        open.motion = motion.map(str::to_string);
    });
    if let Outcome::Refused { code, message } = &opened.outcome {
        return format!("{code}: {message}");
    }
    for name in &names {
        world.step(&format!("{name}: NEUTRAL"));
    }
    for (nth, name) in names.iter().enumerate() {
        world.step(&format!("{name}: {}", if nth < yes { "YES" } else { "NO" }));
    }
    let report = Report::of(world.house.cases().last().expect("a matter"));
    assert_eq!(report.motion.as_deref(), motion);
    format!("{} by {}", report.status, report.ballots[0].rule.pass)
}

#[test]
fn each_kind_is_carried_by_its_own_share() {
    for (motion, yes, no, expected) in [
        (Some("constitutional"), 48, 24, "passed by >= 2/3"),
        (Some("constitutional"), 47, 25, "rejected by >= 2/3"),
        (Some("policy"), 3, 2, "passed by >= 3/5"),
        (Some("policy"), 4, 3, "rejected by >= 3/5"),
        (Some("open"), 3, 2, "passed by >= 3/5"),
        (Some("open"), 4, 3, "rejected by >= 3/5"),
        (Some("procedural"), 4, 3, "passed by > 1/2"),
        (Some("procedural"), 36, 36, "rejected by > 1/2"),
        (None, 4, 3, "passed by > 1/2"),
    ] {
        assert_eq!(ends(motion, yes, no), expected, "{motion:?} {yes} to {no}");
    }
}

#[test]
fn a_kind_that_is_not_known_is_refused_with_those_that_are() {
    assert_eq!(
        ends(Some("budget"), 2, 1),
        "charter/unknown-motion: the charter has no motion `budget`; it has constitutional, policy, procedural, open"
    );
}

#[test]
fn a_branch_keeps_the_kind_where_its_charter_knows_it() {
    let mut world = World::new();
    world.open_with(&source("collaborative"), "cache", &[], &["ann", "bob"], |open| {
        open.motion = Some("constitutional".into());
    });
    world.step("ann: YES");
    world.step("bob: NO");
    let matter = world.matter();
    world.submit(Actor::Operator, Command::Stop { matter });
    let pass = |world: &World| {
        let case = world.house.cases().last().expect("a matter");
        (case.opening.motion.clone(), case.charter.ballot.pass.to_string())
    };
    world.step("fork 1");
    assert_eq!(pass(&world), (Some("constitutional".into()), ">= 2/3".into()));
    world.step("fork 1 socratic");
    assert_eq!(pass(&world), (Some("constitutional".into()), ">= 2/3".into()));
    // One that knows no kinds goes by its ballot.
    let bare = "name = \"bare\"\ntitle = \"Bare\"\nsummary = \"B.\"\nextends = \"socratic\"\nwithout = [\"motion\"]\n";
    let bare = charter::flatten(bare, &charter::parent).expect("it ships").text;
    world.submit(Actor::Operator, Command::Adopt { source: bare.clone() });
    let charter = Some(Digest::of(bare.as_bytes()));
    let fork = Fork {
        charter,
        focus: None,
        from: world.matter(),
        limits: Limits::default(),
        moved: Default::default(),
        round: 1,
        seats: None,
        stepwise: false,
    };
    world.submit(Actor::Operator, Command::Council(council::Command::Fork(Box::new(fork))));
    assert_eq!(pass(&world), (None, "> 1/2".into()));
}

#[test]
fn flaws_of_motions_are_named() {
    let more = "\n[[motion]]\nname = \"Über\"\npass = \"0.67\"\n[[motion]]\nname = \"policy\"\npass = \">= 3/5\"\n[[motion]]\nname = \"any\"\npass = \">= 0\"\n[[motion]]\nname = \"never\"\npass = \"> 1\"\n[[motion]]\nshare = 1\n";
    let flaws: String = match Charter::parse(&(source("collaborative") + more)) {
        Ok(_) => panic!("it has flaws"),
        Err(flaws) => flaws.iter().map(|flaw| format!("{flaw}\n")).collect(),
    };
    expect![[r#"
        line 148: `motion.name`: "Über" is not a name; use a to z, 0 to 9 and `-`, at most 64 of them
        line 150: `motion.pass`: 67/100 is taken literally, not as 2/3; write "2/3" if you mean that
        line 151: `motion.name`: the motion "policy" is listed twice; name each once
        line 156: `motion.pass`: a share of 0 would meet this; write a threshold such as "> 1/2" or ">= 2/3"
        line 159: `motion.pass`: no share can meet this; write a threshold such as "> 1/2" or ">= 2/3"
        line 161: `motion.share`: this key is not known; known here: name, pass
    "#]]
    .assert_eq(&flaws);
}
