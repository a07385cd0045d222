//! Work that follows edits gives way to them: its threads have low priority, and it rests while an
//! edit is applied and drawn.

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::setpriority_process;
use rustix::thread::gettid;

use crate::CancellationToken;

/// The nice value of background threads. A tenth of the time that a thread of the window gets when
/// both want the same core: enough for a result on a busy machine.
const NICE: i32 = 10;

/// How long background work rests after an edit begins, by when the window has drawn it.
const REST: Duration = Duration::from_millis(40);

/// Runs work on a thread of low priority, which the threads it starts inherit. A separate thread,
/// since without privileges no thread gets its priority back.
pub(crate) fn with_low_priority<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        let working = scope.spawn(|| {
            // Refused at worst by a sandbox, where the work is done all the same. On Linux a thread
            // has its own priority.
            let _ = setpriority_process(Some(gettid()), NICE);
            work()
        });
        match working.join() {
            Ok(done) => done,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

/// When the last edit began.
#[derive(Debug)]
pub(crate) struct EditPause {
    created: Instant,
    /// The end of the rest, in microseconds since the creation.
    until: AtomicU64,
}

impl Default for EditPause {
    fn default() -> Self {
        Self {
            created: Instant::now(),
            until: AtomicU64::new(0),
        }
    }
}

impl EditPause {
    /// Notes that an edit begins.
    pub fn edit_begins(&self) {
        let until = micros(self.created.elapsed() + REST);
        self.until.fetch_max(until, Ordering::Relaxed);
    }

    /// For background work, every few rolls: rests if an edit has begun. Returns whether to continue.
    pub fn proceed(&self, cancel: &CancellationToken) -> bool {
        while !cancel.is_cancelled() {
            let until = self.until.load(Ordering::Relaxed);
            let now = micros(self.created.elapsed());
            if now >= until {
                return true;
            }
            thread::sleep(Duration::from_micros(until - now));
        }
        false
    }
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use rustix::process::getpriority_process;

    use super::*;

    fn nice() -> i32 {
        getpriority_process(Some(gettid())).expect("a priority")
    }

    #[test]
    fn only_the_work_has_low_priority() {
        let before = nice();
        let (own, started) = with_low_priority(|| (nice(), thread::spawn(nice).join()));
        assert_eq!(own, NICE);
        assert_eq!(started.expect("no panic"), NICE, "a thread that it starts");
        assert_eq!(nice(), before);
    }

    #[test]
    fn work_rests_while_an_edit_is_drawn() {
        let pause = EditPause::default();
        let cancel = CancellationToken::new();
        let rested = |cancel| {
            let begun = Instant::now();
            (pause.proceed(cancel), begun.elapsed())
        };
        assert!(rested(&cancel).0);
        pause.edit_begins();
        let (proceeds, time) = rested(&cancel);
        assert!(proceeds && time >= REST / 2, "{time:?}");
        assert!(rested(&cancel).1 < REST, "once");
        pause.edit_begins();
        cancel.cancel();
        assert!(!rested(&cancel).0, "cancelled work ends");
    }
}
