//! Names hashed once: what every call looks up anew, in states and among the fields of items.

use std::hash::BuildHasher;

use foldhash::fast::FixedState;
use indexmap::map::raw_entry_v1::RawEntryApiV1;

use super::{Table, same::same};

/// How many bytes of a name stand beside its hash: most names are no longer, and are compared
/// without a look at their text, which takes a tenth off a call.
const BEGINNING: usize = 16;

/// A name with its hash.
#[derive(Clone, Debug)]
pub struct Name {
    text: Box<str>,
    hash: u64,
    /// The first bytes of the text; zeros after its end.
    beginning: [u8; BEGINNING],
}

impl Name {
    /// Hashes a name.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let mut beginning = [0; BEGINNING];
        for (kept, byte) in beginning.iter_mut().zip(text.bytes()) {
            *kept = byte;
        }
        Self {
            hash: FixedState::default().hash_one(text),
            text: text.into(),
            beginning,
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
            .from_hash(self.hash, |name| same(name, &self.text))
            .map(|(_, value)| value)
    }
}

impl PartialEq for Name {
    #[inline]
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
            && self.beginning == other.beginning
            && self.text.len() == other.text.len()
            && (self.text.len() <= BEGINNING || self.text == other.text)
    }
}

impl Eq for Name {}

#[cfg(test)]
mod tests {
    use super::Name;
    use crate::hydrate::Table;

    #[test]
    fn names_are_equal_when_their_texts_are() {
        let long = "a name longer than its beginning";
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
                let same = Name::new(name) == Name::new(other);
                assert_eq!(same, left == right, "{name:?} {other:?}");
            }
        }
        // Whatever their hashes: two texts may share one.
        let alike = |text: &str| Name {
            hash: 0,
            ..Name::new(text)
        };
        assert_ne!(alike("sixteen bytes it!"), alike("sixteen bytes it?"));
        assert_ne!(alike("a"), alike("a\0"));
        assert_ne!(alike("a"), alike("b"));
    }

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
