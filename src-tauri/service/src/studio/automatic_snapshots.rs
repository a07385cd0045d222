//! Snapshots that Promptdeck takes before a destructive action: a section, an item or a route is
//! deleted, a stored version or the file replaces the document.

use std::collections::BTreeMap;

use super::document_snapshots::prepare;
use super::{Inner, Studio};
use crate::open_documents::{FileDocument as _, lock};
use crate::session::Session;
use crate::snapshots::{SnapshotCopy, SnapshotSource};
use crate::wire::{Choice, Edit, Event, Step};
use crate::{ServiceError, clock, tree};

/// Name of the snapshot of a version on disk that an author's version is going to replace.
const FROM_DISK: &str = "From disk, before yours was saved";

impl Studio {
    /// Like [`Studio::with`], for destructive actions: the work also returns a snapshot of the
    /// document's earlier state. It is stored before this returns, but without the document's lock,
    /// since the store may be busy.
    pub(crate) fn with_snapshot<T>(
        &self,
        document: &str,
        work: impl FnOnce(
            &mut Session,
        ) -> (
            Option<Result<SnapshotCopy, ServiceError>>,
            Result<T, ServiceError>,
        ),
    ) -> Result<T, ServiceError> {
        self.inner.pause.edit_begins();
        let session = self.inner.session(document)?;
        let (revision, (before, answer)) = {
            let mut session = lock(&session);
            (session.copy().revision(), work(&mut session))
        };
        if answer.is_ok() {
            self.drafting.touch(document);
            self.analysis.touch(document);
        }
        if let Some(before) = before {
            self.inner.store_before(document, revision, before);
        }
        answer
    }
}

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
                kept: None,
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

/// A snapshot of the version on disk, if this resolution of the conflict leaves it to be overwritten by
/// the next save.
pub(crate) fn prepare_from_disk(
    session: &Session,
    choices: &BTreeMap<String, Choice>,
) -> Option<Result<SnapshotCopy, ServiceError>> {
    let disk = session.copy().outvoted(choices)?;
    let copy = SnapshotCopy::of(&SnapshotSource {
        name: FROM_DISK,
        note: "",
        file: session.copy().path(),
        registry: &disk.content,
        state: session.state(),
        route: session.route(),
        seed: session.seed(),
        glance: FROM_DISK,
        automatic: true,
    });
    Some(copy.map(SnapshotCopy::unless_stored))
}

/// Name of the section, settings, item or route that an edit removes.
pub(super) fn what_goes(session: &Session, edit: &Edit) -> Option<String> {
    let Edit::Remove { path } = edit else {
        return None;
    };
    let registry = tree::registry(session.copy().tree());
    match path.as_slice() {
        [Step::Key(top), Step::Key(key)] if top == "registry" => {
            registry.get(key)?;
            Some(key.clone())
        }
        [Step::Key(top), Step::Key(routes), Step::Key(route)]
            if top == "registry" && routes == "routes" =>
        {
            registry.get(routes)?.get(route)?;
            Some(format!("route {route}"))
        }
        [
            Step::Key(top),
            Step::Key(section),
            Step::Key(items),
            Step::Index(index),
        ] if top == "registry" && items == "items" => {
            let item = registry.get(section)?.get("items")?.get(*index as usize)?;
            let named = |key: &str| item.get(key).and_then(serde_json::Value::as_str);
            let name = named("id").or_else(|| named("name"));
            Some(crate::preview::item_name(name, *index as usize))
        }
        _ => None,
    }
}
