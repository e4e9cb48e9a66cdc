//! The new side of a unified diff, so that only what somebody changed is held against canon.

use std::collections::BTreeSet;

/// A file of a diff: what is known of its new text, with lines where they are in the file, and which of them were added.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct ChangedFile {
    pub(super) path: String,
    pub(super) text: String,
    added: BTreeSet<u32>,
}

/// Reads a unified diff, as `git diff` prints it. Deleted files and binary files say nothing.
pub(super) fn changed(diff: &str) -> Vec<ChangedFile> {
    let mut files: Vec<ChangedFile> = Vec::new();
    let (mut lines, mut at, mut left): (Vec<String>, u32, u32) = (Vec::new(), 0, 0);
    let finish = |files: &mut Vec<ChangedFile>, lines: &mut Vec<String>| {
        if let Some(file) = files.last_mut() {
            file.text = std::mem::take(lines).join("\n");
        }
    };
    for line in diff.lines() {
        if left == 0 {
            if let Some(path) = line.strip_prefix("+++ ") {
                finish(&mut files, &mut lines);
                let path = path.split('\t').next().unwrap_or(path).trim_matches('"');
                let path = path.strip_prefix("b/").unwrap_or(path).to_string();
                files.push(ChangedFile { path, ..ChangedFile::default() });
                continue;
            }
            if let Some((start, count)) = line.strip_prefix("@@ ").and_then(hunk) {
                (at, left) = (start, count);
            }
            continue;
        }
        let (added, text) = match line.split_at_checked(1) {
            Some(("+", text)) => (true, text),
            Some((" ", text)) => (false, text),
            // An empty line of context may have lost its blank on the way.
            None => (false, ""),
            Some(_) => continue, // what was there before, and remarks such as a missing end of line
        };
        if let Some(file) = files.last_mut() {
            let place = at.saturating_sub(1) as usize;
            if lines.len() <= place {
                lines.resize(place + 1, String::new());
            }
            lines[place] = text.to_string();
            if added {
                file.added.insert(at);
            }
        }
        (at, left) = (at + 1, left - 1);
    }
    finish(&mut files, &mut lines);
    files.retain(|file| file.path != "/dev/null" && !file.added.is_empty());
    files
}

/// `-1,4 +10,3 @@`: where the new side begins and how many lines it has.
fn hunk(head: &str) -> Option<(u32, u32)> {
    let new = head.split(' ').find_map(|part| part.strip_prefix('+'))?;
    let (start, count) = new.split_once(',').unwrap_or((new, "1"));
    // A line far beyond any file would only cost memory.
    Some((start.parse().ok().filter(|start| *start < 10_000_000)?, count.parse().ok()?))
}

impl ChangedFile {
    /// Whether a sentence that begins on a line and says this was changed: one of its lines was added.
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

    #[test]
    fn lines_are_where_they_are_in_the_file() {
        let files = changed(DIFF);
        assert_eq!(files.len(), 1, "{files:?}");
        let lines: Vec<&str> = files[0].text.lines().collect();
        assert_eq!((files[0].path.as_str(), lines.len()), ("a.md", 21));
        assert_eq!((lines[2], lines[3], lines[4], lines[20]), ("context one", "new line", "second", "y"));
        assert_eq!(files[0].added, [4, 5, 21].into());
    }

    #[test]
    fn only_sentences_with_a_changed_line_count() {
        let file = &changed(DIFF)[0];
        assert!(file.touches(4, "new line"));
        assert!(!file.touches(3, "context one"));
        assert!(file.touches(3, "context one new line"), "it goes on in a line that was added");
        assert!(!file.touches(6, "context two"));
        assert!(!file.touches(99, "nothing"));
    }

    #[test]
    fn a_line_that_looks_like_a_head_is_text_inside_a_hunk() {
        let diff = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+++ b/y\n b\n";
        let files = changed(diff);
        assert_eq!((files.len(), files[0].path.as_str(), files[0].text.as_str()), (1, "x", "++ b/y\nb"));
    }

    #[test]
    fn nonsense_is_read_without_harm() {
        for diff in
            ["", "@@ -1 +1 @@\n+x", "+++ b/x\n@@ -1 +99999999999,3 @@\n+a", "+++ b/x\n@@ @@\n+a", "@@"]
        {
            assert!(changed(diff).is_empty(), "{diff:?}");
        }
    }
}
