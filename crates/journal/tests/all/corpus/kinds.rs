//! Every kind of thing that a line can hold, by name.
//! The matches are exhaustive: a variant that is added to the core does not build here until it has a name,
//! and a name without a line fails the test.

use super::{
    answers, called, credits, door as at_door, fields, hindsight, lore, rules, shop, sources, taken, upkeep,
    watched,
};
use synod_core::ask::{Chore, Task};
use synod_core::ballot::{Basis, Grade, Loss, Method, Secrecy, StandingNumbers, Tie, Weights};
use synod_core::command::{Delivered, Perspectives};
use synod_core::context::Wrong;
use synod_core::event::HouseEvent;
use synod_core::gate::Breach;
use synod_core::kernel::{
    Actor, Choice, Contribution, ContributionKind, Decision, How, Marks, Reaction, SeatKind, UndecidedReason,
};
use synod_core::matter::Pause;
use synod_core::procedure::council;
use synod_core::procedure::ring::{self, Action};
use synod_core::procedure::workshop;
use synod_core::table::Phase;
use synod_core::{
    Act, Command, Event, Outcome, Refusal, ask, ballot, context, dissent, evidence, floor, gate, issue,
    ledger, matter, meter, monitor, period, rejections, roster, table, track, trigger, watch,
};

/// A function that names a variant, and beside it the list of all names.
macro_rules! named {
    ($($function:ident($kind:ty) in $list:ident { $($variant:pat => $name:literal),+ $(,)? })+) => {$(
        fn $function(it: &$kind) -> &'static str {
            match it { $($variant => $name),+ }
        }
        const $list: &[&str] = &[$($name),+];
    )+};
}

pub(super) use named;

named! {
    command(Command) in COMMANDS {
        Command::Found { .. } => "command found",
        Command::Upgrade { .. } => "command upgrade",
        Command::AdjustTime(_) => "command adjust time",
        Command::ChangeKey { .. } => "command change key",
        Command::NoteRepair(_) => "command note repair",
        Command::Adopt { .. } => "command adopt",
        Command::Enrol { .. } => "command enrol",
        Command::Key { .. } => "command key",
        Command::Open(_) => "command open",
        Command::Begin { .. } => "command begin",
        Command::Answer { .. } => "command answer",
        Command::Fail { .. } => "command fail",
        Command::Halt { .. } => "command halt",
        Command::Deliver { .. } => "command deliver",
        Command::Pause { .. } => "command pause",
        Command::Resume { .. } => "command resume",
        Command::Stop { .. } => "command stop",
        Command::Tick => "command tick",
        Command::Redact { .. } => "command redact",
        Command::Council(council::Command::Continue { .. }) => "command continue",
        Command::Council(council::Command::Fork(_)) => "command fork",
        Command::Council(council::Command::Supply { .. }) => "command supply",
        Command::Council(council::Command::Waive { .. }) => "command waive",
        Command::Council(council::Command::Synthesise { .. }) => "command synthesise",
        Command::Council(council::Command::Judge { .. }) => "command judge",
        Command::Council(council::Command::Second { .. }) => "command second",
        Command::Council(council::Command::Withdraw { .. }) => "command withdraw",
        Command::Council(council::Command::Table { .. }) => "command table",
        Command::ConfigureTriggers(_) => "command configure triggers",
        Command::Observe { .. } => "command observe",
        Command::Trigger(_) => "command trigger",
        Command::ReportRejections { .. } => "command report rejections",
        Command::RecordOutcome { .. } => "command record outcome",
        Command::Ring(ring::Command::Participate { .. }) => "command participate",
        Command::Ring(ring::Command::Start { .. }) => "command start",
        Command::Ring(ring::Command::Remove { .. }) => "command remove",
        Command::Appoint { .. } => "command appoint",
        Command::Workshop(workshop::Command::Configure { .. }) => "command configure issue",
        Command::Workshop(workshop::Command::Open(_)) => "command open issue",
        Command::Workshop(workshop::Command::Comment(_)) => "command comment issue",
        Command::Workshop(workshop::Command::Close { .. }) => "command close issue",
        Command::Workshop(workshop::Command::Reopen { .. }) => "command reopen issue",
        Command::Workshop(workshop::Command::Consolidate { .. }) => "command consolidate issue",
        Command::Workshop(workshop::Command::Change { .. }) => "command change issue",
        Command::Workshop(workshop::Command::Unfreeze { .. }) => "command unfreeze issue",
        Command::Workshop(workshop::Command::ForceResolution { .. }) => "command force resolution issue",
        Command::Workshop(workshop::Command::Escalate { .. }) => "command escalate issue",
        Command::Workshop(workshop::Command::InvokeDevilsAdvocate { .. }) => "command invoke devils advocate issue",
        Command::Workshop(workshop::Command::Invite { .. }) => "command invite seat issue",
        Command::Workshop(workshop::Command::Mark { .. }) => "command mark issue",
        Command::Workshop(workshop::Command::FreezeTag { .. }) => "command freeze tag issue",
        Command::Workshop(workshop::Command::ThawTag { .. }) => "command thaw tag issue",
        Command::Workshop(workshop::Command::SetFreedom { .. }) => "command set freedom issue",
        Command::Workshop(workshop::Command::OpenPeriod { .. }) => "command open period issue",
        Command::Workshop(workshop::Command::ClosePeriod { .. }) => "command close period issue",
        Command::Workshop(workshop::Command::Outcome { .. }) => "command outcome",
        Command::Workshop(workshop::Command::Award(_)) => "command award",
        Command::Workshop(workshop::Command::Rate { .. }) => "command rate",
        Command::Workshop(workshop::Command::SetGoal(_)) => "command set goal",
        Command::Workshop(workshop::Command::DropGoal { .. }) => "command drop goal",
        Command::Workshop(workshop::Command::ChangeModel { .. }) => "command change model",
        Command::Workshop(workshop::Command::Canon(_)) => "command canon",
        Command::Workshop(workshop::Command::Lease(_)) => "command lease",
    }
    part(Action) in PARTS {
        Action::Join => "action join",
        Action::Leave => "action leave",
        Action::Acknowledge { .. } => "action acknowledge",
        Action::Say { .. } => "action say",
        Action::Propose { .. } => "action propose",
        Action::Amend { .. } => "action amend",
        Action::React { .. } => "action react",
        Action::Release { .. } => "action release",
        Action::Skip { .. } => "action skip",
        Action::Rule { accept: true, .. } => "action accept",
        Action::Rule { accept: false, .. } => "action decline",
        Action::Vote { .. } => "action vote",
    }
    event(Event) in EVENTS {
        Event::House(HouseEvent::Founded(_)) => "house founded",
        Event::House(HouseEvent::Upgraded { .. }) => "house upgraded",
        Event::House(HouseEvent::TimeAdjusted(_)) => "house time adjusted",
        Event::House(HouseEvent::KeyChanged(_)) => "house key changed",
        Event::House(HouseEvent::Repaired(_)) => "house repaired",
        Event::Charter(_) => "charter adopted",
        Event::Roster(roster::Event::Enrolled { .. }) => "roster enrolled",
        Event::Roster(roster::Event::Keyed { .. }) => "roster keyed",
        Event::Matter(matter::Event::Opened(_)) => "matter opened",
        Event::Matter(matter::Event::StageEntered { .. }) => "matter stage entered",
        Event::Matter(matter::Event::Paused { .. }) => "matter paused",
        Event::Matter(matter::Event::Resumed { .. }) => "matter resumed",
        Event::Matter(matter::Event::Stepped { .. }) => "matter stepped",
        Event::Matter(matter::Event::Seconded { .. }) => "matter seconded",
        Event::Matter(matter::Event::Settled { .. }) => "matter settled",
        Event::Matter(matter::Event::Redacted { .. }) => "matter redacted",
        Event::Floor(floor::Event::RoundOpened { .. }) => "floor round opened",
        Event::Floor(floor::Event::Called { .. }) => "floor called",
        Event::Floor(floor::Event::Impanelled { .. }) => "floor impanelled",
        Event::Floor(floor::Event::PartTaken { .. }) => "floor part-taken",
        Event::Floor(floor::Event::Absent { .. }) => "floor absent",
        Event::Floor(floor::Event::RoundClosed { .. }) => "floor round closed",
        Event::Floor(floor::Event::Joined { .. }) => "floor joined",
        Event::Floor(floor::Event::Gone { .. }) => "floor gone",
        Event::Floor(floor::Event::Released { .. }) => "floor released",
        Event::Floor(floor::Event::Skipped { .. }) => "floor skipped",
        Event::Table(table::Event::PhaseEntered { .. }) => "table phase entered",
        Event::Table(table::Event::Ruled { .. }) => "table ruled",
        Event::Gate(gate::Event::Admitted(_)) => "gate admitted",
        Event::Gate(gate::Event::Rejected { .. }) => "gate rejected",
        Event::Ballot(ballot::Event::Opened { .. }) => "ballot opened",
        Event::Ballot(ballot::Event::Asked { .. }) => "ballot asked",
        Event::Ballot(ballot::Event::Cast { .. }) => "ballot cast",
        Event::Ballot(ballot::Event::Stated { .. }) => "ballot stated",
        Event::Ballot(ballot::Event::Delegated { .. }) => "ballot delegated",
        Event::Ballot(ballot::Event::Unparsed { .. }) => "ballot unparsed",
        Event::Ballot(ballot::Event::Closed { .. }) => "ballot closed",
        Event::Ballot(ballot::Event::Graded { .. }) => "ballot graded",
        Event::Ballot(ballot::Event::Counted { .. }) => "ballot counted",
        Event::Meter(meter::Event::Limited { .. }) => "meter limited",
        Event::Meter(meter::Event::Reserved { .. }) => "meter reserved",
        Event::Meter(meter::Event::Spent { .. }) => "meter spent",
        Event::Ask(ask::Event::Opened { .. }) => "ask opened",
        Event::Ask(ask::Event::Sent { .. }) => "ask sent",
        Event::Ask(ask::Event::Begun { .. }) => "ask begun",
        Event::Ask(ask::Event::Met { .. }) => "ask met",
        Event::Ask(ask::Event::Lapsed { .. }) => "ask lapsed",
        Event::Ask(ask::Event::Renewed { .. }) => "ask renewed",
        Event::Context(context::Event::Given { .. }) => "context given",
        Event::Context(context::Event::Focused { .. }) => "context focused",
        Event::Context(context::Event::Requested { required: true, .. }) => "context required",
        Event::Context(context::Event::Requested { required: false, .. }) => "context wished for",
        Event::Context(context::Event::Refused { .. }) => "context refused",
        Event::Context(context::Event::Answered { .. }) => "context answered",
        Event::Context(context::Event::Waived { .. }) => "context waived",
        Event::Context(context::Event::Read { .. }) => "context read",
        Event::Context(context::Event::Unread { .. }) => "context unread",
        Event::Context(context::Event::Perspectives { .. }) => "context perspectives",
        Event::Context(context::Event::Digested { .. }) => "context digested",
        Event::Context(context::Event::Synthesised { .. }) => "context synthesised",
        Event::Context(context::Event::Compared { .. }) => "context compared",
        Event::Context(context::Event::Listed { .. }) => "context listed",
        Event::Watch(watch::Event::Analysed { .. }) => "watch analysed",
        Event::Watch(watch::Event::Judged { .. }) => "watch judged",
        Event::Watch(watch::Event::Left { .. }) => "watch left",
        Event::Monitor(monitor::Event::Regulated { .. }) => "monitor regulated",
        Event::Monitor(monitor::Event::Observed { .. }) => "monitor observed",
        Event::Monitor(monitor::Event::Found { .. }) => "monitor found",
        Event::Monitor(monitor::Event::Gone { .. }) => "monitor gone",
        Event::Monitor(monitor::Event::Taken { .. }) => "monitor taken",
        Event::Trigger(trigger::Event::Regulated { .. }) => "trigger regulated",
        Event::Trigger(trigger::Event::Fired { .. }) => "trigger fired",
        Event::Trigger(trigger::Event::Declined { .. }) => "trigger declined",
        Event::Rejections(rejections::Event::Rejected(_)) => "rejections rejected",
        Event::Track(track::Event::Learned(_)) => "track learned",
        Event::Issue(issue::Event::Filed { .. }) => "issue filed",
        Event::Issue(issue::Event::Changed { .. }) => "issue changed",
        Event::Issue(issue::Event::Frozen { .. }) => "issue frozen",
        Event::Issue(issue::Event::Reported { .. }) => "issue reported",
        Event::Issue(issue::Event::Thawed { .. }) => "issue thawed",
        Event::Issue(issue::Event::Raised { .. }) => "issue raised",
        Event::Issue(issue::Event::Consolidated { .. }) => "issue consolidated",
        Event::Issue(issue::Event::Escalated { .. }) => "issue escalated",
        Event::Issue(issue::Event::Noticed { .. }) => "issue noticed",
        Event::Issue(issue::Event::Marked { .. }) => "issue marked",
        Event::Issue(issue::Event::Configured { .. }) => "issue configured",
        Event::Issue(issue::Event::TagFrozen { .. }) => "issue tag frozen",
        Event::Issue(issue::Event::TagThawed { .. }) => "issue tag thawed",
        Event::Issue(issue::Event::FreedomSet { .. }) => "issue freedom set",
        Event::Dissent(dissent::Event::Ordered(_)) => "dissent ordered",
        Event::Dissent(dissent::Event::Unfilled { .. }) => "dissent unfilled",
        Event::Dissent(dissent::Event::Ended { .. }) => "dissent ended",
        Event::Dissent(dissent::Event::ConsensusFound { .. }) => "dissent consensus found",
        Event::Dissent(dissent::Event::TeamCalled { .. }) => "dissent team called",
        Event::Dissent(dissent::Event::Summed { .. }) => "dissent summed",
        Event::Period(period::Event::Opened { .. }) => "period opened",
        Event::Period(period::Event::Closed { .. }) => "period closed",
        Event::Evidence(evidence::Event::Checked { .. }) => "evidence checked",
        Event::Ledger(ledger::Event::Posted(_)) => "ledger posted",
        Event::Ledger(ledger::Event::Acted(_)) => "ledger acted",
        Event::Ledger(ledger::Event::Counted(_)) => "ledger counted",
        Event::Ledger(ledger::Event::Escalated(_)) => "ledger escalated",
        Event::Ledger(ledger::Event::ModelChanged { .. }) => "ledger model changed",
        Event::Ledger(ledger::Event::Attempted(_)) => "ledger attempted",
        Event::Ledger(ledger::Event::Rated { .. }) => "ledger rated",
        Event::Ledger(ledger::Event::TeamPosted(_)) => "ledger team posted",
        Event::Ledger(ledger::Event::GoalSet(_)) => "ledger goal set",
        Event::Ledger(ledger::Event::GoalEnded { .. }) => "ledger goal ended",
        Event::Gate(gate::Event::Held { .. }) => "gate held",
        Event::Canon(_) => "canon",
        Event::Lease(_) => "lease",
        Event::Gate(gate::Event::Posted { .. }) => "gate posted",
        Event::Gate(gate::Event::Refused { .. }) => "gate refused",
        Event::Matter(matter::Event::Reopened { .. }) => "matter reopened",
        Event::Roster(roster::Event::Appointed { .. }) => "roster appointed",
    }
    actor(Actor) in ACTORS {
        Actor::Operator => "by the operator",
        Actor::Engine => "by the engine",
        Actor::Seat(_) => "by a seat",
    }
    decision(Decision) in DECISIONS {
        Decision::Passed { option: None } => "passed",
        Decision::Passed { option: Some(_) } => "passed with an option",
        Decision::Rejected => "rejected",
        Decision::Estimated(_) => "estimated",
        Decision::Undecided(UndecidedReason::Quorum) => "undecided for a quorum",
        Decision::Undecided(UndecidedReason::Tie) => "undecided for a tie",
        Decision::Undecided(UndecidedReason::Below) => "undecided below the threshold",
        Decision::Undecided(UndecidedReason::NoAnswers) => "undecided without answers",
        Decision::Undecided(UndecidedReason::Time) => "undecided for time",
        Decision::Undecided(UndecidedReason::Stopped) => "undecided when stopped",
        Decision::Undecided(UndecidedReason::Vetoed) => "undecided for a veto",
        Decision::Undecided(UndecidedReason::Weightless) => "undecided for want of weight",
        Decision::Undecided(UndecidedReason::NoProposal) => "undecided without a proposal",
        Decision::Undecided(UndecidedReason::Few) => "undecided with too few",
        Decision::Undecided(UndecidedReason::Unreadable) => "undecided with nothing readable",
        Decision::Undecided(UndecidedReason::NoSecond) => "undecided without a second",
        Decision::Undecided(UndecidedReason::Withdrawn) => "undecided when withdrawn",
        Decision::Undecided(UndecidedReason::Tabled) => "undecided when tabled",
        Decision::Contested => "contested",
        Decision::Resolved => "resolved",
        Decision::Closed => "closed",
    }
    pause(Pause) in PAUSES {
        Pause::Operator => "paused by the operator",
        Pause::Interrupted => "paused when interrupted",
        Pause::NeedsContext => "paused for context",
        Pause::BetweenRounds => "paused between rounds",
        Pause::Unusable => "paused before a seat that cannot be used",
        Pause::Listed => "paused until a motion is called up",
    }
    choice(Choice) in CHOICES {
        Choice::Yes => "choice yes",
        Choice::No => "choice no",
        Choice::Neutral => "choice neutral",
        Choice::Option(_) => "choice of an option",
    }
    how(How) in HOWS {
        How::Direct => "written directly",
        How::Json => "read as json",
        How::Fenced => "read as fenced",
        How::Repaired => "read as repaired",
        How::Sections => "read as sections",
        How::Text => "read as text",
    }
    seat_kind(SeatKind) in SEAT_KINDS {
        SeatKind::Model => "seat of a model",
        SeatKind::Person => "seat of a person",
        SeatKind::Scripted => "seat of a script",
        SeatKind::CommandLine => "seat of a command line",
        SeatKind::Rehearsal => "seat of a rehearsal",
        SeatKind::Outside => "seat of an outside agent",
    }
    task(Task) in TASKS {
        Task::Speak { .. } => "task speak",
        Task::Vote { .. } => "task vote",
        Task::Join => "task join",
        Task::Propose => "task propose",
        Task::Weigh => "task weigh",
        Task::Second => "task second",
        Task::Clerk(_) => "task of a clerk",
    }
    meant(ContributionKind) in MEANT {
        ContributionKind::Statement => "said as a statement",
        ContributionKind::Opinion => "said as an opinion",
        ContributionKind::Question => "said as a question",
        ContributionKind::Synthesis => "said as a synthesis",
        ContributionKind::Proposal { .. } => "said as a proposal",
        ContributionKind::Amendment { .. } => "said as an amendment",
        ContributionKind::Reaction(_) => "said as a reaction",
        ContributionKind::Answer => "said as an answer",
        ContributionKind::Estimate => "said as an estimate",
        ContributionKind::Comment(_) => "said as a comment",
    }
    reaction(Reaction) in REACTIONS {
        Reaction::Agree => "reaction agree",
        Reaction::Disagree => "reaction disagree",
        Reaction::NeedClarification => "reaction need clarification",
        Reaction::Interesting => "reaction interesting",
        Reaction::Concerning => "reaction concerning",
        Reaction::PartiallyAgree => "reaction partially agree",
    }
    grade(Grade) in GRADES {
        Grade::Approve => "grade approve",
        Grade::ApproveWithConcerns => "grade approve with concerns",
        Grade::Abstain => "grade abstain",
        Grade::RequestChanges => "grade request changes",
        Grade::Reject => "grade reject",
    }
    phase(Phase) in PHASES {
        Phase::Gathering => "phase gathering",
        Phase::Proposing => "phase proposing",
        Phase::Discussing => "phase discussing",
        Phase::Converging => "phase converging",
        Phase::Voting => "phase voting",
    }
    basis(Basis) in BASES {
        Basis::Cast => "basis cast",
        Basis::Votes => "basis votes",
        Basis::Present => "basis present",
        Basis::Seats => "basis seats",
    }
    tie(Tie) in TIES {
        Tie::Fails => "tie fails",
        Tie::Undecided => "tie undecided",
        Tie::Earlier => "tie earlier",
    }
    method(Method) in METHODS {
        Method::Plurality => "method plurality",
        Method::Borda => "method borda",
        Method::Schulze => "method schulze",
        Method::InstantRunoff => "method instant run-off",
        Method::Approval => "method approval",
        Method::Score => "method score",
    }
    numbers(StandingNumbers) in NUMBERS {
        StandingNumbers::Borda { .. } => "numbers of borda",
        StandingNumbers::Schulze { .. } => "numbers of schulze",
        StandingNumbers::InstantRunoff { .. } => "numbers of an instant run-off",
        StandingNumbers::Approval { .. } => "numbers of approval",
        StandingNumbers::Score { .. } => "numbers of scores",
    }
    marks(Marks) in MARKS {
        Marks::Ranking(_) => "marks ranking",
        Marks::Approved(_) => "marks approved",
        Marks::Scores(_) => "marks scores",
    }
    secrecy(Secrecy) in SECRECIES {
        Secrecy::Open => "secrecy open",
        Secrecy::UntilClosed => "secrecy until closed",
        Secrecy::Secret => "secrecy secret",
    }
    weights(Weights) in WEIGHTS {
        Weights::Equal => "weights equal",
        Weights::Confidence => "weights by confidence",
        Weights::Reliability => "weights by record",
    }
    loss(Loss) in LOSSES {
        Loss::Cycle => "lost in a cycle",
        Loss::Nobody => "lost to nobody",
    }
    breach(Breach) in BREACHES {
        Breach::Empty => "breach empty",
        Breach::TooLong { .. } => "breach too long",
        Breach::StanceMissing => "breach stance missing",
        Breach::ConfidenceMissing => "breach confidence missing",
        Breach::ConfidenceOutside { .. } => "breach confidence outside",
        Breach::FieldMissing { .. } => "breach field missing",
        Breach::StanceUnexpected { got: Some(_), .. } => "breach stance unexpected",
        Breach::StanceUnexpected { got: None, .. } => "breach stance withheld",
        Breach::Conformity { .. } => "breach conformity",
        Breach::CommentBudgetExceeded { .. } => "breach comment budget",
        Breach::IssueCommentLimit { .. } => "breach issue limit",
        Breach::EscalationLanguage { .. } => "breach escalation",
        Breach::PingPong { .. } => "breach ping-pong",
        Breach::InsufficientSubstance { .. } => "breach substance",
        Breach::LowVocabulary { .. } => "breach vocabulary",
        Breach::Repetition { .. } => "breach repetition",
        Breach::MissingEvidence { .. } => "breach evidence",
        Breach::PrematureResolution { .. } => "breach premature",
        Breach::FalseEvidence { .. } => "breach false evidence",
    }
    perspectives(Perspectives) in PERSPECTIVES {
        Perspectives::Usual => "perspectives usual",
        Perspectives::Given(_) => "perspectives given",
        Perspectives::Generated => "perspectives generated",
    }
    chore(Chore) in CHORES {
        Chore::Perspectives => "chore perspectives",
        Chore::Judge { .. } => "chore judge",
        Chore::Digest { .. } => "chore digest",
        Chore::Synthesise => "chore synthesise",
        Chore::Merge => "chore merge",
    }
    wrong(Wrong) in WRONGS {
        Wrong::Query { .. } => "wrong query",
        Wrong::Reason { .. } => "wrong reason",
        Wrong::Priority { .. } => "wrong priority",
        Wrong::LastRound { .. } => "wrong last round",
        Wrong::Repeated { .. } => "wrong repeated",
        Wrong::File { .. } => "wrong file",
        Wrong::Files { .. } => "wrong files",
        Wrong::FileRepeated { .. } => "wrong file repeated",
    }
}

/// Asks that are opened by an event of their own; others come with the floor or a ballot.
const TASKS_OPENED: &[&str] = &["task join", "task propose", "task weigh", "task of a clerk"];

/// What no line can hold yet, and why.
pub(super) const NOT_YET: [(&str, &str); 3] = [
    ("breach repetition", "refused from edition 3 on, and the chapters of issues were written by edition 2"),
    ("canon/bad-name", "a command holds a name that was read already"),
    ("roster/too-many-seats", "a line with ten thousand names would be larger than all others"),
];

/// Every name.
pub(super) fn all() -> impl Iterator<Item = &'static str> {
    let _ = TASKS;
    let lists = [
        COMMANDS,
        PARTS,
        EVENTS,
        ACTORS,
        DECISIONS,
        PAUSES,
        CHOICES,
        HOWS,
        SEAT_KINDS,
        TASKS_OPENED,
        MEANT,
        REACTIONS,
        GRADES,
        PHASES,
        BASES,
        TIES,
        METHODS,
        NUMBERS,
        MARKS,
        SECRECIES,
        WEIGHTS,
        LOSSES,
        BREACHES,
        PERSPECTIVES,
        CHORES,
        WRONGS,
        fields::ALL,
    ];
    let refusals = Refusal::ALL.iter().flat_map(|(_, entries)| entries.iter()).map(|entry| entry.code);
    lists
        .into_iter()
        .flatten()
        .copied()
        .chain(refusals)
        .chain(called::all())
        .chain(at_door::all())
        .chain(hindsight::all())
        .chain(rules::all())
        .chain(credits::all())
        .chain(sources::all())
        .chain(upkeep::all())
        .chain(watched::all())
        .chain(shop::all())
        .chain(lore::all())
}

/// The names of what an act holds.
pub(super) fn of(act: &Act) -> Vec<&'static str> {
    let mut names = vec![command(&act.command), actor(&act.by)];
    ordered(&act.command, &mut names);
    match &act.outcome {
        Outcome::Done(events) => {
            for each in events {
                names.push(event(each));
                inside(each, &mut names);
            }
        }
        Outcome::Refused { code, .. } => names.extend(Refusal::listed(code).map(|entry| entry.code)),
    }
    names
}

/// The names of what a command holds.
fn ordered(command: &Command, names: &mut Vec<&'static str>) {
    match command {
        Command::Open(open) => {
            names.push(perspectives(&open.perspectives));
            names.extend(fields::open(open));
        }
        Command::Council(council::Command::Fork(fork)) => names.extend(fields::fork(fork)),
        Command::Council(council::Command::Continue { context, focus, matter: _, to_end }) => {
            let (focus, to_end) = (focus.as_deref(), *to_end);
            names.extend(fields::go_on(&fields::Continue { context, focus, to_end }));
        }
        Command::Found { .. } | Command::Upgrade { .. } => {}
        // What they hold, their events hold.
        Command::AdjustTime(_) | Command::ChangeKey { .. } | Command::NoteRepair(_) => {}
        Command::Adopt { .. } | Command::Enrol { .. } | Command::Begin { .. } => {}
        Command::Key { key, who: _ } => names.extend(fields::key(&fields::Signs { key: key.clone() })),
        Command::Answer { salt, ask: _, call: _, text: _ } => {
            names.extend(fields::answer(&fields::Answer { salt: salt.as_deref() }));
        }
        Command::Deliver { ask: _, delivered } => match &**delivered {
            Delivered::Read(reading) => sources::read(reading, names),
            Delivered::Checked(findings) => credits::found(findings, names),
        },
        Command::Fail { .. } | Command::Halt { .. } | Command::Pause { .. } | Command::Resume { .. } => {}
        Command::Stop { .. }
        | Command::Tick
        | Command::Council(council::Command::Supply { .. })
        | Command::Council(council::Command::Waive { .. }) => {}
        Command::Council(council::Command::Synthesise { .. })
        | Command::Council(council::Command::Judge { .. })
        | Command::Council(council::Command::Second { .. })
        | Command::Council(council::Command::Withdraw { .. })
        | Command::Council(council::Command::Table { .. })
        | Command::Redact { .. } => {}
        // What it holds, its events hold.
        Command::ConfigureTriggers(_) | Command::ReportRejections { .. } => {}
        Command::Observe { observation } => called::observed(observation, names),
        Command::Trigger(request) => called::requested(request, names),
        Command::Ring(ring::Command::Participate { matter: _, action: done }) => {
            names.push(part(done));
            taken::part(done, names);
        }
        Command::Ring(ring::Command::Start { .. }) | Command::Ring(ring::Command::Remove { .. }) => {}
        Command::RecordOutcome { matter: _, verdict } => hindsight::told(verdict, names),
        // What they hold, their events hold.
        Command::Appoint { .. } => {}
        Command::Workshop(command) => lore::commanded(command, names),
    }
}

/// The names of what happens on the table.
fn laid(event: &table::Event, names: &mut Vec<&'static str>) {
    match event.clone() {
        table::Event::PhaseEntered { matter: _, phase: entered } => names.push(phase(&entered)),
        table::Event::Ruled { accepted: _, amendment: _, matter: _, why } => {
            names.extend(fields::ruled(&fields::Ruled { why }));
        }
    }
}

/// The names of what an event holds.
fn inside(event: &Event, names: &mut Vec<&'static str>) {
    match event {
        Event::House(event) => upkeep::happened(event, names),
        Event::Floor(floor::Event::Skipped { ask: _, why }) => {
            names.extend(fields::skipped(&fields::Skipped { why: why.clone() }));
        }
        Event::Floor(_) => {}
        Event::Table(event) => laid(event, names),
        Event::Charter(adopted) => rules::chartered(&adopted.rules, names),
        Event::Roster(roster::Event::Keyed { key, who: _ }) => {
            names.extend(fields::keyed(&fields::Signs { key: key.clone() }));
        }
        Event::Roster(roster::Event::Appointed { .. }) => {}
        Event::Roster(roster::Event::Enrolled { seat }) => {
            names.push(seat_kind(&seat.kind));
            names.extend(fields::seat(seat));
            names.extend(seat.profile.iter().flat_map(|profile| fields::profile(profile)));
        }
        Event::Matter(event) => match event {
            matter::Event::Opened(opening) => {
                names.extend(fields::opening(opening));
                names.extend(fields::question(&opening.question));
            }
            matter::Event::StageEntered { .. } | matter::Event::Resumed { .. } => {}
            matter::Event::Stepped { .. } | matter::Event::Redacted { .. } => {}
            matter::Event::Reopened { .. } | matter::Event::Seconded { .. } => {}
            matter::Event::Paused { halt, why, .. } => {
                names.extend(fields::halted(halt.is_some()).into_iter().chain([pause(why)]));
            }
            matter::Event::Settled { decision: made, .. } => names.push(decision(made)),
        },
        Event::Gate(gate::Event::Admitted(said)) => admitted(said, names),
        Event::Gate(gate::Event::Posted { said, .. }) => {
            admitted(said, names);
            shop::commented(said, names);
        }
        Event::Gate(gate::Event::Held { .. }) => {}
        Event::Gate(gate::Event::Refused { breaches, .. }) => names.extend(breaches.iter().map(breach)),
        Event::Evidence(_) => {}
        Event::Ledger(event) => credits::happened(event, names),
        Event::Issue(event) => shop::happened(event, names),
        Event::Dissent(event) => shop::dissented(event, names),
        Event::Period(_) => {}
        Event::Canon(event) => lore::happened(event, names),
        Event::Lease(event) => lore::leased(event, names),
        Event::Gate(gate::Event::Rejected { breaches, .. }) => names.extend(breaches.iter().map(breach)),
        Event::Ballot(event) => match event {
            ballot::Event::Opened { rule, trust, stage, matter: _, options: _, seats: _ } => {
                names.extend(fields::voting(&fields::Voting { stage: *stage }));
                hindsight::believed(rule.record.as_ref(), trust.as_ref(), names);
                names.extend([basis(&rule.basis), tie(&rule.tie), method(&rule.method)]);
                names.extend([secrecy(&rule.secrecy), weights(&rule.weights)]);
                names.extend(fields::ballot(rule));
            }
            ballot::Event::Cast { vote, .. } | ballot::Event::Stated { vote, .. } => {
                names.extend([how(&vote.how), choice(&vote.choice)]);
                names.extend(fields::vote(vote));
                names.extend(vote.marks.as_ref().map(marks));
            }
            ballot::Event::Delegated { delegation, .. } => {
                names.push(how(&delegation.how));
                names.extend(fields::delegation(delegation));
            }
            ballot::Event::Closed { decision: made, count, .. } => {
                names.push(decision(made));
                if let Some(count) = count {
                    names.extend(fields::count(count));
                    names.extend(count.carried.iter().flat_map(fields::carried));
                    names.extend(count.lost.iter().map(|lost| loss(&lost.why)));
                    names.extend(count.standing.iter().map(|standing| numbers(&standing.numbers)));
                }
            }
            ballot::Event::Graded { vote, .. } => {
                names.push(grade(&vote.grade));
                names.extend(fields::graded(vote));
            }
            ballot::Event::Counted { ballot: _, matter: _, standings, tied } => {
                names.extend(standings.iter().flat_map(fields::grades));
                names.extend(fields::counted(&fields::Counted { tied: tied.clone() }));
            }
            ballot::Event::Asked { .. } | ballot::Event::Unparsed { .. } => {}
        },
        Event::Meter(event) => match event {
            meter::Event::Limited { limits, .. } => names.extend(fields::limits(limits)),
            meter::Event::Reserved { worst, .. } => names.extend(fields::worst(worst)),
            meter::Event::Spent { call, .. } => {
                names.extend(fields::call(call).into_iter().chain(fields::usage(&call.usage)));
                names.extend(call.evidence.iter().flat_map(fields::evidence));
            }
        },
        Event::Ask(event) => match event {
            ask::Event::Opened { task: asked, .. } => {
                names.push(task(asked));
                if let Task::Clerk(asked) = asked {
                    names.push(chore(asked));
                }
            }
            ask::Event::Lapsed { cause, strike, ask: _ } => {
                names.extend(fields::cause(cause));
                names.extend(fields::lapsed(&fields::Lapsed { strike: *strike }));
            }
            ask::Event::Sent { task, .. } => sources::sent(task, names),
            ask::Event::Begun { patience_ms, .. } => names.extend(fields::patient(*patience_ms)),
            ask::Event::Met { .. } | ask::Event::Renewed { .. } => {}
        },
        Event::Context(event) => match event {
            context::Event::Refused { wrong: why, .. } => names.push(wrong(why)),
            context::Event::Synthesised { synthesis, .. } => names.extend(fields::synthesis(synthesis)),
            context::Event::Compared { .. } => {}
            context::Event::Listed { answers, left_out, .. } => answers::listed(answers, left_out, names),
            context::Event::Given { .. } | context::Event::Focused { .. } => {}
            context::Event::Requested { request, .. } => sources::requested(request, names),
            context::Event::Read { .. } | context::Event::Unread { .. } => {}
            context::Event::Answered { .. } | context::Event::Digested { .. } => {}
            context::Event::Waived { .. } | context::Event::Perspectives { .. } => {}
        },
        Event::Watch(event) => watched::happened(event, names),
        Event::Monitor(event) => called::monitored(event, names),
        Event::Trigger(event) => called::triggered(event, names),
        Event::Rejections(event) => at_door::happened(event, names),
        Event::Track(event) => hindsight::happened(event, names),
    }
}

fn admitted(said: &Contribution, names: &mut Vec<&'static str>) {
    names.extend([how(&said.how), meant(&said.kind)]);
    if let ContributionKind::Reaction(given) = &said.kind {
        names.push(reaction(given));
    }
    names.extend(said.response.stance.as_ref().map(choice));
    names.extend(fields::contribution(said));
    names.extend(fields::response(&said.response));
    names.extend(said.response.estimate.iter().flat_map(fields::estimate));
    names.extend(said.response.citations.iter().flat_map(fields::citation));
}
