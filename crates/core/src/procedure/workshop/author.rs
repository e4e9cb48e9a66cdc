//! Who acts, in which capacity, and what that lets them do.

use super::Refusal;
use crate::canon::CanonRole;
use crate::house::{Case, Flow};
use crate::issue::Freedom;
use crate::kernel::{Actor, AuthorClass, Who};
use crate::roster::{self, WorkRole};

/// The name of the house itself.
const SYSTEM: &str = "system";

/// Somebody who acts on issues.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Author {
    pub(super) class: AuthorClass,
    /// Whether it is the person who runs the house, rather than a participant.
    pub(super) is_operator: bool,
    pub(super) role: Option<WorkRole>,
    pub(super) who: Who,
}

/// The house itself.
pub(super) fn system() -> Who {
    Who::parse(SYSTEM).expect("a plain word is a name")
}

/// Whether a name stands for the person who runs the house or for the house itself. Neither is an agent.
pub(super) fn is_user_or_house(who: &Who) -> bool {
    who.is_user() || who.as_str() == SYSTEM
}

/// In which capacity somebody acts who has this role.
pub(super) fn class_of(role: Option<WorkRole>) -> AuthorClass {
    match role {
        Some(WorkRole::Lead) => AuthorClass::User,
        Some(WorkRole::Moderator) => AuthorClass::Moderator,
        Some(WorkRole::Assistant | WorkRole::Critic | WorkRole::Continuity | WorkRole::Writer) | None => {
            AuthorClass::Agent
        }
    }
}

impl Author {
    /// Who gives a command. Power comes from the role that the operator gave, never from a name.
    pub(super) fn of(flow: &Flow, by: &Actor) -> Result<Self, crate::Refusal> {
        let who = match by {
            Actor::Operator => {
                let who = Who::parse(Who::USER).expect("a plain word is a name");
                return Ok(Self { class: AuthorClass::User, is_operator: true, role: None, who });
            }
            Actor::Engine => {
                return Err(crate::house::refusal::Refusal::NotAllowed { by: by.clone() }.into());
            }
            Actor::Seat(who) => who.clone(),
        };
        if is_user_or_house(&who) {
            return Err(Refusal::ReservedName { who }.into());
        }
        let roster = flow.house.roster();
        if roster.get(&who).is_none() {
            return Err(roster::Refusal::UnknownSeat { who }.into());
        }
        let appointment = roster.appointment(&who);
        if !appointment.enabled {
            return Err(Refusal::Disabled { who }.into());
        }
        let class = class_of(appointment.role);
        Ok(Self { class, is_operator: false, role: appointment.role, who })
    }

    /// Whether they act on frozen issues and see to those of others.
    pub(super) fn oversees(&self) -> bool {
        self.class != AuthorClass::Agent
    }

    /// In which role they move what is canon. A moderator has no more say there than others.
    pub(super) fn canon_role(&self) -> CanonRole {
        match (self.class, self.role) {
            (_, Some(WorkRole::Lead)) => CanonRole::Lead,
            (AuthorClass::User, _) => CanonRole::User,
            (AuthorClass::System | AuthorClass::Moderator | AuthorClass::Agent, _) => CanonRole::Agent,
        }
    }

    /// Refuses what only moderators, leads and the user may do.
    pub(super) fn must_oversee(&self) -> Result<(), crate::Refusal> {
        if self.oversees() { Ok(()) } else { Err(Refusal::NeedsModerator { who: self.who.clone() }.into()) }
    }

    /// Refuses what only leads and the user may do.
    pub(super) fn must_lead(&self) -> Result<(), crate::Refusal> {
        match self.class {
            AuthorClass::User | AuthorClass::System => Ok(()),
            AuthorClass::Moderator | AuthorClass::Agent => {
                Err(Refusal::NeedsLead { who: self.who.clone() }.into())
            }
        }
    }

    /// Refuses to let somebody write who may only read.
    pub(super) fn must_write(&self, flow: &Flow) -> Result<(), crate::Refusal> {
        let reads = !self.oversees() && flow.house.docket().freedom(&self.who) == Freedom::ReadOnly;
        if reads { Err(Refusal::ReadOnly { who: self.who.clone() }.into()) } else { Ok(()) }
    }

    /// Refuses changes of an issue that is none of theirs.
    pub(super) fn must_see_to(&self, case: &Case) -> Result<(), crate::Refusal> {
        let own = case.issue().is_some_and(|issue| {
            issue.by.as_ref() == Some(&self.who) || issue.assignee.as_ref() == Some(&self.who)
        });
        let may = own || self.oversees() || self.role == Some(WorkRole::Assistant);
        if may { Ok(()) } else { Err(Refusal::NotYours { who: self.who.clone() }.into()) }
    }
}
