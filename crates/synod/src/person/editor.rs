//! A long text is written in the person's own editor, on a file that only they can read.

use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process};

/// Everything from this line on is left out. Other lines may begin with `#`: people write Markdown.
const CUT: &str = "# ---- nothing is read from this line on ----";

/// How often it is looked whether the editor was closed.
const LOOK: Duration = Duration::from_millis(50);

/// The file, which goes with its text.
struct DraftFile(PathBuf);

impl Drop for DraftFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Opens the editor on a text and gives what was saved; an error is told to the person.
pub(super) fn edit(text: &str, question: &str, over: &AtomicBool) -> Result<String, String> {
    let draft = create(text, question).map_err(|error| format!("no file for the editor: {error}"))?;
    let editor = chosen();
    // As git does it: what is set may have arguments of its own.
    let child =
        Command::new("/bin/sh").arg("-c").arg(format!("{editor} \"$@\"")).arg(&editor).arg(&draft.0).spawn();
    let ended = child.and_then(|child| wait(child, over)).map_err(|error| format!("{editor}: {error}"))?;
    if !ended {
        return Err(format!(
            "{editor} ended with an error, so the field is as it was. Set $EDITOR to the editor you use."
        ));
    }
    let read = std::fs::read_to_string(&draft.0)
        .map_err(|error| format!("what was saved cannot be read: {error}"))?;
    Ok(saved(&read))
}

/// The editor that is set, or the one that is always there.
fn chosen() -> String {
    let set = |name: &str| std::env::var(name).ok().filter(|editor| !editor.trim().is_empty());
    set("VISUAL").or_else(|| set("EDITOR")).unwrap_or_else(|| "vi".into())
}

fn create(text: &str, question: &str) -> std::io::Result<DraftFile> {
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(|_| std::io::Error::other("this system gives no random numbers"))?;
    let path = std::env::temp_dir().join(format!("synod-{:016x}.md", u64::from_le_bytes(random)));
    let mut file = std::fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
    let draft = DraftFile(path);
    writeln!(file, "{text}\n{CUT}")?;
    for line in question.lines() {
        writeln!(file, "# {line}")?;
    }
    Ok(draft)
}

/// Waits for the editor; whether it ended well. A turn that is over ends it too.
fn wait(mut child: Child, over: &AtomicBool) -> std::io::Result<bool> {
    let mut told = false;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.success());
        }
        if over.load(Ordering::SeqCst) && !told {
            told = true;
            // Asked to end, so that it leaves the terminal as it found it.
            if let Some(pid) = Pid::from_raw(child.id() as i32) {
                let _ = kill_process(pid, Signal::TERM);
            }
        }
        std::thread::sleep(LOOK);
    }
}

/// What was written, without what stands below the cut.
fn saved(text: &str) -> String {
    let kept = text.lines().take_while(|line| line.trim_end() != CUT);
    kept.collect::<Vec<_>>().join("\n").trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_stay_and_the_question_goes() {
        let draft = create("old", "What?\nWhy?").expect("a file");
        let text = std::fs::read_to_string(&draft.0).expect("a text");
        assert!(text.starts_with("old\n") && text.contains("\n# What?\n# Why?\n"), "{text}");
        assert_eq!(saved(&text), "old");
        assert_eq!(saved("# A heading\n\ntext\n"), "# A heading\n\ntext");
        let path = draft.0.clone();
        drop(draft);
        assert!(!path.exists(), "a draft does not stay behind");
    }
}
