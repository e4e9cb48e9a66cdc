//! What commands on canon, leases and credits share: they give the same request to a house here and to a service.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use serde::de::DeserializeOwned;
use synod_core::kernel::{At, Who};
use synod_engine::now;

use super::Context;
use super::canon::Chooser;
use crate::client::ServiceArgs;
use crate::fail::{Fail, Result, code};
use crate::house::Looked;
use crate::work::{WorkDone, WorkRequest, refused_attempt};
use crate::{lease_path, out};

/// Who acts, and where.
#[derive(Debug, Clone, Args)]
pub(super) struct WorkArgs {
    /// Act for this participant instead of for yourself.
    #[arg(long = "as", value_name = "NAME", env = "SYNOD_AS", hide_env_values = true)]
    author: Option<String>,
    #[command(flatten)]
    service: ServiceArgs,
}

impl WorkArgs {
    /// The same for a command that has read who acts already.
    pub(super) fn of(who: Option<&Who>, service: &ServiceArgs) -> Self {
        Self { author: who.map(ToString::to_string), service: service.clone() }
    }

    pub(super) fn who(&self) -> Result<Option<Who>> {
        self.author.as_deref().map(Who::parse).transpose().map_err(Fail::usage)
    }

    /// Gives a request to the service that is named or that holds the house, else to the house here.
    pub(super) async fn give<R: WorkRequest>(&self, context: &Context, request: &R) -> Result<WorkDone> {
        let who = self.who()?;
        if let Some(mut client) = self.service.client(&context.house)? {
            if let Some(who) = &who {
                client.speak_for(who);
            }
            return client.post(R::ROUTE, request).await;
        }
        let act = crate::issues::give_as(&context.house, who, |house| request.command(house, moment(house)))
            .await?;
        if let Some(refused) = refused_attempt(&act) {
            return Err(Fail::new(code::REJECTED, refused.code, refused.message));
        }
        let (house, _) = context.house.read()?;
        Ok(WorkDone::of(&house, &act))
    }

    /// Looks at something: through a service only if one is named, because a journal can be read beside its writer.
    pub(super) async fn look<T: DeserializeOwned>(
        &self,
        context: &Context,
        route: &str,
        here: impl FnOnce(&Looked, At) -> Result<T>,
    ) -> Result<T> {
        look(context, &self.service, route, here).await
    }

    /// Files and folders as leases name them.
    pub(super) fn paths(&self, context: &Context, paths: &[PathBuf]) -> Result<Vec<String>> {
        lease_path::given(&context.house, self.service.is_named(), paths)
    }

    /// Who reads of conflicts with canon, and what they may do about them.
    pub(super) fn chooser(&self, context: &Context) -> Result<Chooser> {
        let who = self.who()?;
        if let Some(url) = self.service.url() {
            return Ok(Chooser::there(url, who.as_ref()));
        }
        let (house, _) = context.house.read()?;
        Ok(Chooser::here(context, &house, who.as_ref()))
    }

    /// The service that is named.
    pub(super) fn service(&self) -> &ServiceArgs {
        &self.service
    }
}

/// Looks at something: through a service only if one is named, because a journal can be read beside its writer.
pub(super) async fn look<T: DeserializeOwned>(
    context: &Context,
    service: &ServiceArgs,
    route: &str,
    here: impl FnOnce(&Looked, At) -> Result<T>,
) -> Result<T> {
    if let Some(client) = service.named()? {
        return client.get(route).await;
    }
    let (house, _) = context.house.read()?;
    here(&house, moment(&house))
}

/// Shows what a request came to.
pub(super) fn told(context: &Context, done: &WorkDone, words: &str) -> ExitCode {
    match context.json {
        true => out::json(done),
        false => out::line(&out::clean(words)),
    }
    ExitCode::SUCCESS
}

/// The time of a house that is only read: never before its last act.
pub(super) fn moment(house: &synod_core::House) -> At {
    now().max(house.now())
}
