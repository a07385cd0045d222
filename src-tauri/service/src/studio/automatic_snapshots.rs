//! Snapshots that Promptdeck takes before a destructive action: a delete, an import, a switch.

use super::Inner;
use super::document_snapshots::prepare;
use crate::session::Session;
use crate::snapshots::SnapshotCopy;
use crate::wire::Event;
use crate::{ServiceError, clock};

impl Inner {
    /// Stores the snapshot prepared before a destructive action. Without a store, only the undo
    /// history can restore the document, and the author is notified.
    pub(crate) fn store_before(
        &self,
        document: &str,
        revision: u32,
        copy: Result<SnapshotCopy, ServiceError>,
    ) {
        let stored = copy.and_then(|copy| copy.store_if_needed(&*self.store_handle.store()?));
        if let Err(fault) = stored {
            self.emit(Event::Draft {
                document: document.to_owned(),
                revision,
                saved_at: clock::now(),
                problem: Some(fault.into()),
            });
        }
    }
}

/// A snapshot of a document as it is before something destructive, for
/// [`Studio::with_snapshot`].
pub(crate) fn prepare_before(session: &Session, what: &str) -> Result<SnapshotCopy, ServiceError> {
    prepare(session, &format!("Before {what}"), true)
}

/// The same before a stored version replaces the document.
pub(crate) fn prepare_before_switch(
    session: &Session,
    what: &str,
) -> Result<SnapshotCopy, ServiceError> {
    prepare_before(session, what).map(SnapshotCopy::unless_stored)
}
