//! Snapshots of open documents: taking, listing, changing and switching.

use std::path::Path;

use crate::open_documents::{FileDocument as _, lock};
use crate::session::Session;
use crate::snapshots::{self, SnapshotCopy, SnapshotSource};
use crate::studio::automatic_snapshots::prepare_before_switch;
use crate::studio::{Inner, Studio};
use crate::wire::{Change, SnapshotPage, SnapshotQuery, SnapshotSummary};
use crate::{ServiceError, clock, tree};

/// A snapshot of a document as it is now.
pub(super) fn prepare(
    session: &Session,
    name: &str,
    automatic: bool,
) -> Result<SnapshotCopy, ServiceError> {
    let (preview, _) = session.preview();
    SnapshotCopy::of(&SnapshotSource {
        name,
        note: "",
        file: session.copy().path(),
        registry: session.copy().content(),
        state: session.state(),
        route: session.route(),
        seed: session.seed(),
        glance: &preview.glance(),
        automatic,
    })
}

/// Replaces the file's key by its name in the folder, which the page uses.
fn relative(inner: &Inner, mut summary: SnapshotSummary) -> SnapshotSummary {
    let folder = snapshots::key(&inner.folder.path());
    if let Ok(name) = Path::new(&summary.file).strip_prefix(&folder) {
        summary.file = name.to_string_lossy().into_owned();
    }
    summary
}

impl Studio {
    /// One page of the list of snapshots.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn snapshots(&self, query: &SnapshotQuery) -> Result<SnapshotPage, ServiceError> {
        let mut query = query.clone();
        if let Some(file) = &mut query.file {
            *file = self.key(file)?;
        }
        let store = self.inner.store_handle.store()?;
        let mut page = snapshots::list(&store, &query)?;
        page.snapshots = page
            .snapshots
            .into_iter()
            .map(|row| relative(&self.inner, row))
            .collect();
        Ok(page)
    }

    /// Takes a snapshot; without a name, a summary of the selections becomes its name.
    ///
    /// # Errors
    /// If the document is not open or the store cannot be written.
    pub fn take_snapshot(
        &self,
        document: &str,
        name: Option<&str>,
    ) -> Result<SnapshotSummary, ServiceError> {
        let session = self.inner.session(document)?;
        let copy = prepare(&lock(&session), name.unwrap_or_default(), false)?;
        // The store may be busy, so no lock is held here.
        let row = copy.store(&*self.inner.store_handle.store()?)?;
        Ok(relative(&self.inner, snapshots::summary(row)))
    }

    /// Replaces the document by a snapshot, as a step that can be undone. Unsaved edits are stored
    /// in a snapshot first.
    ///
    /// # Errors
    /// If the document is not open, or the snapshot is missing or damaged.
    pub fn switch_snapshot(&self, document: &str, id: u32) -> Result<Change, ServiceError> {
        let contents = snapshots::contents(&*self.inner.store_handle.store()?, id.into())?;
        let name = contents.summary.name.clone();
        let target = contents.summary.name_in_names().to_owned();
        let to = tree::build(
            &contents.registry,
            &contents.state,
            contents.route.as_deref(),
            contents.seed,
        );
        self.with_snapshot(document, |session| {
            let modified = session.copy().modified();
            let before =
                modified.then(|| prepare_before_switch(session, &format!("switch to {target}")));
            (before, session.switch(&format!("Switch to {name}"), &to))
        })
    }

    fn changed(
        &self,
        change: impl FnOnce(
            &promptdeck_store::Store,
        ) -> Result<
            promptdeck_store::snapshots::Summary,
            promptdeck_store::StoreError,
        >,
    ) -> Result<SnapshotSummary, ServiceError> {
        let row = change(&*self.inner.store_handle.store()?)?;
        Ok(relative(&self.inner, snapshots::summary(row)))
    }

    /// Changes the name and note of a snapshot.
    ///
    /// # Errors
    /// If there is no such snapshot or the store cannot be written.
    pub fn describe_snapshot(
        &self,
        id: u32,
        name: &str,
        note: &str,
    ) -> Result<SnapshotSummary, ServiceError> {
        self.changed(|store| store.describe_snapshot(id.into(), name, note))
    }

    /// Pins a snapshot to a key from 1 to 9, or unpins it.
    ///
    /// # Errors
    /// If there is no such snapshot or the store cannot be written.
    pub fn pin_snapshot(&self, id: u32, key: Option<u8>) -> Result<SnapshotSummary, ServiceError> {
        self.changed(|store| store.pin_snapshot(id.into(), key))
    }

    /// Copies a snapshot.
    ///
    /// # Errors
    /// If there is no such snapshot or the store cannot be written.
    pub fn duplicate_snapshot(&self, id: u32) -> Result<SnapshotSummary, ServiceError> {
        self.changed(|store| {
            let name = format!("{} copy", store.snapshot(id.into())?.name);
            store.duplicate_snapshot(id.into(), &name, clock::now_signed())
        })
    }

    /// Deletes a snapshot; it can be restored for 30 days.
    ///
    /// # Errors
    /// If there is no such snapshot or the store cannot be written.
    pub fn delete_snapshot(&self, id: u32) -> Result<(), ServiceError> {
        self.inner
            .store_handle
            .store()?
            .delete_snapshot(id.into(), clock::now_signed())?;
        Ok(())
    }

    /// Restores a deleted snapshot.
    ///
    /// # Errors
    /// If there is no such snapshot or the store cannot be written.
    pub fn undelete_snapshot(&self, id: u32) -> Result<SnapshotSummary, ServiceError> {
        self.changed(|store| store.undelete_snapshot(id.into()))
    }
}
