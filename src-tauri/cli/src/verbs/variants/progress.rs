//! Progress of a long shard: one line on standard error, only if that is a terminal.

use std::{
    io::{IsTerminal as _, Write as _, stderr},
    time::{Duration, Instant},
};

/// Interval between two lines.
const INTERVAL: Duration = Duration::from_millis(250);

/// The progress of a number of rows.
pub struct Progress {
    is_terminal: bool,
    total: u64,
    /// Rows that an earlier call had written.
    before: u64,
    done: u64,
    started: Instant,
    printed: Option<Instant>,
}

impl Progress {
    /// Starts counting; `before` of `total` rows are there already.
    pub fn start(before: u64, total: u64) -> Self {
        Self {
            is_terminal: stderr().is_terminal(),
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
        let due = self.printed.is_none_or(|last| last.elapsed() >= INTERVAL);
        if self.is_terminal && due {
            self.printed = Some(Instant::now());
            let seconds = self.started.elapsed().as_secs_f64();
            let line = line(self.before, self.done, self.total, seconds);
            // Progress that cannot be printed does not affect the work.
            let _ = write!(stderr(), "\r{line}\x1b[K");
        }
    }

    /// Removes the line.
    pub fn end(&self) {
        if self.printed.is_some() {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }
}

fn line(before: u64, done: u64, total: u64, seconds: f64) -> String {
    let rate = (done - before) as f64 / seconds.max(1e-3);
    let left = (total - done) as f64 / rate.max(1e-3);
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
                (0, 500, 1_000, 1.0),
                "500 of 1000 rows, 500 a second, 1 s left",
            ),
            (
                (900, 1_000, 7_000, 1.0),
                "1000 of 7000 rows, 100 a second, 1 min 0 s left",
            ),
            (
                (0, 10, 72_010, 1.0),
                "10 of 72010 rows, 10 a second, 2 h 0 min left",
            ),
            (
                (0, 1_000, 1_000, 0.0),
                "1000 of 1000 rows, 1000000 a second, 0 s left",
            ),
        ];
        for ((before, done, total, seconds), text) in expected {
            assert_eq!(line(before, done, total, seconds), text);
        }
    }
}
