//! Parts of a matter at the terminal: one seat's statements, one round, sources, judgements and summaries.

use std::fmt::Write as _;

use synod_core::context::Synthesis;
use synod_core::kernel::text::{counted, one_line};
use synod_core::kernel::{Call, Citation, Contribution, ContributionKind, Nano, ProposalId, Repair, Who};
use synod_core::meter::Total;
use synod_core::view::{
    Cited, Did, JudgeReading, RefusedRow, RepairEffect, RequestRow, RoundReport, RulingRow, SeatTurn,
    Thoughts,
};
use synod_core::watch::{Analysis, Apart, Cluster, ConflictSubject, Indicator, Level};

use super::words;
use crate::out::clean;

/// Everything one seat said and voted.
pub(crate) fn thoughts(told: &Thoughts) -> String {
    let mut out = String::new();
    let (seat, options) = (&told.seat, told.question.options.len());
    let _ = writeln!(out, "\n{} ({}), {}", seat.seat.name, seat.seat.kind, seat.seat.backend);
    let _ = writeln!(out, "matter {} ({}): {}", told.number, told.status, one_line(&told.question.topic));
    if let Some(role) = &seat.role {
        let ordered = seat.ordered.map(|side| format!(", assigned to argue {}", side.word(options)));
        let _ = writeln!(out, "role: {role}{}", ordered.unwrap_or_default());
    }
    if let Some(field) = &seat.perspective {
        let _ = writeln!(out, "speaks for: {field}");
    }
    if let Some(from) = told.replaced_in {
        let name = &seat.seat.name;
        let _ = writeln!(
            out,
            "new on this seat: what {name} said before the branch is by another model or program, see `synod thoughts {from} {name}`"
        );
    }
    for turn in &told.turns {
        self::turn(&mut out, turn, told);
    }
    match &told.pending {
        Some(pending) => {
            let _ = writeln!(out, "\n{}", pending.words());
        }
        None if told.turns.is_empty() => {
            let _ = writeln!(out, "\nit has not spoken yet");
        }
        None => (),
    }
    if let Some(cause) = &seat.absent {
        let _ = writeln!(out, "\nno longer asked: {} ({})", cause.detail, cause.code);
    }
    let _ = writeln!(out, "\ntotal: {}", spent(&told.spent));
    clean(&out)
}

fn turn(out: &mut String, turn: &SeatTurn, told: &Thoughts) {
    let options = told.question.options.len();
    let changed = turn.changed_from.map(|from| format!("  << CHANGED, was {}", from.ballot_word(options)));
    let changed = changed.unwrap_or_default();
    let stage = if turn.stage == turn.what { String::new() } else { format!(" ({})", turn.stage) };
    let _ = write!(out, "\n── {}{stage}: ", turn.what);
    match &turn.did {
        Did::Said(said) if said.kind != ContributionKind::Statement => {
            let _ = writeln!(out, "{}{}", kind(said, &told.proposals), sure(said.response.confidence));
            statement(out, said);
        }
        Did::Said(said) => {
            let stance = said.response.stance.map_or("no position".into(), |stance| stance.word(options));
            let ordered = words::by_order(said.ordered, said.response.stance, options);
            let _ = writeln!(out, "{stance}{}{ordered}{changed}", sure(said.response.confidence));
            statement(out, said);
            let own = |row: &&RequestRow| row.round == said.round;
            told.requests.iter().filter(own).for_each(|row| request(out, row, false));
            let own = |row: &&RefusedRow| row.round == said.round;
            told.refused_requests.iter().filter(own).for_each(|row| refused(out, row, false));
        }
        Did::Voted(vote) => {
            let word = vote.spelled(options);
            let _ = writeln!(out, "votes {word}{}{changed}", sure(vote.confidence));
            named(out, "because", vote.reason.as_deref());
            named(out, "changed by", vote.argument.as_deref());
            named(out, "would change if", vote.change_if.as_deref());
            if vote.conformity {
                let _ = writeln!(out, "   marked: changed without a new argument (ballot/conformity)");
            }
            repairs(out, &vote.repairs);
        }
        Did::Graded(vote) => {
            let was = vote.changed_from.map(|from| format!("  << CHANGED, was {from}")).unwrap_or_default();
            let _ = writeln!(
                out,
                "votes {} on proposal {}{was}",
                vote.grade,
                letter(&told.proposals, vote.proposal)
            );
            named(out, "because", vote.rationale.as_deref());
            points(out, "condition", &vote.conditions);
            points(out, "requested change", &vote.changes);
        }
        Did::Ruled(row) => {
            let _ = writeln!(out, "{}", ruling(row));
            named(out, "because", row.why.as_deref());
        }
        Did::Skipped(why) => {
            let why = why.as_deref().map_or("no reason given".into(), one_line);
            let _ = writeln!(out, "skipped: {why}");
        }
        Did::Passed(delegation) => {
            let _ = writeln!(out, "delegates its vote to {}", delegation.to);
            named(out, "because", delegation.reason.as_deref());
            repairs(out, &delegation.repairs);
        }
        Did::Sealed(seal) => {
            let seal = seal.map(|seal| format!(", sealed as {seal}")).unwrap_or_default();
            let _ = writeln!(out, "has voted; the vote is hidden{seal}");
        }
        Did::Compared(groups) => compared(out, groups),
        Did::Unreadable => drop(writeln!(out, "the vote could not be read")),
        Did::Missing(cause) => drop(writeln!(out, "no answer: {} ({})", cause.detail, cause.code)),
    }
    if let Some(call) = &turn.call {
        took(out, call);
    }
}

/// What a proposer answered to a change, in words.
fn ruling(row: &RulingRow) -> String {
    let did = if row.accepted { "accepts" } else { "declines" };
    format!("{did} {}'s change to proposal {}", row.of, row.letter)
}

/// Which answers a seat says mean the same.
fn compared(out: &mut String, groups: &[Vec<String>]) {
    if groups.is_empty() {
        let _ = writeln!(out, "all answers differ");
        return;
    }
    let _ = writeln!(out, "these answers mean the same");
    for group in groups {
        let texts: Vec<String> = group.iter().map(|text| one_line(text)).collect();
        let _ = writeln!(out, "   - {}", texts.join(" = "));
    }
}

/// What a contribution is meant as, where it is not a statement.
fn kind(said: &Contribution, proposals: &[(ProposalId, char)]) -> String {
    match &said.kind {
        ContributionKind::Proposal { title, .. } => format!("proposal: {}", one_line(title)),
        ContributionKind::Amendment { proposal, .. } => {
            format!("change to proposal {}", letter(proposals, *proposal))
        }
        ContributionKind::Reaction(reaction) => {
            let known = |to| proposals.iter().find(|(id, _)| id.0 == to);
            let to = said.to.map(|to| match known(to) {
                Some((_, letter)) => format!(" to proposal {letter}"),
                None => format!(" to {to}"),
            });
            let to = to.unwrap_or_default();
            format!("reaction{to}: {}", reaction.word())
        }
        ContributionKind::Statement
        | ContributionKind::Opinion
        | ContributionKind::Question
        | ContributionKind::Synthesis => said.kind.word().into(),
        ContributionKind::Answer if said.response.position.is_none() => "no answer that could be read".into(),
        ContributionKind::Estimate if said.response.estimate.is_none() => {
            "no number that could be read".into()
        }
        ContributionKind::Answer | ContributionKind::Estimate | ContributionKind::Comment(_) => {
            said.kind.word().into()
        }
    }
}

/// What was said, with all that belongs to it.
fn statement(out: &mut String, said: &Contribution) {
    let response = &said.response;
    if let Some(position) = &response.position {
        block(out, position);
    }
    named(out, "why", response.reasoning.as_deref());
    for point in &response.key_points {
        let _ = writeln!(out, "   - {}", one_line(point));
    }
    for (key, text) in response.sections.iter().filter(|(_, text)| !text.trim().is_empty()) {
        named(out, &key.replace('_', " "), Some(text));
    }
    for cited in &response.citations {
        let _ = writeln!(out, "   source: {}", source(cited));
    }
    let reaction = matches!(said.kind, ContributionKind::Reaction(_));
    if response.gist().is_none() && !reaction {
        let _ = writeln!(out, "   (nothing readable)");
    }
    for mark in &said.violations {
        let _ = writeln!(out, "   marked: {} ({})", mark.detail, mark.code);
    }
    repairs(out, &said.repairs);
}

/// The letter of a proposal, where it is shown.
fn letter(proposals: &[(ProposalId, char)], id: ProposalId) -> String {
    let found = proposals.iter().find(|(known, _)| *known == id);
    found.map_or_else(|| id.to_string(), |(_, letter)| letter.to_string())
}

fn sure(confidence: Option<synod_core::kernel::Permille>) -> String {
    confidence.map_or(", confidence unknown".into(), |sure| format!(" {sure}"))
}

/// Foreign text with its paragraphs, set off.
fn block(out: &mut String, text: &str) {
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let _ = writeln!(out, "   {}", line.trim_end());
    }
}

fn named(out: &mut String, name: &str, text: Option<&str>) {
    let Some(text) = text.map(str::trim).filter(|text| !text.is_empty()) else { return };
    block(out, &format!("{name}: {text}"));
}

fn points(out: &mut String, name: &str, list: &[String]) {
    for point in list {
        let _ = writeln!(out, "   {name}: {}", one_line(point));
    }
}

fn repairs(out: &mut String, made: &[Repair]) {
    for repair in made {
        let did = match repair.effect() {
            RepairEffect::Format => "odd format",
            RepairEffect::Changed => "repaired",
            RepairEffect::Unread => "not readable",
            RepairEffect::Incomplete => "incomplete",
        };
        let detail = match repair.effect() {
            RepairEffect::Changed | RepairEffect::Unread => format!(": {}", one_line(&repair.detail)),
            // How the JSON was odd says it all.
            RepairEffect::Format | RepairEffect::Incomplete => String::new(),
        };
        let _ = writeln!(out, "   {did}: {}{detail}", one_line(repair.plainly()));
    }
}

fn took(out: &mut String, call: &Call) {
    for attempt in &call.retries {
        let _ = writeln!(out, "   retried after: {} ({})", attempt.cause.detail, attempt.cause.code);
    }
    for row in &call.evidence {
        let lines = row.lines.map(|(from, to)| format!(", lines {from} to {to}")).unwrap_or_default();
        let what = row.wrong.as_ref().map_or(lines, |code| format!(": {code}"));
        let _ = writeln!(out, "   looked up with {}: {}{what}", one_line(&row.tool), one_line(&row.source));
    }
    if call.usage.calls == 0 {
        return;
    }
    let mut parts = vec![format!("{}.{} s", call.took_ms / 1000, call.took_ms % 1000 / 100)];
    match (call.usage.tokens_in, call.usage.tokens_out) {
        (Some(read), Some(written)) => parts.push(format!("{read} tokens read, {written} written")),
        (Some(_), None) | (None, _) => parts.push("tokens not reported".into()),
    }
    parts.push(call.usage.cost.map_or("price unknown".into(), |cost| cost.to_string()));
    parts.extend(call.model.clone());
    let _ = writeln!(out, "   took {}", parts.join(", "));
}

fn spent(spent: &Total) -> String {
    if spent.calls == 0 {
        return "no call left this machine".into();
    }
    let price = match spent.unpriced {
        0 if spent.cost == Nano(0) => "free".to_string(),
        0 => spent.cost.to_string(),
        calls => format!("{} and an unknown price for {}", spent.cost, counted(calls.into(), "call")),
    };
    let calls = counted(spent.calls.into(), "call");
    format!("{calls}, {} tokens read, {} written, {price}", spent.tokens_in, spent.tokens_out)
}

/// One round whole. `again` is the command that asks a judge once more.
pub(crate) fn round(told: &RoundReport, again: &dyn Fn(&Who) -> String) -> String {
    let mut out = String::new();
    let (round, options) = (&told.round, told.question.options.len());
    let state = match (told.over, told.status) {
        (true, _) => String::new(),
        (false, "running") => ", not over".into(),
        (false, status) => format!(", not over, {}", status.replace('_', " ")),
    };
    let _ = writeln!(
        out,
        "\nmatter {}, round {} ({}){state}: {}",
        told.number,
        round.round,
        round.stage,
        one_line(&told.question.topic)
    );
    if let Some(focus) = &round.focus {
        let _ = writeln!(out, "focus: {}", one_line(focus));
    }
    for said in &round.said {
        let meant = match said.kind {
            ContributionKind::Statement => {
                let stance = said.response.stance.map_or("no position".into(), |stance| stance.word(options));
                let ordered = words::by_order(said.ordered, said.response.stance, options);
                format!("{stance}{}{ordered}", sure(said.response.confidence))
            }
            ContributionKind::Answer | ContributionKind::Estimate => {
                format!("{}{}", kind(said, &told.proposals), sure(said.response.confidence))
            }
            ContributionKind::Opinion | ContributionKind::Question | ContributionKind::Synthesis => {
                kind(said, &told.proposals)
            }
            ContributionKind::Proposal { .. }
            | ContributionKind::Amendment { .. }
            | ContributionKind::Reaction(_)
            | ContributionKind::Comment(_) => kind(said, &told.proposals),
        };
        let _ = writeln!(out, "\n── {}: {meant}", said.who);
        statement(&mut out, said);
    }
    for row in &told.rulings {
        let _ = writeln!(out, "\n── {}: {}", row.who, ruling(row));
        named(&mut out, "because", row.why.as_deref());
    }
    for row in &told.missing {
        let _ = writeln!(out, "\n── {}: no answer: {} ({})", row.who, row.cause.detail, row.cause.code);
    }
    for row in &told.skips {
        let why = row.why.as_deref().map_or("no reason given".into(), one_line);
        let _ = writeln!(out, "\n── {}: skipped: {why}", row.who);
    }
    if let Some(pending) = told.pending.as_ref().filter(|_| !told.over) {
        let _ = writeln!(out, "\n{}", pending.words());
    }
    if round.said.is_empty() && told.skips.is_empty() && told.over {
        let _ = writeln!(out, "\nnobody answered: the round failed");
    }
    if !told.requests.is_empty() || !told.refused_requests.is_empty() {
        out.push_str("\n── asked of the operator\n");
        told.requests.iter().for_each(|row| request(&mut out, row, true));
        told.refused_requests.iter().for_each(|row| refused(&mut out, row, true));
    }
    if let Some(found) = &round.analysis {
        analysis(&mut out, found, options);
    }
    round.judged.iter().for_each(|judged| opinion(&mut out, judged));
    for row in &round.pending {
        let _ =
            writeln!(out, "\n── {} has not assessed it: {} ({})", row.who, row.cause.detail, row.cause.code);
        let _ = writeln!(out, "   try again with: {}", again(&row.who));
    }
    // Rings are not analysed: their votes say how far they agree.
    if round.analysis.is_some() || !round.judged.is_empty() {
        spread(&mut out, round.spread);
    }
    clean(&out)
}

fn analysis(out: &mut String, found: &Analysis, options: usize) {
    out.push_str("\n── analysis (a signal; the ballot decides)\n");
    let share = found.agreement.map(|share| format!(" ({} of {})", share.part, share.whole));
    let level = Level::of(found.agreement).word();
    let _ = writeln!(out, "   agreement: {level}{}", share.unwrap_or_default());
    if let Some(mean) = found.confidence {
        let least = found.least_confidence.map(|least| format!(", lowest {least}")).unwrap_or_default();
        let _ = writeln!(out, "   confidence: {mean} on average{least}");
    }
    match found.converged {
        Some(true) => out.push_str("   positions: stable\n"),
        Some(false) => out.push_str("   positions: still changing\n"),
        None => out.push_str("   positions: too early to tell whether they are stable\n"),
    }
    for cluster in &found.clusters {
        let _ = writeln!(out, "   group: {}", gathered(cluster, options));
    }
    for point in &found.common_ground {
        let sides = if point.sides > 1 { format!(", on {} sides", point.sides) } else { String::new() };
        let _ = writeln!(out, "   common ground: {} ({}{sides})", one_line(&point.text), names(&point.who));
        for one in &point.similar {
            let _ = writeln!(out, "      similar: {} ({})", one_line(&one.text), names(&one.who));
        }
    }
    for conflict in &found.conflicts {
        let over = match conflict.about {
            ConflictSubject::Side => "the question",
            ConflictSubject::Point => "a point",
        };
        let (one, other) = (gathered(&conflict.one, options), gathered(&conflict.other, options));
        let _ = writeln!(out, "   conflict over {over}: {one}  AGAINST  {other}");
    }
    for nuance in &found.nuances {
        let apart = match nuance.apart {
            Apart::Reasons => "same side, different words",
            Apart::Confidence => "same side, very different confidence",
        };
        let _ = writeln!(out, "   nuance: {}: {apart}", names(&nuance.who));
    }
    for sign in &found.groupthink {
        let _ = writeln!(out, "   possible groupthink: {}", indicator(sign));
    }
    if !found.ordered.is_empty() {
        let _ = writeln!(out, "   assigned a side, not counted: {}", names(&found.ordered));
    }
    if !found.unknown.is_empty() {
        let _ = writeln!(out, "   position unknown: {}", names(&found.unknown));
    }
}

fn gathered(cluster: &Cluster, options: usize) -> String {
    let who = names(&cluster.who);
    let camp = cluster.stance.map_or(who.clone(), |stance| format!("{} ({who})", stance.word(options)));
    let by =
        cluster.by.as_ref().filter(|_| cluster.who.len() > 1).map(|by| format!("; {by}")).unwrap_or_default();
    let gist = cluster.gist.as_deref().map(|gist| format!("{by}: {}", one_line(gist))).unwrap_or_default();
    format!("{camp}{gist}")
}

fn indicator(sign: &Indicator) -> String {
    match sign {
        Indicator::ConfidentAndAlike => "everyone is confident and says the same".into(),
        Indicator::NoAlternative => "everyone agrees and nobody considered an alternative".into(),
        Indicator::DissentDropped { who } => format!("{who} left the minority without a new argument"),
        Indicator::ByReference { who } => format!("{who} only repeats what others said"),
    }
}

fn names(who: &[Who]) -> String {
    who.iter().map(Who::as_str).collect::<Vec<_>>().join(", ")
}

/// One judge's assessment, and how far the measures of agreement differ.
pub(crate) fn judgement(judged: &JudgeReading, round: &RoundReport) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "\nmatter {}, round {}", round.number, round.round.round);
    opinion(&mut out, judged);
    spread(&mut out, round.round.spread);
    clean(&out)
}

fn opinion(out: &mut String, judged: &JudgeReading) {
    let opinion = &judged.opinion;
    let agreement = opinion.agreement.map_or("unknown".into(), |share| share.to_string());
    let _ = writeln!(out, "\n── assessed by {}: agreement {agreement}", judged.who);
    named(out, "summary", opinion.summary.as_deref());
    let lists = [
        ("group", &opinion.clusters),
        ("common ground", &opinion.common_ground),
        ("disagreement", &opinion.disagreements),
        ("nuance", &opinion.nuances),
        ("possible groupthink", &opinion.groupthink),
    ];
    lists.into_iter().for_each(|(name, list)| points(out, name, list));
}

fn spread(out: &mut String, spread: Option<(synod_core::kernel::Permille, synod_core::kernel::Permille)>) {
    let _ = match spread {
        Some((least, most)) if least == most => writeln!(out, "\nagreement by every measure: {least}"),
        Some((least, most)) => {
            writeln!(out, "\nagreement: {least} to {most}, depending on the measure")
        }
        None => writeln!(out, "\nagreement unknown"),
    };
}

/// A request as one line, and what became of it.
pub(crate) fn request(out: &mut String, row: &RequestRow, by_name: bool) {
    let kind = if row.required { "required" } else { "optional" };
    let who = if by_name { format!("{} ", row.who) } else { String::new() };
    let _ = writeln!(
        out,
        "   {who}asks, {} ({kind}, {}): {}{}; because {}",
        row.id,
        row.became,
        one_line(&row.request.query),
        words::file(row),
        one_line(&row.request.reason)
    );
    match (&row.answer, &row.source) {
        (Some(_), Some(_)) => drop(writeln!(out, "      read: {}", words::answered(row))),
        (Some(answer), None) => drop(writeln!(out, "      answered: {}", one_line(answer))),
        (None, _) => (),
    }
}

fn refused(out: &mut String, row: &RefusedRow, by_name: bool) {
    let who = if by_name { format!("{}: ", row.who) } else { String::new() };
    let _ = writeln!(out, "   {who}request rejected: {} ({})", row.why, row.code);
}

/// The sources of a matter, each once.
pub(crate) fn citations(rows: &[Cited]) -> String {
    let mut out = String::new();
    for row in rows {
        let rounds: Vec<String> = row.rounds.iter().map(ToString::to_string).collect();
        let word = if rounds.len() == 1 { "round" } else { "rounds" };
        let _ = writeln!(out, "{}", source(&row.citation));
        let _ = match (row.found, row.rounds.as_slice()) {
            (Some(found), _) => writeln!(out, "   cited by {}: {found}", names(&row.who)),
            // A thread has no rounds.
            (None, [0]) => writeln!(out, "   cited by {}", names(&row.who)),
            (None, _) => writeln!(out, "   cited by {} in {word} {}", names(&row.who), rounds.join(", ")),
        };
    }
    clean(&out)
}

fn source(cited: &Citation) -> String {
    let mut parts: Vec<String> = Vec::new();
    parts.extend(cited.title.as_deref().map(one_line));
    parts.extend(cited.url.as_deref().map(|url| format!("<{}>", one_line(url))));
    parts.extend(cited.quote.as_deref().map(|quote| format!("\"{}\"", one_line(quote))));
    if parts.is_empty() { "(not named)".into() } else { parts.join(" ") }
}

/// A seat's summary of a matter.
pub(crate) fn synthesis(by: &str, synthesis: &Synthesis) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "\nSUMMARY by {by}. This is not a decision: nobody voted on it.\n");
    for (name, text) in [("summary", &synthesis.summary), ("recommendation", &synthesis.recommendation)] {
        named(&mut out, name, text.as_deref());
    }
    let lists = [
        ("agreed", &synthesis.agreed),
        ("disputed", &synthesis.disputed),
        ("open question", &synthesis.open_questions),
        ("next step", &synthesis.next_steps),
    ];
    lists.into_iter().for_each(|(name, list)| points(&mut out, name, list));
    clean(&out)
}
