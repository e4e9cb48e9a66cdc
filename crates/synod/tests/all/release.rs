//! The scripts around a release: what they promise where a tool is missing, and what they print.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::world::Place;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the repository")
}

/// Runs a script with a `cargo` of ours in front of the real one.
fn with_cargo(place: &Place, cargo: &str, script: &str) -> Output {
    let path = place.write("bin/cargo", cargo);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("a mode");
    let others = std::env::var("PATH").expect("a path");
    let mut command = Command::new(root().join("scripts").join(script));
    command.env("PATH", format!("{}:{others}", path.parent().expect("a folder").display()));
    // An advisory database of whoever runs the tests is not looked at.
    command.env("CARGO_HOME", place.dir()).output().expect("the script")
}

fn said(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

#[test]
fn a_missing_tool_fails_the_checks() {
    let place = Place::new();
    let none = "#!/bin/sh\ncase \"$1\" in deny) exit 101;; *) exit 0;; esac\n";
    for script in ["advisories", "test"] {
        let output = with_cargo(&place, none, script);
        assert_eq!(output.status.code(), Some(69), "{script}: {}", said(&output));
        assert!(said(&output).contains("cargo-deny is missing"), "{script}: {}", said(&output));
        assert!(said(&output).contains("scripts/setup installs it"), "{script}: {}", said(&output));
    }
}

#[test]
fn a_missing_advisory_database_is_said_and_does_not_fail() {
    let place = Place::new();
    let offline = "#!/bin/sh\ncase \"$*\" in 'deny --version') exit 0;; *fetch*) echo 'no such host' >&2; exit 1;; *) exit 7;; esac\n";
    let output = with_cargo(&place, offline, "advisories");
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
    assert!(
        said(&output).contains("NOT CHECKED") && said(&output).contains("no such host"),
        "{}",
        said(&output)
    );
}

#[test]
fn a_known_flaw_fails_the_checks() {
    let place = Place::new();
    let flawed =
        "#!/bin/sh\ncase \"$*\" in *check*advisories*) echo RUSTSEC-2020-0001; exit 1;; *) exit 0;; esac\n";
    let output = with_cargo(&place, flawed, "advisories");
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("RUSTSEC-2020-0001"), "{}", said(&output));
}

/// Every crate of the release is in the list, with its checksum, and none that only tests use.
#[test]
fn the_list_of_crates_is_whole() {
    let run = |script: &str| Command::new(root().join("scripts").join(script)).output().expect("the script");
    let (first, second) = (run("sbom"), run("sbom"));
    assert!(first.status.success(), "{}", said(&first));
    assert_eq!(first.stdout, second.stdout, "the same tree gives the same bytes");
    let list: Value = serde_json::from_slice(&first.stdout).expect("JSON");
    assert_eq!((&list["bomFormat"], &list["specVersion"]), (&"CycloneDX".into(), &"1.5".into()));
    let parts = list["components"].as_array().expect("components");
    let named = |name: &str| parts.iter().find(|part| part["name"] == name);
    for name in ["rusqlite", "ed25519-dalek", "rustls", "tokio", "libsqlite3-sys"] {
        let part = named(name).unwrap_or_else(|| panic!("{name} is missing"));
        assert_eq!(part["hashes"][0]["content"].as_str().map(str::len), Some(64), "{part}");
        assert!(part["licenses"][0]["expression"].is_string(), "{part}");
    }
    assert!(named("proptest").is_none() && named("tempfile").is_none(), "only tests use these");

    let notices = run("notices");
    let notices = String::from_utf8(notices.stdout).expect("text");
    for part in parts.iter().filter(|part| part.get("hashes").is_some()) {
        let row = format!("| {} {} | ", part["name"].as_str().unwrap(), part["version"].as_str().unwrap());
        assert!(notices.contains(&row), "no notice of {row}");
    }
}
