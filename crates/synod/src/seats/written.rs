//! What a flag or a file says about one seat, and the names of seats that were given none.

use synod_core::kernel::{Who, text};
use synod_minds::Spec;

use super::{SeatWishes, Wish};
use crate::fail::{Fail, Result};

/// Short names for backends. An earlier one goes before a later one of the same name.
#[derive(Debug, Clone, Default)]
pub(crate) struct Aliases(pub(super) Vec<Alias>);

/// A short name for a backend.
#[derive(Debug, Clone)]
pub(crate) struct Alias {
    pub(crate) name: String,
    pub(crate) spec: Spec,
    /// Whether the user wrote it, and not a file of the house.
    pub(super) typed: bool,
}

impl Aliases {
    /// Those that hold.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Alias> {
        let is_first =
            |(nth, alias): &(usize, &Alias)| self.0[..*nth].iter().all(|other| other.name != alias.name);
        self.0.iter().enumerate().filter(is_first).map(|(_, alias)| alias)
    }

    /// The backend of something written, and whether it is the user's own word.
    pub(super) fn spec(&self, written: &str, typed: bool) -> std::result::Result<(Spec, bool), String> {
        let written = written.trim();
        if let Some(alias) = self.0.iter().find(|alias| alias.name == written) {
            return Ok((alias.spec.clone(), typed && alias.typed));
        }
        let parsed = Spec::parse(written).map(|spec| (spec, typed));
        parsed.map_err(|wrong| {
            let near = text::nearest(written, self.0.iter().map(|alias| alias.name.as_str()));
            match near {
                Some(near) => format!("{wrong}, or the alias `{near}`"),
                None => wrong,
            }
        })
    }

    /// Somebody as a flag names them; `what` is the flag's word for them.
    pub(super) fn wish(&self, what: &str, written: &str) -> Result<Wish> {
        let (name, backend) = parts(written);
        let wanted = format!("write --{what} openai:gpt-4.1-mini, or --{what} ann=openai:gpt-4.1-mini");
        if backend.trim().is_empty() || name.is_some_and(|name| name.trim().is_empty()) {
            let message = format!("`{written}` needs what answers for the {what}: {wanted}");
            return Err(Fail::usage(message));
        }
        let whose = name.map_or_else(|| what.to_string(), |name| format!("{what} `{}`", name.trim()));
        let (spec, typed) = self.spec(backend, true).map_err(|wrong| match name {
            // A name alone, more likely than a backend that nobody knows.
            None if !backend.contains(':') && !wrong.contains("did you mean") => {
                Fail::usage(format!("`{written}` does not say what answers for the {what}: {wanted}"))
            }
            Some(_) | None => Fail::usage(format!("{whose}: {wrong}")),
        })?;
        // A seat that is called by its alias alone has that name.
        let own = self.0.iter().any(|alias| alias.name == backend.trim()).then(|| backend.trim());
        let name = name.or(own).unwrap_or_default().trim().to_string();
        Ok(Wish { name, spec, persona: None, profile: None, typed })
    }
}

/// Splits `NAME=BACKEND`. A backend without a name may hold `=` itself, but never before its `:`.
fn parts(written: &str) -> (Option<&str>, &str) {
    match written.split_once('=') {
        Some((name, backend)) if !name.contains(':') => (Some(name), backend),
        Some(_) | None => (None, written),
    }
}

/// Gives a name to each seat that has none, so that no two of them have the same one.
pub(crate) fn name_all(wishes: &mut SeatWishes) {
    let SeatWishes { seats, judges, scribe } = wishes;
    let mut taken: Vec<Who> =
        seats.iter().chain(&*judges).chain(&*scribe).filter_map(|wish| Who::parse(&wish.name).ok()).collect();
    for wish in seats.iter_mut().chain(judges).chain(scribe).filter(|wish| wish.name.is_empty()) {
        let base = name_of(&wish.spec);
        let is_free = |name: &String| Who::parse(name).is_ok_and(|who| !taken.contains(&who));
        let numbered = (2..).map(|nth| format!("{base}-{nth}"));
        if let Some(name) = std::iter::once(base.clone()).chain(numbered).take(1000).find(is_free) {
            taken.extend(Who::parse(&name).ok());
            wish.name = name;
        }
    }
}

/// A readable name for whatever answers: the model, the program, the file.
pub(crate) fn name_of(spec: &Spec) -> String {
    let (written, else_named) = match spec {
        Spec::Rehearsal => ("placeholder", "seat"),
        Spec::Person => ("person", "seat"),
        // The path of a model on a gateway names its maker first: `openai/gpt-4.1-mini`.
        Spec::Named { model, .. } | Spec::Endpoint { model, .. } => {
            (model.rsplit('/').next().unwrap_or(model), "model")
        }
        Spec::Exec(program) => {
            let is_setting = |word: &&str| word.contains('=');
            let word = program.command.split_whitespace().find(|word| !is_setting(word)).unwrap_or_default();
            (word.rsplit('/').next().unwrap_or(word), "program")
        }
        Spec::Script(file) => (file.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default(), "script"),
    };
    let fits = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' };
    let name: String = written.chars().map(fits).take(Who::LONGEST - 6).collect();
    let name = name.trim_matches(|c: char| !c.is_alphanumeric()).to_string();
    if name.is_empty() { else_named.into() } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(written: &[&str]) -> Vec<String> {
        let aliases = Aliases(vec![Alias {
            name: "fast".into(),
            spec: Spec::parse("openai:gpt-4.1-mini").unwrap(),
            typed: false,
        }]);
        let seats = written.iter().map(|written| aliases.wish("seat", written).unwrap()).collect();
        let mut wishes = SeatWishes { seats, ..SeatWishes::default() };
        name_all(&mut wishes);
        wishes.seats.into_iter().map(|wish| format!("{} = {} {}", wish.name, wish.spec, wish.typed)).collect()
    }

    #[test]
    fn seats_without_a_name_get_one_from_their_model_and_no_two_the_same() {
        let given = ["openai:gpt-4.1-mini", "openai:gpt-4.1-mini", "ann=ollama:qwen3:8b", "ollama:qwen3:8b"];
        assert_eq!(
            named(&given),
            [
                "gpt-4.1-mini = openai:gpt-4.1-mini true",
                "gpt-4.1-mini-2 = openai:gpt-4.1-mini true",
                "ann = ollama:qwen3:8b true",
                "qwen3-8b = ollama:qwen3:8b true",
            ]
        );
        let given = ["exec:MODE=chat /usr/bin/goose run", "exec:claude -p", "script:a/ann.txt", "person"];
        let named = named(&given);
        let names: Vec<&str> = named.iter().filter_map(|it| it.split(" = ").next()).collect();
        assert_eq!(names, ["goose", "claude", "ann", "person"]);
    }

    #[test]
    fn an_alias_is_the_word_of_whoever_wrote_it() {
        assert_eq!(
            named(&["fast", "bob=fast"]),
            ["fast = openai:gpt-4.1-mini false", "bob = openai:gpt-4.1-mini false"]
        );
    }

    #[test]
    fn a_model_without_its_provider_is_told_what_to_write() {
        let wrong =
            |written: &str| Aliases::default().wish("seat", written).unwrap_err().message().to_string();
        assert!(wrong("ann=gpt-4.1").contains("did you mean `openai:gpt-4.1`?"), "{}", wrong("ann=gpt-4.1"));
        assert!(wrong("claude-haiku-4-5").contains("did you mean `anthropic:claude-haiku-4-5`?"));
        assert!(wrong("qwen3:8b").contains("did you mean `ollama:qwen3:8b`?"));
        assert!(wrong("ann=").contains("needs what answers for the seat"));
    }
}
