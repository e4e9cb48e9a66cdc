//! Open questions and numbers: answers that are proposed, compared and ranked, and estimates.

use synod_core::Command;
use synod_core::context::AnswerOption;
use synod_core::kernel::{Actor, Call, Decision, Number, Spread, UndecidedReason};
use synod_core::matter::Question;
use synod_core::track::Verdict;

use super::chapters::WORDS;
use super::fields;
use super::scribe::{Scribe, open};

/// The names of what is in a list of answers.
pub(super) fn listed(answers: &[AnswerOption], left_out: &[AnswerOption], names: &mut Vec<&'static str>) {
    names.extend(answers.iter().flat_map(fields::proposed));
    names.extend(fields::listed(&fields::Listed { left_out }));
}

/// Answers are proposed, compared, ranked.
fn moot_of_answers() -> String {
    let rule =
        "pass = \"> 1/2\"\nbasis = \"cast\"\nquorum = \"1/2\"\ntie = \"undecided\"\nmethod = \"schulze\"";
    let stage = |name: &str, kind: &str| format!("[[stage]]\nname = \"{name}\"\nkind = \"{kind}\"\n");
    let stages = stage("proposals", "propose") + &stage("merging", "merge") + &stage("ranking", "vote");
    format!(
        "name = \"answers\"\ntitle = \"Answers\"\nsummary = \"Answers.\"\n[ballot]\n{rule}\n{stages}{WORDS}"
    )
}

/// Numbers are given twice.
fn moot_of_numbers() -> String {
    let rule = "pass = \"> 1/2\"\nbasis = \"cast\"\nquorum = \"1/2\"\ntie = \"undecided\"";
    let stage = "[[stage]]\nname = \"numbers\"\nkind = \"estimate\"\nrounds = 2\n";
    format!(
        "name = \"numbers\"\ntitle = \"Numbers\"\nsummary = \"Numbers.\"\n[ballot]\n{rule}\n{stage}{WORDS}"
    )
}

/// The chapter.
pub(super) fn answers_and_numbers(it: &mut Scribe) {
    let source = moot_of_answers();
    it.adopt(&source);
    let seats = ["ann", "cy", "dee"];
    it.opens(open(&source, "Which queue should we use?", &[], &seats));
    for (name, answer) in [("ann", "Redis"), ("cy", "Use Redis"), ("dee", "Kafka")] {
        it.says(
            name,
            &format!(r#"{{"answer":"{answer}","reasoning":"r","confidence":0.8}}"#),
            Call::default(),
        );
    }
    let place = |it: &Scribe, text: &str| {
        let at = it.case().answers().iter().position(|answer| answer.text == text).unwrap_or_default();
        char::from(b'A' + at as u8)
    };
    let group = format!("{} = {}", place(it, "Redis"), place(it, "Use Redis"));
    for name in seats {
        it.says(name, &format!(r#"{{"same":["{group}"]}}"#), Call::default());
    }
    let best = place(it, "Redis");
    for name in seats {
        it.says(name, &format!(r#"{{"vote":["{best}"],"reason":"r"}}"#), Call::default());
    }
    it.settled(Decision::Passed { option: Some(best as u8 - b'A') });
    it.opens(open(&source, "What should we call it?", &[], &seats));
    for name in seats {
        it.says(name, r#"{"answer":"none"}"#, Call::default());
    }
    it.settled(Decision::Undecided(UndecidedReason::Unreadable));
    let given = open(&source, "Which one?", &["Redis", "Kafka"], &seats);
    it.refused("charter/other-kind", Actor::Operator, Command::Open(Box::new(given)));
    // More answers than letters.
    let names: Vec<String> = (0..27).map(|nth| format!("seat {nth}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for name in &names {
        let seat = super::scribe::seat(name, synod_core::kernel::SeatKind::Scripted, "script:s");
        it.operator(Command::Enrol { seat });
    }
    it.opens(open(&source, "What is your number?", &[], &names));
    for (nth, name) in names.iter().enumerate() {
        it.says(name, &format!(r#"{{"answer":"number {nth}"}}"#), Call::default());
    }
    let matter = it.matter();
    it.operator(Command::Stop { matter });

    let source = moot_of_numbers();
    it.adopt(&source);
    let question = Question::parse("How long will it take?", &[]).and_then(|asked| asked.in_unit("days"));
    let asked = open(&source, "How long will it take?", &[], &seats);
    it.opens(synod_core::command::Open { question: question.expect("a good unit"), ..asked });
    for _ in 0..2 {
        for (name, best) in [("ann", "9"), ("cy", "12"), ("dee", "15")] {
            let text = format!(r#"{{"low":{best},"best":{best},"high":{best},"confidence":0.7}}"#);
            it.says(name, &text, Call::default());
        }
    }
    let number = |text: &str| text.parse::<Number>().expect("a number");
    let spread = Spread { lower: number("10.5"), median: number("12"), upper: number("13.5") };
    it.settled(Decision::Estimated(spread));
    let matter = it.matter();
    it.operator(Command::RecordOutcome { matter, verdict: Verdict::Number(number("14")) });
}
