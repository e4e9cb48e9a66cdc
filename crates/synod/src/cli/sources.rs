//! `--sources`: the folder whose files are read for seats. Only the command line of this process names it.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use synod_core::House;
use synod_core::kernel::{MatterId, text};
use synod_engine::{EngineOptions, Root};
use synod_minds::Fetcher;

use crate::fail::{Fail, Result, code};
use crate::house::HouseArg;
use crate::out;
use synod_core::context::{MATERIALS_MOST, Material};

/// The folder, for commands that run a matter.
#[derive(Debug, Args)]
pub(crate) struct SourcesArg {
    /// Let seats ask for text files in this folder; Synod reads them. Secrets, links and .git are never read.
    #[arg(long, help_heading = "Material", value_name = "DIR")]
    pub(crate) sources: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) reach: ReachArgs,
}

/// What seats may do by themselves, and what happens if one cannot be asked.
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct ReachArgs {
    /// Let seats whose models can use tools fetch pages from this host over https (repeatable), such as docs.rs. Private
    /// addresses are refused unless you name them, such as 127.0.0.1:8080.
    #[arg(long = "allow-host", help_heading = "Material", value_name = "HOST")]
    pub(crate) allow_host: Vec<String>,
    /// Whether seats whose models can use tools may read and search the files of --sources and fetch from --allow-host.
    #[arg(long, help_heading = "Material", value_name = "on|off", default_value = "on", action = clap::ArgAction::Set,
          value_parser = clap::builder::PossibleValuesParser::new(["on", "off"]))]
    pub(crate) tools: Option<String>,
    /// If a key or a model is refused, go on without that seat, instead of pausing before the others are paid.
    #[arg(long, help_heading = "Seats")]
    pub(crate) go_on: bool,
}

/// What an engine needs to know of it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reach {
    pub(crate) sources: Option<Arc<Root>>,
    /// Whether seats on issues may look into them.
    pub(crate) issues_read: bool,
    pub(crate) pages: Option<Arc<Fetcher>>,
    pub(crate) tools: bool,
    pub(crate) go_on: bool,
}

impl Reach {
    /// The options of an engine that reaches so far.
    pub(crate) fn options(self) -> EngineOptions {
        let Self { sources, issues_read, pages, tools, go_on } = self;
        EngineOptions { sources, issues_read, pages, tools, go_on, ..EngineOptions::default() }
    }
}

impl ReachArgs {
    /// With the folder of sources.
    pub(crate) fn with(&self, sources: Option<Arc<Root>>) -> Result<Reach> {
        let pages =
            Fetcher::new(&self.allow_host).map_err(|wrong| Fail::usage(format!("--allow-host: {wrong}")))?;
        let pages = (!self.allow_host.is_empty()).then(|| Arc::new(pages));
        let tools = self.tools.as_deref() != Some("off");
        Ok(Reach { sources, issues_read: false, pages, tools, go_on: self.go_on })
    }
}

impl SourcesArg {
    /// What the seats of a matter may reach.
    pub(crate) fn reach(&self, root: Option<Arc<Root>>) -> Result<Reach> {
        self.reach.with(root)
    }

    /// Opens the folder, if one is given.
    pub(crate) fn root(&self, house: &HouseArg) -> Result<Option<Arc<Root>>> {
        let open = |folder: &PathBuf| {
            Root::open(folder, house.dir()).map(Arc::new).map_err(|error| {
                let message = format!("--sources {} cannot be used: {error}", folder.display());
                Fail::new(code::USAGE, "sources/folder", message)
            })
        };
        self.sources.as_ref().map(open).transpose()
    }

    /// The same for a matter that was opened before, which either has sources or has none.
    pub(crate) fn root_for(
        &self,
        house: &HouseArg,
        known: &House,
        matter: MatterId,
    ) -> Result<Option<Arc<Root>>> {
        let allowed = known.case(matter).is_some_and(|case| case.opening.sources);
        match (&self.sources, allowed) {
            (Some(_), false) => Err(Fail::new(
                code::USAGE,
                "sources/not-opened",
                "this matter was opened without --sources, so its seats cannot ask for files: leave --sources out",
            )),
            (None, true) => {
                out::error("note: seats may ask for files, but none can be read without --sources DIR");
                Ok(None)
            }
            (Some(_), true) | (None, false) => self.root(house),
        }
    }
}

/// Adds the list of files that seats can ask for to what the council is given, while there is room for it.
pub(crate) fn add_listing(root: Option<&Arc<Root>>, given: &mut Vec<Material>) {
    let Some((listed, more)) = root.map(|root| root.list()) else { return };
    if given.len() >= MATERIALS_MOST || listed.is_empty() {
        return;
    }
    let more = if more { "\n(and more)" } else { "" };
    given.push(Material {
        name: "Files you can ask for".into(),
        text: text::excerpt(&format!("{}{more}", listed.join("\n")), LISTING_MOST).into_owned(),
    });
}

/// The longest list, in characters: paths can be long, and every seat is told them.
const LISTING_MOST: usize = 8000;
