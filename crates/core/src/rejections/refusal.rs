//! What is refused of reports about rejected requests.

use super::MalformedReport;
use crate::kernel::refusals;

refusals! {
    /// What is refused of a report.
    pub enum Refusal {
        /// The report is not valid. Only a service with a bug sends one; please report it.
        #[error("{0}")]
        Malformed(MalformedReport) = "rejections/malformed", Invalid,
    }
}
