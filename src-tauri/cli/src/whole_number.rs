//! Whole numbers as values of flags, whose message names the range.

use std::ops::RangeInclusive;

/// A parser of numbers within a range.
pub fn whole_number<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        number.ok_or_else(|| match *range.end() {
            u64::MAX => format!("write a whole number from {}", range.start()),
            end => format!("write a whole number from {} to {end}", range.start()),
        })
    }
}
