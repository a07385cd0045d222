//! The version of a document's file that was last read or written: its hash and its JSON.

use std::io::ErrorKind;
use std::path::Path;

use promptdeck_core::registry::{self, Parsed, SourceMap};
use promptdeck_store::{Hash, StoreError, files};
use serde_json::{Map, Value};

use crate::ServiceError;

/// The largest file that is read, in bytes.
pub const LARGEST_FILE: u64 = 64 * 1024 * 1024;

/// The hash used for a missing file: that of a text which no document has.
#[must_use]
pub fn absent_hash() -> Hash {
    Hash::of(b"\0no file")
}

/// Whether a file could not be read because it does not exist.
#[must_use]
pub fn is_missing(fault: &ServiceError) -> bool {
    matches!(
        fault,
        ServiceError::Store(StoreError::File { source, .. }) if source.kind() == ErrorKind::NotFound
    )
}

/// One version of a file.
#[derive(Debug, Clone)]
pub struct FileVersion {
    /// Hash of its bytes.
    pub hash: Hash,
    /// The author's object: a registry without its wrapper, or a call document.
    pub content: Map<String, Value>,
    /// The siblings of `registry`, if it is wrapped.
    pub wrapper: Option<Map<String, Value>>,
    /// The positions of its values in the file; `None` for call documents and for a version without
    /// a file.
    pub source_map: Option<SourceMap>,
}

/// Parses and checks the bytes of `file` (the name used in messages).
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

impl FileVersion {
    /// The version of a file that does not exist yet. No file has its hash.
    #[must_use]
    pub fn absent(content: Map<String, Value>) -> Self {
        Self {
            hash: absent_hash(),
            content,
            wrapper: None,
            source_map: None,
        }
    }

    /// Creates a version from a document already parsed from these bytes.
    #[must_use]
    pub fn of(bytes: &[u8], parsed: Parsed) -> Self {
        Self {
            hash: Hash::of(bytes),
            content: parsed.document.registry,
            wrapper: parsed.document.wrapper,
            source_map: Some(parsed.source_map),
        }
    }
}
