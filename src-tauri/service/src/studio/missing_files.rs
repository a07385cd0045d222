//! Registries whose file is gone, deleted by another program, while unsaved edits are kept in their
//! draft: they stay in the list, since nothing else leads to the edits.

use std::collections::HashSet;
use std::path::Path;

use crate::snapshots;
use crate::studio::Studio;
use crate::wire::RegistryEntry;
use crate::workspace::unread_entry;
use crate::{draft_writer, tree};

impl Studio {
    /// The missing registries of a folder. `modified` are the keys of the files with unsaved edits,
    /// `listed` the registries that the folder has.
    pub(super) fn missing_registries(
        &self,
        folder: &Path,
        modified: &HashSet<String>,
        listed: &[RegistryEntry],
    ) -> Vec<RegistryEntry> {
        // A folder that is gone as a whole, as a drive that is not there, says nothing of its files.
        let Ok(root) = folder.canonicalize() else {
            return Vec::new();
        };
        let mut missing: Vec<RegistryEntry> = modified
            .iter()
            .filter_map(|key| {
                let path = snapshots::path(key);
                let inside = path.strip_prefix(&root).ok()?;
                let file = inside.to_str()?.replace(std::path::MAIN_SEPARATOR, "/");
                let is_listed = listed.iter().any(|entry| entry.file == file);
                if is_listed || path.exists() || self.inner.deletions.holds(folder, &file) {
                    return None;
                }
                self.missing(&file, key)
            })
            .collect();
        missing.sort_by(|one, other| one.file.cmp(&other.file));
        missing
    }

    /// The entry of a missing file; `None` if its draft is no registry's.
    fn missing(&self, file: &str, key: &str) -> Option<RegistryEntry> {
        let store = self.inner.store_handle.store().ok()?;
        let draft = draft_writer::find(&store, key).ok()??;
        tree::check(&draft.tree).ok()?;
        let registry = tree::registry(&draft.tree);
        let text = |key: &str| registry.get(key)?.as_str().filter(|text| !text.is_empty());
        let mut entry = unread_entry(file);
        if let Some(title) = text("title") {
            title.clone_into(&mut entry.title);
        }
        text("description")
            .unwrap_or_default()
            .clone_into(&mut entry.description);
        entry.modified = true;
        entry.missing = true;
        Some(entry)
    }
}
