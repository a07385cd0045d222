//! What is written after a pause: the draft of a document and, with autosave, its file, as the command
//! does: never over an outside change.

use crate::calls;
use crate::checks;
use crate::debouncer::JobOutcome;
use crate::open_documents::{Saved, lock};
use crate::studio::{Inner, Studio};
use crate::wire::{CallSaved, ChecksSaved, Event, SaveReport};
use crate::{ServiceError, open_documents::FileDocument as _, panics};

impl Studio {
    /// Schedules an autosave of edits that no keystroke follows: restored from a draft, or made before
    /// autosave was turned on. Does nothing while it is off.
    pub(crate) fn autosave_later(&self, document: &str) {
        if self.inner.store_handle.settings().autosave {
            self.drafting.touch(document);
        }
    }

    /// The same for all open documents.
    pub(crate) fn autosave_all_later(&self) {
        let inner = &self.inner;
        if !inner.store_handle.settings().autosave {
            return;
        }
        let names = [
            inner.sessions.modified_names(),
            inner.calls.modified_names(),
            inner.checks.modified_names(),
        ];
        for document in names.concat() {
            self.drafting.touch(&document);
        }
    }
}

impl Inner {
    /// Writes a document's draft, and then its file if the author has turned autosave on. The draft
    /// comes first, in case the file cannot be written.
    pub(super) fn save_draft_and_autosave(&self, document: &str) -> JobOutcome {
        let stored = self.save_draft(document);
        if self.store_handle.settings().autosave {
            self.autosave(document);
        }
        stored
    }

    /// Reports a draft that could not be written; the next attempt writes all of it.
    pub(super) fn draft_failed(&self, document: &str, fault: ServiceError) -> JobOutcome {
        if calls::folder::is_call(document) {
            self.calls.draft_failed(document, fault)
        } else if checks::is_checks(document) {
            self.checks.draft_failed(document, fault)
        } else {
            self.sessions.draft_failed(document, fault)
        }
    }

    /// Saves a document unless its file holds it already or waits for a decision.
    pub(crate) fn autosave(&self, document: &str) {
        if calls::folder::is_call(document) {
            if let Some(saved) = caught(|| self.save_call_if_needed(document)) {
                let (report, problem) = parts(saved);
                self.emit(Event::CallAutosaved {
                    document: document.to_owned(),
                    report,
                    problem,
                });
                self.calls.save_draft(document);
            }
        } else if checks::is_checks(document) {
            if let Some(saved) = caught(|| self.save_checks_if_needed(document)) {
                let (report, problem) = parts(saved);
                self.emit(Event::ChecksAutosaved {
                    document: document.to_owned(),
                    report,
                    problem,
                });
                self.checks.save_draft(document);
            }
        } else if let Some(saved) = caught(|| self.save_if_needed(document)) {
            let (report, problem) = parts(saved);
            self.emit(Event::Autosaved {
                document: document.to_owned(),
                report,
                problem,
            });
            self.sessions.save_draft(document);
        }
    }

    fn save_if_needed(&self, document: &str) -> Option<Result<SaveReport, ServiceError>> {
        let open = self.sessions.get(document).ok()?;
        let mut session = lock(&open);
        if !session.copy().modified() || session.copy().pending().is_some() {
            return None;
        }
        let saved = self.sessions.save(&mut session);
        Some(saved.map(
            |Saved {
                 written,
                 damaged_copy,
             }| SaveReport {
                written,
                status: session.status(),
                conflict: session.conflict(),
                kept: damaged_copy,
            },
        ))
    }

    fn save_call_if_needed(&self, document: &str) -> Option<Result<CallSaved, ServiceError>> {
        let open = self.calls.get(document).ok()?;
        let mut call = lock(&open);
        if !call.copy().modified() || call.copy().pending().is_some() {
            return None;
        }
        let saved = self.calls.save(&mut call);
        Some(saved.map(
            |Saved {
                 written,
                 damaged_copy,
             }| CallSaved {
                written,
                status: call.status(),
                conflict: call.conflict(),
                kept: damaged_copy,
            },
        ))
    }

    fn save_checks_if_needed(&self, document: &str) -> Option<Result<ChecksSaved, ServiceError>> {
        let open = self.checks.get(document).ok()?;
        let mut checks = lock(&open);
        if !checks.copy().modified() || checks.copy().pending().is_some() {
            return None;
        }
        let saved = self.checks.save(&mut checks);
        Some(saved.map(
            |Saved {
                 written,
                 damaged_copy,
             }| ChecksSaved {
                written,
                status: checks.status(),
                conflict: checks.conflict(),
                kept: damaged_copy,
            },
        ))
    }
}

/// A panic is reported as a save that failed: the next change or the command saves again.
fn caught<T>(
    save: impl FnOnce() -> Option<Result<T, ServiceError>>,
) -> Option<Result<T, ServiceError>> {
    panics::catch("saving", save).unwrap_or_else(|fault| Some(Err(fault)))
}

fn parts<T>(saved: Result<T, ServiceError>) -> (Option<T>, Option<crate::wire::Failure>) {
    match saved {
        Ok(report) => (Some(report), None),
        Err(fault) => (None, Some(fault.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_save_that_panics_is_one_that_failed() {
        let saved: Option<Result<(), _>> = caught(|| panic!("on purpose"));
        let fault = saved.and_then(Result::err).expect("a failure");
        assert_eq!(fault.code(), "panicked");
    }
}
