//! A matter as a page, apart from how it is written down: one walk over the report in the four layers of the
//! answer, then every round in full. Nothing here is escaped; `markdown` and `html` make every text in a
//! block harmless, whoever wrote it, and quote what participants wrote.
//!
//! To show something new: a line in the layer it belongs to, and both forms have it.

mod ring;

use synod_core::context::Synthesis;
use synod_core::kernel::text::{excerpt, one_line};
use synod_core::kernel::{Choice, Contribution, Who};
use synod_core::view::{BallotReport, Dissent, Judged, Report, RequestRow, Round};
use synod_core::watch::Analysis;

use super::{ballots, gaps, kinds, spent, words};
use crate::outcome;

/// A part of a page.
pub(super) enum Block {
    /// The result in one line.
    Headline(String),
    /// A heading, the page's own being 1.
    Heading(u8, String),
    /// Words of ours.
    Para(String),
    /// The same, less loud.
    Note(String),
    /// What somebody wrote, line by line.
    Quote(String),
    /// Points somebody made.
    Points(Vec<String>),
    /// Lines of ours.
    List(Vec<String>),
    /// A head and rows.
    Table(&'static [&'static str], Vec<Vec<String>>),
}

/// A page under construction. Empty parts leave nothing behind.
#[derive(Default)]
pub(super) struct Page(Vec<Block>);

/// The title of the page.
pub(super) fn title(report: &Report) -> String {
    format!("Matter {}: {}", report.number, excerpt(&one_line(&report.question.topic), TITLE))
}

/// How much of the question stands in the title; all of it follows where that cuts it.
const TITLE: usize = 200;

pub(super) use ring::counted;

/// The whole matter.
pub(super) fn blocks(report: &Report) -> Vec<Block> {
    let mut page = Page::default();
    page.heading(1, title(report));
    if let Some(session) = &report.ring {
        ring::ring(&mut page, report, session);
        page.outcome(report);
        return page.0;
    }
    page.decision(report);
    page.outcome(report);
    page.seats(report);
    page.evidence(report);
    page.record(report);
    report.rounds.iter().for_each(|round| page.round(report, round));
    page.0
}

impl Page {
    fn heading(&mut self, level: u8, text: impl Into<String>) {
        self.0.push(Block::Heading(level, text.into()));
    }

    fn para(&mut self, text: impl Into<String>) {
        self.0.push(Block::Para(text.into()));
    }

    fn note(&mut self, text: impl Into<String>) {
        self.0.push(Block::Note(text.into()));
    }

    fn quote(&mut self, text: &str) {
        self.0.push(Block::Quote(text.into()));
    }

    /// Lines under a heading, if there are any.
    fn list(&mut self, level: u8, heading: &str, lines: impl IntoIterator<Item = String>) {
        let lines: Vec<String> = lines.into_iter().collect();
        if !lines.is_empty() {
            self.heading(level, heading);
            self.0.push(Block::List(lines));
        }
    }

    /// What somebody wrote under a label, if it is there.
    fn labelled(&mut self, label: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.note(label);
            self.quote(text);
        }
    }

    /// Points somebody made under a label, if there are any.
    fn points(&mut self, label: &str, points: impl IntoIterator<Item = String>) {
        let points: Vec<String> = points.into_iter().collect();
        if !points.is_empty() {
            self.note(label);
            self.0.push(Block::Points(points));
        }
    }
}

/// Layer one: what was decided, what to do with it, who is against it.
impl Page {
    fn decision(&mut self, report: &Report) {
        self.0.push(Block::Headline(report.headline.clone()));
        let topic = &report.question.topic;
        if *excerpt(&one_line(topic), TITLE) != **topic {
            self.labelled("The question in full", Some(topic));
        }
        let option =
            |(index, option): (usize, &String)| format!("Option {}: {option}", Choice::letter(index as u8));
        let options: Vec<String> = report.question.options.iter().enumerate().map(option).collect();
        // What seats proposed is listed with who proposed it.
        let options = if report.answers.is_empty() { options } else { kinds::answers(report) };
        if !options.is_empty() {
            self.0.push(Block::List(options));
        }
        self.verdict(report);
        for (who, synthesis) in &report.syntheses {
            self.synthesis(report, who, synthesis);
        }
    }

    /// What to do with it, how far seats agree, who is against it and who has reservations.
    fn verdict(&mut self, report: &Report) {
        self.para(format!("Action: {}, {}", report.advice.action.word(), report.advice.why));
        if report.estimate.is_none() {
            self.para(format!("Agreement: {}", words::agreed(report)));
        }
        match (&report.estimate, report.confidence) {
            (Some(_), Some(mean)) => self.para(format!("Mean confidence of the seats: {mean}")),
            (None, Some(mean)) => self.para(format!("Mean confidence of the winning side: {mean}")),
            (_, None) => (),
        }
        self.list(2, "Numbers", kinds::numbers(report));
        for (who, why) in kinds::outside(report) {
            self.labelled(&format!("{who}, outside the middle half"), Some(&why));
        }
        if !report.dissent.is_empty() {
            self.heading(2, "Dissent");
            report.dissent.iter().for_each(|row| self.dissent(report, row));
        }
        if !report.reservations.is_empty() {
            self.heading(2, "Doubts");
            for row in &report.reservations {
                self.heading(3, format!("{} ({})", words::name(report, &row.who), ballots::doubt(row)));
                self.quote(row.reason.as_deref().unwrap_or("(no reason given)"));
                self.points("Conditions", row.conditions.clone());
                self.points("Requested changes", row.changes.clone());
            }
        }
    }

    /// What became known afterwards.
    fn outcome(&mut self, report: &Report) {
        let lines = report.outcome.iter().flat_map(outcome::lines);
        self.list(2, "Outcome", lines);
    }

    fn dissent(&mut self, report: &Report, row: &Dissent) {
        let who = words::name(report, &row.who);
        let choice = ballots::against(report, row);
        let sure = row.confidence.map(|sure| format!(", confidence {sure}")).unwrap_or_default();
        self.heading(3, format!("{who} ({choice}{sure})"));
        self.quote(row.reason.as_deref().unwrap_or("(no reason given)"));
        self.labelled("Would change if", row.change_if.as_deref());
        self.points("Conditions", row.conditions.clone());
        self.points("Requested changes", row.changes.clone());
    }

    fn synthesis(&mut self, report: &Report, who: &Who, synthesis: &Synthesis) {
        self.heading(2, format!("Summary by {} (not a decision)", words::name(report, who)));
        self.labelled("Summary", synthesis.summary.as_deref());
        self.labelled("Recommendation", synthesis.recommendation.as_deref());
        self.points("Agreed", synthesis.agreed.clone());
        self.points("Disputed", synthesis.disputed.clone());
        self.points("Open questions", synthesis.open_questions.clone());
        self.points("Next steps", synthesis.next_steps.clone());
    }
}

/// Layer two: who took part, how they voted, who is missing.
impl Page {
    fn seats(&mut self, report: &Report) {
        self.heading(2, "Seats");
        let row = |row: &synod_core::view::SeatReport| {
            let mut part = words::part(report, row);
            part.extend(row.seat.persona.as_deref().map(|persona| format!("persona: {}", one_line(persona))));
            vec![
                row.seat.name.clone(),
                row.seat.kind.to_string(),
                row.seat.mind.clone(),
                if row.answered_by.is_empty() { "not reported".into() } else { row.answered_by.join(", ") },
                part.join("; "),
                row.statements.to_string(),
                ballots::of_seat(report, row),
            ]
        };
        let head = &["seat", "kind", "backend", "answered by", "role", "statements", "vote"];
        self.0.push(Block::Table(head, report.seats.iter().map(row).collect()));
        if !report.reserve.is_empty() {
            self.para(format!("In reserve, not asked: {}", words::names(report, &report.reserve)));
        }
        let clerk =
            |seat: &synod_core::kernel::Seat| format!("{} = {}", words::name(report, &seat.who), seat.mind);
        if !report.clerks.is_empty() {
            let clerks: Vec<String> = report.clerks.iter().map(clerk).collect();
            self.para(format!("Judges and scribes (no vote): {}", clerks.join(", ")));
        }
        report.ballots.iter().for_each(|ballot| self.ballot(report, ballot));
        self.list(2, "Rule violations", words::marks(report));
        self.list(2, "Problems", gaps(report));
    }

    fn ballot(&mut self, report: &Report, ballot: &BallotReport) {
        self.heading(2, format!("Vote: {}", ballot.stage));
        let rule = &ballot.rule;
        let result = ballot.decision.map_or("open", |decision| decision.word());
        let bound = if ballot.margin_bound { " or fewer" } else { "" };
        let margin = ballot.margin.map_or("none".into(), |margin| margin.to_string()) + bound;
        // What was never counted has no margin.
        let counted = ballot.tally.as_ref().filter(|_| !ballot.hides_margin());
        let margin = counted.map(|_| format!(" Ballots that would have changed it: {margin}."));
        self.para(format!(
            "Rule: {} of {}, quorum {}. Result: {result}.{}",
            rule.pass,
            rule.basis,
            rule.quorum,
            margin.unwrap_or_default()
        ));
        let line = |line: &synod_core::ballot::Line| {
            let passes: Vec<String> = line.passes.iter().map(ToString::to_string).collect();
            let (part, whole) = (ballot.amount(line.part.into()), ballot.amount(line.whole.into()));
            vec![line.basis.to_string(), format!("{part}/{whole}"), passes.join(", ")]
        };
        if !ballot.bases.is_empty() {
            self.0
                .push(Block::Table(&["basis", "support", "passes"], ballot.bases.iter().map(line).collect()));
        }
        if let Some(voters) = ballot.voters {
            self.para(format!("{voters}, because seats share models"));
        }
        let count: Vec<String> =
            ballots::standing(ballot).into_iter().chain(ballots::besides(report, ballot)).collect();
        self.list(3, "How it was counted", count);
        self.list(3, "Seals", ballots::seals(report, ballot));
        for passed in &ballot.delegations {
            let (who, to) = (words::name(report, &passed.who), words::name(report, &passed.to));
            self.heading(3, format!("{who} delegates its vote to {to}"));
            self.quote(passed.reason.as_deref().unwrap_or("(no reason given)"));
        }
        for vote in &ballot.votes {
            let (who, choice) = (words::name(report, &vote.who), ballots::vote(report, vote));
            let changed =
                words::changed(report, vote).map(|changed| format!(" ({changed})")).unwrap_or_default();
            let sure = vote.confidence.map(|sure| format!(", confidence {sure}")).unwrap_or_default();
            self.heading(3, format!("{who} votes {choice}{changed}{sure}"));
            self.quote(vote.reason.as_deref().unwrap_or("(no reason given)"));
            self.labelled("The argument that changed it", vote.argument.as_deref());
            self.labelled("Would change if", vote.change_if.as_deref());
        }
        if !ballot.unparsed.is_empty() {
            self.para(format!("Votes that could not be read: {}", words::names(report, &ballot.unparsed)));
        }
    }
}

/// Layer three: what it rests on and what speaks against it.
impl Page {
    fn evidence(&mut self, report: &Report) {
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
            self.note("As cited. Synod does not check sources.");
            self.0.push(Block::Points(found.citations.iter().map(|row| words::cited(report, row)).collect()));
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

/// Layer four: how it came about.
impl Page {
    fn record(&mut self, report: &Report) {
        self.heading(2, "Record");
        let charter = format!("{} {}", report.charter.name, report.charter.digest);
        let moved: Vec<String> =
            report.moved.iter().map(|(setting, to)| format!("{setting} = {to}")).collect();
        let rows = [
            ("matter", Some(format!("{} ({})", report.number, report.matter))),
            ("status", Some(report.status.to_string())),
            ("charter", Some(charter)),
            ("motion", report.motion.clone()),
            ("changed settings", Some(moved.join(", "))),
            ("forked", words::forked(report)),
            ("discussion ended", Some(words::exits(report).join("; "))),
            ("opened", Some(report.opened.to_string())),
            ("last act", Some(report.last.to_string())),
            ("cost", Some(spent(report))),
        ];
        let known = rows.into_iter().filter_map(|(what, is)| Some(vec![what.to_string(), is?]));
        self.0.push(Block::Table(&["item", "value"], known.filter(|row| !row[1].is_empty()).collect()));
    }
}

/// Every round in full.
impl Page {
    fn round(&mut self, report: &Report, round: &Round) {
        self.heading(2, format!("Round {} ({})", round.round, round.stage));
        self.labelled("Focus question of the operator", round.focus.as_deref());
        round.said.iter().for_each(|said| self.statement(report, said));
        if let Some(analysis) = &round.analysis {
            self.analysis(report, round, analysis);
        }
        round.judged.iter().for_each(|judged| self.judged(report, round, judged));
    }

    fn statement(&mut self, report: &Report, said: &Contribution) {
        let response = &said.response;
        let stance = response.stance.map_or("no position".into(), |stance| words::side(report, stance));
        let sure = response.confidence.map_or("unknown".into(), |sure| sure.to_string());
        self.heading(3, format!("{} ({stance}, confidence {sure})", words::name(report, &said.who)));
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

    fn judged(&mut self, report: &Report, round: &Round, judged: &Judged) {
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
