//! Every round in full.

use synod_core::kernel::Contribution;
use synod_core::view::{JudgeReading, Report, Round};
use synod_core::watch::Analysis;

use super::super::words;
use super::Page;

impl Page {
    pub(super) fn round(&mut self, report: &Report, round: &Round) {
        self.labelled("Focus question of the operator", round.focus.as_deref());
        round.said.iter().for_each(|said| self.statement(report, said));
        if let Some(analysis) = &round.analysis {
            self.analysis(report, round, analysis);
        }
        round.judged.iter().for_each(|judged| self.judged(report, round, judged));
    }

    fn statement(&mut self, report: &Report, said: &Contribution) {
        let response = &said.response;
        let stance = words::stance(report, said);
        let sure = response.confidence.map_or("unknown".into(), |sure| sure.to_string());
        let head = match said.comment() {
            Some(comment) => words::comment(said, comment),
            None => format!("{stance}, confidence {sure}"),
        };
        self.heading(3, format!("{} ({head})", words::name(report, &said.who)));
        if !report.is_by_its_seat(said) {
            self.note("Said before the branch, when another model or program had this seat.");
        }
        if let Some(side) = said.ordered {
            let side = words::side(report, side);
            self.note(format!("Assigned to argue {side}: not the speaker's own opinion."));
        }
        for violation in &said.violations {
            self.note(format!("Marked: {} ({})", violation.detail, violation.code));
        }
        for part in [&response.position, &response.reasoning].into_iter().flatten() {
            self.quote(part);
        }
        self.points("Key points", response.key_points.clone());
        for (key, body) in &response.sections {
            self.labelled(&key.replace('_', " "), Some(body));
        }
        self.points("Sources", response.citations.iter().map(words::citation));
        self.points("Evidence", words::evidence(report, said));
        let asked = response.context_requests.iter();
        self.points("Asks for", asked.map(|request| format!("({}) {}", request.priority, request.query)));
    }

    fn analysis(&mut self, report: &Report, round: &Round, found: &Analysis) {
        let mut lines = vec![format!("agreement: {}", words::agreement(found.agreement))];
        lines.extend(found.converged.map(|converged| match converged {
            true => "positions are stable".to_string(),
            false => "positions are still changing".to_string(),
        }));
        lines.extend(found.confidence.map(|mean| format!("mean confidence: {mean}")));
        lines.extend(found.clusters.iter().map(|row| format!("group: {}", words::cluster(report, row))));
        lines.extend(found.conflicts.iter().map(|row| format!("conflict: {}", words::conflict(report, row))));
        lines.extend(found.common_ground.iter().map(|row| format!("common: {}", words::point(report, row))));
        lines.extend(found.nuances.iter().map(|row| format!("nuance: {}", words::nuance(report, row))));
        if !found.unknown.is_empty() {
            lines.push(format!("position unknown: {}", words::names(report, &found.unknown)));
        }
        if !found.ordered.is_empty() {
            let who = words::names(report, &found.ordered);
            lines.push(format!("assigned a side, not counted: {who}"));
        }
        lines.extend(
            words::signs(report, found).into_iter().map(|sign| format!("possible groupthink: {sign}")),
        );
        lines.extend(words::judged(report, round).map(|judged| format!("judges: {judged}")));
        self.list(3, &format!("Analysis of round {}", round.round), lines);
    }

    fn judged(&mut self, report: &Report, round: &Round, judged: &JudgeReading) {
        let opinion = &judged.opinion;
        let agreement = opinion.agreement.map_or("unknown".into(), |share| share.to_string());
        let who = words::name(report, &judged.who);
        self.heading(3, format!("Round {} assessed by {who}: agreement {agreement}", round.round));
        self.labelled("Summary", opinion.summary.as_deref());
        self.points("Common ground", opinion.common_ground.clone());
        self.points("Disagreements", opinion.disagreements.clone());
        self.points("Groups", opinion.clusters.clone());
        self.points("Nuances", opinion.nuances.clone());
        self.points("Possible groupthink", opinion.groupthink.clone());
    }
}
