//! The numbers of triggers and monitor, as a file: typed twice, every flaw with its line.
//!
//! What ships with Synod is `rules/triggers.toml`; a file of a house holds only what is different there. The
//! house is given the numbers themselves, not the file: a later Synod with other numbers changes no record.

use std::collections::BTreeMap;

use crate::charter::Flaw;
use crate::charter::source::{self, SourceTable};
use crate::kernel::{Permille, Priority, Ratio};
use crate::monitor::{self, CountRule, DivergenceRule, StallRule};
use crate::trigger::{self, agent, checkpoint, code, phase, scheduled, threshold, user};

/// The numbers that ship with Synod.
pub const SHIPPED: &str = include_str!("../../../rules/triggers.toml");

/// What a file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Regulation {
    /// The charter for each priority, by name.
    pub charters: BTreeMap<Priority, String>,
    /// The numbers of the monitor.
    pub monitor: monitor::Rules,
    /// The numbers of the triggers.
    pub trigger: trigger::Rules,
}

impl Regulation {
    /// What ships with Synod.
    pub fn shipped() -> Self {
        Self::read(SHIPPED, None).expect("the numbers that ship have no flaw: a test reads them")
    }

    /// What a file says, over what ships with Synod. Lists every flaw.
    pub fn parse(source: &str) -> Result<Self, Vec<Flaw>> {
        Self::read(source, Some(&Self::shipped()))
    }

    fn read(source: &str, base: Option<&Self>) -> Result<Self, Vec<Flaw>> {
        let (made, mut flaws, _) = source::read(source, |root| {
            let root = OverridingTable { root, table: Some(root), path: String::new() };
            let charters = root.inside("charters", |over| charters(over, base.map(|base| &base.charters)));
            let trigger = root.inside("trigger", |over| triggers(over, base.map(|base| &base.trigger)));
            let monitor = root.inside("monitor", |over| monitors(over, base.map(|base| &base.monitor)));
            Some(Self { charters: charters?, monitor: monitor?, trigger: trigger? })
        });
        flaws.sort_by_key(|flaw| flaw.line);
        match made {
            Some(made) if flaws.is_empty() => Ok(made),
            Some(_) | None => Err(flaws),
        }
    }
}

/// A table of the file, if it is there. What it leaves out is as before; where there is no before, that is a flaw.
struct OverridingTable<'o, 't, 's> {
    root: &'o SourceTable<'t, 's>,
    table: Option<&'o SourceTable<'t, 's>>,
    path: String,
}

impl<'t, 's> OverridingTable<'_, 't, 's> {
    fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.into() } else { format!("{}.{key}", self.path) }
    }

    fn inside<T>(&self, key: &'static str, read: impl FnOnce(&OverridingTable<'_, 't, 's>) -> T) -> T {
        let table = self.table.and_then(|table| table.table(key));
        let made = read(&OverridingTable { root: self.root, table: table.as_ref(), path: self.path_of(key) });
        table.iter().for_each(SourceTable::finish);
        made
    }

    fn take<T>(
        &self,
        key: &'static str,
        base: Option<T>,
        read: impl FnOnce(&SourceTable<'t, 's>) -> Option<T>,
    ) -> Option<T> {
        let made = self.table.and_then(read).or(base);
        if made.is_none() {
            self.root.flaw(1, &self.path_of(key), "this is missing", "write a value for it");
        }
        made
    }

    fn text(&self, key: &'static str, base: Option<String>) -> Option<String> {
        self.take(key, base, |table| table.text(key).map(|text| text.value))
    }

    fn bool(&self, key: &'static str, base: Option<bool>) -> Option<bool> {
        self.take(key, base, |table| table.bool(key).map(|value| value.value))
    }

    fn whole(&self, key: &'static str, base: Option<u64>) -> Option<u64> {
        self.take(key, base, |table| table.whole(key).map(|whole| whole.value))
    }

    /// A whole number above 0.
    fn positive(&self, key: &'static str, base: Option<u64>) -> Option<u64> {
        self.take(key, base, |table| {
            let whole = table.whole(key)?;
            if whole.value == 0 {
                table.flaw(whole.line, key, "0 would always be reached", "write 1 or more");
            }
            Some(whole.value)
        })
    }

    fn positive_u32(&self, key: &'static str, base: Option<u32>) -> Option<u32> {
        let whole = self.positive(key, base.map(u64::from))?;
        Some(u32::try_from(whole).unwrap_or(u32::MAX))
    }

    fn share(&self, key: &'static str, base: Option<Permille>) -> Option<Permille> {
        self.take(key, base, |table| {
            let ratio = table.parsed::<Ratio>(key, "a fraction from 0 to 1 such as 0.6")?.value;
            // Rounded up, so that what does not reach it as written does not reach it.
            Permille::new(ratio.ceiling_of(1000) as u16)
        })
    }

    /// Two shares, of which the second may not be the smaller.
    fn steps(&self, base: Option<(Permille, Permille)>) -> Option<(Permille, Permille)> {
        let least = self.share("least", base.map(|(least, _)| least));
        let high = self.share("high", base.map(|(_, high)| high));
        let (least, high) = (least?, high?);
        if let (true, Some(table)) = (high < least, self.table) {
            let wrong = format!("{high} lies below `least`, which is {least}");
            table.flaw(table.line(), "high", wrong, "write a value from `least` up");
        }
        Some((least, high))
    }

    fn priority(&self, key: &'static str, base: Option<Priority>) -> Option<Priority> {
        self.take(key, base, |table| table.word(key, &Priority::WORDS).map(|word| word.value))
    }

    /// Names in one spelling.
    fn names(&self, key: &'static str, base: Option<Vec<String>>) -> Option<Vec<String>> {
        self.take(key, base, |table| {
            let names = table.texts(key)?;
            if names.value.iter().any(|name| code(name).is_empty()) {
                table.flaw(names.line, key, "a name in this list is empty", "name it or leave it out");
            }
            Some(names.value.iter().map(|name| code(name)).collect())
        })
    }
}

fn charters(
    over: &OverridingTable<'_, '_, '_>,
    base: Option<&BTreeMap<Priority, String>>,
) -> Option<BTreeMap<Priority, String>> {
    let name = |(key, priority): (&'static str, Priority)| {
        let base = base.and_then(|base| base.get(&priority).cloned());
        (priority, over.text(key, base))
    };
    let read: Vec<(Priority, Option<String>)> = Priority::WORDS.into_iter().map(name).collect();
    read.into_iter().map(|(priority, name)| Some((priority, name?))).collect()
}

fn triggers(over: &OverridingTable<'_, '_, '_>, base: Option<&trigger::Rules>) -> Option<trigger::Rules> {
    let agent = over.inside("agent", |over| agent(over, base.map(|base| &base.agent)));
    let checkpoint = over.inside("checkpoint", |over| checkpoint(over, base.map(|base| &base.checkpoint)));
    let monitor = over.inside("monitor", |over| {
        let base = base.map(|base| &base.monitor);
        let cooldown_ms = over.whole("cooldown_ms", base.map(|base| base.cooldown_ms));
        let on = over.bool("on", base.map(|base| base.on));
        let by_subject = over.bool("by_subject", base.map(|base| base.by_subject));
        Some(trigger::monitor::Rules { by_subject: by_subject?, cooldown_ms: cooldown_ms?, on: on? })
    });
    let phase = over.inside("phase", |over| {
        let base = base.map(|base| &base.phase);
        let cooldown_ms = over.whole("cooldown_ms", base.map(|base| base.cooldown_ms));
        let from = over.names("from", base.map(|base| base.from.clone()));
        let priority = over.priority("priority", base.map(|base| base.priority));
        Some(phase::Rules { cooldown_ms: cooldown_ms?, from: from?, priority: priority? })
    });
    let scheduled = over.inside("scheduled", |over| {
        let base = base.map(|base| &base.scheduled);
        let active_least = over.positive_u32("active_least", base.map(|base| base.active_least));
        let interval_ms = over.positive("interval_ms", base.map(|base| base.interval_ms));
        let on = over.bool("on", base.map(|base| base.on));
        let priority = over.priority("priority", base.map(|base| base.priority));
        let (active_least, interval_ms) = (active_least?, interval_ms?);
        Some(scheduled::Rules { active_least, interval_ms, on: on?, priority: priority? })
    });
    let threshold = over.inside("threshold", |over| {
        let base = base.map(|base| &base.threshold);
        let cooldown_ms = over.whole("cooldown_ms", base.map(|base| base.cooldown_ms));
        let (least, high) = over.steps(base.map(|base| (base.least, base.high)))?;
        Some(threshold::Rules { cooldown_ms: cooldown_ms?, high, least })
    });
    let user = over.inside("user", |over| {
        let base = base.map(|base| &base.user);
        let cooldown_ms = over.whole("cooldown_ms", base.map(|base| base.cooldown_ms));
        let priority = over.priority("priority", base.map(|base| base.priority));
        Some(user::Rules { cooldown_ms: cooldown_ms?, priority: priority? })
    });
    Some(trigger::Rules {
        agent: agent?,
        checkpoint: checkpoint?,
        monitor: monitor?,
        phase: phase?,
        scheduled: scheduled?,
        threshold: threshold?,
        user: user?,
    })
}

fn agent(over: &OverridingTable<'_, '_, '_>, base: Option<&agent::Rules>) -> Option<agent::Rules> {
    let cooldown_ms = over.whole("cooldown_ms", base.map(|base| base.cooldown_ms));
    let steps = over.steps(base.map(|base| (base.least, base.high)));
    let reasons = over.take("reason", base.map(|base| base.reasons.clone()), |table| {
        let listed = table.tables("reason");
        let reasons: Vec<agent::ListedReason> = listed.iter().filter_map(reason).collect();
        (!listed.is_empty()).then_some(reasons)
    });
    let (least, high) = steps?;
    let by_reason = over.bool("by_reason", base.map(|base| base.by_reason));
    Some(agent::Rules { by_reason: by_reason?, cooldown_ms: cooldown_ms?, high, least, reasons: reasons? })
}

fn reason(table: &SourceTable<'_, '_>) -> Option<agent::ListedReason> {
    let (name, says) = (table.text("name"), table.texts("says"));
    table.finish();
    let Some(name) = name else {
        table.flaw(table.line(), "name", "this is missing", "write name = \"security_concern\"");
        return None;
    };
    let says = says.map(|says| says.value).unwrap_or_default();
    let folded = |phrase: &String| crate::kernel::text::fold(phrase);
    Some(agent::ListedReason { name: code(&name.value), says: says.iter().map(folded).collect() })
}

fn checkpoint(
    over: &OverridingTable<'_, '_, '_>,
    base: Option<&checkpoint::Rules>,
) -> Option<checkpoint::Rules> {
    let cooldown_ms = over.whole("cooldown_ms", base.map(|base| base.cooldown_ms));
    let flagged = over.priority("flagged", base.map(|base| base.flagged));
    let always = over.inside("always", |over| {
        let listed = |(key, priority): (&'static str, Priority)| {
            let of = |base: &checkpoint::Rules| {
                let same = base.always.iter().filter(|(_, known)| **known == priority);
                same.map(|(name, _)| name.clone()).collect()
            };
            (priority, over.names(key, base.map(of)))
        };
        let read: Vec<(Priority, Option<Vec<String>>)> = Priority::WORDS.into_iter().map(listed).collect();
        let mut always = BTreeMap::new();
        // The most urgent comes last and so wins where one name stands in two lists.
        for (priority, names) in read.into_iter().rev() {
            always.extend(names?.into_iter().map(|name| (name, priority)));
        }
        Some(always)
    });
    Some(checkpoint::Rules { always: always?, cooldown_ms: cooldown_ms?, flagged: flagged? })
}

fn monitors(over: &OverridingTable<'_, '_, '_>, base: Option<&monitor::Rules>) -> Option<monitor::Rules> {
    let active_ms = over.positive("active_ms", base.map(|base| base.active_ms));
    let counted = |key: &'static str, base: Option<CountRule>| over.inside(key, |over| count(over, base));
    let edits = counted("conflicting_edits", base.map(|base| base.conflicting_edits));
    let cluster = counted("human_escalation_cluster", base.map(|base| base.human_escalation_cluster));
    let insights = counted("insight_contradictions", base.map(|base| base.insight_contradictions));
    let corrections = counted("repeated_corrections", base.map(|base| base.repeated_corrections));
    let opinions = over.inside("opinion_divergence", |over| {
        let base = base.map(|base| base.opinion_divergence);
        let least = over.share("least", base.map(|base| base.least));
        let on = over.bool("on", base.map(|base| base.on));
        let priority = over.priority("priority", base.map(|base| base.priority));
        let window_ms = over.positive("window_ms", base.map(|base| base.window_ms));
        Some(DivergenceRule { least: least?, on: on?, priority: priority?, window_ms: window_ms? })
    });
    let stalls = over.inside("stalled_progress", |over| {
        let base = base.map(|base| base.stalled_progress);
        let after_ms = over.positive("after_ms", base.map(|base| base.after_ms));
        let on = over.bool("on", base.map(|base| base.on));
        let priority = over.priority("priority", base.map(|base| base.priority));
        let window_ms = over.positive("window_ms", base.map(|base| base.window_ms));
        Some(StallRule { after_ms: after_ms?, on: on?, priority: priority?, window_ms: window_ms? })
    });
    Some(monitor::Rules {
        active_ms: active_ms?,
        conflicting_edits: edits?,
        human_escalation_cluster: cluster?,
        insight_contradictions: insights?,
        opinion_divergence: opinions?,
        repeated_corrections: corrections?,
        stalled_progress: stalls?,
    })
}

fn count(over: &OverridingTable<'_, '_, '_>, base: Option<CountRule>) -> Option<CountRule> {
    let least = over.positive_u32("least", base.map(|base| base.least));
    let on = over.bool("on", base.map(|base| base.on));
    let priority = over.priority("priority", base.map(|base| base.priority));
    let window_ms = over.positive("window_ms", base.map(|base| base.window_ms));
    Some(CountRule { least: least?, on: on?, priority: priority?, window_ms: window_ms? })
}
