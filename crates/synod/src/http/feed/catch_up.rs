//! Catching up: what a reader missed, read from the journal a page at a time.
//!
//! All readers share a few connections to the journal, each for one page and then behind those who wait. A page is
//! read when its reader has taken the one before, so a slow reader holds no more than a page.

use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use synod_core::Act;
use synod_core::kernel::Seq;
use synod_engine::Fault;
use synod_journal::{Head, JournalReader as _, SqliteReader, chain};
use tokio::sync::Semaphore;

use super::filter::{Filter, WrittenAct};
use crate::house::HouseArg;
use crate::http::Service;
use crate::http::problem::Problem;
use crate::wire::Translator;

/// Connections to the journal for all who catch up.
const READERS: usize = 4;
/// Acts of one page at most, and the bytes after which a page is full.
const PAGE_ACTS: usize = 64;
const PAGE_BYTES: usize = 64 << 10;

/// The connections to the journal that readers share.
#[derive(Debug)]
pub(crate) struct JournalReaders {
    house: HouseArg,
    idle: Mutex<Vec<SqliteReader>>,
    permits: Semaphore,
}

impl JournalReaders {
    pub(crate) fn new(house: &HouseArg) -> Self {
        Self { house: house.clone(), idle: Mutex::default(), permits: Semaphore::new(READERS) }
    }

    fn with<T>(&self, read: impl FnOnce(&SqliteReader) -> Result<T, Problem>) -> Result<T, Problem> {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let free = idle().pop();
        let reader = match free {
            Some(reader) => reader,
            None => self.house.reader()?,
        };
        let found = read(&reader);
        idle().push(reader);
        found
    }
}

/// The position of one reader in the feed.
#[derive(Debug)]
pub(super) struct FeedPosition {
    pub(super) next: Seq,
    /// The record before, as soon as it is known.
    before: Option<Head>,
    translator: Translator,
}

impl FeedPosition {
    pub(super) fn at(next: Seq) -> Self {
        Self { next: Seq(next.0.max(1)), before: None, translator: Translator::default() }
    }
}

/// Reads a page, no further than an act that the house shows already. Returns how far the reader is then, and what it
/// is told.
pub(super) async fn page(
    service: &Arc<Service>,
    filter: &Filter,
    mut place: FeedPosition,
    up_to: Seq,
) -> Result<(FeedPosition, Bytes), Problem> {
    let gone = || Problem::from(Fault::Gone);
    // First come, first served: a reader with much to read does not keep others from beginning.
    let _permit = service.catching_up.permits.acquire().await.map_err(|_| gone())?;
    let (service, filter) = (service.clone(), filter.clone());
    let reading = tokio::task::spawn_blocking(move || {
        let readers = &service.catching_up;
        let told = readers.with(|reader| read(&service, reader, &filter, &mut place, up_to))?;
        Ok((place, told.into()))
    });
    reading.await.map_err(|_| gone())?
}

fn read(
    service: &Service,
    reader: &SqliteReader,
    filter: &Filter,
    place: &mut FeedPosition,
    up_to: Seq,
) -> Result<Vec<u8>, Problem> {
    let fault = |error: synod_journal::Error| Problem::from(Fault::from(error));
    let missing = (up_to.0 + 1).saturating_sub(place.next.0);
    let records = reader
        .read(place.next, usize::try_from(missing).unwrap_or(PAGE_ACTS).min(PAGE_ACTS))
        .map_err(fault)?;
    let mut head = match (place.before, place.next.0) {
        (Some(head), _) => head,
        (None, 0 | 1) => Head::default(),
        (None, next) => {
            let before = reader.read(Seq(next - 1), 1).map_err(fault)?;
            before.first().map(synod_journal::Record::head).ok_or_else(|| Problem::from(Fault::Gone))?
        }
    };
    let mut told = Vec::new();
    for record in records {
        let act = chain::open(head, &record).map_err(|broken| Problem::from(Fault::from(broken)))?;
        head = record.head();
        place.translator.prepare(&act, |seq| born(reader, seq));
        let away = service.engine.read(|house| place.translator.away(house, &act));
        let written = service.engine.read_with(away, |house| {
            WrittenAct::of(house, act.seq, &place.translator.translate(house, &act))
        })?;
        filter.write(&written, &mut told);
        place.next = act.seq.next();
        if told.len() >= PAGE_BYTES {
            break;
        }
    }
    place.before = Some(head);
    Ok(told)
}

/// An earlier act, by its number.
fn born(reader: &SqliteReader, seq: Seq) -> Option<Act> {
    let before = match seq.0 {
        0 => return None,
        1 => Head::default(),
        _ => reader.read(Seq(seq.0 - 1), 1).ok()?.first()?.head(),
    };
    chain::open(before, reader.read(seq, 1).ok()?.first()?).ok()
}
