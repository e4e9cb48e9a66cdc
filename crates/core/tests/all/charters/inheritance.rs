//! Charters that extend others are joined into one text; flaws name the file and line they were written in.

use std::collections::BTreeMap;

use expect_test::{Expect, expect};
use synod_core::charter::{Charter, Flaw, Parent, ResolvedCharter, flatten, parent, shipped};

/// Finds the files of a house first, then what ships with Synod.
fn lookup<'f>(files: &'f [(&str, &str)]) -> impl Fn(&str) -> Option<Parent> + 'f {
    let files: BTreeMap<String, String> =
        files.iter().map(|(name, source)| ((*name).to_string(), (*source).to_string())).collect();
    move |name| match files.get(name) {
        Some(source) => Some(Parent { file: format!("{name}.toml"), source: source.clone() }),
        None => parent(name),
    }
}

fn read(source: &str, files: &[(&str, &str)]) -> Result<ResolvedCharter, Vec<Flaw>> {
    Charter::read(source, &lookup(files))
}

fn check_flaws(source: &str, files: &[(&str, &str)], expected: Expect) {
    let flaws = match read(source, files) {
        Ok(whole) => whole.warnings.iter().map(|flaw| format!("warning {flaw}\n")).collect::<String>(),
        Err(flaws) => flaws.iter().map(|flaw| format!("{flaw}\n")).collect(),
    };
    expected.assert_eq(&flaws);
}

const HEAD: &str = "name = \"mine\"\ntitle = \"Mine\"\nsummary = \"My mode.\"\n";

#[test]
fn tables_merge_by_key_and_everything_else_is_replaced_whole() {
    let base = r#"# A base of our own.
name = "ours"
title = "Ours"
summary = "What we share."
base = true

[ballot]
pass = "> 1/2"            # more than half
quorum = { is = "2/3", from = "1/2", to = "1" }

# Why these.
[tools]
encouraged = ["a", "b"]
reason = "Because."

[[stage]]
name = "one"
kind = "vote"
"#;
    let child = r#"# Mine.
name = "mine"
extends = "ours"
title = "Mine"
without = ["tools.encouraged"]

[ballot]
quorum = "3/4"            # a value with a range is replaced whole
veto = [
    # the owner
    "ann",
]

[[stage]]
name = "two"
kind = "speak"

[[stage]]
name = "three"
kind = "vote"

[brief.role]              # a table the base does not have
emoji = "x"
"#;
    let flat = flatten(child, &lookup(&[("ours", base)])).unwrap();
    expect![[r##"
        # extends ours
        # Mine.
        name = "mine"
        title = "Mine"

        [ballot]
        pass = "> 1/2"            # more than half
        quorum = "3/4"            # a value with a range is replaced whole
        veto = [
            # the owner
            "ann",
        ]

        # Why these.
        [tools]
        reason = "Because."

        [[stage]]
        name = "two"
        kind = "speak"

        [[stage]]
        name = "three"
        kind = "vote"

        [brief.role]              # a table the base does not have
        emoji = "x"
    "##]]
    .assert_eq(&flat.text);
}

#[test]
fn a_charter_that_extends_nothing_is_its_own_flat_text() {
    for name in ["premortem", "mine"] {
        let source = format!("\u{feff}# {name}\r\n{HEAD}\r\n[ring]  # odd\n");
        assert_eq!(flatten(&source, &parent).unwrap().text, source);
    }
    let flat = shipped("delphi").unwrap().source;
    assert_eq!(flatten(flat, &parent).unwrap().text, flat, "a flat text is flat");
}

#[test]
fn a_shipped_charter_can_be_changed_a_little() {
    let mine = format!("{HEAD}extends = \"delphi\"\n[ballot]\npass = \">= 2/3\"\n");
    let whole = read(&mine, &[]).unwrap();
    let mut expected = shipped("delphi").unwrap().charter().unwrap();
    expected.name = "mine".into();
    expected.title = "Mine".into();
    expected.summary = "My mode.".into();
    expected.ballot.pass = ">= 2/3".parse().unwrap();
    expected.ranges.remove("ballot.pass");
    assert_eq!(whole.charter, expected);
    // What is adopted needs no file any more.
    assert_eq!(Charter::parse(&whole.source).unwrap().0, expected);
    assert!(whole.source.starts_with("# extends delphi\n"), "{}", whole.source);
    assert!(whole.source.contains("# people have other things to do"), "reasons come along");
}

#[test]
fn a_house_changes_a_shipped_mode_under_its_own_name() {
    let own = "name = \"delphi\"\ntitle = \"Our Delphi\"\nsummary = \"Ours.\"\nextends = \"delphi\"\n[watch]\nstill_rounds = 3\n";
    let whole = read(own, &[("delphi", own)]).unwrap();
    assert!(whole.source.contains("still_rounds = 3"));
    // Others that extend it get the house's version.
    let mine = format!("{HEAD}extends = \"delphi\"\n");
    let whole = read(&mine, &[("delphi", own)]).unwrap();
    assert!(
        whole.source.starts_with("# extends delphi, which extends delphi\n")
            && whole.source.contains("still_rounds = 3")
    );
    // A base of the house changes what extends it there, and no shipped charter.
    let base = "name = \"council-base\"\nbase = true\n";
    let whole = read(&mine, &[("council-base", base)]).unwrap();
    assert!(whole.source.contains("limit_ms"));
}

#[test]
fn a_flaw_names_the_file_and_line_it_was_written_in() {
    let base = "# Ours.\nname = \"ours\"\nbase = true\nextends = \"council-base\"\n\n[ballot]\ntie = \"coin\"\nspeed = 3\n";
    let mine = format!(
        "{HEAD}extends = \"ours\"\n\n[ballot]\nquorum = \"67%\"\n\n[[stage]]\nname = \"vote\"\nkind = \"vot\"\n"
    );
    check_flaws(
        &mine,
        &[("ours", base)],
        expect![[r#"
            line 4: `brief`: this table is missing; write [brief], as `synod charter show blind-vote` does
            line 7: `ballot.quorum`: 67/100 is taken literally, not as 2/3; write "2/3" if you mean that
            line 11: `stage.kind`: "vot" is not known (did you mean "vote"?); write one of "speak", "vote", "propose", "merge", "estimate", "second", "red-team"
            ours.toml line 7: `ballot.tie`: "coin" is not known; write one of "fails", "undecided", "earlier"
            ours.toml line 8: `ballot.speed`: this key is not known; known here: basis, change, change_needs_argument, delegation, method, pass, quorum, record, secrecy, tie, unparsed_retries, veto, weights
        "#]],
    );
    check_flaws(
        "extends = \"collaborative\"\n",
        &[],
        expect![[r#"
        line 1: `name`: this is missing; write name = "my-mode"
        line 1: `title`: this is missing; write title = "…"
        line 1: `summary`: this is missing; write summary = "what it is for"
    "#]],
    );
    let broken = "name = \"ours\"\n[ballot\n";
    check_flaws(
        &mine,
        &[("ours", broken)],
        expect![[r#"
        ours.toml line 2: this is not TOML: unclosed table, expected `]`
    "#]],
    );
    check_flaws(
        &format!("{HEAD}extends = 3\nwithout = \"tools\"\n"),
        &[],
        expect![[r#"
        line 4: `extends`: this is an integer; write a text in quotes
        line 5: `without`: this is a string; write a list of texts in quotes
    "#]],
    );
}

#[test]
fn chains_that_do_not_end_are_flaws() {
    let extends = |name: &str, other: &str| format!("name = \"{name}\"\nextends = \"{other}\"\n");
    check_flaws(
        &extends("a", "council-bass"),
        &[],
        expect![[r#"
        line 2: `extends`: there is no charter "council-bass" to extend; did you mean `council-base`?
    "#]],
    );
    check_flaws(
        &extends("a", "nowhere"),
        &[],
        expect![[r#"
        line 2: `extends`: there is no charter "nowhere" to extend; name a shipped charter, or a file NAME.toml beside this one
    "#]],
    );
    check_flaws(
        &extends("a", "../../b.toml"),
        &[],
        expect![[r#"
        line 2: `extends`: "../../b.toml" is not the name of a charter; use a to z, 0 to 9 and `-`, without a path or `.toml`
    "#]],
    );
    check_flaws(
        &extends("mine", "mine"),
        &[],
        expect![[r#"
            line 2: `extends`: there is no shipped charter "mine" to extend; extend a charter of another name
        "#]],
    );
    let (b, c) = (extends("b", "c"), extends("c", "a"));
    check_flaws(
        &extends("a", "b"),
        &[("b", &b), ("c", &c)],
        expect![[r#"
        c.toml line 2: `extends`: these charters extend each other: a, b, c, a; let one of them extend nothing
    "#]],
    );
    let chain: Vec<(String, String)> =
        (1..12).map(|at| (format!("c{at}"), extends(&format!("c{at}"), &format!("c{}", at + 1)))).collect();
    let files: Vec<(&str, &str)> = chain.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    check_flaws(
        &extends("c0", "c1"),
        &files,
        expect![[r#"
        c8.toml line 2: `extends`: more than 8 charters extend each other; extend one that is nearer to the first
    "#]],
    );
}

#[test]
fn what_is_not_there_cannot_be_left_out() {
    check_flaws(
        &format!("{HEAD}extends = \"delphi\"\nwithout = [\"tool\"]\n"),
        &[],
        expect![[r#"
            line 5: `without`: "delphi" has no `tool`; did you mean `tools`?
        "#]],
    );
    check_flaws(
        &format!("{HEAD}extends = \"delphi\"\nwithout = [\"gate.volume.most\"]\n"),
        &[],
        expect![[r#"
            line 5: `without`: "delphi" has no `gate.volume.most`; remove it from the list
        "#]],
    );
    check_flaws(
        &format!("{HEAD}without = [\"tools\"]\n"),
        &[],
        expect![[r#"
        line 4: `without`: this charter extends nothing that could be left out; write extends = "…", or remove it
    "#]],
    );
    let whole = read(
        &format!("{HEAD}extends = \"delphi\"\nwithout = [\"tools\", \"motion\", \"gate.moved_by\"]\n"),
        &[],
    );
    let charter = whole.unwrap().charter;
    assert!(charter.motions().is_empty());
}

#[test]
fn a_house_adopts_only_what_is_whole() {
    let alone = |source: &str| match Charter::parse(source) {
        Ok(_) => "whole".to_string(),
        Err(flaws) => flaws.iter().map(|flaw| format!("{flaw}\n")).collect(),
    };
    expect![[r#"
        line 4: `extends`: this charter extends "delphi", so it is not complete by itself; use the joined text that `synod charter show NAME` prints
    "#]].assert_eq(&alone(&format!("{HEAD}extends = \"delphi\"\n")));
    let base = format!("{HEAD}extends = \"delphi\"\nbase = true\n");
    check_flaws(
        &base,
        &[],
        expect![[r#"
        line 5: `base`: this file is a base for other charters; no matter can be held under it; name it in the `extends` of another charter
    "#]],
    );
    expect![[r#"
        line 6: `base`: this file is a base for other charters; no matter can be held under it; name it in the `extends` of another charter
    "#]].assert_eq(&alone(&parent("council-base").unwrap().source));
}
