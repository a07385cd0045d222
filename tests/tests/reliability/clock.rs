//! Measures CPU time of a thread, which excludes other load on the machine.

use std::fs;
use std::time::{Duration, Instant};

/// The result of `work` and the CPU time of this thread; wall-clock time if the system does not
/// report it.
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let (wall, begun) = (Instant::now(), running());
    let outcome = work();
    let took = match (begun, running()) {
        (Some(begun), Some(ended)) => ended.saturating_sub(begun),
        _ => wall.elapsed(),
    };
    (outcome, took)
}

/// CPU time of this thread, if the system reports it.
fn running() -> Option<Duration> {
    let all = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = all.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}
