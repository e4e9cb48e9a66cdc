//! Where the files lie that comments cite.

use std::sync::Arc;

use synod_engine::Root;

use super::HouseArg;

impl HouseArg {
    /// The folder that citations of files are relative to: the one the house lies in.
    pub(crate) fn evidence_root(&self) -> Option<Arc<Root>> {
        let whole = std::path::absolute(self.dir()).ok()?;
        Root::open(whole.parent()?, self.dir()).ok().map(Arc::new)
    }
}
