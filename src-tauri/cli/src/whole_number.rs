//! Whole numbers as values of flags, whose message names the range.

use std::ops::RangeInclusive;

/// A parser of numbers within a range.
pub fn whole_number<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        let number = number.and_then(|number| T::try_from(number).ok());
        let is_large = || text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty();
        number.ok_or_else(|| match *range.end() {
            u64::MAX if !is_large() => format!("write a whole number from {}", range.start()),
            end => format!("write a whole number from {} to {end}", range.start()),
        })
    }
}
