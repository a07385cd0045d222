//! The measurement that is running, for its progress and for stopping it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crate::saturating::saturating_u32;
use crate::wire::ProfileProgress;

/// A running measurement.
#[derive(Debug)]
pub(crate) struct Running {
    done: AtomicU64,
    rolls: u32,
    begun: Instant,
    stopped: AtomicBool,
}

impl Running {
    /// Counts further rolls. Returns whether to continue.
    pub fn proceed(&self, made: u64) -> bool {
        self.done.fetch_add(made, Ordering::Relaxed);
        !self.stopped.load(Ordering::Relaxed)
    }

    fn progress(&self) -> ProfileProgress {
        let done = self.done.load(Ordering::Relaxed);
        ProfileProgress {
            done: saturating_u32(done),
            rolls: self.rolls,
            elapsed: saturating_u32(self.begun.elapsed().as_millis()),
        }
    }
}

/// Holds the newest measurement of the window while it runs.
#[derive(Debug, Default)]
pub(crate) struct RunningSlot(Mutex<Option<Arc<Running>>>);

impl RunningSlot {
    /// Registers a measurement of so many rolls in place of an older one.
    pub fn begin(&self, rolls: u32) -> Arc<Running> {
        let running = Arc::new(Running {
            done: AtomicU64::new(0),
            rolls,
            begun: Instant::now(),
            stopped: AtomicBool::new(false),
        });
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&running));
        running
    }

    /// Removes a measurement that ended, unless a newer one took its place.
    pub fn end(&self, running: &Arc<Running>) {
        let mut slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if slot
            .as_ref()
            .is_some_and(|current| Arc::ptr_eq(current, running))
        {
            *slot = None;
        }
    }

    pub fn progress(&self) -> Option<ProfileProgress> {
        let slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        slot.as_ref().map(|running| running.progress())
    }

    /// Stops the running measurement, which returns the rolls made so far.
    pub fn stop(&self) {
        let slot = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(running) = slot.as_ref() {
            running.stopped.store(true, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_older_measurement_does_not_end_a_newer_one() {
        let slot = RunningSlot::default();
        let older = slot.begin(10);
        let newer = slot.begin(20);
        slot.end(&older);
        assert!(newer.proceed(5));
        assert_eq!(
            slot.progress()
                .map(|progress| (progress.done, progress.rolls)),
            Some((5, 20))
        );
        slot.stop();
        assert!(older.proceed(1), "not stopped");
        assert!(!newer.proceed(1));
        slot.end(&newer);
        assert_eq!(slot.progress(), None);
    }
}
