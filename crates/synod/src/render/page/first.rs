//! The answer itself: what was decided, why, on which conditions, who is against it, who is missing, what it cost and where
//! its record is.

use synod_core::context::Synthesis;
use synod_core::kernel::text::{excerpt, one_line};
use synod_core::kernel::{Choice, Who};
use synod_core::view::{Dissent, Reason, Report};

use super::super::{ballots, kinds, spent, words};
use super::{Page, PageBlock, TITLE};

/// How much of a reason stands in the short form, in characters; the votes further down have all of it.
const REASON: usize = 300;

impl Page {
    pub(super) fn first(&mut self, report: &Report, short: bool) {
        self.0.push(PageBlock::Headline(report.headline.clone()));
        self.question(report);
        let mut facts = vec![("Advice", format!("{}: {}", report.advice.action.word(), report.advice.why))];
        facts.extend(words::issue(report).into_iter().map(|text| ("Issue", text)));
        facts.extend(words::decided(report).map(|text| ("Decided", text)));
        facts.extend(words::grades(report).map(|votes| ("Votes", votes)));
        facts.extend(short.then(|| words::tally(report)).flatten().map(|votes| ("Votes", votes)));
        self.0.push(PageBlock::Facts(facts));
        if !short && let Some(ballot) = report.deciding() {
            self.bars(report, ballot);
        }
        self.numbers(report);
        self.why(report, short);
        let conditions = words::conditions(report);
        if !conditions.is_empty() {
            self.0.push(PageBlock::Label("Conditions"));
            self.0.push(PageBlock::Points(conditions));
        }
        self.points("Requirements", words::requirements(report));
        if !report.dissent.is_empty() {
            self.0.push(PageBlock::Label("Dissent"));
            report.dissent.iter().for_each(|row| self.dissent(report, row));
        }
        if !report.reservations.is_empty() {
            self.0.push(PageBlock::Label("Doubts"));
            for row in &report.reservations {
                let who = format!("{} ({})", words::name(report, &row.who), ballots::doubt(row));
                self.said(who, row.reason.as_deref(), None);
                self.points("Conditions", row.conditions.clone());
                self.points("Requested changes", row.changes.clone());
            }
        }
        // In Markdown what follows is folded, and who pastes it should not have to unfold anything for this.
        if short {
            self.0.push(PageBlock::Facts(closing(report)));
        }
        for (who, synthesis) in &report.syntheses {
            let title = words::summary_title(report, who);
            if short {
                self.fold("summary", &title, |page| page.synthesis(synthesis));
            } else {
                self.heading(2, title);
                self.synthesis(synthesis);
            }
        }
        self.outcome(report);
        if !short {
            self.grid(report);
            self.0.push(PageBlock::Facts(closing(report)));
        }
    }

    /// The numbers of an estimate, and the reasons of those outside the middle half.
    fn numbers(&mut self, report: &Report) {
        let lines = kinds::numbers(report);
        if !lines.is_empty() {
            self.0.push(PageBlock::Label("Numbers"));
            self.0.push(PageBlock::List(lines));
        }
        for (who, why) in kinds::outside(report) {
            self.labelled(&format!("{who}, outside the middle half"), Some(&why));
        }
    }

    /// The question where the title cuts it, and the options.
    fn question(&mut self, report: &Report) {
        let topic = &report.question.topic;
        if *excerpt(&one_line(topic), TITLE) != **topic {
            self.labelled("The question in full", Some(topic));
        }
        if let Some(issue) = report.issue.as_ref().filter(|issue| !issue.body.is_empty()) {
            self.labelled("What the issue says", Some(&issue.body));
        }
        let option =
            |(index, option): (usize, &String)| format!("Option {}: {option}", Choice::letter(index as u8));
        let options: Vec<String> = report.question.options.iter().enumerate().map(option).collect();
        // What seats proposed is listed with who proposed it.
        let options = if report.answers.is_empty() { options } else { kinds::answers(report) };
        if !options.is_empty() {
            self.0.push(PageBlock::List(options));
        }
    }

    fn why(&mut self, report: &Report, short: bool) {
        let reasons = report.why();
        if reasons.is_empty() {
            return;
        }
        self.0.push(PageBlock::Label("Why"));
        for row in &reasons {
            let reason = row.reason.map(|reason| match short {
                true => excerpt(&one_line(reason), REASON).into_owned(),
                false => reason.to_string(),
            });
            self.said(voted(report, row), reason.as_deref(), None);
        }
    }

    /// What somebody wrote, under their name and vote.
    fn said(&mut self, who: String, text: Option<&str>, change_if: Option<&str>) {
        let text = text.unwrap_or("(no reason given)").to_string();
        self.0.push(PageBlock::Said(who, text, change_if.map(String::from)));
    }

    fn dissent(&mut self, report: &Report, row: &Dissent) {
        let who = words::name(report, &row.who);
        let choice = ballots::against(report, row);
        let sure = row.confidence.map(|sure| format!(", confidence {sure}")).unwrap_or_default();
        let who = format!("{who} ({choice}{sure})");
        self.said(who, row.reason.as_deref(), row.change_if.as_deref());
        self.points("Conditions", row.conditions.clone());
        self.points("Requested changes", row.changes.clone());
    }

    fn synthesis(&mut self, synthesis: &Synthesis) {
        self.labelled("Summary", synthesis.summary.as_deref());
        self.labelled("Recommendation", synthesis.recommendation.as_deref());
        self.points("Agreed", synthesis.agreed.clone());
        self.points("Disputed", synthesis.disputed.clone());
        self.points("Open questions", synthesis.open_questions.clone());
        self.points("Next steps", synthesis.next_steps.clone());
    }
}

/// `ann (YES, confidence 0.90)`.
fn voted(report: &Report, row: &Reason<'_>) -> String {
    let vote = match (row.grade, row.marks, row.choice) {
        (Some(grade), ..) => grade.to_string(),
        (None, Some(marks), _) => marks.to_string(),
        (None, None, Some(choice)) => words::ballot_word(report, choice),
        (None, None, None) => String::new(),
    };
    let sure = row.confidence.map(|sure| format!(", confidence {sure}")).unwrap_or_default();
    format!("{} ({vote}{sure})", words::name(report, row.who))
}

/// Who is missing, the cost, the record.
fn closing(report: &Report) -> Vec<(&'static str, String)> {
    let missing: Vec<String> = report.missing.iter().map(|row| words::missing(report, row)).collect();
    let names: Vec<&Who> = report.reserve.iter().collect();
    let missing = if missing.is_empty() { "nobody".into() } else { missing.join("; ") };
    let mut facts = vec![("Missing", missing)];
    if !names.is_empty() {
        facts.push(("In reserve, not asked", words::names(report, names)));
    }
    facts.push(("Cost", spent(report)));
    let record = format!(
        "matter {} ({}), charter {} ({})",
        report.number,
        report.matter,
        report.charter.name,
        report.charter.digest.short()
    );
    facts.push(("Record", record));
    facts
}
