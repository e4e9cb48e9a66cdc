//! Tables by which a charter chooses another procedure than the council.

use serde_json::Value;

use super::Procedure;
use super::draft::Draft;
use super::settle::Settler;
use super::source::SourceTable;
use crate::ballot;

/// A table that chooses a procedure.
#[derive(Debug)]
pub(super) struct OwnTable {
    /// Its key in the file.
    pub(super) key: &'static str,
    /// Reads it.
    pub(super) read: fn(&SourceTable<'_, '_>) -> Unsettled,
    /// Its schema.
    pub(super) schema: fn() -> Value,
}

type Settle = dyn FnOnce(&mut Settler<'_>, &mut Draft) -> Option<(Procedure, ballot::Rules)>;

/// What was written in such a table. It becomes rules once the whole file is read.
pub(super) struct Unsettled(pub(crate) Box<Settle>);

impl std::fmt::Debug for Unsettled {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Unsettled")
    }
}

/// The table that was written, if one was, and what was written beside it that only councils read.
#[derive(Debug)]
pub(super) struct Own {
    pub(super) key: &'static str,
    pub(super) unsettled: Unsettled,
    pub(super) unread: Vec<(&'static str, usize)>,
}

impl Own {
    /// Looks for the tables of all procedures: one that is misspelt is a flaw, one too many is too.
    pub(super) fn read(root: &SourceTable<'_, '_>) -> Option<Self> {
        let mut found = None;
        for table in super::OWN_TABLES {
            let Some(written) = root.table(table.key) else { continue };
            let unsettled = (table.read)(&written);
            match &mut found {
                None => found = Some(Self { key: table.key, unsettled, unread: unread(root) }),
                Some(Self { unread, .. }) => unread.push((table.key, written.line())),
            }
        }
        found
    }
}

/// What only councils read.
fn unread(root: &SourceTable<'_, '_>) -> Vec<(&'static str, usize)> {
    let one = ["turn", "gate", "watch", "lens", "tools", "roles", "brief", "parliament"];
    let several = ["stage", "role", "perspective", "motion"];
    let one = one.into_iter().filter_map(|key| Some((key, root.table(key)?.line())));
    let several = several.into_iter().filter_map(|key| Some((key, root.tables(key).first()?.line())));
    let mut written: Vec<_> = one.chain(several).collect();
    written.sort_by_key(|(_, line)| *line);
    written
}

impl Settler<'_> {
    /// The procedure that a table chose, and how it votes.
    pub(super) fn own(&mut self, own: Own, draft: &mut Draft) -> Option<(Procedure, ballot::Rules)> {
        let Own { key: chosen, unsettled, unread } = own;
        for (key, line) in unread {
            let wrong = format!("a {chosen} does not use this table");
            self.error(line, key, wrong, format!("remove it, or remove [{chosen}]"));
        }
        (unsettled.0)(self, draft)
    }
}
