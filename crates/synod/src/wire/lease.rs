//! Leases on the wire.

use serde::{Deserialize, Serialize};
use synod_core::House;
use synod_core::kernel::At;
use synod_core::lease::{Lease, LeasePath};
use utoipa::ToSchema;

use super::numbers::whole;

/// A file or folder that somebody holds.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = Lease)]
pub(crate) struct LeaseView {
    /// The file or folder, relative to the root of the house.
    pub(crate) path: String,
    /// Who holds it.
    pub(crate) who: String,
    /// Since when, in Unix milliseconds.
    #[schema(value_type = u64)]
    pub(crate) since: At,
    /// Until when, in Unix milliseconds; at that moment it is free.
    #[schema(value_type = u64)]
    pub(crate) until: At,
    /// What for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
    /// Who needs it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) asked: Vec<LeaseRequestView>,
}

/// Somebody who needs what another holds.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = LeaseRequest)]
pub(crate) struct LeaseRequestView {
    /// Who.
    pub(crate) by: String,
    /// When, in Unix milliseconds.
    #[schema(value_type = u64)]
    pub(crate) at: At,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
    /// The number of the issue that was opened for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) issue: Option<u64>,
}

impl LeaseView {
    pub(crate) fn of(house: &House, lease: &Lease) -> Self {
        let asked = lease.asked.iter().map(|asked| LeaseRequestView {
            by: asked.by.to_string(),
            at: asked.at,
            why: asked.why.clone(),
            issue: asked.opened.and_then(|matter| house.docket().row(matter)).map(|row| row.number),
        });
        Self {
            path: lease.path.to_string(),
            who: lease.who.to_string(),
            since: lease.since,
            until: lease.until,
            why: lease.why.clone(),
            asked: asked.collect(),
        }
    }

    /// Whether it is on this path, on a folder above it, or on something in it.
    pub(crate) fn touches(&self, path: &LeasePath) -> bool {
        LeasePath::parse(&self.path).is_ok_and(|held| held.covers(path) || path.covers(&held))
    }
}

/// What is held.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[schema(as = Leases)]
pub(crate) struct LeasePage {
    /// By path.
    pub(crate) leases: Vec<LeaseView>,
}

impl LeasePage {
    /// What is held at a moment.
    pub(crate) fn of(house: &House, at: At) -> Self {
        Self { leases: house.leases().held(at).map(|lease| LeaseView::of(house, lease)).collect() }
    }
}

/// Take files and folders, all or none.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = LeaseTaking)]
pub(crate) struct TakeBody {
    /// Which, relative to the root of the house.
    pub(crate) paths: Vec<String>,
    /// For how long, in milliseconds; as long as the charter says if left out.
    #[serde(default, deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub(crate) for_ms: Option<u64>,
    /// What for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
}

impl TakeBody {
    pub(crate) fn paths(&mut self) -> &mut [String] {
        &mut self.paths
    }
}

/// Hold them for so long from now on.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = LeaseRenewal)]
pub(crate) struct RenewBody {
    /// Which; all that you hold if left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) paths: Vec<String>,
    /// For how long, in milliseconds; as long as the charter says if left out.
    #[serde(default, deserialize_with = "whole", skip_serializing_if = "Option::is_none")]
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    pub(crate) for_ms: Option<u64>,
}

impl RenewBody {
    pub(crate) fn paths(&mut self) -> &mut [String] {
        &mut self.paths
    }
}

/// Give them back.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = LeaseReturn)]
pub(crate) struct ReturnBody {
    /// Which; all that you hold if left out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) paths: Vec<String>,
}

impl ReturnBody {
    pub(crate) fn paths(&mut self) -> &mut [String] {
        &mut self.paths
    }
}

/// Ask for what somebody else holds.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = LeaseAsking)]
pub(crate) struct AskBody {
    /// Which file or folder is needed.
    pub(crate) path: String,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) why: Option<String>,
    /// Open an issue for it, assigned to the holder.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) issue: bool,
}

impl AskBody {
    pub(crate) fn paths(&mut self) -> &mut [String] {
        std::slice::from_mut(&mut self.path)
    }
}
