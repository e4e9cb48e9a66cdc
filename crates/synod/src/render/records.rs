//! What votes counted for by track record, and why, in words.

use synod_core::kernel::text::counted;
use synod_core::kernel::{RecordWeights, WeighedBy, WeightTrial};
use synod_core::view::Report;

use super::words;

/// A share in permille as a percentage.
fn percent(permille: u32) -> String {
    format!("{}.{} %", permille / 10, permille % 10)
}

/// How the ways of counting did on known outcomes.
fn tried(trial: &WeightTrial) -> String {
    let WeightTrial { best, equal, errors, outcomes } = trial;
    format!(
        "{}, each decided without it: weights {} right, one vote each {}, the best seat {}",
        counted(u64::from(*outcomes), "known outcome"),
        percent(*errors),
        percent(*equal),
        percent(*best)
    )
}

/// Which way of counting holds and why, then each seat's weight with what it rests on.
pub(super) fn worth(report: &Report, learned: &RecordWeights) -> Vec<String> {
    let by = match learned.by {
        WeighedBy::Errors => "weighted by track record",
        WeighedBy::Equal => "unweighted: one vote each was right more often than weights by track record",
        WeighedBy::Best => {
            "the seat with the best track record decides: it was right more often than weights"
        }
        WeighedBy::LeastBad => "the seat with the best track record decides: nobody is better than guessing",
    };
    let why = learned.trial.as_ref().map(|trial| format!(" ({})", tried(trial))).unwrap_or_default();
    let mut lines = vec![format!("{by}{why}")];
    let mut seats: Vec<_> = learned.seats.iter().collect();
    seats.sort_by_key(|(who, seat)| (std::cmp::Reverse(seat.weight), (*who).clone()));
    for (who, seat) in seats {
        let record = match seat.marks {
            0 => "no track record, so the average of the others".into(),
            marks => counted(u64::from(marks), "outcome"),
        };
        let weight = format!("{}.{:03}", seat.weight / 1000, seat.weight % 1000);
        lines.push(format!(
            "{}: {weight} of a vote; taken to be right {} of the time ({record})",
            words::name(report, who),
            percent(seat.mean),
        ));
    }
    lines
}
