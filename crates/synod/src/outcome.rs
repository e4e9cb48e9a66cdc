//! What was true, in the words of people: read where they say it, and told where they ask.

use synod_core::house::Case;
use synod_core::kernel::{Choice, Decision, Number, ProposalId, Who, text};
use synod_core::matter::{QuestionKind, Status};
use synod_core::track::Verdict;
use synod_core::view::OutcomeReport;

/// What somebody says was true of a matter: `right`, `wrong`, `yes`, `no`, `none`, an option by its letter or its text,
/// a proposal by its letter or its id.
pub(crate) fn read(case: &Case, words: &str) -> Option<Verdict> {
    let said = text::fold(&text::one_line(words));
    let options = &case.opening.question.options;
    let lettered = |place: usize| said == Choice::letter(place as u8).to_ascii_lowercase().to_string();
    match said.as_str() {
        // A number is close or far, not right or wrong.
        "right" | "wrong" if case.kind() == QuestionKind::Estimate => return None,
        "right" if !is_ambiguous(case) => return Some(Verdict::Right),
        "wrong" if !is_ambiguous(case) => return Some(Verdict::Wrong),
        "right" | "wrong" => return None,
        _ => (),
    }
    if let Some((_, state)) = case.ring() {
        let mut proposals = state.table.proposals.iter().enumerate();
        let meant = |id: ProposalId, place: usize| lettered(place) || said == id.to_string();
        return proposals
            .find(|(place, put)| meant(put.id, *place))
            .map(|(_, put)| Verdict::Proposal(put.id));
    }
    if case.kind() == QuestionKind::Estimate {
        return Number::read(words, case.unit()).ok().map(Verdict::Number);
    }
    let option = options
        .iter()
        .position(|option| text::fold(option) == said)
        .or_else(|| (0..options.len()).find(|place| lettered(*place)));
    let choice = match (option, said.as_str()) {
        (Some(place), _) => Choice::Option(place as u8),
        (None, "yes") if case.kind() == QuestionKind::YesNo => Choice::Yes,
        (None, "no") if case.kind() == QuestionKind::YesNo => Choice::No,
        (None, "none") if !options.is_empty() => Choice::No,
        (None, _) => return None,
    };
    Some(Verdict::Answer(choice))
}

/// Whether `right` and `wrong` could be meant as options: then only letters are clear.
fn is_ambiguous(case: &Case) -> bool {
    case.opening
        .question
        .options
        .iter()
        .any(|option| ["right", "wrong"].contains(&text::fold(option).as_str()))
}

/// What can be said of a matter, for those who said something else.
pub(crate) fn known(case: &Case) -> String {
    if case.kind() == QuestionKind::Estimate {
        return format!("a number of {}", case.unit());
    }
    let options = case.opening.question.options.len();
    let letters = |count: usize| (0..count).map(|place| Choice::letter(place as u8).to_string());
    let answered = matches!(
        case.status(),
        Status::Settled(Decision::Passed { .. }) | Status::Settled(Decision::Rejected)
    );
    let mut words: Vec<String> = match answered && !is_ambiguous(case) {
        true => vec!["right".into(), "wrong".into()],
        false => Vec::new(),
    };
    match (case.ring(), options) {
        (Some((_, state)), _) => words.extend(letters(state.table.proposals.len())),
        (None, 0) => words.extend(["yes".into(), "no".into()]),
        (None, _) => words.extend(letters(options).chain(["none".into()])),
    }
    words.join(", ")
}

/// The outcome of a matter in lines.
pub(crate) fn lines(outcome: &OutcomeReport) -> Vec<String> {
    let OutcomeReport { was, decision_right, right, right_alone, wrong, secret } = outcome;
    let verdict = match decision_right {
        Some(true) => ": the decision was right",
        Some(false) => ": the decision was wrong",
        None => "",
    };
    let mut lines = vec![format!("{was}{verdict}")];
    if *secret {
        lines.push("votes are not marked: they are secret, and marks would reveal them".into());
        return lines;
    }
    for (what, names) in [("right", right), ("right against the decision", right_alone), ("wrong", wrong)] {
        if !names.is_empty() {
            let names: Vec<&str> = names.iter().map(Who::as_str).collect();
            lines.push(format!("{what}: {}", names.join(", ")));
        }
    }
    if right.is_empty() && wrong.is_empty() && !was.contains("came true") {
        lines.push("no vote is marked: none took a side that is known to be right or wrong (placeholder seats are never marked)".into());
    }
    lines
}
