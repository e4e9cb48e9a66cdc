//! Acts into messages. Pure: acts in, messages out.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use synod_core::ask::WorldTask;
use synod_core::house::{Case, Item, Reader};
use synod_core::kernel::About;
use synod_core::kernel::{
    Actor, AmendmentId, AskId, Contribution, ContributionKind, Decision, Id, MatterId, ProposalId, Seq,
    UndecidedReason, Who,
};
use synod_core::procedure::ring::Remark;
use synod_core::table::Phase;
use synod_core::view::Session;
use synod_core::{
    Act, Event, House, Outcome, ask, ballot, evidence, floor, gate, ledger, matter, monitor, table, trigger,
    watch,
};

use super::author::{MessageId, author};
use super::message::{
    ActNoted, AmendmentMade, Deadlock, MessageAudience, MessageContent, OpinionDivergence, ProposalCount,
    ProposalMade, ProposalText, ReactionMade, SessionEnded, SessionOpened, StatementMade, TriggerFired,
    TurnGranted, TurnLapsed, TurnReleased, TurnSkipped, VERSION, VoteCounted, VoteNoted, VoteOpened,
    WireMessage,
};
use super::{ErrorBody, TaskWord, words};
use crate::tag;

/// The owner of an ask, and whether it is the floor. An ask of the world has no owner.
#[derive(Debug, Clone)]
struct AskOwner {
    matter: MatterId,
    who: Option<Who>,
    floor: bool,
}

/// Turns acts into messages. Remembers which asks are whose, which an answer to one does not say.
#[derive(Debug, Default)]
pub(crate) struct Translator {
    asks: BTreeMap<AskId, AskOwner>,
}

/// More asks than any session has open at once; older ones are looked up again if they are ever named.
const REMEMBERED: usize = 4096;

impl Translator {
    /// Gets what it needs to know to translate an act: `born` gives an act by its number.
    pub(crate) fn prepare(&mut self, act: &Act, born: impl Fn(Seq) -> Option<Act>) {
        while self.asks.len() > REMEMBERED {
            self.asks.pop_first();
        }
        self.note(act);
        let named = act.events().iter().map(Event::about).chain([act.command.about()]);
        for about in named {
            let About::Ask(ask) = about else { continue };
            if !self.asks.contains_key(&ask)
                && let Some(earlier) = born(ask.0.act)
            {
                self.note(&earlier);
            }
        }
    }

    /// Notes the asks an act opened: every ask has the id of the event that opened it.
    fn note(&mut self, act: &Act) {
        for (nth, event) in act.events().iter().enumerate() {
            let (matter, who, floor) = if let Event::Floor(floor::Event::Called { matter, who, .. }) = event {
                (matter, Some(who), true)
            } else if let Event::Ballot(ballot::Event::Asked { matter, who, .. })
            | Event::Ask(ask::Event::Opened { matter, who, .. }) = event
            {
                (matter, Some(who), false)
            } else if let Event::Ask(ask::Event::Sent { matter, .. }) = event {
                (matter, None, false)
            } else {
                continue;
            };
            let asked = AskOwner { matter: *matter, who: who.cloned(), floor };
            self.asks.insert(AskId(Id { act: act.seq, nth: nth as u16 }), asked);
        }
    }

    fn matter(&self, about: About) -> Option<MatterId> {
        match about {
            About::House => None,
            About::Matter(matter) => Some(matter),
            About::Ask(ask) => self.asks.get(&ask).map(|asked| asked.matter),
        }
    }

    /// The matters that are away and have to be here before an act is translated: who may see it hangs on them.
    pub(crate) fn away(&self, house: &House, act: &Act) -> BTreeSet<MatterId> {
        let ids = (0..).map(|nth| MatterId(Id { act: act.seq, nth }));
        let of = |(event, id): (&Event, MatterId)| match event {
            Event::Matter(matter::Event::Opened(_)) => Some(id),
            other => self.matter(other.about()),
        };
        let matters = act.events().iter().zip(ids).filter_map(of).chain(self.matter(act.command.about()));
        matters.filter(|matter| house.is_away(*matter)).collect()
    }

    fn who(&self, ask: AskId) -> Option<&Who> {
        self.asks.get(&ask).and_then(|asked| asked.who.as_ref())
    }

    /// What an act comes to, in order.
    pub(crate) fn translate(&self, house: &House, act: &Act) -> Vec<WireMessage> {
        let message = |nth: usize, matter, audience, content: MessageContent| WireMessage {
            version: VERSION,
            id: MessageId { event: Id { act: act.seq, nth: nth as u16 }, part: 0 },
            seq: Some(act.seq),
            at: Some(act.at),
            matter,
            from: author(act, &content),
            content,
            audience,
        };
        if let Outcome::Refused { code, message: said } = &act.outcome {
            let refused =
                ErrorBody { code: code.clone(), message: said.to_string(), kind: None, refused: None };
            let noted = ActNoted {
                command: tag::command_name(&act.command),
                event: None,
                fields: None,
                phase: None,
                refused: Some(refused),
            };
            let audience = match &act.by {
                Actor::Seat(who) => MessageAudience::Giver(who.clone()),
                Actor::Operator | Actor::Engine => MessageAudience::Operator,
            };
            let matter = self.matter(act.command.about());
            return vec![message(0, matter, audience, MessageContent::Act(noted))];
        }
        let mut told = Vec::new();
        for (nth, event) in act.events().iter().enumerate() {
            let id = Id { act: act.seq, nth: nth as u16 };
            let matter = match event {
                Event::Matter(matter::Event::Opened(_)) => Some(MatterId(id)),
                other => self.matter(other.about()),
            };
            let ring = matter.and_then(|matter| house.case(matter)).filter(|case| case.ring().is_some());
            let said = ring.map(|case| self.of_ring(case, act, id, event)).unwrap_or_default();
            if let Some(content) = of_house(event) {
                told.push(message(nth, matter, MessageAudience::Operator, content));
                continue;
            }
            // A phase is told as such, also where something else is told with it.
            let entered = matches!(event, Event::Table(table::Event::PhaseEntered { .. }));
            if said.is_empty() || entered {
                let case = matter.and_then(|matter| house.case(matter));
                let open = case.is_some_and(|case| case.may_see(Reader::Public, Item::Event(event)));
                let audience = if open { MessageAudience::All } else { MessageAudience::Operator };
                let noted = ActNoted {
                    command: tag::command_name(&act.command),
                    event: Some(tag::kind(event)),
                    fields: Some(fields(case, event)),
                    phase: phase(event).and_then(words::PhaseWord::parse),
                    refused: None,
                };
                told.push(message(nth, matter, audience, MessageContent::Act(noted)));
            }
            told.extend(said.into_iter().map(|content| message(nth, matter, MessageAudience::All, content)));
        }
        number_parts(&mut told);
        told
    }

    /// What an event of a ring is called; nothing if it has no name of its own.
    fn of_ring(&self, case: &Case, act: &Act, id: Id, event: &Event) -> Vec<MessageContent> {
        match event {
            Event::Matter(event) => of_matter(case, event),
            Event::Floor(event) => self.of_floor(id, event),
            Event::Table(event) => of_table(case, event),
            Event::Gate(gate::Event::Admitted(said)) => of_contribution(case, id, said).into_iter().collect(),
            Event::Ballot(event) => of_ballot(case, event),
            Event::Ask(ask::Event::Lapsed { ask, cause, .. }) => {
                let floor = self.asks.get(ask).is_some_and(|asked| asked.floor);
                let lapsed = TurnLapsed {
                    ask: *ask,
                    who: self.who(*ask).cloned(),
                    code: cause.code.to_string(),
                    why: cause.detail.to_string(),
                };
                if floor { vec![MessageContent::TokenTimeout(lapsed)] } else { Vec::new() }
            }
            Event::Watch(watch::Event::Left { why: watch::Exit::Stagnation, .. }) => {
                let round = round_closed(act, id, case.id);
                vec![MessageContent::DeadlockDetected(Deadlock { round, next: TaskWord::Vote })]
            }
            Event::Ask(_) | Event::Watch(_) => Vec::new(),
            Event::House(_) | Event::Charter(_) | Event::Roster(_) => Vec::new(),
            Event::Gate(_) | Event::Meter(_) | Event::Context(_) => Vec::new(),
            Event::Monitor(_) | Event::Trigger(_) | Event::Rejections(_) | Event::Track(_) => Vec::new(),
            Event::Issue(_) | Event::Dissent(_) | Event::Period(_) => Vec::new(),
            Event::Evidence(_) | Event::Ledger(_) => Vec::new(),
            Event::Canon(_) | Event::Lease(_) => Vec::new(),
        }
    }

    fn of_floor(&self, id: Id, event: &floor::Event) -> Vec<MessageContent> {
        match event {
            floor::Event::Called { round, until, who, .. } => vec![MessageContent::TokenGrant(TurnGranted {
                ask: AskId(id),
                who: who.clone(),
                task: TaskWord::Speak,
                round: Some(*round),
                until: *until,
            })],
            floor::Event::Released { ask } => {
                vec![MessageContent::TokenRelease(TurnReleased { ask: *ask, who: self.who(*ask).cloned() })]
            }
            floor::Event::Skipped { ask, why } => {
                let who = self.who(*ask).cloned();
                vec![MessageContent::TokenSkip(TurnSkipped { ask: *ask, who, why: why.clone() })]
            }
            floor::Event::RoundOpened { .. }
            | floor::Event::RoundClosed { .. }
            | floor::Event::Impanelled { .. }
            | floor::Event::PartTaken { .. }
            | floor::Event::Absent { .. }
            | floor::Event::Joined { .. }
            | floor::Event::Gone { .. } => Vec::new(),
        }
    }
}

/// Tells the messages of one event apart. They follow each other.
fn number_parts(told: &mut [WireMessage]) {
    let mut last: Option<MessageId> = None;
    for message in told {
        if let Some(before) = last.filter(|before| before.event == message.id.event) {
            message.id.part = before.part + 1;
        }
        last = Some(message.id);
    }
}

/// The round of a matter that an act closed before the event of that id. Read from the act: by the time it is told,
/// the house may be further.
fn round_closed(act: &Act, id: Id, of: MatterId) -> Option<u32> {
    act.events()[..usize::from(id.nth)].iter().rev().find_map(|event| {
        let Event::Floor(floor::Event::RoundClosed { matter, round, .. }) = event else { return None };
        (*matter == of).then_some(*round)
    })
}

/// What is watched for in the house as a whole, and calls for a session.
fn of_house(event: &Event) -> Option<MessageContent> {
    match event {
        Event::Trigger(trigger::Event::Fired { kind, matter, of, priority, .. }) => {
            Some(MessageContent::ConsensusTrigger(TriggerFired {
                trigger: *kind,
                of: of.clone(),
                priority: *priority,
                matter: *matter,
            }))
        }
        Event::Monitor(monitor::Event::Found { finding, .. })
            if finding.pattern == monitor::Pattern::OpinionDivergence =>
        {
            Some(MessageContent::DivergenceAlert(OpinionDivergence {
                agents: finding.agents.clone(),
                count: finding.count,
                pattern: finding.pattern,
                subject: finding.subject.clone(),
            }))
        }
        Event::Trigger(_) | Event::Monitor(_) | Event::Rejections(_) | Event::Track(_) => None,
        Event::House(_) | Event::Charter(_) | Event::Roster(_) | Event::Matter(_) | Event::Floor(_) => None,
        Event::Gate(_) | Event::Ballot(_) | Event::Meter(_) | Event::Ask(_) | Event::Context(_) => None,
        Event::Watch(_) | Event::Table(_) => None,
        Event::Issue(_) | Event::Dissent(_) | Event::Period(_) => None,
        Event::Evidence(_) | Event::Ledger(_) => None,
        Event::Canon(_) | Event::Lease(_) => None,
    }
}

fn of_matter(case: &Case, event: &matter::Event) -> Vec<MessageContent> {
    match event {
        matter::Event::Opened(_) => vec![MessageContent::ConsensusStart(SessionOpened::of(case))],
        matter::Event::Settled { decision, .. } => {
            let Some(ended) = ended(case) else { return Vec::new() };
            let result = match decision {
                Decision::Passed { .. } | Decision::Estimated(_) => {
                    MessageContent::ConsensusReached(ended.clone())
                }
                Decision::Undecided(UndecidedReason::Quorum) => {
                    MessageContent::ConsensusDeferred(ended.clone())
                }
                Decision::Rejected | Decision::Undecided(_) | Decision::Contested => {
                    MessageContent::ConsensusBlocked(ended.clone())
                }
                Decision::Resolved | Decision::Closed => return Vec::new(), // no ring ends so
            };
            vec![result, MessageContent::ConsensusEnd(ended)]
        }
        matter::Event::StageEntered { .. }
        | matter::Event::Paused { .. }
        | matter::Event::Resumed { .. }
        | matter::Event::Stepped { .. }
        | matter::Event::Reopened { .. }
        | matter::Event::Seconded { .. }
        | matter::Event::Redacted { .. } => Vec::new(),
    }
}

impl SessionOpened {
    pub(crate) fn of(case: &Case) -> Self {
        let opening = &case.opening;
        Self {
            charter: opening.charter.name.clone(),
            invited: opening.seats.iter().map(|seat| seat.who.clone()).collect(),
            topic: opening.question.topic.to_string(),
        }
    }
}

impl VoteOpened {
    pub(crate) fn of(case: &Case, rule: &ballot::Rules, seats: u32) -> Self {
        let text = |put: &table::Proposal| ProposalText {
            id: put.id,
            title: put.title.clone(),
            text: put.text.clone(),
        };
        Self { proposals: proposals(case).map(text).collect(), rule: rule.clone(), seats }
    }
}

/// How a ring ended.
fn ended(case: &Case) -> Option<SessionEnded> {
    let session = Session::seen_by(case, Reader::Public)?;
    let carried = session.committed.and_then(|id| session.proposal(id));
    Some(SessionEnded {
        phase: words::PhaseWord::parse(session.phase)?,
        proposal: carried.map(|row| ProposalText {
            id: row.id,
            title: row.title.clone(),
            text: row.text.clone(),
        }),
        reason: session.reason.map(str::to_string),
    })
}

/// What was proposed before the talk began, as it was first put.
fn first_proposals(case: &Case) -> Vec<MessageContent> {
    let first = proposals(case).filter(|put| put.round == 0);
    let told = first.map(|put| {
        MessageContent::Proposal(ProposalMade {
            id: put.id,
            number: put.number,
            round: 0,
            title: Some(put.title.clone()),
            text: Some(put.first.clone()),
            who: put.who.clone(),
            withheld: false,
        })
    });
    told.collect()
}

/// The proposals of a ring that may be seen; none of other procedures.
fn proposals(case: &Case) -> impl Iterator<Item = &table::Proposal> {
    let put = case.ring().into_iter().flat_map(|(_, state)| &state.table.proposals);
    put.map(|put| &**put).filter(|put| case.may_see_proposal(Reader::Public, put.id))
}

fn of_table(case: &Case, event: &table::Event) -> Vec<MessageContent> {
    match event {
        table::Event::PhaseEntered { phase: Phase::Discussing, .. } => first_proposals(case),
        table::Event::PhaseEntered { .. } => Vec::new(),
        table::Event::Ruled { accepted, amendment, why, .. } => {
            let of = proposals(case).find(|put| put.amendments.iter().any(|change| change.id == *amendment));
            vec![MessageContent::Amendment(AmendmentMade {
                id: *amendment,
                accepted: Some(*accepted),
                proposal: of.map(|put| put.id),
                round: None,
                text: None,
                version: None,
                who: of.map(|put| put.who.clone()),
                why: why.clone(),
            })]
        }
    }
}

/// What a contribution to a ring is called.
fn of_contribution(case: &Case, id: Id, said: &Contribution) -> Option<MessageContent> {
    let (round, text, who) = (said.round, said.text().to_string(), said.who.clone());
    Some(match &said.kind {
        ContributionKind::Statement | ContributionKind::Answer | ContributionKind::Estimate => return None,
        ContributionKind::Comment(_) => return None, // no ring has them
        kind @ (ContributionKind::Opinion | ContributionKind::Question | ContributionKind::Synthesis) => {
            let made = StatementMade { id, kind: Remark::of(kind)?, round, text, to: said.to, who };
            if *kind == ContributionKind::Question {
                MessageContent::Question(made)
            } else {
                MessageContent::Contribution(made)
            }
        }
        // Before the talk begins all propose at once, and nobody follows another's lead: told when it begins.
        ContributionKind::Proposal { number, title } => {
            let withheld = !case.may_see(Reader::Public, Item::ContributionAsMade(said));
            MessageContent::Proposal(ProposalMade {
                id: ProposalId(id),
                number: *number,
                round,
                title: (!withheld).then(|| title.clone()),
                text: (!withheld).then_some(text),
                who,
                withheld,
            })
        }
        ContributionKind::Amendment { proposal, version } => MessageContent::Amendment(AmendmentMade {
            id: AmendmentId(id),
            accepted: None,
            proposal: Some(*proposal),
            round: Some(round),
            text: Some(text),
            version: Some(*version),
            who: Some(who),
            why: said.response.reasoning.clone(),
        }),
        ContributionKind::Reaction(reaction) => MessageContent::Reaction(ReactionMade {
            reaction: *reaction,
            round,
            text: said.response.position.clone(),
            to: said.to?,
            who,
        }),
    })
}

fn of_ballot(case: &Case, event: &ballot::Event) -> Vec<MessageContent> {
    match event {
        ballot::Event::Opened { rule, seats, .. } => {
            vec![MessageContent::VoteStart(VoteOpened::of(case, rule, seats.len() as u32))]
        }
        ballot::Event::Graded { vote, .. } => {
            vec![MessageContent::Vote(VoteNoted { proposal: vote.proposal, who: vote.who.clone() })]
        }
        ballot::Event::Counted { standings, tied, .. } => {
            let results = standings.iter().map(|count| ProposalCount {
                proposal: count.proposal,
                grades: count.grades.into(),
                decision: count.decision,
                vetoed: count.vetoed.clone(),
            });
            vec![MessageContent::VoteResult(VoteCounted { results: results.collect(), tied: tied.clone() })]
        }
        ballot::Event::Asked { .. }
        | ballot::Event::Delegated { .. }
        | ballot::Event::Cast { .. }
        | ballot::Event::Stated { .. }
        | ballot::Event::Unparsed { .. }
        | ballot::Event::Closed { .. } => Vec::new(),
    }
}

/// The phase that an event enters, in the word agents know it by.
fn phase(event: &Event) -> Option<&'static str> {
    let Event::Table(table::Event::PhaseEntered { phase, .. }) = event else { return None };
    Some(phase.word())
}

/// The fields of an event, without what is nobody's business yet.
fn fields(case: Option<&Case>, event: &Event) -> Value {
    let ballot = case.and_then(|case| Some((case, case.ballots.last()?)));
    let sealed = ballot.is_none_or(|(case, ballot)| !case.may_see(Reader::Public, Item::VoteAsCast(ballot)));
    let inner = |value: Value| match value {
        Value::Object(map) => map.into_iter().next().map(|(_, inner)| inner),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::String(_) => None,
    };
    let written = || serde_json::from_str(&event.to_json().ok()?).ok();
    let whole = || written().and_then(inner).unwrap_or_default();
    match event {
        Event::House(_) | Event::Charter(_) => whole(),
        Event::Ballot(ballot::Event::Cast { ask, vote }) if sealed => json!({ "ask": ask, "who": vote.who }),
        Event::Ballot(ballot::Event::Graded { vote, .. }) if sealed => {
            json!({ "proposal": vote.proposal, "who": vote.who })
        }
        Event::Ballot(ballot::Event::Unparsed { again, ask, .. }) if sealed => {
            json!({ "again": again, "ask": ask })
        }
        Event::Ballot(ballot::Event::Delegated { ask, delegation }) if sealed => {
            json!({ "ask": ask, "who": delegation.who })
        }
        // What is written without hearing others is shown with theirs.
        Event::Gate(gate::Event::Posted { matter, said })
            if case.is_none_or(|case| !case.may_see(Reader::Public, Item::ContributionAsMade(said))) =>
        {
            json!({ "matter": matter, "who": said.who })
        }
        // A comment that waits for its evidence does not stand yet, and neither does what it cites.
        Event::Gate(gate::Event::Held { matter, said }) => json!({ "matter": matter, "who": said.who }),
        Event::Ask(ask::Event::Sent { matter, task: WorldTask::Check { comment, files }, until }) => {
            json!({ "comment": comment, "files": files.len(), "matter": matter, "until": until })
        }
        Event::Evidence(evidence::Event::Checked { ask, comment, findings, matter }) => {
            let verified = findings.iter().filter(|one| one.grade().is_verified()).count();
            json!({ "ask": ask, "comment": comment, "files": findings.len(), "matter": matter, "verified": verified })
        }
        // What was written in an attempt is the operator's to read, in the record.
        Event::Ledger(ledger::Event::Attempted(attempt)) => {
            json!({ "by": attempt.by, "class": attempt.class, "flaw": attempt.flaw, "matter": attempt.matter })
        }
        Event::Issue(_) | Event::Dissent(_) | Event::Period(_) | Event::Ledger(_) => {
            inner(whole()).unwrap_or_default()
        }
        Event::Canon(_) | Event::Lease(_) => inner(whole()).unwrap_or_default(),
        Event::Monitor(_) | Event::Trigger(_) | Event::Rejections(_) | Event::Track(_) => {
            inner(whole()).unwrap_or_default()
        }
        Event::Ballot(_) | Event::Roster(_) | Event::Matter(_) | Event::Floor(_) => {
            inner(whole()).unwrap_or_default()
        }
        Event::Gate(_) | Event::Meter(_) | Event::Ask(_) => inner(whole()).unwrap_or_default(),
        Event::Context(_) | Event::Watch(_) | Event::Table(_) => inner(whole()).unwrap_or_default(),
    }
}
