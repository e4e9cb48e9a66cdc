//! A charter as somebody wrote it: every field optional, each with its line.

use std::collections::BTreeSet;

use super::Knob;
use super::own::Own;
use super::source::{self, Flaw, Lined, SourceTable};
use crate::ballot::{Basis, Method, Secrecy, Tie, Weights};
use crate::floor::FloorOrder;
use crate::kernel::{Choice, Ratio, Threshold};
use crate::lens::Sees;

/// A text and its line, if it was written.
type TextField = Option<Lined<String>>;
/// A list of texts and its line, if it was written.
pub(super) type TextListField = Option<Lined<Vec<String>>>;

/// What was written.
#[derive(Debug, Default)]
pub struct Draft {
    pub(super) extends: TextField,
    pub(super) without: TextListField,
    pub(super) base: Option<Lined<bool>>,
    pub(super) name: TextField,
    pub(super) title: TextField,
    pub(super) summary: TextField,
    pub(super) turn: DraftTurn,
    pub(super) gate: DraftGate,
    pub(super) ballot: DraftBallot,
    pub(super) brief: DraftBrief,
    pub(super) stages: Vec<DraftStage>,
    pub(super) watch: DraftWatch,
    pub(super) transforms: TextListField,
    pub(super) tools: Option<DraftTools>,
    pub(super) by_seats: TextListField,
    pub(super) beyond: TextListField,
    pub(super) yes_no_only: Option<Lined<bool>>,
    pub(super) personas: TextListField,
    pub(super) roles: Vec<DraftRole>,
    pub(super) perspectives: Vec<DraftPerspective>,
    pub(super) motions: Vec<DraftMotion>,
    pub(super) parliament: Option<super::parliament::DraftParliament>,
    pub(super) own: Option<Own>,
    /// The path of every key a charter can have, for the test that compares them with the schema.
    pub asked: BTreeSet<String>,
}

#[derive(Debug, Default)]
pub(super) struct DraftTurn {
    pub(super) limit_ms: Option<Lined<Knob>>,
    pub(super) person_limit_ms: Option<Lined<Knob>>,
    pub(super) queue_ms: Option<Lined<Knob>>,
    pub(super) absent_after: Option<Lined<Knob>>,
    pub(super) history_chars: Option<Lined<Knob>>,
    pub(super) words: Option<Lined<Knob>>,
}

#[derive(Debug, Default)]
pub(super) struct DraftWatch {
    pub(super) groupthink: Option<Lined<bool>>,
    pub(super) consensus: Option<Lined<Knob<Threshold>>>,
    pub(super) confidence: Option<Lined<Knob<Threshold>>>,
    pub(super) still_rounds: Option<Lined<u64>>,
    pub(super) early: Option<Lined<Knob>>,
}

#[derive(Debug)]
pub(super) struct DraftTools {
    pub(super) line: usize,
    pub(super) encouraged: TextListField,
    pub(super) discouraged: TextListField,
    pub(super) reason: TextField,
}

#[derive(Debug)]
pub(super) struct DraftRole {
    pub(super) line: usize,
    pub(super) name: TextField,
    pub(super) emoji: TextField,
    pub(super) title: TextField,
    pub(super) definition: TextField,
    pub(super) mission: TextField,
    pub(super) must: TextListField,
    pub(super) must_not: TextListField,
    pub(super) expects: Option<Lined<Choice>>,
}

#[derive(Debug)]
pub(super) struct DraftMotion {
    pub(super) line: usize,
    pub(super) name: TextField,
    pub(super) pass: Option<Lined<Knob<Threshold>>>,
}

#[derive(Debug)]
pub(super) struct DraftPerspective {
    pub(super) line: usize,
    pub(super) name: TextField,
    pub(super) view: TextField,
}

#[derive(Debug, Default)]
pub(super) struct DraftGate {
    pub(super) stance_required: Option<Lined<bool>>,
    pub(super) confidence_least: Option<Lined<Ratio>>,
    pub(super) confidence_most: Option<Lined<Ratio>>,
    pub(super) required_fields: TextListField,
    pub(super) chars_most: Option<Lined<u64>>,
    pub(super) moved_by: TextField,
}

#[derive(Debug, Default)]
pub(super) struct DraftBallot {
    pub(super) line: usize,
    pub(super) pass: Option<Lined<Knob<Threshold>>>,
    pub(super) basis: Option<Lined<Basis>>,
    pub(super) quorum: Option<Lined<Knob<Ratio>>>,
    pub(super) tie: Option<Lined<Tie>>,
    pub(super) unparsed_retries: Option<Lined<u64>>,
    pub(super) change: Option<Lined<bool>>,
    pub(super) change_needs_argument: Option<Lined<bool>>,
    pub(super) method: Option<Lined<Method>>,
    pub(super) secrecy: Option<Lined<Secrecy>>,
    pub(super) veto: TextListField,
    pub(super) weights: Option<Lined<Weights>>,
    pub(super) record: Option<DraftRecord>,
    pub(super) delegation: Option<Lined<bool>>,
}

#[derive(Debug)]
pub(super) struct DraftRecord {
    pub(super) line: usize,
    pub(super) least: Option<Lined<u64>>,
    pub(super) shrink: Option<Lined<u64>>,
    pub(super) top: Option<Lined<u64>>,
}

#[derive(Debug, Default)]
pub(super) struct DraftBrief {
    pub(super) line: usize,
    pub(super) emoji: TextField,
    pub(super) title: TextField,
    pub(super) definition: TextField,
    pub(super) mission: TextField,
    pub(super) persistence: TextField,
    pub(super) helpful: TextField,
    pub(super) not_helpful: TextField,
    pub(super) must: TextListField,
    pub(super) must_not: TextListField,
    pub(super) priority: TextListField,
    pub(super) failure: TextField,
    pub(super) first: Vec<DraftSection>,
    pub(super) later: Vec<DraftSection>,
    pub(super) checklist: TextListField,
}

#[derive(Debug)]
pub(super) struct DraftSection {
    pub(super) line: usize,
    pub(super) key: TextField,
    pub(super) ask: TextField,
    pub(super) optional: Option<Lined<bool>>,
}

#[derive(Debug)]
pub(super) struct DraftStage {
    pub(super) line: usize,
    pub(super) name: TextField,
    pub(super) kind: Option<Lined<DraftKind>>,
    pub(super) floor: Option<Lined<FloorOrder>>,
    pub(super) sees: Option<Lined<Sees>>,
    pub(super) rounds: Option<Lined<Knob>>,
    pub(super) until_clear: Option<Lined<Knob<Threshold>>>,
    pub(super) until_still: Option<Lined<bool>>,
    pub(super) crux: Option<Lined<bool>>,
    pub(super) early: Option<Lined<Knob<Threshold>>>,
    pub(super) panel: Option<Lined<Vec<u64>>>,
    pub(super) stances: Option<Lined<bool>>,
    pub(super) asks: Option<Lined<Knob>>,
    pub(super) on: Option<Lined<Knob>>,
    pub(super) seats: Option<Lined<Knob>>,
    pub(super) at: Option<Lined<Knob<Threshold>>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DraftKind {
    Speak,
    Vote,
    Propose,
    Merge,
    Estimate,
    Second,
    RedTeam,
}

/// What may happen in a stage.
pub(super) const KINDS: [(&str, DraftKind); 7] = [
    ("speak", DraftKind::Speak),
    ("vote", DraftKind::Vote),
    ("propose", DraftKind::Propose),
    ("merge", DraftKind::Merge),
    ("estimate", DraftKind::Estimate),
    ("second", DraftKind::Second),
    ("red-team", DraftKind::RedTeam),
];

/// How a threshold is written.
pub(super) const THRESHOLD: &str = "a threshold such as \"> 1/2\" or \">= 2/3\", or { is = \"> 1/2\", from = \"1/2\", to = \"1\" } to let it be moved";
/// How a fraction is written.
pub(super) const FRACTION: &str = "a fraction such as \"2/3\", \"60%\" or 0.6";
/// How a fraction is written that may be moved.
const QUORUM: &str = "a fraction such as \"2/3\", \"60%\" or 0.6, or { is = \"2/3\", from = \"1/2\", to = \"1\" } to let it be moved";

impl Draft {
    /// Reads what was written, with every flaw that shows before anything is put together.
    pub fn read(text: &str) -> (Self, Vec<Flaw>) {
        let (mut draft, flaws, asked) = source::read(text, |root| {
            let (by_seats, beyond, yes_no_only) =
                root.table("roles").as_ref().map(seating).unwrap_or_default();
            Self {
                watch: root.table("watch").as_ref().map(watch).unwrap_or_default(),
                transforms: root.table("lens").as_ref().and_then(transforms),
                tools: root.table("tools").as_ref().map(tools),
                by_seats,
                beyond,
                yes_no_only,
                personas: root.texts("personas"),
                roles: root.tables("role").iter().map(role).collect(),
                perspectives: root.tables("perspective").iter().map(perspective).collect(),
                motions: root.tables("motion").iter().map(motion).collect(),
                parliament: root.table("parliament").as_ref().map(super::parliament::DraftParliament::read),
                own: Own::read(root),
                extends: root.text("extends"),
                without: root.texts("without"),
                base: root.bool("base"),
                name: root.text("name"),
                title: root.text("title"),
                summary: root.text("summary"),
                turn: root.table("turn").as_ref().map(turn).unwrap_or_default(),
                gate: root.table("gate").as_ref().map(gate).unwrap_or_default(),
                ballot: root.table("ballot").as_ref().map(ballot).unwrap_or_default(),
                brief: root.table("brief").as_ref().map(brief).unwrap_or_default(),
                stages: root.tables("stage").iter().map(stage).collect(),
                asked: BTreeSet::new(),
            }
        });
        draft.asked = asked;
        (draft, flaws)
    }
}

fn turn(table: &SourceTable<'_, '_>) -> DraftTurn {
    let turn = DraftTurn {
        limit_ms: table.knob("limit_ms"),
        person_limit_ms: table.knob("person_limit_ms"),
        queue_ms: table.knob("queue_ms"),
        absent_after: table.knob("absent_after"),
        history_chars: table.knob("history_chars"),
        words: table.knob("words"),
    };
    table.finish();
    turn
}

fn watch(table: &SourceTable<'_, '_>) -> DraftWatch {
    let watch = DraftWatch {
        groupthink: table.bool("groupthink"),
        consensus: table.parsed_knob("consensus", THRESHOLD),
        confidence: table.parsed_knob("confidence", THRESHOLD),
        still_rounds: table.whole("still_rounds"),
        early: table.knob("early"),
    };
    table.finish();
    watch
}

fn transforms(table: &SourceTable<'_, '_>) -> TextListField {
    let transforms = table.texts("transforms");
    table.finish();
    transforms
}

fn tools(table: &SourceTable<'_, '_>) -> DraftTools {
    let tools = DraftTools {
        line: table.line(),
        encouraged: table.texts("encouraged"),
        discouraged: table.texts("discouraged"),
        reason: table.text("reason"),
    };
    table.finish();
    tools
}

fn seating(table: &SourceTable<'_, '_>) -> (TextListField, TextListField, Option<Lined<bool>>) {
    let seating = (table.texts("by_seats"), table.texts("beyond"), table.bool("yes_no_only"));
    table.finish();
    seating
}

fn role(table: &SourceTable<'_, '_>) -> DraftRole {
    let sides = [("YES", Choice::Yes), ("NO", Choice::No), ("NEUTRAL", Choice::Neutral)];
    let role = DraftRole {
        line: table.line(),
        name: table.text("name"),
        emoji: table.text("emoji"),
        title: table.text("title"),
        definition: table.text("definition"),
        mission: table.text("mission"),
        must: table.texts("must"),
        must_not: table.texts("must_not"),
        expects: table.word("expects", &sides),
    };
    table.finish();
    role
}

fn perspective(table: &SourceTable<'_, '_>) -> DraftPerspective {
    let perspective =
        DraftPerspective { line: table.line(), name: table.text("name"), view: table.text("view") };
    table.finish();
    perspective
}

fn motion(table: &SourceTable<'_, '_>) -> DraftMotion {
    let motion = DraftMotion {
        line: table.line(),
        name: table.text("name"),
        pass: table.parsed_knob("pass", THRESHOLD),
    };
    table.finish();
    motion
}

fn gate(table: &SourceTable<'_, '_>) -> DraftGate {
    let gate = DraftGate {
        stance_required: table.bool("stance_required"),
        confidence_least: table.parsed("confidence_least", FRACTION),
        confidence_most: table.parsed("confidence_most", FRACTION),
        required_fields: table.texts("required_fields"),
        chars_most: table.whole("chars_most"),
        moved_by: table.text("moved_by"),
    };
    table.finish();
    gate
}

fn ballot(table: &SourceTable<'_, '_>) -> DraftBallot {
    let bases = [
        ("cast", Basis::Cast),
        ("votes", Basis::Votes),
        ("present", Basis::Present),
        ("seats", Basis::Seats),
    ];
    let ties = [("fails", Tie::Fails), ("undecided", Tie::Undecided), ("earlier", Tie::Earlier)];
    let secrecies = [Secrecy::Open, Secrecy::UntilClosed, Secrecy::Secret].map(|it| (it.word(), it));
    let weights = Weights::ALL.map(|it| (it.word(), it));
    let record = |table: SourceTable<'_, '_>| {
        let record = DraftRecord {
            line: table.line(),
            least: table.whole("least"),
            shrink: table.whole("shrink"),
            top: table.whole("top"),
        };
        table.finish();
        record
    };
    let ballot = DraftBallot {
        line: table.line(),
        method: table.word("method", &Method::ALL),
        secrecy: table.word("secrecy", &secrecies),
        veto: table.texts("veto"),
        weights: table.word("weights", &weights),
        record: table.table("record").map(record),
        change: table.bool("change"),
        delegation: table.bool("delegation"),
        pass: table.parsed_knob("pass", THRESHOLD),
        basis: table.word("basis", &bases),
        quorum: table.parsed_knob("quorum", QUORUM),
        tie: table.word("tie", &ties),
        unparsed_retries: table.whole("unparsed_retries"),
        change_needs_argument: table.bool("change_needs_argument"),
    };
    table.finish();
    ballot
}

fn brief(table: &SourceTable<'_, '_>) -> DraftBrief {
    let mut brief = DraftBrief {
        line: table.line(),
        first: table.tables("first").iter().map(section).collect(),
        later: table.tables("later").iter().map(section).collect(),
        checklist: table.texts("checklist"),
        ..DraftBrief::default()
    };
    if let Some(role) = table.table("role") {
        brief.emoji = role.text("emoji");
        brief.title = role.text("title");
        brief.definition = role.text("definition");
        brief.mission = role.text("mission");
        brief.persistence = role.text("persistence");
        brief.helpful = role.text("helpful");
        brief.not_helpful = role.text("not_helpful");
        role.finish();
    }
    if let Some(contract) = table.table("contract") {
        brief.must = contract.texts("must");
        brief.must_not = contract.texts("must_not");
        brief.priority = contract.texts("priority");
        brief.failure = contract.text("failure");
        contract.finish();
    }
    table.finish();
    brief
}

fn section(table: &SourceTable<'_, '_>) -> DraftSection {
    let section = DraftSection {
        line: table.line(),
        key: table.text("key"),
        ask: table.text("ask"),
        optional: table.bool("optional"),
    };
    table.finish();
    section
}

fn stage(table: &SourceTable<'_, '_>) -> DraftStage {
    let sees = [
        ("nothing", Sees::Nothing),
        ("earlier-rounds", Sees::EarlierRounds),
        ("so-far", Sees::SoFar),
        ("team", Sees::Team),
    ];
    let floors = [
        ("parallel", FloorOrder::Parallel),
        ("sequential", FloorOrder::Sequential),
        ("teams", FloorOrder::Teams),
    ];
    let stage = DraftStage {
        line: table.line(),
        name: table.text("name"),
        kind: table.word("kind", &KINDS),
        floor: table.word("floor", &floors),
        sees: table.word("sees", &sees),
        rounds: table.knob("rounds"),
        until_clear: table.parsed_knob("until_clear", THRESHOLD),
        until_still: table.bool("until_still"),
        crux: table.bool("crux"),
        early: table.parsed_knob("early", THRESHOLD),
        panel: table.wholes("panel"),
        stances: table.bool("stances"),
        asks: table.knob("asks"),
        on: table.knob("on"),
        seats: table.knob("seats"),
        at: table.parsed_knob("at", THRESHOLD),
    };
    table.finish();
    stage
}
