//! Files of seats: `seats.toml` and `councils/NAME.toml`, of a house or of the user, and those that `--seats` names.

use std::path::{Path, PathBuf};

use synod_core::charter::source;
use synod_core::kernel::Who;
use synod_core::kernel::text::counted;
use synod_minds::Spec;

use super::written::{Alias, Aliases};
use super::{SeatWishes, Wish};
use crate::fail::{Fail, Result, code};
use crate::house::{flaw_line, read_own, read_text};

/// The content of a file of seats.
#[derive(Debug)]
pub(crate) struct SeatsFile {
    pub(crate) file: PathBuf,
    /// The seats of the file itself: the council of a debate that names none.
    pub(crate) wishes: SeatWishes,
    pub(crate) councils: Vec<NamedCouncil>,
    pub(crate) aliases: Vec<Alias>,
}

/// A council that has a name.
#[derive(Debug, Clone)]
pub(crate) struct NamedCouncil {
    pub(crate) name: String,
    pub(crate) file: PathBuf,
    pub(crate) wishes: SeatWishes,
}

impl SeatsFile {
    /// Reads a file that the user named. `outer` are the aliases that hold everywhere.
    pub(super) fn named(path: &Path, typed: bool, outer: &Aliases) -> Result<Self> {
        Self::parse(path, &read_text(path, "seats")?, typed, outer)
    }

    /// Reads a file of a folder of settings, if it is there; `typed` says whether it is the user's own word.
    pub(super) fn own(path: &Path, typed: fn(&Path) -> bool, outer: &Aliases) -> Result<Option<Self>> {
        let text = read_own(path, "seats")?;
        text.map(|text| Self::parse(path, &text, typed(path), outer)).transpose()
    }

    fn parse(path: &Path, text: &str, typed: bool, outer: &Aliases) -> Result<Self> {
        let (config, mut flaws, _) =
            source::read(text, |root| SeatsFileReader { root, path, typed, outer }.config());
        if flaws.is_empty() {
            return Ok(config);
        }
        // That no seat is left follows from the others.
        if flaws.iter().any(|flaw| flaw.key != "seat") {
            flaws.retain(|flaw| flaw.key != "seat");
        }
        let origin = path.display().to_string();
        let lines: Vec<String> = flaws.iter().map(|flaw| format!("  {}", flaw_line(&origin, flaw))).collect();
        let message =
            format!("the seats have {}:\n{}", counted(flaws.len() as u64, "error"), lines.join("\n"));
        Err(Fail::new(code::DATA, "seats/flawed", message))
    }

    /// Everything that the file lets answer.
    fn backends(&self) -> impl Iterator<Item = Spec> + '_ {
        let councils = self.councils.iter().map(|council| &council.wishes);
        let wishes = std::iter::once(&self.wishes).chain(councils).flat_map(SeatWishes::everyone);
        wishes.map(|wish| wish.spec.clone()).chain(self.aliases.iter().map(|alias| alias.spec.clone()))
    }
}

/// A file while it is read.
struct SeatsFileReader<'r, 't, 's> {
    root: &'r source::SourceTable<'t, 's>,
    path: &'r Path,
    typed: bool,
    outer: &'r Aliases,
}

impl SeatsFileReader<'_, '_, '_> {
    fn config(&self) -> SeatsFile {
        let aliases = self.aliases();
        let own = Aliases(aliases.iter().chain(&self.outer.0).cloned().collect());
        let root = self.root;
        let named = |key| -> Vec<Wish> {
            root.tables(key).iter().filter_map(|table| self.wish(table, &own)).collect()
        };
        let (seats, judges, mut scribes) = (named("seat"), named("judge"), named("scribe"));
        if scribes.len() > 1 {
            root.flaw(1, "scribe", "there is more than one", "keep one [[scribe]]");
        }
        let wishes = SeatWishes { seats, judges, scribe: scribes.pop() };
        let councils = self.councils(&wishes, &own);
        if wishes.seats.is_empty() && councils.is_empty() && aliases.is_empty() {
            let fix = "write at least one [[seat]] with `backend`, such as backend = \"openai:gpt-4.1-mini\"";
            root.flaw(1, "seat", "there is no valid seat here", fix);
        }
        SeatsFile { file: self.path.into(), wishes, councils, aliases }
    }

    fn aliases(&self) -> Vec<Alias> {
        let Some(table) = self.root.table("alias") else { return Vec::new() };
        let mut aliases = Vec::new();
        for (name, written) in table.named_texts("fast = \"openai:gpt-4.1-mini\"") {
            match (Who::parse(&name.value), Spec::parse(&written)) {
                (Ok(_), Ok(_)) if Spec::parse(&name.value).is_ok() => {
                    table.flaw(name.line, &name.value, "this word is a backend already", "choose another")
                }
                (Ok(_), Ok(spec)) => aliases.push(Alias { name: name.value, spec, typed: self.typed }),
                (Err(wrong), _) | (_, Err(wrong)) => table.flaw(name.line, &name.value, wrong, ""),
            }
        }
        aliases
    }

    /// A seat as the file describes it.
    fn wish(&self, table: &source::SourceTable<'_, '_>, aliases: &Aliases) -> Option<Wish> {
        let (name, backend, persona) = (table.text("name"), table.text("backend"), table.text("persona"));
        let (effort, tools) = (table.text("reasoning_effort"), table.bool("tools"));
        let variables = table.texts("env").map(|names| names.value).unwrap_or_default();
        if let Some(old) = table.text("mind") {
            table.flaw(old.line, "mind", "this is called `backend`", "write `backend = …`");
        }
        table.finish();
        let Some(backend) = backend else {
            let fix = "write `backend = \"openai:MODEL\"`";
            table.flaw(table.line(), "backend", "a seat needs something that answers for it", fix);
            return None;
        };
        let (effort, tools) =
            (effort.as_ref().map(|effort| effort.value.as_str()), tools.map(|tools| tools.value));
        let with = |(spec, typed): (Spec, bool)| Ok((spec.with(effort, tools)?.passing(variables)?, typed));
        match aliases.spec(&backend.value, self.typed).and_then(with) {
            Ok((spec, typed)) => {
                let name = name.map(|name| name.value).unwrap_or_default();
                Some(Wish { name, spec, persona: persona.map(|persona| persona.value), profile: None, typed })
            }
            Err(wrong) => {
                table.flaw(backend.line, "backend", wrong, "");
                None
            }
        }
    }

    fn councils(&self, all: &SeatWishes, aliases: &Aliases) -> Vec<NamedCouncil> {
        let Some(table) = self.root.table("council") else { return Vec::new() };
        let mut councils = Vec::new();
        for (name, table) in table.named_tables("[council.arch] with seats = [\"ann\", \"openai:MODEL\"]") {
            let (seats, judges, scribe) = (table.texts("seats"), table.texts("judges"), table.text("scribe"));
            table.finish();
            let member = |key: &str, line: usize, written: &String| {
                self.member(all, aliases, written).map_err(|wrong| table.flaw(line, key, wrong, "")).ok()
            };
            let members = |key: &str, list: &Option<source::Lined<Vec<String>>>| -> Vec<Wish> {
                let list = list.iter().flat_map(|list| list.value.iter().map(|it| (list.line, it)));
                list.filter_map(|(line, written)| member(key, line, written)).collect()
            };
            let wishes = SeatWishes {
                seats: members("seats", &seats),
                judges: members("judges", &judges),
                scribe: scribe.and_then(|scribe| member("scribe", scribe.line, &scribe.value)),
            };
            if wishes.seats.is_empty() {
                let fix =
                    "write seats = [\"ann\", \"openai:MODEL\"]: names of [[seat]]s, aliases or backends";
                table.flaw(name.line, "seats", "this council has no seats", fix);
            }
            councils.push(NamedCouncil { name: name.value, file: self.path.into(), wishes });
        }
        councils
    }

    /// A member of a council: a seat of the file by its name, else whatever a seat can be.
    fn member(
        &self,
        all: &SeatWishes,
        aliases: &Aliases,
        written: &str,
    ) -> std::result::Result<Wish, String> {
        let who = Who::parse(written).ok();
        let known = all.everyone().find(|wish| who.is_some() && Who::parse(&wish.name).ok() == who);
        if let Some(known) = known {
            return Ok(known.clone());
        }
        let (spec, typed) = aliases.spec(written, self.typed)?;
        Ok(Wish { name: String::new(), spec, persona: None, profile: None, typed })
    }
}

/// The named councils of a folder of settings: files of their own.
pub(super) fn council_files(
    folder: &Path,
    typed: fn(&Path) -> bool,
    outer: &Aliases,
) -> Result<Vec<NamedCouncil>> {
    let entries = std::fs::read_dir(folder.join("councils")).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
    files.retain(|file| file.extension().is_some_and(|ending| ending == "toml"));
    files.sort();
    let mut councils = Vec::new();
    for file in files {
        let Some(name) = file.file_stem().and_then(|stem| stem.to_str()).map(str::to_string) else {
            continue;
        };
        if let Some(config) = SeatsFile::own(&file, typed, outer)? {
            councils.push(NamedCouncil { name, file, wishes: config.wishes });
        }
    }
    Ok(councils)
}

/// The backends that the files of a house name.
pub(super) fn backends(house: &Path) -> Result<Vec<Spec>> {
    let of_house = |_: &Path| false;
    let own = SeatsFile::own(&house.join("seats.toml"), of_house, &Aliases::default())?;
    let mut specs: Vec<Spec> = own.iter().flat_map(SeatsFile::backends).collect();
    let aliases = Aliases(own.map(|own| own.aliases).unwrap_or_default());
    for council in council_files(house, of_house, &aliases)? {
        specs.extend(council.wishes.everyone().map(|wish| wish.spec.clone()));
    }
    Ok(specs)
}

#[cfg(test)]
mod tests {
    use super::{Aliases, Path, SeatsFile};
    use crate::mutate::{Grammar, fuzz};

    #[test]
    fn errors_that_are_all_about_seats_are_listed() {
        let text = "seat = 1\n[[council]]\nname = \"arch\"\nseat = 2\n";
        let read = SeatsFile::parse(Path::new("seats.toml"), text, true, &Aliases::default());
        let message = read.err().map(|fail| fail.message().to_string()).unwrap_or_default();
        assert!(message.contains("seats.toml") && !message.contains("have 0 errors"), "{message}");
    }

    /// A file of seats is taken, or every error is told with its line.
    #[test]
    fn any_bytes_for_a_file_of_seats() {
        let known = &[
            "seat",
            "name",
            "backend",
            "persona",
            "council",
            "seats",
            "alias",
            "judge",
            "scribe",
            "charter",
            "openai:gpt-4.1-mini",
            "exec:true",
            "script:a.txt",
            "ann",
            "person",
            "rehearsal",
        ];
        fuzz("seats", Grammar::Toml, known, |bytes| {
            let text = String::from_utf8_lossy(bytes);
            if let Err(fail) = SeatsFile::parse(Path::new("seats.toml"), &text, true, &Aliases::default()) {
                assert!(fail.message().contains("seats.toml"), "{}", fail.message());
            }
        });
    }
}
