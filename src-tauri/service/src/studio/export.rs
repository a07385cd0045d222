//! Exports model JSON to a file that the author chose.

use std::path::Path;

use promptdeck_core::registry::Document;
use promptdeck_store::files::{self, Expected};

use crate::studio::Studio;
use crate::{ServiceError, snapshots};

/// Replaces a file unless it has changed since the author chose it.
fn export(path: &Path, text: &str, held: Expected) -> Result<(), ServiceError> {
    files::replace(path, text.as_bytes(), held)?.or_changed_outside(path)?;
    Ok(())
}

impl Studio {
    /// Writes the document's model JSON to a path that the author chose.
    ///
    /// # Errors
    /// If the document is not open or the file cannot be written.
    pub fn export_to(&self, document: &str, path: &Path) -> Result<(), ServiceError> {
        let held = files::current(path)?;
        export(path, &self.model_json(document)?.text, held)
    }

    /// A file name for a snapshot's model JSON, and the JSON itself.
    ///
    /// # Errors
    /// If the snapshot is missing or damaged.
    pub fn snapshot_json(&self, id: u32) -> Result<(String, String), ServiceError> {
        let contents = snapshots::contents(&*self.inner.store_handle.store()?, id.into())?;
        let document = Document {
            registry: contents.registry,
            wrapper: None,
        };
        Ok((
            contents.summary.name,
            promptdeck_core::export::export(&document, &contents.state),
        ))
    }

    /// Writes a snapshot's model JSON to a path that the author chose.
    ///
    /// # Errors
    /// If the snapshot is missing or damaged, or the file cannot be written.
    pub fn export_snapshot_to(&self, id: u32, path: &Path) -> Result<(), ServiceError> {
        let held = files::current(path)?;
        export(path, &self.snapshot_json(id)?.1, held)
    }
}
