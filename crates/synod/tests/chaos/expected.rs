//! Findings that are no faults, or known and not fixed: the sweep, words of the point, words of the finding, and why it is
//! tolerated. One that no longer occurs in the long form has to leave the list.

pub(crate) const EXPECTED: &[Expected] = &[
    Expected {
        sweep: "tampered column",
        point: "term.number",
        found: "verify finds nothing",
        why: "a term says who may write next, nothing about what was written; one set back below its holder's is found",
    },
    Expected {
        sweep: "tampered files",
        point: "the key gone",
        found: "verify finds nothing",
        why: "a copy without the key is still a record",
    },
];

pub(crate) struct Expected {
    pub(crate) sweep: &'static str,
    pub(crate) point: &'static str,
    pub(crate) found: &'static str,
    pub(crate) why: &'static str,
}
