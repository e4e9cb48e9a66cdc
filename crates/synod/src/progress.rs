//! Live progress: one line on stderr for each event. It shows; it never decides.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use synod_core::dissent::DissentSide;
use synod_core::house::{Case, Item};
use synod_core::kernel::About;
use synod_core::kernel::{
    Actor, AskId, Call, Contribution, ContributionKind, Decision, How, Id, ProposalId, Repair, Seat,
    SeatKind, Who, text,
};
use synod_core::matter::Pause;
use synod_core::view::{RepairEffect, stance_word};
use synod_core::{Act, Event, ask, ballot, context, dissent, floor, gate, matter, table, watch};

use synod_engine::{AskProgress, Signal};

use crate::live;
use crate::onlookers::{Instead, Onlookers};
use crate::out;

/// A line is shown once it has so many characters.
const LINE_LEAST: usize = 24;

/// Shows what happens in one matter. Others may run in the same house.
#[derive(Debug)]
pub(crate) struct Progress {
    quiet: bool,
    /// Asks of this matter: events name their ask, and a closed ask is looked up nowhere.
    asks: BTreeSet<AskId>,
    /// What was not to be seen when it happened.
    held: Vec<HeldEvent>,
    /// Asks of which a line was shown while they were answered.
    lines: BTreeSet<AskId>,
    /// The seats at work, where they can be shown as they go on.
    live: Option<live::LiveBlock>,
    colour: bool,
}

/// Something that is shown as soon as it may be seen.
#[derive(Debug)]
struct HeldEvent {
    by: Actor,
    event: Event,
    call: Option<Call>,
}

impl Progress {
    /// Shows what happens in the matter whose acts it is given, or nothing.
    pub(crate) fn new(quiet: bool) -> Self {
        let live = if quiet { None } else { live::LiveBlock::begin() };
        let colour = out::takes_colour(&std::io::stderr());
        Self { quiet, asks: BTreeSet::new(), held: Vec::new(), lines: BTreeSet::new(), live, colour }
    }

    /// Whether an event is one of this matter.
    fn is_of(&mut self, case: &Case, act: &Act, id: Id, event: &Event) -> bool {
        let own = |about: About, asks: &BTreeSet<AskId>| match about {
            About::Matter(matter) => Some(matter == case.id),
            About::Ask(ask) if asks.contains(&ask) => Some(true),
            About::Ask(_) | About::House => None,
        };
        // What a command about a matter does, it does there.
        let by_command = || own(act.command.about(), &self.asks) == Some(true);
        let is_own = id == case.id.0 || own(event.about(), &self.asks).unwrap_or_else(by_command);
        if is_own {
            self.asks.insert(AskId(id));
        }
        is_own
    }

    /// Shows an act. The case is as it was after the act, or later.
    pub(crate) fn show(&mut self, case: &Case, act: &Act) {
        if self.quiet {
            return;
        }
        self.asks.extend(case.asks().keys());
        let call = act.command.call();
        let look = Onlookers::of(case);
        self.release(&look);
        for (nth, event) in act.events().iter().enumerate() {
            if !self.is_of(case, act, Id { act: act.seq, nth: nth as u16 }, event) {
                continue;
            }
            let instead = look.instead(event);
            if let Some(live) = &mut self.live {
                live.event(case, event, matches!(instead, Instead::Shown));
            }
            match instead {
                Instead::Shown => self.say(line(&look, &act.by, event, call)),
                Instead::Later(notice) => {
                    let (by, event) = (act.by.clone(), event.clone());
                    self.held.push(HeldEvent { by, event, call: call.cloned() });
                    live::notice(notice.clean());
                }
                Instead::Never(notice) => live::notice(notice.clean()),
            }
        }
        self.beat(case);
    }

    /// Writes a line, if there is one.
    fn say(&self, line: Option<String>) {
        let Some(line) = line else { return };
        match self.colour && line.starts_with("── ") {
            true => out::error(&format!("\x1b[1m{}\x1b[0m", out::clean(&line))),
            false => out::error(&out::clean(&line)),
        }
    }

    /// Whether anything is redrawn while it runs.
    pub(crate) fn is_live(&self) -> bool {
        self.live.is_some()
    }

    /// Draws the seats at work anew.
    pub(crate) fn beat(&mut self, case: &Case) {
        if let Some(live) = &mut self.live {
            live.draw(case);
        }
    }

    /// Shows how an ask is getting on, as far as everybody at the terminal may know it.
    pub(crate) fn live(&mut self, case: &Case, signal: &Signal) {
        if self.quiet {
            return;
        }
        if let Some(live) = &mut self.live {
            return live.signal(case, signal);
        }
        let look = Onlookers::of(case);
        let shown = match &signal.live {
            AskProgress::Retrying { cause, wait_ms } => {
                let who = if look.may_see(Item::Names) { look.name(&signal.who) } else { "a seat".into() };
                Some(format!("   {who}: retrying in {} s ({})", wait_ms.div_ceil(1000), cause.code))
            }
            AskProgress::Writing { line: Some(line), .. }
                if out::error_is_seen() && look.sees_writing(signal.ask) =>
            {
                let begun = line.chars().count() >= LINE_LEAST && self.lines.insert(signal.ask);
                begun.then(|| format!("   {} is writing: {} …", look.name(&signal.who), short(line)))
            }
            AskProgress::Writing { .. }
            | AskProgress::Started
            | AskProgress::Tool { .. }
            | AskProgress::Answered
            | AskProgress::Failed { .. } => None,
        };
        self.say(shown);
    }

    /// Shows what was held back and may be seen by now.
    fn release(&mut self, look: &Onlookers<'_>) {
        let (shown, held) = std::mem::take(&mut self.held)
            .into_iter()
            .partition(|held| matches!(look.instead(&held.event), Instead::Shown));
        self.held = held;
        let shown: Vec<HeldEvent> = shown;
        let line = |held: &HeldEvent| line(look, &held.by, &held.event, held.call.as_ref());
        let mut lines: Vec<String> = shown.iter().filter_map(line).collect();
        if !look.may_see(Item::Names) {
            lines.sort(); // the order in which they came would tell who is who
        }
        lines.iter().for_each(|line| out::error(&out::clean(line)));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        live::end();
    }
}

fn line(look: &Onlookers<'_>, by: &Actor, event: &Event, call: Option<&Call>) -> Option<String> {
    match event {
        Event::House(_) | Event::Charter(_) | Event::Roster(_) | Event::Meter(_) => None,
        Event::Monitor(_) | Event::Trigger(_) | Event::Rejections(_) | Event::Track(_) => None,
        // Commands on issues say themselves what came of them.
        Event::Dissent(event) => dissent_line(look, event),
        Event::Issue(_) | Event::Period(_) => None,
        Event::Evidence(_) | Event::Ledger(_) => None,
        Event::Canon(_) | Event::Lease(_) => None,
        Event::Matter(event) => matter_line(look, event),
        Event::Floor(event) => floor_line(look, by, event),
        Event::Gate(event) => gate_line(look, by, event, call),
        Event::Ballot(event) => ballot_line(look, by, event, call),
        Event::Ask(event) => ask_line(look, event),
        Event::Table(event) => Some(table_line(event)),
        Event::Context(event) => context_line(look, event),
        Event::Watch(event) => watch_line(event),
    }
}

/// What the terminal shows of orders to argue a side of a motion.
fn dissent_line(look: &Onlookers<'_>, event: &dissent::Event) -> Option<String> {
    let side = |side: &DissentSide| side.forced().map_or("", stance_word);
    match event {
        dissent::Event::ConsensusFound { count, forced, side: other, .. } => Some(format!(
            "── consensus: {}; the next {} argue {} by order",
            count.words(),
            text::counted((*forced).into(), "speaker"),
            side(other)
        )),
        dissent::Event::TeamCalled { count, forced, side: other, .. } => Some(format!(
            "── red team: {forced} argue {} by order; the debate stood at {}",
            side(other),
            count.words()
        )),
        dissent::Event::Summed { all, free, .. } => {
            Some(format!("   after {} statements: {} (freely {})", all.entries(), all.words(), free.words()))
        }
        dissent::Event::Ordered(order) if order.reason.is_of_one_turn() => {
            Some(format!("   {} has to argue {}", look.name(&order.who), side(&order.side)))
        }
        // Commands on issues say themselves what came of them.
        dissent::Event::Ordered(_) | dissent::Event::Unfilled { .. } | dissent::Event::Ended { .. } => None,
    }
}

/// What the terminal shows of where the matter stands.
fn matter_line(look: &Onlookers<'_>, event: &matter::Event) -> Option<String> {
    let case = look.case;
    match event {
        matter::Event::StageEntered { stage, .. } => {
            Some(format!("── {}", case.stage_name(usize::from(*stage))))
        }
        matter::Event::Paused { why: Pause::NeedsContext, .. } => Some("── waiting for context".into()),
        matter::Event::Paused { why: Pause::BetweenRounds, .. } => {
            Some("── waiting for `synod continue`".into())
        }
        matter::Event::Paused { why: Pause::Operator | Pause::Interrupted | Pause::Unusable, .. } => {
            Some("── paused".into())
        }
        matter::Event::Paused { why: Pause::Listed, .. } => {
            Some("── listed: `synod motion run` calls it up".into())
        }
        matter::Event::Seconded { who, .. } => Some(format!("   {} seconds the motion", look.name(who))),
        matter::Event::Resumed { .. } => Some("── resumed".into()),
        matter::Event::Reopened { .. } => Some("── reopened".into()),
        matter::Event::Redacted { .. } => Some("── deleted".into()),
        matter::Event::Opened(_) | matter::Event::Settled { .. } | matter::Event::Stepped { .. } => None,
    }
}

/// Who is called, joins and leaves.
fn floor_line(look: &Onlookers<'_>, by: &Actor, event: &floor::Event) -> Option<String> {
    let case = look.case;
    match event {
        floor::Event::RoundOpened { round, .. } => Some(format!("   round {round}")),
        floor::Event::Impanelled { seats, .. } => {
            Some(format!("   panel of {seats} of {} seats", case.opening.seats.len()))
        }
        floor::Event::Absent { who, .. } => Some(format!("   {} is no longer asked", look.name(who))),
        floor::Event::PartTaken { who, part, from, .. } => {
            Some(format!("   {} takes over the part \"{part}\" from {}", look.name(who), look.name(from)))
        }
        floor::Event::RoundClosed { answered: 0, round, .. } => {
            Some(format!("   round {round} failed: nobody answered"))
        }
        floor::Event::Joined { who, .. } => Some(format!("   {} joined", look.name(who))),
        floor::Event::Gone { who, cause, .. } => {
            Some(format!("   {} left: {}", look.name(who), cause.detail))
        }
        floor::Event::Skipped { .. } => Some(format!("   {} skips", speaker(look, by))),
        floor::Event::Called { who, .. } if case.ring().is_some() => {
            Some(format!("   {} has the floor", look.name(who)))
        }
        floor::Event::Called { .. } | floor::Event::RoundClosed { .. } | floor::Event::Released { .. } => {
            None
        }
    }
}

/// What was said.
fn gate_line(look: &Onlookers<'_>, by: &Actor, event: &gate::Event, call: Option<&Call>) -> Option<String> {
    let case = look.case;
    let options = case.opening.question.options.len();
    match event {
        gate::Event::Admitted(said) if said.kind != ContributionKind::Statement => {
            Some(contributed(look, said))
        }
        gate::Event::Admitted(said) => {
            let stance = said.response.stance.map_or("?".into(), |stance| stance.word(options));
            let sure = said.response.confidence.map_or("?".into(), |sure| sure.to_string());
            let gist = said.response.gist().unwrap_or("(unreadable)");
            let role = case.role(&said.who).filter(|_| look.may_see(Item::Names));
            let role = role.map(|role| format!(" [{}]", role.name)).unwrap_or_default();
            let mut line =
                format!("   {}{role} {stance} {sure}  {}", look.name(&said.who), short(&look.words(gist)));
            if !said.violations.is_empty() {
                let marks: Vec<&str> = said.violations.iter().map(|mark| &*mark.detail).collect();
                let _ = write!(line, "  (marked: {})", marks.join("; "));
            }
            notes(&mut line, said.how, &said.repairs, look.call(call));
            Some(line)
        }
        gate::Event::Rejected { breaches, .. } => {
            let details = breaches.iter().map(|breach| breach.violation().detail.to_string());
            let why = details.collect::<Vec<_>>().join("; ");
            Some(format!("   {}: answer rejected: {why}", speaker(look, by)))
        }
        gate::Event::Held { said, .. } => {
            Some(format!("   {}: comment waits for its evidence to be read", look.name(&said.who)))
        }
        gate::Event::Posted { said, .. } => Some(contributed(look, said)),
        gate::Event::Refused { breaches, who, .. } => {
            let details = breaches.iter().map(|breach| breach.violation().detail.to_string());
            let why = details.collect::<Vec<_>>().join("; ");
            Some(format!("   {}: comment refused: {why}", look.name(who)))
        }
    }
}

/// How it was voted.
fn ballot_line(
    look: &Onlookers<'_>,
    by: &Actor,
    event: &ballot::Event,
    call: Option<&Call>,
) -> Option<String> {
    let case = look.case;
    let options = case.opening.question.options.len();
    match event {
        ballot::Event::Delegated { delegation, .. } => {
            let (who, to) = (look.name(&delegation.who), look.name(&delegation.to));
            let reason = delegation.reason.as_deref().map(|why| short(&look.words(why))).unwrap_or_default();
            let mut line = format!("   {who} delegates its vote to {to}  {reason}");
            notes(&mut line, delegation.how, &delegation.repairs, look.call(call));
            Some(line)
        }
        ballot::Event::Stated { vote, .. } => {
            let word = vote.spelled(options);
            Some(format!("   {}'s statement counts as its vote: {word}", look.name(&vote.who)))
        }
        ballot::Event::Cast { vote, .. } => {
            let word = vote.spelled(options);
            let how = if vote.conformity { ", no new argument" } else { "" };
            let moved = vote
                .changed_from
                .map(|from| format!(" (was {}{how})", from.ballot_word(options)))
                .unwrap_or_default();
            let reason = vote.reason.as_deref().map(|why| short(&look.words(why))).unwrap_or_default();
            let mut line = format!("   {} votes {word}{moved}  {reason}", look.name(&vote.who));
            notes(&mut line, vote.how, &vote.repairs, look.call(call));
            Some(line)
        }
        ballot::Event::Unparsed { again, .. } => {
            let then = if *again { "asked again" } else { "recorded as unreadable" };
            Some(format!("   {}: vote unreadable, {then}", speaker(look, by)))
        }
        ballot::Event::Closed { decision, settles, .. } => Some(match settles {
            true => format!("   result: {}", decision.word()),
            false => format!("   {}: this vote settles nothing", standing(*decision)),
        }),
        ballot::Event::Graded { vote, .. } => {
            Some(format!("   {} voted on {}", look.name(&vote.who), proposal(case, vote.proposal)))
        }
        ballot::Event::Counted { standings, .. } => {
            let one = |standing: &ballot::GradeCount| {
                let tally = &standing.tally;
                let at = proposal(case, standing.proposal);
                format!("   {at}: {} for, {} against, {} abstained", tally.yes, tally.no, tally.neutral)
            };
            Some(standings.iter().map(one).collect::<Vec<_>>().join("\n"))
        }
        ballot::Event::Opened { .. } | ballot::Event::Asked { .. } => None,
    }
}

/// Who did not answer, and why.
fn ask_line(look: &Onlookers<'_>, event: &ask::Event) -> Option<String> {
    let case = look.case;
    match event {
        ask::Event::Lapsed { ask, cause, .. } => {
            let Some(lapse) = case.lapses.iter().find(|lapse| lapse.ask == *ask) else {
                return Some(format!("   a file was not read: {} ({})", cause.detail, cause.code));
            };
            let who = look.name(&lapse.who);
            // The details of a failure name the provider, and with it the seat.
            Some(match look.may_see(Item::Names) {
                true => format!("   {who} did not answer: {} ({})", cause.detail, cause.code),
                false => format!("   {who} did not answer ({})", cause.code),
            })
        }
        ask::Event::Opened { .. } | ask::Event::Begun { .. } | ask::Event::Renewed { .. } => None,
        ask::Event::Sent { .. } | ask::Event::Met { .. } => None,
    }
}

/// The letter of a proposal.
fn proposal(case: &Case, id: ProposalId) -> String {
    let found = case.ring().and_then(|(_, state)| state.table.proposal(id));
    found.map_or_else(|| id.to_string(), |found| format!("proposal {}", found.letter()))
}

fn table_line(event: &table::Event) -> String {
    match event {
        table::Event::PhaseEntered { phase, .. } => format!("── {}", phase.word().to_lowercase()),
        table::Event::Ruled { accepted, amendment, .. } => {
            let became = if *accepted { "accepted" } else { "declined" };
            format!("   change {amendment} was {became}")
        }
    }
}

/// What a participant of a ring contributed.
fn contributed(look: &Onlookers<'_>, said: &Contribution) -> String {
    let case = look.case;
    let (who, text) = (look.name(&said.who), short(said.text()));
    match &said.kind {
        ContributionKind::Statement | ContributionKind::Answer | ContributionKind::Estimate => {
            format!("   {who}  {text}")
        }
        ContributionKind::Opinion | ContributionKind::Question | ContributionKind::Synthesis => {
            format!("   {who} ({})  {text}", said.kind.word())
        }
        ContributionKind::Proposal { title, .. } => format!("   {who} proposes: {}", short(title)),
        ContributionKind::Amendment { proposal: of, .. } => {
            format!("   {who} suggests a change to {}: {text}", proposal(case, *of))
        }
        ContributionKind::Reaction(reaction) => {
            let to = said.to.map_or_else(String::new, |to| to.to_string());
            format!("   {who} to {to}: {}", reaction.word())
        }
        ContributionKind::Comment(_) => format!("   {who} ({})  {text}", said.kind.word()),
    }
}

fn context_line(look: &Onlookers<'_>, event: &context::Event) -> Option<String> {
    Some(match event {
        context::Event::Given { material, .. } => format!("   material: {}", short(&material.name)),
        context::Event::Focused { focus, .. } => format!("   focus: {}", short(focus)),
        context::Event::Requested { who, required, request, .. } => {
            let kind = if *required { "needs to know" } else { "would like to know" };
            let file = request.file.as_deref().map(|file| format!(" ({})", short(&look.words(file))));
            let file = file.unwrap_or_default();
            format!("   {} {kind}: {}{file}", look.name(who), short(&look.words(&request.query)))
        }
        context::Event::Refused { who, wrong, .. } => {
            format!("   {}: request rejected: {}", look.name(who), wrong.words())
        }
        context::Event::Answered { request, .. } => format!("   request {request} answered"),
        context::Event::Waived { request, .. } => format!("   request {request} waived"),
        context::Event::Read { path, excerpt, .. } => {
            format!("   read {}, {}", short(path), excerpt.lines())
        }
        context::Event::Unread { request, why, .. } => {
            let row = look.case.dossier.requests.get(request);
            let file = row.and_then(|row| row.request.file.as_deref()).unwrap_or_default();
            format!("   {} was not read: {} ({})", short(file), why.words(), why.code())
        }
        context::Event::Perspectives { perspectives, .. } => {
            let names: Vec<&str> = perspectives.iter().map(|field| field.name.as_str()).collect();
            format!("   perspectives: {}", short(&names.join(", ")))
        }
        context::Event::Digested { round, .. } => {
            format!("   the scribe summarized rounds 1 to {round}")
        }
        context::Event::Compared { .. } => return None,
        context::Event::Listed { answers, .. } => {
            let texts: Vec<String> = answers.iter().map(|answer| short(&look.words(&answer.text))).collect();
            format!("   {}: {}", text::counted(answers.len() as u64, "answer"), texts.join(" | "))
        }
        context::Event::Synthesised { synthesis, .. } => {
            format!("   summary: {}", short(&look.words(synthesis.summary.as_deref().unwrap_or_default())))
        }
    })
}

fn watch_line(event: &watch::Event) -> Option<String> {
    match event {
        watch::Event::Analysed { analysis, .. } => {
            let agreement = analysis.agreement;
            let level = watch::Level::of(agreement).word();
            let share = agreement.map(|share| format!(" ({} of {})", share.part, share.whole));
            let mut line = format!("   agreement: {level}{}", share.unwrap_or_default());
            if !analysis.groupthink.is_empty() {
                let signs = text::counted(analysis.groupthink.len() as u64, "sign");
                let _ = write!(line, ", {signs} of possible groupthink");
            }
            Some(line)
        }
        watch::Event::Judged { opinion, .. } => {
            let agreement = opinion.agreement.map_or("unknown".into(), |share| share.to_string());
            Some(format!("   judge: agreement {agreement}"))
        }
        watch::Event::Left { why, .. } => Some(format!("   discussion over: {}", why.words())),
    }
}

fn standing(decision: Decision) -> String {
    match decision {
        Decision::Passed { .. } | Decision::Rejected | Decision::Estimated(_) => "not clear enough".into(),
        Decision::Undecided(why) => format!("undecided, {}", why.words()),
        Decision::Contested => "contested".into(),
        Decision::Resolved | Decision::Closed => decision.word().into(),
    }
}

/// Who gave an answer.
fn speaker(look: &Onlookers<'_>, by: &Actor) -> String {
    match by {
        Actor::Seat(who) => look.name(who),
        Actor::Operator | Actor::Engine => by.to_string(),
    }
}

/// A seat's name, labelled where it does not reason.
pub(crate) fn named(seat: Option<&Seat>, who: &Who) -> String {
    match seat {
        Some(seat) if seat.kind == SeatKind::Rehearsal => format!("{} (rehearsal)", seat.name),
        Some(seat) => seat.name.clone(),
        None => who.to_string(),
    }
}

fn short(words: &str) -> String {
    text::excerpt(&text::one_line(words), 90).into_owned()
}

/// Time, tokens, retries and repairs of an answer, in brackets.
fn notes(line: &mut String, how: How, repairs: &[Repair], call: Option<&Call>) {
    let mut notes: Vec<String> = Vec::new();
    if let Some(call) = call {
        if call.took_ms > 0 {
            notes.push(format!("{}.{} s", call.took_ms / 1000, call.took_ms % 1000 / 100));
        }
        if let (Some(read), Some(written)) = (call.usage.tokens_in, call.usage.tokens_out)
            && read + written > 0
        {
            notes.push(format!("{read}+{written} tokens"));
        }
        match call.retries.len() {
            0 => (),
            1 => notes.push("1 retry".into()),
            more => notes.push(format!("{more} retries")),
        }
    }
    match how {
        How::Direct => (),
        // What was written counts as it was written: an odd format is not a repair, and neither is a value that is unknown.
        How::Json | How::Fenced | How::Repaired => {
            let has = |effect| repairs.iter().any(|repair| repair.effect() == effect);
            notes.extend(has(RepairEffect::Incomplete).then(|| "incomplete".to_string()));
            notes.extend(has(RepairEffect::Changed).then(|| "repaired".to_string()));
            notes.extend(has(RepairEffect::Unread).then(|| "not fully readable".to_string()));
            let is_format_only = repairs.iter().all(|repair| repair.effect() == RepairEffect::Format);
            notes.extend((is_format_only && !repairs.is_empty()).then(|| "odd format".to_string()));
        }
        How::Sections => notes.push("read from sections".into()),
        How::Text => notes.push("plain text".into()),
    }
    if !notes.is_empty() {
        let _ = write!(line, "  [{}]", notes.join(", "));
    }
}
