//! Names hashed once: what every call looks up anew, in states and among the fields of items.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use indexmap::map::raw_entry_v1::RawEntryApiV1;

use super::Table;

/// A name with its hash.
#[derive(Clone, Debug)]
pub struct Name {
    text: Box<str>,
    hash: u64,
}

impl Name {
    /// Hashes a name.
    #[must_use]
    pub fn new(text: &str) -> Self {
        Self {
            hash: FixedState::default().hash_one(text),
            text: text.into(),
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
            .from_key_hashed_nocheck(self.hash, self.text())
            .map(|(_, value)| value)
    }
}

impl PartialEq for Name {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash && self.text == other.text
    }
}

impl Eq for Name {}

#[cfg(test)]
mod tests {
    use super::Name;
    use crate::hydrate::Table;

    #[test]
    fn a_name_finds_what_its_text_finds() {
        let mut table = Table::default();
        assert_eq!(Name::new("a").lookup(&table), None);
        for name in ["", "a", "personas", "base_context::venue", "é"] {
            table.insert(name.to_owned(), name.len());
        }
        for name in ["", "a", "personas", "base_context::venue", "é", "b", "A"] {
            assert_eq!(Name::new(name).lookup(&table), table.get(name), "{name}");
        }
    }
}
