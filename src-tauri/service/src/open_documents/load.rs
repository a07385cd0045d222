//! The initial content of a document: its file, its draft, or a conflict of the two.

use std::path::Path;

use promptdeck_store::Hash;

use super::FileDocument;
use super::file_changes::FileContent;
use crate::draft_writer::StoredDraft;
use crate::file_version::FileVersion;
use crate::wire::DraftNote;
use crate::working_copy::{Compiled, OlderBase, Start, WorkingCopy};
use crate::{ServiceError, diff, tree};

/// The initial content from a file and its draft. `stored` reads the version of the file that the draft is
/// based on, if it is stored.
pub(super) fn begin<T: FileDocument>(
    document: &str,
    path: &Path,
    draft: Option<StoredDraft>,
    stored: impl Fn(&Hash) -> Option<Vec<u8>>,
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
    let note = DraftNote {
        saved_at: draft.saved_at,
        other_window: None,
        incomplete: draft.incomplete,
    };
    if !draft.modified {
        // The draft holds only what no file stores (the selection, say): it is combined with the
        // file's current content.
        let disk = file.read?;
        let tree = T::tree_with_draft(&disk, draft.tree);
        let opened = match open(disk.clone(), tree) {
            Ok(opened) => opened,
            Err(_) => {
                let tree = T::tree(&disk)?;
                open(disk, tree)?
            }
        };
        return Ok((opened, note.incomplete.then_some(note)));
    }
    let opened: T = with_unsaved(document, path, draft, file, stored)?;
    // The file may have the draft's content by now.
    let has_note = note.incomplete || opened.copy().modified();
    Ok((opened, has_note.then_some(note)))
}

/// The initial content from a draft with unsaved edits, whether or not its file still exists.
fn with_unsaved<T: FileDocument>(
    document: &str,
    path: &Path,
    draft: StoredDraft,
    file: FileContent,
    stored: impl Fn(&Hash) -> Option<Vec<u8>>,
) -> Result<T, ServiceError> {
    let content = tree::object_at(&draft.tree, T::Compiled::FILE_PATH);
    let alike = |disk: &FileVersion| diff::tree::alike_maps(content, &disk.content);
    let same = file
        .read
        .as_ref()
        .is_ok_and(|disk| disk.hash == draft.base || alike(disk));
    let modified = !file.read.as_ref().is_ok_and(alike);
    let StoredDraft {
        base, only_follows, ..
    } = draft;
    let disk = match &file.read {
        Ok(disk) => disk.clone(),
        // The file is missing or invalid: the draft's content takes its place until the next save.
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
    if same && only_follows {
        copy.restore_follow();
    } else if same && modified {
        copy.restore_draft()?;
    }
    if !same {
        let content = stored(&base).and_then(|bytes| T::parse(document, &bytes).ok());
        copy.set_older_base(OlderBase {
            hash: base,
            content: content.map(|version| version.content),
        });
        copy.set_pending(file.into_pending());
    }
    Ok(T::new(copy))
}
