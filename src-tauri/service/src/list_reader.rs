//! Reads the unread files of the window's lists, one at a time on a separate thread, and notifies
//! the page of new entries.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use crate::ServiceError;
use crate::studio::Inner;
use crate::wire::Event;

/// Delay before reading starts, so that the first cards are drawn first.
const DELAY: Duration = Duration::from_millis(300);

/// How often progress is sent to the page while there is more to read.
const EVENT_INTERVAL: Duration = Duration::from_secs(1);

/// Whether the thread runs.
#[derive(Debug, Default)]
pub(crate) struct ListReader {
    running: AtomicBool,
}

impl Inner {
    /// Reads one unread file of a list; `false` if there is none.
    fn read_next(&self) -> bool {
        self.folder.read_next() || self.call_catalog.read_next()
    }
}

/// Starts reading, unless the thread runs already.
pub(crate) fn start(inner: &Arc<Inner>) -> Result<(), ServiceError> {
    if inner.list_reader.running.swap(true, Ordering::AcqRel) {
        return Ok(());
    }
    let guard = ReaderGuard(Arc::downgrade(inner));
    thread::Builder::new()
        .name("list reader".into())
        .spawn(move || {
            thread::sleep(DELAY);
            read_all(&guard.0);
            drop(guard);
        })
        .map_err(ServiceError::Thread)?;
    Ok(())
}

/// A thread that reads. When it ends, however it ends, the page lists anew: what was left unread
/// meanwhile is read then.
struct ReaderGuard(Weak<Inner>);

impl Drop for ReaderGuard {
    fn drop(&mut self) {
        if let Some(inner) = self.0.upgrade() {
            inner.list_reader.running.store(false, Ordering::Release);
            inner.emit(Event::WorkspaceChanged);
        }
    }
}

fn read_all(inner: &Weak<Inner>) {
    let mut last_event = Instant::now();
    while let Some(inner) = inner.upgrade() {
        if !inner.read_next() {
            return;
        }
        if last_event.elapsed() >= EVENT_INTERVAL {
            inner.emit(Event::WorkspaceChanged);
            last_event = Instant::now();
        }
    }
}
