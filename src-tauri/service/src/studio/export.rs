//! Exports model JSON to a file that the author chose.

use std::path::Path;

use promptdeck_core::registry::Document;
use promptdeck_store::files::{self, Expected};

use crate::studio::Studio;
use crate::wire::Exported;
use crate::{ServiceError, snapshots};

/// Replaces a file unless it has changed since the author chose it; what it held is kept beside it.
fn export(path: &Path, text: &str, held: Expected) -> Result<Exported, ServiceError> {
    let (replaced, copy) = files::replace_with_copy(path, text.as_bytes(), held)?;
    replaced.or_changed_outside(path)?;
    let name = copy.as_deref().and_then(Path::file_name);
    Ok(Exported {
        path: path.display().to_string(),
        kept: name.map(|name| name.to_string_lossy().into_owned()),
    })
}

impl Studio {
    /// Writes the document's model JSON to a path that the author chose.
    ///
    /// # Errors
    /// If the document is not open or the file cannot be written.
    pub fn export_to(&self, document: &str, path: &Path) -> Result<Exported, ServiceError> {
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
    pub fn export_snapshot_to(&self, id: u32, path: &Path) -> Result<Exported, ServiceError> {
        let held = files::current(path)?;
        export(path, &self.snapshot_json(id)?.1, held)
    }
}
