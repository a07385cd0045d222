//! Keys hashed once, for the lookups that every call repeats in states and among the fields of items.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use indexmap::map::raw_entry_v1::RawEntryApiV1;

use super::{Table, short_eq::short_eq};

/// How many bytes of a name are stored beside its hash. Most names are no longer and are compared
/// without reading their text, which makes a call a tenth faster.
const PREFIX_LEN: usize = 16;

/// A name with its hash.
#[derive(Clone, Debug)]
pub struct HashedKey {
    text: Box<str>,
    hash: u64,
    /// The first bytes of the text; zeros after its end.
    prefix: [u8; PREFIX_LEN],
}

impl HashedKey {
    /// Hashes a name.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut prefix = [0; PREFIX_LEN];
        for (slot, byte) in prefix.iter_mut().zip(text.bytes()) {
            *slot = byte;
        }
        Self {
            hash: FixedState::default().hash_one(text),
            text: text.into(),
            prefix,
        }
    }

    /// The name itself.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What a table has under this name.
    #[must_use]
    #[inline]
    pub fn lookup<'t, V>(&self, table: &'t Table<V>) -> Option<&'t V> {
        if table.is_empty() {
            return None;
        }
        table
            .raw_entry_v1()
            .from_hash(self.hash, |name| short_eq(name, &self.text))
            .map(|(_, value)| value)
    }
}

impl PartialEq for HashedKey {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
            && self.prefix == other.prefix
            && self.text.len() == other.text.len()
            && (self.text.len() <= PREFIX_LEN || self.text == other.text)
    }
}

impl Eq for HashedKey {}

#[cfg(test)]
mod tests {
    use super::HashedKey;
    use crate::hydrate::Table;

    #[test]
    fn names_are_equal_when_their_texts_are() {
        let long = "a name longer than its prefix";
        let names = [
            "",
            "a",
            "a\0",
            "ab",
            "sixteen bytes it",
            "sixteen bytes it!",
            long,
        ];
        for (left, name) in names.iter().enumerate() {
            for (right, other) in names.iter().enumerate() {
                let equal = HashedKey::new(name) == HashedKey::new(other);
                assert_eq!(equal, left == right, "{name:?} {other:?}");
            }
        }
        // Whatever their hashes: two texts may share one.
        let colliding = |text: &str| HashedKey {
            hash: 0,
            ..HashedKey::new(text)
        };
        assert_ne!(
            colliding("sixteen bytes it!"),
            colliding("sixteen bytes it?")
        );
        assert_ne!(colliding("a"), colliding("a\0"));
        assert_ne!(colliding("a"), colliding("b"));
    }

    #[test]
    fn a_name_finds_what_its_text_finds() {
        let mut table = Table::default();
        assert_eq!(HashedKey::new("a").lookup(&table), None);
        for name in ["", "a", "personas", "base_context::venue", "é"] {
            table.insert(name.to_owned(), name.len());
        }
        for name in ["", "a", "personas", "base_context::venue", "é", "b", "A"] {
            assert_eq!(
                HashedKey::new(name).lookup(&table),
                table.get(name),
                "{name}"
            );
        }
    }
}
