//! Paths that name no file below a root, known without looking at a disk.

use proptest::prelude::*;
use synod_core::evidence::{FileReference, SearchDepth, Unverified, check};
use synod_core::kernel::{PathFlaw, clean_path};

use super::file;

fn flaw(path: &str) -> Option<PathFlaw> {
    FileReference { path: path.into(), ..FileReference::default() }.clean_path().err()
}

#[test]
fn paths_that_lead_out_are_refused() {
    for (path, why) in [
        ("", PathFlaw::Empty),
        (".", PathFlaw::Empty),
        ("./.", PathFlaw::Empty),
        ("../x", PathFlaw::Upwards),
        ("a/../../x", PathFlaw::Upwards),
        ("a/..", PathFlaw::Upwards),
        ("./../x", PathFlaw::Upwards),
        ("/etc/passwd", PathFlaw::Absolute),
        ("//host/share", PathFlaw::Absolute),
        ("\\\\host\\share", PathFlaw::Absolute),
        ("C:\\Users\\x.txt", PathFlaw::Absolute),
        ("c:/x.txt", PathFlaw::Absolute),
        ("C:x.txt", PathFlaw::Absolute),
        ("a\\..\\x", PathFlaw::Character),
        ("a\0.txt", PathFlaw::Character),
        ("a.txt\0", PathFlaw::Character),
        ("a\n.txt", PathFlaw::Character),
        ("a.txt:stream", PathFlaw::Character),
        ("file:///etc/passwd", PathFlaw::Character),
        ("%2e%2e/x", PathFlaw::PercentCoded),
        ("..%2fx", PathFlaw::PercentCoded),
        ("%2e%2e%2Fetc%2Fpasswd", PathFlaw::PercentCoded),
        ("%252e%252e/x", PathFlaw::PercentCoded),
        ("a%00.txt", PathFlaw::PercentCoded),
        ("a//b", PathFlaw::Name),
        ("a/", PathFlaw::Name),
        ("a/ b", PathFlaw::Name),
        (" a", PathFlaw::Name),
    ] {
        assert_eq!(flaw(path), Some(why), "{path:?}");
        let reference = FileReference { path: path.into(), ..FileReference::default() };
        // Even if somebody delivered a text for it.
        let finding = check(&reference, Ok(&file("text")), SearchDepth::Verdict);
        assert_eq!((finding.problem, finding.digest), (Some(Unverified::Path(why)), None), "{path:?}");
        assert!(!finding.grade().is_verified() && !why.words().is_empty());
    }
    assert_eq!(flaw(&"a".repeat(301)), Some(PathFlaw::TooLong));
}

#[test]
fn ordinary_paths_pass_in_one_plain_form() {
    for (path, plain) in [
        ("src/api.rs", "src/api.rs"),
        ("./src/./api.rs", "src/api.rs"),
        ("..hidden", "..hidden"),
        ("a..b/c...d", "a..b/c...d"),
        (".github/ci.yml", ".github/ci.yml"),
        ("100%.txt", "100%.txt"),
        ("50%zz", "50%zz"),
        ("my notes/chapter 1.txt", "my notes/chapter 1.txt"),
        ("Größe/Übersicht.md", "Größe/Übersicht.md"),
        ("目录/文件.txt", "目录/文件.txt"),
        ("C", "C"),
    ] {
        let reference = FileReference { path: path.into(), ..FileReference::default() };
        assert_eq!(reference.clean_path().as_deref(), Ok(plain), "{path}");
    }
}

proptest! {
    /// Whatever passes stays below a root by its letters alone, and passes again unchanged.
    #[test]
    fn what_passes_cannot_lead_out(path in "[./\\\\%a-c:2eEfF\0 ]{0,24}") {
        if let Ok(plain) = clean_path(&path) {
            prop_assert!(!plain.starts_with('/') && !plain.contains(['\\', ':', '\0']));
            prop_assert!(plain.split('/').all(|name| !matches!(name, "" | "." | "..")));
            prop_assert_eq!(clean_path(&plain), Ok(plain));
        }
        let reference = FileReference { path: path.clone(), ..FileReference::default() };
        prop_assert!(reference.clean_path().is_err() || !path.to_lowercase().contains("%2e"));
    }
}
