//! What a repository leaves out: the lines of `.gitignore` that most people write. Names, `*`, `?`, `**`, a leading `/`, a
//! trailing `/` and `!` are understood; character classes are taken as they are written.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use synod_journal::file;

/// The lines that hold in the folder that is looked at.
#[derive(Debug, Default)]
pub(super) struct Ignored {
    lines: Vec<IgnorePattern>,
}

#[derive(Debug)]
struct IgnorePattern {
    /// The folder whose file it stands in.
    base: PathBuf,
    parts: Vec<String>,
    /// Whether it holds only for that folder, and not for those below.
    anchored: bool,
    folders_only: bool,
    taken_back: bool,
}

/// The longest `.gitignore` that is read. It comes with a clone, so it may be anything.
const LINES_MOST: u64 = 1 << 20;

impl Ignored {
    /// What holds above a folder, up to the root of its repository.
    pub(super) fn above(folder: &Path) -> Self {
        let mut ignored = Self::default();
        let Ok(whole) = folder.canonicalize() else { return ignored };
        let Some(root) = whole.ancestors().find(|above| above.join(".git").exists()) else { return ignored };
        let mut between: Vec<&Path> =
            whole.ancestors().skip(1).take_while(|above| above.starts_with(root)).collect();
        between.reverse();
        between.into_iter().for_each(|folder| {
            ignored.enter(folder);
        });
        ignored
    }

    /// Adds the lines of a folder; gives how many there were.
    pub(super) fn enter(&mut self, folder: &Path) -> usize {
        let before = self.lines.len();
        let base = folder.canonicalize().unwrap_or_else(|_| folder.into());
        let text = match file::read(&folder.join(".gitignore"), LINES_MOST) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) if error.kind() == ErrorKind::NotFound => String::new(),
            // Nobody knows what it leaves out, so nothing here is sent anywhere.
            Err(_) => "*".into(),
        };
        self.lines.extend(text.lines().filter_map(|line| IgnorePattern::parse(&base, line)));
        before
    }

    pub(super) fn leave(&mut self, before: usize) {
        self.lines.truncate(before);
    }

    /// Whether something is left out. The last line that fits says so.
    pub(super) fn holds(&self, path: &Path, is_folder: bool) -> bool {
        if self.lines.is_empty() {
            return false;
        }
        let parent = path.parent().and_then(|parent| parent.canonicalize().ok());
        let Some(whole) = parent.and_then(|parent| Some(parent.join(path.file_name()?))) else {
            return false;
        };
        let last = self.lines.iter().rev().find(|line| line.fits(&whole, is_folder));
        last.is_some_and(|line| !line.taken_back)
    }
}

impl IgnorePattern {
    fn parse(base: &Path, line: &str) -> Option<Self> {
        let line = line.trim_end();
        if line.is_empty() || line.starts_with('#') {
            return None;
        }
        let (taken_back, line) = line.strip_prefix('!').map_or((false, line), |rest| (true, rest));
        let (folders_only, line) = line.strip_suffix('/').map_or((false, line), |rest| (true, rest));
        let anchored = line.contains('/');
        let parts: Vec<String> =
            line.split('/').filter(|part| !part.is_empty()).map(str::to_string).collect();
        (!parts.is_empty()).then(|| Self { base: base.into(), parts, anchored, folders_only, taken_back })
    }

    fn fits(&self, path: &Path, is_folder: bool) -> bool {
        if self.folders_only && !is_folder {
            return false;
        }
        let Ok(below) = path.strip_prefix(&self.base) else { return false };
        let names: Vec<String> =
            below.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let parts: Vec<&str> = self.parts.iter().map(String::as_str).collect();
        match (self.anchored, names.last()) {
            (true, _) => fits(&parts, &names),
            (false, Some(last)) => fits(&parts, &[last]),
            (false, None) => false,
        }
    }
}

/// Whether the names of a path fit those of a pattern.
pub(super) fn fits(pattern: &[&str], path: &[&str]) -> bool {
    match (pattern.split_first(), path.split_first()) {
        (None, None) => true,
        (Some((&"**", rest)), _) => {
            fits(rest, path) || path.split_first().is_some_and(|(_, below)| fits(pattern, below))
        }
        (Some((wild, rest)), Some((name, below))) => {
            let (wild, name): (Vec<char>, Vec<char>) = (wild.chars().collect(), name.chars().collect());
            name_fits(&wild, &name) && fits(rest, below)
        }
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// The same for one name. Goes back to the last `*` where it fails, so that no name takes long.
fn name_fits(wild: &[char], name: &[char]) -> bool {
    let (mut w, mut n, mut star) = (0, 0, None);
    while n < name.len() {
        match wild.get(w) {
            Some('*') => {
                star = Some((w, n));
                w += 1;
            }
            Some(c) if *c == '?' || *c == name[n] => (w, n) = (w + 1, n + 1),
            _ => match star {
                Some((at, from)) => {
                    star = Some((at, from + 1));
                    (w, n) = (at + 1, from + 1);
                }
                None => return false,
            },
        }
    }
    wild[w..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_names_and_folders() {
        let fit = |pattern: &str, path: &str| {
            fits(&pattern.split('/').collect::<Vec<_>>(), &path.split('/').collect::<Vec<_>>())
        };
        for (pattern, path) in
            [("*.rs", "a.rs"), ("src/**/*.rs", "src/a/b/c.rs"), ("src/**/*.rs", "src/a.rs")]
        {
            assert!(fit(pattern, path), "{pattern} {path}");
        }
        for (pattern, path) in [("*.rs", "src/a.rs"), ("*.rs", "a.rsx"), ("a?c", "ac"), ("src/*", "src/a/b")]
        {
            assert!(!fit(pattern, path), "{pattern} {path}");
        }
        // A pattern that could be tried in many ways ends soon.
        assert!(!fit(&"*a".repeat(30), &"a".repeat(60).replace('a', "b")));
    }

    #[test]
    fn the_last_line_that_fits_says_so() {
        let root = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(root.path().join("src/gen")).unwrap();
        std::fs::write(root.path().join(".gitignore"), "# made\n*.log\n!keep.log\n/out\ngen/\n").unwrap();
        let mut ignored = Ignored::default();
        ignored.enter(root.path());
        let holds = |path: &str, folder: bool| ignored.holds(&root.path().join(path), folder);
        assert!(holds("a.log", false) && holds("src/a.log", false) && holds("out", false));
        assert!(holds("src/gen", true) && !holds("src/gen", false));
        assert!(!holds("keep.log", false) && !holds("src/out", false) && !holds("a.rs", false));
    }

    /// A clone may put anything under that name. Nobody knows what it leaves out then, so all of the folder is.
    #[test]
    fn a_file_that_cannot_be_read_leaves_everything_out() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join(".gitignore");
        std::fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
        let mut ignored = Ignored::default();
        ignored.enter(root.path());
        assert!(ignored.holds(&root.path().join("secret.txt"), false));
        std::fs::remove_file(&path).unwrap();
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let mut ignored = Ignored::default();
        ignored.enter(root.path());
        assert!(ignored.holds(&root.path().join("secret.txt"), false));
    }
}
