//! Where work on a document begins: a file, the draft found for it, or both when they disagree.

use std::path::Path;

use super::FileDocument;
use super::file_changes::FileContent;
use crate::drafts::StoredDraft;
use crate::file_version::FileVersion;
use crate::wire::DraftNote;
use crate::working_copy::{Compiled, Start, WorkingCopy};
use crate::{ServiceError, diff, tree};

/// A document over a file and the draft found for it.
pub(super) fn begin<T: FileDocument>(
    document: &str,
    path: &Path,
    draft: Option<StoredDraft>,
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
    let Some(draft) = draft else {
        let disk = file.read?;
        let tree = T::tree(&disk)?;
        return Ok((open(disk, tree)?, None));
    };
    if !draft.modified {
        // Only what is not saved in the file was drafted: it goes on over what the file holds now.
        let disk = file.read?;
        let tree = T::tree_with_draft(&disk, draft.tree);
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
        saved_at: draft.saved_at,
    };
    let opened: T = with_unsaved(document, path, draft, file)?;
    // The file may hold by now what the draft does.
    let note = opened.copy().modified().then_some(note);
    Ok((opened, note))
}

/// A document over a draft with unsaved edits, whatever became of its file meanwhile.
fn with_unsaved<T: FileDocument>(
    document: &str,
    path: &Path,
    draft: StoredDraft,
    file: FileContent,
) -> Result<T, ServiceError> {
    let content = tree::object_at(&draft.tree, T::Compiled::FILE_PATH);
    let alike = |disk: &FileVersion| diff::tree::alike_maps(content, &disk.content);
    let same = file
        .read
        .as_ref()
        .is_ok_and(|disk| disk.hash == draft.base || alike(disk));
    let modified = !file.read.as_ref().is_ok_and(alike);
    let disk = match &file.read {
        Ok(disk) => disk.clone(),
        // The file is gone or broken: what the draft holds stands for it until it is saved.
        Err(_) => FileVersion {
            hash: draft.base,
            content: content.clone(),
            wrapper: None,
            source_map: None,
        },
    };
    let mut copy = WorkingCopy::new(Start {
        document: document.to_owned(),
        path: path.to_owned(),
        disk,
        tree: draft.tree,
        modified,
    })?;
    if !same {
        copy.forget_base();
        copy.set_pending(Some(file.into_pending()));
    }
    Ok(T::new(copy))
}
