//! The kind of a question: what the wording tells, and what to type where it is another than was asked for.

use clap::{Args, ValueEnum};
use synod_core::matter::{Detected, Question, QuestionKind, detect};

use crate::fail::{Fail, Result, code};

/// Options that say what kind of answer is wanted.
#[derive(Debug, Args)]
pub(crate) struct KindArgs {
    /// Ask an open question: the seats propose answers, merge those that mean the same, and rank them.
    #[arg(long, conflicts_with_all = ["options", "estimate", "kind"])]
    open: bool,
    /// Ask for a number in this unit, such as `days`: the result is the median with the middle half.
    #[arg(long, value_name = "UNIT", conflicts_with_all = ["options", "kind"])]
    estimate: Option<String>,
    /// The kind of question, if its wording suggests another.
    #[arg(long, value_name = "KIND")]
    kind: Option<KindWord>,
}

/// The kinds, as they are written.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum KindWord {
    /// It passes or is rejected.
    YesNo,
    /// One of the options given.
    Choice,
    /// The seats propose the answers.
    Open,
    /// A number.
    Estimate,
}

impl KindArgs {
    /// The kind that was asked for; none if nothing was said.
    pub(crate) fn stated(&self) -> Option<QuestionKind> {
        match (self.open, &self.estimate, self.kind) {
            (true, ..) | (_, _, Some(KindWord::Open)) => Some(QuestionKind::Open),
            (_, Some(_), _) | (_, _, Some(KindWord::Estimate)) => Some(QuestionKind::Estimate),
            (_, _, Some(KindWord::YesNo)) => Some(QuestionKind::YesNo),
            (_, _, Some(KindWord::Choice)) => Some(QuestionKind::Choice),
            (false, None, None) => None,
        }
    }

    /// The charter for what was asked, unless one is named.
    pub(crate) fn charter(&self, named: Option<&str>) -> String {
        let usual = match self.stated() {
            Some(QuestionKind::Open) => "open",
            Some(QuestionKind::Estimate) => "estimate",
            Some(QuestionKind::YesNo | QuestionKind::Choice) | None => "blind-vote",
        };
        named.unwrap_or(usual).to_string()
    }

    /// The question in its unit, where it is one for a number. `takes`: the kind its charter is for, if it is for one.
    pub(crate) fn of_kind(&self, question: Question, takes: Option<QuestionKind>) -> Result<Question> {
        let malformed = |wrong: synod_core::matter::MalformedQuestion| {
            Fail::new(code::USAGE, "matter/malformed", wrong.to_string())
        };
        if let Some(unit) = &self.estimate {
            return question.in_unit(unit).map_err(malformed);
        }
        let found = detect(&question.topic);
        if self.stated().or(takes) == Some(QuestionKind::Estimate) {
            let told = found.unit.as_deref().map_or_else(|| "days".to_string(), str::to_string);
            return Err(Fail::usage(format!("say in which unit to count: --estimate {told}")));
        }
        if self.stated() == Some(QuestionKind::Choice) && question.options.is_empty() {
            return Err(Fail::usage("a choice needs options: --option ONE --option OTHER"));
        }
        if self.stated().is_none() && takes.is_none() && question.options.is_empty() {
            check(&question.topic, &found)?;
        }
        Ok(question)
    }
}

/// Refuses a question that is not a yes-or-no question by its wording, with the command to type.
fn check(topic: &str, found: &Detected) -> Result<()> {
    if found.kind == QuestionKind::YesNo {
        return Ok(());
    }
    let message = format!(
        "this reads like {}, and a debate without options is a yes-or-no vote. Type:\n  synod debate {} {}{}\nor add `--kind yes-no` if it can be answered by yes or no",
        found.kind.words(),
        found.arguments(),
        shell(topic),
        others(topic, std::env::args().skip(1))
    );
    Err(Fail::new(code::USAGE, OTHER_KIND, message).about(found.kind))
}

/// The other words of the command line, so that what is pasted keeps its seats and context.
fn others(topic: &str, args: impl Iterator<Item = String>) -> String {
    let rest = args.skip_while(|arg| arg != "debate").skip(1).filter(|arg| arg.trim() != topic.trim());
    rest.map(|arg| format!(" {}", word(&arg))).collect()
}

/// A word of a command line as a shell reads it.
fn word(arg: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./:,@%+#".contains(c);
    match !arg.is_empty() && !arg.starts_with('#') && arg.chars().all(plain) {
        true => arg.into(),
        false => format!("'{}'", arg.replace('\'', "'\\''")),
    }
}

/// The code of a question of another kind than was asked for.
pub(crate) const OTHER_KIND: &str = "matter/other-kind";

/// The question as a word of a command line, shortened where it is long.
fn shell(topic: &str) -> String {
    let line = synod_core::kernel::text::one_line(topic);
    let short = synod_core::kernel::text::excerpt(&line, 120);
    match short.contains(['"', '$', '`', '\\']) {
        true => format!("'{}'", short.replace('\'', "'\\''")),
        false => format!("\"{short}\""),
    }
}

#[cfg(test)]
mod tests {
    use super::others;

    #[test]
    fn a_suggested_command_keeps_what_was_typed() {
        let typed = ["--json", "debate", "Which queue?", "--seat", "ann=exec:claude -p", "--context", "-"];
        let kept = others("Which queue?", typed.into_iter().map(str::to_string));
        assert_eq!(kept, " --seat 'ann=exec:claude -p' --context -");
        assert_eq!(others("Why?", ["debate", "Why?"].into_iter().map(str::to_string)), "");
        assert_eq!(
            others("Q", ["debate", "Q", "--must", "don't"].into_iter().map(str::to_string)),
            r" --must 'don'\''t'"
        );
    }
}
