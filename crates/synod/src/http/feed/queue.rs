//! What waits for one reader of a feed.
//!
//! A queue never holds up whoever fills it: when its reader falls too far behind, it ends and says why. The bytes in
//! it are shared between all readers that are told the same.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use axum::body::Bytes;

/// How much may wait for one reader, in bytes.
pub(super) const WAITING_MOST: usize = 1 << 20;

/// Why a stream ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// The service or its engine ends.
    Service,
    /// The reader is too far behind.
    Slow,
}

/// An item that a reader finds in its queue.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum QueueItem {
    /// Everything that waited, in order.
    Bytes(Bytes),
    /// Nothing more will come.
    Ended(End),
}

#[derive(Debug, Default)]
pub(super) struct Queue(Mutex<QueueState>);

#[derive(Debug, Default)]
struct QueueState {
    waiting: VecDeque<Bytes>,
    size: usize,
    end: Option<End>,
    reader: Option<Waker>,
}

impl Queue {
    fn inner(&self) -> MutexGuard<'_, QueueState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds what a reader is told. Returns why it takes no more, if it does not.
    pub(super) fn push(&self, bytes: Bytes) -> Option<End> {
        let mut inner = self.inner();
        if inner.end.is_none() {
            // One act may be larger than the limit: who has taken everything before is told it all the same.
            if inner.size > 0 && inner.size + bytes.len() > WAITING_MOST {
                inner.end = Some(End::Slow);
            } else {
                inner.size += bytes.len();
                inner.waiting.push_back(bytes);
            }
        }
        let (end, reader) = (inner.end, inner.reader.take());
        drop(inner);
        reader.into_iter().for_each(Waker::wake);
        end
    }

    /// Ends the stream after what waits already.
    pub(super) fn end(&self, why: End) {
        let mut inner = self.inner();
        inner.end.get_or_insert(why);
        let reader = inner.reader.take();
        drop(inner);
        reader.into_iter().for_each(Waker::wake);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.inner().waiting.is_empty()
    }

    /// Takes everything that waits.
    pub(super) fn poll_take(&self, cx: &Context<'_>) -> Poll<QueueItem> {
        let mut inner = self.inner();
        match (inner.waiting.len(), inner.end) {
            (0, Some(end)) => Poll::Ready(QueueItem::Ended(end)),
            (0, None) => {
                let known = inner.reader.as_ref().is_some_and(|reader| reader.will_wake(cx.waker()));
                if !known {
                    inner.reader = Some(cx.waker().clone());
                }
                Poll::Pending
            }
            (_, _) => {
                let size = std::mem::take(&mut inner.size);
                let waiting = std::mem::take(&mut inner.waiting);
                drop(inner);
                Poll::Ready(QueueItem::Bytes(joined(waiting, size)))
            }
        }
    }
}

/// All of it in one piece: one write to the connection instead of many.
fn joined(mut waiting: VecDeque<Bytes>, size: usize) -> Bytes {
    match waiting.pop_front() {
        Some(only) if waiting.is_empty() => only,
        Some(first) => {
            let mut whole = Vec::with_capacity(size);
            whole.extend_from_slice(&first);
            waiting.iter().for_each(|next| whole.extend_from_slice(next));
            whole.into()
        }
        None => Bytes::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(queue: &Queue) -> Poll<QueueItem> {
        queue.poll_take(&Context::from_waker(Waker::noop()))
    }

    fn all(text: &'static str) -> Poll<QueueItem> {
        Poll::Ready(QueueItem::Bytes(Bytes::from_static(text.as_bytes())))
    }

    #[test]
    fn what_waits_is_taken_whole_and_in_order() {
        let queue = Queue::default();
        assert_eq!(take(&queue), Poll::Pending);
        for part in ["a", "b", "c"] {
            assert_eq!(queue.push(Bytes::from_static(part.as_bytes())), None);
        }
        assert!(!queue.is_empty());
        assert_eq!(take(&queue), all("abc"));
        assert_eq!(take(&queue), Poll::Pending);
    }

    #[test]
    fn a_reader_too_far_behind_is_told_what_waits_and_then_why_it_ends() {
        let queue = Queue::default();
        // The first may be as large as it is, since nothing waits before it.
        assert_eq!(queue.push(Bytes::from(vec![b'x'; 2 * WAITING_MOST])), None);
        assert_eq!(queue.push(Bytes::from_static(b"y")), Some(End::Slow));
        assert_eq!(queue.push(Bytes::from_static(b"z")), Some(End::Slow), "it stays ended");
        let Poll::Ready(QueueItem::Bytes(bytes)) = take(&queue) else { panic!("nothing waits") };
        assert_eq!(bytes.len(), 2 * WAITING_MOST, "nothing is added after the gap");
        assert_eq!(take(&queue), Poll::Ready(QueueItem::Ended(End::Slow)));
    }

    #[test]
    fn the_first_reason_to_end_counts() {
        let queue = Queue::default();
        assert_eq!(queue.push(Bytes::from_static(b"a")), None);
        queue.end(End::Service);
        queue.end(End::Slow);
        assert_eq!(take(&queue), all("a"));
        assert_eq!(take(&queue), Poll::Ready(QueueItem::Ended(End::Service)));
    }
}
