//! Array modes: which entries of an array field a call renders.

use std::fmt;

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
    /// `random:` without a number above 0: acts as `random:1`.
    CountNotPositive,
}

impl Mode {
    /// What a mode's text means, and how it departs from the grammar if it does.
    #[must_use]
    pub fn parse(_text: &str) -> (Self, Option<ModeFault>) {
        (Self::All, None)
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
