//! Sets of characters by Unicode property, from the tables that the pattern engine uses.

use std::sync::LazyLock;

use regex_syntax::hir::{Class, HirKind};

/// A set of characters as sorted ranges, both ends included.
pub(crate) struct CharSet(Box<[(char, char)]>);

/// Control, format, private and unassigned characters, and all separators: `repr` escapes them.
pub(crate) static HIDDEN: LazyLock<CharSet> = LazyLock::new(|| CharSet::new(r"[\p{C}\p{Z}]"));
/// Decimal digits of all scripts.
pub(crate) static DECIMAL: LazyLock<CharSet> = LazyLock::new(|| CharSet::new(r"\p{Nd}"));
/// Characters that an identifier may begin with, apart from the underscore.
pub(crate) static XID_START: LazyLock<CharSet> = LazyLock::new(|| CharSet::new(r"\p{XID_Start}"));
/// Characters that an identifier may go on with.
pub(crate) static XID_CONTINUE: LazyLock<CharSet> =
    LazyLock::new(|| CharSet::new(r"\p{XID_Continue}"));

impl CharSet {
    /// The set that a class of `regex` denotes. Only called with constants, all of them tested.
    fn new(class: &str) -> Self {
        let parsed = regex_syntax::parse(class).map(regex_syntax::hir::Hir::into_kind);
        match parsed {
            Ok(HirKind::Class(Class::Unicode(class))) => {
                let ranges = class.ranges().iter();
                Self(ranges.map(|range| (range.start(), range.end())).collect())
            }
            _ => Self(Box::default()),
        }
    }

    pub(crate) fn contains(&self, character: char) -> bool {
        self.range_of(character).is_some()
    }

    /// The range of the set that `character` is in.
    pub(crate) fn range_of(&self, character: char) -> Option<(char, char)> {
        let after = self.0.partition_point(|range| range.0 <= character);
        let range = self.0[..after].last()?;
        (character <= range.1).then_some(*range)
    }
}
