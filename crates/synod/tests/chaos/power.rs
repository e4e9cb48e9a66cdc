//! Power is cut. A trace of every write and sync is played onto a model of a disk; at any moment the model gives the states a real
//! disk may be left in, and the binary opens each.
//!
//! What the model takes for sure: what was written to a file before its last sync, and the names that were changed before the last
//! sync of any file or folder (file systems log names in order). Of what came since, a disk has any part: a beginning of the changed
//! names, and of the writes any subset, in sectors of 512 bytes.

use std::collections::BTreeMap;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::debate::sound;
use crate::form::{Counts, Random, pick, random, sweep};
use crate::service::Service;
use crate::shim::Shimmed;
use crate::world::Place;

/// What a disk writes whole or not at all.
const SECTOR: usize = 512;

/// One line of the trace that `shim.c` writes.
#[derive(Debug, Clone)]
struct Step {
    letter: u8,
    place: usize,
    path: PathBuf,
    other: PathBuf,
    bytes: Vec<u8>,
}

fn read_trace(mut log: &[u8]) -> Vec<Step> {
    fn take<'a>(log: &mut &'a [u8], count: usize) -> &'a [u8] {
        let (taken, rest) = log.split_at(count);
        *log = rest;
        taken
    }
    let mut steps = Vec::new();
    while !log.is_empty() {
        let letter = take(&mut log, 1)[0];
        let number = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes")) as usize;
        let (place, length) = (number(take(&mut log, 8)), number(take(&mut log, 8)));
        let short = |bytes: &[u8]| usize::from(u16::from_le_bytes(bytes.try_into().expect("two bytes")));
        let (first, second) = (short(take(&mut log, 2)), short(take(&mut log, 2)));
        let path = |bytes: &[u8]| PathBuf::from(String::from_utf8_lossy(bytes).into_owned());
        let (path, other) = (path(take(&mut log, first)), path(take(&mut log, second)));
        steps.push(Step { letter, place, path, other, bytes: take(&mut log, length).to_vec() });
    }
    steps
}

/// A file: what it holds for sure, and what was done to it since.
#[derive(Debug, Clone, Default)]
struct File {
    durable: Vec<u8>,
    since: Vec<Change>,
}

#[derive(Debug, Clone)]
enum Change {
    Write(usize, Vec<u8>),
    Length(usize),
}

impl File {
    fn whole(&self) -> Vec<u8> {
        let mut bytes = self.durable.clone();
        self.since.iter().for_each(|change| change.apply(&mut bytes, &mut |_| true));
        bytes
    }

    /// What a disk may hold: sectors of the writes since, each or not. Lengths change in order, up to some point.
    fn torn(&self, random: &mut Random) -> Vec<u8> {
        let mut bytes = self.durable.clone();
        let lengths = random.below(self.since.len() + 1);
        let (all, none) = (random.one_in(4), random.one_in(4));
        let up_to = random.below(self.since.len() + 1);
        let in_order = random.one_in(2);
        for (nth, change) in self.since.iter().enumerate() {
            match change {
                Change::Length(_) if nth < lengths => change.apply(&mut bytes, &mut |_| true),
                Change::Length(_) => (),
                Change::Write(..) if in_order && nth < up_to => change.apply(&mut bytes, &mut |_| true),
                Change::Write(..) if in_order => (),
                Change::Write(..) => {
                    change.apply(&mut bytes, &mut |_| all || (!none && random.one_in(2)));
                }
            }
        }
        bytes
    }
}

impl Change {
    /// Applies the sectors that `takes` takes.
    fn apply(&self, file: &mut Vec<u8>, takes: &mut dyn FnMut(usize) -> bool) {
        match self {
            Self::Length(length) => file.resize(*length, 0),
            Self::Write(place, bytes) => {
                for (nth, sector) in bytes.chunks(SECTOR).enumerate() {
                    if takes(nth) {
                        let at = place + nth * SECTOR;
                        file.resize(file.len().max(at + sector.len()), 0);
                        file[at..at + sector.len()].copy_from_slice(sector);
                    }
                }
            }
        }
    }
}

/// A change of names.
#[derive(Debug, Clone)]
enum Name {
    Made(PathBuf, usize),
    Moved(PathBuf, PathBuf),
    Gone(PathBuf),
}

/// The disk at one moment: files by number, names that are sure, names that changed since.
#[derive(Debug, Clone, Default)]
struct Disk {
    files: Vec<File>,
    sure: BTreeMap<PathBuf, usize>,
    since: Vec<Name>,
    /// As the process sees it.
    seen: BTreeMap<PathBuf, usize>,
    /// The last act that was acknowledged.
    acknowledged: u64,
}

fn change(names: &mut BTreeMap<PathBuf, usize>, name: &Name) {
    match name {
        Name::Made(path, file) => drop(names.insert(path.clone(), *file)),
        Name::Gone(path) => drop(names.remove(path)),
        Name::Moved(from, to) => {
            if let Some(file) = names.remove(from) {
                names.insert(to.clone(), file);
            }
        }
    }
}

impl Disk {
    fn file(&mut self, path: &Path) -> Option<&mut File> {
        let number = *self.seen.get(path)?;
        Some(&mut self.files[number])
    }

    fn rename(&mut self, name: Name) {
        change(&mut self.seen, &name);
        self.since.push(name);
    }

    fn take(&mut self, step: &Step) {
        let path = step.path.clone();
        match step.letter {
            b'C' | b'T' if !self.seen.contains_key(&path) => {
                self.files.push(File::default());
                self.rename(Name::Made(path, self.files.len() - 1));
            }
            b'T' => self.file(&path).expect("a file").since.push(Change::Length(0)),
            b'W' => {
                let change = Change::Write(step.place, step.bytes.clone());
                if let Some(file) = self.file(&path) {
                    file.since.push(change);
                }
            }
            b'L' => {
                if let Some(file) = self.file(&path) {
                    file.since.push(Change::Length(step.place));
                }
            }
            b'R' => self.rename(Name::Moved(path, step.other.clone())),
            b'K' => {
                if let Some(file) = self.seen.get(&path) {
                    self.rename(Name::Made(step.other.clone(), *file));
                }
            }
            b'U' => self.rename(Name::Gone(path)),
            b'S' => {
                if let Some(file) = self.file(&path) {
                    *file = File { durable: file.whole(), since: Vec::new() };
                }
                for name in std::mem::take(&mut self.since) {
                    change(&mut self.sure, &name);
                }
            }
            b'A' => {
                let told = String::from_utf8_lossy(&step.bytes);
                let act =
                    told.split("\"act\":").nth(1).map(|rest| rest.chars().take_while(char::is_ascii_digit));
                let act = act.and_then(|digits| digits.collect::<String>().parse().ok());
                self.acknowledged = self.acknowledged.max(act.unwrap_or(0));
            }
            _ => (),
        }
    }

    /// Writes a state that the disk may be left in below `to`, for files below `house`.
    fn leave(&self, house: &Path, to: &Path, random: &mut Random) {
        let mut names = self.sure.clone();
        let kept = random.below(self.since.len() + 1);
        self.since[..kept].iter().for_each(|name| change(&mut names, name));
        std::fs::create_dir_all(to).expect("a folder");
        for (path, file) in names {
            // The index of the log is in memory; a machine that starts again has none.
            let Ok(inner) = path.strip_prefix(house) else { continue };
            if inner.extension().is_some_and(|end| end == "db-shm") {
                continue;
            }
            let target = to.join(inner);
            std::fs::create_dir_all(target.parent().expect("a folder")).expect("a folder");
            std::fs::write(&target, self.files[file].torn(random)).expect("a file");
            std::fs::set_permissions(&target, Permissions::from_mode(0o600)).expect("a mode");
        }
    }
}

#[test]
fn power_cut_at_any_moment() {
    let place = Place::new();
    let house = place.dir().canonicalize().expect("a folder").join(".synod");
    // Two services and a debate between them, so that the log is gone over and begun again, and a receipt is written.
    let mut steps = Vec::new();
    for turn in 0..2 {
        let service = Service::start(&place, "trace").expect("a service");
        for nth in 0..pick(10, 40) {
            service.write(&place, turn * 1000 + nth).expect("an acknowledgement");
        }
        steps.extend(read_trace(&service.end()));
        if turn == 0 {
            let debate = ["debate", "Should we cache the index?", "--rehearse", "--charter=collaborative"];
            let (run, log) = Shimmed::new(&place, "trace", &debate.map(String::from)).run();
            assert!(run.code < 3 && !log.is_empty(), "{run}");
            steps.extend(read_trace(&log));
        }
    }
    let rows = place.rows();
    let acknowledged = steps.iter().filter(|step| step.letter == b'A').count();
    assert!(acknowledged >= 2 * pick(10, 40), "the trace has {acknowledged} acknowledgements");

    let mut random = random("power");
    let cuts: Vec<usize> = (0..pick(40, 600)).map(|_| random.below(steps.len() + 1)).collect();
    sweep("power cut", cuts, |cut| {
        let mut disk = Disk::default();
        steps[..*cut].iter().for_each(|step| disk.take(step));
        let left = Place::new();
        disk.leave(&house, &left.house(), &mut random);
        let shown = left.run(["list"]);
        let kept = left.rows();
        assert!(
            kept.len() as u64 >= disk.acknowledged,
            "{} acts of {}\n{shown}",
            kept.len(),
            disk.acknowledged
        );
        assert!(kept[..] == rows[..kept.len()], "not a beginning of what was written");
        if !kept.is_empty() {
            sound(&left);
        }
        goes_on(&left, kept.len());
        left.spoil();
        Counts::of([("acknowledged", disk.acknowledged as usize), ("present", kept.len())])
    });
    place.spoil();
}

/// Whatever was left can be written to again.
fn goes_on(place: &Place, had: usize) {
    let service = Service::start(place, "count").expect("a service that starts after a power cut");
    service.write(place, 9999).expect("an acknowledgement");
    drop(service.end());
    assert!(place.rows().len() > had, "nothing was added");
    sound(place);
}
