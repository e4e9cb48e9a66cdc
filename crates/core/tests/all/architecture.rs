//! The directions of import, and what the core must never touch.

use std::fs;
use std::path::{Path, PathBuf};

const ORGANS: [&str; 22] = [
    "roster",
    "matter",
    "floor",
    "gate",
    "lens",
    "brief",
    "ballot",
    "meter",
    "context",
    "watch",
    "monitor",
    "trigger",
    "table",
    "rejections",
    "track",
    "issue",
    "dissent",
    "period",
    "evidence",
    "ledger",
    "canon",
    "lease",
];
const ABOVE: [&str; 11] = [
    "regulation",
    "charter",
    "event",
    "command",
    "refusal",
    "act",
    "ask",
    "redact",
    "procedure",
    "house",
    "view",
];

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_path_buf()
}

fn sources(dir: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|ending| ending == "rs") {
            let text = fs::read_to_string(&path).unwrap();
            found.push((path, text));
        }
    }
    found
}

/// Lines of code, comments left out; an import over several lines is one line.
fn code(text: &str) -> Vec<(usize, String)> {
    let lines = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim()));
    let lines = lines
        .filter(|(_, line)| !line.starts_with("//"))
        .map(|(i, line)| (i, line.split(" // ").next().unwrap()));
    let mut found: Vec<(usize, String)> = Vec::new();
    for (i, line) in lines {
        match found.last_mut() {
            Some((_, open)) if open.contains("use ") && open.contains('{') && !open.contains(';') => {
                open.push_str(line);
            }
            Some(_) | None => found.push((i, line.to_string())),
        }
    }
    found
}

fn uses(line: &str, module: &str) -> bool {
    let path = format!("crate::{module}");
    let named = line
        .find(&path)
        .is_some_and(|at| !line[at + path.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_'));
    let line = line.trim_start_matches("pub(crate) ").trim_start_matches("pub ");
    let grouped = line.strip_prefix("use crate::{").is_some_and(|list| {
        list.trim_end_matches(['}', ';'])
            .split(',')
            .any(|item| item.trim().split("::").next() == Some(module))
    });
    named || grouped
}

#[test]
fn organs_import_the_kernel_and_never_another_organ() {
    let core = crates().join("core/src");
    let mut wrong = Vec::new();
    for organ in ORGANS {
        for (path, text) in sources(&core.join(organ)) {
            for (line, code) in code(&text) {
                let others = ORGANS.into_iter().filter(|other| *other != organ).chain(ABOVE);
                wrong.extend(
                    others
                        .filter(|other| uses(&code, other))
                        .map(|other| format!("{}:{line} imports {other}", path.display())),
                );
            }
        }
    }
    for (path, text) in sources(&core.join("kernel")) {
        for (line, code) in code(&text) {
            let above = ORGANS.into_iter().chain(ABOVE);
            wrong.extend(
                above
                    .filter(|other| uses(&code, other))
                    .map(|other| format!("{}:{line} imports {other}", path.display())),
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The folders of procedures.
fn procedures() -> Vec<String> {
    let folders = fs::read_dir(crates().join("core/src/procedure")).unwrap().map(|entry| entry.unwrap());
    let mut names: Vec<String> = folders
        .filter(|entry| entry.path().is_dir())
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn procedures_never_import_each_other() {
    let core = crates().join("core/src/procedure");
    let mut wrong = Vec::new();
    assert!(procedures().len() >= 2, "there are procedures to look at");
    for procedure in procedures() {
        for (path, text) in sources(&core.join(&procedure)) {
            for (line, code) in code(&text) {
                for other in procedures().iter().filter(|other| **other != procedure) {
                    let named = code.contains(&format!("procedure::{other}"))
                        || code.contains(&format!("super::super::{other}"))
                        || code
                            .strip_prefix("use crate::procedure::{")
                            .is_some_and(|list| list.contains(other.as_str()));
                    if named {
                        wrong.push(format!("{}:{line} imports {other}", path.display()));
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_import_check_can_fail() {
    assert!(uses("use crate::gate::Rules;", "gate"));
    assert!(uses("use crate::{Ask, floor, gate};", "gate"));
    assert!(uses("let x = crate::gate::verdict(&b);", "gate"));
    let spread = code("use crate::{\n    Ask,\n    gate,\n};\nlet x = 1;");
    assert!(uses(&spread[0].1, "gate") && spread.len() == 2, "an import over several lines");
    assert!(!uses("use crate::gateway::X;", "gate"));
    assert!(!uses("use crate::kernel::{Who};", "gate"));
}

#[test]
fn the_core_has_no_clock_float_hash_order_randomness_io_or_async() {
    let forbidden = [
        "f32",
        "f64",
        "SystemTime",
        "Instant",
        "HashMap",
        "HashSet",
        "RandomState",
        "rand",
        "async",
        "await",
        "tokio",
        "println",
        "eprintln",
    ];
    let paths = ["std::fs", "std::net", "std::env", "std::thread", "std::process", "std::io"];
    let mut wrong = Vec::new();
    for (path, text) in sources(&crates().join("core/src")) {
        for (line, code) in code(&text) {
            let words: Vec<&str> = code.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
            let found = forbidden
                .iter()
                .filter(|word| words.contains(word))
                .chain(paths.iter().filter(|path| code.contains(**path)));
            wrong.extend(found.map(|what| format!("{}:{line} has {what}", path.display())));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn crates_depend_downwards_only() {
    let allowed: [(&str, &[&str]); 8] = [
        ("core", &[]),
        ("journal", &["core"]),
        ("programs", &[]),
        ("minds", &["core", "programs"]),
        // The ears hear, and know no rule.
        ("ears", &["programs"]),
        ("engine", &["core", "journal", "minds"]),
        // The lab keeps nothing and performs nothing: it drives the core alone.
        ("lab", &["core"]),
        ("synod", &["core", "journal", "minds", "ears", "engine", "lab"]),
    ];
    for (krate, below) in allowed {
        let manifest = fs::read_to_string(crates().join(krate).join("Cargo.toml")).unwrap();
        let normal = manifest.split("[dev-dependencies]").next().unwrap();
        let others = ["core", "journal", "programs", "minds", "ears", "engine", "lab"];
        for other in others.into_iter().filter(|other| *other != krate) {
            let depends = normal.lines().any(|line| line.starts_with(&format!("synod-{other}")));
            assert!(!depends || below.contains(&other), "{krate} depends on {other}");
        }
    }
    let core = fs::read_to_string(crates().join("core/Cargo.toml")).unwrap();
    let normal = core.split("[dependencies]").nth(1).unwrap().split("[dev-dependencies]").next().unwrap();
    let pure = [
        "imbl",
        "memchr",
        "serde",
        "serde_json",
        "sha2",
        "thiserror",
        "toml",
        "unicode-normalization",
        "unicode-segmentation",
    ];
    for line in normal.lines().filter(|line| !line.trim().is_empty()) {
        let name = line.split(['.', ' ', '=']).next().unwrap();
        assert!(pure.contains(&name), "the core may not depend on {name}");
    }
}

#[test]
fn only_the_binary_knows_the_terminal() {
    for krate in ["core", "journal", "programs", "minds", "ears", "engine", "lab"] {
        for (path, text) in sources(&crates().join(krate).join("src")) {
            for (line, code) in code(&text) {
                assert!(!code.contains("println!"), "{}:{line} prints", path.display());
            }
        }
    }
}

/// A match that names a procedure outside its folder is one more place that a new procedure would have to find.
#[test]
fn nothing_outside_a_procedure_asks_which_one_it_is() {
    let mut wrong = Vec::new();
    for krate in ["core", "journal", "minds", "ears", "engine", "lab", "synod"] {
        for (path, text) in sources(&crates().join(krate).join("src")) {
            let shown = path.display().to_string();
            // Its own rules and flows, and the accessors that give them out.
            let own = shown.contains("/procedure/") || shown.contains("core/src/charter/");
            if own {
                continue;
            }
            for (line, code) in code(&text) {
                let variants = procedures().into_iter().flat_map(|name| {
                    let variant = format!("{}{}", name[..1].to_uppercase(), &name[1..]);
                    [format!("Procedure::{variant}"), format!("State::{variant}")]
                });
                let named = variants.into_iter().filter(|variant| code.contains(variant.as_str()));
                wrong.extend(named.map(|variant| format!("{shown}:{line} names {variant}")));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Where what may be seen is asked about by other means than `may_see`, and why.
const ASKED_OTHERWISE: [(&str, &[&str]); 7] = [
    ("lens::may_see", &["core/src/house/lens.rs"]),
    ("lens::reaches", &["core/src/house/lens.rs"]),
    ("is_public(", &["core/src/house/lens.rs", "core/src/procedure"]),
    ("shows_open_ballots(", &["core/src/house/lens.rs", "core/src/procedure"]),
    // What is sealed needs a salt, and a report says why votes do not show.
    (
        "Secrecy::",
        &[
            "core/src/house/lens.rs",
            "core/src/procedure",
            "core/src/ballot",
            "core/src/charter",
            "engine/src/start.rs",
            // Counts imported votes, which nobody keeps secret.
            "lab/src/tally.rs",
            "synod/src/resolve.rs",
            "synod/src/render/ballots.rs",
        ],
    ),
    // Lines and briefs put labels where names are not to be seen.
    (".mask()", &["core/src/house", "core/src/procedure/council", "synod/src/onlookers.rs"]),
    (
        "Phase::Proposing",
        &["core/src/procedure", "core/src/charter/ring.rs", "core/src/table", "synod/src/wire"],
    ),
];

#[test]
fn nobody_but_the_lens_decides_who_may_see_what() {
    let mut wrong = Vec::new();
    for (path, text) in
        ["core", "engine", "lab", "synod"].iter().flat_map(|krate| sources(&crates().join(krate).join("src")))
    {
        let place = path.strip_prefix(crates()).unwrap().to_string_lossy().into_owned();
        for (line, code) in code(&text) {
            let found = ASKED_OTHERWISE.iter().filter(|(word, places)| {
                code.contains(word) && !places.iter().any(|known| place.starts_with(known))
            });
            wrong.extend(found.map(|(word, _)| format!("{place}:{line} has {word}: ask `may_see`")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// What is built quickly is optimised again in what ships: a profile inherits the packages of another one.
#[test]
fn what_ships_is_optimised_in_all_its_parts() {
    let manifest = fs::read_to_string(crates().parent().unwrap().join("Cargo.toml")).unwrap();
    let quick: Vec<&str> = manifest
        .lines()
        .filter_map(|line| line.strip_prefix("[profile.release.package.")?.strip_suffix(']'))
        .collect();
    assert!(!quick.is_empty(), "something is built quickly");
    for package in quick {
        let shipped = format!("[profile.dist.package.{package}]\nopt-level = 3\n");
        assert!(manifest.contains(&shipped), "Cargo.toml needs {shipped}");
    }
}
