//! The text of a registry that cannot be opened, edited until it can be: kept in the store while the
//! author writes, and saved only over the version of the file that the author has seen.

use std::path::Path;

use promptdeck_store::files::{self, Expected};
use promptdeck_store::{Hash, StoreError};

use crate::file_version::{self, Found};
use crate::studio::Studio;
use crate::wire::{DamagedSaved, DamagedText, Failure};
use crate::{ServiceError, snapshots};

impl Studio {
    /// The text of a registry's file, and what the author wrote in its place and did not save.
    ///
    /// # Errors
    /// If the file cannot be read or is not UTF-8.
    pub fn open_damaged(&self, file: &str) -> Result<DamagedText, ServiceError> {
        let path = self.inner.folder.file(file)?;
        let bytes = file_version::bytes(&path);
        let found = Found::of(bytes.as_deref());
        let bytes = match bytes {
            Err(_) if found == Found::Nothing => Vec::new(),
            bytes => bytes?,
        };
        let problem = file_version::parse(file, &bytes).err();
        let Ok(text) = String::from_utf8(bytes) else {
            // What is not UTF-8 does not parse.
            return Err(problem.unwrap_or_else(|| ServiceError::BadFile(file.to_owned())));
        };
        Ok(DamagedText {
            text,
            version: version(found),
            problem: problem.map(Failure::from),
            draft: self
                .inner
                .store_handle
                .damaged_draft(&snapshots::key(&path), self.inner.owner),
        })
    }

    /// Keeps a text that the author wrote from this version of the file, and says why it cannot be
    /// opened. The text of that version itself is no draft.
    ///
    /// # Errors
    /// If the store cannot be written.
    pub fn keep_damaged(
        &self,
        file: &str,
        text: String,
        version: String,
    ) -> Result<Option<Failure>, ServiceError> {
        let key = self.key(file)?;
        let problem = fault(file, &text);
        let is_saved = Hash::of(text.as_bytes()).to_string() == version;
        let version = (!is_saved).then_some(version);
        self.inner
            .store_handle
            .save_damaged_draft(&key, self.inner.owner, &text, version)?;
        Ok(problem)
    }

    /// Replaces the file by a text, provided that it holds this version. `replaces_other` says that
    /// another program wrote the version, of which a copy is kept beside the file.
    ///
    /// # Errors
    /// [`StoreError::ChangedOutside`] if the file holds another version, or if it cannot be written.
    pub fn save_damaged(
        &self,
        file: &str,
        text: &str,
        version: &str,
        replaces_other: bool,
    ) -> Result<DamagedSaved, ServiceError> {
        let path = self.inner.folder.file(file)?;
        let expected = expected(&path, version)?;
        let bytes = text.as_bytes();
        let (replaced, copy) = match replaces_other {
            true => files::replace_with_copy(&path, bytes, expected)?,
            false => (files::replace(&path, bytes, expected)?, None),
        };
        replaced.or_changed_outside(&path)?;
        let store_handle = &self.inner.store_handle;
        // The text is in the file: a draft that stays behind would only be restored once more.
        let key = snapshots::key(&path);
        let _ = store_handle.save_damaged_draft(&key, self.inner.owner, text, None);
        let name = copy.as_deref().and_then(Path::file_name);
        Ok(DamagedSaved {
            version: Hash::of(bytes).to_string(),
            problem: fault(file, text),
            kept: name.map(|name| name.to_string_lossy().into_owned()),
        })
    }
}

fn fault(file: &str, text: &str) -> Option<Failure> {
    let parsed = file_version::parse(file, text.as_bytes());
    parsed.err().map(Failure::from)
}

fn version(found: Found) -> String {
    match found {
        Found::Bytes(hash) => hash.to_string(),
        Found::Nothing | Found::Unreadable(_) => String::new(),
    }
}

/// The content that a file of this version has.
fn expected(path: &Path, known: &str) -> Result<Expected, ServiceError> {
    let bytes = file_version::bytes(path);
    let found = Found::of(bytes.as_deref());
    if version(found) != known {
        let path = path.to_owned();
        return Err(StoreError::ChangedOutside { path }.into());
    }
    match found {
        Found::Bytes(hash) => Ok(Expected::Content(hash)),
        Found::Nothing => Ok(Expected::Absent),
        Found::Unreadable(_) => Err(bytes.map(drop).err().unwrap_or_else(|| {
            ServiceError::Store(StoreError::ChangedOutside {
                path: path.to_owned(),
            })
        })),
    }
}
