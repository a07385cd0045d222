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
fn absent_hash() -> Hash {
    Hash::of(b"\0no file")
}

/// What was found where a document's file is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// Nothing.
    Nothing,
    /// A file whose bytes have this hash.
    Bytes(Hash),
    /// Something whose bytes cannot be read, such as a folder or a file of another user.
    Unreadable(ErrorKind),
}

impl Found {
    /// What is found while the file holds the version with this hash.
    #[must_use]
    pub fn version(hash: Hash) -> Self {
        if hash == absent_hash() {
            Self::Nothing
        } else {
            Self::Bytes(hash)
        }
    }

    /// What was read, or why nothing was.
    #[must_use]
    pub fn of(bytes: Result<&[u8], &ServiceError>) -> Self {
        match bytes {
            Ok(bytes) => Self::Bytes(Hash::of(bytes)),
            Err(ServiceError::Store(StoreError::File { source, .. })) => match source.kind() {
                ErrorKind::NotFound => Self::Nothing,
                kind => Self::Unreadable(kind),
            },
            Err(ServiceError::Store(StoreError::TooLarge { .. })) => {
                Self::Unreadable(ErrorKind::FileTooLarge)
            }
            Err(_) => Self::Unreadable(ErrorKind::Other),
        }
    }
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

    /// What is found at the file's place while it holds this version.
    #[must_use]
    pub fn found(&self) -> Found {
        Found::version(self.hash)
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
