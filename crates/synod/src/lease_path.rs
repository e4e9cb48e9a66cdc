//! Which file or folder of the project is meant, as leases name it: relative to the folder that holds the house, with all
//! links resolved, so that one file has one name whoever takes it and from wherever.

use std::path::{Component, Path, PathBuf};

use synod_core::lease::LeasePath;

use crate::fail::{Fail, Result};
use crate::house::HouseArg;

/// The folder that paths are relative to: the one that holds the house.
pub(crate) fn root(house: &HouseArg) -> Option<PathBuf> {
    let house = std::path::absolute(house.dir()).ok()?;
    house.parent()?.canonicalize().ok()
}

/// The path below the root, or `None` for one outside of it. `base` is where relative paths begin.
pub(crate) fn below(root: &Path, base: &Path, path: &Path) -> Option<String> {
    let resolved = resolved(&base.join(path))?;
    let inside = resolved.strip_prefix(root).ok()?;
    let names: Option<Vec<&str>> = inside.iter().map(|name| name.to_str()).collect();
    names.map(|names| names.join("/")).filter(|path| !path.is_empty())
}

/// A path without links and `..`, also of a file that is not there yet.
fn resolved(path: &Path) -> Option<PathBuf> {
    follow(&std::path::absolute(path).ok()?, LINKS_MOST)
}

/// How many links lead to one file at most: more are a ring.
const LINKS_MOST: u32 = 40;

/// Goes a path name by name. Everything gone so far is without links, so `..` is one name less, also in a folder that is not there yet:
/// tools make folders, or take such a path together, before they write.
fn follow(absolute: &Path, links: u32) -> Option<PathBuf> {
    let mut whole = PathBuf::new();
    for component in absolute.components() {
        match component {
            Component::Prefix(_) | Component::RootDir => whole.push(component),
            Component::CurDir => (),
            Component::ParentDir => drop(whole.pop()),
            Component::Normal(name) => {
                let next = whole.join(name);
                whole = match next.read_link() {
                    // Also one whose target is not there: writing to it makes the target.
                    Ok(target) => follow(&whole.join(target), links.checked_sub(1)?)?,
                    Err(_) => next,
                };
            }
        }
    }
    // What is there has one spelling, also on a disk that takes several.
    Some(whole.canonicalize().unwrap_or(whole))
}

/// A path that came over the wire, with the links of this disk resolved; `None` for one that leads out of the project. One that cannot be
/// a lease at all stays as it is: the house says why.
pub(crate) fn sent(house: &HouseArg, path: &str) -> Option<String> {
    match (LeasePath::parse(path), root(house)) {
        (Ok(clean), Some(root)) => below(&root, &root, Path::new(clean.as_str())),
        (Err(_), _) | (_, None) => Some(path.to_string()),
    }
}

/// Paths of a command line. Of a house that is elsewhere nobody here knows the root: they are taken as they are written.
pub(crate) fn given(house: &HouseArg, elsewhere: bool, paths: &[PathBuf]) -> Result<Vec<String>> {
    let here = std::env::current_dir().ok();
    let is_here = !elsewhere || house.dir().exists();
    let (Some(root), Some(here)) = (root(house).filter(|_| is_here), here) else {
        return Ok(paths.iter().map(|path| path.to_string_lossy().into_owned()).collect());
    };
    let name = |path: &PathBuf| {
        below(&root, &here, path).ok_or_else(|| {
            let message = format!(
                "`{}` cannot be leased: name a file or folder inside {}",
                path.display(),
                root.display()
            );
            Fail::new(crate::fail::code::USAGE, "lease/bad-path", message)
        })
    };
    paths.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_file_has_one_name() {
        let dir = tempfile::tempdir().expect("a folder");
        let root = dir.path().canonicalize().expect("it is there");
        std::fs::create_dir_all(root.join("src/deep")).expect("folders");
        std::fs::write(root.join("src/api.rs"), "x").expect("a file");
        let name = |path: &str| below(&root, &root, Path::new(path));
        for written in [
            "src/api.rs",
            "./src/./api.rs",
            "src/deep/../api.rs",
            "src/api.rs/",
            "missing/../src/api.rs",
            "src/no/../api.rs",
        ] {
            assert_eq!(name(written).as_deref(), Some("src/api.rs"), "{written}");
        }
        let absolute = root.join("src/api.rs");
        assert_eq!(below(&root, Path::new("/"), &absolute).as_deref(), Some("src/api.rs"));
        assert_eq!(
            below(&root, &root.join("src/deep"), Path::new("../new.rs")).as_deref(),
            Some("src/new.rs")
        );
        assert_eq!(name("src/new/file.rs").as_deref(), Some("src/new/file.rs"), "not there yet");
        for outside in [".", "", "..", "../x", "/etc/passwd", "src/missing/../../../x", "missing/.."] {
            assert_eq!(name(outside), None, "{outside:?}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_inside_and_lead_nowhere_outside() {
        use std::os::unix::fs::symlink;
        let (dir, other) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("another"));
        let root = dir.path().canonicalize().expect("it is there");
        std::fs::create_dir(root.join("src")).expect("a folder");
        std::fs::write(root.join("src/api.rs"), "x").expect("a file");
        symlink(root.join("src/api.rs"), root.join("link.rs")).expect("a link");
        symlink(root.join("src"), root.join("code")).expect("a link");
        symlink(other.path(), root.join("out")).expect("a link");
        symlink(root.join("nowhere"), root.join("dangling")).expect("a link");
        let name = |path: &str| below(&root, &root, Path::new(path));
        assert_eq!(name("link.rs").as_deref(), Some("src/api.rs"));
        assert_eq!(name("code/api.rs").as_deref(), Some("src/api.rs"));
        assert_eq!(name("code/new.rs").as_deref(), Some("src/new.rs"));
        assert_eq!(name("out/x"), None);
        assert_eq!(name("dangling").as_deref(), Some("nowhere"), "writing to it makes that file");
        symlink(root.join("ring"), root.join("ring")).expect("a link");
        assert_eq!(name("ring/x"), None);
    }
}
