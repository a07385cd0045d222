//! Where work on a document begins: a file, the draft found for it, or both when they disagree.

use std::path::Path;

use super::FileDocument;
use super::file_changes::FileContent;
use crate::drafts::Found;
use crate::file_version::FileVersion;
use crate::wire::DraftNote;
use crate::working_copy::{Compiled, Start, WorkingCopy};
use crate::{ServiceError, diff, tree};

/// A document over a file and the draft found for it.
pub(super) fn begin<T: FileDocument>(
    document: &str,
    path: &Path,
    found: Option<Found>,
) -> Result<(T, Option<DraftNote>), ServiceError> {
    let open = |disk, tree| {
        let copy = WorkingCopy::new(Start {
            document: document.to_owned(),
            path: path.to_owned(),
            disk,
            tree,
            modified: false,
        })?;
        Ok::<T, ServiceError>(T::new(copy))
    };
    let file = FileContent::read::<T>(path, document);
    let Some(found) = found else {
        let disk = file.read?;
        let tree = T::tree(&disk)?;
        return Ok((open(disk, tree)?, None));
    };
    if !found.modified {
        // Only what is not saved in the file was drafted: it goes on over what the file holds now.
        let disk = file.read?;
        let tree = T::tree_with_draft(&disk, found.tree);
        let opened = match open(disk.clone(), tree) {
            Ok(opened) => opened,
            Err(_) => {
                let tree = T::tree(&disk)?;
                open(disk, tree)?
            }
        };
        return Ok((opened, None));
    }
    let note = DraftNote {
        saved_at: found.saved_at,
    };
    let opened: T = with_unsaved(document, path, found, file)?;
    // The file may hold by now what the draft does.
    let note = opened.copy().modified().then_some(note);
    Ok((opened, note))
}

/// A document over a draft with unsaved edits, whatever became of its file meanwhile.
fn with_unsaved<T: FileDocument>(
    document: &str,
    path: &Path,
    found: Found,
    file: FileContent,
) -> Result<T, ServiceError> {
    let drafted = tree::object_at(&found.tree, T::Compiled::FILE_PATH);
    let alike = |disk: &FileVersion| diff::tree::alike_maps(drafted, &disk.registry);
    let same = file
        .read
        .as_ref()
        .is_ok_and(|disk| disk.hash == found.base || alike(disk));
    let modified = !file.read.as_ref().is_ok_and(alike);
    let disk = match &file.read {
        Ok(disk) => disk.clone(),
        // The file is gone or broken: what the draft holds stands for it until it is saved.
        Err(_) => FileVersion {
            hash: found.base,
            registry: drafted.clone(),
            wrapper: None,
        },
    };
    let mut copy = WorkingCopy::new(Start {
        document: document.to_owned(),
        path: path.to_owned(),
        disk,
        tree: found.tree,
        modified,
    })?;
    if !same {
        copy.forget_base();
        copy.set_pending(Some(file.into_pending()));
    }
    Ok(T::new(copy))
}
