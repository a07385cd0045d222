//! Retries after transport faults, with exponential backoff. A request whose text was rejected is
//! repeated by the engine (`promptdeck_core::run`), which counts those attempts separately.

use std::{
    thread,
    time::{Duration, Instant},
};

use crate::fault::{Fault, FaultKind};

/// Interval at which a wait checks for cancellation.
const TICK: Duration = Duration::from_millis(20);

/// When to retry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// Maximum number of retries after the first call; 0 disables them.
    pub most: u32,
    /// First pause; each later one is twice as long.
    pub first: Duration,
    /// Longest pause. If a server demands a longer one, the call is not repeated.
    pub longest: Duration,
}

impl Default for Retry {
    fn default() -> Self {
        Self {
            most: 2,
            first: Duration::from_millis(500),
            longest: Duration::from_secs(20),
        }
    }
}

impl Retry {
    /// The pause before attempt number `tried` + 1; `None` if there is none. `jitter` is a number
    /// from 0 to 1 that spreads the calls of many clients: it varies our own pause by half its
    /// length, and extends a pause demanded by the server by up to a tenth.
    #[must_use]
    pub fn pause(&self, tried: u32, fault: &Fault, jitter: f64) -> Option<Duration> {
        if tried > self.most || !fault.kind.is_passing() {
            return None;
        }
        let jitter = jitter.clamp(0.0, 1.0);
        if let Some(demanded) = fault.retry_after {
            return (demanded <= self.longest).then(|| demanded.mul_f64(1.0 + jitter / 10.0));
        }
        let doubled = self
            .first
            .saturating_mul(1 << (tried.saturating_sub(1)).min(20));
        Some(doubled.min(self.longest).mul_f64(0.5 + jitter / 2.0))
    }

    /// Calls until success, until `may_repeat` returns `false`, or until no retry is left. Before
    /// each pause, `on_pause` gets the fault, the number of the next call and the length of the
    /// pause. The second part of the result lists the faults that were retried, oldest first.
    pub fn run<T>(
        &self,
        jitter: &mut dyn FnMut() -> f64,
        is_stopped: &dyn Fn() -> bool,
        may_repeat: &dyn Fn() -> bool,
        on_pause: &mut dyn FnMut(&Fault, u32, Duration),
        mut call: impl FnMut() -> Result<T, Fault>,
    ) -> (Result<T, Fault>, Vec<Fault>) {
        let mut overcome = Vec::new();
        loop {
            let fault = match call() {
                Ok(done) => return (Ok(done), overcome),
                Err(fault) => fault,
            };
            let tried = overcome.len() as u32 + 1;
            let pause = self.pause(tried, &fault, jitter());
            let Some(pause) = pause.filter(|_| may_repeat()) else {
                return (Err(fault), overcome);
            };
            on_pause(&fault, tried + 1, pause);
            if !wait(pause, is_stopped) {
                let stopped = Fault::new(FaultKind::Cancelled, fault.place.clone(), "");
                overcome.push(fault);
                return (Err(stopped), overcome);
            }
            overcome.push(fault);
        }
    }
}

/// Waits; `false` if cancelled.
fn wait(pause: Duration, is_stopped: &dyn Fn() -> bool) -> bool {
    let end = Instant::now() + pause;
    while !is_stopped() {
        let left = end.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return true;
        }
        thread::sleep(left.min(TICK));
    }
    false
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    const RETRY: Retry = Retry {
        most: 3,
        first: Duration::from_millis(100),
        longest: Duration::from_secs(1),
    };

    fn fault(kind: FaultKind, retry_after: Option<u64>) -> Fault {
        let mut fault = Fault::new(kind, "http://h/", "");
        fault.retry_after = retry_after.map(Duration::from_millis);
        fault
    }

    fn check(tried: u32, kind: FaultKind, demanded: Option<u64>, jitter: f64, expect: Option<u64>) {
        let pause = RETRY.pause(tried, &fault(kind, demanded), jitter);
        assert_eq!(pause.map(|pause| pause.as_millis() as u64), expect);
    }

    #[test]
    fn pauses() {
        use FaultKind::{BadRequest, Cancelled, RateLimited, Refused, Server, Timeout, Truncated};
        check(1, Server, None, 1.0, Some(100));
        check(2, Server, None, 1.0, Some(200));
        check(3, Server, None, 1.0, Some(400));
        check(4, Server, None, 1.0, None);
        check(1, Refused, None, 0.0, Some(50));
        check(1, Truncated, None, f64::INFINITY, Some(100));
        check(1, RateLimited, Some(700), 0.0, Some(700));
        check(1, RateLimited, Some(700), 1.0, Some(770));
        check(1, RateLimited, Some(1500), 0.0, None);
        check(1, BadRequest, None, 0.0, None);
        check(1, Timeout, None, 0.0, None);
        check(1, Cancelled, None, 0.0, None);
    }

    #[test]
    fn a_long_row_of_tries_does_not_overflow() {
        let patient = Retry { most: 100, ..RETRY };
        let pause = patient.pause(90, &fault(FaultKind::Server, None), 1.0);
        assert_eq!(pause, Some(RETRY.longest));
    }

    /// The number of calls, the result, and the number of retried faults of a call that fails
    /// `failures` times.
    fn run(failures: u32, stop_after: u32, repeatable: bool) -> (u32, Result<(), String>, usize) {
        let quick = Retry {
            first: Duration::from_millis(1),
            ..RETRY
        };
        let calls = Cell::new(0);
        let mut announced = Vec::new();
        let (result, overcome) = quick.run(
            &mut || 0.5,
            &|| calls.get() >= stop_after,
            &|| repeatable,
            &mut |_, number, _| announced.push(number),
            || {
                calls.set(calls.get() + 1);
                if calls.get() > failures {
                    Ok(())
                } else {
                    Err(fault(FaultKind::Server, None))
                }
            },
        );
        assert!(announced.iter().copied().eq(2..2 + overcome.len() as u32));
        (
            calls.get(),
            result.map_err(|fault| fault.code().to_owned()),
            overcome.len(),
        )
    }

    #[test]
    fn runs() {
        assert_eq!(run(0, 99, true), (1, Ok(()), 0));
        assert_eq!(run(2, 99, true), (3, Ok(()), 2));
        assert_eq!(run(9, 99, true), (4, Err("server".to_owned()), 3));
        assert_eq!(run(9, 99, false), (1, Err("server".to_owned()), 0));
        assert_eq!(run(9, 2, true), (2, Err("cancelled".to_owned()), 2));
    }
}
