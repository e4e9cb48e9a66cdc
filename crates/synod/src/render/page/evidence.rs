//! What the decision rests on, what speaks against it, and what to check.

use synod_core::view::{Report, RequestRow};

use super::super::words;
use super::{Page, PageBlock};

impl Page {
    /// What to check before acting on the result.
    pub(super) fn checks(&mut self, report: &Report) {
        let checks = words::checks(report, true);
        if !checks.is_empty() {
            self.note("Taken from votes, statements and requests. Nothing here was checked by Synod.");
            self.0.push(PageBlock::Points(checks));
        }
    }

    pub(super) fn evidence(&mut self, report: &Report) {
        let answer = report.answer();
        let found = &answer.evidence;
        self.list(2, "Conflicts", found.conflicts.iter().map(|row| words::conflict(report, row)));
        self.list(2, "Common ground", found.common_ground.iter().map(|row| words::point(report, row)));
        let last = report.rounds.iter().rev().find_map(|round| round.analysis.as_ref());
        self.list(
            2,
            "Possible groupthink",
            last.map(|found| words::signs(report, found)).unwrap_or_default(),
        );
        if !found.citations.is_empty() {
            self.heading(2, "Sources");
            self.note(match report.is_issue() {
                true => "As cited, with what was found when the comment was posted.",
                false => "As cited. Synod does not check sources.",
            });
            self.0.push(PageBlock::Points(
                found.citations.iter().map(|row| words::cited(report, row)).collect(),
            ));
        }
        if !found.requests.is_empty() {
            self.heading(2, "Requests to the operator");
            found.requests.iter().for_each(|row| self.request(report, row));
        }
        self.list(2, "Rejected requests", words::refused(report));
        if !report.material.is_empty() {
            self.heading(2, "Material");
            for piece in &report.material {
                self.labelled(&piece.name, Some(&piece.text));
            }
        }
    }

    fn request(&mut self, report: &Report, row: &RequestRow) {
        let kind = if row.required { "required" } else { "optional" };
        let who = words::name(report, &row.who);
        self.heading(3, format!("{} by {who} in round {} ({kind}, {})", row.id, row.round, row.became));
        self.quote(&row.request.query);
        self.labelled("Because", Some(&row.request.reason));
        self.labelled(&words::answered(row), row.answer.as_deref());
        self.labelled("Not read", row.unread.as_ref().map(|unread| unread.why.as_str()));
    }
}
