//! Warnings before money is spent: what about a question, its options or its seats tends to spoil a result.
//!
//! They are shown with the plan, recorded nowhere, and never stop anything. Each says what to type instead.
//! To add one: a function here, its line in `warnings`.

mod loaded;

use serde::Serialize;
use synod_core::ballot::Method;
use synod_core::charter::Charter;
use synod_core::kernel::text;
use synod_core::matter::Question;

use crate::seats::SeatTable;

/// One warning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Warning {
    /// A stable code, such as `plan/loaded-wording`.
    pub(crate) code: &'static str,
    /// What is wrong, and what to type.
    pub(crate) message: String,
}

/// What there is to know before a debate begins.
pub(crate) fn warnings(charter: &Charter, question: &Question, table: &SeatTable) -> Vec<Warning> {
    let options: Vec<&str> = question.options.iter().map(|option| &**option).collect();
    let models: Vec<Option<&str>> =
        table.seats.iter().map(|seat| table.face(seat).and_then(|face| face.model.as_deref())).collect();
    [
        loaded(&question.topic),
        no_way_out(&options),
        borda(charter.ballot.method, options.len()),
        one_model(&models),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn loaded(topic: &str) -> Option<Warning> {
    let found = loaded::phrase(topic)?;
    let message = format!(
        "the question suggests its answer (\"{found}\"), and models follow such words; ask it openly: synod debate \"Should we …?\""
    );
    Some(Warning { code: "plan/loaded-wording", message })
}

/// Whether a phrase stands in a text as words of its own.
fn stands_in(plain: &str, phrase: &str) -> bool {
    plain.match_indices(phrase).any(|(at, found)| {
        let before = plain[..at].chars().next_back();
        let after = plain[at + found.len()..].chars().next();
        !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
    })
}

/// Words of options that leave things as they are.
const WAYS_OUT: [&str; 37] = [
    "nothing",
    "none",
    "no one",
    "neither",
    "status quo",
    "status-quo",
    "as is",
    "as it is",
    "as they are",
    "as before",
    "as today",
    "as now",
    "no change",
    "no changes",
    "unchanged",
    "the current",
    "not now",
    "don't",
    "do not",
    "make no",
    "hold off",
    "nichts",
    "keines",
    "keiner",
    "weder",
    "behalten",
    "beibehalten",
    "belassen",
    "so lassen",
    "wie bisher",
    "beim alten",
    "abwarten",
    "verzichten",
    "ne rien",
    "rien",
    "ничего не",
    "保持现状",
];

/// How such options begin. A word that also begins other things is given with what follows.
const OUT_FIRST: [&str; 30] = [
    "keep",
    "stay",
    "stick with",
    "stick to",
    "remain",
    "continue",
    "retain",
    "maintain",
    "live with",
    "leave it",
    "leave things",
    "leave everything",
    "leave as",
    "leave the",
    "wait for",
    "wait until",
    "wait and",
    "wait a",
    "defer",
    "postpone",
    "skip it",
    "skip this",
    "skip the",
    "not",
    "nicht",
    "kein",
    "keine",
    "keinen",
    "vorerst",
    "weiter wie",
];

/// Options that are nothing else.
const OUT_WHOLE: [&str; 9] =
    ["no", "nein", "wait", "later", "skip", "bleiben", "später", "warten", "current"];

/// Whether an option leaves things as they are.
fn leaves(option: &str) -> bool {
    let plain = option.trim().to_lowercase().replace('’', "'");
    let first = |start: &&str| {
        plain.strip_prefix(*start).is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '.', ':']))
    };
    // `Keine Cloud, neues Rechenzentrum` changes something.
    let begins = OUT_FIRST.iter().any(first) && !(plain.starts_with("kein") && plain.contains(','));
    let stays = plain.ends_with(" bleiben") && (plain.starts_with("bei") || plain.starts_with("wir"));
    begins
        || stays
        || OUT_WHOLE.contains(&plain.as_str())
        || WAYS_OUT.iter().any(|word| stands_in(&plain, word))
}

fn no_way_out(options: &[&str]) -> Option<Warning> {
    if options.is_empty() || options.iter().any(|option| leaves(option)) {
        return None;
    }
    let message = "no option leaves things as they are, so the seats cannot choose it; add: --option \"Keep things as they are\"";
    Some(Warning { code: "plan/no-way-out", message: message.into() })
}

/// Options beyond which a Borda count is easily swayed.
const BORDA_MOST: usize = 4;

fn borda(method: Method, options: usize) -> Option<Warning> {
    (method == Method::Borda && options > BORDA_MOST).then(|| {
        let message = format!(
            "a Borda count over {options} options: adding an option much like another, or ranking a rival last on purpose, can change the winner; use: --charter ranked-choice (Schulze)"
        );
        Warning { code: "plan/borda", message }
    })
}

fn one_model(models: &[Option<&str>]) -> Option<Warning> {
    let first = models.first().copied().flatten()?;
    if models.len() < 2 || models.iter().any(|model| *model != Some(first)) {
        return None;
    }
    let model = text::excerpt(first, 60);
    let all = if models.len() == 2 { "both".into() } else { format!("all {}", models.len()) };
    let message = format!(
        "{all} seats use {model}: they share its blind spots and count as little more than one voter; add another model: --seat NAME=BACKEND",
    );
    Some(Warning { code: "plan/one-model", message })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_out_is_seen() {
        assert!(no_way_out(&["Redis", "Kafka"]).is_some());
        assert!(no_way_out(&["Buy nothingness", "Kafka"]).is_some(), "only whole words count");
        for out in
            ["Keep PostgreSQL", "do nothing", "Nichts tun", "Alles so lassen", "Don't move", "Status quo"]
        {
            assert_eq!(no_way_out(&["Kafka", out]), None, "{out}");
        }
        for out in [
            "Stick with Postgres",
            "Hold off",
            "Nicht umziehen",
            "Kein Wechsel",
            "Beim Alten bleiben",
            "保持现状",
        ] {
            assert_eq!(no_way_out(&["Kafka", out]), None, "{out}");
        }
        for change in
            ["Skip list", "Use no-code tool X", "Deploy later", "Add a wait queue", "Leave AWS for Azure"]
        {
            assert!(no_way_out(&["Kafka", change]).is_some(), "{change}");
        }
        assert_eq!(no_way_out(&[]), None, "yes or no has one");
    }

    #[test]
    fn borda_and_models() {
        assert!(borda(Method::Borda, 5).is_some());
        assert_eq!((borda(Method::Borda, 4), borda(Method::Schulze, 9)), (None, None));
        assert!(one_model(&[Some("m"), Some("m")]).is_some());
        for fine in [&[Some("m"), Some("n")][..], &[Some("m"), None], &[None, None], &[Some("m")], &[]] {
            assert_eq!(one_model(fine), None, "{fine:?}");
        }
    }
}
