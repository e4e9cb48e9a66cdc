//! The new side of a unified diff, so that only what somebody changed is held against canon.
//!
//! What cannot be read is listed and never passed over: whoever read half of a diff has not checked it. Text around the files,
//! such as the message of a commit, is no part of them.

use std::collections::BTreeSet;

/// What was read of a diff.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct ReadDiff {
    /// The files to which it adds something.
    pub(super) files: Vec<ChangedFile>,
    /// What could not be read, each with the reason.
    pub(super) unread: Vec<String>,
}

/// A file of a diff: what is known of its new text, and which lines of it were added.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct ChangedFile {
    pub(super) path: String,
    /// The lines of its hunks, with an empty line wherever others of the file lie between.
    pub(super) text: String,
    /// Where each line of the text stands in the file; 0 for those empty lines.
    places: Vec<u32>,
    /// Lines of the text, counted from 1.
    added: BTreeSet<u32>,
}

/// How Git's names of an empty file begin.
const EMPTY: [&str; 2] = ["e69de29", "473a0f4"];

/// The hunk that is being read: where its next line stands, and how many lines are left of both sides.
struct Hunk {
    at: u32,
    old: u32,
    new: u32,
    changes: bool,
}

/// What a diff says about one file.
#[derive(Default)]
struct DiffSection {
    file: ChangedFile,
    /// Whether its content differs, as an `index` line says, so that hunks must follow.
    differs: bool,
    /// Whether a hunk was read, or it was said that one could not be.
    settled: bool,
    /// Whether its `+++` was read: another one is of another file.
    titled: bool,
    deleted: bool,
}

#[derive(Default)]
struct DiffReading {
    read: ReadDiff,
    section: Option<DiffSection>,
    hunk: Option<Hunk>,
    /// Whether a hunk has just ended: another line like its own is one too many.
    ended: bool,
    /// Whether `--- a/x` was read and its `+++ b/x` was not.
    halfway: bool,
    /// Whether any file was named.
    named: bool,
}

/// Reads a unified diff, as `git diff` prints it.
pub(super) fn changed(diff: &str) -> ReadDiff {
    let mut reading = DiffReading::default();
    for line in diff.lines() {
        match reading.hunk.take() {
            Some(hunk) => reading.inside(hunk, line),
            None => reading.outside(line),
        }
    }
    if reading.hunk.take().is_some() {
        reading.fail("the diff ends inside a hunk");
    }
    reading.close();
    let mut read = reading.read;
    if !reading.named && read.unread.is_empty() && !diff.trim().is_empty() {
        read.unread.push("the input is not a unified diff".into());
    }
    read.files.retain(|file| !file.added.is_empty());
    read
}

impl DiffReading {
    /// Notes what keeps the file at hand, or the whole input, from being read.
    fn fail(&mut self, why: &str) {
        let section = self.section.get_or_insert_default();
        let settled = std::mem::replace(&mut section.settled, true);
        let known = Some(section.file.path.as_str()).filter(|path| !path.is_empty());
        let line = format!("{}: {why}", known.unwrap_or("the input"));
        if !settled || self.read.unread.last() != Some(&line) {
            self.read.unread.push(line);
        }
    }

    /// The section at hand is over.
    fn close(&mut self) {
        if std::mem::take(&mut self.halfway) {
            self.fail("`---` without `+++`: a context diff is not read");
        }
        if self
            .section
            .as_ref()
            .is_some_and(|section| section.differs && !section.settled && !section.deleted)
        {
            self.fail("its changes are not in the diff");
        }
        self.ended = false;
        self.read.files.extend(self.section.take().map(|section| section.file));
    }

    /// A file begins, under a name that a later line may correct.
    fn begin(&mut self, path: &str, differs: bool) {
        self.close();
        self.named = true;
        let file = ChangedFile { path: path.into(), ..ChangedFile::default() };
        self.section = Some(DiffSection { file, differs, ..DiffSection::default() });
    }

    fn outside(&mut self, line: &str) {
        let ended = std::mem::take(&mut self.ended);
        if std::mem::take(&mut self.halfway) {
            match line.strip_prefix("+++ ") {
                Some(new) => self.new_side(new),
                None => self.fail("`---` without `+++`: a context diff is not read"),
            }
        } else if let Some(names) = line.strip_prefix("diff --git ") {
            self.begin(second_name(names), false);
        } else if line.starts_with("diff --cc ") || line.starts_with("diff --combined ") {
            self.begin(line.rsplit(' ').next().unwrap_or(line), true);
            self.fail("a combined diff of a merge is not read: compare with one parent");
        } else if let Some(names) = line.strip_prefix("diff ") {
            self.begin(names.rsplit(' ').next().unwrap_or(names), true);
        } else if line.starts_with("--- ") {
            self.halfway = true;
        } else if let Some(new) = line.strip_prefix("+++ ") {
            self.new_side(new);
        } else if let Some(head) = line.strip_prefix("@@ ") {
            self.begin_hunk(head);
        } else if line.starts_with("@@@") {
            self.fail("a combined diff of a merge is not read: compare with one parent");
        } else if line.contains('\u{1b}') {
            self.fail("the diff is coloured: give it --no-color");
        } else if ended && line.starts_with(['+', '-', ' ']) && line != "-- " {
            self.fail("a hunk has more lines than it says");
        } else {
            self.remark(line);
        }
    }

    /// A line beside the hunks.
    fn remark(&mut self, line: &str) {
        if let Some(names) = line.strip_prefix("Binary files ").and_then(|rest| rest.strip_suffix(" differ"))
        {
            if self.section.as_ref().is_none_or(|section| section.settled) {
                self.begin(names.rsplit(" and ").next().unwrap_or(names), true);
            }
            if !names.ends_with(" and /dev/null") {
                self.fail("binary, or said to be by a .gitattributes file: give the diff --text");
            } else if let Some(section) = &mut self.section {
                section.deleted = true;
            }
        } else if line == "GIT binary patch" {
            self.fail("binary, or said to be by a .gitattributes file: give the diff --text");
        } else if line.starts_with("***************") {
            self.fail("a context diff is not read");
        } else if line.starts_with("Only in ") {
            self.named = true;
            self.read.unread.push(format!("{line}: its text is not in the diff (diff -N has it)"));
        } else if let Some(section) = &mut self.section {
            section.deleted |= line.starts_with("deleted file mode ");
            if let Some(blobs) = line.strip_prefix("index ") {
                let new = blobs.split("..").nth(1).unwrap_or_default();
                section.differs = !EMPTY.iter().any(|empty| new.starts_with(empty));
            }
        }
    }

    /// `+++ b/x`: the file as it is called now.
    fn new_side(&mut self, written: &str) {
        if self.section.as_ref().is_none_or(|section| section.settled || section.titled) {
            self.begin("", false);
        }
        let path = written.split('\t').next().unwrap_or(written).trim_matches('"');
        if let Some(section) = &mut self.section {
            section.deleted = path == "/dev/null";
            (section.differs, section.titled) = (true, true);
            section.file.path = path.strip_prefix("b/").unwrap_or(path).to_string();
        }
    }

    fn begin_hunk(&mut self, head: &str) {
        let Some(section) = self.section.as_mut().filter(|section| !section.file.path.is_empty()) else {
            return self.fail("a hunk of no file");
        };
        let read = hunk(head);
        let last = section.file.places.last().copied().unwrap_or(0);
        // Hunks of one file follow each other; one that goes back would hide what was read before.
        match read.filter(|hunk| hunk.new == 0 || hunk.at > last) {
            Some(hunk) => {
                section.settled = true;
                if hunk.new > 0 && hunk.at != last + 1 {
                    section.file.push("", 0);
                }
                self.hunk = Some(hunk);
            }
            None => self.fail(&format!("`@@ {}` cannot be read", head.chars().take(60).collect::<String>())),
        }
    }

    fn inside(&mut self, mut hunk: Hunk, line: &str) {
        let mut signs = line.chars();
        let sides = match signs.next() {
            Some('+') => (0, 1),
            Some('-') => (1, 0),
            // An empty line of context may have lost its blank on the way.
            Some(' ') | None => (1, 1),
            Some('\\') => (0, 0),
            Some(_) => (u32::MAX, u32::MAX),
        };
        let left = (hunk.old.checked_sub(sides.0), hunk.new.checked_sub(sides.1));
        let (Some(section), (Some(old), Some(new))) = (&mut self.section, left) else {
            self.fail(&format!("its lines at {} are not those of a hunk (colours, --word-diff?)", hunk.at));
            return self.outside(line);
        };
        (hunk.old, hunk.new) = (old, new);
        if sides.1 == 1 {
            section.file.push(signs.as_str(), hunk.at);
            hunk.at += 1;
            if sides.0 == 0 {
                section.file.added.insert(section.file.places.len() as u32);
            }
        }
        hunk.changes |= sides.0 != sides.1;
        match (old, new) {
            (0, 0) => {
                self.ended = true;
                if !hunk.changes {
                    self.fail("a hunk that changes nothing (--word-diff?)");
                }
            }
            _ => self.hunk = Some(hunk),
        }
    }
}

/// `-1,4 +10,3 @@`: where the new side begins, and how many lines both sides have.
fn hunk(head: &str) -> Option<Hunk> {
    let mut parts = head.split(' ');
    let mut side = |sign: char| {
        let written = parts.next()?.strip_prefix(sign)?;
        let (start, count) = written.split_once(',').unwrap_or((written, "1"));
        let (start, count): (u32, u32) = (start.parse().ok()?, count.parse().ok()?);
        // A line that nobody can count to is none.
        start.checked_add(count).map(|_| (start, count))
    };
    let ((_, old), (at, new)) = (side('-')?, side('+')?);
    let sound = parts.next() == Some("@@") && (old > 0 || new > 0) && (at > 0 || new == 0);
    sound.then_some(Hunk { at, old, new, changes: false })
}

/// The second of the two names in `a/x b/x`, which may hold blanks.
fn second_name(names: &str) -> &str {
    let half = names.get(names.len() / 2 + 1..).filter(|half| names.ends_with(half));
    let same = half.filter(|half| half.get(2..) == names.get(2..names.len() / 2));
    let name = same.unwrap_or(names);
    name.strip_prefix("b/").unwrap_or(name)
}

impl ChangedFile {
    fn push(&mut self, line: &str, place: u32) {
        if !self.places.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(line);
        self.places.push(place);
    }

    /// Where a line of its text stands in the file.
    pub(super) fn place(&self, line: u32) -> u32 {
        let place = self.places.get(line.saturating_sub(1) as usize).copied();
        place.filter(|place| *place > 0).unwrap_or(line)
    }

    /// Whether a sentence that begins on a line of its text and says this was changed: one of its lines was added.
    pub(super) fn touches(&self, line: u32, said: &str) -> bool {
        let mut left = said.split_whitespace().map(str::len).sum::<usize>();
        for (nth, text) in self.text.lines().enumerate().skip(line.saturating_sub(1) as usize) {
            if self.added.contains(&(nth as u32 + 1)) {
                return true;
            }
            let length = text.split_whitespace().map(str::len).sum::<usize>();
            if length >= left {
                return false;
            }
            left -= length;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIFF: &str = "diff --git a/a.md b/a.md\n--- a/a.md\n+++ b/a.md\n@@ -3,3 +3,4 @@ head\n context one\n-old line\n+new line\n+second\n context two\n@@ -20 +21 @@\n-x\n+y\n\\ No newline at end of file\ndiff --git a/gone b/gone\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";

    fn read(diff: &str) -> Vec<ChangedFile> {
        let read = changed(diff);
        assert!(read.unread.is_empty(), "{diff}\n{:?}", read.unread);
        read.files
    }

    #[test]
    fn lines_are_where_they_are_in_the_file() {
        let files = read(DIFF);
        assert_eq!(files.len(), 1, "{files:?}");
        let lines: Vec<(&str, u32)> =
            files[0].text.lines().zip(1..).map(|(text, line)| (text, files[0].place(line))).collect();
        assert_eq!(files[0].path, "a.md");
        assert_eq!(lines[1..5], [("context one", 3), ("new line", 4), ("second", 5), ("context two", 6)]);
        assert_eq!(lines[6], ("y", 21));
        assert_eq!(files[0].added, [3, 4, 7].into());
    }

    #[test]
    fn only_sentences_with_a_changed_line_count() {
        let file = &read(DIFF)[0];
        assert!(file.touches(3, "new line"));
        assert!(!file.touches(2, "context one"));
        assert!(file.touches(2, "context one new line"), "it goes on in a line that was added");
        assert!(!file.touches(5, "context two"));
        assert!(!file.touches(99, "nothing"));
    }

    #[test]
    fn a_line_that_looks_like_a_head_is_text_inside_a_hunk() {
        let files = read("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+++ b/y\n b\n");
        assert_eq!((files.len(), files[0].path.as_str(), files[0].text.as_str()), (1, "x", "++ b/y\nb"));
    }

    #[test]
    fn what_stands_around_files_is_no_part_of_them() {
        let mail = format!("From 1 Mon\nSubject: x\n\n---\n a.md | 2 +-\n\n{DIFF}-- \n2.43.0\n");
        assert_eq!(read(&mail), read(DIFF));
        let log = format!(
            "commit 1\nAuthor: a\n\n    Binary files are gone\n\n{DIFF}\ncommit 2\n\n    +++ b/x\n\n{DIFF}"
        );
        assert_eq!(read(&log).len(), 2);
        for nothing in [
            "",
            "\n",
            "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n",
            "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n",
            "diff --git a/x b/x\nnew file mode 100644\nindex 0000000..e69de29\n",
            "diff --git a/x b/x\ndeleted file mode 100644\nindex e69de29..0000000\n",
            "diff --git a/x b/x\ndeleted file mode 100644\nindex 1..0000000\nBinary files a/x and /dev/null differ\n",
        ] {
            assert_eq!(read(nothing), [], "{nothing:?}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_listed() {
        let index = "diff --git a/x y.md b/x y.md\nindex 1111111..2222222 100644\n";
        for (diff, unread) in [
            (format!("{index}Binary files a/x y.md and b/x y.md differ\n"), "x y.md: binary"),
            (format!("{index}GIT binary patch\nliteral 3\nKcmb\n"), "x y.md: binary"),
            (format!("{index}{DIFF}"), "x y.md: its changes are not in the diff"),
            ("\u{1b}[1mdiff --git a/x b/x\u{1b}[m\n".into(), "the diff is coloured"),
            ("diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,2 @@@\n++y\n".into(), "combined"),
            ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n\u{1b}[31m-x\u{1b}[m\n".into(), "x: its lines at 1 are not"),
            ("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n x\n {+y+}\n".into(), "x: a hunk that changes nothing"),
            ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n[-x-]{+y+}\n".into(), "x: its lines at 1 are not"),
            ("*** a/x\n--- b/x\n***************\n*** 1 ****\n! x\n--- 1 ----\n! y\n".into(), "context diff"),
            ("1c1\n< x\n---\n> y\n".into(), "the input is not a unified diff"),
            (" a.md | 2 +-\n 1 file changed\n".into(), "the input is not a unified diff"),
            ("The eyes are blue.\n".into(), "the input is not a unified diff"),
            ("diff -r a/x b/x\n1c1\n< x\n---\n> y\n".into(), "b/x: its changes are not in the diff"),
            ("Only in b: y\n".into(), "Only in b: y"),
            ("--- a/x\n+++ b/x\n@@ -1 +1,99999999999999999999 @@\n-x\n+y\n".into(), "cannot be read"),
            ("--- a/x\n+++ b/x\n@@ -1 +99999999999,3 @@\n+a\n".into(), "cannot be read"),
            ("--- a/x\n+++ b/x\n@@ -9 +9 @@\n-x\n+y\n@@ -9 +9 @@\n-x\n+y\n".into(), "cannot be read"),
            ("--- a/x\n+++ b/x\n@@ -1 +1 @@\n-x\n+y\n+z\n".into(), "x: a hunk has more lines than it says"),
            ("--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-x\n+y\n".into(), "x: the diff ends inside a hunk"),
            ("+++ b/x\n+++ b/y\n@@ -1 +1 @@\n-x\n+y\n".into(), "x: its changes are not in the diff"),
            ("+++ b/x\n".into(), "x: its changes are not in the diff"),
            ("@@ -1 +1 @@\n-x\n+y\n".into(), "a hunk of no file"),
            ("@@".into(), "the input is not a unified diff"),
        ] {
            let read = changed(&diff);
            assert!(read.unread.iter().any(|line| line.contains(unread)), "{diff}\n{:?}", read.unread);
        }
    }

    #[test]
    fn a_far_line_costs_no_memory() {
        let many = "--- a/x\n+++ b/x\n@@ -4000000000 +4000000000 @@\n-x\n+y\n".repeat(1000);
        assert_eq!(read(&many).iter().map(|file| file.text.len()).sum::<usize>(), 2000);
    }
}
