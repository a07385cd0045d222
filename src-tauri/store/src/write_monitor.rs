//! Reports when writes to an open store begin to fail because its disk is full or denies them, and when
//! one succeeds again. Other errors are about one write, and are returned alone.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::StoreError;

/// Called with the error while writes fail, and with `None` once one succeeds.
type Report = Box<dyn Fn(Option<&StoreError>) + Send + Sync>;

/// The callback, and whether the last write failed.
#[derive(Default)]
pub(crate) struct WriteMonitor {
    report: OnceLock<Report>,
    is_failing: AtomicBool,
}

impl WriteMonitor {
    pub(crate) fn set(&self, report: Report) {
        let _ = self.report.set(report);
    }

    /// Takes note of the result of a write.
    pub(crate) fn note<T>(&self, written: &Result<T, StoreError>) {
        let fault = match written {
            Ok(_) => None,
            Err(fault @ (StoreError::Full { .. } | StoreError::NotWritable { .. })) => Some(fault),
            Err(_) => return,
        };
        let was_failing = self.is_failing.swap(fault.is_some(), Relaxed);
        if let Some(report) = self.report.get().filter(|_| was_failing || fault.is_some()) {
            report(fault);
        }
    }
}

impl fmt::Debug for WriteMonitor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WriteMonitor")
            .field("is_failing", &self.is_failing)
            .finish_non_exhaustive()
    }
}
