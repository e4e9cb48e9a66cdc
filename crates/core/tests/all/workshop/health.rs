//! Whether agents may run by themselves.

use synod_core::kernel::Actor;
use synod_core::roster::{Appointment, HealthMode};
use synod_core::{Command, House};

use super::Shop;
use crate::world::who;

fn codes(house: &House, mode: HealthMode) -> Vec<&'static str> {
    house.health(mode).flaws.iter().map(|flaw| flaw.code()).collect()
}

#[test]
fn every_flaw_is_listed_in_order_with_true_counts() {
    let house = House::default();
    assert_eq!(
        codes(&house, HealthMode::Team),
        ["INVALID_ASSISTANT_COUNT", "NO_MODERATOR", "NO_DEVILS_ADVOCATE", "CIRCUIT_BREAKERS_DISABLED"]
    );
    assert_eq!(
        codes(&house, HealthMode::Editor),
        ["NO_MODERATOR", "NO_DEVILS_ADVOCATE", "CIRCUIT_BREAKERS_DISABLED"]
    );
    for flaw in house.health(HealthMode::Team).flaws {
        assert!(flaw.fix().starts_with("synod ") && !flaw.message().is_empty());
    }
}

#[test]
fn a_team_has_exactly_one_assistant() {
    for (count, ok) in [(0, false), (1, true), (3, false)] {
        let names: Vec<String> = (0..count).map(|nth| format!("a{nth}=assistant")).collect();
        let mut people = vec!["mo=moderator", "da*"];
        people.extend(names.iter().map(String::as_str));
        let shop = Shop::new("workshop", &people);
        let health = shop.world.house.health(HealthMode::Team);
        assert_eq!((health.is_ok(), health.assistants), (ok, count), "{health:?}");
        if !ok {
            assert!(health.flaws[0].message().contains(&count.to_string()), "{}", health.flaws[0].message());
        }
        assert!(shop.world.house.health(HealthMode::Editor).is_ok());
    }
}

#[test]
fn who_is_switched_off_does_not_count_and_may_do_nothing() {
    let mut shop = Shop::new("workshop", &["mo=moderator*"]);
    assert!(shop.world.house.health(HealthMode::Editor).is_ok());
    let held = shop.world.house.roster().appointment(&who("mo"));
    let appointment = Appointment { enabled: false, ..held };
    shop.world.submit(Actor::Operator, Command::Appoint { appointment, who: who("mo") });
    assert_eq!(codes(&shop.world.house, HealthMode::Editor), ["NO_MODERATOR", "NO_DEVILS_ADVOCATE"]);
    let act = shop.open("mo", "Nothing");
    assert!(format!("{:?}", act.outcome).contains("workshop/disabled"));
}

#[test]
fn a_charter_that_checks_nothing_is_a_flaw() {
    let shop = Shop::new("workshop", &["mo=moderator*"]);
    let house = &shop.world.house;
    assert!(house.health(HealthMode::Editor).breakers);
    let source = crate::world::source("workshop").replace("breakers = true", "breakers = false");
    let mut world = crate::world::World::new();
    world.submit(Actor::Operator, Command::Adopt { source: source.clone() });
    let charter = synod_core::kernel::Digest::of(source.as_bytes());
    let configure = synod_core::procedure::workshop::Command::Configure { charter };
    world.submit(Actor::Operator, Command::Workshop(configure));
    assert!(codes(&world.house, HealthMode::Editor).contains(&"CIRCUIT_BREAKERS_DISABLED"));
}

#[test]
fn only_the_operator_appoints() {
    let mut shop = Shop::new("workshop", &["ann"]);
    let appointment =
        Appointment { role: Some(synod_core::roster::WorkRole::Moderator), ..Appointment::default() };
    for by in [Actor::Seat(who("ann")), Actor::Engine] {
        let act = shop.world.submit(by, Command::Appoint { appointment, who: who("ann") });
        assert!(format!("{:?}", act.outcome).contains("house/not-allowed"));
    }
    let act = shop.world.submit(Actor::Operator, Command::Appoint { appointment, who: who("zoe") });
    assert!(format!("{:?}", act.outcome).contains("roster/unknown-seat"));
}
