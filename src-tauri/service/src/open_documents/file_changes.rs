//! Outside changes of files: loaded into an unmodified document, a conflict for a modified one.

use std::path::Path;
use std::sync::Mutex;

use super::{FileDocument, OpenDocuments, lock};
use crate::conflict::Pending;
use crate::file_version::{self, FileVersion, Found};
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
        let FileContent { found, read } = content;
        let document = open.copy().document().to_owned();
        let is_base = found == open.copy().base_found();
        if is_base && open.copy().is_base_read() {
            open.copy_mut().end_conflict();
            self.emit(Event::ConflictOver { document });
            return;
        }
        let was_pending = open.copy().pending().is_some();
        let read = match read {
            Ok(disk) if !open.copy().modified() || open.copy().equals(&disk) => {
                match open.change(|copy| copy.reload(disk)) {
                    Ok(change) => {
                        self.drafts.start_over(&snapshots::key(open.copy().path()));
                        self.on_load.drafting.touch(&document);
                        self.on_load.analysis.touch(&document);
                        if was_pending {
                            self.emit(Event::ConflictOver { document });
                        }
                        self.emit(T::reloaded(change));
                        return;
                    }
                    Err(fault) => Err(fault),
                }
            }
            Ok(disk) if is_base => {
                open.copy_mut().return_to_base(disk);
                self.emit(Event::ConflictOver { document });
                return;
            }
            read => read,
        };
        let pending = FileContent { found, read }.into_pending();
        open.copy_mut().set_pending(pending);
        if let Some(conflict) = open.conflict() {
            self.emit(Event::Conflicted { document, conflict });
        }
    }
}

/// The content of a file.
pub(super) struct FileContent {
    /// What was found in its place.
    pub(super) found: Found,
    pub(super) read: Result<FileVersion, ServiceError>,
}

impl FileContent {
    /// Reads a file.
    pub(super) fn read<T: FileDocument>(path: &Path, document: &str) -> Self {
        let bytes = file_version::bytes(path);
        let found = Found::of(bytes.as_deref());
        Self::parse::<T>(document, found, bytes)
    }

    fn parse<T: FileDocument>(
        document: &str,
        found: Found,
        bytes: Result<Vec<u8>, ServiceError>,
    ) -> Self {
        let read = match (bytes, T::absent()) {
            (Ok(bytes), _) => T::parse(document, &bytes),
            (Err(_), Some(content)) if found == Found::Nothing => Ok(FileVersion::absent(content)),
            (Err(fault), _) => Err(fault),
        };
        Self { found, read }
    }

    /// Reads a file; `None` if it is unchanged since the last comparison.
    fn read_changed<T: FileDocument>(path: &Path, document: &str, seen: Found) -> Option<Self> {
        let bytes = file_version::bytes(path);
        let found = Found::of(bytes.as_deref());
        (found != seen).then(|| Self::parse::<T>(document, found, bytes))
    }

    /// The version of the file in conflict with the document.
    pub(super) fn into_pending(self) -> Pending {
        let (disk, problem) = match self.read {
            Ok(disk) => (Some(disk), None),
            Err(fault) => (None, Some(fault.into())),
        };
        Pending {
            disk,
            found: self.found,
            problem,
            seen_at: clock::now(),
        }
    }
}
