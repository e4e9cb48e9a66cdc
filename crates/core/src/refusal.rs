//! Refusals: the rules say no. Each has a stable code, says what it means and what to do.

use crate::charter::Flaw;
use crate::kernel::{Actor, AmendmentId, AskId, Digest, Id, MatterId, Nano, ProposalId, Who};

/// Why a command was refused. Nothing changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The journal is empty. Every house begins by being founded.
    #[error("the house is not founded yet")]
    NotFounded,
    /// A journal is founded once.
    #[error("the house is founded already")]
    AlreadyFounded,
    /// This command is not this actor's to give: answers are the seat's own, rests and stops the operator's.
    #[error("{by} may not do this")]
    NotAllowed {
        /// Who tried.
        by: Actor,
    },
    /// The charter has flaws. `synod charter check` lists them all with file and line.
    #[error("the charter has {}; the first: {}", crate::kernel::text::counted(flaws.len() as u64, "flaw"), flaws.first().map(ToString::to_string).unwrap_or_default())]
    FlawedCharter {
        /// Every flaw.
        flaws: Vec<Flaw>,
    },
    /// The matter names a charter the house has not adopted.
    #[error("no charter with digest {digest} is adopted here")]
    UnknownCharter {
        /// Its digest.
        digest: Digest,
    },
    /// The charter has no knob of that name. `synod charter show` lists them.
    #[error("the charter has no knob `{knob}`{}", known(known_knobs))]
    UnknownKnob {
        /// As written.
        knob: String,
        /// Those it has and lets move.
        known_knobs: Vec<String>,
    },
    /// The charter knows no such kind of motion. `synod charter show` lists them.
    #[error("the charter has no motion `{motion}`{}", motions(known))]
    UnknownMotion {
        /// As named.
        motion: String,
        /// Those it knows.
        known: Vec<String>,
    },
    /// The charter fixes this knob; no matter can move it.
    #[error("the charter fixes `{knob}` at {is}; it cannot be moved")]
    FixedKnob {
        /// Its name.
        knob: String,
        /// Its value.
        is: u64,
    },
    /// The charter lets this knob move, but not so far.
    #[error("`{knob}` may be moved from {from} to {to}; {given} is outside")]
    KnobOutside {
        /// Its name.
        knob: String,
        /// The least.
        from: u64,
        /// The most.
        to: u64,
        /// As wished.
        given: u64,
    },
    /// The question is empty, too long or has impossible options. Nothing is asked that nobody could answer.
    #[error("{wrong}")]
    MalformedQuestion {
        /// What is wrong with it.
        wrong: crate::matter::Malformed,
    },
    /// The id is not in its canonical form, so that it might stand beside another spelling of itself.
    #[error(
        "`{who}` is not a canonical id: write it trimmed, folded to lower case, in letters, digits and `- _ .`"
    )]
    UncanonicalId {
        /// As given.
        who: Who,
    },
    /// Nobody sits in the matter. Give at least one seat.
    #[error("a matter needs at least one seat")]
    NoSeats,
    /// The same participant is named twice, perhaps in two spellings.
    #[error("`{who}` sits twice; two spellings of a name are one participant")]
    SeatTwice {
        /// Who.
        who: Who,
    },
    /// A seat names nobody the house knows. Enrol the participant first.
    #[error("`{who}` is not enrolled in this house")]
    UnknownSeat {
        /// Who.
        who: Who,
    },
    /// There is no such matter. `synod list` shows those there are.
    #[error("there is no matter {matter} in this house")]
    UnknownMatter {
        /// Its id.
        matter: MatterId,
    },
    /// The matter's status does not allow this.
    #[error("matter {matter} is {status}; {needs}")]
    WrongStatus {
        /// Its id.
        matter: MatterId,
        /// Where it stands.
        status: String,
        /// What the command needs.
        needs: &'static str,
    },
    /// The ask is answered, lapsed or was never open. A late, a double and an unknown answer are the same.
    #[error("ask {ask} is not open")]
    AskNotOpen {
        /// Its id.
        ask: AskId,
    },
    /// The call may cost more than the budget has left. The seat lapses and the result says so.
    #[error("the call may cost {worst} and {left} of the budget is left")]
    BudgetCost {
        /// What is left.
        left: Nano,
        /// What the call may cost.
        worst: Nano,
    },
    /// Money is limited and the model's price is not known. Give a price in `prices.toml`, or limit calls.
    #[error("the budget limits money and the price of this model is not known")]
    BudgetPriceUnknown,
    /// All calls allowed are made.
    #[error("all {most} calls of the budget are made")]
    BudgetCalls {
        /// The limit.
        most: u32,
    },
    /// Material, a focus question, an answer or a perspective is empty or too long.
    #[error("{wrong}")]
    MalformedContext {
        /// What is wrong with it.
        wrong: crate::context::Malformed,
    },
    /// The charter gives sides of a yes-or-no question, and this one has options. Put one proposal, or take
    /// another charter.
    #[error(
        "the charter {charter} orders seats to say YES or NO, and this question has options: put one proposal, or take another charter"
    )]
    NeedsPlainQuestion {
        /// The charter.
        charter: String,
    },
    /// The matter has no such request. `synod show` lists those there are.
    #[error("matter {matter} has no request {request}")]
    UnknownRequest {
        /// The matter.
        matter: MatterId,
        /// As given.
        request: Id,
    },
    /// The request was answered or waived before.
    #[error("request {request} was {became} already")]
    RequestDone {
        /// The request.
        request: Id,
        /// What became of it.
        became: &'static str,
    },
    /// Required requests are open. Answer or waive them first.
    #[error("matter {matter} needs context: {} still without an answer; answer or waive what is required", pending.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))]
    ContextPending {
        /// The matter.
        matter: MatterId,
        /// The requests.
        pending: Vec<Id>,
    },
    /// The participant serves in another matter or in none. `synod show` lists the seats.
    #[error("`{who}` has no seat in matter {matter}")]
    NotSeated {
        /// Who.
        who: Who,
        /// The matter.
        matter: MatterId,
    },
    /// The words of the matter were taken out of the record: nothing is left to go on from.
    #[error("matter {matter} was redacted: nobody knows any more what was said in it")]
    Redacted {
        /// The matter.
        matter: MatterId,
    },
    /// No round follows that could turn to the question. Allow more rounds, or leave the focus out.
    #[error(
        "no round follows round {round} here, so nothing can turn to the focus question: allow more rounds"
    )]
    NoRoundLeft {
        /// The last round.
        round: u32,
    },
    /// A name must fit on a line: it stands at the head of what its bearer says.
    #[error(
        "`{}` is no name: write one line of at most {most} visible characters",
        crate::kernel::text::one_line(name)
    )]
    MalformedName {
        /// As given.
        name: String,
        /// The longest allowed.
        most: usize,
    },
    /// The charter hides names, and these are words that others will use. Choose names that are names.
    #[error(
        "the charter {charter} hides names, also inside what others write, and these stand there as common words or are words of the question: {}",
        names.join(", ")
    )]
    Unmaskable {
        /// The charter.
        charter: String,
        /// The names.
        names: Vec<String>,
    },
    /// The matter has not had such a round.
    #[error("matter {matter} has no round {round} that is over: there {} so far", had_rounds(*had))]
    NoSuchRound {
        /// The matter.
        matter: MatterId,
        /// As given.
        round: u32,
        /// Rounds that are over.
        had: u32,
    },
    /// The call may take more tokens than the budget has left.
    #[error("the call may take {worst} tokens and {left} of the budget are left")]
    BudgetTokens {
        /// What is left.
        left: u64,
        /// What the call may take.
        worst: u64,
    },
    /// The house has no numbers for triggers and monitor yet. `synod trigger` and `synod watch` give it those of
    /// its `triggers.toml`, or those that ship.
    #[error(
        "the house has no numbers for triggers and monitor yet: `synod trigger` and `synod watch` give it those of its triggers.toml"
    )]
    Unregulated,
    /// An observation is empty or too long. Nothing of it was kept.
    #[error("{wrong}")]
    MalformedObservation {
        /// What is wrong with it.
        wrong: crate::monitor::Malformed,
    },
    /// A report of who was turned away at the door is not one. Only a service that is broken sends such.
    #[error("{wrong}")]
    MalformedReport {
        /// What is wrong with it.
        wrong: crate::door::Malformed,
    },
    /// What is said to have been true is no answer to the matter, or the matter gave none that could be right or wrong.
    #[error(
        "that could not have been true of matter {matter}, which ended {decision}: say `right` or `wrong` of a decision, or name one of its answers or proposals"
    )]
    NoSuchAnswer {
        /// The matter.
        matter: MatterId,
        /// What came of it.
        decision: &'static str,
    },
    /// A trigger is empty or too long, or lacks a topic. Nothing was judged.
    #[error("{wrong}")]
    MalformedTrigger {
        /// What is wrong with it.
        wrong: crate::trigger::Malformed,
    },
    /// So many decisions wait already that nobody looks through them. Report some of them as decided, or
    /// call a council on them with `synod trigger scheduled`.
    #[error(
        "{most} decisions are pending already: report some as decided, or call a council on them with `synod trigger scheduled`"
    )]
    TooManyPending {
        /// The most.
        most: usize,
    },
    /// The ballot is not open, and a vote on it needs a salt: without one its seal could be found out by trying
    /// every vote. Whoever gives the answer draws it at random.
    #[error(
        "votes on this ballot are sealed: give a salt of {} to {} letters, digits, `-` or `_`, drawn at random",
        crate::ballot::SALT_LEAST,
        crate::ballot::SALT_MOST
    )]
    Unsalted,
    /// None of the acts named holds words of the matter that are still there: it was redacted before, or other
    /// acts were named. `synod delete` names the right ones.
    #[error("no words of matter {matter} are left in the acts named")]
    NothingToRedact {
        /// Its id.
        matter: MatterId,
    },
    /// This is no ring. Seats of a debate answer what they are asked.
    #[error("matter {matter} is a debate: its seats answer what they are asked")]
    NoRing {
        /// The matter.
        matter: MatterId,
    },
    /// A ring waits for those who come by themselves. Seats that are called belong into a debate.
    #[error(
        "the charter {charter} is for agents that come by themselves, and {who} does not: enrol it as an outside agent"
    )]
    NeedsOutside {
        /// The charter.
        charter: String,
        /// Who.
        who: Who,
    },
    /// A ring has no use for this. Leave it out, or hold a debate.
    #[error("the charter {charter} is a ring and has no use for {what}: leave it out, or hold a debate")]
    Unread {
        /// The charter.
        charter: String,
        /// What.
        what: &'static str,
    },
    /// A ring begins with two or more. Invite more.
    #[error("{invited} invited; a ring needs at least {least}")]
    TooFewInvited {
        /// How many.
        invited: u32,
        /// The fewest.
        least: u32,
    },
    /// Too few have joined. Wait for them, or let it end.
    #[error("{joined} joined matter {matter}; it begins with {least} or more")]
    TooFewJoined {
        /// The matter.
        matter: MatterId,
        /// How many.
        joined: u32,
        /// The fewest.
        least: u32,
    },
    /// The phase of the ring does not allow this. `synod ring status` shows where it is.
    #[error("matter {matter} is in {phase}: {needs}")]
    WrongPhase {
        /// The matter.
        matter: MatterId,
        /// Where it is.
        phase: &'static str,
        /// What this needs.
        needs: &'static str,
    },
    /// Only those who joined take part. `synod ring join` does.
    #[error("{who} does not take part in matter {matter}: join it first")]
    NotJoined {
        /// Who.
        who: Who,
        /// The matter.
        matter: MatterId,
    },
    /// Joining twice changes nothing.
    #[error("{who} takes part in matter {matter} already")]
    AlreadyJoined {
        /// Who.
        who: Who,
        /// The matter.
        matter: MatterId,
    },
    /// The operator took this participant out for good. The operator can open another matter and invite it there.
    #[error(
        "{who} was taken out of matter {matter} ({why}) and cannot come back: ask the operator, who can open another"
    )]
    Removed {
        /// Who.
        who: Who,
        /// The matter.
        matter: MatterId,
        /// Why.
        why: String,
    },
    /// Only whoever has the floor may do this. Wait for your turn.
    #[error("{who} does not have the floor: it is the turn of {holder}")]
    NotHolder {
        /// Who.
        who: Who,
        /// Whose turn it is.
        holder: Who,
    },
    /// A turn is not for filibusters.
    #[error("turn {ask} holds {most} contributions already: give the floor back")]
    TurnFull {
        /// The turn.
        ask: AskId,
        /// The most.
        most: u32,
    },
    /// Nothing was said.
    #[error("there is no text: say something, or skip")]
    EmptyText,
    /// The text is too long. It is refused whole and never cut.
    #[error("{given} characters, at most {most} are allowed: shorten it and refer to files")]
    TooLong {
        /// How many.
        given: usize,
        /// The most.
        most: usize,
    },
    /// More conditions or changes than anybody could weigh.
    #[error("{given} items, at most {most} are allowed")]
    TooManyListed {
        /// How many.
        given: usize,
        /// The most.
        most: usize,
    },
    /// More proposals than letters.
    #[error("there are {most} proposals already: amend one of them")]
    TooManyProposals {
        /// The most.
        most: usize,
    },
    /// There is no such statement, proposal or change. `synod ring status` lists them.
    #[error("nothing of id {id} lies on the table of this matter")]
    NotOnTable {
        /// As given.
        id: Id,
    },
    /// The change would change nothing.
    #[error("proposal {proposal} says that already")]
    NoChange {
        /// The proposal.
        proposal: ProposalId,
    },
    /// Only whoever put a proposal takes changes to it.
    #[error("{who} cannot rule on changes to a proposal of {proposer}")]
    NotProposer {
        /// Who.
        who: Who,
        /// Who put it.
        proposer: Who,
    },
    /// A change is taken or declined once.
    #[error("amendment {amendment} was ruled on already")]
    AlreadyRuled {
        /// The change.
        amendment: AmendmentId,
    },
    /// Another change was taken meanwhile. Taking this one would undo it.
    #[error(
        "amendment {amendment} changes version {written}, and the proposal is at version {now}: have it put anew"
    )]
    StaleAmendment {
        /// The change.
        amendment: AmendmentId,
        /// What it changes.
        written: u32,
        /// What there is.
        now: u32,
    },
    /// One vote per participant and proposal, unless the charter lets votes change.
    #[error("{who} has voted on this proposal already")]
    AlreadyCast {
        /// Who.
        who: Who,
    },
    /// A ring is not answered like a debate.
    #[error("matter {matter} is a ring: take part with say, propose, vote and the like")]
    ByPart {
        /// The matter.
        matter: MatterId,
    },
    /// What is done with debates and has no meaning for a ring.
    #[error("matter {matter} is a ring: it cannot be forked, summed up or judged by a mind")]
    NotInRing {
        /// The matter.
        matter: MatterId,
    },
}

fn had_rounds(had: u32) -> String {
    match had {
        0 => "was none".into(),
        1 => "was 1".into(),
        had => format!("were {had}"),
    }
}

fn known(knobs: &[String]) -> String {
    if knobs.is_empty() { "; it has none that move".into() } else { format!("; it has {}", knobs.join(", ")) }
}

fn motions(known: &[String]) -> String {
    if known.is_empty() { "; it knows none".into() } else { format!("; it knows {}", known.join(", ")) }
}

impl Refusal {
    /// The stable code, for scripts and for the record.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotFounded => "house/not-founded",
            Self::AlreadyFounded => "house/already-founded",
            Self::NotAllowed { .. } => "house/not-allowed",
            Self::FlawedCharter { .. } => "charter/flawed",
            Self::UnknownCharter { .. } => "charter/unknown",
            Self::UnknownKnob { .. } => "charter/unknown-knob",
            Self::UnknownMotion { .. } => "charter/unknown-motion",
            Self::FixedKnob { .. } => "charter/fixed-knob",
            Self::KnobOutside { .. } => "charter/knob-outside",
            Self::MalformedQuestion { .. } => "matter/malformed",
            Self::UncanonicalId { .. } => "roster/uncanonical-id",
            Self::NoSeats => "roster/no-seats",
            Self::SeatTwice { .. } => "roster/seat-twice",
            Self::UnknownSeat { .. } => "roster/unknown-seat",
            Self::UnknownMatter { .. } => "matter/unknown",
            Self::WrongStatus { .. } => "matter/wrong-status",
            Self::AskNotOpen { .. } => "ask/not-open",
            Self::BudgetCost { .. } => "budget/cost",
            Self::BudgetPriceUnknown => "budget/price-unknown",
            Self::BudgetCalls { .. } => "budget/calls",
            Self::BudgetTokens { .. } => "budget/tokens",
            Self::MalformedContext { .. } => "context/malformed",
            Self::NeedsPlainQuestion { .. } => "charter/plain-question",
            Self::UnknownRequest { .. } => "context/unknown-request",
            Self::RequestDone { .. } => "context/request-done",
            Self::ContextPending { .. } => "context/pending",
            Self::NoSuchRound { .. } => "matter/no-such-round",
            Self::NotSeated { .. } => "roster/not-seated",
            Self::Redacted { .. } => "matter/redacted",
            Self::NoRoundLeft { .. } => "context/no-round-left",
            Self::MalformedName { .. } => "roster/malformed-name",
            Self::Unmaskable { .. } => "roster/unmaskable",
            Self::Unsalted => "ballot/unsalted",
            Self::NothingToRedact { .. } => "matter/nothing-to-redact",
            Self::NoRing { .. } => "ring/none",
            Self::NeedsOutside { .. } => "ring/needs-outside",
            Self::Unread { .. } => "ring/unread",
            Self::TooFewInvited { .. } => "ring/too-few-invited",
            Self::TooFewJoined { .. } => "ring/too-few-joined",
            Self::WrongPhase { .. } => "ring/wrong-phase",
            Self::NotJoined { .. } => "ring/not-joined",
            Self::AlreadyJoined { .. } => "ring/already-joined",
            Self::Removed { .. } => "ring/removed",
            Self::NotHolder { .. } => "floor/not-holder",
            Self::TurnFull { .. } => "floor/turn-full",
            Self::EmptyText => "table/empty",
            Self::TooLong { .. } => "table/too-long",
            Self::TooManyListed { .. } => "table/too-many-listed",
            Self::TooManyProposals { .. } => "table/too-many-proposals",
            Self::NotOnTable { .. } => "table/unknown",
            Self::NoChange { .. } => "table/no-change",
            Self::NotProposer { .. } => "table/not-proposer",
            Self::AlreadyRuled { .. } => "table/already-ruled",
            Self::StaleAmendment { .. } => "table/stale",
            Self::AlreadyCast { .. } => "ballot/already-cast",
            Self::ByPart { .. } => "ring/by-part",
            Self::NotInRing { .. } => "ring/not-a-debate",
            Self::Unregulated => "trigger/unregulated",
            Self::MalformedObservation { .. } => "monitor/malformed",
            Self::MalformedReport { .. } => "door/malformed",
            Self::NoSuchAnswer { .. } => "track/no-such-answer",
            Self::MalformedTrigger { .. } => "trigger/malformed",
            Self::TooManyPending { .. } => "monitor/too-many-pending",
        }
    }
}
