//! How long a thread was at work: what other programs take from it says nothing about the work.

use std::fs;
use std::time::{Duration, Instant};

/// What a piece of work gives and how long this thread was at it; on the wall where the system
/// does not tell.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let (wall, begun) = (Instant::now(), running());
    let outcome = work();
    let took = match (begun, running()) {
        (Some(begun), Some(ended)) => ended.saturating_sub(begun),
        _ => wall.elapsed(),
    };
    (outcome, took)
}

/// The time this thread has run, where the system tells.
fn running() -> Option<Duration> {
    let all = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = all.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}
