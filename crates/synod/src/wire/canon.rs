//! Canon on the wire: entries and their versions, texts held against them, and what is sent to change them.

use serde::{Deserialize, Serialize};
use synod_core::House;
use synod_core::canon::{
    CanonConflict, CanonVersion, Claim, ClaimSource, ClaimValue, ConflictChoice, EntryName, FoundConflicts,
    ProposedClaims,
};
use synod_core::kernel::{At, Id, MatterId};
use utoipa::ToSchema;

use super::ids::WrittenId;
use super::numbers::whole;

/// One version of an entry of the canon.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = CanonEntry)]
pub(crate) struct CanonEntryView {
    /// How it is cited: `canon:eyes@2`.
    pub(crate) cite: String,
    /// Its name.
    pub(crate) name: String,
    /// Its version, counted from 1.
    pub(crate) version: u32,
    /// `current`, `superseded`, `expired` or `ended`.
    pub(crate) status: String,
    /// What it says.
    pub(crate) text: String,
    /// What was read from it, or accepted for it.
    pub(crate) claims: Vec<String>,
    /// When it was promoted, in Unix milliseconds.
    #[schema(value_type = u64)]
    pub(crate) at: At,
    /// By whom.
    pub(crate) by: String,
    /// It holds until then, in Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u64>)]
    pub(crate) until: Option<At>,
    /// The number of the issue it came from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) issue: Option<u64>,
    /// The agents that voted for it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) votes: Vec<String>,
    /// Why it was ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) why_ended: Option<String>,
}

impl CanonEntryView {
    fn of(house: &House, name: &EntryName, version: &CanonVersion, at: At) -> Self {
        let status = house.canon().entry(name).and_then(|entry| entry.status(version.version, at));
        Self {
            cite: format!("canon:{name}@{}", version.version),
            name: name.to_string(),
            version: version.version,
            status: status.map(|status| status.word()).unwrap_or_default().into(),
            text: version.text.clone(),
            claims: version.claims.iter().map(Claim::in_words).collect(),
            at: version.at,
            by: version.by.to_string(),
            until: version.until,
            issue: version.matter.and_then(|matter| number(house, matter)),
            votes: version.votes.iter().map(ToString::to_string).collect(),
            why_ended: version.ended.as_ref().and_then(|(_, _, why)| why.clone()),
        }
    }

    /// All versions of an entry, the oldest first; nothing if there is no such entry.
    pub(crate) fn history(house: &House, name: &EntryName, at: At) -> Vec<Self> {
        let entry = house.canon().entry(name);
        let versions = entry.into_iter().flat_map(|entry| entry.history());
        versions.map(|version| Self::of(house, name, version, at)).collect()
    }
}

/// The number of an issue.
fn number(house: &House, matter: MatterId) -> Option<u64> {
    house.docket().row(matter).map(|row| row.number)
}

/// Entries of the canon.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = CanonEntries)]
pub(crate) struct CanonPage {
    /// The latest version of each entry, by name; or all versions of one entry, the oldest first.
    pub(crate) entries: Vec<CanonEntryView>,
}

impl CanonPage {
    /// The latest version of each entry; of those that hold unless `all` are wanted.
    pub(crate) fn of(house: &House, at: At, all: bool) -> Self {
        let latest = house.canon().entries().filter_map(|(name, entry)| Some((name, entry.latest()?)));
        let views = latest.map(|(name, version)| CanonEntryView::of(house, name, version, at));
        Self { entries: views.filter(|view| all || view.status == "current").collect() }
    }
}

/// A text to hold against canon.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CanonCheck)]
pub(crate) struct CheckBody {
    /// The text.
    pub(crate) text: String,
}

/// A sentence that contradicts canon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = CanonConflict)]
pub(crate) struct ConflictView {
    /// The line of the text, counted from 1.
    pub(crate) line: u32,
    /// The entry at its version: `canon:eyes@2`.
    pub(crate) entry: String,
    /// What canon says: `mara eye: green`.
    pub(crate) canon: String,
    /// What the text says: `mara eye: blue`.
    pub(crate) text: String,
    /// The sentence of the text.
    pub(crate) said: String,
    /// What was chosen about it: `override`, `keep` or `discuss`. Left out where nobody chose, or nothing is recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) choice: Option<String>,
}

impl From<&CanonConflict> for ConflictView {
    fn from(conflict: &CanonConflict) -> Self {
        Self {
            line: conflict.line,
            entry: conflict.entry.to_string(),
            canon: conflict.canon.in_words(),
            text: conflict.text.in_words(),
            said: conflict.text.said.clone(),
            choice: None,
        }
    }
}

/// What contradicts canon in a text.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = CanonChecked)]
pub(crate) struct CheckedText {
    /// Every conflict, in the order of the text.
    pub(crate) conflicts: Vec<ConflictView>,
}

/// What somebody wrote in an issue and contradicts canon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = RecordedConflict)]
pub(crate) struct FoundConflictView {
    /// Its id.
    #[schema(value_type = String)]
    pub(crate) id: Id,
    /// When, in Unix milliseconds.
    #[schema(value_type = u64)]
    pub(crate) at: At,
    /// The number of the issue.
    pub(crate) issue: Option<u64>,
    /// Who wrote it.
    pub(crate) who: String,
    /// The comment; left out where it is what the issue itself says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub(crate) comment: Option<Id>,
    /// Whether nobody decided yet.
    pub(crate) open: bool,
    /// Where and how. Line 0 is the title of the issue.
    pub(crate) conflicts: Vec<ConflictView>,
}

impl FoundConflictView {
    pub(crate) fn of(house: &House, at: At, found: &FoundConflicts) -> Self {
        let conflicts = found.conflicts.iter().map(|note| ConflictView {
            line: note.line,
            entry: note.entry.to_string(),
            canon: note.canon.clone(),
            text: note.text.clone(),
            said: note.said.clone(),
            choice: found.choice(&note.entry.name).map(|choice| choice.word().to_string()),
        });
        Self {
            id: found.id,
            at: found.at,
            issue: number(house, found.matter),
            who: found.who.to_string(),
            comment: found.comment,
            open: house.canon().is_open(found, at),
            conflicts: conflicts.collect(),
        }
    }
}

/// Two entries that hold and contradict each other.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = CanonContradiction)]
pub(crate) struct ContradictionView {
    /// The one: `canon:eyes@2`.
    pub(crate) one: String,
    /// What it says.
    pub(crate) one_says: String,
    /// The other.
    pub(crate) other: String,
    /// What it says.
    pub(crate) other_says: String,
}

/// What waits for a decision.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = CanonConflicts)]
pub(crate) struct ConflictPage {
    /// What was written in issues.
    pub(crate) recorded: Vec<FoundConflictView>,
    /// Entries that contradict each other.
    pub(crate) entries: Vec<ContradictionView>,
}

impl ConflictPage {
    /// What is open, or with `all` also what is decided; `seen` says whose a reader may see.
    pub(crate) fn of(house: &House, at: At, all: bool, seen: impl Fn(&FoundConflicts) -> bool) -> Self {
        let open =
            house.canon().found().filter(|found| (all || house.canon().is_open(found, at)) && seen(found));
        let entries = house.canon().contradictions(at).into_iter().map(|both| ContradictionView {
            one: both.one.0.to_string(),
            one_says: both.one.1.in_words(),
            other: both.other.0.to_string(),
            other_says: both.other.1.in_words(),
        });
        Self {
            recorded: open.map(|found| FoundConflictView::of(house, at, found)).collect(),
            entries: entries.collect(),
        }
    }
}

/// Claims that were proposed for an entry.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = ProposedClaims)]
pub(crate) struct ProposedView {
    /// The proposal.
    #[schema(value_type = String)]
    pub(crate) id: Id,
    /// The entry at its version.
    pub(crate) entry: String,
    /// What is claimed.
    pub(crate) claims: Vec<String>,
    /// Who or what proposed them.
    pub(crate) source: String,
    /// `open`, `accepted` or `refused`.
    pub(crate) status: String,
}

impl From<&ProposedClaims> for ProposedView {
    fn from(proposed: &ProposedClaims) -> Self {
        let status = match &proposed.decided {
            None => "open",
            Some((true, ..)) => "accepted",
            Some((false, ..)) => "refused",
        };
        Self {
            id: proposed.id,
            entry: proposed.entry.to_string(),
            claims: proposed.claims.iter().map(Claim::in_words).collect(),
            source: match &proposed.source {
                ClaimSource::Model { name } => format!("model {name}"),
                ClaimSource::Seat(who) => who.to_string(),
                ClaimSource::Rules { edition } => format!("rules of edition {edition}"),
            },
            status: status.into(),
        }
    }
}

/// What was proposed for an entry.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = CanonProposals)]
pub(crate) struct ProposedPage {
    /// The oldest first; also what was decided.
    pub(crate) proposed: Vec<ProposedView>,
}

impl ProposedPage {
    pub(crate) fn of(house: &House, name: &EntryName) -> Self {
        let of_entry = house.canon().proposals().filter(|proposed| proposed.entry.name == *name);
        Self { proposed: of_entry.map(ProposedView::from).collect() }
    }
}

/// Make canon of an issue or of a text.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CanonPromotion)]
pub(crate) struct PromoteBody {
    /// The name of the entry.
    pub(crate) name: String,
    /// Its text; what the issue says if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    /// The issue it comes from: its number or id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(pattern = r"^(last|#?[0-9]{1,15}|m[0-9]{1,15}(\.[0-9]{1,4})?)$")]
    pub(crate) issue: Option<String>,
    /// The version it takes the place of, as you have read it.
    #[serde(default, deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u64>, maximum = 4_294_967_295_u64)]
    pub(crate) over: Option<u32>,
    /// For how long it holds, in seconds; for good if left out.
    #[serde(default, deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub(crate) for_s: Option<u64>,
}

/// End an entry without another in its place.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CanonEnd)]
pub(crate) struct EndBody {
    /// The entry, best with the version you have read: `canon:eyes@2`.
    pub(crate) entry: String,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
}

/// What to do about a text that contradicts canon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = ConflictChoice)]
pub(crate) enum ChoiceWord {
    /// The text becomes canon: the entry gets a new version.
    Override,
    /// Canon stays.
    Keep,
    /// An issue is opened.
    Discuss,
}

impl From<ChoiceWord> for ConflictChoice {
    fn from(word: ChoiceWord) -> Self {
        match word {
            ChoiceWord::Override => Self::Override,
            ChoiceWord::Keep => Self::Keep,
            ChoiceWord::Discuss => Self::Discuss,
        }
    }
}

/// Decide a conflict.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CanonDecision)]
pub(crate) struct DecideBody {
    /// The entry at the version you have read: `canon:eyes@2`.
    pub(crate) entry: String,
    /// What to do.
    pub(crate) choice: ChoiceWord,
    /// The text that contradicts it: it becomes canon, or is discussed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) text: Option<String>,
    /// The recorded conflict that this decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")]
    pub(crate) conflict: Option<WrittenId>,
}

/// Say how far an issue is to be relied on.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CanonStatus)]
pub(crate) struct StatusBody {
    /// The issue: its number or id.
    #[schema(pattern = r"^(last|#?[0-9]{1,15}|m[0-9]{1,15}(\.[0-9]{1,4})?)$")]
    pub(crate) issue: String,
    /// `draft`, `tentative` or `agreed`.
    #[schema(pattern = "^(draft|tentative|agreed)$")]
    pub(crate) status: String,
}

/// Say that you find an issue sound, or no longer do.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CanonSupport)]
pub(crate) struct SupportBody {
    /// The issue: its number or id.
    #[schema(pattern = r"^(last|#?[0-9]{1,15}|m[0-9]{1,15}(\.[0-9]{1,4})?)$")]
    pub(crate) issue: String,
    /// Whether you do.
    pub(crate) holds: bool,
}

/// A claim in fields.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = Claim)]
pub(crate) struct ClaimBody {
    /// Whom or what it is about.
    pub(crate) subject: String,
    /// Of what: `eyes`, `port`.
    #[serde(default)]
    pub(crate) attribute: String,
    /// What is said of it.
    pub(crate) value: String,
    /// It says that this is not so.
    #[serde(default)]
    pub(crate) denied: bool,
    /// The words it rests on.
    #[serde(default)]
    pub(crate) said: String,
}

impl ClaimBody {
    /// The claim; `None` if a field says nothing.
    pub(crate) fn claim(&self) -> Option<Claim> {
        let (subject, attribute, value) = (self.subject.trim(), self.attribute.trim(), self.value.trim());
        if value.is_empty() {
            return None;
        }
        let said = if self.said.trim().is_empty() { value } else { self.said.trim() };
        let named = ClaimValue::Name(value.to_lowercase());
        let given = Claim::given(subject, attribute, named, self.denied, said)?;
        // Read as canon itself is, so that numbers, units and colours are compared as such.
        let sentences = [
            format!("{subject}'s {attribute} is {value}."),
            format!("{subject}'s {attribute} are {value}."),
            format!("The {attribute} of {subject} is {value}."),
            format!("The {subject} is {value}."),
        ];
        let read = sentences.iter().flat_map(|sentence| synod_core::canon::claims(sentence));
        let value = read.map(|found| found.claim).find(|claim| claim.topic() == given.topic());
        Some(value.map_or(given.clone(), |claim| Claim { value: claim.value, ..given }))
    }
}

/// Propose claims for an entry.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CanonClaims)]
pub(crate) struct ClaimsBody {
    /// The entry.
    pub(crate) entry: String,
    /// The claims.
    pub(crate) claims: Vec<ClaimBody>,
    /// The model that proposed them. Only operators may name one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) model: Option<String>,
}

/// Accept or refuse proposed claims.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = CanonClaimsDecision)]
pub(crate) struct ClaimsDecisionBody {
    /// The proposal.
    #[schema(value_type = String, pattern = r"^[0-9]{1,15}(\.[0-9]{1,4})?$")]
    pub(crate) proposal: WrittenId,
    /// Whether they count from now on.
    pub(crate) accepted: bool,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
}
