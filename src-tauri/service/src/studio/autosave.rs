//! Saves edits to their file after a pause, as the command does: never over an outside change.

use crate::calls;
use crate::checks;
use crate::open_documents::{Saved, lock};
use crate::studio::{Inner, Studio};
use crate::wire::{CallSaved, ChecksSaved, Event, SaveReport};
use crate::{ServiceError, open_documents::FileDocument as _};

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
    /// Saves a document unless its file holds it already or waits for a decision.
    pub(crate) fn autosave(&self, document: &str) {
        if calls::folder::is_call(document) {
            if let Some(saved) = self.save_call_if_needed(document) {
                let (report, problem) = parts(saved);
                self.emit(Event::CallAutosaved {
                    document: document.to_owned(),
                    report,
                    problem,
                });
                self.calls.save_draft(document);
            }
        } else if checks::is_checks(document) {
            if let Some(saved) = self.save_checks_if_needed(document) {
                let (report, problem) = parts(saved);
                self.emit(Event::ChecksAutosaved {
                    document: document.to_owned(),
                    report,
                    problem,
                });
                self.checks.save_draft(document);
            }
        } else if let Some(saved) = self.save_if_needed(document) {
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
        Some(saved.map(|Saved { written, kept }| SaveReport {
            written,
            status: session.status(),
            conflict: session.conflict(),
            kept,
        }))
    }

    fn save_call_if_needed(&self, document: &str) -> Option<Result<CallSaved, ServiceError>> {
        let open = self.calls.get(document).ok()?;
        let mut call = lock(&open);
        if !call.copy().modified() || call.copy().pending().is_some() {
            return None;
        }
        let saved = self.calls.save(&mut call);
        Some(saved.map(|Saved { written, kept }| CallSaved {
            written,
            status: call.status(),
            conflict: call.conflict(),
            kept,
        }))
    }

    fn save_checks_if_needed(&self, document: &str) -> Option<Result<ChecksSaved, ServiceError>> {
        let open = self.checks.get(document).ok()?;
        let mut checks = lock(&open);
        if !checks.copy().modified() || checks.copy().pending().is_some() {
            return None;
        }
        let saved = self.checks.save(&mut checks);
        Some(saved.map(|Saved { written, kept }| ChecksSaved {
            written,
            status: checks.status(),
            conflict: checks.conflict(),
            kept,
        }))
    }
}

fn parts<T>(saved: Result<T, ServiceError>) -> (Option<T>, Option<crate::wire::Failure>) {
    match saved {
        Ok(report) => (Some(report), None),
        Err(fault) => (None, Some(fault.into())),
    }
}
