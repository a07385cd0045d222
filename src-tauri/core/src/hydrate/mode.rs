//! Array modes: which entries of an array field a call renders.

use std::fmt;

use promptdeck_python::{number::saturating_int, text::strip};
use serde::Serialize;

/// Which entries of an array are rendered. Indices count from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Every entry.
    #[default]
    All,
    /// No entry: the token drops.
    None,
    /// One entry.
    Index(i64),
    /// The entries listed, in that order.
    Indices(Vec<i64>),
    /// That many distinct entries in shuffled order; all when there are fewer.
    Random(u64),
}

/// How the text of a mode departs from the grammar; it still acts as something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ModeFault {
    /// No known mode: acts as `all`.
    Unknown,
    /// `index:` without a number: acts as `index:0`.
    IndexNotNumeric,
    /// An entry of `indices:` that is no number: left out.
    EntryNotNumeric,
    /// `random:` without a number above 0: acts as `random:1`.
    CountNotPositive,
}

impl ModeFault {
    /// The effect of the fault, for a message.
    #[must_use]
    pub fn consequence(self) -> &'static str {
        match self {
            Self::Unknown => {
                "is not a mode (all, none, index:N, indices:I,J or random:K); all is used"
            }
            Self::IndexNotNumeric => "has no number after index:, so index:0 is used",
            Self::EntryNotNumeric => "contains an index that is not a number, which is ignored",
            Self::CountNotPositive => "has no number above 0 after random:, so random:1 is used",
        }
    }
}

impl Mode {
    /// Parses a mode; malformed text has an effect too, and a fault.
    #[must_use]
    pub fn parse(text: &str) -> (Self, Option<ModeFault>) {
        if text == "all" {
            (Self::All, None)
        } else if text == "none" {
            (Self::None, None)
        } else if let Some(index) = text.strip_prefix("index:") {
            match saturating_int(index) {
                Some(index) => (Self::Index(index), None),
                None => (Self::Index(0), Some(ModeFault::IndexNotNumeric)),
            }
        } else if let Some(list) = text.strip_prefix("indices:") {
            if strip(list).is_empty() {
                return (Self::Indices(Vec::new()), None);
            }
            let indices: Vec<_> = list.split(',').map(saturating_int).collect();
            let fault = indices
                .contains(&None)
                .then_some(ModeFault::EntryNotNumeric);
            (
                Self::Indices(indices.into_iter().flatten().collect()),
                fault,
            )
        } else if let Some(count) = text.strip_prefix("random:") {
            match saturating_int(count) {
                Some(count @ 1..) => (Self::Random(count.unsigned_abs()), None),
                _ => (Self::Random(1), Some(ModeFault::CountNotPositive)),
            }
        } else {
            (Self::All, Some(ModeFault::Unknown))
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all"),
            Self::None => f.write_str("none"),
            Self::Index(index) => write!(f, "index:{index}"),
            Self::Indices(indices) => {
                f.write_str("indices:")?;
                for (position, index) in indices.iter().enumerate() {
                    if position > 0 {
                        f.write_str(",")?;
                    }
                    write!(f, "{index}")?;
                }
                Ok(())
            }
            Self::Random(count) => write!(f, "random:{count}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Mode, ModeFault};

    #[test]
    fn modes_are_read_as_the_grammar_says() {
        use ModeFault::{CountNotPositive, EntryNotNumeric, IndexNotNumeric, Unknown};
        for (text, mode, fault) in [
            ("all", "all", None),
            ("none", "none", None),
            ("index:2", "index:2", None),
            ("index:-1", "index:-1", None),
            ("index: 1", "index:1", None),
            ("index:", "index:0", Some(IndexNotNumeric)),
            ("index:x", "index:0", Some(IndexNotNumeric)),
            ("indices:2,0", "indices:2,0", None),
            ("indices:", "indices:", None),
            ("indices:1,x,3", "indices:1,3", Some(EntryNotNumeric)),
            ("random:3", "random:3", None),
            ("random:0", "random:1", Some(CountNotPositive)),
            ("random:-2", "random:1", Some(CountNotPositive)),
            ("random:x", "random:1", Some(CountNotPositive)),
            ("", "all", Some(Unknown)),
            ("ALL", "all", Some(Unknown)),
            (" none", "all", Some(Unknown)),
            ("index", "all", Some(Unknown)),
        ] {
            let (read, found) = Mode::parse(text);
            assert_eq!(
                (read.to_string().as_str(), found),
                (mode, fault),
                "{text:?}"
            );
        }
    }
}
