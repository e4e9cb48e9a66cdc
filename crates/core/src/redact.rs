//! Redaction: an act of a matter without the words of the matter.
//!
//! What people and minds wrote goes: question, options, answers, personas, whatever quotes them, and the
//! details of faults, since a provider may echo what it was sent. Structure, ids, names, choices, counts,
//! codes and digests stay, so that a house folds from redacted acts as it did from whole ones and the decision
//! stands. Participants and charters belong to the house and are never touched.
//!
//! Every field is named here, none is skipped by `..`: a new one does not build until somebody has said
//! whether it holds words.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::command::Part;
use crate::context::{Material, Synthesis, Wrong};
use crate::event::About;
use crate::kernel::{
    AskId, Attempt, Call, Cause, Citation, Contribution, Id, MatterId, Perspective, Repair, Request,
    Response, Seat, Violation,
};
use crate::matter::{Opening, Question};
use crate::table::{Amendment, Proposal, Reacted, Speech, Table};
use crate::track::Learned;
use crate::watch::{Analysis, Cluster, Conflict, Opinion, Point};
use crate::{
    Act, Command, Event, Outcome, ask, ballot, command, context, floor, gate, matter, meter, table, track,
    trigger, watch,
};

/// What stands where words stood.
pub const REDACTED: &str = "[redacted]";

/// Follows a journal and gives the acts of one matter without its words. One act can be about several matters
/// (a tick lapses asks of them all), and an answer names only its ask: so which words are the matter's
/// shows only to one who has seen the acts before.
#[derive(Debug, Clone)]
pub struct Redaction {
    matter: MatterId,
    /// Whatever events of the matter gave birth to. Its asks are among them.
    born: BTreeSet<Id>,
}

impl Redaction {
    /// The redaction of a matter, before the first act of its journal.
    pub fn of(matter: MatterId) -> Self {
        Self { matter, born: BTreeSet::new() }
    }

    /// The next act without the matter's words; `None` if it has no part in the matter. Acts are given in
    /// order, from the one that opened the matter at the latest. An act without words comes back as it is.
    pub fn next(&mut self, act: &Act) -> Option<Act> {
        let mine: Vec<usize> = (0..act.events().len()).filter(|nth| self.takes(act, *nth)).collect();
        let commanded = self.commands(act);
        if mine.is_empty() && !commanded {
            return None;
        }
        let mut act = act.clone();
        if commanded {
            self::command(&mut act.command);
        }
        match &mut act.outcome {
            Outcome::Done(events) => mine.into_iter().for_each(|nth| event(&mut events[nth])),
            // The code says it; a sentence might quote the command.
            Outcome::Refused { code: _, message } => blank(message),
        }
        Some(act)
    }

    /// Whether an event is the matter's. Remembers what it gave birth to.
    fn takes(&mut self, act: &Act, nth: usize) -> bool {
        let id = Id { act: act.seq, nth: nth as u16 };
        let mine = match act.events()[nth].about() {
            About::House => id == self.matter.0,
            About::Matter(matter) => matter == self.matter,
            About::Ask(AskId(ask)) => self.born.contains(&ask),
        };
        if mine {
            self.born.insert(id);
        }
        mine
    }

    /// Whether the command holds words of the matter, also one that was refused, such as a late answer.
    fn commands(&self, act: &Act) -> bool {
        match &act.command {
            Command::Open(_) | Command::Fork(_) | Command::Trigger(_) => act.seq == self.matter.0.act,
            // What was seen belongs to the house, as participants do.
            Command::Regulate(_) | Command::Observe { .. } | Command::TurnAway { .. } => false,
            Command::Continue { matter, .. } | Command::Supply { matter, .. } => *matter == self.matter,
            Command::Answer { ask, .. } | Command::Fail { ask, .. } => self.born.contains(&ask.0),
            Command::Found { .. } | Command::Adopt { .. } | Command::Enrol { .. } => false,
            Command::Begin { .. } | Command::Pause { .. } | Command::Resume { .. } => false,
            Command::Stop { .. } | Command::Tick | Command::Redact { .. } => false,
            Command::Partake { matter, .. } => *matter == self.matter,
            Command::Waive { .. } | Command::Synthesise { .. } | Command::Judge { .. } => false,
            Command::Start { .. } | Command::Remove { .. } | Command::Learn { .. } => false,
        }
    }
}

fn blank(text: &mut String) {
    REDACTED.clone_into(text);
}

fn blank_all<'a>(texts: impl IntoIterator<Item = &'a mut String>) {
    texts.into_iter().for_each(blank);
}

fn command(command: &mut Command) {
    match command {
        Command::Open(open) => {
            let command::Open {
                question: asked,
                charter: _,
                seats: _,
                limits: _,
                motion: _,
                moved: _,
                judges: _,
                scribe: _,
                context,
                focus,
                perspectives,
                stepwise: _,
            } = &mut **open;
            question(asked);
            context.iter_mut().for_each(material);
            blank_all(focus);
            match perspectives {
                command::Perspectives::Given(given) => given.iter_mut().for_each(perspective),
                command::Perspectives::Usual | command::Perspectives::Generated => (),
            }
        }
        Command::Fork(fork) => {
            let command::Fork {
                from: _,
                round: _,
                charter: _,
                seats: _,
                limits: _,
                moved: _,
                focus,
                stepwise: _,
            } = &mut **fork;
            blank_all(focus);
        }
        Command::Continue { context, focus, matter: _, to_end: _ } => {
            context.iter_mut().for_each(material);
            blank_all(focus);
        }
        Command::Supply { matter: _, request: _, text } => blank(text),
        Command::Waive { matter: _, request: _ } => (),
        Command::Synthesise { by: _, matter: _ } | Command::Judge { by: _, matter: _, round: _ } => (),
        Command::Answer { ask: _, call: took, salt: _, text } => {
            call(took);
            blank(text);
        }
        Command::Fail { ask: _, call: took, cause: why } => {
            call(took);
            cause(why);
        }
        Command::Found { key: _ } | Command::Adopt { source: _ } | Command::Enrol { seat: _ } => (),
        Command::Begin { ask: _, worst: _ } | Command::Pause { matter: _, why: _ } => (),
        Command::Resume { matter: _ } | Command::Stop { matter: _ } | Command::Tick => (),
        Command::Redact { matter: _, acts: _ } => (),
        Command::Trigger(asked) => request_of_council(asked),
        Command::Regulate(_) | Command::Observe { observation: _ } | Command::TurnAway { sums: _ } => (),
        Command::Start { matter: _ } | Command::Remove { matter: _, who: _ } => (),
        Command::Learn { matter: _, told: _ } => (),
        Command::Partake { matter: _, part: done } => part(done),
    }
}

fn request_of_council(asked: &mut trigger::Request) {
    let trigger::Request { cause, description, participants: _, topic } = asked;
    match cause {
        trigger::Cause::Agent { agent: _, confidence: _, reason } => blank(reason),
        // Names of checkpoints, phases and measures are names.
        trigger::Cause::User { priority: _ }
        | trigger::Cause::Checkpoint { flagged: _, name: _ }
        | trigger::Cause::Phase { from: _, to: _ }
        | trigger::Cause::Threshold { name: _, value: _ }
        | trigger::Cause::Scheduled => (),
    }
    blank_all(description);
    blank_all(topic);
}

fn part(part: &mut Part) {
    match part {
        Part::Join | Part::Leave | Part::Acknowledge { ask: _ } | Part::Release { ask: _ } => (),
        Part::Say { ask: _, keep: _, kind: _, text, to: _ } => blank(text),
        Part::Propose { ask: _, keep: _, text, title } => {
            blank(text);
            blank(title);
        }
        Part::Amend { ask: _, keep: _, proposal: _, text, why } => {
            blank(text);
            blank_all(why);
        }
        Part::React { ask: _, keep: _, reaction: _, text, to: _ } => blank_all(text),
        Part::Skip { ask: _, why } => blank_all(why),
        Part::Rule { accept: _, amendment: _, why } => blank_all(why),
        // The salt stays: without it a voter could no longer prove a vote.
        Part::Vote { changes, conditions, grade: _, proposal: _, rationale, salt: _ } => {
            blank_all(changes);
            blank_all(conditions);
            blank_all(rationale);
        }
    }
}

fn table_event(event: &mut table::Event) {
    match event {
        table::Event::Said { ask: _, kind: _, matter: _, repeats: _, round: _, text, to: _, who: _ } => {
            blank(text);
        }
        table::Event::Proposed {
            ask: _,
            matter: _,
            number: _,
            repeats: _,
            round: _,
            text,
            title,
            who: _,
        } => {
            blank(text);
            blank(title);
        }
        table::Event::Amended {
            ask: _,
            matter: _,
            proposal: _,
            repeats: _,
            round: _,
            text,
            version: _,
            who: _,
            why,
        } => {
            blank(text);
            blank_all(why);
        }
        table::Event::Ruled { accepted: _, amendment: _, matter: _, why } => blank_all(why),
        table::Event::Reacted { ask: _, matter: _, reaction: _, round: _, text, to: _, who: _ } => {
            blank_all(text);
        }
    }
}

pub(crate) fn table(table: &mut Table) {
    for said in &mut table.said {
        let Speech { id: _, at: _, kind: _, round: _, text, to: _, who: _ } = Arc::make_mut(said);
        blank(text);
    }
    for proposal in &mut table.proposals {
        let Proposal {
            id: _,
            at: _,
            amendments,
            first,
            number: _,
            round: _,
            text,
            title,
            version: _,
            who: _,
        } = Arc::make_mut(proposal);
        [first, text, title].into_iter().for_each(blank);
        for change in amendments {
            let Amendment { id: _, at: _, accepted: _, answer, round: _, text, version: _, who: _, why } =
                change;
            blank(text);
            blank_all(answer);
            blank_all(why);
        }
    }
    for reacted in &mut table.reactions {
        let Reacted { id: _, at: _, reaction: _, round: _, text, to: _, who: _ } = Arc::make_mut(reacted);
        blank_all(text);
    }
}

pub(crate) fn graded(vote: &mut ballot::GradedVote) {
    let ballot::GradedVote {
        changed_from: _,
        changes,
        conditions,
        grade: _,
        proposal: _,
        rationale,
        seal: _,
        who: _,
    } = vote;
    blank_all(changes);
    blank_all(conditions);
    blank_all(rationale);
}

fn event(event: &mut Event) {
    match event {
        Event::House(_) | Event::Charter(_) | Event::Roster(_) => (),
        Event::Monitor(_) | Event::Trigger(_) | Event::Door(_) => (),
        Event::Track(track::Event::Learned(learned)) => {
            let Learned { marks: _, matter: _, root: _, truth: _ } = &**learned;
        }
        Event::Matter(event) => match event {
            matter::Event::Opened(opened) => opening(Arc::make_mut(opened)),
            matter::Event::StageEntered { matter: _, stage: _ }
            | matter::Event::Paused { matter: _, why: _ }
            | matter::Event::Resumed { matter: _ }
            | matter::Event::Stepped { matter: _, stepwise: _ }
            | matter::Event::Settled { decision: _, matter: _ }
            | matter::Event::Redacted { matter: _ } => (),
        },
        Event::Floor(event) => match event {
            floor::Event::Absent { cause: why, matter: _, who: _ }
            | floor::Event::Gone { cause: why, matter: _, who: _ } => cause(why),
            floor::Event::Skipped { ask: _, why } => blank_all(why),
            floor::Event::Joined { from_round: _, matter: _, who: _ } | floor::Event::Released { ask: _ } => {
            }
            floor::Event::RoundOpened { matter: _, round: _ }
            | floor::Event::Impanelled { matter: _, seats: _ }
            | floor::Event::Called { matter: _, round: _, until: _, who: _ }
            | floor::Event::RoundClosed { answered: _, lapsed: _, matter: _, round: _ } => (),
        },
        Event::Gate(event) => match event {
            gate::Event::Admitted(said) => contribution(Arc::make_mut(said)),
            gate::Event::Rejected { ask: _, breaches } => breaches.iter_mut().for_each(breach),
        },
        Event::Ballot(event) => match event {
            ballot::Event::Cast { ask: _, vote: cast } => vote(cast),
            ballot::Event::Graded { ballot: _, matter: _, vote } => graded(vote),
            ballot::Event::Counted { ballot: _, matter: _, standings: _, tied: _ } => (),
            ballot::Event::Delegated { ask: _, delegation: passed } => delegation(passed),
            ballot::Event::Unparsed { again: _, ask: _, said } => blank(said),
            ballot::Event::Opened { matter: _, options: _, rule: _, seats: _, trust: _ }
            | ballot::Event::Asked { attempt: _, ballot: _, matter: _, until: _, who: _ }
            | ballot::Event::Closed { ballot: _, count: _, decision: _, matter: _, settles: _, tally: _ } => {
            }
        },
        Event::Meter(event) => match event {
            meter::Event::Spent { ask: _, call: took } => call(took),
            meter::Event::Limited { limits: _, matter: _ } | meter::Event::Reserved { ask: _, worst: _ } => {}
        },
        Event::Ask(event) => match event {
            ask::Event::Lapsed { ask: _, cause: why } => cause(why),
            ask::Event::Opened { chore: _, matter: _, until: _, who: _ }
            | ask::Event::Wanted { for_what: _, matter: _, until: _, who: _ }
            | ask::Event::Met { ask: _ } => (),
            ask::Event::Begun { ask: _, until: _ } | ask::Event::Renewed { ask: _, until: _ } => (),
        },
        Event::Context(event) => context_event(event),
        Event::Table(event) => table_event(event),
        Event::Watch(event) => match event {
            watch::Event::Analysed { analysis: found, matter: _, round: _ } => analysis(found),
            watch::Event::Judged { ask: _, opinion: said, repairs: mended, round: _ } => {
                opinion(said);
                repairs(mended);
            }
            watch::Event::Left { matter: _, stage: _, why: _ } => (),
        },
    }
}

fn context_event(event: &mut context::Event) {
    match event {
        context::Event::Given { material: piece, matter: _ } => material(piece),
        context::Event::Focused { focus, matter: _, round: _ } => blank(focus),
        context::Event::Requested { matter: _, request: asked, required: _, round: _, who: _ } => {
            request(asked);
        }
        context::Event::Refused { matter: _, round: _, who: _, wrong: why } => wrong(why),
        context::Event::Answered { matter: _, request: _, text } => blank(text),
        context::Event::Waived { matter: _, request: _ } => (),
        context::Event::Perspectives { ask: _, perspectives, repairs: mended } => {
            perspectives.iter_mut().for_each(perspective);
            repairs(mended);
        }
        context::Event::Digested { ask: _, repairs: mended, round: _, sides } => {
            sides.iter_mut().for_each(|(_, points)| blank_all(points));
            repairs(mended);
        }
        context::Event::Synthesised { ask: _, repairs: mended, synthesis: said } => {
            synthesis(said);
            repairs(mended);
        }
    }
}

pub(crate) fn material(material: &mut Material) {
    let Material { name, text } = material;
    blank(name);
    blank(text);
}

pub(crate) fn request(request: &mut Request) {
    let Request { priority, query, reason } = request;
    blank(priority);
    blank(query);
    blank(reason);
}

pub(crate) fn wrong(wrong: &mut Wrong) {
    match wrong {
        Wrong::Priority { said } => blank(said),
        Wrong::Repeated { of: _ } => (),
        Wrong::Query { given: _ } | Wrong::Reason { given: _ } | Wrong::LastRound { last: _, round: _ } => (),
    }
}

pub(crate) fn perspective(perspective: &mut Perspective) {
    let Perspective { name, view } = perspective;
    blank(name);
    blank(view);
}

pub(crate) fn synthesis(synthesis: &mut Synthesis) {
    let Synthesis { agreed, disputed, next_steps, open_questions, recommendation, summary } = synthesis;
    [agreed, disputed, next_steps, open_questions].into_iter().for_each(blank_all);
    blank_all(recommendation);
    blank_all(summary);
}

pub(crate) fn analysis(analysis: &mut Analysis) {
    let Analysis {
        agreement: _,
        clusters,
        common_ground,
        confidence: _,
        conflicts,
        converged: _,
        groupthink: _,
        least_confidence: _,
        nuances: _,
        ordered: _,
        unknown: _,
    } = analysis;
    clusters.iter_mut().for_each(cluster);
    for Point { sides: _, text, who: _ } in common_ground {
        blank(text);
    }
    for Conflict { about: _, one, other } in conflicts {
        cluster(one);
        cluster(other);
    }
}

fn cluster(cluster: &mut Cluster) {
    let Cluster { gist, stance: _, who: _ } = cluster;
    blank_all(gist);
}

pub(crate) fn opinion(opinion: &mut Opinion) {
    let Opinion { agreement: _, clusters, common_ground, disagreements, groupthink, nuances, summary } =
        opinion;
    [clusters, common_ground, disagreements, groupthink, nuances].into_iter().for_each(blank_all);
    blank_all(summary);
}

fn question(question: &mut Question) {
    let Question { topic, options } = question;
    *topic = REDACTED.into();
    blank_all(options);
}

pub(crate) fn opening(opening: &mut Opening) {
    let Opening {
        charter: _,
        forked: _,
        judges,
        motion: _,
        moved: _,
        perspectives,
        question: asked,
        scribe,
        seats,
        stepwise: _,
    } = opening;
    question(asked);
    perspectives.iter_mut().for_each(perspective);
    for seat in seats.iter_mut().chain(judges).chain(scribe) {
        let Seat { kind: _, mind: _, model: _, name: _, persona, who: _ } = seat;
        blank_all(persona);
    }
}

pub(crate) fn contribution(said: &mut Contribution) {
    let Contribution {
        ask: _,
        at: _,
        how: _,
        ordered: _,
        repairs: mended,
        response,
        round: _,
        stage: _,
        violations,
        who: _,
    } = said;
    let Response {
        citations,
        confidence: _,
        context_requests,
        key_points,
        position,
        reasoning,
        sections,
        stance: _,
    } = response;
    for Citation { quote, title, url } in citations {
        [quote, title, url].into_iter().for_each(blank_all);
    }
    context_requests.iter_mut().for_each(request);
    blank_all(key_points);
    blank_all(position);
    blank_all(reasoning);
    // The keys are the charter's.
    blank_all(sections.iter_mut().map(|(_, text)| text));
    repairs(mended);
    for Violation { code: _, detail } in violations {
        blank(detail);
    }
}

pub(crate) fn vote(vote: &mut ballot::Vote) {
    let ballot::Vote {
        argument,
        change_if,
        changed_from: _,
        choice: _,
        confidence: _,
        conformity: _,
        how: _,
        marks: _,
        reason,
        repairs: mended,
        seal: _,
        who: _,
    } = vote;
    blank_all(argument);
    blank_all(change_if);
    blank_all(reason);
    repairs(mended);
}

pub(crate) fn delegation(delegation: &mut ballot::Delegation) {
    let ballot::Delegation { how: _, reason, repairs: mended, seal: _, to: _, who: _ } = delegation;
    blank_all(reason);
    repairs(mended);
}

pub(crate) fn repairs(repairs: &mut [Repair]) {
    for Repair { code: _, detail } in repairs {
        blank(detail);
    }
}

fn breach(breach: &mut gate::Breach) {
    match breach {
        // The field is named by the charter.
        gate::Breach::FieldMissing { field: _ } => (),
        gate::Breach::Empty
        | gate::Breach::TooLong { given: _, most: _ }
        | gate::Breach::StanceMissing
        | gate::Breach::ConfidenceMissing
        | gate::Breach::ConfidenceOutside { given: _, least: _, most: _ }
        | gate::Breach::StanceUnexpected { expected: _, got: _ }
        | gate::Breach::Conformity { from: _, to: _ } => (),
    }
}

pub(crate) fn call(call: &mut Call) {
    let Call { brief: _, model: _, retries, took_ms: _, usage: _ } = call;
    for Attempt { cause: why, waited_ms: _ } in retries {
        cause(why);
    }
}

pub(crate) fn cause(cause: &mut Cause) {
    let Cause { code: _, detail, lasting: _ } = cause;
    blank(detail);
}
