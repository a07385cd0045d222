//! Seeds: integers that survive every JSON reader, below 2^53.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Deserializer, Serialize, de};

/// The seed of one call: an integer below 2^53.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(transparent)]
pub struct Seed(u64);

/// A number or text that is not a seed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a seed is an integer from 0 to 9007199254740991, not {0:?}")]
pub struct SeedError(String);

impl SeedError {
    /// The stable code.
    #[must_use]
    pub fn code(&self) -> &'static str {
        "bad_seed"
    }
}

impl Seed {
    /// The largest seed, 2^53 - 1.
    pub const MAX: u64 = (1 << 53) - 1;

    /// Creates a seed from a number below 2^53.
    ///
    /// # Errors
    ///
    /// [`SeedError`] if the number is larger.
    pub fn new(number: u64) -> Result<Self, SeedError> {
        if number <= Self::MAX {
            Ok(Self(number))
        } else {
            Err(SeedError(number.to_string()))
        }
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> u64 {
        self.0
    }

    /// The seed that comes so many rolls after this one in a sample. After the largest comes 0, so
    /// that a sample has as many rolls as were asked for, wherever it starts.
    #[must_use]
    pub fn after(self, rolls: u64) -> Self {
        Self::from_bits(self.0.wrapping_add(rolls))
    }

    /// The seeds of so many rolls from this one on, in words: `seed 7`, `seeds 7 to 9`, and past the
    /// largest `seeds 9007199254740990 to 9007199254740991, then 0 to 5`.
    #[must_use]
    pub fn range_in_words(self, rolls: u64) -> String {
        let last = self.after(rolls.saturating_sub(1));
        let range = |first: u64, last: u64| match first == last {
            true => first.to_string(),
            false => format!("{first} to {last}"),
        };
        match last {
            _ if last == self => format!("seed {self}"),
            _ if last > self => format!("seeds {}", range(self.0, last.0)),
            _ => format!(
                "seeds {}, then {}",
                range(self.0, Self::MAX),
                range(0, last.0)
            ),
        }
    }

    /// A seed from any 64 random bits: the upper ones are dropped.
    #[must_use]
    pub fn from_bits(bits: u64) -> Self {
        Self(bits & Self::MAX)
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Seed {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Self, SeedError> {
        let refused = || SeedError(text.to_owned());
        if text.is_empty() || !text.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(refused());
        }
        text.parse()
            .ok()
            .and_then(|number| Self::new(number).ok())
            .ok_or_else(refused)
    }
}

impl<'de> Deserialize<'de> for Seed {
    /// From a number, or from the same in decimal text.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // An untagged enum would not do: serde's buffer loses numbers of arbitrary precision.
        let text = match serde_json::Value::deserialize(deserializer)? {
            serde_json::Value::String(text) => text,
            other => other.to_string(),
        };
        text.parse().map_err(de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::Seed;

    #[test]
    fn zero_follows_the_largest_seed() {
        let last = Seed(Seed::MAX);
        assert_eq!(
            [0, 1, 2].map(|rolls| last.after(rolls)),
            [last, Seed(0), Seed(1)]
        );
        assert_eq!(Seed(5).after(Seed::MAX), Seed(4));
        assert_eq!(last.after(u64::MAX), Seed(Seed::MAX - 1));
    }

    #[test]
    fn a_range_names_seeds_that_exist() {
        let last = Seed::MAX;
        for (first, rolls, words) in [
            (7, 1, "seed 7".to_owned()),
            (7, 3, "seeds 7 to 9".to_owned()),
            (last - 1, 2, format!("seeds {} to {last}", last - 1)),
            (last - 1, 3, format!("seeds {} to {last}, then 0", last - 1)),
            (last, 100, format!("seeds {last}, then 0 to 98")),
        ] {
            assert_eq!(Seed(first).range_in_words(rolls), words);
        }
    }

    #[test]
    fn seeds_are_integers_below_2_to_the_53() {
        for (json, seed) in [
            ("0", Some(0)),
            ("9007199254740991", Some(Seed::MAX)),
            ("\"7\"", Some(7)),
            ("9007199254740992", None),
            ("-1", None),
            ("1.0", None),
            ("1e3", None),
            ("\"\"", None),
            ("\"+7\"", None),
            ("\" 7\"", None),
            ("true", None),
            ("null", None),
        ] {
            let read: Option<Seed> = serde_json::from_str(json).ok();
            assert_eq!(read.map(Seed::get), seed, "{json}");
        }
    }
}
