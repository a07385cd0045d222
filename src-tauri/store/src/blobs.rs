//! Table `contents`: byte strings addressed by their SHA-256. Rows with equal bytes share one
//! entry.

use std::fmt;

use rusqlite::{Connection, OptionalExtension, params};
use sha2::{Digest, Sha256};

use crate::{Store, StoreError};

/// SHA-256 of some bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Hash([u8; 32]);

impl Hash {
    /// Hashes `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    pub(crate) fn from_slice(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Stores bytes inside the caller's transaction, unless an entry with their hash exists.
pub(crate) fn put(conn: &Connection, bytes: &[u8]) -> Result<Hash, StoreError> {
    let hash = Hash::of(bytes);
    let known = conn
        .prepare_cached("SELECT 1 FROM contents WHERE hash = ?1")?
        .exists(params![hash.as_bytes()])?;
    if !known {
        conn.prepare_cached("INSERT INTO contents (hash, bytes) VALUES (?1, ?2)")?
            .execute(params![hash.as_bytes(), bytes])?;
    }
    Ok(hash)
}

/// Reads the bytes stored under a hash and verifies them.
pub(crate) fn get(conn: &Connection, hash: &Hash) -> Result<Vec<u8>, StoreError> {
    let bytes: Option<Vec<u8>> = conn
        .prepare_cached("SELECT bytes FROM contents WHERE hash = ?1")?
        .query_row(params![hash.as_bytes()], |row| row.get(0))
        .optional()?;
    match bytes {
        Some(bytes) if Hash::of(&bytes) == *hash => Ok(bytes),
        Some(_) => Err(StoreError::damaged(format!("content {hash}"))),
        None => Err(StoreError::damaged(format!(
            "content {hash}, which is gone,"
        ))),
    }
}

impl Store {
    /// Reads the bytes stored under a hash and verifies them.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] if the entry is missing or does not match its hash; otherwise as any
    /// read of the store.
    pub fn content(&self, hash: &Hash) -> Result<Vec<u8>, StoreError> {
        self.read(|conn| get(conn, hash))
    }

    /// How many bytes are stored under a hash, without reading them; 0 if there are none.
    ///
    /// # Errors
    /// If the store cannot be read.
    pub fn content_size(&self, hash: &Hash) -> Result<usize, StoreError> {
        self.read(|conn| {
            let size: Option<i64> = conn
                .prepare_cached("SELECT length(bytes) FROM contents WHERE hash = ?1")?
                .query_row(params![hash.as_bytes()], |row| row.get(0))
                .optional()?;
            Ok(size
                .and_then(|size| usize::try_from(size).ok())
                .unwrap_or(0))
        })
    }
}
