//! The filters of `synod list`.

use super::{debate, last, place, refuses};
use crate::houses::finish;
use crate::world::{Place, each};

#[track_caller]
fn topics(place: &Place, more: &[&str]) -> Vec<String> {
    let list = place.json([&["list"], more].concat());
    each(&list, "topic").into_iter().map(String::from).collect()
}

#[test]
fn filters_narrow_together() {
    let place = place();
    debate(&place, &["--quiet"]).exits(2);
    let seats = ["--seat=ann=script:talk.txt", "--seat=Zoë=rehearsal", "--quiet"];
    place.run([&["debate", "Ist die Ｓｔｒａｓｓｅ ein Weg?"], &seats[..]].concat());
    debate(&place, &["--quiet", "--step"]).exits(2);
    place.run(["debate", "Ist die Straße ein Weg?", "--quiet", "--rehearse"]);
    let cache = "Should we cache the index?";

    assert_eq!(topics(&place, &[]).len(), 4);
    assert_eq!(topics(&place, &["--open"]), [cache]);
    assert_eq!(topics(&place, &["--status=waiting"]), [cache]);
    assert_eq!(
        topics(&place, &["--status=waiting", "--status=undecided", "--contains=CACHE"]),
        [cache, cache]
    );
    assert_eq!(topics(&place, &["--charter=collaborative", "--limit=1"]), [cache]);
    assert_eq!(
        topics(&place, &["--contains", "STRASSE"]),
        ["Ist die Ｓｔｒａｓｓｅ ein Weg?", "Ist die Straße ein Weg?"]
    );
    assert_eq!(topics(&place, &["--seat", " ZOË "]), ["Ist die Ｓｔｒａｓｓｅ ein Weg?"]);
    assert_eq!(topics(&place, &["--seat=ann", "--charter=blind-vote"]), ["Ist die Ｓｔｒａｓｓｅ ein Weg?"]);
    assert_eq!(topics(&place, &["--limit=1"]), ["Ist die Straße ein Weg?"], "the newest");
    assert_eq!(topics(&place, &["--charter=delphi"]), [""; 0], "a charter that nobody used yet");
    assert_eq!(topics(&place, &["--status=needs-context"]), [""; 0]);
    place.run(["list", "--status=contested"]).exits(0).prints("no matter matches");
    place.run(["list", "--status=waiting"]).exits(0).prints(&last_waiting(&place));
    finish(place);
}

fn last_waiting(place: &Place) -> String {
    let list = place.json(["list", "--status=waiting"]);
    list[0]["matter"].as_str().expect("a matter").into()
}

#[test]
fn by_day_and_moment() {
    let place = place();
    debate(&place, &["--quiet"]).exits(2);
    let opened = place.report()["opened"].as_u64().expect("a time");
    let shown = place.run(["list"]).out;
    let moment = shown.split_whitespace().find(|word| word.ends_with('Z')).expect("a moment").to_string();
    let day = &moment[..10];
    let seen = |more: &[&str]| topics(&place, more).len();
    assert_eq!(seen(&["--since", day, "--until", day]), 1, "a day has all its hours");
    assert_eq!(seen(&["--since", &moment, "--until", &moment]), 1, "{moment} is {opened}");
    assert_eq!(seen(&["--since", "2999-12-31"]), 0);
    assert_eq!(seen(&["--until", "2024-02-29"]), 0);
    assert_eq!(seen(&["--since", "1969-07-20"]), 1);
    // The same moment elsewhere on Earth.
    assert_eq!(seen(&["--since", "2024-02-29T23:30:00-01:30", "--until", "2999-01-01T00:00:00.5+14:00"]), 1);
    finish(place);
}

#[test]
fn what_cannot_be_looked_for() {
    let place = place();
    debate(&place, &["--quiet"]).exits(2);
    let list = |more: &[&'static str]| [&["list"], more].concat();
    refuses(&place, &list(&["--status=done"]), 64, &["invalid value 'done'", "waiting", "needs_context"]);
    refuses(
        &place,
        &list(&["--charter=blind-vot"]),
        64,
        &["Did you mean `blind-vote`?", "Known: adversarial"],
    );
    refuses(&place, &list(&["--seat=zoe"]), 64, &["unknown seat `zoe`", "Known: ann, bob"]);
    refuses(&place, &list(&["--contains= "]), 64, &["--contains is empty"]);
    refuses(&place, &list(&["--limit=0"]), 64, &["0 is not in 1.."]);
    for date in
        ["yesterday", "2026-02-29", "2026-13-01", "2026-1-1", "2026-01-01T25:00:00Z", "2026-01-01T08:00:00"]
    {
        refuses(&place, &["list", "--since", date], 64, &["is not a date: write 2026-01-31"]);
    }
    refuses(
        &place,
        &list(&["--since=2026-02-01", "--until=2026-01-31"]),
        64,
        &["--since is later than --until"],
    );
    assert!(!last(&place).is_empty());
    finish(place);
}
