//! A checksum over the fields of a row, which detects flipped bits.

use sha2::{Digest, Sha256};

/// Hashes the fields of a row, each with its length, so that different rows never have the same
/// input.
pub(crate) struct RowChecksum(Sha256);

impl RowChecksum {
    pub(crate) fn of(table: &str) -> Self {
        Self(Sha256::new()).text(table)
    }

    pub(crate) fn bytes(mut self, field: &[u8]) -> Self {
        self.0.update((field.len() as u64).to_le_bytes());
        self.0.update(field);
        self
    }

    pub(crate) fn text(self, field: &str) -> Self {
        self.bytes(field.as_bytes())
    }

    pub(crate) fn optional(self, field: Option<&str>) -> Self {
        match field {
            Some(field) => self.bytes(b"some").text(field),
            None => self.bytes(b"none"),
        }
    }

    pub(crate) fn number(self, field: i64) -> Self {
        self.bytes(&field.to_le_bytes())
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.0.finalize().to_vec()
    }
}
