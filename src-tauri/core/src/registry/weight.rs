//! The weight of an item: how often rolls pick it, relative to the others of its section.

use std::fmt;

use serde_json::Value;

/// The weight of an item that sets none.
pub const DEFAULT_WEIGHT: f64 = 1.0;

/// The least weight above 0. Smaller ones would differ by less than a draw can resolve.
pub const MIN_WEIGHT: f64 = 1e-9;

/// The greatest weight.
pub const MAX_WEIGHT: f64 = 1e9;

/// Why a `weight` is not used; the item then has the default weight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WeightFault {
    /// It is not a number.
    NotANumber,
    /// It is neither 0 nor between [`MIN_WEIGHT`] and [`MAX_WEIGHT`].
    OutOfRange,
}

impl fmt::Display for WeightFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotANumber => f.write_str("not a number"),
            Self::OutOfRange => {
                f.write_str("which is neither 0 nor between a billionth and a billion")
            }
        }
    }
}

/// Reads a `weight`; absent and null mean the default.
pub(super) fn parse_weight(value: Option<&Value>) -> Result<f64, WeightFault> {
    match value {
        None | Some(Value::Null) => Ok(DEFAULT_WEIGHT),
        Some(Value::Number(number)) => match number.as_f64() {
            // No negative zero, which would compare as less than zero.
            Some(0.0) => Ok(0.0),
            Some(weight) if (MIN_WEIGHT..=MAX_WEIGHT).contains(&weight) => Ok(weight),
            _ => Err(WeightFault::OutOfRange),
        },
        Some(_) => Err(WeightFault::NotANumber),
    }
}

#[cfg(test)]
mod tests {
    use super::{WeightFault, parse_weight};

    #[test]
    fn a_weight_is_0_or_a_number_in_bounds() {
        let out = Err(WeightFault::OutOfRange);
        for (json, expected) in [
            ("null", Ok(1.0)),
            ("0", Ok(0.0)),
            ("-0.0", Ok(0.0)),
            ("3", Ok(3.0)),
            ("0.25", Ok(0.25)),
            ("1e9", Ok(1e9)),
            ("1e-9", Ok(1e-9)),
            ("1.0000001e9", out),
            ("9e-10", out),
            ("-1", out),
            ("1e400", out),
            ("\"2\"", Err(WeightFault::NotANumber)),
            ("[1]", Err(WeightFault::NotANumber)),
        ] {
            let value: serde_json::Value = serde_json::from_str(json).expect("JSON");
            let read = parse_weight(Some(&value));
            assert_eq!(read, expected, "{json}");
            let negative = read.is_ok_and(f64::is_sign_negative);
            assert!(!negative, "{json}");
        }
        assert_eq!(parse_weight(None), Ok(1.0));
    }
}
