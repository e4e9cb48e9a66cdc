//! Charters that extend others: several files in, one flat text out.
//!
//! A house judges from its record alone, so what it adopts must be whole. [`flatten`] joins a charter and what it
//! extends into one text with nothing left to look up; that text is adopted, digested and pinned. A charter that
//! extends nothing is its own flat text, byte for byte. Comments come along with the lines they explain.
//!
//! Merging never looks at what a key means. Tables merge key by key; everything else is replaced whole: values,
//! lists, inline tables, and all `[[…]]` of one name. `without` lists what is not inherited. `name`, `title` and
//! `summary` never are. Nothing here does I/O: the caller finds the texts.

mod tree;

use super::settle::is_name;
use super::shipped;
use super::source::{self, Flaw, Lined};
use crate::kernel::text;
use tree::{Branch, LineOrigin, Out, SourceText};

/// A longer chain is a mistake, or an attempt to keep us busy.
const DEPTH_MOST: usize = 8;

/// Keys at the top of a file that no other charter gets: who it is, and how the files are joined.
const NEVER_INHERITED: [&str; 6] = ["name", "title", "summary", "base", EXTENDS, WITHOUT];
const EXTENDS: &str = "extends";
const WITHOUT: &str = "without";

/// A charter that another one extends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parent {
    /// How flaws name it: its file, or its name if it ships with Synod.
    pub file: String,
    /// Its text. It may extend others again.
    pub source: String,
}

/// A whole charter in one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Flat {
    /// What a house adopts.
    pub text: String,
    /// Where each line of it was written. Empty if nothing was joined.
    origins: Vec<LineOrigin>,
    files: Vec<String>,
}

impl Flat {
    /// The same flaws, each at the file and line where it was written.
    pub fn locate(&self, mut flaws: Vec<Flaw>) -> Vec<Flaw> {
        for flaw in &mut flaws {
            if let Some(origin) = self.origins.get(flaw.line.saturating_sub(1)) {
                flaw.line = origin.line;
                flaw.file.clone_from(&self.files[origin.file]);
            }
        }
        flaws.sort_by(|one, other| (&one.file, one.line).cmp(&(&other.file, other.line)));
        flaws.dedup();
        flaws
    }
}

/// Joins a charter and everything it extends. `lookup` finds the charter that a name in `extends` means to the
/// caller. A charter that extends its own name extends the shipped one.
pub fn flatten(source: &str, lookup: &dyn Fn(&str) -> Option<Parent>) -> Result<Flat, Vec<Flaw>> {
    let mut chain = Chain { lookup, files: vec![String::new()], names: Vec::new() };
    let (read, mut tree) = chain.read(source)?;
    let Some(extends) = &read.extends else {
        return Ok(Flat { text: source.into(), origins: Vec::new(), files: Vec::new() });
    };
    chain.names.push(read.name.clone().unwrap_or_default());
    let origin = LineOrigin { file: 0, line: extends.line };
    let inherited = chain.inherited(extends, &read)?;
    tree.remove(&[EXTENDS, WITHOUT]);
    let tree = inherited.overridden_by(tree);
    let mut out = Out::default();
    out.line(&format!("# extends {}", chain.names[1..].join(", which extends ")), origin);
    out.root(&tree);
    Ok(Flat { text: out.text, origins: out.origins, files: chain.files })
}

/// The keys of a file that say how it is joined with others.
struct Inheritance {
    name: Option<String>,
    extends: Option<Lined<String>>,
    without: Option<Lined<Vec<String>>>,
}

/// The charters that extend each other, from the one that was asked for on.
struct Chain<'l> {
    lookup: &'l dyn Fn(&str) -> Option<Parent>,
    /// How flaws name the files read so far. The first is the text that was given.
    files: Vec<String>,
    names: Vec<String>,
}

impl Chain<'_> {
    /// Reads one file, the last of `files`.
    fn read(&self, source: &str) -> Result<(Inheritance, Branch), Vec<Flaw>> {
        let text = SourceText::new(source.trim_start_matches('\u{feff}'), self.files.len() - 1);
        let (read, mut flaws, _) = source::read(source, |root| {
            root.leave_open();
            let name = root.text("name").map(|name| name.value);
            let read = Inheritance { name, extends: root.text("extends"), without: root.texts("without") };
            (read, Branch::read(&text, root.raw()))
        });
        // Of a file that is not TOML, other flaws would be those of what was guessed from it.
        let broken = flaws.iter().any(|flaw| flaw.key.is_empty());
        flaws.retain(|flaw| if broken { flaw.key.is_empty() } else { flaw.key != "name" });
        if flaws.is_empty() {
            return Ok(read);
        }
        for flaw in &mut flaws {
            flaw.file.clone_from(&self.files[self.files.len() - 1]);
        }
        Err(flaws)
    }

    /// Everything that a file gets from the one it extends.
    fn inherited(&mut self, extends: &Lined<String>, child: &Inheritance) -> Result<Branch, Vec<Flaw>> {
        let file = self.files.len() - 1;
        let parent =
            self.find(extends).map_err(|(wrong, fix)| self.flaw(file, extends.line, EXTENDS, wrong, fix))?;
        self.names.push(extends.value.clone());
        self.files.push(parent.file);
        let (read, mut tree) = self.read(&parent.source)?;
        if let Some(next) = &read.extends {
            let inherited = self.inherited(next, &read)?;
            tree = inherited.overridden_by(tree);
        }
        tree.remove(&NEVER_INHERITED);
        for path in child.without.iter().flat_map(|without| &without.value) {
            if !tree.remove_path(path) {
                let line = child.without.as_ref().map_or(1, |without| without.line);
                let wrong = format!("\"{}\" has no `{}`", extends.value, text::excerpt(path, 60));
                let known = tree.paths();
                let near = text::nearest(path, known.iter().map(String::as_str));
                let fix = near.map_or("remove it from the list".into(), source::meant);
                return Err(self.flaw(file, line, WITHOUT, wrong, fix));
            }
        }
        Ok(tree)
    }

    /// The charter a name stands for, or what is wrong with the name.
    fn find(&self, extends: &Lined<String>) -> Result<Parent, (String, String)> {
        let wanted = &extends.value;
        // Callers make a file's name of it: a path must not get through.
        if !is_name(wanted) {
            let wrong =
                format!("\"{}\" is not the name of a charter", text::excerpt(&text::one_line(wanted), 60));
            return Err((wrong, "use a to z, 0 to 9 and `-`, without a path or `.toml`".into()));
        }
        let own = self.names.last();
        if own != Some(wanted) && self.names.contains(wanted) {
            let wrong = format!("these charters extend each other: {}, {wanted}", self.names.join(", "));
            return Err((wrong, "let one of them extend nothing".into()));
        }
        if self.names.len() > DEPTH_MOST {
            let wrong = format!("more than {DEPTH_MOST} charters extend each other");
            return Err((wrong, "extend one that is nearer to the first".into()));
        }
        if own == Some(wanted) {
            let wrong = format!("there is no shipped charter \"{}\" to extend", text::excerpt(wanted, 60));
            return shipped::parent(wanted).ok_or((wrong, "extend a charter of another name".into()));
        }
        (self.lookup)(wanted).ok_or_else(|| {
            let near = text::nearest(wanted, shipped::parents());
            let fix = near.map_or_else(
                || "name a shipped charter, or a file NAME.toml beside this one".into(),
                source::meant,
            );
            (format!("there is no charter \"{}\" to extend", text::excerpt(wanted, 60)), fix)
        })
    }

    fn flaw(&self, file: usize, line: usize, key: &str, wrong: String, fix: String) -> Vec<Flaw> {
        let file = self.files[file].clone();
        vec![Flaw { file, line, key: key.into(), wrong, fix, is_error: true }]
    }
}
