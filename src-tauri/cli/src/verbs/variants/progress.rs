//! Progress of many rows: one line on standard error, only if that is a terminal and the rows do not
//! appear on it.

use std::{
    io::{IsTerminal as _, Write as _, stderr, stdout},
    time::{Duration, Instant},
};

/// Interval between two lines.
const INTERVAL: Duration = Duration::from_millis(250);

/// The progress of a number of rows. Its line is removed when it is dropped.
pub struct Progress {
    is_shown: bool,
    /// `None` if it is not known.
    total: Option<u64>,
    /// Rows that an earlier call had written.
    before: u64,
    done: u64,
    started: Instant,
    printed: Option<Instant>,
}

impl Progress {
    /// Starts counting the rows of a file; `before` of `total` are there already.
    pub fn start(before: u64, total: u64) -> Self {
        Self::new(stderr().is_terminal(), before, Some(total))
    }

    /// Starts counting the rows on standard output.
    pub fn of_output(total: impl FnOnce() -> Option<u64>) -> Self {
        let is_shown = stderr().is_terminal() && !stdout().is_terminal();
        Self::new(is_shown, 0, if is_shown { total() } else { None })
    }

    fn new(is_shown: bool, before: u64, total: Option<u64>) -> Self {
        Self {
            is_shown,
            total,
            before,
            done: before,
            started: Instant::now(),
            printed: None,
        }
    }

    /// Counts rows, and prints a line if it is time for one.
    pub fn add(&mut self, rows: u64) {
        self.done += rows;
        let due = || self.printed.is_none_or(|last| last.elapsed() >= INTERVAL);
        if self.is_shown && due() {
            self.printed = Some(Instant::now());
            let seconds = self.started.elapsed().as_secs_f64();
            let line = line(self.before, self.done, self.total, seconds);
            // Progress that cannot be printed does not affect the work.
            let _ = write!(stderr(), "\r{line}\x1b[K");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.printed.is_some() {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}

fn line(before: u64, done: u64, total: Option<u64>, seconds: f64) -> String {
    let rate = (done - before) as f64 / seconds.max(1e-3);
    let Some(total) = total else {
        return format!("{done} rows, {rate:.0} a second");
    };
    let left = total.saturating_sub(done) as f64 / rate.max(1e-3);
    format!(
        "{done} of {total} rows, {rate:.0} a second, {} left",
        duration(left)
    )
}

fn duration(seconds: f64) -> String {
    let rounded = Duration::try_from_secs_f64(seconds.ceil());
    let seconds = rounded.map_or(u64::MAX, |rounded| rounded.as_secs());
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    match (hours, minutes) {
        (0, 0) => format!("{seconds} s"),
        (0, _) => format!("{minutes} min {} s", seconds % 60),
        _ => format!("{hours} h {minutes} min"),
    }
}

#[cfg(test)]
mod tests {
    use super::line;

    #[test]
    fn rate_and_remaining_time_are_those_of_this_call() {
        let expected = [
            (
                (0, 500, Some(1_000), 1.0),
                "500 of 1000 rows, 500 a second, 1 s left",
            ),
            (
                (900, 1_000, Some(7_000), 1.0),
                "1000 of 7000 rows, 100 a second, 1 min 0 s left",
            ),
            (
                (0, 10, Some(72_010), 1.0),
                "10 of 72010 rows, 10 a second, 2 h 0 min left",
            ),
            (
                (0, 1_000, Some(1_000), 0.0),
                "1000 of 1000 rows, 1000000 a second, 0 s left",
            ),
            ((0, 30, None, 2.0), "30 rows, 15 a second"),
        ];
        for ((before, done, total, seconds), text) in expected {
            assert_eq!(line(before, done, total, seconds), text);
        }
    }
}
