//! Taking files and folders for a time, and asking for what others hold.

use serde::{Deserialize, Serialize};

use super::author::Author;
use super::{OpenIssue, Refusal};
use crate::charter::Workshop;
use crate::house::Flow;
use crate::issue::Tag;
use crate::kernel::{MatterId, Who, words};
use crate::{Event, lease};

/// A command about leases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeaseCommand {
    /// Take files and folders, all or none.
    Take {
        /// For how long, in milliseconds; as long as the charter says if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        for_ms: Option<u64>,
        /// Which, relative to the root of the house.
        paths: Vec<String>,
        /// What for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
    /// Hold them for so long from now on.
    Renew {
        /// For how long, in milliseconds; as long as the charter says if left out.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        for_ms: Option<u64>,
        /// Which; all that one holds if none are named.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        paths: Vec<String>,
    },
    /// Give them back.
    Release {
        /// Which; all that one holds if none are named.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        paths: Vec<String>,
    },
    /// Ask for what somebody else holds.
    Ask {
        /// Whether an issue is opened for it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        open_issue: bool,
        /// Which file or folder is needed.
        path: String,
        /// Why.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
    },
}

words!(enum LeaseCommand {
    Take { why | for_ms, paths },
    Renew { | for_ms, paths },
    Release { | paths },
    Ask { why | open_issue, path },
});

impl LeaseCommand {
    /// Whether its words are those of an issue that it opens.
    pub fn opens(&self) -> bool {
        matches!(self, Self::Ask { open_issue: true, .. })
    }
}

impl Flow {
    pub(super) fn change_leases(
        &mut self,
        author: &Author,
        command: &LeaseCommand,
    ) -> Result<(), crate::Refusal> {
        if !matches!(command, LeaseCommand::Release { .. }) {
            author.must_write(self)?;
        }
        let rules = self.workshop_in_force().ok_or(Refusal::NotConfigured)?.leases();
        let (leases, at, who) = (self.house.leases(), self.at, &author.who);
        let event = match command {
            LeaseCommand::Take { for_ms, paths, why } => {
                leases.take(at, &rules, who, paths, *for_ms, why.as_deref())?
            }
            LeaseCommand::Renew { for_ms, paths } => leases.renew(at, &rules, who, paths, *for_ms)?,
            // Those who oversee may free what somebody forgot, and must name it.
            LeaseCommand::Release { paths } if author.oversees() && !paths.is_empty() => {
                for event in leases.release_any(at, who, paths)? {
                    self.put(Event::Lease(event));
                }
                return Ok(());
            }
            LeaseCommand::Release { paths } => leases.release(at, who, paths)?,
            LeaseCommand::Ask { open_issue, path, why } => {
                return self.ask_for_lease(author, path, why.as_deref(), *open_issue);
            }
        };
        self.put(Event::Lease(event));
        Ok(())
    }

    fn ask_for_lease(
        &mut self,
        author: &Author,
        wanted: &str,
        why: Option<&str>,
        open_issue: bool,
    ) -> Result<(), crate::Refusal> {
        let mut event = self.house.leases().ask(self.at, &author.who, wanted, why)?;
        if let (true, lease::Event::Asked { opened, path, who, why, .. }) = (open_issue, &mut event) {
            // Asking again says so in the same issue, as long as that is open.
            *opened = self.issue_asked_by(&author.who, path);
            if opened.is_some() {
                self.put(Event::Lease(event));
                return Ok(());
            }
            // The reason stands in the issue, and goes with it.
            let why = why.take().unwrap_or_else(|| "No reason was given.".into());
            let body = format!("{} needs `{path}`, which {who} holds. {why}", author.who);
            let assignee = Some(who.clone()).filter(|who| self.house.roster().get(who).is_some());
            let title = format!("{} and {who} need {path}", author.who);
            let open = OpenIssue { assignee, tags: vec![Tag::own("lease")], ..OpenIssue::new(&title, &body) };
            *opened = Some(self.open_issue(author, &open)?);
        }
        self.put(Event::Lease(event));
        Ok(())
    }

    /// The open issue in which somebody has asked for a path already.
    fn issue_asked_by(&self, who: &Who, path: &lease::LeasePath) -> Option<MatterId> {
        let lease = self.house.leases().held(self.at).find(|lease| lease.path == *path)?;
        let opened = lease.asked.iter().filter(|asked| asked.by == *who).find_map(|asked| asked.opened)?;
        let is_open = self.house.docket().row(opened).is_some_and(|row| !row.status.is_over());
        is_open.then_some(opened)
    }

    /// The rules that issues are opened under, if any were chosen.
    pub(super) fn workshop_in_force(&self) -> Option<&Workshop> {
        let digest = self.house.docket().charter()?;
        self.house.charter(&digest)?.rules.workshop()
    }
}
