//! Runs the window's commands on blocking threads, so that the few workers of the async runtime,
//! which deliver all commands and replies, never compute or wait.
//!
//! Each command has its own threads, so a slow command delays no other. Computing commands share a
//! smaller limit, which leaves processor time to editing.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio_util::sync::CancellationToken;

use crate::ServiceError;
use crate::background::with_low_priority;
use crate::command::{Command, Workload};

/// Maximum number of threads per command; further calls wait.
pub const THREADS_PER_COMMAND: usize = 2;

/// Maximum number of threads of all computing commands.
pub const COMPUTE_THREADS: usize = 4;

/// Maximum number of waiting calls per command; further ones are refused.
pub const MAX_WAITING: usize = 256;

/// Runs commands. One per window.
#[derive(Debug)]
pub struct Executor {
    compute: Arc<Semaphore>,
    /// By command number.
    slots: Vec<Slot>,
}

/// The threads of one command.
#[derive(Debug)]
struct Slot {
    threads: Arc<Semaphore>,
    calls: AtomicUsize,
    /// Cancels the running call of a command whose newest call counts.
    latest: Mutex<CancellationToken>,
}

/// The permits of a running call.
struct Permits {
    _thread: Option<OwnedSemaphorePermit>,
    _compute: Option<OwnedSemaphorePermit>,
}

/// Counts a call until it is answered.
struct CountGuard<'a>(&'a AtomicUsize);

impl Drop for CountGuard<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Default for Executor {
    fn default() -> Self {
        let slot = |_| Slot {
            threads: Arc::new(Semaphore::new(THREADS_PER_COMMAND)),
            calls: AtomicUsize::new(0),
            latest: Mutex::default(),
        };
        Self {
            compute: Arc::new(Semaphore::new(COMPUTE_THREADS)),
            slots: Command::ALL.iter().map(slot).collect(),
        }
    }
}

impl Executor {
    /// Runs a command's work on a blocking thread of the current tokio runtime and returns its
    /// result. The work receives a token and should end early, with any result, once the token is
    /// cancelled: by a newer call of a command whose newest call counts, by [`Executor::cancel_all`],
    /// or because the caller dropped the future.
    ///
    /// # Errors
    /// The error of the work; [`ServiceError::Superseded`] if it was cancelled,
    /// [`ServiceError::Busy`] if too many calls are waiting, [`ServiceError::Panicked`] if it
    /// panicked.
    pub async fn run<T: Send + 'static>(
        &self,
        command: Command,
        work: impl FnOnce(&CancellationToken) -> Result<T, ServiceError> + Send + 'static,
    ) -> Result<T, ServiceError> {
        let slot = &self.slots[command as usize];
        let calls = slot.calls.fetch_add(1, Ordering::Relaxed);
        let _counted = CountGuard(&slot.calls);
        if calls >= MAX_WAITING {
            return Err(ServiceError::Busy(command.name()));
        }
        let workload = command.workload();
        let token = slot.token(workload);
        let _cancels = token.clone().drop_guard();
        let permits = tokio::select! {
            biased;
            () = token.cancelled() => return Err(ServiceError::Superseded),
            permits = self.permits(command) => permits,
        };
        let cancel = token.clone();
        let working = spawn_blocking(move || {
            let _permits = permits;
            match workload {
                Workload::Follows => with_low_priority(|| work(&cancel)),
                Workload::Waits | Workload::Computes | Workload::Latest => work(&cancel),
            }
        });
        // Cancellation first: what was cancelled is superseded, even if it ended before this was polled.
        tokio::select! {
            biased;
            () = token.cancelled() => Err(ServiceError::Superseded),
            done = working => done.unwrap_or_else(|_| Err(ServiceError::Panicked(command.name()))),
        }
    }

    /// Cancels all calls of commands whose newest call counts: the page that made them is gone.
    pub fn cancel_all(&self) {
        for slot in &self.slots {
            slot.replace_latest();
        }
    }

    async fn permits(&self, command: Command) -> Permits {
        // Acquiring fails only for a closed semaphore, and these are never closed.
        let threads = Arc::clone(&self.slots[command as usize].threads);
        let thread = threads.acquire_owned().await.ok();
        let compute = match command.workload() {
            Workload::Waits => None,
            Workload::Computes | Workload::Latest | Workload::Follows => {
                let compute = Arc::clone(&self.compute);
                compute.acquire_owned().await.ok()
            }
        };
        Permits {
            _thread: thread,
            _compute: compute,
        }
    }
}

impl Slot {
    fn token(&self, workload: Workload) -> CancellationToken {
        match workload {
            Workload::Latest | Workload::Follows => self.replace_latest(),
            Workload::Waits | Workload::Computes => CancellationToken::new(),
        }
    }

    /// Cancels the latest call and returns a token for the next.
    fn replace_latest(&self) -> CancellationToken {
        let next = CancellationToken::new();
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *latest, next.clone()).cancel();
        next
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::time::Duration;

    use super::*;

    const LONG: Duration = Duration::from_secs(30);

    /// As few workers as the window's runtime has on two cores.
    fn on_two_workers<T>(work: impl Future<Output = T>) -> T {
        let mut runtime = tokio::runtime::Builder::new_multi_thread();
        let runtime = runtime.worker_threads(2).enable_time().build();
        let runtime = runtime.expect("a runtime");
        let done = runtime.block_on(async { tokio::time::timeout(LONG, work).await });
        runtime.shutdown_background();
        done.expect("answered")
    }

    fn spawn<T: Send + 'static>(
        executor: &Arc<Executor>,
        command: Command,
        work: impl FnOnce(&CancellationToken) -> Result<T, ServiceError> + Send + 'static,
    ) -> tokio::task::JoinHandle<Result<T, ServiceError>> {
        let executor = Arc::clone(executor);
        tokio::spawn(async move { executor.run(command, work).await })
    }

    #[test]
    fn a_newer_trial_cancels_an_older_one() {
        on_two_workers(async {
            let executor = Arc::new(Executor::default());
            let (started, running) = mpsc::channel();
            let older = spawn(&executor, Command::TryPolicy, move |cancel| {
                started.send(()).expect("heard");
                while !cancel.is_cancelled() {
                    std::thread::sleep(Duration::from_millis(1));
                }
                Ok("older")
            });
            spawn_blocking(move || running.recv())
                .await
                .expect("ran")
                .expect("started");
            let newer = executor.run(Command::TryPolicy, |_| Ok("newer")).await;
            assert_eq!(newer.expect("answered"), "newer");
            let older = older.await.expect("joined");
            assert!(matches!(older, Err(ServiceError::Superseded)), "{older:?}");
        });
    }

    #[test]
    fn calls_beyond_the_bound_wait_and_too_many_are_refused() {
        on_two_workers(async {
            let executor = Arc::new(Executor::default());
            let (open, gate) = mpsc::channel::<()>();
            let gate = Arc::new(Mutex::new(gate));
            let calls: Vec<_> = (0..MAX_WAITING)
                .map(|_| {
                    let gate = Arc::clone(&gate);
                    spawn(&executor, Command::Save, move |_| {
                        gate.lock().expect("whole").recv().expect("opened");
                        Ok(())
                    })
                })
                .collect();
            while executor.slots[Command::Save as usize]
                .calls
                .load(Ordering::Relaxed)
                < MAX_WAITING
            {
                tokio::task::yield_now().await;
            }
            let refused = executor.run(Command::Save, |_| Ok(())).await;
            assert_eq!(refused.expect_err("refused").code(), "busy");
            for _ in 0..MAX_WAITING {
                open.send(()).expect("waited for");
            }
            for call in calls {
                call.await.expect("joined").expect("answered");
            }
            executor
                .run(Command::Save, |_| Ok(()))
                .await
                .expect("free again");
        });
    }

    #[test]
    fn work_that_panics_is_an_error_and_gives_its_thread_back() {
        on_two_workers(async {
            let executor = Executor::default();
            for _ in 0..2 * THREADS_PER_COMMAND {
                let failed = executor
                    .run(Command::Compare, |_| -> Result<(), _> {
                        panic!("on purpose")
                    })
                    .await;
                assert_eq!(failed.expect_err("failed").code(), "panicked");
            }
        });
    }
}
