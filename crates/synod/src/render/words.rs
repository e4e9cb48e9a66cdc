//! Sentences about a report, one line each, shared by the terminal and the pages. Text from outside is put on one line;
//! each format escapes it itself.

use synod_core::ballot::{Grade, Vote};
use synod_core::kernel::text::{excerpt, one_line};
use synod_core::kernel::{
    Choice, Citation, Comment, CommentDeed, Contribution, ContributionKind, Reference, SeatKind, Who,
};
use synod_core::procedure::workshop::stance_word;
use synod_core::view::{
    AgreementBasis, Check, Cited, Missing, RepairEffect, Report, RequestRow, Round, SeatPosition, SeatReport,
    SeatStand, SkipRow, SourceRow,
};
use synod_core::watch::{
    Analysis, Apart, Cluster, Conflict, ConflictSubject, Exit, Indicator, Level, Nuance, Point, Share,
};

/// The name of a participant, labelled where it does not reason.
pub(super) fn name(report: &Report, who: &Who) -> String {
    let seats = report.seats.iter().map(|row| &row.seat);
    match seats.chain(&report.clerks).find(|seat| seat.who == *who) {
        Some(seat) if seat.kind == SeatKind::Rehearsal => format!("{} (rehearsal)", seat.name),
        Some(seat) => seat.name.clone(),
        None => who.to_string(),
    }
}

/// Names in a row.
pub(super) fn names<'a>(report: &Report, who: impl IntoIterator<Item = &'a Who>) -> String {
    who.into_iter().map(|who| name(report, who)).collect::<Vec<_>>().join(", ")
}

/// Answers that a repair with this effect made readable, a line each, in plain words.
pub(super) fn repairs(report: &Report, effect: RepairEffect) -> Vec<String> {
    let line = |row: &synod_core::view::RepairedAnswer| {
        let done: Vec<&str> = row.with(effect).into_iter().map(|repair| repair.plainly()).collect();
        let who = name(report, &row.who);
        (!done.is_empty()).then(|| format!("{who} in {}: {}", row.what, done.join(", ")))
    };
    report.repaired.iter().filter_map(line).collect()
}

/// The word for a choice on a ballot.
pub(super) fn ballot_word(report: &Report, choice: Choice) -> String {
    choice.ballot_word(report.question.options.len())
}

/// `YES`, or `B, PostgreSQL`.
pub(super) fn choice(report: &Report, choice: Choice) -> String {
    match choice {
        Choice::Option(index) => format!("{}, {}", Choice::letter(index), one_line(report.option(index))),
        Choice::Yes | Choice::No | Choice::Neutral => ballot_word(report, choice),
    }
}

/// `2 YES (ann, cy), 1 NO (bob)`: the deciding vote in a line.
pub(super) fn tally(report: &Report) -> Option<String> {
    let ballot = report.deciding().filter(|_| report.ring.is_none())?;
    let tally = ballot.tally.as_ref()?;
    let part = |side: Choice| {
        let votes = tally.votes_for(side);
        let who = names(report, ballot.votes.iter().filter(|vote| vote.choice == side).map(|vote| &vote.who));
        let who = if who.is_empty() { who } else { format!(" ({who})") };
        (votes > 0).then(|| format!("{votes} {}{who}", choice(report, side)))
    };
    let mut parts: Vec<String> = tally.choices().into_iter().filter_map(part).collect();
    if let unread @ 1.. = ballot.unparsed.len() {
        parts.push(format!("{unread} unreadable ({})", names(report, &ballot.unparsed)));
    }
    Some(if parts.is_empty() { "none".into() } else { parts.join(", ") })
}

/// The text that a ring decided on, with the changes it took in. Its title alone may say less.
pub(super) fn decided(report: &Report) -> Option<String> {
    let ring = report.ring.as_ref()?;
    let put = ring.proposals.iter().find(|put| ring.committed == Some(put.id))?;
    Some(short(&put.text))
}

/// How a ring voted on what it decided: `2 APPROVE (ann, bob), 1 REJECT (cy)`.
pub(super) fn grades(report: &Report) -> Option<String> {
    let ring = report.ring.as_ref()?;
    let put = ring.proposals.iter().find(|put| ring.committed == Some(put.id))?;
    let ballot = report.deciding().filter(|ballot| !ballot.hidden)?;
    let graded =
        |row: &SeatReport| row.grades.iter().find(|graded| graded.letter == put.letter).map(|it| it.grade);
    let part = |grade: Grade| {
        let who: Vec<&Who> =
            report.seats.iter().filter(|row| graded(row) == Some(grade)).map(|row| &row.seat.who).collect();
        (!who.is_empty()).then(|| format!("{} {grade} ({})", who.len(), names(report, who)))
    };
    let parts: Vec<String> = Grade::ALL.into_iter().filter_map(part).collect();
    (ballot.tally.is_some() && !parts.is_empty()).then(|| parts.join(", "))
}

/// The word for a side taken in speech.
pub(super) fn side(report: &Report, choice: Choice) -> String {
    choice.word(report.question.options.len())
}

/// `high, 3 of 4`. What is not known is said to be unknown.
pub(super) fn agreement(share: Option<Share>) -> String {
    let level = Level::of(share).word();
    match share {
        Some(share) => format!("{level}, {} of {}", share.part, share.whole),
        None => level.into(),
    }
}

/// `3 of 4 seats voted alike (high)`. One seat alone is alike with nobody.
pub(super) fn agreed(report: &Report) -> String {
    let Some(share) = report.agreement else { return Level::Unknown.word().into() };
    let (part, whole, level) = (share.part, share.whole, report.level.word());
    match report.agreement_by {
        Some(AgreementBasis::Round(round)) if part == 1 && whole > 1 => {
            format!("no two of {whole} seats took the same side in round {round} ({level})")
        }
        Some(AgreementBasis::Round(round)) => {
            format!("{part} of {whole} seats took the same side in round {round} ({level})")
        }
        Some(AgreementBasis::Vote) | None if part == 1 && whole > 1 => {
            format!("no two of {whole} seats voted for the same side ({level})")
        }
        Some(AgreementBasis::Vote) | None => format!("{part} of {whole} seats voted alike ({level})"),
    }
}

/// How sure the winning side is.
pub(super) fn sureness(report: &Report) -> Option<String> {
    let of = if report.estimate.is_some() { "seats" } else { "winning side" };
    report.confidence.map(|mean| format!("{mean} is the mean confidence of the {of}"))
}

/// What the winning side made its votes depend on, with those who did.
pub(super) fn conditions(report: &Report) -> Vec<String> {
    let line =
        |row: synod_core::view::Condition<'_>| format!("{} ({})", one_line(row.text), names(report, row.who));
    report.conditions().into_iter().map(line).collect()
}

/// What the question requires, with who says that it is met, that it is not, or neither.
pub(super) fn requirements(report: &Report) -> Vec<String> {
    let line = |row: &synod_core::view::Requirement| {
        let unmet: Vec<String> = row
            .unmet
            .iter()
            .map(|(who, why)| match why.trim() {
                "" => name(report, who),
                why => format!("{} ({})", name(report, who), one_line(why)),
            })
            .collect();
        let part = |what: &str, names: String| (!names.is_empty()).then(|| format!("{what} {names}"));
        let parts = [
            part("met, say", names(report, &row.met)),
            part("not met, says", unmet.join(", ")),
            part("not answered by", names(report, &row.unclear)),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        let said = if parts.is_empty() { "nobody has answered".into() } else { parts.join("; ") };
        format!("{}: {said}", one_line(&row.text))
    };
    report.requirements.iter().map(line).collect()
}

/// What a statement comes to in a word: its side, its number, or that it proposes an answer.
pub(super) fn stance(report: &Report, said: &Contribution) -> String {
    let unit = report.question.unit.as_deref().unwrap_or_default();
    match (&said.response.estimate, said.response.stance, &said.kind) {
        (Some(number), ..) => number.words(unit),
        (None, Some(stance), _) => side(report, stance),
        (None, None, ContributionKind::Answer) => "an answer of its own".into(),
        (None, None, ContributionKind::Estimate) => "no number that could be read".into(),
        (None, None, _) => "no position".into(),
    }
}

/// The title over a summary: it must not be taken for the decision.
pub(super) fn summary_title(report: &Report, who: &Who) -> String {
    format!("Summary written by {} (wording only; the vote decides)", name(report, who))
}

/// How each seat moved that moved: `bob: YES in round 1, NO in final-vote (the load test)`.
pub(super) fn moves(report: &Report) -> Vec<String> {
    let moved =
        report.stands_for().into_iter().filter(|row| row.path.iter().any(|it| it.changed_from.is_some()));
    moved.map(|row| format!("{}: {}", name(report, row.who), path(report, &row))).collect()
}

/// Where a seat stood, in order, with the argument that moved it.
fn path(report: &Report, row: &SeatStand<'_>) -> String {
    let step = |step: &SeatPosition<'_>| {
        let side = step.side.map_or("no position".into(), |side| match step.vote {
            true => ballot_word(report, side),
            false => self::side(report, side),
        });
        let ordered = assigned(report, step);
        let argument = match (step.changed_from, step.argument) {
            (Some(_), Some(argument)) => format!(" ({})", excerpt(&one_line(argument), ARGUMENT)),
            (Some(_), None) => " (no argument named)".into(),
            (None, _) => String::new(),
        };
        format!("{side} in {}{ordered}{argument}", step.when)
    };
    row.path.iter().map(step).collect::<Vec<_>>().join(", ")
}

/// `, assigned`, or `, although assigned NO` where a seat took another side than it was given.
pub(super) fn assigned(report: &Report, step: &SeatPosition<'_>) -> String {
    by_order(step.assigned, step.side, report.question.options.len())
}

/// The same of a side that was assigned and the side that was taken.
pub(super) fn by_order(assigned: Option<Choice>, took: Option<Choice>, options: usize) -> String {
    match assigned {
        None => String::new(),
        Some(to) if Some(to) == took || to == Choice::Neutral => ", assigned".into(),
        Some(to) => format!(", although assigned {}", to.word(options)),
    }
}

/// How much of an argument is shown beside the step it caused, in characters.
const ARGUMENT: usize = 160;

/// What to check before acting on the result, a line each. Without conditions where these are listed already.
pub(super) fn checks(report: &Report, conditions: bool) -> Vec<String> {
    let checks = report.checks().into_iter();
    let checks = checks.filter(|check| conditions || !matches!(check, Check::Condition { .. }));
    let line = |check: Check<'_>| match check {
        Check::Condition { text, who } => {
            format!("condition of {}: {}", names(report, who), one_line(text))
        }
        Check::WouldChange { text, who } => {
            format!("would change {}'s vote: {}", name(report, who), one_line(text))
        }
        Check::Disputed { one, other } => {
            let (one, other) = (names(report, one), names(report, other));
            format!("opposite sides in the last round: {one} against {other}")
        }
        Check::Unsure { confidence, who } => {
            format!("{} is on the winning side with confidence {confidence}", name(report, who))
        }
        Check::Source { source, who } => {
            format!("source named by {}: {}", names(report, who), citation(source))
        }
        Check::CutFile { file, who } => {
            let SourceRow { path, from, to, of, .. } = file;
            format!("{} saw only lines {from} to {to} of {of} of {path}", name(report, who))
        }
        Check::Unanswered { text, who } => {
            format!("{} asked and got no answer: {}", name(report, who), one_line(text))
        }
    };
    checks.map(line).collect()
}

/// `was YES, no new argument`, where a vote changed.
pub(super) fn changed(report: &Report, vote: &Vote) -> Option<String> {
    let from = ballot_word(report, vote.changed_from?);
    let why = if vote.conformity { ", no new argument" } else { "" };
    Some(format!("was {from}{why}"))
}

/// What a seat was besides a voice: its role, its field, whether it was lost on the way.
pub(super) fn part(report: &Report, row: &SeatReport) -> Vec<String> {
    let role = row.role.as_deref().map(|role| match row.ordered {
        Some(ordered) => {
            format!("{role}, assigned to argue {}; not its own opinion", side(report, ordered))
        }
        None => role.to_string(),
    });
    let field = row.perspective.as_deref().map(|field| format!("speaks for {}", one_line(field)));
    let absent = row
        .absent
        .as_ref()
        .map(|cause| format!("no longer asked: {} ({})", one_line(&cause.detail), cause.code));
    [role, field, absent].into_iter().flatten().collect()
}

/// Rules of the charter that somebody broke.
pub(super) fn marks(report: &Report) -> Vec<String> {
    let line = |row: &synod_core::view::Marked| {
        let violation = &row.violation;
        format!("{} in {}: {} ({})", name(report, &row.who), row.what, violation.detail, violation.code)
    };
    report.marked.iter().map(line).collect()
}

/// An ask without an answer.
pub(super) fn missing(report: &Report, row: &Missing) -> String {
    let cause = &row.cause;
    format!("{} in {}: {} ({})", name(report, &row.who), row.what, one_line(&cause.detail), cause.code)
}

/// A turn of a ring that was skipped.
pub(super) fn skip(report: &Report, row: &SkipRow) -> String {
    let unnumbered = if row.weigh { "the changes to its proposal" } else { "its proposal" };
    let turn = row.round.map_or(unnumbered.into(), |round| format!("round {round}"));
    let why = row.why.as_deref().map_or("no reason given".into(), one_line);
    format!("{} skipped {turn}: {why}", name(report, &row.who))
}

/// Why each stage of speech ended.
pub(super) fn exits(report: &Report) -> Vec<String> {
    report.exits.iter().map(|(stage, why)| exit(stage, *why)).collect()
}

/// `drafts done`, `debate: nobody changed their mind`.
pub(super) fn exit(stage: &str, why: Exit) -> String {
    if why == Exit::Rounds { format!("{stage} done") } else { format!("{stage}: {}", why.words()) }
}

/// Where it branched off.
pub(super) fn forked(report: &Report) -> Option<String> {
    report.forked.map(|forked| format!("from matter {} after round {}", forked.from, forked.round))
}

/// Who stands together, with what the surest of them said: `YES (ann, cid); cid: "It pays off"`.
pub(super) fn cluster(report: &Report, cluster: &Cluster) -> String {
    let camp = camp(report, cluster);
    match (&cluster.gist, &cluster.by) {
        (Some(gist), Some(by)) if cluster.who.len() > 1 => {
            format!("{camp}; {}: {}", name(report, by), one_line(gist))
        }
        (Some(gist), _) => format!("{camp}: {}", one_line(gist)),
        (None, _) => camp,
    }
}

/// `YES (ann, cid)`.
fn camp(report: &Report, cluster: &Cluster) -> String {
    let who = names(report, &cluster.who);
    match cluster.stance {
        Some(stance) => format!("{} ({who})", side(report, stance)),
        None => who,
    }
}

/// What stands against what.
pub(super) fn conflict(report: &Report, conflict: &Conflict) -> String {
    let (one, other) = (&conflict.one, &conflict.other);
    match conflict.about {
        ConflictSubject::Side => format!("{} against {}", camp(report, one), camp(report, other)),
        ConflictSubject::Point => {
            format!("about a point: {} against {}", cluster(report, one), cluster(report, other))
        }
    }
}

/// What more than one wrote, each under their own words: `Latency drops by half (ann); similar: The latency drops by
/// half (bob)`.
pub(super) fn point(report: &Report, point: &Point) -> String {
    let similar = point.similar.iter();
    let similar =
        similar.map(|one| format!("; similar: {} ({})", one_line(&one.text), names(report, &one.who)));
    format!("{} ({}){}", one_line(&point.text), names(report, &point.who), similar.collect::<String>())
}

/// A difference within one side.
pub(super) fn nuance(report: &Report, nuance: &Nuance) -> String {
    let apart = match nuance.apart {
        Apart::Reasons => "agree in different words",
        Apart::Confidence => "agree with different confidence",
    };
    let stance = nuance.stance.map(|stance| format!(" on {}", side(report, stance))).unwrap_or_default();
    format!("{} {apart}{stance}", names(report, &nuance.who))
}

/// Signs that an agreement may be groupthink.
pub(super) fn signs(report: &Report, analysis: &Analysis) -> Vec<String> {
    let words = |sign: &Indicator| match sign {
        Indicator::ConfidentAndAlike => "everyone is confident and says the same".into(),
        Indicator::NoAlternative => "everyone agrees and nobody considered an alternative".into(),
        Indicator::DissentDropped { who } => {
            format!("{} left the minority without a new argument", name(report, who))
        }
        Indicator::ByReference { who } => {
            format!("{} only repeats what others said", name(report, who))
        }
    };
    analysis.groupthink.iter().map(words).collect()
}

/// How judges read a round, with those whose reading is missing and the span of all readings.
pub(super) fn judged(report: &Report, round: &Round) -> Option<String> {
    let readings = round.judged.iter().map(|row| {
        let agreement = row.opinion.agreement.map_or("unknown".into(), |share| share.to_string());
        format!("{} {agreement}", name(report, &row.who))
    });
    let pending = round.pending.iter().map(|row| {
        format!("{} pending, {} ({})", name(report, &row.who), one_line(&row.cause.detail), row.cause.code)
    });
    let all: Vec<String> = readings.chain(pending).collect();
    if all.is_empty() {
        return None;
    }
    let counted = round.analysis.as_ref().and_then(|found| found.agreement);
    let counted = counted.map_or("unknown".into(), |share| share.permille().to_string());
    let spread = match round.spread {
        Some((least, most)) if least != most => format!("; from {least} to {most}"),
        Some(_) | None => String::new(),
    };
    Some(format!("round {}: {}; counted {counted}{spread}", round.round, all.join(", ")))
}

/// A source as somebody named it.
pub(super) fn citation(citation: &Citation) -> String {
    let quote = citation.quote.as_deref().map(|quote| format!("\"{}\"", one_line(quote)));
    let parts = [citation.title.as_deref().map(one_line), citation.url.as_deref().map(one_line), quote];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// A source, and who named it.
pub(super) fn cited(report: &Report, row: &Cited) -> String {
    let (what, who) = (citation(&row.citation), names(report, &row.who));
    if report.is_issue() {
        return format!("{what} ({who}{})", row.found.map(|found| format!(", {found}")).unwrap_or_default());
    }
    let rounds: Vec<String> = row.rounds.iter().map(ToString::to_string).collect();
    format!("{what} ({who} in round {})", rounds.join(", "))
}

/// What a comment on an issue is: its stance, its impact, and that it resolved the issue, also where it was reopened since.
pub(super) fn comment(said: &Contribution, comment: &Comment) -> String {
    let stance = said.response.stance.and_then(stance_word).map(str::to_string);
    let rehearsed = comment.rehearsed.then(|| "rehearsal".to_string());
    let resolves = match (comment.did(CommentDeed::Resolved), said.forces_resolution()) {
        (true, true) => Some("resolved it by force".to_string()),
        (true, false) => Some("resolved it".to_string()),
        (false, _) => None,
    };
    let kind = Some(comment.kind.word().to_string());
    let impact = comment.impact.map(|impact| impact.word().to_string());
    let parts = [kind, stance, impact, rehearsed, resolves];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// What a comment on an issue cites, with what was found of it.
pub(super) fn evidence(report: &Report, said: &Contribution) -> Vec<String> {
    let cited = said.comment().map(|comment| comment.evidence.as_slice()).unwrap_or_default();
    let rows = report.issue.as_ref().map(|issue| issue.evidence.as_slice()).unwrap_or_default();
    let line = |reference: &Reference| {
        let shown = reference.to_string();
        let found = rows.iter().find(|row| row.who == said.who && row.reference == shown);
        let grade = found.and_then(|row| row.grade).map(|grade| format!(" ({grade})")).unwrap_or_default();
        format!("{shown}{grade}")
    };
    cited.iter().map(line).collect()
}

/// What was made of an issue besides how it ended: how much it would change, its mark, where it went.
pub(super) fn issue(report: &Report) -> Vec<String> {
    let Some(issue) = &report.issue else { return Vec::new() };
    let impact = issue.impact.map(|impact| format!("impact {}", impact.word()));
    let mark = issue.mark().map(|mark| format!("marked as {mark}"));
    let into = issue.into.map(|into| format!("went into {into}: `synod issue show {into}`"));
    impact.into_iter().chain(mark).chain(into).collect()
}

/// Where the answer to a request is from: the operator, or which lines of which file.
pub(super) fn answered(row: &RequestRow) -> String {
    match &row.source {
        Some(source) => {
            let cut = if source.cut { ", cut at the limit" } else { "" };
            let SourceRow { path, from, to, of, digest, .. } = source;
            format!("{path}, lines {from} to {to} of {of}{cut} (SHA-256 {digest})")
        }
        None => "Answer".into(),
    }
}

/// What somebody asked for, without the answer.
pub(super) fn request(report: &Report, row: &RequestRow) -> String {
    let kind = if row.required { "required" } else { "optional" };
    let (who, query) = (name(report, &row.who), one_line(&row.request.query));
    format!("{} {who} ({kind}, {}): {query}{}", row.id, row.became, file(row))
}

/// The file a request names, and why it was not read.
pub(super) fn file(row: &RequestRow) -> String {
    let Some(file) = &row.request.file else { return String::new() };
    let why = row.unread.as_ref().map(|unread| format!(": {}", unread.why)).unwrap_or_default();
    format!(" [{}{why}]", one_line(file))
}

/// Requests that do not stand.
pub(super) fn refused(report: &Report) -> Vec<String> {
    let line = |row: &synod_core::view::RefusedRow| {
        let who = name(report, &row.who);
        format!("{who} in round {}, refused: {} ({})", row.round, one_line(&row.why), row.code)
    };
    report.refused_requests.iter().map(line).collect()
}

/// The beginning of a text.
pub(super) fn short(text: &str) -> String {
    excerpt(&one_line(text), 300).into_owned()
}
