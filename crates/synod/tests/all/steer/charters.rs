//! `synod charter new`, and charters of the house that replace shipped ones.

use super::refuses;
use crate::houses::finish;
use crate::world::Place;

fn written(place: &Place, name: &str) -> String {
    std::fs::read_to_string(place.house().join("charters").join(name)).expect("a charter")
}

#[test]
fn a_charter_of_ones_own() {
    let place = Place::new();
    let shipped = place.run(["charter", "show", "delphi"]).exits(0).out;
    place
        .run(["charter", "new", "quiet-panel", "--from", "delphi"])
        .exits(0)
        .prints(".synod/charters/quiet-panel.toml written, a copy of delphi (built-in)")
        .prints("synod charter check quiet-panel")
        .prints("synod debate \"…\" --charter quiet-panel")
        .hides("replaces");
    let own = written(&place, "quiet-panel.toml");
    let source = shipped.split("\n# digest").next().expect("the source");
    assert_eq!(own.trim_end(), source.replace("name = \"delphi\"", "name = \"quiet-panel\"").trim_end());
    assert!(own.contains('#'), "comments are kept");
    place.run(["charter", "check", "quiet-panel"]).exits(0).prints("good");
    place.run(["charter", "list"]).exits(0).prints("[.synod/charters/quiet-panel.toml]").hides("replaces");
    place
        .run(["debate", "Ours?", "--charter", "quiet-panel", "--rehearse"])
        .tells("charter: quiet-panel")
        .hides("replaces");

    let told = place.json(["charter", "new", "second", "--from", "quiet-panel"]);
    assert_eq!((&told["charter"], &told["replaces_shipped"]), (&"second".into(), &false.into()));
    assert_eq!(told["file"], ".synod/charters/second.toml");
    assert_eq!(told["digest"], place.json(["charter", "show", "second"])["digest"]);
    finish(place);
}

#[test]
fn a_shipped_name_may_be_taken_and_it_is_said() {
    let place = Place::new();
    let note = ".synod/charters/blind-vote.toml replaces the built-in charter blind-vote in this house";
    place.run(["charter", "show", "blind-vote"]).exits(0).hides("replaces");
    place
        .run(["charter", "new", "blind-vote", "--from", "collaborative"])
        .exits(0)
        .prints("it replaces the built-in charter blind-vote in this house");
    place.run(["charter", "list"]).exits(0).prints(note);
    place.run(["charter", "show", "blind-vote"]).exits(0).prints(&format!("# {note}"));
    assert_eq!(place.json(["charter", "show", "blind-vote"])["replaces_shipped"], true);
    assert_eq!(place.json(["charter", "list"])[0]["replaces_shipped"], true);
    assert_eq!(place.json(["charter", "list"])[1]["replaces_shipped"], false);
    // The default charter is this one now: whoever debates must know.
    place.run(["debate", "Are these the rules?", "--quiet", "--rehearse"]).tells(&format!("note: {note}"));
    place
        .run(["debate", "Are these the rules?", "--charter=collaborative", "--quiet", "--rehearse"])
        .hides("replaces");
    place.run(["fork", "--at-round=1", "--charter=blind-vote", "--quiet"]).tells(&format!("note: {note}"));
    finish(place);
}

#[test]
fn nothing_is_overwritten_unasked() {
    let place = Place::new();
    place.run(["charter", "new", "mine", "--from", "socratic"]).exits(0);
    let before = written(&place, "mine.toml");
    let again = ["charter", "new", "mine", "--from", "delphi"];
    refuses(&place, &again, 64, &["charters/mine.toml exists already", "--force"]);
    assert_eq!(written(&place, "mine.toml"), before);
    place.run([&again[..], &["--force"]].concat()).exits(0);
    assert_ne!(written(&place, "mine.toml"), before);
    assert!(!place.journal().exists(), "a charter founds no house");
}

#[test]
fn what_is_no_charter() {
    let place = Place::new();
    for name in ["", "Mine", "my mode", "../mine", "mine.toml", &"x".repeat(65)] {
        refuses(&place, &["charter", "new", name, "--from", "delphi"], 64, &["is not a valid charter name"]);
    }
    refuses(&place, &["charter", "new", "mine", "--from", "delfi"], 64, &["Did you mean `delphi`?"]);
    refuses(&place, &["charter", "new", "mine", "--from", "none.toml"], 66, &["none.toml cannot be read"]);
    refuses(&place, &["charter", "new", "mine"], 64, &["--from <NAME|FILE>"]);
    let good = place.run(["charter", "show", "delphi"]).exits(0).out;
    place.write("bad.toml", good.replace("kind = \"speak\"", "kind = \"sing\""));
    refuses(
        &place,
        &["charter", "new", "mine", "--from", "bad.toml"],
        65,
        &["1 error", "bad.toml:", "\"sing\""],
    );
    assert!(!place.house().exists(), "nothing was written");
    // The name is found in any spelling of the key, and only where the charter itself is named.
    place.write("odd.toml", good.replace("name = \"delphi\"", "  \"name\"  =  'delphi'   # as we call it"));
    place.run(["charter", "new", "odd", "--from", "odd.toml"]).exits(0);
    assert!(written(&place, "odd.toml").contains("  \"name\"  =  \"odd\"   # as we call it"));
}
