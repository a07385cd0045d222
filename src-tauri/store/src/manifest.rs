//! The manifest: a small text file beside the store (`store.sqlite.manifest`) that describes the
//! expected content. It is separate from the pages that can be damaged.
//!
//! It is written after a transaction is durable, under the lock, and is not synced. It is therefore
//! never ahead of the store: a manifest that counts more than the store means that the store lost
//! data. It may be behind after a kill or a power failure.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::list_checksums::Entry;
use crate::store::sibling_path;

const TITLE: &str = "promptdeck store manifest 1";

/// Expected content of a store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Manifest {
    pub(crate) schema: i64,
    pub(crate) page_size: usize,
    /// Root page of each table.
    pub(crate) roots: Vec<(String, u32)>,
    /// Expected state of each list.
    pub(crate) lists: Vec<Entry>,
}

pub(crate) fn path_of(store: &Path) -> PathBuf {
    sibling_path(store, "manifest")
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    for (place, byte) in bytes.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&text[place * 2..place * 2 + 2], 16).ok()?;
    }
    Some(bytes)
}

impl Manifest {
    /// Reads the manifest of a store; `None` if it is missing or damaged.
    pub(crate) fn read(store: &Path) -> Option<Self> {
        Self::parse(&fs::read_to_string(path_of(store)).ok()?)
    }

    fn parse(text: &str) -> Option<Self> {
        let (body, checksum) = text.trim_end().rsplit_once("\nchecksum ")?;
        if hex(&Sha256::digest(body)) != checksum {
            return None;
        }
        let mut manifest = Self::default();
        let mut lines = body.lines();
        if lines.next()? != TITLE {
            return None;
        }
        for line in lines {
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["schema", schema] => manifest.schema = schema.parse().ok()?,
                ["page_size", size] => manifest.page_size = size.parse().ok()?,
                ["table", name, root] => {
                    manifest.roots.push((name.to_owned(), root.parse().ok()?));
                }
                ["list", name, revision, count, checksum] => manifest.lists.push(Entry {
                    name: name.to_owned(),
                    revision: revision.parse().ok()?,
                    count: count.parse().ok()?,
                    checksum: unhex(checksum)?,
                }),
                // Ignore lines of a newer Promptdeck.
                _ => {}
            }
        }
        (512..=65536)
            .contains(&manifest.page_size)
            .then_some(manifest)
    }

    fn text(&self) -> String {
        let mut body = format!(
            "{TITLE}\nschema {}\npage_size {}",
            self.schema, self.page_size
        );
        for (name, root) in &self.roots {
            body.push_str(&format!("\ntable {name} {root}"));
        }
        for entry in &self.lists {
            body.push_str(&format!(
                "\nlist {} {} {} {}",
                entry.name,
                entry.revision,
                entry.count,
                hex(&entry.checksum)
            ));
        }
        let checksum = hex(&Sha256::digest(&body));
        format!("{body}\nchecksum {checksum}\n")
    }

    /// Replaces the manifest of a store. On failure the old one stays, which is allowed to be
    /// behind.
    pub(crate) fn write(&self, store: &Path) {
        let part = sibling_path(store, "manifest-part");
        let written =
            fs::write(&part, self.text()).and_then(|()| fs::rename(&part, path_of(store)));
        if written.is_err() {
            let _ = fs::remove_file(&part);
        }
    }

    pub(crate) fn list(&self, name: &str) -> Option<&Entry> {
        self.lists.iter().find(|entry| entry.name == name)
    }

    /// Number of rows in all lists.
    pub(crate) fn rows(&self) -> i64 {
        self.lists.iter().map(|entry| entry.count).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_manifest_is_read_as_it_was_written_or_not_at_all() {
        let manifest = Manifest {
            schema: 4,
            page_size: 4096,
            roots: vec![("snapshots".to_owned(), 5)],
            lists: vec![Entry {
                name: "snapshots".to_owned(),
                revision: 7,
                count: 3,
                checksum: [9; 32],
            }],
        };
        let text = manifest.text();
        assert_eq!(Manifest::parse(&text), Some(manifest));
        for place in 0..text.len() - 1 {
            let mut bytes = text.clone().into_bytes();
            bytes[place] ^= 1;
            let damaged = String::from_utf8_lossy(&bytes).into_owned();
            assert_eq!(Manifest::parse(&damaged), None, "byte {place}");
        }
    }
}
