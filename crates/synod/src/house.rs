//! Finding and opening a house.

mod given;
mod receipts;
mod root;

use std::collections::BTreeMap;
use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::Args;
use synod_core::charter::{self, Charter, Flaw, ResolvedCharter};
use synod_core::house::Case;
use synod_core::kernel::SettingValue;
use synod_core::kernel::text::counted;
use synod_core::kernel::{Actor, Digest, MatterId, Seq};
use synod_core::{Command, House, Outcome};
use synod_engine::{
    Archive, Engine, EngineOptions, Minds, Opened, Order, SnapshotPlace, guests_wait, open_house,
};
use synod_journal::{Head, HouseKey, Journal as _, LockHolder, Sqlite, SqliteReader, file, holder, mark};

use crate::cli::sources::Reach;
use crate::fail::{Fail, Result, code};
use crate::pins::remember;
use crate::upkeep::house_key;
use crate::user::{snapshot_key, snapshot_key_for};
use crate::witness::warn_if_refused;
use crate::{locate, out};

pub(crate) use given::AcknowledgedAct;
pub(crate) use receipts::{
    keep_receipt, keep_receipts, keep_receipts_of_issues, receipt_body, receipt_body_at, receipt_path, sign,
    write_receipt,
};

/// How long a command waits for a house that is held, and how long apart it tries.
const HELD_WAIT: Duration = Duration::from_secs(1);
const HELD_PAUSE: Duration = Duration::from_millis(15);

/// The house a command works in.
#[derive(Debug, Clone, Args)]
pub(crate) struct HouseArg {
    /// The workspace folder to work in (the "house"): its journal, key, receipts and settings. Without it, .synod here or
    /// in the nearest folder above that is yours.
    #[arg(
        long,
        value_name = "DIR",
        env = "SYNOD_HOUSE",
        hide_env_values = true,
        default_value = ".synod",
        global = true,
        help_heading = "Global options"
    )]
    pub(crate) house: PathBuf,
    /// Whether it was found above the working directory, where the next command finds it too.
    #[arg(skip)]
    found: bool,
    /// Whether the one here is somebody else's, and the user did not name it.
    #[arg(skip)]
    foreign: bool,
}

impl HouseArg {
    /// The house in a folder.
    pub(crate) fn at(house: PathBuf) -> Self {
        Self { house, found: false, foreign: false }
    }

    /// Looks above the working directory, where the user named no house and there is none here.
    pub(crate) fn locate(&mut self) {
        if let Some(above) = locate::above() {
            (self.house, self.found) = (above, true);
        }
        self.foreign = locate::is_foreign();
    }

    /// Whether it lies above the working directory.
    pub(crate) fn is_above(&self) -> bool {
        self.found
    }

    pub(crate) fn dir(&self) -> &Path {
        &self.house
    }

    /// What a command line needs to find this house again: nothing for the usual one.
    pub(crate) fn flag(&self) -> String {
        match self.dir().to_str() {
            Some(locate::USUAL) => String::new(),
            Some(_) | None if self.found => String::new(),
            Some(_) | None => format!(" --house {}", quoted(self.dir())),
        }
    }

    /// Refuses a path that can never be a house. Said first: what would fail later says it worse.
    pub(crate) fn check(&self) -> Result<()> {
        let dir = self.dir();
        if self.foreign {
            let message = format!(
                "{0} here belongs to another user, who can read and change what you write there. If you mean it, name it: --house {0}",
                dir.display()
            );
            return Err(Fail::new(code::USAGE, "house/foreign", message));
        }
        if !dir.exists() || dir.is_dir() {
            return Ok(());
        }
        let message =
            format!("{} is a file, but a house is a directory: name another with --house DIR", dir.display());
        Err(Fail::new(code::USAGE, "house/not-a-directory", message))
    }

    /// Opens the house for reading. Works beside a writer.
    pub(crate) fn reader(&self) -> Result<SqliteReader> {
        self.check()?;
        Ok(SqliteReader::open(self.dir())?)
    }

    /// The house as its journal has it.
    pub(crate) fn read(&self) -> Result<(Looked, Head)> {
        let Opened { house, head, .. } =
            open_house(&self.reader()?, SnapshotPlace::of(Some(self.dir()), snapshot_key().as_ref()))?;
        Ok((Looked::new(house, Archive::at(self.dir())), head))
    }

    /// Whether a process holds the house for writing.
    pub(crate) fn held(&self) -> bool {
        holder(self.dir()).is_some()
    }

    /// The house as its journal has it, and whether somebody held it meanwhile: a matter that the journal
    /// calls running runs only then.
    pub(crate) fn look(&self) -> Result<(Looked, bool)> {
        // Before and after: one that begins or ends in between is not taken for one left behind.
        let held = self.held();
        let (house, _) = self.read()?;
        // Where nothing can be written, nothing runs.
        Ok((house, !self.tells_stall() && (held || self.held())))
    }

    /// Says that nothing can be written to the house, where its writer found it so.
    pub(crate) fn tells_stall(&self) -> bool {
        let Some(stall) = mark::stalled(self.dir()) else { return false };
        out::error(&out::clean(&format!(
            "nothing can be written to this house since {}: {}\nwhat was running is paused, and no seat is charged for the time. A service goes on by itself; else: synod resume N{}",
            stall.since,
            stall.said,
            self.flag()
        )));
        true
    }

    /// Opens the house for writing and starts its engine; founds it on first use. Where another process holds the house
    /// and lets others in, the engine joins that one: orders go through it, and everything else is the same.
    pub(crate) async fn engine(&self, command: &str, minds: Minds) -> Result<Engine> {
        self.engine_reading(command, minds, Reach { tools: true, ..Reach::default() }).await
    }

    /// The same for a command that reads files for seats.
    pub(crate) async fn engine_reading(&self, command: &str, minds: Minds, reach: Reach) -> Result<Engine> {
        let begun = Instant::now();
        loop {
            match self.enter(command, &minds, reach.clone()).await {
                // One that has just taken the house lets others in a moment later, and many hold it for a moment only.
                Err(fail) if fail.name() == "house/held" && begun.elapsed() < HELD_WAIT => {
                    tokio::time::sleep(HELD_PAUSE).await;
                }
                opened => return opened,
            }
        }
    }

    /// The same without waiting for anybody.
    pub(crate) async fn engine_now(&self, command: &str, minds: &Minds) -> Result<Engine> {
        self.enter(command, minds, Reach::default()).await
    }

    async fn enter(&self, command: &str, minds: &Minds, reach: Reach) -> Result<Engine> {
        self.check()?;
        let who = LockHolder::this_process(command);
        // A command is not meant to stay: rings go on without it.
        let snapshots = snapshot_key_for(self.dir(), false);
        let options = EngineOptions {
            rings_run_on: true,
            snapshots,
            write_patience: Some(write_patience()),
            evidence: self.evidence_root(),
            ..reach.options()
        };
        let stays = !minds.is_empty();
        self.check()?;
        let engine = Engine::enter(self.dir(), &who, minds.clone(), options)?;
        self.found(&engine).await?;
        if stays {
            // Where the socket cannot be made (its path may be too long), others wait for us as they always did.
            let _ = engine.let_others_in(self.dir());
        }
        Ok(engine)
    }

    /// Opens the house for a service that others can write through. It joins nobody: it is meant to stay.
    pub(crate) async fn serving(
        &self,
        command: &str,
        url: &str,
        minds: Minds,
        reach: Reach,
    ) -> Result<(Engine, Seq)> {
        self.check()?;
        self.check()?;
        let journal = Sqlite::open(self.dir(), &LockHolder::this_process(command).serving(url))?;
        let first = journal.head().seq.next();
        // What it interrupts, it resumes.
        let snapshots = snapshot_key_for(self.dir(), true);
        // It has nobody to give up for: matters stand still until the journal can be written.
        let evidence = reach.sources.clone().or_else(|| self.evidence_root());
        let options = EngineOptions {
            guests_wait: guests_wait(self.dir()),
            snapshots,
            write_patience: None,
            evidence,
            ..reach.options()
        };
        let engine = Engine::open(Box::new(journal), minds, options)?;
        self.found(&engine).await?;
        if let Err(error) = engine.let_others_in(self.dir()) {
            out::error(&format!("`synod debate` cannot join this service: no socket in the house: {error}"));
        }
        Ok((engine, first))
    }

    /// Founds the house, unless it was.
    async fn found(&self, engine: &Engine) -> Result<()> {
        crate::trust::house_is_made(self.dir());
        match engine.read(|house| house.upkeep().key().map(|known| known.key.clone())) {
            Some(key) => {
                warn_if_refused(self.dir());
                drop(house_key(self.dir(), &key)?);
            }
            None => {
                self.refuse_to_found_again()?;
                keep_out_of_git(self.dir())?;
                let key = HouseKey::load_or_create(self.dir())?;
                // Whoever makes a house knows its key from then on. Before the first act: one that is killed here knows it too.
                remember(self.dir(), &key.public_hex());
                give(engine, Command::Found { edition: synod_core::edition::CURRENT, key: key.public_hex() })
                    .await?;
                // A command in the wrong folder makes a house there: nobody should have to find that out later.
                let whole = std::path::absolute(self.dir()).unwrap_or_else(|_| self.dir().into());
                out::error(&out::clean(&format!(
                    "note: this makes a new house; its record is kept in {}",
                    whole.display()
                )));
            }
        }
        Ok(())
    }

    /// An empty journal beside receipts is a lost journal. Founding the house anew would bury that.
    fn refuse_to_found_again(&self) -> Result<()> {
        let receipts = self.dir().join("receipts");
        let kept = std::fs::read_dir(&receipts).is_ok_and(|mut entries| entries.next().is_some());
        if !kept {
            return Ok(());
        }
        let message = format!(
            "the journal of {} is empty, but there are receipts in {}: put a backup back (synod restore DIR --yes{}), or move the receipts away to start over",
            self.dir().display(),
            receipts.display(),
            self.flag()
        );
        Err(Fail::new(code::DATA, "house/lost-journal", message))
    }
}

/// How long a command waits for a journal that cannot be written: 30 seconds, or those in `SYNOD_WRITE_PATIENCE`.
fn write_patience() -> Duration {
    let seconds = std::env::var("SYNOD_WRITE_PATIENCE").ok().and_then(|written| written.trim().parse().ok());
    Duration::from_secs(seconds.unwrap_or(30))
}

/// What git may take of a house: what people write. Everything else is a secret or belongs to this machine.
const GIT_IGNORE: &str = "\
# Written by synod: git takes only what people write. The key, tokens, journal and receipts stay here.
# To commit receipts, add the lines !/receipts/ and !/receipts/*.json
*
!/.gitignore
!/seats.toml
!/councils/
!/councils/*.toml
!/charters/
!/charters/*.toml
!/providers.toml
!/prices.toml
!/triggers.toml
!/retention.toml
";

/// Writes the file that keeps the key of the house and all the rest out of git, unless there is one.
pub(crate) fn keep_out_of_git(dir: &Path) -> Result<bool> {
    let path = dir.join(".gitignore");
    if path.symlink_metadata().is_ok() {
        return Ok(false);
    }
    let cannot = |error: std::io::Error| {
        let message = format!("{} cannot be written: {error}", path.display());
        Fail::new(code::IO, "file/unwritable", message)
    };
    synod_journal::make_dir(dir)?;
    file::replace(&path, GIT_IGNORE.as_bytes()).map_err(cannot)?;
    Ok(true)
}

/// A house that was read. Matters that are over may be away until somebody picks them.
#[derive(Debug)]
pub(crate) struct Looked {
    house: House,
    archive: Archive,
}

impl Looked {
    pub(crate) fn new(house: House, archive: Archive) -> Self {
        Self { house, archive }
    }

    /// Sees to it that a matter is here.
    pub(crate) fn bring(&mut self, matter: MatterId) -> Result<()> {
        Ok(self.archive.bring(&mut self.house, [matter])?)
    }

    /// Records acts that came since.
    pub(crate) fn evolve(&mut self, act: &synod_core::Act) -> std::result::Result<(), synod_engine::Fault> {
        self.archive.evolve(&mut self.house, act)
    }

    /// A matter as the house knows it, wherever it is.
    pub(crate) fn load(&self, matter: MatterId) -> Result<Arc<Case>> {
        match self.house.shared(matter) {
            Some(case) => Ok(case),
            None => Ok(self.archive.load(&self.house, matter)?),
        }
    }
}

impl std::ops::Deref for Looked {
    type Target = House;

    fn deref(&self) -> &House {
        &self.house
    }
}

/// A path as a shell takes it, so that what we print can be pasted.
pub(crate) fn quoted(path: &Path) -> String {
    let shown = path.display().to_string();
    let is_plain =
        |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | '+' | ',' | '@' | ':');
    if shown.chars().all(is_plain) { shown } else { format!("'{}'", shown.replace('\'', "'\\''")) }
}

/// Gives an order of the operator; a refusal is an error here.
pub(crate) async fn give(engine: &Engine, command: Command) -> Result<AcknowledgedAct> {
    order(engine, Order::operator(command)).await
}

/// Gives orders of the operator in one append; the first refusal is an error here.
pub(crate) async fn give_all(engine: &Engine, commands: Vec<Command>) -> Result<()> {
    let orders = commands.into_iter().map(Order::operator).collect();
    for done in engine.submit_all(orders).await? {
        if let Outcome::Refused { code, message } = &done?.act.outcome {
            return Err(Fail::new(code::USAGE, code, message.clone()));
        }
    }
    Ok(())
}

/// Gives an order; a refusal is an error here.
pub(crate) async fn order(engine: &Engine, order: Order) -> Result<AcknowledgedAct> {
    let done = engine.submit(order).await?;
    match &done.act.outcome {
        Outcome::Done(_) => Ok(AcknowledgedAct::of(done)),
        Outcome::Refused { code, message } => Err(Fail::new(code::USAGE, code, message.clone())),
    }
}

/// What the rules say to an order of the operator, before minds are set up and the house is held for it: a
/// refusal should not have to wait behind a missing key.
pub(crate) fn ahead(house: &House, command: &Command) -> Result<()> {
    let judged = house.decide(house.now(), &Actor::Operator, command);
    judged.map(drop).map_err(|refusal| Fail::new(code::USAGE, refusal.code(), refusal.to_string()))
}

/// The same for several orders, each judged by the house that those before it leave behind.
pub(crate) fn all_ahead<'a>(house: &House, commands: impl IntoIterator<Item = &'a Command>) -> Result<()> {
    let mut house = house.clone();
    for command in commands {
        let (act, after) = house.judge(house.now(), Actor::Operator, None, command.clone());
        if let Outcome::Refused { code, message } = act.outcome {
            return Err(Fail::new(code::USAGE, &code, message));
        }
        house = after;
    }
    Ok(())
}

/// Whether a matter that the journal calls running runs: a debate only while somebody holds the house, a ring
/// also without.
pub(crate) fn runs(case: &Case, held: bool) -> bool {
    held || case.ring().is_some() || case.charter.is_timeless()
}

/// A charter with its source.
#[derive(Debug)]
pub(crate) struct Sourced {
    pub(crate) charter: Charter,
    pub(crate) source: String,
    pub(crate) digest: Digest,
    pub(crate) origin: String,
    pub(crate) warnings: Vec<Flaw>,
    /// What to know where it takes the place of a shipped one.
    pub(crate) replaces: Option<String>,
}

/// What to know of a charter by name where a file of the house takes the place of the shipped one.
pub(crate) fn replaces(house: &Path, wanted: &str) -> Option<String> {
    let own = own_charter(house, wanted);
    let both = is_name(wanted) && charter::shipped(wanted).is_some() && own.is_file();
    both.then(|| format!("{} replaces the built-in charter {wanted} in this house", own.display()))
}

/// Where a house keeps a charter of its own.
pub(crate) fn own_charter(house: &Path, name: &str) -> PathBuf {
    house.join("charters").join(format!("{name}.toml"))
}

/// Finds a charter: a file if it looks like one, else one of the house, else a shipped one.
pub(crate) fn charter(house: &Path, wanted: &str) -> Result<Sourced> {
    let (origin, source) = charter_source(house, wanted)?;
    match Charter::read(&source, &parents(house, wanted)) {
        Ok(ResolvedCharter { charter, source, warnings }) => {
            if let Some(flaw) = misnamed(wanted, &charter) {
                let message = format!("{origin}: {}; {}", flaw.wrong, flaw.fix);
                return Err(Fail::new(code::DATA, "charter/misnamed", message));
            }
            let digest = Digest::of(source.as_bytes());
            let replaces = replaces(house, wanted);
            Ok(Sourced { charter, source, digest, origin, warnings, replaces })
        }
        Err(flaws) => Err(flawed(&origin, &flaws)),
    }
}

/// What is wrong with the name of a charter that was wanted by another one.
pub(crate) fn misnamed(wanted: &str, charter: &Charter) -> Option<Flaw> {
    let (file, key) = (String::new(), "name".into());
    (is_name(wanted) && charter.name != wanted).then(|| Flaw {
        file,
        line: 1,
        key,
        wrong: format!("the file is called {wanted}.toml but says name = \"{}\"", charter.name),
        fix: format!("set name = \"{wanted}\", so that the record uses the same name"),
        is_error: true,
    })
}

/// Finds what a charter extends: a file beside it, else a charter that ships.
pub(crate) fn parents(house: &Path, wanted: &str) -> impl Fn(&str) -> Option<charter::Parent> + use<> {
    let beside = if is_name(wanted) {
        house.join("charters")
    } else {
        Path::new(wanted).parent().map(Path::to_path_buf).unwrap_or_default()
    };
    move |name: &str| {
        let file = beside.join(format!("{name}.toml"));
        let own = if is_name(name) { read_own(&file, "charter") } else { Ok(None) };
        match own.ok()? {
            Some(source) => Some(charter::Parent { file: file.display().to_string(), source }),
            None => charter::parent(name),
        }
    }
}

impl Sourced {
    /// The charter with settings moved, for a kind of motion.
    pub(crate) fn moved(
        &self,
        moved: &BTreeMap<String, SettingValue>,
        motion: Option<&str>,
    ) -> Result<Arc<Charter>> {
        let charter = Arc::new(self.charter.clone());
        let resolved = charter.knows_motion(motion).and_then(|()| charter.resolve(moved, motion));
        let resolved =
            resolved.map_err(|refusal| Fail::new(code::USAGE, refusal.code(), refusal.to_string()))?;
        Ok(charter.with(&resolved, motion))
    }

    /// The rules of a ring, where it is one.
    pub(crate) fn ring(&self) -> Option<&charter::Ring> {
        self.charter.ring()
    }
}

/// A charter that somebody sends whole.
pub(crate) fn given_charter(name: &str, source: &str) -> Result<Sourced> {
    let origin = "charter_source".to_string();
    match Charter::read(source, &charter::parent) {
        Ok(whole) if whole.charter.name != name => {
            let called = &whole.charter.name;
            let message = format!("the charter sent says name = \"{called}\", and is called {name}");
            Err(Fail::new(code::USAGE, "charter/misnamed", message))
        }
        Ok(ResolvedCharter { charter, source, warnings }) => {
            let digest = Digest::of(source.as_bytes());
            Ok(Sourced { charter, source, digest, origin, warnings, replaces: None })
        }
        Err(flaws) => Err(Fail::new(code::USAGE, "charter/flawed", flawed(&origin, &flaws).message())),
    }
}

/// Whether a charter is named, rather than a file.
fn is_name(wanted: &str) -> bool {
    !wanted.is_empty() && wanted.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// The text of a charter and where it is from.
pub(crate) fn charter_source(house: &Path, wanted: &str) -> Result<(String, String)> {
    let own = own_charter(house, wanted);
    if !is_name(wanted) {
        return Ok((wanted.into(), read_text(Path::new(wanted), "charter")?));
    }
    if let Some(source) = read_own(&own, "charter")? {
        return Ok((own.display().to_string(), source));
    }
    if let Some(shipped) = charter::shipped(wanted) {
        return Ok((format!("{wanted} (built-in)"), shipped.source.into()));
    }
    let known = charter_names(house);
    let near = synod_core::kernel::text::nearest(wanted, known.iter().map(String::as_str));
    let near = near.map(|near| format!(" Did you mean `{near}`?")).unwrap_or_default();
    // The presets of rings are called so in `synod ring open`.
    let ring = format!("ring-{wanted}");
    let near = match known.contains(&ring) {
        true => format!(
            " Did you mean `{ring}`? It is for rings: `synod ring open \"…\" --charter {wanted} --invite NAME`."
        ),
        false => near,
    };
    let message = format!(
        "there is no charter `{wanted}`.{near} Known: {}. A file is named by its path.",
        known.join(", ")
    );
    Err(Fail::new(code::USAGE, "charter/unknown", message))
}

/// Charters known by name: the house's own and those shipped.
pub(crate) fn charter_names(house: &Path) -> Vec<String> {
    let mut names: Vec<String> = charter::SHIPPED.iter().map(|charter| charter.name.to_string()).collect();
    for entry in std::fs::read_dir(house.join("charters")).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|ending| ending == "toml")
            && let Some(name) = path.file_stem().and_then(|stem| stem.to_str())
            && !names.iter().any(|known| known == name)
        {
            names.push(name.to_string());
        }
    }
    names
}

/// An error that lists every flaw of a charter.
pub(crate) fn flawed(origin: &str, flaws: &[Flaw]) -> Fail {
    let errors = flaws.iter().filter(|flaw| flaw.is_error).count();
    let lines: Vec<String> = flaws.iter().map(|flaw| format!("  {}", flaw_line(origin, flaw))).collect();
    let message = format!("the charter has {}:\n{}", counted(errors as u64, "error"), lines.join("\n"));
    Fail::new(code::DATA, "charter/flawed", message)
}

/// `file:line: key: what is wrong; what to write`.
pub(crate) fn flaw_line(origin: &str, flaw: &Flaw) -> String {
    let key = if flaw.key.is_empty() { String::new() } else { format!("`{}`: ", flaw.key) };
    let fix = if flaw.fix.is_empty() { String::new() } else { format!("; {}", flaw.fix) };
    let warning = if flaw.is_error { "" } else { "warning: " };
    let file = if flaw.file.is_empty() { origin } else { &flaw.file };
    format!("{file}:{}: {warning}{key}{}{fix}", flaw.line, flaw.wrong)
}

/// The largest file of settings we read.
const FILE_MOST: u64 = 1 << 20;

/// Reads a text file a user named.
pub(crate) fn read_text(path: &Path, what: &str) -> Result<String> {
    read_up_to(FILE_MOST, path, what)
}

/// Reads a text file of at most so many bytes.
pub(crate) fn read_up_to(most: u64, path: &Path, what: &str) -> Result<String> {
    let shown = path.display();
    let cannot = |why: String| {
        Fail::new(code::NO_INPUT, "file/unreadable", format!("the {what} file {shown} cannot be read: {why}"))
    };
    let too_large = |size: String| {
        let message = format!("the {what} file {shown} has {size} bytes, at most {most} are read");
        Fail::new(code::DATA, "file/too-large", message)
    };
    let file = std::fs::File::open(path).map_err(|error| cannot(error.to_string()))?;
    let size = file.metadata().map_err(|error| cannot(error.to_string()))?.len();
    if size > most {
        return Err(too_large(size.to_string()));
    }
    let mut bytes = Vec::new();
    // A pipe that somebody named does not say how much will come.
    file.take(most + 1).read_to_end(&mut bytes).map_err(|error| cannot(error.to_string()))?;
    if bytes.len() as u64 > most {
        return Err(too_large(format!("more than {most}")));
    }
    as_text(bytes, path, what)
}

/// Reads a text file of the house, if it is there. Whoever runs a command has not named it, so a pipe holds nobody up.
pub(crate) fn read_own(path: &Path, what: &str) -> Result<Option<String>> {
    match file::read(path, FILE_MOST) {
        Ok(bytes) => as_text(bytes, path, what).map(Some),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => {
            let message = format!("the {what} file {} cannot be read: {error}", path.display());
            Err(Fail::new(code::DATA, "file/unreadable", message))
        }
    }
}

fn as_text(bytes: Vec<u8>, path: &Path, what: &str) -> Result<String> {
    String::from_utf8(bytes).map_err(|_| {
        let message = format!("the {what} file {} is not UTF-8 text; save it as UTF-8", path.display());
        Fail::new(code::DATA, "file/not-utf8", message)
    })
}
