//! Delays work until the author pauses: a job runs per document, a short time after the last change
//! and at most some time after the first.

use std::collections::HashMap;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::{ServiceError, panics};

/// When a job is due.
#[derive(Debug, Clone, Copy)]
pub struct Due {
    /// Time after the last change.
    pub quiet: Duration,
    /// Time after the first unprocessed change, however many follow.
    pub latest: Duration,
}

/// Passes the names of changed documents to a debouncer, until that one ends.
#[derive(Debug, Clone)]
pub struct Touches(Arc<Mutex<Option<Sender<String>>>>);

impl Touches {
    /// Creates the sender and what [`Debouncer::new`] receives from.
    #[must_use]
    pub fn new() -> (Self, Receiver<String>) {
        let (sender, receiver) = mpsc::channel();
        (Self(Arc::new(Mutex::new(Some(sender)))), receiver)
    }

    /// Records a change of a document.
    pub fn touch(&self, document: &str) {
        if let Some(sender) = &*self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            // The thread lives as long as the sender: it ends only where it cannot receive any more.
            let _ = sender.send(document.to_owned());
        }
    }

    fn end(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Runs one job at a time, per document, on a separate thread.
#[derive(Debug)]
pub struct Debouncer {
    touches: Touches,
    thread: Option<JoinHandle<()>>,
}

impl Debouncer {
    /// Starts the thread. The job returns whether it must be repeated. A job that panics is reported by
    /// `panicked`, which decides the same; the next change of the document is processed all the same.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub fn new(
        name: &'static str,
        due: Due,
        (touches, receiver): (Touches, Receiver<String>),
        mut job: impl FnMut(&str) -> JobOutcome + Send + 'static,
        panicked: impl Fn(&str, ServiceError) -> JobOutcome + Send + 'static,
    ) -> std::io::Result<Self> {
        let thread = thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || {
                let mut waiting: HashMap<String, (Instant, Instant)> = HashMap::new();
                loop {
                    let next = waiting
                        .values()
                        .map(|(first, last)| at(due, *first, *last))
                        .min();
                    let touched = match next {
                        None => receiver.recv().map_err(|_| RecvTimeoutError::Disconnected),
                        Some(next) => {
                            receiver.recv_timeout(next.saturating_duration_since(Instant::now()))
                        }
                    };
                    match touched {
                        Ok(document) => {
                            let now = Instant::now();
                            waiting.entry(document).or_insert((now, now)).1 = now;
                        }
                        Err(RecvTimeoutError::Disconnected) => return,
                        Err(RecvTimeoutError::Timeout) => {}
                    }
                    let now = Instant::now();
                    let ready: Vec<String> = waiting
                        .iter()
                        .filter(|(_, (first, last))| at(due, *first, *last) <= now)
                        .map(|(document, _)| document.clone())
                        .collect();
                    for document in ready {
                        waiting.remove(&document);
                        let done = panics::catch(name, || job(&document))
                            .or_else(|fault| panics::catch(name, || panicked(&document, fault)));
                        // Nobody is left to tell of a report that fails.
                        if done.unwrap_or(JobOutcome::Done) == JobOutcome::TryAgain {
                            let later = Instant::now() + RETRY;
                            waiting.insert(document, (later, later));
                        }
                    }
                }
            })?;
        Ok(Self {
            touches,
            thread: Some(thread),
        })
    }

    /// Records a change of a document.
    pub fn touch(&self, document: &str) {
        self.touches.touch(document);
    }
}

impl Drop for Debouncer {
    fn drop(&mut self) {
        self.touches.end();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Delay before a failed job is repeated.
const RETRY: Duration = Duration::from_secs(2);

/// Result of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobOutcome {
    /// The job succeeded.
    Done,
    /// The job failed and was reported; it is repeated later.
    TryAgain,
}

fn at(due: Due, first: Instant, last: Instant) -> Instant {
    (last + due.quiet).min(first + due.latest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    #[test]
    fn a_job_that_panics_is_reported_and_others_follow() {
        let due = Due {
            quiet: Duration::from_millis(1),
            latest: Duration::from_millis(1),
        };
        let (sender, reports) = mpsc::channel();
        let panicked = sender.clone();
        let work = Debouncer::new(
            "the job",
            due,
            Touches::new(),
            move |document| {
                assert_ne!(document, "bad", "on purpose");
                let _ = sender.send(format!("{document} done"));
                JobOutcome::Done
            },
            move |document, fault| {
                let _ = panicked.send(format!("{document}: {fault}"));
                panic!("on purpose")
            },
        )
        .unwrap();
        let report = || reports.recv_timeout(Duration::from_secs(10)).unwrap();
        for _ in 0..2 {
            work.touch("bad");
            let fault = "bad: the job failed inside Promptdeck";
            assert!(report().starts_with(fault));
            work.touch("good");
            assert_eq!(report(), "good done");
        }
    }

    #[test]
    fn a_pause_ends_a_burst_and_a_long_burst_is_cut() {
        let runs: Arc<Mutex<Vec<Instant>>> = Arc::default();
        let seen = Arc::clone(&runs);
        let due = Due {
            quiet: Duration::from_millis(80),
            latest: Duration::from_millis(300),
        };
        let work = Debouncer::new(
            "test",
            due,
            Touches::new(),
            move |_| {
                seen.lock().unwrap().push(Instant::now());
                JobOutcome::Done
            },
            |_, _| JobOutcome::Done,
        )
        .unwrap();
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_millis(700) {
            work.touch("a");
            thread::sleep(Duration::from_millis(10));
        }
        thread::sleep(Duration::from_millis(250));
        drop(work);
        let runs = runs.lock().unwrap();
        assert!((2..=4).contains(&runs.len()), "{} runs", runs.len());
    }
}
