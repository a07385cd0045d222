//! A registry file as it was last read or written: its hash, its JSON, what it means.

use std::path::Path;

use promptdeck_core::registry::{self, Document, Parsed, Registry};
use promptdeck_store::files::{self, Expected, Replaced};
use promptdeck_store::{Hash, StoreError};
use serde_json::{Map, Value};

use crate::ServiceError;
use crate::working_copy::WorkingCopy;

/// Larger files are refused before they are read.
pub const LARGEST_FILE: u64 = 64 * 1024 * 1024;

/// How often saving compares again with a file that changes between comparison and replacement.
pub const SAVE_ATTEMPTS: usize = 8;

/// What a file held when it was last read or written.
#[derive(Debug, Clone)]
pub struct FileVersion {
    /// Hash of its bytes.
    pub hash: Hash,
    /// The author's registry object.
    pub registry: Map<String, Value>,
    /// The siblings of `registry`, when it is wrapped.
    pub wrapper: Option<Map<String, Value>>,
}

/// Reads and checks bytes that came from `file` (the name used in messages).
pub fn parse(file: &str, bytes: &[u8]) -> Result<Parsed, ServiceError> {
    registry::parse(bytes).map_err(|fault| ServiceError::Parse {
        file: file.to_owned(),
        fault,
    })
}

/// Reads a file's bytes.
pub fn bytes(path: &Path) -> Result<Vec<u8>, ServiceError> {
    Ok(files::read(path, LARGEST_FILE)?)
}

/// Replaces a document's file, provided that it is as it was last seen.
pub fn replace(copy: &WorkingCopy, bytes: &[u8]) -> Result<Replaced, ServiceError> {
    let expected = copy.seen().map_or(Expected::Absent, Expected::Content);
    Ok(files::replace(copy.path(), bytes, expected)?)
}

/// A file that was changed at each of [`SAVE_ATTEMPTS`].
pub fn keeps_changing(copy: &WorkingCopy) -> ServiceError {
    let path = copy.path().to_owned();
    ServiceError::Store(StoreError::ChangedOutside { path })
}

impl FileVersion {
    /// Takes over what was parsed from these bytes.
    #[must_use]
    pub fn of(bytes: &[u8], document: Document) -> Self {
        Self {
            hash: Hash::of(bytes),
            registry: document.registry,
            wrapper: document.wrapper,
        }
    }

    /// Reads a file.
    pub fn read(path: &Path, file: &str) -> Result<(Self, Registry), ServiceError> {
        let bytes = bytes(path)?;
        let parsed = parse(file, &bytes)?;
        Ok((Self::of(&bytes, parsed.document), parsed.registry))
    }
}
