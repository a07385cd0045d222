//! Panics of work on background threads: caught, so that the thread continues, and returned as errors, as
//! the executor does for commands.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::ServiceError;
use crate::studio::Inner;
use crate::wire::Event;

/// Does work that a panic ends early. `what` names it in the error.
///
/// What the work shares with others stays consistent: its locks survive a panic (`open_documents::lock`).
pub(crate) fn catch<T>(what: &str, work: impl FnOnce() -> T) -> Result<T, ServiceError> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| ServiceError::Panicked(what.to_owned()))
}

/// What a watcher of files does.
pub(crate) const READING_CHANGES: &str = "reading changed files";

impl Inner {
    /// Does background work without a result, and reports its panic.
    pub(crate) fn catch(&self, what: &str, work: impl FnOnce()) {
        if let Err(fault) = catch(what, work) {
            self.report_panic(fault);
        }
    }

    /// Reports work that has ended early, where no other event of the work does.
    pub(crate) fn report_panic(&self, fault: ServiceError) {
        self.emit(Event::Failed {
            problem: fault.into(),
        });
    }
}
