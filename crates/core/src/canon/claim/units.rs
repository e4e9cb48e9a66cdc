//! Units of measure: their kind, and how many of the smallest unit of that kind they are.

/// A unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unit {
    /// What it measures.
    pub(super) kind: &'static str,
    /// So many of the smallest unit it is.
    pub(super) least: i64,
    /// The most it may be: a megabyte is a million bytes to some and 1,048,576 to others.
    pub(super) most: i64,
}

const fn unit(kind: &'static str, factor: i64) -> Unit {
    Unit { kind, least: factor, most: factor }
}

const fn bytes(least: i64, most: i64) -> Unit {
    Unit { kind: "data", least, most }
}

/// Micrometres, micrograms, microseconds, months, bytes. Sorted by the word, folded.
#[rustfmt::skip]
const UNITS: [(&str, Unit); 124] = [
    ("%", unit("percent", 1)),
    ("b", bytes(1, 1)),
    ("byte", bytes(1, 1)),
    ("bytes", bytes(1, 1)),
    ("centimeter", unit("length", 10_000)),
    ("centimeters", unit("length", 10_000)),
    ("centimetre", unit("length", 10_000)),
    ("centimetres", unit("length", 10_000)),
    ("cm", unit("length", 10_000)),
    ("d", unit("time", 86_400_000_000)),
    ("day", unit("time", 86_400_000_000)),
    ("days", unit("time", 86_400_000_000)),
    ("dollar", unit("dollar", 1)),
    ("dollars", unit("dollar", 1)),
    ("eur", unit("euro", 1)),
    ("euro", unit("euro", 1)),
    ("euros", unit("euro", 1)),
    ("feet", unit("length", 304_800)),
    ("foot", unit("length", 304_800)),
    ("ft", unit("length", 304_800)),
    ("fuss", unit("length", 304_800)),
    ("g", unit("mass", 1_000_000)),
    ("gb", bytes(1_000_000_000, 1_073_741_824)),
    ("gib", bytes(1_073_741_824, 1_073_741_824)),
    ("gigabyte", bytes(1_000_000_000, 1_073_741_824)),
    ("gigabytes", bytes(1_000_000_000, 1_073_741_824)),
    ("gram", unit("mass", 1_000_000)),
    ("gramm", unit("mass", 1_000_000)),
    ("grams", unit("mass", 1_000_000)),
    ("h", unit("time", 3_600_000_000)),
    ("hour", unit("time", 3_600_000_000)),
    ("hours", unit("time", 3_600_000_000)),
    ("hz", unit("frequency", 1)),
    ("inch", unit("length", 25_400)),
    ("inches", unit("length", 25_400)),
    ("jahr", unit("months", 12)),
    ("jahre", unit("months", 12)),
    ("jahren", unit("months", 12)),
    ("kb", bytes(1000, 1024)),
    ("kg", unit("mass", 1_000_000_000)),
    ("khz", unit("frequency", 1000)),
    ("kib", bytes(1024, 1024)),
    ("kilobyte", bytes(1000, 1024)),
    ("kilobytes", bytes(1000, 1024)),
    ("kilogram", unit("mass", 1_000_000_000)),
    ("kilogramm", unit("mass", 1_000_000_000)),
    ("kilograms", unit("mass", 1_000_000_000)),
    ("kilometer", unit("length", 1_000_000_000)),
    ("kilometern", unit("length", 1_000_000_000)),
    ("kilometers", unit("length", 1_000_000_000)),
    ("kilometre", unit("length", 1_000_000_000)),
    ("kilometres", unit("length", 1_000_000_000)),
    ("km", unit("length", 1_000_000_000)),
    ("lb", unit("mass", 453_592_370)),
    ("lbs", unit("mass", 453_592_370)),
    ("m", unit("length", 1_000_000)),
    ("mb", bytes(1_000_000, 1_048_576)),
    ("megabyte", bytes(1_000_000, 1_048_576)),
    ("megabytes", bytes(1_000_000, 1_048_576)),
    ("meile", unit("length", 1_609_344_000)),
    ("meilen", unit("length", 1_609_344_000)),
    ("meter", unit("length", 1_000_000)),
    ("metern", unit("length", 1_000_000)),
    ("meters", unit("length", 1_000_000)),
    ("metre", unit("length", 1_000_000)),
    ("metres", unit("length", 1_000_000)),
    ("mg", unit("mass", 1000)),
    ("mhz", unit("frequency", 1_000_000)),
    ("mib", bytes(1_048_576, 1_048_576)),
    ("mile", unit("length", 1_609_344_000)),
    ("miles", unit("length", 1_609_344_000)),
    ("millimeter", unit("length", 1000)),
    ("millimetre", unit("length", 1000)),
    ("millimetres", unit("length", 1000)),
    ("millisecond", unit("time", 1000)),
    ("milliseconds", unit("time", 1000)),
    ("millisekunde", unit("time", 1000)),
    ("millisekunden", unit("time", 1000)),
    ("min", unit("time", 60_000_000)),
    ("mins", unit("time", 60_000_000)),
    ("minute", unit("time", 60_000_000)),
    ("minuten", unit("time", 60_000_000)),
    ("minutes", unit("time", 60_000_000)),
    ("mm", unit("length", 1000)),
    ("monat", unit("months", 1)),
    ("monate", unit("months", 1)),
    ("monaten", unit("months", 1)),
    ("month", unit("months", 1)),
    ("months", unit("months", 1)),
    ("ms", unit("time", 1000)),
    ("ounce", unit("mass", 28_349_523)),
    ("ounces", unit("mass", 28_349_523)),
    ("percent", unit("percent", 1)),
    ("pound", unit("mass", 453_592_370)),
    ("pounds", unit("mass", 453_592_370)),
    ("prozent", unit("percent", 1)),
    ("s", unit("time", 1_000_000)),
    ("sec", unit("time", 1_000_000)),
    ("second", unit("time", 1_000_000)),
    ("seconds", unit("time", 1_000_000)),
    ("secs", unit("time", 1_000_000)),
    ("sek", unit("time", 1_000_000)),
    ("sekunde", unit("time", 1_000_000)),
    ("sekunden", unit("time", 1_000_000)),
    ("std", unit("time", 3_600_000_000)),
    ("stunde", unit("time", 3_600_000_000)),
    ("stunden", unit("time", 3_600_000_000)),
    ("tag", unit("time", 86_400_000_000)),
    ("tage", unit("time", 86_400_000_000)),
    ("tagen", unit("time", 86_400_000_000)),
    ("tb", bytes(1_000_000_000_000, 1_099_511_627_776)),
    ("tonne", unit("mass", 1_000_000_000_000)),
    ("tonnen", unit("mass", 1_000_000_000_000)),
    ("tonnes", unit("mass", 1_000_000_000_000)),
    ("week", unit("time", 604_800_000_000)),
    ("weeks", unit("time", 604_800_000_000)),
    ("woche", unit("time", 604_800_000_000)),
    ("wochen", unit("time", 604_800_000_000)),
    ("yard", unit("length", 914_400)),
    ("yards", unit("length", 914_400)),
    ("year", unit("months", 12)),
    ("years", unit("months", 12)),
    ("yr", unit("months", 12)),
    ("zoll", unit("length", 25_400)),
];

/// Units of the imperial system: amounts in them are rounded when they are given in metres or kilograms.
#[rustfmt::skip]
const IMPERIAL: [&str; 20] = [
    "feet", "foot", "ft", "fuss", "inch", "inches", "lb", "lbs", "meile", "meilen", "mile", "miles",
    "ounce", "ounces", "pound", "pounds", "yard", "yards", "zoll", "in",
];

/// The unit that a folded word names.
pub(super) fn named(word: &str) -> Option<Unit> {
    UNITS.binary_search_by(|(known, _)| (*known).cmp(word)).ok().map(|at| UNITS[at].1)
}

/// Whether a unit is one that people round away from.
pub(super) fn is_imperial(word: &str) -> bool {
    IMPERIAL.contains(&word)
}

/// How often a week a thing happens that happens once in a span of time: rates are compared by the week.
pub(super) fn per_week(word: &str) -> Option<i64> {
    let span = named(word).filter(|unit| unit.kind == "time")?;
    (604_800_000_000 % span.least == 0).then(|| 604_800_000_000 / span.least)
}

#[cfg(test)]
mod tests {
    use super::UNITS;

    #[test]
    fn the_list_is_sorted() {
        assert!(UNITS.windows(2).all(|pair| pair[0].0 < pair[1].0));
    }
}
