//! Credit that somebody gives: a closed table of reasons, and everything that stands in the way of cheating.
//!
//! The caller is whoever the house authenticated, never a field of the request. To add a reason: a variant of
//! [`CreditReason`] and its line in [`TERMS`].

use serde::{Deserialize, Serialize};

use super::citations::limit_period;
use super::dosage::{SLICES_MOST, slices};
use super::{Event, Ledger, Posting, Refusal, Rules, model_key};
use crate::kernel::{AuthorClass, Id, MatterId, Who, text, words};

/// Why credit moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum CreditReason {
    /// A citation was verified.
    EvidenceVerified,
    /// A citation was verified and quoted with care.
    EvidenceVerifiedPrecise,
    /// Something came of a citation, or nothing did.
    EvidenceOutcomeUpgrade,
    /// A citation does not hold.
    EvidenceFailedVerification,
    /// A comment was stopped.
    CircuitBreakerTriggered,
    /// Something was claimed that is verifiably false.
    HallucinationDetected,
    /// A devil's advocate was consulted.
    ConsultedDevilsAdvocate,
    /// Work refers to a resolved issue.
    IssueAppliedInWork,
    /// An issue was settled with fewer comments than allowed.
    CommentUnderBudget,
    /// An issue led nowhere.
    IssueMarkedLeech,
    /// The user was stopped from contradicting what holds.
    UserConflictPrevented,
    /// The user accepted a proposal.
    ProposalAcceptedByUser,
    /// The user found something helpful.
    UserMarkedHelpful,
    /// A frozen issue went on without problems.
    CleanUnfreeze,
    /// The moderator commends somebody.
    ModeratorCommendation,
    /// The moderator penalises somebody.
    ModeratorPenalty,
}

/// What a reason may be worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AwardRange {
    /// The least.
    pub least: i64,
    /// The most.
    pub most: i64,
}

/// A line of the table of reasons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AwardTerms {
    /// Whether a receiver gets it once for each matter.
    pub once: bool,
    /// What it may be worth, unless a charter says otherwise.
    pub range: AwardRange,
    /// Which.
    pub reason: CreditReason,
    /// Who verifies it.
    pub verifier: AuthorClass,
    /// The word it is written as.
    pub word: &'static str,
}

const fn terms(
    reason: CreditReason,
    word: &'static str,
    verifier: AuthorClass,
    (least, most): (i64, i64),
    once: bool,
) -> AwardTerms {
    AwardTerms { once, range: AwardRange { least, most }, reason, verifier, word }
}

/// Every reason, who verifies it, its least and most, and whether it is given once for each matter. Those of citations
/// are priced, so they have no range.
pub const TERMS: [AwardTerms; 16] = {
    use AuthorClass::{Moderator, System, User};
    use CreditReason as Is;
    [
        terms(Is::EvidenceVerified, "evidence-verified", System, (0, 0), false),
        terms(Is::EvidenceVerifiedPrecise, "evidence-verified-precise", System, (0, 0), false),
        terms(Is::EvidenceOutcomeUpgrade, "evidence-outcome-upgrade", System, (0, 0), false),
        terms(Is::EvidenceFailedVerification, "evidence-failed-verification", System, (0, 0), false),
        terms(Is::CircuitBreakerTriggered, "circuit-breaker-triggered", System, (-1, -1), false),
        terms(Is::HallucinationDetected, "hallucination-detected", System, (-3, -3), false),
        terms(Is::ConsultedDevilsAdvocate, "consulted-devils-advocate", System, (1, 1), true),
        terms(Is::IssueAppliedInWork, "issue-applied-in-work", System, (2, 2), true),
        terms(Is::CommentUnderBudget, "comment-under-budget", System, (1, 1), true),
        terms(Is::IssueMarkedLeech, "issue-marked-leech", System, (-1, -1), true),
        terms(Is::UserConflictPrevented, "user-conflict-prevented", System, (3, 3), true),
        terms(Is::ProposalAcceptedByUser, "proposal-accepted-by-user", User, (3, 3), true),
        terms(Is::UserMarkedHelpful, "user-marked-helpful", User, (2, 2), true),
        terms(Is::CleanUnfreeze, "clean-unfreeze", Moderator, (1, 1), true),
        terms(Is::ModeratorCommendation, "moderator-commendation", Moderator, (1, 3), true),
        terms(Is::ModeratorPenalty, "moderator-penalty", Moderator, (-3, -1), false),
    ]
};

impl CreditReason {
    /// All of them, in the order of the table.
    pub fn all() -> impl Iterator<Item = Self> {
        TERMS.iter().map(|terms| terms.reason)
    }

    /// Its line in the table.
    pub fn terms(self) -> &'static AwardTerms {
        // The table stands in the order of the variants; a test holds it to that.
        &TERMS[self as usize]
    }

    /// The word it is written as.
    pub fn word(self) -> &'static str {
        self.terms().word
    }

    /// The reason of that word.
    pub fn parse(written: &str) -> Option<Self> {
        Self::all().find(|reason| reason.word() == written)
    }

    /// Whether it follows from a checked citation, and so is never given.
    pub fn is_of_citations(self) -> bool {
        matches!(
            self,
            Self::EvidenceVerified
                | Self::EvidenceVerifiedPrecise
                | Self::EvidenceOutcomeUpgrade
                | Self::EvidenceFailedVerification
        )
    }
}

/// Who acts, as the house authenticated them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LedgerCaller<'a> {
    /// In which capacity.
    pub class: AuthorClass,
    /// Other names that the house knows them by.
    pub names: &'a [String],
    /// Who, unless it is the house or the person who runs it.
    pub who: Option<&'a Who>,
}

impl LedgerCaller<'_> {
    /// The house itself.
    pub const SYSTEM: LedgerCaller<'static> =
        LedgerCaller { class: AuthorClass::System, names: &[], who: None };
    /// The person who runs it.
    pub const USER: LedgerCaller<'static> = LedgerCaller { class: AuthorClass::User, names: &[], who: None };

    /// Whether a name, in any spelling, is one of theirs or passes for it.
    fn goes_by<'n>(&self, mut names: impl Iterator<Item = &'n str>) -> bool {
        let own = self.who.map(Who::as_str).into_iter().chain(self.names.iter().map(String::as_str));
        let own: Vec<String> = own.map(text::look_alike).collect();
        names.any(|name| own.contains(&text::look_alike(name)))
    }
}

/// Somebody who is to get credit or a rating.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CreditReceiver<'a> {
    /// In which capacity they take part; `None` for somebody the house does not know.
    pub class: Option<AuthorClass>,
    /// The model that answers for them.
    pub model: &'a str,
    /// Other names that the house knows them by.
    pub names: &'a [String],
    /// As the request names them.
    pub written: &'a str,
}

/// What somebody wants to be credited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AwardRequest<'a> {
    /// How much; may be left out where the reason has one amount.
    pub amount: Option<i64>,
    /// The matter it is about.
    pub matter: Option<MatterId>,
    /// Why, as the request says.
    pub reason: &'a str,
    /// Which slice of a task that was cut; the whole is worth the amount.
    pub slice: Option<TaskSlice>,
    /// To whom.
    pub to: CreditReceiver<'a>,
}

/// One slice of a task that was cut into several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TaskSlice {
    /// Which, counted from 0.
    pub nth: u32,
    /// Of how many.
    pub of: u32,
}

/// Why an attempt was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AttemptFlaw {
    /// To oneself.
    SelfAward,
    /// A rating of oneself.
    SelfRating,
    /// To the user or the house.
    UserReceiver,
    /// To nobody who is known.
    UnknownReceiver,
    /// For a reason that is none.
    UnknownReason,
    /// For a reason that somebody else verifies.
    NotVerifier,
    /// Too much or too little.
    AmountOutOfRange,
    /// For a citation that nobody checked.
    NeedsCitation,
    /// A slice that does not fit.
    MalformedSlice,
    /// A favour returned: the receiver raised the giver in the same period.
    FavourReturned,
}

/// What an attempt to rate oneself is recorded under.
pub(super) const RATING: &str = "rating";

/// Somebody tried to move credit that they may not move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecurityAttempt {
    /// How much.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<i64>,
    /// Who, unless it was the house or the person who runs it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Who>,
    /// In which capacity.
    pub class: AuthorClass,
    /// Why it was refused.
    pub flaw: AttemptFlaw,
    /// The matter.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub matter: Option<MatterId>,
    /// For which reason: one of [`TERMS`], a rating, or none that is known.
    pub reason: String,
    /// To whom, as written.
    pub to: String,
}

/// A refusal with the event that records the attempt. Put the event down, then tell the caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RefusedAttempt {
    /// What is recorded.
    pub event: Event,
    /// What the caller is told.
    pub refusal: Refusal,
}

/// The most characters of what somebody wrote that an attempt keeps.
const WRITTEN_MOST: usize = 80;
/// Names nobody may get credit under: those of the user and of the house.
const NEVER_RECEIVERS: [&str; 4] = ["user", "system", "operator", "engine"];

impl RefusedAttempt {
    pub(super) fn new(
        caller: &LedgerCaller<'_>,
        request: &AwardRequest<'_>,
        flaw: AttemptFlaw,
        refusal: Refusal,
    ) -> Box<Self> {
        let kept = |written: &str| text::excerpt(&text::one_line(written), WRITTEN_MOST).into_owned();
        let attempt = SecurityAttempt {
            amount: request.amount,
            by: caller.who.cloned(),
            class: caller.class,
            flaw,
            matter: request.matter,
            // Other words stand in the command alone, so that redacting its issue takes them away.
            reason: match CreditReason::parse(request.reason) {
                Some(reason) => reason.word().into(),
                None if request.reason == RATING => RATING.into(),
                None => "unknown-reason".into(),
            },
            to: kept(request.to.written),
        };
        Box::new(Self { event: Event::Attempted(attempt.into()), refusal })
    }
}

/// Examines who is to get something: somebody else, known, and neither the user nor the house.
pub(super) fn receiver(
    caller: &LedgerCaller<'_>,
    to: &CreditReceiver<'_>,
) -> Result<Who, (AttemptFlaw, Refusal)> {
    let names = || std::iter::once(to.written).chain(to.names.iter().map(String::as_str));
    if caller.goes_by(names()) {
        return Err((AttemptFlaw::SelfAward, Refusal::SelfAward));
    }
    let reserved = |name: &str| NEVER_RECEIVERS.map(text::look_alike).contains(&text::look_alike(name));
    if names().any(reserved) || matches!(to.class, Some(AuthorClass::User | AuthorClass::System)) {
        return Err((AttemptFlaw::UserReceiver, Refusal::UserReceiver));
    }
    match (to.class, Who::parse(to.written)) {
        (Some(_), Ok(who)) => Ok(who),
        (None, _) | (_, Err(_)) => {
            let to = text::excerpt(&text::one_line(to.written), WRITTEN_MOST).into_owned();
            Err((AttemptFlaw::UnknownReceiver, Refusal::UnknownReceiver { to }))
        }
    }
}

/// What a sound request comes to: to whom, for what, and how much the whole is worth.
fn judge(
    rules: &Rules,
    caller: &LedgerCaller<'_>,
    request: &AwardRequest<'_>,
) -> Result<(Who, CreditReason, i64), (AttemptFlaw, Refusal)> {
    let who = receiver(caller, &request.to)?;
    let Some(reason) = CreditReason::parse(request.reason.trim()) else {
        let reason = text::excerpt(&text::one_line(request.reason), WRITTEN_MOST).into_owned();
        return Err((AttemptFlaw::UnknownReason, Refusal::UnknownReason { reason }));
    };
    let (word, verifier) = (reason.word(), reason.terms().verifier);
    if caller.class != verifier {
        let verifier = verifier.word();
        return Err((AttemptFlaw::NotVerifier, Refusal::NotVerifier { reason: word, verifier }));
    }
    if reason.is_of_citations() {
        return Err((AttemptFlaw::NeedsCitation, Refusal::NeedsCitation { reason: word }));
    }
    let AwardRange { least, most } = rules.range(reason);
    let amount = request.amount.or((least == most).then_some(least));
    match amount.filter(|amount| (least..=most).contains(amount)) {
        Some(amount) => Ok((who, reason, amount)),
        None => {
            let refusal = Refusal::AmountOutOfRange { least, most, reason: word };
            Err((AttemptFlaw::AmountOutOfRange, refusal))
        }
    }
}

impl Ledger {
    /// What an award comes to; nothing where it was given before and is given once.
    pub fn award(
        &self,
        rules: &Rules,
        caller: &LedgerCaller<'_>,
        request: &AwardRequest<'_>,
        periods: &[Id],
    ) -> Result<Vec<Event>, Box<RefusedAttempt>> {
        let refused = |(flaw, refusal)| RefusedAttempt::new(caller, request, flaw, refusal);
        let (who, reason, whole) = judge(rules, caller, request).map_err(refused)?;
        if self.has_award(request.matter, &who, reason, request.slice) {
            return Ok(Vec::new());
        }
        // Moderators could commend each other without end, in turn or in a circle.
        let period = limit_period(periods);
        if whole > 0 && caller.who.is_some_and(|giver| self.returns_favour(giver, &who, period)) {
            return Err(refused((AttemptFlaw::FavourReturned, Refusal::FavourReturned { to: who })));
        }
        let amount = match request.slice {
            None => whole,
            Some(slice) => match self.slice_fits(request.matter, &who, reason, whole, slice) {
                true => slices(whole, slice.of)[slice.nth as usize],
                false => {
                    let refusal = Refusal::MalformedSlice { most: SLICES_MOST };
                    return Err(refused((AttemptFlaw::MalformedSlice, refusal)));
                }
            },
        };
        let posting = Posting {
            amount,
            by: caller.who.cloned(),
            citation: None,
            class: caller.class,
            matter: request.matter,
            model: model_key(request.to.model),
            periods: periods.to_vec(),
            reason,
            slice: request.slice.map(|slice| (slice, whole)),
            who,
        };
        Ok(self.award_events(rules, posting))
    }

    /// The posting, and what follows from it where it is a penalty: a penalty given later is an action of its own.
    fn award_events(&self, rules: &Rules, posting: Posting) -> Vec<Event> {
        let (who, model) = (posting.who.clone(), posting.model.clone());
        let mut events: Vec<Event> = self.model_change(&who, &model).into_iter().collect();
        let penalised = posting.reason.terms().range.most < 0;
        let (matter, periods) = (posting.matter, posting.periods.clone());
        events.push(Event::Posted(posting.into()));
        if penalised {
            let acted = super::AgentAction { comment: None, matter, model, penalised, periods, who };
            events.extend(self.action_events(rules, acted));
        }
        events
    }
}

words!(struct SecurityAttempt { reason, to | amount, by, class, flaw, matter });
