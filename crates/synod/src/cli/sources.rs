//! `--sources`: the folder whose files are read for seats. Only the command line of this process names it.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use synod_core::House;
use synod_core::kernel::{MatterId, text};
use synod_engine::Root;

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
}

impl SourcesArg {
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
