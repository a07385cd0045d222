//! Outside changes of files: loaded into an unmodified document, a conflict for a modified one.

use std::path::Path;
use std::sync::Mutex;

use promptdeck_store::Hash;

use super::{FileDocument, OpenDocuments, lock};
use crate::conflict::Pending;
use crate::file_version::{self, FileVersion};
use crate::wire::Event;
use crate::{ServiceError, clock, snapshots};

impl<T: FileDocument> OpenDocuments<T> {
    /// Compares every open document with its file.
    pub(crate) fn look_at_files(&self) {
        for (document, open) in self.all() {
            self.look_at(&document, &open);
        }
    }

    /// Compares one open document with its file.
    pub(super) fn look_at(&self, document: &str, open: &Mutex<T>) {
        // The file is read without the document's lock. If the document was saved or compared in
        // the meantime, the bytes may be older than that, so the file is read again.
        loop {
            let (path, known) = {
                let open = lock(open);
                (open.copy().path().to_owned(), open.copy().seen())
            };
            let Some(content) = FileContent::read_changed::<T>(&path, document, known) else {
                break;
            };
            let mut open = lock(open);
            // What was read may be the place of a file that has another name by now.
            if open.copy().seen() == known && open.copy().path() == path {
                self.take_over(&mut open, content);
                break;
            }
        }
    }

    /// Compares a document with its file, then reloads it or records a conflict.
    pub(super) fn compare_with_file(&self, open: &mut T) {
        let copy = open.copy();
        let content = FileContent::read_changed::<T>(copy.path(), copy.document(), copy.seen());
        if let Some(content) = content {
            self.take_over(open, content);
        }
    }

    fn take_over(&self, open: &mut T, content: FileContent) {
        let FileContent { hash, read } = content;
        let document = open.copy().document().to_owned();
        if hash == Some(open.copy().disk().hash) {
            open.copy_mut().set_pending(None);
            self.emit(Event::ConflictOver { document });
            return;
        }
        let read = match read {
            Ok(disk) if !open.copy().modified() || open.copy().equals(&disk) => {
                match open.change(|copy| copy.reload(disk)) {
                    Ok(change) => {
                        self.drafts.start_over(&snapshots::key(open.copy().path()));
                        self.emit(T::reloaded(change));
                        return;
                    }
                    Err(fault) => Err(fault),
                }
            }
            read => read,
        };
        let pending = FileContent { hash, read }.into_pending();
        open.copy_mut().set_pending(Some(pending));
        if let Some(conflict) = open.conflict() {
            self.emit(Event::Conflicted { document, conflict });
        }
    }
}

/// The content of a file.
pub(super) struct FileContent {
    /// Hash of its bytes; `None` if it does not exist.
    pub(super) hash: Option<Hash>,
    pub(super) read: Result<FileVersion, ServiceError>,
}

impl FileContent {
    /// Reads a file.
    pub(super) fn read<T: FileDocument>(path: &Path, document: &str) -> Self {
        match file_version::bytes(path) {
            Err(fault) if file_version::is_missing(&fault) && T::absent().is_some() => {
                Self::absent::<T>()
            }
            Ok(bytes) => {
                let read = T::parse(document, &bytes);
                let hash = match &read {
                    Ok(disk) => disk.hash,
                    Err(_) => Hash::of(&bytes),
                };
                Self {
                    hash: Some(hash),
                    read,
                }
            }
            Err(fault) => Self {
                hash: None,
                read: Err(fault),
            },
        }
    }

    /// The content used for a missing file, if the document kind allows that.
    fn absent<T: FileDocument>() -> Self {
        let disk = FileVersion::absent(T::absent().unwrap_or_default());
        Self {
            hash: Some(disk.hash),
            read: Ok(disk),
        }
    }

    /// Reads a file; `None` if it is unchanged since the last comparison.
    fn read_changed<T: FileDocument>(
        path: &Path,
        document: &str,
        seen: Option<Hash>,
    ) -> Option<Self> {
        let bytes = file_version::bytes(path);
        if T::absent().is_some() && bytes.as_ref().is_err_and(file_version::is_missing) {
            return (seen != Some(file_version::absent_hash())).then(Self::absent::<T>);
        }
        let hash = bytes.as_ref().ok().map(|bytes| Hash::of(bytes));
        (hash != seen).then(|| Self {
            hash,
            read: bytes.and_then(|bytes| T::parse(document, &bytes)),
        })
    }

    /// The version of the file in conflict with the document.
    pub(super) fn into_pending(self) -> Pending {
        let (disk, problem) = match self.read {
            Ok(disk) => (Some(disk), None),
            Err(fault) => (None, Some(fault.into())),
        };
        Pending {
            disk,
            hash: self.hash,
            problem,
            seen_at: clock::now(),
        }
    }
}
