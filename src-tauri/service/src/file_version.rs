//! A document's file as it was last read or written: its hash and its JSON.

use std::path::Path;

use promptdeck_core::registry::{self, Parsed, SourceMap};
use promptdeck_store::{Hash, files};
use serde_json::{Map, Value};

use crate::ServiceError;

/// Larger files are refused before they are read.
pub const LARGEST_FILE: u64 = 64 * 1024 * 1024;

/// What a file held when it was last read or written.
#[derive(Debug, Clone)]
pub struct FileVersion {
    /// Hash of its bytes.
    pub hash: Hash,
    /// The author's object: a registry without its wrapper, or a call document.
    pub content: Map<String, Value>,
    /// The siblings of `registry`, when it is wrapped.
    pub wrapper: Option<Map<String, Value>>,
    /// The positions of its values in the file as it was read; none for what the window wrote, and
    /// for call documents.
    pub source_map: Option<SourceMap>,
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

impl FileVersion {
    /// Takes over what was parsed from these bytes.
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
