//! Which form is run, from which seed, and what a sweep does with its findings.

use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

use crate::expected::{EXPECTED, Expected};

/// The seed of the short form, so that every run of the tests tries the same.
const SEED: u64 = 20_261_117;

/// How much is tried.
pub(crate) struct Form {
    pub(crate) seed: u64,
    /// Every point there is, instead of a sample.
    pub(crate) long: bool,
}

/// `SYNOD_CHAOS=long` and `SYNOD_CHAOS_SEED=N`, as `scripts/chaos` sets them.
pub(crate) fn form() -> &'static Form {
    static FORM: OnceLock<Form> = OnceLock::new();
    FORM.get_or_init(|| {
        let seed = std::env::var("SYNOD_CHAOS_SEED").ok().map(|seed| seed.parse().expect("a number"));
        let form = Form {
            seed: seed.unwrap_or(SEED),
            long: std::env::var("SYNOD_CHAOS").is_ok_and(|form| form == "long"),
        };
        tell(&format!(
            "seed {} ({} form); again: SYNOD_CHAOS_SEED={}",
            form.seed,
            if form.long { "long" } else { "short" },
            form.seed
        ));
        form
    })
}

/// `short` or `long`, whichever is run.
pub(crate) fn pick(short: usize, long: usize) -> usize {
    if form().long { long } else { short }
}

/// A generator of numbers for one sweep: sweeps do not disturb each other's.
pub(crate) fn random(sweep: &str) -> Random {
    let name = sweep.bytes().fold(0_u64, |sum, byte| sum.wrapping_mul(131).wrapping_add(byte.into()));
    Random(form().seed ^ name)
}

/// SplitMix64.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    /// True once in so many times.
    pub(crate) fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }
}

/// All of `points` in the long form, else `short` of them, spread evenly with a random shift.
pub(crate) fn sample<T: Clone>(sweep: &str, points: &[T], short: usize) -> Vec<T> {
    if form().long || points.len() <= short {
        return points.to_vec();
    }
    let shift = random(sweep).below(points.len());
    let mut places: Vec<usize> =
        (0..short).map(|nth| (shift + nth * points.len() / short) % points.len()).collect();
    places.sort_unstable();
    places.into_iter().map(|place| points[place].clone()).collect()
}

/// Tries every point. `attempt` panics with what it found, or gives what is counted. Fails at the end with every finding that
/// is not expected, and prints the figures.
pub(crate) fn sweep<T: std::fmt::Display>(
    name: &str,
    points: impl IntoIterator<Item = T>,
    mut attempt: impl FnMut(&T) -> Counts,
) {
    let begun = Instant::now();
    let (mut tried, mut known, mut counts, mut findings) = (0, 0, Counts::default(), Vec::new());
    for point in points {
        tried += 1;
        match catch_unwind(AssertUnwindSafe(|| attempt(&point))) {
            Ok(more) => counts.add(more),
            Err(panic) => {
                let found = words(&*panic);
                let shown = point.to_string();
                let is_this = |expected: &&Expected| {
                    expected.sweep == name && shown.contains(expected.point) && found.contains(expected.found)
                };
                match EXPECTED.iter().find(is_this) {
                    Some(expected) => {
                        known += 1;
                        tell(&format!("{name} | {shown} | tolerated: {}", expected.why));
                    }
                    None => findings.push(format!("{shown}: {found}")),
                }
            }
        }
    }
    let mut line = format!("{name} | {tried}");
    line += &format!(" | {counts} | {} | {known} | {:.0} s", findings.len(), begun.elapsed().as_secs_f64());
    tell(&line);
    figure(&line);
    let seed = form().seed;
    assert!(
        findings.is_empty(),
        "{name}, seed {seed}: {} of {tried}\n{}",
        findings.len(),
        findings.join("\n\n")
    );
    assert!(tried > 0, "{name}: nothing was tried");
    let is_listed = EXPECTED.iter().any(|expected| expected.sweep == name);
    assert!(
        known > 0 || !is_listed || !form().long,
        "{name} finds nothing any more: take it out of expected.rs"
    );
}

/// What a sweep counts, by name.
#[derive(Debug, Default)]
pub(crate) struct Counts(Vec<(&'static str, usize)>);

impl Counts {
    pub(crate) fn of(counts: impl IntoIterator<Item = (&'static str, usize)>) -> Self {
        Self(counts.into_iter().collect())
    }

    fn add(&mut self, more: Self) {
        for (name, count) in more.0 {
            match self.0.iter_mut().find(|(known, _)| *known == name) {
                Some((_, sum)) => *sum += count,
                None => self.0.push((name, count)),
            }
        }
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shown: Vec<_> = self.0.iter().map(|(name, count)| format!("{count} {name}")).collect();
        f.write_str(&shown.join(", "))
    }
}

fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without words").to_string()
}

/// Keeps a row of figures where `scripts/chaos` wants them.
fn figure(line: &str) {
    static ONE: Mutex<()> = Mutex::new(());
    let Ok(path) = std::env::var("SYNOD_CHAOS_FIGURES") else { return };
    let _one = ONE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
    file.and_then(|mut file| writeln!(file, "| {line} |")).expect("the file of figures");
}

/// Prints past the test harness, which hides what passing tests print.
pub(crate) fn tell(line: &str) {
    let _ = writeln!(std::io::stderr(), "chaos: {line}");
}
