//! Sets of characters as tables of ranges, for the matcher.

use regex_syntax::hir::{Class as HirClass, HirKind};

/// A set of characters.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Class {
    /// One bit for each ASCII character.
    ascii: u128,
    /// Those beyond, inclusive, in order.
    beyond: Vec<(char, char)>,
}

impl Class {
    /// The set written as `text` in the syntax of the `regex` crate.
    pub fn of(text: &str) -> Self {
        let mut class = Self::default();
        match regex_syntax::parse(text).map(regex_syntax::hir::Hir::into_kind) {
            Ok(HirKind::Class(HirClass::Unicode(found))) => {
                for range in found.iter() {
                    class.add(range.start(), range.end());
                }
            }
            Ok(HirKind::Class(HirClass::Bytes(found))) => {
                for range in found.iter() {
                    class.add(char::from(range.start()), char::from(range.end()));
                }
            }
            Ok(HirKind::Literal(literal)) => {
                for one in String::from_utf8_lossy(&literal.0).chars() {
                    class.add(one, one);
                }
            }
            _ => {}
        }
        class
    }

    fn add(&mut self, low: char, high: char) {
        for code in u32::from(low)..=u32::from(high).min(0x7F) {
            self.ascii |= 1 << code;
        }
        if high > '\u{7F}' {
            self.beyond.push((low.max('\u{80}'), high));
        }
    }

    /// Whether it holds a character.
    #[inline]
    pub fn holds(&self, character: char) -> bool {
        if character.is_ascii() {
            return (self.ascii >> u32::from(character)) & 1 == 1;
        }
        let after = self.beyond.partition_point(|(low, _)| *low <= character);
        after > 0 && self.beyond[after - 1].1 >= character
    }

    /// Adds the first bytes of its characters to `bytes`.
    pub fn first_bytes(&self, bytes: &mut [bool; 256]) {
        for (code, byte) in bytes[..128].iter_mut().enumerate() {
            *byte |= (self.ascii >> code) & 1 == 1;
        }
        if !self.beyond.is_empty() {
            bytes[0x80..].fill(true);
        }
    }
}
