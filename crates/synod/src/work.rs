//! What is asked of the workshop besides comments: canon, leases and credits. A request is one typed shape with the route it is sent
//! to and the command it comes to, so that the command line does the same in a house here and through a service.

use serde::{Deserialize, Serialize};
use synod_core::canon::{self, CanonRef, EntryName};
use synod_core::kernel::{About, At, Epistemic, Id, MatterId, Who};
use synod_core::procedure::workshop::{
    AttemptRefused, AwardCredit, AwardOutcome, CanonCommand, Command, DecideConflict, LeaseCommand,
    PromoteEntry, SetGoal,
};
use synod_core::{Act, Event, House, lease, ledger};
use utoipa::ToSchema;

use crate::fail::{Fail, Result, code};
use crate::issues::meant;
use crate::matter_arg::{MatterArg, find};
use crate::wire::{
    AskBody, AwardBody, ClaimsBody, ClaimsDecisionBody, DecideBody, EndBody, GoalBody, GoalDropBody,
    LedgerEntry, ModelBody, PostingView, PromoteBody, RatingBody, RenewBody, ReturnBody, StatusBody,
    SupportBody, TakeBody,
};

/// A request to the workshop.
pub(crate) trait WorkRequest: Serialize {
    /// The route it is sent to.
    const ROUTE: &'static str;

    /// The command it comes to in a house at a moment.
    fn command(&self, house: &House, at: At) -> Result<Command>;
}

fn entry(written: &str) -> Result<CanonRef> {
    written.parse().map_err(refused)
}

fn refused(refusal: canon::Refusal) -> Fail {
    Fail::new(code::USAGE, refusal.code(), refusal.to_string())
}

/// The issue that is meant by a number or an id.
fn issue(house: &House, written: &str) -> Result<MatterId> {
    let wanted: MatterArg = written.trim().trim_start_matches('#').parse().map_err(Fail::usage)?;
    let none = || {
        let message = "there is no such issue; `synod issue list` shows all of them";
        Fail::new(code::NO_INPUT, "workshop/unknown-issue", message)
    };
    let matter = match wanted {
        MatterArg::Last => house.docket().rows().next_back().map(|(matter, _)| matter).ok_or_else(none)?,
        MatterArg::Number(_) | MatterArg::Id(_) => find(house, Some(wanted)).map_err(|_| none())?,
    };
    if house.docket().row(matter).is_some() { Ok(matter) } else { Err(none()) }
}

impl WorkRequest for PromoteBody {
    const ROUTE: &'static str = "/v1/canon";

    fn command(&self, house: &House, at: At) -> Result<Command> {
        let promote = PromoteEntry {
            issue: self.issue.as_deref().map(|written| issue(house, written)).transpose()?,
            name: EntryName::parse(&self.name).map_err(refused)?,
            over: self.over,
            text: self.text.clone(),
            until: self.for_s.map(|seconds| at.plus(seconds.saturating_mul(1000))),
        };
        Ok(Command::Canon(CanonCommand::Promote(Box::new(promote))))
    }
}

impl WorkRequest for EndBody {
    const ROUTE: &'static str = "/v1/canon/end";

    fn command(&self, _: &House, _: At) -> Result<Command> {
        Ok(Command::Canon(CanonCommand::End { entry: entry(&self.entry)?, why: self.why.clone() }))
    }
}

impl WorkRequest for DecideBody {
    const ROUTE: &'static str = "/v1/canon/conflicts";

    fn command(&self, _: &House, _: At) -> Result<Command> {
        Ok(Command::Canon(CanonCommand::DecideConflict(Box::new(DecideConflict {
            choice: self.choice.into(),
            conflict: self.conflict.map(|conflict| conflict.0),
            entry: entry(&self.entry)?,
            text: self.text.clone(),
        }))))
    }
}

impl WorkRequest for StatusBody {
    const ROUTE: &'static str = "/v1/canon/status";

    fn command(&self, house: &House, _: At) -> Result<Command> {
        let to = Epistemic::WORDS.iter().find(|(word, _)| *word == self.status).map(|(_, step)| *step);
        let to = to.ok_or_else(|| {
            let message = format!("`{}` is not a status: write draft, tentative or agreed", self.status);
            Fail::usage(message)
        })?;
        Ok(Command::Canon(CanonCommand::Move { issue: issue(house, &self.issue)?, to }))
    }
}

impl WorkRequest for SupportBody {
    const ROUTE: &'static str = "/v1/canon/support";

    fn command(&self, house: &House, _: At) -> Result<Command> {
        let issue = issue(house, &self.issue)?;
        Ok(Command::Canon(CanonCommand::Support { holds: self.holds, issue }))
    }
}

impl WorkRequest for ClaimsBody {
    const ROUTE: &'static str = "/v1/canon/claims";

    fn command(&self, _: &House, _: At) -> Result<Command> {
        let empty = || {
            Fail::new(
                code::USAGE,
                "canon/bad-claim",
                "a claim needs a subject and a value that say something",
            )
        };
        let claims = self.claims.iter().map(|claim| claim.claim().ok_or_else(empty));
        let (claims, model) = (claims.collect::<Result<_>>()?, self.model.clone());
        Ok(Command::Canon(CanonCommand::ProposeClaims { claims, entry: entry(&self.entry)?, model }))
    }
}

impl WorkRequest for ClaimsDecisionBody {
    const ROUTE: &'static str = "/v1/canon/claims/decide";

    fn command(&self, _: &House, _: At) -> Result<Command> {
        let (accepted, proposal, why) = (self.accepted, self.proposal.0, self.why.clone());
        Ok(Command::Canon(CanonCommand::DecideClaims { accepted, proposal, why }))
    }
}

impl WorkRequest for TakeBody {
    const ROUTE: &'static str = "/v1/leases";

    fn command(&self, _: &House, _: At) -> Result<Command> {
        let (for_ms, paths, why) = (self.for_ms, self.paths.clone(), self.why.clone());
        Ok(Command::Lease(LeaseCommand::Take { for_ms, paths, why }))
    }
}

impl WorkRequest for RenewBody {
    const ROUTE: &'static str = "/v1/leases/renew";

    fn command(&self, _: &House, _: At) -> Result<Command> {
        Ok(Command::Lease(LeaseCommand::Renew { for_ms: self.for_ms, paths: self.paths.clone() }))
    }
}

impl WorkRequest for ReturnBody {
    const ROUTE: &'static str = "/v1/leases/release";

    fn command(&self, _: &House, _: At) -> Result<Command> {
        Ok(Command::Lease(LeaseCommand::Release { paths: self.paths.clone() }))
    }
}

impl WorkRequest for AskBody {
    const ROUTE: &'static str = "/v1/leases/ask";

    fn command(&self, _: &House, _: At) -> Result<Command> {
        let (path, why) = (self.path.clone(), self.why.clone());
        Ok(Command::Lease(LeaseCommand::Ask { open_issue: self.issue, path, why }))
    }
}

impl WorkRequest for AwardBody {
    const ROUTE: &'static str = "/v1/awards";

    fn command(&self, house: &House, _: At) -> Result<Command> {
        Ok(Command::Award(Box::new(AwardCredit {
            amount: self.amount,
            issue: meant(house, self.issue.0)?,
            reason: self.reason.clone(),
            slice: self.slice.map(|slice| slice.0),
            to: self.to.clone(),
        })))
    }
}

impl WorkRequest for RatingBody {
    const ROUTE: &'static str = "/v1/ratings";

    fn command(&self, house: &House, _: At) -> Result<Command> {
        let issue = meant(house, self.issue.0)?;
        Ok(Command::Rate { helpful: self.helpful, issue, who: self.who.clone() })
    }
}

impl WorkRequest for GoalBody {
    const ROUTE: &'static str = "/v1/goals";

    fn command(&self, _: &House, _: At) -> Result<Command> {
        Ok(Command::SetGoal(Box::new(SetGoal {
            agent: self.agent.as_deref().map(participant).transpose()?,
            metric: self.metric,
            period: self.period.clone(),
            sentence: self.sentence.clone(),
            target: self.target.unwrap_or(1),
            until: self.until.map(At),
        })))
    }
}

impl WorkRequest for GoalDropBody {
    const ROUTE: &'static str = "/v1/goals/drop";

    fn command(&self, _: &House, _: At) -> Result<Command> {
        Ok(Command::DropGoal { goal: self.goal.0 })
    }
}

impl WorkRequest for ModelBody {
    const ROUTE: &'static str = "/v1/agents/models";

    fn command(&self, _: &House, _: At) -> Result<Command> {
        Ok(Command::ChangeModel { model: self.model.clone(), who: participant(&self.who)? })
    }
}

fn participant(written: &str) -> Result<Who> {
    Who::parse(written).map_err(|wrong| Fail::new(code::USAGE, "roster/malformed-name", wrong))
}

/// An award or a rating that was refused. The act itself is done, because the attempt is recorded.
pub(crate) fn refused_attempt(act: &Act) -> Option<AttemptRefused> {
    let synod_core::Command::Workshop(Command::Award(_) | Command::Rate { .. }) = &act.command else {
        return None;
    };
    match AwardOutcome::of(act) {
        AwardOutcome::Refused(refused) => Some(AttemptRefused {
            message: format!("{}; the attempt is recorded", refused.message),
            ..refused
        }),
        AwardOutcome::Posted(_) | AwardOutcome::Rated { .. } | AwardOutcome::Unchanged => None,
    }
}

fn event_id(act: &Act, nth: usize) -> Id {
    Id { act: act.seq, nth: nth as u16 }
}

/// What a request came to.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = WorkshopDone)]
pub(crate) struct WorkDone {
    /// The number of the act in the journal.
    pub(crate) act: u64,
    /// The entry of the canon that it made, changed or ended: `canon:eyes@2`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) entry: Option<String>,
    /// The number of the issue that it opened.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) issue: Option<u64>,
    /// The proposal of claims that it made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) proposal: Option<String>,
    /// Files and folders that it took or gave back.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) paths: Vec<String>,
    /// Until when they are held, in Unix milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<u64>)]
    pub(crate) until: Option<At>,
    /// Who holds what was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) holder: Option<String>,
    /// How far the issue is to be relied on now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) status: Option<String>,
    /// The credit that an award moved; left out if it was given before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) posting: Option<PostingView>,
    /// How much a rating counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) weight: Option<u32>,
    /// The id of the goal that it set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) goal: Option<String>,
}

impl WorkDone {
    /// What an act came to, in the house after it.
    pub(crate) fn of(house: &House, act: &Act) -> Self {
        let mut done = Self {
            act: act.seq.0,
            entry: None,
            issue: None,
            proposal: None,
            paths: Vec::new(),
            until: None,
            holder: None,
            status: None,
            posting: None,
            weight: None,
            goal: None,
        };
        done.add_award(house, act);
        for (nth, event) in act.events().iter().enumerate() {
            match event {
                Event::Canon(event) => done.add_canon(event, format!("{}.{nth}", act.seq.0)),
                Event::Lease(event) => done.add_lease(event),
                Event::Ledger(ledger::Event::GoalSet(_)) => done.goal = Some(event_id(act, nth).to_string()),
                Event::Issue(synod_core::issue::Event::Raised { epistemic, matter })
                    if act.command.about() == About::Matter(*matter) =>
                {
                    done.status = Some(epistemic.word().into());
                }
                Event::Issue(synod_core::issue::Event::Filed { matter, .. }) => {
                    done.issue = house.docket().row(*matter).map(|row| row.number);
                }
                _ => (), // nothing else is told of such a request
            }
        }
        done
    }

    /// Only an award or a rating is told by what it posted: other requests may post credit besides.
    fn add_award(&mut self, house: &House, act: &Act) {
        let synod_core::Command::Workshop(Command::Award(_) | Command::Rate { .. }) = &act.command else {
            return;
        };
        for (nth, event) in act.events().iter().enumerate() {
            let Event::Ledger(event) = event else { continue };
            let id = event_id(act, nth);
            if let ledger::Event::Rated { weight, .. } = event {
                self.weight.get_or_insert(*weight);
            }
            if self.posting.is_none() {
                self.posting = match LedgerEntry::of(house, None, (id, act.at, event)) {
                    Some(LedgerEntry::Agent(posting)) => Some(posting),
                    Some(LedgerEntry::Team(_)) | None => None,
                };
            }
        }
    }

    fn add_canon(&mut self, event: &canon::Event, id: String) {
        match event {
            canon::Event::Promoted { entry, .. } | canon::Event::Ended { entry, .. } => {
                self.entry = Some(entry.to_string());
            }
            canon::Event::ConflictDecided { entry, .. } => {
                self.entry.get_or_insert_with(|| entry.to_string());
            }
            canon::Event::ClaimsProposed { entry, .. } => {
                (self.entry, self.proposal) = (Some(entry.to_string()), Some(id));
            }
            canon::Event::ClaimsDecided { .. } | canon::Event::Supported { .. } => (),
            canon::Event::Contradicted { .. } | canon::Event::OldVersionCited { .. } => (),
            canon::Event::Searched { .. } => (),
        }
    }

    fn add_lease(&mut self, event: &lease::Event) {
        match event {
            lease::Event::Taken { paths, until, .. } | lease::Event::Renewed { paths, until, .. } => {
                self.paths.extend(paths.iter().map(ToString::to_string));
                self.until = Some(*until);
            }
            lease::Event::Released { paths, .. } | lease::Event::Expired { paths, .. } => {
                self.paths.extend(paths.iter().map(ToString::to_string));
            }
            lease::Event::Asked { path, who, .. } => {
                self.paths.push(path.to_string());
                self.holder = Some(who.to_string());
            }
        }
    }
}
