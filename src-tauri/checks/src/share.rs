//! Shares of rolls, compared as integers: the same on every machine.

use serde_json::{Number, Value};

/// Parts of a whole.
const WHOLE: u64 = 1_000_000_000;

/// The least and the greatest share of the rolls, in billionths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShareRange {
    min: u64,
    max: u64,
}

impl ShareRange {
    /// A range from two numbers between 0 and 1, rounded to billionths; a missing one does not limit.
    /// `None` if a number is outside 0 to 1 or the range is empty.
    pub(crate) fn new(min: Option<&Number>, max: Option<&Number>) -> Option<Self> {
        let min = min.map_or(Some(0), billionths)?;
        let max = max.map_or(Some(WHOLE), billionths)?;
        (min <= max).then_some(Self { min, max })
    }

    /// Whether `count` of `rolls` is below the range.
    #[must_use]
    pub fn is_below(self, count: u64, rolls: u64) -> bool {
        scaled(count, WHOLE) < scaled(rolls, self.min)
    }

    /// Whether `count` of `rolls` is above the range.
    #[must_use]
    pub fn is_above(self, count: u64, rolls: u64) -> bool {
        scaled(count, WHOLE) > scaled(rolls, self.max)
    }

    /// The range in words, such as `20 % to 40 %`.
    pub(crate) fn label(self) -> String {
        let percent = |share: u64| percent(share, WHOLE);
        match (self.min, self.max) {
            (min, WHOLE) => format!("at least {}", percent(min)),
            (0, max) => format!("at most {}", percent(max)),
            (min, max) => format!("{} to {}", percent(min), percent(max)),
        }
    }
}

fn scaled(count: u64, by: u64) -> u128 {
    u128::from(count) * u128::from(by)
}

#[expect(
    clippy::cast_sign_loss,
    reason = "checked to be from 0 to 1 before the conversion"
)]
fn billionths(number: &Number) -> Option<u64> {
    let share = Value::Number(number.clone()).as_f64()?;
    (0.0..=1.0)
        .contains(&share)
        .then(|| (share * WHOLE as f64).round() as u64)
}

/// A share in percent with at most one decimal, rounded down.
pub(crate) fn percent(count: u64, of: u64) -> String {
    let tenths = scaled(count, 1000) / u128::from(of.max(1));
    match tenths % 10 {
        0 => format!("{} %", tenths / 10),
        tenth => format!("{}.{tenth} %", tenths / 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(min: Option<&str>, max: Option<&str>) -> Option<ShareRange> {
        let number = |text: &str| serde_json::from_str::<Number>(text).expect("a number");
        ShareRange::new(min.map(number).as_ref(), max.map(number).as_ref())
    }

    #[test]
    fn a_share_at_the_edge_is_inside() {
        // In floating point 0.07 * 100 is more than 7.
        let edge = range(Some("0.07"), Some("0.29")).expect("a range");
        assert!(!edge.is_below(7, 100) && edge.is_below(6, 100));
        assert!(!edge.is_above(29, 100) && edge.is_above(30, 100));
        assert_eq!(edge.label(), "7 % to 29 %");
    }

    #[test]
    fn shares_are_between_nothing_and_all() {
        for (min, max, expected) in [
            (None, None, Some("at least 0 %")),
            (Some("0.25"), None, Some("at least 25 %")),
            (None, Some("1e-3"), Some("at most 0.1 %")),
            (Some("0.5"), Some("0.4"), None),
            (Some("-0.1"), None, None),
            (None, Some("1.5"), None),
        ] {
            let label = range(min, max).map(ShareRange::label);
            assert_eq!(label.as_deref(), expected, "{min:?} {max:?}");
        }
    }
}
